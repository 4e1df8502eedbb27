"""A data file to begin with: values of a fitting shape for everything that a program takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise_studio.subject import BOOLEAN, INTEGER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise_studio.subject import Input, Subject, Uniform

# Four vertices of a square, by what the name of an input looks like; other inputs get the last.
_SQUARE = (
    (("pos", "vert"), ("-1, -1, -1, 1", "1, -1, -1, 1", "-1, 1, -1, 1", "1, 1, -1, 1")),
    (("norm", "nrm"), ("0, 0, 1, 0", "0.6, 0, 0.8, 0", "0, 0.6, 0.8, 0", "-0.6, 0, 0.8, 0")),
    (("tex", "uv"), ("0, 0, 0, 1", "1, 0, 0, 1", "0, 1, 0, 1", "1, 1, 0, 1")),
    (("col", "clr"), ("1, 0, 0, 1", "0, 1, 0, 1", "0, 0, 1, 1", "1, 1, 1, 1")),
    (("",), ("0, 0, 0, 1", "1, 0, 0, 1", "0, 1, 0, 1", "1, 1, 0, 1")),
)
_IDENTITY = ("[1, 0, 0, 0]", "[0, 1, 0, 0]", "[0, 0, 1, 0]", "[0, 0, 0, 1]")


def starter(subject: Subject) -> str:
    """The text of the file."""
    lines = ["# Values of a run: one row for each vertex, up to 64 of them, or one row for all.", "[inputs]"]
    lines += [f"{_key(row.name)} = {_rows(_square(row))}" for row in subject.inputs]
    free = [row for row in subject.uniforms if not row.known and subject.own({row.name: row})]
    kinds = (
        ("uniforms", [row for row in free if row.kind not in (INTEGER, BOOLEAN)]),
        *[(title, [row for row in free if row.kind == kind]) for title, kind in (("integers", INTEGER), ("booleans", BOOLEAN))],
    )
    for title, rows in kinds:
        if rows:
            lines += ["", f"[{title}]", *[line for row in rows for line in _uniform(row)]]
    return "\n".join(lines) + "\n"


def _square(row: Input) -> list[str]:
    rows = next(rows for words, rows in _SQUARE if any(word in row.name.lower() for word in words))
    return [f"[{', '.join(text.split(', ')[: row.components])}]" for text in rows]


def _uniform(row: Uniform) -> list[str]:
    """A uniform by its name; registers without one each by its own."""
    if row.kind == BOOLEAN:
        values = ["false"] * row.registers
    elif row.kind == INTEGER:
        values = ["[0, 0, 1]"] * row.registers
    elif row.registers in (3, 4):
        values = [*_IDENTITY[: row.registers]]
    else:
        values = ["[1, 1, 1, 1]" if row.registers == 1 else "[0, 0, 0, 1]"] * row.registers
    if row.by_register or (row.name == row.register and row.registers > 1):
        letter, first = row.register[0], int(row.register[1:])
        return [f"{letter}{first + number} = {value}" for number, value in enumerate(values)]
    return [f"{_key(row.name)} = {_rows(values)}"]


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else f'"{name}"'


def _rows(rows: Sequence[str]) -> str:
    """Rows as a list, each in its line."""
    return rows[0] if len(rows) == 1 else "[\n" + "".join([f"    {row},\n" for row in rows]) + "]"


__all__ = ["starter"]
