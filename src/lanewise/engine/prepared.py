"""A run whose arrays stay where they are: bound once, run as often as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.engine.results import Result, masks_of, output_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.engine.binding import Inputs, Uniforms
    from lanewise.engine.llvm.compiled import Parts
    from lanewise.engine.llvm.plan import Plan
    from lanewise.engine.results import LaneFault, Wiring
    from lanewise.engine.run import Runner


class Prepared:
    """Inputs, uniforms and `buffers` for outputs, (lanes, 4) by o register.

    Where kernels can read the inputs in place, all that does not depend on what they hold is done once. Otherwise, which is for
    inputs that have to be converted and for less than a vector of lanes, each run is a run like any other.
    """

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
        self._arrays = output_arrays(buffers, self._masks, wirings, runner.profile)
        self.arrays = self._arrays[0]
        self.set_uniforms(uniforms)

    def set_uniforms(self, uniforms: Uniforms) -> None:
        self._uniforms = uniforms
        self._made: Plan | None = None
        self._parts: Parts | None = None
        self._flags: dict[int, NDArray[np.uint8]] = {}
        self._faults: tuple[LaneFault, ...] = ()
        self._last: Result | None = None
        choice, made = self._runner.choose(self._engine, uniforms.booleans, self._inputs.lanes)
        self.engine = choice.engine
        if made is None or not all(column.in_place for column in self._inputs.words.columns.values()):
            return
        from lanewise.engine.llvm.compiled import parts

        lanes = self._inputs.lanes
        self._flags = {n: np.empty(lanes, np.uint8) for n in made.unsure}
        table = self._runner.table(made, uniforms)
        self._parts = parts(
            self._runner.compiled, made, table, self._runner.columns(self._inputs), lanes, self._budget, self._threads,
            {n: self._buffers[n] for n in made.outputs}, self._flags,
        )  # fmt: skip
        self._made = made
        for register, buffer in self._buffers.items():
            if register not in made.outputs:
                buffer.fill(0)

    def run(self) -> tuple[LaneFault, ...]:
        """All lanes with the inputs as they are now; those that stopped."""
        if self._parts is None or self._made is None:
            return self._whole()
        left = self._parts.run()
        if left:
            arguments = left, self._inputs.anew(), self._uniforms, self._budget, self._buffers, self._flags, self._made
            self._faults = tuple(self._runner.finish(*arguments))
        elif self._faults:
            self._faults = ()
        return self._faults

    def result(self) -> Result:
        """What the last run gave; its arrays are the buffers."""
        return Result(self._inputs.lanes, *self._arrays, self._faults, self._runner.profile, lambda: (), self.engine)

    def _whole(self) -> tuple[LaneFault, ...]:
        registers = frozenset(self._buffers)
        found = self._runner.run(
            self._inputs.anew(), self._uniforms, self._wirings, registers, self._budget, None, self._engine, self._threads
        )
        for register, buffer in self._buffers.items():
            np.copyto(buffer, found.outputs[f"o{register}"])
        self._last, self._faults, self.engine = found, found.faults, found.engine
        return found.faults

    def _masks(self, register: int) -> NDArray[np.uint8]:
        """What was written of an output in the last run."""
        if self._last is not None:
            return masks_of(self._last.written[f"o{register}"])
        if register in self._flags:
            return self._flags[register]
        known = self._made.written.get(register) if self._made is not None else None
        return np.full(self._inputs.lanes, known.always if known else 0, np.uint8)
