"""Fewer and cheaper items with the same meaning: `optimise` applies the moves of `optimising.moves` by an operand table."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.optimising.driver import Driver
from lanewise.optimising.moves import MOVES, Candidate, Edit, Move, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
    from typing import Any

    from lanewise.optimising.operands import Operands

Item = TypeVar("Item")
LARGE, MOST_IN_VAIN = 128, 8  # in larger programs a move ends after so many steps that are not proved: a proof may take seconds


class Step(Record):
    """A move that was applied."""

    move: str
    "The name of the move, such as `dead`."
    title: str
    'The kind of the change for a report, such as "results without a reader".'
    reason: str
    "Why the item can change, as a sentence about it."
    fix: str
    "The change by hand, as an imperative."
    removed: tuple[int, ...]
    "Places in the program given of the items that went away."
    changed: tuple[int, ...]
    "Places in the program given of the items that took another form."
    saved: tuple[int, ...]
    "What the program costs less after the step, in the order of the cost of its table."
    code: str
    "The code of the hint about it."
    first: bool = True
    "No other step was taken before it was proved."


class Optimised(Record, Generic[Item]):
    """A program with its steps."""

    items: tuple[Item, ...]
    "The items that are left, in order."
    origins: tuple[int, ...]
    "The place in the program given of each item."
    steps: tuple[Step, ...]
    "The moves in the order in which they were taken."
    proofs: int
    "How many programs were to be proved equal."
    refused: int
    "How many different candidates were not taken."
    carried: frozenset[int] = frozenset()
    "The places in the program given of items that are left before others than they were."


def optimise(
    items: Sequence[Item],
    table: Operands[Item],
    *,
    valid: Callable[[Sequence[Item]], bool],
    equal: Callable[[Sequence[Item]], bool],
    progress: Callable[[], None] | None = None,
    fixed: Collection[int] = (),
) -> Optimised[Item]:
    """A program of less cost. `valid`: whether a program may be written so; `equal`: whether it is proved to be that of
    `items`; `fixed`: the places of items that stay unchanged."""
    found = _Optimiser(items, table, valid, equal, progress, fixed)
    found.apply_all(MOVES)
    return Optimised(
        items=found.now.items,
        origins=found.origins,
        steps=tuple(found.steps),
        proofs=found.proofs,
        refused=len(found.in_vain),
        carried=frozenset(found.carried),
    )


class _Optimiser(Driver[Move["Any"], Candidate["Any"]]):
    def __init__(
        self,
        items: Sequence[Any],
        table: Operands[Any],
        valid: Callable[[Sequence[Any]], bool],
        equal: Callable[[Sequence[Any]], bool],
        progress: Callable[[], None] | None,
        fixed: Collection[int],
    ) -> None:
        super().__init__()
        self.now = Program(items, table)
        self.origins = tuple(range(len(items)))
        self.steps: list[Step] = []
        self.proofs = 0
        self.carried: set[int] = set()
        self._taken = False
        self._fixed = frozenset(fixed)
        self._table, self._valid, self._equal, self._progress = table, valid, equal, progress

    def most_in_vain(self) -> int:
        return MOST_IN_VAIN if len(self.now.items) > LARGE else 0

    def candidates(self, move: Move[Any]) -> Iterator[Candidate[Any]]:
        for candidate in move.find(self.now):
            if self._fixed.isdisjoint([self.origins[place] for place in candidate.edit.places]):
                yield candidate

    def touched(self, candidate: Candidate[Any]) -> tuple[int, ...]:
        return candidate.edit.places

    def key(self, candidate: Candidate[Any]) -> Hashable:
        edit, origins = candidate.edit, self.origins
        replaced = tuple([(origins[place], item) for place, item in edit.replaced])
        carried = tuple([(origins[place], origins[before], item) for place, before, item in edit.carried])
        return tuple([origins[place] for place in edit.removed]), replaced, carried

    def take(self, move: Move[Any], batch: Sequence[Candidate[Any]]) -> bool:
        if self._progress is not None:
            self._progress()
        edits = [candidate.edit for candidate in batch]
        together = _united(edits)
        found = self.now.edited(together)
        if self._table.cost(found.items) >= self._table.cost(self.now.items) or not self._valid(found.items):
            return False
        self.proofs += 1
        if not self._equal(found.items):
            return False
        origins = self.origins
        costs = self._costs(edits)
        for candidate, saved in zip(batch, costs, strict=True):
            self.steps.append(
                Step(
                    move=move.name,
                    title=move.title,
                    reason=candidate.reason,
                    fix=candidate.fix,
                    removed=tuple([origins[place] for place in candidate.edit.removed]),
                    changed=tuple([origins[place] for place, *_ in (*candidate.edit.replaced, *candidate.edit.carried)]),
                    saved=saved,
                    code=move.code,
                    first=not self._taken,
                )
            )
        self._taken = True
        self.carried.update([origins[place] for place, _, _ in together.carried])
        self.origins = tuple([origins[place] for place, _ in together.done(self.now.items)])
        self.now = found
        return True

    def _costs(self, edits: Sequence[Edit[Any]]) -> list[tuple[int, ...]]:
        """The savings of each of the edits after those before it."""
        found: list[tuple[int, ...]] = []
        before = self._table.cost(self.now.items)
        for count in range(1, len(edits) + 1):
            after = self._table.cost([item for _, item in _united(edits[:count]).done(self.now.items)])
            found.append(tuple([one - other for one, other in zip(before, after, strict=True)]))
            before = after
        return found


def _united(edits: Sequence[Edit[Any]]) -> Edit[Any]:
    """Edits of different items as one."""
    return Edit(
        removed=tuple([place for edit in edits for place in edit.removed]),
        replaced=tuple([pair for edit in edits for pair in edit.replaced]),
        carried=tuple([each for edit in edits for each in edit.carried]),
    )


__all__ = ["Optimised", "Step", "optimise"]
