"""What an editor or a loop over programs waits for: `check` of a 500-line source in 45 ms, the cycles of 500 instructions in 8
ms."""

from __future__ import annotations

import random
from typing import Any

from lanewise.pica200.api.checking import check_sources
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.text.reader import read_source_text

MOST_CHECK, MOST_TIME = 0.045, 0.008  # seconds
_HEAD = ".fvec k[4]\n.in a\n.in b\n.out pos position\n.out col color\n.proc main\n"


def _picasso(count: int) -> str:
    """A vertex shader whose results are all read."""
    rng = random.Random(5)
    lines = [f"mov r{n}, a" for n in range(8)]
    lines += [f"{rng.choice(('add', 'mul', 'max'))} r{n % 8}, k[{n % 4}], r{rng.randrange(8)}" for n in range(count - 10)]
    return _HEAD + "\n".join([*lines, "mov pos, r0", "mov col, r1", "end", ".end"]) + "\n"


def test_check_of_a_long_source(benchmark: Any):
    text = _picasso(500)
    benchmark(check_sources, [("long.v.pica", text)])
    if benchmark.stats:
        print(f"\ncheck: {benchmark.stats['min'] * 1000:.1f} ms (at most {MOST_CHECK * 1000:.0f})")
        assert benchmark.stats["min"] <= MOST_CHECK


def test_time_of_a_long_program(benchmark: Any):
    lines = [f"{('mul', 'add', 'rcp')[n % 3]} r{n % 7}.x, r{(n + 3) % 7}.x{', v0.x' * (n % 3 < 2)}" for n in range(500)]
    program = read_source_text("\n".join([*lines, "end"]), "bench.sc").program
    assert program is not None
    benchmark(time_program, program.insts, RTL)
    if benchmark.stats:
        print(f"\ntime: {benchmark.stats['min'] * 1000:.1f} ms (at most {MOST_TIME * 1000:.0f})")
        assert benchmark.stats["min"] <= MOST_TIME
