"""What a run should give, compared in steps of float24, and where a result that differs came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.words import FILL, MASKED, is_masked
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.engine import float24

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

    Values = Mapping[str, ArrayLike]

MOST_SHOWN = 8
_SIGN, _MAGNITUDE, _INFINITY = 0x800000, 0x7FFFFF, 0x7F0000


@dataclass(frozen=True)
class Case:
    """A run and what it should give.

    `inputs`, `uniforms` and `profile` are as for `Shader.run`, and `indices` and `geometry_uniforms` as for `Pipeline.run`. `outputs`: by
    semantic, register or name in the source, with components behind a point if not all are meant (`color.xy`); an array of (vertices,
    components), or one vector of 1 to 4 numbers for all vertices; a longer vector is x of each vertex. `tolerance`: how many steps of float24
    a result may be off, for all outputs or by the key of each.
    """

    outputs: Values
    inputs: Values | None = None
    uniforms: Values | None = None
    tolerance: int | Mapping[str, int] = 0
    profile: Profile | str | None = None
    count: int | None = None
    indices: ArrayLike | None = None
    geometry_uniforms: Values | None = None


class Mismatch(NamedTuple):
    """A component that differs. `ulps` are the steps of float24 between the two words; None where one of them is NaN.

    `key` is the semantic; `vertex` counts from 0, through all primitives where there are some.
    """

    key: str
    component: str
    vertex: int
    expected: int
    got: int
    ulps: int | None
    allowed: int
    written: bool

    def __str__(self) -> str:
        apart = (
            "one of them is NaN"
            if self.ulps is None
            else f"{self.ulps} ulp{'' if self.ulps == 1 else 's'} apart, {self.allowed} allowed"
        )
        nobody = "" if self.written else "; never written"
        return f"{self.key}.{self.component} of vertex {self.vertex}: expected {_number(self.expected)}, got {_number(self.got)}: {apart}{nobody}"


def ulps(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The steps between float24 words: 1 for neighbours, 0 for zeros of both signs and for two NaN; -1 where one of them is NaN.

    Infinity is one step from the largest number.
    """
    places = [np.where(words & _SIGN, -1, 1) * (words & _MAGNITUDE).astype(np.int64) for words in (first, second)]
    nan = [(words & _MAGNITUDE) > _INFINITY for words in (first, second)]
    steps = np.abs(places[0] - places[1])
    return np.where(nan[0] & nan[1], 0, np.where(nan[0] | nan[1], -1, steps))


def mismatches(stage: Shader | Pipeline, case: Case) -> list[Mismatch]:
    """Run a case on a shader or on a pipeline: everything that differs, by output as listed, then by vertex.

    Both sides are rounded toward zero to float24, as the assembler does with constants; a result of the hardware's arithmetic is one already.
    Raises InputError for values that do not fit, RunError or PipelineError if a vertex stops without `end`, ValueError for a
    profile that does not exist.
    """
    if isinstance(stage, Pipeline):
        made = stage.run(
            case.inputs, case.indices, case.uniforms, geometry_uniforms=case.geometry_uniforms, count=case.count, profile=case.profile
        )  # fmt: skip
        outputs: Mapping[str, NDArray[Any]] = {key: array.reshape(-1, array.shape[-1]) for key, array in made.outputs.items()}
        written: Mapping[str, NDArray[Any]] = {key: array.reshape(-1, array.shape[-1]) for key, array in made.written.items()}
        file = stage.vertex.file
    else:
        done = stage.run(case.inputs, case.uniforms, count=case.count, profile=case.profile)
        outputs, written, file = done.outputs, done.written, stage.file
    found: list[Mismatch] = []
    findings: list[Diagnostic] = []
    for key, values in case.outputs.items():
        try:
            binding, letters = _output(key, stage.outputs, file)
            got = outputs[binding.semantic]
            allowed = case.tolerance if isinstance(case.tolerance, int) else case.tolerance.get(key, 0)
            expected = _expected(key, values, len(got), len(letters), file)
        except InputError as error:
            findings += error.diagnostics
            continue
        columns = [binding.components.index(letter) for letter in letters[: expected.shape[1]]]
        words, wanted = float24.encode(got[:, columns]), float24.encode(expected)
        steps = ulps(words, wanted)
        for vertex, column in np.argwhere((steps < 0) | (steps > allowed)).tolist():
            apart = int(steps[vertex, column])
            was_written = bool(written[binding.semantic][vertex, columns[column]])
            found.append(
                Mismatch(binding.semantic, letters[column], vertex, int(wanted[vertex, column]), int(words[vertex, column]),
                         None if apart < 0 else apart, allowed, was_written)
            )  # fmt: skip
    if findings:
        raise InputError(findings)
    return found


def _output(key: str, outputs: Sequence[OutputBinding], file: str) -> tuple[OutputBinding, str]:
    """The output that a key names, and its components. Raises InputError."""
    names = {name: output for output in outputs for name in (output.register, output.name, output.semantic) if name}
    if key in names:
        return names[key], names[key].components
    name, _, letters = key.rpartition(".")
    if name not in names:
        close = near(name or key, names)
        fix = (
            f"did you mean {' or '.join(close)}?"
            if close
            else f"the outputs are {', '.join(output.semantic for output in outputs)}"
        )
        raise InputError([Diagnostic("B001", ERROR, f"unknown output '{key}'", Span(file), (), fix)])
    wrong = [letter for letter in letters if letter not in names[name].components]
    if wrong or not letters:
        message = f"output {name} has no component '{''.join(wrong)}'"
        raise InputError([Diagnostic("B001", ERROR, message, Span(file), (), f"its components are {names[name].components}")])
    return names[name], letters


def _expected(key: str, values: ArrayLike, vertices: int, components: int, file: str) -> NDArray[np.float64]:
    """Expected values as (vertices, some of the components). Raises InputError."""
    if is_masked(values):
        raise _wrong("B003", f"what is expected of {key} {MASKED}", FILL, file)
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(
            "B003", f"expected values of {key} are not an array of numbers", "give numbers, or lists of 1 to 4 numbers", file
        ) from None
    if array.ndim > 2:
        array = array.reshape(-1, array.shape[-1])
    if array.ndim < 2:
        array = array.reshape(1, -1) if array.size <= 4 else array.reshape(-1, 1)
    if not 0 < array.shape[1] <= components:
        fix = f"give 1 to {components} numbers" if components > 1 else "give one number"
        raise _wrong("B002", f"{array.shape[1]} components expected of {key}, which has {components}", fix, file)
    if array.shape[0] not in (1, vertices):
        fix = "give one row for each vertex, or one for all of them"
        raise _wrong("B002", f"{array.shape[0]} vertices expected of {key}, found {vertices}", fix, file)
    return np.broadcast_to(array, (vertices, array.shape[1]))


def _wrong(code: str, message: str, fix: str, file: str) -> InputError:
    return InputError([Diagnostic(code, ERROR, message, Span(file), (), fix)])


def report(stage: Shader | Pipeline, case: Case, found: Sequence[Mismatch]) -> str:
    """What differs, for people: each component with the instruction that made it, and all that made the first of them.

    Only what vertex shaders make is traced.
    """
    lines = [f"{len(found)} component{' differs' if len(found) == 1 else 's differ'}:"]
    traces: dict[int, Trace] = {}
    for mismatch in found[:MOST_SHOWN]:
        lines.append(f"  {mismatch}")
        if not isinstance(stage, Pipeline):
            if mismatch.vertex not in traces:
                traces[mismatch.vertex] = _trace(stage, case, mismatch.vertex)
            lines.append(f"    {_maker(traces[mismatch.vertex], mismatch)}")
    if len(found) > MOST_SHOWN:
        lines.append(f"  and {len(found) - MOST_SHOWN} more")
    if found and not isinstance(stage, Pipeline):
        lines += ["", f"Provenance of {found[0].key}.{found[0].component} of vertex {found[0].vertex}:", ""]
        lines.append(traces[found[0].vertex].explain(f"{found[0].key}.{found[0].component}").text())
    return "\n".join(lines)


def _trace(shader: Shader, case: Case, vertex: int) -> Trace:
    return shader.trace(case.inputs, case.uniforms, lane=vertex, count=case.count, profile=case.profile)


def _maker(trace: Trace, mismatch: Mismatch) -> str:
    """The instruction that wrote a component last."""
    causes = trace.explain(f"{mismatch.key}.{mismatch.component}").origins.causes
    if not causes:
        return "never written"
    pc = causes[-1].step.pc
    span = trace.span(pc)
    place = f"{span.file}:{span.line}" if span.line else f"word {pc:#x}"
    return f"computed by {place}: {trace.instruction(pc)}"


def _number(word: int) -> str:
    from lanewise.core.numbers.floats import float_from_float24

    return f"{float_from_float24(word):.9g} [{word:06x}]"
