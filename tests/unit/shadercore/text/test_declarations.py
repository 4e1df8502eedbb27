"""Registers that are declared twice."""

from __future__ import annotations

import pytest

from lanewise.shadercore.text.reader import read_source_text


@pytest.mark.parametrize(
    ("usage", "fix", "edits"), [("color", "use another register: .input v1 color", 0), ("position", "remove one of them", 1)]
)
def test_the_fix_of_a_second_declaration(usage: str, fix: str, edits: int):
    text = f".input v0 position\n.input v0 {usage}\nmov r0.x, v0.x\nend\n"
    [finding] = read_source_text(text, "a.sc").diagnostics
    assert (finding.code, finding.fix, len(finding.edits)) == ("P211", fix, edits)


@pytest.mark.parametrize(
    ("line", "fix", "edits"),
    [
        (".in position v0", "write .input v0 position", 1),
        ("  .out outpos position o0 ; of it", "write .output o0 position", 1),
        (".in position", "did you mean .input?", 0),
        (".out outpos position", "did you mean .output?", 0),
        (".proc main", "remove it: a program begins with its first instruction", 0),
        (".end", "write `end`, without the dot", 1),
        (".constf half(0.5, 1.0, 0.0, 2.0)", "write .const c0 (0.5, 1.0, 0.0, 2.0), and c0 for half", 0),
        (".fvec light[2]", "remove it, and write c0 for light: constants c0 to c255 need no declaration", 0),
    ],
)
def test_declarations_of_picasso(line: str, fix: str, edits: int):
    found = [each for each in read_source_text(f"{line}\nend\n", "a.sc").diagnostics if each.code == "P202"]
    assert [(each.fix, len(each.edits)) for each in found] == [(fix, edits)]
