"""Running a ShaderCore program over vertices, on the engine that suits: `run_waves`.

`engine.wave` is the definition. Vertices are cut into waves of 16 from the start of the call, so what comes out is a matter of this call alone,
whichever engine runs it and on however many threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.engine.wave import Core, run_vertices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.engine.wave import Register
    from lanewise.isa.shadercore import Inst
    from lanewise.isa.shadercore_devices import Device

AUTO, REFERENCE, LLVM = ENGINES = ("auto", "reference", "llvm")


def run_waves(
    insts: Sequence[Inst],
    device: Device,
    constants: Mapping[tuple[int, int], int],
    inputs: Mapping[tuple[int, int], NDArray[np.uint32]],
    count: int,
    *,
    initial: Mapping[Register, Sequence[int]] | None = None,
    engine: str = AUTO,
    threads: int = 1,
) -> dict[Register, NDArray[np.uint32]]:
    """The exported patterns of `count` vertices, in order, by (file, number, component).

    `constants` are patterns by (number, component), 0 where none is given; `inputs` by (number, component) of the v registers, one pattern
    for each vertex. `initial`: what registers hold before the first wave, in 16 lanes, 0 by default. Raises Hang when the program never ends; ValueError for
    fewer than one vertex, inputs of another length, an engine that does not exist, or no thread.
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine '{engine}': it is {', '.join(ENGINES)}")
    if threads < 1:
        raise ValueError(f"threads is {threads}: at least 1")
    for (number, component), values in inputs.items():
        if len(values) != count:
            raise ValueError(f"v{number}.{'xyzw'[component]} has {len(values)} values for {count} vertices")
    core = Core(insts, device, constants, initial)
    found = run_vertices(core, {place: values.tolist() for place, values in inputs.items()}, count)
    return {place: np.array(values, np.uint32) for place, values in found.items()}
