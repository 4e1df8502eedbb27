"""Binary frames: arrays as they lie in memory, behind a JSON head that names them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_TYPES = {"f4": "f32", "u4": "u32", "u1": "u8", "u2": "u16"}
_BACK = {name: code for code, name in _TYPES.items()}
_ALIGNED = 8


def pack(head: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """One frame: the length of the head (u32, little-endian), the head padded with spaces, then the arrays, each at a multiple
    of 8 bytes from the head's end."""
    rows: list[dict[str, object]] = []
    parts: list[bytes | memoryview] = []
    offset = 0
    for name, array in arrays.items():
        flat = np.ascontiguousarray(array)
        if flat.dtype.byteorder == ">":
            flat = flat.astype(flat.dtype.newbyteorder("<"))
        rows.append(
            {"name": name, "type": _TYPES[flat.dtype.str[1:]], "shape": [*flat.shape], "offset": offset, "bytes": flat.nbytes}
        )
        padding = -flat.nbytes % _ALIGNED
        parts += [flat.data.cast("B") if flat.nbytes else b"", bytes(padding)]
        offset += flat.nbytes + padding
    text = json.dumps({**head, "arrays": rows}, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(4 + len(text)) % _ALIGNED)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def unpack(frame: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The head and the arrays of a frame."""
    length = int.from_bytes(frame[:4], "little")
    head: dict[str, Any] = json.loads(frame[4 : 4 + length])
    arrays: dict[str, NDArray[Any]] = {}
    for row in head["arrays"]:
        start = 4 + length + row["offset"]
        data = np.frombuffer(frame[start : start + row["bytes"]], "<" + _BACK[row["type"]])
        arrays[row["name"]] = data.reshape(row["shape"])
    return head, arrays


class Shown(NamedTuple):
    """The arrays of the mesh that the page was sent last, with the number of what it asked."""

    number: int
    arrays: Mapping[str, NDArray[Any]]

    def kept(self, has: object, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Those that a page that `has` them need not be sent again, bit for bit the same:
        `{"mesh": NUMBER, "arrays": [NAME, ...]}`."""
        given = cast("dict[str, object]", has) if isinstance(has, dict) else {}
        names = given.get("arrays")
        if given.get("mesh") != self.number or not isinstance(names, list):
            return {}
        held = {name: self.arrays[name] for name in arrays if name in names and name in self.arrays}
        return {name: old for name, old in held.items() if _same(old, arrays[name])}


def _same(old: NDArray[Any], new: NDArray[Any]) -> bool:
    """Whether the bytes are the same, which is more than equal numbers."""
    return old.shape == new.shape and old.dtype == new.dtype and old.data.cast("B") == np.ascontiguousarray(new).data.cast("B")


__all__ = ["Shown", "pack", "unpack"]
