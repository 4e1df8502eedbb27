"""`lanewise run --buffer`: vertices as they lie in the console's memory, described as the calls of citro3d describe them.

`--attribute v0=float*3` is `AttrInfo_AddLoader(info, 0, GPU_FLOAT, 3)`; `--buffer FILE:OFFSET:STRIDE:PERMUTATION` is
`BufInfo_Add(info, data, STRIDE, count, PERMUTATION)`. Source: citro3d, include/c3d/attribs.h and buffers.h.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import WARNING, Diagnostic, InputError
from lanewise.core.extras import require_numpy
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.service import Files, Request

# What a type may be called: as NumPy does, as C does, as libctru does (GPU_FORMATS in gpu/enums.h).
_TYPES = {
    "float32": ("float32", "float", "f32", "gpu_float"),
    "int16": ("int16", "short", "s16", "gpu_short"),
    "int8": ("int8", "byte", "s8", "gpu_byte"),
    "uint8": ("uint8", "ubyte", "u8", "gpu_unsigned_byte"),
}
_BY_NAME = {name: kind for kind, names in _TYPES.items() for name in names}
_FORMAT = re.compile(rf"({'|'.join(sorted(_BY_NAME, key=len, reverse=True))})\s*[*x,]?\s*([1-4])", re.IGNORECASE)
_SKIP = "_"
_PADDING = 12  # values from here on in a permutation are 4, 8, 12, 16 bytes of nothing (3dbrew, GPUREG_ATTRIBBUFFERi_CONFIG1)
_MOST = 12  # attributes, and buffers
_WANTED = "write NAME=TYPE*COUNT, such as position=float*3 or v1=u8*4; types are float, short, byte and ubyte"


class Attribute(Record):
    """A loader: the input that it feeds (None: bytes that are skipped), its type as `fetch_vertices` calls it, its
    components."""

    name: str | None
    kind: str
    components: int


class Buffer(Record):
    """A file with vertices; `stride` of None is that of the attributes, `permutation` of None all attributes in order."""

    path: str
    offset: int
    stride: int | None
    permutation: tuple[int, ...] | None


class VertexBuffers(Record):
    """The files of --buffer, and what --attribute says of their vertices."""

    attributes: tuple[Attribute, ...]
    buffers: tuple[Buffer, ...]
    files: Files

    def fetched(self) -> tuple[dict[str, NDArray[Any]], list[Diagnostic]]:
        """The inputs by name, and warnings. Raises UsageError, InputFailure, InputError."""
        found: dict[str, NDArray[Any]] = {}
        warnings: list[Diagnostic] = []
        for buffer in self.buffers:
            arrays, more = _fetched(buffer, self.attributes, self.files)
            found |= arrays
            warnings += more
        return found, warnings

    def other_types(self) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
        """Each named attribute with each other type with which its buffer can be read whole, in words, and all inputs then."""
        for number, attribute in enumerate(self.attributes):
            for kind in _TYPES if attribute.name is not None else ():
                if kind == attribute.kind:
                    continue
                changed = [*self.attributes]
                changed[number] = attribute._replace(kind=kind)
                found: dict[str, NDArray[Any]] = {}
                try:
                    read = [_fetched(buffer, changed, self.files) for buffer in self.buffers if buffer.path != STDIO]
                except (InputError, InputFailure, UsageError):
                    continue
                for arrays, warnings in read:
                    found |= arrays if not warnings else {}
                if found:
                    was, other = _TYPES[attribute.kind][1], _TYPES[kind][1]
                    yield f"{attribute.name} is read as {was}, and its bytes are values of type {other}", found


def buffers_of(request: Request) -> VertexBuffers:
    """The files of --buffer and --attribute. Raises UsageError."""
    attributes = tuple([_attribute(text) for text in request.texts("attribute")])
    buffers = tuple([_buffer(text, request.files) for text in request.texts("buffer")])
    if bool(attributes) != bool(buffers):
        raise UsageError(
            f"--attribute says what is in a --buffer FILE, and there is no {'--buffer' if attributes else '--attribute'}"
        )
    if len(attributes) > _MOST or len(buffers) > _MOST:
        raise UsageError(f"the vertex loader has {_MOST} attributes and {_MOST} buffers")
    _check(attributes, buffers)
    return VertexBuffers(attributes, buffers, request.files)


def _attribute(text: str) -> Attribute:
    name, equals, form = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise UsageError(f"--attribute {text}: {_WANTED}")
    match = _FORMAT.fullmatch(form)
    if match is None:
        bare = form.rstrip("0123456789*x, ").lower()
        if "," in form and "=" in form:
            raise UsageError(f"--attribute {text}: give each attribute an --attribute of its own")
        unknown = form and bare not in _BY_NAME and form.lower() not in _BY_NAME
        raise UsageError(
            f"--attribute {text}: {f'there is no type {form!r}' if unknown else 'it has 1 to 4 components'}: {_WANTED}"
        )
    if name.isdigit():
        name = f"v{name}"  # as AttrInfo_AddLoader has it
    return Attribute(None if name == _SKIP else name, _BY_NAME[match[1].lower()], int(match[2]))


def _buffer(text: str, files: Files) -> Buffer:
    """FILE with up to three numbers behind it; the whole text is a file if there is one of that name."""
    path, numbers = text, list[str]()
    for count in range(4):
        head, *tails = text.rsplit(":", count)
        if files.exists(head) or head == STDIO:
            path, numbers = head, tails
            break
        if all(tail == "" or tail[0].isdigit() for tail in tails) and len(tails) == count and head:
            path, numbers = head, tails  # to be missed under its own name
    offset, stride, permutation = (*numbers, "", "", "")[:3]
    start = _number(offset, text, "OFFSET") if offset else 0
    step = _number(stride, text, "STRIDE") if stride else None
    if step == 0:
        raise UsageError(
            f"--buffer {text}: a STRIDE of 0 would read one vertex for ever; for a fixed attribute use --input NAME=x,y,z,w"
        )
    return Buffer(path, start, step, _permutation(permutation, text) if permutation else None)


def _number(text: str, whole: str, what: str) -> int:
    try:
        found = int(text, 0)
    except ValueError:
        found = -1
    if found < 0:
        raise UsageError(f"--buffer {whole}: {what} is a number of bytes such as 12 or 0x10, not '{text}'")
    return found


def _permutation(text: str, whole: str) -> tuple[int, ...]:
    """The attributes in the order of the buffer: the lowest digit is the first."""
    digits = text.lower().removeprefix("0x")
    if (
        not text.lower().startswith("0x")
        or not digits
        or len(digits) > _MOST
        or any(c not in "0123456789abcdef" for c in digits)
    ):
        raise UsageError(
            f"--buffer {whole}: PERMUTATION is 0x and a digit for each attribute, the first one last: 0x210, not '{text}'"
        )
    return tuple(int(digit, 16) for digit in reversed(digits))


def _check(attributes: Sequence[Attribute], buffers: Sequence[Buffer]) -> None:
    """Each attribute lies in one buffer. Raises UsageError."""
    if not attributes:
        return
    if len(buffers) > 1 and any(buffer.permutation is None for buffer in buffers):
        raise UsageError("with several buffers each has to say which attributes it holds: --buffer FILE:OFFSET:STRIDE:0x10")
    home: dict[int, str] = {}
    for buffer in buffers:
        for number in range(len(attributes)) if buffer.permutation is None else buffer.permutation:
            if number >= _PADDING:
                continue
            if number >= len(attributes):
                raise UsageError(
                    f"--buffer {buffer.path} holds attribute {number}, and there are {len(attributes)}, counted from 0"
                )
            if number in home and attributes[number].name is not None:
                raise UsageError(
                    f"attribute {number} ({attributes[number].name}) is in {home[number]} and again in {buffer.path}: name "
                    "it once"
                )
            home[number] = buffer.path
    for number, attribute in enumerate(attributes):
        if number not in home and attribute.name is not None:
            raise UsageError(
                f"attribute {number} ({attribute.name}) is in no buffer: name it in a PERMUTATION, or give it as "
                f"--input {attribute.name}=x,y,z,w if it is fixed"
            )
    names = [attribute.name for attribute in attributes if attribute.name is not None]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"--attribute {name} is given twice")


def _fetched(buffer: Buffer, attributes: Sequence[Attribute], files: Files) -> tuple[dict[str, NDArray[Any]], list[Diagnostic]]:
    require_numpy("--attribute")
    from lanewise.pica200.api.vertices import fetch_vertices, vertex_size

    held = list(_held(buffer, attributes))
    data = files.read(buffer.path)
    name = "<stdin>" if buffer.path == STDIO else buffer.path
    if not any(attribute.name for attribute in held):
        raise UsageError(f"--buffer {buffer.path}: every attribute in it is skipped: name one with --attribute NAME=TYPE*N")
    end, whole = vertex_size(held)
    if buffer.offset + end > len(data):
        raise InputFailure(
            f"{name} has {len(data)} bytes, and the first vertex ends at byte {buffer.offset + end}: mend OFFSET "
            f"({buffer.offset}) or the attributes, which take {end} bytes"
        )
    try:
        found = fetch_vertices(data, held, stride=buffer.stride, offset=buffer.offset)
    except InputError as error:
        raise InputError([finding._replace(span=Span(file=name)) for finding in error.diagnostics]) from None
    step = whole if buffer.stride is None else buffer.stride
    rest = (len(data) - buffer.offset - end) % step - (step - end)  # the last vertex may lack what only fills it up
    if rest <= 0:
        return found, []
    message = f"left over behind the last whole vertex: {rest} byte{'' if rest == 1 else 's'}; a vertex takes {step}"
    return found, [
        Diagnostic(
            code="B015", severity=WARNING, message=message, span=Span(file=name), notes=(), fix="check types, OFFSET and STRIDE"
        )
    ]


def _held(buffer: Buffer, attributes: Sequence[Attribute]) -> Iterator[Attribute]:
    """What lies in the buffer, in its order."""
    for number in range(len(attributes)) if buffer.permutation is None else buffer.permutation:
        if number < _PADDING:
            yield attributes[number]
        else:
            yield Attribute(None, "float32", number - _PADDING + 1)  # aligned to 4 bytes (3dbrew, GPU/Pitfalls)
