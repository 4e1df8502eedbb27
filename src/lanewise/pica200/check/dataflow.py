"""Dataflow over the words of a graph, for every rule: sets with a bit for each register component (`bit`)."""

from __future__ import annotations

from bisect import bisect_left

from lanewise.core.bits import bit_numbers
from lanewise.core.record import TYPE_CHECKING
from lanewise.graph import dataflow
from lanewise.graph.dataflow import EVERYTHING, Step
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem.components import Component, index_component
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS, is_indexed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.pica200.ir.graph import Graph
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.profile import Profile

# Bits: r0.x to r15.w, o0.x to o15.w, a0.xy, cmp.xy, aL, and two that are not registers.
_R, _O, _A0, _CMP, _AL = 0, 64, 128, 130, 132
SETEMIT, MOVA = 1 << 133, 1 << 134  # a vertex has been chosen; MOVA has just run

OUTPUTS = ((1 << 64) - 1) << _O
REGISTERS = (1 << 133) - 1

_FIRST = {"r": _R, "o": _O, "a0": _A0, "cmp": _CMP, "aL": _AL}


def bit(component: Component) -> int:
    """The bit of a component that a program can write. Raises KeyError for one of v or c."""
    return 1 << _FIRST[component.file] + 4 * component.number + component.channel


# By bit.
_COMPONENTS = (
    *[Component(file, n >> 2, n & 3) for file in "ro" for n in range(64)],
    *[Component(file, 0, n) for file in ("a0", "cmp") for n in range(2)],
    Component("aL"),
)


def bits(components: Sequence[Component]) -> int:
    found = 0
    for component in components:
        found |= bit(component)
    return found


def flows_of(instruction: ResolvedInst, profile: Profile) -> tuple[tuple[int, int], ...]:
    """Each component that an instruction writes, with those that its value depends on: `sem.components.flows` in bits."""
    register = instruction.dest.register
    first = {"dst": _R + 4 * (register - TEMPORARY) if register >= TEMPORARY else _O + 4 * register, "a0": _A0, "cmp": _CMP}
    seen = [_slots_of(source, profile) for source in instruction.sources]
    found: list[tuple[int, int]] = []
    for (what, channel), slots in written(instruction).items():
        behind = 0
        for number, slot in slots:
            behind |= seen[number][slot]
        found.append((1 << first[what] + channel, behind))
    return tuple(found)


def _slots_of(source: Source, profile: Profile) -> Sequence[int]:
    """What each slot of a source reads, of the components that a program can write."""
    if is_indexed(source, profile):
        return (bit(index_component(source.relative)),) * 4
    if TEMPORARY <= source.register < FLOAT:
        first = _R + 4 * (source.register - TEMPORARY)
        return [1 << first + component for component in SLOTS[source.selector]]
    return (0, 0, 0, 0)


def output_bits(register: int, mask: int) -> int:
    """The components of an output; `mask` has x in bit 3, as in a descriptor."""
    return sum(1 << _O + 4 * register + component for component in range(4) if mask >> (3 - component) & 1)


def components(found: int) -> list[Component]:
    """The components of a set, in the order r, o, a0, cmp, aL."""
    return [_COMPONENTS[n] for n in bit_numbers(found & REGISTERS)]


def forward(
    graph: Graph, step: Callable[[int], Step], start: int, *, must: bool, of: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The set before the first word of each block.

    `must`: elements that hold on every path to it; otherwise on some path. `start` is the set at the entry; `step(address)` is
    the effect of a word. `of` are the only words that have one, in order; None for all.
    """
    return dataflow.forward(graph.flow, _words(graph, of), step, {0: start}, must=must)


def gathered(graph: Graph, writes: Sequence[int], start: int, *, must: bool) -> tuple[int, ...]:
    """As `forward`, for sets that only grow: `writes` has by address what a word adds."""
    effects: list[Step] = []
    for block in graph.blocks:
        found, first = 0, block.state.pc
        for each in writes[first : first + block.size]:
            found |= each
        effects.append(Step(EVERYTHING, found))
    return dataflow.forward_of(graph.flow, effects, {0: start}, must=must)


def live(graph: Graph, reads: Sequence[int], kills: Sequence[int], at_end: int) -> tuple[int, ...]:
    """The components that a later word may read, after the last word of each block: `reads` and `kills` have by address what a
    word reads, and what it leaves of earlier values."""
    effects: list[Step] = []
    for block in graph.blocks:
        keep, add = EVERYTHING, 0
        for pc in reversed(block.addresses):
            kept = kills[pc]
            keep, add = keep & kept, add & kept | reads[pc]
        effects.append(Step(keep, add))
    return dataflow.backward_of(graph.flow, effects, dict.fromkeys(graph.ends, at_end))


def backward(graph: Graph, step: Callable[[int], Step], at_end: int, *, must: bool = False) -> tuple[int, ...]:
    """The set after the last word of each block, for facts about later words.

    `at_end` is the set after END.
    """
    return dataflow.backward(graph.flow, _words(graph), step, dict.fromkeys(graph.ends, at_end), must=must)


def before(
    graph: Graph, values: Sequence[int], step: Callable[[int], Step], of: Sequence[int] | None = None
) -> Iterator[tuple[int, int, int]]:
    """Yield (block, address, set before that word) for every word of every block, or those that are among `of`.

    `values` are those of `forward`.
    """
    return dataflow.before(_words(graph, of), values, step)


def after(graph: Graph, values: Sequence[int], step: Callable[[int], Step]) -> Iterator[tuple[int, int, int]]:
    """Yield (block, address, set after that word), last words first.

    `values` are those of `backward`.
    """
    return dataflow.after(_words(graph), values, step)


def items(graph: Graph, of: Sequence[int]) -> list[list[tuple[int, int]]]:
    """(block, address) of the words of each block that are among `of`, which are in order."""
    return [[(number, pc) for pc in found] for number, found in enumerate(_words(graph, of))]


def _words(graph: Graph, of: Sequence[int] | None = None) -> Sequence[Sequence[int]]:
    if of is None:
        return [block.addresses for block in graph.blocks]
    return [
        of[bisect_left(of, block.state.pc) : bisect_left(of, block.state.pc + block.size)] if of else ()
        for block in graph.blocks
    ]
