"""Random shaders for an implementation outside, smaller ones, and what a lane of one does."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.vectors.making import shortened
from lanewise.core.vectors.model import KINDS, PIXEL, VERTEX, Job, RandomJobs, Wanted
from lanewise.direct3d9.engine.data import bind
from lanewise.direct3d9.engine.random_programs import VERSIONS, Case, Options, arithmetic_ops, random_case
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.direct3d9.engine.trace import trace_lane
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.codec import decode
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.sem.tree import resolve
from lanewise.direct3d9.text.printer import Names, print_shader
from lanewise.direct3d9.vectors.suite import LANES, MOST_ITERATIONS, job_of, variant_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.trace import Step, Value

_FLOW = "flow"
MNEMONICS = (*sorted({op.name for version in VERSIONS for op in arithmetic_ops(version)}), _FLOW)


def job(wanted: Wanted, number: int) -> Job:
    """The job of a number. Instructions named in `nops` are left out; `flow` among them: there is no flow."""
    rng = Random(f"against {wanted.seed} {number}")
    prefix = {KINDS[VERTEX]: "vs", KINDS[PIXEL]: "ps"}.get(wanted.kind, "")
    versions = tuple([name for name in VERSIONS if name.startswith(prefix)])
    case = random_case(rng, Options(flow=_FLOW not in wanted.nops, versions=versions), LANES)
    items = tuple([item for item in case.shader.items if not (isinstance(item, Inst) and item.op.name in wanted.nops)])
    return job_of(case._replace(shader=case.shader._replace(items=items)), number)


def case_of(one: Job) -> Case:
    """A job as the reducer takes it."""
    shader = decode(one.code).shader
    named = {port.file << 8 | port.number: port.register.lower() for port in interface.inputs(shader)}
    return Case(
        shader=shader,
        lanes=one.lanes,
        inputs={named[n]: np.array(rows, np.uint32) for n, rows in one.inputs.items() if n in named},
        constants={f"c{n}": np.array(row, np.uint32) for n, row in one.floats.items()},
        integers={f"i{n}": [value - (value >> 31 << 32) for value in row[:3]] for n, row in one.integers.items()},
        booleans={f"b{n}": True for n in range(16) if one.booleans >> n & 1},
    )


def reduce(one: Job, variant: str, differs: Callable[[Job], bool]) -> Job:
    """A job for which `differs` still holds, with fewer instructions, lanes and data; no job that is not a shader is tried."""

    def job_from(case: Case) -> Job | None:
        if resolve(case.shader)[0] is None:
            return None
        outputs = {port.file << 8 | port.number for port in interface.outputs(case.shader)}
        asked = tuple([register for register in one.outputs if register in outputs])
        return job_of(case, one.number)._replace(outputs=asked) if asked else None

    def wrong(case: Case) -> bool:
        candidate = job_from(case)
        return candidate is not None and differs(candidate)

    return job_from(reduced(case_of(one), wrong)) or one


def steps(one: Job, variant: str, lane: int) -> list[str]:
    """The trace of a lane, a line for each step."""
    case, rule = case_of(one), variant_rule(variant)
    flow, _ = resolve(case.shader)
    if flow is None:
        return []
    inputs = interface.inputs(case.shader)
    try:
        data = bind(
            flow,
            inputs,
            rule,
            inputs={name: Words(grid) for name, grid in case.inputs.items()},
            constants={name: Words(row) for name, row in case.constants.items()},
            integers=case.integers,
            booleans=case.booleans,
            samplers={},
            count=one.lanes,
            iterations=MOST_ITERATIONS,
        )
        names = Names(case.shader.version)
        trace = trace_lane(
            case.shader, flow, rule, data, lane, names, inputs=inputs, outputs=interface.outputs(case.shader), program=""
        )
    except InputError as error:
        return [finding.message for finding in error.diagnostics]
    return shortened([_line(step) for step in trace.steps])


def _line(step: Step) -> str:
    read = [f"{operand.register} = {_values(operand.values)}" for operand in step.operands]
    written = [f"{write.register}.{write.components} := {_values(write.new)}" for write in step.writes]
    return f"{step.address}: {step.instruction}" + (f": {'; '.join([*read, *written])}" if read or written else "")


def _values(values: Sequence[Value]) -> str:
    return ", ".join([f"0x{value.bits:08X}" for value in values])


def source(one: Job, variant: str, stem: str, comments: Sequence[str]) -> str:
    """A source with the data in comments."""
    head = [*comments, f"Number rule: {variant}", f"Lanes: {one.lanes}", "Data, float32 patterns; others are zeros:"]
    case = case_of(one)
    head += [f"  {name} = {'; '.join([_row(row) for row in rows.tolist()])}" for name, rows in case.inputs.items()]
    head += [f"  c{register} = {_row(vector)}" for register, vector in one.floats.items()]
    head += [f"  {name} = {value}" for name, value in (*case.integers.items(), *case.booleans.items())]
    return "".join([f"// {line}\n" for text in head for line in text.splitlines()]) + print_shader(case.shader)


def _row(vector: Sequence[int]) -> str:
    return ", ".join([f"0x{word:08X}" for word in vector])


def ops(one: Job) -> list[str]:
    """The mnemonics of a job, each once."""
    return sorted(
        {inst.op.name for inst in decode(one.code).shader.insts if inst.op.role not in (isa.DECLARATION, isa.DEFINITION)}
    )


def _careful(variant: str) -> str:
    return variant


def _suffix(one: Job) -> str:
    return ".psa" if one.kind == PIXEL else ".vsa"


def _nested(one: Job) -> bool:
    return True  # all flow is


def _alone(one: Job, variant: str) -> Sequence[tuple[str, Job]]:
    return ()  # a result can be of any file, and may not be an output


RANDOM_JOBS = RandomJobs(
    job=job,
    reduce=reduce,
    steps=steps,
    source=source,
    careful=_careful,
    ops=ops,
    suffix=_suffix,
    mnemonics=MNEMONICS,
    groups={},
    nested=_nested,
    kinds=(KINDS[VERTEX], KINDS[PIXEL]),
    alone=_alone,
)
