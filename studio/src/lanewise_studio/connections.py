"""Connections that have shown no key: they are closed soon, and are limited in number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

SECONDS = 2.0
MOST = 64

Client = tuple[str, int]


class Connections:
    """The connections without a key, by the addresses of their clients, the oldest first. All of it happens in the event
    loop."""

    def __init__(self, seconds: float = SECONDS, most: int = MOST) -> None:
        self.seconds, self.most = seconds, most
        self._unknown: dict[Client, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}

    def __len__(self) -> int:
        return len(self._unknown)

    def add(self, client: Client, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """A connection was opened. The oldest is closed where there are too many: a browser shows its cookie at once."""
        for gone in [client for client, (other, _) in self._unknown.items() if other.is_closing()]:  # sockets that were refused
            self.know(gone)
        if len(self._unknown) >= self.most:
            self._close(next(iter(self._unknown)))
        self._unknown[client] = transport, loop.call_later(self.seconds, self._close, client)

    def know(self, client: Client | None) -> None:
        """A client has shown a key, or has gone."""
        found = self._unknown.pop(client, None) if client is not None else None
        if found is not None:
            found[1].cancel()

    def _close(self, client: Client) -> None:
        transport, timer = self._unknown.pop(client)
        timer.cancel()
        transport.abort()


def limited(connections: Connections) -> type[asyncio.Protocol]:
    """The protocol of HTTP for these connections."""

    class Limited(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]: as uvicorn's own
            super().connection_made(transport)
            if self.client is not None:
                connections.add(self.client, transport, self.loop)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.know(self.client)
            super().connection_lost(exc)

    return Limited


__all__ = ["MOST", "SECONDS", "Connections", "limited"]
