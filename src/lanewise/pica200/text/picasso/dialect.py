"""The picasso language as a row of `text.dialects`."""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialect import Dialect, Options

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.lexicon import Lexicon
    from lanewise.core.text.formatting import Line
    from lanewise.pica200.isa.layout import Layout
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.isa.program import Interface, Operation, Program
    from lanewise.pica200.text.dialect import Draft
    from lanewise.pica200.text.naming import Naming
    from lanewise.pica200.text.picasso.naming import PicassoNames
    from lanewise.pica200.text.vocabulary import Vocabulary

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


def _mnemonics() -> Iterable[str]:
    from lanewise.pica200.isa.table import OPS

    return [op.name for op in OPS]


def _instructions() -> Container[str]:
    from lanewise.pica200.text.picasso.syntax import MNEMONICS

    return MNEMONICS


def _read_line(text: str) -> Line:
    from lanewise.pica200.text.picasso.formatting import read_line

    return read_line(text)


def _adapt(program: Program) -> tuple[Program, tuple[str, ...]]:
    from lanewise.pica200.text.picasso.adapting import adapt

    return adapt(program)


def _drafts(program: Program, stem: str) -> Iterator[Draft]:
    from lanewise.pica200.text.picasso.drafts import drafts

    return drafts(program, stem)


def _set_field(key: str, value: int | bytes) -> str:
    from lanewise.pica200.text.picasso.drafts import set_field

    return set_field(key, value)


def _lexicon() -> Lexicon:
    from lanewise.pica200.text.picasso.lexicon import lexicon

    return lexicon()


def _recorder(names: Naming | None) -> PicassoNames | None:
    """What records names, if it is this language's."""
    if names is None:
        return None
    from lanewise.pica200.text.picasso.naming import PicassoNames as Recorder

    return names if isinstance(names, Recorder) else None


def _vocabulary() -> Vocabulary:
    from lanewise.pica200.text.picasso.vocabulary import VOCABULARY

    return VOCABULARY


def _names() -> Naming:
    from lanewise.pica200.text.picasso.naming import PicassoNames as Recorder

    return Recorder()


def _statement(interface: Interface | None, operation: Operation) -> str:
    from lanewise.pica200.text.picasso.statement import statement

    return statement(interface, operation)


PICASSO = Dialect(
    name="picasso",
    title="picasso",
    suffixes=(".v.pica", ".g.pica", ".pica"),
    comment=";",
    recognises=_recognises,
    read=_read,
    layout=_layout,
    mnemonics=_mnemonics,
    instructions=_instructions,
    takes={"picasso-compat": "--picasso-compat", "no-nop": "--no-nop", "header": "--header"},
    instead={"entry": ".entry", "geometry": ".gsh"},
    read_line=_read_line,
    modes=(Options(), Options(compatible=True)),
    adapt=_adapt,
    drafts=_drafts,
    set_field=_set_field,
    lexicon=_lexicon,
    names=_names,
    vocabulary=_vocabulary,
    statement=_statement,
)
