"""Options of the test run, and both engines for all of it. `--bless` rewrites golden files; the diff is then reviewed."""

from __future__ import annotations

import gc
import os
import signal
import sys
from functools import wraps
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from effort import EXAMPLES, EXHAUSTIVE, evenly
from engines.both import lacks, same
from lanewise.core.engines import AUTO, LLVM, REFERENCE
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.run import Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from types import FrameType

    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.results import ShaderResult, Wiring

BEST_KERNELS = 16  # of so many programs, the best kernel of one is compared too
# A machine that is busy fails no test.
settings.register_profile(
    "lanewise",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=100 * EXAMPLES if EXHAUSTIVE else 40,
)
settings.load_profile("lanewise")
if not EXHAUSTIVE and hasattr(providers, "is_local_module_file"):
    # Hypothesis draws constants of our sources now and then. It reads all modules for them in each process (5 s where it has
    # no cache) and looks through all 20,000 for each new range of values.
    providers.is_local_module_file = lambda path: False  # type: ignore[assignment]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite golden files with what the program prints now")


def pytest_configure(config: pytest.Config) -> None:
    # Bytecode is kept, also where the environment asks for none: every worker and every program that a test starts would
    # compile all modules.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    gc.disable()  # until everything is collected: modules and tests stay
    config.addinivalue_line(
        "markers", "one_of(n): of n cases of the test one runs, evenly spaced; all of them in an exhaustive run"
    )
    signal.signal(signal.SIGINT, _interrupt)  # also where a shell has turned Ctrl-C off for what it runs in the background


_interrupted: list[int] = []


def _interrupt(number: int, frame: FrameType | None) -> None:
    _interrupted.append(number)
    signal.default_int_handler(number, frame)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Ctrl-C ends the whole run, also where a command that is tested has caught it and the test fails."""
    _interrupted.clear()
    try:
        return (yield)
    except Exception:
        if _interrupted:
            raise KeyboardInterrupt from None
        raise


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """All processors, where `-n` does not name a number. An option in `addopts` would be wrong usage with `-p no:xdist`."""
    if config.pluginmanager.hasplugin("xdist") and not hasattr(config, "workerinput"):
        if config.option.numprocesses is None:
            config.option.numprocesses = "auto"
        if config.option.numprocesses and config.option.dist == "no":
            config.option.dist = "worksteal"


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    evenly(metafunc)


def pytest_collection_finish() -> None:
    """Modules and tests are nothing that the garbage collector has to look at again and again: that took a sixth of the
    time."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.hookimpl
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker sends one message of a test that passes, the one that is counted, in place of six: they took 2 ms a test.

    Where somebody asks for more of each test than a dot, all are sent.
    """
    option = item.config.option
    if not hasattr(item.config, "workerinput") or option.verbose > 0 or option.durations is not None or option.xmlpath:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if not report.passed or report.when == "call":
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test logs goes from worker to main process as UTF-8: half a surrogate pair in it would end the run."""
    report = yield
    report.sections = [(name, text.encode(errors="backslashreplace").decode()) for name, text in report.sections]
    return report


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--bless"))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Machine code of the tests is kept apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANEWISE_CACHE", str(tmp_path_factory.mktemp("kernels")))
        yield


@pytest.fixture(scope="session", autouse=True)
def both_engines() -> Iterator[None]:
    """Every run of a vertex shader that does not ask for an engine runs on both, and they give the same bits.

    Quick kernels of all programs are compared, what arrays give before a kernel is there, and the best kernels
    of a sample. Runs that ask for an engine wait for their kernels; tests/engines/test_first.py is about those that do not.
    """
    run = Runner.run

    @wraps(run)
    def twice(
        runner: Runner,
        inputs: Inputs,
        uniforms: Uniforms,
        wirings: Sequence[Wiring],
        written: Iterable[int],
        budget: int,
        progress: Callable[[int, int], None] | None = None,
        engine: str = AUTO,
        threads: int = 1,
    ) -> ShaderResult:
        data = inputs, uniforms, wirings, written, budget
        if engine != AUTO:
            return run(runner, *data, progress, engine, threads)
        wanted = run(runner, *data, progress, REFERENCE)
        found = run(runner, *data, None, LLVM)
        same(wanted, found)
        others = [tiers.FIRST] if found.engine == LLVM and not found.faults else []
        if found.engine == LLVM and (EXHAUSTIVE or crc32(repr(runner.words).encode()) % BEST_KERNELS == 0):
            others.append(tiers.BEST)
        for tier in others:
            runner.compiled.tier = tier
            same(wanted, run(runner, *data, None, LLVM))
            runner.compiled.tier = tiers.AUTO
        return wanted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runner, "run", twice)
        patch.setattr(Compiled, "lacks", lacks)
        yield
