"""Random Direct3D 9 shaders by both routes: the engines, and the program compiled for each ShaderCore.

`lanewise fuzz --target direct3d9` runs these: a shader on which the engines agree is compiled, and the program must give the
bits of the shader under the rule of its device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.random_cases import outcome
from lanewise.core.fuzzing import Difference, RandomPrograms
from lanewise.direct3d9.api.services.fuzz import case_of, source_of
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.direct3d9.isa.table import register_name
from lanewise.shadercore.isa.devices import DEVICES

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.fuzzing import Compared, Origin, Reduced
    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.shadercore.isa.devices import Device


def with_compiled(engines: RandomPrograms) -> RandomPrograms:
    """The random programs of the engines, which are compiled besides."""

    def compare(seed: int, number: int, level: str) -> Compared:
        found = engines.compare(seed, number, level)
        device = _wrong_device(case_of(seed, number)) if found.difference is None else None
        return found if device is None else found._replace(difference=_difference(case_of(seed, number), device))

    def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
        whole = case_of(seed, number)
        device = _wrong_device(whole) if engines.compare(seed, number, level).difference is None else None
        if device is None:
            return engines.reduce(seed, number, level, origin, tick)

        def wrong(candidate: Case) -> bool:
            tick()
            return outcome(candidate, device).wrong

        small = reduced(whole, wrong)
        return source_of(small, f"Compiled for {device.name} it gives other bits", _difference(small, device), origin)

    return RandomPrograms(compare=compare, reduce=reduce, written=engines.written, budget=engines.budget)


def _wrong_device(case: Case) -> Device | None:
    """The first device for which the compiled program is wrong."""
    return next((device for device in DEVICES.values() if outcome(case, device).wrong), None)


def _difference(case: Case, device: Device) -> Difference:
    (first, *_) = outcome(case, device).differences
    file, number, component = first.cell
    where = (
        f"{register_name(case.shader.version, file, number)}.{'xyzw'[component]} of lane {first.lane}, compiled for "
        f"{device.name}"
    )
    return Difference(where, f"0x{first.expected:08X}", f"0x{first.found:08X}", 0)
