"""`Compiled`: a program with its kernels, which it selects for the data.

A kernel is specialised for the program, the profile, the values of the boolean uniforms that the program tests (until there are too
many sets of them; then they are tested at run time), the memory layout of each input, and the processor.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from lanewise.llvm import cache
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.target import host
from lanewise.pica200.engine.llvm import choice
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.kernel import Kernel
from lanewise.pica200.engine.llvm.plan import Plan, plan, plan_geometry
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.llvm.movement import Layout
    from lanewise.pica200.engine.llvm.kernel import Layouts, Table
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile

_MOST_VARIANTS = 8  # sets of boolean uniforms that are compiled for themselves


class Compiled:
    """A shader on the compiled engine; with `geometry` it is a geometry shader.

    Kernels are compiled when data first needs them, and kept. Methods may be called from any thread.
    """

    def __init__(
        self,
        words: Sequence[int],
        descriptors: Sequence[int],
        entry: int,
        profile: Profile,
        level: str = "native",
        geometry: Geometry | None = None,
    ) -> None:
        self.words, self.descriptors, self.entry = tuple(words), tuple(descriptors), entry
        self.profile, self.geometry = profile, geometry
        self.target = host(level)
        insts = [decode(word) for word in flow.code_memory(self.words, profile)]
        # The numbers of the boolean uniforms that instructions test.
        self.asked = tuple(sorted({inst.field("reg") for inst in insts if "bool" in inst.op.operands}))
        self._plans: dict[tuple[bool, ...] | None, Plan | Unsupported] = {}
        self._kernels: dict[tuple[object, ...], Kernel] = {}
        self._lock = threading.RLock()

    def plan(self, booleans: Sequence[bool]) -> Plan | Unsupported:
        """The plan for these boolean uniforms, or the reason why there is none."""
        key = tuple(booleans[number] for number in self.asked)
        found = self._plans.get(key)
        if found is None:
            with self._lock:
                if len(self._plans) >= _MOST_VARIANTS:
                    found = self._plans.get(None) or self._plans.setdefault(None, self._planned({}))
                else:
                    found = self._plans[key] = self._planned(dict(zip(self.asked, key, strict=True)))
        return found

    def _planned(self, booleans: Mapping[int, bool]) -> Plan | Unsupported:
        reason = choice.unsupported(self.profile)
        if reason:
            return Unsupported(reason)
        if self.geometry is not None:
            return plan_geometry(self.words, self.descriptors, self.entry, booleans, self.profile, self.geometry)
        found = plan(self.words, self.descriptors, self.entry, booleans, self.profile)
        if isinstance(found, Unsupported):
            return found
        kept = sorted(component for component in found.entering if component.file != "written")
        if kept and self.profile.initial_state == "kept":  # values left by lanes that stop early are handled by `Runner`
            return Unsupported(
                f"registers stay from vertex to vertex (initial_state is kept), and {kept[0]} may be used before it is written"
            )
        return found

    def kernel(self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False) -> Kernel:
        """The kernel, from memory, from the cache on disk, or compiled now."""
        key = (id(plan), layouts, exact, counting)
        found = self._kernels.get(key)
        if found is None:
            with self._lock:
                found = self._kernels.get(key)
                if found is None:
                    found = self._kernels[key] = self._compiled(plan, dict(layouts), exact=exact, counting=counting)
        return found

    @property
    def ready(self) -> bool:
        """Whether there is a kernel already."""
        return bool(self._kernels)

    def speculates(self, table: Table) -> bool:
        """Whether to run speculative code first.

        For float24, the processor must have a rounding mode.
        """
        return table.ordinary and (self.target.sets_rounding or self.profile.rounding == "float32")

    def _compiled(self, plan: Plan, layouts: Mapping[int, Layout], *, exact: bool, counting: bool) -> Kernel:
        name = cache.name(
            self.words,
            self.descriptors,
            self.entry,
            self.profile,
            self.geometry,
            plan.booleans,
            sorted(layouts.items()),
            exact,
            counting,
            self.target.key,
        )
        loaded = load_kernel(name, lambda: generate(plan, layouts, self.target, exact=exact, counting=counting), self.target)
        return Kernel.of(plan, layouts, self.target.width, loaded)
