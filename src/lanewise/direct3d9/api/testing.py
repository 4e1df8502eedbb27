"""Shader tests of Direct3D 9 shaders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.failures import traced
from lanewise.core.shadertests import ShaderTests
from lanewise.direct3d9.api.given import plain, samplers_of
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.sem.numbers import IEEE, Rule, rule_of

if TYPE_CHECKING:
    from lanewise.arrays.expecting import Case
    from lanewise.direct3d9.api.shader import Direct3DResult


def _arguments(case: Case) -> dict[str, Any]:
    return {
        "integers": {name: plain(value) for name, value in (case.integers or {}).items()},
        "booleans": {name: all(plain(value)) for name, value in (case.booleans or {}).items()},
        "samplers": samplers_of(case.samplers or {}),
        "rule": IEEE if case.rule is None else case.rule,
        "count": case.count,
        "defaults": case.defaults,
    }


def _run(shader: Direct3DShader, case: Case) -> Direct3DResult:
    return shader.run(case.inputs, case.uniforms, **_arguments(case))


def _trace(shader: Direct3DShader, case: Case, lane: int) -> Any:
    return traced(shader, lane, case.inputs, case.uniforms, **_arguments(case))


def _debug(shader: Direct3DShader, case: Case, lane: int) -> tuple[Any, int]:
    from lanewise.direct3d9.api.debugging import lanes

    return lanes(shader, {"inputs": case.inputs, "uniforms": case.uniforms, **_arguments(case)}), lane


def _checked(key: str, value: object) -> Rule:
    """The number rule of a test file. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError('rule is not a name: write rule = "d3d9"')
    return rule_of(value)


TESTS = ShaderTests(
    kinds=(Direct3DShader,),
    title="Direct3D 9",
    run=_run,
    tables=("inputs", "uniforms", "integers", "booleans", "samplers"),
    keys=("rule",),
    checked=_checked,
    trace=_trace,
    debug=_debug,
    options=("define", "include"),
    folders=("include",),
)
