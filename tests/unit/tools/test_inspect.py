"""`lanewise inspect`: what a file holds, listings, SHBINs inside other files."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from effort import times
from lanewise.api.findings import findings as codes
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.services.summary import summarise
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import Dvle, Shbin, write_shbin
from lanewise.tools import cli

CODES = codes()

VERTEX = """
.fvec mvp[4], _hidden
.ivec count
.bool lit
.constf half(0.5, -1, 0, 65536)
.consti steps(3, 0, 1, 0)
.setb b3 true
.in place v2
.in colour
.out pos position o0
.out uv texcoord0 o1.xy
.out - color o2
.proc main
    dp4 pos.x, mvp[0], place
    mov pos.yzw, mvp[1]
    mov uv.xy, half
    mov o2, colour
    mad r0, place, mvp[2], place
    end
.end
"""
GEOMETRY = """
.gsh fixed c40 c8 4
.fvec gain
.out pos position
.entry gmain
.proc gmain
    mov pos, gain
    setemit 2, prim inv
    emit
    end
.end
"""


def assembled(*sources: str) -> bytes:
    made = assemble_sources([(f"s{n}", source) for n, source in enumerate(sources)])
    assert made.data is not None, made.diagnostics
    return made.data


BOTH = assembled(VERTEX, GEOMETRY)
ONE = assembled(VERTEX)


@pytest.fixture
def both(tmp_path: Path) -> str:
    path = tmp_path / "both.shbin"
    path.write_bytes(BOTH)
    return str(path)


def inspect(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["inspect", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def inspect_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, _ = inspect(capsys, *arguments, "--format", "json")
    assert code == 0
    return json.loads(out)


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_what_a_file_holds(capsys: pytest.CaptureFixture[str], both: str):
    code, out, err = inspect(capsys, both)
    assert (code, err) == (0, "")
    lines = squeezed(out)
    for expected in (
        f"file SHBIN of {len(BOTH)} bytes, as picasso lays it out",
        "code 10 words; 502 of 512 free in the vertex unit; 4086 of 4096 free in the geometry unit",
        "shaders vertex, geometry",
        "Shader 0: vertex",
        "starts at word 0x0, entry procedure 0x0 to 0x6",
        "input mask 0x0005: v0 v2",
        "output mask 0x0007: o0 o1 o2",
        "v0 colour",
        "v2 place",
        "o0 position",
        "o1.xy texcoord0",
        "c0-c3 mvp[4]",
        "i0 count",
        "b0 lit",
        "c95 (0.5, -1, 0, 65536)",
        "i3 (3, 0, 1, 0)",
        "b3 true",
        "Shader 1: geometry",
        "starts at word 0x6, entry procedure 0x6 to 0xA",
        "mode fixed: 4 vertices, data from c8",
        "c40 gain",
    ):
        assert expected in lines, expected
    assert "_hidden" not in out
    assert "\x1b" not in out


def test_the_same_as_json(capsys: pytest.CaptureFixture[str], both: str):
    data = inspect_json(capsys, both)
    file = data["file"]
    assert (file["size"], file["layout"], file["words"]) == (len(BOTH), "picasso", 10)
    assert [room["free_words"] for room in file["rooms"]] == [502, 4086]
    vertex, geometry = file["shaders"]
    assert vertex["inputs"] == [
        {"registers": "v0", "name": "colour", "size": 1},
        {"registers": "v2", "name": "place", "size": 1},
    ]
    assert vertex["outputs"][1] == {"register": "o1", "components": "xy", "semantic": "texcoord0"}
    assert {"registers": "c0-c3", "name": "mvp", "size": 4} in vertex["uniforms"]
    assert vertex["constants"][0] == {
        "register": "c95",
        "values": [0.5, -1.0, 0.0, 65536.0],
        "words": [0x3E0000, 0xBF0000, 0, 0x4F0000],
    }
    assert vertex["mode"] is None
    assert geometry["mode"] == {"name": "fixed", "vertices": 4, "array": "c8", "merged_outputs": False}
    assert data["diagnostics"] == []
    assert "listing" not in data


def test_infinity_is_json_too():
    data = assembled(VERTEX.replace("65536", "inf"))
    shbin, _ = read_shbin(data, "")
    assert shbin is not None
    assert summarise(shbin, "", len(data)).shaders[0].constants[0].values == (0.5, -1.0, 0.0, "Infinity")


def test_listing(capsys: pytest.CaptureFixture[str], both: str):
    code, out, _ = inspect(capsys, both, "--listing")
    assert code == 0
    lines = squeezed(out)
    assert any(line.startswith("0 ") and line.endswith("dp4 o0.x, c0, v2") for line in lines)
    assert any(line.startswith("5 88000000") and line.endswith("end") for line in lines)
    rows = inspect_json(capsys, both, "--listing")["listing"]
    assert [row["address"] for row in rows] == list(range(10))
    assert rows[0]["text"] == "dp4 o0.x, c0, v2"
    assert rows[5] == {"address": 5, "word": 0x88000000, "descriptor": None, "text": "end"}


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    class Stdin:
        buffer = io.BytesIO(ONE)

    monkeypatch.setattr(sys, "stdin", Stdin())
    code, out, _ = inspect(capsys, "-")
    assert code == 0
    assert out.startswith("<stdin>\n")


def test_nihstro_and_stray_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "n.shbin"
    shbin = Shbin(words=(0x88000000,), descriptors=(), dvles=(Dvle(symbols=b"main\0"),), header=0x1C, layout="nihstro")
    path.write_bytes(write_shbin(shbin) + b"tail")
    code, out, _ = inspect(capsys, str(path))
    assert code == 0
    assert "as nihstro lays it out" in out
    assert "4 bytes that belong to no part of the file" in out


def test_warnings_do_not_fail(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "w.shbin"
    path.write_bytes(write_shbin(Shbin(words=(0x88000000,), descriptors=(), dvles=(Dvle(main=7),))))
    code, out, err = inspect(capsys, str(path))
    assert code == 0
    assert "warning[C012]" in err
    assert "word 0x7" in out
    assert inspect_json(capsys, str(path))["diagnostics"][0]["code"] == "C012"


@pytest.mark.parametrize("style", ["text", "json"])
def test_malformed_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, style: str):
    path = tmp_path / "m.shbin"
    path.write_bytes(ONE[:60])
    code, out, err = inspect(capsys, str(path), "--format", style)
    assert code == 1
    if style == "json":
        assert json.loads(out)["diagnostics"][0]["code"].startswith("C0")
        assert err == ""
    else:
        assert out == ""
        assert "error[C0" in err


def test_no_mutation_gives_a_traceback(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    rng = random.Random(11)
    path = tmp_path / "x.shbin"
    for _ in range(times(80, 300)):
        data = bytearray(BOTH)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        path.write_bytes(bytes(data[: rng.choice((len(data), rng.randrange(len(data))))]))
        for options in ((), ("--listing",), ("--format", "json", "--listing"), ("--scan",)):
            assert inspect(capsys, str(path), *options)[0] in (0, 1)


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.bin"
    path.write_bytes(b"head" + BOTH + b"\xff\xffDVLB" + ONE + b"x" + BOTH)
    return str(path)


def test_a_file_with_shaders_inside_says_so(capsys: pytest.CaptureFixture[str], game: str):
    code, _, err = inspect(capsys, game)
    assert code == 1
    assert "error[C001]" in err
    assert "3 SHBINs are inside this file, the first at 0x4" in err
    assert f"help: lanewise inspect --scan {game}" in err


def test_every_command_that_a_message_names_exists():
    for row in CODES.values():
        for part in row.fix.split("`")[1::2]:
            if part.startswith("lanewise "):
                assert part.split()[1] in [command.name for command in cli.COMMANDS], row.code


def test_scan(capsys: pytest.CaptureFixture[str], game: str):
    code, out, _ = inspect(capsys, "--scan", game)
    assert code == 0
    second = 4 + len(BOTH) + 6
    assert squeezed(out)[1:] == [
        f"0x4 {len(BOTH)} picasso 10 {read(BOTH)} vertex geometry",
        f"0x{second:X} {len(ONE)} picasso 6 {read(ONE)} vertex",
        f"0x{second + len(ONE) + 1:X} {len(BOTH)} picasso 10 {read(BOTH)} vertex geometry",
    ]
    found = inspect_json(capsys, "--scan", game)["found"]
    assert [one["offset"] for one in found] == [4, second, second + len(ONE) + 1]
    assert [one["file"] for one in found] == [None, None, None]


def test_a_large_file_is_not_read_into_memory(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "large.bin"
    with path.open("wb") as file:
        file.seek(5 << 20)
        file.write(BOTH)
    monkeypatch.delattr("lanewise.tools.inspect.read_bytes")
    tracemalloc.start()
    code, out, _ = inspect(capsys, "--scan", str(path))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert code == 0
    assert squeezed(out)[1] == f"0x{5 << 20:X} {len(BOTH)} picasso 10 {read(BOTH)} vertex geometry"
    assert most < 4 << 20


def read(data: bytes) -> int:
    """How many descriptors a file has."""
    shbin, _ = read_shbin(data, "")
    assert shbin is not None
    return len(shbin.descriptors)


def test_extract_writes_each_different_one(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path):
    folder = tmp_path / "new" / "folder"
    code, out, _ = inspect(capsys, "--scan", game, "--extract", str(folder))
    assert code == 0
    second = 4 + len(BOTH) + 6
    names = ["game_00000004.shbin", f"game_{second:08x}.shbin"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert [(folder / name).read_bytes() for name in names] == [BOTH, ONE]
    assert out.count("wrote ") == 2
    assert "1 more with the same bytes" in out
    found = inspect_json(capsys, "--scan", game, "--extract", str(folder))["found"]
    assert found[0]["file"] == found[2]["file"] == str(folder / names[0])


def test_nothing_found(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "empty.bin"
    path.write_bytes(b"DVLB nothing")
    code, out, err = inspect(capsys, "--scan", str(path), "--extract", str(tmp_path / "d"))
    assert (code, out) == (1, "")
    assert "no program found in" in err and "nothing that begins with DVLB" in err
    assert not (tmp_path / "d").exists()


def test_a_folder_that_cannot_be_made(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path):
    (tmp_path / "f").write_text("")
    code, _, err = inspect(capsys, "--scan", game, "--extract", str(tmp_path / "f"))
    assert code == 1
    assert "cannot create the folder" in err


def test_raw_words(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    made = assemble_sources([("s", VERTEX)])
    words, table = made.encoded
    code, descriptors = tmp_path / "code.bin", tmp_path / "desc.bin"
    code.write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
    descriptors.write_bytes(b"".join(word.to_bytes(4, "little") for word in table))
    status, out, err = inspect(capsys, "--words", str(code), "--descriptors", str(descriptors))
    assert (status, err) == (0, "")
    assert "dp4 o0.x, c0, v2" in out
    rows = inspect_json(capsys, "--words", str(code), "--descriptors", str(descriptors))["listing"]
    assert [row["word"] for row in rows] == list(words)
    status, out, err = inspect(capsys, "--words", str(code))
    assert status == 0
    assert "dp4 o0, c0, v2" in out
    assert "are not known" in err
    code.write_bytes(b"\x01\x02\x03\x04\x05")
    status, out, err = inspect(capsys, "--words", str(code))
    assert (status, out) == (1, "")
    assert "error[C013]" in err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "name a FILE"),
        (["a", "--words", "b"], "takes the place of FILE"),
        (["a", "--descriptors", "b"], "goes with --words"),
        (["a", "--extract", "b"], "goes with --scan"),
        (["a", "--scan", "--listing"], "extract it first"),
        (["--words", "b", "--scan"], "--scan needs a FILE"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str):
    code, out, err = inspect(capsys, *arguments)
    assert (code, out) == (2, "")
    assert text in err


MERGED = (
    (
        "v.v.pica",
        (
            ".entry v\n.out p position\n.out c color\n.out t texcoord0.xy\n.in a\n.proc v\nmov p, a\nmov c, a\nmov t.xy, a\n"
            "end\n"
            ".end\n"
        ),
    ),
    (
        "g.g.pica",
        (
            ".gsh point c0\n.entry g\n.out p position\n.out - dummy o1\n.out - dummy o2\n.proc g\nmov p, v0\nmov o1, v1\n"
            "mov o2, v2\nemit\nend\n.end\n"
        ),
    ),
)


@pytest.fixture
def merged(tmp_path: Path) -> str:
    data = assemble_sources(MERGED).data
    assert data is not None
    (tmp_path / "merged.shbin").write_bytes(data)
    return str(tmp_path / "merged.shbin")


def test_the_output_map_of_both_stages(capsys: pytest.CaptureFixture[str], merged: str):
    code, out, err = inspect(capsys, merged)
    assert (code, err) == (0, "")
    lines = squeezed(out)
    at = lines.index("Output map: shader 0 in front of shader 1")
    assert lines[at + 2 :] == [
        "stages both stages share the table; 3 outputs of each vertex go on to it",
        "OUTMAP_TOTAL 3",
        "OUTMAP_MASK vertex 0x0007: o0 o1 o2; geometry 0x0007: o0 o1 o2",
        "OUTATTR MODE 1, CLOCK 0x103",
        "",
        "register value gets x y z w declared by",
        "GPUREG_SH_OUTMAP_O0 0x03020100 o0 position.x position.y position.z position.w vertex and geometry",
        "GPUREG_SH_OUTMAP_O1 0x0B0A0908 o1 color.r color.g color.b color.a vertex",
        "GPUREG_SH_OUTMAP_O2 0x1F1F0D0C o2 texcoord0.u texcoord0.v - - vertex",
    ]
    alone = squeezed(inspect(capsys, merged, "--output-maps")[1])
    assert "Output map: shader 0 alone" in alone
    assert "OUTMAP_MASK vertex 0x0007: o0 o1 o2" in alone


def test_output_maps_as_json(capsys: pytest.CaptureFixture[str], merged: str):
    alone, both = inspect_json(capsys, merged)["file"]["output_maps"]
    assert (alone["vertex"], alone["geometry"], alone["merged"], alone["geometry_mask"]) == (0, None, False, None)
    assert (both["vertex"], both["geometry"], both["merged"]) == (0, 1, True)
    assert {key: both[key] for key in ("total", "mode", "clock", "vertex_mask", "vertex_total", "geometry_mask")} == {
        "total": 3,
        "mode": 1,
        "clock": 0x103,
        "vertex_mask": 7,
        "vertex_total": 3,
        "geometry_mask": 7,
    }
    assert both["rows"][2] == {
        "register": "GPUREG_SH_OUTMAP_O2",
        "word": 0x1F1F0D0C,
        "output": "o2",
        "semantics": ["texcoord0.u", "texcoord0.v", "", ""],
        "stages": ["vertex"],
    }
    assert both["findings"] == []


def test_outputs_that_do_not_fit_are_warnings(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    vertex, geometry = MERGED
    data = assemble_sources(
        [vertex, (geometry[0], geometry[1].replace(".out - dummy o2\n", "").replace("mov o2, v2\n", ""))]
    ).data
    assert data is not None
    (tmp_path / "few.shbin").write_bytes(data)
    code, _, err = inspect(capsys, str(tmp_path / "few.shbin"))
    assert code == 0
    assert "warning[B016]: nothing arrives for texcoord0 (O2): the geometry shader has 2 outputs, the table 3" in err
    found = inspect_json(capsys, str(tmp_path / "few.shbin"))["file"]["output_maps"][1]["findings"]
    assert [finding["code"] for finding in found] == ["B016"]
    assert inspect(capsys, str(tmp_path / "few.shbin"), "--output-maps", "--listing")[0] == 2


def test_a_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    code, _, err = inspect(capsys, str(tmp_path / "none"))
    assert code == 1
    assert "cannot read" in err
    assert len(err.splitlines()) == 1


def test_help_has_examples(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        inspect(capsys, "--help-all")
    assert stop.value.code == 0
    assert "lanewise inspect --scan game.bin --extract shaders" in capsys.readouterr().out


def test_starts_without_numpy(both: str):
    code = f"import sys, lanewise.tools.cli as c; c.main(['inspect', {both!r}]); sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
