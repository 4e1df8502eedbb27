"""Nihstro sources at the commands: suffixes, options, includes, conversion."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.pica200.container.read import read_shbin
from lanewise.tools import cli

SOURCE = """.alias scale c0
.alias place v0
.alias out o0 as position
helper:
    mul r0, scale, place
helper_end:
main:
    call helper until helper_end
    mov out, r0
    end
"""
GEOMETRY = ".alias p o0 as position\nmain:\n    setemitraw 0, prim\n    mov p, v0\n    emit\n    end\n"
PICASSO = ".fvec scale\n.in place\n.out outpos position\n.proc main\n\tmul outpos, scale, place\n\tend\n.end\n"


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "light.vsh").write_text(SOURCE)
    (tmp_path / "emit.gsh").write_text(GEOMETRY)
    (tmp_path / "light.v.pica").write_text(PICASSO)
    return tmp_path


def run(*arguments: str) -> int:
    return cli.main(list(arguments))


def objects(path: Path):
    shbin, findings = read_shbin(path.read_bytes(), path.name)
    assert shbin is not None
    assert not findings
    return shbin


def test_the_suffix_says_the_language(tmp_path: Path):
    assert run("asm", "light.vsh") == 0
    shbin = objects(tmp_path / "light.shbin")
    (dvle,) = shbin.dvles
    assert (shbin.layout, dvle.main, dvle.endmain, dvle.input_mask, dvle.output_mask) == ("picasso", 1, 4, 1, 1)


def test_the_layout_of_nihstro_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("asm", "light.vsh", "--layout", "nihstro") == 0
    shbin = objects(tmp_path / "light.shbin")
    (dvle,) = shbin.dvles
    assert (shbin.layout, dvle.main, len(dvle.labels)) == ("nihstro", 1, 3)
    assert "nihstro itself writes 18 as the entry" in capsys.readouterr().err


def test_picasso_sources_take_a_layout_too(tmp_path: Path):
    assert run("asm", "light.v.pica", "--layout", "nihstro", "-o", "n.shbin") == 0
    assert objects(tmp_path / "n.shbin").layout == "nihstro"


def test_entry_and_geometry(tmp_path: Path):
    assert run("asm", "light.vsh", "-e", "helper", "-g") == 0
    (dvle,) = objects(tmp_path / "light.shbin").dvles
    assert (dvle.main, dvle.type) == (0, 1)
    assert run("asm", "emit.gsh") == 0
    assert objects(tmp_path / "emit.shbin").dvles[0].type == 1


def test_several_sources_are_linked(tmp_path: Path):
    assert run("asm", "light.vsh", "emit.gsh", "-o", "both.shbin") == 0
    shbin = objects(tmp_path / "both.shbin")
    assert [(dvle.type, dvle.main) for dvle in shbin.dvles] == [(0, 1), (1, 4)]


def test_the_layout_of_nihstro_holds_one_shader(capsys: pytest.CaptureFixture[str]):
    assert run("asm", "light.vsh", "emit.gsh", "-o", "both.shbin", "--layout", "nihstro") == 0
    assert "warning[C007]: nihstro's layout holds one shader" in capsys.readouterr().err


def test_standard_input_needs_the_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert run("asm", "-", "--dialect", "nihstro", "-o", "x.shbin") == 0
    assert (tmp_path / "x.shbin").exists()


def test_includes_are_relative_to_the_file_that_includes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "parts" / "deep").mkdir(parents=True)
    (tmp_path / "parts" / "names.inc").write_text('.include "deep/more.inc"\n')
    (tmp_path / "parts" / "deep" / "more.inc").write_text('.alias place v0\n.include "../wrong.inc"\n')
    (tmp_path / "inc.vsh").write_text('.include "parts/names.inc"\nmain:\n    mov r0, place\n    end\n')
    assert run("asm", "inc.vsh", "--check") == 1
    err = capsys.readouterr().err
    assert "cannot read parts/wrong.inc: No such file" in err
    assert "--> parts/deep/more.inc:2:10" in err
    (tmp_path / "parts" / "wrong.inc").write_text("")
    assert run("asm", "inc.vsh", "--check") == 0
    assert lw.load(tmp_path / "inc.vsh").vertex.inputs[0].name == "place"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["asm", "light.v.pica", "-e", "main"], 2, "-e is for nihstro sources: in picasso sources write .entry"),
        (["asm", "light.v.pica", "-I", "."], 2, "-I is for nihstro sources"),
        (["asm", "light.vsh", "--no-nop"], 2, "is for picasso sources"),
        (["asm", "light.vsh", "-H", "x.h"], 2, "is for picasso sources"),
        (["asm", "light.vsh", "--layout", "other"], 2, "--layout other: use picasso, official or nihstro"),
        (["asm", "light.vsh", "--dialect", "other"], 2, "unknown dialect 'other': use picasso, nihstro"),
        (["asm", "light.vsh", "light.v.pica"], 1, "P066"),
        (["asm", "light.v.pica", "--dialect", "nihstro"], 1, "--dialect picasso"),
        (["asm", "light.vsh", "-e", "nowhere"], 1, "V044"),
        (["convert", "light.vsh", "--to", "nihstro", "-o", "light.vsh"], 2, "would be overwritten"),
        (["convert", "notes.txt", "light.vsh", "--to", "nihstro"], 1, "C001"),
        (["convert", "missing.vsh", "--to", "picasso"], 1, "cannot read missing.vsh"),
        (["convert", "light.v.pica", "--dialect", "nihstro", "--to", "nihstro"], 1, "P074"),
        (["inspect", "light.vsh", "--scan"], 2, "--scan searches binary files"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    (tmp_path / "notes.txt").write_text("")
    assert run(*arguments) == code
    assert said in capsys.readouterr().err


def test_convert_to_picasso_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("convert", "light.vsh", "--to", "picasso", "-o", "made.v.pica") == 0
    text = (tmp_path / "made.v.pica").read_text()
    assert ".fvec scale" in text
    assert ".in place v0" in text
    assert ".proc helper\n\tmul r0, scale, place\n.end" in text
    assert run("convert", "made.v.pica", "--to", "nihstro") == 0
    out = capsys.readouterr().out
    assert ".alias scale c0\n" in out
    assert "    call helper until helper_end\n" in out
    assert out.splitlines()[0].endswith("as nihstro-assemble writes another program: lanewise asm -o made.shbin made.vsh")


def test_convert_of_a_file_and_of_several_shaders(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("asm", "light.vsh", "emit.gsh", "-o", "both.shbin") == 0
    assert run("convert", "both.shbin", "--to", "nihstro", "-o", "made") == 0
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["both.0.vsh", "both.1.gsh"]
    assert run("asm", "made/both.0.vsh", "made/both.1.gsh", "-o", "again.shbin") == 0
    before, after = objects(tmp_path / "both.shbin"), objects(tmp_path / "again.shbin")
    assert (before.words, [d.main for d in before.dvles]) == (after.words, [d.main for d in after.dvles])
    assert run("dis", "both.shbin", "--dialect", "nihstro") == 0
    assert "// ---- both.1.gsh ----" in capsys.readouterr().out
    assert run("convert", "both.shbin", "--to", "nihstro", "--format", "json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [source["name"] for source in shown["sources"]] == ["both.0.vsh", "both.1.gsh"]


def test_a_geometry_shader_says_how_it_is_assembled(capsys: pytest.CaptureFixture[str]):
    assert run("convert", "emit.gsh", "--to", "nihstro") == 0
    assert "lanewise asm -g -o emit.shbin emit.gsh" in capsys.readouterr().out


def test_what_cannot_be_said_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "two.vsh").write_text(
        ".alias wide c6\n.alias part wide.xyz\n.alias rows v0-v1\nmain:\n    mov r0.xyz, part\n    end\n"
    )
    assert run("convert", "two.vsh", "--to", "picasso") == 0
    err = capsys.readouterr().err
    assert "left out: the name part: it is part of wide" in err
    assert "left out: the array of inputs rows" in err


def test_every_command_takes_them(capsys: pytest.CaptureFixture[str]):
    assert run("run", "light.vsh", "--input", "place=1,2,3,1", "--uniform", "scale=2,2,2,2", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["position"]["values"] == [[2.0, 4.0, 6.0, 2.0]]
    assert run("run", "light.vsh", "--input", "place=1,2,3,1", "--uniform", "scale=2,2,2,2", "--trace", "0") == 0
    assert "mul r0" in capsys.readouterr().out
    assert run("graph", "light.vsh") == 0
    assert "helper" in capsys.readouterr().out
    assert run("inspect", "light.vsh") == 0
    assert "scale" in capsys.readouterr().out
    assert run("inspect", "light.vsh", "--listing") == 0
    assert "mul r0, c0, v0" in capsys.readouterr().out
    assert run("graph", "light.v.pica", "--dialect", "nihstro") == 1
    assert run("run", "light.vsh", "--dialect", "picasso", "--count", "1") == 1


def test_from_python(tmp_path: Path):
    shader = lw.assemble(SOURCE, dialect="nihstro").vertex
    result = shader.run({"place": [1.0, 2.0, 3.0, 1.0]}, {"scale": [3.0, 3.0, 3.0, 3.0]})
    assert result.outputs["position"].tolist() == [[3.0, 6.0, 9.0, 3.0]]
    assert lw.assemble(GEOMETRY, dialect="nihstro", geometry=True).only("geometry").stage == "geometry"
    assert lw.assemble(tmp_path / "light.vsh", entry="helper").vertex.interface.entry == 0
    with pytest.raises(ValueError, match="unknown dialect 'glsl': use picasso, nihstro"):
        lw.assemble(SOURCE, dialect="glsl")
    with pytest.raises(InputError, match="P074"):
        lw.assemble(PICASSO, dialect="nihstro")


def test_convert_from_python(tmp_path: Path):
    made = lw.convert(tmp_path / "light.v.pica", "nihstro")
    assert [source.name for source in made.sources] == ["light.vsh"]
    file = lw.assemble(made.sources[0].text, dialect="nihstro")
    for given in (file, file.to_bytes()):
        assert "mul outpos, scale, place" in lw.convert(given, "picasso").sources[0].text
    (tmp_path / "light.shbin").write_bytes(file.to_bytes())
    assert ".alias scale c0" in lw.convert(tmp_path / "light.shbin", "nihstro").sources[0].text
    with pytest.raises(ValueError, match="unknown dialect 'glsl'"):
        lw.convert(file, "glsl")
    with pytest.raises(InputError, match="C001"):
        lw.convert(b"no shader", "nihstro")
    (tmp_path / "bad.vsh").write_text("main:\n    move r0, r1\n")
    with pytest.raises(InputError, match="P001"):
        lw.convert(tmp_path / "bad.vsh", "picasso")


def test_names_of_uniforms_stay_where_a_label_has_the_same(tmp_path: Path):
    (tmp_path / "same.v.pica").write_text(
        ".fvec light\n.in place\n.out outpos position\n.proc light\n\tmul r0, light, place\n.end\n"
        ".proc main\n\tcall light\n\tmov outpos, r0\n\tend\n.end\n"
    )
    text = lw.convert(tmp_path / "same.v.pica", "nihstro").sources[0].text
    assert ".alias light c0\n" in text
    assert ".symbol" not in text
    assert "light:" not in text.splitlines()


def test_a_last_line_without_an_end_is_read_and_a_note_says_what_nihstro_does(tmp_path: Path):
    file = lw.assemble("main:\n    nop\n    end", dialect="nihstro")
    assert len(file.vertex.words) == 2
    assert [(finding.code, finding.span.line) for finding in file.diagnostics] == [("P071", 3)]


def test_assembling_imports_no_more_than_picasso_does(tmp_path: Path):
    code = (
        "import sys; from lanewise.tools.cli import main; main(['asm', 'light.vsh', '-o', 'light.shbin']); "
        "print(sorted({'numpy', 'llvmlite', 'typing', 're', 'dataclasses', 'argparse', "
        "'lanewise.pica200.text.picasso.reader'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""
