"""What tests of kernels on other processors share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engines.arm import Machine, missing
from engines.threaded import EAGER
from lanewise.pica200.engine.llvm import running

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def short_runs_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs take as many threads as are asked for, which only long ones do otherwise."""
    for name, value in EAGER.items():
        monkeypatch.setattr(running, name, value)


@pytest.fixture(scope="module")
def arm_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """An Arm under qemu; the test is skipped where what it takes is not installed."""
    absent = missing()
    if absent:
        pytest.skip(absent)
    machine = Machine(tmp_path_factory.mktemp("arm"))
    yield machine
    machine.close()
