"""Finding procedures and blocks in a stretch of words: which intervals nest, and so can be written with `.proc` and `.end`.

An instruction whose interval does not nest keeps its numeric target, which only lanewise reads.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Target
from lanewise.pica200.isa.table import CALL, LOOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.pica200.isa.program import Operation

MAX_OPEN = 30  # blocks that may be open inside a procedure: the language keeps 32 in all


class Interval(Record):
    """Words `start` up to `end` that CALL can run as a procedure."""

    start: int
    end: int


class Structure(Record):
    """The parts of a program that can be written as structure.

    `procedures` nest in each other and in blocks; `blocks` maps the address of each ifu, ifc or for that can be a block to
    (end of its first part, end); `top` are the stretches that are in no other one, in order, without gaps: each is a
    procedure or words that nothing is known to call.
    """

    procedures: tuple[Interval, ...]
    blocks: dict[int, tuple[int, int]]
    top: tuple[Interval, ...]


def find_structure(
    operations: Sequence[Operation], entries: Iterable[Interval], sayable: Callable[[int], bool], *, flat: bool = False
) -> Structure:
    """The structure of a program whose entry procedures are `entries`.

    `sayable(pc)`: whether the language has a spelling for the instruction there; only then can it open a block. `flat`: no
    procedure is inside another one or a block, where numbers can be the targets of calls.
    """
    size = len(operations)
    wanted = [entry for entry in entries if 0 <= entry.start <= entry.end <= size]
    for operation in operations:
        if operation.op.kind == CALL:
            target = operation.operands[-1]
            if isinstance(target, Target) and target.address + target.num <= size:
                wanted.append(Interval(target.address, target.address + target.num))
    procedures = _nesting(dict.fromkeys(wanted), flat=flat)
    blocks = find_blocks(operations, procedures, sayable)
    if flat:
        procedures = tuple([p for p in procedures if not any(pc < p.start < end for pc, (_, end) in blocks.items())])
    return Structure(procedures, blocks, _top(size, procedures, blocks))


def _crosses(a: Interval, b: Interval) -> bool:
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end


def _overlaps(a: Interval, b: Interval) -> bool:
    return max(a.start, b.start) < min(a.end, b.end) or a.start < b.start < a.end or b.start < a.start < b.end or a == b


def _nesting(wanted: Iterable[Interval], *, flat: bool) -> tuple[Interval, ...]:
    """As many of the intervals, first come first served, as nest in each other; outer ones before inner ones. `flat`: as are
    apart."""
    accepted: list[Interval] = []
    conflict = _overlaps if flat else _crosses
    for interval in wanted:
        if not any(conflict(interval, other) for other in accepted):
            accepted.append(interval)
    return tuple(sorted(accepted, key=lambda i: (i.start, -i.end)))


def find_blocks(
    operations: Sequence[Operation], procedures: tuple[Interval, ...], sayable: Callable[[int], bool]
) -> dict[int, tuple[int, int]]:
    """The `blocks` of a structure whose procedures are known."""
    blocks: dict[int, tuple[int, int]] = {}
    ends: list[int] = []  # where the open procedures and parts of blocks end, innermost last
    starting = iter((*procedures, Interval(len(operations) + 1, 0)))
    procedure = next(starting)
    for pc, operation in enumerate(operations):
        while ends and ends[-1] <= pc:
            ends.pop()
        while procedure.start <= pc:
            if procedure.end > pc:
                ends.append(procedure.end)
            procedure = next(starting)
        op = operation.op
        if not op.opens_block or len(ends) > MAX_OPEN:
            continue
        target = operation.operands[-1]
        if not isinstance(target, Target):
            continue
        middle = target.address + 1 if op.kind == LOOP else target.address
        end = middle if op.kind == LOOP else middle + target.num
        limit = ends[-1] if ends else len(operations)
        if pc < middle <= end <= limit and sayable(pc) and _holds(procedures, pc, middle, end):
            blocks[pc] = (middle, end)
            ends += [end, middle] if end > middle else [end]
    return blocks


def _holds(procedures: tuple[Interval, ...], pc: int, middle: int, end: int) -> bool:
    """Whether no procedure crosses the parts of a block, and none lies across its end from inside."""
    parts = (Interval(pc, end), Interval(pc + 1, middle), Interval(middle, end))
    return not any(_crosses(part, procedure) for procedure in procedures for part in parts if part.start < part.end)


def _top(size: int, procedures: tuple[Interval, ...], blocks: dict[int, tuple[int, int]]) -> tuple[Interval, ...]:
    """The outermost procedures and the stretches between them; a block in a stretch holds the procedures inside it."""
    starting: dict[int, Interval] = {}
    for procedure in procedures:
        if procedure.end > procedure.start:
            starting.setdefault(procedure.start, procedure)
    top: list[Interval] = []
    pc = begun = 0
    while pc < size:
        procedure = starting.get(pc)
        if procedure is not None:
            if pc > begun:
                top.append(Interval(begun, pc))
            top.append(procedure)
            pc = begun = procedure.end
        else:
            pc = blocks[pc][1] if pc in blocks else pc + 1
    if begun < size:
        top.append(Interval(begun, size))
    return tuple(top)
