"""Numbers in float64 with a bound on how far a float24 evaluation may be from them.

Each operation adds 2**-16 of its result, the most that cutting to 16 fraction bits takes away, to what its operands bring
along. An error of 0 says that float24 has exactly this number; an infinite one, that nothing is known: too large for float24, 0
* inf, a discontinuity within the bound. Arrays have a length of 1, for what is the same for all vertices, or as many elements
as there are vertices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Booleans = NDArray[np.bool_]
    Integers = NDArray[np.int64]

UNIT = 2.0**-16
TINY = 2.0**-62  # results below are flushed to 0
LARGEST = 2.0**64 * (1 - 2.0**-17)
# Results are compared within this many times the bound; so are decisions.
MARGIN = 4.0
WHOLE_LARGEST = 1 << 17  # integers live in float24


class Real(NamedTuple):
    value: Floats
    error: Floats


class Whole(NamedTuple):
    """An integer. Where `doubt` is true it came from a number that is within its bound of another integer, or float24 does not
    have it."""

    value: Integers
    doubt: Booleans


class Truth(NamedTuple):
    """A boolean. Where `doubt` is true it was decided by less than the bound."""

    value: Booleans
    doubt: Booleans


def representable(value: Floats) -> Booleans:
    """Which numbers float24 has exactly."""
    single = value.astype(np.float32)
    size = np.abs(value)
    exact = (single.astype(np.float64) == value) & (single.view(np.uint32) & 0x7F == 0)
    return exact & ((size >= TINY) & (size <= LARGEST) | (size == 0))


def real(value: float) -> Real:
    """A constant, cut or rounded to float24."""
    numbers = np.array([value])
    if not np.isfinite(value):
        return Real(numbers, np.zeros(1))
    return Real(numbers, np.where(representable(numbers), 0.0, UNIT * abs(value) + TINY))


def given(values: Floats) -> Real:
    """Numbers that float24 has: inputs and uniforms. NaN and infinities are what they are."""
    return Real(values, np.zeros(values.shape))


def result(value: Floats, error: Floats, operands: Sequence[Real], roundings: float = 1.0) -> Real:
    """What an operation gives: its value in float64, and the error that its operands have brought along; its own is added."""
    certain = operands[0].error == 0
    nan = np.isnan(operands[0].value)
    infinite = np.isinf(operands[0].value)
    for operand in operands[1:]:
        certain = certain & (operand.error == 0)
        nan = nan | np.isnan(operand.value)
        infinite = infinite | np.isinf(operand.value)
    error = np.where(certain & representable(value), 0.0, error + roundings * UNIT * np.abs(value) + TINY)
    finite = np.isfinite(value)
    error = np.where(finite & (np.abs(value) + error <= LARGEST), error, np.inf)
    special = certain & ~finite & (nan | (infinite & np.isinf(value)))
    return Real(value, np.where(special, 0.0, error))


def unknown(value: Floats, where: Booleans, error: Floats) -> Floats:
    """An error that is infinite where something is in doubt."""
    return np.where(where | np.isnan(value) & (error > 0), np.inf, error)


def add(a: Real, b: Real) -> Real:
    return result(a.value + b.value, a.error + b.error, (a, b))


def negate(a: Real) -> Real:
    return Real(-a.value, a.error)


def subtract(a: Real, b: Real) -> Real:
    return add(a, negate(b))


def multiply(a: Real, b: Real) -> Real:
    error = np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error
    value = a.value * b.value
    # An exact 0 makes 0, however uncertain the other is, unless that may be NaN.
    zero = (a.error == 0) & (a.value == 0) & np.isfinite(b.error) & np.isfinite(b.value)
    zero = zero | ((b.error == 0) & (b.value == 0) & np.isfinite(a.error) & np.isfinite(a.value))
    got = result(value, error, (a, b))
    # 0 * NaN may be 0: operations on NaN need not give NaN (GLSL 4.50, 4.7.1).
    any_zero = np.isnan(value) & ((a.value == 0) | (b.value == 0))
    return Real(got.value, np.where(zero, 0.0, np.where(any_zero, np.inf, got.error)))


def reciprocal(a: Real) -> Real:
    size = np.abs(a.value)
    error = np.where(size > a.error, a.error / (size * (size - a.error)), np.inf)
    got = result(1 / a.value, error, (a,))
    return Real(got.value, np.where(size == 0, np.inf, got.error))


def divide(a: Real, b: Real) -> Real:
    """A product with a reciprocal, which is not exact for 6 / 3."""
    made = multiply(a, reciprocal(b))
    value = a.value / b.value
    # The product of a power of two is exact, any other is not, even where the quotient is.
    return Real(
        value, unknown(value, ~np.isfinite(value), np.maximum(made.error, np.where(made.error > 0, UNIT * np.abs(value), 0.0)))
    )


def inverse_root(a: Real) -> Real:
    value = 1 / np.sqrt(a.value)
    low, high = a.value - a.error, a.value + a.error
    error = np.where(low > 0, np.maximum(1 / np.sqrt(low) - value, value - 1 / np.sqrt(high)), np.inf)
    got = result(value, error, (a,))
    return Real(got.value, unknown(value, a.value <= 0, got.error))


def root(a: Real) -> Real:
    """sqrt, of x * rsq(x) or rcp(rsq(x)): three roundings at most. 0 gives 0; below 0 is undefined."""
    value = np.sqrt(a.value)
    low, high = np.maximum(a.value - a.error, 0.0), a.value + a.error
    error = np.maximum(value - np.sqrt(low), np.sqrt(np.maximum(high, 0.0)) - value)
    got = 2 * UNIT * value + error + UNIT * value + TINY
    zero = (a.value == 0) & (a.error == 0)
    return Real(value, np.where(zero, 0.0, unknown(value, (a.value < 0) | ~np.isfinite(value), got)))


def exp2(a: Real) -> Real:
    value = np.exp2(a.value)
    return result(value, value * np.expm1(a.error * np.log(2)), (a,))


def log2(a: Real) -> Real:
    value = np.log2(a.value)
    low = a.value - a.error
    error = np.where(low > 0, value - np.log2(np.maximum(low, TINY)), np.inf)
    got = result(value, error, (a,))
    return Real(got.value, unknown(value, a.value <= 0, got.error))


def total(items: Sequence[Real]) -> Real:
    found = items[0]
    for item in items[1:]:
        found = add(found, item)
    return found


def dot(a: Sequence[Real], b: Sequence[Real]) -> Real:
    return total([multiply(x, y) for x, y in zip(a, b, strict=True)])


def absolute(a: Real) -> Real:
    return Real(np.abs(a.value), a.error)


NAN_COMPARES = True  # whether comparisons of NaN are as IEEE 754 has them; GLSL does not ask for it


def apart(a: Real, b: Real) -> Booleans:
    """Where two numbers are surely not the same, or surely the same; NaN is one certain number."""
    error = a.error + b.error
    difference = np.abs(a.value - b.value)
    certain = (error == 0) & (NAN_COMPARES | ~np.isnan(difference))
    return certain | (difference > MARGIN * error)


def minimum(a: Real, b: Real) -> Real:
    return _choice(a, b, a.value < b.value, np.minimum(a.value, b.value))


def maximum(a: Real, b: Real) -> Real:
    return _choice(a, b, a.value > b.value, np.maximum(a.value, b.value))


def _choice(a: Real, b: Real, first: Booleans, value: Floats) -> Real:
    """min and max: what they do with NaN is undefined."""
    clear = apart(a, b)
    error = np.where(clear, np.where(first, a.error, b.error), np.maximum(a.error, b.error))
    return Real(value, np.where(np.isnan(a.value) | np.isnan(b.value), np.inf, error))


def steps(a: Real, function: Callable[[Floats], Floats], ties: Floats | None = None) -> Real:
    """A function with steps of 1, such as floor: exact, but within the bound of a step either side is right.

    `ties` are numbers at which either is right, however exact the operand is.
    """
    value = function(a.value)
    error = MARGIN * a.error
    other = function(a.value + error) != function(a.value - error)
    if ties is not None:
        other = other | (a.value == ties)
    found = np.where(other, np.maximum(1.0, a.error + 1.0), 0.0)
    return Real(value, np.where(np.isfinite(a.error), np.where(np.isfinite(a.value), found, a.error), np.inf))


def less(a: Real, b: Real, *, equal: bool, ordered: bool = True) -> Truth:
    """a < b or a <= b; unordered comparisons are true where an operand is NaN."""
    value = a.value <= b.value if equal else a.value < b.value
    if not ordered:
        value = value | np.isnan(a.value) | np.isnan(b.value)
    return Truth(value, ~apart(a, b))


def same(a: Real, b: Real, *, ordered: bool = True) -> Truth:
    value = a.value == b.value
    if not ordered:
        value = value | np.isnan(a.value) | np.isnan(b.value)
    return Truth(value, ~apart(a, b))


def different(a: Real, b: Real, *, ordered: bool) -> Truth:
    value = a.value != b.value
    if ordered:
        value = value & ~np.isnan(a.value) & ~np.isnan(b.value)
    return Truth(value, ~apart(a, b))


def select(condition: Truth, yes: Real, no: Real) -> Real:
    """By a condition in doubt, either operand is right."""
    value = np.where(condition.value, yes.value, no.value)
    error = np.where(condition.value, yes.error, no.error)
    with np.errstate(invalid="ignore"):
        either = np.abs(yes.value - no.value) + np.maximum(yes.error, no.error)
    either = np.where(np.isnan(either), np.inf, either)
    same_bits = (yes.value == no.value) & (yes.error == 0) & (no.error == 0)
    return Real(value, np.where(condition.doubt, np.where(same_bits, 0.0, either), error))


def whole(value: Integers, doubt: Booleans) -> Whole:
    """An integer that an operation gives."""
    return Whole(value, doubt | (np.abs(value) > WHOLE_LARGEST))


def to_whole(a: Real) -> Whole:
    """Toward zero."""
    cut = steps(a, np.trunc)
    value = np.where(np.isfinite(a.value), np.clip(cut.value, -(2.0**31), 2.0**31 - 1), 0.0).astype(np.int64)
    return whole(value, (cut.error > 0) | ~np.isfinite(a.value))


def to_real(a: Whole) -> Real:
    return Real(a.value.astype(np.float64), np.where(a.doubt, np.inf, 0.0))
