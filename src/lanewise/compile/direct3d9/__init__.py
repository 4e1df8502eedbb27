"""Direct3D 9 vertex shaders, compiled to vector programs."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.compile.direct3d9.lowering import lower
    from lanewise.compile.direct3d9.options import Array, Bound, Lowered, Options

__all__ = ["Array", "Bound", "Lowered", "Options", "lower"]


def __getattr__(name: str) -> object:
    """Names are imported when they are first used: the codes of this package are among those of every command."""
    if name == "lower":
        from lanewise.compile.direct3d9.lowering import lower

        return lower
    if name in __all__:
        from lanewise.compile.direct3d9 import options

        return getattr(options, name)
    raise AttributeError(name)
