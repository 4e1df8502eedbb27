"""Kernels of the compiled engine by themselves, with the buffers that a test wants."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import pytest

from lanewise.llvm import target
from lanewise.llvm.movement import ONE
from lanewise.llvm.target import Target
from lanewise.pica200.engine.binding import Uniforms
from lanewise.pica200.engine.geometry_batch import GeometryRunner
from lanewise.pica200.engine.llvm import arguments, emitting, generate
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.llvm.kernel import Call
from lanewise.pica200.engine.llvm.plan import Plan
from lanewise.pica200.engine.llvm.running import table_of
from lanewise.pica200.engine.llvm.tiers import Tiered
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.movement import Layout
    from lanewise.pica200.engine.llvm.kernel import Kernel, Layouts, Table
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile

CHANGED = arguments.FLAGGED_COUNT, arguments.BAILED_COUNT, arguments.DONE  # words of the argument block that a kernel writes
NO_UNIFORMS = Uniforms(floats=((0, 0, 0, 0),) * 96, integers=((0, 0, 0, 0),) * 4, booleans=(False,) * 16, given=frozenset())
LEVELS = ("native", "avx2", "sse")
UNKNOWN = "unknown"  # a processor that nobody has told how to round


def need_level(level: str) -> None:
    """Skip the test on a machine that has less."""
    try:
        target.host(level)
    except ValueError as error:
        pytest.skip(str(error))


def unknown() -> Target:
    return Target(triple=target.host().triple, cpu="", features="", family="", level="")


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
        compiled = Compiled(words, descriptors, 0, profile, "native" if level == UNKNOWN else level)
        if level == UNKNOWN:
            compiled.target = unknown()
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


class Buffer(NamedTuple):
    """Memory that a kernel is given: the word of the argument block with its address, its size in bytes, whether results go
    there."""

    slot: int
    address: int
    size: int
    written: bool


class Site(NamedTuple):
    """A kernel, how its inputs lie, and which of the two kinds it is."""

    kernel: Kernel
    layouts: Mapping[int, Layout]
    exact: bool


def built(site: Site, address: int) -> NDArray[np.int64]:
    """The argument block at an address, in place."""
    count = generate.slots(site.kernel.plan, site.layouts)[3]
    count += arguments.EMISSION if site.kernel.plan.emission is not None else 0
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_int64)), (count,))


def buffers(site: Site, words: NDArray[np.int64]) -> list[Buffer]:
    """All that a kernel may touch beside its argument block and its stack; the contract that guard pages watch over."""
    inputs, outputs, flags, more = generate.slots(site.kernel.plan, site.layouts)
    vertices, count = int(words[arguments.VERTICES]), int(words[arguments.COUNT])
    room = int(words[arguments.ROOM])

    def buffer(slot: int, size: int, *, written: bool) -> Buffer:
        return Buffer(slot, int(words[slot]), size, written)

    found = [
        buffer(arguments.UNIFORMS, len(arguments.TABLES) * arguments.ROWS * 16, written=False),
        buffer(arguments.INTEGERS, 16 * 4, written=False),
        buffer(arguments.BOOLEANS, 16 * 4, written=False),
        buffer(arguments.BAILED, 8 * room, written=True),
        buffer(arguments.STOP, 8, written=False),
    ]
    listed = arguments.LIST if site.exact else arguments.FLAGGED
    found.append(buffer(listed, 4 * (count if site.exact else room), written=not site.exact))
    for register, slot in inputs.items():
        layout, stride = site.layouts[register], int(words[slot + 1])
        rows = 1 if layout.kind == ONE else vertices
        found.append(buffer(slot, (rows - 1) * stride + 4 * layout.components, written=False))
    found += [buffer(slot, 16 * vertices, written=True) for slot in outputs.values()]
    found += [buffer(slot, vertices, written=True) for slot in flags.values()]
    emission = site.kernel.plan.emission
    if emission is not None:
        width = site.kernel.width
        vectors, room = -(-vertices // width), int(words[more + arguments.RECORDS_ROOM])
        size = 4 * emitting.Form.of(emission, width).size
        found.append(buffer(more + arguments.RECORDS, vectors * room * size, written=True))
        found.append(buffer(more + arguments.COUNTS, 4 * vectors, written=True))
        if emission.leaves:
            found.append(buffer(more + arguments.LEFT, 4 * vectors * width, written=True))
        if emission.fed:
            stride = int(words[more + arguments.STRIDE])
            found.append(buffer(more + arguments.FEED, (len(emission.fed) - 1) * stride + 16 * vertices, written=False))
    return found


class Intercepted(Compiled):
    """A program whose kernels are run by `execute` of a subclass, which gets the argument block."""

    def lacks(self, plan: Plan, layouts: Layouts, table: Table | None, *, exact: bool) -> bool:
        return False

    def present(self, plan: Plan, layouts: Layouts, table: Table | None) -> Tiered | None:
        return None

    def tiered(
        self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False, table: Table | None = None
    ) -> Tiered:
        found = super().tiered(plan, layouts, exact=exact, counting=counting, table=table)
        site = Site(found.kernel, dict(layouts), exact)

        def run(address: int) -> None:
            self.execute(site, built(site, address))

        return Tiered(site.kernel._replace(run=run))

    def execute(self, site: Site, words: NDArray[np.int64]) -> None:
        """Do what the kernel does with its arguments, which are `words`: the memory itself."""
        raise NotImplementedError


class InterceptedRunner(Runner):
    """A vertex shader that runs its compiled code by way of `kind`."""

    kind: ClassVar[type[Intercepted]]

    @cached_property
    def intercepted(self) -> Intercepted:
        return self.kind(self.words, self.descriptors, self.entry, self.profile)

    @property
    def compiled(self) -> Compiled:
        return self.intercepted


class InterceptedGeometryRunner(GeometryRunner):
    """A geometry shader that runs its compiled code by way of `kind`."""

    kind: ClassVar[type[Intercepted]]

    def compiled(self, geometry: Geometry) -> Compiled:
        return self.kind(self.words, self.descriptors, self.entry, self.profile, self.level, geometry)


def counted(words: NDArray[np.int64], after: NDArray[np.int64]) -> None:
    """Take over the words of an argument block that a kernel changes. Raises AssertionError if it has changed others."""
    changed = np.nonzero(words != after)[0].tolist()
    assert set(changed) <= set(CHANGED), f"words {changed} of the arguments are changed"
    words[:] = after
