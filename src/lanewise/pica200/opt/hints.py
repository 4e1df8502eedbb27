"""Hints of `lanewise check --hints`: instructions and constants that a program can do without.

Each hint of an instruction is a step that `lanewise opt` would do, proved by itself: the outputs stay the same, bit for bit.
"""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted
from lanewise.pica200.check.rules import reported
from lanewise.pica200.isa.encoder import Encoded
from lanewise.pica200.isa.table import FLOAT, INTEGER
from lanewise.pica200.opt.driver import LARGE, Optimiser, Options, optimise
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.opt.operations import Candidate
from lanewise.pica200.opt.proof import StructuralProof
from lanewise.pica200.opt.statements import edits_of
from lanewise.pica200.opt.uniform_work import uniform_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.text.dialect import Dialect

_IF_CONSTANTS_STAY = (
    "holds only if the application does not overwrite the constants of the file: `lanewise opt --constants-known` does it"
)


def hints(
    contexts: Sequence[AnalysisContext], locate: Callable[[int], Span] | None = None, dialect: Dialect | None = None
) -> list[Diagnostic]:
    """The hints about the shaders of a program: notes, in the order of places. `locate` gives the place of a word where the
    program has none.

    With the language of its sources, those that hold whatever the application does have edits.
    """
    found: list[tuple[str, str, Finding]] = []
    for hint in hints_of(contexts):
        finding = hint.finding
        if dialect is not None and _IF_CONSTANTS_STAY not in finding.notes and hint.edit.words:
            program = contexts[0].program
            finding = finding._replace(edits=edits_of(hint.edit, program.operations, program.interfaces, dialect))
        found.append((hint.code, NOTE, finding))
    return reported(found, contexts, locate)


def hints_of(contexts: Sequence[AnalysisContext]) -> list[Candidate]:
    """The hints about the shaders of a program."""
    return [*_steps(contexts), *uniform_hints(contexts), *equal_constants(contexts), *unused_descriptors(contexts)]


def _steps(contexts: Sequence[AnalysisContext]) -> Iterator[Candidate]:
    """Steps of the optimiser that are proved one by one. Those that the values of constants allow say so."""
    if not contexts or any(operation.op.kind == "word" for operation in contexts[0].program.operations):
        return
    program = contexts[0].program
    words, descriptors = contexts[0].words, contexts[0].descriptors
    found: set[tuple[str, int]] = set()
    removed: set[int] = set()
    for constants in (False, True):
        if constants and not any(context.interface.constants for context in contexts):
            return
        encoded = Encoded(tuple(words), tuple(descriptors))
        proof = StructuralProof(program, encoded, constants=constants)
        options = Options(constants=constants)
        try:
            optimiser = Optimiser(program, proof, options)
        except ValueError:
            return
        proved: list[Candidate] = []
        for move in MOVES:
            for candidate in optimiser.candidates(move) if move.code else ():
                key = move.code, candidate.finding.pc
                if key in found or not removed.isdisjoint(candidate.edit.removed) or not optimiser.proves(candidate):
                    continue
                found.add(key)
                removed.update(candidate.edit.removed)
                proved.append(candidate)
        done: set[int] | None = None  # what `lanewise opt` removes, where hints may exclude each other
        if len(proved) > 1 and len(program.operations) <= LARGE:
            done = {pc for step in optimise(program, proof, options).steps for pc in step.words}
        for candidate in proved:
            saved = f"saves {counted(len(candidate.edit.removed), 'word')}"
            saved += "" if done is None or done.issuperset(candidate.edit.removed) else ", in place of another hint"
            notes = (saved, *((_IF_CONSTANTS_STAY,) if constants else ()))
            yield candidate._replace(finding=candidate.finding._replace(notes=(*candidate.finding.notes, *notes)))


def equal_constants(contexts: Sequence[AnalysisContext]) -> Iterator[Candidate]:
    """H006: constants of a shader with the same values. Those of arrays, which an index may choose from, do not count."""
    for context in contexts:
        names: dict[int, tuple[str, Span | None]] = {}
        several: set[int] = set()
        for uniform in (*context.interface.private, *context.interface.uniforms):
            names.setdefault(uniform.first, (uniform.name, uniform.span))
            several.update(range(uniform.first, uniform.last + 1) if uniform.size > 1 else ())
        first: dict[tuple[int, ...], int] = {}
        for constant in context.interface.constants:
            register = constant.register
            if not FLOAT <= register < INTEGER or register in several or register not in names:
                continue
            if constant.values not in first:
                first[constant.values] = register
                continue
            (name, span), (other, _) = names[register], names[first[constant.values]]
            message = f"the constants {other} and {name} have the same values"
            yield Candidate(
                "H006",
                Finding(message=message, fix=f"use {other} for both", pc=context.interface.entry, span=span, topic=name),
                Edit(()),
            )


def unused_descriptors(contexts: Sequence[AnalysisContext]) -> Iterator[Candidate]:
    """H007: operand descriptors of a file that none of its words uses."""
    if not contexts or contexts[0].program.encoding is None:
        return
    context = contexts[0]
    used = {inst.field("desc") for inst in context.insts if "src" in inst.op.operands}
    unused = [n for n in range(len(context.descriptors)) if n not in used]
    if unused:
        many = len(unused) > 1
        message = (
            f"{len(unused)} of {len(context.descriptors)} operand descriptors {'are' if many else 'is'} not used by any "
            "instruction"
        )
        yield Candidate(
            "H007",
            Finding(message=message, fix="assemble the source again, or ignore it: they take room in the table of 128"),
            Edit(()),
        )


__all__ = ["hints", "hints_of"]
