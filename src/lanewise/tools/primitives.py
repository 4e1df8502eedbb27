"""`lanewise run` with an index list: both shader stages, and the primitives that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, InputFailure, UsageError, print_findings, write_bytes
from lanewise.tools.trace import limit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.api.loading import ShaderFile
    from lanewise.arrays.words import Words
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

    Values = Mapping[str, NDArray[Any] | Words]

ALL = "all"
_TOPOLOGIES = ("triangles", "strip", "fan", "geometry")


def add_primitives(parser: argparse.ArgumentParser) -> None:
    """The options that ask for primitives."""
    group = parser.add_argument_group(
        "primitives", "any of these runs both stages, if the file has a geometry shader, and shows primitives"
    )
    group.add_argument("--indices", metavar="VALUE", help="numbers of vertices: 0,1,2,2,1,3, a file, or all; in variable mode with a count "
                       "before each primitive")  # fmt: skip
    group.add_argument(
        "--topology",
        choices=_TOPOLOGIES,
        help="how vertices become triangles (default: triangles; geometry behind a geometry shader)",
    )
    group.add_argument("--vertices-per-primitive", type=int, metavar="N", help="vertices for a run of a geometry shader in point mode "
                       "(default: as many as it reads)")  # fmt: skip
    group.add_argument("--geometry", metavar="NAME|N", help="which geometry shader (default: the only one of the file)")
    group.add_argument(
        "--geometry-uniform", action="append", default=[], metavar="NAME=VALUE", help="a uniform for the geometry shader alone"
    )
    group.add_argument("--rasterized", action="store_true", help="show and write every semantic as the rasterizer takes it: 1 where no "
                       "output is wired, colours as min(|c|, 1)")  # fmt: skip


def draws(options: argparse.Namespace) -> bool:
    """Whether the command line asks for primitives."""
    given = (
        options.indices,
        options.topology,
        options.vertices_per_primitive,
        options.geometry,
        options.geometry_uniform or None,
        options.rasterized or None,
        options.trace_stage if options.trace_stage == "geometry" else None,
        options.explain if "@" in (options.explain or "") and options.trace_stage is None else None,  # an emitted vertex
    )
    return any(value is not None for value in given)


def pipeline_of(options: argparse.Namespace, file: ShaderFile) -> Pipeline:
    """The stages that the command line means. Raises InputError."""
    from lanewise.pica200.api.pipeline import Pipeline

    vertex = file.vertex if options.program is None else _chosen(file, options.program, "--program", "vertex")
    geometry: Shader | None = None
    if options.geometry is not None:
        geometry = _chosen(file, options.geometry, "--geometry", "geometry")
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


def show_primitives(
    options: argparse.Namespace,
    said: Sequence[Diagnostic],
    pipeline: Pipeline,
    inputs: Values,
    uniforms: tuple[Values, Values],
    profile: Profile,
    progress: Callable[[int, int], None] | None,
) -> int:
    """Run the pipeline, `uniforms` being those of both stages and of the geometry shader alone; print, write. Raises InputError.

    `said` is what there was to say before.
    """
    from lanewise.tools import primitive_report

    _check_uniforms(pipeline, uniforms[1])
    as_json = options.format == "json"
    if not as_json:
        print_findings(said)
    result = pipeline.run(
        inputs,
        _indices(options.indices),
        uniforms[0],
        geometry_uniforms=uniforms[1],
        topology=options.topology,
        vertices_per_primitive=options.vertices_per_primitive,
        count=options.count,
        budget=options.budget,
        keep_faults=True,
        progress=progress,
        profile=profile,
        engine=options.engine,
        threads=options.threads,
    )
    faults = pipeline.describe(result)
    findings = [*faults, *pipeline.output_map.diagnostics, *pipeline.warnings(result)]
    rasterized = result.rasterized(clamp_colour=True) if options.rasterized else None
    if options.output:
        write_bytes(options.output, primitive_report.as_npz(result, rasterized))
    if as_json:
        print(primitive_report.as_json(pipeline, result, rasterized, [*said, *findings]), flush=True)
    elif options.output != STDIO:
        print(primitive_report.table(result, rasterized, everything=options.all), flush=True)
    if not as_json:
        print_findings(findings)
    return INPUT_HAS_ERRORS if faults else OK


def trace_primitives(
    options: argparse.Namespace, pipeline: Pipeline, inputs: Values, uniforms: tuple[Values, Values], profile: Profile
) -> Trace:
    """What --trace asks for, of one of the stages; the rest is as in `show_primitives`. Raises InputError, UsageError."""
    _check_uniforms(pipeline, uniforms[1])
    unused = [option for option, given in (("--topology", options.topology), ("--rasterized", options.rasterized)) if given]
    if unused:
        raise UsageError(f"{unused[0]} is about primitives, which --trace does not put together: leave it out")
    if options.trace_stage == "geometry" and pipeline.geometry is None:
        raise UsageError("--trace-stage geometry: the file has no geometry shader")
    return pipeline.trace(
        inputs,
        _indices(options.indices),
        uniforms[0],
        number=options.trace,
        stage=options.trace_stage,
        geometry_uniforms=uniforms[1],
        vertices_per_primitive=options.vertices_per_primitive,
        count=options.count,
        profile=profile,
        budget=limit(options),
    )


def _check_uniforms(pipeline: Pipeline, own: Values) -> None:
    if own and pipeline.geometry is None:
        raise UsageError("--geometry-uniform: the file has no geometry shader")


def _indices(text: str | None) -> NDArray[Any] | None:
    """The index list of the command line. Raises InputFailure."""
    from lanewise.arrays.words import Words
    from lanewise.tools.vertex_data import read_value

    if text is None or text == ALL:
        return None
    found = read_value(text, "--indices")
    if isinstance(found, Words):
        raise InputFailure("--indices: words: is for float24 values, indices are whole numbers")
    return found.reshape(-1)
