"""Data for Direct3D 9 shaders: names, registers, shapes, and what is said of values that do not fit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from direct3d9_runs import run, shader_of
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.evidence import MEASURED
from lanewise.direct3d9.isa.choices import CHOICES, Choice, check_choices, choices_of
from lanewise.direct3d9.isa.program import Comment
from lanewise.direct3d9.isa.table import find_version
from lanewise.direct3d9.sem.numbers import NAMES, rule_of
from lanewise.shadercore.isa.devices import RTL
from together import together

SOURCE = """vs_3_0
dcl_position v0
dcl_texcoord2 v3
dcl_position o0
dcl_texcoord0 o1.xy
dcl_fog o1.z
add o0, v0, c0
mov o1.xy, v3
mov o1.z, v0.x
"""


def codes(**data: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        shader_of(SOURCE).run(**data)
    return [finding.code for finding in caught.value.diagnostics]


def test_names_of_inputs_and_outputs():
    shader = shader_of(SOURCE)
    assert [port.names for port in shader.inputs] == [("position0", "position", "v0"), ("texcoord2", "v3")]
    assert [(port.name, port.register, port.components) for port in shader.outputs] == [
        ("position", "o0", (0, 1, 2, 3)),
        ("texcoord", "o1", (0, 1)),
        ("fog", "o1", (2,)),
    ]
    found = run(SOURCE, {"POSITION0": [1, 2, 3, 4], "v3": [5, 6]}, uniforms={"c0": [10, 0, 0, 0]})
    assert found["position"].tolist() == [[11, 2, 3, 4]]
    assert found["texcoord"].tolist() == [[5, 6]]
    assert found["fog"].tolist() == [[1]]
    result = shader.run({"v0": [1, 2, 3, 4]}, defaults=0)
    assert result.outputs["o1"].shape == (1, 4) and result.outputs["texcoord0"].shape == (1, 2)
    with pytest.raises(KeyError, match="position, texcoord, fog"):
        _ = result.outputs["color"]


def test_outputs_of_old_vertex_shaders():
    shader = shader_of("vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oD1, v0\nmov oT0, v0\nmov oFog.x, v0.y\nmov oPts.x, v0.z\n")
    result = shader.run({"v0": [1, 2, 3, 4]}, defaults=0)
    assert {name: result.outputs[name].tolist()[0] for name in result.outputs} == {
        "position": [1, 2, 3, 4],
        "fog": [2],
        "psize": [3],
        "color1": [1, 2, 3, 4],
        "texcoord": [1, 2, 3, 4],
    }
    assert result.outputs["oFog"].tolist() == [[2]]


def test_one_row_is_for_all_lanes():
    found = run(SOURCE, {"position": [[1, 0, 0, 0], [2, 0, 0, 0]], "texcoord2": [7, 8]})
    assert found["texcoord"].tolist() == [[7, 8], [7, 8]]
    assert shader_of(SOURCE).run({"position": [[1.0], [2.0], [3.0]]}, count=2, defaults=0).lanes == 2
    assert shader_of(SOURCE).run(count=33, defaults=0).outputs["position"].shape == (33, 4)


def test_words_are_patterns():
    shader = shader_of(SOURCE)
    result = shader.run({"position": Words(np.array([0x3F800000, 0x7F800000, 1, 0x80000000]))}, defaults=0)
    assert result.bits["position"].tolist() == [[0x3F800000, 0x7F800000, 1, 0]]


@together(
    ("data", "code"),
    [
        ({"inputs": {"normal": [1]}}, "B001"),
        ({"inputs": {"position": [[[1]]]}}, "B002"),
        ({"inputs": {"position": [1, 2, 3, 4, 5]}}, "B002"),
        ({"inputs": {"position": "one"}}, "B003"),
        ({"inputs": {"position": [[1], [1, 2]]}}, "B003"),
        ({"inputs": {"position": Words(np.array([1.5]))}}, "B003"),
        ({"inputs": {"position": Words(np.array([-1]))}}, "B007"),
        ({"inputs": {"position": [1], "v0": [2]}}, "B006"),
        ({"inputs": {"position": [[1], [2]], "texcoord2": [[1], [2], [3]]}}, "B008"),
        ({"inputs": {"position": [[1], [2]]}, "count": 3}, "B008"),
        ({"count": 0}, "B008"),
        ({"uniforms": {"mvp": [1]}}, "B001"),
        ({"uniforms": {"c9999": [1]}}, "B001"),
        ({"uniforms": {"c0": [[1], [2]], "c1": [3]}}, "B006"),
        ({"integers": {"i0": 1.5}}, "B003"),
        ({"integers": {"i0": [1, 2, 3, 4, 5]}}, "B003"),
        ({"integers": {"i0": 1 << 40}}, "B007"),
        ({"integers": {"c0": 1}}, "B001"),
        ({"booleans": {"b0": 0.5}}, "B003"),
        ({"booleans": {"b0": [True, False]}}, "B003"),
    ],
)
def test_values_that_do_not_fit(data: dict[str, Any], code: str):
    assert codes(**data) == [code]


def test_all_findings_come_at_once():
    assert codes(inputs={"normal": [1], "position": "x"}, booleans={"b0": 2.5}) == ["B001", "B003", "B003"]


def test_rules_and_engines_that_do_not_exist():
    shader = shader_of(SOURCE)
    with pytest.raises(ValueError, match="ieee, d3d9, document, rtl or rtl-compiled"):
        shader.run(rule="fast", defaults=0)
    with pytest.raises(ValueError, match=r"unknown engine .*: use llvm"):
        shader.run(engine="gpu", defaults=0)
    with pytest.raises(ValueError, match="rcp_zero cannot be 'zero'"):
        rule_of("ieee").set("rcp_zero=zero")
    with pytest.raises(ValueError, match="unknown choice or device field"):
        rule_of("ieee").set("rcp_null=largest")
    with pytest.raises(ValueError, match="set twice"):
        rule_of("ieee").set("scalar=x,scalar=w")


def test_a_rule_is_a_device_with_choices():
    rule = rule_of("rtl").set("add=nearest, scalar=x")
    assert rule.describe() == "rtl, add=nearest, scalar=x"
    assert rule_of(RTL.set("mul=nearest")).device.value("mul") == "nearest"
    assert [rule_of(name).name for name in NAMES] == ["ieee", "d3d9", "document", "rtl"]
    assert rule_of("d3d9").choices.differences(rule_of("ieee").choices) == {"zero_product": "zero"}


def test_every_choice_has_evidence():
    check_choices()
    assert all(choice.source for choice in CHOICES)
    assert {choice.key for choice in CHOICES if choice.known == MEASURED} >= {
        "zero_product",
        "mov_a0",
        "scalar",
        "texkill",
        "cnd_coissue",
    }
    assert choices_of("ieee").value("min_max") == "second"
    for bad in (
        (CHOICES[0], CHOICES[0]),
        (CHOICES[0]._replace(source=""),),
        (CHOICES[0]._replace(default="never"),),
        (Choice(key="x", topic="t", answers={"a": "b"}, default="a", known="guessed", source="s", ops=()),),
    ):
        with pytest.raises(ValueError, match=r"."):
            check_choices(bad)


def named_shader() -> Any:
    """A shader whose constant table names c4 to c6 `mvp`, a matrix of four rows the last of which nothing reads."""
    strings = b"mvp\0tool\0vs_2_0\0"
    header = 28
    info, kind, text = header, header + 20, header + 20 + 16
    words = [28, text + 4, 0xFFFE0200, 1, info, 0, text + 9, text, 2 | 4 << 16, 3, kind, 0, 2 | 3 << 16, 4 | 4 << 16, 1, 0]
    data = b"".join(word.to_bytes(4, "little") for word in words) + strings
    data += b"\0" * (-len(data) % 4)
    tokens = (int.from_bytes(b"CTAB", "little"), *(int.from_bytes(data[n : n + 4], "little") for n in range(0, len(data), 4)))
    shader = shader_of("vs_2_0\ndcl_position v0\nmov r0, c4\nm3x3 r0.xyz, v0, c4\nmov oPos, r0\n")
    items = (Comment(0xFFFE | len(tokens) << 16, tokens), *shader.shader.items)
    from lanewise.direct3d9.api.shader import Direct3DShader

    return Direct3DShader("named", shader.shader._replace(items=items))


def test_constants_by_the_names_of_the_constant_table():
    shader = named_shader()
    assert [constant.name for constant in shader.constants] == ["mvp"]
    matrix = np.arange(16, dtype=np.float32).reshape(4, 4)
    found = run(shader, {"position": [1, 0, 0]}, uniforms={"mvp": matrix})
    assert found["position"].tolist() == [[0, 4, 8, 3]]
    assert run(shader, {"position": [1, 0, 0]}, uniforms={"mvp[1]": [9]})["position"].tolist() == [[0, 9, 0, 0]]
    for key, value in (("mvp[3]", [1]), ("mv", [1]), ("mvp", np.zeros((5, 4)))):
        with pytest.raises(InputError):
            shader.run(uniforms={key: value})


def test_versions_are_what_they_were():
    version = find_version("vs_3_0")
    assert version is not None and shader_of(SOURCE).shader.version == version


def test_nan_and_infinity_pass_through():
    found = run("vs_2_0\ndcl_position v0\nmov oPos, v0\n", {"position": [math.inf, -math.inf, math.nan, 1e-45]})
    assert found["position"].view(np.uint32).tolist() == [[0x7F800000, 0xFF800000, 0x7FC00000, 1]]
