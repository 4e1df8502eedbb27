"""Direct3D 9 bytecode, constant tables, and the files that hold shaders: effects, XNB, DXBC; field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.container import tables
from lanewise.direct3d9.isa.constants import BASE_NAMES, SET_NAMES
from lanewise.direct3d9.isa.effect import PIXEL_BASE, VERTEX_BASE
from lanewise.direct3d9.isa.table import COMPARISONS, SAMPLER_TYPES, USAGES
from lanewise_site.markup import page
from lanewise_site.records import Layout, Parts, Word, section

if TYPE_CHECKING:
    from collections.abc import Sequence

_ABOVE = "[Files](index.md)"


def _numbered(names: Sequence[str]) -> str:
    return ", ".join([f"{number} {name}" for number, name in enumerate(names) if name])


INSTRUCTION = Word(
    "Instruction token",
    "The first word of an instruction. Its operands follow: destination, predicate, sources; a dcl has its usage first. The "
    "[opcode grid](../direct3d9/index.md) has the instructions.",
    (
        (31, 1, "0", "0: the operands have 1 here"),
        (30, 1, "co", "paired with the previous instruction (`+`), in ps_1_x"),
        (29, 1, "-", ""),
        (28, 1, "p", "the instruction has a predicate"),
        (24, 4, "length", "number of words that follow, from shader model 2 on; 0 before"),
        (
            16,
            8,
            "controls",
            f"of ifc, breakc and setp: {_numbered(COMPARISONS)}; of texld: 0 plain, 1 projected, 2 with a bias",
        ),
        (0, 16, "opcode", "which instruction"),
    ),
)
TOKENS = (
    Word(
        "Version token",
        "The first word of a shader.",
        (
            (16, 16, "kind", "0xFFFE vertex shader, 0xFFFF pixel shader"),
            (8, 8, "major", "1 to 3"),
            (0, 8, "minor", "in version 2, 1 is 2_x; 255 is a software version"),
        ),
    ),
    INSTRUCTION,
    Word(
        "Destination token",
        "A word with the token of its relative address follows where `rel` is set (outputs of vs_3_0).",
        (
            (31, 1, "1", "1"),
            (28, 3, "file", "bits 2:0 of the register file"),
            (24, 4, "shift", "the result is multiplied by 2 to this power, -8 to 7 (ps_1_x)"),
            (20, 4, "modifiers", "1 saturate, 2 partial precision, 4 centroid, added"),
            (16, 4, "mask", "components that are written, x in bit 16"),
            (14, 2, "-", ""),
            (13, 1, "rel", "the number is added to an address register"),
            (11, 2, "high", "bits 4:3 of the register file"),
            (0, 11, "number", "of the register"),
        ),
    ),
    Word(
        "Source token",
        "A word with the token of its relative address follows where `rel` is set, from shader model 2 on; vs_1_1 adds a0.x.",
        (
            (31, 1, "1", "1"),
            (28, 3, "file", "bits 2:0 of the register file"),
            (
                24,
                4,
                "modifier",
                (
                    "0 none, 1 negate, 2 bias, 3 bias and negate, 4 sign, 5 sign and negate, 6 complement, 7 times 2, 8 "
                    "times 2 and negate, 9 divide by z, 10 divide by w, 11 absolute, 12 absolute and negate, 13 not"
                ),
            ),
            (22, 2, "w", "the component that is read as w"),
            (20, 2, "z", "as z"),
            (18, 2, "y", "as y"),
            (16, 2, "x", "as x"),
            (14, 2, "-", ""),
            (13, 1, "rel", "the number is added to an address register"),
            (11, 2, "high", "bits 4:3 of the register file"),
            (0, 11, "number", "of the register; c# from 2048 on are in files of their own"),
        ),
    ),
    Word(
        "Usage word",
        "Of a dcl, before its destination.",
        (
            (31, 1, "1", "1"),
            (27, 4, "texture", f"of a sampler: {_numbered(SAMPLER_TYPES)}"),
            (20, 7, "-", ""),
            (16, 4, "index", "of the usage"),
            (5, 11, "-", ""),
            (0, 5, "usage", _numbered(USAGES)),
        ),
    ),
    Word(
        "Comment token",
        "So many words follow that no instruction reads. Those that begin with the letters CTAB are a constant table.",
        ((31, 1, "0", "0"), (16, 15, "length", "number of words that follow"), (0, 16, "opcode", "0xFFFE")),
    ),
    Word("End token", "The last word of a shader.", ((16, 16, "0", "0"), (0, 16, "opcode", "0xFFFF"))),
)
_SHAPE = (
    ("class", "0 scalar, 1 vector, 2 matrix by rows, 3 matrix by columns, 4 object, 5 struct"),
    ("type", _numbered(BASE_NAMES)),
    ("rows", "of a matrix"),
    ("columns", "of a matrix or vector"),
    ("elements", "of an array, 1 else"),
    ("members", "of a struct"),
    ("members at", "offset of the members"),
)
TABLES = (
    Layout(
        "Constant table",
        tables.HEADER,
        "After the letters CTAB. Offsets count from here; names end with a zero byte.",
        (
            ("size", "of this header: 28"),
            ("creator", "offset of the name of the compiler"),
            ("version", "version token of the shader"),
            ("constants", "number of constants"),
            ("first", "offset of the first constant"),
            ("flags", "of the compiler"),
            ("target", "offset of the name of the profile"),
        ),
    ),
    Layout(
        "Constant",
        tables.INFO,
        "",
        (
            ("name", "offset of its name"),
            ("set", _numbered(SET_NAMES)),
            ("register", "its first register"),
            ("registers", "how many; those at the end that nothing reads are left out"),
            ("reserved", "0"),
            ("type", "offset of its type"),
            ("default", "offset of its value, 0 for none"),
        ),
    ),
    Layout("Type", tables.TYPE, "", _SHAPE),
    Layout("Member", tables.MEMBER, "A part of a struct.", (("name", "offset of its name"), ("type", "offset of its type"))),
)
FX = (
    Parts(
        "Header",
        "XNA writes 0xBCF00BCF and the offset of this header before it.",
        (
            (4, "tag", "0xFEFF0901"),
            (4, "start", "offset of the counts, from the end of this header, as all offsets"),
            ("start", "table", "types, values and names, to which the parts below give offsets"),
        ),
    ),
    Parts(
        "Counts",
        "Where `start` leads. Parameters follow, then techniques, then objects.",
        (
            (4, "parameters", "number of parameters"),
            (4, "techniques", "number of techniques"),
            (4, "unknown", "no meaning is known; not read"),
            (4, "objects", "number of identifiers of objects; not read"),
        ),
    ),
    Parts(
        "Parameter",
        "",
        (
            (4, "type", "offset of its type"),
            (4, "value", "offset of its value"),
            (4, "flags", "bit 0: shared"),
            (4, "annotations", "number of annotations"),
            ("8 each", "annotation", "offset of a type, offset of a value"),
        ),
    ),
    Parts(
        "Technique",
        "",
        (
            (4, "name", "offset of its name"),
            (4, "annotations", "number of annotations"),
            (4, "passes", "number of passes"),
            ("8 each", "annotation", "as of a parameter"),
            ("varies", "pass", "each as below"),
        ),
    ),
    Parts(
        "Pass",
        "",
        (
            (4, "name", "offset of its name"),
            (4, "annotations", "number of annotations"),
            (4, "states", "number of states"),
            ("8 each", "annotation", "as of a parameter"),
            ("16 each", "state", "as below"),
        ),
    ),
    Parts(
        "State",
        "Of a pass, or of a sampler.",
        (
            (4, "number", "which state: 146 vertex shader, 147 pixel shader"),
            (4, "index", "of a state that there are several of"),
            (4, "type", "offset of the type of its value"),
            (4, "value", "offset of its value"),
        ),
    ),
    Parts(
        "Objects",
        "After the techniques. The bytes of an object fill whole words.",
        (
            (4, "objects", "number of objects"),
            (4, "objects of states", "number of objects of states"),
            ("varies", "object", "each: number, size, bytes"),
            ("varies", "object of a state", "each as below"),
        ),
    ),
    Parts(
        "Object of a state",
        "",
        (
            (4, "technique", "its number; 0xFFFFFFFF: the state is that of a sampler"),
            (4, "index", "number of the pass, or of the parameter"),
            (4, "element", "of an array of samplers; 0xFFFFFFFF: none"),
            (4, "state", "number of the state"),
            (4, "usage", "0 code, 1 the name of a parameter, 2 an array and an expression that chooses from it"),
            (4, "size", "number of bytes"),
            ("size", "bytes", "a shader, a name, an expression; to whole words"),
        ),
    ),
    Parts(
        "Type in the table",
        "Its name and semantic are offsets of a size and characters.",
        (
            (4, "type", f"{_numbered(BASE_NAMES)}, {PIXEL_BASE} pixel shader, {VERTEX_BASE} vertex shader"),
            (4, "class", "as in a constant table"),
            (4, "name", "offset of its name"),
            (4, "semantic", "offset of its semantic"),
            (4, "elements", "of an array, else 0"),
            (
                "8 or varies",
                "shape",
                (
                    "vector: columns, rows; scalar and matrix: rows, columns; struct: number of members, and their types; "
                    "object: nothing"
                ),
            ),
        ),
    ),
    Parts(
        "Value in the table",
        "",
        (
            ("4 each", "numbers", "of each element and component"),
            ("4 each", "object numbers", "of textures, strings and shaders"),
            ("varies", "samplers", "of each element the number of its states, and the states"),
        ),
    ),
)
_N, _NAME = "n", "a 7-bit number of bytes, and the characters"
MGFX = (
    Parts(
        "Header",
        "A number `n` has 1 byte, and 4 from version 10 on. Constant buffers, shaders, parameters and techniques follow, "
        "each after their number.",
        (
            (4, "magic", "the letters MGFX"),
            (1, "version", "3 to 11 are read"),
            (1, "profile", "0 OpenGL, 1 DirectX 11, 2 DirectX 12, 3 PlayStation 4, 80 Vulkan"),
            ("0 or 4", "hash", "of what follows, from version 6 on"),
        ),
    ),
    Parts(
        "Constant buffer",
        "",
        (
            ("varies", "name", f"{_NAME}; before version 8 only in files of OpenGL"),
            (2, "size", "bytes of the buffer"),
            (_N, "parameters", "number of parameters"),
            ("n + 2 each", "parameter", "number of a parameter, offset of 2 bytes in the buffer"),
        ),
    ),
    Parts(
        "Shader",
        "",
        (
            (1, "stage", "1 vertex shader, 0 pixel shader"),
            ("varies", "source", "names of the source and of the function, from version 11 on"),
            ("2 or 4", "size", "bytes of the code; 2 before version 5"),
            ("size", "code", "DXBC, GLSL, SPIR-V or another of the platform"),
            (1, "samplers", "number of samplers"),
            ("varies", "sampler", "type, texture, sampler (from version 4 on), a flag and its state, name, parameter"),
            (1, "buffers", "number of constant buffers"),
            ("1 each", "buffer", "number of the buffer"),
            (1, "attributes", "number of attributes; before version 8 only in files of OpenGL"),
            ("varies", "attribute", "name, usage, index, location"),
        ),
    ),
    Parts(
        "Sampler state",
        "Of a sampler whose flag is 1.",
        (
            (3, "addressing", "of u, v and w"),
            ("0 or 4", "border", "color, from version 7 on"),
            (1, "filter", "number of the filter"),
            (12, "levels", "anisotropy, highest level, bias"),
        ),
    ),
    Parts(
        "Parameter",
        "",
        (
            (1, "class", "0 scalar, 1 vector, 2 matrix, 3 object, 4 struct"),
            (1, "type", "0 void, 1 bool, 2 int, 3 float, 4 string; textures after these"),
            ("varies", "name", _NAME),
            ("varies", "semantic", _NAME),
            (_N, "annotations", "a number; none are written"),
            (1, "rows", ""),
            (1, "columns", ""),
            ("varies", "elements", "number and parameters"),
            ("varies", "members", "number and parameters"),
            ("4 each", "values", "rows times columns, of a parameter without elements and members"),
        ),
    ),
    Parts(
        "Technique",
        "",
        (
            ("varies", "name", _NAME),
            (_N, "annotations", "a number; none are written"),
            (_N, "passes", "number of passes"),
            ("varies", "pass", "each as below"),
        ),
    ),
    Parts(
        "Pass",
        "",
        (
            ("varies", "name", _NAME),
            (_N, "annotations", "a number; none are written"),
            (_N, "vertex shader", "its number; all bits set: none"),
            (_N, "pixel shader", "its number"),
            ("varies", "blend", "a flag and the blend state"),
            ("varies", "depth", "a flag and the depth and stencil state"),
            ("varies", "raster", "a flag and the rasterizer state"),
        ),
    ),
    Parts("End", "From version 10 on.", ((4, "magic", "the letters MGFX again"),)),
)
XNB = (
    Parts(
        "XNB",
        "A file of XNA, FNA or MonoGame, with an effect of one of the kinds above inside. Compressed files are not unpacked "
        "(C316).",
        (
            (3, "magic", "the letters XNB"),
            (1, "platform", "a letter, such as w for Windows"),
            (1, "version", "5 from XNA 4 on"),
            (1, "flags", "0x80 compressed with LZX, 0x40 with LZ4"),
            (4, "size", "bytes of the file"),
            ("7-bit number", "readers", "number of readers"),
            ("varies", "reader", f"each: {_NAME}; a version of 4 bytes"),
            ("7-bit number", "shared", "number of shared resources"),
            ("7-bit number", "asset", "number of its reader, from 1"),
            (4, "effect size", "of an EffectReader"),
            ("effect size", "effect", "an effect file"),
        ),
    ),
)
DXBC = (
    Parts(
        "DXBC",
        "A shader of Direct3D 10 or later. Compiled for a level 9 profile, it has a Direct3D 9 shader in its chunk Aon9; one "
        "without is refused (C310).",
        (
            (4, "magic", "the letters DXBC"),
            (16, "hash", "of the file"),
            (4, "version", "1"),
            (4, "size", "bytes of the file"),
            (4, "chunks", "number of chunks"),
            ("4 each", "chunk", "offset of a chunk"),
        ),
    ),
    Parts(
        "Chunk",
        "",
        ((4, "name", "four letters"), (4, "size", "bytes of its contents"), ("size", "contents", "")),
    ),
    Parts(
        "Contents of Aon9",
        "As measured in 77 files of MonoGame and of tests.",
        (
            (4, "size", "of the contents again"),
            (4, "version", "version token of the shader"),
            (4, "shader size", "bytes of the shader"),
            (4, "shader", "its offset from the first of these words"),
        ),
    ),
)

_BYTECODE_ABOUT = (
    "Words of 32 bits, little endian: a version token, instructions and comments, an end token. `lanewise dis FILE` prints "
    "the shader, `lanewise inspect FILE` its constant table. Source: the token format of Microsoft's driver kit, and "
    "measurements."
)
_EFFECT_ABOUT = (
    "Little endian. `lanewise inspect FILE` lists techniques, passes and shaders "
    "([effects](../../direct3d9-tools.md#effects)). A 7-bit number has 7 bits in each byte, the lowest first, and the "
    "highest bit set where another byte follows."
)


def pages() -> dict[str, str]:
    found = {
        "direct3d9": ("Direct3D 9 bytecode", _BYTECODE_ABOUT, (*TOKENS, *TABLES)),
        "effect-fx": (
            "Effect: fx_2_0",
            f"{_EFFECT_ABOUT} Source: Wine's d3dx9_36/effect.c, and MojoShader for the header of XNA.",
            FX,
        ),
        "effect-mgfx": (
            "Effect: MGFX",
            f"{_EFFECT_ABOUT} Source: MonoGame's Effect.cs and Shader.cs of each version, 2013 to 2025.",
            MGFX,
        ),
        "effect-xnb": (
            "XNB and DXBC",
            f"{_EFFECT_ABOUT} Source: MonoGame's ContentReader.cs, and measured DXBC files.",
            (*XNB, *DXBC),
        ),
    }
    return {
        f"reference/containers/{name}.md": page(title, about, *map(section, records), above=_ABOVE)
        for name, (title, about, records) in found.items()
    }
