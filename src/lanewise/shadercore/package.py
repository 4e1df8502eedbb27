"""The ShaderCore package: languages, containers and services."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.package import Loaded
    from lanewise.core.service import Answer, Manual, Request
    from lanewise.core.text.formatting import Indent
    from lanewise.shadercore import codes
    from lanewise.shadercore.api import editor, testing, volume
    from lanewise.shadercore.api.services import asm, devices, fuzz_optimised, loaded, reference
    from lanewise.shadercore.container import header
    from lanewise.shadercore.isa import table
    from lanewise.shadercore.text import lexicon
    from lanewise.shadercore.vectors import random_jobs, suite
else:
    from lanewise.core.package import lazy

    (codes,) = lazy("lanewise.shadercore", "codes")
    editor, testing, volume = lazy("lanewise.shadercore.api", "editor testing volume")
    asm, devices, fuzz_optimised, loaded, reference = lazy(
        "lanewise.shadercore.api.services", "asm devices fuzz_optimised loaded reference"
    )
    (header,) = lazy("lanewise.shadercore.container", "header")
    (table,) = lazy("lanewise.shadercore.isa", "table")
    (lexicon,) = lazy("lanewise.shadercore.text", "lexicon")
    random_jobs, suite = lazy("lanewise.shadercore.vectors", "random_jobs suite")


_DECLARING = {".input": "v", ".output": "o"}  # directives that only this language has, with the register that follows
_DIRECTIVES = (*_DECLARING, ".const", ".word", ".hash", ".padding")
_COMMENTS = (";", "#", "//")
_MOST_STATEMENTS = 2048  # more than fit into the slots of a core, with declarations
_OPCODE, _END = 31, 31  # the bits of a word that are its opcode, and that of `isa.table.END`, the last of a program
_HEX = frozenset(b"0123456789abcdefABCDEF")
_TARGETS = (b"memory_initialization_vector", b"address_radix", b"content", b"std_logic_vector", b"endmodule")  # `header.MARKS`


def _is_source(text: str) -> int:
    """CERTAIN for a text that declares an input or output as only this language does, POSSIBLE for a whole program in it.

    The texts of other languages are refused before the reader is imported, which `lanewise asm` would wait for.
    """
    if begins_with_version(text):  # a Direct3D 9 shader
        return NO
    statements = 0
    for line in text.split("\n"):
        statement = line.strip()
        if not statement or statement.startswith(_COMMENTS):
            continue
        statements += 1
        if statement[0] == ".":
            words = statement.split(None, 2)
            if len(words) > 2 and words[1][1:].isdigit() and _DECLARING.get(words[0].lower()) == words[1][0].lower():
                return CERTAIN
            if words[0].lower() not in _DIRECTIVES:
                return NO
        elif not statement[0].isalpha() or ":" in statement.partition(";")[0] or statements > _MOST_STATEMENTS:
            return NO
    return POSSIBLE if statements and _reads(text) else NO


def _reads(text: str) -> bool:
    """Whether a text is a program without errors whose last instruction is END."""
    from lanewise.shadercore.isa.table import END
    from lanewise.shadercore.text.reader import read_source_text

    program = read_source_text(text, "").program
    return program is not None and program.insts[-1].op is END


def _is_file(data: bytes) -> int:
    """CERTAIN for a header that fits the size of the file, POSSIBLE for words without a header that look like a program."""
    if not _may_hold_words(data):
        return NO
    from lanewise.shadercore.container.header import BINARY, doubts, form_of

    if doubts(data):  # a ROM that was changed is read, to say what is wrong with it
        return POSSIBLE if _is_rom(data.lower()) else NO
    return CERTAIN if form_of(data) == BINARY else POSSIBLE


def _is_rom(lower: bytes) -> bool:
    """Whether a text in small letters has the rows of a ROM as VHDL and Verilog have them here."""
    return (b"std_logic_vector" in lower and b'=> x"' in lower) or (b"endmodule" in lower and b"rows[0] = " in lower)


def _may_hold_words(data: bytes) -> bool:
    """Whether a file is worth a closer look, for which more has to be imported: other sources and large files are not."""
    if not data or len(data) > 1 << 19:
        return False
    if b"\0" in data:
        return data.startswith(b"VS") or (len(data) % 8 == 0 and data[-8] & _OPCODE == _END)
    if b"{" in data and b"0x" in data.lower():
        return True
    for line in data.split(b"\n"):
        statement = line.strip()
        if statement and not statement.startswith((b";", b"#", b"//")):
            if statement[0] in _HEX or statement[0] == ord("@"):
                return True
            break
    lower = data.lower()
    return any(mark in lower for mark in _TARGETS)


def _format(name: str, text: str, _include: Callable[[str], str] | None, indent: Indent) -> str:
    from lanewise.shadercore.api.formatting import format_source

    return format_source(name, text, indent)


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.shadercore.options import ASM

        return ASM
    from lanewise.shadercore.api.services.manuals import manual

    return manual(command)


def _bench(loaded: Loaded | None, request: Request) -> Answer:
    from lanewise.shadercore.api.services.bench import bench
    from lanewise.shadercore.api.services.loaded import own

    return bench(request, None if loaded is None else own(loaded).program)


def _translate(loaded: Loaded, request: Request) -> Answer:
    from lanewise.shadercore.api.services.loaded import own
    from lanewise.shadercore.api.services.translate import translation

    return translation(own(loaded), request)


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.shadercore.api.services.loaded import own
    from lanewise.shadercore.api.services.optimise import optimised

    return optimised(own(loaded), request)


SOURCE = Language(
    name="shadercore",
    title="ShaderCore",
    suffixes=(".sc",),
    recognises=_is_source,
    read=loaded.read_source,
    write=loaded.source_of,
    format=_format,
    mnemonics=lambda: [op.name for op in table.OPS],
    editor=lambda: editor.EDITOR,
    lexicon=lexicon.lexicon,
)
FILE = Container(
    name="shadercore",
    title="a ShaderCore file",
    suffixes=(".scb", ".scbin"),
    recognises=_is_file,
    read=loaded.read_file,
    write=loaded.binary_of,
    doubts=header.doubts,
    text=True,
    text_suffixes=(".coe", ".mif", ".mem"),
)

SHADERCORE = IsaPackage(
    name="shadercore",
    title="ShaderCore",
    about="ShaderCore, 16 lanes in waves of four quads",
    languages=(SOURCE,),
    containers=(FILE,),
    codes=lambda: codes.ROWS,
    variants=devices.variants,
    manual=_manual,
    load=loaded.load,
    assemble=asm.assemble,
    reference=lambda: reference.REFERENCE,
    scan=None,
    wrap=loaded.wrap,
    shader_tests=lambda: testing.TESTS,
    optimise=_optimise,
    optimised_programs=lambda: fuzz_optimised.OPTIMISED_PROGRAMS,
    bench=_bench,
    translate=_translate,
    volume=lambda: volume.VOLUME,
    indexed=True,
    vectors=lambda: suite.VECTORS,
    random_jobs=lambda: random_jobs.RANDOM_JOBS,
    also=("sc", "core", "rtl"),
)
