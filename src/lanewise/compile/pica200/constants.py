"""Known numbers in constant registers: the values that a source needs are in one register, with one sign."""

from __future__ import annotations

from lanewise.compile.pica200.machine import Fixed, Inst, Known, Part
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.pica200.places import Places


def place(insts: Sequence[Inst], places: Places) -> None:
    """Give the known numbers of all sources components of constant registers, few of them."""
    needed: dict[frozenset[int], None] = {}
    for inst in insts:
        for source in inst.sources:
            if isinstance(source[0].what, Known):
                needed[_values(source)] = None
    rows: list[list[int]] = []
    for values in sorted(needed, key=len, reverse=True):
        _join(rows, values)
    registers = [places.constant(tuple(row)) for row in rows]
    at = {tuple(row): register for row, register in zip(rows, registers, strict=True)}
    for inst in insts:
        inst.sources = [_placed(source, at) if isinstance(source[0].what, Known) else source for source in inst.sources]


def _values(source: Sequence[Part]) -> frozenset[int]:
    return frozenset([_word(part) for part in source])


def _word(part: Part) -> int:
    assert isinstance(part.what, Known)
    return part.what.turned.word if part.negated else part.what.word


def _turned(values: frozenset[int]) -> frozenset[int]:
    return frozenset([Known(word).turned.word for word in values])


def _join(rows: list[list[int]], values: frozenset[int]) -> None:
    """Put values into the row that needs the fewest more, with either sign."""
    best: tuple[int, list[int], frozenset[int]] | None = None
    for row in rows:
        for signed in (values, _turned(values)):
            more = signed - set(row)
            if len(row) + len(more) <= 4 and (best is None or len(more) < best[0]):
                best = len(more), row, signed
    if best is None:
        best = 0, [], values
        rows.append(best[1])
    best[1].extend(sorted(best[2] - set(best[1])))


def _placed(source: Sequence[Part], at: dict[tuple[int, ...], int]) -> tuple[Part, ...]:
    values = _values(source)
    for negated, signed in ((False, values), (True, _turned(values))):
        for row, register in at.items():
            if signed <= set(row):
                words = [Known(_word(part)).turned.word if negated else _word(part) for part in source]
                return tuple([Part(Fixed(register, row.index(word)), negated) for word in words])
    raise AssertionError("a constant without a register")
