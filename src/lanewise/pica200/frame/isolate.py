"""One draw as a stream of its own: what it reads, the state before it, and the draw."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.frame.commands import as_bytes, encode
from lanewise.pica200.frame.draws import ELEMENTS, IMMEDIATE
from lanewise.pica200.frame.recording import REGISTERS, End, Load, Place, Submit
from lanewise.pica200.frame.registers import PASSING
from lanewise.pica200.frame.state import GEOMETRY, PACKED, VERTEX, WIDE, packed
from lanewise.pica200.frame.vertices import reads_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.recording import Event
    from lanewise.pica200.frame.state import UnitState, Vector

_PLACES = (0x18000000, 0x20000000, 0x30000000)
_NOWHERE = Place(0, 0)
_COM_MODE, _GEOSTAGE = 0x244, 0x229
_INDEX, _DATA = 0x232, 0x233
_ENDS = 0x10


def isolated(draws: Sequence[Draw]) -> list[Event]:
    """The stream of some draws, each with all its state, in one frame. Memory that is not known is left out."""
    events: list[Event] = []
    for draw in draws:
        ranges = [(address, size) for address, size in reads_of(draw) if size > 0]
        for address, size in ranges:
            known = draw.memory.known(address, size)
            data = draw.memory.read(address, known)
            if known and data is not None:
                events.append(Load(address, data, _NOWHERE))
        data = as_bytes(words_of(draw))
        at = next(place for place in _PLACES if all(place + len(data) <= a or a + size <= place for a, size in ranges))
        events += [Load(at, memoryview(data), _NOWHERE), Submit(at, len(data), _NOWHERE)]
    events.append(End(_NOWHERE))
    return events


def words_of(draw: Draw) -> list[int]:
    """A command list that sets the state of a draw, and draws."""
    found = encode(_COM_MODE, [1])  # the units apart from each other
    for base, unit in ((VERTEX, draw.vertex), (GEOMETRY, draw.geometry)):
        found += _unit(base, unit)
    for number, vector in enumerate(draw.defaults):
        words = _packed(vector)
        if words is not None:
            found += [*encode(_INDEX, [number]), *encode(_DATA, words)]
    for number in range(REGISTERS):
        if draw.known[number] and number not in PASSING and number not in (_COM_MODE, _GEOSTAGE):
            found += encode(number, [draw.registers[number]], mask=draw.known[number])
    found += [*encode(_GEOSTAGE, [draw.registers[_GEOSTAGE]]), *encode(_COM_MODE, [draw.registers[_COM_MODE]])]
    if draw.kind == IMMEDIATE:
        found += encode(_INDEX, [0xF])
        for vertex in draw.immediate:
            for vector in vertex:
                found += encode(_DATA, _packed(vector) or (0, 0, 0))
    else:
        found += encode(0x22F if draw.kind == ELEMENTS else 0x22E, [1])
    found += encode(_ENDS, [0x12345678])
    return found


def _unit(base: int, unit: UnitState) -> list[int]:
    found: list[int] = []
    if unit.code:
        found += [*encode(base + 0x1B, [0]), *encode(base + 0x1C, unit.code)]
    if unit.descriptors:
        found += [*encode(base + 0x25, [0]), *encode(base + 0x26, unit.descriptors)]
    for number, vector in enumerate(unit.uniforms):
        words = vector[1] if vector is not None and vector[0] == WIDE else _packed(vector)
        if vector is not None and words is not None:
            config = number | (vector[0] == WIDE) << 31
            found += [*encode(base + 0x10, [config]), *encode(base + 0x11, [word or 0 for word in words])]
    return found


def _packed(vector: Vector | None) -> Sequence[int] | None:
    """The words of a vector; None where a component is not known."""
    if vector is None:
        return None
    kind, words = vector
    known = [word for word in words if word is not None]
    if len(known) != len(words) or kind == WIDE:
        return None
    return known if kind == PACKED else packed(known)
