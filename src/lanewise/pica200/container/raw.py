"""Raw files of 32-bit little-endian words: the code, or the operand descriptors."""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.container.review import oversize

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_words(data: bytes, name: str, what: str = "code") -> tuple[tuple[int, ...] | None, list[Diagnostic]]:
    """Read the words of a file of `code` or `descriptors`.

    None with an error if its size is not a multiple of 4.
    """
    if len(data) % 4:
        rest = len(data) % 4
        return None, [
            Diagnostic(
                "C013", ERROR, f"{what}: size of {len(data)} bytes is not a multiple of 4: {rest} are left over",
                Span(name, offset=len(data) - rest), fix="check that this is the right file and that it is complete",
            )
        ]  # fmt: skip
    words: tuple[int, ...] = struct.unpack(f"<{len(data) // 4}I", data)
    return words, list(oversize(what, len(words), name, 0))


def read_descriptors(data: bytes, name: str, *, pairs: bool | None = None) -> tuple[tuple[int, ...] | None, list[Diagnostic]]:
    """Read the operand descriptors of a file.

    Each is one word, or with `pairs` also a second word that is dropped, as in an SHBIN. If `pairs` is None, the file has pairs if its
    number of words is even and every second one is 0. No useful program is misread: a descriptor of 0 enables no component and reads
    .xxxx, and every second one would be 0.
    """
    words, found = read_words(data, name, "descriptors")
    if words is None:
        return None, found
    if pairs is None:
        pairs = len(words) % 2 == 0 and not any(words[1::2])
    if pairs and len(words) % 2:
        rest = 4 * (len(words) - 1)
        return None, [
            Diagnostic(
                "C013", ERROR, f"descriptors: size of {len(data)} bytes is not a multiple of 8: 4 are left over",
                Span(name, offset=rest), fix="check that this is the right file, or read it as single words",
            )
        ]  # fmt: skip
    descriptors = words[::2] if pairs else words
    return descriptors, list(oversize("descriptors", len(descriptors), name, 0))


def write_words(words: Sequence[int]) -> bytes:
    """The bytes of raw words. Raises ValueError for one outside 32 bits."""
    try:
        return struct.pack(f"<{len(words)}I", *words)
    except struct.error:
        wrong = next(word for word in words if word < 0 or word >> 32)
        raise ValueError(f"{wrong:#x} is not a 32-bit word") from None


def write_descriptors(descriptors: Sequence[int], *, pairs: bool = False) -> bytes:
    """The bytes of raw descriptors; with `pairs` a 0 word follows each. Raises ValueError."""
    if pairs:
        return write_words([word for descriptor in descriptors for word in (descriptor, 0)])
    return write_words(descriptors)
