"""What is to be compiled: a trace with everything that is known of it, whatever the target and the number rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.ir import passes
from lanewise.ir.graph import MOST_SHAPES, GivenUp
from lanewise.ir.trace import Cell, trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.ir.trace import Node, Trace
    from lanewise.sem.profile import Profile

# Programs with more blocks than this would take longer to compile than to run.
MOST_BLOCKS = 2_000
MOST_NODES = 60_000


class Plan(NamedTuple):
    """A program to compile.

    `outputs` are the o registers whose values are wanted, `written` what is known of which components are written, `unsure` the
    components that only some paths write, as masks by output. `inputs` are the components needed of each v register; `seen` the leaves
    of which somebody could see a subnormal. `steps` are the instructions of all blocks, each once. `booleans` are the known uniforms.
    """

    trace: Trace
    needs: passes.Live
    lanes: passes.Lanes
    outputs: tuple[int, ...]
    written: Mapping[int, passes.Written]
    unsure: Mapping[int, int]
    inputs: Mapping[int, tuple[int, ...]]
    uniforms: frozenset[int]
    gathers: bool
    seen: frozenset[Node]
    steps: int
    booleans: tuple[tuple[int, bool], ...]

    @property
    def entering(self) -> frozenset[Cell]:
        """The cells whose value before the program counts: what it may read before it writes."""
        return self.needs.begin[0]


def plan(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    booleans: Mapping[int, bool],
    profile: Profile,
) -> Plan | GivenUp:
    """A plan for a vertex shader, or the reason why there is none. `booleans` are uniforms with known values."""
    found = trace(words, descriptors, entry, booleans=booleans, profile=profile, limit=MOST_SHAPES)
    if isinstance(found, GivenUp):
        return found
    if len(found.blocks) > MOST_BLOCKS:
        return GivenUp(f"the program has {len(found.blocks)} blocks, and more than {MOST_BLOCKS} are not compiled")
    known = passes.written(found)
    unsure = {n: masks.ever & ~masks.always for n, masks in known.items() if masks.ever & ~masks.always}
    found = passes.with_written(found, known)
    wanted = [Cell("o", n, c) for n in known for c in range(4)]
    wanted += [Cell("written", n, c) for n, mask in unsure.items() for c in range(4) if mask & 8 >> c]
    needs = passes.live(found, wanted)
    if sum(map(len, needs.nodes)) > MOST_NODES:
        return GivenUp(f"the program makes {sum(map(len, needs.nodes))} values, and more than {MOST_NODES} are not compiled")
    inputs: dict[int, list[int]] = {}
    for _, register, component in passes.used_leaves(found, needs, "input"):
        inputs.setdefault(int(register), []).append(int(component))
    seen, _ = passes.seen_subnormals(found, needs)
    return Plan(
        found,
        needs,
        passes.lanes(found, needs),
        tuple(sorted(known)),
        known,
        unsure,
        {register: tuple(sorted(inputs[register])) for register in sorted(inputs)},
        frozenset(int(node[1]) for node in passes.used_leaves(found, needs, "uniform")),
        bool(passes.used_leaves(found, needs, "gather")),
        seen,
        sum(block.size for block in found.blocks),
        tuple(sorted(booleans.items())),
    )
