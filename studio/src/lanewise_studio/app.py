"""The server: the page, its files, and the sockets of the editor and of the room."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from lanewise.arrays.mesh import SUFFIXES
from lanewise.core.files import read
from lanewise.core.record import Record
from lanewise.core.where import DOCUMENTATION
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from lanewise_studio import __version__, language
from lanewise_studio.asks import Desk
from lanewise_studio.connections import limited
from lanewise_studio.examples import EXAMPLES
from lanewise_studio.guard import HOST, Guard
from lanewise_studio.keys import STARTED, LaunchFile
from lanewise_studio.meshes import SHAPES, shape
from lanewise_studio.options import plain_options
from lanewise_studio.presets import Presets
from lanewise_studio.recorded import is_frame, known_sources
from lanewise_studio.rooms import Room
from lanewise_studio.saving import SUFFIX, restored
from lanewise_studio.shelf import Shelf
from lanewise_studio.state import file_of, plain_state, refused
from lanewise_studio.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from types import FrameType

    from starlette.requests import Request
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

    from lanewise_studio.state import State

USUAL_PORT = 42817  # of no registered service
LINK = 32 << 10  # bytes of a state in an address
MESSAGE = 96 << 20  # bytes of a message of the page
PLAYGROUND = "playground/index.html"  # below the address of the documentation
PATIENCE = 0.5  # seconds that work has to end once it is interrupted
_MISSING = (
    "<!doctype html><html lang='en'><title>lanewise studio</title><p>The page has not been built. In a checkout run "
    "<code>pip install ./studio</code>, or <code>npm ci && npm run build</code> in <code>studio/page</code>.</p></html>"
)


class Start(Record):
    """What `lanewise studio` starts with: files by name, the port (0: any), the folder of the page (default: that of the
    package), the value of the cookie (default: a secret), the folders of presets, the state of a link, as text, a file of
    a recorded frame with the draw that is shown first, and the programs whose sources are `known`: the names that lists of
    draws have for each, and its files."""

    files: Mapping[str, bytes] = {}
    port: int = 0
    browser: bool = True
    page: str = ""
    token: str = ""
    folders: Sequence[str] = ()
    state: str = ""
    draw: tuple[str, str] = ("", "")
    known: Sequence[tuple[Sequence[str], Mapping[str, bytes]]] = ()


def page_folder(given: str = "") -> Path | None:
    """The folder of the built page: a given one, that of the package, or that of a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (Path(given),) if given else (here / "page", here.parents[1] / "page" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None


def hello(
    files: Mapping[str, bytes], presets: Presets, draw: tuple[str, str] = ("", ""), state: State | None = None
) -> dict[str, object]:
    """What a page is told first; `state` is that of a saved file."""
    frames = [name for name, data in files.items() if is_frame(data)]
    texts = {name: data for name, data in files.items() if not name.lower().endswith(SUFFIXES) and name not in frames}
    shown = [file_of(name, data).plain() for name, data in texts.items()]
    return {
        "version": __version__,
        **tables(),
        "files": shown,
        "frames": frames,
        **({"draw": _draw(files, draw[0] or frames[0], draw[1])} if frames else {}),
        "meshFiles": [name for name in files if name.lower().endswith(SUFFIXES)],
        "meshes": _meshes(),
        "presets": [preset.plain() for preset in presets.listed()],
        "folder": presets.folder,
        "examples": [example.plain() for example in EXAMPLES],
        "options": plain_options(),
        "limits": {"link": LINK, "message": MESSAGE},
        **({"state": plain_state(state)} if state is not None else {}),
        **({"playground": f"{DOCUMENTATION}{PLAYGROUND}"} if DOCUMENTATION else {}),
    }


def opened(files: Mapping[str, bytes]) -> tuple[Mapping[str, bytes], State | None]:
    """Files with the meshes of a saved one in its place, and its state. Raises InputError for a test that the studio has not
    saved, and for one of a recorded draw."""
    saved = [name for name in files if name.lower().endswith(SUFFIX)]
    if not saved:
        return files, None
    found = restored(files[saved[0]].decode("utf-8", "replace"))
    if len(saved) > 1:
        raise refused(f"{len(saved)} saved states: {', '.join(saved)}", "open one of them")
    if found.state.draw is not None:
        frame = found.state.draw.file
        raise refused(f"{saved[0]} needs the recorded frame {frame}", f"`lanewise studio {frame}`, then *Open* {saved[0]}")
    return {**{name: data for name, data in files.items() if name != saved[0]}, **found.meshes}, found.state


def _draw(files: Mapping[str, bytes], file: str, name: str) -> dict[str, str]:
    """The draw that is shown first. By the mark a page knows whether the file is as at its last visit."""
    return {"file": file, "name": name, "mark": blake2b(files[file], digest_size=8).hexdigest()}


@lru_cache
def _meshes() -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for row in SHAPES:
        mesh = shape(row.name)
        triangles = len(mesh.faces) if mesh.faces is not None else 0
        found.append(
            {
                "name": row.name,
                "title": row.title,
                "vertices": len(mesh.arrays["position"]),
                "triangles": triangles,
                "properties": [*mesh.arrays],
            }
        )
    return found


def routes(start: Start) -> Starlette:
    """The application without its guard."""
    folder = page_folder(start.page)
    presets = Presets(start.folders)
    shelf = Shelf()
    known = known_sources(start.known)
    files, saved = opened(start.files)

    async def index(request: Request) -> Response:
        if folder is None:
            return HTMLResponse(_MISSING, 503)
        return HTMLResponse(await asyncio.to_thread(read, folder / "index.html", "program"))

    async def nothing(request: Request) -> Response:
        return PlainTextResponse("not found", 404)

    async def frame(request: Request) -> Response:
        found = shelf.take(request.path_params["name"])
        return await nothing(request) if found is None else Response(found, media_type="application/octet-stream")

    async def room(page: WebSocket) -> None:
        fetches = page.query_params.get("frames") == "fetched"
        first = await asyncio.to_thread(hello, files, presets, start.draw, saved)  # it reads the folders of presets
        await Room(page, first, Desk(files, presets, known), shelf if fetches else None).serve()

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
    return Guard(app, port, start.token, start.state)


class Server(uvicorn.Server):
    """A server that ends soon after Ctrl-C, whatever its threads do."""

    def __init__(self, config: uvicorn.Config, launch: LaunchFile | None = None) -> None:
        super().__init__(config)
        self._launch = launch
        self._before = {*threading.enumerate()}
        self._last = threading.Timer(PATIENCE, self._end)
        self._last.daemon = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if not self._last.is_alive():
            self._last.start()

    @contextmanager
    def interrupted(self) -> Generator[None]:
        """Ctrl-C ends the server from the start, not only once it runs: in between, the interrupt would come up within the
        event loop that is being made."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def ended(self) -> None:
        """The loop has ended. Threads that still work are left to the last resort; in a process that goes on, such as a
        notebook, idle ones end here."""
        started = [thread for thread in {*threading.enumerate()} - self._before if not thread.daemon]
        for thread in started:
            thread.join(0.1)
        if not any(thread.is_alive() for thread in started):
            self._last.cancel()

    def _end(self) -> None:
        """End the process. Threads cannot be ended, and Python waits for them for as long as they work."""
        for process in multiprocessing.active_children():
            process.kill()
        if self._launch is not None:
            self._launch.remove()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def serve(start: Start, announce: Callable[[str], None]) -> None:
    """Serve until interrupted. `announce` gets a link for one browser, and another one for each line on a terminal. Raises
    OSError for a port that is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    launch: LaunchFile | None = None
    try:
        if os.name == "posix":  # elsewhere it would let another server take the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bind(listening, start.port)
        listening.listen()  # a browser that comes before the server runs waits
        guard = application(start, int(listening.getsockname()[1]))
        launch = LaunchFile(guard.keys, guard.address) if start.browser else None
        server = Server(configuration(guard), launch)
        with suppress(KeyboardInterrupt), server.interrupted():
            announce(guard.link())
            if launch is not None:
                threading.Thread(target=_open, args=(launch,), daemon=True).start()
            if sys.stdin is not None and sys.stdin.isatty():
                if os.name == "posix" and threading.current_thread() is threading.main_thread():
                    # in the background of a shell reading fails then, and does not stop the server
                    signal.signal(signal.SIGTTIN, signal.SIG_IGN)
                threading.Thread(target=more, args=(guard, announce), daemon=True).start()
            server.run(sockets=[listening])
        server.ended()
    finally:
        if launch is not None:
            launch.remove()
        listening.close()


def bind(listening: socket.socket, port: int) -> None:
    """Take a port; for 0 the usual one, or a free one where it is taken: what a browser keeps belongs to an address with its
    port, so that the session of the last visit is found again. Raises OSError."""
    if port == 0:
        with suppress(OSError):
            listening.bind((HOST, USUAL_PORT))
            return
    listening.bind((HOST, port))


def _open(launch: LaunchFile) -> None:
    """Start a browser; some keep this thread until they are closed."""
    webbrowser.open(launch.path.as_uri())
    launch.used.wait(STARTED)
    launch.remove()


def more(guard: Guard, announce: Callable[[str], None]) -> None:
    """A link for another browser, for each line that is typed."""
    try:
        while os.read(sys.stdin.fileno(), 1024):  # not by the buffer, whose lock would be missing at the end
            announce(guard.link())
    except (OSError, ValueError):  # in the background of a shell nothing can be read
        pass


def configuration(guard: Guard) -> uvicorn.Config:
    """How uvicorn serves: frames go uncompressed, and no header says more than it has to."""
    return uvicorn.Config(
        guard,
        http=limited(guard.connections),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=MESSAGE,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )


__all__ = [
    "Server",
    "Start",
    "application",
    "configuration",
    "hello",
    "is_frame",
    "more",
    "opened",
    "page_folder",
    "routes",
    "serve",
]
