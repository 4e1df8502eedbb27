"""Warnings about projections with the depth of another rasterizer, and about sums that lose what differs between vertices."""

from __future__ import annotations

from math import frexp, inf
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.arrays.matrices import is_transformation, rows_of
from lanewise.arrays.value_warnings import numbers_of, warning
from lanewise.core.diagnostics import UNIFORM, About, InputError, Related
from lanewise.pica200.api.tracing import TRACE_BUDGET, trace_lane
from lanewise.pica200.isa.table import FLOAT, INTEGER, register_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.arrays.matrices import Rows
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.results import ShaderResult

_NEARLY, _NEAR = 1e-6, 1e-2
_FAR = 0.5  # z / w far away: 0 or a little more on the PICA200, 1 or a little more elsewhere
_MANY = 4096  # numbers that are looked at
_LARGE = 4096.0  # from here on a step of float24 is 1/16
_LANES = 4
_DIGITS = 17


def depth_warnings(uniforms: Mapping[str, object], shader: Shader, result: ShaderResult) -> Iterator[Diagnostic]:
    """B044: a perspective projection whose z is positive up to w, which vertices reach."""
    given = {name: rows for name, value in uniforms.items() if (rows := rows_of(value)) is not None and is_transformation(rows)}
    other = {name: rows for name, rows in given.items() if _has_other_depth(rows)}
    if not other or "position" not in result.outputs:
        return
    numbers: list[float] = result.outputs["position"][: _MANY // 4].reshape(-1).tolist()
    beyond = [(z, w) for z, w in zip(numbers[2::4], numbers[3::4], strict=False) if 0 < z <= w]
    for name, rows in other.items():
        scale, offset = _depth(rows)
        if not any(abs(z - scale * w - offset) <= _NEAR * (abs(z) + abs(offset)) for z, w in beyond):
            continue  # it is that of a shadow, or the program changes z
        message = f"uniform '{name}' has the depth of OpenGL and Direct3D, z up to w: the PICA200 clips what has z > 0"
        fix = f"make it with citro3d's Mtx_PerspTilt, or write {_of_the_console(rows)}"
        yield warning("B044", message, fix, shader.name, About(UNIFORM, name))


def _has_other_depth(rows: Rows) -> bool:
    """Whether the row of z is w's with another distance, and far away about as large."""
    if sum([number * number for number in rows[3][:3]]) <= _NEARLY:
        return False
    far, offset = _depth(rows)
    return far > _FAR and offset < 0


def _depth(rows: Rows) -> tuple[float, float]:
    """Scale and offset of w that give the z of a perspective projection."""
    z, w = rows[2], rows[3]
    length = sum([number * number for number in w[:3]])
    far = sum([a * b for a, b in zip(z[:3], w[:3], strict=True)]) / length
    return far, z[3] - far * w[3]


def _of_the_console(rows: Rows) -> str:
    """The rows with z from -w to 0, and for the turned screen, where they are of an upright one."""
    first, second, z, w = [list(row) for row in rows]
    if not any(first[1:]) and not second[0] and not any(second[2:]):
        first, second = second, [-number for number in first]
    z = [(a - b) / 2 for a, b in zip(z, w, strict=True)]
    return f"[{', '.join([_text(row) for row in (first, second, z, w)])}]"


def _text(row: list[float]) -> str:
    return f"[{', '.join([f'{number + 0.0:.6g}' for number in row])}]"


def lost_warnings(
    inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, result: ShaderResult
) -> Iterator[Diagnostic]:
    """B045: a sum that is one of its operands, a large uniform, in vertices whose other operands differ."""
    if result.lanes <= 1 or not any(_is_large(value) for value in uniforms.values()):
        return
    sums: dict[tuple[int, int], list[_Sum]] = {}
    try:
        bound, values, rules = shader.bound(inputs, uniforms, profile=result.profile, defaults=0)
        for lane in range(min(_LANES, bound.lanes)):
            for place, one in _sums(trace_lane(shader, bound, values, lane, rules, TRACE_BUDGET, ())):
                sums.setdefault(place, []).append(one)
    except (InputError, ValueError, TypeError):  # which the run says
        return
    for (pc, _), found in sums.items():
        small = {one.small for one in found}
        if len(small) > 1 and len({(one.large, one.total, one.row) for one in found}) == 1 and found[0].large == found[0].total:
            register = register_name(found[0].row)
            name = next((each.name for each in shader.uniform_names if each.first == found[0].row), register)
            listed = ", ".join([f"{number:.3g}" for number in sorted(small)[:_LANES]])
            large = found[0].large
            step = 2.0 ** (frexp(abs(large))[1] - _DIGITS)
            where = f"{large:g} in all vertices: float24 has steps of {step:g} there"
            message = f"{listed} plus '{name}' ({register}) = {large:g} is {where}"
            fix = f"keep {name} small in the program: wrap it before it is sent, such as fmodf({name}, 6.2831853f)"
            yield warning("B045", message, fix, shader.name, About(UNIFORM, name))._replace(
                related=(Related(shader.span(pc), "they are added here"),)
            )
            return


class _Sum(NamedTuple):
    """A sum of one vertex: its operands by size, what it is, and the uniform that the larger one is."""

    small: float
    large: float
    total: float
    row: int


def _sums(trace: Trace) -> Iterator[tuple[tuple[int, int], _Sum]]:
    """The sums of a large uniform and something else, by address and component."""
    for step in trace.steps:
        if step.inst is None or step.inst.op.name != "add":
            continue
        for write in step.writes:
            for component in range(4):
                if not write.mask & 8 >> component:
                    continue
                pair = [(trace.number(each.words[component]), each.row) for each in step.operands]
                (small, _), (large, row) = sorted(pair, key=lambda each: abs(each[0]))
                if FLOAT <= row < INTEGER and _LARGE <= abs(large) < inf:
                    yield (step.pc, component), _Sum(small, large, trace.number(write.new[component]), row)


def _is_large(value: object) -> bool:
    """Whether numbers are so large that the format has few between them and the next ones."""
    array = numbers_of(value)
    return array is not None and any(_LARGE <= abs(number) < inf for number in array.reshape(-1).tolist()[:_MANY])


__all__ = ["depth_warnings", "lost_warnings"]
