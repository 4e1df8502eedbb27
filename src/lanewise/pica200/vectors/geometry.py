"""Cases about geometry shaders: slots, primitives, winding, banks of outputs, what is kept from run to run.

A lane is a run of the shader with its inputs; what is compared are the primitives that the runs send.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.vectors.building import C, Code, R, descriptor
from lanewise.pica200.vectors.draft import SLOT_THREE, Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.vectors.model import Lanes
    from lanewise.pica200.vectors.data import Numbers

_LAST = 15
_OUTPUTS = (0, _LAST)


class Emitting(Code):
    """A geometry shader whose vertices differ."""

    slot_three: bool

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.numbers = numbers
        self.slot_three = False

    def vertex(
        self, slot: int, *, primitive: int = 0, winding: int = 0, value: int = -1, mask: int = 0xF, outputs: int = 2
    ) -> None:
        """SETEMIT, outputs from uniforms, EMIT."""
        self.announce(slot, primitive, winding)
        for output in range(outputs):
            self.mov(_OUTPUTS[output], C + (slot if value < 0 else value) + 8 * output, descriptor(mask))
        self.add("emit")

    def announce(self, slot: int, primitive: int = 0, winding: int = 0) -> None:
        self.slot_three |= slot == 3
        self.add("setemit", vertex=slot, primitive=primitive, winding=winding)

    def draft(
        self,
        name: str,
        shows: str,
        *,
        runs: int = 1,
        inputs: dict[int, Lanes] | None = None,
        ops: tuple[str, ...] = ("emit", "setemit"),
    ) -> Draft:
        floats = {n: self.numbers.vector(n + 0.5, -n, n * n, 1) for n in range(16)}
        rows = inputs or {0: tuple([self.numbers.vector(n + 1, 2 * n, -n, 0.5) for n in range(runs)])}
        job = self.job(rows, floats, {0: (2, 0, 1, 0)}, 0b10, outputs=_OUTPUTS, geometry=True)
        return Draft(
            name=f"geometry/{name}",
            group="geometry",
            ops=ops,
            shows=shows,
            job=job._replace(state=()),
            hazards=(SLOT_THREE,) if self.slot_three else (),
        )


def geometry(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    yield from _slots(numbers)
    yield from _banks(numbers)
    yield from _runs(numbers)
    for number in range(400 if full else 60):
        yield _random(numbers, Random(f"geometry {seed} {number}"), number)


def _slots(numbers: Numbers) -> Iterator[Draft]:
    for winding in (0, 1):
        code = Emitting(numbers)
        for slot in range(3):
            code.vertex(slot, primitive=int(slot == 2), winding=winding)
        code.end()
        yield code.draft(f"triangle-{winding}", f"a triangle, winding flag {winding}")
    for order in ((0, 2, 1), (2, 1, 0), (1, 0, 2)):
        code = Emitting(numbers)
        for place, slot in enumerate(order):
            code.vertex(slot, primitive=int(place == 2))
        code.end()
        yield code.draft(f"order-{''.join(map(str, order))}", f"slots in the order {order}")
    for flags in product((0, 1), repeat=3):
        code = Emitting(numbers)
        for slot, primitive in enumerate(flags):
            code.vertex(slot, primitive=primitive, winding=primitive & slot)
        code.end()
        yield code.draft(
            f"flags-{''.join(map(str, flags))}", "the primitive flag on any vertex: slots that were not emitted are zero"
        )
    for number in range(4):
        code = Emitting(numbers)  # the fourth slot, with and without its primitive flag
        for slot in range(4):
            code.vertex(slot, primitive=int(slot == 2 + number % 2 or (number > 1 and slot == 3)))
        code.end()
        yield code.draft(f"slot-three-{number}", "a vertex in slot 3")
    code = Emitting(numbers)
    for slot in range(3):
        code.vertex(slot, primitive=int(slot == 2))
    code.vertex(1, primitive=1, value=5)
    code.vertex(0, primitive=1, value=6, winding=1)
    code.end()
    yield code.draft("strip", "later vertices replace slots; the buffer is not cleared")
    code = Emitting(numbers)
    code.mov(0, C + 3)
    code.add("emit")
    code.announce(2, 1, 1)
    code.mov(0, C + 4)
    code.add("emit")
    code.mov(0, C + 5)
    code.add("emit")
    code.end()
    yield code.draft("no-setemit", "an EMIT before any SETEMIT, and two EMITs after one")
    code = Emitting(numbers)
    code.announce(0, 1, 0)
    code.announce(1, 0, 1)
    code.mov(0, C + 4)
    code.add("emit")
    code.announce(2, 1, 0)
    code.add("emit")
    code.end()
    yield code.draft("two-setemit", "the last SETEMIT counts")
    code = Emitting(numbers)
    code.end()
    yield code.draft("nothing", "a run without EMIT", ops=("end",))


def _banks(numbers: Numbers) -> Iterator[Draft]:
    """Outputs that are not written between two EMITs."""
    for outputs, mask, third in product((1, 2), (0xF, 0x8, 0x6), (0, 1)):
        code = Emitting(numbers)
        for number in range(6):
            slot = number % 3
            if third and number % 3 == 1:
                code.announce(slot, int(slot == 2))
                code.add("emit")
            else:
                code.vertex(
                    slot,
                    primitive=int(slot == 2),
                    value=number,
                    mask=0xF if number < 2 else mask,
                    outputs=2 if number < 1 else outputs,
                )
        code.end()
        yield code.draft(f"banks-{outputs}{mask:x}{third}", "outputs that are not rewritten between two EMITs", runs=2)
    code = Emitting(numbers)
    at = code.add("for", reg=0)
    code.add("add", dst=R, src1=C + 1, src2=R)
    code.mov(0, R, descriptor(0xA))
    code.announce(2, 1)
    code.add("emit")
    code.add("nop")
    code.patch(at, dst=code.here - 1)
    code.end()
    yield code.draft("loop", "EMIT in a loop, one component of two written", runs=2, ops=("emit", "for"))


def _runs(numbers: Numbers) -> Iterator[Draft]:
    """The state that a run finds: temporaries, flags, a0, aL, the buffer, SETEMIT."""
    code = Emitting(numbers)
    code.add("add", dst=R, src1=0, src2=R)
    code.mov(0, R)
    code.mov(_LAST, 0)
    code.announce(0, 1)
    code.add("emit")
    code.end()
    yield code.draft("kept-temporaries", "a sum over runs", runs=3, ops=("emit",))
    code = Emitting(numbers)
    at = code.add("ifc", condop=2, refx=1)
    code.mov(0, C + 1)
    code.patch(at, dst=code.here)
    at = code.add("ifc", condop=3, refy=0)
    code.mov(_LAST, C + 2)
    code.patch(at, dst=code.here)
    code.announce(1, 1)
    code.add("emit")
    code.add("cmp", src1=0, src2=0, cmpx=0, cmpy=1)
    code.end()
    yield code.draft("kept-flags", "flags of the run before", runs=3, ops=("emit", "cmp"))
    code = Emitting(numbers)
    code.mov(0, C + 4, idx=1)
    code.mov(_LAST, C + 4, idx=3)
    code.announce(0, 1)
    code.add("emit")
    code.add("mova", src1=0)
    at = code.add("for", reg=0)
    code.add("nop")
    code.patch(at, dst=code.here - 1)
    code.end()
    yield code.draft("kept-indices", "a0 and aL of the run before", runs=3, ops=("emit", "mova", "for"))
    for slots in (1, 2):
        code = Emitting(numbers)
        code.add("add", dst=0, src1=0, src2=R + 5)
        code.announce(slots, 1, 1)
        code.add("emit")
        code.end()
        yield code.draft(f"kept-buffer-{slots}", "one vertex in each run: the others are those of runs before", runs=3)
    code = Emitting(numbers)
    at = code.add("ifc", condop=2, refx=1)
    code.mov(0, 0)
    code.add("emit")
    code.patch(at, dst=code.here)
    code.mov(_LAST, 0)
    code.add("emit")
    code.add("cmp", src1=0, src2=0, cmpx=0, cmpy=0)
    code.announce(2, 1, 1)
    code.end()
    yield code.draft("kept-setemit", "SETEMIT of the run before", runs=3)


def _random(numbers: Numbers, rng: Random, number: int) -> Draft:
    code = Emitting(numbers)
    for _ in range(rng.randrange(3, 14)):
        kind = rng.random()
        if kind < 0.3:
            code.add("emit")
        elif kind < 0.55:
            code.announce(rng.choice((0, 1, 2, 2)), int(rng.random() < 0.6), rng.getrandbits(1))
        elif kind < 0.75:
            code.mov(
                rng.choice(_OUTPUTS),
                rng.choice((0, C + rng.randrange(16), R + rng.randrange(2))),
                descriptor(rng.randrange(1, 16)),
            )
        elif kind < 0.9:
            code.add("add", dst=R + rng.randrange(2), src1=rng.choice((0, C + rng.randrange(8))), src2=R + rng.randrange(2))
        else:
            at = code.add("ifu", reg=rng.randrange(3))
            code.add("emit")
            code.patch(at, dst=code.here)
    code.announce(2, 1)
    code.add("emit")
    code.end()
    return code.draft(f"random-{number}", "random EMITs", runs=rng.randrange(1, 4))
