"""What a run of the PICA200 should give, compared in steps of float24, and where a result that differs came from."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays import expecting, failures, results
from lanewise.arrays.expecting import MOST_SHOWN, Case, Mismatch, differences, ulps
from lanewise.arrays.results import Port
from lanewise.core.diagnostics import InputError
from lanewise.core.numbers.floats import float24_from_float, float32_bits, float_from_float24
from lanewise.core.shadertests import ShaderTests
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.api.interface import RunError
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.api.primitives import PipelineError
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.engine import float24
from lanewise.pica200.engine.geometry import TOPOLOGIES
from lanewise.pica200.sem.profile import PRESETS, find_profile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.api.tracing import Trace

    Arrays = Mapping[str, NDArray[Any]]


def mismatches(stage: Shader | Pipeline, case: Case) -> list[Mismatch]:
    """Run a case on a shader or on a pipeline: everything that differs, by output as listed, then by vertex.

    Both sides are rounded toward zero to float24, as the assembler does with constants; a result of the hardware's arithmetic
    is one already. Raises InputError for values that do not fit, RunError or PipelineError if a vertex stops without `end`,
    ValueError for a profile that does not exist.
    """
    return differences(_result(stage, case), case, TESTS, stage, file_of(stage))[0]


def report(stage: Shader | Pipeline, case: Case, found: Sequence[Mismatch]) -> str:
    """What differs, for people: each component with the instruction that made it, and all that made the first of them.

    Only what vertex shaders make is traced.
    """
    return failures.report(TESTS, stage, case, found)


def file_of(stage: Shader | Pipeline) -> str:
    """The file of a shader, or of the first stage."""
    return stage.vertex.file if isinstance(stage, Pipeline) else stage.file


def _uniforms(case: Case) -> dict[str, Any]:
    return {**(case.uniforms or {}), **(case.integers or {}), **(case.booleans or {})}


class _Float24Result(results.Result):
    """Outputs as float24."""

    isa = "pica200"
    format = "float24"
    unit = "vertex"

    own: tuple[Arrays, str]

    def __init__(
        self, lanes: int, outputs: Arrays, bits: Arrays, written: Arrays, own: tuple[Arrays, str], **more: Any
    ) -> None:
        super().__init__(lanes, outputs, bits, **more)
        self._written, self.own = written, own

    @property
    def written(self) -> Arrays:
        """The components that the shader wrote."""
        return self._written


def _result(stage: Shader | Pipeline, case: Case) -> results.Result:
    """The outputs of a case as float24, whatever its profile computes in."""
    keep = case.faults is not None
    if isinstance(stage, Pipeline):
        primitives = stage.run(
            case.inputs,
            case.indices,
            _uniforms(case),
            geometry_uniforms=case.geometry_uniforms,
            topology=case.topology,
            vertices_per_primitive=case.vertices_per_primitive,
            count=case.count,
            profile=case.profile,
            keep_faults=keep,
            defaults=case.defaults,
        )
        flat = [
            {key: array.reshape(-1, array.shape[-1]) for key, array in part.items()}
            for part in (primitives.outputs, primitives.written, primitives.bits)
        ]
        lanes = max((len(array) for array in flat[0].values()), default=0)
        return _float24(stage, lanes, flat[0], flat[1], own=(flat[2], primitives.format))
    done = stage.run(
        case.inputs, _uniforms(case), count=case.count, profile=case.profile, keep_faults=keep, defaults=case.defaults
    )
    outputs, written = [{key: part[key] for key in part} for part in (done.outputs, done.written)]
    more: dict[str, Any] = {"faults": done.faults, "registers": lambda: done.registers}
    found = _float24(stage, done.lanes, outputs, written, own=(done.bits, done.format), **more)
    found.register_formats = {**dict.fromkeys(_FLOAT_REGISTERS, done.format), **done.register_formats}
    return found


_FLOAT_REGISTERS = tuple([f"{file}{n}" for file in "rvo" for n in range(16)])


def _float24(stage: Shader | Pipeline, lanes: int, outputs: Arrays, written: Arrays, **more: Any) -> results.Result:
    places = {output.semantic: (output.register, output.components) for output in stage.outputs}
    ports = [Port(key, *places.get(key, (key, "xyzw"))) for key in outputs]
    bits = {key: float24.encode(array) for key, array in outputs.items()}
    return _Float24Result(lanes, outputs, bits, written, ports=ports, **more)


def _chosen(program: object, case: Case) -> Shader | Pipeline:
    """The shader to run, or all stages of a program that has a geometry shader. Raises InputError, TypeError."""
    if isinstance(program, (Shader, Pipeline)):
        return program
    if not isinstance(program, ShaderFile):
        raise TypeError(f"a {type(program).__name__} is not a program of the PICA200")
    if case.shader is not None:
        return program.shader(case.shader)
    return program.pipeline if any(found.stage == "geometry" for found in program.programs) else program.vertex


def _filled(program: object, case: Case) -> Case:
    """The case with the data of a recorded draw; values of the case go before."""
    data = program.data if isinstance(program, ShaderFile) else None
    if data is None:
        return case
    return replace(
        case,
        inputs={**data.inputs, **(case.inputs or {})},
        uniforms={**data.vertex_uniforms, **(case.uniforms or {})},
        geometry_uniforms={**data.geometry_uniforms, **(case.geometry_uniforms or {})} or None,
        indices=data.indices if case.indices is None else case.indices,
        topology=data.topology if case.topology is None else case.topology,
        vertices_per_primitive=data.per_primitive if case.vertices_per_primitive is None else case.vertices_per_primitive,
        count=len(data.vertices) if case.count is None else case.count,
    )


def _checked(key: str, value: object) -> object:
    """A value of a test file. Raises ValueError."""
    if key == "shader":
        if not isinstance(value, (str, int)) or isinstance(value, bool):
            raise ValueError("shader is neither a name nor a number: name one of the program's shaders, or its number")
        return value
    if key == "indices":
        if not isinstance(value, list):
            raise ValueError("indices is not a list: write indices = [0, 1, 2]")
        return value  # pyright: ignore[reportUnknownVariableType]
    if key == "topology":
        if value not in TOPOLOGIES:
            raise ValueError(f"unknown topology {value!r}: write {', '.join(TOPOLOGIES)}")
        return value
    if key == "vertices_per_primitive":
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError("vertices_per_primitive is not a number of vertices: write vertices_per_primitive = 3")
        return value
    if key != "profile":
        return value
    if isinstance(value, str):
        preset, *fields = [each.strip() for each in value.split(",")]
        if fields and preset in PRESETS and all("=" in each for each in fields):  # as devices of other targets are written
            pairs = [(key.strip(), choice.strip()) for key, _, choice in [each.partition("=") for each in fields]]
            table = ", ".join([f'{key} = "{choice}"' for key, choice in [("preset", preset), *pairs]])
            raise ValueError(f"profile is a text with fields: write profile = {{ {table} }}")
        return find_profile(value)
    if isinstance(value, dict):
        fields = {str(field): str(choice) for field, choice in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return find_profile(fields.pop("preset", None)).replace(**fields)
    raise ValueError('profile is neither a name nor a table: write profile = "hardware", or [profile] with preset and fields')


def _trace(stage: Shader | Pipeline, case: Case, vertex: int) -> Trace | None:
    if isinstance(stage, Pipeline):
        return None
    return stage.trace(
        case.inputs, _uniforms(case), lane=vertex, count=case.count, profile=case.profile, defaults=case.defaults
    )


def _debug(stage: Shader | Pipeline, case: Case, lane: int) -> tuple[Any, int]:
    from lanewise.pica200.api.debugging import GeometryRuns, Vertices

    if isinstance(stage, Pipeline):
        given: dict[str, Any] = {
            "geometry_uniforms": case.geometry_uniforms,
            "vertices_per_primitive": case.vertices_per_primitive,
            "count": case.count,
            "profile": case.profile,
            "defaults": case.defaults,
        }
        bound = stage.bound(case.inputs, case.indices, _uniforms(case), **given)
        if bound.runs is not None:
            primitives = stage.run(
                case.inputs, case.indices, _uniforms(case), topology=case.topology, keep_faults=True, **given
            )
            return GeometryRuns(stage, bound, bound.incomplete), int(primitives.runs[lane // 3]) if lane // 3 < len(
                primitives.runs
            ) else 0
        return Vertices(
            stage.vertex, bound.inputs, bound.uniforms, bound.rules, bound.incomplete, order=bound.used.tolist()
        ), int(bound.used[bound.places[lane]])
    inputs, uniforms, rules = stage.bound(
        case.inputs, _uniforms(case), count=case.count, profile=case.profile, defaults=case.defaults
    )
    return Vertices(stage, inputs, uniforms, rules), lane


def _blame(trace: Trace, component: str) -> tuple[str, str]:
    """The instruction that wrote a component last, and its provenance."""
    try:
        explanation = trace.explain(component)
    except InputError:  # a register that is not an output
        return "", ""
    causes = explanation.origins.causes
    if not causes:
        return "never written", explanation.text()
    pc = causes[-1].step.pc
    span = trace.span(pc)
    place = f"{span.file}:{span.line}" if span.line else f"word {pc:#x}"
    return f"computed by {place}: {trace.instruction(pc)}", explanation.text()


def _names(stage: Shader | Pipeline) -> dict[str, str]:
    return {name: output.semantic for output in stage.outputs for name in (output.register, output.name) if name}


def _encode(numbers: NDArray[Any], form: str) -> NDArray[Any]:
    return float24.encode(numbers) if form == "float24" else expecting.encode(numbers, form)


def _exact(result: _Float24Result) -> tuple[Arrays, str]:
    return result.own


_DIGITS = range(7, 10)  # significant digits that are more than float24 has, as people write them: `frame --save` writes all


def _remarks(case: Case) -> list[str]:
    """The expected numbers that are compared as others: zeros with a sign, and more digits than float24 has where a run is in
    float32."""
    found: list[str] = []
    wide = bool(case.profile) and find_profile(case.profile).rounding == "float32"
    for key, values in case.outputs.items():
        if isinstance(values, expecting.Words):
            continue
        for number in np.asarray(values, np.float64).reshape(-1).tolist():
            if number == 0 and math.copysign(1, number) < 0:
                found.append(f"{key}: -0 equals 0 here: {{ bits = [0x{'80000000' if wide else '800000'}] }} tests the sign")
            digits = repr(abs(number)).partition("e")[0].replace(".", "").strip("0")
            if wide and len(digits) in _DIGITS and float_from_float24(float24_from_float(number)) != number:
                pattern = float32_bits(number)
                found.append(
                    f"{key}: {number!r} is compared as float24, as {float_from_float24(float24_from_float(number)):.9g}: "
                    f"{{ bits = [0x{pattern:08X}] }} tests all of it"
                )
    return list(dict.fromkeys(found))[:MOST_SHOWN]


TESTS = ShaderTests(
    kinds=(ShaderFile, Shader, Pipeline),
    title="PICA200",
    run=_result,
    tables=("inputs", "uniforms", "integers", "booleans"),
    keys=("shader", "profile", "indices", "topology", "vertices_per_primitive", "geometry_uniforms"),
    checked=_checked,
    chosen=_chosen,
    filled=_filled,
    trace=_trace,
    blame=_blame,
    names=_names,
    encode=_encode,
    exact=_exact,
    errors=(RunError, PipelineError),
    debug=_debug,
    remarks=_remarks,
    options=("define", "include", "semantic"),
    folders=("include",),
)
__all__ = ["MOST_SHOWN", "TESTS", "Case", "Mismatch", "mismatches", "report", "ulps"]
