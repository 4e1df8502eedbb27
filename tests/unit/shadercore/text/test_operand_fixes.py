"""Fixes that have the operands of the statement, and that say what the public hardware lacks."""

from __future__ import annotations

import pytest

from lanewise.shadercore.text.reader import read_source_text

HEAD = ".const c0 (5, 5, 5, 5)\n"


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("xor r3.x, v0.x, v0.y", ["add r3.x, v0.x, -v0.y", "mov r3.x, abs(r3.x)"]),
        ("not r3.x, v0.x", ["add r3.x, -(-1), -v0.x"]),
        ("round r3.x, -v0.x", ["add r3.x, -v0.x, c1.x", ".const c1 (0.5, 0, 0, 0)", "frc r0.x, r3.x", "add r3.x, r3.x, -r0.x"]),
        ("cmp r3.x, v0.x, v0.y", ["slt r3.x, v0.x, v0.y", "sge r3.x, v0.x, v0.y"]),
        ("m3x3 r3.xyz, v0, c4", ["mul r0.xyz, v0.xyz, c4.xyz", "add r0.x, r0.x, r0.y", "add r3.x, r0.x, r0.z"]),
        (
            "m4x4 o0, v0, c4",
            ["mul r0.xyzw, v0.xyzw, c4.xyzw", "add r0.x, r0.x, r0.y", "add r0.x, r0.x, r0.z", "add o0.x, r0.x, r0.w"],
        ),
        ("f_to_u32 r3.x, v0.x", ["rnd_sint16ne r3.x, v0.x"]),
        ("unpack r3.x, v0.x", ["cnv_u32_to_f r3.x, v0.x", "mul r3.x, r3.x, c1.x", ".const c1 (0.003921569, 0, 0, 0)"]),
    ],
)
def test_lines_with_the_operands_of_the_statement(line: str, lines: list[str]):
    [found] = read_source_text(f"{HEAD}{line}\nend\n", "a.sc").diagnostics
    written = [each for each in found.fix.split("`")[1::2] if " " in each and not each.startswith("lanewise")]
    assert written == lines
    assert not read_source_text(f"{HEAD}{chr(10).join(written)}\nend\n", "a.sc").diagnostics


@pytest.mark.parametrize(
    ("line", "lacked"),
    [
        ("sqrt r0.x, v0.x", "rsq is right in the first 4 vertices of 16 on rtl"),
        ("r0.x = sqrt(v0.x)", "rsq is right"),
        ("pow r0.x, v0.x, v0.y", "exp gives 0.0 on rtl and log gives 0.0 on rtl"),
        ("div r0.x, v0.x, v0.y", ""),
    ],
)
def test_what_the_public_hardware_lacks(line: str, lacked: str):
    [found] = read_source_text(f"{line}\nend\n", "a.sc").diagnostics
    assert ("on rtl" in found.fix) == bool(lacked) and lacked in found.fix


@pytest.mark.parametrize(
    ("operand", "fix"),
    [
        ("v0.x v0.y", "write v0.xy: components follow one dot"),
        ("v0.x v1.y", "separate operands by commas, v0.x, v1.y"),
        ("[r0].xy", "name each register"),
    ],
)
def test_operands_without_a_comma(operand: str, fix: str):
    [found] = read_source_text(f"mov o0.xy, {operand}\nend\n", "a.sc").diagnostics
    assert found.code == "P204" and found.fix.startswith(fix)


def test_a_mask_of_one_bit():
    from lanewise.shadercore.api.checking import check_program
    from lanewise.shadercore.isa.devices import RTL

    program = read_source_text(".input v0 position\nand o0.x, v0.x, 1\nend\n", "a.sc").program
    assert program is not None
    found = [each for each in check_program(program, RTL, "a.sc") if each.code in ("V214", "V242")]
    assert [each.code for each in found] == ["V242"] and "write 0x00000001 for c0.x in .const" in found[0].fix
