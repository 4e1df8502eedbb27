"""Places of findings and operations in picasso sources."""

from __future__ import annotations

from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import examine
from together import together


def source(line: str) -> str:
    return f".out p position\n.proc main\n{line}\n    mov p, r0\n    end\n.end\n"


@together("labels", ["", "here: ", "a:b: ", "here:"])
@together(
    ("statement", "part", "fixed"),
    [
        ("mull r0, v0, v0", "mull", "mul r0, v0, v0"),
        ("  mov r0, v0,", ",", "  mov r0, v0"),
        (".worrd 0x0", ".worrd", ".word 0x0"),
        ("mov r0, x0", "x0", ""),
        ("call cmp.x && cmp.y", "cmp.x && cmp.y", ""),
        ("callc cmp.x &&  ! cmp.y, main", "! cmp.y", "callc cmp.x &&  !cmp.y, main"),
        ("breakc cmp.x && cmp.z ", "cmp.z", ""),
    ],
)
def test_labels_are_in_front_of_what_is_wrong(labels: str, statement: str, part: str, fixed: str):
    """The fix of a statement with a label replaced the label."""
    text = source(labels + statement)
    finding = next(
        each for each in examine([("a.v.pica", text)]).report.findings if each.code[0] == "P" and each.span.line == 3
    )
    begin = finding.span.column - 1
    assert (finding.span.line, finding.span.text[begin : begin + finding.span.length]) == (3, part)
    assert begin >= len(labels)
    assert bool(finding.edits) == bool(fixed)
    if fixed:
        assert edited(text, finding.edits) == source(labels + fixed)


def test_operations_begin_after_their_labels():
    program = assemble_sources([("a.v.pica", source("  one: two:\tmov  r0, v0 ; comment"))]).program
    span = program.operations[0].span
    assert span is not None
    assert span.text[span.column - 1 : span.column - 1 + span.length] == "mov  r0, v0"
