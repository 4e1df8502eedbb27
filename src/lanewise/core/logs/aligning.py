"""Entries of a log beside the steps of a trace, by address and, in loops, by order: up to the first step that differs."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.logs.reading import Entry

VALUE, FLOW, END = "value", "flow", "end"
_MOST_STARTS = 4096
_MOST_MISSING = 64  # steps in a row that a log may lack
_SURE = 3  # entries that have to follow a gap


class Done(Record):
    """A step of a trace as it is aligned."""

    number: int
    "Place in the trace, from 0."
    address: int
    "Address of the instruction."
    register: str
    "Register that it writes; empty for none."
    kind: str
    "Kind of instruction: logs leave out whole kinds."
    turns: bool
    "The next address follows from a question or a jump."


class Difference(Record):
    """The first step that differs."""

    kind: str
    "VALUE: what it wrote; FLOW: where it goes; END: the trace has ended."
    step: int
    "Number of the step; -1 before the first."
    entry: int
    "Number of the entry that shows it."
    what: str = ""
    "Component that differs, such as `x` or `cmp.x`; `register` for the register; empty for FLOW and END."


class Alignment(Record):
    """A log beside a trace."""

    pairs: tuple[tuple[int, int], ...]
    "Number of an entry and of its step, up to the difference."
    start: int
    "Number of the step of the first entry; -1 where no step fits it."
    missing: int
    "Number of steps in between without an entry."
    first: Difference | None
    "The first difference; None for a log that agrees."
    after: int
    "Number of entries after the end of the trace that begin again."

    @property
    def agreed(self) -> int:
        """The number of entries that agree."""
        return len(self.pairs)


_NOTHING = Alignment(pairs=(), start=-1, missing=0, first=None, after=0)


def align(entries: Sequence[Entry], steps: Sequence[Done], differs: Callable[[Entry, int], str], *, ended: bool) -> Alignment:
    """A log beside a trace. `differs(entry, step)` names the component that differs, or is empty; `ended`: the trace is
    whole."""
    by_address = all(entry.address is not None for entry in entries)

    def key(step: Done) -> object:
        return step.address if by_address else step.register

    def wanted(entry: Entry) -> object:
        return entry.address if by_address else entry.register

    named = {wanted(entry) for entry in entries}
    kinds = {step.kind for step in steps if key(step) in named}
    kept = [step for step in steps if (step.kind in kinds if by_address else step.register) or key(step) in named]
    if not entries:
        return _NOTHING
    walker = _Walker(entries, steps, kept, [key(step) for step in kept], [wanted(entry) for entry in entries], differs, ended)
    starts = [place for place, step in enumerate(kept) if key(step) == wanted(entries[0])][:_MOST_STARTS]
    if not starts:
        return _NOTHING._replace(first=Difference(FLOW, -1, 0))
    best = walker.walk(starts[0])
    if starts[0] == 0 and (by_address or best.pairs):
        return best
    for place in starts[1:]:
        if best.first is None:
            break
        found = walker.walk(place)
        if found.agreed > best.agreed:
            best = found
    return best


class _Walker:
    def __init__(
        self,
        entries: Sequence[Entry],
        steps: Sequence[Done],
        kept: Sequence[Done],
        keys: Sequence[object],
        wanted: Sequence[object],
        differs: Callable[[Entry, int], str],
        ended: bool,
    ) -> None:
        self.entries, self.steps, self.kept, self.keys, self.wanted = entries, steps, kept, keys, wanted
        self.differs, self.ended = differs, ended

    def walk(self, place: int) -> Alignment:
        """The alignment whose first entry belongs to the kept step `place`."""
        start, missing, number = place, 0, 0
        pairs: list[tuple[int, int]] = []
        first: Difference | None = None
        after = 0
        while number < len(self.entries):
            again = place > start and self.keys[place - 1] == self.wanted[number]
            if place < len(self.kept) and self.keys[place] == self.wanted[number]:
                place += 1
            elif not again:
                lacking = self._lacking(place, number)
                if lacking:
                    missing, place = missing + lacking, place + lacking
                    continue
                if place >= len(self.kept) and self.wanted[number] in (self.keys[0], self._entry_key()):
                    after = len(self.entries) - number
                elif place < len(self.kept) or self.ended:
                    first = self._flow(place, number)
                break
            step = self.kept[place - 1].number
            what = self.differs(self.entries[number], step)
            if what:
                first = Difference(VALUE, step, number, what)
                break
            pairs.append((number, step))
            number += 1
        return Alignment(pairs=tuple(pairs), start=self.kept[start].number, missing=missing, first=first, after=after)

    def _entry_key(self) -> object:
        """The key of the first step of all: where a log begins again."""
        return self.keys[0] if self.kept[0].number == 0 else self.steps[0].address

    def _lacking(self, place: int, number: int) -> int:
        """How many steps from `place` on a log lacks for certain: they follow without a question, and its entries go on behind
        them. 0 where it goes elsewhere."""
        for ahead in range(1, _MOST_MISSING):
            if place + ahead >= len(self.kept) or place == 0 or self._turns(place - 1, place + ahead - 1):
                return 0
            if self.keys[place + ahead] == self.wanted[number]:
                following = [*self.keys[place + ahead : place + ahead + _SURE]]
                logged = [*self.wanted[number : number + len(following)]]
                return ahead if following[: len(logged)] == logged else 0
        return 0

    def _turns(self, before: int, last: int) -> bool:
        """Whether the path from one kept step to another is decided on the way."""
        return any(step.turns for step in self.steps[self.kept[before].number : self.kept[last].number])

    def _flow(self, place: int, number: int) -> Difference:
        """The step that goes elsewhere: the first on the way to the next kept step that asks a question, or else the last that
        agrees."""
        before = self.kept[place - 1].number if place else 0
        last = self.kept[place].number if place < len(self.kept) else len(self.steps)
        turning = next((step.number for step in self.steps[before:last] if step.turns), before)
        return Difference(FLOW if place < len(self.kept) else END, turning, number)
