"""Draw the three shaders of this folder as the top screen of a 3DS shows them.

python examples/glsl/draw.py [FOLDER]        writes toon.svg, skinning.svg and particle.svg

It runs their SPIR-V. `lw.load("toon.vert")` does the same with a compiler of GLSL.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

HERE = Path(__file__).resolve().parent
Array = NDArray[np.float64]
Faces = NDArray[np.int64]


def surface(around: int, across: int, *, closed: bool) -> Faces:
    """The triangles of a grid of vertices whose rows are rings; `closed`: the last row is followed by the first."""
    number = np.arange(around * across).reshape(around, across)
    right, up = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    corner = np.roll(right, -1, axis=1)
    found = np.stack([np.stack([number, up, corner], axis=-1), np.stack([number, corner, right], axis=-1)], axis=2)
    return (found if closed else found[:-1]).reshape(-1, 3)


def ring(around: int = 32, across: int = 12) -> tuple[Array, Array, Faces]:
    """Positions, normals and triangles of a ring."""
    big, small = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    normals = np.stack([np.cos(big) * np.cos(small), np.sin(small), np.sin(big) * np.cos(small)], axis=-1)
    positions = np.stack([np.cos(big), np.zeros_like(big), np.sin(big)], axis=-1) + 0.4 * normals
    return positions.reshape(-1, 3), normals.reshape(-1, 3), surface(around, across, closed=True)


def tube(along: int = 17, across: int = 10) -> tuple[Array, Array, Faces]:
    """Positions, normals and triangles of a tube of length 2 around x."""
    x, angle = np.meshgrid(np.linspace(-1, 1, along), np.arange(across) * 2 * np.pi / across, indexing="ij")
    normals = np.stack([np.zeros_like(x), np.cos(angle), -np.sin(angle)], axis=-1)
    positions = np.stack([x, 0.3 * normals[..., 1], 0.3 * normals[..., 2]], axis=-1)
    return positions.reshape(-1, 3), normals.reshape(-1, 3), surface(along, across, closed=False)[:, ::-1]


def projection(near: float = 0.1, far: float = 100.0) -> Array:
    """A perspective projection for the console: the screen is turned, depth is from -1 (near) to 0 (far)."""
    matrix = np.zeros((4, 4))
    matrix[0, 1], matrix[1, 0] = 2.0, -1.2
    matrix[2, 2:] = near / (near - far), far * near / (near - far)
    matrix[3, 2] = -1.0
    return matrix


def moved(angle: float, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """A turn around z, then a move: three rows."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine, 0, x], [sine, cosine, 0, y], [0, 0, 1, z]])


def toon() -> str:
    """A ring in bands of light."""
    positions, normals, faces = ring()
    cosine, sine = np.cos(0.7), np.sin(0.7)
    view = np.array([[1, 0, 0, 0], [0, cosine, -sine, 0.05], [0, sine, cosine, -3.6], [0, 0, 0, 1]])
    uniforms = {
        "projection": projection(),
        "modelview": view,
        "sun": [0.48, 0.6, 0.64],
        "bands": 4,
        "shade": [0.15, 0.05, 0.2],
        "paint": [0.8, 0.6, 0.4],
        "glossy": True,
    }
    result = lw.load(HERE / "toon.spv").vertex.run({"position": positions, "normal": normals}, uniforms)
    return result.svg(faces, shading="flat")


def skinning() -> str:
    """A tube that bends in the middle, between two bones."""
    positions, normals, faces = tube()
    second = np.clip(positions[:, :1] * 2 + 0.5, 0, 1)
    palette = np.zeros((54, 4))
    palette[:3], palette[3:6] = moved(0.2, z=-3), moved(1.0, x=-0.05, y=0.05, z=-3)
    uniforms = {
        "projection": projection(), "palette": palette, "ambient": [0.1, 0.1, 0.15, 1],
        "direction": [[0, 0.6, 0.8, 0], [-1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "light": [[0.9, 0.6, 0.3, 1], [0, 0.1, 0.5, 1], [0, 0, 0, 0], [0, 0, 0, 0]], "lamps": 2,
    }  # fmt: skip
    inputs = {"position": positions, "normal": normals, "joints": [[0, 1]], "weights": np.hstack([1 - second, second])}
    return lw.load(HERE / "skinning.spv").vertex.run(inputs, uniforms).svg(faces, shading="flat")


def particle(count: int = 60) -> str:
    """A fountain of squares."""
    number = np.repeat(np.arange(count), 4)
    corners = np.tile([[-1, -1], [1, -1], [1, 1], [-1, 1]], (count, 1))
    angle = number * 2.4
    velocity = np.stack([0.7 * np.cos(angle), 2.6 + 0.3 * np.sin(number * 1.7), 0.7 * np.sin(angle)], axis=-1)
    uniforms = {
        "projection": projection(),
        "source": [0, -0.8, -3],
        "time": 0.95,
        "gravity": [0, -4.6, 0],
        "size": 0.09,
        "young": [0.95, 0.95, 0.6, 1],
        "old": [0.1, 0.2, 0.7, 1],
    }
    inputs = {"velocity": velocity, "corner": corners, "start": (number / count)[:, None]}
    faces = (4 * np.arange(count)[:, None] + [0, 1, 2, 0, 2, 3]).reshape(-1, 3)
    return lw.load(HERE / "particle.spv").vertex.run(inputs, uniforms).svg(faces, shading="flat")


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0] if arguments else ".")
    for draw in (toon, skinning, particle):
        path = folder / f"{draw.__name__}.svg"
        path.write_text(draw(), encoding="utf-8", newline="\n")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
