"""A program with its computations: statements of `structure`, the results of their words as expressions, and which variables
count."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import answer, perform
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.pica200.translate.expressions import BOOLEANS, FLAGS, Machine, integers, is_local, loop_values, reads
from lanewise.pica200.translate.nodes import Invoke
from lanewise.pica200.translate.routines import statements
from lanewise.translating.structure import Dispatcher, Do, If, Loop, Once, Word, every
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.pica200.isa.program import Interface, Uniform
    from lanewise.pica200.sem.flow import Action, Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.profile import Profile
    from lanewise.translating.nodes import Node
    from lanewise.translating.structure import Routine, Statement


class Subject(Record):
    """A shader to translate."""

    name: str
    "Its function in C, its namespace in C++ and its entry in WGSL."
    words: Sequence[int]
    "Code memory of the unit."
    descriptors: Sequence[int]
    "Operand descriptors."
    interface: Interface
    "Shader as its file declares it."
    inputs: Sequence[Uniform]
    "Names of v registers that become members."
    uniforms: Sequence[Uniform]
    "Names of c, i and b registers that become members."
    comment: Callable[[int], str]
    "Text of the word at an address."
    label: Callable[[int], str]
    "Name of an address; empty for none."


class _Effect(Record):
    """A variable that is set, or an empty name for what counts by itself, and the variables that are read for it."""

    sets: str
    reads: tuple[str, ...]


class Computed:
    """The routines of a shader without the words that do nothing, and by address the instructions with `results`. Raises
    RefusedError."""

    geometry: bool
    routines: list[Routine]
    results: dict[int, tuple[ResolvedInst, Result[Node, Node, Node]]]

    def __init__(self, subject: Subject, profile: Profile) -> None:
        self.geometry = subject.interface.geometry
        self._subject = subject
        self._profile = profile
        self._machine = Machine(profile)
        size = flow.memory_size(geometry=self.geometry)
        self._insts = [decode(word) for word in flow.code_memory(subject.words, profile, size)]
        reads_al = any(computes(inst) and inst.has("idx") and inst.field("idx") == 3 for inst in self._insts)
        found = statements(self._insts, subject.interface.entry, profile, reads_al=reads_al)
        if isinstance(found, BudgetExceeded):
            raise RefusedError(f"{subject.name}: {found.reason}")
        self.routines = [routine._replace(body=self._without_nops(routine.body)) for routine in found.routines]
        self._every = [[*every(routine.body)] for routine in self.routines]
        self.results = self._computed()

    def _without_nops(self, body: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements without the words that only move the program counter, and without branches over nothing."""
        found: list[Statement] = []
        for statement in body:
            match statement:
                case Word(address) if not computes(self._insts[address]) and not self.emitted(address):
                    pass
                case If(question, yes, no):
                    one, other = self._without_nops(yes), self._without_nops(no)
                    if one or other:
                        found.append(If(question, one, other))
                case Loop(inner):
                    found.append(Loop(self._without_nops(inner)))
                case Once(inner):
                    found.append(Once(self._without_nops(inner)))
                case Dispatcher(blocks):
                    found.append(Dispatcher(tuple([self._without_nops(block) for block in blocks])))
                case _:
                    found.append(statement)
        return tuple(found)

    def emitted(self, address: int) -> Result[Node, Node, Node]:
        """Return the results of SETEMIT and EMIT of a geometry shader; empty for other words."""
        return self._machine.emitted(self._insts[address]) if self.geometry else {}

    def _computed(self) -> dict[int, tuple[ResolvedInst, Result[Node, Node, Node]]]:
        """By address the instructions with results."""
        found: dict[int, tuple[ResolvedInst, Result[Node, Node, Node]]] = {}
        for address in sorted({each.address for body in self._every for each in body if isinstance(each, Word)}):
            inst = self._insts[address]
            if computes(inst) and not self.emitted(address):
                number = inst.field("desc")
                if number >= len(self._subject.descriptors):
                    count = len(self._subject.descriptors)
                    has = f"the program has 0 to {count - 1}" if count else "the program has none"
                    raise RefusedError(
                        f"{self._subject.name}: word {address} uses operand descriptor {number}: {has}",
                        "" if count else "add --descriptors DESC",
                    )
                resolved = resolve(inst, operands(inst, self._subject.descriptors[number]), self._profile)
                found[address] = resolved, self._machine.result(resolved)
        return found

    # Registers

    def read(self) -> set[int]:
        """The registers that instructions read."""
        return {source.register for inst, _ in self.results.values() for source in inst.sources}

    def outputs(self) -> set[int]:
        """The output registers that instructions write."""
        return {
            inst.dest.register for inst, result in self.results.values() if inst.dest.register < TEMPORARY and "dst" in result
        }

    def uniforms(self) -> set[int]:
        """The uniforms that instructions, the flow or the file name."""
        found = {register for register in self.read() if register >= FLOAT}
        found |= {constant.register for constant in self._subject.interface.constants}
        return found | _uniforms_asked([each for body in self._every for each in body])

    def indexes(self) -> bool:
        """Whether an instruction reads a uniform by an index register."""
        return any(source.relative for inst, _ in self.results.values() for source in inst.sources)

    # Variables that something reads

    def live(self) -> list[frozenset[str]]:
        """By function the variables that are read for what the shader gives or how it flows."""
        by_name: dict[str, set[str]] = {}
        for number in range(len(self.routines)):
            for name, read in self._effects(number):
                by_name.setdefault(name, set()).update(read)
        wanted: set[str] = set()
        waiting = [""]
        while waiting:
            found = by_name.get(waiting.pop(), set[str]()) - wanted
            wanted |= found
            waiting += found
        every = [name.partition("@") for name in wanted]
        return [
            frozenset([name for name, _, owner in every if owner in ("", str(number))]) for number in range(len(self.routines))
        ]

    def _effects(self, number: int) -> Iterator[_Effect]:
        """Yield the variables that the statements of a function set; its own variables have its number in their names."""

        def own(name: str) -> str:
            return f"{name}@{number}" if is_local(name) else name

        def effect(name: str, *nodes: Node) -> _Effect:
            return _Effect(own(name) if name else "", tuple([own(read) for node in nodes for read in reads(node)]))

        for statement in self._every[number]:
            match statement:
                case Word(address) if address in self.results:
                    inst, result = self.results[address]
                    for name, node in (*flags_of(inst, result), *indices_of(inst, result)):
                        yield effect(name, node)
                    if "dst" in result:
                        name = f"r{inst.dest.register - TEMPORARY}" if inst.dest.register >= TEMPORARY else ""
                        yield effect(name, *[result["dst"][channel] for channel in channels_of(inst)])
                case If(question, _, _):
                    yield effect("", self.asked(cast("Question", question)))
                case Do(actions):
                    for action in actions:
                        for name, node in self.changes(cast("Action | Invoke", action)):
                            yield effect(name, node)
                case _:
                    pass

    def asked(self, question: Question) -> Node:
        return answer(self._machine.algebra, question, FLAGS, BOOLEANS, loop_values(8))

    def changes(self, action: Action | Invoke) -> list[tuple[str, Node]]:
        """The variables that an action sets, with their values."""
        if isinstance(action, Invoke):
            return []
        slots = action.slot if isinstance(action, flow.Push) else 8
        before = loop_values(slots)
        after = perform(self._machine.algebra, [action], before, integers(), self._profile)
        found = [(f"n{n}", node) for n, node in enumerate(after.counters) if n >= slots or node != before.counters[n]]
        found += [(f"saved{n}", node) for n, node in enumerate(after.saved) if n >= slots or node != before.saved[n]]
        return [*found, ("aL", after.al)] if after.al != before.al else found


def channels_of(inst: ResolvedInst) -> list[int]:
    """The components that the mask of an instruction lets through."""
    return [n for n in range(4) if inst.dest.mask & 8 >> n]


def flags_of(inst: ResolvedInst, result: Result[Node, Node, Node]) -> list[tuple[str, Node]]:
    """The flags that an instruction sets, with their values."""
    if "cmp" not in result:
        return []
    rows = zip(("cmp_x", "cmp_y"), result["cmp"], inst.kept, strict=True)
    return [(name, node) for name, node, kept in rows if not kept]


def indices_of(inst: ResolvedInst, result: Result[Node, Node, Node]) -> list[tuple[str, Node]]:
    """The index registers that an instruction sets, with their values."""
    if "a0" not in result:
        return []
    rows = zip(("a0_x", "a0_y"), result["a0"], (8, 4), strict=True)
    return [(name, node) for name, node, bit in rows if inst.dest.mask & bit]


def _uniforms_asked(every: Sequence[Statement]) -> set[int]:
    """The boolean and integer uniforms that the flow reads."""
    found: set[int] = set()
    for statement in every:
        match statement:
            case If(flow.Boolean() as question, _, _):
                found.add(BOOLEAN + question.number)
            case Do(actions):
                found |= {
                    INTEGER + action.register
                    for action in actions
                    if isinstance(action, flow.Push | flow.StartAl | flow.StepAl)
                }
            case _:
                pass
    return found
