"""The server: the page, its files, and the sockets of the editor and of the room."""

from __future__ import annotations

import socket
import webbrowser
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import uvicorn
from lanewise.arrays.mesh import SUFFIXES
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from lanewise_studio import __version__, language
from lanewise_studio.asks import Desk
from lanewise_studio.examples import EXAMPLES
from lanewise_studio.guard import HOST, Guard
from lanewise_studio.meshes import SHAPES, shape
from lanewise_studio.options import plain_options
from lanewise_studio.presets import Presets
from lanewise_studio.rooms import Room
from lanewise_studio.shelf import Shelf
from lanewise_studio.state import file_of
from lanewise_studio.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

LINK = 32 << 10  # bytes of a state in an address
MESSAGE = 96 << 20  # bytes of a message of the page
_MISSING = (
    "<!doctype html><html lang='en'><title>lanewise studio</title><p>The page has not been built. In a checkout run "
    "<code>pip install ./studio</code>, or <code>npm ci && npm run build</code> in <code>studio/page</code>.</p></html>"
)


class Start(NamedTuple):
    """What `lanewise studio` starts with: files by name, the port (0: any), the folder of the page (default: that of the package), the folders of presets,
    and the state of a link, as text."""

    files: Mapping[str, bytes] = {}
    port: int = 0
    browser: bool = True
    page: str = ""
    token: str = ""
    folders: Sequence[str] = ()
    state: str = ""

    def opened(self, address: str) -> str:
        """The address with the state behind its #."""
        return f"{address}#{self.state}" if self.state else address


def page_folder(given: str = "") -> Path | None:
    """The folder of the built page: a given one, that of the package, or that of a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (Path(given),) if given else (here / "page", here.parents[1] / "page" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None


def hello(files: Mapping[str, bytes], presets: Presets) -> dict[str, object]:
    """What a page is told first."""
    texts = {name: data for name, data in files.items() if not name.lower().endswith(SUFFIXES)}
    shown = [file_of(name, data).plain() for name, data in texts.items()]
    return {
        "version": __version__,
        **tables(),
        "files": shown,
        "meshFiles": [name for name in files if name.lower().endswith(SUFFIXES)],
        "meshes": _meshes(),
        "presets": [preset.plain() for preset in presets.listed()],
        "folder": presets.folder,
        "examples": [example.plain() for example in EXAMPLES],
        "options": plain_options(),
        "limits": {"link": LINK, "message": MESSAGE},
    }


@lru_cache
def _meshes() -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for row in SHAPES:
        made = shape(row.name)
        triangles = len(made.faces) if made.faces is not None else 0
        found.append({
            "name": row.name, "title": row.title, "vertices": len(made.arrays["position"]), "triangles": triangles, "properties": [*made.arrays],
        })  # fmt: skip
    return found


def routes(start: Start) -> Starlette:
    """The application without its guard."""
    folder = page_folder(start.page)
    presets = Presets(start.folders)
    shelf = Shelf()

    async def index(request: Request) -> Response:
        if folder is None:
            return HTMLResponse(_MISSING, 503)
        return HTMLResponse((folder / "index.html").read_bytes())

    async def nothing(request: Request) -> Response:
        return PlainTextResponse("not found", 404)

    async def frame(request: Request) -> Response:
        found = shelf.take(request.path_params["name"])
        return await nothing(request) if found is None else Response(found, media_type="application/octet-stream")

    async def room(page: WebSocket) -> None:
        fetches = page.query_params.get("frames") == "fetched"
        await Room(page, hello(start.files, presets), Desk(start.files, presets), shelf if fetches else None).serve()

    found: list[Route | Mount | WebSocketRoute] = [
        Route("/", index),
        Route("/frame/{name}", frame),
        WebSocketRoute("/room", room),
        WebSocketRoute("/lsp", language.serve),
    ]
    if folder is not None and (folder / "assets").is_dir():
        found.append(Mount("/assets", StaticFiles(directory=folder / "assets")))
    return Starlette(routes=[*found, Route("/{path:path}", nothing)])


def application(start: Start, port: int) -> Guard:
    """The whole application on a port."""
    app: ASGIApp = routes(start)
    return Guard(app, port, start.token)


def serve(start: Start, announce: Callable[[str], None]) -> None:
    """Serve until interrupted. `announce` gets the address. Raises OSError for a port that is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((HOST, start.port))
    guard = application(start, int(listening.getsockname()[1]))
    server = uvicorn.Server(configuration(guard))
    address = start.opened(guard.address)
    announce(address)
    if start.browser:
        webbrowser.open(address)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def configuration(app: ASGIApp) -> uvicorn.Config:
    """How uvicorn serves: frames go uncompressed, and no header says more than it has to."""
    return uvicorn.Config(
        app, log_level="warning", access_log=False, ws="websockets-sansio", ws_per_message_deflate=False, ws_max_size=MESSAGE,
        proxy_headers=False, server_header=False, date_header=False, lifespan="off", timeout_graceful_shutdown=1,
    )  # fmt: skip


__all__ = ["Start", "application", "configuration", "hello", "page_folder", "routes", "serve"]
