"""One lane of a shader in execution over an abstract domain: the items, questions and actions of `sem.nodes`."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import BUMP, ONE, TURNS, Algebra, B, Component, I, V
from lanewise.direct3d9.sem.issue import OUTPUTS, Issuer, State, W
from lanewise.direct3d9.sem.nodes import Begin, Condition, Next

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.sem.nodes import Issue, Turns
    from lanewise.direct3d9.sem.tree import Flow


class Lane(State[V, B, I]):
    """The state of one lane: components of registers, aL and the turns of each loop (`TURNS`), and what is outside."""

    flow: Flow
    ops: Algebra[V, B, I]

    def __init__(self, flow: Flow, ops: Algebra[V, B, I], choices: Choices) -> None:
        self.flow, self.ops = flow, ops
        self._issuer: Issuer[V, B, I] = Issuer(flow.version, ops, self, choices)
        self._pixel = flow.version.kind == isa.PIXEL

    def issue(self, item: Issue) -> None:
        """Compute instructions that are issued together, and write their results."""
        self._at(item.depth).step(item.insts, self.ops.truth(True))

    def do(self, action: Begin | Next) -> None:
        """Begin a loop, or its next turn."""
        register, level, depth = action
        turns, counter = Component(TURNS, level, 0), Component(isa.LOOP, depth, 0)
        ops, begins = self.ops, isinstance(action, Begin)
        self.write_integer(turns, ops.integer(0) if begins else ops.integer_add(self.read_integer(turns), ops.integer(1)))
        if depth >= 0:
            value = self.loop_value(register, 1 if begins else 2)
            self.write_integer(counter, value if begins else ops.integer_add(self.read_integer(counter), value))

    def answer(self, question: Condition | Turns) -> B:
        """The truth value of a question."""
        if isinstance(question, Condition):
            return self._at(question.depth).condition(question.inst)
        return self.below(self.read_integer(Component(TURNS, question.level, 0)), self.loop_value(question.register, 0))

    def _at(self, depth: int) -> Issuer[V, B, I]:
        """The issuer for this state, inside so many loops that have an aL."""
        self._issuer.state, self._issuer.depth = self, depth
        return self._issuer

    def loop_value(self, register: int, component: int) -> I:
        """i#.x, the turns of a loop, i#.y, where aL starts, or i#.z, its step."""
        defined = self.flow.integers.get(register)
        if defined is None:
            return self.outer_integer(register, component)
        return self.ops.integer((defined[component] + (1 << 31) & 0xFFFFFFFF) - (1 << 31))

    def boolean(self, number: int) -> B:
        defined = self.flow.booleans.get(number)
        return self.outer_boolean(number) if defined is None else self.ops.truth(defined)

    def read(self, cell: Component) -> V:
        if cell.file == isa.CONST:
            return self.uniform(cell.number, cell.component)
        if cell.file == BUMP:
            return self.bump(cell)
        found = self.held(cell)
        if found is not None:
            return found
        is_input = cell.file == isa.INPUT or (self._pixel and cell.file in (isa.TEXTURE, isa.MISC))
        return self.ops.constant(ONE if is_input and cell.component == W else 0)

    def read_indexed(self, file: int, base: int, index: I, component: int) -> V:
        place = self.ops.integer_add(index, self.ops.integer(base))
        if file == isa.CONST:
            return self.indexed(place, component)
        rows = [self.read(Component(file, n, component)) for n in range(OUTPUTS)]
        return self.ops.look_up(rows, place, self.ops.constant(0))

    @abstractmethod
    def below(self, turns: I, count: I) -> B:
        """Whether the turns of a loop that are done are fewer than its count."""

    @abstractmethod
    def held(self, cell: Component) -> V | None:
        """A component that was written or is that of an input; None for any other."""

    @abstractmethod
    def uniform(self, number: int, component: int) -> V:
        """A component of the c# of a number, which the shader may define; 0 out of range."""

    @abstractmethod
    def indexed(self, place: I, component: int) -> V:
        """A component of the c# of a computed number, which the shader may define; 0 out of range."""

    @abstractmethod
    def bump(self, cell: Component) -> V:
        """A component of a stage's bump matrix."""

    @abstractmethod
    def outer_integer(self, register: int, component: int) -> I:
        """A component of an i# that the shader does not define."""

    @abstractmethod
    def outer_boolean(self, number: int) -> B:
        """A b# that the shader does not define."""


__all__ = ["Lane"]
