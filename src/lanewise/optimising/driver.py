"""The driver of an optimiser: candidates of moves are applied, those together that touch different items; what is proved and
cheaper is taken."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lanewise.core.record import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Move = TypeVar("Move")
Candidate = TypeVar("Candidate")


class Driver(ABC, Generic[Move, Candidate]):
    """The state of an optimisation: the program so far is its user's, here is what has been tried in vain."""

    def __init__(self) -> None:
        self.in_vain: set[Hashable] = set()

    @abstractmethod
    def candidates(self, move: Move) -> Iterable[Candidate]:
        """The candidates of a move in the program so far."""

    @abstractmethod
    def touched(self, candidate: Candidate) -> Iterable[int]:
        """The items that a candidate changes, by their places in the program so far."""

    @abstractmethod
    def key(self, candidate: Candidate) -> Hashable:
        """A key that tells a candidate from others, also after other steps."""

    @abstractmethod
    def take(self, move: Move, batch: Sequence[Candidate]) -> bool:
        """Apply candidates if the result is cheaper, valid and proved to be equal."""

    def most_in_vain(self) -> int:
        """After how many candidates that were not taken a move ends; 0 for any number."""
        return 0

    def exhausted(self) -> bool:
        """Whether to end before all has been tried."""
        return False

    def apply_all(self, moves: Sequence[Move]) -> None:
        """Apply moves in their order until none is left."""
        again = True
        while again:
            again = False
            for move in moves:
                again = self.apply(move) or again

    def apply(self, move: Move) -> bool:
        """Apply the candidates of a move. Whether one was taken."""
        done = False
        in_vain = 0
        while not self.exhausted():
            candidates = [found for found in self.candidates(move) if self.key(found) not in self.in_vain]
            batch = self._apart(candidates)
            if not batch:
                return done
            if len(batch) > 1 and self.take(move, batch):
                done = True
                continue
            taken = False
            for candidate in batch:
                if self.take(move, [candidate]):
                    taken = True
                    break
                self.in_vain.add(self.key(candidate))
                if self.exhausted():
                    return done
                in_vain += 1
                if 0 < self.most_in_vain() <= in_vain:
                    return done
            if not taken and len(batch) == len(candidates):
                return done
            done = done or taken
        return done

    def _apart(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Candidates that touch different items, in their order."""
        taken: set[int] = set()
        found: list[Candidate] = []
        for candidate in candidates:
            items = set(self.touched(candidate))
            if taken.isdisjoint(items):
                taken |= items
                found.append(candidate)
        return found


__all__ = ["Driver"]
