"""Registers that reachable code reads and writes, on every path of its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.ir.graph import MOST_STATES, BudgetExceeded, reached
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import flow_uniform, operands
from lanewise.pica200.isa.table import CALL, FLOAT, INTEGER, LOOP, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.influence import slots_read
from lanewise.pica200.sem.instruction import takes_swapped
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.profile import Profile

AL = 3  # the value of a source's field for relative addresses
_LARGEST_COUNTER = 127
_ALL = range(4)


class Reads(Record):
    """Registers read, by number: v 00-0F, c 20-7F, i 80-83, b 88-97."""

    direct: Mapping[int, int]
    "Address of an instruction that reads each."
    relative: Mapping[int, int]
    "c registers from which relative addressing starts, with the address of such an instruction."
    outputs: frozenset[int]
    "Numbers of the o registers written."
    components: Mapping[tuple[int, int], Sequence[int]]
    "(register, component) of the c registers that are read, each with all addresses."
    inputs: Mapping[tuple[int, int], Sequence[int]]
    "(register, component) of the v registers that are read, each with all addresses."
    indexed: Mapping[tuple[int, int], Sequence[int]]
    "(register, component) from which relative addressing starts, each with all addresses."


def reads(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    booleans: Mapping[int, bool],
    profile: Profile = HARDWARE,
    integers: Mapping[int, Sequence[int]] = {},
    *,
    geometry: bool = False,
) -> Reads:
    """The registers that a run from `entry` may read.

    Branches on the b registers (0-15) in `booleans` are followed only on the taken side; `integers` are known i registers
    (0-3), which say what a loop reads through aL. A program with more than `MOST_STATES` states of its rings is analysed only
    by addresses, as if blocks and calls did not return: then the result may have too many registers, never too few.
    """
    insts = [decode(word) for word in flow.code_memory(words, profile, flow.memory_size(geometry=geometry))]
    found = reached(insts, entry, booleans=booleans, limit=MOST_STATES, profile=profile)
    addresses = _by_addresses(insts, entry) if isinstance(found, BudgetExceeded) else found
    direct: dict[int, int] = {}
    relative: dict[int, int] = {}
    components: dict[tuple[int, int], list[int]] = {}
    indexed: dict[tuple[int, int], list[int]] = {}
    outputs: set[int] = set()
    inputs: dict[tuple[int, int], list[int]] = {}
    counters = _counters(insts, addresses, integers)
    for address in sorted(addresses):
        inst = insts[address]
        if (uniform := flow_uniform(inst)) is not None:
            direct.setdefault(uniform, address)
        if "src" not in inst.op.operands or inst.field("desc") >= len(descriptors):
            continue
        sources, dest, _ = operands(inst, descriptors[inst.field("desc")])
        slots = slots_read(inst.op, dest.mask) if inst.op.base in MEANING else (_ALL,) * len(sources)
        if takes_swapped(inst.op, profile):
            slots = slots[::-1]
        for source, used in zip(sources, slots, strict=True):
            own = source.register < TEMPORARY
            chosen = {SLOTS[source.selector][slot] for slot in used} if own or source.register >= FLOAT else ()
            if source.relative == AL and source.register >= FLOAT and address in counters:
                for number in (source.register + value for value in counters[address]):
                    if number < INTEGER:
                        direct.setdefault(number, address)
                        for component in chosen:
                            components.setdefault((number, component), []).append(address)
            elif source.relative and source.register >= FLOAT:
                relative.setdefault(source.register, address)
                for component in chosen:
                    indexed.setdefault((source.register, component), []).append(address)
            elif not TEMPORARY <= source.register < FLOAT:
                direct.setdefault(source.register, address)
                for component in chosen:
                    (inputs if own else components).setdefault((source.register, component), []).append(address)
        if "dst" in inst.op.operands and dest.register < TEMPORARY:
            outputs.add(dest.register)
    written = frozenset(outputs)
    return Reads(direct=direct, relative=relative, outputs=written, components=components, inputs=inputs, indexed=indexed)


def _counters(
    insts: Sequence[Inst], reached: Collection[int], integers: Mapping[int, Sequence[int]]
) -> dict[int, tuple[int, ...]]:
    """The values of aL at the words of loops that nothing else enters, that hold no loop or call, and whose i register is
    known.

    A loop whose aL would leave 0 to 127 is left out: what that means is an open question of `Profile`.
    """
    found: dict[int, tuple[int, ...]] = {}
    for address in reached:
        loop = insts[address]
        if loop.op.kind != LOOP or loop.field("reg") & 3 not in integers:
            continue
        count, start, step = integers[loop.field("reg") & 3][:3]
        values = tuple(start + n * step for n in range(count + 1))
        body = range(address + 1, loop.field("dst") + 1)
        nested = any(n in reached and insts[n].op.kind in (LOOP, CALL) for n in body)
        entered = any(target in body for n in reached if n not in body and n != address for target in _targets(insts[n]))
        if not nested and not entered and values[-1] <= _LARGEST_COUNTER:
            found.update(dict.fromkeys(body, values))
    return found


def _targets(inst: Inst) -> tuple[int, ...]:
    """The addresses that a flow instruction names."""
    if "target" not in inst.op.operands and "block" not in inst.op.operands:
        return ()
    return inst.field("dst"), inst.field("dst") + inst.field("num")


def _by_addresses(insts: Sequence[Inst], entry: int) -> set[int]:
    """The addresses reached, taking every instruction to lead to the next one and to every address that it names."""
    reached: set[int] = set()
    waiting = [entry]
    while waiting:
        pc = waiting.pop()
        if pc in reached or not 0 <= pc < len(insts):
            continue
        reached.add(pc)
        inst = insts[pc]
        if inst.op.base != "end":
            waiting.append(pc + 1)
        if "target" in inst.op.operands or "block" in inst.op.operands:
            to = inst.field("dst")
            waiting += (to, to + inst.field("num"))
    return reached
