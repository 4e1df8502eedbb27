"""The table checks itself; the codec is total and lossless; the words of the reference."""

from __future__ import annotations

import random
import re

import pytest

from corpus import SHARED
from effort import times
from lanewise.shadercore.isa.codec import Dest, Inst, Source, decode, encode, register, written
from lanewise.shadercore.isa.table import BY_NAME, FORMAT, NEG_ABS, OPS, SLOTS, check_table
from shadercore_cases import needs_vectors


def test_table_is_sound():
    check_table()
    assert len(OPS) == 32
    assert SLOTS == 512


def test_check_finds_holes_and_clashes():
    with pytest.raises(ValueError, match="neither opcode, field nor reserved"):
        check_table(form=FORMAT._replace(fields=FORMAT.fields[:-1]))
    with pytest.raises(ValueError, match="overlaps"):
        check_table(form=FORMAT._replace(fields=(*FORMAT.fields, FORMAT.fields[3])))
    with pytest.raises(ValueError, match="match the same words"):
        check_table((*OPS[:31], OPS[31]._replace(opcode=30)))
    with pytest.raises(ValueError, match="one name"):
        check_table((OPS[0], OPS[1]._replace(aliases=("nop",)), *OPS[2:]))
    with pytest.raises(ValueError, match="but is row 0"):
        check_table((OPS[1], OPS[0], *OPS[2:]))
    with pytest.raises(ValueError, match="31 rows for 32 opcodes"):
        check_table(OPS[:31])
    with pytest.raises(ValueError, match="impossible"):
        check_table((OPS[0]._replace(pipe="FMA"), *OPS[1:]))
    with pytest.raises(ValueError, match="two rows have one operation"):
        check_table((*OPS[:3], OPS[3]._replace(operation="add"), *OPS[4:]))
    with pytest.raises(ValueError, match="an operation needs a destination"):
        check_table((OPS[0]._replace(operation="add"), *OPS[1:]))
    with pytest.raises(ValueError, match="and a number an operation"):
        check_table((OPS[0], OPS[1]._replace(immediate=8), *OPS[2:]))


def test_random_words_survive_decoding():
    rng = random.Random(1999)
    for _ in range(times(7_000, 50_000)):
        word = rng.getrandbits(64)
        assert encode(decode(word)) == word
    for word in (0, (1 << 64) - 1):
        assert encode(decode(word)) == word


@pytest.mark.parametrize("word", [-1, 1 << 64])
def test_other_integers_are_refused(word: int):
    with pytest.raises(ValueError, match="64-bit word"):
        decode(word)


def test_a_value_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="number = 8 does not fit 3 bits"):
        encode(Inst(op=OPS[1], dest=Dest(0, 8)))


@pytest.mark.parametrize(
    ("word", "inst"),
    [
        (0x00000001400280C0, Inst(op=BY_NAME["nop"])),
        (0x00000001400280DF, Inst(op=BY_NAME["end"])),
        (0x0000000284008003, Inst(op=BY_NAME["mul"], dest=Dest(0), a=Source(1, 0, 1), b=Source(2, 1))),
        (0x0000001090000043, Inst(op=BY_NAME["mul"], dest=Dest(1), a=Source(0), b=Source(2, 8, 0, 1))),
        (0x0000000140254101, Inst(op=BY_NAME["mov"], dest=Dest(0, 1), a=Source(2, 9, 0, 2))),
        (0x000000014C021946, Inst(op=BY_NAME["rcp"], dest=Dest(1, 1, 3), a=Source(4, 0, 3))),
        (0x00000001400481A1, Inst(op=BY_NAME["mov"], dest=Dest(2, 1, 0, 1), a=Source(1, 1))),
        (0x00000001CFFD7F02, Inst(op=BY_NAME["add"], dest=Dest(0, 7, 3), a=Source(2, 255, 3, NEG_ABS), b=Source(7))),
    ],
)
def test_worked_examples(word: int, inst: Inst):
    """Reference section 1, the table of worked examples."""
    assert decode(word) == inst
    assert encode(inst) == word


def test_the_word_of_zeros_writes_r0():
    inst = decode(0)
    assert (inst.op.name, written(inst.dest), register(inst.a)) == ("nop", ("r", 0, 0), ("r", 0, 0))


def test_registers_that_operands_name():
    assert register(Source(0, 0x4B, 2)) == ("r", 3, 2)
    assert register(Source(2, 0x4B, 2)) is None
    assert register(Source(5)) is None
    assert written(Dest(1, 7, 0)) == ("x", 7, 0)
    assert written(Dest(3, 7, 0)) is None


@needs_vectors
def test_rows_are_those_of_the_specification():
    (path,) = (SHARED / "spec").glob("003_*")
    rows = re.findall(r"^\| (\d+) +\| (\w+) +\| (\w+) +\| (\w+) +\| (\d) +\| (\d) +\|", path.read_text(), re.MULTILINE)
    assert len(rows) == 32
    for op, (opcode, name, latency, pipe, sources, dests) in zip(OPS, rows, strict=True):
        assert (str(op.opcode), op.name, op.pipe, str(op.sources), str(op.dests)) == (
            opcode,
            name.lower(),
            pipe,
            sources,
            dests,
        )
        assert op.latency == (0 if latency == "NotImpl" else int(latency))
