"""The triangles of a scene as mesh files: OBJ, PLY, and tables of vertices, CSV and Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.drawing.scene import colours_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.drawing.scene import Scene

_LETTERS = "xyzw"
TABLES = (".csv", ".parquet")  # of vertices, without triangles
_POSITION, _TEXTURE = "position", "texcoord0"


def mesh_bytes(scene: Scene, suffix: str) -> tuple[bytes, tuple[str, ...]]:
    """A mesh file of a kind (`.obj`, `.ply`, `.csv`, `.parquet`), and sentences on what it cannot hold. Vertices are in the
    order of their numbers. Raises InputFailure without a library that writes the kind."""
    if suffix in TABLES:
        return _table(scene, suffix)
    numbers, first = scene.rows()
    faces = np.searchsorted(numbers, scene.vertices)
    outputs = {name: np.asarray(array).reshape(-1, array.shape[-1])[first] for name, array in scene.outputs.items()}
    content, lost = (_obj if suffix == ".obj" else _ply)(scene, outputs, faces, first)
    return content, (*lost, *_left_out(scene.loose().tolist()))


def _left_out(loose: list[int]) -> tuple[str, ...]:
    """A sentence on the vertices that are in no whole triangle."""
    if not loose:
        return ()
    listed = ", ".join(map(str, loose[:8])) + (", ..." if len(loose) > 8 else "")
    some = f"vertex {listed} is" if len(loose) == 1 else f"{len(loose)} vertices ({listed}) are"
    return (f"{some} in no whole triangle and left out; .csv has a row for every vertex",)


def table_bytes(columns: Mapping[str, NDArray[Any]], suffix: str = ".csv") -> bytes:
    """CSV or Parquet of columns by their names. Raises InputFailure without a library that writes it."""
    if suffix != ".csv":
        from lanewise.arrays.parquet import parquet_bytes

        return parquet_bytes(columns)
    texts = [[f"{value:.9g}" for value in column.tolist()] for column in columns.values()]
    return "\n".join([",".join(columns), *[",".join(row) for row in zip(*texts, strict=True)], ""]).encode()


def _obj(
    scene: Scene, outputs: dict[str, NDArray[Any]], faces: NDArray[np.int64], first: NDArray[np.int64]
) -> tuple[bytes, tuple[str, ...]]:
    """`v` is x, y, z of the position, with red, green and blue of the vertex colour behind it; `vt` the first texture
    coordinates."""
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
    """Binary PLY: x, y, z, w of the position, the vertex colour in bytes as `red` to `alpha`, texture coordinates as `s`, `t`,
    others as NAME_x."""
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
        "ply",
        "format binary_little_endian 1.0",
        "comment lanewise run",
        f"element vertex {len(table)}",
        *[f"property {kinds[kind]} {name}" for name, kind in fields],
        f"element face {len(listed)}",
        "property list uchar int vertex_indices",
        "end_header",
        "",
    ]
    return "\n".join(header).encode() + table.tobytes() + listed.tobytes(), tuple(lost)


def _table(scene: Scene, suffix: str) -> tuple[bytes, tuple[str, ...]]:
    """A row for each vertex, those of no triangle too, with a column for each component: `vertex`, `position.x`, ..."""
    if scene.every is not None:
        numbers, outputs = scene.every
    else:
        numbers, first = scene.rows()
        outputs = {name: np.asarray(array).reshape(-1, array.shape[-1])[first] for name, array in scene.outputs.items()}
    columns = columns_of(outputs, scene.volume.colour)
    kind = "CSV" if suffix == ".csv" else "Parquet"
    lost = (f"{kind} has no place for triangles: a row is a vertex",) if scene.triangles else ()
    return table_bytes({"vertex": numbers, **columns}, suffix), lost


def columns_of(outputs: Mapping[str, NDArray[Any]], colour: str) -> dict[str, NDArray[Any]]:
    """Outputs, (lanes, components), as columns by the names that CSV has for them; `colour` is the one with r, g, b and a."""
    return {
        f"{name}.{letter}": array[:, place]
        for name, array in outputs.items()
        for place, letter in enumerate(
            ("rgba" if name == colour else "uvwq" if name.startswith("texcoord") else _LETTERS)[: array.shape[-1]]
        )
    }


def _texts(rows: NDArray[Any]) -> list[str]:
    """Each row as text with nine digits, which give every float32 back."""
    return [" ".join([f"{number:.9g}" for number in row]) for row in np.asarray(rows, np.float64).tolist()]
