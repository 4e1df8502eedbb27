"""LLVM IR as text: small methods that add an instruction and return its result's name.

A name is that of a vector with one element for each lane unless a method documents otherwise. An instruction never has only
floating-point literals: LLVM would compute them with its own rounding.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Name = str


class Text:
    """The body of a function under construction."""

    width: int
    rounds: bool
    ahead: int
    loader: Name
    storer: Name
    f32: str
    i32: str
    i1: str
    f64: str
    i64: str

    def __init__(self, width: int, *, rounds: bool = True, stem: str = "", ahead: int = 0) -> None:
        """Start a function's text, for vectors of `width` lanes.

        `rounds`: the target has instructions that round to integers; otherwise LLVM would call functions of the C library.
        `ahead`: how many bytes ahead of its data it asks for more; 0: it does not.
        Texts that become one function need different `stem`s of names.
        """
        self._stem = stem
        self.width, self.rounds, self.ahead = width, rounds, ahead
        self.loader = self.storer = ""  # pointers to the functions of `movers`, where the code calls them
        self.f32, self.i32, self.i1 = f"<{width} x float>", f"<{width} x i32>", f"<{width} x i1>"
        self.f64, self.i64 = f"<{width} x double>", f"<{width} x i64>"
        self.lines: list[str] = []
        self.heads: list[str] = []  # allocas, which are in the entry block
        self.declared: dict[str, str] = {}
        self._count = 0
        self._patterns: dict[Name, Name] = {}  # the bits that a number was built from
        self._hidden: dict[int, Name] = {}

    # Lines

    def add(self, line: str) -> None:
        self.lines.append(line)

    def new(self, text: str) -> Name:
        self._count += 1
        name = f"%{self._stem}t{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def fresh_label(self, stem: str) -> str:
        self._count += 1
        return f"{stem}.{self._count}"

    def variable(self, kind: str) -> Name:
        """A place on the stack that becomes a register."""
        self._count += 1
        name = f"%{self._stem}x{self._count}"
        self.heads.append(f"  {name} = alloca {kind}")
        return name

    def load(self, kind: str, pointer: Name, align: int = 0) -> Name:
        return self.new(f"load {kind}, ptr {pointer}" + (f", align {align}" if align else ""))

    def store(self, kind: str, value: Name, pointer: Name, align: int = 0) -> None:
        self.add(f"  store {kind} {value}, ptr {pointer}" + (f", align {align}" if align else ""))

    def call(self, result: str, function: str, *arguments: tuple[str, Name]) -> Name:
        kinds = ", ".join([kind for kind, _ in arguments])
        self.declared[function] = f"declare {result} @{function}({kinds})"
        text = f"call {result} @{function}({', '.join([f'{kind} {value}' for kind, value in arguments])})"
        if result == "void":
            self.add(f"  {text}")
            return ""
        return self.new(text)

    def hide(self, mask: int) -> None:
        """Give `mask` from a register from here on.

        With a literal, LLVM spends a fifth of its time on known bits.
        """
        place = self.variable("i32")
        self.add(f"  store volatile i32 {_signed(mask, 32)}, ptr {place}")
        self._hidden[mask] = self.splat("i32", self.new(f"load volatile i32, ptr {place}"))

    # Literals

    def number(self, value: float) -> Name:
        """A float32 in every lane; the value is exact in float32."""
        return f"splat (float 0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X})"

    def double(self, value: float) -> Name:
        return f"splat (double 0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X})"

    def integer(self, value: int) -> Name:
        return f"splat (i32 {_signed(value, 32)})"

    def long(self, value: int) -> Name:
        return f"splat (i64 {_signed(value, 64)})"

    # float32 and its bits

    def bits(self, a: Name) -> Name:
        return self._patterns.get(a) or self.new(f"bitcast {self.f32} {a} to {self.i32}")

    def number_of(self, bits: Name) -> Name:
        number = self.new(f"bitcast {self.i32} {bits} to {self.f32}")
        self._patterns[number] = bits
        return number

    def mask(self, mask: int) -> Name:
        return self._hidden.get(mask) or self.integer(mask)

    def masked_bits(self, a: Name, mask: int) -> Name:
        """Some of the bits of a number."""
        return self.iand(self.bits(a), self.mask(mask))

    def masked(self, a: Name, mask: int) -> Name:
        """The number with some of its bits cleared."""
        return self.number_of(self.masked_bits(a, mask))

    def fadd(self, a: Name, b: Name) -> Name:
        return self.new(f"fadd {self.f32} {a}, {b}")

    def fsub(self, a: Name, b: Name) -> Name:
        return self.new(f"fsub {self.f32} {a}, {b}")

    def fmul(self, a: Name, b: Name) -> Name:
        return self.new(f"fmul {self.f32} {a}, {b}")

    def fdiv(self, a: Name, b: Name) -> Name:
        return self.new(f"fdiv {self.f32} {a}, {b}")

    def fneg(self, a: Name) -> Name:
        return self.new(f"fneg {self.f32} {a}")

    def fcmp(self, how: str, a: Name, b: Name) -> Name:
        return self.new(f"fcmp {how} {self.f32} {a}, {b}")

    def fma(self, a: Name, b: Name, c: Name) -> Name:
        return self.call(self.f32, f"llvm.fma.v{self.width}f32", (self.f32, a), (self.f32, b), (self.f32, c))

    def unary(self, function: str, a: Name) -> Name:
        """`floor`, `fabs`, `sqrt` or `roundeven` of float32."""
        if function in ("floor", "roundeven") and not self.rounds:
            return self._rounded(a, even=function == "roundeven")
        return self.call(self.f32, f"llvm.{function}.v{self.width}f32", (self.f32, a))

    def _rounded(self, a: Name, *, even: bool) -> Name:
        """The integer below or the nearest one, through 32-bit integers: exact in any rounding mode."""
        whole = self.new(f"fptosi {self.f32} {a} to {self.i32}")
        cut = self.new(f"sitofp {self.i32} {whole} to {self.f32}")
        if even:
            rest = self.unary("fabs", self.fsub(a, cut))
            odd = self.new(f"trunc {self.i32} {whole} to {self.i1}")
            away = self.either(
                self.fcmp("ogt", rest, self.number(0.5)), self.both(self.fcmp("oeq", rest, self.number(0.5)), odd)
            )
            one = self.number_of(self.ior(self.bits(self.number(1.0)), self.iand(self.bits(a), self.integer(1 << 31))))
            found = self.fadd(cut, self.select(away, one, self.number(0.0)))
        else:
            found = self.fsub(cut, self.select(self.fcmp("ogt", cut, a), self.number(1.0), self.number(0.0)))
        signed = self.number_of(self.ior(self.bits(found), self.iand(self.bits(a), self.integer(1 << 31))))
        # From 2**23 on there are only integers; an infinity or a NaN stays too.
        return self.select(self.fcmp("olt", self.unary("fabs", a), self.number(2.0**23)), signed, a)

    def select(self, condition: Name, a: Name, b: Name) -> Name:
        return self.new(f"select {self.i1} {condition}, {self.f32} {a}, {self.f32} {b}")

    def to_integer(self, a: Name, *, by_instruction: bool = False) -> Name:
        """The number cut to a 32-bit integer; saturated beyond the range, 0 for NaN.

        `by_instruction`: the target has one for that; for others LLVM would do lane by lane what is done here with vectors.
        """
        if not by_instruction:
            low, high = self.number(-(2.0**31)), self.number(2.0**31 - 128)  # the last number of float32 below 2**31
            inside = self.select(self.fcmp("ogt", a, low), a, low)
            inside = self.select(self.fcmp("olt", inside, high), inside, high)
            found = self.new(f"fptosi {self.f32} {inside} to {self.i32}")
            found = self.iselect(self.fcmp("oge", a, self.number(2.0**31)), self.integer((1 << 31) - 1), found)
            return self.iselect(self.fcmp("uno", a, a), self.integer(0), found)
        return self.call(self.i32, f"llvm.fptosi.sat.v{self.width}i32.v{self.width}f32", (self.f32, a))

    # Integers of 32 bits

    def int_op(self, op: str, a: Name, b: Name) -> Name:
        return self.new(f"{op} {self.i32} {a}, {b}")

    def iadd(self, a: Name, b: Name) -> Name:
        return self.int_op("add", a, b)

    def isub(self, a: Name, b: Name) -> Name:
        return self.int_op("sub", a, b)

    def iand(self, a: Name, b: Name) -> Name:
        return self.int_op("and", a, b)

    def ior(self, a: Name, b: Name) -> Name:
        return self.int_op("or", a, b)

    def ixor(self, a: Name, b: Name) -> Name:
        return self.int_op("xor", a, b)

    def shift_right(self, a: Name, places: int) -> Name:
        return self.int_op("lshr", a, self.integer(places))

    def shift_left(self, a: Name, places: int) -> Name:
        return self.int_op("shl", a, self.integer(places))

    def icmp(self, how: str, a: Name, b: Name) -> Name:
        return self.new(f"icmp {how} {self.i32} {a}, {b}")

    def iselect(self, condition: Name, a: Name, b: Name) -> Name:
        return self.new(f"select {self.i1} {condition}, {self.i32} {a}, {self.i32} {b}")

    def umax(self, a: Name, b: Name) -> Name:
        return self.call(self.i32, f"llvm.umax.v{self.width}i32", (self.i32, a), (self.i32, b))

    def umin(self, a: Name, b: Name) -> Name:
        return self.call(self.i32, f"llvm.umin.v{self.width}i32", (self.i32, a), (self.i32, b))

    def imin(self, a: Name, b: Name) -> Name:
        return self.call(self.i32, f"llvm.smin.v{self.width}i32", (self.i32, a), (self.i32, b))

    def imax(self, a: Name, b: Name) -> Name:
        return self.call(self.i32, f"llvm.smax.v{self.width}i32", (self.i32, a), (self.i32, b))

    # float64 and its bits

    def widen(self, a: Name) -> Name:
        return self.new(f"fpext {self.f32} {a} to {self.f64}")

    def narrow(self, a: Name) -> Name:
        return self.new(f"fptrunc {self.f64} {a} to {self.f32}")

    def double_op(self, op: str, a: Name, b: Name) -> Name:
        return self.new(f"{op} {self.f64} {a}, {b}")

    def double_fma(self, a: Name, b: Name, c: Name) -> Name:
        return self.call(self.f64, f"llvm.fmuladd.v{self.width}f64", (self.f64, a), (self.f64, b), (self.f64, c))

    def double_bits(self, a: Name) -> Name:
        return self.new(f"bitcast {self.f64} {a} to {self.i64}")

    def double_of(self, bits: Name) -> Name:
        return self.new(f"bitcast {self.i64} {bits} to {self.f64}")

    def long_op(self, op: str, a: Name, b: Name) -> Name:
        return self.new(f"{op} {self.i64} {a}, {b}")

    # Integers of 64 bits and of 32

    def lengthen(self, a: Name) -> Name:
        """The unsigned integer in 64 bits."""
        return self.new(f"zext {self.i32} {a} to {self.i64}")

    def shorten(self, a: Name) -> Name:
        """The low 32 bits."""
        return self.new(f"trunc {self.i64} {a} to {self.i32}")

    # Truth

    def both(self, a: Name, b: Name) -> Name:
        return self.new(f"and {self.i1} {a}, {b}")

    def either(self, a: Name, b: Name) -> Name:
        return self.new(f"or {self.i1} {a}, {b}")

    def invert(self, a: Name) -> Name:
        return self.new(f"xor {self.i1} {a}, splat (i1 true)")

    def packed(self, a: Name) -> Name:
        """One integer with a bit for each lane."""
        return self.new(f"bitcast {self.i1} {a} to i{self.width}")

    def any(self, a: Name) -> Name:
        """One i1: whether it holds in some lane."""
        return self.new(f"icmp ne i{self.width} {self.packed(a)}, 0")

    # Lanes

    def splat(self, element: str, value: Name) -> Name:
        """A scalar of type `element` in every lane."""
        if value in _TRUTHS or value.lstrip("-").isdigit():
            return f"splat ({element} {value})"
        kind = f"<{self.width} x {element}>"
        one = self.new(f"insertelement {kind} poison, {element} {value}, i32 0")
        return self.new(f"shufflevector {kind} {one}, {kind} poison, <{self.width} x i32> zeroinitializer")

    def shuffle(self, element: str, size: int, a: Name, b: Name, places: Sequence[int]) -> Name:
        """Elements of two vectors of `size` elements; those of `b` count from `size`."""
        kind = f"<{size} x {element}>"
        listed = ", ".join([f"i32 {place}" for place in places])
        return self.new(f"shufflevector {kind} {a}, {kind} {b}, <{len(places)} x i32> <{listed}>")

    def parts(self, element: str, a: Name, size: int) -> list[Name]:
        """The vector in pieces of `size` lanes."""
        if size == self.width:
            return [a]
        return [self.shuffle(element, self.width, a, "poison", range(n, n + size)) for n in range(0, self.width, size)]

    def whole(self, element: str, parts: Sequence[Name]) -> Name:
        """The vector of pieces of equal sizes."""
        while len(parts) > 1:
            size = self.width // len(parts)
            parts = [self.shuffle(element, size, a, b, range(2 * size)) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def first(self, element: str, a: Name) -> Name:
        """The element of lane 0."""
        return self.new(f"extractelement <{self.width} x {element}> {a}, i32 0")


_TRUTHS = ("true", "false")


def _signed(value: int, size: int) -> int:
    value &= (1 << size) - 1
    return value - (1 << size) if value >> (size - 1) else value
