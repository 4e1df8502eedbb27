"""Vector programs of functions in SSA form: the way back from `lowering`, for any function whose loops have one entry.

A parameter is a variable that each edge to its block stores. A value that another block reads is a variable too, but for a
leaf, which is there again. A block comes after the scope that the paths to it leave, in the order of the dominator tree
(Ramsey, Beyond Relooper, 2022); the loop whose head compares a count of turns is a `For`. `vector.passes` find what is
superfluous then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.vector import code as v
from lanewise.compile.vector.lowering import OPERATIONS
from lanewise.core.diagnostics import PortableError
from lanewise.graph.paths import dominates, dominators
from lanewise.ssa.function import Branch, Jump, Return, edges, reached, refs
from lanewise.ssa.nodes import LETTERS, NUMBER, WIDTHS, Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.vector.code import Operand, Program, Statement
    from lanewise.ssa.function import Declaration, Edge, Function
    from lanewise.ssa.nodes import Node

_NAMES = {name: op for op, name in OPERATIONS.items()} | {"lt": v.LT, "le": v.LE, "eq": v.EQ, "ne": v.NE}
_LEAVES = ("const", "known", "input", "uniform", "flag", "count", "undefined")  # computed again in each block that reads them
_END = 0  # the label of the whole program
_KINDS = ("input", "uniform", "flag", "count", "output")
# The facts of declarations, from the least to the most.
_FACTS = {"register": (-1, 255), "lanes": (1, 4), "rows": (1, 256), "columns": (1, 4), "most": (0, 255), "mask": (1, 15)}
_MOST = 1 << 16  # of numbers of loops
_MOST_NESTED = 80


class NotRaisedError(PortableError):
    """A function that is not a vector program: the line of `Function.lines`, and why."""

    line: int
    message: str
    fix: str

    def __init__(self, line: int, message: str, fix: str) -> None:
        super().__init__(line, message, fix)
        self.line, self.message, self.fix = line, message, fix


def raised(function: Function) -> Program:
    """The vector program of a sound function. Raises NotRaisedError."""
    function = reached(function)
    raising = _Raising(function)
    outputs = raising.outputs()
    body = raising.tree(0)
    return v.Program(
        name=function.name,
        inputs=tuple(raising.inputs),
        outputs=outputs,
        uniforms=tuple(raising.uniforms),
        flags=tuple(raising.flags),
        counts=tuple(raising.counts),
        variables=tuple(raising.variables),
        body=(v.Scope(_END, tuple(body)),),
        lines=function.lines,
    )


def _semantic(declaration: Declaration) -> str:
    return str(dict(declaration.facts).get("semantic", ""))


def _fact(declaration: Declaration, key: str, usual: int) -> int:
    """A number of a declaration. Raises NotRaisedError for one that nothing has."""
    found, (low, high) = dict(declaration.facts).get(key, usual), _FACTS[key]
    if not isinstance(found, int) or not low <= found <= high:
        message = f"{declaration.kind} '{declaration.name}' has {key}={found}"
        raise NotRaisedError(0, message, f"use {low} to {high}")
    return found


def _declared(function: Function) -> Mapping[str, list[Declaration]]:
    """The declarations by kind. Raises NotRaisedError for unknown ones, and for names that are declared twice."""
    found: dict[str, list[Declaration]] = {kind: [] for kind in _KINDS}
    for declaration in function.declarations:
        if declaration.kind not in found:
            raise NotRaisedError(0, f"unknown declaration '{declaration.kind}'", f"use {', '.join(_KINDS)}")
        if declaration.name in [each.name for each in found[declaration.kind]]:
            raise NotRaisedError(0, f"{declaration.kind} '{declaration.name}' is declared twice", "remove one of them")
        found[declaration.kind].append(declaration)
    return found


class _Counted(NamedTuple):
    """The loop of a head that counts turns: how many, and the parameter that is the counter with its first number and step."""

    turns: int | v.CountOf
    parameter: int
    start: int
    step: int


class _Raising:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.variables: list[v.Variable] = []
        self.values = self.depth = 0
        self.labels = _END
        self.above = dominators(function.flow)
        before = function.flow.predecessors
        self.back = [[source for source in before[block] if source >= block] for block in range(len(before))]
        self.loops: dict[int, frozenset[int]] = {}
        for head, sources in enumerate(self.back):
            for source in sources:
                if not dominates(self.above, head, source):
                    line = function.blocks[source].exit.line
                    raise NotRaisedError(line, f"the loop of block {head} has another entry", "enter loops at one block")
            if sources:
                self.loops[head] = self.inside(head, sources)
        self.entered: list[list[tuple[int, Edge]]] = [[] for _ in before]  # by block: the edges to it, with their blocks
        for source, block in enumerate(function.blocks):
            for edge in edges(block.exit):
                self.entered[edge.block].append((source, edge))
        self.merging = [sum(source < block for source, _ in each) > 1 for block, each in enumerate(self.entered)]
        self.below: list[list[int]] = [[] for _ in before]  # by block: those that it dominates next
        for block, dominator in enumerate(self.above):
            if dominator >= 0:
                self.below[dominator].append(block)
        declared = _declared(function)
        self.names = {kind: {each.name: n for n, each in enumerate(rows)} for kind, rows in declared.items()}
        self.declared = declared["output"]
        self.inputs = [
            v.Input(name=d.name, register=_fact(d, "register", -1), lanes=_fact(d, "lanes", 4), semantic=_semantic(d))
            for d in declared["input"]
        ]
        self.uniforms = [
            v.Uniform(name=d.name, rows=_fact(d, "rows", 1), columns=_fact(d, "columns", 4), register=_fact(d, "register", -1))
            for d in declared["uniform"]
        ]
        self.flags = [v.Flag(d.name, _fact(d, "register", -1)) for d in declared["flag"]]
        self.counts = [v.Count(d.name, _fact(d, "register", -1), _fact(d, "most", v.MOST_TURNS)) for d in declared["count"]]
        self.places: dict[int, int] = {}  # the variables of nodes
        home = {n: at for at, block in enumerate(function.blocks) for n in (*block.parameters, *block.nodes)}
        for block in function.blocks:
            for n in block.parameters:
                self.place(n)
        for at, block in enumerate(function.blocks):
            for ref in (*[s for n in block.nodes for s in function.nodes[n].sources], *refs(block.exit)):
                if home[ref.node] != at and function.nodes[ref.node].op not in _LEAVES:
                    self.place(ref.node)
        self.labelled: dict[int, int] = {}  # by block: the scope that paths to it leave
        self.bodies: dict[int, int] = {}  # by head: the scope that is the body of its loop
        self.seen: dict[int, Operand] = {}  # the values of a block
        self.out: list[Statement] = []
        self.line = -1
        self.counters: dict[int, v.Ref] = {}  # parameters that are counters here
        self.results: list[tuple[int, int]] = []

    def inside(self, head: int, sources: Sequence[int]) -> frozenset[int]:
        """The blocks of a loop."""
        found, waiting = {head}, [*sources]
        while waiting:
            block = waiting.pop()
            if block not in found:
                found.add(block)
                waiting += self.function.flow.predecessors[block]
        return frozenset(found)

    def outputs(self) -> tuple[v.Output, ...]:
        """The outputs, each with a variable for its lanes."""
        found: list[v.Output] = []
        order: list[str] = []
        for declaration in self.declared:
            mask = _fact(declaration, "mask", 15)
            variable = self.variable(4, declaration.name)
            found.append(v.Output(name=declaration.name, semantic=_semantic(declaration), variable=variable, mask=mask))
            self.results += [(variable, lane) for lane in v.lanes_of(mask)]
            order += [f"{declaration.name}.{LETTERS[lane]}" for lane in v.lanes_of(mask)]
        if tuple(order) != self.function.results:
            expected = ", ".join(order) or "none"
            raise NotRaisedError(0, "the results are not the lanes of the declared outputs", f"return {expected}")
        return tuple(found)

    # Values

    def new(self) -> int:
        self.values += 1
        return self.values - 1

    def variable(self, lanes: int, name: str = "") -> int:
        self.variables.append(v.Variable(name, lanes))
        return len(self.variables) - 1

    def place(self, node: int) -> int:
        if node not in self.places:
            self.places[node] = self.variable(WIDTHS[self.function.nodes[node].type])
        return self.places[node]

    def load(self, variable: int) -> Operand:
        value = self.new()
        self.out.append(v.Load(value, variable, self.line))
        return tuple([v.Ref(value, lane) for lane in range(self.variables[variable].lanes)])

    def operand(self, ref: Ref) -> Operand:
        """A value, which is a variable or a leaf where another block has computed it."""
        if ref.node in self.counters:
            found: Operand = (self.counters[ref.node],)
        else:
            if ref.node not in self.seen:
                node = self.function.nodes[ref.node]
                self.seen[ref.node] = self.node(node) if node.op in _LEAVES else self.load(self.places[ref.node])
            found = self.seen[ref.node]
        chosen = [found[LETTERS.index(letter)] for letter in ref.lanes] if ref.lanes else found
        return tuple([lane.turned(bool(ref.modifier)) for lane in chosen])

    def node(self, node: Node) -> Operand:
        """The statement of a node, and the lanes of its value."""
        sources = [self.operand(source) for source in node.sources]
        if node.op == "pack":
            return tuple([source[0] for source in sources])
        if node.op in ("is_one", "one_if"):  # truth values are 1.0 and 0.0
            return sources[0]
        if node.op == "undefined":
            return self.load(self.variable(WIDTHS[node.type]))
        value = self.new()
        self.out.append(self.statement(value, node, sources))
        return tuple([v.Ref(value, lane) for lane in range(WIDTHS[node.type])])

    def statement(self, value: int, node: Node, sources: list[Operand]) -> Statement:
        taken, line = node.immediates, node.line
        match node.op:
            case "const" | "known":
                return v.Number(value, tuple(map(float, taken)), line)
            case "input":
                return v.Attribute(value, self.named(node), line)
            case "uniform" | "uniform_at":
                number, row, offset = self.named(node), int(taken[1]), sources[0][0] if sources else None
                if not 0 <= row < self.uniforms[number].rows and not sources:
                    message = f"uniform '{taken[0]}' has no row {row}"
                    raise NotRaisedError(line, message, f"use row 0 to {self.uniforms[number].rows - 1}")
                return v.Row(result=value, uniform=number, row=row, offset=offset, line=line)
            case "table":
                numbers = list(map(float, taken))
                rows = [(x, y, z, w) for x, y, z, w in zip(*[iter(numbers)] * 4, strict=True)]
                return v.Table(value, tuple(rows), sources[0][0], line)
            case "flag":
                return v.Truth(value, self.named(node), line)
            case "count":
                self.named(node)
                raise NotRaisedError(
                    line, "a count is read as a number", "compare it in the head of a loop only: lt %turns, %count"
                )
            case op:
                return v.Operate(value, _NAMES[op], tuple(sources), line)

    def named(self, node: Node) -> int:
        kind, name = node.op.removesuffix("_at"), str(node.immediates[0])
        if name not in self.names[kind]:
            raise NotRaisedError(node.line, f"unknown {kind} '{name}'", f"declare it: {kind} {name}")
        return self.names[kind][name]

    # Blocks

    def tree(self, block: int) -> list[Statement]:
        """A block, and those that it dominates: what it and other blocks go on with comes after them."""
        self.depth += 1
        if self.depth > _MOST_NESTED:
            line = self.function.blocks[block].exit.line
            raise NotRaisedError(line, f"blocks are nested more than {_MOST_NESTED} deep", "split the function")
        found: list[Statement] = []
        following: int | None = block
        while following is not None:
            part, following = self.part(following)
            found += part
        self.depth -= 1
        return found

    def part(self, block: int) -> tuple[list[Statement], int | None]:
        """A block with what it dominates, without the last block that several paths lead to, which comes next."""
        children = self.below[block]
        loop = self.loops.get(block)
        after = [n for n in children if (self.merging[n] if loop is None else n not in loop)]
        for each in after:
            self.labelled[each] = self.label()
        inner = [] if loop is None else [n for n in children if n in loop and self.merging[n]]
        found = self.plain(block) if loop is None else self.loop(block, inner)
        for each in after:
            found = [v.Scope(self.labelled[each], tuple(found)), *(self.tree(each) if each != after[-1] else ())]
        return found, after[-1] if after else None

    def scoped(self, after: Sequence[int], statements: Callable[[], list[Statement]]) -> list[Statement]:
        """Statements of the body of a loop, which leave scopes for blocks; each block comes after its scope."""
        for block in after:
            self.labelled[block] = self.label()
        found = statements()
        for block in after:
            found = [v.Scope(self.labelled[block], tuple(found)), *self.tree(block)]
        return found

    def label(self) -> int:
        self.labels += 1
        return self.labels

    def plain(self, number: int) -> list[Statement]:
        """The statements of a block and of its exit."""
        block = self.function.blocks[number]
        self.out, self.seen = [], {}
        for n in block.nodes:
            node = self.function.nodes[n]
            self.line = node.line
            if node.op not in _LEAVES:
                self.seen[n] = self.node(node)
                if n in self.places:
                    self.store(self.places[n], self.seen[n])
        self.line = block.exit.line
        match block.exit:
            case Jump(edge):
                return self.going(number, edge)
            case Branch(question, yes, no):
                condition, seen, found = self.operand(question)[0], self.seen, self.out
                arms: list[tuple[Statement, ...]] = []
                for edge in (yes, no):
                    self.out, self.seen, self.line = [], dict(seen), block.exit.line
                    arms.append(tuple(self.going(number, edge)))
                return [*found, v.If(condition, arms[0], arms[1], block.exit.line)]
            case Return(results):
                for (variable, lane), ref in zip(self.results, results, strict=True):
                    self.store(variable, self.operand(ref), 1 << lane)
                return [*self.out, v.Leave(_END, self.line)]

    def store(self, variable: int, operand: Operand, mask: int = 0) -> None:
        self.out.append(v.Store(variable, mask or (1 << len(operand)) - 1, operand, self.line))

    def going(self, source: int, edge: Edge) -> list[Statement]:
        """The statements so far, the values of parameters, and what comes next."""
        parameters = self.function.blocks[edge.block].parameters
        for parameter, operand in zip(parameters, list(map(self.operand, edge.arguments)), strict=True):
            self.store(self.places[parameter], operand)
        found = self.out
        if source in self.back[edge.block]:
            return [*found, v.Leave(self.bodies[edge.block], self.line)]
        if edge.block in self.labelled:
            return [*found, v.Leave(self.labelled[edge.block], self.line)]
        return [*found, *self.tree(edge.block)]

    def loop(self, head: int, inner: Sequence[int]) -> list[Statement]:
        """A loop, whose body ends by leaving a scope; other paths leave scopes around it."""
        label, self.bodies[head] = self.label(), self.label()
        line = self.function.blocks[head].exit.line
        counted, leave = self.counted(head), self.function.blocks[head].exit
        if counted is None or not isinstance(leave, Branch):
            body = v.Scope(self.bodies[head], tuple(self.scoped(inner, lambda: self.plain(head))))
            return [v.Loop(label, (body,), line)]
        counter = self.new()
        self.counters[counted.parameter] = v.Ref(counter)

        def entered() -> list[Statement]:
            self.out, self.seen = [], {}
            return self.going(head, leave.yes)

        body = v.Scope(self.bodies[head], tuple(self.scoped(inner, entered)))
        del self.counters[counted.parameter]
        found = v.For(
            label=label,
            turns=counted.turns,
            start=counted.start,
            step=counted.step,
            counter=counter,
            body=(body,),
            line=line,
            end=self.function.blocks[self.back[head][-1]].exit.line,
        )
        self.out, self.seen, self.line = [], {}, line
        return [found, *self.going(head, leave.no)]

    # Loops that count

    def counted(self, head: int) -> _Counted | None:
        """The loop of a head, if that only asks whether a number of turns is done."""
        block, nodes = self.function.blocks[head], self.function.nodes
        if not isinstance(block.exit, Branch):
            return None
        question, yes, no, _ = block.exit
        asked = nodes[question.node]
        others = [n for n in block.nodes if n != question.node]
        if asked.op != "lt" or question.node not in block.nodes or question.node in self.places:
            return None
        if any(nodes[n].op not in _LEAVES for n in others) or yes.block not in self.loops[head] or no.block in self.loops[head]:
            return None
        counting, limit = asked.sources
        steps = {parameter: step for parameter in block.parameters if (step := self.steps(head, parameter)) is not None}
        turns = self.turns(limit)
        if counting.modifier or steps.get(counting.node) != (0, 1) or turns is None:
            return None
        parameter = next(reversed(steps))
        return _Counted(turns, parameter, *steps[parameter])

    def turns(self, ref: Ref) -> int | v.CountOf | None:
        node = self.function.nodes[ref.node]
        if node.op == "count" and not ref.modifier:
            return v.CountOf(self.named(node))
        number = self.whole(ref)
        return None if number is None else max(0, number)

    def steps(self, head: int, parameter: int) -> tuple[int, int] | None:
        """The first number of a parameter of a loop, and what each turn adds to it, where both are known and whole."""
        at = self.function.blocks[head].parameters.index(parameter)
        found: list[set[int | None]] = [set(), set()]  # on entry, and by turns
        for source, edge in self.entered[head]:
            again = source in self.back[head]
            found[again].add(self.added(edge.arguments[at], parameter) if again else self.whole(edge.arguments[at]))
        (first, *others), (step, *more) = found
        return None if others or more or first is None or step is None else (first, step)

    def added(self, ref: Ref, parameter: int) -> int | None:
        """The number that is added to a parameter."""
        node = self.function.nodes[ref.node]
        if node.op != "add" or ref.modifier or Ref(parameter) not in node.sources:
            return None
        return self.whole(node.sources[node.sources[0] == Ref(parameter)])

    def whole(self, ref: Ref) -> int | None:
        """A known whole number."""
        node = self.function.nodes[ref.node]
        if node.op != "const" or self.function.type_of(ref) != NUMBER:
            return None
        value = float(node.immediates[LETTERS.index(ref.lanes or "x")])
        if not abs(value) <= _MOST or value != int(value):
            return None
        return int(-value if ref.modifier else value)
