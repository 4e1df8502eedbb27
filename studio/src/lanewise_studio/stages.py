"""Which shaders of a file of the PICA200 run: a vertex shader, and the geometry shader of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200 import ShaderFile

if TYPE_CHECKING:
    from lanewise.pica200.api.shader import Shader


def stages(file: ShaderFile, entry: str = "") -> tuple[Shader, Shader | None]:
    """The shader that is meant, by default the first vertex shader, and the geometry shader that runs on what it gives. Raises
    InputError for an unknown name."""
    vertex, geometry = [[shader for shader in file.programs if shader.stage == stage] for stage in ("vertex", "geometry")]
    first = file.shader(entry) if entry else (vertex or file.programs)[0]
    return first, geometry[0] if geometry and first.stage == "vertex" else None


def first_of_several(file: object) -> str:
    """The first vertex shader of a file that has several: its name, or its number where others have that name. Empty for other
    programs."""
    if not isinstance(file, ShaderFile) or sum(shader.stage == "vertex" for shader in file.programs) < 2:
        return ""
    first, _ = stages(file)
    alone = sum(shader.name == first.name for shader in file.programs) == 1
    return first.name if alone else str(file.programs.index(first))


__all__ = ["first_of_several", "stages"]
