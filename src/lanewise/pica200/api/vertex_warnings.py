"""Warnings about what the first vertices of a command do: indices that `mova` cuts off just below a number, that are past an
array or make its elements overlap, weights in other units than parts of 1, and normals that are sent as quaternions."""

from __future__ import annotations

from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

from lanewise.arrays.lists import ndarray
from lanewise.arrays.value_warnings import numbers_of, warning
from lanewise.core.diagnostics import INPUT, About, InputError
from lanewise.core.source import Span
from lanewise.pica200.api.missing import COUNTER, rounds_fix
from lanewise.pica200.api.tracing import TRACE_BUDGET, trace_lane
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, INDEX_NAMES, INTEGER, register_name
from lanewise.pica200.sem.meaning import PRODUCT, PRODUCT_AND_SUM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.trace import Operand, TraceStep
    from lanewise.pica200.isa.program import Uniform
    from lanewise.pica200.sem.components import Component
    from lanewise.pica200.sem.profile import Profile

_ADDRESS = "adr"  # what an instruction writes that sets an index
_MOST = 128  # indices
_VERTICES = 3  # that are looked at
_BELOW = 2.0**-10  # so far below a whole number a value is meant to be it
_UNITS = (100, 127, 128, 255, 32767, 32768, 65535)  # what weights sum up to that are percents or whole numbers
_NEAR = 0.02
_BY_COMPONENT = (PRODUCT, PRODUCT_AND_SUM)  # the slot of a component is its channel
_RESULT = ("dst",)
_DECIDING = ("a0", "cmp")
_SIZE = 0x7FFFFF  # bits of a word without its sign
_BONES = ("bone", "joint", "index", "indices")
_MOST_ROWS = 1000  # among which the largest number of a bone is looked for
_QUATERNION = "normalquat"
_NUMBERS = {3: "three", 4: "four"}  # rows of elements


def vertex_warnings(
    inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, profile: Profile
) -> list[Diagnostic]:
    """The warnings about the values that the first vertices have."""
    weights = {each.name: each.first for each in shader.input_names if "weight" in each.name.lower() and each.name in inputs}
    quaternion = next((output for output in shader.outputs if output.semantic == _QUATERNION), None)
    indexed = any(_ADDRESS in operation.op.operands for operation in shader.program.operations)
    looped = _loops(shader)
    if not weights and not indexed and not looped and quaternion is None:
        return []
    try:
        bound, values, rules = shader.bound(inputs, uniforms, profile=profile, defaults=0)
    except (InputError, ValueError, TypeError):  # which the run says
        return []
    lanes = [*range(min(bound.lanes, _VERTICES))]
    lanes += [lane for lane in _largest(inputs, shader) if lane < bound.lanes and lane not in lanes] if indexed else []
    looked = {lane: trace_lane(shader, bound, values, lane, rules, TRACE_BUDGET) for lane in lanes}
    traces = [*looked.values()][:_VERTICES]
    found = [_weights(trace, lane, name, first) for name, first in weights.items() for lane, trace in looked.items()]
    found += [_index(trace, lane) for lane, trace in looked.items()] if indexed else []
    found += [_outside(trace, lane) for lane, trace in looked.items()] if indexed or looped else []
    if indexed and not any(found):
        found += [_parts(trace, lane, name, first) for name, first in weights.items() for lane, trace in looked.items()]
    found += [_overlapping(traces)] if indexed else []
    if quaternion is not None and len(quaternion.components) == len(COMPONENTS):
        found.append(_normal(traces, int(quaternion.register[1:])))
    return [*{each.code: each for each in reversed(found) if each is not None}.values()][::-1]


def _loops(shader: Shader) -> bool:
    """Whether an array of several registers is read by the counter of a loop."""
    arrays = [each for each in shader.interface.uniforms if each.first < each.last]
    return any(
        isinstance(each, Source)
        and each.relative == COUNTER
        and any(array.first <= each.register <= array.last for array in arrays)
        for operation in shader.program.operations
        for each in operation.operands
    )


def _largest(inputs: Mapping[str, Any], shader: Shader) -> set[int]:
    """The first vertices that have the largest number of an input that is numbers of bones by its name."""
    names = {each.name for each in shader.input_names if any(part in each.name.lower() for part in _BONES)}
    arrays: list[Any] = [numbers_of(value) for name, value in inputs.items() if name in names]
    return {
        int(array[:_MOST_ROWS].max(axis=1).argmax())
        for array in arrays
        if type(array) is ndarray and array.ndim == 2 and array.size
    }


def _parts(trace: Trace, lane: int, name: str, first: int) -> Diagnostic | None:
    """B037: weights of a vertex whose sum is less than 1, where each is a factor and nothing makes up for the rest; or of which
    some are left out."""
    width = dict(trace.given.widths).get(first, len(COMPONENTS))
    values = [trace.number(word) for word in trace.given.inputs[first][:width]]
    total = sum(values)
    if width < 2 or min(values) < 0 or not _NEAR < total < 1 + _NEAR:
        return None
    used: set[int] = set()
    bones: set[int] = set()
    for step in trace.steps:
        for place, operand in enumerate(step.operands):
            bones |= {operand.source.relative} if operand.indexed else set()
            if operand.source.register != first:
                continue
            if step.inst is None or step.inst.op.base not in _BY_COMPONENT or place == 2 or operand.source.negate:
                return None
            used |= {operand.source.selector >> 6 - 2 * slot & 3 for slot in operand.used}
    lost = next((component for component in range(width) if component not in used and values[component] > _NEAR), -1)
    if 0 < len(used) < len(bones) and lost >= 0 and total > 1 - _NEAR:
        letter, others = COMPONENTS[lost], ", ".join([COMPONENTS[each] for each in sorted(used)])
        message = (
            f"{letter} of '{name}' is {values[lost]:.4g} in vertex {lane}, and nothing reads it: {others} is the whole weight"
        )
        fix = f"read {name}.{letter * 3} as the factor of its bone, or give weights that sum up to 1 in {others}"
        return warning("B037", message, fix, trace.shader.name, About(INPUT, name))
    if used != {*range(width)} or total > 1 - _NEAR:
        return None
    shown = ", ".join([f"{value:.4g}" for value in values])
    message = f"'{name}' of vertex {lane} is {shown}, which sums up to {total:.4g}: the vertex is drawn towards 0, 0, 0"
    fix = f"divide each row by its sum: `{name} / {name}.sum(axis=1, keepdims=True)`"
    return warning("B037", message, fix, trace.shader.name, About(INPUT, name))


def _weights(trace: Trace, lane: int, name: str, first: int) -> Diagnostic | None:
    """B037: weights of a vertex whose sum is a usual one of percents or bytes, where no constant scales them."""
    width = dict(trace.given.widths).get(first, len(COMPONENTS))
    values = [trace.number(word) for word in trace.given.inputs[first][:width]]
    total = next((unit for unit in _UNITS if abs(sum(values) / unit - 1) < _NEAR), 0)
    numbers = {trace.number(word) for row in trace.given.floats for word in row}
    if not total or min(values) < 0 or any(abs(number * total - 1) < _NEAR for number in numbers):
        return None
    parts = ",".join([f"{value / total:.4g}" for value in values])
    message = f"'{name}' of vertex {lane} sums up to {sum(values):g}: weights are parts of 1"
    fix = f"divide it by {total}: {parts}"
    return warning("B037", message, fix, trace.shader.name, About(INPUT, name))


def _index(trace: Trace, lane: int) -> Diagnostic | None:
    """R013: a value just below a whole number, which `mova` cuts off."""
    for step in trace.steps:
        if step.inst is None or _ADDRESS not in step.inst.op.operands or not step.operands:
            continue
        word, operand = step.inst.op.name, step.operands[0]
        for slot in operand.used:
            value = trace.number(operand.words[slot])
            if not 0 < value < _MOST or not 0 < floor(value) + 1 - value < _BELOW or step.a0[slot] != floor(value):
                continue
            name = trace.name(operand.register, step.pc)
            message = f"{word} cuts {value:.9g} off to {floor(value)}: a0.{COMPONENTS[slot]} of vertex {lane}"
            fix = f"add 0.5 to {name} before it: `add DST, half, {name}`, with half a constant of 0.5; {word} does not round"
            return warning("R013", message, fix, trace.shader.name, None)._replace(span=trace.span(step.pc))
    return None


def _outside(trace: Trace, lane: int) -> Diagnostic | None:
    """R015: an indexed read of a named array that is outside of it, on which an output, a flag or an index depends: what is
    multiplied by a weight of 0 does not count, if it is not read by the counter of a loop."""
    arrays = [each for each in trace.shader.interface.uniforms if FLOAT <= each.first < each.last < INTEGER]
    tainted: dict[Component, tuple[TraceStep, Operand, Uniform]] = {}
    for step in trace.steps:
        reads = {number: array for number, operand in enumerate(step.operands) for array in [_left(operand, arrays)] if array}
        if not reads and not tainted:
            continue
        found: dict[Component, tuple[TraceStep, Operand, Uniform] | None] = {}
        for component, sources in step.made.items():
            number, source = next(_counted(step, component, sources, reads, tainted), (-1, None))
            if source is None:
                found[component] = None
            elif number in reads:
                found[component] = (step, step.operands[number], reads[number])
            else:
                found[component] = tainted[source]
        for component, origin in found.items():
            if origin is None:
                tainted.pop(component, None)
            elif component.file in _DECIDING:
                return _left_of(trace, lane, *origin)
            else:
                tainted[component] = origin
    origins = [origin for component, origin in tainted.items() if component.file == "o"]
    return _left_of(trace, lane, *min(origins, key=lambda each: each[0].number)) if origins else None


def _left(operand: Operand, arrays: Sequence[Uniform]) -> Uniform | None:
    """The array that an indexed operand leaves; None for others."""
    base = operand.source.register
    array = next((each for each in arrays if each.first <= base <= each.last), None)
    if array is None or not operand.indexed or not operand.used or array.first <= operand.row <= array.last:
        return None
    return array


def _counted(
    step: TraceStep,
    component: Component,
    sources: Sequence[Component],
    reads: Mapping[int, object],
    tainted: Mapping[Component, tuple[TraceStep, Operand, Uniform]],
) -> Iterator[tuple[int, Component]]:
    """The sources of a component, with the numbers of their operands, that were read outside or depend on such a read, without
    those that are multiplied by 0."""
    op = step.inst.op if step.inst is not None else None
    each = op is not None and op.base in _BY_COMPONENT
    # Of the first two operands: 0 times anything is 0. A dot product whose operands have two widths takes one component as 1.
    product = each or (op is not None and op.writes == _RESULT and len({*op.widths}) == 1)
    for number, operand in enumerate(step.operands):
        slots = (component.channel,) if each else operand.used
        for slot in slots:
            source = operand.component(slot)
            if source not in sources or not (number in reads or source in tainted):
                continue
            counter = (operand if number in reads else tainted[source][1]).source.relative == COUNTER
            if product and not counter and number < 2 and not step.operands[1 - number].words[slot] & _SIZE:
                continue
            yield number, source


def _left_of(trace: Trace, lane: int, step: TraceStep, operand: Operand, array: Uniform) -> Diagnostic:
    base, relative = operand.source.register, operand.source.relative
    index = step.a0[relative - 1] if relative <= len(step.a0) else operand.row - base
    last = register_name(INTEGER - 1)
    where = f"{register_name(operand.row)} of vertex {lane}" if operand.row < INTEGER else f"past {last} in vertex {lane}"
    has = f"{array.name} is {register_name(array.first)} to {register_name(array.last)}"
    message = f"an index of {array.name} reads {where}: {has}"
    if relative != COUNTER or operand.row < INTEGER:
        message += f", {INDEX_NAMES[relative]} is {index}"
    if relative == COUNTER:
        fix = rounds_fix(trace.shader, step.pc, array.last - base + 1, trace.given.integers)
        return warning("R015", message, fix, trace.shader.name, None)._replace(span=trace.span(step.pc))
    low, high = array.first - base, array.last - base
    fix = f"give data for which {INDEX_NAMES[relative]} is {low} to {high} here: the console does not check it"
    return warning("R015", message, fix, trace.shader.name, None)._replace(span=trace.span(step.pc))


def _overlapping(traces: list[Trace]) -> Diagnostic | None:
    """R016: rows of an array that dot products take from an index on, of indices that are nearer than an element has rows."""
    shader = traces[0].shader if traces else None
    for array in [each for each in shader.interface.uniforms if FLOAT <= each.first < each.last < INTEGER] if shader else ():
        seen: dict[int, tuple[Trace, TraceStep, Operand, int]] = {}  # the index of each element: where it is first read
        bases, products = set[int](), True
        for trace, step, operand in [(of, each, read) for of in traces for each in of.steps for read in each.operands]:
            base, relative = operand.source.register, operand.source.relative
            if not operand.indexed or not array.first <= base <= array.last or not 0 < relative <= len(step.a0):
                continue
            bases.add(base)
            products &= step.inst is not None and bool(step.inst.op.widths)
            seen.setdefault(step.a0[relative - 1], (trace, step, operand, relative))
        low, rows = min(bases, default=0), len(bases)
        if not products or rows not in _NUMBERS or max(bases) - low + 1 != rows:
            continue
        at = sorted({*seen, 0} if low == array.first else seen)  # an array begins with an element
        first, index = next(((one, other) for one, other in pairwise(at) if other - one < rows), (0, 0))
        if index == first or array.first > low + first or low + index + rows - 1 > array.last:
            continue
        trace, step, operand, relative = seen.get(index) or seen[first]
        name, number = INDEX_NAMES[relative], _NUMBERS[rows]
        message = f"elements of {array.name} overlap: {rows} rows are read from {name} on, which is {first} and {index}"
        if not {first, index} <= {*seen}:
            message = f"an element of {array.name} begins in another: {rows} rows are read from {name} on, which is {index}"
        letter = relative - 1
        read = next(
            (
                each
                for each in trace.steps
                if each.inst and _ADDRESS in each.inst.op.operands and letter in each.operands[0].used
            ),
            None,
        )
        taken = trace.name(read.operands[0].register, read.pc) if read is not None else "the number of an element"
        fix = f"multiply {taken} by {rows} before `mova`: `mul DST, {number}, {taken}`, with {number} a constant of {rows}"
        return warning("R016", message, fix, trace.shader.name, None)._replace(span=trace.span(step.pc))
    return None


def _normal(traces: list[Trace], register: int) -> Diagnostic | None:
    """R014: an output for a quaternion that is a normal with 1 as its fourth component, in all vertices that are looked at."""
    rows = [[trace.number(word) for word in trace.outputs.outputs[register]] for trace in traces]
    if not rows or any(row[3] != 1 or abs(sum([number * number for number in row[:3]]) - 1) > _NEAR for row in rows):
        return None
    shown = ", ".join([f"{number:g}" for number in rows[0]])
    message = f"{_QUATERNION} is ({shown}) in vertex 0: a normal with 1 as w, expected a quaternion of length 1"
    fix = "write (-n.y, n.x, 0, 1 + n.z), divided by its length, with the turned normal n: it turns z to the normal"
    place = next(
        (
            traces[0].span(step.pc)
            for step in reversed(traces[0].steps)
            if any(write.register == f"o{register}" for write in step.writes)
        ),
        Span(file=traces[0].shader.name),
    )
    return warning("R014", message, fix, traces[0].shader.name, None)._replace(span=place)


__all__ = ["vertex_warnings"]
