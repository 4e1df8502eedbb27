"""Threads that wait in machine code: when they sleep, and what becomes of them at signals, in forks, and at the end."""

from __future__ import annotations

import _thread
import ctypes
import multiprocessing
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from crews import PLACES, Counted, own_crew
from lanewise.llvm import crew
from lanewise.llvm.crew import BUSY, Order
from lanewise.llvm.division import Division, Taker
from lanewise.llvm.stopping import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.llvm.crew import Member


@pytest.fixture
def members(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Member]]:
    with own_crew(monkeypatch) as found:
        yield found


class Two:
    """Runs of a hundred vectors in two threads."""

    def __init__(self, *, awaited: int | None = None) -> None:
        """The member waits for the word at an address, or for the word that ends kernels."""
        self.stop = Stop()
        self.kernel = kernel = Counted(100)
        self.division = Division(PLACES, 100, 2, 10, self.stop)
        self._arguments = kernel.arguments(), kernel.arguments(awaits=awaited or self.stop.address)
        addresses = map(ctypes.addressof, self._arguments)
        self.takers = [Taker(self.division, kernel.entry, at, 1000, back=n > 0) for n, at in enumerate(addresses)]
        self.order = Order(self.takers)

    def run(self, *, wakes: bool = True) -> None:
        if wakes:
            self.order.wake()
        self._arguments[0][5] = 0  # the vector before which the kernel of this thread stops once
        self.division.begin()
        self.order.run(self._go_on, self.division.close)

    def _go_on(self) -> None:
        """Give the member time to begin, then do the rest of the range."""
        end = time.monotonic() + 0.1
        while self.takers[1].words[BUSY] == 1 and time.monotonic() < end:
            time.sleep(0.0001)
        words = self._arguments[0]
        words[0], words[5] = words[2], -1
        self.kernel.run(ctypes.addressof(words))

    def run_until_helped(self) -> None:
        self.run()
        while not self.order.helped:
            self.run()


def test_members_fall_asleep_and_are_woken(members: list[Member]):
    one = ctypes.c_int64(1)
    two = Two(awaited=ctypes.addressof(one))
    for _ in range(3):
        two.run_until_helped()
        (member,) = members
        while not member.asleep:  # a moment after the work
            time.sleep(0.001)
    assert len(set(two.kernel.table)) == 1


def test_a_member_that_sleeps_is_not_waited_for(members: list[Member]):
    one = ctypes.c_int64(1)
    two = Two(awaited=ctypes.addressof(one))
    two.run_until_helped()
    while not members[0].asleep:
        time.sleep(0.001)
    two.run(wakes=False)
    assert not two.order.helped


def test_members_are_woken_for_long_runs_and_for_those_that_follow_each_other(members: list[Member]):
    assert crew.pays(1.0, 200e-6, 1)
    assert [crew.pays(now, 50e-6, 1) for now in (2.0, 3.0, 4.0)] == [False] * 3
    answers: list[bool] = []
    for number in range(4):
        crew.over(5.0 + 1e-4 * number, 50e-6, late=False)
        answers.append(crew.pays(5.0001 + 1e-4 * number, 50e-6, 1))
    assert answers == [False, False, True, True]
    crew.over(6.0, 50e-6, late=False)
    assert not crew.pays(6.001, 50e-6, 1)
    crew.over(7.0, 50e-6, late=False)
    assert crew.pays(7.001, 50e-6, 10), "of ten runs each began soon after the one before"


def test_after_members_were_late_they_are_not_asked_for_a_while(members: list[Member]):
    assert not crew.rests(1.0)
    crew.over(1.0, 1e-4, late=True)
    assert crew.rests(1.0003)
    assert not crew.rests(1.0005)
    for _ in range(9):
        crew.over(2.0, 1e-4, late=True)
    assert crew.rests(2.0199)
    assert not crew.rests(2.0201), "20 milliseconds at most"
    for _ in range(20):
        crew.over(3.0, 1e-4, late=False)
    crew.over(4.0, 1e-4, late=True)
    assert not crew.rests(4.0005)


def test_a_signal_while_a_member_is_waited_for(members: list[Member]):
    """Its kernel waits for the word that ends it, and Ctrl-C sets that."""
    two = Two()

    def interrupt() -> None:
        while two.takers[1].words[BUSY] != 2:
            time.sleep(0.001)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        two.run_until_helped()
        time.sleep(600)
    thread.join()
    assert two.stop.requested
    assert two.takers[1].words[BUSY] == 0


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_members_of_its_own(members: list[Member]):
    one = ctypes.c_int64(1)
    two = Two(awaited=ctypes.addressof(one))
    two.run_until_helped()
    process = multiprocessing.get_context("fork").Process(target=two.run_until_helped)
    process.start()
    process.join(300)
    hung = process.is_alive()
    process.kill()
    assert not hung
    assert process.exitcode == 0


def test_members_end_with_the_process():
    """One that looks for work executes code that the process is about to free."""
    code = """
from lanewise.llvm import crew
crew._crew.most = 2
crew._AT_FIRST = 1 << 50
crew._crew.table = (crew.ctypes.c_int64 * 3)()
crew._crew.wake(2)
print(*[t.name for t in crew.threading.enumerate()][1:], flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr, done.returncode) == ("lanewise lanewise\n", "", 0)
