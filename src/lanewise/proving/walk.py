"""Two programs at once: a walk that shows that they ask, emit and leave the same.

Both programs are executed on the same terms, from their entries. Where both come to a question, it must be the same term, and
the walk goes on with each answer; a question that only one of them has is answered both ways while the other waits. Where both
have ended they must have left the same. Where paths meet in both, the walk makes a cut: the terms with which it comes there the
first time are what is assumed to hold there; where it comes with others, less is assumed, and the walk from there begins again,
until every path comes with what is assumed. So numbers of nodes, deleted items and moved targets do not matter, and loops are
shown by induction: both programs go on from every cut, so one of them goes on without end only if the other does.

Components are compared nowhere but at the end: which of them equal which is what a cut assumes, and a component that is dead
equals nothing.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.reporting import counter
from lanewise.proving.machine import LOOP, Thread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lanewise.proving.machine import Flow, Machine, Place
    from lanewise.proving.terms import Term, Terms

    Program = tuple[Flow, Machine[Any, Any, Any]]

# How a walk treats nodes that paths meet at: every path for itself; cuts at loops; cuts at all of them.
PATHS, LOOPS, MEETINGS = "paths", "loops", "meetings"
# The same, but a thread at the head of a loop waits while the other is at a question: one may branch where the other selects.
WAITING_LOOPS, WAITING_MEETINGS = "waiting at loops", "waiting at loops, meetings"
# Visits of a node by a thread that goes on alone: more than loops of the hardware have, and those whose states are compared.
_MOST_VISITS, _COMPARED_VISITS = 300, 8


class Reason(Record):
    """Why two programs were not shown to be equal.

    `definite`: no walk with fewer cuts would show more; `lost`: the programs did not come to a loop together. `what` is a
    sentence without its full stop.
    """

    what: str
    definite: bool = False
    lost: bool = False


class _Cut:
    """A pair of places with what is assumed there of the components of both programs."""

    __slots__ = ("first", "number", "second", "size", "terms")

    def __init__(self, number: int, first: Place, second: Place, terms: list[Term], size: int) -> None:
        self.number, self.first, self.second = number, first, second
        self.terms, self.size = terms, size


class _Pair(Record):
    """A pair of threads on the same path."""

    first: Thread
    "The thread of the first program."
    second: Thread
    "The thread of the second program."
    assumed: dict[Term, bool]
    "Answers to the questions on the path, and what follows from them."
    asked: frozenset[tuple[int, int]]
    "The branches at which the threads have asked since the cut, as pairs of identities."
    alone: _Alone
    "The states of the thread that has gone on where paths meet, since the last question."


class _Alone:
    """Where a thread has been while the other waited. Pairs do not share it."""

    __slots__ = ("_states", "_visits")

    def __init__(self) -> None:
        self._visits: dict[tuple[int, ...], int] = {}
        self._states: set[tuple[int, ...]] = set()

    def stays(self, which: int, thread: Thread) -> bool:
        """Whether the thread is in a loop that it does not leave, as far as that is seen; it is at a node that paths meet at.

        The state is that of an earlier visit, or nothing that may change has been asked in many visits.
        """
        node = which, thread.place.node, thread.decided
        visits = self._visits[node] = self._visits.get(node, 0) + 1
        if visits > _MOST_VISITS:
            return True
        if visits > _COMPARED_VISITS:
            return False
        state = (*node[:2], *thread.machine.components())
        if state in self._states:
            return True
        self._states.add(state)
        return False


class Walk:
    """A walk over two programs. `reason` is empty after one that has shown them equal."""

    steps: int
    paths: int

    def __init__(self, m: Terms, programs: tuple[Program, Program], *, strategy: str, most_steps: int) -> None:
        """`programs` have their machines where a run starts. `most_steps` are items executed on terms, in all."""
        self._m, self._left = m, most_steps
        self._waits = strategy in (WAITING_LOOPS, WAITING_MEETINGS)
        self._strategy = {WAITING_LOOPS: LOOPS, WAITING_MEETINGS: MEETINGS}.get(strategy, strategy)
        self._stops = strategy != PATHS
        self._threads = Thread(m, *programs[0]), Thread(m, *programs[1])
        self._cuts: dict[tuple[int, int], _Cut] = {}
        self._names = 0
        self._waiting: list[_Cut] = []
        self._counter = counter()
        self.steps = 0
        self.paths = 0

    def run(self) -> Reason | None:
        """Walk. None if the programs are equal."""
        first, second = self._threads
        names = [self._m.node("phi", 0, n) for n in range(len(first.machine.carried()))]
        entry = self._entry = _Cut(0, first.place, second.place, [*names, *names], len(names))
        self._names = len(names)
        self._waiting = [entry]
        while self._waiting:
            cut = self._waiting.pop()
            try:
                reason = self._from(cut)
            except OverflowError as error:
                return Reason(str(error))
            if reason is not None:
                return reason
        return None

    def _from(self, cut: _Cut) -> Reason | None:
        """Walk on every path from a cut to the next."""
        first, second = self._threads[0].copy(), self._threads[1].copy()
        first.place, second.place = cut.first._replace(kind=""), cut.second._replace(kind="")
        if cut is self._entry:
            first.machine.start(cut.terms[: cut.size])
            second.machine.start(cut.terms[cut.size :])
        else:
            first.machine.enter(first.place.node, cut.terms[: cut.size])
            second.machine.enter(second.place.node, cut.terms[cut.size :])
        pairs = [_Pair(first=first, second=second, assumed={}, asked=frozenset(), alone=_Alone())]
        first.advance({}, stops=self._stops)
        second.advance({}, stops=self._stops)
        while pairs:
            pair = pairs.pop()
            reason = self._spend(pair) or self._step(pair, pairs)
            if reason is not None:
                return reason
        return None

    def _spend(self, pair: _Pair) -> Reason | None:
        for thread in pair[:2]:
            self._left -= thread.steps
            self._m.effort.left -= thread.steps * self._m.effort.ITEM
            self.steps += thread.steps
            if self._counter is not None:
                self._counter.add(thread.steps)
            thread.steps = 0
        if self._m.effort.left < 0:
            return Reason("the programs have too many paths and cases", definite=True)
        return Reason("the programs have too many paths") if self._left < 0 else None

    def _step(self, pair: _Pair, pairs: list[_Pair]) -> Reason | None:
        """Go on from where both threads have stopped; pairs that are to be continued are added to `pairs`."""
        first, second, assumed, _, alone = pair
        at, other = first.place, second.place
        if at.kind and other.kind:
            if self._strategy != MEETINGS and not at.kind == other.kind == LOOP:
                self._pass(first, assumed)
                self._pass(second, assumed)
            elif at.kind == other.kind:
                return self._arrive(first, second, assumed)
            else:
                self._pass(second if at.kind == LOOP else first, assumed)
            pairs.append(pair)
        elif at.kind or other.kind:
            thread, place = (first, other) if at.kind else (second, at)
            if self._waits and thread.place.kind == LOOP and place.question >= 0:
                return self._ask(pair, pairs)
            if alone.stays(int(thread is second), thread):
                return Reason("one program does not end where the other does", lost=True)
            self._pass(thread, assumed)
            pairs.append(pair)
        elif at.ended and other.ended:
            return self._end(first, second, assumed)
        else:
            return self._ask(pair, pairs)
        return None

    def _pass(self, thread: Thread, assumed: dict[Term, bool]) -> None:
        """Go on from a node where paths meet without a cut."""
        thread.place = thread.place._replace(kind="")
        thread.advance(assumed, stops=self._stops)

    def _ask(self, pair: _Pair, pairs: list[_Pair]) -> Reason | None:
        """Go on with both answers to a question, of both threads if they ask the same."""
        first, second, assumed, before, _ = pair
        m = self._m
        places = id(first.place.exit), id(second.place.exit)  # a node may ask twice
        if places in before:
            return Reason("a loop has no known number of iterations", lost=self._stops)  # without a cut it has no end
        before |= {places}
        asked = first.place.question if first.place.question >= 0 else second.place.question
        for value in (False, True):
            known = m.assume(asked, value, assumed)
            threads = [first.copy(), second.copy()] if not value else [first, second]
            for thread in threads:
                if thread.place.question >= 0:
                    answer = m.holds(thread.place.question, known)
                    if answer is not None:
                        thread.take(answer, known, stops=self._stops)
            pairs.append(_Pair(first=threads[0], second=threads[1], assumed=known, asked=before, alone=_Alone()))
        return None

    def _end(self, first: Thread, second: Thread, assumed: Mapping[Term, bool]) -> Reason | None:
        """Compare what two threads that have ended leave."""
        self.paths += 1
        reason = self._difference(first, second, assumed)
        if reason is not None:
            return None if self._m.impossible(assumed) else reason
        left = [thread.machine.carried() for thread in (first, second)]
        self._merge(self._entry, [*left[0], *left[1]])
        return None

    def _difference(self, first: Thread, second: Thread, assumed: Mapping[Term, bool]) -> Reason | None:
        """Return a possible difference of two threads that have ended."""
        definite = self._strategy == PATHS
        if first.place.code != second.place.code:
            names = [thread.place.code or "`end`" for thread in (first, second)]
            return Reason(f"one program stops with {names[0]}, the other with {names[1]}", definite)
        if not self._same_sent(first, second, assumed):
            return Reason(_sent(first, second), definite)
        pairs = [*zip(first.machine.results(), second.machine.results(), strict=True)]
        for mine, other in pairs:
            if not self._equal(mine.value, other.value, assumed):
                return Reason(f"{mine.name} may differ{self._m.explained(mine.value, other.value)}", definite)
        for mine, other in pairs:
            if mine.written != other.written:
                return Reason(f"{mine.name} is written on other paths", definite)
        return None

    def _equal(self, x: Term, y: Term, assumed: Mapping[Term, bool]) -> bool:
        return x == y or self._m.equal(x, y, assumed)

    def _arrive(self, first: Thread, second: Thread, assumed: Mapping[Term, bool]) -> Reason | None:
        """Come to a pair of places where paths meet."""
        if not self._same_sent(first, second, assumed):
            return Reason(_sent(first, second))
        key = first.place.node, second.place.node
        mine, other = (self._m.settled(thread.machine.components(), assumed) for thread in (first, second))
        cut = self._cuts.get(key)
        if cut is None:
            cut = self._cuts[key] = _Cut(len(self._cuts) + 1, first.place, second.place, [*mine, *other], len(mine))
            self._waiting.append(cut)
        else:
            self._merge(cut, [*mine, *other])
        return None

    def _same_sent(self, first: Thread, second: Thread, assumed: Mapping[Term, bool]) -> bool:
        """Whether the same has left both programs."""
        left = first.machine.sent(), second.machine.sent()
        return len(left[0]) == len(left[1]) and all(
            mine == other
            or (
                mine.marks == other.marks
                and all(self._equal(x, y, assumed) for x, y in zip(mine.values, other.values, strict=True))
            )
            for mine, other in zip(*left, strict=True)
        )

    def _merge(self, cut: _Cut, arriving: Sequence[Term]) -> None:
        """Assume at a cut only what also holds for terms that arrive there.

        A term of the cut stays where it arrives. The components of a name that the cut has given stay one only if one term
        arrives for all of them.
        """
        nodes = self._m.nodes
        groups: dict[tuple[Term, Term], list[int]] = {}
        for n, pair in enumerate(zip(cut.terms, arriving, strict=True)):
            groups.setdefault(pair, []).append(n)
        count: dict[Term, int] = {}
        for old, _ in groups:
            count[old] = count.get(old, 0) + 1
        changed = False
        for (old, new), places in groups.items():
            own = nodes[old][0] == "phi" and nodes[old][1] == cut.number
            if (count[old] == 1) if own else old == new:
                continue
            self._names += 1
            name = self._m.node("phi", cut.number, self._names)
            for n in places:
                cut.terms[n] = name
            changed = True
        if changed and cut not in self._waiting:
            self._waiting.append(cut)


def _sent(first: Thread, second: Thread) -> str:
    left = first.machine.sent(), second.machine.sent()
    counts = len(left[0]), len(left[1])
    if counts[0] != counts[1]:
        return f"one program may emit {counts[0]} vertices where the other emits {counts[1]}"
    number = next(n for n, pair in enumerate(zip(*left, strict=True)) if pair[0] != pair[1])
    return f"emitted vertex {number} may differ"


def compare(m: Terms, programs: tuple[Program, Program], *, size: int, first: str = PATHS) -> tuple[Reason | None, str]:
    """Compare two programs by each strategy that their flow has a use for: the reason against equality, and the last strategy.

    `size`: of both programs, by which the steps are bounded. `first` is the strategy to begin with.
    """
    kinds = {kind for flow, _ in programs for kind in flow.joins.values()}
    most = 20_000 + 50 * size
    strategies = [
        (PATHS, 2_000 + 4 * size),
        *([(MEETINGS, most)] if kinds else []),
        *([(LOOPS, most)] if len(kinds) > 1 else []),
    ]
    waiting = [(WAITING_MEETINGS, most), (WAITING_LOOPS, most)]
    reasons: dict[str, Reason] = {}
    for strategy, steps in sorted([*strategies, *waiting], key=lambda pair: pair[0] != first):
        if (strategy, steps) in waiting and strategy != first and not any(each.lost for each in reasons.values()):
            continue
        reason = Walk(m, programs, strategy=strategy, most_steps=steps).run()
        if reason is None or reason.definite:
            return reason, strategy
        reasons[strategy] = reason
    return reasons[strategies[-1][0]], strategies[-1][0]


__all__ = ["PATHS", "Program", "Reason", "Walk", "compare"]
