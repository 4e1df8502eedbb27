"""Rewrite rules while SPIR-V is lowered: allowed ones where nothing says precise or invariant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from compile.vector_builder import Builder, Value
from lanewise.compile.spirv.context import Context
from lanewise.compile.spirv.emit import Emitter
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.spirv.signs import with_signs_inside
from lanewise.compile.spirv.values import Known
from lanewise.compile.vector.code import (
    ADD,
    DOT,
    EXP2,
    LOG2,
    MAX,
    MUL,
    RCP,
    RSQ,
    Attribute,
    Operate,
    Ref,
)
from spirv import shaders
from spirv.test_chains import DECORATE, INVARIANT, NO_CONTRACTION, with_decorations
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.compile.spirv.values import Scalar

X, Y, Z = (Ref(1, lane) for lane in range(3))


def root(e: Emitter) -> Scalar:
    return e.scalar(RCP, e.scalar(RSQ, X))


CASES: list[tuple[str, Callable[[Emitter], Scalar], list[str], list[str]]] = [
    ("1 / sqrt(x)", lambda e: e.scalar(RCP, root(e)), [RSQ], [RSQ, RCP, RCP]),
    ("sqrt(x) * sqrt(x)", lambda e: e.scalar(MUL, root(e), root(e)), [], [RSQ, RCP, MUL]),
    ("exp2(log2(x))", lambda e: e.scalar(EXP2, e.scalar(LOG2, X)), [], [LOG2, EXP2]),
    ("3 * (5 * x)", lambda e: e.scalar(MUL, Known(3.0), e.scalar(MUL, X, Known(5.0))), [MUL], [MUL, MUL]),
    ("x * 0 + y", lambda e: e.scalar(ADD, e.scalar(MUL, X, Known(0.0)), Y), [], [MUL, ADD]),
    # The rest is also for what is precise.
    ("x * 1 + -0", lambda e: e.scalar(ADD, e.scalar(MUL, X, Known(1.0)), Known(-0.0)), [], []),
    (
        "dot(x, y) and dot(x, -y)",
        lambda e: e.scalar(MAX, e.dot((X, Y), (Y, Z)), e.dot((minus(X), minus(Y)), (Y, Z))),
        [DOT, MAX],
        [DOT, MAX],
    ),
    ("abs(abs(x))", lambda e: e.scalar(MAX, a := e.scalar(MAX, X, X.turned()), minus(a)), [MAX], [MAX]),
]


def minus(a: Scalar) -> Scalar:
    assert isinstance(a, Ref)
    return a.turned()


def needed(emitter: Emitter, result: Scalar) -> list[str]:
    """The operations that a result is computed by, in order."""
    found: dict[int, str] = {}
    waiting = [result.value] if isinstance(result, Ref) else []
    while waiting:
        value = waiting.pop()
        definition = emitter.definitions[value]
        if isinstance(definition, Operate) and value not in found:
            found[value] = definition.op
            waiting += [ref.value for operand in definition.operands for ref in operand]
    return [found[value] for value in sorted(found)]


@together(("make", "free", "strict"), [pytest.param(make, free, strict, id=name) for name, make, free, strict in CASES])
def test_allowed_rules_are_for_what_is_free(make: Callable[[Emitter], Scalar], free: list[str], strict: list[str]):
    for is_free, wanted in ((True, free), (False, strict)):
        emitter = Emitter()
        emitter.define(Attribute(emitter.value(), 0), 1)
        emitter.free = is_free
        assert needed(emitter, make(emitter)) == wanted
        assert bool(emitter.rewritten) == (is_free and free != strict)


def test_a_lane_that_is_an_operand_stays_in_a_vector():
    """One instruction does both lanes; alone the first needs none. What is known is not computed."""
    emitter = Emitter()
    emitter.define(Attribute(emitter.value(), 0), 1)
    emitter.free = True
    first, second, third = emitter.operate(MUL, (X, Y, Z), (Known(1.0), Known(3.0), Known(0.0)))
    assert isinstance(first, Ref)
    assert isinstance(second, Ref)
    assert (first, third) == (Ref(second.value, 0), Known(0.0))
    assert emitter.operate(MUL, (X, Y), (Known(1.0), Known(-1.0))) == (X, minus(Y))


def test_zeros_in_a_sum_are_products_where_the_others_are():
    """`p + vec2(2, 0) * x`: one instruction multiplies and adds both lanes. A sum that is not free leaves them as they are."""
    for free, wanted in ((True, [MUL, ADD]), (False, [ADD])):
        emitter = Emitter()
        emitter.define(Attribute(emitter.value(), 0), 1)
        scaled = emitter.scalar(MUL, X, Known(2.0)), Known(0.0)
        emitter.free = free
        second = emitter.operate(ADD, scaled, (Y, Z))[1]
        assert isinstance(second, Ref)
        total = emitter.definitions[second.value]
        assert isinstance(total, Operate)
        assert [op for op in needed(emitter, second) if emitter.constant(total.operands[0][1]) is None or op == ADD] == wanted


def minus_dots(read: Callable[[Builder, Value, Value, Value], Value]) -> list[bool]:
    """Whether the operands of two dot products, of computed values and of attributes, are negated in the end."""
    b = Builder()
    a, c = b.input("a"), b.input("c")
    first = b.dot(a, c * 2.0)
    b.output("color", read(b, first, b.dot(c, a + c), a.x))
    found = with_signs_inside(b.program()).body
    dots = [s for s in found if isinstance(s, Operate) and s.op == DOT]
    assert all(not ref.negated for s in dots for ref in s.operands[0])  # attributes, which other products may read
    return [any(ref.negated for ref in s.operands[1]) for s in dots]


def test_signs_of_dot_products_are_inside_where_all_that_reads_them_turns_them():
    assert minus_dots(lambda b, p, q, x: b.vec(-p * x, q, x, x)) == [True, False]
    assert minus_dots(lambda b, p, q, x: b.vec(-p * x, -q, q * x, x)) == [True, False]  # one is read with both signs
    assert minus_dots(lambda b, p, q, x: b.vec(-p, -q, -p, -q) * x) == [True, True]
    assert minus_dots(lambda b, p, q, x: b.vec(-p, -q, -x, -x) * x) == [False, False]  # other lanes are turned


def freedom(data: bytes, *, free: bool = True) -> dict[bool, int]:
    """How many products and sums of a module are free, by whether one has a decoration that says that it is not."""
    module = read_module(data, "module")
    assert isinstance(module, Module)
    emitter = Emitter()
    context = Context(module, emitter, cast("Any", None), free=free)
    found = {False: 0, True: 0}
    for instruction in module.instructions:
        context.at(instruction)
        if instruction.name.startswith("Op") and emitter.free:
            found[module.decoration(instruction.result, NO_CONTRACTION) is not None] += 1
    return found


def test_a_module_that_says_precise_or_invariant_is_computed_as_it_says():
    data = shaders.binary("ordered", "O0")
    assert freedom(data)[True] == 0 < freedom(data)[False]
    assert not any(freedom(data, free=False).values())
    invariant = with_decorations(data, lambda inst: (*inst, 3 << 16 | DECORATE, inst[1], INVARIANT))
    assert not any(freedom(invariant).values())
