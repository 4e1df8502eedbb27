"""Terms: the operations of the algebra on symbols, shared by two programs.

A term is a number; equal terms have one number, so two values are equal for all inputs if their numbers are. Every NaN is one
value (`docs/proving.md`), so sums and products commute. Terms do not compute: constants are float24 words that no rule has
rounded, unless the terms are made with a number rule. So a proof holds for every rounding and range of the numbers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import EQ, GE, GT, LE, LT, NE, dot_in_order
from lanewise.core.numbers.floats import BIAS, EXPONENT_MAX, FRACTION, INFINITY, MAGNITUDE, MANTISSA_BITS, SIGN
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.proof.ranges import reach
from lanewise.pica200.sem.numbers import ROUNDINGS, Float24
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.proof.asked import Asked
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.numbers import Float32

Term = int
Node = tuple[str | int | bool, ...]

# Constants of the semantics are exact in float24: the hardware's rule names them.
_FLOAT24 = Float24()
_MIRRORED = {GT: LT, GE: LE}
# Operations whose results are never subnormal where arithmetic flushes.
_ARITHMETIC = frozenset(("add", "mul", "mad", "dot3", "dot4", "rcp", "rsq", "exp2", "log2", "floor"))


def _is_ordinary(word: int) -> bool:
    """Whether a float24 word has a sign that every profile negates: neither zero, subnormal nor NaN."""
    return bool(word >> MANTISSA_BITS & 0x7F) and word & MAGNITUDE <= INFINITY


_LEAVES = frozenset(("const", "integer", "truth", "input", "uniform", "component"))  # nodes without terms in their arguments


MOST_EFFORT = 9_000_000


class Effort:
    """How much more a comparison may do: words executed on terms, and evaluations of terms in cases.

    So an answer takes a bounded time, which depends on the programs and not on the machine.
    """

    __slots__ = ("left",)
    WORD = 40  # what a word costs; an evaluation costs 1

    def __init__(self) -> None:
        self.left = 0
        self.start()

    def start(self) -> None:
        """Begin with another comparison."""
        self.left = MOST_EFFORT


class Terms:
    """The operations of the algebra on terms, collected in `nodes`.

    `profile` decides what the meaning of an instruction asks of it. With `computing`, what is constant is computed by the
    number rule of the profile. `dots`: dot products are one operation of which only the profile knows the order, so that a
    proof holds for each. `commuting`: sums and products do not depend on the order of their two operands.
    """

    def __init__(
        self,
        profile: Asked,
        *,
        computing: bool = False,
        dots: bool = True,
        commuting: bool = True,
        effort: Effort | None = None,
    ) -> None:
        self.profile = profile
        self.computing, self.dots, self.commuting = computing, dots, commuting
        self.nodes: list[Node] = []
        self.constant_arguments = False  # whether an operation had only constants
        self.split_dots = False  # whether there was a dot product that is one operation
        self.effort = effort or Effort()
        self.by_cases: dict[tuple[Term, Term, frozenset[tuple[Term, bool]]], bool] = {}  # what `cases` has answered
        self._numbers: dict[Node, Term] = {}
        self._rule: Float24 | Float32 | None = self.numbers() if computing else None
        self.true, self.false = self.node("truth", True), self.node("truth", False)
        self._constants: dict[float, Term] = {}
        self.inputs = tuple([self.vector("input", n) for n in range(16)])
        self.uniforms = tuple([self.vector("uniform", n) for n in range(FLOAT_COUNT)])
        self.integers = tuple([self.vector("component", n) for n in range(4)])

    def node(self, *node: str | int | bool) -> Term:
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def vector(self, op: str, number: int) -> Vector[Term]:
        """The leaves of a register."""
        return self.node(op, number, 0), self.node(op, number, 1), self.node(op, number, 2), self.node(op, number, 3)

    def numbers(self) -> Float24 | Float32:
        """The number rule of the profile. Of the profile, it asks what decides results of arithmetic."""
        return ROUNDINGS[self.profile.rounding](self.profile.as_profile())

    # Constants

    def float24(self, word: int) -> Term:
        """A float24 word of a file."""
        return self.node("const", word if self._rule is None else self._rule.from_float24(word))

    def constant(self, value: float) -> Term:
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = self.node("const", (self._rule or _FLOAT24).constant(value))
        return found

    def _known(self, a: Term) -> int | None:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "const" else None

    def truth(self, a: Term) -> bool | None:
        return True if a == self.true else False if a == self.false else None

    def known_integer(self, a: Term) -> int | None:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "integer" else None

    def _number(self, op: str, *arguments: Term) -> Term:
        for argument in arguments:
            if self.nodes[argument][0] != "const":
                return self.node(op, *arguments)
        self.constant_arguments = True
        if self._rule is None:
            return self.node(op, *arguments)
        return self.node("const", getattr(self._rule, op)(*[self.nodes[a][1] for a in arguments]))

    # Numbers

    def negate(self, a: Term) -> Term:
        node = self.nodes[a]
        if node[0] == "negate":
            return int(node[1])
        if node[0] == "const" and self._rule is None and _is_ordinary(int(node[1])):
            return self.node("const", int(node[1]) ^ SIGN)
        return self._number("negate", a)

    def flush(self, a: Term) -> Term:
        return a if self.nodes[a][0] == "flush" else self._number("flush", a)

    # The rules by which sums and products have one form are shown for numbers in tests/engines/test_proof_rules.py.

    def add(self, a: Term, b: Term) -> Term:
        if not self.commuting:
            return self._number("add", a, b)
        if a == b:
            return self.mul(self.constant(2.0), a)
        zero = self.constant(0.0)
        if zero in (a, b) and self._unsigned() and self._exact(other := b if a == zero else a):
            return other
        if self.nodes[a][0] != "negate" and self.nodes[b][0] != "negate":
            return self._number("add", min(a, b), max(a, b))
        (x, negative), (y, other_negative) = self._split(a), self._split(b)
        if y < x:
            a, b, x, y, negative, other_negative = b, a, y, x, other_negative, negative
        if negative and self._unsigned():
            return self.negate(self._number("add", x, y if other_negative else self.negate(y)))
        return self._number("add", a, b)

    def mul(self, a: Term, b: Term) -> Term:
        if not self.commuting:
            return self._number("mul", a, b)
        for x, y in ((a, b), (b, a)):
            core, negative = self._split(x)
            if core == self.constant(1.0) and self._exact(y):
                return self.negate(y) if negative else y
            found = self._scaled(core, negative, y)
            if found is not None:
                return found
        a, b = self._factors(a, b)
        if self.nodes[a][0] == "negate" and self._unsigned():
            return self.negate(self._number("mul", int(self.nodes[a][1]), b))
        return self._number("mul", a, b)

    def _scaled(self, a: Term, negative: bool, b: Term) -> Term | None:
        """The product of a power of two with a product with another, where the product of both powers gives the same."""
        power = self._power(a)
        b, other = self._split(b)
        node = self.nodes[b]
        if power is None or node[0] != "mul":
            return None
        negative ^= other
        for factor, y in ((int(node[1]), int(node[2])), (int(node[2]), int(node[1]))):
            x, other = self._split(factor)
            more = self._power(x)
            if more is None or (power < BIAS) != (more < BIAS) or not 0 < (both := power + more - BIAS) < EXPONENT_MAX:
                continue
            if power < BIAS and self.profile.subnormal_arithmetic == "keep" and self.profile.rounding != "zero":
                continue  # a subnormal is rounded twice
            word = self.node("const", both << MANTISSA_BITS)
            return self.mul(self.negate(word) if negative != other else word, y)
        return None

    def _power(self, a: Term) -> int | None:
        """The exponent field of a constant that is a power of two."""
        node = self.nodes[a]
        if node[0] != "const" or self._rule is not None:
            return None
        word = int(node[1])
        return word >> MANTISSA_BITS if _is_ordinary(word) and word < INFINITY and not word & FRACTION else None

    def _unsigned(self) -> bool:
        """Whether there is no -0."""
        return self.profile.negative_zero == "unseen"

    def _exact(self, a: Term) -> bool:
        """Whether arithmetic takes a term as it is: the result of arithmetic, or subnormals are kept."""
        node = self.nodes[a]
        core = self.nodes[int(node[1])] if node[0] == "negate" else node
        if core[0] in _ARITHMETIC or (core[0] == "const" and self._rule is None and _is_ordinary(int(core[1]))):
            return True
        return self.profile.subnormal_arithmetic == "keep"

    def _split(self, a: Term) -> tuple[Term, bool]:
        """A term without its sign, and whether it has one. Constants have one if they are negative."""
        node = self.nodes[a]
        if node[0] == "negate":
            return int(node[1]), True
        if node[0] == "const":
            word = int(node[1])
            if self._rule is None:
                return (self.node("const", word ^ SIGN), True) if word & SIGN and _is_ordinary(word) else (a, False)
            if self._rule.compare(LT, word, 0):
                return self.node("const", self._rule.negate(word)), True
        return a, False

    def _factors(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Two factors in order, with at most one sign, which the first has: signs of factors change places, and two of them
        nothing.

        0 * inf is +0 whatever their signs, so a sign cannot leave the product where there is a -0.
        """
        if not self.commuting:
            return a, b
        (a, negative), (b, other) = self._split(a), self._split(b)
        if b < a:
            a, b = b, a
        return (self.negate(a) if negative != other else a), b

    def mad(self, a: Term, b: Term, c: Term) -> Term:
        if self.profile.mad_rounding == "once":
            return self._number("mad", *self._factors(a, b), c)
        return self.add(self.mul(a, b), c)

    def dot(self, a: Sequence[Term], b: Sequence[Term]) -> Term:
        if self.dots:
            self.split_dots = True
        elif self.profile.dot_order != "once":
            return dot_in_order(self, self.profile.dot_order, a, b)
        flat = [each for x, y in zip(a, b, strict=True) for each in self._factors(x, y)]
        if all(self.nodes[each][0] == "const" for each in flat):
            self.constant_arguments = True
            if self._rule is not None:
                words = [int(self.nodes[each][1]) for each in flat]
                return self.node("const", self._rule.dot(words[::2], words[1::2]))
        return self.node(f"dot{len(a)}", *flat)

    def max(self, a: Term, b: Term) -> Term:
        return a if a == b else self._number("max", a, b)

    def min(self, a: Term, b: Term) -> Term:
        return a if a == b else self._number("min", a, b)

    def at_least(self, a: Term, low: Term) -> Term:
        return self._number("at_least", a, low)

    def at_most(self, a: Term, high: Term) -> Term:
        return self._number("at_most", a, high)

    def floor(self, a: Term) -> Term:
        return a if self.nodes[a][0] == "floor" else self._number("floor", a)

    def rcp(self, a: Term) -> Term:
        return self._number("rcp", a)

    def rsq(self, a: Term) -> Term:
        return self._number("rsq", a)

    def exp2(self, a: Term) -> Term:
        return self._number("exp2", a)

    def log2(self, a: Term) -> Term:
        return self._number("log2", a)

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        known = self.truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        if self.nodes[condition][0] == "invert":
            return self.select(int(self.nodes[condition][1]), b, a)
        return self.node("select", condition, a, b)

    # Truth values

    def boolean(self, value: bool) -> Term:
        return self.true if value else self.false

    def compare(self, op: int, a: Term, b: Term) -> Term:
        if op > GE:
            return self.true
        if op in _MIRRORED:
            op, a, b = _MIRRORED[op], b, a
        elif op in (EQ, NE) and b < a:
            a, b = b, a
        x, y = self._known(a), self._known(b)
        if x is not None and y is not None:
            self.constant_arguments = True
            if self._rule is not None:
                return self.boolean(self._rule.compare(op, x, y))
        return self.node("compare", a, b, op)

    def not_negative(self, a: Term) -> Term:
        word = self._known(a)
        if word is not None:
            self.constant_arguments = True
            if self._rule is not None:
                return self.boolean(self._rule.not_negative(word))
        return self.node("not_negative", a)

    def invert(self, a: Term) -> Term:
        node = self.nodes[a]
        if node[0] == "truth":
            return self.boolean(not node[1])
        return int(node[1]) if node[0] == "invert" else self.node("invert", a)

    def both(self, a: Term, b: Term) -> Term:
        if b < a:
            a, b = b, a
        if self.false in (a, b) or self.invert(a) == b:
            return self.false
        if a in (self.true, b):
            return b
        return a if b == self.true else self.node("both", a, b)

    def either(self, a: Term, b: Term) -> Term:
        return self.invert(self.both(self.invert(a), self.invert(b)))

    # Integers

    def to_integer(self, a: Term) -> Term:
        word = self._known(a)
        if word is not None:
            self.constant_arguments = True
            if self._rule is not None:
                return self.integer(self._rule.to_integer(word))
        return self.node("to_integer", a)

    def integer(self, value: int) -> Term:
        return self.node("integer", value)

    def integer_add(self, a: Term, b: Term) -> Term:
        x, y = self.known_integer(a), self.known_integer(b)
        if x is not None and y is not None:
            return self.integer(x + y)
        if x is not None:
            a, b, x, y = b, a, y, x
        if y is not None:
            if not y:
                return a
            node = self.nodes[a]
            if node[0] == "integer_add" and (more := self.known_integer(int(node[2]))) is not None:
                return self.integer_add(int(node[1]), self.integer(more + y))
            return self.node("integer_add", a, b)
        return self.node("integer_add", min(a, b), max(a, b))

    def integer_and(self, a: Term, mask: int) -> Term:
        known = self.known_integer(a)
        return self.node("integer_and", a, mask) if known is None else self.integer(known & mask)

    def integer_within(self, a: Term, low: int, high: int) -> Term:
        known = self.known_integer(a)
        return self.node("within", a, low, high) if known is None else self.boolean(low <= known <= high)

    def integer_select(self, condition: Term, a: Term, b: Term) -> Term:
        known = self.truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("integer_select", condition, a, b)

    def look_up(self, rows: Sequence[Vector[Term]], index: Term) -> Vector[Term]:
        """A row by an index that is not known.

        Where the index is one of few (`ranges`), the result is one operation of the whole number that it comes from: whatever
        registers the rows are in. Otherwise rows of uniforms that both programs have in the same places (`uniform`) are one
        operation of the index; other rows are arguments.
        """
        known = self.known_integer(index)
        if known is not None:
            return rows[known]
        few = reach(self, index)
        if few is not None:
            x, y, z, w = ([part for value, row in few.indices for part in (value, rows[row][c])] for c in range(4))
            return (
                self.node("choice", few.whole, *x),
                self.node("choice", few.whole, *y),
                self.node("choice", few.whole, *z),
                self.node("choice", few.whole, *w),
            )
        arguments: list[Term] = []
        if self.profile.index_files == "added" or self.profile.index_wrap == "registers":
            arguments += [value for row in rows[:FLOAT] for value in row]
        uniforms = rows[FLOAT : FLOAT + FLOAT_COUNT]
        arguments += [part for n, row in enumerate(uniforms) if row != self.uniforms[n] for part in (n, *row)]
        return (
            self.node("gather", index, 0, *arguments),
            self.node("gather", index, 1, *arguments),
            self.node("gather", index, 2, *arguments),
            self.node("gather", index, 3, *arguments),
        )

    def gathered(self, a: Term) -> set[tuple[str | int | bool, ...]]:
        """What each read by an unknown index in a term has in reach, besides the uniforms that both programs have in the same
        places."""
        found: set[tuple[str | int | bool, ...]] = set()
        seen, waiting = {a}, [a]
        while waiting:
            name, *arguments = self.nodes[waiting.pop()]
            if name == "gather":
                found.add(tuple(arguments[2:]))
                arguments = arguments[:1]
            elif name in _LEAVES:
                continue
            # A mask or a bound that is read as a term finds too much, and never too little.
            new = {each for each in arguments if type(each) is int and 0 <= each < len(self.nodes)} - seen
            seen |= new
            waiting += new
        return found

    def holds(self, a: Term, assumed: Mapping[Term, bool]) -> bool | None:
        """Whether a truth value holds where some others are known."""
        node = self.nodes[a]
        if node[0] == "truth":
            return bool(node[1])
        if (found := assumed.get(a)) is not None:
            return found
        if node[0] == "invert":
            found = self.holds(int(node[1]), assumed)
            return None if found is None else not found
        if node[0] == "both":
            x, y = self.holds(int(node[1]), assumed), self.holds(int(node[2]), assumed)
            return False if x is False or y is False else None if x is None or y is None else True
        return None

    def assume(self, a: Term, value: bool, assumed: Mapping[Term, bool]) -> dict[Term, bool]:
        """What is known where a truth value is also known to be `value`."""
        found = {**assumed, a: value}
        node = self.nodes[a]
        if node[0] == "invert":
            return self.assume(int(node[1]), not value, found)
        if node[0] == "both" and value:
            return self.assume(int(node[2]), True, self.assume(int(node[1]), True, found))
        return found
