"""Raw words in place of numbers: `Words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
        self.array: NDArray[Any] = np.asarray(array)

    def __repr__(self) -> str:
        return f"Words(shape={self.array.shape})"
