"""Variables of GLSL in the debugger: a value that is shown is that of the source, by the vector program and by the evaluator;
names mean what they do in GLSL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from effort import times
from spirv import outside, shaders
from spirv.compiled import Refusal
from spirv.random_glsl import shader
from spirv.variables import Places, faults, machine_of, placed

LINES = Path(__file__).parent / "lines"
RANDOM = (3,)
PART = 0.5  # of components that have a place, at least


def _places(name: str, patch: pytest.MonkeyPatch) -> Places:
    return placed((LINES / f"{name}.spv").read_bytes(), patch)


def _scopes(turns: int, *, flipped: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    random = np.random.default_rng(turns)

    def numbers(*shape: int) -> Any:
        return random.integers(1, 16, shape) / 4

    given = {"place": numbers(2, 4), "normal": numbers(2, 3)}
    return given, {"projection": numbers(4, 4), "tints": numbers(4, 4), "count": turns, "flipped": flipped}


@pytest.mark.parametrize("name", ["lamp", "lamps", "wave"])
def test_shaders(name: str, monkeypatch: pytest.MonkeyPatch):
    given = shaders.for_level(name, "O0", shaders.data(name, 2))
    wrong, held, every = faults(_places(name, monkeypatch), given.inputs, given.uniforms, 2, 0)
    assert not wrong
    assert held > PART * every


@pytest.mark.parametrize("flipped", [False, True])
def test_names_and_loops(flipped: bool, monkeypatch: pytest.MonkeyPatch):
    places = _places("scopes", monkeypatch)
    wrong, held, every = faults(places, *_scopes(0 if flipped else 3, flipped=flipped), 2, 1)
    assert not wrong
    assert held > PART * every


@pytest.mark.parametrize("seed", RANDOM)
def test_random_shaders(seed: int, monkeypatch: pytest.MonkeyPatch):
    inputs, uniforms = shader(seed, 24).data(2, seed, nan=False)
    wrong, held, _ = faults(_places(f"random{seed}", monkeypatch), inputs, uniforms, 2, 0)
    assert not wrong
    assert held


@pytest.mark.skipif(bool(outside.missing()), reason=outside.missing())
def test_more_random_shaders(monkeypatch: pytest.MonkeyPatch):
    for seed in range(100, 100 + times(0, 300)):
        made = shader(seed, 24)
        inputs, uniforms = made.data(2, seed, nan=False)
        try:
            places = placed(outside.compiled(made.text, made.form, outside.O0, lines=True), monkeypatch)
        except (outside.Refused, Refusal):
            continue
        assert not faults(places, inputs, uniforms, 2, 0)[0], seed


def test_a_turn_of_a_loop_shows_its_own_number(monkeypatch: pytest.MonkeyPatch):
    places = _places("scopes", monkeypatch)
    machine = machine_of(places, *_scopes(3), 2, 0)
    shown: list[tuple[int, float]] = []
    while not machine.finished:
        loops = machine.loops()
        active = places.variables[machine.address]
        for variable in active[-1].variables if loops and active else ():
            part = variable.components[0]
            value = machine.read(part) if isinstance(part, str) else None
            if variable.name == "i" and part is not None:
                shown.append((loops[0].iteration, float(value.number if value is not None else part)))
        machine.advance()
    assert {number for number, _ in shown} == {1, 2, 3}
    # In front of the step it is still the number of the turn, and behind it that of the next.
    assert all(value in (number - 1, number) for number, value in shown)


def test_scopes(monkeypatch: pytest.MonkeyPatch):
    places = _places("scopes", monkeypatch)
    lines = places.compiled.vector.lines
    seen: dict[int, list[list[str]]] = {}
    for active, line in zip(places.variables, places.lines, strict=True):
        if active:
            seen.setdefault(
                lines[line].line, [[each.function, *[variable.name for variable in each.variables]] for each in active]
            )
    # Functions in functions, the innermost first, each with its own variables.
    assert [frame[0] for frame in seen[16]] == ["weight", "main"]
    assert seen[16][0][1:] == ["x", "turn", "k"]
    assert [frame[0] for frame in seen[23]] == ["mixed", "main"]
    assert seen[23][0] == ["mixed", "n", "k", "w", "k2"]
    # The vectors of a matrix, the elements of an array, the members of a struct.
    assert {"turned[0]", "turned[2]", "ends[1]", "pair.low", "pair.high", "high"} <= set(seen[54][-1])
    # Blocks end: the variable of the first loop is no more.
    assert "i" in seen[31][-1]
    assert "i" not in seen[54][-1]
    assert "t" not in seen[54][-1]


def test_a_variable_that_hides_another(monkeypatch: pytest.MonkeyPatch):
    """Inside of the block `step` is 8.0, whatever the one outside of it is."""
    places = _places("scopes", monkeypatch)
    found: set[object] = set()
    for active, line in zip(places.variables, places.lines, strict=True):
        if active and places.compiled.vector.lines[line].line == 34:
            found |= {variable.components[0] for variable in active[-1].variables if variable.name == "step"}
    assert found <= {8.0}
