"""Direct3D 9 vertex shaders, compiled to vector programs."""

from lanewise.compile.direct3d9.lowering import lower
from lanewise.compile.direct3d9.options import Array, Bound, Lowered, Options

__all__ = ["Array", "Bound", "Lowered", "Options", "lower"]
