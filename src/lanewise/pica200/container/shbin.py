"""An SHBIN as a value, and its bytes: DVLB (the file), DVLP (code and descriptors), DVLE (one per shader).

Positions are not fields: they follow from `layout`, the sizes, and what `after` and `offsets` say of an unusual file, so a
value stays sound when its tables change. `lanewise.pica200.container.read` is the mirror. Source: 3dbrew SHBIN.
"""

from __future__ import annotations

import struct
from itertools import chain

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.container import layout as at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NO_BYTES: Mapping[str, bytes] = {}
_NO_NUMBERS: Mapping[str, int] = {}
AS_LAID_OUT = -1  # the value of a field that follows from the layout


class ConstantEntry(Record):
    """A preset value: `type` 0 bool, 1 int, 2 float; `register` within its class; `value` has 16 bytes."""

    type: int = 0
    register: int = 0
    value: bytes = bytes(16)


class LabelEntry(Record):
    """A named place."""

    id: int = 0
    "Number of the label."
    unknown: int = 0
    "Meaning unknown; kept."
    word: int = 0
    "Address in the code."
    size: int = 0
    "Machine words; 0xFFFFFFFF: unknown."
    symbol: int = 0
    "Offset of its name."


class OutputEntry(Record):
    """An output register wired to a semantic; `mask` has x in bit 0. `unknown` is one value throughout an official object."""

    type: int = 0
    register: int = 0
    mask: int = 0
    unknown: int = 0


class UniformEntry(Record):
    """A named input or uniform: offset of its name, first and last index (00-0F v, 10-6F c, 70-73 i, 78-87 b)."""

    symbol: int = 0
    first: int = 0
    last: int = 0


class Dvle(Record):
    """One object (shader). The fields up to `fixed_count` are those of the header, in its order."""

    version: int = 0
    "Version of the format."
    type: int = 0
    "0 vertex, 1 geometry."
    flags: int = 0
    "Bit 0: outputs of both stages share the table of the rasterizer."
    main: int = 0
    "Address of the first instruction."
    endmain: int = 0
    "Address after the entry procedure."
    input_mask: int = 0
    "Bit n is set for v register n."
    output_mask: int = 0
    "Bit n is set for o register n."
    geometry_mode: int = 0
    "0 point, 1 variable, 2 fixed."
    array_start: int = 0
    "Number of the first c register of the vertex array."
    variable_count: int = 0
    "Fully defined vertices in variable mode."
    fixed_count: int = 0
    "Vertices of a primitive in fixed mode."
    constants: tuple[ConstantEntry, ...] = ()
    "Preset values."
    labels: tuple[LabelEntry, ...] = ()
    "Named places."
    outputs: tuple[OutputEntry, ...] = ()
    "Wired outputs."
    uniforms: tuple[UniformEntry, ...] = ()
    "Named inputs and uniforms."
    symbols: bytes = b""
    "Names, each with a zero byte at its end."


class Shbin(Record):
    """A whole file. The header is the DVLP's."""

    words: tuple[int, ...] = ()
    "Machine words."
    descriptors: tuple[int, ...] = ()
    "Operand descriptors."
    dvles: tuple[Dvle, ...] = ()
    "Objects in the order of the file."
    seconds: tuple[int, ...] = ()
    "Second words of the descriptors; those missing at the end are 0."
    version: int = 0
    "Of the header."
    unknown18: int = AS_LAID_OUT
    "AS_LAID_OUT for the default value: the end of the descriptors, or 0 with a short header."
    unknown1c: int = 0
    "Of the header, meaning unknown; kept."
    files: bytes = b""
    "Table of file names."
    header: int = at.LONG_HEADER
    "Bytes of the header: 0x28, or 0x1C in nihstro's files."
    layout: str = at.PICASSO
    "One of `layout.LAYOUTS`, or a custom order of sections."
    after: Mapping[str, bytes] = _NO_BYTES
    "Bytes after a section that belong to none, without the padding of the layout."
    offsets: Mapping[str, int] = _NO_NUMBERS
    "Offset in the header of an empty table, where that is not the place of the layout."


class Section(Record):
    """A part of a file: absolute offset, bytes, and how many of zero padding follow by the layout."""

    name: str
    offset: int
    size: int
    padding: int = 0


def sizes(shbin: Shbin) -> dict[str, int]:
    """The bytes of every section."""
    result = {
        "dvlb": at.DVLB.size + 4 * len(shbin.dvles),
        "dvlp": shbin.header,
        "code": 4 * len(shbin.words),
        "descriptors": at.DESCRIPTOR.size * len(shbin.descriptors),
        "files": len(shbin.files),
    }
    for i, dvle in enumerate(shbin.dvles):
        result[f"dvle{i}"] = at.DVLE.size
        counts = (len(dvle.constants), len(dvle.labels), len(dvle.outputs), len(dvle.uniforms), len(dvle.symbols))
        for (table, size), count in zip(at.TABLES, counts, strict=True):
            result[f"dvle{i}.{table}"] = size * count
    return result


def sections(shbin: Shbin) -> tuple[Section, ...]:
    """Every section with its place, in file order, empty ones too. Raises ValueError for a wrong custom layout."""
    size_of = sizes(shbin)
    found: list[Section] = []
    starts: dict[str, int] = {}
    position = 0
    for name in at.order(shbin.layout, len(shbin.dvles)):
        size = size_of[name]
        starts[name] = position
        end = position + size
        padding = 0
        if at.is_padded(shbin.layout, name):
            padding = -(end - starts[at.base_of(name)]) % 4
        found.append(Section(name, position, size, padding))
        position = end + padding + len(shbin.after.get(name, b""))
    return tuple(found)


def end_of(shbin: Shbin) -> int:
    """The size of the file."""
    last = sections(shbin)[-1]
    return last.offset + last.size + last.padding + len(shbin.after.get(last.name, b""))


def seconds_of(values: Iterable[int]) -> tuple[int, ...]:
    """`values` without the zeros at the end, which `Shbin.seconds` does without."""
    kept = list(values)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def laid_out_offset(layout: str, section: Section, starts: Mapping[str, int]) -> int:
    """The layout's offset of an empty table; `starts` are the places of headers."""
    if section.name == "files" and layout != at.OFFICIAL:
        return 0  # picasso and nihstro write no file names (conformance rule 38)
    return max(0, section.offset - starts[at.base_of(section.name)])


def laid_out_unknown18(header: int, descriptors_end: int) -> int:
    """The usual value of the DVLP's word 0x18: picasso writes the end of the DVLP there, nihstro 0 (picasso_frontend.cpp)."""
    return descriptors_end if header == at.LONG_HEADER else 0


def header_offsets(shbin: Shbin) -> dict[str, int]:
    """The offsets in the headers, by section.

    Raises ValueError if the layout cannot be expressed.
    """
    if shbin.header not in {at.LONG_HEADER, at.SHORT_HEADER}:
        raise ValueError(f"dvlp.header is {shbin.header:#x}; a DVLP header has 0x28 bytes, or 0x1C as nihstro writes it")
    if shbin.header == at.SHORT_HEADER and (shbin.files or shbin.unknown1c or shbin.offsets.get("files")):
        raise ValueError("a DVLP header of 0x1C bytes has no room for dvlp.unknown1c and file names; set dvlp.header to 0x28")
    placed = sections(shbin)
    absent = (shbin.after.keys() | shbin.offsets.keys()) - {section.name for section in placed[1:]}
    if absent:
        raise ValueError(f"after or offsets name a section that the file does not have: {', '.join(sorted(absent))}")
    starts = {section.name: section.offset for section in placed}
    result: dict[str, int] = {}
    for section in placed:
        name = section.name
        pinned = shbin.offsets.get(name)
        if section.size == 0:
            result[name] = laid_out_offset(shbin.layout, section, starts) if pinned is None else pinned
            continue
        if pinned is not None:
            raise ValueError(f"{name}.offset is set, but only an empty table can be placed by its offset; this one has bytes")
        base = "dvlb" if name == at.base_of(name) else at.base_of(name)
        result[name] = section.offset - starts[base]
        if result[name] < 0:
            raise ValueError(f"layout puts {name} before {base}, from whose start its offset counts")
    return result


def write_shbin(shbin: Shbin) -> bytes:
    """The bytes of a file. Raises ValueError if a value does not fit its field or the layout cannot be expressed."""
    try:
        content = _content(shbin, header_offsets(shbin))
    except struct.error as error:
        raise ValueError(f"a field of the SHBIN does not fit: {error}") from None
    parts: list[bytes] = []
    for section in sections(shbin):
        parts += content[section.name], bytes(section.padding), shbin.after.get(section.name, b"")
    return b"".join(parts)


def _content(shbin: Shbin, offsets: Mapping[str, int]) -> dict[str, bytes]:
    """The bytes of every section. Raises struct.error."""
    words, descriptors = shbin.words, shbin.descriptors
    seconds = (*shbin.seconds, *(0,) * len(descriptors))
    usual18 = laid_out_unknown18(shbin.header, offsets["descriptors"] + at.DESCRIPTOR.size * len(descriptors))
    unknown18 = usual18 if shbin.unknown18 == AS_LAID_OUT else shbin.unknown18
    dvlp = at.DVLP.pack(
        at.DVLP_MAGIC, shbin.version, offsets["code"], len(words), offsets["descriptors"], len(descriptors), unknown18
    )
    if shbin.header == at.LONG_HEADER:
        dvlp += at.DVLP_REST.pack(shbin.unknown1c, offsets["files"], len(shbin.files))
    objects = [offsets[f"dvle{i}"] for i in range(len(shbin.dvles))]
    result = {
        "dvlb": at.DVLB.pack(at.DVLB_MAGIC, len(objects)) + struct.pack(f"<{len(objects)}I", *objects),
        "dvlp": dvlp,
        "code": struct.pack(f"<{len(words)}I", *words),
        "descriptors": b"".join(map(at.DESCRIPTOR.pack, descriptors, seconds)),
        "files": shbin.files,
    }
    for i, dvle in enumerate(shbin.dvles):
        tables = (dvle.constants, dvle.labels, dvle.outputs, dvle.uniforms, dvle.symbols)
        names = at.table_names(i)
        places = chain.from_iterable((offsets[name], len(table)) for name, table in zip(names, tables, strict=True))
        result[f"dvle{i}"] = at.DVLE.pack(at.DVLE_MAGIC, *dvle[:11], *places)
        result[f"dvle{i}.constants"] = b"".join(at.CONSTANT.pack(*entry) for entry in dvle.constants)
        result[f"dvle{i}.labels"] = b"".join(at.LABEL.pack(*entry) for entry in dvle.labels)
        result[f"dvle{i}.outputs"] = b"".join(at.OUTPUT.pack(*entry) for entry in dvle.outputs)
        result[f"dvle{i}.uniforms"] = b"".join(at.UNIFORM.pack(*entry) for entry in dvle.uniforms)
        result[f"dvle{i}.symbols"] = dvle.symbols
    return result
