"""Direct3D 9 shaders: decoding at least 300,000 tokens a second, disassembling and checking at least 100,000 and 50,000
instructions a second."""

from __future__ import annotations

import random
from typing import Any

from lanewise.direct3d9.api.checking import check_shader
from lanewise.direct3d9.api.disassembling import disassemble_shader
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.program import Shader, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME, BY_VERSION_NAME, CONST, INPUT, TEMP

TOKENS_A_SECOND = 300_000
DISASSEMBLED_A_SECOND = 100_000  # instructions
CHECKED_A_SECOND = 50_000


def _asserted(benchmark: Any, count: int, least: int, what: str) -> None:
    if benchmark.stats:
        rate = count / benchmark.stats["min"]
        print(f"\n{what}: {rate:,.0f}/s (at least {least:,})")
        assert rate >= least


def _words(count: int) -> list[int]:
    """A vs_2_0 program with the mix of instructions that games have."""
    rng = random.Random(9)
    version = BY_VERSION_NAME["vs_2_0"]
    names = rng.choices(("mul", "mov", "dp4", "mad", "dp3", "add"), (9, 8, 7, 6, 5, 3), k=count)
    insts = [
        make_inst(
            BY_NAME[name],
            version,
            make_dest(TEMP, rng.randrange(12)),
            tuple(make_source(rng.choice((TEMP, INPUT, CONST)), rng.randrange(12)) for _ in BY_NAME[name].sources),
        )
        for name in names
    ]
    return Shader(version=version, items=tuple(insts)).words


def test_decode(benchmark: Any):
    words = _words(4000)
    benchmark(read_stream, words)
    _asserted(benchmark, len(words), TOKENS_A_SECOND, "decode, tokens")


def test_disassemble(benchmark: Any):
    """A shader of 80 instructions, the median of shaders of games; the names of operands are known from the shaders before
    it."""
    shader = read_stream(_words(80)).shader
    assert shader is not None
    benchmark(disassemble_shader, shader)
    _asserted(benchmark, 80, DISASSEMBLED_A_SECOND, "dis, instructions")


def test_check(benchmark: Any):
    shader = read_stream(_words(80)).shader
    assert shader is not None
    benchmark(check_shader, shader, "bench")
    _asserted(benchmark, 80, CHECKED_A_SECOND, "check, instructions")
