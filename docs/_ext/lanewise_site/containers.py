"""Pages of the files that hold programs, field by field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lanewise.core.document import Heading
from lanewise.packages import packages
from lanewise.pica200.container import layout
from lanewise_site.instructions import overview
from lanewise_site.markup import escape, markdown, page, table

if TYPE_CHECKING:
    from struct import Struct

_SIZES = {"I": 4, "H": 2, "B": 1}
# The fields of each record of lanewise.pica200.container.layout, in the order of its format: name, meaning.
_SHBIN: dict[str, tuple[Struct, str, tuple[tuple[str, str], ...]]] = {
    "DVLB": (layout.DVLB, "The file. An offset of 4 bytes for each DVLE follows, from the beginning of the DVLB.", (
        ("magic", "the letters DVLB"), ("objects", "number of DVLE: shaders of the file"))),
    "DVLP": (layout.DVLP, "The code that all shaders of a file share. Offsets are from the beginning of the DVLP.", (
        ("magic", "the letters DVLP"), ("version", "no meaning is known; picasso writes 0"), ("code", "offset of the instruction words"),
        ("words", "number of instruction words"), ("descriptors", "offset of the operand descriptors"), ("descriptor count", "number of operand descriptors"),
        ("unknown18", "picasso writes the end of the descriptors, nihstro 0"))),
    "DVLP, rest": (layout.DVLP_REST, "After the fields above, from 0x1C on; nihstro's files end the header before it.", (
        ("unknown1c", "no meaning is known"), ("files", "offset of the table of file names"), ("file bytes", "size of that table"))),
    "Operand descriptor": (layout.DESCRIPTOR, "An entry of the table of descriptors: see [the instruction set](../pica200/index.md#operand-descriptor).", (
        ("value", "write mask, selectors and signs"), ("second", "no meaning is known; kept as read"))),
    "DVLE": (layout.DVLE, "A shader: where it begins, and its interface. Offsets are from the beginning of the DVLE.", (
        ("magic", "the letters DVLE"), ("version", "0x1002 from picasso, 0 from nihstro"), ("type", "0 vertex shader, 1 geometry shader"),
        ("flags", "bit 0: outputs are merged with those of the vertex shader"), ("main", "word at which it begins; nihstro writes the offset of the label's name"),
        ("endmain", "word after its entry procedure; 0 from nihstro"), ("input mask", "inputs that are used, v0 in bit 0"), ("output mask", "outputs that are used, o0 in bit 0"),
        ("geometry mode", "0 point, 1 variable, 2 fixed"), ("array start", "of a geometry shader of a fixed or variable number of vertices: first uniform of the array"),
        ("variable count", "in variable mode: vertices that are complete"), ("fixed count", "in fixed mode: vertices of a primitive"),
        *[(f"{name} {what}", f"{what} of the table of {name}") for name, _ in layout.TABLES for what in ("offset", "count")])),
    "Constant": (layout.CONSTANT, "A value that the program brings for a uniform.", (
        ("type", "0 boolean, 1 integer, 2 float"), ("register", "number within its class"), ("value", "16 bytes: the boolean; four bytes; four float24 words"))),
    "Label": (layout.LABEL, "A named place of the code.", (
        ("id", "a number"), ("unknown", "no meaning is known"), ("word", "its word in the code"), ("words", "its length; 0xFFFFFFFF: not known"), ("symbol", "offset of its name"))),
    "Output": (layout.OUTPUT, "An output register and its meaning to the rasterizer.", (
        ("semantic", "0 position, 1 normalquat, 2 color, 3 texcoord0, 4 texcoord0w, 5 texcoord1, 6 texcoord2, 8 view, 9 dummy"), ("register", "o0 to o15"), ("mask", "components, x in bit 0"), ("unknown", "one value throughout an official object"))),
    "Uniform": (layout.UNIFORM, "A named input or uniform.", (
        ("symbol", "offset of its name"), ("first", "00-0F v, 10-6F c, 70-73 i, 78-87 b"), ("last", "the last register, of an array or matrix"))),
}  # fmt: skip


def fields(form: str) -> list[tuple[int, int]]:
    """Offset and size of each field of a format of `struct`."""
    found: list[tuple[int, int]] = []
    at = 0
    for count, kind in re.findall(r"(\d*)([IHBs])", form):
        sizes = [int(count or 1)] if kind == "s" else [_SIZES[kind]] * int(count or 1)
        for size in sizes:
            found.append((at, size))
            at += size
    return found


def pages() -> dict[str, str]:
    rows = [
        (
            escape(container.title),
            ", ".join([f"`{suffix}`" for suffix in container.suffixes]),
            escape(package.title),
            _LINKS.get((package.name, container.name), ""),
        )
        for package in packages()
        for container in package.containers
    ]
    return {
        "reference/containers/index.md": page("Files", "Files that hold programs, and how they are recognised: by their content, then by their suffix.",
                                              table(("file", "suffixes", "instruction set", "page"), rows), orphan=False),
        "reference/containers/shbin.md": _shbin(),
        "reference/containers/shadercore.md": _shadercore(),
    }  # fmt: skip


_LINKS = {
    ("pica200", "shbin"): "[fields](shbin.md)",
    ("pica200", "cache"): "[shader caches](../../caches.md)",
    ("shadercore", "shadercore"): "[fields](shadercore.md)",
    ("direct3d9", "direct3d9"): "[tools](../../direct3d9-tools.md)",
    ("direct3d9", "effect"): "[effects](../../direct3d9-tools.md#effects)",
}


def _shbin() -> str:
    parts = [
        "Little endian. `lanewise inspect FILE` shows these fields of a file, and `lanewise inspect --format json` gives them as data. Source: 3dbrew's page SHBIN, and the files of picasso and nihstro."
    ]
    for name, (form, about, rows) in _SHBIN.items():
        places = fields(form.format)
        if len(places) != len(rows):
            raise ValueError(f"{name}: {len(rows)} names for {len(places)} fields")
        parts += [f"## {name}", f"{form.size} bytes. {about}",
                  table(("offset", "bytes", "field", "meaning"), [(f'<a id="{anchor(name, field)}"></a>0x{at:02X}', str(size), field, escape(meaning))
                                                                  for (at, size), (field, meaning) in zip(places, rows, strict=True)])]  # fmt: skip
    orders = "\n".join([f"- `{name}`: {', '.join(layout.order(name, 1))}" for name in layout.LAYOUTS])
    parts += ["## Order of the parts", "Tools order the parts in their own way; for a file with one shader:", orders]
    return page("SHBIN", *parts, above="[Files](index.md)")


def anchor(record: str, field: str) -> str:
    """The anchor of a field of an SHBIN."""
    return "-".join(re.findall(r"[a-z0-9]+", f"{record} {field}".lower()))


def shbin_fields() -> list[tuple[str, str]]:
    """Each field of an SHBIN: record and name."""
    return [(name, field) for name, (_, _, rows) in _SHBIN.items() for field, _ in rows]


def _shadercore() -> str:
    package = next(p for p in packages() if p.name == "shadercore")
    blocks = overview(package)[0]
    start = next(n for n, b in enumerate(blocks) if isinstance(b, Heading) and b.text == "File")
    end = next(n for n in range(start + 1, len(blocks)) if isinstance(blocks[n], Heading))
    return page("ShaderCore file", markdown(blocks[start + 1 : end]), above="[Files](index.md)")


__all__ = ["anchor", "fields", "pages", "shbin_fields"]
