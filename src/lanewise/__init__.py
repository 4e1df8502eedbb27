"""lanewise: assemble, check, run and debug programs of small GPU shader ISAs: PICA200, ShaderCore, Direct3D 9.

    import lanewise as lw
    shader = lw.load("light.v.pica").vertex
    result = shader.run(inputs={"position": vertices}, uniforms={"mvp": matrix})

The names of one instruction set are in its package: `lanewise.pica200`, `lanewise.shadercore`, `lanewise.direct3d9`.
Names are imported when they are first used, so that `import lanewise` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in core.record, which would be an import

if TYPE_CHECKING:
    from lanewise import direct3d9, distributed, pica200, shadercore
    from lanewise.api.cases import Case, mismatches
    from lanewise.api.compilation import Compilation, compile
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
    from lanewise.arrays.picture import Picture
    from lanewise.arrays.results import Result
    from lanewise.arrays.words import Words
    from lanewise.core.comparison import Comparison
    from lanewise.core.compiled import CompileReport, LineCost
    from lanewise.core.diagnostics import Diagnostic, InputError, InputWarning
    from lanewise.core.program import Drawing
    from lanewise.core.service import Disassembly, Source
    from lanewise.drawing.visibility import Visibility
    from lanewise.graph.paths import dominators, reaching

if TYPE_CHECKING:  # as they were called before
    from lanewise.direct3d9 import Direct3DResult as Direct3DResult
    from lanewise.pica200 import Binding as Binding
    from lanewise.pica200 import Explanation as Explanation
    from lanewise.pica200 import Graph as Graph
    from lanewise.pica200 import Inst as Inst
    from lanewise.pica200 import OutputBinding as OutputBinding
    from lanewise.pica200 import Pipeline as Pipeline
    from lanewise.pica200 import PipelineError as PipelineError
    from lanewise.pica200 import Primitives as Primitives
    from lanewise.pica200 import Profile as Profile
    from lanewise.pica200 import RunError as RunError
    from lanewise.pica200 import Shader as Shader
    from lanewise.pica200 import ShaderFile as ShaderFile
    from lanewise.pica200 import ShaderResult as ShaderResult
    from lanewise.pica200 import Trace as Trace
    from lanewise.pica200 import decode as decode
    from lanewise.pica200 import fetch_vertices as fetch_vertices
    from lanewise.pica200 import flatten as flatten
    from lanewise.pica200 import float24 as float24
    from lanewise.pica200 import profiles as profiles
    from lanewise.pica200 import unfold as unfold
    from lanewise.shadercore import ShaderCoreProgram as ShaderCoreProgram
    from lanewise.shadercore import Stream as Stream
    from lanewise.shadercore import WaveResult as WaveResult

__version__ = "0.1.0"

__all__ = [
    "Case",
    "Comparison",
    "Compilation",
    "CompileReport",
    "Compiled",
    "CompiledResult",
    "Diagnostic",
    "Direct3DEffect",
    "Direct3DShader",
    "Disassembly",
    "Drawing",
    "InputError",
    "InputWarning",
    "LineCost",
    "Picture",
    "Result",
    "Source",
    "Visibility",
    "Words",
    "assemble",
    "compile",
    "convert",
    "direct3d9",
    "disassemble",
    "distributed",
    "dominators",
    "format_source",
    "load",
    "load_direct3d9",
    "load_effect",
    "load_pica200",
    "load_shadercore",
    "mismatches",
    "pica200",
    "reaching",
    "shadercore",
]

# Where each name lives; a name that ends its home is that module.
_HOMES = {
    "Case": "arrays.expecting",
    "Comparison": "core.comparison",
    "Compilation": "api.compilation",
    "CompileReport": "core.compiled",
    "Compiled": "api.compiling",
    "CompiledResult": "api.compiling",
    "Diagnostic": "core.diagnostics",
    "Direct3DEffect": "api.compiling",
    "Direct3DShader": "api.compiling",
    "Disassembly": "core.service",
    "Drawing": "core.program",
    "InputError": "core.diagnostics",
    "InputWarning": "core.diagnostics",
    "LineCost": "core.compiled",
    "Picture": "arrays.picture",
    "Result": "arrays.results",
    "Source": "core.service",
    "Visibility": "drawing.visibility",
    "Words": "arrays.words",
    "assemble": "api.loading",
    "compile": "compile",
    "convert": "api.loading",
    "direct3d9": "direct3d9",
    "disassemble": "api.loading",
    "distributed": "distributed",
    "dominators": "graph.paths",
    "format_source": "api.loading",
    "load": "api.loading",
    "load_direct3d9": "api.loading",
    "load_effect": "api.loading",
    "load_pica200": "api.loading",
    "load_shadercore": "api.loading",
    "mismatches": "api.cases",
    "pica200": "pica200",
    "reaching": "graph.paths",
    "shadercore": "shadercore",
}

# Names of one instruction set that were here before, by their package: the next release has them there alone.
_MOVED = {
    "Binding": "pica200",
    "Direct3DResult": "direct3d9",
    "Explanation": "pica200",
    "Graph": "pica200",
    "Inst": "pica200",
    "OutputBinding": "pica200",
    "Pipeline": "pica200",
    "PipelineError": "pica200",
    "Primitives": "pica200",
    "Profile": "pica200",
    "RunError": "pica200",
    "Shader": "pica200",
    "ShaderCoreProgram": "shadercore",
    "ShaderFile": "pica200",
    "ShaderResult": "pica200",
    "Stream": "shadercore",
    "Trace": "pica200",
    "WaveResult": "shadercore",
    "decode": "pica200",
    "fetch_vertices": "pica200",
    "flatten": "pica200",
    "float24": "pica200",
    "profiles": "pica200",
    "unfold": "pica200",
}


# What others call it.
_INSTEAD = {
    **dict.fromkeys(("run", "execute"), "`lanewise.load(path).vertex.run(inputs, uniforms)`"),
    "map_vertices": "`lanewise.distributed.map_vertices(shader, inputs, uniforms)`",
    "trace": "`lanewise.load(path).vertex.trace(inputs, uniforms, lane=0)`",
    **dict.fromkeys(("open", "read", "read_shader", "from_file", "load_shader", "loads", "parse"), "`lanewise.load(path)`"),
    **dict.fromkeys(("Program", "VertexShader", "from_source"), "`lanewise.load(path).vertex`"),
    **dict.fromkeys(("simulate", "emulate", "call"), "`lanewise.load(path).vertex.run(inputs, uniforms)`"),
    **dict.fromkeys(("check", "lint", "validate"), "`lanewise.load(path).check()`"),
    **dict.fromkeys(("time", "timing", "cycles"), "`lanewise.load(path).time()`"),
    **dict.fromkeys(("diff", "equal", "equivalent", "compare", "is_equal"), "`lanewise.load(path).equivalent(other)`"),
    **dict.fromkeys(
        ("test", "assert_outputs", "assert_equal", "allclose", "assert_allclose"), "`lanewise.mismatches(program, case)`"
    ),
    **dict.fromkeys(("asm_file", "assemble_file", "assemble_text"), "`lanewise.assemble(source)`"),
    **dict.fromkeys(("disasm", "disassemble_file"), "`lanewise.disassemble(file)`"),
    **dict.fromkeys(("device", "devices", "Device", "rtl"), "`lanewise.shadercore.device('rtl')`"),
    **dict.fromkeys(("encode", "to_float24"), "`lanewise.pica200.float24.encode(values)`"),
    "version": "`lanewise.__version__`",
    **dict.fromkeys(("exception", "exceptions", "error", "errors"), "`lanewise.InputError`"),
    **dict.fromkeys(("format", "fmt", "prettify"), "`lanewise.format_source(name, text)`"),
    **dict.fromkeys(("read_csv", "read_parquet", "DataFrame"), "pandas, whose data frames `run` takes"),
    "dis": "`lanewise.disassemble(file)`",
    "asm": "`lanewise.assemble(source)`",
    "shadertest": "the fixture of pytest, `def test_x(shadertest): shadertest(path, inputs=..., outputs=...)`",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from lanewise.core.public import public

        return public(globals(), _HOMES[name], name)
    if name in _MOVED:
        from lanewise.core.public import moved

        return moved(__name__, _MOVED[name], name, "; invalid input is lanewise.InputError" if name == "RunError" else "")
    instead = _INSTEAD.get(name, "") or (f"`lanewise.{name.lower()}`" if name.lower() in _HOMES else "")
    instead = instead or ("`lanewise.InputError`" if name.endswith(("Error", "Exception")) else "")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{instead and ': use '}{instead}", name=name)


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]
