"""Pieces of work among threads: order, who does them, and what is left running when one fails."""

from __future__ import annotations

import multiprocessing
import threading
import time

import pytest

from lanewise.llvm.sharing import shared


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 40])
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
