"""Constant tables and shaders inside other files: what is there is found, what is broken costs nothing."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from direct3d9_cases import needs_corpus, rows, table, words_of
from lanewise.core import searching
from lanewise.core.source import Span
from lanewise.direct3d9.container import scan as scanning
from lanewise.direct3d9.container.scan import scan
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.container.tables import constants_of, fourcc, kind_of, read_table
from lanewise.direct3d9.isa.constants import STRUCT, ConstantTable
from lanewise.direct3d9.isa.program import Comment
from work import calls

CONSTANTS = [("World", 2, 0, 4, 0), ("Light", 2, 4, 1, 16), ("Diffuse", 3, 0, 1, 32)]


def comment(words: list[int]) -> Comment:
    return Comment(words[0], tuple(words[1:]))


def read(words: list[int]) -> tuple[ConstantTable | None, list[str]]:
    found = read_table(comment(words), Span(file="x", offset=4))
    return found.table, [d.code for d in found.diagnostics]


def test_constants_have_names_types_and_registers():
    stream = [0xFFFE0200, *table(CONSTANTS), 0xFFFF]
    shader = read_stream(stream).shader
    assert shader is not None
    found = constants_of(shader).table
    assert found is not None
    assert (found.creator, found.target) == ("tests", "vs_2_0")
    assert [(c.name, c.register_name, c.registers, c.type.name) for c in found.constants] == [
        ("World", "c0", 4, "float4x4"),
        ("Light", "c4", 1, "float4"),
        ("Diffuse", "s0", 1, "sampler2D"),
    ]
    assert not constants_of(shader).diagnostics
    assert constants_of(shader._replace(items=())).table is None


def test_default_values_are_words():
    words = table(CONSTANTS)
    data = bytearray(struct.pack(f"<{len(words)}I", *words))
    at = len(data) - 8
    data += struct.pack("<4f", 1, 2, 3, 4)
    struct.pack_into("<I", data, 8 + 28 + 20 + 16, at)
    more = list(struct.unpack(f"<{len(data) // 4}I", data))
    found, codes = read([0xFFFE | (len(more) - 1) << 16, *more[1:]])
    assert found is not None
    assert not codes
    assert found.constants[1].default == struct.unpack("<4I", struct.pack("<4f", 1, 2, 3, 4))


def test_a_struct_has_members():
    at = 28 + 20
    types = struct.pack("<6HI", STRUCT, 0, 1, 5, 1, 2, at + 32) + struct.pack("<6HI", 0, 3, 1, 1, 3, 0, 0)
    types += struct.pack("<4I", at + 48, at + 16, at + 48, at + 16)
    found, codes = read(table([("S", 2, 0, 2, 0)], types))
    assert found is not None
    assert not codes
    assert [(m.name, m.type.name, m.type.elements) for m in found.constants[0].type.members] == [("S", "float", 3)] * 2


@pytest.mark.parametrize("members", [1, 2, 50])
def test_structs_that_contain_themselves_end(members: int):
    at = 28 + 20
    types = struct.pack("<6HI", STRUCT, 0, 1, 1, 1, members, at + 16) + struct.pack("<2I", 0, at) * members
    found, codes = read(table([("S", 2, 0, 1, 0)], types))
    assert found is not None
    assert set(codes) == {"C309"}


def test_structs_of_structs_of_structs_end():
    # each level has four members of the next: 4 to the power of 30 parts
    at, levels = 28 + 20, 30
    types = b"".join(struct.pack("<6HI", STRUCT, 0, 1, 1, 1, 4, at + 16 * levels + 32 * n) for n in range(levels - 1))
    types += struct.pack("<6HI", 0, 3, 1, 1, 1, 0, 0)
    types += b"".join(struct.pack("<8I", *[0, at + 16 * (n + 1)] * 4) for n in range(levels - 1))
    words = table([("S", 2, 0, 1, 0)], types)
    calls(lambda: read(words), most=5_000)
    found, codes = read(words)
    assert found is not None
    assert "C309" in codes


@given(st.lists(st.integers(0, 0xFFFFFFFF) | st.integers(0, 200), max_size=60))
def test_any_table_is_read(words: list[int]):
    read([0xFFFE | (len(words) + 1) << 16, 0x42415443, *words])


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 300) | st.integers(0, 0xFFFFFFFF)), min_size=1, max_size=8))
def test_a_table_with_other_words_in_it_is_read(changes: list[tuple[int, int]]):
    words = table(CONSTANTS)
    for at, word in changes:
        words[2 + at % (len(words) - 2)] = word
    found, codes = read(words)
    assert found is not None or codes


def test_comments_have_kinds():
    assert kind_of(comment(table(CONSTANTS))) == "constant table"
    assert kind_of(Comment(0x1FFFE, (0x47554244,))) == "debug information"
    assert kind_of(Comment(0x1FFFE, (0x53455250,))) == "preshader"
    assert fourcc(Comment(0x1FFFE, (0x58575655,))) == "UVWX"
    assert fourcc(Comment(0x1FFFE, (1,))) == fourcc(Comment(0xFFFE, ())) == ""


# Shaders inside files

_ONE = [0xFFFE0200, 0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF]


def packed(words: list[int]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def container(*chunks: tuple[bytes, bytes]) -> bytes:
    """A DXBC container of (kind, contents)."""
    parts = [kind + struct.pack("<I", len(content)) + content for kind, content in chunks]
    offsets = [32 + 4 * len(parts) + sum(map(len, parts[:n])) for n in range(len(parts))]
    size = 32 + 4 * len(parts) + sum(map(len, parts))
    return b"DXBC" + bytes(16) + struct.pack(f"<3I{len(parts)}I", 1, size, len(parts), *offsets) + b"".join(parts)


def level9(shader: bytes) -> bytes:
    """The contents of a chunk Aon9: its size, the version, the size and the place of the shader, and something else."""
    return struct.pack("<4I", 24 + len(shader), 0xFFFE0200, len(shader), 24) + bytes(8) + shader


def test_shaders_are_found_at_any_offset():
    data = b"abcd" + packed(_ONE) + b"xyz" + packed(_ONE) + b"\0" + packed(_ONE) + b"DXBC1234"
    found = scan(data)
    assert [(f.offset, f.version.name) for f in found.shaders] == [(4, "vs_2_0"), (27, "vs_2_0"), (48, "vs_2_0")]
    assert {f.data for f in found.shaders} == {packed(_ONE)}
    assert found.dxbc == [], "the headers of a container are missing"


@pytest.mark.parametrize("before", [0, 1, 2, 3, 5])
def test_a_container_has_its_shader_of_direct3d_9(before: int):
    data = b"x" * before + container((b"ISGN", b"abc"), (b"Aon9", level9(packed(_ONE))), (b"SHDR", bytes(9)))
    found = scan(data + container((b"SHDR", bytes(8))))
    (shader,) = found.shaders
    assert (shader.data, shader.dxbc) == (packed(_ONE), before)
    assert found.dxbc == [before, len(data)]


def test_a_version_and_an_end_are_a_shader_only_where_words_are():
    least = packed([0xFFFE0101, 0, 0xFFFF])
    assert [f.offset for f in scan(least + b"x" + least).shaders] == [0]


def test_windows_hide_nothing(monkeypatch: pytest.MonkeyPatch):
    whole = container((b"Aon9", level9(packed(_ONE))))
    data = b"".join(bytes(n) + packed(_ONE) + whole for n in range(24))
    expected = scan(data)
    assert (len(expected.shaders), len(expected.dxbc)) == (48, 24)
    for size in range(1, 40, 3):
        monkeypatch.setattr(searching, "_WINDOW", size)
        seen: list[tuple[int, int]] = []
        assert scan(data, lambda done, total: seen.append((done, total))) == expected  # noqa: B023
        assert seen == [(at, len(data)) for at in range(0, len(data), size)]


def test_what_was_tried_is_forgotten_only_where_it_is_passed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scanning, "LARGEST", 64)
    broken = [0xFFFE0101, *[0] * 40, 0x00000033]
    data = packed([*broken, *_ONE] * 30)
    assert [f.offset for f in scan(data).shaders] == [4 * (len(broken) + n * (len(broken) + len(_ONE))) for n in range(30)]


@needs_corpus
def test_every_shader_of_the_corpus_is_found_among_others():
    programs = [packed(words_of(row)) for row in rows() if row["words"] and "one-source" not in (row.get("quirk") or "")]
    programs = [program for program in programs if len(program) > 8]
    data = b"\x00\x01\x02\x03".join(programs)
    assert [f.data for f in scan(data).shaders] == programs


@pytest.mark.parametrize(
    "words",
    [
        [0xFFFE0200] * 20000,
        [*[0xFFFE0200, 0x4000FFFE] * 9000, *[0] * 60000],
        [0xFFFF0104, *[0x0000FFFE] * 50000],
    ],
)
def test_no_file_takes_long(words: list[int]):
    data = packed(words)
    assert not scan(data).shaders
    calls(lambda: scan(data), most=10 * len(words))


@given(st.binary(max_size=200))
def test_any_file_is_scanned(data: bytes):
    scan(data)
