"""Comparisons of the same registers as one: each `cmp` computes two flags, of which many programs test one.

cmp zero.xx, eq, eq, r0.zz           cmp zero.xx, eq, le, r0.zz
jmpc cmp.x, hidden             ->    jmpc cmp.x, hidden
cmp zero.xx, le, le, r0.zz           jmpc cmp.y, near
jmpc cmp.x, near
"""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import Candidate, selector_of, sources_of, with_sources
from lanewise.pica200.opt.parts import LARGEST, MOST_APART
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.isa.program import Operand, Operation
    from lanewise.pica200.opt.values import Values

_ONE_FLAG = 2  # `combine` of a condition that tests x only; that of y is the next


def compared(values: Values) -> Iterator[Candidate]:
    """Pairs of comparisons that one can do: of the flags of each one is tested, in front of the next comparison."""
    operations = values.context.operations
    if len(operations) > LARGEST:  # proofs of what cannot be joined take long there
        return
    places = [pc for pc in sorted(values.places) if values.context.row(pc).writes == ("cmp",)]
    tests = {pc: found for pc in values.places if (found := _condition(operations[pc])) is not None}
    for n, (first, second) in enumerate(pairwise(places)):
        reads = values.context.effect(second).reads
        if second - first > MOST_APART or any(
            values.context.effect(pc).writes & reads for pc in range(first + 1, second) if pc in values.places
        ):
            continue
        end = places[n + 2] if n + 2 < len(places) else len(operations)
        mine = _flag([test for pc, test in tests.items() if first < pc < second])
        theirs = _flag([test for pc, test in tests.items() if second < pc < end])
        both = _both(operations[first], operations[second], mine, theirs)
        if both is None:
            continue
        changed = {
            pc: _tested(operations[pc], 1 - mine, test.x if theirs == 0 else test.y)
            for pc, test in tests.items()
            if second < pc < end
        }
        message = f"the comparisons in {values.listed([first, second])} are of the same registers, with one flag each"
        fix = f"compare both in {values.context.place(first)}, and test `cmp.{'yx'[mine]}` in {values.listed([*changed])}"
        edit = Edit((second,), ((first, both), *changed.items()))
        yield Candidate("", Finding(message=message, fix=fix, pc=second), edit)


def _condition(operation: Operation) -> Condition | None:
    return next((operand for operand in operation.operands if isinstance(operand, Condition)), None)


def _flag(tests: Sequence[Condition]) -> int:
    """The flag that some conditions test, 0 for x; -1 for both or none."""
    found = {test.combine for test in tests}
    return found.pop() - _ONE_FLAG if len(found) == 1 and min(found) >= _ONE_FLAG else -1


def _tested(operation: Operation, flag: int, wanted: int) -> Operation:
    """A conditional with another flag."""
    condition = Condition(_ONE_FLAG + flag, *((wanted, 1) if flag == 0 else (1, wanted)))
    return operation._replace(
        operands=tuple([condition if isinstance(each, Condition) else each for each in operation.operands])
    )


def _both(first: Operation, second: Operation, mine: int, theirs: int) -> Operation | None:
    """A comparison with a flag of one where it is, and that of another as the other flag; None where there is none."""
    sources, others = sources_of(first), sources_of(second)
    if (
        mine < 0
        or theirs < 0
        or [each._replace(selector=0) for each in sources] != [each._replace(selector=0) for each in others]
    ):
        return None
    selectors: dict[int, Sequence[int]] = {}
    for n, (one, other) in enumerate(zip(sources, others, strict=True)):
        slots = [SLOTS[one.selector][mine]] * 4
        slots[1 - mine] = SLOTS[other.selector][theirs]
        selectors[n] = slots
    changed = {n: sources[n]._replace(selector=selector_of(slots)) for n, slots in selectors.items()}
    relations = {mine: _relations(first)[mine], 1 - mine: _relations(second)[theirs]}
    found = with_sources(_related(first, relations), changed)
    return found if sources_fault(found.op, sources_of(found)) is None else None


def _relations(operation: Operation) -> list[int]:
    return [operand for operand in operation.operands if isinstance(operand, int)]


def _related(operation: Operation, relations: Mapping[int, int]) -> Operation:
    """A comparison with other relations, by flag."""
    waiting = [relations[0], relations[1]]
    operands: list[Operand] = [waiting.pop(0) if isinstance(each, int) else each for each in operation.operands]
    return operation._replace(operands=tuple(operands))


__all__ = ["compared"]
