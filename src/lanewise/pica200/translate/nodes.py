"""The words of a program as nodes of a graph, with what follows each: the trees of `sem.flow` over numbers of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.sem.flow import End, Hang

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.sem.flow import Action, Question


class Invoke(Record):
    """The action that calls the procedure with a number, from an address."""

    procedure: int
    address: int


class Goto(Record):
    """After `actions` the program goes on in a node."""

    node: int
    actions: tuple[Action | Invoke, ...] = ()


class Branch(Record):
    """A question, asked after `actions`."""

    question: Question
    yes: Exit
    no: Exit
    actions: tuple[Action | Invoke, ...] = ()


Exit = Goto | Branch | End | Hang


class Node(Record):
    """Words, by their addresses, and what follows them."""

    addresses: tuple[int, ...]
    exit: Exit


class Code(Record):
    """The nodes of a program or a procedure, which starts in node 0; a procedure is done at `End`."""

    nodes: Mapping[int, Node]


def targets(exit: Exit) -> list[int]:
    """The nodes that an exit leads to, yes before no; one may be there twice."""
    match exit:
        case Goto(node, _):
            return [node]
        case Branch(_, yes, no, _):
            return [*targets(yes), *targets(no)]
        case _:
            return []


def renumbered(exit: Exit, numbers: Mapping[int, int]) -> Exit:
    """An exit with other numbers of nodes; a question whose answers lead to the same is left out."""
    match exit:
        case Goto(node, actions):
            return Goto(numbers[node], actions)
        case Branch(question, yes, no, actions):
            one, other = renumbered(yes, numbers), renumbered(no, numbers)
            if repr(one) != repr(other):  # records of different classes with equal fields are equal
                return Branch(question, one, other, actions)
            return one._replace(actions=(*actions, *one.actions)) if isinstance(one, Goto | Branch) else one
        case _:
            return exit
