"""Products of matrices that a vector is multiplied by: `(A * B) * v` is `A * (B * v)`, which takes fewer operations. Where a
preamble computes what depends on uniforms only, it is the other way round: `A * (B * v)` is `(A * B) * v`.

The two differ in rounding only, which GLSL and HLSL permit where nothing says `precise` or `invariant`. A product is known by
its columns and its rows, so that it is found wherever its components have been: in a variable, in `mat3(A * B)`, transposed.
Whether it pays is for the one who lowers to see: the product may be needed besides.
"""

from __future__ import annotations

from lanewise.compile.spirv.module import INVARIANT, NO_CONTRACTION
from lanewise.compile.spirv.values import Known, negated
from lanewise.compile.vector.code import DOT, Number, Operate, Ref, Row, Truth
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.emit import Emitter
    from lanewise.compile.spirv.module import Module
    from lanewise.compile.spirv.values import Scalar, Value
    from lanewise.core.source import Span

# The order of products: as the source has it; a vector by one matrix after the other; matrices of uniforms first.
SOURCE, APART, JOINED = "source", "apart", "joined"


class Factors(Record):
    """A matrix as a product of two, both by columns."""

    left: list[Value]
    right: list[Value]


class Product(Record):
    """The sum of a row of a matrix, each times a component of a vector."""

    row: Value
    vector: Value


class Chains:
    """The vectors that are a column or a row of a product of matrices, and the components of products with a vector."""

    def __init__(self, module: Module, emitter: Emitter, order: str) -> None:
        self._module, self._emitter = module, emitter
        self._order = SOURCE if order == SOURCE or module.says(INVARIANT) else order
        # By a product its matrix and its vector: several where a column of a matrix is that of another, as in `A * rotation`.
        self._factors: dict[Value, list[tuple[list[Value], Value]]] = {}
        self._products: dict[Ref, Product] = {}  # of matrices of uniforms with vectors that are none
        self._alike: dict[tuple[int, int], bool] = {}  # by value and lane: whether it is the same for all vertices
        self.taken: dict[Span, None] = {}  # where products were taken apart, or joined
        self.alike: dict[Span, None] = {}  # of products that were taken apart, those that are the same for all vertices

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
                found = self._factors.setdefault(vector[:height], [])
                pair = [column[:height] for column in matrix], factor
                if pair not in found:
                    found.append(pair)

    def factors(self, matrix: list[Value], instruction: Instruction) -> Factors | None:
        """The product that a matrix is, where a vector may be multiplied by one after the other."""
        if not self._free(instruction) or (self._order == JOINED and self._uniform(matrix)):
            return None
        found = [self._factors.get(column, []) for column in matrix]
        for left, _ in found[0]:
            right = [next((factor for other, factor in each if other == left), None) for each in found]
            columns = [factor for factor in right if factor is not None]
            if len(columns) == len(right):
                self.taken[self._module.place(instruction)] = None
                if self._uniform(matrix):
                    self.alike[self._module.place(instruction)] = None
                return Factors(left, columns)
        return None

    def keep(self, result: Value, matrix: list[Value], vector: Value, instruction: Instruction) -> None:
        """A matrix times a vector has been computed."""
        if self._order != JOINED or not self._free(instruction) or not self._uniform(matrix) or self._uniform([vector]):
            return
        for scalar, row in zip(result, _rows(matrix), strict=True):
            if isinstance(scalar, Ref):
                self._products.setdefault(scalar, Product(row, vector))

    def joined(self, matrix: list[Value], vector: Value, instruction: Instruction) -> tuple[Factors, Value] | None:
        """The matrices whose product may be computed first, where a vector is a matrix times another, and that one. A 1 in it
        stands for constants in the first, as in `vec4((M * v).xyz, 1.0)`."""
        if self._order != JOINED or not self._free(instruction) or not self._uniform(matrix):
            return None
        inner = next((product.vector for product in map(self._product, vector) if product is not None), None)
        if inner is None or not all(map(self._emitter.visible, inner)):
            return None
        one = next((n for n, scalar in enumerate(inner) if scalar == Known(1)), -1)
        rows: list[Value] = []
        for scalar in vector:
            product = self._product(scalar)
            if product is not None and product.vector == inner:
                rows.append(product.row)
            elif isinstance(scalar, Known) and one >= 0:
                rows.append(tuple([scalar if n == one else Known(0.0) for n in range(len(inner))]))
            else:
                return None
        if not all(self._emitter.visible(scalar) for row in rows for scalar in row):
            return None
        self.taken[self._module.place(instruction)] = None
        return Factors(matrix, _rows(rows)), inner

    def _product(self, scalar: Scalar) -> Product | None:
        if not isinstance(scalar, Ref):
            return None
        found = self._products.get(scalar)
        turned = self._products.get(scalar.turned()) if found is None else None
        return found if turned is None else Product(tuple([negated(each) for each in turned.row]), turned.vector)

    def _uniform(self, vectors: list[Value]) -> bool:
        """Whether all components are the same for all vertices, as far as that is seen without flow of control."""
        return all(self._is_alike(scalar) for vector in vectors for scalar in vector)

    def _is_alike(self, scalar: Scalar) -> bool:
        if not isinstance(scalar, Ref):
            return True
        place = scalar.value, scalar.lane
        if place not in self._alike:
            found = self._emitter.definitions.get(scalar.value)
            if isinstance(found, Operate):
                sides = found.operands if found.op == DOT else [(operand[scalar.lane],) for operand in found.operands]
                self._alike[place] = self._uniform(list(sides))
            else:
                self._alike[place] = isinstance(found, (Number, Truth)) or (
                    isinstance(found, Row) and (found.offset is None or self._is_alike(found.offset))
                )
        return self._alike[place]

    def _free(self, instruction: Instruction) -> bool:
        """Whether nothing says that an operation is done as it is written."""
        return self._order != SOURCE and self._module.decoration(instruction.result, NO_CONTRACTION) is None


def _rows(matrix: list[Value]) -> list[Value]:
    return [tuple([column[row] for column in matrix]) for row in range(len(matrix[0]))]
