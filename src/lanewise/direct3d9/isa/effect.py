"""Effects: techniques, passes, parameters and shaders, as files of several kinds hold them.

Names of states: Direct3D 9's, in the order of the numbers in effect files (Wine, d3dx9_36/effect.c, state_table).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa.constants import BASE_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.constants import Type

PIXEL_BASE, VERTEX_BASE = 15, 16  # types after those of constants
OBJECT_NAMES = (*BASE_NAMES, "pixelshader", "vertexshader")
VERTEX, PIXEL = "vertex", "pixel"
DIRECT3D9, DXBC, DXIL, GLSL, SPIRV, BINARY = "Direct3D 9", "DXBC", "DXIL", "GLSL", "SPIR-V", "unknown code"

VERTEX_SHADER, PIXEL_SHADER = 146, 147  # the states that have a shader
STATES = (
    "ZEnable",
    "FillMode",
    "ShadeMode",
    "ZWriteEnable",
    "AlphaTestEnable",
    "LastPixel",
    "SrcBlend",
    "DestBlend",
    "CullMode",
    "ZFunc",
    "AlphaRef",
    "AlphaFunc",
    "DitherEnable",
    "AlphaBlendEnable",
    "FogEnable",
    "SpecularEnable",
    "FogColor",
    "FogTableMode",
    "FogStart",
    "FogEnd",
    "FogDensity",
    "RangeFogEnable",
    "StencilEnable",
    "StencilFail",
    "StencilZFail",
    "StencilPass",
    "StencilFunc",
    "StencilRef",
    "StencilMask",
    "StencilWriteMask",
    "TextureFactor",
    *[f"Wrap{n}" for n in range(16)],
    "Clipping",
    "Lighting",
    "Ambient",
    "FogVertexMode",
    "ColorVertex",
    "LocalViewer",
    "NormalizeNormals",
    "DiffuseMaterialSource",
    "SpecularMaterialSource",
    "AmbientMaterialSource",
    "EmissiveMaterialSource",
    "VertexBlend",
    "ClipPlaneEnable",
    "PointSize",
    "PointSize_Min",
    "PointSize_Max",
    "PointSpriteEnable",
    "PointScaleEnable",
    "PointScale_A",
    "PointScale_B",
    "PointScale_C",
    "MultiSampleAntialias",
    "MultiSampleMask",
    "PatchEdgeStyle",
    "DebugMonitorToken",
    "IndexedVertexBlendEnable",
    "ColorWriteEnable",
    "TweenFactor",
    "BlendOp",
    "PositionDegree",
    "NormalDegree",
    "ScissorTestEnable",
    "SlopeScaleDepthBias",
    "AntialiasedLineEnable",
    "MinTessellationLevel",
    "MaxTessellationLevel",
    "AdaptiveTess_X",
    "AdaptiveTess_Y",
    "AdaptiveTess_Z",
    "AdaptiveTess_W",
    "EnableAdaptiveTessellation",
    "TwoSidedStencilMode",
    "CCW_StencilFail",
    "CCW_StencilZFail",
    "CCW_StencilPass",
    "CCW_StencilFunc",
    "ColorWriteEnable1",
    "ColorWriteEnable2",
    "ColorWriteEnable3",
    "BlendFactor",
    "SRGBWriteEnable",
    "DepthBias",
    "SeparateAlphaBlendEnable",
    "SrcBlendAlpha",
    "DestBlendAlpha",
    "BlendOpAlpha",
    "ColorOp",
    "ColorArg0",
    "ColorArg1",
    "ColorArg2",
    "AlphaOp",
    "AlphaArg0",
    "AlphaArg1",
    "AlphaArg2",
    "ResultArg",
    "BumpEnvMat00",
    "BumpEnvMat01",
    "BumpEnvMat10",
    "BumpEnvMat11",
    "TexCoordIndex",
    "BumpEnvLScale",
    "BumpEnvLOffset",
    "TextureTransformFlags",
    "Constant",
    "NPatchMode",
    "FVF",
    "ProjectionTransform",
    "ViewTransform",
    "WorldTransform",
    "TextureTransform",
    "MaterialDiffuse",
    "MaterialAmbient",
    "MaterialSpecular",
    "MaterialEmissive",
    "MaterialPower",
    "LightType",
    "LightDiffuse",
    "LightSpecular",
    "LightAmbient",
    "LightPosition",
    "LightDirection",
    "LightRange",
    "LightFallOff",
    "LightAttenuation0",
    "LightAttenuation1",
    "LightAttenuation2",
    "LightTheta",
    "LightPhi",
    "LightEnable",
    "VertexShader",
    "PixelShader",
    "VertexShaderConstantF",
    "VertexShaderConstantB",
    "VertexShaderConstantI",
    "VertexShaderConstant",
    "VertexShaderConstant1",
    "VertexShaderConstant2",
    "VertexShaderConstant3",
    "VertexShaderConstant4",
    "PixelShaderConstantF",
    "PixelShaderConstantB",
    "PixelShaderConstantI",
    "PixelShaderConstant",
    "PixelShaderConstant1",
    "PixelShaderConstant2",
    "PixelShaderConstant3",
    "PixelShaderConstant4",
    "Texture",
    "AddressU",
    "AddressV",
    "AddressW",
    "BorderColor",
    "MagFilter",
    "MinFilter",
    "MipFilter",
    "MipMapLodBias",
    "MaxMipLevel",
    "MaxAnisotropy",
    "SRGBTexture",
    "ElementIndex",
    "DMAPOffset",
    "Sampler",
)
# Names of the values of some states, from 1 on where a row begins with an empty text (Direct3D 9: D3DBLEND, D3DCULL,
# D3DCMPFUNC, D3DTEXTUREADDRESS, ...).
_BLEND = (
    "",
    "Zero",
    "One",
    "SrcColor",
    "InvSrcColor",
    "SrcAlpha",
    "InvSrcAlpha",
    "DestAlpha",
    "InvDestAlpha",
    "DestColor",
    "InvDestColor",
    "SrcAlphaSat",
    "BothSrcAlpha",
    "BothInvSrcAlpha",
    "BlendFactor",
    "InvBlendFactor",
)
_COMPARISON = ("", "Never", "Less", "Equal", "LessEqual", "Greater", "NotEqual", "GreaterEqual", "Always")
_ADDRESS, _FILTER = ("", "Wrap", "Mirror", "Clamp", "Border", "MirrorOnce"), ("None", "Point", "Linear", "Anisotropic")
_BLEND_OP, _TRUTH = ("", "Add", "Subtract", "RevSubtract", "Min", "Max"), ("False", "True")
VALUES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("SrcBlend", "DestBlend", "SrcBlendAlpha", "DestBlendAlpha"), _BLEND),
    **dict.fromkeys(("ZFunc", "AlphaFunc", "StencilFunc", "CCW_StencilFunc"), _COMPARISON),
    **dict.fromkeys(("AddressU", "AddressV", "AddressW"), _ADDRESS),
    **dict.fromkeys(("MagFilter", "MinFilter", "MipFilter"), _FILTER),
    **dict.fromkeys(("BlendOp", "BlendOpAlpha"), _BLEND_OP),
    **dict.fromkeys(
        [name for name in STATES if name.endswith("Enable") and name not in ("ColorWriteEnable", "ZEnable")], _TRUTH
    ),
    "CullMode": ("", "None", "CW", "CCW"),
    "FillMode": ("", "Point", "Wireframe", "Solid"),
    "ZEnable": ("False", "True", "UseW"),
}


CLASSES = ("scalar", "vector", "matrix_rows", "matrix_columns", "object", "struct")
_ALONE = (
    *range(STATES.index("NPatchMode"), STATES.index("TextureTransform")),
    *range(STATES.index("MaterialDiffuse"), STATES.index("LightType")),
    *range(STATES.index("Texture"), STATES.index("Sampler")),
)


class State(Record):
    """A state that a pass or a sampler sets: name, number of the stage, light or register, and the value as text."""

    name: str
    number: int
    value: str

    @property
    def of_stage(self) -> bool:
        """Whether the number means a stage, a light or a register."""
        which = STATES.index(self.name) if self.name in STATES else 0
        return STATES.index("ColorOp") <= which and which not in _ALONE


class Parameter(Record):
    """A parameter or an annotation."""

    name: str
    "The name in the effect."
    semantic: str
    "Its semantic; empty for none."
    type: Type
    "Its type; that of an object has a base after `BASE_NAMES`."
    default: tuple[int, ...] = ()
    "Words of its value; empty for objects."
    text: str = ""
    "The value of a string; empty for other types."
    states: tuple[State, ...] = ()
    "The states of a sampler."
    annotations: tuple[Parameter, ...] = ()
    "Its annotations."

    @property
    def type_name(self) -> str:
        """`float4x4`, `sampler2D`, `vertexshader`."""
        base = self.type.base
        if len(BASE_NAMES) <= base < len(OBJECT_NAMES):
            return OBJECT_NAMES[base]
        return self.type.name.removeprefix("row_major ")  # the class of every matrix of an effect, however the shaders have it


class Pass(Record):
    """A pass of a technique."""

    name: str
    "Its name, unique in the technique."
    vertex: str
    "The name of its vertex shader, or the expression that chooses it at each draw; empty where it has none."
    pixel: str
    "The name of its pixel shader, or the expression that chooses it at each draw; empty where it has none."
    states: tuple[State, ...] = ()
    "Other states that it sets."
    annotations: tuple[Parameter, ...] = ()
    "Its annotations."


class Technique(Record):
    name: str
    passes: tuple[Pass, ...]
    annotations: tuple[Parameter, ...] = ()


class EffectShader(Record):
    """A shader of an effect."""

    name: str
    "The name by which it is chosen, such as `technique/pass/vertex`."
    stage: str
    "`VERTEX` or `PIXEL`."
    kind: str
    "The kind of its code, such as `DIRECT3D9` or `DXBC`."
    code: bytes
    "The bytes of the shader as the file has them."
    stream: bytes
    "Its Direct3D 9 code: all of it, or the level 9 part of a DXBC container; empty where it has none."
    offset: int
    "Its place in the file, in bytes."
    entry: str = ""
    "The source file and the function, where the effect has them."


class Effect(Record):
    """An effect file."""

    format: str
    "The form of the file: `fx_2_0`, `DXBC`, or `MGFX 10 (OpenGL)`."
    techniques: tuple[Technique, ...]
    "The techniques in the order of the file."
    parameters: tuple[Parameter, ...]
    "The parameters in the order of the file."
    shaders: tuple[EffectShader, ...]
    "The shaders, each once."
    wrapping: str = ""
    "The container of the effect, such as `XNB`; empty for none."

    @property
    def aliases(self) -> dict[str, str]:
        """The names by passes of shaders that have another name, as several passes share one: `Glow/P1/vertex` for
        `Glow/P0/vertex`."""
        known = {shader.name for shader in self.shaders}
        found: dict[str, str] = {}
        for technique in self.techniques:
            for each in technique.passes:
                for stage, name in ((VERTEX, each.vertex), (PIXEL, each.pixel)):
                    alias = f"{technique.name}/{each.name}/{stage}"
                    if name in known and alias not in known:
                        found[alias] = name
        return found

    @property
    def names(self) -> dict[str, str]:
        """The shaders by name, in their order, then by other passes: each name with that of its shader."""
        return {**{shader.name: shader.name for shader in self.shaders}, **self.aliases}


def distinct(names: Sequence[str], what: str) -> list[str]:
    """Names of techniques or passes, each once: `pass1` for one without a name, `blur~2` for the second of that name."""
    found: list[str] = []
    times: dict[str, int] = {}
    for number, given in enumerate(names):
        name = given or f"{what}{number}"
        times[name] = times.get(name, 0) + 1
        found.append(name if times[name] == 1 else f"{name}~{times[name]}")
    return found
