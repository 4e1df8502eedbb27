"""Truth values and selections: random nests of them give the bits that a table of each lane says, and cost no more than they
must."""

from __future__ import annotations

import random

from compile.evaluate import evaluate
from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import INPUT, Code, Output, without_dead
from lanewise.compile.shadercore.if_conversion import Predicate, Predicates
from lanewise.shadercore.isa.devices import DEVICES, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.ssa.nodes import Ref
from together import together

CONDITIONS, VALUES = 4, 4
ONE = 0x3F800000


def lanes_of(truth: Predicate, table: dict[Ref, tuple[bool, ...]]) -> tuple[bool, ...]:
    return (truth,) * LANES if isinstance(truth, bool) else table[truth]


@together("device", DEVICES.values(), ids=DEVICES)
@together("seed", (*range(60), 374))
def test_nests_of_selections_keep_every_bit(seed: int, device: Device):
    """All 16 combinations of four conditions are lanes of the wave."""
    rng = random.Random(seed)
    builder = Builder(device)
    predicates = Predicates(builder)
    inputs = {(0, c): tuple(ONE if lane >> c & 1 else 0 for lane in range(LANES)) for c in range(CONDITIONS)}
    inputs |= {(1, c): tuple(rng.getrandbits(32) for _ in range(LANES)) for c in range(VALUES)}
    table: dict[Ref, tuple[bool, ...]] = {}
    conditions: list[Predicate] = []
    for c in range(CONDITIONS):
        made = predicates.ordered(builder.constant(0), builder.input(0, c), or_equal=False)
        assert isinstance(made, Ref)
        table[made] = tuple(bool(lane >> c & 1) for lane in range(LANES))
        conditions.append(made)
    values = [builder.input(1, c) for c in range(VALUES)] + [builder.constant(0), builder.constant(ONE)]
    meaning = {value: inputs[1, c] for c, value in enumerate(values[:VALUES])} | {
        values[-2]: (0,) * LANES,
        values[-1]: (ONE,) * LANES,
    }

    def note(truth: Predicate, lanes: tuple[bool, ...]) -> None:
        if isinstance(truth, bool):
            assert lanes == (truth,) * LANES
            return
        assert table.setdefault(truth, lanes) == lanes
        conditions.append(truth)

    for _ in range(25):
        a, b = rng.choice(conditions), rng.choice(conditions)
        lanes_a, lanes_b = lanes_of(a, table), lanes_of(b, table)
        kind = rng.randrange(4)
        if kind == 0:
            note(predicates.invert(a), tuple(not x for x in lanes_a))
        elif kind == 1:
            note(predicates.both(a, b), tuple(x and y for x, y in zip(lanes_a, lanes_b, strict=True)))
        elif kind == 2 and rng.random() < 0.3:
            note(predicates.either(a, b), tuple(x or y for x, y in zip(lanes_a, lanes_b, strict=True)))
        else:
            one, other = rng.choice(values[-6:]), rng.choice(values)
            made = predicates.select(a, one, other)
            wave = tuple(x if on else y for on, x, y in zip(lanes_a, meaning[one], meaning[other], strict=True))
            assert meaning.setdefault(made, wave) == wave
            values.append(made)
            seen = predicates.where(b, made)
            assert all(x == y for on, x, y in zip(lanes_b, meaning[seen], wave, strict=True) if on)
    outputs = tuple(Output(n, 0, value) for n, value in enumerate(values))
    found = evaluate(Code(tuple(builder.nodes), outputs), device, inputs, {})
    for n, value in enumerate(values):
        assert found[n, 0] == meaning[value]


def slots(outputs: list[Ref], builder: Builder) -> int:
    return without_dead(Code(tuple(builder.nodes), tuple(Output(0, n, value) for n, value in enumerate(outputs)))).slots


def test_both_arms_of_a_branch_leave_nothing_of_what_was_there():
    builder = Builder(RTL)
    predicates = Predicates(builder)
    a, b, old, x, y = (builder.input(n, 0) for n in range(5))
    condition = predicates.ordered(a, b, or_equal=False)
    written = predicates.select(condition, x, old)
    both = predicates.select(predicates.invert(condition), y, written)
    left = without_dead(Code(tuple(builder.nodes), (Output(0, 0, both),))).nodes
    assert {node.number for node in left if node.op == INPUT} == {0, 1, 3, 4}  # not `old`
    assert slots([both], builder) == 1 + 1 + 6 + 3  # comparison, inverse, two masks, the selection


def test_nested_branches_with_one_value_elsewhere_are_one_selection():
    """`if (a) { if (b) x; else y; } else y;` with the arms in their order, each stored where it is done."""
    builder = Builder(RTL)
    p = Predicates(builder)
    a, b = (p.ordered(builder.constant(0), builder.input(0, c), or_equal=False) for c in range(2))
    x, y = builder.input(1, 0), builder.input(1, 1)
    inner = p.select(p.both(a, p.invert(b)), y, x)
    assert p.select(p.invert(a), y, inner) == p.select(p.both(a, b), x, y)
    either = p.select(p.invert(a), y, inner)
    assert slots([either], builder) == 2 + 1 + 1 + 6 + 3  # comparisons, both of them, its inverse, two masks, the selection


NUMBERS = (0x00000000, 0x80000000, 0x3F800000, 0xC0490FDB, 0x7F800000, 0xFF7FFFFF, 0x00800000, 0x40000000)


@together("device", DEVICES.values(), ids=DEVICES)
def test_a_sum_or_one_of_its_parts_is_one_selection(device: Device):
    """`if (a) if (b) sum += x;`: b + x or b, bit for bit but for subnormal numbers and NaN, with one mask in place of two."""
    counts: list[int] = []
    for sums in (False, True):
        builder = Builder(device)
        p = Predicates(builder, sums=sums)
        a, b = (p.ordered(builder.constant(0), builder.input(0, c), or_equal=False) for c in range(2))
        part, other = builder.input(1, 0), builder.input(1, 1)
        found = p.select(p.invert(a), part, p.select(p.invert(b), part, builder.add(other, part)))
        again = p.select(a, builder.add(found, other), found)
        lanes = range(LANES)
        inputs = {(0, c): tuple(ONE if lane >> c & 1 else 0 for lane in lanes) for c in range(2)}
        for shift in range(len(NUMBERS)):
            inputs |= {
                (1, n): tuple(NUMBERS[(lane // 4 * (1 + n) + shift * n) % len(NUMBERS)] for lane in lanes) for n in range(2)
            }
            code = Code(
                tuple(builder.nodes), (Output(0, 0, found), Output(0, 1, again), Output(0, 2, builder.add(other, part)))
            )
            results = evaluate(code, device, inputs, {})
            for lane in lanes:
                expected = results[0, 2][lane] if lane & 3 == 3 else inputs[1, 0][lane]
                assert results[0, 0][lane] == expected, (lane, shift)
                assert lane & 1 or results[0, 1][lane] == expected, (lane, shift)
        counts.append(slots([found], builder))
    assert counts == [14, 8]  # a mask less, and one operation with it in place of three


def test_a_choice_of_1_and_0_is_the_condition_itself():
    builder = Builder(RTL)
    predicates = Predicates(builder)
    condition = predicates.ordered(builder.input(0, 0), builder.input(1, 0), or_equal=False)
    one, zero = builder.constant(ONE), builder.constant(0)
    assert predicates.select(condition, one, zero) == condition
    assert predicates.select(condition, zero, one) == predicates.invert(condition)


def test_truths_that_others_imply_cost_nothing():
    builder = Builder(RTL)
    p = Predicates(builder)
    a, b = (p.ordered(builder.constant(0), builder.input(0, c), or_equal=False) for c in range(2))
    x, y = builder.input(1, 0), builder.input(1, 1)
    both = p.both(a, b)
    assert p.both(both, a) == p.both(b, both) == both
    assert isinstance(a, Ref) and isinstance(both, Ref)
    assert p.where(both, a) == p.where(both, both) == builder.constant(ONE)
    assert p.where(both, p.number(p.invert(b))) == builder.constant(0)
    assert p.select(a, p.select(b, x, y), y) == p.select(both, x, y)
    either = p.either(p.both(a, b), p.both(a, p.invert(b)))
    assert p.where(either, p.select(a, x, y)) == x
