"""Arrays as `.npz` files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray


def npz_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """An `.npz` of arrays under their names."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
