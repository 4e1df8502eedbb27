"""Floors of programs: what is needed, counted by hand; what kernels emit; what this processor does in a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from lanewise.api.loading import assemble
from lanewise.core.engines import REFERENCE
from lanewise.llvm.target import Target, host
from lanewise.llvm.text import Text
from lanewise.pica200.engine.differential import data_of
from lanewise.pica200.engine.float24 import decode_all
from lanewise.pica200.engine.llvm import choice
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.plan import Plan, plan
from lanewise.pica200.engine.llvm.rules import Value
from lanewise.pica200.engine.llvm.shape import quick_shape
from lanewise.pica200.engine.placing import bind_inputs, bind_uniforms
from lanewise.pica200.engine.random_programs import BUDGET, case
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.sem.profile import HARDWARE, Profile, profiles
from lanewise_bench.cases import CASES
from lanewise_bench.copying import COPIED, MOVED, aligned, copiers
from lanewise_bench.emitted import Code, code_of, executed, kinds_of, operations
from lanewise_bench.floors import Floors, moving, recipe
from lanewise_bench.floors import operations as operations_of
from lanewise_bench.measure import Bench, plan_of
from lanewise_bench.needed import MERGE, Needed, Run, needed
from lanewise_bench.throughput import LOAD, Limits, throughput
from together import together

SSE = Target(triple="x86_64-unknown-linux-gnu", cpu="x86-64", features="", family="x86", level="sse")

if TYPE_CHECKING:
    from collections.abc import Mapping

NEAREST, FLOAT32 = HARDWARE.replace(rounding="nearest"), profiles["azahar"]
AVX512 = Target(triple="x86_64-unknown-linux-gnu", cpu="x86-64-v4", features="-prefer-256-bit", family="x86", level="avx512")
AVX2 = Target(triple="x86_64-unknown-linux-gnu", cpu="x86-64-v3", features="", family="x86", level="avx2")


def _needed(body: str, data: dict[str, list[list[float]]], head: str = "", given: dict[str, list[int]] | None = None) -> Needed:
    """What a program with the inputs a and b and the output pos needs; two vertices, the second as the first if there is one
    row."""
    text = f".in a v0\n.in b v1\n.out pos position\n{head}.proc main\n    mov r7, b\n{body}\n    end\n.end\n"
    shader = assemble(text).vertex
    rows = {name: np.array((values * 2)[:2], np.float32) for name, values in data.items()}
    inputs, wrong = bind_inputs(rows, shader.interface.inputs, 2, HARDWARE)
    uniforms, more = bind_uniforms(given or {}, shader.interface.uniforms, shader.interface.constants, HARDWARE)
    assert not wrong, wrong
    del more  # uniforms without values are zeros
    return needed(plan_of(shader, dict(enumerate(uniforms.booleans)), HARDWARE), inputs, uniforms)


ONE = {"a": [[1.0, 2.0, 3.0, 4.0]], "b": [[0.5, 0.25, 2.0, 1.0]]}


@together(
    ("body", "results"),
    [
        ("mul pos, a, r7", {"mul": 4}),
        ("mul r0, a, r7\n mul r1, r7, a\n add pos, r0, r1", {"mul": 4, "add": 4}),  # one product, in whatever order
        ("mul r0, a, r7\n mul r1, -a, r7\n add pos, r0, r1", {"mul": 4, "add": 4}),  # a sign costs nothing
        ("mul r0, a, r7\n rcp r1, r0.x\n mov pos, a", {}),  # nothing of it reaches an output
        ("mul pos, a.xxxx, r7.xxxx", {"mul": 1}),
        ("dp4 pos, a, r7", {"mul": 4, "add": 3}),
        ("dp4 pos.x, a, r7\n dp3 pos.y, a, r7\n mov pos.zw, a", {"mul": 4, "add": 3}),  # the shorter one is part of the longer
        ("max r0, a, r7\n rsq r1, r0.x\n mov pos, r1.xxxx", {"max": 1, "rsq": 1}),
        ("mov r0, k\n mul r0, k, r0\n add pos, r0, a", {"add": 4}),  # a product of uniforms is one of the call
    ],
)
def test_results_counted_by_hand(body: str, results: dict[str, float]):
    assert _needed(body, ONE, ".fvec k\n").results == results


def test_rounds_of_a_loop_share_what_they_have_in_common():
    body = "mov r0, a\n for n\n mul r1, a, r7\n add r0, r0, r1\n .end\n mov pos, r0"
    found = _needed(body, ONE, ".ivec n\n", {"n": [4, 0, 1]})
    assert found.results == {"mul": 4, "add": 20}
    # By index: a product for each row, as each round has another.
    body = "mov r0, a\n for n\n mul r1, rows[aL], a\n add r0, r0, r1\n .end\n mov pos, r0"
    assert _needed(body, ONE, ".ivec n\n.fvec rows[8]\n", {"n": [2, 0, 1]}).results == {"mul": 12, "add": 12}


BRANCH = "cmp a.xx, ge, lt, r7.xx\n ifc cmp.x\n mul r0, a, r7\n .else\n add r0, a, r7\n .end\n mul pos, r0, r0"


def test_lanes_that_part_need_both_sides_once():
    apart = {"a": [[1.0, 2.0, 3.0, 4.0], [-1.0, 2.0, 3.0, 4.0]], "b": [[0.5, 0.25, 2.0, 1.0]]}
    assert _needed(BRANCH, apart).results == {"compare": 1, "add": 4, "mul": 8, MERGE: 4}
    assert _needed(BRANCH, ONE).results == {"compare": 1, "mul": 8}  # together on one side


def test_inputs_and_outputs():
    found = _needed("mul pos, a.xyyy, r7.wwww", ONE)
    assert found.read == {0: {0, 1}, 1: {3}} and found.written == {0: {0, 1, 2, 3}}
    # Two unpacked pairs and two components of one input; three shuffles for the other; a whole transpose of the output.
    assert moving(found, HARDWARE, AVX512) == {"fma": 4, "load": 8, "logic": 3, "mul": 3, "shuffle": 15, "store": 4}
    assert moving(found, FLOAT32, AVX512) == {"load": 8, "shuffle": 15, "store": 4}


def _run(plan_: Plan, words: dict[int, list[list[int]]], uniforms: object, lanes: int) -> Run:
    run = Run(plan_, words, uniforms, lanes)  # pyright: ignore[reportArgumentType]
    run.execute()
    return run


def test_the_symbolic_run_gives_what_the_reference_engine_does():
    """Random programs: branches, loops, calls, indices. A count is of no use if the run takes other paths."""
    compared = 0
    for number in range(26):
        one = case(20261122, number)
        if one.profile.rounding == "float32" or one.profile.index_wrap == "registers" or one.profile.initial_state == "kept":
            continue
        inputs, uniforms = data_of(one)
        made = plan(one.words, one.descriptors, 0, dict(enumerate(uniforms.booleans)), one.profile)
        if not isinstance(made, Plan):
            continue
        wanted = Runner(one.words, one.descriptors, 0, one.profile).run(
            inputs, uniforms, (), range(16), BUDGET, engine=REFERENCE
        )
        if wanted.faults:
            continue
        lanes = min(inputs.lanes, 16)
        words = {register: array[:lanes].tolist() for register, array in inputs.words.items()}
        run = _run(made, words, uniforms, lanes)
        for place, result in enumerate(run.wanted()[: 4 * len(made.outputs)]):
            register, component = made.outputs[place // 4], place % 4
            found = decode_all(np.array([run.value(result, lane) for lane in range(lanes)], np.uint32))
            assert np.array_equal(found, wanted.outputs[f"o{register}"][:lanes, component], equal_nan=True), number
            compared += 1
    assert compared > 40


class _Watch:
    """Receives flags, which are no part of a recipe."""

    def flag_input(self, size: str) -> None: ...
    def flag_raw(self, raw: str) -> None: ...
    def flag_below(self, raw: str) -> None: ...
    def flag_number(self, number: str) -> None: ...
    def flag_nan(self, number: str) -> None: ...
    def flag_where(self, condition: str) -> None: ...
    def bail(self, condition: str) -> None: ...


def _work(kinds: Mapping[str, float]) -> float:
    """Operations, with two for one on float64."""
    return sum(count * (2 if kind.startswith("double") else 1) for kind, count in kinds.items())


@together("target", [AVX512, AVX2, SSE], ids=["avx512", "avx2", "sse"])
@together("profile", [HARDWARE, NEAREST, FLOAT32], ids=["zero", "nearest", "float32"])
@together("op", ["add", "mul", "floor", "rcp", "rsq", "exp2", "log2", "max", "min"])
def test_no_rule_is_cheaper_than_the_cheapest_known_recipe(op: str, profile: Profile, target: Target):
    """Otherwise the floor would be above what a kernel can reach."""
    text = Text(16, rounds=target.rounds)
    rule = choice.speculative(profile)(text, profile, target, _Watch())
    operands = [Value("%a", 1.0, "%a.unscaled"), Value("%b", 1.0, "%b.unscaled")][
        : 1 if op in ("floor", "rcp", "rsq", "exp2", "log2") else 2
    ]
    result = getattr(rule, op)(*operands)
    assert result.plain
    emitted, known = kinds_of(text.lines), recipe(op, profile, target)
    assert _work(known) <= _work(emitted), (known, emitted)


def test_kinds_of_instructions():
    lines = """
      %1 = load <16 x float>, ptr %p, align 4
      %2 = fadd <16 x float> %1, %1
      %3 = bitcast <16 x float> %2 to <16 x i32>
      %4 = and <16 x i32> %3, splat (i32 -128)
      %5 = fcmp ogt <16 x float> %1, %2
      %6 = select <16 x i1> %5, <16 x float> %1, <16 x float> %2
      %7 = fcmp olt <16 x float> %1, %2
      %8 = select <16 x i1> %7, <16 x float> %2, <16 x float> zeroinitializer
      %9 = xor <16 x i1> %7, splat (i1 true)
      %10 = load float, ptr %p, align 4
      %11 = insertelement <16 x float> poison, float %10, i32 0
      %12 = shufflevector <16 x float> %11, <16 x float> poison, <16 x i32> zeroinitializer
      %13 = shufflevector <16 x float> %1, <16 x float> %2, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20, i32 5, \
i32 21, i32 8, i32 24, i32 9, i32 25, i32 12, i32 28, i32 13, i32 29>
      %14 = shufflevector <32 x float> %x, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, \
i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
      %15 = fmul <32 x float> %x, %x
      %16 = call <16 x float> @llvm.fma.v16f32(<16 x float> %1, <16 x float> %1, <16 x float> %1)
      %17 = call <16 x float> @llvm.x86.avx512.add.ps.512(<16 x float> %1, <16 x float> %1, i32 10)
      %18 = fpext <16 x float> %1 to <16 x double>
      %19 = fmul <16 x double> %18, %18
      %20 = fdiv <16 x float> %1, %2
      %21 = add i64 %i, 1
      store <16 x float> %20, ptr %p, align 4
    """.splitlines()
    assert kinds_of([line for line in lines if line.strip()]) == {
        "load": 1,
        "add": 2,
        "logic": 1,
        "max": 1,
        "compare": 1,
        "select": 1,
        "mask": 1,
        "broadcast": 1,
        "shuffle": 1,
        "mul": 2,
        "fma": 1,
        "double convert": 1,
        "double mul": 1,
        "div": 1,
        "store": 1,
    }


def test_operations_that_one_instruction_does():
    lines = """
      %1 = and <16 x i32> %a, splat (i32 1)
      %2 = icmp eq <16 x i32> %1, zeroinitializer
      %3 = fadd <16 x float> %x, %y
      %4 = select <16 x i1> %2, <16 x float> %3, <16 x float> %x
      %5 = or <16 x i32> %a, %b
      %6 = xor <16 x i32> %5, %c
      %7 = and <16 x i32> %6, %d
      %8 = select <16 x i1> %2, <16 x float> %x, <16 x float> %y
    """.splitlines()
    code = Code("", {"entry": [line for line in lines if line.strip()]})
    assert operations(code, {"entry": 1}) == {"add": 1, "compare": 1, "logic": 4, "select": 2}
    assert operations(code, {"entry": 2}, masked=True) == {"add": 2, "compare": 2, "logic": 4, "select": 2}


def test_blocks_count_as_often_as_they_run():
    bench = Bench("native", stream=False, vertices=32)
    loop16 = next(case for case in CASES if case.name == "loop16")
    data = bench.data(loop16, "hardware")
    shape = quick_shape(data.plan, bench.target)
    ir = generate(data.plan, dict(data.columns.layouts), bench.target, exact=False, shape=shape)
    code = code_of(ir, bench.target)
    times = executed(code, bench.target, bench.kernel(data, quick=True).arguments)
    head = max(times, key=times.__getitem__)
    assert times[head] == 32 // shape.width * 16  # rounds of each vector
    once = operations(Code("", {head: code.blocks[head]}), {head: 1})
    assert operations(Code("", {head: code.blocks[head]}), {head: 16}) == {kind: 16 * n for kind, n in once.items()}


def test_costs_and_limits():
    limits = throughput(host()).limits(["add", "mul", "shuffle", "gather"])
    assert all(limits.own[kind] > 0 for kind in ("add", "mul", "logic", "shuffle", LOAD))
    few, many = {"add": 10.0, "mul": 5.0, "shuffle": 3.0}, {"add": 20.0, "mul": 10.0, "shuffle": 6.0}
    assert limits.of(many) == pytest.approx(2 * limits.of(few))  # pyright: ignore[reportUnknownMemberType]
    assert limits.of(few) >= 10 * limits.own["add"] * 0.999


def test_the_largest_limit_counts():
    parts = {"logic": {"add": 1.0, "shuffle": 1.0}, "shuffle": {"shuffle": 2.0}}
    limits = Limits({"add": 1.0, "shuffle": 2.0, "div": 8.0}, parts)
    assert limits.of({"add": 3, "shuffle": 1}) == 4.0
    assert limits.of({"add": 1, "shuffle": 3}) == 6.0
    assert limits.of({"add": 1, "shuffle": 1, "div": 1}) == 8.0
    assert limits.of({}) == 0.0


def test_a_case_has_reached_what_is_possible():
    limits = Limits({}, {})
    assert Floors(1.0, 2.0, 3.0, {}, {}, {}, limits).floor == 2.0
    assert Floors(1.0, 2.0, 3.0, {}, {}, {}, limits).reached(2.3)
    assert not Floors(1.0, 2.0, 3.0, {}, {}, {}, limits).reached(2.4)  # 1.2 times what is moved is not enough
    assert Floors(2.0, 1.0, 3.0, {}, {}, {}, limits).reached(2.4)


def test_results_at_their_recipes():
    found = Needed({"add": 2, "mul": 3, MERGE: 1}, {}, {})
    assert operations_of(found, HARDWARE, AVX512) == {"add": 2, "logic": 5, "mul": 3}
    assert operations_of(found, HARDWARE, AVX2) == {"add": 2, "logic": 5, "mul": 3, "select": 1}
    assert operations_of(found, FLOAT32, AVX512) == {"add": 2, "mul": 3}


@pytest.mark.parametrize("level", ["native", "avx2"])
def test_copying_kernels_copy(level: str):
    try:
        target = host(level)
    except ValueError:
        pytest.skip(f"this machine has no {level}")
    inputs = [np.random.default_rng(n).random((48, 4), np.float32) for n in range(3)]
    outputs = [aligned(48) for _ in range(4)]
    found = copiers(target, inputs, outputs, 0.0)
    assert [(one.kind, one.bypassing) for one in found] == [(kind, nt) for kind in (MOVED, COPIED) for nt in (False, True)]
    for one in found:
        for array in outputs:
            array[:] = 0
        one.sampled.sample()
        assert all(np.array_equal(outputs[n], inputs[n if n < 3 else 0]) for n in range(4))
