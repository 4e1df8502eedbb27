"""Direct3D 9 files for commands: `LoadedShader`, read on demand."""

from __future__ import annotations

from functools import cached_property

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import SourceFile, failure
from lanewise.core.source import Span, decode_text
from lanewise.direct3d9.api.reading import SOURCE, of_direct3d8, read_shader
from lanewise.direct3d9.isa.table import NAME
from lanewise.direct3d9.text.preprocess import NO_SETTING, setting_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.comparison import Comparison
    from lanewise.core.debugging import Debuggee
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Answer, Report, Request
    from lanewise.direct3d9.api.reading import Reading
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.text.preprocess import Setting

FORM_NAMES = {"file": "bin", "words": "bin"}  # the names that `--from` has for ShaderCore files too


class LoadedShader:
    """The one shader of a Direct3D 9 file, in a form of `container.forms`, as a source, or as it looks (None)."""

    source: SourceFile
    form: str | None

    isa = NAME
    time = None
    scene = None

    def __init__(
        self,
        source: SourceFile,
        form: str | None,
        read_included: Callable[[str], str] | None,
        setting: Setting = NO_SETTING,
        *,
        direct3d8: bool = False,
    ) -> None:
        self.source, self.form, self._read_included, self._setting = source, form, read_included, setting
        self.direct3d8 = direct3d8

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def reading(self) -> Reading:
        """The shader with the findings of reading it."""
        reading = read_shader(self.source.data, self.name, self.form, self._read_included, self._setting)
        return of_direct3d8(reading, self.name) if self.direct3d8 else reading

    @property
    def shader(self) -> Shader:
        """The shader, whatever findings there are. Raises InputError if there is none."""
        if self.reading.shader is None:
            raise failure(self.reading.diagnostics)
        return self.reading.shader

    @property
    def words(self) -> list[int]:
        """The tokens, 32 bits each."""
        return self.shader.words

    @property
    def text(self) -> str:
        """The source, or the disassembly of words."""
        if self.reading.source:
            return decode_text(self.source.data)
        from lanewise.direct3d9.api.disassembling import disassemble_shader

        return disassemble_shader(self.shader).text

    @property
    def source_map(self) -> list[Span | None]:
        """The place of each token: its instruction in the source, or its bytes in a binary."""
        if not self.reading.source:
            return [Span(file=self.name, offset=4 * number) for number in range(len(self.words))]
        places: list[Span | None] = [None]
        for item in self.shader.items:
            places += [item.place] * len(item.words)
        return places + [None] * (len(self.words) - len(places))

    @property
    def program(self) -> Direct3DShader:
        """The public object. Raises InputError where the file has errors."""
        from lanewise.direct3d9.api.shader import Direct3DShader

        return Direct3DShader.of_reading(self.reading, self.name)

    def check(self, request: Request) -> Report:
        from lanewise.direct3d9.api.services.check import check

        return check(self.reading, self.name, stats=request.flag("stats"))

    def disassemble(self, request: Request) -> Answer:
        from lanewise.direct3d9.api.services.dis import disassemble

        return disassemble(self, request)

    def inspect(self, request: Request) -> Answer:
        from lanewise.direct3d9.api.services.inspect import inspect

        return inspect(self, request)

    def graph(self, request: Request) -> Answer:
        from lanewise.direct3d9.api.services.graph import graph

        return graph(self.program, request, self.source_map)

    def run(self, request: Request) -> Answer:
        from lanewise.direct3d9.api.services.run import run

        return run(self.program, request)

    def debug(self, request: Request) -> Debuggee:
        from lanewise.direct3d9.api.services.debug import debug

        return debug(self.program, request)

    def trace(self, request: Request) -> Answer:
        from lanewise.direct3d9.api.services.run import trace

        return trace(self.program, request)

    def difference(self, other: Loaded, requests: tuple[Request, Request]) -> Comparison:
        from lanewise.direct3d9.api.services.diff import compared

        return compared((self.program, own(other).program), requests[0])


def load(request: Request) -> LoadedShader:
    """The file of a request, in the form that `--from` names or as it looks. Raises UsageError."""
    return _one(request, None)


def read_source(request: Request) -> LoadedShader:
    """The file of a request, an assembly source unless `--from` names another form. Raises UsageError."""
    return _one(request, SOURCE)


def write(loaded: Loaded) -> bytes:
    """The token stream of a shader as a file has it. Raises InputError."""
    from lanewise.direct3d9.container.stream import write_stream

    return write_stream(own(loaded).shader)


def own(loaded: Loaded) -> LoadedShader:
    """A file of this package. Raises TypeError for one of another."""
    if not isinstance(loaded, LoadedShader):
        raise TypeError(f"expected a Direct3D 9 shader, found a program of {loaded.isa}")
    return loaded


def _one(request: Request, form: str | None) -> LoadedShader:
    source = request.only("Direct3D 9 shaders")
    named = request.text("from")
    form = FORM_NAMES.get(named, named) or form
    setting = setting_of(request.texts("define"), request.texts("include"))
    return LoadedShader(source, form, request.read_included, setting, direct3d8=request.flag("direct3d8"))


def wrap(program: Program, request: Request) -> LoadedShader:
    """A public object as a file for services. Raises TypeError for one of another instruction set."""
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.container.stream import write_stream

    if not isinstance(program, Direct3DShader):
        raise TypeError(f"{program.name} is for {program.isa}, not for Direct3D 9")
    return LoadedShader(SourceFile(program.name, write_stream(program.shader), program.name), None, request.read_included)
