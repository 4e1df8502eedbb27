"""The fault of a mesh file that cannot be read: the first one that its own format shows, with its place."""

from __future__ import annotations

import re
import struct
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.nesting import json_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SIZES = {
    "char": 1,
    "uchar": 1,
    "int8": 1,
    "uint8": 1,
    "short": 2,
    "ushort": 2,
    "int16": 2,
    "uint16": 2,
    "int": 4,
    "uint": 4,
    "int32": 4,
    "uint32": 4,
    "float": 4,
    "float32": 4,
    "double": 8,
    "float64": 8,
    "int64": 8,
    "uint64": 8,
}
_NUMBERS = {"v": 3, "vt": 1, "vn": 3}  # of a line of an OBJ file, at least


def fault(data: bytes, suffix: str) -> tuple[str, str]:
    """(place, message) of the first fault of a file; the place is `:LINE` or empty, both are empty if none is found."""
    found = {".obj": _obj, ".ply": _ply, ".stl": _stl, ".glb": _glb}[suffix](data)
    return next(found, ("", ""))


def _lines(data: bytes) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(data.decode("latin-1").split("\n"), 1):
        yield f":{number}", line.split()


def _not_finite(texts: Iterable[str]) -> Iterator[str]:
    """The fault of each text that is not a finite number."""
    for text in texts:
        try:
            if not isfinite(float(text)):
                yield f"{_short(text)} is not a finite number"
        except ValueError:
            comma = f": write {text.replace(',', '.')}" if re.fullmatch(r"-?\d+,\d+", text) else ""
            yield f"{_short(text)} {'has a decimal comma' if comma else 'is not a number'}{comma}"


def _short(text: str) -> str:
    return f"'{text[:40]}'"


def _obj(data: bytes) -> Iterator[tuple[str, str]]:
    counts = dict.fromkeys(_NUMBERS, 0)
    faces: list[tuple[str, str, dict[str, int]]] = []
    for place, words in _lines(data):
        if not words:
            continue
        head, *rest = words
        if head in _NUMBERS:
            counts[head] += 1
            if len(rest) < _NUMBERS[head]:
                yield place, f"'{head}' has {len(rest)} numbers, expected {_NUMBERS[head]}"
            for message in _not_finite(rest):
                yield place, message
        elif head == "f":
            if len(rest) < 3:
                yield place, f"a face has {len(rest)} corners, expected 3 or more"
            faces += [(place, corner, dict(counts)) for corner in rest]
    if not faces:
        yield "", "it has no faces, lines such as f 1//1 2//1 3//1"
    for place, corner, before in faces:
        for kind, text in zip(("v", "vt", "vn"), corner.split("/"), strict=False):
            if not text and kind != "v":
                continue
            if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
                yield place, f"{_short(corner)} is not a corner of a face: expected numbers such as 1 or 1/2/3"
            elif not (1 <= int(text) <= counts[kind] or -before[kind] <= int(text) <= -1):
                each = "the numbers" if kind == "v" else f"each '{kind}'"
                there = f"there are {counts[kind]}" if counts[kind] else f"there is no line '{kind}'"
                why = there if int(text) else f"OBJ counts from 1, add 1 to {each} of the faces"
                yield place, f"a face names '{kind}' {text}: {why}"


class _Element(NamedTuple):
    """An element of a PLY file; of each property the name and the type, of a list the types of its length and of its items."""

    name: str
    length: int
    properties: list[tuple[str, list[str]]]


def _header(data: bytes) -> bytes:
    """The lines to `end_header`: what follows may be binary."""
    before, end, _ = data.partition(b"\nend_header")
    return before + end


def _ply(data: bytes) -> Iterator[tuple[str, str]]:
    if not data.startswith(b"ply"):
        yield ":1", "the first line is not 'ply'"
    kind, elements = "", list[_Element]()
    header = 0
    for number, (place, words) in enumerate(_lines(_header(data)), 1):
        head = words[0] if words else ""
        if head == "end_header":
            header = number
            break
        if head == "format":
            kind = words[1] if len(words) > 1 else ""
            if kind not in ("ascii", "binary_little_endian", "binary_big_endian"):
                yield place, f"unknown format {_short(kind)}: expected ascii, binary_little_endian or binary_big_endian"
        elif head == "element":
            if len(words) != 3 or not re.fullmatch(r"[0-9]{1,18}", words[2]):
                yield place, "expected 'element', a name and a count"
            elements.append(
                _Element(
                    words[1] if len(words) > 1 else "",
                    int(words[2]) if words[2:] and re.fullmatch(r"[0-9]{1,18}", words[2]) else 0,
                    [],
                )
            )
        elif head == "property":
            types = [*words[2:4]] if words[1:2] == ["list"] else words[1:2]
            if len(words) != (5 if words[1:2] == ["list"] else 3) or not elements or any(name not in _SIZES for name in types):
                yield place, "expected 'property', a type such as float and a name, after an element"
            else:
                elements[-1].properties.append((words[-1], types))
        elif head not in ("ply", "comment", "obj_info"):
            yield place, f"unknown line {_short(' '.join(words))} in the header: expected format, element, property or comment"
    if not header:
        yield "", "the header has no line 'end_header'"
    if not kind:
        yield "", "the header has no line 'format'"
    if "vertex" not in [element.name for element in elements]:
        yield "", "the header has no 'element vertex'"
    if kind == "ascii":
        yield from _ply_text(data, header, elements)
    else:
        left = len(data.split(b"end_header\n", 1)[-1])
        need = sum(element.length * sum(_SIZES[types[0]] for _, types in element.properties) for element in elements)
        if need > left:
            yield "", f"the header promises at least {need} bytes of elements, there are {left}"


def _ply_text(data: bytes, header: int, elements: list[_Element]) -> Iterator[tuple[str, str]]:
    rows = [(place, words) for place, words in list(_lines(data))[header:] if words]
    vertices = sum(element.length for element in elements if element.name == "vertex")
    at = 0
    for element in elements:
        there = len(rows[at : at + element.length])
        if there < element.length:
            yield "", f"the header promises {element.length} rows of '{element.name}', the file has {there}"
        for place, words in rows[at : at + element.length]:
            for message in _not_finite(words):
                yield place, message
            yield from ((place, message) for message in _row(element, words, vertices))
        at += element.length


def _row(element: _Element, words: list[str], vertices: int) -> Iterator[str]:
    """The fault of a row of numbers."""
    expected = 0
    for name, types in element.properties:
        if len(types) == 1:
            expected += 1
            continue
        count = words[expected] if expected < len(words) else "0"
        if not re.fullmatch(r"[0-9]{1,9}", count):
            yield f"{_short(count)} is not the length of '{name}'"
            return
        items = words[expected + 1 : expected + 1 + int(count)]
        if element.name == "face" and name in ("vertex_indices", "vertex_index"):
            for text in items:
                if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) >= vertices:
                    yield f"a face names vertex {text[:40]}: there are {vertices}, counted from 0"
        expected += 1 + int(count)
    if len(words) != expected:
        yield f"{len(words)} numbers in a row of '{element.name}', expected {expected}"


def _stl(data: bytes) -> Iterator[tuple[str, str]]:
    if data.lstrip().startswith(b"solid") and b"\0" not in data:
        corners = 0
        for place, words in _lines(data):
            if words[:1] == ["vertex"]:
                corners += 1
                if len(words) != 4:
                    yield place, "expected 'vertex' and three numbers"
                for message in _not_finite(words[1:]):
                    yield place, message
            elif words[:2] == ["facet", "normal"]:
                if len(words) != 5:
                    yield place, "expected 'facet normal' and three numbers"
                for message in _not_finite(words[2:]):
                    yield place, message
        if corners % 3 or not corners:
            yield "", f"{corners} lines 'vertex', expected three for each facet"
        return
    if len(data) < 84:
        yield "", f"{len(data)} bytes, expected a header of 84"
        return
    (count,) = struct.unpack_from("<I", data, 80)
    if 84 + 50 * count != len(data):
        yield "", f"the header promises {count} triangles, {84 + 50 * count} bytes, but there are {len(data)}"


def _glb(data: bytes) -> Iterator[tuple[str, str]]:
    if not data.startswith(b"glTF") or len(data) < 20:
        yield "", "the file does not begin with the header of a GLB"
        return
    version, length, size = struct.unpack_from("<III", data, 4)
    if version != 2:
        yield "", f"version {version} of glTF, expected 2"
    if length > len(data):
        yield "", f"the header promises {length} bytes, there are {len(data)}"
    if data[16:20] != b"JSON" or 20 + size > len(data):
        yield "", "the first chunk is not the whole JSON of a scene"
        return
    try:
        scene: object = json_value(data[20 : 20 + size])
    except (ValueError, RecursionError) as error:
        yield "", f"the JSON of the scene is invalid: {error}"
        return
    if not isinstance(scene, dict):
        yield "", "the JSON of the scene is not an object"
        return
    yield from _gltf(cast("dict[str, Any]", scene), data[20 + size :])


# Where a scene names its parts by number: (list, key, list that it is a number of).
_REFERENCES = (
    ("accessors", "bufferView", "bufferViews"),
    ("bufferViews", "buffer", "buffers"),
    ("nodes", "mesh", "meshes"),
    ("nodes", "camera", "cameras"),
)


def _gltf(scene: dict[str, Any], chunk: bytes) -> Iterator[tuple[str, str]]:
    for name in ("accessors", "bufferViews", "buffers", "nodes", "meshes", "scenes"):
        rows = scene.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[object]", rows)):
            yield "", f"'{name}' is not a list of objects"
            return
    for key in ("meshes", "accessors", "buffers"):
        if not scene.get(key):
            yield "", f"the scene has no '{key}'"
    for name, key, whole in _REFERENCES:
        for number, row in enumerate(cast("list[dict[str, object]]", scene.get(name, []))):
            value, count = row.get(key), len(scene.get(whole, []))
            if value is not None and not (isinstance(value, int) and 0 <= value < count):
                yield "", f"{name}[{number}].{key} is {value!r}: there are {count} {whole}"
    for number, view in enumerate(cast("list[dict[str, Any]]", scene.get("bufferViews", []))):
        start, length = view.get("byteOffset", 0), view.get("byteLength")
        if (
            not isinstance(start, int)
            or not isinstance(length, int)
            or not 0 <= start <= start + length <= max(0, len(chunk) - 8)
        ):
            yield "", f"bufferViews[{number}] is outside of the binary chunk of {max(0, len(chunk) - 8)} bytes"


__all__ = ["fault"]
