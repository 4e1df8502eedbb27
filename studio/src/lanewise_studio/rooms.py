"""A room for each tab of a browser: messages in, panes out, one piece of work at a time and one beside it, and only the newest
of each kind."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.diagnostics import InputError
from lanewise.core.nesting import json_value
from starlette.websockets import WebSocket, WebSocketDisconnect

from lanewise_studio.asks import Ask, Desk, findings_of
from lanewise_studio.shelf import LARGE
from lanewise_studio.stop import Cancelled, Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise_studio.shelf import Shelf

_log = logging.getLogger(__name__)
NEWEST = (
    "evaluate",
    "uniforms",
    "step",
    "pick",
    "trace",
    "wave",
    "explain",
    "seek",
    "rows",
    "draw",
    "apart",
)  # kinds of which an older one is not wanted
_REPLACES = {"evaluate": ("evaluate", "uniforms")}  # kinds that are of no use once a message of this kind has come
_INTERRUPTS = {  # kinds whose work it ends
    "evaluate": ("evaluate", "why", "paths", "compare", "opt", "diff", "compiled"),
    "apart": ("apart",),
}
_BESIDE = ("apart",)  # kinds that take long and need nothing of the state: work that the others do not wait for
MOST_WAITING = 100


class _Lane:
    """Work of which one piece is done at a time."""

    def __init__(self, name: str) -> None:
        self.worker = ThreadPoolExecutor(1, name)
        self.waiting: deque[Ask] = deque()
        self.running: Ask | None = None
        self.wake = asyncio.Event()


class Room:
    """One socket of one page. Large frames lie on a `shelf`, if there is one, and the page is told their names:
    `{"frame": NAME}`."""

    def __init__(self, socket: WebSocket, hello: Mapping[str, object], desk: Desk, shelf: Shelf | None = None) -> None:
        self._socket, self._hello, self._desk, self._shelf = socket, hello, desk, shelf
        self._lanes = _Lane("room"), _Lane("beside")
        self._outgoing: asyncio.Queue[dict[str, object] | bytes] = asyncio.Queue()

    async def serve(self) -> None:
        """Talk to the page until it goes."""
        await self._socket.accept()
        loop = asyncio.get_running_loop()
        tasks = [*[loop.create_task(self._work(lane)) for lane in self._lanes], loop.create_task(self._sender())]
        self._put({"hello": dict(self._hello)})
        try:
            while (message := await self._socket.receive())["type"] != "websocket.disconnect":
                self._take(message.get("text") or "")  # of a binary message, which pages do not send, there is none
        finally:
            for lane in self._lanes:
                for ask in (*lane.waiting, *((lane.running,) if lane.running is not None else ())):
                    ask.stop.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for lane in self._lanes:
                lane.worker.shutdown(wait=False, cancel_futures=True)

    def _put(self, message: dict[str, object] | bytes) -> None:
        self._outgoing.put_nowait(message)

    async def _sender(self) -> None:
        try:
            while True:
                message = await self._outgoing.get()
                if not isinstance(message, bytes):
                    await self._socket.send_text(_text(message))
                elif self._shelf is None or len(message) < LARGE:
                    await self._socket.send_bytes(message)
                else:
                    with self._shelf.holding(message) as (name, taken):
                        await self._socket.send_text(_text({"frame": name}))
                        await taken.wait()
                self._outgoing.task_done()
        except (WebSocketDisconnect, RuntimeError):  # the page has gone; the reader ends the room
            while True:
                await self._outgoing.get()
                self._outgoing.task_done()

    def _take(self, text: str) -> None:
        """A message of the page."""
        try:
            value: Any = json_value(text)
        except (ValueError, RecursionError):
            value = None
        message = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        number, kind = message.get("id"), message.get("ask")
        if not isinstance(number, int) or isinstance(number, bool) or not isinstance(kind, str):
            self._put({"fault": "a message is a JSON object with a number `id` and a text `ask`"})
            return
        if kind == "cancel":
            self._cancel(message.get("target"))
            self._put({"id": number, "done": True, "seconds": 0})
            return
        lane = self._lanes[kind in _BESIDE]
        for old in [ask for ask in lane.waiting if ask.kind in _REPLACES.get(kind, (kind,) if kind in NEWEST else ())]:
            self._drop(lane, old)
        running = lane.running
        if running is not None and running.kind in _INTERRUPTS.get(kind, ()):
            running.stop.set()
        loop = asyncio.get_running_loop()

        def send(answer: dict[str, object] | bytes) -> None:
            loop.call_soon_threadsafe(self._put, answer)

        def report(done: int, total: int, what: str) -> None:
            send({"id": number, "progress": [done, total], "what": what})

        if len(lane.waiting) >= MOST_WAITING:
            self._drop(lane, lane.waiting[0])
        lane.waiting.append(Ask(number, kind, message, send, Stop(report)))
        lane.wake.set()

    def _drop(self, lane: _Lane, ask: Ask) -> None:
        lane.waiting.remove(ask)
        self._put({"id": ask.number, "cancelled": True})

    def _cancel(self, target: object) -> None:
        for lane in self._lanes:
            for ask in [ask for ask in lane.waiting if target in (None, ask.number)]:
                self._drop(lane, ask)
            if lane.running is not None and target in (None, lane.running.number):
                lane.running.stop.set()

    async def _work(self, lane: _Lane) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not lane.waiting:
                lane.wake.clear()
                await lane.wake.wait()
            lane.running = ask = lane.waiting.popleft()
            last = await loop.run_in_executor(lane.worker, self._done, ask)
            lane.running = None
            if last is not None:
                self._put(last)
            await self._outgoing.join()  # no more frames than the page takes

    def _done(self, ask: Ask) -> dict[str, object] | None:
        """Do what is asked, on the worker, and give the last message of the answer; None where a frame was it."""
        started = time.perf_counter()
        try:
            ask.stop.check()
            self._desk.answer(ask)
        except Cancelled:
            return {"id": ask.number, "cancelled": True}
        except InputError as error:
            return {"id": ask.number, "error": findings_of(error)}
        except Exception as error:  # a bug of a pane: the page says so, the room goes on, and the log has the traceback
            if ask.stop.is_set:
                return {"id": ask.number, "cancelled": True}
            _log.exception("internal error")
            return {"id": ask.number, "fault": f"internal error: {type(error).__name__}: {error}"}
        return {"id": ask.number, "done": True, "seconds": time.perf_counter() - started} if ask.kind != "uniforms" else None


def _text(message: dict[str, object]) -> str:
    try:
        return json.dumps(message, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:  # a bug of a pane
        _log.exception("a pane is not JSON")
        return json.dumps({"id": message.get("id"), "fault": f"internal error: {error}"})


__all__ = ["Room"]
