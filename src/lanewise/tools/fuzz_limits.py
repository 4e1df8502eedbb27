"""Options of every form of `lanewise fuzz`: how much it runs, where its findings go, and what ends it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.tools.console import STDIO, UsageError, reason

if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator
    from typing import NoReturn

MANY = 1 << 62  # programs of a run without a number of them
_AT_LEAST = {"programs": 1, "findings": 1, "workers": 1, "piece": 1, "first": 0}


def add_limits(
    parser: argparse.ArgumentParser, *, seed: str = "the seed of the programs (default: random)", findings: str = ""
) -> None:
    """Add the options. `findings` says what is counted by --findings; without it there are neither --first nor --findings."""
    parser.add_argument(
        "--minutes", type=float, metavar="N", help="time limit in minutes (default: 1, or none with --programs)"
    )
    parser.add_argument("--programs", type=int, metavar="K", help="number of programs (default: as many as the time allows)")
    parser.add_argument("--seed", type=int, metavar="S", help=seed)
    if findings:
        parser.add_argument(
            "--first", type=int, default=0, metavar="N", help="the number of the first program (default: %(default)s)"
        )
        parser.add_argument(
            "--findings", type=int, default=1, metavar="N", help=f"stop after N {findings} (default: %(default)s)"
        )
    parser.add_argument(
        "-o", "--output", default=".", metavar="DIR", help="the folder for the sources of findings (default: current folder)"
    )


def check_limits(options: argparse.Namespace) -> None:
    """Check those options of a command line that it has, and make the folder of findings. Raises UsageError."""
    if options.minutes is not None and not 0 < options.minutes < 1e6:
        raise UsageError("--minutes is a number above 0")
    for name, least in _AT_LEAST.items():
        value = getattr(options, name, None)
        if value is not None and value < least:
            raise UsageError(f"--{name} is at least {least}")
    if options.output == STDIO:
        raise UsageError("-o names a folder, not standard output")
    try:
        Path(options.output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"-o {options.output}: cannot create the folder: {reason(error)}") from None


def seconds_of(minutes: float | None, programs: int | None) -> float:
    """The time limit of a run: a minute without either, none with a number of programs alone."""
    if minutes is None:
        return 60.0 if programs is None else float("inf")
    return 60 * minutes


@contextmanager
def stoppable() -> Generator[None]:
    """SIGTERM is taken as Ctrl-C is: it raises KeyboardInterrupt."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def last_line(compared: int, differing: int) -> str:
    """The last line of a summary, for so many programs."""
    return f"{differing} differ" if differing else "no difference" if compared else "nothing was compared"
