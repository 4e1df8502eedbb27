"""`lanewise run --timeout`: a run that takes longer ends with an error, and nothing is written."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from engines.interrupted import ENDLESS, LOOPS, YEARS
from lanewise.tools import cli, timeout
from lanewise.tools.timeout import TimeLimitExceeded, time_limit

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

LIMITS: list[Callable[[float], AbstractContextManager[None]]] = [timeout._interrupt]  # pyright: ignore[reportPrivateUsage]
if hasattr(signal, "setitimer"):
    LIMITS.append(time_limit)


def never_ends() -> None:
    pause = threading.Event()
    while True:
        pause.wait(0.01)


@pytest.mark.parametrize("limit", LIMITS)
def test_work_that_takes_longer(limit: Callable[[float], AbstractContextManager[None]]):
    with pytest.raises(TimeLimitExceeded), limit(0.05):
        never_ends()


@pytest.mark.parametrize("limit", LIMITS)
def test_work_that_discards_the_first_exception(limit: Callable[[float], AbstractContextManager[None]]):
    discarded: list[BaseException] = []
    with pytest.raises(TimeLimitExceeded), limit(0.05):
        try:
            never_ends()
        except (TimeLimitExceeded, KeyboardInterrupt) as error:
            discarded.append(error)
        never_ends()
    assert discarded


@pytest.mark.parametrize("limit", [*LIMITS, time_limit])
def test_work_that_takes_less(limit: Callable[[float], AbstractContextManager[None]]):
    handler = signal.getsignal(signal.SIGINT)
    with limit(1000.0):
        pass
    assert signal.getsignal(signal.SIGINT) is handler
    if hasattr(signal, "setitimer"):
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_no_limit():
    with time_limit(None):
        pass


def test_an_interrupt_is_not_the_limit():
    with pytest.raises(KeyboardInterrupt), timeout._interrupt(1000.0):  # pyright: ignore[reportPrivateUsage]
        raise KeyboardInterrupt


@pytest.mark.parametrize("engine", [("llvm",), ("llvm", "--threads", "2"), ("reference",)])
def test_a_run_that_takes_longer(engine: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, out = tmp_path / "x.v.pica", tmp_path / "out.npz"
    source.write_text(ENDLESS)
    out.write_bytes(b"before")
    options = ["-i", "place=1,2,3,4", "-u", "one=1,1,1,1", "-u", "again=true", "--budget", str(YEARS), "--count", "500"]
    assert cli.main(["run", str(source), *options, "--engine", *engine, "-o", str(out), "--timeout", "0.2"]) == 1
    found = capsys.readouterr()
    assert found.err == "lanewise run: error: it took longer than 0.2 s and was ended: raise --timeout, or give it less to do\n"
    assert found.out == ""
    assert out.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.npz", "x.v.pica"]


def test_a_run_of_another_instruction_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "x.vsa"
    source.write_text(LOOPS)
    assert (
        cli.main(["run", str(source), "-i", "position=1,2,3,4", "--turns", str(YEARS), "--engine", "llvm", "--timeout", "0.2"])
        == 1
    )
    assert "it took longer than 0.2 s" in capsys.readouterr().err


def test_a_run_that_takes_less(tmp_path: Path):
    source = tmp_path / "x.vsa"
    source.write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert cli.main(["run", str(source), "-i", "position=1,2,3,4", "--timeout", "1000"]) == 0


LONG = {
    "compile x.vsa": "compile.match_of",
    "diff x.vsa x.vsa": "diff.sources_of",
    "opt x.vsa": "opt.load_for",
    "run x.vsa": "run.load",
    "time x.vsa": "time.load_for",
    "translate x.vsa": "translate.load",
    "vectors pica200 -o out": "vectors._written",
}


@pytest.mark.parametrize("line", LONG)
def test_every_long_command_has_the_limit(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    def endless(*_: object) -> None:
        never_ends()

    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    monkeypatch.setattr(f"lanewise.tools.{LONG[line]}", endless)
    assert cli.main([*line.split(), "--timeout", "0.05"]) == (2 if line.startswith("diff") else 1)
    out, err = capsys.readouterr()
    late = "it took longer than 0.05 s and was ended: raise --timeout, or give it less to do"
    assert (out, err) == ("", f"lanewise {line.split(maxsplit=1)[0]}: error: {late}\n")
    if hasattr(signal, "setitimer"):
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_an_interrupt_that_became_another_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """NumPy's import makes an ImportError of it."""

    def imported(*_: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise ImportError("PyCapsule_Import could not import module")

    monkeypatch.setattr("lanewise.tools.time.load_for", imported)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert cli.main(["time", "x.vsa"]) == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "lanewise time: error: interrupted\n"


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "nan", "inf", "1e7"])
def test_wrong_limits(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "x.vsa"
    source.write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    assert cli.main(["run", str(source), "-i", "position=1,2,3,4", f"--timeout={text}"]) == 2
    assert f"--timeout is '{text}', expected 0.001 to 1,000,000 seconds" in capsys.readouterr().err
