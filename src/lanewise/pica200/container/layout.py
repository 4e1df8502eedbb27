"""Layout of an SHBIN: record formats, names of sections, and their orders by tool.

A file is its sections one after another. A *layout* is the order, with the padding that belongs to it:

- `picasso`: DVLB, DVLP header, code, descriptors, file names, then each DVLE followed by its constants, labels, outputs,
  uniforms and symbols; each object is filled with zeros to a multiple of 4 bytes (conformance rules 38, 39);
- `official`: the same, and the file names are filled with zeros to a multiple of 4 bytes as well;
- `nihstro`: DVLB, DVLP header, DVLE headers, code, descriptors, then per object outputs, constants, uniforms, labels and
  symbols, without padding (conformance, nihstro rule 1);
- anything else is a custom order: section names with blanks between them, without padding. Sections that it does not
  name follow in the order of `picasso`.

Formats: 3dbrew SHBIN; the DVLP header of 0x1C bytes: nihstro shader_binary.h.
"""

from __future__ import annotations

from struct import Struct

from lanewise.core.record import TYPE_CHECKING, Record, by_position

if TYPE_CHECKING:
    from collections.abc import Iterator

DVLB_MAGIC, DVLP_MAGIC, DVLE_MAGIC = b"DVLB", b"DVLP", b"DVLE"

# fmt: off
WORD = Struct("<I")
DVLB = Struct("<4sI")                # magic, objects; then one u32 offset for each
DVLP = Struct("<4sIIIIII")           # magic, version, code offset, words, descriptor offset, descriptors, unknown
DVLP_REST = Struct("<III")           # unknown, file names offset and bytes: not in nihstro's files
DVLE = Struct("<4sHBBIIHHBBBB10I")   # magic, fields as in `shbin.Dvle`, then offset and count of each of `TABLES`
DESCRIPTOR = Struct("<II")           # value, second word
CONSTANT = Struct("<HH16s")          # type, register within its class, value
LABEL = Struct("<HHIII")             # id, unknown, word, words, symbol
OUTPUT = Struct("<HHHH")             # semantic, register, mask, unknown
UNIFORM = Struct("<IHH")             # symbol, first, last
# fmt: on

LONG_HEADER = DVLP.size + DVLP_REST.size  # 0x28
SHORT_HEADER = DVLP.size  # 0x1C
DVLE_PLACES = 0x18  # where the offset and count pairs begin in a DVLE

# The tables of an object in the order of its header's offset/count pairs, with the bytes per entry.
TABLES = (
    ("constants", CONSTANT.size),
    ("labels",    LABEL.size),
    ("outputs",   OUTPUT.size),
    ("uniforms",  UNIFORM.size),
    ("symbols",   1),
)  # fmt: skip

PICASSO, OFFICIAL, NIHSTRO = "picasso", "official", "nihstro"
LAYOUTS = (PICASSO, OFFICIAL, NIHSTRO)
_NIHSTRO_TABLES = ("outputs", "constants", "uniforms", "labels", "symbols")


class Habits(Record):
    """Properties of a tool's headers and tables, other than the order of sections."""

    version: int
    "Version of the DVLE."
    header: int
    "Bytes of the DVLP's header."
    bounds: bool
    "The end of the entry procedure and the masks of inputs and outputs are present, otherwise 0."
    sorted: bool
    "Uniforms are in the order of registers, otherwise as declared, and those whose names begin with `_` are left out."
    labels: bool
    "The label table has every label of the source."
    entry: str
    "Value of the entry field: the `word`, or, by mistake, the offset of the entry label's `name`, which `build` does not copy."
    evidence: str
    "Source of the facts."


_habits = by_position(Habits)
# fmt: off
HABITS = {
    #                version header        bounds sorted labels entry   evidence
    PICASSO:  _habits(0x1002, LONG_HEADER,  True,  True,  False, "word", "conformance rules 38-43"),
    OFFICIAL: _habits(0x1002, LONG_HEADER,  True,  True,  False, "word", "as picasso; 3dbrew SHBIN"),
    NIHSTRO:  _habits(0,      SHORT_HEADER, False, False, True,  "name",
                     "conformance, nihstro rules 1-3; hand/22_entry_later, hand/30_text_forms"),
}
# fmt: on


def table_names(dvle: int) -> tuple[str, ...]:
    """The section names of an object's tables, in the order of its header."""
    return tuple(f"dvle{dvle}.{table}" for table, _ in TABLES)


def _picasso_order(dvles: int) -> Iterator[str]:
    yield from ("dvlp", "code", "descriptors", "files")
    for i in range(dvles):
        yield f"dvle{i}"
        yield from table_names(i)


def _nihstro_order(dvles: int) -> Iterator[str]:
    yield "dvlp"
    yield from (f"dvle{i}" for i in range(dvles))
    yield from ("code", "descriptors", "files")
    for i in range(dvles):
        yield from (f"dvle{i}.{table}" for table in _NIHSTRO_TABLES)


def order(layout: str, dvles: int) -> tuple[str, ...]:
    """The sections of a file with `dvles` objects, in a layout's order.

    `dvlb` and `dvlp` always come first.

    Raises ValueError if a custom order names a section twice, or one that the file lacks.
    """
    if layout == NIHSTRO:
        return ("dvlb", *_nihstro_order(dvles))
    usual = ("dvlb", *_picasso_order(dvles))
    if layout in LAYOUTS:
        return usual
    named = layout.split()
    known = set(usual[2:])
    for name in named:
        if name not in known:
            raise ValueError(
                f"layout: no section {name!r} left to place; the layouts are {', '.join(LAYOUTS)} or an order of "
                f"{' '.join(usual[2:6])} ..."
            )
        known.remove(name)
    return (*usual[:2], *named, *(name for name in usual[2:] if name in known))


def base_of(name: str) -> str:
    """The header from whose start the offset of a section counts."""
    return "dvlp" if name in {"code", "descriptors", "files"} else name.partition(".")[0]


def is_padded(layout: str, name: str) -> bool:
    """Whether a layout pads a section with zeros to 4 bytes, from the section's base."""
    if name.endswith(".symbols"):
        return layout in {PICASSO, OFFICIAL}
    return name == "files" and layout == OFFICIAL
