"""Where threads stop and why, as values: stops with what they are about, positions, lines with words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from lanewise.core.debugging import Frame, Loop

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


class Hit(NamedTuple):
    """A reason of a stop: the number of a breakpoint, or the kind of a fault; a sentence."""

    what: int | str
    text: str


class Stop(NamedTuple):
    """Where a move has ended and why. `reason` is step, breakpoint, data, fault, end, start, goto, pause or entry; `hits` all
    that is true there."""

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


class Position(Record):
    """The state of flow of a thread."""

    thread: int
    "The number of the thread."
    step: int
    "How many instructions of the thread have run."
    address: int
    "The address of the next instruction, or of the one that stops with a fault."
    span: Span | None
    "The place of that instruction in the source; None where there is none."
    instruction: str
    "The text of that instruction; empty where the thread came to its end."
    frames: tuple[Frame, ...]
    "The active routines, the innermost first."
    loops: tuple[Loop, ...]
    "The active loops, the innermost first."
    ended: bool
    "The thread has come to its end, or to a fault: no instruction is next."
    fault: Diagnostic | None
    "The reason why the thread did not come to its end; None where it did, or goes on."
    stop: Stop
    "How the thread came there."


class Thread(NamedTuple):
    """A thread of a session."""

    number: int
    name: str


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


def wrong(code: str, message: str, fix: str) -> InputError:
    """A request that cannot be met, as an error of the user."""
    return InputError([Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix)])


__all__ = [
    "BREAKPOINT",
    "DATA",
    "END",
    "ENTRY",
    "FAULT",
    "GOTO",
    "PAUSE",
    "START",
    "STEP",
    "CodeLine",
    "Hit",
    "Position",
    "Row",
    "Stop",
    "Thread",
    "wrong",
]
