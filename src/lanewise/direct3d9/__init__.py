"""Direct3D 9 vertex and pixel shader bytecode.

`lanewise.Direct3DShader` and `lanewise.Direct3DEffect` compile for other instruction sets, so they are not of this one.
Names are imported when they are first used.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.direct3d9.api.shader import Direct3DResult

__all__ = [
    "Direct3DResult",
]

# The module of each name; a name that ends its home is that module.
_HOMES = {
    "Direct3DResult": "api.shader",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from lanewise.core.public import unknown

        raise unknown(__name__, name, __all__)
    from lanewise.core.public import public

    return public(globals(), _HOMES[name], name)


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]
