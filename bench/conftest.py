"""Fixtures of the benchmarks."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture
def python() -> str:
    return sys.executable


@pytest.fixture
def judged(request: pytest.FixtureRequest) -> bool:
    """Whether times are judged: not where nothing is measured (`--benchmark-disable`), as in CI."""
    return not request.config.getoption("benchmark_disable", default=False)
