from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.pica200.engine.random_programs import EDGES
from lanewise.pica200.sem.numbers import number_rule, rules_of
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.translate import float24

if TYPE_CHECKING:
    from lanewise.pica200.sem.profile import Profile

PROFILES: tuple[dict[str, str], ...] = (
    {},
    {"rounding": "nearest", "negative_zero": "ieee", "subnormal_arithmetic": "keep", "subnormal_floor": "keep"},
    {"overflow": "largest", "max_zero_neg_inf": "-inf", "litp_nan": "through", "litp_flags": "sign"},
    {"nan_pattern": "kept", "negative_zero": "ieee", "zero_reciprocal": "signed", "mova_fraction": "floor"},
    {"subnormal_arithmetic": "keep", "mova_fraction": "nearest", "mova_range": "byte", "compare_nan": "none"},
)
PAIRS = {
    "add": "add",
    "mul": "mul",
    "larger": "max",
    "smaller": "min",
    "at_least": "at_least",
    "at_most": "at_most",
}


def choose(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of(profile, nearest=profile.rounding == "nearest", largest_on_overflow=profile.overflow == "largest")
    chosen = float24.choices(rules, profile.litp_nan, profile.litp_flags, profile.mova_fraction, profile.mova_range)
    for name, value in chosen.items():
        monkeypatch.setattr(float24, name, value)


def words(rng: random.Random, count: int) -> list[int]:
    """Words of every kind: edges, any bits, ordinary sizes, around the smallest numbers."""
    found = [*EDGES]
    while len(found) < count:
        found.append(rng.getrandbits(24))
        found.append(rng.getrandbits(1) << 23 | rng.randrange(55, 72) << 16 | rng.choice((0, 1, 0xFFFF, rng.getrandbits(16))))
        found.append(rng.getrandbits(1) << 23 | rng.choice((0, 1, 2, 16, 17, 63)) << 16 | rng.getrandbits(16))
    return found


@pytest.mark.parametrize("fields", PROFILES, ids=lambda fields: " ".join(fields.values()) or "hardware")
def test_functions_are_the_number_rules(fields: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    profile = HARDWARE.replace(**fields)
    rule = number_rule(profile)
    choose(profile, monkeypatch)
    rng = random.Random(5)
    values = [rule.canonical(word) for word in words(rng, 150)]
    for a in values:
        for name in ("floor", "rcp", "rsq", "flush", "negate", "to_integer", "not_negative"):
            assert getattr(float24, name)(a) == getattr(rule, name)(a), (name, hex(a))
    for a in rng.sample(values, times(12, 150)):
        assert float24.exp2(a) == rule.exp2(a), hex(a)
        assert float24.log2(a) == rule.log2(a), hex(a)
    for _ in range(times(500, 100_000)):
        a, b = rng.choice(values), rng.choice(values)
        for name, wanted in PAIRS.items():
            assert getattr(float24, name)(a, b) == getattr(rule, wanted)(a, b), (name, hex(a), hex(b))
        for op, name in enumerate(("eq", "ne", "lt", "le", "gt", "ge")):
            assert getattr(float24, name)(a, b) == rule.compare(op, a, b), (name, hex(a), hex(b))


def test_float_bits():
    from lanewise.core.numbers.floats import float24_from_float32_bits, float32_bits_from_float24

    rng = random.Random(6)
    for word in words(rng, 300):
        assert float24.to_float_bits(word) == float32_bits_from_float24(word)
    rule = number_rule(HARDWARE)
    for _ in range(300):
        bits = rng.getrandbits(1) << 31 | rng.randrange(40, 200) << 23 | rng.getrandbits(23)
        assert float24.from_float_bits(bits) == rule.canonical(float24_from_float32_bits(bits)), hex(bits)
    for bits in (0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x5F7FFFFF, 0x5F800000):
        assert float24.from_float_bits(bits) == rule.canonical(float24_from_float32_bits(bits)), hex(bits)
