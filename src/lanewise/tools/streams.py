"""`--stream` and `--indices` for ShaderCore: vertices as they lie in its memory, a descriptor for each input.

`--stream NAME=TYPE:FILE:OFFSET:STRIDE:BASE` is the descriptor that a driver sets: type, stride and offset in DWORDs of 4 bytes; BASE is
where the first vertex begins, in DWORDs too, any number. `--buffer` is the same for the PICA200, in bytes, as its loader counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays.values import exists, read_value
from lanewise.shadercore.api.streams import KINDS, Stream
from lanewise.tools.console import STDIO, InputFailure, UsageError, read_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from numpy.typing import NDArray

_KIND = re.compile(r"(float|d3dcolor)\s*[*x]?\s*([1-4])?", re.IGNORECASE)
_WANTED = (
    "write NAME=TYPE:FILE[:OFFSET[:STRIDE]], such as position=float3:mesh.bin:0:6; types are float1 to float4 and d3dcolor"
)
_INDEX_SUFFIXES = (".u16", ".bin", ".idx")


def add_streams(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("vertex streams", "vertices as they lie in memory: a descriptor for each input")
    group.add_argument("--stream", action="append", default=[], metavar="NAME=TYPE:FILE[:OFFSET[:STRIDE[:BASE]]]", help="an input by usage or v0-v7; "
                       "float1 to float4 or d3dcolor (0xAARRGGBB); raw bytes of a file; DWORDs before the element (0-63, default 0) and "
                       "from vertex to vertex (0-63, 0: all read the same; default: those of the type); DWORDs before the first vertex")  # fmt: skip
    group.add_argument("--indices", metavar="VALUE", help="numbers of vertices, 16 bits: 0,1,2,2,1,3, or a file: .npy and tables, or raw "
                       f"little-endian 16-bit words in {', '.join(_INDEX_SUFFIXES)}")  # fmt: skip


def read_streams(texts: Sequence[str]) -> list[Stream]:
    """The descriptors of a command line. Raises UsageError, InputFailure."""
    data: dict[str, bytes] = {}
    found: list[Stream] = []
    for text in texts:
        name, kind, rest = _parts(text)
        path, numbers = _file(rest, text)
        if path not in data:
            data[path] = read_bytes(path)
        offset, stride, base = (*numbers, None, None, None)[:3]
        shown = "<stdin>" if path == STDIO else path
        found.append(Stream(name, kind, data[path], stride, offset or 0, base or 0, shown))
    return found


def stream_kind(text: str) -> str | None:
    """A key of `KINDS` for `float3`, `float*3` or `D3DCOLOR`; None for what is no type."""
    match = _KIND.fullmatch(text.strip())
    if match is None:
        return None
    kind = match[1].lower() + (match[2] or "")
    return kind if kind in KINDS else None


def _parts(text: str) -> tuple[str, str, str]:
    name, equals, form = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise UsageError(f"--stream {text}: {_WANTED}")
    kind_text, colon, rest = form.partition(":")
    kind = stream_kind(kind_text)
    if kind is None:
        raise UsageError(f"--stream {text}: there is no type '{kind_text}': {_WANTED}")
    if not colon or not rest:
        raise UsageError(f"--stream {text}: no file: {_WANTED}")
    return name, kind, rest


def _file(text: str, whole: str) -> tuple[str, list[int | None]]:
    """FILE with up to three numbers behind it; the whole text is a file if there is one of that name. Raises UsageError."""
    path, numbers = text, list[str]()
    for count in range(4):
        head, *tails = text.rsplit(":", count)
        if exists(head) or head == STDIO:
            path, numbers = head, tails
            break
        if head and len(tails) == count and all(tail == "" or tail[0].isdigit() or tail[0] == "-" for tail in tails):
            path, numbers = head, tails  # to be missed under its own name
    found: list[int | None] = []
    for what, number in zip(("OFFSET", "STRIDE", "BASE"), numbers, strict=False):
        try:
            found.append(int(number, 0) if number else None)
        except ValueError:
            raise UsageError(f"--stream {whole}: {what} is a number of DWORDs, not '{number}'") from None
    return path, found


def read_indices(text: str | None) -> NDArray[Any] | None:
    """The indices of a command line; None without them. Raises InputFailure."""
    if text is None:
        return None
    if text.lower().endswith(_INDEX_SUFFIXES) and exists(text):
        data = read_bytes(text)
        if len(data) % 2:
            raise InputFailure(f"--indices: {text} has {len(data)} bytes, which are no whole number of 16-bit indices")
        return np.frombuffer(data, "<u2")
    value = read_value(text, "--indices")
    array = np.asarray(value if isinstance(value, np.ndarray) else value.array)
    if (
        array.dtype.kind == "f"
        and array.size
        and bool(np.all(array == np.floor(array)))
        and bool(np.all(np.abs(array) < 2**53))
    ):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InputFailure("--indices: whole numbers are needed")
    return array.reshape(-1)
