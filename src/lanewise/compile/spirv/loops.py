"""Loops: tried until what they change is known, then unrolled, counted or endless."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.context import MOST_OPERATIONS, Key, State
from lanewise.compile.spirv.counting import Counter, Counting
from lanewise.compile.spirv.emit import ForNode, LoopNode, Splice
from lanewise.compile.spirv.joins import Exit, Join, LoopFrame, Slot, TooLarge, Trial
from lanewise.compile.spirv.values import Opaque, Pointer, Scalar, Value, negated, same
from lanewise.compile.vector.code import MOST_TURNS, Number, Ref, Store
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.compile.spirv.module import Block

_UNROLL, _DONT_UNROLL = 1, 2  # of a loop control
_MOST_UNROLLED = 256
_MOST_TRIES = 64


class Loops(Counting):
    """An execution of loops."""

    def _slots(self, state: State, header: Block) -> list[Slot]:
        """All components that a loop may change: variables, and phis of its header."""
        found = [Slot(key, 0, at) for key, value in state.memory.items() for at in range(len(value))]
        for phi in header.phis:
            content = state.ids.get(phi.result)
            if isinstance(content, tuple) and not isinstance(content, (Pointer, Opaque)):
                found += [Slot(None, phi.result, at) for at in range(len(content))]
        return found

    def _loop(self, header: Block, state: State) -> State | None:
        """Execute a loop from its header; what is known after it."""
        if header.merge is None:
            raise Malformed("a loop has no merge block")
        control = header.merge.words[2] if len(header.merge.words) > 2 else 0
        changed = self.changed.setdefault((self.instance, header.label), set())
        trial = self._try(header, state, changed)
        for _ in range(_MOST_TRIES):
            more = self._changes(header, state, trial, changed)
            if not more:
                break
            changed |= more
            trial = self._try(header, state, changed)
        if trial.back is None:
            return self._once(header, state)
        counter = self._counter(header, state, trial, changed)
        if counter is not None:
            turns = counter.turns
            if isinstance(turns, int):
                wanted = control & _UNROLL or turns <= 1 or (trial.selects and not control & _DONT_UNROLL)
                if wanted and turns <= _MOST_UNROLLED and turns * max(trial.operations, 1) <= MOST_OPERATIONS:
                    return self._unroll(header, state, turns)
            after = self._for(header, state, changed, counter)
            if after is not None:
                return after[0]
        return self._endless(header, state, changed)

    def _changes(self, header: Block, state: State, trial: Trial, known: set[Slot]) -> set[Slot]:
        """Components that a turn changes, beyond those that are known to change."""
        if trial.back is None:
            return set()
        found: set[Slot] = set()
        for slot in self._slots(state, header):
            if slot not in known and not same(self._at(state, slot), self._at(trial.back, slot)):
                found.add(slot)
        return found

    def _try(self, header: Block, state: State, changed: set[Slot]) -> Trial:
        """Execute a loop in a block that is thrown away."""
        mark = self._mark()
        operations, selects, line = self.emitter.operations, self.context.selects, self.emitter.line
        self.context.selects = False
        body = self.emitter.body()
        self.emitter.push(body)
        trial = self._turn(header, state, self._fresh(header, state, changed), None, -1)[0]
        self.emitter.pop()
        trial.selects, trial.operations = self.context.selects, self.emitter.operations - operations
        self.context.selects, self.emitter.line = selects, line
        self._forget(mark)
        return trial

    def _mark(self) -> tuple[list[tuple[Join, int]], list[tuple[LoopFrame, int]], int]:
        return (
            [(join, len(join.exits)) for join in self.targets.values()],
            [(frame, len(frame.trial.tests)) for frame in self.loops],
            len(self.visited),
        )

    def _forget(self, mark: tuple[list[tuple[Join, int]], list[tuple[LoopFrame, int]], int]) -> None:
        """Take back the exits that were found since a mark."""
        for join, count in mark[0]:
            del join.exits[count:]
        for frame, count in mark[1]:
            del frame.trial.tests[count:]
        del self.visited[mark[2] :]

    def _fresh(self, header: Block, state: State, changed: set[Slot]) -> dict[Slot, Scalar]:
        """A value for each component that changes, which stands for it at the head of the loop."""
        found: dict[Slot, Scalar] = {}
        for slot in self._slots(state, header):
            if slot in changed:
                result = self.emitter.value()
                found[slot] = Ref(self.emitter.define(Number(result, (0.0,), self.emitter.line), result))
        return found

    def _turn(
        self, header: Block, state: State, head: dict[Slot, Scalar], merge_join: Join | None, forced: int
    ) -> tuple[Trial, State]:
        """A turn of a loop: its body and what follows `continue`, up to the branch back. Emits it in the open block."""
        merge, target = header.merge.words[:2] if header.merge is not None else (0, 0)
        start = state.copy()
        for slot, scalar in head.items():
            self._put(start, slot, scalar)
        trial = Trial()
        trial.head = head
        outer = {label: self.targets.get(label) for label in (merge, target, header.label)}
        if merge_join is None:
            merge_join = Join(self.emitter.label(), state, len(self.visited))
        back = self._open(start, header.label)
        back.kept = frozenset([phi.result for phi in header.phis])
        frame = LoopFrame(merge, trial, start, self.emitter.current, forced)
        self.loops.append(frame)
        self.targets[merge] = merge_join
        if target != header.label:
            middle = self._open(start, target)
            frame.body = self.emitter.current
            self._run(header.label, start.copy(), resumed=True)
            after = self._close(middle)
            frame.body = self.emitter.current
            frame.in_continue = True
            if after is not None:
                self._run(target, after)
        else:
            frame.in_continue = True
            self._run(header.label, start.copy(), resumed=True)
        self.loops.pop()
        trial.back = self._close(back)
        self.targets.pop(header.label, None)
        self.targets.pop(merge, None)
        for label, join in outer.items():
            if join is not None:
                self.targets[label] = join
        return trial, start

    def _once(self, header: Block, state: State) -> State | None:
        """A loop that never goes back."""
        merge = header.merge.words[0] if header.merge is not None else 0
        join = self._open(state, merge)
        self._turn(header, state, {}, join, -1)
        return self._close(join)

    def _unroll(self, header: Block, state: State, turns: int) -> State | None:
        """Each turn after the other, with what is known in each."""
        merge = header.merge.words[0] if header.merge is not None else 0
        join = self._open(state, merge)
        current: State | None = state
        for _ in range(turns + 2):
            trial, _ = self._turn(header, current, {}, join, -1)
            current = trial.back
            if current is None:
                break
        else:
            raise TooLarge
        return self._close(join)

    def _for(self, header: Block, state: State, changed: set[Slot], counter: Counter) -> tuple[State | None] | None:
        """A loop with a counter; None where it cannot be one."""
        emitter, mark = self.emitter, self._mark()
        join = self._open(state, -1)
        self.targets.pop(-1, None)
        scope = emitter.current
        variables = self._house(header, state, changed - {counter.slot})
        before = Splice(emitter.line)
        emitter.put(before)
        body = emitter.body()
        number = emitter.value()
        loop = ForNode(emitter.label(), counter.turns, counter.start, counter.step, number, body, emitter.line)
        emitter.put(loop)
        emitter.push(body)
        emitter.homes[number] = body.number
        turns = counter.turns if isinstance(counter.turns, int) else MOST_TURNS
        ends = (counter.start, counter.start + (turns - 1) * counter.step)
        self.context.ranges[number, 0] = (min(ends), max(ends))
        head = self._loaded(variables)
        head[counter.slot] = Ref(number)
        trial, _ = self._turn(header, state, head, join, counter.test.block)
        loop.end = emitter.line
        tests = [test for test in trial.tests if test.block == counter.test.block]
        if trial.back is not None:
            self._store(variables, trial.back, head)
        emitter.pop()
        normal = (
            self._after(tests[0].state, head, variables, counter, trial.back if counter.test.in_continue else None, join)
            if trial.back is not None and tests
            else None
        )
        if normal is None:
            emitter.pop()
            emitter.current.items.pop()
            self._forget(mark)
            return None
        if not join.exits:
            emitter.pop()
            self._spill(join)
            return (normal,)
        # Ways out of the middle leave the scope around the loop; what the normal end stores is stored before the loop where it
        # is known there.
        after = Splice(emitter.line)
        emitter.put(after)
        loads = {slot: self._at(normal, slot) for slot in variables if slot.key is not None or slot.id in normal.ids}
        join.exits = [Exit(after, scope, normal), *[self._as_after(each, loads, head) for each in join.exits]]
        emitter.pop()
        merged = self._merge(join, {slot: (*variables[slot], loaded) for slot, loaded in loads.items()})
        if all(emitter.visible(ref) for item in after.items for ref in item.operand):
            before.items, after.items = after.items, []
        return (merged,)

    def _as_after(self, exit_: Exit, loads: dict[Slot, Scalar], head: dict[Slot, Scalar]) -> Exit:
        """An exit from the middle of a loop: components that are as at the head of the turn are in their variables, as they are
        after the normal end."""
        state = exit_.state.copy()
        for slot, loaded in loads.items():
            if same(self._at(state, slot), head[slot]):
                self._put(state, slot, loaded)
        return exit_._replace(state=state)

    def _after(
        self,
        state: State,
        head: dict[Slot, Scalar],
        variables: dict[Slot, tuple[int, int]],
        counter: Counter,
        back: State | None,
        join: Join,
    ) -> State | None:
        """Return the state at the normal end of a loop with a counter, from what its test sees; None if it is unknown."""
        emitter = self.emitter
        loads: dict[int, int] = {}
        known: dict[Ref, Scalar] = {}
        for slot, (variable, lane) in variables.items():
            if variable not in loads:
                loads[variable] = emitter.load(variable)
            value = head[slot] if back is None else self._at(back, slot)
            if isinstance(value, Ref):
                known[value] = Ref(loads[variable], lane)
        final = head[counter.slot] if back is None else self._at(back, counter.slot)
        if isinstance(final, Ref):
            known[final] = counter.last
        inside = set(self.visited[join.visited :])
        result = State({}, {})
        for key in join.entry.memory:
            moved = self._moved(state.memory[key], known)
            if moved is None:
                return None
            result.memory[key] = moved
        for number, content in state.ids.items():
            if isinstance(content, (Pointer, Opaque)):
                if isinstance(content, Opaque) or all(map(emitter.visible, content.steps)):
                    result.ids[number] = content
                elif self.uses.get(number, set()) - inside:
                    return None
                continue
            moved = self._moved(content, known)
            if moved is not None:
                result.ids[number] = moved
            elif self.uses.get(number, set()) - inside:
                return None
        return result

    def _moved(self, value: Value, known: dict[Ref, Scalar]) -> Value | None:
        """A value as it is after a loop; None where a component is only known within it."""
        found: list[Scalar] = []
        for scalar in value:
            if self.emitter.visible(scalar):
                found.append(scalar)
            elif isinstance(scalar, Ref) and scalar in known:
                found.append(known[scalar])
            elif isinstance(scalar, Ref) and scalar.turned() in known:
                found.append(negated(known[scalar.turned()]))
            else:
                return None
        return tuple(found)

    def _house(self, header: Block, state: State, changed: set[Slot]) -> dict[Slot, tuple[int, int]]:
        """Variables for the components that a loop changes, set to what they are before it."""
        places: dict[Slot, tuple[int, int]] = {}
        ordered = [slot for slot in self._slots(state, header) if slot in changed]
        groups: dict[tuple[Key | None, int, int], list[Slot]] = {}
        for slot in ordered:
            kind = self.variable_types[slot.key] if slot.key is not None else self.id_types[slot.id]
            start = next(begin for begin, count in self.chunks(kind) if begin <= slot.component < begin + count)
            groups.setdefault((slot.key, slot.id, start), []).append(slot)
        for (key, number, _), slots in groups.items():
            variable = self.emitter.variable(self.module.name_of(key[1] if key is not None else number), len(slots))
            places |= {slot: (variable, lane) for lane, slot in enumerate(slots)}
        self._store(places, state, {})
        return places

    def _store(self, places: dict[Slot, tuple[int, int]], state: State, head: dict[Slot, Scalar]) -> None:
        """Store components in their variables, but those that have not changed and those that are undefined."""
        by_variable: dict[int, list[tuple[int, Scalar]]] = {}
        for slot, (variable, lane) in places.items():
            scalar = self._at(state, slot)
            if scalar is not None and not (slot in head and same(scalar, head[slot])):
                by_variable.setdefault(variable, []).append((lane, scalar))
        for variable, lanes in by_variable.items():
            mask = sum([1 << lane for lane, _ in lanes])
            self.emitter.put(
                Store(
                    variable,
                    mask,
                    self.emitter.refs([scalar for _, scalar in sorted(lanes, key=lambda pair: pair[0])]),
                    self.emitter.line,
                )
            )

    def _loaded(self, places: dict[Slot, tuple[int, int]]) -> dict[Slot, Scalar]:
        loads: dict[int, int] = {}
        found: dict[Slot, Scalar] = {}
        for slot, (variable, lane) in places.items():
            if variable not in loads:
                loads[variable] = self.emitter.load(variable)
            found[slot] = Ref(loads[variable], lane)
        return found

    def _endless(self, header: Block, state: State, changed: set[Slot]) -> State | None:
        """A loop that goes on until it is left."""
        emitter = self.emitter
        variables = self._house(header, state, changed)
        body = emitter.body()
        join = Join(emitter.label(), state.copy(), len(self.visited))
        emitter.put(LoopNode(join.label, body, emitter.line))
        emitter.push(body)
        head = self._loaded(variables)
        trial, _ = self._turn(header, state, head, join, -1)
        if trial.back is not None:
            self._store(variables, trial.back, head)
        emitter.pop()
        return self._merge(join, {slot: (*place, head[slot]) for slot, place in variables.items()})
