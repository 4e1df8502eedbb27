"""Kernels of ShaderCore programs that are run somewhere else: on an Arm, or between guard pages.

    python -m engines.wave_buffers 100

runs so many random programs in the folder `tests`, with every buffer between pages that nobody may touch (test_wave_targets.py
runs this as a process of its own).
"""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import threading
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from engines.guarded import Guarded
from engines.kernels import Buffer
from engines.waves import case, differing
from lanewise.llvm.target import aarch64, compile_object
from lanewise.shadercore.engine.llvm.wave_kernels import Kernel, Kernels
from lanewise.shadercore.engine.llvm.waves import CONSTANT_COUNT, CONSTANTS, DATA, REGISTERS, WAVES, Plan, generate
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engines.arm import Machine
    from lanewise.llvm.target import Loaded
    from lanewise.shadercore.engine.reference import Register
    from lanewise.shadercore.isa.timing import Timing

_ROW = 4 * LANES


def arguments(plan: Plan, address: int) -> NDArray[np.int64]:
    """The argument block at an address, in place."""
    count = DATA + len(plan.inputs) + len(plan.outputs)
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_int64)), (count,))


def buffers(plan: Plan, words: NDArray[np.int64]) -> list[Buffer]:
    """All that a kernel may touch beside its argument block and its stack."""
    size = int(words[WAVES]) * _ROW

    def buffer(slot: int, size: int, *, written: bool) -> Buffer:
        return Buffer(slot, int(words[slot]), size, written)

    found = [buffer(CONSTANTS, 4 * CONSTANT_COUNT, written=False)]
    found.append(buffer(REGISTERS, len(plan.entering) * _ROW, written=bool(plan.carried)))
    outputs = DATA + len(plan.inputs)
    found += [buffer(slot, size, written=False) for slot in range(DATA, outputs)]
    return found + [buffer(slot, size, written=True) for slot in range(outputs, len(words))]


class Watched(Kernels):
    """Kernels that see guarded copies of their buffers."""

    high = True
    runs: ClassVar = 0

    def kernel(self, inputs: Sequence[tuple[int, int]], outputs: Sequence[Register]) -> Kernel:
        found = super().kernel(inputs, outputs)

        def run(address: int) -> None:
            self.execute(found, arguments(found.plan, address))

        return found._replace(run=run)

    def execute(self, kernel: Kernel, words: NDArray[np.int64]) -> None:
        Watched.runs += 1
        mine = words.copy()
        guarded: list[tuple[Guarded, Buffer]] = []
        for buffer in buffers(kernel.plan, words):
            copy = Guarded(ctypes.string_at(buffer.address, buffer.size), high=self.high, writable=buffer.written)
            mine[buffer.slot] = copy.address
            guarded.append((copy, buffer))
        block = Guarded(mine.tobytes(), high=self.high, writable=False)
        kernel.run(block.address)
        for copy, buffer in guarded:
            after = copy.contents()
            if buffer.written:
                ctypes.memmove(buffer.address, after, len(after))


class Low(Watched):
    high = False


class ArmKernels(Kernels):
    """Kernels that run on `machine`."""

    machine: ClassVar[Machine]
    turn: ClassVar = threading.Lock()  # it does one thing at a time

    def __init__(self, timing: Timing, level: str = "native") -> None:
        super().__init__(timing, level)
        self.target = aarch64()

    def _compiled(self, plan: Plan) -> Kernel:
        path = self.machine.load(compile_object(generate(plan, self.target), self.target, jit=False))

        def run(address: int) -> None:
            words = arguments(plan, address)
            with self.turn:
                after = self.machine.call(path, words, buffers(plan, words))
            assert np.array_equal(after, words), "arguments have changed"

        return Kernel(plan, cast("Loaded", None), run)


def main() -> int:
    faulthandler.enable()
    for number in range(int(sys.argv[1])):
        # The last line before a crash says what was run.
        print(f"case(70, {number})", flush=True)
        kind = (Watched, Low)[number % 2]
        found = differing(case(70, number), lambda it, kind=kind: kind(it.timing), everything=number % 3 > 0)
        assert not found, found[:3]
    print(f"{Watched.runs} runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
