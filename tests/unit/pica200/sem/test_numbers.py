"""The words on float24 patterns against fractions, and against 60 decimal digits where the result is irrational."""

import decimal
import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import times
from lanewise.core.numbers.floats import (
    INFINITY,
    LARGEST,
    LARGEST_SUBNORMAL,
    NAN,
    NEGATIVE_INFINITY,
    ONE,
    SIGN,
    SMALLEST_NORMAL,
    ZERO,
    float24_from_float,
)
from lanewise.pica200.engine.llvm import choice
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.numbers import ROUNDINGS, Float24, number_rule
from lanewise.pica200.sem.profile import HARDWARE, Profile
from together import together

m = Float24()
canonical = m.canonical
f = float24_from_float
MINUS_ONE = f(-1.0)
S = LARGEST_SUBNORMAL

EDGES = [0, 1, S, SMALLEST_NORMAL, SMALLEST_NORMAL + 1, 0x01FFFF, 0x3E0000, ONE - 1, ONE, ONE + 1, 0x400000, LARGEST, INFINITY]
numbers = st.integers(0, 0xFFFFFF).map(canonical)
near_one = st.integers(0x390000, 0x45FFFF).flatmap(lambda w: st.sampled_from([w, w | SIGN]))
edges = st.sampled_from(EDGES).flatmap(lambda w: st.sampled_from([w, m.negate(w)])) | st.just(NAN)
words = numbers | near_one | edges


def finite(word: int) -> bool:
    return word & 0x7FFFFF < INFINITY


def value(word: int) -> Fraction:
    exponent, mantissa = word >> 16 & 0x7F, word & 0xFFFF
    size = Fraction(mantissa, 1 << 78) if exponent == 0 else Fraction(65536 + mantissa) * Fraction(2) ** (exponent - 79)
    return -size if word >> 23 else size


def flushed(word: int) -> int:
    return word if word & INFINITY else 0


def cut(exact: Fraction) -> int:
    """The float24 that arithmetic must give for an exact result: toward zero, flushed, infinite from 2**64 on."""
    size = abs(exact)
    if size < Fraction(1, 1 << 62):
        return 0
    sign = SIGN if exact < 0 else 0
    if size >= 2**64:
        return sign | INFINITY
    exponent = 63
    while Fraction(2) ** exponent > size:
        exponent -= 1
    return sign | (exponent + 63) << 16 | (math.floor(size * Fraction(2) ** (16 - exponent)) - 65536)


@pytest.mark.parametrize(
    ("word", "expected"),
    [(0x800000, 0), (0x7F0001, NAN), (0xFFFFFF, NAN), (0xFF0000, NEGATIVE_INFINITY), (0x000001, 1), (0x800001, 0x800001)],
)
def test_canonical(word: int, expected: int):
    assert canonical(word) == expected


@pytest.mark.parametrize("word", [-1, -8388608, 1 << 24, 0x1FF8000, 0x1800000])
def test_canonical_refuses_other_widths(word: int):
    with pytest.raises(ValueError, match="float24"):
        canonical(word)


def test_constants():
    assert m.constant(1.0) == ONE
    assert m.constant(-0.0) == ZERO
    assert m.constant(127.99609375) == 0x45FFFC
    with pytest.raises(ValueError, match="not a float24"):
        m.constant(0.1)


@given(words, words)
def test_add_is_the_cut_exact_sum(a: int, b: int):
    result = m.add(a, b)
    assert result == m.add(b, a)
    if finite(a) and finite(b):
        assert result == cut(value(flushed(a)) + value(flushed(b)))
    elif NAN in (a, b) or a == b ^ SIGN:
        assert result == NAN
    else:
        assert result == (b if finite(a) else a)


@given(words, words)
def test_mul_is_the_cut_exact_product(a: int, b: int):
    result = m.mul(a, b)
    assert result == m.mul(b, a)
    if finite(a) and finite(b):
        assert result == cut(value(flushed(a)) * value(flushed(b)))
    elif NAN in (a, b):
        assert result == NAN
    elif not flushed(a) or not flushed(b):
        assert result == ZERO
    else:
        assert result == INFINITY | ((a ^ b) & SIGN)


@given(words)
def test_floor_is_the_exact_floor(a: int):
    result = m.floor(a)
    if finite(a):
        assert result == cut(Fraction(math.floor(value(flushed(a)))))
    else:
        assert result == a


@given(words, words)
def test_comparisons_keep_subnormals(a: int, b: int):
    results = [m.compare(op, a, b) for op in range(8)]
    if NAN in (a, b):
        assert results == [False, True, False, False, False, False, True, True]
        return
    x = value(a) if finite(a) else Fraction(2**80) * (-1 if a & SIGN else 1)
    y = value(b) if finite(b) else Fraction(2**80) * (-1 if b & SIGN else 1)
    assert results == [x == y, x != y, x < y, x <= y, x > y, x >= y, True, True]
    assert m.max(a, b) == (a if x > y else b)
    assert m.min(a, b) == (a if x < y else b)


@pytest.mark.parametrize(
    ("word", "a", "b", "expected"),
    [
        ("max", NAN, ZERO, ZERO),
        ("max", ZERO, NAN, NAN),
        ("min", NAN, ZERO, ZERO),
        ("min", ZERO, NAN, NAN),
        ("max", S, ZERO, S),
        ("min", S, ONE, S),
        ("max", ZERO, NEGATIVE_INFINITY, ZERO),
    ],
)
def test_max_and_min_at_the_edges(word: str, a: int, b: int, expected: int):
    assert getattr(m, word)(a, b) == expected


@given(words)
def test_negation(a: int):
    result = m.negate(a)
    assert m.negate(result) == a
    assert result == canonical(a ^ SIGN)


@together(
    ("word", "a", "expected"),
    [
        ("rcp", ZERO, INFINITY),
        ("rcp", S, INFINITY),
        ("rcp", S | SIGN, INFINITY),
        ("rcp", INFINITY, ZERO),
        ("rcp", NEGATIVE_INFINITY, ZERO),
        ("rcp", NAN, NAN),
        ("rcp", MINUS_ONE, MINUS_ONE),
        ("rcp", f(3.0), 0x3D5555),
        ("rcp", LARGEST, ZERO),
        ("rcp", f(2.0**62), SMALLEST_NORMAL),
        ("rcp", f(2.0**62) + 1, ZERO),
        ("rcp", SMALLEST_NORMAL, f(2.0**62)),
        ("rsq", ZERO, INFINITY),
        ("rsq", S | SIGN, INFINITY),
        ("rsq", MINUS_ONE, NAN),
        ("rsq", NEGATIVE_INFINITY, NAN),
        ("rsq", INFINITY, ZERO),
        ("rsq", NAN, NAN),
        ("rsq", SMALLEST_NORMAL, f(2.0**31)),
        ("rsq", f(4.0), f(0.5)),
        ("rsq", f(2.0), 0x3E6A09),
        ("exp2", ZERO, ONE),
        ("exp2", S | SIGN, ONE),
        ("exp2", NEGATIVE_INFINITY, ZERO),
        ("exp2", INFINITY, INFINITY),
        ("exp2", NAN, NAN),
        ("exp2", f(7.0), f(128.0)),
        ("exp2", f(-62.0), SMALLEST_NORMAL),
        ("exp2", f(-62.0) + 1, ZERO),
        ("exp2", f(64.0), INFINITY),
        ("exp2", f(64.0) - 1, 0x7EFFD3),  # 2**(64 - 2**-11)
        ("exp2", LARGEST, INFINITY),
        ("exp2", LARGEST | SIGN, ZERO),
        ("exp2", SMALLEST_NORMAL, ONE),
        ("exp2", SMALLEST_NORMAL | SIGN, ONE - 1),
        ("exp2", f(0.5), 0x3F6A09),
        ("log2", ZERO, NEGATIVE_INFINITY),
        ("log2", S, NEGATIVE_INFINITY),
        ("log2", S | SIGN, NEGATIVE_INFINITY),
        ("log2", MINUS_ONE, NAN),
        ("log2", NEGATIVE_INFINITY, NAN),
        ("log2", INFINITY, INFINITY),
        ("log2", NAN, NAN),
        ("log2", ONE, ZERO),
        ("log2", f(1048576.0), f(20.0)),
        ("log2", SMALLEST_NORMAL, f(-62.0)),
        ("log2", LARGEST, f(64.0) - 1),
    ],
)
def test_functions_at_the_edges(word: str, a: int, expected: int):
    assert getattr(m, word)(a) == expected


def test_rcp_on_every_mantissa():
    # With x = p * 2**-16 and r = q * 2**-17, as long as r is in (1/2, 1].
    for a in range(0x3F0001, 0x400000):
        p, r = a & 0xFFFF | 0x10000, m.rcp(a)
        q = r - 0x3E0000 + 0x10000
        assert q * p <= 1 << 33 < (q + 1) * p
        assert m.rcp(a | SIGN) == r | SIGN


def test_rsq_on_every_mantissa():
    # With x = p * 2**-16 and r = q * 2**-17, as long as r is in (1/2, 1]; both exponents' parities come up.
    for a in range(0x3F0001, 0x410000, times(5, 1)):
        p = (a & 0xFFFF | 0x10000) << (a >= 0x400000)
        q = m.rsq(a) - 0x3E0000 + 0x10000
        assert q * q * p <= 1 << 50 < (q + 1) * (q + 1) * p


@given(st.integers(SMALLEST_NORMAL, LARGEST))
def test_rcp_and_rsq_anywhere(a: int):
    x = value(a)
    assert m.rcp(a) == cut(1 / x)
    root = m.rsq(a)
    assert value(root) ** 2 * x <= 1 < value(root + 1) ** 2 * x


def exact_decimal(word: int) -> Decimal:
    fraction = value(word)
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def assert_bracket(result: int, exact: Decimal):
    """`result` is the last float24 not beyond `exact`, seen from zero."""
    if abs(exact) < Decimal(2) ** -62:
        assert result == ZERO
        return
    sign = -1 if result & SIGN else 1
    assert abs(exact_decimal(result)) <= exact * sign < abs(exact_decimal(result + 1))


def sample(seed: int, low: int, high: int, count: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(low, high) for _ in range(count)]


def test_exp2_against_sixty_digits():
    with decimal.localcontext() as context:
        context.prec = 60
        ln2 = Decimal(2).ln()
        # From 2**-20 to 2**6, both signs; and whole numbers with the last place one more or less.
        cases = sample(1, 0x2B0000, 0x450000, 3000) + [f(float(n)) + d for n in range(1, 64) for d in (-1, 0, 1)]
        for word in cases:
            for a in (word, word | SIGN):
                x = exact_decimal(a)
                assert_bracket(m.exp2(a), Decimal(2) ** int(x) if x == int(x) else (x * ln2).exp())


def test_log2_against_sixty_digits():
    with decimal.localcontext() as context:
        context.prec = 60
        ln2 = Decimal(2).ln()
        for a in sample(2, SMALLEST_NORMAL, INFINITY, 2000) + sample(3, 0x3E0000, 0x400000, 2000) + [ONE - 1, ONE + 1]:
            assert_bracket(m.log2(a), exact_decimal(a).ln() / ln2)


@together(
    ("a", "expected"),
    [
        (0.9, 0),
        (-0.9, 0),
        (1.9, 1),
        (-1.9, -1),
        (-128.5, -128),
        (131071.0, 131071),
        (2.0**20 + 16, 2**20 + 16),
        (2.0**31, 2**31 - 1),
        (-(2.0**31), -(2**31)),
        (1e19, 2**31 - 1),
        (-1e19, -(2**31)),
        (math.inf, 2**31 - 1),
        (-math.inf, -(2**31)),
        (math.nan, 0),
        (2.0**-70, 0),
    ],
)
def test_to_integer(a: float, expected: int):
    assert m.to_integer(canonical(f(a))) == expected


@given(words, words)
def test_every_word_keeps_values_canonical(a: int, b: int):
    for result in (m.add(a, b), m.mul(a, b), m.max(a, b), m.min(a, b), m.floor(a), m.rcp(a), m.rsq(a), m.exp2(a), m.log2(a)):
        assert canonical(result) == result


@given(words, words)
def test_arithmetic_writes_no_subnormals(a: int, b: int):
    for result in (m.add(a, b), m.mul(a, b), m.floor(a), m.rcp(a), m.rsq(a), m.exp2(a), m.log2(a)):
        assert flushed(result) == result


@pytest.mark.parametrize("rule_of", [number_rule, choice.speculative, choice.exact])
def test_an_unknown_rounding_is_refused(rule_of: Callable[[Profile], object]):
    """Any other rule would give other numbers without a word."""
    with pytest.raises(ValueError, match="unknown rounding 'odd': known are zero, nearest, float32"):
        rule_of(HARDWARE._replace(rounding="odd"))


def test_every_rounding_has_its_rules():
    assert list(ROUNDINGS) == list(choice.RULES) == list(CHOICES["rounding"].answers)
