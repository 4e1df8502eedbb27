"""Steps that an engine makes when they are needed."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

import pytest

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.core.streaming import Stream
from lanewise.core.trace import Step, Trace, Value, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[[Callable[[Step], None]], None]

HEAD = Trace("toy", "a.toy", "lane 0", ())


def step(number: int) -> Step:
    return Step(
        number=number, address=number % 7, instruction="add r0", writes=(Write(register="r0", new=(Value(number, number),)),)
    )


def counting(count: int) -> Run:
    def run(emit: Callable[[Step], None]) -> None:
        for number in range(count):
            emit(step(number))

    return run


def test_steps_are_made_when_they_are_needed() -> None:
    stream = Stream(HEAD, counting(1_000_000))
    assert stream.made == 0
    assert stream.step(3) == step(3)
    assert stream.made == 64
    assert stream.step(1000) == step(1000)
    assert stream.made == 1024


def test_every_step_can_be_had_again_in_any_order() -> None:
    stream = Stream(HEAD, counting(5000))
    wanted = [4999, 0, 255, 256, 4999, *range(3000, 0, -97)]
    assert [stream.step(number) for number in wanted] == [step(number) for number in wanted]
    assert stream.step(5000) is None
    assert stream.made == 5000 and not stream.diagnostics


def test_without_threads_all_steps_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is in Pyodide."""

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    stream = Stream(HEAD, counting(600))
    assert stream.step(3) == step(3)
    assert stream.made == 600
    assert stream.step(599) == step(599) and stream.step(600) is None


def test_a_run_without_steps() -> None:
    assert Stream(HEAD, counting(0)).step(0) is None


def test_a_run_without_an_end_has_its_steps_and_the_finding() -> None:
    finding = Diagnostic(code="R305", severity=ERROR, message="more than 3 steps", span=Span(file="a.toy"))

    def run(emit: Callable[[Step], None]) -> None:
        counting(3)(emit)
        raise InputError([finding])

    stream = Stream(HEAD, run)
    assert stream.step(3) is None and stream.step(2) == step(2)
    assert stream.diagnostics == [finding]


def test_an_engine_that_fails_does_so_where_the_step_is_asked_for() -> None:
    def run(emit: Callable[[Step], None]) -> None:
        emit(step(0))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Stream(HEAD, run).step(1)


def test_a_stream_that_is_forgotten_ends_its_run() -> None:
    ended = threading.Event()

    def run(emit: Callable[[Step], None]) -> None:
        try:
            counting(1_000_000)(emit)
        finally:
            ended.set()

    stream = Stream(HEAD, run)
    stream.step(0)
    del stream
    gc.collect()
    assert ended.wait(60)


def test_a_million_steps_of_a_loop_are_small() -> None:
    stream = Stream(HEAD, counting(20_000))
    stream.step(19_999)
    size = sum(map(len, stream._channel._parts))  # pyright: ignore[reportPrivateUsage]
    assert size < 20_000 * 50  # bytes
