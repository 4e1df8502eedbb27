"""A data file to begin with: values of a fitting shape for everything that a PICA200 vertex shader takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.interface import Binding
    from lanewise.pica200.api.shader import Shader

# Four vertices of a square, by what the name of an input looks like; other inputs get the last.
_SQUARE = (
    (("pos", "vert"), ("[-1, -1, 0]", "[1, -1, 0]", "[-1, 1, 0]", "[1, 1, 0]")),
    (("norm", "nrm"), ("[0, 0, 1]", "[0.6, 0, 0.8]", "[0, 0.6, 0.8]", "[-0.6, 0, 0.8]")),
    (("tex", "uv"), ("[0, 0]", "[1, 0]", "[0, 1]", "[1, 1]")),
    (("col", "clr"), ("[1, 0, 0, 1]", "[0, 1, 0, 1]", "[0, 0, 1, 1]", "[1, 1, 1, 1]")),
    (("",), ("[0, 0, 0, 1]", "[1, 0, 0, 1]", "[0, 1, 0, 1]", "[1, 1, 0, 1]")),
)
_IDENTITY = ("[1, 0, 0, 0]", "[0, 1, 0, 0]", "[0, 0, 1, 0]", "[0, 0, 0, 1]")


def starter(program: ShaderFile) -> str:
    """The text of the file; empty where there is no vertex shader."""
    shader = next((each for each in program.programs if each.stage == "vertex"), None)
    return "" if shader is None else _text(shader)


def _text(shader: Shader) -> str:
    known = shader.constants
    lines = ["# Values of a run: one row for each vertex, up to 64 of them, or one row for all.", "[inputs]"]
    lines += [f"{row.name} = {_rows(_square(row.name), 1)}" for row in shader.inputs]
    free = [row for row in shader.uniforms if row.register not in known]
    for title, letter, value in (("uniforms", "c", ""), ("integers", "i", "[0, 0, 1]"), ("booleans", "b", "false")):
        rows = [row for row in free if row.register[0] == letter]
        if rows:
            lines += [
                "",
                f"[{title}]",
                *[f"{row.name} = {value if value and row.size == 1 else _uniform(row, value)}" for row in rows],
            ]
    return "\n".join(lines) + "\n"


def _square(name: str) -> Sequence[str]:
    return next(rows for words, rows in _SQUARE if any(word in name.lower() for word in words))


def _uniform(row: Binding, value: str) -> str:
    if value:
        return _rows([value] * row.size, 4)
    if row.size == 1:
        return "[1, 1, 1, 1]"
    return _rows(_IDENTITY[: row.size] if row.size in (3, 4) else ["[0, 0, 0, 1]"] * row.size, 1)


def _rows(rows: Sequence[str], across: int) -> str:
    """Rows as a list, so many in a line."""
    if len(rows) <= across:
        return f"[{', '.join(rows)}]"
    parts = [", ".join(rows[at : at + across]) for at in range(0, len(rows), across)]
    return "[\n" + "".join([f"    {part},\n" for part in parts]) + "]"


__all__ = ["starter"]
