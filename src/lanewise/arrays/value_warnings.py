"""Warnings about the values of a run: what the format cannot hold, what a data frame lacks."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.lists import Lists, asarray
from lanewise.arrays.words import Words, is_masked
from lanewise.core.diagnostics import INPUT, UNIFORM, WARNING, About, Diagnostic
from lanewise.core.loaded_files import changed
from lanewise.core.numbers.floats import exact_float24, float_from_float24
from lanewise.core.source import Span
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = {
    "float24": ((2 - 2**-16) * 2.0**64, "float24 is 3.689e19"),
    "float32": ((2 - 2**-23) * 2.0**127, "float32 is 3.403e38"),
}
_DIGITS = {"float24": 17, "float32": 24}  # bits of the significand
_VECTOR = 4
_VECTORS = ("normal", "color", "colour", "tangent")  # in names of inputs; what counts in others may be meant, as a particle
_NOISE = 2.0**-20  # of a number: what a computation in float32 leaves of equal ones
_ROWS = 3  # of a column that counts
_MOST_ROWS = 1000  # that are looked at for other than whole numbers
_FLOAT_BYTES = 4
_SIMILAR = 2  # exponents that integers have, too
_TINY, _HUGE, _MOSTLY = 1e-5, 1e5, 0.9  # what coordinates usually are between
_MOST_COMPARED = 16  # numbers of an input
_MOST_PROGRAMS = 256
_SMALL_STEP = 2.0**-8  # between two numbers, below which larger steps are a remedy
_CLOCK = 1e9, 3e9  # seconds since 1970: of 2001 to 2065
_ORIGIN = "subtract an origin, such as the first value, `t - start`, or take `t % period`"
_LEAST_WORD, _MOST_WORD = 2.0**-16, 2.0**16  # numbers whose words of float24 are recognised
_ONES = frozenset((0x3F0000, 0xBF0000, 0x3E0000, 0xBE0000))  # words of float24 for 1, -1, 1/2, -1/2
_UPPER_ONE = 0x3F8000  # the upper bits of 1 as float32
_ROUND = 0xFFF  # bits that words of round numbers do not have
_MANY = 16  # rows, of which a few without a value are an oversight
_FEW = 8  # times as many numbers as the format has are too many


def format_warnings(
    inputs: Mapping[str, object], uniforms: Mapping[str, object], name: str, form: str = "float32", words: str = "float32"
) -> list[Diagnostic]:
    """Warnings about numbers that a format stores as infinity, and about integers that it rounds; about raw `words` of another
    format than the program's."""
    found: list[Diagnostic] = []
    for kind, values in ((INPUT, inputs), (UNIFORM, uniforms)):
        for key, value in values.items():
            array = numbers_of(value)
            if array is not None:
                found += _of_format(kind, key, array, form, name) or _clock(kind, key, array, form, name)
                found += _row_numbers(key, array, name) if kind == INPUT else []
            elif isinstance(value, Words) and words == "float32":
                found += _of_float24(kind, key, value, name)
            elif isinstance(value, Words):
                found += _upper_bits(kind, key, value, name)
    same = _same(inputs, name, form)
    return found if any(each.code == "B025" for each in found) else same + found


_earlier: dict[str, dict[str, list[float]]] = {}  # the few numbers of each input of the last run, by program


def _same(inputs: Mapping[str, object], name: str, form: str) -> list[Diagnostic]:
    """B025 for an input that differs from that of the run before by less than a step of the format, as in differences of a
    function; the others are the same."""
    few: dict[str, list[float]] = {}
    for key, value in inputs.items():
        array = numbers_of(value)
        if array is None or array.size > _MOST_COMPARED:
            return []
        few[key] = [float(each) for each in array.reshape(-1).tolist()]
    before = _earlier.get(name, {})
    if len(_earlier) >= _MOST_PROGRAMS:
        _earlier.clear()
    _earlier[name] = few
    if {key: len(each) for key, each in before.items()} != {key: len(each) for key, each in few.items()}:
        return []
    changed = [(key, *pair) for key, each in few.items() for pair in zip(each, before[key], strict=True) if pair[0] != pair[1]]
    steps = [math.ldexp(1.0, math.frexp(max(abs(one), abs(two)))[1] - _DIGITS[form]) for _, one, two in changed]
    if not changed or not all(abs(one - two) < step for (_, one, two), step in zip(changed, steps, strict=True)):
        return []
    key, one, two = changed[0]
    message = (
        f"input '{key}' differs from that of the run before by {abs(one - two):.2g}, and near {one:.4g} the numbers of {form} "
        f"are {steps[0]:.2g} apart"
    )
    fix = "take larger steps, such as `epsilon=2**-8`, or differentiate the formula in float64"
    return [warning("B025", message, fix if steps[0] <= _SMALL_STEP else _ORIGIN, name, About(INPUT, key))]


def _clock(kind: str, key: str, array: Any, form: str, name: str) -> list[Diagnostic]:
    """B025 for the seconds since 1970, with a fraction, of which the format has none."""
    flat: list[float] = array.reshape(-1).tolist() if array.dtype.kind == "f" and array.size <= _MOST_COMPARED else []
    seconds = next((number for number in flat if _CLOCK[0] < number < _CLOCK[1] and number % 1), None)
    if seconds is None:
        return []
    step = math.ldexp(1.0, math.frexp(seconds)[1] - _DIGITS[form])
    message = f"{kind} '{key}' is the time of a clock: near {seconds:.2f} the numbers of {form} are {step:g} apart"
    return [warning("B025", message, _ORIGIN, name, About(kind, key))]


def _of_format(kind: str, key: str, array: Any, form: str, name: str) -> list[Diagnostic]:
    largest, shown = _LARGEST[form]
    integers = array.dtype.kind in "iu"
    limit = 1 << _DIGITS[form]
    if not isinstance(array, Lists):
        low, high = _ends(array)
        if -largest <= low and high <= largest and not (integers and (low < -limit or high > limit)):
            return _joined(key, array, form, name) if kind == INPUT and not integers else []
    flat: list[float] = array.reshape(-1).tolist()
    wrong = next((number for number in flat if largest < abs(number) < math.inf), None)
    other = _in_other_order(array) if wrong is not None else ""
    if wrong is not None and other:
        message = f"{kind} '{key}' has {wrong:g}, which is stored as infinity, and usual numbers in another byte order or type"
        return [warning("B019", message, other, name, About(kind, key))]
    if wrong is not None:
        fix = f"scale it: the largest {shown}; write inf for infinity"
        return [warning("B019", f"{kind} '{key}' has {wrong:g}, which is stored as infinity", fix, name, About(kind, key))]
    if not integers:
        return _joined(key, array, form, name) if kind == INPUT else []
    # An integer is exact if what is between its first and its last bit of one fits the significand.
    inexact = [whole for whole in map(int, flat) if abs(whole) > limit and abs(whole) >> _trailing(whole) >= limit]
    if not inexact:
        return _words_by_value(kind, key, array, flat, name) if form == "float24" else []
    if _are_patterns(array):
        message = f"{kind} '{key}' has integers that are patterns of float32, such as 0x{int(inexact[0]) & 0xFFFFFFFF:08x}"
        return [warning("B020", message, "give the numbers: `values.view(numpy.float32)`", name, About(kind, key))]
    words = form == "float24" and str(array.dtype) == "uint32" and max(flat) < 1 << 24
    return [_rounded(kind, key, inexact, flat, form, name, words=words)]


def _are_patterns(array: Any) -> bool:
    """Whether integers of 32 bits are the patterns of float32 of usual numbers."""
    if isinstance(array, Lists) or array.dtype.itemsize != _FLOAT_BYTES or not array.flags.c_contiguous:
        return False
    found = array[array != 0]
    return len({*(found.view("uint32") >> 23).tolist()}) > _SIMILAR and _are_usual(found.view("float32"))


def _are_usual(numbers: Any) -> bool:
    """Whether nearly all numbers of an array are of a usual size, or 0."""
    if not numbers.size:
        return False
    sizes = abs(numbers)
    return bool((((sizes >= _TINY) & (sizes <= _HUGE)) | (sizes == 0)).mean() > _MOSTLY)


def _in_other_order(array: Any) -> str:
    """The fix of an array that has usual numbers with its bytes in another order, or as doubles; empty for others."""
    if isinstance(array, Lists) or array.dtype.kind != "f" or not array.flags.c_contiguous:
        return ""
    if _are_usual(array.byteswap()):
        return "exchange the bytes: `values.byteswap()`, or read them as they are, `numpy.frombuffer(data, '>f4')`"
    doubles = array.reshape(-1)[: array.size // 2 * 2].view("float64") if array.dtype.itemsize == _FLOAT_BYTES else None
    if doubles is not None and _are_usual(doubles):
        return "these are float64: `numpy.frombuffer(data, numpy.float64)`, `values.view(numpy.float64)`"
    return ""


def _words_by_value(kind: str, key: str, array: Any, flat: list[float], name: str) -> list[Diagnostic]:
    """The warning about whole numbers all of which are words of usual numbers of float24, or 0."""
    words = [int(number) for number in flat[:_MOST_ROWS]]
    if min(flat) < 0 or max(flat) >= 1 << 24 or not any(words):
        return []
    numbers = [float_from_float24(word) for word in words]
    usual = all(_LEAST_WORD <= abs(number) <= _MOST_WORD for number, word in zip(numbers, words, strict=True) if word)
    if not usual or not _has_ones(words) or (str(array.dtype) != "uint32" and any(word & _ROUND for word in words)):
        return []
    listed, shown = (", ".join([f"{number:.9g}" for number in each[:_VECTOR]]) for each in (words, numbers))
    more = ", ..." if len(flat) > _VECTOR else ""
    message = f"{kind} '{key}' has whole numbers that are words of float24: {listed}{more} are those of {shown}{more}"
    return [warning("B035", message, "give raw words as such: `lanewise.Words(values)`", name, About(kind, key))]


def is_point(key: str) -> bool:
    """Whether an input has the name of one that is points: `inpos`, `a_position`, `pos2`, but not `exposure` or `posRot`."""
    rest = key.lower().rpartition("pos")[2]
    return key.lower() != rest and rest.removeprefix("ition").removeprefix("s").strip("_0123456789") == ""


def _row_numbers(key: str, array: Any, name: str) -> list[Diagnostic]:
    """The warning about the numbers of rows in place of x, as a data frame writes them before its columns."""
    if isinstance(array, Lists) or array.ndim != 2 or array.shape[1] != _VECTOR or len(array) < 2:
        return []
    if len(array) >= _ROWS and "pos" in key.lower() and _counts(array[:, 3]) and not (array[:_MOST_ROWS, :3] % 1 == 0).all():
        message = f"input '{key}', w: counts the rows, {_first(array[:, 3])}, as an index does: points are divided by w"
        fix = "leave the last column out, w is 1: `FILE:0,1,2` on the command line, `values[:, :3]`"
        return [warning("B034", message, fix, name, About(INPUT, key))]
    others = array[:_MOST_ROWS, 1:]
    if not _counts(array[:, 0]):
        return []
    last = others[:, -1]
    moved = is_point(key) and not ((last == 0) | (last == 1)).all() and bool((last != last[0]).any())  # z where w is
    vectors = is_point(key) or key[1:].isdecimal() or any(each in key.lower() for each in _VECTORS)
    if not moved and (not vectors or len(array) < _ROWS or (others % 1 == 0).all(axis=0).any()):
        return []
    message = f"input '{key}', x: counts the rows, {_first(array[:, 0])}, as an index does"
    fix = "leave the first column out: `FILE:1,2,3` on the command line, `values[:, 1:]`, `index=False` of `to_csv`"
    return [warning("B034", message, fix, name, About(INPUT, key))]


def _counts(column: Any) -> bool:
    """Whether a column has the numbers of its rows, from 0 or 1 on."""
    start = column[0]
    if start not in (0, 1) or column[1] != start + 1:
        return False
    return all(number == row for row, number in enumerate((column - start).tolist()))


def _first(column: Any) -> str:
    return ", ".join([f"{number:g}" for number in column[:_ROWS]]) + (", ..." if len(column) > 2 else "")


def _of_float24(kind: str, key: str, value: Words, name: str) -> list[Diagnostic]:
    """The warning about raw words of float24, each of which is almost 0 as float32."""
    words = [int(word) for word in asarray(value.array).reshape(-1).tolist()[:_MOST_ROWS]]
    if not words or not all(0 <= word < 1 << 24 for word in words) or max(words) < 1 << 20:
        return []
    numbers = [float_from_float24(word) for word in words]
    if not all(
        number == 0 or (2**-16 <= abs(number) <= 2**16 and word & 0xF == 0) for number, word in zip(numbers, words, strict=True)
    ):
        return []
    if not _has_ones(words):
        return []
    first = next(number for number, word in enumerate(words) if word)
    patterns = [struct.unpack("<I", struct.pack("<f", number))[0] for number in numbers[:_VECTOR]]
    small = struct.unpack("<f", struct.pack("<I", words[first]))[0]
    message = (
        f"{kind} '{key}' has the word 0x{words[first]:06x}, which is {small:.3g} as float32 and {numbers[first]:g} as float24"
    )
    listed = ", ".join([f"0x{pattern:08x}" for pattern in patterns]) + (", ..." if len(words) > _VECTOR else "")
    return [warning("B035", message, f"write words of float32: {listed}", name, About(kind, key))]


def _has_ones(words: list[int]) -> bool:
    """Whether words of float24 are those of numbers: 1 or 1/2 is among them, and half of them are round. Addresses, packed
    colors and other integers are not."""
    found = [word for word in words if word]
    return not _ONES.isdisjoint(found) and sum(not word & _ROUND for word in found) * 2 >= len(found)


def _upper_bits(kind: str, key: str, value: Words, name: str) -> list[Diagnostic]:
    """The warning about raw words of float24 that are the upper 24 bits of float32: so they are whole numbers, else not."""
    words = [int(word) for word in asarray(value.array).reshape(-1).tolist()[:_MOST_ROWS]]
    if not words or not all(0 <= word < 1 << 24 for word in words):
        return []
    meant = [struct.unpack("<f", struct.pack("<I", word << 8))[0] for word in words]
    numbers = [float_from_float24(word) for word in words]
    if not all(map(_is_whole, meant)) or all(map(_is_whole, numbers)):
        return []
    if len({*words} - {0}) < _ROWS and not (len(words) % _VECTOR == 0 and _UPPER_ONE in words[_VECTOR - 1 :: _VECTOR]):
        return []  # 1.5 and 3 are whole numbers in that form, too; a w of 1 is not 1.5
    shown, read = (", ".join([f"{number:g}" for number in each[:_VECTOR]]) for each in (meant, numbers))
    message = f"{kind} '{key}' has words of float24 for {read}; they are the upper 24 bits of float32 for {shown}"
    listed = ", ".join([f"0x{exact_float24(number) or 0:06X}" for number in meant[:_VECTOR]])
    fix = f"if {shown} is meant, write {listed}: float24 has 7 bits of exponent (`float24.encode`); or give numbers"
    return [warning("B035", message, fix, name, About(kind, key))]


def _is_whole(number: float) -> bool:
    return math.isfinite(number) and number == math.floor(number)


def _rounded(
    kind: str, key: str, inexact: list[int], flat: list[float], form: str, name: str, *, words: bool = False
) -> Diagnostic:
    """The warning about integers that a format rounds; `words` may be raw words of a result."""
    limit = 1 << _DIGITS[form]
    low, high = int(min(flat)), int(max(flat))
    every = f"{form} has every integer up to 2^{_DIGITS[form]} ({limit})"
    if high - low <= limit:
        fix = f"subtract an offset, such as the least of them, {low}: {every}"
    elif high - low <= 2 * limit:
        fix = f"subtract an offset, such as {(low + high) // 2} in their middle: {every}"
    else:
        fix = f"give two components, `values // {limit}` and `values % {limit}`: {every}"
    if words:
        fix = f"give raw words, as `bits` of a result has them, as `lanewise.Words(values)`; of numbers, {fix}"
    message = f"{kind} '{key}' has {counted(len(inexact), 'integer')} of {len(flat)} that {form} rounds, such as {inexact[0]}"
    return warning("B020", message, fix, name, About(kind, key))


def _joined(key: str, array: Any, form: str, name: str) -> list[Diagnostic]:
    """The warning about numbers far from 0, of which the format has few: different ones become the same."""
    if isinstance(array, Lists) or array.ndim != 2 or len(array) < _ROWS:
        return []
    for letter, column in zip("xyzw", array.T, strict=False):
        low, high = _ends(column)
        largest = max(abs(low), abs(high))
        step = math.ldexp(1.0, math.frexp(largest)[1] - _DIGITS[form])  # between two numbers of the format there
        there = int((high - low) / step) + 1
        if form == "float24" and _is_one(column, low, high, step):
            message = (
                f"input '{key}', {letter}: {len(column)} different numbers are one as {form}, {int(low / step) * step:.9g}"
            )
            fix = f"subtract an origin, such as the least number, {low:.9g}: {form} has {_DIGITS[form]} bits of precision"
            return [warning("B025", message, fix, name, About(INPUT, key))]
        if len(column) < _FEW:
            continue
        if (
            len(column) > there
            and largest > 1 << _DIGITS[form]
            and bool((abs(column) < math.inf).all())
            and (column % 1 == 0).all()
        ):
            collapsing = _collapsing(column.tolist(), form)
            if collapsing and not there * _FEW <= len(column):
                return [_rounded(INPUT, key, collapsing, column.tolist(), form, name)]
        noise = high - low <= largest * _NOISE
        if largest and not noise and there * _FEW <= len(column) and (different := len(set(column.tolist()))) >= there * _FEW:
            message = f"input '{key}', {letter}: {different} different numbers are at most {there} as {form}"
            fix = f"subtract an origin, such as the least number, {low:.9g}: {form} has {_DIGITS[form]} bits of precision"
            return [warning("B025", message, fix, name, About(INPUT, key))]
    return []


def _is_one(column: Any, low: float, high: float, step: float) -> bool:
    """Whether each row has another whole number, as seconds and identifiers are, and all of them are one of the format."""
    if step <= 1 or int(low / step) != int(high / step) or not bool((abs(column) < math.inf).all()):
        return False
    noise = column.dtype.itemsize <= _FLOAT_BYTES and high - low <= abs(high) * _NOISE
    return not noise and bool((column % 1 == 0).all()) and len(set(column.tolist())) == len(column)


def _collapsing(numbers: list[float], form: str) -> list[int]:
    """The whole numbers that the format rounds, if different ones become the same; none otherwise."""
    distinct = set(numbers)
    steps = {number: math.ldexp(1.0, max(math.frexp(number)[1] - _DIGITS[form], 0)) for number in distinct}
    if len({number // step * step for number, step in steps.items() if step > 1}) == sum(step > 1 for step in steps.values()):
        return []
    return [int(number) for number in numbers if number % steps[number]]


def _ends(array: Any) -> tuple[float, float]:
    """The least and the largest number of an array, infinity and NaN aside."""
    if array.dtype.kind == "f":
        array = array[abs(array) < math.inf]
    return (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)


def _trailing(whole: int) -> int:
    return (whole & -whole).bit_length() - 1


def numbers_of(value: object) -> Any:
    """The value as an array of numbers; None for what is not one."""
    if isinstance(value, Words) or is_masked(value):
        return None
    try:
        array = asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return None
    return array if array.dtype.kind in "fiu" else None


def frame_warnings(inputs: object, name: str) -> list[Diagnostic]:
    """Warnings about values that a data frame of pandas does not have, which are NaN there, and about frames for several inputs
    whose rows have other labels, and of a source that has changed."""
    frame = cast("Any", inputs)
    found = _changed(name)
    if isinstance(inputs, dict):
        given = cast("dict[str, Any]", inputs)
        return [*found, *_labels(given, name), *[each for key in given for each in _without_values(key, given[key], name)]]
    if not hasattr(inputs, "columns") or not hasattr(inputs, "isna"):
        return found
    lacking = frame.isna().to_numpy()
    for column, rows in zip(frame.columns, lacking.T, strict=True):
        count = int(rows.sum())
        if count:
            label = ".".join(map(str, cast("tuple[object, ...]", column))) if isinstance(column, tuple) else str(column)
            more = f" and {count - 1} more" if count > 1 else ""
            message = f"column '{label}' has no value in row {int(rows.argmax())}{more}: NaN is stored"
            fix = "give a value, such as `frame.fillna(0)`, or leave such rows out, `frame.dropna()`"
            found.append(warning("B021", message, fix, name, None))
    return found


def _without_values(key: str, value: object, name: str) -> list[Diagnostic]:
    """The warning about a few rows of many that have NaN: of an array, or a frame of pandas."""
    array: Any = numbers_of(value)
    if array is None or isinstance(array, Lists) or array.dtype.kind != "f" or array.ndim != 2 or len(array) < _MANY:
        return []
    if not array.size or not math.isnan(array.min()):  # the least of an array with NaN is NaN; by row takes ten times as long
        return []
    lacking = ~(abs(array) >= 0).all(axis=1)
    count = int(lacking.sum())
    if not 0 < count <= len(array) // 2 or (abs(array) == math.inf).any():  # numbers to test with have infinity, too
        return []
    more = f" and {count - 1} more" if count > 1 else ""
    message = f"input '{key}' has no value in row {int(lacking.argmax())}{more}: NaN is stored"
    fix = f"keep the rows `~numpy.isnan({key}).any(axis=1)` of all inputs, or give a value, `numpy.nan_to_num({key})`"
    return [warning("B021", message, fix, name, About(INPUT, key))]


def _changed(name: str) -> list[Diagnostic]:
    """The warning about a program whose source has changed."""
    if not changed(name):
        return []
    fix = f"load it again: `lanewise.load({name!r})`"
    return [
        warning("B032", f"{name} has changed since it was loaded, and the run is of the program as it was", fix, name, None)
    ]


def _labels(inputs: Mapping[str, Any], name: str) -> list[Diagnostic]:
    """The warning about a Series that is taken for a vector, or about frames of pandas of which one has the labels of another
    in another order: rows go together by place."""
    labels = {key: value.index for key, value in inputs.items() if hasattr(value, "iloc") and hasattr(value, "index")}
    for key, index in labels.items():
        if inputs[key].ndim == 1 and 1 < len(index) <= _VECTOR and hasattr(index, "step"):  # rows by number
            message = f"input '{key}' is a Series of {len(index)} numbers, which are one vector for all vertices"
            fix = "give the vector, `values.to_numpy()`, or a number for each vertex, `values.to_numpy()[:, None]`"
            return [warning("B027", message, fix, name, About(INPUT, key))]
    first, *others = labels or ("",)
    for other in others:
        mine, theirs = labels[first], labels[other]
        if len(mine) == len(theirs) and not mine.equals(theirs) and mine.sort_values().equals(theirs.sort_values()):
            message = f"the rows of '{other}' have the labels of those of '{first}' in another order: rows go together by place"
            fix = f"put them in one order: `{other}.loc[{first}.index]`, or give one frame with the columns of both"
            return [warning("B026", message, fix, name, About(INPUT, other))]
    return []


def warning(code: str, message: str, fix: str, name: str, about: About | None) -> Diagnostic:
    """A warning about a value of a run; `name` is the program."""
    return Diagnostic(
        code=code, severity=WARNING, message=message, span=Span(file=name), fix=fix, about=() if about is None else (about,)
    )


__all__ = ["format_warnings", "frame_warnings", "numbers_of", "warning"]
