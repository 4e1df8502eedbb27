"""The disassembler's two promises, over every recorded file and over random ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from corpus import Row, name_of, needs_shared, rows
from effort import sample, times
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.container.build import build
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.program import Interface, Program
from lanewise.tools import asm, dis, picasso

PICASSO = [row for part in ("hand", "gen", "bad") for row in rows("picasso", part) if row.data is not None]
GENERATED = [row for row in PICASSO if name_of(row).startswith("gen/")]
SOME = [*(row for row in PICASSO if row not in GENERATED), *sample(GENERATED, 40)]
NIHSTRO = [row for part in ("hand", "bad") for row in rows("nihstro", part) if row.data is not None]
OURS = (".opdesc", ".word", ".nonop", ".symbol", ".shbin", " @")


def _disassemble(row: Row):
    assert row.data is not None
    shbin, findings = read_shbin(row.data, row.name)
    assert shbin is not None, findings
    return disassemble(shbin, row.name.lower(), row.data)


@needs_shared
@pytest.mark.one_of(2)
@pytest.mark.parametrize("row", SOME, ids=name_of)
def test_promise_1(row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file that picasso wrote becomes plain source; the command in its first line gives the bytes back."""
    result = _disassemble(row)
    assert result.plain
    monkeypatch.chdir(tmp_path)
    for source in result.sources:
        (tmp_path / source.name).write_text(source.text)
        code = [line.partition(";")[0] for line in source.text.splitlines()]
        assert not any(token in line for line in code for token in OURS)
    command = result.sources[0].text.splitlines()[0].partition("lanewise-picasso ")[2].split()
    assert picasso.main(command) == 0
    assert (tmp_path / command[command.index("-o") + 1]).read_bytes() == row.data


@needs_shared
@pytest.mark.parametrize("row", NIHSTRO, ids=name_of)
def test_promise_2(row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Any other file becomes source that `lanewise asm` turns into the same bytes."""
    result = _disassemble(row)
    assert not result.plain
    monkeypatch.chdir(tmp_path)
    for source in result.sources:
        (tmp_path / source.name).write_text(source.text)
    command = result.sources[0].text.splitlines()[0].partition("lanewise asm ")[2].split()
    assert asm.main(command) == 0
    assert (tmp_path / command[command.index("-o") + 1]).read_bytes() == row.data


@needs_shared
def test_what_picasso_need_not_be_told():
    """Fields are printed only where a file differs from what the sources give: a nihstro file needs one line."""
    result = _disassemble(next(row for row in NIHSTRO if row.name == "31_lighting"))
    assert [line for line in result.sources[0].text.splitlines() if line.startswith(".shbin")] == ['.shbin layout "nihstro"']


def random_image(rng: random.Random) -> bytes:
    words = [rng.getrandbits(32) for _ in range(rng.choice([0, 1, 2, 5, 20, 60, 200, 700]))]
    if rng.random() < 0.6:  # flow that stays near the program finds more structure
        words = [w & ~(0xFFF << 10) | rng.randrange(len(words) + 3) << 10 if 0x23 <= w >> 26 <= 0x2D else w for w in words]
    descriptors = [rng.getrandbits(32) for _ in range(rng.choice([0, 1, 3, 20, 128]))]
    interfaces = tuple(
        Interface(
            name="", geometry=rng.random() < 0.4, entry=rng.randrange(len(words) + 1), entry_end=rng.randrange(len(words) + 2)
        )
        for _ in range(rng.choice([1, 1, 2, 3]))
    )
    return write_shbin(build(Program(operations=(), interfaces=interfaces, labels={}), words, descriptors))


def test_random_images():
    rng = random.Random(20110226)
    for _ in range(times(60, 1000)):
        data = random_image(rng)
        shbin, _ = read_shbin(data, "random")
        assert shbin is not None
        disassemble(shbin, "random", data)  # compares the bytes itself, and raises


def test_mutated_files():
    """Whatever the container reads, the disassembler can write."""
    rng = random.Random(7)
    seeds = [row.data for row in (*PICASSO[:60], *NIHSTRO[:30]) if row.data is not None] or [
        random_image(rng) for _ in range(20)
    ]
    done = 0
    for _ in range(times(125, 1500)):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice([1, 1, 2, 4])):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0xFF, rng.randrange(256)])
        shbin, _ = read_shbin(bytes(data), "mutated")
        if shbin is not None and len(shbin.words) < 300:
            disassemble(shbin, "mutated", bytes(data))
            done += 1
    assert done > times(40, 500)


def test_raw_words_and_listing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "code.bin").write_bytes((0x4C000000).to_bytes(4, "little") + (0x88000000).to_bytes(4, "little"))
    (tmp_path / "desc.bin").write_bytes((0x36F).to_bytes(4, "little"))
    arguments = [str(tmp_path / "code.bin"), "--words", "--descriptors", str(tmp_path / "desc.bin")]
    assert dis.main([*arguments, "-o", str(tmp_path / "raw.v.pica")]) == 0
    assert "mov o0, v0\n" in (tmp_path / "raw.v.pica").read_text()
    outputs = [
        "-o",
        str(tmp_path / "x.shbin"),
        "--words",
        str(tmp_path / "again.bin"),
        "--descriptors",
        str(tmp_path / "desc2.bin"),
    ]
    assert asm.main([str(tmp_path / "raw.v.pica"), *outputs]) == 0
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "code.bin").read_bytes()
    assert (tmp_path / "desc2.bin").read_bytes() == (tmp_path / "desc.bin").read_bytes()
    capsys.readouterr()
    assert dis.main([*arguments, "--listing"]) == 0
    assert "    0  4c000000    0  0000036f  mov o0, v0" in capsys.readouterr().out
