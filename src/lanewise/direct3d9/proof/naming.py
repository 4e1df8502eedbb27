"""The constants and textures of two shaders, matched by the names in their constant tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.isa.constants import BOOL_SET, COLUMNS, FLOAT_SET, INT_SET, SAMPLER_SET
from lanewise.proving import naming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.direct3d9.isa.constants import Constant
    from lanewise.proving.naming import Key, Place

_SETS = (BOOL_SET, INT_SET, SAMPLER_SET)
_CONSTANTS, _NUMBERS = 256, 16


class Array(Record):
    """An array of a constant table, for relative addresses."""

    first: int
    "The number of its first register."
    size: int
    "How many registers it has."
    name: str
    "Its name."
    columns: tuple[int, int] | None = None
    "Rows and columns of its matrices where its registers are their columns."


class Moved(Record):
    """The names of a shader's registers in the other one; registers that are not in a mapping keep their number."""

    floats: Mapping[Place, Place] = {}
    "Components of c#."
    numbers: Mapping[tuple[int, int], int] = {}
    "The number of another b#, i# or s#, by its register set and number."
    arrays: tuple[Array, ...] = ()
    "Arrays that both shaders have under their name."
    alone: str = ""
    "What relative addresses of no such array are told apart by, where registers do not keep their number."

    def place(self, number: int, component: int) -> Place:
        return self.floats.get((number, component), (number, component))

    def number(self, kind: int, number: int) -> int:
        return self.numbers.get((kind, number), number)

    def array(self, base: int) -> Array | None:
        """The array that a base register of a relative address is in."""
        return next((each for each in self.arrays if each.first <= base < each.first + each.size), None)


class Matching(Record):
    """How two shaders name what they read."""

    moved: tuple[Moved, Moved]
    "What registers of each are called."
    unmatched: tuple[str, ...]
    "What has no counterpart, in sentences."
    premises: tuple[str, ...]
    "What the names say, in sentences."


def matched(tables: tuple[Sequence[Constant], Sequence[Constant]], names: tuple[str, str]) -> Matching:
    """Match two constant tables; by registers where not both have one."""
    if not all(tables):
        return Matching((Moved(), Moved()), (), ("constants and textures by their registers",))
    first, second = (dict(_keys(table)) for table in tables)
    lacking = naming.alone(first, second, (first, second))
    places = [(number, component) for number in range(_CONSTANTS) for component in range(4)]
    floats = naming.renamed(first, second, places)
    numbers: dict[tuple[int, int], int] = {}
    for kind in _SETS:
        own, theirs = (
            {(row.register + n, 0): (row.name, n, 0) for row in table if row.set == kind for n in range(row.registers)}
            for table in tables
        )
        moved = naming.renamed(own, theirs, [(number, 0) for number in range(_NUMBERS)])
        numbers |= {(kind, place[0]): other[0] for place, other in moved.items()}
    arrays = [{each.name: each for each in _arrays(table)} for table in tables]
    shared = [name for name, each in arrays[0].items() if name in arrays[1] and arrays[1][name].columns == each.columns]
    own, theirs = (tuple([each[name] for name in shared]) for each in arrays)
    return Matching(
        (
            Moved(arrays=own, alone="first" if floats else ""),
            Moved(floats, numbers, theirs, "second" if floats else ""),
        ),
        tuple(lacking.texts(names)) if lacking is not None else (),
        ("constants and textures by their names, matrices by their rows and columns",),
    )


def _keys(table: Sequence[Constant]) -> Iterator[tuple[Place, Key]]:
    for row in table:
        if row.set == FLOAT_SET:
            for index in range(min(row.registers, _CONSTANTS)):
                for component in range(4):
                    yield (row.register + index, component), naming.key(row.name, index, component, _columns(row))


def _arrays(table: Sequence[Constant]) -> Iterator[Array]:
    for row in table:
        if row.set == FLOAT_SET and row.registers > 1:
            yield Array(row.register, row.registers, row.name, _columns(row))


def _columns(row: Constant) -> tuple[int, int] | None:
    shape = row.type.rows, row.type.columns
    return shape if row.type.kind == COLUMNS and all(1 <= size <= 4 for size in shape) else None


__all__ = ["Array", "Matching", "Moved", "matched"]
