"""Loops with known counts as straight-line code: a function for known integer uniforms.

A block is copied for each set of values that the numbers of the LOOP ring have when it begins, and blocks that follow each
other are joined. What the numbers decide is decided here: the questions of loops, and the registers that aL leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.ir.build import renumbered
from lanewise.pica200.ir.passes import ENTERS, reach
from lanewise.pica200.ir.ssa import OPERATIONS, Block, Fork, Function, Jump, Stop, arguments, leaves, questions
from lanewise.pica200.ir.symbols import NodeOps
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.pica200.ir.passes import Live
    from lanewise.pica200.ir.ssa import Exit, Node, Value

_LOOP_FILES = frozenset(("aL", "counter", "saved"))
# Names of nodes that are not those of the operations which make them.
_METHODS = {"within": "integer_within"}

State = tuple[tuple[Component, int], ...]


class _Copy(NamedTuple):
    """A block with the known numbers when it begins."""

    block: int
    known: State


def unrolled(function: Function, needs: Live, integers: Sequence[Sequence[int]], most: int) -> Function | None:
    """The function for integer uniforms with these values; None if it had more than `most` needed nodes.

    `needs` are those of the function, which emits no vertices. Nodes that are not needed are left out.
    """
    start = _Copy(0, ())
    numbers: dict[_Copy, int] = {start: 0}
    blocks: list[Block] = []
    waiting = [start]
    total = 0
    while len(blocks) < len(waiting):
        copy = waiting[len(blocks)]
        total += len(needs.nodes[copy.block])
        if total > most:
            return None
        block = function.blocks[copy.block]
        part = _Part(function, integers, dict(copy.known))
        exit = part.add(block, needs, copy.block)

        def targets(exit: Exit, part: _Part = part) -> Exit:
            match exit:
                case Fork(question, yes, no):
                    return Fork(question, targets(yes, part), targets(no, part))
                case Jump(target, writes):
                    after = part.values | dict(writes)
                    key = _Copy(target, part.known(after, needs.begin[target]))
                    if key not in numbers:
                        numbers[key] = len(waiting)
                        waiting.append(key)
                    return Jump(numbers[key], writes)
                case Stop():
                    return exit

        blocks.append(part.block(targets(exit)))
    return joined(Function(tuple(blocks), function.profile))


def joined(function: Function) -> Function:
    """The function with blocks that always execute one after the other as one."""
    entering: dict[int, int] = {0: 1}
    for block in function.blocks:
        for target in {leaf.block for leaf in leaves(block.exit) if isinstance(leaf, Jump)}:
            entering[target] = entering.get(target, 0) + 1
    inner = {
        block.exit.block
        for block in function.blocks
        if isinstance(block.exit, Jump) and entering[block.exit.block] == 1 and block.exit.block
    }
    built: dict[int, Block] = {}
    waiting = [0]
    while waiting:  # from the entry, as questions may be answered where blocks are joined
        head = waiting.pop()
        if head in built:
            continue
        part = _Part(function, (), {})
        exit = part.add(function.blocks[head])
        while isinstance(exit, Jump) and exit.block in inner:
            part.values.update(exit.writes)
            exit = part.add(function.blocks[exit.block])
        built[head] = part.block(exit)
        waiting += [leaf.block for leaf in leaves(exit) if isinstance(leaf, Jump)]
    return Function(renumbered(built), function.profile)


class _Part:
    """A block under construction, of blocks that follow each other."""

    def __init__(self, function: Function, integers: Sequence[Sequence[int]], known: Mapping[Component, int]) -> None:
        self._m = m = NodeOps(function.profile)
        self._integers = integers
        self.values: dict[Component, Value] = {component: m.integer(number) for component, number in known.items()}
        self._entered = dict(self.values)
        self._blocks: list[Block] = []

    def add(self, block: Block, needs: Live | None = None, number: int = 0) -> Exit:
        """Append a block; gives its exit, whose questions and writes are nodes of this one."""
        end = needs.end[number] if needs else block.writes.keys()
        begin = needs.begin if needs else None
        nodes = needs.nodes[number] if needs else sorted(reach(block, _roots(block)))
        found: dict[Value, Value] = {}
        for value in nodes:
            found[value] = self._node(block.nodes[value], found)

        def mapped(exit: Exit) -> Exit:
            match exit:
                case Fork(question, yes, no):
                    asked = self._m.nodes[found[question]]
                    if asked[0] == "truth":
                        return mapped(yes if asked[1] else no)
                    return Fork(found[question], mapped(yes), mapped(no))
                case Jump(target, writes):
                    kept = [(c, found[value]) for c, value in writes if begin is None or c in begin[target]]
                    return Jump(target, tuple(kept))
                case Stop():
                    return exit

        exit = mapped(block.exit)
        self.values.update({component: found[value] for component, value in block.writes.items() if component in end})
        self._blocks.append(block)
        return exit

    def known(self, values: Mapping[Component, Value], live: Iterable[Component]) -> State:
        """The numbers of the LOOP ring that are known, of those that are live."""
        found = [(c, self._m.nodes[values[c]]) for c in sorted(live) if c.file in _LOOP_FILES and c in values]
        return tuple([(component, int(node[1])) for component, node in found if node[0] == "integer"])

    def block(self, exit: Exit) -> Block:
        parts = self._blocks
        outputs: dict[int, int] = {}
        for part in parts:
            for number, mask in part.outputs.items():
                outputs[number] = outputs.get(number, 0) | mask
        writes = {c: value for c, value in self.values.items() if self._entered.get(c) != value}
        states = tuple(state for part in parts for state in part.states)
        size = sum(part.size for part in parts)
        return Block(
            nodes=tuple(self._m.nodes), writes=writes, exit=exit, size=size, pc=parts[0].pc, outputs=outputs, states=states
        )

    def _node(self, node: Node, found: Mapping[Value, Value]) -> Value:
        m, op = self._m, str(node[0])
        if op in ENTERS:
            component = node[1]
            assert isinstance(component, Component)
            value = self.values.get(component)
            return m.enter(component) if value is None else value
        if op == "component" and self._integers:
            return m.integer(int(self._integers[int(node[1])][int(node[2])]))
        if op == "gather":
            index = found[int(node[1])]
            row = m.nodes[index]
            if row[0] == "integer" and FLOAT <= int(row[1]) < FLOAT + FLOAT_COUNT:
                return m.node("uniform", int(row[1]) - FLOAT, node[2])
            return m.node("gather", index, node[2])
        if not OPERATIONS[op][1]:
            return m.node(*node)
        given = [found[value] for value in arguments(node)]
        more = node[1 + len(given) :]
        if op == "compare":
            return m.compare(int(more[0]), given[0], given[1])
        return getattr(m, _METHODS.get(op, op))(*given, *more)


def _roots(block: Block) -> list[Value]:
    writes = [write for leaf in leaves(block.exit) if isinstance(leaf, Jump) for write in leaf.writes]
    return [*block.writes.values(), *(value for _, value in writes), *questions(block.exit)]
