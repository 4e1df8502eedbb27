"""Verify a function: the rules that builders promise and passes must not break."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.paths import dominates, dominators
from lanewise.ssa.function import PARAMETER, Branch, Return, edges
from lanewise.ssa.nodes import LETTERS, NEGATE, NONE, TRUTH, TYPES, WIDTHS
from lanewise.ssa.operations import OPERATIONS, result_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.ssa.function import Block, Exit, Function
    from lanewise.ssa.nodes import Node, Ref


class Problem(Record):
    """A broken rule: in which block, at which node (-1: at its exit), from which place, and what is wrong."""

    block: int
    node: int
    line: int
    message: str

    def __str__(self) -> str:
        return f"block {self.block}{f', %{self.node}' if self.node >= 0 else ', at its end'}: {self.message}"


def verify(function: Function) -> list[Problem]:
    """The rules that a function breaks; empty for a sound one."""
    return [*_numbering(function)] or [*_Verifier(function).all()]


def _numbering(function: Function) -> Iterator[Problem]:
    """Each node is in one block, and each edge leads to a block with so many parameters: else nothing more can be said."""
    seen: set[int] = set()
    for number, block in enumerate(function.blocks):
        line = block.exit.line
        for node in (*block.parameters, *block.nodes):
            if not 0 <= node < len(function.nodes):
                yield Problem(number, node, line, f"unknown node: there are {len(function.nodes)}")
            elif node in seen:
                yield Problem(number, node, line, "the node is in a block twice")
            seen.add(node)
        for edge in edges(block.exit):
            if not 0 <= edge.block < len(function.blocks):
                yield Problem(number, -1, line, f"unknown block {edge.block}: there are {len(function.blocks)}")
            elif len(edge.arguments) != len(function.blocks[edge.block].parameters):
                expected = len(function.blocks[edge.block].parameters)
                message = f"block {edge.block} is entered with {len(edge.arguments)} values, expected {expected}"
                yield Problem(number, -1, line, message)
    if not function.blocks or function.blocks[0].parameters:
        yield Problem(0, -1, -1, "the entry has parameters" if function.blocks else "there is no block")


class _Verifier:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.above = dominators(function.flow)
        self.place: dict[int, tuple[int, int]] = {}  # the block of a node, and the number within it
        for number, block in enumerate(function.blocks):
            for at, node in enumerate((*block.parameters, *block.nodes)):
                self.place[node] = number, at

    def all(self) -> Iterator[Problem]:
        for number, block in enumerate(self.function.blocks):
            for node in block.parameters:
                yield from self.parameter(number, node)
            for node in block.nodes:
                for message in self.node(node):
                    yield Problem(number, node, self.function.nodes[node].line, message)
            for message in self.exit(number, block):
                yield Problem(number, -1, block.exit.line, message)

    def parameter(self, block: int, number: int) -> Iterator[Problem]:
        node = self.function.nodes[number]
        if node.op != PARAMETER or node.sources or node.type not in TYPES:
            yield Problem(block, number, node.line, f"'{node.op}' of type '{node.type}' is not a parameter")

    def node(self, number: int) -> Iterator[str]:
        node = self.function.nodes[number]
        wrong = [message for source in node.sources for message in self.source(source, *self.place[number])]
        yield from wrong
        row = OPERATIONS.get(node.op)
        if row is None or node.op == PARAMETER:
            yield f"unknown operation '{node.op}'" if row is None else "a parameter among the nodes"
        elif not wrong:
            yield from self.typed(node)

    def typed(self, node: Node) -> Iterator[str]:
        sources = [self.function.type_of(source) for source in node.sources]
        try:
            kind = result_type(OPERATIONS[node.op], sources, node.immediates)
        except ValueError as error:
            yield str(error)
            return
        if kind != node.type:
            yield f"{node.op} gives a {kind}, but is marked as {node.type}"

    def source(self, ref: Ref, block: int, at: int) -> Iterator[str]:
        """Problems of a value that is read at a place: the number of a node within its block."""
        if ref.node not in self.place:
            yield f"%{ref.node} is not defined"
            return
        where, order = self.place[ref.node]
        if where == block and order >= at:
            yield f"%{ref.node} is read before it is defined"
        elif where != block and (block == 0 or self.above[block] >= 0) and not dominates(self.above, where, block):
            yield f"%{ref.node} is of block {where}, which some path to block {block} does not come through"
        width = WIDTHS.get(self.function.nodes[ref.node].type, 0)
        if len(ref.lanes) > 4 or any(letter not in LETTERS[:width] for letter in ref.lanes):
            yield f"%{ref.node}.{ref.lanes}: it has {width} lanes"
        elif self.function.nodes[ref.node].type == TRUTH and (ref.modifier != NONE or ref.lanes):
            yield f"%{ref.node} is a truth value, which has no sign and no lanes"
        elif ref.modifier not in (NONE, NEGATE):
            yield f"%{ref.node} has the modifier {ref.modifier}, expected none or a sign"

    def exit(self, number: int, block: Block) -> Iterator[str]:
        at = len(block.parameters) + len(block.nodes)
        for ref, expected in self.expected(block.exit):
            wrong = [*self.source(ref, number, at)]
            yield from wrong
            kind = "" if wrong else self.function.type_of(ref)
            if kind and kind != expected:
                yield f"%{ref.node}{'.' * bool(ref.lanes)}{ref.lanes} is a {kind}, expected a {expected}"
        if isinstance(block.exit, Return) and len(block.exit.results) != len(self.function.results):
            yield f"{len(block.exit.results)} results are returned, expected {len(self.function.results)}"

    def expected(self, exit: Exit) -> Iterator[tuple[Ref, str]]:
        """The values that an exit reads, with the type that each should have."""
        match exit:
            case Branch(question):
                yield question, TRUTH
            case Return(results):
                yield from ((ref, TYPES[0]) for ref in results)
            case _:
                pass
        for edge in edges(exit):
            for ref, parameter in zip(edge.arguments, self.function.blocks[edge.block].parameters, strict=True):
                yield ref, self.function.nodes[parameter].type
