"""Expressions of the algebra, read from text such as `max(max(x, A), B)`: a pattern, its replacement, a condition.

Lower-case names are values, upper-case ones numbers that are known. `-x` turns a sign. `[A * B]` is a number that is computed
when a rule is applied, which it is only where the result is exact.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The operations with how many operands they have. `both`, `either` and `invert` are of truths, 1 and 0, as comparisons give.
OPERATIONS: Mapping[str, int] = {
    "add": 2,
    "mul": 2,
    "mad": 3,
    "dot": 2,
    "min": 2,
    "max": 2,
    "floor": 1,
    "trunc": 1,
    "rcp": 1,
    "rsq": 1,
    "exp2": 1,
    "log2": 1,
    "lt": 2,
    "le": 2,
    "eq": 2,
    "ne": 2,
    "both": 2,
    "either": 2,
    "invert": 1,
    "select": 3,
    "flush": 1,
}
TRUTHS = frozenset(("lt", "le", "eq", "ne", "both", "either", "invert"))
BOUNDS = ("low", "high", "least", "greatest")
# Their first two operands may be exchanged: every NaN is one value.
COMMUTATIVE = frozenset(("add", "mul", "mad", "eq", "ne", "both", "either"))
_COMPARISONS = ("<", "<=", "!=")
_COMPUTED = {"*": "mul", "+": "add", "-": "add"}
NAME, KNOWN, NUMBER, NEGATED, COMPUTED = "name", "known", "number", "negated", "computed"


class Expression(Record):
    """An operation on expressions, or NEGATED, COMPUTED, a NAME, a KNOWN number by its name, a NUMBER.

    `text` is the name of an operation, value or number; of COMPUTED the operation.
    """

    kind: str
    text: str = ""
    arguments: tuple[Expression, ...] = ()
    number: float = 0.0


class Test(Record):
    """A test of a condition: a fact about values, or a comparison of numbers (`<`, `<=`, `!=`)."""

    what: str
    operands: tuple[Expression, ...]


def expression(text: str) -> Expression:
    """Read an expression. Raises ValueError."""
    tokens = _tokens(text)
    try:
        found = _expression(tokens)
    except (LookupError, ValueError):
        found = None
    if found is None or tokens:
        raise ValueError(f"not an expression: {text!r}")
    return found


def condition(text: str) -> tuple[Test, ...]:
    """Read the tests of a condition, all of which hold: `A <= B and truth(x)`. Raises ValueError."""
    return tuple([_test(each) for each in text.split(" and ")]) if text else ()


def _test(text: str) -> Test:
    for comparison in _COMPARISONS:
        left, found, right = text.partition(f" {comparison} ")
        if found:
            return Test(comparison, (expression(left), expression(right)))
    fact, bracket, value = text.partition("(")
    if not bracket or value[-1:] != ")":
        raise ValueError(f"not a test: {text!r}")
    return Test(fact, (expression(value[:-1]),))


def _tokens(text: str) -> list[str]:
    """The words and marks of a text, the last one first; a sign that turns an operand is part of its word. (The tree that
    `ast` makes takes ten times as long, most of it to import what reads it.)"""
    for mark in "()[],":
        text = text.replace(mark, f" {mark} ")
    return text.split()[::-1]


def _expression(tokens: list[str]) -> Expression:
    """Take an expression from the tokens. Raises LookupError, ValueError for what is none."""
    token = tokens.pop()
    if token[0] == "-" and len(token) > 1:
        tokens.append(token[1:])
        inner = _expression(tokens)
        return Expression(NUMBER, number=-inner.number) if inner.kind == NUMBER else Expression(NEGATED, "", (inner,))
    if token == "[":
        left, op, right = _expression(tokens), tokens.pop(), _expression(tokens)
        _take(tokens, "]")
        return Expression(COMPUTED, _COMPUTED[op], (left, Expression(NEGATED, "", (right,)) if op == "-" else right))
    if not token.isidentifier():
        return Expression(NUMBER, number=float(token))
    if tokens[-1:] != ["("]:
        return Expression(KNOWN if token[0].isupper() else NAME, token)
    tokens.pop()
    arguments = [_expression(tokens)]
    while tokens[-1:] == [","]:
        tokens.pop()
        arguments.append(_expression(tokens))
    _take(tokens, ")")
    if token not in BOUNDS and OPERATIONS[token] != len(arguments):
        raise ValueError(token)
    return Expression(token, token, tuple(arguments))


def _take(tokens: list[str], mark: str) -> None:
    if tokens.pop() != mark:
        raise ValueError(mark)


def written(e: Expression) -> str:
    """The text of an expression."""
    match e.kind:
        case "name" | "known":
            return e.text
        case "number":
            return f"{e.number:g}"
        case "negated":
            return f"-{written(e.arguments[0])}"
        case "computed":
            a, b = e.arguments
            if b.kind == NEGATED:
                return f"[{written(a)} - {written(b.arguments[0])}]"
            return f"[{written(a)} {'*' if e.text == 'mul' else '+'} {written(b)}]"
        case _:
            return f"{e.text}({', '.join([written(each) for each in e.arguments])})"


def names_of(e: Expression) -> tuple[str, ...]:
    """The values and known numbers of an expression, each once, in order."""
    found: dict[str, None] = {}
    waiting = [e]
    while waiting:
        each = waiting.pop(0)
        if each.kind in (NAME, KNOWN):
            found[each.text] = None
        waiting = [*each.arguments, *waiting]
    return tuple(found)


def operations_of(e: Expression) -> int:
    """How many operations an expression has; signs and numbers are none."""
    return (e.kind in OPERATIONS) + sum([operations_of(each) for each in e.arguments])


def exchanged(e: Expression) -> Sequence[Expression]:
    """An expression with the operands of operations that commute in every order."""
    found: list[Expression] = [e]
    for n in range(len(e.arguments)):
        found = [
            each._replace(arguments=(*each.arguments[:n], other, *each.arguments[n + 1 :]))
            for each in found
            for other in exchanged(each.arguments[n])
        ]
    if e.kind in COMMUTATIVE:
        found += [
            each._replace(arguments=(each.arguments[1], each.arguments[0], *each.arguments[2:]))
            for each in found
            if each.arguments[0] != each.arguments[1]
        ]
    return list(dict.fromkeys(found))


__all__ = [
    "BOUNDS",
    "COMMUTATIVE",
    "COMPUTED",
    "KNOWN",
    "NAME",
    "NEGATED",
    "NUMBER",
    "OPERATIONS",
    "TRUTHS",
    "Expression",
    "Test",
    "condition",
    "exchanged",
    "expression",
    "names_of",
    "operations_of",
    "written",
]
