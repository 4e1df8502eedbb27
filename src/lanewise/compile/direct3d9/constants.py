"""Where the constants of a Direct3D 9 shader lie: c# as rows of uniforms.

Constants keep their numbers where the hardware has them, so that applications set them as before; others get a place by their
names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.direct3d9.options import Refused
from lanewise.compile.vector.code import Uniform
from lanewise.direct3d9.isa.constants import BOOL_SET, FLOAT_SET
from lanewise.direct3d9.isa.program import register_file
from lanewise.direct3d9.isa.table import CONSTANT_FILES, LOOP, LOOP_BLOCK, OPENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.compile.direct3d9.options import Options, Three
    from lanewise.direct3d9.isa.constants import Constant
    from lanewise.direct3d9.sem.tree import Flow

MOST_ITERATIONS = 255  # of a loop: i#.x is at most that [D]
REGISTERS = 96  # c# of the hardware (3dbrew, GPU/Shader Instruction Set)
_OWN = 2  # registers that are left for numbers of the compiled program itself
_NO_NAME = re.compile(r"\W")


class Place(NamedTuple):
    """A c#: the index of its uniform, and its row there."""

    uniform: int
    row: int


class _Range(NamedTuple):
    """Constants with one name: `size` registers from c`first`; elements are `stride` registers."""

    name: str
    first: int
    size: int
    stride: int


class Constants:
    """The uniforms of a shader, in the order in which its instructions meet them."""

    def __init__(self, flow: Flow, named: Sequence[Constant], options: Options) -> None:
        self.uniforms: list[Uniform] = []
        self.reach: dict[int, tuple[int, int]] = {}  # first and end of what a relative address from a c# means
        self._flow = flow
        self._named = named
        self._index: dict[_Range, int] = {}
        self._ranges: list[_Range] = []
        floats = [row for row in named if row.set == FLOAT_SET]
        for array in options.arrays:
            row = next((row for row in floats if row.register == array.first), None)
            self._ranges.append(_Range(row.name if row else f"c{array.first}", array.first, array.size, array.stride))
        given = {array.first for array in options.arrays}
        for row in floats:
            if row.register not in given and row.registers:
                stride = max(1, row.registers // max(1, row.type.elements))
                self._ranges.append(_Range(row.name, row.register, row.registers, stride))
        self._add_arrays(_counter_values(flow, options))

    def name(self, file: int, number: int) -> str:
        """The name of an i# or b# in the constant table, else that of the register."""
        for row in self._named:
            if row.set == file and row.register == number and row.registers == 1:
                return identifier(row.name)
        return f"{'b' if file == BOOL_SET else 'i'}{number}"

    def place(self, number: int) -> Place:
        """Return the place of a c# that an instruction names."""
        found = next((r for r in self._ranges if r.first <= number < r.first + r.size), None)
        found = found or self._add(_Range(f"c{number}", number, 1, 1))
        return Place(self._use(found), number - found.first)

    def array(self, base: int) -> Place:
        """The array that a relative address from c`base` means."""
        found = next(r for r in self._ranges if r.first <= base < r.first + r.size)
        self.reach[base] = found.first, found.first + found.size
        return Place(self._use(found), base - found.first)

    def _add_arrays(self, counter: set[int]) -> None:
        """Arrays for relative addresses from registers that no array is known to hold: what all values of `counter`, those of
        aL, reach. Raises Refused for addresses of other values."""
        addresses = [a for a in _addresses(self._flow) if not self._holds(a.base) and self.table(a.base) is None]
        for address in addresses:
            if not address.counted:
                raise self._unknown(address, addresses)
        lowest, highest = min({0} | counter), max({0} | counter)
        reached = [range(a.base + lowest, a.base + highest + 1) for a in addresses]
        for first, end in _joined(reached):
            inside = range(first, end)
            if first < 0 or not self._flow.constants.keys().isdisjoint(inside) or any(map(self._holds, inside)):
                raise self._unknown(next(a for a in addresses if first <= a.base < end), addresses)
            self._ranges.append(_Range(f"c{first}", first, end - first, 1))

    def _holds(self, number: int) -> bool:
        """Whether an option, or the constant table, says which array a c# is in, or that it is a constant with another use."""
        return any(r.first <= number < r.first + r.size for r in self._ranges)

    def _unknown(self, address: _Address, addresses: Sequence[_Address]) -> Refused:
        """L305, whose help has the most registers that the array can have, and how many are read from one address."""
        base, rows = address.base, {a.base for a in addresses}
        stride = next(n for n in range(1, len(rows) + 1) if base + n not in rows)
        elements = f"/{stride}" if stride > 1 else ""
        fix = f"give the number of registers: --array c{base}=COUNT{elements}"
        if base + stride <= REGISTERS:
            size, reason = self._room(base, stride)
            fix += f", at most --array c{base}={size}{elements} {reason}"
        if stride > 1:
            fix += f" (elements of {stride} registers: one address reads c{base} to c{base + stride - 1})"
        return Refused("L305", f"c{base} is the base of a relative address of unknown range", fix, address.line)

    def _room(self, base: int, stride: int) -> tuple[int, str]:
        """The most registers that an array at c`base` can have, and the reason."""
        direct, named = _direct(self._flow), {*self._flow.constants, *[r.first for r in self._ranges]}
        own = _OWN + len(direct | named)
        ends = [
            (REGISTERS, f"as c{REGISTERS - 1} is the last register"),
            (base + REGISTERS - own, f"as the program has {own} other constants"),
            *[(n, f"as c{n} is another constant") for n in named],
            *[(n, f"if c{n}, which is read without an address, is not part of it") for n in direct - named],
        ]
        end, reason = min((end, reason) for end, reason in ends if end >= base + stride)
        return (end - base) // stride * stride, reason

    def table(self, base: int) -> tuple[int, int] | None:
        """(first, end) of the constants around c`base` where the shader defines them, None where the application sets them."""
        defined = self._flow.constants
        first = base if base in defined else base + 1
        if first not in defined:
            return None
        end = first
        while end in defined:
            end += 1
        while first - 1 in defined:
            first -= 1
        self.reach[base] = first, end
        return first, end

    def _add(self, found: _Range) -> _Range:
        self._ranges.append(found)
        return found

    def _use(self, found: _Range) -> int:
        if found not in self._index:
            self._index[found] = len(self.uniforms)
            register = found.first if found.first + found.size <= REGISTERS else -1
            self.uniforms.append(Uniform(name=identifier(found.name), rows=found.size, register=register))
        return self._index[found]

    @property
    def first(self) -> tuple[int, ...]:
        """The c# of the shader that each uniform begins at."""
        return tuple([found.first for found in self._index])

    def placed(self, uniforms: Sequence[Uniform], first: Sequence[int]) -> tuple[Uniform, ...]:
        """The uniforms that are needed, which begin at these c#, with their registers: their own numbers where the hardware has
        them and all others fit beside them.

        Raises Refused for too many.
        """
        sizes = [uniform.rows for uniform in uniforms]
        if sum(sizes) > REGISTERS:
            raise self._too_many(uniforms, first)
        registers = _beside([uniform.register for uniform in uniforms], sizes) or _beside([-1] * len(sizes), sizes)
        assert registers is not None or not uniforms, "there is room for all, the largest first"
        return tuple([uniform._replace(register=n) for uniform, n in zip(uniforms, registers or (), strict=True)])

    def _too_many(self, uniforms: Sequence[Uniform], first: Sequence[int]) -> Refused:
        rows = sum(uniform.rows for uniform in uniforms)
        largest, start = max(zip(uniforms, first, strict=True), key=lambda pair: pair[0].rows)
        stride = next((r.stride for r in self._index if r.first == start), 1)
        message = (
            f"the shader reads {rows} constants of the application, but the hardware has {REGISTERS}: {largest.name} has "
            f"{largest.rows}"
        )
        room = REGISTERS - (rows - largest.rows + len(self._flow.constants) + _OWN)
        if start < REGISTERS:
            room = min(room, REGISTERS - start)  # so that it stays where it is
        room = room // stride * stride
        if largest.rows == 1 or room <= 0:
            return Refused("L306", message, "use fewer constants")
        elements = f"/{stride}" if stride > 1 else ""
        return Refused(
            "L306",
            message,
            f"make the array smaller, to at most --array c{start}={room}{elements}"
            + (f"; its elements have {stride} registers" if stride > 1 else ""),
        )


def _beside(wanted: Sequence[int], sizes: Sequence[int]) -> list[int] | None:
    """First registers of ranges: those that are wanted, then the lowest that are free, the largest first; None where one does
    not fit."""
    taken = {n for first, size in zip(wanted, sizes, strict=True) if first >= 0 for n in range(first, first + size)}
    found = list(wanted)
    for place in sorted((n for n, first in enumerate(wanted) if first < 0), key=lambda n: -sizes[n]):
        size = sizes[place]
        first = next((n for n in range(REGISTERS - size + 1) if taken.isdisjoint(range(n, n + size))), None)
        if first is None:
            return None
        found[place] = first
        taken.update(range(first, first + size))
    return found


class _Address(NamedTuple):
    """A c# that a relative address adds to: whether it adds aL, and the instruction."""

    base: int
    counted: bool
    line: int


def _addresses(flow: Flow) -> list[_Address]:
    """The relative addresses of constants, by their c#, with all rows of matrices."""
    return sorted(
        _Address(source.constant + row, source.relative is not None and register_file(source.relative) == LOOP, line)
        for line, inst in enumerate(flow.insts)
        for place, source in enumerate(inst.sources)
        if source.is_relative and source.file in CONSTANT_FILES
        for row in range(max(1, inst.op.rows) if place else 1)
    )


def _direct(flow: Flow) -> set[int]:
    """The c# that instructions name without an address."""
    return {
        source.constant
        for inst in flow.insts
        for source in inst.sources
        if not source.is_relative and source.file in CONSTANT_FILES
    }


def integers_of(flow: Flow, options: Options) -> dict[int, Three]:
    """Count, start and step of the i# whose values are known, by number."""
    defined: dict[int, Three] = {}
    for number, words in flow.integers.items():
        count, start, step, _ = [value - (value >> 31 << 32) for value in words]
        defined[number] = count, start, step
    return {**options.integers, **defined}


def _counter_values(flow: Flow, options: Options) -> set[int]:
    """All values of aL in the loops of a shader, but for those whose start or step is unknown: the walk refuses them."""
    bounds = {number: (bound.most, bound.start, bound.step) for number, bound in options.bounds.items()}
    known = {**bounds, **integers_of(flow, options)}
    found: set[int] = set()
    for inst in flow.insts:
        if inst.op.block == LOOP_BLOCK and inst.op.part == OPENS:
            count, start, step = known.get(inst.sources[-1].number, (0, None, None))
            if start is not None and step is not None:
                found |= {start + step * turn for turn in range(min(count, MOST_ITERATIONS))}
    return found


def _joined(ranges: Iterable[range]) -> list[tuple[int, int]]:
    """First and end of ranges, with those that share a register as one."""
    found: list[tuple[int, int]] = []
    for row in sorted(ranges, key=lambda row: row.start):
        if found and row.start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], row.stop)
        else:
            found.append((row.start, row.stop))
    return found


def identifier(name: str) -> str:
    """A name as assemblers take it: `$light.color` is `light_color`."""
    text = _NO_NAME.sub("_", name.lstrip("$"))
    return text if text and not text[0].isdigit() else f"_{text}"


def unique(names: Iterable[str]) -> list[str]:
    """The names, with a number after those that were there before."""
    found: dict[str, int] = {}
    result: list[str] = []
    for name in names:
        found[name] = found.get(name, 0) + 1
        result.append(name if found[name] == 1 else f"{name}_{found[name]}")
    return result
