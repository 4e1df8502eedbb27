"""Running a vertex shader over lanes of arrays, on the engine that suits: `Runner`.

The reference engine is the definition; the compiled one gives the same bits, or hands lanes and whole programs back with a
reason.
"""

from __future__ import annotations

from _thread import allocate_lock  # `threading` takes half a millisecond of a short command
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.diagnostics import PortableError
from lanewise.core.engines import AUTO, ENGINES, LLVM, REFERENCE, Choice, unknown_engine
from lanewise.core.later import Later
from lanewise.pica200.engine.endless import FlowInputs, flow_inputs
from lanewise.pica200.engine.final_registers import final_registers
from lanewise.pica200.engine.lanes import run_lanes
from lanewise.pica200.engine.output_arrays import masks_of, output_arrays
from lanewise.pica200.engine.reference import BUDGET_SPENT, ENDLESS, Reference
from lanewise.pica200.engine.results import WATCHED, LaneFault, ShaderResult, registers_of
from lanewise.pica200.engine.uninitialised import may_read_uninitialised
from lanewise.pica200.ir.ssa import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.bound_run import BoundRun
    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.kernel import Table
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.running import Columns, Done
    from lanewise.pica200.engine.llvm.spent import Spent
    from lanewise.pica200.engine.results import Wiring
    from lanewise.pica200.engine.uninitialised import UninitialisedRead
    from lanewise.pica200.sem.profile import Profile

_MOST_TABLES = 16  # of uniforms that are kept; each takes 6 KiB
# Fewer steps than this, vertices and instructions of all runs together, are done before a kernel would be there
# (docs/engines.md): one that has to be compiled, and one from the cache on disk.
BREAK_EVEN, KEPT_BREAK_EVEN = 4_000, 1_000


_LOCK = allocate_lock()  # of `Runner.compiled`: threads that share a shader share its kernels


@cache
def _running():
    """The module, which llvmlite comes with; an import statement takes ten times as long each time."""
    from lanewise.pica200.engine.llvm import running

    return running


class _TakesLongError(PortableError):
    """The reference engine has come to a lane that takes long, and the program can be compiled."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


class Runner:
    """A vertex shader under a profile, with its compiled code."""

    words: Sequence[int]
    descriptors: Sequence[int]
    entry: int
    profile: Profile

    def __init__(
        self, words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile, level: str = "native"
    ) -> None:
        """`level` is of `engine.llvm.target.LEVELS`: how much of the processor compiled code uses."""
        self._level = level
        self.words, self.descriptors, self.entry, self.profile = words, descriptors, entry, profile
        self._compiled: Compiled | None = None
        self._may_use_unwritten: bool | None = None
        self._before = 0  # steps of runs that were not worth a kernel: many of them are
        self._tables: dict[tuple[int, int], tuple[Table, Plan, Uniforms]] = {}

    @property
    def keeps_registers(self) -> bool:
        """Whether registers stay from vertex to vertex.

        Code compiled then reads no registers of the vertex before, but a vertex that stops early leaves outputs that the next
        may not write, and shows those of the vertex before.
        """
        return self.profile.initial_state == "kept"

    @property
    def compiled(self) -> Compiled:
        if self._compiled is None:
            from lanewise.pica200.engine.llvm.compiled import Compiled

            code = Compiled(self.words, self.descriptors, self.entry, self.profile, self._level)
            with _LOCK:
                self._compiled = self._compiled or code
        return self._compiled

    def choose(self, engine: str, booleans: Sequence[bool], lanes: int) -> tuple[Choice, Plan | None]:
        """Choose the engine, and the plan to compile. Raises ValueError for an unknown engine."""
        if engine not in ENGINES:
            raise unknown_engine(engine)
        if engine == REFERENCE:
            return Choice(REFERENCE, "it was requested"), None
        known, steps = self._compiled, lanes * len(self.words) + self._before
        few = engine == AUTO and not (known and known.ready) and steps < BREAK_EVEN
        if few and (steps < KEPT_BREAK_EVEN or not self._kept(booleans)):
            return Choice(REFERENCE, f"{lanes} vertices are done before a kernel would be compiled"), None
        plan = self.compiled.plan(booleans)
        if isinstance(plan, Unsupported):
            return Choice(REFERENCE, plan.reason), None
        return Choice(LLVM, "it was requested" if engine == LLVM else "the program can be compiled"), plan

    def _kept(self, booleans: Sequence[bool]) -> bool:
        """Whether the plan is in the cache on disk: as a rule, a kernel is there too."""
        from lanewise.llvm import cache
        from lanewise.pica200.engine.llvm.kept import asked, identity, name_of

        program = identity(self.words, self.descriptors, self.entry, self.profile)
        return cache.has(name_of(program, {n: booleans[n] for n in asked(self.words, self.profile)}), cache.PLAN)

    def run(
        self,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        written: Iterable[int],
        budget: int,
        progress: Callable[[int, int], None] | None = None,
        engine: str = AUTO,
        threads: int = 1,
    ) -> ShaderResult:
        """Every lane. `written` are the o registers that the code may write."""
        _, plan = self.choose(engine, uniforms.booleans, inputs.lanes)
        registers = registers_of(tuple(wirings), frozenset(written))
        if plan is not None:
            found = self._compiled_run(plan, inputs, uniforms, wirings, registers, budget, progress, threads)
            if found is not None:
                return found
        elif engine == AUTO:
            self._before += inputs.lanes * len(self.words)
        try:
            return self._on_reference(
                inputs, uniforms, wirings, registers, budget, progress, compile_later=engine != REFERENCE, leave=engine == AUTO
            )
        except _TakesLongError as error:
            found = self._compiled_run(error.plan, inputs, uniforms, wirings, registers, budget, progress, threads)
            return found or self._on_reference(inputs, uniforms, wirings, registers, budget, progress, compile_later=True)

    def _on_reference(
        self,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        registers: Sequence[int],
        budget: int,
        progress: Callable[[int, int], None] | None,
        *,
        compile_later: bool,
        leave: bool = False,
    ) -> ShaderResult:
        """`compile_later`: compiled code may tell which of the lanes that take long do not end.

        `leave`: raise `_TakesLongError` when there is such a lane and the program can be compiled.
        """
        program = self._reference(budget)

        def takes_long(lane: int) -> Mapping[int, Spent]:
            if leave and not isinstance(plan := self.compiled.plan(uniforms.booleans), Unsupported):
                raise _TakesLongError(plan)
            return self._spent(inputs, uniforms, budget, range(lane, inputs.lanes))

        flow = self.flow_inputs(uniforms.booleans, program)
        later = takes_long if compile_later else None
        return run_lanes(program, inputs, uniforms, wirings, registers, progress, flow, later)

    def flow_inputs(self, booleans: Sequence[bool], program: Reference) -> Callable[[], FlowInputs]:
        """A function that finds the inputs which can change the path of a lane."""

        def found() -> FlowInputs:
            plan = self.compiled.plan(booleans)
            if isinstance(plan, Unsupported):
                return FlowInputs(None, None, useful=not self.keeps_registers)
            return flow_inputs(plan, program.deciding, kept=self.keeps_registers and self._may_read_kept(plan))

        return found

    def _may_read_kept(self, plan: Plan) -> bool:
        """Whether lanes of compiled code may read temporaries of the lane before, through an index."""
        return plan.gathers and self.profile.index_wrap == "registers"

    def _spent(self, inputs: Inputs, uniforms: Uniforms, budget: int, lanes: Sequence[int]) -> dict[int, Spent]:
        """The lanes among these that compiled code knows not to end."""
        from lanewise.pica200.engine.llvm.spent import spent, whole

        plan = self.compiled.plan(uniforms.booleans)
        if isinstance(plan, Unsupported) or (self.keeps_registers and self._may_read_kept(plan)):
            return {}
        rows = np.array(lanes, np.int64)
        count = whole(len(rows), self.compiled.target.width)
        data = self.columns(inputs.take(np.concatenate([rows, np.repeat(rows[-1:], count - len(rows))])))
        found = spent(self.compiled, plan, self.table(plan, uniforms), data, len(rows), budget)
        return {int(rows[lane]): fault for lane, fault in found.items()}

    def _compiled_run(
        self,
        plan: Plan,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        registers: Sequence[int],
        budget: int,
        progress: Callable[[int, int], None] | None,
        threads: int,
    ) -> ShaderResult | None:
        """None if lanes cannot be done one by one: the reference engine has to do all."""
        data, table = self.columns(inputs), self.table(plan, uniforms)
        done = _running().run(self.compiled, plan, table, data, inputs.lanes, budget, threads, progress)
        return self._result(done, plan, inputs, uniforms, wirings, registers, budget)

    def _result(
        self,
        done: Done,
        plan: Plan,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        registers: Sequence[int],
        budget: int,
    ) -> ShaderResult | None:
        """The result, with the lanes that are left run on the reference engine. None as for `_compiled_run`."""
        lanes = inputs.lanes
        outputs = dict(done.outputs)
        for register in registers:
            if register not in outputs:
                outputs[register] = np.zeros((lanes, 4), np.float32)
        flags = dict(done.flags)
        faults: Sequence[LaneFault] | None = ()
        if done.left:
            faults = self.finish(done.left, inputs, uniforms, budget, outputs, flags, plan)
            if faults is None:
                return None
        always = {n: plan.written[n].always if n in plan.written else 0 for n in registers}
        masks = partial(_masks, lanes, flags, always)
        arrays = output_arrays({n: outputs[n] for n in registers}, masks, wirings, self.profile)
        unwritten = Later(self._unwritten, inputs, uniforms, budget, faults)
        return ShaderResult(lanes, *arrays, tuple(faults), self.profile, unwritten, LLVM)

    def columns(self, inputs: Inputs) -> Columns:
        """The inputs as kernels read them, as far as it goes where they are."""
        lanes = inputs.lanes
        numbers: dict[int, NDArray[np.float32]] = {}
        for register, column in inputs.words.columns.items():
            array = column.numbers
            rows = len(array)
            numbers[register] = array if rows in (1, lanes) else array[:lanes]
        return _running().columns(numbers)

    def bind(
        self,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        buffers: Mapping[int, NDArray[np.float32]],
        budget: int,
        engine: str = AUTO,
        threads: int = 1,
    ) -> BoundRun:
        """Bind arrays for repeated runs: `buffers` are (lanes, 4) for each output of the result."""
        from lanewise.pica200.engine.bound_run import BoundRun

        return BoundRun(self, inputs, uniforms, wirings, buffers, budget, engine, threads)

    def table(self, plan: Plan, uniforms: Uniforms) -> Table:
        """The uniforms as kernels read them; those of the last sets of uniforms are kept."""
        key = id(plan), id(uniforms)
        known = self._tables.get(key)
        if known is not None:
            return known[0]
        table = _running().table_of(plan, uniforms)
        if len(self._tables) >= _MOST_TABLES:
            self._tables.pop(list(self._tables)[0], None)  # noqa: RUF015 - other threads may change it during an iteration
        self._tables[key] = table, plan, uniforms  # both live as long as their numbers are used
        return table

    def finish(
        self,
        left: Sequence[int],
        inputs: Inputs,
        uniforms: Uniforms,
        budget: int,
        outputs: Mapping[int, NDArray[np.float32]],
        flags: dict[int, NDArray[np.uint8]],
        plan: Plan,
    ) -> list[LaneFault] | None:
        """Run the lanes left by the kernels on the reference engine.

        Their results are stored in outputs and flags. None if the lanes after them would see registers that they leave, or they
        those of the lanes before.
        """
        rows = np.array(left, np.int64)
        if self.keeps_registers and self._may_read_kept(plan):
            return None
        part = self._on_reference(inputs.take(rows), uniforms, (), sorted(outputs), budget, None, compile_later=True)
        if self.keeps_registers and not (len(part.faults) == len(left) and all(fault.endless for _, fault in part.faults)):
            return None
        if any(fault.code == ENDLESS for _, fault in part.faults) and self._reference(budget).finds_from_kept:
            return None
        for register, array in outputs.items():
            array[rows] = part.outputs[f"o{register}"]
            found = masks_of(part.written[f"o{register}"])
            known = plan.written.get(register)
            always = known.always if known else 0
            if register not in flags and np.any(found != always):
                flags[register] = np.full(len(array), always, np.uint8)
            if register in flags:
                flags[register][rows] = found
        return [LaneFault(left[fault.lane], fault.fault) for fault in part.faults]

    def _unwritten(
        self, inputs: Inputs, uniforms: Uniforms, budget: int, faults: Sequence[LaneFault]
    ) -> tuple[UninitialisedRead, ...]:
        """The uninitialised reads: none if no path has any; otherwise those of the first lanes that end, on the reference
        engine."""
        if self._may_use_unwritten is None:
            self._may_use_unwritten = may_read_uninitialised(self._reference(budget))
        if not self._may_use_unwritten:
            return ()
        spent = {lane for lane, fault in faults if fault.code == BUDGET_SPENT}
        lanes = [lane for lane in range(min(inputs.lanes, WATCHED)) if lane not in spent]
        if not lanes:
            return ()
        taken = inputs.take(np.array(lanes, np.int64))
        found = self._on_reference(taken, uniforms, (), (), budget, None, compile_later=True).unwritten
        return tuple(read._replace(lane=lanes[read.lane]) for read in found)

    def registers(
        self, inputs: Inputs, uniforms: Uniforms, budget: int, faults: Sequence[LaneFault]
    ) -> dict[str, NDArray[Any]]:
        """The values of all registers after each vertex of a run with these faults."""
        return final_registers(self._reference(budget), inputs, uniforms, faults)

    def _reference(self, budget: int) -> Reference:
        return Reference(self.words, self.descriptors, self.entry, profile=self.profile, budget=budget)

    def __reduce__(self) -> tuple[type[Runner], tuple[object, ...]]:
        """Compiled code stays in its process: another one compiles again, or reads its cache."""
        return Runner, (self.words, self.descriptors, self.entry, self.profile, self._level)


def _masks(lanes: int, flags: Mapping[int, NDArray[np.uint8]], always: Mapping[int, int], register: int) -> NDArray[np.uint8]:
    """The written components of an output in each lane."""
    return flags[register] if register in flags else np.full(lanes, always[register], np.uint8)
