"""Dependence within one instruction: result components on source components.

Computed by running the instruction's own meaning on sets instead of numbers, so that no second table has to agree with
`sem.meaning`. The descriptor bits that the hardware reads and the components that it multiplies are derived in the same manner.
"""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import Descriptor
from lanewise.pica200.sem.meaning import MEANING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Meaning, Result

# (number of the source from 0, slot 0-3 after its selector)
Slot = tuple[int, int]
Slots = frozenset[Slot]

_NONE: Slots = frozenset()


class _Influence:
    """The operations on sets of slots: a result depends on all that its arguments depend on."""

    def constant(self, value: float) -> Slots:
        return _NONE

    def negate(self, a: Slots) -> Slots:
        return a

    def flush(self, a: Slots) -> Slots:
        return a

    def add(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def mul(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def mad(self, a: Slots, b: Slots, c: Slots) -> Slots:
        return a | b | c

    def dot(self, a: Sequence[Slots], b: Sequence[Slots]) -> Slots:
        return _NONE.union(*a, *b)

    def max(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def min(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def at_least(self, a: Slots, low: Slots) -> Slots:
        return a | low

    def at_most(self, a: Slots, high: Slots) -> Slots:
        return a | high

    def floor(self, a: Slots) -> Slots:
        return a

    def rcp(self, a: Slots) -> Slots:
        return a

    def rsq(self, a: Slots) -> Slots:
        return a

    def exp2(self, a: Slots) -> Slots:
        return a

    def log2(self, a: Slots) -> Slots:
        return a

    def compare(self, op: int, a: Slots, b: Slots) -> Slots:
        return a | b

    def not_negative(self, a: Slots) -> Slots:
        return a

    def select(self, condition: Slots, a: Slots, b: Slots) -> Slots:
        return condition | a | b

    def to_integer(self, a: Slots) -> Slots:
        return a

    def boolean(self, value: bool) -> Slots:
        return _NONE

    def invert(self, a: Slots) -> Slots:
        return a

    def both(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def either(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def integer(self, value: int) -> Slots:
        return _NONE

    def integer_add(self, a: Slots, b: Slots) -> Slots:
        return a | b

    def integer_and(self, a: Slots, mask: int) -> Slots:
        return a

    def integer_within(self, a: Slots, low: int, high: int) -> Slots:
        return a

    def integer_select(self, condition: Slots, a: Slots, b: Slots) -> Slots:
        return condition | a | b

    def look_up(self, rows: Sequence[Vector[Slots]], index: Slots) -> Vector[Slots]:
        raise TypeError("a meaning gets vectors that have been fetched")


_SETS = _Influence()


class _Factors(_Influence):
    """The same, and `found` collects the slots that are multiplied by something that can be zero."""

    def __init__(self) -> None:
        self.found = _NONE

    def mul(self, a: Slots, b: Slots) -> Slots:
        if a and b:  # a constant depends on no slot
            self.found |= a | b
        return super().mul(a, b)

    def mad(self, a: Slots, b: Slots, c: Slots) -> Slots:
        return self.mul(a, b) | c

    def dot(self, a: Sequence[Slots], b: Sequence[Slots]) -> Slots:
        return _NONE.union(*[self.mul(x, y) for x, y in zip(a, b, strict=True)])


def influence(instruction: ResolvedInst) -> Result[Slots, Slots, Slots]:
    """The source slots that each result component depends on, before the write mask."""
    return _influence(instruction.meaning, len(instruction.sources), instruction.immediates)


@cache
def _influence(meaning: Meaning, sources: int, immediates: tuple[int, ...]) -> Result[Slots, Slots, Slots]:
    """Cached: one for each row of the table, and one for each pair of CMP's operators."""
    return meaning(_SETS, *_vectors(sources), *immediates)


def _vectors(sources: int) -> list[Vector[Slots]]:
    """Source vectors of which each component depends on itself."""
    return [(frozenset([(n, 0)]), frozenset([(n, 1)]), frozenset([(n, 2)]), frozenset([(n, 3)])) for n in range(sources)]


def written(instruction: ResolvedInst) -> Mapping[tuple[str, int], Slots]:
    """The components that an instruction writes, with the slots each depends on.

    The keys are (`dst`, `a0` or `cmp`, component from 0 for x).
    """
    meaning, sources, dest, immediates, _, kept, _ = instruction
    return _written(meaning, len(sources), immediates, dest.mask, kept)


@cache
def _written(
    meaning: Meaning, sources: int, immediates: tuple[int, ...], mask: int, kept: tuple[bool, bool]
) -> Mapping[tuple[str, int], Slots]:
    """Cached: one for each row of the table and each mask."""
    found = _under_mask(_influence(meaning, sources, immediates), mask)
    for component, keeps in enumerate(kept):
        if keeps:
            found.pop(("cmp", component), None)
    return found


def _under_mask(result: Result[Slots, Slots, Slots], mask: int) -> dict[tuple[str, int], Slots]:
    """The components that a write mask lets through: it governs `dst` and `a0`, never `cmp`."""
    found: dict[tuple[str, int], Slots] = {}
    for component, slots in enumerate(result.get("dst", ())):
        if mask >> (3 - component) & 1:
            found["dst", component] = slots
    for component, slots in enumerate(result.get("a0", ())):
        if mask >> (3 - component) & 1:
            found["a0", component] = slots
    for component, slots in enumerate(result.get("cmp", ())):
        found["cmp", component] = slots
    return found


# Of a row of the table


@cache
def slots_read(op: Op, mask: int = 0xF) -> tuple[tuple[int, ...], ...]:
    """The slots of each source that affect what is written under a write mask.

    Raises KeyError unless the row computes.
    """
    read = _NONE.union(*_under_mask(_of_row(op), mask).values())
    return tuple([tuple(slot for slot in range(4) if (n, slot) in read) for n in range(op.source_count)])


@cache
def descriptor_bits_read(op: Op, mask: int = 0xF) -> int:
    """The descriptor bits that affect what is written under a write mask.

    0 for rows without a descriptor.
    """
    if op.base not in MEANING:
        return 0
    masked = {component for what, component in _under_mask(_of_row(op), 0xF) if what != "cmp"}
    bits = Descriptor.MASK.insert(sum(8 >> component for component in masked))
    for n, slots in enumerate(slots_read(op, mask)):
        if slots:
            bits |= Descriptor.NEGATE[n].mask | Descriptor.SELECTOR[n].insert(sum(0xC0 >> 2 * slot for slot in slots))
    return bits


@cache
def factors(op: Op) -> Slots:
    """The slots that an instruction multiplies by a slot, so that 0 * inf can occur.

    Empty for instructions that do not compute.
    """
    m = _Factors()
    if op.base in MEANING:
        MEANING[op.base](m, *_vectors(op.source_count), *_immediates(op))
    return m.found


def _of_row(op: Op) -> Result[Slots, Slots, Slots]:
    return _influence(MEANING[op.base], op.source_count, _immediates(op))


def _immediates(op: Op) -> tuple[int, ...]:
    """Comparison operators, where the meaning takes some; their values do not matter here."""
    return (0,) * op.operands.count("cmp")
