"""Where a program tests whether an infinity met a 0: once for many products.

The products of C give NaN for 0 times an infinity, those of the PICA200 give 0. A vertex is computed with the products of C
until a test finds a NaN; then it is done again with those of the PICA200. Most operations give NaN for a NaN, so that it is
enough to test the outputs, and what comes to an operation that hides NaN before it comes to an output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem.flow import CounterIsZero
from lanewise.pica200.translate.computed import channels_of, flags_of, indices_of
from lanewise.pica200.translate.nodes import Invoke
from lanewise.translating.nodes import int_of
from lanewise.translating.structure import Again, Dispatcher, Do, GoTo, If, Leave, Loop, Once, Stop, Word, every

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.translate.computed import Computed
    from lanewise.translating.nodes import Node
    from lanewise.translating.structure import Statement

Component = tuple[str, int, int]
"""A component of a register: its file `r` or `o`, its number and its place."""

_PRODUCTS = frozenset(("mul", "mad", "dot3", "dot4"))
# NaN for a NaN in any operand, and NaN for one in the last operand: a comparison with NaN is false.
_THROUGH = _PRODUCTS | {"add", "negate", "flush", "floor", "rcp", "rsq", "exp2", "log2"}
_OF_LAST = frozenset(("larger", "smaller"))
# A zero whose sign is that of a zero in an operand, or of one of several.
_SIGNED = frozenset(("add", "mul", "mad", "negate", "flush", "floor", "larger", "smaller", "at_least", "at_most"))
_COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))


class Tests(Record):
    """The components that are tested: at each end, and by address after words. `zeros` are the addresses of the dot products
    that are not allowed to be -0."""

    ends: tuple[Component, ...]
    after: Mapping[int, tuple[Component, ...]]
    zeros: frozenset[int]


def tests_of(computed: Computed, *, from_zero: bool) -> Tests | None:
    """The tests of a program; None where it has no products, or each needs a test of its own. `from_zero`: dot products add
    to 0."""
    if computed.geometry or len(computed.routines) != 1:
        return None
    body = computed.routines[0].body
    try:
        return _Analysis(computed, from_zero=from_zero).tests(body)
    except _EachError:
        return None


class _EachError(Exception):
    """A product that needs a test of its own, or flow in which a NaN that was not found could do anything."""


class _Set(Record):
    """A component that a word sets, with its value."""

    component: Component
    value: Node


class _Around(Record):
    """The components whose NaN a test finds after the innermost loop or `Once`, and at the head of the innermost loop."""

    leave: frozenset[Component]
    again: frozenset[Component]


class _Analysis:
    def __init__(self, computed: Computed, *, from_zero: bool) -> None:
        self._from_zero = from_zero
        self._sets: dict[int, list[_Set]] = {}
        self._asked: list[Node] = []
        for address, (inst, result) in computed.results.items():
            self._asked += [node for _, node in (*flags_of(inst, result), *indices_of(inst, result))]
            if "dst" in result:
                self._sets[address] = [_Set(each, result["dst"][each[2]]) for each in components_of(inst)]
        needed = self._needed()
        self._sets = {address: [each for each in sets if each.component in needed] for address, sets in self._sets.items()}
        self._ends = self._carrying()
        self._after: dict[int, set[Component]] = {}

    def tests(self, body: Sequence[Statement]) -> Tests | None:
        if not any(_has_product(each.value) for sets in self._sets.values() for each in sets):
            return None
        if any(map(_has_product, self._asked)):
            raise _EachError
        ends = frozenset(self._ends)
        self._found(body, ends, _Around(leave=ends, again=ends))
        matters = self._signs()
        zeros = [
            address
            for address, sets in self._sets.items()
            if self._from_zero and any(each.component[0] == "o" or each.component in matters for each in sets)
        ]
        after = {address: tuple(sorted(each)) for address, each in self._after.items()}
        return Tests(tuple(sorted(self._ends)), after, frozenset(zeros))

    def _needed(self) -> set[Component]:
        """The components that count for an output, for the flow, or for what index registers have."""
        every_set = [each for sets in self._sets.values() for each in sets]
        found = {read for node in self._asked for read in _read(node)}
        found |= {component for component, _ in every_set if component[0] == "o"}
        while True:
            more = {read for component, value in every_set if component in found for read in _read(value)}
            if more <= found:
                return found
            found |= more

    def _carrying(self) -> set[Component]:
        """The outputs that a NaN of a product can come to."""
        every_set = [each for sets in self._sets.values() for each in sets]
        found: set[Component] = set()
        while True:
            more = {component for component, value in every_set if _has_product(value) or not found.isdisjoint(_shown(value))}
            if more <= found:
                return {component for component in found if component[0] == "o"}
            found |= more

    # Backward: the components whose NaN a later test finds on each path that ends

    def _found(self, body: Sequence[Statement], after: frozenset[Component], around: _Around) -> frozenset[Component]:
        """Those before some statements, given those after them."""
        found = after
        for statement in reversed(body):
            match statement:
                case Word(address):
                    found = self._before_word(address, found)
                case If(_, yes, no):
                    found = self._found(yes, found, around) & self._found(no, found, around)
                case Once(inner):
                    found = self._found(inner, found, around._replace(leave=found))
                case Loop(inner):
                    found = self._before_loop(inner, found)
                case Leave():
                    found = around.leave
                case Again():
                    found = around.again
                case Stop():
                    found = frozenset(self._ends)
                case Do(actions) if not any(isinstance(action, Invoke) for action in actions):
                    pass
                case Do() | Dispatcher() | GoTo():
                    raise _EachError
        return found

    def _before_loop(self, body: tuple[Statement, ...], after: frozenset[Component]) -> frozenset[Component]:
        # Where numbers decide when a loop ends, one that a NaN has changed may never come to a test.
        counts = any(isinstance(each, If) and isinstance(each.question, CounterIsZero) for each in body)
        if not counts or any(isinstance(each, Again) for each in every(body)):
            raise _EachError
        head = frozenset([each.component for sets in self._sets.values() for each in sets]) | after
        while True:
            found = self._found(body, head, _Around(leave=after, again=head))
            if head <= found:
                return head
            head &= found

    def _before_word(self, address: int, after: frozenset[Component]) -> frozenset[Component]:
        sets = self._sets.get(address, [])
        tested: dict[Node, Component] = {}
        for component, value in sets:
            if _has_product(value):
                if not _shows_products(value):
                    raise _EachError
                if not any(other in after for other, equal in sets if equal == value):
                    tested.setdefault(value, component)
        if tested:
            self._after.setdefault(address, set()).update(tested.values())
        after |= frozenset(tested.values())
        own = frozenset([each.component for each in sets])
        return (after - own) | frozenset([read for each in sets if each.component in after for read in _shown(each.value)])

    # The sign of zeros

    def _signs(self) -> set[Component]:
        """The components of temporary registers in which the sign of a zero counts."""
        found = {read for node in self._asked for read in self._signed(node, counts=True)}
        while True:
            more = {
                read
                for sets in self._sets.values()
                for component, value in sets
                for read in self._signed(value, counts=component[0] == "o" or component in found)
            }
            if more <= found:
                return found
            found |= more

    def _signed(self, node: Node, *, counts: bool) -> Iterator[Component]:
        """The components in which the sign of a zero counts for an expression in which it `counts`."""
        op, *arguments = node
        if op == "component":
            if counts and arguments[0] == "r":
                yield _component(node)
            return
        nodes = [each for each in arguments if isinstance(each, tuple)]
        if op in _COMPARISONS or (op in ("dot3", "dot4") and self._from_zero):
            counts = False
        elif op not in _SIGNED:
            counts = True
        for each in nodes:
            yield from self._signed(each, counts=counts)


def components_of(inst: ResolvedInst) -> list[Component]:
    """The components that an instruction sets."""
    register = inst.dest.register
    file, number = ("r", register - TEMPORARY) if register >= TEMPORARY else ("o", register)
    return [(file, number, channel) for channel in channels_of(inst)]


def _component(node: Node) -> Component:
    return "r", int_of(node[2]), int_of(node[3])


def _read(node: Node) -> Iterator[Component]:
    """The components of temporary registers that an expression reads."""
    if node[0] == "component" and node[1] == "r":
        yield _component(node)
    for each in _inner(node):
        yield from _read(each)


def _inner(node: Node) -> list[Node]:
    return [each for each in node if isinstance(each, tuple)]


def _has_product(node: Node) -> bool:
    return node[0] in _PRODUCTS or any(map(_has_product, _inner(node)))


def _showing(node: Node) -> list[Node]:
    """The operands whose NaN makes an expression NaN."""
    if node[0] in _THROUGH:
        return _inner(node)
    return _inner(node)[-1:] if node[0] in _OF_LAST else []


def _shown(node: Node) -> Iterator[Component]:
    """The components of temporary registers whose NaN makes an expression NaN."""
    if node[0] == "component" and node[1] == "r":
        yield _component(node)
    for each in _showing(node):
        yield from _shown(each)


def _shows_products(node: Node) -> bool:
    """Whether an expression is NaN if one of its products is."""
    showing = _showing(node)
    return all(_shows_products(each) if each in showing else not _has_product(each) for each in _inner(node))
