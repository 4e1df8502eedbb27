"""Routines as instructions: each operation becomes one, in order, each value gets a register of its own, and the timing model
runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.codec import NOTHING, Dest, Inst, Source
from lanewise.shadercore.isa.table import ABS, BY_NAME, DEST_FILES, END, NEG_ABS, NEGATE, NONE, SOURCE_FILES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.algebra import INSTRUCTIONS, MODIFIERS, Algebra
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device

_REGISTERS = tuple(
    (file, number, part) for file in "rxo" for number in range(8) for part in range(4) if (file, number, part) != ("x", 7, 0)
)
_FIXED = {0: "0", 0xBF800000: "-1"}
_MODIFIERS: dict[tuple[str, int | None, int], int] = {
    **{("xor", 1 << 31, before): after for before, after in {NONE: NEGATE, NEGATE: NONE, ABS: NEG_ABS, NEG_ABS: ABS}.items()},
    **{("mask", (1 << 31) - 1, before): ABS for before in (NONE, NEGATE, ABS, NEG_ABS)},
    **{("set", 1 << 31, before): NEG_ABS for before in (NONE, NEGATE, ABS, NEG_ABS)},
}


class Value(NamedTuple):
    """What a source says, or a constant's pattern."""

    source: Source
    constant: int | None = None


class Recorder(Algebra[Value]):
    """The operations, recorded."""

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

    def apply(self, operation: str, *values: Value, immediate: int | None = None) -> Value:
        if operation == "saturate":
            return self._saturated(values[0])
        if operation in MODIFIERS:
            (a,) = values
            modifier = _MODIFIERS[operation, immediate, a.source.modifier]
            return Value(a.source._replace(modifier=modifier), a.constant)
        return self._emit(INSTRUCTIONS[operation, immediate], *values)

    def _saturated(self, a: Value) -> Value:
        """Of the last result only, which nothing has read."""
        last, s = self.insts[-1], a.source
        assert (SOURCE_FILES[s.file], s.number, s.component) == (
            DEST_FILES[last.dest.file],
            last.dest.number,
            last.dest.component,
        )
        self.insts[-1] = Inst(
            op=last.op, dest=Dest(last.dest.file, last.dest.number, last.dest.component, 1), a=last.a, b=last.b
        )
        return a

    def _emit(self, name: str, a: Value, b: Value | None = None) -> Value:
        file, number, part = _REGISTERS[len(self.insts)]
        self.insts.append(
            Inst(
                op=BY_NAME[name],
                dest=Dest(DEST_FILES.index(file), number, part),
                a=a.source,
                b=NOTHING if b is None else b.source,
            )
        )
        return Value(Source(SOURCE_FILES.index(file), number, part))


class Recorded(NamedTuple):
    """A routine's instructions on a device, the places of its constants, and the cycles until the next instruction can
    issue."""

    insts: tuple[Inst, ...]
    constants: dict[int, int]
    cycles: int


def record(device: Device, routine: str, arguments: int) -> Recorded:
    """A routine alone, one instruction after the other; nothing else fills the cycles in which one waits."""
    m = Recorder()
    getattr(Routines(m, device, m.constant), routine)(*(m.argument(number) for number in range(arguments)))
    timing = time_program((*m.insts, Inst(op=END)), device)
    assert timing.ended
    return Recorded(tuple(m.insts), m.constants, timing.issues[-1].cycle)
