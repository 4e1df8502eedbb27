"""Colours far above 1, and the value that makes them so."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

SHADER = """.constf tint(224.0, 160.0, 64.0, 255.0)
.constf half(0.5, 0.5, 0.5, 0.5)
.fvec light
.out p position
.out c color
.in pos
.in tone
.proc main
    mov p, pos
    mul r0, half, tone
    mul c, {factor}, r0
    end
.end
"""
BYTES = ", as bytes have it"
POINT = {"pos": [0, 0, 0], "tone": [1, 1, 1, 1]}


@pytest.mark.parametrize(
    ("factor", "inputs", "light", "message", "fix"),
    [
        (
            "tint",
            {},
            1,
            "constant tint (c95) has 255, as bytes have it",
            "divide tint by 255: (0.878431, 0.627451, 0.25098, 1)",
        ),
        ("light", {}, [20, 200, 30, 1], f"uniform light (c0) has 200{BYTES}", "divide light by 255"),
        (
            "half",
            {"tone": [[1] * 4, [32, 1, 1, 1]]},
            1,
            f"input tone (v1) has 32{BYTES}",
            "divide tone by 255, or multiply by 0.00392157 in the shader",
        ),
        ("half", {"tone": [320.5, 1, 1, 1]}, 1, "input tone (v1) has 320.5", "scale tone: 1 is the brightest"),
        ("half", {"tone": [32.5, 15, 1, np.inf]}, 1, "", ""),
    ],
)
def test_a_colour_that_saturates(factor: str, inputs: dict[str, Any], light: Any, message: str, fix: str):
    shader = lw.assemble(SHADER.replace("{factor}", factor)).vertex
    given, uniforms = {**POINT, **inputs}, {"light": light}
    alone = shader.run(given, uniforms, defaults=0).warnings
    pipeline = lw.pica200.Pipeline(shader)
    drawn = pipeline.warnings(pipeline.run(given, None, uniforms, count=1 if "tone" not in inputs else None, defaults=0))
    both = [[found for found in each if found.code == "R012"] for each in (alone, drawn)]
    assert [len(each) for each in both] == [bool(message)] * 2
    for (found,) in both if message else ():
        assert found.message.endswith(f", and the rasterizer clamps colors at 1: {message}")
        assert found.fix == fix
        assert found.span.line == (11 if "tone" not in inputs else 10)


def test_a_result_names_its_warnings():
    shader = lw.assemble(SHADER.replace("{factor}", "tint")).vertex
    given = {"pos": [0, 0, 0], "tone": [[1] * 4] * 2}
    assert repr(shader.run(given, defaults=0)).endswith(" 0 faults, reference, warnings: R012>")
    assert repr(shader.run({**given, "tone": [0, 0, 0, 0]}, defaults=0, count=5000)).endswith(" 0 faults, reference>")
