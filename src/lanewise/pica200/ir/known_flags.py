"""Graphs without questions about flags whose value is known on the path.

In `unfold`, every question has both answers. Two conditionals on one comparison then seem to have four outcomes, of which two
are impossible. Here blocks are specialised by the answers on the path to them, until the flag is written again.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import Branch, Goto
from lanewise.graph.order import reverse_postorder
from lanewise.pica200.ir.graph import Block, Graph
from lanewise.pica200.sem.flow import Flags

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from lanewise.pica200.ir.graph import Terminator

ANY = 0b1111  # a set of values of both flags: bit 2 * cmp.x + cmp.y
X, Y = 1, 2  # bits of the flags that a word writes


class Place(Record):
    """A block with the values that the flags may have where it begins."""

    block: int
    flags: int = ANY


def with_known_flags(graph: Graph, written: Callable[[int], int], unknown: Container[int] = ()) -> Graph:
    """Split the blocks of a graph by the known values of cmp.x and cmp.y.

    `written(address)` are the flags that a word writes; what the words `unknown` ask is not known. At most 15 times as many
    blocks, usually far fewer; unreachable ones are left out.
    """
    if not any(isinstance(block.terminator, Branch) for block in graph.blocks):
        return graph
    terminators: dict[Place, Terminator] = {}
    targets: dict[Place, list[Place]] = {}
    start = Place(0)
    waiting = [start]
    while waiting:
        place = waiting.pop()
        if place in terminators:
            continue
        block = graph.blocks[place.block]
        changed = 0
        for address in block.addresses:
            changed |= written(address)
        found: list[Place] = []
        terminators[place] = _pruned(block.terminator, _freed(place.flags, changed), found, asks=block.last not in unknown)
        targets[place] = found
        waiting += found
    order = reverse_postorder([start], lambda place: targets[place][::-1])
    numbers = {place: number for number, place in enumerate(order)}
    blocks = [
        Block(
            number,
            graph.blocks[place.block].state,
            graph.blocks[place.block].size,
            _numbered(terminators[place], iter(targets[place]), numbers),
        )
        for number, place in enumerate(order)
    ]
    return Graph(tuple(blocks))


def _freed(flags: int, changed: int) -> int:
    """The possible values of the flags after a word has written some of them."""
    if changed & X:
        flags |= (flags & 0b0011) << 2 | flags >> 2
    if changed & Y:
        flags |= (flags & 0b0101) << 1 | (flags & 0b1010) >> 1
    return flags


def _pruned(terminator: Terminator, flags: int, found: list[Place], *, asks: bool = True) -> Terminator:
    """A terminator without questions whose answers are known. Its targets are appended to `found`, yes before no."""
    if isinstance(terminator, Goto):
        found.append(Place(terminator.node, flags))
        return terminator
    if not isinstance(terminator, Branch):
        return terminator
    if not asks or not isinstance(terminator.question, Flags):
        yes = _pruned(terminator.yes, flags, found, asks=asks)
        return terminator._replace(yes=yes, no=_pruned(terminator.no, flags, found, asks=asks))
    holds = flags & satisfying(terminator.question)
    fails = flags & ~holds
    if holds and fails:
        return terminator._replace(yes=_pruned(terminator.yes, holds, found), no=_pruned(terminator.no, fails, found))
    taken = _pruned(terminator.yes if holds else terminator.no, flags, found)
    return taken._replace(actions=(*terminator.actions, *taken.actions)) if isinstance(taken, (Goto, Branch)) else taken


def satisfying(question: Flags) -> int:
    """The values of the flags for which a condition holds."""
    combine, want_x, want_y = question
    found = 0
    for x in (0, 1):
        for y in (0, 1):
            matches = (x == want_x or y == want_y, x == want_x and y == want_y, x == want_x, y == want_y)
            if matches[combine]:
                found |= 1 << 2 * x + y
    return found


def _numbered(terminator: Terminator, places: Iterator[Place], numbers: dict[Place, int]) -> Terminator:
    """The terminator with the numbers of the new blocks; `places` are its targets, in order."""
    if isinstance(terminator, Goto):
        return terminator._replace(node=numbers[next(places)])
    if isinstance(terminator, Branch):
        yes = _numbered(terminator.yes, places, numbers)
        return terminator._replace(yes=yes, no=_numbered(terminator.no, places, numbers))
    return terminator
