"""Expressions of the algebra, read from text such as `max(max(x, A), B)`: a pattern, its replacement, a condition.

Lower-case names are values, upper-case ones numbers that are known. `-x` turns a sign. `[A * B]` is a number that is computed
when a rule is applied, which it is only where the result is exact.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    import ast
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
    return _expression(_tree(text))


def condition(text: str) -> tuple[Test, ...]:
    """Read the tests of a condition, all of which hold: `A <= B and truth(x)`. Raises ValueError."""
    import ast

    if not text:
        return ()
    tree = _tree(text)
    return tuple([_test(each) for each in (tree.values if isinstance(tree, ast.BoolOp) else [tree])])


def _tree(text: str) -> ast.expr:
    import ast

    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"not an expression: {text!r}") from error


def _test(tree: ast.expr) -> Test:
    import ast

    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        name = {"Lt": "<", "LtE": "<=", "NotEq": "!="}.get(type(tree.ops[0]).__name__)
        if name is not None:
            return Test(name, (_expression(tree.left), _expression(tree.comparators[0])))
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        return Test(tree.func.id, tuple([_expression(each) for each in tree.args]))
    raise ValueError(f"not a test: {ast.unparse(tree)}")


def _expression(tree: ast.expr) -> Expression:
    import ast

    match tree:
        case ast.Constant(value) if isinstance(value, (int, float)):
            return Expression(NUMBER, number=float(value))
        case ast.Name(name):
            return Expression(KNOWN if name[0].isupper() else NAME, name)
        case ast.UnaryOp(ast.USub(), operand):
            inner = _expression(operand)
            return Expression(NUMBER, number=-inner.number) if inner.kind == NUMBER else Expression(NEGATED, "", (inner,))
        case ast.List([ast.BinOp(left, op, right)]):
            name = {"Mult": "mul", "Add": "add", "Sub": "add"}.get(type(op).__name__)
            second = _expression(right)
            if name is not None:
                negated = Expression(NEGATED, "", (second,)) if isinstance(op, ast.Sub) else second
                return Expression(COMPUTED, name, (_expression(left), negated))
        case ast.Call(ast.Name(name), arguments):
            if name in BOUNDS or OPERATIONS.get(name) == len(arguments):
                return Expression(name, name, tuple([_expression(each) for each in arguments]))
        case _:
            pass
    raise ValueError(f"not an expression: {ast.unparse(tree)}")


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
