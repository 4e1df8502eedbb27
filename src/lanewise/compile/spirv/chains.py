"""Products of matrices that a vector is multiplied by: `(A * B) * v` is `A * (B * v)`, which takes fewer operations.

The two differ in rounding only, which GLSL and HLSL permit where nothing says `precise` or `invariant`. A product is known by
its columns and its rows, so that it is found wherever its components have been: in a variable, in `mat3(A * B)`, transposed.
Whether it pays is for the one who lowers to see: the product may be needed besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.spirv.module import INVARIANT, NO_CONTRACTION
from lanewise.compile.vector.code import Ref

if TYPE_CHECKING:
    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.module import Module
    from lanewise.compile.spirv.values import Value
    from lanewise.core.source import Span


class Factors(NamedTuple):
    """A matrix as a product of two, both by columns."""

    left: list[Value]
    right: list[Value]


class Chains:
    """The vectors that are a column or a row of a product of matrices."""

    def __init__(self, module: Module, reassociate: bool) -> None:
        self._module = module
        self._wanted = reassociate and not module.says(INVARIANT)
        self._made: dict[Value, tuple[list[Value], Value]] = {}  # by a product: its matrix and its vector
        self.taken: dict[Span, None] = {}  # where products were taken apart

    def note(self, product: list[Value], left: list[Value], right: list[Value], instruction: Instruction) -> None:
        """A product of two matrices has been computed, all three by columns."""
        if not self._free(instruction):
            return
        for column, factor in zip(product, right, strict=True):
            self._keep(column, left, factor)
        rows = _rows(right)
        for row, factor in zip(_rows(product), _rows(left), strict=True):
            self._keep(row, rows, factor)

    def _keep(self, vector: Value, matrix: list[Value], factor: Value) -> None:
        """The first components of a vector, as of `mat3(A * B)`, are the product of the first rows of the matrix."""
        if all(isinstance(scalar, Ref) for scalar in vector):
            for height in range(2, len(vector) + 1):
                self._made.setdefault(vector[:height], ([column[:height] for column in matrix], factor))

    def factors(self, matrix: list[Value], instruction: Instruction) -> Factors | None:
        """The product that a matrix is, where a vector may be multiplied by one after the other."""
        if not self._free(instruction):
            return None
        found = [self._made.get(column) for column in matrix]
        first = found[0]
        if first is None or any(each is None or each[0] != first[0] for each in found):
            return None
        self.taken[self._module.place(instruction)] = None
        return Factors(first[0], [each[1] for each in found if each is not None])

    def _free(self, instruction: Instruction) -> bool:
        """Whether nothing says that an operation is done as it is written."""
        return self._wanted and self._module.decoration(instruction.result, NO_CONTRACTION) is None


def _rows(matrix: list[Value]) -> list[Value]:
    return [tuple([column[row] for column in matrix]) for row in range(len(matrix[0]))]
