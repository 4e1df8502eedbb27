"""The data of a run, in registers: `Inputs` and `Uniforms`.

`engine.placing` makes them of the user's values. Words in here are of the profile's format: float24 words, or float32 patterns
where the profile computes in float32. Values are arrays, or lists where NumPy is not installed.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from functools import cached_property
from operator import length_hint
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.arrays.lists import FLOAT32, Lists, asarray, broadcast, ndarray, table
from lanewise.arrays.words import Words, is_masked
from lanewise.core.record import Record
from lanewise.pica200.engine.encoding import decoded, encoded, filled, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.sem.profile import Profile

Vector = tuple[int, int, int, int]

INPUTS = 16  # v registers
_LARGEST_FINGERPRINT = 1 << 14  # bytes; 96 rows of float64 are 3 KiB
_SCALARS = frozenset((bool, int, float))


class Column:
    """Checked values of an input: (rows, 1 to 4) numbers or words.

    They are converted to words or float32 on first use.
    """

    raw: bool

    def __init__(self, values: NDArray[Any], *, raw: bool, profile: Profile) -> None:
        self.values: NDArray[Any] = values
        self.raw, self._profile = raw, profile
        self._numbers: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def words(self) -> NDArray[np.uint32]:
        """(rows, 4) words of the profile's format."""
        return filled(self._encoded(), self._profile)

    @property
    def numbers(self) -> NDArray[np.float32]:
        """(rows, 1 to 4) float32, without a copy where possible.

        For float24, cutting these numbers toward zero gives the words.
        """
        if self._numbers is None:  # `cached_property` takes a lock each time
            self._numbers = self._as_numbers()
        return self._numbers

    def _as_numbers(self) -> NDArray[np.float32]:
        exact = self._profile.rounding == "float32" or self._profile.upload == "zero"
        if not self.raw and exact and self.values.dtype == FLOAT32:
            return self.values
        return decoded(self._encoded(), self._profile)

    @property
    def in_place(self) -> bool:
        """Whether kernels read the values where they are."""
        array = self.values
        _, inner = array.strides
        return self.numbers is array and (array.shape[1] == 1 or inner == 4) and array.flags.aligned and array.strides[0] >= 0

    def anew(self) -> Column:
        """A column of the same array, to convert it again: its values may have changed."""
        return Column(self.values, raw=self.raw, profile=self._profile)

    def _encoded(self) -> NDArray[np.uint32]:
        return raw_words(self.values, self._profile) if self.raw else encoded(self.values, self._profile)

    def take(self, rows: NDArray[np.int64]) -> Column:
        """Some rows; a single row is that of all vertices."""
        return self if len(self) == 1 else Column(self.values[rows], raw=self.raw, profile=self._profile)


class Columns(Mapping[int, "NDArray[np.uint32]"]):
    """Inputs by v number; each is (lanes, 4) words, converted on first use."""

    columns: Mapping[int, Column]
    lanes: int

    def __init__(self, columns: Mapping[int, Column], lanes: int) -> None:
        self.columns, self.lanes = columns, lanes

    def __getitem__(self, register: int) -> NDArray[np.uint32]:
        words = self.columns[register].words
        return broadcast(words if len(words) == 1 else words[: self.lanes], (self.lanes, 4))

    def __contains__(self, register: object) -> bool:
        return register in self.columns  # the method of `Mapping` would convert the words

    def __iter__(self) -> Iterator[int]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


class Inputs(NamedTuple):
    """Inputs by v number, each (lanes, 4) words. `zeroed` are those that were not given."""

    words: Columns
    lanes: int
    zeroed: tuple[int, ...] = ()

    def anew(self) -> Inputs:
        """Inputs of the same arrays, whose values may have changed."""
        return Inputs(Columns({number: column.anew() for number, column in self.words.columns.items()}, self.lanes), self.lanes)

    def with_zeros(self, registers: Iterable[int], profile: Profile) -> Inputs:
        """The same, and zeros in v registers among `registers` that have no data."""
        zeros = {
            number: Column(table([(0.0, 0.0, 0.0, 0.0)], "f", 4), raw=False, profile=profile)
            for number in registers
            if number < INPUTS and number not in self.words
        }
        return Inputs(Columns({**self.words.columns, **zeros}, self.lanes), self.lanes, tuple(sorted(zeros))) if zeros else self

    def take(self, lanes: NDArray[np.int64]) -> Inputs:
        """The inputs of some lanes."""
        return Inputs(
            Columns({number: column.take(lanes) for number, column in self.words.columns.items()}, len(lanes)), len(lanes)
        )


class Uniforms(Record):
    """The uniform registers."""

    floats: tuple[Vector, ...]
    "96 c registers as words."
    integers: tuple[Vector, ...]
    "4 i registers, x to w."
    booleans: tuple[bool, ...]
    "16 b registers."
    given: frozenset[int]
    "Numbers of the registers with a value, in the common register space."
    partial: tuple[tuple[int, int], ...] = ()
    "Registers of fewer than four components, with how many: the others are 0."


def floats_of(uniforms: Uniforms, profile: Profile) -> NDArray[np.float32]:
    """The 96 float uniforms as float32, exact: (96, 4)."""
    return decoded(table(uniforms.floats, "u", 4), profile)


def fingerprint(given: Mapping[str, ArrayLike | Words]) -> tuple[object, ...] | None:
    """A key of the contents of values, to recognise equal ones.

    None if a value is not an array of numbers or a list of Python's, or too large.
    """
    values = list(given.values())
    forms: list[tuple[int, np.dtype[Any], int | tuple[int, ...]]] = []  # of arrays, where they change
    dtype, dimensions = None, 0
    arrays, scalars = ndarray, _SCALARS  # local names, as there may be a hundred values
    rest = iter(values)
    for value in rest:
        if type(value) is arrays:
            if value.dtype is dtype and value.ndim == dimensions:
                continue
            dtype, dimensions = value.dtype, value.ndim
            if dtype.kind not in "biuf":
                return None
            # The shape of an array with one dimension follows from its bytes; to ask for it takes longer than all else here.
            # Counting all values would take half as long as the rest, too.
            forms.append((length_hint(rest), dtype, dimensions if dimensions < 2 else value.shape))
            if dimensions > 1:
                dtype = None  # the next one has a shape of its own
        elif type(value) not in scalars and not _plain(value):
            return _slow_fingerprint(given)
    try:
        # Version 2 has no references, which depend on more than the values. Of arrays it has the bytes, and `forms` the rest.
        contents = marshal.dumps(cast("list[bytes]", values), 2)
    except ValueError:  # an array with gaps
        return _slow_fingerprint(given)
    return (contents, tuple(given), *forms) if len(contents) <= _LARGEST_FINGERPRINT else None


def _plain(value: object) -> bool:
    """Whether a value is a list or tuple of numbers of Python, or of such."""
    if type(value) is not list and type(value) is not tuple:
        return False
    return all(type(one) in _SCALARS or _plain(one) for one in cast("list[object]", value))


def _slow_fingerprint(given: Mapping[str, ArrayLike | Words]) -> tuple[object, ...] | None:
    parts: list[object] = []
    for key, value in given.items():
        raw = isinstance(value, Words)
        if is_masked(value):
            return None
        try:
            array = value.array if raw else asarray(value)
        except (ValueError, TypeError, OverflowError, RuntimeError):
            return None
        if isinstance(array, Lists) or array.dtype.kind not in "biuf" or array.nbytes > _LARGEST_FINGERPRINT:
            return None
        parts += (key, raw, array.dtype.str, array.shape, array.tobytes())
    return tuple(parts)
