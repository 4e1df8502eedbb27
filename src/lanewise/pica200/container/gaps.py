"""Bytes of an SHBIN that no section has, and what they say about a header field that is wrong.

Tools write the sections one after the other, with at most 3 bytes between them (conformance rules 38, 39 and 1).
"""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.container.survey import Extent

_PADDING = 4  # sections begin at multiples


def gaps(extents: Sequence[Extent], size: int) -> Iterator[tuple[int, int]]:
    """First byte and end of each piece of a file of `size` bytes that is in no section and has more than padding."""
    end = 0
    for extent in sorted(extents, key=lambda extent: extent.offset):
        if extent.size and end + _PADDING <= min(extent.offset, size):
            yield end, extent.offset
        if extent.size:
            end = max(end, extent.offset + extent.size)
    if end + _PADDING <= size:
        yield end, size


def right(extent: Extent, others: Sequence[Extent], view: memoryview) -> str:
    """The fix of a section whose offset or count is wrong; empty where the others do not tell it."""
    size = len(view)
    if not extent.unit or any(other.offset + other.size > size for other in others if other.size):
        return ""
    free = [*gaps(others, size)]
    for start, end in free:
        count = _entries(extent.unit, view[start:end])
        if start == extent.offset and count:
            return _count(extent, count, end == size)
    fitting = [start for start, end in free if 0 <= end - start - extent.size < _PADDING]
    if len(fitting) != 1 or fitting[0] < extent.base:
        return ""
    offset = fitting[0] - extent.base
    absolute = f", from the header at {extent.base:#x}" if extent.offset - extent.base == fitting[0] else ""
    reverse = ", little-endian" if _turned(offset) == extent.offset - extent.base else ""
    return (
        f"write {offset:#x} as the offset at {extent.field:#x}{absolute}{reverse}: no other section has the {extent.size} "
        f"bytes at {fitting[0]:#x}"
    )


def unclaimed(extents: Sequence[Extent], view: memoryview, name: str) -> Iterator[Diagnostic]:
    """The warnings about bytes that follow a section and are in none."""
    for start, end in gaps(extents, len(view)):
        if end == len(view) or not any(view[start:end]):
            continue  # files may be padded
        before = [extent for extent in extents if extent.unit and extent.offset + extent.size == start]
        before = [extent for extent in before if not extent.size] or before
        counts = [(extent, extent.size // extent.unit + _entries(extent.unit, view[start:end])) for extent in before]
        right_counts = [(extent, count) for extent, count in counts if count * extent.unit > extent.size]
        fixes = [f"write {count} as the count of {extent.name} at {extent.field + 4:#x}" for extent, count in right_counts]
        message = f"the {end - start} bytes at {start:#x} to {end:#x} are in no section"
        fix = " or ".join(fixes) or "correct the offset of the section that is meant to have them"
        yield Diagnostic(code="C022", severity=WARNING, message=message, span=Span(file=name, offset=start), fix=fix)


def _entries(unit: int, data: memoryview) -> int:
    """How many entries a gap holds; names without what is padding."""
    if unit > 1:
        return len(data) // unit if len(data) % unit < _PADDING else 0
    return len(bytes(data).rstrip(b"\0")) + 1


def _count(extent: Extent, count: int, last: bool) -> str:
    found = extent.size // extent.unit
    why = (
        f"it counts entries of {extent.unit} bytes, not bytes"
        if found == count * extent.unit != count
        else "its bytes are in reverse order (big-endian)"
        if _turned(count) == found
        else "so many are in front of the next section"
        if not last
        else "so many are in front of the end of the file, unless that is cut off"
    )
    return f"write {count} as the count at {extent.field + 4:#x}: {why}"


def _turned(word: int) -> int:
    return int.from_bytes((word & 0xFFFFFFFF).to_bytes(4, "little"), "big")


__all__ = ["gaps", "right", "unclaimed"]
