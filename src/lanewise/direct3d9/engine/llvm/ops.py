"""Direct3D 9 operations as LLVM IR on vectors of 16 lanes.

Values are patterns, truth values (i1) and address integers (i32).

Truth values that are known are the two literals `TRUE` and `FALSE`; the operations keep them so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.sem.algebra import MAGNITUDE, ONE, DeviceOps
from lanewise.direct3d9.sem.compiled import Routined
from lanewise.direct3d9.sem.numbers import FARTHEST, NOWHERE
from lanewise.llvm.text import Name
from lanewise.llvm.trigonometry import sine_cosine
from lanewise.shadercore.engine.llvm import ieee, rtl
from lanewise.shadercore.engine.llvm.ops import VectorOps
from lanewise.shadercore.sem.routines import Routines as Functions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.llvm.routines import Routines
    from lanewise.llvm.text import Text
    from lanewise.shadercore.isa.devices import Device

TRUE, FALSE = "splat (i1 true)", "splat (i1 false)"
_SMALLEST = 0x00800000


class Vectors(DeviceOps[Name, Name, Name]):
    """The words of a rule, written to `text`."""

    def __init__(self, text: Text, rule: Rule, routines: Routines) -> None:
        super().__init__(VectorOps(text, rule.device, routines))
        self.text = text
        self._raw = rule.device.value("compare") == "raw"

    def constant(self, bits: int) -> Name:
        return self.text.integer(bits)

    def sine_cosine(self, angle: Name) -> tuple[Name, Name]:
        return sine_cosine(self.text, angle)

    # Truth values

    def truth(self, value: bool) -> Name:
        return TRUE if value else FALSE

    def ordered(self, a: Name, b: Name, *, or_equal: bool) -> Name:
        ops = rtl if self._raw else ieee
        return (ops.at_least if or_equal else ops.less)(self.text, a, b)

    def invert(self, a: Name) -> Name:
        return FALSE if a == TRUE else TRUE if a == FALSE else self.text.invert(a)

    def both(self, a: Name, b: Name) -> Name:
        if FALSE in (a, b):
            return FALSE
        return b if a == TRUE else a if b == TRUE else self.text.both(a, b)

    def either(self, a: Name, b: Name) -> Name:
        if TRUE in (a, b):
            return TRUE
        return b if a == FALSE else a if b == FALSE else self.text.either(a, b)

    def select(self, condition: Name, a: Name, b: Name) -> Name:
        return a if condition == TRUE else b if condition == FALSE else self.text.iselect(condition, a, b)

    # Address integers

    def address(self, a: Name, how: str) -> Name:
        text = self.text
        size = text.iand(a, text.integer(MAGNITUDE))
        number = text.number_of(a)
        if how in ("floor", "even"):
            whole = text.unary("floor" if how == "floor" else "roundeven", number)
        else:
            # x - floor(x) is exact wherever it is less than a half, so nothing crosses the tie
            base = text.number_of(size) if how == "away" else number
            below = text.unary("floor", base)
            up = text.fcmp("oge", text.fsub(base, below), text.number(0.5))
            whole = text.select(up, text.fadd(below, text.number(1.0)), below)
        index = text.to_integer(whole)
        if how == "away":
            negative = text.icmp("slt", a, text.integer(0))
            index = text.iselect(negative, text.isub(text.integer(0), index), index)
        if self._raw:
            index = text.iselect(text.icmp("ult", size, text.integer(_SMALLEST)), text.integer(0), index)
        far = text.icmp("uge", size, text.integer(ONE + (FARTHEST << 23)))
        return text.iselect(far, text.integer(NOWHERE), index)

    def integer(self, value: int) -> Name:
        return self.text.integer(value)

    def integer_add(self, a: Name, b: Name) -> Name:
        return self.text.iadd(a, b)

    def integer_select(self, condition: Name, a: Name, b: Name) -> Name:
        return self.select(condition, a, b)

    def integer_is(self, a: Name, value: int) -> Name:
        return self.text.icmp("eq", a, self.text.integer(value))

    def look_up(self, rows: Sequence[Name], index: Name, outside: Name) -> Name:
        found = outside
        for number, row in enumerate(rows):
            found = self.text.iselect(self.integer_is(index, number), row, found)
        return found


class CompiledVectors(Routined[Name, Name, Name], Vectors):
    """The words of a rule with the routines of compiled shaders."""

    def __init__(self, text: Text, rule: Rule, routines: Routines) -> None:
        super().__init__(text, rule, routines)
        self.device: Device = rule.device
        self.routines: Functions[Name] = Functions(VectorOps(text, rule.device, routines), rule.device, self.constant)


def vectors_of(text: Text, rule: Rule, routines: Routines) -> Vectors:
    """The words of a rule, written to `text`."""
    return (CompiledVectors if rule.choices.value("functions") == "compiled" else Vectors)(text, rule, routines)
