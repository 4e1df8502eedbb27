"""`--stream` and `--indices` for ShaderCore: vertex data in memory.

`--stream NAME=TYPE:FILE:OFFSET:STRIDE:BASE` is the descriptor that a driver sets: type, stride and offset in DWORDs of 4 bytes;
BASE is where the first vertex begins, in DWORDs too, any number. `--buffer` is the same for the PICA200, in bytes, as its
loader counts.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from lanewise.arrays.values import origin_of, read_value
from lanewise.core.diagnostics import INDICES
from lanewise.core.extras import require_numpy
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.shadercore.api.stream_layouts import KINDS
from lanewise.shadercore.api.streams import Stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.core.service import Files, Request

_KIND = re.compile(r"(float|d3dcolor)\s*[*x]?\s*([1-4])?", re.IGNORECASE)
_WANTED = (
    "write NAME=TYPE:FILE[:OFFSET[:STRIDE[:BASE]]], such as position=float3:mesh.bin:0:6; types are float1 to float4 and "
    "d3dcolor"
)
_NEXT = re.compile(r"[,;\s]\s*(?=[A-Za-z]\w*\s*=|(?:float[1-4]|d3dcolor):)")  # before another descriptor
INDEX_SUFFIXES = (".u16", ".bin", ".idx")


def read_streams(texts: Sequence[str], files: Files) -> list[Stream]:
    """The descriptors of a command line. Raises UsageError, InputFailure."""
    data: dict[str, bytes] = {}
    found: list[Stream] = []
    for text in texts:
        name, kind, rest = _parts(text)
        path, numbers = _file(rest, text, files)
        if not files.exists(path):
            refuse_several(text, file=True)
        if path not in data:
            data[path] = files.read(path)
        offset, stride, base = (*numbers, None, None, None)[:3]
        shown = "<stdin>" if path == STDIO else path
        found.append(
            Stream(input=name, kind=kind, data=data[path], stride=stride, offset=offset or 0, base=base or 0, name=shown)
        )
    return found


def stream_kind(text: str) -> str | None:
    """A key of `KINDS` for `float3`, `float*3` or `D3DCOLOR`; None for an unknown type."""
    match = _KIND.fullmatch(text.strip())
    if match is None:
        return None
    kind = match[1].lower() + (match[2] or "")
    return kind if kind in KINDS else None


_TYPES = {
    **{f"{prefix}{n}": f"float{n}" for prefix in ("vec", "f32x", "xyzw"[:1] + "f") for n in (2, 3, 4)},
    **{f"{letters}32_float": f"float{n}" for n, letters in enumerate(("r", "r32g", "r32g32b", "r32g32b32a"), 1)},
    **dict.fromkeys(("float", "f32", "scalar"), "float1"),
    **dict.fromkeys(("xy", "uv", "float32x2"), "float2"),
    **dict.fromkeys(("xyz", "float32x3"), "float3"),
    **dict.fromkeys(("xyzw", "float32x4"), "float4"),
    **dict.fromkeys(
        ("color", "colour", "ubyte4", "ubyte4n", "rgba8", "bgra8", "unorm8x4", "byte4", "u8x4", "argb", "b8g8r8a8_unorm"),
        "d3dcolor",
    ),
}


def unknown_kind(text: str) -> str:
    """The message about a type of elements that the core does not have, with the one that is meant."""
    plain = text.strip().lower()
    near = _TYPES.get(plain) or next((kind for kind in KINDS if plain.startswith(kind)), "")
    if ":" in plain and near:
        rest = plain.partition(":")[2]
        if rest[:1].isalpha():
            return f"'{text.strip()}' has no input: write NAME={text.strip()}"
        return f"'{text.strip()}' has no file: write NAME={near}:FILE:OFFSET:STRIDE, or {near} without numbers"
    name, colon, kind = text.strip().partition(":")
    if colon and kind.lower() in KINDS and name.isidentifier():
        return f"'{text.strip()}': write {name}={kind.lower()}, or {kind.lower()} without a name"
    hint = f" (did you mean {near}?)" if near else ""
    if plain.startswith(("half", "float16", "f16", "short", "int16")):
        hint = ": convert the data to float, the core reads DWORDs"
    return f"unknown type '{text.strip()}': use {', '.join(KINDS)}{hint}"


def refuse_several(text: str, *, file: bool) -> None:
    """Raise UsageError for several descriptors in one; `file`: each names a file."""
    parts: list[str] = []
    for part in _NEXT.split(text.strip()):
        name, equals, form = part.rpartition("=")
        kind, colon, rest = form.partition(":")
        kind = stream_kind(kind) or _TYPES.get(kind.strip().lower(), kind)
        parts.append(f"--stream {name if equals else 'NAME'}={kind}{colon}{rest}{':FILE' if file and not colon else ''}")
    if len(parts) > 1:
        raise UsageError(f"--stream {text}: write one for each input: {' '.join(parts)}")


def has_file(text: str) -> bool:
    """Whether a descriptor of a command line names a file, and not only the type of an input."""
    return ":" in text.partition("=")[2]


def _parts(text: str) -> tuple[str, str, str]:
    name, equals, form = (part.strip() for part in text.partition("="))
    if not equals or not name:
        known = stream_kind(text.partition(":")[0]) is not None and ":" in text
        if known:
            refuse_several(text, file=True)
        raise UsageError(f"--stream {text}: " + (f"write --stream position={text}, with the input" if known else _WANTED))
    kind_text, colon, rest = form.partition(":")
    kind = stream_kind(kind_text)
    if kind is None:
        refuse_several(text, file=True)
    if kind is None and not colon:  # FILE, or TYPE,FILE
        first, separator, file = form.partition(",")
        given = stream_kind(first) if separator else "float3" if "." in form else None
        if given is not None:
            raise UsageError(f"--stream {text}: write --stream {name}={given}:{file or form}, the type and the file")
    if kind is None:
        raise UsageError(f"--stream {text}: {unknown_kind(kind_text)}: {_WANTED}")
    if not colon or not rest:
        raise UsageError(f"--stream {text}: missing file: {_WANTED}")
    return name, kind, rest


def _file(text: str, whole: str, files: Files) -> tuple[str, list[int | None]]:
    """FILE followed by up to three numbers; the whole text is a file if one of that name exists. Raises UsageError."""
    path, numbers = text, list[str]()
    for count in range(4):
        head, *tails = text.rsplit(":", count)
        if files.exists(head) or head == STDIO:
            path, numbers = head, tails
            break
        if head and len(tails) == count and all(tail == "" or tail[0].isdigit() or tail[0] == "-" for tail in tails):
            path, numbers = head, tails  # to be missed under its own name
    found: list[int | None] = []
    for what, number in zip(("OFFSET", "STRIDE", "BASE"), numbers, strict=False):
        try:
            found.append(int(number, 0) if number else None)
        except ValueError:
            raise UsageError(f"--stream {whole}: {what} is '{number}', expected a number of DWORDs") from None
    return path, found


def indices_of(request: Request) -> NDArray[Any] | None:
    """The indices of a request, whose file is then the place of findings about them. Raises InputFailure."""
    text = request.text("indices")
    if text:
        request.origins[INDICES, ""] = origin_of(text, request.files, f"--indices {text}")
    return read_indices(text, request.files)


def read_indices(text: str, files: Files) -> NDArray[Any] | None:
    """The indices of a command line; None without them. Raises InputFailure."""
    if not text:
        return None
    require_numpy("--indices")
    import numpy as np

    if text.lower().endswith(INDEX_SUFFIXES) and files.exists(text):
        data = files.read(text)
        if len(data) % 2:
            bits = f"{text} has {len(data)} bytes, expected a multiple of 2 for 16-bit indices"
            raise InputFailure(f"--indices: {bits}: if they are bytes, write uint16 ones")
        return np.frombuffer(data, "<u2")
    try:
        value = read_value(text, "--indices", files)
    except InputFailure as error:
        if "is not text" not in str(error):
            raise
        raise InputFailure(
            f"--indices: {text} is neither .npy, .npz nor a table of numbers, and raw 16-bit words are "
            f"{', '.join(INDEX_SUFFIXES[:-1])} or {INDEX_SUFFIXES[-1]}: write '<H' of Python's struct, or uint16, to "
            f"{PurePath(text).stem}.u16"
        ) from None
    array = np.asarray(value if isinstance(value, np.ndarray) else value.array)
    if (
        array.dtype.kind == "f"
        and array.size
        and bool(np.all(array == np.floor(array)))
        and bool(np.all(np.abs(array) < 2**53))
    ):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InputFailure("--indices: expected whole numbers")
    return array.reshape(-1)
