"""Edits of a program: operations that take the places of others, and words that go away.

When words go away, all that names an address moves: targets, labels, procedures, entries. A block, loop or procedure that loses
its last word keeps a NOP, because the hardware looks for the end of a block after every instruction, and not before the first.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Operation, Target
from lanewise.pica200.isa.table import CALL, JUMP, LOOP, NO_OPERATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.isa.program import Interface, Procedure, Program

NOTHING = Operation(op=NO_OPERATION)


class Edit(Record):
    """Words that a program can do without, and operations that take the places of others; so do `interfaces`, by the numbers of
    the shaders."""

    removed: tuple[int, ...]
    replaced: tuple[tuple[int, Operation], ...] = ()
    interfaces: tuple[tuple[int, Interface], ...] = ()

    @property
    def words(self) -> tuple[int, ...]:
        return (*self.removed, *[pc for pc, _ in self.replaced])


class Draft(Record):
    """A program while it is edited; `origins` are the addresses that its words had at first."""

    program: Program
    origins: tuple[int, ...]

    def edited(self, edit: Edit) -> Draft:
        """The draft after an edit."""
        if edit.interfaces:
            others = dict(edit.interfaces)
            found = tuple([others.get(n, interface) for n, interface in enumerate(self.program.interfaces)])
            return self._replace(program=self.program._replace(interfaces=found)).edited(edit._replace(interfaces=()))
        operations = list(self.program.operations)
        for pc, operation in edit.replaced:
            operations[pc] = operation._replace(descriptor=-1, span=operation.span or operations[pc].span)
        gone = _removable(operations, self.program.interfaces, edit.removed)
        for pc in edit.removed:
            if pc not in gone:
                operations[pc] = NOTHING._replace(span=operations[pc].span)
        if not gone:
            return self._replace(program=self.program._replace(operations=tuple(operations), encoding=None))
        addresses = moved(len(operations), gone)
        kept = [pc for pc in range(len(operations)) if pc not in gone]
        program = with_addresses(self.program, addresses)
        program = program._replace(operations=tuple([retargeted(operations[pc], addresses) for pc in kept]))
        return Draft(program, tuple([self.origins[pc] for pc in kept]))


def with_addresses(program: Program, addresses: Sequence[int]) -> Program:
    """A program whose shaders, labels and procedures are at new addresses; its operations are those of before."""
    return program._replace(
        interfaces=tuple([_interface(interface, addresses) for interface in program.interfaces]),
        labels={name: _at(addresses, address) for name, address in program.labels.items()},
        procedures=tuple(_procedures(program.procedures, addresses)),
        encoding=None,
    )


def draft_of(program: Program) -> Draft:
    """A program as it is, without its encoding: descriptors are shared anew."""
    operations = tuple([operation._replace(descriptor=-1) for operation in program.operations])
    return Draft(program._replace(operations=operations, encoding=None), tuple(range(len(operations))))


def regions(operations: Sequence[Operation], interfaces: Sequence[Interface] = ()) -> Iterator[tuple[int, range, bool]]:
    """The stretches that words name, and those of entries: (address of the word, or -1, the stretch, whether it must have a
    word)."""
    for pc, operation in enumerate(operations):
        target = operation.operands[-1] if operation.operands else None
        if not isinstance(target, Target):
            continue
        if operation.op.kind == LOOP:
            yield pc, range(pc + 1, target.address + 1), True
        elif operation.op.opens_block:
            yield pc, range(pc + 1, target.address), True
            yield pc, range(target.address, target.address + target.num), False
        elif operation.op.kind == CALL:
            yield pc, range(target.address, target.address + target.num), True
    for interface in interfaces:
        end = interface.entry_end if interface.entry < interface.entry_end <= len(operations) else len(operations)
        yield -1, range(interface.entry, end), True


def _removable(operations: Sequence[Operation], interfaces: Sequence[Interface], removed: Sequence[int]) -> frozenset[int]:
    """The words of `removed` that can go: each block that stays keeps a word."""
    gone = set(removed)
    for pc, stretch, needed in regions(operations, interfaces):
        if needed and pc not in gone and stretch and gone.issuperset(stretch):
            gone.discard(stretch[-1])
    return frozenset(gone)


def moved(size: int, gone: frozenset[int]) -> list[int]:
    """The new address of each address of a program, its end too."""
    addresses = [0]
    for pc in range(size):
        addresses.append(addresses[-1] + (pc not in gone))
    return addresses


def _at(addresses: Sequence[int], address: int) -> int:
    """The new address; one past the end keeps its distance."""
    last = len(addresses) - 1
    return addresses[address] if 0 <= address <= last else address - last + addresses[last]


def retargeted(operation: Operation, addresses: Sequence[int]) -> Operation:
    """An operation whose target is at its new address."""
    target = operation.operands[-1] if operation.operands else None
    if not isinstance(target, Target):
        return operation
    address, num = target
    kind = operation.op.kind
    if kind == LOOP:
        found = Target(_at(addresses, address + 1) - 1, num)
    elif kind == JUMP:
        found = Target(_at(addresses, address), num)
    else:
        start = _at(addresses, address)
        found = Target(start, _at(addresses, address + num) - start)
    return operation._replace(operands=(*operation.operands[:-1], found)) if found != target else operation


def _interface(interface: Interface, addresses: Sequence[int]) -> Interface:
    return interface._replace(entry=_at(addresses, interface.entry), entry_end=_at(addresses, interface.entry_end))


def _procedures(procedures: Sequence[Procedure], addresses: Sequence[int]) -> Iterator[Procedure]:
    for procedure in procedures:
        start = _at(addresses, procedure.start)
        yield procedure._replace(start=start, size=_at(addresses, procedure.start + procedure.size) - start)
