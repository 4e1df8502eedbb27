"""The table checks itself; the codec is total and lossless."""

import random

import pytest

from effort import times
from lanewise.pica200.isa import table as pica200
from lanewise.pica200.isa.codec import decode, encode, row_of
from lanewise.pica200.isa.table import check
from together import together


def test_table_is_sound():
    check(pica200.PICA200)


def test_check_finds_a_hole_and_a_clash():
    add = pica200.BY_NAME["add"]
    holed = add._replace(format=add.format._replace(fields=add.format.fields[1:]))
    with pytest.raises(ValueError, match="neither opcode, field nor reserved"):
        check(pica200.PICA200._replace(ops=(holed,)))
    with pytest.raises(ValueError, match="match the same words"):
        check(pica200.PICA200._replace(ops=(add, add._replace(name="twin"))))


def test_random_words_survive_decoding():
    rng = random.Random(20010320)
    for _ in range(times(40_000, 200_000)):
        word = rng.getrandbits(32)
        assert encode(decode(word)) == word


@together("opcode", [0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F])
def test_unknown_opcodes_are_kept(opcode: int):
    word = opcode << 26 | 0x2ABCDEF
    assert decode(word).op is pica200.UNKNOWN
    assert encode(decode(word)) == word


@pytest.mark.parametrize(
    ("word", "name", "fields"),
    [
        # From the recorded bytes of picasso (conformance/picasso/hand 02, 06, 08): word, instruction, some fields.
        (0x4C201000, "mov", {"dst": 1, "src1": 1, "desc": 0}),
        (0x88000000, "end", {}),
        (0xB9400800, "cmp", {"cmpx": 1, "cmpy": 2, "src2": 16}),
        (0xD32514A0, "madi", {"dst": 0x13, "src3": 0x25, "src2": 0x11, "src1": 0x12}),
        (0xF2069620, "mad", {"dst": 0x12, "src1": 3, "src2": 0x25, "src3": 0x11}),
    ],
)
def test_fields(word: int, name: str, fields: dict[str, int]):
    inst = decode(word)
    assert inst.op.name == name
    assert {key: inst.field(key) for key in fields} == fields


def test_cmp_takes_both_opcodes():
    assert row_of(0x2E << 26).name == row_of(0x2F << 26).name == "cmp"
