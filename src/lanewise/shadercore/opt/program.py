"""`optimised_program`: fewer slots, then a faster order, each step proved on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import NOTE
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.optimising.optimiser import Step, optimise
from lanewise.shadercore.check.rules import check
from lanewise.shadercore.isa.codec import encode, written
from lanewise.shadercore.isa.floors import floor_of
from lanewise.shadercore.isa.schedule import faster_order
from lanewise.shadercore.isa.table import END
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.opt.operands import ProgramOperands, cycles
from lanewise.shadercore.opt.renaming import renamed_orders
from lanewise.shadercore.proof.structure import side_of, structure
from lanewise.shadercore.sem.steps import exports, hang

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

ORDER = "order"


class OptimisedProgram(Record):
    """A program with the steps that led to it."""

    program: Program
    "The program that is left."
    origins: tuple[int, ...]
    "The slot of each of its words in the program given."
    steps: tuple[Step, ...]
    "The steps in the order in which they were taken."
    proofs: int
    "How many programs were to be proved equal."
    refused: int
    "How many different candidates of moves were not taken."


def optimised_program(
    program: Program, device: Device, progress: Callable[[], None] | None = None, *, reorders: bool = True
) -> OptimisedProgram:
    """A program of fewer slots and cycles that leaves the same on a device. `reorders`: what is left may have another order.
    Raises ValueError for a program that does not end."""
    insts = program.insts
    first = side_of(program, device, {}, constants_known=False)
    if (why := hang(first.timing)) is not None:
        raise ValueError(str(why))
    before, most = _counts(program, device), cycles(insts, device)

    def made(items: Sequence[Inst]) -> Program:
        return program._replace(words=tuple([encode(item) for item in items]), places=())

    def valid(items: Sequence[Inst]) -> bool:
        found = made(items)
        counts = _counts(found, device)
        return cycles(items, device) <= most and all(count <= before.get(code, 0) for code, count in counts.items())

    def equal(items: Sequence[Inst]) -> bool:
        second = side_of(made(items), device, {}, constants_known=False)
        return hang(second.timing) is None and not structure((first, second), device).reason

    found = optimise(insts, ProgramOperands(insts, device), valid=valid, equal=equal, progress=progress)
    items, origins, steps, proofs = found.items, found.origins, found.steps, found.proofs
    order = _ordered(items, device, lambda each: valid(each) and equal(each)) if reorders else None
    if order is not None:
        fewer = cycles(items, device) - cycles(order.items, device)
        moved = tuple([origins[slot] for n, slot in enumerate(order.order) if n != slot])
        cycle = "cycle" if fewer == 1 else "cycles"
        other = " and other registers" if order.renamed else ""
        reason = f"the instructions wait {fewer} {cycle} less for each other in another order{other}"
        steps = (
            *steps,
            Step(
                move=ORDER,
                title="instructions in a faster order",
                reason=reason,
                fix="write them in that order, each result in a register that nothing needs then"
                if order.renamed
                else "write them in that order",
                removed=(),
                changed=moved,
                saved=(0, fewer),
                code="H107",
                first=not steps,
            ),
        )
        items, proofs = order.items, proofs + 1
        origins = tuple([origins[slot] for slot in order.order])
    places = tuple([program.places[slot] for slot in origins]) if program.places else ()
    return OptimisedProgram(
        program=made(items)._replace(places=places), origins=origins, steps=steps, proofs=proofs, refused=found.refused
    )


class _Order(NamedTuple):
    """Another order of items: the place of each among those given, the items, and whether results are in other registers."""

    order: tuple[int, ...]
    items: tuple[Inst, ...]
    renamed: bool


def _ordered(items: Sequence[Inst], device: Device, taken: Callable[[Sequence[Inst]], bool]) -> _Order | None:
    """The fastest order that `taken` takes: of the same registers, or of others where it is faster still. None where no order
    takes fewer cycles."""
    timing = time_program(items, device)
    found = faster_order(timing, taken)
    best = None if found is None else _Order(found.order, tuple([items[slot] for slot in found.order]), renamed=False)
    least = cycles(items if best is None else best.items, device)
    floor = floor_of(timing)
    if floor is None or least <= floor.cycles:
        return best
    orders = {
        cycles(insts, device): _Order(order, tuple(insts), True) for order, insts in renamed_orders(timing, exports(device))
    }
    for count in sorted(orders):
        if count < least and taken(orders[count].items):
            return orders[count]
    return best


def least_slots(insts: Sequence[Inst], device: Device) -> int:
    """A number of slots that no program which writes the same outputs has less than: an instruction writes one component, and
    `end` is one more. Components count that leave the core."""
    leaving = frozenset(exports(device))
    last = next((n for n, inst in enumerate(insts) if inst.op is END), len(insts))
    return 1 + len({place for inst in insts[:last] if (place := written(inst.dest)) in leaving})


_OF_THE_AUTHOR = ("V224", "V242")  # what a source means, not what a device does: a proof keeps the results


def _counts(program: Program, device: Device) -> dict[str, int]:
    """How many findings of each code `check` has."""
    found: dict[str, int] = {}
    for finding in check(program, device, lambda _: Span(file="")):
        if finding.severity != NOTE and finding.code not in _OF_THE_AUTHOR:
            found[finding.code] = found.get(finding.code, 0) + 1
    return found
