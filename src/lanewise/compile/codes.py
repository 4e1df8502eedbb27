"""Findings of all compilers."""

from __future__ import annotations

from lanewise.compile.direct3d9.codes import ROWS as DIRECT3D9
from lanewise.compile.outside.codes import ROWS as OUTSIDE
from lanewise.compile.pica200.codes import ROWS as PICA200
from lanewise.compile.shadercore.codes import ROWS as SHADERCORE
from lanewise.compile.spirv.codes import ROWS as SPIRV

ROWS = (*SHADERCORE, *PICA200, *SPIRV, *DIRECT3D9, *OUTSIDE)
