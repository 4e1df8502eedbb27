"""Markdown and HTML of generated pages."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from lanewise.core.document import as_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.document import Block

_CELL, _HEIGHT, _TOP = 26, 34, 18  # of an encoding: width of a bit at 32 bits a row, height of a field, room for bit numbers
_STEP = _TOP + _HEIGHT + 12  # from row to row
_LETTER, _MOST_SQUEEZED = 8, 1.5  # width of a letter, and how far a name is squeezed before it is cut
ROW_BITS = 32
_NARROW_BITS = 16  # of a row on a narrow screen


def page(title: str, *parts: str, above: str = "", orphan: bool = True) -> str:
    """The text of a page. `orphan`: it is not in the tree at the side, `above` is the line of links over its title."""
    head = "---\norphan: true\n---\n\n" if orphan else ""
    lead = f"{above}\n\n" if above else ""
    return f"{head}# {title}\n\n{lead}" + "\n\n".join([part.strip("\n") for part in parts if part.strip()]) + "\n"


def markdown(blocks: Iterable[Block]) -> str:
    return as_markdown(blocks)


def escape(text: str) -> str:
    """Running text with the characters that Markdown would take for its own; text in backquotes stays."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backquote without its partner
        parts = [text.replace("`", "'")]
    for i in range(0, len(parts), 2):
        for mark in "\\*_<[]{}$":
            parts[i] = parts[i].replace(mark, "\\" + mark)
    return "`".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] * len(head)) + " |"]
    lines += ["| " + " | ".join([cell.replace("|", "\\|").replace("\n", " ") or " " for cell in row]) + " |" for row in rows]
    return "\n".join(lines)


def fence(text: str, language: str = "text") -> str:
    """A block of code, whatever it has in it."""
    marks = "```"
    while marks in text:
        marks += "`"
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"


def raw(text: str) -> str:
    """HTML, as it is."""
    return f"```{{raw}} html\n{text}\n```"


def details(summary: str, text: str) -> str:
    """A part that is folded until it is asked for."""
    return f"{raw(f'<details><summary>{html.escape(summary)}</summary>')}\n\n{text}\n\n{raw('</details>')}"


def encoding(fields: Sequence[Mapping[str, object]], bits: int, values: Mapping[str, str] | None = None) -> str:
    """The fields of a machine word as SVG, the highest bit at the left; `values` are the bits of fields that are fixed. Names
    that do not fit are below it. A narrow screen shows another picture, and a table of the fields."""
    wide = _picture(fields, bits, values or {}, ROW_BITS, "encoding")
    narrow = _picture(fields, bits, values or {}, _NARROW_BITS, "encoding lw-narrow")
    return wide + _legend(fields) + narrow + _narrow(fields, values or {})


def _picture(fields: Sequence[Mapping[str, object]], bits: int, values: Mapping[str, str], row_bits: int, kind: str) -> str:
    rows = (bits + row_bits - 1) // row_bits
    boxes = [box for field in fields for row in range(rows) for box in _box(field, row, rows, row_bits, values)]
    width, height = row_bits * _CELL, rows * _STEP - 10
    about = ", ".join(
        [f"{f['name']}: bits {f['low']} to {int(str(f['low'])) + int(str(f['width'])) - 1}" for f in reversed(fields)]
    )
    return (
        f'<svg class="{kind}" viewBox="-1 0 {width + 2} {height}" role="img" aria-label="{html.escape(about)}">'
        + "".join(boxes)
        + "</svg>"
    )


def _narrow(fields: Sequence[Mapping[str, object]], values: Mapping[str, str]) -> str:
    """The fields as a table, for a narrow screen, whose picture cuts more names."""
    rows: list[str] = []
    for field in sorted(fields, key=lambda field: -int(str(field["low"]))):
        low, width, name = int(str(field["low"])), int(str(field["width"])), str(field["name"])
        bits = str(low) if width == 1 else f"{low + width - 1} to {low}"
        value = "reserved" if field["reserved"] else values.get(name, "")
        rows.append(f"<tr><td>{bits}</td><td>{html.escape(name)}</td><td>{html.escape(value)}</td></tr>")
    head = '<thead><tr><th scope="col">bits</th><th scope="col">field</th><th scope="col">value</th></tr></thead>'
    return f'<table class="docutils lw-bits">{head}<tbody>{"".join(rows)}</tbody></table>'


def _label(field: Mapping[str, object], bits: int) -> str:
    """The name of a field as a box of so many bits has room for it: narrow letters, or the first ones."""
    name, room = str(field["name"]), bits * _CELL - 4
    if field["reserved"]:
        return "–"
    return name[: room // _LETTER] if len(name) * _LETTER > _MOST_SQUEEZED * room else name


def _legend(fields: Sequence[Mapping[str, object]]) -> str:
    """The names that are cut in a picture."""
    labels = [
        (_label(field, int(str(field["width"]))), str(field["name"])) for field in reversed(fields) if not field["reserved"]
    ]
    cut = [f"{html.escape(label)}: {html.escape(name)}" for label, name in labels if label != name]
    return f'<p class="lw-legend">{", ".join(cut)}</p>' if cut else ""


def _box(field: Mapping[str, object], row: int, rows: int, row_bits: int, values: Mapping[str, str]) -> list[str]:
    """The part of a field that is in a row, counted from that of bit 0: its box, its name and value, the numbers of its
    bits."""
    low, width, name = int(str(field["low"])), int(str(field["width"])), str(field["name"])
    first, last = max(low, row * row_bits), min(low + width, (row + 1) * row_bits)
    if first >= last:
        return []
    top, left, size = (rows - 1 - row) * _STEP, ((row + 1) * row_bits - last) * _CELL, (last - first) * _CELL
    middle, value = left + size / 2, values.get(name)
    if value is not None and len(value) == width:
        value = value[low + width - last : low + width - first]
    kind = "reserved" if field["reserved"] else "field" if value is None else "fixed"
    label = _label(field, last - first)
    parts = [
        f'<rect class="{kind}" x="{left}" y="{top + _TOP}" width="{size}" height="{_HEIGHT}"/>',
        (
            f'<text x="{middle:g}" y="{top + _TOP + (14 if value else 21)}" '
            f'class="name"{_squeezed(label, size)}>{html.escape(label)}</text>'
        ),
    ]
    if value:
        parts.append(f'<text x="{middle:g}" y="{top + _TOP + 29}" class="bits"{_squeezed(value, size)}>{value}</text>')
    ends = [(middle, first)] if last - first == 1 else [(left + 9, last - 1), (left + size - 9, first)]
    return [*parts, *[f'<text x="{x:g}" y="{top + 13}" class="bit">{bit}</text>' for x, bit in ends]]


def _squeezed(text: str, size: int) -> str:
    """The attributes of a text that is wider than its box."""
    return f' textLength="{size - 4}" lengthAdjust="spacingAndGlyphs"' if len(text) * _LETTER > size - 4 else ""
