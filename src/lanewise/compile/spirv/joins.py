"""Scopes, and what is known where the paths out of them meet: components on which they do not agree become variables, the
others stay values."""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed, Unsupported
from lanewise.compile.spirv.context import Context, Key, State
from lanewise.compile.spirv.emit import Body, ScopeNode, Splice
from lanewise.compile.spirv.values import Content, Opaque, Pointer, Scalar, Value, same
from lanewise.compile.vector.code import (
    Leave,
    Ref,
    Store,
)
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.emit import Emitter
    from lanewise.compile.spirv.module import Block, Function, Module
    from lanewise.compile.spirv.scopes import Scopes


class Slot(Record):
    """A place that changes: a variable of the shader, or (with `key` None) the value of an id; and the component."""

    key: Key | None
    id: int
    component: int


class Exit(Record):
    """A path to a join: where stores may be put, in which block, and what is known there."""

    splice: Splice
    body: Body
    state: State


class Join:
    """A block to which several paths may lead: the scope of its label ends there."""

    def __init__(self, label: int, entry: State, visited: int, body: Body | None = None) -> None:
        self.label = label
        self.entry = entry
        self.body = body  # of its scope
        self.visited = visited  # how many blocks had been executed when it was opened
        self.exits: list[Exit] = []
        self.kept: frozenset[int] = frozenset()  # ids that are needed after it whatever uses them


class Test(Record):
    """A branch out of a loop at its top level."""

    block: int
    "The label of the block that it ends."
    condition: Scalar
    "The condition, which may be known."
    leaves_on: bool
    "It leaves where the condition is true."
    state: State
    "The values and variables known outside, where it leaves."
    in_continue: bool
    "It is in the continue part of the loop, at the end of a turn."


class Trial:
    """A loop that was executed once, from what is known at its head."""

    def __init__(self) -> None:
        self.head: dict[Slot, Scalar] = {}
        self.back: State | None = None
        self.tests: list[Test] = []
        self.selects = False
        self.operations = 0
        self.calls = 0


class LoopFrame:
    """A loop that is being executed."""

    merge: int
    trial: Trial
    head: State
    body: Body
    forced: int

    def __init__(self, merge: int, trial: Trial, head: State, body: Body, forced: int) -> None:
        self.merge, self.trial, self.head, self.body, self.forced = merge, trial, head, body, forced
        self.in_continue = False


class TooLarge(Exception):
    """More operations than any target has room for."""


class Joins:
    """The state of an execution, and joins."""

    module: Module
    emitter: Emitter

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
        self.scopes: Scopes | None = None  # what a debugger sees, where one asks
        self.results: list[Value] = []
        self.variable_types: dict[Key, int] = {}
        self.changed: dict[tuple[int, int], set[Slot]] = {}  # by loop, what tries have shown that it changes
        self.uses: dict[int, set[int]] = {}  # blocks that use an id
        self.id_types: dict[int, int] = {}
        self.plain_types: set[int] = set()
        for instruction in self.module.instructions:
            if instruction.result and instruction.type:
                self.id_types[instruction.result] = instruction.type

    def _come_to(self, instruction: Instruction, state: State) -> None:
        """Attribute the code that is emitted from now on to an instruction."""
        self.context.at(instruction, self.scopes.of(instruction, state) if self.scopes is not None else ())

    @staticmethod
    def _components(content: Content) -> Value:
        if isinstance(content, (Pointer, Opaque)):
            raise Unsupported("pointers and images are not supported as values of variables")
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

    def _open(self, state: State, label: int) -> Join:
        """A scope from here, which branches to a block leave."""
        body = self.emitter.body()
        join = Join(self.emitter.label(), state.copy(), len(self.visited), body)
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
        splice = Splice(self.emitter.line)
        self.emitter.put(splice)
        self.emitter.put(Leave(join.label, self.emitter.line))
        join.exits.append(Exit(splice, self.emitter.current, state))

    def _spill(self, join: Join) -> None:
        """Make the block of a scope that is left only at its end a part of the block around it: values stay visible."""
        outer = self.emitter.current
        while outer.items and isinstance(scope := outer.items[-1], ScopeNode) and (scope.label == join.label or not scope.left):
            outer.items.pop()
            self.emitter.absorb(outer, scope.body)
        if outer.items and isinstance(last := outer.items[-1], Leave) and last.label == join.label:
            outer.items.pop()

    def _merge(self, join: Join, homes: Mapping[Slot, tuple[int, int, Scalar]]) -> State | None:
        """Return the state where paths meet. `homes`: components that have a variable already, its lane, and the value it has
        there anyway."""
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
        """A value that all paths give: as it is where they agree, else through variables."""
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
        """Store components at the end of each path, and load them here."""
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
                        Store(variable, mask, self.emitter.refs([scalar for _, scalar in stored]), each.splice.line)
                    )
            loaded = self.emitter.load(variable)
            found |= {at: Ref(loaded, lane) for lane, at in lanes}
        return found

    def _agreed(self, scalars: list[Scalar]) -> tuple[Scalar] | None:
        """The component that all paths have, where it may be used; undefined ones agree with any."""
        given = [scalar for scalar in scalars if scalar is not None]
        if not given:
            return (None,)
        if all(same(scalar, given[0]) for scalar in given) and self.emitter.visible(given[0]):
            return (given[0],)
        return None

    def chunks(self, kind: int) -> list[tuple[int, int]]:
        """The vectors that a type is made of: where each begins, and how long it is."""
        value_type = self.module.type(kind)
        if value_type.kind in ("float", "int", "bool", "vector"):
            return [(0, self.module.size(kind))]
        members = value_type.members if value_type.kind == "struct" else (value_type.element,) * value_type.length
        found: list[tuple[int, int]] = []
        at = 0
        for member in members:
            found += [(at + start, count) for start, count in self.chunks(member)]
            at += self.module.size(member)
        return found

    def type_at(self, kind: int, component: int) -> int:
        """The scalar or vector in which a component of a type is."""
        value_type = self.module.type(kind)
        while value_type.kind in ("matrix", "array", "struct"):
            for member in value_type.members if value_type.kind == "struct" else (value_type.element,) * value_type.length:
                size = self.module.size(member)
                if component < size:
                    kind, value_type = member, self.module.type(member)
                    break
                component -= size
        return kind

    def call(
        self, function: Function, arguments: list[Content], state: State, at: Instruction | None = None
    ) -> tuple[State | None, Content]:
        """Do a function in place; see `flow`."""
        raise NotImplementedError

    def _run(self, label: int, state: State, resumed: bool = False) -> None:
        """Execute from a block on; see `flow`."""
        raise NotImplementedError
