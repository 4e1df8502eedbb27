"""Kinds of files: what lanewise reads, with seeds and the commands that read it.

Seeds are the sources of this repository; binary files are written from them when they are needed.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import lanewise as lw
from compile.vector_random import Random
from compile.vector_shaders import normal_mapping, skin
from corpus import REPOSITORY
from direct3d9_effects import VERTEX, dxbc, mgfx, stream, water, xnb
from fuzz.exchanged import answers, mutate_answers, mutate_record, records, suite
from fuzz.mutation import Seed, mutate_bytes, mutate_text
from fuzz.servers import SERVERS
from fuzz.servers import seeds as talks
from fuzz.spirv import mutate_spirv
from lanewise.api.loading import assemble
from lanewise.compile.vector.lowering import lower
from lanewise.core.diagnostics import InputError
from lanewise.core.vectors.flat import suite_bytes
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.container.forms import write_form
from lanewise.packages import packages
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.file import assemble_texts
from lanewise.shadercore.container.header import write_binary, write_words
from lanewise.shadercore.container.memory import program_memory, write_memory
from lanewise.shadercore.text.reader import read_source_text
from lanewise.ssa.text import text_of
from lanewise.tools.run import LINE
from pica200_caches import COLOUR, POSITION, STATE, opengl, parts_of, vulkan, vulkan_config, vulkan_program

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
TESTS = REPOSITORY / "tests"
PASS = (
    ".out place position\n.out tint color\n.in position\n.in color\n.fvec scale\n.proc main\n    mul place, scale, position\n"
    "    mov tint, color\n    end\n.end\n"
)
GEOMETRY = (TESTS / "golden" / "geometry.pica").read_bytes()

# Placeholders in command lines: data for the inputs of the seed (several arguments), the mutant, an output, a folder for
# outputs, the mutant on standard input, files of `support`, a file beside the mutant.
FILE, OUT, FOLDER, STDIN, DATA = "{file}", "{out}", "{folder}", "{stdin}", "{data}"
INPUTS, PROGRAM = "{inputs}", "{in}/program.scb"


# Programs other than `lanewise`, by the first word of a command line: what Python runs for them.
OTHER_PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "picasso": ("-c", "from lanewise.__main__ import picasso; picasso()"),
    "shadertest": ("-m", "lanewise", "test"),
}


class Kind(NamedTuple):
    """A kind of file.

    `commands` are chosen from at random; `name` is the mutant's, with the suffix of its seed for `*`. `beside` are files in its
    folder. `weight` is its share where all kinds are asked for.
    """

    name: str
    file: str
    seeds: Callable[[], Sequence[Seed]]
    mutate: Callable[[random.Random, Seed, Sequence[Seed]], bytes]
    commands: tuple[tuple[str, ...], ...]
    beside: Mapping[str, bytes] = {}
    weight: int = 4


# Seeds


def _texts(*patterns: str) -> list[Seed]:
    paths = sorted(path for pattern in patterns for path in REPOSITORY.glob(pattern))
    return [Seed(path.name, path.read_bytes()) for path in paths]


@cache
def picasso() -> list[Seed]:
    found = _texts("examples/*.pica", "tests/golden/*.pica", "tests/check/rules/*.pica", "bench/lanewise_bench/programs/*.pica")
    return [seed._replace(context=_inputs(seed)) for seed in found]


@cache
def nihstro() -> list[Seed]:
    found = _texts("examples/*.vsh", "tests/golden/*.vsh", "tests/golden/*.gsh")
    found.append(
        Seed(
            "plain.vsh",
            b".alias position v0\n.alias scale c0\n.alias place o0 as position\nmain:\n    mul r0, scale, position\n"
            b"    mov place, r0\n    nop\n    end\n",
        )
    )
    return [seed._replace(context=_inputs(seed)) for seed in found]


@cache
def shadercore() -> list[Seed]:
    return _texts("examples/*.sc", "tests/golden/*.sc", "tests/check/rules/*.sc")


@cache
def direct3d9() -> list[Seed]:
    return _texts("examples/direct3d9/*.?sa", "tests/golden/*.vsa", "tests/check/rules/*.vsa", "tests/check/rules/*.psa")


@cache
def caches() -> list[Seed]:
    """Shader caches in the two layouts of Azahar."""
    file = lw.assemble(PASS)
    words, descriptors = parts_of(file)
    entries = [(2, 7, vulkan_program(words, descriptors)), (1, 8, vulkan_config(7, 0, (POSITION, COLOUR)))]
    return [Seed("a.vkch", vulkan(entries)), Seed("gl.bin", opengl([(7, 0, STATE, words, descriptors), (9, 1, {}, (), ())]))]


def _included(path: str) -> str:
    return (TESTS / "golden" / path).read_text("utf-8")


@cache
def shbins() -> list[Seed]:
    """What the sources give, in the layouts of three writers."""
    found: dict[bytes, Seed] = {}
    for seed in (*picasso(), *nihstro()):
        result = assemble_sources([(seed.name, _decoded(seed))], compatible=True, read=_included)
        if result.data is not None:
            found.setdefault(result.data, Seed(seed.name.partition(".")[0] + ".shbin", result.data, seed.context))
    both = assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"])
    return [*found.values(), Seed("both.shbin", both.to_bytes(), ("-i", "position=1,2", "-i", "color=1,2,3"))]


def _inputs(seed: Seed) -> tuple[str, ...]:
    """Data for each input of a vertex shader."""
    try:
        shader = assemble_texts([(seed.name, _decoded(seed))], compatible=True).vertex
    except (InputError, ValueError):
        return ()
    return tuple([argument for row in shader.inputs for argument in ("-i", f"{row.name}=1,2,3;4,5,6")])


@cache
def raw_words() -> list[Seed]:
    """Words and descriptors of the sources, 4 bytes each."""
    found: list[Seed] = []
    for seed in (*picasso(), *nihstro()):
        encoded = assemble_sources([(seed.name, _decoded(seed))], compatible=True, read=_included).encoded
        if encoded.words:
            found += [
                Seed("words.bin", b"".join(word.to_bytes(4, "little") for word in rows))
                for rows in (encoded.words, encoded.descriptors)
            ]
    return found


@cache
def streams() -> list[Seed]:
    """Direct3D 9 shaders as words, and as texts of words."""
    found: list[Seed] = []
    for seed in direct3d9():
        try:
            shader = Direct3DShader.from_source(_decoded(seed), seed.name).shader
        except InputError:
            continue
        found += [Seed(f"shader.{form}", write_form(shader, form, "shader")) for form in ("bin", "bin", "bin", "hex", "c")]
    return found


@cache
def programs() -> list[Seed]:
    """ShaderCore programs with and without header, and as texts of words."""
    found: list[Seed] = []
    for seed in shadercore():
        read = read_source_text(_decoded(seed), seed.name)
        if read.program is None:
            continue
        found += [Seed("program.scb", write_binary(read.program)), Seed("program.bin", write_words(read.program))]
        found += [
            Seed(f"program.{form}", write_memory(program_memory(read.program), form, "program"))
            for form in ("hex", "c", "vhdl", "coe", "mem", "mif")
        ]
    return found


def _decoded(seed: Seed) -> str:
    return seed.data.decode("utf-8", "replace")


def _npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return stream.getvalue()


@cache
def arrays() -> list[Seed]:
    rows = [np.arange(12).reshape(3, 4).astype(kind) for kind in ("<f4", "<f8", "<f2", ">f4", "<i4", "u1", "?")]
    rows += [np.asfortranarray(rows[0]), np.zeros((0, 4)), np.float32(1.5), np.array(["a"]), np.array([(1, 2.0)], "i4,f4")]
    rows += [np.arange(4.0), np.array([0, 1, 2])]
    return [Seed("array.npy", _npy(array)) for array in rows]


@cache
def archives() -> list[Seed]:
    found: list[Seed] = []
    for save in (np.savez, np.savez_compressed):
        for names in (["position"], ["position", "color"]):
            stream = io.BytesIO()
            given: dict[str, Any] = {name: np.arange(8, dtype=np.float32).reshape(2, 4) for name in names}
            save(stream, **given)
            found.append(Seed("data.npz", stream.getvalue()))
    for array in (np.arange(4), np.arange(3)):
        stream = io.BytesIO()
        np.savez(stream, position=array)
        found.append(Seed("data.npz", stream.getvalue()))
    return found


def mutate_archive(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """The archive, or with right checksums an array in it."""
    stream = io.BytesIO()
    try:
        if rng.random() < 0.6:
            raise zipfile.BadZipFile
        with zipfile.ZipFile(io.BytesIO(seed.data)) as before, zipfile.ZipFile(stream, "w") as after:
            for name in before.namelist():
                renamed = rng.choice([name, name, name, name + "x", "position", "../up.npy", ".npy", "\x1b.npy"])
                after.writestr(renamed, mutate_bytes(rng, Seed(name, before.read(name)), seeds))
    except Exception:  # what zipfile raises for a mutant of a mutant
        return mutate_bytes(rng, seed, seeds)
    return stream.getvalue()


@cache
def tables() -> list[Seed]:
    texts = [
        "1,2,3,4\n5,6,7,8\n",
        "position,x,y,z\n1,2,3,4\n5,6,7,8\n",
        "1 2 3\n4 5 6\n",
        "x;y\n1;2\n",
        "a\tb\n1\t2\n",
        "# note\n1,2\n\n3,4\n",
        '"1","2"\n"3","4"\n',
        "1e3,-inf,nan\n",
        "0x10,1\n",
        "1,2,3,4\n",
        "0,1,2\n",
    ]
    return [Seed("table.csv", text.encode()) for text in texts]


@cache
def meshes() -> list[Seed]:
    """The example's mesh in every format, with normals, texture coordinates and colours."""
    import trimesh

    text = (EXAMPLES / "tetra.obj").read_bytes()
    corners, colors = np.eye(4, 3), np.arange(16, dtype=np.uint8).reshape(4, 4)
    mesh: Any = trimesh.Trimesh(corners, [[0, 1, 2], [0, 2, 3]], vertex_normals=corners, vertex_colors=colors, process=False)
    found = [
        Seed("mesh.obj", text),
        Seed("mesh.obj", b"v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n"),
    ]
    for suffix, options in (
        ("ply", {"encoding": "ascii"}),
        ("ply", {"encoding": "binary"}),
        ("stl", {}),
        ("stl_ascii", {}),
        ("glb", {}),
    ):
        data: Any = mesh.export(file_type=suffix, **options)
        found.append(Seed(f"mesh.{suffix.partition('_')[0]}", data if isinstance(data, bytes) else data.encode()))
    return found


def mutate_any(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """As a text where it is one; only seeds with the same suffix lend parts."""
    alike = [other for other in seeds if _suffix(other.name) == _suffix(seed.name)]
    text = not re.search(rb"[\0\x80-\xff]", seed.data)
    return (mutate_text if text and rng.random() < 0.9 else mutate_bytes)(rng, seed, alike)


def mutate_glb(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """A mesh; of a GLB often its JSON, with the lengths corrected."""
    if not seed.data.startswith(b"glTF") or rng.random() < 0.4:
        return mutate_any(rng, seed, seeds)
    length = int.from_bytes(seed.data[12:16], "little")
    scene = mutate_text(rng, Seed("scene", seed.data[20 : 20 + length]), [Seed("scene", seed.data[20 : 20 + length])])
    scene += b" " * (-len(scene) % 4)
    rest = seed.data[20 + length :]
    total = 20 + len(scene) + len(rest)
    return b"".join(
        (seed.data[:8], total.to_bytes(4, "little"), len(scene).to_bytes(4, "little"), seed.data[16:20], scene, rest)
    )


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]


def _seeds(name: str, *texts: str) -> Callable[[], list[Seed]]:
    return lambda: [Seed(name, text.encode()) for text in texts]


@cache
def shader_tests() -> list[Seed]:
    text = (
        'program = "pass.v.pica"\n[uniforms]\nscale = [2, 2, 2, 2]\n[[test]]\nname = "one"\ntolerance = 1\n[test.inputs]\n'
        "position = [[1, 2, 3, 4], [0, 0, 0, 0]]\ncolor = [1, 0.5, 0]\n[test.outputs]\nplace = [[2, 4, 6, 8], [0, 0, 0, 0]]\n"
        '"tint.x" = 1\n'
    )
    return [*_texts("examples/*.shadertest.toml"), Seed("pass.shadertest.toml", text.encode())]


@cache
def data_files() -> list[Seed]:
    """Data files, with and without a program."""
    words, descriptors = [
        [f"0x{int.from_bytes(seed.data[n : n + 4], 'little'):08X}" for n in range(0, len(seed.data), 4)]
        for seed in raw_words()[:2]
    ]
    program = {
        "words": words,
        "descriptors": descriptors,
        "entry": 1,
        "geometry": {"mode": "fixed", "array_start": 0, "vertex_count": 3},
    }
    whole = {
        "isa": "pica200",
        "program": program,
        "inputs": {"v0": [[1, 2, 3]], "v1": {"bits": ["0x3F0000"]}},
        "outputs": {"o0": "position", "o1.xyz": "color"},
    }
    plain = {
        "schema": "lanewise/data/1",
        "count": 2,
        "inputs": {"position": [[1, 2, 3], [4, 5, 6]], "color": [1, "NaN"]},
        "uniforms": {"scale": [1, 2, 3, 4]},
    }
    flow = {"booleans": {"b0": True}, "integers": {"i0": [1, 0, 1]}}
    waves = {"inputs": plain["inputs"], "uniforms": {"c0": [1, 2, 3, 4]}, "initial": {"r0.x": 1}}
    lit = {"inputs": {"position": [1, 2, 3]}, "uniforms": {"c0": {"bits": ["0x3F800000"]}}}
    return [
        Seed("data.json", json.dumps(content, indent=1).encode())
        for content in (
            whole,
            {**whole, "program": {**program, "geometry": None}},
            {**plain, **flow},
            {**plain, **flow, "samplers": {"s0": 1}},
            waves,
            lit,
        )
    ]


@cache
def sidecar() -> tuple[bytes, bytes]:
    """A compiled program, and its interface."""
    compiled = lw.load(EXAMPLES / "direct3d9" / "lit.vsa", isa="direct3d9").compile("rtl")
    return write_binary(compiled.program), json.dumps(compiled.interface, indent=1).encode()


@cache
def spirv() -> list[Seed]:
    return _texts("examples/glsl/*.spv", "tests/compile/**/*.spv")


@cache
def functions() -> list[Seed]:
    """Functions in SSA form, with the branches and loops of random programs."""
    programs = [normal_mapping(), skin(), *[Random(seed).program() for seed in range(8)]]
    return [Seed("function.ssa", text_of(lower(program)).encode()) for program in programs]


@cache
def effects() -> list[Seed]:
    """Effects of every kind."""
    made = {
        "water.fxb": water(),
        "xna.fxb": water(xna=True),
        "water.xnb": xnb(water(xna=True)),
        "level9.cso": dxbc(stream(VERTEX)),
    }
    made |= {f"glow{version}_{profile}.mgfxo": mgfx(version, profile) for version in (4, 7, 9, 10, 11) for profile in (0, 1)}
    return [Seed(name, data) for name, data in made.items()]


@cache
def packed() -> list[Seed]:
    """Files that hold programs of every instruction set among other bytes."""
    parts = [shbins()[0].data, streams()[0].data, programs()[0].data]
    return [Seed("game.bin", b"pad!".join(order)) for order in (parts, parts[::-1], [b"\0" * 500, *parts, b"DVLB" * 30])]


@cache
def support() -> dict[str, bytes]:
    """Files that command lines name."""
    words, descriptors = raw_words()[:2]
    return {
        "pass.v.pica": PASS.encode(),
        "geometry.g.pica": (EXAMPLES / "subdivide.g.pica").read_bytes(),
        "vertex.v.pica": (EXAMPLES / "subdivide.v.pica").read_bytes(),
        "transform.sc": (EXAMPLES / "transform.sc").read_bytes(),
        "lit.vsa": (EXAMPLES / "direct3d9" / "lit.vsa").read_bytes(),
        "words.bin": words.data,
        "descriptors.bin": descriptors.data,
        "tetra.obj": (EXAMPLES / "tetra.obj").read_bytes(),
        "including.vsh": b'.include "../in/fuzzed.inc"\nmain:\n    mov o0, v0\n    end\n',
        "including.vsa": b'#include "../in/fuzzed.inc"\n',
        "uniforms.json": json.dumps({"c0": [[1, 0, 0, 1]] * 96, "i0": [[2, 0, 1]] * 4, "b0": [True] * 16}).encode(),
        "suite.lwv": suite_bytes(suite()),
        "answers.lwv": answers()[0].data,
        "triangle.bin": (EXAMPLES / "triangle.bin").read_bytes(),
        "data.json": data_files()[2].data,
        "cutout.psa": (EXAMPLES / "cutout.psa").read_bytes(),
    }


# Commands

# Runs without data for all inputs and constants, where they would be an error.
_ZEROS = (
    ("--default", "0")
    if any(option.key == "default" for package in packages() for option in (*LINE.options, *package.manual("run").options))
    else ()
)
_PICA_RUN = (INPUTS, "--uniforms", DATA + "/uniforms.json", "--budget", "3000")
_PICA = (
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "--check", "--format", "json"),
    ("check", FILE),
    ("check", FILE, "--stats"),
    ("check", FILE, "--format", "sarif"),
    ("fmt", FILE),
    ("fmt", FILE, "--diff"),
    ("inspect", FILE, "--listing"),
    ("graph", FILE),
    ("graph", FILE, "--format", "svg", "-o", OUT + ".svg"),
    ("run", FILE, *_PICA_RUN, "-o", OUT + ".npz"),
    ("run", FILE, "--count", "1", "--budget", "3000"),
    ("run", FILE, *_PICA_RUN, "--trace", "0"),
    ("run", FILE, "--mesh", DATA + "/tetra.obj", *_PICA_RUN[1:]),
)
_PICASSO = (
    *_PICA,
    ("asm", FILE, "-o", OUT, "-H", OUT + ".h", "--words", OUT + ".w"),
    ("asm", FILE, "--picasso-compat", "-o", OUT),
    ("asm", FILE, "-n", "--layout", "official", "-o", OUT),
    ("convert", FILE, "--to", "nihstro", "-o", OUT),
    ("picasso", FILE, "-o", OUT, "-h", OUT + ".h"),
    ("picasso", FILE, DATA + "/pass.v.pica", "-o", OUT),
    ("run", DATA + "/vertex.v.pica", FILE, "-i", "position=0,0;1,1;2,2", "-i", "color=1", *_PICA_RUN[1:], "--indices", "0,1,2"),
    ("check", DATA + "/vertex.v.pica", FILE, "--link"),
    ("asm", STDIN, "-o", OUT),
)
_NIHSTRO = (
    *_PICA,
    ("convert", FILE, "--to", "picasso", "-o", OUT),
    ("asm", FILE, "-g", "--layout", "nihstro", "-o", OUT),
    ("fmt", STDIN, "--dialect", "nihstro"),
)
_SHBIN = (
    ("dis", FILE),
    ("dis", FILE, "-o", OUT),
    ("dis", FILE, "--dialect", "nihstro", "-o", OUT),
    ("dis", FILE, "--listing"),
    ("dis", FILE, "--format", "json"),
    ("dis", FILE, "-o", FOLDER + "/"),
    ("check", FILE),
    ("check", FILE, "--stats", "--format", "json"),
    ("inspect", FILE),
    ("inspect", FILE, "--format", "json"),
    ("inspect", FILE, "--listing"),
    ("inspect", FILE, "--output-maps"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("convert", FILE, "--to", "nihstro", "-o", FOLDER + "/"),
    ("convert", FILE, "--to", "picasso", "-o", FOLDER + "/"),
    ("graph", FILE),
    ("graph", FILE, "--format", "json"),
    ("run", FILE, *_PICA_RUN, "-o", OUT + ".npz"),
    ("run", FILE, *_PICA_RUN, "--format", "json"),
    ("run", FILE, *_PICA_RUN, "--trace", "0"),
    ("run", FILE, *_PICA_RUN, "--indices", "0,1,0", "--topology", "triangles"),
    ("asm", FILE, "-o", OUT),
    ("inspect", STDIN),
)
_WORDS = (
    ("dis", FILE, "--words"),
    ("dis", FILE, "--words", "--descriptors", DATA + "/descriptors.bin", "-o", OUT),
    ("dis", DATA + "/words.bin", "--words", "--descriptors", FILE),
    ("check", "--words", FILE),
    ("check", "--words", FILE, "--descriptors", DATA + "/descriptors.bin"),
    ("check", "--words", DATA + "/words.bin", "--descriptors", FILE),
    ("inspect", "--words", FILE),
    ("inspect", "--words", DATA + "/words.bin", "--descriptors", FILE),
    ("inspect", "--words", FILE, "--descriptors", FILE, "--format", "json"),
    ("dis", FILE, "--words", "--listing"),
    ("inspect", FILE),
    ("inspect", "--scan", FILE),
    ("dis", FILE, "--words", "--dialect", "nihstro", "--descriptors", DATA + "/descriptors.bin"),
    ("graph", "--words", FILE, "--entry", "1"),
    ("run", "--words", FILE, "--descriptors", DATA + "/descriptors.bin", "--budget", "3000", *_ZEROS),
    ("run", "--words", FILE, "--descriptors", FILE, "--geometry", "point", "-i", "v0=1", "--budget", "3000", *_ZEROS),
    ("check", "--words", FILE, "--descriptors", FILE, "--data", DATA + "/data.json"),
)
_SC_RUN = ("-i", "v0=1,2,3;4,5,6", *_ZEROS)
_SC_COMMON = (
    ("check", FILE),
    ("check", FILE, "--device", "document", "--stats"),
    ("inspect", FILE),
    ("inspect", FILE, "--listing", "--format", "json"),
    ("run", FILE, *_SC_RUN, "-o", OUT + ".npz"),
    ("run", FILE, *_SC_RUN, "--device", "document", "--bits"),
    ("run", FILE, "--count", "20", *_ZEROS),
    ("time", FILE, "--vertices", "40"),
    ("time", FILE, "--svg", OUT, "--vcd", OUT + ".vcd"),
    ("time", FILE, "--device", "document", "--json"),
    ("graph", FILE),
    ("graph", FILE, "--order", "--each", "--format", "json"),
    ("graph", FILE, "--device", "document", "-o", OUT + ".svg"),
    ("run", FILE, *_SC_RUN, "--trace", "1"),
    ("run", FILE, *_SC_RUN, "--trace", "0", "--trace-format", "table"),
    ("run", FILE, *_SC_RUN, "--trace", "1", "--explain", "o0.x"),
    ("run", FILE, *_SC_RUN, "--trace", "1", "--device", "document", "--registers", "--trace-format", "json"),
    ("run", FILE, *_SC_RUN, "--trace", "0", "-o", OUT + ".vcd"),
)
_SC = (
    *_SC_COMMON,
    ("fmt", "--check", FILE),
    ("fmt", "--diff", "--indent", "tab", FILE),
    ("rtl", FILE, "--bench", FOLDER, "-i", "v0=1,2,3", *_ZEROS),
    ("time", FILE, "--reordered", OUT, "--stream", "float3,d3dcolor", "--memory-latency", "9"),
    ("asm", FILE, "-o", OUT, "--constants", OUT + ".mif", "--header", OUT + ".h"),
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "-o", OUT, "--to", "vhdl"),
    ("asm", FILE, "--check", "--format", "json"),
    ("asm", STDIN, "-o", OUT, "--dialect", "shadercore"),
)
_SC_FORMS = (
    *_SC_COMMON,
    ("dis", FILE, "-o", OUT),
    ("dis", FILE, "--isa", "shadercore"),
    ("dis", FILE, "--to", "coe", "-o", OUT),
    ("dis", FILE, "--from", "words"),
    ("dis", FILE, "--from", "hex"),
    ("dis", FILE, "--to", "mif", "-o", OUT, "--header", OUT + ".h"),
    ("rtl", FILE, "--bench", FOLDER, "--count", "2", *_ZEROS),
    ("dis", FILE, "--from", "c"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("check", FILE, "--from", "words"),
)
_D3D_RUN = ("-i", "v0=1,2,3", "--turns", "60", *_ZEROS)
_D3D_COMMON = (
    ("check", FILE),
    ("check", FILE, "--stats", "--format", "json"),
    ("inspect", FILE),
    ("inspect", FILE, "--listing"),
    ("run", FILE, *_D3D_RUN, "-o", OUT + ".npz"),
    ("run", FILE, "--count", "2", "--turns", "60", "--rule", "rtl", *_ZEROS),
    ("run", FILE, "--count", "1", "--turns", "60"),
    ("run", FILE, *_D3D_RUN, "--rule", "d3d9", "--format", "json"),
    ("compile", FILE, "-o", OUT),
    ("compile", FILE, "-o", OUT, "--device", "document", "--report"),
    ("compile", FILE, "--stage", "program"),
    ("compile", FILE, "--decl", "v0=float3", "--check"),
    ("dis", FILE, "-o", OUT),
    ("graph", FILE),
    ("graph", FILE, "-o", OUT + ".svg", "--bool", "b0=true"),
    ("run", FILE, *_D3D_RUN, "--trace", "0"),
    ("run", FILE, *_D3D_RUN, "--trace", "0", "--explain", "position.x", "--format", "json"),
    ("run", FILE, *_D3D_RUN, "--registers"),
)
_D3D = (
    *_D3D_COMMON,
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "-o", OUT, "--to", "c"),
    ("asm", FILE, "--check"),
    ("asm", STDIN, "--dialect", "direct3d9", "-o", OUT),
    ("asm", FILE, "-o", OUT, "-D", "A=c1", "-I", DATA),
    ("fmt", FILE),
    ("fmt", FILE, "--diff", "--indent", "tab"),
)
_D3D_STREAM = (
    *_D3D_COMMON,
    ("dis", FILE),
    ("dis", FILE, "--symbols"),
    ("dis", FILE, "--style", "microsoft"),
    ("dis", FILE, "--to", "hex", "-o", OUT),
    ("inspect", FILE, "--format", "json"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("dis", STDIN),
)
_PASS = DATA + "/pass.v.pica"
_GIVEN = ("-i", "color=1,1,1", "-u", "scale=1,1,1,1")
_VALUES = (
    ("run", _PASS, "-i", "position=" + FILE, *_GIVEN, "-o", OUT + ".npz"),
    ("run", _PASS, "-i", "position=" + FILE + ":position", *_GIVEN),
    ("run", _PASS, "-i", "position=1,2,3", "-i", "color=1", "-u", "scale[0]=" + FILE),
    ("run", DATA + "/transform.sc", "-i", "v0=" + FILE, "-c", "c0=1", *_ZEROS),
    ("run", DATA + "/transform.sc", "-i", "v0=1", "-c", "c0=" + FILE, *_ZEROS),
    ("run", DATA + "/lit.vsa", "-i", "v0=" + FILE, "--turns", "60", *_ZEROS),
    ("run", _PASS, "-i", "position=0,0;1,1;2,2", *_GIVEN, "--indices", FILE),
)
_PROFILE_TEXTS = (
    'preset = "azahar"\nmad_rounding = "once"\n',
    'mad_rounding = "twice"\n',
)
_CONFIGURATIONS = (
    'select = ["V", "P"]\nignore = ["V070"]\nindent = "tab"\nprofile = "azahar"\n',
    'exclude = ["old/*", "!old/x"]\n[per-file-ignores]\n"*.pica" = ["V"]\n',
    'indent = 2\n[compile]\noptimise = "1"\ndefine = ["X=1"]\n[compile.semantics]\ntint = "color"\n',
)
_DEVICE_TEXTS = (
    'base = "rtl"\nname = "mine"\n[set]\nissue_interval = 4\nrsq_gate = "fixed"\n',
    'base = "document"\n',
    '[set]\nconstant_ports = "two"\n',
)

KINDS: tuple[Kind, ...] = (
    Kind("picasso", "fuzzed.v.pica", picasso, mutate_text, _PICASSO, weight=8),
    Kind("nihstro", "fuzzed.vsh", nihstro, mutate_text, _NIHSTRO, weight=6),
    Kind("shadercore", "fuzzed.sc", shadercore, mutate_text, _SC, weight=5),
    Kind("direct3d9", "fuzzed.vsa", direct3d9, mutate_text, _D3D, weight=6),
    Kind(
        "included",
        "fuzzed.inc",
        lambda: [*nihstro(), *direct3d9()],
        mutate_text,
        (
            ("asm", DATA + "/including.vsh", "-o", OUT),
            ("check", DATA + "/including.vsh"),
            ("asm", DATA + "/including.vsa", "-o", OUT),
            ("compile", DATA + "/including.vsa", "-o", OUT),
            ("fmt", "--check", DATA + "/including.vsh"),
            ("convert", DATA + "/including.vsh", "--to", "picasso", "-o", OUT),
            ("run", DATA + "/including.vsa", *_D3D_RUN),
        ),
        weight=1,
    ),
    Kind("shbin", "fuzzed.shbin", shbins, mutate_bytes, _SHBIN, weight=10),
    Kind(
        "spirv",
        "fuzzed.spv",
        spirv,
        mutate_spirv,
        (
            ("compile", FILE, "-o", OUT, "--header", OUT + ".h"),
            ("compile", FILE, "--check", "--report", "--format", "json"),
            ("compile", FILE, "--stage", "spirv"),
            ("check", FILE),
            ("compile", FILE, "--stage", "vector"),
            ("compile", FILE, "-o", OUT + ".v.pica"),
            ("run", FILE, "--budget", "3000", *_ZEROS),
            ("graph", FILE),
            ("inspect", FILE),
        ),
        weight=3,
    ),
    Kind(
        "ssa",
        "fuzzed.ssa",
        functions,
        mutate_text,
        (
            ("compile", FILE, "--check"),
            ("compile", FILE, "--target", "shadercore", "--check", "--bound", "turns=3"),
            ("compile", FILE, "--stage", "ssa"),
        ),
    ),
    Kind("words", "fuzzed.bin", raw_words, mutate_bytes, _WORDS, weight=8),
    Kind("program", "fuzzed.*", programs, mutate_any, _SC_FORMS, weight=5),
    Kind("stream", "fuzzed.*", streams, mutate_any, _D3D_STREAM, weight=8),
    Kind(
        "effect",
        "fuzzed.*",
        effects,
        mutate_bytes,
        (
            ("inspect", FILE),
            ("inspect", FILE, "--format", "json"),
            ("dis", FILE),
            ("dis", FILE, "-o", FOLDER),
            ("check", FILE),
            ("dis", FILE + ":Water/P0/pixel"),
            ("inspect", FILE + ":1"),
            ("run", FILE + ":pixel", "--count", "1", "--sampler", "0=1,0,0,1", *_ZEROS),
            ("compile", FILE + ":0", "-o", OUT),
            ("run", FILE, "--program", "Glow/P1/pixel", "--sampler", "0=1,0,0,1", *_ZEROS),
        ),
        weight=3,
    ),
    Kind(
        "packed",
        "fuzzed.bin",
        packed,
        mutate_bytes,
        (
            ("inspect", "--scan", FILE),
            ("inspect", "--scan", FILE, "--extract", FOLDER),
            ("inspect", "--scan", FILE, "--format", "json"),
            ("inspect", FILE),
            ("dis", FILE),
        ),
        weight=1,
    ),
    Kind("npy", "fuzzed.npy", arrays, mutate_bytes, _VALUES, weight=3),
    Kind("npz", "fuzzed.npz", archives, mutate_archive, _VALUES, weight=3),
    Kind(
        "table",
        "fuzzed.csv",
        tables,
        mutate_text,
        (*_VALUES, ("run", _PASS, "-i", "position=" + FILE + ":x,y", *_GIVEN)),
        weight=3,
    ),
    Kind(
        "mesh",
        "fuzzed.*",
        meshes,
        mutate_glb,
        (
            ("run", _PASS, "--mesh", FILE, "-u", "scale=1,1,1,1"),
            ("run", _PASS, "--mesh", FILE, "-i", "color=mesh:normal", "-u", "scale=1,1,1,1", "-o", OUT + ".npz"),
            (
                "run",
                DATA + "/vertex.v.pica",
                DATA + "/geometry.g.pica",
                "--mesh",
                FILE,
                "-i",
                "color=1",
                *_PICA_RUN[1:],
                "--indices",
                "all",
            ),
        ),
        weight=4,
    ),
    Kind(
        "json",
        "fuzzed.json",
        _seeds("u.json", '{"scale": [1, 2, 3, 4]}', '{"scale": [[1, 2], [3, 4]], "c5": 1, "b0": true, "i0": [1, 2, 3]}'),
        mutate_text,
        (("run", _PASS, "-i", "position=1", "-i", "color=1", "--uniforms", FILE),),
        weight=2,
    ),
    Kind(
        "toml",
        "fuzzed.toml",
        _seeds("u.toml", "scale = [1, 2, 3, 4]\n", "scale = [[1, 2.5], [-3e4, inf]]\nc5 = 1\nb0 = true\ni0 = [1, 2, 3]\n"),
        mutate_text,
        (("run", _PASS, "-i", "position=1", "-i", "color=1", "--uniforms", FILE),),
        weight=2,
    ),
    Kind(
        "data",
        "fuzzed.json",
        data_files,
        mutate_text,
        (
            ("run", _PASS, "--data", FILE, "--budget", "3000"),
            ("run", DATA + "/transform.sc", "--data", FILE, *_ZEROS),
            ("run", DATA + "/lit.vsa", "--data", FILE, "--turns", "60", *_ZEROS),
            ("run", "--data", FILE, "--budget", "3000", *_ZEROS),
            ("check", "--data", FILE),
            ("dis", "--data", FILE),
            ("graph", "--data", FILE),
            ("inspect", "--data", FILE),
        ),
        weight=3,
    ),
    Kind(
        "shadertest",
        "fuzzed.shadertest.toml",
        shader_tests,
        mutate_text,
        (("shadertest", FILE),),
        {
            "pass.v.pica": PASS.encode(),
            **{
                path.name: path.read_bytes()
                for pattern in ("*.pica", "*.sc", "*.psa")
                for path in sorted(EXAMPLES.glob(pattern))
            },
        },
        weight=4,
    ),
    Kind(
        "device",
        "fuzzed.toml",
        _seeds("device.toml", *_DEVICE_TEXTS),
        mutate_text,
        (
            ("time", DATA + "/transform.sc", "--device", FILE),
            ("run", DATA + "/transform.sc", "-i", "v0=1", "--device", FILE, *_ZEROS),
            ("check", DATA + "/transform.sc", "--device", FILE),
            ("compile", DATA + "/lit.vsa", "--device", FILE, "-o", OUT),
            ("run", DATA + "/lit.vsa", "-i", "v0=1", "--device", FILE, *_ZEROS),
        ),
        weight=2,
    ),
    Kind(
        "cache",
        "fuzzed.*",
        caches,
        mutate_bytes,
        (
            ("inspect", FILE),
            ("inspect", FILE, "--format", "json"),
            ("check", FILE),
            ("dis", FILE),
            ("dis", FILE + ":0"),
            ("run", FILE + ":0", "-i", "v0=1", "--budget", "3000", *_ZEROS),
        ),
        weight=3,
    ),
    Kind(
        "evidence",
        "fuzzed.txt",
        _seeds(
            "results.txt",
            "lanewise-evidence 1\nkit 00\nbegin max-zero-neg-inf\ncell max-zero-neg-inf 00FF00\ncell rcp-0-high 00FF00\n",
        ),
        mutate_text,
        (("evidence", "import", FILE), ("evidence", "import", FILE, "-o", OUT + ".toml")),
        weight=1,
    ),
    Kind(
        "picture",
        "fuzzed.png",
        lambda: _texts("examples/*.png"),
        mutate_bytes,
        (("run", DATA + "/cutout.psa", "-i", "texcoord0=0.5,0.5", "--sampler", "0=" + FILE),),
        weight=2,
    ),
    Kind(
        "profile",
        "fuzzed.toml",
        _seeds("profile.toml", *_PROFILE_TEXTS),
        mutate_text,
        (("run", _PASS, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--profile", FILE),),
        weight=2,
    ),
    Kind(
        "configuration",
        "fuzzed.toml",
        _seeds("lanewise.toml", *_CONFIGURATIONS),
        mutate_text,
        (
            ("check", _PASS, "--config", FILE),
            ("fmt", "--check", _PASS, "--config", FILE),
            ("run", _PASS, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--config", FILE),
        ),
        weight=2,
    ),
    Kind(
        "script",
        "fuzzed.debug",
        lambda: _texts("examples/*.debug"),
        mutate_text,
        (("debug", _PASS, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--headless", FILE),),
        weight=2,
    ),
    Kind(
        "list",
        "fuzzed.shlist",
        _seeds("light.shlist", "pass.v.pica\n", "pass.v.pica pass.v.pica"),
        mutate_text,
        (("asm", FILE, "-o", OUT), ("check", FILE)),
        {"pass.v.pica": PASS.encode()},
        weight=1,
    ),
    Kind(
        "sidecar",
        "program.json",
        lambda: [Seed("program.json", sidecar()[1])],
        mutate_text,
        (
            ("run", PROGRAM, "-i", "position=1,2,3", *_ZEROS),
            ("run", PROGRAM, "-i", "v0=1,2,3", "-c", "c0=1", *_ZEROS, "-o", OUT + ".npz"),
            ("inspect", PROGRAM),
        ),
        {"program.scb": sidecar()[0]},
        weight=2,
    ),
    Kind(
        "buffer",
        "fuzzed.bin",
        lambda: [Seed("buffer.bin", (EXAMPLES / "triangle.bin").read_bytes())],
        mutate_bytes,
        (
            (
                "run",
                _PASS,
                "--attribute",
                "position=float*3",
                "--attribute",
                "color=ubyte*4",
                "--buffer",
                FILE,
                "-u",
                "scale=1,1,1,1",
            ),
            (
                "run",
                _PASS,
                "--attribute",
                "position=short*3",
                "--buffer",
                FILE + ":2:8",
                "-i",
                "color=1",
                "-u",
                "scale=1,1,1,1",
                "--count",
                "2",
            ),
            ("run", DATA + "/transform.sc", "--stream", "v0=float3:" + FILE, *_ZEROS),
            ("run", DATA + "/transform.sc", "--stream", "v0=d3dcolor:" + FILE + ":1:2", *_ZEROS),
            ("time", DATA + "/transform.sc", "--stream", "v0=float3:" + FILE),
        ),
        weight=1,
    ),
    Kind(
        "indices",
        "fuzzed.idx",
        lambda: [Seed("list.idx", b"\0\0\1\0\2\0\0\0\2\0\1\0")],
        mutate_bytes,
        (
            ("run", DATA + "/transform.sc", "-i", "v0=1,2;3,4;5,6", "--indices", FILE, *_ZEROS),
            ("run", DATA + "/transform.sc", "--stream", "v0=float3:" + DATA + "/triangle.bin", "--indices", FILE, *_ZEROS),
        ),
        weight=1,
    ),
    Kind(
        "record",
        "fuzzed.record",
        lambda: records(PASS.encode()),
        mutate_record,
        (
            ("fuzz", "--record", FILE, "--resume", "--minutes", "0.001", "-o", FOLDER),
            ("fuzz", "--record", FILE, "--resume", "--minutes", "0.001", "-o", FOLDER, "--format", "json"),
            ("opt", "--record", FILE, "--resume", "-o", FOLDER),
            ("opt", "--record", FILE, "--resume", "--format", "json"),
        ),
        {"pass.v.pica": PASS.encode()},
        weight=2,
    ),
    Kind(
        "answers",
        "fuzzed.*",
        answers,
        mutate_answers,
        (
            ("vectors", "--report", FILE, "--cases", DATA + "/suite.lwv"),
            ("vectors", "--report", FILE, "--cases", DATA + "/suite.lwv", "--format", "json", "--ulp", "1", "--ignore-nan"),
            ("vectors", "--report", DATA + "/answers.lwv", "--cases", FILE),
        ),
        weight=2,
    ),
    *[
        Kind(name, "fuzzed.jsonl", partial(talks, name), mutate_text, (("serve", name, FILE, DATA),), weight=2)
        for name in SERVERS
    ],
)
BY_NAME = {kind.name: kind for kind in KINDS}


def write_support(folder: Path) -> None:
    for name, data in support().items():
        (folder / name).write_bytes(data)


def wanted(names: Iterable[str]) -> list[Kind]:
    """The kinds of a list of names; all for none. Raises KeyError."""
    return [BY_NAME[name] for name in names] or list(KINDS)
