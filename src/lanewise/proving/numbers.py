"""Terms of numbers of a binary format: operations that arithmetic units share, and the laws by which equal ones are one.

Which laws hold is asked of the instruction set when one is used (`commuting`, `unsigned_zero`, `exact`, `rescaled`,
`mad_once`), so a client may note what a proof rests on. Terms do not compute: constants are words of one format that no rule
has rounded, unless the terms are made with `computing`. So a proof holds for every rounding and range of the numbers at once.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from lanewise.core.numbers.binary import EQ, GE, GT, LE, LT, NE
from lanewise.core.record import TYPE_CHECKING
from lanewise.proving.cases import equal_by_cases, impossible
from lanewise.proving.terms import Terms
from lanewise.rules.expression import NUMBER
from lanewise.rules.matching import rules_for
from lanewise.rules.row import PROVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from lanewise.core.numbers.binary import Format
    from lanewise.proving.terms import Effort, Term

    class Rule(Protocol):
        """The operations of a number rule on words; those that an instruction set adds are called by their names."""

        @property
        def format(self) -> Format: ...
        def constant(self, value: float) -> int: ...
        def negate(self, a: int) -> int: ...
        def flush(self, a: int) -> int: ...
        def floor(self, a: int) -> int: ...
        def max(self, a: int, b: int) -> int: ...
        def min(self, a: int, b: int) -> int: ...
        def compare(self, op: int, a: int, b: int) -> bool: ...
        def not_negative(self, a: int) -> bool: ...
        def to_integer(self, a: int) -> int: ...


_MIRRORED = {GT: LT, GE: LE}
_REWRITTEN = frozenset(("add", "mul", "max", "min", "floor", "flush"))  # operations that rewrite rules look into
_HEADS: Mapping[str | int | bool, str] = {"const": NUMBER, **{op: op for op in _REWRITTEN}}


class NumberTerms(Terms, ABC):
    """Operations on numbers as terms. An instruction set's own derive from it and say which laws hold."""

    base: Rule
    computing: bool
    commuting: bool
    constant_arguments: bool

    arithmetic: frozenset[str] = frozenset(("add", "mul", "mad", "rcp", "rsq", "exp2", "log2", "floor"))
    """Operations whose results are never subnormal where arithmetic flushes; cases compute those of constants."""

    def __init__(
        self,
        base: Rule,
        *,
        computing: Rule | None = None,
        commuting: bool = True,
        effort: Effort | None = None,
        without: frozenset[str] = frozenset(),
    ) -> None:
        """`base`: the rule of constants, whose format is that of the words of a file.

        `computing`: the rule that computes what is constant. `without`: names of rewrite rules that are not used, such as one
        that is to be proved.
        """
        super().__init__(effort)
        self.base, self._rule = base, computing
        self.computing, self.commuting = computing is not None, commuting
        form = base.format
        self._mantissa_bits = form.mantissa_bits
        self._exponents = (1 << form.exponent_bits) - 1  # of infinities and NaN
        self._bias = self._exponents >> 1
        self._infinity = self._exponents << form.mantissa_bits
        self._sign = 1 << form.mantissa_bits + form.exponent_bits
        self._fraction = (1 << form.mantissa_bits) - 1
        self.constant_arguments = False  # whether an operation had only constants
        self.by_cases: dict[tuple[Term, Term, frozenset[tuple[Term, bool]]], bool] = {}  # what `cases` has answered
        self.operated: dict[tuple[str | Term, ...], Term] = {}  # what operations have given in cases
        self._constants: dict[float, Term] = {}
        self._rules, self._view = rules_for(PROVER, without), _Rewritten(self)
        self._sizes: dict[Term, float | None] = {}  # the numbers of constants

    # What an instruction set says of its numbers

    @abstractmethod
    def unsigned_zero(self) -> bool:
        """Whether there is no -0: signs leave sums and products, and x + 0 is x."""

    @abstractmethod
    def exact(self) -> bool:
        """Whether arithmetic takes subnormal operands as they are: 1 * x is x."""

    @abstractmethod
    def rescaled(self) -> bool:
        """Whether two products with powers of two below 1 round as one with both does."""

    @abstractmethod
    def mad_once(self) -> bool:
        """Whether a * b + c is rounded once."""

    @abstractmethod
    def numbers(self) -> Any:
        """The number rule for arithmetic."""

    @abstractmethod
    def ordering(self) -> Rule:
        """The number rule for what only compares, chooses and negates."""

    @abstractmethod
    def signed_zero(self) -> bool:
        """Whether there is a -0 that an operation tells from 0."""

    @abstractmethod
    def one_nan(self) -> bool:
        """Whether all NaN are one value that decides nothing by its sign."""

    @abstractmethod
    def infinite_maximum(self) -> bool:
        """Whether the maximum of a number and -inf may be -inf."""

    def word_of(self, rule: Rule, word: int) -> int:
        """A constant in the format of a number rule."""
        return word

    def operate(self, target: Any, op: str, arguments: Sequence[int]) -> int:
        """An operation by its name, on the terms or on the words of a rule."""
        return getattr(target, op)(*arguments)

    # What a walk asks

    def equal(self, a: Term, b: Term, assumed: Mapping[Term, bool]) -> bool:
        return a == b or equal_by_cases(self, a, b, assumed)

    def impossible(self, assumed: Mapping[Term, bool]) -> bool:
        return impossible(self, assumed)

    # Constants

    def word(self, word: int) -> Term:
        """A constant of a file."""
        return self.node("const", word if self._rule is None else self.word_of(self._rule, word))

    def constant(self, value: float) -> Term:
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = self.node("const", (self._rule or self.base).constant(value))
        return found

    def _known(self, a: Term) -> int | None:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "const" else None

    def _number(self, op: str, *arguments: Term) -> Term:
        for argument in arguments:
            if self.nodes[argument][0] != "const":
                return self.node(op, *arguments)
        self.constant_arguments = True
        if self._rule is None:
            return self.node(op, *arguments)
        return self.node("const", self.operate(self._rule, op, [int(self.nodes[a][1]) for a in arguments]))

    # Numbers

    def negate(self, a: Term) -> Term:
        node = self.nodes[a]
        if node[0] == "negate":
            return int(node[1])
        if node[0] == "const" and self._rule is None and self._is_ordinary(int(node[1])):
            return self.node("const", int(node[1]) ^ self._sign)
        return self._number("negate", a)

    def flush(self, a: Term) -> Term:
        rewritten = self._rewritten("flush", a)
        return self._number("flush", a) if rewritten is None else rewritten

    def _rewritten(self, op: str, *operands: Term) -> Term | None:
        """The term of an operation by a rewrite rule of `rules.table`."""
        found = self._rules.found(self._view, op, operands)
        return None if found is None else found.value(self._view)

    def known_number(self, a: Term) -> float | None:
        """The number of a constant, unless rules may read its word otherwise: neither NaN nor subnormal."""
        if self.nodes[a][0] != "const":
            return None
        if a not in self._sizes:
            self._sizes[a] = self._number_of(int(self.nodes[a][1]))
        return self._sizes[a]

    def _number_of(self, word: int) -> float | None:
        magnitude = word & self._sign - 1
        if word and not self._fraction < magnitude <= self._infinity:
            return None
        form = (self._rule or self.base).format
        exponent = magnitude >> form.mantissa_bits
        if magnitude == self._infinity:
            size = math.inf
        else:
            size = math.ldexp(1 + (magnitude & self._fraction) / (self._fraction + 1), exponent - self._bias) if word else 0.0
        return -size if word & self._sign else size

    # What rules say of sums and products besides (`In code`) is shown for numbers in tests/engines/test_proof_rules.py.

    def add(self, a: Term, b: Term) -> Term:
        if not self.commuting:
            return self._number("add", a, b)
        rewritten = self._rewritten("add", a, b)
        if rewritten is not None:
            return rewritten
        if self.nodes[a][0] != "negate" and self.nodes[b][0] != "negate":
            return self._number("add", min(a, b), max(a, b))
        (x, negative), (y, other_negative) = self._split(a), self._split(b)
        if y < x:
            a, b, x, y, negative, other_negative = b, a, y, x, other_negative, negative
        if negative and self.unsigned_zero():
            return self.negate(self._number("add", x, y if other_negative else self.negate(y)))
        return self._number("add", a, b)

    def mul(self, a: Term, b: Term) -> Term:
        if not self.commuting:
            return self._number("mul", a, b)
        rewritten = self._rewritten("mul", a, b)
        if rewritten is not None:
            return rewritten
        for x, y in ((a, b), (b, a)):
            core, negative = self._split(x)
            found = self._scaled(core, negative, y)
            if found is not None:
                return found
        a, b = self._factors(a, b)
        if self.nodes[a][0] == "negate" and self.unsigned_zero():
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
            if (
                more is None
                or (power < self._bias) != (more < self._bias)
                or not 0 < (both := power + more - self._bias) < self._exponents
            ):
                continue
            if power < self._bias and not self.rescaled():
                continue  # a subnormal is rounded twice
            word = self.node("const", both << self._mantissa_bits)
            return self.mul(self.negate(word) if negative != other else word, y)
        return None

    def _power(self, a: Term) -> int | None:
        """The exponent field of a constant that is a power of two."""
        node = self.nodes[a]
        if node[0] != "const" or self._rule is not None:
            return None
        word = int(node[1])
        return (
            word >> self._mantissa_bits
            if self._is_ordinary(word) and word < self._infinity and not word & self._fraction
            else None
        )

    def taken(self, a: Term) -> bool:
        """Whether arithmetic takes a term as it is: the result of arithmetic, or subnormals are kept."""
        node = self.nodes[a]
        core = self.nodes[int(node[1])] if node[0] == "negate" else node
        if core[0] in self.arithmetic or (core[0] == "const" and self._rule is None and self._is_ordinary(int(core[1]))):
            return True
        return self.exact()

    def _split(self, a: Term) -> tuple[Term, bool]:
        """A term without its sign, and whether it has one. Constants have one if they are negative."""
        node = self.nodes[a]
        if node[0] == "negate":
            return int(node[1]), True
        if node[0] == "const":
            word = int(node[1])
            if self._rule is None:
                return (
                    (self.node("const", word ^ self._sign), True)
                    if word & self._sign and self._is_ordinary(word)
                    else (a, False)
                )
            if self._rule.compare(LT, word, 0):
                return self.node("const", self._rule.negate(word)), True
        return a, False

    def _factors(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Two factors in order, with at most one sign, which the first has: signs of factors change places, and two are none.

        0 * inf is +0 whatever their signs, so a sign cannot leave the product where there is a -0.
        """
        if not self.commuting:
            return a, b
        (a, negative), (b, other) = self._split(a), self._split(b)
        if b < a:
            a, b = b, a
        return (self.negate(a) if negative != other else a), b

    def mad(self, a: Term, b: Term, c: Term) -> Term:
        if self.mad_once():
            return self._number("mad", *self._factors(a, b), c)
        return self.add(self.mul(a, b), c)

    def max(self, a: Term, b: Term) -> Term:
        rewritten = self._rewritten("max", a, b)
        return self._number("max", a, b) if rewritten is None else rewritten

    def min(self, a: Term, b: Term) -> Term:
        rewritten = self._rewritten("min", a, b)
        return self._number("min", a, b) if rewritten is None else rewritten

    def at_least(self, a: Term, low: Term) -> Term:
        return self._number("at_least", a, low)

    def at_most(self, a: Term, high: Term) -> Term:
        return self._number("at_most", a, high)

    def floor(self, a: Term) -> Term:
        rewritten = self._rewritten("floor", a)
        return self._number("floor", a) if rewritten is None else rewritten

    def rcp(self, a: Term) -> Term:
        return self._number("rcp", a)

    def rsq(self, a: Term) -> Term:
        return self._number("rsq", a)

    def exp2(self, a: Term) -> Term:
        return self._number("exp2", a)

    def log2(self, a: Term) -> Term:
        return self._number("log2", a)

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

    def to_integer(self, a: Term) -> Term:
        word = self._known(a)
        if word is not None:
            self.constant_arguments = True
            if self._rule is not None:
                return self.integer(self._rule.to_integer(word))
        return self.node("to_integer", a)

    def _is_ordinary(self, word: int) -> bool:
        """Whether a word has a sign that every rule negates: neither zero, subnormal nor NaN."""
        magnitude = word & self._sign - 1
        return self._fraction < magnitude <= self._infinity


class _Rewritten:
    """Terms as rewrite rules see them: a `Maker`."""

    def __init__(self, terms: NumberTerms) -> None:
        self._terms = terms

    def head(self, a: Term) -> str:
        return _HEADS.get(self._terms.nodes[a][0], "")

    def operation(self, a: Term) -> tuple[str, Sequence[Term]] | None:
        op, *operands = self._terms.nodes[a]
        return (str(op), [int(each) for each in operands]) if op in _REWRITTEN else None

    def number(self, a: Term) -> float | None:
        return self._terms.known_number(a)

    def negate(self, a: Term) -> Term:
        return self._terms.negate(a)

    def is_negated(self, a: Term) -> bool:
        return self._terms.nodes[a][0] == "negate"

    def fact(self, name: str, a: Term) -> bool:
        return name == "arithmetic" and self._terms.taken(a)

    def law(self, name: str) -> bool:
        terms = self._terms
        match name:
            case "second":
                return True
            case "unsigned zero":
                return terms.unsigned_zero()
            case "finite maximum":
                return not terms.infinite_maximum()
            case _:
                return False

    def computed(self, op: str, a: float, b: float) -> float | None:
        return None

    def constant(self, number: float) -> Term:
        return self._terms.constant(number)

    def make(self, op: str, operands: Sequence[Term]) -> Term:
        return self._terms.operate(self._terms, op, operands)


__all__ = ["NumberTerms"]
