"""Processes of compilers of other projects, under limits of time, memory and room."""

from __future__ import annotations

import math
import os
import subprocess
import time
from pathlib import Path

from lanewise.core import events
from lanewise.core.files import head, read
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import decode_text
from lanewise.core.writing import open_new

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY = 4 << 30  # bytes of addresses: Slang's library alone maps 1 GiB
ROOM = 64 << 20  # bytes of a file that a process writes; the largest module has some MiB
_SAID = 1 << 20  # bytes of messages that are read
_MESSAGES = "messages.txt"
_POLL = 0.05  # seconds


class Ran(Record):
    """A process that has ended: its exit code, what it printed, its folder; `stopped` says which limit it was over, if one."""

    code: int
    text: str
    folder: str
    stopped: str = ""

    @property
    def failed(self) -> bool:
        return self.code != 0 and not self.stopped

    def read(self, name: str) -> bytes | None:
        """A file that it has written in its folder; None if there is none, or a large one."""
        try:
            return read(Path(self.folder, name), "binary")
        except OSError:
            return None


def run(command: Sequence[str], folder: str, output: str, limit: float) -> Ran:
    """Run a process in a folder, where it writes `output`, for at most so many seconds.

    Linux limits its memory, its processor time and its files, as well; elsewhere the files are looked at while it runs. Raises
    OSError if it cannot be started.
    """
    place, stopped = Path(folder, _MESSAGES), ""
    end = time.monotonic() + limit
    with (
        open_new(place) as messages,
        subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=messages, stderr=subprocess.STDOUT) as process,
    ):
        try:
            limit_process(process.pid, limit)
            while not stopped:
                try:
                    process.wait(max(0.0, min(_POLL, end - time.monotonic())))
                    break
                except subprocess.TimeoutExpired:
                    if time.monotonic() >= end:
                        stopped = f"did not end within {limit:g} s"
                    elif max(_size(place), _size(Path(folder, output))) > ROOM:
                        stopped = f"wrote more than {ROOM >> 20} MiB"
        finally:  # after Ctrl-C, too: the process does not outlive the command
            process.kill()
            process.wait()
    text = decode_text(head(place, _SAID))
    place.unlink()
    found = Ran(process.returncode, text, folder, stopped or _over(process.returncode, limit))
    seconds = time.monotonic() - (end - limit)
    events.debug(events.COMPILERS, "exit code %d after %.2f s%s: %s", found.code, seconds, found.stopped, " ".join(command))
    return found


def limit_process(process: int, limit: float) -> None:
    """Limits of a process that runs, where the system can set them from outside."""
    try:
        from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, prlimit
    except ImportError:
        return
    seconds = math.ceil(limit)
    limits = {RLIMIT_AS: (MEMORY, MEMORY), RLIMIT_CPU: (seconds, seconds + 1), RLIMIT_FSIZE: (ROOM, ROOM), RLIMIT_CORE: (0, 0)}
    for kind, (soft, hard) in limits.items():
        try:
            _, most = prlimit(process, kind)
            most = math.inf if most < 0 else most
            prlimit(process, kind, (int(min(soft, most)), int(min(hard, most))))
        except (OSError, ValueError):  # it has ended
            return


def _over(code: int, limit: float) -> str:
    """Which limit has ended a process with such an exit code, if one has."""
    if os.name == "nt" or code >= 0:
        return ""
    from signal import Signals

    name = Signals(-code).name if -code in {*Signals} else f"signal {-code}"
    reasons = {"SIGXCPU": f"took more than {limit:g} s of the processor", "SIGXFSZ": f"wrote more than {ROOM >> 20} MiB"}
    return reasons.get(name, f"was ended by {name}; it may have at most {MEMORY >> 30} GiB of memory")


def _size(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0
