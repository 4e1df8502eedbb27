"""Write masks of destinations: letters in another order, in the text or through an alias."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import Diagnostic
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources

DECLARED = ".out outpos position\n.in inpos\n"


def out_of_order(text: str) -> list[Diagnostic]:
    return [each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.code == "V013"]


@pytest.mark.parametrize(
    ("alias", "operand", "fixed"),
    [
        ("", "outpos.yx", "outpos.xy"),
        ("outyx outpos.yx", "outyx", "outpos.xy"),  # the name is not the mask
        ("yx outpos.wzyx", "yx", "outpos.xyzw"),  # nor where its letters are components
        ("w1 outpos.zyx", "w1.xy", "outpos.yz"),
        ("whole outpos", "whole.wx", "whole.xw"),
        ("t r3.yx", "t", "r3.xy"),
        ("t r3.yx", "t.rg", "r3.xy"),
    ],
)
def test_letters_are_sorted_without_another_meaning(alias: str, operand: str, fixed: str):
    declared = f".alias {alias}\n" if alias else ""
    text = f"{DECLARED}{declared}.proc main\n\tmov {operand}, inpos\n\tend\n.end\n"
    (finding,) = out_of_order(text)
    place = finding.span
    assert place.text[place.column - 1 : place.column - 1 + place.length] in (operand, operand.partition(".")[2])
    repaired = edited(text, finding.edits)
    assert f"\tmov {fixed}, inpos\n" in repaired
    assert not out_of_order(repaired)
    assert assemble_sources([("a.v.pica", repaired)]).data == assemble_sources([("a.v.pica", text)]).data
