"""Edits of findings: which go together, and what they make of a text."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, Diagnostic, Edit
from lanewise.core.editing import chosen, edited
from lanewise.core.source import Span


def edit(line: int, column: int, length: int, text: str, file: str = "f") -> Edit:
    return Edit(Span(file=file, line=line, column=column, length=length), text)


@pytest.mark.parametrize(
    ("text", "edits", "wanted"),
    [
        ("ab\ncd\n", [edit(1, 2, 1, "XY")], "aXY\ncd\n"),
        ("ab\ncd\n", [edit(2, 1, 1, ""), edit(1, 1, 1, "Q")], "Qb\nd\n"),
        ("ab\r\ncd", [edit(2, 3, 0, "!")], "ab\r\ncd!"),
        ("ab\ncd\n", [edit(1, 1, 3, "")], "cd\n"),  # a whole line with its end
        ("ab\n", [edit(2, 1, 0, "end\n")], "ab\nend\n"),
        ("ab", [edit(1, 2, 0, "1"), edit(1, 2, 0, "2")], "a12b"),
        ("", [edit(1, 1, 0, "x")], "x"),
    ],
)
def test_edits_change_a_text(text: str, edits: list[Edit], wanted: str):
    assert edited(text, edits) == wanted


@pytest.mark.parametrize(
    "edits",
    [[edit(1, 1, 2, "x"), edit(1, 2, 1, "y")], [edit(4, 1, 0, "x")], [edit(1, 0, 1, "x")], [edit(2, 2, 9, "x")]],
)
def test_edits_that_overlap_or_lie_outside_are_refused(edits: list[Edit]):
    with pytest.raises(ValueError):
        edited("ab\ncd\n", edits)


def finding(*edits: Edit) -> Diagnostic:
    return Diagnostic(code="P000", severity=ERROR, message="text", span=Span(file="f", line=1), edits=edits)


def test_findings_whose_edits_overlap_wait():
    first, second = finding(edit(1, 1, 2, "x")), finding(edit(1, 2, 1, "y"))
    third, other = finding(edit(2, 1, 1, "z")), finding(edit(1, 2, 1, "y", "g"))
    taken, by_file = chosen([first, second, third, other, finding()])
    assert taken == [first, third, other]
    assert by_file == {"f": [*first.edits, *third.edits], "g": [*other.edits]}


def test_lines_end_at_line_feeds_only():
    assert edited("; a\fb\u2028c\nmull r0\n", [edit(2, 1, 4, "mul")]) == "; a\fb\u2028c\nmul r0\n"
