"""Registers that reachable code reads and writes, on every path of its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.ir.graph import MOST_STATES, Graph, unfold
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.profile import Profile


class Reads(NamedTuple):
    """Registers read, by number, with the address of an instruction that reads each.

    The numbers are v 00-0F, c 20-7F, i 80-83, b 88-97. `relative` are the c registers from which relative addressing starts; `outputs`
    the numbers of the o registers written.
    """

    direct: Mapping[int, int]
    relative: Mapping[int, int]
    outputs: frozenset[int]


def reads(
    words: Sequence[int], descriptors: Sequence[int], entry: int, booleans: Mapping[int, bool], profile: Profile = HARDWARE
) -> Reads:
    """The registers that a run from `entry` may read.

    Branches on the b registers (0-15) in `booleans` are followed only on the taken side. A program with more than `MOST_STATES` states
    of its rings is analysed only by addresses, as if blocks and calls did not return: then the result may have too many registers, never
    too few.
    """
    insts = [decode(word) for word in flow.code_memory(words, profile)]
    graph = unfold(insts, entry, booleans=booleans, limit=MOST_STATES, profile=profile)
    reached = graph.at.keys() if isinstance(graph, Graph) else _by_addresses(insts, entry)
    direct: dict[int, int] = {}
    relative: dict[int, int] = {}
    outputs: set[int] = set()
    for address in sorted(reached):
        inst = insts[address]
        if "bool" in inst.op.operands:
            direct.setdefault(BOOLEAN + inst.field("reg"), address)
        if "int" in inst.op.operands:
            direct.setdefault(INTEGER + (inst.field("reg") & 3), address)
        if "src" not in inst.op.operands or inst.field("desc") >= len(descriptors):
            continue
        sources, dest, _ = operands(inst, descriptors[inst.field("desc")])
        for source in sources:
            if source.relative and source.register >= FLOAT:
                relative.setdefault(source.register, address)
            elif not TEMPORARY <= source.register < FLOAT:
                direct.setdefault(source.register, address)
        if "dst" in inst.op.operands and dest.register < TEMPORARY:
            outputs.add(dest.register)
    return Reads(direct, relative, frozenset(outputs))


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
