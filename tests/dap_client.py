"""A client of `lanewise dap` for tests: it sends requests, keeps the events, and holds every message against the types of the
protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Required, cast, get_args, get_origin, get_type_hints, is_typeddict

from lanewise.dap import framing
from lanewise.dap.adapter import Adapter
from lanewise.dap.framing import Malformed
from lanewise.dap.protocol import EVENTS, RESPONSES, Empty, Failure
from lanewise.tools.dap import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import BinaryIO

    from lanewise.dap.server import Answering, Poll, Send

Body = dict[str, Any]


def conforms(value: object, kind: Any, path: str) -> None:
    """Assert that a value of JSON has a type, with no key that the type does not name."""
    origin = get_origin(kind)
    if kind is object:
        return
    if origin in (NotRequired, Required):
        conforms(value, get_args(kind)[0], path)
    elif origin is Literal:
        assert value in get_args(kind), f"{path}: {value!r} is not one of {get_args(kind)}"
    elif origin is list:
        assert isinstance(value, list), f"{path}: {value!r} is not a list"
        for place, item in enumerate(cast("list[object]", value)):
            conforms(item, get_args(kind)[0], f"{path}[{place}]")
    elif origin is dict:
        assert isinstance(value, dict), f"{path}: {value!r} is not an object"
    elif is_typeddict(kind):
        assert isinstance(value, dict), f"{path}: {value!r} is not an object"
        hints = get_type_hints(kind, include_extras=True)
        missing = [key for key, hint in hints.items() if get_origin(hint) is not NotRequired and key not in value]
        assert not missing, f"{path}: {missing} missing in {value}"
        for key, item in cast("dict[str, object]", value).items():
            assert key in hints, f"{path}: unknown key {key}"
            conforms(item, hints[key], f"{path}.{key}")
    elif get_args(kind):  # a union
        assert any(_is(value, each) for each in get_args(kind)), f"{path}: {value!r} is not {kind}"
    else:
        assert _is(value, kind), f"{path}: {value!r} is not {kind}"


def _is(value: object, kind: Any) -> bool:
    if kind is type(None):
        return value is None
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def check(message: Mapping[str, object], commands: Mapping[int, str]) -> None:
    """Assert that a message of the adapter is as the protocol says. `commands` are the requests by their numbers."""
    json.dumps(message, allow_nan=False)
    assert isinstance(message["seq"], int)
    if message["type"] == "event":
        name = cast("str", message["event"])
        assert set(message) <= {"seq", "type", "event", "body"}
        conforms(message.get("body", {}), EVENTS[name], f"event {name}")
        return
    assert message["type"] == "response"
    assert set(message) <= {"seq", "type", "request_seq", "success", "command", "message", "body"}
    command, number = cast("str", message["command"]), cast("int", message["request_seq"])
    assert commands.get(number, command) == command
    if message["success"]:
        if not command.startswith("lanewise/"):
            conforms(message.get("body", {}), RESPONSES.get(command, Empty), command)
    else:
        assert isinstance(message["message"], str) and message["message"]
        conforms(message.get("body", {}), Failure, f"error of {command}")
        assert "Traceback" not in str(message)


def adapter(send: Send, poll: Poll) -> Adapter:
    """The adapter of `lanewise dap`."""
    return Adapter(send, poll, open_session)


class Client:
    """A client of an adapter in this process. `request` gives the body of the answer, after the adapter has done what it
    started.

    `messages` are those of the adapter, `conversation` those of both; `during` are sent while it moves.
    """

    def __init__(self, make: Callable[[Send, Poll], Answering] = adapter) -> None:
        self._begin()
        self.adapter = make(self._receive, self._poll)

    def _begin(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.conversation: list[dict[str, Any]] = []
        self.commands: dict[int, str] = {}
        self.during: list[dict[str, object]] = []
        self.requests = 0

    def _receive(self, message: Mapping[str, object]) -> None:
        check(message, self.commands)
        self.messages.append(dict(message))
        self.conversation.append(dict(message))

    def _poll(self) -> dict[str, object] | None:
        return self.during.pop(0) if self.during else None

    def message(self, command: str, arguments: object = None) -> dict[str, object]:
        """A request with its number."""
        self.requests += 1
        self.commands[self.requests] = command
        message: dict[str, object] = {"seq": self.requests, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self.conversation.append(message)
        return message

    def send(self, message: dict[str, object] | Malformed) -> list[dict[str, Any]]:
        """Give the adapter a message: what it sent, also while it moved."""
        before = len(self.messages)
        self.adapter.handle(message)
        return self.messages[before:]

    def answer(self, command: str, arguments: object = None) -> dict[str, Any]:
        """The response to a request, which may be an error."""
        message = self.message(command, arguments)
        number = self.requests
        sent = self.send(message)
        (response,) = [each for each in sent if each["type"] == "response" and each["request_seq"] == number]
        return response

    def request(self, command: str, **arguments: object) -> Body:
        response = self.answer(command, arguments)
        assert response["success"], response
        return response.get("body", {})

    def move(self, command: str, **arguments: object) -> Body:
        """A request that moves a thread, and the stop that it leads to."""
        before = len(self.events("stopped"))
        self.request(command, **arguments)
        return self._stop_after(before)

    def _stop_after(self, before: int) -> Body:
        (stop,) = self.events("stopped")[before:]
        return stop

    def refused(self, command: str, **arguments: object) -> str:
        """The text of the error of a request."""
        response = self.answer(command, arguments)
        assert not response["success"], response
        return response["body"]["error"]["format"]

    def events(self, name: str) -> list[Body]:
        return [each.get("body", {}) for each in self.messages if each["type"] == "event" and each["event"] == name]

    def stop(self) -> Body:
        """The last stop."""
        return self.events("stopped")[-1]

    def output(self) -> str:
        """All output of the session."""
        return "".join([each["output"] for each in self.events("output")])


class ProcessClient(Client):
    """A client of `lanewise dap` as a process."""

    def __init__(self, *options: str) -> None:
        self._begin()
        command = [sys.executable, "-m", "lanewise", "dap", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdin and self.process.stdout
        self.to = cast("BinaryIO", self.process.stdin)
        self.source = cast("BinaryIO", self.process.stdout)

    def __enter__(self) -> ProcessClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.to.close()
        self.process.wait()
        self.source.close()
        if self.process.stderr:
            self.process.stderr.close()

    def read(self) -> dict[str, Any]:
        message = framing.read(self.source)
        assert isinstance(message, dict), message
        self._receive(message)
        return self.messages[-1]

    def answer(self, command: str, arguments: object = None) -> dict[str, Any]:
        framing.write(self.to, self.message(command, arguments))
        while True:
            message = self.read()
            if message["type"] == "response" and message["request_seq"] == self.requests:
                return message

    def wait(self, event: str) -> Body:
        """The next event of a name."""
        while True:
            message = self.read()
            if message["type"] == "event" and message["event"] == event:
                return message.get("body", {})

    def _stop_after(self, before: int) -> Body:
        while len(self.events("stopped")) == before:
            self.read()
        return self.stop()
