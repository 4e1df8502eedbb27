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
