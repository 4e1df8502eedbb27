"""Tables of values as lists, in place of arrays where NumPy is not installed: `Lists`; and `asarray`, which makes either.

`Lists` has those operations of an array that binding, results and reports use, with the same names and results, so they need
not know which of the two they have. Values are numbers of Python.
"""

from __future__ import annotations

from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.extras import numpy_installed
from lanewise.core.numbers.floats import float32_bits, float_from_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy import ndarray
    from numpy.typing import NDArray

    FLOAT32, UINT32 = np.dtype(np.float32), np.dtype(np.uint32)
elif numpy_installed():
    from numpy import dtype, ndarray

    FLOAT32, UINT32 = dtype("float32"), dtype("uint32")
else:

    class ndarray:  # noqa: N801 - it stands for NumPy's
        """The class of arrays; without NumPy it has no instances."""

    FLOAT32, UINT32 = None, ("i",)  # a `Kind` that is equal

_NAMES = {"b": "bool", "i": "int64", "f": "float64", "U": "text", "O": "mixed objects", "c": "complex numbers"}
_INT64, _UINT64 = 1 << 63, 1 << 64


class Kind(NamedTuple):
    """The kind of values: the letter that `numpy.dtype.kind` has for it."""

    kind: str

    def __str__(self) -> str:
        return _NAMES[self.kind]


class Lists:
    """A table of values: `flat` in the order of rows, and its `shape`."""

    __slots__ = ("dtype", "flat", "shape")

    dtype: Kind
    flat: list[Any]
    shape: tuple[int, ...]

    def __init__(self, flat: list[Any], shape: tuple[int, ...], kind: str = "f") -> None:
        self.flat, self.shape, self.dtype = flat, shape, Kind(kind)

    @classmethod
    def of(cls, value: object) -> Lists:
        """The table of a number, or of lists of numbers to any depth. Raises ValueError for rows of different lengths."""
        if isinstance(value, cls):
            return value
        shape = _shape(value)
        flat: list[Any] = []
        _flatten(value, shape, flat)
        kind = _kind(flat)
        if kind == "f":
            flat = [float(item) for item in flat]
        elif kind == "i":
            flat = [int(item) for item in flat]
        return cls(flat, shape, kind)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return len(self.flat)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter([self[n] for n in range(len(self))])

    def __repr__(self) -> str:
        return repr(self.tolist())

    def tolist(self) -> Any:
        """The values as nested lists; a single number for no dimension."""
        rows: list[Any] = self.flat
        for axis in range(len(self.shape) - 1, 0, -1):
            length = self.shape[axis]
            rows = [rows[n * length : (n + 1) * length] for n in range(prod(self.shape[:axis]))]
        return [*rows] if self.shape else rows[0]

    def reshape(self, *shape: int) -> Lists:
        """The same values in another shape, of which -1 is worked out."""
        known = prod([length for length in shape if length >= 0])
        return Lists(
            self.flat, tuple([length if length >= 0 else len(self.flat) // max(known, 1) for length in shape]), self.dtype.kind
        )

    def each(self, function: Callable[[Any], Any], kind: str = "i") -> Lists:
        """A table of the same shape with the results of a function."""
        return Lists([function(item) for item in self.flat], self.shape, kind)

    def copy(self) -> Lists:
        return Lists([*self.flat], self.shape, self.dtype.kind)

    def min(self) -> Any:
        return min(self.flat)

    def max(self) -> Any:
        return max(self.flat)

    def __getitem__(self, key: int | slice | Sequence[int] | tuple[Any, Any]) -> Any:
        """Rows by number, slice or list of numbers; with a pair, components of rows: `[:, 0]`, `[..., 1:3]`."""
        if isinstance(key, tuple):
            rows, last = cast("tuple[Any, Any]", key)
            return (self if rows is ... else self[rows])._components(last)
        step = prod(self.shape[1:])
        if isinstance(key, int):
            row = range(len(self))[key]
            part = self.flat[row * step : (row + 1) * step]
            return Lists(part, self.shape[1:], self.dtype.kind) if self.ndim > 1 else part[0]
        numbers = range(len(self))[key] if isinstance(key, slice) else [range(len(self))[row] for row in key]
        flat = [item for row in numbers for item in self.flat[row * step : (row + 1) * step]]
        return Lists(flat, (len(numbers), *self.shape[1:]), self.dtype.kind)

    def __setitem__(self, key: tuple[slice, int], values: Lists | float) -> None:
        """Set a component of all rows: `[:, 2]`."""
        width = self.shape[1]
        self.flat[key[1] :: width] = values.flat if isinstance(values, Lists) else [values] * len(self)

    def _components(self, key: int | slice | Sequence[int]) -> Any:
        width = self.shape[-1]
        if isinstance(key, int) and self.ndim == 1:
            return self.flat[key]
        chosen = [range(width)[key]] if isinstance(key, int) else range(width)[key] if isinstance(key, slice) else key
        flat = [self.flat[start + place] for start in range(0, len(self.flat), max(width, 1)) for place in chosen]
        return Lists(flat, self.shape[:-1] if isinstance(key, int) else (*self.shape[:-1], len(chosen)), self.dtype.kind)


def clipped(patterns: NDArray[np.uint32], low: float) -> NDArray[np.uint32]:
    """float32 patterns with those below `low` or above 1 in place of which these are; -0, which is not below 0, and NaN are
    unchanged.

    Patterns are chosen, not numbers computed: what `numpy.clip` makes of -0 and NaN differs between its versions.
    """
    if not isinstance(patterns, Lists):
        import numpy as np

        with np.errstate(invalid="ignore"):
            numbers = patterns.view(np.float32)
            below, above = numbers < low, numbers > 1.0
        return np.where(below, np.uint32(float32_bits(low)), np.where(above, np.uint32(float32_bits(1.0)), patterns))

    def limited(bits: int) -> int:
        number = float_from_bits(bits)
        return float32_bits(low) if number < low else float32_bits(1.0) if number > 1 else bits

    return as_array(patterns.each(limited))


def asarray(value: object) -> NDArray[Any]:
    """`numpy.asarray`, or `Lists.of` where NumPy is not installed. Raises ValueError, TypeError, OverflowError for what is not
    a table."""
    if isinstance(value, bytearray):  # which NumPy takes for numbers of 8 bits, as it does not do with bytes
        raise TypeError("bytes, expected numbers")
    if numpy_installed():
        import numpy as np

        return np.asarray(value)
    return as_array(Lists.of(value))


def table(rows: Sequence[Any], kind: str, width: int = 0) -> NDArray[Any]:
    """Rows of `width` values, or values: words (`u`), numbers that float32 holds (`f`) or truth values (`b`)."""
    shape = (len(rows), width) if width else (len(rows),)
    if numpy_installed():
        import numpy as np

        dtype = {"u": np.uint32, "f": np.float32, "b": np.bool_}[kind]
        if not width or kind == "f" or len(rows[0] if rows else ()) != width:
            return np.array(rows, dtype).reshape(shape)
        if rows.count(rows[0]) == len(rows):  # as of an output that is not written
            found = np.empty(shape, dtype)
            found[:] = rows[0]
            return found
        # Half of the time of `numpy.array`, which looks for the shape.
        return np.fromiter(chain.from_iterable(rows), dtype, len(rows) * width).reshape(shape)
    flat = [item for row in rows for item in row] if width else [*rows]
    return as_array(Lists(flat, shape, {"u": "i"}.get(kind, kind)))


def stacked(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """(values, columns) of columns of as many values."""
    if not isinstance(columns[0], Lists):
        import numpy as np

        return np.stack(columns, axis=1)
    rows = list(zip(*[column.tolist() for column in columns], strict=True))
    return as_array(Lists([item for row in rows for item in row], (len(rows), len(columns)), columns[0].dtype.kind))


def completed(rows: NDArray[Any], rest: Sequence[Any]) -> NDArray[Any]:
    """(rows, columns) from (rows, fewer): those that are missing are the last of `rest`, which are as many as all columns."""
    width = rows.shape[1]
    if not isinstance(rows, Lists):
        import numpy as np

        found = np.empty((len(rows), len(rest)), rows.dtype)
        found[:, :width] = rows
        found[:, width:] = rest[width:]
        return found
    flat = [item for row in rows.tolist() for item in (*row, *rest[width:])]
    return as_array(Lists(flat, (len(rows), len(rest)), rows.dtype.kind))


def broadcast(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """`numpy.broadcast_to`. Raises ValueError for a shape that it cannot have."""
    if not isinstance(array, Lists):
        import numpy as np

        return np.broadcast_to(array, shape)
    own = (1,) * (len(shape) - array.ndim) + array.shape
    if len(own) > len(shape) or any(length not in (1, wanted) for length, wanted in zip(own, shape, strict=True)):
        raise ValueError(f"{array.shape} is not {shape}")
    flat = cast("list[Any]", array.flat)
    for axis in reversed(range(len(shape))):
        if own[axis] != shape[axis]:
            size = prod(shape[axis + 1 :])
            flat = [item for at in range(0, len(flat), size) for item in flat[at : at + size] * shape[axis]] if size else []
    return as_array(Lists([*flat], shape, array.dtype.kind))


def float32_patterns(numbers: NDArray[Any]) -> NDArray[np.uint32]:
    """The float32 patterns (uint32) of numbers, rounded to nearest, in their shape."""
    if isinstance(numbers, Lists):
        return as_array(numbers.each(float32_bits))
    import numpy as np

    with np.errstate(over="ignore"):
        return np.ascontiguousarray(numbers.astype(np.float32)).view(np.uint32).reshape(numbers.shape)


def float32_numbers(patterns: NDArray[np.uint32]) -> NDArray[np.float32]:
    """The numbers of float32 patterns."""
    if isinstance(patterns, Lists):
        return as_array(patterns.each(float_from_bits, "f"))
    return patterns.view("float32")


def false_counts(flags: NDArray[np.bool_]) -> list[int]:
    """How many values of each column of (rows, columns) truth values are false."""
    if isinstance(flags, Lists):
        return [sum(not flag for flag in flags[:, place].flat) for place in range(flags.shape[1])]
    return (~flags).sum(axis=0).tolist()


def as_array(values: Lists) -> NDArray[Any]:
    """`Lists` by the type that everything is written for: it has the operations that are used."""
    return cast("NDArray[Any]", values)


def _parts(value: object) -> Sequence[object] | None:
    """The items of a list or of anything that becomes one; None for a single value."""
    if isinstance(value, (list, tuple, range)):
        return cast("Sequence[object]", value)
    tolist = getattr(value, "tolist", None)  # array.array, memoryview
    return cast("Sequence[object]", tolist()) if callable(tolist) else None


def _shape(value: object) -> tuple[int, ...]:
    parts = _parts(value)
    if parts is None:
        return ()
    return (len(parts), *_shape(parts[0])) if parts else (0,)


def _flatten(value: object, shape: tuple[int, ...], found: list[Any]) -> None:
    parts = _parts(value)
    if (parts is None) != (not shape) or (parts is not None and len(parts) != shape[0]):
        raise ValueError("its rows have different lengths")
    if parts is None:
        found.append(value)
        return
    for part in parts:
        _flatten(part, shape[1:], found)


def _kind(flat: Sequence[object]) -> str:
    """The kind that `numpy.asarray` gives values."""
    types = set(map(type, flat))
    if not types or (float in types and types <= {bool, int, float}):
        return "f"
    if types == {bool}:
        return "b"
    if types <= {bool, int}:
        low, high = min(cast("Sequence[int]", flat)), max(cast("Sequence[int]", flat))
        if low < -_INT64 or high >= _UINT64:
            return "O"
        return "f" if low < 0 and high >= _INT64 else "i"
    return "U" if types <= {str, bytes} else "c" if complex in types and types <= {bool, int, float, complex} else "O"


__all__ = [
    "FLOAT32",
    "UINT32",
    "Kind",
    "Lists",
    "as_array",
    "asarray",
    "broadcast",
    "clipped",
    "completed",
    "false_counts",
    "float32_numbers",
    "float32_patterns",
    "ndarray",
    "stacked",
    "table",
]
