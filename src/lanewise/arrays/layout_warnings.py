"""Warnings about arrays whose numbers are in another layout than was meant: rows and columns, directions, types."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lanewise.arrays.lists import ndarray
from lanewise.arrays.value_warnings import warning
from lanewise.core.diagnostics import INPUT, About

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic

_CLOSE, _APART = 1e-3, 1e-2  # of lengths that are 1, and that are not
_POINTS = "pos"  # in names of inputs that are points
DIRECTIONS = ("normal", "direction", "tangent")
_THREE, _FOUR = 3, 4
_COARSE = 256.0  # from where on float16 has steps of a quarter


def layout_warnings(inputs: Mapping[str, object], name: str) -> list[Diagnostic]:
    """The warnings about inputs of a run; `name` is the program."""
    found: list[Diagnostic] = []
    for key, value in inputs.items():
        if type(value) is not ndarray or value.ndim != 2 or value.dtype.kind not in "fiu":
            continue
        lower = key.lower()
        text = fix = ""
        if _POINTS in lower:
            text, fix = _turned(value)
        elif any(each in lower for each in DIRECTIONS):
            text, fix = _lengths(value)
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


def _halves(key: str, values: Any, name: str) -> list[Diagnostic]:
    """B025 for numbers of float16 that are far from 0."""
    finite = abs(values[abs(values) < math.inf])
    largest = float(finite.max()) if finite.size else 0.0
    infinite = int((abs(values) == math.inf).sum())
    if infinite:
        message = f"input '{key}' is float16, whose largest number is 65504: {infinite} of its numbers are infinite"
    elif largest >= _COARSE and (finite % 1 != 0).any():
        step = math.ldexp(1.0, math.frexp(largest)[1] - 11)
        message = f"input '{key}' is float16, whose numbers are {step:g} apart near {largest:g}"
    else:
        return []
    return [warning("B025", message, "compute and keep them as float32", name, About(INPUT, key))]


__all__ = ["DIRECTIONS", "layout_warnings"]
