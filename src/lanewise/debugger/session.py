"""`Session`: threads of one run, the cursor in each, and the ways to move it forwards and backwards.

A position n of a thread is in front of its step n. Stops are in front of the instruction that they are about, apart from a data breakpoint on the way
forwards, which is behind the write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.debugging import SENT, Frame, Group, Loop
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.debugger.breakpoints import (
    EVENT_OF,
    FAULT_TITLES,
    FAULTS,
    HANG,
    HAZARD,
    Breakpoint,
    DataBreakpoint,
    HitCounts,
    HitRule,
    faults_of,
    stops_on,
    written,
)
from lanewise.debugger.explaining import Explanation, explain
from lanewise.debugger.expressions import COMPONENTS, Expression, NoValue, Reader, Result
from lanewise.debugger.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.debugging import Debuggee
    from lanewise.core.trace import Step
    from lanewise.debugger.breakpoints import Written
    from lanewise.debugger.launching import Launch

STEP, BREAKPOINT, DATA, FAULT, END, START, GOTO, PAUSE, ENTRY = (
    "step",
    "breakpoint",
    "data",
    "fault",
    "end",
    "start",
    "goto",
    "pause",
    "entry",
)
MOST_THREADS = 64
_PIECE = 512  # steps between two looks at whether to pause
_ROUTINE, _LINE = "routine", "line"


class Hit(NamedTuple):
    """What a stop is about: the number of a breakpoint, or the kind of a fault; a sentence."""

    what: int | str
    text: str


class Stop(NamedTuple):
    """Where a move has ended and why. `reason` is step, breakpoint, data, fault, end, start, goto, pause or entry; `hits` all that is true there."""

    reason: str
    thread: int
    step: int
    hits: tuple[Hit, ...] = ()

    @property
    def text(self) -> str:
        """The reason in a sentence."""
        return "; ".join([hit.text for hit in self.hits]) or _REASONS[self.reason]


_REASONS = {
    STEP: "stepped",
    END: "the thread has ended",
    START: "at the first instruction",
    GOTO: "moved",
    PAUSE: "paused",
    ENTRY: "at the first instruction",
    BREAKPOINT: "breakpoint",
    DATA: "data breakpoint",
    FAULT: "fault",
}


class Position(NamedTuple):
    """Where a thread is: its step, the address and place of the next instruction, routines and loops, and how it came there.

    `ended`: no instruction is next. `fault` is why, if it did not come to an end.
    """

    thread: int
    step: int
    address: int
    span: Span | None
    instruction: str
    frames: tuple[Frame, ...]
    loops: tuple[Loop, ...]
    ended: bool
    fault: Diagnostic | None
    stop: Stop


class Thread(NamedTuple):
    """A thread of a session."""

    number: int
    name: str


class Session:
    """A run under a debugger. All moves return a `Stop` and raise InputError for what cannot be done."""

    def __init__(self, launch: Launch) -> None:
        """Raises UsageError, InputError."""
        self.launch = launch
        self.debuggee: Debuggee = launch.debuggee
        self.source_map: Sequence[Span | None] = launch.source_map
        self.breakpoints: dict[int, Breakpoint | DataBreakpoint] = {}
        self.faults: set[str] = {HANG}
        self.watches: list[str] = []
        self.output: list[str] = []  # messages of log points, for the front end to take
        self.changed: dict[str, float] = {}  # uniforms with other values
        self.changed_inputs: dict[int, dict[str, float]] = {}
        self._recordings: dict[int, Recording] = {}
        self._stops: dict[int, Stop] = {}
        self._counts: dict[tuple[int, int], HitCounts] = {}
        self._next = 1
        self._paused = False
        self.interrupted: Callable[[], bool] | None = None  # asked now and then during a move, which pauses where it says so
        self._findings: dict[int, list[Diagnostic]] | None = None
        self.selected = launch.threads[0] if launch.threads else 0
        self._threads = list(launch.threads)
        for thread in self._threads:
            self._stops[thread] = Stop(ENTRY, thread, 0)

    # Threads and where they are

    @property
    def threads(self) -> tuple[Thread, ...]:
        return tuple([Thread(number, self.debuggee.title(number)) for number in self._threads])

    def add_thread(self, number: int) -> None:
        """Take a thread that was not chosen at launch. Raises InputError."""
        if number in self._threads:
            return
        if len(self._threads) >= MOST_THREADS:
            raise _wrong("D002", f"{MOST_THREADS} threads are there already", "debug fewer in a new session")
        self._recordings[number] = Recording(self.debuggee.machine(number, self._changes(number)))
        self._threads.append(number)
        self._stops[number] = Stop(ENTRY, number, 0)

    def recording(self, thread: int) -> Recording:
        """The steps of a thread. Raises InputError."""
        found = self._recordings.get(thread)
        if found is None:
            if thread not in self._threads:
                there = ", ".join(map(str, self._threads[:8])) or "none"
                raise _wrong("D002", f"{self.debuggee.title(thread)} is not debugged", f"add it, or use one of {there}")
            found = self._recordings[thread] = Recording(self.debuggee.machine(thread, self._changes(thread)))
        return found

    def at(self, thread: int) -> Position:
        """Where a thread is."""
        recording, stop = self.recording(thread), self.stop(thread)
        machine = recording.at(stop.step)
        ended = recording.ended and stop.step >= len(recording)
        address = machine.address
        return Position(
            thread, stop.step, address, self.span(address), "" if ended and recording.fault is None else self.debuggee.instruction(address),
            tuple(machine.frames()), tuple(machine.loops()), ended, recording.fault if ended else None, stop,
        )  # fmt: skip

    def stop(self, thread: int) -> Stop:
        """How a thread came to where it is."""
        self.recording(thread)
        return self._stops[thread]

    def span(self, address: int) -> Span | None:
        """The place of a word in the source."""
        span = self.source_map[address] if 0 <= address < len(self.source_map) else None
        return span if span is not None and span.line else None

    def last_step(self, thread: int) -> Step | None:
        """The step that has led to where a thread is; None at its start."""
        position = self.stop(thread).step
        return self.recording(thread).step(position - 1) if position else None

    def next_step(self, thread: int) -> Step | None:
        """The step in front of which a thread is; None at its end."""
        position, recording = self.stop(thread).step, self.recording(thread)
        return recording.step(position) if recording.extend(position + 1) else None

    def pause(self) -> None:
        """End a move that another thread of the host is waiting for."""
        self._paused = True

    def _is_interrupted(self) -> bool:
        return self._paused or (self.interrupted is not None and self.interrupted())

    # Moves

    def step(self, thread: int) -> Stop:
        """One instruction."""
        return self._moved(thread, self.stop(thread).step + 1, STEP)

    def back(self, thread: int) -> Stop:
        """One instruction back."""
        return self._moved(thread, self.stop(thread).step - 1, STEP)

    def step_over(self, thread: int) -> Stop:
        """One instruction; a call with all that it does. Stops at breakpoints in it."""
        recording, position = self.recording(thread), self.stop(thread).step
        depth = self._depth(recording, position)
        return self._forward(thread, lambda n: self._depth(recording, n) <= depth)

    def step_out(self, thread: int) -> Stop:
        """Until the routine returns. Stops at breakpoints on the way."""
        recording, position = self.recording(thread), self.stop(thread).step
        depth = self._depth(recording, position)
        return self._forward(thread, lambda n: self._depth(recording, n) < depth)

    def step_line(self, thread: int, *, over: bool = True) -> Stop:
        """Until another line of the source; `over` with calls."""
        recording, position = self.recording(thread), self.stop(thread).step
        depth, line = self._depth(recording, position), self._line(recording, position)

        def reached(n: int) -> bool:
            return (not over or self._depth(recording, n) <= depth) and (
                self._line(recording, n) != line or self._depth(recording, n) != depth
            )

        return self._forward(thread, reached)

    def over_back(self, thread: int) -> Stop:
        """One instruction back; a call with all that it did."""
        recording, position = self.recording(thread), self.stop(thread).step
        depth = self._depth(recording, position)
        return self._backward(thread, lambda n: self._depth(recording, n) <= depth)

    def out_back(self, thread: int) -> Stop:
        """Back to the call of the routine."""
        recording, position = self.recording(thread), self.stop(thread).step
        depth = self._depth(recording, position)
        return self._backward(thread, lambda n: self._depth(recording, n) < depth)

    def line_back(self, thread: int, *, over: bool = True) -> Stop:
        """Back to the first instruction of the line, or of the line before."""
        recording = self.recording(thread)
        depth = self._depth(recording, self.stop(thread).step)

        def reached(n: int) -> bool:
            if over and self._depth(recording, n) > depth:
                return False
            return self._line(recording, n - 1) != self._line(recording, n) or self._depth(recording, n - 1) != self._depth(
                recording, n
            )

        return self._backward(thread, reached)

    def go_on(self, thread: int) -> Stop:
        """Until a breakpoint, a fault or the end."""
        return self._forward(thread, None)

    def go_back(self, thread: int) -> Stop:
        """Back until a breakpoint, a fault or the start."""
        return self._backward(thread, None)

    def run_to(self, thread: int, where: str | int | frozenset[int], *, back: bool = False) -> Stop:
        """Until a line (`12`, `light.v.pica:12`) or a word (`@4`, or a number of it, or several), in either direction. Stops at breakpoints on the way."""
        addresses = (
            self.addresses(where) if isinstance(where, str) else where if isinstance(where, frozenset) else frozenset([where])
        )
        recording = self.recording(thread)

        def reached(n: int) -> bool:
            return recording.extend(n + 1) and recording.addresses[n] in addresses

        return (self._backward if back else self._forward)(thread, reached, GOTO)

    def goto(self, thread: int, step: int) -> Stop:
        """To a step by its number."""
        return self._moved(thread, step, GOTO)

    def primitives(self, thread: int) -> list[int]:
        """The steps that send a primitive, in a run of a geometry shader; of the steps so far if something interrupts."""
        self._paused = False
        recording = self.recording(thread)
        while recording.extend(len(recording) + _PIECE) and not self._is_interrupted():
            pass
        return [step for step, events in enumerate(recording.events) if events & SENT]

    def to_primitive(self, thread: int, number: int) -> Stop:
        """In front of the instruction that sends a primitive, by its number. Raises InputError."""
        there = self.primitives(thread)
        if not 0 <= number < len(there):
            fix = f"use 0 to {len(there) - 1}" if there else "only geometry shaders send primitives"
            raise _wrong("D002", f"{self.debuggee.title(thread)} does not send primitive {number}", fix)
        return self._moved(thread, there[number], GOTO)

    def _moved(self, thread: int, wanted: int, reason: str) -> Stop:
        recording = self.recording(thread)
        if wanted < 0:
            return self._arrived(thread, 0, START)
        if recording.extend(wanted + 1):
            self._logged(thread, wanted)
            return self._arrived(thread, wanted, reason, self._hits(thread, wanted))
        hits = self._ending(recording) if wanted >= len(recording) else ()
        return self._arrived(
            thread,
            min(wanted, len(recording)),
            (FAULT if hits and HANG in self.faults else END) if wanted >= len(recording) else reason,
            hits,
        )

    def arrive(self, stop: Stop) -> None:
        """Put a thread where a stop is, which is about something else than a move."""
        self._stops[stop.thread] = stop
        self.selected = stop.thread

    def _arrived(self, thread: int, step: int, reason: str, hits: Sequence[Hit] = ()) -> Stop:
        stop = Stop(reason, thread, step, tuple(hits))
        self.arrive(stop)
        return stop

    def _ending(self, recording: Recording) -> tuple[Hit, ...]:
        fault = recording.fault
        return (Hit(HANG, f"{fault.code}: {fault.message}"),) if fault is not None else ()

    def _depth(self, recording: Recording, position: int) -> int:
        if recording.extend(position + 1):
            return recording.depths[position]
        return 0

    def _line(self, recording: Recording, position: int) -> tuple[str, int]:
        span = self.span(recording.addresses[position]) if recording.extend(position + 1) else None
        return (span.file, span.line) if span is not None else ("", -1 - position)

    def _forward(self, thread: int, reached: Callable[[int], bool] | None, reason: str = STEP) -> Stop:
        """Forwards until `reached`, or something to stop at."""
        self._paused = False
        recording = self.recording(thread)
        start = position = self.stop(thread).step
        if reached is None and self.stop(thread).reason == ENTRY:
            start = -1  # nothing has looked at the first instruction yet
        find = _Finder(self, thread)
        while True:
            if position % _PIECE == 0 and position != start:
                recording.extend(position + _PIECE)
                if self._is_interrupted():
                    return self._arrived(thread, position, PAUSE)
            there = recording.extend(position + 1)
            if position > start:
                hits = find.at(position) if there else ()
                if there:
                    self._logged(thread, position)
                if hits:
                    return self._arrived(
                        thread, position, BREAKPOINT if any(isinstance(hit.what, int) for hit in hits) else FAULT, hits
                    )
                if reached is not None and there and reached(position):
                    return self._arrived(thread, position, reason)
            if not there:
                hits = self._ending(recording)
                return self._arrived(thread, len(recording), FAULT if hits and HANG in self.faults else END, hits)
            hits = find.writes(position)
            position += 1
            if hits:
                more: Sequence[Hit] = find.at(position) if recording.extend(position + 1) else ()
                return self._arrived(thread, position, DATA, [*hits, *more])

    def _backward(self, thread: int, reached: Callable[[int], bool] | None, reason: str = STEP) -> Stop:
        """Backwards until `reached`, or something to stop at."""
        self._paused = False
        recording = self.recording(thread)
        find = _Finder(self, thread)
        for position in range(self.stop(thread).step - 1, -1, -1):
            if position % _PIECE == 0 and self._is_interrupted():
                return self._arrived(thread, position, PAUSE)
            data, hits = find.writes(position), find.at(position)
            if data or hits:
                kind = DATA if data else BREAKPOINT if any(isinstance(hit.what, int) for hit in hits) else FAULT
                return self._arrived(thread, position, kind, [*data, *hits])
            if reached is not None and reached(position):
                return self._arrived(thread, position, reason)
        recording.at(0)
        return self._arrived(thread, 0, START)

    # Breakpoints

    def addresses(self, where: str) -> frozenset[int]:
        """The words of a place: `@4` or `@0x4` is a word, `12` or `FILE:12` a line. Raises InputError."""
        text = where.strip()
        if text.startswith("@"):
            try:
                address = int(text[1:], 0)
            except ValueError:
                raise _wrong("D002", f"'{where}' is not a word", "use @ and a number, such as @4") from None
            if not 0 <= address < len(self.source_map):
                raise _wrong("D002", f"word {address} does not exist", f"the program has words 0 to {len(self.source_map) - 1}")
            return frozenset([address])
        file, _, number = text.rpartition(":")
        if not number.isdecimal():
            raise _wrong("D002", f"'{where}' is not a place", "use a line (12 or FILE:12) or a word (@4)")
        line = self.line_of(int(number), file)
        return frozenset(line.addresses)

    def line_of(self, line: int, file: str = "") -> CodeLine:
        """The words of a line, or of the next one below it that has words. Raises InputError where there is none."""
        lines: dict[int, list[int]] = {}
        name = ""
        for address in range(len(self.source_map)):
            span = self.span(address)
            if span is not None and _same_file(span.file, file or self._main_file()):
                lines.setdefault(span.line, []).append(address)
                name = span.file
        following = [number for number in sorted(lines) if number >= line]
        if not following:
            files = sorted({span.file for span in self.source_map if span is not None and span.line})
            close = near(file, files)
            fix = (
                f"did you mean {close[0]}?"
                if close and file and not lines
                else "use a line with an instruction"
                if lines
                else "use a word, such as @0"
            )
            raise _wrong("D002", f"no instruction at {file + ':' if file else 'line '}{line}", fix)
        return CodeLine(name, following[0], tuple(lines[following[0]]))

    def lines_with_breakpoints(self, file: str) -> frozenset[int]:
        """The lines of a file that have a breakpoint."""
        return frozenset(
            [each.line for each in self.breakpoints.values() if isinstance(each, Breakpoint) and each.file == file]
        )

    def disassembly(self) -> Sequence[Row]:
        """Each machine word with the text of its instruction, which is empty for the further words of one."""
        return [
            Row(address, word, self.debuggee.instruction(address), self.span(address))
            for address, word in enumerate(self.launch.words)
        ]

    def _main_file(self) -> str:
        """The file of the thread that is selected."""
        span = self.at(self.selected).span if self._threads else None
        return (
            span.file
            if span is not None
            else next((each.file for each in self.source_map if each is not None and each.line), "")
        )

    def break_at(self, where: str, condition: str = "", hits: int | str = "", log: str = "") -> Breakpoint:
        """Add a breakpoint at a place as `addresses` has it. `hits` is a number, or a rule as of `HitRule`. Raises InputError."""
        addresses = self.addresses(where)
        first = self.span(min(addresses))
        place = (
            f"{first.file}:{first.line}"
            if first is not None and not where.strip().startswith("@")
            else f"{self.debuggee.what} {min(addresses)}"
        )
        at = (first.line, first.file) if first is not None else (0, "")
        rule = (HitRule(hits) if hits.strip() else 0) if isinstance(hits, str) else hits
        made = Breakpoint(self._next, place, addresses, condition, rule, log, line=at[0], file=at[1])
        self._add(made)
        return made

    def break_words(self, addresses: Iterable[int], condition: str = "", hits: str = "", log: str = "") -> Breakpoint:
        """Add a breakpoint at some words. `hits` is a number, or a rule as of `HitRule`. Raises InputError."""
        words = frozenset(addresses)
        first = self.span(min(words))
        at = (first.line, first.file) if first is not None else (0, "")
        place = f"{at[1]}:{at[0]}" if first is not None else f"{self.debuggee.what} {min(words)}"
        made = Breakpoint(
            self._next, place, words, condition, HitRule(hits) if hits.strip() else 0, log, line=at[0], file=at[1]
        )
        self._add(made)
        return made

    def break_on(self, name: str, condition: str = "", hits: str = "", *, changed: bool = False) -> DataBreakpoint:
        """Stop where a component, or any of a register, is written. `hits` is a number, or a rule as of `HitRule`. Raises InputError."""
        rule = HitRule(hits) if hits.strip() else 0
        made = DataBreakpoint(self._next, name.strip(), self.places(self.selected, name), condition, rule, changed=changed)
        self._add(made)
        return made

    def _add(self, made: Breakpoint | DataBreakpoint) -> None:
        self.breakpoints[made.number] = made
        self._next += 1

    def remove(self, number: int) -> None:
        """Remove a breakpoint. Raises InputError."""
        if number not in self.breakpoints:
            there = ", ".join(map(str, self.breakpoints)) or "none"
            raise _wrong("D002", f"breakpoint {number} does not exist", f"there are {there}")
        del self.breakpoints[number]

    def stop_on(self, kinds: Iterable[str]) -> None:
        """Choose the faults to stop at, of `FAULTS`. Raises InputError."""
        chosen = set(kinds)
        for kind in chosen - set(FAULTS):
            raise _wrong("D002", f"unknown fault '{kind}'", f"use {', '.join(FAULTS)}")
        self.faults = chosen

    @property
    def findings(self) -> Mapping[int, Sequence[Diagnostic]]:
        """The findings of `lanewise check` by the word that they are about."""
        if self._findings is None:
            found: dict[int, list[Diagnostic]] = {}
            by_line: dict[tuple[str, int], list[int]] = {}
            for address in range(len(self.source_map)):
                span = self.span(address)
                if span is not None:
                    by_line.setdefault((span.file, span.line), []).append(address)
            for finding in self.launch.findings():
                for address in by_line.get((finding.span.file, finding.span.line), ()):
                    found.setdefault(address, []).append(finding)
            self._findings = found
        return self._findings

    def hits(self, thread: int, breakpoint: Breakpoint | DataBreakpoint, position: int) -> int:
        """How often the thread came to a breakpoint, or wrote to its places, with its condition true, up to a position, with it."""
        if isinstance(breakpoint, DataBreakpoint):
            return self._writes(thread, breakpoint, position)
        counts = self._counts.setdefault((thread, breakpoint.number), HitCounts())
        recording = self.recording(thread)

        def candidates(start: int, end: int) -> list[int]:
            recording.extend(end)
            return [n for n in range(start, min(end, len(recording))) if recording.addresses[n] in breakpoint.addresses]

        return counts.at(position, lambda n: self._true(thread, breakpoint.condition, n), candidates)

    def _writes(self, thread: int, breakpoint: DataBreakpoint, position: int) -> int:
        counts = self._counts.setdefault((thread, breakpoint.number), HitCounts())
        recording = self.recording(thread)
        writers: dict[int, bool] = {}

        def candidates(start: int, end: int) -> list[int]:
            recording.extend(end)
            found: list[int] = []
            for n in range(start, min(end, len(recording))):
                address = recording.addresses[n]
                if address not in writers:
                    places = recording.machine.may_write(address)
                    writers[address] = places is None or not places.isdisjoint(breakpoint.places)
                if writers[address]:
                    found.append(n)
            return found

        def is_hit(n: int) -> bool:
            return bool(breakpoint.wrote(recording.step(n))) and self._true(thread, breakpoint.condition, n + 1)

        return counts.at(position, is_hit, candidates)

    def _true(self, thread: int, condition: Expression | None, position: int) -> bool:
        return condition is None or condition.holds(self._reader(thread, position))

    def _hits(self, thread: int, position: int) -> Sequence[Hit]:
        return _Finder(self, thread).at(position)

    def _logged(self, thread: int, position: int) -> None:
        """Put out the messages of the log points at a position."""
        recording = self.recording(thread)
        address = recording.addresses[position]
        for each in self.breakpoints.values():
            if not isinstance(each, Breakpoint) or each.log is None or not each.enabled or address not in each.addresses:
                continue
            if each.hits and not stops_on(each.hits, self.hits(thread, each, position)):
                continue
            if self._true(thread, each.condition, position):
                reader = self._reader(thread, position)
                self.output.append(each.log.shown(lambda part, reader=reader: self.shown(part.evaluate(reader))))

    # Values

    def _reader(self, thread: int, position: int) -> Reader:
        return Reader(self.recording(thread).at(position).read, self.debuggee.names, self.debuggee.writable)

    def reader(self, thread: int) -> Reader:
        """What names mean where a thread is."""
        return self._reader(thread, self.stop(thread).step)

    def evaluate(self, thread: int, text: str) -> Result:
        """The value of an expression where a thread is. Raises InputError."""
        return Expression(text).evaluate(self.reader(thread))

    def shown(self, result: Result) -> str:
        """The value of an expression as text."""
        return ", ".join([str(number).lower() if isinstance(number, bool) else f"{number:.9g}" for number in result.numbers])

    def places(self, thread: int, name: str, *, written: bool = True) -> tuple[str, ...]:
        """The places of a name, a register or a component (`position.y`, `r0`, `bones[2].xy`). Raises InputError.

        A name that an input and an output share is the output where it is about what is `written`, else the input.
        """
        wanted = name.strip()
        if written:
            named = self.result_places(wanted)
            if named:
                return tuple(named)
        try:
            found = self.evaluate(thread, wanted).places
        except NoValue as error:
            if written:
                return error.places
            raise
        if not found:
            raise _wrong("D001", f"'{wanted}' is not a register or component", "use a name such as position.y or r0")
        whole = [place.partition(".")[0] for place, _ in found] if "." not in wanted else []
        more = (
            [place for register in dict.fromkeys(whole) for place in self.reader(thread).unwritten(register)] if written else []
        )
        return (*[place for place, _ in found], *more)

    def result_places(self, name: str) -> list[str]:
        """The places of an output or a component of one, by its name or that of its register; they may hold nothing yet."""
        return [
            place
            for key, place in self.debuggee.results.items()
            if name in (key, place, key.rpartition(".")[0], place.rpartition(".")[0])
        ]

    def scopes(self, thread: int) -> tuple[Group, ...]:
        """The registers where a thread is: those that the last step has changed, then by kind."""
        groups = tuple(self.recording(thread).at(self.stop(thread).step).groups())
        step = self.last_step(thread)
        names = {write.register for write in step.writes} if step is not None else set[str]()
        changed = {register.name: register for group in groups for register in group.registers if register.name in names}
        return (Group("changed", tuple(changed.values())), *groups)

    def changes(self, thread: int) -> Sequence[Written]:
        """The places that the last step has written."""
        step = self.last_step(thread)
        return written(step) if step is not None else ()

    def explain(self, thread: int, name: str) -> Explanation:
        """Which steps have made a component that is held where a thread is, or that the next step is the first to write. Raises InputError."""
        places = self.places(thread, name)
        if len(places) > 1:
            parts = ", ".join([f"{name.strip()}.{letter}" for letter in COMPONENTS[: len(places)]])
            raise _wrong("D001", f"'{name.strip()}' has several components", f"select one: {parts}")
        recording, position = self.recording(thread), self.stop(thread).step
        found = explain(self.debuggee, recording, position, name.strip(), next(iter(places)))
        following = self.next_step(thread) if not found.causes else None
        if following is not None and found.place in following.made:
            return explain(self.debuggee, recording, position + 1, name.strip(), found.place)
        return found

    # Other values

    def _changes(self, thread: int) -> Mapping[str, float]:
        return {**self.changed, **self.changed_inputs.get(thread, {})}

    def set(self, name: str, text: str) -> None:
        """Give an input of the selected thread, or a uniform of all, another value: an expression for each component. `again` uses it. Raises InputError."""
        thread = self.selected
        places = self.places(thread, name, written=False)
        numbers = [float(number) for part in text.split(",") for number in self.evaluate(thread, part).numbers]
        if len(numbers) not in (1, len(places)):
            raise _wrong(
                "D001", f"{name} has {len(places)} components, given {len(numbers)} values", "give one value, or one for each"
            )
        values = dict(zip(places, numbers * (len(places) if len(numbers) == 1 else 1), strict=True))
        machine = self.recording(thread).at(0)
        kinds = {given.kind for place in places if (given := machine.given.get(place)) is not None}
        mine = self.changed_inputs.setdefault(thread, {}) if kinds == {"input"} else self.changed
        before = dict(mine)
        mine.update(values)
        try:
            self.debuggee.machine(thread, self._changes(thread))
        except InputError:
            mine.clear()
            mine.update(before)
            raise

    def again(self, thread: int | None = None) -> Stop:
        """Run again with the values that were set, to the same step of a thread, or as far as it comes."""
        thread = self.selected if thread is None else thread
        steps = {number: stop.step for number, stop in self._stops.items()}
        self._recordings.clear()
        self._counts.clear()
        for number, step in steps.items():
            if number != thread:
                recording = self.recording(number)
                recording.extend(step)
                self._stops[number] = Stop(GOTO, number, min(step, len(recording)))
        return self._moved(thread, steps[thread], GOTO)


class Row(NamedTuple):
    """A machine word in a disassembly."""

    address: int
    word: int
    text: str
    span: Span | None


class CodeLine(NamedTuple):
    """A line of a source that has words."""

    file: str
    line: int
    addresses: tuple[int, ...]


class _Finder:
    """What is to stop at in a thread, with the breakpoints as they are now."""

    def __init__(self, session: Session, thread: int) -> None:
        self._session, self._thread = session, thread
        self._recording = session.recording(thread)
        enabled = [each for each in session.breakpoints.values() if each.enabled]
        self._points: dict[int, list[Breakpoint]] = {}
        for each in enabled:
            if isinstance(each, Breakpoint) and each.log is None:
                for address in each.addresses:
                    self._points.setdefault(address, []).append(each)
        self._data = [each for each in enabled if isinstance(each, DataBreakpoint)]
        self._places = frozenset([place for each in self._data for place in each.places])
        self._faults = frozenset(session.faults)
        self._events = sum(EVENT_OF.get(kind, 0) for kind in self._faults)
        self._hazards: Mapping[int, Sequence[Diagnostic]] = session.findings if HAZARD in self._faults else {}
        self._writers: dict[int, bool] = {}

    def at(self, position: int) -> Sequence[Hit]:
        """The breakpoints and faults in front of a step that there is."""
        recording = self._recording
        address = recording.addresses[position]
        points, events = self._points.get(address), recording.events[position] & self._events
        if points is None and not events and address not in self._hazards:
            return ()
        found: list[Hit] = []
        for each in points or ():
            if each.hits and not stops_on(each.hits, self._session.hits(self._thread, each, position)):
                continue
            if self._session._true(self._thread, each.condition, position):  # pyright: ignore[reportPrivateUsage]
                found.append(Hit(each.number, each.text))
        if events:
            found += [Hit(kind, text) for kind, text in faults_of(recording.step(position), self._faults)]
        found += [Hit(HAZARD, f"{each.code}: {each.message}") for each in self._hazards.get(address, ())]
        return found

    def writes(self, position: int) -> Sequence[Hit]:
        """The data breakpoints that a step is about."""
        if not self._data:
            return ()
        address = self._recording.addresses[position]
        may = self._writers.get(address)
        if may is None:
            places = self._recording.machine.may_write(address)
            may = self._writers[address] = places is None or not self._places.isdisjoint(places)
        if not may:
            return ()
        found: list[Hit] = []
        step = self._recording.step(position)
        for each in self._data:
            mine = each.wrote(step)
            if not mine or (each.hits and not stops_on(each.hits, self._session.hits(self._thread, each, position))):
                continue
            if self._session._true(self._thread, each.condition, position + 1):  # pyright: ignore[reportPrivateUsage]
                shown = ", ".join([_change(one) for one in mine])
                found.append(Hit(each.number, f"step {position} writes {shown}"))
        return found


def _change(one: Written) -> str:
    before = f", was {one.old.number:.9g}" if one.old is not None else ""
    return f"{one.place} = {one.new.number:.9g}{before}"


def _same_file(path: str, asked: str) -> bool:
    """Whether a path is the one that was asked for: the whole, or its last parts."""
    return path == asked or path.replace("\\", "/").endswith("/" + asked) or asked.replace("\\", "/").endswith("/" + path)


def _wrong(code: str, message: str, fix: str) -> InputError:
    return InputError([Diagnostic(code, ERROR, message, Span(""), (), fix)])


__all__ = ["FAULTS", "FAULT_TITLES", "Hit", "Position", "Session", "Stop", "Thread"]
