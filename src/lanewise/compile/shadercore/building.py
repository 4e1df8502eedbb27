"""Code builder: ShaderCore operations become SSA nodes.

Equal operations share a node, and operations on known bits are folded.

`Builder` is a `shadercore.sem.algebra.Algebra` on `Ref`. Constants are folded with the exact operations of
the device, and the rows of `shadercore.sem.peephole` that are bit-exact on the device are applied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.code import (
    CONSTANT,
    INPUT,
    PATTERN,
    Code,
    Node,
    Output,
    modified,
)
from lanewise.shadercore.isa.table import ABS, LANES, NEG_ABS, NEGATE, NONE
from lanewise.shadercore.sem.algebra import INSTRUCTIONS, MODIFIERS, Algebra
from lanewise.shadercore.sem.meaning import meanings
from lanewise.shadercore.sem.numbers import WaveOps
from lanewise.shadercore.sem.peephole import LIMITS, MAGNITUDE, PEEPHOLE_RULES, SIGN, holds, modified_bits
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device

_SOURCE_MODIFIERS = {("xor", SIGN): NEGATE, ("mask", MAGNITUDE): ABS, ("set", SIGN): NEG_ABS}
_BITWISE = {"mask": "bit_and", "set": "bit_or"}


class Builder(Algebra[Ref]):
    """Code for a device in the making."""

    def __init__(self, device: Device, *, optimise: bool = True) -> None:
        """`optimise`: share equal nodes, compute what is constant, use rewrites. Without it each request is an instruction."""
        self.device = device
        self.optimise = optimise
        self.line = -1  # the source instruction that nodes are made for
        self.mark = 0  # the first node of that instruction
        self.nodes: list[Node] = []
        self.outputs: list[Output] = []
        self._known: dict[tuple[str, tuple[Ref, ...], bool], Ref] = {}  # by what the nodes of instructions compute
        self._leaves: dict[tuple[str, int, int], Ref] = {}
        self._ops = WaveOps(device)
        self._meanings = meanings(self._ops)
        self._rules = {
            op: [row.apply for row in PEEPHOLE_RULES if op in row.ops and holds(row, device)] for op in self._meanings
        }

    def code(self) -> Code:
        return Code(tuple(self.nodes), tuple(self.outputs))

    # Leaves

    def input(self, number: int, component: int) -> Ref:
        return self._leaf(INPUT, number, component)

    def uniform(self, number: int, component: int) -> Ref:
        """A constant that the application sets."""
        return self._leaf(CONSTANT, number, component)

    def constant(self, bits: int, why: str = "") -> Ref:
        """A pattern. Only its magnitude is kept; the sign is a modifier, which acts on bit 31 whatever the instruction."""
        ref = self._leaf(PATTERN, bits & MAGNITUDE, 0, why)
        return Ref(ref.node, NEGATE) if bits & SIGN else ref

    def bits(self, ref: Ref) -> int | None:
        """The bits of a value, where they are known."""
        node = self.nodes[ref.node]
        return modified_bits(node.number, ref.modifier) if node.op == PATTERN else None

    def _leaf(self, op: str, number: int, component: int, why: str = "") -> Ref:
        key = op, number, component
        found = self._leaves.get(key)
        if found is None:
            found = self._leaves[key] = self._add(Node(op=op, number=number, component=component, why=why))
        return found

    def op(self, name: str, *sources: Ref, saturate: bool = False) -> Ref:
        """The value that an instruction makes."""
        if not self.optimise:
            return self._add(Node(op=name, sources=sources, saturate=saturate, line=self.line))
        for apply in self._rules[name]:
            found = apply(self, name, sources)
            if isinstance(found, Ref):
                return self.saturate(found) if saturate else found
            if found is not None:
                sources = found
        folded = self._folded(name, sources)
        if folded is None:
            folded = self._limited(name, sources)
        if folded is not None:
            return self.saturate(folded) if saturate else folded
        return self._shared(name, sources, saturate)

    def _shared(self, name: str, sources: tuple[Ref, ...], saturate: bool) -> Ref:
        """The node of an instruction that computes this, which may be there already."""
        key = name, sources, saturate
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._add(Node(op=name, sources=sources, saturate=saturate, line=self.line))
        return known

    def _add(self, node: Node) -> Ref:
        self.nodes.append(node)
        return Ref(len(self.nodes) - 1)

    def _folded(self, name: str, sources: tuple[Ref, ...]) -> Ref | None:
        """The result of an instruction on known bits, if it is the same in all lanes of a wave."""
        known: list[int] = []
        for source in sources:
            bits = self.bits(source)
            if bits is None:
                return None
            known.append(bits)
        function = self._meanings[name]
        if function is None:
            return None
        waves = [(bits,) * LANES for bits in known]
        lanes = set(function(waves[0], waves[-1]))
        return self.constant(lanes.pop(), "computed") if len(lanes) == 1 else None

    def _limited(self, name: str, sources: tuple[Ref, ...]) -> Ref | None:
        """A value that is limited to 0.0 and 1.0, one after the other, saturated by the first instruction."""
        inner, first, second = LIMITS.get(name, ("", 0, 0))
        for value, end in (sources, sources[::-1]) if inner else ():
            node = self.nodes[value.node]
            if (
                self.bits(end) == second
                and value.modifier == NONE
                and node.op == inner
                and first in map(self.bits, node.sources)
            ):
                return self.saturate(value)
        return None

    # Operations

    def apply(self, operation: str, *values: Ref, immediate: int | None = None) -> Ref:
        """The value of an operation: the instruction that computes it, or a modifier. Raises ValueError where no instruction
        does."""
        if immediate is not None and operation in MODIFIERS:
            return self._bitwise(operation, values[0], immediate)
        if operation in MODIFIERS:
            return self._saturated(values[0])
        name = INSTRUCTIONS.get((operation, immediate))
        if name is None:
            raise ValueError(f"no instruction computes {operation}{'' if immediate is None else f' with {immediate}'}")
        return self.op(name, *values)

    def _bitwise(self, operation: str, a: Ref, bits: int) -> Ref:
        """A source modifier where the bits are those of one, or else an instruction."""
        modifier = _SOURCE_MODIFIERS.get((operation, bits))
        if modifier is not None:
            known = self.bits(a)
            return modified(a, modifier) if known is None else self.constant(modified_bits(known, modifier))
        if operation not in _BITWISE:
            raise ValueError(f"no instruction inverts the bits {bits:#x}: a source modifier does bit 31")
        return self.apply(_BITWISE[operation], a, self.constant(bits, "mask"))

    def negate(self, a: Ref) -> Ref:
        return self.xor(a, SIGN)

    def absolute(self, a: Ref) -> Ref:
        return self.mask(a, MAGNITUDE)

    def _saturated(self, a: Ref) -> Ref:
        """Clamped to 0.0 and 1.0: a MOV, which `compile.passes` makes one with the instruction that gives the value where it
        can."""
        bits = self.bits(a)
        if bits is not None and self.optimise:
            return self.constant(self._ops.saturate((bits,))[0], "computed")
        source = self.nodes[a.node]
        if not self.optimise:
            if a.node < self.mark or a.modifier or source.is_leaf:
                return self._add(Node(op="mov", sources=(a,), saturate=True, line=self.line))
            self.nodes[a.node] = source._replace(saturate=True)  # a result of this very instruction
            return a
        if (source.saturate and not a.modifier) or (source.op in ("slt", "sge") and a.modifier in (0, ABS)):
            return Ref(a.node)
        return self._shared("mov", (a,), True)

    def move(self, a: Ref) -> Ref:
        """The value itself; an instruction where nothing is optimised."""
        return a if self.optimise else self.op("mov", a)
