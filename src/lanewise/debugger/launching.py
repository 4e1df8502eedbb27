"""The run of a session: `Launch`, a program with values and the threads that are looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.debugging import STOPPED, UNSET
from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import decode_text
from lanewise.packages import package_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.debugging import Debuggee
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.core.source import Span

MOST_CHOSEN = 64
_STEPS_LOOKED_AT = 5_000  # of all of them together


class Launch:
    """A program that was read, with the values of a request. `vertices` are the threads to debug; without them they are
    chosen."""

    loaded: Loaded
    request: Request
    debuggee: Debuggee

    def __init__(
        self,
        loaded: Loaded,
        request: Request,
        vertices: Sequence[int] = (),
        debuggee: Debuggee | None = None,
        under: Callable[[str, str], Debuggee] | None = None,
    ) -> None:
        """`debuggee` is the run, where it is not that of the request; `under` the same with another value of an option
        (`profile`, `azahar`). Raises UsageError where the instruction set has no
        debugger, InputError."""
        if debuggee is None:
            service = loaded.debug
            if service is None:
                raise UsageError(f"{loaded.isa} has no debugger")
            debuggee = service(request)
        self.loaded, self.request, self.debuggee = loaded, request, debuggee
        self._under = under if under is not None else self._requested
        self.source_map: Sequence[Span | None] = loaded.source_map
        self.words: Sequence[int] = loaded.words
        self.remarks: list[str] = []
        self._lines: dict[str, Sequence[str]] = {}
        there = self.debuggee.threads
        for number in vertices:
            if number not in there:
                raise UsageError(f"{self.debuggee.title(number)} does not exist: there are {len(there)}")
        self.threads: tuple[int, ...] = tuple(vertices)[:MOST_CHOSEN] or self._chosen()

    def under(self, variant: str) -> Debuggee:
        """The run under another profile, device or rule, by its name or its file. Raises UsageError, InputError,
        InputFailure."""
        variants = package_of(self.loaded.isa).variants()
        options = [each.option for each in variants if each.name == variant] or [each.option for each in variants]
        if not options:
            raise UsageError(f"{self.loaded.isa} has no profiles, devices or rules")
        try:
            return self._under(options[0].removeprefix("--"), variant)
        except ValueError as error:
            raise UsageError(str(error)) from None

    def _requested(self, option: str, variant: str) -> Debuggee:
        service = self.loaded.debug
        assert service is not None  # the run itself is of this service
        return service(self.request.with_values({option: variant, "set": ()}))

    def findings(self) -> Sequence[Diagnostic]:
        """The findings of `lanewise check`; none where it cannot be checked."""
        check = self.loaded.check
        if check is None:
            return ()
        try:
            return check(self.request).findings
        except (InputError, InputFailure, UsageError):
            return ()

    def lines(self, file: str) -> Sequence[str]:
        """The lines of a source: one of the request, or a file that it includes; empty where it cannot be read."""
        found = self._lines.get(file)
        if found is None:
            found = self._lines[file] = self._read(file)
        return found

    def _read(self, file: str) -> Sequence[str]:
        for source in self.request.sources:
            if file in (source.name, source.path):
                return decode_text(source.data).split("\n")
        try:
            return decode_text(self.request.files.read(file)).split("\n")
        except InputFailure:
            return ()

    @cached_property
    def _looked(self) -> int:
        return min(len(self.debuggee.threads), self.debuggee.samples)

    def _chosen(self) -> tuple[int, ...]:
        """The first thread that stops with a fault, one that reads what nothing has written, and the first of each path; the
        first at least."""
        debuggee = self.debuggee
        there = debuggee.threads
        if not there:
            raise UsageError(f"there is no {debuggee.one} to debug")
        if debuggee.group > 1 or len(there) == 1:
            return tuple(there[: debuggee.group])
        found: dict[int, None] = {}
        paths: set[tuple[int, int]] = set()
        failing: list[int] = []
        steps, looked = 0, 0
        for number in there[: self._looked]:
            machine = debuggee.machine(number, {})
            path = unset = 0
            while not machine.finished and steps < _STEPS_LOOKED_AT:
                address = machine.address
                events = machine.advance()
                if events == STOPPED:
                    break
                path = hash((path, address))
                unset |= events & UNSET
                steps += 1
            if steps >= _STEPS_LOOKED_AT and not machine.finished:
                break
            looked += 1
            if machine.fault is not None:
                failing.append(number)
            if (path, unset) not in paths:
                paths.add((path, unset))
                found.setdefault(number)
        if looked < len(there):
            self.remarks.append(
                f"only the first {looked} of {len(there)} were looked at to choose threads: name others with --vertices"
            )
        chosen = [*failing[:1], *[number for number in found if number not in failing[:1]]]
        return tuple(chosen[:MOST_CHOSEN]) or (there[0],)
