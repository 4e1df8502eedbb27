"""lanewise: assemble, check, run and debug programs of small GPU shader ISAs: PICA200, ShaderCore, Direct3D 9.

    import lanewise as lw
    shader = lw.load("light.v.pica").vertex
    result = shader.run(inputs={"position": vertices}, uniforms={"mvp": matrix})

Names are imported when they are first used, so that `import lanewise` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in core.record, which would be an import

if TYPE_CHECKING:
    from lanewise import distributed
    from lanewise.api.compiling import Compiled, CompiledResult, Direct3DEffect, Direct3DShader
    from lanewise.api.loading import (
        assemble,
        convert,
        disassemble,
        format_source,
        load,
        load_direct3d9,
        load_effect,
        load_pica200,
        load_shadercore,
    )
    from lanewise.api.testing import Case, mismatches
    from lanewise.arrays.picture import Picture
    from lanewise.arrays.results import Result
    from lanewise.arrays.words import Words
    from lanewise.core.diagnostics import Diagnostic, InputError
    from lanewise.core.program import Drawing
    from lanewise.core.service import Disassembly, Source
    from lanewise.direct3d9.api.shader import Direct3DResult
    from lanewise.drawing.visibility import Visibility
    from lanewise.graph.paths import dominators, reaching
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
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.results import WaveResult
    from lanewise.shadercore.api.streams import Stream

__version__ = "0.1.0"

__all__ = [
    "Binding",
    "Case",
    "Compiled",
    "CompiledResult",
    "Diagnostic",
    "Direct3DEffect",
    "Direct3DResult",
    "Direct3DShader",
    "Disassembly",
    "Drawing",
    "Explanation",
    "Graph",
    "InputError",
    "Inst",
    "OutputBinding",
    "Picture",
    "Pipeline",
    "PipelineError",
    "Primitives",
    "Profile",
    "Result",
    "RunError",
    "Shader",
    "ShaderCoreProgram",
    "ShaderFile",
    "ShaderResult",
    "Source",
    "Stream",
    "Trace",
    "Visibility",
    "WaveResult",
    "Words",
    "assemble",
    "convert",
    "decode",
    "disassemble",
    "distributed",
    "dominators",
    "fetch_vertices",
    "flatten",
    "float24",
    "format_source",
    "load",
    "load_direct3d9",
    "load_effect",
    "load_pica200",
    "load_shadercore",
    "mismatches",
    "profiles",
    "reaching",
    "unfold",
]

# Where each name lives; a name that ends its home is that module.
_HOMES = {
    "Binding": "pica200.api.interface",
    "Case": "arrays.expecting",
    "Compiled": "api.compiling",
    "CompiledResult": "api.compiling",
    "Diagnostic": "core.diagnostics",
    "Direct3DEffect": "api.compiling",
    "Direct3DResult": "direct3d9.api.shader",
    "Direct3DShader": "api.compiling",
    "Disassembly": "core.service",
    "Drawing": "core.program",
    "Explanation": "pica200.api.tracing",
    "Graph": "pica200.ir.graph",
    "InputError": "core.diagnostics",
    "Inst": "pica200.isa.codec",
    "OutputBinding": "pica200.api.interface",
    "Picture": "arrays.picture",
    "Pipeline": "pica200.api.pipeline",
    "PipelineError": "pica200.api.primitives",
    "Primitives": "pica200.api.primitives",
    "Profile": "pica200.sem.profile",
    "Result": "arrays.results",
    "RunError": "pica200.api.interface",
    "Shader": "pica200.api.shader",
    "ShaderCoreProgram": "shadercore.api.program",
    "ShaderFile": "pica200.api.file",
    "ShaderResult": "pica200.engine.results",
    "Source": "core.service",
    "Stream": "shadercore.api.streams",
    "Trace": "pica200.api.tracing",
    "Visibility": "drawing.visibility",
    "WaveResult": "shadercore.api.results",
    "Words": "arrays.words",
    "assemble": "api.loading",
    "convert": "api.loading",
    "decode": "pica200.isa.codec",
    "disassemble": "api.loading",
    "distributed": "distributed",
    "dominators": "graph.paths",
    "fetch_vertices": "pica200.api.vertices",
    "flatten": "pica200.container.flat",
    "float24": "pica200.engine.float24",
    "format_source": "api.loading",
    "load": "api.loading",
    "load_direct3d9": "api.loading",
    "load_effect": "api.loading",
    "load_pica200": "api.loading",
    "load_shadercore": "api.loading",
    "mismatches": "api.testing",
    "profiles": "pica200.sem.profile",
    "reaching": "graph.paths",
    "unfold": "pica200.ir.graph",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lanewise' has no attribute {name!r}")
    from importlib import import_module

    try:
        module = import_module(f"lanewise.{home}")
    except ModuleNotFoundError as error:
        from lanewise.core.extras import missing_library

        missing = missing_library(error, f"lanewise.{name}")
        if missing is None:
            raise
        raise ModuleNotFoundError(f"{missing.message}: {missing.fix}", name=error.name) from None
    value = module if f".{home}".endswith(f".{name}") else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
