"""Two programs of the PICA200 on the same random data: their outputs, in which all NaN are one value."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.engines import REFERENCE
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.geometry import point_feed, run_geometry
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.table import FLOAT, INTEGER

if TYPE_CHECKING:
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.sem.profile import Profile

Words = tuple[int, int, int, int]

BUDGET = 4_000
# Zeros, infinities, NaN, a subnormal, the smallest and the largest number, and numbers around 1.
SPECIAL = (0x000000, 0x800000, 0x7F0000, 0xFF0000, 0x7F8000, 0x000001, 0x010000, 0x7EFFFF)
NAN = 0x7F8000


def number(rng: random.Random) -> int:
    if rng.random() < 0.2:
        return rng.choice(SPECIAL)
    return rng.getrandbits(1) << 23 | rng.randrange(0x3C, 0x43) << 16 | rng.getrandbits(16)


def vector(rng: random.Random) -> Words:
    return (number(rng), number(rng), number(rng), number(rng))


def uniforms_of(interface: Interface, rng: random.Random, *, constants: bool = True) -> Uniforms:
    floats, integers = [vector(rng) for _ in range(96)], [(rng.randrange(4), 0, 1, 0) for _ in range(4)]
    for constant in interface.constants if constants else ():
        if FLOAT <= constant.register < INTEGER:
            a, b, c, d = constant.values
            floats[constant.register - FLOAT] = (a, b, c, d)
    return Uniforms(
        floats=tuple(floats),
        integers=tuple(integers),
        booleans=tuple([rng.random() < 0.5 for _ in range(16)]),
        given=frozenset(),
    )


def results(
    encoded: Encoded,
    interface: Interface,
    seed: int,
    profile: Profile,
    *,
    constants: bool = True,
    engine: str = REFERENCE,
    lanes: int = 16,
) -> list[object]:
    """The outputs of a shader on random data: of some vertices, or of three runs of a geometry shader. A profile that computes
    in float24."""
    rng = random.Random(seed)
    uniforms = uniforms_of(interface, rng, constants=constants)
    if interface.geometry:
        feeds = [point_feed([[vector(rng) for _ in range(8)] for _ in range(2)]) for _ in range(3)]
        program = Reference(*encoded, interface.entry, profile=profile, budget=BUDGET, geometry=True)
        sent = run_geometry(program, iter(feeds), len(feeds), uniforms, {})
        vertices = [vertex for primitive in sent.primitives for vertex in primitive]
        return [[tuple(map(_one_nan, vertex.outputs[n])) for n in range(16)] for vertex in vertices]
    rows = {v: np.array([vector(rng) for _ in range(lanes)], np.uint32) for v in range(16)}
    inputs = Inputs(Columns({v: Column(words, raw=True, profile=profile) for v, words in rows.items()}, lanes), lanes)
    found = Runner(*encoded, interface.entry, profile).run(inputs, uniforms, (), range(16), BUDGET, engine=engine)
    wired = sorted({(output.register, output.mask) for output in interface.outputs})
    parts: list[object] = [
        [[_one_nan(int(word)) for n, word in enumerate(row) if mask >> n & 1] for row in found.bits[f"o{register}"]]
        for register, mask in wired
    ]
    return [*parts, [(lane, fault.code) for lane, fault in found.faults]]


def _one_nan(word: int) -> int:
    return NAN if word & 0x7F0000 == 0x7F0000 and word & 0xFFFF else word
