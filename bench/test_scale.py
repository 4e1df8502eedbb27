"""Random programs in a second, and what a campaign adds to each piece (docs/scale.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lanewise.distributed import Campaign, Outcome
from lanewise.distributed.campaign import Inline, run
from lanewise.distributed.fuzzing import piece, pool_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAMS, PIECES = 32, 200


def nothing(options: Mapping[str, object], first: int, count: int) -> Outcome:
    return Outcome({"items": count})


@pytest.mark.parametrize("target", ["pica200", "direct3d9", "shadercore"])
def test_random_programs(benchmark: Any, target: str):
    options = {"target": target, "seed": 5, "level": "native", "findings": 1}
    found = benchmark.pedantic(piece, (options, 0, PROGRAMS), rounds=3, warmup_rounds=1)
    assert found.counts["programs"] == PROGRAMS
    if benchmark.stats:
        print(f"\n{target}: {PROGRAMS / benchmark.stats['min']:.1f} programs a second")


def test_pieces_of_no_work(benchmark: Any):
    """In this process: what is left when no scheduler has to be asked."""
    one = Campaign(work=f"{__name__}:nothing", options={}, first=0, last=PIECES, size=1)
    assert benchmark(lambda: run(one, Inline()).pieces) == PIECES


def test_pieces_of_no_work_on_a_worker(benchmark: Any):
    pytest.importorskip("distributed")
    one = Campaign(
        work="lanewise.distributed.functions:compare", options={"function": "rcp", "profile": {}}, first=0, last=PIECES, size=1
    )
    with pool_of(None, 1) as pool:
        assert benchmark.pedantic(lambda: run(one, pool).pieces, rounds=2, warmup_rounds=1) == PIECES
