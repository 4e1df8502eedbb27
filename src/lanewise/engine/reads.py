"""What the code that can be reached reads and writes, found by following `sem.flow` along every path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.isa.codec import decode
from lanewise.isa.lift import operands
from lanewise.isa.pica200 import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.sem import flow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.isa.codec import Inst
    from lanewise.sem.flow import Shape, Tree

MOST_SHAPES = 20_000


class Reads(NamedTuple):
    """Registers by number (v 00-0F, c 20-7F, i 80-83, b 88-97), each with the address of an instruction that reads it.

    `relative` are the c registers from which relative addressing starts; `outputs` the numbers of the o registers written.
    """

    direct: Mapping[int, int]
    relative: Mapping[int, int]
    outputs: frozenset[int]


def reads(words: Sequence[int], descriptors: Sequence[int], entry: int, booleans: Mapping[int, bool]) -> Reads:
    """What a run from `entry` may read. Branches on the b registers (0-15) in `booleans` are followed one way only.

    A program with more than `MOST_SHAPES` different states of its rings is taken by addresses alone, where blocks and calls do
    not come back: then there may be too much in the result, never too little.
    """
    insts = [decode(word) for word in words]
    direct: dict[int, int] = {}
    reached = _by_shapes(insts, entry, booleans, direct)
    if reached is None:
        direct.clear()
        reached = _by_addresses(insts, entry, direct)
    relative: dict[int, int] = {}
    outputs: set[int] = set()
    for address in sorted(reached):
        inst = insts[address]
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


def _by_shapes(insts: Sequence[Inst], entry: int, booleans: Mapping[int, bool], found: dict[int, int]) -> set[int] | None:
    """The addresses reached; puts the i and b registers asked about into `found`. None if there are too many shapes."""
    start = flow.Shape(entry)
    seen = {start}
    waiting = [start]
    while waiting:
        shape = waiting.pop()
        if not 0 <= shape.pc < len(insts):
            continue
        for following in _edges(flow.step(shape, insts[shape.pc]), shape.pc, booleans, found):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > MOST_SHAPES:
            return None
    return {shape.pc for shape in seen if 0 <= shape.pc < len(insts)}


def _edges(tree: Tree, pc: int, booleans: Mapping[int, bool], found: dict[int, int]) -> Iterator[Shape]:
    """The shapes that may come next."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, flow.Ask | flow.Edge):
            for action in node.actions:
                if isinstance(action, flow.StartAl):
                    found.setdefault(INTEGER + action.register, pc)
        if isinstance(node, flow.Edge):
            yield node.shape
        elif isinstance(node, flow.Ask):
            known: bool | None = None
            if isinstance(node.question, flow.Boolean):
                found.setdefault(BOOLEAN + node.question.number, pc)
                known = booleans.get(node.question.number)
            if known is not False:
                waiting.append(node.yes)
            if known is not True:
                waiting.append(node.no)


def _by_addresses(insts: Sequence[Inst], entry: int, found: dict[int, int]) -> set[int]:
    """The same, taking every instruction to lead to the next one and to every address that it names."""
    reached: set[int] = set()
    waiting = [entry]
    while waiting:
        pc = waiting.pop()
        if pc in reached or not 0 <= pc < len(insts):
            continue
        reached.add(pc)
        inst = insts[pc]
        if "bool" in inst.op.operands:
            found.setdefault(BOOLEAN + inst.field("reg"), pc)
        if "int" in inst.op.operands:
            found.setdefault(INTEGER + (inst.field("reg") & 3), pc)
        if inst.op.base != "end":
            waiting.append(pc + 1)
        if "target" in inst.op.operands or "block" in inst.op.operands:
            to = inst.field("dst")
            waiting += (to, to + inst.field("num"))
    return reached
