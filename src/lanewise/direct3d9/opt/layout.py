"""The basic blocks of a shader: an edge for each way that blocks, loops, breaks, calls and returns may go.

A return goes behind every call of its routine: more paths than there are, so what is found on them holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import Inst
from lanewise.optimising.operands import layout_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.program import Item
    from lanewise.optimising.operands import Layout


def shader_layout(items: Sequence[Item], leaves: int) -> Layout:
    """The blocks of a shader, whose components `leaves` are needed at its end."""
    count = len(items)
    following: list[set[int]] = [set() for _ in range(count + 1)]  # the last is the end
    opened: list[list[int]] = []  # of each block that is open: its beginning, its else, its breaks
    labels: dict[int, int] = {}
    calls: dict[int, list[int]] = {}
    returns: dict[int | None, list[int]] = {None: []}
    routine: int | None = None
    parts = [item.op.part if isinstance(item, Inst) else "" for item in items]
    for n, item in enumerate(items):
        part = parts[n]
        after = n + 1
        if isinstance(item, Inst) and part == isa.OPENS:
            opened.append([n])
        elif part == isa.SPLITS and opened:
            following[opened[-1][0]].add(after)
            opened[-1].append(n)
            continue  # the first arm goes behind the block
        elif part == isa.CLOSES and opened:
            _close(items, opened.pop(), n, following, opened)
        elif isinstance(item, Inst) and part == isa.BREAKS:
            inside = next((each for each in reversed(opened) if _loops(items[each[0]])), None)
            if inside is not None:
                inside.append(-n - 1)
            if not item.sources:
                continue
        elif isinstance(item, Inst) and part == isa.CALLS:
            calls.setdefault(item.sources[0].number, []).append(n)
            if len(item.sources) == 1:
                continue
        elif isinstance(item, Inst) and part == isa.BEGINS:
            routine = item.sources[0].number
            labels[routine] = n
        elif part == isa.RETURNS:
            returns.setdefault(routine, []).append(n)
            continue
        following[n].add(after)
    for label, places in calls.items():
        for place in places:
            following[place].add(labels.get(label, count))
            for end in returns.get(label, []):
                following[end].add(place + 1)
    for place in returns[None]:
        following[place].add(count)
    return layout_of(following[:count], leaves)


def _loops(item: Item) -> bool:
    return isinstance(item, Inst) and item.op.block != isa.IF_BLOCK


def _close(items: Sequence[Item], block: list[int], end: int, following: list[set[int]], opened: list[list[int]]) -> None:
    """The edges of a block from its beginning, else and breaks."""
    first, *others = block
    if _loops(items[first]):
        following[end].add(first)  # the question is asked again
        following[first].add(end + 1)
    elif not any(place >= 0 for place in others):
        following[first].add(end)
    for place in others:
        following[place if place >= 0 else -place - 1].add(end if place >= 0 else end + 1)
