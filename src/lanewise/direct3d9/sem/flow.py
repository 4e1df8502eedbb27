"""The walker: runs the tree of a Direct3D 9 shader over an abstract domain, for many lanes.

It keeps a mask of the active lanes. One lane has none: its flow is `sem.nodes`, and its state `sem.lane`.

Three interpreters use it: waves of lanes in Python, the tracer of the compiler, the generator of LLVM code. So nothing of the
machine's state is kept over a branch or loop except in its components, and a mask that the walker keeps was computed before the
branch.

- `if` narrows the mask in its arms. `break` takes lanes out of the mask of the loop, `ret` out of those of the routine and of
  the loops in it: separate components (`LIVE`), combined with the mask again after every block that may have done so.
- Calls are walked in place: they go forward only, so that ends.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import LIVE, Algebra, B, Component, I, V
from lanewise.direct3d9.sem.issue import Issuer, State
from lanewise.direct3d9.sem.tree import Call, If, Leave, Loop, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.sem.tree import Block, Flow, Routine


class Control(State[V, B, I]):
    """A state, and what a machine of many lanes does about flow."""

    @abstractmethod
    def when(self, mask: B, body: Callable[[], None]) -> None:
        """Run the body; it may be skipped if no lane is active. Its writes are masked already."""

    @abstractmethod
    def repeat(self, register: int, body: Callable[[B], None], live_lanes: Callable[[], B]) -> None:
        """Run the body i#.x times, until no lane is in `live_lanes`. The body gets the lanes of this iteration: all,
        if the count is known; unrolling to a bound gives `iteration < count`."""

    @abstractmethod
    def loop_value(self, register: int, component: int) -> I:
        """i#.y, where aL starts, or i#.z, its step."""


class _Frame:
    """A routine that is being walked: its cell of live lanes if a ret may narrow it, and those of its loops, inmost last."""

    def __init__(self, live: Component | None) -> None:
        self.live = live
        self.loops: list[Component] = []


class Walker(Issuer[V, B, I]):
    """Walks a shader once, over one machine."""

    flow: Flow
    control: Control[V, B, I]
    depth: int

    def __init__(self, flow: Flow, ops: Algebra[V, B, I], control: Control[V, B, I], choices: Choices) -> None:
        super().__init__(flow.version, ops, control, choices)
        self.flow, self.control = flow, control
        self._frames: list[_Frame] = []
        self._lives = 0

    def run(self, mask: B) -> None:
        """From the first instruction to the end, for the lanes of a mask."""
        self._routine(self.flow.main, mask)

    # Flow

    def _routine(self, routine: Routine, mask: B) -> None:
        frame: _Frame = _Frame(self._new_live(mask) if routine.returns else None)
        self._frames.append(frame)
        self._block(routine.block, mask)
        self._frames.pop()

    def _new_live(self, mask: B) -> Component:
        cell = Component(LIVE, self._lives, 0)
        self._lives += 1
        self.control.write_truth(cell, mask)
        return cell

    def _block(self, block: Block, mask: B) -> None:
        for node in block:
            if self.control.known(mask) is False:
                return
            if isinstance(node, Step):
                self.step(node.insts, mask)
            elif isinstance(node, If):
                self._if(node, mask)
            elif isinstance(node, Loop):
                self._loop(node, mask)
            elif isinstance(node, Call):
                self._call(node, mask)
            else:
                self._leave(node, mask)
            if isinstance(node, Leave) or (isinstance(node, (If, Loop)) and node.leaves):
                mask = self._remaining(mask)

    def _remaining(self, mask: B) -> B:
        """The lanes of a mask that no break and no ret has taken out."""
        frame = self._frames[-1]
        # a ret takes lanes out of every loop of its routine, so the inmost loop is enough
        cell = frame.loops[-1] if frame.loops else frame.live
        return mask if cell is None else self.both(mask, self.control.read_truth(cell))

    def _if(self, node: If, mask: B) -> None:
        self.control.visit(node.inst)
        condition = self.condition(node.inst)
        then, other = self.both(mask, condition), self.both(mask, self.ops.invert(condition))
        self.control.when(then, lambda: self._block(node.then, then))
        if node.other:
            self.control.when(other, lambda: self._block(node.other, other))

    def _loop(self, node: Loop, mask: B) -> None:
        control, ops = self.control, self.ops
        control.visit(node.inst)
        live = self._new_live(mask)
        frame = self._frames[-1]
        counter = Component(isa.LOOP, self.depth, 0)
        if node.counts:
            control.write_integer(counter, control.loop_value(node.register, 1))
            self.depth += 1
        frame.loops.append(live)

        def body(turn: B) -> None:
            self._block(node.body, self.both(control.read_truth(live), turn))
            if node.counts:
                step = control.loop_value(node.register, 2)
                control.write_integer(counter, ops.integer_add(control.read_integer(counter), step))

        control.repeat(node.register, body, lambda: control.read_truth(live))
        frame.loops.pop()
        self.depth -= node.counts

    def _call(self, node: Call, mask: B) -> None:
        self.control.visit(node.inst)
        routine = self.flow.routines[node.label]
        if len(node.inst.sources) == 1:
            self._routine(routine, mask)
            return
        inner = self.both(mask, self.condition(node.inst))
        self.control.when(inner, lambda: self._routine(routine, inner))

    def _leave(self, node: Leave, mask: B) -> None:
        self.control.visit(node.inst)
        leaving = mask if not node.inst.sources else self.both(mask, self.condition(node.inst))
        frame = self._frames[-1]
        cells = [*frame.loops, *([frame.live] if frame.live else [])] if node.returns else frame.loops[-1:]
        staying = self.ops.invert(leaving)
        for cell in cells:
            self.control.write_truth(cell, self.both(self.control.read_truth(cell), staying))
