"""`Threads`: the threads of a run, where each is, and their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.debugging import Frame
from lanewise.debugger.recording import Recording
from lanewise.debugger.stops import ENTRY, Position, Stop, Thread, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.debugging import Debuggee, Inlined
    from lanewise.core.source import Span
    from lanewise.core.trace import Step
    from lanewise.debugger.launching import Launch

MOST_THREADS = 64


class Threads:
    """The threads of a run. `changed` and `changed_inputs` are values that the user has given to uniforms, and to the inputs of
    a thread."""

    selected: int

    def __init__(self, launch: Launch) -> None:
        """Raises UsageError, InputError."""
        self.launch = launch
        self.debuggee: Debuggee = launch.debuggee
        self.source_map: Sequence[Span | None] = launch.source_map
        self.changed: dict[str, float] = {}
        self.changed_inputs: dict[int, dict[str, float]] = {}
        self.selected = launch.threads[0] if launch.threads else 0
        self._recordings: dict[int, Recording] = {}
        self._under: dict[str, Debuggee] = {}
        self._recordings_under: dict[tuple[int, str], Recording] = {}
        self._threads = list(launch.threads)
        self._inlined: list[int] = []
        self._stops: dict[int, Stop] = {thread: Stop(ENTRY, thread, 0) for thread in self._threads}

    @property
    def threads(self) -> tuple[Thread, ...]:
        return tuple([Thread(number, self.debuggee.title(number)) for number in self._threads])

    def add_thread(self, number: int) -> None:
        """Take a thread that was not chosen at launch. Raises InputError."""
        if number in self._threads:
            return
        if len(self._threads) >= MOST_THREADS:
            raise wrong("D002", f"{MOST_THREADS} threads are there already", "debug fewer in a new session")
        self._recordings[number] = Recording(self.debuggee.machine(number, self._changes(number)))
        self._threads.append(number)
        self._stops[number] = Stop(ENTRY, number, 0)

    def recording(self, thread: int) -> Recording:
        """The steps of a thread. Raises InputError."""
        found = self._recordings.get(thread)
        if found is None:
            if thread not in self._threads:
                there = ", ".join(map(str, self._threads[:8])) or "none"
                raise wrong("D002", f"{self.debuggee.title(thread)} is not debugged", f"add it, or use one of {there}")
            found = self._recordings[thread] = Recording(self.debuggee.machine(thread, self._changes(thread)))
        return found

    def under(self, variant: str) -> Debuggee:
        """The run under another profile, device or rule. Raises InputError, InputFailure, UsageError."""
        found = self._under.get(variant)
        if found is None:
            found = self._under[variant] = self.launch.under(variant)
        return found

    def recording_under(self, thread: int, variant: str) -> Recording:
        """The steps of a thread under another profile, device or rule. Raises InputError, InputFailure, UsageError."""
        found = self._recordings_under.get((thread, variant))
        if found is None:
            machine = self.under(variant).machine(thread, self._changes(thread))
            found = self._recordings_under[thread, variant] = Recording(machine)
        return found

    def at(self, thread: int) -> Position:
        """Where a thread is."""
        recording, stop = self.recording(thread), self.stop(thread)
        machine = recording.at(stop.step)
        ended = recording.ended and stop.step >= len(recording)
        address = machine.address
        frames = tuple(machine.frames())
        inlined = () if ended else self.debuggee.inlined(address)
        if inlined:
            frames = (*_frames(inlined, address), *frames[1:])
        return Position(
            thread=thread,
            step=stop.step,
            address=address,
            span=self.span(address),
            instruction="" if ended and recording.fault is None else self.debuggee.instruction(address),
            frames=frames,
            loops=tuple(machine.loops()),
            ended=ended,
            fault=recording.fault if ended else None,
            stop=stop,
        )

    def stop(self, thread: int) -> Stop:
        """How a thread came to where it is."""
        self.recording(thread)
        return self._stops[thread]

    def span(self, address: int) -> Span | None:
        """The place of a word in the source."""
        span = self.source_map[address] if 0 <= address < len(self.source_map) else None
        return span if span is not None and span.line else None

    def inlined_depth(self, address: int) -> int:
        """The number of active functions that are inlined at a word; what belongs to none is with the word before it."""
        if not self._inlined:
            depth = 0
            for each in range(len(self.source_map)):
                active = self.debuggee.inlined(each)
                depth = len(active) - 1 if active else depth
                self._inlined.append(depth)
        return self._inlined[address] if 0 <= address < len(self._inlined) else 0

    def last_step(self, thread: int) -> Step | None:
        """The step that has led to where a thread is; None at its start."""
        position = self.stop(thread).step
        return self.recording(thread).step(position - 1) if position else None

    def next_step(self, thread: int) -> Step | None:
        """The step in front of which a thread is; None at its end."""
        position, recording = self.stop(thread).step, self.recording(thread)
        return recording.step(position) if recording.extend(position + 1) else None

    def arrive(self, stop: Stop) -> None:
        """Put a thread where a stop is, which is about something else than a move."""
        self._stops[stop.thread] = stop
        self.selected = stop.thread

    def _changes(self, thread: int) -> Mapping[str, float]:
        return {**self.changed, **self.changed_inputs.get(thread, {})}


def _frames(active: Sequence[Inlined], address: int) -> list[Frame]:
    """Functions of the source as frames: of a caller the place of the call."""
    return [Frame(each.function, address, each.call) for each in active]


__all__ = ["MOST_THREADS", "Threads"]
