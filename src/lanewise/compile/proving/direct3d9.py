"""A PICA200 program beside the Direct3D 9 shader that it was compiled from, on data: the same bits.

The shader runs by its semantics in float24 (`compile.direct3d9.float24`), the program on the reference engine, under one
profile. Vertices that address constants which the program does not have are not compared: what they read is undefined.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.compile.direct3d9.float24 import Float24Waves, run24
from lanewise.core.record import Record
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.tree import resolve
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS
from lanewise.pica200.isa.uniforms import GUARD
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.direct3d9.options import Lowered
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.sem.profile import Profile

    Words = tuple[int, int, int, int]

_ROW = (0, 0, 0, 0)
_SPECIAL = (
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x3F000000,
    0xBF000000,
    0x40200000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x20800000,
    0x5F000000,
    0xDF7FFFFF,
    0x20000000,
    0x3F7FFFFF,
    0xA0800000,
)


class Difference(Record):
    """A component of an output that differs."""

    vertex: int
    "The number of the vertex."
    semantic: str
    "The semantic of the output."
    component: int
    "The number of the component, 0 for x."
    shader: int
    "The float24 word of the shader."
    program: int
    "The float24 word of the program."


class Compared(NamedTuple):
    """The differences, and how many vertices were compared."""

    differences: tuple[Difference, ...]
    vertices: int


def compare(
    shader: Shader,
    lowered: Lowered,
    words: Sequence[int],
    descriptors: Sequence[int],
    interface: Interface,
    data: Data,
    profile: Profile = HARDWARE,
) -> Compared:
    """Run both on data. `lowered` tells what the parts of the program are in the shader. Raises ValueError for a program that
    lacks one of them."""
    program, sources = lowered.program, lowered.sources
    flow, _ = resolve(shader)
    if program is None or sources is None or flow is None:
        raise ValueError("the shader has no program")
    ops = Float24Waves(profile)
    registers = {(file, number) for file, number, _ in sources.outputs}
    wanted = run24(flow, data, sorted(registers), profile, sources.reach)
    engine = Reference(words, descriptors, interface.entry, profile=profile)
    names = {name: uniform.first for uniform in interface.uniforms for name in (uniform.name, uniform.own_name)}
    inputs = {given.name: given.first for given in interface.inputs}
    floats: list[Words] = [_ROW] * FLOAT_COUNT
    integers: list[Words] = [_ROW] * 4
    booleans = [False] * 16
    for constant in interface.constants:
        if constant.register < INTEGER:
            floats[constant.register - FLOAT] = _four(list(map(ops.rule.from_float24, constant.values)))
        elif constant.register < BOOLEAN:
            integers[constant.register - INTEGER] = _four(constant.values)
        else:
            booleans[constant.register - BOOLEAN] = bool(constant.values[0])
    for first, uniform in zip(sources.uniforms, program.uniforms, strict=True):
        if uniform.name in names:
            for row in range(uniform.rows):
                floats[names[uniform.name] - FLOAT + row] = _four(list(map(ops.given, data.constants[first + row])))
    for number, flag in zip(sources.flags, program.flags, strict=True):
        if flag.name in names:
            booleans[names[flag.name] - BOOLEAN] = data.booleans[number]
    for number, count in zip(sources.counts, program.counts, strict=True):
        turns, start, step = data.integers[number][:3]
        for name, register in names.items():  # one for each start and step of its loops
            if re.fullmatch(rf"{re.escape(count.name)}(\.\d+)?", name) and INTEGER <= register < BOOLEAN:
                integers[register - INTEGER] = (max(0, turns - 1) & 0xFF, start & 0xFF, step & 0xFF, 0)
        if count.name + GUARD in names:
            booleans[names[count.name + GUARD] - BOOLEAN] = turns > 0
    wired = {SEMANTICS[output.semantic]: output.register for output in interface.outputs}
    found: list[Difference] = []
    vertices = 0
    for vertex in range(data.lanes):
        if vertex in wanted.outside:
            continue
        vertices += 1
        row = {
            inputs[port.name]: _four(list(map(ops.given, data.inputs[isa.INPUT, port.register][vertex].tolist())))
            for port in program.inputs
            if port.name in inputs
        }
        lane = engine.run(row, floats, integers, booleans)
        if lane.fault is not None:
            raise ValueError(f"the program does not end: {lane.fault}")
        for output, (file, number, components) in zip(program.outputs, sources.outputs, strict=True):
            for place, component in enumerate(components):
                if output.mask >> place & 1:
                    right, word = wanted.outputs[file, number][vertex][component], lane.outputs[wired[output.semantic]][place]
                    if right != word:
                        found.append(
                            Difference(vertex=vertex, semantic=output.semantic, component=place, shader=right, program=word)
                        )
    return Compared(tuple(found), vertices)


def _four(words: Sequence[int]) -> Words:
    x, y, z, w = words
    return x, y, z, w


def random_data(shader: Shader, lanes: int, seed: int = 0) -> Data:
    """Ordinary and boundary numbers for every register; vertices of ordinary ones only, of whole ones, and of boundary ones."""
    rng = random.Random(seed)
    flow, _ = resolve(shader)
    kinds = [rng.randrange(4) for _ in range(lanes)]
    inputs = {
        (isa.INPUT, n): np.array([[_number(rng, kind) for _ in range(4)] for kind in kinds], np.uint32) for n in range(16)
    }
    constants: dict[int, tuple[int, ...]] = {
        n: tuple(_number(rng, rng.choice((0, 0, 0, 1, 2))) for _ in range(4)) for n in range(256)
    }
    integers = {n: (rng.choice((0, 1, 2, 5)), 0, 1, 0) for n in range(16)}
    if flow is not None:
        constants |= flow.constants
    booleans = {n: rng.random() < 0.5 for n in range(16)}
    if shader.version.kind == isa.PIXEL:
        inputs |= {
            (isa.TEXTURE, n): np.array([[_number(rng, kind) for _ in range(4)] for kind in kinds], np.uint32) for n in range(8)
        }
    return Data(
        lanes=lanes,
        inputs=inputs,
        constants=constants,
        integers=integers,
        booleans=booleans,
        bumps={},
        samplers={},
    )


def _number(rng: random.Random, kind: int) -> int:
    """A float32 pattern: of kind 0 ordinary, 1 whole, 2 any, 3 at a boundary more often than not."""
    if kind == 0 or (kind == 3 and rng.random() < 0.4):
        return int(np.float32(rng.uniform(-4, 4)).view(np.uint32))
    if kind == 1:
        return int(np.float32(rng.randrange(12)).view(np.uint32))
    return rng.choice(_SPECIAL) if kind == 3 or rng.random() < 0.2 else int(np.float32(rng.gauss(0, 40)).view(np.uint32))
