"""Run a ShaderCore program over vertices on a suitable engine.

`run_waves` runs once; a `WaveRunner` keeps compiled kernels.

`engine.wave` is the definition; `engine.llvm.waves` compiles programs and gives the same bits. Vertices are cut into waves of
16 from the start of the call, so the result depends only on this call, not on the engine or the number of threads.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lanewise.arrays.lists import UINT32, table
from lanewise.core import events
from lanewise.core.engines import AUTO, ENGINES, LLVM, REFERENCE, Choice, unknown_engine
from lanewise.core.extras import only_reference
from lanewise.core.service import UsageError
from lanewise.shadercore.engine.reference import Core, checked_lanes, run_vertices
from lanewise.shadercore.isa.table import COMPONENTS, FILES, LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.fetch import elements_of, idle_lanes
from lanewise.shadercore.sem.functions import described, is_function
from lanewise.shadercore.sem.steps import hang

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.shadercore.engine.llvm.wave_kernels import Kernels
    from lanewise.shadercore.engine.reference import Register
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.fetch import Element

__all__ = ["AUTO", "ENGINES", "LLVM", "REFERENCE", "Choice", "WaveRunner", "run_waves"]

# Fewer instructions than this, counted once for each wave, are done before a kernel would be there (docs/engines.md).
BREAK_EVEN = 1_000


class WaveRunner:
    """A program on a device, with its compiled kernels. Methods may be called from any thread."""

    insts: tuple[Inst, ...]
    device: Device
    timing: Timing

    def __init__(self, insts: Sequence[Inst], device: Device, level: str = "native") -> None:
        """`level` is of `engine.llvm.target.LEVELS`: how much of the processor compiled code uses."""
        self.insts, self.device, self._level = tuple(insts), device, level
        self.timing = time_program(self.insts, device)
        self._hang = hang(self.timing)
        self._kernels: Kernels | None = None
        self._before = 0  # instructions of runs that were not worth a kernel: many of them are

    @property
    def kernels(self) -> Kernels:
        if self._kernels is None:
            from lanewise.shadercore.engine.llvm.wave_kernels import Kernels

            self._kernels = Kernels(self.timing, self._level)
        return self._kernels

    def choose(self, engine: str, count: int) -> Choice:
        """Which engine runs so many vertices, and why. Raises ValueError for an engine that does not exist, UsageError for one
        that cannot run the program."""
        if engine not in ENGINES:
            raise unknown_engine(engine)
        if engine != REFERENCE and (reason := only_reference(engine)):
            return Choice(REFERENCE, reason)
        function = next((inst.op for inst in self.insts if is_function(inst.op)), None)
        if function is not None and engine == LLVM:
            raise UsageError(
                f"{function.name} is {described(function)}, which is not compiled: use --engine reference, or give the "
                "instruction a meaning as an expression"
            )
        if function is not None:
            reason = f"{function.name} is {described(function)}"
            events.info(events.ENGINES, "the reference engine runs a program that is not compiled: %s", reason)
            return Choice(REFERENCE, reason)
        if engine != AUTO:
            return Choice(engine, "it was requested")
        known = self._kernels
        if not (known and known.ready) and self._steps(count) + self._before < BREAK_EVEN:
            return Choice(REFERENCE, f"{count} vertices are done before a kernel would be compiled")
        return Choice(LLVM, "every program that ends can be compiled")

    def _steps(self, count: int) -> int:
        """Instructions of all waves."""
        return -(-count // LANES) * len(self.insts)

    def run(
        self,
        constants: Mapping[tuple[int, int], int],
        inputs: Mapping[tuple[int, int], NDArray[np.uint32]],
        count: int,
        *,
        initial: Mapping[Register, Sequence[int]] | None = None,
        engine: str = AUTO,
        threads: int = 1,
        elements: Sequence[Element] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[Register, NDArray[np.uint32]]:
        """As `run_waves`."""
        choice = self.choose(engine, count)
        if count < 1:
            raise ValueError("at least one vertex is required")
        if threads < 1:
            raise ValueError(f"threads is {threads}, expected at least 1")
        _check(constants, inputs, count)
        held = {place: checked_lanes(lanes) for place, lanes in (initial or {}).items()}
        if self._hang is not None:
            raise self._hang
        idle = idle_lanes(elements_of(inputs) if elements is None else elements, count, self.device)
        if choice.engine == LLVM:
            return self.kernels.run(constants, inputs, count, held, threads, idle=idle)
        if engine == AUTO:
            self._before += self._steps(count)
        core = Core(self.insts, self.device, constants, held, self.timing)
        found = run_vertices(core, {place: values.tolist() for place, values in inputs.items()}, count, idle, progress)
        return {place: table(values, "u") for place, values in found.items()}


def _check(constants: Mapping[tuple[int, int], int], inputs: Mapping[tuple[int, int], NDArray[np.uint32]], count: int) -> None:
    """Raise ValueError for what no engine can take."""
    for file, places in (("c", constants), ("v", inputs)):
        for number, component in places:
            if not (0 <= number < FILES[file].size and 0 <= component < len(COMPONENTS)):
                raise ValueError(f"unknown component {component} of {file}{number}")
    for (number, component), value in constants.items():
        if not 0 <= value < 1 << 32:
            raise ValueError(f"c{number}.{COMPONENTS[component]} is {value}: a pattern has 32 bits")
    for (number, component), values in inputs.items():
        name = f"v{number}.{COMPONENTS[component]}"
        if values.dtype != UINT32:
            raise ValueError(f"{name} is an array of {values.dtype}: patterns are uint32")
        if values.shape != (count,):
            raise ValueError(f"{name} has {len(values)} values for {count} vertices")


def engine_for(insts: Sequence[Inst], device: Device, engine: str, count: int) -> str:
    """The engine that `run_waves` takes. Raises ValueError for one that does not exist."""
    return _runner(tuple(insts), device).choose(engine, count).engine


@lru_cache(64)
def _runner(insts: tuple[Inst, ...], device: Device) -> WaveRunner:
    return WaveRunner(insts, device)


def run_waves(
    insts: Sequence[Inst],
    device: Device,
    constants: Mapping[tuple[int, int], int],
    inputs: Mapping[tuple[int, int], NDArray[np.uint32]],
    count: int,
    *,
    initial: Mapping[Register, Sequence[int]] | None = None,
    engine: str = AUTO,
    threads: int = 1,
    elements: Sequence[Element] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[Register, NDArray[np.uint32]]:
    """The exported patterns of `count` vertices, in order, by (file, number, component).

    `constants` are patterns by (number, component), 0 where none is given; `inputs` by (number, component) of the v registers,
    one pattern for each vertex. `initial`: what registers hold before the first wave, in 16 lanes, 0 by default. `threads`: at
    most so many, where no wave needs the one before. `elements`: the streams that the inputs come from, in the order of their
    descriptors (default: plain DWORDs in the order of the registers); they decide what lanes after the last vertex get.
    `progress`: called by the reference engine with the vertices done and all.
    Compiled programs are kept. Raises Hang when the program never ends; ValueError for fewer than one vertex, inputs of another
    length, patterns of more than 32 bits, registers or an engine that do not exist, or no thread.
    """
    return _runner(tuple(insts), device).run(
        constants, inputs, count, initial=initial, engine=engine, threads=threads, elements=elements, progress=progress
    )
