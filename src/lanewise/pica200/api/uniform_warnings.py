"""Warnings about uniforms in other units than the program takes them in: directions of another length, bytes as colours."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.value_warnings import numbers_of, warning
from lanewise.core.diagnostics import UNIFORM, About, InputError
from lanewise.pica200.api.colours import COLOUR, scales_bytes
from lanewise.pica200.api.tracing import TRACE_BUDGET, trace_lane
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.results import ShaderResult

_DIRECTIONS = ("lightdirection", "light_direction", "lightdir", "light_dir", "sundirection", "sundir", "sun_dir", "sun")
_DIRECTION = "direction"  # without more: that of a wave or of fog has the length that the program wants
_COLOURS = ("color", "colour", "ambient", "diffuse", "tint", "paint", "albedo")
_NEAR = 0.02
_NEARLY, _SHORTER = 1e-3, 2.0**-6
_THREE = 3
_LEAST, _BYTE = 16, 255
_MOST = 64  # rows
_BRIGHTEST = 2.0  # of a light whose direction is as long as it is bright
_DARK, _LIT = 0.05, 0.95  # colours of vertices between these are right as they are
_VERTICES = 4096  # that are looked at


def uniform_warnings(
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, object],
    shader: Shader,
    result: ShaderResult,
    others: Iterable[Diagnostic],
) -> Iterator[Diagnostic]:
    """The warnings about the values of uniforms of a run; `others` are those about results, which may name the same."""
    named = {about for finding in others for about in finding.about}
    for name, value in uniforms.items():
        lower = name.lower()
        about = About(UNIFORM, name)
        bare = lower.partition("[")[0].rstrip("s_0123456789")
        direction = bare == _DIRECTION or bare.endswith(_DIRECTIONS)
        if about in named or not (direction or bare.endswith(_COLOURS)):
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
            single = len(shape) == 1
            found = [*_lengths(name, rows, shader, about, single=single)]
            if found and _changes(inputs, uniforms, name, rows, shader, result, single=single):
                yield from found
        elif not direction and not scales_bytes(uniforms, shader) and _is_saturated(shader, result):
            yield from _bytes(name, rows, shader, about)


def _lengths(name: str, rows: Sequence[Sequence[float]], shader: Shader, about: About, *, single: bool) -> Iterator[Diagnostic]:
    """B049 for a row whose length is neither 0 nor 1, nor that of a light: numbers that are written by hand, or long."""
    lengths = [sqrt(sum([number * number for number in row[:_THREE]])) for row in rows]
    row = next(
        (
            n
            for n, (each, length) in enumerate(zip(rows, lengths, strict=True))
            if length > _NEAR and abs(length - 1) > _NEAR and (length > _BRIGHTEST or _is_written(each[:_THREE]))
        ),
        -1,
    )
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


def _is_written(row: Sequence[float]) -> bool:
    """Whether a row is of several numbers of one decimal, such as 1, 0.5, 1, as a program scales none."""
    return sum(number != 0 for number in row) > 1 and all(abs(number * 10 - round(number * 10)) < _NEARLY for number in row)


def _changes(
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, object],
    name: str,
    rows: Sequence[Sequence[float]],
    shader: Shader,
    result: ShaderResult,
    *,
    single: bool,
) -> bool:
    """Whether the first vertices are others where a direction is shorter: nothing in the program normalises it."""
    shorter = [[number * _SHORTER if n < _THREE else number for n, number in enumerate(row)] for row in rows]
    changed = {**uniforms, name: shorter[0] if single else shorter}
    try:
        one, other = [_outputs(inputs, each, shader, result) for each in (uniforms, changed)]
    except (InputError, ValueError, TypeError):  # which the run says
        return False
    return any(abs(a - b) > _NEARLY * max(abs(a), abs(b), 1.0) for a, b in zip(one, other, strict=True))


def _outputs(inputs: Mapping[str, Any], uniforms: Mapping[str, object], shader: Shader, result: ShaderResult) -> list[float]:
    """The outputs of the first vertices."""
    bound, values, rules = shader.bound(inputs, cast("Any", uniforms), profile=result.profile, defaults=0)
    traces = [trace_lane(shader, bound, values, lane, rules, TRACE_BUDGET, ()) for lane in range(min(bound.lanes, _THREE))]
    registers = [int(output.register[1:]) for output in shader.outputs]
    return [trace.number(word) for trace in traces for each in registers for word in cast("Any", trace.outputs.outputs[each])]


def _is_saturated(shader: Shader, result: ShaderResult) -> bool:
    """Whether all vertices are as bright as can be or dark, as colors in bytes make them."""
    outputs = [each.semantic for each in shader.outputs if each.semantic.startswith(COLOUR)]
    rows: list[list[float]] = [row for each in outputs for row in result.outputs[each][:_VERTICES].tolist()]
    return bool(rows) and not any(_DARK < max(row[:_THREE]) < _LIT for row in rows)


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


def _bytes(name: str, rows: Sequence[Sequence[float]], shader: Shader, about: About) -> Iterator[Diagnostic]:
    """B022 for a colour of whole numbers up to 255; w may be an exponent or a size."""
    numbers = [number for row in rows for number in row[:_THREE]]
    if not all(float(number).is_integer() and 0 <= number <= _BYTE for number in numbers) or max(numbers) < _LEAST:
        return
    message = f"uniform '{name}' has {max(numbers):g}, as bytes have it: a color is at most 1"
    fix = f"divide it by 255: [{', '.join([f'{number / _BYTE:.4g}' for number in rows[0]])}]"
    yield warning("B022", message, fix, shader.name, about)


__all__ = ["uniform_warnings"]
