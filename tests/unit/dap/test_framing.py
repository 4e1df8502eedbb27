"""Messages on streams, right and wrong ones."""

from __future__ import annotations

import io

import pytest

from lanewise.dap import framing
from lanewise.dap.framing import Malformed
from together import together


def messages(data: bytes) -> list[object]:
    """All messages of a stream."""
    stream = io.BytesIO(data)
    found: list[object] = []
    while (message := framing.read(stream)) is not None:
        found.append(message)
    return found


def test_what_is_written_is_read():
    stream = io.BytesIO()
    for text in ("1", "größer", "𝄞"):
        framing.write(stream, {"text": text})
    assert messages(stream.getvalue()) == [{"text": "1"}, {"text": "größer"}, {"text": "𝄞"}]


def test_header_case_other_headers_and_line_ends():
    assert messages(b"content-length:  2\r\nContent-Type: x\r\n\r\n{}\r\nContent-Length: 2\n\n{}") == [{}, {}]


@together(
    ("data", "reason"),
    [
        (b"Content-Length: 5\r\n\r\n{bad}", "not JSON"),
        (b"Content-Length: 1\r\n\r\n\xff", "not JSON"),
        (b"Content-Length: 4\r\n\r\nnull", "not a JSON object"),
        (b"Content-Length: two\r\n\r\n", "'two', expected a number of bytes"),
        (b"Content-Length: -2\r\n\r\n", "'-2', expected a number of bytes"),
        (b"Content-Type: x\r\n\r\n", "no Content-Length"),
        (b"hello\r\n\r\n", "'hello'"),
        (b"Content-Length: 200000\r\n\r\n" + b"[" * 200000, "not JSON"),
        (b"Content-Length: %d\r\n\r\n" % (framing.MOST + 1) + b" " * (framing.MOST + 1), "longer than"),
    ],
    ids=["json", "utf8", "null", "word", "negative", "none", "line", "deep", "long"],
)
def test_malformed_messages_are_reported_and_the_next_one_is_read(data: bytes, reason: str):
    wrong, right = messages(data + b"Content-Length: 2\r\n\r\n{}")
    assert isinstance(wrong, Malformed) and reason in wrong.reason
    assert right == {}


@pytest.mark.parametrize("data", [b"", b"Content-Le", b"Content-Length: 10\r\n\r\n{}", b"Content-Length: 10\r\n"])
def test_a_stream_that_ends_inside_a_message(data: bytes):
    assert messages(data) == []
