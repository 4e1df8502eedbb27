"""The playground in a real Chromium: the folder that is built, from a plain server of files.

`nox -s playground` builds the folder and runs them; without it, or where playwright or a Chromium is missing, none of them is
collected.
"""

from __future__ import annotations

import os
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chromium import OPENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browser.studio_page import StudioPage

BUILT = Path(__file__).resolve().parents[2] / "playground" / "built"
FOLDER = "docs/playground"  # of the server: not its root
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

collect_ignore_glob = (
    [] if OPENS and os.environ.get("LANEWISE_PLAYGROUND") and (BUILT / "manifest.json").is_file() else ["test_*.py"]
)


class _Plain(SimpleHTTPRequestHandler):
    """What servers of any age know: no .mjs, no .wasm."""

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        return _TYPES.get(Path(path).suffix, "application/octet-stream")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the folder: `python -m http.server` one folder above, with what is built as it is now."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(BUILT, root / FOLDER)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Plain, directory=str(root))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{FOLDER}/"
        server.shutdown()
        thread.join(30)


@pytest.fixture
def opened(tabs: Callable[..., StudioPage], origin: str) -> Callable[..., StudioPage]:
    """Open the page in a tab, and wait until it has answered everything."""

    def open_tab(fragment: str = "", **look: Any) -> StudioPage:
        tab = tabs(f"{origin}{fragment}", **look)
        tab.settled()
        return tab

    return open_tab


@pytest.fixture
def playground(opened: Callable[..., StudioPage]) -> StudioPage:
    return opened()
