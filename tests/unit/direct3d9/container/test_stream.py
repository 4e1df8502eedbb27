"""Direct3D 9 streams: every one is read, and written as it was."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from direct3d9_cases import needs_corpus, rows, streams, words_of
from lanewise.direct3d9.container.stream import is_direct3d9, read_stream, write_stream
from lanewise.direct3d9.isa.program import Comment, Inst, Shader, Unknown
from together import together

VS_3_0 = 0xFFFE0300


def shader(*words: int) -> Shader:
    found = read_stream(words).shader
    assert found is not None
    return found


def codes(words: list[int] | bytes) -> list[str]:
    return [finding.code for finding in read_stream(words, "x.bin").diagnostics]


def test_predicate_and_addresses_stand_behind_their_operands():
    # vs_3_0 `(!p0.x) mov o3[a0.x+2], c[aL+5]`: reference 3, measured
    read = shader(VS_3_0, 0x15000001, 0xE00F2005, 0xB0000000, 0xBD001000, 0xA0E42005, 0xF0E40800, 0xFFFF)
    (inst,) = read.insts
    assert inst.op.name == "mov"
    assert inst.dest is not None
    assert (inst.dest.number, inst.dest.relative) == (5, 0xB0000000)
    assert inst.predicate is not None
    assert inst.predicate.modifier == 13
    assert inst.sources[0].relative == 0xF0E40800


def test_a_relative_constant_of_shader_model_1_has_no_word_of_its_own():
    (inst,) = shader(0xFFFE0101, 0x00000001, 0x800F0000, 0xA0E42004, 0xFFFF).insts
    assert inst.sources[0].is_relative
    assert inst.sources[0].relative is None


def test_usage_stands_before_the_register_and_numbers_behind_it():
    read = shader(VS_3_0, 0x0200001F, 0x80030005, 0x900F0001, 0x05000051, 0xA00F0004, 1, 2, 3, 0xFFFFFFFF, 0xFFFF)
    dcl, definition = read.insts
    assert dcl.payload == (0x80030005,)
    assert dcl.dest is not None
    assert dcl.dest.number == 1
    assert definition.payload == (1, 2, 3, 0xFFFFFFFF)


@needs_corpus
def test_every_program_of_the_corpus_is_read_and_written():
    for row in rows():
        if row["words"]:
            words = words_of(row)
            read = read_stream(words).shader
            assert read is not None
            assert read.words == words
            if not row.get("quirk"):
                assert all(isinstance(item, Inst) for item in read.items), row["name"]
                assert not read_stream(words).diagnostics, row["name"]


@given(streams, st.binary(max_size=9))
def test_any_stream_is_written_as_it_was(words: list[int], more: bytes):
    data = struct.pack(f"<{len(words)}I", *words) + more
    read = read_stream(data, "any.bin")
    assert read.shader is not None
    assert write_stream(read.shader) == data
    assert all(0 <= finding.span.offset <= len(data) for finding in read.diagnostics if finding.span.offset >= 0)


@together(
    ("body", "code", "kind"),
    [
        ([0x02000001, 0x800F0000, 0x90E40000], "C303", Inst),
        ([0x02000001, 0x800F0000, 0x90E40000, 0xFFFF, 0], "C304", Inst),
        ([0x02000077, 0x800F0000, 0x90E40000, 0xFFFF], "C305", Unknown),
        ([0x800F0000, 0xFFFF], "C305", Unknown),
        ([0x03000001, 0x800F0000, 0x90E40000, 0x90E40000, 0xFFFF], "C306", Unknown),
        ([0x02000001, 0x800F0000, 0x10E40000, 0xFFFF], "C306", Unknown),
        ([0x0005FFFE, 0xFFFF], "C307", Unknown),
        ([0x22000001, 0x800F0000, 0x90E40000, 0xFFFF], "C308", Inst),
        ([0x02000001, 0x800F4000, 0x90E40000, 0xFFFF], "C308", Inst),
        ([0x8000FFFE, 0xFFFF], "C308", Comment),
        ([0x00000000, 0x0001FFFF], "C308", Inst),
    ],
)
def test_what_is_wrong_with_a_stream_is_said(body: list[int], code: str, kind: type):
    words = [VS_3_0, *body]
    assert code in codes(words)
    assert isinstance(shader(*words).items[0], kind)
    assert shader(*words).words == words


def test_odd_bytes_are_kept():
    data = struct.pack("<2I", VS_3_0, 0xFFFF) + b"abc"
    read = read_stream(data).shader
    assert read is not None
    assert read.rest == b"abc"
    assert codes(data) == ["C304"]


def test_what_begins_with_no_version():
    assert read_stream(b"DXBC1234").shader is None
    assert codes(b"DXBC1234") == ["C310"]
    assert codes(b"") == codes(b"\xfe\xff") == codes(b"12345678") == codes([]) == codes([5]) == ["C301"]
    assert not is_direct3d9(b"DXBC")
    assert is_direct3d9(struct.pack("<I", VS_3_0))


def test_a_version_that_nobody_defined_is_kept():
    assert codes([0xFFFE0707, 0xFFFF]) == ["C302"]
    assert shader(0xFFFE0707, 0x00000000, 0xFFFF).words == [0xFFFE0707, 0, 0xFFFF]


def test_thousands_of_findings_are_summed_up():
    found = read_stream([VS_3_0, *[0x12345] * 5000, 0xFFFF]).diagnostics
    assert len(found) == 41
    assert found[-1].message == "4960 more findings of this kind are not shown"
