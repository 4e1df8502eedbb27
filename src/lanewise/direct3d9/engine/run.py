"""Run a Direct3D 9 shader on the requested engine, or on the best one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.core.engines import ENGINES
from lanewise.direct3d9.engine import reference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.direct3d9.engine.data import Data, Raw
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow

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
    """The results, the engine, and the reason why it was not llvm (empty if it was not requested). Raises InputError, ValueError."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine '{engine}': use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}")
    reason = ""
    if engine == "llvm" or (engine == "auto" and _worth_it(flow, rule, data, outputs)):
        from lanewise.direct3d9.engine.llvm import kernel as kernels  # llvmlite takes its time to import

        found = kernels.run(flow, rule, data, outputs, kills=kills)
        if not isinstance(found, str):
            return found, "llvm", ""
        reason = found
    return reference.run(flow, rule, data, outputs, kills=kills, progress=progress), "reference", reason


def _worth_it(flow: Flow, rule: Rule, data: Data, outputs: Sequence[tuple[int, int]]) -> bool:
    if data.lanes >= FEW:
        return True
    if "lanewise.direct3d9.engine.llvm.kernel" not in sys.modules:
        return False
    from lanewise.direct3d9.engine.llvm import kernel as kernels

    return kernels.is_ready(flow, rule, data, outputs)
