"""Terms of Direct3D 9: what a path says of comparisons, and what other lanes do not share with it."""

from __future__ import annotations

import pytest

from lanewise.direct3d9.proof.terms import Paths, Symbols
from lanewise.direct3d9.sem.numbers import rule_of

ONE, TWO, SIGN = 0x3F800000, 0x40000000, 0x80000000


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


def test_a_condition_of_a_lane_says_nothing_of_what_its_neighbours_have(m: Symbols):
    """The other pixel of a difference may have chosen the other value; a boolean of the application is the same for all."""
    a, b = (m.m.node("input", name) for name in "ab")
    for condition, equal in ((m.ordered(a, b, or_equal=False), False), (m.m.node("boolean", 0), True)):
        before = m.m.difference(m.select(condition, a, b), 0)
        after = m.select(condition, m.m.difference(a, 0), m.m.difference(b, 0))
        assert m.m.equal(before, after, {}) is equal


def test_subnormals_are_zeros_where_the_comparison_takes_them_so():
    """0 >= a and a >= 2^-149 hold for a = 0 on the public hardware."""
    for rule, impossible in (("ieee", True), ("rtl", False)):
        m = Symbols(Paths(rule_of(rule)))
        a, zero, least = m.m.node("input", "a"), m.constant(0), m.constant(1)
        assumed = {m.ordered(zero, a, or_equal=True): True, m.ordered(a, least, or_equal=True): True}
        assert m.m.impossible(assumed) is impossible
