"""Instructions that compute one value: the same in both languages, and in a binary nothing."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import NOTE, WARNING
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import check_shbin, check_sources
from together import together

PICASSO = ".out pos position\n.proc main\n    mov r0, v0\n    LINE\n    mov pos, r15\n    end\n.end\n"
NIHSTRO = ".alias pos o0 as position\nmain:\n    mov r0, v0\n    LINE\n    mov pos, r15\n    end\n"


def texts(line: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """A line in both languages."""
    spelt = line.replace("lg2", "log").replace("ex2", "exp")
    return ("a.v.pica", PICASSO.replace("LINE", line)), ("a.vsh", NIHSTRO.replace("LINE", spelt))


@pytest.mark.parametrize("name", ["lg2", "ex2", "rcp", "rsq"])
def test_different_components_are_one_warning_in_both_languages(name: str):
    for source in texts(f"{name} r15, r0"):
        found = [finding for finding in check_sources([source]).findings if finding.severity != NOTE]
        assert [(finding.code, finding.severity, finding.span.line) for finding in found] == [("P061", WARNING, 4)]
        assert found[0].message == f"{name} reads only r0.x: the result in r15.yzw is that of r0.x, not of r0.yzw"


@together(
    ("line", "fix", "instead"),
    [
        ("rsq r0.w, r0\n    mov r15, r0.wwww", "write `rsq r0.w, r0.w`;", "rsq r0.w, r0.w"),
        ("dp4 r0.w, r0, r0\n    rsq r15, r0", "write `rsq r15, r0.wwww`, which has the product;", "rsq r15, r0.wwww"),
        (
            "rcp r15.yz, r0\n    mov r15.xw, r0.xw",
            "write `rcp r15.y, r0.y`, and so for .z;",
            "rcp r15.y, r0.y\n    rcp r15.z, r0.z",
        ),
    ],
)
def test_the_fix_is_written_in_the_words_of_the_source(line: str, fix: str, instead: str):
    for name, text in texts(line)[: 2 if "dp4" in line else 1]:  # nihstro's swizzles are as long as what is written
        (finding,) = [each for each in check_sources([(name, text)]).findings if each.code == "P061"]
        assert fix in finding.fix
        fixed = text.replace(text.split("\n")[finding.span.line - 1].strip(), instead)
        assert not [each for each in check_sources([(name, fixed)]).findings if each.code == "P061"]


@pytest.mark.parametrize("line", ["lg2 r15, r0.yyyy", "dp4 r15, r0, r0\n    lg2 r15, r15", "mov r0, r0.wwww\n    rcp r15, r0"])
def test_equal_components_are_none(line: str):
    for source in texts(line):
        assert [finding for finding in check_sources([source]).findings if finding.severity != NOTE] == []


def test_both_languages_give_the_same_words():
    first, second = (assemble_sources([source]) for source in texts("lg2 r15, r0"))
    assert first.encoded.words == second.encoded.words
    assert first.diagnostics == second.diagnostics == ()


def test_a_binary_has_no_intention():
    """The bits of a selector that an instruction does not read are those of another instruction that shares its descriptor."""
    data = assemble_sources([texts("lg2 r15, r0")[0]]).data
    assert data is not None
    assert "P061" not in [finding.code for finding in check_shbin(data, "a.shbin").findings]
    shared = PICASSO.replace("LINE", "mov r15, r0\n    rcp r15.w, r0.w\n    mov r15.w, r15.w")
    assert "P061" not in [finding.code for finding in check_sources([("a.pica", shared)]).findings]
