"""Four float24 words in three words of 32 bits, as the GPU gets uniforms and attributes, w first."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = 3
_MASK = 0xFFFFFF
_USUAL = range(63 - 24, 63 + 24)  # exponents of numbers that programs have


def unpacked(words: Sequence[int]) -> tuple[int, ...]:
    """The words of x, y, z and w, where three words are certainly these four: usual numbers then, and not all usual as they
    are; empty for others."""
    if len(words) != _WORDS or not all(0 <= word < 1 << 32 for word in words) or all(map(_is_usual, words)):
        return ()
    high, middle, low = words
    found = (
        low & _MASK,
        (middle & 0xFFFF) << 8 | low >> 24,
        (high & 0xFF) << 16 | middle >> 16,
        high >> 8,
    )
    return found if any(found) and all(map(_is_usual, found)) else ()


def _is_usual(word: int) -> bool:
    return word == 0 or (word >> 24 == 0 and word >> 16 & 0x7F in _USUAL)


__all__ = ["unpacked"]
