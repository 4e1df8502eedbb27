"""Prepared runs: the same as `run`, each time with what the arrays hold then."""

from __future__ import annotations

import copy
import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from lanewise.pica200.engine.run import BREAK_EVEN, Runner

SOURCE = """.fvec scale
.out pos position
.out col color
.in place
.in paint
.proc main
    mul pos, scale, place
    max r0, paint, -paint
    mov col, r0
    end
.end
"""
SCALE = {"scale": [2.0, 0.5, -1.0, 1.0]}


def shader() -> lw.pica200.Shader:
    return lw.assemble(SOURCE).vertex


def numbers(count: int, columns: int, seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).uniform(-4, 4, (count, columns)).astype(np.float32)


@pytest.mark.parametrize("engine", ["auto", "llvm", "reference"])
@pytest.mark.parametrize("count", [1, 15, 16, 17, 100])
def test_a_batch_gives_what_run_gives_each_time(count: int, engine: str):
    inputs = {"place": numbers(count, 3), "paint": numbers(count, 4, 2)}
    out = {"position": np.full((count, 4), 7, np.float32), "o1": np.full((count, 4), 7, np.float32)}
    batch = shader().batch(inputs, SCALE, out=out, engine=engine)
    for factor in (1.0, -0.25):
        for array in inputs.values():
            np.multiply(array, np.float32(factor), out=array)
        found = batch.run()
        wanted = shader().run(inputs, SCALE, engine="reference")
        for key in ("position", "color"):
            assert np.array_equal(found[key], wanted.outputs[key])
        assert np.array_equal(out["position"], wanted.outputs["position"])
        assert np.array_equal(out["o1"], wanted.outputs["o1"])
    assert "engine" in repr(batch)
    assert batch.engine == ("reference" if engine == "reference" else "llvm")


def test_other_uniforms():
    inputs = {"place": numbers(32, 4), "paint": numbers(32, 4)}
    batch = shader().batch(inputs, SCALE)
    batch.set_uniforms({"scale": [0.0, 1.0, 1.0, 1.0]})
    assert np.array_equal(batch.run()["position"][:, 0], np.zeros(32))
    with pytest.raises(lw.InputError, match="scale"):
        batch.set_uniforms({})
    assert np.array_equal(batch.run()["position"][:, 0], np.zeros(32))


def test_what_out_must_be():
    inputs = {"place": numbers(32, 4), "paint": numbers(32, 4)}
    with pytest.raises(lw.InputError, match="unknown output 'positon'") as error:
        shader().batch(inputs, SCALE, out={"positon": np.empty((32, 4), np.float32)})
    assert "position" in str(error.value)
    with pytest.raises(lw.InputError, match=r"expected writable float32 of \(32, 4\)"):
        shader().batch(inputs, SCALE, out={"position": np.empty((31, 4), np.float32)})


def test_out_of_three_columns():
    source = SOURCE.replace(".out col color", ".out col color.xyz")
    inputs = {"place": numbers(20, 4), "paint": numbers(20, 4)}
    out = np.empty((20, 3), np.float32)
    lw.assemble(source).vertex.batch(inputs, SCALE, out={"color": out}).run()
    assert np.array_equal(out, np.abs(lw.pica200.float24.decode(lw.pica200.float24.encode(inputs["paint"][:, :3]))))


def test_out_may_be_where_the_inputs_are():
    """Kernels read some vertices twice: the last vector begins early, and those that are not ordinary are done again."""
    shader = lw.assemble(
        ".out pos position\n.proc main\n    rcp r0, v0.x\n    add pos, v0, v0\n    mov pos.w, r0.x\n    end\n.end\n"
    ).vertex
    given = np.arange(33 * 4, dtype=np.float32).reshape(33, 4)
    wanted = shader.run({"v0": given}, engine="reference").outputs["position"].copy()
    shader.batch({"v0": given}, out={"position": given}, engine="llvm").run()
    assert np.array_equal(given, wanted)


def test_an_output_may_go_to_two_arrays():
    shader = lw.assemble(".out pos position\n.proc main\n    mov pos, v0\n    end\n.end\n").vertex
    given = np.arange(33 * 4, dtype=np.float32).reshape(33, 4)
    first, second = np.zeros((2, 33, 4), np.float32)
    shader.batch({"v0": given}, out={"position": first, "o0": second}, engine="llvm").run()
    assert np.array_equal(first, given)
    assert np.array_equal(second, given)


def test_layouts_are_read_where_they_are():
    whole = numbers(50, 12)
    interleaved = whole.reshape(50, 3, 4)
    record = np.zeros(50, np.dtype([("kind", "u1"), ("place", "f4", (3,)), ("paint", "f4", (4,))], align=True))
    record["place"], record["paint"] = whole[:, :3], whole[:, 4:8]
    cases = [
        {"place": interleaved[:, 0], "paint": interleaved[:, 1]},
        {"place": record["place"], "paint": record["paint"]},
        {"place": whole[::-1, :3], "paint": whole[::2, :4].repeat(2, axis=0)},
        {"place": np.asfortranarray(whole[:, :3]), "paint": whole[:, 4:8].astype(np.float64)},
        {"place": whole[:, :1], "paint": whole[:1, :2]},
        {"place": whole[:, :3].astype(">f4"), "paint": [1.0, 2.0]},
    ]
    for inputs in cases:
        found = shader().run(inputs, SCALE, engine="llvm")
        wanted = shader().run(inputs, SCALE, engine="reference")
        for key in ("position", "color"):
            assert np.array_equal(found.bits[key], wanted.bits[key])


def test_a_batch_says_who_stopped():
    source = """.out pos position
.proc main
    mov pos, v0
    cmp v0.xx, lt, lt, v0.yy
    ifc cmp.x
        breakc cmp.x
    .end
    end
.end
"""
    place = np.zeros((40, 4), np.float32)
    place[7, 1] = 1.0
    batch = lw.assemble(source).vertex.batch({"v0": place})
    with pytest.raises(lw.pica200.RunError, match="vertex 7 stopped") as error:
        batch.run()
    assert np.array_equal(error.value.result.outputs["position"], place)
    place[7, 1] = 0.0
    assert np.array_equal(batch.run()["position"], place)


def test_a_shader_pickles_without_what_was_compiled():
    one = shader()
    inputs = {"place": numbers(64, 3), "paint": numbers(64, 4)}
    wanted = one.run(inputs, SCALE, engine="llvm")
    other = pickle.loads(pickle.dumps(one))
    assert np.array_equal(other.run(inputs, SCALE, engine="llvm").bits["position"], wanted.bits["position"])
    assert len(pickle.dumps(one)) == len(pickle.dumps(shader()))


def test_a_batch_travels_with_its_arrays():
    place, paint = numbers(9, 3), numbers(9, 4)
    one = shader().batch({"place": place, "paint": paint}, SCALE, out={"position": np.empty((9, 4), np.float32)})
    one.run()
    one.uniforms["scale"] = 3.0
    other, its_place = pickle.loads(pickle.dumps((one, place)))
    assert np.array_equal(other.outputs["position"], one.outputs["position"])
    for filled in (place, its_place):
        filled[:] = 0.25
    wanted = shader().run({"place": place, "paint": paint}, {"scale": [3.0] * 4}).outputs
    for batch in (one, other, copy.deepcopy(one)):
        assert np.array_equal(batch.run()["position"], wanted["position"])
        assert np.array_equal(batch.outputs["color"], wanted["color"])


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_a_batch_belongs_to_one_thread(engine: str):
    one = shader().batch({"place": numbers(9, 3), "paint": numbers(9, 4)}, SCALE, engine=engine)
    mine, theirs = Event(), Event()
    wanted = np.array(one.outputs["position"])

    def work() -> None:
        wanted[:] = one.run()["position"]
        theirs.set()
        mine.wait(60)

    thread = Thread(target=work, name="renderer")
    thread.start()
    try:
        assert theirs.wait(60)
        for use in (one.run, lambda: one.set_uniforms(SCALE)):
            with pytest.raises(RuntimeError, match=r"in use by thread 'renderer': make one for each thread with Shader\.batch"):
                use()
    finally:
        mine.set()
        thread.join()
    assert np.array_equal(one.run()["position"], wanted)  # its thread has ended


@pytest.mark.parametrize("engine", ["reference", "llvm"])
def test_only_one_of_many_threads_gets_a_batch(engine: str):
    one = shader().batch({"place": numbers(9, 3), "paint": numbers(9, 4)}, SCALE, engine=engine)
    start, done = Barrier(8), Barrier(8)

    def work() -> bool:
        start.wait(60)
        try:
            one.run()
        except RuntimeError:
            return False
        finally:
            done.wait(60)  # all are alive until then
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(future.result() for future in [pool.submit(work) for _ in range(8)]) == 1


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_change_nothing(threads: int):
    inputs = {"place": numbers(1001, 3), "paint": numbers(1001, 4)}
    inputs["paint"][::100] = np.inf
    alone = shader().run(inputs, SCALE, engine="llvm")
    together = shader().run(inputs, SCALE, engine="llvm", threads=threads)
    for key in ("position", "color"):
        assert np.array_equal(alone.bits[key], together.bits[key])


def test_progress_reaches_the_end():
    calls: list[tuple[int, int]] = []
    inputs = {"place": numbers(200_000, 3), "paint": [1.0]}
    shader().run(inputs, SCALE, engine="llvm", progress=lambda done, of: calls.append((done, of)))
    assert calls[-1] == (200_000, 200_000)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_many_small_runs_are_worth_a_kernel(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Runner, "run", inspect.unwrap(Runner.run))  # without the other engine beside it
    one = shader()
    inputs = {"place": numbers(40, 3), "paint": [1.0]}
    results = [one.run(inputs, SCALE) for _ in range(2 + BREAK_EVEN // 40)]
    assert (results[0].engine, results[-1].engine) == ("reference", "llvm")
    assert np.array_equal(results[0].bits["position"], results[-1].bits["position"])
    assert one.explain_engine(vertices=4).startswith("llvm")


def test_which_engine_and_why():
    one = shader()
    assert one.explain_engine(vertices=4).startswith("reference: 4 vertices are done before")
    assert one.explain_engine() == "llvm: the program can be compiled"
    assert one.explain_engine(engine="reference") == "reference: it was requested"
    kept = one.explain_engine(profile="azahar")
    assert kept.startswith("llvm")
    unset = SOURCE.replace("mov col, r0", "mov col, r1")
    assert lw.assemble(unset).vertex.explain_engine(profile="azahar") == "llvm: the program can be compiled"
    unwritten = lw.assemble(unset.replace("    end", "    mov r1, r0\n    end")).vertex.explain_engine(profile="azahar")
    assert unwritten.startswith("reference: registers stay from vertex to vertex (initial_state is kept), and r1.x may be")
    with pytest.raises(ValueError, match="unknown engine 'gpu'"):
        one.explain_engine(engine="gpu")


@pytest.mark.parametrize("state", ["zero", "kept"])
def test_what_a_vertex_wrote_that_stopped_is_gone_in_the_next_run(state: str):
    """Its output, which no vertex writes that ends, and what result arrays say was written."""
    source = """.out pos position
.out col color
.proc main
    mov pos, v0
    cmp v0.xx, lt, lt, v0.yy
    ifc cmp.x
        mov col, v0
        .word 0x40000000
    .end
    end
.end
"""
    place = np.zeros((40, 4), np.float32)
    shader, rules = lw.assemble(source).vertex, lw.pica200.profiles["hardware"].replace(initial_state=state)
    batch = shader.batch({"v0": place}, profile=rules)
    for stopped in (7, None, 9, 30, None):
        place[:] = 0.5
        if stopped is None:
            batch.run()
        else:
            place[stopped, 1] = 1.0
            with pytest.raises(lw.pica200.RunError) as error:
                batch.run()
            wanted = shader.run({"v0": place}, profile=rules, engine="reference", keep_faults=True)
            for key in ("position", "color"):
                assert np.array_equal(error.value.result.bits[key], wanted.bits[key])
                assert np.array_equal(error.value.result.written[key], wanted.written[key])
            assert np.array_equal(batch.outputs["color"], wanted.outputs["color"])
            continue
        assert not batch.outputs["color"].any()
        assert batch.engine == "llvm"


LEFT_AND_FLAGGED = """.out pos position
.out col color
.proc main
    rcp r0, v0.z
    add pos, v0, r0
    cmp v0.xx, lt, lt, v0.yy
    ifc cmp.x
        mov col, v1
    .end
    ifc cmp.y
        .word 0x40000000
    .end
    end
.end
"""


@pytest.mark.parametrize("columns", [1, 4])
def test_runs_of_any_number_of_vertices(columns: int):
    """Vertices that only exact code, or only the reference engine, can do; an output that not all write; lanes after the last
    vertex."""
    shader = lw.assemble(LEFT_AND_FLAGGED).vertex
    for count in (*range(1, 20), 33):
        place, paint = numbers(count, 4, count), numbers(count, columns, 9)
        place[count // 2, 2] = 0.0
        place[count - 1, 3] = np.inf
        place[:, :2] = np.where(place[:, :2] < -1, [-1.0, 1.0], 0.0)
        wanted = shader.run({"v0": place, "v1": paint}, engine="reference", keep_faults=True)
        batch = shader.batch({"v0": place, "v1": paint})
        try:
            found = batch.run()
        except lw.pica200.RunError as error:
            assert error.result.faults == wanted.faults
            found = error.result.outputs
            assert np.array_equal(error.result.written["color"], wanted.written["color"])
        else:
            assert not wanted.faults
        for key in ("position", "color"):
            assert np.array_equal(found[key].view(np.uint32), wanted.outputs[key].view(np.uint32)), count
