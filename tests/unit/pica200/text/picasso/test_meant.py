"""Statements that are written otherwise: what they are meant to be, with edits that assemble."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.editing import chosen, edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together

HEAD = """.fvec table[4], other[4]
.ivec count
.bool lit
.constf k(0.0, 1.0, -1.0, 0.5)
.out outpos position
.in inpos
"""


def errors(text: str) -> list[Diagnostic]:
    return [each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.severity == ERROR]


def main(line: str) -> str:
    return f"{HEAD}.proc main\n\t{line}\n\tmov outpos, inpos\n\tend\n.end\n"


def repaired(text: str) -> str:
    _, by_file = chosen(errors(text), likely=True)
    return edited(text, by_file["a.v.pica"])


@together(
    ("line", "meant"),
    [
        ("sub r0, r1, r2", "add r0, r1, -r2"),
        ("sub r0, r1, -r2", "add r0, r1, r2"),
        ("mov r0, 1.0", "mov r0, k.y"),
        ("mul r0, r1, -0.5", "mul r0, -k.w, r1"),
        ("fma r0, r1, r2, r3", "mad r0, r1, r2, r3"),
        ("dad r0, r1, r2", "add r0, r1, r2"),
        ("floor r0, r1", "flr r0, r1"),
        ("mov a0.xy, r0", "mova a0.xy, r0"),
        ("mov r0 r1", "mov r0, r1"),
        ("mov r0,, r1", "mov r0, r1"),
        ("mov r0.x. r1", "mov r0.x, r1"),
        ("mov r0,x, r1", "mov r0.x, r1"),
        ("mov r0x, inpos", "mov r0.x, inpos"),
        ("mov outposxy, inpos", "mov outpos.xy, inpos"),
        ("mov outpos .x, inpos", "mov outpos.x, inpos"),
        ("mov ro, inpos", "mov r0, inpos"),
        ("mov r0, +inpos", "mov r0, inpos"),
        ("mov r0, - inpos", "mov r0, -inpos"),
        ("mov r0, (inpos)", "mov r0, inpos"),
        ("mov r0, \u2212inpos", "mov r0, -inpos"),
        ("mov r0, table(2)", "mov r0, table[2]"),
        ("mov r0, table[2", "mov r0, table[2]"),
        ("mov r0, table[2.xy", "mov r0, table[2].xy"),
        ("mov r0, table[a0.x", "mov r0, table[a0.x]"),
        ("mov r0, table.xy[2]", "mov r0, table[2].xy"),
        ("mov r0, c[5]", "mov r0, c5"),
        ("mov r0, 0x3f000000", "mov r0, k.w"),
        ("seq r0.x, r1, r2", "sge r15.x, r1, r2\n\tsge r14.x, r2, r1\n\tmul r0.x, r15, r14"),
        ("sgt r0, r1, k", "slt r0, k, r1"),
        ("if_gt r0.x, k.w\n\tnop\n\t.end", "cmp k.w, lt, lt, r0.x\n\tifc cmp.x"),
        ("arl a0.x, r0.x", "mova a0.x, r0.x"),
        ("jmp end", "end"),
        ("for i = 0; i < 3; i++\n\tnop\n\t.end", "for count_;"),
        ("mov r0, c[a0.x + 4].xy", "mov r0, c4[a0.x].xy"),
        ("mov r0, c[4+a0.y]", "mov r0, c4[a0.y]"),
        ("mov r0, c[a0.x]", "mov r0, c0[a0.x]"),
        ("cmp r0, >=, <, r1", "cmp r0, ge, lt, r1"),
        ("cmp r0, gte, less, r1", "cmp r0, ge, lt, r1"),
        ("cmp r0, r1, ge, lt", "cmp r0, ge, lt, r1"),
        ("cmp r0.x, lt, r1.x", "cmp r0.x, lt, lt, r1.x"),
        ("cmp r0.x, lt, k.w", "cmp k.w, gt, gt, r0.x"),
        ("ifu not lit\n\tnop\n\t.end", "ifu lit\n\t.else"),
        ("l:\tjmp !cmp.x, l", "jmpc !cmp.x, l"),
        ("l:\tjmp lit, l", "jmpu lit, l"),
        ("l:\tjmpc not cmp.x, l", "jmpc !cmp.x, l"),
        ("l:\tjmpc cc.x, l", "jmpc cmp.x, l"),
        ("again\n\tjmpc cmp.x, again", "again:\n"),
    ],
)
def test_an_instruction(line: str, meant: str):
    first, *_ = errors(main(line))
    assert bool(first.edits) == bool(meant)
    if meant:
        fixed = repaired(main(line))
        assert f"\t{meant}" in fixed
        assert not errors(fixed)


@together(
    ("line", "meant"),
    [
        ("alias name r0", ".alias name r0"),
        (".ailas name r0", ".alias name r0"),
        (".alias name = r0", ".alias name r0"),
        (".alias name as r0", ".alias name r0"),
        (".alias r0 name", ".alias name r0"),
        (".constf name 1.0, 2.0, 3.0, 4.0", ".constf name(1.0, 2.0, 3.0, 4.0)"),
        (".constf name{1.0f, 2.0f, 3.0f, 4.0f}", ".constf name(1.0, 2.0, 3.0, 4.0)"),
        (".constf name = (1.0, 2.0, 3.0, 4.0)", ".constf name(1.0, 2.0, 3.0, 4.0)"),
        (".uniform name", ".fvec name"),
        ("#define name r0", ".alias name r0"),
        (".vec4 name", ".fvec name"),
        (".mat4 name, more[4]", ".fvec name[4], more[4]"),
        (".fvec mat3 name", ".fvec name[3]"),
        (".constf name(1.0, 2.0)", ".constf name(1.0, 2.0, 0.0, 0.0)"),
        (".fvec name(3)", ".fvec name[3]"),
        (".fvec name(3), more[2]", ".fvec name[3], more[2]"),
        (".out name colour", ".out name color"),
        (".out texcoord0 name", ".out name texcoord0"),
        (".out name texcoord", ".out name texcoord0"),
    ],
)
def test_a_declaration_is_one_finding(line: str, meant: str):
    """Its names are known from there on."""
    use = "mov r1, name" if "out" not in line else "mov name, inpos"
    text = f"{HEAD}{line}\n.proc main\n\t{use}\n\tmov outpos, inpos\n\tend\n.end\n"
    (finding,) = errors(text)
    assert finding.edits
    fixed = repaired(text)
    assert f"\n{meant}\n" in fixed
    assert not errors(fixed)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("dot r0, r1, r2", ["dp4 r0, r1, r2", "dp3 r0, r1, r2"]),
        ("mov r0, tabel[0]", ["mov r0, table[0]"]),
    ],
)
def test_what_may_mean_several_things_has_a_fix_for_each(line: str, meant: list[str]):
    (finding,) = errors(main(line))
    each = [finding.edits, *[other.edits for other in finding.alternatives]]
    assert [edited(main(line), edits) for edits in each] == [main(text) for text in meant]
    taken, _ = chosen([finding])
    assert bool(taken) == (len(meant) == 1)


def test_a_name_that_nothing_uses_is_meant_first():
    names = ".alias bone1 r1\n.alias bone2 r2\n"
    for unused, used in ((1, 2), (2, 1)):
        text = f"{names}{main(f'mov r0, bone{used} ; bone{unused}{chr(10)}{chr(9)}mov r0, bone')}"
        (finding,) = errors(text)
        assert f"mov r0, bone{unused}\n" in edited(text, finding.edits)


@pytest.mark.parametrize(
    ("constants", "meant"),
    [
        (".constf a(1.0, 0.0, 0.0, 0.0)\n.constf b(-1.0, 0.0, 0.0, 0.0)\n", "b.x"),
        (".constf a(1.0, 1.0, 1.0, 1.0)\n.constf b(-1.0, 0.0, 0.0, 0.0)\n", "b.x"),
        (".constf a(1.0, 1.0, 1.0, 1.0)\n.constf b(-1.0, -1.0, -1.0, -1.0)\n", "b"),
        (".constf a(1.0, 0.0, 0.0, 0.0)\n", "-a.x"),
    ],
)
def test_a_number_is_a_constant_of_its_sign(constants: str, meant: str):
    text = f".out o position\n{constants}.proc main\n\tmov o, -1.0\n\tend\n.end\n"
    (finding,) = errors(text)
    assert f"mov o, {meant}\n" in edited(text, finding.edits)


@pytest.mark.parametrize("line", ["mov r0, r1, r2", "mov r0, pos, pos", "mov r0, inpos.xyk"])
def test_nothing_is_offered_where_nothing_can_be_told(line: str):
    first, *_ = errors(main(line))
    assert not first.edits


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        (
            "if (r1.x < 0.5) {",
            "write `cmp k.w, gt, gt, r1.x`, then `ifc cmp.x`, and `.end` where it ends",
        ),
        ("if (r1.x >= r0.x) {", "write `cmp r1.x, ge, ge, r0.x`, then `ifc cmp.x`, and `.end` where it ends"),
        ("ifc r1.x == r0.x", "write `cmp r1.x, eq, eq, r0.x`"),
    ],
)
def test_a_condition_with_a_comparison_is_two_instructions(line: str, fix: str):
    (finding,) = errors(main(f"{line}\n\tnop\n\t}}" if "{" in line else f"{line}\n\tnop\n\t.end"))
    assert finding.fix.startswith(fix)


def test_a_called_procedure_returns_by_its_end():
    """`end` in its place would end the shader; where nothing is called it is what is meant."""
    text = main("call part").replace(".proc main", ".proc part\n\tret\n.end\n.proc main")
    (finding,) = errors(text)
    assert finding.fix == "remove it: the `.end` of a procedure returns to where it was called"
    assert not errors(repaired(text)) and "\n\t; ret\n" in repaired(text)
    assert errors(main("ret"))[0].fix == "write `end`"


def test_no_output_is_a_normal():
    (finding,) = errors(f".out n normal\n{main('mov n, inpos')}")
    assert "a quaternion" in finding.fix and not finding.edits and finding.span.text[finding.span.column - 1 :] == "normal"


def test_readings_are_few():
    text = "".join(f"\tmov r0 k{n}\n" for n in range(2000))
    found = errors(f"{HEAD}.proc main\n{text}\tend\n.end\n")
    assert len(found) >= 2000


def test_a_label_above_instructions_begins_a_procedure():
    text = main("nop").replace(".proc main", "main:")
    (finding,) = errors(text)
    assert finding.code == "P002" and finding.related
    assert repaired(text) == main("nop")


def test_instructions_outside_a_procedure_are_one_finding():
    found = errors(f"{HEAD}\tnop\n\tnop\n.proc main\n\tmov outpos, inpos\n\tend\n.end\n")
    assert [(each.code, each.span.line) for each in found] == [("P002", 7)]


@pytest.mark.parametrize(("line", "closing"), [("foo r1", ""), ("foo o0", ""), ("fro lights", ".end\n"), ("ifd b0", ".end\n")])
def test_an_unknown_word_begins_a_block_only_of_what_has_one(line: str, closing: str):
    """Otherwise an instruction that does not exist is reported as a procedure without an end, too."""
    text = f".ivec lights\n.out o position\n.in i\n.proc main\nmov o, i\n{line}\n{closing}end\n.end\n"
    assert [finding.code for finding in errors(text)] == ["P001"]
