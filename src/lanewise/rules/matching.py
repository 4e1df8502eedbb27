"""Apply rewrite rules: a client says how its values are looked at, in a `View`, and made, in a `Maker`.

rules = rules_for(COMPILE)                  # a Matcher: the rows of a client, by their root operation
found = rules.found(view, "max", (a, b))    # a Match, or None
value = found.value(view)                   # the replacement, made with a view that is a `Maker`

Rows are looked up by what their root's operands are the results of, so that most operations cost one look at each operand.
"""

from __future__ import annotations

import math

from lanewise.core.cached import cache
from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.rules.bounds import limit
from lanewise.rules.expression import BOUNDS, COMPUTED, KNOWN, NAME, NEGATED, NUMBER, TRUTHS, Expression, exchanged
from lanewise.rules.row import ALLOWED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    from lanewise.rules.expression import Test
    from lanewise.rules.row import Rule

V = TypeVar("V")
_SIGNED = "signed"

if TYPE_CHECKING:

    class View(Protocol[V]):
        """How a client's values are looked at."""

        def head(self, a: V) -> str:
            """The name of the operation that `operation` gives, NUMBER for what `number` may know, empty for neither."""
            ...

        def operation(self, a: V) -> tuple[str, Sequence[V]] | None:
            """The operation that a value is the result of, whose sign is not turned, with its operands."""
            ...

        def number(self, a: V) -> float | None:
            """The number that a value is known to be; never NaN."""
            ...

        def negate(self, a: V) -> V: ...
        def is_negated(self, a: V) -> bool:
            """Whether a sign is turned, so that turning it once more leaves an operand without one."""
            ...

        def fact(self, name: str, a: V) -> bool:
            """Whether a fact of `row.FACTS` about a value is known to hold: `arithmetic` or `free`."""
            ...

        def law(self, name: str) -> bool:
            """Whether the numbers keep a law of `row.LAWS`. Asked where a pattern fits, before its condition."""
            ...

        def computed(self, op: str, a: float, b: float) -> float | None:
            """The result of an operation on known numbers; None where it would be rounded."""
            ...

    class Maker(View[V], Protocol[V]):
        """How a client's values are made, too."""

        def constant(self, number: float) -> V: ...
        def make(self, op: str, operands: Sequence[V]) -> V:
            """The result of an operation that the program may not have."""
            ...


class _Form(Record):
    """A row with the operands of operations that commute in one order, and what its root's operands have to be: `twins` are
    the places of those that have to be the same."""

    rule: Rule
    pattern: Expression
    heads: tuple[str, ...]
    twins: tuple[int, int] | None


class Match(Record, Generic[V]):
    """A row that fits, and the values of its names; `numbers` has those that are computed, in the order of the text."""

    rule: Rule
    values: Mapping[str, V]
    numbers: Mapping[Expression, float]

    def value(self, view: Maker[V]) -> V:
        """The replacement."""
        return _made(view, self.rule.replacement, self)


class Matcher:
    """Rows by their root operation, whose rows `rows` gives when it is first asked for."""

    def __init__(self, rows: Callable[[str], Iterable[Rule]]) -> None:
        self._rows = rows
        self._forms: dict[str, list[_Form]] = {}
        self._fitting: dict[tuple[str, ...], tuple[_Form, ...]] = {}  # by root and heads of operands, filled when asked

    def _forms_of(self, op: str) -> list[_Form]:
        found = self._forms[op] = [
            _Form(rule, pattern, tuple([_needed(each) for each in pattern.arguments]), _twins(pattern))
            for rule in self._rows(op)
            for pattern in exchanged(_with_signs(rule.pattern, names_in(rule.pattern)))
        ]
        return found

    def found(
        self, view: View[V], op: str, operands: Sequence[V], *, eager: bool = False, allowed: bool = False
    ) -> Match[V] | None:
        """The first row that fits an operation on operands. `eager`: of those that take conditionals away at any cost too;
        `allowed`: of those that are not exact too."""
        known = self._forms.get(op)
        if known is None:
            known = self._forms_of(op)
        if not known:
            return None
        key = (op, *map(view.head, operands))
        forms = self._fitting.get(key)
        if forms is None:
            forms = self._fitting[key] = tuple([form for form in known if _may_fit(form, key[1:])])
        for form in forms:
            rule = form.rule
            if (rule.eager and not eager) or (rule.kind == ALLOWED and not allowed and not rule.precise):
                continue
            if form.twins is not None and operands[form.twins[0]] != operands[form.twins[1]]:
                continue
            values: dict[str, V] = {}
            if all(
                _fits(view, each, value, values) for each, value in zip(form.pattern.arguments, operands, strict=True)
            ) and all(view.law(law) for law in rule.laws):
                numbers: dict[Expression, float] = {}
                if all(_holds(view, test, values) for test in rule.where) and _computes(
                    view, rule.replacement, values, numbers
                ):
                    return Match(rule, values, numbers)
        return None


def _needed(e: Expression) -> str:
    """The head that an operand has to have; empty for any."""
    return NUMBER if e.kind in (KNOWN, NUMBER) else "" if e.kind in (NAME, NEGATED) else e.kind


def _may_fit(form: _Form, heads: Sequence[str]) -> bool:
    return all(wanted in ("", head) for wanted, head in zip(form.heads, heads, strict=True))


def _twins(pattern: Expression) -> tuple[int, int] | None:
    names = [each.text if each.kind == NAME else "" for each in pattern.arguments]
    return next(((n, names.index(name)) for n, name in enumerate(names) if name and names.index(name) < n), None)


def _with_signs(e: Expression, names: Sequence[str]) -> Expression:
    """An expression with a mark at each sign that a value has to have: of a value that stands elsewhere too, any of the two
    may be the one that is turned."""
    arguments = tuple([_with_signs(each, names) for each in e.arguments])
    signed = e.kind == NEGATED and e.arguments[0].kind == NAME and names.count(e.arguments[0].text) == 1
    return e._replace(arguments=arguments, text=_SIGNED if signed else e.text)


def names_in(e: Expression) -> list[str]:
    """The names of an expression, as often as they stand there."""
    return [e.text] if e.kind == NAME else [name for each in e.arguments for name in names_in(each)]


def _fits(view: View[V], pattern: Expression, value: V, values: dict[str, V]) -> bool:
    """Whether a value fits a pattern; `values` are those of names, and get more."""
    kind = pattern.kind
    if kind == NAME:
        held = values.setdefault(pattern.text, value)
        return held is value or held == value
    if kind == KNOWN:
        return view.number(value) is not None and (values.setdefault(pattern.text, value) == value)
    if kind == NUMBER:
        number = view.number(value)
        return number is not None and at_most(number, pattern.number) and at_most(pattern.number, number)
    if kind == NEGATED:
        inner = pattern.arguments[0]
        if pattern.text == _SIGNED and not view.is_negated(value):
            return False
        return _fits(view, inner, view.negate(value), values)
    found = view.operation(value)
    return (
        found is not None
        and found[0] == kind
        and all(_fits(view, each, operand, values) for each, operand in zip(pattern.arguments, found[1], strict=True))
    )


def at_most(a: float, b: float) -> bool:
    """Whether a number is below another, or is it with the same sign: -0 is not 0."""
    return a < b or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


def about_number(fact: str, number: float) -> bool:
    """Whether a fact holds of a known number."""
    if fact == "finite":
        return math.isfinite(number) and not (number == 0 and math.copysign(1.0, number) < 0)
    if fact == "truth":
        return number in (0.0, 1.0) and math.copysign(1.0, number) > 0
    if fact == "arithmetic":
        return False  # a constant may be one that arithmetic flushes; what is constant is computed anyway
    size = abs(number)
    is_power = 0 < size < math.inf and math.frexp(size)[0] == 0.5
    return is_power and (size >= 1) == (fact == "power_up")


def _holds(view: View[V], test: Test, values: Mapping[str, V]) -> bool:
    if len(test.operands) == 2:
        a, b = [_limit(view, each, values) for each in test.operands]
        if a is None or b is None:
            return False
        return a < b if test.what == "<" else at_most(a, b) if test.what == "<=" else a != b
    value = values[test.operands[0].text]
    number = view.number(value)
    if number is not None and test.what != "free":
        return about_number(test.what, number)
    if test.what == "truth":
        return _is_truth(view, value)
    return test.what in ("arithmetic", "free") and view.fact(test.what, value)


def _is_truth(view: View[V], value: V) -> bool:
    """Whether a value is 1 or 0."""
    number = view.number(value)
    if number is not None:
        return about_number("truth", number)
    found = view.operation(value)
    if found is None:
        return view.fact("truth", value)
    op, operands = found
    if op == "select":
        return all(_is_truth(view, each) for each in operands[1:])
    return op in TRUTHS or view.fact("truth", value)


def _limit(view: View[V], e: Expression, values: Mapping[str, V]) -> float | None:
    """A number of a condition; None where it is not known."""
    if e.kind == NUMBER:
        return e.number
    if e.kind in BOUNDS:
        return limit(view, e.kind, values[e.arguments[0].text])
    return view.number(values[e.text])


def _computes(view: View[V], e: Expression, values: Mapping[str, V], numbers: dict[Expression, float]) -> bool:
    """Whether all numbers that a replacement computes are exact; `numbers` gets them."""
    if e.kind == COMPUTED:
        a, b = [_operand(view, each, values) for each in e.arguments]
        found = view.computed(e.text, a, b)
        if found is None:
            return False
        numbers[e] = found
        return True
    return all(_computes(view, each, values, numbers) for each in e.arguments)


def _operand(view: View[V], e: Expression, values: Mapping[str, V]) -> float:
    if e.kind == NEGATED:
        return -_operand(view, e.arguments[0], values)
    number = e.number if e.kind == NUMBER else view.number(values[e.text])
    assert number is not None
    return number


def _made(view: Maker[V], e: Expression, found: Match[V]) -> V:
    if e.kind in (NAME, KNOWN):
        return found.values[e.text]
    if e.kind == NUMBER:
        return view.constant(e.number)
    if e.kind == COMPUTED:
        return view.constant(found.numbers[e])
    inner = [_made(view, each, found) for each in e.arguments]
    return view.negate(inner[0]) if e.kind == NEGATED else view.make(e.kind, inner)


@cache
def rules_for(client: str, without: frozenset[str] = frozenset()) -> Matcher:
    """The rows of a client, without those of some names."""
    from lanewise.rules.table import rules_of

    return Matcher(lambda root: [rule for rule in rules_of(client, root) if rule.name not in without])


__all__ = ["Maker", "Match", "Matcher", "View", "about_number", "at_most", "rules_for"]
