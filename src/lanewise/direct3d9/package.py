"""What the rest of the house may know of Direct3D 9."""

from __future__ import annotations

from lanewise.core.package import NO, Container, IsaPackage, Language
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import NOTHING_ADDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.code import Code
    from lanewise.core.package import Loaded, Variant
    from lanewise.core.service import Answer, Manual, Request


def _text(text: str) -> int:
    return NO


def _bytes(data: bytes) -> int:
    return NO


def _load(request: Request) -> Loaded:
    raise NotImplementedError


def _write(loaded: Loaded) -> bytes:
    raise NotImplementedError


def _mnemonics() -> Iterable[str]:
    return ()


def _codes() -> Sequence[Code]:
    from lanewise.direct3d9.codes import ROWS

    return ROWS


def _variants() -> Sequence[Variant]:
    return ()


def _manual(command: str) -> Manual:
    return NOTHING_ADDED


def _assemble(request: Request) -> Answer:
    raise NotImplementedError


LANGUAGE = Language("direct3d9", "Direct3D 9", (".vsa", ".psa"), _text, _load, None, None, _mnemonics)
CONTAINER = Container("direct3d9", "a Direct3D 9 shader", (".vso", ".pso"), _bytes, _load, _write)

DIRECT3D9 = IsaPackage(
    "direct3d9",
    "Direct3D 9",
    "Direct3D 9 vertex and pixel shaders",
    (LANGUAGE,),
    (CONTAINER,),
    _codes,
    _variants,
    _manual,
    _load,
    _assemble,
)
