"""Messages of `lanewise dap` and of its test client against the protocol's own types: TypeScript's compiler checks recorded sessions.

Run by `nox -s dap`, which gets the types (npm, @vscode/debugprotocol) and the compiler and sets LANEWISE_DAP to their folder.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dap_tours import Tour, tours
from lanewise.dap.protocol import EVENTS, RESPONSES

NODE_MODULES = os.environ.get("LANEWISE_DAP", "")
pytestmark = pytest.mark.skipif(not NODE_MODULES, reason="run by nox -s dap, which gets the types of the protocol")


def _kind(message: dict[str, Any]) -> str:
    """The type of a message in the protocol's description."""
    if message["type"] == "event":
        return f"DebugProtocol.{_capital(message['event'])}Event"
    if message["command"].startswith("lanewise/"):
        return f"DebugProtocol.{message['type'].capitalize()}"
    if message["type"] == "response" and not message["success"]:
        return "DebugProtocol.ErrorResponse"
    return f"DebugProtocol.{_capital(message['command'])}{message['type'].capitalize()}"


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


@pytest.mark.parametrize("tour", tours() if NODE_MODULES else (), ids=lambda tour: tour.name)
def test_every_message_of_a_session_has_its_type(tour: Tour, tmp_path: Path):
    client = tour.record()
    rows = [f"const m{n}: {_kind(message)} = {json.dumps(message)};" for n, message in enumerate(client.conversation)]
    assert len(rows) > 100
    (tmp_path / "session.ts").write_text('import { DebugProtocol } from "@vscode/debugprotocol";\n' + "\n".join(rows) + "\n")
    (tmp_path / "node_modules").symlink_to(Path(NODE_MODULES).resolve())
    compiler = Path(NODE_MODULES) / "typescript" / "bin" / "tsc"
    command = [
        "node",
        str(compiler),
        "--noEmit",
        "--strict",
        "--noUnusedLocals",
        "false",
        "--moduleResolution",
        "node",
        "session.ts",
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[:4000]


def test_every_type_of_ours_is_one_of_the_protocol(tmp_path: Path):
    text = (Path(NODE_MODULES) / "@vscode" / "debugprotocol" / "lib" / "debugProtocol.d.ts").read_text()
    for name in RESPONSES:
        assert f"interface {_capital(name)}Response " in text
    for name in EVENTS:
        assert f"interface {_capital(name)}Event " in text
