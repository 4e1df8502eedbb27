"""The suites of ShaderCore. A case is one wave of 16 lanes: the outputs that leave the core, registers at the end, cycles, and
every write with its cycle."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.core.evidence import MEASURED
from lanewise.core.record import Record
from lanewise.core.vectors.making import cases_of, least_known
from lanewise.core.vectors.model import (
    ENDED,
    ENDLESS,
    FULL,
    MAY_HANG,
    QUICK,
    WAVE,
    Case,
    Identity,
    Job,
    Outcome,
    Question,
    Suite,
    Vectors,
    Write,
    same_job,
    same_outcome,
)
from lanewise.core.vectors.relevant import Alternative, Alternatives
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Dest, Inst, Source, decode, encode
from lanewise.shadercore.isa.devices import BY_KEY, DEVICES, PARAMETERS, Device, value_text
from lanewise.shadercore.isa.table import (
    ABS,
    BY_NAME,
    DEST_FILES,
    END,
    LANES,
    MINUS_ONE,
    NEG_ABS,
    NEGATE,
    NONE,
    NULL_FILE,
    ONE,
    OPS,
    QUADS,
    ZERO,
    C,
    O,
    R,
    V,
    X,
)
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.steps import Hang, exports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.model import Lanes, Vector

SUITES = {
    QUICK: "every operation on special numbers, modifiers, registers, hazards, and random programs",
    FULL: "more of each",
    "operations": "every instruction on special numbers, with modifiers and saturation",
    "registers": "files of registers, constants, NULL, and x7.x",
    "time": "hazards between instructions, intervals and latencies",
    "random": "random programs",
}
_GROUPS = ("operations", "registers", "time", "random")
# Registers by number: o0 to o7, r0 to r7, x0 to x7.
_FIRST = {"o": 0, "r": 16, "x": 32}
EDGES = (
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000, 0x3F800001,
    0x3F7FFFFF, 0x40000000, 0xC0000000, 0x3F000000,
    0xBF000000, 0x40200000, 0xC0200000, 0x4B000000, 0x4B000001, 0x47000000, 0x477FE000, 0x477FF000, 0x38800000, 0x33000000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
    0x7FC00000, 0xFFC00001, 0x7F800001, 0x0000FFFF,
)  # fmt: skip


class Draft(Record):
    """A case before it has run."""

    name: str
    "The name of the case in its suite."
    group: str
    "The group of the suite, such as `operations`."
    shows: str
    "The topic of the case, in words."
    insts: tuple[Inst, ...]
    "The instructions, END included where the program ends."
    inputs: dict[int, Lanes]
    "The vectors of 16 lanes, by the number of the v register."
    constants: dict[int, Vector]
    "Vectors of patterns, by the number of the c register."


def _input(number: int = 0, component: int = 0, modifier: int = NONE) -> Source:
    return Source(V, number, component, modifier)


def _out(number: int = 0, component: int = 0, saturate: int = 0) -> Dest:
    return Dest(DEST_FILES.index("o"), number, component, saturate)


def _lanes(words: Sequence[int]) -> Lanes:
    """A word of x for each lane; y, z and w are others of them."""
    count = len(words)
    return tuple(
        [
            (words[n % count], words[(n * 5 + 1) % count], words[(n * 7 + 3) % count], words[(n * 11 + 2) % count])
            for n in range(LANES)
        ]
    )


def random_word(rng: Random) -> int:
    kind = rng.random()
    if kind < 0.2:
        return rng.choice(EDGES)
    if kind < 0.3:
        return rng.getrandbits(32)
    return rng.getrandbits(1) << 31 | (127 + rng.randrange(-6, 7)) << 23 | rng.getrandbits(23)


def random_lanes(rng: Random) -> Lanes:
    return tuple([(random_word(rng), random_word(rng), random_word(rng), random_word(rng)) for _ in range(LANES)])


_COMPUTING = tuple([op for op in OPS if op.dests])
_END = Inst(op=END)


def _four_each(words: Sequence[int]) -> Lanes:
    """Words as the vectors of all lanes, in order."""
    x, y, z, w = [words[n::4] for n in range(4)]
    return tuple(zip(x, y, z, w, strict=True))


def _operations(seed: int, *, full: bool) -> Iterator[Draft]:
    for op in _COMPUTING:
        rng = Random(f"operations {seed} {op.name}")
        pairs = [(a, b) for a in EDGES for b in EDGES] if op.sources == 2 else [(a, a) for a in EDGES]
        rng.shuffle(pairs)
        pairs = pairs if full else pairs[: 4 * LANES * 3]
        plain = [(random_word(rng), random_word(rng)) for _ in range(64 * (8 if full else 1))]
        for what, rows in (("special", pairs), ("plain", plain)):
            for number, first in enumerate(range(0, len(rows), 4 * LANES)):
                part = rows[first : first + 4 * LANES]
                part += part[:1] * (4 * LANES - len(part))
                insts = [
                    Inst(op=op, dest=_out(0, c), a=_input(0, c), b=_input(1, c) if op.sources > 1 else Source(ZERO))
                    for c in range(4)
                ]
                inputs = {n: _four_each([pair[n] for pair in part]) for n in range(op.sources)}
                yield Draft(
                    name=f"{op.name}/{what}-{number}",
                    group="operations",
                    shows=f"{what} numbers",
                    insts=(*insts, _END),
                    inputs=inputs,
                    constants={},
                )
        for modifier, text in ((NEGATE, "negated"), (ABS, "absolute"), (NEG_ABS, "negated absolute")):
            for place in range(op.sources):
                sources = [_input(n, 0, modifier if n == place else NONE) for n in range(op.sources)]
                inst = Inst(op=op, dest=_out(), a=sources[0], b=sources[1] if op.sources > 1 else Source(ZERO))
                lanes = {0: _lanes(EDGES), 1: _lanes(EDGES[::-1])}
                yield Draft(
                    name=f"{op.name}/{text.replace(' ', '-')}-{place}",
                    group="operations",
                    shows=f"source {place + 1} {text}",
                    insts=(inst, _END),
                    inputs=lanes,
                    constants={},
                )
        inst = Inst(op=op, dest=_out(0, 0, 1), a=_input(), b=_input(1) if op.sources > 1 else Source(ZERO))
        yield Draft(
            name=f"{op.name}/saturated",
            group="operations",
            shows="the result saturated",
            insts=(inst, _END),
            inputs={0: _lanes(EDGES), 1: _lanes(EDGES[3:])},
            constants={},
        )


def _registers(seed: int, *, full: bool) -> Iterator[Draft]:
    rng = Random(f"registers {seed}")
    mov, add = BY_NAME["mov"], BY_NAME["add"]
    inputs = {n: random_lanes(rng) for n in range(8)}
    constants: dict[int, Vector] = {
        n: (random_word(rng), random_word(rng), random_word(rng), random_word(rng)) for n in (0, 1, 127, 255)
    }
    for file in range(len(DEST_FILES) - 1):
        for number in range(8):
            dest = Dest(file, number, number & 3)
            source = {"r": R, "x": X, "o": O}[DEST_FILES[file]]
            insts = (
                Inst(op=mov, dest=dest, a=_input(number, 3 - (number & 3))),
                Inst(op=mov, dest=_out(0, 1), a=Source(source, number, number & 3)),
                _END,
            )
            yield Draft(
                name=f"files/{DEST_FILES[file]}{number}",
                group="registers",
                shows="a register written and read",
                insts=insts,
                inputs=inputs,
                constants={},
            )
    for number, component in ((0, 0), (1, 1), (127, 2), (255, 3)):
        insts = (Inst(op=mov, dest=_out(), a=Source(C, number, component)), _END)
        yield Draft(
            name=f"constants/c{number}", group="registers", shows="a constant", insts=insts, inputs={}, constants=constants
        )
    for one, other in ((0, 1), (127, 255), (255, 0)):
        insts = (
            Inst(op=add, dest=_out(), a=Source(C, one, 1), b=Source(C, other, 2)),
            Inst(op=add, dest=_out(0, 1), a=_input(), b=Source(C, other, 2)),
            _END,
        )
        yield Draft(
            name=f"constants/two-{one}-{other}",
            group="registers",
            shows="two constants in one instruction",
            insts=insts,
            inputs={0: inputs[0]},
            constants=constants,
        )
    for file, name in ((ZERO, "zero"), (ONE, "one"), (MINUS_ONE, "minus-one")):
        for modifier in range(4):
            insts = (
                Inst(op=add, dest=_out(), a=Source(file, 0, 0, modifier), b=_input()),
                Inst(op=mov, dest=_out(0, 1), a=Source(file, 3, 2, modifier)),
                _END,
            )
            yield Draft(
                name=f"constants/{name}-{modifier}",
                group="registers",
                shows=f"the constant {name}",
                insts=insts,
                inputs={0: inputs[0]},
                constants={},
            )
    for op in OPS:
        if op.dests:
            insts = (
                Inst(op=op, dest=Dest(NULL_FILE, 5, 2), a=_input(), b=_input(1)),
                Inst(op=mov, dest=_out(), a=_input(2)),
                _END,
            )
            yield Draft(
                name=f"null/{op.name}",
                group="registers",
                shows="a result that is dropped",
                insts=insts,
                inputs=inputs,
                constants={},
            )
        if op.name in ("nop", "unused"):
            insts = (Inst(op=mov, dest=_out(), a=_input()), Inst(op=op, dest=_out(), a=_input(1)), _END)
            yield Draft(
                name=f"{op.name}/destination",
                group="registers",
                shows="a destination of an instruction that computes nothing",
                insts=insts,
                inputs=inputs,
                constants={},
            )
    x7x = Dest(DEST_FILES.index("x"), 7, 0)
    for gap in range(4 if full else 3):
        insts = (Inst(op=mov, dest=x7x, a=_input()), *[Inst(op=mov, dest=_out(0, n), a=_input(1)) for n in range(gap)], _END)
        yield Draft(
            name=f"x7x/{gap}",
            group="registers",
            shows="x7.x, which idle write slots clear",
            insts=insts,
            inputs=inputs,
            constants={},
        )
    yield Draft(
        name="x7x/source",
        group="registers",
        shows="x7.x as a source",
        insts=(Inst(op=mov, dest=_out(), a=Source(X, 7, 0)), _END),
        inputs=inputs,
        constants={},
    )
    yield Draft(
        name="end/missing",
        group="registers",
        shows="a program without end",
        insts=(Inst(op=mov, dest=_out(), a=_input()),),
        inputs=inputs,
        constants={},
    )


def _time(seed: int, *, full: bool) -> Iterator[Draft]:
    """Pairs of instructions with each kind of dependence, and longer programs."""
    rng = Random(f"time {seed}")
    r0 = Dest(DEST_FILES.index("r"))
    inputs = {0: random_lanes(rng), 1: random_lanes(rng)}
    second = ("mov", "mul", "rcp") if not full else tuple([op.name for op in _COMPUTING])
    for op in _COMPUTING:
        for name in second:
            other = BY_NAME[name]
            first = Inst(op=op, dest=r0, a=_input(), b=_input(1))
            for what, inst in (
                ("read", Inst(op=other, dest=_out(), a=Source(R), b=_input(1))),
                ("write", Inst(op=other, dest=r0, a=_input(1), b=_input())),
                ("apart", Inst(op=other, dest=_out(), a=_input(1), b=_input())),
            ):
                yield Draft(
                    name=f"{op.name}/{what}-{name}",
                    group="time",
                    shows=f"{name} after {op.name}: {what}",
                    insts=(first, inst, _END),
                    inputs=inputs,
                    constants={},
                )
    for number in range(600 if full else 40):
        yield Draft(
            name=f"time/random-{number}",
            group="time",
            shows="dependences of many instructions",
            insts=random_program(rng, rng.randrange(3, 12), few=True),
            inputs=inputs,
            constants={},
        )


def random_program(rng: Random, size: int, *, few: bool) -> tuple[Inst, ...]:
    found: list[Inst] = []
    for _ in range(size):
        op = rng.choice(_COMPUTING if rng.random() < 0.95 else OPS[:1])
        dest = Dest(
            rng.randrange(len(DEST_FILES) - 1),
            rng.randrange(2 if few else 7),
            rng.randrange(2 if few else 4),
            int(rng.random() < 0.1),
        )
        found.append(Inst(op=op, dest=dest, a=_source(rng, few=few), b=_source(rng, few=few)))
    return (*found, *[Inst(op=BY_NAME["mov"], dest=_out(0, n), a=_source(rng, few=few)) for n in range(2)], _END)


def _source(rng: Random, *, few: bool) -> Source:
    file = rng.choice((R, R, V, V, X, O, C, ZERO, ONE, MINUS_ONE))
    number = rng.randrange(2 if few or file == C else 7)
    return Source(file, number, rng.randrange(2 if few else 4), rng.choice((NONE, NONE, NONE, NEGATE, ABS, NEG_ABS)))


def _random(seed: int, *, full: bool) -> Iterator[Draft]:
    for number in range(3000 if full else 130):
        rng = Random(f"random {seed} {number}")
        inputs = {n: random_lanes(rng) for n in range(3)}
        constants: dict[int, Vector] = {
            n: (random_word(rng), random_word(rng), random_word(rng), random_word(rng)) for n in range(2)
        }
        yield Draft(
            name=f"random/{number}",
            group="random",
            shows="a random program",
            insts=random_program(rng, rng.randrange(4, 16), few=False),
            inputs=inputs,
            constants=constants,
        )


_MAKERS: Mapping[str, Callable[..., Iterator[Draft]]] = {
    "operations": _operations,
    "registers": _registers,
    "time": _time,
    "random": _random,
}


def drafts(names: Sequence[str], seed: int) -> Iterator[Draft]:
    """The cases of groups or of a whole suite, before they run."""
    full = FULL in names
    for name in _GROUPS if full or QUICK in names else [name for name in _GROUPS if name in names]:
        yield from _MAKERS[name](seed, full=full)


def job_of(draft: Draft, number: int = 0) -> Job:
    """The job of a draft. State are the registers of r and x that it writes, and those of o that do not leave the core."""
    code = [encode(inst) for inst in draft.insts]
    halves = tuple([word >> shift & 0xFFFFFFFF for word in code for shift in (0, 32)])
    state = sorted(
        {
            _FIRST[DEST_FILES[inst.dest.file]] + inst.dest.number
            for inst in draft.insts
            if inst.dest.file != NULL_FILE and inst.op.dests
        }
    )
    read = {source.number for inst in draft.insts for source in (inst.a, inst.b) if source.file == V}
    return Job(
        number=number,
        kind=WAVE,
        lanes=LANES,
        entry=0,
        code=halves,
        descriptors=(),
        floats=draft.constants,
        integers={},
        booleans=0,
        inputs={n: rows for n, rows in draft.inputs.items() if n in read},
        outputs=(0, 1, 2),
        state=tuple([n for n in state if n > 2]),
    )


def insts_of(job: Job) -> list[Inst]:
    return [decode(job.code[n] | job.code[n + 1] << 32) for n in range(0, len(job.code), 2)]


def run(job: Job, device: Device) -> Outcome:
    """The outcome of a wave on a device."""
    insts = insts_of(job)
    timing = time_program(insts, device)
    constants = {(number, component): row[component] for number, row in job.floats.items() for component in range(4)}
    core = Core(insts, device, constants, timing=timing)
    core.begin(
        {(number, component): [row[component] for row in rows] for number, rows in job.inputs.items() for component in range(4)}
    )
    writes: list[Write] = []
    status = ENDED
    try:
        for step in core.steps():
            if step.target is None:
                continue
            issue = next(issue for issue in timing.issues if issue.number == step.number)
            place = _FIRST[step.target[0]] + step.target[1]
            for quad, start in enumerate(timing.starts(issue)):
                a, b, c, d = step.value[quad * QUADS : quad * QUADS + QUADS]
                writes.append(Write(start + issue.latency, quad, place * 4 + step.target[2], (a, b, c, d)))
    except Hang:
        status = ENDLESS
    lanes = range(LANES)
    left = {(number, component) for file, number, component in exports(device) if file == "o"}

    def register(number: int) -> Lanes:
        file, first = next((file, first) for file, first in (("x", 32), ("r", 16), ("o", 0)) if number >= first)
        waves = [core.value((file, number - first, n)) for n in range(4)]
        return tuple([(waves[0][lane], waves[1][lane], waves[2][lane], waves[3][lane]) for lane in lanes])

    outputs = {number: register(number) for number in job.outputs}
    written = {number: tuple([sum(8 >> n for n in range(4) if (number, n) in left)] * LANES) for number in job.outputs}
    counts = (timing.run_cycles, timing.drain_cycles, timing.output_stalls, timing.input_stalls)
    cycles = tuple([count or 0 for count in counts]) if timing.run_cycles is not None else ()
    if status == ENDLESS:
        cycles, writes = (), []
    writes.sort()
    return Outcome(
        status=(status,) * LANES,
        outputs=outputs,
        written=written,
        state={number: register(number) for number in job.state},
        primitives=None,
        cycles=cycles,
        writes=tuple(writes),
    )


def variant_device(variant: str) -> Device:
    """The device of a variant: `rtl` or `document`, then perhaps `field=value`s. Raises ValueError."""
    name, *settings = [part.strip() for part in variant.split(",")]
    if name not in DEVICES:
        raise ValueError(f"unknown device '{name}': use {' or '.join(DEVICES)}")
    device = DEVICES[name]
    return device.set(",".join(settings)) if settings else device


def variant_name(device: Device) -> str:
    """The text of a device as a variant."""
    differing = device.differences(DEVICES[device.name])
    return ", ".join([device.name, *[f"{key}={value_text(value)}" for key, value in differing.items()]])


# Parameters with answers that a wave can show.
_QUESTIONS = tuple(
    [
        row
        for row in PARAMETERS
        if row.answers and not row.key.startswith("cache") and row.key not in ("idle_lanes", "between_waves", "d3dcolor")
    ]
)


class _Devices(Alternatives[Device]):
    def outcome(self, job: Job, variant: Device, base: Device) -> Outcome | None:
        try:
            return run(job, variant)
        except ValueError:
            return None

    def alternatives(self, job: Job, expected: Outcome, base: Device, ops: Sequence[str]) -> Iterator[Alternative[Device]]:
        for name, device in DEVICES.items():
            if device != base:
                yield Alternative(name, device)
        used = {inst.op.name for inst in insts_of(job)}
        for row in _QUESTIONS:
            if row.ops and not used & set(row.ops):
                continue
            for answer in row.answers:
                if answer != base.value(row.key):
                    try:
                        yield Alternative(f"{row.key}={answer}", base.replace({row.key: answer}))
                    except ValueError:  # it does not go with the others
                        continue


_ALTERNATIVES = _Devices()


def make(names: Sequence[str], seed: int, variant: str, progress: Callable[[int, int], None] | None = None) -> Suite:
    """A suite. Raises ValueError for an unknown variant."""
    device = variant_device(variant)

    def case(draft: Draft, number: int) -> Case | None:
        job = job_of(draft, number)
        expected = run(job, device)
        endless = ENDLESS in expected.status
        if draft.group == "random" and endless:
            return None
        ops = tuple(dict.fromkeys([inst.op.name for inst in draft.insts if inst.op is not END]))
        differs = _ALTERNATIVES.of(job, expected, device, ops)
        hazards = ("the wave does not end",) if endless else ()
        return Case(
            name=draft.name,
            group=draft.group,
            ops=ops[:4],
            shows=draft.shows,
            job=job,
            expected=expected,
            evidence=_evidence(device, differs),
            differs=differs,
            hazards=hazards,
            flags=MAY_HANG if endless else 0,
        )

    cases = cases_of(drafts(names, seed), case, progress)
    return Suite(
        Identity(isa="shadercore", suite=",".join(names), seed=seed, variant=variant_name(device), bits=32, cases=len(cases)),
        cases,
    )


def _evidence(device: Device, differs: Sequence[str]) -> str:
    """The least of what the outcome depends on; that of the specification is the document itself."""
    if device.name != "rtl":
        return MEASURED
    return least_known(differs, lambda key: BY_KEY[key].known)


def register_name(number: int) -> str:
    """The name of a register of an outcome."""
    file, first = next((file, first) for file, first in (("x", 32), ("r", 16), ("o", 0)) if number >= first)
    return f"{file}{number - first}"


def _run(job: Job, variant: str) -> Outcome:
    return run(job, variant_device(variant))


def _with_answer(variant: str, setting: str) -> str:
    return variant_name(variant_device(variant).set(setting))


def _question(key: str) -> Question:
    row = BY_KEY[key]
    answers = dict(row.answers)
    usual = str(row.rtl)
    return Question(key=key, topic=row.topic, known=row.known, answers={usual: answers.pop(usual), **answers})


VECTORS = Vectors(
    suites=SUITES,
    presets=("rtl", "document"),
    make=make,
    run=_run,
    questions=tuple([_question(row.key) for row in _QUESTIONS]),
    register=register_name,
    translate=same_job,
    comparable=same_outcome,
    with_answer=_with_answer,
)
