"""What the rest of the house may know of the PICA200."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, Container, FrameServices, IsaPackage, Language, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.editor import Editor
    from lanewise.core.package import Loaded
    from lanewise.core.service import Answer, Disassembly, Manual, Request
    from lanewise.core.text.formatting import Indent
    from lanewise.pica200 import codes
    from lanewise.pica200.api import expecting
    from lanewise.pica200.api.services import against, asm, caches, evidence, frames, fuzz, fuzz_optimised, isa, loaded, scan
    from lanewise.pica200.text.dialect import Dialect
    from lanewise.pica200.vectors import suite
else:
    from lanewise.core.package import lazy

    (codes,) = lazy("lanewise.pica200", "codes")
    (expecting,) = lazy("lanewise.pica200.api", "expecting")
    against, asm, caches, evidence, frames, fuzz, fuzz_optimised, isa, loaded, scan = lazy(
        "lanewise.pica200.api.services", "against asm caches evidence frames fuzz fuzz_optimised isa loaded scan"
    )
    (suite,) = lazy("lanewise.pica200.vectors", "suite")


_MAGIC = b"DVLB"
_FRAMES = (b"CiTr", b"FRAM", b"GXCM", b"MEML", b"LIST")  # CiTrace, and records of a host
# Presets of `sem.profile`: name, what it is, how well its answers are known (`isa.facts` has each with its source).
_PRESETS = (
    ("hardware", "the best evidence for each question", "measured on a console, else inferred; unknown where nothing is known"),
    ("azahar", "what the emulator Azahar computes", "read in its source, azahar-emu/azahar a2d16d4 (2026-08-21)"),
    ("panda3ds", "what the emulator Panda3DS computes", "read in its source, wheremyfoodat/Panda3DS 4563584 (2026-08-06)"),
)


def _is_shbin(data: bytes) -> int:
    return CERTAIN if data.startswith(_MAGIC) else NO


def _variants() -> Sequence[Variant]:
    return [Variant("--profile", *row) for row in _PRESETS]


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.pica200.options import ASM

        return ASM
    from lanewise.pica200.api.services.manuals import manual

    return manual(command)


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.pica200.api.services.loaded import own
    from lanewise.pica200.api.services.optimise import optimised

    return optimised(own(loaded), request)


def _translate(loaded: Loaded, request: Request) -> Answer:
    from lanewise.pica200.api.services.loaded import own
    from lanewise.pica200.api.services.translate import translation

    return translation(own(loaded), request)


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
        pair=dialect.pair,
    )


def _is_cache(data: bytes) -> int:
    if data[16:20] != b"VKCH" and data[1:8] != bytes(7):  # what neither kind begins with
        return NO
    from lanewise.pica200.container.caches import kind_of

    return CERTAIN if kind_of(data) else NO


def _cache_doubts(data: bytes) -> str:
    from lanewise.pica200.container.caches import kind_of, read_cache

    if not kind_of(data):
        return "it begins neither with a version and an entry of 768 registers nor with VKCH"
    return "".join([finding.message for finding in read_cache(data, "")[1][:1]])


def _is_frame(data: bytes) -> int:
    return CERTAIN if data[:4] in _FRAMES and frames.recognises(data) else NO


CACHE = Container(
    name="cache",
    title="a shader cache of Azahar",
    suffixes=(".vkch",),
    recognises=_is_cache,
    read=caches.read,
    write=None,
    doubts=_cache_doubts,
    members=caches.members,
)
FRAME = Container(
    name="frame",
    title="a recorded frame",
    suffixes=(".ctf",),
    recognises=_is_frame,
    read=frames.read,
    write=None,
    doubts=frames.doubts,
    members=frames.members,
    member="draw",
)
SHBIN = Container(
    name="shbin",
    title="an SHBIN",
    suffixes=(".shbin",),
    recognises=_is_shbin,
    read=loaded.read_binary,
    write=loaded.binary_of,
    members=loaded.members,
)

PICA200 = IsaPackage(
    own_hints=True,
    name="pica200",
    title="PICA200",
    about="PICA200 shader unit (Nintendo 3DS)",
    languages=tuple(map(language_of, DIALECTS)),
    containers=(SHBIN, CACHE, FRAME),
    codes=lambda: codes.ROWS,
    variants=_variants,
    manual=_manual,
    load=loaded.load,
    assemble=asm.assemble,
    reference=lambda: isa.REFERENCE,
    scan=scan.scan,
    wrap=loaded.wrap,
    random_programs=lambda: fuzz.RANDOM_PROGRAMS,
    shader_tests=lambda: expecting.TESTS,
    optimise=_optimise,
    optimised_programs=lambda: fuzz_optimised.OPTIMISED_PROGRAMS,
    translate=_translate,
    experiments=lambda: evidence.EXPERIMENTS,
    vectors=lambda: suite.VECTORS,
    random_jobs=lambda: against.RANDOM_JOBS,
    frames=FrameServices(show=frames.show, convert=frames.convert, identities=frames.identities),
    also=("pica", "3ds", "n3ds", "citra", "azahar", "picasso"),
)
