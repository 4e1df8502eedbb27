"""Random programs on both engines, and that they do what compilers never do."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from effort import times
from engines.kernels import LEVELS, need_level
from engines.shaders import descriptor, word
from lanewise.pica200.engine.differential import BestRunner, QuickRunner, compare
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.random_programs import BUDGET, DESCRIPTORS, Case, case, vertex
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import OPS, WIDE_SOURCE
from lanewise.pica200.isa.table import TEMPORARY as R
from lanewise.pica200.sem.flow import CALL_DEPTH, IF_DEPTH, LOOP_DEPTH
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE

PROGRAMS = times(60, 1500)
PARTS = 10
SEED = 2026


@pytest.mark.parametrize("part", range(PARTS))
def test_both_engines_give_the_same(part: int, monkeypatch: pytest.MonkeyPatch):
    """Most of the parts on the processor as it is, two each on less of it."""
    level = {6: "avx2", 7: "avx2", 8: "sse", 9: "sse"}.get(part, "native")
    need_level(level)
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    given_up = 0
    for number in range(part, PROGRAMS, PARTS):
        found = compare(case(SEED, number), level)
        assert found.difference is None, f"lanewise fuzz --seed {SEED} --first {number} --programs 1 --level {level}"
        given_up += bool(found.reason)
    assert given_up <= times(3, PROGRAMS // PARTS // 3)


def test_random_programs_run_on_kernels_of_each_tier():
    """`lanewise fuzz` runs most programs on quick kernels, and some on the best."""
    one = case(SEED, 3)
    for runner, tier in ((QuickRunner, tiers.QUICK), (BestRunner, tiers.BEST)):
        assert runner(one.words, one.descriptors, 0, one.profile).compiled.tier == tier
        assert [compare(case(SEED, number), make=runner).difference for number in range(8)] == [None] * 8


@pytest.mark.parametrize("level", LEVELS)
def test_a_nan_keeps_its_bits_where_moves_flush_subnormals(level: str):
    """Found by `lanewise fuzz --seed 2026 --first 1606 --programs 1`: multiplications that flush make a NaN quiet."""
    need_level(level)
    rules = HARDWARE.replace(nan_pattern="kept", subnormal_mov="flush")
    words = (word("mov", dst=0, src1=0, desc=0), word("end"))
    row = (0x7F0001, 0xFF0001, 0x000001, 0x7F8001)
    zeros = ((0, 0, 0, 0),) * 96
    one = Case(
        words=words,
        descriptors=(descriptor(),),
        floats=zeros,
        integers=zeros[:4],
        booleans=(False,) * 16,
        inputs=((row,), (), (), ()),
        lanes=1,
        profile=rules,
    )
    assert compare(one, level).difference is None


def test_a_case_can_be_made_again():
    assert case(5, 1234) == case(5, 1234)
    assert case(5, 1234) != case(6, 1234)


@cache
def many() -> tuple[Case, ...]:
    return tuple(case(3, number) for number in range(500))


def test_every_operation_and_operand_comes_up():
    seen: Counter[str] = Counter()
    wide: Counter[str] = Counter()
    descriptors: set[int] = set()
    for one in many():
        assert len(one.descriptors) == DESCRIPTORS
        descriptors |= {value & 0xF for value in one.descriptors}
        for inst in map(decode, one.words):
            seen[inst.op.name] += 1
            if "src" in inst.op.operands and inst.field(f"src{WIDE_SOURCE[inst.op.format.name]}") >= 0x20:
                wide[inst.op.name] += 1
    assert {op.name for op in OPS if seen[op.name] < 5} <= {"setemit"}  # which does nothing in a vertex shader
    assert {op.name for op in OPS if "src" in op.operands and not wide[op.name]} == set()
    assert len(descriptors) == 16
    assert seen[".word"]


def test_subnormals_come_up_beside_ordinary_numbers_alone():
    """In uniforms and in attributes that the program reads, in float24 and in float32, without infinities that make everything
    exact."""
    found: Counter[str] = Counter()
    for one in many():
        wide = one.profile.rounding == "float32"
        bits, exponents = (23, 0xFF) if wide else (16, 0x7F)
        used = {inst.field(f"src{n}") for inst in map(decode, one.words) for n in (1, 2, 3) if inst.has(f"src{n}")}
        uniforms = [w for row, vector in enumerate(one.floats) if row + 0x20 in used for w in vector]
        attributes = [w for register, rows in enumerate(one.inputs) if register in used for row in rows for w in row]
        kinds = {w >> bits & exponents for w in (*uniforms, *attributes)}
        if exponents in kinds or max(kinds, default=0) - (exponents >> 1) > 20:
            continue
        for what, words in (("uniforms", uniforms), ("attributes", attributes)):
            if any(w & (1 << bits) - 1 and not w >> bits & exponents for w in words):
                found[f"{what}, {'float32' if wide else one.profile.rounding}"] += 1
    assert {name: count for name, count in found.items() if count >= 10}.keys() == {
        f"{what}, {kind}" for what in ("uniforms", "attributes") for kind in ("zero", "nearest", "float32")
    }, found


def quirks(one: Case, lane: int) -> set[str]:
    """What happens to a vertex that a compiler would never let happen."""
    program = Reference(one.words, one.descriptors, 0, profile=one.profile, budget=BUDGET)
    machine = program.start(vertex(one, lane), one.floats, one.integers, one.booleans)
    bodies = [(n + 1, inst.field("dst")) for n, inst in enumerate(map(decode, one.words)) if inst.op.base == "for"]
    found: set[str] = set()
    while not machine.finished:
        before = machine.state
        step = machine.step()
        after = machine.state
        name = step.inst.op.base if step.inst is not None else ""
        for ring, depth in (("calls", CALL_DEPTH), ("ifs", IF_DEPTH), ("loops", LOOP_DEPTH)):
            old, new = getattr(before, ring), getattr(after, ring)
            if len(old) == len(new) == depth and old != new:
                found.add(f"{ring} overflow")
        ended = sum(len(getattr(before, ring)) > len(getattr(after, ring)) for ring in ("calls", "ifs", "loops"))
        if ended > 1:
            found.add("blocks end together")
        if name == "for" and any(slot.start == before.pc + 1 for slot in before.loops):
            found.add("a loop entered again")
        jumped = name in ("jmpc", "jmpu", "call", "callc", "callu") and after.pc != before.pc + 1
        if jumped and any(first < after.pc <= last and not first <= before.pc <= last for first, last in bodies):
            found.add("into a loop")
        if name in ("break", "breakc") and len(after.loops) < len(before.loops):
            found.add("broken")
    found.add(machine.fault.code if machine.fault else "end")
    return found


def test_all_that_compilers_never_do_comes_up_for_some_vertices_only():
    """Each in at least three of 400 programs for some vertices and not for others."""
    parted: Counter[str] = Counter()
    wanted = {
        "calls overflow",
        "ifs overflow",
        "loops overflow",
        "blocks end together",
        "a loop entered again",
        "into a loop",
        "broken",
        "R001",
        "R002",
        "R003",
        "end",
    }
    for number in range(400):
        one = case(4, number)
        lanes = [quirks(one, lane) for lane in range(min(one.lanes, 6))]
        parted.update({name for found in lanes for name in found if not all(name in other for other in lanes)})
        if all(parted[name] >= 3 for name in wanted):
            return
    assert {name: parted[name] for name in wanted if parted[name] < 3} == {}


@pytest.mark.parametrize("level", LEVELS)
def test_the_sign_of_a_nan_stays_beside_a_negated_factor(level: str):
    """LLVM moves the negation of a factor behind the product, where it must not reach a NaN. Found by random programs."""
    need_level(level)
    source = [word("sgei", dst=R, src1=R + 1, src2=R + 1), word("dp4", dst=1, src1=R, src2=0, desc=1), word("end")]
    zeros = ((0, 0, 0, 0),) * 96
    for negate in ((True, False, False), (False, True, False), (True, True, False)):
        descriptors = (descriptor(), descriptor(negate=negate))
        rules = HARDWARE.replace(rounding="float32", nan_pattern="kept", subnormal_arithmetic="keep", subnormal_floor="keep")
        given = (tuple(map(number_rule(rules).from_float24, (0x400000, 0xBB2485, 0x7F0001, 0xC3FFFF))),)
        one = Case(
            words=tuple(source),
            descriptors=descriptors,
            floats=zeros,
            integers=zeros[:4],
            booleans=(False,) * 16,
            inputs=(given,) * 4,
            lanes=1,
            profile=rules,
        )
        assert compare(one, level).difference is None


def flushed_products(rounding: str) -> Case:
    """Products just below 2**-62, most of which would round up to it: a processor may flush before it rounds, or after."""
    rng = random.Random(9)
    zeros = ((0, 0, 0, 0),) * 96
    rows: list[list[tuple[int, int, int, int]]] = [[], [], [], []]
    for lane in range(1024):
        factors: list[tuple[int, int]] = []
        for component in range(4):
            mantissa = rng.randrange(1 << 16, 1 << 17)
            other = ((1 << 33) - 1) // mantissa + (component == 3)
            exponent = rng.randrange(1, 63)
            factors.append(
                (exponent << 16 | mantissa & 0xFFFF, 63 - exponent << 16 | min(other, 0x1FFFF) & 0xFFFF | (lane & 1) << 23)
            )
        (a, p), (b, q), (c, r), (d, s) = factors
        for place, vector in enumerate([(a, b, c, d), (p, q, r, s), (0, 0, 0, 0), (0x010000, 0x810000, 0x010001, 0x3F0000)]):
            rows[place].append(vector)
    # v0 * v1 as it comes, in a sum with 2**-62, and where it counts whether it is zero.
    source = [
        word("mul", dst=0, src1=0, src2=1),
        word("mad", dst=1, src1=0, src2=1, src3=3),
        word("mul", dst=R, src1=0, src2=1),
        word("sgei", dst=2, src1=2, src2=R),
        word("dp4", dst=3, src1=0, src2=1),
        word("end"),
    ]
    rules = HARDWARE.replace(rounding=rounding)
    return Case(
        words=tuple(source),
        descriptors=(descriptor(),),
        floats=zeros,
        integers=zeros[:4],
        booleans=(False,) * 16,
        inputs=tuple(map(tuple, rows)),
        lanes=1024,
        profile=rules,
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_products_that_would_round_up_to_the_smallest_number(rounding: str, level: str):
    need_level(level)
    assert compare(flushed_products(rounding), level).difference is None


def _stopping(*program: int, **rules: str) -> Case:
    zeros = ((0, 0, 0, 0),) * 96
    profile = HARDWARE.replace(initial_state="kept", **rules)
    return Case(
        words=program,
        descriptors=(descriptor(),),
        floats=zeros,
        integers=zeros[:4],
        booleans=(False,) * 16,
        inputs=(_ROWS,),
        lanes=len(_ROWS),
        profile=profile,
    )


_NOBODY_KNOWS = 0x10 << 26
_ROWS = (
    (0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000),
    (0, 0, 0, 0),
    (0x3F0000, 0, 0, 0x400000),
    (0, 0, 0, 0),
    (0x400000, 0x400000, 0, 0),
)


@pytest.mark.parametrize("last", ["end", "nop"])
def test_a_vertex_that_stops_shows_what_the_one_before_has_left(last: str):
    """Where registers stay, an output that it has not come to write. Found by hand beside the next."""
    where_zero = {"condop": 2, "refx": 1}
    ask = [word("cmp", src1=0, src2=9), word("ifc", dst=3, **where_zero)]
    case_of = _stopping(*ask, _NOBODY_KNOWS, word("mov", dst=0, src1=0), word(last), past_end="end")
    assert compare(case_of)[:3] == (None, "", 3)


def test_what_a_vertex_has_left_that_stopped():
    """Where registers stay, an output that only vertices write that stop. Found by random programs."""
    where_not_zero = {"condop": 2, "refx": 0}
    ask = [word("cmp", src1=0, src2=9), word("ifc", dst=4, **where_not_zero)]
    case_of = _stopping(*ask, word("mov", dst=0, src1=0), _NOBODY_KNOWS, word("end"))
    assert compare(case_of)[:3] == (None, "", 2)
