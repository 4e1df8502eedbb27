"""The loop of `lanewise dap`: one thread reads messages, this one answers them. During a run the adapter takes those that have
come."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, cast

from lanewise.dap import framing
from lanewise.dap.framing import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO, Protocol

    from lanewise.dap.framing import Message

    class Answering(Protocol):
        """The part of an adapter that the loop needs."""

        @property
        def ended(self) -> bool:
            """Whether the client has left."""
            ...

        def refuse(self, message: Message) -> None:
            """Answer a request that the client has cancelled before it was handled."""
            ...

        def handle(self, message: Message | Malformed) -> None:
            """Answer one message of the client."""
            ...

    Send = Callable[[Mapping[str, object]], None]
    Poll = Callable[[], Message | Malformed | None]


# Requests that change nothing, so that they can be left out.
_LOOKS = frozenset(
    [
        "evaluate",
        "variables",
        "scopes",
        "stackTrace",
        "completions",
        "disassemble",
        "source",
        "loadedSources",
        "breakpointLocations",
        "gotoTargets",
        "lanewise/timeline",
    ]
)


class Mailbox:
    """The messages of a client that are not handled yet, in order. `cancelled` are the numbers of requests that it has
    cancelled."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._messages: queue.Queue[Message | Malformed | None] = queue.Queue()
        self.cancelled: set[object] = set()
        threading.Thread(target=self._read, name="messages of the client", daemon=True).start()

    def take(self) -> Message | Malformed | None:
        """The next message, which is waited for; None at the end of the stream."""
        return self._messages.get()

    def poll(self) -> Message | Malformed | None:
        """The next message if it has come. The end of the stream is a request to leave."""
        try:
            message = self._messages.get_nowait()
        except queue.Empty:
            return None
        if message is None:
            self._messages.put(None)
            return {"seq": 0, "type": "request", "command": "disconnect"}
        return message

    def _read(self) -> None:
        while True:
            try:
                message = framing.read(self._stream)
            except (OSError, ValueError):  # the stream was closed
                message = None
            if (
                isinstance(message, dict)
                and message.get("command") == "cancel"
                and isinstance(arguments := message.get("arguments"), dict)
            ):
                number = cast("Message", arguments).get("requestId")
                self.cancelled |= {number} if isinstance(number, int) else set()
            self._messages.put(message)
            if message is None:
                return


def serve(source: BinaryIO, target: BinaryIO, make: Callable[[Send, Poll], Answering], log: BinaryIO | None = None) -> None:
    """Answer the messages of a stream until it ends or the client leaves. `make` gives the adapter; `log` gets all messages."""

    def send(message: Mapping[str, object]) -> None:
        if log is not None:
            framing.write(log, message)
        framing.write(target, message)

    def logged(message: Message | Malformed | None) -> Message | Malformed | None:
        if log is not None and isinstance(message, dict):
            framing.write(log, message)
        return message

    mailbox = Mailbox(source)
    adapter = make(send, lambda: logged(mailbox.poll()))
    try:
        while not adapter.ended:
            message = logged(mailbox.take())
            if message is None:
                return
            if isinstance(message, dict) and message.get("command") in _LOOKS and message.get("seq") in mailbox.cancelled:
                adapter.refuse(message)
            else:
                adapter.handle(message)
    except ConnectionError:
        return  # the client is gone


__all__ = ["Mailbox", "serve"]
