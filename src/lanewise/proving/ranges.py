"""Ranges: which registers an index can choose, where the number that it comes from is held between constants.

An index is a whole number of a float, with constants added, masked and compared. `max` and `min` with constants, as of a
clamped index, bound the float; the whole number of it is one of few, and for each of these the row is known. NaN count as every
NaN does: the whole number of one is 0.
"""

from __future__ import annotations

from lanewise.core.numbers.binary import EQ, GE, GT, LE, LT
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.proving.numbers import NumberTerms, Rule
    from lanewise.proving.terms import Term

_MOST = 32  # different indices
_MOST_TERMS = 256  # that a range is derived from
_LOW, _HIGH = -128.0, 127.0  # of whole numbers, where every answer to how many bits they have gives the same


class Range(Record):
    """The words between which all numbers of a term are that are not NaN; None: no bound.

    `infinite`: or it is -inf, which `max` of some profiles lets pass.
    """

    low: int | None = None
    high: int | None = None
    infinite: bool = False


_ANY = Range()


class Reach(Record):
    """The possible values of an index: the term of the whole number that it comes from, and pairs of such a number and the
    index."""

    whole: Term
    indices: tuple[tuple[int, int], ...]


def reach(m: NumberTerms, index: Term) -> Reach | None:
    """Return the possible values of an index; None where they are not known to be few."""
    leaves = _leaves(m, index)
    if len(leaves) != 1:
        return None
    (leaf,) = leaves
    values = whole_numbers(m, int(m.nodes[leaf][1]))
    return None if values is None else Reach(leaf, tuple([(value, _at(m, index, leaf, value)) for value in values]))


def whole_numbers(m: NumberTerms, number: Term) -> list[int] | None:
    """Return the possible values of the whole number of a float; None where they are not known to be few."""
    rule = m.numbers()
    low, high, infinite = _range_of(m, number, rule)
    if low is None or high is None:
        return None
    if rule.compare(LT, low, rule.constant(_LOW)) or rule.compare(GT, high, rule.constant(_HIGH)):
        return None
    first, last = rule.to_integer(low), rule.to_integer(high)
    if last - first >= _MOST:
        return None
    found = {*range(first, last + 1), 0}  # 0: of NaN
    if infinite:
        form = rule.format
        found.add(rule.to_integer(rule.negate((1 << form.exponent_bits) - 1 << form.mantissa_bits)))
    return sorted(found)


def _range_of(m: NumberTerms, term: Term, rule: Rule) -> Range:
    """The range of a term, for all inputs. `rule` is the number rule of the profile."""
    wanted, waiting = {term}, [term]
    while waiting and len(wanted) <= _MOST_TERMS:
        new = {*_bounding(m, waiting.pop(0))} - wanted
        wanted |= new
        waiting += new
    found: dict[Term, Range] = {}
    for each in sorted(wanted):  # the operands of a term have lower numbers
        operands = [found.get(operand, _ANY) for operand in _bounding(m, each)]
        found[each] = _derived(m, each, operands, rule)
    return found[term]


def _bounding(m: NumberTerms, term: Term) -> list[Term]:
    """The operands of a term that bound it."""
    op, *arguments = m.nodes[term]
    if op == "select":
        return [int(argument) for argument in arguments[1:]]
    return [int(argument) for argument in arguments] if op in ("max", "min", "negate", "floor", "flush") else []


def _derived(m: NumberTerms, term: Term, operands: Sequence[Range], rule: Rule) -> Range:
    """The range of a term by those of the operands that bound it."""
    op, *arguments = m.nodes[term]
    match op:
        case "const":
            word = int(arguments[0]) if m.computing else m.word_of(rule, int(arguments[0]))
            ordinary = rule.compare(EQ, word, word) and rule.flush(word) == word
            return Range(word, word) if ordinary else _ANY
        case "max" | "min":
            constants = [m.nodes[int(argument)][0] == "const" for argument in arguments]
            return _greater(m, rule, operands, constants) if op == "max" else _less(rule, operands, constants)
        case "negate":
            low, high, infinite = operands[0]
            ends = [None if bound is None else rule.negate(bound) for bound in (high, low)]
            return _ANY if infinite else Range(ends[0], ends[1])
        case "floor":
            low, high, infinite = operands[0]
            ends = [None if bound is None else rule.floor(bound) for bound in (low, high)]
            return Range(ends[0], ends[1], infinite)
        case "flush":  # it, or zero
            return _either(rule, operands[0], Range(rule.constant(0.0), rule.constant(0.0)))
        case "select":
            return _either(rule, operands[0], operands[1])
        case _:
            return _ANY


def _greater(m: NumberTerms, rule: Rule, operands: Sequence[Range], constants: Sequence[bool]) -> Range:
    """Of the maximum: one of the two, and not below a constant, which is never NaN."""
    low, high, infinite = _either(rule, *operands)
    for each, constant in zip(operands, constants, strict=True):
        if constant and each.low is not None:
            low = each.low if low is None or rule.compare(LT, low, each.low) else low
    if m.infinite_maximum():
        infinite = infinite or any(each.low is None for each in operands)
    return Range(low, high, infinite)


def _less(rule: Rule, operands: Sequence[Range], constants: Sequence[bool]) -> Range:
    """Of the minimum: one of the two, and not above a constant."""
    low, high, infinite = _either(rule, *operands)
    for each, constant in zip(operands, constants, strict=True):
        if constant and each.high is not None:
            high = each.high if high is None or rule.compare(GT, high, each.high) else high
    return Range(low, high, infinite)


def _either(rule: Rule, one: Range, other: Range) -> Range:
    """Of one of two numbers."""
    low = None if one.low is None or other.low is None else one.low if rule.compare(LE, one.low, other.low) else other.low
    high = (
        None if one.high is None or other.high is None else one.high if rule.compare(GE, one.high, other.high) else other.high
    )
    return Range(low, high, one.infinite or other.infinite)


def _leaves(m: NumberTerms, index: Term) -> set[Term]:
    """The terms that are not operations on whole numbers and constants."""
    found: set[Term] = set()
    waiting = [index]
    while waiting and len(found) < 2:
        term = waiting.pop()
        op, *arguments = m.nodes[term]
        if op == "to_integer":
            found.add(term)
        elif op in ("integer_and", "within"):
            waiting.append(int(arguments[0]))
        elif op in ("integer_add", "integer_select"):
            waiting += [int(argument) for argument in arguments]
        elif op not in ("integer", "truth"):
            return set()
    return found


def _at(m: NumberTerms, term: Term, leaf: Term, value: int) -> int:
    """The value of an index, where the whole number that it comes from has one."""
    if term == leaf:
        return value
    op, *arguments = m.nodes[term]
    match op:
        case "integer":
            return int(arguments[0])
        case "integer_add":
            return sum([_at(m, int(argument), leaf, value) for argument in arguments])
        case "integer_and":
            return _at(m, int(arguments[0]), leaf, value) & int(arguments[1])
        case "integer_select":
            truth, one, other = map(int, arguments)
            return _at(m, one if _holds(m, truth, leaf, value) else other, leaf, value)
        case _:
            raise AssertionError(op)


def _holds(m: NumberTerms, term: Term, leaf: Term, value: int) -> bool:
    op, *arguments = m.nodes[term]
    if op == "truth":
        return bool(arguments[0])
    assert op == "within"
    return int(arguments[1]) <= _at(m, int(arguments[0]), leaf, value) <= int(arguments[2])


__all__ = ["Reach", "reach", "whole_numbers"]
