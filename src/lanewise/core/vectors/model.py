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

    Lanes run in order; all registers are 0 before the first. Those of a geometry shader are its runs.
    """

    number: int
    "Place in its suite, or number under its seed."
    kind: int
    "VERTEX, GEOMETRY, WAVE or PIXEL."
    lanes: int
    "Number of lanes, 1 to `MOST_LANES`."
    entry: int
    "Address of the first instruction."
    code: tuple[int, ...]
    "Machine words, the lower half first where they have 64 bits."
    descriptors: tuple[int, ...] = ()
    "Operand descriptors; empty for instruction sets without them."
    floats: Mapping[int, Vector] = {}
    "Vectors by number of the uniform; others are 0."
    integers: Mapping[int, Vector] = {}
    "Integer vectors by number; others are 0."
    booleans: int = 0
    "One bit for each boolean, the lowest for the first."
    inputs: Mapping[int, Lanes] = NOTHING
    "Vectors by number of the register, one for each lane."
    outputs: tuple[int, ...] = ()
    "Numbers of the output registers to answer."
    state: tuple[int, ...] = ()
    "Numbers of other registers to answer."


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
    """Result of a job.

    An implementation may leave out all but `outputs`: empty parts are not compared, nor primitives that are None.
    """

    status: tuple[int, ...]
    "One of `STATUS` for each lane."
    outputs: Mapping[int, Lanes] = NOTHING
    "Vectors by number of the register, one for each lane."
    written: Mapping[int, tuple[int, ...]] = {}
    "Masks of the components that each lane has written, by register: x is bit 3."
    state: Mapping[int, Lanes] = NOTHING
    "Other registers at the end, as `outputs`."
    primitives: tuple[Primitive, ...] | None = None
    "Triangles of a geometry shader in order; None where they are not answered."
    cycles: tuple[int, ...] = ()
    "Counts of cycles; the instruction set gives them their meaning."
    writes: tuple[Write, ...] = ()
    "Log of writes to registers, in order."


class Case(Record):
    """A job with the expected outcome and what it shows."""

    name: str
    "Key of the case, with a `/` between its parts; unique in its suite."
    group: str
    "Topic; suites are chosen by it."
    ops: tuple[str, ...]
    "Mnemonics that it is about."
    shows: str
    "One sentence on what it tests."
    job: Job
    "Its number is the place in the suite."
    expected: Outcome
    "Under the variant of the suite."
    evidence: str = MEASURED
    "How well the outcome is known: MEASURED, INFERRED or UNKNOWN of `core.evidence`."
    differs: tuple[str, ...] = ()
    "Presets and single answers (`field=value`) with which the outcome is another."
    hazards: tuple[str, ...] = ()
    "Reasons why an implementation may hang or abort."
    flags: int = 0
    "MAY_HANG and MAY_ABORT."


class Identity(Record):
    """The origin of a suite, as the head of its file has it."""

    isa: str
    "Name of the instruction set."
    suite: str
    "Name of the suite, or names of groups."
    seed: int
    "Of the values that are chosen at random."
    variant: str
    "Preset, with the single answers that differ from it."
    bits: int
    "Bits of a number."
    version: str = ""
    "Version of lanewise that has written it."
    digest: str = ""
    "SHA-256 of the cases in hexadecimal; empty before they are written."
    cases: int = 0
    "Number of cases."


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
    """An open question about a device."""

    key: str
    "Field of a profile, and key in files."
    topic: str
    "Topic in a few words."
    known: str
    "How well the usual answer is known, of `core.evidence`."
    answers: Mapping[str, str]
    "Meaning of each answer, the usual one first."
    ops: Sequence[str] = ()
    "Mnemonics that it is about; empty for no particular ones."


class Vectors(Record):
    """The contract of `lanewise vectors`. Functions raise ValueError for an unknown suite or variant."""

    suites: Mapping[str, str]
    "A line on each thing that can be asked for: QUICK and FULL, and the groups that they consist of."
    presets: Sequence[str]
    "Variants by name, the usual one first; a variant is a preset, perhaps followed by `field=value`s."
    make: Callable[[Sequence[str], int, str, Callable[[int, int], None] | None], Suite]
    "`(suites, seed, variant, progress)`: the cases."
    run: Callable[[Job, str], Outcome]
    "`(job, variant)`: the outcome of a job."
    questions: Sequence[Question]
    "Open questions, whose single answers make variants."
    register: Callable[[int], str]
    "Name of a register of an outcome, by its number."
    translate: Callable[[Job, str, str], Job]
    "`(job, before, after)`: a job of one variant with the data of another's number format."
    comparable: Callable[[Job, Outcome, str], Outcome]
    "`(job, outcome, variant)`: an outcome in a format in which those of all variants can be compared."
    with_answer: Callable[[str, str], str]
    "`(variant, setting)`: the variant with another answer, a `field=value`."
    misreadings: Mapping[str, Callable[[Job], Job]] = {}
    "Mistakes in reading jobs with their fix, each with the job whose right outcome is the wrong one of a job."
    hints: Mapping[str, str] = {}
    "By answers: what makes an implementation give them, where that is seldom meant."
    habits: Mapping[str, Sequence[str]] = {}
    "What implementations do, with the fix, each with the answers, `field=value`, which all belong to it."
    remark: Callable[[Job, str, int, int, int], str] | None = None
    "`(job, step, expected, found, bits)`: the habit that gives a word in place of another in a step; empty for none."
    of_file: Callable[[bytes, str], str] | None = None
    "`(data, path)`: variant of a file such as `evidence import` writes; None where there are no such files."


class Wanted(Record):
    """The random jobs that are wanted."""

    seed: int
    "Of the jobs, each of which has its number."
    variant: str
    "Preset or variant whose rules and format the jobs have."
    nops: frozenset[str] = frozenset()
    "Instructions that do nothing or are left out."
    nested: bool = False
    "The flow is that of compilers: blocks are inside each other."
    kind: str = ""
    "One of `KINDS`; empty for any."


class RandomJobs(Record):
    """The contract of `lanewise fuzz --against`."""

    job: Callable[[Wanted, int], Job]
    "Random job of that number."
    reduce: Callable[[Job, str, Callable[[Job], bool]], Job]
    "`(job, variant, differs)`: a smaller job for which `differs` holds."
    steps: Callable[[Job, str, int], Sequence[str]]
    "`(job, variant, lane)`: lines on what a lane does, from the first step that changes something."
    source: Callable[[Job, str, str, Sequence[str]], str]
    "`(job, variant, stem, comments)`: a source with the data in comments."
    careful: Callable[[str], str]
    "Variant under which a job stops where implementations need not agree, such as past its last word."
    ops: Callable[[Job], Sequence[str]]
    "Mnemonics of a job."
    suffix: Callable[[Job], str]
    "File suffix of `source`, with its dot."
    mnemonics: Sequence[str]
    "All mnemonics that a job may have."
    groups: Mapping[str, Sequence[str]]
    "Names for several of them, such as `flow`."
    nested: Callable[[Job], bool]
    "The flow of a job is that of compilers."
    kinds: Sequence[str]
    "Kinds of its programs, of `KINDS`, the usual one first."
    alone: Callable[[Job, str], Iterable[tuple[str, Job]]]
    """`(job, variant)`: the steps of a job in the order in which they are executed, each with a job that shows it: the first
    whose answer differs is the first wrong one."""


def same_job(job: Job, before: str, after: str) -> Job:
    """`Vectors.translate` where all variants have one number format."""
    return job


def same_outcome(job: Job, outcome: Outcome, variant: str) -> Outcome:
    """`Vectors.comparable` where all variants have one number format."""
    return outcome


QUICK, FULL = "quick", "full"
