"""Both forms of test vectors: what is written is read, and what is malformed is refused with its place."""

from __future__ import annotations

import json
import random
import struct
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.model import Case, Identity, Job, Outcome, Primitive, Suite, Write
from lanewise.tools.schema import schema
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

SUITE = Suite(
    Identity(isa="pica200", suite="quick", seed=7, variant="hardware, rounding=nearest", bits=24, version="0.1"),
    (
        Case(
            name="mov/é",
            group="operands",
            ops=("mov", "add"),
            shows="one",
            job=Job(
                number=0,
                kind=0,
                lanes=2,
                entry=3,
                code=(1, 2**32 - 1),
                descriptors=(15,),
                floats={95: (1, 2, 3, 4)},
                integers={1: (1, 2, 3, 0)},
                booleans=5,
                inputs={2: ((1, 2, 3, 4), (5, 6, 7, 8))},
                outputs=(0, 1),
                state=(16, 32),
            ),
            expected=Outcome(
                status=(0, 2),
                outputs={0: ((1, 2, 3, 4), (0, 0, 0, 0)), 1: ((9, 9, 9, 9), (0, 0, 0, 0))},
                written={0: (15, 0), 1: (8, 0)},
                state={16: ((1, 1, 1, 1), (2, 2, 2, 2))},
            ),
            evidence="unknown",
            differs=("azahar", "rounding=zero"),
            hazards=("a full ring", "another"),
            flags=3,
        ),
        Case(
            name="geometry/one",
            group="geometry",
            ops=("emit",),
            shows="two",
            job=Job(number=1, kind=1, lanes=1, entry=0, code=(7,), outputs=(0,)),
            expected=Outcome(
                status=(0,), primitives=(Primitive(0, 1, (((1, 2, 3, 4),), ((5, 6, 7, 8),), ((9, 10, 11, 12),))),)
            ),
        ),
        Case(
            name="geometry/none",
            group="geometry",
            ops=("emit",),
            shows="",
            job=Job(number=2, kind=1, lanes=1, entry=0, code=(7,), outputs=(0,)),
            expected=Outcome(status=(0,), primitives=()),
        ),
        Case(
            name="wave",
            group="time",
            ops=("mul",),
            shows="three",
            job=Job(number=3, kind=2, lanes=1, entry=0, code=(7, 8)),
            expected=Outcome(status=(0,), cycles=(1, 2), writes=(Write(5, 1, 9, (1, 2, 3, 4)),)),
        ),
    ),
)


def test_what_is_written_is_read():
    data = flat.suite_bytes(SUITE)
    found = flat.read(data)
    assert found.cases == SUITE.cases
    assert found.identity == SUITE.identity._replace(cases=4, digest=found.identity.digest)
    text = lines.suite_text(SUITE)
    assert lines.read(text).cases == SUITE.cases
    assert lines.read(text).identity == found.identity


def test_answers():
    answers = {case.job.number: case.expected for case in SUITE.cases}
    records = b"".join([flat.answer_bytes(number, outcome) for number, outcome in answers.items()])
    found = flat.read(
        flat.header_bytes(SUITE.identity._replace(digest="00" * 32, cases=4)) + records + flat.record(flat.END, ())
    )
    assert (found.answers, found.cases) == (answers, ())
    assert lines.read(lines.answer_text(SUITE.identity, answers)).answers == answers


def test_lines_are_as_the_schema_says():
    validator = Draft202012Validator(schema("vector"))
    text = lines.suite_text(SUITE) + lines.answer_text(SUITE.identity, {3: SUITE.cases[3].expected})
    for line in text.splitlines():
        validator.validate(json.loads(line))  # pyright: ignore[reportUnknownMemberType]


CHANGES: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: data[:20], "does not begin with a header"),
    (lambda data: b"X" + data[1:], "does not begin with a header"),
    (lambda data: data[:8] + struct.pack("<I", 9) + data[12:], "version 9"),
    (lambda data: data[:12] + struct.pack("<I", 7) + data[16:], "header has 7 bytes"),
    (lambda data: data[:16] + struct.pack("<I", 4) + data[20:], "instruction set 4"),
    (lambda data: data[:-4], "past the end"),
    (lambda data: data[:-44] + struct.pack("<I", 0xFFFF) + data[-36:], "past the end"),
    (lambda data: data[:32] + b"\0" * 32 + data[64:], "digest"),
    (lambda data: data + struct.pack("<2I", 7, 0), "kind 7"),
    (lambda data: data + flat.record(flat.ANSWER, [0, flat.STATUS, 1, 0]), "answered twice"),
    (lambda data: data + flat.record(flat.ANSWER, [9]), "no status"),
    (lambda data: data + flat.record(flat.ANSWER, []), "no number"),
    (lambda data: data + flat.record(flat.ANSWER, [9, flat.STATUS, 1, 0, flat.OUTPUTS, 3, 0, 0, 0]), "3 words"),
    (lambda data: data + flat.record(flat.ANSWER, [9, flat.STATUS, 1, 0, flat.PRIMITIVES, 2, 1, 0]), "1 primitives"),
    (lambda data: data + flat.record(flat.ANSWER, [9, flat.STATUS, 1, 0, flat.PRIMITIVES, 0]), "do not fit 0 words"),
    (lambda data: data + flat.record(flat.ANSWER, [9, flat.STATUS, 1, 0, flat.WRITES, 2, 1, 0]), "multiple of 7"),
    (lambda data: data + flat.record(flat.JOB, [9, 0, 0, 0, 0]), "0 lanes"),
    (lambda data: data + flat.record(flat.JOB, [9, 4, 0, 1, 0]), "kind 4, expected 0 to 3"),
    (lambda data: data + flat.record(flat.JOB, [9, 0, 0, 1, 0]), "no answer"),
]


@together(("change", "message"), CHANGES)
def test_malformed_words(change: Callable[[bytes], bytes], message: str):
    with pytest.raises(flat.FlatError, match=message):
        flat.read(change(flat.suite_bytes(SUITE)))


@together(
    ("line", "message"),
    [
        ("nonsense", "not JSON"),
        ("[]", "expected an object"),
        ('{"case": 0.5}', "case is 0.5"),
        ('{"outputs": {"0": []}}', r'answer each job, not the header, with a line such as \{"case": 0, "status": \["ended"\]'),
        ('{"case": 0, "status": ["ended"], "outputs": {"o3": []}}', 'expected the number of a register, "3"'),
        ('{"case": 0, "status": ["ended"], "outputs": {"0": [[1.0, 0, 0, 0]]}}', "1.0 is 1065353216 as float32"),
        ('{"case": 0, "status": ["ended"], "outputs": {"0": [["0x1f", 0, 0, 0]]}}', "without quotation marks: 31"),
        ('{"case": 0}', "status is null"),
        ('{"case": 0, "status": ["well"]}', "status is"),
        ('{"case": 0, "status": ["ended"], "outputs": {"o0": []}}', "number of a register"),
        ('{"case": 0, "status": ["ended"], "outputs": {"0": [[1, 2, 3]]}}', "vector of 3 words"),
        ('{"case": 0, "status": ["ended"], "outputs": {"0": []}}', "0 vectors for register 0 and 1 lanes"),
        ('{"case": 0, "status": ["ended"], "outputs": {"0": [[1, 2, 3, 4294967296]]}}', "words of 32 bits"),
        ('{"case": 0, "status": ["ended"], "primitives": [{"run": 0, "vertices": []}]}', "three vertices"),
        ('{"case": 0, "status": ["ended"], "primitives": null}', "primitives is null"),
        ('{"case": 0, "status": ["ended"], "written": {"0": [15, 15]}}', "2 masks for register 0 and 1 lanes"),
        ('{"case": 0, "status": ["ended"], "writes": 7}', "writes is 7"),
        ('{"case": 0, "job": {"kind": "cube", "lanes": 1}}', "kind is"),
        ('{"case": 0, "job": 7}', "job is 7"),
    ],
)
def test_malformed_lines(line: str, message: str):
    head = json.dumps(lines.header(SUITE.identity))
    with pytest.raises(lines.LineError, match=message) as error:
        lines.read(f"{head}\n\n{line}\n")
    assert error.value.line == 3


def test_changed_cases_are_refused():
    """In both forms; a case that is cut off too."""
    text = lines.suite_text(SUITE)
    assert lines.read(text)
    for broken in (
        text.replace('"entry":3', '"entry":4', 1),
        text[: text.rindex("\n", 0, -1) + 1],
        text.replace("[1,2,3,4]", "[1,2,3,5]", 1),
    ):
        with pytest.raises(lines.LineError, match="changed or cut") as error:
            lines.read(broken)
        assert error.value.line == 1


def test_a_first_line_that_is_no_header():
    for text in ("", '{"schema": "lanewise/run/1"}', '{"schema": "lanewise/vector/1"}'):
        with pytest.raises(lines.LineError) as error:
            lines.read(text)
        assert error.value.line == 1


def test_damaged_bytes_are_refused_or_read():
    """Nothing but FlatError and LineError."""
    data, text = flat.suite_bytes(SUITE), lines.suite_text(SUITE)
    rng = random.Random(1)
    for _ in range(300):
        place = rng.randrange(len(data))
        broken = data[:place] + bytes([rng.getrandbits(8)]) + data[place + rng.choice((1, 1, 2)) :]
        try:
            flat.read(broken)
        except flat.FlatError as error:
            assert 0 <= error.offset <= len(broken)
        place = rng.randrange(len(text))
        try:
            lines.read(text[:place] + rng.choice('{}[]",:017x') + text[place + 1 :])
        except lines.LineError as error:
            assert error.line >= 1
