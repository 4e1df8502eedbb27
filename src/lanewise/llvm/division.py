"""Vectors of a run divided among threads by machine code, so that none of them needs the interpreter between two ranges.

A word that all threads share has the first vector that nobody has taken in its lower half, and the one after the last of them
in its upper half. The thread that leads takes ranges from the front, the others from the back: in the next run on the same
data, each finds most of it in its own caches.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.llvm.crew import DATA, OUTCOME, STATE
from lanewise.llvm.loading import load_function
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from typing import Any

    from lanewise.llvm.stopping import Stop

DONE, PAUSED, UNFINISHED = range(3)
"States of a block: no range is left; it is time to look at signals; a vector takes more than a call of the kernel may."

# The words of the block after those of the crew: the kernel, its arguments, the division, whether to take ranges from the back,
# how many vectors are taken at once and, from the front, before it returns; how many were taken in this run. Those of the
# division: the shared word, the vectors of the shortest range, by how much what is left is divided for a range, and the address
# of the word that ends kernels. The arguments of the kernel have their own places. The outcome is not 0 if a list has entries,
# or a range from the back was left.
_TAKING = """define void @run(ptr %block) nounwind {{
entry:
  %busy.at = getelementptr i64, ptr %block, i64 1
  %state = getelementptr i64, ptr %block, i64 2
  %outcome = getelementptr i64, ptr %block, i64 3
  %kernel.at = getelementptr i64, ptr %block, i64 4
  %kernel = load ptr, ptr %kernel.at
  %args.at = getelementptr i64, ptr %block, i64 5
  %args = load ptr, ptr %args.at
  %shared.at = getelementptr i64, ptr %block, i64 6
  %shared = load ptr, ptr %shared.at
  %back.at = getelementptr i64, ptr %block, i64 7
  %back.word = load i64, ptr %back.at
  %back = icmp ne i64 %back.word, 0
  %most.at = getelementptr i64, ptr %block, i64 8
  %most = load i64, ptr %most.at
  %taken.at = getelementptr i64, ptr %block, i64 9
  %shortest.at = getelementptr i64, ptr %shared, i64 1
  %shortest = load i64, ptr %shortest.at
  %parts.at = getelementptr i64, ptr %shared, i64 2
  %parts = load i64, ptr %parts.at
  %stop.at = getelementptr i64, ptr %shared, i64 3
  %stop = load ptr, ptr %stop.at
  %begin.at = getelementptr i64, ptr %args, i64 {first}
  %end.at = getelementptr i64, ptr %args, i64 {last}
  %done.at = getelementptr i64, ptr %args, i64 {done}
  %refills.at = getelementptr i64, ptr %args, i64 {refills}
  %list.at = getelementptr i64, ptr %args, i64 {list}
  %other.at = getelementptr i64, ptr %args, i64 {other}
  %busy = load i64, ptr %busy.at
  %is.first = icmp eq i64 %busy, 1
  br i1 %is.first, label %clear, label %start
clear:
  store i64 2, ptr %busy.at
  store i64 0, ptr %taken.at
  store i64 0, ptr %list.at
  store i64 0, ptr %other.at
  br label %start
start:
  %taken.before = load i64, ptr %taken.at
  br label %more
more:
  %total = phi i64 [ 0, %start ], [ %total.next, %whole ]
  %before = load atomic i64, ptr %shared seq_cst, align 8
  br label %again
again:
  %word = phi i64 [ %before, %more ], [ %found, %try ]
  %first = and i64 %word, 4294967295
  %last = lshr i64 %word, 32
  %left = sub i64 %last, %first
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %try, label %none
try:
  %part = udiv i64 %left, %parts
  %wanted = call i64 @llvm.umax.i64(i64 %part, i64 %shortest)
  %allowed = call i64 @llvm.umin.i64(i64 %wanted, i64 %most)
  %size = call i64 @llvm.umin.i64(i64 %allowed, i64 %left)
  %first.next = add i64 %first, %size
  %last.next = sub i64 %last, %size
  %new.first = select i1 %back, i64 %first, i64 %first.next
  %new.last = select i1 %back, i64 %last.next, i64 %last
  %high = shl i64 %new.last, 32
  %new = or i64 %high, %new.first
  %exchange = cmpxchg ptr %shared, i64 %word, i64 %new seq_cst seq_cst, align 8
  %found = extractvalue {{ i64, i1 }} %exchange, 0
  %mine = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %mine, label %range, label %again
range:
  %begin = select i1 %back, i64 %last.next, i64 %first
  %end = add i64 %begin, %size
  %total.next = add i64 %total, %size
  store i64 %end, ptr %end.at
  br label %do
do:
  %from = phi i64 [ %begin, %range ], [ %done, %go.on ]
  store i64 %from, ptr %begin.at
  store i64 {refilled}, ptr %refills.at
  call void %kernel(ptr %args)
  %done = load i64, ptr %done.at
  %short = icmp ult i64 %done, %end
  br i1 %short, label %unfinished, label %whole
unfinished:
  ; The thread that leads looks at signals now; others go on with the next vector of the range, unless there is none.
  %some.done = icmp ugt i64 %done, %from
  %goes.on = and i1 %back, %some.done
  br i1 %goes.on, label %go.on.unless, label %leave
go.on.unless:
  %ends = load atomic i64, ptr %stop seq_cst, align 8
  %is.ended = icmp ne i64 %ends, 0
  br i1 %is.ended, label %leave, label %go.on
go.on:
  br label %do
whole:
  %enough = icmp uge i64 %total.next, %most
  %front = xor i1 %back, true
  %pauses = and i1 %enough, %front
  br i1 %pauses, label %leave, label %more
none:
  store i64 0, ptr %begin.at
  br label %leave
leave:
  %left.state = phi i64 [ 0, %none ], [ 1, %whole ], [ 2, %unfinished ], [ 2, %go.on.unless ]
  %mine.all = phi i64 [ %total, %none ], [ %total.next, %whole ], [ %total.next, %unfinished ], [ %total.next, %go.on.unless ]
  store i64 %left.state, ptr %state
  %list = load i64, ptr %list.at
  %other = load i64, ptr %other.at
  %listed = or i64 %list, %other
  %left.out = select i1 %back, i64 %left.state, i64 0
  %left.over = or i64 %listed, %left.out
  store i64 %left.over, ptr %outcome
  %taken = add i64 %taken.before, %mine.all
  store i64 %taken, ptr %taken.at
  ret void
}}
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
"""
_TAKEN = DATA + 5
# The words of a division begin and end far from other memory that is written to.
_LINE, _WORDS = 16, 48


class Places(Record):
    """The indices of words of 64 bits in the arguments of kernels."""

    first: int
    "The word with the first vector of a range."
    last: int
    "The word with the vector after the last of a range."
    done: int
    "The word in which the kernel leaves the first vector that it has not done."
    refills: int
    "The word with the kernel's budget."
    refilled: int
    "The value of the budget at the start of each range."
    list: int
    "The word with the length of a list that the kernel appends to."
    other: int
    "That of another list."


@cache
def _taking(places: Places) -> int:
    """The address of the function."""
    function: Any = load_function(_TAKING.format(**places._asdict()), host())
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Division:
    """The vectors of runs that follow each other, each divided among threads."""

    address: int

    def __init__(self, places: Places, vectors: int, threads: int, shortest: int, stop: Stop) -> None:
        """Of so many vectors, below 2**31, in ranges of at least so many. `stop` ends kernels."""
        self._words = (ctypes.c_int64 * _WORDS)()
        self._words[_LINE : _LINE + 4] = 0, shortest, 2 * threads, stop.address
        self._stop, self._last = stop, vectors << 32
        self.address = ctypes.addressof(self._words) + 8 * _LINE
        self.places = places

    def begin(self, first: int = 0) -> None:
        """Offer the vectors from this one on. No thread may be at work."""
        self._words[_LINE] = self._last | first

    def close(self) -> None:
        """Offer no more, and end kernels."""
        self._words[_LINE] = 0
        self._stop.set()


class Taker:
    """The block of one thread of a crew: it takes ranges of a division as long as there are some."""

    address: int
    words: ctypes.Array[ctypes.c_int64]

    def __init__(self, division: Division, kernel: int, arguments: int, most: int, *, back: bool) -> None:
        """`kernel` and `arguments` are addresses, and must live as long. It runs `most` vectors at once."""
        self._division = division
        start = _taking(division.places), 0, DONE, 0, kernel, arguments, division.address, back, most, 0
        self.words = (ctypes.c_int64 * len(start))(*start)
        self.address = ctypes.addressof(self.words)

    @property
    def outcome(self) -> bool:
        """Whether lists have entries after a run, or a range is left."""
        return self.words[OUTCOME] != 0

    @property
    def unfinished(self) -> bool:
        """Whether it has left a range before its end."""
        return self.words[STATE] == UNFINISHED

    @property
    def taken(self) -> int:
        """How many vectors it has taken in a run."""
        return self.words[_TAKEN]


__all__ = ["DONE", "PAUSED", "UNFINISHED", "Division", "Places", "Taker"]
