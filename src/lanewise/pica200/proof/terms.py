"""Terms of the PICA200: its dot products, its reads by an index, and the laws that a profile decides.

Every NaN is one value (`docs/proving.md`), so sums and products commute. Constants are float24 words.
"""

from __future__ import annotations

from lanewise.core.numbers.binary import dot_in_order
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import FLOAT
from lanewise.pica200.sem.numbers import ROUNDINGS, Float24, number_rule
from lanewise.pica200.sem.registers import FLOAT_COUNT
from lanewise.proving.numbers import NumberTerms
from lanewise.proving.ranges import reach

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lanewise.pica200.proof.asked import Asked
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.numbers import Float32
    from lanewise.proving.terms import Effort, Term

# Constants of the semantics are exact in float24: the hardware's rule names them.
_FLOAT24 = Float24()
# What decides the operations that only compare. Constants are computed by `Terms.numbers`.
_ORDERING = ("max_zero_neg_inf", "compare_nan", "negative_zero", "litp_nan", "litp_flags", "nan_pattern", "constant_subnormals")
_LEAVES = frozenset(("const", "integer", "truth", "input", "uniform", "component"))  # nodes without terms in their arguments


class Terms(NumberTerms):
    """The operations of the algebra on terms.

    `profile` decides what the meaning of an instruction asks of it. With `computing`, what is constant is computed by the
    number rule of the profile. `dots`: dot products are one operation of which only the profile knows the order, so that a
    proof holds for each. `commuting`: sums and products do not depend on the order of their two operands. `cases`: terms may be
    compared by cases. `without`: names of rewrite rules that are not used.
    """

    dots: bool
    split_dots: bool
    inputs: tuple[Vector[Term], ...]
    uniforms: tuple[Vector[Term], ...]
    integers: tuple[Vector[Term], ...]

    arithmetic: frozenset[str] = NumberTerms.arithmetic | {"dot3", "dot4"}

    def __init__(
        self,
        profile: Asked,
        *,
        computing: bool = False,
        dots: bool = True,
        commuting: bool = True,
        cases: bool = True,
        effort: Effort | None = None,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.profile = profile
        rule = self.numbers() if computing else None
        super().__init__(_FLOAT24, computing=rule, commuting=commuting, effort=effort, without=without)
        self.dots, self._cases = dots, cases
        self.split_dots = False  # whether there was a dot product that is one operation
        # Results of instructions, by their identities and the registers that they have read: both programs, and all that are
        # compared later, execute mostly the same.
        self.executed: dict[tuple[int | Vector[Term], ...], tuple[ResolvedInst, Result[Term, Term, Term]]] = {}
        self.inputs = tuple([self.vector("input", n) for n in range(16)])
        self.uniforms = tuple([self.vector("uniform", n) for n in range(FLOAT_COUNT)])
        self.integers = tuple([self.vector("component", n) for n in range(4)])

    def vector(self, op: str, number: int) -> Vector[Term]:
        """The leaves of a register."""
        return self.node(op, number, 0), self.node(op, number, 1), self.node(op, number, 2), self.node(op, number, 3)

    # The number rule of the profile. Of the profile, each asks what decides it.

    def numbers(self) -> Float24 | Float32:
        return ROUNDINGS[self.profile.rounding](self.profile.as_profile())

    def ordering(self) -> Float24 | Float32:
        for field in _ORDERING:
            getattr(self.profile, field)
        _ = self.profile.rounding
        return number_rule(self.profile.unasked())

    def unsigned_zero(self) -> bool:
        return self.profile.negative_zero == "unseen"

    def signed_zero(self) -> bool:
        return self.profile.negative_zero == "ieee"

    def exact(self) -> bool:
        return self.profile.subnormal_arithmetic == "keep"

    def rescaled(self) -> bool:
        return not (self.profile.subnormal_arithmetic == "keep" and self.profile.rounding != "zero")

    def mad_once(self) -> bool:
        return self.profile.mad_rounding == "once"

    def one_nan(self) -> bool:
        return not (self.profile.litp_flags == "sign" and self.profile.nan_pattern == "kept")

    def infinite_maximum(self) -> bool:
        return self.profile.max_zero_neg_inf == "-inf"

    def word_of(self, rule: Any, word: int) -> int:
        return rule.from_float24(word)

    def operate(self, target: Any, op: str, arguments: Sequence[int]) -> int:
        if op.startswith("dot"):
            return target.dot(arguments[::2], arguments[1::2])
        return getattr(target, op)(*arguments)

    # What a walk asks

    def equal(self, a: Term, b: Term, assumed: Mapping[Term, bool]) -> bool:
        return a == b or (self._cases and super().equal(a, b, assumed))

    def impossible(self, assumed: Mapping[Term, bool]) -> bool:
        return self._cases and super().impossible(assumed)

    def explained(self, a: Term, b: Term) -> str:
        if self.gathered(a) == self.gathered(b):
            return ""
        return ": it reads a uniform by an index whose range is unknown, and the constants in reach differ"

    # Operations

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
                return self.node("const", self.operate(self._rule, f"dot{len(a)}", words))
        return self.node(f"dot{len(a)}", *flat)

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
        """Return the possible values of each read by an unknown index, besides uniforms that both programs have in the same
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
