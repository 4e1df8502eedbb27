"""What each component of a result is made of: checked by changing everything else, on numbers."""

import random

import pytest

from engines.shaders import descriptor
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.isa.codec import Inst
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.sem.influence import influence, written
from lanewise.pica200.sem.instruction import ResolvedInst, computes, resolve
from lanewise.pica200.sem.numerics import Float24
from lanewise.pica200.sem.profile import HARDWARE, Profile, profiles

COMPUTING = [op for op in OPS if computes(Inst(op, ()))]
NUMBERS = [float24_from_float(x) for x in (0.0, 1.0, -1.0, 0.5, 3.25, -2.75, 100.0, -1e-3, 7.0, float("inf"))]


def resolved(name: str, mask: int = 0xF, profile: Profile = HARDWARE, **fields: int) -> ResolvedInst:
    op = next(op for op in OPS if op.name == name)
    inst = Inst(op, (0,) * len(op.format.fields)).replace(**fields)
    return resolve(inst, operands(inst, descriptor(mask)), profile)


@pytest.mark.parametrize("op", COMPUTING, ids=lambda op: op.name)
def test_nothing_else_changes_a_component(op: object):
    rng = random.Random(7)
    name = getattr(op, "name", "")
    instruction = resolved(name)
    made, m = influence(instruction), Float24()
    for _ in range(60):
        vectors = [[rng.choice(NUMBERS) for _ in range(4)] for _ in instruction.sources]
        before = instruction.meaning(m, *map(tuple, vectors), *instruction.immediates)
        assert before.keys() == made.keys()
        number, slot = rng.randrange(len(vectors)), rng.randrange(4)
        vectors[number][slot] = rng.choice(NUMBERS)
        after = instruction.meaning(m, *map(tuple, vectors), *instruction.immediates)
        for what in ("dst", "cmp", "a0"):
            for slots, old, new in zip(made.get(what, ()), before.get(what, ()), after.get(what, ()), strict=True):
                assert old == new or (number, slot) in slots, (what, number, slot)


def test_components_by_name():
    made = influence(resolved("dst"))
    assert made.get("dst") == (
        frozenset(),
        frozenset({(0, 1), (1, 1)}),
        frozenset({(0, 2)}),
        frozenset({(1, 3)}),
    )
    assert influence(resolved("rcp")).get("dst") == (frozenset({(0, 0)}),) * 4
    assert written(resolved("dph"))["dst", 0] == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 3)}
    assert influence(resolved("cmp")) == {"cmp": (frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (1, 1)}))}


def test_the_mask_and_flags_that_keep_their_value():
    assert list(written(resolved("mov", 0b0101))) == [("dst", 1), ("dst", 3)]
    assert list(written(resolved("mova", 0b0100))) == [("a0", 1)]
    assert list(written(resolved("cmp", 0, cmpx=6))) == [("cmp", 0), ("cmp", 1)]
    unchanged = profiles["hardware"].replace(cmp_operators="unchanged")
    assert list(written(resolved("cmp", 0, unchanged, cmpx=6))) == [("cmp", 1)]
    assert list(written(resolved("litp", 0b1000))) == [("dst", 0), ("cmp", 0), ("cmp", 1)]
