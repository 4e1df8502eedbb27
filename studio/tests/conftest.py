"""A server in a thread, pages that talk to it, and tabs of a real browser."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest
import uvicorn

from chromium import CHROMIUM
from lanewise_studio.app import Start, application, configuration
from pages import Page, Running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from browser.studio_page import StudioPage

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
    server = uvicorn.Server(configuration(application(Start(files, page=str(built), token=TOKEN), port)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield Running(port, TOKEN)
    server.should_exit = True
    thread.join(30)
    listening.close()


@pytest.fixture
def page(running: Running) -> Iterator[Page]:
    found = Page(running)
    yield found
    found.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from browser.studio_page import PATIENCE

    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def tabs(chromium: Browser) -> Iterator[Callable[..., StudioPage]]:
    """Open an address in a tab of its own browser profile. At the end no tab may have asked for anything that is not on this machine, or have failed."""
    from browser.studio_page import StudioPage

    opened: list[StudioPage] = []

    def open_tab(address: str, width: int = 1280, height: int = 800, theme: str = "light") -> StudioPage:
        tab = StudioPage(chromium, address, (width, height), theme)
        opened.append(tab)
        return tab

    yield open_tab
    for tab in opened:
        tab.close()
    assert [each for tab in opened for each in tab.foreign] == []
    assert [each for tab in opened for each in tab.failures] == []
