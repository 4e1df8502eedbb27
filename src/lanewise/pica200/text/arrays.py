"""Arrays of uniforms that are named without an index."""

from __future__ import annotations

import re

from lanewise.core.diagnostics import WARNING, Diagnostic, Edit
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Operation, Source
from lanewise.pica200.isa.table import register_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.isa.module import Mark

_MATRIX = 3  # rows at least
_PRODUCT = re.compile(r"\s*(?:\w+:\s*)?(?:dp3|dp4|dph|mul)\s+[\w$]+(?:\.\w{3,4})?\s*,", re.IGNORECASE)


class Bare(Record):
    """The first use of an array without an index."""

    name: str
    "As it is written."
    register: int
    "Its first register."
    size: int
    "Its registers."
    span: Span
    "The operand."
    first: int = 0
    "A line of its file that reads `NAME[0]`, 0 for none."


def in_text(uses: Iterable[Bare], file: str, text: str) -> list[Bare]:
    """Uses of arrays in a file, each with a line that reads the first element by its index."""
    lines = [re.split(r"[;#]|//", line, maxsplit=1)[0] for line in text.split("\n")]
    found: list[Bare] = []
    for use in uses:
        if use.span.file != file:  # an included one
            found.append(use)
            continue
        indexed = re.compile(rf"(?<![\w.$]){re.escape(use.name)}\s*\[\s*0+\s*\]")
        at = next((number for number, line in enumerate(lines, 1) if line.lstrip()[:1] != "." and indexed.search(line)), 0)
        found.append(use._replace(first=at))
    return found


def without_index(uses: Iterable[Bare], items: Sequence[Operation | Mark]) -> list[Diagnostic]:
    """V113: arrays that are named without an index, of which no instruction reads any other element, or not every other one
    where the first has its index elsewhere."""
    uses = list(uses)
    if not uses:
        return []
    read = set[int]()
    moving = set[int]()
    for item in items:
        for operand in item.operands if isinstance(item, Operation) else ():
            if isinstance(operand, Source):
                read.add(operand.register)
                if operand.relative:
                    read.add(operand.register + 1)
                    moving.add(operand.register)
    found: list[Diagnostic] = []
    for use in uses:
        others = range(use.register + 1, use.register + use.size)
        unread = [register for register in others if register not in read]
        if len(unread) == len(others):
            found.append(_whole(use))
        elif unread and use.first and moving.isdisjoint(range(use.register, use.register + use.size)):
            found.append(_element(use, [register - use.register for register in unread]))
    return found


def _whole(use: Bare) -> Diagnostic:
    """The finding about an array of which only the first element is read."""
    return Diagnostic(
        code="V113",
        severity=WARNING,
        message=f"{use.name} is an array of {use.size}: without an index it is {use.name}[0], {register_name(use.register)}, "
        "and nothing reads the others",
        span=use.span,
        notes=(),
        fix=f"write {use.name}[0] if that is meant; a product with a matrix is one dp4 for each row: {_product(use)}",
    )


def _product(use: Bare) -> str:
    """The first of the dot products that multiply by a matrix, with the operands of the line where they are known."""
    found = re.match(r"\s*(?:\w+:\s*)?(\w+)\s+([^,;]+),([^,;]+),([^,;#/]+)", use.span.text)
    word, *texts = [text.strip() for text in found.groups()] if found is not None else [""]
    others = [text for text in texts[1:] if text.lstrip("-") != use.name]
    if len(others) != 1 or not _MATRIX <= use.size <= _MATRIX + 1:
        return f"dp4 DST.x, {use.name}[0], SRC"
    rows = min(use.size, int(word[2])) if re.fullmatch(r"dp\d", word) else use.size
    target, name = texts[0].partition(".")[0], f"dp{rows}" if word[:2] == "dp" else "dp4"
    rest = ", ".join([f".{letter} with {use.name}[{n}]" for n, letter in enumerate("xyzw"[1:rows], 1)])
    return f"`{name} {target}.x, {use.name}[0], {others[0]}`, and so {rest}"


def _element(use: Bare, unread: Sequence[int]) -> Diagnostic:
    """The finding about an array whose first element has its index elsewhere, and of which some elements are not read."""
    product = _product(use) if _PRODUCT.match(use.span.text) else ""
    names = [f"{use.name}[{number}]" for number in unread]
    at = use.span.text.find(use.name, use.span.column - 1)
    listed = " or ".join(names)
    return Diagnostic(
        code="V113",
        severity=WARNING,
        message=f"{use.name} without an index is {use.name}[0], as in line {use.first}, and nothing reads {listed}",
        span=use.span,
        notes=(),
        fix=f"a product with a matrix is one instruction for each row: {product}"
        if product
        else f"write {listed}, or {use.name}[0]",
        edits=()
        if product
        else (Edit(use.span.at(at + len(use.name) + 1, 0), f"[{unread[0]}]"),)
        if len(unread) == 1 and at >= 0
        else (),
    )
