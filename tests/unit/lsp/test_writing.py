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
from lanewise.lsp.writing import changes

if TYPE_CHECKING:
    from lanewise.lsp.documents import View

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
