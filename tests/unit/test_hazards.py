"""Hazards of structure: found where they are, silent where they are not, bounded on odd programs."""

from __future__ import annotations

import pytest

from lanewise.api.assembling import assemble_sources


def findings(text: str) -> list[tuple[str, int]]:
    result = assemble_sources([("x.pica", text)])
    return [(d.code, d.span.line) for d in result.diagnostics]


def procedures(*bodies: str) -> str:
    return (
        "".join(f".proc p{n}\n{body}\n\tnop\n.end\n" for n, body in enumerate(bodies)) + ".proc main\n\tcall p0\n\tend\n.end\n"
    )


@pytest.mark.parametrize(("depth", "found"), [(4, False), (5, True)])
def test_calls_nest_four_deep(depth: int, found: bool):
    text = procedures(*[f"\tcall p{n + 1}" for n in range(depth - 1)], "\tnop")
    assert ("V075" in [code for code, _ in findings(text)]) is found


def test_recursion_is_found_once_and_ends():
    text = procedures("\tcall p1", "\tcall p0")
    assert [code for code, _ in findings(text)].count("V076") == 1


def test_a_long_chain_of_calls_is_no_trouble():
    count = 2000
    text = ".gsh point c0\n" + procedures(*[f"\tcall p{n + 1}" for n in range(count - 1)], "\tnop")
    assert "V075" in [code for code, _ in findings(text)]


def test_a_right_program_is_not_reported():
    text = (
        ".ivec n\n.bool b\n.in p\n.in q\n.out o position\n.out c color\n.proc sub\n\tmov r1, q\n.end\n.proc main\n\tmova a0.x, p\n"
        "\tmov r0, p\n\tmova a0.y, p\n\tfor n\n\t\tadd r0, r0, r1\n\t\tbreakc cmp.x\n\t\tnop\n\t.end\n\tifu b\n\t\tcall sub\n\t\tnop\n\t.end\n"
        "\tifu b\n\t\tmov o.xy, r0\n\t.else\n\t\tmov o.xy, r1\n\t.end\n\tmov o.zw, r0\n\tmov c, r1\n\tend\n.end\n"
    )
    assert findings(text) == []


def test_mova_in_both_arms_is_not_in_a_row():
    arms = ".bool b\n.in p\n.proc main\n\tifu b\n\t\tmova a0.x, p\n\t.else\n\t\tmova a0.x, p.y\n\t.end\n\tend\n.end\n"
    assert findings(arms) == []
    assert ("V070", 6) in findings(arms.replace("\t.else\n", ""))


def test_break_in_a_procedure_that_a_loop_calls():
    text = (
        ".ivec n\n.proc leave\n\tbreakc cmp.x\n\tnop\n.end\n.proc main\n\tfor n\n\t\tcall leave\n\t\tnop\n\t.end\n\tend\n.end\n"
    )
    assert findings(text) == [("V072", 3)]
    assert findings(text.replace("\tfor n\n", "\tifu b0\n")) == [("V071", 3)]


def test_both_arms_may_write_an_output():
    text = (
        ".bool b\n.in p\n.out o position\n.proc main\n\tifu b\n\t\tmov o, p\n\t.else\n\t\tmov o, p.yxzw\n\t.end\n\tend\n.end\n"
    )
    assert findings(text) == []


def test_limits_of_memory():
    vertex = ".proc main\n" + "\tnop\n" * 512 + "\tend\n.end\n"
    assert ("V041", 514) in findings(vertex)
    geometry = ".gsh point c0\n" + vertex.replace("\tnop\n" * 512, "\tnop\n" * 4096)
    assert [code for code, _ in findings(geometry)] == ["V041"]
    assert assemble_sources([("x.g.pica", geometry)]).data is None
    assert assemble_sources([("x.g.pica", ".nonop\n" + geometry)]).data is not None  # words as they stand in a file
    assert assemble_sources([("x.v.pica", vertex)]).data is None
