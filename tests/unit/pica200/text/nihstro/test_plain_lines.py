"""Lines with plain operands are read without tokens: with the operations and findings of the reader that has them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from effort import times
from lanewise.pica200.text.nihstro import reader as reading
from lanewise.pica200.text.nihstro.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.module import Module

GOLDEN = REPOSITORY / "tests" / "golden"
SOURCES = sorted([*GOLDEN.glob("*.vsh"), *GOLDEN.glob("*.gsh")])
HEAD = """.alias k c90 as (0.0, 1.0, 0.5, 2.0)
.alias half k.z
.alias swap c12.yx
.alias out o0 as position
.alias mat c0-c7
.alias table c8
.alias inv v1
.alias bad c200
main:
"""
MNEMONICS = (
    "add",
    "mul",
    "mov",
    "dp3",
    "dp4",
    "dph",
    "max",
    "rcp",
    "ex2",
    "exp",
    "mad",
    "dst",
    "litp",
    "sge",
    "flr",
    "MOV",
    "cmp",
    "mova",
    "nop",
)
NAMES = (
    "r1",
    "r15",
    "r16",
    "c5",
    "c95",
    "c96",
    "v0",
    "v1",
    "o1",
    "i0",
    "b1",
    "k",
    "half",
    "swap",
    "out",
    "mat",
    "table",
    "inv",
    "bad",
    "none",
    "r01",
    "R1",
)
INDICES = ("",) * 8 + ("[1]", "[7]", "[8]", "[ 2 ]", "[a0]", "[1+a0]", "[-1]", "[99]", "[x]")
SWIZZLES = ("",) * 3 + (".x", ".xy", ".xyz", ".xyzw", ".zw", ".yx", ".xx", ".w", ".xyzwx", ".q", ".", ". x")
SIGNS = ("",) * 6 + ("-", "- ", "+")
SPACES = ("", " ", "  ", "\t")
ENDS = ("",) * 8 + (" // words, and more", ";x", " # a;b", ",", " r1", ' "a//b"')


def read(name: str, text: str, folder: Path | None = None) -> tuple[Module, list[Diagnostic]]:
    reader = Reader((lambda path: (folder / path).read_text()) if folder is not None else None)
    reader.read(name, text)
    return reader.finish(), reader.diagnostics


def agree(monkeypatch: pytest.MonkeyPatch, name: str, text: str, folder: Path | None = None) -> int:
    """Compare the readings of a text; the number of lines that need no tokens."""
    plain: list[object] = []
    original = reading.plain_instruction

    def counted(reader: Reader, line: str) -> object:
        found = original(reader, line)
        plain.append(found)
        return found

    monkeypatch.setattr(reading, "plain_instruction", counted)
    quick = read(name, text, folder)
    monkeypatch.setattr(reading, "plain_instruction", lambda reader, line: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    slow = read(name, text, folder)
    monkeypatch.setattr(reading, "plain_instruction", original)
    for ours, theirs in zip(quick[0].items, slow[0].items, strict=True):
        assert ours == theirs
    assert quick[1] == slow[1]
    return sum(found is not None for found in plain)


@pytest.mark.parametrize("path", SOURCES, ids=[path.name for path in SOURCES])
def test_sources(path: Path, monkeypatch: pytest.MonkeyPatch):
    agree(monkeypatch, path.name, path.read_text(), GOLDEN)


def right(rng: random.Random) -> str:
    """An instruction that is mostly right."""
    mask = rng.choice(("x", "y", "xy", "xyz", "xyzw", "zw"))
    width = {"dp3": "xyz", "dp4": "xyzw"}
    name = rng.choice(("add", "mul", "mov", "max", "dp3", "dp4", "mad", "rsq", "sge", "dst"))
    components = width.get(name, "".join([rng.choice("xyzw") for _ in mask]))
    count = {"mov": 1, "rsq": 1, "mad": 3}.get(name, 2)
    sources = [
        rng.choice(("r2", "r3", "c7", "k", "mat[3]", "-r4", "v0", "inv", "table")) + "." + components for _ in range(count)
    ]
    return f"    {name} {rng.choice(('r1', 'out', 'o1'))}.{mask}, {', '.join(sources)}{rng.choice(ENDS[:10])}"


def strange(rng: random.Random) -> str:
    """An instruction with one operand, or its mnemonic, exchanged for anything."""
    name, *operands = right(rng).replace(",", " , ").split()
    place = rng.randrange(len(operands))
    operands[place] = (
        rng.choice(SPACES)
        + rng.choice(SIGNS)
        + rng.choice(NAMES)
        + rng.choice(INDICES)
        + rng.choice(SWIZZLES)
        + rng.choice(SPACES)
    )
    return rng.choice(SPACES) + rng.choice((name, name, rng.choice(MNEMONICS))) + " " + "".join(operands) + rng.choice(ENDS)


@pytest.mark.parametrize("generate", [strange, right], ids=["strange", "right"])
def test_generated_lines(generate: object, monkeypatch: pytest.MonkeyPatch):
    assert callable(generate)
    plain = 0
    for seed in range(times(3, 200)):
        rng = random.Random(seed)
        plain += agree(monkeypatch, "any.vsh", HEAD + "\n".join([str(generate(rng)) for _ in range(300)]) + "\nend")
    assert plain > times(3, 200) * (150 if generate is right else 5)


def test_known_operands_are_those_of_one_source():
    """The same text means another register in the next source."""
    reader = Reader()
    reader.read("one.vsh", ".alias value c1\nmain:\n mov r0.x, value.x\n mov r0.x, value.x\n end\n")
    reader.read("two.vsh", ".alias value c2\nmain:\n mov r0.x, value.x\n mov r0.x, value.x\n end\n")
    registers = [item.operands[1][0] for item in reader.finish().items if hasattr(item, "op") and item.op.name == "mov"]  # type: ignore[union-attr, index]
    assert registers == [0x21, 0x21, 0x22, 0x22]
