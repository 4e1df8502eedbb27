"""Messages of `lanewise dap` and of its test client against the protocol's own types: TypeScript's compiler checks recorded
sessions.

Run by `nox -s dap`, which gets the types (npm, @vscode/debugprotocol) and the compiler and sets LANEWISE_DAP to their folder.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dap_tours import tours
from lanewise.dap.protocol import EVENTS, RESPONSES

NODE_MODULES = os.environ.get("LANEWISE_DAP", "")
pytestmark = pytest.mark.skipif(not NODE_MODULES, reason="run by nox -s dap, which gets the types of the protocol")


_HEAD = """import { DebugProtocol } from "@vscode/debugprotocol";
type Launch = Omit<DebugProtocol.LaunchRequest, "arguments"> & { arguments: Record<string, unknown> };
"""


def _kind(message: dict[str, Any]) -> str:
    """The type of a message in the protocol's description."""
    if message["type"] == "event":
        return f"DebugProtocol.{_capital(message['event'])}Event"
    if message["type"] == "request" and message["command"] == "launch":
        return "Launch"  # its keys are those of an adapter
    if message["command"].startswith("lanewise/"):
        return f"DebugProtocol.{message['type'].capitalize()}"
    if message["type"] == "response" and not message["success"]:
        return "DebugProtocol.ErrorResponse"
    return f"DebugProtocol.{_capital(message['command'])}{message['type'].capitalize()}"


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def test_every_message_has_its_type(tmp_path: Path):
    clients = [tour.record() for tour in tours()]
    messages = [message for client in clients for message in client.conversation]
    assert len(messages) > 2000
    rows = [f"const m{n}: {_kind(message)} = {json.dumps(message)};" for n, message in enumerate(messages)]
    (tmp_path / "session.ts").write_text(_HEAD + "\n".join(rows) + "\n")
    (tmp_path / "node_modules").symlink_to(Path(NODE_MODULES).resolve())
    compiler = str(Path(NODE_MODULES) / "typescript" / "bin" / "tsc")
    node = os.environ.get("LANEWISE_NODE", "node")
    command = [node, compiler, "--noEmit", "--strict", "--moduleResolution", "node", "session.ts"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[:4000]


def test_every_type_of_ours_is_one_of_the_protocol():
    text = (Path(NODE_MODULES) / "@vscode" / "debugprotocol" / "lib" / "debugProtocol.d.ts").read_text()
    for name in RESPONSES:
        assert f"interface {_capital(name)}Response " in text
    for name in EVENTS:
        assert f"interface {_capital(name)}Event " in text
