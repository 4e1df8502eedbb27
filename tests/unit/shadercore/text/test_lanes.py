"""Statements of languages of lanes, such as PTX: each fix is followed until the line assembles."""

from __future__ import annotations

import pytest

from lanewise.shadercore.text.reader import read_source_text

HEAD = ".input v0 position\n.output o0 position\n"


def assembled(line: str) -> list[str]:
    """The lines that the fixes give in the end."""
    lines = [line]
    for _ in range(4):
        body = "\n".join(lines)
        findings = read_source_text(f"{HEAD}{body}\nend\n", "a.sc").diagnostics
        if not findings:
            return lines
        found = findings[0]
        row = found.span.line - HEAD.count("\n") - 1
        span = found.span
        if "`" in found.fix and "`--input" not in found.fix:
            lines[row : row + 1] = [each for each in found.fix.split("`")[1::2] if each not in ("slt", "sge")]
        else:
            operand = found.fix.removeprefix("write ").partition(":")[0]
            lines[row] = lines[row][: span.column - 1] + operand + lines[row][span.column - 1 + span.length :]
    raise AssertionError(f"{line} is not assembled: {lines}")


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("mul.rn.f32 r0.x, v0.x, v0.y", "mul r0.x, v0.x, v0.y"),
        ("add.ftz.f32 %f1, %f2, -%f3", "add r0.y, r0.z, -r0.w"),
        ("rcp.approx.ftz.f32 %f33, %f4", "rcp x0.y, r1.x"),
        ("MUFU.RCP r0.x, r1.x", "rcp r0.x, r1.x"),
        ("vadd.f32 s0, s1, s2", "add r0.x, r0.y, r0.z"),
        ("vmul.f32 q0, q1, q2", "mul r0.xyzw, r1.xyzw, r2.xyzw"),
        ("mulss xmm0, xmm1", "mul r0.x, r0.x, r1.x"),
        ("vmulps ymm0, ymm1, ymm2", "mul r0.xyzw, r1.xyzw, r2.xyzw"),
        ("fadd.s fa0, fa1, fa2", "add r0.x, r0.y, r0.z"),
        ("s_mov_b32 s1, 0", "mov r0.y, 0"),
        ("movaps xmm0, xmm1", "mov r0.xyzw, r1.xyzw"),
        ("mul_x2 r0.x, v0.x, v0.y", "mul r0.x, v0.x, v0.y; add r0.x, r0.x, r0.x"),
        ("med3 r0.x, v0.x, v0.y, v0.z", "max r0.x, v0.x, v0.y; min r0.x, r0.x, v0.z"),
        ("mov(r0.x, v0.x)", "mov r0.x, v0.x"),
        ("inc r0.x", "add r0.x, r0.x, -(-1)"),
        ("sqr r0.x, v0.x", "mul r0.x, v0.x, v0.x"),
        ("swap r0.x, r1.x", "mov r2.x, r0.x; mov r0.x, r1.x; mov r1.x, r2.x"),
        ("mul r0.x, v0.x; v0.y", "mul r0.x, v0.x, v0.y"),
        ("mov %f1, v0.x", "mov r0.y, v0.x"),
        ("setp.gt.f32 %p1, %f1, %f2", "slt x6.y, r0.z, r0.y"),
        ("setp.eq.f32 %p1, %f1, %f2", "sge x6.y, r0.y, r0.z; sge r1.y, r0.z, r0.y; mul x6.y, x6.y, r1.y"),
        ("selp.f32 r0.x, r1.x, r2.x, r3.x", "add r0.x, r1.x, -r2.x; mul r0.x, r0.x, r3.x; add r0.x, r0.x, r2.x"),
        ("movc r0.x, r3.x, r1.x, -r2.x", "add r0.x, r1.x, r2.x; mul r0.x, r0.x, r3.x; add r0.x, r0.x, -r2.x"),
        ("@r0.x mov o0.x, v0.x", "mov r1.x, v0.x; add r1.x, r1.x, -o0.x; mul r1.x, r1.x, r0.x; add o0.x, o0.x, r1.x"),
        ("@!%p1 mov.f32 %f1, v0.x", "mov r7.y, v0.x; add r0.y, r0.y, -r7.y; mul r0.y, r0.y, x6.y; add r0.y, r0.y, r7.y"),
    ],
)
def test_lines_to_write(line: str, instead: str):
    assert assembled(line) == instead.split("; ")


@pytest.mark.parametrize("name", ["%laneid", "%tid.x", "threadIdx.x", "gl_VertexID", "SV_VertexID"])
def test_numbers_of_lanes_are_inputs(name: str):
    [found] = read_source_text(f"{HEAD}cnv_u32_to_f o0.x, {name}\nend\n", "a.sc").diagnostics
    assert "declare `.input v7 texcoord3`" in found.fix
    assert "write v7.x" in found.fix
    assert not read_source_text(f"{HEAD}.input v7 texcoord3\nmov o0.x, v7.x\nend\n", "a.sc").diagnostics


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("add.s32 r0.x, v0.x, v0.y", "write `add r0.x, v0.x, v0.y`: numbers are float32, there are no integers"),
        ("@%p1 bra LOOP", "the core has no jumps"),
        ("atom.add r0.x, r1.x", "the core has no memory that lanes share"),
        ("shfl.sync.bfly.b32 r0.x, r1.x, 1", "a lane does not see the values of others"),
        ("bar.sync 0", "remove it: lanes run in step"),
        (".target sm_50", "remove it"),
        ("%5 = OpFMul %float %3 %4", "this is SPIR-V or LLVM as text"),
        ("movaps xmm0, [rax]", "the core has no loads and stores"),
        ("mov r0.x = v0.x", "write a comma in the place of ="),
        ("mov o0.xyzw, (1, 0, 0, 1)", "with `.const c8 (1, 0, 0, 1)`"),
        ("mov o0.xyzw, {1, 0, 0, 1}", "with `.const c8 (1, 0, 0, 1)`"),
        ("mov o0.xyz1, v0.xyz1", "name components only, .xyz"),
        (".def c0 1, 2, 3, 4", "write .const c0 (1, 2, 3, 4)"),
        (".const 0 (1, 2, 3, 4)", "write .const c0 (1, 2, 3, 4)"),
        (".const c0 = vec4(1.0)", "write .const c0 (1.0, 1.0, 1.0, 1.0)"),
        ("popcnt r0.x, v0.x", "give it as an input"),
        (".param .f32 x", "declare what a vertex brings with `.input v0 position`"),
    ],
)
def test_what_the_core_does_not_have(line: str, fix: str):
    [found] = read_source_text(f"{HEAD}{line}\nend\n", "a.sc").diagnostics
    assert fix in found.fix
