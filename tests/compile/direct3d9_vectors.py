"""Direct3D 9 shaders as vector programs, compared with their semantics in float24, bit for bit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from compile.vector_machine import Machine, Undefined
from lanewise.compile.direct3d9 import Array, Bound, Options, lower
from lanewise.compile.direct3d9.float24 import Float24Waves, run24
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.data import DEFAULTS, Data
from lanewise.direct3d9.engine.random_programs import Case, pattern, random_case
from lanewise.direct3d9.engine.random_programs import Options as Features
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.tree import resolve
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.vector.code import Program
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.pica200.sem.profile import Profile

VERTEX = ("vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0")
LANES = 8


class Compared(NamedTuple):
    """Where bits differ: (lane, register, component, expected, found); how many lanes were compared, and how many decide by
    what is undefined."""

    different: list[tuple[int, str, int, int, int | None]]
    lanes: int
    undefined: int


def shader_of(text: str) -> Shader:
    return Direct3DShader.from_source(text).shader


def program_of(text: str, options: Options | None = None) -> Program:
    """The vector program of a source that has one."""
    found = lower(shader_of(text), options)
    assert found.program is not None, found.diagnostics
    return found.program


def data_of(shader: Shader, seed: int, lanes: int = LANES) -> Data:
    """Numbers of all kinds for every register."""
    rng = random.Random(seed)
    flow, _ = resolve(shader)
    assert flow is not None
    inputs = {(isa.INPUT, n): np.array([[pattern(rng) for _ in range(4)] for _ in range(lanes)], np.uint32) for n in range(16)}
    constants = {n: tuple(pattern(rng) for _ in range(4)) for n in range(256)} | dict(flow.constants)
    integers = {n: (rng.randint(0, 4), 0, 1, 0) for n in range(16)}
    return Data(
        lanes=lanes,
        inputs=inputs,
        constants=constants,
        integers=integers,
        booleans={n: rng.random() < 0.5 for n in range(16)},
        bumps={},
        samplers={},
    )


def data_of_case(case: Case) -> Data:
    flow, _ = resolve(case.shader)
    assert flow is not None
    inputs = {(isa.INPUT, n): np.tile(np.array(DEFAULTS, np.uint32), (case.lanes, 1)) for n in range(16)}
    inputs |= {(isa.INPUT, int(name[1:])): grid for name, grid in case.inputs.items()}
    constants = dict.fromkeys(range(256), (0, 0, 0, 0)) | {
        int(name[1:]): tuple(map(int, row)) for name, row in case.constants.items()
    }
    integers = {int(name[1:]): (*row, 0) for name, row in case.integers.items()}
    booleans = {int(name[1:]): value for name, value in case.booleans.items()}
    return Data(
        lanes=case.lanes,
        inputs=inputs,
        constants=constants | dict(flow.constants),
        integers=integers,
        booleans=booleans,
        bumps={},
        samplers={},
    )


def compared(shader: Shader, program: Program, data: Data, profile: Profile = HARDWARE) -> Compared:
    """Every output that is its register as it is, of every lane."""
    flow, _ = resolve(shader)
    assert flow is not None
    by_name = {port.register: (port.file, port.number) for port in interface.outputs(shader)}
    keys = {output.semantic: by_name[output.name] for output in program.outputs if output.name in by_name}
    wanted = run24(flow, data, list(keys.values()), profile).outputs
    ops = Float24Waves(profile)
    found: list[tuple[int, str, int, int, int | None]] = []
    undefined = 0

    def row(uniform: int, number: int) -> list[int]:
        register = program.uniforms[uniform].register
        assert register >= 0, "the test has no constants beyond c95"
        return [ops.given(bits) for bits in data.constants[register + number]]

    for lane in range(data.lanes):
        inputs = [[ops.given(int(bits)) for bits in data.inputs[isa.INPUT, port.register][lane]] for port in program.inputs]
        flags = [data.booleans[flag.register] for flag in program.flags]
        counts = [data.integers[count.register][0] for count in program.counts]
        try:
            outputs = Machine(program, ops.rule, inputs, row, flags, counts).run()
        except Undefined:
            undefined += 1
            continue
        for semantic, key in keys.items():
            for component, word in outputs[semantic].items():
                right = wanted[key][lane][component]
                if word is not None and word != right:
                    found.append((lane, semantic, component, right, word))
    return Compared(found, data.lanes - undefined, undefined)


def random_shader(seed: int, lanes: int = LANES) -> tuple[Case, Options]:
    """A random vertex shader with data, and what it needs to be compiled."""
    case = random_case(random.Random(seed), Features(versions=VERTEX), lanes)
    flow, _ = resolve(case.shader)
    assert flow is not None
    read = {source.number for inst in flow.insts for source in inst.sources if source.file == isa.CONSTINT} - set(flow.integers)
    bounds: Mapping[int, Bound] = {
        int(name[1:]): Bound(3, row[1], row[2]) for name, row in case.integers.items() if int(name[1:]) in read
    }
    return case, Options(bounds=bounds, arrays=(Array(16, 8),))
