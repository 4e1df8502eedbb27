"""Bounds in units in the last place are never exceeded, and are as small as simple pairs allow."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.core.nearness import distance, drawn
from lanewise.core.numbers.floats import float32_bits
from lanewise.proving.rounding import Unproved
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL
from lanewise.shadercore.proof.rounding import rounded
from lanewise.shadercore.proof.terms import WaveTerms
from lanewise.shadercore.sem.numbers import WaveOps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.nearness import Ends
    from lanewise.proving.terms import Node
    from lanewise.shadercore.isa.devices import Device

    Tree = int | float | tuple[object, ...]  # an input, a constant, an operation with its operands

RANGES: Sequence[Ends] = ((0.0, 1.0), (0.5, 2.0), (1.0, 1000.0), (-3.0, -0.25), (-1.0, 1.0), (0.0, 1e-30), (3.0, 3.0))


def term(m: WaveTerms, tree: Tree) -> int:
    if isinstance(tree, int):
        return m.node("entering", "v", tree, 0)
    if isinstance(tree, float):
        return m.constant(float32_bits(tree))
    operation, *operands = tree
    return m.operation(str(operation), [term(m, each) for each in operands])  # pyright: ignore[reportArgumentType]


def value(ops: WaveOps, tree: Tree, inputs: Sequence[int]) -> int:
    if isinstance(tree, int):
        return inputs[tree]
    if isinstance(tree, float):
        return float32_bits(tree)
    operation, *operands = tree
    return ops.apply(str(operation), *[(value(ops, each, inputs),) for each in operands])[0]  # pyright: ignore[reportArgumentType]


def bound(device: Device, one: Tree, other: Tree, ranges: Sequence[Ends]) -> int:
    m = WaveTerms(device)

    def ends(node: Node) -> tuple[Fraction, Fraction]:
        low, high = ranges[int(node[2])]
        return Fraction(low), Fraction(high)

    return rounded(m, ends, str).bound(term(m, one), term(m, other))


def total(rng: random.Random, parts: list[Tree]) -> Tree:
    """A sum in any order."""
    parts = [*parts]
    while len(parts) > 1:
        a, b = parts.pop(rng.randrange(len(parts))), parts.pop(rng.randrange(len(parts)))
        parts.append(("add", a, b))
    return parts[0]


def pair(rng: random.Random) -> tuple[Tree, Tree]:
    """Two ways to compute one thing."""
    products: list[Tree] = [
        ("mul", rng.randrange(6), rng.choice((rng.randrange(6), 0.75, 2.0))) for _ in range(rng.randint(2, 4))
    ]
    one, other = total(rng, products), total(rng, products)
    kind = rng.randrange(6)
    if kind == 0:  # a factor of all
        return ("mul", one, 5), total(rng, [("mul", 5, each) for each in products])
    if kind == 1:
        return ("saturate", one), ("saturate", other)
    if kind == 2:
        return ("max", ("add", one, 4), 0.5), ("max", 0.5, ("add", 4, other))
    if kind == 3:
        return ("mul", ("rcp", one), 3), ("mul", 3, ("rcp", other))
    return (("mul", one, one), ("mul", other, other)) if kind == 4 else (one, other)


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_no_pair_is_further_apart_than_its_bound(device: Device):
    rng, ops, proved, reached = random.Random(33), WaveOps(device), 0, 0
    for _ in range(times(25, 20_000)):
        one, other = pair(rng)
        ranges = [rng.choice(RANGES) for _ in range(6)]
        try:
            most = bound(device, one, other, ranges)
        except Unproved:
            continue
        proved += 1
        for _ in range(8):
            inputs = [drawn(rng, ends, int) for ends in ranges]
            apart = distance(value(ops, one, inputs), value(ops, other, inputs))
            assert apart is not None, (one, other, ranges)
            assert apart <= most, (one, other, ranges, [f"{each:08x}" for each in inputs])
            reached += apart > 0
    assert proved > 5
    assert reached > 0


def test_bounds_of_simple_pairs():
    near, zero = [(0.5, 2.0)] * 3, [(0.0, 1.0)] * 3
    first, second = ("add", ("add", 0, 1), 2), ("add", 0, ("add", 1, 2))
    assert bound(DOCUMENT, first, second, near) == 4
    assert bound(DOCUMENT, first, second, zero) == 4, "sums of one sign lose nothing close to 0"
    assert bound(RTL, first, second, zero) == 8
    dots = [[("mul", n, n) for n in order] for order in ((0, 1, 2), (2, 0, 1))]
    one, other = (("add", ("add", a, b), c) for a, b, c in dots)
    assert bound(RTL, one, other, zero) == 8, "products are the same in both, and never negative"
    assert bound(RTL, ("add", 0, 1), ("add", 1, 0), near) == 0
    assert bound(DOCUMENT, ("mul", 0, 1), ("mul", 1, 0), [(-1.0, 1.0)] * 2) == 0
    with pytest.raises(Unproved, match="may be close to 0"):
        bound(DOCUMENT, first, second, [(-1.0, 1.0)] * 3)
    with pytest.raises(Unproved, match="may be close to 0"):  # a product is 0 in one order only
        bound(DOCUMENT, ("mul", ("mul", 0, 1), 2), ("mul", 0, ("mul", 1, 2)), zero)
    with pytest.raises(Unproved, match="not shown to be the same"):
        bound(DOCUMENT, ("add", 0, 1), ("add", 0, 2), near)
    with pytest.raises(Unproved, match="may cancel"):
        bound(RTL, first, second, [(-1.0, 1.0)] * 3)
