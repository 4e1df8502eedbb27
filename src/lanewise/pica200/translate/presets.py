"""The values that a file presets in uniforms, as numbers of a language."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float_from_float24

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.translate.support import Support


def numbers(support: Support, words: Sequence[int]) -> list[str]:
    """Float24 words of a file in the number format."""
    language = support.language
    if language.exact:
        return [f"0x{support.rule.canonical(word):06X}u" for word in words]
    found: list[str] = []
    for word in words:
        value = float_from_float24(word)
        if math.isfinite(value):
            found.append(f"{value!r}{language.float_suffix}")
        else:
            found.append("NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY")
    return found
