"""The languages that ShaderCore programs are translated to: their names for functions of numbers."""

from __future__ import annotations

from lanewise.translating.languages import Cpp, Glsl, Language, Wgsl


class ShaderC(Language):
    prefix = "sc_"
    reserved = r"sc_|SC_|gl_|__|[rvox]\d(_[xyzw])?$|w\d+$|[csun]$|in$|out$|given$|made$|registers$|clip$"


class ShaderCpp(Cpp, ShaderC):
    pass


class ShaderGlsl(Glsl, ShaderC):
    pass


class ShaderWgsl(Wgsl, ShaderGlsl):
    pass


LANGUAGES: dict[str, type[ShaderC]] = {each.row.name: each for each in (ShaderC, ShaderCpp, ShaderGlsl, ShaderWgsl)}
