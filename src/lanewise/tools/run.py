"""`lanewise run`: a vertex shader, or both stages, on vertex data, exactly as the hardware counts, or as a profile says that it does."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.api.loading import SOURCE_SUFFIXES, assemble_texts, decode_text, load_bytes
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.interface import BUDGET
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.text.dialects import DIALECTS
from lanewise.tools import direct3d9_run, shadercore_run
from lanewise.tools.buffers import add_buffers, read_buffers
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    InputFailure,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
    write_bytes,
)
from lanewise.tools.primitives import add_primitives, draws, pipeline_of, show_primitives, trace_primitives
from lanewise.tools.profiles import add_profile, profile_of
from lanewise.tools.run_files import DIRECT3D9, PICA200, SHADERCORE, isa_of
from lanewise.tools.trace import add_trace, check_trace, limit, show_trace

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.api.loading import ShaderFile
    from lanewise.arrays.words import Words
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile
    from lanewise.tools.mesh_data import Mesh

_EPILOG = """values:
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex, or each register of a uniform
  true             for a boolean register
  data.npy         data.npz:key      table.csv      table.csv:x,y,z
  mesh:position    also mesh:normal, mesh:texcoord, mesh:color of --mesh
  words:0x3F0000   raw float24 words; in front of any of the above

Components that are not given are 0, 0, 0, 1.

Profiles answer what nobody knows about the hardware: hardware, azahar, panda3ds. Their fields and what is known of each:
lanewise isa pica200 --evidence

examples:
  lanewise run transform.v.pica --input position="0,0,0;1,2,3" --input color=1,1,1 \\
      --input texcoord=0,0 --uniform mvp="1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json -o lit.npz
  lanewise run skin.shbin --input v0=verts.npy --uniform c4=1,2,3,4 --uniform i0=3,0,1 --uniform b3=true
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --profile azahar
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --set rounding=nearest
  lanewise run skin.shbin --input v0=verts.npy --uniforms scene.json --engine llvm --threads 2 -o skinned.npz
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --trace 17 --explain color.x
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --geometry-uniform size=0.5
  lanewise run light.shbin --attribute position=float*3 --attribute color=ubyte*4 --buffer vertices.bin --uniforms scene.json
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --trace 3 --explain position.x@1
  lanewise run light.sc --input position=0,1,2 --const c0=1,0,0,0    a ShaderCore program; see lanewise run --isa shadercore --help
  lanewise run light.vso --input position=0,1,2 --const c0=1,0,0,0   a Direct3D 9 shader; see lanewise run --isa direct3d9 --help
  cat light.shbin | lanewise run - --program 0 --count 3 --format json

Exit codes: 0 fine, 1 the input has errors or a vertex stopped without end, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise run", "Run a vertex shader, or both stages, on vertex data, with the hardware's own arithmetic.", _EPILOG
    )
    made.add_argument("files", nargs="+", metavar="FILE", help="an SHBIN, or sources, which are linked; - is standard input")
    made.add_argument("--program", metavar="NAME|N", help="which shader of the file (default: the only vertex shader)")
    made.add_argument(
        "-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="data for an input, by name or v0-v15"
    )
    made.add_argument(
        "-u", "--uniform", action="append", default=[], metavar="NAME=VALUE",
        help="a uniform, by name, element (bones[2]) or c0-c95, i0-i3, b0-b15",
    )  # fmt: skip
    made.add_argument(
        "--uniforms", action="append", default=[], metavar="FILE", help="uniforms of a JSON or TOML file, by name"
    )
    made.add_argument("--mesh", metavar="FILE", help="OBJ, PLY, STL or GLB: its positions, normals, texture coordinates and "
                      "colours go to the inputs whose names look like them")  # fmt: skip
    add_buffers(made)
    made.add_argument("--count", type=int, metavar="N", help="how many vertices (default: all)")
    made.add_argument(
        "--budget", type=int, default=BUDGET, metavar="N", help="the most steps of a vertex (default: %(default)s)"
    )
    add_profile(made)
    made.add_argument(
        "--engine", choices=("auto", "reference", "llvm"), default="auto",
        help="who computes the vertices; the answer is the same (default: %(default)s, by how many there are)",
    )  # fmt: skip
    made.add_argument("--threads", type=int, default=1, metavar="N", help="on how many threads (default: %(default)s)")
    add_primitives(made)
    add_trace(made)
    made.add_argument(
        "-o", "--output", metavar="FILE", help="write all outputs as .npz, or what --trace shows; - is standard output"
    )
    made.add_argument("--all", action="store_true", help="show all vertices or primitives, not only the first ones")
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the files are sources in this language (default: by suffix)")
    made.add_argument("--isa", choices=(PICA200, SHADERCORE, DIRECT3D9),
                      help="what FILE is for (default: by its name and its first bytes); the last two have options of their own")  # fmt: skip
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    isa, content = isa_of(argv)
    if isa != PICA200:
        return {SHADERCORE: shadercore_run, DIRECT3D9: direct3d9_run}[isa].main(argv, content)
    options = parser().parse_args(argv)
    as_json = options.format == "json"
    check_trace(options)
    if as_json and options.output == STDIO and options.trace is None:
        raise UsageError("--format json and -o - both want standard output: name a file")
    if options.budget < 1:
        raise UsageError("--budget is at least 1")
    if options.threads < 1:
        raise UsageError("--threads is at least 1")
    if (options.engine != "auto" or options.threads != 1) and options.trace is not None:
        raise UsageError("--engine and --threads go without --trace")
    if options.count is not None and options.count < 0:
        raise UsageError("--count is at least 0")
    check_output(options)
    profile = profile_of(options)
    try:
        file = load_files(options.files, options.dialect or "", content)
        if draws(options):
            return _draw(options, file, profile)
        shader = file.vertex if options.program is None else file.shader(options.program)
        if options.trace is not None:
            inputs, uniforms, said = _values(options, shader)
            _check_stage(file, shader, uniforms)
            trace = shader.trace(
                inputs, uniforms, lane=options.trace, count=options.count, profile=profile, budget=limit(options)
            )
            return show_trace(options, [*file.diagnostics, *said], trace)
        return _run(options, file, shader, profile)
    except InputError as error:
        print_findings(error.diagnostics, options.format, sys.stdout if as_json else None)
        return INPUT_HAS_ERRORS


def check_output(options: argparse.Namespace) -> None:
    """Outputs are an .npz: a name that says something else is refused. Raises UsageError."""
    suffix = Path(options.output or "").suffix
    if options.trace is None and suffix.lower() not in ("", ".npz"):
        instead = (
            "--format json > FILE is JSON" if suffix.lower() == ".json" else "without -o the table goes to standard output"
        )
        raise UsageError(f"-o {options.output}: outputs are written as .npz, not as {suffix}; {instead}")


def load_files(names: Sequence[str], dialect: str, content: bytes | None = None) -> ShaderFile:
    """An SHBIN, or sources linked together; with a dialect they are sources. `content`: what is in the only file, if it has been read already.

    Raises InputError, InputFailure, UsageError.
    """
    contents = [("<stdin>" if name == STDIO else name, read_bytes(name) if content is None else content) for name in names]
    if len(contents) == 1 and not dialect:
        return load_bytes(contents[0][1], contents[0][0])
    for name, data in contents:
        if data.startswith(b"DVLB"):
            raise UsageError(f"{name} is an SHBIN: only sources are linked")
        if not dialect and name != "<stdin>" and not name.lower().endswith(SOURCE_SUFFIXES):
            raise UsageError(f"cannot tell by its suffix that {name} is a source: say --dialect {' or '.join(DIALECTS)}")
    return assemble_texts([(name, decode_text(data)) for name, data in contents], dialect=dialect)


def _run(options: argparse.Namespace, file: ShaderFile, shader: Shader, profile: Profile) -> int:
    from lanewise.tools import run_report

    inputs, uniforms, more = _values(options, shader)
    _check_stage(file, shader, uniforms)
    said = [*file.diagnostics, *more]
    as_json = options.format == "json"
    if not as_json:
        print_findings(said)
    progress = _Progress() if sys.stderr.isatty() else None
    try:
        result = shader.run(
            inputs,
            uniforms,
            count=options.count,
            budget=options.budget,
            keep_faults=True,
            progress=progress,
            profile=profile,
            engine=options.engine,
            threads=options.threads,
        )
    finally:
        if progress is not None:
            progress.clear()
    faults = shader.describe(result)
    findings = [*faults, *shader.warnings(result)]
    if options.output:
        write_bytes(options.output, run_report.as_npz(result))
    if as_json:
        print(run_report.as_json(shader, result, [*said, *findings]), flush=True)
    elif options.output != STDIO:
        print(run_report.table(shader, result, everything=options.all), flush=True)
    if not as_json:
        print_findings(findings)
    return INPUT_HAS_ERRORS if faults else OK


def _check_stage(file: ShaderFile, shader: Shader, uniforms: Mapping[str, object]) -> None:
    """Raises UsageError for a uniform of a geometry shader, which is not run."""
    for name in uniforms:
        if find(name, shader.interface.uniforms, UNIFORM_FILES) is None:
            for other in file.programs:
                if other.stage == "geometry" and find(name, other.interface.uniforms, UNIFORM_FILES) is not None:
                    raise UsageError(f"{name} is a uniform of {other.name}, a geometry shader, and {shader.name} alone is run: "
                                     "--indices all runs both")  # fmt: skip


def _draw(options: argparse.Namespace, file: ShaderFile, profile: Profile) -> int:
    pipeline = pipeline_of(options, file)
    inputs, uniforms, more = _values(options, pipeline.vertex)
    said = [*file.diagnostics, *more]
    own = _assignments(options.geometry_uniform, "--geometry-uniform", None)
    if options.trace is not None:
        return show_trace(options, said, trace_primitives(options, pipeline, inputs, (uniforms, own), profile))
    progress = _Progress() if sys.stderr.isatty() else None
    try:
        return show_primitives(options, said, pipeline, inputs, (uniforms, own), profile, progress)
    finally:
        if progress is not None:
            progress.clear()


def _values(
    options: argparse.Namespace, shader: Shader
) -> tuple[dict[str, NDArray[Any] | Words], dict[str, NDArray[Any] | Words], list[Diagnostic]]:
    """The inputs and the uniforms of the command line, and warnings. Raises UsageError, InputFailure, InputError."""
    from lanewise.tools.vertex_data import read_settings

    mesh: Mesh | None = None
    inputs: dict[str, NDArray[Any] | Words] = {}
    if options.mesh:
        from lanewise.tools.mesh_data import read_mesh

        mesh = read_mesh(options.mesh)
    inputs |= _assignments(options.input, "--input", mesh)
    fetched, warnings = read_buffers(options)
    for name, array in fetched.items():
        if name in inputs:
            raise UsageError(f"{name} is given twice: by --input and by --attribute")
        inputs[name] = array
    if mesh is not None:
        free = [binding.name for binding in shader.inputs if binding.name not in inputs and binding.register not in inputs]
        bound = mesh.bind(free)
        used = any("=mesh:" in given or "words:mesh:" in given for given in options.input)
        if not used and not free and shader.inputs:
            raise UsageError(
                "--mesh has nothing to give: every input has its data already. Leave out --mesh, or what it is to give"
            )
        if not bound and not used:
            names = ", ".join(binding.name for binding in shader.inputs) or "none that is named"
            raise InputFailure(f"no input of {shader.name} looks like one for {', '.join(mesh.arrays)} (it has {names}): "
                               "say --input NAME=mesh:position")  # fmt: skip
        inputs |= bound
    uniforms: dict[str, NDArray[Any] | Words] = {}
    for path in options.uniforms:
        uniforms |= read_settings(path)
    uniforms |= _assignments(options.uniform, "--uniform", mesh)
    return inputs, uniforms, warnings


def _assignments(given: Sequence[str], option: str, mesh: Mesh | None) -> dict[str, NDArray[Any] | Words]:
    """NAME=VALUE pairs. Raises UsageError, InputFailure."""
    from lanewise.tools.vertex_data import read_value

    found: dict[str, NDArray[Any] | Words] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise UsageError(f"{option} takes NAME=VALUE, got '{text}'")
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = read_value(value.strip(), f"{option} {name}", mesh)
    return found


class _Progress:
    """How far a long run is, on a terminal, from its second second on."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 1.0
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.2
            self._shown = True
            print(f"\r{done} of {total} vertices ({100 * done // max(total, 1)} %)", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
