"""The triangles of a scene as mesh files: OBJ, PLY, CSV."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from lanewise.drawing.scene import colours_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.drawing.scene import Scene

_LETTERS = "xyzw"
_POSITION, _TEXTURE = "position", "texcoord0"


def mesh_bytes(scene: Scene, suffix: str) -> tuple[bytes, tuple[str, ...]]:
    """A mesh file of a kind (`.obj`, `.ply`, `.csv`), and sentences on what it cannot hold. Vertices are in the order of their numbers."""
    numbers, first = scene.rows()
    faces = np.searchsorted(numbers, scene.vertices)
    outputs = {name: np.asarray(array).reshape(-1, array.shape[-1])[first] for name, array in scene.outputs.items()}
    if suffix == ".obj":
        return _obj(scene, outputs, faces, first)
    if suffix == ".ply":
        return _ply(scene, outputs, faces, first)
    return _csv(scene, outputs, numbers)


def _obj(
    scene: Scene, outputs: dict[str, NDArray[Any]], faces: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[bytes, tuple[str, ...]]:
    """`v` is x, y, z of the position, with red, green and blue of the vertex colour behind it; `vt` the first texture coordinates."""
    lost: list[str] = []
    position, colour = outputs[_POSITION], scene.volume.colour
    rows = position[:, :3]
    if np.any(position[:, 3] != 1.0):
        lost.append("OBJ has no place for position.w: x, y and z are not divided by it")
    if colour in outputs:
        colours = colours_of(scene, colour).reshape(-1, 4)[first]
        rows = np.hstack([rows, colours[:, :3]])
        if np.any(colours[:, 3] != 1.0):
            lost.append(f"OBJ has no place for {colour}.{'rgba'[3]}")
    lines = [f"v {text}" for text in _texts(rows)]
    texture = _TEXTURE in outputs and outputs[_TEXTURE].shape[-1] >= 2
    if texture:
        lines += [f"vt {text}" for text in _texts(outputs[_TEXTURE][:, :2])]
    pattern = "{0}/{0}" if texture else "{0}"
    lines += ["f " + " ".join([pattern.format(corner + 1) for corner in face]) for face in faces.tolist()]
    held = {_POSITION, colour, *([_TEXTURE] if texture else [])}
    rest = [name for name in outputs if name not in held]
    if rest:
        lost.append(f"OBJ has no place for {', '.join(rest)}: .ply and .csv hold every output")
    return ("\n".join(lines) + "\n").encode(), tuple(lost)


def _ply(
    scene: Scene, outputs: dict[str, NDArray[Any]], faces: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[bytes, tuple[str, ...]]:
    """Binary PLY: x, y, z, w of the position, the vertex colour in bytes as `red` to `alpha`, texture coordinates as `s`, `t`, others as NAME_x."""
    fields: list[tuple[str, str]] = []
    columns: list[NDArray[Any]] = []
    lost: list[str] = []
    for name, array in outputs.items():
        if name == scene.volume.colour:
            colours = colours_of(scene, name).reshape(-1, 4)[first]
            fields += [(channel, "u1") for channel in ("red", "green", "blue", "alpha")]
            columns += list(np.rint(colours * 255).astype(np.uint8).T)
            if np.any(array != np.rint(colours[:, : array.shape[-1]] * 255) / 255):
                lost.append(f"PLY has {name} in 8 bits; .csv has the numbers")
            continue
        letters = (
            list(_LETTERS)
            if name == _POSITION
            else ["s", "t"]
            if name == _TEXTURE
            else [f"{name}_{letter}" for letter in _LETTERS]
        )
        fields += [(letter, "<f4") for letter in letters[: array.shape[-1]]]
        columns += list(np.asarray(array[:, : len(letters)], np.float32).T)
    table = np.zeros(len(first), np.dtype(fields))
    for (name, _), column in zip(fields, columns, strict=True):
        table[name] = column
    listed = np.zeros(len(faces), np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
    listed["count"], listed["corners"] = 3, faces
    kinds = {"u1": "uchar", "<f4": "float"}
    header = [
        "ply", "format binary_little_endian 1.0", "comment lanewise run", f"element vertex {len(table)}",
        *[f"property {kinds[kind]} {name}" for name, kind in fields],
        f"element face {len(listed)}", "property list uchar int vertex_indices", "end_header", "",
    ]  # fmt: skip
    return "\n".join(header).encode() + table.tobytes() + listed.tobytes(), tuple(lost)


def _csv(scene: Scene, outputs: dict[str, NDArray[Any]], numbers: NDArray[np.int64]) -> tuple[bytes, tuple[str, ...]]:
    """A row for each vertex with a column for each component: `vertex`, `position.x`, ..."""
    names = [f"{name}.{letter}" for name, array in outputs.items() for letter in _letters(scene, name)[: array.shape[-1]]]
    rows = np.hstack([np.asarray(array, np.float32) for array in outputs.values()])
    stream = io.StringIO()
    stream.write(",".join(["vertex", *names]) + "\n")
    for number, text in zip(numbers.tolist(), _texts(rows, ","), strict=True):
        stream.write(f"{number},{text}\n")
    lost = ("CSV has no place for triangles: a row is a vertex",) if scene.triangles else ()
    return stream.getvalue().encode(), lost


def _letters(scene: Scene, name: str) -> str:
    return "rgba" if name == scene.volume.colour else "uvw" if name.startswith("texcoord") else _LETTERS


def _texts(rows: NDArray[Any], gap: str = " ") -> list[str]:
    """Each row as text with nine digits, which give every float32 back."""
    return [gap.join([f"{number:.9g}" for number in row]) for row in np.asarray(rows, np.float64).tolist()]
