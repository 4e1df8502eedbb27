"""Commands of the debugger as lines of text: `Commands`, for scripts and for the command line of the screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.debugging import VARIABLES
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, visible
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import Span
from lanewise.debugger import elsewhere
from lanewise.debugger.breakpoints import FAULT_TITLES
from lanewise.debugger.forms import FORMS, NUMBER, shown
from lanewise.debugger.queries import KINDS
from lanewise.debugger.reading import Lost, NoValue
from lanewise.debugger.session import Session
from lanewise.debugger.variables import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.debugging import Group
    from lanewise.debugger.session import Stop

_MOST_LISTED = 100  # primitives
_AROUND = 4  # lines of a source, or words, before and after
_POINT = re.compile(
    r"(?P<place>\S+)(?:\s+if\s+(?P<condition>.+?))?(?:\s+hit\s+(?P<hits>[<>=%]*\s*\d+))?(?:\s+log\s+(?P<log>.+))?\s*$"
)
_DATA = re.compile(
    r"(?P<name>.+?)(?:\s+if\s+(?P<condition>.+?))?(?:\s+hit\s+(?P<hits>[<>=%]*\s*\d+))?(?P<changed>\s+changed)?\s*$", re.DOTALL
)


class Command(NamedTuple):
    """A command: its names, the first is the one that is listed; what it takes; a line of help."""

    names: tuple[str, ...]
    takes: str
    about: str
    run: Callable[[Commands, str], list[str]]


class Done(NamedTuple):
    """The answer of a command: lines; the stop, if it moved; the error, if it failed."""

    command: str
    lines: tuple[str, ...]
    stop: Stop | None = None
    error: Diagnostic | None = None


class Commands:
    """The commands of a session. `quitting` is set by `quit`."""

    form: str
    quitting: bool

    def __init__(self, session: Session) -> None:
        self.session = session
        self.form = NUMBER
        self.quitting = False
        self._stop: Stop | None = None

    def do(self, line: str) -> Done:
        """Do a line; comments begin with #. An empty line does nothing."""
        text = line.partition("#")[0].strip() if not line.strip().startswith("print") else line.strip()
        if not text:
            return Done("", ())
        name, _, rest = text.partition(" ")
        self._stop = None
        try:
            command = BY_NAME.get(name)
            if command is None:
                raise _wrong(f"unknown command '{name}'", elsewhere.meant(name, rest.strip(), BY_NAME))
            if name == "b" and rest.strip() and not rest.strip().isdecimal():
                raise _wrong(
                    f"b is back, by a number of steps, not '{rest.strip()}'", f"write break {rest.strip().replace('*', '@')}"
                )
            if command.takes and not command.takes.startswith("[") and not rest.strip():
                raise _wrong(f"{name} takes {command.takes}", f"write {name} {command.takes}")
            if not command.takes and rest.strip():
                raise _wrong(f"{name} takes nothing", f"write {name}")
            lines = command.run(self, rest.strip())
        except (InputFailure, UsageError) as error:
            message, _, fix = str(error).partition(": ")
            first = _wrong(message, fix or "help lists the commands").diagnostics[0]
            return Done(text, (f"error[{first.code}]: {first.message}; {first.fix}",), None, first)
        except InputError as error:
            first = error.diagnostics[0]
            fix = f"; {first.fix}" if first.fix else ""
            return Done(text, (f"error[{first.code}]: {first.message}{fix}", *_pointed(first)), None, first)
        logged, self.session.output[:] = [f"log: {message}" for message in self.session.output], []
        return Done(text, (*logged, *lines), self._stop)

    @property
    def thread(self) -> int:
        return self.session.selected

    # Moves

    def move(self, moved: Callable[[int], Stop], text: str = "") -> list[str]:
        """A move, so many times: stops early where something is hit."""
        count = self._number(text) if text else 1
        stop = moved(self.thread)
        for _ in range(count - 1):
            if stop.reason != "step" or stop.hits:
                break
            stop = moved(self.thread)
        return self.arrived(stop)

    def arrived(self, stop: Stop) -> list[str]:
        """Where a move has ended."""
        self._stop = stop
        session = self.session
        lines = [self.place()]
        if stop.hits or stop.reason not in ("step", "goto", "entry", "end"):
            lines.append(f"  {stop.text}")
        lines += [f"  {line}" for line in self.changes()]
        step = session.last_step(self.thread)
        if step is not None and stop.reason != "start":
            lines += [f"  {note}" for note in step.notes]
        lines += [f"  {text} = {self._evaluated(text)}" for text in session.watches]
        return lines

    def place(self) -> str:
        """`step 3, word 4, light.v.pica:28: mul r0.x, c1.x, v0.x`."""
        at = self.session.at(self.thread)
        where = f", {visible(at.span.file, '')}:{at.span.line}" if at.span is not None else ""
        if at.ended:
            how = "stopped" if at.fault is not None else "end"
            return f"step {at.step}: {how}"
        return f"step {at.step}, {self.session.debuggee.what} {at.address}{where}: {at.instruction}"

    def changes(self) -> list[str]:
        """The values that the last step has written."""
        formats = {
            place: register.format
            for group in self.session.scopes(self.thread)[:1]
            for register in group.registers
            for place in register.places
        }
        lines: list[str] = []
        for each in self.session.changes(self.thread):
            kind = formats.get(each.place, self.session.debuggee.format)
            before = f", was {shown(each.old, kind, self.form)}" if each.old is not None else ""
            lines.append(f"{each.place} = {shown(each.new, kind, self.form)}{before}")
        return lines

    def to(self, place: str) -> list[str]:
        return self.arrived(self.session.run_to(self.thread, place))

    def to_back(self, place: str) -> list[str]:
        return self.arrived(self.session.run_to(self.thread, place, back=True))

    def until(self, text: str, *, back: bool = False) -> list[str]:
        if text.lstrip("@").isdecimal():
            raise _wrong(f"until takes a query, not the place {text}", f"write to{'-back' if back else ''} {text}")
        start = self.session.stop(self.thread).step
        stop = self.session.until(self.thread, text, back=back)
        if stop.step != start:
            return self.arrived(stop)
        self._stop = stop
        return [self.place(), f"  {stop.text}"]

    def until_back(self, text: str) -> list[str]:
        return self.until(text, back=True)

    def goto(self, text: str) -> list[str]:
        return self.arrived(self.session.goto(self.thread, self._number(text)))

    def primitives(self, text: str) -> list[str]:
        """Run to the instruction that sends a primitive; without a number list the primitives that the run sends."""
        session, thread = self.session, self.thread
        if text:
            return self.arrived(session.to_primitive(thread, self._number(text)))
        there = session.primitives(thread)
        lines: list[str] = []
        for number, at in enumerate(there[:_MOST_LISTED]):
            step = session.recording(thread).step(at)
            where = f", {step.span.file}:{step.span.line}" if step.span is not None else ""
            lines.append(f"primitive {number}: step {at}, {session.debuggee.what} {step.address}{where}")
        if len(there) > _MOST_LISTED:
            lines.append(f"and {len(there) - _MOST_LISTED} more")
        return lines or [f"{session.debuggee.title(thread)} sends no primitives"]

    def again(self, text: str) -> list[str]:
        return self.arrived(self.session.again())

    # Breakpoints

    def break_at(self, text: str) -> list[str]:
        match = _POINT.match(text)
        if match is None:
            raise _wrong(f"'{text}' is not a breakpoint", "write break PLACE, and if CONDITION, hit N, log MESSAGE after it")
        breakpoint = self.session.break_at(match["place"], match["condition"] or "", match["hits"] or "", match["log"] or "")
        return [breakpoint.text]

    def break_on(self, text: str) -> list[str]:
        match = _DATA.match(text)
        if match is None:
            raise _wrong(f"'{text}' is not a component", "write data NAME, and if CONDITION, hit N after it")
        return [
            self.session.break_on(
                match["name"], match["condition"] or "", match["hits"] or "", changed=bool(match["changed"])
            ).text
        ]

    def stop_where(self, text: str) -> list[str]:
        return [self.session.stop_where(text).text]

    def delete(self, text: str) -> list[str]:
        self.session.remove(self._number(text))
        return []

    def enable(self, text: str, *, enabled: bool = True) -> list[str]:
        number = self._number(text)
        point = self.session.breakpoints.get(number)
        if point is None:
            raise _wrong(f"breakpoint {number} does not exist", "breakpoints lists what there is")
        point.enabled = enabled
        return [point.text]

    def disable(self, text: str) -> list[str]:
        return self.enable(text, enabled=False)

    def breakpoints(self, text: str) -> list[str]:
        listed = [point.text for point in self.session.breakpoints.values()] or ["no breakpoints"]
        return [*listed, f"faults: {', '.join(sorted(self.session.faults)) or 'none'}"]

    def faults(self, text: str) -> list[str]:
        if text:
            self.session.stop_on([] if text == "none" else text.replace(",", " ").split())
            return [f"faults: {', '.join(sorted(self.session.faults)) or 'none'}"]
        return [f"{'*' if kind in self.session.faults else ' '} {kind}: {title}" for kind, title in FAULT_TITLES.items()]

    # Threads

    def threads(self, text: str) -> list[str]:
        lines: list[str] = []
        for number, name in self.session.threads:
            at = self.session.at(number)
            mark = "*" if number == self.thread else " "
            where = "stopped" if at.fault is not None else "end" if at.ended else at.instruction
            lines.append(f"{mark} {name}: step {at.step}, {where}")
        return lines

    def choose(self, text: str) -> list[str]:
        number = self._number(text)
        self.session.add_thread(number)
        self.session.selected = number
        return [f"{self.session.debuggee.title(number)}: {self.place()}"]

    # Values

    def print_value(self, text: str) -> list[str]:
        expression, form = self._formed(text)
        return [f"{expression} = {self._evaluated(expression, form)}"]

    def _formed(self, text: str) -> tuple[str, str]:
        """An expression and its form, which may be its last word."""
        before, _, last = text.rpartition(" ")
        return (before.strip(), last) if before and last in FORMS else (text, self.form)

    def _evaluated(self, text: str, form: str | None = None) -> str:
        session = self.session
        try:
            result = session.evaluate(self.thread, text)
        except NoValue:
            return "no value yet"
        except Lost as error:
            return error.text
        except InputError as error:
            if form is not None:
                raise
            return error.diagnostics[0].message
        if not result.places:
            return session.shown(result)
        kinds = {
            place: register.format
            for group in session.scopes(self.thread)
            for register in group.registers
            for place in register.places
        }
        return ", ".join(
            [shown(value, kinds.get(place, session.debuggee.format), form or self.form) for place, value in result.places]
        )

    def watch(self, text: str) -> list[str]:
        self._evaluated(text, self.form)  # an unknown name is an error here
        self.session.watches.append(text)
        return [f"{text} = {self._evaluated(text)}", f"shown after each move; data {text} stops where it is written"]

    def unwatch(self, text: str) -> list[str]:
        if text not in self.session.watches:
            raise _wrong(f"'{text}' is not watched", f"watched are {', '.join(self.session.watches) or 'no expressions'}")
        self.session.watches.remove(text)
        return []

    def registers(self, text: str) -> list[str]:
        groups = self.session.scopes(self.thread)
        names = [group.name for group in groups]
        wanted = [group for group in groups if not text or group.name.startswith(text)]
        if not wanted and VARIABLES.startswith(text):
            return ["no variables of a source are here"]
        if not wanted:
            raise _wrong(f"unknown group '{text}'", f"use {', '.join(names)}")
        return [line for group in wanted for line in self.group(group)]

    def group(self, group: Group) -> list[str]:
        """The registers of a group, a line for each."""
        lines = [f"{group.name}:"] if group.registers else []
        for register in group.registers:
            values = texts(register, lambda value, register=register: shown(value, register.format, self.form))
            own = f" ({register.name})" if register.label != register.name else ""
            lines.append(f"  {register.label}{own} = {values}")
        return lines

    def set_form(self, text: str) -> list[str]:
        if text not in FORMS:
            raise _wrong(f"unknown form '{text}'", f"use {', '.join(FORMS)}")
        self.form = text
        return []

    def set_value(self, text: str) -> list[str]:
        name, _, value = text.replace("=", " ", 1).partition(" ")
        if not value.strip():
            raise _wrong("set takes NAME = VALUE", "write set position.x = 0.5")
        self.session.set(name, value.strip())
        return ["again runs with it"]

    def explain(self, text: str) -> list[str]:
        return self.session.explain(self.thread, text).text().split("\n")

    def causes(self, text: str) -> list[str]:
        return self.session.causes(self.thread, text).text().split("\n")

    # Where

    def where(self, text: str) -> list[str]:
        at = self.session.at(self.thread)
        lines = [self.place()]
        for frame in at.frames:
            span = frame.span or self.session.span(frame.address)
            place = f", {span.file}:{span.line}" if span is not None else ""
            lines.append(f"  in {frame.name}, {self.session.debuggee.what} {frame.address}{place}")
        for loop in at.loops:
            count = f" of {loop.total}" if loop.total >= 0 else ""
            lines.append(f"  loop {loop.name}: iteration {loop.iteration}{count}")
        return lines

    def show_source(self, text: str) -> list[str]:
        """The source around the next instruction."""
        span = self.session.at(self.thread).span
        if span is None:
            return self.words(text)
        points = self.session.lines_with_breakpoints(span.file)
        lines = self.session.launch.lines(span.file)
        first = max(1, span.line - _AROUND)
        shown_lines = lines[first - 1 : span.line + _AROUND]
        return [
            f"{'>' if number == span.line else '*' if number in points else ' '} {number:4}  {line}".rstrip()
            for number, line in enumerate(shown_lines, first)
        ]

    def words(self, text: str) -> list[str]:
        """The instructions around the next one, with their machine words."""
        at = self.session.at(self.thread)
        chosen = [row for row in self.session.disassembly() if row.text]
        near_it = [n for n, row in enumerate(chosen) if row.address >= at.address][:1] or [len(chosen)]
        first = max(0, near_it[0] - _AROUND)
        return [
            f"{'>' if row.address == at.address and not at.ended else ' '} {row.address:5}  {row.word:08x}  {row.text}"
            for row in chosen[first : near_it[0] + _AROUND + 1]
        ]

    def help(self, text: str) -> list[str]:
        rows = [(" ".join(filter(None, [", ".join(command.names), command.takes])), command.about) for command in COMMANDS]
        width = max(len(row[0]) for row in rows)
        return [f"{names:{width}}  {about}" for names, about in rows]

    def quit(self, text: str) -> list[str]:
        self.quitting = True
        return []

    def _number(self, text: str) -> int:
        if not text.strip().isdecimal():
            other = elsewhere.pair("thread", text.strip())
            if other:
                raise _wrong(f"'{text}' is not a number", f"write {other}")
            raise _wrong(f"'{text}' is not a number", "give a number, counted from 0")
        return int(text)


def _pointed(diagnostic: Diagnostic) -> Sequence[str]:
    """The place of an error in an expression."""
    span = diagnostic.span
    return (f"  {span.text}", f"  {' ' * (span.column - 1)}{'^' * span.length}") if span.text and span.column else ()


def _wrong(message: str, fix: str) -> InputError:
    return InputError([Diagnostic(code="D003", severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix)])


def _move(moved: Callable[[Session, int], Stop]) -> Callable[[Commands, str], list[str]]:
    def run(commands: Commands, text: str) -> list[str]:
        return commands.move(lambda thread: moved(commands.session, thread), text)

    return run


QUERIES = ", ".join([*[f"{name} {kind.takes}" for name, kind in KINDS.items()], "or an expression"])
COMMANDS: tuple[Command, ...] = (
    Command(("step", "s"), "[N]", "one instruction, or N", _move(Session.step)),
    Command(("back", "b"), "[N]", "one instruction back, or N", _move(Session.back)),
    Command(("over", "n"), "[N]", "one instruction, a call with all that it does", _move(Session.step_over)),
    Command(("over-back", "nb"), "[N]", "the same back", _move(Session.over_back)),
    Command(("out",), "", "until the routine returns", _move(Session.step_out)),
    Command(("out-back",), "", "back to the call of the routine", _move(Session.out_back)),
    Command(("line",), "[N]", "until another line of the source", _move(Session.step_line)),
    Command(
        ("line-back",),
        "[N]",
        "back to the start of the line, or of the line before",
        _move(Session.line_back),
    ),
    Command(("continue", "c"), "", "until a breakpoint, a fault or the end", _move(Session.go_on)),
    Command(("reverse", "r"), "", "back until a breakpoint, a fault or the start", _move(Session.go_back)),
    Command(("to",), "PLACE", "until a line (12, FILE:12), a word (@4) or a label", Commands.to),
    Command(("to-back",), "PLACE", "the same back", Commands.to_back),
    Command(("until", "u"), "QUERY", f"to the next step where something holds: {QUERIES}", Commands.until),
    Command(("until-back", "ub"), "QUERY", "the same back", Commands.until_back),
    Command(("goto", "g"), "STEP", "to a step by its number", Commands.goto),
    Command(("primitives",), "[N]", "what a geometry shader sends, or to the step that sends primitive N", Commands.primitives),
    Command(
        ("break",),
        "PLACE [if CONDITION] [hit N] [log MESSAGE]",
        "stop there, or put out a message with {expressions}",
        Commands.break_at,
    ),
    Command(
        ("data",),
        "NAME [if CONDITION] [hit N] [changed]",
        "stop where a component is written: who wrote this",
        Commands.break_on,
    ),
    Command(("stop",), "QUERY", "stop where something holds, as of until", Commands.stop_where),
    Command(("faults",), "[KINDS|none]", "what to stop at besides breakpoints", Commands.faults),
    Command(("breakpoints",), "", "list what there is to stop at", Commands.breakpoints),
    Command(("delete",), "N", "remove a breakpoint", Commands.delete),
    Command(("enable",), "N", "turn a breakpoint on", Commands.enable),
    Command(("disable",), "N", "turn a breakpoint off", Commands.disable),
    Command(("print", "p"), "EXPRESSION [FORM]", f"a value; forms are {', '.join(FORMS)}", Commands.print_value),
    Command(("watch",), "EXPRESSION", "show a value after each move", Commands.watch),
    Command(("unwatch",), "EXPRESSION", "no longer", Commands.unwatch),
    Command(("registers",), "[GROUP]", "all registers, or those of a group", Commands.registers),
    Command(("form",), "FORM", "how values are shown", Commands.set_form),
    Command(("explain",), "NAME", "which steps made a component", Commands.explain),
    Command(("causes", "why"), "NAME", "the same as a tree: expressions of the source, calls and loops", Commands.causes),
    Command(("set",), "NAME = VALUE", "give an input or uniform another value, for again", Commands.set_value),
    Command(("again",), "", "run again with these values, to the same step", Commands.again),
    Command(("where",), "", "routines and loops", Commands.where),
    Command(("list", "l"), "", "the source around the next instruction", Commands.show_source),
    Command(("words", "w"), "", "the machine words around it", Commands.words),
    Command(("threads",), "", "list the threads", Commands.threads),
    Command(("thread",), "N", "go to a thread, also to one that was not chosen", Commands.choose),
    Command(("help", "?"), "", "list the commands", Commands.help),
    Command(("quit", "q"), "", "end", Commands.quit),
)
BY_NAME: Mapping[str, Command] = {name: command for command in COMMANDS for name in command.names}
