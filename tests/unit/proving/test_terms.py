"""Terms: truth values by the laws of logic, whole numbers as sums do, and what is known where something is assumed."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from lanewise.proving.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Mapping


def value(m: Terms, term: int, given: Mapping[int, bool]) -> bool:
    """A truth value, by its operation."""
    op, *arguments = m.nodes[term]
    match op:
        case "truth":
            return bool(arguments[0])
        case "invert":
            return not value(m, int(arguments[0]), given)
        case "both":
            return all(value(m, int(each), given) for each in arguments)
        case _:
            return given[term]


def formulas(m: Terms) -> dict[int, list[tuple[bool, ...]]]:
    """Terms over two unknown truth values, and for each what those who ask for it mean: answers by the unknown values."""
    cases = [*product((False, True), repeat=2)]
    a, b = m.node("unknown", 0), m.node("unknown", 1)
    level = {a: tuple([x for x, _ in cases]), b: tuple([y for _, y in cases]), m.true: (True,) * 4, m.false: (False,) * 4}
    found: dict[int, list[tuple[bool, ...]]] = {term: [means] for term, means in level.items()}
    for _ in range(2):
        known = {term: means[0] for term, means in found.items()}
        for (x, one), (y, other) in product(known.items(), repeat=2):
            both = tuple([p and q for p, q in zip(one, other, strict=True)])
            either = tuple([p or q for p, q in zip(one, other, strict=True)])
            for term, means in ((m.both(x, y), both), (m.either(x, y), either), (m.invert(x), tuple([not p for p in one]))):
                found.setdefault(term, []).append(means)
    return found


def test_a_formula_has_the_value_that_its_parts_give_it():
    m = Terms()
    a, b = m.node("unknown", 0), m.node("unknown", 1)
    for term, meanings in formulas(m).items():
        assert len({*meanings}) == 1
        for (x, y), meant in zip(product((False, True), repeat=2), meanings[0], strict=True):
            assert value(m, term, {a: x, b: y}) == meant


def test_what_holds_under_assumptions_holds_for_all_values_that_fulfil_them():
    m = Terms()
    meanings = {term: means[0] for term, means in formulas(m).items()}
    for assumption, answer in product(meanings, (False, True)):
        assumed = m.assume(assumption, answer, {})
        allowed = [n for n in range(4) if meanings[assumption][n] == answer]
        for term, meant in meanings.items():
            known = m.holds(term, assumed)
            assert known is None or all(meant[n] == known for n in allowed)
        if allowed:
            assert m.holds(assumption, assumed) == answer


def test_equal_nodes_are_one_term_and_selections_of_one_value_are_it():
    m = Terms()
    question, x, y = m.node("unknown", 0), m.node("input", 0), m.node("input", 1)
    assert m.node("input", 0) == x
    assert m.select(question, x, x) == x
    assert m.select(m.invert(question), x, y) == m.select(question, y, x)
    assert (m.select(m.true, x, y), m.select(m.false, x, y)) == (x, y)


def test_constants_of_sums_of_whole_numbers_come_together():
    m = Terms()
    x = m.node("input", 0)
    assert m.integer_add(m.integer(2), m.integer_add(x, m.integer(3))) == m.integer_add(x, m.integer(5))
    assert m.integer_add(m.integer_add(x, m.integer(3)), m.integer(-3)) == x
    assert m.integer_within(m.integer(3), 0, 3) == m.true
    assert m.integer_and(m.integer(6), 3) == m.integer(2)
