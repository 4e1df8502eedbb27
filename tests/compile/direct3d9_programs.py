"""Direct3D 9 programs for tests of the compiler: sources, random data with edge values, both sides compared."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from lanewise.compile.shadercore.comparing import Difference, compare
from lanewise.compile.shadercore.direct3d9 import Compiled, Options, Result, compile_shader
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.sem.tree import Flow, resolve
from lanewise.direct3d9.text.reader import read_source_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.direct3d9.isa.program import Shader
    from lanewise.shadercore.isa.devices import Device

EDGES = (
    0,
    0x80000000,
    1,
    0x80400000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFC12345,
    0x3F800000,
    0xBF800000,
    0x3F000000,
    0x7F7FFFFF,
    0x00800000,
    0x40000000,
    0x3FC00000,
    0xC0200000,
)
# Instructions that are routines on a device that lacks them, whose bits are not those of the words.
ROUTINES = {"rcp", "rsq", "exp", "log", "expp", "logp", "pow", "nrm", "lit"}


def shader_of(source: str) -> Shader:
    result = read_source_text(source, "test")
    assert result.shader is not None, [d.message for d in result.diagnostics]
    return result.shader


def flow_of(shader: Shader) -> Flow:
    flow, found = resolve(shader, "test")
    assert flow is not None, [d.message for d in found]
    return flow


def compiled(source: str, device: Device, options: Options | None = None, strategy: str = "optimised") -> Compiled:
    result: Result = compile_shader(shader_of(source), device, options, strategy=strategy)
    assert result.compiled is not None, [d.message for d in result.diagnostics]
    return result.compiled


def refusal(source: str, device: Device, options: Options | None = None) -> tuple[str, str, str]:
    """(code, message, cure) of the finding that a shader is refused with."""
    result = compile_shader(shader_of(source), device, options)
    assert result.compiled is None
    (found,) = result.diagnostics
    return found.code, found.message, found.fix


def patterns(rng: random.Random, rows: int, *, edges: float = 0.25, low: float = -4.0, high: float = 4.0) -> NDArray[np.uint32]:
    """(rows, 4) patterns: numbers of a range, some of them edges."""
    numbers = np.array([[rng.uniform(low, high) for _ in range(4)] for _ in range(rows)], np.float32).view(np.uint32)
    for row in numbers:
        for component in range(4):
            if rng.random() < edges:
                row[component] = rng.choice(EDGES)
    return numbers


def data_for(
    one: Compiled,
    flow: Flow,
    rng: random.Random,
    *,
    lanes: int = 32,
    edges: float = 0.25,
    numbers: tuple[float, float] = (-4.0, 4.0),
    counts: dict[int, int] | None = None,
    booleans: dict[int, bool] | None = None,
    only: range | None = None,
) -> Data:
    """Random data. `only`: the constants that there are, beside those that the shader defines; by default all of c0 to c255."""
    inputs = {(p.file, p.number): patterns(rng, lanes, edges=edges, low=numbers[0], high=numbers[1]) for p in one.inputs}
    grid = patterns(rng, 256, edges=edges / 2)
    constants = {n: tuple(map(int, grid[n])) for n in (range(256) if only is None else only)}
    integers = {n: (count, 0, 1, 0) for n, count in (counts or {}).items()}
    return Data(
        lanes=lanes,
        inputs=inputs,
        constants=constants | dict(flow.constants),
        integers=integers,
        booleans=booleans or {},
        bumps={},
        samplers={},
    )


def differences(
    source: str,
    device: Device,
    options: Options | None = None,
    *,
    seed: int = 1,
    runs: int = 2,
    strategy: str = "optimised",
    **how: object,
) -> list[Difference]:
    """Where the compiled shader gives other bits than the shader under the device's rule."""
    rng = random.Random(seed)
    shader = shader_of(source)
    flow = flow_of(shader)
    one = compiled(source, device, options, strategy)
    found: list[Difference] = []
    for _ in range(runs):
        found += compare(one, flow, data_for(one, flow, rng, **how))  # pyright: ignore[reportArgumentType]
    return found
