"""Reduction: the smallest case found that still shows what a large one does, for any kind of case."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

C = TypeVar("C")


def smallest(one: C, steps: Sequence[Callable[[C], Iterator[C]]], differs: Callable[[C], bool]) -> C:
    """Reduce a case to the smallest found for which `differs` still holds. It must hold for `one`.

    Each step gives simpler cases, the largest reduction first; steps are repeated until none helps.
    """
    while True:
        before = one
        for step in steps:
            one = _tried(one, step, differs)
        if one == before:
            return one


def _tried(one: C, step: Callable[[C], Iterator[C]], differs: Callable[[C], bool]) -> C:
    """Apply every possible change of a step; after each, the step continues after it."""
    done = 0
    while True:
        for number, candidate in enumerate(step(one)):
            if number >= done and candidate != one and differs(candidate):
                # Candidates before this one were tried and are skipped now.
                one, done = candidate, number
                break
        else:
            return one
