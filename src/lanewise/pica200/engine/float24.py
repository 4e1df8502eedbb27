"""float24 for whole arrays: `lanewise.pica200.float24`. The rules are those of `core.floats`, which is the definition.

Numbers enter by the exact rule: rounded once, toward zero; subnormals are kept; from 2**64 on they are infinity; NaN is
0x7F8000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from lanewise.arrays.words import MASKED, is_masked
from lanewise.core.argument_kinds import shown
from lanewise.core.numbers.floats import (
    BIAS,
    EXPONENT_MAX,
    FRACTION,
    HIDDEN,
    INFINITY,
    MAGNITUDE,
    MANTISSA_BITS,
    NAN,
    SIGN,
    host_float24,
)
from lanewise.core.objects import checked
from lanewise.core.public import not_a_function

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

__all__ = ["decode", "encode", "host_encode"]

_F64_MANTISSA, _F64_BIAS, _F64_TOP = 52, 1023, 0x7FF
_F64_FRACTION = (1 << _F64_MANTISSA) - 1
_REBIAS = _F64_BIAS - BIAS  # a float64 exponent field less this is the float24 one
_F32_REBIAS = 127 - BIAS
_F32_SMALLEST, _F32_LARGEST = np.array([2.0 ** (1 - BIAS), 2.0 ** (BIAS + 1)], np.float32).view(np.uint32)
_SUBNORMAL_STEP = 2.0 ** -(BIAS + MANTISSA_BITS - 1)


@checked
def encode(values: ArrayLike, *, nearest: bool = False) -> NDArray[np.uint32]:
    """The float24 words of numbers, in an array of the same shape. A zero keeps its sign.

    Takes every real dtype; each number is rounded once, whatever the dtype: toward zero, or to `nearest`, ties to even.
    (Integers of more than 53 bits are cut to those first.) Raises TypeError for what is not numbers.
    """
    if not isinstance(nearest, cast("tuple[type, ...]", (bool, np.bool_, int))):
        raise TypeError(f"nearest is {shown(nearest)}, expected True, to nearest, or False, toward zero")
    array = _array(values, "values")
    bits = _as_float64(array.reshape(-1)).view(np.uint64)
    negative = (bits >> np.uint64(63)).astype(np.uint32) * np.uint32(SIGN)
    exponent = (bits >> np.uint64(_F64_MANTISSA)).astype(np.int64) & _F64_TOP
    fraction = (bits & np.uint64(_F64_FRACTION)).astype(np.int64)
    field = exponent - _REBIAS
    normal = field << MANTISSA_BITS | fraction >> (_F64_MANTISSA - MANTISSA_BITS)
    # Below 2**-62 the hidden bit joins the mantissa, which moves down; 63 places leave nothing of it.
    places = np.clip(_F64_MANTISSA - MANTISSA_BITS + 1 - field, 0, 63)
    subnormal = (fraction | 1 << _F64_MANTISSA) >> places
    size = np.where(field > 0, normal, subnormal)
    if nearest:
        drop = np.where(field > 0, _F64_MANTISSA - MANTISSA_BITS, places)
        whole = fraction | np.int64(1 << _F64_MANTISSA)
        half = np.int64(1) << (drop - 1)
        rest = whole & (2 * half - 1)
        # A carry out of the mantissa adds 1 to the exponent, as it should.
        size = size + ((rest > half) | ((rest == half) & (size & 1 == 1)))
    size = np.where((field >= EXPONENT_MAX) | (size > INFINITY), INFINITY, size)
    words = size.astype(np.uint32) | negative
    return np.where((exponent == _F64_TOP) & (fraction != 0), np.uint32(NAN), words).reshape(array.shape)


@checked
def host_encode(values: ArrayLike) -> NDArray[np.uint32]:
    """The words that picasso and libctru make of numbers: `core.floats.host_float24` of each as float32. Raises TypeError."""
    array = _array(values, "values")
    with np.errstate(over="ignore"):
        bits = _as_float64(array.reshape(-1)).astype(np.float32).view(np.uint32)
    found, places = np.unique(bits, return_inverse=True)
    words = np.array([host_float24(word) for word in found.tolist()], np.uint32)
    return words[places].reshape(array.shape)


@checked
def decode(words: ArrayLike, dtype: type[np.float32 | np.float64] | str | None = np.float32) -> NDArray[Any]:
    """The numbers of float24 words, exact in float32 and float64, in the same shape.

    Raises TypeError for what is not integers and another dtype, ValueError for words of more than 24 bits.
    """
    try:
        kind = _KINDS.get(dtype)
    except TypeError:  # of what has no hash
        kind = None
    if kind is None:
        name = getattr(dtype, "__name__", dtype)
        known = name in _CONVERTED
        fix = f": decode, then convert, `.astype({str(name)!r})`" if known else ""
        raise TypeError(f"dtype is {shown(name)}, expected numpy.float32 or numpy.float64{fix}")
    array = _array(words, "words")
    if array.dtype.kind not in "iu" and array.size:
        found = _OTHER.get("U" if _texts(array) else array.dtype.kind, str(array.dtype))
        raise TypeError(f"float24 words are integers, not {found}{_word_fix(words, array)}")
    if array.size and (int(array.min()) < 0 or int(array.max()) >> 24):
        least, most = int(array.min()), int(array.max())
        fix = ""
        if least >= 0 and not most >> 32:
            fix = f": as the pattern of a float32 it is {np.uint32(most).view(np.float32):.6g}, `words.view(numpy.float32)`"
        raise ValueError(f"a float24 word has 24 bits, 0 to 0xFFFFFF, not {least if least < 0 else most:#x}{fix}")
    array = array.astype(np.uint32)
    sign = (array & np.uint32(SIGN)) << np.uint32(8)
    field = array >> np.uint32(MANTISSA_BITS) & np.uint32(EXPONENT_MAX)
    fraction = array & np.uint32(FRACTION)
    normal = field + np.uint32(_F32_REBIAS) << np.uint32(23) | fraction << np.uint32(7)
    subnormal = (fraction.astype(np.float32) * np.float32(_SUBNORMAL_STEP)).view(np.uint32)
    bits = np.where(field == 0, subnormal, normal)
    bits = np.where(field == EXPONENT_MAX, np.uint32(0x7F800000), bits) | sign
    bits = np.where(array & np.uint32(MAGNITUDE) > np.uint32(INFINITY), np.uint32(0x7FC00000), bits)
    return bits.astype(np.uint32).view(np.float32).astype(kind, copy=False)


def decode_all(words: NDArray[np.uint32]) -> NDArray[np.float32]:
    """`decode` in float32 for words of 24 bits, keeping sign and mantissa of a NaN.

    `encode_all` gives the word back.
    """
    size = words & np.uint32(MAGNITUDE)
    bits = (size << np.uint32(7)) + np.uint32(_F32_REBIAS << 23) | (words & np.uint32(SIGN)) << np.uint32(8)
    # What has another exponent than the same number in float32: subnormals, infinities and NaN; and zeros.
    other = size - np.uint32(HIDDEN) >= np.uint32(INFINITY - HIDDEN)
    if other.any():
        bits[other] &= np.uint32(0x80000000)
        other &= size != 0
    if other.any():
        rest = words[other]
        kept = bits[other] | np.uint32(0x7F800000) | (rest & np.uint32(FRACTION)) << np.uint32(7)
        bits[other] = np.where(size[other] > np.uint32(INFINITY), kept, decode(rest).view(np.uint32))
    return bits.view(np.float32)


def encode_all(numbers: NDArray[np.float32]) -> NDArray[np.uint32]:
    """The float24 words of float32 numbers that float24 holds exactly.

    Of a NaN, the sign and the upper bits of the mantissa are kept.
    """
    bits = np.ascontiguousarray(numbers).view(np.uint32)
    size = bits & np.uint32(0x7FFFFFFF)
    sign = bits >> np.uint32(8) & np.uint32(SIGN)
    words = (size >> np.uint32(7)) - np.uint32(_F32_REBIAS << MANTISSA_BITS) | sign
    # What has another exponent than the same number in float24: subnormals, and from 2**64 on; and zeros.
    other = size - _F32_SMALLEST >= _F32_LARGEST - _F32_SMALLEST
    if other.any():
        words[other] = sign[other]
        other &= size != 0
    if other.any():
        rest = bits[other]
        kept = sign[other] | np.uint32(INFINITY) | rest >> np.uint32(7) & np.uint32(FRACTION)
        words[other] = np.where(size[other] > np.uint32(0x7F800000), kept, encode(rest.view(np.float32)))
    return words


_KINDS: dict[object, type[np.float32 | np.float64]] = {
    **dict.fromkeys((None, np.float32, np.dtype(np.float32), "float32", "f4", "<f4", "f", "single"), np.float32),
    **dict.fromkeys((np.float64, float, np.dtype(np.float64), "float64", "f8", "<f8", "d", "double", "float"), np.float64),
}
_CONVERTED = ("int", "int32", "int64", "uint32", "float16", "half", "longdouble", "float128", "complex64", "complex128")
_OTHER = {
    "f": "numbers with fractions",
    "U": "texts",
    "b": "True and False",
    "S": "bytes",
    "O": "objects",
    "c": "complex numbers",
}


def _array(value: Any, name: str) -> NDArray[Any]:
    """The array of an argument. Raises TypeError for what is not numbers, with what it is."""
    try:
        array: NDArray[Any] = np.asarray(value)
    except (ValueError, TypeError) as error:
        from lanewise.arrays.unfit import not_numbers

        unfit = not_numbers(value, None, error)
        raise TypeError(f"{name} {unfit.what}: {unfit.fix}") from None
    if is_masked(value):
        raise TypeError(f"{name} {MASKED}: `values.filled(0)`, or `values.compressed()` without them")
    if isinstance(value, (bytes, bytearray, memoryview)) or (array.dtype.kind in "OcmMVUS" and array.size):
        if name == "words" and _texts(array) and not isinstance(value, (bytes, bytearray)):
            return array
        from lanewise.arrays.unfit import not_numbers

        unfit = not_numbers(b"" if isinstance(value, memoryview) else value, array)
        fix = unfit.fix.replace("numpy.float32).reshape(-1, 3)", "numpy.uint32)" if name == "words" else "numpy.float32)")
        raise TypeError(f"{name} {unfit.what}: {fix.replace('values', name)}")
    return array


def _texts(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "U" or (array.dtype.kind == "O" and all(isinstance(each, str) for each in array.reshape(-1)))


def _word_fix(words: object, array: NDArray[Any]) -> str:
    """The fix for what are not words, from what they are."""
    if array.dtype.kind == "f":
        whole = not bool(np.any(array != np.floor(array)))
        integers = ", or `words.astype(numpy.uint32)` where they are words" if whole else ""
        return f": leave `decode` out for numbers, such as `outputs` of a result; `encode` gives their words{integers}"
    if _texts(array):
        text = str(array.reshape(-1)[0])
        digits = text.removeprefix("0x").removeprefix("0X")
        base = 0 if digits != text else 16
        number = f"int({text!r}, {base})" if isinstance(words, str) else f"[int(text, {base}) for text in words]"
        return f": `{number}`" if digits and set(digits.lower()) <= set("0123456789abcdef") else ""
    return ""


def _as_float64(array: NDArray[Any]) -> NDArray[np.float64]:
    """The numbers as float64; those with more than 53 bits are cut there, which the cut to 17 bits does not see."""
    kind = array.dtype.kind
    if kind == "b" or not array.size:
        return array.astype(np.float64)
    if kind in "iu":
        size = np.where(array < 0, np.uint64(0) - array.astype(np.uint64), array.astype(np.uint64))
        size = np.where(size >> np.uint64(53), size & ~np.uint64(0x7FF), size)
        return np.where(array < 0, -1.0, 1.0) * size.astype(np.float64)
    if kind == "f":
        if array.dtype.itemsize <= 8:
            with np.errstate(invalid="ignore"):  # of a signalling NaN
                return array.astype(np.float64)
        with np.errstate(over="ignore"):
            near = array.astype(np.float64)
        return np.where(np.abs(near) > np.abs(array), np.nextafter(near, 0.0), near)
    raise TypeError(f"float24 takes real numbers, not {array.dtype}")


_MEANT = {
    **dict.fromkeys(("pack", "from_float", "from_float32", "to_float24", "float_to_float24", "to_word", "words"), "encode"),
    **dict.fromkeys(("unpack", "to_float", "to_float32", "from_float24", "float24_to_float", "from_word", "numbers"), "decode"),
}


def __getattr__(name: str) -> object:
    from lanewise.core.public import unknown

    raise unknown("lanewise.pica200.float24", name, __all__, _MEANT)


not_a_function(__name__, "lanewise.pica200.float24", "`float24.encode(values)` gives words, `float24.decode(words)` numbers")
