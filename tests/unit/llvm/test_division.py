"""Vectors divided among threads by machine code: each is done once, whoever takes it and however often a thread pauses."""

from __future__ import annotations

import ctypes
import subprocess
import sys

from lanewise.llvm import cache
from lanewise.llvm.division import DONE, PAUSED, UNFINISHED, Division, Places
from lanewise.llvm.loading import load_kernel
from lanewise.llvm.sharing import Job
from lanewise.llvm.target import host
from together import together

# Arguments: where the range begins, where it ends, how far the kernel came, refills; a table of counts; before which vector it
# stops once.
PLACES = Places(first=0, last=1, done=2, refills=3, refilled=7)
_COUNTING = """define void @run(ptr %args) nounwind {
entry:
  %first = load i64, ptr %args
  %last.at = getelementptr i64, ptr %args, i64 1
  %last = load i64, ptr %last.at
  %done.at = getelementptr i64, ptr %args, i64 2
  %table.at = getelementptr i64, ptr %args, i64 4
  %table = load ptr, ptr %table.at
  %stop.at = getelementptr i64, ptr %args, i64 5
  %stop = load i64, ptr %stop.at
  br label %more
more:
  %n = phi i64 [ %first, %entry ], [ %next, %one ]
  %over = icmp uge i64 %n, %last
  %stops = icmp eq i64 %n, %stop
  %ends = or i1 %over, %stops
  br i1 %ends, label %end, label %one
one:
  %at = getelementptr i64, ptr %table, i64 %n
  %before = atomicrmw add ptr %at, i64 1 seq_cst
  %next = add i64 %n, 1
  br label %more
end:
  store i64 %n, ptr %done.at
  ret void
}
"""


class Counted:
    """A kernel that counts how often it does each vector."""

    def __init__(self, vectors: int) -> None:
        self.code = load_kernel(cache.name("counting", _COUNTING), lambda: _COUNTING, host())
        self.entry = self.code.address
        self.table = (ctypes.c_int64 * vectors)()

    def arguments(self, stop: int = -1) -> ctypes.Array[ctypes.c_int64]:
        return (ctypes.c_int64 * 6)(0, 0, 0, 0, ctypes.addressof(self.table), stop)


@together("threads", [1, 2, 5])
@together(("first", "last", "shortest"), [(0, 1, 1), (0, 7, 3), (3, 1000, 1), (0, 5000, 64), (0, 10, 100)])
def test_each_vector_is_done_once(first: int, last: int, shortest: int, threads: int):
    kernel = Counted(last)
    division = Division(PLACES)
    given = [kernel.arguments() for _ in range(threads)]
    takers = [division.taker(kernel.entry, ctypes.addressof(words), 700) for words in given]

    def take(number: int) -> list[int]:
        states = [takers[number].take(back=number > 0)]
        while states[-1] != DONE:
            states.append(takers[number].take(back=number > 0))
        return states

    for run in range(1, 4):
        division.begin(first, last, threads, shortest)
        with Job(take, iter(range(threads)), came=division.came) as job:
            job.begin(threads - 1)
        assert list(kernel.table) == [0] * first + [run] * (last - first)
        assert {state for states in job.results.values() for state in states} <= {DONE, PAUSED}
        assert all(words[3] in (0, PLACES.refilled) for words in given)


def test_a_range_from_the_front_and_from_the_back():
    kernel = Counted(100)
    division = Division(PLACES)
    words = kernel.arguments()
    taker = division.taker(kernel.entry, ctypes.addressof(words), 10)
    division.begin(20, 100, 1, 1)
    assert taker.take(back=False) == PAUSED
    assert (words[0], words[1], words[2]) == (20, 30, 30)
    assert taker.take(back=True) == PAUSED
    assert (words[0], words[1], words[2]) == (90, 100, 100)
    division.close()
    assert taker.take(back=False) == DONE
    assert sum(kernel.table) == 20


def test_a_vector_that_takes_too_long_is_reported_with_its_range():
    kernel = Counted(60)
    division = Division(PLACES)
    words = kernel.arguments(stop=33)
    taker = division.taker(kernel.entry, ctypes.addressof(words), 1000)
    division.begin(0, 60, 1, 20)
    assert taker.take(back=False) == UNFINISHED
    begin, end, done = words[0], words[1], words[2]
    assert begin <= done == 33 < end
    words[5] = -1
    assert taker.take(back=False) == DONE
    assert list(kernel.table) == [1] * 33 + [0] * (end - 33) + [1] * (60 - end)


def test_others_are_awaited_for_a_moment_only():
    """One that does not leave is not waited for: it may be asleep."""
    kernel = Counted(10)
    division = Division(PLACES)
    words = kernel.arguments()
    taker = division.taker(kernel.entry, ctypes.addressof(words), 10)
    division.begin(0, 9, 2, 1)
    division.came(1)
    assert taker.take(back=False) == DONE
    division.came(-1)
    assert list(kernel.table) == [1] * 9 + [0]


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
