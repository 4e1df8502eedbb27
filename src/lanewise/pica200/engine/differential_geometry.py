"""Random geometry shaders on both engines, compared bit for bit in all that they send, and in their faults and notes."""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.record import Record
from lanewise.pica200.engine import geometry
from lanewise.pica200.engine.binding import Uniforms, floats_of
from lanewise.pica200.engine.differential import OUTPUTS, ROOM
from lanewise.pica200.engine.float24 import decode_all, encode_all
from lanewise.pica200.engine.geometry_batch import GeometryRunner, Work, fed_arrays
from lanewise.pica200.engine.llvm import tiers
from lanewise.pica200.engine.random_programs import BUDGET, DESCRIPTORS, Case, case, vertex
from lanewise.pica200.engine.reference import BUDGET_SPENT
from lanewise.pica200.isa.codec import Inst, decode, encode
from lanewise.pica200.isa.table import BY_NAME, FLOAT, IDENTITY, TEMPORARY, WIDE_SOURCE, Descriptor
from lanewise.pica200.sem.instruction import computes
from lanewise.pica200.sem.numbers import number_rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.engine.geometry import Feed, Sent
    from lanewise.pica200.engine.llvm.compiled import Compiled
    from lanewise.pica200.engine.reference import Words
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile

_OUTPUTS = (0, 1)  # of a vertex
_PLAIN = Descriptor.MASK.insert(0xF) | sum(selector.insert(IDENTITY) for selector in Descriptor.SELECTOR)
_WHOLE = 2  # vertices of which variable mode gives all outputs


class GeometryCase(Record):
    """A geometry shader with data."""

    program: Case
    "The words of its inputs v0 and v1 are the vertices."
    mode: int
    "POINT, VARIABLE or FIXED of `engine.geometry`."
    start: int
    "Number of the first c register of the vertices in fixed mode."
    sizes: tuple[int, ...]
    "Number of vertices that each run takes in turn."
    every: bool = False
    "Code is compiled for all outputs, not only those that it writes."

    @property
    def outputs(self) -> frozenset[int]:
        """The outputs that code is compiled for."""
        insts = [inst for inst in map(decode, self.program.words) if computes(inst) and inst.op.format.has("dst")]
        written = {inst.field("dst") for inst in insts if inst.field("dst") < TEMPORARY}
        return frozenset(range(16) if self.every else written)


class QuickGeometryRunner(GeometryRunner):
    """A runner that has only quick kernels."""

    tier = tiers.QUICK

    def compiled(self, geometry: Geometry) -> Compiled:
        found = super().compiled(geometry)
        found.tier = self.tier
        return found


class BestGeometryRunner(QuickGeometryRunner):
    """A runner that has only the best kernels."""

    tier = tiers.BEST


class GeometryDifference(NamedTuple):
    """Where the engines differ, and both answers."""

    where: str
    reference: str
    compiled: str


def geometry_case(seed: int, number: int, rule: Mapping[str, str] | None = None) -> GeometryCase:
    """A program of `random_programs.case` in which some instructions have become EMIT or SETEMIT. `rule`: fields of its
    profile."""
    rng = random.Random(f"geometry {seed} {number}")
    plain = case(seed, number)
    words = [_replaced(rng, word) if computes(decode(word)) else word for word in plain.words]
    first = next((place for place in range(len(words)) if computes(decode(plain.words[place]))), None)
    if first is not None and rng.random() < 0.6:
        words[first] = _said(rng, 1)  # so that most programs send something
    kept = "kept" if rng.random() < 0.3 else "cleared"
    changed = {"emit_slots": rng.choice("34"), "winding_swap": rng.choice(("first", "outer"))}
    profile = plain.profile.replace(keep_registers_between_invocations=kept, **changed)
    profile = profile.replace(**(rule or {}))
    if profile.index_wrap == "registers" and rng.random() < 0.7:
        words = _reaching(rng)
        plain = plain._replace(descriptors=(*plain.descriptors, _PLAIN))
        profile = profile.replace(keep_registers_between_invocations=rng.choice(("kept", "kept", "cleared")))
    elif profile.keep_registers_between_invocations == "kept" and rng.random() < 0.7:
        words = _without_temporaries(words)
    mode = rng.choice((geometry.POINT, geometry.VARIABLE, geometry.FIXED))
    runs = rng.choice((1, 2, 5, 17, 18, 40, 70))
    sizes = [rng.randrange(1, 5) if mode == geometry.VARIABLE and runs % 2 else 2 for _ in range(runs)]
    start = rng.choice((0, 1, 50))
    # Code for an output that is not written is long, and nearly the same for all of them.
    every = rng.random() < 0.06
    return GeometryCase(
        program=plain._replace(words=tuple(words), profile=profile), mode=mode, start=start, sizes=tuple(sizes), every=every
    )


def _reaching(rng: random.Random) -> list[int]:
    """A program that reads temporaries by an index alone, before it writes some of them or after: most of these can be
    compiled."""

    def wide() -> dict[str, int]:
        return (
            {"src1": FLOAT + rng.randrange(3), "idx": rng.choice((1, 1, 2))}
            if rng.random() < 0.6
            else {"src1": rng.randrange(2)}
        )

    def compute() -> int:
        name = rng.choice(("mov", "mov", "add", "mul"))
        second = {} if name == "mov" else {"src2": rng.randrange(2)}
        return _word(name, dst=TEMPORARY + rng.randrange(16), desc=DESCRIPTORS, **wide(), **second)

    words = [_word("mova", src1=rng.randrange(2), desc=DESCRIPTORS)]
    for slot in range(rng.randrange(1, 4)):
        words += [compute() for _ in range(rng.randrange(4))]
        words += [_word("mov", desc=DESCRIPTORS, **wide()), _word("setemit", vertex=slot, primitive=1), _word("emit")]
    return [*words, *[compute() for _ in range(rng.randrange(4))], _word("end")]


def _without_temporaries(words: Sequence[int]) -> list[int]:
    """The program without reads of temporaries: then less goes from run to run."""
    found: list[int] = []
    for word in words:
        inst = decode(word)
        sources = ("src1", "src2", "src3") if computes(inst) else ()
        values = {name: inst.field(name) for name in sources if inst.op.format.has(name)}
        found.append(encode(inst.replace(**{n: row & 3 if _is_temporary(row) else row for n, row in values.items()})))
    return found


def _is_temporary(row: int) -> bool:
    return TEMPORARY <= row < FLOAT


def _replaced(rng: random.Random, word: int) -> int:
    """EMIT or SETEMIT in place of an instruction, or that with an indexed uniform, which may be one that is fed, for its wide
    source."""
    if rng.random() < 0.5:
        return _sending(rng)
    inst = decode(word)
    wide = f"src{WIDE_SOURCE[inst.op.format.name]}"
    if inst.op.format.has("idx") and rng.random() < 0.4:
        word = encode(inst.replace(**{wide: FLOAT + rng.choice((0, 1, 2, 3, 50)), "idx": rng.randrange(4)}))
    return word


def _sending(rng: random.Random) -> int:
    return _word("emit") if rng.random() < 0.65 else _said(rng, int(rng.random() < 0.75))


def _said(rng: random.Random, primitive: int) -> int:
    return _word("setemit", vertex=rng.choice((0, 1, 2, 2, 3)), primitive=primitive, winding=int(rng.random() < 0.4))


def _word(name: str, **fields: int) -> int:
    op = BY_NAME[name]
    return encode(Inst(op, (0,) * len(op.format.fields)).replace(opcode=op.opcode, **fields))


class GeometryComparison(NamedTuple):
    """Result of a case: where the engines differ; the `reason` why runs go in order; a hash of what the reference engine
    gave."""

    difference: GeometryDifference | None
    reason: str
    results: bytes


def compare_geometry(
    one: GeometryCase, level: str = "native", threads: int = 1, make: type[GeometryRunner] = GeometryRunner
) -> GeometryDifference | str | None:
    """Run a case on both engines: where they differ, or nothing. A text is the reason why runs go in order.

    `make` makes what does the runs: another kind of GeometryRunner may watch its kernels.
    """
    found = compared_geometry(one, level, threads, make)
    return found.difference or found.reason or None


def compared_geometry(
    one: GeometryCase, level: str = "native", threads: int = 1, make: type[GeometryRunner] = GeometryRunner
) -> GeometryComparison:
    """As `compare_geometry`, with all that is known. An exception of the compiled engine is a difference too."""
    program = one.program
    runner = make(program.words, program.descriptors, 0, program.profile, level)
    work = _work(one)
    choice, plan = runner.choose(LLVM, work.uniforms.booleans, work.runs, work.written, work.fed)
    wanted = runner.run(work, BUDGET, engine=REFERENCE)
    grids = _grids_of(wanted, program.profile)
    results = _hash_of(wanted, grids)
    if plan is None:
        return GeometryComparison(None, choice.reason, results)
    # Compiled code counts steps from above: where a run goes on for longer, what counts is how it stops.
    spent = any(fault.fault.code == BUDGET_SPENT for fault in wanted.faults)
    found = runner.run(work, BUDGET if spent else ROOM, engine=LLVM, threads=threads)
    return GeometryComparison(_difference(wanted, grids, found, program.profile), "", results)


class _Grids(NamedTuple):
    """Words and flags of all corners: (registers, corners, 4)."""

    words: NDArray[np.uint32]
    written: NDArray[np.bool_]


def _grids_of(sent: Sent, profile: Profile) -> _Grids:
    """The grids of a result. Compiled code gives numbers, and the words are what `encode_all` makes of them."""
    outputs, bits, written = sent.arrays
    if sent.engine == REFERENCE:
        words = np.stack([bits[key] for key in OUTPUTS]).take(sent.rows, axis=1)
    else:
        numbers = np.stack([outputs[key] for key in OUTPUTS]).take(sent.rows, axis=1)
        words = numbers.view(np.uint32) if profile.rounding == "float32" else encode_all(numbers)
    return _Grids(words, np.stack([written[key] for key in OUTPUTS]).take(sent.rows, axis=1))


def _hash_of(sent: Sent, grids: _Grids) -> bytes:
    found = blake2b(digest_size=16)
    found.update(str([(fault.run, fault.fault.code) for fault in sent.faults]).encode())
    for array in (sent.runs, sent.inverted):
        found.update(np.ascontiguousarray(array).tobytes())
    for words, written in zip(*grids, strict=True):
        found.update(words)
        found.update(written)
    return found.digest()


def _difference(wanted: Sent, grids: _Grids, found: Sent, profile: Profile) -> GeometryDifference | None:
    for what, theirs, ours in (("runs", wanted.runs, found.runs), ("winding", wanted.inverted, found.inverted)):
        if not np.array_equal(theirs, ours):
            return GeometryDifference(what, str(theirs), str(ours))
    theirs, ours = ([str(fault) for fault in sent.faults] for sent in (wanted, found))
    if theirs != ours:
        return GeometryDifference("faults", str(theirs), str(ours))
    mine = _grids_of(found, profile)
    if not (np.array_equal(grids.words, mine.words) and np.array_equal(grids.written, mine.written)):
        for register, key in enumerate(OUTPUTS):
            for what, one, other in (
                ("words", grids.words[register], mine.words[register]),
                ("written", grids.written[register], mine.written[register]),
            ):
                if not np.array_equal(one, other):
                    corner = int(np.nonzero((one != other).any(axis=1))[0][0])
                    return GeometryDifference(f"{key} {what} of corner {corner}", str(one[corner]), str(other[corner]))
    if wanted.notes() != found.notes():
        return GeometryDifference("notes", str(wanted.notes()), str(found.notes()))
    return None


def _work(one: GeometryCase) -> Work:
    program = one.program
    profile, rule = program.profile, number_rule(program.profile)

    def words(vector: Words) -> Words:
        x, y, z, w = map(rule.canonical, vector)
        return x, y, z, w

    rows = program.lanes
    given_rows = [vertex(program, row) for row in range(rows)]
    vertices = [[words(row.get(output, (0, 0, 0, 0))) for output in _OUTPUTS] for row in given_rows]
    places = np.arange(sum(one.sizes)) * 7 % rows
    listed: list[int] = places.tolist()
    uniforms = Uniforms(floats=program.floats, integers=program.integers, booleans=program.booleans, given=frozenset())

    def feed(given: Sequence[Sequence[Words]], count: Words) -> Feed[Words]:
        if one.mode == geometry.POINT:
            return geometry.point_feed(given)
        if one.mode == geometry.FIXED:
            return geometry.fixed_feed(given, one.start)
        return geometry.variable_feed(given, _WHOLE, count)

    def feeds() -> Iterator[Feed[Words]]:
        start = 0
        for size in one.sizes:
            number = rule.constant(float(size))
            yield feed([vertices[place] for place in listed[start : start + size]], (number, number, number, number))
            start += size

    def labels() -> Feed[tuple[int, int]]:
        given = [[(number, output) for output in _OUTPUTS] for number in range(max(one.sizes))]
        if one.mode == geometry.POINT:
            return geometry.point_feed(given)
        if one.mode == geometry.FIXED:
            return geometry.fixed_feed(given, one.start)
        return geometry.variable_feed(given, _WHOLE, (-1, 0))

    columns = {output: np.array([row[output] for row in vertices], np.uint32) for output in _OUTPUTS}
    single = profile.rounding == "float32"
    numbers = {n: array.view(np.float32) if single else decode_all(array) for n, array in columns.items()}
    taken = labels().floats
    fed = range(min(taken), max(taken) + 1) if taken else range(0)
    arrays = fed_arrays(labels(), np.array(one.sizes), places, numbers, floats_of(uniforms, profile))
    return Work(
        runs=len(one.sizes),
        feeds=feeds,
        arrays=lambda: arrays,
        fed=fed,
        uniforms=uniforms,
        written=one.outputs,
        registers=tuple(range(16)),
        declared={0: 0xF, 1: 0xE},
        wirings=(),
    )
