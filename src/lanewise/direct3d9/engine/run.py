"""Run a Direct3D 9 shader on the requested engine, or on the best one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.arrays.lists import table
from lanewise.core import events
from lanewise.core.engines import ENGINES, unknown_engine
from lanewise.core.extras import only_reference
from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.isa.table import LOOP, register_name
from lanewise.direct3d9.sem.tree import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.direct3d9.engine.data import Data, Raw
    from lanewise.direct3d9.sem.algebra import Component
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow

# Registers whose patterns are whole numbers: addresses, and 0 or 1 in the predicate.
WHOLE_NUMBERS = dict.fromkeys(("a0", "p0", "aL", *[f"aL{depth}" for depth in range(1, DEEPEST)]), "int32")
FEW = 64  # lanes for which nothing is compiled that is not compiled already


def run_shader(
    flow: Flow,
    rule: Rule,
    data: Data,
    outputs: Sequence[tuple[int, int]],
    *,
    kills: bool,
    engine: str = "auto",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Raw, str, str]:
    """The results, the engine, and the reason why it was not llvm (empty if it was not requested). Raises InputError,
    ValueError."""
    if engine not in ENGINES:
        raise unknown_engine(engine)
    reason = ""
    if engine != "reference" and only_reference(engine):
        engine = "reference"
    if engine == "llvm" or (engine == "auto" and _worth_it(flow, rule, data, outputs)):
        from lanewise.direct3d9.engine.llvm import kernel as kernels  # llvmlite takes its time to import

        found = kernels.run(flow, rule, data, outputs, kills=kills)
        if not isinstance(found, str):
            return found, "llvm", ""
        reason = found
        events.info(events.ENGINES, "the reference engine runs a shader that is not compiled: %s", reason)
    return reference.run(flow, rule, data, outputs, kills=kills, progress=progress), "reference", reason


def registers_at_end(flow: Flow, rule: Rule, data: Data) -> dict[str, NDArray[np.uint32]]:
    """Patterns of (lanes, components) of every register that the shader has written, by name, from the reference engine.

    Components that were not written are 0; address registers are integers with a sign, p0 has 0 and 1, aL1 is the aL of a loop
    in another. Samplers that are functions are called again. Raises InputError as the run does.
    """
    kept: dict[Component, list[int]] = {}
    reference.run(flow, rule, data, (), kept=kept)
    found: dict[str, list[list[int]]] = {}
    for cell in sorted(kept):
        if cell.file == LOOP:
            found[f"aL{cell.number or ''}"] = [kept[cell]]
            continue
        name = register_name(flow.version, cell.file, cell.number) or f"file{cell.file}_{cell.number}"
        found.setdefault(name, [[0] * data.lanes] * 4)[cell.component] = kept[cell]
    return {name: table(list(zip(*columns, strict=True)), "u", len(columns)) for name, columns in found.items()}


def _worth_it(flow: Flow, rule: Rule, data: Data, outputs: Sequence[tuple[int, int]]) -> bool:
    if data.lanes >= FEW:
        return True
    if "lanewise.direct3d9.engine.llvm.kernel" not in sys.modules:
        return False
    from lanewise.direct3d9.engine.llvm import kernel as kernels

    return kernels.is_ready(flow, rule, data, outputs)
