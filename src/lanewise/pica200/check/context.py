"""Analysis context of the rules: decoded words, graph, reads and writes of a shader."""

from __future__ import annotations

from itertools import product

from lanewise.core.cached import cached_property
from lanewise.core.diagnostics import Related
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.check import dataflow, wiring
from lanewise.pica200.check.structure import by_addresses, nests
from lanewise.pica200.ir.graph import Graph, unfold
from lanewise.pica200.ir.known_flags import X, Y, with_known_flags
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import lift_word, operands
from lanewise.pica200.isa.program import Operation, Source, Target
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BOOLEAN,
    CALL,
    EMIT,
    END,
    FLOAT,
    GEOMETRY,
    LOOP,
    NOP,
    SETEMIT,
    UNKNOWN,
    VERTEX,
)
from lanewise.pica200.sem.components import AL, Component, flags_used
from lanewise.pica200.sem.flow import Flags, code_memory
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.graph.flow import BudgetExceeded
    from lanewise.pica200.check.structure import Nest
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Interface, Output, Program
    from lanewise.pica200.isa.table import Device, Op
    from lanewise.pica200.sem.flow import ControlState, Tree
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.profile import Profile

# With so many boolean uniforms or fewer, each combination is analysed separately: 16 graphs.
MOST_BOOLEANS = 4
# Analysing each combination separately would take too long on larger graphs.
MOST_BLOCKS = 600
# Calls that never return whose following words are looked for: each takes the time of the whole program.
MOST_UNRETURNED = 16


class Effect(Record):
    """Components that one word reads and writes, as bits of `dataflow`.

    Only components that a program can write are included. `flows` are the components that it writes, each with the reads that
    its value depends on; the reads of a word without them decide where the program continues.
    """

    reads: int = 0
    writes: int = 0
    flows: tuple[tuple[int, int], ...] = ()


class Behaviour(Record):
    """What a word does under a profile, wherever it is."""

    resolved: ResolvedInst | None
    "The instruction, if it computes and its descriptor is there."
    effect: Effect


# By profile, then by word and descriptor: the analyses of a program that is edited ask for the same words.
_BEHAVIOURS: dict[Profile, dict[tuple[int, int], Behaviour]] = {}
_MOST_BEHAVIOURS = 1 << 14


class Assignment(Record):
    """The graph under a setting of boolean uniforms, by their numbers."""

    booleans: Mapping[int, bool]
    graph: Graph


class AnalysisContext:
    """One shader of a program, for the rules of `rules`.

    `operations` are the words in the code memory, with the places that the program knows. `wired` is whether the interface
    declares outputs: that of raw words does not. No result contains an address outside the memory.

    A program with errors has `damaged` words, whose effect is unknown: for rules they write everything and read nothing, so
    that no rule finds more than it would in the program as it is meant. `declared` is False where declarations are missing.
    """

    damaged: frozenset[int]
    device: Device
    words: list[int]
    descriptors: tuple[int, ...]

    def __init__(
        self,
        program: Program,
        interface: Interface,
        words: Sequence[int],
        descriptors: Sequence[int],
        *,
        wired: bool = True,
        profile: Profile = HARDWARE,
        declared: bool = True,
    ) -> None:
        self.program = program
        self._code = words
        self.interface = interface
        self.wired = wired
        self.declared = declared
        self.damaged = frozenset([pc for pc, operation in enumerate(program.operations) if operation.damaged])
        self.device = GEOMETRY if interface.geometry else VERTEX
        self.words = code_memory(words, profile, self.device.code_words)
        self.descriptors = tuple(descriptors)
        self.insts: list[Inst] = [decode(word) for word in self.words]
        places = program.operations
        lifted = [lift_word(word, self.descriptors) for word in self.words]
        self.operations: list[Operation] = [
            Operation(op=op, operands=given, descriptor=number, span=places[n].span if n < len(places) else None)
            for n, (op, given, number, _, _) in enumerate(lifted)
        ]
        self.profile = profile
        self._flow = _going_on(profile)
        self._steps: dict[ControlState, Tree] = {}

    @property
    def whole(self) -> bool:
        """Whether the program has no errors."""
        return self.declared and not self.damaged

    @cached_property
    def lost_flow(self) -> bool:
        """Whether a damaged word may decide where the program goes on."""
        return any(self.program.operations[pc].op.kind not in (ARITHMETIC, END) for pc in self.damaged)

    @cached_property
    def followers(self) -> tuple[AnalysisContext, ...]:
        """The geometry shaders of the program, if this is a vertex shader: they get its outputs."""
        return tuple(
            AnalysisContext(self.program, interface, self._code, self.descriptors, profile=self.profile)
            for interface in self.program.interfaces
            if interface.geometry and not self.interface.geometry and 0 <= interface.entry < len(self._code)
        )

    @cached_property
    def taken(self) -> Mapping[Output, int]:
        """The components of each declared output that a later stage takes, as a mask with x in bit 3."""
        return wiring.taken(self)

    @cached_property
    def observable(self) -> int:
        """The components of outputs whose values can be seen after the shader, as bits of `dataflow`."""
        return wiring.observable(self)

    @cached_property
    def graph(self) -> Graph | BudgetExceeded:
        """Every path through the shader, as a graph.

        Where the hardware hangs, or loses an entry of a full ring, the analysis continues as the author intended, so that one
        finding neither hides others nor causes more. The rings have limited depth, as recursion needs it, if that exceeds the
        budget.
        """
        found = unfold(self.insts, self.interface.entry, profile=self._flow, steps=self._steps)
        if isinstance(found, Graph):
            return found
        self._flow = self._flow.replace(stack_depth="ring")
        self._steps.clear()
        return unfold(self.insts, self.interface.entry, profile=self._flow, steps=self._steps)

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """The graph, or one for each assignment of its boolean uniforms if these are few.

        A run sees one assignment from start to end. No path in a graph answers the same question about the flags differently,
        unless they were written in between, if the graph has at most `MOST_BLOCKS` blocks. Empty where there is no graph.
        """
        if not isinstance(self.graph, Graph):
            return ()
        addresses = [pc for pc in self.graph.at if 0 <= pc < len(self.insts)]
        numbers = sorted({self.insts[pc].field("reg") for pc in addresses if "bool" in self.insts[pc].op.operands})
        if not 0 < len(numbers) <= MOST_BOOLEANS or len(self.graph.blocks) > MOST_BLOCKS:
            return (Assignment({}, self._split(self.graph)),)
        found: list[Assignment] = []
        for values in product((False, True), repeat=len(numbers)):
            setting = dict(zip(numbers, values, strict=True))
            graph = unfold(self.insts, self.interface.entry, booleans=setting, profile=self._flow, steps=self._steps)
            if isinstance(graph, Graph):
                found.append(Assignment(setting, self._split(graph)))
        return tuple(found)

    def _split(self, graph: Graph) -> Graph:
        """The graph with the flags known on its paths, if it is not too large for that."""

        def written(pc: int) -> int:
            if pc in self.damaged:
                return X | Y if "cmp" in self.program.operations[pc].op.writes else 0
            return self.effect(pc).writes // cmp & (X | Y)

        cmp = dataflow.bit(Component("cmp"))
        return with_known_flags(graph, written, self.damaged) if len(graph.blocks) <= MOST_BLOCKS else graph

    @cached_property
    def undivided(self) -> bool:
        """Whether there is one assignment, whose graph is the whole one: nothing has to be looked for twice."""
        return len(self.assignments) == 1 and self.assignments[0].graph == self.graph

    @cached_property
    def reached(self) -> frozenset[int]:
        """Words that can be executed; without a graph perhaps too many."""
        if not self.assignments:
            return frozenset(by_addresses(self.operations, self.interface.entry))
        return frozenset(pc for assignment in self.assignments for pc in assignment.graph.at if 0 <= pc < len(self.words))

    @cached_property
    def unreturned(self) -> Mapping[int, frozenset[int]]:
        """The words after a call that are never reached, by the addresses of the calls."""
        calls = [pc for pc, _ in self.targets if self.kind(pc) == CALL and pc + 1 not in self.reached]
        found = {pc: frozenset(by_addresses(self.operations, pc + 1)) - self.reached for pc in calls[:MOST_UNRETURNED]}
        return {pc: lost for pc, lost in found.items() if lost}

    @cached_property
    def stopped(self) -> Mapping[int, frozenset[int]]:
        """The END words of called procedures, with the words after the calls that are never reached."""
        found: dict[int, frozenset[int]] = {}
        for block in self.graph.blocks if isinstance(self.graph, Graph) else ():
            calls = block.state.calls
            if not block.size or self.kind(block.last) != END or not calls:
                continue
            last = self.operations[calls[-1].back - 1].operands[-1]
            if isinstance(last, Target) and last.address <= block.last < calls[-1].end:  # no jump left it
                lost = [words for call in calls[-MOST_UNRETURNED:] if (words := self.unreturned.get(call.back - 1))]
                found[block.last] = found.get(block.last, frozenset()).union(*lost)
        return found

    @cached_property
    def nests(self) -> tuple[tuple[Nest, ...], ...]:
        """The blocks around each word."""
        return nests(self.operations)

    @cached_property
    def sources(self) -> list[tuple[Source, ...]]:
        """The source operands of each word."""
        return [tuple([each for each in operation.operands if isinstance(each, Source)]) for operation in self.operations]

    @cached_property
    def targets(self) -> list[tuple[int, Target]]:
        """The reached words that name another one, in order, with their targets."""
        found = [(pc, self.operations[pc].operands) for pc in sorted(self.reached)]
        return [(pc, operands[-1]) for pc, operands in found if operands and isinstance(operands[-1], Target)]

    @cached_property
    def uniform_reads(self) -> Mapping[int, int]:
        """How many reached words read each float uniform."""
        found: dict[int, int] = {}
        for pc in self.reached:
            named = {source.register for source in self.sources[pc] if source.register >= FLOAT}
            for register in named:
                found[register] = found.get(register, 0) + 1
        return found

    @cached_property
    def labelled(self) -> frozenset[int]:
        """Words with a label or procedure: what is put before their line is not in it."""
        program = self.program
        return frozenset((*program.labels.values(), *[procedure.start for procedure in program.procedures]))

    def row(self, pc: int) -> Op:
        """The row of the instruction at a word, or `UNKNOWN`."""
        return self.insts[pc].op if 0 <= pc < len(self.insts) else UNKNOWN

    def op(self, pc: int) -> str:
        """The base name of the instruction at a word (`dph` for `dphi`), or `.word`."""
        return self.row(pc).base

    def kind(self, pc: int) -> str:
        """The kind of the instruction at a word, from its row, or `WORD`."""
        return self.row(pc).kind

    def resolved(self, pc: int) -> ResolvedInst | None:
        """The instruction at a word, if it computes and its descriptor is there."""
        return self._behaviours[pc].resolved

    def effect(self, pc: int) -> Effect:
        """The reads and writes of a word; empty for addresses outside the memory."""
        return self.effects[pc] if 0 <= pc < len(self.insts) else Effect()

    @cached_property
    def effects(self) -> list[Effect]:
        """The reads and writes of each word."""
        found = [behaviour.effect for behaviour in self._behaviours]
        for pc in self.damaged:
            if pc < len(found):
                found[pc] = Effect(0, dataflow.REGISTERS)
        return found

    @cached_property
    def _behaviours(self) -> list[Behaviour]:
        known = _BEHAVIOURS.setdefault(self.profile, {})
        if len(known) > _MOST_BEHAVIOURS:
            known.clear()
        found: list[Behaviour] = []
        for word, inst, operation in zip(self.words, self.insts, self.operations, strict=True):
            number = operation.descriptor
            key = word, self.descriptors[number] if number >= 0 else -1
            behaviour = known.get(key)
            if behaviour is None:
                behaviour = known[key] = _behaviour(inst, key[1], self.profile)
            found.append(behaviour)
        return found

    @cached_property
    def reads(self) -> list[int]:
        """What each word reads, as in its effect."""
        return [effect.reads for effect in self.effects]

    @cached_property
    def writes(self) -> list[int]:
        """What each word writes, as in its effect."""
        return [effect.writes for effect in self.effects]

    @cached_property
    def sending(self) -> list[int]:
        """The words that write outputs, emit them or end: rules of outputs look at no others."""
        kinds = (EMIT, SETEMIT, END)
        return [pc for pc, found in enumerate(self.writes) if found & dataflow.OUTPUTS or self.insts[pc].op.kind in kinds]

    @cached_property
    def outputs(self) -> dict[int, int]:
        """The declared components of each output register: a mask with x in bit 3."""
        found: dict[int, int] = {}
        for output in self.interface.outputs:
            found[output.register] = found.get(output.register, 0) | wiring.wired_mask(output.mask)
        return found

    def boolean(self, number: int) -> str:
        """The name of a boolean uniform in the file, or its register."""
        for uniform in self.interface.uniforms:
            if uniform.first <= BOOLEAN + number <= uniform.last:
                offset = BOOLEAN + number - uniform.first
                return uniform.name if uniform.size == 1 else f"{uniform.name}[{offset}]"
        return f"b{number}"

    def span(self, pc: int) -> Span | None:
        """The statement of a word in a source; None for a word without one, and for a NOP that was inserted at the end of a
        block."""
        span = self.operations[pc].span if 0 <= pc < len(self.operations) else None
        if span is None or not span.line or span.text[span.column - 1 : span.column] == ".":
            return None
        inserted = self.operations[pc].op.kind == NOP and not span.text[span.column - 1 :].lower().startswith(
            self.operations[pc].op.name
        )
        return None if inserted else span

    def related(self, pcs: Iterable[int], message: str) -> tuple[Related, ...]:
        """Other words that a finding is about, as places; none where a program has no source."""
        spans = [self.operations[pc].span for pc in pcs if 0 <= pc < len(self.operations)]
        return tuple([Related(span, message) for span in spans if span is not None and span.line])

    def place(self, pc: int) -> str:
        """The name of a word in a note: its line in the source, otherwise its address."""
        span = self.operations[pc].span if 0 <= pc < len(self.operations) else None
        return f"line {span.line}" if span is not None and span.line else f"word {pc:#x}"


def _going_on(profile: Profile) -> Profile:
    return profile.replace(empty_break="nothing", unknown_words="nothing", stack_depth="unlimited")


def _behaviour(inst: Inst, descriptor: int, profile: Profile) -> Behaviour:
    """What an instruction with its descriptor does, -1 for none."""
    if computes(inst) and descriptor >= 0:
        resolved = resolve(inst, operands(inst, descriptor), profile)
        found = dataflow.flows_of(resolved, profile)
        reads = writes = 0
        for target, behind in found:
            writes |= target
            reads |= behind
        return Behaviour(resolved, Effect(reads, writes, found))
    if inst.op.kind == LOOP:
        return Behaviour(None, Effect(0, dataflow.bit(AL)))
    if "cond" in inst.op.operands:
        flags = flags_used(Flags(inst.field("condop"), inst.field("refx"), inst.field("refy")))
        return Behaviour(None, Effect(dataflow.bits(flags), 0))
    return Behaviour(None, Effect())
