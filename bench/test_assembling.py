"""Assembling in process: lines a second of 500 instructions beyond 2; the Python peer has 60,411 (aemstro)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from measuring import program

from lanewise.pica200.api.assembling import assemble_sources

if TYPE_CHECKING:
    from collections.abc import Callable

LINES_PER_SECOND = {"picasso": 150_000, "nihstro": 100_000}


def _best(text: str, dialect: str, repeat: int = 41) -> float:
    best = float("inf")
    for _ in range(repeat):
        start = time.thread_time()
        assert assemble_sources([("bench", text)], dialect=dialect).data is not None
        best = min(best, time.thread_time() - start)
    return best


def nihstro(instructions: int) -> str:
    """The same program in nihstro's language: each source has a component for each of the destination."""
    lines = [".alias pos o0 as position", "main:"]
    for line in program(instructions).split("\n"):
        name, _, operands = line.strip().partition(" ")
        if "," not in operands or name == ".out":
            continue
        first, *sources = operands.split(", ")
        register, _, mask = first.partition(".")
        if name == "dp4":
            mask, components = "x", "xyzw"
        else:
            components = mask = mask or "xyzw"
        lines.append(f"\t{name} {register}.{mask}, {', '.join([f'{source}.{components}' for source in sources])}")
    return "\n".join([*lines, "\tend", ""])


@pytest.mark.parametrize(("dialect", "write"), [("picasso", program), ("nihstro", nihstro)])
def test_500_instructions(benchmark: Any, dialect: str, write: Callable[[int], str]):
    text = write(500)
    benchmark(lambda: assemble_sources([("bench", text)], dialect=dialect))
    short, long = _best(write(2), dialect), _best(text, dialect)
    rate = 498 / (long - short)
    benchmark.extra_info["lines_per_second"] = round(rate)
    most = LINES_PER_SECOND[dialect]
    print(f"\nassembling {dialect}: {rate:,.0f} lines/s marginal (500 against 2 instructions), {rate / most:.2f} x {most:,}")


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
