"""Rules for the source registers of an instruction, for every dialect.

Source: the formats (one wide source, 7 bits; the others narrow, 5 bits) and devkitPro/picasso issue 6 (two input registers).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.encoder import INVERTED
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BUT_NAN,
    FLOAT,
    INTEGER,
    MIRRORED,
    NO,
    OPS,
    REGISTER_END,
    TEMPORARY,
    WIDE_SOURCE,
    register_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.isa.table import Op

_COUNTS = ("no", "one", "two", "three")
_MAX_NAMED = REGISTER_END

# By instruction: the sources, from 0, that may be wide in one of its forms.
_WIDE_PLACES = {
    op.name: tuple([WIDE_SOURCE[form.format.name] - 1 for form in (op, INVERTED.get(op.name)) if form is not None])
    for op in OPS
    if op.kind == ARITHMETIC
}


def wide_places(op: Op) -> tuple[int, ...]:
    """The sources of an instruction, from 0, that may be a float uniform or indexed: one of them at a time."""
    return _WIDE_PLACES.get(op.name, ())


class Fault(Record):
    """A broken rule for the sources of an instruction."""

    code: str
    "Key of the finding."
    message: str
    "As in `Diagnostic`."
    fix: str
    "As in `Diagnostic`."
    source: int
    "Number of the source, from 0."
    exchange: bool = False
    "With its first two sources exchanged, and its operators mirrored, the instruction computes the same and breaks no rule."


def _name(source: Source) -> str:
    base = register_name(source.register) if 0 <= source.register < _MAX_NAMED else f"register {source.register:#x}"
    return f"{base}[{('', 'a0.x', 'a0.y', 'aL')[source.relative]}]" if source.relative else base


def sources_fault(op: Op, sources: Sequence[Source], texts: Sequence[str] = ()) -> Fault | None:
    """The first rule that the sources of an instruction break, or None.

    `texts` are the sources in the user's spelling.
    """
    wide = read = -1
    for i, source in enumerate(sources):
        register = source.register
        if register >= FLOAT or source.relative:
            if wide >= 0 or register >= INTEGER or i not in _WIDE_PLACES.get(op.name, ()):
                break
            wide = i
        if register < TEMPORARY:
            if register < 0 or (read >= 0 and read != register):
                break
            read = register
    else:
        return None
    return _fault(op, sources, texts or [_name(source) for source in sources])


def _fault(op: Op, sources: Sequence[Source], names: Sequence[str]) -> Fault | None:
    """The first broken rule, by the names of the sources."""
    places = _WIDE_PLACES.get(op.name, ())
    wide = -1
    for i, source in enumerate(sources):
        if not 0 <= source.register < INTEGER:
            return Fault(
                code="V001", message=f"{names[i]} cannot be a source of {op.name}", fix="use v, r or c registers", source=i
            )
        if source.register < FLOAT and not source.relative:
            continue
        if i not in places:
            return _narrow(op, sources, names, i)
        if wide >= 0 and (source.register >= FLOAT or source.relative):
            return _two_wide(op, sources, names, wide, i)
        wide = i
    inputs = {source.register for source in sources if source.register < TEMPORARY}
    if len(inputs) > 1:
        names = " and ".join(f"v{number}" for number in sorted(inputs))
        at = next(
            i for i, s in enumerate(sources) if s.register < TEMPORARY and s.register != sources[_first_input(sources)].register
        )
        return Fault(
            code="V003",
            message=f"{op.name} reads {_COUNTS[len(inputs)]} input registers, {names}: hardware reads only one",
            fix="mov one of them to a temporary first",
            source=at,
        )
    return None


def _first_input(sources: Sequence[Source]) -> int:
    return next(i for i, source in enumerate(sources) if source.register < TEMPORARY)


def _narrow(op: Op, sources: Sequence[Source], names: Sequence[str], i: int) -> Fault:
    uniform = next((source for n, source in enumerate(sources) if n < i and source.register >= FLOAT), None)
    if uniform is not None and sources[i].register >= FLOAT:
        return _two_wide(op, sources, names, sources.index(uniform), i)
    ordinal = ("first", "second", "third")[i]
    what = "indexed" if sources[i].register < FLOAT else "c0 to c95"
    usable = " or ".join(("first", "second", "third")[place] for place in _WIDE_PLACES[op.name])
    fix, exchange = f"mov {names[i]} to a temporary first", False
    if op.commutes != NO and 1 - i in _WIDE_PLACES[op.name] and sources[1 - i].register < FLOAT and not sources[1 - i].relative:
        fix = _exchange(op)
        exchange = op.commutes != BUT_NAN and sources_fault(op, [sources[1], sources[0], *sources[2:]]) is None
    message = f"{names[i]} cannot be the {ordinal} source of {op.name}: only the {usable} can be {what}"
    return Fault(code="V002", message=message, fix=fix, source=i, exchange=exchange)


def _exchange(op: Op) -> str:
    """The fix that exchanges sources 1 and 2, for a row that allows it."""
    if op.commutes == MIRRORED:
        return "exchange the sources and mirror the operators (lt for gt, le for ge)"
    if op.commutes == BUT_NAN:
        return "exchange the sources (the result differs only for NaN), or mov the uniform to a temporary first"
    return "exchange the sources" if op.source_count == 2 else "exchange the first two sources"


def _two_wide(op: Op, sources: Sequence[Source], names: Sequence[str], first: int, second: int) -> Fault:
    one, two = names[first], names[second]
    if sources[second].register >= FLOAT and sources[first].register >= FLOAT:
        message = f"{op.name} reads two uniforms, {one} and {two}: an instruction has one wide source"
    else:
        message = f"{op.name} has one wide source, but {one} and {two} both need it"
    return Fault(code="V004", message=message, fix=f"mov {two} to a temporary first", source=second)
