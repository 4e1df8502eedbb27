"""The Direct3D 9 package: languages, containers and services."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.package import Loaded
    from lanewise.core.service import Answer, Manual, Request
    from lanewise.core.text.formatting import Indent
    from lanewise.direct3d9 import codes
    from lanewise.direct3d9.api import editor, testing, volume
    from lanewise.direct3d9.api.services import asm, effect, evidence, fuzz, fuzz_optimised, loaded, reference, scan, translate
    from lanewise.direct3d9.text import lexicon, names
    from lanewise.direct3d9.vectors import random_jobs, suite
else:
    from lanewise.core.package import lazy

    (codes,) = lazy("lanewise.direct3d9", "codes")
    editor, testing, volume = lazy("lanewise.direct3d9.api", "editor testing volume")
    asm, effect, evidence, fuzz, fuzz_optimised, loaded, reference, scan, translate = lazy(
        "lanewise.direct3d9.api.services", "asm effect evidence fuzz fuzz_optimised loaded reference scan translate"
    )
    lexicon, names = lazy("lanewise.direct3d9.text", "lexicon names")
    random_jobs, suite = lazy("lanewise.direct3d9.vectors", "random_jobs suite")


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
        return effect.load(request)
    return loaded.load(request)


def _format(name: str, text: str, read: Callable[[str], str] | None, indent: Indent) -> str:
    """Included files do not matter: only blanks change."""
    from lanewise.direct3d9.text.formatting import format_text

    return format_text(text, indent)


def _manual(command: str) -> Manual:
    if command == "asm":
        from lanewise.direct3d9.options import ASM

        return ASM
    from lanewise.direct3d9.api.services.manuals import manual

    return manual(command)


def _optimise(loaded: Loaded, request: Request) -> Answer:
    from lanewise.direct3d9.api.services.effect import LoadedEffect
    from lanewise.direct3d9.api.services.loaded import own
    from lanewise.direct3d9.api.services.optimise import optimised

    return optimised(loaded.only if isinstance(loaded, LoadedEffect) else own(loaded), request)


LANGUAGE = Language(
    name="direct3d9",
    title="Direct3D 9",
    suffixes=(".vsa", ".psa"),
    recognises=_is_source,
    read=loaded.read_source,
    write=None,
    format=_format,
    mnemonics=lambda: names.MNEMONICS,
    editor=lambda: editor.EDITOR,
    lexicon=lexicon.lexicon,
)
CONTAINER = Container(
    name="direct3d9",
    title="a Direct3D 9 shader",
    suffixes=(".vso", ".pso"),
    recognises=_is_shader,
    read=loaded.load,
    write=loaded.write,
    text=True,
)
EFFECT = Container(
    name="effect",
    title="an effect (fx_2_0, MGFX, XNB) or a DXBC file",
    suffixes=(".fxb", ".fxo", ".mgfxo", ".mgfx"),
    recognises=_is_effect,
    read=effect.load,
    write=None,
    doubts=_effect_doubts,
    members=effect.members,
)

DIRECT3D9 = IsaPackage(
    name="direct3d9",
    title="Direct3D 9",
    about="Direct3D 9 vertex and pixel shaders",
    languages=(LANGUAGE,),
    containers=(CONTAINER, EFFECT),
    codes=lambda: codes.ROWS,
    variants=lambda: [Variant("--rule", *row) for row in evidence.RULES],
    manual=_manual,
    load=_load,
    assemble=asm.assemble,
    reference=lambda: reference.REFERENCE,
    scan=scan.scan,
    wrap=effect.wrap,
    random_programs=lambda: fuzz.RANDOM_PROGRAMS,
    shader_tests=lambda: testing.TESTS,
    optimise=_optimise,
    optimised_programs=lambda: fuzz_optimised.OPTIMISED_PROGRAMS,
    volume=lambda: volume.VOLUME,
    translate=translate.translation,
    vectors=lambda: suite.VECTORS,
    random_jobs=lambda: random_jobs.RANDOM_JOBS,
    also=("d3d9", "dx9", "directx", "directx9", "d3d", "hlsl", "d3d8"),
)
