"""The program of a state, read, with a debugger on a run of it: `Reading`. What serves it needs no NumPy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.service import InputFailure, UsageError
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import MOST_THREADS, Session
from lanewise.debugger.stops import wrong

from lanewise_studio.program import Program, sentence
from lanewise_studio.state import refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.package import Loaded
    from lanewise.core.service import Request

    from lanewise_studio.state import State
    from lanewise_studio.stop import Stop


class Reading(ABC):
    """A state whose program can be read. One thread uses it at a time."""

    def __init__(self, state: State, files: Mapping[str, bytes], stop: Stop) -> None:
        """`files` are those that are no texts of the page, by name. Raises InputError where the program cannot be read."""
        self.state, self.files, self.stop = state, files, stop
        try:
            self.program = Program(state, files)
            self.loaded: Loaded = self.program.load()
            _ = self.loaded.words
        except (InputFailure, UsageError) as error:
            raise sentence(error, state.files[0].name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    @abstractmethod
    def request(self, command: str = "run") -> Request:
        """A request for a service with the data of the state. Raises InputError."""

    @cached_property
    def session(self) -> Session:
        """A debugger on the run, with thread 0. Raises InputError."""
        try:
            return Session(Launch(self.loaded, self.request("debug"), (0,)))
        except (InputFailure, UsageError) as error:
            raise sentence(error, self.program.name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    def session_with(self, thread: int) -> Session:
        """The debugger with a thread. Raises InputError for one that does not exist."""
        session = self.session
        count = len(session.debuggee.threads)
        if thread not in session.debuggee.threads:
            raise wrong("D002", f"{session.debuggee.title(thread)} does not exist", f"there are {count}, 0 to {count - 1}")
        if len(session.threads) >= MOST_THREADS and thread not in [each.number for each in session.threads]:
            del self.session  # it holds as many threads as it can: begin another
            session = self.session
        session.add_thread(thread)
        return session


__all__ = ["Reading"]
