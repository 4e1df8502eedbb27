"""Recordings: lazy, small, and at any step."""

from __future__ import annotations

import tracemalloc

from debugger_sessions import COUNTS, session
from lanewise.core.service import Request, SourceFile
from lanewise.debugger.recording import Recording
from lanewise.debugger.session import Session
from lanewise.packages import recognise

ENDLESS = """.fvec step
.in value v0
.out outpos position
.proc main
    mov r0, value
again:
    add r0, step, r0
    mul r1, r0, r0
    jmpu b0, again
    mov outpos, r0
    end
.end
"""


def endless() -> Session:
    return session(ENDLESS, input=("value=0,0,0,1",), uniform=("step=0.001,0,0,0", "b0=true"), budget=30_000)


def test_no_step_is_done_before_it_is_needed() -> None:
    s = endless()
    s.at(0)
    assert len(s.recording(0)) == 0
    s.step(0)
    assert len(s.recording(0)) <= 2


def test_a_long_run_takes_little_memory() -> None:
    s = endless()
    recording = s.recording(0)
    recording.extend(100)
    tracemalloc.start()
    recording.extend(30_000)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 200 MB for 10^6 steps is 200 bytes a step, states included; states get fewer as runs get longer
    assert used < 30_000 * 200, f"{used} bytes"


def test_states_are_thinned_and_every_step_is_still_reached() -> None:
    s = endless()
    recording = s.recording(0)
    recording.extend(30_000)
    values = {n: recording.at(n).read("r0.x") for n in (29_999, 3, 17_000, 16_999, 16_990, 0, 29_000)}
    again = endless().recording(0)
    for position in sorted(values):
        assert again.at(position).read("r0.x") == values[position]


def test_steps_back_are_as_cheap_as_forwards() -> None:
    """Counted in steps of the machine, so the load of the computer has no part in it."""
    s = endless()
    recording = s.recording(0)
    recording.extend(30_000)
    done = 0
    advance = recording.machine.advance

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(machine, name)

        def advance(self) -> int:
            nonlocal done
            done += 1
            return advance()

    machine = recording.machine
    recording.machine = Counting()  # type: ignore[assignment]
    recording.at(20_000)
    done = 0
    for position in range(20_000, 19_000, -1):
        recording.at(position)
    assert done < 2 * 1000


def test_descriptions_of_steps_agree_in_any_order() -> None:
    source = SourceFile("test.v.pica", COUNTS.encode(), "test.v.pica")
    request = Request("debug", (source,), {"input": ("value=1,2,3,4",), "uniform": ("rounds=5,0,1",)})
    match = recognise("test.v.pica", source.data)
    assert match is not None
    service = match.package.load(request).debug
    assert service is not None
    debuggee = service(request)
    forwards, mixed = Recording(debuggee.machine(0, {})), Recording(debuggee.machine(0, {}))
    steps = [forwards.step(n) for n in range(8)]
    assert [mixed.step(n) for n in (7, 0, 3, 4, 1)] == [steps[n] for n in (7, 0, 3, 4, 1)]
