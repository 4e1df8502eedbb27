"""Numbers to words of a profile's format and back, for arrays and for lists: float24 words, or float32 patterns where the profile computes in float32.

The functions take what `arrays.lists.asarray` makes. Those on arrays are in `engine.array_words`; here are the same on numbers of Python.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from lanewise.arrays.lists import Lists, as_array
from lanewise.core.numbers.floats import (
    float24_from_float,
    float32_bits,
    float_from_bits,
    float_from_float24,
    host_float24,
)
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile

_DOUBLE = 53  # bits of the mantissa of a float64


@cache
def _array_words():
    """The module, which NumPy comes with; an import statement takes ten times as long each time."""
    from lanewise.pica200.engine import array_words

    return array_words


def encoded(numbers: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    """Numbers as words of the profile's format, in their shape."""
    if isinstance(numbers, Lists):
        return as_array(numbers.each(_word_of(profile)))
    return _array_words().encoded(numbers, profile)


def raw_words(words: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    """float24 words as words of the profile's format."""
    if not isinstance(words, Lists):
        return _array_words().raw_words(words, profile)
    return as_array(words.each(number_rule(profile).from_float24) if profile.rounding == "float32" else words)


def filled(words: NDArray[np.uint32], profile: Profile) -> NDArray[np.uint32]:
    """(rows, 4) from (rows, 1 to 4): y and z become 0, w 1."""
    rest = [0, 0, 0, number_rule(profile).constant(1.0)]
    if not isinstance(words, Lists):
        return _array_words().filled(words, rest)
    width = words.shape[1]
    rows: list[list[int]] = words.tolist()
    return as_array(Lists([word for row in rows for word in (*row, *rest[width:])], (len(rows), 4), "i"))


def of_lanes(words: NDArray[np.uint32], lanes: int) -> NDArray[np.uint32]:
    """(lanes, 4) words: the first rows, or a single row for all."""
    if not isinstance(words, Lists):
        return _array_words().of_lanes(words, lanes)
    return as_array(Lists(words.flat * lanes, (lanes, 4), "i")) if len(words) == 1 else words[:lanes]


def decoded(words: NDArray[np.uint32], profile: Profile) -> NDArray[np.float32]:
    """The numbers of words of the profile's format, exact."""
    if not isinstance(words, Lists):
        return _array_words().decoded(words, profile)
    return as_array(words.each(float_from_bits if profile.rounding == "float32" else float_from_float24, "f"))


@cache
def _word_of(profile: Profile) -> Callable[[float], int]:
    """What makes a word of a number."""
    if profile.rounding == "float32":
        return lambda number: float32_bits(_odd(number) if isinstance(number, int) else number)
    if profile.upload == "host":
        return lambda number: host_float24(float32_bits(_cut(number)))
    nearest = partial(float24_from_float, nearest=profile.upload == "nearest")
    return lambda number: nearest(_cut(number))


def _cut(number: float) -> float:
    """A number as float64; one of more than 53 bits is cut as `float24.encode` cuts it."""
    if isinstance(number, int) and abs(number) >> _DOUBLE:
        size = float(abs(number) & ~0x7FF)
        return -size if number < 0 else size
    return float(number)


def _odd(number: int) -> float:
    """An integer as float64 for one rounding to float32: what does not fit sets the last bit."""
    shift = max(number.bit_length() - _DOUBLE, 0)
    size = abs(number)
    kept = size >> shift | (1 if size & (1 << shift) - 1 else 0)
    return float((-kept if number < 0 else kept) << shift)
