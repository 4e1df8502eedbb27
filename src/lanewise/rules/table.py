"""The rewrite rules and the beliefs that are not rules, as text.

A row is a name, then the equation `pattern = replacement`, then what is to be said of it: `Where` (its condition), `Laws` of
the target's numbers, `Used by` (its clients), `In code` (a module, and why no pattern can), `Example`, `From`; and one of
`Exhausted`, `Proved`, `Tried`, which says how it is known. `Also precise`: an allowed row that `precise` does not stop.
`Eager`: only where conditionals are to be replaced at any cost.
"""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.evidence import entries
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.rules.expression import condition, expression
from lanewise.rules.row import ALLOWED, CLIENTS, EXACT, EXHAUSTED, LAWS, PROVED, TRIED, Belief, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHECKS = {each.capitalize(): each for each in (EXHAUSTED, PROVED, TRIED)}
_CLIENTS = "Used by: "
_LABELS = ("Where", "Laws", "Used by", "In code", "Example", "From")


def _split(text: str) -> tuple[str, str]:
    left, equals, right = text.partition(" = ")
    if not equals:
        raise ValueError(f"not an equation: {text!r}")
    return left, right


class _Row(Record):
    """A row as it is written."""

    kind: str
    name: str
    equation: str
    lines: tuple[str, ...]


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(
        [
            _Row(kind, name, equation, tuple(lines))
            for kind, text in ((EXACT, _EXACT), (ALLOWED, _ALLOWED))
            for name, (equation, *lines) in entries(text)
        ]
    )


def rules() -> tuple[Rule, ...]:
    """All rules."""
    return tuple(map(_rule, _rows()))


def rules_of(client: str, root: str) -> tuple[Rule, ...]:
    """The rules of a client whose pattern is an operation: to read all of them takes longer than most programs need."""
    return tuple([_rule(row) for row in _rows() if row.equation.startswith(f"{root}(") and client in _clients(row)])


def _clients(row: _Row) -> tuple[str, ...]:
    return next((_names(line[len(_CLIENTS) :], CLIENTS) for line in row.lines if line.startswith(_CLIENTS)), ())


@cache
def _rule(row: _Row) -> Rule:
    """Read a row. Raises ValueError for a line that says nothing known."""
    given: dict[str, str] = {}
    checked, eager, precise = "", False, False
    for line in row.lines:
        label, colon, rest = line.partition(": ")
        if colon and label in _LABELS:
            given[label] = rest
        elif line in _CHECKS:
            checked = _CHECKS[line]
        elif line == "Eager":
            eager = True
        elif line == "Also precise":
            precise = True
        else:
            raise ValueError(f"{row.name}: unknown line '{line}'")
    pattern, replacement = map(expression, _split(row.equation))
    return Rule(
        name=row.name,
        pattern=pattern,
        replacement=replacement,
        where=condition(given.get("Where", "")),
        kind=row.kind,
        laws=_names(given.get("Laws", ""), LAWS),
        used_by=_names(given.get("Used by", ""), CLIENTS),
        code=given.get("In code", ""),
        checked=checked,
        example=given.get("Example", ""),
        source=given.get("From", ""),
        precise=precise,
        eager=eager,
    )


def _names(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    found = tuple(text.split(", ")) if text else ()
    if unknown := [name for name in found if name not in known]:
        raise ValueError(f"unknown names {', '.join(unknown)}: known are {', '.join(known)}")
    return found


@cache
def beliefs() -> tuple[Belief, ...]:
    """All beliefs."""
    found: list[Belief] = []
    for name, (equation, values, why) in entries(_BELIEFS):
        pattern, replacement = map(expression, _split(equation))
        numbers = dict(each.split(" = ") for each in values.split(", "))
        pairs = tuple([(key, value if value.startswith("0x") else float(value)) for key, value in numbers.items()])
        found.append(
            Belief(name=name, pattern=pattern, replacement=replacement, values=pairs, why=why),
        )
    return tuple(found)


_EXACT = """
# Products and sums
product with 1
    mul(x, 1) = x
    Where: arithmetic(x)
    Used by: compile, prover, opt
    Exhausted
    Example: (a + b) * 1.0
product with -1
    mul(x, -1) = -x
    Where: arithmetic(x)
    Used by: compile, prover, opt
    Exhausted
    Example: (a + b) * -1.0
sum with 0
    add(x, 0) = x
    Where: arithmetic(x)
    Laws: unsigned zero
    Used by: prover, opt
    Exhausted
    Example: a * b + 0.0
sum of one number twice
    add(x, x) = mul(x, 2)
    Used by: prover, opt
    Exhausted
    Example: v + v
products with large powers of two
    mul(A, mul(B, x)) = mul([A * B], x)
    Where: power_up(A) and power_up(B)
    Used by: compile
    In code: proving.numbers: the sign of the inner product goes to the constant, whose exponent is added in words
    Tried
    Example: 2.0 * (2.0 * x)
    From: findings of 2026-11-23, point 2
products with small powers of two
    mul(A, mul(B, x)) = mul([A * B], x)
    Where: power_down(A) and power_down(B)
    Laws: scaled once
    Used by: compile
    In code: proving.numbers: the sign of the inner product goes to the constant, whose exponent is added in words
    Tried
    Example: 0.5 * (0.5 * x)
product and sum with factor 1
    mad(x, 1, y) = add(x, y)
    Laws: two roundings
    Used by: compile, opt
    Tried
    Example: fma(x, 1.0, y)
product of a sum
    add(mul(x, y), z) = mad(x, y, z)
    Laws: two roundings
    In code: compile.vector.sums, proving.numbers: whether it pays is a question of all lanes of an operation and of who else
        reads the product
    Proved
    Example: a * b + c
signs of both factors
    mul(-x, -y) = mul(x, y)
    In code: proving.numbers: factors are put in an order, of which no pattern is one half
    Tried
sign of a factor
    mul(-x, y) = mul(x, -y)
    In code: proving.numbers: factors are put in an order, of which no pattern is one half
    Tried
order of a sum
    add(x, y) = add(y, x)
    In code: compile.vector.forward, proving.numbers: an order of operands is no rewriting of one into the other
    Tried
order of a product
    mul(x, y) = mul(y, x)
    In code: compile.vector.forward, proving.numbers: an order of operands is no rewriting of one into the other
    Tried

# Whole numbers
floor of a floor
    floor(floor(x)) = floor(x)
    Used by: compile, prover, opt
    Exhausted
    Example: floor(floor(x))
    From: findings of 2026-11-23, point 2
truncation of a truncation
    trunc(trunc(x)) = trunc(x)
    Used by: compile
    Exhausted
    Example: trunc(trunc(x))
floor of a truncation
    floor(trunc(x)) = trunc(x)
    Used by: compile
    Exhausted
    Example: floor(trunc(x))
flushed twice
    flush(flush(x)) = flush(x)
    Used by: prover
    Exhausted

# Maximum and minimum
maximum of one number
    max(x, x) = x
    Used by: compile, prover, front end, opt
    Exhausted
minimum of one number
    min(x, x) = x
    Used by: compile, prover, front end, opt
    Exhausted
maximum with a number below
    max(x, A) = x
    Where: A <= low(x)
    Used by: compile, opt
    Proved
    Example: max(step(0.5, x), 0.0)
    From: findings of 2026-11-23, point 2
maximum with a number above
    max(x, A) = A
    Where: high(x) <= A
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(min(x, 0.5), 1.0)
minimum with a number above
    min(x, A) = x
    Where: high(x) <= A
    Used by: compile, opt
    Proved
    Example: min(max(min(x, 1.0), 0.0), 1.0)
    From: findings of 2026-11-23, point 2
minimum with a number below
    min(x, A) = A
    Where: A <= low(x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(max(x, 0.5), 0.0)
maximum of a maximum
    max(max(x, A), B) = max(x, B)
    Where: A <= B and finite(A)
    Laws: second
    Used by: compile, prover, opt
    Proved
    Example: max(max(x, 0.0), 0.0)
    From: findings of 2026-11-23, point 2
minimum of a minimum
    min(min(x, A), B) = min(x, B)
    Where: B <= A and finite(A)
    Laws: second
    Used by: compile, prover, opt
    Proved
    Example: min(min(x, 1.0), 1.0)
maximum of a number below
    max(A, x) = x
    Where: A <= least(x)
    Used by: compile, opt
    Proved
    Example: max(dot(n, n), 0.0)
    From: findings of 2026-11-23, point 2
minimum of a number above
    min(A, x) = x
    Where: greatest(x) <= A
    Used by: compile, opt
    Proved
    Example: min(max(min(x, 1.0), 0.0), 1.0)
    From: findings of 2026-11-23, point 2
maximum of a number above
    max(A, x) = A
    Where: high(x) < A
    Laws: second, finite maximum
    Used by: compile, opt
    Proved
    Example: max(min(x, 0.5), 1.0)
minimum of a number below
    min(A, x) = A
    Where: A < low(x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(max(x, 0.5), 0.0)
maximum of a maximum, constants first
    max(A, max(B, x)) = max(A, x)
    Where: B <= A and finite(A) and finite(B)
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(max(x, 0.0), 0.5)
minimum of a minimum, constants first
    min(A, min(B, x)) = min(A, x)
    Where: A <= B and finite(A) and finite(B)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(min(x, 1.0), 0.5)
maximum of a maximum, constant first inside
    max(max(A, x), B) = max(x, B)
    Where: A <= B and finite(A) and finite(B)
    Laws: second, finite maximum
    Used by: compile, opt
    Proved
    Example: max(max(0.0, x), 0.0)
minimum of a minimum, constant first inside
    min(min(A, x), B) = min(x, B)
    Where: B <= A and finite(A) and finite(B)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(min(1.0, x), 1.0)
maximum of a number and a maximum that begins with it
    max(x, max(x, y)) = max(x, y)
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(x, max(x, y))
    From: tests/rules_search.py
maximum of a number and a maximum that ends with it
    max(x, max(y, x)) = max(y, x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(x, max(y, x))
    From: tests/rules_search.py
maximum of a maximum and its first number
    max(max(x, y), x) = max(y, x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(max(x, y), x)
    From: tests/rules_search.py
maximum of a maximum and its second number
    max(max(x, y), y) = max(x, y)
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(max(x, y), y)
    From: tests/rules_search.py
minimum of a number and a minimum that begins with it
    min(x, min(x, y)) = min(x, y)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(x, min(x, y))
    From: tests/rules_search.py
minimum of a number and a minimum that ends with it
    min(x, min(y, x)) = min(y, x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(x, min(y, x))
    From: tests/rules_search.py
minimum of a minimum and its first number
    min(min(x, y), x) = min(y, x)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(min(x, y), x)
    From: tests/rules_search.py
minimum of a minimum and its second number
    min(min(x, y), y) = min(x, y)
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(min(x, y), y)
    From: tests/rules_search.py
minimum of a number and a maximum that ends with it
    min(x, max(y, x)) = x
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(x, max(y, x))
    From: tests/rules_search.py
maximum of a number and a minimum that ends with it
    max(x, min(y, x)) = x
    Laws: second, finite maximum
    Used by: compile, opt
    Proved
    Example: max(x, min(y, x))
    From: tests/rules_search.py
minimum of a maximum and its second number
    min(max(x, y), y) = y
    Laws: second
    Used by: compile, opt
    Proved
    Example: min(max(x, y), y)
    From: tests/rules_search.py
maximum of a minimum and its second number
    max(min(x, y), y) = y
    Laws: second
    Used by: compile, opt
    Proved
    Example: max(min(x, y), y)
    From: tests/rules_search.py
magnitude of a magnitude
    max(-max(-x, x), max(-x, x)) = max(-x, x)
    Used by: compile, opt
    Laws: second
    Exhausted
    Example: abs(abs(x))
    From: findings of 2026-11-23, point 2
magnitude of the other number
    max(x, -x) = max(-x, x)
    Laws: unsigned zero, second, finite maximum
    In code: compile.vector.forward: an order of operands is no rewriting of one into the other
    Exhausted

# Truths
product of one truth
    mul(x, x) = x
    Where: truth(x)
    Used by: compile, opt
    Exhausted
    Example: step(0.5, x) * step(0.5, x)
    From: findings of 2026-11-23, point 2
floor of a truth
    floor(x) = x
    Where: truth(x)
    Used by: compile
    Exhausted
    Example: floor(step(0.5, x))
    From: tests/rules_search.py
truncation of a truth
    trunc(x) = x
    Where: truth(x)
    Used by: compile
    Exhausted
    Example: trunc(step(0.5, x))
    From: tests/rules_search.py
one truth and itself
    both(x, x) = x
    Used by: compile, front end
    Exhausted
one truth or itself
    either(x, x) = x
    Used by: compile, front end
    Exhausted
a truth and true
    both(x, 1) = x
    Used by: compile, front end
    Exhausted
a truth and false
    both(x, 0) = 0
    Used by: compile, front end
    Exhausted
a truth or true
    either(x, 1) = 1
    Used by: compile, front end
    Exhausted
a truth or false
    either(x, 0) = x
    Used by: compile, front end
    Exhausted
contrary of the contrary
    invert(invert(x)) = x
    Used by: compile, front end
    Exhausted
contrary of equal
    invert(eq(x, y)) = ne(x, y)
    Used by: front end
    Tried
contrary of unequal
    invert(ne(x, y)) = eq(x, y)
    Used by: front end
    Tried

# Choices
choice of one number
    select(x, y, y) = y
    Used by: compile
    In code: compile.spirv.emit: before it is rounded too, where an operand may be undefined and then has any value
    Tried
choice with true
    select(1, x, y) = x
    Used by: compile
    In code: compile.spirv.emit: before it is rounded too, where an operand may be undefined and then has any value
    Tried
choice with false
    select(0, x, y) = y
    Used by: compile
    In code: compile.spirv.emit: before it is rounded too, where an operand may be undefined and then has any value
    Tried
choice whose other value is a choice by the same
    select(x, y, select(x, z, w)) = select(x, y, w)
    Used by: compile
    Tried
    Example: c ? y : (c ? z : w)
choice whose value is a choice by the same
    select(x, select(x, y, z), w) = select(x, y, w)
    Used by: compile
    Tried
    Example: c ? (c ? y : z) : w
less than itself
    lt(x, x) = 0
    Used by: compile
    Exhausted
    Example: x < x
    From: tests/rules_search.py
choice by the contrary
    select(invert(x), y, z) = select(x, z, y)
    Used by: compile
    Tried
choice of 1 and 0
    select(x, 1, 0) = x
    Used by: compile
    In code: compile.spirv.emit: before it is rounded too, where an operand may be undefined and then has any value
    Exhausted
choice that is a minimum
    select(lt(x, y), x, y) = min(x, y)
    Laws: second
    Used by: compile
    Proved
    Example: x < y ? x : y
choice that is a maximum
    select(lt(x, y), y, x) = max(y, x)
    Laws: second, finite maximum
    Used by: compile
    Proved
    Example: x < y ? y : x
choice that is a magnitude
    select(lt(x, 0), -x, x) = max(-x, x)
    Laws: second, finite maximum
    Used by: compile
    Exhausted
    Example: x < 0.0 ? -x : x
choice that is a negative magnitude
    select(lt(x, 0), x, -x) = min(x, -x)
    Laws: second
    Used by: compile
    Exhausted
choice that is a magnitude, turned
    select(lt(0, x), x, -x) = max(x, -x)
    Laws: second, finite maximum
    Used by: compile
    Exhausted
choice that is a negative magnitude, turned
    select(lt(0, x), -x, x) = min(-x, x)
    Laws: second
    Used by: compile
    Exhausted
choice that is a minimum with a number
    select(le(A, x), A, x) = min(A, x)
    Where: A != 0
    Laws: second
    Used by: compile
    Proved
choice that is a minimum of a number
    select(le(x, A), x, A) = min(x, A)
    Where: A != 0
    Laws: second
    Used by: compile
    Proved
choice that is a maximum with a number
    select(le(A, x), x, A) = max(x, A)
    Where: A != 0
    Laws: second, finite maximum
    Used by: compile
    Proved
choice that is a maximum of a number
    select(le(x, A), A, x) = max(A, x)
    Where: A != 0
    Laws: second, finite maximum
    Used by: compile
    Proved
choice that is a sign
    select(x, -y, y) = mul(mad(x, -2, 1), y)
    Where: free(x) and arithmetic(y)
    Used by: compile
    Eager
    Tried
choice of 0 and 1
    select(x, 0, 1) = invert(x)
    Where: free(x)
    Used by: compile
    In code: compile.spirv.emit: also of a boolean that the application sets, since a contrary is free there
    Exhausted
choice of a number and 0
    select(x, A, 0) = mul(x, A)
    Where: free(x) and 0 < A and finite(A)
    Used by: compile
    Tried
choice of two numbers
    select(x, A, B) = mad(x, [A - B], B)
    Where: free(x) and finite(A) and finite(B)
    Used by: compile
    Tried
    Example: a < b ? 3.0 : 2.0
"""

_ALLOWED = """
product with 1 of any number
    mul(x, 1) = x
    Used by: front end
    Also precise
product with -1 of any number
    mul(x, -1) = -x
    Used by: front end
    Also precise
product with 0
    mul(x, 0) = 0
    Used by: front end
    In code: compile.spirv.emit: pairs of a dot product of which one is 0 are left out, and the vectors are shorter; not in sums
    Example: v * vec3(1.0, 0.0, 0.0)
sum with 0 of any number
    add(x, 0) = x
    Used by: front end
    Also precise
product and sum with 0
    mad(x, y, 0) = mul(x, y)
    Used by: front end
    In code: compile.spirv.emit: of whole vectors, which by lane would come apart
    Also precise
product and sum with factor 1 of any number
    mad(x, 1, y) = add(x, y)
    Used by: front end
    In code: compile.spirv.emit: of whole vectors, which by lane would come apart
    Also precise
difference of one number
    add(x, -x) = 0
    Used by: front end
reciprocal of a reciprocal
    rcp(rcp(x)) = x
    Used by: front end
    Example: 1.0 / sqrt(x)
    From: findings of 2026-11-23, point 3
square of a root
    mul(rcp(rsq(x)), rcp(rsq(x))) = x
    Used by: front end
    Example: sqrt(x) * sqrt(x)
square of a reciprocal root
    mul(rsq(x), rsq(x)) = rcp(x)
    Used by: front end
    Example: inversesqrt(x) * inversesqrt(x)
root by its reciprocal
    mul(x, rsq(x)) = rcp(rsq(x))
    Used by: front end
    Example: x * inversesqrt(x)
power of a logarithm
    exp2(log2(x)) = x
    Used by: front end
    Example: exp2(log2(x))
    From: findings of 2026-11-23, point 3
logarithm of a power
    log2(exp2(x)) = x
    Used by: front end
    Example: log2(exp2(x))
first power
    exp2(mul(log2(x), 1)) = x
    Used by: front end
    Example: pow(x, 1.0)
second power
    exp2(mul(log2(x), 2)) = mul(x, x)
    Used by: front end
    Example: pow(x, 2.0)
fourth power
    exp2(mul(log2(x), 4)) = mul(mul(x, x), mul(x, x))
    Used by: front end
    Example: pow(x, 4.0)
third power
    exp2(mul(log2(x), 3)) = mul(mul(x, x), x)
    Used by: front end
    Example: pow(x, 3.0)
power with -1
    exp2(mul(log2(x), -1)) = rcp(x)
    Used by: front end
    Example: pow(x, -1.0)
power with -1/2
    exp2(mul(log2(x), -0.5)) = rsq(x)
    Used by: front end
    Example: pow(x, -0.5)
power with 1/2
    exp2(mul(log2(x), 0.5)) = rcp(rsq(x))
    Used by: front end
    Example: pow(x, 0.5)
products with two numbers
    mul(A, mul(B, x)) = mul([A * B], x)
    Where: finite(A) and finite(B)
    Used by: front end
    Example: exp(log(x) * 2.0)
    From: findings of 2026-11-23, point 3
magnitude of a magnitude, signs last
    max(max(x, -x), -max(x, -x)) = max(x, -x)
    Used by: front end
    Also precise
    Example: abs(abs(x))
negative dot product
    dot(x, -y) = -dot(x, y)
    Used by: front end
    In code: compile.spirv.signs: the other way where everything that reads the product turns its sign
    Also precise
    Example: dot(n, -s) beside dot(s, n)
    From: findings of 2026-11-23, point 3
negative dot product, sign first
    dot(-x, y) = -dot(x, y)
    Used by: front end
    Also precise
    Example: dot(-s, n)
"""

_BELIEFS = """
adding 0 changes nothing
    add(x, 0) = x
    x = 0x000001
    arithmetic flushes a subnormal number, and where there is a -0, `-0 + 0` is 0
multiplying by 1 changes nothing
    mul(x, 1) = x
    x = 0x000001
    arithmetic flushes a subnormal number
halving and doubling cancel
    mul(mul(x, 0.5), 2) = x
    x = 0x010000
    half of the smallest normal number is flushed
0 times anything is 0
    mul(x, 0) = 0
    x = nan
    0 times infinity is 0, and 0 times NaN is NaN
a number less itself is 0
    add(x, -x) = 0
    x = inf
    inf - inf is NaN
adding and subtracting cancel
    add(add(x, y), -y) = x
    x = 1, y = 131072
    the sum has no place left for the small number
sums have no order
    add(add(x, y), z) = add(x, add(y, z))
    x = 1, y = 131072, z = -131072
    a small number is lost in the larger one, or is not
products have no order
    mul(mul(x, y), z) = mul(x, mul(y, z))
    x = 18446744073709500000, y = 2, z = 0.5
    the product of the first two is infinite
products distribute
    mul(x, add(y, z)) = add(mul(x, y), mul(x, z))
    x = 0x3b9999, y = 100, z = 3
    each product is rounded once, the sum of both again
a reciprocal of a reciprocal is the number
    rcp(rcp(x)) = x
    x = 53
    each is rounded
a quotient of one number is 1
    mul(x, rcp(x)) = 1
    x = 3
    the reciprocal is rounded; of 0 it is infinity, and the product 0
the square of a root is the number
    mul(rcp(rsq(x)), rcp(rsq(x))) = x
    x = 5
    each operation rounds
a maximum has no order
    max(x, y) = max(y, x)
    x = nan, y = 1
    of a NaN and a number the second is the result
a minimum has no order
    min(x, y) = min(y, x)
    x = nan, y = 1
    of a NaN and a number the second is the result
a clamp has no order
    min(max(x, 0), 1) = max(min(x, 1), 0)
    x = nan
    0 of a NaN on the left, 1 on the right
a square is not negative
    max(mul(x, x), 0) = mul(x, x)
    x = nan
    the maximum of NaN and 0 is 0
a number equals itself
    eq(x, x) = 1
    x = nan
    a NaN is not equal to anything
not less is greater or equal
    invert(lt(x, y)) = le(y, x)
    x = nan, y = 1
    both comparisons with a NaN are false
a choice by not greater is a minimum
    select(le(x, y), x, y) = select(lt(y, x), y, x)
    x = nan, y = 1
    every comparison with a NaN is false
a power of a logarithm is the number
    exp2(log2(x)) = x
    x = 3
    each is rounded; of a negative number the logarithm is NaN
a floor of a sum is a sum of floors
    floor(add(x, y)) = add(floor(x), floor(y))
    x = 0.5, y = 0.5
    two halves are 1
a floor of the negative is the negative of the floor
    floor(-x) = -floor(x)
    x = 0.5
    it goes down on both sides of 0
"""

__all__ = ["beliefs", "rules", "rules_of"]
