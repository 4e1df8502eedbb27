"""Vectors divided among threads by machine code: each is done once, whoever takes it and however often a thread pauses."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from crews import PLACES, Counted, own_crew
from lanewise.llvm.crew import BUSY, FOUND, STATE, Order
from lanewise.llvm.division import PAUSED, Division, Taker
from lanewise.llvm.stopping import Stop
from together import together

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def members(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with own_crew(monkeypatch):
        yield


def nothing() -> None:
    pass


@together("threads", [1, 2, 5])
@together(("first", "last", "shortest"), [(0, 1, 1), (0, 7, 3), (3, 1000, 1), (0, 5000, 64), (0, 10, 100)])
def test_each_vector_is_done_once(first: int, last: int, shortest: int, threads: int, members: None):
    kernel = Counted(last)
    division = Division(PLACES, last, threads, shortest, Stop())
    given = [kernel.arguments() for _ in range(threads)]
    takers = [Taker(division, kernel.entry, ctypes.addressof(words), 700, back=n > 0) for n, words in enumerate(given)]
    order = Order(takers)
    for run in range(1, 4):
        order.wake()
        division.begin(first)
        assert not order.run(nothing, division.close) & FOUND
        assert list(kernel.table) == [0] * first + [run] * (last - first)
        assert all(words[3] in (0, PLACES.refilled) for words in given)
        assert all(words[0] == 0 for words in given)  # of which the next run of all vectors begins


def test_members_take_ranges_from_the_back(members: None):
    """This thread waits in its kernel until a member has taken one."""
    kernel = Counted(100)
    division = Division(PLACES, 100, 2, 10, Stop())
    own, other = kernel.arguments(awaits=kernel.count(99)), kernel.arguments()
    takers = [Taker(division, kernel.entry, ctypes.addressof(words), 30, back=n > 0) for n, words in enumerate((own, other))]
    order = Order(takers)
    calls: list[int] = []
    order.wake()
    division.begin(20)
    assert not order.run(lambda: calls.append(takers[0].words[STATE]), division.close) & FOUND
    assert order.helped
    assert list(kernel.table) == [0] * 20 + [1] * 80
    assert 20 <= takers[0].taken < 80
    assert set(calls) <= {PAUSED}


def test_a_vector_that_takes_too_long_is_reported_with_its_range():
    """The thread that leads gets its range back, and goes on with it."""
    kernel = Counted(60)
    stop = Stop()
    division = Division(PLACES, 60, 1, 20, stop)
    words = kernel.arguments(stops=33)
    taker = Taker(division, kernel.entry, ctypes.addressof(words), 1000, back=False)
    seen: list[tuple[int, int, int]] = []

    def go_on() -> None:
        assert taker.unfinished
        seen.append((words[0], words[2], words[1]))
        words[0], words[5] = words[2], -1
        kernel.run(ctypes.addressof(words))

    division.begin()
    assert not Order([taker]).run(go_on, division.close)
    ((begin, done, end),) = seen
    assert begin <= done == 33 < end
    assert list(kernel.table) == [1] * 60


def test_a_member_leaves_a_vector_that_takes_too_long(members: None):
    """It goes on with a range as long as there is progress, and the vector is an outcome."""
    kernel = Counted(100)
    division = Division(PLACES, 100, 2, 50, Stop())
    own, other = kernel.arguments(awaits=kernel.count(60)), kernel.arguments(stops=70)
    takers = [Taker(division, kernel.entry, ctypes.addressof(words), 100, back=n > 0) for n, words in enumerate((own, other))]
    order = Order(takers)
    order.wake()
    division.begin()
    assert order.run(nothing, division.close) & FOUND
    assert takers[1].unfinished
    assert takers[1].outcome
    assert other[0] == other[2] == 70
    assert list(kernel.table) == [1] * 70 + [0] * 30


def test_after_an_exception_no_member_is_at_work(members: None):
    """One is in its kernel, which waits for the word that ends it."""
    kernel = Counted(100)
    stop = Stop()
    division = Division(PLACES, 100, 2, 10, stop)
    own, other = kernel.arguments(stops=5), kernel.arguments(awaits=stop.address)
    takers = [Taker(division, kernel.entry, ctypes.addressof(words), 100, back=n > 0) for n, words in enumerate((own, other))]
    order = Order(takers)

    def interrupted() -> None:
        while takers[1].words[BUSY] != 2:
            time.sleep(0.001)
        raise KeyboardInterrupt

    order.wake()
    division.begin()
    with pytest.raises(KeyboardInterrupt):
        order.run(interrupted, division.close)
    assert stop.requested
    assert takers[1].words[BUSY] == 0
    assert 0 < sum(kernel.table) < 95


def test_a_function_keeps_its_code():
    """Threads that make a function at the same time get one each, and a cache keeps one of them only."""
    code = """
import ctypes
from lanewise.llvm.loading import load_function
from lanewise.llvm.target import host
ir = "define void @run(ptr %args) nounwind {{\\n  store i64 {}, ptr %args\\n  ret void\\n}}\\n"
functions = [load_function(ir.format(n), host()) for n in range(5)]
word = ctypes.c_int64(-1)
for number, function in enumerate(functions):
    function(ctypes.addressof(word))
    assert word.value == number
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
