"""Warnings about arrays whose numbers are in another layout than was meant: rows and columns, directions, types."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lanewise.arrays.lists import ndarray
from lanewise.arrays.value_warnings import is_point, warning
from lanewise.core.diagnostics import INPUT, UNIFORM, About

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic

_CLOSE, _APART = 1e-3, 1e-2  # of lengths that are 1, and that are not
DIRECTIONS = ("normal", "direction", "tangent")
_THREE, _FOUR = 3, 4
_COLOURS = ("color", "colour", "rgb")
_SEVERAL, _MANY, _MOST = 8, 16, 64  # rows
_GAPS = (-999.0, -9999.0, -99999.0, -32768.0)  # what files have where there is no value
_FAR = 50.0  # times as far from 0 as the other numbers
_COARSE = 256.0  # from where on float16 has steps of a quarter


def layout_warnings(inputs: Mapping[str, object], name: str) -> list[Diagnostic]:
    """The warnings about inputs of a run; `name` is the program."""
    found: list[Diagnostic] = []
    for key, value in inputs.items():
        if type(value) is not ndarray or value.ndim != 2 or value.dtype.kind not in "fiu":
            continue
        lower = key.lower()
        text = fix = ""
        if is_point(lower):
            text, fix = _turned(value)
        elif any(each in lower for each in DIRECTIONS):
            text, fix = _lengths(value)
            text, fix = (text, fix) if text else _planes(value)
        found += _gaps(key, value, name)
        if any(each in lower for each in _COLOURS) and _is_divided(value):
            message = (
                f"input '{key}' is bytes (uint8) with no numbers but 0 and 1, as the whole-number division `// 255` leaves"
            )
            fix = f"divide with `/`: `values / numpy.float32(255)`; if 0 and 1 are meant, `{key}.astype(numpy.float32)`"
            found.append(warning("B022", message, fix, name, About(INPUT, key)))
        if text:
            found.append(warning("B031", f"input '{key}' {text}", fix, name, About(INPUT, key)))
        elif value.dtype.itemsize == 2 and value.dtype.kind == "f" and value.size:
            found += _halves(key, value, name)
    return found


def _turned(points: Any) -> tuple[str, str]:
    """The message about points whose components are the rows, and the fix; empty texts for others."""
    fix = "a row is a vertex: give `values.T`"
    rows, columns = points.shape
    if columns == 1 and rows in (_THREE, _FOUR) and len({*points[:, 0].tolist()}) > 1:
        numbers = "`values.T`, or for x of each vertex `numpy.pad(values, ((0, 0), (0, 2)))`"
        return f"has {rows} rows of one number, which are x of {rows} vertices", f"for one vertex give {numbers}"
    if columns != _FOUR:
        return "", ""
    w = points[:, 3]
    if rows == _THREE and (w <= 0).any() and (w != w[0]).any():
        return f"has 3 rows of 4 numbers, with w = {', '.join(f'{each:g}' for each in w.tolist())}", fix
    if rows == _FOUR and (points[3] == 1).all() and (w != 1).any():
        return "has 1 in the whole last row, which is w where the columns are vertices", fix
    return "", ""


def _lengths(directions: Any) -> tuple[str, str]:
    """The same for directions of which each component has length 1 over all vertices, in place of each vertex."""
    rows, columns = directions.shape
    if rows < _THREE or columns != _THREE:
        return "", ""
    squares = directions.astype("float64") ** 2
    if not (abs(squares.sum(axis=0) - 1) < _CLOSE).all() or not (abs(squares.sum(axis=1) - 1) > _APART).any():
        return "", ""
    text = "has columns of length 1, and rows of other lengths"
    if rows == _THREE:
        return text, "a row is a vertex: give `values.T`, or normalise with axis=1"
    return text, "normalise each row: `values / numpy.linalg.norm(values, axis=1, keepdims=True)`"


def cut_matrices(uniforms: Mapping[str, object], name: str) -> list[Diagnostic]:
    """B031 for matrices without their last column, laid out anew as three rows of four: each third row is then of zeros."""
    found: list[Diagnostic] = []
    for key, value in uniforms.items():
        if type(value) is not ndarray or value.ndim != 2 or value.shape[1] != _FOUR or value.dtype.kind != "f":
            continue
        if len(value) % _THREE or not _THREE < len(value) <= _MOST * _FOUR:
            continue
        matrices = value.reshape(-1, _FOUR, _THREE)
        if matrices[:, _THREE].any() or not matrices[:, :_THREE].any(axis=(1, 2)).all():
            continue
        if not (abs((matrices[:, :_THREE].astype("float64") ** 2).sum(axis=2) - 1) < _APART).all():
            continue
        message = (
            f"uniform '{key}' has matrices of 4 rows and 3 columns, read as 3 rows of 4: moves are the column that is lacking"
        )
        fix = "leave out the last row in place of the last column: `matrices[:, :3, :].reshape(-1, 4)`"
        found.append(warning("B031", message, fix, name, About(UNIFORM, key)))
    return found


def _planes(directions: Any) -> tuple[str, str]:
    """The same for directions of three components whose numbers are all x, all y, then all z."""
    rows, columns = directions.shape
    whole = directions if directions.flags.c_contiguous else directions.base
    if (
        rows < _SEVERAL
        or columns != _THREE
        or type(whole) is not ndarray
        or not whole.flags.c_contiguous
        or whole.size % _THREE
    ):
        return "", ""
    planes = whole.reshape(_THREE, -1)[:, :_MOST].astype("float64") ** 2
    squares = directions[:_MOST].astype("float64") ** 2
    if not (abs(planes.sum(axis=0) - 1) < _CLOSE).all() or not (abs(squares.sum(axis=1) - 1) > _APART).any():
        return "", ""
    fix = "give a row for each vertex: `numpy.reshape(values, (3, -1)).T`"
    return "has rows of other lengths than 1; its numbers are all x, then all y, then all z", fix


def _is_divided(colours: Any) -> bool:
    """Whether bytes are 0 and 1 only, in rows that differ."""
    if colours.dtype.itemsize != 1 or colours.dtype.kind != "u" or not _THREE <= colours.shape[1] <= _FOUR:
        return False
    some = colours[:_MOST, :_THREE]
    return len(some) > 1 and int(some.max()) == 1 and bool((some != some[0]).any())


def _gaps(key: str, values: Any, name: str) -> list[Diagnostic]:
    """B021 for a few rows with a number such as -9999, far from all others of its column."""
    if len(values) < _MANY or values.dtype.kind == "u":
        return []
    for letter, column in zip("xyzw", values.T, strict=False):
        low = float(column.min())
        if low not in _GAPS:
            continue
        others = column[column != low]
        if len(others) * 2 > len(column) and float(abs(others).max()) * _FAR < -low:
            count = len(column) - len(others)
            more = f" and {count - 1} more" if count > 1 else ""
            message = (
                f"input '{key}', {letter}: {low:g} in row {int(column.argmin())}{more}, far from all others, as for no value"
            )
            fix = (
                f"keep the rows `{key}[:, {'xyzw'.index(letter)}] != {low:g}` of all inputs, or `frame.replace({low:g}, VALUE)`"
            )
            return [warning("B021", message, fix, name, About(INPUT, key))]
    return []


def _halves(key: str, values: Any, name: str) -> list[Diagnostic]:
    """B025 for numbers of float16 that are far from 0."""
    finite = abs(values[abs(values) < math.inf])
    largest = float(finite.max()) if finite.size else 0.0
    infinite = int((abs(values) == math.inf).sum())
    if infinite:
        message = f"input '{key}' is float16, whose largest number is 65504: {infinite} of its numbers are infinite"
    elif largest >= _COARSE and (finite % 1 != 0).any():
        step = math.ldexp(1.0, math.frexp(largest)[1] - 11)
        small = finite[(finite > 0) & (finite < largest / 4)]
        if small.size and (small % step == 0).all():
            return []  # halves of pixels, which float16 has there
        message = f"input '{key}' is float16, whose numbers are {step:g} apart near {largest:g}"
    else:
        return []
    return [warning("B025", message, "compute and keep them as float32", name, About(INPUT, key))]


__all__ = ["DIRECTIONS", "cut_matrices", "layout_warnings"]
