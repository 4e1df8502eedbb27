"""CiTrace, version 1 (`.ctf`): the state of the GPU and what followed, as the emulator Citra recorded it.

Facts from citra-emu/citra, src/core/tracer (902fa4da5 of 2015-04-04 to 8e3c7674d of 2021-03-06), and from azahar-emu/azahar
a2d16d4 (2026-08-21). All numbers are little-endian u32. The header: the letters `CiTr`, the version, the size of the header,
then for each array of the state its byte offset and its number of words, then the byte offset of the stream and its number of
elements. The first version of 2015-04-04 has no default attributes. An element of the stream has 20 bytes: 0xE1 the end of a
frame; 0xE2 a load: byte offset of its data in the file, size, physical address; 0xE3 a register write: physical address,
value. Citra has the width of the value before it: 0xD1 to 0xD4 for 8, 16, 32 and 64 bits.

- **As given**: Citra writes each array where the header says. Its GPU registers are the external ones, its PICA registers the
  internal ones. Since 902fa4da5 it records register writes, command lists, vertices, indices and textures.
- **As Azahar writes**: the PICA registers are directly behind the header, while the header says that the LCD's are there. The
  writer compares the two and stops: such a file ends after the PICA registers. Its PICA registers are external and internal
  ones. Sizes of arrays are numbers of bytes there, so that an array is four times too long, and the rest is zero.

Neither fills w of uniforms and default attributes, nor the arrays of the geometry unit: these are unknown.
"""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.frame.recording import MAPPED, REGISTERS, End, Initial, Load, Place, Recording, Submit, Write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.frame.recording import Event

MAGIC, VERSION = b"CiTr", 1
ARRAYS = (
    "GPU registers",
    "LCD registers",
    "PICA registers",
    "default attributes",
    "vertex code",
    "vertex descriptors",
    "vertex uniforms",
    "geometry code",
    "geometry descriptors",
    "geometry uniforms",
)
_DEFAULTS, _PICA = 3, 2
_WITHOUT_DEFAULTS = len(ARRAYS) - 1
_EXTERNAL = 0x400  # words of external registers before the internal ones, where an array has both
# Most words of each array: what the hardware has.
MOST = (0x1000, 0x1000, _EXTERNAL + REGISTERS, 16 * 4, 4096, 128, 96 * 4, 4096, 128, 96 * 4)
ELEMENT = struct.Struct("<5I")
_END, _LOAD, _WRITE = 0xE1, 0xE2, 0xE3
_WIDTHS = {0xD1: 8, 0xD2: 16, 0xD3: 32, 0xD4: 64}
_ADDRESSES = 1 << 32
GIVEN, AZAHAR = "as given", "as Azahar writes"
_TRIGGERS = (0x23C, 0x23D)
_SIZES, _PLACES = (0x238, 0x239), (0x23A, 0x23B)


class Header(Record):
    """The header of a file."""

    size: int
    "Bytes of the header."
    arrays: tuple[tuple[int, int], ...]
    "Byte offset and number of words of each array, in the order of `ARRAYS`."
    stream: int
    "Byte offset of the stream."
    elements: int
    "Number of its elements."


def recognises(data: bytes) -> bool:
    return data.startswith(MAGIC)


def header_of(data: bytes) -> Header | None:
    """The header; None if the file ends inside it, or says that it has another size than those that are known."""
    if len(data) < 12:
        return None
    (size,) = struct.unpack_from("<I", data, 8)
    for count in (len(ARRAYS), _WITHOUT_DEFAULTS):
        whole = 12 + 8 * count + 8
        if size >= whole and len(data) >= whole and (size == whole or count == len(ARRAYS)):
            numbers = struct.unpack_from(f"<{2 * count + 2}I", data, 12)
            arrays = [(numbers[2 * n], numbers[2 * n + 1]) for n in range(count)]
            if count == _WITHOUT_DEFAULTS:
                arrays.insert(_DEFAULTS, (0, 0))
            return Header(size, tuple(arrays), numbers[-2], numbers[-1])
    return None


def layout_of(header: Header, length: int) -> tuple[str, str]:
    """The layout of a file of this length, and the test that says so."""
    ends = [at + 4 * count for at, count in header.arrays if count]
    if all(header.size <= at for at, count in header.arrays if count) and max([*ends, header.stream]) <= length:
        return GIVEN, "all arrays and the stream are inside the file"
    pica = 4 * header.arrays[_PICA][1]
    if pica and length <= header.size + pica:
        return AZAHAR, (
            "the arrays do not fit the file, which ends where the PICA registers end if they follow the header directly"
        )
    return GIVEN, "parts are missing, and the file does not end behind PICA registers that follow the header directly"


def read_citrace(data: bytes, name: str) -> Recording:
    """A file of version 1, with what can be read of it."""
    header = header_of(data)
    version = struct.unpack_from("<I", data, 4)[0] if len(data) >= 8 else 0
    if header is None or version != VERSION:
        wrong = f"version {version}, expected {VERSION}" if len(data) >= 8 and version != VERSION else "the header is cut"
        return Recording(
            kind="citrace",
            layout="",
            initial=Initial(),
            events=(),
            findings=(_finding(f"CiTrace: {wrong}", name, 4 if len(data) >= 8 else 0, "record the frame again", ERROR),),
        )
    layout, test = layout_of(header, len(data))
    arrays, notes = _arrays(data, header, layout)
    events: list[Event] = []
    findings: list[Diagnostic] = []
    if layout == AZAHAR:
        notes["stream"] = "Azahar a2d16d4 stops writing after the PICA registers"
        findings.append(
            _finding(
                "CiTrace as Azahar writes it: only the PICA registers are there, no code, no uniforms and no draws",
                name,
                header.size,
                "record with Citra up to 2021, with the kit of a console, or use the shader cache of Azahar",
            )
        )
    else:
        events, wrong = _stream(data, header, name)
        findings += wrong
        findings += [_finding(f"CiTrace: {key}: {reason}", name, 12, "record again") for key, reason in notes.items()]
    return Recording(
        kind="citrace",
        layout=f"CiTrace 1, {layout}: {test}",
        initial=_initial(arrays, notes),
        events=events,
        findings=tuple(findings),
        notes=notes,
    )


def _arrays(data: bytes, header: Header, layout: str) -> tuple[dict[str, Sequence[int]], dict[str, str]]:
    """The arrays of the state that are in the file, and why others are not."""
    found: dict[str, Sequence[int]] = {}
    notes: dict[str, str] = {}
    for number, (name, (given, count), most) in enumerate(zip(ARRAYS, header.arrays, MOST, strict=True)):
        at = given if layout == GIVEN else header.size if number == _PICA else len(data)
        if not count:
            continue
        words = min(count, most, max(0, len(data) - at) // 4)
        if at < header.size or not words:
            notes[name] = "not in the file" if at >= header.size else f"at byte {at}, inside the header"
            continue
        if words < min(count, most):
            notes[name] = f"cut after {words} of {min(count, most)} words"
        found[name] = struct.unpack_from(f"<{words}I", data, at)
    return found, notes


def _initial(arrays: Mapping[str, Sequence[int]], notes: dict[str, str]) -> Initial:
    pica: Sequence[int] | None = arrays.get("PICA registers")
    if pica is not None and len(pica) > REGISTERS:
        pica = pica[_EXTERNAL:]
    if pica is not None and len(pica) < REGISTERS:
        notes.setdefault("PICA registers", f"only {len(pica)} of {REGISTERS}")
        pica = None
    return Initial(
        registers=pica,
        defaults=_vectors(arrays.get("default attributes")),
        code=arrays.get("vertex code"),
        descriptors=arrays.get("vertex descriptors"),
        uniforms=_vectors(arrays.get("vertex uniforms")),
        geometry_code=arrays.get("geometry code"),
        geometry_descriptors=arrays.get("geometry descriptors"),
        geometry_uniforms=_vectors(arrays.get("geometry uniforms")),
    )


def _vectors(words: Sequence[int] | None) -> tuple[tuple[int | None, ...], ...] | None:
    """Vectors whose w is unknown: no writer fills it."""
    if words is None:
        return None
    return tuple([(*[word & 0xFFFFFF for word in words[at : at + 3]], None) for at in range(0, len(words) - 3, 4)])


def _stream(data: bytes, header: Header, name: str) -> tuple[list[Event], list[Diagnostic]]:
    events: list[Event] = []
    findings: list[Diagnostic] = []
    whole = memoryview(data)
    there = max(0, len(data) - header.stream) // ELEMENT.size
    if there < header.elements:
        message = f"CiTrace: the stream has {there} of its {header.elements} elements"
        findings.append(_finding(message, name, header.stream, "copy the whole file, or record again"))
    elements = [
        ELEMENT.unpack_from(data, header.stream + ELEMENT.size * number) for number in range(min(there, header.elements))
    ]
    widths = {second for kind, _, second, *_ in elements if kind == _WRITE}
    citra = bool(widths) and widths <= set(_WIDTHS)  # all writes have a width before their value
    for number, (kind, first, second, third, _) in enumerate(elements):
        place = Place(number, header.stream + ELEMENT.size * number)
        if kind == _END:
            events.append(End(place))
        elif kind == _LOAD:
            if first + second > len(data) or third + second > _ADDRESSES:
                message = f"element {number}: a load of {second} bytes from byte {first} of the file does not fit"
                findings.append(_finding(f"CiTrace: {message}", name, place.offset, "copy the whole file, or record again"))
            else:
                events.append(Load(third, whole[first : first + second], place))
        elif kind == _WRITE:
            events.append(Write(first, third if citra else second, place))
        else:
            message = f"CiTrace: element {number} has the unknown type 0x{kind:X}; the stream is read up to it"
            findings.append(_finding(message, name, place.offset, "record again"))
            break
        if len(findings) > _MOST_FINDINGS:
            break
    return events, findings


_MOST_FINDINGS = 20


def write_citrace(events: Sequence[Event]) -> bytes:
    """A file of a stream, with offsets as given. The state before the stream is unknown: its arrays are empty."""
    header = 12 + 8 * len(ARRAYS) + 8
    blobs: dict[bytes, int] = {}
    size = header
    elements: list[bytes] = []
    for event in events:
        match event:
            case End():
                elements.append(ELEMENT.pack(_END, 0, 0, 0, 0))
            case Load(address, data, _):
                content = bytes(data)
                at = blobs.get(content, size)
                if at == size and content:
                    blobs[content] = size
                    size += len(content)
                elements.append(ELEMENT.pack(_LOAD, at, len(content), address, 0))
            case Write(address, value, _):
                elements.append(ELEMENT.pack(_WRITE, address, value, 0, 0))
            case Submit(address, length, _):
                for register, value in ((_SIZES[0], length // 8), (_PLACES[0], address // 8), (_TRIGGERS[0], 1)):
                    elements.append(ELEMENT.pack(_WRITE, MAPPED + 4 * register, value, 0, 0))
    numbers = [header, 0] * len(ARRAYS)
    head = MAGIC + struct.pack(f"<{2 + len(numbers) + 2}I", VERSION, header, *numbers, size, len(elements))
    return b"".join([head, *blobs, *elements])


def _finding(message: str, name: str, offset: int, fix: str, severity: str = WARNING) -> Diagnostic:
    return Diagnostic(code="F001", severity=severity, message=message, span=Span(file=name, offset=offset), notes=(), fix=fix)
