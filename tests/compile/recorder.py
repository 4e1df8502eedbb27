"""Routines as instructions: each word becomes one, in order, each value gets a register of its own, and the timing model runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.routines import Routines
from lanewise.shadercore.isa.table import (
    ABS,
    BY_NAME,
    DEST_FILES,
    END,
    NEG_ABS,
    NEGATE,
    NONE,
    NOTHING,
    SOURCE_FILES,
    Dest,
    Inst,
    Source,
)
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device

_REGISTERS = tuple(
    (file, number, part) for file in "rxo" for number in range(8) for part in range(4) if (file, number, part) != ("x", 7, 0)
)
_FIXED = {0: "0", 0xBF800000: "-1"}
_MODIFIERS = {(NONE, "neg"): NEGATE, (NEGATE, "neg"): NONE, (ABS, "neg"): NEG_ABS, (NEG_ABS, "neg"): ABS}


class Value(NamedTuple):
    """What a source says, or a constant's pattern."""

    source: Source
    constant: int | None = None


class Recorder:
    """The vocabulary of `sem.shadercore`, recording."""

    def __init__(self) -> None:
        self.insts: list[Inst] = []
        self.constants: dict[int, int] = {}  # pattern -> number of its component in c#

    def constant(self, bits: int) -> Value:
        if bits in _FIXED:
            return Value(Source(SOURCE_FILES.index(_FIXED[bits])))
        place = self.constants.setdefault(bits, len(self.constants))
        return Value(Source(SOURCE_FILES.index("c"), place // 4, place % 4), bits)

    def argument(self, number: int) -> Value:
        return Value(Source(SOURCE_FILES.index("v"), number))

    # Modifiers

    def _modified(self, a: Value, modifier: int) -> Value:
        s = a.source
        return Value(Source(s.file, s.number, s.component, modifier), a.constant)

    def xor(self, a: Value, bits: int) -> Value:
        assert bits == 0x80000000
        return self._modified(a, _MODIFIERS[a.source.modifier, "neg"])

    def mask(self, a: Value, bits: int) -> Value:
        assert bits == 0x7FFFFFFF
        return self._modified(a, ABS)

    def set(self, a: Value, bits: int) -> Value:
        assert bits == 0x80000000
        return self._modified(a, NEG_ABS)

    def saturate(self, a: Value) -> Value:
        """Of the last result only, which nothing has read."""
        last, s = self.insts[-1], a.source
        assert (SOURCE_FILES[s.file], s.number, s.component) == (
            DEST_FILES[last.dest.file],
            last.dest.number,
            last.dest.component,
        )
        self.insts[-1] = Inst(last.op, Dest(last.dest.file, last.dest.number, last.dest.component, 1), last.a, last.b)
        return a

    # Instructions

    def _emit(self, name: str, a: Value, b: Value | None = None) -> Value:
        file, number, part = _REGISTERS[len(self.insts)]
        self.insts.append(
            Inst(BY_NAME[name], Dest(DEST_FILES.index(file), number, part), a.source, NOTHING if b is None else b.source)
        )
        return Value(Source(SOURCE_FILES.index(file), number, part))

    def add(self, a: Value, b: Value) -> Value:
        return self._emit("add", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        return self._emit("mul", a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self._emit("min", a, b)

    def max(self, a: Value, b: Value) -> Value:
        return self._emit("max", a, b)

    def less(self, a: Value, b: Value) -> Value:
        return self._emit("slt", a, b)

    def at_least(self, a: Value, b: Value) -> Value:
        return self._emit("sge", a, b)

    def bit_or(self, a: Value, b: Value) -> Value:
        return self._emit("or", a, b)

    def bit_and(self, a: Value, b: Value) -> Value:
        return self._emit("and", a, b)

    def shift_left(self, a: Value, places: int) -> Value:
        return self._emit(f"bshftl{places}", a)

    def shift_right(self, a: Value, places: int) -> Value:
        return self._emit(f"bshftr{places}", a)

    def scale(self, a: Value, power: int) -> Value:
        assert power == 1
        return self._emit("shft", a)

    def sign(self, a: Value) -> Value:
        return self._emit("sgn", a)

    def fraction(self, a: Value) -> Value:
        return self._emit("frc", a)

    def round23(self, a: Value) -> Value:
        return self._emit("rnd_sint23ne", a)

    def round16(self, a: Value) -> Value:
        return self._emit("rnd_sint16ne", a)

    def unorm(self, a: Value, bits: int) -> Value:
        return self._emit(f"cnv_unorm{bits}", a)

    def to_half(self, a: Value) -> Value:
        return self._emit("cnv_f_to_half", a)

    def from_half(self, a: Value) -> Value:
        return self._emit("cnv_half_to_f", a)

    def from_unsigned(self, a: Value) -> Value:
        return self._emit("cnv_u32_to_f", a)

    def exp2(self, a: Value) -> Value:
        return self._emit("exp", a)

    def log2(self, a: Value) -> Value:
        return self._emit("log", a)

    def rcp(self, a: Value) -> Value:
        return self._emit("rcp", a)

    def rsq(self, a: Value) -> Value:
        return self._emit("rsq", a)


class Recorded(NamedTuple):
    """A routine's instructions on a device, the places of its constants, and the cycles until the next instruction can issue."""

    insts: tuple[Inst, ...]
    constants: dict[int, int]
    cycles: int


def record(device: Device, routine: str, arguments: int) -> Recorded:
    """A routine alone, one instruction after the other; nothing else fills the cycles in which one waits."""
    m = Recorder()
    getattr(Routines(m, device, m.constant), routine)(*(m.argument(number) for number in range(arguments)))
    timing = time_program((*m.insts, Inst(END)), device)
    assert timing.ended
    return Recorded(tuple(m.insts), m.constants, timing.issues[-1].cycle)
