"""The playground in a real Chromium: the folder that is built, from a plain server of files.

They need playwright, a Chromium and the built folder (`nox -s playground` has all); where one is missing none of them is collected.
"""

from __future__ import annotations

import os
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser.studio_page import StudioPage

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
BUILT = Path(__file__).resolve().parents[2] / "playground" / "built"
FOLDER = "docs/playground"  # of the server: not its root

collect_ignore_glob = [] if find_spec("playwright") and CHROMIUM and (BUILT / "manifest.json").is_file() else ["test_*.py"]


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the folder: `python -m http.server` one folder above, with what is built as it is now."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(BUILT, root / FOLDER)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(root))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{FOLDER}/"
        server.shutdown()
        thread.join(30)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser, origin: str) -> Iterator[Callable[..., StudioPage]]:
    """Open a tab of its own browser profile. At the end no tab may have asked for anything that is not on this machine, or have failed."""
    from browser.studio_page import StudioPage

    tabs: list[StudioPage] = []

    def open_tab(fragment: str = "", width: int = 1280, height: int = 800, theme: str = "light") -> StudioPage:
        tab = StudioPage(chromium, f"{origin}{fragment}", (width, height), theme)
        tabs.append(tab)
        tab.settled()
        return tab

    yield open_tab
    for tab in tabs:
        tab.close()
    assert [each for tab in tabs for each in tab.foreign] == []
    assert [each for tab in tabs for each in tab.failures] == []


@pytest.fixture
def playground(opened: Callable[..., StudioPage]) -> StudioPage:
    return opened()
