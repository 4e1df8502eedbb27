"""Which work on uniforms the PICA200 does before a draw: what saves words, for registers that are free."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.split import Splitter
from lanewise.pica200.isa.uniforms import PREAMBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.backend import Result
    from lanewise.compile.vector.code import Program, Ref

    _Sets = list[tuple[Ref, ...]]

_MOST_TRIES = 24  # programs that are compiled to see what a set of components saves
_TOO_LONG = 1 << 16  # words of a program that does not compile


class Prepared(NamedTuple):
    """A compiled program, which of the given ones it is, and what computes its registers before a draw; None: nothing does."""

    result: Result
    program: Program
    preamble: Program | None = None


def with_preamble(
    programs: Sequence[Program],
    *,
    name: str = "",
    avoid: frozenset[str] = frozenset(),
    progress: Callable[[int, int], None] | None = None,
) -> Prepared:
    """The shortest of some programs that compute the same, with what saves words computed before a draw. The first is compiled
    where nothing does."""
    best = Prepared(compile_vector(programs[0], name=name, avoid=avoid, progress=progress), programs[0])
    for program in programs:
        found = _split(program, name, avoid)
        if found is not None and _words(found.result) < _words(best.result):
            best = found
    return best


def _words(result: Result) -> int:
    return _TOO_LONG if result.program is None else len(result.encoded.words)


def _split(program: Program, name: str, avoid: frozenset[str]) -> Prepared | None:
    splitter = Splitter(simplified(program, Words()), PREAMBLE)

    def measured(sets: _Sets) -> int:
        rest = splitter.split(sets).program
        return _words(compile_vector(simplified(rest, Words()), optimise=False, avoid=avoid))

    sets = _chosen(sorted(splitter.sets, key=splitter.weight, reverse=True), measured)
    if not sets:
        return None
    split = splitter.split(sets)
    return Prepared(compile_vector(split.program, name=name, avoid=avoid), program, split.preamble)


def _chosen(sets: _Sets, measured: Callable[[_Sets], int]) -> _Sets:
    """The sets that fit, without those that save no word. They are in the order of the work on them, the most first."""
    words = measured(sets)
    tries = 1
    while sets and words == _TOO_LONG and tries < _MOST_TRIES:
        sets = sets[: max(len(sets) - 1, 0) if len(sets) < _MOST_TRIES else len(sets) // 2]
        words, tries = measured(sets), tries + 1
    if words == _TOO_LONG:
        return []
    for own in reversed(sets):
        if tries == _MOST_TRIES:
            break
        without = [each for each in sets if each != own]
        found, tries = measured(without), tries + 1
        if found <= words:
            sets, words = without, found
    return sets
