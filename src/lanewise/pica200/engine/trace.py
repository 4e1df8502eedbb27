"""A lane step by step: for each instruction what it read, computed, wrote and asked, and the state it left.

Made from what the reference engine gives for each step and from its registers around it; it knows no instruction. Values are words
of the profile's format, as in `engine.reference`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.isa.table import FLOAT, TEMPORARY, register_name
from lanewise.pica200.sem.components import (
    AL,
    Component,
    component_of,
    components_written,
    flags_used,
    index_component,
    slots_used,
)
from lanewise.pica200.sem.flow import Ask, Edge, Push
from lanewise.pica200.sem.influence import written as written_by
from lanewise.pica200.sem.registers import FLOAT_COUNT, SLOTS, fetch, indexed_row, is_indexed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.engine.reference import Machine, Reference, Step, Words
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.flow import Action, ControlState, LoopValues, Question, Tree
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result


class Operand(NamedTuple):
    """A source as the instruction had it.

    `row` is the register that was read, after indexing, as a number of `Registers.readable`; `words` what the instruction saw,
    after selector and sign; `used` the slots that its results depend on.
    """

    source: Source
    row: int
    words: Words
    used: tuple[int, ...]
    indexed: bool

    @property
    def register(self) -> str:
        """`c9`; `ones` behind the last uniform."""
        return "ones" if self.row >= FLOAT + FLOAT_COUNT else register_name(self.row)

    def component(self, slot: int) -> Component:
        """The component that a slot was read from."""
        return component_of(self.row, SLOTS[self.source.selector][slot])

    def cell(self, slot: int) -> Component:
        """The old name of `component`."""
        warnings.warn("Operand.cell is deprecated: use Operand.component", DeprecationWarning, stacklevel=2)
        return self.component(slot)


class Write(NamedTuple):
    """A register written under a mask (bit 3 is x): `register` is o0-o15, r0-r15, a0 or cmp.

    `old` and `new` are the whole register: four words, the two integers of a0, the two truth values of cmp.
    """

    register: str
    mask: int
    old: tuple[int, ...]
    new: tuple[int, ...]


class TraceStep(NamedTuple):
    """One instruction. `pc` is its word address; `inst` is None where the program has no word.

    `result` is what it computed before the mask; `made` says of each component written which others it is made of; `answers` are
    what its flow asked, `actions` what that did to aL and the counters. `cmp`, `a0`, `loops` and `state` are as they were after
    it; `state.pc` is where it went. `ended` if it was the last, and no fault. `unwritten` are the components it used before
    anything had written them.
    """

    number: int
    pc: int
    inst: Inst | None
    operands: tuple[Operand, ...]
    result: Result[int, bool, int]
    writes: tuple[Write, ...]
    made: dict[Component, tuple[Component, ...]]
    answers: tuple[tuple[Question, bool], ...]
    actions: tuple[Action, ...]
    cmp: tuple[bool, bool]
    a0: tuple[int, int]
    loops: LoopValues[int]
    state: ControlState
    ended: bool
    unwritten: tuple[Component, ...]

    @property
    def shape(self) -> ControlState:
        """The old name of `state`."""
        warnings.warn("TraceStep.shape is deprecated: use TraceStep.state", DeprecationWarning, stacklevel=2)
        return self.state


def trace_steps(program: Reference, machine: Machine, written: frozenset[Component] = frozenset()) -> Iterator[TraceStep]:
    """Run a lane that has been started, a record for each instruction done. A fault is no step: it is in `machine.fault`.

    `written` are components that lanes before have written and the profile keeps.
    """
    known = set(written)
    while not machine.finished:
        place = program.place(machine.state)
        operands = tuple(_operands(program, machine, place.resolved)) if place.resolved else ()
        registers = machine.registers
        outputs, readable, cmp, a0 = list(registers.outputs), list(registers.readable), registers.cmp, registers.a0
        number = machine.steps
        step = machine.step()
        if machine.fault is not None:
            return
        made = _sources_of(place.resolved, operands) if place.resolved else {}
        asked = [component for question, _ in step.answers for component in flags_used(question)]
        used = dict.fromkeys(
            component for components in made.values() for component in components if component.file in ("r", "a0", "aL")
        )
        missing = [component for component in used if component not in known]
        known.update(made)
        missing += [component for component in dict.fromkeys(asked) if component not in known]
        actions = _actions(place.tree, step)
        if any(isinstance(action, Push) for action in actions):
            known.add(AL)
        writes = _writes(place.resolved, outputs, readable, cmp, a0, machine) if place.resolved else ()
        yield TraceStep(
            number, step.pc, step.inst, operands, step.result, writes, made, step.answers, actions,
            registers.cmp, registers.a0, registers.loops, machine.state, machine.finished, tuple(missing),
        )  # fmt: skip


def _operands(program: Reference, machine: Machine, instruction: ResolvedInst) -> Iterator[Operand]:
    m, registers, profile = program.algebra, machine.registers, program.profile
    live = slots_used(instruction)
    for number, source in enumerate(instruction.sources):
        indexed = is_indexed(source, profile)
        row = indexed_row(m, registers, source, profile) if indexed else source.register
        used = tuple(slot for slot in range(4) if (number, slot) in live)
        yield Operand(source, row, fetch(m, registers, source, profile), used, indexed)


def _sources_of(instruction: ResolvedInst, operands: Sequence[Operand]) -> dict[Component, tuple[Component, ...]]:
    """For each component written, the components it is made of: sources in order, then what they were indexed by."""
    found: dict[Component, tuple[Component, ...]] = {}
    for component, slots in zip(components_written(instruction), written_by(instruction).values(), strict=True):
        ordered = sorted(slots)
        components = [operands[number].component(slot) for number, slot in ordered]
        components += [index_component(operands[number].source.relative) for number, _ in ordered if operands[number].indexed]
        found[component] = tuple(dict.fromkeys(components))
    return found


def _actions(tree: Tree, step: Step) -> tuple[Action, ...]:
    """What the way that was taken did to the numbers of the flow."""
    actions: tuple[Action, ...] = ()
    for _, answer in step.answers:
        assert isinstance(tree, Ask)
        actions = (*actions, *tree.actions)
        tree = tree.yes if answer else tree.no
    return (*actions, *tree.actions) if isinstance(tree, Edge) else actions


def _writes(
    instruction: ResolvedInst,
    outputs: Sequence[Words],
    readable: Sequence[Words],
    cmp: tuple[bool, bool],
    a0: tuple[int, int],
    machine: Machine,
) -> tuple[Write, ...]:
    masks: dict[str, int] = {}
    for what, channel in written_by(instruction):
        masks[what] = masks.get(what, 0) | 8 >> channel
    register, after = instruction.dest.register, machine.registers
    found: list[Write] = []
    for what, mask in masks.items():
        if what == "cmp":
            found.append(Write("cmp", mask, cmp, after.cmp))
        elif what == "a0":
            found.append(Write("a0", mask, a0, after.a0))
        elif register >= TEMPORARY:
            found.append(Write(register_name(register), mask, readable[register], after.readable[register]))
        else:
            found.append(Write(f"o{register}", mask, outputs[register], after.outputs[register]))
    return tuple(found)
