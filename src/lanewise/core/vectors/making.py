"""Parts of suites that all instruction sets share: cases in order, numbered, how well their outcomes are known, lines of a
trace."""

from __future__ import annotations

from lanewise.core.evidence import CLASSES, MEASURED
from lanewise.core.record import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.core.vectors.model import Case

D = TypeVar("D")
_MOST_STEPS = 24  # lines of a trace


def cases_of(
    drafts: Iterable[D], case_of: Callable[[D, int], Case | None], progress: Callable[[int, int], None] | None
) -> tuple[Case, ...]:
    """The cases of drafts. `case_of` gives that of a draft with this number, None for one that is left out, whose number goes
    to the next."""
    waiting: list[D] = []
    for draft in drafts:  # long work too: how many there are is known at its end
        if progress is not None:
            progress(len(waiting), 0)
        waiting.append(draft)
    found: list[Case] = []
    for done, draft in enumerate(waiting):
        if progress is not None:
            progress(done, len(waiting))
        case = case_of(draft, len(found))
        if case is not None:
            found.append(case)
    return tuple(found)


def least_known(differs: Sequence[str], known: Callable[[str], str], others: Iterable[str] = ()) -> str:
    """The evidence of an outcome: the least of the questions on which it depends, by their keys, and of `others`."""
    keys = {name.partition("=")[0] for name in differs if "=" in name}
    return max([*map(known, keys), *others, MEASURED], key=CLASSES.index)


def shortened(lines: list[str]) -> list[str]:
    """The lines of a trace that a finding shows."""
    more = len(lines) - _MOST_STEPS
    return lines if more <= 0 else [*lines[:_MOST_STEPS], f"... {more} more steps"]
