"""Binary floating point of any width on exact integers: the definition of the operations.

A number is computed exactly and rounded once, by `_round`. `Format` has the bit layout, `Rules` the treatment of subnormals,
zeros, NaN and the last place; an ISA adds its own operations in a subclass. A value is a word of the format, a truth value a
bool. Values in registers are canonical: they never have patterns that the rules exclude, -0 or more than one NaN; `canonical`
converts words from outside, and every operation returns canonical words.
"""

from __future__ import annotations

from _operator import eq, ge, gt, le, lt, ne  # `operator` takes half a millisecond of a start
from math import isqrt

from lanewise.core.numbers import transcendental
from lanewise.core.record import TYPE_CHECKING, Record, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

V = TypeVar("V")

EQ, NE, LT, LE, GT, GE = range(6)  # comparison numbers, as `compare` takes them
ORDERED = (eq, ne, lt, le, gt, ge)  # by comparison number
_GUARD = 8  # binary places beyond the mantissa that quotients and roots are computed to, before the sticky one


class Format(Record):
    """A binary format: a sign, then the exponent with a bias, then the mantissa without its leading 1."""

    name: str
    "Name in messages, such as `float24`."
    exponent_bits: int
    "Width of the exponent."
    mantissa_bits: int
    "Width of the mantissa, without the leading 1."
    one_nan: int
    "Pattern of the only NaN under `Rules.one_nan`."
    default_nan: int
    "Pattern of inf - inf."


class Rules(Record):
    """Number rules of a device, apart from the format.

    The defaults are those of IEEE 754, to nearest with ties to even.
    """

    nearest: bool = True
    "Rounds to nearest, ties to even; otherwise toward zero."
    largest_on_overflow: bool = False
    "Overflow gives the largest number; otherwise infinity."
    flushes: bool = False
    "Arithmetic takes subnormal operands as zeros and gives zeros for subnormal results."
    flushes_in_floor: bool = False
    "floor flushes subnormal numbers too."
    signed_zero: bool = True
    "There is a -0."
    one_nan: bool = False
    "Every NaN is `Format.one_nan`; otherwise the first NaN operand is passed on."
    zero_times_infinity: bool = False
    "0 * infinity is 0; otherwise NaN."
    signed_reciprocal: bool = True
    "1 / -0 and 1 / sqrt(-0) are -infinity, where there is a -0."
    rsq_by_division: bool = False
    "1 / sqrt(a) is the reciprocal of the rounded root; otherwise it is rounded once."
    mad_once: bool = False
    "a * b + c is rounded once."
    dot_order: str = "left"
    "An order of `dot_in_order`, or `once`: rounded once."
    max_takes_infinity: bool = False
    "max(a, b) is b where b is an infinity of either sign."
    unordered_ne: bool = True
    "A NaN is not equal to anything; otherwise every comparison with NaN is false."


if TYPE_CHECKING:

    class Arithmetic(Protocol[V]):
        """The operations that `dot_in_order` needs."""

        def constant(self, value: float) -> V: ...
        def add(self, a: V, b: V) -> V: ...
        def mul(self, a: V, b: V) -> V: ...


def dot_in_order(m: Arithmetic[V], order: str, a: Sequence[V], b: Sequence[V]) -> V:
    """The sum of three or four products, each step rounded.

    `order` is `left`, `from-zero` or `pairs`.
    """
    products = [m.mul(x, y) for x, y in zip(a, b, strict=True)]
    if order == "pairs":
        if len(products) == 4:
            return m.add(m.add(products[0], products[1]), m.add(products[2], products[3]))
    elif order not in ("left", "from-zero"):
        raise ValueError(f"unknown order of a dot product: {order!r}")
    total = m.add(m.constant(0.0), products[0]) if order == "from-zero" else products[0]
    for product in products[1:]:
        total = m.add(total, product)
    return total


class Binary:
    """The operations over one format."""

    def __init__(self, form: Format, rules: Rules) -> None:
        self.rules = rules
        self.format = form
        self._mantissa_bits = form.mantissa_bits
        self._exponent_max = (1 << form.exponent_bits) - 1
        self._bias = self._exponent_max >> 1
        self._hidden = 1 << form.mantissa_bits
        self._fraction = self._hidden - 1
        self._infinity = self._exponent_max << form.mantissa_bits
        self._sign = 1 << (form.exponent_bits + form.mantissa_bits)
        self._negative_infinity = self._sign | self._infinity
        self._magnitude = self._sign - 1
        self._one = self._bias << form.mantissa_bits
        self._lowest = 1 - self._bias - form.mantissa_bits  # the power of two of a subnormal's last place
        self._nearest = rules.nearest
        self._overflow = self._infinity - 1 if rules.largest_on_overflow else self._infinity
        self._flushes = rules.flushes
        self._signed = rules.signed_zero
        self._one_nan = rules.one_nan
        # Negation changes every word but these, and NaN where there is one NaN.
        self._unsigned = frozenset([*([] if self._signed else [0]), *([form.one_nan] if self._one_nan else [])])
        self._infinite_second = rules.max_takes_infinity
        self._ne_of_nan = rules.unordered_ne
        self._constants: dict[float, int] = {}  # the few that meanings have

    # Words from outside

    def canonical(self, word: int) -> int:
        """A word of the format as a register holds it. Raises ValueError for one of more bits."""
        if 0 <= word <= self._infinity or self._sign < word <= self._negative_infinity:
            return word
        if word < 0 or word > self._sign | self._magnitude:
            raise ValueError(f"{word:#x} is not a {self.format.name} word")
        if self._is_nan(word):
            return self.format.one_nan if self._one_nan else word
        return self._zero(True) if word == self._sign else word

    def constant(self, value: float) -> int:
        word = self._constants.get(value)
        if word is None:
            word = self._constants[value] = self._constant(value)
        return word

    def _constant(self, value: float) -> int:
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
        return next((word | self._hidden >> 1 for word in operands if self._is_nan(word)), self.format.default_nan)

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
        """`mantissa * 2**power` with a sign as a result: rounded once; flushing comes before rounding.

        A caller that knows only some leading digits, two more than the format has, gives them followed by a 1.
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
        (x, p), (y, q) = self._operand(a), self._operand(b)  # as _exact_sum, in two thirds of the time
        total, low = (x + (y << q - p), p) if p <= q else ((x << p - q) + y, q)
        return self._round(total < 0, abs(total), low) if total else self._zero(a & b & self._sign)

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
            if zero:
                return 0 if self.rules.zero_times_infinity else self._nan()
            return negative | self._infinity
        (x, p), (y, q) = self._operand(a), self._operand(b)
        return self._round(negative, abs(x * y), p + q)

    def mad(self, a: int, b: int, c: int) -> int:
        if self.rules.mad_once:
            return self._dot_once((a, c), (b, self._one))
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        order = self.rules.dot_order
        return self._dot_once(a, b) if order == "once" else dot_in_order(self, order, a, b)

    def _dot_once(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The exact sum of the exact products, rounded once. Infinities and NaN decide it from the left; beside them no product
        of numbers is too large."""
        terms: list[tuple[int, int]] = []
        special: int | None = None
        negative = True
        for x, y in zip(a, b, strict=True):
            if self._is_special(x) or self._is_special(y):
                product = self.mul(x, y)
                if self._is_special(product):
                    special = product if special is None else self.add(special, product)
                negative &= bool(product & self._sign)
                terms.append((0, 0))
            else:
                (mantissa, power), (other, more) = self._operand(x), self._operand(y)
                terms.append((mantissa * other, power + more))
                negative &= bool((x ^ y) & self._sign)
        return self._exact_sum(terms, negative) if special is None else special

    def max(self, a: int, b: int) -> int:
        if self._infinite_second and b & self._magnitude == self._infinity:
            return b
        return a if self.compare(GT, a, b) else b

    def min(self, a: int, b: int) -> int:
        return a if self.compare(LT, a, b) else b

    def floor(self, a: int) -> int:
        exponent = a >> self._mantissa_bits & self._exponent_max
        if not a & self._magnitude or exponent == self._exponent_max:
            return self._nan(a) if self._is_nan(a) else a
        if not exponent and self.rules.flushes_in_floor:
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
        signed = self._signed and self.rules.signed_reciprocal
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
        if self.rules.rsq_by_division:
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
            # So near 1 that the value is between 1 and a quarter of a step next to it.
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
        """`a op b` for a comparison number."""
        if self._is_nan(a) or self._is_nan(b):
            return op == NE and self._ne_of_nan
        sign = self._sign
        return ORDERED[op](a if a < sign else sign - a, b if b < sign else sign - b)
