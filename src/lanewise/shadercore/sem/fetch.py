"""Vertex fetch of ShaderCore: what the registers of inputs hold when a program begins.

The core fetches one DWORD of one vertex after the other into four lane registers, and writes them to the quad after its last
lane, or after the last vertex of the wave. On the public hardware the lane registers keep what they held, so lanes of the last
quad that have no vertex get what the quad, the DWORD or the wave before has fetched (SC:1426-1470; reference 3 and 4). The
values of the other lanes are those of the vertices.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, SupportsInt

from lanewise.shadercore.isa.table import LANES, QUADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.shadercore.isa.devices import Device

_UNITS = LANES // QUADS
COLOR_SHIFTS = (16, 8, 0, 24)  # of R, G, B, A in 0xAARRGGBB: x, y, z, w (UNORM8ToFloat.vhd:650-671)
_ALPHA = 3
_ONE = 0x3F800000


class Patterns(Protocol):
    """A list or an array with a pattern of 32 bits for each vertex."""

    def __getitem__(self, part: slice, /) -> Iterable[SupportsInt]: ...


class Element(NamedTuple):
    """The data that a stream descriptor delivers: the number of the input, and for each DWORD the patterns of all vertices."""

    number: int
    dwords: Sequence[Patterns]
    color: bool = False


def elements_of(inputs: Mapping[tuple[int, int], Patterns]) -> list[Element]:
    """Inputs by (number, component) as elements of plain DWORDs, in the order of their registers."""
    found: dict[int, list[Patterns]] = {}
    for place in sorted(inputs):
        found.setdefault(place[0], []).append(inputs[place])
    return [Element(number, dwords) for number, dwords in found.items()]


@lru_cache
def unorm8_table(device: Device) -> tuple[int, ...]:
    """The patterns of the 256 values of a channel of a D3DCOLOR."""
    scale = device.choose("d3dcolor", {"n/255": 255, "n/256": 256})
    found = [struct.unpack("<I", struct.pack("<f", n / scale))[0] for n in range(256)]
    return (*found[:255], _ONE)


def color_components(dwords: Iterable[int], device: Device) -> list[tuple[int, ...]]:
    """x, y, z and w of D3DCOLORs, each with a pattern for each of them."""
    table, words = unorm8_table(device), list(dwords)
    return [tuple([table[word >> shift & 0xFF] for word in words]) for shift in COLOR_SHIFTS]


def idle_lanes(elements: Sequence[Element], count: int, device: Device) -> dict[tuple[int, int], tuple[int, ...]]:
    """The patterns that the fetch writes to the lanes after the last of `count` vertices, to the end of its quad, by (number,
    component).

    The elements are fetched in their order. Empty where the device keeps what the registers held, or where the vertices fill
    their last quad.
    """
    active = count % _UNITS
    if not active or device.value("idle_lanes") == "kept":
        return {}
    first = count - active  # vertex of the last quad
    begins_wave = first % LANES == 0
    held = [0] * _UNITS  # before anything has been fetched
    if begins_wave and first and elements:
        held = _after(elements[-1], len(elements[-1].dwords) - 1, first - _UNITS, held, _UNITS, device)[0]
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    for element in elements:
        for number in range(len(element.dwords)):
            if not begins_wave:
                held, _ = _after(element, number, first - _UNITS, held, _UNITS, device)
            held, written = _after(element, number, first, held, active, device)
            for component, lanes in enumerate(written, 0 if element.color else number):
                found[element.number, component] = lanes[active:]
    return found


def _after(
    element: Element, number: int, first: int, held: Sequence[int], active: int, device: Device
) -> tuple[list[int], list[tuple[int, ...]]]:
    """The lane registers after a quad that begins with vertex `first`, and the components that are written to it."""
    fetched = [int(value) for value in element.dwords[number][first : first + active]]
    lanes = [*fetched, *held[active:]]
    if not element.color:
        return lanes, [tuple(lanes)]
    components = color_components(lanes, device)
    return list(components[_ALPHA]), components
