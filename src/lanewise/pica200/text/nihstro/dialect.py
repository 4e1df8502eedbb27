"""The nihstro language as a row of `text.dialects`."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialect import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.layout import Layout
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.text.dialect import Options
    from lanewise.pica200.text.naming import Naming
    from lanewise.pica200.text.nihstro import drafts, fixes, formatting, lexicon, naming, statement, syntax, vocabulary
    from lanewise.pica200.text.nihstro.naming import NihstroNames
else:
    from lanewise.core.package import lazy

    drafts, fixes, formatting, lexicon, naming, statement, syntax, vocabulary = lazy(
        "lanewise.pica200.text.nihstro", "drafts fixes formatting lexicon naming statement syntax vocabulary"
    )


def _recognises(text: str) -> int:
    """CERTAIN for a text with a label and an alias of a form that only this language has, POSSIBLE for one with a label and a
    comment or another alias."""
    if not _has_label(text) or ("//" not in text.replace("://", "") and ".alias" not in text):
        return NO
    words = [line.split() for line in text.split("\n")]
    return CERTAIN if any(each[:1] == [".alias"] and each[3:4] == ["as"] for each in words) else POSSIBLE


def _has_label(text: str) -> bool:
    return any(line.rstrip().endswith(":") and line.rstrip()[:-1].strip().isidentifier() for line in text.split("\n"))


def _read(sources: Sequence[tuple[str, str]], options: Options) -> tuple[Module, list[Diagnostic]]:
    from lanewise.pica200.text.nihstro.reader import Reader

    reader = Reader(
        options.read,
        folders=options.folders,
        entry=options.entry,
        geometry=options.geometry,
        names=_recorder(options.names),
    )
    for name, text in sources:
        reader.read(name, text)
    return reader.finish(), list(reader.diagnostics)


def _layout(_options: Options) -> Layout:
    """No padding, labels as entries, and only equal descriptors are shared (conformance, nihstro rules 4 and 6)."""
    from lanewise.pica200.isa.layout import Layout

    return Layout(pads=False, exact_limits=True, labels=True, merges=False)


def _recorder(names: Naming | None) -> NihstroNames | None:
    """What records names, if it is this language's."""
    if names is None:
        return None
    from lanewise.pica200.text.nihstro.naming import NihstroNames as Recorder

    return names if isinstance(names, Recorder) else None


NIHSTRO = Dialect(
    name="nihstro",
    title="nihstro",
    suffixes=(".vsh", ".gsh"),
    comment="//",
    recognises=_recognises,
    read=_read,
    layout=_layout,
    mnemonics=lambda: syntax.MNEMONICS,
    instructions=lambda: syntax.SAYS,
    takes={"entry": "-e", "geometry": "-g", "include": "-I"},
    instead={},
    fixes=lambda: fixes.FIXES,
    read_line=formatting.read_line,
    drafts=drafts.drafts,
    container="nihstro",
    lexicon=lexicon.lexicon,
    names=naming.NihstroNames,
    vocabulary=lambda: vocabulary.VOCABULARY,
    statement=statement.statement,
)
