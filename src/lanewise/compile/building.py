"""The words of ShaderCore as a writer of code: each call becomes a node, unless it is one that is there, or one whose bits are known.

`Builder` is an implementation of `sem.shadercore.Algebra` on `Ref`. What is constant is computed at once by the exact words of the
device; equal requests are one node; and the rows of `compile.rewrites` that keep every bit under the device are used on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.code import CONSTANT, INPUT, MAGNITUDE, PATTERN, SIGN, Code, Node, Output, Ref, modified, modified_bits
from lanewise.compile.rewrites import REWRITES, holds
from lanewise.shadercore.isa.table import ABS, LANES, NEG_ABS, NEGATE
from lanewise.shadercore.sem.meaning import meanings
from lanewise.shadercore.sem.numbers import Words

if TYPE_CHECKING:
    from lanewise.shadercore.isa.devices import Device

_LEFT = {8: "bshftl8", 16: "bshftl16", 24: "bshftl24"}
_RIGHT = {8: "bshftr8", 16: "bshftr16", 24: "bshftr24"}


class Builder:
    """Code for a device in the making."""

    def __init__(self, device: Device, *, optimise: bool = True) -> None:
        """`optimise`: share equal nodes, compute what is constant, use rewrites. Without it each request is an instruction."""
        self.device = device
        self.optimise = optimise
        self.line = -1  # the source instruction that nodes are made for
        self.mark = 0  # the first node of that instruction
        self.nodes: list[Node] = []
        self.outputs: list[Output] = []
        self._known: dict[Node, Ref] = {}
        self._words = Words(device)
        self._meanings = meanings(self._words)
        self._rewrites = {op: [row.apply for row in REWRITES if op in row.ops and holds(row, device)] for op in self._meanings}

    def code(self) -> Code:
        return Code(tuple(self.nodes), tuple(self.outputs))

    # Leaves

    def input(self, number: int, component: int) -> Ref:
        return self._leaf(Node(INPUT, number=number, component=component))

    def uniform(self, number: int, component: int) -> Ref:
        """A constant that the application sets."""
        return self._leaf(Node(CONSTANT, number=number, component=component))

    def constant(self, bits: int, why: str = "") -> Ref:
        """A pattern. Only its magnitude is kept; the sign is a modifier, which acts on bit 31 whatever the instruction."""
        ref = self._leaf(Node(PATTERN, number=bits & MAGNITUDE, why=why))
        return Ref(ref.node, NEGATE) if bits & SIGN else ref

    def bits(self, ref: Ref) -> int | None:
        """The bits of a value, where they are known."""
        node = self.nodes[ref.node]
        return modified_bits(node.number, ref.modifier) if node.op == PATTERN else None

    def _leaf(self, node: Node) -> Ref:
        key = node._replace(why="")
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Ref(len(self.nodes))
            self.nodes.append(node)
        return found

    def op(self, name: str, *sources: Ref, saturate: bool = False) -> Ref:
        """The value that an instruction makes."""
        if not self.optimise:
            return self._add(Node(name, sources, saturate, line=self.line))
        for apply in self._rewrites[name]:
            found = apply(self, name, sources)
            if isinstance(found, Ref):
                return self.saturate(found) if saturate else found
            if found is not None:
                sources = found
        folded = self._folded(name, sources)
        if folded is not None:
            return self.saturate(folded) if saturate else folded
        node = Node(name, sources, saturate)
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._add(node._replace(line=self.line))
        return known

    def _add(self, node: Node) -> Ref:
        self.nodes.append(node)
        return Ref(len(self.nodes) - 1)

    def _folded(self, name: str, sources: tuple[Ref, ...]) -> Ref | None:
        """What an instruction makes of known bits, if it is the same in all lanes of a wave."""
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

    # The words

    def xor(self, a: Ref, bits: int) -> Ref:
        if bits != SIGN:
            raise ValueError(f"no instruction inverts the bits {bits:#x}: a source modifier does bit 31")
        return self._signed(a, NEGATE)

    def mask(self, a: Ref, bits: int) -> Ref:
        return self._signed(a, ABS) if bits == MAGNITUDE else self.bit_and(a, self.constant(bits, "mask"))

    def set(self, a: Ref, bits: int) -> Ref:
        return self._signed(a, NEG_ABS) if bits == SIGN else self.bit_or(a, self.constant(bits, "mask"))

    def _signed(self, a: Ref, modifier: int) -> Ref:
        bits = self.bits(a)
        return modified(a, modifier) if bits is None else self.constant(modified_bits(bits, modifier))

    def negate(self, a: Ref) -> Ref:
        return self.xor(a, SIGN)

    def absolute(self, a: Ref) -> Ref:
        return self.mask(a, MAGNITUDE)

    def saturate(self, a: Ref) -> Ref:
        """Clamped to 0.0 and 1.0: a MOV, which `compile.passes` makes one with the instruction that gives the value where it can."""
        bits = self.bits(a)
        if bits is not None and self.optimise:
            return self.constant(self._words.saturate((bits,))[0], "computed")
        node = Node("mov", (a,), True)
        source = self.nodes[a.node]
        if not self.optimise:
            if a.node < self.mark or a.modifier or source.is_leaf:
                return self._add(node._replace(line=self.line))
            self.nodes[a.node] = source._replace(saturate=True)  # a result of this very instruction
            return a
        if (source.saturate and not a.modifier) or (source.op in ("slt", "sge") and a.modifier in (0, ABS)):
            return Ref(a.node)
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._add(node._replace(line=self.line))
        return known

    def move(self, a: Ref) -> Ref:
        """The value itself; an instruction where nothing is optimised."""
        return a if self.optimise else self.op("mov", a)

    def add(self, a: Ref, b: Ref) -> Ref:
        return self.op("add", a, b)

    def mul(self, a: Ref, b: Ref) -> Ref:
        return self.op("mul", a, b)

    def min(self, a: Ref, b: Ref) -> Ref:
        return self.op("min", a, b)

    def max(self, a: Ref, b: Ref) -> Ref:
        return self.op("max", a, b)

    def less(self, a: Ref, b: Ref) -> Ref:
        return self.op("slt", a, b)

    def at_least(self, a: Ref, b: Ref) -> Ref:
        return self.op("sge", a, b)

    def bit_or(self, a: Ref, b: Ref) -> Ref:
        return self.op("or", a, b)

    def bit_and(self, a: Ref, b: Ref) -> Ref:
        return self.op("and", a, b)

    def shift_left(self, a: Ref, places: int) -> Ref:
        return self.op(_LEFT[places], a)

    def shift_right(self, a: Ref, places: int) -> Ref:
        return self.op(_RIGHT[places], a)

    def scale(self, a: Ref, power: int) -> Ref:
        """`a * 2**power`; instruction words can say a power of 1 alone."""
        if power != 1:
            raise ValueError("SHFT multiplies by 2: no instruction word selects another factor (reference 2)")
        return self.op("shft", a)

    def sign(self, a: Ref) -> Ref:
        return self.op("sgn", a)

    def fraction(self, a: Ref) -> Ref:
        return self.op("frc", a)

    def round23(self, a: Ref) -> Ref:
        return self.op("rnd_sint23ne", a)

    def round16(self, a: Ref) -> Ref:
        return self.op("rnd_sint16ne", a)

    def unorm(self, a: Ref, bits: int) -> Ref:
        return self.op(f"cnv_unorm{bits}", a)

    def to_half(self, a: Ref) -> Ref:
        return self.op("cnv_f_to_half", a)

    def from_half(self, a: Ref) -> Ref:
        return self.op("cnv_half_to_f", a)

    def from_unsigned(self, a: Ref) -> Ref:
        return self.op("cnv_u32_to_f", a)

    def exp2(self, a: Ref) -> Ref:
        return self.op("exp", a)

    def log2(self, a: Ref) -> Ref:
        return self.op("log", a)

    def rcp(self, a: Ref) -> Ref:
        return self.op("rcp", a)

    def rsq(self, a: Ref) -> Ref:
        return self.op("rsq", a)
