"""Procedures of a program: calls that come back to where they were made, with the rings as they were.

CALL puts a slot on a ring, and execution comes back where the program counter meets the end of that slot, so what a call does
depends on all rings. A call is that of a procedure if nothing until its return asks about or changes what the rings had before
it. Its states without what the rings had before are the procedure; calls with equal states call the same one. The code of other
calls stays where they are: those that overflow a ring, jump out, or may end the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.graph.flow import Branch, Goto, Node
from lanewise.pica200.sem.flow import (
    Ask,
    ControlState,
    CountDown,
    CounterIsZero,
    DropOldest,
    Edge,
    End,
    Hang,
    Pop,
    Push,
    RestoreAl,
    StartAl,
    StepAl,
)
from lanewise.pica200.translate.nodes import Code, Invoke

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.sem.flow import Action, Tree
    from lanewise.pica200.translate.nodes import Exit, WordNode

MOST_NESTED = 8  # calls inside each other; profiles without a bound nest those of a recursion further
_RETURN = ControlState(-1)


class Called(Record):
    """A call: the number of its procedure, and the state in which it comes back."""

    procedure: int
    back: ControlState


class NoProcedureError(Exception):
    """A call that is not that of a procedure."""


class Procedures:
    """The procedures that the states of a program call: `found` has callees first, with the address of their first word."""

    def __init__(self, trees: Mapping[ControlState, Tree], size: int, *, reads_al: bool) -> None:
        self._trees = trees
        self._size = size
        self._reads_al = reads_al
        self._calls: dict[ControlState, Called | None] = {}
        self._numbers: dict[str, int] = {}
        self.found: list[tuple[int, Code]] = []

    def main(self, entry: ControlState) -> Code:
        """The program without its procedures."""
        return self._code(entry, _Whole())

    def _code(self, entry: ControlState, view: _Whole) -> Code:
        numbers: dict[ControlState, int] = {}
        nodes: dict[int, WordNode] = {}
        waiting: list[ControlState] = []

        def number_of(state: ControlState) -> int:
            own = view.state(state)
            if own not in numbers:
                numbers[own] = len(numbers)
                if own == _RETURN:
                    nodes[numbers[own]] = Node((), End())
                else:
                    waiting.append(state)
            return numbers[own]

        number_of(entry)
        while waiting:
            state = waiting.pop()
            addresses = (state.pc,) if 0 <= state.pc < self._size else ()
            nodes[number_of(state)] = Node(addresses, self._exit(state, self._trees[state], view, number_of))
        if not view.comes_back(numbers):
            raise NoProcedureError
        return Code(nodes)

    def _exit(self, state: ControlState, tree: Tree, view: _Whole, number_of: Callable[[ControlState], int]) -> Exit:
        match tree:
            case Edge(target, actions):
                called = self._called(target) if _calls(state, target) else None
                own = view.actions(self._needed(actions))
                if called is None:
                    return Goto(number_of(target), own)
                return Goto(number_of(called.back), (*own, Invoke(called.procedure, state.pc)))
            case Ask(question, yes, no, actions):
                if isinstance(question, CounterIsZero):
                    question = CounterIsZero(view.slot(question.slot))
                sides = [self._exit(state, side, view, number_of) for side in (yes, no)]
                return Branch(question, sides[0], sides[1], view.actions(self._needed(actions)))
            case End() | Hang():
                view.stop()
                return tree

    def _needed(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """Actions without those on an aL that no instruction reads."""
        if self._reads_al:
            return actions
        return tuple([action for action in actions if not isinstance(action, StartAl | StepAl | RestoreAl)])

    def _called(self, entry: ControlState) -> Called | None:
        """The call that starts in a state, if it is that of a procedure."""
        if entry not in self._calls:
            self._calls[entry] = None
            if len(entry.calls) <= MOST_NESTED:
                try:
                    code = self._code(entry, _Inside(entry))
                except NoProcedureError:
                    return None
                key = repr(code)  # records of different classes with equal fields are equal
                if key not in self._numbers:
                    self._numbers[key] = len(self.found)
                    self.found.append((entry.pc, code))
                back = entry._replace(pc=entry.calls[-1].back, calls=entry.calls[:-1])
                self._calls[entry] = Called(self._numbers[key], back)
        return self._calls[entry]


def _calls(state: ControlState, target: ControlState) -> bool:
    """Whether the path from one state to another is a call, and nothing else."""
    return (
        len(target.calls) == len(state.calls) + 1
        and target.calls[:-1] == state.calls
        and target.calls[-1].back == state.pc + 1
        and target.ifs == state.ifs
        and target.loops == state.loops
    )


class _Whole:
    """States as a program has them."""

    def state(self, state: ControlState) -> ControlState:
        return state

    def slot(self, slot: int) -> int:
        return slot

    def actions(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        return actions

    def stop(self) -> None:
        """The program may end here."""

    def comes_back(self, states: Mapping[ControlState, int]) -> bool:
        return True


class _Inside(_Whole):
    """States as a procedure has them: without what the rings had before its call. Raises NoProcedureError where that counts."""

    def __init__(self, entry: ControlState) -> None:
        _, self._calls, self._ifs, self._loops = entry
        self._back = entry._replace(pc=entry.calls[-1].back, calls=entry.calls[:-1])

    def state(self, state: ControlState) -> ControlState:
        if state == self._back:
            return _RETURN
        calls, ifs, loops = len(self._calls), len(self._ifs), len(self._loops)
        if (state.calls[:calls], state.ifs[:ifs], state.loops[:loops]) != (self._calls, self._ifs, self._loops):
            raise NoProcedureError
        return ControlState(state.pc, state.calls[calls:], state.ifs[ifs:], state.loops[loops:])

    def slot(self, slot: int) -> int:
        if slot < len(self._loops):
            raise NoProcedureError
        return slot - len(self._loops)

    def actions(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        found: list[Action] = []
        for action in actions:
            match action:
                case DropOldest():
                    raise NoProcedureError
                case Push() | Pop() | RestoreAl() | CountDown():
                    found.append(action._replace(slot=self.slot(action.slot)))
                case _:
                    found.append(action)
        return tuple(found)

    def stop(self) -> None:
        raise NoProcedureError

    def comes_back(self, states: Mapping[ControlState, int]) -> bool:
        return _RETURN in states
