"""Comments that are instructions, and what begins comments in other languages."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import NOTE
from lanewise.shadercore.text.reader import read_source_text


def test_an_instruction_in_a_comment_is_a_note():
    [finding] = read_source_text("mul r0.x, v0.x, v0.y; rcp r0.x, r0.x; end ; of it\nend\n", "a.sc").diagnostics
    assert (finding.code, finding.severity, finding.span.column, finding.span.length) == ("P215", NOTE, 23, 14)


@pytest.mark.parametrize(
    "comment",
    [
        "; end of the light",
        "; add the light",
        "// mul r0, v0, v1",
        "; .word 0x0",
        "; mov",
        "; 0x0000000000000000x",
        "; sqrt r0.x, r1.x",
    ],
)
def test_other_comments_are_not(comment: str):
    assert read_source_text(f"mov r0.x, v0.x {comment}\nend\n", "a.sc").diagnostics == []


def test_an_instruction_commented_out_is_not():
    assert read_source_text("; mov r0.x, v0.x\nend\n", "a.sc").diagnostics == []


@pytest.mark.parametrize("line", ["rcp r1.x, r0.x -- one over it", "nop -- nothing", ".input v0 position -- of it", "-- of it"])
def test_dashes_are_named_with_what_begins_comments(line: str):
    [finding] = read_source_text(f"{line}\nend\n", "a.sc").diagnostics
    assert finding.message == "'--' does not begin a comment"
    assert finding.fix == "begin comments with ;, // or #"
    assert finding.span.column == line.index("--") + 1
    [edit] = finding.edits
    assert edit.text == ";"


def test_two_signs_are_not_a_comment():
    [finding] = read_source_text("mov r0.x, --r1.x\nend\n", "a.sc").diagnostics
    assert "comment" not in finding.message
