"""Kernels of the best shapes: unrolled loops, two blocks side by side, rows that are copied, numbers computed once a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np
import pytest

import lanewise as lw
from effort import sample
from lanewise.llvm import target as code
from lanewise.llvm.movement import PACKED, Layout
from lanewise.llvm.target import LEVELS, aarch64, host
from lanewise.pica200.engine.differential import BestRunner, compare, data_of
from lanewise.pica200.engine.llvm import shape, tiers
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.plan import Plan, unrolled
from lanewise.pica200.engine.llvm.shape import BLOCK, SMALL, Shape, best, quick_shape
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.ir.ssa import Jump, leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.sem.profile import Profile

ROUNDINGS = {
    "zero": lw.pica200.profiles["hardware"],
    "nearest": lw.pica200.profiles["hardware"].replace(rounding="nearest"),
    "float32": lw.pica200.profiles["azahar"],
}
HEAD = ".in a v0\n.in b v1\n.out first position\n.out second texcoord0\n.proc main\n"
TAIL = "\n    end\n.end\n"

# A root, so that two blocks are computed side by side; a copy; an expression of uniforms; a product of two uniforms with an
# input.
STRAIGHT = (
    ".fvec u[4]\n"
    + HEAD
    + "    mov second, b\n    mov r2, u[2]\n    mul r0, u[1], r2\n    add r0, r0, a\n    dp4 r1, u[0], a\n    max r1, r1, -r1\n"
    "    add r1, u[3], r1\n    rsq r1, r1.x\n    mul first, r0, r1" + TAIL
)
LOOPS = (
    ".fvec u[8]\n.ivec turns\n.ivec more\n"
    + HEAD
    + "    mov second, b\n    mov r0, a\n    for turns\n        mul r1, u[aL], a\n"
    "        add r0, r0, r1\n        for more\n            add r0, u[aL], r0\n        .end\n    .end\n    mov first, r0" + TAIL
)
BROKEN = (
    ".fvec u[8]\n.ivec turns\n" + HEAD + "    mov second, b\n    mov r0, a\n    for turns\n        add r0, u[aL], r0\n"
    "        cmp b, gt, gt, r0\n        breakc cmp.x\n    .end\n    mov first, r0" + TAIL
)
# r1 is 1 at first, as r4 and r5 are zeros, and is known only where blocks are joined; then a question has an answer.
ANSWERED = (
    ".fvec u[8]\n.ivec turns\n"
    + HEAD
    + "    mov second, b\n    mov r0, a\n    sge r1, r4, r5\n    sge r2, r4, r5\n    for turns\n"
    "        cmp r2, lt, lt, r1\n        ifc cmp.x\n            cmp r0, gt, gt, b\n            ifc cmp.y\n"
    "                add r0, u[aL], r0\n"
    "            .end\n            mul r0, u[1], r0\n        .end\n        add r1, r1, r1\n    .end\n"
    "    mov first, r0" + TAIL
)
# inf, NaN, zeros, numbers of float24 and float32 that are subnormal, and some beside the limits.
SPECIAL = [
    np.inf,
    -np.inf,
    np.nan,
    0.0,
    -0.0,
    2.0**-63,
    -(2.0**-70),
    1e-40,
    2.0**-62,
    2.0**24,
    -(2.0**63),
    1.5 * 2.0**63,
    3.4e38,
]


@pytest.fixture(autouse=True)
def short_programs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two blocks side by side, or half a block, also for short programs."""
    monkeypatch.setattr(shape, "LEAST_WIDE", 0)
    monkeypatch.setattr(shape, "MOST_WHOLE", 0)


def numbers(count: int, seed: int, special: int = 0) -> NDArray[np.float32]:
    """Rows of numbers, some of which are special."""
    random = np.random.default_rng(seed)
    found = random.uniform(-4, 4, (count, 4)).astype(np.float32)
    places = random.integers(0, count * 4, special)
    found.reshape(-1)[places] = np.array(SPECIAL, np.float32)[np.arange(special) % len(SPECIAL)]
    return found


def compared(
    source: str,
    profile: Profile,
    inputs: Mapping[str, NDArray[np.float32]],
    uniforms: Mapping[str, ArrayLike],
    tier: str = tiers.BEST,
) -> None:
    """A run with the best kernel gives what the reference engine gives."""
    shader = lw.assemble(source).vertex
    shader.runner(profile).compiled.tier = tiers.BEST
    found = shader.run(inputs, uniforms, profile=profile, engine="llvm", defaults=0)
    wanted = shader.run(inputs, uniforms, profile=profile, engine="reference", defaults=0)
    for name, array in wanted.outputs.items():
        np.testing.assert_array_equal(found.outputs[name].view(np.uint32), array.view(np.uint32), err_msg=name)


def vectors(*rows: Sequence[float]) -> NDArray[np.float32]:
    return np.array(rows, np.float32)


ORDINARY = vectors([0.5, 1, -2, 0.25], [3, 0.1, 1, 1], [-1, 7, 1, 2], [1, 1, 1, 1])


def plan_of(source: str, profile: Profile = ROUNDINGS["zero"]) -> Plan:
    shader = lw.assemble(source).vertex
    plan = shader.runner(profile).compiled.plan([False] * 16)
    assert isinstance(plan, Plan)
    return plan


@pytest.mark.parametrize(("rounding", "count"), sample([(r, n) for n in (33, 17, 31, 1, 100) for r in ROUNDINGS], 5))
def test_any_number_of_vertices(rounding: str, count: int):
    inputs = {"a": numbers(count, count), "b": numbers(count, count + 1)}
    compared(STRAIGHT, ROUNDINGS[rounding], inputs, {"u": ORDINARY})


@pytest.mark.parametrize(("rounding", "special"), sample([(r, n) for n in (6, 1, 40) for r in ROUNDINGS], 3))
def test_blocks_that_are_not_ordinary_are_done_again(rounding: str, special: int):
    inputs = {"a": numbers(90, special, special), "b": numbers(90, special + 1, special)}
    compared(STRAIGHT, ROUNDINGS[rounding], inputs, {"u": ORDINARY})


def test_the_last_half_of_a_block_is_done_again_within_the_arrays():
    """Where vectors are half a block, exact code begins a half before."""
    profile, count = ROUNDINGS["nearest"], 40
    inputs = {"a": numbers(count, 1), "b": numbers(count, 2)}
    inputs["a"][-1, 0] = np.inf
    shader = lw.assemble(STRAIGHT).vertex
    shader.runner(profile).compiled.tier = tiers.BEST
    room = {name: np.full((count + BLOCK, 4), 7, np.float32) for name in ("position", "texcoord0")}
    out = {name: rows[:count] for name, rows in room.items()}
    shader.batch(inputs, {"u": ORDINARY}, profile=profile, engine="llvm", out=out).run()
    wanted = shader.run(inputs, {"u": ORDINARY}, profile=profile, engine="reference")
    for name, rows in room.items():
        np.testing.assert_array_equal(rows[:count].view(np.uint32), wanted.outputs[name].view(np.uint32))
        assert np.all(rows[count:] == 7)


@pytest.mark.parametrize("rounding", sample(list(ROUNDINGS), 1))
def test_each_special_number_is_copied_as_the_reference_copies_it(rounding: str):
    count = 16 * len(SPECIAL)
    b = numbers(count, 3)
    b[::16, 2] = SPECIAL  # one in each block
    for columns in (b, np.repeat(b, 2, axis=1)[:, ::2].copy(), b[:, :3].copy(), b[:1]):
        compared(STRAIGHT, ROUNDINGS[rounding], {"a": numbers(count, 4), "b": columns}, {"u": ORDINARY})
    rows = np.zeros((count, 2, 4), np.float32)
    rows[:, 0], rows[:, 1] = numbers(count, 5), b
    compared(STRAIGHT, ROUNDINGS[rounding], {"a": rows[:, 0], "b": rows[:, 1]}, {"u": ORDINARY})


@pytest.mark.parametrize("size", sample([2.0**20, 2.0**SMALL * 0.99, 2.0**SMALL, 2.0**23, 2.0**40, np.inf], 3))
@pytest.mark.parametrize("rounding", sample(["zero", "float32"], 1))
def test_uniforms_of_any_size(rounding: str, size: float):
    inputs = {"a": numbers(40, 8) * np.float32(2**21), "b": numbers(40, 9)}
    uniforms = ORDINARY.copy()
    uniforms[1:3] *= np.float32(size)
    compared(STRAIGHT, ROUNDINGS[rounding], inputs, {"u": uniforms})


def test_a_batch_takes_other_kernels_for_larger_uniforms_and_other_counts():
    shader = lw.assemble(LOOPS).vertex
    shader.runner(lw.pica200.profiles["hardware"]).compiled.tier = tiers.BEST
    inputs = {"a": numbers(33, 10), "b": numbers(33, 11)}
    u = np.tile(ORDINARY, (2, 1))
    batch = shader.batch(inputs, {"u": u, "turns": [2, 0, 1], "more": [0, 1, 1]}, engine="llvm")
    for factor, turns, more in ((1, 2, 0), (1, 3, 1), (2.0**30, 3, 1), (1.0, 0, 2), (3.0, 20, 3)):
        uniforms = {"u": u * np.float32(factor), "turns": [turns, 0, 1], "more": [more, 1, 1]}
        batch.set_uniforms(uniforms)
        found = batch.run()["position"].view(np.uint32).copy()
        wanted = shader.run(inputs, uniforms, engine="reference").outputs["position"]
        np.testing.assert_array_equal(found, wanted.view(np.uint32))


def test_known_counts_leave_no_loop():
    plan = plan_of(LOOPS)
    assert plan.loops
    assert plan.counts == (0, 1)
    flat = unrolled(plan, [(2, 0, 1, 0), (1, 2, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0)])
    assert len(flat.function.blocks) == 1
    assert not flat.gathers
    assert flat.outputs == plan.outputs
    assert flat.inputs == plan.inputs
    assert unrolled(plan, [(255, 0, 1, 0), (255, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0)]) is plan


def test_a_loop_that_lanes_leave_is_a_chain_of_blocks():
    plan = plan_of(BROKEN)
    flat = unrolled(plan, [(3, 0, 1, 0)] * 4)
    following = [[leaf.block for leaf in leaves(block.exit) if isinstance(leaf, Jump)] for block in flat.function.blocks]
    assert not flat.lanes.order.loops
    assert len(following) > len(plan.function.blocks)


TURNS = [(4, 1, 1), (0, 0, 1), (1, 3, 1), (5, 0, 2), (3, 120, 30), (30, 0, 0)]


@pytest.mark.parametrize(
    ("source", "turns"), [*sample([(source, turns) for turns in TURNS for source in (LOOPS, BROKEN)], 6), (ANSWERED, (4, 0, 1))]
)
def test_loops_with_known_counts(source: str, turns: tuple[int, int, int]):
    uniforms: dict[str, ArrayLike] = {"u": np.tile(ORDINARY, (2, 1)), "turns": turns}
    if source is LOOPS:
        uniforms["more"] = (1, 2, 1)
    inputs = {"a": numbers(20, 6), "b": numbers(20, 7)}
    for rounding in sample(["nearest", "zero", "float32"], 2):
        compared(source, ROUNDINGS[rounding], inputs, uniforms)


@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_the_budget_of_a_loop_holds(rounding: str):
    profile = ROUNDINGS[rounding]
    shader = lw.assemble(LOOPS).vertex
    inputs = {"a": numbers(20, 6), "b": numbers(20, 7)}
    uniforms = {"u": np.tile(ORDINARY, (2, 1)), "turns": (9, 0, 1), "more": (9, 0, 1)}
    shader.runner(profile).compiled.tier = tiers.BEST
    for budget in (30, 100, 5_000):
        found, wanted = (
            shader.run(inputs, uniforms, profile=profile, engine=engine, budget=budget, defaults=0, keep_faults=True)
            for engine in ("llvm", "reference")
        )
        assert [fault.lane for fault in found.faults] == [fault.lane for fault in wanted.faults]
        np.testing.assert_array_equal(found.outputs["position"], wanted.outputs["position"])


@pytest.mark.parametrize("level", LEVELS[1:])
def test_what_the_shapes_are(level: str, monkeypatch: pytest.MonkeyPatch):
    straight, loops = plan_of(STRAIGHT), plan_of(LOOPS)
    nearest, float32 = (plan_of(STRAIGHT, ROUNDINGS[name]) for name in ("nearest", "float32"))
    counted = unrolled(plan_of(LOOPS, ROUNDINGS["nearest"]), [(2, 0, 1, 0)] * 4)
    target = aarch64()._replace(family="x86", level=level)
    half = Shape(BLOCK // 2, SMALL, ordered=True)
    if level == "sse":
        assert {best(plan, target, SMALL) for plan in (straight, loops, nearest, float32, counted)} == {half}
        return
    assert best(float32, target, SMALL) == Shape(BLOCK, SMALL, ordered=True)
    assert best(loops, target).width == BLOCK
    if level == "avx512":
        assert best(straight, target, SMALL) == Shape(BLOCK, SMALL, joined=True, ordered=True)
        assert best(nearest, target, SMALL) == Shape(2 * BLOCK, SMALL, ordered=True)
        assert best(counted, target) == Shape(BLOCK, ordered=True)
    else:
        assert best(straight, target, SMALL) == Shape(BLOCK, SMALL, ordered=True)
        assert best(nearest, target, SMALL) == best(counted, target, SMALL) == half
        monkeypatch.setattr(shape, "MOST_WHOLE", sum(map(len, nearest.needs.nodes)))
        assert best(nearest, target, SMALL) == Shape(BLOCK, SMALL, ordered=True)
        assert best(counted, target, SMALL) == half


def test_numbers_computed_once_and_copied_rows_are_in_the_code():
    straight, target = plan_of(STRAIGHT), host()
    layouts = {number: Layout(PACKED, 4) for number in range(2)}
    text = generate(straight, layouts, target, exact=False)
    assert "%once" in text
    assert text.count("shufflevector <16 x float>") < generate(straight, layouts, target, exact=True).count(
        "shufflevector <16 x float>"
    )


def test_code_that_is_to_be_there_soon_calls_movers():
    straight, target = plan_of(STRAIGHT), host()
    layouts = {number: Layout(PACKED, 4) for number in range(2)}
    found = quick_shape(straight, target)
    shapes = found, found._replace(moved=False)
    called, inline = (generate(straight, layouts, target, exact=True, shape=each) for each in shapes)
    if target.family == "x86":
        assert called.count("shufflevector") < inline.count("shufflevector") / 2
    else:
        assert called == inline


@pytest.mark.parametrize("number", sample([43, 217], 1))
def test_joined_blocks_that_decide_a_question_leave_none_behind(number: int, monkeypatch: pytest.MonkeyPatch):
    """Random programs in which a loop with a known count makes blocks that no path leads to."""
    monkeypatch.setattr(tiers, "AUTO", tiers.BEST)
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    assert compare(case(81, number)).difference is None


def test_a_count_with_which_no_lane_ends(monkeypatch: pytest.MonkeyPatch):
    """A random program whose flags every turn of a loop decides, so that it always jumps back to the start."""
    monkeypatch.setattr(tiers, "AUTO", tiers.BEST)
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    assert compare(case(2026, 544)).difference is None


def test_the_end_is_for_all_lanes(monkeypatch: pytest.MonkeyPatch):
    """A random program with an output that is a copy, whose last block is for some lanes: what is checked at the end is not
    only theirs."""
    optimised = code._optimised  # pyright: ignore[reportPrivateUsage]
    read: Any = llvm.parse_assembly
    verified: list[str] = []

    def verifying(ir: str, *others: Any) -> Any:
        read(ir).verify()
        verified.append(ir)
        return optimised(ir, *others)

    monkeypatch.setattr(code, "_optimised", verifying)
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    one = case(77, 386)
    inputs, uniforms = data_of(one)
    runner = BestRunner(one.words, one.descriptors, 0, one.profile, "native")
    found, wanted = (runner.run(inputs, uniforms, (), range(16), 4_000, engine=engine) for engine in ("llvm", "reference"))
    assert verified
    for register, values in wanted.outputs.items():
        np.testing.assert_array_equal(found.outputs[register].view(np.uint32), values.view(np.uint32))
