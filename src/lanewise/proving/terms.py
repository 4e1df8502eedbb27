"""Terms: values as symbols, shared by two programs.

A term is a number; equal terms have one number, so two values are equal for all inputs if their numbers are. `Terms` has what
every instruction set's values need: names, truth values, whole numbers, and what is assumed on a path. An instruction set
derives its own from it and adds the operations of its algebra (`numbers.NumberTerms` has those on numbers of a binary format).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Term = int
Node = tuple[str | int | bool, ...]

MOST_EFFORT = 9_000_000


class Effort:
    """How much more a comparison may do: items executed on terms, and evaluations of terms in cases.

    So an answer takes a bounded time, which depends on the programs and not on the machine.
    """

    __slots__ = ("left",)

    left: int

    ITEM = 40  # what an item costs; an evaluation costs 1

    def __init__(self) -> None:
        self.left = 0
        self.start()

    def start(self) -> None:
        """Begin with another comparison."""
        self.left = MOST_EFFORT


class Terms:
    """Operations on terms, collected in `nodes`: by number of a term its operation and arguments."""

    effort: Effort
    true: Term
    false: Term

    def __init__(self, effort: Effort | None = None) -> None:
        self.nodes: list[Node] = []
        self.effort = effort or Effort()
        self._numbers: dict[Node, Term] = {}
        self.true, self.false = self.node("truth", True), self.node("truth", False)

    def node(self, *node: str | int | bool) -> Term:
        """The term of an operation and its arguments; the first of them says whether others are terms."""
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    # What a walk asks

    def equal(self, a: Term, b: Term, assumed: Mapping[Term, bool]) -> bool:
        """Whether two values are shown to be equal wherever what is assumed holds."""
        return a == b

    def settled(self, terms: Sequence[Term], assumed: Mapping[Term, bool]) -> Sequence[Term]:
        """Terms as they are where what is assumed holds, each the same value as before."""
        return terms

    def impossible(self, assumed: Mapping[Term, bool]) -> bool:
        """Whether what is assumed is shown to hold for no values."""
        return False

    def explained(self, a: Term, b: Term) -> str:
        """Why two values may differ, to be put after a sentence; empty where there is nothing to say."""
        return ""

    # Truth values

    def truth(self, a: Term) -> bool | None:
        return True if a == self.true else False if a == self.false else None

    def boolean(self, value: bool) -> Term:
        return self.true if value else self.false

    def invert(self, a: Term) -> Term:
        node = self.nodes[a]
        if node[0] == "truth":
            return self.boolean(not node[1])
        return int(node[1]) if node[0] == "invert" else self.node("invert", a)

    def both(self, a: Term, b: Term) -> Term:
        if b < a:
            a, b = b, a
        if self.false in (a, b) or self.invert(a) == b:
            return self.false
        if a in (self.true, b):
            return b
        return a if b == self.true else self.node("both", a, b)

    def either(self, a: Term, b: Term) -> Term:
        return self.invert(self.both(self.invert(a), self.invert(b)))

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        known = self.truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        if self.nodes[condition][0] == "invert":
            return self.select(int(self.nodes[condition][1]), b, a)
        return self.node("select", condition, a, b)

    # Whole numbers

    def known_integer(self, a: Term) -> int | None:
        node = self.nodes[a]
        return int(node[1]) if node[0] == "integer" else None

    def integer(self, value: int) -> Term:
        return self.node("integer", value)

    def integer_add(self, a: Term, b: Term) -> Term:
        x, y = self.known_integer(a), self.known_integer(b)
        if x is not None and y is not None:
            return self.integer(x + y)
        if x is not None:
            a, b, x, y = b, a, y, x
        if y is not None:
            if not y:
                return a
            node = self.nodes[a]
            if node[0] == "integer_add" and (more := self.known_integer(int(node[2]))) is not None:
                return self.integer_add(int(node[1]), self.integer(more + y))
            return self.node("integer_add", a, b)
        return self.node("integer_add", min(a, b), max(a, b))

    def integer_and(self, a: Term, mask: int) -> Term:
        known = self.known_integer(a)
        return self.node("integer_and", a, mask) if known is None else self.integer(known & mask)

    def integer_within(self, a: Term, low: int, high: int) -> Term:
        known = self.known_integer(a)
        return self.node("within", a, low, high) if known is None else self.boolean(low <= known <= high)

    def integer_select(self, condition: Term, a: Term, b: Term) -> Term:
        known = self.truth(condition)
        if known is not None or a == b:
            return b if known is False else a
        return self.node("integer_select", condition, a, b)

    # What is assumed on a path: truth values that are known

    def holds(self, a: Term, assumed: Mapping[Term, bool]) -> bool | None:
        """Whether a truth value holds where some others are known."""
        node = self.nodes[a]
        if node[0] == "truth":
            return bool(node[1])
        if (found := assumed.get(a)) is not None:
            return found
        if node[0] == "invert":
            found = self.holds(int(node[1]), assumed)
            return None if found is None else not found
        if node[0] == "both":
            x, y = self.holds(int(node[1]), assumed), self.holds(int(node[2]), assumed)
            return False if x is False or y is False else None if x is None or y is None else True
        return None

    def assume(self, a: Term, value: bool, assumed: Mapping[Term, bool]) -> dict[Term, bool]:
        """Return the known truth values where one is also known to be `value`."""
        found = {**assumed, a: value}
        node = self.nodes[a]
        if node[0] == "invert":
            return self.assume(int(node[1]), not value, found)
        if node[0] == "both" and value:
            return self.assume(int(node[2]), True, self.assume(int(node[1]), True, found))
        return found


__all__ = ["MOST_EFFORT", "Effort", "Node", "Term", "Terms"]
