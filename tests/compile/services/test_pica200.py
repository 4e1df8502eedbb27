"""`lanewise compile --target pica200`, and sources of front ends in the other commands. No compiler of GLSL is needed: the
sources are SPIR-V."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from compile.vector_builder import Builder
from corpus import REPOSITORY
from effort import EXHAUSTIVE
from lanewise.compile.frontends import frontend_named
from lanewise.compile.outside import modules
from lanewise.compile.outside.module import Spirv
from lanewise.compile.services import pipeline
from lanewise.compile.services.pipeline import without_wrappers
from lanewise.compile.vector.code import Count, CountOf, Program, Uniform
from lanewise.core.diagnostics import Diagnostic, Edit
from lanewise.core.service import Report, Request, SourceFile
from lanewise.core.source import Span
from lanewise.pica200.api.file import read_file
from lanewise.pica200.isa import uniforms
from lanewise.tools.cli import main

GLSL = REPOSITORY / "examples" / "glsl"
SCENE = [
    "-u",
    "projection=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
    "-u",
    "modelview=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
    "-u",
    "sun=0,0,1",
    "-u",
    "bands=4",
    "-u",
    "shade=0,0,0",
    "-u",
    "paint=1,1,1",
    "-u",
    "glossy=false",
]
TOON = [*SCENE, "-i", "position=1,2,3", "-i", "normal=0.8,0,0.6"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in GLSL.glob("*.spv"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(arguments))
    found = capsys.readouterr()
    return code, found.out, found.err


def test_an_shbin_and_its_header(here: Path, capsys: pytest.CaptureFixture[str]):
    assert ran(capsys, "compile", "toon.spv") == (0, "", "lanewise compile: wrote toon.shbin, toon.h\n")
    assert "toon_set_glossy" in Path("toon.h").read_text()
    shader = lw.load("toon.shbin").vertex
    assert [each.name for each in shader.inputs] == ["position", "normal"]
    assert {each.name for each in shader.uniforms} == {"projection", "modelview", "sun", "bands", "shade", "paint", "glossy"}
    assert [each.semantic for each in shader.outputs] == ["color", "position"]
    assert ran(capsys, "compile", "toon.spv")[0] == 0  # its own header is written again
    assert ran(capsys, "check", "toon.shbin")[0] == 0


def test_a_header_of_someone_else_is_kept(here: Path, capsys: pytest.CaptureFixture[str]):
    Path("toon.h").write_text("int mine;\n")
    code, _, err = ran(capsys, "compile", "toon.spv")
    assert (code, "toon.h is not a header of lanewise and would be overwritten" in err) == (2, True)
    assert Path("toon.h").read_text() == "int mine;\n"
    assert not Path("toon.shbin").exists()
    assert ran(capsys, "compile", "toon.spv", "--header", "-")[0] == 0
    assert Path("toon.shbin").exists()
    assert ran(capsys, "compile", "toon.spv", "--header", "other.h")[0] == 0
    assert "toon_set_glossy" in Path("other.h").read_text()
    code, _, err = ran(capsys, "compile", "toon.spv", "-o", "x.h")
    assert (code, "-o x.h: .h is not a form of this output: use .shbin" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("--to", "picasso"), "toon.v.pica"),
        (("-o", "x.v.pica"), "x.v.pica"),
        (("-o", "x.vsh"), "x.vsh"),
        (("--to", "nihstro"), "toon.vsh"),
    ],
)
def test_sources(arguments: tuple[str, ...], name: str, here: Path, capsys: pytest.CaptureFixture[str]):
    """As SHBIN and as source the program gives the same bits."""
    assert ran(capsys, "compile", "toon.spv", *arguments)[0] == 0
    assert sorted(path.name for path in here.iterdir()) == sorted(["particle.spv", "skinning.spv", "toon.spv", name])
    code, out, _ = ran(capsys, "run", name, *TOON, "--bits", "--format", "json")
    assert (code, json.loads(out)["outputs"]) == (
        0,
        json.loads(ran(capsys, "run", "toon.spv", *TOON, "--bits", "--format", "json")[1])["outputs"],
    )


def test_standard_streams(here: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]):
    import io
    import sys

    assert main(["compile", "toon.spv", "-o", "-", "--report"]) == 0
    out, err = capsysbinary.readouterr()
    assert out.startswith(b"DVLB")
    assert b"toon.spv on the PICA200" in err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("toon.spv").read_bytes())))
    assert main(["compile", "-", "--language", "spirv"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"DVLB")
    assert len(list(here.iterdir())) == 3


def test_stages(here: Path, capsys: pytest.CaptureFixture[str]):
    assert "OpEntryPoint" in ran(capsys, "compile", "toon.spv", "--stage", "spirv")[1]
    assert "dp4 outpos" in ran(capsys, "compile", "toon.spv", "--stage", "picasso")[1]
    assert "input 0 normal.xyz at v1" in ran(capsys, "compile", "toon.spv", "--stage", "vector")[1]
    assert ran(capsys, "compile", "toon.spv", "--stage", "trace")[0] == 2
    assert len(list(here.iterdir())) == 3


def test_the_report(here: Path, capsys: pytest.CaptureFixture[str]):
    code, out, _ = ran(capsys, "compile", "toon.spv", "--report", "--check", "--format", "json")
    document = json.loads(out)
    assert (code, document["schema"]) == (0, "lanewise/program/1")
    assert document["needs"]["words"] == len(document["words"]) == sum(line["words"] for line in document["lines"])
    assert document["needs"]["descriptors"] == len(document["descriptors"])
    assert any("normalize(mat3(modelview) * normal)" in line["source"] for line in document["lines"])
    text = ran(capsys, "compile", "toon.spv", "--report", "--check")[1]
    assert "toon.vert:25" in text
    assert f"{document['needs']['words']} of 512" in text


def test_semantics(here: Path, capsys: pytest.CaptureFixture[str]):
    assert ran(capsys, "compile", "toon.spv", "--output", "color=normalquat", "--output", "x.shbin")[0] == 0
    assert [each.semantic for each in lw.load("x.shbin").vertex.outputs] == ["normalquat", "position"]
    code, _, err = ran(capsys, "compile", "toon.spv", "--output", "color=view", "--output", "color=color")
    assert (code, "--output color=color: color is given twice" in err) == (2, True)
    code, _, err = ran(capsys, "compile", "toon.spv", "-o", "a", "-o", "b")
    assert (code, "a is the file to write already" in err) == (2, True)
    code, _, err = ran(capsys, "compile", "toon.spv", "--output", "color=colour")
    assert (code, "unknown semantic 'colour'" in err, Path("color=colour").exists()) == (2, True, False)
    code, _, err = ran(capsys, "compile", "toon.spv", "--output", "colour=color", "--check")
    assert "colour" in err


def test_one_file_is_compiled_at_a_time(here: Path, capsys: pytest.CaptureFixture[str]):
    code, _, err = ran(capsys, "compile", "toon.spv", "skinning.spv")
    assert (code, "name one FILE, found 2" in err) == (2, True)


def test_other_commands_compile_it(here: Path, capsys: pytest.CaptureFixture[str]):
    assert ran(capsys, "check", "toon.spv", "--stats")[0] == 0
    out = ran(capsys, "graph", "toon.spv")[1]
    assert "    toon.vert:25: vec3 n = normalize(mat3(modelview) * normal);\n" in out
    assert ran(capsys, "graph", "toon.spv", "-o", "toon.svg")[0] == 0
    assert "toon.vert:25" in Path("toon.svg").read_text()
    assert "toon.vert:25" in ran(capsys, "graph", "toon.spv", "--format", "dot")[1]
    code, out, _ = ran(capsys, "run", "toon.spv", *TOON, "--trace", "0", "--explain", "color.x")
    assert (code, "toon.vert:20: flr" in out) == (0, True)
    assert "(line: return floor(min(light, 0.99) * bands) / bands;)" in out
    Path("script").write_text("line\nline\nlist\n")
    code, out, _ = ran(capsys, "debug", "toon.spv", *TOON, "--headless", "script")
    assert code == 0
    assert "toon.vert:2" in out
    assert "shaders      vertex" in ran(capsys, "inspect", "toon.spv")[1]
    assert "main:" in ran(capsys, "convert", "toon.spv", "--to", "nihstro")[1]
    assert lw.load("toon.spv").check() == ()


def test_what_does_not_fit_says_so(here: Path, capsys: pytest.CaptureFixture[str]):
    code, _, err = ran(capsys, "asm", "toon.spv")
    assert (
        code,
        "toon.spv is a SPIR-V module, not an assembly source; `lanewise compile toon.spv --target pica200` compiles it" in err,
    ) == (2, True)
    code, _, err = ran(capsys, "dis", "toon.spv")
    assert (code, "toon.spv is a source, not a binary" in err) == (2, True)
    code, _, err = ran(capsys, "check", "toon.spv", "skinning.spv", "--link")
    assert (code, "only sources in an assembly language are linked" in err) == (2, True)
    code, _, err = ran(capsys, "compile", "toon.spv:main")
    assert (code, "holds one program" in err) == (2, True)
    Path("cut.spv").write_bytes(Path("toon.spv").read_bytes()[:200])
    code, _, err = ran(capsys, "compile", "cut.spv")
    assert (code, "error[S001]" in err) == (1, True)
    code, out, err = ran(capsys, "check", "cut.spv")
    assert (code, "error[S001]" in out + err) == (1, True)


def test_a_module_has_no_lines_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]):
    code, _, err = ran(capsys, "run", "toon.spv", "-u", "moon=1", "--default", "0")
    assert (code, "unknown uniform 'moon'\n  --> <command line>:1:1\n" in err) == (1, True)
    assert lw.load("toon.spv").programs[0].name == "toon"


def test_direct3d9(here: Path, capsys: pytest.CaptureFixture[str]):
    shutil.copy(REPOSITORY / "examples" / "direct3d9" / "lit.vsa", here)
    assert ran(capsys, "compile", "lit.vsa", "--target", "pica200")[0] == 0
    assert "#define lit_FVEC_c0 0" in Path("lit.h").read_text()
    assert [each.semantic for each in lw.load("lit.shbin").vertex.outputs] == ["position", "color", "texcoord0"]
    code, _, err = ran(capsys, "compile", "lit.vsa", "--target", "pica200", "--strategy", "table")
    assert (code, "--strategy is an option for ShaderCore" in err) == (2, True)
    code, _, err = ran(capsys, "compile", "lit.vsa", "--target", "pica200", "--decl", "v0=float3")
    assert (code, "--decl is for ShaderCore" in err) == (2, True)
    assert ran(capsys, "compile", "lit.vsa", "--target", "pica200", "--stage", "spirv")[0] == 2
    assert ran(capsys, "compile", "lit.vsa")[0] == 0  # as before, for ShaderCore
    assert Path("lit.scb").exists()


def test_rows_of_hlsl():
    """`mul(m, v)` is what citro3d's matrices are for: rows times v. The module was compiled by glslc from turned.hlsl beside
    it."""
    shader = lw.load(Path(__file__).parent / "data" / "turned.spv").vertex
    matrix = np.arange(16.0).reshape(4, 4) - 5
    small = np.arange(9.0).reshape(3, 3) * 2 - 7
    place = np.array([1.0, 2, 4, 8])
    uniforms = {"m": matrix, "small": small, "which": 3}
    outputs = shader.run({shader.inputs[0].name: place}, uniforms).outputs
    assert outputs["position"].tolist() == [(matrix @ place).tolist()]
    assert outputs["normalquat"].tolist() == [(place @ matrix).tolist()]
    assert outputs["color"].tolist() == [[matrix[1, 0], matrix[1, 1], matrix[2, 3], matrix[3, 2]]]
    assert outputs["view"].tolist() == [(small @ place[:3]).tolist()]


def test_spirv_is_written(here: Path, capsys: pytest.CaptureFixture[str]):
    assert ran(capsys, "compile", "toon.spv", "-o", "again.spv")[0] == 0
    assert Path("again.spv").read_bytes() == Path("toon.spv").read_bytes()
    code, _, err = ran(
        capsys, "compile", str(REPOSITORY / "examples" / "direct3d9" / "lit.vsa"), "--target", "pica200", "-o", "x.spv"
    )
    assert (code, "do not become SPIR-V" in err) == (2, True)


def test_dph_is_avoided(here: Path, capsys: pytest.CaptureFixture[str]):
    assert "dph" in ran(capsys, "compile", "toon.spv", "--stage", "picasso")[1]
    assert ran(capsys, "compile", "toon.spv", "--avoid", "dph", "--header", "-")[0] == 0
    assert "dph" not in lw.load("toon.shbin").text
    code, out, _ = ran(capsys, "run", "toon.shbin", *TOON, "--bits", "--format", "json")
    assert (code, json.loads(out)["outputs"]) == (
        0,
        json.loads(ran(capsys, "run", "toon.spv", *TOON, "--bits", "--format", "json")[1])["outputs"],
    )
    code, _, err = ran(capsys, "compile", "toon.spv", "--avoid", "mad")
    assert (code, "'mad'" in err or "--avoid mad" in err) == (2, True)


def test_arrays_of_slang():
    names = ("lights.data", "light.data", "light.color", "plain", "bones.data", "bones")
    vector = Program(
        name="x",
        inputs=(),
        outputs=(),
        uniforms=tuple([Uniform(name=name) for name in names]),
        flags=(),
        counts=(),
        variables=(),
        body=(),
    )
    assert [row.name for row in without_wrappers(vector).uniforms] == [
        "lights",
        "light.data",
        "light.color",
        "plain",
        "bones.data",
        "bones",
    ]


def test_a_source_is_not_edited(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Edits of findings are of assembly sources: in a source that was compiled they would replace something else."""
    shutil.copy(GLSL / "toon.vert", here)
    span = Span(file="toon.spv", line=25, column=1, length=4)
    finding = Diagnostic(code="V100", severity="warning", message="odd", span=span, fix="remove it", edits=(Edit(span, ""),))
    monkeypatch.setattr("lanewise.pica200.api.checking.check_assembled", lambda *_, **__: Report((finding,)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    _, out, err = ran(capsys, "check", "toon.spv", "--fix")
    assert "odd" in out + err
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before
    loaded = frontend_named("spirv").container
    assert loaded is not None
    source = SourceFile("toon.spv", Path("toon.spv").read_bytes(), "toon.spv")
    request = Request("check", (source,), {})
    check = loaded.read(request).check
    assert check is not None
    assert [each.edits for each in check(request).findings] == [()]


def test_other_commands_take_the_options_of_the_compilers(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """`run`, `check` and the others compile a source as `compile` does: with its options, or those of the configuration."""
    given: list[tuple[str, tuple[str, ...], tuple[str, ...], str, bool]] = []

    def compiled(source: SourceFile, language: str, **options: Any) -> Spirv:
        given.append((options["compiler"], options["defines"], options["folders"], options["entry"], options["optimised"]))
        return Spirv(data=Path("toon.spv").read_bytes())

    monkeypatch.setattr(modules, "to_spirv", compiled)
    Path("a.vert").write_text("#version 330\nvoid main() {}\n")
    options = ("-D", "A=1", "-I", "inc", "--glsl-compiler", "glslang")
    for command in (
        ("run", *TOON),
        ("check",),
        ("graph",),
        ("inspect",),
        ("compile", "--check"),
        ("opt", "-o", "a.shbin"),
        ("debug", *TOON, "--headless", os.devnull),
    ):
        found = ran(capsys, command[0], "a.vert", *command[1:], *options)
        assert found[0] == 0, (command, found)
        assert given.pop() == ("glslang", ("A=1",), ("inc",), "", False)
        given.clear()
    Path("lanewise.toml").write_text(
        '[compile]\ndefine = ["B"]\ninclude = ["shared"]\noptimise = true\nentry-point = "vs"\nglsl-compiler = "slangc"\n'
    )
    for command in ("check", "compile"):
        assert ran(capsys, command, "a.vert", "-D", "A=1", *(["--check"] if command == "compile" else []))[0] == 0
        compiler, defines, folders, entry, optimised = given.pop()
        assert (compiler, defines, entry, optimised) == ("slangc", ("B", "A=1"), "vs", True)
        assert [Path(each).name for each in folders] == ["shared"]
    assert ran(capsys, "compile", "a.vert", "--check", "--no-config")[0] == 0
    assert given.pop()[:2] == ("", ())


def test_semantics_of_other_commands(here: Path, capsys: pytest.CaptureFixture[str]):
    assert "texcoord0" in ran(capsys, "run", "toon.spv", "--semantic", "color=texcoord0", *TOON)[1]
    Path("lanewise.toml").write_text('[compile]\nsemantics = {color = "texcoord1"}\n')
    assert "texcoord1" in ran(capsys, "run", "toon.spv", *TOON)[1]
    assert "texcoord0" in ran(capsys, "run", "toon.spv", "--semantic", "color=texcoord0", *TOON)[1]
    code, _, err = ran(capsys, "run", "toon.spv", "--semantic", "color", *TOON)
    assert (code, "write OUTPUT=SEMANTIC" in err) == (2, True)
    Path("plain.v.pica").write_text(".out o position\n.proc main\n end\n.end\n")
    assert ran(capsys, "compile", "toon.spv", "--semantic", "color=view", "-o", "view.shbin", "--no-config")[0] == 0
    assert ran(capsys, "diff", "view.shbin", "toon.spv", "--semantic", "color=view", "--no-config")[0] == 0
    assert ran(capsys, "diff", "toon.spv", "view.shbin", "--no-config")[0] == 3
    assert ran(capsys, "diff", "plain.v.pica", "view.shbin", "--semantic", "color=view")[0] == 2
    code, _, err = ran(capsys, "run", "plain.v.pica", "-D", "A")
    assert (code, "--define is for sources that are compiled" in err) == (2, True)


def test_the_report_of_a_binary_names_its_instructions(here: Path, capsys: pytest.CaptureFixture[str]):
    Path("a.vsa").write_text("vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c0\nmul oD0, v0, c5\n")
    assert ran(capsys, "asm", "a.vsa", "-o", "a.vso")[0] == 0
    _, out, _ = ran(capsys, "compile", "a.vso", "--target", "pica200", "--report", "--check")
    rows = [line.split(maxsplit=5) for line in out.splitlines() if (line.startswith("  ") and "oPos" in line) or "oD0" in line]
    assert [(row[0], row[1], row[-1]) for row in rows] == [("4", "4", "m4x4 oPos, v0, c0"), ("8", "1", "mul oD0, v0, c5")]
    _, out, _ = ran(capsys, "compile", "a.vso", "--target", "pica200", "--report", "--check", "--format", "json")
    assert [(row["line"], row["word"], row["words"]) for row in json.loads(out)["lines"]] == [
        (0, None, 1),
        (0, 4, 4),
        (0, 8, 1),
    ]
    _, out, _ = ran(capsys, "compile", "a.vsa", "--target", "pica200", "--report", "--check", "--format", "json")
    assert [(row["line"], row["word"]) for row in json.loads(out)["lines"]] == [(0, None), (3, None), (4, None)]


def test_written_sources_have_no_findings(here: Path, capsys: pytest.CaptureFixture[str]):
    """Instructions of one component share descriptors with others; the source repeats the component that they read."""
    shutil.copy(REPOSITORY / "tests" / "spirv" / "shaders" / "tangent.O0.spv", here / "shader.spv")
    assert ran(capsys, "compile", "shader.spv", "-o", "shader.v.pica")[0] == 0
    code, out, _ = ran(capsys, "check", "shader.v.pica", "--format", "json")
    assert (code, {each["severity"] for each in json.loads(out)["diagnostics"]}) == (0, {"note"})
    assert ran(capsys, "compile", "shader.spv")[0] == 0
    assert lw.load("shader.v.pica").vertex.words == lw.load("shader.shbin").vertex.words


@pytest.mark.parametrize("written", ["skinning.v.pica", "skinning.vsh"])
def test_written_sources_have_the_names_of_the_source(written: str, here: Path, capsys: pytest.CaptureFixture[str]):
    """Where a language cannot write one, such as `lamps.some`, the name in the file counts."""
    assert ran(capsys, "compile", "skinning.spv", "-o", written)[0] == 0
    code, out, _ = ran(capsys, "diff", written, "skinning.spv", "--profile", "hardware")
    assert (code, f"{written} and skinning.spv are equal" in out) == (0, True)
    given = {"lamps": 1, "light[0]": [0.5, 0.25, 0.125], "direction[0]": [0, 0, 1]}
    inputs = {"position": [1, 2, 3], "normal": [0, 0, 1], "joints": [0, 0], "weights": [1, 0]}
    results = [lw.load(name).programs[0].run(inputs, given, defaults=0).outputs for name in (written, "skinning.spv")]
    assert all(np.array_equal(results[0][name], results[1][name]) for name in ("color", "position"))


@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_quotients_are_exact_as_far_as_whole_numbers_are(here: Path, capsys: pytest.CaptureFixture[str], rounding: str):
    """The numbers before and after each multiple, which an estimate by a reciprocal takes for each other most easily."""
    shutil.copy(REPOSITORY / "tests" / "compile" / "spirv" / "shaders" / "large.O0.spv", here / "large.spv")
    assert ran(capsys, "compile", "large.spv", "--output-locations")[0] == 0
    rng = np.random.default_rng(11)
    by = np.concatenate([np.arange(1, 40), rng.integers(40, 32768, 200)]).repeat(60)
    number = np.minimum(rng.integers(0, 1 << 17, len(by)) // by * by + rng.integers(-1, 2, len(by)), 3 * 32768 + 2)
    number = np.maximum(number, 0)
    x = np.minimum(number // 3, 32768)
    given = np.stack([x, by, number - 3 * x], 1)
    profile = lw.pica200.profiles["hardware"].replace(rounding=rounding)
    for engine in ("llvm", "reference") if EXHAUSTIVE else ("llvm",):
        found = lw.load("large.shbin").vertex.run({"a": given}, profile=profile, engine=engine).outputs["color"]
        assert np.array_equal(found[:, 0], number // by)
        assert np.array_equal(found[:, 1], number % by)


def test_a_run_takes_the_counts_for_which_loops_are_compiled():
    assert Count("n").most == uniforms.MOST_TURNS


def test_specialization_constants(here: Path, capsys: pytest.CaptureFixture[str]):
    """By number or name, for all commands that compile; the module says what there is and of which type."""
    shutil.copy(REPOSITORY / "tests" / "compile" / "spirv" / "shaders" / "special.O0.spv", here / "special.spv")
    assert ran(capsys, "compile", "special.spv", "--output-locations")[0] == 0
    assert [row.size for row in lw.load("special.shbin").vertex.uniforms] == [3]
    given = ["--constant", "0=5", "--constant", "scale=-2.5e0", "--constant", "bright=false", "--constant", "7=0x9"]
    assert ran(capsys, "compile", "special.spv", "--output-locations", *given)[0] == 0
    assert [row.size for row in lw.load("special.shbin").vertex.uniforms] == [5]
    code, out, _ = ran(
        capsys, "run", "special.spv", "--output-locations", *given, "-i", "a=1,2,3,4", "--default", "0", "--format", "json"
    )
    outputs = json.loads(out)["outputs"]
    assert (code, outputs["position"]["values"]) == (0, [[-2.5, -5, -7.5, -10]])
    for text, what in (
        ("8=1", "unknown specialization constant '8': the shader has 0 (lamps), 1 (scale), 2 (bright), 7 (level)"),
        ("lamp=1", "did you mean lamps?"),
        ("lamps", "write ID=VALUE or NAME=VALUE"),
        ("lamps=1.5", "expected a whole number, as the constant is of type int"),
        ("bright=2", "expected true or false"),
        ("scale=x", "expected a number"),
        ("level=-1", "a value of type uint is 0 to 4294967295"),
    ):
        code, _, err = ran(capsys, "compile", "special.spv", "--output-locations", "--constant", text)
        assert (code, what in err) == (2, True), err
    code, _, err = ran(capsys, "compile", "special.spv", "--constant", "0=1", "--constant", "lamps=2")
    assert (code, "given twice" in err) == (2, True)
    code, _, err = ran(capsys, "compile", "toon.spv", "--constant", "0=1")
    assert (code, "the shader has no specialization constants" in err) == (2, True)


def test_progress_is_shown_from_the_second_second_on(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """On a terminal, and the line is removed before anything else is printed."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    seconds = iter(range(0, 100, 2))
    monkeypatch.setattr("lanewise.tools.command.time.monotonic", lambda: next(seconds))
    _, _, err = ran(capsys, "compile", "particle.spv", "--header", "-")
    assert err.startswith("\r0 of 4 steps (0 %)")
    assert err.endswith("\r\x1b[Klanewise compile: wrote particle.shbin\n")


def test_what_has_no_names_is_compared_by_registers(here: Path, capsys: pytest.CaptureFixture[str]):
    """The names that the compiler gives to inputs and uniforms of a stripped module are in no other program."""
    for level in ("O0", "O"):
        shutil.copy(REPOSITORY / "tests" / "spirv" / "shaders" / f"sprite.{level}.spv", here / f"{level}.spv")
    code, out, _ = ran(capsys, "diff", "O.spv", "O0.spv", "--output-locations")
    assert (code, "O.spv and O0.spv are equal" in out) == (0, True)
    assert "inputs and uniforms by their registers: O.spv has no names of them" in out
    notes = [ran(capsys, "compile", f"{level}.spv", "--output-locations")[2].count("note[S013]") for level in ("O", "O0")]
    assert notes == [1, 0]


def test_a_count_whose_name_starts_with_an_underscore_is_set_by_its_name():
    """Also its boolean, which is false for 0, keeps its name in the file."""
    b = Builder()
    b.counts.append(Count("_turns"))
    total = b.variable()
    b.store(total, b.input("a"))
    _, loop = b.loop_over(b.label(), CountOf(0))
    with loop:
        b.store(total, b.load(total) * 2.0)
    b.output("position", b.load(total))
    source = SourceFile("turns.vert", b"")
    made = pipeline.assembled(
        pipeline.Lowered(vector=b.program(), spirv=Spirv(data=b""), diagnostics=()), source, Request("compile", (source,), {})
    )
    shader = read_file(made.file.to_bytes(), "turns.shbin").vertex
    for count in (0, 1, 3):
        assert shader.run({"a": [[1, 2, 3, 4]]}, {"_turns": count}).outputs["position"].tolist() == [
            [2.0**count * n for n in (1, 2, 3, 4)]
        ]


def test_semantics_in_a_module_of_slang(capsys: pytest.CaptureFixture[str]):
    """Slang's compiler leaves those of outputs at the members of the struct that it splits, and drops those of inputs;
    semantics.hlsl is the source."""
    assert main(["compile", str(Path(__file__).parent / "data" / "semantics.slang.spv"), "--stage", "vector"]) == 0
    outputs = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("output ")]
    assert {row[1]: row[-1] for row in outputs} == {
        "a": "position",
        "b": "color",
        "uv0": "texcoord0",
        "uv1": "texcoord1",
        "view": "view",
    }
    main(["compile", str(Path(__file__).parent / "data" / "semantics.slang.spv"), "--check"])
    assert "outputs 'c' (COLOR1) and 'fog' (FOG) are left out" in capsys.readouterr().err
