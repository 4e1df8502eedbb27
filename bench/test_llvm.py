"""The compiled engine on the seven cases of `lanewise bench`: ratios to plain float32, to the exact kernel and to the reference engine.

At most 3.2 times plain float32 while exact, and the exact kernel at most 8 times that; more than 1,000 times the reference engine.
"""

from __future__ import annotations

from typing import Any

import pytest

from lanewise.tools.bench_cases import CASES, BenchCase
from lanewise.tools.measure import Bench

TIMES_FLOAT32, TIMES_EXACT, TIMES_REFERENCE = 3.2, 8.0, 1000


@pytest.fixture(scope="module")
def measuring() -> Bench:
    return Bench("native", stream=False)


@pytest.mark.parametrize("profile", ["hardware", "rounding=nearest", "azahar"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: BenchCase, profile: str, measuring: Bench, benchmark: Any, judged: bool):
    found = benchmark.pedantic(lambda: measuring.measure(case, profile), rounds=1)
    floats, exact, reference = found.ns / found.float32_ns, found.exact_ns / found.ns, found.reference_ns / found.ns
    benchmark.extra_info |= found.to_json(1.0)
    print(f"\n{case.name}, {profile}: {floats:.2f} x float32, exact kernel {exact:.2f} x, reference engine {reference:,.0f} x")
    if judged:
        assert exact < TIMES_EXACT
        assert reference > TIMES_REFERENCE
        assert profile != "hardware" or floats < TIMES_FLOAT32
