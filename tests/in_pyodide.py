"""A pytest plug-in for Pyodide: `pytest --noconftest -p in_pyodide`. Tests that need what is not there are skipped, with a
line that says what.

A program compiled to WebAssembly has no processes, threads, pipes or devices, and here no packages with machine code. That
lanewise says so in a sentence is tested wherever NumPy can be hidden (`tests/unit/test_without_numpy.py`).
`tests/conftest.py` runs programs on both engines and cannot be loaded.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from effort import evenly
from lanewise.core import extras

if TYPE_CHECKING:
    from collections.abc import Generator

    from lanewise.core.diagnostics import Diagnostic

PACKAGES = frozenset(("PIL", "dask", "debugpy", "llvmlite", "moderngl", "nox", "numpy", "pytest_lsp", "resource", "trimesh"))
# What the system says where a test asks for more: class, text, name.
LACKING: tuple[tuple[type[Exception], str, str], ...] = (
    (AttributeError, r"module '(?:os|signal|socket)' has no attribute", "POSIX"),
    (RuntimeError, r"can't start new thread", "threads"),
    (OSError, r"does not support processes", "processes"),
)
# WebAssembly is slower than the machine.
settings.register_profile("pyodide", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=10)
settings.load_profile("pyodide")
_MISSING = re.compile(r"No module named '(\w+)")


_refused: list[str] = []  # libraries that a command has missed in the test that runs
_report = extras.library_missing


def _note(what: str, library: str = "numpy") -> Diagnostic:
    _refused.append(library)
    return _report(what, library)


extras.library_missing = _note


def lacking(error: BaseException, raised_in: str) -> str:
    """What a test needs that is not here, by what was raised in a file; empty for faults.

    lanewise itself asks whether the system has a function.
    """
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        return package if package in PACKAGES else ""
    if isinstance(error, AttributeError) and "/tests/" not in raised_in:
        return ""
    return next((name for kind, text, name in LACKING if isinstance(error, kind) and re.search(text, str(error))), "")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_of(n): of n cases of the test one runs, evenly spaced")


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    evenly(metafunc)


@pytest.fixture
def bless() -> bool:
    return False


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A module that imports such a package is skipped."""
    report = yield
    found = _MISSING.findall(str(report.longrepr)) if report.outcome == "failed" else []
    if found and found[-1] in PACKAGES:
        _skip(report, collector.path, found[-1])
    return report


def pytest_runtest_setup() -> None:
    _refused.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    needed = lacking(call.excinfo.value, str(call.excinfo.traceback[-1].path)) if call.excinfo is not None else ""
    if report.outcome == "failed" and _refused:  # a command has refused to go on, in a sentence
        needed = _refused[0]
    if needed:
        _skip(report, item.path, needed)
    return report


def _skip(report: pytest.CollectReport | pytest.TestReport, path: Path, needed: str) -> None:
    report.outcome = "skipped"
    report.longrepr = (str(path), 1, f"Skipped: it needs {needed}")
