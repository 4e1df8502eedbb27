"""Threads that wait in machine code for work of machine code, as soon after a run as the next one may come.

To wake a thread that sleeps takes 20 to 50 us on a virtual machine, as long as some ten thousand vertices. So a member of the
crew looks for work a while before it falls asleep: up to four times as long as its last work took, and no more than some
milliseconds. Looking, taking and doing work needs no interpreter. The thread that leads never waits for a member to begin: it
does the work itself, and takes back what no member has begun.

A block is memory with the address of a function, which gets the address of the block, and words that the function and the crew
share. What follows is the function's own.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from contextlib import suppress
from functools import cache
from time import sleep
from typing import TYPE_CHECKING

from lanewise.llvm.loading import load_function
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    class Block(Protocol):
        """Memory for a function, as above."""

        address: int
        words: ctypes.Array[ctypes.c_int64]


# Words of a block: the address of the function; 1 when it is called first in a run, and not 0 until a member has done it; not 0
# if there is more to do, for which the thread that leads calls it again; not 0 if Python has to see to what it did.
FUNCTION_WORD, BUSY, STATE, OUTCOME, DATA = range(5)
FOUND, LATE = 1, 2  # of a run

# What is in a letterbox, if not the address of a block: nothing, for a member that looks; that it sleeps, works, is to end. The
# word after it is how long the member looks.
_EMPTY, _ASLEEP, _WORKING, _END = range(4)
_PATIENCE = 1
# A letterbox begins and ends far from other memory that is written to: two lines of the cache, which come together.
_LINE, _WORDS = 16, 48
# Words of an order: how many blocks there are beside the own one, whether they are offered, how many members did one, whether
# Python has anything to do, whether it is to wait, the own block, the table of letterboxes; then each block, and the letterbox
# that it is in.
_COUNT, _POSTED, _HELPED, _RESULT, _LATE, _OWN, _TABLE, _FIRST = range(8)

# In cycles of a clock, some 2 to 3 in a nanosecond; a look counts for so many where none is known. How long a member looks at
# most and at least, and how long a leader waits in machine code for those that are still busy.
_LONGEST, _LEAST, _AWAITING, _LOOK = 1 << 22, 1 << 18, 1 << 17, 32
_AT_FIRST = _LEAST  # for a new member
_NAP = 50e-6  # seconds between two looks of a leader at a member that takes longer
# A member is woken for a run of more seconds, or after so many runs that began within so many seconds after the one before.
_WAKING, _FREQUENT, _SOON = 150e-6, 2, 1e-3
# After members were late, they are not asked for as long as a run, doubled so often at most, and for so many seconds at most.
_MOST_LATES, _LONGEST_REST = 10, 20e-3

_FOLLOW = """define void @run(ptr %box) nounwind {{
entry:
  %patience.at = getelementptr i64, ptr %box, i64 1
  br label %begin
begin:
  %patience = load i64, ptr %patience.at
  %since = {clock}
  br label %look
look:
  %time = phi i64 [ 0, %begin ], [ %time.next, %wait ], [ %time, %offered ]
  %word = load atomic i64, ptr %box seq_cst, align 8
  %is.block = icmp ugt i64 %word, 3
  br i1 %is.block, label %offered, label %nothing
nothing:
  %ends = icmp eq i64 %word, 3
  br i1 %ends, label %leave, label %idle
idle:
  %now = {passing}
  %waited = sub i64 %now, %since
  %enough = icmp ugt i64 %waited, %patience
  br i1 %enough, label %sleep, label %wait
wait:
  {pause}
  %time.next = add i64 %time, {step}
  br label %look
sleep:
  %slept = cmpxchg ptr %box, i64 0, i64 1 seq_cst seq_cst, align 8
  %asleep = extractvalue {{ i64, i1 }} %slept, 1
  br i1 %asleep, label %leave, label %begin
offered:
  %exchange = cmpxchg ptr %box, i64 %word, i64 2 seq_cst seq_cst, align 8
  %mine = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %mine, label %do, label %look
do:
  %begun = {clock}
  %block = inttoptr i64 %word to ptr
  %function = load ptr, ptr %block
  call void %function(ptr %block)
  %ended = {clock}
  %took = sub i64 %ended, %begun
  %more = shl i64 %took, 2
  %most = call i64 @llvm.umin.i64(i64 %more, i64 {longest})
  %next = call i64 @llvm.umax.i64(i64 %most, i64 {least})
  store i64 %next, ptr %patience.at
  ; First it can be asked again, so that whoever sees that it is not busy can do so.
  %freed = cmpxchg ptr %box, i64 2, i64 0 seq_cst seq_cst, align 8
  %busy.at = getelementptr i64, ptr %block, i64 1
  store atomic i64 0, ptr %busy.at seq_cst, align 8
  br label %begin
leave:
  ret void
}}
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
{declared}
"""

_LEAD = """define void @run(ptr %order) nounwind {{
entry:
  %count = load i64, ptr %order
  %posted.at = getelementptr i64, ptr %order, i64 1
  %helped.at = getelementptr i64, ptr %order, i64 2
  %result.at = getelementptr i64, ptr %order, i64 3
  %late.at = getelementptr i64, ptr %order, i64 4
  %own.at = getelementptr i64, ptr %order, i64 5
  %own = load ptr, ptr %own.at
  %table.at = getelementptr i64, ptr %order, i64 6
  %table = load ptr, ptr %table.at
  %others = getelementptr i64, ptr %order, i64 7
  %own.busy = getelementptr i64, ptr %own, i64 1
  %own.state = getelementptr i64, ptr %own, i64 2
  %own.outcome = getelementptr i64, ptr %own, i64 3
  %posted = load i64, ptr %posted.at
  %is.posted = icmp ne i64 %posted, 0
  br i1 %is.posted, label %work, label %post
post:
  store i64 1, ptr %posted.at
  store i64 1, ptr %own.busy
  %boxes = load i64, ptr %table
  br label %blocks
blocks:
  %n = phi i64 [ 0, %post ], [ %n.next, %blocks.next ]
  %b = phi i64 [ 0, %post ], [ %b.next, %blocks.next ]
  %helped = phi i64 [ 0, %post ], [ %helped.next, %blocks.next ]
  %all = icmp eq i64 %n, %count
  br i1 %all, label %offered, label %one
one:
  %row = shl i64 %n, 1
  %block.at = getelementptr i64, ptr %others, i64 %row
  %box.at = getelementptr i64, ptr %block.at, i64 1
  %block = load ptr, ptr %block.at
  %busy = getelementptr i64, ptr %block, i64 1
  %state = getelementptr i64, ptr %block, i64 2
  %outcome = getelementptr i64, ptr %block, i64 3
  store i64 0, ptr %state
  store i64 0, ptr %outcome
  store i64 0, ptr %box.at
  store atomic i64 1, ptr %busy seq_cst, align 8
  br label %find
find:
  %at = phi i64 [ %b, %one ], [ %at.next, %find.next ]
  %nobody = icmp uge i64 %at, %boxes
  br i1 %nobody, label %missing, label %ask
ask:
  %at.next = add i64 %at, 1
  %entry.at = getelementptr i64, ptr %table, i64 %at.next
  %box = load ptr, ptr %entry.at
  %block.word = ptrtoint ptr %block to i64
  %seen = load atomic i64, ptr %box seq_cst, align 8
  %looks = icmp eq i64 %seen, 0
  br i1 %looks, label %try, label %find.next
try:
  %offer = cmpxchg ptr %box, i64 0, i64 %block.word seq_cst seq_cst, align 8
  %in = extractvalue {{ i64, i1 }} %offer, 1
  br i1 %in, label %given, label %find.next
find.next:
  br label %find
given:
  store ptr %box, ptr %box.at
  %helped.one = add i64 %helped, 1
  br label %blocks.next
missing:
  store atomic i64 0, ptr %busy seq_cst, align 8
  br label %blocks.next
blocks.next:
  %b.next = phi i64 [ %at.next, %given ], [ %at, %missing ]
  %helped.next = phi i64 [ %helped.one, %given ], [ %helped, %missing ]
  %n.next = add i64 %n, 1
  br label %blocks
offered:
  store i64 %helped, ptr %helped.at
  br label %work
work:
  %function = load ptr, ptr %own
  call void %function(ptr %own)
  %unfinished = load i64, ptr %own.state
  %over = icmp eq i64 %unfinished, 0
  br i1 %over, label %back, label %more
more:
  store i64 0, ptr %late.at
  store i64 1, ptr %result.at
  ret void
back:
  %m = phi i64 [ 0, %work ], [ %m.next, %back.next ]
  %taken.back = icmp eq i64 %m, %count
  br i1 %taken.back, label %since.now, label %back.one
back.one:
  %m.row = shl i64 %m, 1
  %m.next = add i64 %m, 1
  %m.block.at = getelementptr i64, ptr %others, i64 %m.row
  %m.box.at = getelementptr i64, ptr %m.block.at, i64 1
  %m.box = load ptr, ptr %m.box.at
  %m.none = icmp eq ptr %m.box, null
  br i1 %m.none, label %back.next, label %back.try
back.try:
  %m.block = load i64, ptr %m.block.at
  %m.exchange = cmpxchg ptr %m.box, i64 %m.block, i64 0 seq_cst seq_cst, align 8
  %m.unbegun = extractvalue {{ i64, i1 }} %m.exchange, 1
  br i1 %m.unbegun, label %back.mine, label %back.next
back.mine:
  %m.words = inttoptr i64 %m.block to ptr
  %m.busy = getelementptr i64, ptr %m.words, i64 1
  store atomic i64 0, ptr %m.busy seq_cst, align 8
  store i64 0, ptr %m.box.at
  %helped.before = load i64, ptr %helped.at
  %helped.after = sub i64 %helped.before, 1
  store i64 %helped.after, ptr %helped.at
  br label %back.next
back.next:
  br label %back
since.now:
  %since = {clock}
  br label %await
await:
  %time = phi i64 [ 0, %since.now ], [ %time.next, %again ]
  br label %look
look:
  %k = phi i64 [ 0, %await ], [ %k.next, %look.one ]
  %late = phi i64 [ 0, %await ], [ %late.next, %look.one ]
  %asked = icmp eq i64 %k, %count
  br i1 %asked, label %judge, label %look.one
look.one:
  %k.row = shl i64 %k, 1
  %k.next = add i64 %k, 1
  %k.block.at = getelementptr i64, ptr %others, i64 %k.row
  %k.block = load ptr, ptr %k.block.at
  %k.busy.at = getelementptr i64, ptr %k.block, i64 1
  %k.busy = load atomic i64, ptr %k.busy.at seq_cst, align 8
  %late.next = or i64 %late, %k.busy
  br label %look
judge:
  %done = icmp eq i64 %late, 0
  br i1 %done, label %sum, label %wait
wait:
  %now = {passing}
  %waited = sub i64 %now, %since
  %long = icmp ugt i64 %waited, {awaiting}
  br i1 %long, label %leave.late, label %again
again:
  {pause}
  %time.next = add i64 %time, {step}
  br label %await
leave.late:
  store i64 1, ptr %late.at
  store i64 1, ptr %result.at
  ret void
sum:
  %own.found = load i64, ptr %own.outcome
  br label %sum.more
sum.more:
  %j = phi i64 [ 0, %sum ], [ %j.next, %sum.one ]
  %found = phi i64 [ %own.found, %sum ], [ %found.next, %sum.one ]
  %summed = icmp eq i64 %j, %count
  br i1 %summed, label %leave, label %sum.one
sum.one:
  %j.row = shl i64 %j, 1
  %j.next = add i64 %j, 1
  %j.block.at = getelementptr i64, ptr %others, i64 %j.row
  %j.block = load ptr, ptr %j.block.at
  %j.outcome.at = getelementptr i64, ptr %j.block, i64 3
  %j.outcome = load i64, ptr %j.outcome.at
  %found.next = or i64 %found, %j.outcome
  br label %sum.more
leave:
  store i64 0, ptr %late.at
  store i64 %found, ptr %result.at
  ret void
}}
{declared}
"""
_X86 = """declare void @llvm.x86.sse2.pause()
declare i64 @llvm.readcyclecounter()"""


@cache
def _loaded(ir: str) -> Callable[[int], None]:
    x86 = host().family == "x86"
    clock = "call i64 @llvm.readcyclecounter()"
    return load_function(
        ir.format(
            pause="call void @llvm.x86.sse2.pause()" if x86 else "",
            clock=clock if x86 else "add i64 0, 0",
            passing=clock if x86 else "add i64 %time, 0",
            declared=_X86 if x86 else "",
            step=_LOOK,
            longest=_LONGEST,
            least=_LEAST,
            awaiting=_AWAITING,
        ),
        host(),
    )


class Member:
    """A thread that follows."""

    box: int
    "The address of its letterbox."
    thread: threading.Thread

    def __init__(self) -> None:
        """One that looks for work."""
        self._words = (ctypes.c_int64 * _WORDS)()
        self.box = ctypes.addressof(self._words) + 8 * _LINE
        self._words[_LINE + _PATIENCE] = _AT_FIRST
        self._go = threading.Lock()
        self._follow = _loaded(_FOLLOW)
        self.thread = threading.Thread(target=self._serve, name="lanewise", daemon=True)
        self.thread.start()

    @property
    def asleep(self) -> bool:
        return self._words[_LINE] == _ASLEEP

    def wake(self) -> None:
        """Let one that sleeps look for work."""
        self._words[_LINE] = _EMPTY
        self._go.release()

    def end(self) -> None:
        self._words[_LINE] = _END
        with suppress(RuntimeError):  # it is being woken
            self._go.release()

    def _serve(self) -> None:
        while True:
            self._go.acquire()
            self._follow(self.box)
            if self._words[_LINE] == _END:
                return


class Crew:
    """The members of a process."""

    def __init__(self) -> None:
        self.members: list[Member] = []
        self.lock: threading.Lock = threading.Lock()
        self.lates: int = 0  # how often members were late
        self.rests: float = 0.0  # until when they are not asked
        self.ended: float = 0.0  # when the last run was over
        self.soon: int = 0  # how many have followed each other soon
        self.most: int = max(0, _processors() - 1)
        # How many there are, and their letterboxes; orders have its address.
        self.table: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * (1 + self.most))()

    def wake(self, wanted: int) -> bool:
        """Let so many look for work, or one for each other processor; whether that made a difference."""
        with self.lock:
            asleep = [member for member in self.members[:wanted] if member.asleep]
            for member in asleep:
                member.wake()
            missing = min(wanted, self.most) - len(self.members)
            for _ in range(missing):
                member = Member()
                self.members.append(member)
                self.table[len(self.members)] = member.box
                self.table[0] = len(self.members)
        return missing > 0 or bool(asleep)


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_crew = Crew()


def _forget() -> None:
    """A process that was forked has none of the threads of its parent."""
    _crew.members, _crew.lock = [], threading.Lock()
    _crew.table[0] = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def pays(now: float, seconds: float, runs: int) -> bool:
    """Whether it pays now to wake members that sleep: for a run of so many seconds, or where runs, so many since the last one
    that was `over`, follow each other so soon that members would still be awake."""
    soon = now - _crew.ended < runs * min(4 * seconds, _SOON)
    _crew.soon = _crew.soon + runs if soon else 0
    return seconds > _WAKING or _crew.soon > _FREQUENT


def over(now: float, seconds: float, *, late: bool) -> None:
    """Note the end of a run of so many seconds for which `pays` was asked, and whether members were `LATE`."""
    _crew.ended = now
    if late:
        _crew.lates = min(_crew.lates + 2, _MOST_LATES)
        _crew.rests = now + min((1 << _crew.lates) * seconds, _LONGEST_REST)
    elif _crew.lates:
        _crew.lates -= 1


def rests(now: float) -> bool:
    """Whether members are not to be asked now: of late they had no processor, and were waited for."""
    return now < _crew.rests


@atexit.register
def _end() -> None:
    """End the threads: what they execute is about to be freed."""
    _crew.table[0] = 0
    for member in _crew.members:
        member.end()
    for member in _crew.members:
        member.thread.join(1)


class Order:
    """Blocks that this thread and members of the crew do at the same time, again and again."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        """The first block is that of this thread."""
        others = [word for block in blocks[1:] for word in (block.address, 0)]
        start = len(blocks) - 1, 0, 0, 0, 0, blocks[0].address, ctypes.addressof(_crew.table)
        self._words = (ctypes.c_int64 * (_FIRST + len(others)))(*start, *others)
        self._address = ctypes.addressof(self._words)
        self._lead = _loaded(_LEAD)
        self._blocks = blocks

    def wake(self) -> bool:
        """Let members look for the blocks of a run to come; whether some did not."""
        return _crew.wake(len(self._blocks) - 1)

    @property
    def helped(self) -> bool:
        """Whether a member did something in the last run."""
        return self._words[_HELPED] != 0

    def run(self, go_on: Callable[[], None], close: Callable[[], None]) -> int:
        """Do the first block here, the others by members that look for work: 0, `FOUND` if a block has an outcome, and `LATE`
        if members were waited for, which had long work or no processor.

        `go_on` is called between two calls of the first; `close`, if that or a signal raises an exception, must let the
        functions end soon. No member does anything for the order after this.
        """
        words = self._words
        words[_POSTED] = 0
        try:
            self._lead(self._address)
            if not words[_RESULT]:
                return 0
            while self._blocks[0].words[STATE]:
                go_on()
                self._lead(self._address)
            late = LATE if words[_LATE] else 0
            while words[_LATE]:
                sleep(_NAP)
                self._lead(self._address)
        except BaseException:
            close()
            words[_LATE] = words[_POSTED]
            while words[_LATE]:
                with suppress(BaseException):  # another signal: the first is raised
                    self._lead(self._address)
                    sleep(_NAP)
            raise
        return late | (FOUND if words[_RESULT] else 0)
