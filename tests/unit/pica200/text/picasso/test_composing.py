"""Statements as languages with operators write them: the instructions that compute the same, which assemble."""

from __future__ import annotations

import math

import lanewise as lw
from lanewise.core.diagnostics import ERROR, NOTE
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together

HEAD = """.fvec table[8], m[4], lone
.ivec count
.bool lit
.constf k(0.0, 1.0, 0.5, 2.0)
.out outpos position
.out outclr color
.in inpos
.in other
"""


def main(*lines: str) -> str:
    body = "\n    ".join(lines)
    return f"{HEAD}.proc main\n    mov r0, inpos\n    mov r1, inpos\n    {body}\n    mov outpos, r0\n    end\n.end\n"


def followed(text: str) -> tuple[str, str]:
    """The text with the edits of its first finding, which is an error, and what is written then in its line."""
    first = next(each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.severity == ERROR)
    assert first.edits, first
    new = edited(text, first.edits)
    rest = [each for each in assemble_sources([("a.v.pica", new)]).diagnostics if each.severity != NOTE]
    assert not rest, rest
    return new, first.fix


@together(
    ("line", "written"),
    [
        ("r0 = r1 + inpos", ["add r0, r1, inpos"]),
        ("r0 += lone", ["add r0, lone, r0"]),
        ("r0.xyz = r1.xyz * 2.0 - inpos.xyz", ["mad r0.xyz, r1.xyz, k.w, -inpos.xyz"]),
        ("mov r0 = r1", ["mov r0, r1"]),
        ("mov r0, r1 - r0", ["add r0, r1, -r0"]),
        ("mov r0, lone / 2", ["mov r15, k", "mul r0, lone, r15.z"]),
        ("mov r0, -(r1 + r0)", ["add r15, r1, r0", "mov r0, -r15"]),
        ("mul r0, r1, 2 * inpos", ["mul r15, k.w, inpos", "mul r0, r1, r15"]),
        ("mov r0, vec4(1.0)", ["mov r0, k.y"]),
        ("mov r0, float4(0, 1, 0.5, 2)", ["mov r0, k"]),
        ("mov r0, {1.0, 2.0, 3.0, 4.0}", ["mov r0, values"]),
        ("mov r0, vec4(r1.xyz, 1.0)", ["mov r0.xyz, r1.xyz", "mov r0.w, k.y"]),
        ("mov outclr, m * inpos", [f"dp4 outclr.{c}, m[{i}], inpos" for i, c in enumerate("xyzw")]),
        ("m4x4 outclr, inpos, m", [f"dp4 outclr.{c}, m[{i}], inpos" for i, c in enumerate("xyzw")]),
        ("r0.x = dot(r1.xyz, lone.xyz)", ["dp3 r0.x, lone.xyz, r1.xyz"]),
        ("add r0, lone, table[0]", ["mov r15, table[0]", "add r0, lone, r15"]),
        ("add r0, inpos, other.wzyx", ["mov r15, other", "add r0, inpos, r15.wzyx"]),
        ("add r0, r1, r0, inpos", ["add r15, r1, r0", "add r0, r15, inpos"]),
        ("mad r0, r1, inpos", ["mad r0, r1, inpos, r0"]),
        ("add r0, r1", ["add r0, r0, r1"]),
        ("inc r0.x", ["add r0.x, k.y, r0.x"]),
        ("mov r0, #1", ["mov r0, k.y"]),
        ("mov r0, true", ["mov r0, k.y"]),
        ("mov r0, max(r1, 0.0)", ["mov r15, k", "max r0, r1, r15.x"]),
        ("rcp r0.xy, r1.xy, inpos.yx", ["rcp r15.x, inpos.y", "rcp r15.y, inpos.x", "mul r0.xy, r1.xy, r15"]),
        ("float x = r1.x * r1.y", ["mul x, r1.x, r1.y"]),
        ("mov r0.x_sat, r1", ["mov r15, r1", "max r14.x, k.x, r15", "min r0.x, k.y, r14"]),
        ("mov r0, r1.x_abs", ["max r0, r1.x, -r1.x"]),
        ("mov r0, other_bias", ["add r0, -k.z, other"]),
        ("mov r0, r1.y_x2", ["mul r0, k.w, r1.y"]),
        ("mov r0, clamp(r1, 0.25, 0.75)", ["max r15, const0_25__0_75.x, r1", "min r0, const0_25__0_75.y, r15"]),
        ("cmp r0.x < 0.5", ["cmp k.z, gt, gt, r0.x"]),
        ("cmp.ge r0.x, lone.x", ["cmp lone.x, le, le, r0.x"]),
    ],
)
def test_a_formula_is_instructions(line: str, written: list[str]):
    new, fix = followed(main(line))
    at = new.index("mov r1, inpos\n") + 14
    assert [each.strip() for each in new[at:].split("\n")[: len(written)]] == written
    assert all(f"`{each}`" in fix for each in written)


@together(
    ("lines", "written"),
    [
        (["if (r0.x < 1.0) {", "nop", ".end"], ["cmp k.y, gt, gt, r0.x", "ifc cmp.x"]),
        (["ifc r0.x >= r1.y", "nop", ".end"], ["cmp r0.x, ge, ge, r1.y", "ifc cmp.x"]),
        (["ifc cmp.x == false", "nop", ".end"], ["ifc !cmp.x"]),
        (["jlt r0.x, r1.x, on", "nop", "on:"], ["cmp r0.x, lt, lt, r1.x", "jmpc cmp.x, on"]),
        (["goto on", "nop", "on:"], ["jmpu always, on"]),
    ],
)
def test_a_comparison_is_two_instructions(lines: list[str], written: list[str]):
    new, _ = followed(main(*lines))
    at = new.index("mov r1, inpos\n") + 14
    assert [each.strip() for each in new[at:].split("\n")[: len(written)]] == written


def _minus(a: list[float], b: list[float]) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]


A, B, C = [0.75, 2.0, 0.25], [0.5, -1.5, 1.0], [1.0, 0.5, 0.125]
DOT = sum(x * y for x, y in zip(A, B, strict=True))


@together(
    ("text", "value"),
    [
        ("a - b", _minus(A, B)),
        ("-abs(b)", [-abs(x) for x in B]),
        ("saturate(a)", [0.75, 1.0, 0.25]),
        ("clamp(b, c, a)", [0.75, 0.5, 0.25]),
        ("fract(b)", [0.5, 0.5, 0.0]),
        ("ceil(b)", [1.0, -1.0, 1.0]),
        ("mix(a, b, c)", [x + (y - x) * z for x, y, z in zip(A, B, C, strict=True)]),
        ("lrp(c, b, a)", [x + (y - x) * z for x, y, z in zip(A, B, C, strict=True)]),
        ("normalize(a)", [x / math.hypot(*A) for x in A]),
        ("cross(a, b)", [A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0]]),
        ("length(a)", [math.hypot(*A)] * 3),
        ("distance(a, b)", [math.dist(A, B)] * 3),
        ("sign(b)", [1.0, -1.0, 1.0]),
        ("step(a, b)", [0.0, 0.0, 1.0]),
        ("reflect(b, a)", [y - 2 * DOT * x for x, y in zip(A, B, strict=True)]),
        ("b / a", [y / x for x, y in zip(A, B, strict=True)]),
        ("sqrt(a)", [math.sqrt(x) for x in A]),
        ("pow(a, b)", [x**y for x, y in zip(A, B, strict=True)]),
        ("mod(a, c)", [x % z for x, z in zip(A, C, strict=True)]),
        ("inversesqrt(a)", [x**-0.5 for x in A]),
    ],
)
def test_a_function_is_what_it_computes(text: str, value: list[float]):
    source = ".out o position\n.in a\n.in b\n.in c\n.proc main\n    mov o.xyz, {}\n    mov o.w, a.w\n    end\n.end\n"
    new, _ = followed(source.format(text))
    program = lw.assemble(new, name="a.v.pica").vertex
    found = program.run(inputs={"a": [A], "b": [B], "c": [C]}).outputs["position"][0][:3]
    assert all(math.isclose(x, y, rel_tol=1e-3, abs_tol=1e-3) for x, y in zip(found, value, strict=True)), (new, found, value)


@together(
    ("lines", "written"),
    [
        (["ifu !lit", "nop", ".end"], ["ifu lit", ".else"]),
        (["ifu lit == 1", "nop", ".end"], ["ifu lit"]),
        (["if not lit", "nop", ".end"], ["ifu lit", ".else"]),
        (["ifu r0.x", "nop", ".end"], ["cmp k.x, ne, ne, r0.x", "ifc cmp.x"]),
        (["ifc !(cmp.x && cmp.y)", "nop", ".end"], ["ifc !cmp.x || !cmp.y"]),
        (["ifc cmp.x and cmp.y", "nop", ".end"], ["ifc cmp.x && cmp.y"]),
        (["ifc cmp", "nop", ".end"], ["ifc cmp.x"]),
        (["for i in count", "nop", ".end"], ["for count"]),
        (["for (i = 0; i < 8; i++)", "nop", ".end"], ["for count_; i < 8; i++)"]),
        (["for i0, 8", "nop", ".end"], ["for count_"]),
        (["loop 8", "nop", ".end"], ["for count_"]),
        (["jmpc on, cmp.x", "nop", "on:"], ["jmpc cmp.x, on"]),
        (["mov -r0, r1"], ["mov r0, -r1"]),
        (["mova r0, r1"], ["mov r0, r1"]),
        (["mov r0, table[0x2]"], ["mov r0, table[2]"]),
        (["mov r0, table[]"], ["mov r0, table[0]"]),
        (["mov r0, table{3}"], ["mov r0, table[3]"]),
        (["mov r0, table3"], ["mov r0, table[3]"]),
        (["mov r0->x, r1"], ["mov r0.x, r1"]),
        (["mov r0.[xy], r1"], ["mov r0.xy, r1"]),
        (['mov r0, "r1"'], ["mov r0, r1"]),
        (["mov %r0, %r1"], ["mov r0, r1"]),
        (["mov outclr, vertex.other"], ["mov outclr, other"]),
        (["mov r0, gl_Vertex"], ["mov r0, inpos"]),
        (["mov result.color, r1"], ["mov outclr, r1"]),
        (["-- a note"], ["; a note"]),
    ],
)
def test_another_form_is_this_one(lines: list[str], written: list[str]):
    new, _ = followed(main(*lines))
    at = new.index("mov r1, inpos\n") + 14
    assert [each.strip() for each in new[at:].split("\n")[: len(written)]] == written


@together(
    ("lines", "fix"),
    [
        (
            ["for table", "nop", ".end"],
            "table is a float uniform, which arithmetic reads: declare `.ivec NAME`, and write `for NAME`",
        ),
        (["for r0.x", "nop", ".end"], "declare `.ivec count`, and write `for count`"),
        (["mov r0, count"], "count is an integer uniform, which `for` reads: declare a `.fvec` for a value"),
        (["mov r0, b0"], "b0 is a boolean uniform"),
        (["mov lone, r0"], "set lone in the application, or write the result to a temporary"),
        (["mov table[a0.x], r0"], "write table by its number"),
        (["mov r0, cmp.x"], "use `slt` or `sge`"),
        (["mov r0, a0.x"], "keep the number in a temporary too"),
        (["mov r0, table[a0.x*3]"], "multiply by 3 before `mova`"),
        (["mov r0, table[a0.x-1]"], "subtract 1 before `mova`"),
        (["mov r0, table[a0.x+a0.y]"], "add them before `mova`"),
        (["mov r0, table[count]"], "write table[aL] between `for count` and its `.end`"),
        (["mov r0, table[-1]"], "offsets are 0 and up"),
        (["mov r0, c5[-1]"], "write c4"),
        (["mov r0, r1.0"], "components are letters"),
        (["ifc lt", "nop", ".end"], "`cmp A, lt, lt, B`"),
        (["ifu lit && b1", "nop", ".end"], "`ifu lit`, then `ifu b1`, each with `.end`"),
        (["mov r0"], "write `mov r0, SRC`"),
        (["cmp r0, r1"], "write `cmp r0, lt, lt, r1`"),
        (["jmpc on", "on:"], "write `jmpc cmp.x, on`"),
        (["mov r0, r1 @ note"], "begin comments with `;`"),
    ],
)
def test_what_cannot_be_rewritten_has_a_fix_that_fits(lines: list[str], fix: str):
    (finding,) = [each for each in assemble_sources([("a.v.pica", main(*lines))]).diagnostics if each.severity == ERROR]
    assert fix in finding.fix


def test_a_uniform_of_another_kind_is_declared_as_the_right_one():
    text = main("for lone", "nop", ".end").replace(".fvec table[8], m[4], lone", ".fvec table[8], m[4]\n.fvec lone")
    new, fix = followed(text)
    assert "\n.ivec lone\n" in new and fix.endswith("declare it `.ivec lone`")


def test_an_array_that_is_too_short_is_one_finding():
    lines = [f"dp4 outclr.{c}, lone[{i}], inpos" for i, c in enumerate("xyzw")]
    (finding,) = [each for each in assemble_sources([("a.v.pica", main(*lines))]).diagnostics if each.severity != NOTE]
    assert finding.fix == "declare lone[4]"
    fixed = main(*lines).replace("lone\n", "lone[4]\n", 1)
    assert not [each for each in assemble_sources([("a.v.pica", fixed)]).diagnostics if each.severity != NOTE]
