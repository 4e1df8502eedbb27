"""`lanewise run` with an index list: both shader stages, and the primitives that they make."""

from __future__ import annotations

from lanewise.arrays.lists import ndarray
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.extras import require_numpy
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, Drawn, InputFailure, UsageError
from lanewise.core.source import Span
from lanewise.pica200.api.services.trace import limit
from lanewise.pica200.api.shader import BUDGET

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.mesh import Mesh
    from lanewise.core.service import Request
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.primitives import Primitives
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.stages import Bound
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

    Values = Mapping[str, NDArray[Any] | Words]

ALL = "all"


def draws(request: Request) -> bool:
    """Whether a request asks for primitives."""
    asked = ("indices", "topology", "vertices-per-primitive", "geometry", "geometry-uniform", "rasterized")
    emitted = "@" in request.text("explain") and not request.has("trace-stage")
    return any(request.has(key) for key in asked) or request.text("trace-stage") == "geometry" or emitted


def pipeline_of(request: Request, file: ShaderFile, registers: int = 0) -> Pipeline:
    """The stages that a request means; a dump of a geometry shader comes after one that passes so many `registers` on. Raises
    InputError."""
    require_numpy("a run of both stages")
    from lanewise.pica200.api.pipeline import Pipeline

    if registers:
        return Pipeline(_pass_through(registers), file.geometry)
    vertex = _chosen(file, request.text("program"), "--program", "vertex") if request.has("program") else file.vertex
    geometry: Shader | None = None
    if request.has("geometry"):
        geometry = _chosen(file, request.text("geometry"), "--geometry", "geometry")
    elif any(shader.stage == "geometry" for shader in file.programs):
        geometry = file.geometry
    return Pipeline(vertex, geometry)


def _chosen(file: ShaderFile, which: str, option: str, stage: str) -> Shader:
    """The shader that an option names. Raises InputError if it is of the other stage, too."""
    shader = file.shader(which)
    if shader.stage != stage:
        there = [f"{option} {n} ({other.name})" for n, other in enumerate(file.programs) if other.stage == stage]
        fix = f"say {' or '.join(there)}" if there else f"the file has no {stage} shader: leave {option} out"
        message = f"{option} {which} is {shader.name}, a {shader.stage} shader"
        raise InputError([Diagnostic("B014", ERROR, message, Span(shader.file), (), fix)])
    return shader


def scene_primitives(
    request: Request,
    before: Sequence[Diagnostic],
    pipeline: Pipeline,
    inputs: Values,
    uniforms: tuple[Values, Values],
    profile: Profile,
    mesh: Mesh | None,
) -> Drawn:
    """The triangles of both stages; those of the mesh unless --indices says otherwise. Raises InputError, InputFailure,
    UsageError."""
    result = _run(request, pipeline, inputs, uniforms, profile, _indices(request, mesh))
    faults = pipeline.describe(result)
    last = [*faults, *pipeline.output_map.diagnostics, *pipeline.warnings(result)]
    scene = result.scene()
    if request.texts("attribute"):
        from lanewise.drawing.scene import Suspect

        others = _other_types(request, inputs)

        def suspects() -> Iterator[Suspect]:
            yield from result.scene().suspects()
            for message, changed in others:
                try:
                    found = _run(request, pipeline, changed, uniforms, profile, _indices(request, mesh))
                except InputError:  # such as an index of a vertex that there is not with this type
                    continue
                position = found.rasterized()["position"].astype("float64")
                yield Suspect("attribute-type", message, "correct the type of --attribute, and of AttrInfo_AddLoader", position)

        scene = scene._replace(suspects=suspects)
    return Drawn(scene, tuple(before), tuple(last), bool(faults))


def show_primitives(
    request: Request,
    before: Sequence[Diagnostic],
    pipeline: Pipeline,
    inputs: Values,
    uniforms: tuple[Values, Values],
    profile: Profile,
) -> Answer:
    """The primitives of both stages; `uniforms` are those of both, and of the geometry shader only. Raises InputError,
    UsageError."""
    from lanewise.pica200.api.services import primitive_report

    if request.flag("registers"):
        raise UsageError("--registers shows those of one shader: leave out --indices and what else asks for primitives")
    if request.flag("bits") and request.flag("rasterized"):
        raise UsageError("--bits shows what shaders give, --rasterized what the rasterizer takes: leave out one of them")
    result = _run(request, pipeline, inputs, uniforms, profile, _indices(request))
    faults = pipeline.describe(result)
    findings = [*faults, *pipeline.output_map.diagnostics, *pipeline.warnings(result)]
    rasterized = result.rasterized(clamp_colour=True) if request.flag("rasterized") else None
    files = ((request.text("output"), primitive_report.as_npz(result, rasterized)),) if request.text("output") else ()
    if request.as_json:
        data = primitive_report.as_data(pipeline, result, rasterized, [*before, *findings])
        return Answer(data, files=files, failed=bool(faults), schema="primitives")
    table = primitive_report.table(result, rasterized, everything=request.flag("all"), bits=request.flag("bits")) + "\n"
    return Answer(text=table, first=tuple(before), last=tuple(findings), files=files, failed=bool(faults))


def _run(
    request: Request,
    pipeline: Pipeline,
    inputs: Values,
    uniforms: tuple[Values, Values],
    profile: Profile,
    indices: NDArray[Any] | None,
) -> Primitives:
    _check_uniforms(pipeline, uniforms[1])
    return pipeline.run(
        inputs,
        indices,
        uniforms[0],
        geometry_uniforms=uniforms[1],
        topology=request.text("topology") or None,
        vertices_per_primitive=_per_primitive(request, pipeline),
        count=request.whole("count"),
        budget=request.integer("budget", BUDGET),
        keep_faults=True,
        progress=request.progress,
        profile=profile,
        defaults=0 if request.has("default") else None,
        engine=request.text("engine", "auto"),
        threads=request.integer("threads", 1),
    )


def _other_types(request: Request, inputs: Values) -> Iterator[tuple[str, Values]]:
    """The inputs as they are with another type of an attribute, where the buffer can be read so, and what is wrong then."""
    from lanewise.pica200.api.services.buffers import other_types

    for message, arrays in other_types(request):
        rows = [len(before) for name in arrays if isinstance(before := inputs.get(name), ndarray)]
        if rows and all(len(array) for array in arrays.values()):  # a larger type leaves fewer vertices
            yield message, {**inputs, **arrays}


def trace_primitives(
    request: Request, pipeline: Pipeline, inputs: Values, uniforms: tuple[Values, Values], profile: Profile
) -> Trace:
    """What --trace asks for, of one of the stages. Raises InputError, UsageError."""
    _check_uniforms(pipeline, uniforms[1])
    unused = [option for option in ("topology", "rasterized") if request.has(option)]
    if unused:
        raise UsageError(f"--{unused[0]} is about primitives, which --trace does not assemble: leave it out")
    stage = request.text("trace-stage") or None
    if stage == "geometry" and pipeline.geometry is None:
        raise UsageError("--trace-stage geometry: the file has no geometry shader")
    return pipeline.trace(
        inputs,
        _indices(request),
        uniforms[0],
        number=request.integer("trace"),
        stage=stage,
        geometry_uniforms=uniforms[1],
        vertices_per_primitive=_per_primitive(request, pipeline),
        count=request.whole("count"),
        profile=profile,
        budget=limit(request),
        defaults=0 if request.has("default") else None,
    )


def bound_pipeline(
    request: Request, pipeline: Pipeline, inputs: Values, uniforms: tuple[Values, Values], profile: Profile
) -> Bound:
    """The values of a request in registers, and the vertices of each run. Raises InputError, UsageError."""
    _check_uniforms(pipeline, uniforms[1])
    return pipeline.bound(
        inputs,
        _indices(request),
        uniforms[0],
        geometry_uniforms=uniforms[1],
        vertices_per_primitive=_per_primitive(request, pipeline),
        count=request.whole("count"),
        profile=profile,
        defaults=0 if request.has("default") else None,
    )


PASS_THROUGH = "<pass-through>"


def _pass_through(registers: int) -> Shader:
    """A vertex shader that copies v0, v1, ... to o0, o1, ..., before a geometry shader whose inputs are known."""
    from lanewise.pica200.api.assembling import assemble_sources
    from lanewise.pica200.api.file import ShaderFile

    moves = "".join([f"    mov o{n}, {'v14[1]' if n == 15 else f'v{n}'}\n" for n in range(registers)])
    made = assemble_sources([("pass_through.v.pica", f".proc main\n{moves}    end\n.end\n")])
    return ShaderFile.from_words(*made.encoded, name=PASS_THROUGH).vertex


def _per_primitive(request: Request, pipeline: Pipeline) -> int | None:
    """The vertices of a run: of a dump in point mode one, whose registers are all that a run gets."""
    asked = request.whole("vertices-per-primitive")
    raw = pipeline.vertex.file == PASS_THROUGH and pipeline.geometry is not None
    return (
        1
        if asked is None and raw and pipeline.geometry is not None and not pipeline.geometry.interface.geometry_mode
        else asked
    )


def _check_uniforms(pipeline: Pipeline, own: Values) -> None:
    if own and pipeline.geometry is None:
        raise UsageError("--geometry-uniform: the file has no geometry shader")


def _indices(request: Request, mesh: Mesh | None = None) -> NDArray[Any] | None:
    """The index list of a request; without one the faces of a mesh. Raises InputFailure."""
    from lanewise.arrays.values import read_value

    if mesh is not None and not request.has("indices") and not request.has("topology"):
        return mesh.faces
    text = request.text("indices", ALL)
    if text == ALL:
        return None
    found = read_value(text, "--indices", request.files)
    if isinstance(found, Words):
        raise InputFailure("--indices: words: is for float24 values, indices are whole numbers")
    return found.reshape(-1)
