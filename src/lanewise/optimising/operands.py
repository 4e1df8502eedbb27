"""Facts of an instruction set about its programs, by which the moves of `optimising.moves` find what can be left out.

A program is a sequence of items. Registers are sets of bits, one for each register component. An operand table need not
be exact about what a move may do: each step is proved before it is taken.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import pairwise

from lanewise.core.record import TYPE_CHECKING, Generic, Record, TypeVar
from lanewise.graph.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

Item = TypeVar("Item")


class Facts(Record):
    """The register components that an item reads and writes, as sets of bits, and whether it does more."""

    # The components that each source reads, by the number of the source.
    sources: tuple[int, ...] = ()
    "Components that each source reads, by the number of the source."
    writes: int = 0
    "Components that may be written."
    surely: int = 0
    "The part of `writes` that holds the result afterwards on every path: not under a predicate, not at an index."
    others: int = 0
    "Components that are read besides the sources: predicates, address registers."
    effect: bool = False
    "The item does something that is not in registers, so it stays."

    @property
    def reads(self) -> int:
        found = self.others
        for bits in self.sources:
            found |= bits
        return found


class Layout(Record):
    """The basic blocks of a program: the places of their items, the edges, and the components that are needed where it ends."""

    nodes: Sequence[Sequence[int]]
    flow: Flow
    ends: Mapping[int, int]


def layout_of(following: Sequence[Iterable[int]], leaves: int) -> Layout:
    """The basic blocks of items by the places that may come after each, a place past the last being the end of the program.

    `leaves` are the components that are needed at the end.
    """
    count = len(following)
    targets = [sorted({min(n, count) for n in each}) for each in following]
    entered = {0, count, *[n for place, each in enumerate(targets) if each != [place + 1] for n in each]}
    entered.update([place + 1 for place, each in enumerate(targets) if each != [place + 1]])
    starts = sorted(entered)
    numbers = {start: number for number, start in enumerate(starts)}
    nodes = [range(start, end) for start, end in pairwise(starts)]
    after = [tuple([numbers[n] for n in targets[places[-1]]]) for places in nodes]
    return Layout([*nodes, ()], Flow((*after, ()), frozenset((len(nodes),))), {len(nodes): leaves})


class Into(Record, Generic[Item]):
    """A rule: what a result is may be said in the items that read it.

    `reason` is None for items that the rule is not about, else a sentence about the item; `fix` an imperative. `item(first,
    second, n)` is `second` with `first` in place of its source `n`, None where it cannot be encoded.
    """

    name: str
    reason: Callable[[Item], str | None]
    fix: str
    item: Callable[[Item, Item, int], Item | None]


class Operands(ABC, Generic[Item]):
    """The operand table of an instruction set, for one program."""

    into: Sequence[Into[Item]] = ()

    @abstractmethod
    def facts(self, item: Item) -> Facts: ...

    @abstractmethod
    def layout(self, items: Sequence[Item]) -> Layout: ...

    @abstractmethod
    def cost(self, items: Sequence[Item]) -> tuple[int, ...]:
        """The cost of a program; of two, the lesser one is better."""

    @abstractmethod
    def text(self, item: Item) -> str:
        """An item as messages show it."""

    def narrowed(self, item: Item, live: int) -> Item | None:
        """An item that writes no more than `live`; None where it writes all of its components or none."""
        return None

    def value(self, item: Item) -> Hashable | None:
        """The value that an item computes: items of equal values write the same, component by component, while what they read
        is unchanged. None for no such value."""
        return None

    def settled(self, first: Item, second: Item) -> bool:
        """Whether `second`, which has the value of `first`, changes nothing while that is unchanged."""
        return not self.facts(second).writes & ~self.facts(first).writes

    def copy_of(self, first: Item, second: Item) -> Item | None:
        """A copy of the result of `first` in place of `second`, which has the same value; None where no item can copy it."""
        return None

    def known(self, items: Sequence[Item], item: Item) -> tuple[Item, tuple[tuple[int, Item], ...]] | None:
        """A copy of a constant in place of an item that computes with constants only, and the items by their places that must
        be others for it; None for other items, and where no constant has the value."""
        return None

    def joined(self, first: Item, second: Item) -> Item | None:
        """The second of two neighbours in the form in which it is issued together with the first; None where they cannot be."""
        return None

    def moved(self, item: Item, copy: Item) -> Item | None:
        """An item that leaves its result where `copy` copies it; None where `copy` is not a plain copy, or it cannot be
        encoded."""
        return None

    def spare(self, items: Sequence[Item], item: Item) -> Item | None:
        """A copy of the result of `item` in registers that nothing among `items` uses; None where none is free, and where no
        item can copy it."""
        return None

    def part(self, item: Item, n: int, components: int) -> Item | None:
        """The part of an item that reads of its source `n` some components only; None where it is not computed by component."""
        return None

    def merged(self, first: Item, second: Item) -> Item | None:
        """An item that writes what two others write, of which the second does not read the result of the first; None where
        they do not compute alike."""
        return None

    def alike(self, items: Sequence[Item], first: Item, second: Item) -> tuple[Item, Item, Item] | None:
        """An item that computes what two others compute, of which the second does not read the result of the first, in
        registers that nothing among `items` uses, and a copy of it to where each of them has its result; None where they do
        not compute alike."""
        return None

    def unfused(self, items: Sequence[Item], item: Item) -> tuple[Item, Item] | None:
        """Two items for one: a product in registers that nothing among `items` uses, and a sum that reads it; None for other
        items."""
        return None

    def widened(self, item: Item, other: Item) -> Item | None:
        """An item that has the components of `other`, which has the same value, too; None where it cannot have them."""
        return None

    def beside(self, copy: Item, item: Item) -> tuple[Item, Item] | None:
        """An item that leaves its result beside what `copy` reads, in the components that it has beside what that writes, and
        the copy of both there; None where `copy` is not a plain one, and where they are in other registers."""
        return None
