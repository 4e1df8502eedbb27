"""Comparison of two ShaderCore programs for `lanewise diff`."""

from __future__ import annotations

from lanewise.core.nearness import near
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.shadercore.api.equality import WAVES, Named, compare, named
from lanewise.shadercore.api.services.devices import device_of

if TYPE_CHECKING:
    from lanewise.core.comparison import Comparison
    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram

_MOST = 10_000


def compared(programs: tuple[ShaderCoreProgram, ShaderCoreProgram], request: Request) -> Comparison:
    """Compare two programs on a device. Raises UsageError, InputError."""
    waves = request.integer("waves", WAVES)
    if not 1 <= waves <= _MOST:
        raise UsageError(f"--waves is 1 to {_MOST}")
    first, second = (program.name for program in programs)
    names = (first, second) if first != second else (f"{first} (first)", f"{second} (second)")
    one, other = (program.program for program in programs)
    asked = near(request)
    if asked is not None:
        besides = [program.beside for program in programs if program.beside is not None]
        given = [name for beside in besides for name in (*beside.numbers, *beside.known)]
        asked.check([*given, *[name for program in programs for name in program.inputs]])
    return compare(
        one,
        other,
        device_of(request),
        names,
        constants_known=request.flag("constants-known"),
        known=known_of(programs),
        near=asked,
        waves=waves,
    )


def known_of(programs: tuple[ShaderCoreProgram, ShaderCoreProgram]) -> tuple[Named, Named]:
    """The contents of the interfaces of two programs."""
    return named(programs[0].beside), named(programs[1].beside)
