"""Nodes joined to blocks: those that behave alike are one, those that always follow each other too."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.graph.flow import Branch, Goto, Node, renumbered, targets
from lanewise.graph.order import reverse_postorder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # Items are numbers of the instruction set, such as items; its questions, actions and ends are handed back to it.
    Exit = Goto[object] | Branch[object, object, object] | object
    Block = Node[int, object, object, object]


def blocks(given: Mapping[int, Block]) -> list[Block]:
    """The blocks of nodes, which begin in node 0, in reverse postorder; the exits name their numbers."""
    classes = _classes(given)
    nodes: dict[int, Block] = {}
    for number, node in given.items():
        if classes[number] not in nodes:
            nodes[classes[number]] = node._replace(exit=renumbered(node.exit, classes))
    return joined(nodes, classes[0])


def _classes(nodes: Mapping[int, Block]) -> dict[int, int]:
    """The number of the class of each node: those of a class do the same for any values."""

    def shape(exit: Exit) -> object:
        if isinstance(exit, Goto):
            return repr(cast("Goto[object]", exit).actions)  # records of different classes with equal fields are equal
        if isinstance(exit, Branch):
            question, yes, no, actions = cast("Branch[object, object, object]", exit)
            return repr(question), shape(yes), shape(no), repr(actions)
        return repr(exit)

    after = {number: targets(node.exit) for number, node in nodes.items()}
    keys: dict[object, int] = {}
    found = {number: keys.setdefault((node.items, shape(node.exit)), len(keys)) for number, node in nodes.items()}
    while True:
        count = len(keys)
        keys = {}
        found = {
            number: keys.setdefault((found[number], *[found[other] for other in after[number]]), len(keys)) for number in nodes
        }
        if len(keys) == count:
            return found


def joined(nodes: Mapping[int, Block], entry: int) -> list[Block]:
    """Nodes that always follow each other as one, in reverse postorder."""
    arrivals: dict[int, int] = {entry: 1}
    for node in nodes.values():
        for target in targets(node.exit):
            arrivals[target] = arrivals.get(target, 0) + 1

    def chain(head: int) -> Block:
        items: list[int] = []
        at = head
        while True:
            own, exit = nodes[at]
            items += own
            if not isinstance(exit, Goto):
                return Node(tuple(items), exit)
            goto = cast("Goto[object]", exit)
            if goto.actions or arrivals[goto.node] != 1:
                return Node(tuple(items), goto)
            at = goto.node

    chains: dict[int, Block] = {}

    def following(head: int) -> list[int]:
        if head not in chains:
            chains[head] = chain(head)
        return targets(chains[head].exit)[::-1]

    order = reverse_postorder([entry], following)
    numbers = {head: number for number, head in enumerate(order)}
    return [chains[head]._replace(exit=renumbered(chains[head].exit, numbers)) for head in order]


def copied(found: Sequence[Block], number: int) -> list[Block]:
    """The blocks with a copy of one for each block that leads to it."""
    nodes = dict(enumerate(found))
    sources = [source for source, node in nodes.items() if number in targets(node.exit)]
    for source in sources[1:]:
        copy = len(nodes)
        nodes[copy] = nodes[number]
        identity = {other: other for other in nodes} | {number: copy}
        nodes[source] = nodes[source]._replace(exit=renumbered(nodes[source].exit, identity))
    return joined(nodes, 0)
