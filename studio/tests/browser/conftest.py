"""The page in a real Chromium, on a real server.

They need playwright and a Chromium (`nox -s browser` has both); where one is missing none of them is collected.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser.studio_page import StudioPage
    from pages import Running

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
    or ""
)
TOKEN = "a-token-of-the-tests"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PAGE = Path(__file__).resolve().parents[2] / "page" / "dist"

collect_ignore_glob = [] if find_spec("playwright") and CHROMIUM and (PAGE / "index.html").is_file() else ["test_*.py"]


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
    server = uvicorn.Server(configuration(application(Start(page=str(page), token=TOKEN, folders=[str(presets)]), port)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield Running(port, TOKEN)
    server.should_exit = True
    thread.join(30)
    listening.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser, running: Running) -> Iterator[Callable[..., StudioPage]]:
    """Open a tab of its own browser profile. At the end no tab may have asked for anything that is not on this machine, or have failed."""
    from browser.studio_page import StudioPage

    tabs: list[StudioPage] = []

    def open_tab(fragment: str = "", width: int = 1280, height: int = 800, theme: str = "light") -> StudioPage:
        tab = StudioPage(chromium, running, fragment, (width, height), theme)
        tabs.append(tab)
        return tab

    yield open_tab
    for tab in tabs:
        tab.close()
    assert [each for tab in tabs for each in tab.foreign] == []
    assert [each for tab in tabs for each in tab.failures] == []


@pytest.fixture
def studio(opened: Callable[..., StudioPage]) -> StudioPage:
    return opened()
