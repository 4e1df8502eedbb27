"""The socket of the editor: the language server of `lanewise lsp`, one for each tab."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING

from lanewise import __version__
from lanewise.lsp.features import wire
from lanewise.lsp.server import Host, Server
from starlette.websockets import WebSocket, WebSocketDisconnect

from lanewise_studio.places import control

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)


class _Writer:
    """Where the server writes messages, from any of its threads."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put
        self._loop = asyncio.get_running_loop()

    def write(self, data: bytes) -> None:
        self._loop.call_soon_threadsafe(self._put, data)

    def close(self) -> None:
        pass


class _Alone(Host):
    """No configuration, no folders: the files are those of the page."""

    disk = False

    def surface(self, key: str, value: str) -> str:
        return control(key, value)


async def serve(socket: WebSocket) -> None:
    """Talk to one editor until it goes. Each text message is one message of the protocol."""
    await socket.accept()
    server = Server(_Alone(), __version__)
    wire(server)
    outgoing: asyncio.Queue[bytes] = asyncio.Queue()
    server.protocol.set_writer(_Writer(outgoing.put_nowait), include_headers=False)

    async def send() -> None:
        while True:
            await socket.send_text((await outgoing.get()).decode())

    sender = asyncio.create_task(send())
    try:
        while True:
            text = await socket.receive_text()
            try:
                message = json.loads(text, object_hook=server.protocol.structure_message)
                server.protocol.handle_message(message)
            except (
                Exception
            ) as error:  # as in the loop of pygls over a stream: whatever a message causes is reported to the editor
                server.report_server_error(error, type(error))
    except (WebSocketDisconnect, KeyError):
        pass
    finally:
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)
        server.shutdown()


__all__ = ["serve"]
