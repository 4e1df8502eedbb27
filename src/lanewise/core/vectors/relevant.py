"""Under which variants the outcome of a case is another."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.core.vectors.comparing import differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.vectors.model import Job, Outcome

P = TypeVar("P")


class Alternative(Record, Generic[P]):
    """A variant by name. With `parts` it is all of them at once: where it changes nothing, they are taken to change nothing."""

    name: str
    variant: P
    parts: tuple[Alternative[P], ...] = ()


class Alternatives(ABC, Generic[P]):
    """The variants of an instruction set beside the one of a suite."""

    @abstractmethod
    def outcome(self, job: Job, variant: P, base: P) -> Outcome | None:
        """The outcome of a job of the variant `base` under another; None where its data have no form there."""

    @abstractmethod
    def alternatives(self, job: Job, expected: Outcome, base: P, ops: Sequence[str]) -> Iterator[Alternative[P]]:
        """The variants with which the job can differ."""

    def base(self, job: Job, expected: Outcome, base: P) -> Outcome:
        """The expected outcome in the form in which outcomes of variants are compared."""
        return expected

    def of(self, job: Job, expected: Outcome, base: P, ops: Sequence[str]) -> tuple[str, ...]:
        """The names of variants under which the outcome is another."""
        usual = self.base(job, expected, base)
        found: list[str] = []
        waiting = [*self.alternatives(job, expected, base, ops)][::-1]
        while waiting:
            name, variant, parts = waiting.pop()
            other = self.outcome(job, variant, base)
            if other is None or next(differences(job, usual, other, 32), None) is not None:
                found += [name] if name and other is not None else []
                waiting += parts
        return tuple(found)
