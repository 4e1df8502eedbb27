"""Runs of kernels on arrays: `run` for one, `Parts` for one that is prepared once and executed again and again."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.llvm.movement import ONE, PACKED, ROWS, Layout
from lanewise.llvm.sharing import shared
from lanewise.llvm.stopping import Stop
from lanewise.pica200.engine.binding import floats_of
from lanewise.pica200.engine.llvm.kernel import Call, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.kernel import Layouts
    from lanewise.pica200.engine.llvm.plan import Plan

_PIECE = 1 << 16  # vertices between two reports of progress
_LAYOUTS = {(kind, components): Layout(kind, components) for kind in (ONE, PACKED, ROWS) for components in range(1, 5)}


class Columns(NamedTuple):
    """Inputs as arrays that kernels read in place, with their layouts."""

    arrays: Mapping[int, NDArray[np.float32]]
    layouts: Layouts


def columns(numbers: Mapping[int, NDArray[np.float32]]) -> Columns:
    """Inputs of a run, by v number, each (rows, 1 to 4): without a copy if rows are whole and aligned."""
    arrays: dict[int, NDArray[np.float32]] = {}
    layouts: list[tuple[int, Layout]] = []
    for register in sorted(numbers):
        array = numbers[register]
        rows, components = array.shape
        step, inner = array.strides
        if (components > 1 and inner != 4) or step < 0 or not array.flags.aligned or not array.dtype.isnative:
            array = np.ascontiguousarray(array, np.float32)
            step = array.strides[0]
        arrays[register] = array
        layouts.append((register, _LAYOUTS[ONE if rows == 1 else PACKED if step == 4 * components else ROWS, components]))
    return Columns(arrays, tuple(layouts))


def table_of(plan: Plan, uniforms: Uniforms) -> Table:
    integers = np.array(uniforms.integers, np.int32).reshape(16)
    booleans = np.array(uniforms.booleans, np.int32)
    return Table(plan, floats_of(uniforms, plan.function.profile), integers, booleans)


class Done(NamedTuple):
    """Results of kernels.

    `outputs` are (vertices, 4) by register, `flags` the written masks (vertices,) of outputs where they vary; `left` are the vertices for
    the reference engine. `repeated` is the number of vectors repeated exactly.
    """

    outputs: Mapping[int, NDArray[np.float32]]
    flags: Mapping[int, NDArray[np.uint8]]
    left: Sequence[int]
    repeated: int


def run(
    compiled: Compiled,
    plan: Plan,
    table: Table,
    data: Columns,
    vertices: int,
    budget: int,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Done:
    """Run all vertices. Results are in new arrays."""
    outputs = {register: np.empty((vertices, 4), np.float32) for register in plan.outputs}
    flags = {register: np.empty(vertices, np.uint8) for register in plan.unsure}
    work = parts(compiled, plan, table, data, vertices, budget, threads, outputs, flags, pieces=progress is not None)
    if work is None:
        for array in outputs.values():
            array.fill(0)
        return Done(outputs, flags, range(vertices), 0)
    return Done(outputs, flags, work.run(progress), work.repeated)


class Parts:
    """A run cut into ranges of vertices, which can be executed repeatedly.

    Each thread executes separate whole vectors, so the number of threads does not change results.
    """

    def __init__(
        self, compiled: Compiled, plan: Plan, layouts: Layouts, calls: Sequence[tuple[int, Call]], threads: int, stop: Stop
    ) -> None:
        """`stop` is that of all calls."""
        self._compiled, self._plan, self._layouts = compiled, plan, layouts
        self._calls, self._threads, self._stop = calls, threads, stop
        self._speculates = compiled.speculates(calls[0][1].table)  # all calls have one table
        # By part, so that threads need no lock.
        self._repeated = [0] * len(calls)

    @property
    def repeated(self) -> int:
        """The number of vectors that the last run repeated exactly."""
        return sum(self._repeated)

    def run(self, progress: Callable[[int, int], None] | None = None) -> list[int]:
        """Run all parts. Returns the vertices left for the reference engine."""
        if self._stop.requested:  # of a run that was interrupted
            self._stop.clear()
        if len(self._calls) == 1 and progress is None:
            return self._one(0)
        done, total = 0, sum(call.vertices for _, call in self._calls)
        found: list[int] = []
        with closing(shared(self._one, len(self._calls), self._threads, self._stop)) as parts:
            for (_, call), left in zip(self._calls, parts, strict=True):
                found += left
                done += call.vertices
                if progress is not None:
                    progress(done, total)
        return found

    def _one(self, part: int) -> list[int]:
        start, call = self._calls[part]
        if not self._speculates:
            call.run_exactly(call.kernel, call.every_vector())
        else:
            repeated = self._repeated[part] = call.run()
            if repeated:
                call.run_exactly(self._compiled.kernel(self._plan, self._layouts, exact=True), call.flagged.copy())
        left = call.bailed()
        return [start + vertex for vertex in left] if start else left


def parts(
    compiled: Compiled,
    plan: Plan,
    table: Table,
    data: Columns,
    vertices: int,
    budget: int,
    threads: int,
    outputs: Mapping[int, NDArray[np.float32]],
    flags: Mapping[int, NDArray[np.uint8]],
    *,
    pieces: bool = False,
) -> Parts | None:
    """Prepare a run from `data` to `outputs` and `flags`.

    None for no vertices, or for more instructions than the budget. `pieces`: cut so that progress can be reported.
    """
    if not vertices or plan.steps > budget:
        return None
    layouts = tuple((register, layout) for register, layout in data.layouts if register in plan.inputs)
    arrays = {register: data.arrays[register] for register, _ in layouts}
    kernel = compiled.kernel(plan, layouts, exact=not compiled.speculates(table))
    fuel = budget - plan.steps
    ranges = ranges_of(vertices, kernel.width, threads, pieces=pieces) if pieces or threads > 1 else ()
    halt = Stop()
    if len(ranges) <= 1:
        whole = Call(kernel, table, vertices, arrays, outputs, flags, fuel, stop=halt)
        return Parts(compiled, plan, layouts, [(0, whole)], threads, halt)
    calls: list[tuple[int, Call]] = []
    for start, stop in ranges:
        mine = {n: array if len(array) == 1 else array[start:stop] for n, array in arrays.items()}
        piece = Call(
            kernel, table, stop - start, mine,
            {n: array[start:stop] for n, array in outputs.items()}, {n: array[start:stop] for n, array in flags.items()}, fuel,
            stop=halt,
        )  # fmt: skip
        calls.append((start, piece))
    return Parts(compiled, plan, layouts, calls, threads, halt)


def ranges_of(vertices: int, width: int, threads: int, *, pieces: bool) -> list[tuple[int, int]]:
    """Ranges of vertices of at least a vector each, if there are so many: one for each thread, or, to report progress, smaller ones."""
    vectors = vertices // width
    count = max(1, min(threads, vectors))
    if pieces:
        count = max(count, min(vectors, -(-vertices // _PIECE)))
    bounds = [vectors * n // count * width for n in range(count)] + [vertices]
    return list(pairwise(bounds))
