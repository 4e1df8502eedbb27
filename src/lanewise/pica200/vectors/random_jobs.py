"""Random jobs for an implementation outside, and smaller ones."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.core.vectors.model import GEOMETRY, KINDS, VERTEX, Job
from lanewise.pica200.engine.random_programs import DESCRIPTORS, INPUTS, Case, flow_words, random_descriptor, random_word
from lanewise.pica200.engine.reduce import reduced
from lanewise.pica200.isa.codec import Inst, decode, encode
from lanewise.pica200.isa.table import ARITHMETIC, BREAK, BY_NAME, CALL, CONDITIONAL, END, JUMP, LOOP, OPS, TEMPORARY
from lanewise.pica200.isa.table import GEOMETRY as UNIT
from lanewise.pica200.vectors.running import variant_profile

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.vectors.model import Vector, Wanted
    from lanewise.pica200.sem.profile import Profile

MNEMONICS = tuple([op.name for op in OPS if op is not BY_NAME["nop"]])
# Names for several of them: END and the instructions of the geometry unit are in neither.
GROUPS = {
    "flow": tuple([op.name for op in OPS if op.kind in (CONDITIONAL, LOOP, CALL, JUMP, BREAK)]),
    "arithmetic": tuple([op.name for op in OPS if op.kind == ARITHMETIC]),
}
MOST_LANES = 4
_POOL = 12
_NOP, _EMIT = BY_NAME["nop"].opcode << 26, BY_NAME["emit"].opcode << 26
_ZEROS: Vector = (0, 0, 0, 0)


def job(wanted: Wanted, number: int) -> Job:
    """The job of a number. Instructions named in `nops` are replaced by others of their format, or by NOP; END can be among
    them where it is not the last word of the main program."""
    rng = Random(f"against {wanted.seed} {number}")
    profile = variant_profile(wanted.variant)
    geometry = wanted.kind == KINDS[GEOMETRY]
    words = flow_words(rng, nested=wanted.nested)
    other = Random(f"against {wanted.seed} {number} {wanted.kind}")
    if geometry:
        words = _emitting(other, words)
    at = other.randrange(len(words))
    if other.random() < 0.1 and "end" not in wanted.nops and decode(words[at]).op.kind == ARITHMETIC:
        words[at] = BY_NAME["end"].opcode << 26
    words = [_allowed(other, word, wanted.nops) for word in words]

    def vector() -> Vector:
        return random_word(rng, profile), random_word(rng, profile), random_word(rng, profile), random_word(rng, profile)

    lanes = rng.randint(1, MOST_LANES)
    pool = [vector() for _ in range(_POOL)]
    integers: dict[int, Vector] = {
        n: (rng.choice((0, 0, 1, 1, 2, 3)), rng.choice((0, 1, 2, 90, 127, 250)), rng.choice((0, 1, 2, 255)), 0)
        for n in range(4)
    }
    descriptors = tuple([random_descriptor(rng) for _ in range(DESCRIPTORS)])
    inputs = {n: tuple([vector() for _ in range(lanes)]) for n in range(INPUTS)}
    floats = {n: rng.choice(pool) for n in range(96)}
    return Job(
        number=number,
        kind=GEOMETRY if geometry else VERTEX,
        lanes=lanes,
        entry=0,
        code=tuple(words),
        descriptors=descriptors,
        floats=floats,
        integers=integers,
        booleans=rng.getrandbits(16),
        inputs=inputs,
        outputs=_outputs(words),
    )


def _allowed(rng: Random, word: int, nops: frozenset[str]) -> int:
    """A word without the instructions of `nops`, so that a few that are left are in most programs."""
    inst = decode(word)
    if inst.op.kind == END or inst.op.name not in nops:
        return word
    others = [op for op in OPS if op.format is inst.op.format and inst.op.kind == op.kind == ARITHMETIC and op.name not in nops]
    if not others:
        return _NOP
    op = rng.choice(others)
    return encode(Inst(op, tuple([inst.field(field.name) for field in op.format.fields])).replace(opcode=op.opcode))


def _emitting(rng: Random, words: list[int]) -> list[int]:
    """The words of a geometry shader: some that compute emit a vertex instead, and those that write an output write one that
    the unit has."""
    found: list[int] = []
    for word in words:
        inst = decode(word)
        if inst.op.kind == ARITHMETIC and rng.random() < 0.3:
            found.append(_EMIT if rng.random() < 0.6 else _setemit(rng, int(rng.random() < 0.6)))
        elif inst.op.format.has("dst") and inst.op.kind == ARITHMETIC and UNIT.outputs <= inst.field("dst") < TEMPORARY:
            found.append(encode(inst.replace(dst=inst.field("dst") & 3)))
        else:
            found.append(word)
    first = next((at for at, word in enumerate(found) if decode(word).op.kind == ARITHMETIC), None)
    if first is not None:
        found[first] = _setemit(rng, 1)  # so that most programs send something
    return found


def _setemit(rng: Random, primitive: int) -> int:
    op = BY_NAME["setemit"]
    inst = Inst(op, (0,) * len(op.format.fields)).replace(opcode=op.opcode)
    return encode(inst.replace(vertex=rng.randrange(3), primitive=primitive, winding=int(rng.random() < 0.3)))


def _outputs(words: list[int]) -> tuple[int, ...]:
    """The outputs that words name, or o0."""
    insts = [decode(word) for word in words]
    named = {inst.field("dst") for inst in insts if inst.op.format.has("dst") and inst.op.format.has("desc")}
    return tuple(sorted(register for register in named if register < 16)) or (0,)


def case_of(one: Job, profile: Profile) -> Case:
    """A job as the reducer and the printer take it."""
    inputs = tuple([one.inputs.get(n, ()) for n in range(1 + max(one.inputs, default=-1))])
    return Case(
        words=one.code,
        descriptors=one.descriptors,
        floats=tuple([one.floats.get(n, _ZEROS) for n in range(96)]),
        integers=tuple([one.integers.get(n, _ZEROS) for n in range(4)]),
        booleans=tuple([bool(one.booleans >> n & 1) for n in range(16)]),
        inputs=inputs,
        lanes=one.lanes,
        profile=profile,
    )


def job_of(case: Case, one: Job) -> Job:
    """A case with the number, entry and outputs of a job."""
    inputs: dict[int, tuple[Vector, ...]] = {}
    for register, rows in enumerate(case.inputs):
        whole: list[Vector] = [(row[0], row[1], row[2], row[3]) for row in rows]
        if any(map(any, whole)):
            inputs[register] = tuple(whole * case.lanes if len(whole) == 1 else whole)
    floats = {register: vector for register, vector in enumerate(case.floats) if any(vector)}
    integers = {register: vector for register, vector in enumerate(case.integers) if any(vector)}
    booleans = sum(1 << n for n, value in enumerate(case.booleans) if value)
    return one._replace(
        lanes=case.lanes,
        code=case.words,
        descriptors=case.descriptors,
        floats=floats,
        integers=integers,
        booleans=booleans,
        inputs=inputs,
    )


def reduce(one: Job, variant: str, differs: Callable[[Job], bool]) -> Job:
    """A job for which `differs` still holds, with the fewest vertices, words, and numbers that are not 0."""
    profile = variant_profile(variant)

    def holds(candidate: Case) -> bool:
        return candidate.profile == profile and differs(job_of(candidate, one))

    small = job_of(reduced(case_of(one, profile), holds), one)
    small = small._replace(code=_without_tail(small, differs))
    fewer = _fewer_descriptors(small)
    return fewer if differs(fewer) else small


def _fewer_descriptors(one: Job) -> Job:
    """The job with the descriptors that it uses only, numbered in order; those of MAD have the lower numbers."""
    insts = [decode(word) for word in one.code]
    used = sorted({(inst.op.format.field("desc").width, inst.field("desc")) for inst in insts if inst.op.format.has("desc")})
    kept = list(dict.fromkeys([number for _, number in used if number < len(one.descriptors)]))
    words = [
        encode(inst.replace(desc=kept.index(inst.field("desc"))))
        if inst.op.format.has("desc") and inst.field("desc") in kept
        else word
        for inst, word in zip(insts, one.code, strict=True)
    ]
    return one._replace(code=tuple(words), descriptors=tuple([one.descriptors[number] for number in kept]))


def _without_tail(one: Job, differs: Callable[[Job], bool]) -> tuple[int, ...]:
    """The words without those after the first END, if it differs without them too."""
    ends = [address for address, word in enumerate(one.code) if decode(word).op.kind == END]
    shorter = one.code[: ends[0] + 1] if ends else one.code
    return shorter if shorter == one.code or differs(one._replace(code=shorter)) else one.code


def careful(variant: str) -> str:
    """The variant with the answers that stop a lane: past the last word, at unknown words, at a BREAK outside of loops."""
    profile = variant_profile(variant)
    return profile.replace(past_end="stop", unknown_words="stop", empty_break="hang").describe()


def ops(one: Job) -> list[str]:
    """The mnemonics of a job, each once; END only where it is not the first one's."""
    insts = [decode(word) for word in one.code]
    ends = [address for address, inst in enumerate(insts) if inst.op.kind == END]
    return sorted({inst.op.name for address, inst in enumerate(insts) if inst.op.name in MNEMONICS and ends[-1:] != [address]})
