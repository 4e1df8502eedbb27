"""Repeated calls of a kernel from machine code, to measure it without Python."""

from __future__ import annotations

import ctypes
import time
from functools import cache
from typing import TYPE_CHECKING

from lanewise.llvm.target import compile_object, host, load_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.llvm.target import Loaded
    from lanewise.pica200.engine.llvm.kernel import Call, Kernel

_IR = """define void @run(ptr %kernel, ptr %args, i64 %times) nounwind {
entry:
  br label %more
more:
  %done = phi i64 [ 0, %entry ], [ %next, %more ]
  call void %kernel(ptr %args)
  %next = add i64 %done, 1
  %again = icmp ult i64 %next, %times
  br i1 %again, label %more, label %over
over:
  ret void
}
"""
_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


@cache
def _loop() -> tuple[Loaded, Callable[[int, int, int], None]]:
    target = host()
    loaded = load_object(compile_object(_IR, target), target)
    return loaded, _Function(loaded.address)


class Sampled:
    """A prepared call to measure; `best` is the shortest time of a run, in seconds.

    The call must have been run by `kernel` once, which sets its vectors; none may have been flagged or left, as the lists of those are not
    cleared between runs.
    """

    def __init__(self, kernel: Kernel, call: Call, at_least: float) -> None:
        """A sample takes `at_least` so many seconds."""
        self._address, self._call, self._arguments = kernel.code.address, call, call.repeat()
        self._times = 1
        self.best = self._once()
        while (spent := self._once()) < at_least:
            self._times = min(max(2 * self._times, int(1.2 * self._times * at_least / max(spent, 1e-9))), 1 << 30)

    def sample(self) -> None:
        self.best = min(self.best, self._once() / self._times)

    def _once(self) -> float:
        _, loop = _loop()
        start = time.perf_counter()
        loop(self._address, self._arguments, self._times)
        return time.perf_counter() - start


def seconds_of(sampled: Sequence[Sampled], samples: int) -> list[float]:
    """The best time of a run of each, in seconds. They alternate, so that load affects all alike."""
    for _ in range(samples):
        for one in sampled:
            one.sample()
    return [one.best for one in sampled]
