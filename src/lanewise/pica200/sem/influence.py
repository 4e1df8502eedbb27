"""What depends on what within one instruction: which components of its sources make each component that it computes.

Found by running the instruction's own meaning on sets instead of numbers, so that no second table has to agree with `sem.pica200`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Meaning, Result

# (number of the source from 0, slot 0-3 after its selector)
Slot = tuple[int, int]
Slots = frozenset[Slot]

_NONE: Slots = frozenset()


class _Influence:
    """The words of the algebra on sets of slots: the result of a word depends on all that its arguments depend on."""

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


def influence(instruction: ResolvedInst) -> Result[Slots, Slots, Slots]:
    """For everything that an instruction computes, before the mask, the slots of its sources that it is made of."""
    return _influence(instruction.meaning, len(instruction.sources), instruction.immediates)


@cache
def _influence(meaning: Meaning, sources: int, immediates: tuple[int, ...]) -> Result[Slots, Slots, Slots]:
    """There are as many of these as rows of the table, and one for each pair of CMP's operators."""
    vectors = [tuple(frozenset([(number, slot)]) for slot in range(4)) for number in range(sources)]
    return meaning(_SETS, *vectors, *immediates)


def written(instruction: ResolvedInst) -> dict[tuple[str, int], Slots]:
    """What an instruction really writes, `dst`, `a0` or `cmp` with a component from 0 (x), each with what it is made of."""
    result, mask = influence(instruction), instruction.dest.mask
    found: dict[tuple[str, int], Slots] = {}
    for component, slots in enumerate(result.get("dst", ())):
        if mask >> (3 - component) & 1:
            found["dst", component] = slots
    for component, slots in enumerate(result.get("a0", ())):
        if mask >> (3 - component) & 1:
            found["a0", component] = slots
    for component, slots in enumerate(result.get("cmp", ())):
        if not instruction.kept[component]:
            found["cmp", component] = slots
    return found
