"""Bytes to `Shbin`: the inverse of `shbin.write_shbin`.

`write_shbin(read_shbin(data)) == data` for every file that is read: sections keep their order, the bytes between them are
kept, and so is every field. Sections that cannot be placed are errors (`survey`); invalid fields that can be kept are warnings
(`review`). Source: 3dbrew SHBIN.
"""

from __future__ import annotations

from struct import unpack_from

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.container import layout as at
from lanewise.pica200.container.gaps import unclaimed
from lanewise.pica200.container.review import review
from lanewise.pica200.container.shbin import (
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
    seconds_of,
    sections,
)
from lanewise.pica200.container.survey import survey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.container.survey import Extent


def read_shbin(data: bytes | memoryview, name: str) -> tuple[Shbin | None, list[Diagnostic]]:
    """Read a file. Returns it, or None if there are errors, and the findings.

    `name` is the file of the findings' places, which have byte offsets. Never raises for any bytes; memory is in proportion to
    `len(data)`.
    """
    view = memoryview(data)
    found = survey(view, name)
    if found.errors:
        from lanewise.pica200.container.damage import cause_of

        return None, cause_of(view, found, name) or list(found.errors)
    shbin = _decode(view, {extent.name: extent for extent in found.extents})
    return shbin, [*review(shbin, name), *unclaimed(found.extents, view, name)]


def _decode(view: memoryview, places: Mapping[str, Extent]) -> Shbin:
    """The value of a file whose survey has no errors."""
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
    count: int = at.WORD.unpack_from(view, 4)[0]
    shbin = Shbin(
        words=unpack_from(f"<{words}I", view, code.offset) if words else (),
        descriptors=pairs[::2],
        dvles=tuple([_object(view, i, places) for i in range(count)]),
        seconds=seconds_of(pairs[1::2]),
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
    header = at.DVLE.unpack_from(view, places[f"dvle{number}"].offset)[1:12]
    return Dvle(
        **dict(zip(Dvle._fields, header, strict=False)),
        constants=tuple([ConstantEntry(*entry) for entry in at.CONSTANT.iter_unpack(constants)]),
        labels=tuple([LabelEntry._make(entry) for entry in at.LABEL.iter_unpack(labels)]),
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
