"""Run a function: its meaning, on the numbers of any target.

run(function, meaning)    # the results, in the order of `Function.results`
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, TypeVar
from lanewise.ssa.function import Branch, Return
from lanewise.ssa.nodes import LETTERS, NEGATE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from lanewise.ssa.function import Block, Function
    from lanewise.ssa.nodes import Node, Ref

V = TypeVar("V")
MOST_STEPS = 1_000_000


if TYPE_CHECKING:

    class Meaning(Protocol[V]):
        """The operations on the numbers of a target, with the data of a run."""

        def negate(self, a: V) -> V: ...

        def operate(self, node: Node, sources: Sequence[Sequence[V]]) -> Sequence[V]:
            """The lanes of a node, of those of its sources. A truth value is one lane: 1.0 or 0.0."""
            ...

        def holds(self, truth: V) -> bool: ...


def run(function: Function, meaning: Meaning[V], most: int = MOST_STEPS) -> tuple[V, ...]:
    """Return the results of a sound function. Raises RuntimeError for one that takes more than `most` steps."""
    values: dict[int, Sequence[V]] = {}

    def take(ref: Ref) -> Sequence[V]:
        found = values[ref.node]
        if ref.lanes:
            found = [found[LETTERS.index(letter)] for letter in ref.lanes]
        return [meaning.negate(lane) for lane in found] if ref.modifier == NEGATE else found

    def compute(block: Block) -> None:
        for number in block.nodes:
            node = function.nodes[number]
            values[number] = meaning.operate(node, [take(source) for source in node.sources])

    block, steps = function.blocks[0], 0
    while not isinstance(block.exit, Return):
        compute(block)
        steps += 1 + len(block.nodes)
        if steps > most:
            raise RuntimeError(f"{function.name} does not come to its end")
        if isinstance(block.exit, Branch):
            edge = block.exit.yes if meaning.holds(take(block.exit.question)[0]) else block.exit.no
        else:
            edge = block.exit.edge
        arguments = [take(ref) for ref in edge.arguments]
        block = function.blocks[edge.block]
        values.update(zip(block.parameters, arguments, strict=True))
    compute(block)
    return tuple([take(ref)[0] for ref in block.exit.results])
