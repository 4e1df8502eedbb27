"""Seeds of kinds of files, what mutates those that have parts, and files that command lines name.

Seeds are the sources of this repository; binary files are written from them when they are needed.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import lanewise as lw
from compile.vector_random import Random
from compile.vector_shaders import normal_mapping, skin
from conformance.small_core import ENTITY, OUTSIDE_ENTITY
from corpus import REPOSITORY
from direct3d9_effects import VERTEX, dxbc, mgfx, stream, water, xnb
from fuzz.exchanged import answers, suite
from fuzz.mutation import Seed, mutate_bytes, mutate_text
from lanewise.api.loading import assemble
from lanewise.compile.outside.module import Spirv
from lanewise.compile.services.pipeline import Lowered, assembled
from lanewise.compile.services.preamble import preamble_file
from lanewise.compile.vector.lowering import lower
from lanewise.core.diagnostics import InputError
from lanewise.core.service import Request, SourceFile
from lanewise.core.vectors.flat import suite_bytes
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.container.forms import write_form
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.file import assemble_texts
from lanewise.shadercore.api.services.entity_files import TEMPLATE
from lanewise.shadercore.container.header import write_binary, write_words
from lanewise.shadercore.container.memory import program_memory, write_memory
from lanewise.shadercore.text.reader import read_source_text
from lanewise.ssa.text import text_of
from pica200_caches import COLOUR, POSITION, STATE, opengl, parts_of, vulkan, vulkan_config, vulkan_program
from pica200_frames import Recorder, triangle

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
TESTS = REPOSITORY / "tests"
PASS = (
    ".out place position\n.out tint color\n.in position\n.in color\n.fvec scale\n.proc main\n    mul place, scale, position\n"
    "    mov tint, color\n    end\n.end\n"
)
GEOMETRY = (TESTS / "golden" / "geometry.pica").read_bytes()


PROFILE_TEXTS = (
    'preset = "azahar"\nmad_rounding = "once"\n',
    'mad_rounding = "twice"\n',
)
LOGS = (
    '{"pc": 0, "dst": "o0", "values": [1, 0, 0, 1]}\n{"pc": "0x1", "dst": "tint", "x": "3f0000", "cmp": [0, 0], "vertex": 0}\n',
    "[1] pc=000 o0 3f800000 00000000 00000000 3f800000 c=0,0\n[2] pc=001 o1.xyz 3f800000 - - - c=0,false\n\npc=002 end\n",
    "0: mul o0 1.000000\n1: mov o1 1.0e0\n2: end - -\n",
)
CONFIGURATIONS = (
    'select = ["V", "P"]\nignore = ["V070"]\nindent = "tab"\nprofile = "azahar"\n',
    'exclude = ["old/*", "!old/x"]\n[per-file-ignores]\n"*.pica" = ["V"]\n',
    'indent = 2\n[compile]\noptimise = "1"\ndefine = ["X=1"]\n[compile.semantics]\ntint = "color"\n',
)
# Sources that are linked, which lie beside the configuration; a file that is not there.
UNIT_TEXTS = (
    '[units]\npass = ["pass.v.pica", "points.g.pica"]\n',
    '[units]\none = ["pass.v.pica"]\n[units.two]\nsources = ["points.g.pica", "./pass.v.pica"]\n',
    'ignore = ["V098"]\n[units]\npass = {sources = ["pass.v.pica", "none/points.g.pica"]}\n',
)
POINTS = """.gsh point c0
.entry gmain
.out position position
.out color color
.proc gmain
    setemit 0
    mov position, v0
    mov color, v1
    emit
    setemit 1
    mov position, v2
    mov color, v3
    emit
    setemit 2, prim
    mov position, v4
    mov color, v5
    emit
    end
.end
"""
DEVICE_TEXTS = (
    'base = "rtl"\nname = "mine"\n[set]\nissue_interval = 4\nrsq_gate = "fixed"\n',
    'pipes = ["CMP", "ADD", "MUL", "SPEC", "CNV", "SHFT", "BIT", "FMA"]\n[instructions.mul]\nlatency = 3\n'
    '[instructions.fma]\nopcode = 32\npipe = "FMA"\nlatency = 6\ninterval = 9\nmeaning = "select(a < b, a * -b, ~c) >> 8"\n',
    'base = "document"\n',
    '[set]\nconstant_ports = "two"\n',
)


ENTITY_TEXTS = (TEMPLATE, ENTITY, OUTSIDE_ENTITY)


def texts_of(*patterns: str) -> list[Seed]:
    paths = sorted(path for pattern in patterns for path in REPOSITORY.glob(pattern))
    return [Seed(path.name, path.read_bytes()) for path in paths]


@cache
def picasso() -> list[Seed]:
    folders = "examples", "tests/golden", "tests/check/rules", "bench/lanewise_bench/programs"
    found = texts_of(*[f"{folder}/*.pica" for folder in folders])
    return [seed._replace(context=_inputs(seed)) for seed in found]


@cache
def nihstro() -> list[Seed]:
    found = texts_of("examples/*.vsh", "tests/golden/*.vsh", "tests/golden/*.gsh")
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
    return texts_of("examples/*.sc", "tests/golden/*.sc", "tests/check/rules/*.sc")


@cache
def direct3d9() -> list[Seed]:
    return texts_of("examples/direct3d9/*.?sa", "tests/golden/*.vsa", "tests/check/rules/*.vsa", "tests/check/rules/*.psa")


@cache
def caches() -> list[Seed]:
    """Shader caches in the two layouts of Azahar."""
    file = lw.assemble(PASS)
    words, descriptors = parts_of(file)
    entries = [(2, 7, vulkan_program(words, descriptors)), (1, 8, vulkan_config(7, 0, (POSITION, COLOUR)))]
    return [Seed("a.vkch", vulkan(entries)), Seed("gl.bin", opengl([(7, 0, STATE, words, descriptors), (9, 1, {}, (), ())]))]


@cache
def frames() -> list[Seed]:
    """Recorded frames: a triangle in each of two frames, in both kinds of file."""
    screen = Recorder().write(0x41, 0x45E000).write(0x43, 0x469000).write(0x68, 0).write(0x107, 0x1061)
    recorder = triangle(triangle(screen).end())
    return [Seed("a.ctf", recorder.citrace()), Seed("records.bin", recorder.bytes())]


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
            for form in ("hex", "c", "vhdl", "verilog", "coe", "mem", "mif")
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


def seeds_of(name: str, *texts: str) -> Callable[[], list[Seed]]:
    return lambda: [Seed(name, text.encode()) for text in texts]


@cache
def shader_tests() -> list[Seed]:
    text = (
        'program = "pass.v.pica"\n[uniforms]\nscale = [2, 2, 2, 2]\n[[test]]\nname = "one"\ntolerance = 1\n[test.inputs]\n'
        "position = [[1, 2, 3, 4], [0, 0, 0, 0]]\ncolor = [1, 0.5, 0]\n[test.outputs]\nplace = [[2, 4, 6, 8], [0, 0, 0, 0]]\n"
        '"tint.x" = 1\n'
    )
    source = f"[[source]]\nname = \"a.v.pica\"\ntext = '''\n{PASS}'''\n"
    own = text.replace('program = "pass.v.pica"\n', f'topology = "strip"\nvertices_per_primitive = 3\n{source}')
    return [*texts_of("examples/*.shadertest.toml"), *[Seed("pass.shadertest.toml", each.encode()) for each in (text, own)]]


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
def preamble() -> tuple[bytes, bytes]:
    """A program of the PICA200, and its preamble."""
    source = SourceFile("program.vert", b"", "program.vert")
    program = Lowered(vector=Random(7).program(), spirv=Spirv(data=b""), diagnostics=())
    compiled = assembled(program, source, Request("compile", (source,), {"preamble": ""}))
    ((_, content),) = preamble_file(compiled, "program.shbin")
    return compiled.file.to_bytes(), content


@cache
def spirv() -> list[Seed]:
    return texts_of("examples/glsl/*.spv", "tests/compile/**/*.spv")


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


def write_support(folder: Path) -> None:
    for name, data in support().items():
        (folder / name).write_bytes(data)
