"""Tiers of a program: arrays where there is no kernel yet (`first`), a quick kernel, the best one as soon as the work pays for
it. All give the same bits.

`QUICK` code is compiled in half the time and runs at a third to all of the speed. `BEST` code is compiled on a thread beside,
and kept on disk for the next process, which then begins with it. `AUTO` is all of them; tests and measurements ask for one:
`FIRST` is arrays wherever they can, and else quick code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm.beside import BESIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.engine.llvm.kernel import Kernel

AUTO, FIRST, QUICK, BEST = "auto", "first", "quick", "best"
# So many vertices through quick code take about a quarter of the time in which the best code is compiled
# (bench/test_break_even.py).
PAYS = 1 << 20
LOOPED = 4  # vertices of a program with loops count for so many


class Tiered:
    """A kernel that gets better: `kernel` is the best there is so far."""

    kernel: Kernel

    def __init__(self, kernel: Kernel, best: Callable[[], Kernel] | None = None) -> None:
        """`best` makes the best kernel; None: this is it."""
        self.kernel, self._best = kernel, best
        self._weight = LOOPED if kernel.plan.loops else 1
        self._left = PAYS
        self._begun = -1

    @property
    def improves(self) -> bool:
        """Whether there may be a better kernel later."""
        return self._best is not None

    def ran(self, vertices: int) -> None:
        """Count a run of so many vertices; the best kernel is begun when enough have been run. May be called from any
        thread."""
        if self._best is None:
            return
        self._left -= vertices * self._weight
        if self._left > 0:
            return
        self._left = PAYS
        if self._begun != BESIDE.generation:
            self._begun = BESIDE.generation
            BESIDE.start(self._improve)

    def _improve(self) -> None:
        if self._best is not None:
            self.kernel = self._best()
            self._best = None
