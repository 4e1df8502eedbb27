"""Sources in another language are one finding, and forms whose meaning is clear are warnings."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, WARNING
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from together import together

AEMSTRO = """; setup constants
    .const 5, 0.0, 0.0, 1.0, 1.0
    .out o0, result.position
    .uniform c0, c3, projection
    .vsh vmain, end_vmain
vmain:
    mov o0, v0 (0x0)
    flush
    end
end_vmain:
    .opdesc xyzw, xyzw, xyzw ; 0x0
"""
NIHSTRO = "// a comment\n.alias pos o0 as position\nmain:\n    mov pos, v0\n    if b0\n    nop\n    endif\n    end\n"
PICASSO = ".out pos position\n.proc main\n    mov pos, v0\n    end\n.end\n"


def codes(assembly: Assembly) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in assembly.diagnostics if finding.severity in (ERROR, WARNING)]


@pytest.mark.parametrize("name", ["test.vsh", "test.pica", "test.gsh", "test.asm"])
@pytest.mark.parametrize("compatible", [False, True])
def test_an_aemstro_source_is_named_as_such(name: str, compatible: bool):
    made = assemble_sources([(name, AEMSTRO)], compatible=compatible)
    assert codes(made) == [("P074", ERROR)]
    assert "aemstro" in made.diagnostics[0].message
    assert made.data is None


@pytest.mark.parametrize("line", [".const 5, 0.0, 0.0, 1.0, 1.0", ".out o0, result.position", ".opdesc xyzw, xyzw, xyzw"])
def test_one_line_of_aemstro_is_a_mistake_in_a_source(line: str):
    assert "P074" not in [code for code, _ in codes(assemble_sources([("a.pica", line + "\n" + PICASSO)]))]


@pytest.mark.parametrize(
    ("name", "text", "dialect", "language"),
    [("a.v.pica", NIHSTRO, "", "nihstro"), ("a.txt", NIHSTRO, "picasso", "nihstro"), ("a.vsh", PICASSO, "nihstro", "picasso")],
)
def test_a_source_in_the_other_language_is_one_finding_with_the_option(name: str, text: str, dialect: str, language: str):
    made = assemble_sources([(name, text)], dialect=dialect)
    assert codes(made) == [("P074", ERROR)]
    assert f"--dialect {language}" in made.diagnostics[0].fix


def test_one_line_of_the_other_language_is_a_mistake_in_a_source():
    """picasso's `.proc` in place of a label, whose edit is offered; and nihstro's comment in picasso's language."""
    (finding,) = assemble_sources([("a.vsh", NIHSTRO.replace("main:", ".proc main"))]).diagnostics
    assert finding.code == "P003"
    assert [edit.text for edit in finding.edits] == ["main:"]
    for made in (
        assemble_sources([("a.vsh", NIHSTRO.replace("main:", ".proc main"))], dialect="nihstro"),
        assemble_sources([("a.pica", PICASSO.replace("    end", "    // note\n    end"))], dialect="picasso"),
    ):
        assert "P074" not in [code for code, _ in codes(made)]


def test_a_source_that_assembles_is_in_its_language():
    """Comments and labels as nihstro writes them are not enough."""
    assert assemble_sources([("a.vsh", NIHSTRO)]).data is not None
    strange = PICASSO.replace("mov", "label: mov").replace(".out", "; // note\n.out")
    assert assemble_sources([("a.pica", strange)]).data is not None


@together(
    ("line", "found"),
    [
        (".setb b0, true", [("P023", WARNING)]),
        (".setf c4, (1, 2, 3, 4)", [("P023", WARNING)]),
        (".seti i1, (1, 2, 3, 4)", [("P023", WARNING)]),
        (".setb b0,true", [("P010", ERROR)]),
        (".bool flag\n.setb flag, true", [("P025", ERROR)]),
        (".setb b0x, true", [("P023", ERROR)]),
        (".constf c4(1, 2, 3, 4)", [("P041", WARNING)]),
        (".consti i1(1, 2, 3, 4)", [("P041", WARNING)]),
        (".constfa c4[]\n.constfa (1, 2, 3, 4)\n.end", [("P041", WARNING)]),
        (".constf r4(1, 2, 3, 4)", [("P041", ERROR)]),
        (".fvec c4", [("P041", ERROR)]),
        (".in v3", [("P041", ERROR)]),
        (".out o3 color", [("P041", ERROR)]),
        (".in v3 v3", []),
        (".in v0", []),
        (".out o1 color", []),
        (".fvec c0[4]", []),
    ],
)
def test_forms_of_a_clear_meaning(line: str, found: list[tuple[str, str]]):
    made = assemble_sources([("a.pica", PICASSO.replace(".proc", line + "\n.proc"))])
    assert codes(made) == found


def test_clear_forms_mean_what_they_say():
    """picasso writes the same bytes for both; those with a warning too."""
    for loose, strict in (
        (".setb b0, true", ".setb b0 true"),
        (".setf c4, (1, 2, 3, 4)", ".setf c4 (1, 2, 3, 4)"),
        (".constf c4(1, 2, 3, 4)", ".constf k(1, 2, 3, 4)"),
    ):
        one, other = (
            assemble_sources([("a.pica", PICASSO.replace(".proc", line + "\n.proc"))]).data for line in (loose, strict)
        )
        assert one == other


@together("form", ["{:6}\t{}", "{} {}", "{}: {}", "{:3} | {}", "{:03}.{}"])
@together(("name", "source"), [("a.v.pica", PICASSO), ("a.vsh", NIHSTRO)])
def test_a_listing_with_line_numbers_is_one_finding(form: str, name: str, source: str):
    lines = source.rstrip("\n").split("\n")
    text = "\n".join([form.format(n, line) for n, line in enumerate(lines, 9)]) + "\n"
    made = assemble_sources([(name, text)])
    assert codes(made) == [("P075", ERROR)]
    without = edited(text, made.diagnostics[0].edits)
    assert [line.strip() for line in without.split("\n")] == [line.strip() for line in source.split("\n")]


def test_lines_with_other_numbers_are_not_a_listing():
    lines = PICASSO.rstrip("\n").split("\n")
    for numbers in ([1, 2, 4, 5, 6], [1, 1, 1, 1, 1]):
        text = "\n".join([f"{n} {line}" for n, line in zip(numbers, lines, strict=True)])
        assert "P075" not in [code for code, _ in codes(assemble_sources([("a.pica", text)]))]
    assert "P075" not in [code for code, _ in codes(assemble_sources([("a.pica", "1 nop\n2 end")]))], "too few"
