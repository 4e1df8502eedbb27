"""Zstandard frames: whole, damaged, too large, and where no module reads them."""

from __future__ import annotations

import random
import sys

import pytest

from lanewise.core.zstd import MAGIC, decompress

# 5,000 times "a", by zstd 1.5.
FRAME = MAGIC + bytes.fromhex("6088124d0000106161010083d3032c")
STORED = MAGIC + b"\x00\x58" + bytes([3 << 3 | 1, 0, 0]) + b"abc"


def test_a_frame():
    assert decompress(FRAME, 5000) == b"a" * 5000
    assert decompress(STORED, 3) == b"abc"


@pytest.mark.parametrize(
    ("frame", "limit", "message"),
    [
        (FRAME, 4999, "more than 4999"),
        (STORED, 2, "more than 2"),
        (b"PK" + FRAME, 5000, "damaged"),
        (FRAME[:-5], 5000, "truncated"),
    ],
)
def test_refused(frame: bytes, limit: int, message: str):
    with pytest.raises(ValueError, match=message):
        decompress(frame, limit)


def test_damaged_frames_are_refused_or_read():
    chosen = random.Random(7)
    refused = 0
    for _ in range(100):
        changed = bytearray(FRAME)
        changed[chosen.randrange(4, len(changed))] ^= 1 << chosen.randrange(8)
        try:
            assert len(decompress(bytes(changed[: chosen.randrange(5, 2 * len(changed))]), 8192)) <= 8192
        except ValueError:
            refused += 1
    assert refused > 20


def test_without_the_module_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    for name in ("compression", "backports", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ValueError, match=r"needs backports.zstd: .*lanewise\[caches\]"):
        decompress(STORED, 3)
