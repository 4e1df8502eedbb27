"""Instructions with registers as a program: operations, blocks, interface."""

from __future__ import annotations

from lanewise.compile.pica200.machine import (
    BOTH,
    ELSE,
    END_FOR,
    END_IF,
    FIRST,
    LABEL,
    LANES,
    Fixed,
    Inst,
    Known,
    Part,
    successors,
)
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.layout import Layout, lay_out
from lanewise.pica200.isa.module import Mark, Module, Unit
from lanewise.pica200.isa.program import BLOCK, Dest, Operation, Output, Reference, Source, Uniform
from lanewise.pica200.isa.table import BOOLEAN, BY_NAME, INTEGER, SEMANTICS
from lanewise.pica200.isa.uniforms import GUARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.pica200.allocate import Allocation
    from lanewise.compile.pica200.places import Places
    from lanewise.compile.vector.code import Program as VectorProgram
    from lanewise.pica200.isa.program import Operand, Program

_MARKS = {ELSE: m.ELSE, END_IF: m.END_IF, END_FOR: m.END_FOR}


def separated(insts: Sequence[Inst], always: int) -> list[Inst]:
    """With a `nop` before each `mova` that could come right after another, which hangs the hardware, and where a jump leads to
    the end of a block."""
    found: list[Inst] = []
    for n, inst in enumerate(insts):
        found.append(inst)
        if inst.op == LABEL and n + 1 < len(insts) and insts[n + 1].op in (*_MARKS, LABEL):
            following = next((each for each in insts[n + 1 :] if each.op != LABEL), inst)
            if following.op in _MARKS and insts[n + 1].op != LABEL:
                found.append(Inst("nop", line=inst.line))
    following = successors(found, always)
    # Marks are no words: whether a mova is the last word before each place.
    after = [False] * (len(found) + 1)
    changed = True
    while changed:
        changed = False
        for n, inst in enumerate(found):
            last = inst.op == "mova" or (after[n] and inst.op in (*_MARKS, LABEL))
            for place in following[n] if last else ():
                if not after[place]:
                    after[place] = changed = True
    result: list[Inst] = []
    for n, inst in enumerate(found):
        if inst.op == "mova" and after[n]:
            result.append(Inst("nop", line=inst.line))
        result.append(inst)
    return result


class Emission:
    """The operations of a program, and its interface."""

    vector: VectorProgram
    places: Places
    allocation: Allocation

    def __init__(self, program: VectorProgram, places: Places, allocation: Allocation) -> None:
        self.vector, self.places, self.allocation = program, places, allocation
        self.origins: dict[int, Inst] = {}  # by the span of an operation, of a program with scopes: each has one of its own

    def program(self) -> Program:
        items: list[Operation | Mark] = [Mark(m.PROC, "main", Span(file=self.vector.name))]
        for inst in separated(self.allocation.insts, self.places.true):
            items += self._item(inst)
        items.append(Operation(op=BY_NAME["end"], operands=()))
        items.append(Mark(m.END_PROC, "main", Span(file=self.vector.name)))
        module = Module(
            items=tuple(items),
            units=(self._unit(),),
            declared=(),
            descriptors={},
            padding=True,
            raw=False,
            container={},
            places={},
            end=Span(file=self.vector.name),
        )
        program, _ = lay_out(module, Layout(pads=True, exact_limits=False))
        return program

    def _item(self, inst: Inst) -> list[Operation | Mark]:
        span = self.places.span(inst.line)
        if inst.op in _MARKS:
            return [Mark(_MARKS[inst.op], "", span)]
        if inst.op == LABEL:
            return [Mark(m.LABEL, inst.label, span)]
        operands = self._operands(inst)
        if self.vector.scopes:
            span = Span._make(span)
            self.origins[id(span)] = inst
        return [] if operands is None else [Operation(op=BY_NAME[inst.op], operands=operands, descriptor=-1, span=span)]

    def _operands(self, inst: Inst) -> tuple[Operand, ...] | None:
        """Operands in the order of the row; None for a copy of a register to itself."""
        match inst.op:
            case "nop" | "break":
                return ()
            case "ifc":
                return _given(inst), BLOCK
            case "ifu" | "for":
                return inst.number, BLOCK
            case "jmpc":
                return _given(inst), Reference(inst.label)
            case "jmpu":
                return inst.number, Reference(inst.label, int(inst.inverted))
            case "breakc":
                return (_given(inst),)
            case "cmp":
                slots = range(len(inst.sources[0]))
                a, b = (self._source(source, {n: n for n in slots}, spread=True) for source in inst.sources)
                return a, inst.compare[0], inst.compare[1], b
            case "mova":
                mask = inst.number  # of one register, or of both
                slots = {0: 0, 1: 1} if mask == BOTH else {mask - 1: 0}
                return Dest(0, sum(8 >> slot for slot in slots)), self._source(inst.sources[0], slots, spread=True)
            case _:
                return self._computing(inst)

    def _computing(self, inst: Inst) -> tuple[Operand, ...] | None:
        homes = [self.allocation.home(cell) for cell in inst.dst]
        assert len({register for register, _ in homes}) == 1, inst
        components = [component for _, component in homes]
        dest = Dest(homes[0][0], sum(8 >> component for component in components))
        if inst.op in LANES:
            slots = {component: lane for lane, component in enumerate(components)}
            sources = [self._source(source, slots) for source in inst.sources]
            if inst.op == "mov" and self._idle(inst):
                return None
        elif inst.op in FIRST:
            sources = [self._source(source, {0: 0}, spread=True) for source in inst.sources]
        else:
            sources = [self._source(source, {n: n for n in range(len(source))}) for source in inst.sources]
        return dest, *sources

    def _idle(self, inst: Inst) -> bool:
        """Whether each cell of a copy already is where it would be copied to."""
        for cell, part in zip(inst.dst, inst.sources[0], strict=True):
            if part.negated or not isinstance(part.what, int) or self.allocation.home(cell) != self.allocation.home(part.what):
                return False
        return True

    def _source(self, source: Sequence[Part], slots: dict[int, int], *, spread: bool = False) -> Source:
        """A source of which slot n reads lane `slots[n]`; the others do not matter, and read what makes descriptors alike."""
        read = [self._place(part) for part in source]
        register, _, index = read[0]
        assert len({(r, i, part.negated) for (r, _, i), part in zip(read, source, strict=True)}) == 1, (source, read)
        chosen = {slot: read[lane][1] for slot, lane in slots.items()}
        rest = next(iter(chosen.values())) if spread else -1
        selector = 0
        for slot in range(4):
            selector = selector << 2 | chosen.get(slot, slot if rest < 0 else rest)
        return Source(register, selector, source[0].negated, index)

    def _place(self, part: Part) -> tuple[int, int, int]:
        match part.what:
            case int():
                register, component = self.allocation.home(part.what)
                return register, component, 0
            case Fixed(register, component, _, index):
                return register, component, index
            case Known():
                raise AssertionError("a constant without a register")

    def _unit(self) -> Unit:
        unit = Unit(self.vector.name, Span(file=self.vector.name))
        places = self.places
        for given, register in zip(self.vector.inputs, places.inputs, strict=True):
            unit.inputs.append(Uniform(name=given.name, first=register, last=register, span=places.span(given.line)))
            unit.input_mask |= 1 << register
        for given, register in zip(self.vector.uniforms, places.uniforms, strict=True):
            unit.uniforms.append(
                Uniform(
                    name=given.name,
                    first=register,
                    last=register + given.rows - 1,
                    symbol=_symbol(given.name),
                    span=places.span(given.line),
                )
            )
        for number, count in enumerate(self.vector.counts):
            registers = [INTEGER + loop.register for loop in places.loops if loop.counted == number]
            for n, register in enumerate(registers):
                name = count.name if n == 0 else f"{count.name}.{n + 1}"
                unit.uniforms.append(
                    Uniform(name=name, first=register, last=register, symbol=_symbol(name), span=places.span(count.line))
                )
        for given, register in zip(self.vector.flags, places.flags, strict=True):
            unit.uniforms.append(
                Uniform(
                    name=given.name,
                    first=BOOLEAN + register,
                    last=BOOLEAN + register,
                    symbol=_symbol(given.name),
                    span=places.span(given.line),
                )
            )
        for number, register in places.guards.items():
            name = self.vector.counts[number].name + GUARD
            unit.uniforms.append(Uniform(name=name, first=BOOLEAN + register, last=BOOLEAN + register, symbol=_symbol(name)))
        for given, register in zip(self.vector.outputs, places.outputs, strict=True):
            semantic = SEMANTICS.index(given.semantic)
            unit.outputs.append(
                Output(semantic=semantic, register=register, mask=given.mask, name=given.name, span=places.span(given.line))
            )
            unit.output_mask |= 1 << register
        unit.constants += places.presets()
        return unit


def _symbol(name: str) -> bytes | None:
    """Return a symbol that keeps a name in the file: a uniform whose name starts with `_` is private in the language, and not
    in GLSL."""
    return name.encode() if name.startswith("_") else None


def _given(inst: Inst) -> Operand:
    assert inst.condition is not None
    return inst.condition
