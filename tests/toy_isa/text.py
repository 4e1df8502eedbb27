"""The language of the toy: `.toy` first, then a label or an instruction a line, comments from `;`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.source import Span
from lanewise.core.text.formatting import Line, collapse, format_text
from toy_isa.codes import finding
from toy_isa.machine import BY_NAME, REGISTERS, Inst

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.text.formatting import Indent


MOST = 1 << 12
NUMBERS = {f"r{number}": number for number in range(REGISTERS)}


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
            found.append(finding("P901", f"unknown line '{line}'", place, "write a mnemonic and its operand"))
        else:
            insts.append(inst)
    return Parsed(tuple(insts), places, tuple(found))


def _instruction(line: str, labels: dict[str, int]) -> Inst | None:
    name, _, operand = line.partition(" ")
    op, operand = BY_NAME.get(name), operand.strip()
    numbers = {operand: int(operand)} if operand.isdecimal() and len(operand) < 5 else {}
    known = {"register": NUMBERS, "number": numbers, "label": labels, "": {"": 0}}
    number = known[op.operand].get(operand, MOST) if op is not None else MOST
    return Inst(op, number) if op is not None and number < MOST else None


def write(insts: Sequence[Inst]) -> str:
    targets = {inst.operand for inst in insts if inst.op.operand == "label"}
    lines = [".toy"]
    for address in range(len(insts) + 1):
        lines += [f"L{address}:"] if address in targets else []
        lines += [f"    {inst.text}" for inst in insts[address : address + 1]]
    return "\n".join(lines) + "\n"


def read_line(text: str) -> Line:
    """Labels at the margin, instructions indented."""
    code, semicolon, comment = text.strip().partition(";")
    return Line(
        code=collapse(code), comment=semicolon + comment, flat=code.strip().endswith(":") or code.strip() == ".toy", base=1
    )


def formatted(name: str, text: str, include: Callable[[str], str] | None, indent: Indent) -> str:
    return format_text(text, read_line, indent)
