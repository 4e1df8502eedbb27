"""Faster orders of ShaderCore programs: what reordering wins, checked by running both orders."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.schedule import Reordering, faster_order
from lanewise.shadercore.isa.table import FILES, LANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.steps import Register

_SEED = 1
_REGISTERS: tuple[Register, ...] = tuple([(file, n, c) for file in "vorx" for n in range(8) for c in range(4)])


def reordered(timing: Timing) -> Reordering | None:
    """An order of a program that takes fewer cycles on the device of its timing; None where none is found.

    Both orders leave the same patterns in every register of a wave of random numbers; an order that does not is not given.
    """
    return faster_order(timing, lambda insts: _registers(insts, timing.device) == _registers(timing.insts, timing.device))


def _registers(insts: Sequence[Inst], device: Device) -> list[tuple[int, ...]]:
    """All registers after a wave, which begins with random numbers in them."""
    rng = random.Random(_SEED)

    def pattern() -> int:
        return rng.getrandbits(1) << 31 | rng.randrange(117, 137) << 23 | rng.getrandbits(23)

    constants = {(n, c): pattern() for n in range(FILES["c"].size) for c in range(4)}
    core = Core(insts, device, constants, {place: [pattern() for _ in range(LANES)] for place in _REGISTERS})
    core.run()
    return [core.value(place) for place in _REGISTERS]
