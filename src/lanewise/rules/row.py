"""A rewrite rule as a row, and the laws that a target's numbers may keep."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.rules.expression import Expression, Test

EXACT, ALLOWED = "exact", "allowed"
CLASSES: Mapping[str, str] = {
    EXACT: "the same number, bit for bit, for all inputs; every NaN is one value",
    ALLOWED: "not the same bits: GLSL and HLSL permit it where nothing says `precise` or `invariant`; rows that are "
    "also for `precise` differ only in what they leave open everywhere: subnormal numbers, the sign of 0, NaN",
}

EXHAUSTED, PROVED, TRIED = "exhausted", "proved", "tried"
CHECKS: Mapping[str, str] = {
    EXHAUSTED: "it is about one number or truth: tried at every exponent by the tests, at all patterns by the runs in the last "
    "column",
    PROVED: "shown by the prover with the row itself switched off, under every profile that has the laws",
    TRIED: "tried on many numbers by the tests, and by the runs in the last column; the prover does not use it",
    "": "not a statement about bits",
}

COMPILE, FRONT, PROVER, OPTIMISER = "compile", "front end", "prover", "opt"
CLIENTS: Mapping[str, str] = {
    FRONT: "the lowering of SPIR-V, before anything is rounded as a target does",
    COMPILE: "the middle of the compilers, on the numbers of the target",
    PROVER: "the prover, when it makes a term",
    OPTIMISER: "`lanewise opt`, on instructions; each step is proved",
}

LAWS: Mapping[str, str] = {
    "second": "`min(a, b)` is `a < b ? a : b` and `max(a, b)` is `a > b ? a : b`: of a NaN and a number, and of two zeros, the "
    "second",
    "finite maximum": "the maximum of a number and -infinity is the number",
    "unsigned zero": "there is no -0",
    "subnormals kept": "arithmetic takes subnormal numbers as they are",
    "scaled once": "two products with powers of two below 1 round as one with both does",
    "two roundings": "`mad` rounds its product before the sum",
}
"""What a row may ask of a target's numbers, by name."""

FACTS: Mapping[str, str] = {
    "arithmetic": "it is the result of arithmetic, which is never a number that arithmetic flushes",
    "truth": "it is 1 or 0",
    "free": "it is not a boolean that the application sets, which decides a branch at no cost",
    "finite": "it is neither infinite nor -0",
    "power_up": "it is a power of two, and not below 1",
    "power_down": "it is a power of two below 1",
}
"""What a condition may ask of a value or a known number; of numbers, their signs do not count."""


class Rule(Record):
    """A row: `pattern` is `replacement` wherever its condition and the laws hold."""

    name: str
    "A name by which reports and tests call it."
    pattern: Expression
    "What is looked for."
    replacement: Expression
    "What stands for it."
    where: tuple[Test, ...] = ()
    "Its condition: tests of the values and numbers, all of which hold."
    kind: str = EXACT
    "One of CLASSES."
    laws: tuple[str, ...] = ()
    "Names of LAWS that the numbers of the target keep."
    used_by: tuple[str, ...] = ()
    "CLIENTS whose matcher has it; empty: only code does."
    code: str = ""
    "The module whose code does it, and why no pattern can; empty: none."
    checked: str = ""
    "One of CHECKS: how it is known."
    example: str = ""
    "An example in GLSL."
    source: str = ""
    "Where it comes from."
    precise: bool = False
    "Of an allowed row: also where the source says `precise`, since the sides differ only in what GLSL and HLSL leave open."
    eager: bool = False
    "Only where conditionals are to be replaced at any cost."


class Belief(Record):
    """An equation that people think is right, and a pair of numbers for which it is not."""

    name: str
    "A name by which tests call it."
    pattern: Expression
    "One side."
    replacement: Expression
    "The other."
    values: tuple[tuple[str, float | str], ...]
    "Numbers that refute it, by the names of values; of those that no float can say, the float24 word in hexadecimal."
    why: str
    "What happens."


__all__ = [
    "ALLOWED",
    "CHECKS",
    "CLASSES",
    "CLIENTS",
    "COMPILE",
    "EXACT",
    "EXHAUSTED",
    "FACTS",
    "FRONT",
    "LAWS",
    "OPTIMISER",
    "PROVED",
    "PROVER",
    "TRIED",
    "Belief",
    "Rule",
]
