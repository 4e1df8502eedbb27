"""Words of a profile's format as arrays: what `engine.encoding` does with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.pica200.engine.float24 import decode_all, encode, host_encode
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile


def encoded(numbers: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    if profile.rounding == "float32":
        with np.errstate(over="ignore"):
            return numbers.astype(np.float32).view(np.uint32)
    return host_encode(numbers) if profile.upload == "host" else encode(numbers, nearest=profile.upload == "nearest")


def raw_words(words: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    array = words.astype(np.uint32)
    if profile.rounding != "float32":
        return array
    rule = number_rule(profile)
    found, places = np.unique(array, return_inverse=True)
    return np.array([rule.from_float24(word) for word in found.tolist()], np.uint32)[places].reshape(array.shape)


def filled(words: NDArray[np.uint32], rest: Sequence[int]) -> NDArray[np.uint32]:
    rows = np.empty((len(words), 4), np.uint32)
    rows[:] = rest
    rows[:, : words.shape[1]] = words
    return rows


def of_lanes(words: NDArray[np.uint32], lanes: int) -> NDArray[np.uint32]:
    return np.broadcast_to(words if len(words) == 1 else words[:lanes], (lanes, 4))


def decoded(words: NDArray[np.uint32], profile: Profile) -> NDArray[np.float32]:
    return words.view(np.float32) if profile.rounding == "float32" else decode_all(words)
