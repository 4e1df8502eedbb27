"""Shape of a kernel: how code is generated from a plan. All shapes give the same bits.

`QUICK` compiles fast. `best` is the shape that runs fastest as far as the plan tells, and takes longer to compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.engine.llvm.rules import ORDINARY

if TYPE_CHECKING:
    from lanewise.llvm.target import Target
    from lanewise.pica200.engine.llvm.plan import Plan

MOST_WIDE = 600  # values of a program, beyond which the time of compilation counts for more
_SLOW = frozenset(("rcp", "rsq", "exp2", "log2"))  # operations of many instructions, one after the other
BLOCK = 16  # vertices of a block: lists of what a kernel could not do have the first vertex of each, whatever the shape
SMALL = (
    12.0  # kernels for uniforms below 2**SMALL have fewer checks: three products of an ordinary number with uniforms need none
)


class Shape(NamedTuple):
    """Parameters of code generation.

    `width` is the number of lanes of a vector, one block or several blocks that are computed side by side. Uniforms are assumed to be below
    2**`uniforms`: with others the kernel must not run. `joined`: loads, the first block of the program, and the last one with its stores are one
    block for LLVM where that is possible, which takes it longer and gives it more to choose from.
    """

    width: int = BLOCK
    uniforms: float = ORDINARY
    joined: bool = False


QUICK = Shape()


def best(plan: Plan, target: Target, uniforms: float = ORDINARY) -> Shape:
    """The shape with the fastest code, for uniforms below 2**`uniforms`."""
    return Shape(2 * BLOCK if _is_wide(plan, target) else BLOCK, uniforms, joined=plan.emission is None)


def _is_wide(plan: Plan, target: Target) -> bool:
    """Whether two blocks side by side take less time: where long chains of operations depend on each other, and there are 32 registers."""
    if plan.emission is not None or plan.loops or not target.embedded_rounding:
        return False
    nodes, blocks = plan.needs.nodes, plan.function.blocks
    if sum(map(len, nodes)) > MOST_WIDE:
        return False
    if plan.function.profile.rounding == "nearest":
        return True
    return any(block.nodes[value][0] in _SLOW for block, needed in zip(blocks, nodes, strict=True) for value in needed)
