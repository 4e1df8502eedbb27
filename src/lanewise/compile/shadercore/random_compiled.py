"""Random Direct3D 9 shaders compiled for ShaderCore, as campaigns of `lanewise fuzz --target shadercore` run them."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.random_cases import case_of, outcome
from lanewise.core.fuzzing import Compared, Difference, RandomPrograms
from lanewise.direct3d9.api.services.fuzz import source_of
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.shadercore.isa.devices import DEVICES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.shadercore.random_cases import Outcome
    from lanewise.core.fuzzing import Origin, Reduced
    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.shadercore.isa.devices import Device


def device_described(text: str) -> Device:
    """The device of `Device.describe`."""
    name, _, changes = text.partition(", ")
    return DEVICES[name].set(changes.replace(", ", ",")) if changes else DEVICES[name]


def compiled_programs(devices: Sequence[str]) -> RandomPrograms:
    """The programs of seed + number, each for one of the devices in turn; `devices` are described, none: all."""
    chosen = [device_described(text) for text in devices] or list(DEVICES.values())

    def of(seed: int, number: int) -> tuple[Case, Device]:
        return case_of(seed + number), chosen[(seed + number) % len(chosen)]

    def compare(seed: int, number: int, level: str) -> Compared:
        case, device = of(seed, number)
        found = outcome(case, device)
        bits = blake2b(f"{found.refused} {found.exact} {found.differences}".encode(), digest_size=16).digest()
        difference = _difference(found, device) if found.wrong else None
        return Compared(
            number=number,
            reason=found.refused,
            lanes=case.lanes,
            ended=0 if found.refused else case.lanes,
            difference=difference,
            results=bits,
        )

    def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
        case, device = of(seed, number)

        def wrong(candidate: Case) -> bool:
            tick()
            return outcome(candidate, device).wrong

        small = reduced(case, wrong)
        return source_of(small, _what(device), _difference(outcome(small, device), device), origin)

    def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
        case, device = of(seed, number)
        return source_of(case, _what(device), difference, origin)

    return RandomPrograms(compare=compare, reduce=reduce, written=written, budget=0)


def _what(device: Device) -> str:
    return f"Compiled for {device.describe()} it gives other bits"


def _difference(found: Outcome, device: Device) -> Difference:
    (first, *_) = found.differences
    file, number, component = first.cell
    where = f"output {file}/{number}.{'xyzw'[component]} of lane {first.lane}, compiled for {device.name}"
    return Difference(where, f"0x{first.expected:08X}", f"0x{first.found:08X}", 0)
