"""Constant pool of a compiled program.

Constants of the source keep their registers; patterns fill free components."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.shadercore.sem.peephole import MAGNITUDE, SIGN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONSTANTS = 256


class Upload(NamedTuple):
    """The bits of the four components of c`number`, None where unused, each with its purpose."""

    number: int
    values: tuple[int | None, ...]
    why: tuple[str, ...]


class NoRoom(Exception):
    """All constant registers are taken."""


class Pool(NamedTuple):
    """Where patterns are: by their magnitude the register, the component and whether bit 31 is set there; and what to
    upload."""

    places: Mapping[int, tuple[int, int, bool]]
    uploads: tuple[Upload, ...]


def pool(
    patterns: Mapping[int, str],
    defined: Mapping[int, tuple[int, int, int, int]],
    reserved: Iterable[int],
    count: int = CONSTANTS,
) -> Pool:
    """Places for the magnitudes `patterns` (with what they are for). `defined` are the registers of the source's own def
    instructions, `reserved` those that the application sets, `count` how many the device has. Raises NoRoom.
    """
    rows: dict[int, list[int | None]] = {number: list(values) for number, values in defined.items()}
    why: dict[int, list[str]] = {number: ["def"] * 4 for number in defined}
    places: dict[int, tuple[int, int, bool]] = {}
    for number, values in sorted(defined.items()):
        for component, bits in enumerate(values):
            places.setdefault(bits & MAGNITUDE, (number, component, bool(bits & SIGN)))
    taken = {*defined, *reserved}
    if any(count <= number < CONSTANTS for number in taken):  # larger ones stand for counts that have no place yet
        raise NoRoom
    room = iter([n for n in range(count - 1, -1, -1) if n not in taken])
    current, component = -1, 4
    for magnitude, reason in patterns.items():
        if magnitude in places:
            continue
        if component == 4:
            current, component = next(room, -1), 0
            if current < 0:
                raise NoRoom
            rows[current], why[current] = [None] * 4, [""] * 4
        rows[current][component] = magnitude
        why[current][component] = reason
        places[magnitude] = current, component, False
        component += 1
    wanted = {places[magnitude][0] for magnitude in patterns}
    uploads = [Upload(n, tuple(rows[n]), tuple(why[n])) for n in sorted(rows) if n in wanted or n in defined]
    return Pool({magnitude: places[magnitude] for magnitude in patterns}, tuple(uploads))
