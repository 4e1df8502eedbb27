"""What joins the packages of all instruction sets."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.code import Code


def codes() -> Mapping[str, Code]:
    """Every finding by its code. Raises ValueError if two packages have one code."""
    from lanewise.compile.codes import ROWS as COMPILE
    from lanewise.core.code import by_code
    from lanewise.core.codes import SHARED
    from lanewise.direct3d9.codes import ROWS as DIRECT3D9
    from lanewise.pica200.codes import ROWS as PICA200
    from lanewise.shadercore.codes import ROWS as SHADERCORE

    return by_code(PICA200, SHARED, SHADERCORE, DIRECT3D9, COMPILE)
