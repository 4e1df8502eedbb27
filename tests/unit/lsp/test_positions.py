"""Places of texts: the readers' lines and columns, and the protocol's in three encodings."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol import types as t

from effort import examples
from lanewise.core.source import Span
from lanewise.lsp.positions import UTF8, UTF16, UTF32, Positions

ENCODINGS = (UTF8, UTF16, UTF32)
NUMBERS = st.integers(0, 6)
TEXTS = st.text(st.sampled_from("ab \t\r\n\f\x0b\x1c\x85\u2028\u00e9\u20ac\U0001f600\ud800"), max_size=40)


def width(character: str, encoding: str) -> int:
    """Units of a character, in the words of the protocol."""
    if encoding == UTF32:
        return 1
    return len(character.encode(encoding, "surrogatepass")) - 2 * (encoding == UTF16) >> (encoding == UTF16)


def protocol_lines(text: str) -> list[str]:
    """Lines as the protocol ends them: at CR LF, LF and CR only."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@examples(36, 600)
@given(TEXTS, st.sampled_from(ENCODINGS))
def test_offsets_come_back(text: str, encoding: str):
    places = Positions(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":  # between the two there is no position
            continue
        position = places.position(offset)
        assert places.offset_at(position) == offset
        line = protocol_lines(text)[position.line]
        before = places.position(offset).character
        assert before <= sum(width(character, encoding) for character in line)
    for offset in range(len(text) + 1):
        assert places.offset(*places.place(offset)) == offset


@examples(60, 600)
@given(st.text(st.sampled_from("ab \t\r\n\u20ac"), max_size=12), st.sampled_from(ENCODINGS), NUMBERS, NUMBERS, NUMBERS)
@example("ab\rcd", UTF16, 1, 4, 1)
@example("a\u20acb", UTF8, 1, 2, 2)
@example("ab\ncd", UTF16, 2, 1, 2)
def test_a_finding_marks_its_characters(text: str, encoding: str, line: int, column: int, length: int):
    """Of a line of ASCII, of which the span has the text, as of all others."""
    lines = text.split("\n")
    own = lines[line - 1] if 0 < line <= len(lines) else ""
    span = Span(file="a", line=line, column=column, length=length, text=own.rstrip("\r"))
    places = Positions(text, encoding)
    assert places.marking(span) == places.between(*places.marked(span))


@examples(30)
@given(TEXTS, st.sampled_from(ENCODINGS))
def test_lines_are_those_of_the_protocol(text: str, encoding: str):
    places = Positions(text, encoding)
    lines = protocol_lines(text)
    assert places.lines == len(lines)
    assert [places.line_text(number) for number in range(places.lines)] == lines
    whole = places.whole
    assert (whole.end.line, whole.end.character) == (
        len(lines) - 1,
        sum(width(character, encoding) for character in lines[-1]),
    )


@examples(30)
@given(TEXTS, st.integers(0, 50), st.integers(0, 200), st.sampled_from(ENCODINGS))
def test_positions_outside_are_at_the_nearest_end(text: str, line: int, character: int, encoding: str):
    places = Positions(text, encoding)
    offset = places.offset_at(t.Position(line, character))
    assert 0 <= offset <= len(text)
    assert places.position(offset).line == min(line, places.lines - 1)


@pytest.mark.parametrize(("encoding", "start", "end"), [(UTF8, 5, 8), (UTF16, 3, 6), (UTF32, 2, 5)])
def test_spans_are_in_units(encoding: str, start: int, end: int):
    place = Positions("a\r\n\U0001f600 mul\n", encoding).range(Span(file="f", line=2, column=3, length=3))
    assert place == t.Range(t.Position(1, start), t.Position(1, end))


@pytest.mark.parametrize(
    ("span", "wanted"),
    [
        (Span(file="f", line=2), "mov r0"),  # a whole line, without its blanks
        (Span(file="f", line=2, column=3, length=3), "mov"),
        (Span(file="f", line=2, column=3, length=99), "mov r0 \nend\n"),
        (Span(file="f", line=9, column=1, length=3), ""),
        (Span(file="f", offset=4), ""),
        (Span(file="f"), ""),
        (Span(file="f", line=3, column=4, length=0), ""),
    ],
)
def test_spans_of_all_kinds(span: Span, wanted: str):
    text = "a\n  mov r0 \nend\n"
    start, end = Positions(text).bounds(span)
    assert text[start:end] == wanted


@pytest.mark.parametrize(
    ("span", "wanted"),
    [
        (Span(file="f", line=1, column=1, length=3), (0, 3)),
        (
            Span(file="f", line=1, column=8, length=1),
            (6, 7),
        ),  # an operand that is missing at the end: not the first character of the next line
        (Span(file="f", line=1, column=9, length=4), (6, 7)),
        (Span(file="f", line=1, column=5, length=99), (4, 7)),
        (Span(file="f", line=2, column=2, length=1), (10, 11)),
        (Span(file="f", line=3, column=1, length=1), (15, 15)),
        (Span(file="f", line=9, column=1, length=1), (18, 18)),
    ],
)
def test_findings_mark_characters_of_their_lines(span: Span, wanted: tuple[int, int]):
    assert Positions("mov pos\r\nend \r\n\r\nx").marked(span) == wanted
