"""Fewer and cheaper items with the same meaning: `optimise` applies the moves of `optimising.moves` by an operand table."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.optimising.driver import Driver
from lanewise.optimising.moves import MOVES, Candidate, Edit, Move, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from typing import Any

    from lanewise.optimising.operands import Operands

Item = TypeVar("Item")
LARGE, MOST_IN_VAIN = 128, 8  # in larger programs a move ends after so many steps that are not proved: a proof may take seconds


class Step(Record):
    """What was done: the move, the reason and how to do it by hand."""

    move: str
    title: str
    reason: str
    fix: str
    # The places at first of the items that went away, and of those that took another form.
    removed: tuple[int, ...]
    changed: tuple[int, ...]


class Optimised(Record, Generic[Item]):
    """A program with its steps."""

    items: tuple[Item, ...]
    # By place: the place at first.
    origins: tuple[int, ...]
    steps: tuple[Step, ...]
    # How many programs were to be proved, and how many candidates were not taken.
    proofs: int
    refused: int


def optimise(
    items: Sequence[Item],
    table: Operands[Item],
    *,
    valid: Callable[[Sequence[Item]], bool],
    equal: Callable[[Sequence[Item]], bool],
    progress: Callable[[], None] | None = None,
) -> Optimised[Item]:
    """A program of less cost. `valid`: whether a program may be written so; `equal`: whether it is proved to be that of
    `items`."""
    found = _Optimiser(items, table, valid, equal, progress)
    found.apply_all(MOVES)
    return Optimised(
        items=found.now.items, origins=found.origins, steps=tuple(found.steps), proofs=found.proofs, refused=len(found.in_vain)
    )


class _Optimiser(Driver[Move["Any"], Candidate["Any"]]):
    def __init__(
        self,
        items: Sequence[Any],
        table: Operands[Any],
        valid: Callable[[Sequence[Any]], bool],
        equal: Callable[[Sequence[Any]], bool],
        progress: Callable[[], None] | None,
    ) -> None:
        super().__init__()
        self.now = Program(items, table)
        self.origins = tuple(range(len(items)))
        self.steps: list[Step] = []
        self.proofs = 0
        self._table, self._valid, self._equal, self._progress = table, valid, equal, progress

    def most_in_vain(self) -> int:
        return MOST_IN_VAIN if len(self.now.items) > LARGE else 0

    def candidates(self, move: Move[Any]) -> Iterator[Candidate[Any]]:
        return move.find(self.now)

    def touched(self, candidate: Candidate[Any]) -> tuple[int, ...]:
        return candidate.edit.places

    def key(self, candidate: Candidate[Any]) -> Hashable:
        edit, origins = candidate.edit, self.origins
        replaced = tuple([(origins[place], item) for place, item in edit.replaced])
        return tuple([origins[place] for place in edit.removed]), replaced

    def take(self, move: Move[Any], batch: Sequence[Candidate[Any]]) -> bool:
        if self._progress is not None:
            self._progress()
        edits = [candidate.edit for candidate in batch]
        together: Edit[Any] = Edit(
            tuple([place for edit in edits for place in edit.removed]),
            tuple([pair for edit in edits for pair in edit.replaced]),
        )
        found = self.now.edited(together)
        if self._table.cost(found.items) >= self._table.cost(self.now.items) or not self._valid(found.items):
            return False
        self.proofs += 1
        if not self._equal(found.items):
            return False
        origins, removed = self.origins, set(together.removed)
        for candidate in batch:
            self.steps.append(
                Step(
                    move=move.name,
                    title=move.title,
                    reason=candidate.reason,
                    fix=candidate.fix,
                    removed=tuple([origins[place] for place in candidate.edit.removed]),
                    changed=tuple([origins[place] for place, _ in candidate.edit.replaced]),
                )
            )
        self.now, self.origins = found, tuple([origin for n, origin in enumerate(origins) if n not in removed])
        return True


__all__ = ["Optimised", "Step", "optimise"]
