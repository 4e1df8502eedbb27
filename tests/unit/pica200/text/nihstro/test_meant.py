"""Lines of nihstro's language that are written otherwise: what they are meant to be, with edits that assemble."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.editing import chosen, edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together

HEAD = (
    ".alias table c0-c3\n.alias lamp b0\n.alias k c95 as (0.0, 1.0, -1.0, 0.5)\n.alias outpos o0 as position\n.alias inpos v0\n"
)


def errors(text: str) -> list[Diagnostic]:
    return [each for each in assemble_sources([("a.vsh", text)]).diagnostics if each.severity == ERROR]


def main(line: str) -> str:
    return f"{HEAD}main:\n    {line}\n    mov outpos, inpos\n    end\n"


@together(
    ("line", "meant"),
    [
        ("sub r0, r1, r2", "add r0, r1, -r2"),
        ("mov r0 = r1", "mov r0, r1"),
        ("cmp r0.x, lt, r1.x", "cmp r0.xx, r1.xx, <, <"),
        ("cmp r0.x >= r1.x", "cmp r0.xx, r1.xx, >=, >="),
        ("if lamp jmp out\nout:", "jmp out if lamp\nout:"),
        ("loop i0\n    mov r0, table[i0]\n    nop\n    endloop", "loop i0\n    mov r0, table[lcnt]\n    nop\n    endloop"),
        ("fma r0, r1, r2, r3", "mad r0, r1, r2, r3"),
        ("dad r0, r1, r2", "add r0, r1, r2"),
        ("dot r0, r1, r2", "dp4 r0, r1, r2"),  # dst is spelt like it
        ("dot r0, r1.xyz, r2.xyz", "dp3 r0, r1.xyz, r2.xyz"),
        ("dp r0, r1, r2", "dp4 r0, r1, r2"),
        ("mov r0 r1", "mov r0, r1"),
        ("mov r0,, r1", "mov r0, r1"),
        ("mov r0, (r1)", "mov r0, r1"),
        ("mov r0, table[2", "mov r0, table[2]"),
        ("mov r0.rgb, r1.rgb", "mov r0.xyz, r1.xyz"),
        ("cmp r0.xy, <, <, r1.xy", "cmp r0.xy, r1.xy, <, <"),
        ("cmp r0.xy, r1.xy, lt, lt", "cmp r0.xy, r1.xy, <, <"),
        ("ifu lamp\n    nop\n    endif", "if lamp"),
        ("ifc cc.x\n    nop\n    endif", "if cc.x"),
        ("if cmp.x\n    nop\n    endif", "if cc.x"),
        ("if lamp\n    nop\n    .end", "if lamp\n    nop\n    endif"),
        ("if lamp\n    nop\n    end if", "if lamp\n    nop\n    endif"),
        ("if lamp\n    nop\n    fi", "if lamp\n    nop\n    endif"),
        ("loop i0\n    nop\n    end_loop", "loop i0\n    nop\n    endloop"),
        ("loop i0\n    nop\n    next", "loop i0\n    nop\n    endloop"),
        ("loop i0\n    nop\n    endrep", "loop i0\n    nop\n    endloop"),
        ("if lamp {\n    nop\n    } else {\n    nop\n    }", "if lamp\n    nop\n    else\n    nop\n    endif"),
        ("if lamp:\n    nop\n    else:\n    nop\n    endif", "if lamp\n    nop\n    else\n    nop\n    endif"),
        ("mov r0, r1 /* a */", "mov r0, r1 // a"),
        ("/* a\n    b */", "// a\n    // b"),
    ],
)
def test_a_line(line: str, meant: str):
    _, by_file = chosen(errors(main(line)), likely=True)
    fixed = edited(main(line), by_file["a.vsh"])
    assert f"    {meant}\n" in fixed
    assert not errors(fixed)


@together(
    ("line", "meant"),
    [
        (".alias name c4..c7", ".alias name c4-c7"),
        (".alias name c[4-7]", ".alias name c4-c7"),
        (".alias name[4] c4", ".alias name c4-c7"),
        (".uniform name c4:c7", ".alias name c4-c7"),
        (".alias name c4 = (0, 1, 2, 3)", ".alias name c4 as (0, 1, 2, 3)"),
        (".alias name c4 as (0, 1, 2)", ".alias name c4 as (0, 1, 2, 0.0)"),
    ],
)
def test_registers_as_others_name_them(line: str, meant: str):
    text = f"{line}\n{main('mov r0, name')}"
    (finding,) = errors(text)
    fixed = edited(text, finding.edits)
    assert fixed.startswith(f"{meant}\n")
    assert not errors(fixed)


def test_names_of_an_unknown_directive_are_not_reported():
    (finding,) = errors(f".vertexattrib inpos2 3\n{main('mov r0, inpos2')}")
    assert finding.message == "unknown directive '.vertexattrib'"


@pytest.mark.parametrize("line", ["alias name v1", ".ailas name v1", ".alias name = v1", ".alias v1 name"])
def test_a_declaration_is_one_finding(line: str):
    text = f"{line}\n{main('mov r0, name')}"
    (finding,) = errors(text)
    fixed = edited(text, finding.edits)
    assert fixed.startswith(".alias name v1\n")
    assert not errors(fixed)


@pytest.mark.parametrize(
    ("call", "meant"), [("sub until sub_ed", "sub until sub_end"), ("sbu until sub_end", "sub until sub_end")]
)
def test_the_ends_of_a_call_are_in_order(call: str, meant: str):
    """The names that are as similar, `sub_e` in front of the call and `sbu_` after its end, are not meant."""
    text = f"{HEAD}sub_e:\nmain:\n    call {call}\n    end\nsub:\n    mov outpos, inpos\nsub_end:\nsbu_:\n    nop\n"
    (finding,) = errors(text)
    fixed = edited(text, finding.edits)
    assert f"    call {meant}\n" in fixed
    assert not errors(fixed)
