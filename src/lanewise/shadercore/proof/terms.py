"""Terms: the operations of a device on symbols, shared by two programs.

A term is a number; equal terms have one number, so two values have the same patterns for all inputs if their numbers are equal.
Patterns are compared bit by bit, NaN too: the saturation of the hardware, its bit operations and `sign` tell one NaN from
another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.algebra import OPERATIONS, WaveAlgebra
from lanewise.shadercore.sem.numbers import WaveOps
from lanewise.shadercore.sem.steps import Register, Stepper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing

Node = tuple[object, ...]
CONSTANT, UNIFORM, ENTERING = "constant", "uniform", "entering"
_SIGN, _ALL = 0x80000000, 0xFFFFFFFF
# Operations that may look at other lanes of a wave, so that a constant is not a constant behind them.
_OF_WAVES = frozenset(("rcp", "rsq"))
_ON_PATTERNS = frozenset(("xor", "mask", "set"))


class Terms(WaveAlgebra[int]):
    """The operations of a device on terms."""

    def __init__(self, device: Device) -> None:
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._ops = WaveOps(device)
        # The sum of the public hardware gives the first of two NaN; every other rule has one, and products have the sign of
        # both.
        self._commuting = frozenset(("mul", "bit_or", "bit_and", *(("add",) if device.value("add") == "nearest" else ())))

    def node(self, *node: object) -> int:
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def constant(self, bits: int, lanes: int) -> int:
        return self.node(CONSTANT, bits)

    def one_register(self, lanes: int) -> int:
        return self.constant(self._ops.one_register(1)[0], lanes)

    def quads_from(self, a: int, b: int, moved: Sequence[tuple[int, int]]) -> int:
        return self.node("quads_from", a, b, *moved) if moved else a

    def apply(self, operation: str, *values: int, immediate: int | None = None) -> int:
        if operation not in OPERATIONS:
            raise ValueError(f"unknown operation {operation!r}")
        known = [self._pattern(value) for value in values]
        if operation not in _OF_WAVES and all(pattern is not None for pattern in known):
            waves = [(pattern,) for pattern in known if pattern is not None]
            (bits,) = self._ops.apply(operation, *waves, immediate=immediate)
            return self.constant(bits, LANES)
        if operation in _ON_PATTERNS and immediate is not None:
            return self._changed(values[0], *_bits_of(operation, immediate))
        if operation == "saturate" and self.nodes[values[0]][0] == "saturate":
            return values[0]
        if operation in self._commuting:
            values = tuple(sorted(values))
        return self.node(operation, *values) if immediate is None else self.node(operation, *values, ("immediate", immediate))

    def _pattern(self, term: int) -> int | None:
        node = self.nodes[term]
        return node[1] if node[0] == CONSTANT and isinstance(node[1], int) else None

    def _changed(self, term: int, kept: int, turned: int) -> int:
        """(pattern and kept) xor turned: one node for any number of modifiers in a row."""
        node = self.nodes[term]
        if node[0] == "bits":
            _, inner, before, after = node
            assert isinstance(inner, int)
            assert isinstance(before, int)
            assert isinstance(after, int)
            term, kept, turned = inner, before & kept, after & kept ^ turned
        return term if (kept, turned) == (_ALL, 0) else self.node("bits", term, kept, turned)


class Symbols(Stepper[int]):
    """A wave of a program on terms: what it leaves in `registers`, and the registers whose earlier values it reads (`taken`),
    the constants that it reads (`read`)."""

    def __init__(
        self, timing: Timing, terms: Terms, constants: Mapping[tuple[int, int], int], renamed: Mapping[Register, Register]
    ) -> None:
        """`constants`: patterns that are known, by (register, component). `renamed`: what registers are called in the other
        program."""
        super().__init__(timing, terms)
        self.terms = terms
        self.taken: set[Register] = set()
        self.read: set[tuple[int, int]] = set()  # constants
        self._constants, self._renamed = constants, renamed

    def entering(self, place: Register) -> int:
        self.taken.add(place)
        return self.terms.node(ENTERING, *self._renamed.get(place, place))

    def uniform(self, number: int, component: int) -> int:
        self.read.add((number, component))
        known = self._constants.get((number, component))
        return self.terms.node(UNIFORM, number, component) if known is None else self.terms.constant(known, LANES)


def _bits_of(operation: str, bits: int) -> tuple[int, int]:
    """The bits that a change of a pattern keeps, and those that it turns after that."""
    if operation == "mask":
        return bits, 0
    return (_ALL, bits) if operation == "xor" else (_ALL & ~bits, bits)
