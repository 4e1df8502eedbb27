"""Equality of two terms by cases: in which order their values are.

Maximum, minimum, comparisons, signs, selections and flushing of subnormals only compare numbers and give one of them, its
negation or a constant. So what they give depends on nothing but the order of the numbers that go in: among each other, their
negations and the constants, and whether each is NaN, zero, subnormal or infinite. Of every such order one example is tried. All
other operations are numbers that go in: where the cases make their operands equal terms, they are equal numbers.
"""

from __future__ import annotations

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lanewise.proving.numbers import NumberTerms, Rule
    from lanewise.proving.terms import Term

_MOST_CASES, _MOST_NUMBERS, _MOST_NODES = 4_000, 4, 400
_ROOM = 1 << 2 * _MOST_NUMBERS + 2  # words between two constants, so that each number has words below and above it

_CHOOSING = frozenset(("max", "min", "at_least", "at_most"))
_TRUTHS = frozenset(("truth", "compare", "not_negative", "invert", "both"))


class _Wanted(PortableError):
    """The value of a term that no case has chosen yet."""

    def __init__(self, term: Term, *, truth: bool) -> None:
        super().__init__()
        self.term, self.truth = term, truth


class _NewConstant(Exception):
    """A constant was computed between which and others numbers can be."""


class _Gives(Exception):
    """More cases, numbers or constants than are tried."""


def equal_by_cases(m: NumberTerms, first: Term, second: Term, assumed: Mapping[Term, bool]) -> bool:
    """Whether two terms are equal numbers wherever what is assumed holds. False where that is not shown."""
    if not _usable(m) or not _Reached(m).compares(first, second):
        return False
    return _shown(m, first, second, assumed)


def impossible(m: NumberTerms, assumed: Mapping[Term, bool]) -> bool:
    """Whether there are no numbers for which all that is assumed holds. False where that is not shown."""
    asked = [term for term in assumed if m.nodes[term][0] in ("compare", "not_negative")]
    return len(asked) > 1 and _usable(m) and _shown(m, m.true, m.false, assumed)


def _shown(m: NumberTerms, first: Term, second: Term, assumed: Mapping[Term, bool]) -> bool:
    """`_Cases.equal`, once for the same question: walks that are repeated ask again."""
    key = first, second, frozenset(assumed.items())
    found = m.by_cases.get(key)
    if found is None:
        found = _Cases(m, assumed).equal(first, second)
        if found or m.effort.left > 0:  # what was not finished is not known
            m.by_cases[key] = found
    return found


def _usable(m: NumberTerms) -> bool:
    return m.commuting and m.one_nan()


class _Reached:
    """The terms that two terms are computed from, as far as operations compare or compute."""

    def __init__(self, m: NumberTerms) -> None:
        self._m = m
        self.seen: set[Term] = set()

    def compares(self, first: Term, second: Term) -> bool:
        """Whether some of them compare, so that cases can show more than structure; and they are not too many."""
        waiting, compares = [first, second], False
        while waiting:
            term = waiting.pop()
            if term in self.seen:
                continue
            self.seen.add(term)
            if len(self.seen) > _MOST_NODES:
                return False
            node = self._m.nodes[term]
            op = node[0]
            compares = compares or op in _CHOOSING or op in ("select", "compare", "flush")
            if (
                op in _CHOOSING
                or op in self._m.arithmetic
                or op in ("negate", "flush", "select", "invert", "both", "not_negative")
            ):
                waiting += [int(argument) for argument in node[1:]]
            elif op == "compare":
                waiting += [int(node[1]), int(node[2])]
        return compares


class _Cases:
    def __init__(self, m: NumberTerms, assumed: Mapping[Term, bool]) -> None:
        self._m, self._assumed = m, assumed
        self._rule: Rule = m.ordering()
        form = self._rule.format
        mantissa = form.mantissa_bits
        self._sign = 1 << mantissa + form.exponent_bits
        self._infinity = self._sign - (1 << mantissa)
        self._nan = self._infinity + 1
        # Where classes of numbers begin: zero, the smallest normal number, infinity.
        self._bounds = {0, 1 << mantissa, self._infinity}
        self._cases = 0
        self._words: dict[Term, int] = {}  # the words of constants
        self._values: dict[Term, int] = {}
        self._truths: dict[Term, bool] = {}
        self._known: dict[Term, Term] = {}
        self._constants = {self._rule.constant(value): m.constant(value) for value in (0.0, 1.0)}
        self._computing: Any = None  # the rule that computes constants

    def equal(self, first: Term, second: Term) -> bool:
        while True:
            self._cases = 0
            self._values.clear()
            self._truths.clear()
            try:
                return self._same(first, second)
            except _NewConstant:
                if len(self._bounds) > 12:
                    return False
            except (_Gives, RecursionError):
                return False

    def _same(self, first: Term, second: Term) -> bool:
        """Whether the terms are equal in all cases that go on from the values chosen so far.

        True and false are where there is no case.
        """
        self._cases += 1
        if self._cases > _MOST_CASES or self._m.effort.left < 0:
            raise _Gives
        self._known = {}
        try:
            if first != self._m.true:
                one, other = self._number(first), self._number(second)
                if one == other or self._value(one) == self._value(other):
                    return True
            if self._excluded():
                return True
        except _Wanted as wanted:
            term = wanted.term
            if wanted.truth:
                for truth in (False, True):
                    self._truths[term] = truth
                    if not self._same(first, second):
                        return False
                del self._truths[term]
                return True
            if len(self._values) >= _MOST_NUMBERS:
                raise _Gives from None
            for value in [*self._choices()]:
                self._values[term] = value
                if not self._same(first, second):
                    return False
            del self._values[term]
            return True
        return False

    def _excluded(self) -> bool:
        """Whether this case contradicts what is assumed. Values that only an assumption needs are chosen too."""
        nodes = self._m.nodes
        return any(nodes[term][0] in _TRUTHS and self._truth(term) != holds for term, holds in self._assumed.items())

    def _choices(self) -> Iterator[int]:
        """A word for each place that a further number can have in the order."""
        signed = self._m.signed_zero()
        bounds = sorted(self._bounds | {value & self._sign - 1 for value in self._values.values() if value != self._nan})
        yield self._nan
        for low, high in zip(bounds, [*bounds[1:], self._infinity + 1], strict=True):
            if low > self._infinity:
                break
            yield low
            if low or signed:
                yield low | self._sign
            middle = (low + high) // 2
            if low < middle < high and low < self._infinity:
                yield middle
                yield middle | self._sign

    # Terms of which only numbers that go in are left

    def _number(self, term: Term) -> Term:
        """The term to which a number comes in this case."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._come(term)
        return found

    def _come(self, term: Term) -> Term:
        m, node = self._m, self._m.nodes[term]
        m.effort.left -= 1
        op = node[0]
        if op == "negate":
            return self._negated(self._number(int(node[1])))
        if op == "select":
            return self._number(int(node[2] if self._truth(int(node[1])) else node[3]))
        if op == "flush":
            inner = self._number(int(node[1]))
            return self._constant(self._rule.flush(self._value(inner))) if self._subnormal(inner) else inner
        if op in _CHOOSING:
            one, other = self._number(int(node[1])), self._number(int(node[2]))
            x, y = self._value(one), self._value(other)
            return one if getattr(self._rule, str(op))(x, y) == x else other
        if op in m.arithmetic:
            found = self._computed(str(op), [self._number(int(argument)) for argument in node[1:]])
            inner = m.nodes[found]
            return self._negated(self._equal(int(inner[1]))) if inner[0] == "negate" else self._equal(found)
        return self._equal(term)

    def _negated(self, term: Term) -> Term:
        known = self._m.nodes[term][0] in ("const", "word")
        return self._constant(self._rule.negate(self._value(term))) if known else self._m.negate(term)

    def _equal(self, term: Term) -> Term:
        """The constant or the first number to which a number is equal in this case."""
        value = self._values.get(term)
        if value is None:
            return term
        if value == self._nan or value & self._sign - 1 in self._bounds:
            return self._constant(value)
        for other, word in self._values.items():
            if word == value:
                return other
            if word == value ^ self._sign:
                return self._m.negate(other)
        return term

    def _subnormal(self, term: Term) -> bool:
        value = self._value(term)
        return self._rule.flush(value) != value

    def _computed(self, op: str, arguments: Sequence[Term]) -> Term:
        m = self._m
        key = op, *arguments
        found = m.operated.get(key)
        if found is not None:
            return found
        for argument in arguments:
            if m.nodes[argument][0] not in ("const", "word"):
                # Rules may give another operation, which has nothing more to decide but its sign.
                found = m.operated[key] = m.operate(m, op, arguments)
                return found
        rule = self._computing = self._computing or m.numbers()
        words = [self._value(argument) for argument in arguments]
        return self._constant(m.operate(rule, op, words))

    def _constant(self, word: int) -> Term:
        """A computed word as a term. Zero and one are the constants that rules know."""
        found = self._constants.get(word)
        return self._m.node("word", word) if found is None else found

    def _value(self, term: Term) -> int:
        node = self._m.nodes[term]
        op = node[0]
        if op == "negate":
            return self._one_nan(self._rule.negate(self._value(int(node[1]))))
        if op in ("const", "word"):
            known = self._words.get(term)
            if known is not None:
                return known
            word = int(node[1])
            if op == "const" and not self._m.computing:
                word = self._m.word_of(self._rule, word)
            word = self._one_nan(word)
            if word != self._nan and (magnitude := word & self._sign - 1) not in self._bounds:
                self._add(magnitude)
            self._words[term] = word
            return word
        found = self._values.get(term)
        if found is None:
            raise _Wanted(term, truth=False)
        return found

    def _one_nan(self, word: int) -> int:
        return self._nan if word & self._sign - 1 > self._infinity else word

    def _add(self, magnitude: int) -> None:
        """A constant that numbers can be below and above. Where words are too few for that, nothing is shown."""
        if any(abs(magnitude - bound) < _ROOM for bound in self._bounds):
            raise _Gives
        self._bounds.add(magnitude)
        raise _NewConstant

    def _truth(self, term: Term) -> bool:
        node = self._m.nodes[term]
        self._m.effort.left -= 1
        match node[0]:
            case "truth":
                return bool(node[1])
            case "invert":
                return not self._truth(int(node[1]))
            case "both":
                return self._truth(int(node[1])) and self._truth(int(node[2]))
            case "compare":
                one, other = self._number(int(node[1])), self._number(int(node[2]))
                return self._rule.compare(int(node[3]), self._value(one), self._value(other))
            case "not_negative":
                return self._rule.not_negative(self._value(self._number(int(node[1]))))
            case _:
                found = self._truths.get(term, self._assumed.get(term))
                if found is None:
                    raise _Wanted(term, truth=True)
                return found
