"""Runs of lanes in which each counts its own instructions: which of them do not end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.memory import address
from lanewise.llvm.movement import lane_of_vertex
from lanewise.pica200.engine.llvm.kernel import Call
from lanewise.pica200.engine.reference import BUDGET_SPENT, MANY_VERTICES, MOST_EMITTED, Fault, fault_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.llvm.kernel import Table
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.running import Columns
    from lanewise.pica200.ir.ssa import Block

MOST_BUDGET = (1 << 31) - 1
_NO_LIMIT = 1 << 62


class Spent(NamedTuple):
    """A lane that does not end within its budget. `repeated`: a repeating state may be why; only the reference engine can
    tell."""

    fault: Fault
    repeated: bool


def spent(
    compiled: Compiled, plan: Plan, table: Table, data: Columns, lanes: int, budget: int, more: Sequence[int] = ()
) -> dict[int, Spent]:
    """The lanes that do not end within their budgets.

    `data` has whole vectors: the last lane is repeated. `more` are the arguments of `emitting`. Nothing for a budget above
    `MOST_BUDGET`.
    """
    if budget > MOST_BUDGET or not lanes:
        return {}
    width = compiled.target.width
    count = whole(lanes, width)
    layouts = tuple((register, layout) for register, layout in data.layouts if register in plan.inputs)
    arrays = {register: data.arrays[register] for register, _ in layouts}
    outputs = {register: np.empty((count, 4), np.float32) for register in plan.outputs}
    flags = {register: np.empty(count, np.uint8) for register in plan.unsure}
    found = np.empty((4, count), np.int32)
    more = [*more, budget, *[address(row) for row in found]]
    kernel = compiled.kernel(plan, layouts, exact=True, counting=True)
    call = Call(kernel, table, count, arrays, outputs, flags, _NO_LIMIT, more)
    call.run_exactly(kernel, call.every_vector())
    order = np.arange(count).reshape(-1, width)[:, lane_of_vertex(width)].reshape(-1)[:lanes]
    faults: dict[int, Spent] = {}
    for lane in np.flatnonzero(found[0, order] >= 0).tolist():
        stopped, left, emitted, repeated = map(int, found[:, order[lane]])
        faults[lane] = Spent(_fault(plan.function.blocks[stopped], budget, left, emitted), bool(repeated))
    return faults


def whole(lanes: int, width: int) -> int:
    """The number of lanes of whole vectors."""
    return -(-lanes // width) * width


def _fault(block: Block, budget: int, left: int, emitted: int) -> Fault:
    """The fault of a lane that had `left` steps at the start of the block that it could not finish."""
    step, code = left, BUDGET_SPENT
    if emitted + len(block.emits) > MOST_EMITTED:
        first = block.emits[MOST_EMITTED - emitted].step
        if first < left:
            step, code = first, MANY_VERTICES
    place = step
    for state, size in block.states:
        if place < size:
            return fault_at(code, state._replace(pc=state.pc + place), budget - left + step)
        place -= size
    raise ValueError("a lane stops within its block")
