"""`lanewise.compile`: every language to every target, with the bytes of the command."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from installed import needs
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
SPIRV, DIRECT3D9 = EXAMPLES / "glsl/toon.spv", EXAMPLES / "direct3d9/lit.vsa"
GLSL = "#version 450\nin vec4 place;\nuniform float scale;\nvoid main() {\n  gl_Position = place * scale;\n}\n"
COMMANDS: tuple[tuple[Path, str, str, Mapping[str, Any], tuple[str, ...]], ...] = (
    (SPIRV, "pica200", "x.shbin", {}, ()),
    (SPIRV, "pica200", "x.v.pica", {"semantic": {"color": "color"}}, ("--output", "color=color")),
    (SPIRV, "shadercore", "x.scb", {"device": "document"}, ("--device", "document")),
    (EXAMPLES / "direct3d9/skin.vsa", "shadercore", "x.sc", {"array": {"c10": "12/3"}}, ("--array", "c10=12/3")),
)


@pytest.mark.parametrize(
    ("path", "target", "name", "options", "arguments"), COMMANDS, ids=[row[2] + row[1] for row in COMMANDS]
)
def test_the_files_are_those_of_the_command(
    tmp_path: Path, path: Path, target: str, name: str, options: Mapping[str, Any], arguments: tuple[str, ...]
):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert cli.main(["compile", str(path), "--target", target, "-o", str(tmp_path / "a" / name), *arguments]) == 0
    written = lw.compile(path, target=target, **options).save(tmp_path / "b" / name)
    theirs = {file.name: file.read_bytes() for file in (tmp_path / "a").iterdir()}
    assert {file.name: file.read_bytes() for file in (tmp_path / "b").iterdir()} == theirs
    assert {str(tmp_path / "b" / each) for each in theirs} == {*written}


def test_a_program_runs_by_the_names_of_its_source():
    values = {"position": [[0, 0, 0], [1, 2, 3]], "normal": [0, 0, 1]}
    uniforms: dict[str, Any] = {"projection": np.eye(4), "modelview": np.eye(4), "bands": 4, "sun": [0, 0, 1, 0]}
    uniforms |= {"shade": [0.1] * 3, "paint": [0.5] * 3}
    on_pica = lw.compile(SPIRV, target="pica200")
    on_core = lw.compile(SPIRV, target="shadercore", device="document")
    one = on_pica.run(values, {**uniforms, "glossy": True})
    two = on_core.run(values, {**uniforms, "glossy": True})
    assert isinstance(on_pica.program, lw.pica200.ShaderFile)
    assert isinstance(on_core.program, lw.shadercore.ShaderCoreProgram)
    np.testing.assert_allclose(one.outputs["color"], two.outputs["color"], rtol=1e-3)
    assert two.variant == "document"  # the device that it was compiled for
    assert (on_pica.isa, on_core.isa, on_pica.program.isa) == ("pica200", "shadercore", "pica200")


def test_the_report_has_the_costs_of_lines():
    for target, first in (("pica200", "words"), ("shadercore", "slots")):
        made = lw.compile(SPIRV, target=target)
        report = made.report
        assert sum(line.costs[first] for line in report.lines) == report.totals[first] == len(made.program.words)
        assert {*report.totals} >= {*report.lines[0].costs}
        for costs in (report.totals, report.lines[0].costs):
            with pytest.raises(KeyError, match=f"no cost 'joules': here there are {first}, "):
                costs["joules"]
        assert str(report) == report.text()
        assert str(report.totals[first]) in report.text()
        document: Any = report.to_json()
        assert document["lines"][0] == {"file": report.lines[0].file, "line": report.lines[0].line} | {
            "source": report.lines[0].source,
            **report.lines[0].costs,
        }
    shader = lw.compile(DIRECT3D9, device="rtl,issue_interval=12")
    assert shader.report.target == "shadercore, rtl, issue_interval=12"
    assert shader.report.lines[0].line == 12
    assert "<table" not in shader._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_what_a_compilation_was_made_from():
    shader = lw.load_direct3d9(DIRECT3D9)
    words = lw.compile(DIRECT3D9, target="pica200").program.words
    assert lw.compile(shader, target="pica200").program.words == words
    assert lw.compile(DIRECT3D9.read_text(), target="pica200").program.words == words
    assert lw.compile(DIRECT3D9.read_bytes(), target="pica200", name="lit.vsa").name == "lit.vsa"
    with SPIRV.open("rb") as stream:
        assert lw.compile(stream).name == str(SPIRV)
    assert lw.compile(str(EXAMPLES / "water.fxb:Water/P0/vertex")).isa == "shadercore"
    again = pickle.loads(pickle.dumps(lw.compile(SPIRV)))
    assert again.report.totals == lw.compile(SPIRV).report.totals
    assert again.files("a.shbin") == lw.compile(SPIRV).files("a.shbin")
    device = lw.shadercore.device("rtl,issue_interval=12")
    assert lw.compile(shader, device=device).report.target == "shadercore, rtl, issue_interval=12"
    seen: list[tuple[int, int]] = []
    lw.compile(SPIRV, progress=lambda done, of: seen.append((done, of)))
    assert seen == [] or seen[-1][0] <= seen[-1][1]


@needs("glslc")
def test_a_text_in_glsl():
    made = lw.compile(GLSL, target="pica200")
    assert made.run({"place": [1, 2, 3, 4]}, {"scale": 2}).outputs["position"].tolist() == [[2, 4, 6, 8]]
    with pytest.raises(lw.InputError) as error:
        lw.compile("void main() { gl_Position = vec4(x); }", language="glsl", name="a.vert")
    assert error.value.diagnostics[0].span.file == "a.vert"


WRONG: tuple[tuple[Any, Mapping[str, Any], type[Exception], str], ...] = (
    (SPIRV, {"target": "z80"}, ValueError, "unknown target 'z80': use shadercore, pica200"),
    (SPIRV, {"language": "basic"}, ValueError, "unknown language 'basic'"),
    (SPIRV, {"teapot": 1}, ValueError, "unknown option teapot for SPIR-V and PICA200: use avoid,"),
    (SPIRV, {"strict": 3}, ValueError, "strict is 3, expected True or False"),
    (SPIRV, {"device": "rtl"}, ValueError, "PICA200 is one device"),
    (SPIRV, {"avoid": ["mul"], "target": "shadercore"}, ValueError, "unknown option avoid"),
    (EXAMPLES / "toon.v.pica", {}, ValueError, "is for PICA200 already"),
    (EXAMPLES / "transform.sc", {"target": "pica200"}, ValueError, "is for ShaderCore"),
    ("none.vert", {}, FileNotFoundError, "none.vert"),
    (7, {}, TypeError, "found int"),
    (DIRECT3D9, {"device": "rtl2"}, ValueError, "unknown device 'rtl2'"),
    (DIRECT3D9, {"array": {"c10": "0"}}, ValueError, "--array c10=0"),
    (EXAMPLES / "direct3d9/skin.vsa", {"array": {"c10": 12}}, lw.InputError, "takes 776 slots"),
)


def test_what_cannot_be_compiled():
    for source, options, kind, message in WRONG:
        with pytest.raises(kind) as error:
            lw.compile(source, **options)
        assert message in str(error.value)
    with pytest.raises(ValueError, match=r"^x\.png: \.png is not a form"):
        lw.compile(SPIRV).files("x.png")
    with pytest.raises(ValueError, match=r"write lanewise\.compile\(shader, target='pica200'\)"):
        lw.load_direct3d9(DIRECT3D9).compile("pica200")


def test_the_package_of_the_compilers_is_the_function():
    code = (
        "import lanewise.compile.frontends as f, lanewise as lw; from lanewise import compile; "
        f"print(callable(lw.compile), compile is lw.compile, lw.compile({str(SPIRV)!r}).isa, f.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True True pica200 lanewise.compile.frontends\n"
