"""How far apart two terms may be where their inputs are in ranges: a bound in units in the last place, or why there is none.

Both terms are taken as what they would be without rounding, polynomials over what they share. Where these are the same, each
term is that number with an error that follows from the ranges: an absolute one, and a relative one where nothing cancels. What
both programs compute by the same operations has no error between them. Orders of two operands count for nothing, as ranges
leave NaN out and the sign of a zero is no distance.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.proving.terms import Term

LEAF, NUMBER, ADD, MUL, NEGATE, ABSOLUTE = "leaf", "number", "add", "mul", "negate", "absolute"
MAX, MIN, SATURATE, SELECT, RECIPROCAL, SAME, OTHER = "max", "min", "saturate", "select", "reciprocal", "same", "other"
_COMMUTING = frozenset((ADD, MUL, MAX, MIN))
_MOST_PRODUCTS = 2_000  # of a polynomial
_MOST_TERMS = 4_000
_DIGITS = 64  # bits that an end of a range keeps
_ONE, _ZERO = Fraction(1), Fraction(0)

Polynomial = dict[tuple[int, ...], Fraction]  # the factor of each product of atoms
Ends = tuple[Fraction, Fraction]


class Unproved(Exception):
    """There is no bound; the text says why."""


class Rounding(NamedTuple):
    """How an operation rounds: relative to its result, and by how much more where it is close to 0."""

    relative: Fraction
    absolute: Fraction


class Model(Record):
    """How a machine rounds."""

    bits: int
    "Bits of a significand."
    add: Rounding
    "Sums; relative to the greater operand where two signs cancel and `cancelled` is not None."
    cancelled: Fraction | None
    "The error of a sum of two signs relative to the greater operand; None: relative to the sum, as of one sign."
    mul: Rounding
    "Products."
    reciprocal: Rounding | None
    "Reciprocals; None: not known."
    lowest: int
    "The exponent of the smallest unit in the last place."
    flushes: bool
    "Results that would be subnormal are 0."
    largest: Fraction = Fraction(2) ** 120
    "Numbers that are computed with are not above it: no operation gives an infinity."
    smallest: Fraction = Fraction(1, 2**100)
    "Products, divisors and operands of sums that may cancel are not below it."


class View(Protocol):
    """The terms of an instruction set."""

    def operation(self, term: Term) -> tuple[str, Sequence[Term]]:
        """One of `LEAF` to `OTHER`, and its operands; a `SELECT` has the truth first, `SAME` is its operand."""
        ...

    def number(self, term: Term) -> Fraction:
        """The value of a `NUMBER`. Raises Unproved for an infinity or NaN."""
        ...

    def ends(self, term: Term) -> Ends:
        """The range of a `LEAF`. Raises Unproved where there is none."""
        ...

    def title(self, term: Term) -> str:
        """The name of an operation without a bound."""
        ...


class _Value(Record):
    """A number that is computed: what it would be without rounding, and how far it is from that."""

    ideal: Polynomial
    "What it would be."
    ends: Ends
    "The range of what it would be."
    error: Fraction
    "How far it may be from that."
    relative: Fraction | None
    "The same relative to what it would be, less than 1; None: not bounded."
    computed: Ends
    "The range of the number itself."

    @property
    def size(self) -> Fraction:
        low, high = self.ends
        return max(abs(low), abs(high))

    @property
    def least(self) -> Fraction:
        """The least magnitude."""
        low, high = self.ends
        return max(low, -high, _ZERO)

    @property
    def sign(self) -> int:
        """1 where neither the number nor what it would be is negative, -1 where neither is positive; else 0."""
        low, high = min(self.ends[0], self.computed[0]), max(self.ends[1], self.computed[1])
        return 1 if low >= 0 else -1 if high <= 0 else 0


class Rounded:
    """Bounds of pairs of terms in one collection."""

    def __init__(self, view: View, model: Model) -> None:
        self._view, self._model = view, model
        self._keys: dict[tuple[object, ...], int] = {}  # of terms whose operands may be in another order
        self._nodes: list[tuple[Term, Sequence[int]]] = []
        self._of_term: dict[Term, int] = {}
        self._atoms: dict[tuple[object, ...], int] = {}

    def bound(self, a: Term, b: Term) -> int:
        """The most units in the last place that two terms may be apart. Raises Unproved."""
        pair = self._canonical(a), self._canonical(b)
        shared = self._reached(pair[0]) & self._reached(pair[1])
        reasons: list[Unproved] = []
        for kept in (frozenset(shared), frozenset[int]()):  # with what both compute as it is, then from the inputs
            values: dict[int, _Value] = {}
            try:
                one, other = (self._value(each, kept, values) for each in pair)
                return 0 if pair[0] == pair[1] else self._apart(one, other)
            except Unproved as reason:
                reasons.append(reason)
        raise reasons[0]

    # Terms

    def _canonical(self, term: Term) -> int:
        """The number of a term, which those have too whose operands are in another order."""
        waiting = [term]
        while waiting:
            each = waiting[-1]
            if each in self._of_term:
                waiting.pop()
                continue
            op, operands = self._view.operation(each)
            parts = operands[1:] if op == SELECT else operands
            lacking = [part for part in parts if part not in self._of_term] if op != OTHER else []
            if lacking:
                waiting += lacking
                continue
            if op == SAME:
                self._of_term[each] = self._of_term[parts[0]]
                waiting.pop()
                continue
            own = [self._of_term[part] for part in parts] if op not in (OTHER, LEAF, NUMBER) else []
            ordered = sorted(own) if op in _COMMUTING else own
            key = (op, *([operands[0]] if op == SELECT else []), *ordered) if own else (op, each)
            number = self._keys.setdefault(key, len(self._nodes))
            if number == len(self._nodes):
                self._nodes.append((each, own))
            self._of_term[each] = number
            waiting.pop()
        return self._of_term[term]

    def _reached(self, number: int) -> set[int]:
        found: set[int] = set()
        waiting = [number]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self._nodes[each][1]
        if len(found) > _MOST_TERMS:
            raise Unproved("there are too many operations")
        return found

    # Values

    def _value(self, number: int, kept: frozenset[int], values: dict[int, _Value]) -> _Value:
        for each in sorted(self._reached(number)):  # operands have lower numbers
            if each not in values:
                found = self._made(each, [values[part] for part in self._nodes[each][1]])
                low, high = found.computed
                if max(-low, high) > self._model.largest:
                    raise Unproved(f"{self._view.title(self._nodes[each][0])} may be too large")
                if each in kept and self._view.operation(self._nodes[each][0])[0] != NUMBER:
                    found = self._atom((each,), (low, high))
                values[each] = found
        return values[number]

    def _atom(self, key: tuple[object, ...], ends: Ends) -> _Value:
        """A number without error."""
        return self._opaque(key, ends, ends, (_ZERO, _ZERO))

    def _opaque(self, key: tuple[object, ...], ends: Ends, computed: Ends, errors: tuple[Fraction, Fraction | None]) -> _Value:
        """A number that is one factor of a polynomial; `errors` are the absolute and the relative one."""
        atom = self._atoms.setdefault(key, len(self._atoms))
        return _Value(ideal={(atom,): _ONE}, ends=ends, error=errors[0], relative=errors[1], computed=computed)

    def _made(self, number: int, operands: Sequence[_Value]) -> _Value:
        term, _ = self._nodes[number]
        op, _ = self._view.operation(term)
        if op == NUMBER:
            value = self._view.number(term)
            ends = value, value
            return _Value(ideal={(): value} if value else {}, ends=ends, error=_ZERO, relative=_ZERO, computed=ends)
        if op == LEAF:
            return self._atom((op, term), self._view.ends(term))
        if op == OTHER:
            raise Unproved(f"nothing is known of the range of {self._view.title(term)}")
        make = {
            ADD: self._sum,
            MUL: self._product,
            NEGATE: _negated,
            ABSOLUTE: self._absolute,
            MAX: self._extreme,
            MIN: self._extreme,
            SATURATE: self._saturated,
            SELECT: self._selected,
            RECIPROCAL: self._reciprocal,
        }[op]
        return make(term, *operands)

    def _sum(self, term: Term, a: _Value, b: _Value) -> _Value:
        model = self._model
        ends = _outward((a.ends[0] + b.ends[0], a.ends[1] + b.ends[1]))
        error, relative = a.error + b.error, None
        total = a.computed[0] + b.computed[0], a.computed[1] + b.computed[1]
        rounding = model.add.relative * max(abs(total[0]), abs(total[1]))
        sign = a.sign if a.sign == b.sign else 0
        if not sign:
            if model.cancelled is not None and min(a.least - a.error, b.least - b.error) < model.smallest:
                raise Unproved(f"{self._view.title(term)} may cancel close to 0")
            if model.cancelled is not None:
                rounding = model.cancelled * max(a.size + a.error, b.size + b.error)
            rounding += model.add.absolute
        elif a.relative is not None and b.relative is not None:
            relative = _up((1 + max(a.relative, b.relative)) * (1 + model.add.relative) - 1)
        else:
            rounding += model.add.absolute
        error += rounding
        ideal = {**a.ideal}
        for product, factor in b.ideal.items():
            ideal[product] = ideal.get(product, _ZERO) + factor
            if not ideal[product]:
                del ideal[product]
        computed = _signed(total, rounding, sign)
        return _Value(ideal=ideal, ends=ends, error=_up(error), relative=_below_one(relative), computed=computed)

    def _product(self, term: Term, a: _Value, b: _Value) -> _Value:
        rounding = self._model.mul
        corners = [x * y for x in a.ends for y in b.ends]
        ends = _outward((min(corners), max(corners)))
        if a.ideal == b.ideal:
            ends = max(ends[0], _ZERO), ends[1]
        corners = [x * y for x in a.computed for y in b.computed]
        exact = min(corners), max(corners)
        rounded = rounding.relative * max(abs(exact[0]), abs(exact[1])) + rounding.absolute
        error = a.size * b.error + b.size * a.error + a.error * b.error + rounded
        relative = None
        greater = any(self._keeps(each) for each in (a, b))
        if a.relative is not None and b.relative is not None and (greater or a.least * b.least >= self._model.smallest):
            relative = _up((1 + a.relative) * (1 + b.relative) * (1 + rounding.relative) - 1)
        if len(a.ideal) * len(b.ideal) > _MOST_PRODUCTS:
            raise Unproved("the sums of products are too long")
        ideal: Polynomial = {}
        for one, factor in a.ideal.items():
            for other, second in b.ideal.items():
                product = tuple(sorted((*one, *other)))
                ideal[product] = ideal.get(product, _ZERO) + factor * second
        return _Value(
            ideal={key: each for key, each in ideal.items() if each},
            ends=ends,
            error=_up(error),
            relative=_below_one(relative),
            computed=_signed(exact, rounded, 1 if exact[0] >= 0 else -1 if exact[1] <= 0 else 0),
        )

    def _keeps(self, factor: _Value) -> bool:
        """Whether a product with a factor is as precise as any, however small the other one is."""
        if set(factor.ideal) != {()} or factor.least < 1:
            return False
        least = factor.least
        return self._model.flushes or (least.denominator == 1 and not least.numerator & (least.numerator - 1))

    def _absolute(self, term: Term, a: _Value) -> _Value:
        if a.sign:
            return a if a.sign > 0 else _negated(term, a)
        ends, computed = ((_ZERO, max(-low, high)) for low, high in (a.ends, a.computed))
        return self._opaque((ABSOLUTE, _key(a)), ends, computed, (a.error, a.relative))

    def _extreme(self, term: Term, a: _Value, b: _Value) -> _Value:
        op, _ = self._view.operation(term)
        choose = max if op == MAX else min
        ends, computed = (
            (choose(one[0], other[0]), choose(one[1], other[1])) for one, other in ((a.ends, b.ends), (a.computed, b.computed))
        )
        return self._opaque((op, *sorted((_key(a), _key(b)))), ends, computed, _greater(a, b))

    def _saturated(self, term: Term, a: _Value) -> _Value:
        ends, computed = ((min(max(low, _ZERO), _ONE), min(max(high, _ZERO), _ONE)) for low, high in (a.ends, a.computed))
        return self._opaque((SATURATE, _key(a)), ends, computed, (a.error, a.relative))

    def _selected(self, term: Term, a: _Value, b: _Value) -> _Value:
        _, operands = self._view.operation(term)
        ends, computed = (
            (min(one[0], other[0]), max(one[1], other[1])) for one, other in ((a.ends, b.ends), (a.computed, b.computed))
        )
        return self._opaque((SELECT, operands[0], _key(a), _key(b)), ends, computed, _greater(a, b))

    def _reciprocal(self, term: Term, a: _Value) -> _Value:
        rounding = self._model.reciprocal
        least = a.least - a.error
        if rounding is None:
            raise Unproved(f"the error of {self._view.title(term)} is not known")
        if least < self._model.smallest:
            raise Unproved(f"{self._view.title(term)} may divide by 0")
        ends = _outward((1 / a.ends[1], 1 / a.ends[0]))
        relative = _up(a.error / least)
        if a.relative is not None:
            relative = min(relative, _up(1 / (1 - a.relative) - 1))
        relative = _up((1 + relative) * (1 + rounding.relative) - 1)
        error = _up(relative / a.least + rounding.absolute)
        computed = _signed(ends, error, a.sign)
        return self._opaque((RECIPROCAL, _key(a)), ends, computed, (error, _below_one(relative)))

    # The end

    def _apart(self, one: _Value, other: _Value) -> int:
        """The most units in the last place between two numbers that would be one without rounding."""
        if one.ideal != other.ideal:
            raise Unproved("without rounding they are not shown to be the same")
        found: list[int] = []
        model = self._model
        if one.relative is not None and other.relative is not None:
            # A unit in the last place of x is more than |x| / 2^bits.
            least = 1 - max(one.relative, other.relative)
            found.append(int((one.relative + other.relative) / least * 2**model.bits))
        smallest = min(each.least - each.error for each in (one, other))
        unit = Fraction(2) ** max(_exponent(smallest) - model.bits + 1, model.lowest) if smallest > 0 else None
        if unit is not None:
            found.append(int((one.error + other.error) / unit))
        if not found:
            low, high = (float(end) for end in one.ends)
            far = float(one.error + other.error)
            raise Unproved(f"they are at most {far:.3g} apart, but may be close to 0: from {low:.6g} to {high:.6g}")
        return min(found)


def _key(a: _Value) -> tuple[object, ...]:
    """A polynomial as a key."""
    return tuple(sorted(a.ideal.items()))


def _negated(term: Term, a: _Value) -> _Value:
    low, high = a.ends
    ideal = {key: -factor for key, factor in a.ideal.items()}
    computed = -a.computed[1], -a.computed[0]
    return _Value(ideal=ideal, ends=(-high, -low), error=a.error, relative=a.relative, computed=computed)


def _greater(a: _Value, b: _Value) -> tuple[Fraction, Fraction | None]:
    """The errors of a value that is one of two."""
    relative = None if a.relative is None or b.relative is None else max(a.relative, b.relative)
    return max(a.error, b.error), relative


def _signed(ends: Ends, error: Fraction, sign: int) -> Ends:
    """A range with an error, which does not change a sign that is known."""
    low, high = _outward((ends[0] - error, ends[1] + error))
    return (max(low, _ZERO) if sign > 0 else low), (min(high, _ZERO) if sign < 0 else high)


def _below_one(relative: Fraction | None) -> Fraction | None:
    return None if relative is None or relative >= Fraction(1, 2) else relative


def _exponent(number: Fraction) -> int:
    """The exponent of the greatest power of two that is not above a number."""
    found = number.numerator.bit_length() - number.denominator.bit_length()
    return found if Fraction(2) ** found <= number else found - 1


def _up(number: Fraction) -> Fraction:
    """A bound of few digits that is not less."""
    if not number:
        return number
    scale = _DIGITS - _exponent(abs(number))
    scaled = number * Fraction(2) ** scale
    return Fraction(-(-scaled.numerator // scaled.denominator)) / Fraction(2) ** scale


def _outward(ends: Ends) -> Ends:
    """A range of few digits around another."""
    low, high = ends
    return -_up(-low), _up(high)


__all__ = [
    "ABSOLUTE",
    "ADD",
    "LEAF",
    "MAX",
    "MIN",
    "MUL",
    "NEGATE",
    "NUMBER",
    "OTHER",
    "RECIPROCAL",
    "SAME",
    "SATURATE",
    "SELECT",
    "Model",
    "Rounded",
    "Rounding",
    "Unproved",
    "View",
]
