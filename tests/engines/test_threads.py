"""One object used by many threads at once: results are what one thread gets."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pytest

import lanewise as lw
from crews import own_crew
from engines.kernels import Kernels
from lanewise.arrays.memory import address
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.llvm.crew import FOUND, Order
from lanewise.llvm.movement import PACKED, Layout
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.engine.geometry_batch import GeometryRunner
from lanewise.pica200.engine.llvm import arguments, frame, generate, running
from lanewise.pica200.ir.ssa import Geometry
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.shadercore.api.program import ShaderCoreProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

T = TypeVar("T")

THREADS = 24
SOURCE = """.in place v0
.out pos position
.fvec scale
.proc main
    mul r0, scale, place
    add pos, r0, place
    end
.end
"""
VERTEX = ".in place v0\n.out - dummy o0\n.proc main\n    mov o0, place\n    end\n.end\n"
GEOMETRY = """.gsh point c0
.entry gmain
.out p position
.proc gmain
    add p, v0, v0
    setemit 0
    emit
    setemit 1
    emit
    setemit 2, prim
    emit
    end
.end
"""
LOOPING = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, v0\nrep i0\nmad r0, r0, v0, v0\nendrep\nmov o0, r0\n"
CORE = "mul r0.x, v0.x, v0.y\nadd o0.x, r0.x, v0.z\nmov o0.yzw, v0.yzw\nend\n"


def at_once(work: Callable[[int], T], threads: int = THREADS) -> list[T]:
    """The results of threads that begin together."""
    begin = threading.Barrier(threads)

    def one(number: int) -> T:
        begin.wait()
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))


def flagged(count: int) -> NDArray[np.float32]:
    """Numbers of which every vector of lanes has one that only exact code computes."""
    place = np.random.default_rng(4).uniform(-2, 2, (count, 4)).astype(np.float32)
    place[::16] = np.nan
    return place


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_with_every_vector_flagged(threads: int):
    shader, place = lw.assemble(SOURCE).vertex, flagged(16 * 1000)
    scale = {"scale": [2.0, 0.5, -1.0, 3.0]}
    wanted = shader.run({"place": place}, scale, engine="llvm").bits["position"]
    assert np.array_equal(shader.run({"place": place[:800]}, scale, engine="reference").bits["position"], wanted[:800])

    def work(number: int) -> None:
        batch = shader.batch({"place": place}, scale, threads=threads)
        batch.run()
        assert np.array_equal(batch.run()["position"].view(np.uint32), expected)

    expected = shader.run({"place": place}, scale, engine="llvm").outputs["position"].view(np.uint32)
    at_once(work, 6)
    assert np.array_equal(shader.run({"place": place}, scale, engine="llvm", threads=threads).bits["position"], wanted)


ROUNDS = """.in place v0
.in rounds v1
.out pos position
.proc main
    mov r0, place
    mov r1, rounds
    for i0
    add r0, place, r0
    add r1, -c95.x, r1
    cmp c94.xx, gt, gt, r1.xx
    breakc cmp.x
    .end
    mov pos, r0
    end
.end
"""


def always(now: float, seconds: float, runs: int) -> bool:
    return now > seconds and runs > 0


@pytest.mark.parametrize("threads", [2, 3])
def test_vectors_that_machine_code_divides(threads: int, monkeypatch: pytest.MonkeyPatch):
    """Some are flagged, some stop without `end`, some take more steps than a call may; runs follow each other."""
    for module in (frame, generate):
        monkeypatch.setattr(module, "CHUNK", 64)
    for name in ("_WORTH", "_WORTH_ONCE"):
        monkeypatch.setattr(running, name, 1e-9)
    monkeypatch.setattr(running, "_SHORTEST_DIVIDED", 1e-7)
    monkeypatch.setattr(running, "pays", always)
    seen: set[str] = set()
    run = Order.run

    def running_now(self: Order, go_on: Callable[[], None], close: Callable[[], None]) -> int:
        def going_on() -> None:
            seen.add("goes on")
            go_on()

        found = run(self, going_on, close)
        if self.helped:
            seen.add("helped")
        if found & FOUND:
            seen.add("found")
        return found

    monkeypatch.setattr(Order, "run", running_now)
    count = 16 * 200 + 5
    place = flagged(count)
    place[::16] = np.where(np.arange(0, count, 16)[:, None] % 5, 1.5, np.nan)
    rounds = (np.arange(count, dtype=np.float32) * 7 % 250)[:, None]
    shader = lw.assemble(ROUNDS).vertex
    uniforms = {"i0": [254, 0, 1], "c95": [1.0] * 4, "c94": [0.0] * 4}
    wanted = shader.run({"place": place, "rounds": rounds}, uniforms, engine="llvm")
    batch = shader.batch({"place": place, "rounds": rounds}, uniforms, engine="llvm", threads=threads)
    with own_crew(monkeypatch):
        for number in range(1000):
            batch.outputs["position"][:] = -1.0
            batch.run()
            assert np.array_equal(batch.outputs["position"].view(np.uint32), wanted.outputs["position"].view(np.uint32))
            if number >= 20 and len(seen) == 3:
                break
    assert seen == {"goes on", "helped", "found"}


def test_runs_in_one_thread_between_those_that_are_divided(monkeypatch: pytest.MonkeyPatch):
    """What a run has left in its arguments does not count in the next one, whichever way that goes."""
    for name in ("_WORTH", "_WORTH_ONCE"):
        monkeypatch.setattr(running, name, 1e-9)
    monkeypatch.setattr(running, "_UNTIMED", 2)
    monkeypatch.setattr(running, "pays", always)
    count = 16 * 40
    place = flagged(count)
    shader = lw.assemble(SOURCE).vertex
    batch = shader.batch({"place": place}, {"scale": [2.0] * 4}, engine="llvm", threads=2)
    parts: Any = batch._run._parts  # pyright: ignore[reportPrivateUsage]
    flags = np.random.default_rng(6).random((24, count)) < 0.2
    with own_crew(monkeypatch):
        for number, unlike in enumerate(flags):
            place[:] = number
            if number % 5 != 3:
                place[unlike] = np.nan
            if number % 4 == 2:
                parts._alone, parts._untimed = 2, 0
            batch.run()
            wanted = shader.run({"place": place}, {"scale": [2.0] * 4}, engine="llvm").outputs["position"]
            assert np.array_equal(batch.outputs["position"].view(np.uint32), wanted.view(np.uint32))


@pytest.mark.parametrize("count", [1, 3, 16, 17, 40])
def test_short_runs_that_took_long(count: int, monkeypatch: pytest.MonkeyPatch):
    """What has kept a thread from running may make a single vector look as if it paid to divide it."""
    for name in ("_WORTH", "_WORTH_ONCE"):
        monkeypatch.setattr(running, name, 1e-12)
    shader, place = lw.assemble(SOURCE).vertex, flagged(count)
    wanted = shader.run({"place": place}, {"scale": [2.0] * 4}, engine="reference").bits["position"]
    for threads in (2, 2, 3, 8):
        assert np.array_equal(
            shader.run({"place": place}, {"scale": [2.0] * 4}, engine="llvm", threads=threads).bits["position"], wanted
        )


def test_a_batch_whose_data_is_ordinary_now_and_then():
    """What a run leaves in its lists does not count in the next one, whichever way it went."""
    shader = lw.assemble(ROUNDS).vertex
    uniforms = {"i0": [3, 0, 1], "c95": [1.0] * 4, "c94": [0.0] * 4}
    place, rounds = flagged(40), np.ones((40, 1), np.float32)
    batch = shader.batch({"place": place, "rounds": rounds}, uniforms, engine="llvm")
    for step, first in enumerate([1.0, 2.0, np.nan, 3.0, 4.0, np.inf, np.nan, 5.0]):
        place[:] = step
        place[::16] = first
        batch.run()
        wanted = shader.run({"place": place, "rounds": rounds}, uniforms, engine="reference")
        assert np.array_equal(batch.outputs["position"].view(np.uint32), wanted.outputs["position"].view(np.uint32))


def test_batches_whose_uniforms_change():
    """A batch for each thread has the values of its thread, though they share a shader and its kernels."""
    shader, place = lw.assemble(SOURCE).vertex, flagged(16 * 50)
    wanted = [
        shader.run({"place": place}, {"scale": [float(n)] * 4}, engine="reference").outputs["position"] for n in range(12)
    ]

    def work(number: int) -> None:
        batch = shader.batch({"place": place}, {"scale": [1.0] * 4})
        for step in range(5):
            batch.set_uniforms({"scale": [float(number + step)] * 4})
            assert np.array_equal(batch.run()["position"].view(np.uint32), wanted[number + step].view(np.uint32))

    at_once(work, 8)


def test_lists_have_bounds():
    """Even a call whose counts are not cleared writes nowhere else, and says so."""
    shader = lw.assemble(SOURCE).vertex
    count = 16 * 20
    kernels = Kernels.of(shader.words, shader.descriptors, HARDWARE, ((0, Layout(PACKED, 4)),))
    outputs = {n: np.zeros((count, 4), np.float32) for n in kernels.plan.outputs}
    call = kernels.call({0: flagged(count)}, outputs, {}, count)
    assert call.run() == 20
    first = int(call.words[arguments.FLAGGED] - address(call.words)) // 8
    room = int(call.words[arguments.ROOM])  # 32 bits each
    call.words[first + room // 2 :] = -7
    for _ in range(3):
        call.kernel.run(call.address)
    assert call.words[arguments.FLAGGED_COUNT] == 80
    assert (call.words[first + room // 2 :] == -7).all()
    with pytest.raises(RuntimeError, match=f"80 blocks of {room}"):
        call.flagged.tolist()


def test_runs_of_one_shader():
    shader, place = lw.assemble(SOURCE).vertex, flagged(16 * 40)
    scales = [[float(number), 1.0, -1.0, 0.5] for number in range(THREADS)]
    wanted = [shader.run({"place": place}, {"scale": scale}, engine="reference").bits["position"] for scale in scales[:3]]
    other = lw.assemble(SOURCE).vertex
    found = at_once(
        lambda number: other.run({"place": place}, {"scale": scales[number]}, engine="llvm", threads=1 + number % 3)
    )
    for result, words in zip(found, wanted, strict=False):
        assert np.array_equal(result.bits["position"], words)


def test_runs_of_one_geometry_shader():
    stages = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).pipeline
    place = flagged(16 * 20)

    def run(engine: str, threads: int) -> NDArray[np.uint32]:
        return stages.run({"place": place}, indices=np.arange(len(place)), engine=engine, threads=threads).bits["position"]

    wanted = run("reference", 1)
    for found in at_once(lambda number: run("llvm", 1 + number % 3)):
        assert np.array_equal(found, wanted)


@pytest.fixture
def taking_turns() -> Iterator[None]:
    """Threads that change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_more_programs_of_one_geometry_shader_than_are_kept(taking_turns: None):
    shader = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).geometry
    assert shader is not None
    runner = GeometryRunner(shader.words, shader.descriptors, shader.interface.entry, HARDWARE)

    def work(number: int) -> None:
        for n in range(number, number + 500):
            runner._program(Geometry((n % 13,), range(0)))  # pyright: ignore[reportPrivateUsage]

    at_once(work)


def test_runs_of_one_program_of_a_core():
    program, place = ShaderCoreProgram.from_source(CORE), flagged(1000)
    wanted = program.run({"v0": place}, engine="reference").bits["o0"]
    for found in at_once(lambda number: program.run({"v0": place}, engine="llvm", threads=1 + number % 3)):
        assert np.array_equal(found.bits["o0"], wanted)


def test_runs_of_one_direct3d9_shader():
    shader, place = Direct3DShader.from_source(LOOPING), flagged(200)

    def run(number: int, engine: str) -> NDArray[np.uint32]:
        return shader.run({"position": place}, integers={"i0": number % 5}, engine=engine).bits["position"]

    wanted = [run(number, "reference") for number in range(5)]
    for number, found in enumerate(at_once(lambda number: run(number, "llvm"))):
        assert np.array_equal(found, wanted[number % 5])
