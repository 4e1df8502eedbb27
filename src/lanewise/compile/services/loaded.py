"""A source of a front end as a file of the PICA200: what commands ask of it is asked of the program that it is compiled to."""

from __future__ import annotations

from lanewise.compile.services.pipeline import assembled, lowered, with_variables
from lanewise.compile.services.preamble import EXACT, FLOAT32, asked
from lanewise.core.cached import cached_property
from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Report, UsageError
from lanewise.core.source import decode_text
from lanewise.pica200.api.services.loaded import PicaFile
from lanewise.pica200.isa.uniforms import PREAMBLE

if TYPE_CHECKING:
    from lanewise.compile.services.pipeline import Compiled
    from lanewise.core.debugging import Debuggee
    from lanewise.core.service import Answer, Request
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.container.shbin import Shbin


class CompiledFile(PicaFile):
    """A source, compiled when something of its program is asked for."""

    def __init__(self, request: Request, language: str) -> None:
        super().__init__(request)
        self.language = language  # the name of the front end
        if len(request.sources) != 1 or request.flag("link"):
            raise UsageError("name one file: sources that are compiled are not linked")

    @cached_property
    def compiled(self) -> Compiled:
        """All stages. Raises InputError."""
        program = lowered(self.request, self.language, variables=self.request.command == "debug")
        return assembled(program, self.request.sources[0], self.request)

    @property
    def program(self) -> ShaderFile:
        return self.compiled.file

    @cached_property
    def _explained(self) -> ShaderFile:
        """The program with what a debugger sees of the source; as it is where that would be another program."""
        if self.request.command == "debug":
            return self.program
        try:
            program = with_variables(self.request, self.language, self.compiled.lowered)
            file = assembled(program, self.request.sources[0], self.request).file
        except InputError:
            return self.program
        return file if file.to_bytes() == self.program.to_bytes() else self.program

    def debug(self, request: Request) -> Debuggee:
        from lanewise.pica200.api.services.debug import debug

        return debug(self.request_of(request), self._explained)

    @property
    def text(self) -> str:
        data = self.request.sources[0].data
        return super().text if b"\0" in data else decode_text(data)

    def shbin(self) -> tuple[Shbin, bytes | None]:
        from lanewise.pica200.container.read import read_shbin

        data = self.program.to_bytes()
        shbin, findings = read_shbin(data, self.name)
        if shbin is None:
            raise InputError(findings)
        return shbin, data

    def check(self, request: Request) -> Report:
        from lanewise.pica200.api.checking import check_assembled
        from lanewise.pica200.text.dialects import dialects

        try:
            compiled = self.compiled
        except InputError as error:
            return Report(error.diagnostics)
        shader = compiled.file.programs[0]
        found = check_assembled(
            compiled.file.program,
            shader.words,
            shader.descriptors,
            compiled.diagnostics,
            dialect=dialects()[0],
            stats=request.flag("stats"),
            hinted=request.flag("hints"),
        )
        # Their edits are of assembly sources, which this one is not.
        return found._replace(findings=tuple([finding._replace(edits=()) for finding in found.findings]))

    def split_as(self, other: PicaFile) -> PicaFile:
        """The same source, compiled with a preamble where the other file has one and the request does not say."""
        if isinstance(other, CompiledFile) or asked(self.request):
            return self
        file = other.program
        if not any(row.own_name == PREAMBLE for each in file.program.interfaces for row in each.uniforms):
            return self
        exact = file.preamble is not None and file.preamble.exact
        return CompiledFile(self.request.with_values({"preamble": EXACT if exact else FLOAT32}), self.language)

    @property
    def premises(self) -> tuple[str, ...]:
        return (f"the program that {self.name} compiles to", *[premise.text for premise in self.compiled.lowered.premises])

    def disassemble(self, request: Request) -> Answer:
        raise UsageError(
            f"{self.name} is a source, not a binary: `lanewise compile {self.name} --to picasso` writes it as picasso source"
        )
