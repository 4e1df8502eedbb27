"""The reference engine, in microseconds an instruction: it is meant to be right, the compiled engine to be fast."""

from __future__ import annotations

from typing import Any

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.engine.reference import Reference
from measuring import program

ZERO = (0, 0, 0, 0)


def test_100_instructions(benchmark: Any):
    result = assemble_sources([("bench.v.pica", program(98))])
    reference = Reference(result.encoded.words, result.encoded.descriptors, 0)
    floats = [(0x3F0000 + 0x123 * n, 0x3E8000, 0x3D0000 + n, 0x3F0000) for n in range(96)]
    lane = benchmark(lambda: reference.run({}, floats, [ZERO] * 4, [False] * 16))
    assert lane.fault is None
    if benchmark.stats:
        print(f"\nreference engine: {benchmark.stats['median'] / 100 * 1e6:.1f} us an instruction")
