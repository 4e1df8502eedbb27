"""Pieces of work among threads: order, who does them, and what is left running when one fails."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from lanewise.llvm import sharing
from lanewise.llvm.sharing import Job, shared
from lanewise.llvm.stopping import Stop
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable


@together("threads", [0, 1, 2, 3, 9])
@together("count", [0, 1, 2, 5, 40])
def test_results_are_in_order(count: int, threads: int):
    assert list(shared(lambda number: number * number, count, threads)) == [number * number for number in range(count)]


def test_no_more_threads_than_asked_for_and_the_one_that_asks_is_among_them():
    at_once: list[int] = []
    running: set[int] = set()
    who: set[int] = set()
    several = threading.Event()

    def work(number: int) -> int:
        running.add(number)
        at_once.append(len(running))
        who.add(threading.get_ident())
        if len(who) > 1:
            several.set()
        several.wait(600)
        time.sleep(0.002)
        running.discard(number)
        return number

    assert list(shared(work, 30, 3)) == list(range(30))
    assert max(at_once) <= 3
    assert threading.get_ident() in who
    assert 2 <= len(who) <= 3


def test_helpers_that_end_another_run_come_too():
    threads = max(3, os.cpu_count() or 1) + 1
    busy = threading.Barrier(threads + 1)
    free, helped = threading.Event(), threading.Event()
    asking = threading.get_ident()

    def held(number: int) -> int:
        busy.wait(60)
        free.wait(60)
        return number

    def work(number: int) -> int:
        if threading.get_ident() == asking:
            free.set()  # no helper was idle when this run began
            return helped.wait(60)
        helped.set()
        return True

    other = threading.Thread(target=lambda: list(shared(held, threads, threads)))
    other.start()
    busy.wait(60)
    assert list(shared(work, 2, 2)) == [True, True]
    other.join(60)


@pytest.mark.parametrize("wrong", [0, 1, 7])
def test_after_a_failure_nothing_runs(wrong: int):
    running: set[int] = set()

    def work(number: int) -> int:
        running.add(number)
        time.sleep(0.002)
        running.discard(number)
        if number == wrong:
            raise RuntimeError(f"number {number}")
        return number

    with pytest.raises(RuntimeError, match=f"number {wrong}"):
        list(shared(work, 12, 4))
    assert not running


def test_after_a_failure_of_the_thread_that_asks_nothing_runs():
    """At the end of the `with` block it does pieces too: what it raises there, Ctrl-C for one, ends the helpers."""
    begun, ended, stop = threading.Event(), threading.Event(), Stop()
    after: list[int] = []

    def work(number: int) -> None:
        if threading.current_thread() is threading.main_thread():
            begun.wait(600)
            raise KeyboardInterrupt
        begun.set()
        if ended.is_set():
            after.append(number)
        while not stop.requested:
            time.sleep(0.001)

    with pytest.raises(KeyboardInterrupt), Job(work, iter(range(50)), stop) as job:
        job.begin(1)
    ended.set()
    assert stop.requested
    assert len(job.results) <= 1
    list(shared(abs, 2, 2))  # the helper is there for others
    assert not after


def test_whoever_stops_asking_leaves_nothing_running():
    running: set[int] = set()

    def work(number: int) -> int:
        running.add(number)
        time.sleep(0.002)
        running.discard(number)
        return number

    asked = shared(work, 12, 4)
    assert next(asked) == 0
    asked.close()
    assert not running


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    assert sum(shared(abs, 5, 3)) == 10
    process = multiprocessing.get_context("fork").Process(target=_sum_in_threads)
    process.start()
    process.join(300)
    hung = process.is_alive()
    process.kill()
    assert not hung
    assert process.exitcode == 0


def _sum_in_threads() -> None:
    assert sum(shared(abs, 5, 3)) == 10


def test_nobody_waits_for_a_thread_that_does_not_come(monkeypatch: pytest.MonkeyPatch):
    """The one that asks does the work; a helper that comes when all is done does nothing."""
    late: list[Callable[[], None]] = []

    def begin(work: Callable[[], None], helpers: int) -> None:
        late.extend([work] * helpers)

    monkeypatch.setattr(sharing, "_begin", begin)
    done: list[int] = []
    assert list(shared(done.append, 5, 3)) == [None] * 5
    assert len(late) == 2
    for work in late:
        work()
    assert done == [0, 1, 2, 3, 4]


def test_pieces_of_any_kind():
    """Results are by piece; what a helper raises is raised where the job was begun."""
    pieces = [(0, 3), (3, 5), (5, 9)]
    with Job(lambda piece: piece[1] - piece[0], iter(pieces)) as job:
        job.begin(2)
    assert job.results == {(0, 3): 3, (3, 5): 2, (5, 9): 4}

    def fail_elsewhere(number: int) -> int:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("elsewhere")
        failed.wait(0.2)
        return number

    failed = threading.Event()
    with pytest.raises(RuntimeError, match="elsewhere"), Job(fail_elsewhere, iter(range(10**6))) as other:
        other.begin(1)


def test_threads_end_with_the_process():
    code = """
import threading
from lanewise.llvm.sharing import shared
event = threading.Event()
list(shared(lambda n: event.set() if threading.current_thread() is not threading.main_thread() else event.wait(60), 2, 2))
print([t.name for t in threading.enumerate() if t.name == "lanewise"], flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout == "['lanewise']\n"
    assert done.stderr == ""
