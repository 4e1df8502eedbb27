"""Modules of tests/compile/spirv/shaders: lowered, verified, and run on Python's numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.compile.spirv.lower import Lowered, Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.vector.interpret import Floats, interpret
from lanewise.compile.vector.verify import verify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from lanewise.compile.vector.code import Program, Uniform

SHADERS = Path(__file__).parent / "shaders"
LEVELS = ("O0", "O")
# Every location is a semantic of its own, so that outputs of tests may have any name.
LOCATIONS = {number: f"out{number}" for number in range(16)}
ALL = Options(output_locations=LOCATIONS, semantics={"position": 4} | {f"out{number}": 4 for number in range(16)})


def module(name: str, level: str = "O0") -> Module:
    path = SHADERS / f"{name}.{level}.spv"
    found = read_module(path.read_bytes(), path.name)
    assert isinstance(found, Module), found
    return found


@cache
def lowered(name: str, level: str = "O0") -> Lowered:
    return lower(module(name, level), ALL)


@cache
def program(name: str, level: str) -> Program:
    made = lowered(name, level)
    assert made.program is not None, made.diagnostics
    verify(made.program)
    return made.program


def rows(uniform: Uniform, value: ArrayLike) -> list[list[float]]:
    """The registers of a uniform: rows of matrices M[row, column], elements of arrays one after the other."""
    found = np.asarray(value, np.float64).reshape(uniform.rows, uniform.columns)
    return [[*row, 0.0, 0.0, 0.0, 0.0][:4] for row in found.tolist()]


def run(name: str, level: str, inputs: Mapping[str, ArrayLike], uniforms: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
    """The outputs of a module for one vertex, by name."""
    return run_program(program(name, level), inputs, uniforms)


def run_program(made: Program, inputs: Mapping[str, ArrayLike], uniforms: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
    """The outputs of a vector program for one vertex, by name."""
    given: list[list[float]] = []
    for each in made.inputs:
        row = np.atleast_1d(np.asarray(inputs[each.name], np.float64)).tolist()
        assert len(row) == each.lanes, each
        given.append([*row, *[0.0, 0.0, 0.0, 1.0][len(row) :]])
    settings = [rows(uniform, uniforms[uniform.name]) for uniform in made.uniforms]
    flags = [bool(uniforms[flag.name]) for flag in made.flags]
    counts = [max(0, int(np.asarray(uniforms[count.name]))) for count in made.counts]
    found = interpret(made, Floats(), given, settings, flags, counts)
    return {name: np.array(values) for name, values in found.items()}
