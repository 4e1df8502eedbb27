"""A compiled program in memory: `Kernel`, and `Call`, the arguments of one run of it.

No value that a program computes is an address: inputs are read row by row up to the number of vertices, uniforms by an index that is cut
to the table, and results go to arrays that were made here for that number.
"""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.memory import address
from lanewise.llvm.movement import vertex_of_lane
from lanewise.pica200.engine.llvm import generate
from lanewise.pica200.engine.llvm.rules import DOWN, ORDINARY, SMALLEST
from lanewise.pica200.engine.llvm.values import ROWS, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.movement import Layout
    from lanewise.llvm.target import Loaded
    from lanewise.pica200.engine.llvm.plan import Plan

_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_UP_TO = 2.0**ORDINARY


class Kernel(NamedTuple):
    """Machine code for a plan and for data that lies in some way; `inputs` are the v registers that it is given, in order."""

    plan: Plan
    inputs: tuple[int, ...]
    width: int
    code: Loaded
    run: Callable[[int], None]

    @classmethod
    def of(cls, plan: Plan, layouts: Mapping[int, Layout], width: int, code: Loaded) -> Kernel:
        given = tuple(register for register in plan.inputs if register in layouts)
        return cls(plan, given, width, code, _Function(code.address))


class Table:
    """The uniforms as kernels read them."""

    def __init__(
        self, plan: Plan, floats: NDArray[np.float32], integers: NDArray[np.int32], booleans: NDArray[np.int32]
    ) -> None:
        """`floats` are (96, 4) float32, exact; `integers` 16, `booleans` 16."""
        rows = np.ones((len(TABLES), ROWS, 4), np.float32)
        rows[:, : len(floats)] = floats
        float24 = plan.function.profile.rounding != "float32"
        if float24:
            with np.errstate(invalid="ignore"):
                tiny = np.abs(rows[0]) < SMALLEST
            signed = plan.function.profile.negative_zero == "ieee"
            rows[2][tiny] = np.copysign(0.0, rows[2][tiny]) if signed else 0.0
            with np.errstate(all="ignore"):
                rows[0] = rows[2] * np.float32(DOWN)
        self.floats = rows
        self.integers, self.booleans = integers, booleans
        self.addresses = address(rows), address(integers), address(booleans)
        self.ordinary = _ordinary(plan, floats, float24=float24)


def _ordinary(plan: Plan, floats: NDArray[np.float32], *, float24: bool) -> bool:
    """Whether speculative code may run: no uniform that is read is large, infinite or NaN, nor a subnormal that somebody would see."""
    used = np.arange(len(floats)) if plan.gathers else np.fromiter(plan.uniforms, np.int64)
    with np.errstate(invalid="ignore"):
        if not np.all(np.abs(floats[used]) < _UP_TO):
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
    """One run: the argument block, and what it keeps alive."""

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
    ) -> None:
        """`inputs` lie as the kernel's layouts say; `outputs` are (vertices, 4), C order; `flags` (vertices,). At least `width` vertices.

        `more` are the arguments of `emitting`.
        """
        self.kernel, self.table, self.vertices = kernel, table, vertices
        self._referenced = (inputs, outputs, flags)
        self._vectors = vectors = -(-vertices // kernel.width)
        words = [0, 0, vertices, *table.addresses, 0, 0, 0, 0, fuel]
        for register in kernel.inputs:
            array = inputs[register]
            words += (address(array), array.strides[0])
        for register in kernel.plan.outputs:
            words.append(address(outputs[register]))
        for register in kernel.plan.unsure:
            words.append(address(flags[register]))
        words += more
        # The arguments; behind them there is room for the vectors that are flagged, and for the lanes that are left.
        self._first = count = len(words)
        self.words = np.empty(count + (vectors + 1) // 2 + 2 * vectors, np.int64)
        self.address = address(self.words)
        words[generate.FLAGGED] = self.address + 8 * count
        words[generate.BAILED] = self.address + 8 * (count + (vectors + 1) // 2)
        struct.pack_into(f"{count}q", self.words.data, 0, *words)  # a third of the time of an assignment

    def run(self) -> int:
        """All vectors, speculatively; how many have to be done again (`flagged`)."""
        words = self.words
        words[generate.COUNT] = self._vectors
        words[generate.FLAGGED_COUNT] = words[generate.BAILED_COUNT] = 0
        self.kernel.run(self.address)
        return int(words[generate.FLAGGED_COUNT])

    @property
    def flagged(self) -> NDArray[np.int32]:
        """The first vertices of the vectors that speculative code has flagged."""
        return self.words[self._first :].view(np.int32)[: int(self.words[generate.FLAGGED_COUNT])]

    def every_vector(self) -> NDArray[np.int32]:
        width = self.kernel.width
        starts = np.arange(self._vectors, dtype=np.int32) * width
        return np.minimum(starts, self.vertices - width).astype(np.int32)

    def run_exactly(self, kernel: Kernel, starts: NDArray[np.int32]) -> None:
        """The vectors that start at these vertices, by an exact kernel of the same plan and layouts."""
        words = self.words
        self._starts = np.ascontiguousarray(starts, np.int32)
        kept = 0
        if words[generate.BAILED_COUNT]:
            # What speculative code has bailed out of these vectors does not count: they are done again.
            pairs = self.bailed_pairs()
            others = pairs[~np.isin(pairs[:, 0], self._starts)]
            kept = len(others)
            self._bailed[:kept] = others
        words[generate.LIST] = address(self._starts)
        words[generate.COUNT] = len(self._starts)
        words[generate.BAILED_COUNT] = kept
        kernel.run(self.address)

    @property
    def _bailed(self) -> NDArray[np.int32]:
        return self.words[self._first + (self._vectors + 1) // 2 :].view(np.int32).reshape(-1, 2)

    def bailed_pairs(self) -> NDArray[np.int32]:
        return self._bailed[: int(self.words[generate.BAILED_COUNT])]

    def bailed(self) -> list[int]:
        """The vertices that only the reference engine can do, in order."""
        if not self.words[generate.BAILED_COUNT]:
            return []
        found: set[int] = set()
        order = vertex_of_lane(self.kernel.width)
        for start, mask in self.bailed_pairs().tolist():
            found.update(start + order[lane] for lane in range(self.kernel.width) if mask >> lane & 1)
        return sorted(found)
