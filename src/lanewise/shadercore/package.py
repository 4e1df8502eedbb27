"""What the rest of the house may know of ShaderCore."""

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
    from lanewise.shadercore.codes import ROWS

    return ROWS


def _variants() -> Sequence[Variant]:
    return ()


def _manual(command: str) -> Manual:
    return NOTHING_ADDED


def _assemble(request: Request) -> Answer:
    raise NotImplementedError


LANGUAGE = Language("shadercore", "ShaderCore", (".sc",), _text, _load, None, None, _mnemonics)
CONTAINER = Container("shadercore", "a ShaderCore file", (".scbin", ".scb"), _bytes, _load, _write)

SHADERCORE = IsaPackage(
    "shadercore",
    "ShaderCore",
    "ShaderCore, 16 lanes in waves of four quads",
    (LANGUAGE,),
    (CONTAINER,),
    _codes,
    _variants,
    _manual,
    _load,
    _assemble,
)
