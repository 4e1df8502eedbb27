"""The picasso language as a row of `text.dialects`."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialect import Dialect, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa import table
    from lanewise.pica200.isa.layout import Layout
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.text.naming import Naming
    from lanewise.pica200.text.picasso import adapting, drafts, formatting, lexicon, naming, statement, syntax, vocabulary
    from lanewise.pica200.text.picasso.naming import PicassoNames
else:
    from lanewise.core.package import lazy

    (table,) = lazy("lanewise.pica200.isa", "table")
    adapting, drafts, formatting, lexicon, naming, statement, syntax, vocabulary = lazy(
        "lanewise.pica200.text.picasso", "adapting drafts formatting lexicon naming statement syntax vocabulary"
    )


# Directives that no other language of the PICA200 has (reference/picasso.md, directives).
_DIRECTIVES = frozenset(
    (
        ".proc",
        ".fvec",
        ".ivec",
        ".bool",
        ".constf",
        ".consti",
        ".constfa",
        ".setf",
        ".seti",
        ".setb",
        ".in",
        ".out",
        ".nodvle",
        ".nonop",
        ".shbin",
    )
)


def _recognises(text: str) -> int:
    """CERTAIN for a text with a procedure, POSSIBLE for one with another directive that only this language has."""
    found = NO
    for line in text.split("\n") if "." in text else ():
        words = line.split(None, 1)
        if words and words[0] in _DIRECTIVES:
            if words[0] == ".proc":
                return CERTAIN
            found = POSSIBLE
    return found


def _read(sources: Sequence[tuple[str, str]], options: Options) -> tuple[Module, list[Diagnostic]]:
    from lanewise.pica200.text.picasso.reader import Reader

    reader = Reader(compatible=options.compatible, names=_recorder(options.names))
    for name, text in sources:
        reader.read(name, text)
    return reader.finish(), list(reader.diagnostics)


def _layout(options: Options) -> Layout:
    from lanewise.pica200.isa.layout import Layout

    return Layout(pads=True, exact_limits=not options.compatible)


def _recorder(names: Naming | None) -> PicassoNames | None:
    """What records names, if it is this language's."""
    if names is None:
        return None
    from lanewise.pica200.text.picasso.naming import PicassoNames as Recorder

    return names if isinstance(names, Recorder) else None


PICASSO = Dialect(
    name="picasso",
    title="picasso",
    suffixes=(".v.pica", ".g.pica", ".pica"),
    comment=";",
    recognises=_recognises,
    read=_read,
    layout=_layout,
    mnemonics=lambda: [op.name for op in table.OPS],
    instructions=lambda: syntax.MNEMONICS,
    takes={"picasso-compat": "--picasso-compat", "no-nop": "--no-nop", "header": "--header"},
    instead={"entry": ".entry", "geometry": ".gsh"},
    read_line=formatting.read_line,
    modes=(Options(), Options(compatible=True)),
    adapt=adapting.adapt,
    drafts=drafts.drafts,
    set_field=drafts.set_field,
    lexicon=lexicon.lexicon,
    names=naming.PicassoNames,
    vocabulary=lambda: vocabulary.VOCABULARY,
    statement=statement.statement,
    pair=(".v.pica", ".g.pica"),  # devkitPro/3ds-examples, graphics/gpu/geoshader/Makefile: `%.v.pica %.g.pica`
)
