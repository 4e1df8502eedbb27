"""Moves that an operand table can express: what may go, and what the items that are left read instead.

unreachable   no path leads there
dead          nothing reads the result, or a part of it
into          a result is read through another form of the items that read it: copies, products that are added
twice         a result that is in a register already, or that a free register can keep
moved         a result that is only copied is written where it goes
known         a result of constants is a constant
parted        a vector that copies fill is computed in parts, each from what its copy reads
merged        parts of a vector that are computed alike are computed together
shared        a product that a sum computes with it is computed once
beside        the rest of a vector is written beside the part that is copied into it
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
_NEAR = 24  # items that are looked at after one


class Edit(Record, Generic[Item]):
    """Items that go, by their places, and items in place of others, there or before another item."""

    removed: tuple[int, ...] = ()
    replaced: tuple[tuple[int, Item], ...] = ()
    carried: tuple[tuple[int, int, Item], ...] = ()
    "Items that go elsewhere: the place, that of the item before which it goes, and what it is there."

    @property
    def places(self) -> tuple[int, ...]:
        elsewhere = [place for carried in self.carried for place in carried[:2]]
        return (*self.removed, *[place for place, _ in self.replaced], *elsewhere)

    def done(self, items: Sequence[Item]) -> Iterator[tuple[int, Item]]:
        """The items of a program after the edit, each with the place where it has been."""
        replaced, away = dict(self.replaced), {*self.removed, *[place for place, _, _ in self.carried]}
        for n, item in enumerate(items):
            yield from [(place, each) for place, before, each in self.carried if before == n]
            if n not in away:
                yield n, replaced.get(n, item)


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

    items: tuple[Item, ...]
    table: Operands[Item]
    reached: set[int]

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
        return Program([item for _, item in edit.done(self.items)], self.table)

    def then(
        self, first: Edit[Item], find: Callable[[Program[Item]], Iterator[Candidate[Item]]], place: int
    ) -> Iterator[Edit[Item]]:
        """An edit with another after it, of those that a move finds about the item that has been at a place."""
        after = [*first.done(self.items)]
        program = Program([item for _, item in after], self.table)
        for candidate in find(program):
            if after[candidate.place][0] != place:
                continue
            carried = {each for each, _, _ in first.carried} | {after[each][0] for each, _, _ in candidate.edit.carried}
            left = [(after[n][0], item) for n, item in candidate.edit.done(program.items)]
            removed = {*range(len(self.items))} - {each for each, _ in left}
            replaced = [(each, item) for each, item in left if item is not self.items[each] and each not in carried]
            stays = [next((each for each, _ in left[n:] if each not in carried), -1) for n in range(len(left))]
            elsewhere = [(each, before, item) for (each, item), before in zip(left, stays, strict=True) if each in carried]
            yield Edit(tuple(sorted(removed)), tuple(replaced), tuple(elsewhere))

    def block(self, place: int) -> Sequence[int]:
        """The places of the basic block that has a place."""
        return next(places for places in self.layout.nodes if place in places)

    def unneeded(self, place: int, replaced: Mapping[int, Item]) -> bool:
        """Whether nothing reads an item's result once others are replaced."""
        facts = list(self.facts)
        for n, item in replaced.items():
            facts[n] = self.table.facts(item)
        return not facts[place].effect and not facts[place].writes & self.needed(facts)[place]

    def available(self, wanted: Mapping[int, int], *, going: bool = False, kept: bool = False) -> list[int]:
        """By place: the items whose results, and what they were computed from, are unchanged there, as bits.

        `wanted` are the items by their places, each with its bit. `going`: they go, so that what they write over is there too.
        `kept`: their results are elsewhere too, and may change.
        """
        by_component: dict[int, int] = {}
        for place, bit in wanted.items():
            for component in _members(self.facts[place].reads | (0 if kept else self.facts[place].writes)):
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
    available, kept = program.available(bits), program.available(bits, kept=True)
    groups: dict[Hashable, list[int]] = {}
    for place, value in values.items():
        groups.setdefault(value, []).append(place)
    for group in groups.values():
        for place in group:
            found = next((first for first in group if first != place and available[place] >> bits[first] & 1), None)
            if found is not None:
                yield from _once(program, found, place)
                continue
            found = next((first for first in group if first != place and kept[place] >> bits[first] & 1), None)
            if found is not None:
                yield from _kept(program, found, place)


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


def _kept(program: Program[Item], first: int, place: int) -> Iterator[Candidate[Item]]:
    """A result that something else overwrites before it is computed again, in registers that nothing uses."""
    table, item, again = program.table, program.items[first], program.items[place]
    replaced = _spared(program, first)
    copy = table.copy_of(replaced[first], again) if replaced else None
    if copy is None:
        return
    after = Program([copy if n == place else replaced.get(n, each) for n, each in enumerate(program.items)], table)
    read = _instead(after, copy, place)
    if read:
        yield Candidate(
            place,
            f"`{table.text(item)}` has computed the value of `{table.text(again)}`, and a free register can keep it",
            f"write `{table.text(replaced[first])}`, and read that result in both places",
            Edit((place,), tuple({**replaced, **read}.items())),
        )


def _spared(program: Program[Item], place: int) -> dict[int, Item]:
    """An item that leaves its result in registers that nothing uses, and those that read it, by their places; empty where one
    cannot."""
    table, item = program.table, program.items[place]
    copy = table.spare(program.items, item)
    elsewhere = None if copy is None else table.moved(item, copy)
    back = None if elsewhere is None else table.copy_of(elsewhere, item)
    if elsewhere is None or back is None:
        return {}
    read = _instead(Program([back if n == place else each for n, each in enumerate(program.items)], table), back, place)
    return {place: elsewhere, **read} if read else {}


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


def merged(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Items that compute parts of one vector in the same way, and can do it in one place."""
    table = program.table
    for places in program.layout.nodes:
        for n, first in enumerate(places):
            for second in places[n + 1 : n + 1 + _NEAR]:
                one, other = program.facts[first], program.facts[second]
                surely = one.writes == one.surely and other.writes == other.surely
                if one.effect or other.effect or one.writes & other.reads or not surely:
                    continue
                for gone, stays in ((second, first), (first, second)):
                    facts = program.facts[gone]
                    between = program.facts[first + 1 : second]
                    if not any(each.writes & facts.reads for each in between):
                        edit = _merged(program, (first, second), gone, stays)
                        if edit is not None:
                            yield Candidate(
                                second,
                                f"`{table.text(program.items[second])}` does what `{table.text(program.items[first])}` does",
                                f"write `{table.text(dict(edit.replaced)[stays])}`, and read that result",
                                edit,
                            )
                            break


def _merged(program: Program[Item], places: tuple[int, int], gone: int, stays: int) -> Edit[Item] | None:
    """The edit by which one item computes what two do: in their registers where these allow it, else in others."""
    table, (first, second) = program.table, places
    item = table.merged(program.items[first], program.items[second])
    facts, between = program.facts[gone], program.facts[first + 1 : second]
    if item is not None and not any(each.writes & facts.writes or each.reads & facts.writes for each in between):
        return Edit((gone,), ((stays, item),))
    found = table.alike(program.items, program.items[first], program.items[second])
    if found is None or (stays == second and any(each.reads & program.facts[first].writes for each in between)):
        return None
    item, *copies = found
    replaced: dict[int, Item] = {}
    for place, copy in zip(places, copies, strict=True):
        now = {**dict(zip(places, copies, strict=True)), **replaced}
        read = _instead(Program([now.get(n, each) for n, each in enumerate(program.items)], table), copy, place)
        if not read or read.keys() & {*places}:
            return None
        replaced.update(read)
    return Edit((gone,), ((stays, item), *replaced.items()))


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


def parted(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Items of which copies fill a source, each a part: the parts are computed one by one, each from what its copy reads."""
    table = program.table
    for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        if facts.effect or facts.writes != facts.surely or place not in program.reached:
            continue
        for n, bits in enumerate(facts.sources):
            makers = _makers(program, place, bits)
            if len(makers) < 2 or any(each & bits for k, each in enumerate((*facts.sources, facts.others)) if k != n):
                continue
            copies = {at: part for at, got in makers.items() if (part := _part(program, item, n, at, got)) is not None}
            left = sum([got for at, got in makers.items() if at not in copies])
            whole = table.part(item, n, left) if left else None
            if not copies or (left and whole is None):
                continue
            rest = {max(at for at in makers if at not in copies): whole} if whole is not None else {}
            *others, last = [*sorted(copies), *rest]
            parts = {**copies, **rest}
            reason = f"copies fill an operand of `{table.text(item)}`"
            fix = "write " + " and ".join([f"`{table.text(parts[at])}`" for at in sorted(parts)]) + ", and remove the copies"
            carried = tuple([(at, place, parts[at]) for at in others])
            edit = Edit((last,) if last in copies else (), ((place, parts[last]),), carried)
            if not rest:
                yield Candidate(place, reason, fix, edit)
                continue
            for at in others:  # one more item in all, unless a part goes
                for found in [found for find in (into, beside) for found in program.then(edit, find, at)]:
                    yield Candidate(place, reason, fix, found)


def _makers(program: Program[Item], place: int, bits: int) -> dict[int, int]:
    """The items before a place in its block that write components for it only, with what each has written; empty where others
    read them or change what they read, and where a component is from elsewhere."""
    found: dict[int, int] = {}
    block = program.block(place)
    missing, read, written = bits, 0, 0
    if program.live[place] & bits & ~program.facts[place].surely:
        return {}
    for n in reversed(range(block[0], place)):
        facts = program.facts[n]
        if got := facts.writes & missing:
            changed = written & facts.reads and any(rule.reason(program.items[n]) for rule in program.table.into)
            if facts.writes & ~got or facts.writes != facts.surely or facts.effect or changed or read & got:
                return {}
            found[n], missing = got, missing & ~got
            if not missing:
                return found
        read, written = read | facts.reads, written | facts.writes
    return {}


def _part(program: Program[Item], item: Item, n: int, at: int, got: int) -> Item | None:
    """The part of an item that reads of its source `n` what the copy at a place writes, with what that reads instead."""
    copy, part = program.items[at], program.table.part(item, n, got)
    if part is None:
        return None
    forms = (rule.item(copy, part, n) for rule in program.table.into if rule.reason(copy) is not None)
    return next((each for each in forms if each is not None), None)


def shared(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Products inside sums that are computed alone too: once, where the sum needs no copy of a factor then."""
    table = program.table
    values: dict[Hashable, list[int]] = {}
    for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        if not facts.effect and place in program.reached and (value := table.value(item)) is not None:
            values.setdefault(value, []).append(place)
    for place, (item, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        found = table.unfused(program.items, item) if place in program.reached and not facts.effect else None
        if found is None:
            continue
        product, rest = found
        gone: list[int] = []
        for n, bits in enumerate(facts.sources):
            makers = _makers(program, place, bits) if bits else {}
            if len(makers) == 1 and n < len(table.facts(product).sources):
                (at,) = makers
                forms = [rule.item(program.items[at], product, n) for rule in table.into if rule.reason(program.items[at])]
                product = next((each for each in forms if each is not None and at not in gone), product)
                gone += [at] if any(each is not None for each in forms) else []
        for other in values.get(table.value(product), ()) if gone else ():
            yield from _shared(program, (place, other), (product, rest), gone)


def _shared(
    program: Program[Item], places: tuple[int, int], forms: tuple[Item, Item], gone: Sequence[int]
) -> Iterator[Candidate[Item]]:
    """The product in place of another, before its sum. `places` are those of the sum and of the other product."""
    table, (place, other), (product, rest) = program.table, places, forms
    wide = table.widened(product, program.items[other])
    copy = None if wide is None else table.copy_of(wide, program.items[other])
    if wide is None or copy is None or other < place:
        return
    after = Program([wide if n == place else copy if n == other else each for n, each in enumerate(program.items)], table)
    read = _instead(after, copy, other)
    if read and after.available({place: 0})[other] & 1:
        yield Candidate(
            other,
            f"`{table.text(program.items[place])}` computes the value of `{table.text(program.items[other])}` too",
            f"write `{table.text(wide)}` and `{table.text(rest)}`, and read that result",
            Edit(tuple(gone), ((place, rest), *read.items()), ((other, place, wide),)),
        )


def beside(program: Program[Item]) -> Iterator[Candidate[Item]]:
    """Copies of parts of vectors: the rest is written beside what the copy reads, just before it is read."""
    table = program.table
    for place, (copy, facts) in enumerate(zip(program.items, program.facts, strict=True)):
        if facts.effect or len(facts.sources) != 1 or place not in program.reached or facts.writes != facts.surely:
            continue
        for rule in [rule for rule in table.into if rule.reason(copy) is not None]:
            block = program.block(place)
            for other in block:
                found = None if program.facts[other].effect else table.beside(copy, program.items[other])
                if found is not None and other != place:
                    edit = _beside(program, rule, (place, other), found)
                    if edit is not None:
                        yield Candidate(
                            place,
                            f"`{table.text(copy)}` copies a part of a vector, of which `{table.text(program.items[other])}` "
                            "is the rest",
                            f"write `{table.text(found[0])}` before the vector is read, and remove the copy",
                            edit,
                        )


def _beside(program: Program[Item], rule: Into[Item], places: tuple[int, int], forms: tuple[Item, Item]) -> Edit[Item] | None:
    """The edit for a copy and the item that has the rest, `places`; `forms` are that item beside what is copied, and a copy of
    both."""
    table, (place, other), (rest, whole) = program.table, places, forms
    block, both, replaced = program.block(place), table.facts(whole), dict[int, Item]()
    uses = _uses(program, other, block)
    last = max([*uses, *_uses(program, place, block)], default=0)
    if not uses or uses[0] < place:
        return None
    now = program
    for n in range(min(place, other) + 1, last):
        facts = now.facts[n]
        kept = facts.writes & program.facts[place].sources[0] if n > place else 0
        kept |= facts.writes & program.facts[other].reads if other < n < uses[0] else 0
        kept |= facts.writes & both.reads if n >= uses[0] else 0
        if kept and n not in places:  # it overwrites what is needed
            spared = _spared(now, n)
            if not spared:
                return None
            replaced.update(spared)
            now = Program([spared.get(k, item) for k, item in enumerate(now.items)], table)
    for n in _uses(now, place, block):
        if n < uses[0] and n != other:
            item = now.items[n]
            for source, bits in enumerate(now.facts[n].sources):
                found = rule.item(program.items[place], item, source) if bits & program.facts[place].writes else item
                if found is None:
                    return None
                item = found
            replaced[n] = item
    edit: Edit[Item] = Edit((place,), tuple(replaced.items()), ((other, uses[0], whole),))
    after = [*edit.done(program.items)]
    read = _instead(after_edit := program.edited(edit), whole, at := [n for n, _ in after].index(other))
    if not read or after_edit.live[at] & table.facts(rest).writes:
        return None
    replaced.update({after[n][0]: item for n, item in read.items()})
    return Edit((place,), tuple(replaced.items()), ((other, uses[0], rest),))


def _uses(program: Program[Item], place: int, block: Sequence[int]) -> list[int]:
    """The places in a block that read a result; empty where it is read elsewhere too."""
    found: list[int] = []
    left = program.facts[place].writes
    for n in range(place + 1, block[-1] + 1):
        facts = program.facts[n]
        if facts.reads & left:
            found.append(n)
        left &= ~facts.surely
    return [] if left & program.live[block[-1]] else found


MOVES: tuple[Move[Any], ...] = (
    Move("known", "results of constants", "H106", known),
    Move("unreachable", "code that no path leads to", "H101", unreachable),
    Move("dead", "results without a reader", "H102", dead),
    Move("into", "results that their readers can compute", "H103", into),
    Move("twice", "values computed twice", "H104", twice),
    Move("moved", "results that are only copied", "H105", moved),
    Move("parted", "vectors that copies fill", "H109", parted),
    Move("merged", "parts of vectors that are computed alike", "H111", merged),
    Move("shared", "products that sums compute too", "H104", shared),
    Move("beside", "parts of vectors that are copied", "H110", beside),
    Move("joined", "instructions that are issued together", "H108", joined),
)


__all__ = ["MOVES", "Candidate", "Edit", "Move", "Program"]
