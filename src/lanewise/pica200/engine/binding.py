"""Arrays of the user to registers of lanes: shapes, dtypes, missing components, what overlaps and what is missing.

Whatever is wrong with the user's values becomes a `Diagnostic`; all of them are found in one go. Words in here are of the profile's
format: float24 words, or float32 patterns where the profile computes in float32.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from lanewise.arrays.words import FILL, MASKED, Words, is_masked
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span
from lanewise.pica200.engine.counts import with_counts
from lanewise.pica200.engine.float24 import decode_all, encode, host_encode
from lanewise.pica200.engine.names import INPUT_FILES, UNIFORM_FILES, Place, beyond, find, register_range, suggestion
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.engine.names import Named
    from lanewise.pica200.isa.program import Constant
    from lanewise.pica200.sem.profile import Profile

Vector = tuple[int, int, int, int]

MOST_LANES = 1 << 27
INPUTS = 16  # v registers
_LARGEST_FINGERPRINT = 1 << 14  # bytes; 96 rows of float64 are 3 KiB
_SCALARS = frozenset((bool, int, float))
NOWHERE = Span("")
_ZEROS: Vector = (0, 0, 0, 0)
_TRUE: Vector = (1, 0, 0, 0)
_ONE: list[Vector] = [_ZEROS]  # row
_FLOAT32 = np.dtype(np.float32)


class Column:
    """Checked values of an input: (rows, 1 to 4) numbers or words.

    They are converted to words or float32 on first use.
    """

    def __init__(self, values: NDArray[Any], *, raw: bool, profile: Profile) -> None:
        self.values, self.raw, self._profile = values, raw, profile
        self._numbers: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def words(self) -> NDArray[np.uint32]:
        """(rows, 4) words of the profile's format."""
        return _filled(self._encoded(), self._profile)

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
        if not self.raw and exact and self.values.dtype == np.float32:
            return self.values
        if self._profile.rounding == "float32":
            return self._encoded().view(np.float32)
        return decode_all(self._encoded())

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
        return _raw_words(self.values, self._profile) if self.raw else encoded(self.values, self._profile)

    def take(self, rows: NDArray[np.int64]) -> Column:
        """Some rows; a single row is that of all vertices."""
        return self if len(self) == 1 else Column(self.values[rows], raw=self.raw, profile=self._profile)


class Columns(Mapping[int, "NDArray[np.uint32]"]):
    """Inputs by v number; each is (lanes, 4) words, converted on first use."""

    def __init__(self, columns: Mapping[int, Column], lanes: int) -> None:
        self.columns, self.lanes = columns, lanes

    def __getitem__(self, register: int) -> NDArray[np.uint32]:
        words = self.columns[register].words
        return np.broadcast_to(words if len(words) == 1 else words[: self.lanes], (self.lanes, 4))

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
            number: Column(np.zeros((1, 4), np.float32), raw=False, profile=profile)
            for number in registers
            if number < INPUTS and number not in self.words
        }
        return Inputs(Columns({**self.words.columns, **zeros}, self.lanes), self.lanes, tuple(sorted(zeros))) if zeros else self

    def take(self, lanes: NDArray[np.int64]) -> Inputs:
        """The inputs of some lanes."""
        return Inputs(
            Columns({number: column.take(lanes) for number, column in self.words.columns.items()}, len(lanes)), len(lanes)
        )


class Uniforms(NamedTuple):
    """The uniform registers: 96 float, 4 integer, 16 boolean.

    `given` are the numbers of those with a value, in all three files.
    """

    floats: tuple[Vector, ...]
    integers: tuple[Vector, ...]
    booleans: tuple[bool, ...]
    given: frozenset[int]


class _Wrong(Exception):
    """A value that cannot be used: code, message, help."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.finding = Diagnostic(code, ERROR, message, NOWHERE, (), fix)


def bind_inputs(
    given: Mapping[str, ArrayLike | Words], declared: Sequence[Named], count: int | None, profile: Profile = HARDWARE
) -> tuple[Inputs, list[Diagnostic]]:
    """The inputs of all lanes, and what is wrong with them.

    A value is (vertices, 1 to 4), or one vector (1 to 4,) or a number
    for all vertices; an array of one row is for all vertices too. With `count`, rows after that many are left out.
    """
    findings: list[Diagnostic] = []
    columns: dict[int, Column] = {}
    keys: dict[int, str] = {}
    named = tuple(declared)
    places = _places(named, INPUT_FILES)
    for key, value in given.items():
        try:
            place = places.get(key) or find(key, named, INPUT_FILES)
            if place is None:
                names = [uniform.name for uniform in declared]
                fix = beyond(key, declared) or suggestion(key, names, "v0-v15", len(findings))
                raise _Wrong("B001", f"unknown input '{key}'", fix)
            if place.whole and place.size > 1:
                span = register_range(place.first, place.last, INPUT_FILES)
                raise _Wrong("B002", f"input '{key}' is {place.size} registers, {span}", "give each register separately")
            if place.first in columns:
                raise _Wrong("B006", f"inputs '{keys[place.first]}' and '{key}' are both v{place.first}", "give one of them")
            columns[place.first] = _column(key, value, profile)
            places[key] = place
            keys[place.first] = key
        except _Wrong as wrong:
            findings.append(wrong.finding)
    lanes = _lanes(columns, keys, count, findings)
    return Inputs(Columns({} if findings else columns, lanes), lanes), findings


def _column(key: str, value: ArrayLike | Words, profile: Profile) -> Column:
    """An input, with the shape (rows, 1 to 4); one row if it is the same for all vertices."""
    if type(value) is np.ndarray and value.dtype == np.float32 and value.ndim == 2 and 1 <= value.shape[1] <= 4:
        return Column(value, raw=False, profile=profile)
    array = _checked(f"input '{key}'", value)
    if array.ndim == 0 or (array.ndim == 1 and 1 <= len(array) <= 4):
        array = array.reshape(1, -1)
    if array.ndim == 1:
        # Five numbers could be x of five vertices, but four are a vector: the shape decides.
        raise _Wrong("B002", f"input '{key}' is a row of {len(array)} numbers: a vector has at most 4",
                     "for one number a vertex, give the shape (vertices, 1): rows, or 1;2;3 on the command line")  # fmt: skip
    if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
        raise _Wrong("B002", f"input '{key}' has shape {_shape(value)}, expected (vertices, 1 to 4), or 1 to 4 numbers for all vertices",
                     "give one row for each vertex")  # fmt: skip
    return Column(array, raw=isinstance(value, Words), profile=profile)


def _lanes(columns: Mapping[int, Column], keys: Mapping[int, str], count: int | None, findings: list[Diagnostic]) -> int:
    """The number of vertices; 1 if neither inputs nor `count` give it."""
    lengths: set[int] = set()
    for column in columns.values():
        lengths.add(column.values.shape[0])
    lengths.discard(1)
    if count is None:
        lanes = 0 if 0 in lengths else max(lengths) if lengths else 1
        fix = "give each input one row for each vertex, or one vector for all"
        differing = len(lengths) > 1
    else:
        lanes = count
        fix = f"give at least {count} rows, or ask for fewer vertices"
        differing = bool(lengths) and min(lengths) < lanes
    if differing:
        listed = ", ".join(f"{keys[n]} has {len(column)}" for n, column in columns.items() if len(column) != 1)
        asked = (
            "the inputs have different numbers of vertices" if count is None else f"an input has fewer than {count} vertices"
        )
        findings.append(Diagnostic("B008", ERROR, f"{asked}: {listed}", NOWHERE, (), fix))
        return 0
    if not 0 <= lanes <= MOST_LANES:
        findings.append(
            Diagnostic("B008", ERROR, f"{lanes} vertices are out of range: 0 to {MOST_LANES}", NOWHERE, (), "split the data")
        )
        return 0
    return lanes


def bind_uniforms(
    given: Mapping[str, ArrayLike | Words],
    declared: Sequence[Named],
    constants: Iterable[Constant],
    profile: Profile = HARDWARE,
) -> tuple[Uniforms, list[Diagnostic]]:
    """The uniform registers, and findings about the values. Missing values are 0 or false.

    A float array is (registers, 1 to 4), a single register (1 to 4,); integers are (3,) or (4,) and arrays of them
    (registers, 3 or 4); booleans one truth value for each register. One number for an integer that a boolean guards is the count of its loops, which sets
    both (`engine.counts`). Values override the constants of the file.
    """
    findings: list[Diagnostic] = []
    values: dict[int, Vector] = {}
    owners: dict[int, str] = {}
    named = tuple(declared)
    constants = tuple(constants)
    given = with_counts(given, named, constants)
    places = _places(named, UNIFORM_FILES)
    together = _Together()
    for key, value in given.items():
        try:
            place = places.get(key) or find(key, named, UNIFORM_FILES)
            if place is None:
                fix = beyond(key, named) or suggestion(key, [one.name for one in named], "c0-c95, i0-i3, b0-b15", len(findings))
                raise _Wrong("B001", f"unknown uniform '{key}'", fix)
            places[key] = place
            rows = together.rows(value, place) or _rows(key, value, place, profile)
            for register, row in enumerate(rows, place.first):
                if register in owners:
                    where = register_range(register, register, UNIFORM_FILES)
                    raise _Wrong("B006", f"uniforms '{owners[register]}' and '{key}' both give {where}", "give it once")
                owners[register] = key
                values[register] = row
        except _Wrong as wrong:
            findings.append(wrong.finding)
    if not findings:
        values |= together.values(profile)
    rule = number_rule(profile)
    preset = {constant.register: constant.values for constant in constants}
    for register, words in preset.items():
        held = [rule.from_float24(word) for word in words] if FLOAT <= register < INTEGER else words
        values.setdefault(register, _four(held))
    floats = tuple([values.get(FLOAT + n, _ZEROS) for n in range(96)])
    integers = tuple([values.get(INTEGER + n, _ZEROS) for n in range(4)])
    booleans = tuple([bool(values.get(BOOLEAN + n, _ZEROS)[0]) for n in range(16)])
    return Uniforms(floats, integers, booleans, frozenset(values)), findings


@lru_cache(256)
def _places(named: tuple[Named, ...], files: object) -> dict[str, Place]:
    """Registers by key, of the keys that have come up."""
    return {}


class _Together:
    """Float uniforms of whole rows, which are converted together: a conversion takes as long for one row as for all."""

    def __init__(self) -> None:
        self._registers: tuple[list[int], list[int]] = [], []
        self._arrays: list[NDArray[np.float32]] = []
        self._lists: list[Sequence[float]] = []

    def rows(self, value: ArrayLike | Words, place: Place) -> list[Vector] | None:
        """The vectors of simple values; those of float uniforms come later, by `values`. None for a value that takes more checks."""
        first = place.first
        if first >= BOOLEAN:
            return [_TRUE if value else _ZEROS] if type(value) is bool else None
        if type(value) is np.ndarray:
            shape = value.shape
            if first >= INTEGER or value.dtype != _FLOAT32 or not shape or shape[-1] != 4:
                return None
            if len(shape) == 1 and (not place.whole or place.size == 1):
                self._registers[0].append(first)
                self._arrays.append(value)
                return _ONE
            if len(shape) == 2 and 1 <= shape[0] <= place.size:
                self._registers[0].extend(range(first, first + shape[0]))
                self._arrays.append(value.reshape(-1))
                return _ONE * shape[0]
            return None
        if type(value) is not list and type(value) is not tuple:
            return None
        numbers = cast("Sequence[Any]", value)
        if first >= INTEGER:
            if len(numbers) in (3, 4) and all(type(one) is int and 0 <= one <= 255 for one in numbers):
                return [_four(numbers)]
        elif len(numbers) == 4 and (not place.whole or place.size == 1) and all(type(one) is float for one in numbers):
            self._registers[1].append(first)
            self._lists.append(numbers)
            return _ONE
        return None

    def values(self, profile: Profile) -> dict[int, Vector]:
        """The words of all rows, by register."""
        found: dict[int, Vector] = {}
        if self._arrays:
            words = encoded(np.concatenate(self._arrays), profile).reshape(-1, 4)
            found |= zip(self._registers[0], map(_vector, words.tolist()), strict=True)
        if self._lists:
            words = encoded(np.array(self._lists, np.float64), profile)
            found |= zip(self._registers[1], map(_vector, words.tolist()), strict=True)
        return found


def _vector(row: list[int]) -> Vector:
    x, y, z, w = row
    return x, y, z, w


def floats_of(uniforms: Uniforms, profile: Profile) -> NDArray[np.float32]:
    """The 96 float uniforms as float32, exact: (96, 4)."""
    words = np.array(uniforms.floats, np.uint32)
    return words.view(np.float32) if profile.rounding == "float32" else decode_all(words)


def fingerprint(given: Mapping[str, ArrayLike | Words]) -> tuple[object, ...] | None:
    """A key of the contents of values, to recognise equal ones.

    None if a value is not an array of numbers, or too large.
    """
    values = list(given.values())
    forms: list[tuple[int, np.dtype[Any], int | tuple[int, ...]]] = []  # of arrays, where they change
    dtype, dimensions = None, 0
    ndarray, scalars = np.ndarray, _SCALARS  # local names, as there may be a hundred values
    for number, value in enumerate(values):
        if type(value) is ndarray:
            if value.dtype is not dtype or value.ndim != dimensions or dimensions > 1:
                dtype, dimensions = value.dtype, value.ndim
                if dtype.kind not in "biuf":
                    return None
                # The shape of an array with one dimension follows from its bytes; to ask for it takes longer than all else here.
                forms.append((number, dtype, dimensions if dimensions < 2 else value.shape))
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
            array = value.array if raw else np.asarray(value)
        except (ValueError, TypeError, OverflowError):
            return None
        if array.dtype.kind not in "biuf" or array.nbytes > _LARGEST_FINGERPRINT:
            return None
        parts += (key, raw, array.dtype.str, array.shape, array.tobytes())
    return tuple(parts)


def _four(values: Sequence[int]) -> Vector:
    x, y, z, w = (*values, 0, 0, 0)[:4]
    return x, y, z, w


def _rows(key: str, value: ArrayLike | Words, place: Place, profile: Profile) -> list[Vector]:
    """The vector of each register from `place.first` on."""
    if place.first >= BOOLEAN:
        rows = _booleans(key, value)
    elif place.first >= INTEGER:
        rows = _integers(key, value)
    else:
        rows = _floats(key, value, place, profile)
    if len(rows) > place.size:
        where = register_range(place.first, place.last, UNIFORM_FILES)
        raise _Wrong("B002", f"uniform '{key}' is {where}, expected at most {place.size} rows, got {len(rows)}",
                     "remove rows, or check which uniform is intended")  # fmt: skip
    return rows


def _floats(key: str, value: ArrayLike | Words, place: Place, profile: Profile) -> list[Vector]:
    array = _words(f"uniform '{key}'", value, profile)
    single = not place.whole or place.size == 1
    flat = array.ndim == 1 and (len(array) == 4 * place.size if place.whole else len(array) % 4 == 0)
    if single and (array.ndim == 0 or (array.ndim == 1 and len(array) <= 4)):
        array = array.reshape(1, -1)
    elif flat:
        array = array.reshape(-1, 4)
    if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
        expected = "1 to 4 numbers" if single else f"({place.size}, 1 to 4) or {4 * place.size} numbers"
        where = register_range(place.first, place.last if place.whole else place.first, UNIFORM_FILES)
        raise _Wrong(
            "B002",
            f"uniform '{key}' ({where}) has shape {_shape(value)}, expected {expected}",
            "give one row for each register",
        )
    return [_four(row) for row in _filled(array, profile).tolist()]


def _integers(key: str, value: ArrayLike | Words) -> list[Vector]:
    array = _numbers(f"uniform '{key}'", value)
    if array.ndim == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2 or array.shape[1] not in (3, 4):
        raise _Wrong("B002", f"uniform '{key}' has shape {_shape(value)}, expected 3 or 4 integers, or rows of them",
                     "give the number of iterations minus one, the start of aL and its step: 3,0,1 is four iterations")  # fmt: skip
    with np.errstate(invalid="ignore"):
        whole = array.dtype.kind in "iu" or bool(np.all(array == np.floor(array)))
    if not whole or bool(np.any((array < 0) | (array > 255))):
        shown = ", ".join(f"{number:g}" for number in array.reshape(-1)[:4].tolist())
        raise _Wrong(
            "B007",
            f"uniform '{key}' is {shown}, expected integers from 0 to 255",
            "use 0 to 255: i registers hold unsigned bytes",
        )
    return [_four(row) for row in array.astype(int).tolist()]


def _booleans(key: str, value: ArrayLike | Words) -> list[Vector]:
    array = _numbers(f"uniform '{key}'", value)
    if array.ndim > 1:
        raise _Wrong(
            "B002",
            f"uniform '{key}' has shape {_shape(value)}, expected one boolean for each register",
            "give true or false",
        )
    if bool(np.any((array != 0) & (array != 1))):
        raise _Wrong("B003", f"uniform '{key}' is a boolean, expected true, false, 1 or 0", "give true or false")
    return [(int(flag), 0, 0, 0) for flag in array.reshape(-1).tolist()]


def _numbers(what: str, value: ArrayLike | Words) -> NDArray[Any]:
    """The value as an array of real numbers, or raises."""
    if isinstance(value, Words):
        raise _Wrong("B003", f"{what} does not hold float24 words", "give plain numbers")
    if is_masked(value):
        raise _Wrong("B003", f"{what} {MASKED}", FILL)
    try:
        array: NDArray[Any] = np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise _Wrong(
            "B003", f"{what} is not an array of numbers: {str(error).split('. The')[0]}", "give rows of equal length"
        ) from None
    if array.size and array.dtype.kind not in "biuf":
        raise _Wrong("B003", f"{what} is {_dtype(array)}, expected numbers", "convert it to float32 or integers")
    return array if array.size else array.astype(np.float64)


def _words(what: str, value: ArrayLike | Words, profile: Profile) -> NDArray[np.uint32]:
    """The value as words of the profile's format, in its own shape."""
    array = _checked(what, value)
    return _raw_words(array, profile) if isinstance(value, Words) else encoded(array, profile)


def _checked(what: str, value: ArrayLike | Words) -> NDArray[Any]:
    """The value as an array of numbers, or of raw words for `Words`; or raises."""
    if not isinstance(value, Words):
        return _numbers(what, value)
    array = value.array
    if is_masked(value):
        raise _Wrong("B003", f"{what} {MASKED}", FILL)
    if array.size and array.dtype.kind not in "iu":
        raise _Wrong("B003", f"{what} is raw words of {_dtype(array)}, expected integers", "remove Words to give numbers")
    if array.size and (int(array.min()) < 0 or int(array.max()) >> 24):
        raise _Wrong("B007", f"{what} has raw words of more than 24 bits", "use 0 to 0xFFFFFF for float24 words")
    return array


def _raw_words(array: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    """float24 words as words of the profile's format."""
    array = array.astype(np.uint32)
    if profile.rounding != "float32":
        return array
    rule = number_rule(profile)
    found, places = np.unique(array, return_inverse=True)
    return np.array([rule.from_float24(word) for word in found.tolist()], np.uint32)[places].reshape(array.shape)


def encoded(numbers: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    """Numbers as words of the profile's format."""
    if profile.rounding == "float32":
        with np.errstate(over="ignore"):
            return numbers.astype(np.float32).view(np.uint32)
    return host_encode(numbers) if profile.upload == "host" else encode(numbers, nearest=profile.upload == "nearest")


def _filled(array: NDArray[np.uint32], profile: Profile) -> NDArray[np.uint32]:
    """(rows, 4) from (rows, 1 to 4): y and z become 0, w 1."""
    rows = np.zeros((len(array), 4), np.uint32)
    rows[:, 3] = number_rule(profile).constant(1.0)
    rows[:, : array.shape[1]] = array
    return rows


def _shape(value: ArrayLike | Words) -> str:
    return str((value.array if isinstance(value, Words) else np.asarray(value)).shape)


def _dtype(array: NDArray[Any]) -> str:
    return {"U": "text", "S": "text", "O": "mixed objects", "c": "complex numbers"}.get(array.dtype.kind, str(array.dtype))
