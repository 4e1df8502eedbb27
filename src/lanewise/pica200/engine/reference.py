"""The reference engine of the PICA200: one lane, exact integers, one instruction at a time.

It is the definition that other engines are compared with. It has no code for single instructions: `isa.table` defines decoding,
`sem.meaning` results, `sem.flow` flow, `sem.emission` EMIT and SETEMIT, and a profile the open choices. EMIT and SETEMIT have
an effect only in geometry shaders.

Values go in and out as words of the profile's format: float24 words, or float32 patterns where the profile computes in float32.
"""

from __future__ import annotations

from functools import lru_cache

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.components import Component, components_influenced, flags_used, inputs_influencing
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.instruction import computes, execute, resolve
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import FLOAT_COUNT, Registers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.emission import Vertex
    from lanewise.pica200.sem.flow import ControlState, LoopValues, Question, Tree
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.meaning import Result
    from lanewise.pica200.sem.numbers import Float24, Float32
    from lanewise.pica200.sem.profile import Profile

Words = tuple[int, int, int, int]

BUDGET_SPENT = "R001"
NO_DESCRIPTOR = "R005"
ENDLESS = "R010"
MANY_VERTICES = "R011"
# The faults of a lane that does not end. It leaves nothing: its outputs are zeros and not written, it has emitted nothing, and
# a lane that would start with its registers starts with those of the lane before. So engines need not agree on how far such a
# lane got.
NEVER_ENDS = frozenset((BUDGET_SPENT, ENDLESS, MANY_VERTICES))
# A state that repeats is searched for in the first steps of a lane. Programs that end are seldom longer, and what repeats is
# short.
SEARCH = 4096
MOST_EMITTED = 30_000  # vertices of a run of a geometry shader

_ZERO: Words = (0, 0, 0, 0)
_INPUTS = frozenset(range(16))
_NOTHING: Result[int, bool, int] = {}


class Fault(Record):
    """Why a lane stopped without END: a code, a sentence, the word's address, and how many instructions had been done."""

    code: str
    message: str
    pc: int
    step: int

    @property
    def endless(self) -> bool:
        """Whether the lane does not end, as far as is known, rather than stop at an instruction."""
        return self.code in NEVER_ENDS


def fault_at(code: str, state: ControlState, steps: int, detail: str = "") -> Fault:
    """A fault in a state after so many steps; `detail` is what is said last, by default the rings."""
    from lanewise.pica200.codes import CODES  # which a run without a fault does not need

    done = f"after {steps} step{'s' if steps != 1 else ''}"
    detail = detail or _rings(state)
    if code == MANY_VERTICES:
        detail = f"{MOST_EMITTED:,} vertices emitted, which is {MOST_EMITTED // 3:,} primitives; {detail}"
    return Fault(code, f"{CODES[code].title} at word {state.pc}: {done}; {detail}", state.pc, steps)


class Lane(Record):
    """Result of a lane: 16 outputs as words, the mask of written components of each.

    Bit 3 of a mask is x. A lane that does not end has zeros, and has written nothing.
    """

    outputs: tuple[Words, ...]
    written: tuple[int, ...]
    steps: int
    fault: Fault | None


class Step(Record):
    """An executed instruction: address, instruction, result and answers.

    The instruction is None where there is no word. `answers` are the questions of the flow on the path taken, in order.
    """

    pc: int
    inst: Inst | None
    result: Result[int, bool, int]
    answers: tuple[tuple[Question, bool], ...] = ()


class _Place(Record):
    """Everything about one state that does not depend on data: the instruction and its successors.

    `resolved` is None for instructions that do not compute, and where the descriptor is missing (`missing`).
    """

    inst: Inst | None
    resolved: ResolvedInst | None
    tree: Tree
    missing: str


class Deciding(Record):
    """Components on which the path of a lane can depend, apart from the counters of the LOOP ring."""

    rows: tuple[tuple[int, int], ...]
    "Row and component of temporaries in `Registers.readable`."
    flags: tuple[int, ...]
    "Numbers of the flags: 0 is cmp.x."
    indices: tuple[int, ...]
    "Components of a0: 0 is a0.x."
    al: bool
    "aL is one of them."
    sources: frozenset[Component] | None
    "Components of v and c that these are computed from; None if an index can lead to any."


@lru_cache(64)
def _deciding(words: tuple[int, ...], descriptors: tuple[int, ...], profile: Profile, geometry: bool) -> Deciding:
    """From the flags that instructions ask about, back through all instructions, whatever their order."""
    insts = [decode(word) for word in flow.code_memory(words, profile, flow.memory_size(geometry=geometry))]
    sources: dict[Component, set[Component]] = {}
    writers: dict[Component, list[ResolvedInst]] = {}
    for inst in insts:
        if computes(inst) and inst.field("desc") < len(descriptors):
            resolved = resolve(inst, operands(inst, descriptors[inst.field("desc")]), profile)
            for component, read in components_influenced(resolved, profile).items():
                sources.setdefault(component, set()).update(read)
                writers.setdefault(component, []).append(resolved)
    asked = [flow.Flags(inst.field("condop"), 0, 0) for inst in insts if inst.op.format.has("condop")]
    found = {component for question in asked for component in flags_used(question)}
    waiting = [*found]
    while waiting:
        fresh = sources.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    inputs: set[Component] | None = set()
    for component in found:
        for writer in writers.get(component, ()):
            read = inputs_influencing(writer, component, profile)
            inputs = None if inputs is None or read is None else {*inputs, *read}
    return Deciding(
        rows=tuple(sorted((TEMPORARY + number, channel) for file, number, channel in found if file == "r")),
        flags=tuple(sorted(channel for file, _, channel in found if file == "cmp")),
        indices=tuple(sorted(channel for file, _, channel in found if file == "a0")),
        al=any(file == "aL" for file, _, _ in found),
        sources=None if inputs is None else frozenset(inputs),
    )


class Reference:
    """A program, ready to run lane by lane. `run` keeps nothing of a lane; decoded words and flow trees are kept."""

    algebra: Float24 | Float32

    def __init__(
        self,
        words: Sequence[int],
        descriptors: Sequence[int],
        entry: int,
        *,
        profile: Profile = HARDWARE,
        budget: int = 1_000_000,
        geometry: bool = False,
    ) -> None:
        """Load a program.

        `words` and `descriptors` are those uploaded to the shader unit; `entry` is a word address; a lane may execute `budget`
        steps. `geometry`: this is a geometry shader, whose lanes are its runs and emit vertices.
        """
        self.budget = budget
        self.entry = entry
        self.geometry = geometry
        self.profile = profile
        self.algebra = number_rule(profile)
        self._words = tuple(words)
        size = flow.memory_size(geometry=geometry)
        self._insts = [decode(word) for word in flow.code_memory(words, profile, size)]
        self._deciding: Deciding | None = None
        self._descriptors = tuple(descriptors)
        self._places: dict[ControlState, _Place] = {}
        self._resolved: dict[int, ResolvedInst] = {}
        self._given_floats: tuple[Words, ...] = ()
        self._given_integers: tuple[Words, ...] = ()
        self._floats: tuple[Words, ...] = ()

    @property
    def deciding(self) -> Deciding:
        """The components on which paths through the program depend."""
        if self._deciding is None:
            self._deciding = _deciding(self._words, self._descriptors, self.profile, self.geometry)
        return self._deciding

    @property
    def keeps_registers(self) -> bool:
        """Whether a lane (or geometry shader run) starts with the registers of the last."""
        return (self.profile.keep_registers_between_invocations if self.geometry else self.profile.initial_state) == "kept"

    @property
    def finds_from_kept(self) -> bool:
        """Whether the step in which a repeating state is found can depend on the aL that the lane before left, though the path
        does not."""
        return self.keeps_registers and self.deciding.al

    def run(
        self,
        inputs: Mapping[int, Words],
        floats: Sequence[Words],
        integers: Sequence[Words],
        booleans: Sequence[bool],
    ) -> Lane:
        """One vertex from zeroed registers to END or a fault.

        `inputs` maps v numbers to words (others are 0); `floats` are c0-c95, `integers` i0-i3 of unsigned bytes,
        `booleans` b0-b15. Raises ValueError for other sizes or values out of range.
        """
        machine = self.start(inputs, floats, integers, booleans)
        machine.run()
        return machine.lane()

    def start(
        self,
        inputs: Mapping[int, Words],
        floats: Sequence[Words],
        integers: Sequence[Words],
        booleans: Sequence[bool],
        previous: Machine | None = None,
    ) -> Machine:
        """Start a lane, stopped before the first instruction.

        `previous` is the machine of the vertex, or of the geometry shader's run, before, which is not changed. Where the
        profile keeps registers between vertices (`initial_state`) or runs (`keep_registers_between_invocations`), the new one
        starts with its registers; other profiles use only its buffer of emitted vertices, which is never cleared.
        """
        if len(floats) != FLOAT_COUNT or len(integers) != 4 or len(booleans) != 16:
            raise ValueError("a lane needs 96 float, 4 integer and 16 boolean uniforms")
        # Uniforms and the inputs that are given seldom change between lanes: comparing them is cheaper than judging them again.
        if tuple(integers) != self._given_integers:
            if any(not 0 <= byte <= 0xFF for vector in integers for byte in vector):
                raise ValueError("integer uniforms are unsigned bytes")
            self._given_integers = tuple(integers)
        if not _INPUTS.issuperset(inputs):
            raise ValueError("inputs are v0 to v15")
        given = tuple(floats)
        if given != self._given_floats:
            canonical = {vector: self._canonical(vector) for vector in set(given)}  # most uniforms have the value of another
            self._floats = tuple([canonical[vector] for vector in given])
            self._given_floats = given
        vertex = [self._canonical(inputs[number]) if number in inputs else _ZERO for number in range(16)]
        left = previous.registers if previous is not None and self.keeps_registers else None
        emitter = Emitter(self.algebra, self.profile, previous.emitter if previous else None) if self.geometry else None
        return Machine(self, Registers(self.algebra, vertex, self._floats, left), tuple(integers), tuple(booleans), emitter)

    def _canonical(self, vector: Words) -> Words:
        x, y, z, w = vector
        canonical = self.algebra.canonical
        return canonical(x), canonical(y), canonical(z), canonical(w)

    def place(self, state: ControlState) -> _Place:
        """The instruction at a state with its operands and its flow tree."""
        place = self._places.get(state)
        if place is None:
            place = self._places[state] = self._look(state)
        return place

    def _look(self, state: ControlState) -> _Place:
        inst = self._insts[state.pc] if 0 <= state.pc < len(self._insts) else None
        tree = flow.step(state, inst, self.profile)
        if inst is None or not computes(inst):
            return _Place(inst, None, tree, "")
        number = inst.field("desc")
        if number >= len(self._descriptors):
            return _Place(inst, None, tree, f"descriptor {number} of a table of {len(self._descriptors)}")
        found = self._resolved.get(state.pc)
        if found is None:
            found = self._resolved[state.pc] = resolve(inst, operands(inst, self._descriptors[number]), self.profile)
        return _Place(inst, found, tree, "")


class Kept(Record):
    """The state of a machine between two steps."""

    temporaries: tuple[Words, ...]
    "r registers as words."
    outputs: tuple[Words, ...]
    "o registers as words."
    written: tuple[int, ...]
    "Masks of the components written of each o register."
    cmp: tuple[bool, bool]
    "Flags x and y."
    a0: tuple[int, int]
    "Components x and y."
    loops: LoopValues[int]
    "aL and the counters of the LOOP ring."
    state: ControlState
    "Program counter and stacks."
    emitted: tuple[tuple[Words, ...], tuple[int, ...], tuple[Vertex[int], ...], Emission] | None
    "State of EMIT; None in a vertex shader."
    progress: tuple[int, bool, Fault | None, int, int, int, bool, tuple[object, ...]]
    "Facts about repeating states, and the fault or the end."


class Machine:
    """One lane during execution. Its state can be read between steps; only `step` and `restore` change it.

    `emitter` is the state of EMIT, None in a vertex shader; emitted vertices are in the records of `step`.
    """

    __slots__ = (
        "_back_jumps",
        "_emitted",
        "_program",
        "_repeats",
        "_save_at",
        "_saved",
        "booleans",
        "emitter",
        "fault",
        "finished",
        "integers",
        "registers",
        "state",
        "steps",
    )

    booleans: tuple[bool, ...]
    emitter: Emitter[int] | None
    finished: bool
    integers: tuple[Words, ...]
    registers: Registers[int, bool, int]
    state: ControlState
    steps: int

    def __init__(
        self,
        program: Reference,
        registers: Registers[int, bool, int],
        integers: tuple[Words, ...],
        booleans: tuple[bool, ...],
        emitter: Emitter[int] | None = None,
    ) -> None:
        self._program = program
        self.emitter = emitter
        self.integers = integers
        self.booleans = booleans
        self.registers = registers
        self.state = flow.ControlState(program.entry)
        self.steps = 0
        self.finished = False
        self.fault: Fault | None = None
        self._emitted = 0
        # Brent's search for a cycle: the state at a jump back is compared with that at the last one whose number is a power of
        # two.
        self._back_jumps, self._save_at, self._repeats = 0, 1, False
        self._saved: tuple[object, ...] = ()

    def run(self) -> None:
        """Steps until the lane is finished."""
        while not self.finished:
            self.step()

    @property
    def undecided(self) -> bool:
        """Whether the lane has done the steps in which a repeating state is searched for, and goes on."""
        return self.steps >= SEARCH and not self.finished and not self._repeats

    def give_up(self, fault: Fault) -> None:
        """Stop with a fault that the lane is known to come to."""
        self.fault, self.finished = fault, True

    def step(self) -> Step:
        """Do one instruction, or stop with a fault, which does nothing else. Raises ValueError once the lane is finished."""
        if self.finished:
            raise ValueError("the lane has finished")
        program, state = self._program, self.state
        place = program.place(state)
        if self._repeats:
            return self._stop(ENDLESS, place)
        if self.steps >= program.budget:
            return self._stop(BUDGET_SPENT, place)
        result = _NOTHING
        if place.resolved is not None:
            result = execute(program.algebra, self.registers, place.resolved)
        elif place.missing:
            return self._stop(NO_DESCRIPTOR, place, place.missing)
        elif self.emitter is not None and place.inst is not None:
            if self._emitted >= MOST_EMITTED and place.inst.op.base == "emit":
                return self._stop(MANY_VERTICES, place)
            result = emit(self.emitter, place.inst, self.registers)
            self._emitted += "emit" in result
        tree, answers = place.tree, ()
        while type(tree) is flow.Ask:
            self._do(tree.actions)
            yes = flow.answer(program.algebra, tree.question, self.registers.cmp, self.booleans, self.registers.loops)
            answers = (*answers, (tree.question, yes))
            tree = tree.yes if yes else tree.no
        if isinstance(tree, flow.Hang):
            return self._stop(tree.code, place)
        if isinstance(tree, flow.Edge):
            self._do(tree.actions)
            self.state = tree.state
            if tree.state.pc <= state.pc and self.steps < SEARCH:
                self._jumped_back()
        else:
            self.finished = True
        self.steps += 1
        return Step(state.pc, place.inst, result, answers)

    def _jumped_back(self) -> None:
        """Compare the state with an earlier one, as far as the path depends on it."""
        registers = self.registers
        rows, flags, indices, al, _ = self._program.deciding
        readable, cmp, a0 = registers.readable, registers.cmp, registers.a0
        values = [readable[row][channel] for row, channel in rows]
        loops = registers.loops if al else registers.loops.counters
        now = self.state, loops, values, [cmp[n] for n in flags], [a0[n] for n in indices]
        self._repeats = now == self._saved
        self._back_jumps += 1
        if self._back_jumps == self._save_at:
            self._saved, self._save_at = now, 2 * self._save_at

    def keep(self) -> Kept:
        """The state, for `restore`; it does not change afterwards."""
        registers, emitter = self.registers, self.emitter
        emitted = (
            None if emitter is None else (tuple(emitter.bank), tuple(emitter.written), tuple(emitter.buffer), emitter.emission)
        )
        return Kept(
            temporaries=tuple(registers.readable[TEMPORARY:FLOAT]),
            outputs=tuple(registers.outputs),
            written=tuple(registers.written),
            cmp=registers.cmp,
            a0=registers.a0,
            loops=registers.loops,
            state=self.state,
            emitted=emitted,
            progress=(
                self.steps,
                self.finished,
                self.fault,
                self._emitted,
                self._back_jumps,
                self._save_at,
                self._repeats,
                self._saved,
            ),
        )

    def restore(self, kept: Kept) -> None:
        """Return to a state of this machine."""
        registers, emitter = self.registers, self.emitter
        registers.readable[TEMPORARY:FLOAT] = kept.temporaries
        registers.outputs, registers.written = [*kept.outputs], [*kept.written]
        registers.cmp, registers.a0, registers.loops, self.state = kept.cmp, kept.a0, kept.loops, kept.state
        self.steps, self.finished, self.fault, self._emitted = kept.progress[:4]
        self._back_jumps, self._save_at, self._repeats, self._saved = kept.progress[4:]
        if emitter is not None and kept.emitted is not None:
            bank, written, buffer, emitter.emission = kept.emitted
            emitter.bank, emitter.written, emitter.buffer = [*bank], [*written], [*buffer]

    def lane(self) -> Lane:
        """The present outputs."""
        registers = self.registers
        if self.fault is not None and self.fault.endless:
            return Lane((_ZERO,) * 16, (0,) * 16, self.steps, self.fault)
        return Lane(tuple(registers.outputs), tuple(registers.written), self.steps, self.fault)

    def _do(self, actions: tuple[flow.Action, ...]) -> None:
        if actions:
            registers = self.registers
            program = self._program
            registers.loops = flow.perform(program.algebra, actions, registers.loops, self.integers, program.profile)

    def _stop(self, code: str, place: _Place, detail: str = "") -> Step:
        self.fault = fault_at(code, self.state, self.steps, detail)
        self.finished = True
        return Step(self.state.pc, place.inst, _NOTHING)


def _rings(state: ControlState) -> str:
    """The rings in words, the newest slot of each last."""
    calls = [f"CALL until {slot.end} then {slot.back}" for slot in state.calls]
    ifs = [f"IF until {slot.end} then {slot.jump}" for slot in state.ifs]
    loops = [f"LOOP of i{slot.register} from {slot.start} until {slot.end}" for slot in state.loops]
    return ", ".join((*calls, *ifs, *loops)) or "no active CALL, IF or LOOP"
