"""Operations whose results need no rounding."""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LARGEST_POWER = 1000


def exact(op: str, operands: Sequence[Sequence[float]], found: float, fits: Callable[[float], bool]) -> bool:
    """Whether an operation gives a number without rounding, in whatever order it adds. `fits` says whether the target has a
    number."""
    numbers = [x for operand in operands for x in operand]
    if not all(math.isfinite(x) for x in (*numbers, found)):
        return False
    from fractions import Fraction  # which imports decimal

    values = [[Fraction(x) for x in operand] for operand in operands]
    result = Fraction(found)
    first = values[0][0]
    match op:
        case v.ADD:
            return first + values[1][0] == result
        case v.MUL:
            return first * values[1][0] == result
        case v.MAD | v.DOT:
            lanes = values if op == v.DOT else [[first, values[2][0]], [values[1][0], Fraction(1)]]
            products = [x * y for x, y in zip(lanes[0], lanes[1], strict=True)]
            sums = [sum(products[:n], Fraction(0)) for n in range(1, len(products) + 1)]
            # Sums of pairs, as some hardware adds, are between those.
            every = [*products, *sums, sum(products[2:], Fraction(0))]
            return sums[-1] == result and all(fits(float(x)) and Fraction(float(x)) == x for x in every)
        case v.RCP:
            return result * first == 1
        case v.RSQ:
            return result * result * first == 1
        case v.EXP2:
            return first.denominator == 1 and abs(first) < _LARGEST_POWER and result == Fraction(2) ** int(first)
        case v.LOG2:
            return result.denominator == 1 and abs(result) < _LARGEST_POWER and first == Fraction(2) ** int(result)
        case _:
            return True
