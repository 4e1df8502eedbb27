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
        """Apply the candidates of a move. Whether one was taken.

        As many as are apart are tried together: half as many after a step in vain, twice as many after one that was taken. So
        few that cannot be done cost few steps among many that can.
        """
        done, in_vain, most = False, 0, 0
        while not self.exhausted():
            candidates = [found for found in self.candidates(move) if self.key(found) not in self.in_vain]
            taken = False
            while candidates and not taken:
                batch = self._apart(candidates)
                most = min(most, len(batch)) or len(batch)
                taken = self.take(move, batch[:most])
                if taken:
                    most *= 2
                elif most > 1:
                    most = (most + 1) // 2
                else:
                    self.in_vain.add(self.key(batch[0]))
                    candidates.remove(batch[0])
                    in_vain += 1
                    if 0 < self.most_in_vain() <= in_vain:
                        return done
                if not taken and self.exhausted():
                    return done
            if not taken:
                return done
            done = True
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
