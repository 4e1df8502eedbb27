"""Binary floating point of any width on exact integers, by the rules that a profile chooses: the definition of the words.

A number is computed exactly and rounded once, by `_round`. `sem.numerics` has the two formats that programs are run in. A value is a
word of the format, a truth value a bool, an integer an int without bounds. Values in registers are canonical: what the profile
says does not exist, -0 or more than one NaN, is in none of them; `canonical` makes words from outside so, every word keeps them so.
"""

from __future__ import annotations

import operator
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.numbers import transcendental
from lanewise.pica200.sem.algebra import GE, GT, LE, LT, NE, dot_in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.profile import Profile

_INTEGER_MAX = 0x7FFFFFFF
ORDERED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)  # by comparison number
_GUARD = 8  # binary places beyond the mantissa that quotients and roots are computed to, before the sticky one


class Format(NamedTuple):
    """A sign, then the exponent with a bias, then the mantissa without its leading 1. `made_nan` is what inf - inf gives."""

    name: str
    exponent_bits: int
    mantissa_bits: int
    one_nan: int
    made_nan: int


class Binary:
    """The algebra over one format."""

    def __init__(self, form: Format, profile: Profile, *, nearest: bool, largest_on_overflow: bool) -> None:
        """Rounds to nearest, ties to even, or toward zero; overflow gives infinity or the largest number."""
        self.profile = profile
        self.format = form
        self._mantissa_bits = form.mantissa_bits
        self._exponent_max = (1 << form.exponent_bits) - 1
        self._bias = self._exponent_max >> 1
        self._hidden = 1 << form.mantissa_bits
        self._fraction = self._hidden - 1
        self._infinity = self._exponent_max << form.mantissa_bits
        self._sign = 1 << (form.exponent_bits + form.mantissa_bits)
        self._magnitude = self._sign - 1
        self._one = self._bias << form.mantissa_bits
        self._lowest = 1 - self._bias - form.mantissa_bits  # the power of two of a subnormal's last place
        self._nearest = nearest
        self._overflow = self._infinity - 1 if largest_on_overflow else self._infinity
        self._flushes = profile.subnormal_arithmetic == "flush"
        self._signed = profile.negative_zero == "ieee"
        self._one_nan = profile.nan_pattern == "one"
        # Negation changes every word but these, and NaN where there is one NaN.
        self._unsigned = frozenset([*([] if self._signed else [0]), *([form.one_nan] if self._one_nan else [])])
        self._infinite_second = profile.max_zero_neg_inf == "-inf"
        self._ne_of_nan = profile.compare_nan == "ne"

    # Words from outside

    def canonical(self, word: int) -> int:
        """A word of the format as a register holds it. Raises ValueError for one of more bits."""
        if word < 0 or word > self._sign | self._magnitude:
            raise ValueError(f"{word:#x} is not a {self.format.name} word")
        if self._is_nan(word):
            return self.format.one_nan if self._one_nan else word
        return self._zero(True) if word == self._sign else word

    def constant(self, value: float) -> int:
        numerator, denominator = value.as_integer_ratio()
        word = self._round(numerator < 0, abs(numerator), 1 - denominator.bit_length())
        mantissa, power = self._unpack(word, flush=False)
        if self._is_special(word) or mantissa * 2.0**power != abs(value):
            raise ValueError(f"{value!r} is not a {self.format.name}")
        return word

    def convert(self, word: int, source: Binary) -> int:
        """A word of another format, rounded to this one. A NaN keeps the upper bits of its mantissa."""
        negative = bool(word & source._sign)
        if source._is_nan(word):
            shift = self._mantissa_bits - source._mantissa_bits
            mantissa = word & source._fraction
            mantissa = mantissa << shift if shift >= 0 else mantissa >> -shift
            kept = self._infinity | (mantissa or self._hidden >> 1)
            return self.canonical(kept | (self._sign if negative else 0))
        if word & source._magnitude == source._infinity:
            return self._infinity | (self._sign if negative else 0)
        mantissa, power = source._unpack(word, flush=False)
        return self._round(negative, mantissa, power)

    # Parts of words

    def _is_nan(self, word: int) -> bool:
        return word & self._magnitude > self._infinity

    def _is_special(self, word: int) -> bool:
        return word & self._infinity == self._infinity

    def _nan(self, *operands: int) -> int:
        """The NaN that an operation on these gives."""
        if self._one_nan:
            return self.format.one_nan
        return next((word | self._hidden >> 1 for word in operands if self._is_nan(word)), self.format.made_nan)

    def _zero(self, negative: bool | int) -> int:
        return self._sign if negative and self._signed else 0

    def _unpack(self, word: int, *, flush: bool) -> tuple[int, int]:
        """(mantissa, power of two) of a finite word's magnitude."""
        exponent = word >> self._mantissa_bits & self._exponent_max
        if exponent:
            return word & self._fraction | self._hidden, exponent - self._bias - self._mantissa_bits
        return 0 if flush else word & self._fraction, self._lowest

    def _operand(self, word: int) -> tuple[int, int]:
        """(mantissa with its sign, power of two) of a finite word as arithmetic takes it."""
        mantissa, power = self._unpack(word, flush=self._flushes)
        return -mantissa if word & self._sign else mantissa, power

    def _round(self, negative: bool | int, mantissa: int, power: int) -> int:
        """`mantissa * 2**power` with a sign as arithmetic writes it: rounded once; what is flushed is so before it is rounded.

        A caller that knows no more than some leading digits, two more than the format has, gives them with a last 1 behind.
        """
        top = power + mantissa.bit_length() - 1
        if not mantissa or (self._flushes and top <= -self._bias):
            return self._zero(negative)
        place = max(top - self._mantissa_bits, self._lowest)
        drop = place - power
        if drop <= 0:
            cut = mantissa << -drop
        else:
            cut = mantissa >> drop
            rest, half = mantissa - (cut << drop), 1 << (drop - 1)
            if self._nearest and (rest > half or (rest == half and cut & 1)):
                cut += 1
        if not cut:
            return self._zero(negative)
        # The hidden bit, where there is one, adds 1 to the exponent; so does a carry out of the mantissa.
        size = (place - self._lowest << self._mantissa_bits) + cut
        return (self._sign if negative else 0) | (size if size < self._infinity else self._overflow)

    # Arithmetic

    def negate(self, a: int) -> int:
        return a if a in self._unsigned else a ^ self._sign

    def flush(self, a: int) -> int:
        return a if a & self._infinity else self._zero(a & self._sign)

    def add(self, a: int, b: int) -> int:
        if self._is_special(a) or self._is_special(b):
            if self._is_nan(a) or self._is_nan(b) or (a ^ b == self._sign):
                return self._nan(a, b)
            return a if self._is_special(a) else b
        return self._exact_sum((self._operand(a), self._operand(b)), a & b & self._sign)

    def _exact_sum(self, terms: Sequence[tuple[int, int]], zero_is_negative: bool | int) -> int:
        """The sum of mantissas with signs and powers of two, rounded once."""
        low = min(power for _, power in terms)
        total = sum(mantissa << (power - low) for mantissa, power in terms)
        return self._round(total < 0, abs(total), low) if total else self._zero(zero_is_negative)

    def mul(self, a: int, b: int) -> int:
        negative = (a ^ b) & self._sign
        if self._is_special(a) or self._is_special(b):
            if self._is_nan(a) or self._is_nan(b):
                return self._nan(a, b)
            zero = not (self._is_special(a) or self._operand(a)[0]) or not (self._is_special(b) or self._operand(b)[0])
            return 0 if zero else negative | self._infinity  # 0 * inf = 0 (3dbrew, fp-tests 20, 21)
        (x, p), (y, q) = self._operand(a), self._operand(b)
        return self._round(negative, abs(x * y), p + q)

    def mad(self, a: int, b: int, c: int) -> int:
        if self.profile.mad_rounding == "once":
            return self._dot_once((a, c), (b, self._one))
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        order = self.profile.dot_order
        return self._dot_once(a, b) if order == "once" else dot_in_order(self, order, a, b)

    def _dot_once(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The exact sum of the exact products, rounded once; with infinities and NaN, as from the left."""
        if any(map(self._is_special, (*a, *b))):
            return dot_in_order(self, "left", a, b)
        terms: list[tuple[int, int]] = []
        for x, y in zip(a, b, strict=True):
            (mantissa, power), (other, more) = self._operand(x), self._operand(y)
            terms.append((mantissa * other, power + more))
        return self._exact_sum(terms, all((x ^ y) & self._sign for x, y in zip(a, b, strict=True)))

    def max(self, a: int, b: int) -> int:
        if self._infinite_second and b & self._magnitude == self._infinity:
            return b
        return a if self.compare(GT, a, b) else b

    def min(self, a: int, b: int) -> int:
        return a if self.compare(LT, a, b) else b

    def at_least(self, a: int, low: int) -> int:
        through = self.profile.litp_nan == "through" and self._is_nan(a)
        return a if through or self.compare(GT, a, low) else low

    def at_most(self, a: int, high: int) -> int:
        through = self.profile.litp_nan == "through" and self._is_nan(a)
        return a if through or self.compare(LT, a, high) else high

    def floor(self, a: int) -> int:
        exponent = a >> self._mantissa_bits & self._exponent_max
        if not a & self._magnitude or exponent == self._exponent_max:
            return self._nan(a) if self._is_nan(a) else a
        if not exponent and self.profile.subnormal_floor == "flush":
            return self._zero(a & self._sign)
        mantissa, power = self._unpack(a, flush=False)
        if power >= 0:
            return a
        value = (-mantissa if a & self._sign else mantissa) >> -power
        return self._round(value < 0, abs(value), 0)

    # Functions of one number

    def rcp(self, a: int) -> int:
        if self._is_special(a):
            return self._nan(a) if self._is_nan(a) else self._zero(a & self._sign)
        mantissa, power = self._unpack(a, flush=self._flushes)
        if not mantissa:
            return self._reciprocal_of_zero(a)
        places = 2 * self._mantissa_bits + _GUARD
        quotient, rest = divmod(1 << places, mantissa)
        return self._round(a & self._sign, quotient << 1 | bool(rest), -power - places - 1)

    def _reciprocal_of_zero(self, a: int) -> int:
        signed = self._signed and self.profile.zero_reciprocal == "signed"
        return self._infinity | (a & self._sign if signed else 0)

    def _root(self, a: int, *, reciprocal: bool) -> int:
        """The square root of a positive number, or 1 divided by it."""
        mantissa, power = self._unpack(a, flush=self._flushes)
        if power & 1:
            mantissa, power = mantissa << 1, power - 1
        places = self._mantissa_bits + _GUARD
        if reciprocal:
            # An even number of places that leaves enough digits even of the largest mantissa.
            places += self._mantissa_bits // 2 + 2
            root = isqrt((1 << 2 * places) // mantissa)
            return self._round(0, root << 1 | (root * root * mantissa != 1 << 2 * places), -(power >> 1) - places - 1)
        root = isqrt(mantissa << 2 * places)
        return self._round(0, root << 1 | (root * root != mantissa << 2 * places), (power >> 1) - places - 1)

    def rsq(self, a: int) -> int:
        if self._is_nan(a):
            return self._nan(a)
        if not self._is_special(a) and not self._unpack(a, flush=self._flushes)[0]:
            return self._reciprocal_of_zero(a)
        if a & self._sign:
            return self._nan()
        if self._is_special(a):
            return 0
        if self.profile.precision == "float32":
            return self.rcp(self._root(a, reciprocal=False))
        return self._root(a, reciprocal=True)

    def exp2(self, a: int) -> int:
        if self._is_nan(a):
            return self._nan(a)
        exponent = a >> self._mantissa_bits & self._exponent_max
        mantissa, _ = self._unpack(a, flush=self._flushes)
        if not mantissa:
            return self._one
        wanted = self._mantissa_bits + 2
        if exponent < self._bias - wanted:
            # So near 1 that the value lies between 1 and a quarter of a step beside it.
            near = 1 << wanted + 1
            return self._round(0, near - 1 if a & self._sign else near + 1, -wanted - 1)
        if exponent > self._bias + self.format.exponent_bits - 1:
            if self._is_special(a):
                return 0 if a & self._sign else self._infinity
            return self._round(0, 1, -4 * self._bias if a & self._sign else 2 * self._bias)
        places = wanted + self._mantissa_bits
        fixed = mantissa << (exponent - self._bias + wanted)
        whole, fraction = fixed >> places, fixed & ((1 << places) - 1)
        digits, power = transcendental.exp2(fraction, places, bool(a & self._sign), wanted)
        return self._round(0, digits, power - whole if a & self._sign else power + whole)

    def log2(self, a: int) -> int:
        if self._is_nan(a):
            return self._nan(a)
        if not self._is_special(a):
            mantissa, power = self._unpack(a, flush=self._flushes)
            if not mantissa:
                return self._sign | self._infinity
        if a & self._sign:
            return self._nan()
        if self._is_special(a):
            return a
        mantissa, power = self._unpack(a, flush=self._flushes)
        shift = self._mantissa_bits + 1 - mantissa.bit_length()  # of a subnormal
        whole = power - shift + self._mantissa_bits
        return self._round(*transcendental.log2(whole, mantissa << shift, self._mantissa_bits, self._mantissa_bits + 2))

    # Comparisons

    def compare(self, op: int, a: int, b: int) -> bool:
        if op > GE:
            return True
        if self._is_nan(a) or self._is_nan(b):
            return op == NE and self._ne_of_nan
        sign = self._sign
        return ORDERED[op](a if a < sign else sign - a, b if b < sign else sign - b)

    def not_negative(self, a: int) -> bool:
        return not a & self._sign if self.profile.litp_flags == "sign" else self.compare(LE, 0, a)

    def select(self, condition: bool, a: int, b: int) -> int:
        return a if condition else b

    def boolean(self, value: bool) -> bool:
        return value

    def invert(self, a: bool) -> bool:
        return not a

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    def either(self, a: bool, b: bool) -> bool:
        return a or b

    # Integers

    def to_integer(self, a: int) -> int:
        if self._is_nan(a):
            return 0
        negative = a & self._sign
        if self._is_special(a):
            value = -_INTEGER_MAX - 1 if negative else _INTEGER_MAX
        else:
            mantissa, power = self._unpack(a, flush=False)
            value = _whole(-mantissa if negative else mantissa, power, self.profile.mova_fraction)
            value = max(-_INTEGER_MAX - 1, min(value, _INTEGER_MAX))
        return (value + 128 & 255) - 128 if self.profile.mova_range == "byte" else value

    def integer(self, value: int) -> int:
        return value

    def integer_add(self, a: int, b: int) -> int:
        return a + b

    def integer_and(self, a: int, mask: int) -> int:
        return a & mask

    def integer_within(self, a: int, low: int, high: int) -> bool:
        return low <= a <= high

    def integer_select(self, condition: bool, a: int, b: int) -> int:
        return a if condition else b

    def look_up(self, rows: Sequence[Vector[int]], index: int) -> Vector[int]:
        return rows[index]


def _whole(mantissa: int, power: int, how: str) -> int:
    """The integer for `mantissa * 2**power`: `zero` cuts toward 0, `floor` goes down, `nearest` takes the even one of two."""
    if power >= 0:
        return mantissa << power
    below = mantissa >> -power
    rest, one = mantissa - (below << -power), 1 << -power
    if how == "floor":
        up = False
    elif how == "nearest":
        up = 2 * rest > one or (2 * rest == one and bool(below & 1))
    else:
        up = mantissa < 0 and rest > 0
    return below + up
