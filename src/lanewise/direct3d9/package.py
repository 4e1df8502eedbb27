"""What the rest of the house may know of Direct3D 9."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, Container, IsaPackage, Language, Reference, Variant
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import begins_with_version
from lanewise.direct3d9.container.recognising import recognises

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.code import Code
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Manual, Request


def _is_source(text: str) -> int:
    """CERTAIN for a text whose first statement is a version."""
    return CERTAIN if begins_with_version(text) else NO


def _load(request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.loaded import load

    return load(request)


def _read_source(request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.loaded import read_source

    return read_source(request)


def _write(loaded: Loaded) -> bytes:
    from lanewise.direct3d9.api.services.loaded import write

    return write(loaded)


def _mnemonics() -> Iterable[str]:
    from lanewise.direct3d9.text.names import MNEMONICS

    return MNEMONICS


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


def _wrap(program: Program, request: Request) -> Loaded:
    from lanewise.direct3d9.api.services.loaded import wrap

    return wrap(program, request)


def _random_programs() -> RandomPrograms:
    from lanewise.direct3d9.api.services.fuzz import RANDOM_PROGRAMS

    return RANDOM_PROGRAMS


LANGUAGE = Language("direct3d9", "Direct3D 9", (".vsa", ".psa"), _is_source, _read_source, None, None, _mnemonics)
CONTAINER = Container("direct3d9", "a Direct3D 9 shader", (".vso", ".pso"), recognises, _load, _write)

DIRECT3D9 = IsaPackage(
    "direct3d9", "Direct3D 9", "Direct3D 9 vertex and pixel shaders", (LANGUAGE,), (CONTAINER,), _codes, _variants, _manual, _load, _assemble,
    _reference, _scan, _wrap, _random_programs,
)  # fmt: skip
