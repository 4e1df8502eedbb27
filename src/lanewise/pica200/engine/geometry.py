"""Stages after a vertex shader: feeding a geometry shader, its emissions, primitives.

Sources: libctru, shader/shaderProgram.c (the registers of each mode); Azahar, video_core/pica/geometry_pipeline.cpp and
primitive_assembly.cpp; picasso's Manual, `.gsh`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from lanewise.core.record import Record
from lanewise.drawing.lanes import FAN, LIST, STRIP, corners_of
from lanewise.pica200.engine.endless import EndlessLanes
from lanewise.pica200.engine.lanes import word_arrays
from lanewise.pica200.engine.reference import SEARCH
from lanewise.pica200.engine.uninitialised import Watch
from lanewise.pica200.engine.winding import winding
from lanewise.pica200.ir.ssa import FED
from lanewise.pica200.isa.table import RESERVED_BOOLEAN
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.arrays.outputs import Arrays
    from lanewise.pica200.engine.binding import Uniforms, Vector
    from lanewise.pica200.engine.endless import FlowInputs
    from lanewise.pica200.engine.llvm.spent import Spent
    from lanewise.pica200.engine.reference import Fault, Machine, Reference, Words
    from lanewise.pica200.engine.results import Wiring
    from lanewise.pica200.engine.uninitialised import UninitialisedRead
    from lanewise.pica200.sem.emission import Emitted, Vertex
    from lanewise.pica200.sem.profile import Profile

T = TypeVar("T")

POINT, VARIABLE, FIXED = range(3)
GEOMETRY = "geometry"
TOPOLOGIES = (LIST, STRIP, FAN, GEOMETRY)


class Feed(NamedTuple, Generic[T]):
    """Inputs of one run of a geometry shader: v registers, and overwritten c registers.

    The values are words, or markers to learn where the words come from.
    """

    inputs: Mapping[int, T]
    floats: Mapping[int, T]


class Chunks(NamedTuple):
    """An index list cut into the vertices of each run.

    `indices` are those of all runs, one after another, `sizes` their numbers. `left_over` are vertices at the end that are too
    few for a run, `required` is the count before them in variable mode.
    """

    indices: NDArray[np.int64]
    sizes: NDArray[np.int64]
    left_over: int
    required: int = 0

    @property
    def runs(self) -> int:
        return len(self.sizes)

    @property
    def most(self) -> int:
        """The number of vertices of the longest run."""
        return int(self.sizes.max(initial=0))

    def vertices(self, count: int) -> list[tuple[int, ...]]:
        """The vertices of each of the first `count` runs."""
        sizes = self.sizes[:count].tolist()
        indices = iter(self.indices[: sum(sizes)].tolist())
        return [tuple(islice(indices, size)) for size in sizes]


def chunks_of(indices: NDArray[np.int64], size: int) -> Chunks:
    """`size` indices for each run (point and fixed mode)."""
    runs, left_over = divmod(len(indices), size)
    return Chunks(indices[: runs * size], np.full(runs, size, np.int64), left_over)


def counted_chunks(indices: NDArray[np.int64]) -> Chunks | int:
    """The runs of a list with a count before the indices of each run (variable mode).

    For a count of 0, which is not tested on a console, the result is its place in the list.
    """
    listed = indices.tolist()
    counts: list[int] = []
    place = 0
    while place < len(listed):
        count = listed[place]
        if count <= 0:
            return place
        if place + 1 + count > len(listed):
            break
        counts.append(place)
        place += 1 + count
    taken = np.ones(place, np.bool_)
    taken[counts] = False
    required = listed[place] if place < len(listed) else 0
    return Chunks(indices[:place][taken], indices[counts], max(0, len(listed) - place - 1), required)


def point_feed(vertices: Sequence[Sequence[T]], registers: Sequence[int] = ()) -> Feed[T]:
    """The outputs of the vertices one after another in v0, v1, ..., or in other input registers, of which the last output
    that goes to one counts."""
    vectors = [vector for vertex in vertices for vector in vertex]
    return Feed(dict(zip(registers or range(len(vectors)), vectors, strict=False)), {})


def fixed_feed(vertices: Sequence[Sequence[T]], start: int) -> Feed[T]:
    """The outputs of the vertices, in order, in float uniforms from `start` on."""
    return Feed({}, {start + n: vector for n, vector in enumerate(vector for vertex in vertices for vector in vertex)})


def variable_feed(vertices: Sequence[Sequence[T]], whole: int, count: T) -> Feed[T]:
    """The number of vertices `count` in c0, and outputs of the vertices from c1 on.

    These are all outputs of the first `whole` vertices, then one output of each other.
    """
    vectors = [vector for n, vertex in enumerate(vertices) for vector in (vertex if n < whole else vertex[:1])]
    return Feed({}, {0: count} | dict(enumerate(vectors, 1)))


def float_count(mode: int, vertices: int, outputs: int, whole: int) -> int:
    """The number of float uniforms that a run overwrites, the count included."""
    if mode == POINT:
        return 0
    return vertices * outputs if mode == FIXED else 1 + min(vertices, whole) * outputs + max(0, vertices - whole)


class RunFault(NamedTuple):
    """A run of the geometry shader that stopped without `end`. Its emissions are kept, unless it does not end
    (`Fault.endless`)."""

    run: int
    fault: Fault


class Lacking(Record):
    """Components of an output that EMIT found unwritten."""

    register: int
    "Number of the o register."
    mask: int
    "All components that some vertex lacks, x in bit 3."
    vertices: int
    "Number of vertices that lack any."
    run: int
    "The first run with such a vertex."
    places: dict[int, int]
    "Addresses of such an EMIT in the order in which they were first met, each with the mask of what it lacked."


class Notes(NamedTuple):
    """Suspicious behaviour in the runs of a geometry shader.

    `runs` is the number of runs analysed, `emitted` the number of their vertices put into a slot; `unwritten` are the
    uninitialised reads, `lacking` the declared components that emitted vertices lack.
    """

    runs: int
    emitted: int
    unwritten: tuple[UninitialisedRead, ...]
    lacking: tuple[Lacking, ...]


class Emissions(Record):
    """Primitives of the runs."""

    primitives: tuple[tuple[Vertex[int], Vertex[int], Vertex[int]], ...]
    "Three vertices of each."
    inverted: tuple[bool, ...]
    "Winding flag of each."
    runs: tuple[int, ...]
    "Number of the run of each."
    faults: tuple[RunFault, ...]
    "Runs that stopped without `end`."
    notes: Notes
    "Suspicious behaviour in the runs."


class Sent(Record):
    """Primitives of the runs as arrays, ready to be drawn; the same for every engine."""

    arrays: tuple[Arrays, Arrays, Arrays]
    "Outputs, words and written flags of the vertices."
    rows: NDArray[np.int64]
    "Vertex of each corner, three for each primitive."
    inverted: NDArray[np.bool_]
    "Winding flag of each primitive."
    runs: NDArray[np.int64]
    "Number of the run of each primitive."
    faults: tuple[RunFault, ...]
    "Runs that stopped without `end`."
    notes: Callable[[], Notes]
    "Compute the notes."
    engine: str
    "Engine that has done the runs, `reference` or `llvm`."


class Unit:
    """A geometry shader unit from run to run: overwritten uniforms stay, and b15 is true from the second run on.

    `machine` is the run that was started last; `floats` and `booleans` are the uniforms it has. `written` are the masks of what
    runs have written and the profile keeps, of each output, in the bank that is written to and in the other.
    Source of b15: Azahar geometry_pipeline.cpp:381-385; picasso's Manual.
    """

    floats: list[Vector]
    integers: tuple[Vector, ...]
    booleans: list[bool]
    written: tuple[list[int], list[int]]

    def __init__(self, program: Reference, uniforms: Uniforms) -> None:
        self.program = program
        self.floats = list(uniforms.floats)
        self.integers = uniforms.integers
        self.booleans = list(uniforms.booleans)
        self.machine: Machine | None = None
        self.written = [0] * 16, [0] * 16
        self._before: Machine | None = None  # the last machine but one
        self._first = True

    def start(self, feed: Feed[Words], program: Reference | None = None) -> Machine:
        """The next run, or the one of another `program`, before its first instruction."""
        program = program or self.program
        before = self.machine
        if before is not None and before.fault is not None and before.fault.endless:
            before = self._before
        elif before is not None:
            self._keep(before)
        self._feed(feed)
        self.machine = program.start(feed.inputs, self.floats, self.integers, self.booleans, before)
        self._before = before
        return self.machine

    def skip(self, feed: Feed[Words]) -> None:
        """Go past a run that is known not to end: only its uniforms stay."""
        self._feed(feed)

    def inputs(self, feed: Feed[Words], fed: range) -> dict[int, Words]:
        """The inputs of the next run as `FlowInputs` numbers them; `fed` are the c registers that feeds overwrite."""
        floats = {FED + register: feed.floats.get(register, self.floats[register]) for register in fed}
        return {**feed.inputs, **floats}

    @property
    def is_later(self) -> bool:
        """Whether the next run has the booleans of all runs but the first."""
        return not self._first or self.booleans[RESERVED_BOOLEAN]

    def _feed(self, feed: Feed[Words]) -> None:
        self.booleans[RESERVED_BOOLEAN] = self.booleans[RESERVED_BOOLEAN] or not self._first
        self._first = False
        for register, vector in feed.floats.items():
            self.floats[register] = vector

    def emitted(self, record: Emitted[int]) -> tuple[int, ...]:
        """Follow an EMIT of the run: the masks of what is written in its vertex, in this run or in a kept one before."""
        mine, other = self.written
        self.written = other, mine
        return tuple([now | before for now, before in zip(record.vertex.written, mine, strict=True)])

    def _keep(self, machine: Machine) -> None:
        if self.program.keeps_registers and machine.emitter is not None:
            mine, other = self.written
            now, then = machine.registers.written, machine.emitter.written
            self.written = [a | b for a, b in zip(mine, now, strict=True)], [a | b for a, b in zip(other, then, strict=True)]


def run_geometry(
    program: Reference,
    feeds: Iterator[Feed[Words]],
    total: int,
    uniforms: Uniforms,
    declared: Mapping[int, int],
    progress: Callable[[int, int], None] | None = None,
    spent: Callable[[int], Mapping[int, Spent]] | None = None,
    flow: Callable[[], FlowInputs] | None = None,
    fed: range = range(0),
) -> Emissions:
    """All runs, in order, on one unit. `declared` are the masks of the outputs that every vertex should have, by register.

    `spent`, called with the number of a run that takes long, tells which runs from there on do not end. `flow` finds the inputs
    that can change the path of a run (but of the first if b15 is false); `fed` are the c registers that feeds overwrite.
    """
    endless = EndlessLanes(flow if total > 1 else None)
    unit, watch = Unit(program, uniforms), Watch(program)
    primitives: list[tuple[Vertex[int], Vertex[int], Vertex[int]]] = []
    inverted: list[bool] = []
    runs: list[int] = []
    faults: list[RunFault] = []
    lacking: dict[int, Lacking] = {}
    count = held = 0
    known: Mapping[int, Spent] | None = None if spent is not None else {}
    for number, feed in enumerate(feeds):
        if progress is not None and number % 64 == 0:
            progress(number, total)
        count += 1
        mine = known.get(number) if known else None
        if mine is not None and not mine.repeated:
            unit.skip(feed)
            faults.append(RunFault(number, mine.fault))
            continue
        inputs = unit.inputs(feed, fed) if unit.is_later else None
        same = endless.find(inputs) if inputs is not None else None
        if same is not None:
            unit.skip(feed)
            watch.note(number, same.path, same.fault.step, same.fault)
            faults.append(RunFault(number, same.fault))
            continue
        machine = unit.start(feed)
        path = bytearray()
        sent: list[tuple[int, Emitted[int]]] = []
        while not machine.finished:
            if machine.steps == SEARCH and machine.undecided:
                same = endless.find_undecided(inputs) if inputs is not None else None
                if same is not None:
                    break
                if known is None and spent is not None:
                    known = spent(number)
                    mine = known.get(number)
                if mine is not None:
                    break
            step = machine.step()
            for _, yes in step.answers:
                path.append(yes)
            if "emit" in step.result:
                sent.append((step.pc, step.result["emit"]))
        if same is not None:
            machine.give_up(same.fault)
            watch.note(number, same.path, same.fault.step, same.fault)
        else:
            decided = machine.finished
            if not decided and mine is not None:
                machine.give_up(mine.fault)
            watch.note(number, path, machine.steps, machine.fault)
            if decided and inputs is not None and machine.fault is not None and machine.fault.endless:
                endless.add(inputs, machine.fault, path)
        if machine.fault is not None:
            faults.append(RunFault(number, machine.fault))
            if machine.fault.endless:
                continue
        for pc, emitted in sent:
            written = unit.emitted(emitted)
            held += emitted.held
            for register, mask in declared.items() if emitted.held else ():
                if left := mask & ~written[register]:
                    before = lacking.get(register, Lacking(register=register, mask=0, vertices=0, run=number, places={}))
                    before.places[pc] = before.places.get(pc, 0) | left
                    lacking[register] = before._replace(mask=before.mask | left, vertices=before.vertices + 1)
            if emitted.primitive is not None:
                primitives.append(emitted.primitive)
                inverted.append(emitted.emission.invert)
                runs.append(number)
    notes = Notes(count, held, watch.found, tuple(lacking[register] for register in declared if register in lacking))
    return Emissions(
        primitives=tuple(primitives), inverted=tuple(inverted), runs=tuple(runs), faults=tuple(faults), notes=notes
    )


class Triangles(NamedTuple):
    """Primitives as numbers of vertices in a stream.

    `corners` is (primitives, 3), `left_over` the number of vertices at the end that are too few for a primitive.
    """

    corners: NDArray[np.int64]
    left_over: int


def assemble(count: int, topology: str, inverted: NDArray[np.bool_] | None = None, profile: Profile = HARDWARE) -> Triangles:
    """The primitives of a stream of `count` vertices, 0, 1, 2, ...

    `inverted`: for each three vertices, whether their winding is inverted (`winding`); it is used only with `geometry` (citra
    PR 2865, compared with a console). A strip's next triangle starts with its two newest vertices, so that all have the same
    winding, as in Azahar's primitive_assembly.cpp.
    """
    if topology in (LIST, GEOMETRY):
        corners = corners_of(count, LIST)
        if topology == GEOMETRY and inverted is not None:
            corners[inverted] = corners[inverted][:, winding(True, profile)]
        return Triangles(corners, count % 3)
    return Triangles(corners_of(count, topology), count if count < 3 else 0)


def emitted_arrays(
    emissions: Emissions, registers: Sequence[int], wirings: Sequence[Wiring], profile: Profile
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, words and written of all vertices, three for each primitive, in order."""
    stream = [vertex for primitive in emissions.primitives for vertex in primitive]
    words = {register: [vertex.outputs[register] for vertex in stream] for register in registers}
    masks = {register: [vertex.written[register] for vertex in stream] for register in registers}
    return word_arrays(words, masks, wirings, profile)


def uniforms_taken(mode: int, start: int, most: int) -> range:
    """The c registers that feeds overwrite; the largest feed takes `most` of them."""
    first = start if mode == FIXED else 0
    return range(first, min(first + most, FLOAT_COUNT))
