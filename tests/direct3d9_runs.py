"""Runs of Direct3D 9 shaders for tests: a source, data, both engines, the same bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays.words import Words
from lanewise.direct3d9.api.shader import Direct3DShader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.direct3d9.sem.numbers import Rule


def shader_of(source: str) -> Direct3DShader:
    return Direct3DShader.from_bytes(source.encode(), "test")


def run(
    source: str | Direct3DShader, inputs: Mapping[str, Any] | None = None, *, rule: str | Rule = "ieee", **data: Any
) -> dict[str, NDArray[np.float32]]:
    """Outputs by name, and `killed`: of the reference engine, after the compiled one has given the same bits.

    What is not given is 0, unless `defaults` says otherwise.
    """
    data = {"defaults": 0, **data}
    shader = shader_of(source) if isinstance(source, str) else source
    first = shader.run(inputs, rule=rule, engine="reference", **data)
    second = shader.run(inputs, rule=rule, engine="llvm", **data)
    assert (first.engine, second.engine) == ("reference", "llvm"), second.reason
    for name in first.bits:
        assert first.bits[name].tolist() == second.bits[name].tolist(), name
    found = {name: first.outputs[name] for name in first.outputs}
    if first.killed is not None and second.killed is not None:
        assert first.killed.tolist() == second.killed.tolist()
        found["killed"] = first.killed.astype(np.float32)
    return found


def row(source: str, inputs: Mapping[str, Any] | None = None, *, output: str = "position", **data: Any) -> list[float]:
    """The components of an output of the first lane."""
    return run(source, inputs, **data)[output][0].tolist()


def raw(grid: NDArray[np.uint32]) -> Words:
    return Words(grid)


def close(found: Sequence[float], expected: Sequence[float], tolerance: float = 1e-5) -> bool:
    """Whether all numbers are equal but for a relative error, or a small absolute one."""
    pairs = zip(found, expected, strict=True)
    return all(a == b or abs(a - b) <= tolerance * max(1.0, abs(b)) for a, b in pairs)
