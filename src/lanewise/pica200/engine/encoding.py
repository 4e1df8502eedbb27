"""Numbers to words of a profile's format and back, for arrays and for lists: float24 words, or float32 patterns where the
profile computes in float32.

The functions take what `arrays.lists.asarray` makes. Those on arrays are in `engine.array_words`; here are the same on numbers
of Python.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lanewise.arrays.lists import Lists, as_array, completed, float32_numbers, float32_patterns
from lanewise.core.numbers.floats import (
    float24_from_float,
    float32_bits,
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
    if profile.rounding == "float32":
        return float32_patterns(numbers)
    if isinstance(numbers, Lists):
        return as_array(numbers.each(_word_of(profile.upload)))
    return _array_words().encoded(numbers, profile.upload)


def raw_words(words: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    """float24 words as words of the profile's format."""
    if not isinstance(words, Lists):
        return _array_words().raw_words(words, profile)
    return as_array(words.each(number_rule(profile).from_float24) if profile.rounding == "float32" else words)


def filled(words: NDArray[np.uint32], profile: Profile) -> NDArray[np.uint32]:
    """(rows, 4) from (rows, 1 to 4): y and z become 0, w 1."""
    return completed(words, (0, 0, 0, number_rule(profile).constant(1.0)))


def decoded(words: NDArray[np.uint32], profile: Profile) -> NDArray[np.float32]:
    """The numbers of words of the profile's format, exact."""
    if profile.rounding == "float32":
        return float32_numbers(words)
    return as_array(words.each(float_from_float24, "f")) if isinstance(words, Lists) else _array_words().decode_all(words)


def _word_of(upload: str) -> Callable[[float], int]:
    """A function that makes a float24 word of a number."""
    if upload == "host":
        return lambda number: host_float24(float32_bits(_cut(number)))
    return lambda number: float24_from_float(_cut(number), nearest=upload == "nearest")


def _cut(number: float) -> float:
    """A number as float64; one of more than 53 bits is cut as `float24.encode` cuts it."""
    if isinstance(number, int) and abs(number) >> _DOUBLE:
        size = float(abs(number) & ~0x7FF)
        return -size if number < 0 else size
    return float(number)
