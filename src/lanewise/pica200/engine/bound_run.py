"""A run whose arrays stay where they are: bound once, run as often as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.engines import LLVM
from lanewise.core.later import Later
from lanewise.pica200.engine.binding import floats_of
from lanewise.pica200.engine.encoding import encoded
from lanewise.pica200.engine.output_arrays import masks_of, output_arrays
from lanewise.pica200.engine.results import ShaderResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.arrays.outputs import Arrays
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.llvm.kernel import Table
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.running import Parts
    from lanewise.pica200.engine.results import LaneFault, Wiring
    from lanewise.pica200.engine.run import Runner


class BoundRun:
    """Inputs, uniforms and `buffers` for outputs, (lanes, 4) by o register.

    Where kernels can read the inputs in place, all that does not depend on what they hold is done once. With inputs that have
    to be converted each run is a run like any other.
    """

    arrays: Arrays
    engine: str

    def __init__(
        self,
        runner: Runner,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        buffers: Mapping[int, NDArray[np.float32]],
        budget: int,
        engine: str,
        threads: int,
    ) -> None:
        self._runner, self._inputs, self._wirings, self._buffers = runner, inputs, wirings, buffers
        self._budget, self._engine, self._threads = budget, engine, threads
        self.arrays = output_arrays(buffers, self._masks, wirings, runner.profile)[0]
        self._plan: Plan | None = None
        self._parts: Parts | None = None
        self._table: Table | None = None  # of this run only, to be written to
        self._floats: NDArray[np.float32] | None = None  # what `_uniforms` do not have yet
        self.set_uniforms(uniforms)

    @property
    def uniforms(self) -> Uniforms:
        """The uniforms of the next run."""
        if self._floats is not None:
            # Only rows that are new are converted: raw words of others may be numbers that float32 has only one of.
            rows = np.flatnonzero((self._floats.view(np.uint32) != self._held().view(np.uint32)).any(axis=1)).tolist()
            floats = list(self._uniforms.floats)
            for row, words in zip(rows, encoded(self._floats[rows], self._runner.profile).tolist(), strict=True):
                x, y, z, w = words
                floats[row] = x, y, z, w
            self._uniforms = self._uniforms._replace(floats=tuple(floats))
            self._floats = None
        return self._uniforms

    def _held(self) -> NDArray[np.float32]:
        return floats_of(self._uniforms, self._runner.profile)

    def set_floats(self, numbers: NDArray[np.float32]) -> None:
        """Other float uniforms from the next run on, (96, 4)."""
        self._floats = numbers.copy()
        plan, parts = self._plan, self._parts
        if plan is not None and parts is not None:
            if self._table is None:
                from lanewise.pica200.engine.llvm.running import table_of

                self._table = table_of(plan, self._uniforms)
                self._takes = False
            unclear = self._table.unclear
            if self._table.take(self._floats) and ((self._takes and self._table.unclear == unclear) or parts.use(self._table)):
                self._takes = True
                return
            self._table = None  # a new one may be for larger numbers
        self.set_uniforms(self.uniforms)

    def set_uniforms(self, uniforms: Uniforms) -> None:
        self._floats = None
        choice, plan = self._runner.choose(self._engine, uniforms.booleans, self._inputs.lanes)
        self._takes = False  # whether kernels read `_table`
        same = self._parts if plan is self._plan else None
        if same is not None and plan is not None and same.use(self._runner.table(plan, uniforms)):
            self._uniforms = uniforms
            self._forget(plan)
            return
        self._uniforms = uniforms
        self._plan, self._parts, self._table = None, None, None
        self._flags: dict[int, NDArray[np.uint8]] = {}
        self._faults: tuple[LaneFault, ...] = ()
        self._last: ShaderResult | None = None
        self._left = False  # whether the last run had vertices that kernels could not do
        self.engine = choice.engine
        if plan is None or not all(column.in_place for column in self._inputs.words.columns.values()):
            return
        from lanewise.pica200.engine.llvm.running import parts

        lanes = self._inputs.lanes
        self._flags = {n: np.empty(lanes, np.uint8) for n in plan.unsure}
        table = self._runner.table(plan, uniforms)
        self._parts = parts(
            self._runner.compiled,
            plan,
            table,
            self._runner.columns(self._inputs),
            lanes,
            self._budget,
            self._threads,
            {n: self._buffers[n] for n in plan.outputs},
            self._flags,
        )
        self._plan = plan
        self._forget(plan)

    def _forget(self, plan: Plan) -> None:
        """Reset results of the last run that kernels do not write each time."""
        for register, buffer in self._buffers.items():
            if register not in plan.outputs:
                buffer.fill(0)
        for register in self._flags.keys() - plan.unsure.keys():
            del self._flags[register]
        self._last, self._faults, self._left, self.engine = None, (), False, LLVM

    @property
    def prepared(self) -> bool:
        """Whether kernels read the inputs where they are."""
        return self._parts is not None

    def run(self) -> tuple[LaneFault, ...]:
        """Run all lanes with the present values of the inputs. Returns those that stopped."""
        if self._parts is None or self._plan is None:
            return self._whole()
        if self._left:
            self._forget(self._plan)
        left = self._parts.run()
        if left:
            self._left = True
            arguments = left, self._inputs.anew(), self.uniforms, self._budget, self._buffers, self._flags, self._plan
            faults = self._runner.finish(*arguments)
            if faults is None:
                return self._whole()
            self._faults = tuple(faults)
        return self._faults

    def result(self) -> ShaderResult:
        """The result of the last run; its arrays are the buffers."""
        masks = {register: self._masks(register) for register in self._buffers}
        arrays = output_arrays(self._buffers, masks.__getitem__, self._wirings, self._runner.profile)
        return ShaderResult(self._inputs.lanes, *arrays, self._faults, self._runner.profile, Later(tuple[()]), self.engine)

    def _whole(self) -> tuple[LaneFault, ...]:
        registers = frozenset(self._buffers)
        found = self._runner.run(
            self._inputs.anew(), self.uniforms, self._wirings, registers, self._budget, None, self._engine, self._threads
        )
        for register, buffer in self._buffers.items():
            np.copyto(buffer, found.outputs[f"o{register}"])
        self._last, self._faults, self.engine = found, found.faults, found.engine
        return found.faults

    def _masks(self, register: int) -> NDArray[np.uint8]:
        """The written components of an output in the last run."""
        if self._last is not None:
            return masks_of(self._last.written[f"o{register}"])
        if register in self._flags:
            return self._flags[register]
        known = self._plan.written.get(register) if self._plan is not None else None
        return np.full(self._inputs.lanes, known.always if known else 0, np.uint8)
