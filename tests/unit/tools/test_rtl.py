"""`lanewise rtl`: the files of a test bench, and what is refused. `tests/conformance` runs benches on hardware descriptions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lanewise import packages
from lanewise.shadercore.api.testbench import address_of
from lanewise.tools import cli
from lanewise.tools.rtl import MARK
from toy_isa.package import TOY

SOURCE = """.input v0 position
.input v1 color
.output o0 position
.const c0 (1.0, 2.0, 3.0, 4.0)
mul o0.xyz, v0.xyz, c0.y
add r1.x, v1.x, c5.x
end
"""
RUN = ["rtl", "a.sc", "--bench", "sim", "-i", "color=1,2,3,4", "-u", "c5=0.5"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    (tmp_path / "m.bin").write_bytes(b"".join(n.to_bytes(4, "little") for n in range(200)))
    return tmp_path


def array(text: str, name: str) -> tuple[int, dict[str, int]]:
    """The last address of an array of words in the data, and the words by address or `others`."""
    match = re.search(rf"constant {name} : words\d+\(0 to (\d+)\) := \((.*?)\);", text, re.DOTALL)
    assert match, name
    return int(match[1]), {key: int(word, 16) for key, word in re.findall(r'(\w+) => x"(\w+)"', match[2])}


def test_the_files(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main([*RUN, "-i", "position=1,2,3;4,5,6;7,8,9"]) == 0
    assert "5 slots, 3 vertices in 1 wave; expected on rtl: 38 cycles a wave\n" in capsys.readouterr().out
    assert sorted(path.name for path in (folder / "sim").iterdir()) == ["README.md", "bench.vhd", "data.vhd"]
    assert all(MARK in path.read_bytes()[:400] for path in (folder / "sim").iterdir())
    data = (folder / "sim" / "data.vhd").read_text()
    assert array(data, "CONSTANTS")[1]["1"] == 0x40000000
    assert array(data, "CONSTANTS")[1]["20"] == 0x3F000000
    assert "0 => (0, 3, 0, 3, 0, 0)" in data
    assert "1 => (1, 4, 0, 4, 0, 64)" in data  # at the next line of memory
    assert array(data, "VERTICES")[1]["3"] == 0x40800000
    assert array(data, "EXPECTED_EXPORTS")[1]["1"] & (1 << 96) - 1 == 0x41400000_41200000_41000000
    last = array(data, "EXPECTED_REGISTERS")[1]
    # the lane without a vertex has read what the fetch left there
    assert last[str(address_of(0, ("r", 1, 0)))] == 0x3F000000_3FC00000_3FC00000_3FC00000
    first = {path.name: path.read_bytes() for path in (folder / "sim").iterdir()}
    assert cli.main([*RUN, "-i", "position=1,2,3;4,5,6;7,8,9"]) == 0  # its own files are replaced, by the same
    assert {path.name: path.read_bytes() for path in (folder / "sim").iterdir()} == first


def test_streams_keep_their_descriptors(folder: Path):
    assert cli.main([*RUN, "--stream", "position=float3:m.bin:1:5:2", "--indices", "3,0,3,20"]) == 0
    data = (folder / "sim" / "data.vhd").read_text()
    assert "0 => (0, 3, 0, 5, 1, 0)" in data
    assert array(data, "VERTICES")[1]["16"] == 2 + 16
    batch = array(data, "BATCHES")[1]["0"]
    assert (batch & (1 << 64) - 1, batch >> 256) == (20 << 48 | 3 << 32 | 3, 4)
    # an input is where the indices look for it
    assert array(data, "VERTICES")[1][str(104 + 4 * 20 + 1)] == 0x40000000


def test_a_program_without_inputs(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "n.sc").write_text("mov o0.x, -1\nend\n")
    assert cli.main(["rtl", "n.sc", "--bench", "sim", "--count", "20", "--initial", "v7.x=3", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["waves"], shown["vertices"], shown["files"]) == (2, 20, ["README.md", "data.vhd", "bench.vhd"])
    assert shown["issue_cycle"] == [0, 8]
    assert shown["diagnostics"] == []
    data = (folder / "sim" / "data.vhd").read_text()
    assert "0 => (7, 1, 0, 1, 0, 0)" in data
    assert set(array(data, "VERTICES")[1].values()) == {0x40400000, 0}
    assert array(data, "EXPECTED_REGISTERS")[1][str(address_of(3, ("v", 7, 0)))] == 0x40400000_40400000_40400000_40400000


def test_warnings_are_in_the_json(folder: Path, capsys: pytest.CaptureFixture[str]):
    stream = ["--stream", "position=float3:m.bin:0:3:4", "--format", "json"]
    assert cli.main([*RUN, *stream]) == 0
    assert [finding["code"] for finding in json.loads(capsys.readouterr().out)["diagnostics"]] == ["B201"]


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["rtl", "a.sc"], 2, "add --bench sim, a folder for the files"),
        (["rtl", "a.sc", "--bench", "sim"], 1, "position"),
        (["rtl", "h.sc", "--bench", "sim"], 1, "does not terminate"),
        (["rtl", "b.sc", "--bench", "sim"], 1, "P205"),
        (["rtl", "p.v.pica", "--bench", "sim"], 2, "PICA200 has no test bench for hardware"),
        (["rtl", "p.v.pica"], 2, "PICA200 has no test bench for hardware"),
        (["rtl", "f.toy", "--bench", "sim"], 2, "Toy has no test bench for hardware"),
        ([*RUN, "-i", "position=1", "--bench", "mine"], 2, "is not a file of `lanewise rtl`"),
        ([*RUN, "-i", "position=1", "--bench", "a.sc"], 2, "--bench a.sc: this is a file, and --bench takes a folder"),
        ([*RUN, "-i", "position=1", "--count", "70000"], 2, "an index has 16 bits"),
        ([*RUN, "-i", "position=1", "--count", "40000"], 2, "which a bench holds"),
    ],
)
def test_what_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str], code: int, words: str
):
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))
    (folder / "h.sc").write_text("mov o0.x, x7.x\nend\n")
    (folder / "b.sc").write_text("mov r9.x, 0\nend\n")
    (folder / "f.toy").write_text(".toy\n    halt\n")
    (folder / "p.v.pica").write_text(".in a\n.out o position\n.proc main\n\tmov o, a\n\tend\n.end\n")
    (folder / "mine").mkdir()
    (folder / "mine" / "bench.vhd").write_text("entity bench is end entity;\n")
    assert cli.main(argv) == code
    assert words in capsys.readouterr().err
    assert not (folder / "sim").exists()
    assert (folder / "mine" / "bench.vhd").read_text() == "entity bench is end entity;\n"
    assert not (folder / "mine" / "data.vhd").exists()
