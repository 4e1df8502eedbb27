"""Passes over vector programs: the same outputs, bit for bit, from fewer statements."""

from __future__ import annotations

from lanewise.compile.vector.dead import without_dead
from lanewise.compile.vector.forward import Forward
from lanewise.compile.vector.structure import structured
from lanewise.compile.vector.sums import fused, parted
from lanewise.core.record import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from lanewise.compile.vector.code import Program
    from lanewise.ssa.meaning import Numbers

V = TypeVar("V")


def simplified(
    program: Program, numbers: Numbers[V], *, mads: int | None = None, eager: bool = False, extremes: bool = True
) -> Program:
    """A program with what is known computed, nothing computed twice, and without what nothing needs.

    `mads`: of so many sums, products that nothing else reads are a part; by default of all. `eager`: arithmetic in place of
    conditionals also where that may take more. `extremes`: MIN and MAX of the target give the second of a NaN and a number, and
    of two zeros.
    """
    for _ in range(2):
        program = program._replace(body=structured(program.body))
        program = Forward(program, numbers, eager=eager, extremes=extremes).program()
        program = without_dead(program)
    program = fused(program)
    return program if mads is None else parted(program, mads)
