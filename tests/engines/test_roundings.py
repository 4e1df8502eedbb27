"""Single roundings of the compiled engine, on pairs of numbers, beside exact integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engines.kernels import need_level
from engines.lanes import Lanes
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name, Text

WIDE: dict[str, Callable[[Target, Text, Name, Name], Name]] = {
    **{how: lambda target, text, a, b, how=how: target.rounded(text, "add", a, b, how) for how in ("zero", "up", "down", "nearest")},
    "literal": lambda target, text, a, _: target.rounded(text, "mul", a, text.number(1 + 2.0**-20), "up"),
    "larger": lambda target, text, a, b: target.larger(text, a, b),
    "without_nan": lambda target, text, a, b: target.without_nan(text, text.fdiv(a, b)),
}  # fmt: skip


@pytest.mark.parametrize("name", WIDE)
def test_embedded_rounding_of_32_lanes_is_that_of_16(name: str):
    need_level("avx512")
    target = host("avx512")
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 4096), np.float32)
    a[::17] = b[::17] = 0
    narrow, wide = (Lanes(target, "nearest", lambda text, x, y: WIDE[name](target, text, x, y), width) for width in (16, 32))
    found = narrow(a, b)
    assert np.array_equal(found.view(np.uint32), wide(a, b).view(np.uint32))
    assert len(np.unique(found)) > 3000
