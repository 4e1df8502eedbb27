"""Interface of an instruction set's package: `IsaPackage`, `Language`, `Container`, `Loaded`.

The records hold plain functions that import their modules when they are called, so that a package costs nothing until it is
used. None is a service that an instruction set lacks; commands then report that. `lanewise.packages` names all packages.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Protocol

    from lanewise.core.code import Code
    from lanewise.core.comparison import Comparison
    from lanewise.core.debugging import Debuggee
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.editor import Editor
    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.program import Drawing
    from lanewise.core.service import Answer, Disassembly, Drawn, Manual, Report, Request
    from lanewise.core.shadertests import ShaderTests
    from lanewise.core.source import Span
    from lanewise.core.text.formatting import Indent
    from lanewise.core.vectors.model import RandomJobs, Vectors

    class Program(Protocol):
        """Result of `lanewise.load` for a file: the public object of its instruction set. `core.program` has what serves
        all."""

        @property
        def isa(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def diagnostics(self) -> Sequence[Diagnostic]: ...
        @property
        def text(self) -> str:
            """The program as source, which assembles to the same words."""
            ...

        @property
        def words(self) -> Sequence[int]:
            """The machine words."""
            ...

        def check(self) -> Sequence[Diagnostic]:
            """The findings of `lanewise check`."""
            ...

        def graph(self) -> Drawing:
            """The graph of the program. Raises ValueError where its instruction set has none."""
            ...

        def save(self, path: str | PathLike[str]) -> object:
            """Write the program to a file, in the form of its suffix. Raises OSError."""
            ...

    class Loaded(Protocol):
        """A file that a package has read, for commands.

        A service is None if the instruction set lacks it. Every property and service raises InputError if the file has errors,
        except `check`, which reports them.
        """

        @property
        def isa(self) -> str:
            """The name of the instruction set."""
            ...

        @property
        def name(self) -> str: ...

        @property
        def words(self) -> Sequence[int]:
            """The machine words."""
            ...

        @property
        def text(self) -> str:
            """The source, or the disassembly of a binary."""
            ...

        @property
        def source_map(self) -> Sequence[Span | None]:
            """The place of each word in the source or the file."""
            ...

        @property
        def program(self) -> Program:
            """The public object."""
            ...

        @property
        def check(self) -> Callable[[Request], Report] | None:
            """Check the program."""
            ...

        @property
        def disassemble(self) -> Callable[[Request], Answer] | None: ...

        @property
        def inspect(self) -> Callable[[Request], Answer] | None:
            """Describe the contents of the file."""
            ...

        @property
        def graph(self) -> Callable[[Request], Answer] | None:
            """The control-flow graph, as text, DOT, SVG or JSON: `request.text("format")`."""
            ...

        @property
        def run(self) -> Callable[[Request], Answer] | None: ...

        @property
        def trace(self) -> Callable[[Request], Answer] | None:
            """A run with every step of one lane: `request.integer("trace")`."""
            ...

        @property
        def debug(self) -> Callable[[Request], Debuggee] | None:
            """The program with the values of a run, for a debugger."""
            ...

        @property
        def scene(self) -> Callable[[Request], Drawn] | None:
            """The triangles of a run as the rasterizer gets them."""
            ...

        @property
        def difference(self) -> Callable[[Loaded, tuple[Request, Request]], Comparison] | None:
            """Compare with another program of the instruction set, for all inputs; the requests are those of the two."""
            ...

        @property
        def time(self) -> Callable[[Request], Answer] | None:
            """The cycles of the program."""
            ...


NO, POSSIBLE, CERTAIN = range(3)


class Language(Record):
    """An assembly language of an instruction set. `recognises` answers NO, POSSIBLE or CERTAIN for a text.

    `read` gives the program of the sources of a request. `write` gives a program of the same package as sources of this
    language, `format` a source with its lines arranged: (name, text, reader of included files, indentation). `mnemonics` are
    the names of its instructions. `editor` is what it does for editors; None for one that they only show. `lexicon` is how it
    is coloured.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[str], int]
    read: Callable[[Request], Loaded]
    write: Callable[[Loaded, Request], Disassembly] | None
    format: Callable[[str, str, Callable[[str], str] | None, Indent], str] | None
    mnemonics: Callable[[], Iterable[str]]
    editor: Callable[[], Editor] | None = None
    lexicon: Callable[[], Lexicon] | None = None


class Container(Record):
    """A kind of file that holds programs. `recognises` answers NO, POSSIBLE or CERTAIN for its first bytes.

    `read` gives the program of the file of a request, `write` the bytes of a program of the same package. `doubts` gives the
    reasons against bytes being such a file; without it the first error of reading them is the reason. `members` are the names
    of the programs in the file of a request, each with the program that it means, None for a container of one program; a
    request has the name of the one that is meant as the value `program`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], int]
    read: Callable[[Request], Loaded]
    write: Callable[[Loaded], bytes] | None
    doubts: Callable[[bytes], str] | None = None
    members: Callable[[Request], Mapping[str, str]] | None = None


class Variant(Record):
    """A value of `--profile`, `--device` or `--rule`: name, summary and evidence."""

    option: str
    name: str
    summary: str
    evidence: str


class Reference(Record):
    """The reference of an instruction set: pages for `lanewise isa`, as blocks and as plain data, and for `docs/`, as blocks.

    `document` is everything on one page, `rules` the section of the page on the rules of `lanewise check`.
    """

    overview: Callable[[], tuple[Sequence[Block], Mapping[str, object]]]
    instruction: Callable[[str], tuple[Sequence[Block], Mapping[str, object]]]
    evidence: Callable[[], tuple[Sequence[Block], Mapping[str, object]]] | None = None
    decode: Callable[[Request], tuple[Sequence[Block], Mapping[str, object]]] | None = None
    document: Callable[[], Sequence[Block]] | None = None
    rules: Callable[[], Sequence[Block]] | None = None


class Experiments(Record):
    """Programs that would settle open questions about a device: `plan` gives the page of some questions or of all, `kit` the
    files of a project that runs them by path, `read` what a result file settles, with the profile as its only file. Raise
    UsageError, InputError."""

    plan: Callable[[Sequence[str]], Answer]
    kit: Callable[[], Mapping[str, bytes]]
    read: Callable[[bytes, str], Answer]


class IsaPackage(Record):
    """An instruction set: what the rest of the house may know of it. `title` is its name in messages, `about` a line on what it
    is.

    `manual` gives what it adds to a command, by the command's name. `load` reads files of a request whatever their form,
    `assemble` sources to the files that a command line asks for. `scan` looks for its programs inside any bytes, and has the
    files for the folder of `--extract`, and each different program, where that option is given; `wrap` makes a public object a
    file for services. `volume` is what its rasterizer keeps of clip space, a `lanewise.drawing.volume.Volume`: programs whose
    results have a position are drawn by it; `indexed` says that runs take `--indices` themselves. `random_programs` are what
    `lanewise fuzz` runs on its engines, `optimised_programs` the same beside what `optimise` makes of them, `shader_tests` what
    the pytest plugin runs. `bench` gives the files of a test bench for hardware, named without their folder, each with the mark
    of `lanewise rtl` near its beginning. `optimise` gives a smaller program with the same outputs, `translate` the program as
    source code in the language that the value `to` names. `experiments` are what `lanewise evidence` prints, writes and reads.
    `vectors` are the test vectors of `lanewise vectors`, `random_jobs` the programs of `lanewise fuzz --against`.
    """

    name: str
    title: str
    about: str
    languages: tuple[Language, ...]
    containers: tuple[Container, ...]
    codes: Callable[[], Sequence[Code]]
    variants: Callable[[], Sequence[Variant]]
    manual: Callable[[str], Manual]
    load: Callable[[Request], Loaded]
    assemble: Callable[[Request], Answer]
    reference: Callable[[], Reference] | None = None
    scan: Callable[[Request], Answer] | None = None
    wrap: Callable[[Program, Request], Loaded] | None = None
    random_programs: Callable[[], RandomPrograms] | None = None
    shader_tests: Callable[[], ShaderTests] | None = None
    volume: Callable[[], object] | None = None
    indexed: bool = False
    bench: Callable[[Loaded, Request], Answer] | None = None
    optimise: Callable[[Loaded, Request], Answer] | None = None
    translate: Callable[[Loaded, Request], Answer] | None = None
    experiments: Callable[[], Experiments] | None = None
    optimised_programs: Callable[[], RandomPrograms] | None = None
    vectors: Callable[[], Vectors] | None = None
    random_jobs: Callable[[], RandomJobs] | None = None


__all__ = ["CERTAIN", "NO", "POSSIBLE", "Container", "Experiments", "IsaPackage", "Language", "Reference", "Variant"]
