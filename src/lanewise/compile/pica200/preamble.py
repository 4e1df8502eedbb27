"""Which work on uniforms the PICA200 does before a draw: what saves words, for registers that are free."""

from __future__ import annotations

from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.pica200.places import FLOATS
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.split import Split, Splitter
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.uniforms import PREAMBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.backend import Result
    from lanewise.compile.vector.code import Program, Ref

    _Sets = list[tuple[Ref, ...]]

_MOST_TRIES = 24  # programs that are compiled to see what a set of components saves
_CLOSE = 2  # words by which a program that is longer before it is optimised may be the shorter one after
_FAR = 7 / 8  # a program with a preamble that has fewer words than these of the one without is the shorter one after, too
_FOR_CONSTANTS = 8  # registers that are left for constants where a debugger's variables take free ones
_TOO_LONG = 1 << 16  # words of a program that does not compile


class Prepared(Record):
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
    splits: dict[Split, tuple[int, Program]] = {}  # with its words before they are optimised, and what was split
    for program in dict.fromkeys(programs):
        words, split = _split(program, avoid)
        if split is not None:
            splits.setdefault(split, (words, program))
    least = min([words for words, _ in splits.values()], default=_TOO_LONG)
    best: Prepared | None = None
    if not splits or _measured(programs[0], avoid) * _FAR <= least:
        best = Prepared(compile_vector(programs[0], name=name, avoid=avoid, progress=progress), programs[0])
    for split, (words, program) in splits.items():
        if words <= least + _CLOSE:
            result = compile_vector(split.program, name=name, avoid=avoid, progress=None if best else progress)
            if best is None or _words(result) < _words(best.result):
                best = Prepared(result, program, split.preamble)
    if best is None or best.result.program is None:
        return Prepared(compile_vector(programs[0], name=name, avoid=avoid, progress=progress), programs[0])
    return best


def _measured(program: Program, avoid: frozenset[str]) -> int:
    """The words of a program before they are optimised."""
    return _words(compile_vector(simplified(program, Words()), optimise=False, avoid=avoid))


def _words(result: Result) -> int:
    return _TOO_LONG if result.program is None else len(result.encoded.words)


def _split(program: Program, avoid: frozenset[str]) -> tuple[int, Split | None]:
    """A program in two, and the words of the rest before they are optimised; None where nothing saves a word."""
    splitter = Splitter(simplified(program, Words()), PREAMBLE)

    def measured(sets: _Sets) -> int:
        return _measured(splitter.split(sets).program, avoid)

    words, sets = _chosen(sorted(splitter.sets, key=splitter.weight, reverse=True), measured)
    if not sets:
        return words, None
    split = splitter.split(sets)
    if program.scopes:  # a debugger shows variables: registers that are free have what is computed before
        free = FLOATS - _FOR_CONSTANTS - sum([uniform.rows for uniform in split.program.uniforms])
        shown = splitter.split(sets, max(0, free))
        if _measured(shown.program, avoid) != _TOO_LONG:
            split = shown
    return words, split


def _chosen(sets: _Sets, measured: Callable[[_Sets], int]) -> tuple[int, _Sets]:
    """The sets that fit, without those that save no word, and the words. They are in the order of the work on them, the most
    first."""
    words = measured(sets)
    tries = 1
    while sets and words == _TOO_LONG and tries < _MOST_TRIES:
        sets = sets[: max(len(sets) - 1, 0) if len(sets) < _MOST_TRIES else len(sets) // 2]
        words, tries = measured(sets), tries + 1
    if words == _TOO_LONG:
        return words, []
    for own in reversed(sets):
        if tries == _MOST_TRIES:
            break
        without = [each for each in sets if each != own]
        found, tries = measured(without), tries + 1
        if found <= words:
            sets, words = without, found
    return words, sets
