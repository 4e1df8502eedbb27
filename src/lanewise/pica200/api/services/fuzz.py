"""Random programs of the PICA200 for `lanewise fuzz`: vertex and geometry shaders in turn.

Each second vertex shader, and each geometry shader, has one field of its profile set to a value; these are all values of all
fields in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.core.record import Record
from lanewise.pica200.api.services.fuzz_case import case_source, geometry_source
from lanewise.pica200.engine import differential
from lanewise.pica200.engine.differential_geometry import (
    BestGeometryRunner,
    GeometryCase,
    QuickGeometryRunner,
    compared_geometry,
    geometry_case,
)
from lanewise.pica200.engine.random_programs import Case, case, rule_of
from lanewise.pica200.engine.reduce import reduced

if TYPE_CHECKING:
    from collections.abc import Callable


class _Found(Record):
    """Result of a program."""

    difference: Difference | None
    "Where the engines differ; None where they agree."
    reason: str
    "Why nothing was compiled; empty where it was."
    lanes: int
    "Lanes or runs."
    ended: int
    "How many of them ended."
    results: bytes = b""
    "Hash of the results of the reference engine."


def program(seed: int, number: int) -> Case | GeometryCase:
    """The program of a number."""
    if number % 2:
        return geometry_case(seed, number, rule_of(number // 2))
    one = case(seed, number)
    return one._replace(profile=one.profile.replace(**rule_of(number // 4))) if number % 4 else one


def _compared(one: Case | GeometryCase, level: str, *, best: bool) -> _Found:
    """`best`: with the kernels that take longer to compile."""
    if isinstance(one, Case):
        found = differential.compare(one, level, differential.BestRunner if best else differential.QuickRunner)
        return _Found(
            difference=found.difference, reason=found.reason, lanes=one.lanes, ended=found.ended, results=found.results
        )
    runs = len(one.sizes)
    try:
        answer = compared_geometry(one, level, make=BestGeometryRunner if best else QuickGeometryRunner)
    except Exception as error:  # whatever the engine raises is a finding
        failure = Difference("the compiled engine fails", "no error", f"{type(error).__name__}: {error}", differential.ROOM)
        return _Found(difference=failure, reason="", lanes=runs, ended=0)
    if answer.difference is not None:
        return _Found(
            difference=Difference(*answer.difference, differential.ROOM), reason="", lanes=runs, ended=0, results=answer.results
        )
    return _Found(difference=None, reason=answer.reason, lanes=runs, ended=0 if answer.reason else runs, results=answer.results)


def _best(number: int) -> bool:
    """Whether a program runs on the best kernels: one of eight, among vertex and geometry shaders; the others run on quick
    ones."""
    return number // 2 % 8 == 0


def compare(seed: int, number: int, level: str) -> Compared:
    """One program on both engines."""
    found = _compared(program(seed, number), level, best=_best(number))
    return Compared(
        number=number,
        reason=found.reason,
        lanes=found.lanes,
        ended=found.ended,
        difference=found.difference,
        results=found.results,
    )


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """The fewest words, vertices and values that still differ."""

    def differs(candidate: Case | GeometryCase) -> bool:
        tick()
        return _compared(candidate, level, best=best).difference is not None

    best = _best(number)
    whole = program(seed, number)
    first = _compared(whole, level, best=best).difference
    if isinstance(whole, Case):
        small: Case | GeometryCase = reduced(whole, differs)
    else:
        fewer = whole
        while len(fewer.sizes) > 1 and differs(shorter := fewer._replace(sizes=fewer.sizes[: len(fewer.sizes) // 2])):
            fewer = shorter
        small = fewer._replace(program=reduced(fewer.program, lambda candidate: differs(fewer._replace(program=candidate))))
    found = _compared(small, level, best=best).difference or first
    if found is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    return _written(small, found, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole program as a source."""
    return _written(program(seed, number), difference, origin)


def _written(one: Case | GeometryCase, difference: Difference, origin: Origin) -> Reduced:
    if isinstance(one, Case):
        return Reduced(case_source(one, difference, origin.stem, origin.command), ".v.pica", len(one.words), difference)
    text = geometry_source(one, difference, origin.stem, origin.command)
    return Reduced(text, ".g.pica", len(one.program.words), difference)


RANDOM_PROGRAMS = RandomPrograms(compare=compare, reduce=reduce, written=written, budget=differential.ROOM)
