"""The nihstro language as a row of `text.dialects`."""

from __future__ import annotations

from lanewise.core.package import NO, POSSIBLE
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialect import Dialect

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.text.formatting import Line
    from lanewise.pica200.isa.layout import Layout
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.isa.program import Interface, Operation, Program
    from lanewise.pica200.text.dialect import Draft, Options
    from lanewise.pica200.text.naming import Naming
    from lanewise.pica200.text.nihstro.naming import NihstroNames
    from lanewise.pica200.text.vocabulary import Vocabulary


def _recognises(text: str) -> int:
    """POSSIBLE for a text with a label, and with a comment or an alias as this language writes them."""
    return POSSIBLE if ("//" in text.replace("://", "") or ".alias" in text) and _has_label(text) else NO


def _has_label(text: str) -> bool:
    return any(line.rstrip().endswith(":") and line.rstrip()[:-1].strip().isidentifier() for line in text.split("\n"))


def _read(sources: Sequence[tuple[str, str]], options: Options) -> tuple[Module, list[Diagnostic]]:
    from lanewise.pica200.text.nihstro.reader import Reader

    reader = Reader(options.read, entry=options.entry, geometry=options.geometry, names=_recorder(options.names))
    for name, text in sources:
        reader.read(name, text)
    return reader.finish(), list(reader.diagnostics)


def _layout(_options: Options) -> Layout:
    """No padding, labels as entries, and only equal descriptors are shared (conformance, nihstro rules 4 and 6)."""
    from lanewise.pica200.isa.layout import Layout

    return Layout(pads=False, exact_limits=True, labels=True, merges=False)


def _mnemonics() -> Iterable[str]:
    from lanewise.pica200.text.nihstro.syntax import MNEMONICS

    return MNEMONICS


def _instructions() -> Container[str]:
    from lanewise.pica200.text.nihstro.syntax import SAYS

    return SAYS


def _fixes() -> Mapping[str, str]:
    from lanewise.pica200.text.nihstro.fixes import FIXES

    return FIXES


def _read_line(text: str) -> Line:
    from lanewise.pica200.text.nihstro.formatting import read_line

    return read_line(text)


def _drafts(program: Program, stem: str) -> Iterator[Draft]:
    from lanewise.pica200.text.nihstro.drafts import drafts

    return drafts(program, stem)


def _lexicon() -> Lexicon:
    from lanewise.pica200.text.nihstro.lexicon import lexicon

    return lexicon()


def _recorder(names: Naming | None) -> NihstroNames | None:
    """What records names, if it is this language's."""
    if names is None:
        return None
    from lanewise.pica200.text.nihstro.naming import NihstroNames as Recorder

    return names if isinstance(names, Recorder) else None


def _vocabulary() -> Vocabulary:
    from lanewise.pica200.text.nihstro.vocabulary import VOCABULARY

    return VOCABULARY


def _names() -> Naming:
    from lanewise.pica200.text.nihstro.naming import NihstroNames as Recorder

    return Recorder()


def _statement(interface: Interface | None, operation: Operation) -> str:
    from lanewise.pica200.text.nihstro.statement import statement

    return statement(interface, operation)


NIHSTRO = Dialect(
    name="nihstro",
    title="nihstro",
    suffixes=(".vsh", ".gsh"),
    comment="//",
    recognises=_recognises,
    read=_read,
    layout=_layout,
    mnemonics=_mnemonics,
    instructions=_instructions,
    takes={"entry": "-e", "geometry": "-g"},
    instead={},
    fixes=_fixes,
    read_line=_read_line,
    drafts=_drafts,
    container="nihstro",
    lexicon=_lexicon,
    names=_names,
    vocabulary=_vocabulary,
    statement=_statement,
)
