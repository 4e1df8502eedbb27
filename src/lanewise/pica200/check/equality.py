"""Components that are known to be equal: value numbers of the components of temporaries, over the graph.

Two components have one number only if they have one value on every path. A number is made of the operation and the numbers of
what it reads; where paths meet, components that are equal on each of them stay equal.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import FLOAT, INTEGER, TEMPORARY, YES
from lanewise.pica200.sem.components import component_of
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.meaning import COPY
from lanewise.pica200.sem.registers import SLOTS, is_indexed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Graph
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.instruction import ResolvedInst

_MOST_SWEEPS = 12
_COMPONENTS = 4 * (FLOAT - TEMPORARY)

State = tuple[int, ...]  # the number of r0.x, r0.y, ..., r15.w


class Equality:
    """Value numbers of a graph; `at(block, pc)` are those before a word. `constants`: those of the file are known."""

    def __init__(self, context: AnalysisContext, graph: Graph, *, constants: bool = True) -> None:
        self._context, self._graph = context, graph
        self._numbers: dict[Hashable, int] = {}
        known = context.interface.constants if constants else ()
        self._constants = {constant.register: constant.values for constant in known}
        self._starts = self._solved()

    def constant(self, word: int) -> int:
        """The number of a constant."""
        return self._number(("constant", word))

    def at(self, block: int, wanted: int) -> State:
        """The numbers before a word of a block."""
        state = self._starts[block]
        for pc in self._graph.blocks[block].addresses:
            if pc == wanted:
                break
            state = self._after(block, pc, state)
        return state

    def steps(self) -> Iterator[tuple[int, int, State, State]]:
        """Every word, in each block, with the numbers before and after it: (block, address, before, after)."""
        for block in self._graph.blocks:
            state = self._starts[block.number]
            for pc in block.addresses:
                after = self._after(block.number, pc, state)
                yield block.number, pc, state, after
                state = after

    def slot(self, block: int, pc: int, source: Source, slot: int, state: State) -> int:
        """The number of what the selector of a source of a word puts into a slot."""
        register, channel = source.register, SLOTS[source.selector][slot]
        if is_indexed(source, self._context.profile):
            number = self._number(("indexed", block, pc, register, channel))
        elif TEMPORARY <= register < FLOAT:
            number = state[4 * (register - TEMPORARY) + channel]
        elif FLOAT <= register < INTEGER and register in self._constants:
            number = self.constant(self._constants[register][channel])
        else:
            number = self._number(("read", component_of(register, channel)))
        return self._number(("negate", number)) if source.negate else number

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _solved(self) -> list[State]:
        """The numbers before the first word of each block."""
        graph = self._graph
        unknown = [self._unknown(block.number) for block in graph.blocks]
        starts: list[State | None] = [None] * len(graph.blocks)
        ends: list[State | None] = [None] * len(graph.blocks)
        starts[0] = unknown[0]
        waiting = set(range(len(graph.blocks)))
        for _ in range(_MOST_SWEEPS):
            for number in range(len(graph.blocks)):
                if number not in waiting:
                    continue
                waiting.remove(number)
                coming = [end for before in graph.predecessors[number] if (end := ends[before]) is not None]
                start = unknown[0] if number == 0 else self._met(number, coming) if coming else None
                if start is None:
                    continue
                starts[number] = end = start
                for pc in graph.blocks[number].addresses:
                    end = self._after(number, pc, end)
                if end != ends[number]:
                    ends[number] = end
                    waiting.update(graph.successors[number])
            if not waiting:
                return [start or unknown[number] for number, start in enumerate(starts)]
        return unknown

    def _unknown(self, block: int) -> State:
        return tuple([self._number(("start", block, n)) for n in range(_COMPONENTS)])

    def _met(self, block: int, coming: Sequence[State]) -> State:
        """The numbers where paths meet: components that are equal on each get one, that of all paths if they agree on it."""
        first: dict[tuple[int, ...], int] = {}
        found: list[int] = []
        for n, together in enumerate(zip(*coming, strict=True)):
            alike = first.setdefault(together, n)
            found.append(together[0] if len({*together}) == 1 else self._number(("start", block, alike)))
        return tuple(found)

    def _after(self, block: int, pc: int, state: State) -> State:
        """The numbers after a word of a block."""
        instruction = self._context.resolved(pc)
        if instruction is None or not TEMPORARY <= instruction.dest.register < FLOAT:
            return state
        base = 4 * (instruction.dest.register - TEMPORARY)
        after = list(state)
        for (what, channel), slots in written(instruction).items():
            if what == "dst":
                after[base + channel] = self._result(block, pc, instruction, channel, slots, state)
        return tuple(after)

    def _result(
        self, block: int, pc: int, instruction: ResolvedInst, channel: int, slots: frozenset[tuple[int, int]], state: State
    ) -> int:
        read = [self.slot(block, pc, instruction.sources[number], slot, state) for number, slot in sorted(slots)]
        row = self._context.row(pc)
        if row.base == COPY and not instruction.flushes:
            return read[0]
        if row.commutes == YES and len(read) == 2:
            read.sort()
        return self._number((row.base, None if _alike(instruction) else channel, tuple(read)))


def _alike(instruction: ResolvedInst) -> bool:
    """Whether an instruction does the same in every component: with the slots of its place, or with the same slots."""
    every = written(instruction._replace(dest=instruction.dest._replace(mask=0xF)))
    places = [{(number, slot - channel) for number, slot in slots} for (_, channel), slots in every.items()]
    sets = [set(slots) for slots in every.values()]
    return len(every) == 4 and (all(place == places[0] for place in places) or all(found == sets[0] for found in sets))
