"""Write masks of destinations: letters in another order, in the text or through an alias."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together

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


@together(
    ("line", "fixed"),
    [
        ("mov r0.zw, inpos.zw", "mov r0.zw, inpos.xyzw"),
        ("mov r0.zw, inpos.xy", "mov r0.zw, inpos.xyxy"),
        ("add r0.yzw, r1.rgb, inpos", "add r0.yzw, r1.rrgb, inpos"),
        ("mad r0.w, r1, r2, -r3.xyz", "mad r0.w, r1, r2, -r3.xyzz"),
        ("mov r0.xyz, inpos.yx", "mov r0.xyz, inpos.yxxx"),  # no places for the letters: as it is read
        ("mov r0.xz, inpos.xz", ""),
        ("mov r0.xy, inpos.zw", ""),
        ("mov r0, inpos.xyz", ""),
        ("mov r0.zw, inpos.x", ""),
        ("mov r0.zw, inpos.www", ""),
        ("dp3 r0.xyzw, r1.xyz, r2.xyz", ""),
    ],
)
def test_a_swizzle_is_as_long_as_its_mask_reaches(line: str, fixed: str):
    text = f"{DECLARED}.proc main\n\t{line}\n\tend\n.end\n"
    found = [each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.code == "V111"]
    assert len(found) == bool(fixed)
    for finding in found:
        assert finding.severity == WARNING
        repaired = edited(text, finding.edits)
        assert f"\t{fixed}\n" in repaired
        assert not [each for each in assemble_sources([("a.v.pica", repaired)]).diagnostics if each.code == "V111"]
