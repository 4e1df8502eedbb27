"""The functions of GLSL.std.450 on numbers with bounds, from what the GLSL specification says that they are.

Where a compiler has a choice of formulas (mix, smoothstep, pow) the bound holds for the usual ones. For functions that no
hardware of this kind has (sine and its relatives) it is a stated error, in `STATED`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spirv import approximate as ap
from spirv.approximate import Real, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spirv.approximate import Floats

    Vector = list[Real]

# Function: (absolute error, relative error, the arguments for which they are stated), as docs/glsl-functions.md says. Beyond
# them nothing is known.
STATED: Mapping[str, tuple[float, float, float, float]] = {
    "sin": (2.0**-13, 0.0, -64.0, 64.0),
    "cos": (2.0**-13, 0.0, -64.0, 64.0),
    "asin": (2.0**-13, 0.0, -1.0, 1.0),
    "acos": (2.0**-13, 0.0, -1.0, 1.0),
    "atan": (2.0**-14, 2.0**-15, -np.inf, np.inf),
}
ONE, TWO, THREE, HALF, ZERO = (ap.real(number) for number in (1.0, 2.0, 3.0, 0.5, 0.0))


def _stated(name: str, function: Callable[[Floats], Floats], a: Real) -> Real:
    """A function by its stated error; what its operand brings is found by moving the operand."""
    absolute, relative, low, high = STATED[name]
    value = function(a.value)
    below, above = function(np.clip(a.value - a.error, low, high)), function(np.clip(a.value + a.error, low, high))
    moved = np.maximum(np.abs(below - value), np.abs(above - value))
    if name in {"sin", "cos"}:
        moved = np.minimum(a.error, 2.0)
    error = moved + absolute + relative * np.abs(value)
    outside = (a.value < low) | (a.value > high) | ~np.isfinite(a.value) | ~np.isfinite(a.error)
    return Real(value, ap.unknown(value, outside, error))


def sine(a: Real) -> Real:
    return _stated("sin", np.sin, a)


def cosine(a: Real) -> Real:
    return _stated("cos", np.cos, a)


def tangent(a: Real) -> Real:
    return ap.divide(sine(a), cosine(a))


def arc_sine(a: Real) -> Real:
    return _stated("asin", np.arcsin, a)


def arc_cosine(a: Real) -> Real:
    return _stated("acos", np.arccos, a)


def arc_tangent(a: Real) -> Real:
    return _stated("atan", np.arctan, a)


def arc_tangent2(y: Real, x: Real) -> Real:
    """The angle of a point. Undefined at the origin, and in doubt where the sign of y decides between two angles of almost
    pi."""
    value = np.arctan2(y.value, x.value)
    size = np.hypot(x.value, y.value)
    moved = np.hypot(x.error, y.error) / np.maximum(size, ap.TINY)
    jump = (x.value < 0) & (np.abs(y.value) <= ap.MARGIN * y.error)
    error = moved + STATED["atan"][0] + 4 * ap.UNIT * np.abs(value)
    return Real(value, ap.unknown(value, jump | (size <= ap.MARGIN * (x.error + y.error)), error))


def exponential(a: Real) -> Real:
    got = ap.exp2(ap.multiply(a, ap.real(1 / np.log(2))))
    return Real(np.exp(a.value), got.error)


def logarithm(a: Real) -> Real:
    got = ap.multiply(ap.log2(a), ap.real(np.log(2)))
    return Real(np.log(a.value), got.error)


def power(x: Real, y: Real) -> Real:
    """exp2(y * log2(x)); undefined below 0, and at 0 unless y is greater than 0, where it is 0."""
    got = ap.exp2(ap.multiply(y, ap.log2(x)))
    value = np.power(x.value, y.value)
    zero = (x.value == 0) & (x.error == 0) & (y.value > y.error)
    undefined = (x.value < 0) | ((x.value == 0) & ~zero)
    # log2(0) is -inf on the hardware, and y times that, and 2 to that 0.
    return Real(value, np.where(zero, 0.0, ap.unknown(value, undefined, got.error)))


def sinh(a: Real) -> Real:
    return ap.multiply(HALF, ap.subtract(exponential(a), exponential(ap.negate(a))))


def cosh(a: Real) -> Real:
    return ap.multiply(HALF, ap.add(exponential(a), exponential(ap.negate(a))))


def tanh(a: Real) -> Real:
    up, down = exponential(a), exponential(ap.negate(a))
    return ap.divide(ap.subtract(up, down), ap.add(up, down))


def asinh(a: Real) -> Real:
    """ln(x + sqrt(x * x + 1)), which loses all digits far below 0."""
    return logarithm(ap.add(a, ap.root(ap.add(ap.multiply(a, a), ONE))))


def acosh(a: Real) -> Real:
    return logarithm(ap.add(a, ap.root(ap.subtract(ap.multiply(a, a), ONE))))


def atanh(a: Real) -> Real:
    return ap.multiply(HALF, logarithm(ap.divide(ap.add(ONE, a), ap.subtract(ONE, a))))


def floor(a: Real) -> Real:
    return ap.steps(a, np.floor)


def ceiling(a: Real) -> Real:
    return ap.steps(a, np.ceil)


def truncate(a: Real) -> Real:
    return ap.steps(a, np.trunc)


def round_any(a: Real) -> Real:
    """To the nearest; of two, either."""
    return ap.steps(a, lambda value: np.floor(value + 0.5), np.floor(a.value) + 0.5)


def round_even(a: Real) -> Real:
    return ap.steps(a, np.rint)


def fraction(a: Real) -> Real:
    return ap.subtract(a, floor(a))


def modulo(x: Real, y: Real) -> Real:
    """x - y * floor(x / y)."""
    return ap.subtract(x, ap.multiply(y, floor(ap.divide(x, y))))


def remainder(x: Real, y: Real) -> Real:
    """x - y * trunc(x / y)."""
    return ap.subtract(x, ap.multiply(y, truncate(ap.divide(x, y))))


def sign(a: Real) -> Real:
    value = np.where(np.isnan(a.value), np.nan, np.sign(a.value))
    doubt = ~ap.apart(a, ZERO) & np.ones(a.value.shape, np.bool_)
    return Real(value, np.where(np.isnan(value), np.inf, np.where(doubt, 2.0, 0.0)))


def step(edge: Real, x: Real) -> Real:
    """0.0 where x < edge, else 1.0; for NaN devices differ (Mesa gives 0.0)."""
    got = ap.select(ap.less(x, edge, equal=False), ZERO, ONE)
    return Real(got.value, np.where(np.isnan(x.value) | np.isnan(edge.value), np.inf, got.error))


def clamp(x: Real, low: Real, high: Real) -> Real:
    return ap.minimum(ap.maximum(x, low), high)


def mix(x: Real, y: Real, a: Real) -> Real:
    """x * (1 - a) + y * a, or x + a * (y - x)."""
    first = ap.add(ap.multiply(x, ap.subtract(ONE, a)), ap.multiply(y, a))
    second = ap.add(x, ap.multiply(a, ap.subtract(y, x)))
    return Real(first.value, np.maximum(first.error, second.error))


def smooth_step(low: Real, high: Real, x: Real) -> Real:
    t = clamp(ap.divide(ap.subtract(x, low), ap.subtract(high, low)), ZERO, ONE)
    got = ap.multiply(ap.multiply(t, t), ap.subtract(THREE, ap.multiply(TWO, t)))
    return Real(got.value, ap.unknown(got.value, low.value >= high.value, got.error))


def fused(a: Real, b: Real, c: Real) -> Real:
    return ap.add(ap.multiply(a, b), c)


def degrees(a: Real) -> Real:
    return ap.multiply(a, ap.real(180 / np.pi))


def radians(a: Real) -> Real:
    return ap.multiply(a, ap.real(np.pi / 180))


def scaled(vector: Vector, factor: Real) -> Vector:
    return [ap.multiply(item, factor) for item in vector]


def length(a: Vector) -> Real:
    return ap.absolute(a[0]) if len(a) == 1 else ap.root(ap.dot(a, a))


def distance(a: Vector, b: Vector) -> Real:
    return length([ap.subtract(x, y) for x, y in zip(a, b, strict=True)])


def normalize(a: Vector) -> Vector:
    return scaled(a, ap.inverse_root(ap.dot(a, a)))


def cross(a: Vector, b: Vector) -> Vector:
    def item(i: int, j: int) -> Real:
        return ap.subtract(ap.multiply(a[i], b[j]), ap.multiply(a[j], b[i]))

    return [item(1, 2), item(2, 0), item(0, 1)]


def face_forward(normal: Vector, incident: Vector, reference: Vector) -> Vector:
    condition = ap.less(ap.dot(reference, incident), ZERO, equal=False)
    return [ap.select(condition, item, ap.negate(item)) for item in normal]


def reflect(incident: Vector, normal: Vector) -> Vector:
    twice = ap.multiply(TWO, ap.dot(normal, incident))
    return [ap.subtract(i, ap.multiply(twice, n)) for i, n in zip(incident, normal, strict=True)]


def refract(incident: Vector, normal: Vector, eta: Real) -> Vector:
    cosine_of = ap.dot(normal, incident)
    k = ap.subtract(ONE, ap.multiply(ap.multiply(eta, eta), ap.subtract(ONE, ap.multiply(cosine_of, cosine_of))))
    factor = ap.add(ap.multiply(eta, cosine_of), ap.root(ap.maximum(k, ZERO)))
    none = ap.less(k, ZERO, equal=False)
    through = [ap.subtract(ap.multiply(eta, i), ap.multiply(factor, n)) for i, n in zip(incident, normal, strict=True)]
    return [ap.select(none, ZERO, item) for item in through]


def _minor(matrix: Sequence[Vector], column: int, row: int) -> list[Vector]:
    return [[item for r, item in enumerate(vector) if r != row] for c, vector in enumerate(matrix) if c != column]


def determinant(matrix: Sequence[Vector]) -> Real:
    """By its first column."""
    if len(matrix) == 1:
        return matrix[0][0]
    terms = [ap.multiply(matrix[0][row], determinant(_minor(matrix, 0, row))) for row in range(len(matrix))]
    return ap.total([ap.negate(term) if row % 2 else term for row, term in enumerate(terms)])


def inverse(matrix: Sequence[Vector]) -> list[Vector]:
    one = ap.reciprocal(determinant(matrix))
    size = len(matrix)

    def item(column: int, row: int) -> Real:
        found = determinant(_minor(matrix, row, column)) if size > 1 else ONE
        return ap.multiply(ap.negate(found) if (row + column) % 2 else found, one)

    return [[item(column, row) for row in range(size)] for column in range(size)]


def truth(value: bool) -> Truth:
    return Truth(np.array([value]), np.zeros(1, np.bool_))


# GLSL.std.450 by number: functions of each component on its own.
EACH: Mapping[int, Callable[..., Real]] = {
    1: round_any,
    2: round_even,
    3: truncate,
    4: ap.absolute,
    6: sign,
    8: floor,
    9: ceiling,
    10: fraction,
    11: radians,
    12: degrees,
    13: sine,
    14: cosine,
    15: tangent,
    16: arc_sine,
    17: arc_cosine,
    18: arc_tangent,
    19: sinh,
    20: cosh,
    21: tanh,
    22: asinh,
    23: acosh,
    24: atanh,
    25: arc_tangent2,
    26: power,
    27: exponential,
    28: logarithm,
    29: ap.exp2,
    30: ap.log2,
    31: ap.root,
    32: ap.inverse_root,
    37: ap.minimum,
    40: ap.maximum,
    43: clamp,
    46: mix,
    48: step,
    49: smooth_step,
    50: fused,
    79: ap.minimum,
    80: ap.maximum,
    81: clamp,
}
# Functions of whole vectors; those of the first table give one number.
NUMBERS: Mapping[int, Callable[..., Real]] = {66: length, 67: distance}
VECTORS: Mapping[int, Callable[..., list[Real]]] = {68: cross, 69: normalize, 70: face_forward, 71: reflect, 72: refract}
