"""A kernel that counts, and a crew of its own for a test: however many processors there are, and awake until its first work."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lanewise.llvm import cache, crew
from lanewise.llvm.division import Places
from lanewise.llvm.loading import FUNCTION, load_kernel
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from collections.abc import Generator

    import pytest

    from lanewise.llvm.crew import Member

# Arguments: where the range begins, where it ends, how far the kernel came, refills; a table of counts; before which vector it
# stops once; a word that it waits for, for some time; and the lengths of lists.
PLACES = Places(first=0, last=1, done=2, refills=3, refilled=7, list=7, other=8)
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
  %awaited.at = getelementptr i64, ptr %args, i64 6
  %awaited = load ptr, ptr %awaited.at
  br label %wait
wait:
  %time = phi i64 [ 0, %entry ], [ %time.next, %wait ]
  %time.next = add i64 %time, 1
  %late = icmp ugt i64 %time, 68719476736
  %value = load atomic i64, ptr %awaited seq_cst, align 8
  %there = icmp ne i64 %value, 0
  %go = or i1 %late, %there
  br i1 %go, label %more, label %wait
more:
  %n = phi i64 [ %first, %wait ], [ %next, %one ]
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
        self.run = FUNCTION(self.entry)
        self.table = (ctypes.c_int64 * vectors)()
        self._one = ctypes.c_int64(1)

    def arguments(self, *, stops: int = -1, awaits: int | None = None) -> ctypes.Array[ctypes.c_int64]:
        """It stops before a vector, and begins when the word at an address is not 0."""
        word = ctypes.addressof(self._one) if awaits is None else awaits
        return (ctypes.c_int64 * 9)(0, 0, 0, 0, ctypes.addressof(self.table), stops, word, 0, 0)

    def count(self, vector: int) -> int:
        """The address of a count."""
        return ctypes.addressof(self.table) + 8 * vector


@contextmanager
def own_crew(monkeypatch: pytest.MonkeyPatch) -> Generator[list[Member]]:
    """The members, which end with the block."""
    with monkeypatch.context() as patch:
        patch.setattr(crew, "_processors", lambda: 5)
        patch.setattr(crew, "_AT_FIRST", 1 << 50)
        mine = crew.Crew()
        patch.setattr(crew, "_crew", mine)
        yield mine.members
        for member in mine.members:
            member.end()
        for member in mine.members:
            member.thread.join(600)
        assert not any(member.thread.is_alive() for member in mine.members)
