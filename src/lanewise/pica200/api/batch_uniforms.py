"""The uniforms of a `Batch` as arrays to write to: `BatchUniforms`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.text.suggestions import near
from lanewise.pica200.engine.binding import floats_of
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.names import Named
    from lanewise.pica200.sem.profile import Profile

_FLOATS, _INTEGERS = 96 * 4 * 4, 4 * 4 * 4  # bytes
_FILES = ("c", "i", "b")


class BatchUniforms(Mapping[str, "NDArray[Any]"]):
    """The uniforms of a batch as NumPy arrays, which the next `Batch.run` reads: `batch.uniforms["mvp"][...] = matrix`.

    Keys are the names of the file (`mvp`), elements (`bones[2]`), registers (`c4`, `i0`, `b3`) and whole register files: `c`,
    (96, 4) float32; `i`, (4, 4) int32, of which each number is 0 to 255; `b`, (16,) bool. A name of one register is a row,
    (4,), one of several (registers, 4); a boolean is an array without dimensions. All are views of the same memory. Iterates
    over the names of the file.

    `batch.uniforms["mvp"] = matrix` takes the shape of that uniform, as `run` does, or one number for all components.

    `floats`, `integers` and `booleans` are the register files where the file gives the names `c`, `i` or `b` to something else.
    """

    def __init__(
        self,
        named: tuple[Named, ...],
        names: tuple[str, ...],
        values: Uniforms,
        profile: Profile,
        computed: frozenset[int] = frozenset(),
    ) -> None:
        self._named, self._names, self._profile = named, names, profile
        self._computed = computed  # the registers of a preamble
        self._block = np.zeros(_FLOATS + _INTEGERS + 16, np.uint8)
        self.floats: NDArray[np.float32] = self._block[:_FLOATS].view(np.float32).reshape(96, 4)
        self.integers: NDArray[np.int32] = self._block[_FLOATS : _FLOATS + _INTEGERS].view(np.int32).reshape(4, 4)
        self.booleans: NDArray[np.bool_] = self._block[_FLOATS + _INTEGERS :].view(np.bool_)
        self._views: dict[str, NDArray[Any]] = {}
        self.show(values)

    def show(self, values: Uniforms) -> None:
        """Hold these values."""
        self.floats[:] = floats_of(values, self._profile)
        self.integers[:] = values.integers
        self.booleans[:] = values.booleans
        self._given, self._widths = values.given, dict(values.partial)
        self._last = self._shown = self._block.tobytes()

    def changes(self) -> bytes:
        """The contents, if they are not those that were taken; empty otherwise."""
        now = self._block.tobytes()
        return b"" if now == self._last else now

    def only_floats(self, changes: bytes) -> bool:
        return changes[_FLOATS:] == self._last[_FLOATS:]

    def taken(self, changes: bytes, given: frozenset[int] | None = None) -> None:
        """Note that these contents are in use; `given` are the registers with a value, if they were found anew."""
        self._last = changes
        if given is not None:
            self._shown, self._given = changes, given

    def given(self) -> dict[str, Any]:
        """The registers with a value, as they are given to a run: those of before, and those that have been written."""
        before = np.frombuffer(self._shown, np.uint8)
        different = self._block != before
        written = {FLOAT + n for n in np.flatnonzero(different[:_FLOATS].reshape(96, -1).any(axis=1)).tolist()}
        written |= {INTEGER + n for n in np.flatnonzero(different[_FLOATS:][:_INTEGERS].reshape(4, -1).any(axis=1)).tolist()}
        written |= {BOOLEAN + n for n in np.flatnonzero(different[_FLOATS + _INTEGERS :]).tolist()}
        found: dict[str, Any] = {}
        for register in sorted((self._given - self._computed) | written):
            if register >= BOOLEAN:
                found[f"b{register - BOOLEAN}"] = bool(self.booleans[register - BOOLEAN])
            elif register >= INTEGER:
                found[f"i{register - INTEGER}"] = self.integers[register - INTEGER].tolist()
            else:
                width = 4 if register in written else self._widths.get(register, 4)
                found[f"c{register - FLOAT}"] = self.floats[register - FLOAT, :width]
        return found

    def __getitem__(self, key: str) -> NDArray[Any]:
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = self._view(key)
        return found

    def __setitem__(self, key: str, value: ArrayLike) -> None:
        """Write all of a uniform: an array of its shape, its numbers in one row, or one number for every component. Raises
        ValueError for other shapes, and for what is not numbers."""
        place = self[key]
        given = np.asarray(value)
        if given.dtype.kind not in "biuf":
            raise ValueError(f"uniform '{key}' is not numbers")
        if given.shape not in (place.shape, (place.size,), ()):
            flat = f" or {place.size} numbers" if place.ndim > 1 else ""
            raise ValueError(
                f"uniform '{key}' has shape {given.shape}, expected {place.shape}{flat}: "
                f"write to batch.uniforms[{key!r}][...] for a part of it"
            )
        if place.dtype != np.float32 and not np.array_equal(given.astype(place.dtype), given):
            raise ValueError(f"uniform '{key}' is {'booleans' if place.dtype == np.bool_ else 'integers'}, not {value!r}")
        place[...] = given.reshape(place.shape) if given.shape else given

    def _view(self, key: str) -> NDArray[Any]:
        if key in _FILES and key not in self._names:
            return {"c": self.floats, "i": self.integers, "b": self.booleans}[key]
        place = find(key, self._named, UNIFORM_FILES)
        if place is None:
            close = near(key, self._names)
            listed = ", ".join(self._names[:12]) or "c, i and b"
            hint = f"did you mean {' or '.join(close)}?" if close else f"use {listed}, or a register"
            raise KeyError(f"unknown uniform '{key}': {hint}")
        count = place.size if place.whole else 1
        if place.first >= BOOLEAN:
            first = place.first - BOOLEAN
            return self.booleans[first : first + count] if count > 1 else self.booleans[first : first + 1].reshape(())
        rows, first = (self.integers, place.first - INTEGER) if place.first >= INTEGER else (self.floats, place.first - FLOAT)
        return rows[first : first + count] if count > 1 else rows[first]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<BatchUniforms: {', '.join(self._names) or 'no names'}; c, i, b>"
