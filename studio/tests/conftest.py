"""A server in a thread, and pages that talk to it."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest
import uvicorn

from lanewise_studio.app import Start, application, configuration
from pages import Page, Running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest_plugins = ["browser.tabs"]  # by its name: its types need playwright

TOKEN = "a-token-of-the-tests"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page that stands for the built one."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>page</title><script src='/assets/main.js'></script>")
    (folder / "assets" / "main.js").write_text("export {};\n")
    return folder


@pytest.fixture(scope="session")
def running(built: Path) -> Iterator[Running]:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # pages that come before the server runs wait
    port = int(listening.getsockname()[1])
    files = {"given.v.pica": b"; a file of the command line\n"}
    guard = application(Start(files=files, page=str(built), token=TOKEN), port)
    server = uvicorn.Server(configuration(guard))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield Running(port, TOKEN, guard)
    server.should_exit = True
    thread.join(30)
    listening.close()


@pytest.fixture
def page(running: Running) -> Iterator[Page]:
    found = Page(running)
    yield found
    found.close()
