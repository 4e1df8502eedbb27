"""The functions of GLSL.std.450, in operations of the vector program.

`FUNCTIONS` has a function for each number; `accuracy.py` states their errors.
"""

from __future__ import annotations

import math

from lanewise.compile.spirv import integers
from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.values import Known, Scalar, Value, negated
from lanewise.compile.vector import code
from lanewise.compile.vector.code import (
    ADD,
    AND,
    EQ,
    EXP2,
    FLOOR,
    LE,
    LOG2,
    LT,
    MAD,
    MAX,
    MIN,
    MUL,
    NE,
    RCP,
    RSQ,
    SELECT,
    TRUNC,
    Number,
    Ref,
    Row,
)
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.context import Context
    from lanewise.compile.spirv.emit import Emitter


class Math:
    """Operations by lane in short: numbers are widened to the width of what they are combined with."""

    emitter: Emitter

    def __init__(self, context: Context) -> None:
        self.context = context
        self.emitter = context.emitter

    def op(self, op: str, *operands: Value | float) -> Value:
        width = next(len(operand) for operand in operands if isinstance(operand, tuple))
        return self.emitter.operate(op, *[self.wide(operand, width) for operand in operands])

    @staticmethod
    def wide(operand: Value | float, width: int) -> Value:
        if not isinstance(operand, tuple):
            return (Known(float(operand)),) * width
        return operand * width if len(operand) == 1 else operand

    def steady(self, value: Value) -> bool:
        """Whether a value is in constants and uniforms."""
        return all(not isinstance(s, Ref) or isinstance(self.emitter.definitions.get(s.value), (Number, Row)) for s in value)

    def add(self, a: Value | float, b: Value | float) -> Value:
        return self.op(ADD, a, b)

    def sub(self, a: Value | float, b: Value | float) -> Value:
        return self.op(ADD, a, minus(b))

    def mul(self, a: Value | float, b: Value | float) -> Value:
        return self.op(MUL, a, b)

    def mad(self, a: Value | float, b: Value | float, c: Value | float) -> Value:
        return self.op(MAD, a, b, c)

    def floor(self, a: Value) -> Value:
        return self.op(FLOOR, a)

    def abs(self, a: Value) -> Value:
        return self.op(MAX, a, minus(a))

    def rcp(self, a: Value) -> Value:
        return self.op(RCP, a)

    def select(self, condition: Value, yes: Value | float, no: Value | float) -> Value:
        return self.op(SELECT, condition, yes, no)

    def polynomial(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """By Horner's rule; the first coefficient is that of the highest power."""
        total: Value | float = coefficients[0]
        for coefficient in coefficients[1:]:
            total = self.mad(total, x, coefficient)
        return total if isinstance(total, tuple) else self.wide(total, len(x))

    def root(self, a: Value) -> Value:
        """The square root: 1 / (1 / sqrt(a)), right for 0 and infinity too."""
        return self.rcp(self.op(RSQ, a))

    def dot(self, a: Value, b: Value) -> Value:
        return (self.emitter.dot(a, b),)


def minus(a: Value | float) -> Value | float:
    return tuple([negated(scalar) for scalar in a]) if isinstance(a, tuple) else -a


def _minus(a: Value) -> Value:
    return tuple([negated(scalar) for scalar in a])


def floored_rest(context: Context, a: Value, b: Value) -> Value:
    """a - b * floor(a / b). An estimate of the quotient that is one too small, as at multiples of b, is set right."""
    m = Math(context)
    rest = m.mad(_minus(m.floor(m.mul(a, m.rcp(b)))), b, a)
    if all(isinstance(y, Known) and y.value > 0 and math.frexp(y.value)[0] == 0.5 for y in b):
        return rest
    size = b if all(isinstance(y, Known) and y.value > 0 for y in b) else m.abs(b)
    return m.mad(_minus(m.op(LE, size, rest if size is b else m.abs(rest))), b, rest)


def cut_rest(context: Context, a: Value, b: Value) -> Value:
    """a - b * trunc(a / b)."""
    m = Math(context)
    rest = m.mad(_minus(m.op(TRUNC, m.mul(a, m.rcp(b)))), b, a)
    over = m.op(LE, m.abs(b), m.abs(rest))
    # The divisor with the sign of the rest.
    size = m.select(m.op(LT, rest, 0.0), _minus(m.abs(b)), m.abs(b))
    return m.mad(_minus(over), size, rest)


def _round(m: Math, x: Value) -> Value:
    return m.floor(m.add(x, 0.5))


def _round_even(m: Math, x: Value) -> Value:
    """To the nearest whole number, the even one of two: one less where a tie has gone up to an odd number."""
    up = m.floor(m.add(x, 0.5))
    tie = m.op(EQ, m.sub(up, x), 0.5)
    half = m.mul(up, 0.5)
    odd = m.op(NE, m.floor(half), half)
    return m.sub(up, m.op(AND, tie, odd))


def _ceil(m: Math, x: Value) -> Value:
    return _minus(m.floor(_minus(x)))


def _fract(m: Math, x: Value) -> Value:
    return m.sub(x, m.floor(x))


def _extreme(op: str) -> Callable[[Math, Value, Value], Value]:
    """The lesser or greater of two. Of NaN either operand is right: what is known or a uniform is the first, where instructions
    read those."""
    return lambda m, a, b: m.op(op, b, a) if m.steady(b) and not m.steady(a) else m.op(op, a, b)


_least, _greatest = _extreme(MIN), _extreme(MAX)


def _clamp(m: Math, x: Value, low: Value, high: Value) -> Value:
    return _least(m, _greatest(m, x, low), high)


def _nan_safe(op: str) -> Callable[[Math, Value, Value], Value]:
    """The extreme of two numbers, the other one where one of them is NaN. Of an operation, the second is the result then."""

    def lower(m: Math, a: Value, b: Value) -> Value:
        if all(isinstance(x, Known) for x in b):
            return m.op(op, a, b)
        if all(isinstance(x, Known) for x in a):
            return m.op(op, b, a)
        return m.select(m.op(NE, b, b), a, m.op(op, a, b))

    return lower


def _nan_safe_clamp(m: Math, x: Value, low: Value, high: Value) -> Value:
    return _nan_safe(MIN)(m, _nan_safe(MAX)(m, x, low), high)


def _mix(m: Math, a: Value, b: Value, t: Value) -> Value:
    return m.mad(t, m.sub(b, a), a)


def _step(m: Math, edge: Value, x: Value) -> Value:
    """0 where x < edge, else 1; 0 where one of them is NaN."""
    return m.op(LE, m.wide(edge, len(x)), x)


def _smoothstep(m: Math, low: Value, high: Value, x: Value) -> Value:
    t = _clamp(m, m.mul(m.sub(x, low), m.rcp(m.sub(high, low))), m.wide(0.0, len(x)), m.wide(1.0, len(x)))
    return m.mul(m.mul(t, t), m.mad(t, -2.0, 3.0))


def _length(m: Math, x: Value) -> Value:
    return m.abs(x) if len(x) == 1 else m.root(m.dot(x, x))


def _distance(m: Math, a: Value, b: Value) -> Value:
    return _length(m, m.sub(a, b))


def _normalize(m: Math, x: Value) -> Value:
    if len(x) == 1:
        return _sign(m, x)
    return m.mul(x, m.op(RSQ, m.dot(x, x)))


def _sign(m: Math, x: Value) -> Value:
    return m.sub(m.op(LT, m.wide(0.0, len(x)), x), m.op(LT, x, 0.0))


def _cross(m: Math, a: Value, b: Value) -> Value:
    """The cross product. Raises Malformed."""
    if not len(a) == len(b) == 3:
        raise Malformed("a cross product is of vectors of three components")

    def turned(v: Value, by: int) -> Value:
        return v[by:] + v[:by]

    return m.mad(_minus(turned(a, 2)), turned(b, 1), m.mul(turned(a, 1), turned(b, 2)))


def _face_forward(m: Math, n: Value, i: Value, reference: Value) -> Value:
    return m.select(m.op(LT, m.dot(reference, i), 0.0) * len(n), n, _minus(n))


def _reflect(m: Math, i: Value, n: Value) -> Value:
    return m.mad(m.wide(m.mul(m.dot(n, i), -2.0), len(n)), n, i)


def _refract(m: Math, i: Value, n: Value, eta: Value) -> Value:
    along = m.dot(n, i)
    k = m.sub(1.0, m.mul(m.mul(eta, eta), m.sub(1.0, m.mul(along, along))))
    factor = m.mad(eta, along, m.root(m.op(MAX, 0.0, k)))
    bent = m.mad(_minus(m.wide(factor, len(n))), n, m.mul(m.wide(eta, len(n)), i))
    return m.select(m.op(LT, k, 0.0) * len(n), 0.0, bent)


def _fma(m: Math, a: Value, b: Value, c: Value) -> Value:
    return m.mad(a, b, c)


def determinant(m: Math, matrix: Value, size: int) -> Value:
    columns = [matrix[at : at + size] for at in range(0, len(matrix), size)]
    if size == 2:
        return m.mad((negated(columns[1][0]),), (columns[0][1],), m.mul((columns[0][0],), (columns[1][1],)))
    if size == 3:
        return m.dot(columns[0], _cross(m, columns[1], columns[2]))
    return m.dot(columns[0], _cofactors(m, columns, 0))


def _cofactors(m: Math, columns: list[Value], which: int) -> Value:
    """The cofactors of a column of a matrix of four."""
    others = [column for number, column in enumerate(columns) if number != which]
    found: list[Scalar] = []
    for row in range(4):
        minor = [column[:row] + column[row + 1 :] for column in others]
        value = m.dot(minor[0], _cross(m, minor[1], minor[2]))
        found.append(negated(value[0]) if (row + which) % 2 else value[0])
    return tuple(found)


def inverse(m: Math, matrix: Value, size: int) -> Value:
    """The inverse by cofactors and one reciprocal of the determinant."""
    columns = [matrix[at : at + size] for at in range(0, len(matrix), size)]
    if size == 2:
        (a, b), (c, d) = columns
        rows: list[Value] = [(d, negated(c)), (negated(b), a)]
    elif size == 3:
        rows = [_cross(m, columns[1], columns[2]), _cross(m, columns[2], columns[0]), _cross(m, columns[0], columns[1])]
    else:
        rows = [_cofactors(m, columns, which) for which in range(4)]
    factor = m.rcp(m.dot(columns[0], rows[0]))
    scaled = [m.mul(row, m.wide(factor, size)) for row in rows]
    return tuple([scaled[row][column] for column in range(size) for row in range(size)])


def _radians(m: Math, x: Value) -> Value:
    return m.mul(x, math.pi / 180)


def _degrees(m: Math, x: Value) -> Value:
    return m.mul(x, 180 / math.pi)


def _exp(m: Math, x: Value) -> Value:
    return m.op(EXP2, m.mul(x, math.log2(math.e)))


def _log(m: Math, x: Value) -> Value:
    return m.mul(m.op(LOG2, x), math.log(2))


def _pow(m: Math, x: Value, y: Value) -> Value:
    """exp2(y * log2(x)); small whole powers that are known are products."""
    known = {scalar.value if isinstance(scalar, Known) else None for scalar in y}
    power = known.pop() if len(known) == 1 else None
    if power is not None and power in (1, 2, 3, 4, 5, 6, 8, 16):
        return _whole_power(m, x, int(power))
    if power == 0.5:
        return m.root(x)
    return m.op(EXP2, m.mul(y, m.op(LOG2, x)))


def _whole_power(m: Math, x: Value, power: int) -> Value:
    if power == 1:
        return x
    half = _whole_power(m, x, power // 2)
    square = m.mul(half, half)
    return m.mul(square, x) if power % 2 else square


# Polynomials were fitted for the least greatest error, by iteratively weighted least squares at 4,000 points of the range.
_SINE = (
    -0.00018363651209269533,
    0.008306325124699117,
    -0.16664828371357462,
    0.9999966158819897,
)  # sin(s) / s of s * s, s within pi / 2: 5.9e-7
_ARC_TANGENT = (
    0.020845081842173572,
    -0.08515628793172605,
    0.18015925514289563,
    -0.33030477683545806,
    0.9998663290218599,
)  # of z * z, z within 1: 1.2e-5
_ARC_COSINE = (
    -0.02089205487131795,
    0.0768974151474531,
    -0.21287519635365615,
    1.5707583417814135,
)  # acos(x) / sqrt(1 - x), 0 to 1: 3.8e-5
# 2 pi in two parts: the first has 8 bits, so that its products with whole numbers up to 256 are exact.
_TURN = 201 / 32
_TURN_REST = 2 * math.pi - _TURN


def _wave(m: Math, x: Value, shift: float) -> Value:
    """cos(x - shift), shift within half a turn: x less whole turns, folded to a quarter turn on both sides of 0."""
    turns = m.floor(m.mad(x, 1 / (2 * math.pi), 0.5 - shift / (2 * math.pi)))
    rest = m.mad(_minus(turns), _TURN_REST, m.mad(_minus(turns), _TURN, x))
    folded = m.sub(math.pi / 2, m.abs(m.sub(rest, shift) if shift else rest))
    return m.mul(m.polynomial(m.mul(folded, folded), _SINE), folded)


def _sine(m: Math, x: Value) -> Value:
    return _wave(m, x, math.pi / 2)


def _cosine(m: Math, x: Value) -> Value:
    return _wave(m, x, 0.0)


def _tangent(m: Math, x: Value) -> Value:
    return m.mul(_sine(m, x), m.rcp(_cosine(m, x)))


def _flipped(m: Math, below: Value, r: Value) -> Value:
    """r, or -r where `below` is true."""
    return m.mul(m.mad(below, -2.0, 1.0), r)


def _upper_arc_cosine(m: Math, size: Value) -> Value:
    return m.mul(m.root(m.sub(1.0, size)), m.polynomial(size, _ARC_COSINE))


def _arc_cosine(m: Math, x: Value) -> Value:
    """acos(-x) is pi - acos(x)."""
    upper = _upper_arc_cosine(m, m.abs(x))
    return m.mad(m.op(LT, x, 0.0), m.mad(upper, -2.0, math.pi), upper)


def _arc_sine(m: Math, x: Value) -> Value:
    return _flipped(m, m.op(LT, x, 0.0), m.sub(math.pi / 2, _upper_arc_cosine(m, m.abs(x))))


def _angle(m: Math, y: Value, x: Value) -> Value:
    """The angle of a point in the first quadrant: below the diagonal by a polynomial, above it by its complement."""
    slope = m.mul(m.op(MIN, y, x), m.rcp(m.op(MAX, y, x)))
    below = m.mul(m.polynomial(m.mul(slope, slope), _ARC_TANGENT), slope)
    return m.mad(m.op(LT, x, y), m.mad(below, -2.0, math.pi / 2), below)


def _arc_tangent(m: Math, x: Value) -> Value:
    return _flipped(m, m.op(LT, x, 0.0), _angle(m, m.abs(x), m.wide(1.0, len(x))))


def _arc_tangent_2(m: Math, y: Value, x: Value) -> Value:
    angle = _angle(m, m.abs(y), m.abs(x))
    angle = m.mad(m.op(LT, x, 0.0), m.mad(angle, -2.0, math.pi), angle)
    return _flipped(m, m.op(LT, y, 0.0), angle)


def _exponentials(m: Math, x: Value) -> tuple[Value, Value]:
    grown = _exp(m, x)
    return grown, m.rcp(grown)


def _sinh(m: Math, x: Value) -> Value:
    up, down = _exponentials(m, x)
    return m.mul(m.sub(up, down), 0.5)


def _cosh(m: Math, x: Value) -> Value:
    up, down = _exponentials(m, x)
    return m.mul(m.add(up, down), 0.5)


def _tanh(m: Math, x: Value) -> Value:
    """1 - 2 / (exp(2 x) + 1), which does not overflow."""
    return m.mad(m.rcp(m.add(m.op(EXP2, m.mul(x, 2 * math.log2(math.e))), 1.0)), -2.0, 1.0)


def _asinh(m: Math, x: Value) -> Value:
    size = m.abs(x)
    return _flipped(m, m.op(LT, x, 0.0), _log(m, m.add(size, m.root(m.mad(size, size, 1.0)))))


def _acosh(m: Math, x: Value) -> Value:
    """x * x - 1 as a product, which keeps what is left of it near 1."""
    return _log(m, m.add(x, m.root(m.mul(m.sub(x, 1.0), m.add(x, 1.0)))))


def _atanh(m: Math, x: Value) -> Value:
    return m.mul(m.op(LOG2, m.mul(m.add(1.0, x), m.rcp(m.sub(1.0, x)))), math.log(2) / 2)


def _modf_struct(context: Context, _: Instruction, values: list[Value]) -> Value:
    whole = context.emitter.operate(TRUNC, values[0])
    return context.emitter.operate(ADD, values[0], _minus(whole)) + whole


def _by_lane(function: Callable[..., Value], operands: int) -> tuple[int, Callable[[Context, Instruction, list[Value]], Value]]:
    return operands, lambda context, _, values: function(Math(context), *values)


def _operation(op: str) -> tuple[int, Callable[[Context, Instruction, list[Value]], Value]]:
    return code.OPERATIONS[op], lambda context, _, values: context.emitter.operate(op, *values)


def _inverse(context: Context, _: Instruction, values: list[Value]) -> Value:
    return inverse(Math(context), values[0], _side(values[0]))


def _determinant(context: Context, _: Instruction, values: list[Value]) -> Value:
    return determinant(Math(context), values[0], _side(values[0]))


def _side(matrix: Value) -> int:
    """How many columns a square matrix has. Raises Malformed."""
    side = math.isqrt(len(matrix))
    if side * side != len(matrix) or not 2 <= side <= 4:
        raise Malformed(f"a matrix has {len(matrix)} components: expected 4, 9 or 16")
    return side


def _ldexp(m: Math, x: Value, exponent: Value) -> Value:
    return m.mul(x, m.op(EXP2, exponent))


# By number: how many operands, and what it computes (specification of GLSL.std.450).
FUNCTIONS: Mapping[int, tuple[int, Callable[[Context, Instruction, list[Value]], Value]]] = {
    1: _by_lane(_round, 1),
    2: _by_lane(_round_even, 1),
    3: _operation(TRUNC),
    4: _by_lane(Math.abs, 1),
    5: (1, integers.absolute),
    6: (1, integers.sign),
    7: (1, integers.sign),
    8: _operation(FLOOR),
    9: _by_lane(_ceil, 1),
    10: _by_lane(_fract, 1),
    11: _by_lane(_radians, 1),
    12: _by_lane(_degrees, 1),
    13: _by_lane(_sine, 1),
    14: _by_lane(_cosine, 1),
    15: _by_lane(_tangent, 1),
    16: _by_lane(_arc_sine, 1),
    17: _by_lane(_arc_cosine, 1),
    18: _by_lane(_arc_tangent, 1),
    19: _by_lane(_sinh, 1),
    20: _by_lane(_cosh, 1),
    21: _by_lane(_tanh, 1),
    22: _by_lane(_asinh, 1),
    23: _by_lane(_acosh, 1),
    24: _by_lane(_atanh, 1),
    25: _by_lane(_arc_tangent_2, 2),
    36: (1, _modf_struct),
    26: _by_lane(_pow, 2),
    27: _by_lane(_exp, 1),
    28: _by_lane(_log, 1),
    29: _operation(EXP2),
    30: _operation(LOG2),
    31: _by_lane(Math.root, 1),
    32: _operation(RSQ),
    33: (1, _determinant),
    34: (1, _inverse),
    37: _by_lane(_least, 2),
    38: (2, integers.least),
    39: (2, integers.least),
    40: _by_lane(_greatest, 2),
    41: (2, integers.greatest),
    42: (2, integers.greatest),
    43: _by_lane(_clamp, 3),
    44: (3, integers.clamped),
    45: (3, integers.clamped),
    46: _by_lane(_mix, 3),
    48: _by_lane(_step, 2),
    49: _by_lane(_smoothstep, 3),
    50: _by_lane(_fma, 3),
    53: _by_lane(_ldexp, 2),
    66: _by_lane(_length, 1),
    67: _by_lane(_distance, 2),
    68: _by_lane(_cross, 2),
    69: _by_lane(_normalize, 1),
    70: _by_lane(_face_forward, 3),
    71: _by_lane(_reflect, 2),
    72: _by_lane(_refract, 3),
    79: _by_lane(_nan_safe(MIN), 2),
    80: _by_lane(_nan_safe(MAX), 2),
    81: _by_lane(_nan_safe_clamp, 3),
}
NAMES: Mapping[int, str] = {
    1: "Round",
    2: "RoundEven",
    3: "Trunc",
    4: "FAbs",
    5: "SAbs",
    6: "FSign",
    7: "SSign",
    8: "Floor",
    9: "Ceil",
    10: "Fract",
    11: "Radians",
    12: "Degrees",
    13: "Sin",
    14: "Cos",
    15: "Tan",
    16: "Asin",
    17: "Acos",
    18: "Atan",
    19: "Sinh",
    20: "Cosh",
    21: "Tanh",
    22: "Asinh",
    23: "Acosh",
    24: "Atanh",
    25: "Atan2",
    26: "Pow",
    27: "Exp",
    28: "Log",
    29: "Exp2",
    30: "Log2",
    31: "Sqrt",
    32: "InverseSqrt",
    33: "Determinant",
    34: "MatrixInverse",
    35: "Modf",
    36: "ModfStruct",
    37: "FMin",
    38: "UMin",
    39: "SMin",
    40: "FMax",
    41: "UMax",
    42: "SMax",
    43: "FClamp",
    44: "UClamp",
    45: "SClamp",
    46: "FMix",
    48: "Step",
    49: "SmoothStep",
    50: "Fma",
    51: "Frexp",
    52: "FrexpStruct",
    53: "Ldexp",
    54: "PackSnorm4x8",
    55: "PackUnorm4x8",
    56: "PackSnorm2x16",
    57: "PackUnorm2x16",
    58: "PackHalf2x16",
    59: "PackDouble2x32",
    60: "UnpackSnorm2x16",
    61: "UnpackUnorm2x16",
    62: "UnpackHalf2x16",
    63: "UnpackSnorm4x8",
    64: "UnpackUnorm4x8",
    65: "UnpackDouble2x32",
    66: "Length",
    67: "Distance",
    68: "Cross",
    69: "Normalize",
    70: "FaceForward",
    71: "Reflect",
    72: "Refract",
    73: "FindILsb",
    74: "FindSMsb",
    75: "FindUMsb",
    76: "InterpolateAtCentroid",
    77: "InterpolateAtSample",
    78: "InterpolateAtOffset",
    79: "NMin",
    80: "NMax",
    81: "NClamp",
}
