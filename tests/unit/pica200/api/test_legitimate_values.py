"""Values that programs have and that look like a mistake: nothing is said of them, and something of the mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanewise as lw

pytestmark = pytest.mark.filterwarnings("ignore::lanewise.InputWarning")

HEAD = """.fvec projection[4], bones[6], light, sun, wavedirection
.constf k(3.0, SCALE, 0.0, 1.0)
.in position
.in color
.in bone
.in weight
.out pos position
.out clr color
.proc main
"""
PLACE = """    dp4 pos.x, projection[0], position
    dp4 pos.y, projection[1], position
    dp4 pos.z, projection[2], position
    dp4 pos.w, projection[3], position
"""
SKINNED = """    mul r0, k.xxxx, bone
    mova a0.xy, r0.xy
    dp4 r1.x, bones[a0.x], position
    mul r2.x, weight.x, r1.x
    dp4 r1.x, bones[a0.y], position
    mul r1.x, weight.y, r1.x
    add r2.x, r2.x, r1.x
    mov pos, r2.xxxx
    mov clr, color
"""
MAD = SKINNED.replace("    mul r1.x, weight.y, r1.x\n    add r2.x, r2.x, r1.x\n", "    mad r2.x, weight.y, r1.x, r2.x\n")
LAMP = """    mov r1, light
    add r0, position, -r1
    dp3 r0.x, r0, r0
    rcp r0.x, r0.x
    mul clr, color, r0.xxxx
    mov pos, position
"""
TURNED = """    dp3 r0.x, sun, color
    dp3 r0.y, sun, bone
    dp3 r0.z, sun, weight
    dp3 r0.w, r0, r0
    rsq r0.w, r0.w
    mul r0.xyz, r0, r0.w
    mov r0.w, color.w
    mov clr, r0
    mov pos, position
"""
WAVES = "    dp3 r0.x, wavedirection, position\n    mov clr, r0.x\n    mov pos, position\n"
AXES = {"color": [1, 0, 0], "bone": [0, 1, 0], "weight": [0, 0, 1]}
NORMALS = np.array([[0, 0, 127], [0, 90, 90], [127, 0, 0]], np.int8)
SCALED = PLACE + "    mul r0, k.yyyy, color\n    mul clr, light, r0\n"
BYTES = np.array([[255, 200, 10, 255]] * 3, np.uint8)
POINTS = np.array([[0, 0, -2.0], [1, 0, -2], [0, 1, -2]])
HALVES = np.array([[0, 0.5], [300.5, 7]], np.float16)
DUST = np.c_[np.arange(30), np.random.default_rng(1).random((30, 3))]
FLAT = np.c_[np.random.default_rng(1).random((99, 2)), 5 + np.random.default_rng(2).normal(0, 1e-15, 99)]


def codes(body: str, scale: float = 1.0, **given: Any) -> list[str]:
    """The codes of what is said of a run with some values in place of the usual ones."""
    for name in ("bone", "weight"):
        body = body if name in body else f"    mov r9, {name}\n" + body
    shader: Any = lw.assemble(HEAD.replace("SCALE", f"{scale:f}") + body + "    end\n.end\n").vertex
    inputs: dict[str, Any] = {"position": POINTS, "color": [1, 1, 1, 1], "bone": [0, 1], "weight": [1.0, 0.0]}
    inputs |= {name: value for name, value in given.items() if name in inputs}
    rows = {"projection": np.eye(4), "bones": np.tile(np.eye(4)[:3], (2, 1)), "light": np.ones(4)}
    rows |= {"sun": np.array([0, 0, 1]), "wavedirection": np.array([1, 0, 0])}
    rows |= {name: value for name, value in given.items() if name in rows}
    result = shader.run(inputs, rows, defaults=0)
    found = result.warnings
    return [each.code for each in found if each.severity == "warning"]


@pytest.mark.parametrize(
    ("body", "given", "code", "mistake"),
    [
        (SKINNED, {"bone": [1, -1]}, "R015", {"bone": [1, -1], "weight": [0.5, 0.5]}),  # a bone of weight 0 is not looked up
        (MAD, {"bone": [1, 2]}, "R015", {"bone": [1, 2], "weight": [0.5, 0.5]}),
        (SCALED, {"scale": 1 / 255, "color": BYTES, "light": [1.4, 1.4, 1.4, 1]}, "B022", {"color": BYTES}),
        (SCALED, {"scale": 1 / 128, "color": BYTES}, "B022", {"color": BYTES}),
        (SCALED, {"color": BYTES, "light": np.array([1.3, 1.2, 1, 1]) / 255}, "B022", {"color": BYTES}),
        (SCALED, {"bone": np.array([[7, 9]] * 3, np.uint8), "light": [1.5] * 4}, "B022", {"color": BYTES}),
        (LAMP, {"position": POINTS + 30, "light": [30.15, 30, 28, 0]}, "R012", {"color": [400.5, 0, 0, 1], "light": [0] * 4}),
        (TURNED, {**AXES, "sun": [0, 3, 4]}, "", {}),
        (WAVES, {"wavedirection": [0.2, 0, 0.15]}, "", {}),
        (SCALED, {"weight": np.array([1, 0.5, 0.25, 0.5])}, "", {}),
        (SCALED, {"weight": DUST, "position": DUST[:, :3]}, "B034", {"position": DUST}),
        (SCALED, {"position": FLAT}, "B025", {"position": (13 + np.arange(64) * 1e-6)[:, None]}),
        (SCALED, {"position": HALVES}, "B025", {"position": HALVES + np.float16(0.1)}),
    ],
)
def test_values_that_programs_have(body: str, given: dict[str, Any], code: str, mistake: dict[str, Any]) -> None:
    assert codes(body, **given) == []
    assert codes(body, **mistake) == [code] * bool(code)


@pytest.mark.parametrize(
    ("values", "rest", "warned"),
    [([0.2, 0.4, 0.6, 0.8], "xyz", False), ([0.2, 0.4, 0.6, 0.8], "x", True), ([0.1, 0.5, 0.9], "xz", False)],
)
def test_a_vector_of_which_a_component_is_not_read(values: list[float], rest: str, warned: bool) -> None:
    body = PLACE + "    mov clr, color\n" + "".join([f"    mov clr.{each}, weight.{each}\n" for each in rest])
    assert codes(body, position=np.array([0.0, 0, 0]), weight=np.array(values)) == ["B031"] * warned


@pytest.mark.parametrize(("name", "warned"), [("exposure", False), ("posRot", False), ("inpos", True), ("a_position0", True)])
def test_names_of_points(name: str, warned: bool) -> None:
    text = f".in {name}\n.out pos position\n.proc main\n    mov pos, {name}\n    end\n.end\n"
    shader: Any = lw.assemble(text).vertex
    assert [each.code for each in shader.run({name: np.array([[0.1], [0.5], [0.9]])}).warnings] == ["B031"] * warned
