"""Operands and blocks as other languages write them: one finding, which says what is wrong and what to write."""

from __future__ import annotations

import pytest

from lanewise.pica200.api.assembling import assemble_sources
from together import together

HEAD = ".fvec bones[8]\n.in pos\n.out o position\n.proc main\n"


def findings(body: str) -> list[tuple[str, int, str, str]]:
    made = assemble_sources([("a.v.pica", f"{HEAD}{body}\nmov o, pos\nend\n.end\n")])
    return [(finding.code, finding.span.line - 4, finding.message, finding.fix) for finding in made.diagnostics]


@together(
    ("line", "code", "said", "fix"),
    [
        (
            "mul r0, r1, 0.5",
            "P025",
            "'0.5' is a number",
            "(0.5, 0.5, 0.5, 0.5)`, and write `mul r0, const0_5, r1`",
        ),
        ("mov r0, -2", "P025", "'-2' is a number", ".constf constm2(-2, -2, -2, -2)`, and write `mov r0, constm2`"),
        ("mov r0, 1.0f", "P025", "'1.0f' is a number", ".constf const1_0(1.0, 1.0, 1.0, 1.0)`, and write"),
        ("mov r0, bones[0][a0.x]", "P031", "two indices", "bones[a0.x]"),
        ("mov r0, bones[2][a0.x].x", "P031", "two indices", "bones[a0.x+2]"),
        ("mov r0, bones[1][2]", "P023", "'[2]' is ignored", "bones[3]"),
        ("mov r0, bones[aL][2]", "P023", "'[2]' is ignored", "bones[aL+2]"),
        ("mov r0, bones.x[a0.x]", "P020", "index after its components", "bones[a0.x].x"),
        ("mov r0 r1", "P010", "missing comma between 'r0' and 'r1'", "write `mov r0, r1`"),
        ("add r0, r1 r2", "P010", "missing comma between 'r1' and 'r2'", "write `add r0, r1, r2`"),
        ("cmp r0, lt, lt r1", "P010", "missing comma between 'lt' and 'r1'", "write `cmp r0, lt, lt, r1`"),
        ("mov r0, pos pos", "P025", "unknown register 'pos pos'", "commas"),
        ("mov r0, abs(r1)", "P025", "no functions", "max r0, r1, -r1"),
        ("mov r0.x, sqrt(r1.x)", "P025", "no functions", "write `rsq r15.x, r1.x`, then `rcp r0.x, r15.x`"),
        ("mov r0, sin2(r1)", "P025", "no functions", "use an instruction"),
        ("mov r0, saturate(r1)", "P025", "no functions", "`max r15, const0__1.x, r1`, then `min r0, const0__1.y, r15`"),
        ("mov r0, #2", "P025", "'#2' is a number", ".constf"),
        ("mul.sat r0, r1, r1", "P001", "unknown instruction 'mul.sat'", "write `mul r15, r1, r1`, then `max r14, "),
        ("mul_sat r0, r1", "P001", "unknown instruction 'mul_sat'", "results are not saturated"),
        ("jlt there", "P001", "unknown instruction 'jlt'", "jumps read the flags of `cmp`"),
        ("tex r0, r1", "P001", "unknown instruction 'tex'", "do not read textures"),
        ("fsub r0, r1, r2", "P001", "unknown instruction 'fsub'", "write `add r0, r1, -r2`"),
        ("mov r0, |r1|", "P025", "no absolute value", "max r0, r1, -r1"),
        ("mov r0, vec4(1, 2, 3, 4)", "P011", "mov has 2 operands", "declare `.constf values(1, 2, 3, 4)`"),
        ("mov r0, -(r1)", "P025", "in parentheses", "write `mov r0, -r1`"),
        ("mov r0, +r1", "P025", "begins with a plus", "write `mov r0, r1`"),
        ("mov r0, pos*pos", "P025", "is an expression", "write `mul r0, pos, pos`"),
        ("mov r0, pos // note", "P008", "'//' does not begin a comment", "begin comments with `;`"),
        ("mov r0, r1.xyk", "P020", "'k' is not a component", "letters xyzw"),
    ],
)
def test_operands(line: str, code: str, said: str, fix: str):
    ((found, number, message, advice),) = findings(line)
    assert (found, number) == (code, 1)
    assert said in message
    assert fix in advice


@pytest.mark.parametrize(
    "body",
    [
        "if cmp.x\nmov r0, r1\nelse\nmov r0, r2\nendif",
        "if b0\nmov r0, r1\n.else\nmov r0, r2\n.end",
        "if b0\nif b1\nnop\nelse\nnop\nendif\nendif",
        "loop i0\nmov r0, r1\nendloop",
        "rep i0\nmov r0, r1\nendrep",
    ],
)
def test_a_block_of_another_language_is_reported_where_it_begins(body: str):
    found = findings(body)
    assert {code for code, _, _, _ in found} == {"P001"}
    assert len(found) == max(1, body.count("if b"))
    assert found[0][1] == 1


@pytest.mark.parametrize(
    ("body", "line"), [("ifc cmp.x\nnop\nendif", 3), ("for i0\nnop\nendloop", 3), ("ifu b0\nnop\nelse\nnop\n.end", 3)]
)
def test_the_end_of_a_block_as_another_language_writes_it_is_one_finding(body: str, line: int):
    ((code, number, _, fix),) = findings(body)
    assert (code, number) == ("P001", line)
    assert ".e" in fix


def test_an_end_without_a_block_does_not_close_the_procedure():
    assert [(code, line) for code, line, _, _ in findings("endif")] == [("P001", 1)]


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("nrm r0, r1", "`dp3 r15, r1, r1`, then `rsq r15, r15.x`, then `mul r0, r1, r15`"),
        ("crs r0, r1, r2", "`mul r15, r1.zxyw, r2.yzxw`, then `mad r0, r1.yzxw, r2.zxyw, -r15`"),
        ("texld r0, pos", "do not read textures"),
    ],
)
def test_instructions_of_direct3d(line: str, fix: str):
    ((code, _, _, advice),) = findings(line)
    assert code == "P001"
    assert fix in advice


def test_flags_by_the_name_of_their_instruction():
    made = assemble_sources([("a.vsh", "main:\nif cmp.x\nnop\nendif\nend\n")])
    (finding,) = made.diagnostics
    assert finding.fix == "write `if cc.x`"
