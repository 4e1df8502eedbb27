"""Random ShaderCore programs with data, on random devices, and what the reference engine makes of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engines.wave_words import random_patterns
from lanewise.core.engines import REFERENCE
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.engine.run import WaveRunner
from lanewise.shadercore.isa.codec import Inst, register
from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL, Device
from lanewise.shadercore.isa.table import END, LANES, NULL_FILE
from lanewise.shadercore.isa.timing import Timing, time_program
from lanewise.shadercore.sem.fetch import elements_of, idle_lanes
from shadercore_cases import random_inst

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from lanewise.shadercore.engine.llvm.wave_kernels import Kernels
    from lanewise.shadercore.engine.reference import Register

X7X = ("x", 7, 0)
EVERY: tuple[Register, ...] = tuple(
    (file, number, component) for file in "rxo" for number in range(8) for component in range(4)
)
INPUTS = tuple((number, component) for number in range(8) for component in range(4))
COUNTS = (1, 2, 15, 16, 17, 31, 32, 33, 47, 50, 64, 65)


class Case(NamedTuple):
    """A program, a device and data."""

    insts: tuple[Inst, ...]
    device: Device
    constants: dict[tuple[int, int], int]
    inputs: dict[tuple[int, int], NDArray[np.uint32]]
    vertices: int
    initial: dict[Register, list[int]]

    @property
    def timing(self) -> Timing:
        return time_program(self.insts, self.device)


def random_device(rng: random.Random) -> Device:
    """One of the two, or one with some fields set to any other value."""
    device = rng.choice((DOCUMENT, RTL))
    for _ in range(rng.choice((0, 0, 1, 2, 5))):
        parameter = rng.choice(PARAMETERS)
        value = (
            rng.choice(list(parameter.answers))
            if parameter.answers
            else str(rng.randrange(parameter.least, min(parameter.most, 20) + 1))
        )
        try:
            device = device.replace({parameter.key: value})
        except ValueError:
            continue
    return device


def random_program(rng: random.Random, device: Device) -> tuple[Inst, ...]:
    """Any instruction, on few registers so that they meet; END with any destination, sometimes more behind it."""
    few = rng.random() < 0.7

    def inst() -> Inst:
        while True:
            made = random_inst(rng)
            if few:
                number = rng.choice((0, 1, 7))
                made = made._replace(
                    dest=made.dest._replace(number=rng.choice((0, 1, 7)), component=rng.randrange(2)),
                    a=made.a._replace(number=number, component=rng.randrange(2)),
                    b=made.b._replace(number=rng.choice((0, 1, 7)), component=rng.randrange(2)),
                )
            if made.op.pipe == "SPEC" and rng.random() < 0.3:
                made = made._replace(dest=made.dest._replace(file=NULL_FILE))
            if device.value("x7x") == "normal" or X7X not in (register(made.a), register(made.b)):
                return made

    size = rng.choice((0, 1, 2, 5, 10, 20, 40))
    program = [made for _ in range(size) if (made := inst()).op != END]
    return (*program, inst()._replace(op=END), *([inst()] if rng.random() < 0.2 else []))


def case(seed: int, number: int) -> Case:
    rng = random.Random(f"{seed} {number}")
    device = random_device(rng)
    insts = random_program(rng, device)
    count = rng.choice(COUNTS)
    given = rng.sample(INPUTS, rng.choice((0, 2, 8, 32)))
    inputs = {place: np.array(random_patterns(rng, count), np.uint32) for place in given}
    constants = {(n, c): value for n in (*range(8), 100, 255) for c, value in enumerate(random_patterns(rng, 4))}
    beginning: list[Register] = [*EVERY, *[("v", *place) for place in INPUTS]]
    initial = {place: random_patterns(rng, LANES) for place in rng.sample(beginning, rng.choice((0, 0, 5, 80)))}
    return Case(insts, device, constants, inputs, count, initial)


def idle_of(found: Case) -> dict[tuple[int, int], tuple[int, ...]]:
    """What the fetch writes to lanes without a vertex."""
    return idle_lanes(elements_of(found.inputs), found.vertices, found.device)


def all_registers(found: Case) -> dict[Register, list[int]]:
    """What the reference engine has in every register after each wave, of the lanes that are on."""
    core = Core(found.insts, found.device, found.constants, found.initial)
    values: dict[Register, list[int]] = {place: [] for place in EVERY}
    idle = idle_of(found)
    for first in range(0, found.vertices, LANES):
        active = min(LANES, found.vertices - first)
        behind = idle if first + active == found.vertices else {}
        wave = {
            place: [*array[first : first + active].tolist(), *behind.get(place, ())] for place, array in found.inputs.items()
        }
        core.begin(wave, active)
        core.run()
        for place in EVERY:
            values[place] += core.value(place)[:active]
    return values


def differing(found: Case, make: Callable[[Case], Kernels], *, everything: bool) -> list[str]:
    """Where kernels give something else than the reference: of every register, or of what leaves the core."""
    kernels = make(found)
    if everything:
        wanted = all_registers(found)
    else:
        runner = WaveRunner(found.insts, found.device)
        exported = runner.run(found.constants, found.inputs, found.vertices, initial=found.initial, engine=REFERENCE)
        wanted = {place: values.tolist() for place, values in exported.items()}
    results = kernels.run(found.constants, found.inputs, found.vertices, found.initial, 3, list(wanted), idle_of(found))
    return [
        f"{place} vertex {vertex}: {mine:08X}, not {theirs:08X}"
        for place in wanted
        for vertex, (mine, theirs) in enumerate(zip(results[place].tolist(), wanted[place], strict=True))
        if mine != theirs
    ]
