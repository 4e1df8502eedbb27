"""What every file of a recorded frame becomes: a stream of loads, register writes, submitted lists and ends of frames.

Addresses are physical. The GPU's internal registers are mapped from 0x10401000 on, a word each: 3dbrew, GPU/External Registers.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic

REGISTERS = 0x300  # internal registers: 3dbrew, GPU/Internal Registers
MAPPED = 0x10401000
_PAGE = 20  # bits of an address inside a page of `Memory`
_MOST_PAGES = 1 << 20  # entries of pages: loads of 1 TiB, or a million small ones


class Place(Record):
    """Where an event is in its file: the number of its record or element, and its byte offset."""

    record: int
    offset: int


class Load(Record):
    """Memory as it is from here on."""

    address: int
    data: memoryview
    place: Place


class Write(Record):
    """A write to a mapped register."""

    address: int
    value: int
    place: Place


class Submit(Record):
    """A command list that the GPU is given: physical address and size in bytes."""

    address: int
    size: int
    place: Place


class End(Record):
    """The end of a frame."""

    place: Place


Event = Load | Write | Submit | End


class Initial(Record):
    """The state of the GPU before the first event; None is unknown, also for single words."""

    registers: Sequence[int] | None = None
    "Internal registers, `REGISTERS` of them."
    defaults: Sequence[Sequence[int | None]] | None = None
    "Default attributes, four float24 words each: x, y, z, w."
    code: Sequence[int] | None = None
    "Code memory of the vertex unit."
    descriptors: Sequence[int] | None = None
    "Operand descriptors of the vertex unit."
    uniforms: Sequence[Sequence[int | None]] | None = None
    "Float uniforms of the vertex unit, four float24 words each: x, y, z, w."
    geometry_code: Sequence[int] | None = None
    "Code memory of the geometry unit."
    geometry_descriptors: Sequence[int] | None = None
    "Operand descriptors of the geometry unit."
    geometry_uniforms: Sequence[Sequence[int | None]] | None = None
    "Float uniforms of the geometry unit, as those of the vertex unit."


class Recording(Record):
    """A file of frames, read as far as it can be."""

    kind: str
    "Key of the kind of file: citrace, records or lists."
    layout: str
    "How its parts were found, and by what test, as a sentence."
    initial: Initial
    "State before the first event."
    events: Sequence[Event]
    "Everything in order."
    findings: tuple[Diagnostic, ...]
    "What is wrong with the file."
    notes: Mapping[str, str] = {}
    "Parts that are missing or cut, each with the reason."


class Memory:
    """Memory that is loaded part by part; `at` is what it holds at a moment."""

    def __init__(self) -> None:
        self._pages: dict[int, list[tuple[int, int, memoryview]]] = {}
        self._count = self._entries = 0

    def load(self, address: int, data: memoryview) -> bool:
        """Load bytes; False if there are too many loads to keep."""
        pages = range(address >> _PAGE, (address + max(len(data), 1) - 1 >> _PAGE) + 1)
        if self._entries + len(pages) > _MOST_PAGES:
            return False
        self._entries += len(pages)
        for page in pages:
            self._pages.setdefault(page, []).append((self._count, address, data))
        self._count += 1
        return True

    def at(self) -> View:
        return View(self, self._count)

    def before(self, address: int, size: int, number: int) -> Iterator[tuple[int, memoryview]]:
        """The loads that overlap a range, the latest first, of those before a number."""
        first, last = address >> _PAGE, address + size - 1 >> _PAGE
        if first == last:
            for which, start, data in reversed(self._pages.get(first, ())):
                if which < number and start < address + size and start + len(data) > address:
                    yield start, data
            return
        found = {
            which: (start, data)
            for page in range(first, last + 1)
            for which, start, data in self._pages.get(page, ())
            if which < number and start < address + size and start + len(data) > address
        }
        for which in sorted(found, reverse=True):
            yield found[which]


class View(Record):
    """Memory at a moment."""

    memory: Memory
    loads: int

    def read(self, address: int, size: int) -> memoryview | None:
        """The bytes of a range; None if a part is not known."""
        if size <= 0:
            return memoryview(b"")
        whole: bytearray | None = None
        missing = [(address, address + size)]
        for start, data in self.memory.before(address, size, self.loads):
            end = start + len(data)
            if whole is None and start <= address and end >= address + size:
                return data[address - start : address - start + size]
            whole = bytearray(size) if whole is None else whole
            left: list[tuple[int, int]] = []
            for low, high in missing:
                from_, to = max(low, start), min(high, end)
                if from_ >= to:
                    left.append((low, high))
                    continue
                whole[from_ - address : to - address] = data[from_ - start : to - start]
                left += [part for part in ((low, from_), (to, high)) if part[0] < part[1]]
            missing = left
            if not missing:
                return memoryview(whole)
        return None

    def known(self, address: int, size: int) -> int:
        """How many bytes from an address on are known, at most `size`."""
        at = address
        while at < address + size:
            ends = [start + len(data) for start, data in self.memory.before(at, 1, self.loads)]
            if not ends:
                break
            at = max(ends)
        return min(at - address, size)
