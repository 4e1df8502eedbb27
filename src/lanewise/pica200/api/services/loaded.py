"""Files of the PICA200 for commands: sources, SHBINs and raw words, read when something of them is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lanewise.core.cached import cached_property
from lanewise.core.diagnostics import InputError, has_errors
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import COMPILER_OPTIONS, Request, SourceFile, UsageError
from lanewise.core.source import decode_text
from lanewise.pica200.isa.uniforms import PREAMBLE
from lanewise.pica200.text.dialects import dialects_of, source_suffixes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.core.comparison import Comparison
    from lanewise.core.debugging import Debuggee
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Disassembly, Drawn, Report
    from lanewise.core.source import Span
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.services.raw_words import Raw
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.program import Preamble
    from lanewise.pica200.text.dialect import Dialect

_MAGIC = b"DVLB"
_OF_FILES = ("check", "dis", "inspect", "convert", "opt")  # commands that take an SHBIN with all its shaders
_NOT_COMPILED = ("convert", "debug", "diff", "graph", "inspect", "opt", "run")  # `check` takes files of several kinds
_ALSO_OF_WORDS = ("entry", "geometry")  # options of sources that say the same of raw words


def load(request: Request) -> Loaded:
    """The program of a request: raw words, an SHBIN, or sources that are linked. Raises UsageError."""
    from lanewise.pica200.api.services.raw_words import has_raw

    if not request.sources:
        if not has_raw(request):
            raise UsageError("name a FILE, or raw words with --words CODE")
        return RawWords(request)
    if request.command == "dis" and request.has("words"):
        return RawWords(request)
    if len(request.sources) == 1:
        source = request.sources[0]
        if not request.language and (
            source.data.startswith(_MAGIC) or not source.name.lower().endswith((*source_suffixes(), ">"))
        ):
            return read_binary(request)
    return read_sources(request, request.language)


def read_sources(request: Request, dialect: str) -> Loaded:
    """Sources in a language, or each in that of its suffix, linked into one program. Raises UsageError for an SHBIN among
    several."""
    _refuse_data(request, {key for language in dialects_of([request.name], dialect) for key in language.takes})
    if request.command in _OF_FILES and request.has("program"):
        raise UsageError(f"{request.name} is a source: --program is for shader caches")
    if len(request.sources) > 1 or request.flag("link"):
        for source in request.sources:
            if source.data.startswith(_MAGIC):
                raise UsageError(f"{source.name} is an SHBIN: only sources are linked")
    if request.command == "dis":
        title = dialects_of([request.name], dialect)[0].title
        raise UsageError(
            f"{request.name} is a {title} source, not a binary: `lanewise asm` assembles it, `lanewise inspect --listing` "
            "shows its words"
        )
    return LinkedSources(request, dialect)


def read_binary(request: Request) -> Loaded:
    """The one SHBIN of a request. Raises UsageError for options of sources."""
    if request.command == "dis" and request.has("words"):
        return RawWords(request)
    _refuse_data(request)
    if len(request.sources) > 1 or request.flag("link"):
        raise UsageError(f"{request.name} is an SHBIN: only sources are linked")
    return BinaryFile(request)


def members(request: Request) -> Mapping[str, str]:
    """The names of the shaders of an SHBIN, each its own. Raises InputError; UsageError for a command that takes all of
    them."""
    if request.command in _OF_FILES:
        raise UsageError(f"lanewise {request.command} takes all shaders of {request.name}: leave out the name of one")
    return {shader.name: shader.name for shader in BinaryFile(request).program.programs}


def _refuse_data(request: Request, taken: Collection[str] = ()) -> None:
    """Raise UsageError for a data file of a command that takes nothing of it for a FILE, and for options of sources that are
    compiled, other than those that the language has `taken`."""
    if request.command in _NOT_COMPILED:
        for key in COMPILER_OPTIONS:
            if request.has(key) and key not in taken:
                raise UsageError(f"--{key} is for sources that are compiled, such as GLSL: {request.name} is not one")
    if request.has("data") and request.command not in ("run", "debug"):
        raise UsageError("--data is for dumps: use --words in place of FILE, or a data file with a program")


def _of_draws(request: Request) -> str:
    """The option of a request that only recorded draws take; empty without one."""
    return next((key for key in ("source", "sources") if request.texts(key) or request.text(key)), "")


class PicaFile(ABC):
    """What all kinds of files have."""

    name: str

    isa = "pica200"
    time = None
    recorded = False
    "Whether it is from a recorded frame, whose programs may have a source elsewhere."

    def __init__(self, request: Request) -> None:
        if _of_draws(request) and not self.recorded:
            raise UsageError(f"--{_of_draws(request)} is for draws of recorded frames: {request.name} has its own program")
        self.request = request
        self.name = request.name

    def assembly(self) -> Assembly | None:
        """What was assembled from sources, None for a binary. Raises InputError."""
        return None

    @abstractmethod
    def shbin(self) -> tuple[Shbin, bytes | None]:
        """The container and its bytes; None for bytes that no file has. Raises InputError."""

    @property
    @abstractmethod
    def program(self) -> ShaderFile: ...

    @property
    def premises(self) -> tuple[str, ...]:
        """What the program rests on beside its source: sentences for a proof."""
        return ()

    @property
    def words(self) -> Sequence[int]:
        return self.program.words

    @property
    def text(self) -> str:
        from lanewise.pica200.api.disassembling import disassemble

        shbin, data = self.shbin()
        return "\n".join([source.text for source in disassemble(shbin, "shader", data).sources])

    @property
    def source_map(self) -> Sequence[Span | None]:
        return [operation.span for operation in self.program.program.operations]

    def disassemble(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.dis import disassembled

        return disassembled(self.request_of(request), *self.shbin())

    def inspect(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.inspect import inspected

        return inspected(self.request_of(request), *self.shbin())

    def graph(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.graph import graphed

        return graphed(self.request_of(request), self.program, self.source_map)

    def run(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.run import run

        return run(self.request_of(request), self.program)

    def trace(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.run import trace

        return trace(self.request_of(request), self.program)

    def debug(self, request: Request) -> Debuggee:
        from lanewise.pica200.api.services.debug import debug

        return debug(self.request_of(request), self.program)

    def difference(self, other: Loaded, requests: tuple[Request, Request]) -> Comparison:
        from lanewise.pica200.api.services.diff import compared, preambles_compared

        given = own(other)
        mine, theirs = self.split_as(given), given.split_as(self)
        files = mine.program, theirs.program
        found = compared(files, (mine.request_of(requests[0]), theirs.request_of(requests[1])))
        premises = dict.fromkeys([*mine.premises_beside(theirs), *theirs.premises_beside(mine)])
        return preambles_compared(files, found.with_premises([*premises]) if found else found)

    def premises_beside(self, other: PicaFile) -> tuple[str, ...]:
        """What a comparison with another file rests on, beside the source of this one."""
        return self.premises

    def split_as(self, other: PicaFile) -> PicaFile:
        """The file to compare with another: a source is compiled with a preamble where the other has one."""
        return self

    def request_of(self, request: Request) -> Request:
        """The request of a command, as it is for this file."""
        return request

    def scene(self, request: Request) -> Drawn:
        from lanewise.pica200.api.services.run import scene

        return scene(self.request_of(request), self.program)


class LinkedSources(PicaFile):
    """Sources that are linked into one program."""

    shares: bool

    def __init__(self, request: Request, dialect: str, assembly: Assembly | None = None) -> None:
        super().__init__(request)
        self.dialect = dialect
        self._assembly = assembly
        self.shares = False  # whether the sources assemble only with operand descriptors shared as the hardware allows

    @property
    def sources(self) -> list[tuple[str, str]]:
        return [(source.name, decode_text(source.data)) for source in self.request.sources]

    @property
    def languages(self) -> Sequence[Dialect]:
        """The languages of the sources; without errors there is only one."""
        return dialects_of([source.name for source in self.request.sources], self.dialect)

    def assembly(self) -> Assembly:
        if self._assembly is None:
            self._assembly = self.assembled(self.sources)
            if self._assembly.data is None and self.request.command == "opt":
                self._share_descriptors(self._assembly)
        if self._assembly.data is None:
            raise InputError(self._assembly.diagnostics)
        return self._assembly

    def _share_descriptors(self, assembly: Assembly) -> None:
        """Assemble sources with too many operand descriptors as the hardware allows to share them, if that is enough."""
        from lanewise.pica200.api.optimising import with_shared_descriptors

        shared = with_shared_descriptors(assembly)
        if shared is not None:
            self._assembly, self.shares = shared, True

    def assembled(self, sources: Sequence[tuple[str, str]]) -> Assembly:
        """Other texts of the sources, assembled as these are."""
        from lanewise.pica200.api.assembling import assemble_sources

        return assemble_sources(
            sources,
            compatible=self.request.flag("picasso-compat"),
            padding=not self.request.flag("no-nop"),
            dialect=self.dialect,
            entry=self.request.text("entry"),
            geometry=self.request.flag("geometry"),
            read=self.request.read_included,
            folders=self.request.texts("include"),
        )

    @property
    def program(self) -> ShaderFile:
        from lanewise.pica200.api.file import ShaderFile

        assembly = self.assembly()
        told = assembly.diagnostics
        if self.request.command == "run" and not self.request.flag("picasso-compat"):
            from lanewise.pica200.api.doubts import OF_A_RUN, warnings

            told = (*told, *warnings(assembly, self.sources, self.dialect, OF_A_RUN))
        return ShaderFile(self.name, assembly.data or b"", assembly.program, *assembly.encoded, told, self.languages[0])

    @property
    def text(self) -> str:
        return "\n".join([text for _, text in self.sources])

    def shbin(self) -> tuple[Shbin, bytes | None]:
        return _shbin(self.assembly().data or b"", self.name)

    def check(self, request: Request) -> Report:
        from lanewise.pica200.api.services.check import check_texts
        from lanewise.pica200.api.services.refusing import refuse_options

        refuse_options(request, self.languages, _ALSO_OF_WORDS, " and --words")
        return check_texts(request, self.sources, self.dialect)


class BinaryFile(PicaFile):
    """An SHBIN."""

    @property
    def data(self) -> bytes:
        return self.request.sources[0].data

    @property
    def program(self) -> ShaderFile:
        from lanewise.pica200.api.file import read_file

        file = read_file(self.data, self.name)
        return file if self.preamble is None else file.with_preamble(self.preamble)

    @cached_property
    def preamble(self) -> Preamble | None:
        """What computes registers before a draw, of a JSON file beside it. Raises InputError."""
        from lanewise.pica200.api.file import read_file

        file = read_file(self.data, self.name)
        if not any(row.own_name == PREAMBLE for each in file.program.interfaces for row in each.uniforms):
            return None
        from lanewise.pica200.api.preamble import preamble_of

        return preamble_of(file, self.request.sources[0].path, self.request.files)

    def shbin(self) -> tuple[Shbin, bytes | None]:
        return _shbin(self.data, self.name)

    def check(self, request: Request) -> Report:
        from lanewise.pica200.api.services.check import check_binary
        from lanewise.pica200.api.services.refusing import refuse_options

        refuse_options(request, (), _ALSO_OF_WORDS, " and --words")
        return check_binary(self.request_of(request), self.data)


class WrappedFile(BinaryFile):
    """A public object as a file: its bytes, with the names and places that it knows."""

    def __init__(self, request: Request, program: ShaderFile) -> None:
        super().__init__(request)
        self._program = program

    @property
    def program(self) -> ShaderFile:
        return self._program


class RawWords(PicaFile):
    """Instruction words and operand descriptors of a dump."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self._raw: Raw | None = None

    @property
    def raw(self) -> Raw:
        """The words with their descriptors. Raises UsageError, InputFailure, InputError."""
        from lanewise.pica200.api.services.raw_words import read_raw

        if self._raw is None:
            self._raw = read_raw(self.request)
        return self._raw

    @property
    def program(self) -> ShaderFile:
        return self.raw.file

    def shbin(self) -> tuple[Shbin, bytes | None]:
        shbin, _ = _shbin(self.program.to_bytes(), self.raw.name)
        return shbin, None

    def disassemble(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.dis import disassembled
        from lanewise.pica200.container.mistaken import empty_memory, lacking

        shbin, data = self.shbin()
        wired = sum({1 << output.register for output in shbin.dvles[0].outputs})
        plain = shbin.dvles[0]._replace(input_mask=0, output_mask=wired)  # what sources declare
        answer = disassembled(request, shbin._replace(dvles=(plain,)), data, quiet=True)
        empty = empty_memory(self.raw.words or (), self.raw.name)
        answer = answer._replace(first=(*self.raw.findings, *empty, *answer.first))
        if self.raw.descriptors is not None and self.raw.words is not None:
            short = lacking(self.raw.words, self.raw.descriptors, self.raw.name)
            return answer._replace(first=(*answer.first, *short))
        return answer._replace(remarks=("without --descriptors: instructions with operands are .word; add --descriptors DESC",))

    def run(self, request: Request) -> Answer:
        self._with_descriptors()
        return super().run(request)

    def trace(self, request: Request) -> Answer:
        self._with_descriptors()
        return super().trace(request)

    def debug(self, request: Request) -> Debuggee:
        self._with_descriptors()
        return super().debug(request)

    def scene(self, request: Request) -> Drawn:
        self._with_descriptors()
        return super().scene(request)

    def _with_descriptors(self) -> None:
        if self.raw.words is None:
            raise InputError(self.raw.findings)
        if self.raw.descriptors is None:
            raise UsageError("a run needs operand descriptors: add --descriptors DESC")

    def check(self, request: Request) -> Report:
        from lanewise.pica200.api.services.check import check_raw

        return check_raw(request, self.raw)

    def inspect(self, request: Request) -> Answer:
        from lanewise.pica200.api.services.inspect import inspected, listed_raw

        if self.raw.data is not None and not request.flag("listing"):
            return inspected(request, *self.shbin(), self.raw.name)
        return listed_raw(request, self.raw)


def _shbin(data: bytes, name: str) -> tuple[Shbin, bytes]:
    from lanewise.pica200.container.read import read_shbin

    shbin, findings = read_shbin(data, name)
    if shbin is None or has_errors(findings):
        raise InputError(findings)
    return shbin, data


def own(loaded: Loaded) -> PicaFile:
    """A file of this package. Raises TypeError for one of another."""
    if not isinstance(loaded, PicaFile):
        raise TypeError(f"{loaded.name} is for {loaded.isa}, not for the PICA200")
    return loaded


def written(loaded: Loaded, request: Request, to: str) -> Disassembly:
    """A program as sources in a language. Raises InputError."""
    from lanewise.pica200.api.services.dis import sources_of

    return sources_of(own(loaded), request, to)


def binary_of(loaded: Loaded) -> bytes:
    """The SHBIN of a program. Raises InputError."""
    return own(loaded).program.to_bytes()


def wrap(program: Program, request: Request) -> Loaded:
    """A public object as a file for services. Raises TypeError for one of another instruction set."""
    from lanewise.pica200.api.file import ShaderFile

    if not isinstance(program, ShaderFile):
        raise TypeError(f"{program.name} is for {program.isa}, not for the PICA200")
    source = SourceFile(program.name, program.to_bytes(), program.name)
    return WrappedFile(Request(request.command, (source,), request.values, files=request.files), program)
