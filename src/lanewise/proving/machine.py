"""A program in execution on terms: what an instruction set gives (`Machine`), and where the program is (`Thread`)."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar, cast
from lanewise.graph.flow import Branch, Goto, targets

if not TYPE_CHECKING:
    Protocol = Generic
else:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol, Self

    from lanewise.graph.flow import Node
    from lanewise.proving.terms import Term, Terms

MOST_STEPS = 5_000  # of a program between two questions or meetings of paths
PLAIN, LOOP = "plain", "loop"  # kinds of nodes that paths meet at

Item_contra = TypeVar("Item_contra", contravariant=True)
Question_contra = TypeVar("Question_contra", contravariant=True)
Action_contra = TypeVar("Action_contra", contravariant=True)


class Result(Record):
    """A value that a program leaves: its name for messages, and whether the program has written it."""

    name: str
    value: Term
    written: Term


class Sent(Record):
    """Values that have left a program before its end, and the terms besides that must be the same in both programs."""

    values: tuple[Term, ...]
    marks: tuple[Term, ...]


class Machine(Protocol[Item_contra, Question_contra, Action_contra]):
    """The state of a program on terms. Nodes, items, questions and actions are the instruction set's own."""

    def run(self, items: Sequence[Item_contra]) -> str:
        """Execute the items of a node. Gives the code of a fault that stops the program, or nothing."""
        ...

    def perform(self, actions: Sequence[Action_contra]) -> None:
        """Do the actions of an exit; by default there are none."""

    def answer(self, question: Question_contra) -> Term:
        """The truth value of a question."""
        ...

    def components(self) -> list[Term]:
        """All that travels between nodes, in an order that the node decides."""
        ...

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        """Set what travels, as `components` gives it at the start of a node."""
        ...

    def carried(self) -> list[Term]:
        """Return the values that a run leaves to the next, in an order that both programs share; by default none."""
        return []

    def start(self, terms: Sequence[Term]) -> None:
        """Set what a run starts with, as `carried` gives it."""

    def results(self) -> Sequence[Result]:
        """Return the results of the program at its end; both programs have the same names in the same order."""
        ...

    def sent(self) -> Sequence[Sent]:
        """Return the values that have left the program so far; by default none leave before the end."""
        return ()

    def copy(self) -> Self:
        """The machine in the same state, to go on with another answer."""
        ...


class Place(Record):
    """A point of a program: a node that is about to begin, a question, or an end."""

    node: int
    "The number of the node; that of the question or the end if it is at one."
    kind: str = ""
    "`LOOP` or `PLAIN` at the beginning of a node where paths meet; empty elsewhere, or where it may go on."
    question: Term = -1
    "The condition that is not known; -1: it is not at a question."
    exit: Branch[Any, Any, Any] | None = None
    "The branch of the question; None where there is no question."
    ended: bool = False
    "The program has ended at this node."
    code: str = ""
    "The name of its end; empty for the plain one."


class Flow:
    """The nodes of a program, the first of which is its entry, and those that more than one path leads to."""

    joins: dict[int, str]

    def __init__(self, nodes: Sequence[Node[Any, Any, Any, Any]]) -> None:
        self.nodes = nodes
        self.joins = joins([targets(node.exit) for node in nodes])


def joins(following: Sequence[Sequence[int]]) -> dict[int, str]:
    """The nodes that more than one edge leads to, with their kind; `following` has the targets of each.

    Every cycle has an edge to the same or a lower number.
    """
    arrivals = [0] * len(following)
    arrivals[0] = 1
    found: dict[int, str] = {}
    for number, after in enumerate(following):
        for target in after:
            arrivals[target] += 1
            if target <= number:
                found[target] = LOOP
    for number, count in enumerate(arrivals):
        if count > 1:
            found.setdefault(number, PLAIN)
    return found


class Thread:
    """A program during execution on terms: its machine, and where it is."""

    __slots__ = ("decided", "flow", "m", "machine", "place", "steps")

    decided: int
    flow: Flow
    m: Terms
    place: Place
    steps: int

    def __init__(self, m: Terms, flow: Flow, machine: Machine[Any, Any, Any]) -> None:
        self.m, self.flow = m, flow
        self.machine: Machine[Any, Any, Any] = machine
        self.place = Place(node=0)
        self.steps = 0
        self.decided = 0  # questions so far whose answer was a constant

    def copy(self) -> Thread:
        other = Thread(self.m, self.flow, self.machine.copy())
        other.place, other.steps, other.decided = self.place, self.steps, self.decided
        return other

    def advance(self, assumed: Mapping[Term, bool], *, stops: bool) -> None:
        """Go on to the next question that `assumed` does not answer, to the end, or with `stops` to a node that paths meet at.

        Raises OverflowError for a path that is too long.
        """
        nodes, machine = self.flow.nodes, self.machine
        while True:
            number = self.place.node
            node = nodes[number]
            code = machine.run(node.items)
            self.steps += max(len(node.items), 1)
            if self.steps > MOST_STEPS:
                raise OverflowError("a path has too many steps")
            if code:
                self.place = Place(node=number, ended=True, code=code)
                return
            if self._follow(number, node.exit, assumed):
                return
            if stops and (kind := self.flow.joins.get(self.place.node)):
                self.place = self.place._replace(kind=kind)
                return

    def take(self, answer: bool, assumed: Mapping[Term, bool], *, stops: bool) -> None:
        """Go on from a question with its answer."""
        exit = self.place.exit
        if exit is None:
            raise TypeError("the thread is not at a question")
        if self._follow(self.place.node, exit.yes if answer else exit.no, assumed):
            return
        if stops and (kind := self.flow.joins.get(self.place.node)):
            self.place = self.place._replace(kind=kind)
            return
        self.advance(assumed, stops=stops)

    def _follow(self, number: int, exit: object, assumed: Mapping[Term, bool]) -> bool:
        """Go through an exit, as far as the answers are known. Whether the thread stops there."""
        m, machine = self.m, self.machine
        while True:
            if isinstance(exit, Goto):
                goto = cast("Goto[Any]", exit)
                if goto.actions:
                    machine.perform(goto.actions)
                self.place = Place(node=goto.node)
                return False
            if not isinstance(exit, Branch):
                self.place = Place(node=number, ended=True, code=getattr(exit, "code", ""))
                return True
            branch = cast("Branch[Any, Any, Any]", exit)
            if branch.actions:
                machine.perform(branch.actions)
            asked = machine.answer(branch.question)
            known = m.truth(asked)
            if known is not None:
                self.decided += 1
            else:
                known = m.holds(asked, assumed)
            if known is None:
                self.place = Place(node=number, question=asked, exit=branch)
                return True
            exit = branch.yes if known else branch.no


__all__ = ["LOOP", "PLAIN", "Flow", "Machine", "Place", "Result", "Sent", "Thread", "joins"]
