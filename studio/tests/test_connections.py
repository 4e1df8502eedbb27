"""Connections that show no key: closed after a while, limited in number."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pages import Running


def idle(running: Running, said: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", running.port), timeout=60)
    found.sendall(said)
    return found


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes it; otherwise the timeout of the socket is an error."""
    try:
        while connection.recv(1000):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nkey="]
)
def test_those_that_say_nothing_are_closed_and_pages_are_not(
    running: Running, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(running.guard.connections, "seconds", 0.05)
    with running.connect("/room") as page, idle(running, said) as other:
        assert is_closed(other)
        page.recv(timeout=60)
        page.send(json.dumps({"id": 1, "ask": "cancel"}))
        assert json.loads(page.recv(timeout=60))["done"]


def test_where_there_are_too_many_the_oldest_is_closed(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.guard.connections, "seconds", 600.0)
    monkeypatch.setattr(running.guard.connections, "most", 3)
    with ExitStack() as stack:
        opened = [stack.enter_context(idle(running)) for _ in range(5)]
        assert is_closed(opened[0]) and is_closed(opened[1])
        with running.connect("/room") as page:
            page.recv(timeout=60)
            assert is_closed(opened[2])
        assert len(running.guard.connections) <= 3
