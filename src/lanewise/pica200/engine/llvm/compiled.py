"""`Compiled`: a program with its kernels, which it selects for the data and runs.

A kernel is specialised for the program, the profile, the values of the boolean uniforms that the program tests (until there are too
many sets of them; then they are tested at run time), the memory layout of each input, and the processor.
"""

from __future__ import annotations

import threading
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.llvm import cache
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.movement import ONE, PACKED, ROWS, Layout
from lanewise.llvm.sharing import shared
from lanewise.llvm.stopping import Stop
from lanewise.llvm.target import host
from lanewise.pica200.engine.binding import floats_of
from lanewise.pica200.engine.llvm import choice
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.kernel import Call, Kernel, Table
from lanewise.pica200.engine.llvm.plan import Plan, plan, plan_geometry
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile

_PIECE = 1 << 16  # vertices between two reports of progress
_LAYOUTS = {(kind, components): Layout(kind, components) for kind in (ONE, PACKED, ROWS) for components in range(1, 5)}
_MOST_VARIANTS = 8  # sets of boolean uniforms that are compiled for themselves


Layouts = tuple[tuple[int, Layout], ...]


class Columns(NamedTuple):
    """Inputs as arrays that kernels read in place, with their layouts."""

    arrays: Mapping[int, NDArray[np.float32]]
    layouts: Layouts


class Compiled:
    """A shader on the compiled engine; with `geometry` it is a geometry shader.

    Kernels are compiled when data first needs them, and kept. Methods may be called from any thread.
    """

    def __init__(
        self,
        words: Sequence[int],
        descriptors: Sequence[int],
        entry: int,
        profile: Profile,
        level: str = "native",
        geometry: Geometry | None = None,
    ) -> None:
        self.words, self.descriptors, self.entry = tuple(words), tuple(descriptors), entry
        self.profile, self.geometry = profile, geometry
        self.target = host(level)
        insts = [decode(word) for word in flow.code_memory(self.words, profile)]
        # The numbers of the boolean uniforms that instructions test.
        self.asked = tuple(sorted({inst.field("reg") for inst in insts if "bool" in inst.op.operands}))
        self._plans: dict[tuple[bool, ...] | None, Plan | Unsupported] = {}
        self._kernels: dict[tuple[object, ...], Kernel] = {}
        self._lock = threading.RLock()

    def plan(self, booleans: Sequence[bool]) -> Plan | Unsupported:
        """The plan for these boolean uniforms, or the reason why there is none."""
        key = tuple(booleans[number] for number in self.asked)
        found = self._plans.get(key)
        if found is None:
            with self._lock:
                if len(self._plans) >= _MOST_VARIANTS:
                    found = self._plans.get(None) or self._plans.setdefault(None, self._planned({}))
                else:
                    found = self._plans[key] = self._planned(dict(zip(self.asked, key, strict=True)))
        return found

    def _planned(self, booleans: Mapping[int, bool]) -> Plan | Unsupported:
        reason = choice.unsupported(self.profile)
        if reason:
            return Unsupported(reason)
        if self.geometry is not None:
            return plan_geometry(self.words, self.descriptors, self.entry, booleans, self.profile, self.geometry)
        found = plan(self.words, self.descriptors, self.entry, booleans, self.profile)
        if isinstance(found, Unsupported):
            return found
        kept = sorted(component for component in found.entering if component.file != "written")
        if kept and self.profile.initial_state == "kept":  # values left by lanes that stop early are handled by `Runner`
            return Unsupported(
                f"registers stay from vertex to vertex (initial_state is kept), and {kept[0]} may be used before it is written"
            )
        return found

    def kernel(self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False) -> Kernel:
        """The kernel, from memory, from the cache on disk, or compiled now."""
        key = (id(plan), layouts, exact, counting)
        found = self._kernels.get(key)
        if found is None:
            with self._lock:
                found = self._kernels.get(key)
                if found is None:
                    found = self._kernels[key] = self._compiled(plan, dict(layouts), exact=exact, counting=counting)
        return found

    @property
    def ready(self) -> bool:
        """Whether there is a kernel already."""
        return bool(self._kernels)

    def speculates(self, table: Table) -> bool:
        """Whether to run speculative code first.

        For float24, the processor must have a rounding mode.
        """
        return table.ordinary and (self.target.sets_rounding or self.profile.rounding == "float32")

    def _compiled(self, plan: Plan, layouts: Mapping[int, Layout], *, exact: bool, counting: bool) -> Kernel:
        name = cache.name(
            self.words,
            self.descriptors,
            self.entry,
            self.profile,
            self.geometry,
            plan.booleans,
            sorted(layouts.items()),
            exact,
            counting,
            self.target.key,
        )
        loaded = load_kernel(name, lambda: generate(plan, layouts, self.target, exact=exact, counting=counting), self.target)
        return Kernel.of(plan, layouts, self.target.width, loaded)


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
    width = compiled.target.width
    room = max(vertices, width)
    outputs = {register: np.empty((room, 4), np.float32) for register in plan.outputs}
    flags = {register: np.empty(room, np.uint8) for register in plan.unsure}
    if not vertices or plan.steps > budget:
        for array in outputs.values():
            array.fill(0)
        return _cut(Done(outputs, flags, range(vertices), 0), vertices)
    if vertices < width:
        data = filled_up(data, vertices, width)
    work = parts(compiled, plan, table, data, room, budget, threads, outputs, flags, pieces=progress is not None)
    assert work is not None
    # A short vector is filled up; progress counts only the real vertices.
    left = work.run(progress and (lambda done, _: progress(min(done, vertices), vertices)))
    done = Done(outputs, flags, left, work.repeated)
    return _cut(done, vertices) if room > vertices else done


def filled_up(data: Columns, vertices: int, width: int) -> Columns:
    """A short vector, filled up with its last vertex."""
    rows = np.minimum(np.arange(width), vertices - 1)
    layouts = tuple((n, layout if layout.kind == ONE else Layout(PACKED, layout.components)) for n, layout in data.layouts)
    kinds = dict(layouts)
    arrays = {n: a if kinds[n].kind == ONE else np.ascontiguousarray(a[rows]) for n, a in data.arrays.items()}
    return Columns(arrays, layouts)


def _cut(done: Done, vertices: int) -> Done:
    """Remove the padding of a short vector."""
    outputs = {n: array[:vertices] for n, array in done.outputs.items()}
    flags = {n: array[:vertices] for n, array in done.flags.items()}
    return Done(outputs, flags, [vertex for vertex in done.left if vertex < vertices], done.repeated)


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
        if not self._compiled.speculates(call.table):
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

    None for less than a vector, or for more instructions than the budget. `pieces`: cut so that progress can be reported.
    """
    width = compiled.target.width
    if vertices < width or plan.steps > budget:
        return None
    layouts = tuple((register, layout) for register, layout in data.layouts if register in plan.inputs)
    arrays = {register: data.arrays[register] for register, _ in layouts}
    kernel = compiled.kernel(plan, layouts, exact=not compiled.speculates(table))
    fuel = budget - plan.steps
    ranges = ranges_of(vertices, width, threads, pieces=pieces) if pieces or threads > 1 else ()
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
    """Ranges of vertices of at least a vector each: one for each thread, or, to report progress, smaller ones."""
    vectors = vertices // width
    count = max(1, min(threads, vectors))
    if pieces:
        count = max(count, min(vectors, -(-vertices // _PIECE)))
    bounds = [vectors * n // count * width for n in range(count)] + [vertices]
    return list(pairwise(bounds))
