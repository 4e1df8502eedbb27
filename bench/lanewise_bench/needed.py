"""Results that a program needs for a vector of vertices: the operations that remain when nothing is computed twice or in vain.

The function of a plan is run on symbols, along the paths that the data take: lanes go together as far as they can, and what
they compute together counts once. Equal results are one result wherever they are computed (in other components, after other
branches, in other rounds of a loop), a result that no output or branch depends on is left out, and one that depends on uniforms
only is computed once a call, so it counts as nothing. Branches and indices are decided by the numbers of the lanes, with the
number rule of the profile; none of this is shared with the generator of kernels.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.ir.ssa import INHERITED, NUMBER, OPERATIONS, TRUTH, Fork, Jump, Stop, arguments, kind_of
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.components import SETEMIT, Component
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.ir.ssa import Block, Exit, Node

WIDTH = 16  # vertices of a vector
MOST_BLOCKS = 20_000  # that a vector may execute
MERGE = "merge"  # lanes that come from several paths with different values
_ROWS = 128  # an index is cut to so many rows of uniforms; after the last one are ones
_COMMUTING = ("add", "mul")
_FREE = frozenset(("const", "truth", "integer", "input", "uniform", "boolean", "component", "negate", "flush"))

# A result: its operation with numbers of other results, or immediates. `merge` has pairs of lanes and results.
Result = tuple[object, ...]


class Needed(NamedTuple):
    """What a vector of vertices needs, by operation: how often, the mean of the vectors that were looked at.

    `read` and `written` are the components of inputs that matter, and of outputs, by register.
    """

    results: Mapping[str, float]
    read: Mapping[int, frozenset[int]]
    written: Mapping[int, frozenset[int]]


def needed(plan: Plan, inputs: Inputs, uniforms: Uniforms, vectors: int = 4) -> Needed:
    """The results for the first vectors of some inputs. Raises ValueError for a program that emits or that does not end
    soon."""
    if plan.emission is not None:
        raise ValueError("the program emits vertices")
    total: Counter[str] = Counter()
    read: dict[int, frozenset[int]] = {}
    columns = {register: array[: vectors * WIDTH].tolist() for register, array in inputs.words.items()}
    starts = range(0, min(vectors * WIDTH, inputs.lanes), WIDTH)
    for start in starts:
        lanes = range(start, min(start + WIDTH, inputs.lanes))
        run = Run(plan, {n: [rows[lane] for lane in lanes] for n, rows in columns.items()}, uniforms, len(lanes))
        run.execute()
        counted, leaves = run.count()
        total.update(counted)
        for register, component in leaves:
            read[register] = read.get(register, frozenset()) | {component}
    written = {n: frozenset(range(4)) for n in plan.outputs}
    return Needed({op: count / len(starts) for op, count in sorted(total.items())}, read, written)


class Run:
    """One vector of lanes, run on symbols."""

    def __init__(self, plan: Plan, inputs: Mapping[int, Sequence[Sequence[int]]], uniforms: Uniforms, lanes: int) -> None:
        """`inputs` are words of the profile's format, by register and lane."""
        self._plan, self._inputs, self._uniforms, self._lanes = plan, inputs, uniforms, lanes
        self._rule = number_rule(plan.function.profile)
        self.results: list[Result] = []
        self._numbers: dict[Result, int] = {}
        self._differs: list[bool] = []
        self._known: dict[tuple[int, int], int | bool] = {}
        self._everybody = tuple(range(lanes))
        # The result that each lane has in each component; one result where all have the same.
        self._state: dict[Component, int | list[int]] = {}
        self._asked: set[int] = set()

    # Execution

    def execute(self) -> None:
        """Run all lanes to their ends. Raises ValueError if that takes too long."""
        place = {block: n for n, block in enumerate(self._plan.lanes.order.blocks)}
        waiting: dict[int, list[int]] = {0: list(self._everybody)}
        executed = 0
        while waiting:
            number = min(waiting, key=place.__getitem__)
            lanes = tuple(sorted(waiting.pop(number)))
            executed += 1
            if executed > MOST_BLOCKS:
                raise ValueError(f"a vector executes more than {MOST_BLOCKS} blocks")
            block = self._plan.function.blocks[number]
            values = _Block(self, block, lanes)
            writes = {c: values.number(v) for c, v in block.writes.items() if c in self._plan.needs.end[number]}
            self._leave(block.exit, lanes, values, writes, waiting)

    def _leave(
        self,
        exit: Exit,
        lanes: tuple[int, ...],
        values: _Block,
        writes: Mapping[Component, int],
        waiting: dict[int, list[int]],
    ) -> None:
        match exit:
            case Fork(question, yes, no):
                asked = values.number(question)
                if self._differs[asked]:
                    self._asked.add(asked)
                sides: tuple[list[int], list[int]] = [], []
                for lane in lanes:
                    sides[not self.value(asked, lane)].append(lane)
                for side, target in zip(sides, (yes, no), strict=True):
                    if side:
                        self._leave(target, tuple(side), values, writes, waiting)
            case Jump(target, more):
                mine = dict(writes) | {c: values.number(v) for c, v in more if c in self._plan.needs.begin[target]}
                for component, result in mine.items():
                    self._write(component, result, lanes)
                waiting.setdefault(target, []).extend(lanes)
            case Stop():
                for component, result in writes.items():
                    self._write(component, result, lanes)

    def _write(self, component: Component, result: int, lanes: tuple[int, ...]) -> None:
        if len(lanes) == self._lanes:
            self._state[component] = result
            return
        before = self._state.get(component)
        if before is None:
            before = self._nothing(component)
        state = [before] * self._lanes if isinstance(before, int) else before
        for lane in lanes:
            state[lane] = result
        self._state[component] = state

    def _nothing(self, component: Component) -> int:
        """What a component has that nothing was written to."""
        if component == SETEMIT:
            return self.new(("integer", INHERITED))
        kind = kind_of(component)
        return self.new(("const", 0) if kind == NUMBER else ("truth", False) if kind == TRUTH else ("integer", 0))

    def read(self, component: Component, lanes: tuple[int, ...]) -> int:
        """The value of a component in some lanes."""
        state = self._state.get(component)
        if state is None:
            return self._nothing(component)
        if isinstance(state, int):
            return self.restricted(state, lanes)
        return self.merged([(lane, state[lane]) for lane in lanes])

    def restricted(self, result: int, lanes: tuple[int, ...]) -> int:
        """A value as some of its lanes have it: a merge of fewer lanes may be one result."""
        node = self.results[result]
        if node[0] != MERGE:
            return result
        kept = dict(_pairs(node))
        return self.merged([(lane, kept[lane]) for lane in lanes if lane in kept])

    def merged(self, pairs: Iterable[tuple[int, int]]) -> int:
        """The value that has these results in these lanes."""
        flat: list[tuple[int, int]] = []
        for lane, result in pairs:
            node = self.results[result]
            flat.append((lane, dict(_pairs(node))[lane] if node[0] == MERGE else result))
        several = {result for _, result in flat}
        return several.pop() if len(several) == 1 else self.new((MERGE, *flat))

    # Results

    def new(self, node: Result) -> int:
        """The number of a result, the same for equal ones."""
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.results)
            self.results.append(node)
            op = node[0]
            self._differs.append(op in ("input", MERGE) or any(self._differs[a] for a in _arguments(node)))
        return found

    def made(self, op: str, *operands: int, immediates: tuple[object, ...] = ()) -> int:
        """A result of others. Signs are moved outwards, where they cost nothing, and commuting operands put in order."""
        if op == "negate":
            (a,) = operands
            node = self.results[a]
            return _number(node[1]) if node[0] == "negate" else self.new(("negate", a))
        if op in _COMMUTING:
            a, b = operands
            for one, other in ((a, b), (b, a)):
                word = self.results[one]
                if word[0] == "const" and word[1] == (0 if op == "add" else self._rule.constant(1.0)):
                    return other
            signs = [self.results[operand][0] == "negate" for operand in operands]
            bare = [_number(self.results[o][1]) if sign else o for o, sign in zip(operands, signs, strict=True)]
            if op == "mul":
                result = self.new((op, *sorted(bare)))
                return self.made("negate", result) if signs[0] != signs[1] else result
            if all(signs):
                return self.made("negate", self.new((op, *sorted(bare))))
            return self.new((op, *sorted(operands)))
        return self.new((op, *operands, *immediates))

    def value(self, result: int, lane: int) -> int | bool:
        """A result as a number, in one lane."""
        waiting = [(result, lane)]
        while waiting:
            key = waiting[-1]
            if key in self._known:
                waiting.pop()
                continue
            node = self.results[key[0]]
            needed = [dict(_pairs(node))[lane]] if node[0] == MERGE else _arguments(node)
            missing = [(a, lane) for a in needed if (a, lane) not in self._known]
            if missing:
                waiting += missing
                continue
            self._known[waiting.pop()] = self._computed(node, [self._known[a, lane] for a in needed], lane)
        return self._known[result, lane]

    def _computed(self, node: Result, operands: Sequence[int | bool], lane: int) -> int | bool:
        op, rule = str(node[0]), self._rule
        if op == MERGE:
            return operands[0]
        if op in ("const", "truth", "integer"):
            return node[1]  # type: ignore[return-value]
        if op == "input":
            rows = self._inputs.get(_number(node[1]))
            return 0 if rows is None else rows[lane][_number(node[2])]
        if op == "uniform":
            return self._uniforms.floats[_number(node[1])][_number(node[2])]
        if op == "boolean":
            return self._uniforms.booleans[_number(node[1])]
        if op == "component":
            return self._uniforms.integers[_number(node[1])][_number(node[2])]
        if op == "gather":
            return self.value(self.row(int(operands[0]), _number(node[2])), lane)
        if op == "within":
            return _number(node[2]) <= operands[0] <= _number(node[3])
        if op == "compare":
            return rule.compare(_number(node[3]), int(operands[0]), int(operands[1]))
        if op == "integer_and":
            return int(operands[0]) & _number(node[2])
        return getattr(rule, op)(*operands)

    def row(self, index: int, component: int) -> int:
        """The uniform that an index leads to, which counts from v0."""
        row = index - FLOAT & _ROWS - 1
        return self.new(("uniform", row, component) if row < FLOAT_COUNT else ("const", self._rule.constant(1.0)))

    def differs(self, result: int) -> bool:
        """Whether a result depends on inputs."""
        return self._differs[result]

    # What is needed of it

    def wanted(self) -> list[int]:
        """The outputs, and flags of those that some lanes write."""
        files = [Component("o", n, c) for n in self._plan.outputs for c in range(4)]
        files += [Component("written", n, c) for n, mask in self._plan.unsure.items() for c in range(4) if mask & 8 >> c]
        return [self.read(component, self._everybody) for component in files]

    def count(self) -> tuple[Counter[str], set[tuple[int, int]]]:
        """How often each operation is needed, and which components of inputs."""
        found: set[int] = {*self.wanted(), *self._asked}
        waiting = list(found)
        counted: Counter[str] = Counter()
        leaves: set[tuple[int, int]] = set()
        while waiting:
            result = waiting.pop()
            node = self.results[result]
            op = str(node[0])
            if not self._differs[result]:
                continue
            if op == "input":
                leaves.add((_number(node[1]), _number(node[2])))
            if op == MERGE:
                below = {value for _, value in _pairs(node)}
                counted[MERGE] += len(below) - 1
            else:
                below = set(_arguments(node))
                if op not in _FREE:
                    counted[op] += 1
            fresh = below - found
            found |= fresh
            waiting += fresh
        return counted, leaves


class _Block:
    """A block that some lanes execute: its nodes as results."""

    def __init__(self, run: Run, block: Block, lanes: tuple[int, ...]) -> None:
        self._run, self._block, self._lanes = run, block, lanes
        self._results: dict[int, int] = {}

    def number(self, value: int) -> int:
        """The result of a node; what it depends on comes first."""
        waiting = [value]
        while waiting:
            top = waiting[-1]
            if top in self._results:
                waiting.pop()
                continue
            missing = [a for a in arguments(self._block.nodes[top]) if a not in self._results]
            if missing:
                waiting += missing
                continue
            self._results[waiting.pop()] = self._made(self._block.nodes[top])
        return self._results[value]

    def _made(self, node: Node) -> int:
        run, op = self._run, str(node[0])
        count = OPERATIONS[op][1]
        operands = [self._results[a] for a in arguments(node)]
        if op in ("enter", "enter_truth", "enter_integer"):
            component = node[1]
            assert isinstance(component, Component)
            return run.read(component, self._lanes)
        if op in ("gather", "within", "integer_and", "component", "to_integer") and operands and not run.differs(operands[0]):
            known = run.value(operands[0], self._lanes[0])
            if op == "gather":
                return run.row(int(known), int(node[2]))
        if OPERATIONS[op][0] != NUMBER and operands and not any(map(run.differs, operands)):
            # Integers and truth values of uniforms are known: loops have their counts, indices their rows.
            result = run.new((op, *operands, *node[1 + count :]))
            known = run.value(result, self._lanes[0])
            return run.new(("truth" if OPERATIONS[op][0] == TRUTH else "integer", known))
        if op == "component":
            known = run.value(run.new(tuple(node)), self._lanes[0])
            return run.new(("integer", known))
        if op in ("select", "integer_select") and run.results[operands[0]][0] == "truth":
            return operands[1] if run.results[operands[0]][1] else operands[2]
        return run.made(op, *operands, immediates=tuple(node[1 + count :]))


def _arguments(node: Result) -> tuple[int, ...]:
    """The results that a result is computed from; of a merge none, as they depend on the lane."""
    if node[0] == MERGE:
        return ()
    return tuple(_number(a) for a in node[1 : 1 + OPERATIONS[str(node[0])][1]])


def _pairs(node: Result) -> Iterable[tuple[int, int]]:
    return node[1:]  # type: ignore[return-value]


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
