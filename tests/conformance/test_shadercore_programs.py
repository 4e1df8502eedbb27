"""Whole programs of the public hardware, run by the reference engine: every register written, in all 16 lanes."""

from __future__ import annotations

from typing import Any

import pytest

from lanewise.engine.wave import Core
from lanewise.isa.shadercore import LANES, decode
from lanewise.isa.shadercore_devices import EXPORTS, RTL, Register
from shadercore import needs_vectors, program_vectors, single_vectors, words_of

PROGRAMS = [vector for vector in program_vectors() if not vector["name"].startswith("short_")]
SHORT = [vector for vector in single_vectors() if vector["op"] == "core_program"]


def place(name: str) -> Register:
    return name[0], int(name[1]), "xyzw".index(name[3])


def core_of(vector: dict[str, Any]) -> Core:
    """The core at the start of the wave: `v` has all 16 lanes, so inactive ones are as they were measured."""
    initial: dict[Register, list[int]] = {}
    for name, lanes in vector["v"].items():
        for component in range(4):
            initial["v", int(name[1]), component] = [int(lane[component], 16) for lane in lanes]
    constants = {(int(n), c): int(value, 16) for n, values in vector["c"].items() for c, value in enumerate(values)}
    return Core([decode(word) for word in words_of(vector)], RTL, constants, initial)


@needs_vectors
def test_there_are_vectors():
    assert (len(PROGRAMS), len(SHORT)) == (40, 10)
    assert {quirk for vector in PROGRAMS for quirk in vector.get("quirks", ())} >= {"stray_spec", "x7x_cleared", "x7x_kept"}


@pytest.mark.parametrize("vector", PROGRAMS, ids=lambda vector: vector["name"])
def test_program(vector: dict[str, Any]):
    core = core_of(vector)
    core.run()
    expected = vector["expected"]
    for name, lanes in expected["regs"].items():
        assert [f"0x{value:08X}" for value in core.value(place(name))] == lanes, name
    named = {place(name) for name in expected["regs"]} | {key for key in core.registers if key[0] == "v"}
    assert all(key in named for key in core.registers), "nothing else was written"
    for lane, values in enumerate(expected.get("export", ())):
        assert [f"0x{wave[lane]:08X}" for wave in core.exported().values()] == values


@pytest.mark.parametrize("vector", SHORT, ids=lambda vector: "; ".join(vector["inputs"]["asm"]))
def test_short_program(vector: dict[str, Any]):
    given = vector["inputs"]
    initial = {("v", 0, c): [int(value, 16) for value in given[f"v0_{'xy'[c]}"]] for c in range(2)}
    constants = {(int(name[1]), "xyzw".index(name[3])): int(value, 16) for name, value in given["c"].items()}
    core = Core([decode(int(word, 16)) for word in given["words"]], RTL, constants, initial)
    core.run()
    for name, lanes in vector["expected"]["regs"].items():
        assert [f"0x{value:08X}" for value in core.value(place(name))] == lanes, name


@needs_vectors
def test_exports_are_ten_dwords():
    assert len(EXPORTS) == 10
    assert [vector["name"] for vector in PROGRAMS if "export" in vector["expected"]]
    assert all(len(lanes) == LANES for vector in PROGRAMS for lanes in vector["v"].values())
