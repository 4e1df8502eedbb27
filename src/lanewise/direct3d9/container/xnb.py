"""Open XNB files of XNA, FNA and MonoGame: the effect that one holds.

Source: MonoGame, ContentManager.cs, ContentReader.cs and EffectReader.cs; Microsoft, Compiled (XNB) Content Format. Compressed
files are not unpacked: LZX (XNA) and LZ4 (MonoGame) are algorithms for which the dependencies of lanewise have no reader.
"""

from __future__ import annotations

from lanewise.core.record import Record
from lanewise.direct3d9.container.bounded import Bytes, Malformed

TAG = b"XNB"
_LZX, _LZ4 = 0x80, 0x40


class Contents(Record):
    """The contents of an XNB: the reader of its asset, the bytes of an effect and where they are. `compression` is empty for a
    file that is not compressed."""

    reader: str
    effect: bytes = b""
    offset: int = 0
    compression: str = ""


def is_xnb(data: bytes) -> bool:
    """Whether bytes begin as an XNB: letters, platform, version."""
    return data.startswith(TAG) and len(data) >= 10 and data[3:4].isalpha() and 1 <= data[4] <= 9


def read_xnb(data: bytes) -> Contents:
    """The asset of a file. Raises Malformed."""
    if len(data) < 10:
        raise Malformed("the header of XNB is cut off", len(data))
    flags = data[5]
    if flags & (_LZX | _LZ4):
        return Contents("", compression="LZX" if flags & _LZX else "LZ4")
    r = Bytes(data, 10)
    readers: list[str] = []
    for _ in range(r.count(r.number7(), 5, "readers")):
        readers.append(r.text7())
        r.take(4)
    r.number7()  # shared resources
    chosen = r.number7()
    if not 1 <= chosen <= len(readers):
        raise Malformed(f"its asset has reader {chosen} of {len(readers)}", r.at - 1)
    name = readers[chosen - 1].partition(",")[0].rpartition(".")[2]
    if name != "EffectReader":
        return Contents(name)
    size = r.word()
    at = r.at
    return Contents(name, r.take(size), at)
