"""The shaders of `shaders/`, in GLSL and as SPIR-V of two levels, and data for them.

NAME.O0.spv is what `glslangValidator -G` writes, with names; NAME.O.spv what `glslc --target-env=opengl -O` does, without
(`lamps`: `glslangValidator -G -Os`, because spirv-opt refuses a loose uniform bool).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spirv.evaluator import Evaluator
from spirv.given import float24

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]

FOLDER = Path(__file__).parent / "shaders"
NAMES = ("triangle", "sprite", "lamp", "facing", "tangent", "skin", "lamps", "wave", "chains", "ordered")
LEVELS = ("O0", "O")
BONES = 20


class Range(NamedTuple):
    """From where to where the numbers are; `whole`: integers."""

    low: float = -2.0
    high: float = 2.0
    whole: bool = False


USUAL = Range()
RANGES: Mapping[str, Range] = {
    "sprite.bytes": Range(0, 255, whole=True),
    "skin.bone": Range(0, BONES - 1, whole=True),
    "skin.weight": Range(0, 1),
    "lamps.kind": Range(0, 4, whole=True),
    "lamps.count": Range(0, 6, whole=True),
    "lamps.tints": Range(0, 1),
    "wave.steps": Range(0, 4, whole=True),
    "lamp.light": Range(0, 1),
    "lamp.ambient": Range(0, 0.5),
    "lamp.diffuse": Range(0, 1),
    "lamp.specular": Range(0, 1),
    "lamp.emission": Range(0, 0.25),
}


class Data(NamedTuple):
    inputs: dict[str, Array]
    uniforms: dict[str, Array]


def binary(name: str, level: str) -> bytes:
    return (FOLDER / f"{name}.{level}.spv").read_bytes()


def source(name: str) -> str:
    return (FOLDER / f"{name}.vert").read_text(encoding="utf-8")


def data(name: str, count: int, seed: int = 0) -> Data:
    """By the names of the source."""
    rng = np.random.default_rng([seed, *name.encode()])
    found = Evaluator(binary(name, "O0")).interface()

    def numbers(variable: str, size: tuple[int, ...]) -> Array:
        low, high, whole = RANGES.get(f"{name}.{variable}", USUAL)
        if whole:
            return rng.integers(int(low), int(high) + 1, size).astype(np.float64)
        return float24(rng.uniform(low, high, size))

    inputs = {variable: numbers(variable, (count, *shape(kind))) for variable, (kind, _) in found.inputs.items()}
    uniforms = {variable: numbers(variable, shape(kind)) for variable, (kind, _) in found.uniforms.items()}
    for variable, (kind, _) in found.uniforms.items():
        if kind == "bool":
            uniforms[variable] = np.asarray(rng.random() < 0.5)
        elif kind == "int":
            uniforms[variable] = uniforms[variable].astype(np.int64)
    if name == "skin":  # bones are of three rows each
        inputs["bone"] = inputs["bone"] * 3
    return Data(inputs, uniforms)


def shape(kind: str) -> tuple[int, ...]:
    """Of a type as GLSL writes it; a matrix is `M[row, column]`."""
    base, _, rest = kind.partition("[")
    sizes = tuple(int(part) for part in rest.rstrip("]").split("][")) if rest else ()
    if base.startswith("mat"):
        columns, _, rows = base[3:].partition("x")
        return (*sizes, int(rows or columns), int(columns))
    return (*sizes, int(base[-1])) if base[-4:-1].endswith("vec") else sizes


def renamed(values: Mapping[str, Array], variables: Mapping[str, tuple[str, int]], prefix: str) -> dict[str, Array]:
    """Values by locations, for modules without names."""
    return {f"{prefix}{location}": values[name] for name, (_, location) in variables.items()}


def has_names(name: str, level: str) -> bool:
    return level == "O0" or name == "lamps"


def for_level(name: str, level: str, given: Data, inputs: str = "location ", uniforms: str = "location ") -> Data:
    """The data with the names that the module of a level has: those of the source, or a prefix and the location."""
    if has_names(name, level):
        return given
    found = Evaluator(binary(name, "O0")).interface()
    return Data(renamed(given.inputs, found.inputs, inputs), renamed(given.uniforms, found.uniforms, uniforms))
