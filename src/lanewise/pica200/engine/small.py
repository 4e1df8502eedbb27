"""Running a vertex shader where nothing can be compiled: `SmallRunner`, the reference engine on arrays, or on lists without
NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.engines import AUTO, ENGINES, REFERENCE, Choice, unknown_engine
from lanewise.core.extras import only_reference
from lanewise.pica200.engine.endless import FlowInputs, flow_inputs
from lanewise.pica200.engine.final_registers import final_registers
from lanewise.pica200.engine.lanes import run_lanes
from lanewise.pica200.engine.llvm.plan import plan
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.results import registers_of
from lanewise.pica200.ir.ssa import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.results import LaneFault, ShaderResult, Wiring
    from lanewise.pica200.sem.profile import Profile


class SmallRunner:
    """A vertex shader under a profile, with the methods of `run.Runner` that a run needs."""

    words: Sequence[int]
    descriptors: Sequence[int]
    entry: int
    profile: Profile

    def __init__(self, words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile) -> None:
        self.words, self.descriptors, self.entry, self.profile = words, descriptors, entry, profile

    def choose(self, engine: str, booleans: Sequence[bool], lanes: int) -> tuple[Choice, None]:
        """The reference engine. Raises ValueError for an unknown engine, InputError for the compiled one."""
        if engine not in ENGINES:
            raise unknown_engine(engine)
        return Choice(REFERENCE, only_reference(engine)), None

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
        """Every lane; arguments as for `run.Runner.run`."""
        self.choose(engine, uniforms.booleans, inputs.lanes)
        registers = registers_of(tuple(wirings), frozenset(written))
        program = self._reference(budget)

        def found() -> FlowInputs:
            known = plan(self.words, self.descriptors, self.entry, dict(enumerate(uniforms.booleans)), self.profile)
            if isinstance(known, Unsupported):
                return FlowInputs(None, None, useful=not program.keeps_registers)
            return flow_inputs(known, program.deciding, kept=program.keeps_registers)

        return run_lanes(program, inputs, uniforms, wirings, registers, progress, found)

    def registers(
        self, inputs: Inputs, uniforms: Uniforms, budget: int, faults: Sequence[LaneFault]
    ) -> dict[str, NDArray[Any]]:
        """The values of all registers after each vertex of a run with these faults."""
        return final_registers(self._reference(budget), inputs, uniforms, faults)

    def _reference(self, budget: int) -> Reference:
        return Reference(self.words, self.descriptors, self.entry, profile=self.profile, budget=budget)
