"""The outcomes of jobs under a profile: the reference engine on jobs of test vectors."""

from __future__ import annotations

from lanewise.core.numbers.floats import float32_bits_from_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.vectors.model import ENDED, ENDLESS, GEOMETRY, STOPPED, Job, NotANumber, Outcome, Primitive
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem.emission import SENT
from lanewise.pica200.sem.profile import find_profile

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Lanes, Vector
    from lanewise.pica200.engine.reference import Machine
    from lanewise.pica200.sem.emission import Emitted
    from lanewise.pica200.sem.profile import Profile

BUDGET = 4000  # steps of a lane: more than any case takes that ends
# Registers of the state, by number: r0 to r15 as in machine words, then the flags, a0 and aL (as words with a sign).
FLAGS, ADDRESS, LOOP = 0x20, 0x21, 0x22
STATE_NAMES = {FLAGS: "cmp", ADDRESS: "a0", LOOP: "aL"}
_WORD = 0xFFFFFFFF


def register_name(number: int) -> str:
    """The name of a register of an outcome."""
    if number < TEMPORARY:
        return f"o{number}"
    return STATE_NAMES.get(number) or f"r{number - TEMPORARY}"


def variant_profile(variant: str) -> Profile:
    """The profile of a variant: a preset, then perhaps `field=value`s, with commas between. Raises ValueError."""
    name, *settings = [part.strip() for part in variant.split(",")]
    profile = find_profile(name)
    for setting in settings:
        profile = profile.set(setting)
    return profile


def is_wide(profile: Profile) -> bool:
    """Whether numbers are float32 patterns."""
    return profile.rounding == "float32"


def run(job: Job, profile: Profile) -> Outcome:
    """The outcome of a job. Raises ValueError for data that no job of this instruction set has."""
    geometry = job.kind == GEOMETRY
    program = Reference(job.code, job.descriptors, job.entry, profile=profile, budget=BUDGET, geometry=geometry)
    zero = (0, 0, 0, 0)
    floats = [job.floats.get(number, zero) for number in range(96)]
    integers = [job.integers.get(number, zero) for number in range(4)]
    booleans = [bool(job.booleans >> number & 1) for number in range(16)]
    previous: Machine | None = None
    machines: list[Machine] = []
    sent: list[Primitive] = []
    status: list[int] = []
    for lane in range(job.lanes):
        inputs = {register: rows[lane] for register, rows in job.inputs.items()}
        machine = program.start(inputs, floats, integers, booleans, previous)
        while not machine.finished:
            found = machine.step().result
            if "emit" in found:
                sent += _primitive(job, lane, found["emit"], profile)
        endless = machine.fault is not None and machine.fault.endless
        status.append(ENDED if machine.fault is None else ENDLESS if endless else STOPPED)
        machines.append(machine)
        if not endless:
            previous = machine
    outputs: dict[int, Lanes] = {}
    written: dict[int, tuple[int, ...]] = {}
    if not geometry:
        lanes = [machine.lane() for machine in machines]
        outputs = {number: tuple([lane.outputs[number] for lane in lanes]) for number in job.outputs}
        written = {number: tuple([lane.written[number] for lane in lanes]) for number in job.outputs}
    state = {number: tuple([_state(machine, number) for machine in machines]) for number in job.state}
    return Outcome(
        status=tuple(status), outputs=outputs, written=written, state=state, primitives=tuple(sent) if geometry else None
    )


def _primitive(job: Job, lane: int, emitted: Emitted[int], profile: Profile) -> list[Primitive]:
    """The primitive of an EMIT, its vertices in the order in which they are sent."""
    if emitted.primitive is None:
        return []
    order = list(range(SENT))
    if emitted.emission.invert:
        order = [1, 0, 2] if profile.winding_swap == "first" else [2, 1, 0]
    one, two, three = (tuple([emitted.primitive[n].outputs[register] for register in job.outputs]) for n in order)
    return [Primitive(lane, int(emitted.emission.invert), (one, two, three))]


def _state(machine: Machine, number: int) -> Vector:
    registers = machine.registers
    if number == FLAGS:
        return int(registers.cmp[0]), int(registers.cmp[1]), 0, 0
    if number == ADDRESS:
        return registers.a0[0] & _WORD, registers.a0[1] & _WORD, 0, 0
    if number == LOOP:
        return registers.loops.al & _WORD, 0, 0, 0
    return registers.readable[number]


def translated(job: Job, before: Profile, after: Profile) -> Job:
    """A job of one profile for another: float24 words become float32 patterns of the same numbers. Raises ValueError for the
    other direction."""
    if is_wide(before) == is_wide(after):
        return job
    if is_wide(before):
        raise ValueError("float32 patterns have no float24 words")
    inputs = {register: tuple(map(widened, rows)) for register, rows in job.inputs.items()}
    return job._replace(floats={register: widened(row) for register, row in job.floats.items()}, inputs=inputs)


def widened(vector: Vector) -> Vector:
    """float24 words as float32 patterns; those of NaN too."""
    x, y, z, w = map(_wide, vector)
    return x, y, z, w


def _wide(word: int) -> int:
    if word >> 24:
        raise NotANumber(f"{word:#x} is not a word of 24 bits")
    if word & 0x7FFFFF > 0x7F0000:
        return (word & 0x800000) << 8 | 0x7F800000 | (word & 0xFFFF) << 7
    return float32_bits_from_float24(word)


def comparable(job: Job, outcome: Outcome, profile: Profile) -> Outcome:
    """An outcome with numbers as float32, so that those of two profiles can be compared. Raises NotANumber."""
    if is_wide(profile):
        return outcome
    # State after the temporaries are not numbers.
    primitives = outcome.primitives
    if primitives is not None:
        primitives = tuple(
            [
                each._replace(
                    vertices=(_wide_lanes(each.vertices[0]), _wide_lanes(each.vertices[1]), _wide_lanes(each.vertices[2]))
                )
                for each in primitives
            ]
        )
    return outcome._replace(
        outputs={register: _wide_lanes(rows) for register, rows in outcome.outputs.items()},
        state={register: _wide_lanes(rows) if register < FLAGS else rows for register, rows in outcome.state.items()},
        primitives=primitives,
    )


def _wide_lanes(rows: Lanes) -> Lanes:
    return tuple(map(widened, rows))
