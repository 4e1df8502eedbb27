"""Shader tests of ShaderCore programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.failures import traced
from lanewise.core.service import NoFiles
from lanewise.core.shadertests import ShaderTests
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.devices import device, found
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.isa.devices import DEVICES, RTL, Device
from lanewise.shadercore.isa.table import MINUS_ONE, ONE, ZERO

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


def _device_of_cycles(program: ShaderCoreProgram, case: Case, cycles: int | None) -> str:
    """`document: write cycles = 24 for it, or device = "rtl", which takes 40`."""
    used = device(_device(case))
    others = [each.name for each in DEVICES.values() if each != used and program.time(each).total_cycles == case.cycles]
    if others:
        own = f"write cycles = {cycles} for it, or " if cycles is not None else "write "
        return f"{used.name}: {own}" + " or ".join([f'device = "{name}"' for name in others]) + f", which takes {case.cycles}"
    if cycles is None or case.cycles is None or cycles < case.cycles:
        return used.name
    clamp = "; `mov_sat` clamps to 0 to 1 in one slot, in place of max and min" if _clamps(program) else ""
    slots = counted(len(program.insts), "slot")
    return f"{used.name}, in {slots}: `lanewise time {program.name}` lists what each waits for{clamp}"


def _clamps(program: ShaderCoreProgram) -> bool:
    """Whether a program has max with 0 and min with 1."""
    kinds = {
        inst.op.name: {source.file for source in inst.operands} for inst in program.insts if inst.op.name in ("max", "min")
    }
    return ZERO in kinds.get("max", ()) and not {ONE, MINUS_ONE}.isdisjoint(kinds.get("min", ()))


def _checked(key: str, value: object) -> Device:
    """The device of a test file. Raises ValueError."""
    if isinstance(value, dict):
        rows = {str(name): each for name, each in cast("dict[object, object]", value).items()}
        base = next((each for name, each in rows.items() if name in ("name", "base") and isinstance(each, str)), "rtl")
        settings = [f",{name}={each}" for name, each in rows.items() if name not in ("name", "base", "set")]
        raise ValueError(f'device is not a name: write device = "{base}{"".join(settings)}"')
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
