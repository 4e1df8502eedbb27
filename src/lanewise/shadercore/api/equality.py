"""Whether two programs leave the same on a device, for all inputs, constants and earlier waves.

What `proof.structure` does not show is searched for a counter-example, which is replayed on the reference engine before it is said.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.table import FILES, LANES
from lanewise.shadercore.proof.structure import Side, matched, name, side_of, unproved
from lanewise.shadercore.sem.steps import Register, exports, hang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

EQUAL, DIFFERS, UNKNOWN = "equal", "differs", "unknown"
_WAVES = 64  # waves of one search
_ALL_SPECIAL = 0.25
_SPECIAL = (0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF, 0x00800000, 0x80800000, 1, 0x807FFFFF,
            0x3F000000, 0xC0000000, 0x3F7FFFFF)  # fmt: skip


class Example(NamedTuple):
    """A vertex for which two programs differ: patterns of inputs and constants by register, the output and what each leaves there.

    `lane` is that of the vertex in the wave whose inputs these are: all 16 vertices, by component of a register.
    """

    inputs: Mapping[str, tuple[int, ...]]
    constants: Mapping[str, int]
    output: str
    lane: int
    first: int
    second: int


class Verdict(NamedTuple):
    """`EQUAL`, `DIFFERS` or `UNKNOWN`; the reason, and what the proof took from outside (`notes`)."""

    answer: str
    reason: str
    notes: tuple[str, ...] = ()
    example: Example | None = None


def compare(
    first: Program, second: Program, device: Device, *, constants_known: bool = False, seed: int = 0, waves: int = _WAVES
) -> Verdict:
    """Compare two programs. `constants_known`: the constants that come with the programs are not set to others."""
    renamed, unmatched = matched(first, second)
    if unmatched:
        return Verdict(UNKNOWN, unmatched)
    sides = [
        side_of(program, device, names, constants_known=constants_known) for program, names in ((first, {}), (second, renamed))
    ]
    hangs = [hang(side.timing) for side in sides]
    if any(hangs):
        if all(hangs):
            return Verdict(EQUAL, "neither program ends")
        ends, never = ("second", hangs[0]) if hangs[0] else ("first", hangs[1])
        return Verdict(DIFFERS, f"only the {ends} program ends: in the other, {never}")
    notes = ("constants of the files are not overwritten",) if any(side.constants for side in sides) else ()
    reason = unproved(sides, device)
    if not reason:
        return Verdict(EQUAL, "what leaves the core is computed by the same operations", notes)
    example = _counter_example(sides, device, seed, waves)
    if example is not None:
        return Verdict(DIFFERS, f"{example.output} is 0x{example.first:08X} and 0x{example.second:08X}", notes, example)
    return Verdict(UNKNOWN, f"{reason}, but {waves * LANES} vertices gave the same", notes)


def _counter_example(sides: Sequence[Side], device: Device, seed: int, waves: int) -> Example | None:
    rng = random.Random(seed)
    count = waves * LANES
    special = [rng.random() < _ALL_SPECIAL for _ in range(count)]  # vertices of nothing but boundary values
    inputs = {
        (n, c): np.array([rng.choice(_SPECIAL) if one else _pattern(rng) for one in special], np.uint32)
        for n in range(8)
        for c in range(4)
    }
    constants = {(n, c): _pattern(rng) for n in range(FILES["c"].size) for c in range(4)}
    differing = _first_difference(sides, device, inputs, constants, "auto")
    if differing is None:
        return None
    # what is left out is not needed: registers are kept from wave to wave
    end = (differing[1] // LANES + 1) * LANES
    inputs = {key: values[:end] for key, values in inputs.items()}
    replayed = _first_difference(sides, device, inputs, constants, "reference")
    if replayed is None:
        return None
    place, at, one, other = replayed
    start = at // LANES * LANES
    shown = {name(("v", n, c)): tuple(map(int, values[start : start + LANES])) for (n, c), values in inputs.items()}
    given = {name(("c", n, c)): bits for (n, c), bits in {**constants, **sides[0].constants}.items()}
    return Example(shown, given, name(place), at - start, one, other)


def _first_difference(
    sides: Sequence[Side],
    device: Device,
    inputs: Mapping[tuple[int, int], NDArray[np.uint32]],
    constants: Mapping[tuple[int, int], int],
    engine: str,
) -> tuple[Register, int, int, int] | None:
    """The output, the vertex and what each program leaves there, of the first vertex for which they differ."""
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
        differing = np.flatnonzero(results[0][place] != results[1][place])
        if len(differing):
            found.append((int(differing[0]), place))
    if not found:
        return None
    at, place = min(found)
    return place, at, int(results[0][place][at]), int(results[1][place][at])


def _pattern(rng: random.Random) -> int:
    kind = rng.random()
    if kind < 0.6:
        return int(np.float32(rng.uniform(-8, 8)).view(np.uint32))
    return rng.choice(_SPECIAL) if kind < 0.85 else rng.getrandbits(32)
