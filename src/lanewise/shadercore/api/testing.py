"""Shader tests of ShaderCore programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.expecting import traced
from lanewise.core.service import NoFiles
from lanewise.core.shadertests import ShaderTests
from lanewise.shadercore.api.devices import device, found
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.isa.devices import DEVICES, RTL, Device

if TYPE_CHECKING:
    from lanewise.arrays.expecting import Case
    from lanewise.shadercore.api.results import WaveResult


def _device(case: Case) -> str | Device:
    return RTL if case.device is None else case.device


def _run(program: ShaderCoreProgram, case: Case) -> WaveResult:
    return program.run(
        case.inputs, case.uniforms, device=_device(case), count=case.count, initial=case.initial, defaults=case.defaults
    )


def _trace(program: ShaderCoreProgram, case: Case, lane: int) -> Any:
    more = {"device": _device(case), "count": case.count, "initial": case.initial, "defaults": case.defaults}
    return traced(program, lane, case.inputs, case.uniforms, **more)


def _debug(program: ShaderCoreProgram, case: Case, lane: int) -> tuple[Any, int]:
    from lanewise.shadercore.api.debugging import vertices

    more = {"streams": (), "indices": None, "initial": case.initial or {}, "defaults": case.defaults}
    return vertices(
        program, case.inputs or {}, case.uniforms or {}, device=device(_device(case)), count=case.count, **more
    ), lane


def _cycles(program: ShaderCoreProgram, case: Case) -> int | None:
    """The cycles of a wave; None for a program that does not end."""
    return program.time(_device(case)).total_cycles


def _device_of_cycles(program: ShaderCoreProgram, case: Case) -> str:
    """`rtl; document takes 24: device = "document"`."""
    used = device(_device(case))
    others = [each.name for each in DEVICES.values() if each != used and program.time(each).total_cycles == case.cycles]
    return used.name + "".join([f'; {name} takes {case.cycles}: device = "{name}"' for name in others])


def _checked(key: str, value: object) -> Device:
    """The device of a test file. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError('device is not a name: write device = "rtl", with settings after commas: "rtl,issue_interval=4"')
    return found(value, NoFiles())


TESTS = ShaderTests(
    kinds=(ShaderCoreProgram,),
    title="ShaderCore",
    run=_run,
    tables=("inputs", "uniforms", "initial"),
    keys=("device",),
    checked=_checked,
    trace=_trace,
    debug=_debug,
    cycles=_cycles,
    device_of_cycles=_device_of_cycles,
)
