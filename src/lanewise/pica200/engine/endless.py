"""Lanes that do not end, found once for all that share the inputs on which the path through the program depends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.ir import passes
from lanewise.pica200.ir.ssa import FED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.reference import Fault, Words


class FlowInputs(NamedTuple):
    """The inputs that can change the path of a lane: pairs of v number and component, None for all.

    `useful` is false if the path also depends on what the lane before has left.
    """

    components: frozenset[tuple[int, int]] | None
    useful: bool


class Endless(NamedTuple):
    """A lane that does not end: its fault, and the answers on its path as `uninitialised.Watch.note` takes them."""

    fault: Fault
    path: bytes | bytearray


class EndlessLanes:
    """The lanes found so far that do not end. All lanes have the same uniforms."""

    def __init__(self, inputs: Callable[[], FlowInputs] | None) -> None:
        """`inputs` is called when the first lane is added; None: nothing is kept."""
        self._find_inputs = inputs
        self._inputs: FlowInputs | None = None
        self._found: dict[tuple[int | None, ...], Endless] = {}

    def find(self, vertex: Mapping[int, Words]) -> Endless | None:
        """The lane that takes the same path; `vertex` has the words of the inputs by v number."""
        return self._found.get(self._key(vertex)) if self._found else None

    def add(self, vertex: Mapping[int, Words], fault: Fault, path: bytes | bytearray) -> None:
        if self._find_inputs is None:
            return
        if self._inputs is None:
            self._inputs = self._find_inputs()
        if self._inputs.useful:
            self._found[self._key(vertex)] = Endless(fault, path)

    def _key(self, vertex: Mapping[int, Words]) -> tuple[int | None, ...]:
        components = self._inputs.components if self._inputs is not None else None
        if components is None:
            return tuple([word for number in sorted(vertex) for word in vertex[number]])
        return tuple([vertex[number][channel] if number in vertex else None for number, channel in sorted(components)])


def flow_inputs(plan: Plan) -> frozenset[tuple[int, int]] | None:
    """The inputs that the questions of a program depend on; None if an index can lead to any."""
    function = plan.function
    if any(block.indexed for block in function.blocks):
        return None
    needs = passes.live(function, (), emitted=False)
    used = [(int(node[1]), int(node[2])) for node in passes.used_leaves(function, needs, "input")]
    return frozenset((number, channel) for number, channel in used if number < FED)
