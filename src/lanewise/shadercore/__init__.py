"""ShaderCore, a scalar ISA of 16 lanes with pipes and latencies.

    import lanewise as lw
    stream = lw.shadercore.Stream("position", "float3", memory, stride=12)

Names are imported when they are first used.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.shadercore.api.devices import Device, device
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.results import WaveResult
    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.api.timing import ProgramTiming
    from lanewise.shadercore.api.tracing import WaveTrace
    from lanewise.shadercore.isa.schedule import Reordering
    from lanewise.shadercore.isa.timing import WaveTime

__all__ = [
    "Device",
    "ProgramTiming",
    "Reordering",
    "ShaderCoreProgram",
    "Stream",
    "WaveResult",
    "WaveTime",
    "WaveTrace",
    "device",
]

# The module of each name; a name that ends its home is that module.
_HOMES = {
    "Device": "isa.devices",
    "ProgramTiming": "api.timing",
    "Reordering": "isa.schedule",
    "ShaderCoreProgram": "api.program",
    "Stream": "api.streams",
    "WaveResult": "api.results",
    "WaveTime": "isa.timing",
    "WaveTrace": "api.tracing",
    "device": "api.devices",
}


# What others call it.
_MEANT = {
    **dict.fromkeys(("rtl", "RTL", "document", "devices", "get_device", "load_device", "find_device"), "device('rtl')"),
    "compile": "lanewise.compile(source, target='shadercore')",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from lanewise.core.public import unknown

        raise unknown(__name__, name, __all__, _MEANT)
    from lanewise.core.public import public

    return public(globals(), _HOMES[name], name)


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]
