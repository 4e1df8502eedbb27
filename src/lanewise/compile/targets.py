"""The instruction sets that programs are compiled for: a row for each back end.

Ask through `targets()`: tests replace the tuple.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import NOTHING_ADDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.package import Loaded
    from lanewise.core.service import Answer, Manual, Request


class Target(Record):
    """An instruction set that programs are compiled for."""

    name: str
    "The name of the instruction set."
    title: str
    "The name in texts."
    binary: str
    "The suffix of its programs."
    sources: tuple[str, ...]
    "Names of the front ends that are compiled for it."
    manual: Callable[[str], Manual]
    "The additions to a command, by its name."
    compile: Callable[[Loaded, Request], Answer]
    "The function that gives the files of a program that a front end has recognised."


def _shadercore_options(command: str) -> Manual:
    if command != "compile":
        return NOTHING_ADDED
    from lanewise.compile.services.manuals import SHADERCORE as OPTIONS

    return OPTIONS


def _shadercore(loaded: Loaded, request: Request) -> Answer:
    from lanewise.compile.services.loaded import CompiledFile

    if isinstance(loaded, CompiledFile):
        from lanewise.compile.services.shadercore_sources import compile_source

        return compile_source(loaded, request)
    from lanewise.compile.services.shadercore import compile_file

    return compile_file(loaded, request)


def _pica200_options(command: str) -> Manual:
    if command != "compile":
        return NOTHING_ADDED
    from lanewise.compile.services.manuals import PICA200 as OPTIONS

    return OPTIONS


def _pica200(loaded: Loaded, request: Request) -> Answer:
    from lanewise.compile.services.pica200 import compile_file

    return compile_file(loaded, request)


SHADERCORE = Target(
    name="shadercore",
    title="ShaderCore",
    binary=".scb",
    sources=("direct3d9", "spirv", "glsl", "hlsl", "slang", "ssa"),
    manual=_shadercore_options,
    compile=_shadercore,
)
PICA200 = Target(
    name="pica200",
    title="PICA200",
    binary=".shbin",
    sources=("direct3d9", "spirv", "glsl", "hlsl", "slang", "ssa"),
    manual=_pica200_options,
    compile=_pica200,
)
TARGETS = (SHADERCORE, PICA200)


def targets() -> tuple[Target, ...]:
    """All targets."""
    return TARGETS


def targets_of(source: str, isa: str = "") -> tuple[Target, ...]:
    """The targets of a front end by its name: that of the instruction set as whose programs commands take its files is the
    first."""
    return tuple(sorted([target for target in targets() if source in target.sources], key=lambda target: target.name != isa))
