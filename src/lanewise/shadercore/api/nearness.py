"""How far apart the results of two programs are: a bound by ranges, or the greatest distance found."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.core.nearness import NOT_A_NUMBER, Farthest, distance, drawn
from lanewise.core.record import Record
from lanewise.proving import naming
from lanewise.proving.rounding import Unproved
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import FILES, LANES
from lanewise.shadercore.proof.rounding import rounded
from lanewise.shadercore.proof.structure import name, walked
from lanewise.shadercore.sem.steps import exports

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.comparison import Example
    from lanewise.core.nearness import Ends, Near
    from lanewise.proving.naming import Place
    from lanewise.proving.terms import Node
    from lanewise.shadercore.api.equality import Inputs, Search
    from lanewise.shadercore.sem.steps import Register

_ROUNDS = 4  # of a search: with other constants each


class Nearness(Record):
    """Two programs whose results may be some units apart."""

    near: Near
    "The ranges, and how far."
    search: Search
    "The programs with what is known of them."
    usages: Sequence[int]
    "The usage bytes of the first program's inputs."
    declared: Mapping[str, int]
    "The inputs of the first program by their names in its interface."

    def bound(self) -> tuple[int | str, str]:
        """The most units that outputs are apart, and the output; or why there is no bound."""
        sides, device = self.search.sides, self.search.device
        m, one, other = walked(sides, device)
        worst, where = 0, ""
        try:
            bounds = rounded(m, self._ends_of, self._titled)
        except Unproved as reason:
            return str(reason), ""
        for place in exports(device):
            a, b = one.value(place), other.value(place)
            if m.equal(a, b, {}):
                continue
            try:
                found = bounds.bound(a, b)
            except Unproved as reason:
                return f"{name(place)}: {reason}", ""
            if found > worst:
                worst, where = found, name(place)
        return worst, where

    def _ends_of(self, node: Node) -> tuple[Fraction, Fraction] | None:
        place = "v" if node[0] == "entering" else "c", int(node[-2]), int(node[-1])
        ends = self._range(place) if self._is_given(node) else None
        return None if ends is None else (Fraction(ends[0]), Fraction(ends[1]))

    def _is_given(self, node: Node) -> bool:
        return node[0] == "uniform" or (node[0] == "entering" and node[1] == "v")

    def _titled(self, node: Node) -> str:
        if node[0] == "entering":
            return f"{node[1]}{node[2]}.{'xyzw'[int(node[3])]}"
        number, letter = int(node[1]), "xyzw"[int(node[2])]
        return f"{self.search.titles.get(number, f'c{number}')}.{letter}"

    def _range(self, place: Register) -> Ends | None:
        """The range of a component of an input or constant, by any of its names."""
        file, number, component = place
        if file == "v":
            names = [own for own, register in self.declared.items() if register == number]
            usage = self.usages[number]
            names += [usage_name(usage)] if usage or any(self.usages) else []
            return self.near.ends([*names, f"v{number}"], component)
        title = self.search.titles.get(number, "")
        return self.near.ends([*dict.fromkeys((title, title.partition("[")[0])), f"c{number % naming.FRESH}"], component)

    def farthest(self, seed: int, waves: int) -> tuple[Farthest, Example | None] | None:
        """The greatest distance of a search, as the reference engine gives it for that vertex, with its values."""
        best: tuple[Farthest, Inputs, dict[Place, int]] | None = None
        for number in range(_ROUNDS):
            rng = random.Random(f"{seed} {number}")
            inputs, constants = self._values(rng, max(1, waves // _ROUNDS) * LANES)
            found = self._measured(inputs, constants, "auto")
            if best is None or found.ulp > best[0].ulp:
                best = found, inputs, constants
        if best is None:
            return None
        found, inputs, constants = best
        for first in (found.lane, found.lane // LANES * LANES, 0):
            part = {key: values[first : found.lane + 1] for key, values in inputs.items()}
            replayed = self._measured(part, constants, "reference", last=True)
            if replayed.ulp == found.ulp:
                return replayed, self.search.example_of(replayed.output, replayed.lane, part, constants)
        return None

    def _values(self, rng: random.Random, count: int) -> tuple[Inputs, dict[Place, int]]:
        constants = self.search.constants(rng)
        for place in constants:
            if place not in self.search.flags:
                constants[place] = drawn(rng, self._range(("c", *place)), lambda own=constants[place]: own)
        inputs: Inputs = {}
        for n in range(FILES["v"].size):
            for c in range(4):
                ends = self._range(("v", n, c))
                inputs[n, c] = table([drawn(rng, ends, lambda: self.search.pattern(rng)) for _ in range(count)], "u")
        return inputs, constants

    def _measured(self, inputs: Inputs, constants: Mapping[Place, int], engine: str, *, last: bool = False) -> Farthest:
        """The greatest distance of a run; of its last vertex only with `last`."""
        one, other = self.search.results(inputs, constants, engine)
        best = Farthest(-1, "", 0)
        for place in exports(self.search.device):
            pairs = [*zip(one[place].tolist(), other[place].tolist(), strict=True)]
            for lane in range(len(pairs) - 1 if last else 0, len(pairs)):
                apart = distance(*pairs[lane])
                ulp = NOT_A_NUMBER if apart is None else apart
                if ulp > best.ulp:
                    best = Farthest(ulp, name(place), lane)
        return best


__all__ = ["Nearness"]
