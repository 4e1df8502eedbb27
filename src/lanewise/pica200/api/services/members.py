"""Files that hold several programs, such as caches and recorded frames: the whole, and a program of one."""

from __future__ import annotations

from abc import abstractmethod

from lanewise.core.members import no_such
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Request, SourceFile, UsageError
from lanewise.pica200.api.services.loaded import PicaFile, WrappedFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Never

    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.container.shbin import Shbin


def refuse_linking(request: Request, kind: str) -> None:
    """Raise UsageError for a file of this kind among several, or with --link."""
    if len(request.sources) != 1 or request.flag("link"):
        raise UsageError(f"{request.name} is a {kind}: only sources are linked")


class WholeFile(PicaFile):
    """A file of which no program was named: what needs one says so."""

    asked = ""
    "How a program of it is named, as an imperative."

    @property
    @abstractmethod
    def names(self) -> Mapping[str, str]:
        """The programs by all their names. Raises InputError."""

    def listed_names(self) -> Sequence[str]:
        """The names that a message lists."""
        return list(self.names)

    def unnamed(self) -> Never:
        """Raise InputError for a command that takes one program."""
        raise no_such(self.asked, self.listed_names(), self.name)

    def refuse_listing(self, request: Request) -> None:
        """Raise InputError for the options of `inspect` that show one program."""
        if request.flag("listing") or request.flag("output-maps"):
            self.unnamed()

    @property
    def program(self) -> ShaderFile:
        self.unnamed()

    def shbin(self) -> tuple[Shbin, bytes | None]:
        self.unnamed()


class MemberFile(WrappedFile):
    """A program of a file as a file of its own. Findings name both."""

    def __init__(self, request: Request, member: str, program: ShaderFile, *, default: str) -> None:
        whole = request.sources[0]
        name = f"{whole.name}:{member}"
        path = f"{whole.path.rpartition('.')[0] or default}_{member.replace('/', '_')}.shbin"
        self._source = SourceFile(name, program.to_bytes(), path)
        super().__init__(self.request_of(request), program)

    def request_of(self, request: Request) -> Request:
        """The request for the program alone, which no longer has to be named."""
        values = {key: value for key, value in request.values.items() if key != "program"}
        return Request(
            request.command,
            (self._source,),
            values,
            files=request.files,
            read_included=request.read_included,
            progress=request.progress,
        )


__all__ = ["MemberFile", "WholeFile", "refuse_linking"]
