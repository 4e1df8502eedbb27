"""The loop: requests that a client cancels while others are handled."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Any

from dap_client import adapter
from lanewise.dap import framing
from lanewise.dap.server import serve

if TYPE_CHECKING:
    from lanewise.dap.framing import Malformed, Message
    from lanewise.dap.server import Answering, Poll, Send


class Whole(io.BytesIO):
    """A stream that tells when all of it has been read."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.read_up = threading.Event()

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(-1 if size is None else size)
        if not line:
            self.read_up.set()
        return line


def test_a_cancelled_request_is_not_done():
    content = io.BytesIO()
    requests: list[tuple[str, dict[str, Any]]] = [
        ("initialize", {}),
        ("evaluate", {"expression": "1"}),
        ("threads", {}),
        ("cancel", {"requestId": 2}),
        ("cancel", {"requestId": 3}),
    ]
    for number, (command, arguments) in enumerate(requests, 1):
        framing.write(content, {"seq": number, "type": "request", "command": command, "arguments": arguments})
    source, target = Whole(content.getvalue()), io.BytesIO()

    class Slow:
        """An adapter that begins when all messages have come."""

        def __init__(self, inner: Answering) -> None:
            self._inner, self.refuse = inner, inner.refuse

        @property
        def ended(self) -> bool:
            return self._inner.ended

        def handle(self, message: Message | Malformed) -> None:
            source.read_up.wait()
            self._inner.handle(message)

    def slow(send: Send, poll: Poll) -> Slow:
        return Slow(adapter(send, poll))

    serve(source, target, slow)
    target.seek(0)
    answers: list[dict[str, Any]] = []
    while isinstance(message := framing.read(target), dict):
        answers.append(message)
    assert [each["command"] for each in answers] == ["initialize", "evaluate", "threads", "cancel", "cancel"]
    assert answers[1]["message"] == "cancelled" and not answers[1]["success"]
    assert (
        "initialize" not in answers[2]["message"] and "no program" in answers[2]["message"]
    )  # it may change something: it is done
