"""The ShaderCore package: languages, containers and services."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language, Reference, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.core.code import Code
    from lanewise.core.editor import Editor
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Disassembly, Manual, Request
    from lanewise.core.shadertests import ShaderTests
    from lanewise.core.text.formatting import Indent
    from lanewise.core.vectors.model import RandomJobs, Vectors

_DECLARING = {".input": "v", ".output": "o"}  # directives that only this language has, with the register that follows
_DIRECTIVES = (*_DECLARING, ".const", ".word", ".hash", ".padding")
_COMMENTS = (";", "#", "//")
_MOST_STATEMENTS = 2048  # more than fit into the slots of a core, with declarations
_HEX = frozenset(b"0123456789abcdefABCDEF")


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

    if doubts(data):
        return NO
    return CERTAIN if form_of(data) == BINARY else POSSIBLE


def _may_hold_words(data: bytes) -> bool:
    """Whether a file is worth a closer look, for which more has to be imported: other sources and large files are not."""
    if not data or len(data) > 1 << 16:
        return False
    if b"\0" in data:
        return data.startswith(b"VS") or len(data) % 8 == 0
    if b"{" in data and b"0x" in data.lower():
        return True
    for line in data.split(b"\n"):
        statement = line.strip()
        if statement and not statement.startswith((b";", b"#", b"//")):
            return statement[0] in _HEX or statement[0] == ord("@")
    return False


def _load(request: Request) -> Loaded:
    from lanewise.shadercore.api.services.loaded import load

    return load(request)


def _read_source(request: Request) -> Loaded:
    from lanewise.shadercore.api.services.loaded import read_source

    return read_source(request)


def _read_file(request: Request) -> Loaded:
    from lanewise.shadercore.api.services.loaded import read_file

    return read_file(request)


def _write_source(loaded: Loaded, request: Request) -> Disassembly:
    from lanewise.shadercore.api.services.loaded import source_of

    return source_of(loaded, request)


def _write_file(loaded: Loaded) -> bytes:
    from lanewise.shadercore.api.services.loaded import binary_of

    return binary_of(loaded)


def _format(name: str, text: str, _include: Callable[[str], str] | None, indent: Indent) -> str:
    from lanewise.shadercore.api.formatting import format_source

    return format_source(name, text, indent)


def _mnemonics() -> Iterable[str]:
    from lanewise.shadercore.isa.table import OPS

    return [op.name for op in OPS]


def _lexicon() -> Lexicon:
    from lanewise.shadercore.text.lexicon import lexicon

    return lexicon()


def _codes() -> Sequence[Code]:
    from lanewise.shadercore.codes import ROWS

    return ROWS


def _variants() -> Sequence[Variant]:
    from lanewise.shadercore.api.services.devices import variants

    return variants()


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.shadercore.options import ASM

        return ASM
    from lanewise.shadercore.api.services.manuals import manual

    return manual(command)


def _assemble(request: Request) -> Answer:
    from lanewise.shadercore.api.services.asm import assemble

    return assemble(request)


def _reference() -> Reference:
    from lanewise.shadercore.api.services.reference import REFERENCE

    return REFERENCE


def _doubts(data: bytes) -> str:
    from lanewise.shadercore.container.header import doubts

    return doubts(data)


def _volume() -> object:
    from lanewise.shadercore.api.volume import VOLUME

    return VOLUME


def _wrap(program: Program, request: Request) -> Loaded:
    from lanewise.shadercore.api.services.loaded import wrap

    return wrap(program, request)


def _bench(loaded: Loaded, request: Request) -> Answer:
    from lanewise.shadercore.api.services.bench import bench
    from lanewise.shadercore.api.services.loaded import own

    return bench(request, own(loaded).program)


def _translate(loaded: Loaded, request: Request) -> Answer:
    from lanewise.shadercore.api.services.loaded import own
    from lanewise.shadercore.api.services.translate import translation

    return translation(own(loaded), request)


def _random_jobs() -> RandomJobs:
    from lanewise.shadercore.vectors.random_jobs import RANDOM_JOBS

    return RANDOM_JOBS


def _vectors() -> Vectors:
    from lanewise.shadercore.vectors.suite import VECTORS

    return VECTORS


def _optimised_programs() -> RandomPrograms:
    from lanewise.shadercore.api.services.fuzz_optimised import OPTIMISED_PROGRAMS

    return OPTIMISED_PROGRAMS


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.shadercore.api.services.loaded import own
    from lanewise.shadercore.api.services.optimise import optimised

    return optimised(own(loaded), request)


def _shader_tests() -> ShaderTests:
    from lanewise.shadercore.api.testing import TESTS

    return TESTS


def _editor() -> Editor:
    from lanewise.shadercore.api.editor import EDITOR

    return EDITOR


SOURCE = Language(
    name="shadercore",
    title="ShaderCore",
    suffixes=(".sc",),
    recognises=_is_source,
    read=_read_source,
    write=_write_source,
    format=_format,
    mnemonics=_mnemonics,
    editor=_editor,
    lexicon=_lexicon,
)
FILE = Container(
    name="shadercore",
    title="a ShaderCore file",
    suffixes=(".scb", ".scbin"),
    recognises=_is_file,
    read=_read_file,
    write=_write_file,
    doubts=_doubts,
)

SHADERCORE = IsaPackage(
    name="shadercore",
    title="ShaderCore",
    about="ShaderCore, 16 lanes in waves of four quads",
    languages=(SOURCE,),
    containers=(FILE,),
    codes=_codes,
    variants=_variants,
    manual=_manual,
    load=_load,
    assemble=_assemble,
    reference=_reference,
    scan=None,
    wrap=_wrap,
    shader_tests=_shader_tests,
    optimise=_optimise,
    optimised_programs=_optimised_programs,
    bench=_bench,
    translate=_translate,
    volume=_volume,
    indexed=True,
    vectors=_vectors,
    random_jobs=_random_jobs,
)
