"""The block whose `.end` is missing: the open one may have lost its `.end` to a block inside, which the indentation shows.

Loaded for sources with errors only.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import ERROR, Diagnostic, Edit, Related
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.module import LABEL, STRUCTURE, Mark
from lanewise.pica200.text.picasso.syntax import MNEMONICS, OUTSIDE, Open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.text.picasso.reader import Reader


_COMMENTED = re.compile(r"\s*;[;\s]*\.end\s*(;.*)?$", re.IGNORECASE)


class _Line(Record):
    """A statement that opens, divides or closes a block, or any other."""

    number: int
    "Line, from 1."
    indent: str
    "Blanks in front of it."
    word: str
    "First word, lower case."
    rest: str
    "The words after it."

    @property
    def opens(self) -> bool:
        op = MNEMONICS.get(self.word)
        array = self.word == ".constfa" and "(" not in self.rest
        return self.word == ".proc" or array or (op is not None and op.opens_block)


def unclosed(reader: Reader, blocks: Sequence[Open]) -> None:
    """Report the blocks of a file that are open at its end as one finding, about the block that lacks its `.end`."""
    lines = _lines(reader.text) if reader.line == reader.text.rpartition("\n")[2] else []
    outer, *inner = blocks
    culprit, closer = _by_indentation(lines)
    if culprit is None and any(line.indent for line in lines):
        culprit = next((line for line in lines if line.number == blocks[-1].span.line), None)
    place, name = outer.span, f"'{outer.name}'" if outer.name else "this block"
    related = [Related(block.span, "this block is not closed either") for block in inner[:3]]
    edits: tuple[Edit, ...] = ()
    fix = "add `.end`"
    if culprit is not None and outer.span.file == reader.file:
        edits, fix = _closing(reader, lines, culprit)
        if closer is not None:
            text = reader.text.split("\n")[culprit.number - 1].rstrip("\r")
            statement = text.partition(";")[0].strip()
            place = Span(
                file=reader.file, line=culprit.number, column=len(culprit.indent) + 1, length=len(statement), text=text
            )
            name = f"`{statement}`"
            related = [Related(outer.span, f"the `.end` in line {closer.number} is indented as that of this block")]
        # Procedures after it begin inside the open block.
        reader.diagnostics[:] = [each for each in reader.diagnostics if each.code != "V025" or each.span.file != reader.file]
    what = "it has no `.end`" if edits else "an .end is missing for it, or for a block inside"
    reader.diagnostics.append(
        Diagnostic(
            code="P004",
            severity=ERROR,
            message=f"{name} is not closed: {what}",
            span=place,
            fix=fix,
            related=tuple(related),
            edits=edits,
        )
    )


def outside(reader: Reader) -> Problem:
    """The problem with an instruction outside a procedure: one until the next `.proc` or `.end`. A label above it is meant to
    begin one, as in nihstro's language."""
    problem = Problem("P002", "instruction outside a procedure", "put it between `.proc NAME` and `.end`")
    item = reader.items[-1] if reader.items else None
    if isinstance(item, Mark) and item.kind == LABEL and item.span.file == reader.file:
        name, place = item.name, item.span
        if place.text.partition(";")[0].strip() == f"{name}:" and name not in reader.procedures:
            length = place.text.index(":", place.column - 1) - place.column + 2
            problem = Problem(
                "P002",
                f"instruction outside a procedure: the label '{name}' does not begin one",
                f"write `.proc {name}` in line {place.line}",
                related=(Related(place, "the label is here"),),
                edits=(Edit(place._replace(length=length), f".proc {name}"),),
            )
            reader.procedures[name] = place
            reader.doubt = STRUCTURE
    reader.blocks.append(Open("broken", reader.span(), OUTSIDE))
    reader.depth += 1
    return problem


def _lines(text: str) -> list[_Line]:
    found: list[_Line] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition(";")[0].split(None, 1)
        if words and words[0][0] != "#":
            indent = line[: len(line) - len(line.lstrip())]
            found.append(_Line(number=number, indent=indent, word=words[0].lower(), rest="".join(words[1:]).rstrip()))
    return found


def _by_indentation(lines: Sequence[_Line]) -> tuple[_Line | None, _Line | None]:
    """The first block that is closed by an `.end` with the indentation of a block around it, and that `.end`; a procedure that
    begins with the indentation of an open one lacks its own."""
    blocks: list[_Line] = []
    for line in lines:
        if line.word == ".proc" and blocks and line.indent == blocks[-1].indent:
            return blocks[-1], None
        if line.opens:
            blocks.append(line)
        elif line.word == ".end" and blocks:
            block = blocks.pop()
            if line.indent != block.indent and line.indent in [each.indent for each in blocks]:
                return block, line
    return None, None


def _closing(reader: Reader, lines: Sequence[_Line], block: _Line) -> tuple[tuple[Edit, ...], str]:
    """The edit that puts an `.end` where a block ends by its indentation, or at the end of the file, or takes the one there out
    of a comment; with the fix in words."""
    texts = reader.text.split("\n")
    number, before = len(texts), ""
    for line in lines:
        outside = len(line.indent) <= len(block.indent) and (block.indent or line.word == ".proc")
        if line.number > block.number and line.word != ".else" and outside:
            number, before = line.number, f"{block.indent}.end\n"
            break
    commented = [n for n in range(block.number + 1, number + 1) if _COMMENTED.match(texts[n - 1])]
    if commented:
        text = texts[commented[-1] - 1].rstrip("\r")
        at = text.index(";")
        length = text.index(".") - at if at else len(text) - len(text.lstrip(";"))
        span = Span(file=reader.file, line=commented[-1], column=at + 1, length=length, text=text)
        return (Edit(span, ""),), f"remove the `;` before the `.end` in line {commented[-1]}"
    text = texts[number - 1].rstrip("\r")
    if before:
        span = Span(file=reader.file, line=number, column=1, length=0, text=text)
        return (Edit(span, before),), f"add `.end` before line {number}"
    after = f"{block.indent}.end\n" if not text else f"\n{block.indent}.end"
    span = Span(file=reader.file, line=number, column=len(text) + 1, length=0, text=text)
    return (Edit(span, after),), f"add `.end` at the end, in line {number + bool(text)}"
