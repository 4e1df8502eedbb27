"""Cases that fail in a run of a suite, sent alone to a fresh process: one that is right there fails by what a case before it
has left in the implementation."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.vectors.process import HANGS, PeerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.vectors.model import Case, Outcome
    from lanewise.core.vectors.peer import Peer

_MOST_HANGS = 3  # each takes the whole time limit
_MOST_TRACED = 5  # cases for which the case before is searched
_MOST_BEFORE = 512  # cases before one that are searched


class Failed(Record):
    """A case that failed, and the cases that its process had been asked before, in order."""

    case: Case
    before: Sequence[Case]


class RightAlone(Record):
    """A case that failed in a run and is right in a fresh process; `after` is the case after which alone it fails again, None
    where none was found."""

    case: Case
    after: Case | None


class Alone(Record):
    """How many of the cases that failed were sent alone, and those of them that are right."""

    asked: int
    right: tuple[RightAlone, ...]


def ask_alone(
    peer: Peer, failed: Sequence[Failed], right: Callable[[Case, Outcome], bool], tick: Callable[[int], None]
) -> Alone:
    """Send each case to a process of its own; one that was the first of its process has been alone already.

    `right(case, answer)` says whether an answer is; `tick` is given the number of cases that are done. Raises OSError if the
    command cannot be started.
    """
    found: list[RightAlone] = []
    asked = hangs = 0
    for place, each in enumerate(failed):
        tick(place)
        if not each.before:
            continue
        if hangs >= _MOST_HANGS:
            break
        asked += 1
        kind = _kind(peer, (), each.case, right)
        hangs += kind == HANGS
        if not kind:
            after = _after(peer, each, right) if len(found) < _MOST_TRACED else None
            found.append(RightAlone(each.case, after))
    peer.stop()
    return Alone(asked, tuple(found))


def _kind(peer: Peer, before: Sequence[Case], case: Case, right: Callable[[Case, Outcome], bool]) -> str:
    """The failure of a case after others in a fresh process: empty for a right answer."""
    peer.stop()
    try:
        for each in before:
            peer.ask(each)
        return "" if right(case, peer.ask(case)) else "differs"
    except PeerError as error:
        return error.kind


def _after(peer: Peer, failed: Failed, right: Callable[[Case, Outcome], bool]) -> Case | None:
    """The last case before one after which it fails, by halving; None where that case does not suffice."""
    before = failed.before[-_MOST_BEFORE:]
    first, last = 0, len(before)  # it fails after those from `first`, and is right after those from `last`
    while last - first > 1:
        middle = (first + last) // 2
        if _kind(peer, before[middle:], failed.case, right):
            first = middle
        else:
            last = middle
    return before[first] if _kind(peer, before[first : first + 1], failed.case, right) else None
