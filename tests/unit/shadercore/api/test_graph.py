"""`lanewise graph` of ShaderCore programs: dependences as boxes and arrows."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.tools.cli import main

TRANSFORM = str(REPOSITORY / "examples" / "transform.sc")


def test_expressions_with_their_waits(capsys: pytest.CaptureFixture[str]):
    assert main(["graph", TRANSFORM]) == 0
    out = capsys.readouterr().out
    assert out.startswith("33 instructions in 10 boxes, a wave on rtl: 275 cycles, 6 of them waits\n")
    assert "     24  rcp x0.x, o0.w  ; waits 2 for 23 (o0.w)\n  x0.x -> 2\n" in out
    assert "  o0.w, 2 cycles -> 1\n  -> position.w (o0.w)\n" in out
    assert "     12  add r0.x, r0.x, r0.y\n" in out, "slots are decimal"


def test_a_box_for_each_instruction_and_the_order(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source = tmp_path / "a.sc"
    source.write_text(".output o0 position\nmov r0.x, v0.x\nmov o0.x, r0.x\nmov r0.x, v0.y\nmov o0.y, r0.x\nend\n")
    assert main(["graph", str(source), "--each", "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert [box["slots"] for box in plain["instructions"]] == [[0], [1], [2], [3], [4]]
    assert main(["graph", str(source), "--each", "--order", "--format", "json"]) == 0
    ordered = json.loads(capsys.readouterr().out)["instructions"]
    kinds = [(edge.get("kind"), edge.get("end")) for edge in ordered[1]["next"]]
    assert kinds == [("war", None), (None, "position.x (o0.x)")]
    assert ordered[1]["next"][0]["dependences"] == [{"kind": "war", "from": 1, "to": 2, "register": "r0.x", "cycles": 0}]
    assert main(["graph", str(source), "--order"]) == 0
    assert "  WAR r0.x -> 1\n" in capsys.readouterr().out


@pytest.mark.parametrize("style", ["svg", "dot"])
def test_pictures(style: str, capsys: pytest.CaptureFixture[str]):
    assert main(["graph", TRANSFORM, "--format", style]) == 0
    out = capsys.readouterr().out
    assert "rcp x0.x, o0.w" in out
    if style == "svg":
        assert len(ElementTree.fromstring(out).findall(".//{*}g[@class='block']")) == 10
        assert "arrow thin" in out
    else:
        assert "style=dotted" in out


def test_a_device_and_settings(capsys: pytest.CaptureFixture[str]):
    assert main(["graph", TRANSFORM, "--device", "document", "--set", "issue_interval=5", "--set", "special_interval=5"]) == 0
    assert "a wave on document, issue_interval=5, special_interval=5: " in capsys.readouterr().out


def test_a_program_that_hangs_or_has_no_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.sc"
    source.write_text("mov r0.x, x7.x\nend\n")
    assert main(["graph", str(source)]) == 0
    assert "; never issues: it names x7.x as a source\n  -> never issues\n" in capsys.readouterr().out
    source.write_text("mov r0.x, v0.x\n")
    assert main(["graph", str(source)]) == 0
    assert "a wave on rtl: no end" in capsys.readouterr().out


def test_x7x(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.sc"
    source.write_text("mov x7.x, v0.x\nmov o0.x, v0.x\nmov x7.x, v0.x\nend\n")
    assert main(["graph", str(source)]) == 0
    out = capsys.readouterr().out
    assert "      0  mov x7.x, v0.x  ; idle write slots clear lanes 0 to 3\n" in out
    assert "      2  mov x7.x, v0.x\n" in out, "the last one before END stays"
    assert main(["graph", str(source), "--device", "document"]) == 0
    assert "idle" not in capsys.readouterr().out


def test_in_python():
    program = lw.load(TRANSFORM, isa="shadercore")
    drawing = program.graph("document")
    assert drawing.text().count("\n\n") == 10 and "<title>transform on document</title>" in drawing.svg()
    assert json.dumps(program.graph(each=True).to_json()).count('"slots"') == 33
