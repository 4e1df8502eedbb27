"""Words of a profile's format as arrays: what `engine.encoding` does with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.pica200.engine.float24 import decode_all, encode, host_encode
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile


def encoded(numbers: NDArray[Any], upload: str) -> NDArray[np.uint32]:
    return host_encode(numbers) if upload == "host" else encode(numbers, nearest=upload == "nearest")


def raw_words(words: NDArray[Any], profile: Profile) -> NDArray[np.uint32]:
    array = words.astype(np.uint32)
    if profile.rounding != "float32":
        return array
    rule = number_rule(profile)
    found, places = np.unique(array, return_inverse=True)
    return np.array([rule.from_float24(word) for word in found.tolist()], np.uint32)[places].reshape(array.shape)


__all__ = ["decode_all", "encoded", "raw_words"]
