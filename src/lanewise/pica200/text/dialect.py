"""What an assembly language of the PICA200 is to the rest of the package: `Dialect`, a row with one entry for every question.

The functions of a row import what they need when they are called: `text.dialects` lists the rows, and every start of the
assembler reads it.
"""

from __future__ import annotations

from lanewise.core.package import lazy
from lanewise.core.record import TYPE_CHECKING, Record, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.service import Disassembly
    from lanewise.core.text.formatting import Line
    from lanewise.pica200.isa.layout import Layout
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.isa.program import Interface, Operation, Program
    from lanewise.pica200.text.naming import Naming
    from lanewise.pica200.text.vocabulary import Vocabulary


class Options(Record):
    """How sources are read. A language ignores the options that it does not have."""

    compatible: bool = False
    "Accept what the original tool accepts."
    padding: bool = True
    "Insert NOPs where the hardware needs them."
    entry: str = ""
    "Label where a program begins; empty for that of the language."
    geometry: bool = False
    "The sources are geometry shaders."
    read: Callable[[str], str] | None = None
    "Text of an included file, raises OSError; None where sources cannot include."
    folders: tuple[str, ...] = ()
    "Folders that are searched for included files, after that of the file that includes."
    names: Naming | None = None
    "Record of the names of the sources, for editors, from `Dialect.names`; None where nothing needs them."


class Draft(Record):
    """Sources that may be a program: the caller assembles them with `options` and compares.

    `fields`: they are the program only after the container fields that differ have been appended, with `Dialect.set_field`.
    `doubted` says in its first line that the original tool writes another program: it takes the place of `made` where that is
    so.
    """

    made: Disassembly
    options: Options = Options()
    fields: bool = False
    doubted: Disassembly | None = None


class Dialect(Record):
    """An assembly language. A command that needs a function that is None refuses the language."""

    name: str
    "Argument of `--dialect`, in lower case."
    title: str
    "Name in messages."
    suffixes: tuple[str, ...]
    "File suffixes with their dots; the first is that of files that are written."
    comment: str
    "Text that starts a comment."
    recognises: Callable[[str], int]
    "NO, POSSIBLE or CERTAIN for a text (`core.package`)."
    read: Callable[[Sequence[tuple[str, str]], Options], tuple[Module, list[Diagnostic]]]
    "Module of (name, text) pairs that are linked, with its findings."
    layout: Callable[[Options], Layout]
    "Policy by which that module gets its addresses."
    mnemonics: Callable[[], Iterable[str]]
    "Names of instructions that its sources use."
    instructions: Callable[[], Container[str]]
    "Rows of the instruction table that it has words for."
    takes: Mapping[str, str]
    "Usual spelling of each option of a command that the language has, by key."
    instead: Mapping[str, str]
    "Text of a source in place of each option of a command that the language does not have."
    fixes: Callable[[], Mapping[str, str]] | None = None
    "Its own words for fixes of later stages, by code of the finding."
    read_line: Callable[[str], Line] | None = None
    "Split a line for `core.text.formatting`."
    modes: tuple[Options, ...] = (Options(),)
    "Options under all of which a formatted source must give the same bytes."
    adapt: Callable[[Program], tuple[Program, tuple[str, ...]]] | None = None
    "A program of another language with declarations that this one can express, and a line on each that was changed."
    drafts: Callable[[Program, str], Iterator[Draft]] | None = None
    "Sources for a program, the preferred ones first."
    set_field: Callable[[str, int | bytes], str] | None = None
    "Line that sets a field of the container; with it the language is `lossless`."
    container: str = ""
    "Layout in which the original tool writes files (`container.layout`); empty where that is the default."
    names: Callable[[], Naming] | None = None
    "Record of the names of sources while they are read; editors need it and `vocabulary`."
    vocabulary: Callable[[], Vocabulary] | None = None
    "Words of the names, for editors."
    lexicon: Callable[[], Lexicon] | None = None
    "Rules by which it is coloured."
    statement: Callable[[Interface | None, Operation], str] | None = None
    "Text of one instruction without a target, with the names of a shader."
    pair: tuple[str, ...] = ()
    "Suffixes of sources that build systems link where the rest of their names is the same, in order; empty for none."

    def __reduce__(self) -> tuple[Callable[[str], Dialect], tuple[str]]:
        """A row of `text.dialects` is that row in another process too."""
        return _row, (self.name,)

    @property
    def lossless(self) -> bool:
        """Whether the sources of a file give its bytes back."""
        return self.set_field is not None

    def phrased(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Findings with fixes that a source in this language can follow."""
        if self.fixes is None:
            return list(findings)
        fixes = self.fixes()
        return [finding._replace(fix=fixes.get(finding.code, "{fix}").replace("{fix}", finding.fix)) for finding in findings]


def _row(name: str) -> Dialect:
    """The row of a language, from the list of all: languages do not import each other."""
    (dialects,) = lazy("lanewise.pica200.text", "dialects")
    return cast("Callable[[str], Dialect]", dialects.dialect_named)(name)


__all__ = ["Dialect", "Draft", "Options"]
