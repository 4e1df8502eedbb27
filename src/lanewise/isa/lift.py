"""Words and descriptors to operations: the mirror of the encoder."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.isa.codec import decode
from lanewise.isa.pica200 import BY_NAME, UNKNOWN, WIDE_SOURCE, Descriptor
from lanewise.isa.program import Condition, Dest, Emission, Operation, Source, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.isa.codec import Inst
    from lanewise.isa.program import Operand


def lift(words: Sequence[int], descriptors: Sequence[int]) -> tuple[Operation, ...]:
    """An operation for each word, with the number of its descriptor. Words without a known meaning become `.word`."""
    return tuple(lift_word(word, descriptors) for word in words)


def lift_word(word: int, descriptors: Sequence[int]) -> Operation:
    """The operation of a word; `.word` if no instruction has it or its descriptor is outside the table.

    Reserved bits are dropped, but bits 8 and 9 of a flow instruction count as bits of NUM, where picasso's sizes above 255
    end up (conformance rule 18).
    """
    inst = decode(word)
    op = inst.op
    if op is UNKNOWN:
        return Operation(UNKNOWN, (word,))
    base = BY_NAME[op.base]
    if "src" not in op.operands:
        return Operation(base, tuple(_flow_operand(kind, inst) for kind in op.operands))
    number = inst.field("desc")
    if number >= len(descriptors):
        return Operation(UNKNOWN, (word,))
    descriptor = descriptors[number]
    operands: list[Operand] = []
    source = 0
    for kind in op.operands:
        if kind == "src":
            relative = inst.field("idx") if WIDE_SOURCE[op.format.name] == source + 1 else 0
            operands.append(
                Source(
                    inst.field(f"src{source + 1}"),
                    Descriptor.SELECTOR[source].extract(descriptor),
                    bool(Descriptor.NEGATE[source].extract(descriptor)),
                    relative,
                )
            )
            source += 1
        elif kind == "dst":
            operands.append(Dest(inst.field("dst"), Descriptor.MASK.extract(descriptor)))
        elif kind == "adr":
            operands.append(Dest(0, Descriptor.MASK.extract(descriptor)))
        else:
            operands.append(inst.field("cmpx" if len(operands) == 1 else "cmpy"))
    return Operation(base, tuple(operands), number)


def _flow_operand(kind: str, inst: Inst) -> Operand:
    if kind == "cond":
        return Condition(inst.field("condop"), inst.field("refx"), inst.field("refy"))
    if kind in ("bool", "int"):
        return inst.field("reg")
    if kind == "vertex":
        return Emission(inst.field("vertex"), bool(inst.field("primitive")), bool(inst.field("winding")))
    return Target(inst.field("dst"), inst.field("num") | inst.field("unused") << 8)
