"""Assembling in process: at least 60,000 lines a second marginal, the figure of the Python peer (aemstro 60,411; nihstro 14,880)."""

from __future__ import annotations

import time
from typing import Any

from measuring import program

from lanewise.pica200.api.assembling import assemble_sources

LINES_PER_SECOND = 60_000


def _best(text: str, repeat: int = 41) -> float:
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        assert assemble_sources([("bench.v.pica", text)]).data is not None
        best = min(best, time.perf_counter() - start)
    return best


def test_500_instructions(benchmark: Any):
    text = program(500)
    benchmark(lambda: assemble_sources([("bench.v.pica", text)]))
    short, long = _best(program(2)), _best(text)
    rate = 498 / (long - short)
    benchmark.extra_info["lines_per_second"] = round(rate)
    benchmark.extra_info["times_the_figure"] = round(rate / LINES_PER_SECOND, 2)
    print(
        f"\nassembling: {rate:,.0f} lines/s marginal (500 against 2 instructions), {rate / LINES_PER_SECOND:.1f} x the required 60,000"
    )


def test_disassembling_100_words(benchmark: Any):
    """Disassembling assembles again to prove its answer: a few times the cost of assembling."""
    from lanewise.pica200.api.disassembling import disassemble
    from lanewise.pica200.container.read import read_shbin

    text = program(98)
    data = assemble_sources([("bench.v.pica", text)]).data
    assert data is not None
    shbin, _ = read_shbin(data, "bench.shbin")
    assert shbin is not None
    benchmark(lambda: disassemble(shbin, "bench", data))
