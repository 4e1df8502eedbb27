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
    """A function to measure; `best` is the shortest time of a run, in seconds.

    That is time on the wall: on a virtual machine the CPU time of a thread leaves out what the host takes, and more than that
    (a loop seemed to do nine instructions in a cycle of six). Short samples have some that nothing interrupts.
    """

    def __init__(self, address: int, arguments: int, at_least: float, referenced: object = None) -> None:
        """Measure a function of one pointer. A sample takes `at_least` so many seconds; `referenced` is kept alive."""
        self._address, self._referenced = address, referenced
        self.arguments: int = arguments
        self._times = 1
        self._samples: list[float] = []
        self.best: float = self._once()
        while (spent := self._once()) < at_least:
            self._times = min(max(2 * self._times, int(1.2 * self._times * at_least / max(spent, 1e-9))), 1 << 30)
        self.best = min(self.best, spent / self._times)

    @classmethod
    def of(cls, kernel: Kernel, call: Call, at_least: float) -> Sampled:
        """Measure a prepared call.

        It must have been run by `kernel` once, which sets its vectors; none may have been flagged or left, as the lists of
        those are not cleared between runs.
        """
        return cls(kernel.code.address, call.repeat(), at_least, (kernel, call))

    @staticmethod
    def once(address: int, arguments: int) -> None:
        """Call a function of one pointer, without measuring."""
        _loop()[1](address, arguments, 1)

    def sample(self) -> None:
        self._samples.append(self._once() / self._times)
        self.best = min(self.best, self._samples[-1])

    @property
    def usual(self) -> float:
        """A time of a run that a quarter of the samples are below, in seconds: nothing that happens once changes it."""
        return sorted(self._samples)[len(self._samples) // 4]

    def _once(self) -> float:
        _, loop = _loop()
        start = time.perf_counter_ns()
        loop(self._address, self.arguments, self._times)
        return 1e-9 * (time.perf_counter_ns() - start)


def seconds_of(sampled: Sequence[Sampled], samples: int) -> list[float]:
    """The best time of a run of each, in seconds. They alternate, so that load affects all alike."""
    for _ in range(samples):
        for one in sampled:
            one.sample()
    return [one.best for one in sampled]
