"""Lines of picasso and of other languages in nihstro's: what they are here, with registers that are free."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together

HEAD = """.alias m c0-c3
.alias table c4-c11
.alias lone c12
.alias bright b0
.alias pos o0 as position
.alias p v0
.alias q v1
"""


def source(*lines: str, declared: str = "") -> str:
    body = "\n    ".join(["mov r0, p", *lines, "mov pos, r0", "end"])
    return f"{HEAD}{declared}\nmain:\n    {body}\npart:\n    add r0, r0, r0\n    nop\npart_end:\n    nop\n"


def found(text: str) -> list[Diagnostic]:
    made = assemble_sources([("a.vsh", text)]).diagnostics
    return [each for each in made if each.severity != NOTE]


@together(
    ("text", "written"),
    [
        (source("call part"), "call part until part_end"),
        (source("callu bright, part"), "call part until part_end if bright"),
        (source("mova a0.x, r0.x", "mov r0, table[a0.x]"), "mov r0, table[a0]"),
        (source("jmpu bright, part"), "jmp part if bright"),
        (source(declared=".fvec bones[8]"), ".alias bones c13-c20"),
        (source(declared=".in normal"), ".alias normal v2"),
        (source(declared=".out tint color"), ".alias tint o1 as color"),
        (source(declared=".constf k(1, 2, 3, 4)"), ".alias k c95 as (1, 2, 3, 4)"),
        (source("cmp r0.x, lone.x, lt, lt"), "cmp r0.xx, lone.xx, <, <"),
        (source("cmp r0, lt, gt, p"), "cmp r0.xy, p.xy, <, >"),
        (source("cmp r0, p, <"), "cmp r0.xy, p.xy, <, <"),
        (source("dp3 r0.x, p, r0"), "dp3 r0.x, p.xyz, r0.xyz"),
        (source("dp4 r0.x, m[0].xyz, r0"), "dp4 r0.x, m[0], r0"),
        (source("r0.x = r0.x - p.x"), "add r0.x, r0.x, -p.x"),
        (source("r0 = p"), "mov r0, p"),
        (source("mul r0 r0 p"), "mul r0, r0, p"),
        (source("mova a1, r0"), "mova a0.y, r0.x"),
        (source("jmp end"), "end"),
        (source("if bright == true\n    nop\n    endif"), "if bright"),
        (source(declared=".alias k c94 as 0.5"), ".alias k c94 as (0.5, 0.5, 0.5, 0.5)"),
        (source(declared=".alias k c94 as (1, 2, 3)"), ".alias k c94 as (1, 2, 3, 0.0)"),
        (source(declared=".alias k (1, 2, 3, 4)"), ".alias k c95 as (1, 2, 3, 4)"),
        (source(declared=".define k 2"), ".alias k c95 as (2, 2, 2, 2)"),
        (source(declared=".alias bones c20..c23"), ".alias bones c20-c23"),
        (source(declared=".alias bones[4] c20"), ".alias bones c20-c23"),
        (source(declared=".alias uv o1 as texcoord"), ".alias uv o1 as texcoord0"),
        (source(declared=".bool dark"), ".alias dark b1"),
        (source("mov r0, table[r0.x + 1]"), "mova a0.x, r0.x"),
    ],
)
def test_a_line_of_picasso_is_one_of_nihstro(text: str, written: str):
    (finding,) = found(text)
    new = edited(text, finding.edits)
    assert written in new and f"`{written}`" in finding.fix
    assert found(new) == []


@together(
    ("line", "fix", "instead"),
    [
        (
            "add r0, lone, table[0]",
            "write `mov r15, table[0]` above, and r15 in its place",
            "mov r15, table[0]\nadd r0, lone, r15",
        ),
        ("add r0.xyz, p.xyz, q.zyx", "`mov r15, q` above, and r15.zyx", "mov r15, q\nadd r0.xyz, p.xyz, r15.zyx"),
        ("call other", "`call other until other_end`, and the label `other_end:`", ""),
        ("mov r1.x_sat, p.x", "write r1.x alone, then `max r1.x, ZERO, r1.x`", ""),
        ("mul r0.xy, r0.xy, -0.5", "write -k0_5, or -k0_5.xyz", ""),
        ("mov p, r0", "write `mov r0, p`: the destination is first", "mov r0, p"),
        ("jmp part", "declare `.alias always b1 as true`, and write `jmp part if always`", ""),
        ("mov r0, table[r0.x]", "write `mova a0.x, r0.x` above, and [a0]", "mova a0.x, r0.x\nmov r0, table[a0]"),
        ("mov r0, p.1", "components are letters", ""),
        ("mov r0, table[2+r0.y]", "write `mova a0.x, r0.y` above, and [a0+2]", "mova a0.x, r0.y\nmov r0, table[a0+2]"),
        ("mov r0, c[r0.x]", "write `mova a0.x, r0.x` above, and c0[a0]", "mova a0.x, r0.x\nmov r0, c0[a0]"),
        ("tex r0, p", "compute without it", ""),
        ("mov_sat r1, p", "use max with the lower bound", ""),
        ("mov r1.x, p.x_neg", "write -p.x", "mov r1.x, -p.x"),
        ("if !bright", "write `if bright`, `nop`, `else`, and", ""),
        ("mov r1, abs(q)", "write `max r15, q, -q` above, and r15 in its place", "max r15, q, -q\nmov r1, r15"),
        (
            "mov r1, abs(lone)",
            "write `mov r15, lone` and `max r15, r15, -r15` above, and r15",
            "mov r15, lone\nmax r15, r15, -r15\nmov r1, r15",
        ),
        ("mov r1, lerp(p, q)", "use an instruction that computes it", ""),
        ("mov r0, vec4(1.0)", "declare `.alias NAME c95 as (x, y, z, w)`", ""),
    ],
)
def test_what_cannot_be_rewritten_has_a_fix_that_fits(line: str, fix: str, instead: str):
    first = found(source(line))[0]
    assert fix in first.fix
    if instead:
        assert found(source(*instead.split("\n"))) == []


@together(
    ("line", "declared"),
    [
        ("mov speed, p", ".alias speed r15"),
        ("mov outclr, p", ".alias outclr o1 as color"),
        ("mov r0, speed", ".alias speed c95"),
        ("mov r0, normal", ".alias normal v2"),
    ],
)
def test_an_unknown_name_is_declared_where_nothing_is(line: str, declared: str):
    (finding,) = found(source(line))
    assert finding.fix.startswith(f"declare it: {declared}")
    assert found(source(line, declared=declared)) == []


@together(
    ("declared", "fix"),
    [
        (".alias a c20-c24\n.alias b c24", "write `.alias a c20-c23`"),
        (".alias b c24-c27\n.alias a c20-c24", "write `.alias a c20-c23`"),
        (".alias b v6\n.alias a v5-v6", "write `.alias a v5`"),
        (".alias a c20-c23\n.alias last c23", ""),
        (".alias a c20-c24\n.alias second c21", ""),
        (".alias a c20-c24\n.alias b c25", ""),
    ],
)
def test_a_range_includes_its_end(declared: str, fix: str):
    told = [(each.code, each.fix) for each in found(source(declared=declared))]
    assert told == ([("V029", fix)] if fix else [])


@together(
    ("declared", "line", "fix"),
    [
        ("#define two c20", "mul r0, two, r0\n    mov r1, two", "write `.alias two c20`"),
        ("  #define two c20 // twice", "mul r0, two, r0", "write `.alias two c20`"),
        ('#include "k.inc"', "mul r0, two, r0\n    mov r1, two", 'write `.include "k.inc"`'),
        ("#include <k.inc>", "mul r0, two, r0", 'write `.include "k.inc"`'),
        ('#include "k.inc"', "mul r0, r0, r0", ""),
    ],
)
def test_lines_of_a_preprocessor_are_comments(declared: str, line: str, fix: str):
    text = source(line, declared=declared)
    told = found(text)
    assert [each.fix for each in told] == [fix] * bool(fix)
    for each in told:
        fixed = edited(text, each.edits)
        made = assemble_sources([("a.vsh", fixed)], read=lambda path: ".alias two c20\n")
        assert not made.diagnostics


def test_a_number_is_a_constant_with_a_register_that_is_free():
    (finding,) = found(source("mul r0, r0, 0.5"))
    assert "declare `.alias k0_5 c95 as (0.5, 0.5, 0.5, 0.5)`, and write k0_5" in finding.fix
    assert found(source("mul r0, k0_5, r0", declared=".alias k0_5 c95 as (0.5, 0.5, 0.5, 0.5)")) == []


def test_a_number_that_a_constant_has_is_that_component():
    (finding,) = found(source("mul r0.xy, r0.xy, -0.5", declared=".alias k c95 as (0.0, 1.0, 0.5, 2.0)"))
    assert finding.fix == "write -k.zz: the number is in it"
    assert found(source("mul r0.xy, r0.xy, -k.zz", declared=".alias k c95 as (0.0, 1.0, 0.5, 2.0)")) == []


def test_a_called_part_returns_by_its_label():
    (finding,) = found(source("call part until part_end").replace("    nop\npart_end", "    ret\npart_end"))
    assert finding.fix == "remove it: a call returns at its until label"


@together(
    ("declared", "fix"),
    [
        (".alias bones c30[4]", "write `.alias bones c30-c33` for 4 registers, or `.alias bones c34` for that one"),
        (".alias bone c30[1]", "write `.alias bone c31` for that one"),
        (".alias k c30[4] as (0, 1, 2, 3)", "write `.alias k c34` for that one"),
        (".alias row m[1]", ""),
    ],
)
def test_an_index_is_no_size(declared: str, fix: str):
    told = [(each.code, each.fix) for each in found(source(declared=declared))]
    assert told == ([("P067", fix)] if fix else [])
