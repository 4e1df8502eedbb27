"""The command `lanewise dap`: its streams and its port."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING, cast

import pytest

from dap_client import ProcessClient
from lanewise.dap import framing
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO


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


def test_a_port_serves_one_client_after_another():
    command = [sys.executable, "-m", "lanewise", "dap", "--tcp", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        port = int(line.rpartition(":")[2])
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answers:
                connection.sendall(b'Content-Length: 49\r\n\r\n{"seq":1,"type":"request","command":"initialize"}')
                answer = framing.read(cast("BinaryIO", answers))
                assert isinstance(answer, dict) and answer["success"] is True
        process.terminate()
