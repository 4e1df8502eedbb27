"""Code generation: from a plan to LLVM IR, one function for all vectors of lanes.

Blocks are in weak topological order. Where lanes do not diverge, edges are branches; where they may diverge, each block of the
region has a mask of the lanes that wait for it and is skipped while there are none. The number rule generates the arithmetic of
a block; this module is independent of number formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.graph.paths import NOWHERE
from lanewise.llvm import movement
from lanewise.llvm.target import wrapper
from lanewise.pica200.engine.llvm import rules
from lanewise.pica200.engine.llvm.arguments import (
    CHUNK,
)
from lanewise.pica200.engine.llvm.frame import ALL, NONE, Frame, slots
from lanewise.pica200.engine.llvm.shape import QUICK
from lanewise.pica200.engine.llvm.values import Values
from lanewise.pica200.ir.ssa import NUMBER, Fork, Jump, Stop, kind_of, leaves, questions
from lanewise.pica200.sem.components import Component

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.graph.regions import Region
    from lanewise.llvm.movement import Layout
    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.rules import Value as Number
    from lanewise.pica200.engine.llvm.shape import Shape
    from lanewise.pica200.ir.ssa import Block, Exit


def generate(
    plan: Plan, layouts: Mapping[int, Layout], target: Target, *, exact: bool, counting: bool = False, shape: Shape = QUICK
) -> str:
    """The module. Speculative code runs every vector and lists those that it cannot do; exact code runs the vectors of a list.

    `counting`: code of `counting`.
    """
    return Generator(plan, layouts, target, exact=exact, counting=counting, shape=shape).module()


class Generator(Frame):
    """Code of all blocks, in their frame."""

    mask: Name

    def module(self) -> str:
        text = self.text
        self._variables()
        self._vector()
        for number in self.plan.lanes.order.blocks:
            self._block(number)
        self._finish()
        heads, lines, declared = text.heads, text.lines, text.declared
        if self.once is not None:
            declared = declared | self.once.declared
            heads = [*heads, *self.once.heads()]
            lines = [*lines[: self._before], *self.once.lines(), *lines[self._before :]]
        body = "\n".join(lines)
        head = "\n".join(heads)
        declarations = "\n".join(sorted(declared.values()))
        return (
            (
                f"{declarations}\ndefine internal void @kernel(ptr noalias %args) noinline nounwind alignstack(64) {{\nentry:\n"
                f"{head}\n{body}\n}}\n"
            )
            + wrapper(self.target, self.rule.mode)
            + (movement.NONTEMPORAL if self._bypasses else "")
        )

    # Blocks

    def _block(self, number: int) -> None:
        text, block = self.text, self.plan.function.blocks[number]
        if number or self.plan.lanes.order.loops:
            text.label(f"b{number}")
        else:
            self._begin("b0")
        self.mask = ""
        region = self.region.get(number)
        if region is not None:
            self.mask = text.load(text.i1, self.waiting[number])
            text.add(f"  br i1 {text.any(self.mask)}, label %b{number}.run, label %b{number}.end")
            text.label(f"b{number}.run")
            text.store(text.i1, NONE, self.waiting[number])
        if self.counter is not None:
            self.counter.enter(number, block)
        values = Values(self, block, number)
        if self.recorder is not None:
            self.recorder.emit(block, number, values)
        writes = [
            (component, values.of(value, component))
            for component, value in block.writes.items()
            if component in self.plan.needs.end[number] and not self._is_copied(component)
        ]
        asked = {question: values.truth(question) for question in questions(block.exit)}
        jumps = {
            id(leaf): [
                (component, values.of(value, component))
                for component, value in leaf.writes
                if component in self.plan.needs.begin[leaf.block]
            ]
            for leaf in leaves(block.exit)
            if isinstance(leaf, Jump)
        }
        bounds = dict(self.bounds[number])
        for component, value in writes:
            self._write(component, value, self.mask, bounds)
        split = region is None and any(question in values.differing for question in asked)
        if region is not None or split:
            self._part(number, block, asked, jumps, bounds, values)
        else:
            self._go(number, block.exit, asked, jumps, bounds)
        if region is not None:
            self._end_of_region_block(number, region)

    def _write(self, component: Component, value: Number | Name, mask: Name, bounds: dict[Component, float]) -> None:
        text, variable, kind = self.text, self.components[component], self.type_of(component)
        if isinstance(value, rules.Value):
            bound, name = value.bound, value.plain
            if mask:
                name = text.select(mask, name, text.load(kind, variable))
                bound = max(bound, bounds.get(component, -70.0))
            bounds[component] = bound
        elif mask:
            name = text.new(f"select {text.i1} {mask}, {kind} {value}, {kind} {text.load(kind, variable)}")
        else:
            name = value
        text.store(kind, name, variable)

    def _go(
        self,
        number: int,
        exit: Exit,
        asked: Mapping[int, Name],
        jumps: Mapping[int, list[tuple[Component, Number | Name]]],
        bounds: dict[Component, float],
    ) -> None:
        """All lanes go on together."""
        text = self.text
        match exit:
            case Fork(question, yes, no):
                there, other = text.fresh_label(f"b{number}.yes"), text.fresh_label(f"b{number}.no")
                text.add(f"  br i1 {asked[question]}, label %{there}, label %{other}")
                text.label(there)
                self._go(number, yes, asked, jumps, dict(bounds))
                text.label(other)
                self._go(number, no, asked, jumps, dict(bounds))
            case Jump(target):
                for component, value in jumps[id(exit)]:
                    self._write(component, value, "", bounds)
                self._arrive(number, target, bounds)
                if target in self.region:
                    text.store(text.i1, ALL, self.waiting[target])
                self._branch(number, target)
            case Stop(code):
                if code:
                    self.bail_all()
                text.add("  br label %finish")

    def _branch(self, number: int, target: int) -> None:
        """Branch to a block; a back edge costs fuel."""
        text = self.text
        if self.place[target] > self.place[number]:
            text.add(f"  br label %b{target}")
            return
        order = self.plan.lanes.order
        inside = order.blocks[self.place[target] : self.place[order.loops[target]] + 1]
        cost = max(sum(self.plan.function.blocks[block].size for block in inside), 1)
        left = text.new(f"sub i64 {text.load('i64', self.fuel)}, {cost}")
        text.store("i64", left, self.fuel)
        empty, poll, refill, spent, back = (*map(text.fresh_label, ("empty", "poll", "refill", "spent")), f"b{target}")
        text.add(f"  br i1 {text.new(f'icmp slt i64 {left}, 0')}, label %{empty}, label %{back}")
        text.label(empty)
        rest = text.load("i64", self.rest)
        text.add(f"  br i1 {text.new(f'icmp eq i64 {rest}, 0')}, label %{spent}, label %{poll}")
        text.label(poll)
        stop = text.new(f"load volatile i64, ptr {self.stop}")
        refills = text.load("i64", self.refills)
        on = text.new(f"and i1 {text.new(f'icmp eq i64 {stop}, 0')}, {text.new(f'icmp sgt i64 {refills}, 0')}")
        text.add(f"  br i1 {on}, label %{refill}, label %done")
        text.label(refill)
        text.store("i64", text.new(f"sub i64 {refills}, 1"), self.refills)
        # The last instructions of the chunk before are paid from this one.
        owed = text.load("i64", self.fuel)
        self._refuel(str(CHUNK), rest)
        paid = text.new(f"add i64 {text.load('i64', self.fuel)}, {owed}")
        text.store("i64", paid, self.fuel)
        text.add(f"  br i1 {text.new(f'icmp slt i64 {paid}, 0')}, label %{empty}, label %{back}")
        text.label(spent)
        self.bail_all()
        text.add("  br label %finish")

    def _arrive(self, number: int, target: int, bounds: dict[Component, float]) -> None:
        """The known bounds of components at the start of a block."""
        text = self.text
        head = target in self.plan.lanes.order.loops
        for component in sorted(self.plan.needs.begin[target]):
            if kind_of(component) != NUMBER:
                continue
            bound = bounds.get(component, -70.0)
            if head and bound > rules.ORDINARY:
                self.rule.checked(rules.Value(text.load(text.f32, self.components[component]), bound))
                bound = rules.ORDINARY
            if head:
                bound = rules.ORDINARY
            self.bounds[target][component] = max(self.bounds[target].get(component, -70.0), bound)

    def _part(
        self,
        number: int,
        block: Block,
        asked: Mapping[int, Name],
        jumps: Mapping[int, list[tuple[Component, Number | Name]]],
        bounds: dict[Component, float],
        values: Values,
    ) -> None:
        """Lanes go where they want, by masks."""
        text, here = self.text, self.mask
        targets = [leaf.block for leaf in leaves(block.exit) if isinstance(leaf, Jump)]
        region = self.region.get(number) or next((self.region[target] for target in targets if target in self.region), None)

        def send(exit: Exit, mask: Name) -> None:
            match exit:
                case Fork(question, yes, no):
                    holds = asked[question] if question in values.differing else text.splat("i1", asked[question])
                    fails = text.invert(holds)
                    send(yes, text.both(mask, holds) if mask else holds)
                    send(no, text.both(mask, fails) if mask else fails)
                case Jump(target):
                    self.mask = mask
                    mine = dict(bounds)
                    for component, value in jumps[id(exit)]:
                        self._write(component, value, mask, mine)
                    self._arrive(number, target, mine)
                    if target in self.waiting:
                        old = text.load(text.i1, self.waiting[target])
                        text.store(text.i1, text.either(old, mask) if mask else ALL, self.waiting[target])
                case Stop(code):
                    if code:
                        self.mask = mask
                        self.bail(ALL)

        send(block.exit, here)
        self.mask = here
        if number in self.region:
            text.add(f"  br label %b{number}.end")
        elif region is not None:
            text.add(f"  br label %b{region.blocks[0]}")
        elif targets:  # both edges lead to one place
            self._branch(number, targets[0])
        else:  # all lanes stop
            text.add("  br label %finish")

    def _end_of_region_block(self, number: int, region: Region) -> None:
        """Where lanes go on that no longer wait: to the next block, or back while some wait at the head of a round that ends
        here."""
        text, order = self.text, self.plan.lanes.order
        text.label(f"b{number}.end")
        mine = region.blocks.index(number)
        for head in sorted(order.loops, key=self.place.__getitem__, reverse=True):
            if head not in region.blocks or not self.place[head] <= self.place[number] <= self.place[order.loops[head]]:
                continue
            after = region.blocks[mine + 1] if mine + 1 < len(region.blocks) else None
            if after is not None and self.place[after] <= self.place[order.loops[head]]:
                continue
            again, onward = text.fresh_label(f"b{number}.again"), text.fresh_label(f"b{number}.onward")
            some = text.any(text.load(text.i1, self.waiting[head]))
            text.add(f"  br i1 {some}, label %{again}, label %{onward}")
            text.label(again)
            self._branch(number, head)
            text.label(onward)
        if mine + 1 < len(region.blocks):
            text.add(f"  br label %b{region.blocks[mine + 1]}")
        elif region.meet == NOWHERE:
            text.add("  br label %finish")
        else:
            self._branch(number, region.meet)


__all__ = ["Generator", "generate", "slots"]
