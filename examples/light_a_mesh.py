"""Load a shader, run it on the vertices of a mesh, print what the console would compute.

python examples/light_a_mesh.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import lanewise as lw

HERE = Path(__file__).resolve().parent


def read_obj(path: Path) -> tuple[list[list[float]], list[list[float]]]:
    """Positions and normals of the corners of all faces, in order."""
    vertices: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
    positions: list[list[float]] = []
    normals: list[list[float]] = []
    for line in path.read_text().splitlines():
        kind, *values = line.split() or [""]
        if kind in vertices:
            vertices[kind].append([float(value) for value in values])
        elif kind == "f":
            corners = [[int(number) - 1 for number in corner.split("/")] for corner in values]
            positions += [vertices["v"][position] for position, _, _ in corners]
            normals += [vertices["vn"][normal] for _, _, normal in corners]
    return positions, normals


def main() -> None:
    positions, normals = read_obj(HERE / "tetra.obj")
    shader = lw.load(HERE / "lighting.v.pica").vertex

    quarter = np.pi / 4
    turn = np.eye(4)
    turn[0, [0, 2]] = np.cos(quarter), np.sin(quarter)
    turn[2, [0, 2]] = -np.sin(quarter), np.cos(quarter)

    result = shader.run(
        inputs={"position": positions, "normal": normals},
        uniforms={
            "projection": np.eye(4),
            "modelview": turn,
            "ambient": [0.1, 0.1, 0.1],
            "direction": [[0, 0, 1], [0, 1, 0]],
            "light": [[0.9, 0.6, 0.3], [0, 0, 0.5]],
            "lights": [1, 0, 1],
        },
    )

    print(f"{result.lanes} vertices: x y z, red green blue")
    rows = np.hstack((result.outputs["position"][:, :3], result.outputs["color"][:, :3]))
    print(np.array2string(rows, precision=4, suppress_small=True))


if __name__ == "__main__":
    main()
