"""Each rewrite keeps every bit: both sides on the exact words, on all pairs of edge patterns and on random ones, for each
device it admits."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest

from compile.evaluate import evaluate
from effort import sample, times
from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import Code, Output
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import ABS, BY_NAME, LANES, NEG_ABS, NEGATE, NONE
from lanewise.shadercore.sem.peephole import PEEPHOLE_RULES, PeepholeRule, holds
from lanewise.ssa.nodes import Ref

if TYPE_CHECKING:
    from collections.abc import Sequence

EDGES = [
    bits | sign
    for sign in (0, 0x80000000)
    for bits in (
        0,
        1,
        0x7FFFFF,
        0x800000,
        0x800001,
        0x3F000000,
        0x3F7FFFFF,
        0x3F800000,
        0x3F800001,
        0x40000000,
        0x34000000,
        0x4B7FFFFF,
        0x7F7FFFFF,
        0x7F800000,
        0x7F800001,
        0x7FC00000,
        0x7FFFFFFF,
        0x00123456,
        0x7FA12345,
        0x20000000,
        0x5F000000,
    )
]
MODIFIERS = (NONE, NEGATE, ABS, NEG_ABS)
# Devices that differ from both in what rewrites could ask for.
WHAT_IF = (
    RTL.replace({"rcp_sigma": "fixed", "rsq_gate": "fixed"}),
    DOCUMENT.replace({"subnormals": "flushed"}),
    DOCUMENT.replace({"rsq": "table"}),
    RTL.replace({"mul": "nearest"}),
    RTL.replace({"nan": "one", "compare": "ieee"}),
    DOCUMENT.replace({"nan": "signed", "compare": "raw"}),
)
MOST_SHAPES = 6  # of operands with constants, for each instruction of a row; those without are all tried
# For the many shapes: a pair of each two kinds of numbers, both signs.
KINDS = (0, 1, 0x800000, 0x3F800000, 0x4B7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC12345)
SIGNED = [kind | sign for kind in KINDS for sign in (0, 0x80000000)]
FEW = [(a, b) for a in SIGNED for b in SIGNED]
ALL_DEVICES = (*DEVICES.values(), *WHAT_IF)


def pairs() -> list[tuple[int, int]]:
    rng = random.Random(5)
    found = [*product(EDGES, EDGES), *((e, e) for e in EDGES)]
    found += [(rng.getrandbits(32), rng.getrandbits(32)) for _ in range(200)]
    return sample(found, 700)


def operands(builder: Builder, count: int) -> list[tuple[Ref, ...]]:
    """Operands in all the shapes that a row could look for: inputs, the same twice, patterns, each with every modifier."""
    leaves = [
        builder.input(0, 0),
        builder.input(1, 0),
        *(builder.constant(bits) for bits in (0, 0x7FFFFFFF, 0xFFFFFFFF, 0x3F800000)),
    ]
    shapes = [Ref(leaf.node, modifier) for leaf in leaves for modifier in MODIFIERS]
    return [tuple(shape) for shape in product(shapes, repeat=count)]


@pytest.mark.parametrize("row", PEEPHOLE_RULES, ids=lambda row: row.name)
def test_a_rewrite_keeps_every_bit(row: PeepholeRule):
    devices = [device for device in ALL_DEVICES if holds(row, device)]
    assert devices, "a row that holds for no device is of no use"
    used = 0
    for name in row.ops:
        builder = Builder(RTL)
        applies = [s for s in operands(builder, BY_NAME[name].sources) if row.apply(builder, name, s) is not None]
        random.Random(7).shuffle(applies)
        free = [s for s in applies if all(builder.bits(ref) is None for ref in s)]
        bound = [s for s in applies if s not in free]
        for place, sources in enumerate((*free, *bound[:MOST_SHAPES])):
            values = pairs() if place < times(1, 2) else FEW
            found = row.apply(builder, name, sources)
            assert found is not None
            used += 1
            before = Builder(RTL, optimise=False)
            before.nodes = list(builder.nodes)
            after = Builder(RTL, optimise=False)
            after.nodes = list(builder.nodes)
            one = before.op(name, *sources)
            other = found if isinstance(found, Ref) else after.op(name, *found)
            for device in devices:
                same(before, one, after, other, device, values)
    assert used, "the row never applies"


def same(before: Builder, one: Ref, after: Builder, other: Ref, device: Device, values: Sequence[tuple[int, int]]) -> None:
    codes = [Code(tuple(b.nodes), (Output(0, 0, ref),)) for b, ref in ((before, one), (after, other))]
    for first in range(0, len(values), LANES):
        chunk = values[first : first + LANES]
        chunk = [*chunk, *[(0, 0)] * (LANES - len(chunk))]
        inputs = {(0, 0): tuple(a for a, _ in chunk), (1, 0): tuple(b for _, b in chunk)}
        results = [evaluate(code, device, inputs, {})[0, 0] for code in codes]
        assert results[0] == results[1], (device.describe(), [f"{a:#x} {b:#x}" for a, b in chunk])
