"""Equality by cases, on random terms over few numbers: what it says holds for numbers, and it says all that holds for many of
them."""

from __future__ import annotations

import random
from typing import Any

from effort import times
from engines.test_proof_rules import plain, words
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.terms import Terms
from lanewise.pica200.sem.numbers import Float24, Float32, number_rule
from lanewise.pica200.sem.profile import HARDWARE, Profile, profiles
from lanewise.proving.cases import equal_by_cases, impossible

CHANGES = ("max_zero_neg_inf", "compare_nan", "negative_zero", "litp_nan", "rounding", "constant_subnormals")
Expression = tuple[Any, ...]
TWO = ("max", "min", "at_least", "at_most")


def expression(rng: random.Random, depth: int) -> Expression:
    kind = rng.random()
    if depth == 0 or kind < 0.15:
        return ("number", rng.randrange(3)) if rng.random() < 0.75 else ("constant", rng.choice((0.0, 1.0, -2.0)))
    smaller = depth - 1
    if kind < 0.3:
        return (rng.choice(("negate", "negate", "flush")), expression(rng, smaller))
    if kind < 0.65:
        return (rng.choice(TWO), expression(rng, smaller), expression(rng, smaller))
    if kind < 0.75:
        return ("mul", expression(rng, smaller), expression(rng, smaller))
    condition = (rng.choice((0, 1, 0, 1, 2, 3, 4, 5)), expression(rng, smaller), expression(rng, smaller))
    if rng.random() < 0.3:
        condition = ("not_negative", expression(rng, smaller))
    return ("select", condition, expression(rng, smaller), expression(rng, smaller))


def changed(rng: random.Random, tree: Expression) -> Expression:
    """Another expression that is often equal."""
    name, *parts = tree
    if name in ("max", "min") and rng.random() < 0.6:
        other = "min" if name == "max" else "max"
        return ("negate", (other, *[("negate", part) for part in parts]))
    if name == "select" and rng.random() < 0.6 and parts[0][0] in (0, 1):
        (op, *operands), yes, no = parts
        return ("select", (1 - op, *operands), no, yes)
    if name in ("number", "constant") or rng.random() < 0.3:
        return ("max", tree, ("min", tree, ("constant", rng.choice((1.0, 0.0))))) if rng.random() < 0.5 else ("flush", tree)
    at = len(parts) - 1
    parts[at] = changed(rng, parts[at])
    return (name, *parts)


def term(m: Terms | Float24 | Float32, tree: Expression, numbers: tuple[int, ...]) -> int:
    """The value of an expression: a term, or a word."""
    name, *parts = tree
    if name == "number":
        return numbers[int(parts[0])]
    if name == "constant":
        return m.constant(parts[0])
    if name != "select":
        value: int = getattr(m, name)(*[term(m, part, numbers) for part in parts])
        return value
    (op, *operands), yes, no = parts
    compared = [term(m, operand, numbers) for operand in operands]
    holds: Any = m.not_negative(compared[0]) if op == "not_negative" else m.compare(op, *compared)
    return m.select(holds, term(m, yes, numbers), term(m, no, numbers))


def varied(rng: random.Random) -> Profile:
    found = rng.choice([*profiles.values()])
    for key in rng.sample(CHANGES, 2):
        found = found.replace(**{key: rng.choice([*CHOICES[key].answers])})
    return found


def test_what_is_called_equal_is_equal_for_numbers():
    rng = random.Random("cases")
    equal = other = 0
    for _ in range(times(100, 20_000)):
        profile = varied(rng)
        m, rule = Terms(Asked(profile)), number_rule(profile)
        tree = expression(rng, 2)
        second = changed(rng, tree) if rng.random() < 0.7 else expression(rng, 2)
        numbers = (m.inputs[0][0], m.inputs[1][0], m.inputs[2][0])
        one, two = term(m, tree, numbers), term(m, second, numbers)
        if one == two or not equal_by_cases(m, one, two, {}):
            other += 1
            continue
        equal += 1
        for _ in range(times(30, 200)):
            given = words(rng, profile, 3)
            if rng.random() < 0.5:  # equal numbers, and such with the other sign
                given = [rng.choice((given[0], rule.negate(given[0]), given[1])) for _ in range(3)]
            left, right = (plain(rule, term(rule, each, tuple(given))) for each in (tree, second))
            assert left == right, (profile.describe(), tree, second, [hex(word) for word in given])
    assert equal > times(10, 2_000)
    assert other > times(10, 2_000)


def test_conditions_that_exclude_each_other():
    m = Terms(Asked(HARDWARE))
    a, b, c = (m.inputs[n][0] for n in range(3))
    less, more, same = m.compare(2, a, b), m.compare(2, b, a), m.compare(0, a, b)
    assert impossible(m, {less: True, more: True})
    assert impossible(m, {less: True, same: True})
    assert not impossible(m, {less: False, more: False})
    assert not impossible(m, {less: False, more: False, same: False})  # NaN
    assert impossible(m, {less: True, m.compare(2, b, c): True, m.compare(2, a, c): False})
    assert equal_by_cases(m, m.max(a, b), a, {more: True})
    assert not equal_by_cases(m, m.max(a, b), b, {more: True})
    assert not equal_by_cases(m, m.max(a, b), b, {less: False})


def test_constants_are_places_in_the_order():
    m = Terms(Asked(HARDWARE))
    a = m.inputs[0][0]
    zero, one, two = (m.constant(value) for value in (0.0, 1.0, 2.0))
    clamped = m.min(m.max(a, zero), one)
    assert equal_by_cases(m, m.min(clamped, two), clamped, {})
    assert not equal_by_cases(m, m.min(clamped, m.constant(0.5)), clamped, {})
    # A constant that is computed is one too.
    assert equal_by_cases(m, m.min(clamped, m.add(one, m.constant(0.5))), clamped, {})
    assert not equal_by_cases(m, m.max(m.add(one, m.constant(0.5)), m.max(a, zero)), m.max(a, zero), {})
