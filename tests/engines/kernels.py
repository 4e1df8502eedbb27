"""Kernels of the compiled engine by themselves, with the buffers that a test wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from lanewise.engine.binding import Uniforms
from lanewise.engine.llvm import target
from lanewise.engine.llvm.compiled import Compiled, table_of
from lanewise.engine.llvm.kernel import Call
from lanewise.engine.llvm.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.engine.llvm.kernel import Kernel, Table
    from lanewise.engine.llvm.movement import Layout
    from lanewise.sem.profile import Profile

Layouts = tuple[tuple[int, "Layout"], ...]

NO_UNIFORMS = Uniforms(((0, 0, 0, 0),) * 96, ((0, 0, 0, 0),) * 4, (False,) * 16, frozenset())
LEVELS = ("native", "avx2", "sse")


def need_level(level: str) -> None:
    """Skip the test on a machine that has less."""
    try:
        target.host(level)
    except ValueError as error:
        pytest.skip(str(error))


class Kernels(NamedTuple):
    """The speculative and the exact kernel of a program, and its uniforms as they read them."""

    compiled: Compiled
    plan: Plan
    layouts: Layouts
    table: Table

    @classmethod
    def of(
        cls,
        words: Sequence[int],
        descriptors: Sequence[int],
        profile: Profile,
        layouts: Layouts,
        level: str = "native",
        uniforms: Uniforms = NO_UNIFORMS,
    ) -> Kernels:
        compiled = Compiled(words, descriptors, 0, profile, level)
        plan = compiled.plan(uniforms.booleans)
        assert isinstance(plan, Plan), plan
        return cls(compiled, plan, tuple(pair for pair in layouts if pair[0] in plan.inputs), table_of(plan, uniforms))

    def kernel(self, *, exact: bool) -> Kernel:
        return self.compiled.kernel(self.plan, self.layouts, exact=exact)

    def call(
        self,
        inputs: Mapping[int, NDArray[np.float32]],
        outputs: Mapping[int, NDArray[np.float32]],
        flags: Mapping[int, NDArray[np.uint8]],
        vertices: int,
        fuel: int = 1000,
    ) -> Call:
        return Call(self.kernel(exact=False), self.table, vertices, inputs, outputs, flags, fuel)

    def exactly(self, call: Call) -> None:
        """Every vector by the exact kernel."""
        call.run_exactly(self.kernel(exact=True), call.every_vector())
