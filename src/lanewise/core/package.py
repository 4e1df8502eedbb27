"""Interface of an instruction set's package: `IsaPackage`, `Language`, `Container`, `Loaded`.

The records hold plain functions of modules that are imported when they are called (`lazy`), so that a package costs nothing
until it is used. None is a service that an instruction set lacks; commands then report that. `lanewise.packages` names all
packages.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Protocol

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


class LazyModule:
    """A module that is imported when a function of it is called, or a value of it is read: a name in capitals."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> object:
        def found() -> Any:
            return getattr(__import__(self._path, fromlist=(name,)), name)

        def call(*arguments: object) -> object:
            return found()(*arguments)

        return found() if name.isupper() else call


def lazy(folder: str, names: str) -> list[LazyModule]:
    """Modules of a folder, whose names are separated by blanks. Under TYPE_CHECKING they are imported instead, for their
    types."""
    return [LazyModule(f"{folder}.{name}") for name in names.split()]


class Language(Record):
    """An assembly language of an instruction set."""

    name: str
    "Argument of `--dialect`, in lower case."
    title: str
    "Name in messages."
    suffixes: tuple[str, ...]
    "File suffixes with their dots, such as `.vsh`; the first is that of files that are written."
    recognises: Callable[[str], int]
    "NO, POSSIBLE or CERTAIN for a text."
    read: Callable[[Request], Loaded]
    "Program of the sources of a request. Raises InputError."
    write: Callable[[Loaded, Request], Disassembly] | None
    "A program of the same package as sources of this language; None where it cannot be written."
    format: Callable[[str, str, Callable[[str], str] | None, Indent], str] | None
    "A source with its lines arranged, from (name, text, reader of included files, indentation)."
    mnemonics: Callable[[], Iterable[str]]
    "Names of its instructions."
    editor: Callable[[], Editor] | None = None
    "Functions for editors; None for a language that they only show."
    lexicon: Callable[[], Lexicon] | None = None
    "Rules by which it is coloured."
    pair: tuple[str, ...] = ()
    "Suffixes of sources that build systems link where the rest of their names is the same, in order; empty for none."


class Container(Record):
    """A kind of file that holds programs."""

    name: str
    "Key in JSON and on the command line, in lower case."
    title: str
    "Noun phrase for messages, with its article."
    suffixes: tuple[str, ...]
    "File suffixes with their dots; the first is that of files that are written."
    recognises: Callable[[bytes], int]
    "NO, POSSIBLE or CERTAIN for the first bytes of a file."
    read: Callable[[Request], Loaded]
    "Program of the file of a request. Raises InputError."
    write: Callable[[Loaded], bytes] | None
    "Bytes of a program of the same package; None where it cannot be written."
    doubts: Callable[[bytes], str] | None = None
    "Reason against bytes being such a file, empty for none; without it the first error of reading is the reason."
    members: Callable[[Request], Mapping[str, str]] | None = None
    "Names of the programs in the file, each with the request value `program` that means it; None where there is one."
    member: str = "program"
    "Noun for what has such a name, in messages."
    text: bool = False
    "It may be a text: nothing is said of others to a text that nothing recognises."
    text_suffixes: tuple[str, ...] = ()
    "Suffixes of texts that are nothing else: of one that is not recognised the errors of reading are shown."


class Variant(Record):
    """A value of `--profile`, `--device` or `--rule`: name, summary and evidence."""

    option: str
    name: str
    summary: str
    evidence: str


class Reference(Record):
    """The reference of an instruction set: pages of `lanewise isa`, as blocks and as plain data, and of `docs/`, as blocks."""

    overview: Callable[[], tuple[Sequence[Block], Mapping[str, object]]]
    "Page without an argument: instructions, registers, limits."
    instruction: Callable[[str], tuple[Sequence[Block], Mapping[str, object]]]
    "Page of the instruction of that name. Raises UsageError."
    evidence: Callable[[str], tuple[Sequence[Block], Mapping[str, object]]] | None = None
    "Page on how well the facts about a topic, or all, are known; None without such a page. Raises UsageError: unknown topic."
    decode: Callable[[Request], tuple[Sequence[Block], Mapping[str, object]]] | None = None
    "Fields of the words that a request names; None where words have no fields to show."
    document: Callable[[], Sequence[Block]] | None = None
    "Everything on one page of `docs/`; None without such a page."
    rules: Callable[[], Sequence[Block]] | None = None
    "Section on the rules of `lanewise check`; None where it has none."
    machine: Callable[[Request, str], Answer | None] | None = None
    "Page of the device that options name, or of an instruction on it; None where they name none, or there is but one."


class Experiments(Record):
    """Programs that would settle open questions about a device: `plan` gives the page of some questions or of all, `kit` the
    files of a project that runs them by path, `read` what a result file settles, with the profile as its only file. Raise
    UsageError, InputError."""

    plan: Callable[[Sequence[str]], Answer]
    kit: Callable[[], Mapping[str, bytes]]
    read: Callable[[bytes, str], Answer]


class FrameServices(Record):
    """Recorded frames, for `lanewise frame`: `show` lists the draws of a file, `convert` writes it in another form;
    `identities` gives the names that `show` has for the program of a file, which its value `known` takes as NAME=FILE. Raise
    UsageError, InputError, InputFailure."""

    show: Callable[[Request], Answer]
    convert: Callable[[Request], Answer]
    identities: Callable[[Loaded], Sequence[str]]


class IsaPackage(Record):
    """An instruction set: all that the rest of the house knows of it. A service that is None is reported as missing.

    Services raise UsageError and InputError, and open no files but through their request.
    """

    name: str
    "Argument of `--isa` and key in JSON, in lower case; it never changes."
    title: str
    "Name in messages and headings."
    about: str
    "One line on what it is, for lists of instruction sets."
    languages: tuple[Language, ...]
    "Assembly languages; in files that several recognise equally well, the first is taken."
    containers: tuple[Container, ...]
    "Kinds of files with programs."
    codes: Callable[[], Sequence[Code]]
    "Rows of `docs/diagnostics.md`: every finding that its services report, but for those that all share."
    variants: Callable[[], Sequence[Variant]]
    "Values of `--profile`, `--device` and `--rule`."
    manual: Callable[[str], Manual]
    "Options and texts that it adds to the help of a command, by the command's name."
    load: Callable[[Request], Loaded]
    "Program of the files of a request, whatever their form."
    assemble: Callable[[Request], Answer]
    "Files that `lanewise asm` writes for the sources of a request."
    reference: Callable[[], Reference] | None = None
    "Pages of `lanewise isa` and of its page in `docs/`."
    scan: Callable[[Request], Answer] | None = None
    "Search for its programs inside any bytes; with `--extract` the answer has the files of the programs."
    wrap: Callable[[Program, Request], Loaded] | None = None
    "A public object as a file for services."
    random_programs: Callable[[], RandomPrograms] | None = None
    "Programs of `lanewise fuzz`, run on each of its engines."
    shader_tests: Callable[[], ShaderTests] | None = None
    "How the pytest plugin runs a test of its programs."
    volume: Callable[[], object] | None = None
    "Clip space as its rasterizer keeps it, a `drawing.volume.Volume`; results with a position are drawn by it."
    indexed: bool = False
    "Runs take `--indices` themselves."
    bench: Callable[[Loaded | None, Request], Answer] | None = None
    "Files of a test bench for hardware, named without their folder, each with the mark of `lanewise rtl` near its beginning."
    "For None, the answer to options that need no program."
    optimise: Callable[[Loaded, Request], Answer] | None = None
    "A smaller program with the same outputs, for `lanewise opt`; its steps are hints of `lanewise check --hints`."
    own_hints: bool = False
    "`check` of its files has hints of its own, in place of those steps."
    translate: Callable[[Loaded, Request], Answer] | None = None
    "The program as source code in the language that the value `to` names."
    experiments: Callable[[], Experiments] | None = None
    "Programs and results of `lanewise evidence`."
    optimised_programs: Callable[[], RandomPrograms] | None = None
    "Programs of `lanewise fuzz --target NAME-opt`, run beside what `optimise` makes of them."
    vectors: Callable[[], Vectors] | None = None
    "Test vectors of `lanewise vectors`."
    random_jobs: Callable[[], RandomJobs] | None = None
    "Programs of `lanewise fuzz --against`."
    frames: FrameServices | None = None
    "Recorded frames of `lanewise frame`."
    also: tuple[str, ...] = ()
    "Other names that people give it, in lower case: who types one is told the name that is meant."


__all__ = [
    "CERTAIN",
    "NO",
    "POSSIBLE",
    "Container",
    "Experiments",
    "FrameServices",
    "IsaPackage",
    "Language",
    "Reference",
    "Variant",
    "lazy",
]
