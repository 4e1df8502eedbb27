"""Compilation plans: a function with its analyses, independent of target and number rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.engine.llvm.planned import MOST_UNROLLED_STEPS, Analysis, Emission, Plan, Site
from lanewise.pica200.ir import passes, unroll
from lanewise.pica200.ir.build import build
from lanewise.pica200.ir.graph import MOST_STATES
from lanewise.pica200.ir.ssa import INHERITED, Geometry, Unsupported
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import LOOP, RESERVED_BOOLEAN
from lanewise.pica200.sem.components import AL, SETEMIT, Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.pica200.ir.ssa import Block, Emit, Function, Node, Written
    from lanewise.pica200.sem.profile import Profile

# Programs with more values than this would take longer to compile than to run.
MOST_NODES = 20_000
MOST_UNROLLED = 1_200  # more values are not worth the time that their compilation takes
# Cells that every run begins anew.
_OF_THE_RUN = frozenset(("written", "banked", "setemit"))


def plan(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    booleans: Mapping[int, bool],
    profile: Profile,
) -> Plan | Unsupported:
    """Plan a vertex shader, or give the reason why it cannot be compiled.

    `booleans` are uniforms with known values.
    """
    found = build(words, descriptors, entry, booleans=booleans, profile=profile, limit=MOST_STATES)
    if isinstance(found, Unsupported):
        return found
    known = passes.written(found)
    unsure = {n: masks.ever & ~masks.always for n, masks in known.items() if masks.ever & ~masks.always}
    found = passes.with_leaves(passes.with_written(found, known))
    return _planned(found, wanted_of(known, unsure), known, unsure, booleans)


def kept_by(plan: Plan) -> list[Component]:
    """The components that a vertex shader may read as another vertex has left them, in order; those that no vertex sets stay
    zero."""
    ever = passes.ever_set([plan.function]) | {AL}  # a vertex that stops right after a LOOP leaves its aL
    return _of_other_runs(plan.entering & ever)


def wanted_of(known: Iterable[int], unsure: Mapping[int, int]) -> list[Component]:
    """The components wanted after END: the outputs, and flags of those that only some paths write."""
    wanted = [Component("o", n, c) for n in known for c in range(4)]
    return wanted + [Component("written", n, c) for n, mask in unsure.items() for c in range(4) if mask & 8 >> c]


def unrolled(plan: Plan, integers: Sequence[Sequence[int]]) -> Plan:
    """The plan for integer uniforms with these values, without the loops that they count; `plan` if it has none, or would
    become too large.

    It has the same arguments as `plan`, which says what may happen: `loops` is as there. `plan` too where no lane could come to
    END any more.
    """
    if not plan.counts or plan.emission is not None:
        return plan
    found = unroll.unrolled(plan.function, plan.needs, integers, MOST_UNROLLED)
    if found is None or not passes.ending(found):
        return plan
    result = _planned(found, wanted_of(plan.written, plan.unsure), plan.written, plan.unsure, dict(plan.booleans))
    if isinstance(result, Unsupported) or result.steps > MOST_UNROLLED_STEPS:
        return plan
    return result._replace(inputs=plan.inputs, loops=plan.loops, counts=())


def plan_geometry(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    booleans: Mapping[int, bool],
    profile: Profile,
    geometry: Geometry,
) -> Plan | Unsupported:
    """Plan runs of a geometry shader.

    They may share only the vertices in the slots and the last SETEMIT.
    """
    found = _emitting(words, descriptors, entry, booleans, profile, geometry)
    if isinstance(found, Unsupported):
        return found
    result = _planned(found, (), {}, {}, booleans)
    if isinstance(result, Unsupported):
        return result
    inherits = any(_enters_setting(block, sent) for block in found.blocks for sent in block.emits)
    if inherits:
        result = _planned(found, (SETEMIT,), {}, {}, booleans)
        if isinstance(result, Unsupported):
            return result
    by_index = False
    if profile.keep_registers_between_invocations == "kept":
        functions = [found]
        if booleans.get(RESERVED_BOOLEAN):
            first = _emitting(words, descriptors, entry, {**booleans, RESERVED_BOOLEAN: False}, profile, geometry)
            if isinstance(first, Unsupported):
                return first
            functions.append(first)
        ever = passes.ever_set(functions)
        if any(decode(word).op.kind == LOOP for word in words):  # a run that stops right after a LOOP leaves its aL
            ever |= {AL}
        kept = _of_other_runs(result.entering & ever)
        if kept:
            return Unsupported(
                f"registers stay from run to run (keep_registers_between_invocations is kept), and {kept[0]} may be used "
                "before it is written"
            )
        by_index = bool(_of_other_runs(passes.live(found, (), indexed=True).begin[0] & ever))
    return result._replace(emission=_emission(result, geometry, leaves=inherits, kept=by_index))


def _emitting(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    booleans: Mapping[int, bool],
    profile: Profile,
    geometry: Geometry,
) -> Function | Unsupported:
    """The function, with what is known of written outputs and settings whenever a block begins."""
    found = build(words, descriptors, entry, booleans=booleans, profile=profile, limit=MOST_STATES, geometry=geometry)
    if isinstance(found, Unsupported):
        return found
    start: dict[Component, Node] = {SETEMIT: ("integer", INHERITED)}
    start |= {
        Component(file, n, c): ("truth", False) for file in ("written", "banked") for n in geometry.outputs for c in range(4)
    }
    return passes.with_known(found, start)


def _of_other_runs(components: Iterable[Component]) -> list[Component]:
    return sorted(component for component in components if component.file not in _OF_THE_RUN)


def _enters_setting(block: Block, sent: Emit) -> bool:
    """Whether an EMIT may go by what the run before has left."""
    node = block.nodes[sent.setting]
    return node[0] != "integer" or node[1] == INHERITED


def _emission(result: Plan, geometry: Geometry, *, leaves: bool, kept: bool) -> Emission:
    found = result.function
    sites: list[Site] = []
    first: dict[int, int] = {}
    loops = result.lanes.order.loops
    place = {block: n for n, block in enumerate(result.lanes.order.blocks)}
    again = False
    for number, block in enumerate(found.blocks):
        first[number] = len(sites)
        if block.emits:
            again |= any(place[head] <= place[number] <= place[last] for head, last in loops.items())
        for sent in block.emits:
            node = block.nodes[sent.setting]
            setting = int(node[1]) if node[0] == "integer" else None
            sites.append(Site(setting, {n: _known_mask(block.nodes, sent, n) for n in geometry.outputs}))
    return Emission(
        outputs=geometry.outputs,
        sites=tuple(sites),
        first=first,
        most=None if again else len(sites),
        leaves=leaves,
        fed=geometry.fed,
        kept=kept,
    )


def _known_mask(nodes: Sequence[Node], sent: Emit, number: int) -> int | None:
    flags = [nodes[value] for value in sent.written[number]]
    if any(node[0] != "truth" for node in flags):
        return None
    return sum(8 >> c for c, node in enumerate(flags) if node[1])


def _planned(
    found: Function,
    wanted: Sequence[Component],
    known: Mapping[int, Written],
    unsure: Mapping[int, int],
    booleans: Mapping[int, bool],
) -> Plan | Unsupported:
    """The analyses of a function, of which these components are wanted after END, and its emitted vertices."""
    needs = passes.live(found, wanted)
    if sum(map(len, needs.nodes)) > MOST_NODES:
        return Unsupported(
            f"the program makes {sum(map(len, needs.nodes))} values, and more than {MOST_NODES} are not compiled"
        )
    inputs: dict[int, list[int]] = {}
    for _, register, component in passes.used_leaves(found, needs, "input"):
        inputs.setdefault(int(register), []).append(int(component))
    seen, _ = passes.seen_subnormals(found, needs)
    copied = passes.copied(found, known)
    others = [component for component in wanted if component.file != "o" or component.number not in copied]
    computed = passes.used_leaves(found, passes.live(found, others) if copied else needs, "input")
    analysis = Analysis(
        function=found, needs=needs, lanes=passes.lanes(found, needs), copied=copied, computed=frozenset(computed)
    )
    return Plan(
        analysis=lambda: analysis,
        profile=found.profile,
        outputs=tuple(sorted(known)),
        written=known,
        unsure=unsure,
        inputs={register: tuple(sorted(inputs[register])) for register in sorted(inputs)},
        uniforms=frozenset(int(node[1]) for node in passes.used_leaves(found, needs, "uniform")),
        gathers=bool(passes.used_leaves(found, needs, "gather") or passes.used_leaves(found, needs, "fed")),
        seen=seen,
        steps=sum(block.size for block in found.blocks),
        loops=bool(analysis.lanes.order.loops),
        counts=tuple(sorted({int(node[1]) for node in passes.used_leaves(found, needs, "component")})),
        booleans=tuple(sorted(booleans.items())),
    )
