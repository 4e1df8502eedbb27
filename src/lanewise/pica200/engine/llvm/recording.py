"""Runs of a geometry shader on compiled code: what they emit, as arrays of vertices in the order of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.memory import address
from lanewise.arrays.outputs import rows_at
from lanewise.llvm.movement import lane_of_vertex
from lanewise.llvm.sharing import shared
from lanewise.llvm.stopping import Stop
from lanewise.pica200.engine import reference
from lanewise.pica200.engine.llvm import arguments, emitting, spent
from lanewise.pica200.engine.llvm.emitting import Form
from lanewise.pica200.engine.llvm.kernel import Call
from lanewise.pica200.engine.llvm.running import Columns, columns
from lanewise.pica200.engine.llvm.shape import BLOCK
from lanewise.pica200.ir.ssa import FED, INHERITED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.kernel import Layouts, Table
    from lanewise.pica200.engine.llvm.plan import Emission, Plan
    from lanewise.pica200.engine.llvm.spent import Spent

_AT_ONCE = 1 << 24  # bytes of records to make before they are taken up
_LARGEST = 1 << 26  # a vector that wants more is left to the reference engine
_GUESSED = 8  # records for each EMIT with an unknown number of executions


class Vertices(NamedTuple):
    """Emitted vertices in the order in which they were: the number of the run of each, its setting (`ir.ssa.setting_of`, or
    `INHERITED`), its outputs (vertices, 4) and the masks of what was written of them, by register."""

    runs: NDArray[np.int64]
    settings: NDArray[np.uint8]
    outputs: Mapping[int, NDArray[np.float32]]
    written: Mapping[int, NDArray[np.uint8]]


class Recorded(NamedTuple):
    """Results of compiled runs.

    `left` are the numbers of those for the reference engine; they are not included. `after` is the setting at the end of each
    run, `INHERITED` if it sets none; None if no run depends on it.
    """

    vertices: Vertices
    after: NDArray[np.uint8] | None
    left: Sequence[int]


class Recording:
    """Runs bound to a plan, to execute in pieces."""

    def __init__(
        self,
        compiled: Compiled,
        plan: Plan,
        table: Table,
        inputs: Mapping[int, NDArray[np.float32]],
        feed: NDArray[np.float32],
        runs: int,
        budget: int,
    ) -> None:
        """Bind arrays, all contiguous.

        `inputs` are (runs, 4) by v number; `feed` (registers, runs, 4) the c registers of the plan's `fed`.
        """
        assert plan.emission is not None
        self._compiled, self._plan, self._table, self._budget = compiled, plan, table, budget
        self._stop = Stop()
        self._emission: Emission = plan.emission
        self._width = BLOCK
        self._form = Form.of(self._emission, self._width)
        numbers = {n: inputs[n] for n in plan.inputs if n < FED and n in inputs}
        numbers |= {FED + row: feed[place] for place, row in enumerate(self._emission.fed) if FED + row in plan.inputs}
        self._data, self._feed, self._runs = columns(numbers), feed, runs
        most = self._emission.most
        self._room = max(1, _GUESSED * len(self._emission.sites) if most is None else most)

    def run(self, threads: int = 1, progress: Callable[[int, int], None] | None = None) -> Recorded:
        pieces = self._pieces(0, self._runs, threads)
        found: list[Recorded] = []
        with closing(shared(lambda number: self._one(pieces[number]), len(pieces), threads, self._stop)) as done:
            for (_, stop), one in zip(pieces, done, strict=True):
                found.append(one)
                if progress is not None:
                    progress(stop, self._runs)
        return joined(found)

    def _pieces(self, start: int, stop: int, threads: int = 1) -> list[tuple[int, int]]:
        """Ranges of runs, whole vectors but for the last, with records that are not too much at once."""
        vectors = max(1, (stop - start) // self._width)
        each = max(1, _AT_ONCE // (4 * self._form.size * self._room))
        each = min(each, -(-vectors // max(1, threads)))
        starts = [*range(0, vectors, each)]
        bounds = [start + first * self._width for first in starts] + [stop]
        return [(bounds[n], bounds[n + 1]) for n in range(len(starts))]

    def _one(self, piece: tuple[int, int]) -> Recorded:
        """The runs from one number up to another."""
        start, stop = piece
        count = stop - start
        if not count or self._plan.steps > self._budget:
            return _nothing(self._form.outputs, count, range(start, stop))
        mine = Columns({n: array[start : start + count] for n, array in self._data.arrays.items()}, self._data.layouts)
        room, most = self._room, max(1, _LARGEST // (4 * self._form.size))
        done = self._recorded(mine, start, count, room)
        # A vector with runs that stop early, which may emit without end, gets no more room: its runs are left if it lacks any.
        stopped = np.zeros(len(done.counts), np.bool_)
        stopped[[run // self._width for run in done.bailed if run < count]] = True
        stopped[-1] |= any(run >= count - self._width for run in done.bailed)  # the last vector may repeat runs
        wanted = min(int(done.counts[~stopped].max(initial=0)), most)
        if wanted > room:
            self._room = max(self._room, wanted)
            return joined([self._one(smaller) for smaller in self._pieces(start, stop)])
        return self._taken_up(done, start, stop)

    def spent(self) -> dict[int, Spent]:
        """The runs that do not end, as far as compiled code can tell, with their faults. The number of runs is that of whole
        vectors."""
        vectors = self._runs // self._width
        nothing, counts = np.empty((1, 0), np.int32), np.zeros(vectors, np.int32)
        more = self._more(self._feed, nothing, counts, np.empty((vectors, self._width), np.int32))
        return spent.spent(self._compiled, self._plan, self._table, self._data, self._runs, self._budget, more)

    def _more(
        self, feed: NDArray[np.float32], records: NDArray[np.int32], counts: NDArray[np.int32], after: NDArray[np.int32]
    ) -> list[int]:
        """The arguments of `emitting`."""
        more = [0] * arguments.EMISSION
        more[arguments.RECORDS], more[arguments.RECORDS_ROOM], more[arguments.COUNTS] = (
            address(records),
            records.shape[1],
            address(counts),
        )
        more[arguments.LEFT] = address(after)
        more[arguments.FEED], more[arguments.STRIDE] = feed.ctypes.data, feed.strides[0]
        return more

    def _recorded(self, data: Columns, start: int, count: int, room: int) -> _Records:
        width = self._width
        vectors = -(-count // width)
        records = np.empty((vectors, room, self._form.size), np.int32)
        counts = np.zeros(vectors, np.int32)
        after = np.empty((vectors, width), np.int32)
        feed = self._feed[:, start : start + count]
        more = self._more(feed, records, counts, after)
        layouts: Layouts = data.layouts
        exact = not self._compiled.speculates(self._table)
        kernel = self._compiled.kernel(self._plan, layouts, exact=exact)
        self._compiled.tiered(self._plan, layouts, exact=exact).ran(count)
        fuel = self._budget - self._plan.steps
        call = Call(kernel, self._table, count, data.arrays, {}, {}, fuel, more, self._stop, feed)
        if exact:
            call.run_exactly(kernel, call.every_vector())
        elif call.run():
            call.run_exactly(self._compiled.kernel(self._plan, layouts, exact=True), call.flagged.copy())
        return _Records(records, counts, after, call.bailed())

    def _taken_up(self, done: _Records, start: int, stop: int) -> Recorded:
        """The vertices of records, in the order of the runs. Vectors and runs are numbered within the piece until the end."""
        width, count = self._width, stop - start
        room = done.records.shape[1]
        left = {run for run in done.bailed if run < count}
        for vector in np.flatnonzero(done.counts > room).tolist():
            left.update(range(vector * width, min(count, (vector + 1) * width)))
        # Which vector and which of its vertices a run is: the last vector ends with the last run, those that it repeats do not
        # count.
        vectors = len(done.counts)
        last = max(count - width, 0)
        used = int(min(done.counts.max(initial=0), room))
        records = done.records[:, :used]
        there = np.arange(used) < done.counts[:, np.newaxis]
        order = lane_of_vertex(width)
        masks = np.where(there, records[:, :, 1], 0)[:, :, np.newaxis] >> np.array(order, np.int32) & 1
        if vectors * width > count and last:
            masks[-1, :, : width - (count - (vectors - 1) * width)] = 0
        elif count < width:
            masks[:, :, count:] = 0
        first = np.arange(vectors, dtype=np.int64) * width
        first[-1] = last if vectors > 1 else 0
        emitted = masks.sum(axis=1) if used > reference.MOST_EMITTED else np.zeros((0, 2), np.int64)
        for vector, vertex in np.argwhere(emitted > reference.MOST_EMITTED).tolist():
            left.add(int(first[vector]) + vertex)
        for run in left:
            vector = min(run // width, vectors - 1)
            masks[vector, :, run - int(first[vector])] = 0
        vector, vertex, record = np.nonzero(masks.transpose(0, 2, 1))
        runs = first[vector] + vertex
        sites = records[vector, record, 0]
        lanes = np.array(order)[vertex]
        return Recorded(
            Vertices(
                runs + start,
                self._settings(records, sites, vector, record, lanes),
                self._outputs(done.records, vector * room + record, vertex),
                self._written(records, sites, vector, record, lanes),
            ),
            self._after(done, first, count) if self._emission.leaves else None,
            [start + run for run in sorted(left)],
        )

    def _settings(
        self,
        records: NDArray[np.int32],
        sites: NDArray[np.int32],
        vector: NDArray[np.intp],
        record: NDArray[np.intp],
        lanes: NDArray[np.intp],
    ) -> NDArray[np.uint8]:
        known = np.array([INHERITED if site.setting is None else site.setting for site in self._emission.sites], np.uint8)
        found = known[sites]
        if self._form.setting:
            varying = np.array([site.setting is None for site in self._emission.sites])[sites]
            stored = records[vector[varying], record[varying], emitting.HEADER + lanes[varying]]
            found[varying] = stored
        return found

    def _written(
        self,
        records: NDArray[np.int32],
        sites: NDArray[np.int32],
        vector: NDArray[np.intp],
        record: NDArray[np.intp],
        lanes: NDArray[np.intp],
    ) -> dict[int, NDArray[np.uint8]]:
        found: dict[int, NDArray[np.uint8]] = {}
        for n in self._form.outputs:
            masks = [site.written[n] for site in self._emission.sites]
            found[n] = np.array([mask or 0 for mask in masks], np.uint8)[sites]
            if n in self._form.masks:
                varying = np.array([mask is None for mask in masks])[sites]
                place = emitting.HEADER + self._width * (self._form.setting + self._form.masks.index(n))
                found[n][varying] = records[vector[varying], record[varying], place + lanes[varying]]
        return found

    def _outputs(
        self, records: NDArray[np.int32], record: NDArray[np.intp], vertex: NDArray[np.intp]
    ) -> dict[int, NDArray[np.float32]]:
        """`record` counts those of all vectors."""
        flat = records.view(np.float32).reshape(-1, 4)
        first = record * (self._form.size // 4) + self._form.rows // 4 + vertex
        return {n: rows_at(flat, first + self._width * place) for place, n in enumerate(self._form.outputs)}

    def _after(self, done: _Records, first: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
        found = np.full(count, INHERITED, np.uint8)
        turned = done.after[:, lane_of_vertex(self._width)]
        for vector, start in enumerate(first.tolist()):
            mine = min(self._width, count - start)
            found[start : start + mine] = turned[vector, :mine]
        return found


class _Records(NamedTuple):
    """Results of a call: records (vectors, room, size), their number by vector, the last settings (vectors, lanes), runs to
    repeat."""

    records: NDArray[np.int32]
    counts: NDArray[np.int32]
    after: NDArray[np.int32]
    bailed: list[int]


def _nothing(outputs: Sequence[int], count: int, left: Sequence[int]) -> Recorded:
    empty = Vertices(
        np.zeros(0, np.int64),
        np.zeros(0, np.uint8),
        {n: np.zeros((0, 4), np.float32) for n in outputs},
        {n: np.zeros(0, np.uint8) for n in outputs},
    )
    return Recorded(empty, np.full(count, INHERITED, np.uint8), left)


def joined(pieces: Sequence[Recorded]) -> Recorded:
    """Pieces one after another."""
    if len(pieces) == 1:
        return pieces[0]
    parts = [piece.vertices for piece in pieces]
    afters = [piece.after for piece in pieces if piece.after is not None]
    return Recorded(
        vertices_of(parts),
        np.concatenate(afters) if len(afters) == len(pieces) else None,
        [run for piece in pieces for run in piece.left],
    )


def vertices_of(parts: Sequence[Vertices]) -> Vertices:
    return Vertices(
        np.concatenate([part.runs for part in parts]),
        np.concatenate([part.settings for part in parts]),
        {n: np.concatenate([part.outputs[n] for part in parts]) for n in parts[0].outputs},
        {n: np.concatenate([part.written[n] for part in parts]) for n in parts[0].written},
    )
