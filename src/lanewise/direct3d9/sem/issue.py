"""The effect of one instruction on a machine over an abstract domain: its sources, its results, its writes.

A write is `select(mask, new, old)`, of each component; predication narrows the mask for it. All sources are read first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic

from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import MOVED
from lanewise.direct3d9.isa.program import register_file
from lanewise.direct3d9.isa.table import EQ
from lanewise.direct3d9.sem.algebra import ONE, SIGN, ZERO, Algebra, B, Component, I, Sampling, V
from lanewise.direct3d9.sem.meaning import Job, Operand, meanings, modified, shifted
from lanewise.direct3d9.sem.texture import textured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.program import Dest, Inst, Source
    from lanewise.direct3d9.isa.table import Version

W = 3
OUTPUTS = 16  # o# that a relative address may reach
LARGEST_8 = 0x41000000


class State(ABC, Generic[V, B, I]):
    """The registers that an instruction reads and writes. A cell holds a value, a truth value (p0, `LIVE`, `KILLED`) or an
    integer (a0, aL).

    Components that were never written are 0, false; constants and inputs are from the run, except c# that the shader defines.
    """

    @abstractmethod
    def read(self, cell: Component) -> V: ...
    @abstractmethod
    def write(self, cell: Component, value: V) -> None: ...
    def source(self, cell: Component) -> V:
        """`read` for an instruction's source: only lanes that are on in the block around (`when`) need be right, as no other is
        written."""
        return self.read(cell)

    @abstractmethod
    def read_truth(self, cell: Component) -> B: ...
    @abstractmethod
    def write_truth(self, cell: Component, value: B) -> None: ...
    @abstractmethod
    def read_integer(self, cell: Component) -> I: ...
    @abstractmethod
    def write_integer(self, cell: Component, value: I) -> None: ...
    @abstractmethod
    def read_indexed(self, file: int, base: int, index: I, component: int) -> V:
        """A component of register base + index of c# or v#; 0 out of range."""

    @abstractmethod
    def known(self, truth: B) -> bool | None:
        """True or False if that is so in all lanes and known now; None for anything else."""

    @abstractmethod
    def boolean(self, number: int) -> B:
        """b#: what the shader defines, else what the run gives, else false."""

    @abstractmethod
    def sample(self, request: Sampling[V]) -> tuple[V, V, V, V]:
        """The result of a sampler."""

    @abstractmethod
    def difference(self, value: V, axis: int) -> V:
        """How much more the value is in the pixel to the right (0) or below (1), in the same quad of 2x2 pixels."""

    def visit(self, inst: Inst) -> None:
        """Called before an instruction is computed, to record provenance."""


class Fetched(Operand[V], Generic[V, B, I]):
    """A source of an instruction."""

    def __init__(self, issuer: Issuer[V, B, I], source: Source, offset: int = 0) -> None:
        self._issuer, self._source, self._offset = issuer, source, offset
        self._swizzle = source.swizzle
        self._seen: dict[int, V] = {}

    def __getitem__(self, component: int) -> V:
        if component not in self._seen:
            self._seen[component] = self._issuer.component(self._source, self._offset, self._swizzle[component])
        return self._seen[component]

    def row(self, number: int) -> Operand[V]:
        return Fetched(self._issuer, self._source, self._offset + number)


class Issuer(Generic[V, B, I]):
    """Issues instructions to a machine, under a mask of lanes."""

    version: Version
    ops: Algebra[V, B, I]
    state: State[V, B, I]
    choices: Choices

    def __init__(self, version: Version, ops: Algebra[V, B, I], state: State[V, B, I], choices: Choices) -> None:
        self.version, self.ops, self.state, self.choices = version, ops, state, choices
        self._meanings = meanings(ops)
        self.depth: int = 0  # loops around that have an aL
        self._old = version.kind == isa.PIXEL and version.major < 2
        self._range = choices.value("ps1_range") if self._old else "free"

    # Questions

    def condition(self, inst: Inst) -> B:
        """The condition of a flow instruction: a comparison, or a b# or component of p0, which may be inverted."""
        if inst.op.control == isa.COMPARED:
            a, b = (self.fetched(source)[0] for source in inst.sources)
            return self._compare(inst.control, a, b)
        source = inst.sources[-1]
        if source.file == isa.CONSTBOOL:
            found = self.state.boolean(source.number)
        else:
            found = self.state.read_truth(Component(isa.PREDICATE, source.number, source.swizzle[0]))
        return self.ops.invert(found) if source.modifier == isa.NOT else found

    def _compare(self, comparison: int, a: V, b: V) -> B:
        """A reserved comparison, 0 or 7, never holds."""
        reserved = comparison & 7 in (0, 7)
        return self.ops.truth(False) if reserved else self.ops.compare(comparison & 7, a, b)

    def both(self, a: B, b: B) -> B:
        """Both; what is known is not computed."""
        known_a, known_b = self.state.known(a), self.state.known(b)
        if known_a is False or known_b is True:
            return a
        return b if known_b is False or known_a is True else self.ops.both(a, b)

    # Instructions

    def step(self, insts: Sequence[Inst], mask: B) -> None:
        """One instruction, or two that are issued together and read before either writes."""
        if self.choices.value("coissue") == "in_order":
            for inst in insts:
                self._compute(inst, mask)()
            return
        for write in [self._compute(inst, mask) for inst in insts]:
            write()

    def _compute(self, inst: Inst, mask: B) -> Callable[[], None]:
        """Compute the results of an instruction; the returned function writes them."""
        self.state.visit(inst)
        dest = inst.dest
        assert dest is not None
        wanted = tuple(n for n in range(4) if dest.mask >> n & 1)
        masks = {c: self._predicated(inst, c, mask) for c in wanted}
        wanted = tuple(c for c in wanted if self.state.known(masks[c]) is not False)
        sources = [self.fetched(source) for source in inst.sources if source.file != isa.SAMPLER]
        job = Job(
            m=self.ops, choices=self.choices, version=self.version, inst=inst, wanted=wanted, s=sources, read=self.state.read
        )
        if dest.file == isa.PREDICATE:
            predicates = {c: self._compare(inst.control, sources[0][c], sources[1][c]) for c in wanted}
            return lambda: self._write_predicates(dest, predicates, masks)
        if inst.op.role == isa.TEXTURING:
            return textured(self, job, mask, masks)
        if inst.op.name in ("dsx", "dsy"):
            values = {c: self.state.difference(sources[0][c], int(inst.op.name == "dsy")) for c in wanted}
        else:
            values = self._meanings[inst.op.name](job)
        if dest.file == isa.ADDR and self.version.kind == isa.VERTEX:
            how = self.choices.value("mova_tie")
            if inst.op.dest == MOVED and self.choices.value("mov_a0") == "floor" and self.version.major < 2:
                how = "floor"
            indices = {c: self.ops.address(value, how) for c, value in values.items()}
            return lambda: self._write_integers(dest, indices, masks)
        values = {c: self._finished(dest, value) for c, value in values.items()}
        return lambda: self.write(dest, values, masks)

    def _predicated(self, inst: Inst, component: int, mask: B) -> B:
        """The lanes in which an instruction writes a component."""
        source = inst.predicate
        if source is None:
            return mask
        found = self.state.read_truth(Component(isa.PREDICATE, source.number, source.swizzle[component]))
        return self.both(mask, self.ops.invert(found) if source.modifier == isa.NOT else found)

    def _finished(self, dest: Dest, value: V) -> V:
        """A result before it is written: shifted, limited, saturated."""
        value = shifted(self.ops, value, dest.shift)
        if dest.modifiers & isa.SATURATE:
            return self.ops.saturate(value)
        if self._range != "free":
            limit = ONE if self._range == "1" else LARGEST_8
            value = self.ops.max(self.ops.min(value, self.ops.constant(limit)), self.ops.constant(limit | SIGN))
        return value

    def write(self, dest: Dest, values: dict[int, V], masks: dict[int, B]) -> None:
        """Write components of a destination in the lanes of their masks."""
        for component, value in values.items():
            if not dest.is_relative:
                self._write_cell(Component(dest.file, dest.number, component), value, masks[component])
                continue
            index = self.index(dest.relative)
            for number in range(OUTPUTS):
                hit = self.ops.integer_is(index, number - dest.number)
                self._write_cell(Component(dest.file, number, component), value, self.both(masks[component], hit))

    def _write_cell(self, cell: Component, value: V, mask: B) -> None:
        known = self.state.known(mask)
        if known is None:
            self.state.write(cell, self.ops.select(mask, value, self.state.read(cell)))
        elif known:
            self.state.write(cell, value)

    def _write_predicates(self, dest: Dest, values: dict[int, B], masks: dict[int, B]) -> None:
        for component, value in values.items():
            self.write_truth(Component(dest.file, dest.number, component), value, masks[component])

    def write_truth(self, cell: Component, value: B, mask: B) -> None:
        """Write a truth value in the lanes of a mask."""
        known = self.state.known(mask)
        if known is None:
            self.state.write_truth(cell, self.ops.truth_select(mask, value, self.state.read_truth(cell)))
        elif known:
            self.state.write_truth(cell, value)

    def _write_integers(self, dest: Dest, values: dict[int, I], masks: dict[int, B]) -> None:
        for component, value in values.items():
            cell, mask = Component(dest.file, dest.number, component), masks[component]
            known = self.state.known(mask)
            if known is None:
                self.state.write_integer(cell, self.ops.integer_select(mask, value, self.state.read_integer(cell)))
            elif known:
                self.state.write_integer(cell, value)

    # Sources

    def fetched(self, source: Source) -> Operand[V]:
        """A source of the instruction that is computed."""
        return Fetched(self, source)

    def index(self, relative: int | None) -> I:
        """The address register of a relative operand: a0.x without a token (vs_1_1), else a component of a0, or aL."""
        if relative is None:
            return self.state.read_integer(Component(isa.ADDR, 0, 0))
        if register_file(relative) == isa.LOOP:
            if not self.depth:
                return self.ops.integer(0)
            return self.state.read_integer(Component(isa.LOOP, self.depth - 1, 0))
        return self.state.read_integer(Component(isa.ADDR, relative & 0x7FF, relative >> 16 & 3))

    def raw(self, source: Source, offset: int, component: int) -> V:
        """A component of a source's register, or of a later one, without modifier."""
        file = source.file
        number = (source.constant if file in isa.CONSTANT_FILES else source.number) + offset
        if file in isa.CONSTANT_FILES:
            file = isa.CONST
        if source.is_relative:
            return self.state.read_indexed(file, number, self.index(source.relative), component)
        return self.state.source(Component(file, number, component))

    def component(self, source: Source, offset: int, component: int) -> V:
        """The same with the source's modifier."""
        value = self.raw(source, offset, component)
        if source.modifier in (isa.DZ, isa.DW):
            return self._divided(value, self.raw(source, offset, 2 if source.modifier == isa.DZ else W))
        return modified(self.ops, value, source.modifier)

    def _divided(self, value: V, divisor: V) -> V:
        """value / divisor, 1.0 where that is 0 (ps_1_4) [D]."""
        m = self.ops
        zero = m.compare(EQ, divisor, m.constant(ZERO))
        return m.select(zero, m.constant(ONE), m.mul(value, m.rcp(divisor)))
