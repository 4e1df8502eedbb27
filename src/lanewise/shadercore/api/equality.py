"""Whether two programs leave the same on a device, for all inputs, constants and earlier waves.

What `proof.structure` does not show is searched for a counter-example, which is replayed on the reference engine before it is
said.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import table
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison, Example, Setting
from lanewise.core.numbers.floats import float32_bits, float_from_bits
from lanewise.proving.conclusion import concluded
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.table import FILES, LANES
from lanewise.shadercore.proof.structure import Side, Structure, matched, name, side_of, structure
from lanewise.shadercore.sem.steps import Register, exports, hang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

    Inputs = Mapping[tuple[int, int], NDArray[np.uint32]]

WAVES = 64  # waves of one search
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


def compare(
    first: Program,
    second: Program,
    device: Device,
    names: tuple[str, str] = ("the first program", "the second program"),
    *,
    constants_known: bool = False,
    seed: int = 0,
    waves: int = WAVES,
) -> Comparison:
    """Compare two programs. `constants_known`: the constants that come with the programs are not set to others."""
    renamed, unmatched = matched(first, second)
    if unmatched:
        return Comparison(
            UNKNOWN, names, unmatched=[unmatched], reason="what only one program has is equal to nothing in the other"
        )
    sides = [side_of(each, device, own, constants_known=constants_known) for each, own in ((first, {}), (second, renamed))]
    used = [f"device {device.describe()}", *(["constants of the files are not overwritten"] if constants_known else ())]
    hangs = [hang(side.timing) for side in sides]
    if any(hangs):
        if all(hangs):
            return Comparison(EQUAL, names, used=[*used, "neither program ends"])
        ends, never = (names[1], hangs[0]) if hangs[0] else (names[0], hangs[1])
        return Comparison(DIFFERS, names, reason=f"only {ends} ends: in the other, {never}")
    found = structure(sides, device)
    presets = [] if constants_known else _presets(sides, found, names)
    tried = sides if found.reason else [side._replace(constants=side.presets) for side in sides]
    return concluded(
        found.reason or ("constants that are not overwritten have other values" if presets else None),
        names,
        used=[*used, "patterns are compared bit by bit, those of NaN too"],
        search=lambda: _counter_example(tried, device, found, seed, waves),
        searched=f"for {waves * LANES} vertices",
        unmatched=presets,
    )


def _presets(sides: Sequence[Side], found: Structure, names: tuple[str, str]) -> list[str]:
    """The constants that come with other values with one program than with the other, of those that are read."""
    one, other = (side.presets for side in sides)
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


def _counter_example(sides: Sequence[Side], device: Device, found: Structure, seed: int, waves: int) -> Example | None:
    rng = random.Random(seed)
    count = waves * LANES
    special = [rng.random() < _ALL_SPECIAL for _ in range(count)]  # vertices of nothing but boundary values
    inputs: Inputs = {
        (n, c): table([rng.choice(_SPECIAL) if one else _pattern(rng) for one in special], "u")
        for n in range(FILES["v"].size)
        for c in range(4)
    }
    constants = {(n, c): _pattern(rng) for n in range(FILES["c"].size) for c in range(4)}
    differing = _first_difference(sides, device, inputs, constants, "auto")
    if differing is None:
        return None
    # the vertex for itself, its wave, or all waves up to there: registers may be kept from wave to wave, and some results
    # depend on other lanes
    at = differing.vertex
    for first in (at, at // LANES * LANES, 0):
        part = {key: values[first : at + 1] for key, values in inputs.items()}
        replayed = _first_difference(sides, device, part, constants, "reference")
        if replayed is not None:
            return _shown(replayed, part, {**constants, **sides[0].constants}, found, device)
    return None


def _first_difference(
    sides: Sequence[Side], device: Device, inputs: Inputs, constants: Mapping[tuple[int, int], int], engine: str
) -> _Difference | None:
    count = len(inputs[0, 0])
    results: list[dict[Register, NDArray[np.uint32]]] = []
    for side in sides:
        given: dict[tuple[int, int], NDArray[np.uint32]] = {}
        for number, component in inputs:
            _, own, part = side.renamed.get(("v", number, component), ("v", number, component))
            given[number, component] = inputs[own, part]
        results.append(run_waves(side.program.insts, device, {**constants, **side.constants}, given, count, engine=engine))
    found: list[tuple[int, Register]] = []
    for place in exports(device):
        pairs = zip(results[0][place].tolist(), results[1][place].tolist(), strict=True)
        differing = next((vertex for vertex, (first, second) in enumerate(pairs) if first != second), None)
        if differing is not None:
            found.append((differing, place))
    if not found:
        return None
    at, place = min(found)
    return _Difference(place, at, int(results[0][place][at]), int(results[1][place][at]))


def _shown(
    difference: _Difference, inputs: Inputs, constants: Mapping[tuple[int, int], int], found: Structure, device: Device
) -> Example:
    """The example with the registers that either program reads."""
    read = sorted({number for number, _ in found.inputs})
    vertices = tuple(
        [
            tuple([_setting(f"v{n}", [int(inputs[n, c][vertex]) for c in range(4)]) for n in read])
            for vertex in range(difference.vertex + 1)
        ]
    )
    numbers = sorted({number for number, _ in found.constants})
    uniforms = tuple([_setting(f"c{n}", [constants[n, c] for c in range(4)]) for n in numbers])
    first, second = (f"{_text(bits)} (0x{bits:08x})" for bits in (difference.first, difference.second))
    return Example(
        vertices=vertices,
        uniforms=uniforms,
        output=name(difference.place),
        first=first,
        second=second,
        profile=device.describe(),
    )


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
