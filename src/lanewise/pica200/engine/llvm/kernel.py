"""A compiled program in memory: `Kernel`, and `Call`, the arguments of one run of it.

No value that a program computes is an address: inputs are read row by row up to the number of vertices, uniforms by an index
that is cut to the table, and results go to arrays of the right size.
"""

from __future__ import annotations

import ctypes
import struct
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.memory import address
from lanewise.core.record import Record
from lanewise.llvm.caches import bypassed_from
from lanewise.llvm.division import Places, Taker
from lanewise.llvm.loading import FUNCTION
from lanewise.llvm.movement import vertex_of_lane
from lanewise.llvm.movers import NO_MOVERS, Movers
from lanewise.llvm.staging import Staged
from lanewise.llvm.stopping import Stop, Stopped, awaited
from lanewise.pica200.engine.llvm import arguments
from lanewise.pica200.engine.llvm.arguments import ROWS, TABLES
from lanewise.pica200.engine.llvm.rules import DOWN, ORDINARY, SMALLEST
from lanewise.pica200.engine.llvm.shape import BLOCK, SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.division import Division
    from lanewise.llvm.movement import Layout
    from lanewise.llvm.target import Loaded
    from lanewise.pica200.engine.llvm.plan import Plan

Layouts = tuple[tuple[int, "Layout"], ...]
"""Memory layouts of inputs by v number, in order."""

_FEWEST_PAST_CACHES = 4096  # vertices whose data fits in any cache
_UP_TO = 2.0**ORDINARY
_REGISTERS = 96
# Bits of float32: all but the sign, and those that float24 has; of the smallest normal float24, and of `_UP_TO`.
_SIZE, _CUT_SIZE, _CUT = 0x7FFFFFFF, 0x7FFFFF80, 0xFFFFFF80
_SMALLEST = int(np.float32(SMALLEST).view(np.uint32))
_LARGE = int(np.float32(_UP_TO).view(np.uint32))
_LARGER_THAN_SMALL = int(np.float32(2.0**SMALL).view(np.uint32))
_DOWN, _NOTHING = np.float32(DOWN), np.float32(0.0)
# Steps of a vector of lanes that one call of a kernel takes at most, so that it returns after some milliseconds.
_STEPS, _EXACT_STEPS = 1 << 19, 1 << 18
_REFILLED, _EXACT_REFILLED = _STEPS // arguments.CHUNK, _EXACT_STEPS // arguments.CHUNK
_ALL = 1 << 62
_COUNT, _LIST, _FLAGGED_COUNT, _BAILED_COUNT = arguments.COUNT, arguments.LIST, arguments.FLAGGED_COUNT, arguments.BAILED_COUNT
_FIRST, _DONE, _REFILLS = arguments.FIRST, arguments.DONE, arguments.REFILLS
PLACES = Places(  # for `Division`
    first=_FIRST,
    last=_COUNT,
    done=_DONE,
    refills=_REFILLS,
    refilled=_REFILLED,
    list=_FLAGGED_COUNT,
    other=_BAILED_COUNT,
)


@cache
def _packer(count: int) -> Callable[..., None]:
    return struct.Struct(f"{count}q").pack_into


class Kernel(Record):
    """Machine code for a plan and layouts of data."""

    plan: Plan
    "The program, as it was compiled."
    inputs: tuple[int, ...]
    "Numbers of the v registers among its arguments, in order."
    width: int
    "Lanes of a vector."
    code: Loaded
    "Machine code; it stays in memory as long as this is referenced."
    run: Callable[[int], None]
    "Call the code with the address of an argument block."
    movers: Movers = NO_MOVERS
    "What the code calls."

    @classmethod
    def of(cls, plan: Plan, layouts: Mapping[int, Layout], width: int, code: Loaded, movers: Movers = NO_MOVERS) -> Kernel:
        given = tuple(register for register in plan.inputs if register in layouts)
        return cls(plan=plan, inputs=given, width=width, code=code, run=FUNCTION(code.address), movers=movers)

    @property
    def entry(self) -> int:
        """The address of the code; 0 for a kernel that is called in another way."""
        return self.code.address if isinstance(self.run, FUNCTION) else 0


class Table:
    """The uniforms as kernels read them."""

    integers: NDArray[np.int32]
    booleans: NDArray[np.int32]
    addresses: tuple[int, int, int]
    ordinary: bool
    bound: float
    unclear: tuple[int, ...]

    def __init__(
        self, plan: Plan, floats: NDArray[np.float32], integers: NDArray[np.int32], booleans: NDArray[np.int32]
    ) -> None:
        """`floats` are (96, 4) float32, exact; `integers` 16, `booleans` 16."""
        rows = np.ones((len(TABLES), ROWS, 4), np.float32)
        rows[:, : len(floats)] = floats
        float24 = plan.profile.rounding != "float32"
        if float24:
            with np.errstate(invalid="ignore"):
                tiny = np.abs(rows[0]) < SMALLEST
            signed = plan.profile.negative_zero == "ieee"
            rows[2][tiny] = np.copysign(0.0, rows[2][tiny]) if signed else 0.0
            with np.errstate(all="ignore"):
                rows[0] = rows[2] * np.float32(DOWN)
        self.floats = rows
        self._plan, self._float24 = plan, float24
        self._buffers: _Buffers | None = None
        self.integers, self.booleans = integers, booleans
        self.addresses = address(rows), address(integers), address(booleans)
        self.ordinary = _ordinary(plan, floats, float24=float24)
        with np.errstate(invalid="ignore"):
            self.bound = SMALL if np.all(np.abs(floats) < 2.0**SMALL) else ORDINARY  # of all uniforms, for `Shape.uniforms`
        self.unclear = _unclear(plan, floats)  # for `Shape.unclear`

    def take(self, numbers: NDArray[np.float32]) -> bool:
        """Take other float uniforms, (96, 4) float32 as they were given. False for those that are not all ordinary or not below
        2**`bound`, and for profiles that do not cut them: then the tables are as they were. `unclear` may be another one after.
        """
        if self._float24 and self._plan.profile.upload != "zero":
            return False
        if self._buffers is None:
            self._buffers = _Buffers.of(self.floats)
        size, places, small, scaled, exact, flushed, exact_bits = self._buffers
        large = _LARGE if self.bound == ORDINARY else _LARGER_THAN_SMALL  # the kernel in use may be for numbers below the bound
        bits = numbers.view(np.uint32)
        if self._float24:
            np.bitwise_and(bits, _CUT_SIZE, out=size)
            np.less(np.subtract(size, _SMALLEST, out=places), large - _SMALLEST, out=small)
        else:
            np.less(np.bitwise_and(bits, _SIZE, out=size), large, out=small)
        if np.count_nonzero(small) != size.size:
            zeros = size.size - np.count_nonzero(size) if self._float24 else 0
            if np.count_nonzero(small) + zeros != size.size:
                return False
        if not self._float24:
            exact[:] = scaled[:] = flushed[:] = numbers
        else:
            np.bitwise_and(bits, _CUT, out=exact_bits)
            if self._plan.profile.negative_zero == "ieee":
                flushed[:] = exact
            else:
                np.add(exact, _NOTHING, out=flushed)  # -0 + 0 is +0
            np.multiply(flushed, _DOWN, out=scaled)
        self.ordinary = True
        self.unclear = _unclear(self._plan, numbers)
        return True


class _Buffers(Record):
    """Scratch memory of the size of the float uniforms, and the tables in that size."""

    size: NDArray[np.uint32]
    "Patterns of the magnitudes, cut to float24 where the profile computes in it."
    places: NDArray[np.uint32]
    "Distances of `size` from the smallest normal number; those of less wrap."
    small: NDArray[np.bool_]
    "Normal and below the bound."
    scaled: NDArray[np.float32]
    "Table of values scaled down, without subnormals."
    exact: NDArray[np.float32]
    "Table of the values."
    flushed: NDArray[np.float32]
    "Table of values whose subnormals are 0."
    exact_bits: NDArray[np.uint32]
    "Patterns of `exact`, in the same memory."

    @classmethod
    def of(cls, tables: NDArray[np.float32]) -> _Buffers:
        scaled, exact, flushed = tables[:, :_REGISTERS]
        shape = exact.shape
        return cls(
            size=np.empty(shape, np.uint32),
            places=np.empty(shape, np.uint32),
            small=np.empty(shape, np.bool_),
            scaled=scaled,
            exact=exact,
            flushed=flushed,
            exact_bits=exact.view(np.uint32),
        )


def _bytes_of(inputs: Mapping[int, NDArray[np.float32]], outputs: Mapping[int, NDArray[np.float32]]) -> int:
    """The bytes of a vertex that are moved."""
    return 16 * len(outputs) + sum([4 * array.shape[1] for array in inputs.values() if len(array) > 1])


@cache
def clear_mantissas() -> NDArray[np.bool_]:
    """`rules.is_clear` of each mantissa, by the 16 bits that are written of it."""
    spare = 2**33 % np.arange(1 << 16, 1 << 17, dtype=np.int64)
    return (spare == 0) | (spare > 2**8)


def _read(plan: Plan) -> NDArray[np.int64]:
    """The numbers of the float uniforms that a program may read."""
    return np.arange(_REGISTERS) if plan.gathers else np.fromiter(plan.uniforms, np.int64)


def _unclear(plan: Plan, floats: NDArray[np.float32]) -> tuple[int, ...]:
    """The places, 4 * row + component, of float uniforms that are read and, cut to float24, not clear (`rules.Value`).

    Only sums and products to nearest tell them from others.
    """
    if plan.profile.rounding != "nearest":
        return ()
    rows = _read(plan)
    found = ~clear_mantissas()[floats[rows].view(np.uint32) >> 7 & 0xFFFF]
    return tuple((4 * rows[:, np.newaxis] + np.arange(4))[found].tolist()) if found.any() else ()


def _ordinary(plan: Plan, floats: NDArray[np.float32], *, float24: bool) -> bool:
    """Whether speculative code may run: no uniform that is read is large, infinite, NaN, or an observable subnormal."""
    with np.errstate(invalid="ignore"):
        if not np.all(np.abs(floats[_read(plan)]) < _UP_TO):
            return False
    if not float24:
        return True
    tiny = (floats != 0) & (np.abs(floats) < SMALLEST)
    if not tiny.any():
        return True
    for row, component in zip(*map(np.ndarray.tolist, np.nonzero(tiny)), strict=True):
        if ("uniform", row, component) in plan.seen or (plan.gathers and ("gather", component) in plan.seen):
            return False
    return True


class Call:
    """One run: the argument block, with references to its arrays."""

    kernel: Kernel
    table: Table
    vertices: int
    address: int

    def __init__(
        self,
        kernel: Kernel,
        table: Table,
        vertices: int,
        inputs: Mapping[int, NDArray[np.float32]],
        outputs: Mapping[int, NDArray[np.float32]],
        flags: Mapping[int, NDArray[np.uint8]],
        fuel: int,
        more: Sequence[int] = (),
        stop: Stop | None = None,
        feed: NDArray[np.float32] | None = None,
    ) -> None:
        """Prepare a run of at least one vertex.

        `inputs` have the kernel's layouts; `outputs` are (vertices, 4), C order; `flags` (vertices,). `more` are the arguments
        of emissions and `feed` the rows that they name: (registers, vertices, 4), C order. A run that `stop` ends raises
        Stopped.
        """
        self.kernel, self.table, self.vertices = kernel, table, vertices
        self._stop = Stop() if stop is None else stop
        self._referenced = (inputs, outputs, flags, feed)
        # Exact code, which may do blocks again, takes whole ones, also where vectors are shorter.
        self._least = least = max(kernel.width, BLOCK)
        short = vertices < least
        self._vectors = vectors = -(-vertices // kernel.width)
        self._blocks = blocks = vectors * kernel.width // (BLOCK // 2)  # exact code may have vectors of half a block
        words = [0, 0, least if short else vertices, *table.addresses, 0, 0, 0, 0, fuel, 0, 0, blocks, 0]
        words.append(self._stop.address if kernel.plan.loops else 0)
        words += (0, *NO_MOVERS)
        for register in kernel.inputs:
            array = inputs[register]
            words += (address(array), array.strides[0])
        for register in kernel.plan.outputs:
            words.append(address(outputs[register]))
        if vertices >= _FEWEST_PAST_CACHES and vertices * _bytes_of(inputs, outputs) >= bypassed_from():
            first = len(words) - len(kernel.plan.outputs)
            words[arguments.BYPASS] = int(all(not place % 64 for place in words[first:]))
        for register in kernel.plan.unsure:
            words.append(address(flags[register]))
        # The arguments, followed by room for the blocks that are flagged, and for the lanes that are left.
        self._first = count = len(words) + len(more)
        self.words: NDArray[np.int64] = np.empty(count + (blocks + 1) // 2 + 2 * blocks, np.int64)
        self._words = self.words.data  # half the time for one word
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._words))
        words[arguments.FLAGGED] = self.address + 8 * count
        words[arguments.BAILED] = self.address + 8 * (count + (blocks + 1) // 2)
        self._staged = self._stage(words, inputs, feed) if short else None
        words += more if self._staged is None or feed is None else self._staged_more(more, self._staged.inputs[-len(feed) :])
        _packer(count)(self._words, 0, *words)  # a third of the time of an assignment
        most = _STEPS // (kernel.plan.steps or 1)
        self._at_once = most if most < vectors else vectors
        self._enter, self._at = self._entry(kernel)
        self._is_as_begun = False

    def _stage(self, words: list[int], inputs: Mapping[int, NDArray[np.float32]], feed: NDArray[np.float32] | None) -> Staged:
        """Scratch memory for less than a vector or a block, to which the arguments are changed."""
        kernel, vertices = self.kernel, self.vertices
        given: list[tuple[int, int, int]] = []
        places: list[int] = []
        at = arguments.DATA
        for register in kernel.inputs:
            array = inputs[register]
            if len(array) > 1 or vertices == 1:  # one row for all is read as it is
                given.append((words[at], words[at + 1], array.shape[1]))
                places.append(at)
                words[at + 1] = 4 * array.shape[1]
            at += 2
        flags = at + len(kernel.plan.outputs)
        if feed is not None:
            given += [(address(rows), 16, 4) for rows in feed]
        staged = Staged(self._least, vertices, self.address, given, words[at:flags], words[flags:])
        for place, scratch in zip(places, staged.inputs, strict=False):
            words[place] = scratch
        words[at:] = [*staged.outputs, *staged.flags]
        return staged

    def _staged_more(self, more: Sequence[int], feed: Sequence[int]) -> list[int]:
        found = [*more]
        if feed:
            found[arguments.FEED], found[arguments.STRIDE] = feed[0], 16 * self._least
        return found

    def use(self, table: Table) -> None:
        """Read uniforms from another table."""
        self.table = table
        words = self._words
        words[arguments.UNIFORMS], words[arguments.INTEGERS], words[arguments.BOOLEANS] = table.addresses

    def _entry(self, kernel: Kernel) -> tuple[Callable[[int], None], int]:
        """A function that runs a kernel with the arguments, which are for this one then, and what it is given."""
        words = self._words
        words[arguments.LOADER], words[arguments.STORER] = kernel.movers
        return (kernel.run, self.address) if self._staged is None else self._staged.prepare(kernel.run, kernel.entry)

    @property
    def vectors(self) -> int:
        """How many vectors a run has."""
        return self._vectors

    def run(self) -> int:
        """All vectors, speculatively; how many blocks have to be done again (`flagged`)."""
        words = self._words
        self._is_as_begun = False
        words[_FLAGGED_COUNT] = words[_BAILED_COUNT] = words[_FIRST] = 0
        words[_COUNT] = self._at_once
        words[_REFILLS] = _REFILLED
        self._enter(self._at)
        if words[_DONE] < self._vectors:
            self._go_on(self._enter, self._at, self._vectors, self._at_once)
        found = words[_FLAGGED_COUNT]
        # Then nothing has to be reset for the next run.
        self._is_as_begun = not found and not words[_BAILED_COUNT] and words[_COUNT] == self._at_once
        return found if found <= self._blocks else self._within(found)

    def completes(self) -> bool:
        """`run`; whether nothing has to be done again, and no vertex is left."""
        if not self._is_as_begun:
            return not self.run() and not self._words[_BAILED_COUNT]
        words = self._words
        self._is_as_begun = False  # an exception may end this after each step
        self._enter(self._at)
        if not words[_FLAGGED_COUNT] and not words[_BAILED_COUNT] and words[_DONE] == self._vectors:
            self._is_as_begun = True
            return True
        if words[_DONE] < self._vectors:
            self._go_on(self._enter, self._at, self._vectors, self._at_once)
        return not words[_FLAGGED_COUNT] and not words[_BAILED_COUNT]

    @property
    def repeated(self) -> int:
        """How many blocks have to be done again after a run."""
        return self._flagged_count()

    def run_some(self, first: int, last: int) -> int:
        """`run` for the vectors from `first` up to `last`."""
        words = self._words
        self._is_as_begun = False
        words[_FLAGGED_COUNT] = words[_BAILED_COUNT] = 0
        words[_FIRST], words[_COUNT] = first, min(last, first + self._at_once)
        words[_REFILLS] = _REFILLED
        try:
            self._enter(self._at)
            if words[_DONE] < last:
                self._go_on(self._enter, self._at, last, self._at_once, first)
        finally:
            words[_FIRST] = 0
        return self._flagged_count()

    def taker(self, division: Division, *, back: bool) -> Taker:
        """The block with which a crew runs vectors of a division.

        It is for a kernel of machine code, and more than one vector.
        """
        assert self._staged is None
        return Taker(division, self.kernel.entry, self.address, self._at_once, back=back)

    def forget(self) -> None:
        """Prepare the next run of all vectors anew: before it, takers use the arguments."""
        self._is_as_begun = False

    def go_on(self, taker: Taker) -> None:
        """Do the rest of a range that a taker has left. Raises Stopped."""
        if self._stop.requested:
            raise Stopped
        if taker.unfinished:
            words = self._words
            self._go_on(self._enter, self._at, words[_COUNT], self._at_once, words[_FIRST])

    def _go_on(self, enter: Callable[[int], None], at: int, vectors: int, each: int, first: int = 0) -> None:
        """The vectors after those that are done, in calls of so many. Raises Stopped."""
        words = self._words
        try:
            while words[_DONE] < vectors:
                if self._stop.requested:
                    raise Stopped
                before, first = first, words[_DONE]
                words[_FIRST], words[_COUNT] = first, min(vectors, first + each)
                if first > before:
                    enter(at)
                else:  # a vector that takes more steps than a call may
                    words[_COUNT], words[_REFILLS] = vectors, _ALL
                    awaited(lambda: enter(at), self._stop)
        finally:
            words[_FIRST] = 0

    def repeat(self) -> int:
        """The address of the arguments, for calls of a kernel that do all vectors again and again."""
        words = self._words
        self._is_as_begun = False
        words[_COUNT], words[_REFILLS] = self._vectors, _ALL
        return self.address

    def _flagged_count(self) -> int:
        return self._within(self._words[_FLAGGED_COUNT])

    def _bailed_count(self) -> int:
        return self._within(self._words[_BAILED_COUNT])

    def _within(self, count: int) -> int:
        """A length of a list, which has room for every block once."""
        if count > self._blocks:
            raise RuntimeError(f"{count} blocks of {self._blocks} are listed: two threads ran one call")
        return count

    @property
    def flagged(self) -> NDArray[np.int32]:
        """The first vertices of the blocks, or shorter vectors, that speculative code has flagged, where an exact kernel can
        begin."""
        return self.words[self._first :].view(np.int32)[: self._flagged_count()].copy()

    def every_vector(self, first: int = 0, last: int | None = None) -> NDArray[np.int32]:
        """The first vertices of the vectors from `first` up to `last`, none longer than a block."""
        width = min(self.kernel.width, BLOCK)
        starts = np.arange(first, -(-self.vertices // width) if last is None else last, dtype=np.int32) * width
        return np.minimum(starts, max(self.vertices, self._least) - width).astype(np.int32)

    def run_exactly(self, kernel: Kernel, starts: NDArray[np.int32]) -> None:
        """Run the vectors that start at these vertices with an exact kernel.

        It must be of the same plan and layouts, and its vectors are no longer than these.
        """
        words = self._words
        self._is_as_begun = False
        length, each = min(self.kernel.width, BLOCK), kernel.width
        assert each <= length
        within = (starts[:, np.newaxis] + np.arange(0, length, each)).ravel() if each < length else starts
        self._starts = np.ascontiguousarray(within, np.int32)
        kept = 0
        if words[_BAILED_COUNT]:
            # What speculative code has bailed out of these vectors does not count: they are done again.
            pairs = self.bailed_pairs()
            others = pairs[~np.isin(pairs[:, 0], starts)]
            kept = len(others)
            self._bailed[:kept] = others
        words[_LIST] = address(self._starts)
        words[_BAILED_COUNT] = kept
        count = len(self._starts)
        each = _EXACT_STEPS // (self.kernel.plan.steps or 1)
        words[_COUNT], words[_REFILLS] = min(count, each), _EXACT_REFILLED
        enter, at = self._entry(kernel)
        try:
            enter(at)
            if words[_DONE] < count:
                self._go_on(enter, at, count, each)
        finally:
            self._enter, self._at = self._entry(self.kernel)

    @property
    def _bailed(self) -> NDArray[np.int32]:
        return self.words[self._first + (self._blocks + 1) // 2 :].view(np.int32).reshape(-1, 2)

    def bailed_pairs(self) -> NDArray[np.int32]:
        return self._bailed[: self._bailed_count()]

    def bailed(self) -> list[int]:
        """The vertices that only the reference engine can do, in order."""
        if not self._words[_BAILED_COUNT]:
            return []
        found: set[int] = set()
        order = vertex_of_lane(BLOCK)
        for start, mask in self.bailed_pairs().tolist():
            found.update(start + order[lane] for lane in range(BLOCK) if mask >> lane & 1)
        return sorted([vertex for vertex in found if vertex < self.vertices])
