"""Interface between commands and instruction sets: options, a request, an answer.

A command parses its command line by the `Option` rows of every package into a `Request`, passes it to a service of a package
and prints the `Answer`. A service opens no file and prints nothing: it reads through the request and returns the files to write
in its answer.
"""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from mmap import mmap

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.origins import Origins

    Searched = bytes | mmap

FLAG, TEXT, TEXTS, INTEGER, OPTIONAL = "flag", "text", "texts", "integer", "optional"
STDIO = "-"
# Keys of the options of sources that are compiled, which commands for assembled programs have too.
COMPILER_OPTIONS = (
    "define",
    "include",
    "entry-point",
    "constant",
    "semantic",
    "output-locations",
    "strict",
    "glsl-compiler",
    "preamble",
)


class UsageError(Exception):
    """The command line is wrong: one line for the user, exit code 2."""

    code = "U001"


class InputFailure(Exception):
    """An input cannot be used: one line for the user, exit code 1."""

    code = "U002"


def schema_name(name: str) -> str:
    """The text by which a JSON document names its shape, a file of `lanewise.schemas`."""
    return f"lanewise/{name}/1"


class Option(Record):
    """An option of a command."""

    names: tuple[str, ...]
    "As written on the command line, with dashes; the first long one is `key`."
    kind: str
    "FLAG, TEXT, TEXTS (may be repeated), INTEGER or OPTIONAL (a text, empty where none follows)."
    help: str
    "Line of the help, in lower case without a full stop."
    metavar: str = ""
    "Placeholder of the value in the help; empty for a flag."
    choices: tuple[str, ...] = ()
    "Accepted texts; empty for any."
    alone: bool = False
    "It replaces the FILE arguments."
    needs: str = ""
    "Key of the option that it requires; empty for none."
    value: str = ""
    "Regular expression of the values of an OPTIONAL one: another word after it is a FILE. Empty for any."

    @property
    def key(self) -> str:
        """The name by which a request has its value: the first long name without its dashes."""
        return next((name for name in self.names if name.startswith("--")), self.names[0]).lstrip("-")


FORCE = Option(
    names=("--force",), kind=FLAG, help="replace files that are read-only, and write through links that leave their folder"
)
INCLUDE = Option(
    names=("-I", "--include"),
    kind=TEXTS,
    help="a folder to search for included files, after that of the file that includes",
    metavar="DIR",
)
FOLLOW = Option(
    names=("--follow",), kind=FLAG, help="read included files and files that files name outside of the project and -I too"
)


# How far apart results of `diff` may be (`core.nearness`).
NEARNESS = (
    Option(
        names=("--ulp",),
        kind=INTEGER,
        help="results may be N units in the last place apart: a proof by --range, or the greatest difference found",
        metavar="N",
    ),
    Option(
        names=("--range",),
        kind=TEXTS,
        help="the numbers that an input or uniform may be; an end for each component with commas; * is all others; with --ulp",
        metavar="NAME=LOW..HIGH",
        needs="ulp",
    ),
)


_DIGITS = 10  # fewer in a number


def whole_number(text: str) -> int | None:
    """The value of an option of kind `INTEGER`; None for what is not some decimal digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else None


class Manual(Record):
    """Additions of an instruction set to a command: options, and texts for the help.

    The texts explain values and give examples of command lines. `forms` are the suffixes of -o, each with the option that says
    the same, such as `to=hex`; empty for the form that is written without an option.
    """

    options: tuple[Option, ...] = ()
    values: str = ""
    examples: str = ""
    forms: Mapping[str, str] = {}


NOTHING_ADDED = Manual()

if TYPE_CHECKING:
    from typing import Protocol

    Value = bool | int | str | tuple[str, ...]

    class Files(Protocol):
        """Access to files that options name."""

        def read(self, path: str) -> bytes:
            """The bytes of a file, of standard input for `-`. Raises InputFailure."""
            ...

        def exists(self, path: str) -> bool: ...

        def within(self, path: str) -> Files:
            """The files that the file of a path may name: those of its project."""
            ...


class SourceFile(Record):
    """An input file: its name in messages, what is in it, its path (`-` for standard input), and the program in it that is
    meant, if one is named."""

    name: str
    data: bytes
    path: str = ""
    member: str = ""

    @property
    def stem(self) -> str:
        """The file name up to its first dot: `light` for `shaders/light.v.sc`, `shader` for standard input."""
        return stem_of(self.path)


def stem_of(path: str) -> str:
    """The file name of a path up to its first dot; `shader` for standard input or no path."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return (name.partition(".")[0] if path != STDIO else "") or "shader"


class Request:
    """A command line for a package: the files, the values of options, and how other files are read.

    `language` names the language that the files are in, or is empty: as they look. `files` gives those that options name;
    `read_included` the text of a file that a source includes and raises OSError. `progress(done, total)` may be called during
    long work. `searched` are the bytes for a search inside the first file, which may be a large file that is mapped and not
    read. `origins` gets the places of values that are read.
    """

    command: str
    sources: tuple[SourceFile, ...]
    values: dict[str, Value]
    language: str

    def __init__(
        self,
        command: str,
        sources: Sequence[SourceFile],
        values: Mapping[str, Value],
        *,
        language: str = "",
        files: Files | None = None,
        read_included: Callable[[str], str] | None = None,
        progress: Callable[[int, int], None] | None = None,
        searched: Searched | None = None,
        origins: Origins | None = None,
    ) -> None:
        self.command = command
        self.sources = tuple(sources)
        self.values = dict(values)
        self.language = language
        self.files: Files = files or NoFiles()
        self.read_included = read_included
        self.progress = progress
        self.origins: Origins = {} if origins is None else origins
        self.searched: Searched = searched if searched is not None else self.sources[0].data if self.sources else b""

    @property
    def name(self) -> str:
        """The name of the first file in messages."""
        return self.sources[0].name if self.sources else ""

    def only(self, programs: str) -> SourceFile:
        """The one file of programs that are not linked. Raises UsageError."""
        if len(self.sources) != 1 or self.flag("link"):
            raise UsageError(f"name one file: {programs} are not linked" if self.sources else "name a FILE")
        return self.sources[0]

    def with_program(self, sources: Sequence[SourceFile], program: str) -> Request:
        """The same request for the program of that name in a file."""
        return self.with_values({"program": program}, sources)

    def with_values(self, values: Mapping[str, Value], sources: Sequence[SourceFile] | None = None) -> Request:
        """The same request with other values besides its own, and about other files if they are given."""
        return Request(
            self.command,
            self.sources if sources is None else sources,
            {**self.values, **values},
            language=self.language,
            files=self.files,
            read_included=self.read_included,
            progress=self.progress,
            searched=self.searched,
            origins=self.origins,
        )

    def silent(self) -> Request:
        """The same request without a function for its progress, for what outlives the work."""
        found = self.with_values({})
        found.progress = None
        return found

    def has(self, key: str) -> bool:
        """Whether an option was given."""
        return key in self.values

    def flag(self, key: str) -> bool:
        return bool(self.values.get(key, False))

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        return value if isinstance(value, str) else default

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, ())
        return value if isinstance(value, tuple) else ()

    def integer(self, key: str, default: int = 0) -> int:
        value = self.values.get(key, default)
        return value if isinstance(value, int) else default

    def whole(self, key: str) -> int | None:
        """The number of an option; None where it was not given."""
        return self.integer(key) if key in self.values else None

    @property
    def as_json(self) -> bool:
        """Whether the answer is for a program to read."""
        return self.text("format", "text") == "json"


class NoFiles:
    """Access to no file, for requests that do not come from a command line."""

    def read(self, path: str) -> bytes:
        raise InputFailure(f"cannot read {path}: only commands read files")

    def exists(self, path: str) -> bool:
        return False

    def within(self, path: str) -> Files:
        return self


class Inside(Record):
    """A program inside a file: its first offset there, its bytes, and the name of the file that `--extract` writes."""

    name: str
    offset: int
    data: bytes


HINTS = Option(
    names=("--hints",),
    kind=FLAG,
    help="also note what the program can do without: the steps of lanewise opt, each proved",
)


class Answer(Record):
    """Result of a service: the same facts as plain `data` and as a page or a text."""

    data: Mapping[str, object] = {}
    "Keys of the JSON document, findings included."
    page: tuple[Block, ...] = ()
    "Blocks for text output; empty where `text` has everything."
    text: str = ""
    "Output that is written unchanged, such as a source or DOT."
    first: tuple[Diagnostic, ...] = ()
    "Findings about the input, shown before the result."
    last: tuple[Diagnostic, ...] = ()
    "Findings about the result, shown after it."
    remarks: tuple[str, ...] = ()
    "Lines for standard error."
    files: tuple[tuple[str, bytes], ...] = ()
    "(path, bytes) to write."
    failed: bool = False
    "The input has errors: exit code 1."
    sources: Disassembly | None = None
    "Sources of a disassembly; None for other services."
    schema: str = ""
    "Name of the shape of `data`; empty for that of the command."
    result: object = None
    "Object that the answer is about, such as a result or a trace, for commands that go on with it."
    inside: tuple[Inside, ...] = ()
    "Programs that a search found in a file."


class Drawn(Record):
    """Triangles of a run: `scene` is a `lanewise.drawing.scene.Scene`. `first`, `last` and `failed` are as in `Answer`."""

    scene: object
    "The triangles."
    first: tuple[Diagnostic, ...] = ()
    "Findings shown before the drawing."
    last: tuple[Diagnostic, ...] = ()
    "Findings shown after it."
    failed: bool = False
    "The input has errors."
    cull: str = ""
    "Faces that the input itself leaves out: none, back or front; empty where it does not say."
    remarks: tuple[str, ...] = ()
    "Lines for standard error, such as what is not simulated."


class Stats(Record):
    """The cost of a program, as plain data and as lines of text."""

    data: Mapping[str, object]
    text: str


class Report(Record):
    """Findings about one program.

    `ignored` are findings that a comment suppresses; `stats` is its cost, if requested; `remarks` are lines for standard error.
    """

    findings: tuple[Diagnostic, ...]
    ignored: tuple[Diagnostic, ...] = ()
    stats: tuple[Stats, ...] = ()
    remarks: tuple[str, ...] = ()


class Source(Record):
    """One source of a disassembly."""

    name: str
    text: str

    def _repr_html_(self) -> str:
        from lanewise.core import html

        return html.title(self.name) + html.code(self.text, html.MOST * 3 // 4)


_TEXTS = ("code", "lines", "source", "splitlines", "text", "to_text", "write")


class Disassembly(Record):
    """The sources of a program, in the order of the command line."""

    sources: tuple[Source, ...]
    "One for each shader that is linked."
    plain: bool = True
    "They have no forms that only lanewise reads."
    arguments: tuple[str, ...] = ()
    "Options that reproduce the bytes."
    lost: tuple[str, ...] = ()
    "Parts of the program that the language cannot express."
    findings: tuple[Diagnostic, ...] = ()
    "About places without a form in the language."
    comment: str = ";"
    "Text that starts a comment in the language."

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name):
            fix = ": `sources[0].text` is the text" if name in _TEXTS else ""
            raise AttributeError(f"a Disassembly has no attribute '{name}'{fix}", name=name, obj=self)

    def _repr_html_(self) -> str:
        from lanewise.core import html

        share = html.MOST * 3 // 4 // max(len(self.sources), 1)
        return "".join([html.title(source.name) + html.code(source.text, share) for source in self.sources])


def failure(findings: Iterable[Diagnostic]) -> InputError:
    """The error of an input that cannot be read."""
    return InputError(tuple(findings))


_listeners: list[Callable[[str], None]] = []


class heard:  # noqa: N801 (a context manager; contextlib would be an import at each start)
    """In it the listener gets what `remark` says."""

    def __init__(self, listener: Callable[[str], None]) -> None:
        self.listener = listener

    def __enter__(self) -> None:
        _listeners.append(self.listener)

    def __exit__(self, *_: object) -> None:
        _listeners.pop()


def remark(message: str) -> None:
    """Say something about the machine that lanewise runs on, such as an unsafe cache: to the command that runs, in a Python
    program as a RuntimeWarning."""
    if _listeners:
        _listeners[-1](message)
        return
    import warnings  # a third of a millisecond of each start

    warnings.warn_explicit(message, RuntimeWarning, "lanewise", 0)
