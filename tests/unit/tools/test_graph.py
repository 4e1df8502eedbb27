"""`lanewise graph` as a user meets it: formats, names, options, exit codes, nothing but findings for any input."""

from __future__ import annotations

import io
import json
import random
import struct
import sys
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

import lanewise as lw
from lanewise.graph import svg
from lanewise.tools import cli

SOURCE = """.fvec light
.ivec times
.bool fog, mist[2] b4
.in value
.out pos position
.proc main
    for times
        add r0, value, r0
    .end
    ifu fog
        call deepen
    .else
        ifu mist[1]
            mov r0, light
        .end
    .end
    mov pos, r0
    end
.end
.proc deepen
    mul r0, light, r0
.end
"""
TEXT = """\
10 blocks, 11 words, starts at 0x0

block 0: main, word 0x0
      0  for times
  rounds = times.x, aL = times.y -> 1

block 1: word 0x1  (from 0, 1)
  in a loop over times, 0x1 to 0x1
      1  add r0, value, r0
  rounds == 0?
    true: aL += times.z, drop rounds -> 2
    false: aL += times.z, rounds -= 1 -> 1

block 2: word 0x2  (from 1)
      2  ifu fog
  fog?
    true -> 3
    false -> 6
"""


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fog.v.pica").write_text(SOURCE)
    return tmp_path


def run(*arguments: str) -> int:
    try:
        return cli.main(["graph", *arguments])
    except SystemExit as leave:
        assert isinstance(leave.code, int)
        return leave.code


def test_text(capsysbinary: pytest.CaptureFixture[bytes]):
    assert run("fog.v.pica") == 0
    out = capsysbinary.readouterr().out.decode()
    assert out.startswith(TEXT)
    assert "block 3: word 0x3  (from 2)\n  in a true branch: at 0x5 on to 0x8\n      3  call deepen\n  -> 4\n" in out
    assert "block 4: deepen, word 0xa  (from 3)\n  in a call: at 0xb back to 0x4\n" in out
    assert "  mist[1]?\n" in out
    assert out.endswith("end\n  -> end\n")


def test_an_shbin_has_the_same_flow(capsysbinary: pytest.CaptureFixture[bytes]):
    assert cli.main(["asm", "fog.v.pica", "-o", "fog.shbin"]) == 0
    assert run("fog.v.pica", "--format", "json") == 0
    source = json.loads(capsysbinary.readouterr().out)
    assert run("fog.shbin", "--format", "json") == 0
    file = json.loads(capsysbinary.readouterr().out)
    assert [block["next"] for block in source["blocks"]] == [block["next"] for block in file["blocks"]]
    assert [block["address"] for block in source["blocks"]] == [block["address"] for block in file["blocks"]]


def test_json(capsysbinary: pytest.CaptureFixture[bytes]):
    assert run("fog.v.pica", "--format", "json") == 0
    document = json.loads(capsysbinary.readouterr().out)
    assert document["entry"] == 0
    first, loop, *_, last = document["blocks"]
    assert first == {
        "number": 0,
        "address": 0,
        "place": "main",
        "calls": [],
        "ifs": [],
        "loops": [],
        "instructions": [{"address": 0, "text": "for times"}],
        "next": [
            {
                "block": 1,
                "back": False,
                "answers": [],
                "actions": [{"kind": "Push", "slot": 0, "register": 0}, {"kind": "StartAl", "register": 0}],
            }
        ],
    }
    assert loop["loops"] == [{"end": 2, "start": 1, "register": 0}]
    assert [(way["block"], way["back"]) for way in loop["next"]] == [(2, False), (1, True)]
    assert loop["next"][1]["answers"] == [{"kind": "CounterIsZero", "slot": 0, "answer": False}]
    assert last["next"] == [{"end": True, "answers": [], "actions": []}]


def test_json_of_a_hang(capsysbinary: pytest.CaptureFixture[bytes]):
    Path("open.v.pica").write_text(".out pos position\n.proc main\n\tmov pos, v0\n.end\n")
    assert run("open.v.pica", "--format", "json") == 0
    document = json.loads(capsysbinary.readouterr().out)
    assert document["blocks"][-1]["instructions"] == []
    assert document["blocks"][-1]["next"] == [{"hang": "R003", "answers": [], "actions": []}]
    assert run("open.v.pica") == 0
    assert b": no word is there" in capsysbinary.readouterr().out


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.svg", "<svg "),
        ("x.SVG", "<svg "),
        ("x.dot", "digraph"),
        ("x.gv", "digraph"),
        ("x.json", "{"),
        ("x.txt", "10 blocks"),
        ("x", "10 blocks"),
    ],
)
def test_the_suffix_says_the_format(name: str, begins: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run("fog.v.pica", "-o", name) == 0
    assert (tmp_path / name).read_text().startswith(begins)
    assert capsys.readouterr().out == ""
    assert run("fog.v.pica", "-o", name, "--format", "dot") == 0
    assert (tmp_path / name).read_text().startswith("digraph")


def test_svg(tmp_path: Path):
    assert run("fog.v.pica", "-o", "fog.svg") == 0
    root = ElementTree.parse(tmp_path / "fog.svg").getroot()
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"entry", "end", "main", "deepen", "fog?", "mul r0, light, r0", "true", "false"} <= set(texts)
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "fog.v.pica"


@pytest.mark.parametrize(
    ("given", "gone"),
    [
        ("fog=true", "mist[1]?"),
        ("b0=TRUE", "mist[1]?"),
        ("fog=0", "deepen"),
        ("mist[1]=1", "mist[1]?"),
        ("b5=false", "mov r0, light"),
    ],
)
def test_known_booleans(given: str, gone: str, capsysbinary: pytest.CaptureFixture[bytes]):
    assert run("fog.v.pica") == 0
    whole = capsysbinary.readouterr().out.decode()
    assert run("fog.v.pica", "--boolean", given) == 0
    part = capsysbinary.readouterr().out.decode()
    assert gone in whole
    assert gone not in part.replace("call deepen", "") or gone == "deepen"
    assert len(part) < len(whole)


def test_several_known_booleans(capsysbinary: pytest.CaptureFixture[bytes]):
    assert run("fog.v.pica", "--boolean", "fog=false", "--boolean", "mist[1]=false") == 0
    assert capsysbinary.readouterr().out.startswith(b"5 blocks")


def test_the_profile_counts(capsysbinary: pytest.CaptureFixture[bytes]):
    Path("open.v.pica").write_text(".out pos position\n.proc main\n\tmov pos, v0\n.end\n")
    assert run("open.v.pica") == 0
    assert b"-> hang R003" in capsysbinary.readouterr().out
    assert run("open.v.pica", "--set", "past_end=end") == 0
    assert b"hang" not in capsysbinary.readouterr().out


def test_programs():
    Path("more.g.pica").write_text(
        ".gsh point c0\n.out pos position\n.proc more\n\tsetemit 0\n\tmov pos, v0\n\temit\n\tend\n.end\n.entry more\n"
    )
    assert cli.main(["asm", "fog.v.pica", "more.g.pica", "-o", "both.shbin"]) == 0
    assert run("both.shbin", "-o", "default.txt") == 0
    assert run("both.shbin", "--program", "0", "-o", "zero.txt") == 0
    assert run("both.shbin", "--program", "1", "-o", "one.txt") == 0
    assert Path("default.txt").read_text() == Path("zero.txt").read_text()
    assert "setemit 0" in Path("one.txt").read_text()
    assert run("both.shbin", "--program", "7") == 1


def test_the_geometry_unit_has_more_memory():
    Path("long.g.pica").write_text(
        ".gsh point c0\n.out pos position\n.proc main\n" + "nop\n" * 600 + "mov pos, v0\nend\n.end\n"
    )
    assert run("long.g.pica", "--set", "code_limit=dropped", "-o", "long.txt", "--program", "0") == 0
    assert Path("long.txt").read_text().startswith("1 block, 602 words")


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]):
    for data in (SOURCE.encode(), lw.assemble(SOURCE).to_bytes()):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert run("-") == 0
        assert capsysbinary.readouterr().out.startswith(b"10 blocks")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "name a FILE"),
        (["missing.v.pica"], 1, "cannot read missing.v.pica"),
        (["fog.v.pica", "--limit", "0"], 2, "--limit is at least 1"),
        (["fog.v.pica", "--limit", "5"], 1, "more than 5 states of address and rings; word 0x"),
        (["fog.v.pica", "--boolean", "fog"], 2, "--boolean takes NAME=true or NAME=false, got 'fog'"),
        (["fog.v.pica", "--boolean", "fog=maybe"], 2, "got 'fog=maybe'"),
        (["fog.v.pica", "--boolean", "frog=true"], 2, "no such boolean uniform"),
        (["fog.v.pica", "--boolean", "mist=true"], 2, "no such boolean uniform"),
        (["fog.v.pica", "--boolean", "fog=true", "--boolean", "b0=false"], 2, "as true and as false"),
        (["fog.v.pica", "--program", "nobody"], 1, "B010"),
        (["fog.v.pica", "--format", "png"], 2, "--format png: use "),
        (["fog.v.pica", "-o", "x.png"], 2, "unknown suffix .png: use one of .svg"),
        (["fog.v.pica", "--profile", "nobody"], 2, "unknown profile 'nobody'"),
        (["fog.v.pica", "-o", "no/such/x.svg"], 1, "cannot write no/such/x.svg"),
        (["bad.v.pica"], 1, "error[P001]"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.v.pica").write_text(".proc main\nfoo r0\n.end\n")
    assert run(*arguments) == code
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_an_old_file_survives_a_failure(tmp_path: Path):
    (tmp_path / "x.svg").write_text("old")
    assert run("fog.v.pica", "--limit", "3", "-o", "x.svg") == 1
    assert (tmp_path / "x.svg").read_text() == "old"
    assert not list(tmp_path.glob(".*tmp"))


def test_a_large_graph_is_text_but_no_picture(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(svg, "MOST_NODES", 9)
    assert run("fog.v.pica", "-o", "fog.svg") == 1
    assert "a picture of 10 blocks is too large to look at (the most is 9): --boolean" in capsys.readouterr().err
    assert run("fog.v.pica", "-o", "fog.txt") == 0
    assert run("fog.v.pica", "-o", "fog.svg", "--boolean", "fog=true") == 0


def test_noise_is_answered_with_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Damaged files and words at random: exit code 0 or 1, no exception."""
    shbin = bytearray(lw.assemble(SOURCE).to_bytes())
    noise = random.Random(5)
    start = shbin.index(struct.pack("<I", lw.assemble(SOURCE).vertex.words[0]))
    codes: set[int] = set()
    for n in range(60):
        data = bytearray(shbin)
        for _ in range(1 + n % 7):
            at = start + noise.randrange(44) if n % 2 else noise.randrange(len(data))
            data[at] = noise.randrange(256)
        (tmp_path / "noise.shbin").write_bytes(data)
        codes.add(run("noise.shbin", "--format", ("text", "dot", "svg", "json")[n % 4], "-o", "out", "--limit", "500"))
    assert codes == {0, 1}
    assert "Traceback" not in capsys.readouterr().err


def test_svg_links_to_the_lines_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    sources = {
        "a b.v.pica": (SOURCE, "add r0, value, r0"),
        "a.sc": ("    mul r0.x, v0.x, c0.x\n    add o0.x, r0.x, c1.x\n", "add o0.x, r0.x, c1.x"),
        "a.vsa": ("vs_2_0\ndcl_position v0\n; nothing\nmov r0, v0\nif b0\nmov r0, c0\nendif\nmov oPos, r0\n", "mov oPos, r0"),
    }
    for name, (source, wanted) in sources.items():
        path = tmp_path / name
        path.write_text(source)
        assert cli.main(["graph", str(path), "--format", "svg"]) == 0, name
        root = ElementTree.fromstring(capsys.readouterr().out)
        links = {
            "".join(link.itertext()).split(";")[0].strip(): link.get("href")
            for link in root.iter("{http://www.w3.org/2000/svg}a")
        }
        line = next(n for n, text in enumerate(source.splitlines(), 1) if text.strip() == wanted)
        assert links[wanted] == f"{quote(str(path))}#L{line}"
    binary = tmp_path / "a.shbin"
    assert cli.main(["asm", str(tmp_path / "a b.v.pica"), "-o", str(binary)]) == 0
    assert cli.main(["graph", str(binary), "--format", "svg"]) == 0
    assert "<a " not in capsys.readouterr().out
