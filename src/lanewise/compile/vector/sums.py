"""Products and sums of vector programs as one operation, or as two. Targets round both alike."""

from __future__ import annotations

import math

from lanewise.compile.vector import code as v
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.walk import bodies, operands_of, statements, unused_value, with_bodies
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Operand, Program, Statement

    _Lane = tuple[int, int]


def fused(program: Program) -> Program:
    """With `mad` where only a sum reads a product: the target rounds both.

    The sign of a product becomes that of a factor only where one is a known number: `-(0 * inf)` is -0 where there is one, and
    `-0 * inf` is 0.
    """
    uses: dict[_Lane, int] = {}
    products: dict[int, v.Operate] = {}
    numbers: dict[int, tuple[float, ...]] = {}
    for s in statements(program.body):
        for operand in operands_of(s):
            for ref in operand:
                uses[ref.value, ref.lane] = uses.get((ref.value, ref.lane), 0) + 1
        if isinstance(s, v.Operate) and s.op == v.MUL:
            products[s.result] = s
        elif isinstance(s, v.Number):
            numbers[s.result] = s.values
    gone: set[int] = set()

    def known(ref: Ref) -> bool:
        """Whether a factor is a number that makes neither 0 nor infinity of the product."""
        return ref.value in numbers and math.isfinite(numbers[ref.value][ref.lane]) and numbers[ref.value][ref.lane] != 0

    def product(operand: Operand) -> bool:
        """Whether all lanes are products that nothing else reads."""
        lanes = [(ref.value, ref.lane) for ref in operand]
        if any(lane[0] not in products or uses[lane] != lanes.count(lane) for lane in lanes):
            return False
        if any(ref.negated and not any(known(factor[ref.lane]) for factor in products[ref.value].operands) for ref in operand):
            return False
        read = set(lanes)
        whole = {
            (ref.value, lane)
            for ref in operand
            for lane in range(len(products[ref.value].operands[0]))
            if uses.get((ref.value, lane))
        }
        return whole == read

    def replaced(s: Statement) -> Statement:
        inner = bodies(s)
        if inner:
            return with_bodies(s, tuple([tuple([replaced(each) for each in body]) for body in inner]))
        if not (isinstance(s, v.Operate) and s.op == v.ADD):
            return s
        for at, other in ((1, 0), (0, 1)):
            operand = s.operands[at]
            if product(operand):
                a, b = ([products[ref.value].operands[n][ref.lane] for ref in operand] for n in (0, 1))
                a = [x.turned(ref.negated) for x, ref in zip(a, operand, strict=True)]
                gone.update(ref.value for ref in operand)
                return v.Operate(s.result, v.MAD, (tuple(a), tuple(b), s.operands[other]), s.line)
        return s

    def without(body: Sequence[Statement]) -> tuple[Statement, ...]:
        kept = [s for s in body if not (isinstance(s, v.Operate) and s.result in gone)]
        return tuple([with_bodies(s, tuple([without(inner) for inner in bodies(s)])) if bodies(s) else s for s in kept])

    return program._replace(body=without([replaced(s) for s in program.body]))


def parted(program: Program, most: int = 0) -> Program:
    """With a product and a sum in place of each `mad` after the first `most`: the target rounds both."""
    new = unused_value(program.body)
    kept = 0

    def replaced(body: Sequence[Statement]) -> tuple[Statement, ...]:
        nonlocal new, kept
        found: list[Statement] = []
        for s in body:
            if isinstance(s, v.Operate) and s.op == v.MAD and kept < most:
                kept += 1
                found.append(s)
            elif isinstance(s, v.Operate) and s.op == v.MAD:
                a, b, c = s.operands
                found.append(v.Operate(new, v.MUL, (a, b), s.line))
                product = tuple([Ref(new, lane) for lane in range(len(a))])
                found.append(v.Operate(s.result, v.ADD, (product, c), s.line))
                new += 1
            else:
                found.append(with_bodies(s, tuple([replaced(inner) for inner in bodies(s)])) if bodies(s) else s)
        return tuple(found)

    return program._replace(body=replaced(program.body))
