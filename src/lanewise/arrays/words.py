"""Raw words in place of numbers: `Words`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from lanewise.arrays.lists import asarray, ndarray

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray


class Words:
    """Raw words for an input, a float uniform or a constant: `Words(array)`.

    `array` has integers in the shape of the numbers: float24 words of 24 bits for the PICA200, float32 patterns of 32 bits for a
    ShaderCore.
    """

    __slots__ = ("array",)

    def __init__(self, array: ArrayLike) -> None:
        if not is_masked(array):
            self.array: NDArray[Any] = asarray(array)
            return
        import numpy as np

        self.array = np.asanyarray(array)

    def __repr__(self) -> str:
        return f"Words(shape={self.array.shape})"


# What is said of a masked array; the fix in Python.
MASKED, FILL = "is a masked array, expected a value for every number", "fill it: `array.filled(0)`"


def is_masked(value: object) -> bool:
    """Whether a value is a masked array of numpy, or a list of those: as an ordinary array it would show what the mask hides."""
    if type(value) is ndarray:
        return False
    module = sys.modules.get("numpy.ma")
    if module is None:
        return False
    kind: type = module.MaskedArray
    if isinstance(value, Words):
        return isinstance(value.array, kind)
    if isinstance(value, (list, tuple)):
        rows = cast("list[object]", value)
        return bool(rows) and isinstance(rows[0], ndarray) and any(isinstance(row, kind) for row in rows)
    return isinstance(value, kind)
