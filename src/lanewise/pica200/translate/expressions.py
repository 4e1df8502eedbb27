"""Results of instructions as expressions: the algebra whose values are nodes that a language prints.

The functions of `float24` and `float32` have the names of the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import GE
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import LoopValues
from lanewise.pica200.sem.instruction import execute
from lanewise.pica200.sem.registers import FLOAT_COUNT, Registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.profile import Profile
    from lanewise.translating.nodes import Node

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class Expressions:
    """The operations of the algebra, which make nodes."""

    def constant(self, value: float) -> Node:
        return ("constant", value)

    def negate(self, a: Node) -> Node:
        return ("constant", -float(str(a[1]))) if a[0] == "constant" and a[1] else ("negate", a)

    def flush(self, a: Node) -> Node:
        return ("flush", a)

    def add(self, a: Node, b: Node) -> Node:
        return ("add", a, b)

    def mul(self, a: Node, b: Node) -> Node:
        return ("mul", a, b)

    def mad(self, a: Node, b: Node, c: Node) -> Node:
        return ("mad", a, b, c)

    def dot(self, a: Sequence[Node], b: Sequence[Node]) -> Node:
        return (f"dot{len(a)}", *a, *b)

    def max(self, a: Node, b: Node) -> Node:
        return ("larger", a, b)

    def min(self, a: Node, b: Node) -> Node:
        return ("smaller", a, b)

    def at_least(self, a: Node, low: Node) -> Node:
        return ("at_least", a, low)

    def at_most(self, a: Node, high: Node) -> Node:
        return ("at_most", a, high)

    def floor(self, a: Node) -> Node:
        return ("floor", a)

    def rcp(self, a: Node) -> Node:
        return ("rcp", a)

    def rsq(self, a: Node) -> Node:
        return ("rsq", a)

    def exp2(self, a: Node) -> Node:
        return ("exp2", a)

    def log2(self, a: Node) -> Node:
        return ("log2", a)

    def compare(self, op: int, a: Node, b: Node) -> Node:
        return (COMPARISONS[op], a, b) if op <= GE else self.boolean(True)

    def not_negative(self, a: Node) -> Node:
        return ("not_negative", a)

    def select(self, condition: Node, a: Node, b: Node) -> Node:
        if condition[0] == "boolean":
            return a if condition[1] else b
        return ("select", condition, a, b)

    def to_integer(self, a: Node) -> Node:
        return ("to_integer", a)

    def boolean(self, value: bool) -> Node:
        return ("boolean", int(value))

    def invert(self, a: Node) -> Node:
        return ("boolean", 1 - int(str(a[1]))) if a[0] == "boolean" else ("not", a)

    def both(self, a: Node, b: Node) -> Node:
        return ("both", a, b)

    def either(self, a: Node, b: Node) -> Node:
        return ("either", a, b)

    def integer(self, value: int) -> Node:
        return ("integer", value)

    def integer_add(self, a: Node, b: Node) -> Node:
        if b[0] == "integer" and b[1] == 0:
            return a
        return ("integer_add", a, b)

    def integer_and(self, a: Node, mask: int) -> Node:
        return ("integer_and", a, mask)

    def integer_within(self, a: Node, low: int, high: int) -> Node:
        return ("within", a, low, high)

    def integer_select(self, condition: Node, a: Node, b: Node) -> Node:
        return ("integer_select", condition, a, b)

    def look_up(self, rows: Sequence[Vector[Node]], index: Node) -> Vector[Node]:
        """Only uniforms; the profiles whose index registers reach others are refused."""
        row = self.integer_add(index, self.integer(-FLOAT))
        return ("uniform", row, 0), ("uniform", row, 1), ("uniform", row, 2), ("uniform", row, 3)


def component(file: str, number: int, channel: int) -> Node:
    return ("component", file, number, channel)


def vector(file: str, number: int) -> Vector[Node]:
    return component(file, number, 0), component(file, number, 1), component(file, number, 2), component(file, number, 3)


FLAGS: tuple[Node, Node] = (("flag", 0), ("flag", 1))
INDICES: tuple[Node, Node] = (("index", 0), ("index", 1))
AL: Node = ("index", 2)
BOOLEANS: tuple[Node, ...] = tuple([("condition", number) for number in range(16)])


def integers(count: int = 4) -> tuple[Vector[Node], ...]:
    """The integer uniforms."""
    return tuple([(("byte", n, 0), ("byte", n, 1), ("byte", n, 2), ("byte", n, 3)) for n in range(count)])


class Machine:
    """Instructions as expressions over registers by name."""

    algebra: Expressions

    def __init__(self, profile: Profile) -> None:
        self.algebra = Expressions()
        self._profile = profile
        self._inputs = [vector("v", number) for number in range(16)]
        self._floats = [vector("c", number) for number in range(FLOAT_COUNT)]
        self._temporaries = [vector("r", number) for number in range(16)]

    def result(self, inst: ResolvedInst) -> Result[Node, Node, Node]:
        """Return the values that an instruction writes, before its mask."""
        registers: Registers[Node, Node, Node] = Registers(self.algebra, self._inputs, self._floats)
        registers.readable[16:32] = self._temporaries
        registers.a0 = INDICES
        registers.cmp = FLAGS
        registers.loops = registers.loops._replace(al=AL)
        return execute(self.algebra, registers, inst)

    def emitted(self, inst: Inst) -> Result[Node, Node, Node]:
        """The parts of a result that SETEMIT and EMIT have; empty for other instructions."""
        registers: Registers[Node, Node, Node] = Registers(self.algebra, self._inputs, self._floats)
        return emit(Emitter(self.algebra, self._profile), inst, registers)


def loop_values(slots: int) -> LoopValues[Node]:
    """The values of the flow with so many loops."""
    counters: tuple[Node, ...] = tuple([("counter", n) for n in range(slots)])
    saved: tuple[Node, ...] = tuple([("saved", n) for n in range(slots)])
    return LoopValues(AL, counters, saved)


def reads(node: Node) -> Iterator[str]:
    """The variables that an expression reads, by the names that they have in a translation."""
    match node:
        case ("component", "r", number, _):
            yield f"r{number}"
        case ("flag" | "index" | "counter" | "saved", int() as number):
            yield variable(node[0], number)
        case _:
            for argument in node:
                if isinstance(argument, tuple):
                    yield from reads(argument)


def variable(kind: str | int | float | Node, number: int) -> str:
    """The name of a flag, an index register, a counter or a saved aL."""
    match kind:
        case "flag":
            return ("cmp_x", "cmp_y")[number]
        case "index":
            return ("a0_x", "a0_y", "aL")[number]
        case "counter":
            return f"n{number}"
        case _:
            return f"saved{number}"


def is_local(name: str) -> bool:
    """Whether a variable is that of a function: counters of loops, and those that the translation adds."""
    return name in ("block", "next") or name.startswith(("n", "saved"))
