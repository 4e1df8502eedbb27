"""Dataflow over the words of a graph, for every rule: sets with a bit for each register component (`bit`)."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph import dataflow
from lanewise.pica200.sem.components import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.graph.dataflow import Step
    from lanewise.pica200.ir.graph import Graph

# Bits: r0.x to r15.w, o0.x to o15.w, a0.xy, cmp.xy, aL, and two that are not registers.
_R, _O, _A0, _CMP, _AL = 0, 64, 128, 130, 132
SETEMIT, MOVA = 1 << 133, 1 << 134  # a vertex has been chosen; MOVA has just run

OUTPUTS = ((1 << 64) - 1) << _O
REGISTERS = (1 << 133) - 1

_FIRST = {"r": _R, "o": _O, "a0": _A0, "cmp": _CMP, "aL": _AL}


def bit(component: Component) -> int:
    """The bit of a component that a program can write. Raises KeyError for one of v or c."""
    return 1 << _FIRST[component.file] + 4 * component.number + component.channel


def bits(components: Sequence[Component]) -> int:
    found = 0
    for component in components:
        found |= bit(component)
    return found


def output_bits(register: int, mask: int) -> int:
    """The components of an output; `mask` has x in bit 3, as in a descriptor."""
    return sum(1 << _O + 4 * register + component for component in range(4) if mask >> (3 - component) & 1)


def components(found: int) -> list[Component]:
    """The components of a set, in the order r, o, a0, cmp, aL."""
    listed = [Component("r", n >> 2, n & 3) for n in range(64) if found >> _R + n & 1]
    listed += [Component("o", n >> 2, n & 3) for n in range(64) if found >> _O + n & 1]
    listed += [Component("a0", 0, n) for n in range(2) if found >> _A0 + n & 1]
    listed += [Component("cmp", 0, n) for n in range(2) if found >> _CMP + n & 1]
    return listed + [Component("aL")] * (found >> _AL & 1)


def forward(graph: Graph, step: Callable[[int], Step], start: int, *, must: bool) -> tuple[int, ...]:
    """The set before the first word of each block.

    `must`: elements that hold on every path to it; otherwise on some path. `start` is the set at the entry; `step(address)` is the effect
    of a word.
    """
    return dataflow.forward(graph.flow, _words(graph), step, {0: start}, must=must)


def backward(graph: Graph, step: Callable[[int], Step], at_end: int, *, must: bool = False) -> tuple[int, ...]:
    """The set after the last word of each block, for facts about later words.

    `at_end` is the set after END.
    """
    return dataflow.backward(graph.flow, _words(graph), step, dict.fromkeys(graph.ends, at_end), must=must)


def before(graph: Graph, values: Sequence[int], step: Callable[[int], Step]) -> Iterator[tuple[int, int, int]]:
    """Yield (block, address, set before that word) for every word of every block.

    `values` are those of `forward`.
    """
    return dataflow.before(_words(graph), values, step)


def after(graph: Graph, values: Sequence[int], step: Callable[[int], Step]) -> Iterator[tuple[int, int, int]]:
    """Yield (block, address, set after that word), last words first.

    `values` are those of `backward`.
    """
    return dataflow.after(_words(graph), values, step)


def _words(graph: Graph) -> list[range]:
    return [block.addresses for block in graph.blocks]
