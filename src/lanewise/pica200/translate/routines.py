"""The routines of a program as statements: its states unfolded, its procedures found, their nodes structured."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.graph.flow import Branch, BudgetExceeded, Goto
from lanewise.pica200.ir.graph import unfold
from lanewise.pica200.sem.flow import ControlState, CounterIsZero, End, Hang, Pop, RestoreAl, StartAl, StepAl
from lanewise.pica200.translate.procedures import Procedures
from lanewise.translating.structure import Customs, Routine, routine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.flow import Tree
    from lanewise.pica200.sem.profile import Profile


class Statements(Record):
    """A program with its procedures, callees first."""

    main: Routine
    procedures: tuple[Routine, ...]

    @property
    def routines(self) -> tuple[Routine, ...]:
        return (*self.procedures, self.main)


def statements(insts: Sequence[Inst], entry: int, profile: Profile, *, reads_al: bool = True) -> Statements | BudgetExceeded:
    """The program that starts at the word `entry`; `reads_al`: whether an instruction of it reads aL."""
    trees: dict[ControlState, Tree] = {}
    found = unfold(insts, entry, profile=profile, steps=trees)
    if isinstance(found, BudgetExceeded):
        return found
    procedures = Procedures(trees, len(insts), reads_al=reads_al)
    main = routine(entry, procedures.main(ControlState(entry)).nodes, CUSTOMS)
    return Statements(main, tuple([routine(address, code.nodes, CUSTOMS) for address, code in procedures.found]))


def hoisted(given: Branch[object, object, object]) -> Branch[object, object, object]:
    """A branch on a counter with the steps of aL that both sides begin with before the question."""
    branch = given
    if (
        not isinstance(branch.question, CounterIsZero)
        or isinstance(branch.yes, End | Hang)
        or isinstance(branch.no, End | Hang)
    ):
        return branch
    steps = _first_steps(branch.yes)
    if not steps or steps != _first_steps(branch.no):
        return branch
    yes, no = (cast("Goto[object]", side)._replace(actions=_actions(side)[len(steps) :]) for side in (branch.yes, branch.no))
    return branch._replace(yes=yes, no=no, actions=(*branch.actions, *steps))


def _actions(exit: object) -> tuple[object, ...]:
    return cast("Goto[object]", exit).actions if isinstance(exit, Goto | Branch) else ()


def _first_steps(exit: object) -> tuple[object, ...]:
    """The steps of aL with which an exit begins."""
    actions = _actions(exit)
    count = next((n for n, action in enumerate(actions) if not isinstance(action, StepAl)), len(actions))
    return actions[:count]


def needed(actions: Sequence[object]) -> Sequence[object]:
    """The actions that have an effect: a popped slot is not looked at."""
    kept = [action for action in actions if not isinstance(action, Pop)]
    for place in range(len(kept) - 1, 0, -1):
        if isinstance(kept[place], StartAl | RestoreAl) and isinstance(kept[place - 1], StepAl | StartAl | RestoreAl):
            del kept[place - 1]  # aL is set once more before anything reads it
    return kept


CUSTOMS = Customs(hoisted, needed)
