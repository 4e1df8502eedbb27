"""Register allocation: a linear scan over the scheduled instructions.

Every component of a register is a separate place."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.schedule import last_uses
from lanewise.core.diagnostics import PortableError
from lanewise.shadercore.sem.steps import Register, exports

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.shadercore.code import Code, Output
    from lanewise.shadercore.isa.devices import Device


class TooMany(PortableError):
    """More values are live at once than the device has register components."""

    needed: int
    places: int

    def __init__(self, needed: int, places: int) -> None:
        super().__init__(f"{needed} values are live at once, but {places} registers are free")
        self.needed, self.places = needed, places


def temporaries(device: Device, taken: frozenset[Register]) -> list[Register]:
    """The places for temporaries, in order of preference: r, x, outputs that are not exported, other outputs.

    `taken` are the components of outputs that the program writes. x7.x is left out where idle write slots clear it.
    """
    hidden = [(file, n, c) for file in "rx" for n in range(device.cycles(f"{file}_registers")) for c in range(4)]
    if device.value("x7x") == "cleared" and ("x", 7, 0) in hidden:
        hidden.remove(("x", 7, 0))
    seen = set(exports(device))
    outputs = [("o", n, c) for n in range(8) for c in range(4) if ("o", n, c) not in taken]
    return [*hidden, *(place for place in outputs if place not in seen), *(place for place in outputs if place in seen)]


def allocate(code: Code, order: Sequence[int], placed: Mapping[int, Output], device: Device) -> dict[int, Register]:
    """A register for each node that is an instruction. Raises TooMany.

    An output's register serves other values until the output is written for good.
    """
    place_of = {n: ("o", output.number, output.component) for n, output in placed.items()}
    written_at = {place_of[n]: place for place, n in enumerate(order) if n in placed}
    last = last_uses(code, order)
    ranks = {place: rank for rank, place in enumerate(temporaries(device, frozenset(written_at)))}
    free = sorted(ranks.values())
    names = {rank: place for place, rank in ranks.items()}
    early = sorted(written_at, key=lambda place: -written_at[place])  # outputs not yet written, the latest first
    busy: set[Register] = set()
    ends: dict[int, list[Register]] = {}
    found: dict[int, Register] = {}
    for place, n in enumerate(order):
        for register in ends.pop(place, ()):
            busy.discard(register)
            if register in ranks:
                heappush(free, ranks[register])
        if n in place_of:
            found[n] = place_of[n]
            continue
        end = last.get(n, place)
        if free:
            register = names[heappop(free)]
        else:
            spare = [output for output in early if output not in busy and written_at[output] >= end]
            if not spare:
                raise TooMany(len(ranks) + len(busy & set(early)) + 1, len(ranks))
            register = spare[-1]
        busy.add(register)
        found[n] = register
        ends.setdefault(max(end, place + 1), []).append(register)
    return found
