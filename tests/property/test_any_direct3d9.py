"""Any Direct3D 9 stream is text that assembles to it, and any text is read or refused with a place."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from direct3d9_cases import streams, table
from lanewise.direct3d9.api.disassembling import disassemble_shader
from lanewise.direct3d9.container.stream import read_stream, write_stream
from lanewise.direct3d9.text.printer import print_shader
from lanewise.direct3d9.text.reader import read_source_text

_WORDS = ("vs_2_0", "ps_1_4", "mov", "add_sat", "dcl_position", "def", "r0", "c[", "a0.x", "]", "+", "-", ".", ",", "1.5", "0x1", "(", ")",
          "p0", "!", "\n", "#define", "A", "#include", '"x"', "#if", "#endif", ";", "/*", "*/", ".dword", ".end", ".comment", "t0_bx2", "\\")  # fmt: skip


@given(streams, st.binary(max_size=3))
def test_any_stream_is_text_that_gives_it(words: list[int], rest: bytes):
    data = struct.pack(f"<{len(words)}I", *words) + rest
    shader = read_stream(data).shader
    assert shader is not None
    again = read_source_text(print_shader(shader), "again.vsa")
    assert again.shader is not None, again.diagnostics
    assert write_stream(again.shader) == data
    assert [item._replace(place=None) for item in again.shader.items] == [item._replace(place=None) for item in shader.items]


@given(st.lists(st.sampled_from(_WORDS), max_size=30).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str):
    for source in (text, "vs_2_0 " + text):
        found = read_source_text(source, "any.vsa", {"x": source}.__getitem__)
        assert (found.shader is None) == any(d.is_error for d in found.diagnostics)
        assert all(d.fix for d in found.diagnostics)


_NAMES = st.sampled_from(["x", "xyz", "c0", "c", "r0_abs", "add", "dcl_position", "vs_2_0", "World", "World.m", "", "$a", "9", "true", "_abs", "sat", "p0",
                          "define", "World", "end", "x2"]) | st.text(st.characters(codec="latin-1", exclude_characters="\0"), max_size=8)  # fmt: skip


@given(st.lists(st.tuples(_NAMES, st.integers(0, 3), st.integers(0, 12), st.integers(0, 12)), max_size=6))
def test_any_names_of_constants_are_symbols(constants: list[tuple[str, int, int, int]]):
    body = read_source_text(
        "ps_3_0\ndcl_2d s1\nmov r0, -c3_abs.x\nmad r0, c4, c5, c12\ntexld r1, r0, s1\nif b2\nrep i1\nendrep\nendif\nmov oC0, r0\n",
        "x",
    ).shader
    assert body is not None
    shader = read_stream([body.words[0], *table([(*row, 16) for row in constants]), *body.words[1:]]).shader
    assert shader is not None
    made = disassemble_shader(shader, symbols=True)
    again = read_source_text(made.text, "again.psa").shader
    assert again is not None
    assert again.words == shader.words
    assert made.lost == (), "the names can stand for registers and for nothing else"
