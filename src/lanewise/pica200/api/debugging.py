"""The PICA200 in a debugger: vertices, or runs of a geometry shader, that stop at any instruction and go both ways."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.arrays.lists import asarray
from lanewise.core.debugging import (
    ADDRESSES,
    FLAGS,
    INFINITY,
    INPUTS,
    NAN,
    OUTPUTS,
    SENT,
    STOPPED,
    TEMPORARIES,
    UNIFORMS,
    UNSET,
    Frame,
    Group,
    Loop,
    Named,
    Register,
)
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.counting import counted as times
from lanewise.core.text.numbers import register_number
from lanewise.core.trace import Decision, Given, Operand, Step, Value, Write
from lanewise.pica200.api.emission_report import setting
from lanewise.pica200.api.interface import BUDGET, counted
from lanewise.pica200.api.naming import bindable
from lanewise.pica200.api.tracing import Texts, lane_program, start_lane
from lanewise.pica200.codes import CODES
from lanewise.pica200.engine.encoding import encoded
from lanewise.pica200.engine.provenance import sources_of_al
from lanewise.pica200.engine.trace import StepRecorder
from lanewise.pica200.ir.labels import action_text, question_text
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import (
    BOOLEAN,
    COMPONENTS,
    FLOAT,
    INDEX_NAMES,
    INPUT,
    INTEGER,
    TEMPORARY,
    mask_text,
    register_name,
    selector_text,
)
from lanewise.pica200.sem.components import Component, components_written, flags_used
from lanewise.pica200.sem.flow import Push
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.debugging import Inlined
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.stages import Bound
    from lanewise.pica200.api.tracing import Start
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reference import Kept, Reference, Words
    from lanewise.pica200.engine.trace import Operand as ReadOperand
    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.sem.profile import Profile

_BANK = "bank"
_FEW, _MANY = 16, 1024  # threads that are looked at
_EXPONENTS = {"float32": (0x7F800000, 0x007FFFFF), "float24": (0x7F0000, 0x00FFFF)}


class PicaDebuggee(ABC):
    """A shader with the values of a run. `threads` are vertices, or runs of a geometry shader."""

    shader: Shader
    profile: Profile
    threads: Sequence[int]
    diagnostics: tuple[Diagnostic, ...]
    budget: int

    isa = "pica200"
    what = "word"
    one = "vertex"
    group = 1
    writable: frozenset[str] = frozenset()  # all registers hold something

    def __init__(
        self, shader: Shader, profile: Profile, threads: Sequence[int], findings: Sequence[Diagnostic], budget: int
    ) -> None:
        self.shader, self.profile, self.threads, self.diagnostics, self.budget = (
            shader,
            profile,
            threads,
            tuple(findings),
            budget,
        )

    @property
    def name(self) -> str:
        return self.shader.name

    @property
    def variant(self) -> str:
        return f"profile {self.profile.describe()}"

    @property
    def samples(self) -> int:
        return _FEW if self.profile.initial_state == "kept" else _MANY

    @property
    def format(self) -> str:
        return "float32" if self.profile.rounding == "float32" else "float24"

    @property
    def names(self) -> Mapping[str, Named]:
        return self._names

    @property
    def labels(self) -> Mapping[str, int]:
        program = self.shader.program
        return {**program.labels, **{each.name: each.start for each in program.procedures if each.size}}

    @property
    def results(self) -> Mapping[str, str]:
        return self._results

    @cached_property
    def _names(self) -> Mapping[str, Named]:
        """Inputs, uniforms, constants, outputs by name and semantic, and aliases; what the source lists first wins."""
        interface = self.shader.interface
        found: dict[str, Named] = {}
        for inputs in (True, False):
            for named in bindable(interface, inputs=inputs):
                letters = _selected(named) if hasattr(named, "selector") else ""
                kind = INPUTS if inputs else UNIFORMS
                found.setdefault(named.name, Named(register_name(named.first), named.last - named.first + 1, letters, kind))
        for alias in interface.aliases:
            name = register_name(alias.register, written=alias.written)
            kind = OUTPUTS if alias.written else TEMPORARIES
            found.setdefault(alias.name, Named(name, max(1, alias.size), _selected(alias), kind))
        for output in self.shader.outputs:
            for name in (output.name, output.semantic):
                if name:
                    found.setdefault(name, Named(output.register, 1, "", OUTPUTS))
        return found

    @cached_property
    def _results(self) -> Mapping[str, str]:
        return {
            f"{output.semantic}.{letter}": f"{output.register}.{letter}"
            for output in self.shader.outputs
            for letter in output.components
        }

    def inlined(self, address: int) -> Sequence[Inlined]:
        inlined = self.shader.program.inlined
        return inlined[address] if 0 <= address < len(inlined) else ()

    def title(self, thread: int) -> str:
        return f"{self.one} {thread}"

    def instruction(self, address: int) -> str:
        return self._view.instruction(address)

    def encoding(self, address: int) -> str:
        """The word, and the operand descriptor that it names."""
        words, descriptors = self.shader.words, self.shader.descriptors
        if not 0 <= address < len(words):
            return ""
        inst = decode(words[address])
        number = inst.field("desc") if inst.op.format.has("desc") else -1
        described = f", descriptor {number}: {descriptors[number]:08x}" if 0 <= number < len(descriptors) else ""
        return f"{words[address]:08x}{described}"

    @cached_property
    def _view(self) -> Texts:
        """Names and texts of the shader, as traces have them."""
        return Texts(self.shader, self.profile)

    def machine(self, thread: int, changed: Mapping[str, float]) -> PicaMachine:
        """A thread in front of its first instruction. Raises InputError if there is none of that number."""
        if thread not in self.threads:
            there = counted(len(self.threads)) if self.threads else "there are none"
            message = f"{self.title(thread)} does not exist"
            raise InputError(
                [
                    Diagnostic(
                        code="B008", severity=ERROR, message=message, span=Span(file=self.shader.file), notes=(), fix=there
                    )
                ]
            )
        return PicaMachine(self, self._view, self._start(thread), thread, changed)

    @abstractmethod
    def _start(self, thread: int) -> Start:
        """A thread before its first instruction."""


class Vertices(PicaDebuggee):
    """The vertices of a vertex shader."""

    def __init__(
        self,
        shader: Shader,
        bound: Inputs,
        values: Uniforms,
        profile: Profile,
        findings: Sequence[Diagnostic] = (),
        budget: int = BUDGET,
        order: Sequence[int] | None = None,
    ) -> None:
        """`order`: the vertices that run, in this order (default: all of them)."""
        super().__init__(shader, profile, range(bound.lanes) if order is None else order, findings, budget)
        self._bound, self._values, self._order = bound, values, order

    def _start(self, thread: int) -> Start:
        before = None if self._order is None else self._order[: self._order.index(thread)]
        budgets = self.budget, self.budget
        return start_lane(self.shader, self._bound, self._values, thread, self.profile, budgets, before, self._program)

    @cached_property
    def _program(self) -> Reference:
        return lane_program(self.shader, self.profile, self.budget)


class GeometryRuns(PicaDebuggee):
    """The runs of a geometry shader after a vertex shader."""

    one = "run"

    @property
    def samples(self) -> int:
        return _FEW  # the runs before each are done again

    def __init__(self, pipeline: Pipeline, bound: Bound, findings: Sequence[Diagnostic] = (), budget: int = BUDGET) -> None:
        runs = bound.runs
        if runs is None:
            raise ValueError("the pipeline has no geometry shader")
        super().__init__(runs.geometry, bound.rules, range(runs.chunks.runs), findings, budget)
        self._pipeline, self._bound, self._runs = pipeline, bound, runs

    def vertices(self, run: int) -> tuple[int, ...]:
        """The vertices that a run takes, in its order."""
        chunks = self._runs.chunks
        first = int(chunks.sizes[:run].sum())
        return tuple(chunks.indices[first : first + int(chunks.sizes[run])].tolist())

    def source(self, run: int, register: str) -> tuple[int, str] | None:
        """The vertex, and its output, that a register of a run (`v1`, `c4`) is given; None for one that is given nothing of a
        vertex."""
        outputs = [[(vertex, f"o{number}") for number in self._runs.registers] for vertex in self.vertices(run)]
        feed = self._runs.feed(outputs, (-1, ""))
        found = {"v": feed.inputs, "c": feed.floats}.get(register[:1], {}).get(int(register[1:] or 0))
        return found if found is not None and found[0] >= 0 else None

    def _start(self, thread: int) -> Start:
        from lanewise.pica200.api.run_tracing import start_run

        arguments = self._pipeline.vertex, self._bound, self._runs, thread, self._pipeline.outputs, self.budget, self.budget
        return start_run(*arguments).start


class Position(Record):
    """A state of the engine's machine, and the components written until then."""

    kept: Kept
    known: frozenset[Component]


class PicaMachine:
    """One vertex or run on the reference engine."""

    def __init__(self, debuggee: PicaDebuggee, view: Texts, start: Start, thread: int, changed: Mapping[str, float]) -> None:
        program, machine, given = start
        self._debuggee, self._view, self._thread = debuggee, view, thread
        self._program, self._machine = program, machine
        self._recorder = StepRecorder(program, machine, given.known)
        self._format = debuggee.format
        self._exponent, self._fraction = _EXPONENTS[self._format]
        self._before = given.known
        for place, number in changed.items():
            self._change(place, number)

    @property
    def address(self) -> int:
        return self._machine.state.pc

    @property
    def depth(self) -> int:
        return len(self._machine.state.calls)

    @property
    def finished(self) -> bool:
        return self._machine.finished

    @property
    def fault(self) -> Diagnostic | None:
        fault = self._machine.fault
        if fault is None:
            return None
        message = f"{self._debuggee.title(self._thread)} stopped: {fault.message}"
        return Diagnostic(
            code=fault.code,
            severity=ERROR,
            message=message,
            span=self._view.span(fault.pc),
            notes=(),
            fix=CODES[fault.code].help,
        )

    @property
    def given(self) -> Mapping[str, Given]:
        return self._given

    @cached_property
    def _given(self) -> Mapping[str, Given]:
        """Inputs and uniforms, and what the lanes before have left."""
        found: dict[str, Given] = {}
        for register, kind in self._presets():
            for place, value in zip(register.places, register.values, strict=True):
                if value is not None:
                    found[place] = Given(kind, value, register.label)
        for component in self._before:
            value = self.read(str(component))
            if value is not None:
                found[str(component)] = Given("register", value)
        return found

    def advance(self) -> int:
        done = self._recorder.advance()
        if done is None:
            return STOPPED
        step, unset = done
        events = UNSET if unset else 0
        for word in step.result.get("dst", ()):
            if word & self._exponent == self._exponent:
                events |= NAN if word & self._fraction else INFINITY
        emit = step.result.get("emit")
        return events | SENT if emit is not None and emit.primitive is not None else events

    def step(self) -> Step | None:
        al = self._machine.registers.loops.al
        done = self._recorder.step()
        return self._described(done, al) if done is not None else None

    def keep(self) -> Position:
        return Position(self._machine.keep(), self._recorder.known)

    def restore(self, kept: object) -> None:
        assert isinstance(kept, Position)
        self._machine.restore(kept.kept)
        self._recorder.known = kept.known

    def may_write(self, address: int) -> frozenset[str]:
        place = self._program.place(self._machine.state._replace(pc=address))
        own = components_written(place.resolved) if place.resolved is not None else ()
        return frozenset([*map(str, own), "aL"])  # loops end at any instruction

    def read(self, place: str) -> Value | None:
        name, dot, letter = place.partition(".")
        registers, channel = self._machine.registers, COMPONENTS.find(letter) if letter else 0
        if channel < 0 or len(letter) > 1:
            return None
        if name == "aL":
            return None if dot else _whole(registers.loops.al)
        if name in ("a0", "cmp") and letter in ("x", "y"):
            return _whole(int((registers.a0 if name == "a0" else registers.cmp)[channel]))
        file, number = name[:1], register_number(name)
        size = {"v": 16, "r": 16, "o": 16, "c": FLOAT_COUNT, "i": 4, "b": 16}.get(file, 0)
        if not 0 <= number < size or bool(dot) == (file == "b"):
            return None
        if file == "b":
            return _whole(int(self._machine.booleans[number]))
        if file == "i":
            return _whole(self._machine.integers[number][channel])
        if file == "o":
            return self._value(registers.outputs[number][channel])
        return self._value(registers.readable[number + {"v": INPUT, "r": TEMPORARY, "c": FLOAT}[file]][channel])

    def groups(self) -> tuple[Group, ...]:
        """Inputs, uniforms, outputs, temporaries, flags and address registers."""
        registers = self._machine.registers
        preset: dict[str, list[Register]] = {INPUTS: [], UNIFORMS: []}
        for register, kind in self._presets():
            preset[INPUTS if kind == "input" else UNIFORMS].append(register)
        outputs = [self._vector(f"o{n}", words) for n, words in enumerate(registers.outputs) if f"o{n}" in self._writable]
        held = registers.readable[TEMPORARY:FLOAT]
        temporaries = [self._vector(f"r{n}", words) for n, words in enumerate(held) if f"r{n}" in self._writable or any(words)]
        flags = Register(
            name="cmp", label="cmp", components="xy", values=tuple([_whole(int(flag)) for flag in registers.cmp]), format="bool"
        )
        index = Register(name="a0", label="a0", components="xy", values=tuple([_whole(n) for n in registers.a0]), format="int")
        counter = Register(name="aL", label="aL", components="", values=(_whole(registers.loops.al),), format="int")
        groups = {**preset, OUTPUTS: outputs, TEMPORARIES: temporaries, FLAGS: [flags], ADDRESSES: [index, counter]}
        return tuple([Group(name, tuple(mine)) for name, mine in groups.items() if mine])

    def frames(self) -> tuple[Frame, ...]:
        """The procedures that are active: the name where a call leads to, and the call."""
        state, words = self._machine.state, self._debuggee.shader.words
        place = self._view.labels.place
        entry = self._debuggee.shader.interface.entry
        frames: list[Frame] = []
        address = state.pc
        for slot in reversed(state.calls):
            call = slot.back - 1
            inst = self._program.place(state._replace(pc=call)).inst if 0 <= call < len(words) else None
            target = inst.field("dst") if inst is not None and inst.op.format.has("dst") else -1
            frames.append(Frame((place(target) if target >= 0 else "") or f"word {max(target, 0):#x}", address))
            address = call
        return (*frames, Frame(place(entry) or "main", address))

    def loops(self) -> tuple[Loop, ...]:
        state, values = self._machine.state, self._machine.registers.loops
        found: list[Loop] = []
        for slot, left in zip(state.loops, values.counters, strict=True):
            total = self._machine.integers[slot.register][0] + 1 if slot.register < 4 else 1
            name = self._view.labels.integer(slot.register)
            found.append(Loop(name=name, iteration=total - left, total=total, first=slot.start, last=slot.end - 1))
        return tuple(reversed(found))

    # The description of a step

    def _described(self, step: TraceStep, al: int) -> Step:
        view = self._view
        depends = {str(component): tuple(map(str, sources)) for component, sources in step.made.items()}
        writes = [self._write(write.register, write.mask, write.old, write.new, step.pc) for write in step.writes]
        moved = {str(component): tuple(map(str, sources)) for component, sources in sources_of_al(step).items()}
        if moved:
            writes.append(Write(register="aL", new=(_whole(step.loops.al),), old=(_whole(al),)))
        begun = [action.slot for action in step.actions if isinstance(action, Push)]
        notes = [f"runs {times(step.loops.counters[slot] + 1, 'time')}" for slot in begun]
        notes += [action_text(action, view.labels) for action in step.actions]
        notes += self._emission(step)
        if "emit" in step.result:
            depends |= {f"o{n}.{c}": (str(Component(_BANK, n, k)),) for n in range(16) for k, c in enumerate(COMPONENTS)}
            depends |= {str(Component(_BANK, n, k)): (f"o{n}.{c}",) for n in range(16) for k, c in enumerate(COMPONENTS)}
        notes += [f"{component} has never been written" for component in step.unwritten]
        decisions = [
            Decision(question_text(question, view.labels), "yes" if answer else "no", tuple(map(str, flags_used(question))))
            for question, answer in step.answers
        ]
        span = view.span(step.pc)
        return Step(
            number=step.number,
            address=step.pc,
            instruction=view.instruction(step.pc) or "no word here",
            span=span if span.line else None,
            operands=tuple([self._operand(operand, step.pc) for operand in step.operands if operand.used]),
            writes=tuple(writes),
            made={**depends, **moved},
            decisions=tuple(decisions),
            notes=tuple(notes),
            unset=tuple(map(str, step.unwritten)),
        )

    def _operand(self, operand: ReadOperand, pc: int) -> Operand:
        places = tuple([str(operand.component(slot)) for slot in operand.used])
        values = tuple([self._value(operand.words[slot]) for slot in operand.used])
        note = ""
        if operand.indexed:
            base = register_name(operand.source.register)
            note = f"{INDEX_NAMES[operand.source.relative]}: {operand.row - operand.source.register:+d} from {base}"
        sign = "-" if operand.source.negate else ""
        return Operand(
            register=operand.register,
            values=values,
            places=places,
            name=self._view.name(operand.register, pc),
            modifier=sign,
            note=note,
        )

    def _write(self, register: str, mask: int, old: Sequence[int], new: Sequence[int], pc: int) -> Write:
        letters = mask_text(mask)
        whole = register in ("a0", "cmp")
        before, after = [
            tuple([_whole(int(values[k])) if whole else self._value(values[k]) for k in range(4) if mask & 8 >> k])
            for values in (old, new)
        ]
        return Write(register=register, new=after, old=before, components=letters, name=self._view.name(register, pc))

    def _emission(self, step: TraceStep) -> list[str]:
        if "setemit" in step.result:
            return [setting(step.result["setemit"])]
        if "emit" not in step.result:
            return []
        record = step.result["emit"]
        lines = [f"emits a vertex into slot {record.emission.vertex}" + ("" if record.held else ", which does not exist")]
        for number, (words, mask) in enumerate(zip(record.vertex.outputs, record.vertex.written, strict=True)):
            if mask:
                kept = [words[k] for k in range(4) if mask & 8 >> k]
                lines.append(f"{self._view.name(f'o{number}')}.{mask_text(mask)} = {self._view.words_text(kept, raw=False)}")
        return lines + (["sends a primitive"] if record.primitive is not None else [])

    # Registers

    @cached_property
    def _writable(self) -> frozenset[str]:
        """The registers that the code writes, and the outputs that the file declares."""
        declared = {output.register for output in self._debuggee.shader.outputs}
        words = range(len(self._debuggee.shader.words))
        return frozenset(declared | {place.partition(".")[0] for address in words for place in self.may_write(address)})

    def _presets(self) -> list[tuple[Register, str]]:
        """The inputs and uniforms that the source names, that have a value, or that are given, each with its kind."""
        machine, readable = self._machine, self._machine.registers.readable
        named = set(self._view.naming.names)
        inputs = [n for n in range(16) if f"v{n}" in named or any(readable[INPUT + n])]
        found = [(self._vector(f"v{n}", readable[INPUT + n]), "input") for n in inputs]
        floats = [n for n in range(FLOAT_COUNT) if f"c{n}" in named or any(readable[FLOAT + n])]
        found += [(self._vector(f"c{n}", readable[FLOAT + n]), self._kind(FLOAT + n)) for n in floats]
        for n, row in enumerate(machine.integers):
            if f"i{n}" in named or any(row):
                values = tuple([_whole(value) for value in row])
                found.append(
                    (
                        Register(
                            name=f"i{n}", label=self._view.name(f"i{n}"), components=COMPONENTS, values=values, format="int"
                        ),
                        self._kind(INTEGER + n),
                    )
                )
        for n, flag in enumerate(machine.booleans):
            if f"b{n}" in named or flag:
                label = self._view.name(f"b{n}")
                found.append(
                    (
                        Register(name=f"b{n}", label=label, components="", values=(_whole(int(flag)),), format="bool"),
                        self._kind(BOOLEAN + n),
                    )
                )
        return found

    def _kind(self, register: int) -> str:
        preset = any(constant.register == register for constant in self._debuggee.shader.interface.constants)
        return "constant" if preset else "uniform"

    def _vector(self, name: str, words: Words) -> Register:
        return Register(
            name=name,
            label=self._view.name(name),
            components=COMPONENTS,
            values=tuple([self._value(word) for word in words]),
            format=self._format,
        )

    def _value(self, word: int) -> Value:
        return Value(word, self._view.number(word))

    def _change(self, place: str, number: float) -> None:
        """Give an input or uniform another value. Raises InputError for a place that is neither, or a number that it cannot
        hold."""
        name, _, letter = place.partition(".")
        file, at = name[:1], register_number(name)
        machine, channel = self._machine, COMPONENTS.find(letter) if letter else 0
        if file not in "vcib" or self.read(place) is None:
            raise self._unchangeable(place, "only inputs and uniforms can be changed")
        if file == "b":
            machine.booleans = tuple([bool(number) if n == at else flag for n, flag in enumerate(machine.booleans)])
        elif file == "i":
            if not 0 <= number <= 0xFF or number != int(number):
                raise self._unchangeable(place, "an integer uniform holds 0 to 255")
            row = _with(machine.integers[at], channel, int(number))
            machine.integers = tuple([row if n == at else other for n, other in enumerate(machine.integers)])
        else:
            word = int(encoded(asarray([float(number)]), self._debuggee.profile)[0])
            row = at + (INPUT if file == "v" else FLOAT)
            machine.registers.readable[row] = _with(machine.registers.readable[row], channel, word)

    def _unchangeable(self, place: str, fix: str) -> InputError:
        return InputError(
            [
                Diagnostic(
                    code="B007",
                    severity=ERROR,
                    message=f"{place} cannot be set",
                    span=Span(file=self._debuggee.shader.file),
                    notes=(),
                    fix=fix,
                )
            ]
        )


def _with(row: Words, channel: int, value: int) -> Words:
    x, y, z, w = [value if n == channel else old for n, old in enumerate(row)]
    return x, y, z, w


def _whole(value: int) -> Value:
    return Value(value & 0xFFFFFFFF, value)


def _selected(alias: object) -> str:
    selector = getattr(alias, "selector", None)
    text = selector_text(selector) if isinstance(selector, int) else COMPONENTS
    return "" if text == COMPONENTS else text


__all__ = ["GeometryRuns", "Vertices"]
