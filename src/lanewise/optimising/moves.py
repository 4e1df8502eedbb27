"""Moves that an operand table can express: what may go, and what the items that are left read instead.

unreachable   no path leads there
dead          nothing reads the result, or a part of it
into          a result is read through another form of the items that read it: copies, products that are added
twice         a result that is in a register already
moved         a result that is only copied is written where it goes
known         a result of constants is a constant
joined        two neighbours are issued together
"""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.graph import dataflow
from lanewise.graph.dataflow import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from typing import Any

    from lanewise.optimising.operands import Facts, Into, Layout, Operands

Item = TypeVar("Item")


class Edit(Record, Generic[Item]):
    """Items that go, by their places, and items in place of others."""

    removed: tuple[int, ...] = ()
    replaced: tuple[tuple[int, Item], ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        return (*self.removed, *[place for place, _ in self.replaced])


class Candidate(Record, Generic[Item]):
    """An edit, the place that it is about, why it may be done and how to do it by hand."""

    place: int
    reason: str
    fix: str
    edit: Edit[Item]


class Move(Record, Generic[Item]):
    """A row: a name, a title for a report, the code of its hints, and the function that finds its candidates."""

    name: str
    title: str
    code: str
    find: Callable[[Program[Item]], Iterator[Candidate[Item]]]


class Program(Generic[Item]):
    """Items with what the table says of them: computed once for each version of a program."""

    def __init__(self, items: Sequence[Item], table: Operands[Item]) -> None:
        self.items, self.table = tuple(items), table
        self.facts: list[Facts] = [table.facts(item) for item in items]
        self.layout: Layout = table.layout(items)
        self._live: list[int] | None = None
        self.reached = {place for number in self._reached() for place in self.layout.nodes[number]}

    @property
    def live(self) -> list[int]:
        """The components that are needed after each item; none where no path leads."""
        if self._live is None:
            self._live = self.needed(self.facts)
        return self._live

    def edited(self, edit: Edit[Item]) -> Program[Item]:
        """The program after an edit. Places change where items go."""
        replaced, removed = dict(edit.replaced), set(edit.removed)
        return Program([replaced.get(n, item) for n, item in enumerate(self.items) if n not in removed], self.table)

    def unneeded(self, place: int, replaced: Mapping[int, Item]) -> bool:
        """Whether nothing reads an item's result once others are replaced."""
        facts = list(self.facts)
        for n, item in replaced.items():
            facts[n] = self.table.facts(item)
        return not facts[place].effect and not facts[place].writes & self.needed(facts)[place]

    def available(self, wanted: Mapping[int, int], *, going: bool = False) -> list[int]:
        """By place: the items whose results, and what they were computed from, are unchanged there, as bits.

        `wanted` are the items by their places, each with its bit. `going`: they go, so that what they write over is there too.
        """
        by_component: dict[int, int] = {}
        for place, bit in wanted.items():
            for component in _members(self.facts[place].reads | self.facts[place].writes):
                by_component[component] = by_component.get(component, 0) | 1 << bit
        steps: list[Step] = []
        for place, facts in enumerate(self.facts):
            gone = 0
            for component in _members(facts.writes):
                gone |= by_component.get(component, 0)
            bit = wanted.get(place)
            comes = bit is not None and facts.writes == facts.surely and (going or not facts.writes & facts.reads)
            steps.append(Step(~gone, 1 << bit if bit is not None and comes else 0))
        nodes, found = self.layout.nodes, [0] * len(self.items)
        starts = dataflow.forward(self.layout.flow, nodes, steps.__getitem__, {0: 0}, must=True)
        for _, place, value in dataflow.before(nodes, starts, steps.__getitem__):
            found[place] = value if place in self.reached else 0
        return found

    def needed(self, facts: Sequence[Facts]) -> list[int]:
        """The components that are needed after each item, of items that do what `facts` says."""
        steps = [Step(~each.surely, each.reads if each.effect or each.writes else 0) for each in facts]
        nodes, found = self.layout.nodes, [0] * len(self.items)
        values = dataflow.backward(self.layout.flow, nodes, steps.__getitem__, self.layout.ends)
        for _, place, value in dataflow.after(nodes, values, steps.__getitem__):
            found[place] = value
        return found

    def _reached(self) -> set[int]:
        found, waiting = {0}, [0]
        while waiting:
            for target in self.layout.flow.successors[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found


def _members(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length()
        bits ^= low


def unreachable(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Items that no path leads to, those together that lie behind one another."""
    gone = [n for n in range(len(program.items)) if n not in program.reached and not _stays(program, n)]
    if gone:
        yield Candidate(gone[0], "no path leads here", "remove it", Edit(tuple(gone)))


def _stays(program: Program[Item], place: int) -> bool:
    """Whether an item is part of the structure of the program, or outside of it."""
    facts = program.facts[place]
    return facts.effect and not facts.writes and not facts.reads


def dead(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Results that nothing reads, and components of results, those too that only such items read."""
    table, facts = program.table, list(program.facts)
    needless: dict[int, Item | None] = {}  # by place: what is left of an item
    again = True
    while again:
        again = False
        live = program.needed(facts)
        for place, each in enumerate(facts):
            needed = each.writes & live[place]
            gone = place in needless and needless[place] is None
            if each.effect or place not in program.reached or gone or (needed and needed == each.writes):
                continue
            item = needless.get(place) or program.items[place]
            found = table.narrowed(item, live[place]) if needed else None
            if not needed or found is not None:
                needless[place], again = found, True
                facts[place] = (
                    table.facts(found) if found is not None else each._replace(writes=0, surely=0, sources=(), others=0)
                )
    for place, found in needless.items():
        text = table.text(program.items[place])
        if found is None:
            yield Candidate(place, f"nothing reads the result of `{text}`", "remove it", Edit((place,)))
        else:
            fix = f"write `{table.text(found)}`"
            yield Candidate(place, f"nothing reads all components of `{text}`", fix, Edit((), ((place, found),)))


def into(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Results that the items that read them can have in another form, by the rules `into` of the table."""
    table = program.table
    for rule in table.into:
        reasons = {
            place: reason
            for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True))
            if not facts.effect and place in program.reached and (reason := rule.reason(item)) is not None
        }
        available = program.available({place: bit for bit, place in enumerate(reasons)}, going=True)
        for bit, (place, reason) in enumerate(reasons.items()):
            replaced = _substituted(program, rule, place, bit, available)
            facts = program.facts[place]
            # where an item writes what it reads, its readers read that register as before: the proof decides
            if replaced and (facts.writes & facts.reads or program.unneeded(place, replaced)):
                yield Candidate(place, reason, rule.fix, Edit((place,), tuple(replaced.items())))


def _substituted(program: Program[Item], rule: Into[Item], place: int, bit: int, available: Sequence[int]) -> dict[int, Item]:
    """The items that read a result, with a rule applied to them; empty where one cannot have it."""
    first, written = program.items[place], program.facts[place].writes
    replaced: dict[int, Item] = {}
    for n, facts in enumerate(program.facts):
        if not facts.reads & written or not available[n] >> bit & 1:
            continue
        item = program.items[n]
        for source in range(len(facts.sources)):
            if program.table.facts(item).sources[source : source + 1] and facts.sources[source] & written:
                found = rule.item(first, item, source)
                if found is None:
                    return {}
                item = found
        if item is program.items[n]:
            return {}
        replaced[n] = item
    return replaced


def twice(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Results that are in a register already: the item goes, or is a copy that goes too."""
    table = program.table
    values: dict[int, Hashable] = {}
    for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        if not facts.effect and place in program.reached and (value := table.value(item)) is not None:
            values[place] = value
    bits = {place: bit for bit, place in enumerate(values)}
    available = program.available(bits)
    groups: dict[Hashable, list[int]] = {}
    for place, value in values.items():
        groups.setdefault(value, []).append(place)
    for group in groups.values():
        for place in group:
            found = next((first for first in group if first != place and available[place] >> bits[first] & 1), None)
            if found is not None:
                yield from _once(program, found, place)


def _once(program: Program[Item], first: int, place: int) -> Iterator[Candidate[Item]]:
    table, item = program.table, program.items[place]
    reason = f"`{table.text(program.items[first])}` has computed the value of `{table.text(item)}`"
    if table.settled(program.items[first], item):
        yield Candidate(place, reason, "remove it", Edit((place,)))
        return
    copy = table.copy_of(program.items[first], item)
    if copy is None:
        return
    copied = Program([copy if n == place else each for n, each in enumerate(program.items)], table)
    replaced = _instead(copied, copy, place)
    if replaced:
        yield Candidate(place, reason, "remove it, and read that result", Edit((place,), tuple(replaced.items())))


def _instead(program: Program[Item], copy: Item, place: int) -> dict[int, Item]:
    """The items that read a copy, with what it copies in its place; empty where one cannot have it."""
    available = program.available({place: 0})
    for rule in program.table.into:
        replaced = _substituted(program, rule, place, 0, available) if rule.reason(copy) is not None else {}
        if replaced and program.unneeded(place, replaced):
            return replaced
    return {}


def moved(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Results that are only copied: each item that makes a part of them writes where they go."""
    table = program.table
    for places in program.layout.nodes:
        for at, place in enumerate(places):
            copy, facts = program.items[place], program.facts[place]
            if facts.effect or len(facts.sources) != 1 or facts.writes != facts.surely or place not in program.reached:
                continue
            missing, replaced, between = facts.sources[0], dict[int, Item](), 0
            for n in reversed(places[:at]):
                each = program.facts[n]
                if each.writes & missing:
                    item = table.moved(program.items[n], copy) if each.writes == each.surely else None
                    if item is None or table.facts(item).writes & between:
                        break
                    replaced[n], missing = item, missing & ~each.writes
                    if not missing:
                        break
                elif each.reads & facts.sources[0]:
                    break
                between |= each.writes | each.reads
                if each.effect:
                    break
            if not missing and replaced and not facts.sources[0] & ~facts.surely & program.live[place]:
                names = " and ".join([f"`{table.text(item)}`" for item in replaced.values()])
                yield Candidate(
                    place,
                    f"what `{table.text(copy)}` reads is only copied",
                    f"write {names}, and remove the copy",
                    Edit((place,), tuple(replaced.items())),
                )


def known(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Results of constants: the item goes, and what read it reads a constant; or a cheaper copy of one takes its place."""
    table = program.table
    for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        found = None if facts.effect or place not in program.reached else table.known(program.items, item)
        if found is None:
            continue
        copy, others = found
        reason = f"`{table.text(item)}` computes with constants only"
        after = dict(others)
        copied = Program([copy if n == place else after.get(n, each) for n, each in enumerate(program.items)], table)
        read = _instead(copied, copy, place)
        if read:
            yield Candidate(place, reason, "remove it, and read a constant", Edit((place,), (*others, *read.items())))
        else:
            yield Candidate(place, reason, f"write `{table.text(copy)}`", Edit((), ((place, copy), *others)))


def joined(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Neighbours of which neither needs the result of the other, where the machine issues two items together."""
    table = program.table
    for places in program.layout.nodes:
        for first, second in pairwise(places):
            one, other = program.facts[first], program.facts[second]
            if one.effect or other.effect or one.writes & (other.reads | other.writes):
                continue
            item = table.joined(program.items[first], program.items[second])
            if item is not None:
                yield Candidate(
                    second,
                    f"`{table.text(program.items[second])}` can be issued with `{table.text(program.items[first])}`",
                    f"write `{table.text(item)}`",
                    Edit((), ((second, item),)),
                )


MOVES: tuple[Move[Any], ...] = (
    Move("known", "results of constants", "H106", known),
    Move("unreachable", "code that no path leads to", "H101", unreachable),
    Move("dead", "results without a reader", "H102", dead),
    Move("into", "results that their readers can compute", "H103", into),
    Move("twice", "values computed twice", "H104", twice),
    Move("moved", "results that are only copied", "H105", moved),
    Move("joined", "instructions that are issued together", "H108", joined),
)


__all__ = ["MOVES", "Candidate", "Edit", "Move", "Program"]
