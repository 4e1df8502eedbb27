"""Number rules for ordinary numbers; what is not ordinary is flagged."""

from __future__ import annotations

import struct
from abc import abstractmethod
from math import isfinite, log2
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float_from_float24
from lanewise.llvm import functions
from lanewise.llvm.functions import CUT, WITHOUT_MANTISSA
from lanewise.pica200.engine.llvm.rules import DOWN, MAGNITUDE, ORDINARY, SMALLEST, UP, Rule, Value, is_clear

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.llvm.text import Name


class Speculative(Rule):
    """Ordinary numbers; the rest is flagged."""

    most: float = 63.9  # results may reach 2**most without being looked at

    def const(self, word: int) -> Value:
        number = self.number_of_word(word)
        scaled = self.in_scale(number) if isfinite(number) else None
        if scaled is None:
            self.watch.flag_where("splat (i1 true)")
            number = scaled = 0.0
        return Value(self.text.number(scaled), log2(abs(number)) + 0.001 if number else -70.0, self.text.number(number))

    @abstractmethod
    def number_of_word(self, word: int) -> float:
        """The number of a word of the profile's format."""

    def in_scale(self, number: float) -> float | None:
        """The number in the rule's scale; None if that has no place for it."""
        return number

    def checked(self, value: Value, limit: float = ORDINARY) -> Value:
        if value.bound <= limit:
            return value
        self.watch.flag_number(value.plain)
        value.bound = ORDINARY
        return value

    def _both(self, a: Value, b: Value, bound: Callable[[float, float], float]) -> tuple[Value, Value, float]:
        """Operands for an operation whose result has that bound, adjusted to fit."""
        if bound(a.bound, b.bound) > self.most:
            a, b = (self.checked(a), b) if a.bound >= b.bound else (a, self.checked(b))
        if bound(a.bound, b.bound) > self.most:
            a, b = self.checked(a), self.checked(b)
        return a, b, bound(a.bound, b.bound)

    def _add_operands(self, a: Value, b: Value) -> tuple[Value, Value, float]:
        return self._both(a, b, _sum_bound)

    def _mul_operands(self, a: Value, b: Value) -> tuple[Value, Value, float]:
        return self._both(a, b, lambda x, y: x + y)

    def ordinary_input(self, raw: Name, name: Name, *, seen: bool) -> Value:
        """A loaded input; `seen`: its subnormals can be observed."""
        self.watch.flag_number(name)
        if seen and self.smallest:
            self.watch.flag_below(raw)
        return Value(name, ORDINARY)

    def copied(self, raw: Name, *, seen: bool) -> Name:
        self.watch.flag_raw(raw)
        if seen and self.smallest:
            self.watch.flag_below(raw)
        return self.canonical_zero(self.cut(raw))

    def cut(self, raw: Name) -> Name:
        """A normal number of float32 in the profile's format."""
        return raw


def _sum_bound(a: float, b: float) -> float:
    return max(a, b) + log2(1.0 + 2.0 ** -abs(a - b)) if abs(a - b) < 60 else max(a, b)


class SpeculativeFloat24(Speculative):
    """float24, cut toward zero: the processor cuts to float32 and flushes, a mask cuts the rest."""

    mode = "zero-flush"
    nearest = False
    scaled = True
    limit: float = 2.0**ORDINARY * DOWN
    smallest = SMALLEST
    masks: tuple[int, ...] = (CUT, MAGNITUDE)

    def number_of_word(self, word: int) -> float:
        return float_from_float24(word)

    def in_scale(self, number: float) -> float | None:
        return number * DOWN if not 0.0 < abs(number) < SMALLEST else None

    def load(self, raw: Name, *, seen: bool) -> Value:
        text = self.text
        scaled = text.masked(text.fmul(raw, text.number(DOWN)), CUT)
        return self.ordinary_input(raw, scaled, seen=seen)

    def cut(self, raw: Name) -> Name:
        return self.text.masked(raw, CUT)

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
        clear = a.clear or b.clear or a is b
        if a.has_unscaled:
            a, b = b, a
        return Value(self._mul(a.plain, b.unscaled(self.text), clear=clear), bound)

    def _add(self, a: Name, b: Name) -> Name:
        return self.text.masked(self.text.fadd(a, b), CUT)

    def _mul(self, a: Name, b: Name, *, clear: bool) -> Name:
        """`clear`: to nearest the product is not rounded up to the smallest normal number."""
        return self.text.masked(self.text.fmul(a, b), CUT)

    def floor(self, a: Value) -> Value:
        text = self.text
        down = text.unary("floor", a.unscaled(text))
        # At least 1, so that a product with it is no smaller than the other factor.
        return Value(text.fmul(down, text.number(DOWN)), max(a.bound, 0.0), down, clear=True)

    def rcp(self, a: Value) -> Value:
        text = self.text
        # Of zero this is an infinity, which is flagged.
        return self.checked(Value(self._quotient(a.unscaled(text)), 99.0))

    def _quotient(self, a: Name) -> Name:
        return self.text.masked(self.text.fdiv(self.text.number(DOWN), a), CUT)

    def rsq(self, a: Value) -> Value:
        text = self.text
        if self.target.embedded_rounding:
            # Of a number in the rule's scale the root is too large by 2**32, which is taken away beside the chain of
            # operations.
            of, scale = (a.unscaled(text), 1.0) if a.has_unscaled else (a.plain, 2.0**-32)
            found, doubt = functions.rsq_by_estimate(text, of, self.target, scale, nearest=self.nearest)
            self.watch.flag_nan(doubt)
        else:
            self.watch.flag_where(text.icmp("sle", text.bits(a.plain), text.integer(0)))
            found = self._root(a.unscaled(text))
        return Value(text.fmul(found, text.number(DOWN)), 31.1, found)

    def _root(self, a: Name) -> Name:
        return functions.rsq_cut(self.text, a, self.target)

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
    """float24, to nearest. Values below 2**-62 before rounding are flushed."""

    mode = "nearest-flush"
    nearest = True
    masks: tuple[int, ...] = (CUT, MAGNITUDE, WITHOUT_MANTISSA)

    def _add(self, a: Name, b: Name) -> Name:
        if self.target.embedded_rounding:
            return functions.nearest_sum(self.text, a, b, self.target, signed=self.signed)
        return functions.nearest_sum_by_size(self.text, a, b, has_fma=self.target.has_fma, signed=self.signed)

    def const(self, word: int) -> Value:
        number = super().const(word)
        number.clear = is_clear(1 << 16 | word & 0xFFFF)
        return number

    def _mul(self, a: Name, b: Name, *, clear: bool) -> Name:
        text = self.text
        if self.target.embedded_rounding and not clear:
            return functions.nearest_product(text, a, b, self.target)
        if not self.target.has_fma:
            return self._narrowed(text.double_op("fmul", text.widen(a), text.widen(b)))
        near, rough = functions.nearest_product_rounded(text, a, b)
        if self.target.family == "x86" and not clear:
            # It flushes after rounding. Without the sign, twice 2**-126; the number is a NaN or 0.
            doubt = text.icmp("eq", text.shift_left(text.bits(rough), 1), text.integer(1 << 24))
            self.watch.flag_number(text.number_of(text.new(f"sext {text.i1} {doubt} to {text.i32}")))
        return near

    def _quotient(self, a: Name) -> Name:
        text = self.text
        if self.target.has_fma:
            return functions.rcp_nearest(text, a, DOWN)
        return self._narrowed(text.double_op("fdiv", text.double(DOWN), text.widen(a)))

    def _root(self, a: Name) -> Name:
        text = self.text
        if self.target.has_fma:
            return functions.rsq_nearest(text, a)
        return text.narrow(functions.nearest_float24(text, functions.rsq_double(text, a)))

    def _narrowed(self, a: Name) -> Name:
        """A scaled float64 rounded once, by its bits; below 2**-126 it is flushed before."""
        text = self.text
        near = text.narrow(functions.nearest_float24(text, a))
        tiny = text.new(f"fcmp olt {text.f64} {functions.size_of(text, a)}, {text.double(2.0**-126)}")
        return text.select(tiny, text.number(0.0), near)


class SpeculativeFloat32(Speculative):
    """float32 as a processor computes it, while nothing is infinite."""

    most: float = 127.9

    def number_of_word(self, word: int) -> float:
        return _float32(word)

    def load(self, raw: Name, *, seen: bool) -> Value:
        return self.ordinary_input(raw, raw, seen=seen)

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
    return struct.unpack("<f", struct.pack("<I", word))[0]
