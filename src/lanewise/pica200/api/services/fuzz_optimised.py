"""Random programs beside what `lanewise opt` makes of them: `lanewise fuzz --target pica200-opt`.

The original and the smaller program run on the same random and boundary values, under profiles for which the steps are proved.
A differing bit is a finding; all NaN are one value.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import InputError
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.core.record import Record
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.optimising import optimised_program
from lanewise.pica200.engine.witness import BUDGET, Pair, Side
from lanewise.pica200.opt.driver import UNROLL, Options
from lanewise.pica200.opt.random_sources import random_source
from lanewise.pica200.proof.code import code_of_words, opcodes_of
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Program

_PROFILES = 3  # of those that a proof covers, in turn by the number of the program
_VERTICES, _MANY = 16, 2_000
_WORDS = 4_000


class _Case(Record):
    """A source with the options of its optimisation."""

    text: str
    "In picasso's language."
    geometry: bool
    "It is a geometry shader."
    options: Options
    "Options of the optimiser."
    number: int
    "Number under the seed: it chooses profiles and data."
    seed: int
    "Of the campaign."


class _Found(NamedTuple):
    difference: Difference | None
    steps: int
    lanes: int
    results: bytes


def case(seed: int, number: int) -> _Case:
    """The program of a number. Constants are known to each second, loops are unrolled in each fifth, each 32nd is searched."""
    options = Options(constants=number // 4 % 2 == 1, unroll=number % 5 == 0, search=number % 32 == 4)
    return _Case(text=random_source(seed, number), geometry=number % 4 == 3, options=options, number=number, seed=seed)


def _assembled(one: _Case) -> tuple[Program, Encoded] | None:
    assembly = assemble_sources([("fuzz.g.pica" if one.geometry else "fuzz.v.pica", one.text)])
    return None if assembly.data is None else (assembly.program, assembly.encoded)


def _compared(one: _Case, level: str) -> _Found:
    """`level` is for the compiled engine, which runs one program in sixteen on many vertices."""
    assembled = _assembled(one)
    if assembled is None:
        return _Found(None, 0, 0, b"")
    program, encoded = assembled
    try:
        found = optimised_program(program, one.options)
    except (InputError, ValueError) as error:
        return _Found(Difference("the optimiser fails", "no error", f"{type(error).__name__}: {error}", BUDGET), 0, 0, b"")
    results = blake2b(
        repr((found.encoded, [interface.constants for interface in found.program.interfaces])).encode(), digest_size=16
    )
    codes = (
        code_of_words(*encoded, program.interfaces[0]),
        code_of_words(*found.encoded, found.program.interfaces[0]),
    )
    profiles = profiles_asked(opcodes_of(codes[0]) | opcodes_of(codes[1]), geometry=one.geometry)
    lanes = 0
    for n in range(_PROFILES if found.steps else 0):
        profile = profiles[(one.number * _PROFILES + n) % len(profiles)]
        if any(step.move == UNROLL for step in found.steps):
            profile = profile.replace(loop_rounds=HARDWARE.loop_rounds)
        first, second = [Side(code, profile, constants=one.options.constants, budget=_WORDS, quick=True) for code in codes]
        pair = Pair(first, second)
        compiled = one.number % 16 == 0 and n == 0 and not one.geometry
        vertices = _MANY if compiled else _VERTICES
        lanes += vertices
        different = pair.differ(
            f"{one.seed} {one.number} {n}", vertices, overwritten=True, engine=LLVM if compiled else REFERENCE
        )
        if different is not None:
            where = (
                f"{different.output} under {profile.describe()}; steps: "
                f"{', '.join(dict.fromkeys([step.move for step in found.steps]))}"
            )
            return _Found(
                Difference(where, different.first, different.second, BUDGET), len(found.steps), lanes, results.digest()
            )
    return _Found(None, len(found.steps), lanes, results.digest())


def compare(seed: int, number: int, level: str) -> Compared:
    """One program beside its smaller form."""
    found = _compared(case(seed, number), level)
    reason = "" if found.steps else "nothing to remove" if found.results else "not assembled"
    return Compared(
        number=number, reason=reason, lanes=found.lanes, ended=found.lanes, difference=found.difference, results=found.results
    )


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """Fewer lines that still differ."""
    one = case(seed, number)
    difference = _compared(one, level).difference
    if difference is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    lines = one.text.splitlines()
    again = True
    while again:
        again = False
        for size in (8, 4, 2, 1):
            at = 0
            while at < len(lines):
                tick()
                fewer = [*lines[:at], *lines[at + size :]]
                found = _compared(one._replace(text="\n".join(fewer) + "\n"), level).difference
                if found is None:
                    at += size
                else:
                    lines, difference, again = fewer, found, True
    return _written(one._replace(text="\n".join(lines) + "\n"), difference, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole program as a source."""
    return _written(case(seed, number), difference, origin)


def _written(one: _Case, difference: Difference, origin: Origin) -> Reduced:
    options = [
        flag
        for flag, given in (
            ("--constants-known", one.options.constants),
            ("--unroll", one.options.unroll),
            ("-O3", one.options.search),
        )
        if given
    ]
    name = origin.stem + (".g.pica" if one.geometry else ".v.pica")
    head = [
        f"The smaller program differs: {difference.where}",
        f"  original: {difference.reference}",
        f"  smaller:  {difference.compiled}",
        f"Found by: {origin.command}",
        " ".join(["Again: lanewise opt", name, *options, "--report -o small.shbin"]),
        " ".join(["then:  lanewise diff", name, "small.shbin", *(options[:1] if one.options.constants else [])]),
    ]
    assembled = _assembled(one)
    text = "".join([f"; {line}\n" for part in head for line in part.splitlines()]) + "\n" + one.text
    return Reduced(text, name.removeprefix(origin.stem), 0 if assembled is None else len(assembled[1].words), difference)


OPTIMISED_PROGRAMS = RandomPrograms(compare=compare, reduce=reduce, written=written, budget=BUDGET, done="shortened")
