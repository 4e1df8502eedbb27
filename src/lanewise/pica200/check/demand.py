"""Demand: the components that a word reads and whose values can have an effect.

A value has an effect if it reaches an output that a later stage takes, or decides a condition. This is liveness in which an
instruction whose results are dead reads nothing. What EMIT sends are outputs, and the banks keep them, so a write to one counts
wherever it is; SETEMIT has no registers.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.check import dataflow
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem import influence
from lanewise.pica200.sem.components import components_written
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.pica200.check.context import AnalysisContext, Effect
    from lanewise.pica200.sem.components import Component


class Demand(Record):
    """The reads that have an effect, as bits of `dataflow`.

    `nodes` are the words of each block as (block, address); `at` has the reads of each of them, `after` the components whose
    values after it have an effect, besides outputs. `live` are the components whose values before the first word of each block
    have an effect.
    """

    nodes: tuple[tuple[tuple[int, int], ...], ...]
    at: dict[tuple[int, int], int]
    live: tuple[int, ...]
    after: dict[tuple[int, int], int]

    def by_address(self) -> dict[int, int]:
        """The reads of each word, in any block."""
        found: dict[int, int] = {}
        for (_, pc), reads in self.at.items():
            found[pc] = found.get(pc, 0) | reads
        return found


def demand(context: AnalysisContext, graph: Graph, seen: int = 0, *, kept: bool = False) -> Demand:
    """The reads of a graph that have an effect.

    `seen`: outputs that are seen besides those of the context's `observable`. A geometry shader keeps its registers from run to
    run, so what is live where it starts is live at its end. `kept`: so does a vertex shader, as under some profiles.
    """
    seen |= context.observable
    following: list[tuple[int, ...]] = [*graph.successors]
    if kept or context.interface.geometry:
        for number in graph.ends:
            following[number] = (*following[number], 0)
    coming: list[list[int]] = [[] for _ in following]
    for number, targets in enumerate(following):
        for target in targets:
            coming[target].append(number)
    effects, blocks = context.effects, graph.blocks
    live = [0] * len(following)  # before the first word of each block
    waiting = dict.fromkeys(reversed(range(len(following))))
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        value = _through(effects, blocks[number].addresses, _union(live, following[number]), seen)
        if value != live[number]:
            live[number] = value
            waiting.update(dict.fromkeys(coming[number]))
    at: dict[tuple[int, int], int] = {}
    after: dict[tuple[int, int], int] = {}
    nodes = tuple([tuple([(block.number, pc) for pc in block.addresses]) for block in blocks])
    for number, items in enumerate(nodes):
        value = _union(live, following[number])
        for item in reversed(items):
            after[item] = value
            reads, writes, flows = effects[item[1]]
            if flows:
                wanted = value | seen
                reads = 0
                for written, behind in flows:
                    if written & wanted:
                        reads |= behind
            at[item] = reads
            value = value & ~writes | reads
    return Demand(nodes, at, tuple(live), after)


def certain(context: AnalysisContext, graph: Graph) -> tuple[int, ...]:
    """The components whose values before the first word of each block have an effect on every path from there to the end."""
    seen = context.observable
    effects = context.effects
    live = [-1] * len(graph.blocks)
    waiting = dict.fromkeys(reversed(range(len(live))))
    ends = graph.flow.exits
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        value = 0 if number in ends else -1
        for target in graph.successors[number]:
            value &= live[target]
        value = _through(effects, graph.blocks[number].addresses, value, seen)
        if value != live[number]:
            live[number] = value
            waiting.update(dict.fromkeys(graph.predecessors[number]))
    return tuple(live)


def effective(context: AnalysisContext) -> Callable[[int, Component], bool]:
    """A function that says whether a component that a word reads can have an effect.

    It says yes where that is not known: without a graph, and where an index may read any temporary.
    """
    graph = context.graph
    if not isinstance(graph, Graph) or context.profile.index_wrap == "registers" or context.profile.index_files == "added":
        return lambda pc, component: True
    reads = demand(context, graph).by_address()
    return lambda pc, component: pc not in reads or bool(reads[pc] & dataflow.bit(component))


def inputs_seen(context: AnalysisContext) -> Callable[[int, int], bool]:
    """The same as `uniforms_seen` of an input, with an effect on what outputs are wired to."""
    return _seen(context, context.observable, lambda register: register < TEMPORARY)


def uniforms_seen(context: AnalysisContext) -> Callable[[int, int], bool]:
    """A function that says whether a component of the uniform that a word reads can have an effect, on any output that the
    shader writes; yes where that is not known."""
    return _seen(context, dataflow.OUTPUTS, lambda register: register >= FLOAT)


def _seen(context: AnalysisContext, written: int, wanted: Callable[[int], bool]) -> Callable[[int, int], bool]:
    """Of the sources whose register is `wanted`; bits `written` have an effect in any case."""
    graph = context.graph
    if not isinstance(graph, Graph) or context.profile.index_wrap == "registers" or context.profile.index_files == "added":
        return lambda pc, component: True
    after: dict[int, int] = {}
    for (_, pc), live in demand(context, graph, written).after.items():
        after[pc] = after.get(pc, written) | live

    def seen(pc: int, component: int) -> bool:
        instruction = context.resolved(pc)
        if instruction is None or pc not in after:
            return True
        found = zip(components_written(instruction), influence.written(instruction).values(), strict=True)
        read = {slot for target, slots in found if after[pc] & dataflow.bit(target) for slot in slots}
        sources = instruction.sources
        return any(wanted(sources[n].register) and SLOTS[sources[n].selector][slot] == component for n, slot in read)

    return seen


def _union(live: Sequence[int], blocks: Sequence[int]) -> int:
    value = 0
    for number in blocks:
        value |= live[number]
    return value


def _through(effects: Sequence[Effect], addresses: range, live: int, seen: int) -> int:
    """The components that are live before some words, from those after them.

    A word without flows, such as a condition, reads all that it reads; others what the results that are wanted depend on.
    """
    for pc in reversed(addresses):
        reads, writes, flows = effects[pc]
        if flows:
            wanted = live | seen
            reads = 0
            for written, behind in flows:
                if written & wanted:
                    reads |= behind
        live = live & ~writes | reads
    return live
