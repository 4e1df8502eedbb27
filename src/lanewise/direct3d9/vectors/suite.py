"""The suites of Direct3D 9: every arithmetic instruction of every version, and random shaders with flow, under a number
rule."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.record import Record
from lanewise.core.vectors.making import cases_of, least_known
from lanewise.core.vectors.model import (
    ENDED,
    FULL,
    PIXEL,
    QUICK,
    STOPPED,
    VERTEX,
    Case,
    Identity,
    Job,
    Outcome,
    Question,
    Suite,
    Vectors,
    same_job,
    same_outcome,
)
from lanewise.core.vectors.relevant import Alternative, Alternatives
from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.engine.data import bind
from lanewise.direct3d9.engine.random_programs import VERSIONS, arithmetic_ops, case_of_op, random_case
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.choices import BY_KEY, CHOICES
from lanewise.direct3d9.isa.codec import decode
from lanewise.direct3d9.isa.table import register_name as isa_name
from lanewise.direct3d9.sem.numbers import NAMES, Rule, rule_of
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.vectors.model import Lanes, Vector
    from lanewise.direct3d9.engine.random_programs import Case as Shaded

SUITES = {
    QUICK: "every arithmetic instruction of every version on special numbers, and random shaders with flow",
    FULL: "more of each",
    "operations": "single instructions with random operands, modifiers and write masks",
    "random": "random shaders: flow, predicates, relative addresses",
}
_GROUPS = ("operations", "random")
LANES = 6
MOST_ITERATIONS = 2000


class Draft(Record):
    """A case before it has run."""

    name: str
    "The name of the case in its suite."
    group: str
    "`operations` or `random`."
    ops: tuple[str, ...]
    "Names of the instructions that it is about."
    shows: str
    "The topic of the case, in words."
    shader: Shaded
    "The shader with its data."


def drafts(names: Sequence[str], seed: int) -> Iterator[Draft]:
    """The cases of groups or of a whole suite, before they run."""
    full = FULL in names
    wanted = _GROUPS if full or QUICK in names else [name for name in _GROUPS if name in names]
    if "operations" in wanted:
        for version in VERSIONS:
            for op in arithmetic_ops(version):
                for number in range(20 if full else 3):
                    rng = Random(f"operations {seed} {version} {op.name} {number}")
                    case = case_of_op(rng, op, version, LANES)
                    yield Draft(
                        name=f"{version}/{op.name}-{number}",
                        group="operations",
                        ops=(op.name,),
                        shows=f"{op.name} in {version}",
                        shader=case,
                    )
    if "random" in wanted:
        for number in range(3000 if full else 160):
            case = random_case(Random(f"random {seed} {number}"), None, LANES)
            ops = sorted({inst.op.name for inst in case.shader.insts if inst.op.role not in (isa.DECLARATION,)})
            yield Draft(
                name=f"random/{number}",
                group="random",
                ops=tuple(ops),
                shows=f"a random shader, {case.shader.version.name}",
                shader=case,
            )


def _vector(row: Sequence[int]) -> Vector:
    x, y, z, w = (*row, 0, 0, 0, 0)[:4]
    return x, y, z, w


def job_of(shaded: Shaded, number: int = 0) -> Job:
    """The job of a shader with data. Registers are their file, shifted by 8 bits, and number."""
    ports = {port.register.lower(): port for port in interface.inputs(shaded.shader)}
    inputs: dict[int, Lanes] = {}
    for name, grid in shaded.inputs.items():
        if name in ports:
            inputs[ports[name].file << 8 | ports[name].number] = tuple([_vector(row) for row in grid.tolist()])
    outputs = dict.fromkeys([port.file << 8 | port.number for port in interface.outputs(shaded.shader)])
    kind = PIXEL if shaded.shader.version.kind == isa.PIXEL else VERTEX
    integers = {int(name[1:]): _vector([value & 0xFFFFFFFF for value in row]) for name, row in shaded.integers.items()}
    floats = {int(name[1:]): _vector(row.tolist()) for name, row in shaded.constants.items()}
    booleans = sum(1 << int(name[1:]) for name, value in shaded.booleans.items() if value)
    return Job(
        number=number,
        kind=kind,
        lanes=shaded.lanes,
        entry=0,
        code=tuple(shaded.shader.words),
        descriptors=(),
        floats=floats,
        integers=integers,
        booleans=booleans,
        inputs=inputs,
        outputs=tuple(outputs),
    )


def run(job: Job, rule: Rule) -> Outcome:
    """The outcome of a job under a number rule. Raises ValueError for code that is not a shader."""
    shader = decode(job.code).shader
    flow, findings = resolve(shader)
    if flow is None:
        raise ValueError(findings[0].message)
    ports = interface.outputs(shader)
    named = {port.file << 8 | port.number: port.register for port in interface.inputs(shader)}
    integers = {f"i{n}": [value - (value >> 31 << 32) for value in row[:3]] for n, row in job.integers.items()}
    try:
        data = bind(
            flow,
            interface.inputs(shader),
            rule,
            inputs={named[n]: Words(np.array(rows, np.uint32)) for n, rows in job.inputs.items() if n in named},
            constants={f"c{n}": Words(np.array(row, np.uint32)) for n, row in job.floats.items()},
            integers=integers,
            booleans={f"b{n}": bool(job.booleans >> n & 1) for n in range(16)},
            samplers={},
            count=job.lanes,
            iterations=MOST_ITERATIONS,
        )
        raw = reference.run(flow, rule, data, tuple([(number >> 8, number & 0xFF) for number in job.outputs]))
    except InputError:
        return Outcome(status=(STOPPED,) * job.lanes, outputs=dict.fromkeys(job.outputs, ((0, 0, 0, 0),) * job.lanes))
    masks: dict[int, int] = {}
    for port in ports:
        number = port.file << 8 | port.number
        masks[number] = masks.get(number, 0) | sum(8 >> component for component in port.components)
    outputs = {
        number: tuple([_vector(row) for row in raw.outputs[number >> 8, number & 0xFF].tolist()]) for number in job.outputs
    }
    return Outcome(
        status=(ENDED,) * job.lanes, outputs=outputs, written={number: (masks[number],) * job.lanes for number in job.outputs}
    )


def variant_rule(variant: str) -> Rule:
    """The number rule of a variant: a name, then perhaps `field=value`s. Raises ValueError."""
    name, *settings = [part.strip() for part in variant.split(",")]
    rule = rule_of(name)
    return rule.set(",".join(settings)) if settings else rule


class _Rules(Alternatives[Rule]):
    def outcome(self, job: Job, variant: Rule, base: Rule) -> Outcome | None:
        return run(job, variant)

    def alternatives(self, job: Job, expected: Outcome, base: Rule, ops: Sequence[str]) -> Iterator[Alternative[Rule]]:
        for name in NAMES:
            if name != base.describe():
                yield Alternative(name, rule_of(name))
        for choice in CHOICES:
            if not choice.ops or set(ops) & set(choice.ops):
                for answer in choice.answers:
                    other = base.set(f"{choice.key}={answer}")
                    if other.choices != base.choices:
                        yield Alternative(f"{choice.key}={answer}", other)


_ALTERNATIVES = _Rules()


def make(names: Sequence[str], seed: int, variant: str, progress: Callable[[int, int], None] | None = None) -> Suite:
    """A suite. Raises ValueError for an unknown variant."""
    rule = variant_rule(variant)

    def case(draft: Draft, number: int) -> Case | None:
        job = job_of(draft.shader, number)
        expected = run(job, rule)
        if STOPPED in expected.status:
            return None
        differs = _ALTERNATIVES.of(job, expected, rule, draft.ops)
        evidence = least_known(differs, lambda key: BY_KEY[key].known)
        return Case(
            name=draft.name,
            group=draft.group,
            ops=draft.ops,
            shows=draft.shows,
            job=job,
            expected=expected,
            evidence=evidence,
            differs=differs,
        )

    cases = cases_of(drafts(names, seed), case, progress)
    return Suite(
        Identity(isa="direct3d9", suite=",".join(names), seed=seed, variant=rule.describe(), bits=32, cases=len(cases)), cases
    )


def register_name(number: int) -> str:
    """The name of a register of an outcome, as in a vertex shader of version 2."""
    version = isa.find_version("vs_2_0")
    name = None if version is None else isa_name(version, number >> 8, number & 0xFF)
    return name or f"file{number >> 8}_{number & 0xFF}"


def _run(job: Job, variant: str) -> Outcome:
    return run(job, variant_rule(variant))


def _with_answer(variant: str, setting: str) -> str:
    return variant_rule(variant).set(setting).describe()


_QUESTIONS = tuple(
    [
        Question(key=choice.key, topic=choice.topic, known=choice.known, answers=choice.answers, ops=choice.ops)
        for choice in CHOICES
    ]
)
VECTORS = Vectors(
    suites=SUITES,
    presets=NAMES,
    make=make,
    run=_run,
    questions=_QUESTIONS,
    register=register_name,
    translate=same_job,
    comparable=same_outcome,
    with_answer=_with_answer,
)
