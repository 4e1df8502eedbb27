"""The counters of loops: components that go from a known number by known steps to a test."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Unsupported
from lanewise.compile.spirv.branches import Branches
from lanewise.compile.spirv.context import State
from lanewise.compile.spirv.joins import Slot, Test, Trial
from lanewise.compile.spirv.values import Known, Opaque, Pointer, Scalar
from lanewise.compile.vector.code import (
    ADD,
    EQ,
    LE,
    LT,
    NE,
    NOT,
    CountOf,
    Number,
    Operate,
    Ref,
    Row,
)
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.compile.spirv.module import Block

_MOST_TURNS = 4096  # of which the number of a loop is looked for


class Counter(Record):
    """A component that a loop counts, with a test at its head or tail."""

    slot: Slot
    "The variable or value, and the component of it, that counts."
    start: int
    "Its value before the loop."
    step: int
    "The difference from turn to turn."
    turns: int | CountOf
    "How many turns there are."
    last: Scalar
    "Its value after the loop."
    test: Test
    "The branch that leaves the loop."


class Counting(Branches):
    """An execution that finds counters."""

    @staticmethod
    def _at(state: State, slot: Slot) -> Scalar:
        content = state.memory[slot.key] if slot.key is not None else state.ids[slot.id]
        if isinstance(content, (Pointer, Opaque)):
            raise Unsupported("a pointer changes in a loop")
        return content[slot.component]

    @staticmethod
    def _put(state: State, slot: Slot, scalar: Scalar) -> None:
        content = state.memory[slot.key] if slot.key is not None else state.ids[slot.id]
        if isinstance(content, (Pointer, Opaque)):
            raise Unsupported("a pointer changes in a loop")
        changed = (*content[: slot.component], scalar, *content[slot.component + 1 :])
        if slot.key is not None:
            state.memory[slot.key] = changed
        else:
            state.ids[slot.id] = changed

    def _counter(self, header: Block, state: State, trial: Trial, changed: set[Slot]) -> Counter | None:
        """The component that counts the turns of a loop, if there is one."""
        tests = [test for test in trial.tests if not isinstance(test.condition, Known)]
        if trial.back is None or not tests:
            return None
        test = tests[0]
        for slot in changed:
            start, head, after = self._at(state, slot), trial.head.get(slot), self._at(trial.back, slot)
            if (
                not isinstance(start, Known)
                or isinstance(start.value, float)
                or not isinstance(head, Ref)
                or not isinstance(after, Ref)
            ):
                continue
            step = self._affine(after, head)
            if step is None or not step:
                continue
            found = self._turns(slot, int(start.value), step, head, test)
            if found is not None:
                return found
        return None

    def _affine(self, scalar: Scalar, base: Ref) -> int | None:
        """Return the number that must be added to a component to get another; None where it is not known."""
        total = 0
        while isinstance(scalar, Ref) and scalar != base:
            definition = self.emitter.definitions.get(scalar.value)
            if not isinstance(definition, Operate) or definition.op != ADD or scalar.negated:
                return None
            a, b = [operand[scalar.lane] for operand in definition.operands]
            more = self._known(b)
            rest = a
            if more is None:
                more, rest = self._known(a), b
            if more is None or not float(more).is_integer():
                return None
            total += int(more)
            scalar = rest
        return total if isinstance(scalar, Ref) else None

    def _known(self, ref: Ref) -> float | None:
        definition = self.emitter.definitions.get(ref.value)
        if not isinstance(definition, Number) or self.emitter.homes[ref.value] != 0:
            return None
        value = definition.values[ref.lane]
        return -value if ref.negated else value

    def _turns(self, slot: Slot, start: int, step: int, head: Ref, test: Test) -> Counter | None:
        """The turns of a loop that leaves by a test of its counter."""
        condition = test.condition
        stays = not test.leaves_on
        definition = self.emitter.definitions.get(condition.value) if isinstance(condition, Ref) else None
        while isinstance(definition, Operate) and definition.op == NOT and isinstance(condition, Ref):
            stays = not stays
            condition = definition.operands[0][condition.lane]
            definition = self.emitter.definitions.get(condition.value)
        if not isinstance(definition, Operate) or definition.op not in (LT, LE, EQ, NE) or not isinstance(condition, Ref):
            return None
        a, b = [operand[condition.lane] for operand in definition.operands]
        for counted, bound, first in ((a, b, True), (b, a, False)):
            shift = self._affine(counted, head)
            if shift is None and counted == head.turned():
                shift = 0
            if shift is None:
                continue
            limit = self._known(bound)
            if limit is not None:
                turns = _count_turns(definition.op, stays, start, step, shift, limit, first, counted.negated, test.in_continue)
                return (
                    Counter(slot=slot, start=start, step=step, turns=turns, last=Known(start + turns * step), test=test)
                    if turns is not None
                    else None
                )
            return self._application_count(definition.op, stays, slot, start, step, shift, bound, first, test)
        return None

    def _application_count(
        self, op: str, stays: bool, slot: Slot, start: int, step: int, shift: int, bound: Ref, first: bool, test: Test
    ) -> Counter | None:
        """A loop that does as many turns as an int uniform says."""
        definition = self.emitter.definitions.get(bound.value)
        if (
            not isinstance(definition, Row)
            or definition.offset is not None
            or bound.negated
            or test.in_continue
            or step != 1
            or not stays
        ):
            return None
        interface = self.context.interface
        uniform, kind = interface.uniforms[definition.uniform], interface.uniform_types[definition.uniform]
        key = interface.uniform_keys[definition.uniform]
        if (uniform.rows, uniform.columns, kind.kind) != (1, 1, "int") or not interface.may_be_flag(key):
            return None
        begins = start + shift
        fits = (op == LT and first and begins == 0) or (op == LE and first and begins == 1) or (op == NE and begins == 0)
        if not fits:
            return None
        last: Scalar = bound if start == 0 else self.emitter.scalar(ADD, bound, Known(start))
        return Counter(
            slot=slot, start=start, step=step, turns=CountOf(interface.count(definition.uniform)), last=last, test=test
        )


def _count_turns(
    op: str, stays: bool, start: int, step: int, shift: int, limit: float, first: bool, turned: bool, at_end: bool
) -> int | None:
    """How often a loop turns: until its test fails, at the head of a turn or at its end; None if that takes too long."""
    value = start
    for turn in range(_MOST_TURNS):
        counted = -(value + shift) if turned else value + shift
        a, b = (counted, limit) if first else (limit, counted)
        holds = a < b if op == LT else a <= b if op == LE else a == b if op == EQ else a != b
        if holds != stays:
            return turn + at_end
        value += step
    return None
