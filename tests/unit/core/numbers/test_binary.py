"""The number rules of profiles: float24 to nearest against fractions, the short ways against the definition, float32 against
NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import times
from lanewise.core.numbers.binary import Binary, Rules, dot_in_order
from lanewise.core.numbers.floats import (
    INFINITY,
    LARGEST,
    LARGEST_SUBNORMAL,
    NAN,
    ONE,
    SIGN,
    SMALLEST_NORMAL,
    float_from_float24,
)
from lanewise.pica200.engine.float24 import encode, host_encode
from lanewise.pica200.sem.numbers import FLOAT24, FLOAT32, Float24, Float32, Numbers, number_rule, rules_of
from lanewise.pica200.sem.profile import HARDWARE, profiles
from together import together

NEAREST = HARDWARE.replace(rounding="nearest")
GRADUAL = NEAREST.replace(subnormal_arithmetic="keep")
SMALLEST = Fraction(1, 2**62)

nearest, gradual, azahar = Float24(NEAREST), Float24(GRADUAL), Float32(profiles["azahar"])

EDGES = [
    0,
    1,
    LARGEST_SUBNORMAL,
    SMALLEST_NORMAL,
    SMALLEST_NORMAL + 1,
    0x01FFFF,
    0x3E0000,
    ONE - 1,
    ONE,
    ONE + 1,
    0x400000,
    LARGEST,
]
magnitudes = (
    st.integers(0, LARGEST) | st.integers(0x1E0000, 0x210000) | st.integers(0x3A0000, 0x440000) | st.sampled_from(EDGES)
)
finite = magnitudes.flatmap(lambda word: st.sampled_from([word, word | SIGN])).map(nearest.canonical)
anything = finite | st.sampled_from([INFINITY, INFINITY | SIGN, NAN, 0xFF1234])


def value(word: int, *, flush: bool = True) -> Fraction:
    return Fraction(0) if flush and not word & INFINITY else Fraction(float_from_float24(word))


def to_nearest(exact: Fraction, *, flush: bool = True) -> int:
    """The word for a number, found by looking at the two neighbours."""
    size = abs(exact)
    sign = SIGN if exact < 0 else 0
    if not exact or (flush and size < SMALLEST):
        return 0
    # The words of one sign are in the order of their values, and 2**64 would be the one after the largest.
    low, high = 0, INFINITY

    def of(word: int) -> Fraction:
        return Fraction(2**64) if word == INFINITY else value(word, flush=False)

    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if of(middle) <= size else (low, middle)
    if size >= of(high):
        return sign | INFINITY
    below, above = size - of(low), of(high) - size
    word = low if below < above or (below == above and not low & 1) else high
    return sign | word if word else 0


@given(finite, finite)
def test_sums_and_products_to_nearest(a: int, b: int):
    assert nearest.add(a, b) == to_nearest(value(a) + value(b))
    assert nearest.mul(a, b) == to_nearest(value(a) * value(b))


@given(finite, finite)
def test_sums_and_products_that_fade_out(a: int, b: int):
    x, y = value(a, flush=False), value(b, flush=False)
    assert gradual.add(a, b) == to_nearest(x + y, flush=False)
    assert gradual.mul(a, b) == to_nearest(x * y, flush=False)


@given(finite, finite, finite)
def test_one_rounding_for_product_and_sum(a: int, b: int, c: int):
    fused = Float24(NEAREST.replace(mad_rounding="once"))
    assert fused.mad(a, b, c) == to_nearest(value(a) * value(b) + value(c))
    assert nearest.mad(a, b, c) == nearest.add(nearest.mul(a, b), c)


@given(st.lists(st.tuples(finite, finite), min_size=3, max_size=4))
def test_one_rounding_for_a_dot_product(pairs: list[tuple[int, int]]):
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    exact = sum((value(x) * value(y) for x, y in pairs), Fraction(0))
    assert Float24(NEAREST.replace(dot_order="once")).dot(a, b) == to_nearest(exact)


def test_no_product_beside_an_infinity_is_too_large():
    """A fused operation rounds no product: 2^63 * 2 is a number, which infinity outweighs."""
    large, two, infinity, minus = 0x7E0000, 0x400000, 0x7F0000, 0xFF0000
    assert nearest.mul(large, two) == infinity
    fused = Float24(NEAREST.replace(mad_rounding="once", dot_order="once"))
    assert fused.mad(large, two, minus) == minus
    assert fused.dot([large, minus], [two, two]) == minus
    assert fused.dot([infinity, large, 0], [0, two, 0]) == infinity  # 0 times infinity is 0 and leaves a sum that is too large
    assert fused.dot([infinity, 0], [0, infinity]) == 0
    assert fused.dot([infinity, large, minus], [two, two, two]) == fused.mul(0x7F8000, two)


@given(finite)
def test_reciprocals_to_nearest(a: int):
    if value(a):
        assert nearest.rcp(a) == to_nearest(1 / value(a))


@given(finite)
def test_reciprocal_roots_to_nearest(a: int):
    if value(a) > 0:
        word = nearest.rsq(a)
        # Half a step beside the result lie the bounds of what is rounded to it; the root itself is never on them.
        low, high = ((value(word) + value(word + step)) / 2 for step in (-1, 1))
        assert low**2 < 1 / value(a) < high**2


def test_exp2_and_log2_to_nearest():
    for word in (*range(0x3E0000, 0x420000, times(397, 97)), 0x3EFFFF, 0x2C0001, 0x2D0001, 0x2D0001 | SIGN, 0x2C0001 | SIGN):
        number = float_from_float24(word)
        assert nearest.exp2(word) == to_nearest(Fraction(2.0**number))
        if number > 0 and word != ONE:
            assert nearest.log2(word) == to_nearest(Fraction(float(np.log2(number))))


@together(
    ("a", "b", "expected"),
    [
        (ONE, 0x2E0000, ONE),  # 1 + 2^-17: a tie, and 1 is even
        (ONE + 1, 0x2E0000, ONE + 2),  # and the other tie
        (ONE, 0x2E0001, ONE + 1),
        (0x7E0000, 0x7E0000, INFINITY),
        (LARGEST, 0x6C0000, LARGEST),  # a quarter of the last place
        (LARGEST, 0x6D0000, INFINITY),  # a tie: 2^64 is even
        (SMALLEST_NORMAL, SMALLEST_NORMAL + 1 | SIGN, 0),  # -2^-78
        (SMALLEST_NORMAL | SIGN, SMALLEST_NORMAL + 1, 0),
        (0x020000, 0x01FFFF | SIGN, 0),  # 2^-78
    ],
)
def test_sums_at_the_edges(a: int, b: int, expected: int):
    assert nearest.add(a, b) == nearest.add(b, a) == expected


def test_what_is_below_the_smallest_number_is_flushed_before_it_is_rounded():
    # (1 - 2^-17) * 2^-62 * (1 + 2^-16) lies between the last number below 2^-62 and 2^-62, nearer to 2^-62: it is 0 all the
    # same.
    a, b = 0x01FFFF, ONE - 1
    exact = value(0x01FFFF) / 2 * value(ONE)
    assert SMALLEST * (1 - Fraction(1, 2**17)) <= exact < SMALLEST
    assert nearest.mul(0x01FFFF, 0x3E0000) == 0
    assert gradual.mul(0x01FFFF, 0x3E0000) == SMALLEST_NORMAL
    assert nearest.mul(a, b) == to_nearest(value(a) * value(b)) != 0


def test_overflow_to_the_largest_number():
    largest = Float24(HARDWARE.replace(overflow="largest"))
    assert largest.mul(LARGEST, 0xC00000) == SIGN | LARGEST
    assert largest.add(LARGEST, LARGEST) == LARGEST
    assert largest.exp2(0x460000) == LARGEST
    assert largest.rcp(0) == INFINITY
    assert Float24(NEAREST.replace(overflow="largest")).add(LARGEST, 0x6D0000) == LARGEST


# The short ways of Float24

SETTINGS = [
    {},
    {"rounding": "nearest"},
    {"overflow": "largest"},
    {"negative_zero": "ieee"},
    {"nan_pattern": "kept"},
    {"subnormal_arithmetic": "keep"},
    {"negative_zero": "ieee", "nan_pattern": "kept", "subnormal_arithmetic": "keep", "compare_nan": "none"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: ",".join(settings.values()) or "hardware")
def test_short_ways_are_the_definition(settings: dict[str, str]):
    profile = HARDWARE.replace(**settings)
    short = Float24(profile)
    nearest, largest = profile.rounding == "nearest", profile.overflow == "largest"
    whole = Numbers(FLOAT24, profile, rules_of(profile, nearest=nearest, largest_on_overflow=largest))

    @given(anything, anything, st.integers(0, 7))
    def check(a: int, b: int, op: int) -> None:
        a, b = whole.canonical(a), whole.canonical(b)
        for name in ("add", "mul", "max", "min"):
            assert getattr(short, name)(a, b) == getattr(whole, name)(a, b) == whole.canonical(getattr(whole, name)(a, b)), name
        assert short.compare(op, a, b) == whole.compare(op, a, b)
        for name in ("rcp", "rsq", "exp2", "log2", "floor", "negate", "flush"):
            assert whole.canonical(getattr(short, name)(a)) == getattr(short, name)(a) == getattr(whole, name)(a), name

    check()


# float32

SPECIALS = [
    0,
    1,
    0x7FFFFF,
    0x800000,
    0x800001,
    0x3F7FFFFF,
    0x3F800000,
    0x3F800001,
    0x7F7FFFFF,
    0x7F800000,
    0x7F800001,
    0x7FC12345,
]


def patterns(rng: np.random.Generator, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """float32 patterns: any, numbers near 1, and every special one with either sign."""
    chosen = rng.integers(0, 1 << 32, count, dtype=np.uint32)
    near = rng.random(count) < 0.4
    chosen[near] = rng.integers(0x3E000000, 0x41000000, int(near.sum()), dtype=np.uint32) | (chosen[near] & np.uint32(1 << 31))
    special = rng.random(count) < 0.1
    chosen[special] = rng.choice(np.array(SPECIALS, np.uint32), int(special.sum())) | (chosen[special] & np.uint32(1 << 31))
    return chosen


def test_float32_is_numpys_on_random_pairs():
    rng = np.random.default_rng(20240)
    count = times(40_000, 500_000)
    for name, theirs in (("add", np.add), ("mul", np.multiply)):
        ours = getattr(azahar, name)
        a, b = patterns(rng, count), patterns(rng, count)
        x, y = a.view(np.float32), b.view(np.float32)
        with np.errstate(all="ignore"):
            expected = theirs(x, y)
        nan = np.isnan(x) | np.isnan(y)
        if name == "mul":
            expected[np.isnan(expected) & ~nan] = 0.0  # 0 * inf
        found = np.fromiter(map(ours, a.tolist(), b.tolist()), np.uint32, len(a))
        # Which NaN comes out of two is up to the host: x86 takes the first. What comes of one or none is always the same but
        # its sign.
        assert np.array_equal(found[~nan] & 0x7FFFFFFF, expected[~nan].view(np.uint32) & 0x7FFFFFFF)
        assert np.array_equal(found[~np.isnan(expected)], expected[~np.isnan(expected)].view(np.uint32))
        assert np.isnan(found[nan].view(np.float32)).all()


def test_the_default_rules_are_ieee_754():
    plain = Binary(FLOAT32, Rules())
    rng = np.random.default_rng(754)
    special = np.array([*SPECIALS, *(pattern | 1 << 31 for pattern in SPECIALS)], np.uint32)
    a = np.concatenate([patterns(rng, 50_000), np.repeat(special, len(special))])
    b = np.concatenate([patterns(rng, 50_000), np.tile(special, len(special))])
    x, y = a.view(np.float32), b.view(np.float32)
    nan = np.isnan(x) | np.isnan(y)
    for name, theirs in (("add", np.add), ("mul", np.multiply)):
        with np.errstate(all="ignore"):
            expected = theirs(x, y)
        found = np.fromiter(map(getattr(plain, name), a.tolist(), b.tolist()), np.uint32, len(a))
        assert np.array_equal(found[~np.isnan(expected)], expected[~np.isnan(expected)].view(np.uint32)), name
        assert np.isnan(found[np.isnan(expected)].view(np.float32)).all(), name
        assert (np.isnan(expected) & ~nan).any(), name  # 0 * infinity and inf - inf are among the cases


def test_an_unknown_order_of_a_dot_product_is_refused():
    with pytest.raises(ValueError, match="unknown order of a dot product: 'right'"):
        dot_in_order(Binary(FLOAT32, Rules()), "right", (0, 0, 0), (0, 0, 0))


def test_float32_functions_are_numpys():
    rng = np.random.default_rng(7)
    a, b = patterns(rng, times(10_000, 30_000)), patterns(rng, times(10_000, 30_000))
    x, y = a.view(np.float32), b.view(np.float32)
    with np.errstate(all="ignore"):
        one = np.float32(1)
        unary = {
            "rcp": one / x,
            "rsq": one / np.sqrt(x),
            "floor": np.floor(x),
            "exp2": np.exp2(x.astype(np.float64)).astype(np.float32),
            "log2": np.log2(x.astype(np.float64)).astype(np.float32),
        }
        binary = {"max": np.where(x > y, x, y), "min": np.where(x < y, x, y)}
    for name, expected in unary.items():
        found = np.fromiter(map(getattr(azahar, name), a.tolist()), np.uint32, len(a)).view(np.float32)
        assert np.array_equal(found, expected, equal_nan=True), name
        assert np.array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(expected[~np.isnan(found)])), name
    for name, expected in binary.items():
        found = np.fromiter(map(getattr(azahar, name), a.tolist(), b.tolist()), np.uint32, len(a))
        assert np.array_equal(found, expected.view(np.uint32)), name
    for op, compare in enumerate((np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)):
        found = [azahar.compare(op, i, j) for i, j in zip(a[:5000].tolist(), b[:5000].tolist(), strict=True)]
        assert found == compare(x[:5000], y[:5000]).tolist()


def test_nan_goes_through_as_on_x86():
    quiet, other, signalling = 0x7FC00001, 0xFFC00002, 0x7F800003
    assert azahar.add(quiet, other) == quiet
    assert azahar.mul(other, quiet) == other
    assert azahar.add(signalling, quiet) == signalling | 1 << 22
    assert azahar.mul(0x3F800000, signalling) == signalling | 1 << 22
    assert azahar.negate(quiet) == quiet | 1 << 31
    assert azahar.max(0, signalling) == signalling  # chosen, not computed


def test_float32_without_signs_of_zero_and_kinds_of_nan():
    plain = Float32(HARDWARE)
    assert plain.mul(0x80000000, 0x3F800000) == 0
    assert plain.negate(0) == 0
    assert plain.add(0x7F800001, 0) == plain.negate(0x7FC00000) == 0x7FC00000
    assert plain.add(0x00400000, 0) == 0  # float32's own subnormals are flushed
    assert plain.rcp(0x80000000) == 0x7F800000


@given(st.integers(0, 0xFFFFFF))
def test_float24_becomes_float32_exactly(word: int):
    pattern = azahar.from_float24(word)
    number = np.array(pattern, np.uint32).view(np.float32).item()
    if word & 0x7FFFFF > INFINITY:
        assert pattern == (word & SIGN) << 8 | 0x7F800000 | (word & 0xFFFF) << 7
    else:
        assert (number, pattern >> 31) == (float_from_float24(word), word >> 23)


def test_float24_is_refused_beyond_24_bits():
    for rule in (azahar, nearest):
        with pytest.raises(ValueError, match="float24"):
            rule.from_float24(1 << 24)
    with pytest.raises(ValueError, match="float32"):
        azahar.canonical(1 << 32)


def test_number_rules():
    assert isinstance(number_rule(HARDWARE), Float24)
    assert isinstance(number_rule(NEAREST), Float24)
    assert isinstance(number_rule(profiles["panda3ds"]), Float32)
    with pytest.raises(ValueError, match="unknown rounding 'up'"):
        number_rule(HARDWARE._replace(rounding="up"))


@pytest.mark.parametrize("value", [0.1, 2.0**-79, 2.0**64, 1 + 2.0**-17])
def test_constants_are_exact(value: float):
    with pytest.raises(ValueError, match="is not a float24"):
        nearest.constant(value)


# Values from outside


@given(st.floats(width=64, allow_nan=False, allow_infinity=False) | st.integers(0, LARGEST).map(float_from_float24))
def test_arrays_are_rounded_to_nearest(number: float):
    found = encode(number, nearest=True).item()
    assert found & 0x7FFFFF == to_nearest(abs(Fraction(number)), flush=False)
    assert found >> 23 == (np.signbit(number) != 0)


def test_arrays_by_the_host_rule():
    assert host_encode([[1.5, 2.0**64.5, -(2.0**-62.5)], [np.nan, 0.0, -0.0]]).tolist() == [
        [0x3F8000, 0x7F6A09, 0x806A09],
        [INFINITY, 0, SIGN],
    ]
