"""The services of a language for editors: `Editor`, functions over an `Analysis` of a source. Front ends (`lanewise lsp`, the
studio) ask it and know no language.

Places are spans of `core.source`: lines and columns from 1, in characters. Nothing here raises for what a text holds:
half-written sources are the normal case.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.occurrences import Extent, Occurrence
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.core.source import Span


class Placed(Record):
    """Words of the program that a statement makes: `words` of them from `address` on. `span` is the statement; `damaged` says
    that it could not be read, so that the words are a placeholder."""

    span: Span
    address: int
    words: int = 1
    damaged: bool = False


class Entry(Record):
    """A place where a run begins."""

    name: str
    "Argument of `lanewise run --entry`; empty for the only entry."
    span: Span
    "Place of the name in the source."
    extent: Extent | None = None
    "Lines of the code from the entry to its end; None where they are not known."
    words: int = 0
    "Machine words that the program uses; 0 where they are not known."
    limit: int = 0
    "Most machine words that a program may have; 0 without a limit."


class Analysis(Record):
    """All that an editor needs of the sources of a request."""

    findings: tuple[Diagnostic, ...] = ()
    "Findings of reading and of `lanewise check`, of the undamaged parts where there are errors."
    ignored: tuple[Diagnostic, ...] = ()
    "Findings that a comment suppresses."
    occurrences: Iterable[Occurrence] = ()
    "Names in the sources, in the order of the sources."
    placed: tuple[Placed, ...] = ()
    "Statements with their words, in the order of the sources."
    entries: tuple[Entry, ...] = ()
    "Places where a run begins."
    loaded: Loaded | None = None
    "The program; None where the sources have errors."
    state: object = None
    "Kept for the functions of the editor, which know its type."


class Completion(Record):
    """A text that may stand at the cursor."""

    text: str
    "Text that the list shows, and that is written where there is no `snippet`."
    kind: str
    "One of `core.occurrences.KINDS`."
    span: Span
    "Text that it replaces: the part of a word before the cursor."
    detail: str = ""
    "One line beside the text in the list."
    about: Callable[[], Sequence[Block]] | None = None
    "Page on the text; None where there is none."
    snippet: str = ""
    "Text with places to fill in, `${1:dst}`; empty where it is `text` itself."
    order: int = 0
    "Rank in the list: lower is better."


class Signature(Record):
    """The operands of the instruction or directive at a place: `parts` are (what it is called, what it may be), `label` is the
    line that shows them all, and `active` the number of the one at the cursor, from 0."""

    label: str
    parts: tuple[tuple[str, str], ...]
    active: int
    about: Callable[[], Sequence[Block]] | None = None


class Inlay(Record):
    """A text that an editor shows at the end of a statement or before it: `kind` is a key of `Editor.inlays`."""

    span: Span
    kind: str
    text: str
    about: str = ""


class Editor(Record):
    """The services of a language for editors. Places are a file's name with line and column."""

    analyse: Callable[[Request], Analysis]
    "Sources of a request, read and checked; it never raises for what they hold."
    describe: Callable[[Analysis, Occurrence], Sequence[Block]]
    "Page of a name: of an instruction its reference, of a register its meaning and where it is live."
    complete: Callable[[Analysis, str, str, int, int], Sequence[Completion]]
    "Texts that may stand at a place, from the file, its text now, the line and the column."
    signature: Callable[[Analysis, str, str, int, int], Signature | None]
    "Operands of what is at a place: arguments as for `complete`; None where nothing takes operands."
    inlays: dict[str, str]
    "Kinds of remarks that the language has, each with what an editor calls it."
    remarks: Callable[[Analysis, Sequence[str]], Sequence[Inlay]]
    "Remarks of the wanted kinds, keys of `inlays`."
    comment: str = ";"
    "Text that starts a comment."


__all__ = ["Analysis", "Completion", "Editor", "Entry", "Inlay", "Placed", "Signature"]
