"""PICA200, the shader unit of the Nintendo 3DS.

    import lanewise as lw
    print(lw.pica200.decode(0x4C201000).op.name)
    profile = lw.pica200.profiles["azahar"]

Names are imported when they are first used.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.interface import Binding, OutputBinding, RunError
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.primitives import PipelineError, Primitives
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Explanation, Trace
    from lanewise.pica200.api.vertices import fetch_vertices
    from lanewise.pica200.container.flat import flatten
    from lanewise.pica200.engine import float24
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.ir.graph import Graph, unfold
    from lanewise.pica200.isa.codec import Inst, decode
    from lanewise.pica200.sem.profile import Profile, profiles

__all__ = [
    "Binding",
    "Explanation",
    "Graph",
    "Inst",
    "OutputBinding",
    "Pipeline",
    "PipelineError",
    "Primitives",
    "Profile",
    "RunError",
    "Shader",
    "ShaderFile",
    "ShaderResult",
    "Trace",
    "decode",
    "fetch_vertices",
    "flatten",
    "float24",
    "profiles",
    "unfold",
]

# The module of each name; a name that ends its home is that module.
_HOMES = {
    "Binding": "api.interface",
    "Explanation": "api.tracing",
    "Graph": "ir.graph",
    "Inst": "isa.codec",
    "OutputBinding": "api.interface",
    "Pipeline": "api.pipeline",
    "PipelineError": "api.primitives",
    "Primitives": "api.primitives",
    "Profile": "sem.profile",
    "RunError": "api.interface",
    "Shader": "api.shader",
    "ShaderFile": "api.file",
    "ShaderResult": "engine.results",
    "Trace": "api.tracing",
    "decode": "isa.codec",
    "fetch_vertices": "api.vertices",
    "flatten": "container.flat",
    "float24": "engine.float24",
    "profiles": "sem.profile",
    "unfold": "ir.graph",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from lanewise.core.public import unknown

        raise unknown(__name__, name, __all__, {"profile": "profiles['hardware']"})
    from lanewise.core.public import public

    return public(globals(), _HOMES[name], name)


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]
