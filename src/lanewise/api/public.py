"""Public objects of programs.

The object of the package, with `compile` for Direct3D 9."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.package import Program


def _direct3d9(program: Program) -> Program:
    from lanewise.api import compiling
    from lanewise.direct3d9.api.effect import Direct3DEffect
    from lanewise.direct3d9.api.shader import Direct3DShader

    if isinstance(program, Direct3DEffect):
        return compiling.Direct3DEffect.of(program)
    return compiling.Direct3DShader.of(program) if isinstance(program, Direct3DShader) else program


# Instruction sets whose programs can do more than their package knows: a package does not import what compiles it.
_JOINED: Mapping[str, Callable[[Program], Program]] = {"direct3d9": _direct3d9}


def public(program: Program) -> Program:
    """The public object of a program that a package has loaded."""
    joined = _JOINED.get(program.isa)
    return program if joined is None else joined(program)
