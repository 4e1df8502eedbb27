"""Pages of a browser, as tests play them."""

from __future__ import annotations

import json
import socket
from typing import Any, NamedTuple

from websockets.sync.client import ClientConnection, connect

from lanewise_studio.frames import unpack


class Running(NamedTuple):
    """A server that runs."""

    port: int
    token: str
    guard: Any  # a Guard; of another process, None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"lanewise-studio-{self.port}={self.token}"

    def connect(self, path: str, *, origin: str | None = "", host: str = "", cookie: str | None = "") -> ClientConnection:
        """A socket as a page opens it, or as another program does."""
        headers: list[tuple[str, str]] = []
        if cookie is not None:
            headers.append(("Cookie", cookie or self.cookie))
        sock = socket.create_connection(("127.0.0.1", self.port))
        said: Any = None if origin is None else origin or self.origin
        return connect(
            f"ws://{host or f'127.0.0.1:{self.port}'}{path}",
            sock=sock,
            origin=said,
            additional_headers=headers,
            max_size=None,
            open_timeout=60,
        )


class Answer:
    """All messages of an answer: `panes` by name, `frames` with their arrays, the `last` message."""

    def __init__(self) -> None:
        self.panes: dict[str, Any] = {}
        self.frames: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.progress: list[list[int]] = []
        self.last: dict[str, Any] = {}

    @property
    def mesh(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return next((head, arrays) for head, arrays in self.frames if head["pane"] == "mesh")


class Page:
    """A tab: it asks, and collects answers by their numbers."""

    def __init__(self, running: Running) -> None:
        self._opened = running.connect("/room")
        self.socket = self._opened.__enter__()
        self.hello: dict[str, Any] = json.loads(self.socket.recv())["hello"]
        self._number = 0
        self._answers: dict[int, Answer] = {}

    def send(self, kind: str, **message: object) -> int:
        self._number += 1
        self.socket.send(json.dumps({"id": self._number, "ask": kind, **message}))
        return self._number

    def wait(self, number: int) -> Answer:
        """The whole answer of an ask."""
        while not self._answers.setdefault(number, Answer()).last:
            self._read()
        return self._answers[number]

    def ask(self, kind: str, **message: object) -> Answer:
        return self.wait(self.send(kind, **message))

    def _read(self) -> None:
        message = self.socket.recv(timeout=120)
        if isinstance(message, bytes):
            head, arrays = unpack(message)
            answer = self._answers.setdefault(head["id"], Answer())
            answer.frames.append((head, arrays))
            if head.get("done"):
                answer.last = head
            return
        value = json.loads(message)
        answer = self._answers.setdefault(value.get("id", 0), Answer())
        if "pane" in value:
            answer.panes[value["pane"]] = value["value"]
        elif "progress" in value:
            answer.progress.append(value["progress"])
        else:
            answer.last = value

    def close(self) -> None:
        self._opened.__exit__(None, None, None)
