"""The rules by which the code of `proving.numbers` gives two values one term, as statements about numbers, under every profile
that numbers depend on. Those that are rows of `rules.table` are in tests/unit/rules.

All NaN are one value: no operation tells their patterns apart, which is shown here too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import pytest

from effort import times
from lanewise.core.numbers.binary import GT, LT
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.numbers import Float24, Float32, number_rule
from lanewise.pica200.sem.profile import Profile, profiles

Numbers = Float24 | Float32
Side = Callable[[Numbers, int, int], int]


def always(profile: Profile) -> bool:
    return True


def unsigned(profile: Profile) -> bool:
    """Whether there is no -0."""
    return profile.negative_zero == "unseen"


def rounds_once(profile: Profile) -> bool:
    """Whether no subnormal is rounded twice to something else than once."""
    return profile.subnormal_arithmetic == "flush" or profile.rounding == "zero"


def scaled(m: Numbers, a: int, *factors: float) -> int:
    for factor in factors:
        a = m.mul(m.constant(factor), a)
    return a


@dataclass(frozen=True)
class Rule:
    """Two functions of numbers a and b that are equal under the profiles for which it `holds`.

    `arithmetic`: only where operands are results of arithmetic, which are never subnormal where arithmetic flushes.
    """

    name: str
    left: Side
    right: Side
    holds: Callable[[Profile], bool] = always
    arithmetic: bool = False

    @property
    def of_one(self) -> bool:
        return "b" not in self.name


RULES = (
    Rule("a + b = b + a", lambda m, a, b: m.add(a, b), lambda m, a, b: m.add(b, a)),
    Rule("a * b = b * a", lambda m, a, b: m.mul(a, b), lambda m, a, b: m.mul(b, a)),
    Rule("-a * b = a * -b", lambda m, a, b: m.mul(m.negate(a), b), lambda m, a, b: m.mul(a, m.negate(b))),
    Rule("-a * -b = a * b", lambda m, a, b: m.mul(m.negate(a), m.negate(b)), lambda m, a, b: m.mul(a, b)),
    Rule("mad(-a, b, a) = mad(a, -b, a)", lambda m, a, b: m.mad(m.negate(a), b, a), lambda m, a, b: m.mad(a, m.negate(b), a)),
    Rule("mad(a, b, a) = mad(b, a, a)", lambda m, a, b: m.mad(a, b, a), lambda m, a, b: m.mad(b, a, a)),
    Rule(
        "dot(-aba, bab) = dot(bab, -aba)",
        lambda m, a, b: m.dot([m.negate(a), b, a], [b, a, b]),
        lambda m, a, b: m.dot([b, a, b], [m.negate(a), b, a]),
    ),
    Rule(
        "dot(-aba, bab) = dot(aba, -bab)",
        lambda m, a, b: m.dot([m.negate(a), b, a], [b, a, b]),
        lambda m, a, b: m.dot([a, b, a], [m.negate(b), a, b]),
    ),
    Rule("-(-a) = a", lambda m, a, b: m.negate(m.negate(a)), lambda m, a, b: a),
    Rule("4 * (2 * a) = 8 * a", lambda m, a, b: scaled(m, a, 4.0, 2.0), lambda m, a, b: scaled(m, a, 8.0)),
    Rule(
        "2**62 * (-2 * a) = -(2**63) * a", lambda m, a, b: scaled(m, a, -2.0, 2.0**62), lambda m, a, b: scaled(m, a, -(2.0**63))
    ),
    Rule(
        "1/4 * (1/2 * a) = 1/8 * a", lambda m, a, b: scaled(m, a, 0.5, 0.25), lambda m, a, b: scaled(m, a, 0.125), rounds_once
    ),
    Rule(
        "2**-61 * (-1/2 * a) = -(2**-62) * a",
        lambda m, a, b: scaled(m, a, -0.5, 2.0**-61),
        lambda m, a, b: scaled(m, a, -(2.0**-62)),
        rounds_once,
    ),
    Rule("a > b is b < a", lambda m, a, b: m.compare(GT, a, b), lambda m, a, b: m.compare(LT, b, a)),
    Rule("-(a * b) = -a * b", lambda m, a, b: m.negate(m.mul(a, b)), lambda m, a, b: m.mul(m.negate(a), b), unsigned),
    Rule(
        "-(a + b) = -a + -b", lambda m, a, b: m.negate(m.add(a, b)), lambda m, a, b: m.add(m.negate(a), m.negate(b)), unsigned
    ),
)
NUMERIC = (
    "rounding",
    "overflow",
    "negative_zero",
    "nan_pattern",
    "subnormal_arithmetic",
    "subnormal_floor",
    "max_zero_neg_inf",
    "compare_nan",
    "precision",
    "mad_rounding",
    "dot_order",
)


def _variants() -> list[Profile]:
    """The presets, and from each every other answer to one or two questions about numbers."""
    found: dict[Profile, None] = {}
    for preset in profiles.values():
        for one, other in product(NUMERIC, NUMERIC):
            for answer, second in product(CHOICES[one].answers, CHOICES[other].answers):
                found[preset.replace(**{one: answer}).replace(**{other: second})] = None
    return list(found)


PROFILES = _variants()


def words(rng: random.Random, profile: Profile, count: int) -> list[int]:
    wide = profile.rounding == "float32"
    edges = EDGES_FLOAT32 if wide else EDGES
    m = number_rule(profile)
    return [m.canonical(rng.choice(edges) if rng.random() < 0.5 else rng.getrandbits(32 if wide else 24)) for _ in range(count)]


def plain(m: Numbers, word: int | bool) -> int | bool:
    """A word with one NaN."""
    if isinstance(word, bool):
        return word
    infinity = (1 << m.format.exponent_bits) - 1 << m.format.mantissa_bits
    magnitude = (1 << m.format.exponent_bits + m.format.mantissa_bits) - 1
    return -1 if word & magnitude > infinity else word


def check(rule: Rule, profile: Profile, a: int, b: int) -> None:
    m = number_rule(profile)
    if rule.arithmetic and profile.subnormal_arithmetic == "flush":
        a = m.mul(m.constant(1.0), a)
    assert plain(m, rule.left(m, a, b)) == plain(m, rule.right(m, a, b)), (profile.describe(), hex(a), hex(b))


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_rule(rule: Rule):
    rng = random.Random(rule.name)
    chosen = [profile for profile in PROFILES if rule.holds(profile)]
    for _ in range(times(600, 300_000)):
        profile = rng.choice(chosen)
        a, b = words(rng, profile, 2)
        check(rule, profile, a, b)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.of_one])
def test_rules_of_one_number_at_all_exponents(rule: Rule):
    for profile in profiles.values():
        if not rule.holds(profile):
            continue
        m = number_rule(profile)
        bits, mantissa = m.format.exponent_bits + 1, m.format.mantissa_bits
        lows = range(1 << mantissa) if times(0, 1) and mantissa == 16 else (0, 1, (1 << mantissa) - 1, 1 << mantissa - 1)
        for top in range(1 << bits):
            for low in lows:
                check(rule, profile, m.canonical(top << mantissa | low), 0)


NO_RULES = (
    Rule("a + 0 = a, with -0", lambda m, a, b: m.add(a, m.constant(0.0)), lambda m, a, b: a),
    Rule("-(a * b) = -a * b, with -0", lambda m, a, b: m.negate(m.mul(a, b)), lambda m, a, b: m.mul(m.negate(a), b)),
    Rule("max(a, b) = max(b, a)", lambda m, a, b: m.max(a, b), lambda m, a, b: m.max(b, a)),
    Rule("a + b - b = a", lambda m, a, b: m.add(m.add(a, b), m.negate(b)), lambda m, a, b: a),
)


@pytest.mark.parametrize("rule", NO_RULES, ids=[rule.name for rule in NO_RULES])
def test_what_is_no_rule_does_not_hold(rule: Rule):
    rng = random.Random(rule.name)
    profile = profiles["azahar"]
    m = number_rule(profile)
    given = [words(rng, profile, 2) for _ in range(3000)]
    assert any(plain(m, rule.left(m, a, b)) != plain(m, rule.right(m, a, b)) for a, b in given)


ONE = ("negate", "flush", "floor", "rcp", "rsq", "exp2", "log2")
TWO = ("add", "mul", "max", "min", "at_least", "at_most")


def test_no_operation_tells_nan_patterns_apart():
    """Only what stores a word shows its pattern, and litp's flags where they are the sign."""
    rng = random.Random("NaN")
    chosen = [profile for profile in PROFILES if profile.nan_pattern == "kept"]
    for _ in range(times(400, 100_000)):
        profile = rng.choice(chosen)
        for key in ("litp_nan", "litp_flags", "mova_range"):
            profile = profile.replace(**{key: rng.choice([*CHOICES[key].answers])})
        m = number_rule(profile)
        sign, infinity = (0x80000000, 0x7F800000) if profile.rounding == "float32" else (0x800000, 0x7F0000)
        one, other = (infinity | rng.randrange(1, 1 << 16) | rng.choice((0, sign)) for _ in range(2))
        (number,) = words(rng, profile, 1)
        for name in ONE:
            operation: Callable[[int], int] = getattr(m, name)
            assert plain(m, operation(one)) == plain(m, operation(other)), name
        for name in TWO:
            of_two: Callable[[int, int], int] = getattr(m, name)
            assert plain(m, of_two(one, number)) == plain(m, of_two(other, number)), name
            assert plain(m, of_two(number, one)) == plain(m, of_two(number, other)), name
        for op in range(8):
            assert m.compare(op, one, number) == m.compare(op, other, number)
            assert m.compare(op, number, one) == m.compare(op, number, other)
        assert m.to_integer(one) == m.to_integer(other)
        assert m.not_negative(one) == m.not_negative(other) or profile.litp_flags == "sign"
        assert plain(m, m.dot([one, number, one], [number] * 3)) == plain(m, m.dot([other, number, other], [number] * 3))
        assert plain(m, m.mad(number, one, number)) == plain(m, m.mad(number, other, number))


def test_the_sign_of_a_nan_is_seen_by_litp_where_flags_are_signs():
    m = number_rule(profiles["azahar"].replace(litp_flags="sign"))
    assert m.not_negative(0x7FC00000) != m.not_negative(0xFFC00000)
