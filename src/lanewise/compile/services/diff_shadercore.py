"""`lanewise diff` of a program for ShaderCore and the source that it was compiled from.

A Direct3D 9 shader is compared by its own meaning (`compile.proving.shadercore`). Where that is no proof, it is compiled, its
program compared with the other one, and the other one run beside the shader, so that a mistake of the compiler is found and not
proved. A source of another front end is compared by the program that it compiles to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanewise.compile.proving.direct3d9 import random_data
from lanewise.compile.proving.shadercore import operations_of, unproved
from lanewise.compile.services.direct3d9 import facts_of, shader_of
from lanewise.compile.services.pipeline import lowered
from lanewise.compile.services.premises import of_shadercore, of_vector_compiled
from lanewise.compile.services.shadercore_sources import TARGET
from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.constants import Upload
from lanewise.compile.shadercore.described import interface, vector_interface
from lanewise.compile.shadercore.direct3d9 import addresses, compile_shader, named_arrays
from lanewise.compile.shadercore.interface import ELEMENTS
from lanewise.compile.shadercore.vector import compile_vector
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison, Example, Setting
from lanewise.core.diagnostics import InputError, listed
from lanewise.core.nearness import near
from lanewise.core.record import Record
from lanewise.direct3d9.engine.data import DEFAULTS
from lanewise.direct3d9.isa import table as isa
from lanewise.proving import naming
from lanewise.shadercore.api.equality import PLACES, named
from lanewise.shadercore.api.equality import compare as compare_programs
from lanewise.shadercore.api.interface import read_interface
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.isa.program import Constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.compile.services.loaded import CompiledFile
    from lanewise.compile.shadercore.comparing import Difference
    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.core.nearness import Near
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.engine.data import Data
    from lanewise.shadercore.api.equality import Named
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

_LANES, _SEEDS = 128, 4  # that the shader and the program are run on


class _Pair(Record):
    """A Direct3D 9 shader, the program that it compiles to, and the one that it is compared with."""

    names: tuple[str, str]
    "The names of the shader and the other program."
    shader: Direct3DShader
    "The shader."
    compiled: Compiled
    "What it compiles to on the device."
    program: Program
    "The other program, with what the shader defines."
    known: tuple[Named, Named]
    "The interfaces of both programs."
    premises: list[str]
    "What is assumed of the other program, in sentences."
    bounds: list[str]
    "Where a compiled program is within an error bound of the shader, in sentences."

    @property
    def own(self) -> str:
        return f"the program that {self.names[0]} compiles to"

    def compared(self, asked: Near | None = None) -> Comparison:
        """By the two programs."""
        device = self.compiled.device
        return compare_programs(
            self.compiled.program, self.program, device, self.names, constants_known=True, known=self.known, near=asked
        )


def with_shadercore(source: tuple[Loaded, Request], target: tuple[Loaded, Request]) -> Comparison:
    """A Direct3D 9 shader and a program. What has an error bound on the device is not equal to the shader. Raises UsageError,
    InputError."""
    pair = _pair(source, target)
    asked = near(target[1])
    if asked is not None:
        return _near(pair, asked)
    shader, compiled = pair.shader, pair.compiled
    moved = naming.renamed(pair.known[0].keys, pair.known[1].keys, PLACES)
    alike = (compiled.program.inputs, compiled.program.outputs) == (pair.program.inputs, pair.program.outputs) and not moved
    routines = _routines(shader, compiled.device)
    if alike and not routines and not unproved(shader.shader, shader.flow, compiled, pair.program):
        return Comparison(EQUAL, pair.names, used=[*_premises(shader, compiled), *pair.premises])
    found = pair.compared()
    run = _run_beside(pair, found) if alike and not pair.bounds else None
    return _concluded(pair, found) if run is None else run


def _pair(source: tuple[Loaded, Request], target: tuple[Loaded, Request]) -> _Pair:
    """Raises UsageError, InputError."""
    names = source[0].name, target[0].name
    shader, device = shader_of(source[0]), device_of(target[1])
    facts = facts_of(source[1])
    facts = facts._replace(arrays=named_arrays(shader.constants, facts.arrays))
    result = compile_shader(shader.shader, device, facts, name=names[0])
    compiled = result.compiled
    if compiled is None:
        raise InputError(result.diagnostics)
    other = _program(target[0])
    program, defined = _with_definitions(other, shader)
    return _Pair(
        names=names,
        shader=shader,
        compiled=compiled,
        program=program,
        known=(named(read_interface(names[0], interface(compiled, shader.constants))), named(other.beside)),
        premises=defined,
        bounds=[*_routines(shader, device), *_bounds(shader, compiled)],
    )


def _of_compiled(pair: _Pair) -> list[str]:
    """The premises of the compiled program."""
    return [*[premise.text for premise in of_shadercore(pair.compiled, pair.shader.flow)], *pair.premises]


def _near(pair: _Pair, asked: Near) -> Comparison:
    """How far apart the results of both programs are."""
    found = pair.compared(asked)
    limits = [f"that program equals the shader within bounds: {'; '.join(pair.bounds)}"] if pair.bounds else []
    return found.with_premises([pair.own, *limits, *_of_compiled(pair)]) if found else found


def _run_beside(pair: _Pair, found: Comparison) -> Comparison | None:
    """The comparison of the programs, with runs of the shader itself; None where these say no more."""
    shader, compiled, program, names = pair.shader, pair.compiled, pair.program, pair.names
    trials = [*_of_example(found.example, shader, compiled), *[_drawn(shader, compiled, seed) for seed in range(_SEEDS)]]
    example = _first_difference(shader, compiled, program, trials)
    if example is not None:
        return Comparison(DIFFERS, names, example=example)
    same = f"{_SEEDS * _LANES} vertices of the shader gave the same"
    if found:
        return Comparison(EQUAL, names, used=[f"{pair.own}; {same}", *_of_compiled(pair), *found.used])
    if found.example is None:
        return None
    reason = f"{pair.own} gives {found.example.output} otherwise, but {same}"
    return Comparison(UNKNOWN, names, unmatched=_elsewhere(shader, compiled, program, names), reason=reason)


def _concluded(pair: _Pair, found: Comparison) -> Comparison:
    """The conclusion about the shader, from the comparison of the programs."""
    names = pair.names
    if not found:
        unmatched = [*found.unmatched, *_elsewhere(pair.shader, pair.compiled, pair.program, names)]
        return Comparison(
            found.verdict, names, used=found.used, unmatched=unmatched, reason=found.reason, example=found.example
        )
    used = [pair.own, *_of_compiled(pair), *found.used]
    if pair.bounds:
        reason = f"{pair.own} is {names[1]}, and equals the shader within bounds: {'; '.join(pair.bounds)}"
        return Comparison(UNKNOWN, names, used=used, reason=reason)
    return Comparison(EQUAL, names, used=used)


def source_with_shadercore(source: CompiledFile, request: Request, target: tuple[Loaded, Request]) -> Comparison:
    """By the program that the source compiles to for the device, with the bounds of the other program's interface."""
    names, device = (source.name, target[0].name), device_of(target[1])
    program = _program(target[0])
    limits = program.beside.limits.items() if program.beside is not None else ()
    bounds = {name: limit.most for name, limit in limits if limit.most is not None}
    vector = lowered(request, source.language, TARGET)
    result = compile_vector(vector.vector, device, bounds, name=source.name)
    if result.compiled is None:
        raise InputError(result.diagnostics)
    known = named(read_interface(names[0], vector_interface(result.compiled))), named(program.beside)
    found = compare_programs(
        result.compiled.program, program.program, device, names, constants_known=True, known=known, near=near(target[1])
    )
    premises = [premise.text for premise in of_vector_compiled(vector.premises, result.compiled)]
    used = [f"the program that {names[0]} compiles to", *premises, *found.used]
    return found.with_premises(used[: -len(found.used)]) if found else found


def _with_definitions(target: ShaderCoreProgram, shader: Direct3DShader) -> tuple[Program, list[str]]:
    """The program, with the numbers that the shader defines where it brings none and has no interface, as those of other
    compilers; and that premise."""
    program, rows = target.program, shader.flow.constants
    if program.constants or target.beside is not None or not rows:
        return program, []
    constants = tuple([Constant(number, tuple(row)) for number, row in sorted(rows.items())])
    text = f"numbers that the shader defines, in {target.name} too: {listed([f'c{row.number}' for row in constants])}"
    return program._replace(constants=constants), [text]


def _program(loaded: Loaded) -> ShaderCoreProgram:
    program = loaded.program
    if not isinstance(program, ShaderCoreProgram):
        raise TypeError(f"expected a program for ShaderCore, found one for {loaded.isa}")
    return program


def _premises(shader: Direct3DShader, compiled: Compiled) -> list[str]:
    """Return sentences that name what a proof by the shader's own meaning rests on."""
    return [
        f"the shader's own meaning, in numbers and operations of device {compiled.device.describe()}",
        *operations_of(shader.flow),
        *[premise.text for premise in of_shadercore(compiled, shader.flow)],
        "constants of the files are not overwritten",
        "patterns are compared bit by bit, those of NaN too",
    ]


def _elsewhere(shader: Direct3DShader, compiled: Compiled, program: Program, names: tuple[str, str]) -> list[str]:
    """Return sentences that name the devices for which the shader compiles to the program."""
    return [
        f"{names[1]} is the program that {names[0]} compiles to on device {other.name}: use --device {other.name}"
        for other in DEVICES.values()
        if other.name != compiled.device.name
        and (again := compile_shader(shader.shader, other, compiled.options, name=names[0]).compiled) is not None
        and again.program.words == program.words
    ]


# Bounds within which a program equals the shader

# Instructions that a device may lack, with the parameter that says whether it has them (docs/compiler-routines.md).
_ROUTINES = {
    "rcp": "rcp",
    "rsq": "rsq",
    "nrm": "rsq",
    "exp": "exp_log",
    "expp": "exp_log",
    "log": "exp_log",
    "logp": "exp_log",
    "pow": "exp_log",
    "lit": "exp_log",
}


def _routines(shader: Direct3DShader, device: Device) -> list[str]:
    names = {inst.op.name for inst in shader.flow.insts}
    found = sorted({name for name in names if name in _ROUTINES and device.value(_ROUTINES[name]) != "exact"})
    return [f"{', '.join(found)} are routines with an error bound on {device.name}"] if found else []


def _bounds(shader: Direct3DShader, compiled: Compiled) -> list[str]:
    known = compiled.options
    return [
        *[
            f"addresses outside of c{array.first} to c{array.first + array.size - 1} give 0"
            for array in known.arrays
            if addresses(shader.flow, array)
        ],
        *[f"i{n} counts to at most {bound.most}" for n, bound in known.bounds.items()],
    ]


# Runs of the program beside the shader


def _first_difference(shader: Direct3DShader, compiled: Compiled, program: Program, trials: Iterable[Data]) -> Example | None:
    """A difference that the reference engines show for a lane."""
    uploads = tuple([Upload(row.number, row.values, ("",) * 4) for row in program.constants])
    other = compiled._replace(program=program, uniforms=tuple(range(256)), uploads=uploads)
    for data in trials:
        for found in compare(other, shader.flow, data)[:1]:
            inputs = {key: grid[found.lane : found.lane + 1] for key, grid in data.inputs.items()}
            alone = data._replace(lanes=1, inputs=inputs)
            for replayed in compare(other, shader.flow, alone, engine="reference")[:1]:
                return _example(replayed, shader, compiled, alone)
    return None


def _drawn(shader: Direct3DShader, compiled: Compiled, seed: int) -> Data:
    """Values for all inputs and constants; numbers that the program was compiled for are those."""
    data, options = random_data(shader.shader, _LANES, seed), compiled.options
    integers = {n: (row[0], row[1] or 0, row[2] or 0, 0) for n, row in options.integers.items()}
    inputs = dict(data.inputs)
    for number, element in options.elements.items():
        inputs[isa.INPUT, number][:, ELEMENTS[element] :] = DEFAULTS[ELEMENTS[element] :]
    return data._replace(integers={**data.integers, **integers}, booleans={**data.booleans, **options.booleans})


def _of_example(example: Example | None, shader: Direct3DShader, compiled: Compiled) -> list[Data]:
    """The values for which the program that the shader compiles to differs; those of numbers are not values of the shader."""
    if example is None or compiled.counts:
        return []
    rows = [{setting.register: _bits(setting) for setting in vertex} for vertex in example.vertices]
    inputs = {
        (place.file, place.number): np.array([row[f"v{place.register}"] for row in rows], np.uint32)
        for place in compiled.inputs
        if f"v{place.register}" in rows[0]
    }
    data = _drawn(shader, compiled, 0)
    constants = {int(setting.register[1:]): _bits(setting) for setting in example.uniforms}
    return [data._replace(lanes=len(rows), inputs=inputs, constants={**data.constants, **constants, **shader.flow.constants})]


def _bits(setting: Setting) -> tuple[int, ...]:
    return tuple([int(text, 16) for text in setting.bits])


def _example(found: Difference, shader: Direct3DShader, compiled: Compiled, data: Data) -> Example:
    """The example of one lane, with what the program reads."""
    file, number, component = found.cell
    vertex = [
        setting(place.meaning, place.name, data.inputs[place.file, place.number][0].tolist())
        for place in compiled.inputs
        if (place.file, place.number) in data.inputs
    ]
    uniforms = [setting(f"c{n}", f"c{n}", data.constants[n]) for n in compiled.uniforms if n not in shader.flow.constants]
    for name in compiled.counts:
        value = str(data.booleans[int(name[1:])]).lower() if name[0] == "b" else str(data.integers[int(name[1:])][0])
        uniforms.append(Setting(name, name, (value,)))
    meanings = [place.meaning for place in compiled.outputs if (place.file, place.number) == (file, number)]
    first, second = (f"{np.uint32(bits).view(np.float32)} (0x{bits:08x})" for bits in (found.expected, found.found))
    return Example(
        vertices=(tuple(vertex),),
        uniforms=tuple(uniforms),
        output=f"{meanings[0]}.{'xyzw'[component]}",
        first=first,
        second=second,
        profile=compiled.device.describe(),
    )


def setting(name: str, register: str, patterns: Mapping[int, int] | Sequence[int]) -> Setting:
    words = [int(word) for word in patterns]
    values = tuple([str(np.uint32(word).view(np.float32)) for word in words])
    return Setting(name, register, values, tuple([f"0x{word:08x}" for word in words]))
