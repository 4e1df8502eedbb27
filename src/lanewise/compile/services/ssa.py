"""Functions in SSA form as sources: read, verified, tidied, and raised to the vector programs that are compiled."""

from __future__ import annotations

from lanewise.compile.vector.lowering import evaluate
from lanewise.compile.vector.raising import NotRaisedError, raised
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span, decode_text
from lanewise.ssa.passes import tidied
from lanewise.ssa.reading import SyntaxFaultError, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.spirv.lower import Options
    from lanewise.compile.vector.code import Program
    from lanewise.core.service import SourceFile


def of_function(source: SourceFile, target: Options, given: Mapping[str, str]) -> Program:
    """The vector program of a function; `given` are semantics of outputs by name. Raises InputError."""
    text = decode_text(source.data)
    try:
        program = raised(tidied(read(text, source.name), evaluate))
    except SyntaxFaultError as error:
        span = Span(file=source.name, line=error.line, text=_line(text, error.line))
        raise InputError([Diagnostic(code="S018", severity=ERROR, message=error.message, span=span)]) from None
    except NotRaisedError as error:
        span = Span(file=source.name, line=error.line + 1, text=_line(text, error.line + 1))
        raise InputError([Diagnostic(code="S019", severity=ERROR, message=error.message, span=span, fix=error.fix)]) from None
    outputs = tuple([output._replace(semantic=given.get(output.name, output.semantic)) for output in program.outputs])
    known = {*target.semantics, *([""] if target.unnamed else [])}
    wrong = [
        Diagnostic(
            code="S006",
            severity=ERROR,
            message=f"output '{output.name}' has the semantic '{output.semantic}', which the target does not have",
            span=Span(file=source.name),
            fix=f"use {', '.join(target.semantics)}: --output {output.name}=SEMANTIC",
        )
        for output in outputs
        if output.semantic not in known
    ]
    if wrong:
        raise InputError(wrong)
    return program._replace(outputs=outputs)


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number - 1] if 0 < number <= len(lines) else ""
