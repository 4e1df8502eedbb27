"""Nodes in a list, each after its sources: straight-line code, and the values of functions.

    Node("add", (Ref(3), Ref(5, NEGATE, "xy")))

A source is a `Ref`: a node and how it is seen. Signs and selections of lanes cost nothing on hardware of this kind, so they are
not nodes. Nodes compute and have no effect: one that nothing uses can go, and two that are equal are one. An instruction set
may have records of its own for nodes, and modifiers besides NEGATE: what is here for lists asks for `sources` only.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

NONE, NEGATE = 0, 1  # modifiers of a source
LETTERS = "xyzw"

# Types: 1 to 4 numbers, or a truth value. The format of numbers and their rounding are the target's.
NUMBER, TRUTH = "number", "truth"
TYPES = (NUMBER, "number2", "number3", "number4", TRUTH)
WIDTHS = {NUMBER: 1, "number2": 2, "number3": 3, "number4": 4, TRUTH: 1}

Immediate = int | float | str


class Ref(Record):
    """A node by its number, seen through a modifier and a selection of lanes such as `xxy` (empty: all lanes as they are)."""

    node: int
    modifier: int = NONE
    lanes: str = ""


class Node(Record):
    """A value: an operation on sources, or a leaf."""

    op: str
    "The operation: a row of `operations`."
    sources: tuple[Ref, ...] = ()
    "The values that it takes."
    immediates: tuple[Immediate, ...] = ()
    "The numbers and names that it takes besides."
    type: str = NUMBER
    "One of `TYPES`."
    line: int = -1
    "An index of the places of the code; -1: none."


if TYPE_CHECKING:

    class Computed(Protocol):
        """A node of a list, whatever else it has."""

        @property
        def sources(self) -> tuple[Ref, ...]: ...


N = TypeVar("N", bound="Computed")


def number_type(width: int) -> str:
    """The type of 1 to 4 numbers."""
    return TYPES[width - 1]


def type_of(nodes: Sequence[Node], ref: Ref) -> str:
    """The type of a value as a source sees it."""
    own = nodes[ref.node].type
    return number_type(len(ref.lanes)) if ref.lanes and own in WIDTHS else own


def seen(outer: Ref, inner: Ref) -> Ref:
    """The source `outer` of a function, where its node is `inner`."""
    lanes = "".join([inner.lanes[LETTERS.index(letter)] for letter in outer.lanes]) if inner.lanes else outer.lanes
    return Ref(inner.node, inner.modifier ^ outer.modifier, lanes or inner.lanes)


def uses(nodes: Sequence[Computed], roots: Iterable[Ref]) -> list[int]:
    """By node: how many sources and roots name it."""
    found = [0] * len(nodes)
    for node in nodes:
        for source in node.sources:
            found[source.node] += 1
    for root in roots:
        found[root.node] += 1
    return found


def needed(nodes: Sequence[Computed], roots: Iterable[Ref]) -> list[int]:
    """The nodes that roots depend on, in order."""
    live = [False] * len(nodes)
    for root in roots:
        live[root.node] = True
    for number in range(len(nodes) - 1, -1, -1):
        if live[number]:
            for source in nodes[number].sources:
                live[source.node] = True
    return [number for number, alive in enumerate(live) if alive]


def moved(sources: Iterable[Ref], place: Mapping[int, int]) -> tuple[Ref, ...]:
    """Sources by the new numbers of their nodes."""
    return tuple([Ref(place[node], modifier, lanes) for node, modifier, lanes in sources])


def renumbered(
    nodes: Sequence[N], order: Sequence[int], with_sources: Callable[[N, tuple[Ref, ...]], N]
) -> tuple[tuple[N, ...], dict[int, int]]:
    """The nodes in another order, in which sources come first too, with the new number of each; others are left out."""
    place = {old: new for new, old in enumerate(order)}
    listed = [nodes[old] for old in order]
    return tuple([with_sources(node, moved(node.sources, place)) if node.sources else node for node in listed]), place
