"""Normal form of operations, to compare programs of different languages."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition, Dest, Source, Target
from lanewise.pica200.isa.table import ARITHMETIC, JUMP, LOOP, Descriptor
from lanewise.pica200.sem.influence import descriptor_bits_read, slots_read

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Operation


def normal(operation: Operation) -> Operation:
    """An operation without its parts that have no effect.

    Cleared are slots and mask bits that are not read, flag values that are not tested, NUM of a jump or loop, the descriptor
    number and the place. Two programs with equal normal forms compute the same.
    """
    op, operands = operation.op, list(operation.operands)
    first = operands[0] if operands else None
    mask = 0
    if isinstance(first, Dest):
        mask = first.mask & Descriptor.MASK.extract(descriptor_bits_read(op)) if op.kind == ARITHMETIC else first.mask
        operands[0] = first._replace(mask=mask)
    slots = iter(slots_read(op, mask) if op.kind == ARITHMETIC else ())
    for i, operand in enumerate(operands):
        if isinstance(operand, Source):
            kept = sum(0xC0 >> 2 * slot for slot in next(slots))
            operands[i] = operand._replace(selector=operand.selector & kept)
        elif isinstance(operand, Condition) and operand.combine > 1:
            x, y = (operand.x, 1) if operand.combine == 2 else (1, operand.y)
            operands[i] = Condition(operand.combine, x, y)
        elif isinstance(operand, Target) and op.kind in (JUMP, LOOP):
            operands[i] = Target(operand.address, operand.num & ("bool" in op.operands))
    return operation._replace(operands=tuple(operands), descriptor=-1, span=None)
