"""Machine words and descriptors to operations: the inverse of the encoder."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.program import Condition, Dest, Emission, Operation, Source, Target
from lanewise.pica200.isa.table import BOOLEAN, BY_NAME, END, INTEGER, JUMP, OPS, UNKNOWN, WIDE_SOURCE, Descriptor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Operand

    _Layout = tuple[tuple[tuple[int, int, int, int | None], ...], int | None, tuple[int, ...]]


_MASK = Descriptor.MASK.mask
_ROWS = {op.name: op for op in OPS}
_LAYOUTS: dict[str, _Layout] = {}
_LIFTED: dict[tuple[int, int], Operation] = {}  # by word and descriptor: each analysis of a program lifts the same words
_MOST_LIFTED = 1 << 14


class Operands(Record):
    """Operands from the register fields and the descriptor of a word.

    `immediates` is (CMPX, CMPY) for CMP.
    """

    sources: tuple[Source, ...]
    dest: Dest
    immediates: tuple[int, ...]


def operands(inst: Inst, descriptor: int) -> Operands:
    """The operands of an instruction with a descriptor.

    Only the format's wide source can be indexed.
    """
    values = inst.values
    sources, dest, immediates = _layout(inst.op.name)
    found = tuple(
        [
            Source(
                values[place], descriptor >> selector & 0xFF, descriptor >> sign & 1 == 1, 0 if index is None else values[index]
            )
            for place, selector, sign, index in sources
        ]
    )
    written = Dest(0 if dest is None else values[dest], descriptor & _MASK)
    return Operands(found, written, tuple([values[place] for place in immediates]))


def flow_uniform(inst: Inst) -> int | None:
    """The integer or boolean uniform that an instruction of flow names, numbered as in `isa.table`."""
    if "int" in inst.op.operands:
        return INTEGER + (inst.field("reg") & 3)
    return BOOLEAN + inst.field("reg") if "bool" in inst.op.operands else None


def _layout(name: str) -> _Layout:
    """The places of the operands among the values of an instruction, by the name of its row: of each source with the bits of
    selector and sign in a descriptor, and of its index register; of the destination; of the immediates.
    """
    found = _LAYOUTS.get(name)
    if found is None:
        op = _ROWS[name]
        places = {field.name: n for n, field in enumerate(op.format.fields)}
        wide = WIDE_SOURCE[op.format.name]
        sources = tuple(
            [
                (
                    places[f"src{n}"],
                    Descriptor.SELECTOR[n - 1].low,
                    Descriptor.NEGATE[n - 1].low,
                    places["idx"] if n == wide else None,
                )
                for n in range(1, op.source_count + 1)
            ]
        )
        immediates = (places["cmpx"], places["cmpy"]) if "cmpx" in places else ()
        found = _LAYOUTS[name] = sources, places.get("dst"), immediates
    return found


def lift(words: Sequence[int], descriptors: Sequence[int]) -> tuple[Operation, ...]:
    """An operation for each word, with the number of its descriptor.

    Words without a known meaning become `.word`.
    """
    return tuple(lift_word(word, descriptors) for word in words)


def procedure_end(operations: Sequence[Operation], start: int) -> int:
    """The word after the first `end` from `start` on that is outside all blocks and not jumped over; the number of words if
    there is none."""
    reached = start
    for pc in range(start, len(operations)):
        operation = operations[pc]
        last = operation.operands[-1] if operation.operands else None
        if isinstance(last, Target) and operation.op.opens_block:
            reached = max(reached, last.address + last.num, pc + 1)
        elif operation.op.kind == JUMP and isinstance(last, Target):
            reached = max(reached, last.address)  # targets of forward jumps belong to the program too
        elif operation.op.kind == END and pc >= reached:
            return pc + 1
    return len(operations)


def lift_word(word: int, descriptors: Sequence[int]) -> Operation:
    """The operation of a word; `.word` if opcode or descriptor number is unknown.

    Reserved bits are dropped, but bits 8 and 9 of a flow instruction count as bits of NUM, where picasso's sizes above 255
    end up (conformance rule 18).
    """
    number = descriptor_number(decode(word))
    descriptor = descriptors[number] if 0 <= number < len(descriptors) else -1
    found = _LIFTED.get((word, descriptor))
    if found is None:
        if len(_LIFTED) >= _MOST_LIFTED:
            _LIFTED.clear()
        found = _LIFTED[word, descriptor] = _lifted(word, descriptor)
    return found


def descriptor_number(inst: Inst) -> int:
    """The number of the descriptor that an instruction with sources names; -1 for others."""
    op = inst.op
    return inst.field("desc") if op is not UNKNOWN and "src" in op.operands else -1


def _lifted(word: int, descriptor: int) -> Operation:
    """The operation of a word with its descriptor, -1 for none."""
    inst = decode(word)
    op = inst.op
    if op is UNKNOWN:
        return Operation(op=UNKNOWN, operands=(word,))
    base = BY_NAME[op.base]
    if "src" not in op.operands:
        return Operation(op=base, operands=tuple(_flow_operand(kind, inst) for kind in op.operands))
    if descriptor < 0:
        return Operation(op=UNKNOWN, operands=(word,))
    sources, dest, immediates = operands(inst, descriptor)
    if "adr" in base.operands:
        dest = Dest(0, dest.mask)  # the field is ignored (reference: picasso writes 0, Nintendo's files too)
    number = inst.field("desc")
    if immediates:
        return Operation(op=base, operands=(sources[0], *immediates, sources[1]), descriptor=number)
    return Operation(op=base, operands=(dest, *sources), descriptor=number)


def _flow_operand(kind: str, inst: Inst) -> Operand:
    if kind == "cond":
        return Condition(inst.field("condop"), inst.field("refx"), inst.field("refy"))
    if kind in ("bool", "int"):
        return inst.field("reg")
    if kind == "vertex":
        return Emission(inst.field("vertex"), bool(inst.field("primitive")), bool(inst.field("winding")))
    return Target(inst.field("dst"), inst.field("num") | inst.field("unused") << 8)
