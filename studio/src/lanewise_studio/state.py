"""What a page shows, as it comes from the page: `State`, checked."""

from __future__ import annotations

import base64
import binascii
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import Record
from lanewise.core.source import Span, decode_text
from lanewise.drawing.camera import Camera

from lanewise_studio.options import options

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FILES = 64
MOST_TEXT = 1 << 22  # characters of all files
MOST_DETAIL = 1_000_000
MOST_PRIMITIVE = 16  # vertices of a primitive of a geometry shader
MOST_DRAW = (1 << 16) - 1
CULLS = ("back", "front", "none")
TOPOLOGIES = ("triangles", "strip", "fan")
DEPTHS = {"": None, "opengl": (-1.0, 1.0), "direct3d": (0.0, 1.0)}  # z / w of the near and the far plane; that of the target
_KEYS = (
    "files",
    "entry",
    "profile",
    "set",
    "mesh",
    "inputs",
    "uniforms",
    "camera",
    "screen",
    "cull",
    "topology",
    "primitive",
    "depth",
    "color",
    "options",
    "draw",
)


class File(NamedTuple):
    """A file of the page: a text, or the `data` of a binary."""

    name: str
    text: str = ""
    data: bytes = b""

    @property
    def content(self) -> bytes:
        return self.data or self.text.encode()

    def plain(self) -> dict[str, object]:
        """For the page, and for links."""
        if not self.data:
            return {"name": self.name, "text": self.text}
        return {"name": self.name, "text": "", "data": base64.b64encode(self.data).decode()}


def file_of(name: str, content: bytes) -> File:
    """A file as the page has it: what has a zero byte is a binary."""
    return File(name, data=content) if b"\0" in content else File(name, decode_text(content))


class MeshChoice(NamedTuple):
    """The mesh: one that comes with the studio with about `detail` vertices (0: its usual number), or a `file`."""

    name: str = "torus"
    detail: int = 0
    file: str = ""


class DrawChoice(NamedTuple):
    """A draw of a recorded frame, whose data the program runs with: a file of the room, and the number of the draw in it."""

    file: str
    number: int = 0


class State(Record):
    """Everything that a picture follows from. `primitive` is how many vertices a primitive of a geometry shader has; 0: as many
    as it takes. `depth` is the range of z in which the program is drawn, one of `DEPTHS`."""

    files: tuple[File, ...]
    entry: str = ""
    profile: str = ""
    set: str = ""
    mesh: MeshChoice = MeshChoice()
    inputs: Mapping[str, object] = {}
    uniforms: Mapping[str, object] = {}
    camera: Camera = Camera()
    screen: str = ""
    cull: str = "back"
    topology: str = "triangles"
    primitive: int = 0
    depth: str = ""
    color: str = ""
    options: Mapping[str, object] = {}
    draw: DrawChoice | None = None


def refused(message: str, fix: str = "") -> InputError:
    """The error of a state that is not one."""
    return InputError([Diagnostic(code="U001", severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix)])


def read_state(value: object) -> State:
    """The state of a message. Raises InputError."""
    table = _table(value, "the state")
    unknown = [key for key in table if key not in _KEYS and key != "compare"]
    if unknown:
        raise refused(f"unknown key '{unknown[0]}' in the state", f"use {', '.join(_KEYS)}")
    return State(
        files=_files(table.get("files")),
        entry=_text(table, "entry"),
        profile=_text(table, "profile"),
        set=_text(table, "set"),
        mesh=_mesh(table.get("mesh", {})),
        inputs=_table(table.get("inputs", {}), "inputs"),
        uniforms=_table(table.get("uniforms", {}), "uniforms"),
        camera=read_camera(table.get("camera", {})),
        screen=_text(table, "screen"),
        cull=_choice(table, "cull", CULLS),
        topology=_choice(table, "topology", TOPOLOGIES),
        primitive=_primitive(table.get("primitive", 0)),
        depth=_choice(table, "depth", tuple(DEPTHS)),
        color=_text(table, "color"),
        options=_options(table.get("options", {})),
        draw=_draw(table["draw"]) if table.get("draw") is not None else None,
    )


def plain_state(state: State) -> dict[str, object]:
    """The same as plain values, without what has its default."""
    usual = State(files=())
    found: dict[str, object] = {"files": [file.plain() for file in state.files]}
    for key in _KEYS[1:]:
        value = getattr(state, key)
        if value != getattr(usual, key):
            found[key] = value._asdict() if isinstance(value, (MeshChoice, Camera, DrawChoice)) else value
    return found


def read_camera(value: object) -> Camera:
    """A camera of a message. Raises InputError."""
    table = _table(value, "the camera")
    usual = Camera()
    found: dict[str, Any] = {}
    for key, given in table.items():
        if key not in usual._fields:
            raise refused(f"unknown key '{key}' in the camera", f"use {', '.join(usual._fields)}")
        if isinstance(getattr(usual, key), tuple):
            numbers = cast("list[object]", given) if isinstance(given, list) else []
            if len(numbers) != 3:
                raise refused(f"{key} of the camera is not a list of three numbers")
            found[key] = tuple([_number(number, key) for number in numbers])
        else:
            found[key] = _number(given, key)
    camera = usual._replace(**found)
    if not 1.0 <= camera.fov <= 170.0:
        raise refused(f"fov of the camera is {camera.fov:g} degrees, expected 1 to 170")
    if not 0.0 < camera.near < camera.far:
        raise refused(f"near and far of the camera are {camera.near:g} and {camera.far:g}, expected 0 < near < far")
    return camera


def _number(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise refused(f"{key} of the camera is not a number")
    return float(value)


def _table(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise refused(f"{what} is not an object")
    return {str(key): each for key, each in cast("dict[object, object]", value).items()}


def _text(table: Mapping[str, object], key: str, usual: str = "") -> str:
    value = table.get(key, usual)
    if not isinstance(value, str):
        raise refused(f"{key} is not a text")
    return value


def _choice(table: Mapping[str, object], key: str, choices: tuple[str, ...]) -> str:
    value = _text(table, key) or choices[0]
    if value not in choices:
        raise refused(f"{key} is '{value}'", f"use {', '.join(choices)}")
    return value


def _files(value: object) -> tuple[File, ...]:
    rows = cast("list[object]", value) if isinstance(value, list) else []
    if not rows:
        raise refused("the state has no files")
    if len(rows) > MOST_FILES:
        raise refused(f"the state has {len(rows)} files: at most {MOST_FILES} are read")
    found: list[File] = []
    for row in rows:
        table = _table(row, "a file of the state")
        name = _text(table, "name")
        if not name or name in [file.name for file in found]:
            raise refused(f"two files are called '{name}'" if name else "a file has no name", "give each file its own name")
        found.append(File(name, _text(table, "text"), _data(table, name)))
    if sum(len(file.text) + len(file.data) for file in found) > MOST_TEXT:
        raise refused(f"the files have more than {MOST_TEXT:,} characters")
    return tuple(found)


def _data(table: Mapping[str, object], name: str) -> bytes:
    try:
        return base64.b64decode(_text(table, "data"), validate=True)
    except (binascii.Error, ValueError):
        raise refused(f"the data of {name} is not base64") from None


def _mesh(value: object) -> MeshChoice:
    table = _table({"name": value} if isinstance(value, str) else value, "the mesh")
    detail = table.get("detail", 0)
    if isinstance(detail, bool) or not isinstance(detail, int) or not 0 <= detail <= MOST_DETAIL:
        raise refused(f"detail of the mesh is {detail!r}, expected 0 to {MOST_DETAIL}")
    return MeshChoice(_text(table, "name", "torus"), detail, _text(table, "file"))


def _primitive(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_PRIMITIVE:
        raise refused(f"primitive is {value!r}, expected 0 to {MOST_PRIMITIVE} vertices")
    return value


def _draw(value: object) -> DrawChoice:
    table = _table(value, "the draw")
    number = table.get("number", 0)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_DRAW:
        raise refused(f"number of the draw is {number!r}, expected 0 to {MOST_DRAW}")
    return DrawChoice(_text(table, "file"), number)


def _options(value: object) -> dict[str, object]:
    table = _table(value, "options")
    for key, given in table.items():
        if key not in options():
            raise refused(f"unknown option '{key}'", f"use {', '.join(options())}")
        listed = isinstance(given, list) and all(isinstance(each, str) for each in cast("list[object]", given))
        if not (listed or isinstance(given, (str, bool))):
            raise refused(f"option {key} is neither a text, a list of texts, nor true")
    return table


__all__ = [
    "CULLS",
    "TOPOLOGIES",
    "DrawChoice",
    "File",
    "MeshChoice",
    "State",
    "file_of",
    "plain_state",
    "read_camera",
    "read_state",
    "refused",
]
