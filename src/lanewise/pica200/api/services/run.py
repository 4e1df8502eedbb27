"""Running shaders of the PICA200 for `lanewise run`: the vertex shader, or both stages."""

from __future__ import annotations

from lanewise.arrays.data import refuse, run_data
from lanewise.arrays.report import answered, check_output
from lanewise.arrays.words import Words
from lanewise.core.engines import LLVM
from lanewise.core.extras import require_numpy
from lanewise.core.ranges import COUNT, STEPS, THREADS, check_options
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.trace import shown
from lanewise.pica200.api.services.buffers import read_buffers
from lanewise.pica200.api.services.primitives import draws, pipeline_of, show_primitives, trace_primitives
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.api.services.trace import check_trace, limit
from lanewise.pica200.api.shader import BUDGET
from lanewise.pica200.engine.names import INPUT_FILES, UNIFORM_FILES, find
from lanewise.pica200.isa.table import register_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.data import RunData
    from lanewise.arrays.mesh import Mesh
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Answer, Drawn, Files, Request
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.isa.program import Alias, Uniform

    Values = dict[str, NDArray[Any] | Words]


RANGES = {"budget": STEPS, "threads": THREADS, "count": COUNT}


def run(request: Request, file: ShaderFile) -> Answer:
    """The outputs of the vertex shader, or the primitives of both stages. Raises UsageError, InputFailure, InputError."""
    check_request(request)
    profile = profile_of(request)
    data = data_of(request, file)
    if draws(request) or is_alone(file):
        both = stages(request, file, data)
        if request.flag("registers"):
            raise UsageError("--registers is for one shader: leave out what asks for primitives")
        return show_primitives(request, both.findings, both.pipeline, both.inputs, both.uniforms, profile)
    one = stage(request, file, data)
    shader = one.shader
    result = shader.run(
        one.inputs,
        one.uniforms,
        count=request.whole("count"),
        budget=request.integer("budget", BUDGET),
        keep_faults=True,
        progress=request.progress,
        profile=profile,
        engine=request.text("engine", "auto"),
        threads=request.integer("threads", 1),
        defaults=0 if request.has("default") else None,
    )
    remarks = ["the reference engine works the registers out"] if request.flag("registers") and result.engine == LLVM else []
    after = [*shader.describe(result), *result.warnings]
    return answered(request, result, shader.name, before=one.findings, after=after, remarks=remarks)


def scene(request: Request, file: ShaderFile) -> Drawn:
    """The triangles of a run. Raises UsageError, InputFailure, InputError."""
    from lanewise.pica200.api.services.primitives import scene_primitives

    check_options(request, RANGES)
    mesh = _mesh(request)
    both = stages(request, file, data_of(request, file), mesh)
    return scene_primitives(request, both.findings, both.pipeline, both.inputs, both.uniforms, profile_of(request), mesh)


def trace(request: Request, file: ShaderFile) -> Answer:
    """One vertex, or one run of the geometry shader, step by step. Raises UsageError, InputFailure, InputError."""
    check_request(request)
    profile = profile_of(request)
    data = data_of(request, file)
    if draws(request) or is_alone(file):
        both = stages(request, file, data)
        found = trace_primitives(request, both.pipeline, both.inputs, both.uniforms, profile)
        return shown(request, both.findings, found)
    one = stage(request, file, data)
    found = one.shader.trace(
        one.inputs,
        one.uniforms,
        lane=request.integer("trace"),
        count=request.whole("count"),
        profile=profile,
        budget=limit(request),
        defaults=0 if request.has("default") else None,
    )
    return shown(request, one.findings, found)


class Stage(Record):
    """The shader that a request names, or the vertex shader, with its values; `findings` are about the file and the values."""

    shader: Shader
    inputs: Values
    uniforms: Values
    findings: list[Diagnostic]


class Stages(Record):
    """Both stages with their values; `uniforms` are those of both, and those of the geometry shader alone."""

    pipeline: Pipeline
    inputs: Values
    uniforms: tuple[Values, Values]
    findings: list[Diagnostic]


def stage(request: Request, file: ShaderFile, data: RunData) -> Stage:
    """The one shader that a request runs. Raises UsageError, InputFailure, InputError."""
    shader = file.shader(request.text("program")) if request.has("program") else file.vertex
    inputs, uniforms, findings = values_of(request, shader, data)
    _check_stage(file, shader, uniforms)
    return Stage(shader, inputs, uniforms, [*file.diagnostics, *findings])


def stages(request: Request, file: ShaderFile, data: RunData, mesh: Mesh | None = None) -> Stages:
    """Both stages of a request. Raises UsageError, InputFailure, InputError."""
    pipeline = pipeline_of(request, file, registers_of(request, data) if is_alone(file) else 0)
    inputs, uniforms, findings = values_of(request, pipeline.vertex, data, mesh)
    own = assignments(request.texts("geometry-uniform"), "--geometry-uniform", request.files, None)
    return Stages(pipeline, inputs, (uniforms, own), [*file.diagnostics, *findings])


def check_request(request: Request) -> None:
    """Raises UsageError for options that are out of range or do not go together."""
    check_trace(request)
    check_options(request, RANGES)
    if not request.has("trace"):
        check_output(request)
    elif request.text("engine", "auto") != "auto" or request.integer("threads", 1) != 1:
        raise UsageError("--engine and --threads cannot be used with --trace")


def _check_stage(file: ShaderFile, shader: Shader, uniforms: Mapping[str, object]) -> None:
    """Raises UsageError for a uniform of a geometry shader, which is not run."""
    for name in uniforms:
        if find(name, shader.uniform_names, UNIFORM_FILES) is None:
            for other in file.programs:
                if other.stage == "geometry" and find(name, other.uniform_names, UNIFORM_FILES) is not None:
                    raise UsageError(
                        f"{name} is a uniform of {other.name}, a geometry shader, and only {shader.name} is run: "
                        "--indices all runs both"
                    )


def _mesh(request: Request) -> Mesh | None:
    """The mesh of a request, if there is one. Raises InputFailure."""
    if not request.text("mesh"):
        return None
    require_numpy("--mesh")
    from lanewise.arrays.mesh import read_mesh

    return read_mesh(request.text("mesh"), request.files)


def is_alone(file: ShaderFile) -> bool:
    """Whether a file is a dump of a geometry shader."""
    return file.is_raw and [shader.stage for shader in file.programs] == ["geometry"]


def registers_of(request: Request, data: RunData) -> int:
    """How many registers a dump of a geometry shader gets: up to the last that has data. Raises UsageError."""
    numbers: list[int] = []
    for name in (*data.inputs, *(text.partition("=")[0].strip() for text in request.texts("input"))):
        place = find(name, (), INPUT_FILES)
        if place is None:
            raise UsageError(f"input {name}: a dump has no names, use v0 to v15")
        numbers.append(place.first)
    return 1 + max(numbers, default=0)


def data_of(request: Request, file: ShaderFile) -> RunData:
    """The values of --data. Raises InputFailure, InputError."""
    data = run_data(request, "pica200")
    refuse(data, "the PICA200", ("samplers", "initial"))
    if data.count is not None:
        request.values.setdefault("count", data.count)
    if data.outputs and not file.is_raw:
        raise InputFailure(f"{request.text('data')}: {file.name} has its own output map: leave out outputs, or use --words")
    return data


def _without(
    data: Mapping[str, Any], options: Values, names: tuple[Uniform | Alias, ...], files: Sequence[tuple[str, int, int]]
) -> Values:
    """The values of a data file in registers that no option gives: rows for bare registers are apart, as dumps list whole files
    of them."""
    found: Values = {}
    taken: set[int] = set()
    for key in options:
        place = find(key, names, tuple(files))
        taken |= (
            set(range(place.first, place.last + 1)) if place is not None and place.whole else {place.first} if place else set()
        )
    for key, value in data.items():
        place = find(key, names, tuple(files))
        array = value.array if isinstance(value, Words) else value
        if place is None or place.whole or array.ndim != 2 or files == INPUT_FILES:
            if place is None or place.first not in taken:
                found[key] = value
            continue
        for register, row in enumerate(array, place.first):
            if register not in taken and register <= place.last:
                found[register_name(register)] = Words(row) if isinstance(value, Words) else row
    return found


def values_of(
    request: Request, shader: Shader, data: RunData, mesh: Mesh | None = None
) -> tuple[Values, Values, list[Diagnostic]]:
    """The inputs and the uniforms of a request and its data file, and warnings; `mesh` is its mesh, if it was read. Raises
    UsageError, InputFailure, InputError."""
    from lanewise.arrays.values import read_settings

    mesh = mesh or _mesh(request)
    inputs: Values = {}
    given = request.texts("input")
    inputs |= assignments(given, "--input", request.files, mesh)
    fetched, warnings = read_buffers(request)
    for name, array in fetched.items():
        if name in inputs:
            raise UsageError(f"{name} is given twice: by --input and by --attribute")
        inputs[name] = array
    inputs |= _without(data.inputs, inputs, shader.input_names, INPUT_FILES)
    if mesh is not None:
        inputs |= _of_mesh(mesh, shader, inputs, given)
    uniforms: Values = {}
    for path in request.texts("uniforms"):
        uniforms |= read_settings(path, request.files)
    uniforms |= assignments(request.texts("uniform"), "--uniform", request.files, mesh)
    uniforms |= _without(data.constants, uniforms, shader.uniform_names, UNIFORM_FILES)
    return inputs, uniforms, warnings


def _of_mesh(mesh: Mesh, shader: Shader, inputs: Values, given: Sequence[str]) -> Mapping[str, NDArray[Any]]:
    """The properties of a mesh for the inputs that have no data yet. Raises UsageError, InputFailure where there is no use for
    them."""
    free = [binding.name for binding in shader.inputs if binding.name not in inputs and binding.register not in inputs]
    bound = mesh.bind(free)
    used = any("=mesh:" in text or "words:mesh:" in text for text in given)
    if not used and not free and shader.inputs:
        raise UsageError(
            "--mesh has no effect: every input has its data already. Leave out --mesh, or the data that it replaces"
        )
    if not bound and not used:
        names = ", ".join(binding.name for binding in shader.inputs) or "none that is named"
        raise InputFailure(
            f"no input of {shader.name} looks like one for {', '.join(mesh.arrays)} (it has {names}): "
            "use --input NAME=mesh:position"
        )
    return bound


def assignments(given: Sequence[str], option: str, files: Files, mesh: Mesh | None) -> Values:
    """NAME=VALUE pairs. Raises UsageError, InputFailure."""
    from lanewise.arrays.values import read_value

    found: Values = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise UsageError(f"{option} takes NAME=VALUE, got '{text}'")
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = read_value(value.strip(), f"{option} {name}", files, mesh, by_name=True)
    return found
