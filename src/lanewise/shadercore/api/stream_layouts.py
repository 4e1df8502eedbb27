"""Types of streams, and warnings about those of one buffer that are not the parts of vertices one after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.words import bytes_of
from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.shadercore.api.streams import Stream

IF = ("if they are bytes, ", "if the vertices are one after the other, ")  # the beginnings of the fixes


DWORD = 4
MOST_DWORDS = 63  # of a stride and of an offset: their fields have 6 bits


class Kind(NamedTuple):
    """A type of elements: its DWORDs in memory, the components that it writes."""

    dwords: int
    components: int
    color: bool


KINDS = {
    **{f"float{n}": Kind(n, n, False) for n in range(1, 5)},
    "d3dcolor": Kind(1, 4, True),
}


class _Place(Record):
    """An element of a vertex, in DWORDs."""

    offset: int
    dwords: int
    stride: int

    @property
    def end(self) -> int:
        return self.offset + self.dwords


def layouts(streams: Sequence[Stream]) -> list[Diagnostic]:
    """The warnings about strides and offsets that fit together if they are bytes, or with a stride that the streams share."""
    found: list[Diagnostic] = []
    for buffer in dict.fromkeys([_buffer(stream) for stream in streams]):
        parts = sorted([stream for stream in streams if _buffer(stream) == buffer], key=lambda stream: stream.offset)
        finding = _in_bytes(parts) or _in_vertices(parts)
        found += [] if finding is None else [finding]
    return found


def _in_bytes(parts: Sequence[Stream]) -> Diagnostic | None:
    """The warning about streams of one buffer that fit together in bytes."""
    strides = {stream.stride for stream in parts}
    stride, at = parts[0].stride or 0, 0
    for stream in parts:
        at = at + KINDS[stream.kind].dwords if stream.offset == DWORD * at else MOST_DWORDS
    if len(strides) != 1 or stride % DWORD or stride < DWORD * at or (len(parts) == 1 and stride != DWORD * at):
        return None
    names = " and ".join([each.input for each in parts])
    message = (
        f"{counted(stride, 'DWORD')} from one vertex to the next, but the data of {names} fit into {stride} bytes: stride and "
        "offset count DWORDs of 4 bytes"
    )
    places = [_Place(each.offset // DWORD, 0, (each.stride or 0) // DWORD) for each in parts]
    certain = len(parts) > 1 or _size(parts[0]) % (stride or 1) != 0
    return _warning(parts[0].name, message, IF[0] + _lines(parts, places), WARNING if certain else NOTE)


def _in_vertices(parts: Sequence[Stream]) -> Diagnostic | None:
    """The warning about several streams of one buffer that read parts of each other, but would not with one stride."""
    given = [_Place(each.offset, KINDS[each.kind].dwords, _step(each)) for each in parts]
    if len(parts) < 2 or len({each.base for each in parts}) > 1 or _is_layout(given):
        return None
    size = _size(parts[0])
    whole = sum(place.dwords for place in given)
    strides = {each.stride for each in parts if each.stride} | {whole, max(place.end for place in given)}
    candidates = [[place._replace(stride=stride) for place in given] for stride in sorted(strides, reverse=True)]
    if all(each.stride is not None for each in parts):
        candidates.insert(0, [place._replace(offset=place.stride, stride=place.offset) for place in given])
    if not any(each.offset for each in parts):
        at = 0
        packed: list[_Place] = []
        for place in given:
            packed.append(place._replace(offset=at, stride=whole))
            at += place.dwords
        candidates.append(packed)
    meant = next((each for each in candidates if _is_layout(each) and size and size % each[0].stride == 0), None)
    if meant is None:
        return _beyond_vertex(parts, given)
    what = f"{' and '.join([each.input for each in parts])} are in one buffer"
    strides_of = " and ".join([str(place.stride) for place in given])
    message = f"{what}, with strides of {strides_of} DWORDs: they read each other's data"
    return _warning(parts[0].name, message, IF[1] + _lines(parts, meant), WARNING)


def _beyond_vertex(parts: Sequence[Stream], given: Sequence[_Place]) -> Diagnostic | None:
    """The warning about a type that has more DWORDs than there are from its offset to the next vertex."""
    stream, place = parts[-1], given[-1]
    left = place.stride - place.offset
    if len({each.stride for each in given}) > 1 or not 0 < left < place.dwords:
        return None
    kind = "d3dcolor" if left == 1 and stream.input.startswith("color") else f"float{left}"
    message = (
        f"{stream.input} reads {place.dwords} DWORDs from DWORD {place.offset} of a vertex of {place.stride}: it reads the "
        "next vertex too"
    )
    shown = f"{kind}:{stream.name}:{place.offset}:{place.stride}" if stream.name else kind
    return _warning(stream.name, message, f"{IF[1]}write {stream.input}={shown}", WARNING)


def _is_layout(places: Sequence[_Place]) -> bool:
    """Whether elements are the parts of vertices one after the other, or one element that is read several times."""
    ordered = sorted(set(places), key=lambda place: place.offset)
    apart = all(place.end <= after.offset for place, after in pairwise(ordered))
    return len({place.stride for place in ordered}) == 1 and apart and ordered[-1].end <= ordered[0].stride


def _lines(parts: Sequence[Stream], places: Sequence[_Place]) -> str:
    """The fix: options of the command line for data with a name, or arguments."""
    rows = list(zip(parts, places, strict=True))
    if parts[0].name:
        return f"write {' '.join([f'--stream {e.input}={e.kind}:{e.name}:{at.offset}:{at.stride}' for e, at in rows])}"
    return f"write {' and '.join([f'stride={at.stride}, offset={at.offset} for {e.input}' for e, at in rows])}"


def _step(stream: Stream) -> int:
    return KINDS[stream.kind].dwords if stream.stride is None else stream.stride


def _size(stream: Stream) -> int:
    """The DWORDs of the data after the base; 0 where they are not bytes, which `fetch` reports."""
    try:
        return max(0, len(bytes_of(stream.data)) // DWORD - stream.base)
    except ValueError:
        return 0


def _buffer(stream: Stream) -> str | int:
    """The buffer of a stream: its name, or the object that has the data."""
    return stream.name or id(stream.data)


def _warning(name: str, message: str, fix: str, severity: str) -> Diagnostic:
    return Diagnostic(code="B201", severity=severity, message=message, span=Span(file=name), notes=(), fix=fix)


def unmoving(stream: Stream, memory: NDArray[np.uint32], chosen: NDArray[np.int64]) -> list[Diagnostic]:
    """The warning about positions of many vertices, of which a stride of 0 reads the first for all that are `chosen`."""
    step = KINDS[stream.kind].dwords
    if stream.stride != 0 or stream.offset or stream.base or not stream.input.startswith("position"):
        return []
    vertices, rest = divmod(len(memory), step)
    differ = vertices > 1 and bool((memory[:step] != memory[step : 2 * step]).any())
    if rest or not differ or not 0 < int(chosen.max(initial=0)) < vertices:
        return []
    message = f"{stream.input} has a stride of 0: all vertices read the first of {vertices} positions"
    there = [_Place(0, step, step)]
    return [_warning(stream.name, message, f"if they are one after the other, {_lines([stream], there)}", WARNING)]


def other_indices(indices: NDArray[np.int64], room: int) -> str:
    """The fix of 16-bit indices beyond the data, which would be within it if they were in another form; empty for others."""
    import numpy as np

    words = indices.astype("<u2")
    if len(words) and int(words.byteswap().max()) < room:
        return "if they are big-endian, write their lower byte first: '<H' of Python's struct, '<u2' of NumPy"
    if len(words) and int(words.view(np.uint8).max()) < room:
        return "if they are bytes, write 16-bit indices: uint16 of NumPy and C, '<H' of Python's struct"
    return "if they count from 1, subtract 1" if int(indices.min()) == 1 and int(indices.max()) == room else ""


__all__ = ["DWORD", "IF", "KINDS", "MOST_DWORDS", "Kind", "layouts", "other_indices", "unmoving"]
