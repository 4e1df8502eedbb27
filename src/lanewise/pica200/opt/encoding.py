"""Machine words of programs while they are optimised: as the assembler shares operand descriptors, or where that needs too
many, as the hardware allows.

The assembler's rule compares bits that an instruction does not read, because its bytes are those of picasso.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.encoder import descriptor_word, encode_program, form
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.program import Dest
from lanewise.pica200.isa.table import ARITHMETIC
from lanewise.pica200.opt.operations import exchanged, sources_of
from lanewise.pica200.sem.influence import descriptor_bits_read
from lanewise.pica200.sem.instruction import computes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Operation, Program

TOO_MANY = frozenset(("V030", "V031"))  # operand descriptors


class Shared(Record):
    """A program whose instructions share operand descriptors, some of them with their sources exchanged: those at
    `exchanged`."""

    program: Program
    encoded: Encoded
    exchanged: tuple[int, ...]


def shared(program: Program, *, exchange: bool = True) -> Shared | None:
    """A program with as few operand descriptors as are found; None where it still has too many.

    Instructions share a descriptor also where it differs in bits that the hardware does not read. With `exchange`, where the
    order of two sources does not matter, the one that another instruction has is taken; that the results stay is for the caller
    to prove.
    """
    found: list[Shared] = []
    for operations in (program.operations, _exchanged(program.operations))[: 1 + exchange]:
        candidate = program._replace(operations=tuple(operations), encoding=None)
        encoded, findings = encode_program(candidate, reads=descriptor_bits_read)
        if not any(finding.is_error for finding in findings):
            changed = [pc for pc, pair in enumerate(zip(operations, program.operations, strict=True)) if pair[0] != pair[1]]
            found.append(Shared(candidate, encoded, tuple(changed)))
    return min(found, key=lambda one: len(one.encoded.descriptors)) if found else None


def _exchanged(operations: Sequence[Operation]) -> list[Operation]:
    """The operations, sources exchanged where there is a descriptor for that order already."""
    order = list(operations)
    table: list[tuple[int, int]] = []  # values, and the bits that are read
    choices: list[tuple[int, Operation]] = []
    for pc, operation in enumerate(operations):
        if operation.op.kind != ARITHMETIC:
            continue
        other = exchanged(operation)
        if other is not None:
            choices.append((pc, other))
        else:
            _enter(table, operation)
    for pc, other in choices:
        if not _enter(table, operations[pc], only_known=True) and _enter(table, other, only_known=True):
            order[pc] = other
        else:
            _enter(table, operations[pc])
    return order


def _enter(table: list[tuple[int, int]], operation: Operation, *, only_known: bool = False) -> bool:
    """Whether a table has a descriptor for an operation, which is added if it has none."""
    first = operation.operands[0]
    mask = first.mask if isinstance(first, Dest) else 0
    sources = sources_of(operation)
    value, bits = descriptor_word(mask, sources), descriptor_bits_read(form(operation.op, sources), mask)
    for n, (known, read) in enumerate(table):
        if not (known ^ value) & read & bits:
            table[n] = known & ~bits | value & bits, read | bits
            return True
    if not only_known:
        table.append((value, bits))
    return False


def encoded_of(program: Program) -> tuple[Encoded | None, list[Diagnostic]]:
    """The words of a program, None with the reasons for one that cannot be encoded."""
    encoded, findings = encode_program(program)
    errors = [finding for finding in findings if finding.is_error]
    if errors and only_too_many(errors):
        encoded, findings = encode_program(program, reads=descriptor_bits_read)
        errors = [finding for finding in findings if finding.is_error]
        if not errors and not _means(encoded, program):
            raise RuntimeError("shared operand descriptors change an instruction")
    return (None if errors else encoded), errors


def only_too_many(errors: Iterable[Diagnostic]) -> bool:
    """Whether a program has too many operand descriptors, and no other error."""
    return {finding.code for finding in errors} <= TOO_MANY


def _means(encoded: Encoded, program: Program) -> bool:
    """Whether each word reads and writes what its operation says, each operation encoded by itself."""
    for word, operation in zip(encoded.words, program.operations, strict=True):
        inst = decode(word)
        if not computes(inst):
            continue
        alone, _ = encode_program(
            program._replace(operations=(operation,), interfaces=(), labels={}, procedures=(), encoding=None)
        )
        mine, there = (
            operands(inst, encoded.descriptors[inst.field("desc")]),
            operands(decode(alone.words[0]), alone.descriptors[0]),
        )
        bits = descriptor_bits_read(inst.op, there.dest.mask)
        if inst.replace(desc=0) != decode(alone.words[0]).replace(desc=0) or mine.immediates != there.immediates:
            return False
        if (encoded.descriptors[inst.field("desc")] ^ alone.descriptors[0]) & bits:
            return False
    return True


__all__ = ["TOO_MANY", "Shared", "encoded_of", "only_too_many", "shared"]
