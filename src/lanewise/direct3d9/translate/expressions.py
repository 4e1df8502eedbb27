"""The computations of one lane of a shader as expressions: the algebra of `sem.algebra` whose values are nodes.

Every result is a definition, made once: a `("temporary", number)` stands for it, so that a value which several others read is
computed once. `Computing` has the definitions of the instructions that are computed at the moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.sem.algebra import DeviceOps
from lanewise.direct3d9.sem.compiled import Routined
from lanewise.direct3d9.translate.words import AWAY, EVEN, FLOOR, UP
from lanewise.shadercore.sem.routines import Routines
from lanewise.shadercore.translate.expressions import ACROSS, Expressions, reads_others
from lanewise.translating.languages import BOOL, I32, U32
from lanewise.translating.nodes import Node, int_of
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.shadercore.isa.devices import Device

_MODES = {"floor": FLOOR, "even": EVEN, "up": UP, "away": AWAY}
TRUE: Node = ("boolean", 1)
FALSE: Node = ("boolean", 0)
LEAVES = frozenset(("word", "boolean", "integer", "variable", "input", "texel", "count", "condition", "temporary", "bump"))


class Definition(Record):
    """A value with its type; its arguments are leaves, such as temporaries before it."""

    kind: str
    node: Node


class Computing:
    """The definitions of some instructions."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self._numbers: dict[Definition, Node] = {}

    def define(self, kind: str, node: Node) -> Node:
        """The leaf for a value."""
        if node[0] in LEAVES:
            return node
        definition = Definition(kind, node)
        found = self._numbers.get(definition)
        if found is None:
            found = self._numbers[definition] = ("temporary", len(self.definitions))
            self.definitions.append(definition)
        return found

    def again(self, kind: str, node: Node) -> Node:
        """A definition of its own for a value, even of a leaf."""
        self.definitions.append(Definition(kind, ("same", node)))
        return ("temporary", len(self.definitions) - 1)


class _Arithmetic(Expressions):
    """The operations of a device that look at one lane."""

    def __init__(self, device: Device, computing: Callable[[], Computing], place: Callable[[], str]) -> None:
        super().__init__(device)
        self._device, self._computing, self._place = device, computing, place

    def apply(self, operation: str, *values: Node, immediate: int | None = None) -> Node:
        if reads_others(self._device, operation):
            raise RefusedError(
                f"{self._place()}: {operation} reads other lanes on {self._device.name}", f"use --set {ACROSS[operation]}=fixed"
            )
        return self._computing().define(U32, super().apply(operation, *values, immediate=immediate))


class Ops(DeviceOps[Node, Node, Node]):
    """The operations of Direct3D 9 in one lane."""

    def __init__(self, device: Device, computing: Callable[[], Computing], place: Callable[[], str]) -> None:
        super().__init__(_Arithmetic(device, computing, place))
        self._computing, self._place = computing, place

    def _define(self, kind: str, *node: str | int | Node) -> Node:
        return self._computing().define(kind, node)

    def constant(self, bits: int) -> Node:
        return ("word", bits)

    def truth(self, value: bool) -> Node:
        return TRUE if value else FALSE

    def ordered(self, a: Node, b: Node, *, or_equal: bool) -> Node:
        return self._define(BOOL, "ge" if or_equal else "lt", a, b)

    def invert(self, a: Node) -> Node:
        return ("boolean", 1 - int_of(a[1])) if a[0] == "boolean" else self._define(BOOL, "not", a)

    def both(self, a: Node, b: Node) -> Node:
        if FALSE in (a, b):
            return FALSE
        return b if a == TRUE else a if b == TRUE else self._define(BOOL, "both", a, b)

    def either(self, a: Node, b: Node) -> Node:
        if TRUE in (a, b):
            return TRUE
        return b if a == FALSE else a if b == FALSE else self._define(BOOL, "either", a, b)

    def select(self, condition: Node, a: Node, b: Node) -> Node:
        return self._chosen(U32, "select", condition, a, b)

    def integer_select(self, condition: Node, a: Node, b: Node) -> Node:
        return self._chosen(I32, "integer_select", condition, a, b)

    def _chosen(self, kind: str, name: str, condition: Node, a: Node, b: Node) -> Node:
        if a == b or condition == TRUE:
            return a
        return b if condition == FALSE else self._define(kind, name, condition, a, b)

    def address(self, a: Node, how: str) -> Node:
        return self._define(I32, "address", a, ("word", _MODES[how]))

    def integer(self, value: int) -> Node:
        return ("integer", value)

    def integer_add(self, a: Node, b: Node) -> Node:
        if b == ("integer", 0):
            return a
        return self._define(I32, "plus", a, b)

    def integer_is(self, a: Node, value: int) -> Node:
        return self._define(BOOL, "within", a, value, value)

    def look_up(self, rows: Sequence[Node], index: Node, outside: Node) -> Node:
        found = outside
        for number, row in enumerate(rows):
            found = self.select(self.integer_is(index, number), row, found)
        return found

    def sine_cosine(self, angle: Node) -> tuple[Node, Node]:
        raise RefusedError(f"{self._place()}: sincos of any angle has no translation", "use --set sincos=series")


class CompiledOps(Routined[Node, Node, Node], Ops):
    """The operations with the routines of compiled shaders."""

    def __init__(self, device: Device, computing: Callable[[], Computing], place: Callable[[], str]) -> None:
        super().__init__(device, computing, place)
        self.device = device
        self.routines: Routines[Node] = Routines(_Arithmetic(device, computing, place), device, self.constant)


def ops_of(rule: Rule, computing: Callable[[], Computing], place: Callable[[], str]) -> Ops:
    """The operations of a rule in one lane."""
    return (CompiledOps if rule.choices.value("functions") == "compiled" else Ops)(rule.device, computing, place)
