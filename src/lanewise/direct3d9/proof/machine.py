"""A lane of a shader in execution on terms (`proving.machine.Machine`): its registers, and what it reads from outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import TYPE_CHECKING, Generic, TypeVar  # a state of `sem.issue`, which has those of `typing`

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.constants import BOOL_SET, INT_SET, SAMPLER_SET
from lanewise.direct3d9.isa.interface import inputs, kills, outputs
from lanewise.direct3d9.isa.operands import KILLED as KILLS
from lanewise.direct3d9.proof.naming import Moved
from lanewise.direct3d9.proof.terms import symbols_of
from lanewise.direct3d9.sem import lane
from lanewise.direct3d9.sem.algebra import KILLED, TURNS, Component, Sampling
from lanewise.direct3d9.sem.issue import OUTPUTS
from lanewise.direct3d9.sem.nodes import Begin, Condition, Issue, Next, Turns, nodes_of
from lanewise.proving import machine
from lanewise.proving.machine import Flow, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.proof.terms import Paths
    from lanewise.direct3d9.sem import tree
    from lanewise.direct3d9.sem.algebra import Algebra
    from lanewise.proving.terms import Term, Terms

M = TypeVar("M", bound="Terms")


class Side(Record):
    """A shader for a comparison."""

    flow: tree.Flow
    "Its blocks, loops and routines."
    nodes: Flow
    "Its tree as nodes, with calls in place."
    inputs: Mapping[Component, str]
    "The name of each component of its inputs, such as `position.x`."
    outputs: Mapping[str, Component]
    "The component of each output, by such a name."
    kills: bool
    "It has a texkill."
    values: tuple[Component, ...]
    "Components of values that it may write."
    truths: tuple[Component, ...]
    "Components of predicates that it may write, and whether the pixel is stopped."
    integers: tuple[Component, ...]
    "Integer components that it may write: addresses, the aL of each depth of loops, the turns of each level of loops."


def side_of(shader: Shader, flow: tree.Flow) -> Side:
    """A shader for a comparison. Raises ValueError for one that is too large."""
    nodes = nodes_of(flow)
    cells = sorted({cell for inst in flow.insts for cell in _written(inst, flow)})
    truths = [cell for cell in cells if cell.file in (isa.PREDICATE, KILLED)]
    integers = [cell for cell in cells if _is_address(cell.file, flow)]
    issues = [item for node in nodes for item in node.items]
    depths = max([item.depth for item in issues], default=0)
    levels = [action.level for node in nodes for action in _begun(node.exit)]
    return Side(
        flow=flow,
        nodes=Flow(nodes),
        inputs=_names(inputs(shader)),
        outputs={name: cell for cell, name in _names(outputs(shader)).items()},
        kills=kills(shader),
        values=tuple([cell for cell in cells if cell not in truths and cell not in integers]),
        truths=tuple(truths),
        integers=(
            *integers,
            *[Component(isa.LOOP, n, 0) for n in range(depths)],
            *[Component(TURNS, n, 0) for n in range(1 + max(levels, default=-1))],
        ),
    )


def _begun(exit: object) -> Iterator[Begin]:
    """The loops that an exit begins."""
    for action in getattr(exit, "actions", ()):
        if isinstance(action, Begin):
            yield action
    for way in ("yes", "no"):
        if hasattr(exit, way):
            yield from _begun(getattr(exit, way))


def _names(ports: Sequence[Port]) -> dict[Component, str]:
    """The components of ports, by name: `position.x`. Of registers that are two ports each has its own."""
    return {Component(port.file, port.number, c): f"{port.name}.{'xyzw'[c]}" for port in ports for c in port.components}


def _is_address(file: int, flow: tree.Flow) -> bool:
    return file == isa.ADDR and flow.version.kind == isa.VERTEX


def _written(inst: Inst, flow: tree.Flow) -> Iterator[Component]:
    """The components that an instruction may write."""
    dest = inst.dest
    if dest is None or inst.op.role in (isa.DECLARATION, isa.DEFINITION):
        return
    if inst.op.dest == KILLS:
        yield Component(KILLED, 0, 0)
    elif inst.op.dest is not None and inst.op.dest.depth:
        yield Component(isa.DEPTHOUT, 0, 0)
    else:
        numbers = range(OUTPUTS) if dest.is_relative else (dest.number,)
        yield from [Component(dest.file, number, c) for number in numbers for c in range(4) if dest.mask >> c & 1]


class Lane(lane.Lane["Term", "Term", "Term"], machine.Machine[Issue, Condition | Turns, Begin | Next], ABC, Generic[M]):
    """A shader in execution on terms, whose operations are those of `ops`; what it reads from outside is its user's."""

    m: M
    side: Side

    def __init__(self, m: M, side: Side, ops: Algebra[Term, Term, Term], choices: Choices) -> None:
        super().__init__(side.flow, ops, choices)
        self.m, self.side = m, side
        self._zero, self._none = ops.constant(0), m.integer(0)
        self._values: dict[Component, Term] = {}
        self._truths: dict[Component, Term] = {}
        self._integers: dict[Component, Term] = {}

    def copy(self) -> Self:
        other = copy(self)
        other._values, other._truths, other._integers = {**self._values}, {**self._truths}, {**self._integers}
        return other

    # What the walk calls

    def run(self, items: Sequence[Issue]) -> str:
        for item in items:
            self.issue(item)
        return ""

    def perform(self, actions: Sequence[Begin | Next]) -> None:
        for action in actions:
            self.do(action)

    def components(self) -> list[Term]:
        side = self.side
        return [
            *[self.value(cell) for cell in side.values],
            *[self.read_truth(cell) for cell in side.truths],
            *[self.read_integer(cell) for cell in side.integers],
        ]

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        side, following = self.side, iter(terms)
        self._values = {cell: next(following) for cell in side.values}
        self._truths = {cell: next(following) for cell in side.truths}
        self._integers = {cell: next(following) for cell in side.integers}

    # Registers

    def held(self, cell: Component) -> Term | None:
        found = self._values.get(cell)
        return self.given(cell) if found is None else found

    def bump(self, cell: Component) -> Term:
        return self.m.node("bump", cell.number, cell.component)

    def uniform(self, number: int, component: int) -> Term:
        return self.indexed(self.m.integer(number), component)

    def write(self, cell: Component, value: Term) -> None:
        self._values[cell] = value

    def read_truth(self, cell: Component) -> Term:
        return self._truths.get(cell, self.m.false)

    def write_truth(self, cell: Component, value: Term) -> None:
        self._truths[cell] = value

    def read_integer(self, cell: Component) -> Term:
        return self._integers.get(cell, self._none)

    def write_integer(self, cell: Component, value: Term) -> None:
        self._integers[cell] = value

    # Flow

    def known(self, truth: Term) -> bool | None:
        return self.m.truth(truth)

    def below(self, turns: Term, count: Term) -> Term:
        m = self.m
        done, most = m.known_integer(turns), m.known_integer(count)
        return m.node("turn", turns, count) if done is None or most is None else m.boolean(done < most)

    def outer_boolean(self, number: int) -> Term:
        return self.m.node("boolean", number)

    def outer_integer(self, register: int, component: int) -> Term:
        return self.m.node("count", register, component)

    @abstractmethod
    def given(self, cell: Component) -> Term | None:
        """A component of an input; None where nobody gives it."""

    def value(self, cell: Component) -> Term:
        """Return the value of a component of a register; 0 before it is written."""
        return self._values.get(cell, self._zero)


class Machine(Lane["Paths"]):
    """A shader in execution on patterns, beside another shader."""

    def __init__(self, m: Paths, side: Side, moved: Moved | None = None) -> None:
        """`moved`: what its constants and textures are called in the other shader."""
        super().__init__(m, side, symbols_of(m), m.rule.choices)
        self._moved = moved or Moved()

    def results(self) -> list[Result]:
        """The outputs, those of a pixel that is stopped 0, and whether it is."""
        m, killed = self.m, self.read_truth(Component(KILLED, 0, 0))
        found = [
            Result(name, m.select(killed, self._zero, self.value(cell)), m.true)
            for name, cell in sorted(self.side.outputs.items())
        ]
        return [*found, Result("whether the pixel is stopped", killed, m.true)]

    def read_indexed(self, file: int, base: int, index: Term, component: int) -> Term:
        array = self._moved.array(base) if file == isa.CONST else None
        if array is None and file == isa.CONST and self._moved.alone:
            place = self.m.integer_add(index, self.m.integer(base))
            return self.m.node(f"indexed {component} of the {self._moved.alone} shader", place)
        if array is None:
            return super().read_indexed(file, base, index, component)
        place = self.m.integer_add(index, self.m.integer(base - array.first))
        return self.m.node(f"indexed {component} of {array.name}", place)

    def indexed(self, place: Term, component: int) -> Term:
        m, defined = self.m, self.side.flow.constants
        number = m.known_integer(place)
        if number is None or number in defined or number < 0:
            return m.uniform(place, component, defined)
        return m.node("uniform", *self._moved.place(number, component))

    def outer_boolean(self, number: int) -> Term:
        return super().outer_boolean(self._moved.number(BOOL_SET, number))

    def outer_integer(self, register: int, component: int) -> Term:
        return super().outer_integer(self._moved.number(INT_SET, register), component)

    def given(self, cell: Component) -> Term | None:
        name = self.side.inputs.get(cell)
        return None if name is None else self.m.node("input", name)

    def answer(self, question: Condition | Turns) -> Term:
        found = super().answer(question)
        return self.m.asked(found) if isinstance(question, Condition) else found

    def sample(self, request: Sampling[Term]) -> tuple[Term, Term, Term, Term]:
        name, stage, coordinates, gradients = request
        stage = self._moved.number(SAMPLER_SET, stage)
        given = [*coordinates, *[each for gradient in gradients for each in gradient]]
        x, y, z, w = (self.m.node(f"sample {name} {stage} {c}", *given) for c in range(4))
        return x, y, z, w

    def difference(self, value: Term, axis: int) -> Term:
        return self.m.difference(value, axis)


__all__ = ["Lane", "Machine", "Side", "side_of"]
