"""Random programs of the PICA200 for `lanewise fuzz`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.fuzzing import Compared, Origin, RandomPrograms, Reduced
from lanewise.pica200.api.services.fuzz_case import case_source
from lanewise.pica200.engine import differential
from lanewise.pica200.engine.random_programs import Case, case
from lanewise.pica200.engine.reduce import reduced

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.fuzzing import Difference

_SUFFIX = ".v.pica"


def compare(seed: int, number: int, level: str) -> Compared:
    """One program on both engines."""
    one = case(seed, number)
    found = differential.compare(one, level)
    return Compared(number, found.reason, one.lanes, found.ended, found.difference)


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """The fewest words, vertices and values that still differ."""

    def differs(candidate: Case) -> bool:
        tick()
        return differential.compare(candidate, level).difference is not None

    whole = case(seed, number)
    first = differential.compare(whole, level).difference
    small = reduced(whole, differs)
    found = differential.compare(small, level).difference or first
    if found is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    return _written(small, found, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole program as a source."""
    return _written(case(seed, number), difference, origin)


def _written(one: Case, difference: Difference, origin: Origin) -> Reduced:
    return Reduced(case_source(one, difference, origin.stem, origin.command), _SUFFIX, len(one.words), difference)


RANDOM_PROGRAMS = RandomPrograms(compare, reduce, written, differential.ROOM)
