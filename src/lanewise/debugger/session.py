"""`Session`: threads of one run, the cursor in each, and the ways to move it forwards and backwards.

A position n of a thread is in front of its step n. Stops are in front of the instruction that they are about, apart from a data
breakpoint on the way forwards, which is behind the write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.debugging import SENT
from lanewise.debugger.breakpoints import FAULT_TITLES, FAULTS, HANG
from lanewise.debugger.queries import nearest, query
from lanewise.debugger.stopping import Finder, Stopping
from lanewise.debugger.stops import (
    BREAKPOINT,
    DATA,
    END,
    ENTRY,
    FAULT,
    GOTO,
    PAUSE,
    START,
    STEP,
    Hit,
    Position,
    Stop,
    Thread,
    wrong,
)
from lanewise.debugger.threads import MOST_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.debugger.launching import Launch
    from lanewise.debugger.recording import Recording

UNTIL = "until"  # what a stop after `Session.until` is about
_PIECE = 512  # steps between two looks at whether to pause


class Session(Stopping):
    """A run under a debugger: `Threads`, their `Values`, what they are `Stopping` at, and here the moves. All moves return a
    `Stop` and raise InputError for what cannot be done."""

    def __init__(self, launch: Launch) -> None:
        """Raises UsageError, InputError."""
        super().__init__(launch)
        self.watches: list[str] = []
        self.interrupted: Callable[[], bool] | None = None  # asked now and then during a move, which pauses where it says so
        self._paused = False

    def __reduce__(self) -> str:
        """Raises TypeError: what is pickled and copied of a run is its `trace`, its `Result` and the program."""
        raise TypeError(
            "a debugger session stays in its process and is not copied: send the program with its inputs and uniforms, and "
            "begin a session there"
        )

    def pause(self) -> None:
        """End a move that another thread of the host is waiting for."""
        self._paused = True

    def _is_interrupted(self) -> bool:
        return self._paused or (self.interrupted is not None and self.interrupted())

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
        """Until a line (`12`, `light.v.pica:12`) or a word (`@4`, or a number of it, or several), in either direction. Stops at
        breakpoints on the way."""
        addresses = (
            self.addresses(where) if isinstance(where, str) else where if isinstance(where, frozenset) else frozenset([where])
        )
        recording = self.recording(thread)

        def reached(n: int) -> bool:
            return recording.extend(n + 1) and recording.addresses[n] in addresses

        return (self._backward if back else self._forward)(thread, reached, GOTO)

    def until(self, thread: int, text: str, *, back: bool = False) -> Stop:
        """To the next position for which a query as of `queries.KINDS` holds, or back to the last one, without stops.
        The thread stays where there is none. Raises InputError, InputFailure, UsageError."""
        self._paused = False
        asked, start = query(self, thread, text), self.stop(thread).step
        found = nearest(self.recording(thread), asked.holds, start, back=back, interrupted=self._is_interrupted)
        if found is not None:
            return self._arrived(thread, found.position, GOTO, [Hit(UNTIL, found.text)])
        if self._is_interrupted():
            return self._arrived(thread, start, PAUSE)
        return self._arrived(thread, start, GOTO, [Hit(UNTIL, f"not {'before' if back else 'after'} this step: {asked.text}")])

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
            raise wrong("D002", f"{self.debuggee.title(thread)} does not send primitive {number}", fix)
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

    def _arrived(self, thread: int, step: int, reason: str, hits: Sequence[Hit] = ()) -> Stop:
        stop = Stop(reason, thread, step, tuple(hits))
        self.arrive(stop)
        return stop

    def _ending(self, recording: Recording) -> tuple[Hit, ...]:
        fault = recording.fault
        return (Hit(HANG, f"{fault.code}: {fault.message}"),) if fault is not None else ()

    def _depth(self, recording: Recording, position: int) -> int:
        if recording.extend(position + 1):
            return recording.depths[position] + self.inlined_depth(recording.addresses[position])
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
        find = Finder(self, thread)
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
        find = Finder(self, thread)
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

    def again(self, thread: int | None = None) -> Stop:
        """Run again with the values that were set, to the same step of a thread, or as far as it comes."""
        thread = self.selected if thread is None else thread
        steps = {number: stop.step for number, stop in self._stops.items()}
        self._recordings.clear()
        self._recordings_under.clear()
        self._counts.clear()
        for number, step in steps.items():
            if number != thread:
                recording = self.recording(number)
                recording.extend(step)
                self._stops[number] = Stop(GOTO, number, min(step, len(recording)))
        return self._moved(thread, steps[thread], GOTO)


__all__ = [
    "BREAKPOINT",
    "DATA",
    "END",
    "ENTRY",
    "FAULT",
    "FAULTS",
    "FAULT_TITLES",
    "GOTO",
    "MOST_THREADS",
    "PAUSE",
    "START",
    "STEP",
    "UNTIL",
    "Hit",
    "Position",
    "Session",
    "Stop",
    "Thread",
]
