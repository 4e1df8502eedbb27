"""Compiled ShaderCore programs: `Kernels` of a program on a device."""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.memory import address
from lanewise.core.record import Record
from lanewise.llvm import cache
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.sharing import shared
from lanewise.llvm.stopping import Stop, Stopped
from lanewise.llvm.target import host
from lanewise.shadercore.engine.llvm.waves import CONSTANT_COUNT, DATA, WAVES, Plan, generate, plan_waves
from lanewise.shadercore.isa.codec import encode, register
from lanewise.shadercore.isa.table import COMPONENTS, LANES
from lanewise.shadercore.sem.steps import X7X, exports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.target import Loaded, Target
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.steps import Register

_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_STEPS = 1 << 16  # instructions, counted once for each wave, of one call of a kernel


class Kernel(NamedTuple):
    """Machine code for a plan; `run` gets the address of an argument block (`waves.WAVES`)."""

    plan: Plan
    code: Loaded
    run: Callable[[int], None]


class Kernels:
    """The compiled kernels of a program on a device, one for each set of inputs. Methods may be called from any thread.

    No value that a program computes is an address, so kernels access only the buffers of a call.
    """

    timing: Timing
    device: Device
    target: Target

    def __init__(self, timing: Timing, level: str = "native") -> None:
        """`timing` is that of the program on the device; `level` of `target.LEVELS`."""
        self.timing, self.device = timing, timing.device
        self.target = host(level)
        self._kernels: dict[tuple[tuple[tuple[int, int], ...], tuple[Register, ...]], Kernel] = {}
        self._lock = threading.Lock()
        # What a wave may leave in a register; the others hold what the call began with.
        self._written = {target for issue in timing.issues if (target := timing.target(issue)) is not None}
        if self.device.value("x7x") == "cleared":
            self._written.add(X7X)
        sources = [source for inst in timing.insts for source in inst.operands]
        self._read = {place[1:] for source in sources if (place := register(source)) is not None and place[0] == "v"}

    @property
    def ready(self) -> bool:
        """Whether there is a kernel already."""
        return bool(self._kernels)

    def kernel(self, inputs: Sequence[tuple[int, int]], outputs: Sequence[Register]) -> Kernel:
        """Machine code from memory, from the cache on disk, or newly compiled. Raises Hang for a program that never ends."""
        key = tuple(inputs), tuple(outputs)
        found = self._kernels.get(key)
        if found is None:
            with self._lock:
                found = self._kernels.get(key)
                if found is None:
                    found = self._kernels[key] = self._compiled(plan_waves(self.timing, *key))
        return found

    def _compiled(self, plan: Plan) -> Kernel:
        words = tuple(map(encode, plan.timing.insts))
        name = cache.name(
            "waves", words, self.device.values, self.device.paces, self.device.added, plan.inputs, plan.outputs, self.target.key
        )
        loaded = load_kernel(name, lambda: generate(plan, self.target), self.target)
        return Kernel(plan, loaded, _Function(loaded.address))

    def run(
        self,
        constants: Mapping[tuple[int, int], int],
        inputs: Mapping[tuple[int, int], NDArray[np.uint32]],
        count: int,
        initial: Mapping[Register, Sequence[int]],
        threads: int = 1,
        outputs: Sequence[Register] | None = None,
        idle: Mapping[tuple[int, int], Sequence[int]] | None = None,
    ) -> dict[Register, NDArray[np.uint32]]:
        """As `engine.reference.run_vertices`, for `initial` registers of 16 lanes; `outputs` are those that leave the core
        unless others are named.

        `idle` is what the fetch writes to lanes after the last vertex (default: nothing). Raises Hang.
        """
        given = {place: np.ascontiguousarray(values, np.uint32) for place, values in inputs.items() if place in self._read}
        asked = exports(self.device) if outputs is None else outputs
        result = [place for place in asked if place in self._written or (place[0] == "v" and place[1:] in given)]
        kernel = self.kernel(sorted(given), result)
        table = np.zeros(CONSTANT_COUNT, np.uint32)
        for (number, component), value in constants.items():
            table[len(COMPONENTS) * number + component] = value
        held = np.zeros((len(kernel.plan.entering), LANES), np.uint32)
        for row, place in enumerate(kernel.plan.entering):
            if place in initial:
                held[row] = initial[place]
        waves, rest = divmod(count, LANES)
        found = {place: np.empty((waves + bool(rest)) * LANES, np.uint32) for place in kernel.plan.outputs}
        run = _Run(
            kernel=kernel,
            constants=table,
            registers=held,
            inputs=[given[place] for place in sorted(given)],
            outputs=list(found.values()),
        )
        run.waves(waves, 1 if kernel.plan.carried else threads)
        if rest:
            kept = self.device.value("between_waves") == "kept" and waves > 0
            last: list[NDArray[np.uint32]] = []
            for number, component in sorted(given):
                # Lanes that are off keep what their inputs had, but for those that the fetch writes.
                values = given[number, component]
                lanes = (
                    values[(waves - 1) * LANES : waves * LANES] if kept else initial.get(("v", number, component), [0] * LANES)
                )
                lanes = np.array(lanes, np.uint32)
                lanes[:rest] = values[waves * LANES :]
                extra = (idle or {}).get((number, component), ())
                lanes[rest : rest + len(extra)] = extra
                last.append(lanes)
            tail = [array[waves * LANES :] for array in found.values()]
            _Run(kernel=kernel, constants=table, registers=held, inputs=last, outputs=tail).waves(1, 1)
        # Rows of one array that nobody touches cost nothing.
        same = dict(
            zip([place for place in asked if place not in found], np.zeros((len(asked), count), np.uint32), strict=False)
        )
        for place, row in same.items():
            if place in initial:
                row[:] = np.resize(np.array(initial[place], np.uint32), count)
        return {place: found[place][:count] if place in found else same[place] for place in asked}


class _Run(Record):
    """A kernel with its data, for whole waves."""

    kernel: Kernel
    "The compiled program."
    constants: NDArray[np.uint32]
    "`CONSTANT_COUNT` patterns, c0.x first."
    registers: NDArray[np.uint32]
    "Patterns (registers, 16) in the order of `Plan.entering`; the kernel leaves the carried ones there."
    inputs: Sequence[NDArray[np.uint32]]
    "Patterns of all lanes of all waves, in the order of `Plan.inputs`."
    outputs: Sequence[NDArray[np.uint32]]
    "Arrays to write, of all lanes of all waves, in the order of `Plan.outputs`."

    def waves(self, count: int, threads: int) -> None:
        """So many waves; by several threads only if none needs the one before."""
        parts = max(1, min(threads, count))
        ranges = list(pairwise([count * part // parts for part in range(parts + 1)]))
        stop = Stop()
        if count:
            deque(shared(lambda part: self._some(*ranges[part], stop), parts, threads, stop), 0)

    def _some(self, first: int, last: int, stop: Stop) -> None:
        """Waves in calls of some milliseconds each. Raises Stopped."""
        words = [0, address(self.constants), address(self.registers)]
        words += [address(array) for array in (*self.inputs, *self.outputs)]
        block = np.array(words, np.int64)
        block[DATA:] += 4 * LANES * first
        each = max(1, _STEPS // max(1, len(self.kernel.plan.timing.issues)))
        for start in range(first, last, each):
            if stop.requested:
                raise Stopped
            block[WAVES] = min(each, last - start)
            self.kernel.run(address(block))
            block[DATA:] += 4 * LANES * each
