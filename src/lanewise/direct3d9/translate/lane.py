"""One lane of a shader: its instructions, questions and loops as definitions and writes of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import inputs
from lanewise.direct3d9.isa.table import register_name
from lanewise.direct3d9.sem import lane
from lanewise.direct3d9.sem.algebra import KILLED, ONE, SIGN, TURNS, Component, Sampling
from lanewise.direct3d9.sem.issue import OUTPUTS
from lanewise.direct3d9.translate.expressions import FALSE, TRUE, Computing, ops_of
from lanewise.translating.languages import BOOL, I32, U32
from lanewise.translating.nodes import Node
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.sem.nodes import Begin, Condition, Issue, Next, Turns
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow

CONSTANTS = 256
KINDS = ("texld", "texldp", "texldb", "texldl", "texldd", "tex")  # of texture instructions, by their numbers
LETTERS = "xyzw"


class Write(Record):
    """A variable gets a value."""

    name: str
    kind: str
    value: Node


class Sample(Record):
    """A texture is sampled."""

    kind: int
    "The number of the instruction in `KINDS`."
    sampler: int
    "The number of the sampler."
    at: tuple[Node, ...]
    "The four coordinates."
    gradients: tuple[tuple[Node, ...], ...]
    "The gradients of texldd along x and along y; empty for other instructions."
    made: int
    "How many definitions are before it."


class Computed(Record):
    """The effects of some instructions: definitions, samples, and the writes after these."""

    computing: Computing
    samples: tuple[Sample, ...]
    writes: tuple[Write, ...]


class Lane(lane.Lane[Node, Node, Node]):
    """One lane as nodes and writes. Raises RefusedError for what only several lanes have."""

    texels: int
    most: int

    def __init__(self, shader: Shader, flow: Flow, rule: Rule, name: str) -> None:
        self._name = name
        self._computing = Computing()
        self._place: Inst | None = None
        super().__init__(flow, ops_of(rule, lambda: self._computing, self.place), rule.choices)
        self._pending: dict[Component, Write] = {}
        self._samples: list[Sample] = []
        self._given = {(port.file, port.number) for port in inputs(shader)}
        self._written = {
            (inst.dest.file, number)
            for inst in flow.insts
            if inst.dest is not None and inst.op.role not in (isa.DECLARATION, isa.DEFINITION)
            for number in (range(OUTPUTS) if inst.dest.is_relative else (inst.dest.number,))
        }
        old = flow.version.kind == isa.PIXEL and flow.version.major < 2
        self._clips_constants = old and rule.choices.value("ps1_constants") == "clamped"
        self._clips_colors = old and rule.choices.value("ps1_colors") == "clamped"
        self.texels = 0  # samples so far
        # What the shader takes: inputs by (file, number), those that it also writes with their variables, and uniforms.
        self.inputs: set[tuple[int, int]] = set()
        self.begun: dict[str, Node] = {}
        self.arrays: set[str] = set()
        self.most = CONSTANTS

    def place(self) -> str:
        """Where the instruction is."""
        inst = self._place
        span = inst.place if inst is not None else None
        if span is not None and span.line:
            return f"{span.file}:{span.line}"
        return f"{self._name}: {inst.op.name}" if inst is not None else self._name

    # What the translation asks

    def computed(self, issue: Issue) -> Computed:
        """The effects of instructions that are issued together."""
        self._begin()
        self.issue(issue)
        return self._end()

    def asked(self, question: Condition | Turns) -> Computed:
        """A question as the write of a truth."""
        self._begin()
        return Computed(self._computing, (), (Write("", BOOL, self.answer(question)),))

    def performed(self, action: Begin | Next) -> Computed:
        """The variables that the beginning or the next turn of a loop sets."""
        self._begin()
        self.do(action)
        return self._end()

    def _end(self) -> Computed:
        return Computed(self._computing, tuple(self._samples), tuple(self._pending.values()))

    def _begin(self) -> None:
        self._computing, self._pending, self._samples = Computing(), {}, []

    # Registers

    def name(self, cell: Component) -> str:
        """The variable of a component."""
        if cell.file == KILLED:
            return "killed"
        if cell.file == isa.LOOP:
            return f"aL{cell.number}"
        if cell.file == TURNS:
            return f"n{cell.number}"
        return f"{register(self.flow, cell.file, cell.number)}_{LETTERS[cell.component]}"

    def _variable(self, cell: Component, kind: str) -> Node:
        pending = self._pending.get(cell)
        return ("variable", self.name(cell), kind) if pending is None else pending.value

    def held(self, cell: Component) -> Node | None:
        key = cell.file, cell.number
        if cell in self._pending or (key in self._written and key not in self._given):
            return self._variable(cell, U32)
        return self._input(cell) if key in self._given else None

    def bump(self, cell: Component) -> Node:
        self.arrays.add("bump")
        return ("bump", cell.number, cell.component)

    def _input(self, cell: Component) -> Node:
        self.inputs.add((cell.file, cell.number))
        given: Node = ("input", register(self.flow, cell.file, cell.number), cell.component)
        clips = self._clips_colors and cell.file == isa.INPUT
        if (cell.file, cell.number) not in self._written:
            return self._computing.define(U32, ("clipped", given, ("word", 0))) if clips else given
        for component in range(4):
            value: Node = (*given[:2], component)
            name = self.name(cell._replace(component=component))
            self.begun[name] = ("clipped", value, ("word", 0)) if clips else value
        return self._variable(cell, U32)

    def uniform(self, number: int, component: int) -> Node:
        defined = self.flow.constants.get(number)
        if defined is not None:
            return self._limited(("word", defined[component]))
        if number < 0:
            return ("word", 0)
        self.arrays.add("c")
        self.most = max(self.most, number + 1)
        return self._limited(self._computing.define(U32, ("uniform", number, component)))

    def _limited(self, value: Node) -> Node:
        return self._computing.define(U32, ("clipped", value, ("word", ONE | SIGN))) if self._clips_constants else value

    def write(self, cell: Component, value: Node) -> None:
        self._pending[cell] = Write(self.name(cell), U32, value)
        if (cell.file, cell.number) in self._given:
            self._input(cell)

    def read_truth(self, cell: Component) -> Node:
        return self._variable(cell, BOOL)

    def write_truth(self, cell: Component, value: Node) -> None:
        self._pending[cell] = Write(self.name(cell), BOOL, value)

    def read_integer(self, cell: Component) -> Node:
        return self._variable(cell, I32)

    def write_integer(self, cell: Component, value: Node) -> None:
        self._pending[cell] = Write(self.name(cell), I32, value)

    def indexed(self, place: Node, component: int) -> Node:
        self.arrays.add("c")
        found = self._limited(self._computing.define(U32, ("indexed", place, component)))
        return self._defined(sorted(self.flow.constants), place, component, found)

    def _defined(self, numbers: Sequence[int], place: Node, component: int, otherwise: Node) -> Node:
        """A component of one of these constants of the shader, by a search; `otherwise` where it is none of them."""
        if len(numbers) < 2:
            for number in numbers:
                value = self._limited(("word", self.flow.constants[number][component]))
                return self.ops.select(self.ops.integer_is(place, number), value, otherwise)
            return otherwise
        middle = len(numbers) // 2
        before = self._computing.define(BOOL, ("below", place, ("integer", numbers[middle])))
        sides = [self._defined(part, place, component, otherwise) for part in (numbers[:middle], numbers[middle:])]
        return self.ops.select(before, sides[0], sides[1])

    # Flow

    def known(self, truth: Node) -> bool | None:
        return True if truth == TRUE else False if truth == FALSE else None

    def below(self, turns: Node, count: Node) -> Node:
        return self._computing.define(BOOL, ("below", turns, count))

    def outer_boolean(self, number: int) -> Node:
        self.arrays.add("b")
        return ("condition", number)

    def outer_integer(self, register: int, component: int) -> Node:
        self.arrays.add("i")
        return ("count", register, component)

    def visit(self, inst: Inst) -> None:
        self._place = inst

    # Pixels

    def sample(self, request: Sampling[Node]) -> tuple[Node, Node, Node, Node]:
        definitions = len(self._computing.definitions)
        kind = KINDS.index(request.name)
        self._samples.append(
            Sample(
                kind=kind,
                sampler=request.stage,
                at=tuple(request.coordinates),
                gradients=tuple(map(tuple, request.gradients)),
                made=definitions,
            )
        )
        number = len(self._samples) - 1
        self.texels = max(self.texels, number + 1)
        return ("texel", number, 0), ("texel", number, 1), ("texel", number, 2), ("texel", number, 3)

    def difference(self, value: Node, axis: int) -> Node:
        name = ("dsx", "dsy")[axis]
        raise RefusedError(f"{self.place()}: {name} reads other pixels", "remove it, or run the shader: lanewise run")


def register(flow: Flow, file: int, number: int) -> str:
    """The name of a register as an identifier."""
    return register_name(flow.version, file, number) or f"file{file}_{number}"


__all__ = ["Computed", "Lane", "Sample", "Write", "register"]
