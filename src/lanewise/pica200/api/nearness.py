"""How far apart the results of two vertex shaders are: a bound by ranges, or the greatest distance found."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.extras import compiler_lacks
from lanewise.core.nearness import NOT_A_NUMBER, Farthest, concluded, drawn
from lanewise.core.numbers.floats import float24_from_float32_bits, float_from_bits, float_from_float24
from lanewise.core.record import Record
from lanewise.core.service import UsageError
from lanewise.pica200.api.counter_examples import example_of, registers_read
from lanewise.pica200.engine.witness import Found, Pair, Side
from lanewise.pica200.engine.witness_data import PLAIN, data
from lanewise.pica200.isa.table import FLOAT, INTEGER, TEMPORARY, register_name
from lanewise.pica200.proof.rounding import rounded, straight
from lanewise.proving.rounding import Unproved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.comparison import Comparison, Example
    from lanewise.core.nearness import Ends, Near
    from lanewise.pica200.engine.witness_data import Data
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.proof.structure import Assumptions
    from lanewise.pica200.sem.profile import Profile
    from lanewise.proving.terms import Node

_FEW, _MANY = 16, 256  # vertices of a search: on the reference engine, on the compiled one
_SMALLEST = 2.0**-62  # normal float24


class Nearness(Record):
    """Two vertex shaders whose results may be some units apart."""

    near: Near
    "The ranges, and how far."
    codes: tuple[Code, Code]
    "Their words, registers of the second by the numbers of the first."
    interfaces: tuple[Interface, Interface]
    "Their names of registers."
    profile: Profile
    "The rules."
    assumptions: Assumptions
    "Whether constants are known."

    def compared(self, names: tuple[str, str], searches: int, used: Sequence[str]) -> Comparison:
        """The comparison: by the bound, or by the greatest distance of some searches."""
        proved, where = self.bound()
        vertices = searches * (_FEW if compiler_lacks() else _MANY)
        return concluded(
            names,
            self.near,
            proved,
            lambda: self.farthest(searches),
            used=used,
            searched=f"{0 if self.codes[0].geometry else vertices} vertices",
            where=where,
        )

    # The bound

    def bound(self) -> tuple[int | str, str]:
        """The most units that outputs are apart, and the output; or why there is no bound."""
        if self.codes[0].geometry:
            return "there is no bound for geometry shaders", ""
        found = straight(self.codes, self.profile, self.assumptions)
        if found is None:
            return "there is no bound for branches and loops", ""
        m, pairs = found
        bounds = rounded(m, self.profile, self._ends_of, self._titled)
        worst, where = 0, ""
        for one, other in pairs:
            if one.written != other.written:
                return f"{one.name} is written by one program only", ""
            if m.equal(one.value, other.value, {}):
                continue
            try:
                most = bounds.bound(one.value, other.value)
            except Unproved as reason:
                return f"{one.name}: {reason}", ""
            worst, where = (most, one.name) if most > worst else (worst, where)
        return worst, where

    def _ends_of(self, node: Node) -> tuple[Fraction, Fraction] | None:
        ends = self._range(self._register(node), int(node[2]))
        return None if ends is None else (Fraction(ends[0]), Fraction(ends[1]))

    def _register(self, node: Node) -> int:
        return int(node[1]) + (FLOAT if node[0] == "uniform" else 0)

    def _titled(self, node: Node) -> str:
        register = self._register(node)
        return f"{self._names_of(register)[0]}.{'xyzw'[int(node[2])]}"

    def _range(self, register: int, component: int) -> Ends | None:
        return self.near.ends(self._names_of(register), component)

    def _names_of(self, register: int) -> list[str]:
        """The names of a register of the first program: with its place in an array, without, and its number."""
        found: list[str] = []
        for code, interface in zip(self.codes, self.interfaces, strict=True):
            for row in (*interface.inputs, *interface.uniforms):
                for offset in range(row.size):
                    if (code.numbers[row.first + offset] if code.numbers else row.first + offset) == register:
                        found += [row.name, *([f"{row.name}[{offset}]"] if row.size > 1 else [])][::-1]
        return [*dict.fromkeys((*found, register_name(register)))]

    # The search

    def farthest(self, searches: int) -> tuple[Farthest, Example | None] | None:
        """The greatest distance of a search, as the reference engine gives it for that vertex alone, with its values."""
        if self.codes[0].geometry:
            return None
        sides = [
            Side(code, self.profile, constants=self.assumptions.constants, nan_patterns=False, quick=True)
            for code in self.codes
        ]
        engine = REFERENCE if compiler_lacks() else LLVM
        best: tuple[Farthest, Data] | None = None
        for number in range(searches):
            given = self._drawn(number, _FEW if engine == REFERENCE else _MANY)
            found = self._measured(sides, given, engine)
            if found is not None and (best is None or found.ulp > best[0].ulp):
                best = found, given.of(slice(found.lane, found.lane + 1))
        if best is None:
            return None
        found, given = best
        replayed = self._measured(sides, given, REFERENCE)
        if replayed is None or replayed.ulp != found.ulp:
            return None
        return replayed, self._example(sides, given, replayed) if replayed.ulp else None

    def _example(self, sides: Sequence[Side], given: Data, found: Farthest) -> Example:
        pair = Pair(sides[0], sides[1])
        place = [wired.name for wired in self.codes[0].outputs].index(found.output)
        first, second = (pair.text(side.lanes(given)[0].sent[0].values[place][0]) for side in sides)
        shown = Found(data=given, output=found.output, first=first, second=second, profile=self.profile)
        return example_of(pair, shown, self.codes, self.interfaces)

    def _drawn(self, number: int, vertices: int) -> Data:
        """Values at random, in their ranges."""
        rng = random.Random(f"nearness {number}")
        given = data(f"nearness {number}", vertices, self.profile, overwritten=False, style=PLAIN if number % 2 else None)

        read = registers_read(self.codes, given)
        ranges = {n: [self._range(n, c) for c in range(4)] for n in sorted(read) if n < TEMPORARY or FLOAT <= n < INTEGER}

        def row(register: int, words: Sequence[int]) -> tuple[int, int, int, int]:
            x, y, z, w = (self._word(rng, *pair) for pair in zip(ranges[register], words, strict=True))
            return x, y, z, w

        inputs, floats = [*given.inputs], [*given.floats]
        for n, ends in ranges.items():
            if any(ends) and n < TEMPORARY:
                inputs[n] = table([row(n, words) for words in inputs[n].tolist()], "u", 4)
            elif any(ends):
                floats[n - FLOAT] = row(n, floats[n - FLOAT])
        return given._replace(inputs=tuple(inputs), floats=tuple(floats))

    def _word(self, rng: random.Random, ends: Ends | None, word: int) -> int:
        """A word of the profile in a range; the given one where there is none."""
        if ends is None:
            return word
        bits = drawn(rng, ends, int)
        if self.profile.rounding == "float32":
            return bits
        if abs(float_from_bits(bits)) < _SMALLEST:
            return 0
        found = float24_from_float32_bits(bits)
        if not ends[0] <= float_from_float24(found) <= ends[1]:  # cut toward zero, out of the range
            found += 1
            if not ends[0] <= float_from_float24(found) <= ends[1]:
                raise UsageError(f"--range: there is no float24 number from {ends[0]:g} to {ends[1]:g}")
        return found

    def _measured(self, sides: Sequence[Side], given: Data, engine: str) -> Farthest | None:
        """The greatest distance of a run; None where a vertex does not end."""
        names = [wired.name for wired in self.codes[0].outputs]
        columns: list[list[list[int]]] = []
        for side in sides:
            rows = side.rows(given) if engine == LLVM else None
            if rows is not None and not rows.left:
                columns.append([each.tolist() for each in rows.words])
                continue
            ends = side.lanes(given if engine == REFERENCE else given.of(slice(0, _FEW)))
            if any(each.end for each in ends):
                return None
            columns.append([[each.sent[0].values[n][0] for each in ends] for n in range(len(names))])
        best = Farthest(0, "", 0)
        for name, one, other in zip(names, *columns, strict=True):
            for lane, pair in enumerate(zip(one, other, strict=False)):
                apart = 0 if pair[0] == pair[1] else self._distance(*pair)
                if apart > best.ulp:
                    best = Farthest(apart, name, lane)
        return best

    def _distance(self, a: int, b: int) -> int:
        """How many units in the last place two words are apart; `NOT_A_NUMBER` for a NaN and a number."""
        sign, infinity = (1 << 31, 0x7F800000) if self.profile.rounding == "float32" else (1 << 23, 0x7F0000)
        nan = [word < 0 or word & sign - 1 > infinity for word in (a, b)]
        if any(nan):
            return 0 if all(nan) else NOT_A_NUMBER
        one, other = (-(word & sign - 1) if word & sign else word for word in (a, b))
        return abs(one - other)


__all__ = ["Nearness"]
