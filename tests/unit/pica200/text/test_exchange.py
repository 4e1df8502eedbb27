"""The edits of V002, which exchange the sources of an instruction."""

from __future__ import annotations

import pytest

from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import examine


def source(statement: str) -> str:
    return f".out p position\n.proc main\n    {statement}\n    end\n.end\n"


def fixed(statement: str) -> str:
    """A statement with the edits of its finding."""
    found = [each for each in examine([("a.v.pica", source(statement))]).report.findings if each.is_error]
    assert [each.code for each in found] == ["V002"]
    return edited(source(statement), found[0].edits).split("\n")[2].strip()


@pytest.mark.parametrize(
    ("statement", "nihstro"),
    [
        ("add r0, v0, c5", "add r0, v0, c5"),
        ("mul r1.x,  -v0.xxxx, c4.wxxx", "mul r1.x, -v0.x, c4.w"),
        ("dp4 r0, r1.wzyx, c95", "dp4 r0, r1.wzyx, c95"),
        ("dp3 r0, r1.xyzx, -c95.yzxx", "dp3 r0, r1.xyz, -c95.yzx"),
        ("cmp r1.xyxx, lt, GE, c3.xyxx", "cmp r1.xy, c3.xy, <, >="),
        ("cmp -r1.xxxx, eq, ne, c3.zwxx", "cmp -r1.xx, c3.zw, ==, !="),
        ("cmp v1.xyxx, gt, le, -c3.xyxx", "cmp v1.xy, -c3.xy, >, <="),
    ],
)
def test_the_words_are_those_of_nihstro(statement: str, nihstro: str):
    """nihstro's assembler exchanges these sources itself (its program 05_uniform_second_commutes, whose words are recorded)."""
    one = assemble_sources([("a.v.pica", source(fixed(statement)))]).encoded
    other = assemble_sources([("a.vsh", f".alias p o0 as position\nmain:\n{nihstro}\nend\n")]).encoded
    assert one.words[0] & ~0x7F == other.words[0] & ~0x7F
    ignored = 0xF if statement.startswith("cmp") else 0  # the write mask, which cmp does not have
    assert one.descriptors[one.words[0] & 0x7F] | ignored == other.descriptors[other.words[0] & 0x7F] | ignored


def test_comments_and_blanks_stay():
    assert fixed("mul r1.x,  -v0.x,\tc4.w ; half") == "mul r1.x,  c4.w,\t-v0.x ; half"
    assert fixed("here: mad r0, c4, v0, r1") == "here: mad r0, v0, c4, r1"


@pytest.mark.parametrize(
    ("statement", "instead"),
    [
        ("max r0, v0, c5", ["mov r15, c5", "max r0, v0, r15"]),
        ("sge r0, c5, -c6.x", ["mov r15, c6", "sge r0, c5, -r15.x"]),
        ("mad r0, c5, v0, v1", ["mov r15, v1", "mad r0, v0, c5, r15"]),
        ("mad r0, c5, r0, c6", ["mov r15, c6", "mad r0, r0, c5, r15"]),
    ],
)
def test_what_would_not_be_the_same_is_copied(statement: str, instead: list[str]):
    (found,) = [each for each in examine([("a.v.pica", source(statement))]).report.findings if each.is_error]
    new = edited(source(statement), found.edits)
    assert [line.strip() for line in new.split("\n")[2:4]] == instead
    assert assemble_sources([("a.v.pica", new)]).encoded.words
