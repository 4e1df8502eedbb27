"""`python -m lanewise`, and the functions of the scripts `lanewise` and `lanewise-picasso`: a command that is a process.

A process that assembles a small shader spends most of its time on Python's start and end (bench/test_startup.py).
"""

from __future__ import annotations

import gc
import os
import sys
from atexit import _run_exitfuncs as run_exit_functions  # pyright: ignore[reportPrivateUsage]

from lanewise.importing import install

TYPE_CHECKING = False  # as in core.record

if TYPE_CHECKING:
    from typing import NoReturn

# What a start creates stays: to look for garbage after each 700 new objects costs a tenth of the time of `lanewise asm`, a
# sixth of `check`.
_COLLECT_AFTER = 100_000


def lanewise() -> NoReturn:
    """Run `lanewise` and end the process; `lanewise-picasso` for a link to it that is named picasso, as Makefiles call it."""
    if sys.argv[0].replace("\\", "/").rpartition("/")[2].lower() in ("picasso", "picasso.exe"):
        picasso()
    _prepare()
    try:
        from lanewise.tools.cli import main
    except KeyboardInterrupt:
        _interrupted("lanewise")
    finish(main())


def picasso() -> NoReturn:
    """Run `lanewise-picasso` and end the process."""
    _prepare()
    try:
        from lanewise.tools.picasso import main
    except KeyboardInterrupt:
        _interrupted("lanewise-picasso")
    finish(main())


def _prepare() -> None:
    gc.set_threshold(_COLLECT_AFTER)
    install()


def _interrupted(name: str) -> NoReturn:
    """End with the message and exit code of a command that Ctrl-C ends (`console.guarded`), before that is there."""
    print(f"{name}: error: interrupted", file=sys.stderr)
    sys.exit(130)


def finish(code: int) -> NoReturn:
    """End the process without taking the interpreter apart, which is a tenth of the time of a short command: its memory goes
    back as a whole.

    Exit functions run. A profiler needs the interpreter's own end, and so does a thread that it would wait for.
    """
    if not _needs_interpreter():
        run_exit_functions()
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # the interpreter reports it
        else:
            os._exit(code)
    sys.exit(code)


def _needs_interpreter() -> bool:
    threading = sys.modules.get("threading")
    profiler = "_lsprof" in sys.modules  # since Python 3.12 `getprofile` does not tell of it
    watched = sys.getprofile() or sys.gettrace() or profiler or sys.flags.dev_mode
    if watched or threading is None:
        return bool(watched)
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


if __name__ == "__main__":
    lanewise()
