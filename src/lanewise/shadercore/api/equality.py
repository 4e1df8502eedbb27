"""Whether two programs leave the same on a device, for all inputs, constants and earlier waves.

What `proof.structure` does not show is searched for a counter-example, which is replayed on the reference engine before it is
said.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import table
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison, Example, Setting
from lanewise.core.diagnostics import listed
from lanewise.core.nearness import EVERY_NAN
from lanewise.core.nearness import concluded as near_concluded
from lanewise.core.numbers.floats import float32_bits, float_from_bits
from lanewise.core.record import Record
from lanewise.proving import naming
from lanewise.proving.conclusion import concluded
from lanewise.shadercore.api.nearness import Nearness
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import FILES, LANES
from lanewise.shadercore.proof.structure import Side, Structure, matched, name, side_of, structure
from lanewise.shadercore.sem.steps import Register, exports, hang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.core.nearness import Near
    from lanewise.proving.naming import Key, Place
    from lanewise.shadercore.api.interface import Beside
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

    Inputs = Mapping[tuple[int, int], NDArray[np.uint32]]

WAVES = 64  # waves of one search
PLACES = tuple([(number, component) for number in range(FILES["c"].size) for component in range(4)])
_ALL_SPECIAL = 0.25
_SPECIAL = (
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFC00001,
    0x7F7FFFFF,
    0x00800000,
    0x80800000,
    1,
    0x807FFFFF,
    0x3F000000,
    0xC0000000,
    0x3F7FFFFF,
)


class Named(Record):
    """The knowledge of a program besides its words, from the interface that its compiler has written."""

    keys: Mapping[Place, Key] = {}
    "The meaning of each component of a constant that has a name."
    literals: bool = False
    "Constants that come with the program are numbers of its source, which nobody overwrites."
    flags: Mapping[Place, int] = {}
    "Components that are 1.0 or 0.0 (-1), or a count with its greatest value."
    titles: Mapping[int, str] = {}
    "The names of registers, for an example."
    inputs: Mapping[str, int] = {}
    "The numbers of its inputs, by name."


def named(beside: Beside | None) -> Named:
    """The contents of an interface; nothing where a program has none."""
    if beside is None:
        return Named()
    most = {name: limits.most for name, limits in beside.limits.items()}
    flags = {place: -1 if name in beside.flags else most.get(name) or 0 for name, place in beside.numbers.items()}
    titles = {number: name for name, (number, _) in beside.numbers.items()} | {**beside.names}
    return Named(keys=beside.keys, literals=True, flags=flags, titles=titles, inputs=beside.inputs)


def compare(
    first: Program,
    second: Program,
    device: Device,
    names: tuple[str, str] = ("the first program", "the second program"),
    *,
    constants_known: bool = False,
    known: tuple[Named, Named] = (Named(), Named()),
    near: Near | None = None,
    seed: int = 0,
    waves: int = WAVES,
) -> Comparison:
    """Compare two programs. `constants_known`: the constants that come with the programs are not set to others; `known` is what
    their interfaces say; `near`: how far apart results may be."""
    renamed, unmatched = matched(first, second)
    if unmatched:
        return Comparison(
            UNKNOWN, names, unmatched=[unmatched], reason="what only one program has is equal to nothing in the other"
        )
    places = naming.renamed(known[0].keys, known[1].keys, PLACES)
    renamed |= {("c", *place): ("c", *own) for place, own in places.items()}
    literal = [constants_known or each.literals for each in known]
    sides = [
        side_of(each, device, own, constants_known=is_known)
        for each, own, is_known in zip((first, second), ({}, renamed), literal, strict=True)
    ]
    used = [f"device {device.describe()}", *_premises((first, second), known, names, constants_known=constants_known)]
    hangs = [hang(side.timing) for side in sides]
    if any(hangs):
        if all(hangs):
            return Comparison(EQUAL, names, used=[*used, "neither program ends"])
        ends, never = (names[1], hangs[0]) if hangs[0] else (names[0], hangs[1])
        return Comparison(DIFFERS, names, reason=f"only {ends} ends: in the other, {never}")
    found = structure(sides, device)
    lacking = naming.alone(known[0].keys, known[1].keys, found.read)
    if lacking is not None:
        reason = "what only one program has is equal to nothing in the other"
        return Comparison(UNKNOWN, names, unmatched=lacking.texts(names), reason=reason)
    presets = [] if all(literal) else _presets(sides, found, names, literal)
    tried = sides if found.reason else [side._replace(constants=side.presets) for side in sides]
    used.append("patterns are compared bit by bit, those of NaN too" if near is None else EVERY_NAN)
    titles = {number + naming.FRESH: text for number, text in known[1].titles.items()} | {**known[0].titles}
    if near is not None and not presets and found.reason:
        search = Search(sides=sides, device=device, found=found, titles=titles, flags=_flags(known, places))
        own = {usage_name(first.inputs[each.number]): each.number for each in first.declared if each.file == "v"}
        apart = Nearness(near=near, search=search, usages=first.inputs, declared={**own, **known[0].inputs})
        proved, where = apart.bound()
        searched = f"{waves * LANES} vertices"
        return near_concluded(
            names, near, proved, lambda: apart.farthest(seed, waves), used=used, searched=searched, where=where
        )
    return concluded(
        found.reason or ("constants that are not overwritten have other values" if presets else None),
        names,
        used=used,
        search=lambda: Search(sides=tried, device=device, found=found, titles=titles, flags=_flags(known, places)).run(
            seed, waves
        ),
        searched=f"for {waves * LANES} vertices",
        unmatched=presets,
    )


def _premises(
    programs: Sequence[Program], known: Sequence[Named], names: tuple[str, str], *, constants_known: bool
) -> list[str]:
    """The premises about constants, in sentences."""
    if constants_known:
        found = ["constants of the files are not overwritten"]
    else:
        found = [
            f"numbers of the source of {name}: {listed([f'c{row.number}' for row in program.constants])}"
            for program, each, name in zip(programs, known, names, strict=True)
            if each.literals and program.constants
        ]
    if all(each.keys for each in known):
        found.append("uniforms by their names, matrices by their rows and columns")
    return found


def _flags(known: Sequence[Named], places: Mapping[Place, Place]) -> dict[Place, int]:
    """The flags and counts of both programs, as the first calls them."""
    return {places.get(place, place): most for place, most in known[1].flags.items()} | {**known[0].flags}


def _presets(sides: Sequence[Side], found: Structure, names: tuple[str, str], literal: Sequence[bool]) -> list[str]:
    """The constants that come with other values with one program than with the other, of those that are read; without those
    that are numbers of a source."""
    one, other = ({} if is_known else side.presets for side, is_known in zip(sides, literal, strict=True))
    texts: list[str] = []
    for place in sorted(found.constants):
        if one.get(place) == other.get(place):
            continue
        where = name(("c", *place))
        if place in one and place in other:
            texts.append(f"{where} is preset to other values in {names[1]} than in {names[0]}")
        else:
            texts.append(f"{where} is preset only in {names[0] if place in one else names[1]}")
    return texts


class _Difference(NamedTuple):
    """An output, the vertex, and what each program leaves there."""

    place: Register
    vertex: int
    first: int
    second: int


class Search(Record):
    """A search for values for which two programs differ."""

    sides: Sequence[Side]
    "The programs."
    device: Device
    "The device that both run on."
    found: Structure
    "What the programs read."
    titles: Mapping[int, str]
    "What constants are called, by register of the first program."
    flags: Mapping[Place, int]
    "Constants that are 1.0 or 0.0 (-1), or a count with its greatest value."

    def run(self, seed: int, waves: int) -> Example | None:
        rng = random.Random(seed)
        count = waves * LANES
        special = [rng.random() < _ALL_SPECIAL for _ in range(count)]  # vertices of nothing but boundary values
        inputs: Inputs = {
            (n, c): table([rng.choice(_SPECIAL) if one else _pattern(rng) for one in special], "u")
            for n in range(FILES["v"].size)
            for c in range(4)
        }
        constants = self.constants(rng)
        differing = self.first_difference(inputs, constants, "auto")
        if differing is None:
            return None
        # the vertex for itself, its wave, or all waves up to there: registers may be kept from wave to wave, and some results
        # depend on other lanes
        at = differing.vertex
        for first in (at, at // LANES * LANES, 0):
            part = {key: values[first : at + 1] for key, values in inputs.items()}
            replayed = self.first_difference(part, constants, "reference")
            if replayed is not None:
                return self.shown(replayed, part, {**constants, **self.sides[0].constants})
        return None

    def constants(self, rng: random.Random) -> dict[Place, int]:
        """Values for all constants, also those that only the second program has."""
        found = {place: _pattern(rng) for place in PLACES}
        fresh = sorted([place[1:] for place in self.sides[1].renamed.values() if place[0] == "c" and place[1] >= naming.FRESH])
        found |= {place: _pattern(rng) for place in fresh}
        for place, most in self.flags.items():
            found[place] = float32_bits(float(rng.randint(0, 1 if most < 0 else most)))
        return found

    def first_difference(self, inputs: Inputs, constants: Mapping[Place, int], engine: str) -> _Difference | None:
        results = self.results(inputs, constants, engine)
        found: list[tuple[int, Register]] = []
        for place in exports(self.device):
            pairs = zip(results[0][place].tolist(), results[1][place].tolist(), strict=True)
            differing = next((vertex for vertex, (first, second) in enumerate(pairs) if first != second), None)
            if differing is not None:
                found.append((differing, place))
        if not found:
            return None
        at, place = min(found)
        return _Difference(place, at, int(results[0][place][at]), int(results[1][place][at]))

    def results(
        self, inputs: Inputs, constants: Mapping[Place, int], engine: str
    ) -> list[Mapping[Register, NDArray[np.uint32]]]:
        """Patterns that both programs leave, by register."""
        count = len(inputs[0, 0])
        found: list[Mapping[Register, NDArray[np.uint32]]] = []
        for side in self.sides:
            given: dict[tuple[int, int], NDArray[np.uint32]] = {}
            for number, component in inputs:
                _, own, part = side.renamed.get(("v", number, component), ("v", number, component))
                given[number, component] = inputs[own, part]
            own_constants = {place: constants[side.renamed.get(("c", *place), ("c", *place))[1:]] for place in PLACES}
            values = {**own_constants, **side.constants}
            found.append(run_waves(side.program.insts, self.device, values, given, count, engine=engine))
        return found

    def shown(self, difference: _Difference, inputs: Inputs, constants: Mapping[Place, int]) -> Example:
        """The example with the registers that either program reads."""
        found = self.found
        read = sorted({number for number, _ in found.inputs})
        vertices = tuple(
            [
                tuple([_setting(f"v{n}", [int(inputs[n, c][vertex]) for c in range(4)]) for n in read])
                for vertex in range(difference.vertex + 1)
            ]
        )
        uniforms = tuple(
            [
                self._uniform(n, [constants.get((n, c), 0) for c in range(4)])
                for n in sorted({number for number, _ in found.constants})
            ]
        )
        first, second = (f"{_text(bits)} (0x{bits:08x})" for bits in (difference.first, difference.second))
        return Example(
            vertices=vertices,
            uniforms=uniforms,
            output=name(difference.place),
            first=first,
            second=second,
            profile=self.device.describe(),
        )

    def pattern(self, rng: random.Random) -> int:
        """Any pattern, of an ordinary number more often than not."""
        return _pattern(rng)

    def example_of(self, output: str, vertex: int, inputs: Inputs, constants: Mapping[Place, int]) -> Example | None:
        """The patterns of an output for a vertex in both programs, with its values."""
        one, other = self.results(inputs, constants, "reference")
        for place in exports(self.device):
            if name(place) == output:
                found = _Difference(place, vertex, int(one[place][vertex]), int(other[place][vertex]))
                return self.shown(found, inputs, {**constants, **self.sides[0].constants})
        return None

    def _uniform(self, number: int, patterns: Sequence[int]) -> Setting:
        register = f"c{number}" if number < naming.FRESH else f"c{number - naming.FRESH} of the second program"
        return _setting(register, patterns)._replace(name=self.titles.get(number, register))


def _setting(register: str, patterns: Sequence[int]) -> Setting:
    return Setting(register, register, tuple(map(_text, patterns)), tuple([f"0x{bits:08x}" for bits in patterns]))


def _text(bits: int) -> str:
    """The shortest decimal number that is this float32."""
    number = float_from_bits(bits)
    texts = [f"{number:.{digits}g}" for digits in range(1, 10)]
    return repr(float(next((text for text in texts if float32_bits(float(text)) == bits), texts[-1])))


def _pattern(rng: random.Random) -> int:
    kind = rng.random()
    if kind < 0.6:
        return float32_bits(rng.uniform(-8, 8))
    return rng.choice(_SPECIAL) if kind < 0.85 else rng.getrandbits(32)
