"""`Compiled`: a program with its kernels, which it selects for the data.

A kernel is specialised for the program, the profile, the values of the boolean uniforms that the program tests (until there are
too many sets of them; then they are tested at run time), the memory layout of each input, and the processor; the best kernels
also for the values of the integer uniforms that loops count, likewise, and for float uniforms that are not large.

What makes plans and code is imported when there is none in the cache on disk: that is a third of the modules of this engine.
"""

from __future__ import annotations

import json
import threading
from functools import cache as once
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core import events
from lanewise.llvm import cache
from lanewise.llvm.beside import BESIDE
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.movers import NO_MOVERS, movers
from lanewise.llvm.target import compile_object, host, load_object
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.llvm.kept import asked, from_json, identity, name_of, to_json
from lanewise.pica200.engine.llvm.kernel import Kernel
from lanewise.pica200.engine.llvm.rules import ORDINARY
from lanewise.pica200.engine.llvm.shape import QUICK, Shape, quick_shape
from lanewise.pica200.engine.llvm.shape import best as shape_of
from lanewise.pica200.engine.llvm.tiers import Tiered
from lanewise.pica200.ir.ssa import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.llvm.movement import Layout
    from lanewise.llvm.target import Loaded, Target
    from lanewise.pica200.engine.llvm.kernel import Layouts, Table
    from lanewise.pica200.engine.llvm.planned import Analysis, Plan
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile

_MOST_VARIANTS = 8  # sets of boolean uniforms, and of integer uniforms, that are compiled for themselves


class Assumed(NamedTuple):
    """The assumptions of a kernel about uniforms: `counts` are the integer uniforms of `Plan.counts`, empty if unknown; floats
    are below 2**`bound`, and clear but for those at `unclear` (`Shape`)."""

    counts: tuple[tuple[int, ...], ...]
    bound: float
    unclear: tuple[int, ...] | None = None

    def integers(self, plan: Plan) -> list[tuple[int, ...]]:
        """All integer uniforms, those that the program does not read as zeros."""
        known = dict(zip(plan.counts, self.counts, strict=True))
        return [known.get(number, (0, 0, 0, 0)) for number in range(4)]


NOTHING = Assumed((), ORDINARY)


class Compiled:
    """A shader on the compiled engine; with `geometry` it is a geometry shader.

    Kernels are compiled when data first needs them, and kept. Methods may be called from any thread.
    """

    words: tuple[int, ...]
    descriptors: tuple[int, ...]
    entry: int
    profile: Profile
    geometry: Geometry | None
    target: Target
    asked: tuple[int, ...]

    def __init__(
        self,
        words: Sequence[int],
        descriptors: Sequence[int],
        entry: int,
        profile: Profile,
        level: str = "native",
        geometry: Geometry | None = None,
    ) -> None:
        """`tier` may be changed at any time: kernels are asked for as it says then."""
        self.tier = tiers.AUTO
        self.words, self.descriptors, self.entry = tuple(words), tuple(descriptors), entry
        self.profile, self.geometry = profile, geometry
        self.target = host(level)
        self._identity = identity(self.words, self.descriptors, self.entry, profile, geometry)
        self.asked = asked(self.words, profile, geometry=geometry is not None)
        self._plans: dict[tuple[bool, ...] | None, Plan | Unsupported] = {}
        self.kernels: dict[tuple[object, ...], Tiered] = {}
        self._quick: dict[tuple[object, ...], Kernel] = {}
        self._counts: dict[int, set[tuple[tuple[int, ...], ...]]] = {}
        self._unclear: dict[int, tuple[int, ...]] = {}  # by plan the first places of uniforms that are not clear
        self._names: dict[tuple[object, ...], str] = {}  # of kernels in the cache on disk
        self._begun: dict[tuple[object, ...], int] = {}  # by kernel the `BESIDE.generation` that compiles it; -1: none yet
        self._lock = threading.RLock()  # of kernels
        self._planning = threading.Lock()  # a run that waits for a plan does not wait for a kernel of another one

    def plan(self, booleans: Sequence[bool]) -> Plan | Unsupported:
        """The plan for these boolean uniforms, or the reason why there is none."""
        key = tuple(booleans[number] for number in self.asked)
        found = self._plans.get(key)
        if found is None:
            with self._planning:
                found = self._plans.get(key)
                if found is None and len(self._plans) >= _MOST_VARIANTS:
                    found = self._plans.get(None) or self._plans.setdefault(None, self._planned({}))
                elif found is None:
                    found = self._plans[key] = self._planned(dict(zip(self.asked, key, strict=True)))
        return found

    def _planned(self, booleans: Mapping[int, bool]) -> Plan | Unsupported:
        """The plan, from the cache on disk or made now."""
        name = name_of(self._identity, booleans)
        kept = cache.get(name, cache.PLAN)
        found = None if kept is None else from_json(kept, self.profile, once(lambda: self._analysed(booleans)))
        if found is None:
            found = self._made(booleans)
            cache.put(name, to_json(found), cache.PLAN)
        if isinstance(found, Unsupported):
            events.info(events.ENGINES, "the reference engine runs a program that is not compiled: %s", found.reason)
        return found

    def _analysed(self, booleans: Mapping[int, bool]) -> Analysis:
        """The analyses of a plan that was kept."""
        found = self._made(booleans)
        assert not isinstance(found, Unsupported)
        return found.analysis()

    def _made(self, booleans: Mapping[int, bool]) -> Plan | Unsupported:
        from lanewise.pica200.engine.llvm.choice import unsupported
        from lanewise.pica200.engine.llvm.plan import kept_by, plan, plan_geometry

        reason = unsupported(self.profile)
        if reason:
            return Unsupported(reason)
        if self.geometry is not None:
            return plan_geometry(self.words, self.descriptors, self.entry, booleans, self.profile, self.geometry)
        found = plan(self.words, self.descriptors, self.entry, booleans, self.profile)
        if isinstance(found, Unsupported):
            return found
        # Values left by lanes that stop early are handled by `Runner`.
        kept = kept_by(found) if self.profile.initial_state == "kept" else ()
        if kept:
            return Unsupported(
                f"registers stay from vertex to vertex (initial_state is kept), and {kept[0]} may be used before it is written"
            )
        return found

    def kernel(
        self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False, table: Table | None = None
    ) -> Kernel:
        """The best kernel that is there: from memory, from the cache on disk, or compiled now."""
        return self.tiered(plan, layouts, exact=exact, counting=counting, table=table).kernel

    def tiered(
        self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False, table: Table | None = None
    ) -> Tiered:
        """The kernel as it gets better. With `table` it is for those uniforms only, and others that it may assume the same
        of."""
        assumed, key = self._key(plan, layouts, exact, counting, table)
        found = self.kernels.get(key)
        if found is None:
            with self._lock:
                found = self.kernels.get(key)
                if found is None:
                    found = self._tiered(plan, dict(layouts), assumed, exact=exact, counting=counting)
                    self.kernels[key] = found
        return found

    def _key(
        self, plan: Plan, layouts: Layouts, exact: bool, counting: bool, table: Table | None
    ) -> tuple[Assumed, tuple[object, ...]]:
        """Assumptions of a kernel, and its key among those in memory."""
        assumed = NOTHING if table is None or exact or counting or plan.emission else self.assumed(plan, table)
        return assumed, (id(plan), layouts, exact, counting, self.tier, assumed)

    def present(self, plan: Plan, layouts: Layouts, table: Table | None) -> Tiered | None:
        """The kernel of a run, not an exact one, if it is in memory."""
        return self.kernels.get(self._key(plan, layouts, False, False, table)[1])

    def lacks(self, plan: Plan, layouts: Layouts, table: Table | None, *, exact: bool) -> bool:
        """Whether the kernel of a run would be compiled first."""
        if self.tier != tiers.AUTO:
            return self.tier == tiers.FIRST
        assumed, key = self._key(plan, layouts, exact, False, table)
        if key in self.kernels or (id(plan), layouts, exact, False) in self._quick:
            return False
        names = [self._name(tier, plan, layouts, assumed, exact, False) for tier in (tiers.BEST, tiers.QUICK)]
        return not any(map(cache.has, names))

    def begin(self, plan: Plan, layouts: Layouts, table: Table | None, *, exact: bool) -> None:
        """Have the kernel of a run compiled beside, once, from the second run on: a process that ends after one has no use for
        it, and does not import LLVM."""
        if self.tier != tiers.AUTO:
            return
        _, key = self._key(plan, layouts, exact, False, table)
        generation = self._begun.get(key)
        if generation is None:
            self._begun[key] = -1
        elif generation != BESIDE.generation:
            self._begun[key] = BESIDE.generation
            BESIDE.start(lambda: self._compile(plan, layouts, table, exact))

    def _compile(self, plan: Plan, layouts: Layouts, table: Table | None, exact: bool) -> None:
        self.tiered(plan, layouts, exact=exact, table=table)

    def assumed(self, plan: Plan, table: Table) -> Assumed:
        """Return the assumptions of the best kernel about these uniforms: their counts, for some of them, how large they are,
        and which are not clear: none, those of the first uniforms that had any, or any."""
        counts = tuple(tuple(table.integers[4 * number : 4 * number + 4].tolist()) for number in plan.counts)
        known = self._counts.setdefault(id(plan), set())
        if counts not in known:
            if len(known) >= _MOST_VARIANTS:
                counts = ()
            known.add(counts)
        unclear: tuple[int, ...] | None = table.unclear
        if unclear:
            first = self._unclear.setdefault(id(plan), unclear)
            unclear = first if set(unclear) <= set(first) else None
        return Assumed(counts, table.bound, unclear)

    @property
    def ready(self) -> bool:
        """Whether there is a kernel already."""
        return bool(self.kernels)

    def speculates(self, table: Table) -> bool:
        """Whether to run speculative code first.

        For float24, the processor must have a rounding mode.
        """
        return table.ordinary and (self.target.sets_rounding or self.profile.rounding == "float32")

    def _name(self, tier: str, plan: Plan, layouts: Layouts, assumed: Assumed, exact: bool, counting: bool) -> str:
        """The name of a kernel in the cache on disk."""
        key = id(plan), tier, layouts, assumed, exact, counting
        found = self._names.get(key)
        if found is None:
            parts = plan.booleans, sorted(layouts), exact, counting, self.target.key
            found = self._names[key] = cache.name(self._identity, tier, *parts, *(assumed if tier == tiers.BEST else ()))
        return found

    def _tiered(self, plan: Plan, layouts: Mapping[int, Layout], assumed: Assumed, *, exact: bool, counting: bool) -> Tiered:
        def name(tier: str) -> str:
            return self._name(tier, plan, tuple(layouts.items()), assumed, exact, counting)

        def ir(shape: Shape, plan: Plan = plan) -> str:
            from lanewise.pica200.engine.llvm.generate import generate

            return generate(plan, layouts, self.target, exact=exact, counting=counting, shape=shape)

        def kernel(shape: Shape, loaded: Loaded) -> Kernel:
            return Kernel.of(plan, layouts, shape.width, loaded, movers(self.target, shape.width) if shape.moved else NO_MOVERS)

        def quick() -> Kernel:
            key = (id(plan), tuple(layouts.items()), exact, counting)
            found = self._quick.get(key)
            if found is None:
                shape = QUICK if counting else quick_shape(plan, self.target)
                found = self._quick[key] = kernel(shape, load_kernel(name(tiers.QUICK), lambda: ir(shape), self.target.quick))
            return found

        def best() -> Kernel:
            from lanewise.pica200.engine.llvm.plan import unrolled

            mine = unrolled(plan, assumed.integers(plan)) if assumed.counts else plan
            if exact and not counting:
                shape = quick_shape(mine, self.target)
            else:
                shape = QUICK if counting else shape_of(mine, self.target, assumed.bound, assumed.unclear)
            text = ir(shape, mine)
            BESIDE.check()
            code = compile_object(text, self.target)
            loaded = load_object(code, self.target)
            cache.put(name(tiers.BEST), json.dumps(shape).encode() + b"\n" + code)
            return kernel(shape, loaded)

        def kept() -> Kernel | None:
            shape, _, code = (cache.get(name(tiers.BEST)) or b"").partition(b"\n")
            try:
                return kernel(Shape(*json.loads(shape)), load_object(code, self.target))
            except (RuntimeError, ValueError, TypeError):  # there is none, or it is not a kernel
                return None

        if self.tier in (tiers.FIRST, tiers.QUICK):
            return Tiered(quick())
        # Counting goes on until a lane ends, however long that takes.
        found = kept() or (best() if self.tier == tiers.BEST or counting else None)
        return Tiered(quick(), best) if found is None else Tiered(found)
