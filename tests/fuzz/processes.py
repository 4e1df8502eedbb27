"""One mutant, one process: `python -m lanewise`, as users run it, with the checks of the harness."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

from fuzz.commands import OTHER_PROGRAMS
from fuzz.harness import CONTROL, CPU_SECONDS, MEMORY, WALL_SECONDS, Harness, prints_sources
from fuzz.servers import framed

if TYPE_CHECKING:
    from collections.abc import Sequence

_START = 3  # seconds of processor time for Python and its packages, which in one process are there
_SPACE = 1 << 30  # bytes of address space for them
_LANEWISE = ("-m", "lanewise")
_STREAMS = ("lsp", "dap")  # servers on standard input and output; the rest is a log


class Processes(Harness):
    """As `Harness`, with a process for each command line."""

    def _called(self, arguments: Sequence[str], stdin: bytes) -> tuple[int, str, str, str]:
        if arguments[0] == "serve":
            if arguments[1] not in _STREAMS:
                return super()._called(arguments, stdin)
            stdin = framed(*arguments[2:])
            arguments = arguments[1:2]
        program = OTHER_PROGRAMS.get(arguments[0])
        words = [*_LANEWISE, *arguments] if program is None else [*program, *arguments[1:]]
        before = _used()
        try:
            done = subprocess.run(
                [sys.executable, *words],
                input=stdin,
                capture_output=True,
                check=False,
                timeout=WALL_SECONDS,
                cwd=self.folder,
                preexec_fn=_limited,
            )
        except subprocess.TimeoutExpired:
            return 1, "", "", f"does not end within {WALL_SECONDS} s"
        printed = [stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr)]
        shown = printed[1] if prints_sources(arguments) else "".join(printed)
        if arguments[0] in _STREAMS:  # frames, in which JSON is for a program
            shown = CONTROL.sub("", printed[0])
        error = ""
        if _used() - before > CPU_SECONDS + _START:
            error = f"takes more than {CPU_SECONDS} s of processor time"
        elif done.returncode < 0:
            error = f"the process ends with {done.returncode}"
        return done.returncode, shown, "".join(printed), error


def _used() -> float:
    """Seconds of processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _limited() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + _SPACE, most))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS + _START + 1, CPU_SECONDS + _START + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


__all__ = ["Processes"]
