"""`lanewise check` for ShaderCore: files in every form, formats, devices, comments, costs."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import REPOSITORY
from effort import examples
from lanewise.core.diagnostics import NOTE
from lanewise.core.service import Report
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.container.header import places, read
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.tools import cli

SOURCE = """.input v0 position
.output o0 position
    mul r0.x, c0.x, c1.x    ; two constants
    mov o0.xyz, v0.xyz
    add o0.w, r0.x, 1       // lanewise: ignore[V214]
    end
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    for form, suffix in (("bin", "bin"), ("hex", "hex"), ("c", "c")):
        assert cli.main(["asm", "a.sc", "--to", form, "-o", f"a.{suffix}"]) == 0
    assert cli.main(["asm", "a.sc", "-o", "a.scb"]) == 0
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    capsys.readouterr()
    cli.main(["check", *argv, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def test_a_comment_keeps_a_finding_quiet(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = told(capsys, "a.sc")
    assert [(d["code"], d["span"]["line"], d["span"]["column"]) for d in data["diagnostics"]] == [("V215", 3, 5)]
    assert data["ignored"] == 1
    assert data["diagnostics"][0]["evidence"] == "measured"
    assert "V107" in [d["code"] for d in told(capsys, "a.sc", "--set", "one_register=fixed")["diagnostics"]]


def test_every_form_is_checked_and_placed(folder: Path, capsys: pytest.CaptureFixture[str]):
    spans = {
        "a.scb": [{"file": "a.scb", "offset": 32}, {"file": "a.scb", "offset": 64}],
        "a.bin": [{"file": "a.bin", "offset": 0}, {"file": "a.bin", "offset": 32}],
    }
    for name in ("a.scb", "a.bin", "a.hex", "a.c"):
        found = told(capsys, name)["diagnostics"]
        assert [d["code"] for d in found] == ["V215", "V214"], name
        assert found[0]["notes"][0] == "slot 0: mul r0.x, c0.x, c1.x"
        if name in spans:
            assert [d["span"] for d in found] == spans[name]
    (first, second) = (d["span"] for d in told(capsys, "a.hex")["diagnostics"])
    assert (first["line"], first["column"], first["length"], second["line"]) == (1, 1, 16, 5)
    (first, second) = (d["span"] for d in told(capsys, "a.c")["diagnostics"])
    assert first["text"][first["column"] - 1 :].startswith("0x")
    assert (first["length"], second["line"] - first["line"]) == (21, 4)


def test_comments_in_files_of_words(folder: Path, capsys: pytest.CaptureFixture[str]):
    lines = (folder / "a.hex").read_text().splitlines()
    (folder / "a.hex").write_text("\n".join([lines[0] + "  # lanewise: ignore[V215]", *lines[1:]]) + "\n")
    data = told(capsys, "a.hex")
    assert ([d["code"] for d in data["diagnostics"]], data["ignored"]) == (["V214"], 1)


def test_devices_and_exit_codes(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["check", "a.sc"]) == 1
    assert cli.main(["check", "a.sc", "--device", "document"]) == 0
    assert cli.main(["check", "a.sc", "--set", "constant_ports=two"]) == 0
    (folder / "mine.toml").write_text('base = "rtl"\n[set]\nconstant_ports = "two"\n')
    assert cli.main(["check", "a.sc", "--device", "mine.toml"]) == 0
    assert cli.main(["check", "a.sc", "--set", "constant_ports=three"]) == 2
    assert cli.main(["check", "a.sc", "--link"]) == 2
    assert cli.main(["check", "--words", "a.bin", "--isa", "shadercore"]) == 2
    (folder / "b.pica").write_text(".in p\n.out o position\n.proc main\n\tmov o, p\n\tend\n.end\n")
    assert cli.main(["check", "b.pica", "--device", "document"]) == 2
    capsys.readouterr()
    assert {d["span"]["file"] for d in told(capsys, "a.sc", "b.pica")["diagnostics"]} == {"a.sc"}
    assert cli.main(["check", "a.bin", "--isa", "pica200"]) == 1


def test_selecting_and_levels(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert told(capsys, "a.scb", "--select", "V21", "--ignore", "V215")["diagnostics"][0]["code"] == "V214"
    (folder / "n.sc").write_text("add NULL, v0.x, v0.x\nmov o0.x, v0.x\nend\n")
    assert cli.main(["check", "n.sc"]) == 0
    assert "V224" in capsys.readouterr().out
    assert told(capsys, "n.sc", "--level", "warning")["diagnostics"] == []


def test_sarif_and_github(folder: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    cli.main(["check", "a.scb", "a.sc", "--format", "sarif"])
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["V214", "V215"]
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    assert regions[0] == {"byteOffset": 32, "byteLength": 8}
    assert regions[2] == {"startLine": 3, "startColumn": 5, "endColumn": 25}
    assert run["results"][-1]["suppressions"]
    cli.main(["check", "a.sc", "--format", "github"])
    assert capsys.readouterr().out.startswith("::warning file=a.sc,line=3,col=5,endColumn=25,title=V215::mul also reads c0.x")


def test_costs(folder: Path, capsys: pytest.CaptureFixture[str]):
    (stats,) = told(capsys, "a.sc", "--stats")["stats"]
    assert stats["uses"]["slots"] == {"used": 6, "of": 512}
    assert stats["uses"]["constants"] == {"used": 2, "of": 256}
    assert stats["uses"]["components of r"] == {"used": 1, "of": 32}
    assert stats["uses"]["components of x"] == {"used": 0, "of": 31}  # x7.x holds nothing
    (kept,) = told(capsys, "a.sc", "--stats", "--set", "x7x=normal")["stats"]
    assert kept["uses"]["components of x"] == {"used": 0, "of": 32}
    assert (stats["device"], stats["hangs"]) == ("rtl", None)
    cli.main(["time", "a.sc", "--json"])
    assert stats["total_cycles"] == json.loads(capsys.readouterr().out)["total_cycles"]
    (folder / "h.sc").write_text("mov o0.x, x7.x\nend\n")
    cli.main(["check", "h.sc", "--stats"])
    assert "instruction 0 never issues" in capsys.readouterr().out
    (folder / "n.sc").write_text("mov o0.x, v0.x\n")
    cli.main(["check", "n.sc", "--stats"])
    assert "not defined without an end" in capsys.readouterr().out


def test_explanations(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["check", "--explain", "V212"]) == 0
    assert "Idle write slots" in capsys.readouterr().out


def test_standard_input(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    class In:
        buffer = io.BytesIO((folder / "a.sc").read_bytes())

    monkeypatch.setattr("sys.stdin", In)
    found = told(capsys, "-", "--from", "source")["diagnostics"]
    assert [(d["code"], d["span"]["file"]) for d in found] == [("V215", "<stdin>")]


def test_the_header_names_inputs(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "i.sc").write_text(".output o1 color\nadd o0.x, v0.x, v3.x\nend\n")
    assert cli.main(["asm", "i.sc"]) == 0
    found = told(capsys, "i.scb")["diagnostics"]
    assert [(d["code"], d["fix"]) for d in found] == [("V211", "set byte 11 of the header to the usage of v3")]


def test_the_example_is_right():
    for device in (RTL, DOCUMENT):
        path = REPOSITORY / "examples" / "transform.sc"
        assert check_shadercore(path.read_bytes(), path.name, device) == Report(())


def test_places_of_words_in_texts():
    text = b"/* {1} */ const x[] = {\n  0x1, 0x2ULL,\n\n 0x3 // 0x4\n};"
    program, _ = read(text, "x.c")
    assert program is not None
    assert program.words == (1, 2, 3)
    assert [(p.line, p.column, p.length) for p in places(text, "x.c")] == [(2, 3, 3), (2, 8, 6), (4, 2, 3)]


@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=24), st.sampled_from([RTL, DOCUMENT]))
@examples(75, 1500)
def test_any_words_are_checked(words: list[int], device: Device):
    data = b"".join(word.to_bytes(8, "little") for word in words)
    report = check_shadercore(data, "x.bin", device, "words", stats=True)
    for finding in report.findings:
        assert finding.fix
        assert finding.severity == NOTE or finding.code.startswith(("V", "C"))
        assert finding.span.offset % 8 == 0 or finding.span.offset == -1
    assert len(report.stats) == 1
