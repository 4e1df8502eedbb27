"""The socket of the editor: findings while a text is written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pages import Running

pytest.importorskip("pygls")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
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


def test_nothing_is_read_from_the_disk(running: Running, tmp_path: Path) -> None:
    """Neither what a source includes, nor a file that the editor names, nor the tests beside a source."""
    (tmp_path / "secret.inc").write_text("password 12345\n")
    (tmp_path / "a.sc").write_text("end\n")
    shutil.copy(EXAMPLES / "toon.shadertest.toml", tmp_path)
    uri = (tmp_path / "toon.v.pica").as_uri()
    with running.connect("/lsp") as socket:
        sent: list[str] = []

        def ask(method: str, params: dict[str, Any], number: int | None) -> Any:
            identity = {} if number is None else {"id": number}
            socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **identity}))
            while True:
                sent.append(str(socket.recv(timeout=120)))
                message = json.loads(sent[-1])
                if message.get("id") == number if number else message.get("method") == "textDocument/publishDiagnostics":
                    return message.get("result", message.get("params", message.get("error")))

        ask("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}, 1)
        text = (EXAMPLES / "toon.v.pica").read_text()
        document = {"uri": uri, "languageId": "picasso", "version": 1, "text": text}
        ask("textDocument/didOpen", {"textDocument": document}, None)
        assert (
            "no shader test beside"
            in ask("workspace/executeCommand", {"command": "lanewise.tests", "arguments": [uri]}, 2)["text"]
        )
        document = {"uri": uri, "version": 2}
        changes = [{"text": f'.include "secret.inc"\n{text}'}]
        assert ask("textDocument/didChange", {"textDocument": document, "contentChanges": changes}, None)["diagnostics"]
        other = (tmp_path / "a.sc").as_uri()
        assert "message" in ask("lanewise/disassembly", {"uri": other}, 3)
        assert ask("workspace/symbol", {"query": ""}, 4) is not None
        assert not [message for message in sent if "password" in message or "a.sc" in message]


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
