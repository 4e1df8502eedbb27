"""Nodes joined to blocks: those that behave alike are one, those that always follow each other too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.graph.flow import Branch, Goto, Node, renumbered, targets
from lanewise.graph.order import reverse_postorder
from lanewise.pica200.sem.flow import CounterIsZero, End, Hang, StepAl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.sem.flow import Action
    from lanewise.pica200.translate.nodes import Code, Exit, Invoke, WordBranch, WordNode


def blocks(code: Code) -> list[WordNode]:
    """The blocks of a program or a procedure in reverse postorder; the exits name their numbers."""
    classes = _classes(code.nodes)
    nodes: dict[int, WordNode] = {}
    for number, node in code.nodes.items():
        if classes[number] not in nodes:
            nodes[classes[number]] = node._replace(exit=renumbered(node.exit, classes))
    return joined(nodes, classes[0])


def _classes(nodes: Mapping[int, WordNode]) -> dict[int, int]:
    """The number of the class of each node: those of a class do the same for any values."""

    def shape(exit: Exit) -> object:
        match exit:
            case Goto(_, actions):
                return repr(actions)  # records of different classes with equal fields are equal
            case Branch(question, yes, no, actions):
                return repr(question), shape(yes), shape(no), repr(actions)
            case _:
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


def joined(nodes: Mapping[int, WordNode], entry: int) -> list[WordNode]:
    """Nodes that always follow each other as one, in reverse postorder."""
    arrivals: dict[int, int] = {entry: 1}
    for node in nodes.values():
        for target in targets(node.exit):
            arrivals[target] = arrivals.get(target, 0) + 1

    def chain(head: int) -> WordNode:
        addresses: list[int] = []
        at = head
        while True:
            own, exit = nodes[at]
            addresses += own
            if not isinstance(exit, Goto) or exit.actions or arrivals[exit.node] != 1:
                return Node(tuple(addresses), exit)
            at = exit.node

    chains: dict[int, WordNode] = {}

    def following(head: int) -> list[int]:
        if head not in chains:
            chains[head] = chain(head)
        return targets(chains[head].exit)[::-1]

    order = reverse_postorder([entry], following)
    numbers = {head: number for number, head in enumerate(order)}
    return [chains[head]._replace(exit=renumbered(chains[head].exit, numbers)) for head in order]


def copied(found: Sequence[WordNode], number: int) -> list[WordNode]:
    """The blocks with a copy of one for each block that leads to it."""
    nodes = dict(enumerate(found))
    sources = [source for source, node in nodes.items() if number in targets(node.exit)]
    for source in sources[1:]:
        copy = len(nodes)
        nodes[copy] = nodes[number]
        identity = {other: other for other in nodes} | {number: copy}
        nodes[source] = nodes[source]._replace(exit=renumbered(nodes[source].exit, identity))
    return joined(nodes, 0)


def hoisted(branch: WordBranch) -> WordBranch:
    """A branch on a counter with the steps of aL that both sides begin with before the question."""
    if (
        not isinstance(branch.question, CounterIsZero)
        or isinstance(branch.yes, End | Hang)
        or isinstance(branch.no, End | Hang)
    ):
        return branch
    steps = _first_steps(branch.yes)
    if not steps or steps != _first_steps(branch.no):
        return branch
    yes, no = (side._replace(actions=side.actions[len(steps) :]) for side in (branch.yes, branch.no))
    return branch._replace(yes=yes, no=no, actions=(*branch.actions, *steps))


def _first_steps(exit: Exit) -> tuple[Action | Invoke, ...]:
    """The steps of aL with which an exit begins."""
    actions = exit.actions if isinstance(exit, Goto | Branch) else ()
    count = next((n for n, action in enumerate(actions) if not isinstance(action, StepAl)), len(actions))
    return actions[:count]
