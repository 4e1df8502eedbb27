"""Shorter toy programs: without registers that nothing reads, loads of what is held and stores of what is there."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from lanewise.optimising.operands import Facts, Layout, Operands, layout_of
from lanewise.optimising.optimiser import Optimised, optimise
from lanewise.optimising.report import Report, answer
from toy_isa.machine import INPUTS, MAGIC, REGISTERS, Inst, decode, encode
from toy_isa.proof import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.service import Answer, Request

ACC, OUTPUTS = 1, sum([2 << n for n in range(INPUTS, REGISTERS)])


class Item(NamedTuple):
    """An instruction and its address at first."""

    inst: Inst
    address: int


class Table(Operands[Item]):
    def facts(self, item: Item) -> Facts:
        op, operand = item.inst
        register = 2 << operand if op.operand == "register" else 0
        if op.compute is None:
            return Facts(sources=(ACC,), writes=register, surely=register, effect=not register)
        return Facts(sources=(register,) if op.name in ("load", "set") else (ACC, register), writes=ACC, surely=ACC)

    def layout(self, items: Sequence[Item]) -> Layout:
        ways = [
            {len(items)} if op.name == "halt" else {n + 1, at} if op.name == "jnz" else {n + 1}
            for n, (op, at) in enumerate(program(items))
        ]
        return layout_of(ways, OUTPUTS)

    def cost(self, items: Sequence[Item]) -> tuple[int, ...]:
        return (len(items),)

    def text(self, item: Item) -> str:
        return item.inst.text

    def value(self, item: Item) -> int | None:
        return item.inst.operand if item.inst.op.name in ("load", "store") else None

    def settled(self, first: Item, second: Item) -> bool:
        return True  # after a load or a store the register and the accumulator hold the same


def program(items: Sequence[Item]) -> list[Inst]:
    """The instructions; jumps to one that went away lead to what follows it."""
    left = [item.address for item in items]
    insts = [item.inst for item in items]
    return [inst._replace(operand=bisect_left(left, inst.operand)) if inst.op.name == "jnz" else inst for inst in insts]


def shorter(insts: Sequence[Inst]) -> Optimised[Item]:
    def equal(items: Sequence[Item]) -> bool:
        return compare(insts, program(items), ("before", "after")).verdict == "equal"

    return optimise([Item(inst, n) for n, inst in enumerate(insts)], Table(), valid=lambda _: True, equal=equal)


def optimised(loaded: Loaded, request: Request) -> Answer:
    """The answer of `lanewise opt`."""
    insts = [inst for word in loaded.words if (inst := decode(word))]
    found = shorter(insts)
    left = program(found.items)
    sizes = [("slots", len(insts), len(left))]
    report = Report(
        name=loaded.name,
        steps=found.steps,
        places=loaded.source_map,
        sizes=sizes,
        rules=("arithmetic modulo 2^32",),
        proofs=found.proofs,
        refused=found.refused,
    )
    data = MAGIC + b"".join([encode(inst).to_bytes(2, "little") for inst in left])
    return answer(request, report, [(request.text("output"), data)] if request.has("output") else [])
