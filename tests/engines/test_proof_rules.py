"""The rules by which `pica200.proof.terms` gives two values one term, as statements about numbers, under every profile that numbers depend on."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest

from effort import times
from lanewise.core.numbers.binary import GT, LT
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import profiles

if TYPE_CHECKING:
    from collections.abc import Callable


class Rule(NamedTuple):
    """Two functions of some numbers that are equal under the profiles for which it `holds`.

    `arithmetic`: only for operands that are results of arithmetic, which are never subnormal where arithmetic flushes.
    """

    name: str
    operands: int
    left: Callable[..., int | bool]
    right: Callable[..., int | bool]
    holds: Callable[..., bool] = lambda profile: True
    arithmetic: bool = False


def _unsigned(profile):
    """Whether there is no -0."""
    return profile.negative_zero == "unseen"


def _neg(m, a, b):
    return m.mul(m.negate(a), b)


RULES = (
    Rule("a + b = b + a", 2, lambda m, a, b: m.add(a, b), lambda m, a, b: m.add(b, a)),
    Rule("a * b = b * a", 2, lambda m, a, b: m.mul(a, b), lambda m, a, b: m.mul(b, a)),
    Rule("-a * b = a * -b", 2, _neg, lambda m, a, b: m.mul(a, m.negate(b))),
    Rule("-a * -b = a * b", 2, lambda m, a, b: m.mul(m.negate(a), m.negate(b)), lambda m, a, b: m.mul(a, b)),
    Rule("-(-a) = a", 1, lambda m, a: m.negate(m.negate(a)), lambda m, a: a),
    Rule("a + a = 2 * a", 1, lambda m, a: m.add(a, a), lambda m, a: m.mul(m.constant(2.0), a)),
    Rule("1 * a = a", 1, lambda m, a: m.mul(m.constant(1.0), a), lambda m, a: a, arithmetic=True),
    Rule("max(a, a) = a", 1, lambda m, a: m.max(a, a), lambda m, a: a),
    Rule("min(a, a) = a", 1, lambda m, a: m.min(a, a), lambda m, a: a),
    Rule("floor(floor(a)) = floor(a)", 1, lambda m, a: m.floor(m.floor(a)), lambda m, a: m.floor(a)),
    Rule("a > b is b < a", 2, lambda m, a, b: m.compare(GT, a, b), lambda m, a, b: m.compare(LT, b, a)),
    Rule("a + 0 = a", 1, lambda m, a: m.add(a, m.constant(0.0)), lambda m, a: a, _unsigned, arithmetic=True),
    Rule("-(a * b) = -a * b", 2, lambda m, a, b: m.negate(m.mul(a, b)), _neg, _unsigned),
    Rule("-(a + b) = -a + -b", 2, lambda m, a, b: m.negate(m.add(a, b)), lambda m, a, b: m.add(m.negate(a), m.negate(b)), _unsigned),
)  # fmt: skip

NUMERIC = (
    "rounding", "overflow", "negative_zero", "nan_pattern", "subnormal_arithmetic", "subnormal_floor", "max_zero_neg_inf", "compare_nan",
    "precision",
)  # fmt: skip


def presets():
    """The presets, and from each every other answer to one or two questions about numbers."""
    found = {}
    for preset in profiles.values():
        for one, other in product(NUMERIC, NUMERIC):
            for answer, second in product(CHOICES[one].answers, CHOICES[other].answers):
                found[preset.replace(**{one: answer}).replace(**{other: second})] = None
    return list(found)


PROFILES = presets()


def words(rng, profile, count):
    wide = profile.rounding == "float32"
    edges = EDGES_FLOAT32 if wide else EDGES
    rule = number_rule(profile)
    return [
        rule.canonical(rng.choice(edges) if rng.random() < 0.5 else rng.getrandbits(32 if wide else 24)) for _ in range(count)
    ]


def same(rule, left, right):
    return left == right or (not isinstance(left, bool) and rule._is_nan(left) and rule._is_nan(right))


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_rule(rule):
    rng = random.Random(rule.name)
    chosen = [profile for profile in PROFILES if rule.holds(profile)]
    for _ in range(times(1500, 300_000)):
        profile = rng.choice(chosen)
        m = number_rule(profile)
        given = words(rng, profile, rule.operands)
        if rule.arithmetic and profile.subnormal_arithmetic == "flush":
            given = [m.mul(m.constant(1.0), word) for word in given]
        assert same(m, rule.left(m, *given), rule.right(m, *given)), (profile.describe(), [hex(word) for word in given])


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.operands == 1], ids=lambda rule: rule.name)
@pytest.mark.parametrize("preset", list(profiles))
def test_rules_of_one_number_at_all_exponents(rule, preset):
    profile = profiles[preset]
    if not rule.holds(profile):
        pytest.skip("the rule is not used with this profile")
    m = number_rule(profile)
    wide = profile.rounding == "float32"
    bits, mantissa = (9, 23) if wide else (8, 16)
    for top in range(1 << bits):
        for low in (0, 1, (1 << mantissa) - 1, 1 << mantissa - 1):
            word = m.canonical(top << mantissa | low)
            if rule.arithmetic and profile.subnormal_arithmetic == "flush":
                word = m.mul(m.constant(1.0), word)
            assert same(m, rule.left(m, word), rule.right(m, word)), hex(word)


@pytest.mark.parametrize(
    ("claim", "left", "right"),
    [
        ("a + 0 = a, with -0", lambda m, a, b: m.add(a, m.constant(0.0)), lambda m, a, b: a),
        ("-(a * b) = -a * b, with -0", lambda m, a, b: m.negate(m.mul(a, b)), lambda m, a, b: m.mul(m.negate(a), b)),
        ("max(a, b) = max(b, a)", lambda m, a, b: m.max(a, b), lambda m, a, b: m.max(b, a)),
        ("a + b - b = a", lambda m, a, b: m.add(m.add(a, b), m.negate(b)), lambda m, a, b: a),
    ],
)
def test_what_is_no_rule_is_found_not_to_hold(claim, left, right):
    rng = random.Random(claim)
    profile = profiles["azahar"]
    m = number_rule(profile)
    given = [words(rng, profile, 2) for _ in range(3000)]
    assert any(not same(m, left(m, *pair), right(m, *pair)) for pair in given)


ONE = ("negate", "flush", "floor", "rcp", "rsq", "exp2", "log2")
TWO = ("add", "mul", "max", "min", "at_least", "at_most")


def test_no_operation_tells_nan_patterns_apart():
    """So all NaN may count as one value: only what stores a word shows its pattern, and litp's flags where they are the sign."""
    rng = random.Random("NaN")
    chosen = [profile for profile in PROFILES if profile.nan_pattern == "kept"]
    for _ in range(times(2000, 100_000)):
        profile = rng.choice(chosen)
        profile = profile.replace(
            litp_nan=rng.choice([*CHOICES["litp_nan"].answers]), mova_range=rng.choice([*CHOICES["mova_range"].answers])
        )
        m = number_rule(profile)
        wide = profile.rounding == "float32"
        sign, infinity = (0x80000000, 0x7F800000) if wide else (0x800000, 0x7F0000)
        nans = [infinity | rng.randrange(1, 1 << 16) | rng.choice((0, sign)) for _ in range(2)]
        (other,) = words(rng, profile, 1)
        for name in ONE:
            operation = getattr(m, name)
            assert same(m, operation(nans[0]), operation(nans[1])), name
        for name in TWO:
            operation = getattr(m, name)
            assert same(m, operation(nans[0], other), operation(nans[1], other)), name
            assert same(m, operation(other, nans[0]), operation(other, nans[1])), name
        for op in range(8):
            assert m.compare(op, nans[0], other) == m.compare(op, nans[1], other)
            assert m.compare(op, other, nans[0]) == m.compare(op, other, nans[1])
        assert m.to_integer(nans[0]) == m.to_integer(nans[1])
        assert m.not_negative(nans[0]) == m.not_negative(nans[1]) or profile.litp_flags == "sign"
        assert same(m, m.dot([nans[0], other], [other, other]), m.dot([nans[1], other], [other, other]))


def test_the_sign_of_a_nan_is_seen_by_litp_where_flags_are_signs():
    m = number_rule(profiles["azahar"].replace(litp_flags="sign"))
    assert m.not_negative(0x7FC00000) != m.not_negative(0xFFC00000)
