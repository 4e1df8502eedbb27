"""Terms of the PICA200 as `proving.rounding` looks at them, with how its numbers round under a profile."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import EXPONENT_MAX, MANTISSA_BITS, float_from_float24
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.code import Unfolded
from lanewise.pica200.proof.machine import Machine, Used
from lanewise.pica200.proof.structure import leaves_of
from lanewise.pica200.proof.terms import Terms
from lanewise.proving.machine import Thread
from lanewise.proving.rounding import (
    ADD,
    LEAF,
    MAX,
    MIN,
    MUL,
    NEGATE,
    NUMBER,
    OTHER,
    RECIPROCAL,
    SAME,
    SELECT,
    Model,
    Rounded,
    Rounding,
    Unproved,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.proof.structure import Assumptions
    from lanewise.pica200.sem.profile import Profile
    from lanewise.proving.machine import Result
    from lanewise.proving.rounding import Ends
    from lanewise.proving.terms import Node, Term

_NAMES = {
    "add": ADD,
    "mul": MUL,
    "max": MAX,
    "min": MIN,
    "negate": NEGATE,
    "select": SELECT,
    "rcp": RECIPROCAL,
    "flush": SAME,  # as no input is subnormal
}
_LEAVES = frozenset(("input", "uniform"))
_EXACT = "exact"


def model_of(profile: Profile) -> Model:
    """How the numbers of a profile round."""
    flushes = profile.subnormal_arithmetic == "flush"
    if profile.rounding == "float32":
        half, least = Fraction(1, 1 << 24), Fraction(1, 1 << 126)
        absolute = 3 * least if flushes else Fraction(0)
        return Model(
            bits=24,
            add=Rounding(half, absolute),
            cancelled=None,
            mul=Rounding(half, absolute or Fraction(1, 1 << 150)),
            reciprocal=Rounding(half, absolute or Fraction(1, 1 << 150)),
            lowest=-149,
            flushes=flushes,
        )
    # Cut toward zero a result loses less than a unit of its last place, to nearest half of one.
    unit = Fraction(1, 1 << (MANTISSA_BITS + 1 if profile.rounding == "nearest" else MANTISSA_BITS))
    least = Fraction(1, 1 << 62)
    absolute = 3 * least if flushes else Fraction(0)
    small = absolute or least / (1 << MANTISSA_BITS)
    return Model(
        bits=MANTISSA_BITS + 1,
        add=Rounding(unit, absolute),
        cancelled=None,
        mul=Rounding(unit, small),
        reciprocal=Rounding(unit, small) if profile.precision == _EXACT else None,
        lowest=-62 - MANTISSA_BITS,
        flushes=flushes,
        largest=Fraction(2) ** 62,
        smallest=Fraction(1, 1 << 50),
    )


class _View:
    """Terms with the ranges of their leaves."""

    def __init__(self, m: Terms, ends: Callable[[Node], Ends | None], titled: Callable[[Node], str]) -> None:
        self._m, self._ends, self._titled = m, ends, titled

    def operation(self, term: Term) -> tuple[str, Sequence[Term]]:
        op, *arguments = self._m.nodes[term]
        name = str(op)
        if name == "const":
            return NUMBER, ()
        if name in _LEAVES:
            return LEAF, ()
        kind = _NAMES.get(name)
        return (OTHER, ()) if kind is None else (kind, [int(each) for each in arguments])

    def number(self, term: Term) -> Fraction:
        word = int(self._m.nodes[term][1])
        exponent = word >> MANTISSA_BITS & EXPONENT_MAX
        if exponent == EXPONENT_MAX or (not exponent and word & (1 << MANTISSA_BITS) - 1):
            raise Unproved(f"the constant 0x{word:06x} is no normal number")
        return Fraction(float_from_float24(word))

    def ends(self, term: Term) -> Ends:
        node = self._m.nodes[term]
        found = self._ends(node)
        if found is None:
            raise Unproved(f"{self._titled(node)} has no --range")
        return found

    def title(self, term: Term) -> str:
        node = self._m.nodes[term]
        return self._titled(node) if node[0] in _LEAVES else str(node[0])


def rounded(m: Terms, profile: Profile, ends: Callable[[Node], Ends | None], titled: Callable[[Node], str]) -> Rounded:
    """Bounds for terms of a profile; `ends` are the ranges of leaves, `titled` their names."""
    return Rounded(_View(m, ends, titled), model_of(profile))


def straight(
    codes: tuple[Code, Code], profile: Profile, assumptions: Assumptions
) -> tuple[Terms, list[tuple[Result, Result]]] | None:
    """The outputs of two vertex shaders on the same terms; None where their flow asks a question."""
    asked = Asked(profile)
    m = Terms(asked, dots=False)
    try:
        unfolded = Unfolded(codes[0], asked, {}), Unfolded(codes[1], asked, {})
    except ValueError:
        return None
    used = Used.by(unfolded)
    found: list[Sequence[Result]] = []
    for each, code in zip(unfolded, codes, strict=True):
        thread = Thread(m, each.flow, Machine(m, each, leaves_of(m, code, assumptions), used, keeps=False))
        try:
            thread.advance({}, stops=False)
        except OverflowError:
            return None
        if not thread.place.ended or thread.place.code:
            return None
        found.append(thread.machine.results())
    return m, [*zip(*found, strict=True)]


__all__ = ["model_of", "rounded", "straight"]
