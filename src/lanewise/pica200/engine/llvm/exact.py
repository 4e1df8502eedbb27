"""Number rules that leave nothing out: infinities, NaN, subnormals, zeros with and without signs."""

from __future__ import annotations

import struct
from abc import abstractmethod
from typing import TYPE_CHECKING

from lanewise.llvm import functions
from lanewise.llvm.functions import CUT, WITHOUT_MANTISSA
from lanewise.pica200.engine.llvm.rules import (
    DOWN,
    INFINITY,
    LARGEST,
    MAGNITUDE,
    NAN,
    QUIET,
    SIGN,
    SMALLEST,
    UP,
    Rule,
    Value,
    Watch,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name, Text
    from lanewise.pica200.sem.profile import Profile


class Exact(Rule):
    """Exact rules, for all numbers including special ones; nothing is flagged.

    Where the profile has one NaN, or zeros without signs, a value may be any NaN and a zero may have a sign until that can be
    observed. `Value.flushed`: the value is not subnormal.
    """

    one_nan: bool

    exact = True

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        super().__init__(text, profile, target, watch)
        self.one_nan = profile.nan_pattern == "one"

    def const(self, word: int) -> Value:
        bits = self.bits_of_word(word)
        number = Value(self.text.new(f"bitcast {self.text.i32} {self.text.integer(bits)} to {self.text.f32}"))
        number.flushed = not 0 < bits & MAGNITUDE < _float32_bits(SMALLEST)
        return number

    @abstractmethod
    def bits_of_word(self, word: int) -> int:
        """The float32 bits of a word of the profile's format."""

    def entering(self, name: Name, bound: float) -> Value:
        return Value(name)

    def operand(self, a: Value) -> Name:
        """The number as arithmetic sees it."""
        return a.plain

    # Bits

    def size(self, a: Name) -> Name:
        return self.text.iand(self.text.bits(a), self.text.integer(MAGNITUDE))

    def is_nan(self, a: Name) -> Name:
        return self.text.fcmp("uno", a, self.text.number(0.0))

    def is_infinite(self, a: Name) -> Name:
        return self.text.icmp("eq", self.size(a), self.text.integer(INFINITY))

    def literal(self, bits: int) -> Name:
        return self.text.number_of(self.text.integer(bits))

    @abstractmethod
    def default_nan(self) -> Name:
        """The NaN of an operation on numbers."""

    def with_nan(self, found: Name, *operands: Name, invalid: bool = False) -> Name:
        """`found`, or the NaN that an operation on these gives. `invalid`: also where `found` is a NaN though none of them
        is."""
        text = self.text
        if self.one_nan and not invalid:
            nan = self.is_nan(operands[0])
            for operand in operands[1:]:
                nan = text.either(nan, self.is_nan(operand))
            return text.select(nan, self.literal(NAN), found)
        if invalid:
            found = text.select(self.is_nan(found), self.default_nan(), found)
        for operand in reversed(operands):
            quiet = text.number_of(text.ior(text.bits(operand), text.integer(QUIET)))
            found = text.select(self.is_nan(operand), quiet, found)
        return found

    def zero_like(self, a: Name) -> Name:
        """Zero, with the sign of a number if zeros have signs."""
        return self.text.masked(a, SIGN) if self.signed else self.text.number(0.0)

    def seen(self, a: Name) -> Name:
        """The canonical bit pattern of a number."""
        text = self.text
        number = self.canonical_zero(a)
        if self.one_nan:
            return text.select(self.is_nan(number), self.literal(NAN), number)
        return number if self.signed else text.select(self.is_nan(a), a, number)

    # Words

    def max(self, a: Value, b: Value) -> Value:
        found = self._pick("ogt", a, b)
        if self.profile.max_zero_neg_inf == "-inf":
            found = self._picked(self.is_infinite(b.plain), b, found)
        return found

    def select(self, condition: Name, a: Value, b: Value) -> Value:
        return self._picked(condition, a, b)

    def _picked(self, condition: Name, a: Value, b: Value) -> Value:
        found = Value(self.text.select(condition, a.plain, b.plain))
        found.flushed = a.flushed and b.flushed
        return found

    def negate(self, a: Value) -> Value:
        text = self.text
        found = Value(text.fneg(a.plain))
        if not self.signed and not self.one_nan:
            # The sign of a NaN counts, that of a zero does not.
            found = Value(text.select(text.fcmp("oeq", a.plain, text.number(0.0)), text.number(0.0), found.plain))
        if self.signed and self.one_nan:
            found = Value(text.select(self.is_nan(a.plain), a.plain, found.plain))
        found.flushed = a.flushed
        return found

    def not_negative(self, a: Value) -> Name:
        text = self.text
        if self.profile.litp_flags == "sign":
            return text.icmp("sge", text.bits(self.seen(a.plain)), text.integer(0))
        return text.fcmp("oge", a.plain, text.number(0.0))

    def done(self, name: Name) -> Value:
        """A result of arithmetic."""
        found = Value(name)
        found.flushed = True
        return found

    def add(self, a: Value, b: Value) -> Value:
        x, y = self.operand(a), self.operand(b)
        return self.done(self.sum_nan(x, y, self.rounded_sum(x, y)))

    def sum_nan(self, a: Name, b: Name, found: Name) -> Name:
        return found if self.one_nan else self.with_nan(found, a, b, invalid=True)

    def mul(self, a: Value, b: Value) -> Value:
        text = self.text
        x, y = self.operand(a), self.operand(b)
        found = self.rounded_product(x, y)
        # 0 * inf = 0: a NaN of no NaN.
        if self.one_nan and self.target.embedded_rounding:
            found = text.select(text.fcmp("uno", x, y), self.literal(NAN), self.target.without_nan(text, found))
            return self.done(found)
        invalid = text.both(self.is_nan(found), text.fcmp("ord", x, y))
        found = text.select(invalid, text.number(0.0), found)
        return self.done(found if self.one_nan else self.with_nan(found, x, y))

    @abstractmethod
    def rounded_sum(self, a: Name, b: Name) -> Name:
        """The rounded sum; for infinities and NaN the processor's result."""

    @abstractmethod
    def rounded_product(self, a: Name, b: Name) -> Name: ...

    def floor(self, a: Value) -> Value:
        text, x = self.text, self._floor_operand(a)
        down = text.unary("floor", x)
        return self.done(down if self.one_nan else self.with_nan(down, a.plain))

    def _floor_operand(self, a: Value) -> Name:
        return a.plain

    def _reciprocal_of_zero(self, a: Name) -> Name:
        if not (self.signed and self.profile.zero_reciprocal == "signed"):
            return self.literal(INFINITY)
        text = self.text
        return text.number_of(text.ior(text.iand(text.bits(a), text.integer(SIGN)), text.integer(INFINITY)))

    def rcp(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        found = text.select(self.is_infinite(x), self.zero_like(x), self.reciprocal(x))
        found = text.select(text.fcmp("oeq", x, text.number(0.0)), self._reciprocal_of_zero(a.plain), found)
        return self.done(self.with_nan(found, x))

    @abstractmethod
    def reciprocal(self, a: Name) -> Name: ...

    def rsq(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        found = text.select(self.is_infinite(x), text.number(0.0), self.reciprocal_root(x))
        found = text.select(text.icmp("slt", text.bits(x), text.integer(0)), self.default_nan(), found)
        found = text.select(text.fcmp("oeq", x, text.number(0.0)), self._reciprocal_of_zero(a.plain), found)
        return self.done(self.with_nan(found, x))

    @abstractmethod
    def reciprocal_root(self, a: Name) -> Name: ...

    def exp2(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        high = text.select(text.fcmp("ogt", x, text.number(0.0)), self.literal(INFINITY), text.number(0.0))
        found = text.select(self.is_infinite(x), high, self.power(x))
        return self.done(self.with_nan(found, x))

    @abstractmethod
    def power(self, a: Name) -> Name: ...

    def log2(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        found = text.select(self.is_infinite(x), x, self.logarithm(x))
        found = text.select(text.icmp("slt", text.bits(x), text.integer(0)), self.default_nan(), found)
        found = text.select(text.fcmp("oeq", x, text.number(0.0)), self.literal(SIGN | INFINITY), found)
        return self.done(self.with_nan(found, x))

    @abstractmethod
    def logarithm(self, a: Name) -> Name: ...

    def store(self, value: Value) -> Name:
        return self.seen(value.plain)


class ExactFloat24(Exact):
    """float24 with infinities, NaN and subnormals, in either rounding.

    With AVX-512 the processor rounds to nearest and flushes float32 subnormals, which float24 numbers never are, and
    instructions that cut have the rounding mode embedded. Scaling by 2**-64 and back then flushes.
    """

    nearest: bool
    embedded: bool
    cuts: bool

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        super().__init__(text, profile, target, watch)
        self.nearest = profile.rounding == "nearest"
        self.embedded = target.embedded_rounding
        self.cuts = not self.nearest and not self.embedded and target.sets_rounding
        self.masks: tuple[int, ...] = (CUT, WITHOUT_MANTISSA)
        self.mode = "nearest-flush" if self.embedded else "zero" if self.cuts else "nearest"

    def bits_of_word(self, word: int) -> int:
        return _bits_of_float24(word)

    def default_nan(self) -> Name:
        return self.literal(NAN)

    def uniform(self, load: Callable[[str], Name], *, clear: bool) -> Value:
        """Arithmetic takes it from the table without subnormals."""
        found = Value("", make_plain=lambda: load("exact"))
        found.make_operand = lambda: load("flushed")
        return found

    def load(self, raw: Name, *, seen: bool) -> Value:
        """Cut to 17 bits, subnormals to their last place; from 2**64 on it is infinite."""
        text = self.text
        size = self.size(raw)
        # 2**-63 has its last place at 2**-78; each power of two below loses one bit more.
        lost = text.isub(text.integer(127 - 62 + 7), text.shift_right(size, 23))
        lost = text.call(text.i32, f"llvm.smax.v{text.width}i32", (text.i32, lost), (text.i32, text.integer(7)))
        gone = text.icmp("ugt", lost, text.integer(23))
        places = text.umin(lost, text.integer(23))
        mask = text.new(f"shl {text.i32} {text.integer(-1)}, {places}")
        kept = text.iselect(gone, text.integer(0), text.iand(size, mask))
        kept = text.iselect(text.icmp("uge", size, text.integer(_float32_bits(LARGEST))), text.integer(INFINITY), kept)
        number = text.number_of(text.ior(kept, text.iand(text.bits(raw), text.integer(SIGN))))
        nan = self.literal(NAN) if self.one_nan else raw
        return Value(text.select(self.is_nan(raw), nan, number if self.one_nan else self.canonical_zero(number)))

    def operand(self, a: Value) -> Name:
        if a.flushed:
            return a.plain
        if not a.operand_name:
            a.operand_name = a.make_operand() if a.make_operand is not None else self._flushed(a.plain)
        return a.operand_name

    def _flushed(self, a: Name) -> Name:
        text = self.text
        if self.embedded:
            return text.fmul(text.fmul(a, text.number(DOWN)), text.number(UP))
        tiny = text.fcmp("olt", text.unary("fabs", a), text.number(SMALLEST))
        return text.select(tiny, self.zero_like(a), a)

    def flush(self, a: Value) -> Value:
        found = self.operand(a)
        if self.embedded and not self.one_nan and not a.flushed:
            found = self.text.select(self.is_nan(a.plain), a.plain, found)  # the multiplications of `_flushed` make a NaN quiet
        return self.done(found)

    def _floor_operand(self, a: Value) -> Name:
        return self.operand(a) if self.profile.subnormal_floor == "flush" else a.plain

    def _limited(self, a: Name, kept: Name, top: float = LARGEST) -> Name:
        """A rounded result `kept`, but where it was too large for a float24 before it was flushed, as `a`, from `top` on:
        infinite, or the largest."""
        text = self.text
        if self.embedded and self.profile.overflow != "largest":
            # From 2**64 on that is infinite, and stays so.
            return text.fmul(text.fmul(kept, text.number(UP)), text.number(DOWN))
        largest = _float32_bits(LARGEST) - (1 << 7) if self.profile.overflow == "largest" else INFINITY
        high = text.number_of(text.ior(text.iand(text.bits(a), text.integer(SIGN)), text.integer(largest)))
        size = text.unary("fabs", a)
        large = text.fcmp("oge", size, text.number(top))
        if self.profile.overflow == "largest":
            large = text.both(large, text.fcmp("one", size, self.literal(INFINITY)))
        return text.select(large, high, kept)

    def _ranged(self, a: Name) -> Name:
        """A result that has been cut: flushed, or infinite."""
        return self._limited(a, self._flushed(a))

    def _narrowed(self, a: Name) -> Name:
        """A finite float64, right in its first 40 bits or so, as a float24; it is cut here, or rounded to nearest."""
        text = self.text
        if not self.nearest:
            bits = text.long_op("and", text.double_bits(a), text.long(-1 << 36))
            return self._ranged(text.narrow(text.double_of(bits)))
        near = text.narrow(functions.nearest_float24(text, a))
        tiny = text.new(f"fcmp olt {text.f64} {functions.size_of(text, a)}, {text.double(SMALLEST)}")
        return text.select(tiny, self.zero_like(near), self._limited(near, near))

    def _restored(self, a: Name, b: Name, found: Name, plain: Name) -> Name:
        """`found`, but the sum or product of infinities or NaN as the processor has it."""
        text = self.text
        special = text.fcmp("ueq", text.unary("fabs", plain), self.literal(INFINITY))
        return text.select(special, plain, found)

    def rounded_sum(self, a: Name, b: Name) -> Name:
        text = self.text
        if not self.nearest and (self.embedded or self.cuts):
            total = self.target.rounded(text, "add", a, b, "zero") if self.embedded else text.fadd(a, b)
            return self._ranged(text.masked(total, CUT))
        if self.embedded:  # a sum below 2**-62 has no more than 16 bits, and is not rounded
            total, _ = functions.odd_sum(text, a, b, self.target)
            return self._ranged(self.target.keeping_special(text, functions.nearest_of_24(text, total), total))
        found = self._narrowed(functions.sum_double(text, a, b, cut=not self.nearest))
        return self._restored(a, b, found, text.fadd(a, b))

    def rounded_product(self, a: Name, b: Name) -> Name:
        text = self.text
        if not self.nearest and (self.embedded or self.cuts):
            product = self.target.rounded(text, "mul", a, b, "zero") if self.embedded else text.fmul(a, b)
            return self._ranged(text.masked(product, CUT))
        if self.embedded:
            near = functions.nearest_product(text, a, text.fmul(b, text.number(DOWN)), self.target, endless=True)
            return self._limited(near, text.fmul(near, text.number(UP)), LARGEST * DOWN)
        # Scaled, the product of the two largest numbers is not an infinity.
        scaled = text.double_op("fmul", text.widen(a), text.widen(b))
        return self._restored(
            a, b, self._narrowed(scaled), text.fmul(text.fmul(a, text.number(0.5)), text.fmul(b, text.number(0.5)))
        )

    def reciprocal(self, a: Name) -> Name:
        text = self.text
        if self.cuts:
            return self._flushed(text.masked(text.fdiv(text.number(1.0), a), CUT))
        return self._narrowed(text.double_op("fdiv", text.double(1.0), text.widen(a)))

    def reciprocal_root(self, a: Name) -> Name:
        return self._narrowed(functions.rsq_double(self.text, a))

    def power(self, a: Name) -> Name:
        return self._narrowed(functions.exp2(self.text, a, 80.0))

    def logarithm(self, a: Name) -> Name:
        return self._narrowed(functions.log2(self.text, a))


class ExactFloat32(Exact):
    """float32 with infinities and NaN, to nearest. Lanes whose rounding float64 cannot decide are left to the reference
    engine."""

    def bits_of_word(self, word: int) -> int:
        return word

    def default_nan(self) -> Name:
        return self.literal(SIGN | NAN)

    def load(self, raw: Name, *, seen: bool) -> Value:
        if self.one_nan:
            return Value(raw)
        return Value(self.text.select(self.is_nan(raw), raw, self.canonical_zero(raw)))

    def mul(self, a: Value, b: Value) -> Value:
        text, x, y = self.text, a.plain, b.plain
        found = self.rounded_product(x, y)
        invalid = text.both(self.is_nan(found), text.fcmp("ord", x, y))
        return Value(self._kept(text.select(invalid, text.number(0.0), found), a, b, invalid=False))

    def add(self, a: Value, b: Value) -> Value:
        return Value(self._kept(self.rounded_sum(a.plain, b.plain), a, b, invalid=True))

    def _kept(self, found: Name, a: Value, b: Value, *, invalid: bool) -> Name:
        """`found` with the NaN of an operand, the first one's before the other's.

        x86 would do so itself, but LLVM may change it: it replaces 1.0 * x by x, which leaves a NaN unchanged, and may move a
        negation through an addition or a multiplication, which then has a NaN of another sign.
        """
        return found if self.one_nan else self.with_nan(found, a.plain, b.plain, invalid=invalid)

    def rounded_sum(self, a: Name, b: Name) -> Name:
        return self.text.fadd(a, b)

    def rounded_product(self, a: Name, b: Name) -> Name:
        return self.text.fmul(a, b)

    def reciprocal(self, a: Name) -> Name:
        return self.text.fdiv(self.text.number(1.0), a)

    def reciprocal_root(self, a: Name) -> Name:
        text = self.text
        if self.profile.precision == "float32":
            return text.fdiv(text.number(1.0), text.unary("sqrt", a))
        found, unsure = functions.surely_float32(text, functions.rsq_double(text, a))
        self.watch.bail(unsure)
        return found

    def power(self, a: Name) -> Name:
        text = self.text
        found, unsure = functions.surely_float32(text, functions.exp2(text, a, 200.0))
        # Below 2**-126 other places count.
        self.watch.bail(text.either(unsure, text.fcmp("olt", a, text.number(-125.0))))
        return found

    def logarithm(self, a: Name) -> Name:
        text = self.text
        found, unsure = functions.surely_float32(text, functions.log2(text, a))
        small = text.both(text.icmp("ult", self.size(a), text.integer(1 << 23)), text.fcmp("one", a, text.number(0.0)))
        self.watch.bail(text.either(unsure, small))
        return found


def _float32_bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def _bits_of_float24(word: int) -> int:
    """The float32 bits of a float24 word; of a NaN the mantissa's bits are kept."""
    from lanewise.core.numbers.floats import FRACTION, float32_bits_from_float24
    from lanewise.core.numbers.floats import INFINITY as ENDLESS
    from lanewise.core.numbers.floats import MAGNITUDE as SIZE
    from lanewise.core.numbers.floats import SIGN as MINUS

    if word & SIZE > ENDLESS:
        return (word & MINUS) << 8 | INFINITY | (word & FRACTION) << 7
    return float32_bits_from_float24(word)
