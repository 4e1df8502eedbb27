"""Bytes to `Shbin`: the mirror of `shbin.write_shbin`.

`write_shbin(read_shbin(data)) == data` for every file that is read: sections keep their order, the bytes between them are
kept, and so is every field. What does not make sense but can be kept is a warning (`review`); what cannot be placed is an
error. Nothing is unpacked before its extent has been compared with the file's. Source: 3dbrew SHBIN; libctru shbin.c for
the DVLP's place right after the offset table.
"""

from __future__ import annotations

from itertools import islice
from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple

from lanewise.container import layout as at
from lanewise.container.review import review
from lanewise.container.shbin import (
    AS_LAID_OUT,
    ConstantEntry,
    Dvle,
    LabelEntry,
    OutputEntry,
    Section,
    Shbin,
    UniformEntry,
    end_of,
    laid_out_offset,
    laid_out_unknown18,
    sections,
)
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_ERRORS = 64  # a file of noise would have one for every object it claims


class Extent(NamedTuple):
    """A section as a file's headers describe it: `offset` is absolute, `field` is where the header says so."""

    name: str
    offset: int
    size: int
    field: int


class Survey(NamedTuple):
    """Where everything in a file is: every section in header order; and the errors."""

    extents: tuple[Extent, ...]
    errors: tuple[Diagnostic, ...]

    @property
    def end(self) -> int:
        """The first byte after all sections that have bytes."""
        return max((extent.offset + extent.size for extent in self.extents if extent.size), default=0)


def read_shbin(data: bytes | memoryview, name: str) -> tuple[Shbin | None, list[Diagnostic]]:
    """The file as a value and what there is to say about it; None if there are errors. `name` is for the places.

    Spans hold byte offsets. Never raises for any bytes; memory is in proportion to `len(data)`.
    """
    view = memoryview(data)
    found = survey(view, name)
    if found.errors:
        return None, list(found.errors)
    shbin = _decode(view, found)
    return shbin, review(shbin, name)


def survey(view: memoryview, name: str, *, most_errors: int = MOST_ERRORS) -> Survey:
    """Check that headers are there and sections lie inside the file and apart; stops after `most_errors`.

    Takes time in proportion to the number of objects, not to the size of the file.
    """
    extents: list[Extent] = []
    errors = tuple(islice(_survey(view, name, extents), most_errors))
    return Survey(tuple(extents), errors)


def _error(code: str, name: str, offset: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code, ERROR, message, Span(name, offset=offset), fix=fix)


def _survey(view: memoryview, name: str, extents: list[Extent]) -> Iterator[Diagnostic]:
    """Yields the errors in the order of the headers, overlaps last; puts the sections into `extents`."""
    size = len(view)
    if bytes(view[:4]) != at.DVLB_MAGIC:
        shown = bytes(view[:4]).hex(" ") or "nothing"
        yield _error("C001", name, 0, f"not an SHBIN: it begins with {shown}, not with DVLB",
                     "give a .shbin file; `lanewise scan` finds shaders inside other files")  # fmt: skip
        return
    if size < at.DVLB.size:
        yield _short(name, 0, "the DVLB header", at.DVLB.size, size)
        return
    count: int = at.WORD.unpack_from(view, 4)[0]
    dvlp = at.DVLB.size + 4 * count
    if dvlp + at.SHORT_HEADER > size:
        yield _short(name, 4, f"the offsets of {count} objects and the DVLP header", dvlp + at.SHORT_HEADER, size)
        return
    objects: tuple[int, ...] = unpack_from(f"<{count}I", view, at.DVLB.size)
    _, _, code, words, table, descriptors, _ = at.DVLP.unpack_from(view, dvlp)
    if bytes(view[dvlp : dvlp + 4]) != at.DVLP_MAGIC:
        yield _error("C003", name, dvlp, f"no DVLP after the offsets of {count} objects: {bytes(view[dvlp : dvlp + 4]).hex(' ')}",
                     "correct the object count at 0x4, or put the DVLP header right after the offsets")  # fmt: skip
    occupied = [*objects, *(dvlp + offset for offset, length in ((code, words), (table, descriptors)) if length)]
    header = at.LONG_HEADER
    if dvlp + at.LONG_HEADER > size or any(dvlp <= start < dvlp + at.LONG_HEADER for start in occupied):
        header = at.SHORT_HEADER
    extents += Extent("dvlb", 0, dvlp, 0), Extent("dvlp", dvlp, header, dvlp)
    found = [
        Extent("code", dvlp + code, 4 * words, dvlp + 8),
        Extent("descriptors", dvlp + table, at.DESCRIPTOR.size * descriptors, dvlp + 0x10),
    ]
    if header == at.LONG_HEADER:
        _, files, length = at.DVLP_REST.unpack_from(view, dvlp + at.SHORT_HEADER)
        found.append(Extent("files", dvlp + files, length, dvlp + 0x20))
    yield from _outside(name, found, size)
    extents += found
    for i, start in enumerate(objects):
        field = at.DVLB.size + 4 * i
        extent = Extent(f"dvle{i}", start, at.DVLE.size, field)
        if start + at.DVLE.size > size:
            yield from _outside(name, [extent], size)
            continue
        extents.append(extent)
        if bytes(view[start : start + 4]) != at.DVLE_MAGIC:
            yield _error("C004", name, start, f"no DVLE where object {i} should be: {bytes(view[start : start + 4]).hex(' ')}",
                         f"correct the offset of object {i} at {field:#x}")  # fmt: skip
            continue
        places: tuple[int, ...] = unpack_from("<10I", view, start + 0x18)
        found = [
            Extent(f"dvle{i}.{table}", start + places[2 * k], entry * places[2 * k + 1], start + 0x18 + 8 * k)
            for k, (table, entry) in enumerate(at.TABLES)
        ]
        yield from _outside(name, found, size)
        extents += found
    yield from _overlaps(name, extents)


def _short(name: str, offset: int, what: str, need: int, size: int) -> Diagnostic:
    return _error("C002", name, offset, f"the file is cut short: {what} would end at {need:#x}, the file ends at {size:#x}",
                  "get the whole file, or correct the count")  # fmt: skip


def _outside(name: str, extents: list[Extent], size: int) -> Iterator[Diagnostic]:
    for what, offset, length, field in extents:
        if length and offset + length > size:
            yield _error("C005", name, field, f"{what} would lie at {offset:#x} to {offset + length:#x}, the file ends at {size:#x}",
                         f"correct the offset and the count at {field:#x}, or get the whole file")  # fmt: skip


def _overlaps(name: str, extents: list[Extent]) -> Iterator[Diagnostic]:
    before: Extent | None = None
    for extent in sorted((extent for extent in extents if extent.size), key=lambda extent: extent.offset):
        if before is not None and extent.offset < before.offset + before.size:
            yield _error("C006", name, extent.field, f"{extent.name} at {extent.offset:#x} lies inside {before.name}, which ends at "
                         f"{before.offset + before.size:#x}", f"correct the offset at {extent.field:#x} or the count of {before.name}")  # fmt: skip
        if before is None or extent.offset + extent.size > before.offset + before.size:
            before = extent


def _decode(view: memoryview, found: Survey) -> Shbin:
    """The value of a file whose survey has no errors."""
    places = {extent.name: extent for extent in found.extents}
    dvlp = places["dvlp"].offset
    code, table = places["code"], places["descriptors"]
    _, version, _, words, table_offset, descriptors, unknown18 = at.DVLP.unpack_from(view, dvlp)
    unknown1c = 0
    files = b""
    header = places["dvlp"].size
    if header == at.LONG_HEADER:
        unknown1c = at.DVLP_REST.unpack_from(view, dvlp + at.SHORT_HEADER)[0]
        files = _bytes(view, places["files"])
    pairs: tuple[int, ...] = unpack_from(f"<{2 * descriptors}I", view, table.offset) if descriptors else ()
    if unknown18 == laid_out_unknown18(header, table_offset + table.size):
        unknown18 = AS_LAID_OUT
    count = sum(1 for name in places if name.startswith("dvle") and "." not in name)
    shbin = Shbin(
        unpack_from(f"<{words}I", view, code.offset) if words else (),
        pairs[::2],
        tuple([_object(view, i, places) for i in range(count)]),
        pairs[1::2],
        version=version,
        unknown18=unknown18,
        unknown1c=unknown1c,
        files=files,
        header=header,
    )
    return _arrange(view, shbin, places)


def _bytes(view: memoryview, extent: Extent) -> bytes:
    return bytes(view[extent.offset : extent.offset + extent.size]) if extent.size else b""


def _object(view: memoryview, number: int, places: Mapping[str, Extent]) -> Dvle:
    constants, labels, outputs, uniforms, symbols = (_bytes(view, places[table]) for table in at.table_names(number))
    return Dvle(
        *at.DVLE.unpack_from(view, places[f"dvle{number}"].offset)[1:12],
        constants=tuple([ConstantEntry(*entry) for entry in at.CONSTANT.iter_unpack(constants)]),
        labels=tuple([LabelEntry(*entry) for entry in at.LABEL.iter_unpack(labels)]),
        outputs=tuple([OutputEntry(*entry) for entry in at.OUTPUT.iter_unpack(outputs)]),
        uniforms=tuple([UniformEntry(*entry) for entry in at.UNIFORM.iter_unpack(uniforms)]),
        symbols=symbols,
    )


def _arrange(view: memoryview, shbin: Shbin, places: Mapping[str, Extent]) -> Shbin:
    """`shbin` with the layout that needs the fewest exceptions to give every section the place it has."""
    best: Shbin | None = None
    for layout in (*at.LAYOUTS, _custom_layout(places)):
        if best is not None and layout not in at.LAYOUTS:
            break
        tried = _try_layout(view, shbin._replace(layout=layout), places)
        if tried is not None and (best is None or _exceptions(tried) < _exceptions(best)):
            best = tried
    if best is None:
        raise AssertionError("a custom layout places every section")
    return best


def _exceptions(shbin: Shbin) -> int:
    return len(shbin.after) + len(shbin.offsets)


def _custom_layout(places: Mapping[str, Extent]) -> str:
    """The sections in file order: empty ones before what begins at the same place."""
    ranks = {name: rank for rank, name in enumerate(places)}
    listed = [extent for extent in places.values() if extent.name not in {"dvlb", "dvlp"}]
    listed.sort(key=lambda extent: (extent.offset, extent.size > 0, ranks[extent.name]))
    return " ".join(extent.name for extent in listed)


def _try_layout(view: memoryview, shbin: Shbin, places: Mapping[str, Extent]) -> Shbin | None:
    """`shbin` with the exceptions under which its layout gives every section its place; None if it cannot."""
    sized = [section for section in sections(shbin) if section.size]
    if sorted(sized, key=lambda section: places[section.name].offset) != sized:
        return None
    after: dict[str, bytes] = {}
    for k, section in enumerate(sized):
        end = places[section.name].offset + section.size
        following = places[sized[k + 1].name].offset if k + 1 < len(sized) else len(view)
        padding = 0
        if at.is_padded(shbin.layout, section.name):
            padding = -(end - places[at.base_of(section.name)].offset) % 4
        if following < end + padding or any(view[end : end + padding]):
            return None
        if following > end + padding:
            after[section.name] = bytes(view[end + padding : following])
    trial = shbin._replace(after=after)
    placed = sections(trial)
    if any(section.size and section.offset != places[section.name].offset for section in placed) or end_of(trial) != len(view):
        return None
    return trial._replace(offsets=_pinned(trial.layout, placed, places))


def _pinned(layout: str, placed: tuple[Section, ...], places: Mapping[str, Extent]) -> dict[str, int]:
    """The offsets of empty tables that are not where the layout puts them."""
    starts = {section.name: section.offset for section in placed}
    pinned: dict[str, int] = {}
    for section in placed:
        if section.size or section.name not in places:
            continue
        raw = places[section.name].offset - places[at.base_of(section.name)].offset
        if raw != laid_out_offset(layout, section, starts):
            pinned[section.name] = raw
    return pinned
