"""What a request runs on the PICA200: `Stage` or `Stages`, read once from the request by `plan_of`.

`run`, `trace`, `debug` and drawings take the plan; what to show is a `lanewise.core.view.View`.
"""

from __future__ import annotations

from lanewise.arrays.data import RunData, option_values, refuse, run_data
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import ERROR, INDICES, Diagnostic, InputError
from lanewise.core.extras import require_numpy
from lanewise.core.ranges import COUNT, STEPS, THREADS, check_options
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import InputFailure, UsageError, remark
from lanewise.core.source import Span
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.api.services.values import values_of, warned
from lanewise.pica200.api.shader import BUDGET
from lanewise.pica200.engine.names import INPUT_FILES, UNIFORM_FILES, find
from lanewise.pica200.sem.profile import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.mesh import Mesh
    from lanewise.core.service import Request
    from lanewise.core.view import View
    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.services.buffers import VertexBuffers
    from lanewise.pica200.api.services.values import Values
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile

_RANGES = {"budget": STEPS, "threads": THREADS, "count": COUNT}
_ALL = "all"
_PASS_THROUGH = "<pass-through>"
# Options that are about primitives, so that both stages run.
_OF_PRIMITIVES = ("indices", "topology", "vertices-per-primitive", "geometry", "geometry-uniform", "rasterized")
_HEAD, _PROFILE = 1 << 13, "; Profile: "  # of the comments of a finding


class Settings(Record):
    """How a run computes."""

    profile: Profile
    """The behaviour where hardware and emulators differ."""
    vertices: int | None
    """The number of vertices; None for as many as the inputs have."""
    budget: int
    """The most instructions of a vertex."""
    defaults: int | None
    """The value of what has no data; None where that is an error."""
    engine: str
    """A name of `lanewise.core.engines`."""
    threads: int
    """Of compiled code."""
    progress: Callable[[int, int], None] | None
    """What is called during long work."""

    def bound(self) -> dict[str, Any]:
        """The arguments of `bound` of a shader or both stages."""
        return {"count": self.vertices, "profile": self.profile, "defaults": self.defaults}

    def traced(self) -> dict[str, Any]:
        """The arguments of `trace`, whose default budget is its own."""
        return {**self.bound(), "budget": None if self.budget == BUDGET else self.budget}

    def run(self) -> dict[str, Any]:
        """The arguments of `run`, which keeps faults."""
        own = {"budget": self.budget, "engine": self.engine, "threads": self.threads, "progress": self.progress}
        return {**self.bound(), **own, "keep_faults": True}


class Stage(Record):
    """A run of one shader: the one that a request names, or the vertex shader."""

    shader: Shader
    """What runs."""
    inputs: Values
    """By name or register."""
    uniforms: Values
    """By name or register."""
    settings: Settings
    """How it runs."""
    findings: list[Diagnostic]
    """About the file and the values."""


class Stages(Record):
    """A run of both stages."""

    pipeline: Pipeline
    """What runs."""
    inputs: Values
    """Of the vertex shader, by name or register."""
    uniforms: Values
    """Of both shaders, by name or register."""
    own: Values
    """Uniforms of the geometry shader alone."""
    indices: NDArray[Any] | None
    """The vertices of the primitives; None for all in order."""
    topology: str | None
    """How indices are primitives; None for the default."""
    per_primitive: int | None
    """The vertices of a run of the geometry shader in point mode; None for the default."""
    traced: str | None
    """The stage that is traced; None for the last that there is."""
    rasterized: bool
    """Whether what the rasterizer takes is shown, instead of what the shaders give."""
    buffers: VertexBuffers
    """The files of vertices that some of the inputs are from."""
    settings: Settings
    """How they run."""
    findings: list[Diagnostic]
    """About the file and the values."""


def plan_of(request: Request, file: ShaderFile, *, triangles: bool = False) -> Stage | Stages:
    """What a request runs; both stages where it is about primitives. Raises UsageError, InputFailure, InputError."""
    if triangles or _draws(request) or _is_alone(file) or _emits(file):
        return stages_of(request, file, triangles=triangles)
    settings, data = _settings(request, file)
    shader = file.shader(request.text("program")) if request.has("program") else file.vertex
    given = values_of(request, shader, data)
    _check_stage(file, shader, given.uniforms)
    large = warned(given, shader, settings.profile, request.origins)
    findings = [*file.diagnostics, *given.findings, *large]
    return Stage(shader=shader, inputs=given.inputs, uniforms=given.uniforms, settings=settings, findings=findings)


def stages_of(request: Request, file: ShaderFile, *, triangles: bool = False) -> Stages:
    """Both stages of a request. `triangles`: for a drawing, of the faces of a mesh unless indices are given; no stage is
    traced. Raises UsageError, InputFailure, InputError."""
    settings, data = _settings(request, file)
    pipeline = _pipeline(request, file, _registers(request, data) if _is_alone(file) else 0)
    given = values_of(request, pipeline.vertex, data)
    own = option_values(request, "geometry-uniform")
    drawn = file.data
    if drawn is not None and pipeline.geometry is not None:
        own = {**drawn.geometry_uniforms, **own}
    if own and pipeline.geometry is None:
        linked = "give `run` both sources, or link them: lanewise asm VERTEX.pica GEOMETRY.pica -o FILE.shbin"
        raise UsageError(f"--geometry-uniform: the file has no geometry shader: {linked}")
    traced = "" if triangles else request.text("trace-stage")
    if traced == "geometry" and pipeline.geometry is None:
        raise UsageError("--trace-stage geometry: the file has no geometry shader")
    large = warned(given, pipeline.vertex, settings.profile, request.origins)
    return Stages(
        pipeline=pipeline,
        inputs=given.inputs,
        uniforms=given.uniforms,
        own=own,
        indices=_indices(request, given.mesh if triangles else None, drawn),
        topology=request.text("topology") or (drawn.topology if drawn is not None else None),
        per_primitive=_per_primitive(request, pipeline, drawn),
        traced=traced or None,
        rasterized=request.flag("rasterized"),
        buffers=given.buffers,
        settings=settings,
        findings=[*file.diagnostics, *given.findings, *large],
    )


def check_view(request: Request, view: View) -> None:
    """Raise UsageError for options of the PICA200 that do not go together with what is shown."""
    if view.lane is None:
        if request.has("trace-stage"):
            raise UsageError("--trace-stage goes with --trace N")
        if view.bits and request.flag("rasterized"):
            raise UsageError("--bits shows what shaders give, --rasterized what the rasterizer takes: leave out one of them")
        return
    for option in ("topology", "rasterized"):
        if request.has(option):
            raise UsageError(f"--{option} is about primitives, which --trace does not assemble: leave it out")


def _draws(request: Request) -> bool:
    """Whether a request is about primitives."""
    emitted = "@" in request.text("explain") and not request.has("trace-stage")
    return emitted or request.text("trace-stage") == "geometry" or any(request.has(key) for key in _OF_PRIMITIVES)


def _settings(request: Request, file: ShaderFile) -> tuple[Settings, RunData]:
    """How a request runs, and the values of `--data`. Raises UsageError, InputFailure, InputError."""
    check_options(request, _RANGES)
    profile = profile_of(request)
    found = _profile_of_finding(request)
    if found and found != profile.describe():
        remark(f"{request.name} is a finding under the profile {found}: --profile {found} gives what its comments have")
    data = run_data(request, "pica200")
    refuse(data, "the PICA200", ("samplers", "initial"))
    if file.data is not None:
        data = _over(file.data, data)
    if data.outputs and not file.is_raw:
        raise InputFailure(f"{request.text('data')}: {file.name} has its own output map: leave out outputs, or use --words")
    settings = Settings(
        profile=profile,
        vertices=request.whole("count") if request.has("count") else data.count,
        budget=request.integer("budget", BUDGET),
        defaults=0 if request.has("default") else None,
        engine=request.text("engine", "auto"),
        threads=request.integer("threads", 1),
        progress=request.progress,
    )
    return settings, data


def _profile_of_finding(request: Request) -> str:
    """The preset under which `lanewise fuzz` has found a program, as its comments say, where the request names none; else
    empty."""
    if request.has("profile") or request.has("set") or not request.sources:
        return ""
    head = request.sources[0].data[:_HEAD].decode("utf-8", "replace").split("\n")
    if not any(line.startswith("; Found by: lanewise fuzz") for line in head):
        return ""
    named = next((line.removeprefix(_PROFILE).strip() for line in head if line.startswith(_PROFILE)), "")
    return named if named in PRESETS else ""


def _over(drawn: DrawData, data: RunData) -> RunData:
    """The values of a draw, with those of a data file in their place."""
    return RunData(
        inputs={**drawn.inputs, **data.inputs},
        uniforms={**drawn.vertex_uniforms, **data.uniforms},
        integers=data.integers,
        booleans=data.booleans,
        samplers=data.samplers,
        initial=data.initial,
        count=data.count if data.count is not None else len(drawn.vertices),
        outputs=data.outputs,
    )


def _emits(file: ShaderFile) -> bool:
    """Whether a file is a draw with a geometry shader, both of whose stages run."""
    return file.data is not None and any(shader.stage == "geometry" for shader in file.programs)


def _pipeline(request: Request, file: ShaderFile, registers: int) -> Pipeline:
    """The stages that a request means; `registers` are those that the vertex shader before a dump of
    a geometry shader passes on. Raises
    InputError."""
    require_numpy("a run of both stages")
    from lanewise.pica200.api.pipeline import Pipeline

    if registers:
        return Pipeline(_pass_through(registers), file.only("geometry"))
    vertex = _chosen(file, request.text("program"), "--program", "vertex") if request.has("program") else file.vertex
    if request.has("geometry"):
        return Pipeline(vertex, _chosen(file, request.text("geometry"), "--geometry", "geometry"))
    return Pipeline(vertex, file.geometry)


def _chosen(file: ShaderFile, which: str, option: str, stage: str) -> Shader:
    """The shader that an option names. Raises InputError if it is of the other stage, too."""
    shader = file.shader(which)
    if shader.stage != stage:
        there = [f"{option} {n} ({other.name})" for n, other in enumerate(file.programs) if other.stage == stage]
        fix = f"say {' or '.join(there)}" if there else f"the file has no {stage} shader: leave {option} out"
        message = f"{option} {which} is {shader.name}, a {shader.stage} shader"
        raise InputError(
            [Diagnostic(code="B014", severity=ERROR, message=message, span=Span(file=shader.file), notes=(), fix=fix)]
        )
    return shader


def _pass_through(registers: int) -> Shader:
    """A vertex shader that copies v0, v1, ... to o0, o1, ..., before a geometry shader whose inputs are known."""
    from lanewise.pica200.api.assembling import assemble_sources
    from lanewise.pica200.api.file import ShaderFile

    moves = "".join([f"    mov o{n}, {'v14[1]' if n == 15 else f'v{n}'}\n" for n in range(registers)])
    assembly = assemble_sources([("pass_through.v.pica", f".proc main\n{moves}    end\n.end\n")])
    return ShaderFile.from_words(*assembly.encoded, name=_PASS_THROUGH).vertex


def _per_primitive(request: Request, pipeline: Pipeline, drawn: DrawData | None) -> int | None:
    """The vertices of a run: of a dump in point mode one, whose registers are all that a run gets."""
    asked = request.whole("vertices-per-primitive")
    if asked is None and drawn is not None:
        return drawn.per_primitive if pipeline.geometry is not None else None
    raw = pipeline.vertex.file == _PASS_THROUGH and pipeline.geometry is not None
    return (
        1
        if asked is None and raw and pipeline.geometry is not None and not pipeline.geometry.interface.geometry_mode
        else asked
    )


def _indices(request: Request, mesh: Mesh | None, drawn: DrawData | None) -> NDArray[Any] | None:
    """The index list of a request; without one the faces of a mesh. Raises InputFailure."""
    from lanewise.arrays.values import origin_of, read_value

    if mesh is not None and not request.has("indices") and not request.has("topology"):
        return mesh.faces
    if drawn is not None and not request.has("indices"):
        return drawn.indices
    text = request.text("indices", _ALL)
    if text == _ALL:
        return None
    request.origins[INDICES, ""] = origin_of(text, request.files, f"--indices {text}")
    found = read_value(text, "--indices", request.files)
    if isinstance(found, Words):
        raise InputFailure("--indices: words: is for float24 values, indices are whole numbers")
    return found.reshape(-1)


def _check_stage(file: ShaderFile, shader: Shader, uniforms: Mapping[str, object]) -> None:
    """Raises UsageError for a uniform of a geometry shader, which is not run."""
    for name in uniforms:
        if find(name, shader.uniform_names, UNIFORM_FILES) is None:
            for other in file.programs:
                if other.stage == "geometry" and find(name, other.uniform_names, UNIFORM_FILES) is not None:
                    raise UsageError(
                        f"{name} is a uniform of {other.name}, a geometry shader, and only {shader.name} is run: "
                        f"--geometry-uniform {name}=VALUE gives it, and both are run"
                    )


def _is_alone(file: ShaderFile) -> bool:
    """Whether a file is a dump of a geometry shader."""
    return file.is_raw and [shader.stage for shader in file.programs] == ["geometry"]


def _registers(request: Request, data: RunData) -> int:
    """How many registers a dump of a geometry shader gets: up to the last that has data. Raises UsageError."""
    numbers: list[int] = []
    for name in (*data.inputs, *(text.partition("=")[0].strip() for text in request.texts("input"))):
        place = find(name, (), INPUT_FILES)
        if place is None:
            raise UsageError(f"input {name}: a dump has no names, use v0 to v15")
        numbers.append(place.first)
    return 1 + max(numbers, default=0)
