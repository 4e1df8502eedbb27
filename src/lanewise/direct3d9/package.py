"""The Direct3D 9 package: languages, containers and services."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language, Reference, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.code import Code
    from lanewise.core.editor import Editor
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Manual, Request
    from lanewise.core.shadertests import ShaderTests
    from lanewise.core.text.formatting import Indent
    from lanewise.core.vectors.model import RandomJobs, Vectors


_DXBC = b"DXBC"  # the container of Direct3D 10 and later
_EFFECTS = (b"\x01\x09\xff\xfe", b"\xcf\x0b\xf0\xbc", b"MGFX")  # those of `container.stream`
_XNB = b"XNB"
_MARKS = (b"\xfe\xff", b"\xff\xff")  # the upper halves of version tokens
_HEAD = 1 << 16  # bytes of a text in which its first word is looked for


def _is_source(text: str) -> int:
    """CERTAIN for a text whose first statement is a version."""
    return CERTAIN if begins_with_version(text) else NO


def _is_shader(data: bytes) -> int:
    """CERTAIN where the first word, in binary, hexadecimal or a C array, is a version token.

    A binary whose second word is not an instruction, a comment or an end token is POSSIBLE, and so is HLSL, which has a finding
    too.
    """
    if data[2:4] not in _MARKS and not _may_be_text(data):
        return NO
    from lanewise.direct3d9.container.forms import BINARY, form_of, is_direct3d9_file
    from lanewise.direct3d9.isa.table import BY_OPCODE, COMMENT, END

    if not is_direct3d9_file(data):
        from lanewise.direct3d9.container.stream import is_hlsl

        return POSSIBLE if is_hlsl(data) else NO
    if form_of(data) != BINARY or len(data) < 8:
        return CERTAIN
    token = int.from_bytes(data[4:8], "little")
    known = token == END or (not token >> 31 and (token & 0xFFFF == COMMENT or token & 0xFFFF in BY_OPCODE))
    return CERTAIN if known else POSSIBLE


def _is_effect(data: bytes) -> int:
    """CERTAIN for effects, XNB and DXBC: those without an effect or a Direct3D 9 shader have findings."""
    if data.startswith((_DXBC, *_EFFECTS)):
        return CERTAIN
    return CERTAIN if data.startswith(_XNB) and data[3:4].isalpha() and len(data) > 4 and data[4] < 10 else NO


def _read_effect(request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.effect import load

    return load(request)


def _members(request: Request) -> Mapping[str, str]:
    from lanewise.direct3d9.api.services.effect import members

    return members(request)


def _effect_doubts(data: bytes) -> str:
    return "it begins as none of them does" if _is_effect(data) == NO else ""


def _may_be_text(data: bytes) -> bool:
    """Whether a text may hold words: an array in braces, or a version token in hexadecimal."""
    if b"\0" in data[:_HEAD]:
        return False
    head = data[:_HEAD].lower()
    return b"{" in head or b"fffe" in head or b"ffff" in head


def _load(request: Request) -> Loaded:
    if len(request.sources) == 1 and not request.has("from") and _is_effect(request.sources[0].data):
        return _read_effect(request)
    return _read_shader(request)


def _read_shader(request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.loaded import load

    return load(request)


def _read_source(request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.loaded import read_source

    return read_source(request)


def _write(loaded: Loaded) -> bytes:
    from lanewise.direct3d9.api.services.loaded import write

    return write(loaded)


def _format(name: str, text: str, read: Callable[[str], str] | None, indent: Indent) -> str:
    """Included files do not matter: only blanks change."""
    from lanewise.direct3d9.text.formatting import format_text

    return format_text(text, indent)


def _mnemonics() -> Iterable[str]:
    from lanewise.direct3d9.text.names import MNEMONICS

    return MNEMONICS


def _lexicon() -> Lexicon:
    from lanewise.direct3d9.text.lexicon import lexicon

    return lexicon()


def _codes() -> Sequence[Code]:
    from lanewise.direct3d9.codes import ROWS

    return ROWS


def _variants() -> Sequence[Variant]:
    from lanewise.direct3d9.api.services.evidence import RULES

    return [Variant("--rule", name, arithmetic, evidence) for name, arithmetic, evidence in RULES]


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.direct3d9.options import ASM

        return ASM
    from lanewise.direct3d9.api.services.manuals import manual

    return manual(command)


def _assemble(request: Request) -> Answer:
    from lanewise.direct3d9.api.services.asm import assemble

    return assemble(request)


def _reference() -> Reference:
    from lanewise.direct3d9.api.services.reference import REFERENCE

    return REFERENCE


def _scan(request: Request) -> Answer:
    from lanewise.direct3d9.api.services.scan import scan

    return scan(request)


def _volume() -> object:
    from lanewise.direct3d9.api.volume import VOLUME

    return VOLUME


def _wrap(program: Program, request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.effect import wrap

    return wrap(program, request)


def _translate(loaded: Loaded, request: Request) -> Answer:
    from lanewise.direct3d9.api.services.translate import translation

    return translation(loaded, request)


def _random_jobs() -> RandomJobs:
    from lanewise.direct3d9.vectors.random_jobs import RANDOM_JOBS

    return RANDOM_JOBS


def _vectors() -> Vectors:
    from lanewise.direct3d9.vectors.suite import VECTORS

    return VECTORS


def _random_programs() -> RandomPrograms:
    from lanewise.direct3d9.api.services.fuzz import RANDOM_PROGRAMS

    return RANDOM_PROGRAMS


def _optimised_programs() -> RandomPrograms:
    from lanewise.direct3d9.api.services.fuzz_optimised import OPTIMISED_PROGRAMS

    return OPTIMISED_PROGRAMS


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.direct3d9.api.services.effect import LoadedEffect
    from lanewise.direct3d9.api.services.loaded import own
    from lanewise.direct3d9.api.services.optimise import optimised

    return optimised(loaded.only if isinstance(loaded, LoadedEffect) else own(loaded), request)


def _shader_tests() -> ShaderTests:
    from lanewise.direct3d9.api.testing import TESTS

    return TESTS


def _editor() -> Editor:
    from lanewise.direct3d9.api.editor import EDITOR

    return EDITOR


LANGUAGE = Language(
    name="direct3d9",
    title="Direct3D 9",
    suffixes=(".vsa", ".psa"),
    recognises=_is_source,
    read=_read_source,
    write=None,
    format=_format,
    mnemonics=_mnemonics,
    editor=_editor,
    lexicon=_lexicon,
)
CONTAINER = Container(
    name="direct3d9",
    title="a Direct3D 9 shader",
    suffixes=(".vso", ".pso"),
    recognises=_is_shader,
    read=_read_shader,
    write=_write,
)
EFFECT = Container(
    name="effect",
    title="an effect (fx_2_0, MGFX, XNB) or a DXBC file",
    suffixes=(".fxb", ".fxo", ".mgfxo", ".mgfx"),
    recognises=_is_effect,
    read=_read_effect,
    write=None,
    doubts=_effect_doubts,
    members=_members,
)

DIRECT3D9 = IsaPackage(
    name="direct3d9",
    title="Direct3D 9",
    about="Direct3D 9 vertex and pixel shaders",
    languages=(LANGUAGE,),
    containers=(CONTAINER, EFFECT),
    codes=_codes,
    variants=_variants,
    manual=_manual,
    load=_load,
    assemble=_assemble,
    reference=_reference,
    scan=_scan,
    wrap=_wrap,
    random_programs=_random_programs,
    shader_tests=_shader_tests,
    optimise=_optimise,
    optimised_programs=_optimised_programs,
    volume=_volume,
    translate=_translate,
    vectors=_vectors,
    random_jobs=_random_jobs,
)
