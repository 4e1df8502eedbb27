"""Two tiers of kernels: the same bits from both, the better one taken over between runs, nothing left at the end of the
process."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.both import same
from lanewise.core.engines import LLVM
from lanewise.llvm import cache, target
from lanewise.llvm.beside import BESIDE, Beside
from lanewise.pica200.engine.differential import data_of
from lanewise.pica200.engine.llvm import compiled, tiers
from lanewise.pica200.engine.random_programs import BUDGET, case
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.llvm.target import Target
    from lanewise.pica200.api.batch import Batch

SOURCE = """.in place v0
.out pos position
.fvec scale
.proc main
    mul r0, scale, place
    mad pos, r0, place, scale
    end
.end
"""
SCALE = {"scale": [0.5, 3.0, -1.25, 0.1]}
TESTS = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The best kernel is begun after a hundred vertices."""
    monkeypatch.setattr(tiers, "PAYS", 100)
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))


def places(count: int) -> NDArray[np.float32]:
    return np.random.default_rng(3).uniform(-2, 2, (count, 4)).astype(np.float32)


def improves(shader: lw.pica200.Shader, *, exact: bool = False) -> list[bool]:
    """Whether there may be a better one, of each kernel."""
    program = shader.runner(lw.pica200.profiles["hardware"]).compiled
    return [tiered.improves for key, tiered in program.kernels.items() if key[2] == exact]


def bits(batch: Batch) -> bytes:
    return batch.run()["position"].tobytes()


def never(*_: object) -> bytes:
    raise AssertionError("compiled again")


def test_both_tiers_give_the_same_bits():
    for number in range(times(6, 400)):
        one = case(2026, number)
        runner = Runner(one.words, one.descriptors, 0, one.profile)
        inputs, uniforms = data_of(one)
        if runner.choose(LLVM, uniforms.booleans, inputs.lanes)[1] is None:
            continue
        runner.compiled.tier = tiers.QUICK
        quick = runner.run(inputs, uniforms, (), range(16), BUDGET, engine=LLVM)
        runner.compiled.tier = tiers.BEST
        same(quick, runner.run(inputs, uniforms, (), range(16), BUDGET, engine=LLVM))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_takes_over_the_best_kernel(threads: int):
    shader = lw.assemble(SOURCE).vertex
    place = places(64)
    batch = shader.batch({"place": place}, SCALE, engine="llvm", threads=threads)
    wanted = shader.run({"place": place}, SCALE, engine="reference").outputs["position"].tobytes()
    assert bits(batch) == wanted
    assert improves(shader) == [True]
    assert bits(batch) == wanted  # which begins it
    BESIDE.settle()
    assert improves(shader) == [False]
    for _ in range(3):
        assert bits(batch) == wanted
    place[:] = places(128)[64:]
    wanted = shader.run({"place": place}, SCALE, engine="reference").outputs["position"].tobytes()
    assert bits(batch) == wanted
    batch.set_uniforms({"scale": [2.0] * 4})
    assert bits(batch) == shader.run({"place": place}, {"scale": [2.0] * 4}, engine="reference").outputs["position"].tobytes()


def test_the_exact_kernel_gets_better_too():
    shader = lw.assemble(SOURCE).vertex
    place = places(64)
    place[::16] = np.nan
    batch = shader.batch({"place": place}, SCALE, engine="llvm")
    wanted = shader.run({"place": place}, SCALE, engine="reference").outputs["position"].tobytes()
    for _ in range(3):
        assert bits(batch) == wanted
        BESIDE.settle()
    assert improves(shader, exact=True) == [False]
    endless = shader.batch({"place": places(64)}, {"scale": [float("inf")] * 4}, engine="llvm")
    assert bits(endless) == bits(endless)


@pytest.mark.parametrize("arrays", [False, True])
def test_large_uniforms_after_small_ones(arrays: bool):
    """The best kernel may be for small uniforms only: with larger ones products overflow, which it does not see."""
    shader = lw.assemble(SOURCE.replace("mad pos, r0, place, scale", "mul pos, scale, r0")).vertex
    place = places(64) * np.float32(2.0**22)
    batch = shader.batch({"place": place}, SCALE, engine="llvm")
    wanted = np.zeros(1)
    for scale in (SCALE["scale"], [2.0**23] * 4, SCALE["scale"], [2.0**15] * 4, [2.0**23] * 4):
        for _ in range(3):
            if arrays:
                batch.uniforms["scale"][...] = scale
            else:
                batch.set_uniforms({"scale": scale})
            wanted = shader.run({"place": place}, {"scale": scale}, engine="reference").outputs["position"]
            assert bits(batch) == wanted.tobytes()
            BESIDE.settle()
    assert np.isinf(wanted).any() and not any(improves(shader)[:1])


def test_little_work_compiles_nothing_beside():
    shader = lw.assemble(SOURCE).vertex
    batch = shader.batch({"place": places(20)}, SCALE, engine="llvm")
    for _ in range(4):
        batch.run()
    assert improves(shader) == [True]
    assert len(cache.kept()) == 1


def test_the_next_process_begins_with_the_best_kernel(monkeypatch: pytest.MonkeyPatch):
    batch = lw.assemble(SOURCE).vertex.batch({"place": places(64)}, SCALE, engine="llvm")
    wanted = bits(batch)
    bits(batch)
    BESIDE.settle()
    assert len(cache.kept()) == 2
    monkeypatch.setattr(compiled, "compile_object", never)
    monkeypatch.setattr(compiled, "load_kernel", never)
    shader = lw.assemble(SOURCE).vertex
    assert bits(shader.batch({"place": places(64)}, SCALE, engine="llvm")) == wanted
    assert improves(shader) == [False]


@pytest.mark.parametrize("data", [b"", b"nothing", b"[16]\nnothing", b"{}\n", b"[]\n\x7fELF", b'["x"]\n'])
def test_a_damaged_best_kernel_is_as_good_as_none(data: bytes):
    batch = lw.assemble(SOURCE).vertex.batch({"place": places(64)}, SCALE, engine="llvm")
    wanted = bits(batch)
    (quick,) = cache.kept()
    bits(batch)
    BESIDE.settle()
    (best,) = set(cache.kept()) - {quick}
    cache.put(best.stem, data)
    shader = lw.assemble(SOURCE).vertex
    assert bits(shader.batch({"place": places(64)}, SCALE, engine="llvm")) == wanted
    assert improves(shader) == [True]


def test_many_threads_share_a_shader():
    shader = lw.assemble(SOURCE).vertex
    place = places(64)
    wanted = shader.run({"place": place}, SCALE, engine="reference").outputs["position"].tobytes()

    def one(number: int) -> set[bytes]:
        batch = shader.batch({"place": place.copy()}, SCALE, engine="llvm", threads=1 + number % 2)
        return {bits(batch) for _ in range(50)}

    with ThreadPoolExecutor(8) as pool:
        assert set().union(*pool.map(one, range(8))) == {wanted}
    BESIDE.settle()
    assert improves(shader) == [False]


class Slow:
    """A compiler of best kernels that goes on when it may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may = threading.Event(), threading.Event()
        monkeypatch.setattr(compiled, "compile_object", self.compiled)

    def compiled(self, ir: str, to: Target) -> bytes:
        self.begun.set()
        assert self.may.wait(60)
        return target.compile_object(ir, to)


def test_runs_go_on_while_the_best_kernel_is_compiled(monkeypatch: pytest.MonkeyPatch):
    slow = Slow(monkeypatch)
    shader = lw.assemble(SOURCE).vertex
    batch = shader.batch({"place": places(64)}, SCALE, engine="llvm")
    wanted = bits(batch)
    bits(batch)
    assert slow.begun.wait(60)
    assert {bits(batch) for _ in range(20)} == {wanted}
    another = lw.assemble(SOURCE.replace("mad pos, r0", "mad pos, place")).vertex  # is compiled meanwhile
    another.batch({"place": places(64)}, SCALE, engine="llvm").run()
    assert improves(shader) == [True]
    slow.may.set()
    BESIDE.settle()
    assert improves(shader) == [False]
    assert bits(batch) == wanted
    assert not any(thread.name == "lanewise-compiler" for thread in threading.enumerate())


def test_an_interrupt_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch):
    slow = Slow(monkeypatch)
    batch = lw.assemble(SOURCE).vertex.batch({"place": places(64)}, SCALE, engine="llvm")
    bits(batch)
    bits(batch)
    assert slow.begun.wait(60)
    with pytest.raises(KeyboardInterrupt):
        _thread.interrupt_main()
        while True:
            batch.run()
    slow.may.set()
    BESIDE.settle()
    batch.run()


def test_a_kernel_that_cannot_be_compiled_leaves_the_quick_one(monkeypatch: pytest.MonkeyPatch):
    failed: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: failed.append(str(args.exc_value)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownMemberType, reportUnknownArgumentType]
    monkeypatch.setattr(compiled, "compile_object", never)
    batch = lw.assemble(SOURCE).vertex.batch({"place": places(64)}, SCALE, engine="llvm")
    wanted = bits(batch)
    bits(batch)
    BESIDE.settle()
    assert failed == ["compiled again"]
    assert bits(batch) == wanted
    done: list[int] = []
    BESIDE.start(lambda: done.append(1))
    BESIDE.settle()
    assert done == [1]


def test_jobs_that_wait_are_dropped_at_the_end():
    beside = Beside()
    begun, may = threading.Event(), threading.Event()
    done: list[int] = []

    def first() -> None:
        begun.set()
        assert may.wait(60)
        beside.check()
        done.append(1)

    beside.start(first)
    assert begun.wait(60)
    beside.start(lambda: done.append(2))
    beside.close()
    may.set()
    beside.settle()
    beside.start(lambda: done.append(3))
    beside.settle()
    assert done == []


def test_the_end_waits_for_the_job_that_is_running():
    """A process that left LLVM in the middle of a kernel ended with SIGABRT now and then."""
    beside = Beside()
    begun, may = threading.Event(), threading.Event()
    done: list[int] = []

    def first() -> None:
        begun.set()
        assert may.wait(60)
        done.append(1)

    beside.start(first)
    assert begun.wait(60)
    beside.start(lambda: done.append(2))
    ending = threading.Thread(target=beside.end)
    ending.start()
    ending.join(0.2)
    assert ending.is_alive()
    may.set()
    ending.join(60)
    assert not ending.is_alive()
    assert done == [1]


ENDING = """
import sys, threading
import numpy as np
import lanewise as lw
from lanewise.llvm import target
from lanewise.llvm.beside import BESIDE
from lanewise.pica200.engine.llvm import tiers
tiers.PAYS = 100
begun = threading.Event()
optimised = target._optimised
def noted(*args):
    found = optimised(*args)
    if threading.current_thread().name == "lanewise-compiler":
        begun.set()
    return found
target._optimised = noted
body = "".join(f"    mad r{n % 15}, place, r{(n + 1) % 15}, r{(n + 7) % 15}\\n" for n in range(120))
zero = "".join(f"    mov r{n}, place\\n" for n in range(15))
shader = lw.assemble(f".in place v0\\n.out pos position\\n.proc main\\n{zero}{body}    mov pos, r0\\n    end\\n.end\\n").vertex
batch = shader.batch({"place": np.ones((64, 4), np.float32)}, engine="llvm")
batch.run(); batch.run()
assert begun.wait(60)
"""
FORKING = """
import os
child = os.fork()
assert not any(thread.name == "lanewise-compiler" for thread in threading.enumerate()) or child
other = lw.assemble(".in place v0\\n.out pos position\\n.proc main\\n    mov pos, place\\n    end\\n.end\\n").vertex
again = other.batch({"place": np.ones((64, 4), np.float32)}, engine="llvm")
for _ in range(3):
    batch.run(); again.run()
    BESIDE.settle()
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
kernels = [tiered for runner in (shader, other) for tiered in \
runner.runner(lw.pica200.profiles["hardware"]).compiled.kernels.values()]
assert not any(tiered.improves for tiered in kernels)
print("done", flush=True)
"""


def ended(source: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {cache.VARIABLE: "off", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        [sys.executable, "-c", source], cwd=TESTS, capture_output=True, text=True, timeout=300, check=False, env=environment
    )


@pytest.mark.parametrize("how", ["", "raise KeyboardInterrupt"])
def test_a_process_ends_while_code_is_compiled(how: str):
    found = ended(ENDING + how)
    assert found.returncode == (-2 if "Interrupt" in how else 0), found.stderr
    assert found.stderr.count("Traceback") == ("Interrupt" in how), found.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_is_forked_while_code_is_compiled():
    found = ended(ENDING + FORKING)
    assert (found.returncode, found.stdout) == (0, "done\ndone\n"), found.stderr
