"""What an assembly language of the PICA200 is to the rest of the package: `Dialect`, a row with one entry for every question.

The functions of a row import what they need when they are called: `text.dialects` lists the rows, and every start of the
assembler reads it.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

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
    """How sources are read. A language ignores the options that it does not have.

    `compatible`: accept what the original tool accepts; `padding`: insert NOPs where the hardware needs them; `entry`: the
    label where a program begins; `geometry`: the sources are geometry shaders; `read` gives the text of an included file or
    raises OSError. `names` gets the names of the sources, for editors: it is what `Dialect.names` made.
    """

    compatible: bool = False
    padding: bool = True
    entry: str = ""
    geometry: bool = False
    read: Callable[[str], str] | None = None
    names: Naming | None = None


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
    """An assembly language. What is None it does not have: the command that needs it refuses the language.

    `recognises` answers NO, POSSIBLE or CERTAIN for a text (`core.package`). `read` gives the module of (name, text) pairs that
    are linked, with its findings; `layout` the policy by which that module gets its addresses. `mnemonics` are the names that
    its sources use, `instructions` the rows of the instruction table that it has words for.

    `takes` maps each option of a command that the language has to its usual spelling; `instead` maps one that it does not have
    to what a source says in its place. `fixes` are its own words for what later stages suggest, by code of the finding.

    `read_line` splits a line for `core.text.formatting`; a formatted source must give the same bytes under all `modes`.

    `adapt` gives a program that was assembled from another language with declarations that this one can express, and a line for
    each that it changed. `drafts` gives sources for a program, the preferred ones first; `set_field` is the line that sets a
    field of the container. A language with such a line is `lossless`: the sources of a file give its bytes back; those of the
    others give its operations and interface. `container` is the layout in which the original tool writes files
    (`container.layout`); empty where that is the default. `names` makes what records the names of sources while they are read,
    `vocabulary` gives their words: editors need both. `lexicon` is how the language is coloured. `statement` is one instruction
    without a target as text, with the names of a shader.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    comment: str
    recognises: Callable[[str], int]
    read: Callable[[Sequence[tuple[str, str]], Options], tuple[Module, list[Diagnostic]]]
    layout: Callable[[Options], Layout]
    mnemonics: Callable[[], Iterable[str]]
    instructions: Callable[[], Container[str]]
    takes: Mapping[str, str]
    instead: Mapping[str, str]
    fixes: Callable[[], Mapping[str, str]] | None = None
    read_line: Callable[[str], Line] | None = None
    modes: tuple[Options, ...] = (Options(),)
    adapt: Callable[[Program], tuple[Program, tuple[str, ...]]] | None = None
    drafts: Callable[[Program, str], Iterator[Draft]] | None = None
    set_field: Callable[[str, int | bytes], str] | None = None
    container: str = ""
    names: Callable[[], Naming] | None = None
    vocabulary: Callable[[], Vocabulary] | None = None
    lexicon: Callable[[], Lexicon] | None = None
    statement: Callable[[Interface | None, Operation], str] | None = None

    @property
    def lossless(self) -> bool:
        """Whether the sources of a file give its bytes back."""
        return self.set_field is not None

    def phrased(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Findings with fixes that a source in this language can follow."""
        if self.fixes is None:
            return list(findings)
        fixes = self.fixes()
        return [finding._replace(fix=fixes.get(finding.code, finding.fix)) for finding in findings]


__all__ = ["Dialect", "Draft", "Options"]
