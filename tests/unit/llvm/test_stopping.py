"""Machine code that does not hold up signals: which exceptions leave, and what has ended then."""

from __future__ import annotations

import _thread
import ctypes
import threading

import pytest

from lanewise.llvm.sharing import shared
from lanewise.llvm.stopping import Stop, awaited

LIMIT = 300  # seconds after which work that nothing ends gives up, so that a failure is not a hang


def interrupt() -> None:
    """Ctrl-C, from another thread."""
    threading.Timer(0.05, _thread.interrupt_main).start()


def test_results_and_errors_come_back():
    assert awaited(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        awaited(lambda: 1 // 0)


def test_signals_are_handled_while_work_runs():
    going_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        going_on.wait(LIMIT)
        ended.set()

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        awaited(work)
    assert not ended.is_set()
    going_on.set()
    assert ended.wait(LIMIT)


def test_work_that_can_be_stopped_has_ended_before_the_exception_leaves():
    stop, ended = Stop(), threading.Event()

    def work() -> None:
        pause = threading.Event()
        while ctypes.c_int64.from_address(stop.address).value == 0:
            pause.wait(0.001)
        ended.set()

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        awaited(work, stop)
    assert ended.is_set()
    assert stop.requested
    stop.clear()
    assert not stop.requested
    assert ctypes.c_int64.from_address(stop.address).value == 0


def test_a_stop_requested_before_its_word_is_asked_for():
    stop = Stop()
    stop.set()
    assert ctypes.c_int64.from_address(stop.address).value == 1


def test_other_threads_wait_for_their_own_work():
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(awaited(threading.get_ident)))
    thread.start()
    thread.join(LIMIT)
    assert found == [thread.ident]


def test_an_interrupt_stops_the_work_of_all_threads():
    stop, running = Stop(), set[int]()

    def work(number: int) -> None:
        pause = threading.Event()
        running.add(number)
        try:
            while not stop.requested:
                pause.wait(0.001)
        finally:  # a helper may take the first piece, and the main thread, which is interrupted, another
            running.discard(number)

    def first(number: int) -> None:
        if number:
            work(number)
        else:
            awaited(lambda: work(number), stop)

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        list(shared(first, 3, 3, stop))
    assert not running
