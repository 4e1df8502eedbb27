"""ShaderCore files: what is written is read back, and what cannot be read is told with its offset."""

from __future__ import annotations

import random

import pytest

from lanewise.packages import unknown_file
from lanewise.pica200.container.read import read_shbin
from lanewise.shadercore.container.header import (
    BINARY,
    HEX,
    WORDS,
    C,
    doubts,
    form_of,
    read,
    write_binary,
    write_words,
)
from lanewise.shadercore.container.memory import program_memory, write_memory
from lanewise.shadercore.isa.program import Program, review, usage_byte, usage_name
from shadercore_cases import random_words
from together import together

END = 0x00000001400280DF
MUL = 0x0000000284008003
HEADER = b"VS\x02\x00\x78\x56\x34\x12" + bytes(range(8)) + bytes((0, 2, 9, 0, 0, 0, 0, 0)) + bytes(8)
FILE = HEADER + MUL.to_bytes(8, "little") + END.to_bytes(8, "little")


def test_a_file_field_by_field():
    """Reference 1: magic, count, hash, eight inputs, eight outputs, padding, words."""
    program, found = read(FILE, "x")
    assert found == []
    assert program == Program(
        words=(MUL, END), inputs=tuple(range(8)), outputs=(0, 2, 9, 0, 0, 0, 0, 0), hash=0x12345678, padding=0
    )
    assert program is not None
    assert write_binary(program) == FILE


def test_any_header_is_kept():
    rng = random.Random(7)
    for _ in range(200):
        data = b"VS\x01\x00" + rng.randbytes(28) + rng.randbytes(8)
        program, _ = read(data, "x", BINARY)
        assert program is not None
        assert write_binary(program) == data


@together(
    ("data", "form", "code", "offset", "words"),
    [
        (FILE[:-1], "", "C202", 2, "gives 2 words (16 bytes), but 15 bytes follow it"),
        (FILE + b"\0", "", "C202", 2, "but 17 bytes follow it"),
        (FILE[:33], "", "C202", 2, "header gives 2 words (16 bytes), but 1 byte follows it"),
        (FILE[:31], "", "C201", 0, "has 31 bytes"),
        (b"\0" * 40, BINARY, "C201", 0, "does not begin with VS"),
        (b"\1" * 21, "", "C203", 16, "size of 21 bytes is not a multiple of 8: 5 are left over"),
        (b"\1" * 17, "", "C203", 16, "size of 17 bytes is not a multiple of 8: 1 is left over"),
        (b"", "", "C207", 0, "no instruction"),
        (HEADER[:2] + b"\0\0" + HEADER[4:], "", "C207", 0, "no instruction"),
        (b"\1" * 8 * 513, "", "C205", 0, "513 words"),
        (b"00000001400280DF\nnop\n", "", "C204", 17, "'nop' is not a 64-bit word"),
        (b"000000001400280DF\n", "", "C204", 0, "not a 64-bit word"),
        (b"@1\n00000001400280DF\n", "", "C204", 0, "'@1'"),
        (b"a[1] = {0x1, /* , */ 5};", "", "C204", 21, "'5' is not a 64-bit word"),
        (b"a[1] = {0x1,, 0x2};", "", "C204", 12, "'' is not a 64-bit word"),
        (b"a[1] = {0x1, 0x2;", "", "C208", 7, "no array"),
        (b"// { 0x1 }", C, "C208", 0, "no array"),
    ],
)
def test_malformed(data: bytes, form: str, code: str, offset: int, words: str):
    program, found = read(data, "x", form)
    assert program is None
    span = found[0].span
    place = sum(map(len, data.splitlines(keepends=True)[: span.line - 1])) + span.column - 1 if span.line else span.offset
    assert (found[0].code, place) == (code, offset)
    assert words in found[0].message
    assert found[0].fix


def test_bits_that_mean_nothing_are_kept_and_told():
    data = FILE[:9] + b"\xe1" + FILE[10:24] + b"\1" + FILE[25:]
    program, found = read(data, "x")
    assert [(d.code, d.severity, d.span.offset) for d in found] == [("C206", "warning", 9), ("C206", "warning", 24)]
    assert program is not None
    assert write_binary(program) == data


def test_forms_are_told_apart():
    assert form_of(FILE) == BINARY
    assert form_of(FILE[:-3]) == BINARY
    assert form_of(FILE[32:]) == WORDS
    assert form_of(b"") == WORDS
    assert form_of(b"00000001400280DF\r\n") == HEX
    assert form_of(b"uint64_t a[] = { 0x1 };") == C
    assert not doubts(FILE)
    assert not doubts(b"00000001400280DF\n")
    assert not doubts(b"{0x1}")
    assert doubts(FILE[:-1])
    assert not doubts(FILE[32:])
    assert doubts(b"mov r0.x, r1.x\n")


@together(
    ("data", "told"),
    [
        (FILE[32:40], "the last word is mul, not end"),
        (FILE[32:47], "size of 15 bytes is not a multiple of 8: 7 are left over"),
        (bytes(7) + b"\x80" + FILE[40:], "word 0, 0x8000000000000000, has undefined bits above 42"),
        (b"", "no instructions"),
        (b"hello", "'hello' is not a 64-bit word"),
        (b"0x22021080\n0x88000000\n", "its words have 32 bits, and the last one is nop, not end"),
        (FILE[:-8], "header gives 2 words (16 bytes), but 8 bytes follow it"),
        (END.to_bytes(8, "little") * 513, "513 words exceed the 512 slots of a core"),
        (bytes(1 << 20), "1048576 bytes are too many for a program"),
    ],
)
def test_what_speaks_against_a_program(data: bytes, told: str):
    assert doubts(data) == told
    _, found = read_shbin(data, "x")
    assert [finding.code for finding in found] == ["C001"]
    assert f"not a ShaderCore file: {told}" in unknown_file("x", data).diagnostics[0].notes


def test_any_words_survive_every_form_that_is_read():
    rng = random.Random(11)
    for _ in range(20):
        words = random_words(rng, rng.randrange(1, 12))
        program = Program(words=words)
        for data in (
            write_words(program),
            *(write_memory(program_memory(program), target, "a") for target in ("hex", "mem", "coe", "c")),
        ):
            again, found = read(data, "x")
            assert found == []
            assert again == program


def test_hex_with_what_people_write():
    text = b"// first\n@0\n0x00000284008003 ; mul\n\n  1400280df   # end\n"
    program, found = read(text, "x")
    assert found == []
    assert program is not None
    assert program.words == (0x284008003, 0x1400280DF)


def test_c_with_what_people_write():
    text = b"static unsigned long long p[] = /* { */ { 0X284008003ull, // }\n 0x1400280DFUL };"
    program, found = read(text, "x")
    assert found == []
    assert program is not None
    assert program.words == (0x284008003, 0x1400280DF)


def test_only_some_findings_of_a_text_of_another_kind():
    _, found = read(b"0\n" + b"hello\n" * 500, "x")
    assert len(found) == 20
    _, found = read(b"; a comment\n" + b"hello\n" * 500, "x")  # no word at all: one says it
    assert [(finding.code, finding.span.line, finding.span.column) for finding in found] == [("C204", 2, 1)]
    assert ".sc" in found[0].fix


def test_what_a_header_cannot_hold():
    with pytest.raises(ValueError, match="8 inputs"):
        write_binary(Program(words=(END,), inputs=(0,)))
    with pytest.raises(ValueError, match="cannot hold"):
        write_binary(Program(words=(END,), hash=1 << 32))


def test_usages():
    assert usage_name(0) == "position"
    assert usage_name(9) == "texcoord1"
    assert usage_name(0xE1) == "0xE1"
    for byte in range(256):
        assert usage_byte(usage_name(byte)) == byte
    assert usage_byte("COLOR0") == 2
    assert [usage_byte(text) for text in ("tangent", "color4", "color11", "0x123", "color-1", "color²", "")] == [None] * 7


def test_review():
    assert [d.code for d in review(Program(words=(MUL, END)), "x")] == []
    assert [d.code for d in review(Program(words=(MUL,)), "x")] == ["V202"]
    assert [d.code for d in review(Program(words=(END, MUL)), "x")] == ["V203"]
    assert [d.code for d in review(Program(words=(MUL,) * 512 + (END,)), "x")] == ["V201"]
    assert [d.code for d in review(Program(words=(MUL,) * 511 + (END,)), "x")] == []


@pytest.mark.parametrize(
    ("order", "what", "fix"),
    [
        ((4, 5, 6, 7, 0, 1, 2, 3), "their halves exchanged", "write the low 32 bits of each word first"),
        ((7, 6, 5, 4, 3, 2, 1, 0), "their eight bytes reversed", "numpy.fromfile('x', '>u8').astype('<u8').tofile('NEW')"),
        ((3, 2, 1, 0, 7, 6, 5, 4), "the bytes of their halves reversed", "numpy.fromfile('x', '>u4').astype('<u4')"),
    ],
)
def test_words_in_another_order_are_named(order: tuple[int, ...], what: str, fix: str):
    data = b"".join([bytes([word.to_bytes(8, "little")[n] for n in order]) for word in (MUL, END)])
    program, found = read(data, "x", WORDS)
    assert program is not None
    assert [finding.code for finding in found] == ["C211"]
    assert what in found[0].message and fix in found[0].fix
    assert what in doubts(data)
    _, found = read(write_words(Program(words=(MUL, END))), "x", WORDS)
    assert found == []
    _, found = read(data[:8], "x", WORDS)  # without END, exchanged or not
    assert found == []
