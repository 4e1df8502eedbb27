"""The words on arrays give the bits that the words on exact integers give: edge patterns, random ones, every rule of a
device."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

from effort import times
from engines.shadercore_numpy import Arrays
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.algebra import OPERATIONS
from lanewise.shadercore.sem.numbers import WaveOps
from shadercore_cases import MEASURED
from together import together

DEVICES = {
    "document": DOCUMENT,
    "rtl": RTL,
    "lanes apart": RTL.set("rcp_sigma=fixed,rsq_gate=fixed"),
    "nearest": RTL.set("add=nearest,mul=nearest,u32=nearest,half=nearest,unorm=nearest"),
    "other rules": DOCUMENT.set("nan=signed,compare=raw,frc=fixed,rnd23=unsigned,rnd16=away,exp_log=zero,subnormals=flushed"),
}
TWO = tuple(name for name, operation in OPERATIONS.items() if operation.values == 2)
ONE = tuple(name for name, operation in OPERATIONS.items() if operation == (1, False))
WITH = (
    *(("unorm", bits) for bits in (8, 16)),
    *((way, places) for way in ("shift_left", "shift_right") for places in (8, 16, 24)),
    *(("scale", power) for power in (-4, 1, 4)),
    *((word, bits) for word in ("xor", "mask", "set") for bits in (0x80000000, 0x7FFFFFFF)),
)
EDGES = tuple(
    sign | size
    for sign in (0, 0x80000000)
    for size in (
        *(0, 1, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x33000000, 0x33800000, 0x34000000, 0x37800000, 0x387FFFFF,
          0x38800000),
        *(0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40200000, 0x42FE0000,
          0x43000000, 0x43FF8000),
        *(0x46FFFE00, 0x46FFFEFF, 0x46FFFF00, 0x46FFFFFF, 0x47000000, 0x477FE000, 0x477FE001, 0x477FF000, 0x4A800000,
          0x4AFFFFFE, 0x4AFFFFFF, 0x4B000000),
        *(0x4B7FFFFF, 0x4B800000, 0x4F000000, 0x7E800000, 0x7EC00000, 0x7F000000, 0x7F400000, 0x7F7FFFFF, 0x7F800000,
          0x7F800001, 0x7FC00000, 0x7FFFFFFF),
    )
)  # fmt: skip


def samples(count: int) -> tuple[list[int], list[int]]:
    """Edges with edges, random patterns with random ones, and with ones that nearly cancel them; whole waves."""
    rng = random.Random(16)
    pairs = [(a, b) for a in EDGES for b in EDGES]
    for _ in range(count):
        a = rng.getrandbits(32)
        pairs.append((a, rng.choice((rng.getrandbits(32), a ^ 0x80000000 ^ rng.getrandbits(rng.randrange(27))))))
        near = 0x3F000000 + rng.getrandbits(24) | rng.getrandbits(1) << 31
        pairs.append((near, near ^ 0x80000000 ^ rng.getrandbits(25)))
        power = rng.getrandbits(9) << 23
        pairs.append((power, power - 1 ^ 0x80000000 if power else 0))  # the number just below it
    pairs = pairs[: len(pairs) // LANES * LANES]
    return [a for a, _ in pairs], [b for _, b in pairs]


def waves(values: list[int]) -> list[tuple[int, ...]]:
    return [tuple(values[n : n + LANES]) for n in range(0, len(values), LANES)]


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("name", TWO)
def test_words_on_two_values(name: str, device: Device):
    a, b = samples(2000)
    found = getattr(Arrays(device), name)(np.array(a, np.uint32), np.array(b, np.uint32))
    assert found.dtype == np.uint32
    expected = np.array(getattr(WaveOps(device), name)(tuple(a), tuple(b)), np.uint32)
    wrong = np.flatnonzero(found != expected)
    assert not len(wrong), [f"{a[n]:08X} {b[n]:08X}: {found[n]:08X}, not {expected[n]:08X}" for n in wrong[:5]]


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize(("name", "how"), [*((name, None) for name in ONE), *WITH])
def test_words_on_one_value(name: str, how: int | None, device: Device):
    few = name in ("exp2", "log2", "rsq") and device.value("exp_log") == "exact"
    a = [*EDGES, *samples(300 if few else 1500)[0][-(times(600, 1600) if few else times(1200, 6000)) :]]
    a = a[: len(a) // LANES * LANES]
    word, exact = getattr(Arrays(device), name), getattr(WaveOps(device), name)
    more = () if how is None else (how,)
    found = word(np.array(a, np.uint32), *more)
    assert found.dtype == np.uint32
    expected = np.concatenate([np.array(exact(wave, *more), np.uint32) for wave in waves(a)])
    wrong = np.flatnonzero(found != expected)
    assert not len(wrong), [f"{a[n]:08X}: {found[n]:08X}, not {expected[n]:08X}" for n in wrong[:5]]


def test_constants_go_with_arrays():
    m = Arrays(RTL)
    one = m.constant(0x3F800000)
    assert m.add(np.full(3, 0x3F800000, np.uint32), one).tolist() == [0x40000000] * 3
    assert m.mul(one, one).tolist() == [0x3F800000]
    assert partial(m.unorm, bits=16)(one).tolist() == [0xFFFF]


@together(("name", "a", "b", "result"), MEASURED)
def test_single_results_measured_on_the_hardware(name: str, a: int, b: int, result: int):
    values = (np.array([a], np.uint32), np.array([b], np.uint32))[: 2 if name == "add" else 1]
    assert getattr(Arrays(RTL), name)(*values).tolist() == [result]
