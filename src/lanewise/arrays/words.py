"""Raw words in place of numbers: `Words`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import asarray, ndarray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray


class Words:
    """Raw words for an input, a float uniform or a constant: `Words(array)`.

    `array` has integers in the shape of the numbers: float24 words of 24 bits for the PICA200, float32 patterns of 32 bits for
    a ShaderCore. Raises ValueError for rows of different lengths.
    """

    __slots__ = ("array",)

    def __init__(self, array: ArrayLike) -> None:
        if not is_masked(array):
            try:
                self.array: NDArray[Any] = asarray(array)
            except ValueError as error:
                raise ValueError(f"words are not an array: {str(error).split('. The')[0]}; give rows of equal length") from None
            return
        import numpy as np

        self.array = np.asanyarray(array)

    def __repr__(self) -> str:
        return f"Words(shape={self.array.shape})"


_LETTERS = "xyzw", "rgba", "stpq", "uvwq"
COLUMNS = "name the columns x, y, z, w, choose some of them in that order, or give an array without names"
# What is said of a masked array; the fix in Python.
MASKED = "is a masked array, expected a value for every number"
FILL = "leave such rows out, `numpy.ma.compress_rows(array)`, or give a value, such as `array.filled(0)`"


def places_of(columns: Sequence[object]) -> list[int] | None:
    """For x, y, z, w in turn the place of its column; None where columns have numbers for names. Raises ValueError, with both
    lists, for names that do not fit.

    A name is a letter or ends in one behind a point, such as `position.x`; r, g, b, a, s, t, p, q and
    u, v, w, q are x, y, z, w.
    """
    if not all(isinstance(column, str) for column in columns):
        return None
    letters = [str(column).rpartition(".")[2].strip().lower() for column in columns]
    for known in _LETTERS:
        if sorted(letters) == sorted(known[: len(letters)]):
            return [letters.index(letter) for letter in known[: len(letters)]]
    listed = ", ".join(map(str, columns[:12])) + (", ..." if len(columns) > 12 else "")
    raise ValueError(f"has the columns {listed}, expected x, y, z, w or r, g, b, a from the first on")


def by_name(value: object) -> object:
    """The array of a table whose columns have names, x first: anything with `columns`, as a DataFrame, and structured arrays;
    other values as they are. Raises ValueError."""
    if type(value) is ndarray:
        names = value.dtype.names
        if names is None:
            return value
        import numpy as np

        return np.stack([value[names[place]] for place in places_of(names) or ()], axis=-1)
    columns = getattr(value, "columns", None)
    if columns is None and hasattr(value, "iloc"):
        return _by_label(cast("Any", value))
    if columns is None or callable(columns) or isinstance(value, Words):
        return value
    places = places_of(list(columns))
    import numpy as np

    return np.asarray(value) if places is None else np.asarray(value)[:, places]


def _by_label(series: Any) -> object:
    """The numbers of a Series in the order of its labels, if these are x, y, z, w; unchanged with others."""
    labels = [*series.index] if series.ndim == 1 and 1 < len(series) <= len(_LETTERS[0]) else []
    if not labels or not all(isinstance(label, str) for label in labels):
        return series
    try:
        places = places_of(labels)
    except ValueError:
        return series
    return series if places is None else series.iloc[places]


def is_masked(value: object) -> bool:
    """Whether a value is a masked array of numpy in which something is masked, or a list of those: as an ordinary array it
    would show what the mask hides."""
    if type(value) is ndarray:
        return False
    module = sys.modules.get("numpy.ma")
    if module is None:
        return False
    kind: type = module.MaskedArray
    if isinstance(value, Words):
        value = value.array
    if isinstance(value, (list, tuple)):
        rows = cast("list[object]", value)
        return bool(rows) and isinstance(rows[0], ndarray) and any(_hides(row, kind) for row in rows)
    return _hides(value, kind)


def _hides(value: object, kind: type) -> bool:
    return isinstance(value, kind) and bool(cast("Any", value).mask.any())


def masked_at(value: object) -> str:
    """Where the first number is that a mask hides: `: none in row 1, component y`; empty without rows."""
    import numpy as np

    rows = value.array if isinstance(value, Words) else value
    if isinstance(rows, (list, tuple)):
        listed = [np.ma.asarray(row) for row in cast("list[Any]", rows)]
        if len({row.shape for row in listed}) > 1:
            return ""
        rows = np.ma.stack(listed)
    mask: NDArray[Any] = np.ma.getmaskarray(cast("Any", rows))
    shape: tuple[int, ...] = mask.shape
    if len(shape) not in (1, 2) or shape[len(shape) - 1] > len(_LETTERS[0]):
        return ""
    place = np.argwhere(mask)[0].tolist()
    row = f"in row {place[0]}, " if mask.ndim > 1 else "in "
    return f": none {row}component {_LETTERS[0][place[-1]]}"


BYTES = "give bytes, or an array of numbers whose memory is the data"


def bytes_fix(data: object) -> str:
    """The fix of a value that is neither bytes nor an array."""
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return f"read the file: `pathlib.Path({str(data)!r}).read_bytes()`"
    if hasattr(data, "read"):
        return "open the file with mode 'rb', and give its `.read()`"
    return "make an array of it: `numpy.array(values, numpy.float32)`" if isinstance(data, (list, tuple)) else BYTES


def bytes_of(data: object) -> bytes:
    """The memory of bytes or of an array. Raises ValueError for what has none, and for objects: theirs is addresses."""
    if isinstance(data, ndarray):
        array = cast("NDArray[Any]", data)
        if array.dtype.hasobject:
            raise ValueError("has objects of Python, expected bytes or numbers")
        return array.tobytes()
    try:
        return memoryview(cast("bytes", data)).tobytes()
    except TypeError:
        raise ValueError(f"is of the type {type(data).__name__}, expected bytes or an array") from None
