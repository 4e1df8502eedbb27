"""The loop of `lanewise dap`: one thread reads messages, this one answers them and, between them, runs the program in slices."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from lanewise.dap import framing
from lanewise.dap.framing import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO, Protocol

    from lanewise.dap.framing import Message

    class Answering(Protocol):
        """What the loop needs of an adapter."""

        @property
        def busy(self) -> bool:
            """Whether a run goes on."""
            ...

        @property
        def ended(self) -> bool:
            """Whether the client has left."""
            ...

        def handle(self, message: Message | Malformed) -> None:
            """Answer one message of the client."""
            ...

        def work(self) -> None:
            """Go on with a run until it stops or `waiting` says that a message has come."""
            ...

    Send = Callable[[Mapping[str, object]], None]


class Mailbox:
    """The messages of a client that are not handled yet, in order."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._messages: queue.Queue[Message | Malformed | None] = queue.Queue()
        threading.Thread(target=self._read, name="messages of the client", daemon=True).start()

    def waiting(self) -> bool:
        """Whether a message has come."""
        return not self._messages.empty()

    def take(self, *, wait: bool) -> Message | Malformed | None:
        """The next message; None at the end of the stream. Raises queue.Empty without `wait`."""
        return self._messages.get(wait)

    def _read(self) -> None:
        while True:
            try:
                message = framing.read(self._stream)
            except (OSError, ValueError):  # the stream was closed
                message = None
            self._messages.put(message)
            if message is None:
                return


def serve(
    source: BinaryIO, target: BinaryIO, make: Callable[[Send, Callable[[], bool]], Answering], log: BinaryIO | None = None
) -> None:
    """Answer the messages of a stream until it ends or the client leaves. `make(send, waiting)` gives the adapter; `log` gets all messages."""

    def send(message: Mapping[str, object]) -> None:
        if log is not None:
            framing.write(log, message)
        framing.write(target, message)

    mailbox = Mailbox(source)
    adapter = make(send, mailbox.waiting)
    try:
        while not adapter.ended:
            try:
                message = mailbox.take(wait=not adapter.busy)
            except queue.Empty:
                adapter.work()
                continue
            if message is None:
                return
            if log is not None and not isinstance(message, Malformed):
                framing.write(log, message)
            adapter.handle(message)
    except (BrokenPipeError, ConnectionError):
        return  # the client is gone


__all__ = ["Mailbox", "serve"]
