"""Integers as numbers: whole numbers in floats, exact up to `Context.exact`.

The range of each is followed, and what may leave that of exact numbers is a finding. Known integers are computed as SPIR-V
does, in 32 bits.
"""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.context import LARGEST
from lanewise.compile.spirv.values import Known, Scalar, Value, negated
from lanewise.compile.vector.code import ADD, EQ, FLOOR, LE, LT, MAD, MAX, MIN, MUL, NE, RCP, SELECT, TRUNC
from lanewise.core.diagnostics import WARNING
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.context import Context
    from lanewise.compile.spirv.module import Type

_Range = tuple[int, int]


def wrap(value: int, kind: Type) -> int:
    """A whole number in the bits of its type."""
    bits = value & 0xFFFFFFFF
    return bits - (1 << 32) if kind.signed and bits >> 31 else bits


def wrapped(context: Context, instruction: Instruction, value: Value) -> Value:
    """A value between int and uint. Computed numbers are unchanged: those below 0 have no unsigned number here."""
    kind = context.module.scalar(instruction.type)
    return tuple([Known(wrap(int(scalar.value), kind)) if isinstance(scalar, Known) else scalar for scalar in value])


def _convert(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return wrapped(context, instruction, values[0])


def bounded(context: Context, instruction: Instruction, value: Value, ranges: list[_Range], kind: Type | None = None) -> Value:
    """Note the range of each component, and report one that numbers do not hold exactly."""
    most = context.exact
    for scalar, (low, high) in zip(value, ranges, strict=True):
        if isinstance(scalar, Known):
            continue
        if max(high, -low) > most:
            _inexact(context, instruction, f"an integer may exceed {most:,} here, and is not exact then")
        elif kind is not None and not kind.signed and low < 0:
            context.report(
                "S009",
                "an unsigned integer may be less than 0 here: integers of the target do not wrap around",
                instruction,
                "use int",
                WARNING,
            )
            low = 0  # noqa: PLW2901
        context.set_range(scalar, max(low, -most), min(high, most))
    return value


def _inexact(context: Context, instruction: Instruction, message: str) -> None:
    fix = "keep numbers smaller, or use floats"
    if instruction.name == "OpIMul":
        fix = "keep products smaller: they do not wrap around; pseudo-random numbers are fract(x * 0.1031) of a float"
    context.report("S009", message, instruction, fix, WARNING)


def _arithmetic(
    op: str, fold: Callable[[int, int], int], second: Callable[[Scalar], Scalar] = lambda scalar: scalar
) -> Callable[[Context, Instruction, list[Value]], Value]:
    """Sums, differences and products."""

    def lower(context: Context, instruction: Instruction, values: list[Value]) -> Value:
        kind = context.module.scalar(instruction.type)
        found: list[Scalar] = []
        live: list[tuple[Scalar, Scalar]] = []
        ranges: list[_Range] = []
        for a, b in zip(*values, strict=True):
            if isinstance(a, Known) and isinstance(b, Known):
                found.append(Known(wrap(fold(int(a.value), int(b.value)), kind)))
                continue
            ends = [fold(x, y) for x in context.range_of(a, kind) for y in context.range_of(b, kind)]
            ranges.append((min(ends), max(ends)))
            live.append((a, second(b)))
            found.append(None)
        if live:
            results = bounded(context, instruction, context.emitter.operate(op, *zip(*live, strict=True)), ranges, kind)
            left = iter(results)
            found = [next(left) if scalar is None else scalar for scalar in found]
        return tuple(found)

    return lower


def _negate(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    kind = context.module.scalar(instruction.type)
    return tuple([Known(wrap(-int(s.value), kind)) if isinstance(s, Known) else negated(s) for s in values[0]])


def _compare(op: str, swap: bool, fold: Callable[[int, int], bool]) -> Callable[[Context, Instruction, list[Value]], Value]:
    def lower(context: Context, instruction: Instruction, values: list[Value]) -> Value:
        found: list[Scalar] = []
        for a, b in zip(*values, strict=True):
            if isinstance(a, Known) and isinstance(b, Known):
                found.append(Known(fold(int(a.value), int(b.value))))
                continue
            flag = context.flag_of(a, b, instruction) if op in (EQ, NE) else None
            found.append(flag if flag is not None else context.emitter.scalar(op, *((b, a) if swap else (a, b))))
        # Those that are computed are done together.
        live = [(a, b) for a, b, f in zip(*values, found, strict=True) if not isinstance(f, Known)]
        if len(live) > 1 and len(live) == len(found) and not any(context.is_flag(f) for f in found):
            return context.emitter.operate(op, *(values[::-1] if swap else values))
        return tuple(found)

    return lower


def _divided(context: Context, a: Value, b: Value) -> tuple[Value, Value]:
    """Quotient and rest of numbers that are not negative: exact, as the estimate is set right in both directions."""
    emitter = context.emitter
    factor = tuple([Known(1 / y.value) if isinstance(y, Known) and y.value else emitter.scalar(RCP, y) for y in b])
    quotient = emitter.operate(FLOOR, emitter.operate(MUL, a, factor))
    if _are_powers(b):
        return quotient, emitter.operate(MAD, tuple([negated(y) for y in b]), quotient, a)
    rest = emitter.operate(MAD, tuple([negated(q) for q in quotient]), b, a)
    over, under = emitter.operate(LE, b, rest), emitter.operate(LT, rest, (Known(0.0),) * len(a))
    step = emitter.operate(ADD, over, tuple([negated(u) for u in under]))
    return emitter.operate(ADD, quotient, step), emitter.operate(MAD, tuple([negated(s) for s in step]), b, rest)


def _are_powers(value: Value) -> bool:
    """Whether all are known powers of two, whose quotients are exact."""
    return all(isinstance(y, Known) and y.value > 0 and int(y.value) & (int(y.value) - 1) == 0 for y in value)


def _sign_and_size(context: Context, value: Value, kind: Type) -> tuple[Value | None, Value]:
    """Whether each component is negative (None: none is), and its size."""
    if all(context.range_of(scalar, kind)[0] >= 0 for scalar in value):
        return None, value
    emitter = context.emitter
    opposite = tuple([negated(scalar) for scalar in value])
    return emitter.operate(LT, value, (Known(0.0),) * len(value)), emitter.operate(MAX, value, opposite)


def _division(which: str) -> Callable[[Context, Instruction, list[Value]], Value]:
    """`quotient` rounds toward zero; `rest` has the sign of the first operand, `modulus` that of the second."""

    def lower(context: Context, instruction: Instruction, values: list[Value]) -> Value:
        a, b = values
        kind = context.module.scalar(instruction.type)
        if all(isinstance(x, Known) and isinstance(y, Known) and y.value for x, y in zip(a, b, strict=True)):
            return tuple(
                [
                    Known(wrap(_divide_known(which, int(x.value), int(y.value)), kind))
                    for x, y in zip(a, b, strict=True)
                    if isinstance(x, Known) and isinstance(y, Known)
                ]
            )
        emitter = context.emitter
        if not _are_powers(b) and any(max(*_size(context, instruction, scalar)) > LARGEST for scalar in a):
            _inexact(
                context,
                instruction,
                f"a number that is divided may exceed {LARGEST:,} here: the quotient may not be exact then",
            )
        signs, size = _sign_and_size(context, a, kind)
        others, divisor = _sign_and_size(context, b, kind)
        quotient, rest = _divided(context, size, divisor)
        if which == "quotient":
            if signs is not None and others is not None:
                signs = emitter.operate(NE, signs, others)
            turned = signs if signs is not None else others
            result = (
                quotient if turned is None else emitter.operate(SELECT, turned, tuple([negated(q) for q in quotient]), quotient)
            )
        else:
            result = rest if signs is None else emitter.operate(SELECT, signs, tuple([negated(r) for r in rest]), rest)
            if which == "modulus" and not (signs is None and others is None):
                # Where the rest is not 0 and its sign is not that of the divisor, the divisor is added.
                zero = (Known(0.0),) * len(a)
                wrong = emitter.operate(LT, emitter.operate(MUL, result, b), zero)
                result = emitter.operate(MAD, wrong, b, result)
        spans = [context.range_of(scalar, kind) for scalar in (a if which == "quotient" else b)]
        return bounded(
            context,
            instruction,
            result,
            [(min(-max(high, -low), 0) if kind.signed else 0, max(high, -low)) for low, high in spans],
        )

    return lower


def _divide_known(which: str, a: int, b: int) -> int:
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if which == "quotient":
        return quotient
    rest = a - quotient * b
    return rest + b if which == "modulus" and rest and (rest < 0) != (b < 0) else rest


def _to_integer(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    kind = context.module.scalar(instruction.type)
    found: list[Scalar] = []
    for scalar in context.emitter.operate(TRUNC, values[0]):
        if isinstance(scalar, Known):
            number = float(scalar.value)
            found.append(Known(wrap(int(number), kind) if abs(number) < 1 << 40 else 0))
        else:
            found.append(scalar)
            context.set_range(scalar, -(1 << 15) if kind.signed else 0, 1 << 15)
    return tuple(found)


def _to_float(_: Context, _instruction: Instruction, values: list[Value]) -> Value:
    return tuple([Known(float(s.value)) if isinstance(s, Known) else s for s in values[0]])


def _shift(left: bool, logical: bool) -> Callable[[Context, Instruction, list[Value]], Value]:
    def lower(context: Context, instruction: Instruction, values: list[Value]) -> Value:
        kind = context.module.scalar(instruction.type)
        found: list[Scalar] = []
        for value, by in zip(*values, strict=True):
            if not isinstance(by, Known):
                return _refused(context, instruction)
            count = int(by.value) & 31
            if isinstance(value, Known):
                number = int(value.value)
                found.append(
                    Known(
                        wrap(number << count if left else (number & 0xFFFFFFFF) >> count if logical else number >> count, kind)
                    )
                )
                continue
            low, high = context.range_of(value, kind)
            if left:
                moved = context.emitter.scalar(MUL, value, Known(1 << count))
                found += bounded(context, instruction, (moved,), [(low << count, high << count)], kind)
            else:
                if logical and low < 0 and kind.signed:
                    return _refused(context, instruction)
                found.append(_shifted_down(context, value, count))
                context.set_range(found[-1], low >> count, high >> count)
        return tuple(found)

    return lower


def _low_bits(context: Context, value: Scalar, count: int) -> Scalar:
    """The number of the lowest bits: the rest by a power of two, of negative numbers too."""
    emitter = context.emitter
    whole = emitter.scalar(FLOOR, emitter.scalar(MUL, value, Known(2.0**-count)))
    return emitter.scalar(MAD, whole, Known(-(1 << count)), value)


def _shifted_down(context: Context, value: Scalar, count: int) -> Scalar:
    return value if not count else context.emitter.scalar(FLOOR, context.emitter.scalar(MUL, value, Known(2.0**-count)))


def _masked(context: Context, value: Scalar, mask: int, signed: bool) -> Scalar:
    """The bits of a mask: the sum of its runs of bits. A mask below 0 takes those away that it does not have."""
    emitter = context.emitter
    if mask < 0 or (not signed and mask >> 31):
        others = _masked(context, value, ~mask & 0xFFFFFFFF, signed=True)
        return emitter.scalar(ADD, value, negated(others))
    total: Scalar = Known(0)
    while mask:
        low = (mask & -mask).bit_length() - 1
        size = ((mask >> low) + 1 & ~(mask >> low)).bit_length() - 1
        part = _low_bits(context, _shifted_down(context, value, low), size)
        total = emitter.scalar(ADD, total, emitter.scalar(MUL, part, Known(1 << low)))
        mask &= ~(((1 << size) - 1) << low)
    return total


def _bits(fold: Callable[[int, int], int], which: str) -> Callable[[Context, Instruction, list[Value]], Value]:
    """`and`, `or` and `xor` with a known mask: what they add to a number, or take away, is in the bits of the mask."""

    def lower(context: Context, instruction: Instruction, values: list[Value]) -> Value:
        kind = context.module.scalar(instruction.type)
        emitter = context.emitter
        found: list[Scalar] = []
        for a, b in zip(*values, strict=True):
            known, value = (a, b) if isinstance(a, Known) else (b, a)
            if isinstance(known, Known) and isinstance(value, Known):
                found.append(Known(wrap(fold(int(known.value), int(value.value)), kind)))
                continue
            if not isinstance(known, Known):
                joined = _disjoint(context, kind, a, b) if which != "and" else None
                if joined is None:
                    return _refused(context, instruction)
                found.append(joined)
                continue
            mask = int(known.value)
            low, high = context.range_of(value, kind)
            if which != "and" and not 0 <= mask <= context.exact:
                return _refused(context, instruction)
            held = _masked(context, value, mask, kind.signed)
            if which == "and":
                span = (0, mask) if 0 <= mask <= context.exact else (min(low, 0) + (mask if low < 0 else 0), max(high, 0))
            elif which == "or":
                held = emitter.scalar(ADD, emitter.scalar(ADD, value, negated(held)), Known(mask))
                span = (low, high + mask)
            else:
                held = emitter.scalar(MAD, held, Known(-2), emitter.scalar(ADD, value, Known(mask)))
                span = (low - mask, high + mask)
            found += bounded(context, instruction, (held,), [span])
        return tuple(found)

    return lower


def _disjoint(context: Context, kind: Type, a: Scalar, b: Scalar) -> Scalar:
    """The sum of two numbers, where one is a multiple of a power of two that the other one is less than: they have no bits in
    common."""
    for one, other in ((a, b), (b, a)):
        low, high = context.range_of(other, kind)
        if low >= 0 and high < context.multiple_of(one):
            total = context.emitter.scalar(ADD, one, other)
            first = context.range_of(one, kind)
            context.set_range(total, first[0], first[1] + high)
            return total
    return None


def _extracted(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    """A field of bits whose place and size are known, with its sign if it has one."""
    value, (offset,), (count,) = values
    if not isinstance(offset, Known) or not isinstance(count, Known) or not 0 < (size := int(count.value)) <= 17:
        return _refused(context, instruction)
    signed = instruction.name == "OpBitFieldSExtract"
    found: list[Scalar] = []
    for scalar in value:
        part = _low_bits(context, _shifted_down(context, scalar, int(offset.value)), size)
        if signed:
            negative = context.emitter.scalar(LE, Known(1 << (size - 1)), part)
            part = context.emitter.scalar(MAD, negative, Known(-(1 << size)), part)
        context.set_range(part, -(1 << (size - 1)) if signed else 0, (1 << size) - 1)
        found.append(part)
    return tuple(found)


def _complement(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    """~x is -x - 1 for signed numbers."""
    kind = context.module.scalar(instruction.type)
    if all(isinstance(s, Known) for s in values[0]):
        return tuple([Known(wrap(~int(s.value), kind)) for s in values[0] if isinstance(s, Known)])
    if not kind.signed:
        return _refused(context, instruction)
    return context.emitter.operate(ADD, tuple([negated(s) for s in values[0]]), (Known(-1),) * len(values[0]))


def _refused(context: Context, instruction: Instruction, *_: object) -> Value:
    context.report(
        "S008",
        f"{instruction.name} works on bits, which integers of the target do not have",
        instruction,
        "compute with floats: floor(x / 2.0) for x >> 1, mod(x, 2.0) for x & 1",
    )
    return (Known(0),) * context.module.size(instruction.type)


def absolute(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return bounded(
        context,
        instruction,
        context.emitter.operate(MAX, values[0], tuple([negated(s) for s in values[0]])),
        [_size(context, instruction, s) for s in values[0]],
    )


def _size(context: Context, instruction: Instruction, scalar: Scalar) -> _Range:
    low, high = context.range_of(scalar, context.module.scalar(instruction.type))
    return (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))


def least(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return _extreme(context, instruction, values, MIN, min)


def greatest(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    return _extreme(context, instruction, values, MAX, max)


def _extreme(context: Context, instruction: Instruction, values: list[Value], op: str, of: Callable[[int, int], int]) -> Value:
    kind = context.module.scalar(instruction.type)
    extreme = context.emitter.operate(op, *values)
    ranges: list[_Range] = []
    for a, b in zip(*values, strict=True):
        (low, high), (low2, high2) = context.range_of(a, kind), context.range_of(b, kind)
        ranges.append((of(low, low2), of(high, high2)))
    return bounded(context, instruction, extreme, ranges, kind)


def clamped(context: Context, instruction: Instruction, values: list[Value]) -> Value:
    if len(values) != 3:
        raise Malformed("a function has the wrong number of operands", instruction.offset)
    return least(context, instruction, [greatest(context, instruction, values[:2]), values[2]])


def sign(context: Context, _: Instruction, values: list[Value]) -> Value:
    """-1, 0 or 1, for floats too."""
    emitter = context.emitter
    zero = (Known(0.0),) * len(values[0])
    above, below = emitter.operate(LT, zero, values[0]), emitter.operate(LT, values[0], zero)
    signs = emitter.operate(ADD, above, tuple([negated(b) for b in below]))
    for scalar in signs:
        context.set_range(scalar, -1, 1)
    return signs


OPERATIONS: Mapping[str, Callable[[Context, Instruction, list[Value]], Value]] = {
    "OpIAdd": _arithmetic(ADD, lambda a, b: a + b),
    "OpISub": _arithmetic(ADD, lambda a, b: a - b, negated),
    "OpIMul": _arithmetic(MUL, lambda a, b: a * b),
    "OpSNegate": _negate,
    "OpSDiv": _division("quotient"),
    "OpUDiv": _division("quotient"),
    "OpSRem": _division("rest"),
    "OpUMod": _division("rest"),
    "OpSMod": _division("modulus"),
    "OpIEqual": _compare(EQ, False, lambda a, b: a == b),
    "OpINotEqual": _compare(NE, False, lambda a, b: a != b),
    **{f"Op{sign_}LessThan": _compare(LT, False, lambda a, b: a < b) for sign_ in "SU"},
    **{f"Op{sign_}GreaterThan": _compare(LT, True, lambda a, b: a > b) for sign_ in "SU"},
    **{f"Op{sign_}LessThanEqual": _compare(LE, False, lambda a, b: a <= b) for sign_ in "SU"},
    **{f"Op{sign_}GreaterThanEqual": _compare(LE, True, lambda a, b: a >= b) for sign_ in "SU"},
    "OpConvertFToS": _to_integer,
    "OpConvertFToU": _to_integer,
    "OpConvertSToF": _to_float,
    "OpConvertUToF": _to_float,
    "OpSConvert": _convert,
    "OpUConvert": _convert,
    "OpShiftLeftLogical": _shift(True, True),
    "OpShiftRightLogical": _shift(False, True),
    "OpShiftRightArithmetic": _shift(False, False),
    "OpBitwiseAnd": _bits(lambda a, b: a & b, "and"),
    "OpBitwiseOr": _bits(lambda a, b: a | b, "or"),
    "OpBitwiseXor": _bits(lambda a, b: a ^ b, "xor"),
    "OpNot": _complement,
    "OpBitFieldSExtract": _extracted,
    "OpBitFieldUExtract": _extracted,
    "OpBitFieldInsert": _refused,
    "OpBitReverse": _refused,
    "OpBitCount": _refused,
}
