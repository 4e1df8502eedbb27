"""Vertex data as the console has it in memory: bytes of an attribute buffer to inputs of a run.

Sources: 3dbrew, GPU/Internal Registers, GPUREG_ATTRIBBUFFERS_FORMAT_LOW and GPUREG_ATTRIBBUFFERi_CONFIG1 (types, alignment,
components that a buffer does not have), GPUREG_VSH_ATTRIBUTES_PERMUTATION_LOW; citro3d, source/attribs.c and source/buffers.c.
"""

from __future__ import annotations

import numpy as np

from lanewise.arrays.words import FILL, MASKED, bytes_fix, bytes_of, is_masked
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.objects import checked
from lanewise.core.ranges import count_or_none
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Attribute = tuple[str | None, str, int]

# What a loader can read, all little-endian; integers count by value, they are not divided by their range.
TYPES = {"float32": "<f4", "int8": "<i1", "uint8": "<u1", "int16": "<i2"}
_JOINED = {"int8": ("signed char",), "uint8": ("unsigned char",), "int16": ("signed short", "short int")}
# What C, OpenGL, NumPy and struct call them.
_CALLED = {
    name: kind
    for kind, names in {
        "float32": "float f f4 <f4 single glfloat gl_float gpu_float vec3",
        "int8": "char i1 b sbyte int8_t s8 glbyte gl_byte gpu_byte",
        "uint8": "u1 byte ubyte uchar uint8_t u8 glubyte gl_unsigned_byte gpu_unsigned_byte bool",
        "int16": "short i2 <i2 h int16_t s16 glshort gl_short gpu_short",
    }.items()
    for name in (kind, *names.split(), *_JOINED.get(kind, ()))
}
_MOST_ATTRIBUTES = 12  # 3dbrew: GPUREG_ATTRIBBUFFERS_FORMAT has 12 fields
_INPUTS = 16
_FILLING = (0.0, 0.0, 0.0, 1.0)


class _Field(Record):
    key: str
    dtype: str
    components: int
    start: int


@checked
def fetch_vertices(
    buffer: bytes | bytearray | memoryview | NDArray[Any],
    attributes: Sequence[Attribute],
    *,
    stride: int | None = None,
    offset: int = 0,
    count: int | None = None,
    permutation: Sequence[int] | None = None,
    fixed: Mapping[str, float | Sequence[float]] | None = None,
) -> dict[str, NDArray[np.float32]]:
    """The inputs of a run, by name, from the bytes of an attribute buffer: arrays of (vertices, 4), float32.

    `attributes` are (name, type, components) in the order in which they lie in a vertex: types `float32`, `int8`, `uint8` and
    `int16`, which count by value, 1 to 4 components; a name of None skips the bytes. Each begins at a multiple of its element's
    size, as the loader wants it. `stride`: bytes from vertex to vertex (default: the attributes, up to a multiple of the
    largest element); `offset`: bytes before the first one; `count`: how many vertices (default: all that lie in the buffer
    whole). Components that the buffer does not have are 0, 0, 0, 1. `permutation`: the input register of each attribute, those
    of no name left out: the keys are then `v0` to `v15` instead of names. `fixed`: attributes that are one vector for all
    vertices, of 1 to 4 numbers, by name or register. For separate arrays call it once for each, and join the results with `|`.

    Raises InputError (B015) with everything that is wrong.
    """
    findings: list[Diagnostic] = []
    if (
        isinstance(attributes, str)
        or not hasattr(attributes, "__iter__")
        or any(isinstance(each, str) or len(each) != 3 for each in attributes)
    ):
        raise TypeError(f"attributes are (name, type, components) in a list, such as {_listed(attributes)}")
    count = count_or_none(count)
    data = b""
    if is_masked(buffer):
        findings.append(_wrong(f"the buffer {MASKED}", FILL))
    else:
        try:
            data = bytes_of(buffer)
        except ValueError as error:
            findings.append(_wrong(f"the buffer {error}", bytes_fix(buffer)))
    fields, end, unit = _layout(attributes, permutation, findings)
    other = _other_numbers(buffer, fields)
    if other and not findings:
        findings.append(_wrong(*other))
    step = stride if stride is not None else -(-end // unit) * unit
    if offset < 0:
        findings.append(_wrong(f"offset is {offset}", "give the number of bytes before the first vertex"))
    if step < max(end, 1) and not findings:
        elements = step * unit == -(-end // unit) * unit
        fix = f"a stride counts bytes: write stride={step * unit}" if elements else f"use a stride of at least {end}"
        findings.append(_wrong(f"vertices of {end} bytes do not fit a stride of {step}", f"{fix}, or fewer attributes"))
    found: dict[str, NDArray[np.float32]] = {}
    if not findings:
        room = max(0, (len(data) - offset - end) // step + 1) if len(data) - offset >= end else 0
        lanes = room if count is None else count
        packed = (len(data) - offset) % end == 0 < (len(data) - offset) % step
        if stride is None and count is None and step != end and packed and lanes:
            room = len(data) - offset
            message = (
                f"vertices of {end} bytes are filled up to {step}, but the buffer of {room} bytes has {room // end} of {end}"
            )
            pad = "`x` at the end of a format of `struct`, `align=True` of a dtype"
            findings.append(
                _wrong(message, f"fill each vertex up to {step} bytes ({pad}), or give stride={end} if they are packed")
            )
        elif not lanes and data and count is None:
            message = f"buffer of {len(data)} bytes has no whole vertex of {end} bytes from byte {offset} on"
            findings.append(_wrong(message, "give the whole buffer, or correct attributes, offset and stride"))
        elif not 0 <= lanes <= room:
            message = (
                f"buffer of {len(data)} bytes has {room} vertices from byte {offset} on, with a stride of {step}; requested "
                f"are {lanes}"
            )
            findings.append(_wrong(message, "request fewer vertices, or correct offset and stride"))
        else:
            found = {field.key: _column(data, field, lanes, offset, step) for field in fields}
    for key, value in (fixed or {}).items():
        try:
            vector: NDArray[Any] = np.atleast_1d(np.asarray(value))
        except ValueError:  # rows of different lengths
            vector = np.empty(0)
        if is_masked(value):
            findings.append(_wrong(f"fixed attribute '{key}' {MASKED}", FILL))
        elif vector.ndim != 1 or not 1 <= len(vector) <= 4 or vector.dtype.kind not in "biuf":
            findings.append(_wrong(f"fixed attribute '{key}' is not a vector of 1 to 4 numbers", "give (x, y, z, w) or fewer"))
        elif any(field.key == key for field in fields):
            findings.append(_wrong(f"'{key}' is both in the buffer and fixed", "give it once"))
        else:
            found[key] = _filled(vector.astype(np.float32)[np.newaxis])[0]
    if findings:
        raise InputError(findings)
    return found


def _listed(attributes: Any) -> str:
    """The attributes of a dtype with fields, or an example."""
    fields: Mapping[str, Any] = getattr(attributes, "fields", None) or {}
    found: list[Attribute] = []
    for name, (field, *_) in fields.items():
        plain, shape = field.subdtype or (field, (1,))
        found.append((name, str(_CALLED.get(plain.name) or plain.name), int(np.prod(shape))))
    return str(found or [("position", "float32", 3)])


def _other_numbers(buffer: object, fields: Sequence[_Field]) -> tuple[str, str] | None:
    """The message and the fix of an array whose numbers are none of those that the attributes have; None for others."""
    dtype = getattr(buffer, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.fields is not None or dtype.itemsize == 1 or dtype.kind not in "fiu":
        return None
    wanted = {np.dtype(field.dtype) for field in fields}
    if len(wanted) != 1 or dtype in wanted:
        return None
    [other] = wanted
    if dtype.kind != other.kind:
        return None
    given = dtype.name if dtype.isnative else dtype.str
    return f"the buffer is an array of {given}, expected {other.name}", f"convert it: `array.astype(numpy.{other.name})`"


def vertex_size(attributes: Sequence[Attribute]) -> tuple[int, int]:
    """The bytes that the attributes of a vertex take, and those with what fills them up to a whole number of the largest
    element.

    Raises InputError (B015) with everything that is wrong.
    """
    findings: list[Diagnostic] = []
    _, end, unit = _layout(attributes, None, findings)
    if findings:
        raise InputError(findings)
    return end, -(-end // unit) * unit


def _layout(
    attributes: Sequence[Attribute], permutation: Sequence[int] | None, findings: list[Diagnostic]
) -> tuple[list[_Field], int, int]:
    """The fields of a vertex with their keys, the byte behind the last one, the size of the largest element."""
    fields: list[_Field] = []
    end, unit = 0, 1
    named = [name for name, _, _ in attributes if name is not None]
    if permutation is not None and (len(permutation) != len(named) or len(set(permutation)) != len(named)):
        findings.append(
            _wrong(
                f"the permutation has {len(permutation)} registers for {len(named)} attributes",
                "give each attribute a separate register",
            )
        )
        permutation = None
    if permutation is not None and any(not 0 <= register < _INPUTS for register in permutation):
        findings.append(_wrong("the permutation has a register outside v0-v15", "give numbers from 0 to 15"))
    if len(attributes) > _MOST_ATTRIBUTES:
        findings.append(
            _wrong(f"{len(attributes)} attributes are too many: the loader has {_MOST_ATTRIBUTES}", "use fewer attributes")
        )
    for number, (name, kind, components) in enumerate(attributes):
        what = f"attribute {number}" + (f" ('{name}')" if name is not None else "")
        if kind not in TYPES:
            meant = _CALLED.get(str(getattr(kind, "__name__", kind)).strip().lower(), "")
            fix = f"write '{meant}'" if meant else f"use one of {', '.join(TYPES)}, to which the data are converted before"
            if isinstance(kind, int) and isinstance(components, str):
                right = (name, _CALLED.get(components.lower(), "float32"), kind)
                fix = f"write the type before the number of components: {right}"
            findings.append(_wrong(f"{what} has the type '{kind}'", fix))
            continue
        if not 1 <= components <= 4:
            findings.append(_wrong(f"{what} has {components} components", "use 1 to 4 components"))
            continue
        size = np.dtype(TYPES[kind]).itemsize
        start = -(-end // size) * size
        end, unit = start + size * components, max(unit, size)
        if name is None:
            continue
        key = name if permutation is None else f"v{permutation[named.index(name)]}"
        if any(field.key == key for field in fields):
            findings.append(_wrong(f"duplicate {what}", "give each attribute a separate name"))
        fields.append(_Field(key, TYPES[kind], components, start))
    if not fields and not findings:
        findings.append(_wrong("no attribute has a name", "give (name, type, components) for each"))
    return fields, end, unit


def _column(data: bytes, field: _Field, lanes: int, offset: int, step: int) -> NDArray[np.float32]:
    """One attribute of all vertices. int16 and float32 are exact in float32."""
    size = np.dtype(field.dtype).itemsize
    if not lanes:
        return np.zeros((0, 4), np.float32)
    view = np.ndarray((lanes, field.components), field.dtype, data, offset + field.start, (step, size))
    return _filled(view.astype(np.float32))


def _filled(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    whole = np.tile(np.array(_FILLING, np.float32), (len(rows), 1))
    whole[:, : rows.shape[1]] = rows
    return whole


def _wrong(message: str, fix: str) -> Diagnostic:
    return Diagnostic(code="B015", severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix)
