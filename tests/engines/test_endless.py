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
    shader = lw.assemble(REPEATS, name="x.v.pica").vertex
    result = shader.run({"a": rows(300)}, UNIFORMS, engine=engine, profile=preset, keep_faults=True)
    assert [(lane, fault.code, fault.pc) for lane, fault in result.faults] == [(lane, ENDLESS, 1) for lane in range(300)]
    assert sum(machine.steps for machine in started) < 20 * 300
    assert not result.words["position"].any() and not result.written["position"].any()
    assert (
        shader.run({"a": rows(1)}, UNIFORMS, engine="reference", profile=preset, keep_faults=True).faults[0].fault
        == result.faults[0].fault
    )


@pytest.mark.parametrize("engine", ["reference", "llvm", "auto"])
def test_lanes_on_one_path_are_found_at_once(engine: str, started: list[Machine]):
    """The path depends on a.x alone."""
    shader = lw.assemble(REPEATS.replace("cmp a, eq, eq, a", "cmp a.x, eq, eq, a.x"), name="x.v.pica").vertex
    data = rows(500)
    data[:, 0] = np.arange(500) % 2
    result = shader.run({"a": data}, UNIFORMS, engine=engine, keep_faults=True)
    assert len(result.faults) == 500
    assert len(started) == (4 if engine == "auto" else 2)  # `conftest` runs the former on both engines
    assert result.unwritten == ()


@pytest.mark.parametrize("engine", ["llvm", "auto"])
@pytest.mark.parametrize("preset", ["hardware", "azahar"])
def test_what_spends_its_budget_is_counted_by_compiled_code(engine: str, preset: str, started: list[Machine]):
    """Each lane counts from another number, and some come to the end. Only the first is tried on the reference engine."""
    shader = lw.assemble(COUNTS, name="x.v.pica").vertex
    data = rows(200)
    data[:, 0] = 600 - np.arange(200) / 2
    result = shader.run({"a": data}, UNIFORMS, engine=engine, budget=12_000, profile=preset, keep_faults=True)
    assert sum(machine.steps for machine in started) < SEARCH + 20 * 200
    wanted = [lane for lane in range(200) if np.ceil((600 - data[lane, 0]) * 64) * 3 + 3 > 12_000]
    assert [lane for lane, _ in result.faults] == wanted and 10 < len(wanted) < 190
    assert {(fault.code, fault.step) for _, fault in result.faults} == {(BUDGET_SPENT, 12_000)}
    one = lw.assemble(COUNTS, name="x.v.pica").vertex.run(
        {"a": data[wanted[-1]]}, UNIFORMS, engine="reference", budget=12_000, profile=preset, keep_faults=True
    )
    assert one.faults[0].fault == result.faults[-1].fault
    ended = [lane for lane in range(200) if lane not in wanted]
    assert np.array_equal(result.outputs["position"][ended], data[ended])
    assert not result.outputs["position"][wanted].any()


def test_lanes_that_do_not_end_leave_nothing():
    """Where registers stay, the vertex after one that does not end has those of the vertex before it."""
    text = ".in a v0\n.out o position\n.proc main\nadd r0, a, r0\nmov o, r0\ncmp a, lt, lt, a.yyyy\nagain:\njmpc cmp.x, again\nend\n.end\n"
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
    for number in range(times(25, 400)):
        for machine, mine in outcomes(number, (3, 11, 24, 40)[number % 4]) or ():
            if machine.fault is None or not machine.fault.endless:
                assert mine is None, number
            elif machine.fault.code == BUDGET_SPENT and mine is not None:
                assert mine.fault == machine.fault, number
                seen += 1
    assert seen > 50


def test_compiled_code_sees_what_repeats(monkeypatch: pytest.MonkeyPatch):
    """A lane that compiled code says to have no repeating state is not tried again, so it must be right."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    seen = 0
    for number in range(times(40, 400)):
        for machine, mine in outcomes(number, 40_000, 78) or ():
            if machine.fault is not None and machine.fault.code == ENDLESS and mine is not None:
                assert mine.repeated, number
                seen += 1
    assert seen > 20


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
