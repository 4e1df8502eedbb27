"""Whole programs of the public hardware, run by both engines: every register written, in all 16 lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from effort import sample
from engines.kernels import LEVELS, need_level
from lanewise.core.engines import LLVM
from lanewise.shadercore.engine.llvm.wave_kernels import Kernels
from lanewise.shadercore.engine.reference import EXPORTS, Core, Register
from lanewise.shadercore.engine.run import WaveRunner
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.isa.timing import time_program
from shadercore_cases import needs_vectors, program_vectors, single_vectors, words_of
from together import together

if TYPE_CHECKING:
    from collections.abc import Iterable

PROGRAMS = [vector for vector in program_vectors() if not vector["name"].startswith("short_")]
SHORT = [vector for vector in single_vectors() if vector["op"] == "core_program"]


def place(name: str) -> Register:
    return name[0], int(name[1]), "xyzw".index(name[3])


Given = tuple[dict[tuple[int, int], int], dict[Register, list[int]]]


def given(vector: dict[str, Any]) -> Given:
    """Constants, and registers at the start of the wave: `v` has all 16 lanes, so inactive ones are as they were measured."""
    initial: dict[Register, list[int]] = {}
    for name, lanes in vector["v"].items():
        for component in range(4):
            initial["v", int(name[1]), component] = [int(lane[component], 16) for lane in lanes]
    return {(int(n), c): int(value, 16) for n, values in vector["c"].items() for c, value in enumerate(values)}, initial


def shortly_given(vector: dict[str, Any]) -> Given:
    """The same of a short program."""
    inputs = vector["inputs"]
    initial: dict[Register, list[int]] = {("v", 0, c): [int(value, 16) for value in inputs[f"v0_{'xy'[c]}"]] for c in range(2)}
    return {(int(name[1]), "xyzw".index(name[3])): int(value, 16) for name, value in inputs["c"].items()}, initial


def texts(lanes: Iterable[int]) -> list[str]:
    return [f"0x{value:08X}" for value in lanes]


@needs_vectors
def test_there_are_vectors():
    assert (len(PROGRAMS), len(SHORT)) == (40, 10)
    assert {quirk for vector in PROGRAMS for quirk in vector.get("quirks", ())} >= {"stray_spec", "x7x_cleared", "x7x_kept"}


@together("vector", PROGRAMS, ids=lambda vector: vector["name"])
def test_program(vector: dict[str, Any]):
    core = Core([decode(word) for word in words_of(vector)], RTL, *given(vector))
    core.run()
    expected = vector["expected"]
    for name, lanes in expected["regs"].items():
        assert texts(core.value(place(name))) == lanes, name
    named = {place(name) for name in expected["regs"]} | {key for key in core.registers if key[0] == "v"}
    assert all(key in named for key in core.registers), "nothing else was written"
    for lane, values in enumerate(expected.get("export", ())):
        assert texts(wave[lane] for wave in core.exported().values()) == values


@together("vector", SHORT, ids=lambda vector: "; ".join(vector["inputs"]["asm"]))
def test_short_program(vector: dict[str, Any]):
    core = Core([decode(int(word, 16)) for word in vector["inputs"]["words"]], RTL, *shortly_given(vector))
    core.run()
    for name, lanes in vector["expected"]["regs"].items():
        assert texts(core.value(place(name))) == lanes, name


# A part on the native processor, less of them on less of it; in an exhaustive run all on each. test_program has all on the
# reference engine.
COMPILED = [
    pytest.param(vector, level, id=f"{vector.get('name', '')}-{level}")
    for level in LEVELS
    for vector in (sample([*PROGRAMS, *SHORT], 24) if level == "native" else sample([*PROGRAMS, *SHORT], 4))
]


@pytest.mark.parametrize(("vector", "level"), COMPILED)
def test_compiled(vector: dict[str, Any], level: str):
    need_level(level)
    short = "words" not in vector
    constants, initial = shortly_given(vector) if short else given(vector)
    insts = [decode(int(word, 16)) for word in (vector["inputs"] if short else vector)["words"]]
    expected = vector["expected"]
    places = [place(name) for name in expected["regs"]]
    found = Kernels(time_program(insts, RTL), level).run(constants, {}, LANES, initial, outputs=places)
    for name, lanes in expected["regs"].items():
        assert texts(found[place(name)].tolist()) == lanes, name
    if "export" in expected:
        exported = WaveRunner(insts, RTL, level).run(constants, {}, LANES, initial=initial, engine=LLVM)
        assert list(exported) == list(EXPORTS)
        for lane, values in enumerate(expected["export"]):
            assert texts(int(wave[lane]) for wave in exported.values()) == values


@needs_vectors
def test_exports_are_ten_dwords():
    assert len(EXPORTS) == 10
    assert [vector["name"] for vector in PROGRAMS if "export" in vector["expected"]]
    assert all(len(lanes) == LANES for vector in PROGRAMS for lanes in vector["v"].values())
