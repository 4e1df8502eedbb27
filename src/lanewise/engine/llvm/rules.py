"""The number rules as LLVM IR: what each word of the algebra does to a vector of lanes.

There are two kinds for one generator. *Speculative* rules compute what ordinary numbers give and watch for what is not ordinary: an
infinity or NaN that comes in or could come about, or a subnormal that somebody would see. Then the vector is done again by the *exact*
rules, which leave nothing out. What all of them mean is `sem.binary`; `engine.reference` is what they are compared with.

A value of the speculative float24 rules is the number times 2**-64 in float32, so that 2**-62, the smallest normal float24, is 2**-126:
a processor that flushes float32 subnormals then flushes float24's. The other rules hold the number itself in float32, which has
room for every float24, subnormals too.
"""

from __future__ import annotations

from math import isfinite, log2
from typing import TYPE_CHECKING, Protocol

from lanewise.core.floats import float_from_float24
from lanewise.engine.llvm import functions

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.engine.llvm.target import Target
    from lanewise.engine.llvm.text import Name, Text
    from lanewise.sem.profile import Profile

# Bits of float32.
SIGN, MAGNITUDE, INFINITY, NAN, QUIET = 0x80000000, 0x7FFFFFFF, 0x7F800000, 0x7FC00000, 0x00400000
CUT = 0xFFFFFF80  # what remains of a float32 as a float24: 16 of 23 mantissa bits
SMALLEST, LARGEST = 2.0**-62, 2.0**64  # the smallest normal float24, and the first number too large for one
UP, DOWN = 2.0**64, 2.0**-64
ORDINARY = 24.0  # speculative values that are looked at must be below 2**24
COMPARISONS = ("oeq", "une", "olt", "ole", "ogt", "oge")


class Watch(Protocol):
    """Where a rule reports what it cannot do."""

    def flag(self, bits: Name) -> None:
        """float32 bits without their sign, in the rule's scale: `limit` and above means that the vector is not ordinary."""
        ...

    def flag_number(self, number: Name) -> None:
        """The same for a number that is no NaN."""
        ...

    def flag_where(self, condition: Name) -> None: ...

    def bail(self, condition: Name) -> None:
        """Lanes that only the reference engine can do."""
        ...


class Value:
    """A number in every lane: `plain` in the rule's scale, and `unscaled` if that has been needed.

    `bound`: below 2**bound in size, if the vector is ordinary.
    """

    __slots__ = (
        "_make_plain",
        "_make_unscaled",
        "bound",
        "flushed",
        "make_operand",
        "operand_name",
        "plain_name",
        "unscaled_name",
    )

    def __init__(
        self,
        plain: Name = "",
        bound: float = 0.0,
        unscaled: Name = "",
        make_plain: Callable[[], Name] | None = None,
        make_unscaled: Callable[[], Name] | None = None,
    ) -> None:
        self.plain_name, self.unscaled_name, self.bound = plain, unscaled, bound
        self._make_plain, self._make_unscaled = make_plain, make_unscaled
        self.flushed, self.operand_name = False, ""
        self.make_operand: Callable[[], Name] | None = None

    @property
    def plain(self) -> Name:
        if not self.plain_name and self._make_plain is not None:
            self.plain_name = self._make_plain()
        return self.plain_name

    @property
    def has_unscaled(self) -> bool:
        """Whether the number itself can be had without computing it."""
        return bool(self.unscaled_name) or self._make_unscaled is not None

    def unscaled(self, text: Text) -> Name:
        if not self.unscaled_name:
            make = self._make_unscaled
            self.unscaled_name = make() if make is not None else text.fmul(self.plain, text.number(UP))
        return self.unscaled_name

    def negated(self, text: Text) -> Value:
        """Minus the value, where only signs of zeros can tell how."""
        unscaled = (lambda: text.fneg(self.unscaled(text))) if self.has_unscaled else None
        return Value("", self.bound, "", lambda: text.fneg(self.plain), unscaled)


class Rule:
    """What all rules share. `mode` is how the processor is set while the kernel runs (`target.MODES`)."""

    mode = "nearest"
    exact = False
    limit = 0  # of what is flagged, as float32 bits in the rule's scale
    scaled = False

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        self.text, self.profile, self.target, self.watch = text, profile, target, watch
        self.signed = profile.negative_zero == "ieee"

    def const(self, word: int) -> Value:
        """A word of the profile's format."""
        raise NotImplementedError

    def load(self, raw: Name, *, seen: bool) -> Value:
        """An input, float32 as it comes. `seen`: somebody would see a subnormal of it."""
        raise NotImplementedError

    def store(self, value: Value) -> Name:
        """An output as float32."""
        raise NotImplementedError

    def add(self, a: Value, b: Value) -> Value:
        raise NotImplementedError

    def mul(self, a: Value, b: Value) -> Value:
        raise NotImplementedError

    def floor(self, a: Value) -> Value:
        raise NotImplementedError

    def rcp(self, a: Value) -> Value:
        raise NotImplementedError

    def rsq(self, a: Value) -> Value:
        raise NotImplementedError

    def exp2(self, a: Value) -> Value:
        raise NotImplementedError

    def log2(self, a: Value) -> Value:
        raise NotImplementedError

    def uniform(self, load: Callable[[str], Name]) -> Value:
        """A uniform; `load` gives it from one of `values.TABLES`."""
        return Value(
            "",
            ORDINARY,
            "",
            lambda: load("scaled" if self.scaled else "exact"),
            lambda: load("flushed" if self.scaled else "exact"),
        )

    def entering(self, name: Name, bound: float) -> Value:
        """What a cell holds when a block begins."""
        return Value(name, bound)

    def negate(self, a: Value) -> Value:
        return a.negated(self.text)

    def flush(self, a: Value) -> Value:
        return a

    def max(self, a: Value, b: Value) -> Value:
        return self._pick("ogt", a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self._pick("olt", a, b)

    def at_least(self, a: Value, low: Value) -> Value:
        return self.max(a, low)

    def at_most(self, a: Value, high: Value) -> Value:
        return self.min(a, high)

    def _pick(self, how: str, a: Value, b: Value) -> Value:
        return self.select(self.text.fcmp(how, a.plain, b.plain), a, b)

    def select(self, condition: Name, a: Value, b: Value) -> Value:
        return Value(self.text.select(condition, a.plain, b.plain), max(a.bound, b.bound))

    def compare(self, op: int, a: Value, b: Value) -> Name:
        how = COMPARISONS[op]
        if how == "une" and self.profile.compare_nan == "none":
            how = "one"
        return self.text.fcmp(how, a.plain, b.plain)

    def not_negative(self, a: Value) -> Name:
        if self.profile.litp_flags == "sign":
            return self.text.icmp("sge", self.text.bits(self.canonical_zero(a.plain)), self.text.integer(0))
        return self.text.fcmp("oge", a.plain, self.text.number(0.0))

    def canonical_zero(self, name: Name) -> Name:
        """The number, with a zero's sign only if zeros have signs."""
        return name if self.signed else self.text.fadd(name, self.text.number(0.0))

    def to_integer(self, a: Value) -> Name:
        text, number = self.text, a.unscaled(self.text) if self.scaled else a.plain
        how = self.profile.mova_fraction
        if how != "zero":
            number = text.unary("floor" if how == "floor" else "roundeven", number)
        found = text.to_integer(number)
        if self.profile.mova_range == "byte":
            found = text.isub(text.iand(text.iadd(found, text.integer(128)), text.integer(255)), text.integer(128))
        return found

    # What speculative rules do besides

    def checked(self, value: Value, limit: float = ORDINARY) -> Value:
        """The value, ordinary: below 2**`limit`, or the vector is flagged."""
        return value

    def fitting(self, value: Value, room: float) -> Value:
        """The value, below 2**`room`: looked at only if it might not be."""
        return value if value.bound <= room else self.checked(value)


class Speculative(Rule):
    """Ordinary numbers; the rest is flagged."""

    most = 63.9  # results may reach 2**most without being looked at

    def const(self, word: int) -> Value:
        number = self.number_of_word(word)
        scaled = self.in_scale(number) if isfinite(number) else None
        if scaled is None:
            self.watch.flag_where("splat (i1 true)")
            number = scaled = 0.0
        return Value(self.text.number(scaled), log2(abs(number)) + 0.001 if number else -70.0, self.text.number(number))

    def number_of_word(self, word: int) -> float:
        """The number that a word of the profile's format stands for."""
        raise NotImplementedError

    def in_scale(self, number: float) -> float | None:
        """The number in the rule's scale; None if that has no place for it."""
        return number

    def checked(self, value: Value, limit: float = ORDINARY) -> Value:
        if value.bound <= limit:
            return value
        self.watch.flag_number(value.plain)
        return Value(value.plain, ORDINARY, value.unscaled_name)

    def _both(self, a: Value, b: Value, bound: Callable[[float, float], float]) -> tuple[Value, Value, float]:
        """Operands for a word whose result has that bound, made to fit."""
        if bound(a.bound, b.bound) > self.most:
            a, b = (self.checked(a), b) if a.bound >= b.bound else (a, self.checked(b))
        if bound(a.bound, b.bound) > self.most:
            a, b = self.checked(a), self.checked(b)
        return a, b, bound(a.bound, b.bound)

    def _add_operands(self, a: Value, b: Value) -> tuple[Value, Value, float]:
        return self._both(a, b, _sum_bound)

    def _mul_operands(self, a: Value, b: Value) -> tuple[Value, Value, float]:
        return self._both(a, b, lambda x, y: x + y)

    def ordinary_input(self, raw: Name, name: Name, *, seen: bool, smallest: float) -> Value:
        """What was loaded; `seen`: somebody would see a subnormal of it (a number below `smallest`)."""
        text = self.text
        self.watch.flag(text.iand(text.bits(name), text.integer(MAGNITUDE)))
        if seen:
            # Of a zero this is the largest number of 32 bits, so that zeros are none of them.
            size = text.isub(text.iand(text.bits(raw), text.integer(MAGNITUDE)), text.integer(1))
            self.watch.flag_where(text.icmp("ult", size, text.bits(text.number(smallest)) if smallest else text.integer(0)))
        return Value(name, ORDINARY)


def _sum_bound(a: float, b: float) -> float:
    return max(a, b) + log2(1.0 + 2.0 ** -abs(a - b)) if abs(a - b) < 60 else max(a, b)


class SpeculativeFloat24(Speculative):
    """float24, cut toward zero: the processor cuts to float32 and flushes, a mask cuts the rest."""

    mode = "zero-flush"
    scaled = True
    limit = 0x3F800000 - ((64 - int(ORDINARY)) << 23)

    def number_of_word(self, word: int) -> float:
        return float_from_float24(word)

    def in_scale(self, number: float) -> float | None:
        return number * DOWN if not 0.0 < abs(number) < SMALLEST else None

    def load(self, raw: Name, *, seen: bool) -> Value:
        text = self.text
        scaled = text.masked(text.fmul(raw, text.number(DOWN)), CUT)
        return self.ordinary_input(raw, scaled, seen=seen, smallest=SMALLEST)

    def store(self, value: Value) -> Name:
        text = self.text
        if self.signed:
            return text.fmul(value.plain, text.number(UP))
        if self.target.has_fma:
            return text.fma(value.plain, text.number(UP), text.number(0.0))
        return text.fadd(text.fmul(value.plain, text.number(UP)), text.number(0.0))

    def add(self, a: Value, b: Value) -> Value:
        a, b, bound = self._add_operands(a, b)
        return Value(self._add(a.plain, b.plain), bound)

    def mul(self, a: Value, b: Value) -> Value:
        a, b, bound = self._mul_operands(a, b)
        if a.has_unscaled:
            a, b = b, a
        return Value(self._mul(a.plain, b.unscaled(self.text)), bound)

    def _add(self, a: Name, b: Name) -> Name:
        return self.text.masked(self.text.fadd(a, b), CUT)

    def _mul(self, a: Name, b: Name) -> Name:
        return self.text.masked(self.text.fmul(a, b), CUT)

    def floor(self, a: Value) -> Value:
        text = self.text
        down = text.unary("floor", a.unscaled(text))
        return Value(text.fmul(down, text.number(DOWN)), max(a.bound, 0.0), down)

    def rcp(self, a: Value) -> Value:
        text = self.text
        # Of zero this is an infinity, which is flagged.
        return self.checked(Value(self._quotient(a.unscaled(text)), 99.0))

    def _quotient(self, a: Name) -> Name:
        return self.text.masked(self.text.fdiv(self.text.number(DOWN), a), CUT)

    def rsq(self, a: Value) -> Value:
        text = self.text
        self.watch.flag_where(text.icmp("sle", text.bits(a.plain), text.integer(0)))
        found = functions.rsq_cut(text, a.unscaled(text), self.target)
        return Value(text.fmul(found, text.number(DOWN)), 31.1, found)

    def exp2(self, a: Value) -> Value:
        text = self.text
        power = functions.exp2(text, a.unscaled(text), 80.0)
        return self.checked(Value(self._narrowed(text.double_op("fmul", power, text.double(DOWN))), 99.0))

    def log2(self, a: Value) -> Value:
        text = self.text
        self.watch.flag_where(text.icmp("sle", text.bits(a.plain), text.integer(0)))
        found = functions.log2(text, a.unscaled(text))
        return Value(self._narrowed(text.double_op("fmul", found, text.double(DOWN))), 6.1)

    def _narrowed(self, a: Name) -> Name:
        """A scaled float64 rounded."""
        return self.text.masked(self.text.narrow(a), CUT)


class SpeculativeNearest(SpeculativeFloat24):
    """float24, to nearest. What is below 2**-62 before rounding is flushed."""

    mode = "nearest-flush"

    def _add(self, a: Name, b: Name) -> Name:
        text = self.text
        if not self.target.embedded_rounding:
            return self._narrowed(text.double_op("fadd", text.widen(a), text.widen(b)))
        cut, up, down = (self.target.rounded(text, "add", a, b, how) for how in ("zero", "up", "down"))
        low, high = text.bits(up), text.bits(down)
        lost = text.umin(text.ixor(low, high), text.integer(1))
        bits = text.bits(cut)
        odd = text.ior(text.iand(text.shift_right(bits, 7), text.integer(1)), lost)
        return text.number_of(text.iand(text.iadd(text.iadd(bits, text.integer(63)), odd), text.integer(CUT)))

    def _mul(self, a: Name, b: Name) -> Name:
        text = self.text
        if not self.target.embedded_rounding:
            return self._narrowed(text.double_op("fmul", text.widen(a), text.widen(b)))
        cut = self.target.rounded(text, "mul", a, b, "zero")
        # Adding a number whose last place is the one wanted rounds there, once; it is 2**7 times the product's power of two.
        base = text.number_of(text.iadd(text.iand(text.bits(cut), text.integer(SIGN | INFINITY)), text.integer(7 << 23)))
        near = text.fsub(text.fma(a, b, base), base)
        # What has been flushed stays so, even if it would round up to the smallest number.
        return text.select(text.fcmp("oeq", cut, text.number(0.0)), cut, near)

    def _quotient(self, a: Name) -> Name:
        text = self.text
        return self._narrowed(text.double_op("fdiv", text.double(DOWN), text.widen(a)))

    def rsq(self, a: Value) -> Value:
        text = self.text
        self.watch.flag_where(text.icmp("sle", text.bits(a.plain), text.integer(0)))
        root = functions.rsq_double(text, a.unscaled(text))
        return Value(self._narrowed(text.double_op("fmul", root, text.double(DOWN))), 31.1)

    def _narrowed(self, a: Name) -> Name:
        """A scaled float64 rounded once, by its bits; below 2**-126 it is flushed before."""
        text = self.text
        near = text.narrow(functions.nearest_float24(text, a))
        tiny = text.new(f"fcmp olt {text.f64} {functions.size_of(text, a)}, {text.double(2.0**-126)}")
        return text.select(tiny, text.number(0.0), near)


class SpeculativeFloat32(Speculative):
    """float32 as a processor computes it, while nothing is infinite."""

    most = 127.9
    limit = (127 + int(ORDINARY)) << 23

    def number_of_word(self, word: int) -> float:
        return _float32(word)

    def load(self, raw: Name, *, seen: bool) -> Value:
        return self.ordinary_input(raw, raw, seen=False, smallest=0.0)

    def store(self, value: Value) -> Name:
        return self.canonical_zero(value.plain)

    def add(self, a: Value, b: Value) -> Value:
        a, b, bound = self._add_operands(a, b)
        return Value(self.text.fadd(a.plain, b.plain), bound)

    def mul(self, a: Value, b: Value) -> Value:
        a, b, bound = self._mul_operands(a, b)
        return Value(self.text.fmul(a.plain, b.plain), bound)

    def floor(self, a: Value) -> Value:
        return Value(self.text.unary("floor", a.plain), max(a.bound, 0.0))

    def rcp(self, a: Value) -> Value:
        return self.checked(Value(self.text.fdiv(self.text.number(1.0), a.plain), 999.0))

    def rsq(self, a: Value) -> Value:
        text = self.text
        self.watch.flag_where(text.icmp("sle", text.bits(a.plain), text.integer(0)))
        if self.profile.precision == "float32":
            root = text.unary("sqrt", a.plain)
            return self.checked(Value(text.fdiv(text.number(1.0), root), 99.0))
        found, unsure = functions.surely_float32(text, functions.rsq_double(text, a.plain))
        self.watch.flag_where(unsure)
        return self.checked(Value(found, 99.0))

    def exp2(self, a: Value) -> Value:
        text = self.text
        found, unsure = functions.surely_float32(text, functions.exp2(text, a.plain, 200.0))
        size = text.icmp("ugt", text.iand(text.bits(a.plain), text.integer(MAGNITUDE)), text.integer(0x42F80000))  # 124
        self.watch.flag_where(text.either(unsure, size))
        return self.checked(Value(found, 999.0))

    def log2(self, a: Value) -> Value:
        text = self.text
        self.watch.flag_where(text.icmp("slt", text.bits(a.plain), text.integer(1 << 23)))
        found, unsure = functions.surely_float32(text, functions.log2(text, a.plain))
        self.watch.flag_where(unsure)
        return Value(found, 8.1)


def _float32(word: int) -> float:
    import struct

    return struct.unpack("<f", struct.pack("<I", word))[0]


class Exact(Rule):
    """Every number, special ones too; nothing is flagged.

    Where the profile has one NaN, or zeros without signs, a value may be any NaN and a zero may have a sign until somebody can tell.
    `Value.flushed` says that a value is no subnormal.
    """

    exact = True

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        super().__init__(text, profile, target, watch)
        self.one_nan = profile.nan_pattern == "one"

    def const(self, word: int) -> Value:
        bits = self.bits_of_word(word)
        number = Value(self.text.new(f"bitcast {self.text.i32} {self.text.integer(bits)} to {self.text.f32}"))
        number.flushed = not 0 < bits & MAGNITUDE < _float32_bits(SMALLEST)
        return number

    def bits_of_word(self, word: int) -> int:
        """The float32 bits that stand for a word of the profile's format."""
        raise NotImplementedError

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

    def made_nan(self) -> Name:
        """The NaN of an operation on numbers."""
        raise NotImplementedError

    def with_nan(self, found: Name, *operands: Name, made: bool = False) -> Name:
        """`found`, or the NaN that an operation on these gives. `made`: also where `found` is a NaN though none of them is."""
        text = self.text
        if self.one_nan and not made:
            nan = self.is_nan(operands[0])
            for operand in operands[1:]:
                nan = text.either(nan, self.is_nan(operand))
            return text.select(nan, self.literal(NAN), found)
        if made:
            found = text.select(self.is_nan(found), self.made_nan(), found)
        for operand in reversed(operands):
            quiet = text.number_of(text.ior(text.bits(operand), text.integer(QUIET)))
            found = text.select(self.is_nan(operand), quiet, found)
        return found

    def zero_like(self, a: Name) -> Name:
        """Zero, with the sign of a number if zeros have signs."""
        return self.text.masked(a, SIGN) if self.signed else self.text.number(0.0)

    def seen(self, a: Name) -> Name:
        """The number as somebody sees it who looks at its bits."""
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

    def at_least(self, a: Value, low: Value) -> Value:
        return self._through(a, self._pick("ogt", a, low))

    def at_most(self, a: Value, high: Value) -> Value:
        return self._through(a, self._pick("olt", a, high))

    def _through(self, a: Value, found: Value) -> Value:
        return found if self.profile.litp_nan != "through" else self._picked(self.is_nan(a.plain), a, found)

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
        return found if self.one_nan else self.with_nan(found, a, b, made=True)

    def mul(self, a: Value, b: Value) -> Value:
        text = self.text
        x, y = self.operand(a), self.operand(b)
        found = self.rounded_product(x, y)
        # 0 * inf = 0: a NaN of no NaN.
        if self.one_nan and self.target.embedded_rounding:
            found = text.select(text.fcmp("uno", x, y), self.literal(NAN), self.target.without_nan(text, found))
            return self.done(found)
        made = text.both(self.is_nan(found), text.fcmp("ord", x, y))
        found = text.select(made, text.number(0.0), found)
        return self.done(found if self.one_nan else self.with_nan(found, x, y))

    def rounded_sum(self, a: Name, b: Name) -> Name:
        """As rounded; the sum of infinities and NaN as the processor has it."""
        raise NotImplementedError

    def rounded_product(self, a: Name, b: Name) -> Name:
        raise NotImplementedError

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

    def reciprocal(self, a: Name) -> Name:
        raise NotImplementedError

    def rsq(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        found = text.select(self.is_infinite(x), text.number(0.0), self.reciprocal_root(x))
        found = text.select(text.icmp("slt", text.bits(x), text.integer(0)), self.made_nan(), found)
        found = text.select(text.fcmp("oeq", x, text.number(0.0)), self._reciprocal_of_zero(a.plain), found)
        return self.done(self.with_nan(found, x))

    def reciprocal_root(self, a: Name) -> Name:
        raise NotImplementedError

    def exp2(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        high = text.select(text.fcmp("ogt", x, text.number(0.0)), self.literal(INFINITY), text.number(0.0))
        found = text.select(self.is_infinite(x), high, self.power(x))
        return self.done(self.with_nan(found, x))

    def power(self, a: Name) -> Name:
        raise NotImplementedError

    def log2(self, a: Value) -> Value:
        text, x = self.text, self.operand(a)
        found = text.select(self.is_infinite(x), x, self.logarithm(x))
        found = text.select(text.icmp("slt", text.bits(x), text.integer(0)), self.made_nan(), found)
        found = text.select(text.fcmp("oeq", x, text.number(0.0)), self.literal(SIGN | INFINITY), found)
        return self.done(self.with_nan(found, x))

    def logarithm(self, a: Name) -> Name:
        raise NotImplementedError

    def store(self, value: Value) -> Name:
        return self.seen(value.plain)


class ExactFloat24(Exact):
    """float24 with infinities, NaN and subnormals, in either rounding.

    With AVX-512 the processor rounds to nearest and flushes float32 subnormals, which no float24 is, and instructions that cut say so
    themselves. Scaling by 2**-64 and back then flushes.
    """

    def __init__(self, text: Text, profile: Profile, target: Target, watch: Watch) -> None:
        super().__init__(text, profile, target, watch)
        self.nearest = profile.rounding == "nearest"
        self.embedded = target.embedded_rounding
        self.cuts = not self.nearest and not self.embedded and target.sets_rounding
        self.mode = "nearest-flush" if self.embedded else "zero" if self.cuts else "nearest"

    def bits_of_word(self, word: int) -> int:
        return _bits_of_float24(word)

    def made_nan(self) -> Name:
        return self.literal(NAN)

    def uniform(self, load: Callable[[str], Name]) -> Value:
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
        return self.done(self.operand(a))

    def _floor_operand(self, a: Value) -> Name:
        return self.operand(a) if self.profile.subnormal_floor == "flush" else a.plain

    def _limited(self, a: Name, kept: Name) -> Name:
        """A rounded result `kept`, but where it was too large for a float24 before it was flushed, as `a`: infinite, or the largest."""
        text = self.text
        largest = _float32_bits(LARGEST) - (1 << 7) if self.profile.overflow == "largest" else INFINITY
        high = text.number_of(text.ior(text.iand(text.bits(a), text.integer(SIGN)), text.integer(largest)))
        size = text.unary("fabs", a)
        large = text.fcmp("oge", size, text.number(LARGEST))
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
        found = self._narrowed(functions.sum_double(text, a, b, cut=not self.nearest))
        return self._restored(a, b, found, text.fadd(a, b))

    def rounded_product(self, a: Name, b: Name) -> Name:
        text = self.text
        if not self.nearest and (self.embedded or self.cuts):
            product = self.target.rounded(text, "mul", a, b, "zero") if self.embedded else text.fmul(a, b)
            return self._ranged(text.masked(product, CUT))
        # Scaled, the product of the two largest numbers is no infinity of its own.
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
    """float32 with infinities and NaN, to nearest. Lanes whose rounding float64 cannot decide are left to the reference engine."""

    def bits_of_word(self, word: int) -> int:
        return word

    def made_nan(self) -> Name:
        return self.literal(SIGN | NAN)

    def load(self, raw: Name, *, seen: bool) -> Value:
        if self.one_nan:
            return Value(raw)
        return Value(self.text.select(self.is_nan(raw), raw, self.canonical_zero(raw)))

    def mul(self, a: Value, b: Value) -> Value:
        text, x, y = self.text, a.plain, b.plain
        found = self.rounded_product(x, y)
        made = text.both(self.is_nan(found), text.fcmp("ord", x, y))
        return Value(self._kept(text.select(made, text.number(0.0), found), a, b, made=False))

    def add(self, a: Value, b: Value) -> Value:
        return Value(self._kept(self.rounded_sum(a.plain, b.plain), a, b, made=True))

    def _kept(self, found: Name, a: Value, b: Value, *, made: bool) -> Name:
        """`found` with the NaN of an operand, the first one's before the other's.

        x86 would give either by itself, but LLVM need not let it: it takes 1.0 * x for x, which leaves a NaN as it was, and may move a negation
        through an addition or a multiplication, which then has a NaN of another sign.
        """
        return found if self.one_nan else self.with_nan(found, a.plain, b.plain, made=made)

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
    import struct

    return struct.unpack("<I", struct.pack("<f", value))[0]


def _bits_of_float24(word: int) -> int:
    """The float32 bits that stand for a float24 word; of a NaN the mantissa's bits are kept."""
    from lanewise.core.floats import FRACTION, float32_bits_from_float24
    from lanewise.core.floats import INFINITY as ENDLESS
    from lanewise.core.floats import MAGNITUDE as SIZE
    from lanewise.core.floats import SIGN as MINUS

    if word & SIZE > ENDLESS:
        return (word & MINUS) << 8 | INFINITY | (word & FRACTION) << 7
    return float32_bits_from_float24(word)


def speculative(profile: Profile) -> type[SpeculativeFloat24] | type[SpeculativeFloat32]:
    """The rule to try first."""
    return {"nearest": SpeculativeNearest, "float32": SpeculativeFloat32}.get(profile.rounding, SpeculativeFloat24)


def exact(profile: Profile) -> type[ExactFloat24] | type[ExactFloat32]:
    """The rule that leaves nothing out."""
    return ExactFloat32 if profile.rounding == "float32" else ExactFloat24


def unsupported(profile: Profile) -> str:
    """Why no rule here can do a profile; empty if they can."""
    if profile.rounding == "float32":
        if profile.subnormal_arithmetic == "flush" or "flush" in (profile.subnormal_mov, profile.subnormal_min):
            return "subnormals of float32 are flushed (subnormal_arithmetic, subnormal_mov or subnormal_min is flush)"
        if "flush" in (profile.subnormal_set, profile.subnormal_litp, profile.subnormal_floor):
            return "subnormals of float32 are flushed (subnormal_set, subnormal_litp or subnormal_floor is flush)"
        return ""
    if profile.subnormal_arithmetic == "keep":
        return "subnormals of float24 are kept in arithmetic (subnormal_arithmetic is keep)"
    if profile.precision == "float32":
        return "special functions are rounded twice, as float32 and as float24 (precision is float32)"
    return ""
