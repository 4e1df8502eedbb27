"""Trace of a lane: operands, results, writes, questions and state of each step.

It is built from the reference engine's records of each step and its registers before and after; it has no code for single
instructions. Values are words of the profile's format, as in `engine.reference`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.pica200.isa.table import FLOAT, LOOP, TEMPORARY, register_name
from lanewise.pica200.sem.components import (
    AL,
    Component,
    component_of,
    components_written,
    flags_used,
    index_component,
    slots_used,
)
from lanewise.pica200.sem.flow import Ask, Edge
from lanewise.pica200.sem.influence import written as written_by
from lanewise.pica200.sem.registers import FLOAT_COUNT, SLOTS, fetch, indexed_row, is_indexed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.engine.reference import Machine, Reference, Step, Words
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.flow import Action, ControlState, LoopValues, Question, Tree
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result


class Operand(Record):
    """A source as the instruction had it."""

    source: Source
    "Operand of the instruction."
    row: int
    "Register that was read, after indexing, as a number of `Registers.readable`."
    words: Words
    "Components that the instruction saw, after selector and sign."
    used: tuple[int, ...]
    "Slots that its results depend on, from 0."
    indexed: bool
    "An index was added."

    @property
    def register(self) -> str:
        """The name of the register, such as `c9`; `ones` past the last uniform."""
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


class TraceStep(Record):
    """One instruction. Flags, a0, loops and state are those after it."""

    number: int
    "Number of the step, from 0."
    pc: int
    "Address of the word."
    inst: Inst | None
    "The instruction; None where the program has no word."
    operands: tuple[Operand, ...]
    "Sources in the order of the instruction."
    result: Result[int, bool, int]
    "Result before the write mask."
    writes: tuple[Write, ...]
    "Registers that it wrote."
    made: dict[Component, tuple[Component, ...]]
    "Each component written, with those that it depends on."
    answers: tuple[tuple[Question, bool], ...]
    "Questions of its flow."
    actions: tuple[Action, ...]
    "Effects of these on aL and the counters."
    cmp: tuple[bool, bool]
    "Flags x and y."
    a0: tuple[int, int]
    "Components x and y."
    loops: LoopValues[int]
    "aL and the counters of the LOOP ring."
    state: ControlState
    "Stacks, with the next address as `pc`."
    ended: bool
    "It was the last, without a fault."
    unwritten: tuple[Component, ...]
    "Components that it read uninitialised."

    @property
    def shape(self) -> ControlState:
        """The old name of `state`."""
        warnings.warn("TraceStep.shape is deprecated: use TraceStep.state", DeprecationWarning, stacklevel=2)
        return self.state


def trace_steps(program: Reference, machine: Machine, written: frozenset[Component] = frozenset()) -> Iterator[TraceStep]:
    """Run a started lane, and yield a record for each executed instruction.

    A fault is not a step: it is in `machine.fault`. `written` are components written by lanes before that the profile keeps.
    """
    recorder = StepRecorder(program, machine, written)
    while not machine.finished:
        step = recorder.step()
        if step is None:
            return
        yield step


class Uses(NamedTuple):
    """Components that a program can write, which an instruction at an address reads and writes, whatever the data are.

    `indexed`: it also reads temporaries by index.
    """

    reads: frozenset[Component]
    writes: frozenset[Component]
    indexed: bool


class StepRecorder:
    """Steps of one lane, with or without a record. `known` are the components written so far, of this lane or kept ones
    before."""

    __slots__ = ("_program", "_uses", "known", "machine")

    known: frozenset[Component]
    machine: Machine

    def __init__(self, program: Reference, machine: Machine, known: frozenset[Component] = frozenset()) -> None:
        self._program, self.machine, self.known = program, machine, known
        self._uses: dict[int, Uses] = {}

    def step(self) -> TraceStep | None:
        """Do an instruction and record it; None if the lane stopped with a fault instead."""
        program, machine = self._program, self.machine
        place = program.place(machine.state)
        operands = tuple(_operands(program, machine, place.resolved)) if place.resolved else ()
        registers = machine.registers
        outputs, readable, cmp, a0 = list(registers.outputs), list(registers.readable), registers.cmp, registers.a0
        number, uses = machine.steps, self.uses(machine.state)
        step = machine.step()
        if machine.fault is not None:
            return None
        depends = _sources_of(place.resolved, operands) if place.resolved else {}
        missing = [component for component in _own(depends) if component not in self.known]
        asked = self._followed(step, uses.writes)
        missing += [component for component in asked if component not in missing]
        actions = _actions(place.tree, step)
        writes = _writes(place.resolved, outputs, readable, cmp, a0, machine) if place.resolved else ()
        return TraceStep(
            number=number,
            pc=step.pc,
            inst=step.inst,
            operands=operands,
            result=step.result,
            writes=writes,
            made=depends,
            answers=step.answers,
            actions=actions,
            cmp=registers.cmp,
            a0=registers.a0,
            loops=registers.loops,
            state=machine.state,
            ended=machine.finished,
            unwritten=tuple(missing),
        )

    def advance(self) -> tuple[Step, bool] | None:
        """Do an instruction: what the engine says of it, and whether it may have read something that was not written.

        None if the lane stopped with a fault instead.
        """
        machine = self.machine
        uses = self.uses(machine.state)
        step = machine.step()
        if machine.fault is not None:
            return None
        unset = uses.indexed or not uses.reads <= self.known
        return step, bool(self._followed(step, uses.writes)) or unset

    def uses(self, state: ControlState) -> Uses:
        """The components that the instruction at a state reads and writes."""
        found = self._uses.get(state.pc)
        if found is None:
            found = self._uses[state.pc] = self._used(state)
        return found

    def _used(self, state: ControlState) -> Uses:
        place = self._program.place(state)
        if place.resolved is None:
            starts = place.inst is not None and place.inst.op.kind == LOOP
            return Uses(frozenset(), frozenset((AL,)) if starts else frozenset(), indexed=False)
        program, resolved = self._program, place.resolved
        operands = tuple(_operands(program, self.machine, resolved))
        depends = _sources_of(resolved, operands)
        indexed = any(operand.indexed and operand.source.register < FLOAT for operand in operands)
        return Uses(frozenset(_own(depends)), frozenset(depends), indexed)

    def _followed(self, step: Step, written: frozenset[Component]) -> list[Component]:
        """Follow a step that wrote components: the flags that its flow asked for and nothing has written."""
        known = self.known
        if not written <= known:
            known |= written
        self.known = known
        asked = [component for question, _ in step.answers for component in flags_used(question) if component not in known]
        return list(dict.fromkeys(asked))


def _own(depends: Mapping[Component, Sequence[Component]]) -> Iterator[Component]:
    """The components that results depend on, of those that a program can write and read."""
    return iter(dict.fromkeys([source for found in depends.values() for source in found if source.file in ("r", "a0", "aL")]))


def _operands(program: Reference, machine: Machine, instruction: ResolvedInst) -> Iterator[Operand]:
    m, registers, profile = program.algebra, machine.registers, program.profile
    live = slots_used(instruction)
    for number, source in enumerate(instruction.sources):
        indexed = is_indexed(source, profile)
        row = indexed_row(m, registers, source, profile) if indexed else source.register
        used = tuple(slot for slot in range(4) if (number, slot) in live)
        yield Operand(source=source, row=row, words=fetch(m, registers, source, profile), used=used, indexed=indexed)


def _sources_of(instruction: ResolvedInst, operands: Sequence[Operand]) -> dict[Component, tuple[Component, ...]]:
    """The components that each written component depends on: sources in order, then index registers."""
    found: dict[Component, tuple[Component, ...]] = {}
    for component, slots in zip(components_written(instruction), written_by(instruction).values(), strict=True):
        ordered = sorted(slots)
        components = [operands[number].component(slot) for number, slot in ordered]
        components += [index_component(operands[number].source.relative) for number, _ in ordered if operands[number].indexed]
        found[component] = tuple(dict.fromkeys(components))
    return found


def _actions(tree: Tree, step: Step) -> tuple[Action, ...]:
    """The effects of the path taken on the numbers of the flow."""
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
