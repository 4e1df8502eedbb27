"""`lanewise time`: text, JSON, pictures and waveforms, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from corpus import REPOSITORY
from lanewise.shadercore.api.services.timeline import as_svg
from lanewise.shadercore.api.services.vcd import as_vcd
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.table import PIPES
from lanewise.shadercore.isa.timing import Timing, time_program
from lanewise.shadercore.text.printer import text_of
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools import cli

SOURCE = "mul r0.x, v0.x, v0.x\nmov r1.x, r0.x\nrcp o0.x, r1.x\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    return tmp_path


def timed(text: str, document: bool = False) -> Timing:
    result = read_source_text(text, "a.sc")
    assert result.program is not None
    return time_program(result.program.insts, DOCUMENT if document else RTL)


def as_json(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> dict[str, Any]:
    assert cli.main(["time", *argv]) == code
    return json.loads(capsys.readouterr().out)


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = as_json(capsys, "a.sc", "--json")
    assert data["issue_cycle"] == [0, 11, 19, 37]
    assert (data["o_stalls"], data["i_stalls"], data["total_cycles"]) == (4, 2, 43)
    assert data["instructions"][1]["waited"] == "oii"
    assert data["instructions"][1]["waits_for"] == [0]
    assert data["instructions"][1]["waits"] == [
        {"for": "write port", "register": "r0.x", "slot": 0, "cycles": 1},
        {"for": "source", "register": "r0.x", "slot": 0, "cycles": 2},
    ]
    assert data["reordering"] is None
    assert data["draw"]["total_cycles"] == 4 + 43 + 177 + 1
    assert data["draw"]["fetch_estimate"] is None
    assert data["pipes"]["MUL"] == 4
    assert as_json(capsys, "a.sc", "--format", "json") == data


def test_the_document_defines_less(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = as_json(capsys, "a.sc", "--device", "document", "--json", "--stream", "float3")
    assert data["issue_cycle"] == [0, 5, 9, 13]
    assert data["draw"]["setup_cycles"] is data["draw"]["export_cycles"] is data["draw"]["fetch_estimate"] is None
    assert cli.main(["time", "a.sc", "--device", "document", "--stream", "float3"]) == 0
    text = capsys.readouterr().out
    for what in ("set up", "export", "next vertices", "all", "fetch"):
        assert re.search(rf"^  {what} +not defined$", text, re.MULTILINE), what


def test_text(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["time", "a.sc", "--vertices", "36", "--stream", "float3,D3DCOLOR"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("a.sc on rtl\n===")
    text = " ".join(text.split())
    assert (
        "1 11 1 3 mov r1.x, r0.x 1 for the write port, where slot 0 (mul) writes r0.x; 2 for r0.x, written by slot 0 (mul)"
        in text
    )
    assert "3 for 36 vertices" in text
    # 7 * 4 * 36 + 9 groups * (3 + 9)
    assert "1116 if the cache has all data; 19 of 144 DWORDs miss: each adds 12 cycles and the latency of the memory" in text
    assert "all 1659 with the fetch if the cache has all data, 543 without it" in text
    own = ["--device", "document", "--set", "fetch_cycles=7,fetch_write=1,fetch_color=9"]
    assert cli.main(["time", "a.sc", "--stream", "float1", *own]) == 0
    assert "116 if the cache has all data; a miss takes longer" in capsys.readouterr().out
    assert cli.main(["time", "a.sc"]) == 0
    assert "225 without the fetch" in capsys.readouterr().out
    (folder / "nops.sc").write_text("rsq r0.x, v0.x\n" + "nop\n" * 5 + "mov o0.x, r0.x\nend\n")
    assert cli.main(["time", "nops.sc"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "5 nops cost 38 cycles: an instruction waits for its sources by itself. Without them one wave takes" in text
    assert "without nops; none found that is as fast with them" in text and "the document has no latency" not in text
    assert cli.main(["time", "nops.sc", "--device", "document"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "the document has no latency for rsq (slot 0): 14 is chosen (marked NotImpl; as RCP)" in text
    assert cli.main(["time", "nops.sc", "--device", "document", "--set", "rsq_latency=20"]) == 0
    assert "the document has no latency" not in capsys.readouterr().out


def test_what_if(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = as_json(capsys, "a.sc", "--json", "--set", "issue_interval=4,write_port=free", "--set", "read_delay=0")
    assert data["issue_cycle"] == [0, 5, 9, 24]
    assert data["device"] == "rtl, issue_interval=4, read_delay=0, write_port=free"
    (folder / "d.toml").write_text("[set]\nread_delay = 0\nwrite_port = 'free'\n")
    assert as_json(capsys, "a.sc", "--json", "--device", "d.toml")["issue_cycle"] == [0, 8, 16, 31]


def test_misses(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "m.bin").write_bytes(bytes(4 * 8 * 40))
    data = as_json(capsys, "a.sc", "--json", "--stream", "float4", "--memory-latency", "20")["draw"]
    assert (data["fetch_dwords"], data["fetch_misses"], data["missing_cycles"]) == (64, 8, 8 * 32)
    assert data["total_with_fetch"] == data["total_cycles"] + data["fetch_estimate"] + 8 * 32
    assert data["fetch_by_wave"] == [{"vertices": 16, "dwords": 64, "misses": 8, "hit_cycles": 7 * 64 + 16}]
    stream = ["--stream", "v0=float1:m.bin:0:8"]
    assert as_json(capsys, "a.sc", "--json", *stream)["draw"]["fetch_misses"] == 40  # all that the file has, a line for each
    assert as_json(capsys, "a.sc", "--json", *stream, "--vertices", "41")["draw"]["fetch_misses"] == 41
    data = as_json(capsys, "a.sc", "--json", *stream, "--indices", "0,1,0,1,0,1")["draw"]
    assert (data["vertices"], data["fetch_misses"], data["missing_cycles"], data["total_with_fetch"]) == (6, 2, None, None)
    assert as_json(capsys, "a.sc", "--json", "--stream", "float1", "--indices", "0,8,0,8")["draw"]["fetch_misses"] == 2
    assert cli.main(["time", "a.sc", "--stream", "float4", "--memory-latency", "20"]) == 0
    text = capsys.readouterr().out
    assert "720: 464 if the cache has all data; 8 of 64 DWORDs miss, 32 cycles each" in text
    assert "945 with the fetch, 225 without it" in text
    data = as_json(capsys, "a.sc", "--json", "--stream", "float1", "--vertices", "70000")["draw"]
    assert (data["waves"], data["fetch_misses"]) == (4375, None)
    assert as_json(capsys, "a.sc", "--json", *stream, "--indices", "40", code=1)["diagnostics"][0]["code"] == "B011"
    assert as_json(capsys, "a.sc", "--json", "--stream", "v0=float1:m.bin:0:64", code=1)["diagnostics"][0]["code"] == "B201"


def test_a_faster_order(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "s.sc").write_text("rcp r0.x, v0.x\nmov r1.x, r0.x\nadd r2.x, v0.x, v0.y\nmul r3.x, v0.x, v0.x\nend\n")
    data = as_json(capsys, "s.sc", "--json")
    assert (data["total_cycles"], data["reordering"]) == (51, {"order": [0, 3, 2, 1, 4], "total_cycles": 42})
    assert cli.main(["time", "s.sc", "--reordered", "fast.sc"]) == 0
    assert "these 51 cycles would be 42; slots in this order: 0 3 2 1 4" in capsys.readouterr().out
    again = as_json(capsys, "fast.sc", "--json")
    assert (again["total_cycles"], again["reordering"]) == (42, None)
    (folder / "e.sc").write_text("exp r0.x, v0.x\nend\n")
    assert cli.main(["time", "e.sc"]) == 0
    assert "the results depend on the cycles" in capsys.readouterr().out


def test_the_floor(folder: Path, capsys: pytest.CaptureFixture[str]):
    floor = as_json(capsys, "a.sc", "--json")["floor"]
    assert (floor["cycles"], floor["by"]) == (43, "chain")
    assert floor["bounds"][0] == {"kind": "chain", "pipe": None, "cycles": 43, "slots": [0, 1, 2]}
    assert {bound["pipe"] for bound in floor["bounds"] if bound["kind"] == "pipe"} == {"MUL", "CMP", "SPEC"}
    stream = ["--stream", "float4", "--memory-latency", "20"]
    draw = as_json(capsys, "a.sc", "--json", *stream)["draw"]
    assert draw["memory_floor"] == {"cycles": 720, "dwords": 64, "hit_cycles": 464, "lines": 8, "missing_cycles": 256}
    assert draw["floor_cycles"] == draw["total_with_fetch"]
    assert cli.main(["time", "a.sc", *stream]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "chain 43 3 slots, each reads the one before: 0 1 2" in text
    assert "SPEC 24 1 slot: 1 x 15 + 9 at the end" in text
    assert "wave these 43 cycles are the floor: only a shorter chain takes less" in text
    assert "memory 720 for the fetch: 64 DWORDs take 464, 8 lines that miss once" in text
    assert "floor 945 with the fetch" in text
    (folder / "m.sc").write_text("mov o0.xyzw, v0.xyzw\nend\n")
    assert cli.main(["time", "m.sc"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "these 35 cycles are the floor: only fewer slots take less memory unknown: no input types given" in text
    data = as_json(capsys, "a.sc", "--json", "--stream", "float4", "--vertices", "1000000000")["draw"]["memory_floor"]
    assert (data["lines"], data["missing_cycles"]) == (None, 0)
    (folder / "h.sc").write_text("mov r0.x, x7.x\nend\n")
    assert as_json(capsys, "h.sc", "--json", code=1)["floor"] is None


def test_files_of_any_form(folder: Path, capsys: pytest.CaptureFixture[str]):
    expected = as_json(capsys, "a.sc", "--json")["issue_cycle"]
    assert cli.main(["asm", "a.sc"]) == 0
    for target in ("bin", "hex", "c"):
        assert cli.main(["asm", "a.sc", "--to", target]) == 0
        assert as_json(capsys, f"a.{target}", "--json")["issue_cycle"] == expected
    assert as_json(capsys, "a.scb", "--json")["issue_cycle"] == expected


def test_hangs_and_programs_without_end(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "h.sc").write_text("mov r0.x, x7.x\nend\n")
    assert cli.main(["time", "h.sc"]) == 1
    text = " ".join(capfd.readouterr().out.split())
    assert "instruction 0 never issues" in text
    assert "0 never mov r0.x, x7.x for x7.x" in text
    assert "one wave never ends stalls" in text
    assert "not defined" not in text
    (folder / "n.sc").write_text("mov r0.x, 0\n")
    assert cli.main(["time", "n.sc"]) == 1
    assert "one wave  never ends\n" in capfd.readouterr().out
    assert cli.main(["time", "n.sc", "--json", "--svg", "n.svg", "--vcd", "n.vcd"]) == 1
    data = json.loads(capfd.readouterr().out)
    assert data["total_cycles"] is None
    assert [d["code"] for d in data["diagnostics"]] == ["V202"]
    assert "has no end" in (folder / "n.svg").read_text()


def test_overtaken(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "o.sc").write_text("rcp r0.x, v0.x\nmov r0.x, v0.x\nend\n")
    assert cli.main(["time", "o.sc", "--device", "document"]) == 0
    assert "the final value is not defined" in " ".join(capsys.readouterr().out.split())
    assert as_json(capsys, "o.sc", "--device", "document", "--json")["overtaken"] == [[0, 1]]


def test_errors_of_the_source(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "b.sc").write_text("mov r9.x, 0\n")
    assert cli.main(["time", "b.sc", "--json"]) == 1
    assert [d["code"] for d in json.loads(capfd.readouterr().out)["diagnostics"]] == ["P205"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["a.sc", "--vertices", "0"], "expected at least 1"),
        (["a.sc", "--stream", "float5"], "unknown type 'float5'"),
        (["a.sc", "--stream", ",".join(["float1"] * 9)], "found 9 inputs, expected at most 8"),
        (["a.sc", "--device", "gpu"], "use document or rtl"),
        (["a.sc", "--set", "issue_interval", "4"], "--set issue_interval 4: write --set issue_interval=4; see lanewise time"),
        (["a.sc", "--set", "issue_interval", "=", "4"], "--set issue_interval = 4: write --set issue_interval=4"),
        (["a.sc", "b.sc"], "name one FILE, found 2: a.sc, b.sc; see"),
        (["a.sc", "--set", "rsq=exact"], "set rsq_gate=fixed too"),
        (["a.sc", "--svg", "-", "--vcd", "-"], "--svg and --vcd both want standard output"),
        (["a.sc", "--svg", "-", "--json"], "--svg and --format json both want standard output"),
        (["a.sc", "--vcd", "-", "--reordered", "-"], "--vcd and --reordered both want standard output"),
        (["a.sc", "--reordered", "fast.scb"], "--reordered fast.scb: source is written"),
        (["a.sc", "--reordered", "a.sc"], "would be overwritten"),
        (["a.sc", "--svg", "a.png"], "--svg a.png: .png is not a form of this output: use .svg"),
        (["a.sc", "--vcd", "a.json"], "--vcd a.json: .json is not a form of this output: use .vcd"),
        (["a.sc", "--memory-latency", "5000"], "--memory-latency 5000: memory_latency cannot be"),
        (["a.sc", "--stream", "float1", "--stream", "v0=float1:m.bin"], "a file for each input, or for none"),
        (["a.sc", "--stream", "float1", "--indices", "0,1", "--vertices", "3"], "there are 2 indices"),
        (["a.sc", "--stream", "float1", "--indices", "0,70000"], "whole numbers from 0 to 65535"),
    ],
)
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], argv: list[str], words: str):
    assert cli.main(["time", *argv]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--device", "rtl"]])
def test_no_timing_is_said_before_options(folder: Path, capsys: pytest.CaptureFixture[str], options: list[str]):
    (folder / "a.v.pica").write_text(".out outpos position\n.proc main\n    mov outpos, c0\n    end\n.end\n")
    assert cli.main(["time", "a.v.pica", *options]) == 2
    assert "PICA200 has no timing model" in capsys.readouterr().err


# Pictures


@pytest.mark.parametrize("document", [False, True])
def test_svg_has_a_bar_for_each_quad_in_its_place(document: bool):
    timing = timed(SOURCE, document)
    root = ElementTree.fromstring(as_svg(timing, "a <b>"))
    space = "{http://www.w3.org/2000/svg}"
    groups = root.findall(f"{space}g")
    assert len(groups) == 4
    origins: set[float] = set()
    for issue, group in zip(timing.issues, groups, strict=True):
        title = group.find(f"{space}title")
        assert title is not None
        assert title.text is not None
        assert title.text.startswith(f"{issue.number}: ")
        rects = group.findall(f"{space}rect")
        bars = [rect for rect in rects if rect.get("height") == "5"]
        stalls = [rect for rect in rects if rect.get("height") == "23"]
        assert (len(bars), len(stalls)) == (4, issue.stalls)
        for start, bar in zip(timing.starts(issue), bars, strict=True):
            assert float(bar.get("width", "0")) == issue.latency * 7
            origins.add(float(bar.get("x", "0")) - start * 7)
    assert len(origins) == 1, "all rows of a band share an axis"
    title = root.find(f"{space}title")
    assert title is not None
    assert title.text == "a <b>"


def test_long_programs_are_cut_into_bands():
    timing = timed("mov r0.x, v0.x\n" * 200 + "end\n")
    root = ElementTree.fromstring(as_svg(timing, "long"))
    assert float(root.get("width", "0")) < 1400
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 201


# Waveforms


def waves(text: str) -> dict[str, dict[int, str]]:
    """The value of each signal in each cycle."""
    names = dict(re.findall(r"^\$var \w+ \d+ (\S+) (\S+) \$end$", text, re.MULTILINE))
    now: dict[str, str] = {}
    found: dict[str, dict[int, str]] = {name: {} for name in names.values()}
    body = text.partition("$enddefinitions $end\n")[2]
    cycle = -1
    for line in body.splitlines():
        if line.startswith("#"):
            for before in range(max(cycle, 0), int(line[1:])):
                for name, value in now.items():
                    found[name][before] = value
            cycle = int(line[1:])
        elif not line.startswith("$"):
            value, mark = line.split() if line[0] in "bs" else (line[0], line[1:])
            now[names[mark]] = value[1:] if line[0] in "bs" else value
    return found


@pytest.mark.parametrize("document", [False, True])
def test_vcd(document: bool):
    timing = timed(SOURCE, document)
    found = waves(as_vcd(timing))
    assert [cycle for cycle, value in found["issue"].items() if value == "1"] == [issue.cycle for issue in timing.issues]
    assert sum(value == "1" for value in found["stall_write_port"].values()) == timing.output_stalls
    assert sum(value == "1" for value in found["stall_source"].values()) == timing.input_stalls
    assert sum(value == "1" for value in found["draining"].values()) == timing.drain_cycles
    for pipe in PIPES:
        started = [cycle for cycle, value in found[f"{pipe.lower()}_starts"].items() if value == "1"]
        assert started == [c for i in timing.issues if timing.insts[i.number].op.pipe == pipe for c in timing.starts(i)]
    for issue in timing.issues:
        text = text_of(timing.insts[issue.number]).replace(" ", "\\x20")
        assert found["instruction"][issue.cycle] == text
        pipe = timing.insts[issue.number].op.pipe.lower()
        assert {found[f"{pipe}_instruction"][start] for start in timing.starts(issue)} == {text}
    assert set(found["write_target"].values()) - {""} == {
        f"{file}{number}.{'xyzw'[c]}" for target in map(timing.target, timing.issues) if target for file, number, c in [target]
    }
    if document:
        return  # its results may come in one cycle, of which the dump shows one
    for issue in timing.issues[:3]:
        for quad, start in enumerate(timing.starts(issue)):
            assert int(found["write_quad"][start + issue.latency], 2) == quad
            assert int(found["write_slot"][start + issue.latency], 2) == issue.number


@pytest.mark.parametrize(("name", "data"), [("a.v.pica", b"end"), ("a.vsh", b"end"), ("a.shbin", b"DVLB")])
def test_files_of_the_pica200_are_told_apart(folder: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes):
    (folder / name).write_bytes(data)
    assert cli.main(["time", name]) == 2
    assert "PICA200 has no timing model" in capsys.readouterr().err


def test_a_shader_is_compiled_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "spot.vsa"
    source.write_bytes((REPOSITORY / "examples" / "direct3d9" / "spot.vsa").read_bytes())
    for device in ("rtl", "document"):
        assert cli.main(["compile", "spot.vsa", "--device", device, "-o", "apart.scb"]) == 0
        capsys.readouterr()
        assert cli.main(["time", "apart.scb", "--device", device, "--json"]) == 0
        wanted = json.loads(capsys.readouterr().out)
        assert cli.main(["time", "spot.vsa", "--target", "shadercore", "--device", device, "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["issue_cycle"] == wanted["issue_cycle"]
        assert err == "spot.vsa is compiled for ShaderCore\n"
    assert cli.main(["opt", "spot.vsa", "--target", "shadercore", "-o", "small.scb"]) == 0
    assert "constants and names are in the .json that `lanewise compile` writes" in capsys.readouterr().err
    assert (tmp_path / "small.scb").read_bytes()[:2] == b"VS"
    (tmp_path / "a.v.pica").write_text(".proc main\nend\n.end\n")
    assert cli.main(["time", "a.v.pica", "--target", "shadercore"]) == 2
    assert "a.v.pica is for PICA200: give a shader in Direct3D 9" in capsys.readouterr().err
    assert cli.main(["opt", "--each", "spot.vsa", "--target", "shadercore"]) == 2
    assert "leave out --target" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.v.pica", "apart.json", "apart.scb", "small.scb", "spot.vsa"]
