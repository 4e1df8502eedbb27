"""What lanewise answers with NumPy and without: `python lists_and_arrays.py FOLDER` prints it as JSON, in a Python that can
import no library.

Both are the same to the last bit (tests/unit/test_without_numpy.py). All runs are on the reference engine.
"""

from __future__ import annotations

import io
import json
import math
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.pica200.api.shader import Shader

LIBRARIES = ("numpy", "llvmlite", "trimesh", "PIL", "pygls", "textual", "dask", "distributed", "pygments")
EXAMPLES = Path(__file__).parents[1] / "examples"
VERTEX = ("transform", "lighting", "skinning", "toon", "subdivide", "particles")
SPECIAL = """
.fvec f[2]
.ivec i
.bool b
.in pos v0
.in extra v1
.out p position
.out c color
.entry main
.proc main
    mul r0, f[0], pos
    rcp r1.x, extra.x
    rsq r1.y, extra.y
    ex2 r1.z, pos.z
    lg2 r1.w, pos.w
    for i
        add r0, r0, extra
    .end
    ifu b
        mad r0, r1, f[1], r0
    .end
    mov p, r0
    mov c.xyz, r1
    end
.end
"""
DIRECT3D9 = """vs_2_0
dcl_position v0
dcl_color v1
defi i0, 3, 0, 1, 0
mul r0, v0, c0
rep i0
add r0, r0, v1
endrep
if b0
mad r0, r0, c1, v1
endif
mova a0.x, c2.x
mov oPos, r0
mov oD0, c0[a0.x]
"""
# Numbers at which conversions change their rule, as floats and as integers.
FLOATS = (
    0.0, -0.0, 1.0, -1.5, 0.1, 2.0**-62, 2.0**-63, 1.25 * 2.0**-70, 2.0**-79, 2.0**64, 1.99999 * 2.0**63, 2.0**64 - 2.0**46,
    2.0**65, 3.5e38,
    1e39, -1e300, 5e-324, 1e-45, 1 + 2.0**-17, 1 + 3 * 2.0**-17, 1 + 2.0**-24, 1 + 2.0**-24 + 2.0**-50, math.inf, -math.inf,
    math.nan, -math.nan,
)  # fmt: skip
INTEGERS = (0, 7, -3, (1 << 24) + 1, (1 << 53) + 1, (1 << 60) + (1 << 36) + 1, -(1 << 62) - 5, (1 << 17) + 1, 3 << 16)
RAW = (0x000000, 0x800000, 0x00FFFF, 0x010000, 0x3F0000, 0x7EFFFF, 0x7F0000, 0xFF8000, 0x7F0001, 0x7FFFFF, 0x8ABCDE)


def block(libraries: Sequence[str]) -> None:
    """Make every import of libraries fail."""
    for name in libraries:
        sys.modules[name] = None  # pyright: ignore[reportArgumentType]: that is how an import is made to fail


def ran(*argv: str) -> list[object]:
    """The exit code, standard output and standard error of a command."""
    from lanewise.tools.cli import main

    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = main(list(argv))
    return [code, out.getvalue(), errors.getvalue()]


def failed(call: Callable[[], object]) -> str:
    from lanewise import InputError

    try:
        call()
    except InputError as error:
        return str(error)
    return "no error"


def rows(numbers: tuple[float, ...], width: int = 4) -> list[list[float]]:
    """The numbers as rows, the last of which begins again."""
    return [[numbers[(start + n) % len(numbers)] for n in range(width)] for start in range(0, len(numbers), width)]


def shown(result: Any) -> list[object]:
    """A result in every form that it has."""
    registers = {key: array.tolist() for key, array in result.registers.items()}
    return [result.to_json(), registers, result.table(everything=True, bits=True), repr(result)]


def example_runs() -> dict[str, object]:
    import lanewise as lw

    found: dict[str, object] = {}
    for name in VERTEX:
        shader = lw.load_pica200(EXAMPLES / f"{name}.v.pica").vertex
        inputs = {binding.name: [[n * 0.37 - 1, 0.5, 1.25 - n, 1.0] for n in range(3)] for binding in shader.inputs}
        floats = [binding for binding in shader.uniforms if binding.register[0] == "c"]
        uniforms = {binding.name: [[0.7, -0.2, 0.1, 1.5]] * binding.size for binding in floats}
        found[name] = shown(shader.run(inputs, uniforms, engine="reference", defaults=0, keep_faults=True))
    return found


def special_runs() -> dict[str, object]:
    """Special numbers under all presets, and as each rule of upload rounds them."""
    import lanewise as lw

    found: dict[str, object] = {}
    shader = special()
    mixed = [list(FLOATS[8:12]), [INTEGERS[4], 2, 3, 4]]
    data: dict[str, tuple[Any, Any]] = {
        "floats": (rows(FLOATS), mixed),
        "integers": (rows(INTEGERS), mixed),
        "raw": (lw.Words(rows(RAW)), lw.Words(rows(RAW)[:2])),
    }
    for preset in lw.pica200.profiles:
        for name, (values, uniform) in data.items():
            given = {"f": uniform, "i": [2, 0, 1], "b": True}
            result = shader.run({"pos": values, "extra": [2, True, 0.5]}, given, engine="reference", profile=preset)
            found[f"{preset} {name}"] = shown(result)
    for upload in ("nearest", "host"):
        profile = lw.pica200.profiles["hardware"].replace(upload=upload)
        for name in ("floats", "integers"):
            bound, *_ = shader.bound(
                {"pos": data[name][0], "extra": 1}, {"f": [0] * 8, "i": [0, 0, 0], "b": 0}, profile=profile
            )
            found[f"{upload} {name}"] = bound.words[0].tolist()
    trace = shader.trace({"pos": rows(FLOATS), "extra": 1}, {"f": rows(FLOATS)[:2], "i": [1, 0, 1], "b": 1}, lane=2)
    found["trace"] = [trace.to_json(), trace.text(), trace.table(), trace.explain("position.y").text()]
    return found


def other_runs() -> dict[str, object]:
    """Programs of the other instruction sets."""
    import lanewise as lw
    from lanewise.direct3d9.api.shader import Direct3DShader

    programs: list[Any] = [lw.load_shadercore(EXAMPLES / "transform.sc"), Direct3DShader.from_source(DIRECT3D9)]
    found: dict[str, object] = {}
    for program in programs:
        given = {name: rows(FLOATS) for name in ("v0", "v1")}
        constants = {"c0": [list(FLOATS[:4]), [0.5, -2, 3, 1]], "c2": [1.0, 0, 0, 1]}
        result = program.run(given, constants, engine="reference", defaults=0)
        found[program.isa] = [shown(result), program.trace(given, constants, lane=3, defaults=0).to_json()]
    return found


def special() -> Shader:
    import lanewise as lw

    return lw.assemble(SPECIAL).vertex


def random_runs(count: int) -> list[object]:
    """Random programs with their random data."""
    from lanewise.arrays.lists import asarray, table
    from lanewise.core.engines import REFERENCE
    from lanewise.core.extras import numpy_installed
    from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
    from lanewise.pica200.engine.encoding import decoded
    from lanewise.pica200.engine.random_programs import BUDGET, case

    if numpy_installed():
        from lanewise.pica200.engine.run import Runner as Made
    else:
        from lanewise.pica200.engine.small import SmallRunner as Made
    found: list[object] = []
    for number in range(count):
        one = case(20, number)
        wide = one.profile.rounding == "float32"
        runner = Made(one.words, one.descriptors, 0, one.profile)
        columns = {
            n: Column(
                decoded(table(given, "u", len(given[0])), one.profile) if wide else asarray(given),
                raw=not wide,
                profile=one.profile,
            )
            for n, given in enumerate(one.inputs)
            if given
        }
        uniforms = Uniforms(floats=one.floats, integers=one.integers, booleans=one.booleans, given=frozenset())
        result = runner.run(Inputs(Columns(columns, one.lanes), one.lanes), uniforms, (), range(16), BUDGET, engine=REFERENCE)
        held = [[result.bits[f"o{n}"].tolist(), result.written[f"o{n}"].tolist()] for n in range(16)]
        found.append([held, [(lane, *fault) for lane, fault in result.faults], [repr(read) for read in result.unwritten]])
    return found


def mistakes() -> list[str]:
    """What is said of values that cannot be used."""
    import lanewise as lw

    shader = special()
    good: dict[str, Any] = {"f": [[0.0] * 4] * 2, "i": [0, 0, 1], "b": True}
    inputs: list[dict[str, Any]] = [
        {},
        {"pos": [1, 2, 3, 4, 5]},
        {"pos": [[1.0] * 5]},
        {"pos": "text"},
        {"pos": None},
        {"pos": [1j]},
        {"pos": lw.Words([1.5])},
        {"pos": lw.Words([1 << 24])},
        {"pos": [[1], [2]], "extra": [[1], [2], [3]]},
        {"pos": 1, "v0": 1},
        {"pso": 1},
        {"pos": [[[1]]]},
        {"pos": []},
    ]
    uniforms: list[dict[str, Any]] = [
        {"f": [1, 2, 3]},
        {"f": [[0] * 4] * 3},
        {"i": [1, 2]},
        {"i": [256, 0, 0]},
        {"i": [0.5, 0, 0]},
        {"b": 2},
        {"b": [[True]]},
        {"i": lw.Words([1])},
    ]
    said = [failed(partial(shader.run, {"extra": 1, **given}, good)) for given in inputs]
    return said + [failed(partial(shader.run, {"pos": 1, "extra": 1}, {**good, **given})) for given in uniforms]


def commands(folder: Path) -> list[object]:
    """Commands, with their outputs."""
    source, table = folder / "special.v.pica", folder / "table.csv"
    data = folder / "data.json"
    source.write_text(SPECIAL)
    table.write_text("x,y,z\n1,2,3\n4,nan,-inf\n")
    data.write_text(
        '{"schema": "lanewise/data/1", "inputs": {"pos": [[1, 2], [3, 4]]}, "uniforms": {"f": {"bits": [["0x3F0000", 1, 2, '
        "3], [1, 2, 3, 4]]}}}"
    )
    given = ["-i", "extra=0.5", "-u", "i=2,0,1", "-u", "b=true"]
    file = str(source)
    run = ["run", file, "--engine", "reference"]
    return [
        ran(*run, "-i", f"pos={table}:x,z", "-u", "f=1,2,3,4;5,6,7,8", *given),
        ran(*run, "-i", "pos=words:0x3F0000,0x7F8000;1,2", "-u", "f=1,2,3,4;5,6,7,8", *given, "--bits", "--registers"),
        ran(*run, "--data", str(data), *given, "--format", "json", "--registers"),
        ran("run", file, "--data", str(data), *given, "--trace", "1"),
        ran("run", file, "--data", str(data), *given, "--trace", "1", "--trace-format", "table"),
        ran("run", file, "--data", str(data), *given, "--trace", "1", "--format", "json"),
        ran("run", file, "--data", str(data), *given, "--trace", "0", "--explain", "position.x"),
        ran(*run, "-i", "pos=1;2,3", *given),
    ]


def others(folder: Path) -> list[object]:
    """Commands that need no engine, and those that say what they need."""
    file = str(folder / "special.v.pica")
    Path(file).write_text(SPECIAL)
    made = str(folder / "special.shbin")
    return [
        ran("asm", file, "-o", made),
        ran("dis", made),
        ran("check", file),
        ran("fmt", file, "--check"),
        ran("convert", made, "--to", "picasso"),
        ran("graph", file, "--format", "svg"),
        ran("inspect", made),
        ran("opt", file, "--report"),
        ran("diff", file, file),
        ran("isa", "pica200", "mad"),
        ran("translate", file, "--to", "c"),
        *[ran(command, str(EXAMPLES / name)) for command in ("check", "graph") for name in ("transform.sc", "cutout.psa")],
        ran("time", str(EXAMPLES / "transform.sc")),
        ran("diff", str(EXAMPLES / "transform.sc"), str(EXAMPLES / "transform.sc")),
        ran("inspect", str(EXAMPLES / "water.fxb")),
    ]


def refused(folder: Path) -> list[object]:
    """Commands that need a library."""
    file = str(folder / "special.v.pica")
    given = [file, "--default", "0"]
    (folder / "numbers.npy").touch()
    return [
        ran("run", *given, "--engine", "llvm"),
        ran("run", *given, "--indices", "all"),
        ran("run", *given, "-o", str(folder / "out.npz")),
        ran("run", *given, "-i", f"pos={folder / 'numbers.npy'}"),
        ran("run", *given, "--mesh", str(EXAMPLES / "tetra.obj")),
        ran("run", *given, "--draw", "-"),
        ran("run", str(EXAMPLES / "cutout.psa"), "--default", "0", "--sampler", "0=1,1,1,1"),
        ran("run", str(EXAMPLES / "transform.sc"), "--default", "0", "--indices", "0,1"),
        ran("opt", file, "-O3"),
        ran("test", str(EXAMPLES / "toon.shadertest.toml")),
        ran("compile", str(EXAMPLES / "cutout.psa"), "-o", str(folder / "out.scb")),
        ran("run", str(EXAMPLES / "transform.sc"), "--default", "0", "--draw", "-"),
    ]


def answers(folder: Path) -> dict[str, object]:
    """Everything that is the same with NumPy and without, as JSON has it."""
    runs = {**example_runs(), **special_runs(), **other_runs()}
    found = {"runs": runs, "random": random_runs(16), "mistakes": mistakes(), "commands": commands(folder)}
    return json.loads(json.dumps(found))


def without_compiler() -> list[object]:
    """The engines of runs that would be compiled, and what is said where that was asked for, with NumPy and without
    llvmlite."""
    import lanewise as lw
    from lanewise.direct3d9.api.shader import Direct3DShader

    shader = special()
    programs: list[Any] = [shader, lw.load_shadercore(EXAMPLES / "transform.sc"), Direct3DShader.from_source(DIRECT3D9)]
    triangles = lw.pica200.Pipeline(
        lw.load_pica200(EXAMPLES / "subdivide.v.pica").vertex, lw.load_pica200(EXAMPLES / "subdivide.g.pica").geometry
    )
    return [
        [program.run({"v0": [[1.0]] * 400}, defaults=0).engine for program in programs],
        [failed(partial(program.run, engine="llvm", defaults=0)) for program in programs],
        failed(partial(shader.batch, defaults=0)),
        shader.explain_engine(),
        triangles.run({"v0": [[1.0]] * 600}, defaults=0).engine,
    ]


if __name__ == "__main__":
    where = Path(sys.argv[1])
    if sys.argv[2:]:
        block(sys.argv[2:])
        print(json.dumps(without_compiler()))
        raise SystemExit
    block(LIBRARIES)
    print(json.dumps({**answers(where), "others": others(where), "refused": refused(where)}))
