"""The walk over a Direct3D 9 shader that keeps its control flow: for one vertex there are no masks.

Routines are put in place of their calls. A `ret` before the end of one leaves a scope around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.direct3d9.constants import MOST_ITERATIONS, integers_of
from lanewise.compile.direct3d9.nodes import Scalar
from lanewise.compile.direct3d9.recorder import Condition, Recorder, Whole
from lanewise.compile.vector.code import Count, CountOf, For, If, Leave, Ref, Scope
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.constants import INT_SET
from lanewise.direct3d9.isa.program import register_file
from lanewise.direct3d9.sem import tree
from lanewise.direct3d9.sem.algebra import Component
from lanewise.direct3d9.sem.issue import OUTPUTS, Issuer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.program import Inst

INTEGERS = 4  # i# of the hardware; those of other numbers get one that is free
MOST_INSTRUCTIONS = 4096  # with all calls in place: the hardware has 512 words
Assigned = frozenset[Component] | None


class Structured(Issuer[Scalar, Condition, Whole]):
    """Walks a shader over a recorder."""

    depth: int
    flow: tree.Flow
    recorder: Recorder

    def __init__(self, recorder: Recorder, choices: Choices) -> None:
        super().__init__(recorder.flow.version, recorder, recorder, choices)
        self.flow, self.recorder = recorder.flow, recorder
        self.counts: list[Count] = []
        self._labels = 0
        self._exits: dict[int, list[Assigned]] = {}  # what was stored where a loop or scope is left
        self._loops: list[list[int]] = []  # labels of the loops of each routine that is being walked, inmost last
        self._scopes: list[int] = []  # labels of the routines
        self.count_of: dict[int, int] = {}  # index of the count of each i#
        self._reads_counter = any(
            operand.relative is not None and register_file(operand.relative) == isa.LOOP
            for inst in recorder.flow.insts
            for operand in inst.operands
        )

    def walk(self) -> None:
        """From the first instruction to the last. Raises Refused."""
        if tree.expanded(self.flow) > MOST_INSTRUCTIONS:
            raise self.recorder.refused(
                "L303",
                f"with calls inlined the shader has {tree.expanded(self.flow)} instructions, but the hardware has 512 words",
                "use fewer calls: a routine that calls another twice doubles its size",
            )
        self._routine(self.flow.main)

    def _routine(self, routine: tree.Routine) -> None:
        recorder = self.recorder
        label = self._label()
        self._loops.append([])
        self._scopes.append(label)
        if routine.returns:
            found = recorder.nested(lambda: self._block(routine.block))
            recorder.assigned = _meet([*self._exits[label], recorder.assigned])
            recorder.block.append(Scope(label, found.body))
        else:
            self._block(routine.block)
        self._scopes.pop()
        self._loops.pop()

    def _label(self) -> int:
        self._labels += 1
        self._exits[self._labels] = []
        return self._labels

    def _block(self, block: tree.Block) -> None:
        for node in block:
            if self.recorder.assigned is None:
                return  # no path leads here
            if isinstance(node, tree.Step):
                self._issued(node.insts)
            elif isinstance(node, tree.If):
                self._if(node)
            elif isinstance(node, tree.Loop):
                self._loop(node)
            elif isinstance(node, tree.Call):
                self._call(node)
            else:
                self._leave(node)

    def _issued(self, insts: Sequence[Inst]) -> None:
        self.recorder.begin(insts[0])
        self.step(insts, True)
        self.recorder.flush()

    def _branch(self, inst: Inst, then: Callable[[], None], other: Callable[[], None] | None = None) -> None:
        """Do one of two where the condition of an instruction says."""
        recorder = self.recorder
        recorder.begin(inst)
        line = recorder.nodes.line
        condition = recorder.truth_of(self.condition(inst))
        if isinstance(condition, bool):
            if condition:
                then()
            elif other is not None:
                other()
            return
        before = recorder.assigned
        yes = recorder.nested(then)
        after, recorder.assigned = recorder.assigned, before
        no = recorder.nested(other) if other is not None else None
        recorder.assigned = _meet([after, recorder.assigned])
        recorder.block.append(If(condition, yes.body, no.body if no is not None else (), line))

    def _if(self, node: tree.If) -> None:
        other = (lambda: self._block(node.other)) if node.other else None
        self._branch(node.inst, lambda: self._block(node.then), other)

    def _call(self, node: tree.Call) -> None:
        routine = self.flow.routines[node.label]
        if len(node.inst.sources) == 1:
            self._routine(routine)
        else:
            self._branch(node.inst, lambda: self._routine(routine))

    def _leave(self, node: tree.Leave) -> None:
        label = self._scopes[-1] if node.returns else self._loops[-1][-1]

        def leave() -> None:
            self.recorder.block.append(Leave(label, self.recorder.nodes.line))
            self._exits[label].append(self.recorder.assigned)
            self.recorder.assigned = None

        if node.inst.sources:
            self._branch(node.inst, leave)
        else:
            self.recorder.begin(node.inst)
            leave()

    def _loop(self, node: tree.Loop) -> None:
        recorder = self.recorder
        recorder.begin(node.inst)
        line = recorder.nodes.line
        turns, start, step = self._counted(node)
        if turns == 0:
            return
        label, counter, before = self._label(), recorder.new(), recorder.assigned
        recorder.forget(_stored(self.flow, node.body))
        if node.counts:
            recorder.set_counter(Component(isa.LOOP, self.depth, 0), Ref(counter))
        self.depth += node.counts
        self._loops[-1].append(label)
        found = recorder.nested(lambda: self._block(node.body))
        self._loops[-1].pop()
        self.depth -= node.counts
        recorder.assigned = _meet([*self._exits[label], recorder.assigned, *([before] if isinstance(turns, CountOf) else [])])
        recorder.block.append(
            For(label=label, turns=turns, start=start, step=step, counter=counter, body=found.body, line=line)
        )

    def _counted(self, node: tree.Loop) -> tuple[int | CountOf, int, int]:
        """How often a loop is done, and start and step of its aL. Raises Refused."""
        register = node.register
        known = integers_of(self.flow, self.recorder.options).get(register)
        bound = None if known is not None else self.recorder.options.bounds.get(register)
        start, step = (
            (known[1], known[2]) if known is not None else (bound.start, bound.step) if bound is not None else (None, None)
        )
        if (start is None or step is None) and node.counts and self._reads_counter:
            given = f"--int i{register}={known[0]}" if known else f"--bound i{register}={bound.most if bound else 'COUNT'}"
            raise self.recorder.refused(
                "L304", f"start and step of aL in i{register} are unknown", f"give all three numbers: {given},START,STEP"
            )
        if known is not None:
            return max(0, min(known[0] or 0, MOST_ITERATIONS)), start or 0, step or 0
        if register not in self.count_of:
            self.count_of[register] = len(self.counts)
            name = self.recorder.constants.name(INT_SET, register)
            most = min(bound.most, MOST_ITERATIONS) if bound else MOST_ITERATIONS
            self.counts.append(Count(name, register if register < INTEGERS else -1, most))
        return CountOf(self.count_of[register]), start or 0, 1 if step is None else step


def _meet(paths: Sequence[Assigned]) -> Assigned:
    """Return the components that are stored on every one of some paths that lead somewhere."""
    found: Assigned = None
    for path in paths:
        if path is not None:
            found = path if found is None else found & path
    return found


def _stored(flow: tree.Flow, block: tree.Block) -> Iterator[Component]:
    """The components that a block may store, also those of routines that it calls."""
    for node in block:
        if isinstance(node, tree.Step):
            for inst in node.insts:
                dest = inst.dest
                if dest is not None:
                    for number in range(OUTPUTS) if dest.is_relative else (dest.number,):
                        yield from (Component(dest.file, number, component) for component in range(4))
        elif isinstance(node, tree.If):
            yield from _stored(flow, node.then)
            yield from _stored(flow, node.other)
        elif isinstance(node, tree.Loop):
            yield from _stored(flow, node.body)
        elif isinstance(node, tree.Call):
            yield from _stored(flow, flow.routines[node.label].block)
