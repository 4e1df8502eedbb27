"""The laws by which terms of Direct3D 9 are one, for numbers; what a path says of comparisons."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from lanewise.direct3d9.proof.terms import Paths, Symbols
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.sem.numbers import WaveOps

if TYPE_CHECKING:
    from collections.abc import Callable

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
NEAREST = [name for name, device in DEVICES.items() if device.value("add") == "nearest"]
# By name: devices, and both sides for two patterns.
LAWS: dict[str, tuple[list[str], Callable[[Numbers, int, int], tuple[int, int]]]] = {
    "a + a is 2 * a": (NEAREST, lambda f, a, b: (f("add", a, a), f("mul", a, TWO))),
    "sums commute": (NEAREST, lambda f, a, b: (f("add", a, b), f("add", b, a))),
    "1 times a sum": (NEAREST, lambda f, a, b: (f("mul", f("add", a, b), ONE), f("add", a, b))),
    "1 times a product": (NEAREST, lambda f, a, b: (f("mul", f("mul", a, b), ONE), f("mul", a, b))),
    "products commute": ([*DEVICES], lambda f, a, b: (f("mul", a, b), f("mul", b, a))),
    "two signs": ([*DEVICES], lambda f, a, b: (f("mul", a ^ SIGN, b ^ SIGN), f("mul", a, b))),
    "a sign changes places": ([*DEVICES], lambda f, a, b: (f("mul", a ^ SIGN, b), f("mul", a, b ^ SIGN))),
    "saturated twice": ([*DEVICES], lambda f, a, b: (f("saturate", f("saturate", a)), f("saturate", a))),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_holds_for_numbers(name: str):
    devices, law = LAWS[name]
    for device in devices:
        ops, rng = WaveOps(DEVICES[device]), random.Random(name)

        def f(operation: str, *values: int, ops: WaveOps = ops) -> int:
            return ops.apply(operation, *[(value,) for value in values])[0]

        for number in range(600):
            a, b = (rng.choice(SPECIAL) if rng.random() < 0.5 else rng.getrandbits(32) for _ in range(2))
            one, other = law(f, a, b)
            assert one == other, f"{device}, pair {number}: {a:08x} {b:08x}"


@pytest.fixture
def m() -> Symbols:
    return Symbols(Paths(rule_of("ieee")))


def test_terms_are_one_by_the_laws(m: Symbols):
    a, b = (m.m.node("input", name) for name in "ab")
    assert m.mul(m.negate(a), b) == m.mul(a, m.negate(b))
    assert m.mul(m.negate(a), m.negate(b)) == m.mul(b, a)
    assert m.mul(m.negate(a), m.constant(TWO)) == m.mul(a, m.constant(TWO | SIGN))
    assert m.add(a, a) == m.mul(m.constant(TWO), a)
    assert m.mul(m.constant(ONE), a) != a, "a NaN that comes in is changed"
    assert m.add(m.mul(m.constant(ONE), m.mul(a, b)), a) == m.add(a, m.mul(b, a))


def test_a_choice_ends_where_its_condition_is_known(m: Symbols):
    a, b = (m.m.node("input", name) for name in "ab")
    less = m.ordered(a, b, or_equal=False)
    chosen = m.select(less, a, b)
    assert m.m.equal(chosen, a, {less: True}) and not m.m.equal(chosen, a, {less: False})
    assert m.m.equal(m.select(m.ordered(a, b, or_equal=True), b, a), b, {less: False, m.ordered(a, b, or_equal=True): True})
    assert m.m.equal(chosen, a, {m.ordered(b, a, or_equal=True): False, less: True})


def test_choices_are_compared_in_every_case(m: Symbols):
    a, b = (m.m.node("input", name) for name in "ab")
    p, q = m.m.node("boolean", 0), m.m.node("boolean", 1)
    assert m.m.equal(m.select(p, m.select(q, a, b), b), m.select(m.both(p, q), a, b), {})
    assert not m.m.equal(m.select(p, m.select(q, a, b), b), m.select(m.either(p, q), a, b), {})


@pytest.mark.parametrize(
    ("facts", "impossible"),
    [
        (((0, 1, False), (1, 0, False)), True),  # a < b, b < a
        (((0, 1, False), (0, 1, True)), True),  # a < b, a >= b
        (((0, 1, True), (1, 0, True)), False),  # equal
        (((0, 3, False), (0, 2, True)), False),  # a < 2, a >= 1
        (((0, 2, False), (0, 3, True)), True),  # a < 1, a >= 2
        (((0, 2, False), (2, 0, True)), False),  # a < 1, 1 >= a
        (((2, 0, False), (2, 0, True)), True),  # 1 < a, 1 >= a
    ],
)
def test_comparisons_exclude_each_other(m: Symbols, facts: tuple[tuple[int, int, bool], ...], impossible: bool):
    terms = [m.m.node("input", "a"), m.m.node("input", "b"), m.constant(ONE), m.constant(TWO)]
    assumed = {m.ordered(terms[x], terms[y], or_equal=or_equal): True for x, y, or_equal in facts}
    assert m.m.impossible(assumed) is impossible
