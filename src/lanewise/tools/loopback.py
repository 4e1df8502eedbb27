"""A port of this machine for one editor: it is let in if it begins as the protocols of editors do, with `Content-Length:`."""

from __future__ import annotations

import io
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lanewise.core.service import InputFailure
from lanewise.tools.console import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import BinaryIO

_BEGINNING = b"content-length:"
_PATIENCE = 5.0  # seconds for the next byte of the beginning


@contextmanager
def one_client(port: int, announce: Callable[[int], None]) -> Generator[tuple[BinaryIO, BinaryIO]]:
    """The streams of a client of this machine; `announce` gets the port. The port is closed then. Raises InputFailure for one
    that is taken.

    A page in a browser can connect to a port too, but what it sends begins with the name of a method: it is closed at the first
    byte that differs.
    """
    try:
        listening = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise InputFailure(f"cannot listen on port {port} of this machine: {reason(error)}") from None
    with listening:
        announce(listening.getsockname()[1])
        while True:
            connection, _ = listening.accept()
            begun = _begun(connection)
            if begun:
                break
            connection.close()
    with connection, io.BufferedReader(_Begun(connection, begun)) as source, connection.makefile("wb") as target:
        yield source, target


def _begun(connection: socket.socket) -> bytes:
    """The beginning of what a client sends; empty for another protocol, and for one that says nothing."""
    found = b""
    connection.settimeout(_PATIENCE)
    try:
        while len(found) < len(_BEGINNING):
            piece = connection.recv(len(_BEGINNING) - len(found))
            found += piece
            if not piece or not _BEGINNING.startswith(found.lower()):
                return b""
        connection.settimeout(None)
    except OSError:
        return b""
    return found


class _Begun(io.RawIOBase):
    """The stream of a client, with the beginning that was read already."""

    def __init__(self, connection: socket.socket, begun: bytes) -> None:
        super().__init__()
        self._connection, self._begun = connection, begun

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]: what BufferedReader gives
        if not self._begun:
            return self._connection.recv_into(buffer)
        piece, self._begun = self._begun[: len(buffer)], self._begun[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


__all__ = ["one_client"]
