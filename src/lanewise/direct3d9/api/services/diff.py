"""Comparison of two shaders for `lanewise diff`."""

from __future__ import annotations

from lanewise.core.nearness import near
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.direct3d9.api.equality import SEARCHES, compare
from lanewise.direct3d9.api.services.plan import chosen_rule, flow_values

if TYPE_CHECKING:
    from lanewise.core.comparison import Comparison
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.shader import Direct3DShader

_MOST = 10_000


def compared(shaders: tuple[Direct3DShader, Direct3DShader], request: Request) -> Comparison:
    """Compare two shaders under a number rule, with the i# and b# of `--int` and `--bool`.

    Raises UsageError, InputFailure, InputError.
    """
    searches = request.integer("searches", SEARCHES)
    if not 0 <= searches <= _MOST:
        raise UsageError(f"--searches is 0 to {_MOST}")
    for option in ("bound", "array", "output"):
        if request.has(option):
            raise UsageError(f"--{option} is for a shader and a program that it is compiled to")
    first, second = (shader.name for shader in shaders)
    names = (first, second) if first != second else (f"{first} (first)", f"{second} (second)")
    integers, booleans = flow_values(request)
    given = {name: tuple(row) for name, row in integers.items()}
    asked = near(request)
    if asked is not None:
        asked.check([row.name for shader in shaders for row in (*shader.inputs, *shader.constants)])
    return compare(*shaders, chosen_rule(request), names, integers=given, booleans=booleans, near=asked, searches=searches)
