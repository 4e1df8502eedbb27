"""Where the vertices of a draw come from: loaders, formats, default attributes, index lists.

Sources: 3dbrew, GPU/Internal Registers (GPUREG_ATTRIBBUFFERS_LOC to GPUREG_DRAWELEMENTS); azahar-emu/azahar a2d16d4,
video_core/pica/vertex_loader.cpp: an attribute whose default bit is set is never loaded, and one that neither has keeps an
older value.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.frame.draws import ARRAYS, ELEMENTS, IMMEDIATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.frame.draws import Draw

LOADERS, ATTRIBUTES = 12, 12
TYPES = ("int8", "uint8", "int16", "float32")
SIZES = (1, 1, 2, 4)
_PADDING = 12  # components from here on are 4, 8, 12 and 16 bytes of nothing
LOC, FORMAT, LOADER = 0x200, 0x201, 0x203
INDEX, COUNT, GEOSTAGE, FIRST = 0x227, 0x228, 0x229, 0x22A
PRIMITIVE = 0x25E
_INPUTS, _PERMUTATION = 0x2B9, 0x2BB
LOADED, DEFAULT, MISSING = "loaded", "default", "missing"
TOPOLOGIES = ("triangles", "strip", "fan", "geometry")
GEOMETRY_PRIMITIVE = 3
MOST_VERTICES = 1 << 22


class Feed(Record):
    """Where an attribute of the vertex shader comes from."""

    attribute: int
    "Number of the attribute."
    register: int
    "Input register that it goes to."
    source: str
    "loaded, default or missing."
    kind: int = 0
    "Type of its elements, an index of `TYPES`."
    elements: int = 0
    "Number of elements, 1 to 4."
    address: int = 0
    "Physical address of the first vertex."
    stride: int = 0
    "Bytes from vertex to vertex."
    loader: int = 0
    "Number of the loader."
    start: int = 0
    "Bytes before it in a vertex."

    @property
    def size(self) -> int:
        """Its bytes in a vertex."""
        return self.elements * SIZES[self.kind]


class Loader(Record):
    """A loader: where its vertices are, and what one has."""

    number: int
    "Number of the loader."
    address: int
    "Physical address of the first vertex."
    stride: int
    "Bytes from vertex to vertex."
    attributes: tuple[tuple[int, int], ...]
    "Attributes with their byte offsets in a vertex."
    size: int
    "Bytes of a vertex that its components take."


def base_of(registers: Sequence[int]) -> int:
    """The address that offsets of loaders and index lists count from."""
    return (registers[LOC] & 0x1FFFFFFE) << 3


def formats_of(registers: Sequence[int]) -> list[tuple[int, int]]:
    """Type and number of elements of each attribute."""
    bits = registers[FORMAT] | registers[FORMAT + 1] << 32
    return [(bits >> 4 * n & 3, (bits >> 4 * n + 2 & 3) + 1) for n in range(ATTRIBUTES)]


def loaders_of(registers: Sequence[int]) -> list[Loader]:
    """The loaders that have components."""
    base, formats = base_of(registers), formats_of(registers)
    found: list[Loader] = []
    for number in range(LOADERS):
        offset, low, high = registers[LOADER + 3 * number : LOADER + 3 * number + 3]
        at, places = 0, list[tuple[int, int]]()
        for place in range(min(high >> 28, ATTRIBUTES)):
            component = (low >> 4 * place if place < 8 else high >> 4 * (place - 8)) & 15
            if component >= _PADDING:
                at = (at + 3 & ~3) + 4 * (component - _PADDING + 1)
                continue
            kind, elements = formats[component]
            width = SIZES[kind]
            at = (at + width - 1) // width * width
            places.append((component, at))
            at += elements * width
        if high >> 28:
            found.append(
                Loader(
                    number=number,
                    address=base + (offset & 0x0FFFFFFF),
                    stride=high >> 16 & 0xFF,
                    attributes=tuple(places),
                    size=at,
                )
            )
    return found


def inputs_of(registers: Sequence[int]) -> list[int]:
    """The input register of each attribute that the vertex shader is given."""
    bits = registers[_PERMUTATION] | registers[_PERMUTATION + 1] << 32
    return [bits >> 4 * n & 15 for n in range((registers[_INPUTS] & 15) + 1)]


def feeds_of(draw: Draw) -> list[Feed]:
    """Where each attribute of the vertex shader comes from."""
    registers = draw.registers
    inputs = inputs_of(registers)
    if draw.kind == IMMEDIATE:
        given = len(draw.immediate[0])
        return [
            Feed(attribute=n, register=register, source=LOADED if n < given else MISSING) for n, register in enumerate(inputs)
        ]
    loaded: dict[int, tuple[Loader, int]] = {}
    for loader in loaders_of(registers):
        for attribute, at in loader.attributes:
            loaded[attribute] = (loader, at)
    formats, total, fixed = formats_of(registers), (registers[FORMAT + 1] >> 28) + 1, registers[FORMAT + 1] >> 16 & 0xFFF
    found: list[Feed] = []
    for number, register in enumerate(inputs):
        if number >= total:
            found.append(Feed(attribute=number, register=register, source=MISSING))
        elif number >= ATTRIBUTES or fixed >> number & 1:
            found.append(Feed(attribute=number, register=register, source=DEFAULT))
        elif number in loaded:
            loader, at = loaded[number]
            kind, elements = formats[number]
            found.append(
                Feed(
                    attribute=number,
                    register=register,
                    source=LOADED,
                    kind=kind,
                    elements=elements,
                    address=loader.address + at,
                    stride=loader.stride,
                    loader=loader.number,
                    start=at,
                )
            )
        else:
            found.append(Feed(attribute=number, register=register, source=MISSING))
    return found


def topology_of(draw: Draw) -> str:
    """How vertices become triangles; without a geometry shader `geometry` of an index list is triangles, as citro3d draws
    them."""
    number = draw.registers[PRIMITIVE] >> 8 & 3
    if number == GEOMETRY_PRIMITIVE and not draw.registers[GEOSTAGE] & 2:
        return TOPOLOGIES[0]
    return TOPOLOGIES[number]


def index_place(draw: Draw) -> tuple[int, int]:
    """Address of the index list, and bytes of an index."""
    value = draw.registers[INDEX]
    return base_of(draw.registers) + (value & 0x0FFFFFFF), 2 if value >> 31 else 1


class Numbers(Record):
    """The vertices that a draw takes, in order."""

    listed: Sequence[int]
    "Numbers of vertices; of an index list its numbers, with counts in variable mode."
    asked: int
    "How many the draw asks for."


def numbers_of(draw: Draw) -> Numbers:
    """The numbers of vertices as they are drawn: as many as are known."""
    if draw.kind == IMMEDIATE:
        return Numbers(range(len(draw.immediate)), len(draw.immediate))
    count = draw.registers[COUNT]
    if draw.kind == ARRAYS:
        first = draw.registers[FIRST]
        return Numbers(range(first, first + min(count, MOST_VERTICES)), count)
    address, size = index_place(draw)
    data = draw.memory.read(address, count * size)
    if data is None:
        known = draw.memory.known(address, min(count, MOST_VERTICES) * size) // size
        data = draw.memory.read(address, known * size) or memoryview(b"")
    if size == 1:
        return Numbers(data[:MOST_VERTICES], count)
    return Numbers(_halves(data[: 2 * MOST_VERTICES]), count)


def _halves(data: memoryview) -> Sequence[int]:
    import struct

    return struct.unpack_from(f"<{len(data) // 2}H", data)


def used_of(draw: Draw, numbers: Numbers) -> Sequence[int]:
    """The different vertices that a draw takes, in ascending order; counts of variable mode are none."""
    listed = numbers.listed
    if isinstance(listed, range):
        return listed
    if draw.kind == ELEMENTS and variable(draw):
        found: set[int] = set()
        at = 0
        while at < len(listed):
            found.update(listed[at + 1 : at + 1 + listed[at]])
            at += 1 + listed[at]
        return sorted(found)
    return sorted(set(listed))


def variable(draw: Draw) -> bool:
    """Whether the index list has a count before each primitive."""
    return bool(draw.registers[GEOSTAGE] & 2) and draw.registers[0x252] & 0xFF == 1


def missing_of(draw: Draw, feeds: Sequence[Feed], used: Sequence[int]) -> list[Feed]:
    """The loaded attributes of which a used vertex is not in the known memory."""
    if draw.kind == IMMEDIATE or not used:
        return []
    low, high = used[0], used[-1]
    found: list[Feed] = []
    for feed in feeds:
        if feed.source == LOADED:
            start = feed.address + low * feed.stride
            if draw.memory.read(start, (high - low) * feed.stride + feed.size) is None:
                found.append(feed)
    return found


def reads_of(draw: Draw) -> list[tuple[int, int]]:
    """The ranges of memory that a draw reads: (address, size)."""
    used = used_of(draw, numbers_of(draw))
    found: list[tuple[int, int]] = []
    if draw.kind == ELEMENTS:
        address, size = index_place(draw)
        found.append((address, draw.registers[COUNT] * size))
    if used and draw.kind != IMMEDIATE:
        low, high = used[0], used[-1]
        found += [
            (loader.address + low * loader.stride, (high - low) * loader.stride + max(loader.size, 1))
            for loader in loaders_of(draw.registers)
        ]
    return found
