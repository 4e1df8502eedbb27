"""SHBIN, the shader caches of Azahar and CiTrace, field by field."""

from __future__ import annotations

from lanewise.pica200.container import caches, layout
from lanewise.pica200.frame import citrace, registers
from lanewise_site.markup import escape, page, table
from lanewise_site.records import Layout, section

_ABOVE = "[Files](index.md)"
# The records of lanewise.pica200.container.layout, in the order of their formats.
SHBIN = (
    Layout(
        "DVLB",
        layout.DVLB,
        "The file. An offset of 4 bytes for each DVLE follows, from the beginning of the DVLB.",
        (("magic", "the letters DVLB"), ("objects", "number of DVLE: shaders of the file")),
    ),
    Layout(
        "DVLP",
        layout.DVLP,
        "The code that all shaders of a file share. Offsets are from the beginning of the DVLP.",
        (
            ("magic", "the letters DVLP"),
            ("version", "no meaning is known; picasso writes 0"),
            ("code", "offset of the instruction words"),
            ("words", "number of instruction words"),
            ("descriptors", "offset of the operand descriptors"),
            ("descriptor count", "number of operand descriptors"),
            ("unknown18", "picasso writes the end of the descriptors, nihstro 0"),
        ),
    ),
    Layout(
        "DVLP, rest",
        layout.DVLP_REST,
        "After the fields above, from 0x1C on; nihstro's files end the header before it.",
        (
            ("unknown1c", "no meaning is known"),
            ("files", "offset of the table of file names"),
            ("file bytes", "size of that table"),
        ),
    ),
    Layout(
        "Operand descriptor",
        layout.DESCRIPTOR,
        "An entry of the table of descriptors: see [the instruction set](../pica200/index.md#operand-descriptor).",
        (("value", "write mask, selectors and signs"), ("second", "no meaning is known; kept as read")),
    ),
    Layout(
        "DVLE",
        layout.DVLE,
        "A shader: where it begins, and its interface. Offsets are from the beginning of the DVLE.",
        (
            ("magic", "the letters DVLE"),
            ("version", "0x1002 from picasso, 0 from nihstro"),
            ("type", "0 vertex shader, 1 geometry shader"),
            ("flags", "bit 0: outputs are merged with those of the vertex shader"),
            ("main", "word at which it begins; nihstro writes the offset of the label's name"),
            ("endmain", "word after its entry procedure; 0 from nihstro"),
            ("input mask", "inputs that are used, v0 in bit 0"),
            ("output mask", "outputs that are used, o0 in bit 0"),
            ("geometry mode", "0 point, 1 variable, 2 fixed"),
            ("array start", "of a geometry shader of a fixed or variable number of vertices: first uniform of the array"),
            ("variable count", "in variable mode: vertices that are complete"),
            ("fixed count", "in fixed mode: vertices of a primitive"),
            *[
                (f"{name} {what}", f"{what} of the table of {name}")
                for name, _ in layout.TABLES
                for what in ("offset", "count")
            ],
        ),
    ),
    Layout(
        "Constant",
        layout.CONSTANT,
        "A value that the program brings for a uniform.",
        (
            ("type", "0 boolean, 1 integer, 2 float"),
            ("register", "number within its class"),
            ("value", "16 bytes: the boolean; four bytes; four float24 words"),
        ),
    ),
    Layout(
        "Label",
        layout.LABEL,
        "A named place of the code.",
        (
            ("id", "a number"),
            ("unknown", "no meaning is known"),
            ("word", "its word in the code"),
            ("words", "its length; 0xFFFFFFFF: not known"),
            ("symbol", "offset of its name"),
        ),
    ),
    Layout(
        "Output",
        layout.OUTPUT,
        "An output register and its meaning to the rasterizer.",
        (
            (
                "semantic",
                "0 position, 1 normalquat, 2 color, 3 texcoord0, 4 texcoord0w, 5 texcoord1, 6 texcoord2, 8 view, 9 dummy",
            ),
            ("register", "o0 to o15"),
            ("mask", "components, x in bit 0"),
            ("unknown", "one value throughout an official object"),
        ),
    ),
    Layout(
        "Uniform",
        layout.UNIFORM,
        "A named input or uniform.",
        (
            ("symbol", "offset of its name"),
            ("first", "00-0F v, 10-6F c, 70-73 i, 78-87 b"),
            ("last", "the last register, of an array or matrix"),
        ),
    ),
)

OPENGL = (
    Layout(
        "Entry",
        caches.ENTRY,
        "The file is a version of 4 bytes, 1, then entries; this is the beginning of one.",
        (
            ("kind", "0: a raw entry"),
            ("hash", "that by which the emulator knows the program"),
            ("type", "0 vertex program, 1 fragment configuration, 2 geometry configuration"),
            ("registers", "number of registers that follow: 0x300"),
        ),
    ),
    Layout(
        "Registers",
        caches.REGISTERS,
        "The registers of the GPU. `lanewise` reads the output map (0x04F to 0x056), whether a geometry shader is in use "
        "(bits 1:0 of 0x229), and from 0x2B0 on booleans (+0), integers (+1 to +4), the entry (+0xA) and the mask of outputs "
        "(+0xD) of the vertex unit.",
        (("values", "a word for each register, by its number", 0x300),),
    ),
    Layout(
        "Memory",
        caches.MEMORY,
        "In the entry of a vertex program, after the registers.",
        (
            ("size", "number of words and descriptors: 0x2000"),
            ("words", "the code memory; what was never sent is 0", 4096),
            ("descriptors", "the operand descriptors", 4096),
        ),
    ),
)

VULKAN = (
    Layout(
        "Header of an entry",
        caches.HEADER,
        "Each entry has a header, its contents, and a footer.",
        (
            ("version", "0x42"),
            ("flags", "bit 0: the contents are compressed with Zstandard"),
            ("type", "0 file information, 1 configuration, 2 program, 3 SPIR-V module"),
            ("size", "bytes of the entry with header and footer"),
            ("hash", "that of the contents: of a program, the one by which the emulator knows it"),
        ),
    ),
    Layout(
        "Footer of an entry",
        caches.FOOTER,
        "After its contents.",
        (
            ("mark", "0x24 in the low byte, the number of the entry, from 0, above it"),
            ("size", "the size of the header again"),
            ("unknown", "no meaning is known"),
        ),
    ),
    Layout(
        "File information",
        caches.INFO,
        "The contents of the first entry.",
        (
            ("magic", "the letters VKCH"),
            ("version", "0"),
            ("layout", "a hash of the layout of the emulator's configurations; another one is another version"),
            (
                "file",
                (
                    "0 vertex shaders, 1 fragment shaders, 2 geometry shaders, 3 pipelines; only files of type 0 have programs "
                    "of the PICA200"
                ),
            ),
        ),
    ),
    Layout(
        "Configuration",
        caches.CONFIG,
        "The state with which a program ran; several may name one program.",
        (
            ("version", "0"),
            ("program", "the hash of the program"),
            ("entry", "the word at which it begins"),
            ("places", "for each output register its place in the output map; 16 and more: not enabled", 16),
            ("outputs", "number of words of the output map that count"),
            ("output map", "a semantic for each component of an output, as in the registers 0x050 to 0x056", 7),
        ),
    ),
    Layout(
        "Program",
        caches.PROGRAM,
        "The words of a program, shared by all its configurations.",
        (
            ("version", "0"),
            ("word count", "number of instruction words, at most 4096"),
            ("descriptor count", "number of operand descriptors, at most 4096"),
            ("words", "the code memory; what was never sent is 0", 4096),
            ("descriptors", "the operand descriptors", 4096),
        ),
    ),
)

_SHBIN_ABOUT = (
    "Little endian. `lanewise inspect FILE` shows these fields of a file, and `lanewise inspect --format json` gives them as "
    "data. Source: 3dbrew's page SHBIN, and the files of picasso and nihstro."
)
_CACHE_ABOUT = (
    "Little endian, and packed without padding. [Shader caches](../../caches.md) shows the commands. "
    "Source: azahar-emu/azahar a2d16d4 (2026-08-21); files of other versions are refused (C019)."
)


_CITRACE_ABOUT = (
    "A recorded frame: what a program told the console's GPU ([frames](../../frames.md)). All numbers are little-endian words "
    "of 32 bits. The header: the letters CiTr, the version 1, the bytes of the header, then the byte offset and the number of "
    "words of each array, then the byte offset of the stream and the number of its elements. An element has five words: what "
    "it is, and three numbers and a word that is not used."
)
_CITRACE_ELEMENTS = (
    ("0xE1", "the end of a frame", ""),
    ("0xE2", "memory has this content from here on", "byte offset of the data in the file, bytes, physical address"),
    ("0xE3", "a register is written", "physical address, value"),
)


def _citrace() -> str:
    arrays = table(
        ("array of the state", "words that are read at most"),
        [(name, str(most)) for name, most in zip(citrace.ARRAYS, citrace.MOST, strict=True)],
    )
    known = table(
        ("number", "register", "part", "bits", "what it does", "evidence"),
        [
            (
                f"0x{row.first:03X}" + (f" to 0x{row.last:03X}" if row.last > row.first else ""),
                escape(", ".join(row.names)),
                row.topic,
                ", ".join([f"{name} {low} to {high}" if high > low else f"{name} {low}" for name, low, high in row.fields]),
                escape(row.about),
                escape(row.evidence),
            )
            for row in registers.table()
        ],
    )
    return page(
        "CiTrace",
        _CITRACE_ABOUT,
        "## Arrays",
        arrays,
        "## Elements of the stream",
        table(("word", "meaning", "numbers"), _CITRACE_ELEMENTS),
        "## Registers",
        "Internal registers of the GPU that a draw depends on.",
        known,
        above=_ABOVE,
    )


def pages() -> dict[str, str]:
    orders = "\n".join([f"- `{name}`: {', '.join(layout.order(name, 1))}" for name in layout.LAYOUTS])
    order = f"## Order of the parts\n\nTools order the parts in their own way; for a file with one shader:\n\n{orders}"

    return {
        "reference/containers/shbin.md": page("SHBIN", _SHBIN_ABOUT, *map(section, SHBIN), order, above=_ABOVE),
        "reference/containers/cache-opengl.md": page(
            "Shader cache of Azahar: OpenGL", _CACHE_ABOUT, *map(section, OPENGL), above=_ABOVE
        ),
        "reference/containers/cache-vulkan.md": page(
            "Shader cache of Azahar: Vulkan", _CACHE_ABOUT, *map(section, VULKAN), above=_ABOVE
        ),
        "reference/containers/citrace.md": _citrace(),
    }
