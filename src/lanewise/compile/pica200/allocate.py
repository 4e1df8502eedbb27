"""Registers for cells: 16 temporaries of four components, and the components of outputs.

The cells that an instruction writes, and those that it reads by one source, are in one register: a group. A copy whose two
cells do not hold different values at one time makes them one cell. Groups share a register where their cells are not needed at
the same time, or take different components.
"""

from __future__ import annotations

from lanewise.compile.pica200.empty import without_empty
from lanewise.compile.pica200.fit import Fit
from lanewise.compile.pica200.groups import Groups, coloured
from lanewise.compile.pica200.liveness import Liveness
from lanewise.compile.pica200.machine import LANES, ZERO, Inst, Part
from lanewise.compile.pica200.outputs import share_constants, write_outputs
from lanewise.core.bits import bit_numbers
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.pica200.groups import Home


class Allocation:
    """Instructions with a register and component for each cell; `homes` is None where 16 temporaries are not enough."""

    insts: list[Inst]
    homes: dict[int, Home] | None
    groups: Groups
    live: Liveness

    def __init__(self, insts: list[Inst], homes: dict[int, Home] | None, groups: Groups, live: Liveness) -> None:
        self.insts, self.homes, self.groups, self.live = insts, homes, groups, live

    def home(self, cell: int) -> Home:
        assert self.homes is not None
        return self.homes[self.groups.cell(cell)]


def allocate(
    insts: list[Inst],
    new_cell: Callable[[], int],
    outputs: dict[int, Home],
    always: int,
    cells: Callable[[], int],
    names: dict[int, int],
) -> Allocation:
    """Give cells registers. `outputs` are the cells that are components of outputs; `cells` is how many cells there are.

    `names` takes the cells that cells have become.
    """
    insts = _initialised(insts, new_cell, always)
    while True:
        live = Liveness(insts, always)
        insts, removed = _without_dead(insts, live, outputs)
        if removed or write_outputs(insts, outputs, names):
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
        if share_constants(insts, outputs, new_cell):
            continue
        changed = _join_sources(insts, groups, new_cell)
        if changed is None:
            break
        insts = changed
    united = _unite_copies(insts, groups, pinned=True)
    _rename(names, united)
    insts = _without_idle(insts, united)
    return Allocation(insts, coloured(insts, groups), groups, live)


def _rename(names: dict[int, int], more: Mapping[int, int]) -> None:
    names.update({old: new for old, new in more.items() if old != new})


def _initialised(insts: list[Inst], new_cell: Callable[[], int], always: int) -> list[Inst]:
    """With zeros for cells that may be read before they are written: their values do not matter."""
    live = Liveness(insts, always)
    missing = list(bit_numbers(live.before[0])) if insts else []
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


def _groups(
    insts: Sequence[Inst], live: Liveness, outputs: dict[int, Home], count: int, new_cell: Callable[[], int]
) -> tuple[Groups, list[Inst] | None]:
    """The groups of cells that instructions write; and, where one register cannot hold what an instruction writes, instructions
    with that one by parts."""
    groups = Groups(count, outputs)
    for n, inst in enumerate(insts):
        copied = {cell: part.copied for cell, part in zip(inst.dst, inst.sources[0], strict=True)} if inst.op == "mov" else {}
        written = live.writes[n]
        for cell in inst.dst:
            others = (live.after[n] | written) & ~(1 << cell)
            if copied.get(cell, -1) >= 0:
                others &= ~(1 << copied[cell]) | written
            groups.against[cell] |= others
            for other in bit_numbers(others):
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


def _unite_copies(insts: Sequence[Inst], groups: Groups, *, pinned: bool = False) -> dict[int, int]:
    """Unite the cells of copies; `pinned`: those of copies that were needed, too. Returns the new cells by the old ones."""
    changed: set[int] = set()
    for inst in insts:
        if inst.op == "mov" and (pinned or not inst.pinned):
            for cell, part in zip(inst.dst, inst.sources[0], strict=True):
                source = part.copied
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
            lanes = [lane for lane, cell in enumerate(inst.dst) if inst.sources[0][lane].copied != cell]
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
