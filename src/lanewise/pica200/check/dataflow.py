"""Dataflow over a graph, once for every rule: sets of components as bits, one equation for each word, solved to a fixed point.

A set is an integer with a bit for each component (`bit`). What a word does to it is a `Step`: what comes out is
`(in & keep) | add`. That is enough for definite assignment, liveness, what is written since the last EMIT, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.sem.cells import Cell
from lanewise.pica200.sem.flow import End

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.pica200.ir.graph import Graph

# Bits: r0.x to r15.w, o0.x to o15.w, a0.xy, cmp.xy, aL, and three that are no registers.
_R, _O, _A0, _CMP, _AL = 0, 64, 128, 130, 132
SETEMIT, EMITTED, MOVA = 1 << 133, 1 << 134, 1 << 135  # a vertex has been chosen; one has been sent; MOVA has just run

OUTPUTS = ((1 << 64) - 1) << _O
REGISTERS = (1 << 133) - 1
EVERYTHING = -1

_FIRST = {"r": _R, "o": _O, "a0": _A0, "cmp": _CMP, "aL": _AL}


class Step(NamedTuple):
    """What one word does to a set."""

    keep: int = EVERYTHING
    add: int = 0


NOTHING = Step()


def bit(cell: Cell) -> int:
    """The bit of a component that a program can write. Raises KeyError for one of v or c."""
    return 1 << _FIRST[cell.file] + 4 * cell.number + cell.component


def bits(cells: Sequence[Cell]) -> int:
    found = 0
    for cell in cells:
        found |= bit(cell)
    return found


def output_bits(register: int, mask: int) -> int:
    """The components of an output; `mask` has x in bit 3, as in a descriptor."""
    return sum(1 << _O + 4 * register + component for component in range(4) if mask >> (3 - component) & 1)


def cells(found: int) -> list[Cell]:
    """The components of a set, in the order r, o, a0, cmp, aL."""
    listed = [Cell("r", n >> 2, n & 3) for n in range(64) if found >> _R + n & 1]
    listed += [Cell("o", n >> 2, n & 3) for n in range(64) if found >> _O + n & 1]
    listed += [Cell("a0", 0, n) for n in range(2) if found >> _A0 + n & 1]
    listed += [Cell("cmp", 0, n) for n in range(2) if found >> _CMP + n & 1]
    return listed + [Cell("aL")] * (found >> _AL & 1)


def forward(graph: Graph, step: Callable[[int], Step], start: int, *, must: bool) -> tuple[int, ...]:
    """By block: the set before its first word. `must`: what holds on every way there; otherwise on some way.

    `start` is the set at the entry; `step(address)` is what a word does.
    """
    effects = [_composed([step(address) for address in block.addresses]) for block in graph.blocks]
    return _solve(graph.predecessors, graph.successors, effects, {0: start}, must, reverse=False)


def backward(graph: Graph, step: Callable[[int], Step], at_end: int, *, must: bool = False) -> tuple[int, ...]:
    """By block: the set after its last word, for what depends on the words to come. `at_end` is the set where END has run."""
    effects = [_composed([step(address) for address in reversed(block.addresses)]) for block in graph.blocks]
    starts = {
        number: at_end for number, leaving in enumerate(graph.passages) if any(isinstance(way.target, End) for way in leaving)
    }
    return _solve(graph.successors, graph.predecessors, effects, starts, must, reverse=True)


def before(graph: Graph, values: Sequence[int], step: Callable[[int], Step]) -> Iterator[tuple[int, int, int]]:
    """(block, address, set before that word) for every word of every block; `values` are those of `forward`."""
    for block, coming in zip(graph.blocks, values, strict=True):
        value = coming
        for address in block.addresses:
            yield block.number, address, value
            keep, add = step(address)
            value = value & keep | add


def after(graph: Graph, values: Sequence[int], step: Callable[[int], Step]) -> Iterator[tuple[int, int, int]]:
    """(block, address, set after that word), last words first; `values` are those of `backward`."""
    for block, coming in zip(graph.blocks, values, strict=True):
        value = coming
        for address in reversed(block.addresses):
            yield block.number, address, value
            keep, add = step(address)
            value = value & keep | add


def _composed(steps: Sequence[Step]) -> Step:
    """Some steps one after the other as one."""
    all_keep, all_add = EVERYTHING, 0
    for keep, add in steps:
        all_keep, all_add = all_keep & keep, all_add & keep | add
    return Step(all_keep, all_add)


def _solve(
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    effects: Sequence[Step],
    starts: dict[int, int],
    must: bool,
    *,
    reverse: bool,
) -> tuple[int, ...]:
    """The set that flows into each block. A block that nothing flows into has everything (`must`) or nothing."""
    neutral = EVERYTHING if must else 0
    flowing = [neutral] * len(effects)
    waiting = dict.fromkeys(range(len(effects) - 1, -1, -1) if reverse else range(len(effects)))
    coming = [neutral] * len(effects)
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        value = starts.get(number, neutral)
        for source in sources[number]:
            value = value & flowing[source] if must else value | flowing[source]
        coming[number] = value
        keep, add = effects[number]
        out = value & keep | add
        if out != flowing[number]:
            flowing[number] = out
            waiting.update(dict.fromkeys(targets[number]))
    return tuple(coming)
