"""Handing out uniform registers: uniforms upwards, constants downwards, explicit places in between.

Source: conformance rules 30-33 (how picasso allocates); explicit places are ours (devkitPro/picasso issue 36 asks for them).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, RESERVED_BOOLEAN

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Interface

FIRST = {"fvec": FLOAT, "ivec": INTEGER, "bool": BOOLEAN}
COUNT = {"fvec": 96, "ivec": 4, "bool": 16}
# The count of a loop that compilers name: the integer register `n` holds the count minus one, and the boolean `n.some` is
# whether the loop runs at all. Another register with other start and step is `n.2`, and so on.
GUARD = ".some"
# The uniform that a compiler adds for what it computes before a draw: the application sets it to what the preamble gives.
PREAMBLE = "lanewise.preamble"
MOST_TURNS = 255  # of a count: what compilers prove of a loop holds up to here


def count_of(name: str) -> str:
    """The count whose boolean this is, by its name; empty for another name."""
    plain = name.replace("$", ".")
    return plain.removesuffix(GUARD) if plain.endswith(GUARD) else ""


def hidden(interface: Interface) -> range:
    """The registers that a preamble computes; empty for a shader without."""
    row = next((row for row in interface.uniforms if row.own_name == PREAMBLE and FLOAT <= row.first < INTEGER), None)
    return range(0) if row is None else range(row.first, row.last + 1)


class Declared(Record):
    """A uniform of a space: its class (`fvec`, `ivec`, `bool`), first register and size."""

    kind: str
    register: int
    size: int


class _Pool:
    """One register class of a space. `next` and `end` meet in the middle; `ceiling` only ever sinks."""

    def __init__(self, first: int, end: int) -> None:
        self.first = self.next = first
        self.limit = self.end = self.ceiling = end
        self.taken: set[int] = set()

    def upwards(self, size: int) -> int:
        place = self.next
        if place + size > self.ceiling:
            return -1
        while any(register in self.taken for register in range(place, place + size)):
            place += 1
        if place + size > self.ceiling:
            return -1
        self.next = place + size
        return place

    def downwards(self, size: int) -> int:
        place = self.end - size
        if place < self.next:
            return -1
        while any(register in self.taken for register in range(place, place + size)):
            place -= 1
        if place < self.next:
            return -1
        self.end = place
        self.ceiling = min(self.ceiling, place)
        return place


class UniformSpace:
    """Allocator of uniform registers: for several files, or one geometry shader.

    `first` is the first float uniform to allocate; the space of a geometry shader excludes b15.
    """

    def __init__(self, first: int = FLOAT, *, own: bool = False) -> None:
        booleans = BOOLEAN + (RESERVED_BOOLEAN if own else COUNT["bool"])
        self._pools = {
            "fvec": _Pool(first, FLOAT + COUNT["fvec"]),
            "ivec": _Pool(INTEGER, INTEGER + COUNT["ivec"]),
            "bool": _Pool(BOOLEAN, booleans),
        }
        self.names: dict[str, Declared] = {}

    def new_file(self) -> None:
        """Constants of the next file start at the top again."""
        for pool in self._pools.values():
            pool.end = pool.limit

    def uniform(self, name: str, kind: str, size: int) -> int:
        """Allocate registers for a new name. Returns the first, or -1 if the space is full."""
        place = self._pools[kind].upwards(size)
        if place >= 0:
            self.names[name] = Declared(kind, place, size)
        return place

    def place(self, name: str, kind: str, size: int, register: int) -> str:
        """Put a new name at an explicit register. Returns the conflict, or an empty text."""
        pool = self._pools[kind]
        for other, declared in self.names.items():
            if declared.register < register + size and register < declared.register + declared.size:
                return other
        if register < pool.first:
            return "the registers for vertex data, which .gsh reserves"
        if register + size > pool.limit:
            return "b15, which is set after each run of a geometry shader"
        if register + size > min(pool.end, pool.ceiling):
            return "a constant"
        pool.taken.update(range(register, register + size))
        self.names[name] = Declared(kind, register, size)
        return ""

    def constant(self, kind: str, size: int) -> int:
        """Allocate a block for constants. Returns the first, or -1 if the space is full."""
        return self._pools[kind].downwards(size)

    def free(self, kind: str) -> int:
        """The number of free registers between uniforms and constants."""
        pool = self._pools[kind]
        return max(0, min(pool.end, pool.ceiling) - pool.next)
