"""What each component of a result is made of: checked by changing everything else, on numbers."""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from effort import times
from engines.shaders import descriptor
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.isa.codec import Inst
from lanewise.pica200.isa.facts import ZERO_TIMES_INFINITY
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import ARITHMETIC, OPS, Descriptor, Op, merge_bits
from lanewise.pica200.sem.influence import descriptor_bits_read, factors, influence, written
from lanewise.pica200.sem.instruction import ResolvedInst, computes, execute, resolve
from lanewise.pica200.sem.meaning import MEANING
from lanewise.pica200.sem.numbers import Float24
from lanewise.pica200.sem.profile import HARDWARE, Profile, profiles
from lanewise.pica200.sem.registers import Registers
from together import together

COMPUTING = [op for op in OPS if computes(Inst(op, ()))]
NUMBERS = [float24_from_float(x) for x in (0.0, 1.0, -1.0, 0.5, 3.25, -2.75, 100.0, -1e-3, 7.0, float("inf"))]


def resolved(name: str, mask: int = 0xF, profile: Profile = HARDWARE, **fields: int) -> ResolvedInst:
    op = next(op for op in OPS if op.name == name)
    inst = Inst(op, (0,) * len(op.format.fields)).replace(**fields)
    return resolve(inst, operands(inst, descriptor(mask)), profile)


@together("op", COMPUTING, ids=lambda op: op.name)
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


# The descriptor bits of rows, told from what changes when a bit does


def state(registers: Registers[int, bool, int]) -> tuple[object, ...]:
    return registers.outputs[0], registers.a0, registers.cmp


def done(op: Op, value: int, vectors: list[tuple[int, int, int, int]]) -> tuple[object, ...]:
    """What an instruction leaves behind with a descriptor, its sources in c0, v0 and v1 or where the format has them."""
    m = Float24()
    instruction = resolve(
        Inst(op, (0,) * len(op.format.fields)), operands(Inst(op, (0,) * len(op.format.fields)), value), HARDWARE
    )
    sources = tuple(source._replace(register=n) for n, source in enumerate(instruction.sources))
    registers = Registers(m, [*vectors, *[(0, 0, 0, 0)] * (16 - len(vectors))], [(0, 0, 0, 0)] * 96)
    registers.outputs[0], registers.a0, registers.cmp = (MARK, MARK, MARK, MARK), (MARK, MARK), (True, False)
    execute(m, registers, instruction._replace(sources=sources, immediates=(LT, LT)[: len(instruction.immediates)]))
    return state(registers)


MARK = 0x4A1234  # what nothing here computes
LT = 2


def a_word(rng: random.Random) -> int:
    return rng.getrandbits(1) << 23 | rng.randrange(60, 68) << 16 | rng.getrandbits(16)


@pytest.mark.parametrize("op", [op for op in OPS if op.kind == ARITHMETIC], ids=lambda op: op.name)
def test_bits_that_are_read_are_those_that_change_something(op: Op):
    rng = random.Random(op.name)
    read = dict.fromkeys(range(16), 0)
    for _ in range(times(120, 300)):
        mask, value = rng.randrange(16), rng.getrandbits(31) & ~0xF
        vectors = [(a_word(rng), a_word(rng), a_word(rng), a_word(rng)) for _ in range(op.source_count)]
        before = done(op, value | mask, vectors)
        for bit in rng.sample(range(32), 8):
            if done(op, (value | mask) ^ 1 << bit, vectors) != before:
                read[mask] |= 1 << bit
    for mask, bits in read.items():
        assert not bits & ~descriptor_bits_read(op, mask), f"mask {mask:04b}"
    ever = everything = 0
    for mask, bits in read.items():
        ever, everything = ever | bits, everything | descriptor_bits_read(op, mask)
    assert ever == everything


@together("op", [op for op in OPS if op.kind == ARITHMETIC], ids=lambda op: op.name)
@together("mask", range(1, 16))
def test_picasso_counts_what_is_read_and_a_little_more(op: Op, mask: int):
    """Conformance rule 27: it takes all slots of DST and LITP, slots 2 and 3 of CMP's second source, and MOVA's whole mask for
    used."""
    whole = sum(
        selector.mask | negate.mask
        for selector, negate in list(zip(Descriptor.SELECTOR, Descriptor.NEGATE, strict=True))[: op.source_count]
    )
    more = {"dst": whole, "litp": whole, "cmp": Descriptor.SELECTOR[1].insert(0x0F), "mova": Descriptor.MASK.mask}.get(
        op.base, 0
    )
    signs = sum(negate.mask for negate in Descriptor.NEGATE[: op.source_count])  # also of a source of which no slot is read
    assert merge_bits(op, mask) | signs == descriptor_bits_read(op, mask) | more | signs


class Plain:
    """The operations on Python's numbers, where 0 * inf is NaN, as far as instructions that multiply need them."""

    def constant(self, value: float) -> float:
        return value

    def add(self, a: float, b: float) -> float:
        return a + b

    def mul(self, a: float, b: float) -> float:
        return a * b

    def mad(self, a: float, b: float, c: float) -> float:
        return a * b + c

    def dot(self, a: Sequence[float], b: Sequence[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    def __getattr__(self, name: str) -> Callable[..., float]:
        return lambda *values: 0.0  # no other operation multiplies


@together("op", [op for op in OPS if op.kind == ARITHMETIC], ids=lambda op: op.name)
def test_factors_are_where_zero_meets_infinity(op: Op):
    """With infinity in one slot and zeros in all others a NaN can only be made by a product."""
    found: set[tuple[int, int]] = set()
    for number in range(op.source_count):
        for slot in range(4):
            vectors = [[0.0] * 4 for _ in range(op.source_count)]
            vectors[number][slot] = math.inf
            immediates = (LT, LT)[: op.operands.count("cmp")]
            result = MEANING[op.base](cast("Any", Plain()), *map(tuple, vectors), *immediates)
            if any(math.isnan(value) for value in result.get("dst", ())):
                found.add((number, slot))
    assert factors(op) == found


def test_the_evidence_for_zero_times_infinity_names_what_multiplies():
    multiplying = {op.name for op in OPS if factors(op)}
    unmeasured = {"dst", "dsti"}  # they multiply, but no console has shown what their product does with infinity
    assert set(ZERO_TIMES_INFINITY.ops) == multiplying - unmeasured
