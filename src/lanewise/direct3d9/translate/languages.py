"""The languages that Direct3D 9 shaders are translated to: their names for functions of numbers."""

from __future__ import annotations

from lanewise.translating.languages import Cpp, Glsl, Language, Wgsl


class ShaderC(Language):
    prefix = "d3d_"
    reserved = (
        r"d3d_|D3D_|gl_|__|[rvota]\d+(_[xyzw])?$|(n|value)\d+$|aL\d|texel\d|o[A-Z]|[cibu]$|"
        r"(in|out|given|made|killed|clip|run|sample|user|bump|at|dx|dy)$"
    )


class ShaderCpp(Cpp, ShaderC):
    pass


class ShaderGlsl(Glsl, ShaderC):
    pass


class ShaderWgsl(Wgsl, ShaderGlsl):
    pass


LANGUAGES: dict[str, type[ShaderC]] = {each.row.name: each for each in (ShaderC, ShaderCpp, ShaderGlsl, ShaderWgsl)}
