"""The vertex fetch: cycles that the public hardware description took under GHDL, and what other parameters change."""

from __future__ import annotations

import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.isa.vertex_cache import Descriptor, WaveFetch, fetch_waves, hit_cycles, miss_cycles

# Streams, latency of the memory, indices of each wave, and the cycles of each fetch: ShaderCore.vhd with VertexStreamCache.vhd
# under GHDL 2.0.
MEASURED = {
    "lines are used until they are through": ([(3, False, 7, 0)], 20, [range(16), range(16, 32), range(5)], [796, 796, 111]),
    "five lines of one set": ([(1, False, 32, 0)], 5, [[0, 8, 16, 24, 32, 0, 8, 16, 24, 32, 32, 24, 16, 8, 0, 40]], [320]),
    "a use renews no line": ([(1, False, 32, 0)], 5, [[0, 8, 16, 24, 0, 32, 0, 8, 16, 24, 32, 0]], [274]),
    "streams share no line": ([(4, False, 32, 0)] * 8, 1, [[0, 8, 16, 24, 32, 1, 9, 17]] * 2, [4248, 4248]),
    "streams are shifted": ([(1, False, 32, 32 * n % 64) for n in range(8)], 2, [[0, 8, 16, 24, 32, 40, 48, 56] * 2], [2720]),
    "a stride of 0, a colour": ([(4, False, 0, 0), (1, True, 1, 0)], 33, [range(16), range(100, 109)], [747, 444]),
    "an element in two lines": ([(4, False, 6, 6)], 100, [range(8), [7, 6, 5, 4]], [1016, 116]),
}


@pytest.mark.parametrize("name", MEASURED)
def test_measured(name: str):
    rows, latency, waves, cycles = MEASURED[name]
    streams = [Descriptor(*row) for row in rows]
    device = RTL.set(f"memory_latency={latency}")
    longer = miss_cycles(device)
    assert longer is not None
    # Waves of fewer vertices are filled up with the last of them, whose line is there.
    padded = fetch_waves(device, streams, [index for wave in waves for index in (*wave, *[wave[-1]] * (LANES - len(wave)))])
    assert padded is not None
    found: list[int] = []
    for wave, fetched in zip(waves, padded, strict=True):
        hits = hit_cycles(device, len(wave), [(stream.dwords, stream.color) for stream in streams])
        assert hits is not None
        found.append(hits + longer * fetched.misses)
    assert found == cycles


def misses(device: str, streams: list[Descriptor], indices: list[int]) -> list[int]:
    waves = fetch_waves(RTL.set(device), streams, indices)
    assert waves is not None
    return [wave.misses for wave in waves]


def test_other_caches():
    one = [Descriptor(1, False, 8)]
    again = [0, 1, 0, 2, 0]
    small = "cache_sets=1,cache_ways=2"
    assert misses(small, one, again) == [4]
    assert misses(f"{small},cache_drops=unused", one, again) == [3]
    assert misses("cache_line=16", one, [0, 1, 2, 3]) == [2]
    assert misses("cache_kept=empty", one, [0] * 40) == [1, 1, 1]
    assert misses("cache_kept=kept", one, [0] * 40) == [1, 0, 0]
    two = [Descriptor(1, False, 8), Descriptor(1, False, 8)]
    assert misses("cache_sets=8,cache_ways=1", two, [0, 1, 2, 3] * 8) == [8, 0]
    assert misses("cache_sets=8,cache_ways=1,cache_stream_sets=0", two, [0, 1, 2, 3] * 8) == [8, 8]


def test_a_device_without_a_cache():
    assert fetch_waves(DOCUMENT, [Descriptor(1, False, 1)], [0]) is None
    assert miss_cycles(RTL) is None
    assert miss_cycles(RTL.set("memory_latency=20")) == 32
    waves = fetch_waves(RTL.set("fetch_cycles=none,fetch_write=none,fetch_color=none"), [Descriptor(2, False, 2)], [0])
    assert waves == (WaveFetch(1, 2, 1, None),)


@pytest.mark.parametrize(
    "text", ["cache_line=none", "cache_drops=none", "cache_kept=none", "cache_base=none", "cache_reach=none"]
)
def test_a_cache_is_defined_as_a_whole(text: str):
    with pytest.raises(ValueError, match="are parts of one cache"):
        RTL.set(text)
