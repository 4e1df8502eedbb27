"""The flat form of test vectors: little-endian words of 32 bits. docs/vectors.md describes it; `lanewise_vectors.h` reads it.

A file is a header and records. A record is its kind, the number of its words, and those: JOB is a `Job`, ANSWER an `Outcome`.
In a suite each JOB is followed by the ANSWER that is expected; a project's answers are a file of ANSWERs with the header of the
suite. A process that runs jobs reads JOBs and writes ANSWERs.
"""

from __future__ import annotations

import hashlib
import struct

from lanewise.core.diagnostics import PortableError
from lanewise.core.evidence import CLASSES
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.vectors.model import (
    KINDS,
    MAY_ABORT,
    MAY_HANG,
    MOST_LANES,
    Case,
    Identity,
    Job,
    Outcome,
    Primitive,
    Read,
    Suite,
    Write,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.model import Lanes, Vector

MAGIC = b"LWVECTOR"
VERSION = 1
HEAD = struct.Struct("<8s6I32s")  # magic, version, bytes of the header, isa, bits, cases, seed, SHA-256 of the records
ISAS = ("", "pica200", "shadercore", "direct3d9")
JOB, ANSWER, END = 1, 2, 3
# Sections of a JOB.
CODE, DESCRIPTORS, FLOATS, INTEGERS, BOOLEANS, INPUTS, ASKED, STATE_ASKED = range(1, 9)
NAME, SHOWS, DIFFERS, HAZARDS, OPS, GROUP = range(32, 38)
# Sections of an ANSWER.
STATUS, OUTPUTS, WRITTEN, STATE, PRIMITIVES, CYCLES, WRITES = range(16, 23)


ROWS = "answer a row for each of job.lanes, in every register"


DIGEST = 32  # offset of the digest in the header


class FlatError(PortableError, ValueError):
    """The bytes are not in the flat form: what is wrong, and at which byte."""

    def __init__(self, message: str, offset: int, *, cut: bool = False, joined: bool = False) -> None:
        super().__init__(message)
        self.joined: bool = joined
        self.offset: int = offset
        self.cut: bool = cut


# Writing


def suite_bytes(suite: Suite) -> bytes:
    """A suite as a file."""
    records = b"".join([job_bytes(case) + answer_bytes(case.job.number, case.expected) for case in suite.cases])
    return header_bytes(suite.identity._replace(cases=len(suite.cases)), records) + records


def digest_of(records: bytes) -> str:
    return hashlib.sha256(records).hexdigest()


def header_bytes(identity: Identity, records: bytes | None = None) -> bytes:
    """The header; the digest is that of the records, if they are given."""
    text = f"lanewise={identity.version}\nsuite={identity.suite}\nvariant={identity.variant}\n".encode()
    text += b"\0" * (-len(text) % 4)
    digest = bytes.fromhex(identity.digest) if records is None else hashlib.sha256(records).digest()
    size = HEAD.size + len(text)
    head = HEAD.pack(
        MAGIC, VERSION, size, ISAS.index(identity.isa), identity.bits, identity.cases, identity.seed & 0xFFFFFFFF, digest
    )
    return head + text


def job_bytes(case: Case) -> bytes:
    """A JOB record, with what the case shows."""
    job = case.job
    found = [job.number, job.kind, case.flags | CLASSES.index(case.evidence) << 8, job.lanes, job.entry]
    _add(found, CODE, job.code)
    _add(found, DESCRIPTORS, job.descriptors)
    for tag, rows in ((FLOATS, job.floats), (INTEGERS, job.integers)):
        _add(found, tag, [word for register, vector in rows.items() for word in (register, *vector)])
    _add(found, BOOLEANS, [job.booleans] if job.booleans else ())
    _add(found, INPUTS, _registers(job.inputs))
    _add(found, ASKED, job.outputs)
    _add(found, STATE_ASKED, job.state)
    for tag, text in (
        (NAME, case.name),
        (GROUP, case.group),
        (OPS, " ".join(case.ops)),
        (SHOWS, case.shows),
        (DIFFERS, " ".join(case.differs)),
        (HAZARDS, "; ".join(case.hazards)),
    ):
        data = text.encode()
        _add(found, tag, struct.unpack(f"<{-(-len(data) // 4)}I", data + b"\0" * (-len(data) % 4)))
    return record(JOB, found)


def answer_bytes(number: int, outcome: Outcome) -> bytes:
    """An ANSWER record."""
    found = [number]
    _add(found, STATUS, outcome.status)
    _add(found, OUTPUTS, _registers(outcome.outputs))
    _add(found, WRITTEN, [word for register, masks in outcome.written.items() for word in (register, *masks)])
    _add(found, STATE, _registers(outcome.state))
    if outcome.primitives is not None:
        words = [len(outcome.primitives)]
        for primitive in outcome.primitives:
            words += [primitive.run, primitive.inverted]
            words += [word for corner in primitive.vertices for vector in corner for word in vector]
        found += [PRIMITIVES, len(words), *words]
    _add(found, CYCLES, outcome.cycles)
    _add(found, WRITES, [word for write in outcome.writes for word in (write.cycle, write.quad, write.place, *write.lanes)])
    return record(ANSWER, found)


def record(kind: int, words: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(words) + 2}I", kind, len(words), *words)


def _add(found: list[int], tag: int, words: Sequence[int]) -> None:
    if words:
        found += [tag, len(words), *words]


def _registers(rows: Mapping[int, Lanes]) -> list[int]:
    found: list[int] = []
    for register, lanes in rows.items():
        found.append(register)
        for vector in lanes:
            found += vector
    return found


# Reading


def read(data: bytes) -> Read:
    """Read a suite or answers. Raises FlatError."""
    identity, offset = read_header(data)
    cases: list[Case] = []
    answers: dict[int, Outcome] = {}
    for kind, at, words in records_of(data, offset):
        if kind == JOB:
            if cases and cases[-1].job.number not in answers:
                raise FlatError(f"case {cases[-1].job.number} has no answer", at)
            cases.append(read_job(words, at))
        elif kind == ANSWER:
            number, outcome = read_answer(words, at)
            if number in answers:
                raise FlatError(f"case {number} is answered twice", at)
            answers[number] = outcome
    if cases and cases[-1].job.number not in answers:
        raise FlatError(f"case {cases[-1].job.number} has no answer", len(data))
    if cases and identity.digest != digest_of(data[offset:]):
        raise FlatError("the digest of the header is not that of the records: the file was changed or cut", DIGEST)
    found = [case._replace(expected=answers[case.job.number]) for case in cases]
    return Read(identity, tuple(found), {} if cases else answers)


def read_header(data: bytes) -> tuple[Identity, int]:
    """The header, and where records begin. Raises FlatError."""
    if len(data) < HEAD.size or not data.startswith(MAGIC):
        raise FlatError(f"the file does not begin with a header of {HEAD.size} bytes and {MAGIC.decode()}", 0)
    _, version, size, isa, bits, count, seed, digest = HEAD.unpack_from(data)
    if version != VERSION:
        raise FlatError(f"the form has version {version}, expected {VERSION}", 8)
    if not HEAD.size <= size <= len(data) or size % 4:
        raise FlatError(f"the header has {size} bytes, the file {len(data)}", 12)
    if not 0 < isa < len(ISAS):
        raise FlatError(f"instruction set {isa} is unknown: expected 1 to {len(ISAS) - 1}", 16)
    text = data[HEAD.size : size].rstrip(b"\0").decode("utf-8", "replace")
    said = {key: value for key, _, value in [line.partition("=") for line in text.splitlines()]}
    found = Identity(
        isa=ISAS[isa],
        suite=said.get("suite", ""),
        seed=seed,
        variant=said.get("variant", ""),
        bits=bits,
        version=said.get("lanewise", ""),
        digest=digest.hex(),
        cases=count,
    )
    return found, size


def records_of(data: bytes, offset: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Kind, offset and words of each record. Raises FlatError."""
    while offset < len(data):
        if offset + 8 > len(data):
            raise FlatError("the file ends inside a record", offset, cut=True)
        kind, count = struct.unpack_from("<2I", data, offset)
        if kind not in (JOB, ANSWER, END):
            if kind == int.from_bytes(MAGIC[:4], "little"):
                raise FlatError("a second header: two files were joined", offset, joined=True)
            raise FlatError(f"record of kind {kind}: expected {JOB} (job), {ANSWER} (answer) or {END} (end)", offset)
        if offset + 8 + 4 * count > len(data):
            raise FlatError(f"a record of {count} words goes past the end of the file", offset, cut=True)
        if kind == END:
            return
        yield kind, offset, struct.unpack_from(f"<{count}I", data, offset + 8)
        offset += 8 + 4 * count


def read_job(words: Sequence[int], at: int) -> Case:
    """A case without what is expected. Raises FlatError."""
    if len(words) < 5:
        raise FlatError(f"a job has {len(words)} words, expected at least 5", at)
    number, kind, flags, lanes, entry = words[:5]
    if not 0 < lanes <= MOST_LANES:
        raise FlatError(f"job {number} has {lanes} lanes, expected 1 to {MOST_LANES}", at)
    if kind >= len(KINDS):
        raise FlatError(f"job {number} is of kind {kind}, expected 0 to {len(KINDS) - 1}", at)
    found = dict(_sections(words, 5, at))
    texts = {tag: _text(found.get(tag, ())) for tag in (NAME, SHOWS, DIFFERS, HAZARDS, OPS, GROUP)}
    job = Job(
        number=number,
        kind=kind,
        lanes=lanes,
        entry=entry,
        code=found.get(CODE, ()),
        descriptors=found.get(DESCRIPTORS, ()),
        floats=_vectors(found.get(FLOATS, ()), at),
        integers=_vectors(found.get(INTEGERS, ()), at),
        booleans=next(iter(found.get(BOOLEANS, ())), 0),
        inputs=_lanes(found.get(INPUTS, ()), lanes, at),
        outputs=found.get(ASKED, ()),
        state=found.get(STATE_ASKED, ()),
    )
    evidence = CLASSES[min(flags >> 8, len(CLASSES) - 1)]
    return Case(
        name=texts[NAME],
        group=texts[GROUP],
        ops=tuple(texts[OPS].split()),
        shows=texts[SHOWS],
        job=job,
        expected=Outcome(status=()),
        evidence=evidence,
        differs=tuple(texts[DIFFERS].split()),
        hazards=tuple(texts[HAZARDS].split("; ")) if texts[HAZARDS] else (),
        flags=flags & (MAY_HANG | MAY_ABORT),
    )


def read_answer(words: Sequence[int], at: int) -> tuple[int, Outcome]:
    """The number of the case, and the answer. How many lanes it has follows from its status. Raises FlatError."""
    if not words:
        raise FlatError("an answer has no number", at)
    found = dict(_sections(words, 1, at))
    return words[0], _Raw(found, at).outcome()


class _Raw:
    """Sections of an answer."""

    def __init__(self, found: Mapping[int, tuple[int, ...]], at: int) -> None:
        self.found, self.at = found, at

    def outcome(self) -> Outcome:
        status = self.found.get(STATUS)
        if status is None:
            raise FlatError("an answer has no status: write one word for each lane, 0 for a lane that ended", self.at)
        lanes = len(status)
        masks = self.found.get(WRITTEN, ())
        if len(masks) % (lanes + 1):
            raise FlatError(f"masks of {len(masks)} words do not fit {lanes} lanes", self.at)
        written = {masks[n]: tuple(masks[n + 1 : n + 1 + lanes]) for n in range(0, len(masks), lanes + 1)}
        log = self.found.get(WRITES, ())
        if len(log) % 7:
            raise FlatError(f"a log of writes has {len(log)} words, expected a multiple of 7", self.at)
        writes = [
            Write(log[n], log[n + 1], log[n + 2], (log[n + 3], log[n + 4], log[n + 5], log[n + 6]))
            for n in range(0, len(log), 7)
        ]
        return Outcome(
            status=status,
            outputs=_lanes(self.found.get(OUTPUTS, ()), lanes, self.at, f": {ROWS}"),
            written=written,
            state=_lanes(self.found.get(STATE, ()), lanes, self.at, f": {ROWS}"),
            primitives=self._primitives(),
            cycles=self.found.get(CYCLES, ()),
            writes=tuple(writes),
        )

    def _primitives(self) -> tuple[Primitive, ...] | None:
        words = self.found.get(PRIMITIVES)
        if words is None:
            return None
        count = words[0] if words else -1
        size, rest = divmod(len(words) - 1, count) if count > 0 else (0, len(words) - 1)
        if rest or (count and (size - 2) % 12):
            raise FlatError(f"{count} primitives do not fit {len(words)} words", self.at)
        each = (size - 2) // 3
        found: list[Primitive] = []
        for first in range(1, len(words), size) if count else ():
            rows = [_rows(words[first + 2 + n * each : first + 2 + (n + 1) * each]) for n in range(3)]
            found.append(Primitive(words[first], words[first + 1], (rows[0], rows[1], rows[2])))
        return tuple(found)


def _sections(words: Sequence[int], place: int, at: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    while place < len(words):
        if place + 2 > len(words) or place + 2 + words[place + 1] > len(words):
            raise FlatError("a section goes past the end of its record", at + 8 + 4 * place)
        tag, size = words[place : place + 2]
        yield tag, tuple(words[place + 2 : place + 2 + size])
        place += 2 + size


def _vectors(words: Sequence[int], at: int) -> dict[int, Vector]:
    if len(words) % 5:
        raise FlatError(f"uniforms have {len(words)} words, expected a multiple of 5", at)
    return {words[n]: (words[n + 1], words[n + 2], words[n + 3], words[n + 4]) for n in range(0, len(words), 5)}


def _lanes(words: Sequence[int], lanes: int, at: int, fix: str = "") -> dict[int, Lanes]:
    size = 1 + 4 * lanes
    if len(words) % size:
        raise FlatError(f"registers of {lanes} lanes have {len(words)} words, expected a multiple of {size}{fix}", at)
    return {words[n]: _rows(words[n + 1 : n + size]) for n in range(0, len(words), size)}


def _rows(words: Sequence[int]) -> Lanes:
    return tuple([(words[n], words[n + 1], words[n + 2], words[n + 3]) for n in range(0, len(words), 4)])


def _text(words: Iterable[int]) -> str:
    return b"".join([struct.pack("<I", word) for word in words]).rstrip(b"\0").decode("utf-8", "replace")
