"""The routines: their cost, special numbers, exact values, and errors on a sample and where the exhaustive run found the
worst."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

import numpy as np
import pytest

from compile.bounds import BY_NAME, CASES, COSTS, DEVICES, PICKS, POWER_BOUND, AnySigma, errors, recorded
from compile.recorder import record
from compile.table import PAGE, table
from effort import times
from lanewise.shadercore.isa.devices import RTL, Device
from lanewise.shadercore.isa.table import LANES, SOURCE_FILES
from lanewise.shadercore.sem.numbers import Wave, WaveOps
from lanewise.shadercore.sem.routines import Routines
from together import together

INF, NAN = math.inf, math.nan
each_device = pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(word: int) -> float:
    return struct.unpack("<f", struct.pack("<I", word))[0]


def routines(device: Device, lanes: int) -> Routines[Wave]:
    words = WaveOps(device)
    return Routines(words, device, lambda pattern: words.constant(pattern, lanes))


def run(device: Device, name: str, *arguments: list[float]) -> list[float]:
    """A routine of whole waves on exact integers."""
    count = len(arguments[0])
    assert count % LANES == 0
    found: list[float] = []
    for first in range(0, count, LANES):
        waves = [tuple(bits(value) for value in argument[first : first + LANES]) for argument in arguments]
        found += map(number, getattr(routines(device, LANES), name)(*waves))
    return found


def filled(values: list[float]) -> list[float]:
    return values + [1.0] * (-len(values) % LANES)


def same(found: float, expected: float) -> bool:
    return math.isnan(found) if math.isnan(expected) else bits(found) == bits(expected)


# Costs


@each_device
@pytest.mark.parametrize("name", COSTS)
def test_costs_are_those_recorded(name: str, device: Device):
    key = next(key for key, value in DEVICES.items() if value is device)
    made, told = record(device, name, COSTS[name]), recorded()[key][name]
    assert (len(made.insts), made.cycles, len(made.constants)) == (told["slots"], told["cycles"], told["constants"])


@pytest.mark.parametrize("name", COSTS)
def test_an_instruction_names_one_constant(name: str):
    """Which is all that `rtl` can read, and no instruction needs the register 1."""
    for inst in record(RTL, name, COSTS[name]).insts:
        files = [SOURCE_FILES[source.file] for source in (inst.a, inst.b)]
        places = {(source.number, source.component) for source in (inst.a, inst.b) if SOURCE_FILES[source.file] == "c"}
        assert len(places) <= 1
        assert "1" not in files


# Numbers that are exact, and those that are none


@each_device
def test_special_numbers(device: Device):
    cases: dict[str, dict[float, float]] = {
        "rcp": {0.0: INF, INF: 0.0, -INF: -0.0, NAN: NAN, -3.0: -1 / 3, 2.0**126: 2.0**-126, -(2.0**126): -(2.0**-126)},
        "rsq": {0.0: INF, INF: 0.0, NAN: NAN},
        "rsq_of_square": {INF: 0.0},
        "exp2": {
            0.0: 1.0,
            INF: INF,
            -INF: 0.0,
            NAN: NAN,
            128.0: INF,
            1e30: INF,
            -1e30: 0.0,
            1e-40: 1.0,
            -1e-20: 1.0,
            -200.0: 0.0,
        },
        "log2": {0.0: -INF, INF: INF, NAN: NAN, -4.0: 2.0, -INF: INF},
        "sine": {0.0: 0.0, NAN: NAN},
        "cosine": {0.0: 1.0, NAN: NAN},
    }
    cases["exp2_coarse"] = {value: result for value, result in cases["exp2"].items() if value != -1e-20}
    cases["log2_coarse"] = cases["log2_relative"] = cases["log2"]
    for name, expected in cases.items():
        found = run(device, name, filled(list(expected)))
        for value, result in zip(expected, found, strict=False):
            near = name == "rcp" and value == -3.0
            right = abs(result - expected[value]) < 1e-7 if near else same(result, expected[value])
            assert right, (name, value, result)
    for name, result in (("rcp", -INF), ("rsq", INF), ("exp2", 1.0), ("log2", -INF)):
        assert same(run(device, name, filled([-0.0]))[0], result), name


@each_device
def test_the_ends_of_the_range_of_rcp(device: Device):
    """Above 2**126 the reciprocal is no normal number: 0 where the device has no others."""
    flushed = device.value("subnormals") == "flushed"
    values = [1.5 * 2.0**126, -1.5 * 2.0**127, 2.0**127, float(np.finfo(np.float32).max)]
    for value, found in zip(values, run(device, "rcp", filled(values)), strict=False):
        assert same(found, math.copysign(0.0, value) if flushed else float(np.float32(1 / value)))


@each_device
def test_normalising_nothing_gives_nothing(device: Device):
    found = run(device, "rsq_of_square", filled([0.0]))[0]
    assert math.isfinite(found)
    assert found > 2.0**60


@each_device
def test_exact_values(device: Device):
    powers = [math.copysign(2.0**power, sign) for power in range(-126, 127) for sign in (1, -1)]
    for value, found in zip(powers, run(device, "rcp", filled(powers)), strict=False):
        assert same(found, 1 / value)
    whole = [float(n) for n in range(-126, 128)]
    for value, found in zip(whole, run(device, "exp2", filled(whole)), strict=False):
        assert same(found, 2.0**value)
    for name in ("log2", "log2_coarse", "log2_relative"):
        for value, found in zip(whole, run(device, name, filled([2.0**n for n in whole])), strict=False):
            assert same(found, value)


def test_roots_of_powers_of_four():
    powers = [4.0**power for power in range(-63, 64)]
    for value, found in zip(powers, run(RTL, "rsq", filled(powers)), strict=False):
        assert same(found, 1 / math.sqrt(value))


# Errors


@each_device
@pytest.mark.parametrize("case", CASES, ids=BY_NAME)
def test_errors_on_a_sample(case: Any, device: Device):
    """Random numbers from the spans of the exhaustive run, with results of RCP at random."""
    rng = np.random.default_rng(22)
    for span in case.spans[:: times(6, 3)]:
        patterns = rng.integers(span.first, span.end, times(100, 300), dtype=np.int64).astype(np.uint32)
        m = AnySigma(device, int(rng.integers(PICKS)))
        assert float(np.abs(errors(m, case, patterns)).max()) <= case.bound


@together("key", DEVICES)
@together("case", CASES, ids=BY_NAME)
def test_the_worst_inputs_are_still_as_bad(case: Any, key: str):
    told = recorded()[key][case.name]
    assert told["error"] <= case.bound == told["bound"]
    found = errors(AnySigma(DEVICES[key], told["pick"]), case, np.array([int(told["input"], 16)], np.uint32))
    assert math.isclose(abs(float(found[0])), told["error"], rel_tol=1e-6)


@pytest.mark.parametrize("key", DEVICES)
def test_the_worst_power_is_still_as_bad(key: str):
    told = recorded()[key]["power"]
    a, b = (number(int(word, 16)) for word in told["input"].split())
    found = run(DEVICES[key], "power", filled([a]), filled([b]))[0]
    true = 2.0 ** (b * math.log2(a))
    assert math.isclose(abs(found / true - 1), told["error"], rel_tol=1e-3)
    assert told["error"] <= told["bound"] == POWER_BOUND


def test_waves_of_any_neighbours():
    """Whole waves on exact integers, with neighbours that make RCP's stale term as large as it can be, or small."""
    rng = random.Random(7)
    for _ in range(60):
        near = [
            number(rng.choice((0x3F800001, 0x3FFFFFFF, 0x3F87FFFF, 0x3F880000, 0x3F800000 + rng.getrandbits(23))))
            for _ in range(LANES)
        ]
        values = [value * 2.0 ** rng.randrange(-100, 100) for value in near]
        for name, power in (("rcp", -1.0), ("rsq", -0.5)):
            for value, found in zip(values, run(RTL, name, values), strict=True):
                assert abs(found / value**power - 1) <= 2.0**-22, (name, value)


# Choices


@each_device
def test_a_choice_keeps_every_bit(device: Device):
    rng = random.Random(3)
    edges = [0, 0x80000000, 1, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF, 0x3F800000]
    a = (*edges, *(rng.getrandbits(32) for _ in range(8)))
    b = tuple(reversed([rng.getrandbits(32) if n % 3 else edges[n % 8] for n in range(LANES)]))
    condition = tuple(bits(float(n % 2)) for n in range(LANES))
    r = routines(device, LANES)
    assert r.select(condition, a, b) == tuple(x if n % 2 else y for n, (x, y) in enumerate(zip(a, b, strict=True)))
    masks = r.masks(condition)
    assert masks.true == tuple(0xFFFFFFFF * (n % 2) for n in range(LANES))
    assert r.choose(masks, b, a) == r.select(condition, b, a)


def test_sine_and_cosine_together_are_those_alone():
    angles = filled([n / 4 for n in range(-12, 13)])
    r = routines(RTL, len(angles))
    wave = tuple(bits(x) for x in angles)
    assert r.sincos(wave) == (r.cosine(wave), r.sine(wave))


def test_the_page_has_the_table():
    assert table(recorded()) in PAGE.read_text()
