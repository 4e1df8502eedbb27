"""Arrays of a result from the numbers of its registers and the masks of what was written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.outputs import Arrays
from lanewise.pica200.engine.float24 import encode_all
from lanewise.pica200.engine.results import WRITTEN_BITS, named_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.results import Wiring
    from lanewise.pica200.sem.profile import Profile


def output_arrays(
    numbers: Mapping[int, NDArray[np.float32]],
    masks: Callable[[int], NDArray[np.uint8]],
    wirings: Sequence[Wiring],
    profile: Profile,
) -> tuple[Arrays, Arrays, Arrays]:
    """Outputs, bits and written of a result, under all their keys.

    `numbers` are (lanes, 4) by register, as float32 that are float24 or not as the profile has it; `masks` gives for a register
    the masks (lanes,) of what was written, x in bit 3.
    """
    columns, listed = named_columns(tuple(sorted(numbers)), tuple(wirings))
    return (
        Arrays(columns, listed, numbers.__getitem__),
        Arrays(columns, listed, partial(_words, numbers, profile)),
        Arrays(columns, listed, partial(_flags, masks)),
    )


def _words(numbers: Mapping[int, NDArray[np.float32]], profile: Profile, register: int) -> NDArray[np.uint32]:
    array = numbers[register]
    return array.view(np.uint32) if profile.rounding == "float32" else encode_all(array)


def _flags(masks: Callable[[int], NDArray[np.uint8]], register: int) -> NDArray[np.bool_]:
    return written_flags(masks(register))


def written_flags(masks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Truth values for x, y, z, w of masks, in one dimension more."""
    return (masks[..., np.newaxis] & np.array(WRITTEN_BITS, np.uint8)) != 0


def masks_of(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The masks of truth values for x, y, z, w in the last dimension."""
    return (flags * np.array(WRITTEN_BITS, np.uint8)).sum(axis=-1, dtype=np.uint8)
