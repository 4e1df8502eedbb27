"""Warnings about arrays in another layout than was meant: what is said, and that what is said to do silences it."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays import announcing

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[3] / "examples"
QUAD = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
GIVEN: dict[str, Any] = {
    "position": QUAD,
    "color": [1, 0.5, 0],
    "texcoord": [0, 0],
    "normal": [0, 0, 1],
    "bone": [0, 0],
    "weight": [0.5, 0.5],
}
UNIFORMS: dict[str, Any] = {"projection": np.eye(4)}
RANDOM = np.random.default_rng(1).normal(size=(4, 3))
TOON: dict[str, Any] = {"sun": [0, 0, 1, 4], "shade": [0.1] * 3, "paint": [0.8] * 3, "shine": [1, 1, 1, 0.7], "glossy": True}
BONES: dict[str, Any] = {"bones": np.tile(np.eye(4)[:3], (20, 1))}
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {"normal": ("toon", TOON), "weight": ("skinning", BONES)}


@pytest.fixture(scope="module")
def programs() -> dict[str, Any]:
    return {name: lw.load(EXAMPLES / f"{name}.v.pica").vertex for name in ("transform", "toon", "skinning")}


@pytest.fixture(autouse=True)
def unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "_looked", {})


def said(program: Any, uniforms: dict[str, Any], **named: Any) -> list[str]:
    """What Python warns of in a run of a quad in which some inputs are others."""
    inputs = {**GIVEN, **named}
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        program.run({port.name: inputs[port.name] for port in program.inputs}, uniforms, defaults=0)
    return [str(each.message) for each in found]


def unit(axis: int) -> Any:
    return RANDOM / np.linalg.norm(RANDOM, axis=axis, keepdims=True)


# An input, its value, what is said, and what one gives then; nothing is said of what is right.
LAYOUTS: list[tuple[str, Any, str, Callable[[Any], Any]]] = [
    ("position", QUAD.T, "B031: input 'position' has 3 rows of 4 numbers, with w = -1, 1, 0", np.transpose),
    ("position", np.c_[QUAD, np.ones(4)].T, "B031: input 'position' has 1 in the whole last row", np.transpose),
    ("texcoord", np.linspace(0, 1, 4), "B031: input 'texcoord' is one vector of 4 numbers", lambda v: np.reshape(v, (-1, 1))),
    ("texcoord", [0, 0.3, 0.6, 1], "B031: input 'texcoord' is one vector of 4 numbers", lambda v: np.reshape(v, (-1, 1))),
    ("weight", [0.25, 0.75, 0.5, 0.1], "B031: input 'weight' is one vector of 4 numbers", lambda v: np.reshape(v, (-1, 1))),
    ("position", (QUAD * 300.3).astype(np.float16), "B025: input 'position' is float16", lambda v: v.astype(np.float32)),
    ("color", np.eye(4, 3, dtype=np.uint8), "B022: input 'color' is bytes (uint8) with no numbers but 0", np.float32),
    ("normal", unit(0), "B031: input 'normal' has columns of length 1", lambda _: unit(1)),
]


@pytest.mark.parametrize(("name", "value", "text", "fix"), LAYOUTS)
def test_a_layout(programs: dict[str, Any], name: str, value: Any, text: str, fix: Callable[[Any], Any]) -> None:
    chosen, own = OTHERS.get(name, ("transform", {}))
    program, uniforms = programs[chosen], UNIFORMS | own
    (found,) = said(program, uniforms, **{name: value})
    assert found.startswith(text)
    assert said(program, uniforms, **{name: fix(value)}) == []
    if "one vector of" in text:  # as it is typed on a command line
        rows = found.partition(f'--input "{name}=')[2].partition('"')[0].split(";")
        np.testing.assert_allclose([[float(row)] for row in rows], fix(value))


def test_what_is_meant(programs: dict[str, Any]) -> None:
    for named in (
        {"color": [1, 0.5, 0, 1]},
        {"position": RANDOM[:3, :2]},
        {"texcoord": [1, 0, 0, 1]},
        {"position": QUAD.astype("f2")},
    ):
        assert said(programs["transform"], UNIFORMS, **named) == []
    assert said(programs["toon"], UNIFORMS | TOON, position=QUAD[:3], normal=np.eye(3)) == []
    assert said(programs["skinning"], UNIFORMS | BONES, weight=[0.5, 0.2, 0.3, 0]) == []  # of one vertex


def test_a_position_that_zeros_stand_for(programs: dict[str, Any]) -> None:
    (found,) = said(programs["transform"], {})
    assert found.startswith("B033: position is 0 in every vertex")
    assert "(uniforms={'projection': ...})" in found


def test_points_whose_w_is_zero(programs: dict[str, Any]) -> None:
    moved = np.eye(4)
    moved[:3, 3] = 2, 0, -5
    points = np.c_[RANDOM[:, :3], np.zeros(len(RANDOM))]
    (found,) = said(programs["transform"], {"projection": moved}, position=points)
    assert found.startswith("B039: position.w is 0 in every vertex, as w of input 'position' is")
    assert "three columns, `position[:, :3]`" in found and "`position[:, 3] = 1`" in found
    assert said(programs["transform"], {"projection": moved}, position=points[:, :3]) == []
    perspective = np.diag([1.0, 1, 1, 0])
    perspective[3, 2] = -1
    assert said(programs["transform"], {"projection": perspective}, position=points) == []  # a sky, at infinity


def test_a_few_rows_without_values(programs: dict[str, Any]) -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    points[3, 1] = points[7, 0] = np.nan
    (found,) = said(programs["transform"], UNIFORMS, position=points)
    assert found.startswith("B021: input 'position' has no value in row 3 and 1 more")
    assert said(programs["transform"], UNIFORMS, position=np.nan_to_num(points)) == []
    assert said(programs["transform"], UNIFORMS, position=points[~np.isnan(points).any(axis=1)]) == []
    assert said(programs["transform"], UNIFORMS, position=points[:8]) == []  # few, which may be meant


MANY = np.random.default_rng(1).normal(size=(20, 3))
TURNED = MANY / np.linalg.norm(MANY, axis=1, keepdims=True)


def test_directions_whose_components_are_one_after_the_other(programs: dict[str, Any]) -> None:
    values = TURNED.T.copy().reshape(-1, 3)
    (found,) = said(programs["toon"], UNIFORMS | TOON, position=MANY, normal=values)
    assert (
        found.startswith("B031: input 'normal' has rows of other lengths than 1")
        and "`numpy.reshape(values, (3, -1)).T`" in found
    )
    for right in (np.reshape(values, (3, -1)).T, MANY, np.repeat([[0, 0, 1]], 20, axis=0)):
        assert said(programs["toon"], UNIFORMS | TOON, position=MANY, normal=right) == []


def test_numbers_that_stand_for_no_value(programs: dict[str, Any]) -> None:
    points = MANY.copy()
    points[[3, 7], 2] = -9999
    (found,) = said(programs["transform"], UNIFORMS, position=points)
    assert found.startswith("B021: input 'position', z: -9999 in row 3 and 1 more")
    assert said(programs["transform"], UNIFORMS, position=points[points[:, 2] != -9999]) == []
    assert said(programs["transform"], UNIFORMS, position=MANY * 9999 / MANY.min()) == []  # among numbers of its size


def test_matrices_without_their_last_column() -> None:
    skin = lw.load(EXAMPLES / "skinning.v.pica").vertex
    matrices = np.tile(np.eye(4), (20, 1, 1))
    matrices[:, :3, 3] = TURNED
    inputs = {"position": QUAD, "texcoord": [0, 0], "bone": [0, 1], "weight": [0.5, 0.5]}
    for bones, codes in ((matrices[:, :, :3].reshape(-1, 4), ["B031"]), (matrices[:, :3, :].reshape(-1, 4), [])):
        result = skin.run(inputs, {**UNIFORMS, "bones": bones})
        assert [each.code for each in result.warnings] == codes


def test_a_matrix_of_three_rows_with_zeros(programs: dict[str, Any]) -> None:
    turn = np.eye(3)
    (found,) = said(programs["transform"], {"projection": turn})
    assert found.startswith("B033: position.w is 0 in every vertex: 'projection' has 3 rows of 3 numbers")
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    assert "`matrix = numpy.eye(4); matrix[:3, :3] = projection`" in found
    assert said(programs["transform"], {"projection": matrix}) == []


def test_a_loop_whose_index_stays() -> None:
    lights = lw.load(EXAMPLES / "lighting.v.pica").vertex
    uniforms = {"projection": np.eye(4), "modelview": np.eye(4), "ambient": [0] * 3}
    rows = {"direction": np.eye(3)[:2], "light": np.eye(3)[:2]}
    inputs = {"position": QUAD[:3], "normal": np.eye(3)}
    codes = [
        [each.code for each in lights.run(inputs, {**uniforms, **rows, "lights": count}).warnings]
        for count in ([1, 0, 0], [1, 0, 1], [0, 0, 0])
    ]
    assert codes == [["B046"], [], []]
    repeat = lw.assemble(
        ".ivec n\n.out o position\n.in p\n.proc main\n mov r0, p\n for n\n add r0, r0, r0\n .end\n mov o, r0\n end\n.end\n"
    ).vertex
    assert repeat.run({"p": [0, 0, 1]}, {"n": [1, 0, 0]}).warnings == ()


def test_labels_of_a_series_are_components(programs: dict[str, Any]) -> None:
    pandas: Any = pytest.importorskip("pandas")
    sun = pandas.Series({"w": 4, "x": 0.6, "y": 0, "z": 0.8})
    inputs = {"position": QUAD, "normal": [0, 0, 1]}
    both = [
        programs["toon"].run(inputs, UNIFORMS | TOON | {"sun": value}).outputs["color"] for value in (sun, [0.6, 0, 0.8, 4])
    ]
    assert np.array_equal(*both)


def test_a_source_that_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.v.pica"
    path.write_text((EXAMPLES / "transform.v.pica").read_text())
    program = lw.load(path).vertex
    assert said(program, UNIFORMS) == []
    path.write_text(path.read_text() + "; longer\n")
    os.utime(path, ns=(1, 1))
    (found,) = said(program, UNIFORMS)
    assert found.startswith("B032: ")
    assert said(lw.load(path).vertex, UNIFORMS) == []


# Indices of four vertices, and what is said to give in their place.
INDICES: list[tuple[Any, Any]] = [
    ([0, 1, 2, 3], np.reshape([0, 1, 2, 3], (-1, 4))[:, [0, 1, 2, 0, 2, 3]]),
    ([[0, 1, 2, 3]] * 3, np.reshape([[0, 1, 2, 3]] * 3, (-1, 4))[:, [0, 1, 2, 0, 2, 3]]),
    (None, np.reshape(range(4), (-1, 4))[:, [0, 1, 2, 0, 2, 3]]),
    ([0, 1], [0, 1, 2]),
]


@pytest.mark.parametrize(("indices", "then"), INDICES)
def test_indices_that_are_left_over(programs: dict[str, Any], indices: Any, then: Any) -> None:
    result = programs["transform"].run({name: GIVEN[name] for name in ("position", "color", "texcoord")}, UNIFORMS)
    with pytest.warns(lw.InputWarning, match="^B011: .*three are a triangle. Fix: "):
        result.svg(indices)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.svg(then)
        result.svg(indices, topology="strip")
