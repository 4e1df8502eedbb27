"""Warnings about colours far above 1, which the rasterizer clamps, and the value that makes one so large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.arrays.lists import Lists
from lanewise.arrays.value_warnings import numbers_of
from lanewise.core.diagnostics import INPUT, UNIFORM, WARNING, About, Diagnostic, InputError
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.source import Span
from lanewise.pica200.isa.table import FIRST_SLOT, FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.sem.components import Component

COLOUR = "color"
BRIGHT = 4.0  # several lights together reach 2 or 3
_PAIR = 2
_NEAR = 0.02
_BYTE, _FEW = 255, 16  # smaller numbers may be anything, such as those of an example


class _Peak(NamedTuple):
    """The largest finite number of an array of (rows, components)."""

    value: float
    row: int
    column: int


def bright_colours(
    shader: Shader, bindings: Iterable[OutputBinding], outputs: Mapping[str, Any], trace: Callable[[int], Trace] | None
) -> list[Diagnostic]:
    """Warnings about outputs that reach the rasterizer as colours above 4. `trace` gives that of a row; None where there is
    none."""
    for binding in bindings:
        peak = _peak(outputs[binding.semantic]) if binding.semantic == COLOUR else None
        if peak is None or peak.value <= BRIGHT:
            continue
        declared = next((own for own in shader.interface.outputs if f"o{own.register}" == binding.register), None)
        component = binding.components[peak.column]
        source = _source(trace, peak.row, f"{binding.register}.{component}")
        if source is not None and source.attenuated:
            continue
        if peak.value <= _FEW and (source is None or not source.byte):
            continue
        message = f"{COLOUR}.{component} ({binding.register}) reaches {peak.value:g}, and the rasterizer clamps colors at 1"
        return [
            Diagnostic(
                code="R012",
                severity=WARNING,
                message=message + (f": {source.text}" if source is not None else ""),
                span=(source.span if source is not None else None)
                or (declared.span if declared is not None else None)
                or Span(file=shader.file),
                fix=source.fix if source is not None else "scale it: 1 is the brightest",
                about=source.about if source is not None else (),
            )
        ]
    return []


def scales_bytes(uniforms: Mapping[str, object], shader: Shader) -> bool:
    """Whether a uniform or constant has 1/255, or about that, by which a program scales bytes."""
    constants = [float(number) for value in uniforms.values() for number in _flat(value)]
    constants += [float(number) for constant in shader.interface.constants for number in _values(constant)]
    return any(abs(number * _BYTE - 1) < _NEAR for number in constants)


def _flat(value: object) -> list[float]:
    array: Any = numbers_of(value)
    return array.reshape(-1).tolist() if array is not None else []


def _values(constant: Any) -> list[float]:
    return [float_from_float24(word) for word in constant.values] if FLOAT <= constant.register < INTEGER else []


def with_commas(found: Iterable[Diagnostic], inputs: Mapping[str, Any]) -> list[Diagnostic]:
    """The warnings about colours, of which those about inputs of pairs of whole numbers are about decimal commas."""
    result: list[Diagnostic] = []
    for finding in found:
        name = next((about.name for about in finding.about if about.kind == INPUT), "")
        array = inputs.get(name)
        shape = getattr(array, "shape", ())
        if array is not None and len(shape) == _PAIR and shape[1] == _PAIR and array.dtype.kind != "u":
            numbers: list[float] = array.reshape(-1).tolist()
            if all(number.is_integer() for number in map(float, numbers)):
                row = next(row for row in range(0, len(numbers), _PAIR) if numbers[row + 1] > 1 or row + _PAIR >= len(numbers))
                first, second = numbers[row : row + _PAIR]
                message, _, _ = finding.message.partition(": input ")
                message += f": input {name} has rows of two numbers, such as {first:g}, {second:g}"
                fix = f"write decimals with a point: {first:g}.{second:g} in place of {first:g},{second:g}"
                result.append(finding._replace(message=message, fix=fix))
                continue
        result.append(finding)
    return result


def _peak(array: Any) -> _Peak | None:
    """The largest finite number; None for no rows."""
    if not array.size:
        return None
    width = int(array.shape[-1])
    if isinstance(array, Lists):
        value, place = max([(number if abs(number) < float("inf") else 0.0, n) for n, number in enumerate(array.flat)])
    else:
        import numpy as np

        finite = np.where(np.isfinite(array), array, np.float32(0)).reshape(-1)
        place = int(finite.argmax())
        value = float(finite[place])
    return _Peak(value, place // width, place % width)


class _Source(NamedTuple):
    """The largest value that a colour was made of."""

    text: str
    "What it is, for the message."
    fix: str
    "What makes a colour of it."
    about: tuple[About, ...]
    "The input or uniform; empty for a constant."
    span: Span | None
    "The instruction that reads it; None where there is no source."
    byte: bool
    "It is a number from 16 to 255, as colours are in bytes."
    attenuated: bool = False
    "It reaches the color by the inverse of a distance only: near a lamp a color is as large as it likes."


def _source(trace: Callable[[int], Trace] | None, row: int, component: str) -> _Source | None:
    """What a component was made of that is larger than a colour; None where that is nothing, or cannot be traced."""
    if trace is None:
        return None
    try:
        found = trace(row)
        origins = found.explain(component).origins
    except InputError:
        return None
    numbers = {each: found.number(found.value(each)) for each in origins.given if each.file in ("c", "v")}
    largest = max(numbers, key=lambda each: numbers[each], default=None)
    if largest is None or not BRIGHT < numbers[largest] < float("inf"):
        return None
    steps = [step for step, made in origins.causes if any(largest in step.made.get(part, ()) for part in made)]
    span = found.span(steps[0].pc) if steps else None
    source = _described(found, largest, numbers[largest], span if span is not None and span.line else None)
    return source._replace(attenuated=not _reaches(largest, [step for step, _ in origins.causes]))


def _reaches(source: Component, steps: Iterable[TraceStep]) -> bool:
    """Whether a component gets to what the last of some steps gives without an inverse in between."""
    from_it: set[Component] = {source}
    last: set[Component] = set()
    for step in sorted(steps, key=lambda step: step.number):
        inverse = step.inst is not None and step.inst.op.picasso_merge == FIRST_SLOT
        last = {part for part, sources in step.made.items() if not inverse and not from_it.isdisjoint(sources)}
        from_it = from_it.difference(step.made) | last
    return bool(last)


def _described(trace: Trace, largest: Component, value: float, span: Span | None) -> _Source:
    shader, register = trace.shader, f"{largest.file}{largest.number}"
    first = (FLOAT if largest.file == "c" else 0) + largest.number
    named = next((one for one in (*shader.uniform_names, *shader.input_names) if getattr(one, "first", -1) == first), None)
    name = named.name if named is not None else register
    preset = trace.is_constant(first) and largest.file == "c"
    constant = next((one for one in shader.interface.constants if one.register == first), None) if preset else None
    kind = "constant" if constant is not None else "uniform" if largest.file == "c" else "input"
    whole = value.is_integer() and _FEW <= value <= _BYTE
    fix = f"divide {name} by 255" if whole else f"scale {name}: 1 is the brightest"
    if kind != "constant" and value.is_integer() and value >= 1 << 16:
        packed = [f"{int(value) >> shift & 0xFF}" for shift in (16, 8, 0)]
        numbers = f"[{', '.join([f'{each} / 255' for each in packed])}]"
        fix = f"give {name} a number for each component: of 0x{int(value):06x} as red, green and blue {numbers}"
        fix = fix if value < 1 << 24 else f"give {name} the bytes: `values.view(numpy.uint8).reshape(-1, 4) / 255`"
    if kind == "input" and whole:
        fix += ", or multiply by 0.00392157 in the shader"
    if constant is not None and whole:
        numbers = [trace.number(word) / _BYTE for word in constant.values]
        fix += f": ({', '.join([f'{number:.6g}' for number in numbers])})"
    about = () if constant is not None else (About(UNIFORM if kind == "uniform" else INPUT, name),)
    return _Source(f"{kind} {name} ({register}) has {value:g}{', as bytes have it' if whole else ''}", fix, about, span, whole)


__all__ = ["BRIGHT", "COLOUR", "bright_colours", "scales_bytes", "with_commas"]
