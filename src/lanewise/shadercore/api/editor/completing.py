"""Completion and signatures of ShaderCore sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lanewise.core.editor import Completion, Signature
from lanewise.core.occurrences import DIRECTIVE, INSTRUCTION, MODIFIER, REGISTER, SEMANTIC
from lanewise.core.text.cursor import begins, cursor_at
from lanewise.shadercore.api.editor.analysing import State
from lanewise.shadercore.api.editor.describing import DIRECTIVES, directive_page, op_named, ops_of, page_of
from lanewise.shadercore.isa.program import USAGES, usage_name
from lanewise.shadercore.isa.table import FILES
from lanewise.shadercore.text.comments import split_comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.editor import Analysis
    from lanewise.core.text.cursor import Cursor
    from lanewise.shadercore.isa.table import Op

_SELECTIONS = ("x", "y", "z", "w", "xy", "xyz", "xyzw")
_DESTINATION = "r0-r7, x0-x7, o0-o7 or NULL"
_SOURCE = "r0-r7, v0-v7, c0-c255, x0-x7, o0-o7, 0, 1 or -1; -REG, abs(REG) or -abs(REG)"
_PARTS = {
    ".input": (("v0", "v0 to v7"), ("position", f"{', '.join(USAGES)}, and a number from 0 to 3")),
    ".output": (("o0", "o0 to o7"), ("position", f"{', '.join(USAGES)}, and a number from 0 to 3")),
    ".const": (
        ("c0", "c0 to c255"),
        *[(part, "a decimal number, or its bits as 0x and 8 digits") for part in ("1.0", "0.5", "0x3F800000", "-2.0")],
    ),
    ".word": (("0x00000001400280C0", "64 bits"),),
    ".hash": (("0xFFFFFFFF", "32 bits"),),
    ".padding": (("0x0000000000000000", "64 bits"),),
}


def complete(analysis: Analysis, file: str, text: str, line: int, column: int) -> list[Completion]:
    """The completions at a place."""
    cursor = cursor_at(file, text, line, column)
    if split_comment(cursor.before)[1] or split_comment(cursor.before)[0] != cursor.before:
        return []
    statement = cursor.before.lstrip()
    head, blank, rest = _split(statement)
    if not blank:
        return list(_heads(cursor, head, analysis))
    if head.lower() in DIRECTIVES:
        return list(_declaration(analysis, cursor, head.lower(), rest))
    op = op_named(analysis, _base(head))
    return list(_operand(analysis, cursor, op, _operand_number(rest))) if op is not None else []


def signature(analysis: Analysis, file: str, text: str, line: int, column: int) -> Signature | None:
    """The operands of the statement at a place."""
    cursor = cursor_at(file, text, line, column)
    code = split_comment(cursor.before)[0]
    head, blank, rest = _split(code.lstrip())
    if not blank or code != cursor.before:
        return None
    name = head.lower()
    if name in DIRECTIVES:
        if name == ".const":
            active = rest.count(",") + ("(" in rest)
        else:
            active = len(rest.split()) - (not rest[-1:].isspace() and bool(rest.strip()))
        return Signature(DIRECTIVES[name][0], _PARTS[name], max(0, active), partial(directive_page, name))
    op = op_named(analysis, _base(head))
    if op is None:
        return None
    parts = [("dest", _DESTINATION)] * op.dests + [(name, _SOURCE) for name in "abc"][: op.sources]
    label = f"{name} {', '.join([part for part, _ in parts])}".strip()
    return Signature(label, tuple(parts), _operand_number(rest), partial(page_of, analysis, op))


def _split(statement: str) -> tuple[str, str, str]:
    """The first word, the first blank after it, and what follows."""
    head = statement.split(None, 1)[0] if statement else ""
    return head, statement[len(head) : len(head) + 1], statement[len(head) + 1 :]


def _base(head: str) -> str:
    return head.lower().removesuffix("_saturate").removesuffix("_sat")


def _operand_number(rest: str) -> int:
    """The number of the operand at the end of a text, from 0; without commas, blanks separate them."""
    if "," in rest:
        return rest.count(",")
    return max(0, len(rest.split()) - (not rest[-1:].isspace() and bool(rest.strip())))


def _heads(cursor: Cursor, word: str, analysis: Analysis) -> Iterator[Completion]:
    """Instructions, those of the device too, and directives."""
    span = cursor.span(len(word))
    for op in ops_of(analysis):
        for name in begins(word, (op.name, f"{op.name}_sat") if op.dests else (op.name,)):
            yield Completion(
                text=name,
                kind=INSTRUCTION,
                span=span,
                detail=op.summary,
                about=partial(page_of, analysis, op),
                snippet=_snippet(op, name),
                order=int("_sat" in name) + 2 * (not op.built),
            )
    for name in begins(word, DIRECTIVES):
        snippet = {
            ".input": ".input v${1:0} ${2:position}",
            ".output": ".output o${1:0} ${2:position}",
            ".const": ".const c${1:0} (${2:0.0}, ${3:0.0}, ${4:0.0}, ${5:1.0})",
        }.get(name, "")
        yield Completion(
            text=name,
            kind=DIRECTIVE,
            span=span,
            detail=DIRECTIVES[name][1],
            about=partial(directive_page, name),
            snippet=snippet,
            order=3,
        )


def _snippet(op: Op, name: str) -> str:
    operands = ("${1:r0.x}", "${2:v0.x}", "${3:c0.x}")[: op.dests + op.sources]
    return f"{name} {', '.join(operands)}" if operands else ""


def _declaration(analysis: Analysis, cursor: Cursor, name: str, rest: str) -> Iterator[Completion]:
    """Registers and usages of directives."""
    word = cursor.word()
    files = {".input": "v", ".output": "o", ".const": "c"}
    if name not in files or "(" in rest:
        return
    if rest.split() and (len(rest.split()) > 1 or rest[-1:].isspace()):
        if name != ".const":
            for known in begins(word, [usage_name(kind | number << 3) for number in range(4) for kind in range(len(USAGES))]):
                yield Completion(text=known, kind=SEMANTIC, span=cursor.span(len(word)), order=int(known[-1].isdigit()))
        return
    declared = {one.register for one in analysis.occurrences if one.definition}
    for register in begins(word, [f"{files[name]}{number}" for number in range(min(16, FILES[files[name]].size))]):
        if register not in declared:
            yield Completion(text=register, kind=REGISTER, span=cursor.span(len(word)), detail=FILES[files[name]].holds)


def _operand(analysis: Analysis, cursor: Cursor, op: Op, number: int) -> Iterator[Completion]:
    """Registers that an operand may be, those of the source first, and components after a dot."""
    if number >= op.dests + op.sources:
        return
    word = cursor.word(".")
    register, dot, part = word.rpartition(".")
    if dot:
        if register[:1].lower() in FILES:
            for letters in begins(part, _SELECTIONS):
                yield Completion(text=letters, kind=MODIFIER, span=cursor.span(len(part)), order=len(letters))
        return
    writes = number < op.dests
    used = dict.fromkeys(one.register for one in analysis.occurrences if one.register)
    every = [f"{file.name}{n}" for file in FILES.values() if file.size > 1 and file.size < 256 for n in range(file.size)]
    for name in begins(word, dict.fromkeys([*used, *every, "c0"])):
        file = FILES.get(name[:1])
        if file is not None and (file.writable if writes else file.readable):
            yield Completion(
                text=name,
                kind=REGISTER,
                span=cursor.span(len(word)),
                detail=_detail(analysis, name),
                snippet=f"{name}.${{1:x}}",
                order=int(name not in used),
            )
    fixed = ("NULL",) if writes else ("0", "1", "-1")
    for name in begins(word, fixed):
        yield Completion(text=name, kind=REGISTER, span=cursor.span(len(word)), detail=FILES[name].holds, order=2)
    if not writes and not word:
        for name, snippet in (("-", "-${1:r0.x}"), ("abs", "abs(${1:r0.x})"), ("-abs", "-abs(${1:r0.x})")):
            yield Completion(
                text=name,
                kind=MODIFIER,
                span=cursor.span(0),
                detail="a modifier of a source",
                about=None,
                snippet=snippet,
                order=3,
            )


def _detail(analysis: Analysis, register: str) -> str:
    """The contents of a register: its usage where the source declares one."""
    file, number = register[0], int(register[1:])
    state = analysis.state
    if file in "vo" and isinstance(state, State) and state.context.declared(file, number) is not None:
        return usage_name((state.program.inputs if file == "v" else state.program.outputs)[number])
    return FILES[file].holds
