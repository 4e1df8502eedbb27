"""The program of a state, read, with a debugger on a run of it: `Reading`. What serves it needs no NumPy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.service import InputFailure, UsageError
from lanewise.debugger.launching import Launch
from lanewise.debugger.listing import Listing, listing
from lanewise.debugger.session import MOST_THREADS, Session
from lanewise.debugger.stops import wrong

from lanewise_studio.attempts import read
from lanewise_studio.program import sentence
from lanewise_studio.stages import first_of_several
from lanewise_studio.state import refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.service import Request, Value
    from lanewise.core.source import Span

    from lanewise_studio.state import DrawChoice, State
    from lanewise_studio.stop import Stop


def _with_draw(loaded: Loaded, files: Mapping[str, bytes], choice: DrawChoice) -> Loaded:
    try:
        from lanewise_studio.recorded import with_draw
    except ImportError:  # the playground has a part of the studio only
        raise refused("recorded frames are opened by `lanewise studio`, not here") from None
    return with_draw(loaded, files, choice)


class Reading(ABC):
    """A state whose program can be read. One thread uses it at a time."""

    def __init__(self, state: State, files: Mapping[str, bytes], stop: Stop) -> None:
        """`files` are those that are no texts of the page, by name. Raises InputError where the program cannot be read."""
        self.state, self.files, self.stop = state, files, stop
        self._sessions: dict[str, Session] = {}  # by stage
        try:
            found = read(state, files)
            self.program, self.remarks = found.program, found.remarks
            self.loaded: Loaded = found.loaded
            if state.draw is not None:
                self.loaded = _with_draw(self.loaded, files, state.draw)
            _ = self.loaded.words
            self.program.first = first_of_several(self.loaded.program)
        except (InputFailure, UsageError) as error:
            raise sentence(error, state.files[0].name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    @abstractmethod
    def request(self, command: str = "run", values: Mapping[str, Value] | None = None) -> Request:
        """A request for a service with the data of the state. Raises InputError."""

    @property
    def emits(self) -> bool:
        """Whether a geometry shader makes the triangles."""
        return False

    # Places

    @cached_property
    def listing(self) -> Listing | None:
        """A binary as text; None for sources. Raises InputError."""
        if not self.state.files[0].data:
            return None
        return listing(self.loaded, self.program.name, lambda: self._launched({}).debuggee)

    @cached_property
    def places(self) -> Sequence[Span | None]:
        """The place of each word in the texts that the page shows. Raises InputError."""
        return self.loaded.source_map if self.listing is None else self.listing.places

    def span(self, address: int) -> Span | None:
        """The place of a word; None where it has no line."""
        found = self.places[address] if 0 <= address < len(self.places) else None
        return found if found is not None and found.line else None

    # Steps

    @property
    def session(self) -> Session:
        """A debugger on the run: of both stages on that of the geometry shader. Raises InputError."""
        return self.session_of("")

    def session_of(self, stage: str) -> Session:
        """A debugger on a stage of the run, `vertex` or the last. Raises InputError."""
        stage = stage if self.emits else ""
        if stage not in self._sessions:
            launch = self._launched({"trace-stage": stage} if stage else {})
            launch.source_map = self.places
            self._sessions[stage] = Session(launch)
        return self._sessions[stage]

    def _launched(self, values: Mapping[str, Value]) -> Launch:
        service = self.loaded.debug
        if service is None:
            raise refused(f"{self.program.package.title} has no debugger")
        try:
            request = self.request("debug", values)
            debuggee = service(request)
            return Launch(self.loaded, request, debuggee.threads[:1], debuggee)
        except (InputFailure, UsageError) as error:
            raise sentence(error, self.program.name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    def session_with(self, thread: int, stage: str = "") -> Session:
        """The debugger of a stage with a thread. Raises InputError for one that does not exist."""
        session = self.session_of(stage)
        count = len(session.debuggee.threads)
        if thread not in session.debuggee.threads:
            raise wrong("D002", f"{session.debuggee.title(thread)} does not exist", f"there are {count}, 0 to {count - 1}")
        if len(session.threads) >= MOST_THREADS and thread not in [each.number for each in session.threads]:
            self._sessions.pop(stage if self.emits else "")  # it holds as many threads as it can: begin another
            session = self.session_of(stage)
        session.add_thread(thread)
        return session


__all__ = ["Reading"]
