"""Work in a process of its own, which can be ended at any time: `Job`."""

from __future__ import annotations

import multiprocessing
import signal
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.diagnostics import InputError

from lanewise_studio.panes.compiled import compiled
from lanewise_studio.panes.proofs import diff, opt
from lanewise_studio.recorded import is_frame
from lanewise_studio.state import State, read_state
from lanewise_studio.stop import Cancelled, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection

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


def _compiled(job: Job, state: State, stop: Stop) -> dict[str, object]:
    return compiled(state, job.files, str(job.message.get("target", "")), stop)


def _opt(job: Job, state: State, stop: Stop) -> dict[str, object]:
    return opt(state, job.files, stop)


def _diff(job: Job, state: State, stop: Stop) -> dict[str, object]:
    return diff(state, read_state(job.message.get("other")), job.files, stop)


KINDS: dict[str, Callable[[Job, State, Stop], dict[str, object]]] = {"compiled": _compiled, "opt": _opt, "diff": _diff}


def run(job: Job, stop: Stop) -> dict[str, object]:
    """Do a job in another process and give its pane. Raises Cancelled, InputError, Fault."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(job, theirs), daemon=True)
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
            except EOFError:
                raise Fault(f"the process of `{job.kind}` ended without an answer") from None
            if kind == "progress":
                done, total, what = value
                reports.setdefault(what, stop.progress(what))(done, total)
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


def _child(job: Job, pipe: Connection) -> None:
    """The other process. Ctrl-C is for the server, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = Stop(lambda done, total, what: pipe.send(("progress", (done, total, what))))
    try:
        pipe.send(("pane", KINDS[job.kind](job, read_state(job.state), stop)))
    except InputError as error:
        pipe.send(("findings", error.diagnostics))
    except Exception as error:  # a bug, or a package that is missing: the other process reports it
        pipe.send(("fault", f"{type(error).__name__}: {error}"))
    finally:
        pipe.close()


__all__ = ["KINDS", "Cancelled", "Fault", "Job", "run"]
