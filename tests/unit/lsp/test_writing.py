"""Edits of formatting: small, and together the new text."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as t

from effort import examples
from lanewise.lsp.documents import Documents, Rules
from lanewise.lsp.positions import Positions
from lanewise.lsp.writing import changes, finished

if TYPE_CHECKING:
    from lanewise.lsp.documents import View

SOURCES = {
    "a.v.pica": [
        "  mul   r0,r1 ,v0 ; a  b",
        "\t.proc   main",
        ".end",
        "x:  mov r0,",
        ".constf c(1 ,2, 3,  4)",
        "",
        "  ",
        "\x0c(",
        "\U0001f600 ;  é",
    ],
    "a.vsh": ["  mul   r0.xy,r1 ,v0 // a  b", "main:", ".alias   a  b0", "if  b0 ", "/*  a ", " */ nop", "", "#define A   3"],
    "a.vsa": ["vs_2_0", "mul   r0,v0 // a  b", '#define A   "b  c"', "if  b0", "endif;  /*", "*/", "", "  "],
    "a.sc": ["mul   r0.x,v0.x ,c0.y ; a  b", ".input  v0   position", "", "x:", "  end  "],
}
LINES = st.lists(st.sampled_from(["a", "b", " c", "", "d\r"]), max_size=8).map("\n".join)


def viewed(text: str) -> View:
    documents = Documents(lambda _: Rules())
    documents.put("file:///a.sc", text, 1)
    view = documents.analyse("file:///a.sc")
    assert view is not None
    return view


def applied(view: View, edits: list[t.TextEdit]) -> str:
    text, at = "", 0
    for edit in edits:
        start, end = view.positions.offset_at(edit.range.start), view.positions.offset_at(edit.range.end)
        assert start >= at
        text += view.text[at:start] + edit.new_text
        at = end
    return text + view.text[at:]


@examples(30)
@given(LINES, LINES)
def test_edits_make_the_new_text(before: str, after: str):
    view = viewed(before)
    edits = changes(view, after, None)
    assert applied(view, edits) == after
    assert bool(edits) == (before != after)


@pytest.mark.parametrize(("first", "last", "wanted"), [(0, 0, ["A\n"]), (1, 1, []), (0, 3, ["A\n", "C\n"]), (2, 2, ["C\n"])])
def test_only_the_lines_of_a_range_change(first: int, last: int, wanted: list[str]):
    view = viewed("a\nb\nc\nd\n")
    place = t.Range(t.Position(first, 0), t.Position(last, 1))
    assert [edit.new_text for edit in changes(view, "A\nb\nC\nd\n", place)] == wanted


def test_only_lines_that_may_differ_are_compared(monkeypatch: pytest.MonkeyPatch):
    sizes: list[int] = []  # equal lines take SequenceMatcher seconds: each is compared with each other

    def matcher(junk: None, before: list[str], after: list[str]) -> SequenceMatcher[str]:
        sizes.append(len(before) * len(after))
        return SequenceMatcher(junk, before, after)

    monkeypatch.setattr("lanewise.lsp.writing.SequenceMatcher", matcher)
    lines = ["mov r0.x, v0.x\n"] * 1000
    view = viewed("".join(lines))
    for after in ([*lines[:500], "\n", *lines[500:]], [*lines[:500], "end\n", *lines[501:]], lines[1:]):
        assert applied(view, changes(view, "".join(after), None)) == "".join(after)
    assert sizes == [0, 0]


@examples(12)
@given(st.data(), st.sampled_from(sorted(SOURCES)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_line_that_is_ended_changes_in_its_blanks_only(data: st.DataObject, name: str, end: str, blanks: bool):
    rows = data.draw(st.lists(st.sampled_from(SOURCES[name]), min_size=1, max_size=8))
    text, line = end.join(rows), data.draw(st.integers(-1, len(rows) + 1))
    documents = Documents(lambda _: Rules())
    documents.put(f"file:///{name}", text, 1)
    view = documents.analyse(f"file:///{name}")
    if view is None:
        return
    found = finished(documents, view, text, Positions(text), line, t.FormattingOptions(2, insert_spaces=blanks))
    after = applied(view, found).split(end)
    assert ["".join(row.split()) for row in after] == ["".join(row.split()) for row in rows]
    assert {n for n, (old, new) in enumerate(zip(rows, after, strict=True)) if old != new} <= {line}
    again = finished(
        documents, view, end.join(after), Positions(end.join(after)), line, t.FormattingOptions(2, insert_spaces=blanks)
    )
    assert again == []
