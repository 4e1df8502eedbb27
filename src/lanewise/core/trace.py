"""Traces of every instruction set: `Trace`, what a run did step by step, and `Explanation`, where one value came from.

A package makes the records from its reference engine; this module prints them and follows values back. Values are named by
places, the components of registers: `r0.x`, or `a` for a register without components.

    Trace(
        "toy", "double.toy", "lane 0",
        (Step(0, 0, "add r0", operands=(Operand("r0", (Value(4, 4),), ("r0",)),), writes=(Write("acc", (Value(4, 4),)),),
        made={"acc": ("acc", "r0")}),), given={"acc": Given("register", Value(0, 0)), "r0": Given("input", Value(4, 4))},
        results={"acc": "acc"},
    )
"""

from __future__ import annotations

from functools import cached_property

from lanewise.core import html
from lanewise.core.arguments import component_of
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, to_json, visible
from lanewise.core.objects import PublicObject
from lanewise.core.plain import plain_number
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, Answer, UsageError, schema_name
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Protocol

    from lanewise.core.view import View

    class Explained(Protocol):
        """Where a value came from, for commands."""

        def text(self) -> str: ...
        def to_json(self) -> dict[str, object]: ...

    class Traced(Protocol):
        """A trace for commands: `Trace`, or a package's own."""

        @property
        def diagnostics(self) -> Sequence[Diagnostic]: ...
        def text(self) -> str: ...
        def table(self) -> str: ...
        def to_json(self) -> dict[str, object]: ...
        def explain(self, component: str) -> Explained: ...


_INDENT = "  "
_LETTERS = "xyzw"


class Value(Record):
    """A component of a register: its raw pattern, and the number that it is."""

    bits: int
    number: float


class Operand(Record):
    """A source as the instruction saw it, after indexing, swizzle and modifiers."""

    register: str
    "The register that was read."
    values: tuple[Value, ...]
    "Components in the order of the swizzle."
    places: tuple[str, ...]
    "Component that each of `values` came from."
    name: str = ""
    "Name in the source; empty without one."
    modifier: str = ""
    "Text in front of it, such as `-`."
    note: str = ""
    "Text after it, such as `a0.x: +2 from c4`."


class Write(Record):
    """A register that was written."""

    register: str
    "Its name in the instruction set."
    new: tuple[Value, ...]
    "Components after the write."
    old: tuple[Value, ...] = ()
    "Components before the write, in the order of `new`; empty where they are not known."
    components: str = ""
    "Letters of `new` and `old`; empty for a register without components."
    name: str = ""
    "Name in the source; empty without one."

    @property
    def places(self) -> tuple[str, ...]:
        """The places of `new`, in order."""
        return tuple([f"{self.register}.{letter}" for letter in self.components]) or (self.register,)


class Decision(Record):
    """A question of the flow with its answer, and the places that it reads."""

    question: str
    answer: str
    places: tuple[str, ...] = ()


class Step(Record):
    """One executed instruction."""

    number: int
    "Place in the trace, from 0."
    address: int
    "Address of its word or slot."
    instruction: str
    "Text of the instruction, as disassembled."
    span: Span | None = None
    "Place in the source; None where it is not known."
    operands: tuple[Operand, ...] = ()
    "Sources in the order of the instruction."
    writes: tuple[Write, ...] = ()
    "Registers that it wrote."
    made: Mapping[str, tuple[str, ...]] = {}
    "Each written place with the places that its value depends on."
    decisions: tuple[Decision, ...] = ()
    "Questions of the flow that it answered."
    notes: tuple[str, ...] = ()
    "Further lines of text."
    state: str = ""
    "State of the flow after the instruction; empty where there is nothing to say."
    data: Mapping[str, object] = {}
    "Keys that the instruction set adds in JSON."
    unset: tuple[str, ...] = ()
    "Places that it read before anything had written them."
    routines: tuple[str, ...] = ()
    "Active routines, the innermost last."
    loops: tuple[tuple[str, int, int], ...] = ()
    "Active loops, the innermost last: name, iteration from 1, number of iterations."


class Given(Record):
    """A place at the start: `kind` is `input`, `uniform`, `constant` or `register`, `name` what the source calls it."""

    kind: str
    value: Value
    name: str = ""


class Trace(PublicObject):
    """The steps of one lane.

    `subject` is what is traced (`lane 3`), `variant` the device, rule or profile in words. `given` are the places with a value
    at the start; one that is read and neither given nor written was never set. `results` are the places that can be explained,
    by the names of outputs (`position.x`); every place can be by its own name too. `format` names the patterns (`float32`),
    `width` is their number of bits. `what` is the word for an address.
    """

    _internal = frozenset(("operand", "place", "shown", "step_json", "subject_json", "what", "width", "write"))

    isa: str
    program: str
    subject: str
    steps: tuple[Step, ...]
    given: Mapping[str, Given]
    results: Mapping[str, str]
    variant: str
    format: str
    width: int
    what: str
    heading: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    data: Mapping[str, object]

    def __init__(
        self,
        isa: str,
        program: str,
        subject: str,
        steps: Sequence[Step],
        *,
        given: Mapping[str, Given] | None = None,
        results: Mapping[str, str] | None = None,
        variant: str = "",
        format: str = "float32",
        width: int = 32,
        what: str = "word",
        heading: Sequence[str] = (),
        diagnostics: Sequence[Diagnostic] = (),
        data: Mapping[str, object] | None = None,
    ) -> None:
        self.isa, self.program, self.subject, self.steps = isa, program, subject, tuple(steps)
        self.given, self.results = dict(given or {}), dict(results or {})
        self.variant, self.format, self.width, self.what = variant, format, width, what
        self.heading, self.diagnostics, self.data = tuple(heading), tuple(diagnostics), dict(data or {})

    def __repr__(self) -> str:
        return f"<Trace of {self.program}, {self.subject}: {len(self.steps)} steps>"

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def last(self) -> Mapping[str, Value]:
        """The value at the end of each place that is known."""
        found = {place: given.value for place, given in self.given.items()}
        for step in self.steps:
            for write in step.writes:
                found.update(zip(write.places, write.new, strict=True))
        return found

    def text(self) -> str:
        """A block of lines for each step."""
        title = f"{visible(self.program, '')}, {self.subject}" + (f": {self.variant}" if self.variant else "")
        blocks = [[title, *(f"{_INDENT}{line}" for line in self.heading)], *map(self._block, self.steps)]
        return "\n\n".join("\n".join(block) for block in [*blocks, self._ending()])

    def _repr_html_(self) -> str:
        """Steps that unfold, for notebooks."""
        lines = Trace.table(self).split("\n")  # a line for each step, whatever the table of an instruction set is
        steps = zip(lines[1:], ["\n".join(self._block(step)[2:]) for step in self.steps], strict=False)
        ending = html.code("\n".join(self._ending()), 8000)
        return html.title(f"{self.program}, {self.subject}", self.variant) + html.unfolding(steps) + ending

    def table(self) -> str:
        """A line for each step."""
        rows = [["step", self.what, "instruction", "what happened", "after it", "line"]]
        for step in self.steps:
            happened = [f"{self._target(write)} = {self._numbers(write.new)}" for write in step.writes]
            happened += [f"{asked.question} {asked.answer}" for asked in step.decisions]
            line = str(step.span.line) if step.span and step.span.line else ""
            rows.append(
                [str(step.number), str(step.address), step.instruction, "; ".join([*happened, *step.notes]), step.state, line]
            )
        kept = [column for column in zip(*rows, strict=True) if any(column[1:])]
        aligned = [_aligned(column, right=column[0] in ("step", self.what, "line")) for column in kept]
        return "\n".join(["  ".join(cells).rstrip() for cells in zip(*aligned, strict=True)])

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`: a row for each step with word, instruction, file and line, and a column for each component
        that a step writes, such as `position.x`, NaN where another does. Raises ModuleNotFoundError."""
        from lanewise.core.frames import trace_frame

        return trace_frame(self.to_json(), f"{type(self).__name__}.to_pandas")

    def to_json(self) -> dict[str, object]:
        """Everything as plain values that `json.dumps` takes."""
        return {
            **self.subject_json(),
            "steps": [self.step_json(step) for step in self.steps],
            "outputs": [
                {"name": name, "place": place, **self._plain(value)}
                for name, place in self.results.items()
                if (value := self.last.get(place)) is not None
            ],
            **self.data,
        }

    def explain(self, component: str) -> Explanation:
        """Where a component came from: of an output (`position.x`), or any place (`r0.x`). Raises InputError for one that is
        not there."""
        wanted = component_of(component)
        place = self.results.get(wanted, wanted)
        if place not in self.last and wanted not in self.results:
            names = [*self.results, *sorted(self.last)]
            parts = [name for name in names if name.startswith(f"{wanted}.")]
            close = parts or near(wanted, names)
            fix = f"did you mean {' or '.join(close[:4])}?" if close else f"use one such as {(names or ['none'])[0]}"
            message = f"'{component}' is a whole register" if parts else f"nothing is known of '{component}'"
            raise InputError(
                [Diagnostic(code="B001", severity=ERROR, message=message, span=Span(file=self.program), notes=(), fix=fix)]
            )
        return Explanation(self, wanted, place)

    def shown(self, values: Sequence[Value]) -> str:
        """`0.5, 1 [3f000000 3f800000]`."""
        width = -(-self.width // 4)
        patterns = " ".join([f"{value.bits:0{width}x}" for value in values])
        return self._numbers(values) + (f" [{patterns}]" if values and self.format != "int" else "")

    def place(self, step: Step) -> str:
        """`word 4, light.sc:28: mul r0.x, c1.x, v0.x`."""
        where = f", {visible(step.span.file, '')}:{step.span.line}" if step.span and step.span.line else ""
        return f"{self.what} {step.address}{where}: {step.instruction}"

    def operand(self, operand: Operand, wanted: Sequence[str] | None = None) -> str:
        """`-bones[2].xy (c6, a0.x: +2 from c4) = 1, 2 [...]`, of all its components or the `wanted` places."""
        chosen = [
            (place, value)
            for place, value in zip(operand.places, operand.values, strict=True)
            if wanted is None or place in wanted
        ]
        unique = dict(chosen) if wanted is not None else None
        pairs = list(unique.items()) if unique is not None else chosen
        letters = "".join([place.rpartition(".")[2] for place, _ in pairs if "." in place])
        notes = [operand.register] if operand.name and operand.name != operand.register else []
        notes += [operand.note] if operand.note else []
        suffix = f".{letters}" if letters not in ("", _LETTERS) else ""
        noted = f" ({', '.join(notes)})" if notes else ""
        return (
            f"{operand.modifier}{operand.name or operand.register}{suffix}{noted} = {self.shown([value for _, value in pairs])}"
        )

    def write(self, write: Write, wanted: Sequence[str] | None = None) -> str:
        """`outpos.x (o0) = 1 [...]`, of all its components or the `wanted` places."""
        if wanted is not None and write.components:
            kept = [n for n, place in enumerate(write.places) if place in wanted]
            old = tuple([write.old[n] for n in kept]) if write.old else ()
            write = write._replace(
                components="".join([write.components[n] for n in kept]), new=tuple([write.new[n] for n in kept]), old=old
            )
        return f"{self._target(write)} = {self.shown(write.new)}"

    def _block(self, step: Step) -> list[str]:
        where = f", {visible(str(step.span), '')}" if step.span and step.span.line else ""
        lines = [f"step {step.number}, {self.what} {step.address}{where}", f"    {step.instruction}"]
        lines += [f"{_INDENT}read   {self.operand(operand)}" for operand in step.operands]
        for write in step.writes:
            lines.append(f"{_INDENT}wrote  {self.write(write)}" + (f", was {self._numbers(write.old)}" if write.old else ""))
        lines += [f"{_INDENT}flow   {asked.question} {asked.answer}" for asked in step.decisions]
        lines += [f"{_INDENT}note   {note}" for note in step.notes]
        return lines + ([f"{_INDENT}state  {step.state}"] if step.state else [])

    def _ending(self) -> list[str]:
        lines = [f"end after {len(self.steps)} steps"]
        registers: dict[str, list[Value]] = {}
        for name, place in self.results.items():
            value = self.last.get(place)
            if value is not None:
                registers.setdefault(name.rpartition(".")[0] or name, []).append(value)
        return lines + [f"{_INDENT}{name} = {self._numbers(values)}" for name, values in registers.items()]

    def _target(self, write: Write) -> str:
        suffix = f".{write.components}" if write.components not in ("", _LETTERS) else ""
        own = f" ({write.register})" if write.name and write.name != write.register else ""
        return f"{write.name or write.register}{suffix}{own}"

    def _numbers(self, values: Sequence[Value]) -> str:
        return ", ".join([f"{value.number:.7g}" if isinstance(value.number, float) else str(value.number) for value in values])

    def subject_json(self) -> dict[str, object]:
        """The subject of a trace, as plain values."""
        return {
            "isa": self.isa,
            "program": self.program,
            "subject": self.subject,
            "variant": self.variant,
            "format": self.format,
        }

    def step_json(self, step: Step) -> dict[str, object]:
        """A step as plain values."""
        return {
            "step": step.number,
            **_json_place(step),
            "operands": [
                {
                    "register": operand.register,
                    "name": operand.name or operand.register,
                    "places": list(operand.places),
                    "modifier": operand.modifier,
                    "note": operand.note,
                    **self._all(operand.values),
                }
                for operand in step.operands
            ],
            "writes": [
                {
                    "register": write.register,
                    "name": write.name or write.register,
                    "components": write.components,
                    "new": self._all(write.new),
                    "old": self._all(write.old) if write.old else None,
                }
                for write in step.writes
            ],
            "decisions": [
                {"question": asked.question, "answer": asked.answer, "places": list(asked.places)} for asked in step.decisions
            ],
            "notes": list(step.notes),
            "state": step.state,
            **step.data,
        }

    def _all(self, values: Sequence[Value]) -> dict[str, object]:
        return {"values": [plain_number(value.number) for value in values], "bits": [value.bits for value in values]}

    def _plain(self, value: Value) -> dict[str, object]:
        return {"value": plain_number(value.number), "bits": value.bits}


class Cause(Record):
    """A step, and those of the places it wrote that count."""

    step: Step
    places: tuple[str, ...]


class Explanation:
    """Where one value came from: the backward slice of a trace from the last write of a place.

    `causes` are the steps in the order of execution, `given` the places at the start that it depends on, `unset` those that
    were never set; `decisions` are the steps with questions of the flow up to the last cause.
    """

    trace: Trace
    component: str
    place: str
    causes: tuple[Cause, ...]
    given: tuple[str, ...]
    unset: tuple[str, ...]
    decisions: tuple[Step, ...]

    def __init__(self, trace: Trace, component: str, place: str) -> None:
        self.trace, self.component, self.place = trace, component, place
        wanted: dict[str, None] = {place: None}
        causes: list[Cause] = []
        for step in reversed(trace.steps):
            sources = {written: step.made.get(written, ()) for write in step.writes for written in write.places}
            hits = tuple([written for written in sources if written in wanted])
            for hit in hits:
                del wanted[hit]
            wanted.update({source: None for hit in hits for source in sources[hit]})
            if hits:
                causes.append(Cause(step, hits))
        last = causes[0].step.number if causes else len(trace.steps)
        self.causes = tuple(reversed(causes))
        self.given = tuple([left for left in trace.given if left in wanted])
        self.unset = tuple([left for left in wanted if left not in trace.given])
        self.decisions = tuple([step for step in trace.steps if step.decisions and step.number < last])

    def __repr__(self) -> str:
        count = len(self.causes)
        return f"<Explanation of {self.component}: {count} step{'s' if count != 1 else ''}>"

    def _repr_html_(self) -> str:
        return html.code(self.text(), html.MOST)

    def text(self) -> str:
        """The instructions in order with what they read and made, then what was given, then the decisions of the flow."""
        trace, value = self.trace, self.trace.last.get(self.place)
        own = f" ({self.place})" if self.place != self.component else ""
        shown = trace.shown([value]) if value is not None else "never set"
        lines = [f"{self.component}{own} = {shown}, {trace.subject}"]
        if not self.causes:
            lines.append("not written: the value at the start")
        for step, places in self.causes:
            sources = {source for place in places for source in step.made.get(place, ())}
            lines += ["", f"step {step.number}, {trace.place(step)}"]
            for operand in step.operands:
                if sources.intersection(operand.places):
                    lines.append(f"{_INDENT}from  {trace.operand(operand, [*sources])}")
            seen = {place for operand in step.operands for place in operand.places}
            lines += [f"{_INDENT}from  {source}" for source in sorted(sources - seen)]
            lines += [
                f"{_INDENT}made  {trace.write(write, places)}"
                for write in step.writes
                if set(places).intersection(write.places)
            ]
        if self.given:
            lines += ["", "given:", *(f"{_INDENT}{line}" for line in self._given())]
        if self.causes and self.unset:
            lines += ["", "never written:", *(f"{_INDENT}{place}" for place in self.unset)]
        if self.decisions:
            lines += ["", "conditions on the path:"]
        for step in self.decisions:
            asked = "; ".join([f"{asked.question} {asked.answer}" for asked in step.decisions])
            lines.append(f"{_INDENT}step {step.number}, {trace.place(step)}: {asked}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, object]:
        """The same as plain values that `json.dumps` takes."""
        trace, value = self.trace, self.trace.last.get(self.place)
        return {
            **trace.subject_json(),
            "component": self.component,
            "place": self.place,
            "value": None if value is None else plain_number(value.number),
            "bits": None if value is None else value.bits,
            "steps": [
                {**trace.step_json(step), "made": {place: list(step.made.get(place, ())) for place in places}}
                for step, places in self.causes
            ],
            "given": [
                {
                    "place": place,
                    "kind": given.kind,
                    "name": given.name or place,
                    "value": plain_number(given.value.number),
                    "bits": given.value.bits,
                }
                for place, given in ((place, trace.given[place]) for place in self.given)
            ],
            "never_written": list(self.unset),
            "decisions": [
                {
                    "step": step.number,
                    **_json_place(step),
                    "question": asked.question,
                    "answer": asked.answer,
                    "places": list(asked.places),
                }
                for step in self.decisions
                for asked in step.decisions
            ],
        }

    def _given(self) -> Iterator[str]:
        """A line for each register."""
        registers: dict[str, list[str]] = {}
        for place in self.given:
            registers.setdefault(place.rpartition(".")[0] or place, []).append(place)
        for register, places in registers.items():
            first = self.trace.given[places[0]]
            letters = "".join([place.rpartition(".")[2] for place in places if "." in place])
            suffix = f".{letters}" if letters not in ("", _LETTERS) else ""
            own = f" ({register})" if first.name and first.name != register else ""
            values = [self.trace.given[place].value for place in places]
            yield f"{first.kind} {first.name or register}{suffix}{own} = {self.trace.shown(values)}"


def shown(view: View, findings: Sequence[Diagnostic], trace: Traced, more: Mapping[str, str] | None = None) -> Answer:
    """A trace, or what made a component, in the format of a view; `findings` are those before it.

    `more` are texts in other formats. JSON has the findings in itself. Raises InputError, UsageError for a format that there is
    not.
    """
    style, output = view.style, view.output
    if style not in ("text", "table", "json", *(more or {})):
        asked = f"--trace-format {style}" if view.trace_format else f"-o {output}"
        lacking = ": a waveform needs cycles, which this instruction set does not have" if style == "vcd" else ""
        raise UsageError(f"{asked}{lacking}; use text, table or json")
    explanation = trace.explain(view.component) if view.component else None
    if style == "json":
        import json

        head = {"schema": schema_name("explain" if explanation is not None else "trace")}
        found = [to_json(finding) for finding in (*findings, *trace.diagnostics)]
        text = json.dumps({**head, **(explanation or trace).to_json(), "diagnostics": found}, allow_nan=False)
    elif explanation is not None:
        text = visible(explanation.text())
    elif style in (more or {}):
        text = (more or {})[style]
    else:
        text = visible(trace.table() if style == "table" else trace.text())  # names of files are in it
    failed = any(finding.severity == ERROR for finding in trace.diagnostics)
    files = ((output, f"{text}\n".encode()),)
    if style == "json" and output == STDIO:
        return Answer(files=files, failed=failed, result=trace)
    return Answer(first=tuple(findings), last=tuple(trace.diagnostics), files=files, failed=failed, result=trace)


def _aligned(cells: Sequence[str], *, right: bool) -> list[str]:
    width = max(map(len, cells))
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]


def _json_place(step: Step) -> dict[str, object]:
    span = step.span
    source = {"file": span.file, "line": span.line, "column": span.column, "text": span.text} if span and span.line else None
    return {"word": step.address, "instruction": step.instruction, "source": source}
