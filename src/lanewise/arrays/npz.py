"""Arrays in `.npz` and `.npy` files."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.service import InputFailure
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

MOST_NUMBERS = 1 << 27
_MOST_LISTED = 8


def npz_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """An `.npz` of arrays under their names: `numpy.savez` cannot take an array called `file`, and before 2.1 takes
    `allow_pickle` for one."""
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
    return stream.getvalue()


def _which(path: str, key: str, names: list[str], by_name: str) -> str:
    """The message about an array of an archive that is not named, or does not exist."""
    listed = ", ".join(names[:_MOST_LISTED])
    named = f"`numpy.savez({path!r}, {by_name or 'position'}=values)`"
    if not names:
        return f"{path} has no arrays: write it with {named}"
    close = near(key or by_name, names)
    if key:
        return f"{path} has no array '{key}': " + (f"write {path}:{close[0]}" if close else f"it has {listed}")
    if all(name.startswith("arr_") for name in names):
        fix = f"write {path}:{names[0]} for the first, or save them by name, {named}"
        return f"{path} has {len(names)} arrays without names, {listed}: {fix}"
    return f"{path} has {len(names)} arrays, {listed}: write {path}:{(close or names)[0]}"


def read_npz(data: bytes, path: str, key: str, by_name: str = "") -> NDArray[Any]:
    """The array of an `.npz`; `key` names it where there are several: without, the one of the value `by_name`. Raises
    InputFailure."""
    try:
        import zipfile

        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {item.filename.removesuffix(".npy"): item for item in archive.infolist()}
            if not key:
                key = next(iter(sizes)) if len(sizes) == 1 else by_name if by_name in sizes else ""
            if key not in sizes:
                raise InputFailure(_which(path, key, list(sizes), by_name))
            item = sizes[key]
            with archive.open(item) as stream:
                head = stream.read(64 << 10)
                _npy_shape(io.BytesIO(head), item.file_size, f"{path}:{key}")
                return read_npy(io.BytesIO(head + stream.read()), item.file_size, f"{path}:{key}")
    except (InputFailure, MemoryError):
        raise
    except Exception as error:  # zipfile may raise anything for damaged files: ValueError, struct.error, zlib.error, ...
        raise InputFailure(
            f"{path} is not a valid .npz file: {error or type(error).__name__}; write it with numpy.savez"
        ) from None


_OBJECTS = "numpy.save writes them as a pickle, which is not read: save `numpy.array(values.tolist(), numpy.float32)`"
# What to save in place of an array that is not of numbers, by the kind of its values.
_SAVED = {
    "one": "save an array, or several by name, `numpy.savez('values.npz', **values)`, of which `values.npz:NAME` is one",
    "O": _OBJECTS,
    "U": "save `values.astype(numpy.float32)`",
    "S": "save `values.astype(numpy.float32)`",
    "T": "save `values.astype(numpy.float32)`",
    "c": "save its real parts, `values.real`, or `numpy.abs(values)`",
    "m": "save seconds, `values / numpy.timedelta64(1, 's')`",
    "M": "save seconds, `(values - values.min()) / numpy.timedelta64(1, 's')`",
    "V": "save its fields side by side, `numpy.stack([values[name] for name in values.dtype.names], -1)`",
}


def _npy_shape(stream: io.BytesIO, size: int, name: str) -> None:
    """Refuse a header that promises another amount of data than there is, or none of numbers, before any is read."""
    if not size:
        raise InputFailure(
            f"{name} is empty, as numpy.save leaves it where it fails: save an array, or several by name, "
            "`numpy.savez('values.npz', **values)`"
        )
    if not stream.getvalue().startswith(np.lib.format.MAGIC_PREFIX):
        raise InputFailure(f"{name} is not a valid .npy file: it does not begin with \\x93NUMPY; write it with numpy.save")
    try:
        version = np.lib.format.read_magic(stream)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in the literal
            shape, _, dtype = read_header(stream)
    except Exception:  # the header is a Python literal: its reader may raise anything
        raise InputFailure(f"{name} is not a valid .npy file: its header is damaged; write it with numpy.save") from None
    count = 1
    for length in shape:
        count *= length
    if dtype.kind not in "biuf":
        what = "objects of Python" if dtype.kind == "O" else str(dtype)
        fix = _SAVED["one" if dtype.kind == "O" and not shape else dtype.kind]
        raise InputFailure(f"{name} holds {what}, expected numbers: {fix}")
    if count > MOST_NUMBERS:
        raise InputFailure(f"{name} claims {count} numbers: at most {MOST_NUMBERS} are read")
    if count * dtype.itemsize != size - stream.tell():
        raise InputFailure(
            f"{name} is cut short or spoilt: its header promises {count * dtype.itemsize} bytes, there are "
            f"{size - stream.tell()}"
        )


def read_npy(stream: io.BytesIO, size: int, name: str) -> NDArray[Any]:
    """The array of an `.npy` of `size` bytes. Raises InputFailure."""
    _npy_shape(stream, size, name)
    stream.seek(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.lib.format.read_array(stream, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputFailure(f"{name} is not a valid .npy file: {error}; write it with numpy.save") from None
