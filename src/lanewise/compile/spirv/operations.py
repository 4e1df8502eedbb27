"""The instructions of SPIR-V in operations of the vector program.

`OPERATIONS` has a function for each; it takes the context, the instruction and the values of its operands. Flow and memory are
elsewhere.
"""

from __future__ import annotations

from lanewise.compile.spirv import integers
from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.values import Known, Scalar, Value, negated
from lanewise.compile.vector.code import ADD, AND, EQ, LE, LT, MAD, MUL, NE, NOT, OR, RCP, SELECT, Ref
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.context import Context


def negative(value: Value) -> Value:
    return tuple([negated(scalar) for scalar in value])


def splat(number: float, like: Value) -> Value:
    return (Known(number),) * len(like)


def reciprocal(context: Context, value: Value) -> Value:
    return context.emitter.operate(RCP, value)


def quotient(context: Context, a: Value, b: Value) -> Value:
    """a / b: by the reciprocal of b."""
    return context.emitter.operate(MUL, a, reciprocal(context, b))


def _add(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(ADD, *values)


def _subtract(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(ADD, values[0], negative(values[1]))


def _multiply(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(MUL, *values)


def _divide(context: Context, _: Instruction, values: list[Value]) -> Value:
    return quotient(context, *values)


def _scale(context: Context, _: Instruction, values: list[Value]) -> Value:
    """A vector or matrix times a scalar."""
    _expect(values[1], 1)
    return context.emitter.operate(MUL, values[0], values[1] * len(values[0]))


def _dot(context: Context, _: Instruction, values: list[Value]) -> Value:
    return (context.emitter.dot(*values),)


def columns(value: Value, height: int) -> list[Value]:
    """The columns of a matrix. Raises Malformed."""
    _expect_whole(value, height)
    return [value[at : at + height] for at in range(0, len(value), height)]


def transposed(value: Value, height: int) -> Value:
    """A matrix with rows and columns exchanged. Raises Malformed."""
    _expect_whole(value, height)
    return tuple([value[at] for row in range(height) for at in range(row, len(value), height)])


def _sources(vectors: list[Value]) -> int:
    """How many values the vectors are gathered from, beyond one each."""
    return sum([len({(s.value, s.negated) if isinstance(s, Ref) else None for s in vector}) for vector in vectors])


def times_vector(context: Context, matrix: list[Value], vector: Value) -> Value:
    """The sum of the columns of a matrix, each times a component: by dot products where rows are values already, else by sums
    of columns."""
    height = len(matrix[0])
    rows = [tuple([column[row] for column in matrix]) for row in range(height)]
    if len(matrix) != len(vector):
        raise Malformed("a matrix and a vector have different sizes")
    if _sources(rows) <= _sources(matrix):
        return tuple([context.emitter.dot(row, vector) for row in rows])
    total: Value | None = None
    for column, component in zip(matrix, vector, strict=True):
        factor = (component,) * height
        total = (
            context.emitter.operate(MUL, column, factor)
            if total is None
            else context.emitter.operate(MAD, column, factor, total)
        )
    return total or ()


def _matrix_times_vector(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return _in_turn(context, columns(values[0], context.module.size(instruction.type)), values[1], instruction)


def _vector_times_matrix(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    height = len(values[0])
    return _in_turn(context, columns(transposed(values[1], height), len(values[1]) // height), values[0], instruction)


def _in_turn(context: Context, matrix: list[Value], vector: Value, instruction: Instruction) -> Value:
    """A matrix times a vector: where the matrix is a product, by one factor after the other; where the vector is one, by the
    product of matrices."""
    chains = context.chains
    factors = chains.factors(matrix, instruction)
    if factors is not None:
        return _in_turn(context, factors.left, _in_turn(context, factors.right, vector, instruction), instruction)
    joined = chains.joined(matrix, vector, instruction)
    if joined is not None:
        factors, vector = joined
        matrix = [times_vector(context, factors.left, column) for column in factors.right]
    result = times_vector(context, matrix, vector)
    chains.keep(result, matrix, vector, instruction)
    return result


def _matrix_times_matrix(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    matrix = context.module.type(instruction.type)
    if matrix.kind != "matrix":
        raise Malformed("a product of matrices is not a matrix")
    height = context.module.size(matrix.element)
    left = columns(values[0], height)
    right = columns(values[1], len(values[1]) // matrix.length)
    product = [times_vector(context, left, column) for column in right]
    context.chains.note(product, left, right, instruction)
    return tuple([scalar for column in product for scalar in column])


def _transpose(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return transposed(values[0], context.module.type(instruction.type).length)


def _outer(context: Context, _: Instruction, values: list[Value]) -> Value:
    found: list[Scalar] = []
    for scalar in values[1]:
        found += context.emitter.operate(MUL, values[0], (scalar,) * len(values[0]))
    return tuple(found)


# Comparisons. Those of the vector program are false for NaN, but NE.


def _ordered(op: str, swap: bool) -> Callable[[Context, Instruction, list[Value]], Value]:
    """A comparison that is false where an operand is NaN."""
    return lambda context, _, values: context.emitter.operate(op, *(values[::-1] if swap else values))


def _unordered(op: str, swap: bool) -> Callable[[Context, Instruction, list[Value]], Value]:
    """A comparison that is true where an operand is NaN: the opposite one is false."""
    return lambda context, _, values: context.emitter.operate(
        NOT, context.emitter.operate(op, *(values[::-1] if swap else values))
    )


def _less_or_greater(context: Context, _: Instruction, values: list[Value]) -> Value:
    a, b = values
    return context.emitter.operate(OR, context.emitter.operate(LT, a, b), context.emitter.operate(LT, b, a))


def _equal_or_unordered(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(NOT, _less_or_greater(context, instruction, values))


def is_nan(context: Context, value: Value) -> Value:
    return context.emitter.operate(NE, value, value)


def _is_nan(context: Context, _: Instruction, values: list[Value]) -> Value:
    return is_nan(context, values[0])


def _is_infinite(context: Context, _: Instruction, values: list[Value]) -> Value:
    value = values[0]
    one = context.emitter.operate(EQ, value, splat(float("inf"), value))
    return context.emitter.operate(OR, one, context.emitter.operate(EQ, value, splat(float("-inf"), value)))


def _unordered_pair(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(OR, is_nan(context, values[0]), is_nan(context, values[1]))


def _ordered_pair(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(NOT, _unordered_pair(context, instruction, values))


# Truths


def _both(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(AND, *values)


def _either(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(OR, *values)


def _not(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(NOT, *values)


def _same_truth(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(EQ, *values)


def _other_truth(context: Context, _: Instruction, values: list[Value]) -> Value:
    return context.emitter.operate(NE, *values)


def _any(context: Context, _: Instruction, values: list[Value]) -> Value:
    return (_fold(context, OR, values[0]),)


def _all(context: Context, _: Instruction, values: list[Value]) -> Value:
    return (_fold(context, AND, values[0]),)


def _fold(context: Context, op: str, value: Value) -> Scalar:
    total = value[0]
    for scalar in value[1:]:
        total = context.emitter.scalar(op, total, scalar)
    return total


def _select(context: Context, _: Instruction, values: list[Value]) -> Value:
    condition, yes, no = values
    if len(condition) == 1:
        if context.is_flag(condition[0]) and not all(
            isinstance(scalar, Known) and scalar.value in (0, 1) for scalar in (*yes, *no)
        ):
            return context.select_by_flag(condition[0], yes, no)
        condition *= len(yes)
    return context.emitter.operate(SELECT, condition, yes, no)


# Composites


def _construct(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    components = tuple([scalar for value in values for scalar in value])
    _expect(components, context.module.size(instruction.type))
    return components


def _shuffle(_: Context, instruction: Instruction, values: list[Value]) -> Value:
    both = values[0] + values[1]
    chosen = instruction.words[2:]
    if any(number != 0xFFFFFFFF and number >= len(both) for number in chosen):
        raise Malformed("a shuffle names a component that its operands do not have")
    return tuple([None if number == 0xFFFFFFFF else both[number] for number in chosen])


def _copy(_: Context, _instruction: Instruction, values: list[Value]) -> Value:
    return values[0]


def _negate(_: Context, _instruction: Instruction, values: list[Value]) -> Value:
    return negative(values[0])


_WITHOUT_BITS = "compute with floats: sign(x) is the sign, floor(log2(abs(x))) the exponent"


def _bitcast(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    if context.module.scalar(instruction.type).kind == "int" and context.kinds.get(instruction.words[0]) == "int":
        return integers.wrapped(context, instruction, values[0])
    context.report("S008", "the bits of a float are not available on the target", instruction, _WITHOUT_BITS)
    return splat(0.0, values[0])


def _mod(context: Context, _: Instruction, values: list[Value]) -> Value:
    from lanewise.compile.spirv.functions import floored_rest

    return floored_rest(context, *values)


def _rem(context: Context, _: Instruction, values: list[Value]) -> Value:
    from lanewise.compile.spirv.functions import cut_rest

    return cut_rest(context, *values)


def _expect_whole(value: Value, height: int) -> None:
    if height < 1 or not value or len(value) % height:
        raise Malformed(f"a matrix has {len(value)} components: expected columns of {height}")


def _expect(value: Value, size: int) -> None:
    if len(value) != size:
        raise Malformed(f"a value has {len(value)} components: expected {size}")


OPERATIONS: Mapping[str, Callable[[Context, Instruction, list[Value]], Value]] = {
    "OpFAdd": _add,
    "OpFSub": _subtract,
    "OpFMul": _multiply,
    "OpFDiv": _divide,
    "OpFNegate": _negate,
    "OpFMod": _mod,
    "OpFRem": _rem,
    "OpVectorTimesScalar": _scale,
    "OpMatrixTimesScalar": _scale,
    "OpDot": _dot,
    "OpMatrixTimesVector": _matrix_times_vector,
    "OpVectorTimesMatrix": _vector_times_matrix,
    "OpMatrixTimesMatrix": _matrix_times_matrix,
    "OpTranspose": _transpose,
    "OpOuterProduct": _outer,
    "OpFOrdEqual": _ordered(EQ, False),
    "OpFOrdLessThan": _ordered(LT, False),
    "OpFOrdGreaterThan": _ordered(LT, True),
    "OpFOrdLessThanEqual": _ordered(LE, False),
    "OpFOrdGreaterThanEqual": _ordered(LE, True),
    "OpFOrdNotEqual": _less_or_greater,
    "OpFUnordNotEqual": _ordered(NE, False),
    "OpFUnordLessThan": _unordered(LE, True),
    "OpFUnordGreaterThan": _unordered(LE, False),
    "OpFUnordLessThanEqual": _unordered(LT, True),
    "OpFUnordGreaterThanEqual": _unordered(LT, False),
    "OpFUnordEqual": _equal_or_unordered,
    "OpLessOrGreater": _less_or_greater,
    "OpIsNan": _is_nan,
    "OpIsInf": _is_infinite,
    "OpOrdered": _ordered_pair,
    "OpUnordered": _unordered_pair,
    "OpLogicalAnd": _both,
    "OpLogicalOr": _either,
    "OpLogicalNot": _not,
    "OpLogicalEqual": _same_truth,
    "OpLogicalNotEqual": _other_truth,
    "OpAny": _any,
    "OpAll": _all,
    "OpSelect": _select,
    "OpCompositeConstruct": _construct,
    "OpVectorShuffle": _shuffle,
    "OpCopyObject": _copy,
    "OpCopyLogical": _copy,
    "OpExpectKHR": _copy,
    "OpFConvert": _copy,
    "OpQuantizeToF16": _copy,
    "OpBitcast": _bitcast,
    **integers.OPERATIONS,
}
