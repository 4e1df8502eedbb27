"""Lanes whose instructions are counted exactly, to find out which of them do not end.

Other code counts the steps of a vector from above and only where it jumps back, which costs nothing, but does not tell which of
its lanes have used up their budgets. Here each lane has its own count, and stops where the reference engine would: at the
instruction that its budget does not allow, or the EMIT of one vertex too many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.engine.reference import MOST_EMITTED, SEARCH
from lanewise.pica200.ir import passes

if TYPE_CHECKING:
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.frame import Frame
    from lanewise.pica200.ir.ssa import Block
    from lanewise.pica200.sem.components import Component

# The arguments after those of `emitting`: the budget; for each lane of each vector the block in which it stopped, the steps
# that it had left at the start of the block, the vertices emitted until then, and whether its state may have repeated.
BUDGET, STOPPED, LEFT, EMITTED, REPEATED = range(5)
# The reference engine finds a state that repeats in the first `SEARCH` steps. Here states are saved at the heads of loops after
# at least twice as many steps each time, and what questions of the flow may still depend on is compared, which is never more
# than what the reference engine compares: whatever repeats for that is seen to repeat before this.
_SEARCH = 8 * SEARCH
_GOES_ON, _UNKNOWN = -1, -2  # instead of a block; unknown: the lane left compiled code before


class Counter:
    """The part of a generator that counts."""

    frame: Frame

    def __init__(self, frame: Frame, place: int) -> None:
        """`place` is the number of the first of the arguments above."""
        self.frame, self._place = frame, place
        text = frame.text
        self._stopped, self._left, self._emitted = (text.variable(text.i32) for _ in range(3))
        self._repeated, self._head, self._save_at = (text.variable(text.i32) for _ in range(3))
        self._saved: dict[Component, Name] = {}
        self._live = passes.live(frame.plan.function, (), emitted=False, indexed=True).begin

    def begin(self) -> None:
        """At the start of a vector, before the program."""
        frame, text = self.frame, self.frame.text
        text.store(text.i32, text.integer(_GOES_ON), self._stopped)
        budget = text.new(f"trunc i64 {frame.argument(self._place + BUDGET, 'i64')} to i32")
        self._budget = text.splat("i32", budget)
        text.store(text.i32, self._budget, self._left)
        for variable, value in ((self._emitted, 0), (self._repeated, 0), (self._head, _GOES_ON), (self._save_at, 0)):
            text.store(text.i32, text.integer(value), variable)

    def enter(self, number: int, block: Block) -> None:
        """At the start of a block: stop the lanes that cannot finish it. Where all lanes go together, the others go on without
        them."""
        frame, text = self.frame, self.frame.text
        left, emitted = text.load(text.i32, self._left), text.load(text.i32, self._emitted)
        if number in frame.plan.lanes.order.loops:
            self._compare(number, text.isub(self._budget, left))
        over = text.icmp("slt", left, text.integer(block.size))
        if block.emits:
            over = text.either(over, text.icmp("sgt", emitted, text.integer(MOST_EMITTED - len(block.emits))))
        before = text.load(text.i32, self._stopped)
        over = text.both(over, text.icmp("eq", before, text.integer(_GOES_ON)))
        if frame.mask:
            over = text.both(over, frame.mask)
        bailed = text.load(text.i1, frame.bailed)
        here = text.iselect(bailed, text.integer(_UNKNOWN), text.integer(number))
        stopped = text.iselect(over, here, before)
        text.store(text.i32, stopped, self._stopped)
        goes_on = text.icmp("eq", stopped, text.integer(_GOES_ON))
        if frame.mask:
            frame.mask = goes_on = text.both(frame.mask, goes_on)
        else:
            on = text.fresh_label(f"b{number}.on")
            text.add(f"  br i1 {text.any(goes_on)}, label %{on}, label %finish")
            text.label(on)
        text.store(text.i32, text.iselect(goes_on, text.isub(left, text.integer(block.size)), left), self._left)
        if block.emits:
            after = text.iadd(emitted, text.integer(len(block.emits)))
            text.store(text.i32, text.iselect(goes_on, after, emitted), self._emitted)

    def _compare(self, number: int, steps: Name) -> None:
        """At the head of a loop: compare the state of each lane with the one saved last, and save it if it is time."""
        frame, text = self.frame, self.frame.text
        head, save_at = text.load(text.i32, self._head), text.load(text.i32, self._save_at)
        same = text.both(text.icmp("eq", head, text.integer(number)), text.icmp("ult", steps, text.integer(_SEARCH)))
        save = text.icmp("uge", steps, save_at)
        if frame.mask:
            same, save = text.both(same, frame.mask), text.both(save, frame.mask)
        for component in sorted(self._live[number] & frame.plan.needs.begin[number]):
            value = self._bits(component)
            if component not in self._saved:
                self._saved[component] = text.variable(text.i32)
            saved = text.load(text.i32, self._saved[component])
            same = text.both(same, text.icmp("eq", saved, value))
            text.store(text.i32, text.iselect(save, value, saved), self._saved[component])
        repeated = text.load(text.i32, self._repeated)
        text.store(text.i32, text.iselect(same, text.integer(1), repeated), self._repeated)
        text.store(text.i32, text.iselect(save, text.integer(number), head), self._head)
        text.store(text.i32, text.iselect(save, text.iadd(steps, steps), save_at), self._save_at)

    def _bits(self, component: Component) -> Name:
        """The value of a component as an integer for each lane."""
        frame, text = self.frame, self.frame.text
        kind = frame.type_of(component)
        value = text.load(kind, frame.components[component])
        if kind == text.f32:
            return text.bits(value)
        if kind in ("i1", "i32"):
            value, kind = text.splat(kind, value), text.i1 if kind == "i1" else text.i32
        return text.new(f"zext {text.i1} {value} to {text.i32}") if kind == text.i1 else value

    def end(self) -> None:
        """After the program."""
        frame, text = self.frame, self.frame.text
        results = (STOPPED, self._stopped), (LEFT, self._left), (EMITTED, self._emitted), (REPEATED, self._repeated)
        for number, variable in results:
            at = text.new(f"getelementptr i32, ptr {frame.argument(self._place + number)}, i64 {frame.start}")
            text.store(text.i32, text.load(text.i32, variable), at, 4)
