"""The language of the toy: `.toy` first, then a label or an instruction a line, comments from `;`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span
from lanewise.core.text.formatting import Line, collapse
from toy_isa.machine import BY_NAME, REGISTERS, Inst

if TYPE_CHECKING:
    from collections.abc import Sequence


class Parsed(NamedTuple):
    """The instructions of a source with their places, and what is wrong with it."""

    insts: tuple[Inst, ...]
    places: tuple[Span, ...]
    diagnostics: tuple[Diagnostic, ...]


def read(name: str, text: str) -> Parsed:
    lines = [line.partition(";")[0].strip() for line in text.split("\n")]
    labels: dict[str, int] = {}
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.endswith(":"):
            labels[line[:-1]] = len(rows)
        elif line and line != ".toy":
            rows.append((number, line))
    insts: list[Inst] = []
    found: list[Diagnostic] = []
    places = tuple([Span(file=name, line=number, column=1, length=len(line), text=line) for number, line in rows])
    for place, (_, line) in zip(places, rows, strict=True):
        inst = _instruction(line, labels)
        if inst is None:
            found.append(
                Diagnostic(
                    code="P901",
                    severity=ERROR,
                    message=f"unknown line '{line}'",
                    span=place,
                    notes=(),
                    fix="write a mnemonic and its operand",
                )
            )
        else:
            insts.append(inst)
    return Parsed(tuple(insts), places, tuple(found))


def _instruction(line: str, labels: dict[str, int]) -> Inst | None:
    name, _, operand = line.partition(" ")
    op, operand = BY_NAME.get(name), operand.strip()
    if op is None:
        return None
    match op.operand:
        case "register":
            return Inst(op, int(operand[1:])) if operand in [f"r{number}" for number in range(REGISTERS)] else None
        case "number":
            return Inst(op, int(operand)) if operand.isdecimal() and int(operand) < 1 << 12 else None
        case "label":
            return Inst(op, labels[operand]) if operand in labels else None
        case _:
            return Inst(op) if not operand else None


def write(insts: Sequence[Inst]) -> str:
    targets = {inst.operand for inst in insts if inst.op.operand == "label"}
    lines = [".toy"]
    for address, inst in enumerate(insts):
        if address in targets:
            lines.append(f"L{address}:")
        lines.append(f"    {inst.text}")
    if len(insts) in targets:
        lines.append(f"L{len(insts)}:")
    return "\n".join(lines) + "\n"


def read_line(text: str) -> Line:
    """Labels at the margin, instructions indented."""
    code, semicolon, comment = text.strip().partition(";")
    return Line(
        code=collapse(code), comment=semicolon + comment, flat=code.strip().endswith(":") or code.strip() == ".toy", base=1
    )
