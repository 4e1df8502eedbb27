"""The laws by which terms of ShaderCore are one, for numbers of devices of any parameters; choices, in every case."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL
from lanewise.shadercore.proof.terms import WaveTerms
from lanewise.shadercore.sem.numbers import WaveOps

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.shadercore.isa.devices import Device

    Numbers = Callable[..., int]

SIGN, ONE, TWO = 0x80000000, 0x3F800000, 0x40000000
SPECIAL = (
    0,
    SIGN,
    ONE,
    ONE | SIGN,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F800001,
    0xFFC00001,
    0x7F7FFFFF,
    0x00800000,
    1,
    0x807FFFFF,
)
# Devices whose parameters differ in what laws may depend on.
MIXED = [
    device.replace(dict(zip(("add", "mul", "subnormals", "nan"), values, strict=True)))
    for device in DEVICES.values()
    for values in product(("nearest", "floor"), ("nearest", "zero"), ("kept", "flushed"), ("one", "signed"))
    if values[:3] == ("nearest", "nearest", "kept") or values[2] == "flushed"
]


def any_device(device: Device) -> bool:
    return True


def nearest_sums(device: Device) -> bool:
    return device.value("add") == "nearest"


def nearest(device: Device) -> bool:
    return device.value("add") == device.value("mul") == "nearest"


def signed(device: Device) -> bool:
    return device.value("mul") == "zero" and device.value("nan") == "signed"


def ordered(device: Device) -> bool:
    return nearest(device) and device.value("compare") != "raw" and device.value("subnormals") == "kept"


# By name: for which devices it holds, and both sides for two patterns.
LAWS: dict[str, tuple[Callable[[Device], bool], Callable[[Numbers, int, int], tuple[int, int]]]] = {
    "a + a is 2 * a": (nearest, lambda f, a, b: (f("add", a, a), f("mul", a, TWO))),
    "sums commute": (nearest_sums, lambda f, a, b: (f("add", a, b), f("add", b, a))),
    "1 times a sum": (nearest, lambda f, a, b: (f("mul", f("add", a, b), ONE), f("add", a, b))),
    "1 times a product": (nearest, lambda f, a, b: (f("mul", f("mul", a, b), ONE), f("mul", a, b))),
    "-0 and a sum": (nearest, lambda f, a, b: (f("add", f("add", a, b), SIGN), f("add", a, b))),
    "-0 and a product": (nearest, lambda f, a, b: (f("add", SIGN, f("mul", a, b)), f("mul", a, b))),
    "a factor 1 in a sum": (nearest, lambda f, a, b: (f("add", f("mul", a, ONE), b), f("add", a, b))),
    "a factor 1 in a product": (nearest, lambda f, a, b: (f("mul", b, f("mul", ONE, a)), f("mul", b, a))),
    "-0 in a sum": (nearest, lambda f, a, b: (f("add", f("add", a, SIGN), b), f("add", a, b))),
    "-0 in a product": (nearest, lambda f, a, b: (f("mul", f("add", a, SIGN), b), f("mul", a, b))),
    "a factor 1 is compared": (ordered, lambda f, a, b: (f("less", f("mul", a, ONE), b), f("less", a, b))),
    "-0 is compared": (ordered, lambda f, a, b: (f("at_least", b, f("add", a, SIGN)), f("at_least", b, a))),
    "products commute": (any_device, lambda f, a, b: (f("mul", a, b), f("mul", b, a))),
    "two signs": (any_device, lambda f, a, b: (f("mul", a ^ SIGN, b ^ SIGN), f("mul", a, b))),
    "a sign changes places": (any_device, lambda f, a, b: (f("mul", a ^ SIGN, b), f("mul", a, b ^ SIGN))),
    "a sign of a product in a sum": (
        nearest_sums,
        lambda f, a, b: (f("add", f("mul", a, b) ^ SIGN, b), f("add", f("mul", a ^ SIGN, b), b)),
    ),
    "a sign of a product": (signed, lambda f, a, b: (f("mul", a, b) ^ SIGN, f("mul", a ^ SIGN, b))),
    "a sign of a product in a product": (
        nearest,
        lambda f, a, b: (f("mul", f("mul", a, b) ^ SIGN, b), f("mul", f("mul", a ^ SIGN, b), b)),
    ),
    "bits of nothing": (any_device, lambda f, a, b: (f("bit_and", a, 0), f("bit_or", 0, 0))),
    "all bits": (any_device, lambda f, a, b: (f("bit_and", a, 0xFFFFFFFF), f("bit_or", a, 0))),
    "twice the same": (any_device, lambda f, a, b: (f("bit_and", f("min", a, a), a), f("bit_or", f("max", a, a), a))),
    "limited to 1, then to 0": (any_device, lambda f, a, b: (f("max", 0, f("min", a, ONE)), f("saturate", f("min", a, ONE)))),
    "limited to 0, then to 1": (any_device, lambda f, a, b: (f("min", f("max", 0, a), ONE), f("saturate", f("max", 0, a)))),
    "a maximum with 0, saturated": (any_device, lambda f, a, b: (f("saturate", f("max", a, 0)), f("saturate", f("max", 0, a)))),
    "saturated twice": (any_device, lambda f, a, b: (f("saturate", f("saturate", a)), f("saturate", a))),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_holds_for_numbers(name: str):
    holds, law = LAWS[name]
    for device in filter(holds, MIXED):
        ops, rng = WaveOps(device), random.Random(name)

        def f(operation: str, *values: int, ops: WaveOps = ops) -> int:
            return ops.apply(operation, *[(value,) for value in values])[0]

        for number in range(times(60, 5_000)):
            a, b = (rng.choice(SPECIAL) if rng.random() < 0.5 else rng.getrandbits(32) for _ in range(2))
            one, other = law(f, a, b)
            assert one == other, f"{device.describe()}, pair {number}: {a:08x} {b:08x}"


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_choices_are_compared_in_every_case(device: Device):
    m = WaveTerms(device)
    a, b = (m.node("entering", "v", 0, n) for n in range(2))
    less = m.less(a, b)
    assert m.equal(m.mul(less, less), less, {})
    assert m.equal(m.bit_and(less, m.constant(ONE)), less, {})
    assert m.equal(m.add(less, m.constant(0)), less, {})
    assert m.equal(m.mul(m.less(b, a), less), m.constant(0), {}), "not both"
    assert not m.equal(m.add(less, m.at_least(a, b)), m.constant(ONE), {}), "neither, where one is a NaN"


def test_a_condition_of_a_lane_says_nothing_of_the_lanes_that_a_reciprocal_looks_at():
    for device, equal in ((DOCUMENT, True), (RTL, False)):
        m = WaveTerms(device)
        a, b = (m.node("entering", "v", 0, n) for n in range(2))
        less = m.less(a, b)
        chosen = m.rcp(m.add(less, m.constant(ONE)))
        outside = m.add(m.mul(less, m.constant(0xBF000000)), m.constant(ONE))
        assert m.equal(chosen, outside, {}) is equal
        one = m.quads_from(m.constant(ONE), m.constant(0), ((1, 0),))
        here = {m.ordered(a, b, or_equal=False): True}
        assert m.equal(less, m.constant(ONE), here)
        assert not m.equal(m.quads_from(less, m.constant(0), ((1, 0),)), one, here)
        moved = m.quads_from(less, m.constant(0), ((1, 0),))
        assert not m.equal(moved, m.mul(less, m.quads_from(m.constant(ONE), m.constant(0), ((1, 0),))), {})


def test_what_decides_a_comparison_decides_what_depends_on_it():
    """`if a != b` is a question, and in a program without branches the opposite of both comparisons as numbers."""
    m = WaveTerms(DOCUMENT)
    a, b = (m.node("entering", "v", 0, n) for n in range(2))
    both = m.both(m.ordered(a, b, or_equal=True), m.ordered(b, a, or_equal=True))
    unlike = m.at_least(m.constant(0), m.bit_and(m.at_least(a, b), m.at_least(b, a)))
    half = m.unorm(unlike, 16)
    mask = m.bit_or(half, m.shift_left(half, 16))
    assert m.equal(m.bit_and(a, mask), a, {both: False})
    assert m.equal(m.bit_and(a, mask), m.constant(0), {both: True})
    assert not m.equal(m.bit_and(a, mask), a, {})
