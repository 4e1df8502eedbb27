"""Assembling in process: lines a second of 500 instructions beyond 2; the Python peer has 60,411 (aemstro)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from lanewise.pica200.api.assembling import assemble_sources
from measuring import program

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


# Of a source of many lines: in the head of the program or its body, and the line.
MANY: dict[str, tuple[str, bool, Callable[[int], str]]] = {
    "picasso comments": ("picasso", False, lambda i: f"; comment {i}"),
    "picasso aliases": ("picasso", True, lambda i: f".alias n{i} c{i % 90}"),
    "picasso constants": ("picasso", True, lambda i: f".constf k{i}({i}.0, 0.0, 0.0, 0.0)"),
    "picasso too long": ("picasso", False, lambda i: f"\tadd r{i % 16}, c{i % 90}, r{i % 7}"),
    "nihstro comments": ("nihstro", False, lambda i: f"// comment {i}"),
    "nihstro aliases": ("nihstro", True, lambda i: f".alias n{i} c{i % 90}"),
    "nihstro constants": ("nihstro", True, lambda i: f".alias k{i} c{i % 96} as ({i}.0, 0.0, 0.0, 0.0)"),
    "nihstro too long": ("nihstro", False, lambda i: f"\tadd r{i % 16}.x, c{i % 90}.x, r{i % 7}.x"),
}


def many(name: str, lines: int) -> tuple[str, str]:
    """A source with so many lines of a kind, and its language."""
    dialect, head, line = MANY[name]
    text = "\n".join([line(i) for i in range(lines)])
    above, below = (text, "") if head else ("", text)
    if dialect == "picasso":
        return f".out pos position\n{above}\n.proc main\n{below}\n\tmov pos, r0\n\tend\n.end\n", dialect
    return f".alias pos o0 as position\n{above}\nmain:\n{below}\n\tmov pos, r0\n\tend\n", dialect


@pytest.mark.parametrize("name", MANY)
def test_100_000_lines(name: str):
    """Time grows as lines do (tests/unit/pica200/text/test_linear.py counts calls); more than the hardware has is refused after
    the last line."""
    took: dict[int, float] = {}
    for lines, repeat in ((10_000, 3), (100_000, 1)):
        text, dialect = many(name, lines)
        for _ in range(repeat):
            start = time.thread_time()
            assemble_sources([("bench", text)], dialect=dialect)
            took[lines] = min(took.get(lines, float("inf")), time.thread_time() - start)
    few, most = (took[lines] / lines * 1e6 for lines in (10_000, 100_000))
    print(f"\n{name}: 10,000 lines {few:.2f} us each, 100,000 {most:.2f} us each")


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
