"""Values while a module is lowered: tuples of components in the order of SPIR-V (a matrix column by column), each known,
computed or undefined."""

from __future__ import annotations

import math
import struct

from lanewise.compile.vector.code import Ref
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.compile.spirv.module import Type


class Known(Record):
    """A number that is known: a float, an int as a whole number, a bool as True or False."""

    value: float | int | bool


# None is undefined.
Scalar = Ref | Known | None
Value = tuple[Scalar, ...]


class Pointer(Record):
    """A place in a variable."""

    root: tuple[int, int]
    "The key of the variable: the instance of the function (0: the module), the id."
    storage: int
    "The number of the storage class of the variable."
    base: int
    "The type of the variable."
    type: int
    "The type that it points to."
    steps: tuple[Scalar, ...] = ()
    "The indices that lead from `base` to `type`."


class Opaque(Record):
    """A value without components: an image, a sampler."""

    type: Type


Content = Value | Pointer | Opaque


def same(a: Scalar, b: Scalar) -> bool:
    """Whether two components are one: by bits where both are known."""
    if isinstance(a, Known) and isinstance(b, Known):
        x, y = a.value, b.value
        if isinstance(x, float) or isinstance(y, float):
            return (math.isnan(x) and math.isnan(y)) or (x == y and math.copysign(1.0, x) == math.copysign(1.0, y))
        return x == y
    return a == b


def negated(a: Scalar) -> Scalar:
    """A component with its sign turned."""
    if isinstance(a, Known):
        return Known(-a.value)
    return a if a is None else a.turned()


def single(value: float) -> float:
    """A number as float32; what is too large is an infinity."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
