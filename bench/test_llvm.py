"""The compiled engine on the seven cases of `lanewise bench`: ratios to plain float32, to the exact kernel and to the reference
engine.

At most 3.2 times plain float32 while exact toward zero, and the exact kernel at most 10 times that; more than 1,000 times the
reference engine; at most so many times the floor (`lanewise bench --help`) as `TIMES_FLOOR` has.
"""

from __future__ import annotations

from typing import Any

import pytest

from lanewise_bench.cases import CASES, BenchCase
from lanewise_bench.measure import Bench

TIMES_FLOAT32, TIMES_EXACT, TIMES_REFERENCE = 3.2, 10.0, 1000
TIMES_FLOOR = {"hardware": 2.2, "rounding=nearest": 2.0, "azahar": 2.2}


@pytest.fixture(scope="module")
def measuring() -> Bench:
    return Bench("native", stream=False)


@pytest.mark.parametrize("profile", ["hardware", "rounding=nearest", "azahar"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: BenchCase, profile: str, measuring: Bench, benchmark: Any, judged: bool):
    found = benchmark.pedantic(lambda: measuring.measure(case, profile), rounds=1)
    floats, exact, reference = found.ns / found.float32_ns, found.exact_ns / found.ns, found.reference_ns / found.ns
    benchmark.extra_info |= found.to_json(1.0)
    times = found.ns / found.floors.floor
    print(
        f"\n{case.name}, {profile}: {floats:.2f} x float32, exact kernel {exact:.2f} x, reference engine {reference:,.0f} x;"
        f" {times:.2f} x its floor, {found.ns / found.floors.emitting:.2f} x that of the code"
    )
    if judged:
        assert exact < TIMES_EXACT
        assert reference > TIMES_REFERENCE
        assert times < TIMES_FLOOR[profile]
        assert profile != "hardware" or floats < TIMES_FLOAT32
