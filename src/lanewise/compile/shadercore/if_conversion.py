"""If-conversion: predicates, selections and indices without branches.

A predicate is known (`True`, `False`), or a value that is 1.0 or 0.0 in each lane. Selection is bitwise with masks of 32 ones
or zeros, so the branch that is not taken, even with a NaN or an infinity, has no effect on the result.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.isa.table import NONE
from lanewise.shadercore.sem.numbers import MINUS_ONE, ONE
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.shadercore.building import Builder

Predicate = bool | Ref


class Index(NamedTuple):
    """A number that becomes an index: the value, its rounding (`floor`, or to nearest with ties to `even`, `up`, `away`), and
    what is added to that."""

    value: Ref
    how: str
    offset: int = 0


class Predicates:
    """Predicates that a builder computes."""

    def __init__(self, builder: Builder, *, sums: bool = False) -> None:
        """`sums`: a value, or the same and another, is a sum whose other part is selected. A subnormal number may be a zero
        then, and a NaN another."""
        self._b = builder
        self._sums = sums and builder.optimise
        self._inverse: dict[Ref, Ref] = {}
        self._turned: set[Ref] = set()  # those that an operation has made of their inverse
        self._masks: dict[Ref, Ref] = {}
        self._parts: dict[Ref, frozenset[Ref]] = {}  # of truth values that are several at once
        self._selections: dict[Ref, tuple[Ref, Ref, Ref]] = {}
        self._hot: dict[Index, Predicate] = {}

    def ordered(self, a: Ref, b: Ref, *, or_equal: bool) -> Predicate:
        return self._known(self._b.at_least(a, b) if or_equal else self._b.less(a, b))

    def _known(self, found: Ref) -> Predicate:
        bits = self._b.bits(found)
        return found if bits is None else bits == ONE

    def number(self, truth: Predicate) -> Ref:
        """1.0 or 0.0."""
        return self._b.constant(ONE if truth else 0) if isinstance(truth, bool) else truth

    def invert(self, a: Predicate) -> Predicate:
        return not a if isinstance(a, bool) else self._inverted(a)

    def _inverted(self, a: Ref) -> Ref:
        if a not in self._inverse:
            inverse = self._b.at_least(self._b.constant(0), a)
            self._inverse[a], self._inverse[inverse] = inverse, a
            self._turned.add(inverse)
        return self._inverse[a]

    def both(self, a: Predicate, b: Predicate) -> Predicate:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        if self._inverse.get(a) == b:
            return False
        first, second = self._all(a), self._all(b)
        if self._b.optimise and (first <= second or second <= first):
            return b if first <= second else a
        parts = first | second
        if any(self._inverse.get(part) in parts for part in parts):
            return False
        found = self._b.bit_and(a, b)
        if found not in parts:
            self._parts[found] = parts
        return found

    def either(self, a: Predicate, b: Predicate) -> Predicate:
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        if self._inverse.get(a) == b:
            return True
        if self._b.optimise and {a, b} <= self._turned:  # one operation to join what they were made of, one to invert it
            return self.invert(self.both(self._inverse[a], self._inverse[b]))
        found, common = self._b.bit_or(a, b), self._all(a) & self._all(b)
        if common:
            self._parts.setdefault(found, common | {found})
        return found

    def mask(self, truth: Ref) -> Ref:
        """32 ones where the truth value is 1.0, else zeros."""
        if truth not in self._masks:
            half = self._b.unorm(truth, 16)
            self._masks[truth] = self._b.bit_or(half, self._b.shift_left(half, 16))
        return self._masks[truth]

    def select(self, condition: Predicate, a: Ref, b: Ref) -> Ref:
        """a where the condition holds, else b, bit for bit."""
        if isinstance(condition, bool):
            return a if condition else b
        a, b = self.where(condition, a), self._elsewhere(condition, b)
        if a == b:
            return a
        if self._b.optimise and a in self._selections:
            inner, yes, no = self._selections[a]
            if no in (b, self._elsewhere(inner, b)):
                return self.select(self.both(condition, inner), yes, b)
        if self._b.optimise and b in self._selections:
            inner, yes, no = self._selections[b]
            if yes == a:
                return self.select(self.either(condition, self._unless(condition, inner)), a, no)
        if self._sums and self._is_sum(a, b):
            return self._added(condition, a, b)
        if self._sums and self._is_sum(b, a):
            return self._added(self._inverted(condition), b, a)
        known = self._b.bits(a), self._b.bits(b)
        if known == (ONE, 0):
            return condition
        if known == (0, ONE):
            return self._inverted(condition)
        if known[1] == 0:
            found = self._b.bit_and(a, self.mask(condition))
        elif known[0] == 0:
            found = self._b.bit_and(b, self.mask(self._inverted(condition)))
        else:
            first = self._b.bit_and(a, self.mask(condition))
            found = self._b.bit_or(first, self._b.bit_and(b, self.mask(self._inverted(condition))))
        self._selections[found] = condition, a, b
        return found

    def _is_sum(self, a: Ref, b: Ref) -> bool:
        """Whether a is the sum of b, which is not known, and something."""
        node = self._b.nodes[a.node]
        return node.op == "add" and not node.saturate and a.modifier == NONE and b in node.sources and self._b.bits(b) is None

    def _added(self, condition: Ref, a: Ref, b: Ref) -> Ref:
        """The selection of a = b + x or b: b - (-x or 0), as b - 0 is b even for -0."""
        first, second = self._b.nodes[a.node].sources
        other = second if first == b else first
        return self._b.add(b, self._b.negate(self.select(condition, self._b.negate(other), self._b.constant(0))))

    def where(self, condition: Predicate, value: Ref) -> Ref:
        """A value that has the same bits where the condition holds, and anything elsewhere: an arm, if the value was selected
        by what holds whenever the condition does, or never."""
        if not self._b.optimise or not isinstance(condition, Ref):
            return value
        here = self._all(condition)
        while True:
            if value == condition or value in here:
                return self._b.constant(ONE)
            if self._inverse.get(value) in here:
                return self._b.constant(0)
            if value not in self._selections:
                break
            chosen, a, b = self._selections[value]
            if self._all(chosen) <= here:
                value = a
            elif any(self._inverse.get(part) in here for part in self._all(chosen)):
                value = b
            else:
                break
        return value

    def _elsewhere(self, condition: Ref, value: Ref) -> Ref:
        """A value that has the same bits where the condition does not hold."""
        while self._b.optimise:
            if value == condition:
                return self._b.constant(0)
            if value not in self._selections:
                break
            chosen, a, b = self._selections[value]
            if self._all(condition) <= self._all(chosen):
                value = b
            elif self._inverse.get(condition) == chosen:
                value = a
            else:
                break
        return value

    def _unless(self, condition: Ref, truth: Ref) -> Ref:
        """A truth value that is the same where the condition does not hold: without what holds there anyway."""
        left = self._all(truth) - {self._inverse.get(condition)}
        return min(left) if len(left) == 1 else truth

    def _all(self, truth: Ref) -> frozenset[Ref]:
        """The truth values that hold whenever this one does, as far as that is known."""
        return self._parts.get(truth) or frozenset((truth,))

    # Indices

    def is_zero(self, index: Index) -> Predicate:
        """Whether an index is 0; `one_hot` for it alone. Every component of every row of an array asks."""
        found = self._hot.get(index)
        if found is None:
            found = self.one_hot(index, 1)[0]
            if self._b.optimise:
                self._hot[index] = found
        return found

    def one_hot(self, index: Index, count: int, *, clamped: bool = False) -> list[Predicate]:
        """For each of the indices 0 to count - 1 whether it is this one. A NaN is none of them. `clamped`: what lies outside,
        and a NaN, is the nearest, and 0.

        Of neighbouring bounds the lower is passed wherever the upper is, so a difference of both is 1.0 or 0.0.
        """
        b = self._b
        if clamped and count == 1:
            return [True]
        bounds = range(1, count) if clamped else range(count + 1)
        passed = [self._number_at_least(index, k - index.offset) for k in bounds]
        inner = [self._known(b.add(low, b.negate(high))) for low, high in pairwise(passed)]
        return [self.invert(self._known(passed[0])), *inner, self._known(passed[-1])] if clamped else inner

    def _number_at_least(self, index: Index, k: int) -> Ref:
        """1.0 where the index, without its offset, is k or more."""
        b = self._b
        if index.how == "floor":
            return b.at_least(index.value, self._whole(2 * k))
        bound = self._whole(2 * k - 1)  # k - 1/2 is k with ties up, else it depends on k
        up = index.how == "up" or (index.how == "even" and k % 2 == 0) or (index.how == "away" and k > 0)
        return b.at_least(index.value, bound) if up else b.less(bound, index.value)

    def _whole(self, doubled: int) -> Ref:
        """Half of an integer as a number; exact for all that are indices."""
        return self._b.constant(float_bits(doubled / 2), "index")

    def look_up(self, rows: Sequence[Ref], hot: Sequence[Predicate], outside: Ref) -> Ref:
        """The row whose truth value holds; `outside` where none does."""
        b = self._b
        found: Ref | None = None
        for row, truth in zip(rows, hot, strict=True):
            if truth is True:
                return row
            if truth is False:
                continue
            part = b.bit_and(row, self.mask(truth))
            found = part if found is None else b.bit_or(found, part)
        if found is None:
            return outside
        if b.bits(outside) == 0:
            return found
        inside: Predicate = False
        for truth in hot:
            inside = self.either(inside, truth)
        return self.select(inside, found, outside)


def float_bits(value: float) -> int:
    """The pattern of a number that float32 holds exactly. Raises ValueError."""
    import struct

    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    if struct.unpack("<f", struct.pack("<I", bits))[0] != value:
        raise ValueError(f"{value} is not a float32")
    return bits


assert NONE == 0 and MINUS_ONE >> 31
