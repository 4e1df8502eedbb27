"""The port of the debug adapter and of the language server: for one editor of this machine, and for nothing that speaks another
language."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO, cast

import pytest

from lanewise.dap import framing
from lanewise.tools.loopback import one_client

if TYPE_CHECKING:
    from collections.abc import Iterator

INITIALIZE: dict[str, dict[str, object]] = {
    "dap": {"seq": 1, "type": "request", "command": "initialize"},
    "lsp": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    },
}


def framed(message: object) -> bytes:
    content = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(content) + content


def is_refused(connection: socket.socket) -> bool:
    """Whether the other side closes without an answer."""
    try:
        return connection.recv(100) == b""
    except ConnectionError:
        return True


@pytest.fixture
def streams() -> Iterator[tuple[int, list[bytes]]]:
    """A port, and what its client has sent once it is gone."""
    ports: list[int] = []
    known, lines = threading.Event(), list[bytes]()

    def announce(port: int) -> None:
        ports.append(port)
        known.set()

    def run() -> None:
        with one_client(0, announce) as (source, target):
            for line in source:
                lines.append(line)
                target.write(b"ok\n")
                target.flush()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert known.wait(60)
    yield ports[0], lines
    thread.join(60)
    assert not thread.is_alive()


def test_what_a_browser_sends_is_refused_at_its_first_byte(streams: tuple[int, list[bytes]]) -> None:
    port, lines = streams
    body = framed(INITIALIZE["dap"]).decode()
    for sent in (
        f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n{body}",
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        "P",
        "content-lengths: 3\r\n\r\n",
        "\r\nContent-Length: 3\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as other:
            other.sendall(sent.encode())
            assert is_refused(other), sent
    with socket.create_connection(("127.0.0.1", port), timeout=60):
        pass  # it says nothing, and goes
    with socket.create_connection(("127.0.0.1", port), timeout=60) as editor:
        editor.sendall(b"Content")
        editor.sendall(b"-LENGTH: 3\n")
        assert editor.recv(3) == b"ok\n"
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=60).recv(1)
    assert lines in ([b"Content-LENGTH: 3\n"], [])


@pytest.mark.parametrize("command", INITIALIZE)
def test_one_editor_is_served(command: str) -> None:
    if command == "lsp":
        pytest.importorskip("pygls", reason="the language server needs pygls: pip install '.[editor]'")
    arguments = [sys.executable, "-m", "lanewise", command, "--tcp", "0"]
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        port = int(process.stderr.readline().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as page:
            page.sendall(b"POST / HTTP/1.1\r\n\r\n" + framed(INITIALIZE[command]))
            assert is_refused(page)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as editor, editor.makefile("rb") as answers:
            editor.sendall(framed(INITIALIZE[command]))
            answer = framing.read(cast("BinaryIO", answers))
            assert isinstance(answer, dict) and (answer.get("success") or answer.get("result"))
        assert process.wait(60) == 0
