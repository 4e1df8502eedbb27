"""A program as SSA: the semantics run once over each block of the graph, on symbols instead of numbers.

`Tracer` implements the words of `sem.algebra` by writing down what was asked for. Equal requests are one node, and what is constant is
computed at once by the number rule of the profile, so nothing here knows what a word means. Between blocks values travel in cells:
a component of a temporary or an output, a flag, an address register, a number of the LOOP ring. What EMIT does to them is
`sem.emission`, run on symbols too; which vertices a block emits is told beside its values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.numbers.binary import GE, dot_in_order
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.ir.graph import MOST_SHAPES, Branch, Goto, unfold
from lanewise.pica200.ir.ssa import (
    AL,
    FED,
    INTEGER,
    NUMBER,
    SETEMIT,
    TRUTH,
    Block,
    Cell,
    Emit,
    Fork,
    Geometry,
    Jump,
    Stop,
    Trace,
    Unsupported,
    leaves,
    setting_of,
)
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import End, Hang, LoopValues
from lanewise.pica200.sem.instruction import computes, execute, prepare
from lanewise.pica200.sem.numerics import number_rule
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import FLOAT_COUNT, Registers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.ir.graph import Graph, Way
    from lanewise.pica200.ir.ssa import Exit, Node, Value
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.flow import Action
    from lanewise.pica200.sem.profile import Profile

_ENTER = {NUMBER: "enter", TRUTH: "enter_truth", INTEGER: "enter_integer"}


class UnsupportedError(Exception):
    """What SSA cannot express; the text is the reason."""


def _leaf_table() -> tuple[list[Node], dict[Node, Value]]:
    nodes: list[Node] = [("input", number, c) for number in range(16) for c in range(4)]
    nodes += [("uniform", row, c) for row in range(FLOAT_COUNT) for c in range(4)]
    files = ("r", "o", "bank")
    nodes += [cast("Node", ("enter", Cell(file, number, c))) for file in files for number in range(16) for c in range(4)]
    return nodes, {node: number for number, node in enumerate(nodes)}


_LEAVES, _LEAF_NUMBERS = _leaf_table()


def _vectors(start: int, count: int) -> list[Vector[Value]]:
    return [(n, n + 1, n + 2, n + 3) for n in range(start, start + 4 * count, 4)]


_INPUTS = _vectors(0, 16)
_UNIFORMS = _vectors(64, FLOAT_COUNT)
_TEMPORARIES = _vectors(64 + 4 * FLOAT_COUNT, 16)
_OUTPUTS = _vectors(128 + 4 * FLOAT_COUNT, 16)
_BANK = _vectors(192 + 4 * FLOAT_COUNT, 16)


class Tracer:
    """The words of the algebra, on numbers of nodes."""

    def __init__(self, profile: Profile, fed: range = range(0)) -> None:
        """`fed` are the c registers that are inputs."""
        self.profile = profile
        self._fed = fed
        self.nodes: list[Node] = [*_LEAVES]
        self._numbers: dict[Node, Value] = dict(_LEAF_NUMBERS)
        self._rule = number_rule(profile)

    def node(self, *node: str | int | float | bool | Cell) -> Value:
        made = cast("Node", node)
        found = self._numbers.get(made)
        if found is None:
            found = self._numbers[made] = len(self.nodes)
            self.nodes.append(made)
        return found

    def enter(self, cell: Cell) -> Value:
        """The value of a cell when the block begins."""
        return self.node(_ENTER[cell.kind], cell)

    def _word(self, value: Value) -> int | None:
        node = self.nodes[value]
        return int(node[1]) if node[0] == "const" else None

    def _truth(self, value: Value) -> bool | None:
        node = self.nodes[value]
        return bool(node[1]) if node[0] == "truth" else None

    def _integer(self, value: Value) -> int | None:
        node = self.nodes[value]
        return int(node[1]) if node[0] == "integer" else None

    def _number(self, word: str, *values: Value) -> Value:
        """A word that makes a number of numbers."""
        known = [self._word(value) for value in values]
        if None not in known:
            return self.node("const", getattr(self._rule, word)(*known))
        return self.node(word, *values)

    def constant(self, value: float) -> Value:
        return self.node("const", self._rule.constant(value))

    def negate(self, a: Value) -> Value:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "negate" else self._number("negate", a)

    def flush(self, a: Value) -> Value:
        return self._number("flush", a)

    def add(self, a: Value, b: Value) -> Value:
        return self._number("add", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        return self._number("mul", a, b)

    def mad(self, a: Value, b: Value, c: Value) -> Value:
        if self.profile.mad_rounding == "once":
            raise UnsupportedError("mad_rounding is once: product and sum are rounded together")
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[Value], b: Sequence[Value]) -> Value:
        if self.profile.dot_order == "once":
            raise UnsupportedError("dot_order is once: the exact sum is rounded")
        return dot_in_order(self, self.profile.dot_order, a, b)

    def max(self, a: Value, b: Value) -> Value:
        return self._number("max", a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self._number("min", a, b)

    def at_least(self, a: Value, low: Value) -> Value:
        return self._number("at_least", a, low)

    def at_most(self, a: Value, high: Value) -> Value:
        return self._number("at_most", a, high)

    def floor(self, a: Value) -> Value:
        return self._number("floor", a)

    def rcp(self, a: Value) -> Value:
        return self._number("rcp", a)

    def rsq(self, a: Value) -> Value:
        return self._number("rsq", a)

    def exp2(self, a: Value) -> Value:
        return self._number("exp2", a)

    def log2(self, a: Value) -> Value:
        return self._number("log2", a)

    def compare(self, op: int, a: Value, b: Value) -> Value:
        if op > GE:
            return self.boolean(True)
        x, y = self._word(a), self._word(b)
        if x is not None and y is not None:
            return self.boolean(self._rule.compare(op, x, y))
        return self.node("compare", a, b, op)

    def not_negative(self, a: Value) -> Value:
        word = self._word(a)
        return self.node("not_negative", a) if word is None else self.boolean(self._rule.not_negative(word))

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        known = self._truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("select", condition, a, b)

    def to_integer(self, a: Value) -> Value:
        word = self._word(a)
        return self.node("to_integer", a) if word is None else self.integer(self._rule.to_integer(word))

    def boolean(self, value: bool) -> Value:
        return self.node("truth", bool(value))

    def invert(self, a: Value) -> Value:
        known, node = self._truth(a), self.nodes[a]
        if known is not None:
            return self.boolean(not known)
        return int(node[1]) if node[0] == "invert" else self.node("invert", a)

    def both(self, a: Value, b: Value) -> Value:
        for one, other in ((a, b), (b, a)):
            known = self._truth(one)
            if known is not None:
                return other if known else one
        return self.node("both", a, b)

    def either(self, a: Value, b: Value) -> Value:
        for one, other in ((a, b), (b, a)):
            known = self._truth(one)
            if known is not None:
                return one if known else other
        return self.node("either", a, b)

    def integer(self, value: int) -> Value:
        return self.node("integer", value)

    def integer_add(self, a: Value, b: Value) -> Value:
        x, y = self._integer(a), self._integer(b)
        if x is not None and y is not None:
            return self.integer(x + y)
        if 0 in (x, y):
            return a if y == 0 else b
        return self.node("integer_add", a, b)

    def integer_and(self, a: Value, mask: int) -> Value:
        known = self._integer(a)
        return self.node("integer_and", a, mask) if known is None else self.integer(known & mask)

    def integer_within(self, a: Value, low: int, high: int) -> Value:
        known = self._integer(a)
        return self.node("within", a, low, high) if known is None else self.boolean(low <= known <= high)

    def integer_select(self, condition: Value, a: Value, b: Value) -> Value:
        known = self._truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("integer_select", condition, a, b)

    def look_up(self, rows: Sequence[Vector[Value]], index: Value) -> Vector[Value]:
        """Of uniforms alone: a lane whose index leads to a v or r register leaves the compiled code (`FLOAT` is c0)."""
        if self.profile.index_files == "added":
            raise UnsupportedError("index_files is added: index registers reach temporaries")
        known = self._integer(index)
        if known is not None:
            return rows[known]
        word = "fed" if self._fed else "gather"
        return self.node(word, index, 0), self.node(word, index, 1), self.node(word, index, 2), self.node(word, index, 3)


def trace(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    *,
    booleans: Mapping[int, bool] | None = None,
    profile: Profile = HARDWARE,
    limit: int = MOST_SHAPES,
    geometry: Geometry | None = None,
) -> Trace | Unsupported:
    """The program that starts at the word `entry`, as SSA. `booleans` are uniforms whose values are known.

    Without `geometry` EMIT and SETEMIT are taken for instructions that do nothing, as they are in a vertex shader.
    """
    insts = [decode(word) for word in flow.code_memory(words, profile)]
    graph = unfold(insts, entry, booleans=booleans, limit=limit, profile=profile)
    if isinstance(graph, BudgetExceeded):
        return Unsupported(graph.reason)
    chains = _chains(graph)
    numbers = {chain[0]: number for number, chain in enumerate(chains)}
    # Zeros to begin with, if nothing comes back to the first block and nothing is left of the vertex before.
    cleared = profile.initial_state == "zero" if geometry is None else profile.keep_registers_between_invocations == "cleared"
    zeros = cleared and not graph.predecessors[0]
    try:
        blocks = [
            _traced(graph, chain, numbers, insts, descriptors, profile, geometry, fresh=zeros and not number)
            for number, chain in enumerate(chains)
        ]
    except UnsupportedError as reason:
        return Unsupported(str(reason))
    return Trace(_reached(blocks), profile)


def _reached(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks without those that a question with a constant answer has left out, numbered anew."""
    numbers = {0: 0}
    waiting = [0]
    while waiting:
        for leaf in leaves(blocks[waiting.pop()].exit):
            if isinstance(leaf, Jump) and leaf.block not in numbers:
                numbers[leaf.block] = 0
                waiting.append(leaf.block)
    if len(numbers) == len(blocks):
        return tuple(blocks)
    order = sorted(numbers)
    numbers = {old: new for new, old in enumerate(order)}

    def renumbered(exit: Exit) -> Exit:
        match exit:
            case Fork(question, yes, no):
                return Fork(question, renumbered(yes), renumbered(no))
            case Jump(target, writes):
                return Jump(numbers[target], writes)
            case Stop():
                return exit

    return tuple(blocks[old]._replace(exit=renumbered(blocks[old].exit)) for old in order)


def _chains(graph: Graph) -> list[list[int]]:
    """The blocks of the graph in runs that are always done one after the other, the entry's first."""
    inner = {
        target
        for number, following in enumerate(graph.successors)
        for target in following
        if target and isinstance(graph.blocks[number].way, Goto) and len(graph.predecessors[target]) == 1 and target != number
    }
    chains: list[list[int]] = []
    for block in graph.blocks:
        if block.number in inner:
            continue
        chain = [block.number]
        while isinstance(way := graph.blocks[chain[-1]].way, Goto) and way.block in inner:
            chain.append(way.block)
        chains.append(chain)
    return chains


def _traced(
    graph: Graph,
    chain: Sequence[int],
    numbers: Mapping[int, int],
    insts: Sequence[Inst],
    descriptors: Sequence[int],
    profile: Profile,
    geometry: Geometry | None,
    *,
    fresh: bool,
) -> Block:
    m = Tracer(profile, geometry.fed if geometry else range(0))
    registers: Registers[Value, Value, Value] = Registers(m, _INPUTS, _uniforms(m, geometry))
    sending = _Sending(m, registers, geometry, fresh=fresh) if geometry else None
    depth = len(graph.blocks[chain[0]].shape.loops)
    if not fresh:
        registers.readable[TEMPORARY:FLOAT] = _TEMPORARIES
        registers.outputs = [*_OUTPUTS]
        registers.cmp = (m.enter(Cell("cmp", 0, 0)), m.enter(Cell("cmp", 0, 1)))
        registers.a0 = (m.enter(Cell("a0", 0, 0)), m.enter(Cell("a0", 0, 1)))
        counters = tuple(m.enter(Cell("counter", slot)) for slot in range(depth))
        registers.loops = LoopValues(m.enter(AL), counters, tuple(m.enter(Cell("saved", slot)) for slot in range(depth)))
    loops_before = _loop_state(registers.loops)
    integers = tuple(
        (m.node("component", n, 0), m.node("component", n, 1), m.node("component", n, 2), m.node("component", n, 3))
        for n in range(4)
    )
    booleans = tuple(m.node("boolean", n) for n in range(16))
    before = _state(registers, sending)
    size, stop = 0, ""
    for number in chain:
        block = graph.blocks[number]
        size += not block.size  # going on where there is no word is a step too
        for address in block.addresses:
            inst = insts[address]
            if computes(inst):
                if inst.field("desc") >= len(descriptors):
                    stop = "R005"
                    break
                execute(m, registers, prepare(inst, operands(inst, descriptors[inst.field("desc")]), profile))
            elif sending is not None:
                sending.do(address, inst)
            size += 1
        if stop:
            break
        if number != chain[-1] and isinstance(block.way, Goto):
            registers.loops = flow.perform(m, block.way.actions, registers.loops, integers, profile)

    def following(way: Way, loops: LoopValues[Value]) -> Exit:
        def after(actions: tuple[Action, ...]) -> LoopValues[Value]:
            return flow.perform(m, actions, loops, integers, profile) if actions else loops

        match way:
            case Goto(target, actions):
                found = _loop_state(after(actions))
                return Jump(
                    numbers[target], tuple((cell, value) for cell, value in found.items() if loops_before.get(cell) != value)
                )
            case Branch(question, yes, no, actions):
                values = after(actions)
                asked = flow.answer(m, question, registers.cmp, booleans, values)
                if m.nodes[asked][0] == "truth":
                    return following(yes if m.nodes[asked][1] else no, values)
                return Fork(asked, following(yes, values), following(no, values))
            case Hang(code):
                return Stop(code)
            case End():
                return Stop()

    leave: Exit = Stop(stop) if stop else following(graph.blocks[chain[-1]].way, registers.loops)
    writes = {cell: value for cell, value in _state(registers, sending).items() if before[cell] != value}
    outputs = {n: mask for n, mask in enumerate(registers.written) if mask}
    emits = tuple(sending.emits) if sending else ()
    return Block(tuple(m.nodes), writes, leave, size, graph.blocks[chain[0]].shape.pc, outputs, emits)


def _uniforms(m: Tracer, geometry: Geometry | None) -> list[Vector[Value]]:
    if geometry is None or not geometry.fed:
        return _UNIFORMS
    found = [*_UNIFORMS]
    for row in geometry.fed:
        number = FED + row
        found[row] = (
            m.node("input", number, 0),
            m.node("input", number, 1),
            m.node("input", number, 2),
            m.node("input", number, 3),
        )
    return found


class _Sending:
    """What a block of a geometry shader does with the state behind EMIT.

    What has been written is a mask in `sem.emission`; here it is that of the block, and what was there before is a cell.
    """

    def __init__(self, m: Tracer, registers: Registers[Value, Value, Value], geometry: Geometry, *, fresh: bool) -> None:
        self._m, self._registers, self._outputs = m, registers, geometry.outputs
        self._emitter: Emitter[Value] = Emitter(m, m.profile)
        if not fresh:
            self._emitter.bank = [*_BANK]
        self._setting = m.enter(SETEMIT)
        self.emits: list[Emit] = []

    def do(self, pc: int, inst: Inst) -> None:
        result = emit(self._emitter, inst, self._registers)
        said, sent = result.get("setemit"), result.get("emit")
        if said is not None:
            self._setting = self._m.integer(setting_of(said))
        if sent is not None:
            # The banks have changed places already.
            files = ("banked", "written") if len(self.emits) % 2 else ("written", "banked")
            written = {n: self._flags(files[0], n, sent.vertex.written[n]) for n in self._outputs}
            self.emits.append(Emit(pc, {n: sent.vertex.outputs[n] for n in self._outputs}, written, self._setting))

    def _flags(self, file: str, number: int, mask: int) -> Vector[Value]:
        m = self._m
        x, y, z, w = (m.boolean(True) if mask & 8 >> c else m.enter(Cell(file, number, c)) for c in range(4))
        return x, y, z, w

    def state(self) -> dict[Cell, Value]:
        """The cells of all this but the outputs that are written to now."""
        found: dict[Cell, Value] = {SETEMIT: self._setting}
        for cells, vector in zip(_CELLS["bank"], self._emitter.bank, strict=True):
            found.update(zip(cells, vector, strict=True))
        files = ("banked", "written") if len(self.emits) % 2 else ("written", "banked")
        masks = self._registers.written, self._emitter.written
        for name, file, mine in zip(("written", "banked"), files, masks, strict=True):
            for n in self._outputs:
                found.update(zip([Cell(name, n, c) for c in range(4)], self._flags(file, n, mine[n]), strict=True))
        return found


def _state(registers: Registers[Value, Value, Value], sending: _Sending | None) -> dict[Cell, Value]:
    """All cells but those of the loops, which change on the ways out."""
    found: dict[Cell, Value] = sending.state() if sending else {}
    for file, vectors in (("r", registers.readable[TEMPORARY:FLOAT]), ("o", registers.outputs)):
        cells = _CELLS[file]
        for number, vector in enumerate(vectors):
            found.update(zip(cells[number], vector, strict=True))
    found.update(zip(_CELLS["cmp"][0], registers.cmp, strict=True))
    found.update(zip(_CELLS["a0"][0], registers.a0, strict=True))
    return found


_CELLS = {file: [tuple(Cell(file, n, c) for c in range(4)) for n in range(16)] for file in ("r", "o", "bank")} | {
    file: [tuple(Cell(file, 0, c) for c in range(2))] for file in ("cmp", "a0")
}


def _loop_state(loops: LoopValues[Value]) -> dict[Cell, Value]:
    return (
        {AL: loops.al}
        | {Cell("counter", slot): value for slot, value in enumerate(loops.counters)}
        | {Cell("saved", slot): value for slot, value in enumerate(loops.saved)}
    )
