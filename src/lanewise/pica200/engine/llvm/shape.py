"""Shape of a kernel: how code is generated from a plan. All shapes give the same bits.

`quick_shape` compiles fast. `best` is the shape that runs fastest as far as the plan tells, and takes longer to compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.llvm.movers import has_movers
from lanewise.pica200.engine.llvm.rules import ORDINARY

if TYPE_CHECKING:
    from lanewise.llvm.target import Target
    from lanewise.pica200.engine.llvm.plan import Plan

BLOCK = 16  # vertices of a block: lists of what a kernel could not do have the first vertex of each, whatever the shape
# Kernels for uniforms below 2**SMALL have fewer checks: three products of an ordinary number with uniforms need none.
SMALL = 12.0
# Values of a program, beyond which two blocks do not have enough registers, or the time of compilation counts for more.
MOST_WIDE = 600
LEAST_WIDE = 100  # two blocks of a short program are there at once as it is
MOST_WHOLE = 256  # values of a program to nearest, beyond which 16 registers of half a block are too few for a whole one
_SLOW = frozenset(("rcp", "rsq", "exp2", "log2"))  # operations of many instructions, one after the other


class Shape(NamedTuple):
    """Parameters of code generation. With other uniforms than it assumes the kernel must not run."""

    width: int = BLOCK
    "Lanes of a vector: half a block, one, or several that are computed side by side."
    uniforms: float = ORDINARY
    "Uniforms are assumed to be below two to the power of it."
    joined: bool = False
    "Loads, the first block of the program, and the last one with its stores are one block for LLVM where that is possible."
    "It takes LLVM longer and gives it more to choose from."
    ordered: bool = False
    "Values are computed in the order of `ir.readiness`, not in that of the program."
    unclear: tuple[int, ...] | None = None
    "Places of uniforms, 4 * row + component, that are not assumed to be clear (`rules.Value`); None: all."
    moved: bool = False
    "Rows of four are loaded and stored by functions (`llvm.movers`): a call is compiled in a fifth of the time of a transpose,"
    "and a kernel has six."

    def has_clear(self, place: int | None = None) -> bool:
        """Whether the uniform at a place is clear; None: whether all are."""
        return self.unclear is not None and (place not in self.unclear if place is not None else not self.unclear)


QUICK = Shape()  # of code that counts, and of code that emits vertices


def quick_shape(plan: Plan, target: Target) -> Shape:
    """Return the shape that compiles fastest: LLVM divides no operation on a vector into several.

    Half a block took 0.66 of the time of a whole one on AVX2, and 0.56 on SSE (46 kernels of random programs, LLVM 22, November
    2026).
    """
    half = plan.emission is None and target.level in ("avx2", "sse")
    return Shape(BLOCK // 2 if half else BLOCK, moved=has_movers(target))


def best(plan: Plan, target: Target, uniforms: float = ORDINARY, unclear: tuple[int, ...] | None = None) -> Shape:
    """The shape with the fastest code, for uniforms below 2**`uniforms` that are clear but for those at `unclear`."""
    return _best(plan, target)._replace(uniforms=uniforms, unclear=unclear)


def _best(plan: Plan, target: Target) -> Shape:
    if plan.emission is not None:
        return Shape()
    nodes, blocks = plan.needs.nodes, plan.function.blocks
    slow = any(block.nodes[value][0] in _SLOW for block, needed in zip(blocks, nodes, strict=True) for value in needed)
    # To nearest each sum and product is a chain of operations that depend on each other. Two blocks side by side take less time
    # then, if there are 32 registers; but where unrolled loops keep many values, one block in a good order does. Else the order
    # finds enough to do in one block, and two take up to a fifth longer, as vectors are kept on the stack.
    nearest = plan.profile.rounding == "nearest"
    values = sum(map(len, nodes))
    many = values >= LEAST_WIDE
    if target.level == "sse":
        # Half a block is two registers a value; a whole one took 1.0 to 1.4 times as long (Zen 3 as x86-64-v2, November 2026).
        return Shape(BLOCK // 2, ordered=True)
    if target.level == "avx2":
        # Joined, an unrolled loop took 1.2 to 1.5 times as long: LLVM moves loads of uniforms away from where they are used,
        # and has no registers for them. To nearest the chains of both halves of a block are under way at once: of 47 public
        # shaders with 100 to 232 values halves took up to 1.35 times as long, and of seven with 294 and more 0.9 to 1.0 times,
        # since a whole one has its values on the stack (Zen 3, November 2026).
        half = nearest and values > MOST_WHOLE
        joined = slow and plan.profile.rounding == "zero" and bool(plan.lanes.regions)
        # In order, the same shaders took 0.97 of the time in float32, and as long toward zero; two with unrolled loops took
        # 0.93 and 0.98 (as above).
        return Shape(BLOCK // 2 if half else BLOCK, joined=joined, ordered=True)
    wide = nearest and not plan.loops and target.embedded_rounding and many and values <= MOST_WIDE
    # LLVM moves operations within what is one block for it, so a good order is better kept in several.
    joined = not nearest and ((slow and plan.profile.rounding == "zero") or (not slow and not plan.lanes.regions))
    return Shape(2 * BLOCK if wide else BLOCK, joined=joined, ordered=slow or nearest)
