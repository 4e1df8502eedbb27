"""Which arguments of `lanewise run` are files, and which instruction set they are for: each set has options of its own."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from lanewise.direct3d9.api.reading import for_direct3d9
from lanewise.pica200.text.dialects import SOURCE_SUFFIXES
from lanewise.shadercore.api.reading import for_shadercore, named_shadercore
from lanewise.tools.console import STDIO, InputFailure, read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

PICA200, SHADERCORE, DIRECT3D9 = "pica200", "shadercore", "direct3d9"
FLAGS = frozenset(("-h", "--help", "--all", "--bits", "--rasterized"))  # options without a value, of all three
_DIRECT3D9_SUFFIXES = (".vso", ".pso", ".vsa", ".psa")


def files_of(argv: Sequence[str]) -> list[str]:
    """The arguments that are neither options nor values of options, whatever the instruction set."""
    found: list[str] = []
    value = False
    for argument in argv:
        if value:
            value = False
        elif argument[:1] != "-" or argument == STDIO:
            found.append(argument)
        elif argument not in FLAGS:
            value = "=" not in argument if argument.startswith("--") else len(argument) == 2
    return found


def isa_of(argv: Sequence[str]) -> tuple[str, bytes | None]:
    """The instruction set that a command line is for: by `--isa` or an option that only one has, else by a file's name or what is in it.

    And what is in the file, where there is one and it was read to know: a pipe gives it once.
    """
    options = [argument.partition("=")[0] for argument in argv if argument.startswith("--")]
    for before, argument in zip(("", *argv), argv, strict=False):
        name = argument.removeprefix("--isa=") if argument.startswith("--isa=") else argument if before == "--isa" else ""
        if name in (PICA200, SHADERCORE, DIRECT3D9):
            return name, None
    if "--from" in options:
        return SHADERCORE, None
    if "--rule" in options:
        return DIRECT3D9, None
    if "--dialect" in options:
        return PICA200, None
    files = files_of(argv)
    if len(files) == 1 and not {"-h", "--help"} & set(argv):
        with suppress(InputFailure):  # whoever reads it next says why
            data = read_bytes(files[0])
            return _isa(files[0], data), data
    return next((isa for isa in (_isa(name, b"") for name in files) if isa != PICA200), PICA200), None


def _isa(path: str, data: bytes) -> str:
    if data.startswith(b"DVLB"):
        return PICA200
    if for_direct3d9(data):
        return DIRECT3D9
    if named_shadercore(path):
        return SHADERCORE
    if path.lower().endswith(_DIRECT3D9_SUFFIXES):
        return DIRECT3D9
    if path.lower().endswith(SOURCE_SUFFIXES):
        return PICA200
    return SHADERCORE if for_shadercore(data, path) else PICA200
