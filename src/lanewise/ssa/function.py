"""Functions: blocks of nodes, with parameters in place of phis, and what they declare.

    Function(name, declarations, results, nodes, blocks)
    block 0 is the entry; an exit is a Jump, a Branch or a Return; an edge has an argument for each parameter of its block

All nodes of a function are in one list, in the order of its blocks; a block has the numbers of its own. A node is seen where
its block dominates.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import Flow
from lanewise.graph.order import reverse_postorder
from lanewise.ssa.nodes import Ref, moved, renumbered, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.ssa.nodes import Node

PARAMETER = "parameter"


class Edge(Record):
    """The block that comes next, and what its parameters get."""

    block: int
    arguments: tuple[Ref, ...] = ()


class Jump(Record):
    """Go on with a block."""

    edge: Edge
    line: int = -1


class Branch(Record):
    """Go on with one of two blocks: `yes` where the question, a truth value, is true."""

    question: Ref
    yes: Edge
    no: Edge
    line: int = -1


class Return(Record):
    """The end, with a number for each result of the function."""

    results: tuple[Ref, ...] = ()
    line: int = -1


Exit = Jump | Branch | Return


class Block(Record):
    """The numbers of its parameters, then of its other nodes, and its exit."""

    parameters: tuple[int, ...]
    nodes: tuple[int, ...]
    exit: Exit


class Declaration(Record):
    """A name of the interface: an input, a uniform, a flag, a count, an output; the facts are the front end's."""

    kind: str
    name: str
    facts: tuple[tuple[str, int | str], ...] = ()


class Function(Record):
    """A function."""

    name: str
    "That of the source."
    declarations: tuple[Declaration, ...]
    "The interface, in the order of the front end."
    results: tuple[str, ...]
    "The names of the numbers that it returns."
    nodes: tuple[Node, ...]
    "All values, in the order of the blocks."
    blocks: tuple[Block, ...]
    "Block 0 is the entry."
    lines: tuple[Span, ...] = ()
    "The places that nodes and exits come from."

    @property
    def flow(self) -> Flow:
        """The graph of its blocks."""
        return Flow(tuple([tuple(dict.fromkeys(edge.block for edge in edges(block.exit))) for block in self.blocks]))

    def type_of(self, ref: Ref) -> str:
        """The type of a value as a source sees it."""
        return type_of(self.nodes, ref)


def edges(exit: Exit) -> tuple[Edge, ...]:
    """The edges of an exit, yes before no."""
    match exit:
        case Jump(edge):
            return (edge,)
        case Branch(_, yes, no):
            return yes, no
        case Return():
            return ()


def refs(exit: Exit) -> Iterator[Ref]:
    """The values that an exit reads, those of its edges too."""
    match exit:
        case Branch(question):
            yield question
        case Return(results):
            yield from results
        case Jump():
            pass
    for edge in edges(exit):
        yield from edge.arguments


def with_edges(exit: Exit, change: Callable[[Edge], Edge]) -> Exit:
    """An exit with other edges; a branch whose edges are the same becomes a jump."""
    match exit:
        case Jump(edge, line):
            return Jump(change(edge), line)
        case Branch(question, yes, no, line):
            new_yes, new_no = change(yes), change(no)
            return Jump(new_yes, line) if new_yes == new_no else Branch(question, new_yes, new_no, line)
        case Return():
            return exit


def with_refs(exit: Exit, change: Callable[[tuple[Ref, ...]], tuple[Ref, ...]]) -> Exit:
    """An exit that reads other values."""
    match exit:
        case Return(results):
            return exit._replace(results=change(results))
        case Branch(question):
            exit = exit._replace(question=change((question,))[0])
        case Jump():
            pass
    return with_edges(exit, lambda edge: Edge(edge.block, change(edge.arguments)))


def reached(function: Function) -> Function:
    """The function without blocks that the entry does not lead to, each block after those that dominate it, and without nodes
    that are in no block."""
    following = function.flow.successors
    return ordered(function, reverse_postorder([0], lambda block: following[block][::-1]))


def ordered(function: Function, order: Sequence[int]) -> Function:
    """The blocks in this order, from the entry on, and the nodes in that of their blocks; others are left out."""
    blocks = [function.blocks[number] for number in order]
    place = {old: new for new, old in enumerate(order)}
    listed = [n for block in blocks for n in (*block.parameters, *block.nodes)]
    nodes, number = renumbered(function.nodes, listed, lambda node, sources: node._replace(sources=sources))
    found: list[Block] = []
    for block in blocks:
        leave = with_edges(block.exit, lambda edge: Edge(place[edge.block], edge.arguments))
        leave = with_refs(leave, lambda sources: moved(sources, number))
        mine = tuple([number[n] for n in block.parameters]), tuple([number[n] for n in block.nodes])
        found.append(Block(*mine, leave))
    return function._replace(nodes=nodes, blocks=tuple(found))
