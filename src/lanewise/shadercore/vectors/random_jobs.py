"""Random waves for an implementation outside, smaller ones, and what a lane of one does."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.core.reducing import smallest
from lanewise.core.vectors.making import shortened
from lanewise.core.vectors.model import KINDS, WAVE, Job, RandomJobs, Wanted
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Dest, Source, encode
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import BY_NAME, DEST_FILES, END, LANES, NONE, OPS, ZERO, V
from lanewise.shadercore.sem.steps import Hang
from lanewise.shadercore.text.printer import print_program, text_of
from lanewise.shadercore.vectors import suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.vectors.model import Lanes, Vector
    from lanewise.shadercore.isa.codec import Inst

MNEMONICS = tuple([op.name for op in OPS if op.dests])
_ONE = 0x3F800000
SUFFIX = ".sc"


def job(wanted: Wanted, number: int) -> Job:
    """The job of a number; instructions named in `nops` are replaced by NOP."""
    rng = Random(f"against {wanted.seed} {number}")
    insts = suite.random_program(rng, rng.randrange(2, 16), few=rng.random() < 0.3)
    nop = BY_NAME["nop"]
    insts = tuple([inst._replace(op=nop) if inst.op.name in wanted.nops else inst for inst in insts])
    inputs = {n: suite.random_lanes(rng) for n in range(7)}
    constants: dict[int, Vector] = {n: _vector(rng) for n in range(2)}
    found = suite.job_of(suite.Draft(name="", group="", shows="", insts=insts, inputs=inputs, constants=constants), number)
    return found._replace(state=())


def _vector(rng: Random) -> Vector:
    return suite.random_word(rng), suite.random_word(rng), suite.random_word(rng), suite.random_word(rng)


def _with(one: Job, insts: Sequence[Inst]) -> Job:
    """A job with another program."""
    words = [encode(inst) for inst in insts]
    return one._replace(code=tuple([word >> shift & 0xFFFFFFFF for word in words for shift in (0, 32)]))


def reduce(one: Job, variant: str, differs: Callable[[Job], bool]) -> Job:
    """A job for which `differs` still holds, with fewer instructions, plainer operands, and numbers that are 0, 1.0 or equal in
    all lanes."""
    return smallest(one, (_fewer, _plainer, _less_data), differs)


def _fewer(one: Job) -> Iterator[Job]:
    insts = suite.insts_of(one)
    for count in (8, 4, 2, 1):
        for first in range(len(insts) - count):
            yield _with(one, (*insts[:first], *insts[first + count :]))


def _plainer(one: Job) -> Iterator[Job]:
    insts = suite.insts_of(one)
    for number, inst in enumerate(insts[:-1]):
        simpler = [inst._replace(b=Source(ZERO)), inst._replace(a=Source(ZERO))]
        simpler += [inst._replace(a=inst.a._replace(modifier=NONE)), inst._replace(b=inst.b._replace(modifier=NONE))]
        simpler += [inst._replace(a=Source(V)), inst._replace(b=Source(V)), inst._replace(dest=inst.dest._replace(saturate=0))]
        for candidate in simpler:
            yield _with(one, (*insts[:number], candidate, *insts[number + 1 :]))


def _less_data(one: Job) -> Iterator[Job]:
    for register, rows in one.inputs.items():
        rest = {n: lanes for n, lanes in one.inputs.items() if n != register}
        yield one._replace(inputs=rest)
        for lane in range(LANES):
            yield one._replace(inputs={**one.inputs, register: (rows[lane],) * LANES})
        if len(set(rows)) == 1:
            for vector in _components(rows[0]):
                yield one._replace(inputs={**one.inputs, register: (vector,) * LANES})
    for register, vector in one.floats.items():
        yield one._replace(floats={n: row for n, row in one.floats.items() if n != register})
        for simpler in _components(vector):
            yield one._replace(floats={**one.floats, register: simpler})


def _components(vector: Vector) -> Iterator[Vector]:
    for component, word in enumerate(vector):
        for simpler in (0, _ONE):
            if word not in (0, simpler):
                x, y, z, w = (*vector[:component], simpler, *vector[component + 1 :])
                yield x, y, z, w


def steps(one: Job, variant: str, lane: int) -> list[str]:
    """The trace of a lane, a line for each instruction that writes."""
    constants = {(number, component): row[component] for number, row in one.floats.items() for component in range(4)}
    core = Core(suite.insts_of(one), suite.variant_device(variant), constants)
    core.begin({(n, component): [row[component] for row in rows] for n, rows in one.inputs.items() for component in range(4)})
    found: list[str] = []
    insts = suite.insts_of(one)
    try:
        for step in core.steps():
            if step.target is not None:
                file, number, component = step.target
                place = f"{file}{number}.{'xyzw'[component]}"
                found.append(f"{step.number}: {text_of(insts[step.number])}: {place} := 0x{step.value[lane]:08X}")
    except Hang:
        found.append("does not end")
    return shortened(found)


def source(one: Job, variant: str, stem: str, comments: Sequence[str]) -> str:
    """A source with the data in comments."""
    head = [*comments, f"Device: {variant}", "Inputs and constants, float32 patterns; others are zeros:"]
    for register, rows in one.inputs.items():
        head.append(f"  v{register} = {_rows(rows)}")
    head += [f"  c{register} = {_row(vector)}" for register, vector in one.floats.items() if any(vector)]
    return "".join([f"; {line}\n" for text in head for line in text.splitlines()]) + print_program(
        Program(words=tuple([encode(inst) for inst in suite.insts_of(one)]))
    )


def _rows(rows: Lanes) -> str:
    return f"{_row(rows[0])} in all lanes" if len(set(rows)) == 1 else "; ".join([_row(row) for row in rows])


def _row(vector: Vector) -> str:
    return ", ".join([f"0x{word:08X}" for word in vector])


def ops(one: Job) -> list[str]:
    """The mnemonics of a job, each once."""
    return sorted({inst.op.name for inst in suite.insts_of(one) if inst.op is not END and inst.op.dests})


def _careful(variant: str) -> str:
    return variant


def _suffix(one: Job) -> str:
    return SUFFIX


def _nested(one: Job) -> bool:
    return True  # there is no flow


def alone(one: Job, variant: str) -> Iterator[tuple[str, Job]]:
    """The instructions, each with a job that ends after it and has its result in o0.x."""
    insts = suite.insts_of(one)
    for number, inst in enumerate(insts):
        if inst.op.dests:
            shown = inst._replace(dest=Dest(DEST_FILES.index("o"), 0, 0, inst.dest.saturate))
            yield inst.op.name, _with(one._replace(outputs=(0,), state=()), (*insts[:number], shown, insts[-1]))


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
    kinds=(KINDS[WAVE],),
    alone=alone,
)
