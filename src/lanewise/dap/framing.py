"""Messages of the debug adapter protocol on a stream: a header with the length, then JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from lanewise.core.nesting import json_value
from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    Message = dict[str, object]

MOST = 1 << 26  # bytes of a message; a longer one is skipped, so that a wrong header cannot take all memory
_HEADER = 1 << 12  # bytes of a line of the header
_PIECE = 1 << 16


class Malformed(Record):
    """A message that cannot be read, and why. The stream goes on after it."""

    reason: str


def read(stream: BinaryIO) -> Message | Malformed | None:
    """The next message, `Malformed` for one that cannot be read, None at the end of the stream."""
    length: int | None = None
    wrong, begun = "", False
    while True:
        line = stream.readline(_HEADER)
        if not line:
            return None
        line = line.strip()
        if not line:
            if begun:
                break
            continue  # blank lines between messages are harmless
        begun = True
        name, colon, value = line.partition(b":")
        if not colon:
            wrong = f"the header has the line {_shown(line)}, expected Content-Length: N"
        elif name.strip().lower() == b"content-length":
            digits = value.strip()
            if digits.isdigit() and len(digits) < 19:
                length = int(digits)
            else:
                wrong = f"Content-Length is {_shown(digits)}, expected a number of bytes"
    if length is None:
        return Malformed(wrong or "the header has no Content-Length")
    if length > MOST:
        while length > 0 and (skipped := stream.read(min(length, _PIECE))):
            length -= len(skipped)
        return Malformed(f"the message is longer than {MOST} bytes")
    content = stream.read(length)
    if len(content) < length:
        return None
    try:
        message: object = json_value(content)
    except (ValueError, RecursionError) as error:
        return Malformed(f"the message is not JSON: {str(error)[:200]}")
    return cast("Message", message) if isinstance(message, dict) else Malformed("the message is not a JSON object")


def write(stream: BinaryIO, message: Mapping[str, object]) -> None:
    """Write a message. Raises OSError."""
    content = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    stream.flush()


def _shown(data: bytes) -> str:
    return repr(data[:40].decode("ascii", "replace"))


__all__ = ["MOST", "Malformed", "read", "write"]
