"""A workspace with files that are none, or that are too large: the server goes on, and serves the others."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise.tools.lsp import host
from lsp_messages import INITIALIZE, message, talk

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = ".out o position\n.proc main\n    mov o, v0\n    end\n.end\n"


def pipe(path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("named pipes in folders: POSIX only")
    os.mkfifo(path)


def door(path: Path) -> None:
    if not hasattr(socket, "AF_UNIX"):
        pytest.skip("sockets in folders: POSIX only")
    with socket.socket(socket.AF_UNIX) as made:
        try:
            made.bind(str(path))
        except OSError:
            pytest.skip("the path of the temporary folder is too long for a socket: set TMPDIR to a shorter one")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 << 30)


def link_to(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        try:
            path.symlink_to(target.replace("SELF", path.name))
        except OSError:
            pytest.skip("this user may not make links: on Windows switch the developer mode on")

    return make


def unreadable(path: Path) -> None:
    path.write_text(SOURCE)
    path.chmod(0)


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": pipe,
    "socket": door,
    "folder": lambda path: path.mkdir(),
    "huge": huge,
    "dangling": link_to("nowhere.v.pica"),
    "outside": link_to("/etc/passwd"),
    "device": link_to("/dev/zero"),
    "itself": link_to("SELF"),
    "unreadable": unreadable,
}


@pytest.mark.parametrize("name", ["a.v.pica", "a.shadertest.toml", "lanewise.toml"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_request_is_answered(kind: str, name: str, tmp_path: Path) -> None:
    KINDS[kind](tmp_path / name)
    (tmp_path / "other.v.pica").write_text(SOURCE)
    uri = (tmp_path / "opened.v.pica").as_uri()
    opened = {"textDocument": {"uri": uri, "languageId": "picasso", "version": 1, "text": f'.include "{name}"\n{SOURCE}'}}
    sent = talk(
        [
            message(
                "initialize",
                {**INITIALIZE, "rootUri": tmp_path.as_uri(), "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "a"}]},
                0,
            ),
            message("initialized", {}),
            message("textDocument/didOpen", opened),
            message("workspace/symbol", {"query": "main"}, 1),
            message("textDocument/codeLens", {"textDocument": {"uri": uri}}, 2),
            message("workspace/executeCommand", {"command": "lanewise.tests", "arguments": [uri]}, 3),
            message("lanewise/disassembly", {"uri": (tmp_path / name).as_uri()}, 4),
        ],
        host=host(),
    )
    with suppress(OSError):
        (tmp_path / name).chmod(0o600)
    answers = {each["id"]: each for each in sent if "method" not in each and "id" in each}
    assert answers.keys() == {0, 1, 2, 3, 4}
    assert "internal error" not in str(sent)
    assert "root:" not in str(sent)
    if name != "lanewise.toml":
        assert "other.v.pica" in str(answers[1]["result"])
