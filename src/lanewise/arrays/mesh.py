"""Vertices of mesh files (OBJ, PLY, STL, GLB), bound to shader inputs."""

from __future__ import annotations

import io
import re
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.matrices import rows_of, turns_faces
from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic
from lanewise.core.extras import extra
from lanewise.core.service import InputFailure
from lanewise.core.source import Span, decode_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.service import Files

SUFFIXES = (".obj", ".ply", ".stl", ".glb")
PROPERTIES = ("position", "normal", "texcoord", "color")

# What the names of inputs that want a property look like, after `in`, `a_` and the like have been taken off.
_LIKE = {
    "position": re.compile(r"(pos(ition)?|vert(ex)?|xyz|coord)"),
    "normal": re.compile(r"(norm(al)?|nrm|nrml)"),
    "texcoord": re.compile(r"((t(ex)?)?(coord|crd)|tex|uv|st)"),
    "color": re.compile(r"(colou?r|col|clr|rgba?)"),
}
_NEARLY_ALL = 0.9
_ZERO = re.compile(rb"^f(?=[ \t])[^\r\n]*?[ \t/]0(?![0-9])", re.MULTILINE)  # a corner 0
_COORDINATES = re.compile(rb"^f(?=[ \t])[^\r\n]*?[0-9]/-?[0-9]", re.MULTILINE)  # corners with texture coordinates
_OF_NORMALS = re.compile(rb"^f(?=[ \t])[^\r\n]*?[0-9]/[^/\s]*/-?[0-9]", re.MULTILINE)
_DECORATION = re.compile(r"^(in|attr(ibute)?|vtx|vertex|a|v|i)(?=[_A-Z])|^in(?=[a-z]{2})|[_.$]")


class Mesh:
    """The vertices of a file: properties as arrays of one length, float64: position and normal (n, 3), texcoord (n, 2), color
    (n, 4).

    `faces` are the vertices of its triangles, (triangles, 3); None if the file has only vertices. `computed` are the properties
    that the file does not have. `read` and `bind` note them in `taken`. `turned`: the faces turn clockwise as seen from where
    the normals of the file point.
    """

    def __init__(
        self,
        path: str,
        arrays: Mapping[str, NDArray[Any]],
        faces: NDArray[np.int64] | None = None,
        computed: frozenset[str] = frozenset(),
        *,
        turned: bool = False,
    ) -> None:
        self.path: str = path
        self.arrays: Mapping[str, NDArray[Any]] = arrays
        self.faces: NDArray[np.int64] | None = faces
        self.computed: frozenset[str] = computed
        self.turned: bool = turned
        self.taken: set[str] = set()

    def read(self, name: str, what: str) -> NDArray[Any]:
        """A property. Raises InputFailure."""
        if name not in self.arrays:
            has = ", ".join(self.arrays)
            raise InputFailure(f"{what}: {self.path} has no {name}: it has {has}")
        self.taken.add(name)
        return self.arrays[name]

    def bind(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The properties for inputs with matching names, each for the first match."""
        found: dict[str, NDArray[Any]] = {}
        used: set[str] = set()
        for name in names:
            kind = wanted(name)
            if kind in self.arrays and kind not in used:
                used.add(kind)
                found[name] = self.arrays[kind]
        self.taken |= used
        return found

    def warnings(self, cull: str = "", matrices: Iterable[object] = ()) -> list[Diagnostic]:
        """Notes about properties that a run takes and that the file does not have, and a warning about faces of which the wrong
        side is culled: `cull` is what the run asks for, empty for the back. Matrices among the uniforms may turn them back."""
        back = sum(rows is not None and turns_faces(rows) for rows in map(rows_of, matrices)) % 2
        turned = Diagnostic(
            code="B043",
            severity=WARNING,
            message="the faces turn clockwise as seen from where their normals point: the outside is culled",
            span=Span(file=self.path),
            fix="exchange two corners of each face in the exporter, or cull the other "
            "side: `--cull front`, in a program C3D_CullFace(GPU_CULL_FRONT_CCW)",
        )
        return [
            *([turned] if self.turned and not back and cull in {"", "back"} else []),
            *(
                Diagnostic(
                    code="B024",
                    severity=NOTE,
                    message=f"the mesh has no {name}s: those of its faces are computed",
                    span=Span(file=self.path),
                    fix=f"export it with {name}s: a program that loads the file has none",
                )
                for name in sorted(self.computed & self.taken)
            ),
        ]


def wanted(name: str) -> str:
    """The property that an input of this name wants, or nothing: `inpos`, `a_position`, `vertexPosition` want `position`."""
    bare = name
    if not any(pattern.fullmatch(name.lower()) for pattern in _LIKE.values()):
        bare = _DECORATION.sub("", name)
    bare = bare.lower().rstrip("0")
    return next((kind for kind, pattern in _LIKE.items() if pattern.fullmatch(bare)), "")


def read_mesh(path: str, files: Files) -> Mesh:
    """Read the vertices of a mesh file. Raises InputFailure.

    Several meshes of one file come one after the other, at their places in the scene. Vertices that differ in normal or texture
    coordinates are separate. Normals are computed from the faces if the file has none.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        if not files.exists(path):
            files.read(path)  # says that it is not there, and what may be meant
        values = "; --uniforms takes files of values" if suffix in (".json", ".toml") else ""
        values = f"; --input position={path} takes arrays" if suffix in (".npy", ".npz", ".csv", ".parquet") else values
        fix = values or (
            "; export it as .glb" if suffix == ".gltf" else "; export it as .obj, Wavefront's format, with normals"
        )
        raise InputFailure(f"{path}: a mesh is one of {' '.join(SUFFIXES)}{fix}")
    try:
        trimesh: Any = import_module("trimesh")  # by name, as it may not be there
    except ImportError:
        raise InputFailure(f"reading meshes needs trimesh: {extra('mesh')}") from None
    import logging

    logging.getLogger("trimesh").setLevel(logging.CRITICAL + 1)  # it logs tracebacks about packages that it can do without
    data = files.read(path)
    if suffix == ".obj":
        data = decode_text(data).encode()  # trimesh reads only UTF-8
    # trimesh reads damaged headers of PLY and files with less than they promise, and takes 0 in a face of OBJ for the last
    if suffix == ".ply" or (suffix == ".obj" and _ZERO.search(data)):
        _refuse(data, path, suffix)
    wrong, own = "", True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about normals of faces without area and numbers out of range
            loaded: Any = trimesh.load(io.BytesIO(data), file_type=suffix[1:], process=False)
            placed = _placed(loaded)
            wrong = next((text for mesh, _ in placed if (text := _wrong_face(mesh))), "")
            own = all(_has_normals(mesh) for mesh, _ in placed)
            arrays = [] if wrong else [_properties(mesh, matrix) for mesh, matrix in placed]
    except ImportError:  # it looks for a package that guesses encodings
        raise _failure(data, path, suffix, "it is damaged, or a text that is not UTF-8") from None
    except MemoryError:
        raise
    except Exception as error:  # trimesh's readers may raise anything for damaged files
        raise _failure(data, path, suffix, f"its parts contradict each other (trimesh: {type(error).__name__})") from None
    if wrong:
        raise _failure(data, path, suffix, wrong)
    if not arrays or not len(arrays[0]["position"]):
        raise _failure(data, path, suffix, "it has no vertices")
    if suffix == ".obj" and (
        ("texcoord" not in arrays[0] and _COORDINATES.search(data)) or (not own and _OF_NORMALS.search(data))
    ):  # trimesh leaves out what faces name and no line gives
        _refuse(data, path, suffix)
    wrong = next(
        (
            text
            for mesh in arrays
            for name in ("position", "texcoord")
            if name in mesh and (text := _not_finite(name, mesh[name]))
        ),
        "",
    )
    if wrong:
        raise _failure(data, path, suffix, wrong)
    common = [name for name in PROPERTIES if all(name in mesh for mesh in arrays)]
    faces = [_faces(mesh) for mesh, _ in placed]
    starts = np.cumsum([0, *[len(mesh["position"]) for mesh in arrays]])
    joined = np.concatenate([part + start for part, start in zip(faces, starts, strict=False)])
    together = {name: np.concatenate([mesh[name] for mesh in arrays]) for name in common}
    computed = frozenset(("normal",)) if "normal" in together and not own else frozenset[str]()
    turned = own and "normal" in together and _turned(together["position"], together["normal"], joined)
    return Mesh(path, together, joined if len(joined) else None, computed, turned=turned)


def _turned(positions: NDArray[Any], normals: NDArray[Any], faces: NDArray[np.int64]) -> bool:
    """Whether nearly all faces turn the other way round than the normals of their corners say."""
    corners = positions[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sides = (across * normals[faces].sum(axis=1)).sum(axis=1)
    return bool((sides < 0).sum() > _NEARLY_ALL * len(faces)) and len(faces) > 0


def _faces(mesh: Any) -> NDArray[np.int64]:
    """The triangles of a mesh; trimesh has cut larger faces."""
    return np.asarray(getattr(mesh, "faces", ()), np.int64).reshape(-1, 3)


def _refuse(data: bytes, path: str, suffix: str) -> None:
    """Raise InputFailure for a file with a fault."""
    from lanewise.arrays.mesh_faults import fault

    if fault(data, suffix)[1]:
        raise _failure(data, path, suffix, "")


def _wrong_face(mesh: Any) -> str:
    """The fault of a face that names a vertex that is not there; empty if none does."""
    faces: NDArray[np.int64] = np.asarray(getattr(mesh, "faces", ()), np.int64)
    count = len(mesh.vertices)
    outside = faces[(faces < 0) | (faces >= count)] if faces.size else faces
    return f"a face names vertex {outside[0]}: there are {count}, counted from 0" if outside.size else ""


def _not_finite(name: str, array: NDArray[Any]) -> str:
    """Which vertex has a property that is infinite or not a number; empty if none has."""
    rows = np.flatnonzero(~np.isfinite(array).all(axis=1))
    return f"the {name} of vertex {rows[0]} is not finite" if rows.size else ""


def _failure(data: bytes, path: str, suffix: str, otherwise: str) -> InputFailure:
    """The fault of a mesh that cannot be read, or `otherwise`."""
    from lanewise.arrays.mesh_faults import fault

    place, found = fault(data, suffix)
    return InputFailure(f"cannot read the mesh {path}{place}: {found or otherwise}; correct it, or export it again")


def _placed(loaded: Any) -> list[tuple[Any, NDArray[Any]]]:
    """The meshes with their places: of a scene, or the one that there is."""
    if hasattr(loaded, "graph"):
        nodes = sorted(loaded.graph.nodes_geometry)
        found = [(loaded.geometry[loaded.graph[node][1]], np.asarray(loaded.graph[node][0])) for node in nodes]
        return [(mesh, matrix) for mesh, matrix in found if hasattr(mesh, "vertices")]
    return [(loaded, np.eye(4))]


def _normals(mesh: Any) -> NDArray[np.float64]:
    """The normals of vertices: those of their faces, weighted by the angles of the corners. Trimesh without SciPy takes a time
    that grows with the square of the vertices."""
    faces, angles = np.asarray(mesh.faces, np.int64), np.asarray(mesh.face_angles, np.float64)
    found = np.zeros((len(mesh.vertices), 3))
    weighted = np.asarray(mesh.face_normals, np.float64)[:, np.newaxis, :] * angles[:, :, np.newaxis]
    np.add.at(found, faces.reshape(-1), weighted.reshape(-1, 3))
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300)


def _has_normals(mesh: Any) -> bool:
    """Whether a mesh has the normals of its file; asking for others works them out."""
    return "vertex_normals" in getattr(mesh, "_cache", ())


def _properties(mesh: Any, matrix: NDArray[Any]) -> dict[str, NDArray[Any]]:
    vertices = np.asarray(mesh.vertices, np.float64)
    found = {"position": vertices @ matrix[:3, :3].T + matrix[:3, 3]}
    given = _has_normals(mesh)
    if given or len(_faces(mesh)):
        normals = np.asarray(mesh.vertex_normals, np.float64) if given else _normals(mesh)
        if not np.array_equal(matrix[:3, :3], np.eye(3)):
            normals = normals @ np.linalg.inv(matrix[:3, :3])
            normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        found["normal"] = normals
    visual = getattr(mesh, "visual", None)
    kind = getattr(visual, "kind", None)
    uv = getattr(visual, "uv", None) if kind == "texture" else None
    if uv is not None and len(uv) == len(vertices):
        found["texcoord"] = np.asarray(uv, np.float64)[:, :2]
    if kind == "vertex":
        found["color"] = np.asarray(getattr(visual, "vertex_colors"), np.float64)[:, :4] / 255.0  # noqa: B009 (untyped)
    return {name: array for name, array in found.items() if len(array) == len(vertices)}
