"""Shaders of fewer instruction slots, and what stays."""

from __future__ import annotations

import pytest

from lanewise.direct3d9.api.services import fuzz_optimised
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION
from lanewise.direct3d9.opt.shader import RULES, least_slots, optimised_shader
from lanewise.direct3d9.sem.numbers import IEEE, rule_of
from lanewise.direct3d9.text.printer import instruction_text, plain_names
from together import together


def smaller(text: str, *rules: str) -> list[str]:
    """The statements that are left of a source, without declarations; the slots are no more than before."""
    shader = Direct3DShader.from_source(text.replace("; ", "\n")).shader
    found = optimised_shader(shader, tuple(map(rule_of, rules)) or RULES)
    assert found is not None
    made = shader._replace(items=found.items)
    assert shader_cost(made).total <= shader_cost(shader).total
    names = plain_names(shader.version)
    return [
        instruction_text(item, names) or ""
        for item in found.items
        if isinstance(item, Inst) and item.op.role not in (DECLARATION, DEFINITION)
    ]


HEAD = "vs_2_0; dcl_position v0; dcl_normal v1; dcl_texcoord v2; def c20, 1, 0, 0.5, 2; "


def test_a_factor_of_1_where_the_rule_keeps_every_bit():
    """Not of an input, which may be a signalling NaN, and not where 0 times anything is 0; what rounds again asks neither."""
    text = HEAD + "mul r2, v1, v1; mul r0, r2, c20.x; mov oPos, r0; mov oT0, r0"
    assert smaller(text, IEEE) == ["mul r2, v1, v1", "mov oPos, r2", "mov oT0, r2"]
    assert len(smaller(text)) == 4
    assert len(smaller(text.replace("r2, c20.x", "v1, c20.x"), IEEE)) == 3
    assert smaller(HEAD + "mul r0, v1, c20.x; dp4 oPos, r0, c1") == ["dp4 oPos, v1, c1"]


@together(
    ("text", "left"),
    [
        pytest.param("mul r0, v1, c0; mov oPos, v0", ["mov oPos, v0"], id="dead"),
        pytest.param("mov r0, v0; mov oPos, r0", ["mov oPos, v0"], id="copy"),
        pytest.param("mov r0, -v0.wzyx; add oPos, r0.xxyy, c1", ["add oPos, -v0.wwz, c1"], id="copy with sign and order"),
        pytest.param("mul r0, v0, c0; add oPos, r0, v0", ["mad oPos, v0, c0, v0"], id="product and sum"),
        pytest.param(
            "mul r0, v0, c0; add oPos, r0, v1", ["mul r0, v0, c0", "add oPos, r0, v1"], id="two inputs are one too many"
        ),
        pytest.param(
            "dp4 r0.x, v0, c0; dp4 r0.y, v0, c1; dp4 r0.zw, v0, c2; mov oPos, r0",
            ["dp4 oPos.x, v0, c0", "dp4 oPos.y, v0, c1", "dp4 oPos.zw, v0, c2"],
            id="result",
        ),
        pytest.param(
            "rcp r0.x, v0.w; rcp r1.y, v0.w; mul oPos, v0, r0.x; mul oT0, v2, r1.y",
            ["rcp r0.x, v0.w", "mul oPos, v0, r0.x", "mul oT0, v2, r0.x"],
            id="twice",
        ),
        pytest.param(
            "mul r0, c20.z, c20.w; add r1, r0, c20.w; mul oPos, v0, r1.x", ["mul oPos, v0, c20.z"], id="results of constants"
        ),
        pytest.param("pow oPos, c20.x, c20.w", ["mov oPos, c20.x"], id="a cheaper copy of a constant"),
        pytest.param(
            "dp3 r0.x, v1, c0; mov r0.xy, r0.x; mul oPos, v0, r0.xyxy",
            ["dp3 r0.x, v1, c0", "mul oPos, v0, r0.x"],
            id="in place",
        ),
        pytest.param(
            "add r0, v0, c0; mul r0, r0, c1; add r0, r0, v0; mul oPos, r0, r0.w",
            ["add r0, v0, c0", "mad r0, r0, c1, v0", "mul oPos, r0, r0.w"],
            id="product and sum in one register",
        ),
        pytest.param("mov oPos, v0; ret; mul oPos, v0, c0", ["mov oPos, v0", "ret"], id="behind ret"),
        pytest.param(
            "mov r0, v0; if b0; mov r0, v1; endif; mov oPos, r0",
            ["mov r0, v0", "if b0", "mov r0, v1", "endif", "mov oPos, r0"],
            id="one branch",
        ),
        pytest.param(
            "mov r0, c20; rep i0; add r0, r0, v1; mul r2, v1, v1; endrep; mov oPos, r0",
            ["mov r0, c20", "rep i0", "add r0, r0, v1", "endrep", "mov oPos, r0"],
            id="loop",
        ),
    ],
)
def test_what_is_left(text: str, left: list[str]):
    assert smaller(HEAD + text) == left


PS = "ps_2_0; def c20, 1, 0, 0.5, 2; def c21, 0, -0, 0, 0; dcl t0; dcl v0; dcl_2d s0; "
END = "; mov oC0, r0"


@together(
    ("text", "left"),
    [
        pytest.param(
            "mov r0.xyz, -c2; mov r0.w, c3; add r0, r0, v0",
            "add r0.xyz, -c2, v0; add r0.w, c3, v0",
            id="an operand that copies fill",
        ),
        pytest.param(
            "dp3 r0, v0, t0; mov r1.x, c1.x; mov r1.yzw, c21.y; add r0, r0, r1; max r0, r0, r0.x",
            "dp3 r0, v0, t0; add r0.x, r0, c1.x; max r0, r0, r0.x",
            id="the sum with -0 of a part",
        ),
        pytest.param(
            "texld r0, t0, s0; mad r1.xyz, v0, c1, v0; mov r1.w, c20.x; mul r0, r0, r1; mul r0, r0, v0",
            "texld r0, t0, s0; mad r1.xyz, v0, c1, v0; mul r0.xyz, r0, r1; mul r0, r0, v0",
            id="a factor of 1 in a part, which the next product rounds",
        ),
        pytest.param(
            "texld r0, t0, s0; mul r1.xyz, v0, c1; mov r1.w, c20.x; mul r0, r0, r1",
            "texld r0, t0, s0; mul r1.xyz, v0, c1; mov r1.w, c20.x; mul r0, r0, r1",
            id="a factor of 1 of a texture, which may be a signalling NaN",
        ),
        pytest.param(
            "texld r0, t0, s0; mad r0.y, r0.y, c1.x, v0.w; mul r1.x, v0.x, v0.y; mad r0.x, r0.x, c1.x, v0.w; min r0, r0, r1.x",
            "texld r0, t0, s0; mad r0.xy, r0, c1.x, v0.w; mul r1.x, v0.x, v0.y; min r0, r0, r1.x",
            id="components that are computed alike",
        ),
        pytest.param(
            "texld r0, t0, s0; mad r0.y, r0.y, c1.x, v0.w; mad r0.x, r0.y, c1.x, v0.w",
            "texld r0, t0, s0; mad r0.y, r0.y, c1.x, v0.w; mad r0.x, r0.y, c1.x, v0.w",
            id="one after another",
        ),
        pytest.param(
            "texld r0, t0, s0; mul r1.x, r0.x, c1.x; frc r0.z, r0.x; add r2.w, r0.z, r1.x; frc r1.x, r0.y; mul r0, v0, r1.x; "
            "mul r0, r0, r2.w",
            "texld r0, t0, s0; frc r3.xz, r0.yzxw; mad r2.w, r0.x, c1.x, r3.z; mul r0, v0, r3.x; mul r0, r0, r2.w",
            id="components that are computed alike, in other registers",
        ),
        pytest.param(
            "mul r0, v0, v0.w; mul r1, r0, t0; rcp r0.x, t0.x; mul r1, r1, r0.x; mul r0, v0, v0.w; min r0, r0, r1",
            "mul r2, v0, v0.w; mul r1, r2, t0; rcp r0.x, t0.x; mul r1, r1, r0.x; min r0, r2, r1",
            id="a value that a free register keeps",
        ),
        pytest.param(
            "rcp r0.x, t0.w; mov r0.z, c1.z; mad r0.y, r0.x, r0.z, -c2.x; mul r0.z, r0.x, c1.z; mul r1.w, r0.z, r0.y; "
            "mul r0, v0, r0.z; mul r0, r0, r1.w",
            "rcp r0.x, t0.w; mul r2.yz, r0.x, c1.z; add r0.y, r2, -c2.x; mul r1.w, r2.z, r0.y; mul r0, v0, r2.z; "
            "mul r0, r0, r1.w",
            id="a product inside a mad",
        ),
        pytest.param(
            "add r0.xy, t0, c0; mov r1.x, r0.x; add r1.y, r0.y, -c2.x; texld r0, r0, s0; texld r1, r1, s0; add r0, r0, r1",
            "add r0.xy, t0, c0; texld r2, r0, s0; add r0.y, r0.y, -c2.x; texld r1, r0, s0; add r0, r2, r1",
            id="a vector that is completed where its part is",
        ),
        pytest.param(
            "cmp r1.x, t0.x, c20.y, c20.x; cmp r1.y, t0.y, c20.y, c20.x; add r1.x, r1.x, r1.y; "
            "cmp r1.x, -r1.x, c20.y, c20.x; cmp r1.y, t0.z, c20.y, c20.x; add r1.x, r1.x, r1.y; cmp r0, -r1.x, v0, c20.y",
            "cmp r2.xyz, t0, c20.y, c20.x; add r1.x, r2.x, r2.y; add r1.x, r1.x, r2.z; cmp r0, -r1.x, v0, c20.y",
            id="flags that are only asked whether they are above 0",
        ),
    ],
)
def test_pixel_shaders(text: str, left: str):
    assert smaller(PS + text + END) == [*left.split("; "), "mov oC0, r0"]


def test_a_copy_is_read_with_a_swizzle_that_the_version_has():
    """The components that the reader does not read are those of the copy: ps_2_0 has no .xyzx."""
    text = "ps_2_0; dcl t0.xy; mov r0.xy, c0; mad r0.xy, t0, r0, t0; mov r0.zw, c1; mov oC0, r0"
    assert smaller(text) == ["mad r0.xy, t0, c0, t0", "mov r0.zw, c1", "mov oC0, r0"]


def test_a_copy_of_a_constant_stays_where_its_reader_would_read_two():
    text = "vs_3_0; dcl_position v0; dcl_position o0; mov r0, c0; mad o0, v0, r0, c1"
    assert smaller(text) == ["mov r0, c0", "mad o0, v0, r0, c1"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("tex t0; mul r0.xyz, t0, c0; mov r0.w, v0", ["tex t0", "mul r0.xyz, t0, c0", "+mov r0.w, v0"]),
        ("mov r0.w, v0; mul_x2 r0.xyz, v0, c0", ["mov r0.w, v0", "+mul_x2 r0.xyz, v0, c0"]),
        ("mul r0.xyz, v0, c0; mov r0.w, r0.z", ["mul r0.xyz, v0, c0", "mov r0.w, r0.z"]),  # needs the result
        ("dp4 r0.xyz, v0, c0; mov r0.w, v0", ["dp4 r0.xyz, v0, c0", "mov r0.w, v0"]),  # takes both units
        (
            "mul r1.xyz, v0, c0; mov r1.w, v0; mul r0.xyz, v0, r1; +mov r0.w, r1",
            ["mul r1.xyz, v0, c0", "+mov r1.w, v0", "mul r0.xyz, v0, r1", "+mov r0.w, r1"],
        ),
        (
            "mul r1.xyz, v0, c0; mov r1.w, v0; mov r0.xyz, r1; mov r0.w, r1",
            ["mul r1.xyz, v0, c0", "+mov r1.w, v0", "mov r0.xyz, r1", "+mov r0.w, r1"],
        ),
    ],
)
def test_pairs_of_the_colour_and_the_alpha_unit(text: str, left: list[str]):
    assert smaller("ps_1_2; " + text) == left


def test_numbers_of_a_limited_range_are_not_copied():
    text = "ps_1_4; mov r1, c0; mov r0, r1"
    assert smaller(text) == ["mov r1, c0", "mov r0, r1"]


def test_components_that_nothing_reads_are_no_reason_to_change_a_shader():
    text = HEAD + "mul r0, v0, c0; min oPos, r0.x, c1"
    assert smaller(text) == ["mul r0, v0, c0", "min oPos, r0.x, c1"]


def test_random_shaders_leave_the_same_bits():
    found = [fuzz_optimised.compare(7, number, "native") for number in range(3)]
    assert [each.difference for each in found] == [None] * 3
    assert any(each.lanes for each in found)


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("vs_2_0; dcl_position v0; mov oPos, v0; mov oT0.x, v0; mov oT0.y, v0.y", 2),
        ("vs_2_0; dcl_position v0; mov oPos, v0; if b0; mov oD0, v0; endif", 1),
        ("vs_3_0; dcl_position v0; dcl_position o0; dcl_color o1; mov o0, v0; loop aL, i0; mov o1, v0; endloop", 1),
        ("ps_1_4; texld r0, t0; mov r1, r0; mov r0, r1", 1),
        ("ps_2_0; dcl t0; mov r0, t0; mov oC0, r0; mov oDepth, t0.x", 2),
        ("ps_2_0; dcl t0; texkill t0; mov oC0, t0", 0),
    ],
)
def test_the_fewest_slots_are_one_for_each_output_that_every_path_writes(text: str, least: int):
    shader = Direct3DShader.from_source(text.replace("; ", "\n"))
    assert least_slots(shader.shader, shader.flow) == least
