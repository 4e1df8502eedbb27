"""Sources that fit the formats: one register and one sign a source, one wide source and one input an instruction, index
registers.

What lies in several registers is collected in a temporary, or the instruction is split by lanes. Cells count as one register
here; where they cannot be, `allocate` collects them.
"""

from __future__ import annotations

from lanewise.compile.pica200.conditions import MIRRORED
from lanewise.compile.pica200.machine import (
    BOTH,
    CONDITIONALS,
    ELSE,
    END_FOR,
    END_IF,
    LABEL,
    LANES,
    Fixed,
    Inst,
    Known,
    Part,
    bank,
    input_of,
    is_wide,
)
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BY_NAME, YES
from lanewise.pica200.isa.verify import wide_places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.machine import Source

_INDEX = (1, 2)  # a0.x, a0.y


class Fit:
    """Adds instructions that fit. `share`: copies of uniforms and constants are used again."""

    cell: Callable[[], int]
    share: bool

    def __init__(self, cell: Callable[[], int], *, share: bool = True) -> None:
        self.cell, self.share = cell, share
        self.insts: list[Inst] = []
        self.copies: dict[Part, int] = {}  # cells that hold inputs, uniforms and constants here
        self.mine: dict[Part, int] = {}  # cells that hold parts of the instruction that is being fitted
        self.offsets: dict[int, Part] = {}  # what a0.x and a0.y hold here
        self.saved: list[tuple[dict[Part, int], dict[int, Part]]] = []
        self.arrivals: dict[str, dict[Part, int]] = {}  # by label: the copies that all jumps to it have

    def all(self, insts: Sequence[Inst]) -> list[Inst]:
        for inst in insts:
            self._flow(inst)
            if inst.sources:
                self.fit(inst)
            else:
                self.insts.append(inst)
        return _with_both(self.insts)

    def _flow(self, inst: Inst) -> None:
        """Follow copies and index registers across the borders of blocks."""
        kind = inst.op
        if kind in CONDITIONALS:
            self.saved.append((dict(self.copies), dict(self.offsets)))
        elif kind == ELSE:
            self.copies, self.offsets = dict(self.saved[-1][0]), dict(self.saved[-1][1])
        elif kind == END_IF:
            self.copies, self.offsets = self.saved.pop()[0], {}
        elif kind == "for":
            self.offsets = {}
            self.saved.append((dict(self.copies), {}))
        elif kind == END_FOR:
            self.copies, self.offsets = self.saved.pop()[0], {}
        elif kind == LABEL:
            self.offsets = {}
            if inst.label in self.arrivals:
                known = self.arrivals[inst.label]
                self.copies = {part: cell for part, cell in self.copies.items() if known.get(part) == cell}
        elif inst.label:
            known = self.arrivals.setdefault(inst.label, dict(self.copies))
            self.arrivals[inst.label] = {part: cell for part, cell in known.items() if self.copies.get(part) == cell}

    def fit(self, inst: Inst) -> None:
        """Add an instruction, with what it needs before it."""
        for group in self._split(inst):
            self.mine = {}
            sources = [self._collected(source, inst) for source in group.sources]
            group.sources = sources
            self._few_inputs(group)
            self._one_wide(group)
            group.sources = [self._indexed(source, inst) for source in group.sources]
            self.insts.append(group)

    # Lanes

    def _split(self, inst: Inst) -> list[Inst]:
        """The instruction by lanes whose sources are in the same registers, where that takes no more words than to collect
        them."""
        if inst.op not in LANES or len(inst.dst) < 2:
            return [inst]
        keys = [tuple([bank(source[n]) for source in inst.sources]) for n in range(len(inst.dst))]
        distinct = list(dict.fromkeys(keys))
        if len(distinct) == 1:
            return [inst]
        collecting = 1
        for source in inst.sources:
            banks = {bank(part) for part in source}
            if len(banks) > 1:
                collecting += len(banks - {("cell", False)})
        if len(distinct) > collecting:
            return [inst]
        found: list[Inst] = []
        for key in distinct:
            lanes = [n for n in range(len(inst.dst)) if keys[n] == key]
            sources = tuple([tuple([source[n] for n in lanes]) for source in inst.sources])
            found.append(Inst(inst.op, tuple([inst.dst[n] for n in lanes]), sources, inst.line))
        return found

    def _collected(self, source: Source, inst: Inst) -> Source:
        """A source whose parts have one bank."""
        banks = list(dict.fromkeys([bank(part) for part in source]))
        if len(banks) == 1:
            return source
        cells: dict[Part, int] = {}
        for each in banks:
            if each != ("cell", False):
                cells |= self._copied([part for part in source if bank(part) == each], inst)
        return tuple([Part(cells[part]) if part in cells else part for part in source])

    def _copied(self, parts: Sequence[Part], inst: Inst) -> dict[Part, int]:
        """Cells that hold parts of one bank."""
        found: dict[Part, int] = {}
        new: list[Part] = []
        for part in dict.fromkeys(parts):
            known = self.copies.get(part) if self.share else None
            if known is None:
                known = self.mine.get(part)
            if known is None:
                new.append(part)
            else:
                found[part] = known
        for part in new:
            found[part] = self.mine[part] = self.cell()
            if not isinstance(part.what, int):  # cells of variables change
                self.copies[part] = found[part]
        if new:
            source = self._indexed(tuple(new), inst)
            self.insts.append(Inst("mov", tuple([found[part] for part in new]), (source,), inst.line))
        return found

    def _copy(self, source: Source, inst: Inst) -> Source:
        """A source as cells; its sign stays at the source."""
        negated = [part.negated for part in source]
        cells = self._copied([Part(part.what) for part in source], inst)
        return tuple([Part(cells[Part(part.what)], sign) for part, sign in zip(source, negated, strict=True)])

    # Sources

    def _few_inputs(self, inst: Inst) -> None:
        inputs = [input_of(source) for source in inst.sources]
        distinct = list(dict.fromkeys([n for n in inputs if n >= 0]))
        if len(distinct) < 2:
            return

        def cost(number: int) -> int:
            parts = [Part(p.what) for n, source in zip(inputs, inst.sources, strict=True) if n == number for p in source]
            return 0 if self.share and all(part in self.copies for part in parts) else 1

        kept = max(distinct, key=cost)
        inst.sources = [
            self._copy(source, inst) if number >= 0 and number != kept else source
            for number, source in zip(inputs, inst.sources, strict=True)
        ]

    def _one_wide(self, inst: Inst) -> None:
        wide = [n for n, source in enumerate(inst.sources) if is_wide(source)]
        if not wide:
            return
        op = BY_NAME[inst.op]
        places = wide_places(op)

        def cost(number: int) -> tuple[int, int, int]:
            source = inst.sources[number]
            shared = self.share and all(Part(part.what) in self.copies for part in source)
            return int(not shared), int(not isinstance(source[0].what, Known)), int(number in places)

        kept = max(wide, key=cost)
        for number in wide:
            if number != kept:
                inst.sources[number] = self._copy(inst.sources[number], inst)
        if kept in places:
            return
        other = 1 - kept if kept < 2 else kept
        if inst.op == "cmp":
            inst.sources.reverse()
            inst.compare = MIRRORED[inst.compare[0]], MIRRORED[inst.compare[1]]
        elif op.commutes == YES and other != kept:
            inst.sources[0], inst.sources[1] = inst.sources[1], inst.sources[0]
        else:
            inst.sources[kept] = self._copy(inst.sources[kept], inst)

    # Index registers

    def _indexed(self, source: Source, inst: Inst) -> Source:
        """A source whose offset is in an index register."""
        what = source[0].what
        if not isinstance(what, Fixed) or what.offset is None or what.held:
            return source
        index = next((n for n, held in self.offsets.items() if held == what.offset), 0)
        if not index:
            index = next((n for n in _INDEX if n not in self.offsets), 0) or next(iter(self.offsets))
            self.offsets.pop(index, None)
            offset = self._indexed((what.offset,), inst)
            if is_wide(offset) and isinstance(offset[0].what, Fixed) and offset[0].what.held:
                offset = self._copy(offset, inst)
            self.insts.append(Inst("mova", (), (offset,), inst.line, number=index))
            self.offsets[index] = what.offset
        found: list[Part] = []
        for part in source:
            assert isinstance(part.what, Fixed)
            found.append(Part(part.what._replace(held=index, offset=what.offset), part.negated))
        return tuple(found)


def _with_both(insts: list[Inst]) -> list[Inst]:
    """With one `mova` for both index registers, where their numbers are in one register and the second is not in use before."""
    gone: set[int] = set()
    for n, inst in enumerate(insts):
        if inst.op != "mova" or n in gone or inst.number == BOTH:
            continue
        index = inst.number - 1
        for later in range(n + 1, len(insts)):
            other = insts[later]
            if not other.sources or other.op == "cmp":
                break
            if other.op == "mova":
                one, two = inst.sources[0], other.sources[0]
                if other.number - 1 != index and bank(one[0]) == bank(two[0]) and _there(two[0], insts[n:later]):
                    inst.sources = [(*one, *two) if index == 0 else (*two, *one)]
                    inst.number = BOTH
                    gone.add(later)
                break
            if 1 - index in other.indices():
                break
    return [inst for n, inst in enumerate(insts) if n not in gone]


def _there(part: Part, between: Sequence[Inst]) -> bool:
    """Whether a part has its value before some instructions."""
    return not isinstance(part.what, int) or not any(part.what in inst.dst for inst in between)
