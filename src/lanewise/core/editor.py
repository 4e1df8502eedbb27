"""What a language offers to editors: `Editor`, functions over an `Analysis` of a source. Front ends (`lanewise lsp`, the
studio) ask it and know no language.

Places are spans of `core.source`: lines and columns from 1, in characters. Nothing here raises for what a text holds:
half-written sources are the normal case.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    """A place where a run begins: `name` is what `lanewise run --entry` takes, empty for the only one. `words` of `limit` words
    are used (0: no limit)."""

    name: str
    span: Span
    extent: Extent | None = None
    words: int = 0
    limit: int = 0


class Analysis(Record):
    """All that an editor needs of the sources of a request.

    `findings` are those of reading and of `lanewise check`, of the undamaged parts where there are errors; `ignored` those that
    a comment suppresses. `occurrences` and `placed` are in the order of the sources. `loaded` is the program, None where the
    sources have errors. `state` is what the functions of the editor keep of the language.
    """

    findings: tuple[Diagnostic, ...] = ()
    ignored: tuple[Diagnostic, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    placed: tuple[Placed, ...] = ()
    entries: tuple[Entry, ...] = ()
    loaded: Loaded | None = None
    state: object = None


class Completion(Record):
    """A text that may stand at the cursor. `kind` is one of `core.occurrences.KINDS`; `detail` is one line, `about` a page.

    `span` is what it replaces, the part of a word before the cursor. `snippet` is the text with places to fill in, `${1:dst}`,
    empty where it is `text` itself. `order` sorts: lower is better.
    """

    text: str
    kind: str
    span: Span
    detail: str = ""
    about: Callable[[], Sequence[Block]] | None = None
    snippet: str = ""
    order: int = 0


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
    """What a language does for editors. Places are a file's name with line and column.

    `analyse` never raises for what the sources hold. `describe` is the page of a name: of an instruction its reference, of a
    register its meaning and where it is live. `complete` gives what may stand at a place, `signature` the operands of what is
    there. `inlays` maps the kinds of remarks that it has to what an editor calls them, and `remarks` makes those of the kinds
    that are wanted. `comment` starts a comment.
    """

    analyse: Callable[[Request], Analysis]
    describe: Callable[[Analysis, Occurrence], Sequence[Block]]
    complete: Callable[[Analysis, str, str, int, int], Sequence[Completion]]  # file, its text now, line, column
    signature: Callable[[Analysis, str, str, int, int], Signature | None]
    inlays: dict[str, str]
    remarks: Callable[[Analysis, Sequence[str]], Sequence[Inlay]]
    comment: str = ";"


__all__ = ["Analysis", "Completion", "Editor", "Entry", "Inlay", "Placed", "Signature"]
