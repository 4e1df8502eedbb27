"""Registers for cells: 16 temporaries of four components, and the components of outputs.

The cells that an instruction writes, and those that it reads by one source, are in one register: a group. A copy whose two cells do not hold different values at one time
makes them one cell. Groups share a register where their cells are not needed at the same time, or take different components.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.pica200.fit import Fit
from lanewise.compile.pica200.lower import ZERO
from lanewise.compile.pica200.machine import BLOCKS, ELSE, END_FOR, END_IF, LABEL, LANES, Inst, Known, Part, successors
from lanewise.pica200.isa.program import Condition
from lanewise.pica200.isa.table import FLOAT, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.compile.pica200.machine import Source

TEMPORARIES = FLOAT - TEMPORARY
_COMPONENTS = 4
_LARGEST = 24  # cells of a group that is coloured; larger ones would take long
_TRIES = 4000  # assignments that are tried for one group

CONDITIONALS, JUMPS = ("ifc", "ifu"), ("jmpc", "jmpu")

Home = tuple[int, int]  # (register as in `Dest`, component)


class Liveness:
    """Which cells are needed after each instruction, as sets of bits."""

    def __init__(self, insts: Sequence[Inst], always: int) -> None:
        self.following = successors(list(insts), always)
        count = len(insts)
        self.reads = [_as_bits(inst.reads()) for inst in insts]
        self.writes = [_as_bits((*inst.dst, *inst.sets())) for inst in insts]
        self.before, self.after = [0] * (count + 1), [0] * count
        changed = True
        while changed:
            changed = False
            for n in range(count - 1, -1, -1):
                after = 0
                for following in self.following[n]:
                    after |= self.before[following]
                self.after[n] = after
                before = self.reads[n] | after & ~self.writes[n]
                if before != self.before[n]:
                    self.before[n] = before
                    changed = True


def _as_bits(cells: Iterable[int]) -> int:
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def bits(word: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


class Groups:
    """Cells that must be in one register, and which of them must not share a component."""

    def __init__(self, count: int, homes: dict[int, Home]) -> None:
        self.same = list(range(count))  # the cell that a cell has become
        self.against = [0] * count  # cells whose value is needed while this one's is
        self.leader = list(range(count))
        self.members = {cell: [cell] for cell in range(count)}
        self.homes = dict(homes)

    def cell(self, number: int) -> int:
        while self.same[number] != number:
            number = self.same[number]
        return number

    def group(self, number: int) -> int:
        number = self.cell(number)
        while self.leader[number] != number:
            number = self.leader[number]
        return number

    def conflict(self, a: int, b: int) -> None:
        self.against[a] |= 1 << b
        self.against[b] |= 1 << a

    def join(self, one: int, other: int) -> bool:
        """Make the groups of two cells one. False where four components are not enough."""
        a, b = self.group(one), self.group(other)
        if a == b:
            return True
        cells = self.members[a] + self.members[b]
        if a in self.homes or b in self.homes or not self.fits(cells):
            return False
        self.leader[b] = a
        self.members[a] = cells
        del self.members[b]
        return True

    def unite(self, one: int, other: int) -> bool:
        """Make two cells one. False where they hold different values at one time, or their groups do not fit together."""
        a, b = self.cell(one), self.cell(other)
        if a == b:
            return True
        if self.against[a] >> b & 1 or a in self.homes or b in self.homes:
            return False
        first, second = self.group(a), self.group(b)
        cells = self.members[first] + ([] if first == second else self.members[second])
        if any(cell in self.homes for cell in cells):
            return False
        saved = self.against[a]
        self.against[a] |= self.against[b]
        for other_cell in bits(self.against[b]):
            self.against[other_cell] |= 1 << a
        remaining = [cell for cell in cells if cell != b]
        if not self.fits(remaining):
            self.against[a] = saved
            for other_cell in bits(self.against[b] & ~saved):
                self.against[other_cell] &= ~(1 << a)
            return False
        self.same[b] = a
        if first != second:
            self.leader[second] = first
            del self.members[second]
        self.members[first] = remaining
        if b == first:  # the leader of a group stays one of its cells
            self.leader[b] = b
            leader = remaining[0]
            self.members[leader] = self.members.pop(first)
            self.leader[first] = leader
            self.leader[leader] = leader
            for cell in remaining:
                self.leader[cell] = leader
        return True

    def fits(self, cells: Sequence[int]) -> bool:
        """Whether four components are enough for cells."""
        if len(cells) <= _COMPONENTS:
            return True
        if len(cells) > _LARGEST:
            return False
        mask = sum(1 << cell for cell in cells)
        order = sorted(cells, key=lambda cell: -(self.against[cell] & mask).bit_count())
        colours = [0] * _COMPONENTS
        tries = [0]

        def place(n: int) -> bool:
            if n == len(order):
                return True
            tries[0] += 1
            if tries[0] > _TRIES:
                return False
            for colour in range(_COMPONENTS):
                if not self.against[order[n]] & colours[colour]:
                    colours[colour] |= 1 << order[n]
                    if place(n + 1):
                        return True
                    colours[colour] ^= 1 << order[n]
                    if not colours[colour]:  # an empty component is like the next one
                        break
            return False

        return place(0)


class Allocation:
    """Instructions with a register and component for each cell; `homes` is None where 16 temporaries are not enough."""

    def __init__(self, insts: list[Inst], homes: dict[int, Home] | None, groups: Groups, live: Liveness) -> None:
        self.insts, self.homes, self.groups, self.live = insts, homes, groups, live

    def home(self, cell: int) -> Home:
        assert self.homes is not None
        return self.homes[self.groups.cell(cell)]

    @property
    def temporaries(self) -> int:
        """How many temporaries are used."""
        return len({register for register, _ in (self.homes or {}).values() if register >= TEMPORARY})


def allocate(
    insts: list[Inst], new_cell: Callable[[], int], outputs: dict[int, Home], always: int, cells: Callable[[], int], names: dict[int, int]
) -> Allocation:  # fmt: skip
    """Give cells registers. `outputs` are the cells that are components of outputs; `cells` is how many cells there are.

    `names` takes the cells that cells have become.
    """
    insts = _initialised(insts, new_cell, always)
    while True:
        live = Liveness(insts, always)
        insts, removed = _without_dead(insts, live, outputs)
        if removed or _write_outputs(insts, outputs, names):
            insts = _without_idle(insts, {})
            continue
        groups, torn = _groups(insts, live, outputs, cells(), new_cell)
        if torn is not None:
            insts = torn
            continue
        united = _unite_copies(insts, groups)
        if united:
            _rename(names, united)
            insts = _without_idle(insts, united)
            continue
        if _share_constants(insts, outputs, new_cell):
            continue
        changed = _join_sources(insts, groups, new_cell)
        if changed is None:
            break
        insts = changed
    united = _unite_copies(insts, groups, pinned=True)
    _rename(names, united)
    insts = _without_idle(insts, united)
    return Allocation(insts, _colour(insts, groups), groups, live)


def _rename(names: dict[int, int], more: Mapping[int, int]) -> None:
    names.update({old: new for old, new in more.items() if old != new})


def _initialised(insts: list[Inst], new_cell: Callable[[], int], always: int) -> list[Inst]:
    """With zeros for cells that may be read before they are written: their values do not matter."""
    live = Liveness(insts, always)
    missing = list(bits(live.before[0])) if insts else []
    return [*[Inst("mov", (cell,), ((Part(ZERO),),)) for cell in missing], *insts]


def _without_dead(insts: list[Inst], live: Liveness, outputs: dict[int, Home]) -> tuple[list[Inst], bool]:
    """Without results that nothing reads."""
    kept: list[Inst] = []
    removed = False
    for n, inst in enumerate(insts):
        if inst.dst:
            lanes = [lane for lane, cell in enumerate(inst.dst) if cell in outputs or live.after[n] >> cell & 1]
            if len(lanes) < len(inst.dst):
                removed = True
                if not lanes:
                    continue
                inst.dst = tuple([inst.dst[lane] for lane in lanes])
                if inst.op in LANES:
                    inst.sources = [tuple([source[lane] for lane in lanes]) for source in inst.sources]
        if inst.sets() and not any(live.after[n] >> index & 1 for index in inst.sets()):
            removed = True
            continue
        kept.append(inst)
    without = without_empty(kept)
    return without, removed or len(without) < len(kept)


def without_empty(insts: Sequence[Inst]) -> list[Inst]:
    """Without blocks that do nothing, the comparisons that only they use, and jumps to the next word."""
    kept: list[Inst] = []
    for n, inst in enumerate(insts):
        kept.append(inst)
        while kept and _empty(kept, insts[n + 1 :]):
            pass
    targets = {inst.label for inst in kept if inst.op != LABEL}
    return [inst for inst in kept if inst.op != LABEL or inst.label in targets]


def _jumps_over(kept: Sequence[Inst], following: Sequence[Inst]) -> bool:
    """Whether a conditional jump leads around one that is always taken."""
    if len(kept) < 2 or kept[-1].op != "jmpu" or not following or following[0].op != LABEL:
        return False
    always = not kept[-1].inverted and kept[-1].pinned
    return always and kept[-2].op in JUMPS and not kept[-2].pinned and kept[-2].label == following[0].label


def without(condition: Condition | None) -> Condition | None:
    """The condition that holds where one does not."""
    if condition is None or condition.combine > 1:
        return condition and condition._replace(x=1 - condition.x)
    return Condition(1 - condition.combine, 1 - condition.x, 1 - condition.y)


def _empty(kept: list[Inst], following: Sequence[Inst]) -> bool:
    """Whether the last instructions did nothing, which then are removed."""
    last = kept[-1].op
    opened = len(kept) - 2
    while opened >= 0 and kept[opened].op == "nop":
        opened -= 1
    if last == ELSE and opened >= 0 and kept[opened].op == "ifc":
        kept[opened].condition = without(kept[opened].condition)
        del kept[opened + 1 :]
        return False
    if last == END_IF and opened >= 0 and kept[opened].op == ELSE:
        del kept[opened:-1]
        return True
    if (last == END_IF and opened >= 0 and kept[opened].op in CONDITIONALS) or (
        last == END_FOR and opened >= 0 and kept[opened].op == "for"
    ):
        del kept[opened:]
    elif _jumps_over(kept, following):
        jump = kept.pop()
        kept[-1].label = jump.label
        kept[-1].condition, kept[-1].inverted = without(kept[-1].condition), not kept[-1].inverted
        return False
    elif kept[-1].label and last != LABEL and following and following[0].op == LABEL and following[0].label == kept[-1].label:
        del kept[-1]
    else:
        return False
    if kept and kept[-1].op == "cmp":
        del kept[-1]
    return False


def _groups(
    insts: Sequence[Inst], live: Liveness, outputs: dict[int, Home], count: int, new_cell: Callable[[], int]
) -> tuple[Groups, list[Inst] | None]:
    """The groups of cells that instructions write; and, where one register cannot hold what an instruction writes, instructions with that one by parts."""
    groups = Groups(count, outputs)
    for n, inst in enumerate(insts):
        copied = {cell: _copied(part) for cell, part in zip(inst.dst, inst.sources[0], strict=True)} if inst.op == "mov" else {}
        written = live.writes[n]
        for cell in inst.dst:
            others = (live.after[n] | written) & ~(1 << cell)
            if copied.get(cell, -1) >= 0:
                others &= ~(1 << copied[cell]) | written
            groups.against[cell] |= others
            for other in bits(others):
                groups.against[other] |= 1 << cell
    for n, inst in enumerate(insts):
        apart = [
            lane for lane, cell in enumerate(inst.dst) if lane and cell not in outputs and not groups.join(inst.dst[0], cell)
        ]
        if apart:
            together = [lane for lane in range(len(inst.dst)) if lane not in apart]
            return groups, [*insts[:n], *_in_order(_lanes(inst, together), _lanes(inst, apart), new_cell), *insts[n + 1 :]]
    return groups, None


def _in_order(one: Inst, other: Inst, new_cell: Callable[[], int]) -> list[Inst]:
    """Two parts of an instruction such that the first writes nothing that the second reads."""
    lost = set(one.dst) & other.cells()
    if not lost:
        return [one, other]
    if not set(other.dst) & one.cells():
        return [other, one]
    names = {cell: new_cell() for cell in sorted(lost)}
    copies = [Inst("mov", (new,), ((Part(old),),), one.line, pinned=True) for old, new in names.items()]
    for copy in copies:
        copy.origin = _needed_by(one)
    other.sources = [tuple([renamed(part, names) for part in source]) for source in other.sources]
    return [*copies, one, other]


def _lanes(inst: Inst, lanes: Sequence[int]) -> Inst:
    """Some lanes of an instruction."""
    sources = tuple([tuple([source[lane] for lane in lanes]) for source in inst.sources])
    found = Inst(inst.op, tuple([inst.dst[lane] for lane in lanes]), sources, inst.line, pinned=inst.pinned)
    found.origin = inst.origin
    return found


def _needed_by(inst: Inst) -> int:
    """The origin of a copy that an instruction needs."""
    return -2 - inst.origin if inst.origin >= 0 else inst.origin


def _copied(part: Part) -> int:
    """The cell that a lane of a copy takes unchanged, or -1."""
    return part.what if isinstance(part.what, int) and not part.negated else -1


def _unite_copies(insts: Sequence[Inst], groups: Groups, *, pinned: bool = False) -> dict[int, int]:
    """Unite the cells of copies; `pinned`: those of copies that were needed, too. Returns the new cells by the old ones."""
    changed: set[int] = set()
    for inst in insts:
        if inst.op == "mov" and (pinned or not inst.pinned):
            for cell, part in zip(inst.dst, inst.sources[0], strict=True):
                source = _copied(part)
                if source >= 0 and groups.cell(source) != groups.cell(cell) and groups.unite(source, cell):
                    changed |= {source, cell}
    return {cell: groups.cell(cell) for inst in insts for cell in (*inst.dst, *inst.cells())} if changed else {}


def _without_idle(insts: Sequence[Inst], names: dict[int, int]) -> list[Inst]:
    """With the new names of cells, and without copies of a cell to itself."""
    kept: list[Inst] = []
    for inst in insts:
        inst.dst = tuple([names.get(cell, cell) for cell in inst.dst])
        inst.sources = [tuple([renamed(part, names) for part in source]) for source in inst.sources]
        if inst.op == "mov":
            lanes = [lane for lane, cell in enumerate(inst.dst) if _copied(inst.sources[0][lane]) != cell]
            if len(lanes) < len(inst.dst):
                inst.dst = tuple([inst.dst[lane] for lane in lanes])
                inst.sources = [tuple([inst.sources[0][lane] for lane in lanes])]
            if not lanes:
                continue
        kept.append(inst)
    return kept


def renamed(part: Part, names: dict[int, int]) -> Part:
    """A part with the new name of its cell. Offsets have been read into index registers before."""
    return Part(names[part.what], part.negated) if isinstance(part.what, int) and part.what in names else part


def _write_outputs(insts: Sequence[Inst], outputs: dict[int, Home], names: dict[int, int]) -> bool:
    """Write results to outputs where they are computed: where nothing else reads them, and each path writes them once.

    Also the paths on which the boolean that is true would be false: `check` does not know it.
    """
    following = successors(list(insts), -1)
    readers: dict[int, list[int]] = {}
    writers: dict[int, list[int]] = {}
    for n, inst in enumerate(insts):
        for cell in inst.cells():
            readers.setdefault(cell, []).append(n)
        for cell in inst.dst:
            writers.setdefault(cell, []).append(n)
    found = False
    for n in range(len(insts) - 1, -1, -1):
        inst = insts[n]
        if inst.op != "mov" or inst.dst[0] not in outputs:
            continue
        lanes: dict[int, list[int]] = {}  # by cell: the components that it is copied to
        for cell, part in zip(inst.dst, inst.sources[0], strict=True):
            if _copied(part) >= 0 and readers[_copied(part)] == [n]:
                lanes.setdefault(_copied(part), []).append(cell)
        if any(part.negated and part.what in lanes for part in inst.sources[0]):
            continue
        changed = True
        while changed:
            changed = False
            for cell in list(lanes):
                whole = {other for writer in writers[cell] for other in insts[writer].dst}
                spread = len(lanes[cell]) == 1 or whole == {cell}  # one result may be written to several components
                others = [writer for output in lanes[cell] for writer in writers[output] if writer != n]
                if not spread or not whole <= set(lanes) or not _once([*others, *writers[cell]], following):
                    del lanes[cell]
                    changed = True
        if lanes:
            for writer in {writer for cell in lanes for writer in writers[cell]}:
                _redirected(insts[writer], lanes)
            inst.dst, inst.sources = _remaining(inst, lanes)
            _rename(names, {cell: copies[0] for cell, copies in lanes.items()})
            for cell, copies in lanes.items():
                for output in copies:
                    writers[output] = [*[writer for writer in writers[output] if writer != n], *writers[cell]]
            found = True
    return found


def _redirected(inst: Inst, lanes: Mapping[int, Sequence[int]]) -> None:
    """Make an instruction write other cells; what is in several places is computed there, or is in all components of a result anyway."""
    if len(inst.dst) == 1:
        inst.dst = tuple(lanes[inst.dst[0]])
        if inst.op in LANES:
            inst.sources = [source * len(inst.dst) for source in inst.sources]
    else:
        inst.dst = tuple([lanes[cell][0] for cell in inst.dst])


def _remaining(inst: Inst, lanes: Mapping[int, Sequence[int]]) -> tuple[tuple[int, ...], list[Source]]:
    """The lanes of a copy that are not written where they are computed; a copy of a cell to itself if none is left."""
    (source,) = inst.sources
    kept = [(cell, part) for cell, part in zip(inst.dst, source, strict=True) if _copied(part) not in lanes]
    kept = kept or [(inst.dst[0], Part(inst.dst[0]))]
    return tuple([cell for cell, _ in kept]), [tuple([part for _, part in kept])]


def _share_constants(insts: list[Inst], outputs: dict[int, Home], new_cell: Callable[[], int]) -> bool:
    """Constants of outputs in copies that other lanes of the same output begin with: no copy of their own."""
    writes: dict[int, int] = {}
    for inst in insts:
        for cell in inst.dst:
            writes[cell] = writes.get(cell, 0) + 1
    depth = 0
    first: dict[int, Inst] = {}  # by cell: the copy of known numbers that it begins with
    taking: dict[int, tuple[Inst, Inst]] = {}  # by output: the copy that takes such cells, and that copy
    giving: dict[int, int] = {}  # by output: the copy of known numbers alone
    for n, inst in enumerate(insts):
        depth += (inst.op in BLOCKS) - (inst.op in (END_IF, END_FOR))
        if inst.label:
            return False
        if inst.op != "mov" or depth:
            continue
        (source,) = inst.sources
        known = all(isinstance(part.what, Known) for part in source)
        if inst.dst[0] not in outputs:
            first |= {cell: inst for cell in inst.dst if known and writes[cell] > 1}
        elif known:
            giving[outputs[inst.dst[0]][0]] = n
        else:
            whats = [part.what for part in source]
            copies = [first[what] for what in whats if isinstance(what, int) and what in first]
            if copies and all(_copied(part) >= 0 for part in source):
                taking[outputs[inst.dst[0]][0]] = inst, copies[0]
    for register, n in giving.items():
        taker, copy = taking.get(register, (None, None))
        source = insts[n].sources[0]
        if (
            taker is None
            or copy is None
            or len({*copy.sources[0], *source}) > _COMPONENTS
            or len(copy.dst) + len(source) > _COMPONENTS
        ):
            continue
        cells = tuple([new_cell() for _ in source])
        copy.dst, copy.sources = (*copy.dst, *cells), [(*copy.sources[0], *source)]
        taker.dst = (*taker.dst, *insts[n].dst)
        taker.sources = [(*taker.sources[0], *[Part(cell) for cell in cells])]
        del insts[n]
        return True
    return False


def _once(writers: Sequence[int], following: Sequence[tuple[int, ...]]) -> bool:
    """Whether no path has two of these instructions, or one twice."""
    wanted = set(writers)
    for start in writers:
        seen: set[int] = set()
        waiting = list(following[start])
        while waiting:
            n = waiting.pop()
            if n in seen or n >= len(following):
                continue
            if n in wanted:
                return False
            seen.add(n)
            waiting += following[n]
    return True


def _join_sources(insts: list[Inst], groups: Groups, new_cell: Callable[[], int]) -> list[Inst] | None:
    """Join the cells of each source; None where all could be, else the instructions with copies where they could not."""
    found: list[Inst] = []
    changed = False
    for inst in insts:
        parts = [inst]
        for number, source in enumerate(inst.sources):
            cells = [part.what for part in source if isinstance(part.what, int)]
            if not all(groups.join(cells[0], cell) for cell in cells[1:]):
                parts = _apart(inst, number, groups, new_cell)
                changed = True
                break
        found += parts
    return found if changed else None


def _apart(inst: Inst, number: int, groups: Groups, new_cell: Callable[[], int]) -> list[Inst]:
    """An instruction by lanes whose cells are in one group, or after copies of the cells of a source to new ones."""
    source = inst.sources[number]
    found = _by_lanes(inst, groups, len({groups.group(part.what) for part in source if isinstance(part.what, int)}))
    if found is not None:
        return found
    fitted = Fit(new_cell, share=False)
    by_group: dict[int, list[Part]] = {}
    for part in dict.fromkeys(source):
        assert isinstance(part.what, int)
        by_group.setdefault(groups.group(part.what), []).append(part)
    new: dict[Part, Part] = {}
    for parts in by_group.values():
        cells = tuple([new_cell() for _ in parts])
        plain = tuple([Part(part.what) for part in parts])
        fitted.insts.append(Inst("mov", cells, (plain,), inst.line, pinned=True))
        new |= {part: Part(cell, part.negated) for part, cell in zip(parts, cells, strict=True)}
    inst.sources[number] = tuple([new[part] for part in source])
    for copy in fitted.insts:
        copy.origin = _needed_by(inst)
    return [*fitted.insts, inst]


def _by_lanes(inst: Inst, groups: Groups, copies: int) -> list[Inst] | None:
    """The instruction split where its sources change groups; None where it cannot be, or so many `copies` are fewer."""
    if inst.op not in LANES:
        return None
    keys: list[tuple[int, ...]] = []
    for lane in range(len(inst.dst)):
        whats = [source[lane].what for source in inst.sources]
        keys.append(tuple([groups.group(what) for what in whats if isinstance(what, int)]))
    distinct = list(dict.fromkeys(keys))
    if len(distinct) < 2 or len(distinct) - 1 > copies:
        return None
    found: list[Inst] = []
    reads: list[set[int]] = []
    for key in distinct:
        lanes = [lane for lane, each in enumerate(keys) if each == key]
        found.append(_lanes(inst, lanes))
        reads.append(found[-1].cells())
    # No part may write what a later one reads.
    for first in range(len(found)):
        for later in range(first + 1, len(found)):
            if set(found[first].dst) & reads[later]:
                return None
    return found


def _colour(insts: Sequence[Inst], groups: Groups) -> dict[int, Home] | None:
    """A register and component for each cell that is used."""
    first: dict[int, int] = {}
    hint: dict[int, int] = {}
    for n, inst in enumerate(insts):
        for lane, cell in enumerate(inst.dst):
            first.setdefault(groups.cell(cell), n)
            hint.setdefault(groups.cell(cell), lane)
        for cell in inst.cells():
            first.setdefault(groups.cell(cell), n)
    members: dict[int, list[int]] = {}
    for cell in first:
        if cell not in groups.homes:
            members.setdefault(groups.group(cell), []).append(cell)
    every = list(members.values())

    def begin(cells: Sequence[int]) -> tuple[int, int]:
        return 0, min(first[cell] for cell in cells)

    def large(cells: Sequence[int]) -> tuple[int, int]:
        return -len(cells), begin(cells)[1]

    def crowded(cells: Sequence[int]) -> tuple[int, int]:
        return -sum(groups.against[cell].bit_count() for cell in cells), 0

    for order in (begin, large, crowded):
        found = _coloured(sorted(every, key=order), groups, hint)
        if found is not None:
            return found | groups.homes
    return None


def _coloured(every: Sequence[list[int]], groups: Groups, hint: dict[int, int]) -> dict[int, Home] | None:
    taken = [[0] * _COMPONENTS for _ in range(TEMPORARIES)]
    found: dict[int, Home] = {}
    for cells in every:
        order = sorted(cells, key=lambda cell: -groups.against[cell].bit_count())
        for register in range(TEMPORARIES):
            placed = _placed(order, taken[register], groups, hint)
            if placed is not None:
                for cell, component in placed.items():
                    found[cell] = TEMPORARY + register, component
                break
        else:
            return None
    return found


def _placed(order: Sequence[int], taken: list[int], groups: Groups, hint: dict[int, int]) -> dict[int, int] | None:
    """Components of a register for the cells of a group, beside those that are `taken`, which is changed where there are."""
    found: dict[int, int] = {}
    tries = [0]

    def place(n: int) -> bool:
        if n == len(order):
            return True
        tries[0] += 1
        if tries[0] > _TRIES:
            return False
        cell = order[n]
        wanted = hint.get(cell, 0) % _COMPONENTS
        for component in sorted(range(_COMPONENTS), key=lambda c: c != wanted):
            if not groups.against[cell] & taken[component]:
                taken[component] |= 1 << cell
                found[cell] = component
                if place(n + 1):
                    return True
                taken[component] ^= 1 << cell
                del found[cell]
        return False

    return found if place(0) else None
