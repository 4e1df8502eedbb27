"""Runs of kernels on arrays: `run` for one, `Parts` for one that is prepared once and executed again and again."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.memory import rows_of_four
from lanewise.llvm.crew import LATE, Order, over, pays, rests
from lanewise.llvm.division import Division
from lanewise.llvm.movement import ONE, PACKED, ROWS, Layout
from lanewise.llvm.sharing import Job, shared
from lanewise.llvm.stopping import Stop
from lanewise.pica200.engine.binding import floats_of
from lanewise.pica200.engine.llvm.compiled import NOTHING
from lanewise.pica200.engine.llvm.kernel import PLACES, Call, Table
from lanewise.pica200.engine.llvm.planned import MOST_UNROLLED_STEPS
from lanewise.pica200.engine.llvm.shape import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.division import Taker
    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.llvm.compiled import Assumed, Compiled
    from lanewise.pica200.engine.llvm.kernel import Kernel, Layouts
    from lanewise.pica200.engine.llvm.planned import Plan
    from lanewise.pica200.engine.llvm.tiers import Tiered

_FEW = 4096  # vertices that one thread does at once
_PIECE = 1 << 16  # vertices between two reports of progress
# Another thread helps for each so many seconds of a run that machine code divides, in ranges of so many
# (bench/test_threads.py).
# The first run of its kind, which may be the only one, takes some time for what divides it.
_WORTH, _WORTH_ONCE, _SHORTEST_DIVIDED = 25e-6, 120e-6, 2e-6
# The same for a run that Python divides, which wakes the thread; and the first vectors tell how long others take, from four
# times so many on.
_WORTH_WAKING, _SHORTEST, _PROBE = 400e-6, 40e-6, 1
_FEW_AGAIN = 64  # blocks that one thread does exactly in little time
_ALONE, _UNTIMED = 100, 30  # runs until the next is timed, in one thread and in more
# After misses so many runs are in one thread: doubled so often at most, and for so many seconds.
_MOST_MISSES, _MOST_ALONE = 12, 20e-3
_PACES: dict[int, float] = {}  # seconds of a vector, by the address of a kernel
_MOST_PACES = 1024
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
    return Table(plan, floats_of(uniforms, plan.profile), integers, booleans)


class Done(NamedTuple):
    """Results of kernels.

    `outputs` are (vertices, 4) by register, `flags` the written masks (vertices,) of outputs where they vary; `left` are the
    vertices for the reference engine. `repeated` is the number of vectors repeated exactly.
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
    found = None
    outputs = {register: rows_of_four(vertices) for register in plan.outputs}
    flags = {register: np.empty(vertices, np.uint8) for register in plan.unsure}
    if 0 < vertices <= _FEW and plan.steps <= budget:
        data, known = needed(plan, data), table if budget >= MOST_UNROLLED_STEPS else None
        tiered = compiled.present(plan, data.layouts, known) if compiled.speculates(table) else None
        if tiered is None:
            found = first_result(compiled, plan, table, data, vertices, budget)
        elif _completes(tiered, table, data, vertices, outputs, flags, budget - plan.steps):
            found = Done(outputs, flags, (), 0)
    if found is not None:
        if progress is not None:
            progress(vertices, vertices)
        return found
    work = parts(compiled, plan, table, data, vertices, budget, threads, outputs, flags)
    if work is None:
        for array in outputs.values():
            array.fill(0)
        return Done(outputs, flags, range(vertices), 0)
    return Done(outputs, flags, work.run(progress), work.repeated)


def _completes(
    tiered: Tiered,
    table: Table,
    data: Columns,
    vertices: int,
    outputs: Mapping[int, NDArray[np.float32]],
    flags: Mapping[int, NDArray[np.uint8]],
    fuel: int,
) -> bool:
    """Whether a kernel that is there does all vertices in one thread, without `Parts`, which takes as long as some of these."""
    call = Call(tiered.kernel, table, vertices, data.arrays, outputs, flags, fuel)
    if tiered.improves:
        tiered.ran(vertices)
    return call.completes()


def first_result(compiled: Compiled, plan: Plan, table: Table, data: Columns, vertices: int, budget: int) -> Done | None:
    """The results of some vertices where there is no kernel yet, which is then compiled beside; None where kernels have to give
    them. `data` is what the plan reads."""
    arrays, layouts = data
    known, exact = (table if budget >= MOST_UNROLLED_STEPS else None), not compiled.speculates(table)
    if not compiled.lacks(plan, layouts, known, exact=exact):
        return None
    from lanewise.pica200.engine.llvm import first

    if not first.fits(plan, vertices):
        return None
    found = first.run(plan, table, arrays, vertices, budget)
    if found is None:
        return None
    compiled.begin(plan, layouts, known, exact=exact)
    return Done(*found, (), 0)


def needed(plan: Plan, data: Columns) -> Columns:
    """The inputs that a plan reads."""
    arrays, layouts = data
    if len(arrays) > len(plan.inputs) or not all(map(plan.inputs.__contains__, arrays)):
        layouts = tuple([(register, layout) for register, layout in layouts if register in plan.inputs])
        arrays = {register: arrays[register] for register, _ in layouts}
    return Columns(arrays, layouts)


class _Crewed(NamedTuple):
    """The calls of threads that divide runs in machine code."""

    calls: Sequence[Call]
    "One for each thread, that of this one first."
    takers: Sequence[Taker]
    "What each does with its call."
    division: Division
    "The vectors."
    order: Order
    "To whom the takers are given."
    go_on: Callable[[], None]
    "Do what is left of a range."


class Parts:
    """A run that is prepared once and can be executed repeatedly, by several threads where that takes less time.

    Each thread executes separate whole vectors, so the number of threads does not change results.
    """

    repeated: int

    def __init__(
        self,
        compiled: Compiled,
        plan: Plan,
        layouts: Layouts,
        table: Table,
        known: bool,
        prepare: Callable[[Kernel, Table], Call],
        threads: int,
        stop: Stop,
    ) -> None:
        """`prepare` makes the call of a kernel, for all vertices and with this `stop`. `known`: the kernel may be for these
        uniforms only."""
        self._compiled, self._plan, self._layouts, self._table = compiled, plan, layouts, table
        self._known = known
        self._prepare, self._threads, self._stop = prepare, threads, stop
        self._speculates = compiled.speculates(table)
        self.repeated = 0  # blocks that the last run repeated exactly
        self._alone = 0  # so many runs are too short to think of threads
        self._untimed = 0  # so many runs are divided as the one before
        self._ran = self._late = False
        self._untold = 0  # how many there are between two runs that are
        self._misses = 0  # of late, how often nobody helped
        self._slow = False  # whether a vector may take longer than machine code may
        # For uniforms that differ in what is clear.
        self._others: dict[Assumed, tuple[Tiered | None, Kernel, Kernel, Call, list[Call], _Crewed | None]] = {}
        self._renew()

    def _renew(self) -> None:
        """Take the best kernel that is there."""
        exact = not self._speculates
        known = self._table if self._known else None
        self._assumed = self._compiled.assumed(self._plan, self._table) if self._known else NOTHING
        tiered = self._compiled.tiered(self._plan, self._layouts, exact=exact, table=known)
        # None: there will be no better one. Otherwise `_present` is what the calls run.
        self._tiered, self._present = (tiered if tiered.improves else None), tiered.kernel
        # Asked for as for a single run: tests that watch kernels put others in its place.
        self._kernel = self._compiled.kernel(self._plan, self._layouts, exact=exact, table=known)
        self._call = self._prepare(self._kernel, self._table)
        self._free = [self._call]  # those of other threads are made when they are needed
        self._crewed: _Crewed | None = None

    def use(self, table: Table) -> bool:
        """Take other uniforms of the same plan from the next run on; False if they need other kernels."""
        compiled, plan = self._compiled, self._plan
        if compiled.speculates(table) != self._speculates:
            return False
        assumed = compiled.assumed(plan, table) if self._known else NOTHING
        if assumed._replace(unclear=self._assumed.unclear) != self._assumed:
            return False
        self._table = table
        if assumed != self._assumed:
            self._exchange(assumed)
        for call in self._free:
            call.use(table)
        return True

    def _exchange(self, assumed: Assumed) -> None:
        """Take the kernel for other assumptions, which may be back with the next uniforms."""
        self._untimed = 0
        self._others[self._assumed] = self._tiered, self._present, self._kernel, self._call, self._free, self._crewed
        found = self._others.get(assumed)
        if found is None:
            self._renew()
        else:
            self._tiered, self._present, self._kernel, self._call, self._free, self._crewed = found
            self._assumed = assumed

    def run(self, progress: Callable[[int, int], None] | None = None) -> list[int]:
        """Run all vertices. Returns those left for the reference engine."""
        if self._stop.requested:  # of a run that was interrupted
            self._stop.clear()
        if self._tiered is not None:
            self._improve(self._tiered)
        if progress is not None:
            return self._in_pieces(progress)
        if self._threads > 1:
            if self._untimed and self._crewed is not None:
                self._untimed -= 1
                return self._divided(self._crewed)
            if not self._alone:
                return self._by_threads()
            self._alone -= 1
        call = self._call
        if not self._speculates:
            left, self.repeated = self._do(call, 0, 0)
            return left
        self.repeated = 0
        if call.completes():
            return []
        self.repeated = call.repeated
        return self._finished(call, self.repeated)

    def _improve(self, tiered: Tiered) -> None:
        """Take over a better kernel, or count this run of the present one."""
        if tiered.kernel is not self._present:
            self._untimed = 0
            self._renew()
        else:
            tiered.ran(self._call.vertices)

    def _do(self, call: Call, first: int, last: int) -> tuple[list[int], int]:
        """Run the vectors from `first` up to `last` (0: all): the vertices left for the reference engine, and how many blocks
        were repeated."""
        repeated = 0
        if not self._speculates:
            call.run_exactly(call.kernel, call.every_vector(first, last or None))
        else:
            repeated = call.run_some(first, last) if last else call.run()
            return self._finished(call, repeated), repeated
        return call.bailed(), repeated

    def _finished(self, call: Call, repeated: int) -> list[int]:
        """Run what speculative code has flagged exactly; the vertices left for the reference engine."""
        if repeated:
            call.run_exactly(self._compiled.kernel(self._plan, self._layouts, exact=True), call.flagged)
            self._compiled.tiered(self._plan, self._layouts, exact=True).ran(repeated * BLOCK)
        return call.bailed()

    def _by_threads(self) -> list[int]:
        """Let other threads help if the run takes longer than that pays for: runs before tell, or the first vectors."""
        call, key, start = self._call, self._kernel.entry, perf_counter()
        vectors, pace, first = call.vectors, _PACES.get(key), 0
        if vectors == 1 or call.vertices < BLOCK:
            # It may be staged, and its call says how; however long it takes, there is nothing to divide.
            self._alone = 1 << 62
            left, self.repeated = self._do(call, 0, 0)
            return left
        done: list[tuple[list[int], int]] = []
        if pace is None and (self._plan.loops or vectors * _slowest(self._plan, self._kernel) > _WORTH):
            took, count = 0.0, _PROBE
            while took < _SHORTEST and first < vectors - 1:
                count = min(4 * count, vectors - 1 - first)
                before = perf_counter()
                done.append(self._do(call, first, first + count))
                took = perf_counter() - before
                first += count
                pace = took / count
        divides = key and self._speculates and not self._slow
        seconds = (vectors - first) * (pace or 0.0)
        worth = _WORTH_WAKING if not divides else _WORTH if self._ran else _WORTH_ONCE
        helpers = 0 if rests(start) else min(self._threads - 1, vectors - first - 1, int(seconds / worth))
        self._ran = True
        took = 0.0
        if helpers > 0 and pace and divides:
            crewed = self._crewed
            if crewed is None or len(crewed.calls) != helpers + 1:
                crewed = self._crewed = self._with_crew(helpers, max(1, int(_SHORTEST_DIVIDED / pace)))
            for each in crewed.calls:
                each.forget()
            woken = pays(start, seconds, 1 + self._untold) and crewed.order.wake()
            before, misses = perf_counter(), self._misses
            done.append((self._divided(crewed, first), self.repeated))
            ended = perf_counter()
            over(ended, seconds, late=self._late)
            self._late = False
            took = (ended - before) / (crewed.takers[0].taken or vectors)
            if woken:
                self._misses, self._alone = misses, 0
            elif self._misses == misses:
                self._untimed, self._misses = _UNTIMED, max(0, misses - 1)
            else:
                self._alone = min((1 << self._misses) // 4, int(_MOST_ALONE / seconds))
            self._untold = self._untimed or self._alone
        elif helpers > 0 and pace:
            job = Job(self._piece, _ranges(first, vectors, helpers + 1, max(1, int(_SHORTEST / pace))), self._stop)
            with job:
                job.begin(helpers)
            pieces = [result for _, result in sorted(job.results.items())]
            done += [(left, repeated) for left, repeated, _ in pieces]
            took = sum([seconds for _, _, seconds in pieces]) / (vectors - first)
        else:
            before = perf_counter()
            done.append(self._do(call, first, vectors if first else 0))
            took = (perf_counter() - before) / (vectors - first)
            self._alone = _ALONE if took * vectors < _WORTH else 0
        if len(_PACES) >= _MOST_PACES:
            _PACES.clear()
        # What has kept a thread from running does not count for long, and not at once.
        _PACES[key] = took if pace is None else min(took, 1.25 * pace)
        return self._joined(done)

    def _with_crew(self, helpers: int, shortest: int) -> _Crewed:
        division = Division(PLACES, self._call.vectors, helpers + 1, shortest, self._stop)
        while len(self._free) <= helpers:
            self._free.append(self._prepare(self._kernel, self._table))
        calls = self._free[: helpers + 1]
        takers = [call.taker(division, back=number > 0) for number, call in enumerate(calls)]
        return _Crewed(calls, takers, division, Order(takers), partial(calls[0].go_on, takers[0]))

    def _divided(self, crewed: _Crewed, first: int = 0) -> list[int]:
        """Let machine code divide the vectors from `first` on; as `run`."""
        _, _, division, order, go_on = crewed
        division.begin(first)
        found = order.run(go_on, division.close)
        if found or not order.helped:
            return self._seen_to(crewed, found)
        self.repeated = 0
        return []

    def _seen_to(self, crewed: _Crewed, found: int) -> list[int]:
        """Do what a divided run has left, and give the vertices for the reference engine."""
        if found & LATE or not crewed.order.helped:
            # Nobody is awake, or others want the processors: a run in one thread takes less time than to wait for one that
            # cannot go on.
            self._misses = min(self._misses + (2 if found & LATE else 1), _MOST_MISSES)
            self._late = found & LATE != 0
            self._untimed = 0
        calls: list[Call] = []
        for call, taker in zip(crewed.calls, crewed.takers, strict=True):
            if taker.outcome:
                calls.append(call)
                if taker.unfinished:
                    self._slow = True  # for machine code, whose calls are bounded
                    call.go_on(taker)
        again = [call.repeated for call in calls]
        self.repeated = sum(again)
        threads = len(calls) if self.repeated > _FEW_AGAIN else 1
        finished = shared(lambda number: self._finished(calls[number], again[number]), len(calls), threads, self._stop)
        left = [vertex for vertices in finished for vertex in vertices]
        # The last vector repeats vertices of the one before.
        return sorted(set(left))

    def _in_pieces(self, progress: Callable[[int, int], None]) -> list[int]:
        """Run with reports of progress."""
        width, vectors, total = self._kernel.width, self._call.vectors, self._call.vertices
        each = max(1, min(_PIECE // width, -(-vectors // self._threads)))
        ranges = [(first, min(vectors, first + each)) for first in range(0, vectors, each)]
        with Job(self._piece, iter(ranges), self._stop) as job:
            if self._threads > 1:
                job.begin(min(self._threads, len(ranges)) - 1)
            while job.step():
                done = width * sum([last - first for first, last in list(job.results)])
                if done < total:
                    progress(done, total)
        progress(total, total)
        return self._joined([(left, repeated) for _, (left, repeated, _) in sorted(job.results.items())])

    def _piece(self, piece: tuple[int, int]) -> tuple[list[int], int, float]:
        """`_do` in any thread, with the seconds that it took."""
        try:
            call = self._free.pop()
        except IndexError:
            call = self._prepare(self._kernel, self._table)
        start = perf_counter()
        try:
            left, repeated = self._do(call, *piece)
        finally:
            self._free.append(call)
        return left, repeated, perf_counter() - start

    def _joined(self, done: Sequence[tuple[list[int], int]]) -> list[int]:
        self.repeated = sum([repeated for _, repeated in done])
        left = [vertex for vertices, _ in done for vertex in vertices]
        # The last vector repeats vertices of the one before.
        return sorted(set(left)) if left and len(done) > 1 else left


def _slowest(plan: Plan, kernel: Kernel) -> float:
    """Seconds that a vector of a program without loops takes at most."""
    return 1e-9 * (4 + plan.steps) * kernel.width


def _ranges(first: int, last: int, threads: int, shortest: int) -> Iterator[tuple[int, int]]:
    """Ranges of vectors, the first of them large and the last short, so that all threads end at about the same time."""
    while first < last:
        count = max(shortest, (last - first) // (2 * threads))
        end = first + count if last - first - count > shortest // 2 else last
        yield first, end
        first = end


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
) -> Parts | None:
    """Prepare a run from `data` to `outputs` and `flags`. None for no vertices, or for more instructions than the budget."""
    if not vertices or plan.steps > budget:
        return None
    arrays, layouts = needed(plan, data)
    stop = Stop()

    def prepare(kernel: Kernel, table: Table) -> Call:
        return Call(kernel, table, vertices, arrays, outputs, flags, budget - plan.steps, stop=stop)

    # Code without loops does not count its steps.
    return Parts(compiled, plan, layouts, table, budget >= MOST_UNROLLED_STEPS, prepare, threads, stop)
