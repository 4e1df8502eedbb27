"""Decoding Direct3D 9 shaders: at least 300,000 tokens a second."""

from __future__ import annotations

import random
from typing import Any

from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.program import Shader, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME, BY_VERSION_NAME, CONST, INPUT, TEMP

TOKENS_A_SECOND = 300_000


def _words(count: int) -> list[int]:
    """A vs_2_0 program with the mix of instructions that games have."""
    rng = random.Random(9)
    version = BY_VERSION_NAME["vs_2_0"]
    names = rng.choices(("mul", "mov", "dp4", "mad", "dp3", "add"), (9, 8, 7, 6, 5, 3), k=count)
    insts = [
        make_inst(
            BY_NAME[name], version, make_dest(TEMP, rng.randrange(12)),
            tuple(make_source(rng.choice((TEMP, INPUT, CONST)), rng.randrange(12)) for _ in BY_NAME[name].sources),
        )
        for name in names
    ]  # fmt: skip
    return Shader(version, tuple(insts)).words


def test_decode(benchmark: Any):
    words = _words(4000)
    benchmark(read_stream, words)
    if benchmark.stats:
        rate = len(words) / benchmark.stats["min"]
        print(f"\ndecode: {rate:,.0f} tokens/s (at least {TOKENS_A_SECOND:,})")
        assert rate >= TOKENS_A_SECOND
