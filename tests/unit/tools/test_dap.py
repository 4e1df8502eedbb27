"""The command `lanewise dap`: its streams and its port."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from dap_client import ProcessClient
from lanewise.dap import framing
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_help(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["dap", "--help"])
    assert "lanewise dap --tcp 4711" in capsys.readouterr().out


def test_wrong_options(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert main(["dap", "--tcp", "70000"]) == 2
    assert "expected a port" in capsys.readouterr().err
    assert main(["dap", "--log", str(tmp_path)]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_a_log_has_the_messages_of_both_sides(tmp_path: Path):
    log = tmp_path / "session.log"
    with ProcessClient("--log", str(log)) as client:
        client.request("initialize")
        client.request("disconnect")
        client.process.wait()
    with log.open("rb") as stream:
        kinds: list[str] = []
        while isinstance(message := framing.read(stream), dict):
            kinds.append(f"{message['type']} {message['command']}")
    assert kinds == ["request initialize", "response initialize", "request disconnect", "response disconnect"]


def test_a_port_is_taken(capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert main(["dap", "--tcp", str(other.getsockname()[1])]) == 1
    assert "cannot listen on port" in capsys.readouterr().err
