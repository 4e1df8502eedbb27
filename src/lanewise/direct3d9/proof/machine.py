"""A lane of a shader in execution on terms (`proving.machine.Machine`): its registers, and what it reads from outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import inputs, kills, outputs
from lanewise.direct3d9.isa.operands import KILLED as KILLS
from lanewise.direct3d9.proof.terms import Symbols
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, ONE, Component, Sampling
from lanewise.direct3d9.sem.flow import OUTPUTS, Control, W, Walker
from lanewise.direct3d9.sem.nodes import Begin, Condition, Issue, Next, Turns, nodes_of
from lanewise.proving import machine
from lanewise.proving.machine import Flow, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Self

    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.proof.terms import Paths
    from lanewise.direct3d9.sem import tree
    from lanewise.direct3d9.sem.algebra import Algebra
    from lanewise.proving.terms import Term, Terms


class Side(Record):
    """A shader for a comparison: its tree, its nodes, the names of its inputs by component, and of what it leaves.

    `values`, `truths` and `integers` are the components that it may write.
    """

    flow: tree.Flow
    nodes: Flow
    inputs: Mapping[Component, str]
    outputs: Mapping[str, Component]
    kills: bool
    values: tuple[Component, ...]
    truths: tuple[Component, ...]
    integers: tuple[Component, ...]
    levels: int


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
        integers=(*integers, *[Component(isa.LOOP, n, 0) for n in range(depths)]),
        levels=1 + max(levels, default=-1),
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


def _is_input(file: int, flow: tree.Flow) -> bool:
    pixel = flow.version.kind == isa.PIXEL
    return file == isa.INPUT or (pixel and file in (isa.TEXTURE, isa.MISC))


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


class Lane(Control["Term", "Term", "Term"], machine.Machine[Issue, Condition | Turns, Begin | Next], ABC):
    """A shader in execution on terms, whose operations are those of `ops`; what it reads from outside is its user's."""

    def __init__(self, m: Terms, side: Side, ops: Algebra[Term, Term, Term], choices: Choices) -> None:
        self.m, self.side = m, side
        self.ops = ops
        self._walker: Walker[Term, Term, Term] = Walker(side.flow, ops, self, choices)
        self._zero = ops.constant(0)
        self._values: dict[Component, Term] = {}
        self._truths: dict[Component, Term] = {}
        self._integers: dict[Component, Term] = {}
        self._turns = [m.integer(0)] * side.levels

    def copy(self) -> Self:
        other = copy(self)
        other._values, other._truths, other._integers = {**self._values}, {**self._truths}, {**self._integers}
        other._turns = [*self._turns]
        return other

    # What the walk calls

    def run(self, items: Sequence[Issue]) -> str:
        walker = self._walker
        walker.control = self
        for item in items:
            walker.depth = item.depth
            walker.step(item.insts, self.m.true)
        return ""

    def perform(self, actions: Sequence[Begin | Next]) -> None:
        m = self.m
        for action in actions:
            register, level, depth = action
            cell = Component(isa.LOOP, depth, 0)
            if isinstance(action, Begin):
                self._turns[level] = m.integer(0)
                if depth >= 0:
                    self._integers[cell] = self.loop_value(register, 1)
            else:
                self._turns[level] = m.integer_add(self._turns[level], m.integer(1))
                if depth >= 0:
                    self._integers[cell] = m.integer_add(self.read_integer(cell), self.loop_value(register, 2))

    def answer(self, question: Condition | Turns) -> Term:
        if isinstance(question, Condition):
            walker = self._walker
            walker.control, walker.depth = self, question.depth
            return self.asked(walker.condition(question.inst))
        m, done = self.m, self._turns[question.level]
        turns, count = m.known_integer(done), self.loop_value(question.register, 0)
        known = m.known_integer(count)
        return m.node("turn", done, count) if turns is None or known is None else m.boolean(turns < known)

    def components(self) -> list[Term]:
        side = self.side
        return [
            *[self._values.get(cell, self._zero) for cell in side.values],
            *[self.read_truth(cell) for cell in side.truths],
            *[self.read_integer(cell) for cell in side.integers],
            *self._turns,
        ]

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        side, following = self.side, iter(terms)
        self._values = {cell: next(following) for cell in side.values}
        self._truths = {cell: next(following) for cell in side.truths}
        self._integers = {cell: next(following) for cell in side.integers}
        self._turns = [*following]

    # Registers

    def read(self, cell: Component) -> Term:
        if cell.file == isa.CONST:
            return self.uniform(self.m.integer(cell.number), cell.component)
        found = self._values.get(cell)
        if found is not None:
            return found
        if cell.file == BUMP:
            return self.m.node("bump", cell.number, cell.component)
        given = self.given(cell)
        if given is not None:
            return given
        return self.ops.constant(ONE if cell.component == W and _is_input(cell.file, self.side.flow) else 0)

    def write(self, cell: Component, value: Term) -> None:
        self._values[cell] = value

    def read_truth(self, cell: Component) -> Term:
        return self._truths.get(cell, self.m.false)

    def write_truth(self, cell: Component, value: Term) -> None:
        self._truths[cell] = value

    def read_integer(self, cell: Component) -> Term:
        return self._integers.get(cell, self.m.integer(0))

    def write_integer(self, cell: Component, value: Term) -> None:
        self._integers[cell] = value

    def read_indexed(self, file: int, base: int, index: Term, component: int) -> Term:
        m = self.m
        place = m.integer_add(index, m.integer(base))
        if file == isa.CONST:
            return self.uniform(place, component)
        rows = [self.read(Component(file, n, component)) for n in range(OUTPUTS)]
        return self.ops.look_up(rows, place, self._zero)

    # Flow

    def known(self, truth: Term) -> bool | None:
        return self.m.truth(truth)

    def when(self, mask: Term, body: Callable[[], None]) -> None:
        raise NotImplementedError("one lane has no mask")

    def repeat(self, register: int, body: Callable[[Term], None], live_lanes: Callable[[], Term]) -> None:
        raise NotImplementedError("nodes have loops as questions")

    def boolean(self, number: int) -> Term:
        defined = self.side.flow.booleans.get(number)
        return self.m.node("boolean", number) if defined is None else self.m.boolean(defined)

    def loop_value(self, register: int, component: int) -> Term:
        defined = self.side.flow.integers.get(register)
        return self.m.node("count", register, component) if defined is None else self.m.integer(_signed(defined[component]))

    # What is outside

    @abstractmethod
    def uniform(self, place: Term, component: int) -> Term:
        """A component of the c# with a number, which the shader may define."""

    @abstractmethod
    def given(self, cell: Component) -> Term | None:
        """A component of an input; None where nobody gives it."""

    def asked(self, truth: Term) -> Term:
        """Called with each truth that decides where the lane goes."""
        return truth

    def value(self, cell: Component) -> Term:
        """Return the value of a component of a register; 0 before it is written."""
        return self._values.get(cell, self._zero)


class Machine(Lane):
    """A shader in execution on patterns, beside another shader."""

    m: Paths

    def __init__(self, m: Paths, side: Side) -> None:
        super().__init__(m, side, Symbols(m), m.rule.choices)

    def results(self) -> list[Result]:
        """The outputs, those of a pixel that is stopped 0, and whether it is."""
        m, killed = self.m, self.read_truth(Component(KILLED, 0, 0))
        found = [
            Result(name, m.select(killed, self._zero, self.value(cell)), m.true)
            for name, cell in sorted(self.side.outputs.items())
        ]
        return [*found, Result("whether the pixel is stopped", killed, m.true)]

    def uniform(self, place: Term, component: int) -> Term:
        return self.m.uniform(place, component, self.side.flow.constants)

    def given(self, cell: Component) -> Term | None:
        name = self.side.inputs.get(cell)
        return None if name is None else self.m.node("input", name)

    def asked(self, truth: Term) -> Term:
        return self.m.asked(truth)

    def sample(self, request: Sampling[Term]) -> tuple[Term, Term, Term, Term]:
        name, stage, coordinates, gradients = request
        given = [*coordinates, *[each for gradient in gradients for each in gradient]]
        x, y, z, w = (self.m.node(f"sample {name} {stage} {c}", *given) for c in range(4))
        return x, y, z, w

    def difference(self, value: Term, axis: int) -> Term:
        return self.m.difference(value, axis)


def _signed(bits: int) -> int:
    return (bits + (1 << 31) & 0xFFFFFFFF) - (1 << 31)


__all__ = ["Lane", "Machine", "Side", "side_of"]
