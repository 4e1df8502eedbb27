"""Vectors of a run divided among threads by machine code, so that none of them needs the interpreter between two ranges.

Two threads that end at the same time would both want the interpreter, and the second would fall asleep: to wake it takes as
long as some hundred vectors. So the one that asks first waits a moment, in machine code, until the others have left.

A word that all threads share has the first vector that nobody has taken in its lower half, and the one after the last of them
in its upper half. One thread takes ranges from the front, the others from the back: in the next run on the same data, each
finds most of it in its own caches.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.llvm.loading import load_function
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from collections.abc import Callable

_STATE = 7
DONE, PAUSED, UNFINISHED = range(3)

# The words of 64 bits of a block: the kernel, its arguments, the shared word, the vectors of the shortest range; by how much
# what is left is divided for a range, 0 or 1 to take it from the back, how many vectors are done before it returns, its state
# then, and the word with the number of other threads. The arguments of the kernel have their own places.
_TAKING = """define void @run(ptr %block) nounwind {{
entry:
  %kernel = load ptr, ptr %block
  %args.at = getelementptr i64, ptr %block, i64 1
  %args = load ptr, ptr %args.at
  %shared.at = getelementptr i64, ptr %block, i64 2
  %shared = load ptr, ptr %shared.at
  %shortest.at = getelementptr i64, ptr %block, i64 3
  %shortest = load i64, ptr %shortest.at
  %parts.at = getelementptr i64, ptr %block, i64 4
  %parts = load i64, ptr %parts.at
  %back.at = getelementptr i64, ptr %block, i64 5
  %back.word = load i64, ptr %back.at
  %back = icmp ne i64 %back.word, 0
  %most.at = getelementptr i64, ptr %block, i64 6
  %most = load i64, ptr %most.at
  %state = getelementptr i64, ptr %block, i64 7
  %present.at = getelementptr i64, ptr %block, i64 8
  %present = load ptr, ptr %present.at
  %begin.at = getelementptr i64, ptr %args, i64 {first}
  %end.at = getelementptr i64, ptr %args, i64 {last}
  %done.at = getelementptr i64, ptr %args, i64 {done}
  %refills.at = getelementptr i64, ptr %args, i64 {refills}
  br label %more
more:
  %total = phi i64 [ 0, %entry ], [ %total.next, %whole ]
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
  br i1 %mine, label %do, label %again
do:
  %begin = select i1 %back, i64 %last.next, i64 %first
  %end = add i64 %begin, %size
  store i64 %begin, ptr %begin.at
  store i64 %end, ptr %end.at
  store i64 {refilled}, ptr %refills.at
  call void %kernel(ptr %args)
  %done = load i64, ptr %done.at
  %short = icmp ult i64 %done, %end
  br i1 %short, label %unfinished, label %whole
whole:
  %total.next = add i64 %total, %size
  %enough = icmp uge i64 %total.next, %most
  br i1 %enough, label %paused, label %more
none:
  store i64 0, ptr %state
  %there = load atomic i64, ptr %present seq_cst, align 8
  %came = icmp ne i64 %there, 0
  %since = {clock}
  br i1 %back, label %over, label %await
await:
  %time = phi i64 [ 0, %none ], [ %next, %look ]
  %others = load atomic i64, ptr %present seq_cst, align 8
  %nobody = icmp eq i64 %others, 0
  %now = {passing}
  %waited = sub i64 %now, %since
  %late = icmp ugt i64 %waited, {awaiting}
  %awaited = or i1 %nobody, %late
  br i1 %awaited, label %away, label %look
look:
  {pause}
  %next = add i64 %time, {step}
  br label %await
away:
  ; Whoever was there gives the interpreter back only now; for nobody there is nothing to wait for.
  %rest = select i1 %came, i64 {leaving}, i64 0
  %until = add i64 %now, %rest
  br label %moment
moment:
  %moment.time = phi i64 [ %time, %away ], [ %moment.next, %moment.on ]
  %moment.now = {moment}
  %moment.over = icmp uge i64 %moment.now, %until
  br i1 %moment.over, label %over, label %moment.on
moment.on:
  {pause}
  %moment.next = add i64 %moment.time, {step}
  br label %moment
over:
  ret void
paused:
  store i64 1, ptr %state
  ret void
unfinished:
  store i64 2, ptr %state
  ret void
}}
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
{declared}
"""

# How long to wait for others, and then until they have given the interpreter back, in cycles of a clock: some 20 and 3 us. It
# is longer than the end of a range and what a thread does after it takes, and shorter than to fall asleep and be woken. Where
# no clock is known, a look counts for so many.
_AWAITING, _LEAVING, _LOOK = 1 << 16, 1 << 13, 32
_X86 = """declare void @llvm.x86.sse2.pause()
declare i64 @llvm.readcyclecounter()"""


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


@cache
def _taking(places: Places) -> Callable[[int], None]:
    x86 = host().family == "x86"
    clock = "call i64 @llvm.readcyclecounter()"
    ir = _TAKING.format(
        **places._asdict(),
        pause="call void @llvm.x86.sse2.pause()" if x86 else "",
        clock=clock if x86 else "add i64 0, 0",
        passing=clock if x86 else "add i64 %time, 0",
        moment=clock if x86 else "add i64 %moment.time, 0",
        declared=_X86 if x86 else "",
        step=_LOOK,
        awaiting=_AWAITING,
        leaving=_LEAVING,
    )
    return load_function(ir, host())


class Division:
    """The vectors of runs that follow each other, each divided among threads."""

    shortest: int
    parts: int

    def __init__(self, places: Places) -> None:
        self._word, self._present = ctypes.c_int64(0), ctypes.c_int64(0)
        self.shortest = self.parts = 1
        self.places = places

    def begin(self, first: int, last: int, threads: int, shortest: int) -> None:
        """Offer the vectors from `first` up to `last`, below 2**31, in ranges of at least so many. No thread may be at work."""
        self.shortest, self.parts = shortest, 2 * threads
        self._word.value = last << 32 | first

    def came(self, count: int) -> None:
        """So many other threads are there, which `Taker.take` from the front awaits for a moment; negative if they leave.
        Callers hold a lock."""
        self._present.value += count

    def close(self) -> None:
        """Offer no more."""
        self._word.value = 0

    def taker(self, kernel: int, arguments: int, most: int) -> Taker:
        """For one thread: it runs a kernel with these arguments, `most` vectors at once."""
        return Taker(self, kernel, arguments, most, ctypes.addressof(self._word), ctypes.addressof(self._present))


class Taker:
    """The work of one thread on a division. `kernel` and `arguments` are addresses, and must live as long."""

    def __init__(self, division: Division, kernel: int, arguments: int, most: int, word: int, present: int) -> None:
        self._division = division
        self._run = _taking(division.places)
        self._words = (ctypes.c_int64 * 9)(kernel, arguments, word, 1, 2, 0, most, DONE, present)
        self._address = ctypes.addressof(self._words)

    def take(self, *, back: bool) -> int:
        """Do ranges until none is left (DONE), until it is time to look at signals (PAUSED), or until one takes too long
        (UNFINISHED)."""
        words = self._words
        words[3], words[4], words[5] = self._division.shortest, self._division.parts, back
        self._run(self._address)
        return words[_STATE]
