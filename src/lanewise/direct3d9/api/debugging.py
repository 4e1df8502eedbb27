"""Direct3D 9 shaders in a debugger: lanes, each with its wave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.lists import table
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.replaying import Replayed, unchangeable
from lanewise.core.streaming import Stream
from lanewise.direct3d9.engine.reads import reads
from lanewise.direct3d9.engine.trace import LaneRun
from lanewise.direct3d9.isa.operands import KILLED as TESTED
from lanewise.direct3d9.isa.program import addresses
from lanewise.direct3d9.isa.table import COMPONENTS, CONST, DECLARATION, register_name
from lanewise.direct3d9.sem.tree import Step
from lanewise.direct3d9.text.printer import Names, instruction_text
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.sem.numbers import Rule

MOST_STEPS = 1_000_000


def lanes(shader: Direct3DShader, arguments: Mapping[str, Any]) -> Replayed:
    """The lanes of a run with the arguments of `Direct3DShader.trace`. Raises InputError, ValueError."""
    rule, data, warnings = shader.complete_data(**arguments)
    data = _completed(shader, rule, data)
    names = Names(shader.shader.version, shader.symbols)
    places = addresses(shader.shader)
    texts = {places[id(inst)]: instruction_text(inst, names) or inst.op.name for inst in shader.shader.insts}

    def streamed(lane: int, changed: Mapping[str, float]) -> Stream:
        run = LaneRun(
            shader.shader,
            shader.flow,
            rule,
            _changed(shader, data, lane, changed),
            lane,
            names,
            inputs=shader.inputs,
            outputs=shader.outputs,
            program=shader.name,
            diagnostics=[*shader.diagnostics, *warnings],
            most=MOST_STEPS,
        )
        return Stream(run.head, run.run)

    return Replayed(
        "direct3d9",
        shader.name,
        "lane",
        range(data.lanes),
        streamed,
        lambda at: texts.get(at, ""),
        group=LANES,
        labels=_labels(shader, places),
        writes=_writes(shader),
    )


def _completed(shader: Direct3DShader, rule: Rule, data: Data) -> Data:
    """The data with the zeros of a run that are not in it: what the shader reads is shown, and can be set."""
    found = reads(shader.flow, rule.choices, data.integers, data.booleans)
    zeros = (0, 0, 0, 0)
    constants = {cell.number: zeros for cell in found.components if cell.file == CONST}
    return data._replace(
        constants={**constants, **data.constants},
        integers={**dict.fromkeys(found.integers, zeros), **data.integers},
        booleans={**dict.fromkeys(found.booleans, False), **data.booleans},
    )


def _writes(shader: Direct3DShader) -> Iterator[str]:
    """The places that instructions write."""
    version = shader.shader.version
    for inst in shader.shader.insts:
        dest = inst.dest
        if dest is not None and inst.op.role != DECLARATION and inst.op.dest != TESTED:
            name = register_name(version, dest.file, dest.number)
            yield from [f"{name}.{letter}" for n, letter in enumerate(COMPONENTS) if name is not None and dest.mask >> n & 1]


def _labels(shader: Direct3DShader, places: Mapping[int, int]) -> dict[str, int]:
    """The routines by their labels, with the addresses of their first instructions."""
    first = {label: routine.block[0] for label, routine in shader.flow.routines.items() if routine.block}
    return {f"l{label}": places[id(node.insts[0] if isinstance(node, Step) else node.inst)] for label, node in first.items()}


def _changed(shader: Direct3DShader, data: Data, lane: int, changed: Mapping[str, float]) -> Data:
    """The data with other values in places. Raises InputError."""
    if not changed:
        return data
    inputs = dict(data.inputs)
    constants, integers, booleans = dict(data.constants), dict(data.integers), dict(data.booleans)
    ports = {port.register: (port.file, port.number) for port in shader.inputs}
    flow = shader.flow
    for place, number in changed.items():
        register, _, letter = place.partition(".")
        component, file = COMPONENTS.find(letter) if letter else 0, register.rstrip("0123456789")
        index = int(register[len(file) :] or -1)
        if register in ports and ports[register] in inputs:
            grid: list[list[int]] = inputs[ports[register]].tolist()
            grid[lane][component] = float32_bits(float(number))
            inputs[ports[register]] = table(grid, "u", len(COMPONENTS))
        elif file == "c" and index >= 0 and index not in flow.constants:
            constants[index] = _with(constants.get(index, (0, 0, 0, 0)), component, float32_bits(float(number)))
        elif file == "i" and index in integers and index not in flow.integers:
            integers[index] = _with(integers[index], component, int(number) & 0xFFFFFFFF)
        elif file == "b" and index in booleans and index not in flow.booleans:
            booleans[index] = bool(number)
        else:
            raise unchangeable(place, shader.name)
    return data._replace(inputs=inputs, constants=constants, integers=integers, booleans=booleans)


def _with(row: tuple[int, ...], component: int, value: int) -> tuple[int, ...]:
    return tuple([value if n == component else old for n, old in enumerate(row)])
