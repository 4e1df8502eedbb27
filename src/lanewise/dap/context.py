"""A launched program as requests see it: the session, what the client understands, and the numbers that stand for things in
messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.dap.arguments import Refusal
from lanewise.dap.breakpoints import BreakpointBook
from lanewise.dap.sources import SourceBook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.dap.arguments import Arguments
    from lanewise.dap.launch import Launch
    from lanewise.dap.protocol import Output
    from lanewise.dap.sources import Place
    from lanewise.debugger.session import Session

    Event = Callable[[str, Mapping[str, object] | None], None]


class Client(Record):
    """The conventions and extensions of a client."""

    first_line: int = 1
    "The number of the first line in its messages, 0 or 1."
    first_column: int = 1
    "The number of the first column in its messages, 0 or 1."
    uris: bool = False
    "It names sources by URI, not by path."
    invalidates: bool = False
    "It takes events about values that have changed."
    memory: bool = False
    "It takes references to memory."
    types: bool = False
    "It shows the types of variables."

    def line(self, line: int) -> int:
        """A line as the client counts, of one counted from 1."""
        return line - 1 + self.first_line

    def our_line(self, line: int) -> int:
        """A line counted from 1, of one that the client counted."""
        return line + 1 - self.first_line

    def column(self, column: int) -> int:
        return max(column, 1) - 1 + self.first_column


class Numbers:
    """Numbers that stand for things in messages, from 1 on. Those given since the last stop are forgotten by `clear`."""

    def __init__(self) -> None:
        self._things: dict[int, object] = {}
        self._next = 1

    def of(self, thing: object) -> int:
        """A number for a thing."""
        number = self._next
        self._next += 1
        self._things[number] = thing
        return number

    def get(self, number: int) -> object | None:
        return self._things.get(number)

    def clear(self) -> None:
        """Forget all. No number is given twice, so that an old one is not taken for a new one."""
        self._things.clear()


class Context:
    """A launched program.

    `thread` is the one that moved last, `running` whether one moves now, `left` whether the session is over. `stop_at_end`: a
    thread that ends stops. `after(task)` does something when the request has been answered, `poll` answers the messages that
    came during a run and says whether it is to stop; `changed`: they have changed breakpoints.
    """

    session: Session
    launch: Launch
    client: Client
    event: Event
    after: Callable[[Callable[[], None]], None]
    poll: Callable[[Context], bool]
    sources: SourceBook
    breakpoints: BreakpointBook
    form: str
    references: Numbers
    frames: Numbers
    targets: Numbers
    places: Numbers
    left: bool
    thread: int

    def __init__(
        self,
        session: Session,
        launch: Launch,
        client: Client,
        event: Event,
        after: Callable[[Callable[[], None]], None],
        poll: Callable[[Context], bool],
    ) -> None:
        self.session, self.launch, self.client, self.event, self.after, self.poll = session, launch, client, event, after, poll
        self.sources = SourceBook(session, client)
        self.breakpoints = BreakpointBook(session)
        self.form = launch.form
        self.stop_at_end = True
        self.references, self.frames, self.targets, self.places = Numbers(), Numbers(), Numbers(), Numbers()
        self.running = False
        self.pausing = False
        self.changed = False
        self.left = False
        self.thread = session.selected
        self.runs = 0  # how often values were changed and all was run again
        self.results_shown: set[tuple[int, int]] = set()

    def output(self, text: str, category: str = "console", place: Place | None = None) -> None:
        """Send a line of output, with the place that it is about."""
        body: Output = {"category": category, "output": text if text.endswith("\n") else text + "\n"}
        if place is not None:
            body["source"], body["line"] = place.source, self.client.line(place.line)
            body["column"] = self.client.column(place.column)
        self.event("output", body)

    def terminate(self) -> None:
        """End the session."""
        if not self.left:
            self.left = True
            self.event("terminated", None)

    def title(self, thread: int) -> str:
        """`vertex 3`."""
        return self.session.debuggee.title(thread)

    def moved(self) -> None:
        """Forget the numbers of values and frames, which are of another state."""
        for numbers in (self.references, self.frames, self.targets, self.places):
            numbers.clear()

    def thread_of(self, arguments: Arguments) -> int:
        """The thread that a request names. Raises Refusal for one that there is not."""
        number = arguments.integer("threadId") - 1
        if all(thread.number != number for thread in self.session.threads):
            raise Refusal(f"{arguments.of}: there is no thread {number + 1}")
        return number

    def thread_of_frame(self, arguments: Arguments) -> int:
        """The thread of the frame that a request names, or the one that moved last. Raises Refusal for a frame of another
        stop."""
        if not arguments.has("frameId"):
            return self.thread
        return self.frame(arguments).thread

    def frame(self, arguments: Arguments) -> FrameOf:
        """The frame that a request names. Raises Refusal for one that there is not."""
        number = arguments.integer("frameId")
        found = self.frames.get(number)
        if not isinstance(found, FrameOf):
            raise Refusal(f"{arguments.of}: there is no frame {number}: the program has moved since")
        return found


class FrameOf(Record):
    """A frame of a thread: how many routines called each other after it, and the address in it. `loop`: it is a loop in a
    routine."""

    thread: int
    above: int
    address: int
    loop: bool = False


def thread_id(thread: int) -> int:
    """The number of a thread in messages, which begins with 1."""
    return thread + 1


__all__ = ["Client", "Context", "FrameOf", "Numbers", "thread_id"]
