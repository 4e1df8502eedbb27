"""What a shader in GLSL is given: random numbers for its inputs and uniforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[Any]

LOOSE, BLOCK = "loose", "block"


class Uniform(NamedTuple):
    """A uniform: its type, how many elements (0: not an array), the numbers that it has."""

    type: str
    elements: int = 0
    low: float = -1.5
    high: float = 1.5


class Shader(NamedTuple):
    """A source and what it is given. `form`: uniforms are loose (OpenGL) or in a block (Vulkan)."""

    text: str
    inputs: Mapping[str, str]
    uniforms: Mapping[str, Uniform]
    form: str = LOOSE

    def data(self, count: int, seed: int, nan: bool = True) -> tuple[dict[str, Array], dict[str, Array]]:
        """Inputs for `count` vertices and uniforms: float24 numbers, some of them 0 or 1, some inputs NaN."""
        return random_data(self.inputs, self.uniforms, count, seed, nan)


def shape(kind: str) -> tuple[int, ...]:
    """The array of a type: `M[row, column]` for matrices."""
    if kind.startswith("mat"):
        columns, _, rows = kind[3:].partition("x")
        return int(rows or columns), int(columns)
    return (int(kind[-1]),) if kind[-4:-1].endswith("vec") else ()


def float24(values: Array) -> Array:
    """The numbers cut to 16 fraction bits."""
    bits = values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFFF80)
    return bits.view(np.float32).astype(np.float64)


def random_data(
    inputs: Mapping[str, str], uniforms: Mapping[str, Uniform], count: int, seed: int, nan: bool = True
) -> tuple[dict[str, Array], dict[str, Array]]:
    rng = np.random.default_rng(seed)

    def numbers(size: tuple[int, ...], low: float, high: float, plain: float) -> Array:
        values = float24(rng.uniform(low, high, size))
        return np.where(rng.random(size) < plain, rng.choice([0.0, 1.0, -1.0, 0.5, 2.0], size), values)

    given: dict[str, Array] = {}
    for name, kind in inputs.items():
        values = numbers((count, *shape(kind)), -2.0, 2.0, 0.05)
        given[name] = np.where(rng.random(values.shape) < 0.003, np.nan, values) if nan else values
    settings: dict[str, Array] = {}
    for name, uniform in uniforms.items():
        size = ((uniform.elements,) if uniform.elements else ()) + shape(uniform.type)
        if uniform.type == "bool":
            settings[name] = np.asarray(rng.random(size) < 0.5)
        elif uniform.type in {"int", "uint"}:
            settings[name] = np.asarray(rng.integers(int(uniform.low), int(uniform.high) + 1, size))
        else:
            settings[name] = numbers(size, uniform.low, uniform.high, 0.1)
    return given, settings
