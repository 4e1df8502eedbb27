"""Preambles: what is computed before a draw is what the program would compute for each vertex, in Python and in C."""

from __future__ import annotations

import json
import random
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from compile import vector_shaders as shaders
from compile.vector_random import Random, words
from documents import checked
from effort import times
from installed import needs
from lanewise.compile.outside.module import Spirv
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.services.citro3d import c_header
from lanewise.compile.services.citro3d_preamble import INCLUDES, preamble_functions
from lanewise.compile.services.pipeline import Compiled, Lowered, assembled, lowered
from lanewise.compile.services.preamble import placed, preamble_file
from lanewise.compile.vector import code as v
from lanewise.compile.vector.interpret import interpret
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.split import Splitter
from lanewise.compile.vector.verify import verify
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.service import Request, SourceFile
from lanewise.pica200.isa.table import FLOAT, INTEGER
from lanewise.pica200.isa.uniforms import PREAMBLE, hidden
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = Words()
STUB = """
typedef union { struct { float w, z, y, x; }; float c[4]; } C3D_FVec;
enum { GPU_VERTEX_SHADER };
static inline void C3D_FVUnifSet(int, int, float, float, float, float) {}
static float number(uint32_t bits) { float a; memcpy(&a, &bits, sizeof a); return a; }
static void show(float a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    printf("%08x ", a != a ? 0x7FC00000u : bits);
}
"""
EDGES = (0, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x7F7FFFFF, 0x40490FDB)
# A skinned vertex in light: a loop over a count, booleans, an array that vertices index, an inverse and a matrix product.
SKINNED = """#version 450
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 joints;
uniform mat4 projection, view, model;
uniform mat4 bones[4];
uniform vec4 ambient[4];
uniform float shine, gain, bias;
uniform int lights;
uniform bool dim, lit;
layout(location = 0) out vec4 color;
void main() {
    mat4 bone = bones[int(joints.x)];
    vec4 base = vec4(0.0);
    for (int i = 0; i < lights; i++)
        base += ambient[i] * exp2(shine);
    if (dim)
        base *= 0.25;
    vec3 toward = normalize((transpose(inverse(mat3(view))) * vec3(gain, bias, shine)));
    float facing = max(dot(normalize(mat3(bone) * normal), toward), 0.0);
    color = vec4(gain, bias, shine, gain * bias);
    if (lit)
        color = base + facing * vec4(gain, bias, shine, 1.0);
    gl_Position = (projection * view * model) * (bone * vec4(place, 1.0));
}
"""


def compiled(program: v.Program, mode: str) -> Compiled:
    source = SourceFile(f"{program.name}.vert", b"", f"{program.name}.vert")
    lowered = Lowered(vector=program, spirv=Spirv(data=b""), diagnostics=())
    return assembled(lowered, source, Request("compile", (source,), {"preamble": mode} if mode else {}))


def split(program: v.Program) -> Splitter:
    return Splitter(simplified(program, NUMBERS), PREAMBLE)


def test_both_parts_compute_what_the_program_does():
    for seed in range(times(16, 3000)):
        program = Random(seed).program()
        splitter = split(program)
        for count in {len(splitter.sets), len(splitter.sets) // 2} - {0}:
            parts = splitter.split(splitter.sets[:count])
            verify(parts.preamble)
            verify(parts.program)
            r = random.Random(seed)
            inputs = [[NUMBERS.canonical(word) for word in words(r, 1)[0]] for _ in program.inputs]
            rows = [[[NUMBERS.canonical(word) for word in row] for row in words(r, u.rows)] for u in program.uniforms]
            flags, counts = [r.random() < 0.5 for _ in program.flags], [r.choice((0, 1, 3)) for _ in program.counts]
            wanted = interpret(program, NUMBERS, inputs, rows, flags, counts)
            given = interpret(parts.preamble, NUMBERS, [], rows, flags, counts)
            own = [given[output.name] for output in parts.preamble.outputs]
            found = interpret(parts.program, NUMBERS, inputs, [*rows, own], flags, counts)
            for output in program.outputs:
                assert [found[output.name][n] for n in output.lanes] == [wanted[output.name][n] for n in output.lanes], seed


def test_an_exact_preamble_gives_the_same_bits():
    saved = 0
    for seed in range(times(2, 400)):
        program = Random(seed).program()
        plain, other = compiled(program, ""), compiled(program, "exact")
        saved += len(plain.file.words) - len(other.file.words)
        assert len(other.file.words) <= len(plain.file.words)
        r = random.Random(seed)
        values: dict[str, object] = {u.name: lw.Words(np.array(words(r, u.rows), dtype=np.uint32)) for u in program.uniforms}
        values |= {flag.name: r.random() < 0.5 for flag in program.flags}
        given = {i.name: lw.Words(np.array(words(r, 4), dtype=np.uint32)) for i in program.inputs}
        for turns in (0, 2):
            each: list[dict[str, list[int]]] = []
            for file in (plain.file, other.file):
                own = {key: value for key, value in values.items() if key in [row.name for row in file.vertex.uniforms]}
                own |= {"turns": turns} if any(row.name == "turns" for row in file.vertex.uniforms) else {}
                found = file.vertex.run(given, own, defaults=0, budget=100_000)  # type: ignore[arg-type]
                each.append({key: bits.tolist() for key, bits in found.bits.items()})
            assert each[0] == each[1], seed
    assert saved > 0


def pattern(r: random.Random) -> int:
    """A float32: a plain one, or now and then an edge."""
    return r.choice(EDGES) if r.random() < 0.2 else float32_bits(r.uniform(-4, 4))


@needs("g++")
def test_c_gives_the_bits_of_python(tmp_path: Path):
    """Both number rules, over numbers and edges, with counts and booleans."""
    heads, body, wanted = list[str](), list[str](), list[list[int]]()
    for seed in sorted({2, 8, 45, 57, *range(times(0, 200))}):  # products, 2**x, log2, roots
        splitter = split(Random(seed).program())
        if not splitter.sets:
            continue
        parts = splitter.split(splitter.sets)
        program, rows = compiled_whole(parts.program, parts.preamble), len(parts.preamble.outputs)
        for exact in (False, True):
            shader = placed_with(program, parts.preamble, exact=exact)
            name = f"p{seed}{'e' if exact else ''}"
            first = hidden(shader.interface).start
            text = preamble_functions(parts.preamble, name, first - FLOAT, exact=exact)
            heads += text
            r = random.Random(seed)
            values: dict[str, object] = {}
            body.append(f"{{ {name}_uniforms u; C3D_FVec out[{rows}]; memset(&u, 0, sizeof u);")
            for u in parts.preamble.uniforms:
                bits = [[pattern(r) for _ in "xyzw"] for _ in range(u.rows)]
                values[u.name] = np.array(bits, dtype=np.uint32).view(np.float32)
                member = [line for line in text if line.startswith(f"\tC3D_FVec {u.name}")]
                for n, row in enumerate(bits if member else []):
                    place = f"u.{u.name}[{n}]" if u.rows > 1 else f"u.{u.name}"
                    body += [f"{place}.{letter} = number(0x{word:08X}u);" for letter, word in zip("xyzw", row, strict=True)]
            for flag in parts.preamble.flags:
                values[flag.name] = r.random() < 0.5
                if f"\tbool {flag.name};" in text:
                    body.append(f"u.{flag.name} = {int(bool(values[flag.name]))};")
            for count in parts.preamble.counts:
                values[count.name] = r.choice((0, 1, 4))
                if any(line.startswith(f"\tint {count.name};") for line in text):
                    body.append(f"u.{count.name} = {values[count.name]};")
            body.append(f"{name}_prepare(&u, out);")
            body += [f"show(out[{n}].{letter});" for n in range(rows) for letter in "xyzw"]
            body.append('puts(""); }')
            found = shader.bound({}, values, profile="azahar", defaults=0)[1]  # type: ignore[arg-type]
            own = [word for row in found.floats[first - FLOAT : first - FLOAT + rows] for word in row]
            wanted.append([0x7FC00000 if word & 0x7FFFFFFF > 0x7F800000 else word for word in own])
    includes = [f"#include {name}" for name in (*INCLUDES, "<stdio.h>")]
    text = "\n".join([*includes, STUB, *heads, "int main() {", *body, "}"])
    (tmp_path / "main.cpp").write_text(text)
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    subprocess.run(["g++", *flags, "main.cpp", "-o", "main"], cwd=tmp_path, check=True)
    lines = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [[int(word, 16) for word in line.split()] for line in lines] == wanted
    assert len(wanted) > 2


def compiled_whole(program: v.Program, preamble: v.Program) -> Compiled:
    """A program that reads all that a preamble computes."""
    source = SourceFile("x.vert", b"", "x.vert")
    return assembled(
        Lowered(vector=program, spirv=Spirv(data=b""), diagnostics=()), source, Request("compile", (source,), {})
    )._replace(preamble=preamble)


def placed_with(whole: Compiled, preamble: v.Program, *, exact: bool) -> lw.pica200.Shader:
    program = placed(whole.file.program, preamble, exact=exact)
    return whole.file.with_preamble(program.interfaces[0].preamble).vertex


@pytest.fixture(scope="module")
def skinned() -> dict[str, Compiled]:
    found: dict[str, Compiled] = {}
    for mode in ("", "float32"):
        source = SourceFile("skinned.vert", SKINNED.encode(), "skinned.vert")
        request = Request("compile", (source,), {"preamble": mode} if mode else {})
        found[mode] = assembled(lowered(request, "glsl"), source, request)
    return found


def data() -> tuple[dict[str, object], dict[str, object]]:
    r = np.random.default_rng(3)
    uniforms: dict[str, object] = {
        name: r.uniform(-1, 1, (rows, 4)).astype(np.float32)
        for name, rows in (("projection", 4), ("view", 4), ("model", 4), ("bones", 16), ("ambient", 4))
    }
    uniforms |= {"shine": 0.7, "gain": 0.3, "bias": 1.5, "lights": 3, "dim": True, "lit": True}
    joints = np.array([[0, 0], [1, 0], [3, 0]])
    return {"place": r.uniform(-1, 1, (3, 3)), "normal": r.uniform(-1, 1, (3, 3)), "joints": joints}, uniforms


@needs("glslc")
def test_a_skinned_shader_in_light(skinned: dict[str, Compiled]):
    inputs, uniforms = data()
    plain, single = skinned[""].file, skinned["float32"].file
    assert len(single.words) <= 0.5 * len(plain.words)
    for changed in ({}, {"lights": 0, "lit": False}):
        values = {**uniforms, **changed}
        expected = plain.vertex.run(inputs, values).outputs  # type: ignore[arg-type]
        found = single.vertex.run(inputs, values).outputs  # type: ignore[arg-type]
        for key, numbers in expected.items():
            np.testing.assert_allclose(found[key], numbers, rtol=1e-3, atol=1e-3)
    # The application's registers are its own, and the array that vertices index is whole.
    rows = {row.own_name: range(row.first, row.last + 1) for row in single.vertex.interface.uniforms}
    assert len(rows["bones"]) == 16
    own = set(rows.pop(PREAMBLE))
    assert own and not own & {n for row in rows.values() for n in row} and max(own) < INTEGER
    assert not [finding for finding in single.check() if finding.code == "V097"]
    assert {"lights", "dim", "lit", "shine"} <= rows.keys()


@needs("glslc")
def test_a_batch_takes_new_uniforms(skinned: dict[str, Compiled]):
    inputs, uniforms = data()
    shader = skinned["float32"].file.vertex
    batch = shader.batch(inputs, uniforms)  # type: ignore[arg-type]
    changed = {**uniforms, "gain": -0.5, "dim": False}
    expected = shader.run(inputs, changed).outputs["color"]  # type: ignore[arg-type]
    batch.run()
    batch.uniforms["gain"][0] = -0.5
    batch.uniforms["dim"][...] = False
    # The arrays of a batch hold what registers do: the other uniforms are float24 numbers here.
    np.testing.assert_allclose(batch.run()["color"], expected, rtol=1e-4)
    again = dict(uniforms)
    batch.set_uniforms(again)  # type: ignore[arg-type]
    assert np.array_equal(batch.run()["color"], shader.run(inputs, again).outputs["color"])  # type: ignore[arg-type]


@needs("glslc")
def test_the_file_beside_it_and_damage_to_it(skinned: dict[str, Compiled], tmp_path: Path):
    inputs, uniforms = data()
    one = skinned["float32"]
    path, beside = tmp_path / "skinned.shbin", tmp_path / "skinned.json"
    path.write_bytes(one.file.to_bytes())
    ((_, content),) = preamble_file(one, str(path))
    beside.write_bytes(content)
    expected = one.file.vertex.run(inputs, uniforms).outputs["color"]  # type: ignore[arg-type]
    loaded = lw.load_pica200(path)
    assert np.array_equal(loaded.vertex.run(inputs, uniforms).outputs["color"], expected)  # type: ignore[arg-type]
    right = json.loads(content)

    def refused(changes: dict[str, object]) -> str:
        beside.write_text(json.dumps({**right, **changes}))
        with pytest.raises(lw.InputError) as caught:
            lw.load_pica200(path)
        (finding,) = caught.value.diagnostics
        assert finding.code == "C020" and "\n" not in finding.message
        return finding.message

    lines: list[str] = right["preamble"]
    block = lines.index("block 0:") + 1
    rows: list[tuple[dict[str, object], str]] = [
        ({"version": 2}, "unsupported version 2"),
        ({"program": "0" * 16}, "that of another program"),
        ({"numbers": "float16"}, "unknown numbers 'float16'"),
        ({"rows": 96}, "for other registers"),
        ({"preamble": "text"}, "not a list of lines"),
        ({"preamble": [*lines[:block], "  %0 = import os", *lines[block:]]}, "unknown operation 'import'"),
        ({"preamble": [line.replace("gain", "other") for line in lines]}, "which the shader does not have"),
        ({"preamble": [line.replace("gain rows=1", "gain rows=9") for line in lines]}, "reads 9 rows of 'gain'"),
        ({"preamble": [line.replace("row0.x", "row95.x") for line in lines]}, "'row95.x'"),
        ({"preamble": lines[:-1]}, "expected jump, branch or return"),
    ]
    for changes, message in rows:
        assert message in refused(changes), message
    endless = ["function f", "block 0:", "  jump block 1", "block 1:", "  jump block 1"]
    beside.write_text(json.dumps({**right, "preamble": endless}))
    with pytest.raises(lw.InputError, match="does not come to its end"):
        lw.load_pica200(path).vertex.run(inputs, uniforms)  # type: ignore[arg-type]
    beside.unlink()
    with pytest.raises(lw.InputError, match=r"C021.*has a preamble, which computes c"):
        lw.load_pica200(path).vertex.run(inputs, uniforms)  # type: ignore[arg-type]
    for defaults in (0, None):
        with pytest.raises(lw.InputError, match="C021"):
            lw.pica200.Pipeline(lw.load_pica200(path).vertex).run(inputs, uniforms=uniforms, defaults=defaults)  # type: ignore[arg-type]
    with pytest.raises(lw.InputError, match="C021"):
        lw.load_pica200(path).vertex.batch(inputs, uniforms, defaults=0)  # type: ignore[arg-type]
    with pytest.raises(lw.InputError, match="no value for uniform gain"):
        one.file.vertex.run(inputs, {name: value for name, value in uniforms.items() if name != "gain"})  # type: ignore[arg-type]


@needs("glslc")
def test_a_debugger_shows_what_is_computed_before():
    """Variables of the source with their values, those that only the preamble reads too; the words are the same."""
    text = """#version 450
in vec4 place;
uniform mat4 a, b;
uniform float gain, bias;
out vec4 color;
void main() {
    float inner = gain * 2.0 + bias;
    vec2 outer = exp2(inner) * vec2(gain, -bias);
    color = place * (outer.x - outer.y);
    gl_Position = a * b * place;
}
"""
    source = SourceFile("shown.vert", text.encode(), "shown.vert")
    request = Request("compile", (source,), {"preamble": "float32"})
    plain, shown = (assembled(lowered(request, "glsl", variables=seen), source, request).file for seen in (False, True))
    assert len(plain.words) == len(shown.words)
    values = {"a": np.eye(4), "b": np.eye(4), "gain": 0.5, "bias": 1.0}
    floats = shown.vertex.bound({}, values, profile="azahar", defaults=0)[1].floats  # type: ignore[arg-type]
    (frame,) = shown.program.inlined[-2]
    found: dict[str, list[float]] = {}
    for variable in frame.variables:
        for place in variable.components:
            register, _, letter = str(place).lstrip("-").partition(".")
            number = float(np.uint32(floats[int(register[1:])]["xyzw".index(letter)]).view(np.float32))
            found.setdefault(variable.name, []).append(-number if str(place).startswith("-") else number)
    assert (found["inner"], found["outer"]) == ([2.0], [2.0, -4.0])


def test_registers_are_those_that_are_free():
    """An array of 92 registers leaves 4 for a preamble and constants."""
    program = shaders.cube()
    left = 92 - sum([uniform.rows for uniform in program.uniforms])
    program = program._replace(uniforms=(*program.uniforms, v.Uniform(name="large", rows=left)))
    found = compiled(program, "float32")
    assert all(row.last < INTEGER for row in found.file.vertex.interface.uniforms if row.first < INTEGER)
    assert len(found.file.words) <= len(compiled(program, "").file.words)


@needs("glslc")
def test_commands_know_of_it(skinned: dict[str, Compiled], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A source and its binary are equal, also after `opt`, and what is written has its own .json; a note names the option."""
    source, binary, smaller = (str(tmp_path / name) for name in ("skinned.vert", "skinned.shbin", "smaller.shbin"))
    (tmp_path / "skinned.vert").write_text(SKINNED)
    assert main(["compile", source, "--check"]) == 0
    assert "words depend on uniforms only (" in capsys.readouterr().err
    (tmp_path / "skinned.shbin").write_bytes(skinned["float32"].file.to_bytes())
    (tmp_path / "skinned.json").write_bytes(preamble_file(skinned["float32"], binary)[0][1])
    assert main(["diff", source, binary]) == 0
    assert "registers of lanewise.preamble are what the same preamble gives" in capsys.readouterr().out
    assert main(["opt", binary, "-o", smaller]) == 0
    inputs, uniforms = data()
    found = lw.load_pica200(smaller).vertex.run(inputs, uniforms).outputs["color"]  # type: ignore[arg-type]
    assert np.array_equal(found, skinned["float32"].file.vertex.run(inputs, uniforms).outputs["color"])  # type: ignore[arg-type]
    (tmp_path / "smaller.json").write_text("{}")
    assert main(["opt", binary, "-o", smaller]) == 2
    assert "is not a preamble of lanewise" in capsys.readouterr().err


@needs("glslc")
def test_the_header_has_both_functions(skinned: dict[str, Compiled]):
    text = c_header(skinned["float32"], "skinned")
    assert "static inline void skinned_prepare(const skinned_uniforms *u, C3D_FVec out[])" in text
    assert "static inline void skinned_upload(const skinned_uniforms *u)" in text
    assert "_prepare(" not in c_header(skinned[""], "skinned")


@needs("glslc")
def test_a_shader_test_and_documents_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "move.vert").write_text(
        "#version 330\nuniform mat4 projection, view;\nin vec3 place;\n"
        "void main() { gl_Position = projection * view * vec4(place, 1); }\n"
    )
    rows = [[float(row == column) for column in range(4)] for row in range(4)]
    (tmp_path / "move.shadertest.toml").write_text(
        f'program = "move.shbin"\nuniforms = {{view = {rows}, projection = {[[2.0, 0, 0, 0], *rows[1:]]}}}\n'
        "[[test]]\ninputs = {place = [1, 2, 3]}\noutputs = {position = [2, 2, 3, 1]}\n"
    )
    assert main(["compile", "move.vert", "--preamble", "-o", "move.shbin", "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    assert (document["preamble"]["rows"], document["preamble"]["numbers"], len(document["words"])) == (4, "float32", 5)
    assert main(["compile", "move.vert", "--preamble", "exact", "--check", "--format", "json"]) == 0
    assert len(checked(capsys.readouterr().out)["words"]) == 9, "a product of matrices has other bits"
    assert main(["test"]) == 0
    (tmp_path / "steps.debug").write_text("out\nprint o0\n")
    capsys.readouterr()
    assert main(["debug", "move.shadertest.toml", "--headless", "steps.debug"]) == 0
    assert "o0 = 2, 2, 3, 1" in capsys.readouterr().out
    (tmp_path / "move.json").unlink()
    assert main(["test"]) == 1
    assert "C021" in capsys.readouterr().out
