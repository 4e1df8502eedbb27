"""Control flow, whatever the items, questions and actions of an instruction set are: nodes with exits, and their edges.

    Node(items, Branch(question, Goto(1), Goto(2, (action,))))

Questions and actions are records of the instruction set, which only it can answer and perform. An exit is a tree: inner nodes
ask, leaves name the node that follows. Every other record in place of a leaf is an end, with the program's own meaning.
"""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Item = TypeVar("Item", covariant=True)
Question = TypeVar("Question", covariant=True)
Action = TypeVar("Action", covariant=True)
End = TypeVar("End", covariant=True)
Exit = TypeVar("Exit")


class Goto(Record, Generic[Action]):
    """After `actions` the program goes on in a node."""

    node: int
    actions: tuple[Action, ...] = ()


class Branch(Record, Generic[Question, Action, End]):
    """A question, asked after `actions`."""

    question: Question
    yes: Goto[Action] | Branch[Question, Action, End] | End
    no: Goto[Action] | Branch[Question, Action, End] | End
    actions: tuple[Action, ...] = ()


class Node(Record, Generic[Item, Question, Action, End]):
    """Items that are executed in order, and what follows them."""

    items: tuple[Item, ...]
    exit: Goto[Action] | Branch[Question, Action, End] | End


def targets(exit: object) -> list[int]:
    """The nodes that an exit leads to, yes before no; one may be there twice."""
    if isinstance(exit, Goto):
        return [exit.node]
    if isinstance(exit, Branch):
        branch = cast("Branch[object, object, object]", exit)
        return [*targets(branch.yes), *targets(branch.no)]
    return []


def renumbered(exit: Exit, numbers: Mapping[int, int]) -> Exit:
    """An exit with other numbers of nodes; a question whose answers lead to the same is left out."""
    return cast("Exit", _renumbered(exit, numbers))


def _renumbered(exit: object, numbers: Mapping[int, int]) -> object:
    if isinstance(exit, Goto):
        goto = cast("Goto[object]", exit)
        return Goto(numbers[goto.node], goto.actions)
    if not isinstance(exit, Branch):
        return exit
    question, yes, no, actions = cast("Branch[object, object, object]", exit)
    one, other = _renumbered(yes, numbers), _renumbered(no, numbers)
    if repr(one) != repr(other):  # records of different classes with equal fields are equal
        return Branch(question, one, other, actions)
    if isinstance(one, Goto | Branch):
        after = cast("Goto[object]", one)
        return after._replace(actions=(*actions, *after.actions))
    return one


class Flow:
    """A graph of nodes that are numbered from 0, the entry.

    `successors` are by node the nodes that may come next, each once; `exits` the nodes at which the program may stop.
    """

    successors: tuple[tuple[int, ...], ...]
    exits: frozenset[int]

    def __init__(self, successors: tuple[tuple[int, ...], ...], exits: frozenset[int] = frozenset()) -> None:
        self.successors, self.exits = successors, exits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flow) and (self.successors, self.exits) == (other.successors, other.exits)

    def __hash__(self) -> int:
        return hash((self.successors, self.exits))

    def __repr__(self) -> str:
        return f"Flow(successors={self.successors!r}, exits={self.exits!r})"

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """By node: the nodes from which it may be reached in one step, in order."""
        return predecessors(self.successors)


class BudgetExceeded(Record):
    """The result would be too large; `reason` is a sentence without its full stop."""

    reason: str


def predecessors(successors: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """By node: the nodes from which it may be reached in one step, in order."""
    found: list[list[int]] = [[] for _ in successors]
    for number, following in enumerate(successors):
        for target in following:
            found[target].append(number)
    return tuple(map(tuple, found))
