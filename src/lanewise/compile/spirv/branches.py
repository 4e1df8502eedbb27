"""Branches, selections and switches."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.context import Key, State
from lanewise.compile.spirv.emit import Body, IfNode, Splice
from lanewise.compile.spirv.instructions import Instructions
from lanewise.compile.spirv.joins import Join, LoopFrame, Test
from lanewise.compile.spirv.values import Known, Opaque, Pointer, Scalar, Value, same
from lanewise.compile.vector.code import (
    AND,
    EQ,
    NOT,
    OR,
    SELECT,
    Leave,
    Operate,
    Ref,
    Row,
)
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.spirv.module import Block

_HOISTED = 8  # operations of an arm that are done without a branch where only truths depend on it


class Branches(Instructions):
    """An execution of the ends of blocks."""

    def _edge(self, source: int, label: int, state: State) -> State:
        """Return the state on the edge from a block to another: the phis of that one have values."""
        phis = self._block(label).phis
        if not phis:
            return state
        after = state.copy()
        for phi in phis:
            for value, block in zip(phi.words[::2], phi.words[1::2], strict=False):
                if block == source:
                    after.ids[phi.result] = self.context.content(state, value)
                    self.expect_size(phi, after.ids[phi.result])
                    break
            else:
                raise Malformed("a phi has no value for a block that leads to it", phi.offset)
        return after

    def _go(self, source: int, label: int, state: State) -> tuple[int, State] | None:
        """Branch: leave a scope, or go on in the block."""
        after = self._edge(source, label, state)
        join = self.targets.get(label)
        if join is None:
            return label, after
        self._leave(join, after.copy())
        return None

    def _end(self, block: Block, state: State) -> tuple[int, State | None] | None:
        """The end of a block: where it goes on, and with what; None where all paths have left."""
        end = block.end
        name = end.name
        self._come_to(end, state)
        if name == "OpBranch":
            return self._go(block.label, end.words[0], state)
        if name in ("OpReturn", "OpReturnValue"):
            if name == "OpReturnValue":
                state = state.copy()
                state.memory[self.instance, 0] = self.context.value(state, end.words[0])
            self._leave(self.targets[0], state)
            return None
        if name == "OpUnreachable":
            return None
        if name in ("OpKill", "OpTerminateInvocation"):
            self.context.report(
                "S003", "`discard` is not available in a vertex shader", end, "move the vertex out of the view instead"
            )
            return None
        if name == "OpSwitch":
            return self._switch(block, state)
        condition = self.context.value(state, end.words[0])[0]
        if condition is None:
            condition = Known(False)
        yes, no = end.words[1], end.words[2]
        leaving = self._note_test(block, condition, yes, no, state)
        forced = leaving >= 0 and self.loops[-1].forced == block.label
        if block.merge is not None and block.merge.name == "OpSelectionMerge":
            return self._selection(block, Known(no == leaving) if forced else condition, yes, no, state)
        if forced:
            return self._go(block.label, no if yes == leaving else yes, state)
        if yes == no or isinstance(condition, Known):
            return self._go(block.label, yes if yes == no or condition.value else no, state)
        edges = ((yes, no), (no, yes))
        # The edge out of the loop rather than the one back.
        for leaving, going in reversed(edges) if self.loops and no == self.loops[-1].merge else edges:
            if leaving in self.targets:
                self._branch(block.label, condition, yes if leaving == yes else -1, no if leaving == no else -1, state)
                return self._go(block.label, going, state)
        self._branch(block.label, condition, yes, no, state)
        return None

    def _note_test(self, block: Block, condition: Scalar, yes: int, no: int, state: State) -> int:
        """Remember a branch out of the innermost loop, where every turn comes to it. Gives the block that it leaves to, or
        -1."""
        if not self.loops:
            return -1
        frame = self.loops[-1]
        states = [self._way_to(frame.merge, block.label, label, state) for label in (yes, no)]
        after = states[0] or states[1]
        if after is None or (states[0] is not None and states[1] is not None) or not self._every_turn(frame):
            return -1
        frame.trial.tests.append(
            Test(
                block=block.label,
                condition=condition,
                leaves_on=states[0] is not None,
                state=after.copy(),
                in_continue=frame.in_continue,
            )
        )
        return yes if states[0] is not None else no

    def _way_to(self, merge: int, source: int, label: int, state: State) -> State | None:
        """Return the state in a block where a branch leads to it, perhaps through blocks that do nothing; None if it leads
        elsewhere."""
        seen: set[int] = set()
        while label not in seen:
            seen.add(label)
            state = self._edge(source, label, state)
            if label == merge:
                return state
            following = self._block(label)
            if following.body or following.merge is not None or following.end.name != "OpBranch":
                return None
            source, label = label, following.end.words[0]
        return None

    def _every_turn(self, frame: LoopFrame) -> bool:
        """Whether every turn of a loop comes here that has not left the loop: only scopes are open that nothing has left
        yet."""
        joins = {join.body: join for join in self.targets.values()}
        opened = self.emitter.open
        scopes = [joins.get(body) for body in opened[opened.index(frame.body) :]]
        return all(join is not None and not join.exits for join in scopes)

    def _branch(self, source: int, condition: Scalar, yes: int, no: int, state: State) -> tuple[Body, Body]:
        """An `If` whose arms go on in two blocks; -1: what follows the `If`."""
        definition = self.emitter.definitions.get(condition.value) if isinstance(condition, Ref) else None
        arms = [self.emitter.body(), self.emitter.body()]
        if isinstance(definition, Operate) and definition.op == NOT and isinstance(condition, Ref):
            self.emitter.put(IfNode(definition.operands[0][condition.lane], arms[1], arms[0], self.emitter.line))
        else:
            self.emitter.put(IfNode(self.emitter.ref(condition), arms[0], arms[1], self.emitter.line))
        line = self.emitter.line
        for arm, label in zip(arms, (yes, no), strict=True):
            if label < 0:
                continue
            self.emitter.line = line
            self.emitter.push(arm)
            following = self._go(source, label, state)
            if following is not None:
                self._run(following[0], following[1].copy())
            self.emitter.pop()
        return arms[0], arms[1]

    def _selection(self, block: Block, condition: Scalar, yes: int, no: int, state: State) -> tuple[int, State | None] | None:
        merge = block.merge.words[0] if block.merge is not None else 0
        outer = self.targets.get(merge)
        join = self._open(state, merge)
        node = self.emitter.current
        arms: tuple[Body, Body] | None = None
        if isinstance(condition, Known):
            following = self._go(block.label, yes if condition.value else no, state)
            if following is not None:
                self._run(following[0], following[1].copy())
        else:
            arms = self._branch(block.label, condition, yes, no, state)
        if arms is not None and self._without_branch(join, node, arms, condition):
            after: State | None = join.exits[0].state
            self.emitter.pop()
            self.targets.pop(merge, None)
        else:
            if arms is not None and len(join.exits) == 1 and join.exits[0].body in arms:
                self._continue_after(join, node, join.exits[0].body)
            after = self._close(join)
        if outer is not None:
            self.targets[merge] = outer
        return None if after is None else (merge, after)

    def _continue_after(self, join: Join, scope: Body, arm: Body) -> None:
        """The other arm leaves: what this one does may follow the `If`."""
        self.emitter.absorb(scope, arm)
        arm.items = []
        join.exits[0] = join.exits[0]._replace(body=scope)

    def _without_branch(self, join: Join, scope: Body, arms: tuple[Body, Body], condition: Scalar) -> bool:
        """Do both arms always, where they are small and only truths depend on the condition; or choose, where they do
        nothing."""
        if len(join.exits) != 2 or (join.exits[0].body, join.exits[1].body) != arms or self.context.is_flag(condition):
            return False
        work = [[item for item in arm.items if not isinstance(item, (Splice, Leave))] for arm in arms]
        if any(not isinstance(item, (Operate, Row)) for items in work for item in items) or sum(map(len, work)) > _HOISTED:
            return False
        states = [each.state for each in join.exits]
        slots: list[tuple[Key | None, int, Value, Value]] = []
        for key, before in join.entry.memory.items():
            a, b = states[0].memory[key], states[1].memory[key]
            if a is not b or a is not before:
                slots.append((key, 0, a, b))
        inside = set(self.visited[join.visited :])
        for number in dict.fromkeys([*states[0].ids, *states[1].ids]):
            a, b = states[0].ids.get(number), states[1].ids.get(number)
            if number in join.entry.ids and a is b:
                continue
            if not self.uses.get(number, set()) - inside or a is None or b is None:
                continue
            if isinstance(a, (Pointer, Opaque)) or isinstance(b, (Pointer, Opaque)) or len(a) != len(b):
                return False
            slots.append((None, number, a, b))
        empty = not any(work)
        for key, number, a, b in slots:
            kind = self.variable_types[key] if key is not None else self.id_types[number]
            if not empty and any(not same(x, y) for x, y in zip(a, b, strict=True)) and self._kind(kind) != "bool":
                return False
        if empty and sum([not same(x, y) for _, _, a, b in slots for x, y in zip(a, b, strict=True)]) > 4:
            return False
        self._hoist(scope, arms, work)
        merged = State(dict(join.entry.memory), dict(join.entry.ids))
        self.emitter.pop()
        for key, number, a, b in slots:
            value = tuple([x if same(x, y) else self._chosen(condition, x, y) for x, y in zip(a, b, strict=True)])
            kind = self.variable_types[key] if key is not None else self.id_types[number]
            if self._kind(kind) != "bool":
                value = self._chosen_together(condition, a, b)
            if key is not None:
                merged.memory[key] = value
            else:
                merged.ids[number] = value
        self.emitter.push(scope)
        join.exits[0] = join.exits[0]._replace(state=merged)
        return True

    def _hoist(self, scope: Body, arms: tuple[Body, Body], work: Sequence[Sequence[object]]) -> None:
        """Move what the arms compute to the block around them."""
        scope.items = [item for item in scope.items if not (isinstance(item, IfNode) and {item.yes, item.no} == set(arms))]
        outer = self.emitter.open[-2]
        for arm, items in zip(arms, work, strict=True):
            for item in items:
                if isinstance(item, (Operate, Row)):
                    outer.items.append(item)
                    self.emitter.homes[item.result] = outer.number
            for key, result in arm.known.items():
                outer.known.setdefault(key, result)
        for item in scope.items:
            if isinstance(item, (Operate, Row)):
                outer.items.append(item)
                self.emitter.homes[item.result] = outer.number
        scope.items = []

    def _chosen(self, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        """A choice of two truths: an operation on truths where one of them is known."""
        emitter = self.emitter
        if isinstance(no, Known):
            return (
                emitter.scalar(AND, condition, yes) if not no.value else emitter.scalar(OR, emitter.scalar(NOT, condition), yes)
            )
        if isinstance(yes, Known):
            return emitter.scalar(OR, condition, no) if yes.value else emitter.scalar(AND, emitter.scalar(NOT, condition), no)
        return emitter.scalar(SELECT, condition, yes, no)

    def _chosen_together(self, condition: Scalar, yes: Value, no: Value) -> Value:
        return self.emitter.operate(SELECT, (condition,) * len(yes), yes, no)

    def _kind(self, kind: int) -> str:
        """The kind of the components of a scalar or vector; empty for others."""
        value_type = self.module.type(kind)
        return (
            self.module.type(value_type.element).kind
            if value_type.kind == "vector"
            else value_type.kind
            if value_type.kind in ("float", "int", "bool")
            else ""
        )

    def _switch(self, block: Block, state: State) -> tuple[int, State | None] | None:
        words = block.end.words
        if block.merge is None or len(words) % 2:
            raise Malformed("a switch has no merge block, or cases of more than a word", block.end.offset)
        merge = block.merge.words[0]
        selector = self.context.value(state, words[0])[0]
        cases: dict[int, list[int]] = {}
        for literal, label in zip(words[2::2], words[3::2], strict=True):
            cases.setdefault(label, []).append(literal - (1 << 32) if literal >> 31 else literal)
        default = words[1]
        outer = self.targets.get(merge)
        join = self._open(state, merge)
        if isinstance(selector, Known):
            value = int(selector.value)
            value -= 1 << 32 if value >> 31 == 1 else 0
            chosen = next((label for label, literals in cases.items() if value in literals), default)
            following = self._go(block.label, chosen, state)
            if following is not None:
                self._run(following[0], following[1].copy())
        elif self._falls_through([*cases, default], merge):
            self._switch_by_scopes(block, selector, cases, default, merge, state)
        else:
            self._switch_by_tests(
                block.label,
                selector,
                [(label, literals) for label, literals in cases.items() if label != default],
                default,
                state,
            )
        after = self._close(join)
        if outer is not None:
            self.targets[merge] = outer
        return None if after is None else (merge, after)

    def _matches(self, selector: Scalar, literals: list[int]) -> Scalar:
        total: Scalar = Known(False)
        for literal in literals:
            total = self.emitter.scalar(OR, total, self.emitter.scalar(EQ, selector, Known(literal)))
        return total

    def _switch_by_tests(
        self, source: int, selector: Scalar, cases: list[tuple[int, list[int]]], default: int, state: State
    ) -> None:
        """One test after the other; each case is in the arm of its own."""
        if not cases:
            following = self._go(source, default, state)
            if following is not None:
                self._run(following[0], following[1].copy())
            return
        label, literals = cases[0]
        arms = [self.emitter.body(), self.emitter.body()]
        self.emitter.put(IfNode(self.emitter.ref(self._matches(selector, literals)), arms[0], arms[1], self.emitter.line))
        self.emitter.push(arms[0])
        following = self._go(source, label, state)
        if following is not None:
            self._run(following[0], following[1].copy())
        self.emitter.pop()
        self.emitter.push(arms[1])
        self._switch_by_tests(source, selector, cases[1:], default, state)
        self.emitter.pop()

    def _falls_through(self, labels: list[int], merge: int) -> bool:
        """Whether a case leads to another one without leaving the switch."""
        targets = set(labels) - {merge}
        stops = set(self.targets) | {merge}
        for first in targets:
            seen = {first}
            todo = [first]
            while todo:
                for label in self._successors(todo.pop()):
                    if label in targets and label != first:
                        return True
                    if label not in seen and label not in stops:
                        seen.add(label)
                        todo.append(label)
        return False

    def _successors(self, label: int) -> list[int]:
        block = self._block(label)
        end = block.end
        if end.name == "OpBranch":
            return [end.words[0]]
        if end.name == "OpBranchConditional":
            return list(end.words[1:3])
        if end.name == "OpSwitch":
            return [end.words[1], *end.words[3::2]]
        return []

    def _switch_by_scopes(
        self, block: Block, selector: Scalar, cases: dict[int, list[int]], default: int, merge: int, state: State
    ) -> None:
        """A scope for each case, which the tests leave; a case that falls through leaves that of the next one."""
        order = self._case_order([label for label in dict.fromkeys([*cases, default]) if label != merge])
        joins = [(label, self._open(state, label)) for label in reversed(order)]
        self._dispatch(block.label, selector, list(cases.items()), default, state)
        for label, join in reversed(joins):
            after = self._close(join)
            if after is not None:
                self._run(label, after)

    def _case_order(self, labels: list[int]) -> list[int]:
        """Cases such that each comes before those it falls through to."""
        reach: dict[int, set[int]] = {}
        for first in labels:
            seen: set[int] = set()
            todo = [first]
            while todo:
                for label in self._successors(todo.pop()):
                    if label not in seen and label not in self.targets:
                        seen.add(label)
                        todo.append(label)
            reach[first] = seen
        done: list[int] = []
        left = list(labels)
        while left:
            ready = next(
                (label for label in left if not any(label in reach[other] for other in left if other != label)), left[0]
            )
            left.remove(ready)
            done.append(ready)
        return done

    def _dispatch(self, source: int, selector: Scalar, cases: list[tuple[int, list[int]]], default: int, state: State) -> None:
        for label, literals in cases:
            arms = [self.emitter.body(), self.emitter.body()]
            self.emitter.put(IfNode(self.emitter.ref(self._matches(selector, literals)), arms[0], arms[1], self.emitter.line))
            self.emitter.push(arms[0])
            if self._go(source, label, state) is not None:
                raise Malformed("a case of a switch leads out of it")
            self.emitter.pop()
        if self._go(source, default, state) is not None:
            raise Malformed("the default of a switch leads out of it")
