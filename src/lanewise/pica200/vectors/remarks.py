"""Habits of implementations of single instructions, by the numbers that they give in place of the expected ones."""

from __future__ import annotations

from math import copysign, isclose, isfinite, isnan, log, log2, trunc
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float32_bits, float_from_bits, float_from_float24
from lanewise.pica200.vectors.misreadings import FAST

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.vectors.model import Job

_SIGNS = 1 << 4 | 1 << 13 | 1 << 22  # of the operands, in a descriptor
_WIDE = 32  # bits of a number
_LEAST = 2.0**-126  # of normal float32
_ESTIMATE = 1e-2  # relative; tables and `rcpps` are nearer


def _sign_of_zero(expected: float, found: float) -> bool:
    return expected == found == 0 and copysign(1, expected) != copysign(1, found)


def _estimated(expected: float, found: float) -> bool:
    return isfinite(expected) and isfinite(found) and expected != found and isclose(expected, found, rel_tol=_ESTIMATE)


def _chosen(expected: float, found: float) -> bool:
    return isnan(expected) != isnan(found) or _sign_of_zero(expected, found)


# By instructions, whether the numbers are those of a habit, and what is to be done.
_OF_OPERATIONS: tuple[tuple[tuple[str, ...], Callable[[float, float], bool], str], ...] = (
    (("max",), _chosen, "max is a > b ? a : b, of which NaN and zeros give b: fmax and std::max choose otherwise"),
    (("min",), _chosen, "min is a < b ? a : b, of which NaN and zeros give b: fmin and std::min choose otherwise"),
    (
        ("mul", "mad", "dp3", "dp4", "dph", "dst"),
        lambda expected, found: isnan(found) and not isnan(expected),
        "0 times infinity is 0: x * y gives NaN there",
    ),
    (
        ("flr",),
        lambda expected, found: isfinite(expected) and isfinite(found) and expected < found <= expected + 1,
        "flr is floor: a conversion to an integer cuts towards 0",
    ),
    (
        ("lg2",),
        lambda expected, found: isfinite(found) and expected != 0 and isclose(found, expected * log(2), rel_tol=1e-3),
        "lg2 is the logarithm to base 2: log2, not log",
    ),
    (
        ("ex2",),
        lambda expected, found: (
            0 < expected < 1e30 and 0 < found < 1e30 and expected != 1 and isclose(log(found), log2(expected), rel_tol=1e-3)
        ),
        "ex2 is 2 to the power: exp2, not exp",
    ),
    (
        ("sge", "slt"),
        lambda expected, found: expected in (0, 1) and (isnan(found) or found == -1 or 0 < found < 1e-40),
        "sge and slt give 1.0 or 0.0, not an integer and not a mask of bits",
    ),
    (
        ("rcp", "rsq", "ex2", "lg2"),
        _estimated,
        "the result is an estimate, such as _mm_rcp_ss gives: divide, or compare this instruction alone with --ulp, and "
        "the others with --without",
    ),
)


def remark(job: Job, step: str, expected: int, found: int, bits: int) -> str:
    """The habit that gives a word in place of the expected one in a step that is wrong alone; empty for none."""
    number = float_from_bits if bits == _WIDE else float_from_float24
    if bits == _WIDE and expected not in (0, found):
        if found == float32_bits(expected):
            return "the word is taken for an integer and converted: copy its bits, memcpy or std::bit_cast"
        if found == int.from_bytes(expected.to_bytes(4, "little"), "big"):
            return "the bytes of the word are in reverse order: words are little-endian"
    one, other = number(expected), number(found)
    if bits == _WIDE and isfinite(one) and abs(one) >= 1 and found == trunc(one) & 0xFFFFFFFF:
        return "the number is converted to an integer: copy its bits, memcpy or std::bit_cast"
    if 0 < abs(one) < _LEAST and other == 0:
        return FAST
    operation = step.replace(",", " ").partition(" ")[0]
    for operations, holds, text in _OF_OPERATIONS:
        if operation in operations and holds(one, other):
            return text
    if _sign_of_zero(one, other) and any(word & _SIGNS for word in job.descriptors):
        return "a negated 0 is -0: negate by -x or by the highest bit, as 0 - x loses the sign"
    return ""


__all__ = ["remark"]
