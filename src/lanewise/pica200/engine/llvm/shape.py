"""Shape of a kernel: how code is generated from a plan. All shapes give the same bits.

`QUICK` compiles fast. `best` is the shape that runs fastest as far as the plan tells, and takes longer to compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.engine.llvm.rules import ORDINARY

if TYPE_CHECKING:
    from lanewise.llvm.target import Target
    from lanewise.pica200.engine.llvm.plan import Plan

BLOCK = 16  # vertices of a block: lists of what a kernel could not do have the first vertex of each, whatever the shape


class Shape(NamedTuple):
    """Parameters of code generation.

    `width` is the number of lanes of a vector, one block or several blocks that are computed side by side. Uniforms are assumed to be below
    2**`uniforms`: with others the kernel must not run.
    """

    width: int = BLOCK
    uniforms: float = ORDINARY


QUICK = Shape()


def best(plan: Plan, target: Target) -> Shape:
    """The shape with the fastest code."""
    return QUICK
