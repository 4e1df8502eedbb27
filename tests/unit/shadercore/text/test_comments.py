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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/* mul r0.x, v0.x, v0.y\nrcp r1.x, r0.x */\nend\n", 1),
        ("mov r0.x, v0.x /* of it */\nend\n", 1),
        ("/*\n * mul\n */\nend\n", 1),
        ("end\n/* at the end", 2),
    ],
)
def test_a_comment_that_ends_with_a_mark_is_one_error(text: str, line: int):
    [finding] = read_source_text(text, "a.sc").diagnostics
    assert (finding.code, finding.span.line, finding.fix) == ("P201", line, "begin each line of it with ;, // or #")
    lines = text.replace("/*", "//").replace("*/", "").splitlines()
    lines = [f"// {each}" if "rcp" in each or each.startswith(" ") else each for each in lines]
    assert read_source_text("\n".join(lines) + "\n", "a.sc").diagnostics == []
    assert len(finding.edits) == 2 * ("of it" in text)
