"""Programs that do not end: both engines say so at once, with the same faults, and never once for each lane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.test_geometry import pipeline, points
from lanewise.pica200.engine.differential import data_of
from lanewise.pica200.engine.llvm.spent import Spent, spent, whole
from lanewise.pica200.engine.random_programs import case, vertex
from lanewise.pica200.engine.reference import BUDGET_SPENT, ENDLESS, SEARCH, Machine, Reference
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.sem.profile import HARDWARE

HEAD = ".in a v0\n.out o position\n.fvec k\n.proc main\n"
# The state repeats for every vertex: r1 is no part of it, as nothing that decides reads it.
REPEATS = HEAD + "mov r1, a\nagain:\nadd r1, k, r1\ncmp a, eq, eq, a\nmov o, r1\njmpc cmp.x, again\nend\n.end\n"
# It counts in steps of 2^-6, so it repeats only where that is lost.
COUNTS = HEAD + "mov r1, a\nmov o, r1\nagain:\nadd r1, k.xxxx, r1\ncmp k.yyyy, gt, gt, r1\njmpc cmp.x, again\nend\n.end\n"
UNIFORMS = {"k": [2.0**-6, 600.0, 0, 0]}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Machine]:
    """The lanes that the reference engine has started."""
    found: list[Machine] = []
    start = Reference.start

    def recorded(self: Reference, *given: Any) -> Machine:
        found.append(start(self, *given))
        return found[-1]

    monkeypatch.setattr(Reference, "start", recorded)
    return found


def rows(count: int, step: float = 1.0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return (np.arange(4 * count, dtype=np.float32) * step).reshape(count, 4)


@pytest.mark.parametrize("engine", ["reference", "llvm", "auto"])
@pytest.mark.parametrize("preset", ["hardware", "azahar"])
def test_a_state_that_repeats(engine: str, preset: str, started: list[Machine]):
    shader, count = lw.assemble(REPEATS, name="x.v.pica").vertex, times(100, 300)
    result = shader.run({"a": rows(count)}, UNIFORMS, engine=engine, profile=preset, keep_faults=True)
    assert [(lane, fault.code, fault.pc) for lane, fault in result.faults] == [(lane, ENDLESS, 1) for lane in range(count)]
    assert sum(machine.steps for machine in started) < 20 * count
    assert not result.bits["position"].any() and not result.written["position"].any()
    assert (
        shader.run({"a": rows(1)}, UNIFORMS, engine="reference", profile=preset, keep_faults=True).faults[0].fault
        == result.faults[0].fault
    )


@pytest.mark.parametrize("engine", ["reference", "llvm", "auto"])
def test_lanes_on_one_path_are_found_at_once(engine: str, started: list[Machine]):
    """The path depends on a.x alone."""
    shader = lw.assemble(REPEATS.replace("cmp a, eq, eq, a", "cmp a.x, eq, eq, a.x"), name="x.v.pica").vertex
    data = rows(times(150, 500))
    data[:, 0] = np.arange(len(data)) % 2
    result = shader.run({"a": data}, UNIFORMS, engine=engine, keep_faults=True)
    assert len(result.faults) == len(data)
    assert len(started) == (4 if engine == "auto" else 2)  # `conftest` runs the former on both engines
    assert result.unwritten == ()


@pytest.mark.parametrize("preset", ["hardware", "azahar"])
def test_what_spends_its_budget_is_counted_by_compiled_code(preset: str, started: list[Machine]):
    """Each lane counts from another number, and some come to the end. Only the first is tried on the reference engine."""
    shader = lw.assemble(COUNTS, name="x.v.pica").vertex
    data = rows(200)
    data[:, 0] = np.where(np.arange(200) % 3, 500 - np.arange(200), 600 - np.arange(200) // 16 / 64)
    result = shader.run({"a": data}, UNIFORMS, engine="llvm", budget=12_000, profile=preset, keep_faults=True)
    assert sum(machine.steps for machine in started) < SEARCH + 50 * 200
    wanted = [lane for lane in range(200) if np.ceil((600 - data[lane, 0]) * 64) * 3 + 3 > 12_000]
    assert [lane for lane, _ in result.faults] == wanted and 10 < len(wanted) < 190
    assert {(fault.code, fault.step) for _, fault in result.faults} == {(BUDGET_SPENT, 12_000)}
    one = lw.assemble(COUNTS, name="x.v.pica").vertex.run(
        {"a": data[wanted[-1]]}, UNIFORMS, engine="reference", budget=12_000, profile=preset, keep_faults=True
    )
    assert one.faults[0].fault == result.faults[-1].fault
    ended = [lane for lane in range(200) if lane not in wanted]
    assert ended == list(range(0, 200, 3))
    assert np.array_equal(result.outputs["position"][ended], data[ended])
    assert not result.outputs["position"][wanted].any()


def test_a_run_that_takes_long_changes_to_compiled_code():
    """`auto` begins on the reference engine, as for four vertices nothing is compiled; `conftest` compares with all of it
    there."""
    shader = lw.assemble(COUNTS, name="x.v.pica").vertex
    data = np.full((4, 4), 100, np.float32)
    data[1] = 600
    result = shader.run({"a": data}, UNIFORMS, budget=12_000, keep_faults=True)
    assert [(lane, fault.code) for lane, fault in result.faults] == [(lane, BUDGET_SPENT) for lane in (0, 2, 3)]
    assert result.outputs["position"][:, 0].tolist() == [0, 600, 0, 0]


def test_lanes_that_do_not_end_leave_nothing():
    """Where registers stay, the vertex after one that does not end has those of the vertex before it."""
    text = (
        ".in a v0\n.out o position\n.proc main\nadd r0, a, r0\nmov o, r0\ncmp a, lt, lt, a.yyyy\nagain:\njmpc cmp.x, again\n"
        "end\n.end\n"
    )
    data = [[1, 0, 0, 0], [2, 9, 0, 0], [4, 0, 0, 0]]
    kept = HARDWARE.replace(initial_state="kept")
    result = lw.assemble(text, name="x.v.pica").vertex.run({"a": data}, profile=kept, keep_faults=True)
    assert result.outputs["position"][:, 0].tolist() == [1, 0, 5]
    assert [(lane, fault.code) for lane, fault in result.faults] == [(1, ENDLESS)]


def outcomes(number: int, budget: int, seed: int = 77) -> list[tuple[Machine, Spent | None]] | None:
    """The vertices of a random program on the reference engine, and what compiled code that counts says of them."""
    one = case(seed, number)
    profile = one.profile.replace(initial_state="zero")
    runner = Runner(one.words, one.descriptors, 0, profile)
    compiled = runner.compiled
    plan = compiled.plan(one.booleans)
    if isinstance(plan, Unsupported):
        return None
    inputs, uniforms = data_of(one._replace(profile=profile))
    lanes = np.minimum(np.arange(whole(one.lanes, compiled.target.width)), one.lanes - 1)
    data = runner.columns(inputs.take(lanes))
    mine = spent(compiled, plan, runner.table(plan, uniforms), data, one.lanes, budget)
    program = Reference(one.words, one.descriptors, 0, profile=profile, budget=budget)
    found: list[tuple[Machine, Spent | None]] = []
    for lane in range(one.lanes):
        machine = program.start(vertex(one, lane), one.floats, one.integers, one.booleans)
        machine.run()
        found.append((machine, mine.get(lane)))
    return found


def test_compiled_code_counts_as_the_reference_engine(monkeypatch: pytest.MonkeyPatch):
    """Random programs with small budgets: the same word, the same rings and the same number of steps for each vertex."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    seen = 0
    for number in range(times(12, 400)):
        for machine, mine in outcomes(number, (3, 11, 24, 40)[number % 4]) or ():
            if machine.fault is None or not machine.fault.endless:
                assert mine is None, number
            elif machine.fault.code == BUDGET_SPENT and mine is not None:
                assert mine.fault == machine.fault, number
                seen += 1
    assert seen > times(30, 1000)


def test_compiled_code_sees_what_repeats(monkeypatch: pytest.MonkeyPatch):
    """A lane that compiled code says to have no repeating state is not tried again, so it must be right."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    seen = 0
    for number in range(times(15, 400)):
        for machine, mine in outcomes(number, 40_000, 78) or ():
            if machine.fault is not None and machine.fault.code == ENDLESS and mine is not None:
                assert mine.repeated, number
                seen += 1
    assert seen > times(25, 500)


EMITS = """mov r0, v0
again:
add r0, c1, r0
cmp c2, gt, gt, r0
mov pos, r0
mov clr, r0
setemit 2, prim
emit
jmpc cmp.x, again"""


@pytest.mark.parametrize("engine", ["reference", "llvm", "auto"])
def test_runs_that_emit_without_end(engine: str, monkeypatch: pytest.MonkeyPatch, started: list[Machine]):
    """Runs stop at the same EMIT whichever engine counts; those that emit less are there."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    for module in ("reference", "llvm.counting", "llvm.spent"):
        monkeypatch.setattr(f"lanewise.pica200.engine.{module}.MOST_EMITTED", 900)
    shader = pipeline(EMITS)
    data = points(40)
    data["position"] = 1000 - data["position"]
    data["position"][[3, 30]] = [[2], [3]]
    uniforms: dict[str, Any] = {"c1": [1, 0, 0, 0], "c2": [1000, 0, 0, 0]}
    result = shader.run(data, uniforms=uniforms, engine=engine, keep_faults=True)
    assert [fault.number for fault in result.faults] == [3, 30]
    assert {(fault.fault.code, fault.fault.step) for fault in result.faults} == {("R011", 1 + 900 * 7 + 5)}
    assert "900 vertices emitted, which is 300 primitives" in result.faults[0].fault.message
    assert result.triangles == sum(n for n in range(1, 41) if n not in (4, 31))
    if engine == "llvm":
        assert sum(machine.steps for machine in started if machine.emitter is not None) < 3 * SEARCH


@pytest.mark.parametrize("engine", ["reference", "llvm", "auto"])
def test_runs_that_repeat(engine: str):
    body = "mov pos, v0\nmov clr, v0\nsetemit 2, prim\nemit\ncmp c2, lt, lt, v0\nagain:\nemit\njmpc cmp.x, again\nmov r3, v0"
    shader = pipeline(body)
    result = shader.run(points(400), uniforms={"c2": [200, 0, 0, 0]}, engine=engine, keep_faults=True)
    assert [(fault.number, fault.fault.code) for fault in result.faults] == [(n, ENDLESS) for n in range(200, 400)]
    assert result.triangles == 2 * 200


# The path depends on c2 alone; r1, which the flag was computed from before, is in the state that is compared.
ADDS = """mov r1, c1
mov r2, c2
cmp c1, lt, lt, r1
jmpc cmp.x, out
again:
add r1.x, {0}, r1.x
mov pos, r1
cmp c2, eq, eq, r2
jmpc cmp.x, again
out:
nop"""
VERTEX_ADDS = (
    HEAD + ADDS.replace("mov r2, c2", "mov r2, k").replace("c1", "k").replace("c2", "k").replace("pos", "o") + "\nend\n.end\n"
)


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_a_lane_repeats_or_not_whatever_lanes_before_do(engine: str):
    shader = lw.assemble(VERTEX_ADDS.format("a.x"), name="x.v.pica").vertex
    data = np.zeros((4, 4), np.float32)
    data[[1, 3]] = 1
    result = shader.run({"a": data}, {"k": [0, 0, 0, 0]}, engine=engine, budget=9000, keep_faults=True)
    assert [(lane, fault.code) for lane, fault in result.faults] == [(n, BUDGET_SPENT if n % 2 else ENDLESS) for n in range(4)]


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_a_run_repeats_or_not_whatever_runs_before_do(engine: str):
    data = points(4)
    data["position"] = np.array([0, 1, 0, 1])[:, np.newaxis]
    result = pipeline(ADDS.format("v0.x")).run(
        data, uniforms={"c1": [0] * 4, "c2": [0] * 4}, engine=engine, budget=9000, keep_faults=True
    )
    codes = [(fault.number, fault.fault.code) for fault in result.faults]
    assert codes == [(n, BUDGET_SPENT if n % 2 else ENDLESS) for n in range(4)]


COUNTED = """mov r0, {0}
again:
add r0, c1, r0
cmp c2, gt, gt, r0
mov pos, r0
mov clr, {0}
setemit 2, prim
emit
jmpc cmp.x, again"""


def geometry_runs(started: list[Machine]) -> list[Machine]:
    return [machine for machine in started if machine.emitter is not None]


@pytest.mark.parametrize(("mode", "first"), [("point c0", "v0"), ("fixed c6 c4 1", "c4")])
@pytest.mark.parametrize("kept", ["kept", "cleared"])
def test_runs_on_one_path_are_found_at_once(mode: str, first: str, kept: str, started: list[Machine]):
    """The path depends on x of the position, of which runs have two values; 600 never ends within the budget."""
    shader = pipeline(COUNTED.format(first), mode=mode)
    profile = HARDWARE.replace(keep_registers_between_invocations=kept)
    data = points(60)
    data["position"] = np.where(np.arange(60) % 3, 0.0, 599.0)[:, np.newaxis]
    uniforms: dict[str, Any] = {"c1": [0.0625, 0, 0, 0], "c2": [600, 0, 0, 0]}

    def run(engine: str) -> lw.pica200.Primitives:
        return shader.run(
            data, indices=np.arange(60), uniforms=uniforms, engine=engine, budget=9000, profile=profile, keep_faults=True
        )

    alone = run("reference")
    runs = geometry_runs(started)
    assert len([machine for machine in runs if machine.fault is not None]) == 1
    assert sum(machine.steps for machine in runs) < 9000 + 20 * 200
    assert [(fault.number, fault.fault.code) for fault in alone.faults] == [(n, BUDGET_SPENT) for n in range(60) if n % 3]
    other = run("llvm")
    assert alone.faults == other.faults
    assert np.array_equal(alone.outputs["position"], other.outputs["position"]) and alone.triangles == other.triangles > 0


@pytest.mark.parametrize("first", [False, True])
def test_the_first_run_does_not_stand_for_others(first: bool):
    """b15 is false in the first run only, and it decides which run ends."""
    test = (
        "ifu b15\njmp_on:\njmpu b14, jmp_on\n.else\nturn:\njmpu b14, turn\n.end"
        if first
        else "ifu b15\nnop\n.else\nturn:\njmpu b14, turn\n.end"
    )
    shader = pipeline(test + "\nmov pos, v0\nmov clr, v0\nsetemit 2, prim\nemit")
    found = [shader.run(points(5), uniforms={"b14": True}, engine=engine, keep_faults=True) for engine in ("reference", "llvm")]
    assert [fault.number for fault in found[0].faults] == ([*range(5)] if first else [0])
    assert found[0].faults == found[1].faults and found[0].triangles == found[1].triangles


def test_runs_that_read_what_others_leave_are_not_shared():
    """Where registers stay, r5 counts the runs that ended, and the path depends on it."""
    body = "add r5, c1, r5\nagain:\ncmp c2, le, le, r5\njmpc cmp.x, again\nmov pos, v0\nmov clr, v0\nsetemit 2, prim\nemit"
    shader = pipeline(body)
    profile = HARDWARE.replace(keep_registers_between_invocations="kept")
    uniforms: dict[str, Any] = {"c1": [1, 0, 0, 0], "c2": [4, 0, 0, 0]}
    found = [
        shader.run(points(8), uniforms=uniforms, engine=engine, profile=profile, keep_faults=True)
        for engine in ("reference", "llvm")
    ]
    assert [fault.number for fault in found[0].faults] == [3, 4, 5, 6, 7]
    assert found[0].faults == found[1].faults and found[0].triangles == found[1].triangles == 3


@pytest.mark.parametrize("read", ["c3", "c3[aL]"])
def test_the_al_that_a_run_left_does_not_change_where_a_state_repeats(read: str):
    """The first run goes round once and ends with another aL than 0, which the LOOP of the second saves in its first slot."""
    body = f"turn:\nfor i1\ncmp {read}, eq, eq, -v0\njmpc !cmp.y, turn\n.end\nmov pos, v0\nmov clr, v0\nsetemit 2, prim\nemit"
    data = points(2)
    data["position"] = np.array([[0.0] * 4, [0, 1, 0, 0]])
    uniforms: dict[str, Any] = {"i1": [0, 1, 0], "c3": [0] * 4, "c4": [0] * 4}
    found = [
        pipeline(body).run(data, indices=np.arange(2), uniforms=uniforms, engine=engine, keep_faults=True)
        for engine in ("reference", "llvm")
    ]
    assert [fault.fault.code for fault in found[0].faults] == [ENDLESS]
    assert found[0].faults == found[1].faults
