"""Flow: a function is executed once with what is known, block by block, as structured control flow allows.

Constructs are scopes: a branch to the merge block of a construct, to the continue target of a loop or out of a function leaves the scope. Where several ways
meet, components on which they do not agree become variables, and the others stay values. A loop is tried until what it changes is known; then it is unrolled, becomes a
`For` if its number of turns is known or a count of the application, or a `Loop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.spirv import memory
from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.context import MOST_OPERATIONS, Context, Key, State
from lanewise.compile.spirv.emit import Body, ForNode, IfNode, LoopNode, ScopeNode, Splice
from lanewise.compile.spirv.functions import FUNCTIONS, NAMES
from lanewise.compile.spirv.operations import OPERATIONS
from lanewise.compile.spirv.values import Content, Known, Opaque, Pointer, Scalar, Value, negated, same
from lanewise.compile.vector.code import (
    ADD,
    AND,
    EQ,
    LE,
    LT,
    NE,
    NOT,
    OR,
    SELECT,
    TRUNC,
    CountOf,
    Leave,
    Number,
    Operate,
    Ref,
    Row,
    Store,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.module import Block, Function

_UNROLL, _DONT_UNROLL = 1, 2  # of a loop control
_MOST_TURNS = 4096  # of which the number of a loop is looked for
_MOST_UNROLLED = 256
_MOST_TRIES = 64
_HOISTED = 8  # operations of an arm that are done without a branch where only truths depend on it
_MOST_DEPTH = 64  # of calls


class Slot(NamedTuple):
    """What changes: a variable of the shader, or (with `key` None) the value of an id; and the component."""

    key: Key | None
    id: int
    component: int


class Exit(NamedTuple):
    """A way to a join: where stores may be put, in which block, and what is known there."""

    splice: Splice
    body: Body
    state: State


class Join:
    """A block to which several ways may lead: the scope of its label ends there."""

    def __init__(self, label: int, entry: State, visited: int) -> None:
        self.label = label
        self.entry = entry
        self.visited = visited  # how many blocks had been executed when it was opened
        self.exits: list[Exit] = []
        self.kept: frozenset[int] = frozenset()  # ids that are needed after it whatever uses them


class Test(NamedTuple):
    """A branch out of a loop at its top level: the block, its condition, whether it leaves where that is true, and what is known there."""

    block: int
    condition: Scalar
    leaves_on: bool
    state: State
    in_continue: bool


class Trial:
    """A loop that was executed once, from what is known at its head."""

    def __init__(self) -> None:
        self.head: dict[Slot, Scalar] = {}
        self.back: State | None = None
        self.tests: list[Test] = []
        self.selects = False
        self.operations = 0
        self.calls = 0


class Counter(NamedTuple):
    """A component that a loop counts: from `start` by `step`, with a test at its head or tail."""

    slot: Slot
    start: int
    step: int
    turns: int | CountOf
    last: Scalar  # its value after the loop
    test: Test


class LoopFrame:
    """A loop that is being executed."""

    def __init__(self, merge: int, trial: Trial, head: State, body: Body, forced: int) -> None:
        self.merge, self.trial, self.head, self.body, self.forced = merge, trial, head, body, forced
        self.in_continue = False


class Flow:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.emitter = context.emitter
        self.function: Function | None = None
        self.instance = 0
        self.instances = 0
        self.targets: dict[int, Join] = {}
        self.loops: list[LoopFrame] = []
        self.visited: list[int] = []
        self.calling: list[int] = []
        self.results: list[Value] = []
        self.variable_types: dict[Key, int] = {}
        self.changed: dict[tuple[int, int], set[Slot]] = {}  # by loop, what tries have shown that it changes
        self.uses: dict[int, set[int]] = {}  # blocks that use an id
        self.id_types: dict[int, int] = {}
        for instruction in self.module.instructions:
            if instruction.result and instruction.type:
                self.id_types[instruction.result] = instruction.type

    # Functions

    def call(
        self, function: Function, arguments: list[Content], state: State, at: Instruction | None = None
    ) -> tuple[State | None, Content]:
        """Do a function in place. Gives what is known after it, and its result."""
        if function.number in self.calling or len(self.calling) > _MOST_DEPTH:
            name = self.module.name_of(function.number).partition("(")[0] or f"%{function.number}"
            if at is not None:
                self.context.report("S010", f"function '{name}' calls itself", at, "use a loop")
            return state, self.context.undefined(self.module.type(function.type).element)
        if len(arguments) != len(function.parameters):
            raise Malformed(f"a call of function %{function.number} has the wrong number of arguments")
        saved = (self.function, self.instance, self.targets, self.visited, self.loops)
        self.instances += 1
        self.function, self.instance, self.targets, self.visited, self.loops = function, self.instances, {}, [], []
        self.calling.append(function.number)
        self._note_uses(function)
        inner = State(dict(state.memory), dict(zip(function.parameters, arguments, strict=True)))
        result_type = self.module.type(function.type).element
        key: Key = (self.instance, 0)  # the result, as a variable
        if self.module.type(result_type).kind != "void":
            inner.memory[key] = self._components(self.context.undefined(result_type))
            self.variable_types[key] = result_type
        join = self._open(inner, 0)
        if function.first:
            self._run(function.first, inner)
        after = self._close(join)
        self.calling.pop()
        mine = self.instance
        self.function, self.instance, self.targets, self.visited, self.loops = saved
        if after is None:
            return None, ()
        result: Content = after.memory.get(key, ())
        kept = {each: value for each, value in after.memory.items() if each[0] != mine}
        return State(kept, state.ids), result

    @staticmethod
    def _components(content: Content) -> Value:
        if isinstance(content, (Pointer, Opaque)):
            raise Malformed("a value without components is used as one")
        return content

    def _note_uses(self, function: Function) -> None:
        for block in function.blocks.values():
            for phi in block.phis:
                for value, source in zip(phi.words[::2], phi.words[1::2], strict=False):
                    self.uses.setdefault(value, set()).add(source)
            for instruction in (*block.body, block.end):
                for word in instruction.words:
                    self.uses.setdefault(word, set()).add(block.label)

    def _block(self, label: int) -> Block:
        found = self.function.blocks.get(label) if self.function is not None else None
        if found is None:
            raise Malformed(f"a branch leads to %{label}, which is not a block of its function")
        return found

    # Joins

    def _open(self, state: State, label: int) -> Join:
        """A scope from here, which branches to a block leave."""
        join = Join(self.emitter.label(), state.copy(), len(self.visited))
        body = self.emitter.body()
        self.emitter.put(ScopeNode(join.label, body, self.emitter.line))
        self.emitter.push(body)
        self.targets[label] = join
        return join

    def _close(self, join: Join) -> State | None:
        """The end of a scope: what is known after it; None where nothing leads there."""
        for label, open_join in list(self.targets.items()):
            if open_join is join:
                del self.targets[label]
        self.emitter.pop()
        scope = self.emitter.current.items[-1]
        if not isinstance(scope, ScopeNode) or scope.label != join.label:
            raise AssertionError("a scope is the last item of the block around it when it is closed")
        scope.left = bool(join.exits)
        if len(join.exits) == 1 and self._ends_with(scope, join.exits[0].body):
            self._spill(join)
            return join.exits[0].state
        return self._merge(join, {})

    @staticmethod
    def _ends_with(scope: ScopeNode, body: Body) -> bool:
        """Whether a block is the end of a scope, in scopes that nothing leaves."""
        while scope.body is not body:
            last = scope.body.items[-1] if scope.body.items else None
            if not isinstance(last, ScopeNode) or last.left:
                return False
            scope = last
        return True

    def _leave(self, join: Join, state: State) -> None:
        splice = Splice()
        self.emitter.put(splice)
        self.emitter.put(Leave(join.label, self.emitter.line))
        join.exits.append(Exit(splice, self.emitter.current, state))

    def _merge(self, join: Join, homes: Mapping[Slot, tuple[int, int, Scalar]]) -> State | None:
        """What is known where ways meet. `homes`: components that have a variable already, its lane, and the value it has there anyway."""
        exits = join.exits
        if not exits:
            return None
        entry = join.entry
        merged = State({}, dict(entry.ids))
        for key, before in entry.memory.items():
            values = [each.state.memory[key] for each in exits]
            if all(value is before for value in values) and not homes:
                merged.memory[key] = before
                continue
            merged.memory[key] = self._agree(key, 0, self.variable_types[key], values, exits, homes)
        numbers = dict.fromkeys(number for each in exits for number in each.state.ids)
        inside = set(self.visited[join.visited :])
        for number in numbers:
            before = entry.ids.get(number)
            contents = [each.state.ids.get(number) for each in exits]
            if before is not None and all(content is before for content in contents):
                continue
            needed = number in join.kept or self.uses.get(number, set()) - inside
            if any(content is None for content in contents) or not needed:
                if before is None:
                    merged.ids.pop(number, None)
                continue
            self._merge_id(number, [content for content in contents if content is not None], exits, homes, merged)
        return merged

    def _merge_id(
        self,
        number: int,
        contents: list[Content],
        exits: list[Exit],
        homes: Mapping[Slot, tuple[int, int, Scalar]],
        merged: State,
    ) -> None:
        first = contents[0]
        if isinstance(first, (Pointer, Opaque)):
            if all(content == first for content in contents) and (
                isinstance(first, Opaque) or all(map(self.emitter.visible, first.steps))
            ):
                merged.ids[number] = first
            return
        values = [content for content in contents if not isinstance(content, (Pointer, Opaque))]
        if len(values) == len(contents) and len({len(value) for value in values}) == 1:
            merged.ids[number] = self._agree(None, number, self.id_types[number], values, exits, homes)

    def _agree(
        self,
        key: Key | None,
        number: int,
        kind: int,
        values: list[Value],
        exits: list[Exit],
        homes: Mapping[Slot, tuple[int, int, Scalar]],
    ) -> Value:
        """A value that all ways give: as it is where they agree, else through variables."""
        result: list[Scalar] = []
        name = self.module.name_of(key[1] if key is not None else number)
        for start, count in self.chunks(kind):
            missing: list[int] = []
            for at in range(start, start + count):
                agreed = self._agreed([value[at] for value in values]) if Slot(key, number, at) not in homes else None
                result.append(agreed[0] if agreed is not None else None)
                if agreed is None:
                    missing.append(at)
            housed = [at for at in missing if Slot(key, number, at) in homes]
            free = [at for at in missing if at not in housed]
            places: dict[int, tuple[int, int]] = {at: homes[Slot(key, number, at)][:2] for at in housed}
            if free:
                variable = self.emitter.variable(name, len(free))
                places |= {at: (variable, lane) for lane, at in enumerate(free)}
            for at, scalar in self._through(
                places, values, exits, {at: homes[Slot(key, number, at)][2] for at in housed}
            ).items():
                result[at] = scalar
        return tuple(result)

    def _through(
        self, places: dict[int, tuple[int, int]], values: list[Value], exits: list[Exit], present: dict[int, Scalar]
    ) -> dict[int, Scalar]:
        """Store components at the end of each way, and load them here."""
        found: dict[int, Scalar] = {}
        for variable in dict.fromkeys(variable for variable, _ in places.values()):
            lanes = sorted([(lane, at) for at, (own, lane) in places.items() if own == variable])
            for value, each in zip(values, exits, strict=True):
                stored = [
                    (lane, value[at])
                    for lane, at in lanes
                    if value[at] is not None and not (at in present and same(value[at], present[at]))
                ]
                if stored:
                    mask = sum([1 << lane for lane, _ in stored])
                    each.splice.items.append(
                        Store(variable, mask, self.emitter.refs([scalar for _, scalar in stored]), self.emitter.line)
                    )
            loaded = self.emitter.load(variable)
            found |= {at: Ref(loaded, lane) for lane, at in lanes}
        return found

    def _agreed(self, scalars: list[Scalar]) -> tuple[Scalar] | None:
        """The component that all ways have, where it may be used; undefined ones agree with any."""
        given = [scalar for scalar in scalars if scalar is not None]
        if not given:
            return (None,)
        if all(same(scalar, given[0]) for scalar in given) and self.emitter.visible(given[0]):
            return (given[0],)
        return None

    def chunks(self, kind: int) -> list[tuple[int, int]]:
        """The vectors that a type is made of: where each begins, and how long it is."""
        made = self.module.type(kind)
        if made.kind in ("float", "int", "bool", "vector"):
            return [(0, self.module.size(kind))]
        members = made.members if made.kind == "struct" else (made.element,) * made.length
        found: list[tuple[int, int]] = []
        at = 0
        for member in members:
            found += [(at + start, count) for start, count in self.chunks(member)]
            at += self.module.size(member)
        return found

    def type_at(self, kind: int, component: int) -> int:
        """The scalar or vector in which a component of a type is."""
        made = self.module.type(kind)
        while made.kind in ("matrix", "array", "struct"):
            for member in made.members if made.kind == "struct" else (made.element,) * made.length:
                size = self.module.size(member)
                if component < size:
                    kind, made = member, self.module.type(member)
                    break
                component -= size
        return kind

    # Blocks

    def _run(self, label: int, state: State, resumed: bool = False) -> None:
        """Execute from a block on, until every way has left."""
        current: State | None = state
        while current is not None:
            block = self._block(label)
            self.visited.append(label)
            if len(self.visited) > 1 << 16 or self.emitter.operations > 8 * MOST_OPERATIONS:
                raise TooLarge
            merge = block.merge
            if merge is not None and merge.name == "OpLoopMerge" and not resumed:
                self.visited.pop()
                current = self._loop(block, current)
                label = merge.words[0]
                continue
            resumed = False
            stopped = False
            for instruction in block.body:
                following = self._step(instruction, current)
                if following is None:
                    stopped = True
                    break
                current = following
            if stopped:
                return
            ending = self._end(block, current)
            if ending is None:
                return
            label, current = ending

    def _edge(self, source: int, label: int, state: State) -> State:
        """What is known on the way from a block to another: the phis of that one have values."""
        phis = self._block(label).phis
        if not phis:
            return state
        after = state.copy()
        for phi in phis:
            for value, block in zip(phi.words[::2], phi.words[1::2], strict=False):
                if block == source:
                    after.ids[phi.result] = self.context.content(state, value)
                    break
            else:
                raise Malformed("a phi has no value for a way that leads to it", phi.offset)
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
        """The end of a block: where it goes on, and with what; None where all ways have left."""
        end = block.end
        name = end.name
        self.context.at(end)
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
        if block.merge is not None and block.merge.name == "OpSelectionMerge":
            return self._selection(block, condition, yes, no, state)
        self._note_test(block, condition, yes, no, state)
        if self.loops and self.loops[-1].forced == block.label:
            return self._go(block.label, no if yes == self.loops[-1].merge else yes, state)
        if yes == no or isinstance(condition, Known):
            return self._go(block.label, yes if yes == no or condition.value else no, state)
        ways = ((yes, no), (no, yes))
        # A way out of the loop rather than the one back.
        for leaving, going in reversed(ways) if self.loops and no == self.loops[-1].merge else ways:
            if leaving in self.targets:
                self._branch(block.label, condition, yes if leaving == yes else -1, no if leaving == no else -1, state)
                return self._go(block.label, going, state)
        self._branch(block.label, condition, yes, no, state)
        return None

    def _branch(self, source: int, condition: Scalar, yes: int, no: int, state: State) -> tuple[Body, Body]:
        """An `If` whose arms go on in two blocks; -1: what follows the `If`."""
        made = self.emitter.definitions.get(condition.value) if isinstance(condition, Ref) else None
        arms = [self.emitter.body(), self.emitter.body()]
        if isinstance(made, Operate) and made.op == NOT and isinstance(condition, Ref):
            self.emitter.put(IfNode(made.operands[0][condition.lane], arms[1], arms[0], self.emitter.line))
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
        scope.items += arm.items
        for item in arm.items:
            result = getattr(item, "result", None)
            if result is not None:
                self.emitter.homes[result] = scope.number
        for key, result in arm.known.items():
            scope.known.setdefault(key, result)
        arm.items = []
        join.exits[0] = join.exits[0]._replace(body=scope)

    def _without_branch(self, join: Join, scope: Body, arms: tuple[Body, Body], condition: Scalar) -> bool:
        """Do both arms always, where they are small and only truths depend on the condition; or choose, where they do nothing."""
        if len(join.exits) != 2 or (join.exits[0].body, join.exits[1].body) != arms:
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
        made = self.module.type(kind)
        return (
            self.module.type(made.element).kind
            if made.kind == "vector"
            else made.kind
            if made.kind in ("float", "int", "bool")
            else ""
        )

    # Switches

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

    # Loops

    def _slots(self, state: State, header: Block) -> list[Slot]:
        """All components that a loop may change: variables, and phis of its header."""
        found = [Slot(key, 0, at) for key, value in state.memory.items() for at in range(len(value))]
        for phi in header.phis:
            content = state.ids.get(phi.result)
            if isinstance(content, tuple) and not isinstance(content, (Pointer, Opaque)):
                found += [Slot(None, phi.result, at) for at in range(len(content))]
        return found

    @staticmethod
    def _at(state: State, slot: Slot) -> Scalar:
        content = state.memory[slot.key] if slot.key is not None else state.ids[slot.id]
        if isinstance(content, (Pointer, Opaque)):
            raise Malformed("a pointer changes in a loop")
        return content[slot.component]

    @staticmethod
    def _put(state: State, slot: Slot, scalar: Scalar) -> None:
        content = state.memory[slot.key] if slot.key is not None else state.ids[slot.id]
        if isinstance(content, (Pointer, Opaque)):
            raise Malformed("a pointer changes in a loop")
        changed = (*content[: slot.component], scalar, *content[slot.component + 1 :])
        if slot.key is not None:
            state.memory[slot.key] = changed
        else:
            state.ids[slot.id] = changed

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
        operations, selects = self.emitter.operations, self.context.selects
        self.context.selects = False
        body = self.emitter.body()
        self.emitter.push(body)
        trial = self._turn(header, state, self._fresh(header, state, changed), None, -1)[0]
        self.emitter.pop()
        trial.selects, trial.operations = self.context.selects, self.emitter.operations - operations
        self.context.selects = selects
        self._forget(mark)
        return trial

    def _mark(self) -> tuple[list[tuple[Join, int]], list[tuple[LoopFrame, int]], int]:
        return (
            [(join, len(join.exits)) for join in self.targets.values()],
            [(frame, len(frame.trial.tests)) for frame in self.loops],
            len(self.visited),
        )

    def _forget(self, mark: tuple[list[tuple[Join, int]], list[tuple[LoopFrame, int]], int]) -> None:
        """Take back the ways out that were found since a mark."""
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

    def _spill(self, join: Join) -> None:
        """Make the block of a scope that is left only at its end a part of the block around it: values stay visible."""
        outer = self.emitter.current
        while outer.items and isinstance(scope := outer.items[-1], ScopeNode) and (scope.label == join.label or not scope.left):
            inner = scope.body
            outer.items[-1:] = inner.items
            for item in inner.items:
                result = getattr(item, "result", None)
                if result is not None:
                    self.emitter.homes[result] = outer.number
            for key, result in inner.known.items():
                outer.known.setdefault(key, result)
        if outer.items and isinstance(last := outer.items[-1], Leave) and last.label == join.label:
            outer.items.pop()

    def _note_test(self, block: Block, condition: Scalar, yes: int, no: int, state: State) -> None:
        """Remember a branch out of the innermost loop, where every turn comes to it."""
        if not self.loops:
            return
        frame = self.loops[-1]
        if (yes == frame.merge) == (no == frame.merge) or self.emitter.current is not frame.body:
            return
        frame.trial.tests.append(
            Test(
                block.label,
                condition,
                yes == frame.merge,
                self._edge(block.label, frame.merge, state).copy(),
                frame.in_continue,
            )
        )

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

    # Loops with a counter

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
        """What must be added to a component to get another; None where that is not known."""
        total = 0
        while isinstance(scalar, Ref) and scalar != base:
            made = self.emitter.definitions.get(scalar.value)
            if not isinstance(made, Operate) or made.op != ADD or scalar.negated:
                return None
            a, b = [operand[scalar.lane] for operand in made.operands]
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
        made = self.emitter.definitions.get(ref.value)
        if not isinstance(made, Number) or self.emitter.homes[ref.value] != 0:
            return None
        value = made.values[ref.lane]
        return -value if ref.negated else value

    def _turns(self, slot: Slot, start: int, step: int, head: Ref, test: Test) -> Counter | None:
        """The turns of a loop that leaves by a test of its counter."""
        condition = test.condition
        stays = not test.leaves_on
        made = self.emitter.definitions.get(condition.value) if isinstance(condition, Ref) else None
        while isinstance(made, Operate) and made.op == NOT and isinstance(condition, Ref):
            stays = not stays
            condition = made.operands[0][condition.lane]
            made = self.emitter.definitions.get(condition.value)
        if not isinstance(made, Operate) or made.op not in (LT, LE, EQ, NE) or not isinstance(condition, Ref):
            return None
        a, b = [operand[condition.lane] for operand in made.operands]
        for counted, bound, first in ((a, b, True), (b, a, False)):
            shift = self._affine(counted, head)
            if shift is None:
                shift = self._affine_negated(counted, head)
                if shift is None:
                    continue
            limit = self._known(bound)
            if limit is not None:
                turns = _count_turns(made.op, stays, start, step, shift, limit, first, counted.negated, test.in_continue)
                return Counter(slot, start, step, turns, Known(start + turns * step), test) if turns is not None else None
            return self._application_count(made.op, stays, slot, start, step, shift, bound, first, test)
        return None

    def _affine_negated(self, counted: Ref, head: Ref) -> int | None:
        return 0 if counted == head._replace(negated=not head.negated) else None

    def _application_count(
        self, op: str, stays: bool, slot: Slot, start: int, step: int, shift: int, bound: Ref, first: bool, test: Test
    ) -> Counter | None:
        """A loop that does as many turns as an int uniform says."""
        made = self.emitter.definitions.get(bound.value)
        if not isinstance(made, Row) or made.offset is not None or bound.negated or test.in_continue or step != 1 or not stays:
            return None
        interface = self.context.interface
        uniform, kind = interface.uniforms[made.uniform], interface.uniform_types[made.uniform]
        key = interface.uniform_keys[made.uniform]
        if (uniform.rows, uniform.columns, kind.kind) != (1, 1, "int") or not interface.may_be_flag(key):
            return None
        begins = start + shift
        fits = (op == LT and first and begins == 0) or (op == LE and first and begins == 1) or (op == NE and begins == 0)
        if not fits:
            return None
        last: Scalar = bound if start == 0 else self.emitter.scalar(ADD, bound, Known(start))
        return Counter(slot, start, step, CountOf(interface.count(made.uniform)), last, test)

    def _for(self, header: Block, state: State, changed: set[Slot], counter: Counter) -> tuple[State | None] | None:
        """A loop with a counter; None where it cannot be one."""
        emitter, mark = self.emitter, self._mark()
        join = self._open(state, -1)
        self.targets.pop(-1, None)
        scope = emitter.current
        variables = self._house(header, state, changed - {counter.slot})
        before = Splice()
        emitter.put(before)
        body = emitter.body()
        number = emitter.value()
        emitter.put(ForNode(emitter.label(), counter.turns, counter.start, counter.step, number, body, emitter.line))
        emitter.push(body)
        emitter.homes[number] = body.number
        turns = counter.turns if isinstance(counter.turns, int) else 255
        ends = (counter.start, counter.start + (turns - 1) * counter.step)
        self.context.ranges[number, 0] = (min(ends), max(ends))
        head = self._loaded(variables)
        head[counter.slot] = Ref(number)
        trial, _ = self._turn(header, state, head, join, counter.test.block)
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
        # Ways out of the middle leave the scope around the loop; what the normal end stores is stored before the loop where it is known there.
        after = Splice()
        emitter.put(after)
        loads = {slot: self._at(normal, slot) for slot in variables if slot.key is not None or slot.id in normal.ids}
        join.exits = [Exit(after, scope, normal), *[self._as_after(each, loads, head) for each in join.exits]]
        emitter.pop()
        merged = self._merge(join, {slot: (*variables[slot], loaded) for slot, loaded in loads.items()})
        if all(emitter.visible(ref) for item in after.items for ref in item.operand):
            before.items, after.items = after.items, []
        return (merged,)

    def _as_after(self, way: Exit, loads: dict[Slot, Scalar], head: dict[Slot, Scalar]) -> Exit:
        """A way out of the middle of a loop: components that are as at the head of the turn are in their variables, as they are after the normal end."""
        state = way.state.copy()
        for slot, loaded in loads.items():
            if same(self._at(state, slot), head[slot]):
                self._put(state, slot, loaded)
        return way._replace(state=state)

    def _after(
        self,
        state: State,
        head: dict[Slot, Scalar],
        variables: dict[Slot, tuple[int, int]],
        counter: Counter,
        back: State | None,
        join: Join,
    ) -> State | None:
        """What is known at the normal end of a loop with a counter, from what its test sees: None where it cannot be said."""
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
            elif isinstance(scalar, Ref) and scalar._replace(negated=not scalar.negated) in known:
                found.append(negated(known[scalar._replace(negated=not scalar.negated)]))
            else:
                return None
        return tuple(found)

    # Loops without a counter

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

    # Instructions

    def _step(self, instruction: Instruction, state: State) -> State | None:
        """Do an instruction; what is known after it, None where nothing goes on."""
        context = self.context
        context.at(instruction)
        name, words, result = instruction.name, instruction.words, instruction.result
        if name == "OpVariable":
            self._declare(instruction, state)
        elif name == "OpLoad":
            state.ids[result] = memory.load(context, state, context.pointer(state, words[0]), instruction)
            self._expect_size(instruction, state.ids[result])
        elif name == "OpStore":
            memory.store(context, state, context.pointer(state, words[0]), context.value(state, words[1]), instruction)
        elif name in ("OpAccessChain", "OpInBoundsAccessChain"):
            indexes = [context.value(state, word)[0] for word in words[1:]]
            state.ids[result] = memory.step(context, context.pointer(state, words[0]), indexes, instruction)
        elif name == "OpCopyMemory":
            content = memory.load(context, state, context.pointer(state, words[1]), instruction)
            memory.store(context, state, context.pointer(state, words[0]), self._components(content), instruction)
        elif name == "OpFunctionCall":
            function = self.module.functions.get(words[0])
            if function is None:
                raise Malformed(f"%{words[0]} is not a function", instruction.offset)
            after, content = self.call(function, [context.content(state, word) for word in words[1:]], state, instruction)
            if after is None:
                return None
            after.ids[result] = content
            return after
        elif name == "OpExtInst":
            self._extended(instruction, state)
        elif name in ("OpUndef", "OpCompositeExtract", "OpCompositeInsert", "OpVectorExtractDynamic", "OpVectorInsertDynamic"):
            state.ids[result] = self.part(instruction, state)
        elif name in ("OpNop", "OpLifetimeStart", "OpLifetimeStop", "OpAssumeTrueKHR"):
            pass
        else:
            self._operate(instruction, state)
        return state

    def _declare(self, instruction: Instruction, state: State) -> None:
        kind = self.module.type(instruction.type)
        key: Key = (self.instance, instruction.result)
        if kind.kind != "pointer":
            raise Malformed("the type of a variable is not a pointer", instruction.offset)
        content = (
            self.context.value(state, instruction.words[1])
            if len(instruction.words) > 1
            else self.context.undefined(kind.element)
        )
        state.memory[key] = self._components(content)
        self.variable_types[key] = kind.element
        state.ids[instruction.result] = Pointer(key, spirv.FUNCTION, kind.element, kind.element)

    def _expect_size(self, instruction: Instruction, content: Content) -> None:
        if not isinstance(content, (Pointer, Opaque)) and len(content) != self.module.size(instruction.type):
            raise Malformed(f"{instruction.name} has a result of another size than its type", instruction.offset)

    def part(self, instruction: Instruction, state: State) -> Content:
        context, words = self.context, instruction.words
        if instruction.name == "OpUndef":
            return context.undefined(instruction.type)
        if instruction.name == "OpVectorExtractDynamic":
            index, vector = context.value(state, words[1])[0], context.value(state, words[0])
            if not isinstance(index, Ref):
                number = int(index.value) if index is not None else 0
                return (vector[number] if 0 <= number < len(vector) else None,)
            return context.choose(index, [(scalar,) for scalar in vector])
        if instruction.name == "OpVectorInsertDynamic":
            vector, new, index = (
                context.value(state, words[0]),
                context.value(state, words[1])[0],
                context.value(state, words[2])[0],
            )
            if isinstance(index, Ref):
                context.selects = True
                tests = self.emitter.operate(EQ, (index,) * len(vector), tuple([Known(at) for at in range(len(vector))]))
                return self.emitter.operate(SELECT, tests, (new,) * len(vector), vector)
            return tuple([new if index is not None and index.value == at else scalar for at, scalar in enumerate(vector)])
        inserts = instruction.name == "OpCompositeInsert"
        number = words[1] if inserts else words[0]
        content = context.content(state, number)
        if isinstance(content, (Pointer, Opaque)):
            raise Malformed(f"{instruction.name} takes a part of a value without components", instruction.offset)
        start, size = self._place_of(self._type_of(number, instruction), words[2 if inserts else 1 :], instruction)
        if not inserts:
            return content[start : start + size]
        new = context.value(state, words[0])
        if len(new) != size:
            raise Malformed("a part of another size is inserted", instruction.offset)
        return (*content[:start], *new, *content[start + size :])

    def _type_of(self, number: int, instruction: Instruction) -> int:
        found = self.id_types.get(number)
        if found is None:
            raise Malformed(f"%{number} has no type", instruction.offset)
        return found

    def _place_of(self, kind: int, indexes: tuple[int, ...], instruction: Instruction) -> tuple[int, int]:
        """Where the part of a value is that literal indexes lead to: its first component, and how many it has."""
        start = 0
        for index in indexes:
            made = self.module.type(kind)
            members = (
                made.members
                if made.kind == "struct"
                else (made.element,) * made.length
                if made.kind in ("vector", "matrix", "array")
                else ()
            )
            if index >= len(members):
                raise Malformed(f"{instruction.name} names a part that its operand does not have", instruction.offset)
            start += sum([self.module.size(member) for member in members[:index]])
            kind = members[index]
        return start, self.module.size(kind)

    def _extended(self, instruction: Instruction, state: State) -> None:
        """An instruction of a set: those without meaning for the result are left out."""
        context, words = self.context, instruction.words
        family = self.module.sets.get(words[0], "")
        if family != spirv.GLSL:
            if not family.startswith("NonSemantic.") and not family.endswith("DebugInfo.100"):
                context.report(
                    "S003", f"instructions of {family or 'an unknown set'} are not available on the target", instruction
                )
                state.ids[instruction.result] = context.undefined(instruction.type)
            return
        row = FUNCTIONS.get(words[1])
        if words[1] == 35:
            self._modf(instruction, state)
            return
        if row is None:
            name = NAMES.get(words[1], f"function {words[1]}")
            context.report(
                "S003", f"{name} of GLSL.std.450 is not available on the target", instruction, "compute with float and int"
            )
            state.ids[instruction.result] = context.undefined(instruction.type)
            return
        values = [context.value(state, word) for word in words[2:]]
        if len(values) != row[0]:
            raise Malformed(f"{NAMES[words[1]]} has {len(values)} operands: expected {row[0]}", instruction.offset)
        widths = {len(value) for value in values} - {1}
        if len(widths) > 1:
            raise Malformed(f"operands of {NAMES[words[1]]} have different sizes", instruction.offset)
        state.ids[instruction.result] = row[1](context, instruction, values)
        self._expect_size(instruction, state.ids[instruction.result])

    def _modf(self, instruction: Instruction, state: State) -> None:
        """The fraction of a number; its whole part goes to where a pointer says."""
        context, words = self.context, instruction.words
        if len(words) != 4:
            raise Malformed("Modf has the wrong number of operands", instruction.offset)
        value = context.value(state, words[2])
        whole = self.emitter.operate(TRUNC, value)
        memory.store(context, state, context.pointer(state, words[3]), whole, instruction)
        state.ids[instruction.result] = self.emitter.operate(ADD, value, tuple([negated(scalar) for scalar in whole]))

    def _operate(self, instruction: Instruction, state: State) -> None:
        context = self.context
        lower = OPERATIONS.get(instruction.name)
        if lower is None:
            context.report(
                "S003",
                f"{instruction.name} is not available on the target",
                instruction,
                "compute the value beforehand and pass it in",
            )
            if instruction.result and instruction.type:
                state.ids[instruction.result] = context.undefined(instruction.type)
            return
        count = 2 if instruction.name == "OpVectorShuffle" else len(instruction.words)
        values = [context.value(state, word) for word in instruction.words[:count]]
        for word in instruction.words[:count]:
            kind = self.id_types.get(word)
            if kind is not None:
                context.kinds[word] = self.module.scalar(kind).kind
        self._check_widths(instruction, values)
        state.ids[instruction.result] = lower(context, instruction, values)
        self._expect_size(instruction, state.ids[instruction.result])

    def _check_widths(self, instruction: Instruction, values: list[Value]) -> None:
        if instruction.name in ("OpCompositeConstruct", "OpVectorShuffle", "OpVectorTimesScalar", "OpMatrixTimesScalar", "OpMatrixTimesVector", "OpVectorTimesMatrix",
                                "OpMatrixTimesMatrix", "OpOuterProduct"):  # fmt: skip
            return
        widths = {len(value) for value in (values[1:] if instruction.name == "OpSelect" else values)}
        if instruction.name.startswith("OpShift"):
            widths = {len(value) for value in values}
        if len(widths) > 1 or 0 in widths:
            raise Malformed(f"operands of {instruction.name} have different sizes", instruction.offset)


class TooLarge(Exception):
    """More operations than any target has room for."""


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
