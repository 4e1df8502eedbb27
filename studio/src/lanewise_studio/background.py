"""Work in a process of its own, which can be ended at any time: `Job`."""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.diagnostics import InputError

from lanewise_studio.attempts import tried
from lanewise_studio.panes.apart import apart
from lanewise_studio.panes.compiled import compiled
from lanewise_studio.panes.proofs import diff, opt
from lanewise_studio.recorded import is_frame
from lanewise_studio.state import read_state
from lanewise_studio.stop import Cancelled, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from multiprocessing.connection import Connection

    Pane = dict[str, object]
    Part = Callable[[Pane], None]

_LOOK = 0.05  # seconds between two looks at whether the answer is still wanted


class Job(NamedTuple):
    """What is to be done: its kind, its message as it came, and the files of the room."""

    kind: str
    message: Mapping[str, Any]
    state: Mapping[str, Any]
    files: Mapping[str, bytes]

    def without_draws(self) -> Job:
        """The same about programs alone, which is less to send: what these jobs find holds for all data."""
        message = {key: _bare(value) if key == "other" else value for key, value in self.message.items()}
        files = {name: data for name, data in self.files.items() if not is_frame(data)}
        return self._replace(message=message, state=_bare(self.state), files=files)


def _bare(state: Any) -> Any:
    """A plain state without its draw."""
    if not isinstance(state, dict):
        return state
    table = cast("dict[object, object]", state)
    return {key: value for key, value in table.items() if key != "draw"}


class Fault(Exception):
    """The process ended without an answer."""


def _compiled(job: Job, stop: Stop, part: Part) -> Pane:
    return compiled(read_state(job.state), job.files, str(job.message.get("target", "")), stop)


def _opt(job: Job, stop: Stop, part: Part) -> Pane:
    return opt(read_state(job.state), job.files, stop)


def _diff(job: Job, stop: Stop, part: Part) -> Pane:
    return diff(read_state(job.state), tried(read_state(job.message.get("other")), job.files), job.files, stop)


def _apart(job: Job, stop: Stop, part: Part) -> Pane:
    return apart(job.message, job.files, stop, part)


KINDS: dict[str, Callable[[Job, Stop, Part], Pane]] = {"compiled": _compiled, "opt": _opt, "diff": _diff, "apart": _apart}
"""What a job gives; one that takes long gives parts of its pane before."""


def run(job: Job, stop: Stop, part: Part | None = None) -> Pane:
    """Do a job in another process and give its pane; `part` gets the parts before. Raises Cancelled, InputError, Fault."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=child, args=(job, theirs), daemon=True)
    with _interrupts_held():
        process.start()
    theirs.close()
    reports: dict[str, Callable[[int, int], None]] = {}
    try:
        while True:
            stop.check()
            if not ours.poll(_LOOK):
                continue
            try:
                kind, value = ours.recv()
            except (EOFError, OSError):
                raise Fault(f"the process of `{job.kind}` ended without an answer") from None
            if kind == "progress":
                done, total, what = value
                reports.setdefault(what, stop.progress(what))(done, total)
            elif kind == "part":
                if part is not None:
                    part(value)
            elif kind == "pane":
                return value
            elif kind == "findings":
                raise InputError(value)
            else:
                raise Fault(value)
    finally:
        if process.is_alive():
            process.terminate()
        process.join()
        ours.close()


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Start a process on which Ctrl-C has no effect from its first instruction on; masks are inherited, and those of a thread
    are its own."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def child(job: Job, pipe: Connection) -> None:
    """The other process. Ctrl-C is for the server, which ends this one; an answer to a server that has gone is dropped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def send(kind: str, value: object) -> None:
        try:
            pipe.send((kind, value))
        except OSError:  # the pipe is broken
            raise SystemExit(0) from None

    stop = Stop(lambda done, total, what: send("progress", (done, total, what)))
    try:
        send("pane", KINDS[job.kind](job, stop, lambda value: send("part", value)))
    except InputError as error:
        send("findings", error.diagnostics)
    except Exception as error:  # a bug, or a package that is missing: the other process reports it
        send("fault", f"{type(error).__name__}: {error}")
    finally:
        with suppress(OSError):
            pipe.close()


__all__ = ["KINDS", "Cancelled", "Fault", "Job", "child", "run"]
