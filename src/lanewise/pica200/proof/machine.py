"""A program of the PICA200 in execution on terms: its registers, and what it has emitted."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.pica200.ir.ssa import setting_of
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import LoopValues
from lanewise.pica200.sem.instruction import execute
from lanewise.pica200.sem.registers import Registers, write
from lanewise.proving.machine import Result, Sent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.proof.code import Unfolded
    from lanewise.pica200.proof.terms import Terms
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.proving.terms import Term


class Leaves(Record):
    """The terms of everything that a program reads from outside."""

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


class Machine:
    """A program in execution on terms (`proving.machine.Machine`)."""

    __slots__ = (
        "_bank_marks",
        "_code",
        "_emitter",
        "_keeps",
        "_leaves",
        "_marks",
        "_sent",
        "_setting",
        "_unfolded",
        "_used",
        "m",
        "registers",
    )

    m: Terms

    def __init__(self, m: Terms, unfolded: Unfolded, leaves: Leaves, used: Used, *, keeps: bool) -> None:
        """`used`: what either program names. `keeps`: a vertex or run starts with what the one before has left."""
        self.m, self._unfolded, self._code, self._leaves = m, unfolded, unfolded.code, leaves
        self._used, self._keeps = used, keeps
        self.registers: Registers[Term, Term, Term] = Registers(m, leaves.inputs, leaves.floats)
        self._emitter: Emitter[Term] | None = Emitter(m, m.profile.as_profile()) if self._code.geometry else None
        # Whether components of outputs have been written, where that is neither yes nor known to be no.
        self._marks: dict[tuple[int, int], Term] = {}
        self._bank_marks: dict[tuple[int, int], Term] = {}
        self._setting = m.integer(0)
        self._sent: list[Sent] = []

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.m, other._unfolded, other._code, other._leaves = self.m, self._unfolded, self._code, self._leaves
        other._used, other._keeps = self._used, self._keeps
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
        other._setting, other._sent = self._setting, [*self._sent]
        return other

    # What travels between nodes

    def components(self) -> list[Term]:
        used, registers = self._used, self.registers
        found: list[Term] = [*self._kept(), *registers.loops.counters, *registers.loops.saved]
        found += [self._written(registers.written, self._marks, n, c) for n in used.outputs for c in range(4)]
        if self._emitter is not None:
            found += [self._written(self._emitter.written, self._bank_marks, n, c) for n in used.outputs for c in range(4)]
        return found

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        following = iter(terms)
        al = self._enter_kept(following)
        depth = len(self._unfolded.graph.blocks[node].state.loops)
        counters = tuple([next(following) for _ in range(depth)])
        self.registers.loops = LoopValues(al, counters, tuple([next(following) for _ in range(depth)]))
        self._mark(self.registers.written, self._marks, following)
        if self._emitter is not None:
            self._mark(self._emitter.written, self._bank_marks, following)

    # What a run leaves to the next: all registers, or the setting of EMIT, which always stays

    def carried(self) -> list[Term]:
        return self._kept() if self._keeps else [self._setting] if self._code.geometry else []

    def start(self, terms: Sequence[Term]) -> None:
        if self._keeps:
            self.registers.loops = LoopValues(self._enter_kept(iter(terms)), (), ())
        elif self._code.geometry:
            self._setting = terms[0]

    def _kept(self) -> list[Term]:
        """The terms of the components that outlive a run, in an order that depends on what is used only."""
        used, registers = self._used, self.registers
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

    def _enter_kept(self, following: Iterator[Term]) -> Term:
        """Set the components that outlive a run but aL, which is returned."""
        used, registers = self._used, self.registers

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
        return al

    def _mark(self, masks: list[int], marks: dict[tuple[int, int], Term], following: Iterator[Term]) -> None:
        marks.clear()
        for n in self._used.outputs:
            masks[n] = 0
            for c in range(4):
                term = next(following)
                if term == self.m.true:
                    masks[n] |= 8 >> c
                elif term != self.m.false:
                    marks[n, c] = term

    def _written(self, masks: Sequence[int], marks: Mapping[tuple[int, int], Term], n: int, c: int) -> Term:
        return self.m.true if masks[n] & 8 >> c else marks.get((n, c), self.m.false)

    # What leaves the program

    def results(self) -> list[Result]:
        """The outputs of a vertex that a later stage takes."""
        if self._emitter is not None:
            return []
        registers = self.registers
        return [
            Result(name, registers.outputs[n][c], self._written(registers.written, self._marks, n, c))
            for name, n, c in self._code.outputs
        ]

    def sent(self) -> Sequence[Sent]:
        """The emitted vertices: what a later stage takes; whether the run has written it, and the setting."""
        return self._sent

    # Execution

    def answer(self, question: flow.Question) -> Term:
        return flow.answer(self.m, question, self.registers.cmp, self._leaves.booleans, self.registers.loops)

    def perform(self, actions: Sequence[flow.Action]) -> None:
        self.registers.loops = flow.perform(
            self.m, actions, self.registers.loops, self._leaves.integers, self.m.profile.as_profile()
        )

    def run(self, items: Sequence[int]) -> str:
        """Run the words at some addresses."""
        instructions, reads = self._unfolded.instructions, self._unfolded.reads
        m, registers = self.m, self.registers
        readable, executed = registers.readable, m.executed
        for address in items:
            if address in instructions:
                instruction = instructions[address]
                if instruction is None:
                    return "R005"
                if address not in reads:
                    execute(m, registers, instruction)
                    continue
                key = id(instruction), *[readable[register] for register in reads[address]]
                known = executed.get(key)
                if known is None:
                    executed[key] = instruction, execute(m, registers, instruction)
                else:
                    write(registers, instruction.dest, known[1], instruction.kept)
            elif self._emitter is not None:
                self._emit(self._unfolded.insts[address])
        return ""

    def _emit(self, inst: Inst) -> None:
        emitter = self._emitter
        assert emitter is not None
        result = emit(emitter, inst, self.registers)
        if (setting := result.get("setemit")) is not None:
            self._setting = self.m.integer(setting_of(setting))
        if (sent := result.get("emit")) is not None:
            vertex, wired = sent.vertex, self._code.outputs
            marks = [self._written(vertex.written, self._marks, n, c) for _, n, c in wired]
            self._sent.append(Sent(tuple([vertex.outputs[n][c] for _, n, c in wired]), (*marks, self._setting)))
            self._marks, self._bank_marks = self._bank_marks, self._marks
