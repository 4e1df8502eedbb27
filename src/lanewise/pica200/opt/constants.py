"""Constants of the file in fewer registers: equal ones share one, also with the other sign, scalars are packed into free
components, and unused ones go.

Only where the application does not overwrite the constants. Those that the file lists among its uniforms stay in their places,
because an application may ask for them by name; others may be read from them.
"""

from __future__ import annotations

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.lift import flow_uniform
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import FLOAT, INTEGER, register_name
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import Candidate, selector_of, sources_of, with_sources
from lanewise.pica200.sem.components import slots_used
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.pica200.isa.program import Constant, Interface, Operation
    from lanewise.pica200.opt.values import Values

_SIGN = 1 << 23


class _Read(Record):
    """A source that reads a constant: the word, the number of the source, and by its slots with an effect the channels."""

    pc: int
    source: int
    register: int
    channels: tuple[tuple[int, int], ...]


class _Home(Record):
    """Where values are read: the register, the channel of each, and whether with the other sign."""

    register: int
    channels: Mapping[int, int]
    negate: bool


def packed(values: Values) -> Iterator[Candidate]:
    """The constants of a shader in fewer registers."""
    context = values.context
    interface = context.interface
    table = {constant.register: constant.values for constant in interface.constants}
    if not values.constants or not table or len(table) < len(interface.constants):
        return
    named = {register for uniform in interface.uniforms for register in range(uniform.first, uniform.last + 1)}
    reads = _reads(values)
    if reads is None:
        return
    shared = {pc for other in values.others for pc in other.reached}
    fixed = named | {read.register for read in reads if read.pc in shared}
    used = {*[read.register for read in reads], *[flow_uniform(inst) for inst in context.insts]}
    free = [register for register in table if FLOAT <= register < INTEGER and register not in fixed]
    mine = [read for read in reads if read.register in free]
    by_register = {register: _values(table, [read for read in mine if read.register == register]) for register in free}
    by_read = [(read.register, _values(table, [read])) for read in mine]
    rigid = {register: table[register] for register in fixed if register in table and FLOAT <= register < INTEGER}
    plans = [_Bins(table, rigid, free), _Bins(table, rigid, free)]
    plans[0].fill(((register, found), found) for register, found in by_register.items() if found)
    plans[1].fill(((register, found), found) for register, found in dict.fromkeys(by_read))
    plan = min([plan for plan in plans if plan.fits], key=lambda found: len(found.opened))
    gone = [register for register in table if register not in used | named and register >= INTEGER]
    gone += [register for register in free if register not in plan.opened]
    if not gone:
        return
    constants = {register: found for register, found in plan.contents().items() if register not in gone}
    changed: dict[int, dict[int, Source]] = {}
    for read in mine:
        key = read.register, by_register[read.register] if plan is plans[0] else _values(table, [read])
        source = sources_of(context.operations[read.pc])[read.source]
        moved = _moved(source, read, table, plan.homes[key])
        if moved != source:
            changed.setdefault(read.pc, {})[read.source] = moved
    replaced = tuple([(pc, with_sources(context.operations[pc], found)) for pc, found in sorted(changed.items())])
    yield _candidate(values, constants, gone, replaced, [(key[0], home) for key, home in plan.homes.items()])


def _candidate(
    values: Values,
    constants: Mapping[int, tuple[int, ...]],
    gone: Sequence[int],
    replaced: Sequence[tuple[int, Operation]],
    homes: Sequence[tuple[int, _Home]],
) -> Candidate:
    interface = values.context.interface
    number = next(n for n, other in enumerate(values.context.program.interfaces) if other is interface)
    kept: list[Constant] = [
        constant._replace(values=constants.get(constant.register, constant.values))
        for constant in interface.constants
        if constant.register not in gone
    ]
    private = tuple([name for name in interface.private if not {*gone}.issuperset(range(name.first, name.last + 1))])
    texts: list[str] = []
    for register in gone:
        there = sorted({home.register for moved, home in homes if moved == register})
        name = _name(interface, register)
        texts.append(
            f"read {name} from {' and '.join([_name(interface, home) for home in there])}"
            if there
            else f"remove {name}, which is never read"
        )
    before, after = len(interface.constants), len(kept)
    message = (
        f"{before} constants fit into {after} register{'s' if after != 1 else ''}" if after else "its constants are never read"
    )
    pc = replaced[0][0] if replaced else interface.entry
    edit = Edit((), tuple(replaced), ((number, interface._replace(constants=tuple(kept), private=private)),))
    spans = [name.span for register in gone for name in interface.private if name.first == register]
    return Candidate("", Finding(message=message, fix="; ".join(texts), pc=pc, span=spans[0] if spans else None), edit)


def _name(interface: Interface, register: int) -> str:
    names = [name.name for name in (*interface.private, *interface.uniforms) if name.first <= register <= name.last]
    return f"{names[0]} ({register_name(register)})" if names else register_name(register)


def _reads(values: Values) -> list[_Read] | None:
    """The sources that read float uniforms; None where one is indexed, and may read any."""
    found: list[_Read] = []
    for pc, instruction in values.resolved.items():
        used = slots_used(instruction)
        for n, source in enumerate(instruction.sources):
            if source.register < FLOAT:
                continue
            if source.relative:
                return None
            selected = SLOTS[source.selector]
            channels = tuple(sorted([(slot, selected[slot]) for number, slot in used if number == n]))
            found.append(_Read(pc, n, source.register, channels))
    return found


def _values(table: Mapping[int, tuple[int, ...]], reads: Iterable[_Read]) -> tuple[int, ...]:
    """The different values that some reads have, in the order of their channels."""
    channels = sorted({(read.register, channel) for read in reads for _, channel in read.channels})
    return tuple(dict.fromkeys([table[register][channel] for register, channel in channels]))


def _moved(source: Source, read: _Read, table: Mapping[int, tuple[int, ...]], home: _Home) -> Source:
    """A source that reads the same values in their new places. Slots without an effect follow the others."""
    old = SLOTS[source.selector]
    channels = {slot: home.channels[table[read.register][channel]] for slot, channel in read.channels}
    if home.register == read.register and not home.negate and all(old[slot] == channel for slot, channel in channels.items()):
        return source
    first = next(iter(channels.values()), 0)
    again = [channels.get(slot, home.channels.get(table[read.register][old[slot]], first)) for slot in range(4)]
    return Source(home.register, selector_of(again), source.negate != home.negate)


class _Bins:
    """Registers that are filled with values, first for those that need most; `opened` are those in use that are not fixed.
    `fits` is False where there are too few."""

    def __init__(self, table: Mapping[int, tuple[int, ...]], fixed: Mapping[int, tuple[int, ...]], free: Sequence[int]) -> None:
        self._table, self._free = table, [*free]
        self._bins: dict[int, list[int | None]] = {register: [*found] for register, found in fixed.items()}
        self.opened: list[int] = []
        self.fits = True
        self.homes: dict[tuple[int, tuple[int, ...]], _Home] = {}

    def fill(self, items: Iterable[tuple[tuple[int, tuple[int, ...]], tuple[int, ...]]]) -> None:
        for key, wanted in sorted(items, key=lambda item: -len(item[1])):
            best: tuple[int, bool, int] | None = None  # how many components it needs, the other sign, the register
            for register, parts in self._bins.items():
                for negate in (False, True):
                    new = sum([(value ^ _SIGN * negate) not in parts for value in wanted])
                    if new <= parts.count(None) and (best is None or (new, negate) < best[:2]):
                        best = new, negate, register
            register = best[2] if best is not None else self._open(key[0], wanted)
            if register < 0:
                return
            negate = best is not None and best[1]
            parts = self._bins[register]
            channels: dict[int, int] = {}
            for value in wanted:
                there = value ^ _SIGN * negate
                if there not in parts:
                    parts[parts.index(None)] = there
                channels[value] = parts.index(there)
            self.homes[key] = _Home(register, channels, negate)

    def _open(self, register: int, wanted: Sequence[int]) -> int:
        """A register for values: their own, if it is free, with those that stay in it at their places."""
        home = register if register not in self.opened else next((n for n in self._free if n not in self.opened), -1)
        if home < 0:
            self.fits = False
            return home
        self.opened.append(home)
        parts: list[int | None] = [value if value in wanted else None for value in self._table[home]]
        for n, value in enumerate(parts):
            if value is not None and value in parts[:n]:
                parts[n] = None
        self._bins[home] = parts
        return home

    def contents(self) -> dict[int, tuple[int, ...]]:
        """The values of the registers in use; components without an effect keep theirs."""
        return {
            register: tuple(
                [old if new is None else new for new, old in zip(self._bins[register], self._table[register], strict=True)]
            )
            for register in self.opened
        }


__all__ = ["packed"]
