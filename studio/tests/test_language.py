"""The socket of the editor: findings while a text is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pages import Running

pytest.importorskip("pygls")
URI = "file:///studio/light.v.pica"


def test_an_editor_is_told_what_is_wrong(running: Running) -> None:
    with running.connect("/lsp") as socket:

        def send(method: str, params: dict[str, Any], number: int | None = None) -> None:
            identity = {} if number is None else {"id": number}
            socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **identity}))

        def receive(wanted: str | int) -> Any:
            while True:
                message = json.loads(socket.recv(timeout=120))
                if wanted in (message.get("method"), message.get("id")):
                    return message

        send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        assert "hoverProvider" in receive(1)["result"]["capabilities"]
        send("initialized", {})
        text = ".proc main\n    mull r0, r1, r2\n    end\n.end\n"
        send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "picasso", "version": 1, "text": text}})
        found = receive("textDocument/publishDiagnostics")["params"]
        assert (found["uri"], [row["code"] for row in found["diagnostics"]]) == (URI, ["P001"])
        send(
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text.replace("mull", "mul")}]},
        )
        found = receive("textDocument/publishDiagnostics")["params"]
        assert "P001" not in [row["code"] for row in found["diagnostics"]]


def test_a_message_that_is_none_does_not_end_the_server(running: Running) -> None:
    with running.connect("/lsp") as socket:
        socket.send("[")
        socket.send(
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "method": "initialize",
                    "id": 1,
                    "params": {"processId": None, "rootUri": None, "capabilities": {}},
                }
            )
        )
        while json.loads(socket.recv(timeout=120)).get("id") != 1:
            pass
