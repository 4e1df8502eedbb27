"""Vertex streams of ShaderCore: fetch vertices from memory to registers.

One descriptor for each input.

A descriptor has a base address, a type of one to four DWORDs, the number of an input, and stride and offset in DWORDs: element
k of vertex n is the DWORD `base + index[n] * stride + offset + k` (reference 4; ShaderCore.vhd:24-30,1262-1273).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.words import FILL, MASKED, bytes_fix, bytes_of, is_masked
from lanewise.core.diagnostics import ERROR, INDICES, WARNING, About, Diagnostic, InputError, has_errors
from lanewise.core.extras import require_numpy
from lanewise.core.objects import named_fields
from lanewise.core.ranges import count_or_none
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.stream_layouts import DWORD, KINDS, MOST_DWORDS, layouts, other_indices, unmoving
from lanewise.shadercore.isa.timing import time_waves
from lanewise.shadercore.isa.vertex_cache import Descriptor, fetch_waves
from lanewise.shadercore.sem.fetch import COLOR_SHIFTS, Element, unorm8_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing, WaveTime

MOST_STREAMS = 8  # descriptors of a core
MOST_INDEX = 0xFFFF
_FILLING = (0.0, 0.0, 0.0, 1.0)


@named_fields(
    {
        **dict.fromkeys(("type", "format", "dtype"), "kind"),
        **dict.fromkeys(("buffer", "memory", "vertices", "bytes"), "data"),
        **dict.fromkeys(("attribute", "usage", "register", "semantic"), "input"),
        **dict.fromkeys(("step", "pitch"), "stride"),
        **dict.fromkeys(("start", "first"), "base"),
    }
)
class Stream(Record):
    """A stream descriptor: the source of one input in a buffer. Stride, offset and base count DWORDs of 4 bytes."""

    input: str
    "The input by usage (`position`, `color1`) or by register (`v2`)."
    kind: str
    "A key of `KINDS`: float1 to float4, or d3dcolor: one DWORD 0xAARRGGBB, in memory the bytes B, G, R, A."
    data: bytes | bytearray | memoryview | NDArray[Any]
    "The memory: bytes, or an array whose bytes count."
    stride: int | None = None
    "DWORDs from one vertex to the next, 0 to 63; None: those of the type; 0: every vertex reads the same."
    offset: int = 0
    "DWORDs before an element, 0 to 63."
    base: int = 0
    "The DWORD at which the first vertex begins, any number."
    name: str = ""
    "The name of the data in messages."


class Fetched(NamedTuple):
    """The fetched data: patterns (uint32) by (input register, component), one for each of `vertices`; warnings.

    `elements` are the DWORDs that they come from, in the order of the streams.
    """

    values: dict[tuple[int, int], NDArray[np.uint32]]
    vertices: int
    warnings: tuple[Diagnostic, ...]
    elements: tuple[Element, ...] = ()


def descriptor_of(stream: Stream) -> Descriptor:
    """A stream as `shadercore.isa.vertex_cache` takes it."""
    kind = KINDS[stream.kind]
    return Descriptor(kind.dwords, kind.color, _step(stream), stream.offset)


def time_streams(
    timing: Timing, vertices: int, streams: Sequence[Descriptor], indices: Sequence[int] | None = None
) -> WaveTime:
    """The cycles of a draw with the fetch of its vertices: those of `indices`, by default 0, 1, 2 and so on.

    Without streams, and for more vertices than indices can name, misses are not counted. Raises ValueError for fewer than one
    vertex.
    """
    fetched = None
    if streams and vertices <= MOST_INDEX + 1:
        fetched = fetch_waves(timing.device, streams, range(vertices) if indices is None else indices)
    return time_waves(timing, vertices, [(stream.dwords, stream.color) for stream in streams], fetched)


def check_streams(streams: Mapping[int, Stream]) -> list[Diagnostic]:
    """Errors of descriptors (B201), by input register, before any memory is read."""
    found: list[Diagnostic] = []
    if len(streams) > MOST_STREAMS:
        found.append(
            _wrong(
                "",
                f"{len(streams)} streams are too many: a core has {MOST_STREAMS} descriptors",
                "give one to each input that is read",
            )
        )
    for stream in streams.values():
        what = _what(stream)
        if stream.kind not in KINDS:
            found.append(_wrong(stream.name, f"{what} has the type '{stream.kind}'", f"use one of {', '.join(KINDS)}"))
        if stream.stride is not None and not 0 <= stream.stride <= MOST_DWORDS:
            found.append(
                _wrong(
                    stream.name,
                    f"{what} has a stride of {stream.stride} DWORDs: the field has 6 bits",
                    f"{_in_dwords(stream.stride)}use 0 to {MOST_DWORDS} DWORDs of 4 bytes; reduce the vertex, or use separate "
                    "buffers",
                )
            )
        if not 0 <= stream.offset <= MOST_DWORDS:
            found.append(
                _wrong(
                    stream.name,
                    f"{what} has an offset of {stream.offset} DWORDs: the field has 6 bits",
                    f"{_in_dwords(stream.offset)}use 0 to {MOST_DWORDS} DWORDs of 4 bytes; `base` has no such limit",
                )
            )
        if is_masked(stream.data):
            found.append(_wrong(stream.name, f"the data of {what} {MASKED}", FILL))
        if stream.base < 0:
            found.append(_wrong(stream.name, f"{what} has a base of {stream.base}", "count DWORDs from the start of the data"))
    if found:
        return found
    return layouts([*streams.values()])


def _in_dwords(count: int) -> str:
    return f"write {count // DWORD} if {count} are bytes, or " if count > 0 and count % DWORD == 0 else ""


def fetch(streams: Mapping[int, Stream], device: Device, indices: ArrayLike | None = None, count: int | None = None) -> Fetched:
    """The values of the inputs after the fetch, by the input register of each stream.

    With `indices` (whole numbers of 16 bits) the vertices are those, in that order; else they are 0, 1, 2 and so on, `count` of
    them or as many as every stream has whole. Components that a type does not have are left out where the device keeps them, or
    are 0, 0, 0, 1 (`missing_components`). Raises InputError (B201, B011) with everything that is wrong.
    """
    require_numpy("vertex data in streams")
    import numpy as np

    count = count_or_none(count)
    findings = check_streams(streams)
    if has_errors(findings):
        raise InputError(findings)
    memory = {register: _dwords(stream, findings) for register, stream in streams.items()}
    rooms = {register: _room(stream, len(memory[register])) for register, stream in streams.items()}
    if indices is not None:
        chosen = _indices(indices, findings)
    else:
        chosen = np.arange(_count(streams, rooms, count, findings), dtype=np.int64)
    if indices is not None and count is not None and count != len(chosen):
        findings.append(
            Diagnostic(
                code="B008",
                severity=ERROR,
                message=f"{counted(len(chosen), 'index', 'indices')} for {counted(count, 'vertex', 'vertices')}",
                span=Span(file=""),
                fix="remove the count",
            )
        )
    findings += _out_of_reach(streams, device, int(chosen.max(initial=0)))
    values: dict[tuple[int, int], NDArray[np.uint32]] = {}
    elements: list[Element] = []
    beyond = _out_of_range(streams, rooms, chosen, indexed=indices is not None)
    layout = next((finding for finding in findings if finding.code == "B201" and finding.fix.startswith("if ")), None)
    unequal = next((finding for finding in findings if finding.code == "B008" and finding.severity == ERROR), None)
    if unequal is not None and count is None and layout is not None:  # the cause
        findings = [layout._replace(severity=ERROR)]
    if beyond and layout is not None:  # the cause
        beyond = [beyond[0]._replace(fix=layout.fix, notes=(*beyond[0].notes, layout.message))]
        findings.remove(layout)
    findings += beyond
    for register, stream in streams.items():
        if not has_errors(findings):
            elements.append(_element(register, stream, memory[register], chosen))
            values |= _components(elements[-1], device)
            findings += _otherwise(stream, elements[-1], len(memory[register]))
            findings += unmoving(stream, memory[register], chosen)
    if has_errors(findings):
        raise InputError(findings)
    return Fetched(values, len(chosen), tuple(findings), tuple(elements))


def _out_of_range(
    streams: Mapping[int, Stream], rooms: Mapping[int, int | None], chosen: NDArray[np.int64], *, indexed: bool
) -> list[Diagnostic]:
    """The finding about a vertex (B011) that the data of some streams do not have: of the one with the fewest."""
    short = [(room, register) for register, room in rooms.items() if room is not None and int(chosen.max(initial=-1)) >= room]
    if not short:
        return []
    room, register = min(short)
    stream = streams[register]
    at = int((chosen >= room).argmax())
    others = [streams[other].input for _, other in short if other != register]
    message = f"vertex {chosen[at]} of {_what(stream)} is out of range: its data has {counted(room, 'vertex', 'vertices')}"
    span, about = Span(file=stream.name), ()
    fix = f"use a count of {room} at most, or correct stride, offset and base" if room else "correct stride, offset and base"
    if indexed:
        message = f"indices[{at}]: {message}"
        span, about = Span(file=""), (About(INDICES, ""),)
        fix = other_indices(chosen, room)
        if room and not fix:
            fix = f"indices count from 0: use 0 to {room - 1}, or correct stride, offset and base"
    notes = (f"also out of range in the stream{'s' if len(others) > 1 else ''} of {', '.join(others)}",) if others else ()
    return [Diagnostic(code="B011", severity=ERROR, message=message, span=span, notes=notes, fix=fix, about=about)]


def _otherwise(stream: Stream, element: Element, dwords: int) -> list[Diagnostic]:
    """Warnings about floats that are something else, and about data that end within a vertex."""
    found: list[Diagnostic] = []
    kind, step = KINDS[stream.kind], _step(stream)
    if not kind.color:
        import numpy as np

        from lanewise.shadercore.api.stream_warnings import not_float32

        what, fix = not_float32(stream.data, np.concatenate([np.asarray(each, np.uint32) for each in element.dwords]))
        if what:
            message = f"the data of {_what(stream)} seem to be {what}: the core reads little-endian float32"
            return [_wrong(stream.name, message, fix, WARNING)]
    rest = dwords % step if step == kind.dwords and not (stream.offset or stream.base) else 0
    if rest:
        message = f"{_what(stream)}: {counted(rest, 'DWORD')} after the last whole vertex of {step}"
        found.append(_wrong(stream.name, message, "check the type and the stride, and that the data are complete", WARNING))
    return found


_REACH = 1 << 20  # DWORDs
_FEW_WORDS = 6  # a triangle of 32-bit indices


def _out_of_reach(streams: Mapping[int, Stream], device: Device, last: int) -> list[Diagnostic]:
    """Warnings about data that a device cannot read from where they are (`cache_base`, `cache_reach`); `last` is the highest
    index."""
    found: list[Diagnostic] = []
    line = device.defined_cycles("cache_line")
    for stream in streams.values():
        if line and device.value("cache_base") == "line" and stream.base % line:
            message = (
                f"the data of {_what(stream)} begin at DWORD {stream.base}, which is not a multiple of {line}: the hardware "
                "reads other data"
            )
            found.append(
                _wrong(
                    stream.name, message, f"align the data to {DWORD * line} bytes, and use the offset for the rest", WARNING
                )
            )
        end = last * _step(stream) + stream.offset + KINDS[stream.kind].dwords
        if device.value("cache_reach") == "20_bits" and end > _REACH:
            message = (
                f"vertex {last} of {_what(stream)} ends {end} DWORDs after the base: beyond {_REACH} the hardware reads "
                "other data"
            )
            found.append(_wrong(stream.name, message, "draw such vertices with another base", WARNING))
    return found


def _what(stream: Stream) -> str:
    return f"the stream of {stream.input}"


def _wrong(name: str, message: str, fix: str, severity: str = ERROR) -> Diagnostic:
    return Diagnostic(code="B201", severity=severity, message=message, span=Span(file=name), notes=(), fix=fix)


def _dwords(stream: Stream, findings: list[Diagnostic]) -> NDArray[np.uint32]:
    import numpy as np

    try:
        data = bytes_of(stream.data)
    except ValueError as error:
        findings.append(_wrong(stream.name, f"the data of {_what(stream)} {error}", bytes_fix(stream.data)))
        data = b""
    rest = len(data) % DWORD
    if rest:
        message = f"{_what(stream)}: {rest} byte{'' if rest == 1 else 's'} after the last whole DWORD"
        findings.append(_wrong(stream.name, message, "check that the data is complete", WARNING))
    return np.frombuffer(data[: len(data) - rest], "<u4")


def _step(stream: Stream) -> int:
    return KINDS[stream.kind].dwords if stream.stride is None else stream.stride


def _room(stream: Stream, dwords: int) -> int | None:
    """How many vertices the data has whole; None where every vertex reads the same, which is there."""
    left = dwords - stream.base - stream.offset - KINDS[stream.kind].dwords
    if left < 0:
        return 0
    return left // _step(stream) + 1 if _step(stream) else None


def _count(
    streams: Mapping[int, Stream], rooms: Mapping[int, int | None], count: int | None, findings: list[Diagnostic]
) -> int:
    """How many vertices there are without indices."""
    known = {register: room for register, room in rooms.items() if room is not None}
    if count is None and len(set(known.values())) > 1:
        listed = ", ".join(f"{streams[register].input} {room}" for register, room in known.items())
        findings.append(
            Diagnostic(
                code="B008",
                severity=ERROR,
                message=f"streams have different numbers of vertices: {listed}",
                span=Span(file=""),
                fix="give the number of vertices, or data of equal length",
            )
        )
        return 0
    wanted = count if count is not None else next(iter(known.values()), 1)
    if wanted < 1:
        findings.append(
            _wrong(
                "",
                "no vertices" if count is None else f"{counted(wanted, 'vertex', 'vertices')} requested",
                "give data for at least one vertex",
            )
        )
        return 0
    if wanted > MOST_INDEX + 1:
        findings.append(
            _wrong(
                "", f"{wanted} vertices are too many: an index has 16 bits, so at most {MOST_INDEX + 1}", "draw them in parts"
            )
        )
        return 0
    return wanted


def _indices(given: ArrayLike, findings: list[Diagnostic]) -> NDArray[np.int64]:
    import numpy as np

    if is_masked(given):
        findings.append(
            Diagnostic(code="B011", severity=ERROR, message=f"the list of indices {MASKED}", span=Span(file=""), fix=FILL)
        )
        return np.zeros(0, np.int64)
    array = np.asarray(given)
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "iu":
        findings.append(
            Diagnostic(
                code="B011",
                severity=ERROR,
                message="the indices are not a list of integers",
                span=Span(file=""),
                fix="use numbers from 0 to 65535: `indices.astype(numpy.uint16)`",
            )
        )
        return np.zeros(0, np.int64)
    for value in (int(array.min()), int(array.max())):
        if not 0 <= value <= MOST_INDEX:
            findings.append(
                Diagnostic(
                    code="B011",
                    severity=ERROR,
                    message=f"index {value} does not fit in 16 bits",
                    span=Span(file=""),
                    fix=f"use 0 to {MOST_INDEX}; `base` moves the whole buffer",
                )
            )
            return np.zeros(0, np.int64)
    findings += pairs_of_words(array)
    return array.astype(np.int64)


def pairs_of_words(indices: NDArray[Any]) -> list[Diagnostic]:
    """The warning about 16-bit indices (uint16, as a file of words has them) which are longer ones: upper words are 0."""
    if indices.dtype.itemsize != 2 or len(indices) < _FEW_WORDS or len(indices) % 2 or indices[1::2].any():
        return []
    if not indices.any():
        return []
    found = ", ".join([str(index) for index in indices[:_FEW_WORDS]])
    long = len(indices) % 4 == 0 and not indices[2::4].any()
    which, bits = ("three of four indices are", 64) if long else ("every second index is", 32)
    numpy = ", those of numpy.array" if long else ""
    return [
        Diagnostic(
            code="B011",
            severity=WARNING,
            message=f"{which} 0: {found}{' ...' if len(indices) > _FEW_WORDS else ''}; indices are 16-bit words",
            span=Span(file=""),
            fix=f"if they are {bits}-bit indices{numpy}, write 16-bit ones: uint16 of NumPy and C, '<H' of Python's struct",
            about=(About(INDICES, ""),),
        )
    ]


def _element(register: int, stream: Stream, memory: NDArray[np.uint32], chosen: NDArray[np.int64]) -> Element:
    """The DWORDs of the chosen vertices."""
    kind = KINDS[stream.kind]
    places = stream.base + stream.offset + chosen * _step(stream)
    return Element(register, [memory[places + number] for number in range(kind.dwords)], kind.color)


def _components(element: Element, device: Device) -> dict[tuple[int, int], NDArray[np.uint32]]:
    """The components of an input that an element writes, or that the device fills."""
    import numpy as np

    dwords = [np.asarray(values, np.uint32) for values in element.dwords]
    if element.color:
        table = np.array(unorm8_table(device), np.uint32)
        return {(element.number, n): table[dwords[0] >> np.uint32(shift) & 0xFF] for n, shift in enumerate(COLOR_SHIFTS)}
    if device.value("missing_components") == "defaults":
        fillings = np.array(_FILLING[len(dwords) :], np.float32).view(np.uint32)
        dwords += [np.full(len(dwords[0]), pattern, np.uint32) for pattern in fillings]
    return {(element.number, n): values for n, values in enumerate(dwords)}
