"""Cases of test vectors: `Job`, what runs; `Outcome`, what comes of it; `Case`, both with what they show; `Suite`.

Everything is words of 32 bits, so that one form serves every instruction set; docs/vectors.md says what they mean for each. A
process outside that runs jobs gets a `Job` and answers with an `Outcome`.
"""

from __future__ import annotations

from lanewise.core.evidence import MEASURED
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Vector = tuple[int, int, int, int]
Lanes = tuple[Vector, ...]  # a vector for each lane
NOTHING: Mapping[int, Lanes] = {}

# Forms of files and of what a process reads and writes: flat words, JSON lines.
FLAT, LINES = "flat", "jsonl"
# Kinds of programs.
VERTEX, GEOMETRY, WAVE, PIXEL = range(4)
KINDS = ("vertex", "geometry", "wave", "pixel")
# Status of a lane: it reached its end, it stopped before, it does not end.
ENDED, STOPPED, ENDLESS = range(3)
STATUS = ("ended", "stopped", "endless")
# What an implementation may do on a case besides answering.
MAY_HANG, MAY_ABORT = 1, 2
MOST_LANES = 1 << 16


class NotANumber(ValueError):
    """A word of an answer has more bits than the numbers of the suite."""


class Job(Record):
    """A program with its data.

    `code` are machine words, the lower half first where they have 64 bits. `floats` and `integers` are uniforms by register,
    others are 0; `booleans` has a bit for each. `inputs` are vectors by register, one for each of `lanes`; `outputs` are the
    registers to answer. Lanes run in order; all registers are 0 before the first. Those of a geometry shader are its runs.
    """

    number: int
    kind: int
    lanes: int
    entry: int
    code: tuple[int, ...]
    descriptors: tuple[int, ...] = ()
    floats: Mapping[int, Vector] = {}
    integers: Mapping[int, Vector] = {}
    booleans: int = 0
    inputs: Mapping[int, Lanes] = NOTHING
    outputs: tuple[int, ...] = ()
    state: tuple[int, ...] = ()


class Primitive(Record):
    """A triangle of a geometry shader: the run that sends it, its winding flag, and the outputs of three vertices, in the order
    of `Job.outputs`."""

    run: int
    inverted: int
    vertices: tuple[Lanes, Lanes, Lanes]


class Write(Record):
    """A write to a register: its cycle, the quad of lanes, the component (register * 4 + component), four lanes."""

    cycle: int
    quad: int
    place: int
    lanes: Vector


class Outcome(Record):
    """What a job gives. An implementation may leave out all but `outputs`: empty parts are not compared, and primitives that
    are None.

    `status` has one of `STATUS` for each lane, `written` masks of the components that a lane has written (x in bit 3), `state`
    other registers at the end, `cycles` counts of cycles whose meaning is that of the instruction set.
    """

    status: tuple[int, ...]
    outputs: Mapping[int, Lanes] = NOTHING
    written: Mapping[int, tuple[int, ...]] = {}
    state: Mapping[int, Lanes] = NOTHING
    primitives: tuple[Primitive, ...] | None = None
    cycles: tuple[int, ...] = ()
    writes: tuple[Write, ...] = ()


class Case(Record):
    """A job with the expected outcome and what it shows.

    `group` and `ops` are what it is about. `evidence` is how well the outcome is known (`core.evidence`). `differs` are the
    presets and the single answers to open questions (`field=value`) with which the outcome is another. `hazards` are reasons
    why an implementation may hang or abort.
    """

    name: str
    group: str
    ops: tuple[str, ...]
    shows: str
    job: Job
    expected: Outcome
    evidence: str = MEASURED
    differs: tuple[str, ...] = ()
    hazards: tuple[str, ...] = ()
    flags: int = 0


class Identity(Record):
    """What a suite is: its instruction set, name, seed and variant (a preset with what differs), and the bits of a number."""

    isa: str
    suite: str
    seed: int
    variant: str
    bits: int
    version: str = ""
    digest: str = ""
    cases: int = 0


class Suite(Record):
    """Cases in order: the number of each is its place."""

    identity: Identity
    cases: tuple[Case, ...]


class Read(Record):
    """A file of test vectors, in either form: a suite, or answers by number; `cases` are empty for answers."""

    identity: Identity
    cases: tuple[Case, ...]
    answers: Mapping[int, Outcome]


class Question(Record):
    """An open question: its key, text, how well its usual answer is known, its answers with their meanings, the usual one
    first.

    `ops` are the instructions that it is about; empty: no particular ones.
    """

    key: str
    topic: str
    known: str
    answers: Mapping[str, str]
    ops: Sequence[str] = ()


class Vectors(Record):
    """What `lanewise vectors` asks of an instruction set.

    `suites` has what can be asked for with a line on each: QUICK and FULL, and groups, of which both are made. `presets` are
    its variants by name, the usual one first; a variant is a preset, perhaps with `field=value`s behind it.
    `make(suites, seed, variant, progress)` gives cases, `run(job, variant)` the outcome of one. `questions` are what single
    answers are about; `register(number)` names a register of an outcome. `translate(job, before, after)` is a job of one
    variant with the data of another's format, `comparable(job, outcome, variant)` an outcome in a format in which those of all
    variants can be compared; `with_answer(variant, setting)` is a variant with another answer, `of_file(data, path)` that of a
    file such as `evidence import` writes; None: there are no such files. All raise ValueError for an unknown suite or variant.
    """

    suites: Mapping[str, str]
    presets: Sequence[str]
    make: Callable[[Sequence[str], int, str, Callable[[int, int], None] | None], Suite]
    run: Callable[[Job, str], Outcome]
    questions: Sequence[Question]
    register: Callable[[int], str]
    translate: Callable[[Job, str, str], Job]
    comparable: Callable[[Job, Outcome, str], Outcome]
    with_answer: Callable[[str, str], str]
    of_file: Callable[[bytes, str], str] | None = None


class Wanted(Record):
    """The random jobs that are wanted: those of a seed under a variant. Instructions named in `nops` do nothing or are left
    out; `nested`: the flow is that of compilers; `kind` is one of `KINDS`, or empty for any."""

    seed: int
    variant: str
    nops: frozenset[str] = frozenset()
    nested: bool = False
    kind: str = ""


class RandomJobs(Record):
    """What `lanewise fuzz --against` asks of an instruction set.

    `job(Wanted, number)` is a random job. `nested(job)` is whether its flow is that of compilers.
    `reduce(job, variant, differs)` is a smaller job for which `differs` holds; `steps(job, variant, lane)` are lines on what a
    lane does, from the first step that changes something; `source(job, variant, stem, comments)` is a source with the data in
    comments. `careful` is a variant under which a job stops that does what no implementation has to agree on, such as to run
    past its last word. `ops` are the mnemonics of a job, `mnemonics` are all that a job may have, `kinds` those of its
    programs, the usual one first. `visible(job)` are the mnemonics of the first instructions of a job, each with a job that
    ends after it and whose outputs are what it writes; they end in front of one that writes something else.
    """

    job: Callable[[Wanted, int], Job]
    reduce: Callable[[Job, str, Callable[[Job], bool]], Job]
    steps: Callable[[Job, str, int], Sequence[str]]
    source: Callable[[Job, str, str, Sequence[str]], str]
    careful: Callable[[str], str]
    ops: Callable[[Job], Sequence[str]]
    suffix: Callable[[Job], str]
    mnemonics: Sequence[str]
    nested: Callable[[Job], bool]
    kinds: Sequence[str]
    visible: Callable[[Job], Iterable[tuple[str, Job]]]


def same_job(job: Job, before: str, after: str) -> Job:
    """`Vectors.translate` where all variants have one number format."""
    return job


def same_outcome(job: Job, outcome: Outcome, variant: str) -> Outcome:
    """`Vectors.comparable` where all variants have one number format."""
    return outcome


QUICK, FULL = "quick", "full"
