"""Zstandard frames, for files that hold them: through `compression.zstd` of Python 3.14, before that through its backport."""

from __future__ import annotations

import sys

from lanewise.core.extras import extra

MAGIC = b"\x28\xb5\x2f\xfd"


def decompress(data: bytes, limit: int) -> bytes:
    """The content of a frame, at most `limit` bytes. Raises ValueError for damaged data, more bytes than that, or where nothing
    reads it."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ValueError(f"compressed data needs backports.zstd: {extra('caches')}") from None
    reader = zstd.ZstdDecompressor()
    try:
        content = reader.decompress(data, limit + 1)
    except zstd.ZstdError as error:
        raise ValueError(f"a Zstandard frame is damaged: {error}") from None
    if len(content) > limit:
        raise ValueError(f"a Zstandard frame has more than {limit} bytes")
    if not reader.eof:
        raise ValueError("a Zstandard frame is truncated")
    return content


__all__ = ["MAGIC", "decompress"]
