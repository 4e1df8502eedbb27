"""First results on arrays, while a kernel is compiled: the bits of the reference engine, or none."""

from __future__ import annotations

import ctypes
import platform
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from effort import times
from engines.both import same
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.llvm import cache
from lanewise.llvm.beside import BESIDE
from lanewise.pica200.engine.differential import QuickRunner, data_of
from lanewise.pica200.engine.llvm import compiled, first, tiers
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.llvm.running import first_result
from lanewise.pica200.engine.random_programs import BUDGET, case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SOURCE = """.in place v0
.out pos position
.fvec scale
.proc main
    rcp r1, place.x
    mul r0, scale, place
    mad pos, r0, r1, scale
    end
.end
"""
SCALE = {"scale": [0.5, 3.0, -1.25, 0.1]}
FORMATS = {
    name: lw.pica200.profiles[preset].replace(**changes)
    for name, preset, changes in (
        ("zero", "hardware", {}),
        ("nearest", "hardware", {"rounding": "nearest"}),
        ("float32", "azahar", {}),
    )
}
_LACKS = Compiled.lacks  # before the fixture of all tests makes runs wait for their kernels
PROGRAMS = times(8, 300)


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs do not wait for kernels, and none is in the cache."""
    monkeypatch.setattr(Compiled, "lacks", _LACKS)
    monkeypatch.setenv(cache.VARIABLE, "off")
    yield
    BESIDE.settle()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Nothing is compiled until it is set."""
    go = threading.Event()
    compile_kernel = compiled.load_kernel

    def wait(*given: object) -> object:
        assert go.wait(30)
        return compile_kernel(*given)  # pyright: ignore[reportArgumentType] - as they came

    monkeypatch.setattr(compiled, "load_kernel", wait)
    return go


def places(count: int) -> NDArray[np.float32]:
    return np.random.default_rng(3).uniform(0.25, 2, (count, 4)).astype(np.float32)


@pytest.mark.parametrize("profile", FORMATS.values(), ids=FORMATS)
def test_the_first_result_does_not_wait_for_a_kernel(profile: lw.pica200.Profile, later: threading.Event):
    """Nor does the second, which has it compiled beside."""
    shader = lw.assemble(SOURCE).vertex
    data = {"place": places(100)}
    found = [shader.run(data, SCALE, engine=LLVM, profile=profile) for _ in range(2)]
    code = shader.runner(profile).compiled
    assert [result.engine for result in found] == [LLVM] * 2
    assert not code.ready
    later.set()
    BESIDE.settle()
    assert code.ready
    kernels = shader.run(data, SCALE, engine=LLVM, profile=profile)
    for result in (*found, shader.run(data, SCALE, engine=REFERENCE, profile=profile)):
        same(result, kernels)


def test_two_first_results_share_no_memory(later: threading.Event):
    shader = lw.assemble(SOURCE).vertex
    data = {"place": places(20)}
    one, other = (shader.run(data, SCALE, engine=LLVM).outputs["position"] for _ in range(2))
    assert not np.may_share_memory(one, other)
    assert not np.may_share_memory(one, data["place"])
    one[:] = 0
    assert np.any(other != 0)
    later.set()


def test_threads_get_their_first_results_at_once(later: threading.Event):
    shader = lw.assemble(SOURCE).vertex
    given = [places(64) * np.float32(n + 1) for n in range(4)]
    found: dict[int, NDArray[np.float32]] = {}

    def work(number: int) -> None:
        found[number] = shader.run({"place": given[number]}, SCALE, engine=LLVM).outputs["position"]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not shader.runner(lw.pica200.profiles["hardware"]).compiled.ready
    later.set()
    for number, data in enumerate(given):
        assert np.array_equal(found[number], shader.run({"place": data}, SCALE, engine=REFERENCE).outputs["position"])


def test_a_plan_does_not_wait_for_a_kernel(later: threading.Event):
    """Of other booleans, while a kernel is compiled under the lock of kernels."""
    shader = lw.assemble(
        SOURCE.replace(".fvec scale\n", ".fvec scale\n.bool lit\n").replace("rcp r1", "ifu lit\nnop\n.end\nrcp r1")
    )
    code = shader.vertex.runner(lw.pica200.profiles["hardware"]).compiled
    data = {"place": places(20)}
    for _ in range(2):
        shader.vertex.run(data, {**SCALE, "lit": False}, engine=LLVM)
    with code._lock:  # pyright: ignore[reportPrivateUsage] - as the thread of the compiler has it
        made = threading.Thread(target=shader.vertex.run, args=(data, {**SCALE, "lit": True}), kwargs={"engine": LLVM})
        made.start()
        made.join(30)
        assert not made.is_alive()
    later.set()


@pytest.mark.parametrize("profile", FORMATS.values(), ids=FORMATS)
def test_numbers_that_are_not_ordinary_are_left_to_kernels(profile: lw.pica200.Profile):
    """Or arrays have the bits of the reference engine for them too, as float32 has for most."""
    shader = lw.assemble(SOURCE).vertex
    shader.runner(profile).compiled.tier = tiers.FIRST
    for odd in (0.0, np.inf, np.nan, 2.0**-63, 2.0**-62, 2.0**63, -1e38, 1e-40):
        data = {"place": places(20)}
        data["place"][7, 0] = odd
        same(*(shader.run(data, SCALE, engine=engine, profile=profile) for engine in (REFERENCE, LLVM)))


def test_random_programs_have_first_results_in_each_format():
    """`differential.compare` compares them with those of the reference engine."""
    used: Counter[str] = Counter()
    for number in range(PROGRAMS):
        one = case(7, number)
        runner = QuickRunner(one.words, one.descriptors, 0, one.profile)
        runner.compiled.tier = tiers.FIRST
        inputs, uniforms = data_of(one)
        plan = runner.choose(LLVM, uniforms.booleans, inputs.lanes)[1]
        if plan is not None:
            data = runner.columns(inputs), inputs.lanes, BUDGET
            used[one.profile.rounding] += first_result(runner.compiled, plan, runner.table(plan, uniforms), *data) is not None
    assert all(used[rounding] >= 2 for rounding in ("zero", "nearest", "float32")), used


@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_quotients_and_roots_of_all_mantissas_are_rounded_once(rounding: str):
    """By integers: no number of 17 bits is nearer to the exact result."""
    numbers = first.NUMBERS[rounding]()
    mantissas = np.arange(1 << 16, 1 << 17, dtype=np.int64)
    for what, odd in (("rcp", 1), ("rsq", 1), ("rsq", 2)):
        given = (odd * mantissas).astype(np.float64)
        numbers.begin(1, len(given))
        found = getattr(numbers, what)(given)
        size = np.frexp(found)[1]  # 17 bits as an integer, and the exact result as 2**places over given, or over its root
        whole, places = np.ldexp(found, 17 - size).astype(np.int64), 17 - size.astype(np.int64)
        assert np.array_equal(np.ldexp(whole.astype(np.float64), -places), found)
        # The result is between `low` and `high` halves, so these are on both sides of it.
        low, high = (2 * whole, 2 * whole + 2) if rounding == "zero" else (2 * whole - 1, 2 * whole + 1)
        power = 1 if what == "rcp" else 2
        exact = np.int64(1) << power * (places + 1)
        times_given = odd * mantissas
        assert np.all(low**power * times_given <= exact)
        assert np.all(exact <= high**power * times_given)


def test_a_program_that_takes_long_is_left_to_kernels(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(first, "MOST", 200_000)
    text = SOURCE.replace("    end", "    for i0\n    mul r0, scale, r0\n    .end\n    end")
    for rounds, ready in ((2, False), (100, True)):
        shader = lw.assemble(text).vertex
        given = {**SCALE, "i0": [rounds, 0, 1, 0]}
        same(*(shader.run({"place": places(3)}, given, engine=engine) for engine in (REFERENCE, LLVM)))
        assert shader.runner(FORMATS["zero"]).compiled.ready == ready


def test_a_loop_that_computes_nothing_is_left_to_kernels_too(monkeypatch: pytest.MonkeyPatch):
    """A block takes time whatever it does: one without operations was repeated until the budget was spent."""
    numbers: list[int] = []
    block = first._Run._block  # pyright: ignore[reportPrivateUsage] # what is done is seen nowhere else

    def counted(run: first._Run, number: int, lanes: first.Lanes) -> list[tuple[int, first.Lanes]]:  # pyright: ignore[reportPrivateUsage]
        numbers.append(number)
        return block(run, number, lanes)

    monkeypatch.setattr(first._Run, "_block", counted)  # pyright: ignore[reportPrivateUsage]
    shader = lw.assemble(
        SOURCE.replace("    end", "    cmp place, le, le, place\n    again: jmpc cmp.x, again\n    end")
    ).vertex
    with pytest.raises(lw.pica200.RunError):
        shader.run({"place": places(3)}, SCALE, engine=LLVM)
    assert 1 < len(numbers) < 1000


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="the control word is set by the C library of x86-64 Linux"
)
def test_a_thread_that_rounds_in_another_way_gets_no_first_result(later: threading.Event):
    """As a library may have told the processor."""
    later.set()
    shader = lw.assemble(SOURCE).vertex
    data = {"place": places(20)}
    wanted = shader.run(data, SCALE, engine=REFERENCE)
    library = ctypes.CDLL(None)
    try:
        library.fesetround(0xC00)  # toward zero
        usual = first.is_usual()
        found = shader.run(data, SCALE, engine=LLVM)
    finally:
        library.fesetround(0)
    assert not usual
    assert first.is_usual()
    same(wanted, found)
