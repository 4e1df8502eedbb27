"""The page in a real Chromium, on a real server.

They need playwright and a Chromium (`nox -s browser` has both); where one is missing none of them is collected.
"""

from __future__ import annotations

import shutil
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from chromium import OPENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browser.studio_page import StudioPage
    from pages import Running

TOKEN = "a-token-of-the-tests"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PAGE = Path(__file__).resolve().parents[2] / "page" / "dist"

collect_ignore_glob = [] if OPENS and (PAGE / "index.html").is_file() else ["test_*.py"]


@pytest.fixture(scope="session")
def presets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the presets."""
    folder = tmp_path_factory.mktemp("presets")
    for name in ("toon.v.pica", "toon.shadertest.toml"):
        shutil.copy(EXAMPLES / name, folder)
    return folder


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory, presets: Path) -> Iterator[Running]:
    """A server of the built page, as it is now."""
    from lanewise_studio.app import Start, application, configuration
    from pages import Running

    page = shutil.copytree(PAGE, tmp_path_factory.mktemp("page") / "dist")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # pages that come before the server runs wait
    port = int(listening.getsockname()[1])
    guard = application(Start(page=str(page), token=TOKEN, folders=[str(presets)]), port)
    server = uvicorn.Server(configuration(guard))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield Running(port, TOKEN, guard)
    server.should_exit = True
    thread.join(30)
    listening.close()


@pytest.fixture
def opened(tabs: Callable[..., StudioPage], running: Running) -> Callable[..., StudioPage]:
    """Open the page in a tab."""

    def open_tab(fragment: str = "", **look: Any) -> StudioPage:
        running.guard.state = fragment.removeprefix("#")
        return tabs(running.guard.link(), **look)

    return open_tab


@pytest.fixture
def studio(opened: Callable[..., StudioPage]) -> StudioPage:
    return opened()
