"""Geometry shaders on compiled code against the reference engine: random programs, and what goes from run to run in each
way."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.kernels import LEVELS, need_level
from engines.test_geometry import corners, pipeline, points, send
from lanewise.pica200.engine.differential_geometry import GeometryDifference, compare_geometry, geometry_case
from lanewise.pica200.engine.emissions import send as send_all
from lanewise.pica200.engine.llvm import recording
from lanewise.pica200.engine.llvm.plan import plan_geometry
from lanewise.pica200.engine.random_programs import BUDGET, case, rule_of, vertex
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.results import WATCHED
from lanewise.pica200.ir.ssa import INHERITED, Unsupported
from lanewise.pica200.isa.facts import CHOICES, RUN_CHOICES
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.sem.profile import Profile

EXAMPLES = Path(__file__).parents[2] / "examples"
CLEARED = HARDWARE.replace(keep_registers_between_invocations="cleared")


def test_code_is_compiled_for_outputs_that_are_written_and_now_and_then_for_all():
    cases = [geometry_case(3, number) for number in range(100)]
    assert 0 < sum(one.every for one in cases) < 20
    for one in cases:
        machine = Reference(one.program.words, one.program.descriptors, 0, profile=one.program.profile, budget=BUDGET)
        lane = machine.run(vertex(one.program, 0), one.program.floats, one.program.integers, one.program.booleans)
        assert one.outputs >= {number for number, mask in enumerate(lane.written) if mask}
        assert not one.every or len(one.outputs) == 16


def test_the_buffer_by_hand():
    """Five vertices of three runs: settings said, inherited from the run before, and dropped where there are three slots
    alone."""
    runs = np.array([0, 0, 1, 1, 2])
    settings = np.array([1, 4 + 8, INHERITED, 3 + 4, INHERITED], np.uint8)
    after = np.array([2 + 4, INHERITED, INHERITED], np.uint8)
    four, three = (send_all(runs, settings, after, HARDWARE.replace(emit_slots=slots)) for slots in "43")
    assert four.corners.tolist() == [[2, 1, 0], [2, 1, 3], [2, 1, 3], [2, 1, 5]]
    assert (four.runs.tolist(), four.inverted.tolist(), four.held) == ([0, 1, 1, 2], [True, False, False, False], 5)
    assert three.corners.tolist() == [[2, 1, 0], [2, 1, 3], [2, 1, 5]]
    assert (three.runs.tolist(), three.held) == ([0, 1, 2], 4)
    nothing = send_all(runs[:0], settings[:0], None, HARDWARE)
    assert (nothing.corners.shape, nothing.held) == ((0, 3), 0)


def both(shader: lw.pica200.Pipeline, *args: Any, engine: str = "llvm", **options: Any) -> lw.pica200.Primitives:
    """Run on both engines; everything is the same. `engine` is the one that must have done the runs where the compiled one was
    asked for."""
    wanted = shader.run(*args, engine="reference", keep_faults=True, **options)
    found = shader.run(*args, engine="llvm", keep_faults=True, **options)
    assert (wanted.engine, found.engine) == ("reference", engine)
    assert (wanted.triangles, wanted.left_over, wanted.faults) == (found.triangles, found.left_over, found.faults)
    assert np.array_equal(wanted.runs, found.runs)
    for what in ("bits", "written"):
        theirs, ours = getattr(wanted, what), getattr(found, what)
        for key in theirs:
            assert np.array_equal(theirs[key], ours[key]), f"{what} of {key}"
    assert found.outputs["position"].tobytes() == wanted.outputs["position"].tobytes()
    assert wanted.notes == found.notes
    assert shader.warnings(wanted) == shader.warnings(found)
    return found


TURNS = times(6, 24)


@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int):
    """Any instructions, EMIT and SETEMIT anywhere, with branches, loops and calls, in all modes; how many can be compiled is
    counted too."""
    compiled = 0
    for turn in range(TURNS):
        one = geometry_case(seed, turn)
        found = compare_geometry(one, threads=1 + turn % 3)
        assert not isinstance(found, GeometryDifference), (found, one)
        compiled += found is None
    assert compiled >= TURNS // 2


@pytest.mark.parametrize("level", LEVELS[1:])
def test_random_programs_on_less_of_the_processor(level: str):
    need_level(level)
    for turn in range(times(3, 8)):
        one = geometry_case(LEVELS.index(level) + 100, turn)
        found = compare_geometry(one, level)
        assert not isinstance(found, GeometryDifference), (found, one)


def test_random_programs_find_a_kept_temporary_that_an_index_reaches(monkeypatch: pytest.MonkeyPatch):
    """With all runs at once, whatever an index reaches, this program of `lanewise fuzz` differs."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    one = geometry_case(4, 289, {"index_wrap": "registers"})
    assert compare_geometry(one) is None

    def careless(*given: Any) -> Plan | Unsupported:
        found = plan_geometry(*given)
        if isinstance(found, Unsupported) or found.emission is None:
            return found
        return found._replace(emission=found.emission._replace(kept=False))

    monkeypatch.setattr("lanewise.pica200.engine.llvm.plan.plan_geometry", careless)
    assert isinstance(compare_geometry(one), GeometryDifference)


def test_every_value_of_every_field_has_its_turn():
    turns = [rule_of(number) for number in range(len([1 for fact in RUN_CHOICES.values() for _ in fact.answers]))]
    wanted = {(key, value) for key, fact in RUN_CHOICES.items() if key != "rounding" for value in fact.answers}
    assert {item for rule in turns for item in rule.items()} == wanted
    roundings = {case(1, number).profile.rounding for number in range(12)}
    assert roundings == {*CHOICES["rounding"].answers}


@pytest.mark.parametrize("number", range(times(16, 200)))
def test_random_programs_under_each_rule(number: int):
    """Those of `lanewise fuzz`: each with one field of the profile set."""
    found = compare_geometry(geometry_case(91, number, rule_of(5 * number)))
    assert not isinstance(found, GeometryDifference), found


@pytest.mark.parametrize("count", [1, 3, 45, 48, 51, 96, 300])
def test_any_number_of_runs(count: int):
    shader = pipeline(send("v0", "v2", "v4"))
    assert both(shader, points(count), engine="llvm" if count > 1 else "reference").triangles == count // 3


@pytest.mark.parametrize("name", ["subdivide", "particles"])
def test_examples(name: str):
    shader = lw.assemble([EXAMPLES / f"{name}.{stage}.pica" for stage in "vg"]).pipeline
    rng = np.random.default_rng(5)
    data = {"position": rng.normal(size=(150, 2)), "color": rng.random((150, 3))}
    uniforms: dict[str, Any] = {"projection": rng.normal(size=(4, 4))} | (
        {"size": [0.5, 0.25, 0, 0]} if name == "particles" else {}
    )
    result = both(shader, data, uniforms=uniforms)
    assert result.triangles == {"subdivide": 200, "particles": 300}[name]
    # An infinity in one vertex: its vector is done again exactly.
    data["position"][70] = np.inf
    both(shader, data, uniforms=uniforms)


def test_slots_go_from_run_to_run():
    """The buffer is no register: what runs before have put into it is there, whoever runs them."""
    body = "mov pos, v0\nmov clr, v1\nsetemit 0, prim\nemit\nmov pos, v0\nmov clr, v1\nsetemit 1\nemit"
    result = both(pipeline(body), points(50))
    assert corners(result)[:3] == [[1, 0, 0], [2, 1, 0], [3, 2, 0]]


def test_what_setemit_said_goes_from_run_to_run():
    """A run of x < 20 says nothing, so it goes by what the run before has said: at first slot 0, later what the last one
    said."""
    body = """mov pos, v0
mov clr, v1
cmp c4.x, ge, ge, v0
ifc cmp.x
    setemit 2, prim inv
.end
emit"""
    result = both(pipeline(body), points(60), uniforms={"c4": [20, 0, 0, 0]})
    assert result.triangles == 60 and corners(result)[0] == [0, 0, 1]
    falling = points(60)
    falling["position"] = falling["position"][::-1]
    assert both(pipeline(body), falling, uniforms={"c4": [20, 0, 0, 0]}).triangles == 20


def test_the_first_run_is_done_apart():
    body = "ifu b15\nmov r0, v2\n.else\nmov r0, v0\n.end\nnop\n" + send("r0", "v2", "v4")
    shader = pipeline(body)
    assert corners(both(shader, points(60)))[:2] == [[1, 2, 3], [5, 5, 6]]
    assert shader.explain_engine().endswith("all runs at once but the first, in which b15 is false")
    both(shader, points(60), geometry_uniforms={"b15": True})
    both(shader, points(3), engine="reference")


def test_registers_that_stay_are_a_reason_for_order():
    body = "ifu b15\nnop\n.else\nmov r1, v4\n.end\nnop\n" + send("v0", "v2", "r1")
    shader = pipeline(body)
    both(shader, points(60), engine="reference")
    assert shader.explain_engine().splitlines()[1] == (
        "geometry shader: reference: runs go in order: registers stay from run to run (keep_registers_between_invocations is "
        "kept), and r1.x may be used before it is written"
    )
    assert shader.geometry is not None
    assert shader.geometry.explain_engine() in shader.explain_engine()
    both(shader, points(60), profile=CLEARED)


def test_temporaries_that_an_index_below_c0_reaches():
    """With `index_wrap=registers`, c0[-11] is r5, which has the value of the run before; so such runs go in order, others need
    not."""
    body = "mova a0.x, v1.x\nmov r0, c0[a0.x]\n{}mov r5, v0\nsetemit 2, prim\nmov pos, r0\nmov clr, v1\nemit"
    data = points(40)
    data["color"][:, 0] = -11
    profile = HARDWARE.replace(index_wrap="registers")
    uniforms = {f"c{n}": [100 + n, 0, 0, 0] for n in range(96)}
    result = both(pipeline(body.format("")), data, uniforms=uniforms, profile=profile, engine="reference")
    assert result.outputs["position"][:3, 2, 0].tolist() == [0, 1, 2]
    # No run leaves anything in a temporary that is read before it is written; nor where registers are cleared.
    first = "".join([f"mov r{n}, v0\n" for n in range(16)])
    written = both(pipeline(first + body.format("")), data, uniforms=uniforms, profile=profile)
    assert written.outputs["position"][:3, 2, 0].tolist() == [1, 2, 3]
    both(
        pipeline(body.format("")),
        data,
        uniforms=uniforms,
        profile=profile.replace(keep_registers_between_invocations="cleared"),
    )
    # What such a temporary is computed from may be of the run before, too.
    both(
        pipeline("mul r5, r3, r3\n" + body.format("").replace("mov r5", "mov r3")),
        data,
        uniforms=uniforms,
        profile=profile,
        engine="reference",
    )
    # An index that stays above c0 leaves the runs to compiled code.
    data["color"][:, 0] = 11
    both(pipeline(body.format("")), data, uniforms=uniforms, profile=profile)


def test_outputs_that_stay_are_a_reason_for_order():
    body = "mov pos.xy, v0\nmov clr, v1\nsetemit 2, prim\nemit\nmov pos.zw, v0"
    shader = pipeline(body)
    both(shader, points(30), engine="reference")
    assert "o0.z may be used" in shader.explain_engine()
    # z and w are never written, so they are zeros whatever run was before.
    both(pipeline("mov pos.xy, v0\nmov clr, v1\nsetemit 2, prim\nemit"), points(30))


@pytest.mark.parametrize("profile", [HARDWARE, CLEARED, lw.pica200.profiles["azahar"], lw.pica200.profiles["panda3ds"]])
def test_uniforms_that_runs_overwrite(profile: Profile):
    """Primitives of different lengths: what is not overwritten is what the last run that was longer has left, or the
    uniform."""
    body = "mov r1, c6\nmov r2, c7\n" + send("c5", "r1", "r2", clr="c0") + "\nmov pos, c8\nmov clr, c1\nsetemit 1, prim\nemit"
    shader = pipeline(body, mode="variable c20 2")
    rng = random.Random(3)
    sizes = [2, *(rng.randrange(1, 7) for _ in range(40))]
    indices = [number for size in sizes for number in (size, *(rng.randrange(30) for _ in range(size)))]
    result = both(shader, points(30), indices, uniforms={f"c{n}": [n * 100, 0, 0, 0] for n in range(9)}, profile=profile)
    assert result.triangles == 82
    assert corners(result)[0] == [500, 600, 700]


LOOP = """
    mov r0, {vertex}
    setemit 0
    mov pos, r0
    mov clr, c1
    emit
    for i0
        mov r1, c3[aL]
        mov r2, c5[aL]
        mov pos, r1
        mov clr, c1
        setemit 1
        emit
        mov pos, r2
        mov clr, c1
        setemit 2, prim
        emit
    .end
"""


def test_loops_over_the_vertices():
    """Registers that are fed are found by index, for each run its own; past them there are uniforms."""
    shader = pipeline(LOOP.format(vertex="c1"), mode="variable c20 2")
    indices = [number for run in range(40) for number in (4, run, run + 1, run + 2, (7 * run) % 43)]
    uniforms = {"i0": [3, 0, 1], "c2": 1} | {f"c{n}": [n * 100, 0, 0, 0] for n in range(3, 12)}
    result = both(shader, points(43), indices, uniforms=uniforms)
    assert result.triangles == 160
    assert corners(result)[3] == [1, 1, 800]


def test_an_index_that_differs_between_runs():
    body = "mova a0.x, v0\nnop\nmov r0, c4[a0.x]\n" + send("r0", "v2", "c5")
    uniforms = {f"c{n}": [n, 1, 2, 3] for n in range(4, 96)}
    data = points(120)
    data["position"] = (data["position"] * 3) % 130 - 2
    assert both(pipeline(body), data, uniforms=uniforms).triangles == 60
    fixed = "mova a0.x, c8\nnop\nmov r0, c4[a0.x]\n" + send("r0", "c10", "c12", clr="c9")
    assert both(pipeline(fixed, mode="fixed c20 c8 3"), data, list(range(120)), uniforms=uniforms).triangles == 40


MANY = """
    for i0
        cmp c4, le, le, v0
        mov pos, v0
        mov clr, v1
        setemit 2, prim
        emit
        breakc cmp.x
        add r0, c5, v0
        mov pos, r0
        mov clr, v1
        setemit 0, inv
        emit
    .end
"""


@pytest.mark.parametrize("count", [1, 16, 17, 33])
def test_the_last_vector_begins_anywhere(count: int):
    """It ends with the last vertex, so it begins within the one before: its records are its own all the same."""
    uniforms = {"i0": [3, 0, 1], "c4": [50, 0, 0, 0], "c5": [1, 0, 0, 0]}
    assert both(pipeline(MANY), points(count), uniforms=uniforms).triangles > 0


def test_more_vertices_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch):
    """Nobody knows how often a loop goes round; what was no room for is done again."""
    shader = pipeline(MANY)
    uniforms = {"i0": [200, 0, 1], "c4": [50, 0, 0, 0], "c5": [1, 0, 0, 0]}
    result = both(shader, points(70), uniforms=uniforms)
    assert result.triangles == 49 * 201 + 21
    # So little room that a vector is left to the reference engine, or is alone in its piece.
    monkeypatch.setattr(recording, "_LARGEST", 1 << 14)
    monkeypatch.setattr(recording, "_AT_ONCE", 1 << 14)
    both(shader, points(25), uniforms=uniforms | {"c4": [15, 0, 0, 0]})


def test_threads_and_progress():
    shader = pipeline(MANY)
    uniforms = {"i0": [2, 0, 1], "c4": [50, 0, 0, 0], "c5": [1, 0, 0, 0]}
    wanted = shader.run(points(777), uniforms=uniforms, engine="llvm")
    seen: list[tuple[int, int]] = []
    for threads in (2, 3, 60):
        found = shader.run(
            points(777),
            uniforms=uniforms,
            engine="llvm",
            threads=threads,
            progress=lambda done, total: seen.append((done, total)),
        )
        assert np.array_equal(found.bits["position"], wanted.bits["position"])
        assert seen[-1] == (777, 777)


def test_runs_that_stop_have_emitted_what_they_have():
    body = (
        send("v0", "v2", "v4") + "\ncmp c4, lt, lt, v0\nsetemit 1\njmpc cmp.x, away\nnop\nend\n"
        "away:\nsetemit 0, prim inv\nmov pos, v0\nmov clr, v1\nemit\njmpu b0, away\njmpu !b0, away"
    )
    uniforms = {"c4": [130, 0, 0, 0], "b0": False}
    result = both(pipeline(body), points(150), uniforms=uniforms, budget=60)
    assert [fault.number for fault in result.faults] == [44, 45, 46, 47, 48, 49]
    both(pipeline(body), points(150), uniforms=uniforms, budget=5, engine="reference")  # too few for any


def test_masks_that_differ_between_runs():
    body = """cmp c4.x, ge, ge, v0
mov pos, v0
ifc cmp.x
    mov clr.xy, v1
    setemit 2, prim
    emit
    mov pos.x, v0
.else
    setemit 2, prim
.end
mov clr.z, v1
emit
mov pos, v0
emit"""
    result = both(pipeline(body), points(60), uniforms={"c4": [20, 0, 0, 0]}, profile=CLEARED)
    assert result.triangles == 20 * 3 + 40 * 2


@pytest.mark.parametrize("slots", ["3", "4"])
@pytest.mark.parametrize("swap", ["first", "outer"])
@pytest.mark.parametrize("topology", ["geometry", "triangles", "strip", "fan"])
def test_slots_winding_and_topology(slots: str, swap: str, topology: str):
    body = send("v0", "v2", "v4").replace("prim", "prim inv")
    body += "\n.word 0xAF800000\nmov pos, v0\nmov clr, v1\nemit"  # setemit 3, prim, which the assembler refuses
    profile = HARDWARE.replace(emit_slots=slots, winding_swap=swap)
    result = both(pipeline(body), points(60), topology=topology, profile=profile)
    sent = 40 if slots == "4" else 20
    assert result.triangles == (sent if topology in ("geometry", "triangles") else 3 * sent - 2)


def test_notes_of_many_runs_are_those_of_the_first():
    body = "mov pos.xyz, v0\nmov clr, r3\nsetemit 2, prim\nemit"
    shader = pipeline(body)
    count = WATCHED + 100
    few, many = (shader.run(points(n), engine="llvm").notes for n in (60, count))
    assert few is not None and many is not None
    assert few.lacking[0].vertices == 60
    assert (many.runs, many.emitted, many.lacking[0].vertices) == (WATCHED, WATCHED, WATCHED)
    assert [read.lanes for read in many.unwritten] == [WATCHED] * len(few.unwritten)


def test_explain_engine_of_a_pipeline():
    shader = pipeline(send("v0", "v2", "v4"))
    assert shader.explain_engine(runs=2).splitlines() == [
        "vertex shader: llvm: the program can be compiled",
        "geometry shader: reference: 2 runs are done before a kernel would be compiled",
    ]
    assert shader.explain_engine(engine="reference").count("reference: it was requested") == 2
    shader.run(points(3), engine="llvm")
    assert "reference" not in shader.explain_engine(runs=2)  # there is a kernel now
    assert lw.pica200.Pipeline(shader.vertex).explain_engine() == shader.vertex.explain_engine()
    with pytest.raises(lw.InputError):
        shader.explain_engine({"nobody": 1})
    with pytest.raises(ValueError, match="unknown engine 'fast'"):
        shader.run(points(3), engine="fast")


def test_the_al_of_a_loop_that_a_run_ends_in():
    """It stays for the next run, where registers do, whatever else the loop does not do."""
    body = "mov pos, c2[aL]\nmov clr, v0\nsetemit 2, prim\nemit\nfor i2\nend\nnop\n.end"
    uniforms = {"i2": [0, 2, 0], "c2": [1] * 4, "c4": [7] * 4}
    result = both(pipeline(body), points(3), uniforms=uniforms, engine="reference")
    assert result.outputs["position"][:, 2, 0].tolist() == [1, 7, 7]
