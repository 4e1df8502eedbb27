"""What the rest of the house may know of the PICA200."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, Container, IsaPackage, Language, Reference, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.code import Code
    from lanewise.core.editor import Editor
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.package import Experiments, Loaded, Program
    from lanewise.core.service import Answer, Disassembly, Manual, Request
    from lanewise.core.shadertests import ShaderTests
    from lanewise.core.text.formatting import Indent
    from lanewise.core.vectors.model import RandomJobs, Vectors
    from lanewise.pica200.text.dialect import Dialect

_MAGIC = b"DVLB"
# Presets of `sem.profile`: name, what it is, how well its answers are known (`isa.facts` has each with its source).
_PRESETS = (
    ("hardware", "the best evidence for each question", "measured on a console, else inferred; unknown where nothing is known"),
    ("azahar", "what the emulator Azahar computes", "read in its source, azahar-emu/azahar a2d16d4 (2026-08-21)"),
    ("panda3ds", "what the emulator Panda3DS computes", "read in its source, wheremyfoodat/Panda3DS 4563584 (2026-08-06)"),
)


def _is_shbin(data: bytes) -> int:
    return CERTAIN if data.startswith(_MAGIC) else NO


def _load(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import load

    return load(request)


def _read_shbin(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import read_binary

    return read_binary(request)


def _write_shbin(loaded: Loaded) -> bytes:
    from lanewise.pica200.api.services.loaded import binary_of

    return binary_of(loaded)


def _members(request: Request) -> Mapping[str, str]:
    from lanewise.pica200.api.services.loaded import members

    return members(request)


def _codes() -> Sequence[Code]:
    from lanewise.pica200.codes import ROWS

    return ROWS


def _variants() -> Sequence[Variant]:
    return [Variant("--profile", *row) for row in _PRESETS]


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.pica200.options import ASM

        return ASM
    from lanewise.pica200.api.services.manuals import manual

    return manual(command)


def _assemble(request: Request) -> Answer:
    from lanewise.pica200.api.services.asm import assemble

    return assemble(request)


def _reference() -> Reference:
    from lanewise.pica200.api.services.isa import REFERENCE

    return REFERENCE


def _scan(request: Request) -> Answer:
    from lanewise.pica200.api.services.scan import scan

    return scan(request)


def _wrap(program: Program, request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import wrap

    return wrap(program, request)


def _random_programs() -> RandomPrograms:
    from lanewise.pica200.api.services.fuzz import RANDOM_PROGRAMS

    return RANDOM_PROGRAMS


def _optimised_programs() -> RandomPrograms:
    from lanewise.pica200.api.services.fuzz_optimised import OPTIMISED_PROGRAMS

    return OPTIMISED_PROGRAMS


def _shader_tests() -> ShaderTests:
    from lanewise.pica200.api.expecting import TESTS

    return TESTS


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.pica200.api.services.loaded import own
    from lanewise.pica200.api.services.optimise import optimised

    return optimised(own(loaded), request)


def _translate(loaded: Loaded, request: Request) -> Answer:
    from lanewise.pica200.api.services.loaded import own
    from lanewise.pica200.api.services.translate import translation

    return translation(own(loaded), request)


def _experiments() -> Experiments:
    from lanewise.pica200.api.services.evidence import EXPERIMENTS

    return EXPERIMENTS


def _random_jobs() -> RandomJobs:
    from lanewise.pica200.api.services.against import RANDOM_JOBS

    return RANDOM_JOBS


def _vectors() -> Vectors:
    from lanewise.pica200.vectors.suite import VECTORS

    return VECTORS


def language_of(dialect: Dialect) -> Language:
    """What commands know of a language."""
    name = dialect.name

    def read(request: Request) -> Loaded:
        from lanewise.pica200.api.services.loaded import read_sources

        return read_sources(request, name)

    def write(loaded: Loaded, request: Request) -> Disassembly:
        from lanewise.pica200.api.services.loaded import written

        return written(loaded, request, name)

    def arranged(file: str, text: str, include: Callable[[str], str] | None, indent: Indent) -> str:
        from lanewise.pica200.api.formatting import format_source

        return format_source(file, text, name, include, indent)

    def editor() -> Editor:
        from lanewise.pica200.api.editor.language import editor_of

        return editor_of(name)

    return Language(
        name=name,
        title=dialect.title,
        suffixes=dialect.suffixes,
        recognises=dialect.recognises,
        read=read,
        write=write if dialect.drafts is not None else None,
        format=arranged if dialect.read_line is not None else None,
        mnemonics=dialect.mnemonics,
        editor=editor if dialect.names is not None and dialect.vocabulary is not None else None,
        lexicon=dialect.lexicon,
    )


def _is_cache(data: bytes) -> int:
    if data[16:20] != b"VKCH" and data[1:8] != bytes(7):  # what neither kind begins with
        return NO
    from lanewise.pica200.container.caches import kind_of

    return CERTAIN if kind_of(data) else NO


def _read_cache(request: Request) -> Loaded:
    from lanewise.pica200.api.services.caches import read

    return read(request)


def _cache_doubts(data: bytes) -> str:
    from lanewise.pica200.container.caches import kind_of, read_cache

    if not kind_of(data):
        return "it begins neither with a version and an entry of 768 registers nor with VKCH"
    return "".join([finding.message for finding in read_cache(data, "")[1][:1]])


def _cached(request: Request) -> Mapping[str, str]:
    from lanewise.pica200.api.services.caches import members

    return members(request)


CACHE = Container(
    name="cache",
    title="a shader cache of Azahar",
    suffixes=(".vkch",),
    recognises=_is_cache,
    read=_read_cache,
    write=None,
    doubts=_cache_doubts,
    members=_cached,
)
SHBIN = Container(
    name="shbin",
    title="an SHBIN",
    suffixes=(".shbin",),
    recognises=_is_shbin,
    read=_read_shbin,
    write=_write_shbin,
    members=_members,
)

PICA200 = IsaPackage(
    name="pica200",
    title="PICA200",
    about="PICA200 shader unit (Nintendo 3DS)",
    languages=tuple(map(language_of, DIALECTS)),
    containers=(SHBIN, CACHE),
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
    translate=_translate,
    experiments=_experiments,
    vectors=_vectors,
    random_jobs=_random_jobs,
)
