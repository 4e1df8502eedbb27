"""Test vectors as JSON lines: a header, then a case or an answer in each line. The schema is `vector`.

Words are numbers. Keys are those of `Job` and `Outcome`; a register is its number, as text, and parts that are empty are left
out.
"""

from __future__ import annotations

import json
import struct

from lanewise.core.diagnostics import PortableError
from lanewise.core.evidence import CLASSES
from lanewise.core.nesting import json_value
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.vectors.flat import answer_bytes, digest_of, job_bytes
from lanewise.core.vectors.model import KINDS, MOST_LANES, STATUS, Case, Identity, Job, Outcome, Primitive, Read, Suite, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lanewise.core.vectors.model import Lanes, Vector

SCHEMA = "lanewise/vector/1"
_SAMPLE = '{"case": 0, "status": ["ended"], "outputs": {"0": [[1065353216, 0, 0, 0]]}}'


class LineError(PortableError, ValueError):
    """A line is not as the schema says."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def suite_text(suite: Suite) -> str:
    """A suite as lines."""
    identity = suite.identity._replace(cases=len(suite.cases))
    if not identity.digest:
        identity = identity._replace(digest=_digest(suite.cases))
    return "".join([_line(header(identity)), *[_line(case_data(case)) for case in suite.cases]])


def _digest(cases: Iterable[Case]) -> str:
    """The SHA-256 of cases in the flat form, which is that of both forms."""
    return digest_of(b"".join([job_bytes(case) + answer_bytes(case.job.number, case.expected) for case in cases]))


def _line(data: Mapping[str, object]) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def job_text(case: Case) -> str:
    """A job without what is expected, as a process gets it."""
    data = case_data(case)
    del data["expected"]
    return _line(data)


def header(identity: Identity) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "isa": identity.isa,
        "suite": identity.suite,
        "variant": identity.variant,
        "seed": identity.seed,
        "bits": identity.bits,
        "cases": identity.cases,
        "lanewise": identity.version,
        "sha256": identity.digest,
    }


def case_data(case: Case) -> dict[str, object]:
    job = case.job
    found: dict[str, object] = {
        "case": job.number,
        "name": case.name,
        "group": case.group,
        "ops": list(case.ops),
        "shows": case.shows,
        "evidence": case.evidence,
        "differs": list(case.differs),
        "may_hang": bool(case.flags & 1),
        "may_abort": bool(case.flags & 2),
        "hazards": list(case.hazards),
    }
    found["job"] = {
        "kind": KINDS[job.kind],
        "lanes": job.lanes,
        "entry": job.entry,
        "code": job.code,
        **_present(
            descriptors=job.descriptors,
            floats=job.floats,
            integers=job.integers,
            booleans=job.booleans,
            inputs=job.inputs,
            outputs=job.outputs,
            state=job.state,
        ),
    }
    found["expected"] = outcome_data(case.expected)
    return found


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """An outcome as plain data."""
    found: dict[str, object] = {"status": [STATUS[n] for n in outcome.status]}
    found |= _present(outputs=outcome.outputs, written=outcome.written, state=outcome.state)
    if outcome.primitives is not None:
        found["primitives"] = [
            {"run": each.run, "inverted": bool(each.inverted), "vertices": each.vertices} for each in outcome.primitives
        ]
    found |= _present(cycles=outcome.cycles)
    if outcome.writes:
        found["writes"] = [[each.cycle, each.quad, each.place, *each.lanes] for each in outcome.writes]
    return found


def _present(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value}


def answer_text(identity: Identity, answers: Mapping[int, Outcome]) -> str:
    """A project's answers as lines."""
    return "".join([_line(header(identity)), *[_line({"case": n, **outcome_data(each)}) for n, each in answers.items()]])


# Reading


def read(text: str) -> Read:
    """Read a suite or answers. Raises LineError."""
    rows = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not rows:
        raise LineError("the file is empty: the first line is the header", 1)
    identity = _identity(_parsed(rows[0][1], 1))
    cases: list[Case] = []
    answers: dict[int, Outcome] = {}
    for number, line in rows[1:]:
        data = _Checked(_parsed(line, number), number)
        place = _number(data)
        if "job" in data.data:
            cases.append(_case(data, place))
        elif place in answers:
            raise LineError(f"case {place} is answered twice", number)
        else:
            answers[place] = _outcome(data)
    if cases and identity.digest != _digest(cases):
        raise LineError("the sha256 of the first line is not that of the cases: the file was changed or cut", 1)
    return Read(identity, tuple(cases), answers)


def read_answer(line: str) -> tuple[int, Outcome]:
    """The number of the case, and the answer, of one line. Raises LineError."""
    data = _Checked(_parsed(line, 1), 1)
    return _number(data), _outcome(data)


def _number(data: _Checked) -> int:
    if "case" not in data.data:
        message = f'no "case", the number of the job: answer each job, not the header, with a line such as {_SAMPLE}'
        raise LineError(message, data.line)
    return data.whole("case")


def _parsed(line: str, number: int) -> dict[str, object]:
    try:
        found: object = json_value(line)
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg}, in column {error.colno}", number) from None
    except ValueError as error:  # a number of too many digits
        raise LineError(f"not JSON: {error}", number) from None
    except RecursionError:
        raise LineError("not JSON of a vector: nested too deep", number) from None
    if not isinstance(found, dict):
        raise LineError("expected an object", number)
    return cast("dict[str, object]", found)


def _identity(data: dict[str, object]) -> Identity:
    if data.get("schema") != SCHEMA:
        raise LineError(f'the first line has no "schema": "{SCHEMA}": copy that of the suite', 1)
    head = _Checked(data, 1)
    return Identity(
        isa=head.text("isa"),
        suite=head.text("suite"),
        seed=head.whole("seed"),
        variant=head.text("variant"),
        bits=head.whole("bits"),
        version=head.text("lanewise"),
        digest=head.text("sha256"),
        cases=head.whole("cases"),
    )


class _Checked:
    """An object of a line, with values checked where they are read."""

    def __init__(self, data: Mapping[str, object], line: int) -> None:
        self.data, self.line = data, line

    def wrong(self, key: str, expected: str) -> LineError:
        return LineError(f"{key} is {json.dumps(self.data.get(key))[:60]}, expected {expected}", self.line)

    def whole(self, key: str, default: int | None = None) -> int:
        value = self.data.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 32:
            raise self.wrong(key, "a whole number of 32 bits")
        return value

    def text(self, key: str) -> str:
        value = self.data.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in cast("list[object]", value)):
            raise self.wrong(key, "a list of texts")
        return tuple(cast("list[str]", value))

    def words(self, key: str) -> tuple[int, ...]:
        return self.row(self.data.get(key, []), key)

    def row(self, value: object, key: str) -> tuple[int, ...]:
        found = cast("list[object]", value) if isinstance(value, list) else None
        if found is not None and all(
            isinstance(each, int) and not isinstance(each, bool) and 0 <= each < 1 << 32 for each in found
        ):
            return tuple(cast("list[int]", found))
        each = next((each for each in found or [value] if isinstance(each, (float, str))), None)
        raise self.wrong(key, "a list of words of 32 bits" + _as_word(each))

    def vector(self, value: object, key: str) -> Vector:
        found = self.row(value, key)
        if len(found) != 4:
            raise LineError(f"{key} has a vector of {len(found)} words, expected 4", self.line)
        return found[0], found[1], found[2], found[3]

    def lanes(self, value: object, key: str) -> Lanes:
        if not isinstance(value, list):
            raise self.wrong(key, "a list of vectors by register")
        return tuple([self.vector(each, key) for each in cast("list[object]", value)])

    def listed(self, key: str, expected: str) -> list[object]:
        """A list, empty if the object has no such key."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, expected)
        return cast("list[object]", value)

    def table(self, key: str, row: Callable[[object, str], object]) -> dict[int, object]:
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "an object with registers as keys")
        found: dict[int, object] = {}
        for name, each in cast("dict[str, object]", value).items():
            if not (name.isascii() and name.isdigit() and len(name) < 10):
                number = name[1:] if name[1:].isascii() and name[1:].isdigit() else "0"
                message = f'{key} has the key {json.dumps(name)[:40]}, expected the number of a register, "{number[:9]}"'
                raise LineError(message, self.line)
            found[int(name)] = row(each, key)
        return found

    def part(self, key: str) -> _Checked:
        value = self.data.get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, "an object")
        return _Checked(cast("dict[str, object]", value), self.line)


def _as_word(value: object) -> str:
    """The fix for a number, or a word as text, in the place of a word; empty for what is neither."""
    if isinstance(value, float):
        try:
            (word,) = struct.unpack("<I", struct.pack("<f", value))
        except OverflowError:
            return ""
        return f", which numbers are given as: {value} is {word} as float32"
    try:
        return f", without quotation marks: {int(value, 0)}" if isinstance(value, str) else ""
    except ValueError:
        return ""


def _case(data: _Checked, number: int) -> Case:
    job = data.part("job")
    kind, lanes = job.text("kind"), job.whole("lanes")
    if kind not in KINDS:
        raise job.wrong("kind", " or ".join(KINDS))
    if not 0 < lanes <= MOST_LANES:
        raise job.wrong("lanes", f"1 to {MOST_LANES}")
    evidence = data.text("evidence")
    if evidence not in CLASSES:
        raise data.wrong("evidence", " or ".join(CLASSES))
    read = Job(
        number=number,
        kind=KINDS.index(kind),
        lanes=lanes,
        entry=job.whole("entry"),
        code=job.words("code"),
        descriptors=job.words("descriptors"),
        floats=cast("dict[int, Vector]", job.table("floats", job.vector)),
        integers=cast("dict[int, Vector]", job.table("integers", job.vector)),
        booleans=job.whole("booleans", 0),
        inputs=cast("dict[int, Lanes]", job.table("inputs", job.lanes)),
        outputs=job.words("outputs"),
        state=job.words("state"),
    )
    flags = bool(data.data.get("may_hang")) | bool(data.data.get("may_abort")) << 1
    return Case(
        name=data.text("name"),
        group=data.text("group"),
        ops=data.texts("ops"),
        shows=data.text("shows"),
        job=read,
        expected=_outcome(data.part("expected")),
        evidence=evidence,
        differs=data.texts("differs"),
        hazards=data.texts("hazards"),
        flags=flags,
    )


def _outcome(data: _Checked) -> Outcome:
    status = data.texts("status")
    if not status or not set(status) <= set(STATUS):
        raise data.wrong("status", f"a list with {', '.join(STATUS)} for each lane")
    lanes = len(status)
    outputs, state = (cast("dict[int, Lanes]", data.table(key, data.lanes)) for key in ("outputs", "state"))
    written = cast("dict[int, tuple[int, ...]]", data.table("written", data.row))
    for key, what, rows in (("outputs", "vectors", outputs), ("state", "vectors", state), ("written", "masks", written)):
        for register, found in rows.items():
            if len(found) != lanes:
                raise LineError(f"{key} has {len(found)} {what} for register {register} and {lanes} lanes", data.line)
    log: list[Write] = []
    for each in data.listed("writes", "lists of 7 words"):
        words = data.row(each, "writes")
        if len(words) != 7:
            raise data.wrong("writes", "lists of 7 words")
        log.append(Write(words[0], words[1], words[2], (words[3], words[4], words[5], words[6])))
    return Outcome(
        status=tuple(map(STATUS.index, status)),
        outputs=outputs,
        written=written,
        state=state,
        primitives=_primitives(data),
        cycles=data.words("cycles"),
        writes=tuple(log),
    )


def _primitives(data: _Checked) -> tuple[Primitive, ...] | None:
    if "primitives" not in data.data:
        return None
    found: list[Primitive] = []
    for each in data.listed("primitives", "a list"):
        row = _Checked(cast("dict[str, object]", each) if isinstance(each, dict) else {}, data.line)
        corners = row.data.get("vertices")
        if not isinstance(corners, list) or len(cast("list[object]", corners)) != 3:
            raise row.wrong("vertices", "three vertices")
        one, two, three = (row.lanes(corner, "vertices") for corner in cast("list[object]", corners))
        found.append(Primitive(row.whole("run"), int(bool(row.data.get("inverted"))), (one, two, three)))
    return tuple(found)
