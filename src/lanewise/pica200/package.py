"""What the rest of the house may know of the PICA200."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language, Reference, Variant
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.core.code import Code
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Disassembly, Manual, Request
    from lanewise.core.shadertests import ShaderTests

# Directives that picasso's language has and nihstro's has not, ours in it neither (reference/picasso.md, directives).
_PICASSO = frozenset((
    ".proc", ".fvec", ".ivec", ".bool", ".constf", ".consti", ".constfa", ".setf", ".seti", ".setb", ".in", ".out", ".nodvle", ".nonop", ".shbin",
))  # fmt: skip
_MAGIC = b"DVLB"
# Presets of `sem.profile`: name, what it is, how well its answers are known (`isa.facts` has each with its source).
_PRESETS = (
    ("hardware", "the best evidence for each question", "measured on a console, else inferred; unknown where nothing is known"),
    ("azahar", "what the emulator Azahar computes", "read in its source"),
    ("panda3ds", "what the emulator Panda3DS computes", "read in its source"),
)


def _is_picasso(text: str) -> int:
    """CERTAIN for a text with a procedure, POSSIBLE for one with another directive that only picasso's language has."""
    found = NO
    for line in text.split("\n") if "." in text else ():
        words = line.split(None, 1)
        if words and words[0] in _PICASSO:
            if words[0] == ".proc":
                return CERTAIN
            found = POSSIBLE
    return found


def _is_nihstro(text: str) -> int:
    """POSSIBLE for a text with a comment or an alias as nihstro writes them, and nothing of picasso's."""
    return POSSIBLE if ("//" in text or ".alias" in text) and _is_picasso(text) == NO and _has_label(text) else NO


def _has_label(text: str) -> bool:
    return any(line.rstrip().endswith(":") for line in text.split("\n"))


def _is_shbin(data: bytes) -> int:
    return CERTAIN if data.startswith(_MAGIC) else NO


def _load(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import load

    return load(request)


def _read_picasso(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import read_sources

    return read_sources(request, "picasso")


def _read_nihstro(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import read_sources

    return read_sources(request, "nihstro")


def _read_shbin(request: Request) -> Loaded:
    from lanewise.pica200.api.services.loaded import read_binary

    return read_binary(request)


def _write_picasso(loaded: Loaded, request: Request) -> Disassembly:
    from lanewise.pica200.api.services.loaded import written

    return written(loaded, request, "picasso")


def _write_nihstro(loaded: Loaded, request: Request) -> Disassembly:
    from lanewise.pica200.api.services.loaded import written

    return written(loaded, request, "nihstro")


def _write_shbin(loaded: Loaded) -> bytes:
    from lanewise.pica200.api.services.loaded import binary_of

    return binary_of(loaded)


def _format_picasso(name: str, text: str, read: Callable[[str], str] | None) -> str:
    from lanewise.pica200.api.formatting import format_source

    return format_source(name, text, "picasso", read)


def _format_nihstro(name: str, text: str, read: Callable[[str], str] | None) -> str:
    from lanewise.pica200.api.formatting import format_source

    return format_source(name, text, "nihstro", read)


def _picasso_mnemonics() -> Iterable[str]:
    from lanewise.pica200.isa.table import OPS

    return [op.name for op in OPS]


def _nihstro_mnemonics() -> Iterable[str]:
    from lanewise.pica200.text.nihstro.syntax import MNEMONICS

    return MNEMONICS


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


def _shader_tests() -> ShaderTests:
    from lanewise.pica200.api.services.shader_tests import SHADER_TESTS

    return SHADER_TESTS


PICASSO = Language(
    "picasso", "picasso", (".v.pica", ".g.pica", ".pica"), _is_picasso, _read_picasso, _write_picasso, _format_picasso, _picasso_mnemonics
)  # fmt: skip
NIHSTRO = Language(
    "nihstro", "nihstro", (".vsh", ".gsh"), _is_nihstro, _read_nihstro, _write_nihstro, _format_nihstro, _nihstro_mnemonics
)
SHBIN = Container("shbin", "an SHBIN", (".shbin",), _is_shbin, _read_shbin, _write_shbin)

PICA200 = IsaPackage(
    "pica200", "PICA200", "PICA200 shader unit (Nintendo 3DS)", (PICASSO, NIHSTRO), (SHBIN,), _codes, _variants, _manual, _load, _assemble, _reference, _scan, _wrap,
    _random_programs, _shader_tests,
)  # fmt: skip
