"""Light a ring with a shader and draw it as the top screen of a 3DS shows it.

python examples/draw_a_ring.py [ring.svg]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

HERE = Path(__file__).resolve().parent
Array = NDArray[np.float64]


def ring(around: int = 32, across: int = 12) -> tuple[Array, Array, NDArray[np.int64]]:
    """Positions, normals and triangles of a ring in the plane of x and z."""
    big, small = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    normals = np.stack([np.cos(big) * np.cos(small), np.sin(small), np.sin(big) * np.cos(small)], axis=-1)
    positions = np.stack([np.cos(big), np.zeros_like(big), np.sin(big)], axis=-1) + 0.4 * normals
    number = np.arange(around * across).reshape(around, across)
    right, up = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    corner = np.roll(right, -1, axis=1)
    faces = np.concatenate([np.stack([number, up, corner], axis=-1), np.stack([number, corner, right], axis=-1)])
    return positions.reshape(-1, 3), normals.reshape(-1, 3), faces.reshape(-1, 3)


def projection(near: float = 0.1, far: float = 100.0) -> Array:
    """A perspective projection for the console: the screen is turned, depth is from -1 (near) to 0 (far)."""
    matrix = np.zeros((4, 4))
    matrix[0, 1], matrix[1, 0] = 2.0, -1.2
    matrix[2, 2:] = near / (near - far), far * near / (near - far)
    matrix[3, 2] = -1.0
    return matrix


def main(arguments: list[str]) -> None:
    positions, normals, faces = ring()
    cosine, sine = np.cos(0.7), np.sin(0.7)
    view = np.array([[1, 0, 0, 0], [0, cosine, -sine, 0.05], [0, sine, cosine, -3.6], [0, 0, 0, 1]])
    result = lw.load(HERE / "lighting.v.pica").vertex.run(
        inputs={"position": positions, "normal": normals},
        uniforms={
            "projection": projection(),
            "modelview": view,
            "ambient": [0.12, 0.12, 0.16],
            "direction": [[0.6, 0.64, 0.48], [-0.8, 0.36, 0.48]],
            "light": [[0.8, 0.5, 0.2], [0.1, 0.25, 0.5]],
            "lights": [1, 0, 1],
        },
    )
    print(result.visibility(faces).text().splitlines()[0])
    path = Path(arguments[0] if arguments else "ring.svg")
    path.write_text(result.svg(faces, shading="flat"), encoding="utf-8", newline="\n")
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
