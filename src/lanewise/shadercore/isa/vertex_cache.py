"""The vertex fetch of a draw: which DWORDs the vertex cache has, and how long the fetch takes.

The cache of the public hardware (VertexStreamCache.vhd) has sets of lines that are dropped in the order in which they came. A
line is found by the descriptor of its stream and by its number, counted from the base of the stream, so that two streams of one
buffer share no line. The parameters of a device give its sizes; the rule agrees with GHDL runs of that file in every wave that
was tried.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import LANES, QUADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.devices import Device


class Descriptor(Record):
    """A stream descriptor as the fetch sees it: DWORDs of an element, whether it is a D3DCOLOR, stride and offset in DWORDs."""

    dwords: int
    color: bool
    stride: int
    offset: int = 0


class WaveFetch(Record):
    """The fetch of one wave: vertices, DWORDs that are read, those of them that the cache lacks, and the cycles if it had all
    (None: not defined)."""

    vertices: int
    dwords: int
    misses: int
    hit_cycles: int | None


def hit_cycles(device: Device, vertices: int, stream: Sequence[tuple[int, bool]]) -> int | None:
    """The cycles of the fetch of so many vertices if the cache has all data; None where the device does not define it.

    Each DWORD of a vertex takes a time, and each group of four one more to be written (reference 3).
    """
    dword, write, color = (device.defined_cycles(key) for key in ("fetch_cycles", "fetch_write", "fetch_color"))
    if dword is None or write is None or color is None:
        return None
    whole, rest = divmod(vertices, LANES)
    groups = whole * -(-LANES // QUADS) + -(-rest // QUADS)
    return sum(dword * dwords * vertices + (color if is_color else write * dwords) * groups for dwords, is_color in stream)


def miss_cycles(device: Device) -> int | None:
    """The cycles that a DWORD takes longer if the cache lacks it; None where the device does not define them."""
    own, memory = device.defined_cycles("fetch_miss"), device.defined_cycles("memory_latency")
    return None if own is None or memory is None else own + memory


def fetch_waves(device: Device, streams: Sequence[Descriptor], indices: Sequence[int]) -> tuple[WaveFetch, ...] | None:
    """The fetch of each wave of a draw of the vertices `indices`, from an empty cache on; None where the device defines no
    cache."""
    cache = _cache_of(device)
    if cache is None:
        return None
    found: list[WaveFetch] = []
    cost = [(stream.dwords, stream.color) for stream in streams]
    for first in range(0, len(indices), LANES):
        chosen = indices[first : first + LANES]
        if device.value("cache_kept") == "empty":
            cache.clear()
        misses = 0
        for number, stream in enumerate(streams):
            for dword in range(stream.offset, stream.offset + stream.dwords):
                for index in chosen:
                    misses += cache.misses(number, index * stream.stride + dword)
        dwords = sum(stream.dwords for stream in streams) * len(chosen)
        found.append(WaveFetch(len(chosen), dwords, misses, hit_cycles(device, len(chosen), cost)))
    return tuple(found)


def lines_needed(device: Device, streams: Sequence[Descriptor], indices: Sequence[int]) -> int | None:
    """The lines that a draw of the vertices `indices` fetches from, each counted once, or once for each wave where waves begin
    with an empty cache: no cache misses fewer. None where the device defines no cache."""
    line = device.defined_cycles("cache_line")
    if _cache_of(device) is None or not line:
        return None
    found: set[tuple[int, int, int]] = set()
    emptied = device.value("cache_kept") == "empty"
    for place, index in enumerate(indices):
        wave = place // LANES if emptied else 0
        for number, stream in enumerate(streams):
            first = index * stream.stride + stream.offset
            found.update([(wave, number, n) for n in range(first // line, (first + stream.dwords - 1) // line + 1)])
    return len(found)


class _Cache:
    def __init__(self, line: int, sets: int, ways: int, shift: int, *, renews: bool) -> None:
        self._line, self._ways, self._shift, self._renews = line, ways, shift, renews
        self._sets: list[list[tuple[int, int]]] = [[] for _ in range(sets)]

    def clear(self) -> None:
        for lines in self._sets:
            lines.clear()

    def misses(self, stream: int, dword: int) -> bool:
        """Read a DWORD at an address from the base of its stream; whether its line was not there."""
        number = dword // self._line
        lines = self._sets[(number + self._shift * stream) % len(self._sets)]
        line = stream, number
        there = line in lines
        if there and self._renews:
            lines.remove(line)
            lines.append(line)
        if not there:
            if len(lines) == self._ways:
                del lines[0]
            lines.append(line)
        return not there


def _cache_of(device: Device) -> _Cache | None:
    sizes = [device.defined_cycles(key) for key in ("cache_line", "cache_sets", "cache_ways", "cache_stream_sets")]
    line, sets, ways, shift = [size or 0 for size in sizes]
    return _Cache(line, sets, ways, shift, renews=device.value("cache_drops") == "unused") if line and sets and ways else None
