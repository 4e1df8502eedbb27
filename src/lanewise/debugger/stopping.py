"""`Stopping`: the breakpoints of a run, and whether something is to stop at a step: breakpoints, written places, faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.text.suggestions import near
from lanewise.debugger.breakpoints import (
    EVENT_OF,
    FAULTS,
    HANG,
    HAZARD,
    Breakpoint,
    DataBreakpoint,
    HitCounts,
    HitRule,
    QueryBreakpoint,
    VariableBreakpoint,
    Written,
    change_text,
    faults_of,
    stops_on,
)
from lanewise.debugger.queries import query
from lanewise.debugger.stops import CodeLine, Hit, Row, wrong
from lanewise.debugger.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.trace import Value
    from lanewise.debugger.expressions import Expression
    from lanewise.debugger.launching import Launch
    from lanewise.debugger.recording import Recording


_FAR = 256  # steps back in which the value of a variable is looked for


class Stopping(Values):
    """The places where a run stops. `output` has the messages of log points, for the front end to take."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self.breakpoints: dict[int, Breakpoint | DataBreakpoint | QueryBreakpoint] = {}
        self.faults: set[str] = {HANG}
        self.output: list[str] = []
        self._counts: dict[tuple[int, int], HitCounts] = {}
        self._next = 1
        self._findings: dict[int, list[Diagnostic]] | None = None

    def addresses(self, where: str) -> frozenset[int]:
        """The words of a place: `@4` or `@0x4` is a word, `12` or `FILE:12` a line, `main` a label. Raises InputError."""
        text = where.strip()
        if text.startswith("@"):
            try:
                address = int(text[1:], 0)
            except ValueError:
                raise wrong("D002", f"'{where}' is not a word", "use @ and a number, such as @4") from None
            if not 0 <= address < len(self.source_map):
                raise wrong("D002", f"word {address} does not exist", f"the program has words 0 to {len(self.source_map) - 1}")
            return frozenset([address])
        file, _, number = text.rpartition(":")
        if not number.isdecimal():
            text = text.lstrip("*")
            if text in self.debuggee.labels:
                return frozenset([self.debuggee.labels[text]])
            hexadecimal = text.lower().startswith("0x") and set(text.lower()[2:]) <= set("0123456789abcdef")
            fix = f"use @{text} for a word" if hexadecimal else "use a line (12 or FILE:12), a word (@4) or a label"
            raise wrong("D002", f"'{where}' is not a place", fix)
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
            raise wrong("D002", f"no instruction at {file + ':' if file else 'line '}{line}", fix)
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
        """Add a breakpoint at a place as `addresses` has it. `hits` is a number, or a rule as of `HitRule`. Raises
        InputError."""
        addresses = self.addresses(where)
        first = self.span(min(addresses))
        place = (
            f"{first.file}:{first.line}"
            if first is not None and not where.strip().startswith("@")
            else f"{self.debuggee.what} {min(addresses)}"
        )
        at = (first.line, first.file) if first is not None else (0, "")
        rule = (HitRule(hits) if hits.strip() else 0) if isinstance(hits, str) else hits
        breakpoint = Breakpoint(self._next, place, addresses, condition, rule, log, line=at[0], file=at[1])
        self._add(breakpoint)
        return breakpoint

    def break_words(self, addresses: Iterable[int], condition: str = "", hits: str = "", log: str = "") -> Breakpoint:
        """Add a breakpoint at some words. `hits` is a number, or a rule as of `HitRule`. Raises InputError."""
        words = frozenset(addresses)
        first = self.span(min(words))
        at = (first.line, first.file) if first is not None else (0, "")
        place = f"{at[1]}:{at[0]}" if first is not None else f"{self.debuggee.what} {min(words)}"
        breakpoint = Breakpoint(
            self._next, place, words, condition, HitRule(hits) if hits.strip() else 0, log, line=at[0], file=at[1]
        )
        self._add(breakpoint)
        return breakpoint

    def break_on(self, name: str, condition: str = "", hits: str = "", *, changed: bool = False) -> DataBreakpoint:
        """Stop where a component, or any of a register, is written, or where a variable of the source gets another value.
        `hits` is a number, or a rule as of `HitRule`. Raises InputError."""
        breakpoint = self.watched(self.selected, name, condition, hits, changed=changed)
        self._add(breakpoint)
        return breakpoint

    def watched(self, thread: int, name: str, condition: str = "", hits: str = "", *, changed: bool = False) -> DataBreakpoint:
        """A data breakpoint as `break_on` adds it, which is not added. Raises InputError."""
        rule = HitRule(hits) if hits.strip() else 0
        variable = self.variable_places(thread, name)
        if variable:
            function = self.function(thread) if self.is_here(thread, name) else ""
            return VariableBreakpoint(self._next, name.strip(), variable, function, condition, rule)
        return DataBreakpoint(self._next, name.strip(), self.places(thread, name), condition, rule, changed=changed)

    def stop_where(self, text: str) -> QueryBreakpoint:
        """Stop after the steps for which a query holds, backwards in front of them. Raises InputError, InputFailure,
        UsageError."""
        query(self, self.selected, text)  # one that cannot be read is an error here
        breakpoint = QueryBreakpoint(self._next, text.strip())
        self._add(breakpoint)
        return breakpoint

    def _add(self, breakpoint: Breakpoint | DataBreakpoint | QueryBreakpoint) -> None:
        self.breakpoints[breakpoint.number] = breakpoint
        self._next += 1

    def remove(self, number: int) -> None:
        """Remove a breakpoint. Raises InputError."""
        if number not in self.breakpoints:
            there = ", ".join(map(str, self.breakpoints)) or "none"
            raise wrong("D002", f"breakpoint {number} does not exist", f"there are {there}")
        del self.breakpoints[number]

    def stop_on(self, kinds: Iterable[str]) -> None:
        """Choose the faults to stop at, of `FAULTS`. Raises InputError."""
        chosen = set(kinds)
        for kind in chosen - set(FAULTS):
            raise wrong("D002", f"unknown fault '{kind}'", f"use {', '.join(FAULTS)}")
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
        """How often the thread came to a breakpoint, or wrote to its places, with its condition true, up to a position, with
        it."""
        if isinstance(breakpoint, DataBreakpoint):
            return self._writes(thread, breakpoint, position)
        counts = self._counts.setdefault((thread, breakpoint.number), HitCounts())
        recording = self.recording(thread)

        def candidates(start: int, end: int) -> list[int]:
            recording.extend(end)
            return [n for n in range(start, min(end, len(recording))) if comes_to(recording, n, breakpoint.addresses)]

        return counts.at(position, lambda n: self.holds(thread, breakpoint.condition, n), candidates)

    def _writes(self, thread: int, breakpoint: DataBreakpoint, position: int) -> int:
        counts = self._counts.setdefault((thread, breakpoint.number), HitCounts())
        recording = self.recording(thread)
        if isinstance(breakpoint, VariableBreakpoint):
            return counts.at(
                position,
                lambda n: bool(self.changes_of(thread, breakpoint, n)) and self.holds(thread, breakpoint.condition, n + 1),
                lambda start, end: [*range(start, min(end, len(recording)))] if recording.extend(end) or end else [],
            )
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
            return bool(breakpoint.wrote(recording.step(n))) and self.holds(thread, breakpoint.condition, n + 1)

        return counts.at(position, is_hit, candidates)

    def changes_of(self, thread: int, breakpoint: VariableBreakpoint, step: int) -> list[Written]:
        """The components of a variable that have another value behind a step than they were last known to have."""
        found: list[Written] = []
        after = self.variables_in(thread, step + 1, breakpoint.function)
        for place in breakpoint.places if after is not None else ():
            new = after.value(place) if after is not None else None
            if new is None:
                continue
            old = self._last_known(thread, breakpoint.function, place, step)
            if old is None or old.bits != new.bits:
                found.append(Written(place, old, new))
        return found

    def _last_known(self, thread: int, function: str, place: str, step: int) -> Value | None:
        for position in range(step, max(-1, step - _FAR), -1):
            before = self.variables_in(thread, position, function)
            value = before.value(place) if before is not None else None
            if value is not None:
                return value
        return None

    def holds(self, thread: int, condition: Expression | None, position: int) -> bool:
        """Whether a condition is true at a position; none always is."""
        return condition is None or condition.holds(self._reader(thread, position))

    def _hits(self, thread: int, position: int) -> Sequence[Hit]:
        return Finder(self, thread).at(position)

    def _logged(self, thread: int, position: int) -> None:
        """Put out the messages of the log points at a position."""
        recording = self.recording(thread)
        for each in self.breakpoints.values():
            if not isinstance(each, Breakpoint) or each.log is None or not each.enabled:
                continue
            if not comes_to(recording, position, each.addresses):
                continue
            if each.hits and not stops_on(each.hits, self.hits(thread, each, position)):
                continue
            if self.holds(thread, each.condition, position):
                reader = self._reader(thread, position)
                self.output.append(each.log.shown(lambda part, reader=reader: self.shown(part.evaluate(reader))))


class Finder:
    """The stops of a thread, with the breakpoints as they are now."""

    def __init__(self, session: Stopping, thread: int) -> None:
        self._session, self._thread = session, thread
        self._recording = session.recording(thread)
        enabled = [each for each in session.breakpoints.values() if each.enabled]
        self._points: dict[int, list[Breakpoint]] = {}
        for each in enabled:
            if isinstance(each, Breakpoint) and each.log is None:
                for address in each.addresses:
                    self._points.setdefault(address, []).append(each)
        self._variables = [each for each in enabled if isinstance(each, VariableBreakpoint)]
        self._data = [each for each in enabled if isinstance(each, DataBreakpoint) and each not in self._variables]
        self._queries = [
            (each.number, query(session, thread, each.query).holds) for each in enabled if isinstance(each, QueryBreakpoint)
        ]
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
            if not comes_to(recording, position, each.addresses):
                continue
            if each.hits and not stops_on(each.hits, self._session.hits(self._thread, each, position)):
                continue
            if self._session.holds(self._thread, each.condition, position):
                found.append(Hit(each.number, each.text))
        if events:
            found += [Hit(kind, text) for kind, text in faults_of(recording.step(position), self._faults)]
        found += [Hit(HAZARD, f"{each.code}: {each.message}") for each in self._hazards.get(address, ())]
        return found

    def writes(self, position: int) -> Sequence[Hit]:
        """The data breakpoints and queries that a step is about."""
        asked = [(number, holds(position + 1)) for number, holds in self._queries]
        return [*self._changed(position), *self._written(position), *[Hit(number, text) for number, text in asked if text]]

    def _changed(self, position: int) -> Sequence[Hit]:
        found: list[Hit] = []
        for each in self._variables:
            mine = self._session.changes_of(self._thread, each, position)
            if not mine or (each.hits and not stops_on(each.hits, self._session.hits(self._thread, each, position))):
                continue
            if self._session.holds(self._thread, each.condition, position + 1):
                found.append(Hit(each.number, f"step {position} sets {', '.join(map(change_text, mine))}"))
        return found

    def _written(self, position: int) -> Sequence[Hit]:
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
            if self._session.holds(self._thread, each.condition, position + 1):
                shown = ", ".join(map(change_text, mine))
                found.append(Hit(each.number, f"step {position} writes {shown}"))
        return found


def comes_to(recording: Recording, position: int, addresses: Set[int]) -> bool:
    """Whether a step comes to some words: a line of a compiled source has several, and going on in them is not another time."""
    address, before = recording.addresses[position], recording.addresses[position - 1] if position else -1
    return address in addresses and not (before in addresses and before < address)


def _same_file(path: str, asked: str) -> bool:
    """Whether a path is the one that was asked for: the whole, or its last parts."""
    return path == asked or path.replace("\\", "/").endswith("/" + asked) or asked.replace("\\", "/").endswith("/" + path)


__all__ = ["Finder", "Stopping"]
