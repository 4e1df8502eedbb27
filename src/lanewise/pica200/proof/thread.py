"""A program during execution on terms, block by block: its registers, where it is, and what it has emitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.record import Record
from lanewise.graph.flow import Branch, Goto
from lanewise.pica200.ir.ssa import setting_of
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import LoopValues
from lanewise.pica200.sem.instruction import computes, execute
from lanewise.pica200.sem.registers import Registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.ir.graph import Terminator
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.proof.code import Unfolded
    from lanewise.pica200.proof.terms import Term, Terms
    from lanewise.pica200.sem.algebra import Vector

MOST_STEPS = 5_000  # of a program between two questions or meetings of paths


class Leaves(Record):
    """What a program reads from outside, as terms."""

    inputs: tuple[Vector[Term], ...]
    floats: tuple[Vector[Term], ...]
    integers: tuple[Vector[Term], ...]
    booleans: tuple[Term, ...]


class Used(Record):
    """The temporaries and outputs that either of two programs names, by number."""

    temporaries: tuple[int, ...]
    outputs: tuple[int, ...]

    @classmethod
    def by(cls, programs: Sequence[Unfolded]) -> Used:
        temporaries: set[int] = set()
        outputs: set[int] = set()
        for program in programs:
            outputs.update(wired.register for wired in program.code.outputs)
            temporaries |= program.temporaries
            outputs |= program.outputs
        return cls(tuple(sorted(temporaries)), tuple(sorted(outputs)))


class Sent(Record):
    """An emitted vertex: the components that a later stage takes, whether the run has written them, and the setting."""

    values: tuple[Term, ...]
    written: tuple[Term, ...]
    setting: Term


class Place(Record):
    """Where a program is: a block that is about to begin, or a question with what follows each answer, or an end with its code.

    `kind` is that of a block where paths meet.
    """

    block: int
    kind: str = ""
    question: Term = -1
    tree: Terminator | None = None
    ended: bool = False
    code: str = ""


class Thread:
    """A program during execution on terms."""

    __slots__ = (
        "_bank_marks",
        "_emitter",
        "_leaves",
        "_marks",
        "_setting",
        "code",
        "decided",
        "m",
        "place",
        "registers",
        "sent",
        "steps",
        "unfolded",
    )

    def __init__(self, m: Terms, unfolded: Unfolded, leaves: Leaves) -> None:
        self.m, self.unfolded, self.code, self._leaves = m, unfolded, unfolded.code, leaves
        self.registers: Registers[Term, Term, Term] = Registers(m, leaves.inputs, leaves.floats)
        self._emitter: Emitter[Term] | None = Emitter(m, m.profile.as_profile()) if self.code.geometry else None
        # Whether components of outputs have been written, where that is neither yes nor known to be no.
        self._marks: dict[tuple[int, int], Term] = {}
        self._bank_marks: dict[tuple[int, int], Term] = {}
        self._setting = m.integer(0)
        self.place = Place(0)
        self.sent: list[Sent] = []
        self.steps = 0
        self.decided = 0  # questions so far whose answer was a constant

    def copy(self) -> Thread:
        other = object.__new__(Thread)
        other.m, other.unfolded, other.code, other._leaves = self.m, self.unfolded, self.code, self._leaves
        mine = self.registers
        registers = cast("Registers[Term, Term, Term]", object.__new__(Registers))
        other.registers = registers
        registers.readable, registers.outputs, registers.written = [*mine.readable], [*mine.outputs], [*mine.written]
        registers.cmp, registers.a0, registers.loops = mine.cmp, mine.a0, mine.loops
        other._emitter = None
        if self._emitter is not None:
            emitter = cast("Emitter[Term]", object.__new__(Emitter))
            emitter.bank, emitter.written = [*self._emitter.bank], [*self._emitter.written]
            emitter.buffer, emitter.emission = [*self._emitter.buffer], self._emitter.emission
            other._emitter = emitter
        other._marks, other._bank_marks = {**self._marks}, {**self._bank_marks}
        other._setting, other.place, other.sent, other.steps = self._setting, self.place, [*self.sent], self.steps
        other.decided = self.decided
        return other

    # Components between blocks

    def components(self, used: Used) -> list[Term]:
        """The terms of all components that travel between blocks, in an order that depends on `used` and the place only."""
        registers = self.registers
        found: list[Term] = [*self._kept(used), *registers.loops.counters, *registers.loops.saved]
        found += [self._written(registers.written, self._marks, n, c) for n in used.outputs for c in range(4)]
        if self._emitter is not None:
            found += [self._written(self._emitter.written, self._bank_marks, n, c) for n in used.outputs for c in range(4)]
        return found

    def carried(self, used: Used, *, keeps: bool) -> list[Term]:
        """The terms of the components with which the next vertex or run starts: all of them, or the setting of EMIT, which
        always stays."""
        return self._kept(used) if keeps else [self._setting] if self.code.geometry else []

    def start(self, used: Used, terms: Sequence[Term], *, keeps: bool) -> None:
        """Set the components at the start of a vertex or run, as `carried` gives them."""
        if keeps:
            self.enter(used, terms, only_kept=True)
        elif self.code.geometry:
            self._setting = terms[0]

    def _kept(self, used: Used) -> list[Term]:
        """The terms of the components that outlive a run, in an order that depends on `used` only."""
        registers = self.registers
        found: list[Term] = [registers.loops.al, *registers.cmp, *registers.a0]
        for n in used.temporaries:
            found += registers.readable[TEMPORARY + n]
        for n in used.outputs:
            found += registers.outputs[n]
        if self._emitter is not None:
            found.append(self._setting)
            for n in used.outputs:
                found += self._emitter.bank[n]
        return found

    def enter(self, used: Used, terms: Sequence[Term], *, only_kept: bool = False) -> None:
        """Set the components, as `components` gives them, or only those that outlive a run."""
        registers, following = self.registers, iter(terms)

        def vector() -> Vector[Term]:
            return next(following), next(following), next(following), next(following)

        al = next(following)
        registers.cmp = (next(following), next(following))
        registers.a0 = (next(following), next(following))
        for n in used.temporaries:
            registers.readable[TEMPORARY + n] = vector()
        for n in used.outputs:
            registers.outputs[n] = vector()
        if self._emitter is not None:
            self._setting = next(following)
            for n in used.outputs:
                self._emitter.bank[n] = vector()
        depth = 0 if only_kept else len(self.unfolded.graph.blocks[self.place.block].state.loops)
        counters = tuple([next(following) for _ in range(depth)])
        registers.loops = LoopValues(al, counters, tuple([next(following) for _ in range(depth)]))
        if only_kept:
            return
        self._mark(registers.written, self._marks, used, following)
        if self._emitter is not None:
            self._mark(self._emitter.written, self._bank_marks, used, following)

    def _mark(self, masks: list[int], marks: dict[tuple[int, int], Term], used: Used, following: Iterator[Term]) -> None:
        marks.clear()
        for n in used.outputs:
            masks[n] = 0
            for c in range(4):
                term = next(following)
                if term == self.m.true:
                    masks[n] |= 8 >> c
                elif term != self.m.false:
                    marks[n, c] = term

    def _written(self, masks: Sequence[int], marks: Mapping[tuple[int, int], Term], n: int, c: int) -> Term:
        return self.m.true if masks[n] & 8 >> c else marks.get((n, c), self.m.false)

    def wired(self) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """The outputs that a later stage takes, and whether they have been written."""
        registers, wired = self.registers, self.code.outputs
        return (
            tuple([registers.outputs[n][c] for _, n, c in wired]),
            tuple([self._written(registers.written, self._marks, n, c) for _, n, c in wired]),
        )

    # Execution

    def advance(self, assumed: Mapping[Term, bool], *, stops: bool) -> None:
        """Go on to the next question that `assumed` does not answer, to the end, or with `stops` to a block that paths meet at.

        Raises OverflowError for a path that is too long.
        """
        graph = self.unfolded.graph
        while True:
            number = self.place.block
            block = graph.blocks[number]
            code = self._run(block.addresses)
            self.steps += max(block.size, 1)
            if self.steps > MOST_STEPS:
                raise OverflowError("a path has too many steps")
            if code:
                self.place = Place(number, ended=True, code=code)
                return
            if self._follow(number, block.terminator, assumed):
                return
            if stops and (kind := self.unfolded.joins.get(self.place.block)):
                self.place = self.place._replace(kind=kind)
                return

    def take(self, answer: bool, assumed: Mapping[Term, bool], *, stops: bool) -> None:
        """Go on from a question with its answer."""
        tree = self.place.tree
        if not isinstance(tree, Branch):
            raise TypeError("the thread is not at a question")
        if self._follow(self.place.block, tree.yes if answer else tree.no, assumed):
            return
        if stops and (kind := self.unfolded.joins.get(self.place.block)):
            self.place = self.place._replace(kind=kind)
            return
        self.advance(assumed, stops=stops)

    def _follow(self, number: int, tree: Terminator, assumed: Mapping[Term, bool]) -> bool:
        """Go through a tree, as far as the answers are known. Whether the thread stops there."""
        m, registers = self.m, self.registers
        while True:
            if isinstance(tree, Goto):
                self._perform(tree.actions)
                self.place = Place(tree.node)
                return False
            if not isinstance(tree, Branch):
                self.place = Place(number, ended=True, code=tree.code if isinstance(tree, flow.Hang) else "")
                return True
            self._perform(tree.actions)
            asked = flow.answer(m, tree.question, registers.cmp, self._leaves.booleans, registers.loops)
            known = m.truth(asked)
            if known is not None:
                self.decided += 1
            else:
                known = m.holds(asked, assumed)
            if known is None:
                self.place = Place(number, question=asked, tree=tree)
                return True
            tree = tree.yes if known else tree.no

    def _perform(self, actions: Sequence[flow.Action]) -> None:
        if actions:
            self.registers.loops = flow.perform(
                self.m, actions, self.registers.loops, self._leaves.integers, self.m.profile.as_profile()
            )

    def _run(self, addresses: range) -> str:
        """Run the words of a block. Gives the code of a fault, or nothing."""
        for address in addresses:
            inst = self.unfolded.insts[address]
            if computes(inst):
                instruction = self.unfolded.resolved(address)
                if instruction is None:
                    return "R005"
                execute(self.m, self.registers, instruction)
            elif self._emitter is not None:
                self._emit(inst)
        return ""

    def _emit(self, inst: Inst) -> None:
        emitter = self._emitter
        assert emitter is not None
        result = emit(emitter, inst, self.registers)
        if (setting := result.get("setemit")) is not None:
            self._setting = self.m.integer(setting_of(setting))
        if (sent := result.get("emit")) is not None:
            vertex, wired = sent.vertex, self.code.outputs
            written = tuple([self._written(vertex.written, self._marks, n, c) for _, n, c in wired])
            self.sent.append(Sent(tuple([vertex.outputs[n][c] for _, n, c in wired]), written, self._setting))
            self._marks, self._bank_marks = self._bank_marks, self._marks
