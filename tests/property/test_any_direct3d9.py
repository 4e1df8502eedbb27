"""Any Direct3D 9 stream is text that assembles to it, and any text is read or refused with a place."""

from __future__ import annotations

import random
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from corpus import REPOSITORY
from direct3d9_cases import needs_corpus, rows, streams, table
from effort import sample, times
from lanewise.core.diagnostics import text_form
from lanewise.core.text.formatting import indent_named
from lanewise.direct3d9.api.disassembling import disassemble_shader
from lanewise.direct3d9.container.stream import read_stream, write_stream
from lanewise.direct3d9.engine.random_programs import random_case
from lanewise.direct3d9.text.formatting import format_text
from lanewise.direct3d9.text.printer import print_shader
from lanewise.direct3d9.text.reader import read_source_text

_WORDS = (
    "vs_2_0",
    "ps_1_4",
    "mov",
    "add_sat",
    "dcl_position",
    "def",
    "r0",
    "c[",
    "a0.x",
    "]",
    "+",
    "-",
    ".",
    ",",
    "1.5",
    "0x1",
    "(",
    ")",
    "p0",
    "!",
    "\n",
    "#define",
    "A",
    "#include",
    '"x"',
    "#if",
    "#endif",
    ";",
    "/*",
    "*/",
    ".dword",
    ".end",
    ".comment",
    "t0_bx2",
    "\\",
)


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


_NAMES = st.sampled_from(
    [
        "x",
        "xyz",
        "c0",
        "c",
        "r0_abs",
        "add",
        "dcl_position",
        "vs_2_0",
        "World",
        "World.m",
        "",
        "$a",
        "9",
        "true",
        "_abs",
        "sat",
        "p0",
        "define",
        "World",
        "end",
        "x2",
    ]
) | st.text(st.characters(codec="latin-1", exclude_characters="\0"), max_size=8)


@given(st.lists(st.tuples(_NAMES, st.integers(0, 3), st.integers(0, 12), st.integers(0, 12)), max_size=6))
def test_any_names_of_constants_are_symbols(constants: list[tuple[str, int, int, int]]):
    body = read_source_text(
        "ps_3_0\ndcl_2d s1\nmov r0, -c3_abs.x\nmad r0, c4, c5, c12\ntexld r1, r0, s1\nif b2\nrep i1\nendrep\nendif\n"
        "mov oC0, r0\n",
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


_BLANKS = " \t\r\f\v\ufeff"


def check_format(text: str, indent: str = "4") -> None:
    made = format_text(text, indent_named(indent))  # compares the tokens itself, and raises
    assert format_text(made, indent_named(indent)) == made
    if "\0" in text or text_form("", text):
        assert made == text
        return
    before, after = text.split("\n"), made.split("\n")
    while len(before) > 1 and not before[-1].strip(_BLANKS):
        before.pop()
    assert len(after) == len(before) + 1 or (not text.strip(_BLANKS + "\n") and made == "")
    for one, two in zip(before, after, strict=False):
        if not one.lstrip().startswith("#"):  # every character stays but blanks, in its line
            assert _without_blanks(one) == _without_blanks(two)
    assert _words(made) == _words(text)


def _without_blanks(line: str) -> str:
    return "".join(c for c in line if c not in _BLANKS)


def _words(text: str) -> list[int] | list[str]:
    found = read_source_text(text, "any.vsa")
    return found.shader.words if found.shader is not None else [finding.code for finding in found.diagnostics]


_SPACED = st.tuples(
    st.sampled_from(
        [
            *_WORDS,
            "if b0",
            "else",
            "endif",
            "loop aL, i0",
            "endloop",
            "label l0",
            "1",
            "VS.1.1",
            "(p0)",
            "// c",
            "_abs",
            "#else",
            "=",
            "\\ ",
        ]
    ),
    st.sampled_from(["", "", " ", "  ", "\t", "\n", "\r\n", " ; c\n", "/* a\n b */"]),
).map("".join)


@given(st.lists(_SPACED, max_size=30).map("".join) | st.text(max_size=80))
@example("  /* a */ mov r0, /* b\n c */ r1 // d\n\n  if  b0\n   // e\n\n endif ; f\n\n")
@example("#define A(b) \\\n  /* c\n still */ mov r0 ,r1\n#if A \\ \nnop\n")
@example("vs_2_0\r\n .dword 1 ,2,\r\n 3\r\nadd r0 ,\r\n r1 , // g\r\n 1 -r2\r\n")
@example("vs_2_0 if\nmov")
@example("\r0")
@example("\n\ufeff#i\n\ufeff # x")
def test_any_text_is_formatted(text: str):
    for source in (text, "vs_2_0\n" + text):
        for indent in ("4", "tab"):
            check_format(source, indent)


@needs_corpus
def test_the_corpus_is_formatted():
    for row in sample(rows(), 100):
        check_format(row["text"])
        check_format(" " + row["text"].replace(",", " , ").replace("\n", "  \n\t"))


def test_our_sources_are_formatted():
    paths = sorted((REPOSITORY / "examples" / "direct3d9").glob("*.?sa"))
    assert len(paths) > 3
    for path in paths:
        assert format_text(path.read_text()) == path.read_text()
    for path in sorted((REPOSITORY / "tests" / "golden").glob("direct3d9*.vsa")):
        check_format(path.read_text())


def test_a_disassembly_is_formatted():
    for seed in range(times(15, 200)):
        written = disassemble_shader(random_case(random.Random(seed)).shader).text
        assert format_text(written) == written
