"""Random programs beside what `lanewise opt` makes of them: `lanewise fuzz --target shadercore-opt`.

Both run on the same waves of random and boundary values on each device in turn; a differing bit of an output is a finding.
"""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import table
from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.codec import encode
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import FILES, LANES
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.sem.steps import exports
from lanewise.shadercore.text.printer import print_program
from lanewise.shadercore.vectors import suite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device

_WAVES = 4
_LENGTHS = 4, 40


class _Found(NamedTuple):
    difference: Difference | None
    steps: int
    reason: str
    results: bytes = b""


def _case(seed: int, number: int) -> tuple[Program, Device]:
    rng = random.Random(f"{seed} {number}")
    insts = suite.random_program(rng, rng.randrange(*_LENGTHS), few=rng.random() < 0.7)
    return _program(insts), list(DEVICES.values())[number % len(DEVICES)]


def _program(insts: Sequence[Inst]) -> Program:
    return Program(words=tuple([encode(inst) for inst in insts]))


def _compared(program: Program, device: Device, seed: int) -> _Found:
    try:
        found = optimised_program(program, device)
    except ValueError as error:
        return _Found(None, 0, str(error))
    if not found.steps:
        return _Found(None, 0, "nothing to remove")
    rng = random.Random(seed)
    count = _WAVES * LANES
    constants = {(n, c): suite.random_word(rng) for n in range(FILES["c"].size) for c in range(4)}
    inputs = {
        (n, c): table([suite.random_word(rng) for _ in range(count)], "u") for n in range(FILES["v"].size) for c in range(4)
    }
    runs = [run_waves(each.insts, device, constants, inputs, count, engine="reference") for each in (program, found.program)]
    digest = blake2b(repr(found.program.words).encode(), digest_size=16)
    for place in exports(device):
        for lane, (first, second) in enumerate(zip(runs[0][place].tolist(), runs[1][place].tolist(), strict=True)):
            if first != second:
                where = f"{place[0]}{place[1]}.{'xyzw'[place[2]]} of lane {lane} on {device.describe()}"
                return _Found(Difference(where, f"0x{first:08X}", f"0x{second:08X}", 0), len(found.steps), "")
    return _Found(None, len(found.steps), "", digest.digest())


def compare(seed: int, number: int, level: str) -> Compared:
    """One program beside its smaller form."""
    found = _compared(*_case(seed, number), number)
    lanes = _WAVES * LANES if found.steps else 0
    return Compared(
        number=number, reason=found.reason, lanes=lanes, ended=lanes, difference=found.difference, results=found.results
    )


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """The fewest instructions that still differ."""
    program, device = _case(seed, number)
    difference = _compared(program, device, number).difference
    if difference is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    insts, at = program.insts, 0
    while at < len(insts):
        tick()
        fewer = [*insts[:at], *insts[at + 1 :]]
        found = _compared(_program(fewer), device, number).difference
        if found is None:
            at += 1
        else:
            insts, difference = fewer, found
    return _written(_program(insts), difference, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole program as a source."""
    return _written(_case(seed, number)[0], difference, origin)


def _written(program: Program, difference: Difference, origin: Origin) -> Reduced:
    head = [
        f"The smaller program differs: {difference.where}",
        f"  original: {difference.reference}",
        f"  smaller:  {difference.compiled}",
        f"Found by: {origin.command}",
    ]
    text = "".join([f"; {line}\n" for line in head]) + print_program(program)
    return Reduced(text, ".sc", len(program.words), difference)


OPTIMISED_PROGRAMS = RandomPrograms(compare=compare, reduce=reduce, written=written, budget=0, done="shortened")
