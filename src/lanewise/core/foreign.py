"""Files that are given in place of programs: what they are, and which command or tool takes them.

Asked only about files that nothing reads, or that could not be read, so that a program is never refused.
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable

_HEAD = 1 << 16  # bytes of a text that are looked at


class Foreign(Record):
    """A kind of file: `title` completes "this is ...", `fix` is what to do with it. `source`: it is in another shading
    language."""

    title: str
    fix: str
    source: bool = False


_SCAN = "find the shaders inside it with `lanewise inspect --scan FILE --extract DIR`"
_UNPACK = "unpack it, `{} FILE`, then search what is in it with `lanewise inspect --scan`"
_STATE = "record a frame: CiTrace Recorder of Citra to 2021-03 writes one, and `lanewise frame kit` is for other hosts"
_ENTRY = 300  # bytes of an archive in which the name of the first file is
_PROGRAM = "give a shader, as source or binary"
_OF_CORES = "give the program that the core runs: its source, its words, or a ROM as `lanewise asm` writes one"
GIVE = "give it as data of an input: `lanewise run PROGRAM --input NAME=FILE`"
_MESH = "give it as the vertices of a run: `lanewise run PROGRAM --mesh FILE`"
# By the first bytes. Sources: 3dbrew.org (3DSX, SMDH, CIA, NCSD and NCCH at 0x100), the specifications of the other formats.
_MAGIC = (
    (b"\x7fELF", Foreign("an ELF file", _SCAN)),
    (b"3DSX", Foreign("a 3DSX program", _SCAN)),
    (b"SMDH", Foreign("an SMDH icon file", _PROGRAM)),
    (b"MZ", Foreign("a Windows program", _SCAN)),
    (b"\x89PNG", Foreign("a PNG picture", _PROGRAM)),
    (b"\xff\xd8\xff", Foreign("a JPEG picture", _PROGRAM)),
    (b"GIF8", Foreign("a GIF picture", _PROGRAM)),
    (b"DDS ", Foreign("a DDS texture", _PROGRAM)),
    (b"glTF", Foreign("a glTF model", _MESH)),
    (b"ply\n", Foreign("a PLY model", _MESH)),
    (b"ply\r\n", Foreign("a PLY model", _MESH)),
    (b"\x93NUMPY", Foreign("a NumPy array", GIVE)),
    (b"PAR1", Foreign("a Parquet table", GIVE)),
    (b"\x89HDF", Foreign("an HDF5 file", GIVE.replace("NAME=FILE", "NAME=FILE.npy`, saved by `numpy.save"))),
    (b"ARROW1", Foreign("an Arrow table", GIVE.replace("NAME=FILE", "NAME=FILE.csv`, written by `frame.to_csv"))),
    *[
        (b"\x80%c" % version, Foreign("a pickle of Python", "load the source or binary; a pickle is read by `pickle.load`"))
        for version in range(2, 6)
    ],
    (b"PK\x03\x04", Foreign("a ZIP archive", _UNPACK.format("unzip"))),
    (b"\x1f\x8b", Foreign("a gzip archive", _UNPACK.format("gzip -dk"))),
    (b"\xfd7zXZ", Foreign("an xz archive", _UNPACK.format("xz -dk"))),
    (b"7z\xbc\xaf", Foreign("a 7z archive", _UNPACK.format("7z x"))),
    (b"\x28\xb5\x2f\xfd", Foreign("a file packed by Zstandard", _UNPACK.format("zstd -d"))),
    (b"BZh", Foreign("a file packed by bzip2", _UNPACK.format("bzip2 -dk"))),
    (b"Yaz0", Foreign("a file packed by Yaz0", "unpack it, then search what is in it with `lanewise inspect --scan`")),
    (b"CST\x1b", Foreign("a saved state of Citra or Azahar", _STATE)),
    (b"CTM\x1b", Foreign("a movie of Citra or Azahar", _STATE)),
    (b"XNB", Foreign("an XNB file of XNA or MonoGame", _SCAN)),
    (b"BM", Foreign("a BMP picture", _PROGRAM)),
)
_CIA = b"\x20\x20\x00\x00"  # the size of its header (3dbrew.org/wiki/CIA)
_GLSL = Foreign("GLSL", "compile a vertex shader with `lanewise compile FILE --target pica200`", source=True)
_HLSL = Foreign(
    "HLSL",
    "compile a vertex shader with `lanewise compile FILE --language hlsl --target pica200`, or for Direct3D 9: "
    "fxc /T vs_3_0 /Fo shader.vso FILE",
    source=True,
)
_EFFECT = Foreign("an effect in HLSL", "compile it first: fxc /T fx_2_0 /Fo effect.fxb FILE", source=True)
_C = Foreign("C or C++", "give a shader; of a C array of words, a file with only the array", source=True)
_GENERATED = 400  # characters in which a file says what has written it
_HEADER = Foreign(
    "a C header of `lanewise asm -H`, which has the numbers of registers only",
    "give the binary that was written with it (.shbin), or the source",
)
_TEST = Foreign("a file of shader tests", "run it with `lanewise test FILE`")
_TOML = Foreign("a TOML file", "give a program first; `lanewise run PROGRAM --uniforms FILE` reads uniforms of a TOML file")
_DEVICE = Foreign("a device", "give it with a program: `lanewise time PROGRAM --device FILE`, and so of run, rtl and check")
_ENTITY = Foreign(
    "a description of the ports of a core", "give it with a program: `lanewise rtl PROGRAM --entity FILE --bench sim`"
)
_ENTITY_TABLE = re.compile(r"^[^\S\n]*\[clock\]", re.MULTILINE)
_DEVICE_TABLE = re.compile(r"^[^\S\n]*(?:base\s*=|pipes\s*=|\[set\]|\[instructions\b)", re.MULTILINE)
_JSON = Foreign("a JSON file", "give a program first; `lanewise run PROGRAM --uniforms FILE` reads uniforms of a JSON file")
_DUMP = Foreign("a dump of a program", "give it as --data: `lanewise run --data FILE`, `lanewise dis --data FILE`")
_BARE = Foreign(
    "a JSON file with machine words that are not in its table program",
    'write "isa": "pica200" and "program": {"words": [...], "descriptors": [...], "entry": 0}, then `lanewise run --data FILE`',
)
_OF_RUN = Foreign("the data of a run", "give a program with it: `lanewise run PROGRAM --data FILE`")
_OBJ = Foreign("an OBJ model", _MESH)
_STL = Foreign("an STL model", _MESH)
_WGSL = Foreign("WGSL", "compile its SPIR-V, which `naga FILE shader.spv` writes, or the shader in GLSL or HLSL")
_METAL = Foreign("Metal", "write the shader in GLSL or HLSL")
# Names decide before content: a page or a program of another language may quote ours.
_NAMED = {
    **dict.fromkeys((".c", ".h", ".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx"), _C),
    **dict.fromkeys((".md", ".markdown"), Foreign("Markdown", _PROGRAM)),
    **dict.fromkeys((".py", ".pyi"), Foreign("Python", _PROGRAM)),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx"), Foreign("JavaScript or TypeScript", _PROGRAM)),
    **dict.fromkeys((".yaml", ".yml"), Foreign("YAML", _PROGRAM)),
    **dict.fromkeys((".ini", ".cfg", ".cnf", ".conf"), Foreign("a file of settings", _PROGRAM)),
    **dict.fromkeys((".html", ".xml", ".svg"), Foreign("HTML or XML", _PROGRAM)),
    **dict.fromkeys((".mk", "makefile"), Foreign("a makefile", _PROGRAM)),
    **dict.fromkeys((".cmake", "cmakelists.txt"), Foreign("CMake", _PROGRAM)),
    **dict.fromkeys((".sh", ".bash", ".zsh", ".bat", ".ps1"), Foreign("a script of a shell", _PROGRAM)),
    **dict.fromkeys((".csv", ".tsv"), Foreign("a table of values", GIVE)),
    ".rs": Foreign("Rust", _PROGRAM),
    **dict.fromkeys((".v", ".vh", ".sv", ".svh"), Foreign("Verilog", _OF_CORES)),
    **dict.fromkeys((".vhd", ".vhdl"), Foreign("VHDL", _OF_CORES)),
    ".wgsl": _WGSL,
    **dict.fromkeys((".metal", ".msl"), _METAL),
    **dict.fromkeys((".cu", ".cl", ".ptx"), Foreign("a compute kernel", "write a vertex shader in GLSL or HLSL")),
    ".lua": Foreign("Lua", _PROGRAM),
    ".spvasm": Foreign("SPIR-V as text", "assemble it with `spirv-as FILE -o shader.spv`, and compile that"),
    **dict.fromkeys((".ll", ".bc"), Foreign("LLVM's language", "write the shader in GLSL or HLSL, or give its SPIR-V")),
    ".rst": Foreign("reStructuredText", _PROGRAM),
}

_HLSL_TYPES = re.compile(
    r"\b(?:float|half|int|bool)[1-4](?:x[1-4])?\b|\b(?:sampler(?:2D|CUBE|1D|3D)?|cbuffer|Texture2D|matrix|tbuffer)\b"
)
_HLSL_MEANING = re.compile(
    r":\s*(?:(?:POSITION|TEXCOORD|COLOR|NORMAL|TANGENT|BINORMAL|BLEND|DEPTH|VPOS|PSIZE)\d*\b|SV_|register\s*\()"
)
_HLSL_RETURN = re.compile(
    r"^[^\S\n]*(?:inline\s+|static\s+)*(?:float|half)[1-4](?:x[1-4])?\s+\w+\s*\([^;]*\)?\s*\{?\s*$", re.MULTILINE
)
_TECHNIQUE = re.compile(r"^[^\S\n]*technique\w*\b[^;]*\{[^}]*\bpass\b", re.MULTILINE | re.IGNORECASE)
_GLSL_LINE = re.compile(
    r"^[^\S\n]*(?:#\s*version\s+\d+|precision\s+\w+\s+\w+\s*;"
    r"|(?:layout\s*\([^)]*\)\s*)?(?:(?:flat|smooth|highp|mediump|lowp|centroid)\s+)*(?:attribute|varying|uniform|in|out)\s+"
    r"(?:(?:highp|mediump|lowp)\s+)?(?:[biu]?vec[234]|mat[234](?:x[234])?|float|int|u?sampler\w+)\s+\w+[^;]*;|"
    r"void\s+main\s*\(\s*(?:void)?\s*\))",
    re.MULTILINE,
)
_C_LINE = re.compile(
    r"^[^\S\n]*#\s*(?:include\s*[<\"]|pragma\s+once|ifndef\s+\w+_H)|^[^\S\n]*(?:int|void)\s+main\s*\(\s*(?:int|void|\))",
    re.MULTILINE,
)
_TEST_TABLE = re.compile(r"^[^\S\n]*\[\[\s*(?:case|test|tests)\b|^[^\S\n]*(?:shader|file|program)\s*=\s*[\"']", re.MULTILINE)
_INTEL_LINE = re.compile(r":(?:[0-9A-Fa-f]{2}){5,}\s*$", re.MULTILINE)
_INTEL = Foreign(
    "an Intel HEX file",
    "give its bytes, `objcopy -I ihex -O binary FILE program.bin`, or the words as lines of 16 hexadecimal digits (.mem), a "
    ".mif or a .coe",
)
_RECORDS = (
    (_INTEL_LINE, _INTEL),
    (
        re.compile(r"S[0-9](?:[0-9A-Fa-f]{2}){4,}\s*$", re.MULTILINE),
        Foreign("a file of S-records", "give its bytes: `objcopy -I srec -O binary FILE program.bin`"),
    ),
    (
        re.compile(r"[0-9a-f]{8}: (?:[0-9a-f]{2,8} ){1,16} ", re.MULTILINE),
        Foreign("a dump of bytes by xxd", "give the bytes: `xxd -r FILE program.bin`"),
    ),
    (
        re.compile(r"[0-9a-f]{7,8}  ?(?:[0-9a-f]{2,4} +){2,16}", re.MULTILINE),
        Foreign("a dump of bytes by hexdump or od", "give the file that was dumped"),
    ),
)
_OBJ_LINE = re.compile(r"^(?:v|vn|vt)(?: +-?[\d.]+){2,4}", re.MULTILINE)


# Texts that are saved in the place of a source, by the line that tells.
_SAVED = tuple(
    (re.compile(form, re.MULTILINE | re.IGNORECASE), kind)
    for form, kind in (
        (r"\A\s*<(?:!DOCTYPE|html|\?xml)", Foreign("a page of the web", "download the file itself: on GitHub by `Raw`")),
        (r"\Aversion https://git-lfs", Foreign("a pointer of Git LFS", "fetch the file itself: `git lfs pull`")),
        (r"\A(?:diff --git |Index: |--- \S+.*\n\+\+\+ )", Foreign("a patch", "apply it with `git apply`, and give the source")),
        (
            r"^<{7} ",
            Foreign(
                "a source with a conflict of a merge",
                "keep one of the parts, and remove the lines <<<<<<<, ======= and >>>>>>>",
            ),
        ),
        (r"^[ \t]*```", Foreign("Markdown", "keep only the lines of the source, which are between the lines of ```")),
        (r"\A\s*\{\s*\"", _JSON),
        (r"(?:^(?:v|vn|vt)(?: +-?[\d.]+){2,4}\s*\n){3}", _OBJ),
    )
)
# Files of lanewise that are no programs, by the first bytes, and by their first lines.
_OWN = (
    (b"LWVECTOR", Foreign("a file of test vectors", "judge answers with it: `lanewise vectors --report ANSWERS --cases FILE`")),
    (b"CiTr", Foreign("a recorded frame", "list its draws with `lanewise frame FILE`; a draw is FILE:0")),
)
_LOG = "{pc}: {dst} = {x} {y} {z} {w}"  # the pattern of a log whose own is not known
_LOG_LINE = re.compile(
    r"^[^\w\n]*(?:pc\W*)?(?:0x)?[0-9a-fA-F]+\b\W.*?\b[or]\d{1,2}\b.*[ =,(]-?[0-9a-fA-F][0-9a-fA-F.]*\W*$", re.MULTILINE
)
_SCRIPT = Foreign("a script of the debugger", "give it with a program: `lanewise debug PROGRAM --headless FILE`")
_SCRIPT_LINE = re.compile(
    r"(?:#[^\n]*\n|\s)*(?:until|continue|break|print|step|back|causes|stop|watch|next)\b[^:=]*$", re.MULTILINE
)
_PROGRAMS = (
    (b"DVLB", Foreign("an SHBIN, a compiled program", "`lanewise inspect FILE` shows it, `lanewise run FILE` runs it")),
    (b"DVLP", Foreign("a part of an SHBIN", "`lanewise inspect --scan` finds whole ones in the file that it is of")),
)
_SOURCE = Foreign("a source of a shader", "`lanewise asm FILE -o shader.shbin` assembles it, `lanewise run FILE` runs it")
_SOURCE_LINE = re.compile(r"^[^\S\n]*\.(?:fvec|proc|out|in|alias|entry|constf|nodvle|gsh|input|output)\b", re.MULTILINE)


def instead(path: str, data: bytes) -> Foreign | None:
    """The kind of a file that is given where another is expected: a program too; None where that is unknown."""
    found = next((kind for magic, kind in _PROGRAMS if data.startswith(magic)), None)
    if found is None and b"\0" not in data[:_HEAD] and _SOURCE_LINE.search(data[:_HEAD].decode("utf-8", "replace")):
        found = _SOURCE
    return _named(found, path) or foreign_kind(path, data)


def _named(found: Foreign | None, path: str) -> Foreign | None:
    """The kind with the name of the file in its fix."""
    return found and found._replace(fix=found.fix.replace("FILE", path or "FILE"))


def foreign_kind(path: str, data: bytes) -> Foreign | None:
    """The kind of a file that is not a program, with its name in the fix; None where that is unknown."""
    return _named(_kind(path, data), path)


def _kind(path: str, data: bytes) -> Foreign | None:
    """The same, whatever the file is called."""
    if data.startswith(b"PK\x03\x04") and b".npy" in data[:_ENTRY]:
        return Foreign("arrays by name", GIVE.replace("NAME=FILE", "NAME=FILE:NAME"))
    for magic, kind in (*_OWN, *_MAGIC):
        if data.startswith(magic) and (len(magic) > 2 or b"\0" in data[:64]):
            return kind
    if data.startswith(_CIA) and len(data) >= 0x20 and not any(data[4:8]):
        return Foreign("a CIA package", "decrypt and unpack it, then search its files with `lanewise inspect --scan FILE`")
    if (
        data[:1] in (b"\x10", b"\x11")
        and len(data) < int.from_bytes(data[1:4], "little") < 32 * len(data)
        and b"\0" in data[:64]
    ):
        kind = "LZ10" if data[0] == 0x10 else "LZ11"
        return Foreign(
            f"probably a file packed by {kind}, of {int.from_bytes(data[1:4], 'little'):,} bytes unpacked",
            "unpack it, then search what is in it with `lanewise inspect --scan`",
        )
    if data[0x100:0x104] in (b"NCSD", b"NCCH"):
        return Foreign("a 3DS ROM", "decrypt and unpack it, then search its files with `lanewise inspect --scan FILE`")
    if b"\0" in data[:_HEAD]:
        return Foreign("an STL model", _MESH) if path.lower().endswith(".stl") else None
    return _text_kind(path.lower(), data[:_HEAD].decode("utf-8", "replace").removeprefix("\ufeff"))


def foreign_name(path: str) -> Foreign | None:
    """The other language that the name of a file says."""
    name = path.replace("\\", "/").lower()
    name = name[name.rfind("/") + 1 :]
    return _NAMED.get(name[name.rfind(".") :] if "." in name else name) or _NAMED.get(name)


def foreign_source(text: str) -> Foreign | None:
    """The other shading language that a text is certainly in: GLSL, HLSL or C."""
    code = _without_comments(text[:_HEAD])
    kinds: tuple[tuple[Callable[[str], object], Foreign], ...] = (
        (_TECHNIQUE.search, _EFFECT),
        (_is_hlsl, _HLSL),
        (_GLSL_LINE.search, _GLSL),
        (_C_LINE.search, _C),
    )
    return next((kind for found, kind in kinds if found(code)), None)


def saved_as_source(text: str) -> tuple[Foreign, int] | None:
    """The kind that a text with errors certainly is in the place of a source, and the line that tells; None for others."""
    found = next(((kind, row) for form, kind in _SAVED for row in [form.search(text[:_HEAD])] if row is not None), None)
    return (found[0], text.count("\n", 0, found[1].start()) + 1) if found is not None else None


def is_glsl(text: str) -> bool:
    """Whether a text is certainly GLSL."""
    return foreign_source(text) is _GLSL


def is_hlsl(text: str) -> bool:
    """Whether a text is certainly HLSL, and not an effect with techniques. Slang may look the same."""
    return foreign_source(text) is _HLSL


def _is_hlsl(code: str) -> bool:
    return bool(_HLSL_TYPES.search(code) and (_HLSL_MEANING.search(code) or _HLSL_RETURN.search(code)))


def _text_kind(path: str, text: str) -> Foreign | None:
    if "enerated by lanewise" in text[:_GENERATED] and path.endswith((".h", ".hpp")):
        return _HEADER
    named = foreign_name(path)
    if named is not None:
        return named
    stripped = text.lstrip()
    if text.startswith("#!"):
        return Foreign("a script", _PROGRAM)
    if path.endswith(".json") or (stripped[:1] == "{" and '"' in stripped[:80] and ":" in stripped):
        if '"lanewise/vector/' in text[:200]:
            return _OWN[0][1]
        if '"program"' in text and '"words"' in text:
            return _DUMP
        if '"words"' in text or '"descriptors"' in text:
            return _BARE
        if '"nbformat"' in text:
            return Foreign(
                "a notebook", "copy the source out of its cell into a file, or assemble it there, `lanewise.assemble(text)`"
            )
        return _OF_RUN if '"lanewise/data/' in text else _JSON
    found = next((kind for line, kind in _RECORDS if line.match(stripped)), None) or foreign_source(text)
    if found is not None:
        return found
    if path.endswith((".fx", ".fxh", ".hlsl", ".hlsli", ".cg")):
        return _HLSL
    if path.endswith((".glsl", ".vert", ".frag", ".geom")):
        return _GLSL
    if _SCRIPT_LINE.match(stripped):
        return _SCRIPT
    lines = _LOG_LINE.findall(text)
    if len(lines) >= 2:
        from lanewise.core.logs.pattern import guess

        pattern = guess(lines[0].strip()) or _LOG
        fix = f"compare it with a trace: `lanewise run PROGRAM --trace 0 --against FILE --log-format '{pattern}'`"
        return Foreign("a log of a run", fix)
    if path.endswith(".toml") or _is_toml(text):
        if path.endswith(".shadertest.toml") or (_TEST_TABLE.search(text) and not _ENTITY_TABLE.search(text)):
            return _TEST
        return _ENTITY if _ENTITY_TABLE.search(text) else _DEVICE if _DEVICE_TABLE.search(text) else _TOML
    if path.endswith(".obj") or len(_OBJ_LINE.findall(text)) >= 3:
        return _OBJ
    return _STL if path.endswith(".stl") or (stripped.startswith("solid ") and "facet" in text) else None


def _is_toml(text: str) -> bool:
    import tomllib

    try:
        return bool(tomllib.loads(text))
    except (ValueError, RecursionError):
        return False


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?(?:\*/|\Z)|//[^\n]*", " ", text, flags=re.DOTALL)


__all__ = ["Foreign", "foreign_kind", "foreign_name", "foreign_source", "instead", "is_glsl", "is_hlsl", "saved_as_source"]
