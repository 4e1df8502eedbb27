"""One vertex, or run of a geometry shader, step by step: `Trace`, with names and source lines, and where its results came
from."""

from __future__ import annotations

import warnings

from lanewise.core.arguments import component_of
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.objects import PublicObject, checked
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.pica200.api.interface import BUDGET
from lanewise.pica200.api.labels import labels
from lanewise.pica200.api.naming import Naming, statement
from lanewise.pica200.codes import CODES
from lanewise.pica200.engine.provenance import Provenance, provenance_of
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.trace import trace_steps
from lanewise.pica200.engine.uninitialised import Watch
from lanewise.pica200.isa.table import BOOLEAN, COMPONENTS, FLOAT, INTEGER, register_name
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.flow import code_memory, memory_size
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lanewise.pica200.api.run_tracing import EmittedVertex, Run
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reference import Fault, Lane, Machine, Words
    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.ir.labels import Labels
    from lanewise.pica200.sem.profile import Profile

TRACE_BUDGET = 20_000  # a step takes about a kilobyte


class Given(Record):
    """The registers at the start, by number."""

    inputs: tuple[Words, ...]
    "v registers as words."
    floats: tuple[Words, ...]
    "c registers as words."
    integers: tuple[Words, ...]
    "i registers as bytes."
    booleans: tuple[bool, ...]
    "b registers."
    known: frozenset[Component] = frozenset()
    "Components that earlier vertices or runs had written, where the profile keeps them."
    lanes: int = 1
    "How many vertices there are."
    widths: tuple[tuple[int, int], ...] = ()
    "Inputs of which fewer than four components were given, with how many: the others are filled in."


_OF_TRACES = {  # names that are looked for on traces
    "registers": "`steps[-1].writes` are what a step wrote; `shader.run(inputs, uniforms).registers` are all at the end",
    **dict.fromkeys(("outputs_by_name", "result", "results"), "`shader.run(inputs, uniforms).outputs` are arrays by name"),
    **dict.fromkeys(("show", "print", "dump", "log"), "`print(trace.text())` shows it"),
    **dict.fromkeys(("instructions", "insts", "history", "events"), "use `steps`"),
    **dict.fromkeys(("to_dataframe", "df", "dataframe", "pandas"), "use `to_pandas()`"),
}


class Texts(PublicObject):
    """Names, source lines and numbers of a shader under a profile."""

    shader: Shader
    profile: Profile
    labels: Labels
    naming: Naming

    def __init__(self, shader: Shader, profile: Profile) -> None:
        self.shader, self.profile = shader, profile
        self._memory = code_memory(shader.words, profile, memory_size(geometry=shader.interface.geometry))
        self.labels = labels(shader, self._memory)
        self.naming = Naming(shader.interface, shader.outputs)

    def __getstate__(self) -> dict[str, object]:
        """The attributes without the texts, which `__setstate__` makes again."""
        return {key: value for key, value in self.__dict__.items() if key not in ("_memory", "labels", "naming")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        Texts.__init__(self, self.shader, self.profile)

    def instruction(self, pc: int) -> str:
        """The instruction at a word address as picasso text; empty where the program has no word."""
        return self.labels.instruction(pc) if 0 <= pc < len(self._memory) else ""

    def span(self, pc: int) -> Span:
        """Where a word came from in the source; the file if nobody knows."""
        return self.shader.span(pc)

    def statement(self, pc: int) -> str:
        """The source line of a word, of an assembly language without its comment; empty for a file without sources."""
        span = self.span(pc)
        return " ".join(span.text.split()) if self.shader.program.compiled and span.line else statement(span)

    def name(self, register: str, pc: int = -1) -> str:
        """What the source calls a register (`o0`, `c4`), at a word address or anywhere, or the register again."""
        return self.naming.name(register, self.statement(pc) if pc >= 0 else "")

    def number(self, word: int) -> float:
        """A word as the number that it is, exactly."""
        if self.profile.rounding != "float32":
            return float_from_float24(word)
        import struct

        return struct.unpack("<f", struct.pack("<I", word))[0]

    def words_text(self, words: Sequence[int], *, raw: bool) -> str:
        """`0.5, 1`, or with the words that the registers hold: `0.5, 1 [3e0000 3f0000]`."""
        shown = ", ".join(f"{self.number(word):.6g}" for word in words) or "nothing"
        width = 8 if self.profile.rounding == "float32" else 6
        return shown + (f" [{' '.join(f'{word:0{width}x}' for word in words)}]" if raw and words else "")


class Trace(Texts):
    """What one vertex did, or one run of a geometry shader.

    `lane` is its number, `steps` the instructions in the order they ran, `outputs` what it left (16 outputs as words and the
    masks written), `fault` why it stopped if it did not reach `end`, `given` the registers it started with. Words are of the
    format of `profile`. `run` is there for a run of a geometry shader: what it took, and what it emitted; its `outputs` are
    those of the bank that it wrote to last. `text()`, `table()` and `to_json()` show it; `explain` says where a result came
    from.
    """

    _internal = frozenset(
        (
            "instruction",
            "is_constant",
            "labels",
            "name",
            "naming",
            "number",
            "source",
            "span",
            "statement",
            "value",
            "wording",
            "words_text",
        )
    )

    def __init__(
        self,
        shader: Shader,
        lane: int,
        profile: Profile,
        steps: tuple[TraceStep, ...],
        outputs: Lane,
        given: Given,
        run: Run | None = None,
    ) -> None:
        super().__init__(shader, profile)
        self.lane = lane
        self.steps = steps
        self.outputs = outputs
        self.given = given
        self.run = run

    def __repr__(self) -> str:
        stopped = f", stopped: {self.fault.code}" if self.fault else ""
        return f"<Trace of {self.shader.name}, {self.subject}: {len(self.steps)} steps{stopped}>"

    def __len__(self) -> int:
        return len(self.steps)

    def _repr_html_(self) -> str:
        """Steps that unfold, for notebooks."""
        from lanewise.core import html
        from lanewise.pica200.api.trace_report import blocks, ending, heading

        lines = self.table().split("\n")
        steps = zip(lines[len(lines) - len(self.steps) - (self.fault is not None) :], blocks(self), strict=False)
        top = heading(self)
        more = html.code("\n".join(top[1:]), 8000) if len(top) > 1 else ""
        return html.title(top[0]) + more + html.unfolding(steps) + html.code(ending(self), 8000)

    @property
    def subject(self) -> str:
        """`vertex 3`, or `run 3`."""
        return f"{'run' if self.run else 'vertex'} {self.lane}"

    @property
    def fault(self) -> Fault | None:
        """Why it stopped without `end`, if it did."""
        return self.outputs.fault

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The faults in words, with source lines where they are known: of the vertices that a run takes, then its own."""
        before = self.run.findings if self.run else ()
        if self.fault is None:
            return before
        message = f"{self.subject} stopped: {self.fault.message}"
        return (
            *before,
            Diagnostic(
                code=self.fault.code,
                severity=ERROR,
                message=message,
                span=self.span(self.fault.pc),
                notes=(),
                fix=CODES[self.fault.code].help,
            ),
        )

    @property
    def wording(self) -> Labels:
        """The old name of `labels`."""
        warnings.warn("Trace.wording is deprecated: use Trace.labels", DeprecationWarning, stacklevel=2)
        return self.labels

    def value(self, component: Component) -> int | bool:
        """What a component held: v, c, i at the start, o at the end. Raises KeyError for other files."""
        if component.file == "v":
            return self.given.inputs[component.number][component.channel]
        if component.file == "c":
            return self.given.floats[component.number][component.channel]
        if component.file == "i":
            return self.given.integers[component.number][component.channel] if component.number < 4 else 0
        if component.file == "o":
            return self.outputs.outputs[component.number][component.channel]
        raise KeyError(component.file)

    def is_constant(self, register: int) -> bool:
        """Whether a c or i register had the value that the file presets for it."""
        rule = number_rule(self.profile)
        if self.source(register_name(register)):
            return False
        for constant in self.shader.interface.constants if register < BOOLEAN else ():
            if constant.register == register:
                if register >= INTEGER:
                    return self.given.integers[register - INTEGER] == (*constant.values, 0, 0, 0)[:4]
                return self.given.floats[register - FLOAT] == tuple(rule.from_float24(word) for word in constant.values)
        return False

    def text(self) -> str:
        """A block of lines for each step."""
        from lanewise.pica200.api.trace_report import as_text

        return as_text(self)

    def table(self) -> str:
        """A line for each step."""
        from lanewise.pica200.api.trace_report import as_table

        return as_table(self)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`: a row for each step with word, instruction, file and line, and a column for each component
        that a step writes, such as `position.x`, NaN where another does. Raises ModuleNotFoundError."""
        from lanewise.core.frames import trace_frame

        return trace_frame(self.to_json(), "Trace.to_pandas")

    def to_json(self) -> dict[str, object]:
        """Everything as plain values that `json.dumps` takes; numbers JSON cannot say are the texts NaN, Infinity,
        -Infinity."""
        from lanewise.pica200.api.trace_json import as_json

        return as_json(self)

    def source(self, register: str) -> str:
        """Where a run was given a register from: `outpos of vertex 1`, `the number of vertices`; empty if from no vertex."""
        taken = self.run.taken.get(register) if self.run else None
        if taken is None:
            return ""
        stayed = f", stayed from run {taken.run}" if taken.run != self.lane else ""
        return (f"{taken.name} of vertex {taken.vertex}" if taken.vertex is not None else "the number of vertices") + stayed

    @checked
    def explain(self, component: str) -> Explanation:
        """Where a component of an output came from: `position.x`, `color.w`, or by register (`o0.x`) or name in the source.

        In a run of a geometry shader that is of an emitted vertex: `position.x@1` of that of the EMIT number 1, counted from 0,
        and without a number of the last. Raises InputError for an output, component or emitted vertex that is not there.
        """
        name, at, number = component_of(component).partition("@")
        wanted = self._component(name)
        if self.run is None:
            if at:
                fix = f"use {name.strip()}: only runs of a geometry shader emit vertices"
                raise self._wrong(f"'{component}' refers to an emitted vertex", fix)
            return Explanation(self, component, provenance_of(self.steps, wanted), self.value(wanted))
        emitted = self.run.emitted
        if not emitted:
            raise self._wrong(f"{self.subject} emits no vertex", "select another run with --trace, or number=")
        if not at:
            vertex = emitted[-1]
        elif number.strip().isdecimal() and int(number) < len(emitted):
            vertex = emitted[int(number)]
        else:
            there = f"{len(emitted)} vertices, counted from 0" if len(emitted) > 1 else "one vertex, number 0"
            raise self._wrong(f"emitted vertex '{number}' does not exist", f"{self.subject} emits {there}")
        word = vertex.record.vertex.outputs[wanted.number][wanted.channel]
        return Explanation(
            self, f"{name.strip()}@{vertex.number}", provenance_of(self.steps[: vertex.step], wanted), word, vertex
        )

    def _elsewhere(self, name: str) -> str:
        return _OF_TRACES.get(name, "")

    if not TYPE_CHECKING:  # type checkers refuse these by themselves

        def __getitem__(self, key):
            if isinstance(key, str):
                raise TypeError(f"a trace has steps: `explain('{key.partition('.')[0]}.x')` says where an output came from")
            raise TypeError(f"a trace has steps: `trace.steps[{key!r}]`")

        def __iter__(self):
            raise TypeError("a trace has steps: `for step in trace.steps`")

    def _component(self, component: str) -> Component:
        key, _, letter = component.strip().rpartition(".")
        places = {f"o{number}": (number, COMPONENTS) for number in range(16)}
        for output in (*self.shader.outputs, *(self.run.outputs if self.run else ())):
            place = int(output.register[1:]), output.components
            if output.name:
                places.setdefault(output.name, place)
            places[output.semantic] = place
        if key not in places:
            shown = [output.semantic for output in self.shader.outputs]
            place = 0, _COLOURS.get(component.strip().lower(), 0)
            wanted = key or component
            close = near(wanted, places)
            if component in places:
                close = [f"{component}.{each}" for each in places[component][1]]
                raise self._wrong(f"'{component}' is a whole output", f"select a component: {', '.join(close)}")
            if key[:1] in ("r", "c", "v") and key[1:].isdecimal():
                close = []  # a register of the program, of which steps have the values
            element = component.strip().partition("[")
            if element[0] in places and element[2][:1].isdecimal() and int(element[2][:1]) < len(places[element[0]][1]):
                raise self._wrong(
                    f"unknown output component '{component}'",
                    f"write {element[0]}.{places[element[0]][1][int(element[2][:1])]}",
                )
            fix = (
                f"did you mean {' or '.join(f'{name}.{letter}' for name in close)}?"
                if close and key
                else f"use {' or '.join([f'{name}.{COMPONENTS[place[1]]}' for name in shown or ['o0']])}"
            )
            raise self._wrong(f"unknown output component '{component}'", fix)
        number, letters = places[key]
        if len(letter) != 1 or letter not in letters:
            fix = f"its components are {', '.join(letters)}"
            if len(letter) > 1 and set(letter) <= set(letters):
                fix = f"one at a time: {key}.{letter[0]}"
            if letter in _COLOURS and (meant := COMPONENTS[_COLOURS[letter]]) in letters:
                fix = f"did you mean {key}.{meant}?"
            raise self._wrong(f"output {key} has no component '{letter}'", fix)
        return Component("o", number, COMPONENTS.index(letter))

    def _wrong(self, message: str, fix: str) -> InputError:
        return InputError(
            [Diagnostic(code="B001", severity=ERROR, message=message, span=Span(file=self.shader.file), notes=(), fix=fix)]
        )


_COLOURS = {name: place for place, names in enumerate(("r red s", "g green t", "b blue", "a alpha")) for name in names.split()}


class Explanation:
    """Where one component came from: `origins` are the steps and registers, `trace` has their texts and values.

    `word` is what it held, `emitted` the EMIT that took it, if the trace is of a geometry shader.
    """

    def __init__(
        self, trace: Trace, component: str, found: Provenance, word: int, emitted: EmittedVertex | None = None
    ) -> None:
        self.trace = trace
        self.component = component
        self.origins = found
        self.word = word
        self.emitted = emitted

    @property
    def left_before(self) -> tuple[Component, ...]:
        """Of what this vertex or run had not written: that which one before has left there."""
        return tuple(component for component in self.origins.unwritten if component in self.trace.given.known)

    @property
    def never_written(self) -> tuple[Component, ...]:
        """That which nothing has written at all."""
        return tuple(component for component in self.origins.unwritten if component not in self.trace.given.known)

    def __repr__(self) -> str:
        count = len(self.origins.causes)
        return f"<Explanation of {self.component}: {count} step{'s' if count != 1 else ''}>"

    def _repr_html_(self) -> str:
        from lanewise.core import html

        return html.code(self.text(), html.MOST)

    def text(self) -> str:
        """The instructions in order with what they read and made, then what was given, then the decisions of the flow."""
        from lanewise.pica200.api.trace_report import explained

        return explained(self)

    def to_json(self) -> dict[str, object]:
        """The same as plain values that `json.dumps` takes."""
        from lanewise.pica200.api.trace_json import explained

        return explained(self)


class Start(Record):
    """A lane in front of its first instruction, and what its registers hold."""

    program: Reference
    machine: Machine
    given: Given


def start_lane(
    shader: Shader,
    bound: Inputs,
    values: Uniforms,
    lane: int,
    profile: Profile,
    budgets: tuple[int, int],
    before: Sequence[int] | None = None,
    program: Reference | None = None,
) -> Start:
    """Start a lane of bound inputs. Where the profile keeps registers from vertex to vertex, those `before` it run too: by
    default all of lower number. `budgets`: the most steps of each before, and of this one; `program` is what a lane before was
    started with."""
    program = program or lane_program(shader, profile, budgets[1])
    earlier_program = lane_program(shader, profile, budgets[0]) if program.keeps_registers else program
    watch = Watch(earlier_program)
    last: Machine | None = None
    earlier = range(lane) if before is None else before
    for number in earlier if program.keeps_registers else ():
        machine = earlier_program.start(_vertex(bound, number), values.floats, values.integers, values.booleans, last)
        watch.run(number, machine)
        if machine.fault is None or not machine.fault.endless:
            last = machine
    machine = program.start(_vertex(bound, lane), values.floats, values.integers, values.booleans, last)
    readable = machine.registers.readable
    return Start(
        program,
        machine,
        Given(
            inputs=tuple(readable[:16]),
            floats=tuple(readable[32:]),
            integers=values.integers,
            booleans=values.booleans,
            known=watch.known,
            lanes=bound.lanes,
            widths=tuple(
                [(n, len(column.values[0])) for n, column in bound.words.columns.items() if len(column.values[0]) < 4]
            ),
        ),
    )


def trace_lane(
    shader: Shader,
    bound: Inputs,
    values: Uniforms,
    lane: int,
    profile: Profile,
    budget: int | None,
    before: Sequence[int] | None = None,
) -> Trace:
    """Trace a lane, started as by `start_lane`. `budget`: the most steps of each (default: `TRACE_BUDGET` for what is traced,
    else as in a run)."""
    budgets = (BUDGET, TRACE_BUDGET) if budget is None else (budget, budget)
    program, machine, given = start_lane(shader, bound, values, lane, profile, budgets, before)
    steps = tuple(trace_steps(program, machine, given.known))
    return Trace(shader, lane, profile, steps, machine.lane(), given)


def lane_program(shader: Shader, profile: Profile, budget: int) -> Reference:
    """A vertex shader on the reference engine."""
    return Reference(shader.words, shader.descriptors, shader.interface.entry, profile=profile, budget=budget)


def _vertex(bound: Inputs, number: int) -> dict[int, Words]:
    return {register: tuple(rows[number].tolist()) for register, rows in bound.words.items()}
