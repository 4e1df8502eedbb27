"""Warnings about directions of a run: integers that stand for parts of 1, and vectors of zeros, which point nowhere."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.layout_warnings import DIRECTIONS
from lanewise.arrays.lists import ndarray
from lanewise.arrays.value_warnings import numbers_of, warning
from lanewise.core.diagnostics import INPUT, About, InputError
from lanewise.pica200.api.tracing import TRACE_BUDGET, trace_lane
from lanewise.pica200.engine.names import INPUT_FILES, find
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.isa.table import FIRST_SLOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

_NORMAL = "normal"  # has a direction in every vertex; others may be zeros where nothing divides by their length
_LARGEST = {127: "int8", 255: "uint8", 32767: "int16", 65535: "uint16"}
_ROUNDED = 2.0  # more than three components that are rounded or cut off change a length
_NEAR = 0.02
_ROWS = 3  # that are looked at
_THREE = 3


def direction_warnings(
    inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, profile: Profile
) -> list[Diagnostic]:
    """The warnings about the inputs that are directions by their names."""
    found: list[Diagnostic] = []
    for key, value in inputs.items():
        if not any(each in key.lower() for each in DIRECTIONS):
            continue
        array: Any = numbers_of(value)
        if not _is_array(array) or array.ndim != 2 or array.shape[1] < _THREE or not array.size:
            continue
        vectors: Any = array[:, :_THREE].astype("float64")
        present = vectors.any(axis=1)
        if not present.any():
            continue  # zeros for all vertices stand for an input that is not meant
        lengths = (vectors[present] ** 2).sum(axis=1) ** 0.5
        largest = next((each for each in _LARGEST if (abs(lengths - each) < _ROUNDED).all()), 0)
        rows = present.nonzero()[0][:_ROWS].tolist()
        looked = _Looked(inputs, uniforms, shader, profile)
        try:
            if largest and (vectors % 1 == 0).all() and looked.by_value(key, array, largest, rows):
                kind = f"is {array.dtype}, with" if array.dtype.kind in "iu" else "has"
                message = f"input '{key}' {kind} rows of length {largest}: numbers are taken by value"
                fix = f"divide it by {largest}: `{key} / numpy.float32({largest})`"
                found.append(warning("B022", message, fix, shader.name, About(INPUT, key)))
            if not present.all():
                row = int(present.argmin())
                divides = looked.divides(key, vectors, row)  # the name of `rsq`
                if divides or _NORMAL in key.lower():
                    message = f"input '{key}', row {row}: a vector of zeros has no direction"
                    message += f" ({divides} of 0)" if divides else ""
                    fix = (
                        "give a vector of length 1, such as 0, 0, 1, or leave such rows out: `dropna()` in place of `fillna(0)`"
                    )
                    found.append(warning("B038", message, fix, shader.name, About(INPUT, key)))
        except (InputError, ValueError, TypeError):  # which the run says
            continue
    return found


class _Looked:
    """The vertices of a run, with one of its inputs as it is or another."""

    def __init__(self, inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, profile: Profile) -> None:
        self._inputs, self._uniforms, self._shader, self._profile = inputs, uniforms, shader, profile

    def by_value(self, key: str, array: Any, largest: int, rows: list[int]) -> bool:
        """Whether the program takes an input by its length: nothing scales or normalises it."""
        shader = self._shader
        place = find(key, shader.input_names, INPUT_FILES)
        read = reads(shader.words, shader.descriptors, shader.interface.entry, {}).inputs
        if place is None or all(register != place.first for register, _ in read):
            return False
        given, scaled = self._traces({}, rows), self._traces({key: array / largest}, rows)
        if not given:
            return False
        rows_given = {tuple([given[0].number(word) for word in row]) for row in given[0].given.floats}
        numbers = {number for row in rows_given for number in (*row, hypot(*row[:_THREE]))}  # a matrix scales, too
        if any(abs(number * largest - 1) < _NEAR for number in numbers):
            return False
        inverts = any(_inverted(one) != _inverted(other) for one, other in zip(given, scaled, strict=True))
        return not inverts or any(
            abs(first - second) > _NEAR * max(abs(second), 1.0)
            for one, other in zip(given, scaled, strict=True)
            for first, second in zip(_results(one), _results(other), strict=True)
        )

    def divides(self, key: str, vectors: Any, row: int) -> str:
        """The instruction that takes the inverse of 0 in a row for its zeros; empty for none."""
        others = vectors.copy()
        others[row] = (0, 0, 1)
        for zeros, other in zip(self._traces({}, [row]), self._traces({key: others}, [row]), strict=True):
            taken = {(pc, name) for pc, name, number in _inverted(other) if number == 0}
            for pc, name, number in _inverted(zeros):
                if number == 0 and (pc, name) not in taken:
                    return name
        return ""

    def _traces(self, other: Mapping[str, Any], rows: list[int]) -> list[Trace]:
        inputs = {**self._inputs, **other}
        bound, values, rules = self._shader.bound(inputs, self._uniforms, profile=self._profile, defaults=0)
        return [trace_lane(self._shader, bound, values, row, rules, TRACE_BUDGET, ()) for row in rows if row < bound.lanes]


def _is_array(value: object) -> bool:
    return type(value) is ndarray


def _inverted(trace: Trace) -> list[tuple[int, str, float]]:
    """The address, name and operand of what computes a function of one number, such as the inverse of a length."""
    return [
        (step.pc, step.inst.op.name, trace.number(step.operands[0].words[step.operands[0].used[0]]))
        for step in trace.steps
        if step.inst is not None and step.inst.op.picasso_merge == FIRST_SLOT and step.operands and step.operands[0].used
    ]


def _results(trace: Trace) -> list[float]:
    registers = [int(output.register[1:]) for output in trace.shader.outputs]
    return [trace.number(word) for register in registers for word in cast("Any", trace.outputs.outputs[register])]


__all__ = ["direction_warnings"]
