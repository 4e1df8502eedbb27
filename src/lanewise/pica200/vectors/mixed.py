"""Random programs of test vectors, and programs about the state that a vertex starts with."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.engine.random_programs import DESCRIPTORS, INPUTS, flow_words, random_descriptor, random_word
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.vectors.building import C, Code, R, descriptor
from lanewise.pica200.vectors.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.vectors.data import Numbers

_READ = (0, 1, 2, 3, 4, 49, 50, 51, 94, 95)  # uniforms that random programs read, and some next to them
_LANES = 3


def random_programs(profile: Profile, seed: int, count: int) -> Iterator[Draft]:
    """Whole programs on random data."""
    for number in range(count):
        rng = Random(f"random {seed} {number}")

        def vector(rng: Random = rng) -> Vector:
            return random_word(rng, profile), random_word(rng, profile), random_word(rng, profile), random_word(rng, profile)

        code = Code()
        code.words = flow_words(rng)
        code.descriptors = [random_descriptor(rng) for _ in range(DESCRIPTORS)]
        names = sorted({decode(word).op.name for word in code.words} - {"end", "nop"})
        integers: dict[int, Vector] = {
            n: (rng.choice((0, 0, 1, 1, 2, 3)), rng.choice((0, 1, 2, 90, 127, 250)), rng.choice((0, 1, 2, 255)), 0)
            for n in range(4)
        }
        inputs = {n: tuple([vector() for _ in range(_LANES)]) for n in range(INPUTS)}
        job = code.job(inputs, {n: vector() for n in _READ}, integers, rng.getrandbits(16))
        yield Draft(name=f"random/{number}", group="random", ops=tuple(names), shows="a random program", job=job)


def state(numbers: Numbers) -> Iterator[Draft]:
    """The state that a vertex finds."""
    rows = tuple([numbers.vector(n + 1, n, 2, 1) for n in range(3)])
    floats = {n: numbers.vector(n, n + 0.5, -n, 1) for n in range(8)}
    for name, what in (("temporaries", "r0"), ("outputs", "o0"), ("flags", "the flags"), ("a0", "a0"), ("al", "aL")):
        code = Code()
        if name == "temporaries":
            code.add("add", dst=R, src1=0, src2=R)
            code.mov(0, R)
        elif name == "outputs":
            code.mov(0, 0, descriptor(8))
        elif name == "flags":
            at = code.add("ifc", condop=2, refx=1)
            code.mov(R + 1, C + 1)
            code.patch(at, dst=code.here)
            code.mov(0, R + 1)
            code.add("cmp", src1=0, src2=0)
        elif name == "a0":
            code.mov(0, C + 1, idx=1)
            code.add("mova", src1=0)
        else:
            code.mov(0, C + 1, idx=3)
            code.add("for", reg=0, dst=2)
            code.add("nop")
        code.end()
        yield Draft(
            name=f"state/{name}",
            group="state",
            ops=("end",),
            shows=f"{what} at the start of a vertex",
            job=code.job({0: rows}, floats, {0: (1, 2, 1, 0)}),
        )
