"""All runs of a geometry shader, on the engine that suits: `GeometryRunner`.

Runs are lanes of compiled code where none reads registers of another run. State that does pass from run to run is computed
separately: overwritten uniforms stay (`Fed`), and so do the vertices in the slots and the last SETEMIT (`emissions`). The first
run, in which b15 is still false, is executed separately if the program tests b15, and so are runs that compiled code cannot
execute.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.outputs import rows_at
from lanewise.core.engines import AUTO, ENGINES, LLVM, REFERENCE, Choice, unknown_engine
from lanewise.core.extras import only_reference
from lanewise.core.later import Later, Prepared
from lanewise.core.record import Record
from lanewise.pica200.engine.emissions import send
from lanewise.pica200.engine.endless import FlowInputs, flow_inputs
from lanewise.pica200.engine.float24 import decode_all, encode_all
from lanewise.pica200.engine.geometry import Feed, Notes, RunFault, Sent, emitted_arrays, run_geometry
from lanewise.pica200.engine.output_arrays import output_arrays
from lanewise.pica200.engine.reference import ENDLESS, SEARCH, Reference
from lanewise.pica200.engine.results import WATCHED
from lanewise.pica200.engine.run import BREAK_EVEN
from lanewise.pica200.engine.uninitialised import may_read_uninitialised
from lanewise.pica200.ir.ssa import INHERITED, Geometry, Unsupported, setting_of
from lanewise.pica200.isa.table import RESERVED_BOOLEAN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.recording import Vertices
    from lanewise.pica200.engine.llvm.spent import Spent
    from lanewise.pica200.engine.reference import Words
    from lanewise.pica200.engine.results import Wiring
    from lanewise.pica200.sem.profile import Profile

_PROGRAMS = 8  # sets of outputs and fed registers for which compiled code is kept


class Fed(NamedTuple):
    """Inputs of runs as arrays.

    `inputs` are (runs, 4) by v number, `floats` (registers, runs, 4): the c registers of the range `fed` at the start of each
    run.
    """

    inputs: Mapping[int, NDArray[np.float32]]
    floats: NDArray[np.float32]
    fed: range


class Work(Record):
    """Runs to execute."""

    runs: int
    "Number of runs."
    feeds: Callable[[], Iterator[Feed[Words]]]
    "Inputs of each run, in order."
    arrays: Callable[[], Fed]
    "All inputs as arrays."
    fed: range
    "Numbers of the c registers that feeds overwrite."
    uniforms: Uniforms
    "Uniforms before the first run."
    written: frozenset[int]
    "Numbers of the o registers that the code may write."
    registers: Sequence[int]
    "Numbers of the o registers of the result."
    declared: Mapping[int, int]
    "Mask of the components that every vertex should have, by o register; x is bit 3."
    wirings: Sequence[Wiring]
    "Outputs with their semantics."


class GeometryRunner:
    """A geometry shader under a profile, with its compiled code."""

    words: Sequence[int]
    descriptors: Sequence[int]
    entry: int
    profile: Profile

    def __init__(
        self, words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile, level: str = "native"
    ) -> None:
        """`level` is of `engine.llvm.target.LEVELS`."""
        self.words, self.descriptors, self.entry, self.profile = words, descriptors, entry, profile
        self.level = level
        self._compiled: dict[Geometry, Compiled] = {}
        self._lock = Lock()
        self._before = 0  # steps of batches that were not worth a kernel

    def choose(
        self, engine: str, booleans: Sequence[bool], runs: int, written: Iterable[int], fed: range
    ) -> tuple[Choice, Plan | None]:
        """Choose the engine, and the plan to compile. Raises ValueError for an unknown engine."""
        if engine not in ENGINES:
            raise unknown_engine(engine)
        if engine == REFERENCE:
            return Choice(REFERENCE, "it was requested"), None
        if reason := only_reference(engine):
            return Choice(REFERENCE, reason), None
        geometry = Geometry(tuple(sorted(written)), fed)
        known = self._compiled.get(geometry)
        if engine == AUTO and not (known and known.ready) and runs * len(self.words) + self._before < BREAK_EVEN:
            return Choice(REFERENCE, f"{runs} runs are done before a kernel would be compiled"), None
        compiled = self._program(geometry)
        plan = compiled.plan(_later(booleans))
        if isinstance(plan, Unsupported):
            return Choice(REFERENCE, f"runs go in order: {plan.reason}"), None
        apart = _first_apart(compiled, booleans)
        if apart and runs <= 1:
            return Choice(REFERENCE, "there is only the first run, in which b15 is false"), None
        reason = "it was requested" if engine == LLVM else "the program can be compiled"
        return Choice(LLVM, f"{reason}, all runs at once" + (" but the first, in which b15 is false" if apart else "")), plan

    def _program(self, geometry: Geometry) -> Compiled:
        found = self._compiled.get(geometry)
        if found is None:
            with self._lock:
                found = self._compiled.get(geometry)
                if found is None:
                    if len(self._compiled) >= _PROGRAMS:
                        self._compiled.pop(next(iter(self._compiled)))
                    found = self._compiled[geometry] = self.compiled(geometry)
        return found

    def compiled(self, geometry: Geometry) -> Compiled:
        """New compiled code for these outputs and fed registers."""
        from lanewise.pica200.engine.llvm.compiled import Compiled

        return Compiled(self.words, self.descriptors, self.entry, self.profile, self.level, geometry)

    def reference(self, budget: int) -> Reference:
        return Reference(self.words, self.descriptors, self.entry, profile=self.profile, budget=budget, geometry=True)

    def run(
        self,
        work: Work,
        budget: int,
        progress: Callable[[int, int], None] | None = None,
        engine: str = AUTO,
        threads: int = 1,
    ) -> Sent:
        """Execute all runs. Results do not depend on engine or threads."""
        _, plan = self.choose(engine, work.uniforms.booleans, work.runs, work.written, work.fed)
        if plan is not None and work.runs and plan.steps <= budget:
            found = self._compiled_run(plan, work, budget, progress, threads)
            if found is not None:
                return found
        elif plan is None and engine == AUTO:
            self._before += work.runs * len(self.words)

        def known(first: int) -> Mapping[int, Spent]:
            return self._spent(work, None, budget, range(first, work.runs))

        spent = None if engine == REFERENCE or only_reference(AUTO) else known
        program = self.reference(budget)
        flow = self._flow_inputs(work, program)
        emissions = run_geometry(
            program, work.feeds(), work.runs, work.uniforms, work.declared, progress, spent, flow, work.fed
        )
        return Sent(
            arrays=emitted_arrays(emissions, work.registers, work.wirings, self.profile),
            rows=np.arange(3 * len(emissions.primitives), dtype=np.int64),
            inverted=np.array(emissions.inverted, np.bool_),
            runs=np.array(emissions.runs, np.int64),
            faults=emissions.faults,
            notes=Prepared(_given, emissions.notes),
            engine=REFERENCE,
        )

    def _compiled_run(
        self, plan: Plan, work: Work, budget: int, progress: Callable[[int, int], None] | None, threads: int
    ) -> Sent | None:
        """None if a run may have read, through an index, what another run has left."""
        from lanewise.pica200.engine.llvm.recording import Recording, vertices_of
        from lanewise.pica200.engine.llvm.running import table_of

        assert plan.emission is not None
        compiled = self._program(Geometry(tuple(sorted(work.written)), work.fed))
        booleans = tuple(_later(work.uniforms.booleans))
        later = work.uniforms._replace(booleans=booleans)
        fed = work.arrays()
        first = int(_first_apart(compiled, work.uniforms.booleans))
        if progress is not None:
            progress(0, work.runs)
        recording = Recording(
            compiled,
            plan,
            table_of(plan, later),
            {n: rows[first:] for n, rows in fed.inputs.items()},
            fed.floats[:, first:],
            work.runs - first,
            budget,
        )
        done = recording.run(threads, None if progress is None else lambda runs, _: progress(first + runs, work.runs))
        if plan.emission.kept and done.left:
            return None
        parts = [done.vertices._replace(runs=done.vertices.runs + first)]
        after = None if done.after is None else np.concatenate([np.full(first, INHERITED, np.uint8), done.after])
        faults: list[RunFault] = []
        program = self.reference(budget)
        left = [*range(first), *(run + first for run in done.left)]
        known: Mapping[int, Spent] | None = None
        if after is not None:
            after[left] = INHERITED
        for place, number in enumerate(left):
            mine = known.get(number) if known else None
            if mine is not None and not mine.repeated:
                faults.append(RunFault(number, mine.fault))
                continue
            uniforms = work.uniforms if number < first else later
            feed = self._feed(fed, number)
            alone = _alone(program, number, feed, uniforms, plan.emission.outputs, decided=number >= first)
            if alone is None:  # the run takes long
                if known is None:
                    known = self._spent(work, fed, budget, left[place:])
                    mine = known.get(number)
                if mine is not None:
                    faults.append(RunFault(number, mine.fault))
                    continue
                alone = _alone(program, number, feed, uniforms, plan.emission.outputs)
                assert alone is not None
            if alone.fault is not None and alone.fault.fault.code == ENDLESS and program.finds_from_kept:
                return None
            parts.append(alone.vertices)
            if after is not None:
                after[number] = alone.after
            if alone.fault is not None:
                faults.append(alone.fault)
        vertices = parts[0]
        if len(parts) > 1:
            vertices = _in_order(vertices_of(parts))
        sending = send(vertices.runs, vertices.settings, after, self.profile)
        return Sent(
            arrays=self._arrays(vertices, work),
            rows=sending.corners.reshape(-1),
            inverted=sending.inverted,
            runs=sending.runs,
            faults=tuple(faults),
            notes=Later(self._notes, work, vertices, sending.held, budget, faults),
            engine=LLVM,
        )

    def _flow_inputs(self, work: Work, program: Reference) -> Callable[[], FlowInputs]:
        """A function that finds the inputs which can change the path of a run."""

        def found() -> FlowInputs:
            if only_reference(AUTO):
                return FlowInputs(None, None, useful=not program.keeps_registers)
            plan = self._program(Geometry((), work.fed)).plan(_later(work.uniforms.booleans))
            if isinstance(plan, Unsupported) or plan.emission is None:
                return FlowInputs(None, None, useful=not program.keeps_registers)
            return flow_inputs(plan, program.deciding, kept=program.keeps_registers and plan.emission.kept)

        return found

    def _spent(self, work: Work, fed: Fed | None, budget: int, runs: Sequence[int]) -> Mapping[int, Spent]:
        """The runs among these that compiled code knows not to end: none if their path depends on what other runs leave.

        `fed` are the inputs of all runs, if they are there already.
        """
        from lanewise.pica200.engine.llvm.recording import Recording
        from lanewise.pica200.engine.llvm.running import table_of
        from lanewise.pica200.engine.llvm.spent import whole

        compiled = self._program(Geometry((), work.fed))  # what is emitted does not matter
        booleans = tuple(_later(work.uniforms.booleans))
        plan = compiled.plan(booleans)
        apart = int(_first_apart(compiled, work.uniforms.booleans))
        mine = [run for run in runs if run >= apart]
        if isinstance(plan, Unsupported) or plan.emission is None or plan.emission.kept or not mine:
            return {}
        fed = fed or work.arrays()
        count = whole(len(mine), compiled.target.width)
        rows = np.array([*mine, *[mine[-1]] * (count - len(mine))])
        inputs = {n: np.ascontiguousarray(array[rows]) for n, array in fed.inputs.items()}
        floats = np.ascontiguousarray(fed.floats[:, rows])
        table = table_of(plan, work.uniforms._replace(booleans=booleans))
        found = Recording(compiled, plan, table, inputs, floats, count, budget).spent()
        return {run: found[place] for place, run in enumerate(mine) if place in found}

    def _feed(self, fed: Fed, run: int) -> Feed[Words]:
        """The inputs of one run, as words."""
        inputs = {register: self._word(rows[run]) for register, rows in fed.inputs.items()}
        return Feed(inputs, {register: self._word(fed.floats[place, run]) for place, register in enumerate(fed.fed)})

    def _word(self, row: NDArray[np.float32]) -> Words:
        single = self.profile.rounding == "float32"
        x, y, z, w = (np.ascontiguousarray(row).view(np.uint32) if single else encode_all(row)).tolist()
        return x, y, z, w

    def _arrays(self, vertices: Vertices, work: Work):
        """Row 0 is an empty slot; the vertices follow."""
        count = len(vertices.runs)
        nothing = np.zeros((1, 4), np.float32)
        numbers = {
            n: np.concatenate([nothing, vertices.outputs[n]]) if n in vertices.outputs else np.zeros((count + 1, 4), np.float32)
            for n in work.registers
        }

        return output_arrays(numbers, partial(_masks, vertices), work.wirings, self.profile)

    def __reduce__(self) -> tuple[type[GeometryRunner], tuple[object, ...]]:
        """Compiled code stays in its process."""
        return GeometryRunner, (self.words, self.descriptors, self.entry, self.profile, self.level)

    def _notes(self, work: Work, vertices: Vertices, held: int, budget: int, faults: Sequence[RunFault]) -> Notes:
        """Empty if no path has uninitialised reads and no vertex lacks an output.

        Otherwise the notes of the first runs on the reference engine.
        """
        program = self.reference(budget)
        lacks = any(
            np.any(mask & ~vertices.written[n]) if n in vertices.written else bool(mask) and len(vertices.runs) > 0
            for n, mask in work.declared.items()
        )
        if not lacks and not may_read_uninitialised(program):
            return Notes(work.runs, held, (), ())
        feeds = islice(work.feeds(), WATCHED)
        known = {number: fault for number, fault in faults if fault.code != ENDLESS and fault.endless}

        def spent(first: int) -> Mapping[int, Spent]:
            from lanewise.pica200.engine.llvm.spent import Spent

            return {number: Spent(fault, False) for number, fault in known.items()}

        runs = min(work.runs, WATCHED)
        flow = self._flow_inputs(work, program)
        return run_geometry(program, feeds, runs, work.uniforms, work.declared, None, spent, flow, work.fed).notes


def _given(notes: Notes) -> Notes:
    return notes


def _masks(vertices: Vertices, register: int) -> NDArray[np.uint8]:
    """The written components of an output: of no vertex, then of all."""
    found = np.zeros(len(vertices.runs) + 1, np.uint8)
    if register in vertices.written:
        found[1:] = vertices.written[register]
    return found


class _Alone(NamedTuple):
    """A run on the reference engine: its vertices, the setting it leaves, and why it stopped without END."""

    vertices: Vertices
    after: int
    fault: RunFault | None


def _alone(
    program: Reference,
    number: int,
    feed: Feed[Words],
    uniforms: Uniforms,
    registers: Sequence[int],
    *,
    decided: bool = False,
) -> _Alone | None:
    """A run that reads nothing that another has left. `decided`: None if it is `undecided`."""
    from lanewise.pica200.engine.llvm.recording import Vertices

    floats = list(uniforms.floats)
    for register, vector in feed.floats.items():
        floats[register] = vector
    machine = program.start(feed.inputs, floats, uniforms.integers, uniforms.booleans)
    setting = INHERITED
    settings: list[int] = []
    outputs: list[list[Words]] = []
    written: list[list[int]] = []
    while not machine.finished:
        if decided and machine.steps == SEARCH and machine.undecided:
            return None
        result = machine.step().result
        if "setemit" in result:
            setting = setting_of(result["setemit"])
        if "emit" in result:
            vertex = result["emit"].vertex
            settings.append(setting)
            outputs.append([vertex.outputs[n] for n in registers])
            written.append([vertex.written[n] for n in registers])
    if machine.fault is not None and machine.fault.endless:
        setting = INHERITED
        for found in (settings, outputs, written):
            found.clear()
    words = np.array(outputs, np.uint32).reshape(len(settings), len(registers), 4)
    numbers = words.view(np.float32) if program.profile.rounding == "float32" else decode_all(words)
    masks = np.array(written, np.uint8).reshape(len(settings), len(registers))
    vertices = Vertices(
        np.full(len(settings), number, np.int64),
        np.array(settings, np.uint8),
        {n: numbers[:, place] for place, n in enumerate(registers)},
        {n: masks[:, place] for place, n in enumerate(registers)},
    )
    fault = machine.fault
    return _Alone(vertices, setting, None if fault is None else RunFault(number, fault))


def _in_order(vertices: Vertices) -> Vertices:
    """The vertices of each run after those of the runs before."""
    order = np.argsort(vertices.runs, kind="stable")
    return vertices._replace(
        runs=vertices.runs[order],
        settings=vertices.settings[order],
        outputs={n: rows[order] for n, rows in vertices.outputs.items()},
        written={n: masks[order] for n, masks in vertices.written.items()},
    )


def _later(booleans: Sequence[bool]) -> list[bool]:
    """The boolean uniforms from the second run on."""
    return [flag or number == RESERVED_BOOLEAN for number, flag in enumerate(booleans)]


def _first_apart(compiled: Compiled, booleans: Sequence[bool]) -> bool:
    """Whether the first run is another program than the rest."""
    return RESERVED_BOOLEAN in compiled.asked and not booleans[RESERVED_BOOLEAN]


def fed_arrays(
    feed: Feed[tuple[int, int]],
    sizes: NDArray[np.int64],
    places: NDArray[np.int64],
    columns: Mapping[int, NDArray[np.float32]],
    floats: NDArray[np.float32],
) -> Fed:
    """The inputs of runs with `sizes` vertices, as arrays.

    `places` are the rows of the vertices in `columns` (by output), run after run. `feed` has the source of each register of the
    longest run: the number of the vertex and its output; a vertex of -1 is the number of vertices. `floats` are the 96 uniforms
    before the first run; a register that a run does not overwrite has the value of the run before.
    """
    starts = np.cumsum(sizes) - sizes

    def values(vertex: int, output: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The value of each run, and which runs have one; other rows have no meaning."""
        if vertex < 0:
            return np.repeat(sizes.astype(np.float32)[:, np.newaxis], 4, axis=1), np.ones(len(sizes), np.bool_)
        there = sizes > vertex
        at = np.where(there, starts + vertex, 0)
        return rows_at(columns[output], places[at]), there

    inputs = {register: values(*home)[0] for register, home in feed.inputs.items()}
    fed = range(min(feed.floats), max(feed.floats) + 1) if feed.floats else range(0)
    found = np.empty((len(fed), len(sizes), 4), np.float32)
    for place, register in enumerate(fed):
        rows, there = values(*feed.floats[register])
        if not there.all():
            last = np.maximum.accumulate(np.where(there, np.arange(len(sizes)), -1))
            rows = np.where(last[:, np.newaxis] < 0, floats[register], rows[np.maximum(last, 0)])
        found[place] = rows
    return Fed(inputs, found, fed)
