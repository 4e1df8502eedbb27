"""Values of the user to registers of lanes: shapes, dtypes, missing components, what overlaps and what is missing.

Whatever is wrong with the values becomes a `Diagnostic`; all of them are found in one go. Words in here are of the profile's
format, as in `engine.binding`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import FLOAT32, asarray, ndarray
from lanewise.arrays.words import FILL, MASKED, Words, by_name, is_masked, masked_at
from lanewise.core.diagnostics import ERROR, INPUT, UNIFORM, About, Diagnostic, PortableError
from lanewise.core.numbers.floats import float24_from_float, float_from_bits
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms, Vector
from lanewise.pica200.engine.counts import is_count, with_counts
from lanewise.pica200.engine.encoding import encoded, raw_words
from lanewise.pica200.engine.names import (
    INPUT_FILES,
    UNIFORM_FILES,
    Place,
    beyond,
    by_components,
    component_of,
    find,
    register_range,
    suggestion,
)
from lanewise.pica200.engine.packed import unpacked
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.isa.uniforms import MOST_TURNS
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE, profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.engine.names import Named
    from lanewise.pica200.isa.program import Constant, Interface, Preamble, Uniform
    from lanewise.pica200.sem.profile import Profile

MOST_LANES = 1 << 27
NOWHERE = Span(file="")
_ZEROS: Vector = (0, 0, 0, 0)
_TRUE: Vector = (1, 0, 0, 0)
_ONE: list[Vector] = [_ZEROS]  # row
_ROWS = "; on the command line `;` separates rows, which a shell needs in quotes"


_MOST_ROWS = 16  # that are taken for rows of a matrix or array too many


class _Wrong(PortableError):
    """A value that cannot be used: code, message, help."""

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.finding = Diagnostic(code=code, severity=ERROR, message=message, span=NOWHERE, notes=(), fix=fix)


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
    findings_of: dict[str, str] = {}  # inputs that are given by components
    places = _places(named, INPUT_FILES)
    for key, value in given.items():
        try:
            place = places.get(key) or find(_name(key, "input"), named, INPUT_FILES)
            if place is None and (whole := component_of(key, named)):
                first = whole.name not in findings_of
                findings_of[whole.name] = key
                if not first:
                    continue
                rows = "numpy.stack([x, y, z], axis=-1)" if hasattr(value, "__len__") else "[x, y, z]"
                frame = "`pandas.DataFrame(inputs)`"
                if not hasattr(value, "__len__"):
                    frame = "`pandas.DataFrame([inputs])`; rows of a frame run at once, `run(frame, uniforms)`"
                fix = f"`{{'{whole.name}': {rows}}}`, or columns, {frame}"
                raise _Wrong("B001", f"unknown input '{key}': '{whole.name}' is given whole", f"give {fix}")
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
            findings.append(wrong.finding._replace(about=(About(INPUT, key),)))
    lanes = _lanes(columns, keys, count, findings)
    return Inputs(Columns({} if findings else columns, lanes), lanes), findings


def _name(key: object, kind: str) -> str:
    """A key, which is a text; or raises."""
    if isinstance(key, str):
        return key
    raise _Wrong(
        "B001", f"unknown {kind} {key!r}: names are texts", f"give names or registers: '{'v' if kind == 'input' else 'c'}0'"
    )


def _column(key: str, value: ArrayLike | Words, profile: Profile) -> Column:
    """An input, with the shape (rows, 1 to 4); one row if it is the same for all vertices."""
    if type(value) is ndarray and value.dtype == FLOAT32 and value.ndim == 2 and 1 <= value.shape[1] <= 4:
        return Column(value, raw=False, profile=profile)
    array = _checked(f"input '{key}'", value)
    if array.ndim == 0 or (array.ndim == 1 and 1 <= len(array) <= 4):
        array = array.reshape(1, -1)
    if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
        from lanewise.arrays.unfit import shape_fix

        # Five numbers could be x of five vertices, but four are a vector: the shape decides.
        raise _Wrong(
            "B002",
            f"input '{key}' is a row of {len(array)} numbers: a vector has 1 to 4"
            if array.ndim == 1
            else f"input '{key}' has shape {array.shape}, expected (vertices, 1 to 4), or 1 to 4 numbers for all vertices",
            shape_fix(array.shape, value=value),
        )
    return Column(array, raw=isinstance(value, Words), profile=profile)


def _lanes(columns: Mapping[int, Column], keys: Mapping[int, str], count: int | None, findings: list[Diagnostic]) -> int:
    """The number of vertices; 1 if neither inputs nor `count` give it."""
    lengths: set[int] = set()
    for column in columns.values():
        lengths.add(column.values.shape[0])
    lengths.discard(1)
    if count is None:
        lanes = 0 if 0 in lengths else max(lengths) if lengths else 1
        differing = len(lengths) > 1
        fix = ""
    else:
        lanes = count
        fix = f"give at least {count} rows, or ask for fewer vertices"
        differing = bool(lengths) and min(lengths) < lanes
    if differing:
        if not fix:
            from lanewise.arrays.unfit import rows_fix

            fix = rows_fix({keys[n]: len(column) for n, column in columns.items() if len(column) != 1})
        listed = ", ".join(f"{keys[n]} has {len(column)}" for n, column in columns.items() if len(column) != 1)
        asked = (
            "the inputs have different numbers of vertices" if count is None else f"an input has fewer than {count} vertices"
        )
        about = tuple([About(INPUT, keys[n]) for n, column in columns.items() if len(column) != 1])
        findings.append(
            Diagnostic(code="B008", severity=ERROR, message=f"{asked}: {listed}", span=NOWHERE, notes=(), fix=fix, about=about)
        )
        return 0
    if not 0 <= lanes <= MOST_LANES:
        findings.append(
            Diagnostic(
                code="B008",
                severity=ERROR,
                message=f"{lanes} vertices are out of range: 0 to {MOST_LANES}",
                span=NOWHERE,
                notes=(),
                fix="split the data" if lanes > 0 else "give 0 or more",
            )
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
    (registers, 3 or 4); booleans one truth value for each register. One number for an integer that a boolean guards is the
    count of its loops, which sets both (`engine.counts`). Values override the constants of the file, component by component.
    """
    findings: list[Diagnostic] = []
    values: dict[int, Vector] = {}
    owners: dict[int, str] = {}
    widths: dict[int, int] = {}  # of float registers with fewer than four components
    named = tuple(declared)
    constants = tuple(constants)
    given = with_counts(given, named, constants)
    places = _places(named, UNIFORM_FILES)
    together = _Together()
    parts: dict[Uniform, list[str]] = {}  # uniforms that are given by components
    for key, value in given.items():
        try:
            place = places.get(key) or find(_name(key, "uniform"), named, UNIFORM_FILES)
            if place is None:
                if found := component_of(key, named):
                    parts.setdefault(found, []).append(key)
                    continue
                fix = beyond(key, named) or suggestion(key, [one.name for one in named], "c0-c95, i0-i3, b0-b15", len(findings))
                raise _Wrong("B001", f"unknown uniform '{key}'", fix)
            places[key] = place
            if is_count(key, value, named):  # one that is 0 to MOST_TURNS has been replaced by its registers
                number: float = _numbers(f"uniform '{key}'", value).reshape(-1).tolist()[0]
                raise _Wrong(
                    "B007",
                    f"uniform '{key}' is {number:g}, expected a number of iterations",
                    f"give a whole number from 0 to {MOST_TURNS}",
                )
            rows, width = together.rows(value, place), 4
            if rows is None:
                rows, width = _rows(key, value, place, profile)
            for register, row in enumerate(rows, place.first):
                if register in owners:
                    where = register_range(register, register, UNIFORM_FILES)
                    raise _Wrong("B006", f"uniforms '{owners[register]}' and '{key}' both give {where}", "give it once")
                owners[register] = key
                values[register] = row
                if width < 4:
                    widths[register] = width
        except _Wrong as wrong:
            findings.append(wrong.finding._replace(about=(About(UNIFORM, key),)))
    findings += [_Wrong("B001", *by_components(found, keys)).finding for found, keys in parts.items()]
    if not findings:
        values |= together.values(profile)
    rule = number_rule(profile)
    preset = {constant.register: constant.values for constant in constants}
    for register, words in preset.items():
        held = [rule.from_float24(word) for word in words] if FLOAT <= register < INTEGER else words
        width = widths.pop(register, 0)
        values[register] = _four((*values[register][:width], *held[width:])) if width else values.get(register, _four(held))
    floats = tuple([values.get(FLOAT + n, _ZEROS) for n in range(96)])
    integers = tuple([values.get(INTEGER + n, _ZEROS) for n in range(4)])
    booleans = tuple([bool(values.get(BOOLEAN + n, _ZEROS)[0]) for n in range(16)])
    return Uniforms(
        floats=floats, integers=integers, booleans=booleans, given=frozenset(values), partial=tuple(sorted(widths.items()))
    ), findings


def bind_interface(
    given: Mapping[str, ArrayLike | Words], declared: Sequence[Named], interface: Interface, profile: Profile
) -> tuple[Uniforms, list[Diagnostic]]:
    """The same for a shader: what its preamble computes goes into its registers, but those that are given."""
    found, findings = bind_uniforms(given, declared, interface.constants, profile)
    if interface.preamble is None or findings:
        return found, findings
    try:
        return _with_preamble(interface.preamble, given, tuple(declared), interface.constants, found, profile), []
    except PortableError as error:
        fix = "compile the shader again, or give the registers with --uniform"
        return found, [Diagnostic(code="C020", severity=ERROR, message=str(error), span=NOWHERE, notes=(), fix=fix)]


def _with_preamble(
    preamble: Preamble,
    given: Mapping[str, ArrayLike | Words],
    named: tuple[Named, ...],
    constants: tuple[Constant, ...],
    found: Uniforms,
    profile: Profile,
) -> Uniforms:
    """The registers with those that a preamble computes. It takes numbers as they are given, not as they are rounded. Raises
    PreambleError."""
    from lanewise.pica200.engine.preamble import computed

    single = found if profile.rounding == "float32" else bind_uniforms(given, named, constants, profiles["azahar"])[0]
    rows = computed(preamble, named, single)
    words = cast("list[list[int]]", encoded(asarray([list(row) for row in rows.values()]), profile).tolist() if rows else [])
    new = {register: _vector(row) for register, row in zip(rows, words, strict=True) if register not in found.given}
    floats = tuple([new.get(FLOAT + n, row) for n, row in enumerate(found.floats)])
    return found._replace(floats=floats, given=found.given | new.keys())


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
        """The vectors of simple values; those of float uniforms come later, by `values`. None for a value that takes more
        checks."""
        first = place.first
        if first >= BOOLEAN:
            return [_TRUE if value else _ZEROS] if type(value) is bool else None
        if type(value) is ndarray:
            shape = value.shape
            if first >= INTEGER or value.dtype != FLOAT32 or not shape or shape[-1] != 4:
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
            import numpy as np

            words = encoded(np.concatenate(self._arrays), profile).reshape(-1, 4)
            found |= zip(self._registers[0], map(_vector, words.tolist()), strict=True)
        if self._lists:
            words = encoded(asarray(self._lists), profile)
            found |= zip(self._registers[1], map(_vector, words.tolist()), strict=True)
        return found


def _vector(row: list[int]) -> Vector:
    x, y, z, w = row
    return x, y, z, w


def _four(values: Sequence[int]) -> Vector:
    x, y, z, w = (*values, 0, 0, 0)[:4]
    return x, y, z, w


def _rows(key: str, value: ArrayLike | Words, place: Place, profile: Profile) -> tuple[list[Vector], int]:
    """The vector of each register from `place.first` on, and how many of its components are given."""
    width = 4
    if place.first >= BOOLEAN:
        rows = _booleans(key, value)
    elif place.first >= INTEGER:
        rows = _integers(key, value)
    else:
        array = _floats(key, value, place, profile)
        width = array.shape[1]
        rows = [_four(row) for row in array.tolist()]
    if len(rows) > place.size:
        if not place.whole:
            last = register_range(place.last, place.last, UNIFORM_FILES)
            message = f"uniform '{key}' has {counted(len(rows), 'row')}, which extend past {last}"
            raise _Wrong("B002", message, "remove rows, or start at a lower register")
        where = register_range(place.first, place.last, UNIFORM_FILES)
        raise _Wrong(
            "B002",
            f"uniform '{key}' is {where}, expected at most {counted(place.size, 'row')}, got {len(rows)}",
            f"give the first {place.size}"
            if len(rows) == place.size + 1
            else f"a uniform is the same for all vertices: run once for each of its values, or declare `.in {key}` in its place"
            if len(rows) > _MOST_ROWS
            else "remove rows, or check which uniform is intended",
        )
    return rows, width


def _floats(key: str, value: ArrayLike | Words, place: Place, profile: Profile) -> NDArray[np.uint32]:
    """(registers, 1 to 4) words."""
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
        one = "a uniform is the same for all vertices: run the shader once for each of its values"
        rows = array.size // 4 if array.ndim == 1 and array.size % 4 == 0 else 0
        lacking = "add the last row of the matrix, 0, 0, 0, 1" if place.whole and rows == place.size - 1 == 3 else ""
        if array.ndim > 2 and array.shape[0] == 1:
            one = "remove the outermost brackets, `value[0]` in NumPy"
        raise _Wrong(
            "B002",
            f"uniform '{key}' ({where}) has shape {_shape(value)}, expected {expected}",
            lacking or one
            if array.ndim > 2 or lacking
            else "keep 4 numbers, `values[:4]` in NumPy"
            if single and array.ndim == 1
            else f"give one row for each register{_ROWS if place.size > 1 and place.whole else ''}",
        )
    return array


def _rounds(array: NDArray[Any]) -> str:
    """An example of the value of a loop: with the iterations that are given, where that is one number."""
    count = int(array.reshape(-1)[0]) if array.size and array.size < 3 and 1 <= array.reshape(-1)[0] <= 256 else 4
    return f"{count - 1},0,1, in Python [{count - 1}, 0, 1], is {counted(count, 'iteration')}"


def _as_bytes(word: int) -> str:
    """The other meaning of a number whose decimal digits are those of 4 bytes, as a dump has them: `03000100`."""
    digits = f"{word:08}"
    if len(digits) != 8 or digits[6:] != "00":
        return ""
    listed = [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
    return f"; if {digits} are the digits of its bytes in memory, {','.join(map(str, listed))}, in a file {listed}"


def _integers(key: str, value: ArrayLike | Words) -> list[Vector]:
    array = _numbers(f"uniform '{key}'", value)
    if array.ndim == 1:
        array = array.reshape(1, -1)
    if array.size == 1 and 0xFF < array.item() < 1 << 32 and array.item() == int(array.item()):  # as in a register
        word = int(array.item())
        parts = [str(word >> shift & 0xFF) for shift in (0, 8, 16)]
        raise _Wrong(
            "B002",
            f"uniform '{key}' is one number, {word:#x}, expected 3 or 4 integers: its bytes, the lowest first",
            f"give {','.join(parts)}, in a file [{', '.join(parts)}]{_as_bytes(word)}",
        )
    if array.ndim != 2 or array.shape[1] not in (3, 4):
        raise _Wrong(
            "B002",
            f"uniform '{key}' has shape {_shape(value)}, expected 3 or 4 integers, or rows of them",
            f"give the number of iterations minus one, the start of aL and its step: {_rounds(array)}",
        )
    numbers: list[float] = array.reshape(-1).tolist()
    if not all(0 <= number <= 255 and number == int(number) for number in numbers):
        shown = ", ".join(f"{number:g}" for number in numbers[:4])
        raise _Wrong(
            "B007",
            f"uniform '{key}' is {shown}, expected integers from 0 to 255",
            "give whole numbers from 0 to 255: i registers hold unsigned bytes"
            + ("; a loop runs x + 1 times, at least once: skip it by a boolean, `ifu`, for none" if numbers[0] == -1 else ""),
        )
    return [_four([int(number) for number in row]) for row in array.tolist()]


def _booleans(key: str, value: ArrayLike | Words) -> list[Vector]:
    if type(value) in (type(None), str):
        raise _Wrong(
            "B003", f"uniform '{key}' is {value!r}, expected true, false, 1 or 0: it is a boolean", "give True or False"
        )
    array = _numbers(f"uniform '{key}'", value)
    if array.ndim > 1:
        raise _Wrong(
            "B002",
            f"uniform '{key}' has shape {_shape(value)}, expected one boolean for each register",
            "give true or false",
        )
    flags: list[float] = array.reshape(-1).tolist()
    if not all(flag in (0, 1) for flag in flags):
        other = next(flag for flag in flags if flag not in (0, 1))
        raise _Wrong("B003", f"uniform '{key}' is {other:g}, expected true, false, 1 or 0: it is a boolean", "give 1 or 0")
    return [(int(flag), 0, 0, 0) for flag in flags]


def _numbers(what: str, value: ArrayLike | Words) -> NDArray[Any]:
    """The value as an array of real numbers, or raises."""
    if isinstance(value, Words):
        raise _Wrong("B003", f"{what} does not hold float24 words", "give plain numbers")
    if is_masked(value):
        raise _Wrong("B003", f"{what} {MASKED}{masked_at(value)}", FILL)
    try:
        table = by_name(value)
    except ValueError as error:
        from lanewise.arrays.unfit import columns_fix, columns_of

        raise _Wrong("B002", f"{what} {error}", columns_fix(columns_of(value), what)) from None
    try:
        array, wrong = asarray(table), None
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        array, wrong = None, error
    if array is None or (array.size and array.dtype.kind not in "biuf"):
        from lanewise.arrays.unfit import not_numbers

        unfit = not_numbers(value, array, wrong)
        raise _Wrong("B003", f"{what} {unfit.what}", unfit.fix)
    return array if array.size or array.dtype.kind == "f" else array.astype("float64")


def _words(what: str, value: ArrayLike | Words, profile: Profile) -> NDArray[np.uint32]:
    """The value as words of the profile's format, in its own shape."""
    array = _checked(what, value)
    return raw_words(array, profile) if isinstance(value, Words) else encoded(array, profile)


def _checked(what: str, value: ArrayLike | Words) -> NDArray[Any]:
    """The value as an array of numbers, or of raw words for `Words`; or raises."""
    if not isinstance(value, Words):
        return _numbers(what, value)
    array = value.array
    if is_masked(value):
        raise _Wrong("B003", f"{what} {MASKED}{masked_at(value)}", FILL)
    if array.size and array.dtype.kind not in "iu":
        raise _Wrong("B003", f"{what} is raw words of {_dtype(array)}, expected integers", "remove Words to give numbers")
    if found := unpacked(array.tolist() if array.ndim == 1 else ()):
        listed = ", ".join([f'"0x{word:06X}"' for word in found])
        message = f"{what} has three words that are four float24 packed, as the GPU gets them: w is in the first"
        raise _Wrong("B007", message, f"give the bits of x, y, z, w: [{listed}]")
    if array.size and (int(array.min()) < 0 or int(array.max()) >> 24):
        raise _Wrong("B007", f"{what} has raw words of more than 24 bits", _float24_fix(array))
    return array


def _float24_fix(words: NDArray[Any]) -> str:
    """The fix of words that are no float24; where they may be patterns of float32, with what the first is."""
    fix = "use 0 to 0xFFFFFF for float24 words"
    whole: list[int] = words.reshape(-1).tolist()
    if min(whole) < 0 or max(whole) >> 32:
        return fix
    word = next(word for word in whole if word >> 24)
    number = float_from_bits(word)
    if not 2.0**-62 <= abs(number) < 2.0**64:  # what float24 holds
        return fix
    other = f"{float24_from_float(number):#08x}; give that, or numbers"
    return f"{fix}: {word:#010x} is {number:g} as float32, as float24 {other}"


def _shape(value: ArrayLike | Words) -> str:
    return str((value.array if isinstance(value, Words) else asarray(value)).shape)


def _dtype(array: NDArray[Any]) -> str:
    return {"U": "text", "S": "text", "O": "mixed objects", "c": "complex numbers"}.get(array.dtype.kind, str(array.dtype))
