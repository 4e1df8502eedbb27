"""Matrices of four registers: whether they are transformations with a row in each register, or have rows and columns
exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import asarray
from lanewise.arrays.words import Words, is_masked
from lanewise.core.diagnostics import UNIFORM, WARNING, About, Diagnostic
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Rows = Sequence[Sequence[float]]

_SIZE = 4
_NEARLY, _ROUGHLY = 1e-6, 1e-3


def is_transformation(rows: Rows) -> bool:
    """Whether the row of w is that of a transformation without projection, (0, 0, 0, 1), or of one with it: a direction, which
    the row of z has too."""
    z, w = rows[2][:3], rows[3][:3]
    length = _length(w)
    if length <= _NEARLY:
        return abs(rows[3][3] - 1.0) <= _ROUGHLY
    across = _length((z[1] * w[2] - z[2] * w[1], z[2] * w[0] - z[0] * w[2], z[0] * w[1] - z[1] * w[0]))
    return abs(length - 1.0) <= _ROUGHLY and across <= _ROUGHLY * max(1e-3, _length(z))


def is_transposed(rows: Rows) -> bool:
    """Whether a matrix is a transformation only with its rows and columns exchanged."""
    return not is_transformation(rows) and is_transformation(list(zip(*rows, strict=True)))


def is_mirror(rows: Rows) -> bool:
    """Whether a transformation without projection turns and mirrors: its axes are at right angles and of one length."""
    axes = [list(row[:3]) for row in rows[:3]]
    length = _length(axes[0])
    if length <= _NEARLY or _length(rows[3][:3]) > _NEARLY:
        return False
    pairs = [(axes[0], axes[1]), (axes[0], axes[2]), (axes[1], axes[2])]
    square = all(abs(sum([a * b for a, b in zip(*pair, strict=True)])) <= 1e-2 * length * length for pair in pairs)
    even = all(abs(_length(axis) - length) <= 1e-2 * length for axis in axes)
    (a, b, c), (d, e, f), (g, h, i) = axes
    return square and even and a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0


def turns_faces(rows: Rows) -> bool:
    """Whether a matrix mirrors, or is a perspective projection for left-handed coordinates, which looks along +z."""
    if is_mirror(rows):
        return True
    (a, b, c), (d, e, f), (g, h, i) = [row[:3] for row in (rows[0], rows[1], rows[3])]
    return is_transformation(rows) and a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) > _NEARLY


def suspect(name: str, value: object, file: str) -> Diagnostic | None:
    """The warning about a matrix whose rows a program multiplies a vector by: rows and columns are exchanged, or all rows are
    one list; None for others."""
    if is_shared(value):
        return shared_warning(name, cast("list[list[float]]", value), file)
    rows = rows_of(value)
    return transposed_warning(name, rows, file) if rows is not None and is_transposed(rows) else None


def is_shared(value: object) -> bool:
    """Whether the four rows of a matrix are one list with something in it, as `[[0] * 4] * 4` makes them."""
    if not isinstance(value, list) or len(cast("list[object]", value)) != _SIZE:
        return False
    rows = cast("list[object]", value)
    first = rows[0]
    if not isinstance(first, list) or len(cast("list[object]", first)) != _SIZE or not any(cast("list[object]", first)):
        return False
    return all(row is first for row in rows)


def shared_warning(name: str, rows: Rows, file: str) -> Diagnostic:
    """The warning about a uniform all of whose rows are one list."""
    return Diagnostic(
        code="B036",
        severity=WARNING,
        message=f"the four rows of uniform '{name}' are one list, {_text(rows[0])}: what is written into one is in all",
        span=Span(file=file),
        fix="make a list for each row before it is filled, `[[0] * 4 for _ in range(4)]`, or `numpy.zeros((4, 4))`",
        about=(About(UNIFORM, name),),
    )


def rows_of(value: object) -> Rows | None:
    """The rows of a matrix of four by four numbers; None for another value. Sixteen numbers are four rows."""
    if isinstance(value, Words) or is_masked(value):
        return None
    try:
        array = asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return None
    if array.dtype.kind not in "fiu" or array.shape not in ((_SIZE, _SIZE), (_SIZE * _SIZE,)):
        return None
    return array.reshape(_SIZE, _SIZE).tolist()


def transposed_warning(name: str, rows: Rows, file: str) -> Diagnostic:
    """The warning about a uniform whose rows and columns are exchanged; the fix has the matrix as it should be."""
    last, column = _text(rows[3]), _text([row[3] for row in rows])
    right = ", ".join(map(_text, zip(*rows, strict=True)))
    return Diagnostic(
        code="B023",
        severity=WARNING,
        message=f"uniform '{name}' has rows and columns exchanged: the last row is {last}, the last column {column}",
        span=Span(file=file),
        fix=f"give its transpose, a row for each register: [{right}]",
        about=(About(UNIFORM, name),),
    )


def _text(row: Sequence[float]) -> str:
    return f"[{', '.join(_numbers(row))}]"


def _numbers(row: Sequence[float]) -> Iterator[str]:
    for number in row:
        yield f"{number:.9g}"


def _length(vector: Sequence[float]) -> float:
    return sum([number * number for number in vector]) ** 0.5


__all__ = ["Rows", "is_mirror", "is_transformation", "is_transposed", "rows_of", "transposed_warning", "turns_faces"]
