"""Options of the test run. `--bless` rewrites golden files; the diff is then reviewed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite golden files with what the program prints now")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--bless"))


@pytest.fixture(autouse=True, scope="session")
def kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Kernels that tests compile are kept in a folder of this run, not in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANEWISE_CACHE", str(tmp_path_factory.mktemp("kernels")))
        yield
