"""What instructions of SPIR-V without control flow or memory compute, by opcode."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spirv import approximate as ap
from spirv import functions
from spirv.approximate import Real, Truth, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spirv.approximate import Booleans, Integers
    from spirv.trees import Leaf, Tree


def truths(function: Callable[[Booleans, Booleans], Booleans]) -> Callable[[Truth, Truth], Truth]:
    """A function of two booleans; in doubt where turning one that is in doubt turns the result."""

    def made(a: Truth, b: Truth) -> Truth:
        value = function(a.value, b.value)
        one, other, both = (
            function(x, y) != value for x, y in ((~a.value, b.value), (a.value, ~b.value), (~a.value, ~b.value))
        )
        return Truth(value, a.doubt & one | b.doubt & other | a.doubt & b.doubt & both)

    return made


def _not(a: Truth) -> Truth:
    return Truth(~a.value, a.doubt)


def integers(function: Callable[..., Integers]) -> Callable[..., Whole]:
    def made(*operands: Whole) -> Whole:
        doubt = operands[0].doubt
        for operand in operands[1:]:
            doubt = doubt | operand.doubt
        return ap.whole(signed(function(*(operand.value for operand in operands))), doubt)

    return made


def signed(value: Integers) -> Integers:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _comparison(function: Callable[[Integers, Integers], Booleans]) -> Callable[[Whole, Whole], Truth]:
    def made(a: Whole, b: Whole) -> Truth:
        return Truth(function(a.value, b.value), a.doubt | b.doubt)

    return made


def _quotient(a: Integers, b: Integers) -> Integers:
    size = np.abs(a) // np.maximum(np.abs(b), 1)
    return np.where((a < 0) ^ (b < 0), -size, size)


def _remainder(a: Integers, b: Integers) -> Integers:
    return a - b * _quotient(a, b)


def _modulus(a: Integers, b: Integers) -> Integers:
    return np.where(b == 0, 0, a - b * (a // np.where(b == 0, 1, b)))


def _is_nan(a: Real) -> Truth:
    return Truth(np.isnan(a.value), ~np.isfinite(a.error))


def _is_infinite(a: Real) -> Truth:
    return Truth(np.isinf(a.value), ~np.isfinite(a.error))


def choose(condition: Truth, yes: Leaf, no: Leaf) -> Leaf:
    if isinstance(yes, Real) and isinstance(no, Real):
        return ap.select(condition, yes, no)
    value = np.where(condition.value, yes[0], no[0])
    doubt = np.where(condition.value, yes.doubt, no.doubt) | condition.doubt & (yes[0] != no[0])  # type: ignore[union-attr]
    return type(yes)(value, doubt)  # type: ignore[arg-type]


def _whole_sign(a: Whole) -> Whole:
    return Whole(np.sign(a.value), a.doubt)


def _greater(a: Real, b: Real, *, equal: bool, ordered: bool = True) -> Truth:
    return ap.less(b, a, equal=equal, ordered=ordered)


def itself(a: Any) -> Any:
    return a


def load_exponent(a: Real, power: Whole) -> Real:
    return ap.multiply(a, ap.exp2(ap.to_real(power)))


def _clamped(a: Integers, low: Integers, high: Integers) -> Integers:
    return np.minimum(np.maximum(a, low), high)


# By opcode: what is done with each component.
EACH: Mapping[int, Callable[..., Leaf]] = {
    109: ap.to_whole,
    110: ap.to_whole,
    111: ap.to_real,
    112: ap.to_real,
    124: itself,
    126: integers(np.negative),
    127: ap.negate,
    128: integers(np.add),
    129: ap.add,
    130: integers(np.subtract),
    131: ap.subtract,
    132: integers(np.multiply),
    133: ap.multiply,
    134: integers(_quotient),
    135: integers(_quotient),
    136: ap.divide,
    137: integers(_modulus),
    138: integers(_remainder),
    139: integers(_modulus),
    140: functions.remainder,
    141: functions.modulo,
    156: _is_nan,
    157: _is_infinite,
    164: truths(np.equal),
    165: truths(np.not_equal),
    166: truths(np.logical_or),
    167: truths(np.logical_and),
    168: _not,
    170: _comparison(np.equal),
    171: _comparison(np.not_equal),
    172: _comparison(np.greater),
    173: _comparison(np.greater),
    174: _comparison(np.greater_equal),
    175: _comparison(np.greater_equal),
    176: _comparison(np.less),
    177: _comparison(np.less),
    178: _comparison(np.less_equal),
    179: _comparison(np.less_equal),
    180: ap.same,
    181: partial(ap.same, ordered=False),
    182: partial(ap.different, ordered=True),
    183: partial(ap.different, ordered=False),
    184: partial(ap.less, equal=False),
    185: partial(ap.less, equal=False, ordered=False),
    186: partial(_greater, equal=False),
    187: partial(_greater, equal=False, ordered=False),
    188: partial(ap.less, equal=True),
    189: partial(ap.less, equal=True, ordered=False),
    190: partial(_greater, equal=True),
    191: partial(_greater, equal=True, ordered=False),
    194: integers(np.right_shift),
    195: integers(np.right_shift),
    196: integers(np.left_shift),
    197: integers(np.bitwise_or),
    198: integers(np.bitwise_xor),
    199: integers(np.bitwise_and),
    200: integers(np.invert),
}
# GLSL.std.450 functions of integers.
WHOLE: Mapping[int, Callable[..., Whole]] = {
    5: integers(np.abs),
    7: _whole_sign,
    38: integers(np.minimum),
    39: integers(np.minimum),
    41: integers(np.maximum),
    42: integers(np.maximum),
    44: integers(_clamped),
    45: integers(_clamped),
}


def _transposed(matrix: Sequence[Sequence[Real]]) -> list[list[Real]]:
    return [list(row) for row in zip(*matrix, strict=True)]


def _times(matrix: Sequence[Sequence[Real]], vector: Sequence[Real]) -> list[Real]:
    return [ap.dot(row, vector) for row in _transposed(matrix)]


def _matrix_scaled(matrix: Sequence[list[Real]], factor: Real) -> Tree:
    return [functions.scaled(column, factor) for column in matrix]


def _row_times(vector: Sequence[Real], matrix: Sequence[Sequence[Real]]) -> Tree:
    return [ap.dot(vector, column) for column in matrix]


def _product(a: Sequence[Sequence[Real]], b: Sequence[Sequence[Real]]) -> Tree:
    return [_times(a, column) for column in b]


def _outer(a: list[Real], b: Sequence[Real]) -> Tree:
    return [functions.scaled(a, item) for item in b]


# Operations on vectors and matrices, which are lists of columns.
SHAPED: Mapping[int, Callable[..., Tree]] = {
    84: _transposed,
    142: functions.scaled,
    143: _matrix_scaled,
    144: _row_times,
    145: _times,
    146: _product,
    147: _outer,
    148: ap.dot,
}
