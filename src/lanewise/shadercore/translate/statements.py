"""A ShaderCore program as statements: each sets a component of a register, in one lane or in all 16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.shadercore.isa.timing import strays
from lanewise.shadercore.sem.functions import described, is_opaque, is_table
from lanewise.shadercore.sem.steps import X7X, Hang, Register, Step, Stepper
from lanewise.shadercore.translate.expressions import ACROSS, Expressions, WaveExpressions, reads_others
from lanewise.translating.nodes import Node, int_of
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.timing import Timing

_OTHERWISE = "translate 16 lanes: --to c or cpp without --lanes 1"


class Subject(Record):
    """A program to translate."""

    name: str
    "The name that identifiers are made from."
    insts: Sequence[Inst]
    "The instructions."
    constants: Sequence[tuple[int, Sequence[int]]]
    "Constants that the file presets: the register, and the patterns of its components."
    comments: Sequence[str]
    "A comment for each word."
    places: Sequence[str]
    "The place of each word in messages."
    notes: Mapping[str, str]
    "The meaning of inputs and outputs, by register (`v0`)."


class Assign(Record):
    """A register, or by its name an array of the wave, is set; `number` is that of the word, -1 for none."""

    target: Register | str
    value: Node
    number: int


class Statements(Stepper[Node]):
    """The statements of a program. A value that other lanes read is put into an array of the wave first."""

    def __init__(self, timing: Timing, subject: Subject, *, wave: bool) -> None:
        device = timing.device
        super().__init__(timing, WaveExpressions(device, self._array) if wave else Expressions(device))
        self._subject, self._wave = subject, wave
        self._found: list[Assign] = []
        self._arrays = 0
        self._written = {timing.target(issue) for issue in timing.issues}
        # Reciprocals whose results land in later instructions, with what they were started with.
        self._landing = {earlier for issue in timing.issues for earlier, _ in strays(timing, issue.number)}
        self._started: dict[int, Node] = {}

    def entering(self, place: Register) -> Node:
        if not self._wave and place[0] != "v" and place not in self._written:
            return ("word", 0)
        return ("register", *place)

    def uniform(self, number: int, component: int) -> Node:
        return ("uniform", number, component)

    def found(self) -> list[Assign]:
        """All statements. Raises RefusedError."""
        try:
            for step in self.steps():
                if step.target is not None:
                    self._found.append(Assign(step.target, step.value, step.number))
                    self.registers[step.target] = ("register", *step.target)
        except Hang as error:
            raise RefusedError(f"{self._subject.name}: {error}") from None
        if not self._wave:
            self._refuse_kept()
        elif self.registers.get(X7X, ("",))[0] == "quad":
            self._found.append(Assign(X7X, self.registers[X7X], -1))
        return self._found

    def _step(self, number: int, cycle: int, sources: Sequence[Node], started: Mapping[int, Node]) -> Step[Node]:
        op = self.timing.insts[number].op
        if is_opaque(op):
            raise RefusedError(
                f"{self._subject.places[number]}: {op.name} is {described(op)}, which has no translation",
                "run it with --engine llvm, which compiles tables"
                if is_table(op)
                else "give the instruction a meaning as an expression",
            )
        if not self._wave:
            self._refuse_others(number)
        if number in self._landing:
            self._started[number] = self._array(sources[0])
        return super()._step(number, cycle, sources, self._started)

    def _array(self, value: Node) -> Node:
        """A value of all lanes as an array of the wave."""
        if value[0] == "wave":
            return value
        name = f"w{self._arrays}"
        self._arrays += 1
        self._found.append(Assign(name, value, -1))
        return ("wave", name)

    def _refuse_others(self, number: int) -> None:
        """Raise RefusedError for an instruction that reads other lanes."""
        inst, place = self.timing.insts[number], self._subject.places[number]
        if reads_others(self.device, inst.op.operation):
            fix = f"{_OTHERWISE}, or use --set {ACROSS[inst.op.operation]}=fixed"
            raise RefusedError(f"{place}: {inst.op.name} reads other lanes of the wave on {self.device.name}", fix)
        if strays(self.timing, number):
            raise RefusedError(f"{place}: {inst.op.name} gets the reciprocal of other lanes on {self.device.name}", _OTHERWISE)

    def _refuse_kept(self) -> None:
        """Raise RefusedError for an instruction that reads what the wave before has left."""
        if self.device.value("between_waves") == "zero":
            return
        written: set[Register | str] = set()
        for target, value, number in self._found:
            for place in registers_of(value):
                if place[0] != "v" and place not in written:
                    register = f"{place[0]}{place[1]}.{'xyzw'[place[2]]}"
                    where = self._subject.places[number]
                    raise RefusedError(
                        f"{where}: {register} is what the wave before has left on {self.device.name}", _OTHERWISE
                    )
            written.add(target)


def registers_of(node: Node) -> Iterator[Register]:
    """The registers that a value reads."""
    if node[0] == "register":
        yield str(node[1]), int_of(node[2]), int_of(node[3])
        return
    for argument in node:
        if isinstance(argument, tuple):
            yield from registers_of(argument)


def needed(statements: Sequence[Assign], outputs: set[Register]) -> list[Assign]:
    """The statements of one lane that something reads."""
    wanted: set[Register | str] = set(outputs)
    kept: list[Assign] = []
    for statement in reversed(statements):
        if statement.target in wanted:
            wanted.discard(statement.target)
            wanted |= set(registers_of(statement.value))
            kept.append(statement)
    return kept[::-1]
