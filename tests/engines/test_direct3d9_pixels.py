"""Pixel shaders: arithmetic of ps_1_x, what looks at other pixels, what stops a pixel, and textures that the caller
provides."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from direct3d9_runs import close, run, shader_of
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.engine.data import Fetch
from lanewise.direct3d9.sem.numbers import rule_of
from together import together

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


def color(source: str, inputs: Mapping[str, Any] | None = None, **data: Any) -> list[float]:
    return run(source, inputs, **data)["color"][0].tolist()


def sampled(source: str, inputs: Mapping[str, Any] | None = None, **data: Any) -> list[float]:
    """Of a shader with texture instructions: the reference engine alone runs it, and says so."""
    result = shader_of(source).run(inputs, engine="llvm", **data)
    assert result.engine == "reference" and "samples a texture" in result.reason
    return result.outputs["color"][0].tolist()


# Arithmetic of ps_1_x


@pytest.mark.parametrize(
    ("operand", "expected"),
    [("v0", 0.75), ("-v0", -0.75), ("v0_bias", 0.25), ("-v0_bias", -0.25), ("v0_bx2", 0.5), ("-v0_bx2", -0.5), ("1-v0", 0.25)],
)
def test_source_modifiers(operand: str, expected: float):
    assert color(f"ps_1_1\nmov r0, {operand}\n", {"color": [0.75] * 4}) == [expected] * 4


@pytest.mark.parametrize(("suffix", "factor"), [("_x2", 2), ("_x4", 4), ("_d2", 0.5)])
def test_shifts(suffix: str, factor: float):
    assert color(f"ps_1_1\nmov{suffix} r0, v0\n", {"color": [0.375] * 4}) == [0.375 * factor] * 4
    assert color(f"ps_1_1\nmov{suffix}_sat r0, v0\n", {"color": [0.75] * 4}) == [min(0.75 * factor, 1)] * 4


def test_x8_and_d8_of_ps_1_4():
    text = "ps_1_4\ntexcrd r1, t0\nphase\nmov_x8 r0, r1_x2\nmov_d8 r0.a, r1.r\n"
    assert color(text, {"texcoord": [1, 2, 3]})[:3] == [16, 32, 48]
    assert color(text, {"texcoord": [1, 2, 3]})[3] == 0.125


def test_constants_and_colors_are_limited_in_ps_1_x():
    text = "ps_1_1\nadd r0, v0, c0\n"
    data = {"color": [5, 0.5, -1, 1]}
    assert color(text, data, uniforms={"c0": [3, -3, 0.5, 0]}) == [2, -0.5, 0.5, 1]
    free = rule_of("ieee").set("ps1_constants=free,ps1_colors=free")
    assert color(text, data, uniforms={"c0": [3, -3, 0.5, 0]}, rule=free) == [8, -2.5, -0.5, 1]
    one = free.set("ps1_range=1")
    assert color(text, data, uniforms={"c0": [3, -3, 0.5, 0]}, rule=one) == [1, -1, -0.5, 1]
    eight = free.set("ps1_range=8")
    assert color("ps_1_1\nadd_x4 r0, v0, c0\n", data, uniforms={"c0": [3, -3, 0.5, 0]}, rule=eight) == [8, -8, -2, 4]


def test_cnd_and_its_co_issue():
    text = "ps_1_1\ndef c0, 0.75, 0.5, 0.25, 0.6\nmov r0, c0\nmov r1, c1\ncnd r1, r0.a, v0, v1\nmov r0, r1\n"
    data = {"color0": [1] * 4, "color1": [0] * 4}
    assert color(text, data) == [1] * 4
    low = text.replace("0.6", "0.5")
    assert color(low, data) == [0] * 4
    pair = low.replace("cnd r1, r0.a, v0, v1", "mov r1.rgb, v1\n+cnd r1.a, r0.a, v0, v1")
    assert color(pair, data) == [0, 0, 0, 1]
    assert color(pair, data, rule=rule_of("ieee").set("cnd_coissue=tested")) == [0, 0, 0, 0]
    ps14 = "ps_1_4\ntexcrd r1, t0\nphase\ncnd r0, r1, c1, c0\n"
    found = color(ps14, {"texcoord": [0.5, 0.51, math.nan]}, uniforms={"c1": [1] * 4})
    assert found[:3] == [0, 1, 0]


def test_a_pair_reads_before_it_writes():
    text = "ps_1_1\nmov r0, v0\nmov r0.rgb, r0.a\n+add r0.a, r0.b, v1.a\n"
    data = {"color0": [0.1, 0.2, 0.3, 0.4], "color1": [0, 0, 0, 0.5]}
    assert close(color(text, data), [0.4, 0.4, 0.4, 0.8])
    assert close(color(text, data, rule=rule_of("ieee").set("coissue=in_order")), [0.4, 0.4, 0.4, 0.9])


def test_cmp_takes_the_second_at_0_and_the_third_at_nan():
    text = "ps_2_0\ndcl t0\nmov r0, t0\ncmp r0, r0, c0, c1\nmov oC0, r0\n"
    assert color(text, {"texcoord": [0, -0.0, -1, math.nan]}, uniforms={"c0": [1] * 4, "c1": [2] * 4}) == [1, 1, 2, 2]


def test_dp2add_adds_its_scalar():
    text = "ps_2_0\ndcl t0\ndp2add r0, t0, c0, c1.y\nmov oC0, r0\n"
    assert color(text, {"texcoord": [1, 2, 9, 9]}, uniforms={"c0": [10, 100, 9, 9], "c1": [0, 5, 0, 0]}) == [215] * 4


def test_bem():
    text = "ps_1_4\ntexcrd r1, t0\ntexcrd r2, t1\nphase\nbem r0.rg, r1, r2\nmov r0.ba, c0\n"
    data = {"texcoord0": [1, 2, 0], "texcoord1": [10, 100, 0]}
    assert color(text, data, uniforms={"bump0": [1, 2, 3, 4]}) == [1 + 10 + 300, 2 + 20 + 400, 0, 0]


# Other pixels, and none


def test_differences_in_quads():
    text = "ps_3_0\ndcl_texcoord v0\ndsx r0.xy, v0\ndsy r0.zw, v0.xyxy\nmov oC0, r0\n"
    grid = np.array([[1, 0], [3, 5], [10, 0], [20, 1], [7, 7]], np.float32)
    found = run(text, {"texcoord": grid})["color"]
    assert found[:4].tolist() == [[2, 5, 9, 0], [2, 5, 17, -4], [10, 1, 9, 0], [10, 1, 17, -4]]


@pytest.mark.parametrize(
    ("version", "expected"), [("ps_1_1", [False, True, False]), ("ps_2_0", [False, True, True])]
)  # [W] texkill_test: a negative w kills in ps_2_0 alone
def test_texkill(version: str, expected: list[bool]):
    data = {"texcoord0": [[1, 1, 1, 1], [1, 1, -1, 1], [1, 1, 1, -1]], "color0": [1, 1, 1, 1]}
    dcl = "" if version == "ps_1_1" else "dcl t0\ndcl v0\n"
    out = "mov r0, v0\n" if version == "ps_1_1" else "mov oC0, v0\n"
    text = f"{version}\n{dcl}texkill t0\n{out}"
    assert run(text, data)["killed"].tolist() == expected
    assert run(text, data, rule=rule_of("ieee").set("texkill=xyz"))["killed"].tolist() == [False, True, False]


def test_texkill_in_a_branch_stops_the_lanes_that_are_in_it():
    text = "ps_3_0\ndcl_texcoord v0\nmov r0, c0\nmov r1, v0\nif_gt v0.x, c0.x\ntexkill r1\nendif\nmov oC0, r0\n"
    found = run(text, {"texcoord": [[1, -1], [-1, -1], [1, 1]]})
    assert found["killed"].tolist() == [1, 0, 0]


def test_more_outputs():
    text = "ps_2_0\ndcl v0\nmov oC0, v0\nmov oC1, v0.wzyx\nmov r0, v0\nmov oDepth, r0.y\n"
    found = run(text, {"color": [1, 2, 3, 4]})
    assert found["color1"].tolist() == [[4, 3, 2, 1]]
    assert found["depth"].tolist() == [[2]]


# Textures


def test_an_array_is_a_color_for_each_pixel():
    shader = shader_of("ps_2_0\ndcl t0\ndcl_2d s3\ntexld r0, t0, s3\nmov oC0, r0\n")
    colors = np.arange(20 * 4, dtype=np.float32).reshape(20, 4)
    assert shader.run(samplers={3: colors}, count=20, defaults=0).outputs["color"].tolist() == colors.tolist()
    assert shader.run(samplers={3: [1, 2, 3, 4]}, count=2, defaults=0).outputs["color"].tolist() == [[1, 2, 3, 4]] * 2


def coordinates(fetch: Fetch) -> NDArray[np.float32]:
    return fetch.coordinates


def too_many(fetch: Fetch) -> list[list[float]]:
    return [[1, 2, 3, 4]] * 5


def test_a_function_is_asked_with_coordinates():
    seen: list[Fetch] = []

    def sampler(fetch: Fetch) -> NDArray[np.float32]:
        seen.append(fetch)
        return fetch.coordinates * 2

    text = "ps_2_0\ndcl t0\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n"
    assert sampled(text, {"texcoord": [2, 4, 8, 2]}, samplers={0: sampler}) == [2, 4, 8, 4]
    assert seen[0].instruction == "texldp" and seen[0].coordinates.shape == (16, 4) and seen[0].pixels[0] == 0
    text = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldd r0, v0, s0, c0, c1\nmov oC0, r0\n"
    assert sampled(
        text, {"texcoord": [1, 2, 3, 4]}, samplers={0: sampler}, uniforms={"c0": [5, 0, 0, 0], "c1": [6, 0, 0, 0]}
    ) == [2, 4, 6, 8]
    assert [gradient[0, 0] for gradient in seen[1].gradients] == [5, 6]
    for name in ("texldb", "texldl"):
        text = f"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n{name} r0, v0, s0\nmov oC0, r0\n"
        assert sampled(text, {"texcoord": [1, 2, 3, 4]}, samplers={0: sampler}) == [2, 4, 6, 8]
        assert seen[-1].instruction == name
    text = "vs_3_0\ndcl_texcoord v0\ndcl_position o0\ndcl_2d s1\ntexldl r0, v0, s1\nmov o0, r0\n"
    assert shader_of(text).run({"texcoord": [1, 2, 3, 4]}, samplers={1: sampler}).outputs["position"].tolist() == [[2, 4, 6, 8]]


@together(
    ("body", "expected"),
    [
        ("tex t0\nmov r0, t0", [1, 2, 3, 4]),
        ("texcoord t0\nmov r0, t0", [1, 1, 0.5, 1]),  # clamped, w is 1
        ("tex t0\ntexreg2ar t1, t0\nmov r0, t1", [4, 1, 0, 0]),
        ("tex t0\ntexreg2gb t1, t0\nmov r0, t1", [2, 3, 0, 0]),
        ("tex t0\ntexreg2rgb t1, t0\nmov r0, t1", [1, 2, 3, 0]),
        ("tex t0\ntexdp3 t1, t0\nmov r0, t1", [3210] * 4),
        ("tex t0\ntexdp3tex t1, t0\nmov r0, t1", [3210, 0, 0, 0]),
        ("tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2", [3210, 6, 0, 0]),
        ("tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3", [3210, 6, 2, 1]),
        ("tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3", [3210, 6, 2, 0]),
        ("tex t0\ntexbem t1, t0\nmov r0, t1", [10 + 1 + 6, 100 + 2 + 8, 1000, 7]),
        ("tex t0\ntexbeml t1, t0\nmov r0, t1", [17 * 3.5, 110 * 3.5, 3500, 24.5]),
    ],
)
def test_texture_instructions_of_ps_1_x(body: str, expected: list[float]):
    """Sampler 0 gives (1, 2, 3, 4), the others their coordinates."""

    samplers: dict[int, Any] = {0: [1, 2, 3, 4]} | dict.fromkeys((1, 2, 3), coordinates)
    data = {"texcoord0": [5, 1, 0.5, 8], "texcoord1": [10, 100, 1000, 7], "texcoord2": [1, 1, 1, 7], "texcoord3": [0, 1, 0, 7]}
    shader = shader_of(f"ps_1_3\n{body}\n")
    there = {name for port in shader.inputs for name in port.names}
    data = {name: value for name, value in data.items() if name in there}
    result = shader.run(data, samplers=samplers, uniforms={"bump1": [1, 2, 3, 4, 1, 0.5]})
    assert result.outputs["color"][0].tolist() == expected


def test_reflections():
    """The eye (1, 0, 0) off the normal (1, 1, 0): 2 * (N.E / N.N) * N - E = (0, 1, 0)."""
    head = "ps_1_3\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
    samplers: dict[int, Any] = {0: [1, 0, 0, 0], 3: coordinates}
    data = {"texcoord1": [1, 0, 0, 1], "texcoord2": [1, 0, 0, 0], "texcoord3": [0, 0, 0, 0]}
    for last in ("texm3x3spec t3, t0, c0", "texm3x3vspec t3, t0"):
        result = shader_of(head + last + "\nmov r0, t3\n").run(
            data, samplers=samplers, uniforms={"c0": [1, 0, 0, 0]}, defaults=0
        )
        assert result.outputs["color"][0].tolist() == [0, 1, 0, 0]


def test_depth_of_textures():
    text = "ps_1_4\ntexcrd r5, t0\nphase\ntexdepth r5\nmov r0, c0\n"
    assert run(text, {"texcoord": [[1, 4, 0], [1, 0, 0]]})["depth"].tolist() == [[0.25], [1]]
    text = "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0\n"
    data = {"texcoord1": [3, 0, 0], "texcoord2": [4, 0, 0]}
    assert shader_of(text).run(data, samplers={0: [1, 0, 0, 0]}, defaults=0).outputs["depth"].tolist() == [[0.75]]


def test_texcrd_divides():
    text = "ps_1_4\ntexcrd r1.rg, t0_dw.xyw\nphase\nmov r0, r1\n"
    assert color(text, {"texcoord0": [1, 2, 9, 4]})[:2] == [0.25, 0.5]
    assert color(text, {"texcoord0": [1, 2, 9, 0]})[:2] == [1, 1]
    assert color(text.replace("_dw.xyw", "_dz.xyz"), {"texcoord0": [1, 2, 8, 4]})[:2] == [0.125, 0.25]


def test_a_sampler_without_data_is_refused_by_name():
    text = "ps_2_0\ndcl t0\ndcl_2d s1\ntexld r0, t0, s1\nmov oC0, r0\n"
    with pytest.raises(InputError) as caught:
        shader_of(text).run(defaults=0)
    assert caught.value.diagnostics[0].code == "R307" and "s1" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(("value", "code"), [([1, 2, 3], "B002"), ([[1, 2, 3, 4]] * 3, "B008"), ("red", "B003")])
def test_samplers_of_the_wrong_shape(value: object, code: str):
    text = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"
    with pytest.raises(InputError) as caught:
        shader_of(text).run(samplers={0: value}, count=20, defaults=0)
    assert caught.value.diagnostics[0].code == code
    with pytest.raises(InputError) as caught:
        shader_of(text).run(samplers={0: too_many}, defaults=0)
    assert caught.value.diagnostics[0].code == "B002"
