"""Lanes, and runs of geometry shaders, that do not end: found once for all that share the inputs on which the path depends."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.engine.reference import ENDLESS
from lanewise.pica200.ir.ssa import FED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.reference import Deciding, Fault, Words


class FlowInputs(Record):
    """The inputs that can change the path of a lane: pairs of input number and component, None for all.

    Inputs are numbered as in the IR: v from 0, and c from `FED` where a run is fed its vertices as uniforms. `repeating` are
    those that can change the step in which a repeating state is found, those of `components` among them. `useful` is false if
    the path also depends on what the lane before has left.
    """

    components: frozenset[tuple[int, int]] | None
    repeating: frozenset[tuple[int, int]] | None
    useful: bool


class Endless(Record):
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
        self._undecided: dict[tuple[int | None, ...], Endless] = {}

    @property
    def empty(self) -> bool:
        return not self._found

    def find(self, vertex: Mapping[int, Words]) -> Endless | None:
        """The lane that ends up as this one; `vertex` has the words of the inputs by number."""
        return self._found.get(_key(vertex, self._inputs.repeating)) if self._found and self._inputs is not None else None

    def find_undecided(self, vertex: Mapping[int, Words]) -> Endless | None:
        """The lane that takes the path of this one, which is known not to repeat (`Machine.undecided`)."""
        return (
            self._undecided.get(_key(vertex, self._inputs.components)) if self._undecided and self._inputs is not None else None
        )

    def add(self, vertex: Mapping[int, Words], fault: Fault, path: bytes | bytearray) -> None:
        if self._find_inputs is None:
            return
        if self._inputs is None:
            self._inputs = self._find_inputs()
        if self._inputs.useful:
            self._found[_key(vertex, self._inputs.repeating)] = Endless(fault, path)
            if fault.code != ENDLESS:
                self._undecided[_key(vertex, self._inputs.components)] = Endless(fault, path)


def _key(vertex: Mapping[int, Words], components: frozenset[tuple[int, int]] | None) -> tuple[int | None, ...]:
    if components is None:
        return tuple([word for number in sorted(vertex) for word in vertex[number]])
    return tuple([vertex[number][channel] if number in vertex else None for number, channel in sorted(components)])


def flow_inputs(plan: Plan, deciding: Deciding, *, kept: bool) -> FlowInputs:
    """The inputs that the questions of a program depend on. `kept`: lanes may read what the one before has left."""
    from lanewise.pica200.ir import passes

    function = plan.function
    if deciding.sources is None or any(block.indexed for block in function.blocks):
        return FlowInputs(None, None, useful=not kept)
    needs = passes.live(function, (), emitted=False)
    used = frozenset((int(node[1]), int(node[2])) for node in passes.used_leaves(function, needs, "input"))
    compared = {(number + FED * (file == "c"), channel) for file, number, channel in deciding.sources}
    return FlowInputs(used, used | compared, useful=not kept)
