"""What the fetch writes to lanes without a vertex, as registers of the public hardware description held it under GHDL."""

from __future__ import annotations

import random

import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.sem.fetch import Element, color_components, elements_of, idle_lanes, unorm8_table


def elements(count: int) -> list[Element]:
    """v2 of two DWORDs, v1 a D3DCOLOR, v0 of one DWORD, in this order."""
    rng = random.Random(1)
    mesh = [[rng.getrandbits(32) for _ in range(4)] for _ in range(40)][:count]
    columns = [[vertex[n] for vertex in mesh] for n in range(4)]
    return [Element(2, columns[:2]), Element(1, columns[2:3], True), Element(0, columns[3:])]


# By number of vertices: a wave that begins with the last quad, and one that does not.
MEASURED = {
    18: {
        (2, 0): (0x8D88348A, 0xAD45F23D), (2, 1): (0x8D88348A, 0xAD45F23D), (1, 0): (0x3F080000, 0x3E8A0000),
        (1, 1): (0x3E500000, 0x3F720000),
        (1, 2): (0x3F0A0000, 0x3E740000), (1, 3): (0x3F0D0000, 0x3F2D0000), (0, 0): (0x3F0D0000, 0x3F2D0000),
    },
    23: {
        (2, 0): (0xA46D6753,), (2, 1): (0x19999E3F,), (1, 0): (0x3E700000,), (1, 1): (0,), (1, 2): (0,), (1, 3): (0x3E780000,),
        (0, 0): (0xA11D459A,),
    },
}  # fmt: skip


@pytest.mark.parametrize("count", MEASURED)
def test_lanes_get_what_the_quad_or_element_before_has_fetched(count: int):
    assert idle_lanes(elements(count), count, RTL) == MEASURED[count]


def test_lanes_of_other_devices_and_of_whole_quads_keep_their_inputs():
    assert not idle_lanes(elements(18), 18, DOCUMENT)
    assert not idle_lanes(elements(18), 18, RTL.set("idle_lanes=kept"))
    assert not idle_lanes(elements(20), 20, RTL)
    assert not idle_lanes([], 3, RTL)


def test_the_first_quad_of_all_finds_nothing_fetched():
    assert idle_lanes([Element(0, [[7]]), Element(1, [[8]])], 1, RTL) == {(0, 0): (0, 0, 0), (1, 0): (0, 0, 0)}
    assert idle_lanes([Element(0, [[7, 9]]), Element(1, [[8, 5]])], 2, RTL) == {(0, 0): (0, 0), (1, 0): (0, 0)}


def test_inputs_are_elements_in_the_order_of_registers():
    found = elements_of({(3, 1): [4], (0, 0): [1], (3, 0): [3]})
    assert found == [Element(0, [[1]]), Element(3, [[3], [4]])]


def test_colours():
    assert color_components([0xFF3E7FC0], RTL) == [(0x3E780000,), (0x3EFE0000,), (0x3F400000,), (0x3F800000,)]  # measured
    assert unorm8_table(DOCUMENT)[0x3E] == 0x3E78F8F9
    assert [unorm8_table(device)[n] for device in (RTL, DOCUMENT) for n in (0, 255)] == [0, 0x3F800000] * 2
