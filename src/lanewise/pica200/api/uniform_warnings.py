"""Warnings about uniforms in other units than the program takes them in: directions of another length, bytes as colours."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from lanewise.arrays.value_warnings import numbers_of, warning
from lanewise.core.diagnostics import UNIFORM, About
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader

_DIRECTIONS = ("direction", "lightdir", "light_dir", "sundir", "sun_dir", "sun")
_COLOURS = ("color", "colour", "ambient", "diffuse", "tint", "paint", "albedo")
_NEAR = 0.02
_THREE = 3
_LEAST, _BYTE = 16, 255
_MOST = 64  # rows


def uniform_warnings(uniforms: Mapping[str, object], shader: Shader, others: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The warnings about the values of uniforms; `others` are those about results, which may name the same."""
    named = {about for finding in others for about in finding.about}
    for name, value in uniforms.items():
        lower = name.lower()
        about = About(UNIFORM, name)
        direction = any(lower.partition("[")[0].endswith(each) for each in _DIRECTIONS)
        if about in named or not (direction or any(each in lower for each in _COLOURS)):
            continue
        array: Any = numbers_of(value)
        place = find(name, shader.uniform_names, UNIFORM_FILES)
        if array is None or place is None or not FLOAT <= place.first < INTEGER:
            continue
        shape: tuple[int, ...] = array.shape
        if not 1 <= len(shape) <= 2 or not _THREE <= shape[-1] <= _THREE + 1 or (len(shape) > 1 and shape[0] > _MOST):
            continue
        rows: list[list[float]] = [array.tolist()] if len(shape) == 1 else array.tolist()
        if direction and _only_turned(shader, place.first, place.first + len(rows)):
            yield from _lengths(name, rows, shader, about, single=len(shape) == 1)
        elif not direction:
            yield from _bytes(name, rows, uniforms, shader, about)


def _lengths(name: str, rows: Sequence[Sequence[float]], shader: Shader, about: About, *, single: bool) -> Iterator[Diagnostic]:
    """B049 for a row whose length is neither 0 nor 1."""
    lengths = [sqrt(sum([number * number for number in row[:_THREE]])) for row in rows]
    row = next((n for n, length in enumerate(lengths) if length > _NEAR and abs(length - 1) > _NEAR), -1)
    if row < 0:
        return
    scaled = [
        f"[{', '.join([f'{number / (length or 1) if n < _THREE else number:.6g}' for n, number in enumerate(each)])}]"
        for each, length in zip(rows, lengths, strict=True)
    ]
    where = "" if single else f", row {row},"
    message = f"uniform '{name}'{where} has length {lengths[row]:.4g}, and the program takes it as a direction, of length 1"
    fix = f"divide it by its length: {scaled[0] if single else '[' + ', '.join(scaled) + ']'}"
    yield warning("B049", message, fix, shader.name, about)


def _only_turned(shader: Shader, first: int, end: int) -> bool:
    """Whether registers are read as directions: only in products of three components, and never with themselves."""
    read = False
    for word in shader.words:
        inst = decode(word)
        if "src" not in inst.op.operands or inst.field("desc") >= len(shader.descriptors):
            continue
        sources, _, _ = operands(inst, shader.descriptors[inst.field("desc")])
        mine = [source for source in sources if first <= source.register < end and source.selector != 0xFF]
        if not mine:
            continue
        if max(inst.op.widths, default=0) != _THREE or len(mine) > 1:
            return False
        read = True
    return read


def _bytes(
    name: str, rows: Sequence[Sequence[float]], uniforms: Mapping[str, object], shader: Shader, about: About
) -> Iterator[Diagnostic]:
    """B022 for a colour of whole numbers up to 255, where nothing scales it."""
    numbers = [number for row in rows for number in row]
    if not all(float(number).is_integer() and 0 <= number <= _BYTE for number in numbers) or max(numbers) < _LEAST:
        return
    constants = [float(number) for value in uniforms.values() for number in _flat(value)]
    constants += [float(number) for constant in shader.interface.constants for number in _values(constant)]
    if any(abs(number * _BYTE - 1) < _NEAR for number in constants):
        return
    message = f"uniform '{name}' has {max(numbers):g}, as bytes have it: a color is at most 1"
    fix = f"divide it by 255: [{', '.join([f'{number / _BYTE:.4g}' for number in rows[0]])}]"
    yield warning("B022", message, fix, shader.name, about)


def _flat(value: object) -> list[float]:
    array: Any = numbers_of(value)
    return array.reshape(-1).tolist() if array is not None else []


def _values(constant: Any) -> list[float]:
    from lanewise.core.numbers.floats import float_from_float24

    return [float_from_float24(word) for word in constant.values] if FLOAT <= constant.register < INTEGER else []


__all__ = ["uniform_warnings"]
