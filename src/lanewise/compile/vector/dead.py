"""Remove the parts of a vector program that no output needs."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import operands_of, with_bodies
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Program, Statement

    _Live = frozenset[tuple[int, int]]  # lanes of variables


def without_dead(program: Program) -> Program:
    """Without stores that nothing loads, and values that nothing reads."""
    live = {(output.variable, lane) for output in program.outputs for lane in output.lanes}
    dead = _Dead()
    body, _ = dead.block(program.body, frozenset(live))
    return program._replace(body=body)


class _Dead:
    """A walk from the end to the beginning, with what is live there."""

    def __init__(self) -> None:
        self.used: set[int] = set()
        self.after: dict[int, _Live] = {}  # by label: what is live after its statement

    def block(self, body: Sequence[Statement], live: _Live) -> tuple[tuple[Statement, ...], _Live]:
        kept: list[Statement] = []
        for statement in reversed(body):
            found, live = self.statement(statement, live)
            if found is not None:
                self.used |= {ref.value for operand in operands_of(found) for ref in operand}
                kept.append(found)
        return tuple(reversed(kept)), live

    def statement(self, s: Statement, live: _Live) -> tuple[Statement | None, _Live]:
        match s:
            case v.Leave(label):
                return s, self.after[label]
            case v.Store(variable):
                kept = [(lane, ref) for lane, ref in s.pairs if (variable, lane) in live]
                live -= {(variable, lane) for lane in s.lanes}
                if not kept:
                    return None, live
                return s._replace(mask=sum(1 << lane for lane, _ in kept), operand=tuple([ref for _, ref in kept])), live
            case v.Load(result, variable):
                return (s, live | {(variable, lane) for lane in range(4)}) if result in self.used else (None, live)
            case v.If(condition, yes, no, line):
                yes, live_yes = self.block(yes, live)
                no, live_no = self.block(no, live)
                return (v.If(condition, yes, no, line) if yes or no else None), live_yes | live_no
            case v.Scope(label, body):
                self.after[label] = live
                body, before = self.block(body, live)
                return (s._replace(body=body) if body else None), before
            case v.For() | v.Loop():
                return self.loop(s, live)
            case _:
                return (s if s.result in self.used else None), live

    def loop(self, s: v.For | v.Loop, live: _Live) -> tuple[Statement | None, _Live]:
        self.after[s.label] = live
        around = live if isinstance(s, v.For) else frozenset[tuple[int, int]]()
        while True:
            body, before = self.block(s.body, around)
            if before <= around:
                break
            around |= before
        if isinstance(s, v.For) and not body:
            return None, live
        return with_bodies(s, (body,)), around
