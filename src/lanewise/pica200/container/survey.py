"""Sections of an SHBIN by its headers, checked before anything is unpacked.

Source: 3dbrew SHBIN; that the DVLP follows the offset table at once: libctru shbin.c.
"""

from __future__ import annotations

from itertools import combinations, islice

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.container import layout as at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHORT, _OUTSIDE, _OVERLAP = "C002", "C005", "C006"
_MOST_COMPARED = 64  # sections
MOST_ERRORS = 64  # a file of noise would have one for every object it claims


class Extent(Record):
    """A section by a file's headers: `offset` is absolute, `field` the place of the header field."""

    name: str
    offset: int
    size: int
    field: int

    @property
    def unit(self) -> int:
        """The bytes of an entry; 0 where no count follows the offset."""
        return _FIELDS.get(self.name.rpartition(".")[2], (0, 0))[0]

    @property
    def base(self) -> int:
        """The header from which the offset counts, of a section with a count."""
        return self.field - _FIELDS[self.name.rpartition(".")[2]][1]


# Bytes of an entry and the place of the offset in its header, by section.
_FIELDS = {
    "code": (at.WORD.size, 8),
    "descriptors": (at.DESCRIPTOR.size, 0x10),
    **{table: (size, at.DVLE_PLACES + 8 * place) for place, (table, size) in enumerate(at.TABLES)},
}


class Survey(Record):
    """All sections of a file, in no particular order, and the errors."""

    extents: tuple[Extent, ...]
    errors: tuple[Diagnostic, ...]

    @property
    def end(self) -> int:
        """The first byte after all sections that have bytes."""
        return max((extent.offset + extent.size for extent in self.extents if extent.size), default=0)


def survey(view: memoryview, name: str, *, most_errors: int = MOST_ERRORS) -> Survey:
    """Check headers and sections: present, inside the file, without overlaps.

    Stops after `most_errors`. Time is in proportion to the number of objects seen, not to the size of the file.
    """
    extents: list[Extent] = []
    errors = tuple(islice(_survey(view, name, extents), most_errors))
    return Survey(tuple(extents), errors if not errors or len(errors) == most_errors else _explained(errors, extents, view))


def _explained(errors: tuple[Diagnostic, ...], extents: Sequence[Extent], view: memoryview) -> tuple[Diagnostic, ...]:
    """The errors, those of sections outside the file and of overlaps as one where one wrong field explains all of them."""
    from lanewise.pica200.container.gaps import right

    if [(error.code, error.span.offset) for error in errors] == [(_SHORT, 4)]:
        return (errors[0]._replace(fix=_counted(view) or errors[0].fix),)
    objects = {extent.field for extent in extents if extent.size == at.DVLE.size and not extent.unit}
    errors = tuple([_with_headers(error, view) if error.span.offset in objects else error for error in errors])
    ours = [error for error in errors if error.code in (_OUTSIDE, _OVERLAP)]
    whole = [extent for extent in extents if extent.size]
    inside = sorted([extent for extent in whole if extent.offset + extent.size <= len(view)], key=lambda extent: extent.offset)
    pairs = [pair for pair in combinations(inside, 2) if pair[1].offset < pair[0].offset + pair[0].size]
    outside = [extent for extent in whole if extent.offset + extent.size > len(view)]
    if not ours or len(whole) > _MOST_COMPARED or len(outside) > 1:
        return errors
    suspects = [each for each in outside or (pairs[0] if pairs else ()) if all(each in pair for pair in pairs)]
    fixes = [(right(each, [other for other in whole if other is not each], view), each.field) for each in suspects]
    fitting = sorted([each for each in fixes if each[0]], key=lambda each: " as the offset at " not in each[0])
    if fitting:  # an offset fits exactly, a count always does
        fix, field = fitting[0]
        first = ours[0]._replace(fix=fix, span=ours[0].span._replace(offset=field))
        return *[error for error in errors if error not in ours], first
    return errors


def _error(code: str, name: str, offset: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=name, offset=offset), fix=fix)


def _survey(view: memoryview, name: str, extents: list[Extent]) -> Iterator[Diagnostic]:
    """Yields the errors in the order of the headers, overlaps last; puts the sections into `extents`.

    Reads one object at a time, so that a caller that stops at the first error does not pay for a wrong object count.
    """
    size = len(view)
    if bytes(view[:4]) != at.DVLB_MAGIC:
        begins = f"begins with {_shown(view, 0)}, not with DVLB" if size else "is empty"
        head = bytes(view[:_SEARCHED])
        inside, part = head.find(at.DVLB_MAGIC), head.find(at.DVLP_MAGIC)
        fault = _error(
            "C001",
            name,
            0,
            f"not an SHBIN: the file {begins}",
            f"this is a part of an SHBIN: cut the file from {at.DVLB_MAGIC.decode()} on, which comes before it"
            if bytes(view[:4]) in (at.DVLP_MAGIC, at.DVLE_MAGIC)
            else f"an SHBIN begins at {inside:#x}: `tail -c +{inside + 1} {name} > shader.shbin` writes it"
            if inside > 0
            else f"this is an SHBIN without its beginning, as {at.DVLP_MAGIC.decode()} at {part:#x} shows: cut it from "
            f"{at.DVLB_MAGIC.decode()} on, the first of its bytes"
            if part > 0
            else "give a .shbin file; `lanewise asm` writes one from a source, `lanewise inspect --scan FILE` finds shaders "
            "inside other files",
        )
        yield fault
        return
    if size < at.DVLB.size:
        yield _short(name, 0, "the DVLB header", at.DVLB.size, size)
        return
    count: int = at.WORD.unpack_from(view, 4)[0]
    dvlp = at.DVLB.size + 4 * count
    if dvlp + at.SHORT_HEADER > size:
        yield _short(name, 4, f"the offsets of {count} objects and the DVLP header", dvlp + at.SHORT_HEADER, size)
        return
    if bytes(view[dvlp : dvlp + 4]) != at.DVLP_MAGIC:
        yield _error(
            "C003",
            name,
            dvlp,
            f"no DVLP after the offsets of {count} objects, found {_shown(view, dvlp)}",
            _counted(view) or "correct the object count at 0x4, or move the DVLP header directly after the offsets",
        )
        return  # all other offsets count from it
    extents.append(Extent("dvlb", 0, dvlp, 0))
    _, _, code, words, table, descriptors, _ = at.DVLP.unpack_from(view, dvlp)
    found = [
        Extent("code", dvlp + code, 4 * words, dvlp + 8),
        Extent("descriptors", dvlp + table, at.DESCRIPTOR.size * descriptors, dvlp + 0x10),
    ]
    yield from _outside(name, found, len(view))
    extents += found
    for i in range(count):
        yield from _object(view, name, i, extents)
    occupied = [extent.offset for extent in extents if extent.size and extent.name != "dvlb"]
    if dvlp + at.LONG_HEADER > size or any(dvlp <= start < dvlp + at.LONG_HEADER for start in occupied):
        extents.append(Extent("dvlp", dvlp, at.SHORT_HEADER, dvlp))
    else:
        extents.append(Extent("dvlp", dvlp, at.LONG_HEADER, dvlp))
        _, files, length = at.DVLP_REST.unpack_from(view, dvlp + at.SHORT_HEADER)
        extents.append(Extent("files", dvlp + files, length, dvlp + 0x20))
        yield from _outside(name, extents[-1:], size)
    yield from _overlaps(name, [extent for extent in extents if extent.offset + extent.size <= size])


_SEARCHED = 1 << 20


def _counted(view: memoryview) -> str:
    """The fix of an object count, by where the DVLP header is; empty where it is nowhere."""
    place = bytes(view[:_SEARCHED]).find(at.DVLP_MAGIC, at.DVLB.size)
    count = (place - at.DVLB.size) // 4
    return "" if place < 0 or place % 4 else f"write {count} as the object count at 0x4: DVLP is at {place:#x}"


def _headers(view: memoryview) -> str:
    """Where the headers of objects are, for the fix of an offset; empty where there are none."""
    data, found = bytes(view[:_SEARCHED]), list[str]()
    place = data.find(at.DVLE_MAGIC)
    while place >= 0 and len(found) < 4:
        found.append(f"{place:#x}")
        place = data.find(at.DVLE_MAGIC, place + 4)
    return f": DVLE is at {', '.join(found)}" if found else ""


def _object(view: memoryview, name: str, number: int, extents: list[Extent]) -> Iterator[Diagnostic]:
    field = at.DVLB.size + 4 * number
    start: int = at.WORD.unpack_from(view, field)[0]
    header = Extent(f"dvle{number}", start, at.DVLE.size, field)
    extents.append(header)
    if start + at.DVLE.size > len(view):
        yield from _outside(name, [header], len(view))
        return
    magic, *fields = at.DVLE.unpack_from(view, start)
    if magic != at.DVLE_MAGIC:
        yield _error(
            "C004",
            name,
            start,
            f"no DVLE for object {number} at {start:#x}, found {_shown(view, start)}",
            f"correct the offset of object {number} at {field:#x}{_headers(view)}",
        )
        extents.remove(header)
        return
    places: list[int] = fields[-2 * len(at.TABLES) :]
    found = [
        Extent(
            f"dvle{number}.{table}",
            start + places[2 * k],
            entry * places[2 * k + 1],
            start + at.DVLE_PLACES + 8 * k,
        )
        for k, (table, entry) in enumerate(at.TABLES)
    ]
    yield from _outside(name, found, len(view))
    extents += found


def _shown(view: memoryview, offset: int) -> str:
    return bytes(view[offset : offset + 4]).hex(" ") or "nothing"


def _short(name: str, offset: int, what: str, need: int, size: int) -> Diagnostic:
    return _error(
        _SHORT,
        name,
        offset,
        f"file is truncated: {what} ends at {need:#x}, the file at {size:#x}",
        "get the whole file, or correct the count",
    )


def _with_headers(error: Diagnostic, view: memoryview) -> Diagnostic:
    """The error about an object that is outside the file, with the places of those that are inside."""
    there = _headers(view) if error.code == _OUTSIDE else ""
    return error._replace(fix=f"correct the offset at {error.span.offset:#x}{there}") if there else error


def _outside(name: str, extents: list[Extent], size: int) -> Iterator[Diagnostic]:
    for extent in extents:
        offset, length, field = extent.offset, extent.size, extent.field
        if length and offset + length > size:
            yield _error(
                _OUTSIDE,
                name,
                field,
                f"{extent.name} is at {offset:#x} to {offset + length:#x}, but the file ends at {size:#x}",
                f"correct the offset {'and the count ' if extent.unit else ''}at {field:#x}, or get the whole file",
            )


def _overlaps(name: str, extents: list[Extent]) -> Iterator[Diagnostic]:
    before: Extent | None = None
    for extent in sorted((extent for extent in extents if extent.size), key=lambda extent: extent.offset):
        if before is not None and extent.offset < before.offset + before.size:
            yield _error(
                _OVERLAP,
                name,
                extent.field,
                f"{extent.name} at {extent.offset:#x} overlaps {before.name}, which ends at {before.offset + before.size:#x}",
                f"correct the offset at {extent.field:#x} or the count of {before.name}",
            )
        if before is None or extent.offset + extent.size > before.offset + before.size:
            before = extent
