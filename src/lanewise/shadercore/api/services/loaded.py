"""ShaderCore files for commands, read on demand."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Request, SourceFile
from lanewise.core.source import decode_text
from lanewise.shadercore.api.reading import SOURCE, places_of, read_program
from lanewise.shadercore.container.header import form_of, write_binary
from lanewise.shadercore.isa.table import NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core import package
    from lanewise.core.comparison import Comparison
    from lanewise.core.debugging import Debuggee
    from lanewise.core.service import Answer, Disassembly, Report
    from lanewise.core.source import Span
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.reading import Loaded
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.table import Op


def load(request: Request) -> ShaderCoreFile:
    """The program of a request: a source if its name or the request says so, otherwise words in a recognised form. Raises
    UsageError."""
    return ShaderCoreFile(request, SOURCE if request.language == NAME else None)


def read_source(request: Request) -> ShaderCoreFile:
    """The program of the one source of a request. Raises UsageError."""
    return ShaderCoreFile(request, SOURCE)


def read_file(request: Request) -> ShaderCoreFile:
    """The program of the one file of words of a request. Raises UsageError."""
    return ShaderCoreFile(request, form_of(request.only("ShaderCore programs").data))


class ShaderCoreFile:
    """A file with one program. `form` is the form of its words, None to recognise it; `--from` overrides it."""

    name: str
    data: bytes
    form: str | None

    isa = NAME
    scene = None

    def __init__(self, request: Request, form: str | None) -> None:
        source = request.only("ShaderCore programs")
        self.name = source.name
        self.data = source.data
        self.form = request.text("from") or form
        self._path = source.path or source.name
        self._files = request.files
        self._request = request
        self._loaded: Loaded | None = None
        self._program: ShaderCoreProgram | None = None

    @property
    def loaded(self) -> Loaded:
        """The result of reading the file: the program, None if it has errors, and the findings.

        Raises UsageError, InputFailure for a device that cannot be read.
        """
        if self._loaded is None:
            added: tuple[Op, ...] = ()
            if self._request.has("device"):
                from lanewise.shadercore.api.services.devices import added_of

                added = added_of(self._request)
            self._loaded = read_program(self.data, self.name, self.form, added=added)
            if self._request.has("device") or self._request.has("set"):
                from lanewise.shadercore.api.services.devices import beyond

                found = beyond(self._request, self._loaded.program, self.name, lambda: self.source_map)
                if found:
                    self._loaded = self._loaded._replace(program=None, diagnostics=[*self._loaded.diagnostics, *found])
        return self._loaded

    @property
    def content(self) -> Program:
        """The program: machine words, header, constants. Raises InputError."""
        if self.loaded.program is None:
            raise InputError(self.loaded.diagnostics)
        return self.loaded.program

    @property
    def words(self) -> Sequence[int]:
        return self.content.words

    @property
    def text(self) -> str:
        from lanewise.shadercore.text.printer import print_program

        return decode_text(self.data) if self.loaded.source else print_program(self.content)

    @property
    def source_map(self) -> Sequence[Span | None]:
        return places_of(self.data, self.name, self.loaded) if self.content else ()

    @property
    def program(self) -> ShaderCoreProgram:
        """The public object, with the interface file of the compiler."""
        if self._program is None:
            from lanewise.shadercore.api.interface import interface_beside
            from lanewise.shadercore.api.program import ShaderCoreProgram

            result = ShaderCoreProgram(self.name, self.content, self.loaded.diagnostics, bytes(self.data), self.loaded.form)
            self._program = result.with_interface(interface_beside(self._path, self._files))
        return self._program

    def check(self, request: Request) -> Report:
        from lanewise.shadercore.api.services.check import checked

        return checked(request, self.data, self.name, self.form)

    def disassemble(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.dis import disassembled

        return disassembled(request, self.content, self.loaded.diagnostics, lambda: self.program)

    def inspect(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.inspect import inspected

        return inspected(request, self.content, len(self.data), self.loaded)

    def graph(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.graph import graphed

        program = self.program
        return graphed(request, program, program.program.places or self.source_map)

    def run(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.run import results

        return results(request, self.program)

    def debug(self, request: Request) -> Debuggee:
        from lanewise.shadercore.api.services.debug import debug

        return debug(self.program, request)

    def trace(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.trace import traced

        return traced(request, self.program)

    def difference(self, other: package.Loaded, requests: tuple[Request, Request]) -> Comparison:
        from lanewise.shadercore.api.services.diff import compared

        return compared((self.program, own(other).program), requests[0])

    def time(self, request: Request) -> Answer:
        from lanewise.shadercore.api.services.time import timed

        return timed(request, self.program, self.loaded.diagnostics)


def own(loaded: package.Loaded) -> ShaderCoreFile:
    """A file of this package. Raises TypeError for one of another."""
    if not isinstance(loaded, ShaderCoreFile):
        raise TypeError(f"{loaded.name} is for {loaded.isa}, not for ShaderCore")
    return loaded


def source_of(loaded: package.Loaded, request: Request) -> Disassembly:
    """A program as source. Raises InputError."""
    from lanewise.shadercore.api.services.dis import sources_of

    return sources_of(own(loaded).content, request)


def binary_of(loaded: package.Loaded) -> bytes:
    """The file with a header of a program. Raises InputError."""
    return write_binary(own(loaded).content)


def wrap(program: package.Program, request: Request) -> ShaderCoreFile:
    """A public object as a file for services. Raises TypeError for one of another instruction set."""
    from lanewise.shadercore.api.program import ShaderCoreProgram

    if not isinstance(program, ShaderCoreProgram):
        raise TypeError(f"{program.name} is for {program.isa}, not for ShaderCore")
    source = SourceFile(program.name, program.disassemble().encode(), program.name)
    return ShaderCoreFile(Request(request.command, (source,), request.values, files=request.files), SOURCE)
