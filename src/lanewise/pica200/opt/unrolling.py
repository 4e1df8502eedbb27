"""Loops as their bodies, one after the other; only when asked for.

A loop can be unrolled when its count, start and step are known: constants of the file that the application does not overwrite,
or values given. The caller proves the result and decides whether it is better.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Source, Target
from lanewise.pica200.isa.table import BREAK, CALL, FLOAT, INTEGER, JUMP, LOOP, register_name
from lanewise.pica200.opt.editing import Draft, retargeted, with_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.isa.program import Interface, Operation

_AL = 3
_COUNT = 4  # integer registers
_SIGNED = 128  # values of aL from here on are negative in some profiles


def known_counts(
    interfaces: Sequence[Interface], given: Mapping[int, Sequence[int]], *, constants: bool
) -> dict[int, Sequence[int]]:
    """Integer registers whose values are known, and the same in every shader of the file."""
    found: dict[int, Sequence[int]] = {}
    if constants:
        tables = [
            {one.register: one.values for one in interface.constants if INTEGER <= one.register < INTEGER + _COUNT}
            for interface in interfaces
        ]
        first = tables[0] if tables else {}
        found = {register: one for register, one in first.items() if all(other.get(register) == one for other in tables)}
    return {**found, **given}


def given_integers(values: Mapping[str, Sequence[int]], interfaces: Sequence[Interface]) -> dict[int, tuple[int, ...]]:
    """Values of integer registers by their names or those of uniforms: count - 1, start, step. Raises ValueError."""
    names = {register_name(register): register for register in range(INTEGER, INTEGER + _COUNT)}
    for interface in interfaces:
        for uniform in interface.uniforms:
            for register in range(max(uniform.first, INTEGER), min(uniform.last + 1, INTEGER + _COUNT)):
                name = uniform.name if uniform.size == 1 else f"{uniform.name}[{register - uniform.first}]"
                names.setdefault(name, register)
    found: dict[int, tuple[int, ...]] = {}
    for name, value in values.items():
        if name not in names:
            raise ValueError(f"{name}: unknown integer register; this file has {', '.join(names)}")
        if not 1 <= len(value) <= 4 or not all(0 <= number <= 255 for number in value):
            raise ValueError(f"{name}={','.join(map(str, value))}: expected 1 to 4 numbers from 0 to 255")
        found[names[name]] = (*value, *[0] * (4 - len(value)))
    return found


def loops_of(draft: Draft, counts: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """The innermost loops whose values are known: the address, and how often they run."""
    operations = draft.program.operations
    for pc, operation in enumerate(operations):
        if operation.op.kind == LOOP:
            register, target = operation.operands
            if not isinstance(target, Target) or INTEGER + _number(register) not in counts:
                continue
            if all(inner.op.kind != LOOP for inner in operations[pc + 1 : target.address + 1]):
                yield pc, counts[INTEGER + _number(register)][0] + 1


def unrolled(draft: Draft, pc: int, counts: Mapping[int, Sequence[int]], most: int) -> Draft | None:
    """The draft without the loop at an address; None where it has more than `most` words, or where flow enters or leaves the
    body by a break, a jump or a label."""
    program = draft.program
    operations = program.operations
    register, target = operations[pc].operands
    if not isinstance(target, Target):
        return None
    count, start, step = counts[INTEGER + _number(register)][:3]
    begin, end = pc + 1, target.address + 1
    size, rounds = end - begin, count + 1
    total = len(operations) - 1 + size * (rounds - 1)
    if size < 1 or end > len(operations) or total > most or not _closed(operations, begin, end):
        return None
    names = [*program.labels.values(), *[at for each in program.procedures for at in (each.start, each.start + each.size)]]
    if any(begin < at < end for at in names):
        return None
    shift = size * (rounds - 1) - 1
    outside = [at if at <= pc else at - 1 if at < end else at + shift for at in range(len(operations) + 1)]
    repeated = [retargeted(operation, outside) for operation in operations[:pc]]
    for number in range(rounds):
        first = pc + size * number
        inside = [first + at - begin if begin <= at <= end else outside[at] for at in range(len(operations) + 1)]
        for operation in operations[begin:end]:
            one = _with_index(retargeted(operation, inside), start + number * step)
            if one is None:
                return None
            repeated.append(one)
    repeated += [retargeted(operation, outside) for operation in operations[end:]]
    origins = (*draft.origins[:pc], *draft.origins[begin:end] * rounds, *draft.origins[end:])
    return Draft(with_addresses(program, outside)._replace(operations=tuple(repeated)), origins)


def _number(operand: object) -> int:
    return operand if isinstance(operand, int) else -1


def _closed(operations: Sequence[Operation], begin: int, end: int) -> bool:
    """Whether flow enters a body at its beginning only and leaves it at its end only; calls may leave it and come back."""
    for pc, operation in enumerate(operations):
        target = operation.operands[-1] if operation.operands else None
        inside = begin <= pc < end
        kind = operation.op.kind
        if inside and kind == BREAK:
            return False
        if not isinstance(target, Target):
            continue
        if inside and kind == JUMP and not begin <= target.address < end:
            return False
        if not inside and kind in (JUMP, CALL) and begin <= target.address < end:
            return False
        if kind == CALL and target.address < end and begin < target.address + target.num and target.address + target.num < end:
            return False
    return True


def _with_index(operation: Operation, al: int) -> Operation | None:
    """An operation in which aL is a number; None where that leads out of the float uniforms."""
    operands = list(operation.operands)
    for n, operand in enumerate(operands):
        if isinstance(operand, Source) and operand.relative == _AL:
            register = operand.register + al
            if al >= _SIGNED or not FLOAT <= operand.register <= register < INTEGER:
                return None
            operands[n] = operand._replace(register=register, relative=0)
    return operation._replace(operands=tuple(operands), descriptor=-1)


__all__ = ["given_integers", "known_counts", "loops_of", "unrolled"]
