"""Fixes with the statement's own operands and numbers, each of which is followed."""

from __future__ import annotations

import pytest

from lanewise.shadercore.isa.table import FILES
from lanewise.shadercore.text.reader import read_source_text


@pytest.mark.parametrize(
    ("line", "code", "fix"),
    [
        ("mul r0, v0, c0", "P206", "write `mul r0.xyzw, v0.xyzw, c0.xyzw`, or `mul r0.x, v0.x, c0.x` for one component"),
        ("mul r0.xyz, v0, c0.x", "P206", "write `mul r0.xyz, v0.xyz, c0.x`"),
        ("mul r0, v0.xy, c0.x", "P206", "write `mul r0.xy, v0.xy, c0.x`"),
        ("mov_sat r0.xy, abs(v0)", "P206", "write `mov_sat r0.xy, abs(v0.xy)`"),
        ("mov r0.x, v0.xyzw", "P208", "write `mov r0.x, v0.x`"),
        ("add r0.xyz, v0.xyz, -c0.wzyx", "P208", "write `add r0.xyz, v0.xyz, -c0.wzy`"),
        (
            "mov r0.xy, r0.yx",
            "P209",
            "write to another register, `mov r1.xy, r0.yx`, and read .xy from r1 after it: .zw are still in r0",
        ),
        (".const c0 = {1.0, 0.5}", "P210", "write .const c0 (1.0, 0.5, 0, 0)"),
        (".const c3 vec4(1, 2, 3, 4)", "P210", "write .const c3 (1, 2, 3, 4)"),
        (".const c0 (1, 2, 3, 4, 5)", "P210", "write .const c0 (1, 2, 3, 4)"),
        (".const c[7] (1f, 2.5f, 3, 4)", "P205", "write .const c7 (1, 2.5, 3, 4)"),
        (".const pi (3.14, 0, 0, 0)", "P205", "write .const c1 (3.14, 0, 0, 0)"),
        (".hash FFFFFFFF", "P212", "write .hash 0xFFFFFFFF"),
        (".word 1400280c0", "P212", "write .word 0x00000001400280C0"),
        (".const c0 (1 2 3 4)", "P212", "write .const c0 (1, 2, 3, 4)"),
        (".const float4 c300 = (1, 2, 3, 4)", "P210", "write .const c1 (1, 2, 3, 4)"),
    ],
)
def test_a_line_to_write(line: str, code: str, fix: str):
    before = "" if " c0" in line else ".const c0 (0, 0, 0, 0)\n"
    [found] = read_source_text(f"{before}{line}\nend\n", "a.sc").diagnostics
    assert (found.code, found.fix) == (code, fix)
    instead = fix.split("`")[1] if "`" in fix else fix.removeprefix("write ")
    assert not read_source_text(f"{before}{instead}\nend\n", "a.sc").diagnostics


@pytest.mark.parametrize(
    ("named", "instead"),
    [
        (["R1", "r2", "r3"], "`mov r4.xy, r0.yx`, and read .xy from r4 after it: .zw are still in r0"),
        (["r1", "r3", "r7"], "`mov r2.xy, r0.yx`, and read .xy from r2 after it: .zw are still in r0"),
        (
            [f"r{n}" for n in range(FILES["r"].size)],
            "`mov r1.xy, r0.yx`, and read .xy from r1 after it: .zw are still in r0, if r1 is not read later",
        ),
    ],
)
def test_another_register_is_one_that_the_program_does_not_name(named: list[str], instead: str):
    rest = "".join([f"mov {name}.x, v0.x\n" for name in named])
    [found] = read_source_text(f"mov r0.xy, v0.xy\nmov r0.xy, r0.yx\n{rest}end\n", "a.sc").diagnostics
    assert (found.code, found.fix) == ("P209", f"write to another register, {instead}")


@pytest.mark.parametrize(
    ("number", "instead"),
    [
        ("1.0f", "1.0"),
        ('"1"', "1"),
        ("1/3", "0.333333333"),
        ("0x3F80", "0x00003F80"),
        ("inf", "0x7F800000"),
        ("pi", "3.1415927"),
        ("32'h3F800000", "0x3F800000"),
        ("'hBF80_0000", "0xBF800000"),
        ("32'd5", "5"),
        ('x"3F800000"', "0x3F800000"),
        ("0f3F800000", "0x3F800000"),
        ("$3F800000", "0x3F800000"),
        ("3F800000h", "0x3F800000"),
        ("BF800000", "0xBF800000"),
        ("0b101", "0x00000005"),
        ("1_000.5", "1000.5"),
        ("0x1.8p1", "3"),
    ],
)
def test_a_number_to_write(number: str, instead: str):
    [found] = read_source_text(f".const c0 (0, {number}, 0, 0)\nend\n", "a.sc").diagnostics
    assert (found.code, found.fix.removeprefix("write ").partition(" ")[0].rstrip(":;,")) == ("P212", instead)
    assert not read_source_text(f".const c0 (0, {instead}, 0, 0)\nend\n", "a.sc").diagnostics


def test_a_number_beyond_float32():
    [found] = read_source_text(".const c0 (1e400, 0, 0, 0)\nend\n", "a.sc").diagnostics
    assert (found.code, found.fix) == ("P212", "write a number that float32 has: 3.4028235e38 at most")


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("mov oPos.x, v0.x", "write o0, declared as `.output o0 position`"),
        ("mov r0.x, zero", "write 0"),
        ("mov r0.x, t3.x", "write r1, which is free"),
        ("mov $t0, v0.x", "write r0-r7 or x0-x6"),
        ("mov rax, v0", "write r0-r7 or x0-x6"),
        ("mov a0.x, v0.x", "the core has no address registers"),
        ("mov r01.x, v0.x", "write r1.x"),
        ("mov r0.x, position.x", "registers have no names: write v0"),
        ("mov r0.x, abs v0.x", "write abs(v0.x)"),
        ("mov r0.x, -(-v0.x)", "write v0.x"),
        ("mov r0.x, v0.x,", "remove the comma"),
        ("add r0.x, v0.x", "write `add r0.x, r0.x, v0.x` if the destination is a source too"),
        ("mul r0.x, v0.x * v0.y", "write `mul r0.x, v0.x, v0.y`: sources are separated by commas"),
        ("add r0.x, v0.x, v0.y, v0.z", "write `add r0.x, v0.x, v0.y`, then `add r0.x, r0.x, v0.z`"),
        ("fadd r0.x, v0.x, v0.y", "write `add r0.x, v0.x, v0.y`"),
        ("def c0, 1, 2, 3, 4", "write .const c0 (1, 2, 3, 4)"),
        ("vs_2_0", "this is Direct3D 9 assembly"),
        ("void main() {", "this is GLSL or HLSL"),
        ("% a comment", "begin comments with ;"),
        (".data", "remove it"),
        (".float 1.0", "write constants with .const"),
        (".input v1, position", "write .input v1 position"),
        (".input r0 normal", "write .input v0 normal"),
        (".input float4 uv", "write .input v0 texcoord"),
        (".input v0 tangent", "did you mean texcoord1?"),
        (".output o0 SV_Position", "did you mean position?"),
        ("mov v0.x, o0.x", "write `mov o0.x, v0.x`: the destination comes first"),
        ("add v0.x, v0.y, r1.x", "write `add r1.x, v0.x, v0.y`: the destination comes first"),
        ("add v0.x, r1.x", "write `add r1.x, r1.x, v0.x`: the destination comes first"),
        ("mul v0.xy, v0.xy, v1.xy", "write to another register, `mul r0.xy, v0.xy, v1.xy`, and read that after it"),
        ("xor r0.x, r0.x, r0.x", "write `mov r0.x, 0`"),
        ("eor r0.xyz, r0.xyz", "write `mov r0.xyz, 0`"),
        ("#include <x.sc>", "write what it stands for in its place"),
    ],
)
def test_habits_of_other_languages(line: str, fix: str):
    found = read_source_text(f"{line}\nend\n", "a.sc").diagnostics[0]
    assert found.fix[: len(fix)] == fix
    if fix.startswith(("write `", "write .", "write v", "write abs")) and "`" in fix:
        instead = fix.split("`")[1::2]
        assert not read_source_text("\n".join([*instead, "end", ""]), "a.sc").diagnostics


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("addi r0.x, v0.x, 4", 2),
        ("subi r0.x, v0.x, 1", 1),
        ("li r0.x, 5.5", 2),
        ("vfmadd231ss r0.x, v0.x, v0.y", 2),
        ("mulps r0, v0", 1),
        ("o0.x := v0.x + v0.y", 1),
        ("r1.x -= v0.x", 1),
        ("r1.x *= 2.0", 2),
        ("o0 = v0", 1),
        ("o0.x=v0.x", 1),
        ("o0.x = 1 - v0.x", 1),
        ("o0.x = v0.x / 4", 2),
        ("o0.x = 1.0 / v0.x", 1),
        ("o0.x = (v0.x - 0.5) * (v0.y + 3f)", 4),
        ("o0.xyz = v0.xyz * c0.x + 0x10", 3),
        ("o0.x = max(dot(v0, v1), 0.0)", 4),
        ("o0.x = v0.x >= v0.y", 1),
        ("o0.x = -(v0.x + v0.y)", 2),
        ("shl r0.x, v0.x, 8", 3),
        ("srli r0.x, v0.x, 3", 2),
        ("inc r0.x", 1),
        ("clear r0", 1),
        ("swap r0.x, r1.x", 3),
        ("itof r0.x, v0.x", 1),
        ("swz r0.xyzw, v0.wzyx", 1),
        ("mad r0, v0, c0, r1", 2),
        ("o0.x = " + "(" * 150 + "v0.x" + ")" * 150, 0),
        ("o0.x = a * b", 0),
    ],
)
def test_formulas_and_numbers_of_instructions(line: str, count: int):
    """The lines that are to be written, constants first, are read; a formula that is not known has an example."""
    before = ".const c0 (1, 2, 3, 4)\nmov r1.xyz, v0.xyz\n"
    [found] = read_source_text(f"{before}{line}\nend\n", "a.sc").diagnostics
    lines = found.fix.split("`")[1::2]
    assert found.code == "P201"
    if not count:
        assert "one instruction for each operation" in found.fix or "lanewise isa" in found.fix
        return
    assert len(lines) == count and not any(each.startswith(".const c0") for each in lines)
    assert not line.startswith("mad") or lines == ["mul r0.xyzw, v0.xyzw, c0.xyzw", "add r0.xyzw, r0.xyzw, r1.xyzw"]
    text = "\n".join(sorted(lines, key=lambda each: not each.startswith(".const")))
    assert not read_source_text(f"{before}{text}\nend\n", "a.sc").diagnostics


def test_numbers_in_several_statements_go_to_one_constant():
    found = read_source_text(
        ".const c0 (1, 2, 3, 4)\nmul r0.x, v0.x, 2.5\nadd r0.x, r0.x, #7\nmul r0.y, v0.x, 2.5\nend\n", "a.sc"
    )
    fixes = [each.fix.partition(":")[0] for each in found.diagnostics]
    assert fixes == [
        "write c1.x, with `.const c1 (2.5, 0, 0, 0)`",
        "write c1.y, with `.const c1 (2.5, 7, 0, 0)` in the place of #7",
        "write c1.x, with `.const c1 (2.5, 7, 0, 0)`",
    ]


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("movlt r0.x, v0.x", "the core has no flags"),
        ("beqz r0.x, 4", "the core has no jumps"),
        (".const c0 (1;2;3;4)", "write .const c0 (1, 2, 3, 4)"),
        ("input v1 color", "write .input v1 color"),
        ("mov r0.x, v0.x  mov r0.y, v0.y", "write one instruction on a line: `mov"),
        ("K equ 5", "write `.const c0 (5, 0, 0, 0)`, and c0.x for K"),
        ("mov r0.x, v0[1]", "write v0.y"),
        ("mov r0.x, $1", "write -(-1)"),
        ("mul r0.x, v0.x, v0.-y", "write -v0.y"),
        ("mul r0.x, v0.x, v0.y, sat", "write `mul_sat r0.x, v0.x, v0.y`"),
        ("mul r0.x_sat, v0.x, v0.y", "write r0.x, and _sat after the name of the instruction"),
        ("slt r0.x, v0.x, v0.y, v0.z", "write `slt r0.x, v0.x, v0.y`"),
        ("mov r0.xx, v0.xy", "name each component once, such as r0.xy"),
        ("mul r0.x, v0.x, !v0.y", "compute it before"),
    ],
)
def test_operands_of_other_languages(line: str, fix: str):
    [found] = read_source_text(f"{line}\nend\n", "a.sc").diagnostics
    assert found.fix.startswith(fix)
    if fix.count("`") > 1:
        assert not read_source_text(f"{fix.split('`')[1]}\nend\n", "a.sc").diagnostics
