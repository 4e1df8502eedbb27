"""Comparison of answers: which parts count, and what is tolerated."""

from __future__ import annotations

from lanewise.core.vectors.comparing import EXACT, Difference, Tolerance, differences, equal, incomplete, nan_remark
from lanewise.core.vectors.model import Job, Outcome, Primitive, Write
from together import together

JOB = Job(number=0, kind=0, lanes=2, entry=0, code=(1,), outputs=(0,))
WANTED = Outcome(
    status=(0, 1),
    outputs={0: ((1, 2, 3, 4), (5, 6, 7, 8))},
    written={0: (12, 15)},
    state={16: ((1, 1, 1, 1), (2, 2, 2, 2))},
    cycles=(3,),
    writes=(Write(1, 2, 3, (4, 5, 6, 7)),),
)


def found(outcome: Outcome, tolerance: Tolerance = EXACT) -> list[tuple[str, int, int, int]]:
    return [each[:4] for each in differences(JOB, WANTED, outcome, 24, tolerance)]


@together(
    ("outcome", "places"),
    [
        (WANTED, []),
        (Outcome(status=(0, 1), outputs={0: ((1, 2, 9, 9), (0, 0, 0, 0))}), []),  # not written, and a lane that stopped
        (Outcome(status=(0, 2), outputs=WANTED.outputs), []),
        (Outcome(status=(0, 0), outputs=WANTED.outputs), [("status", 1, -1, -1)]),
        (Outcome(status=(1, 1), outputs=WANTED.outputs), [("status", 0, -1, -1)]),
        (Outcome(status=(0,), outputs=WANTED.outputs), [("number of lanes", -1, -1, -1)]),
        (Outcome(status=(0, 1)), [("missing output", -1, -1, -1)]),
        (WANTED._replace(outputs={0: ((1, 9, 3, 4), (5, 6, 7, 8))}), [("outputs", 0, 0, 1)]),
        (WANTED._replace(written={0: (15, 0)}), [("written", 0, 0, 0)]),
        (WANTED._replace(state={16: ((1, 1, 1, 2), (0, 0, 0, 0))}), [("state", 0, 16, 3)]),
        (WANTED._replace(cycles=(4,)), [("cycles 0", -1, -1, -1)]),
        (WANTED._replace(writes=WANTED.writes * 2), [("number of writes", -1, -1, -1)]),
        (WANTED._replace(writes=(Write(2, 2, 3, (4, 5, 6, 7)),)), [("write 0, cycle", -1, -1, -1)]),
        (WANTED._replace(writes=(Write(1, 2, 4, (4, 5, 6, 7)),)), [("write 0, place", -1, -1, -1)]),
        (WANTED._replace(writes=(Write(1, 2, 3, (4, 5, 9, 7)),)), [("value of write 0 in lane 10", -1, -1, -1)]),
    ],
)
def test_differences(outcome: Outcome, places: list[tuple[str, int, int, int]]):
    assert found(outcome) == places


@together(
    ("outcome", "said"),
    [
        (WANTED, ""),
        (Outcome(status=(0, 0)), ""),  # the status is what differs
        (Outcome(status=(0, 1)), "the answer lacks o0: job.outputs are o0: answer each under the number"),
        (Outcome(status=(0, 1), outputs={1: ((0, 0, 0, 0),) * 2}), "lacks o0, and has o1, which the job does not ask for: "),
        (
            Outcome(status=(0,)),
            "the answer has the status of 1 lane, and the job has 2 lanes: answer a status for each of job.lanes",
        ),
        (WANTED._replace(primitives=None), ""),
    ],
)
def test_what_an_answer_lacks(outcome: Outcome, said: str):
    text = incomplete(JOB, WANTED, outcome, "o{}".format)
    assert said in text
    assert bool(said) == bool(text)


def test_two_nans_are_said_to_be_two():
    def remark(expected: int, given: int, bits: int, what: str = "outputs") -> str:
        return nan_remark(Difference(what=what, lane=0, register=0, component=1, expected=expected, found=given), bits)

    assert remark(0x7FC00000, 0xFFC00000, 32) == "; both are NaN, only the sign differs: --ignore-nan-sign"
    assert remark(0x7F8000, 0x7F8001, 24) == "; both are NaN: --ignore-nan"
    assert remark(0x7FC00000, 0x3F800000, 32) == remark(0x7FC00000, 0xFFC00000, 32, "written") == ""


def test_primitives():
    job = Job(number=0, kind=1, lanes=1, entry=0, code=(1,), outputs=(3,))
    corner = ((1, 2, 3, 4),)
    wanted = Outcome(status=(0,), primitives=(Primitive(0, 0, (corner, corner, corner)),))
    for given, what in (
        (wanted, []),
        (Outcome(status=(0,)), ["missing primitives"]),
        (wanted._replace(primitives=()), ["number of primitives"]),
        (
            wanted._replace(primitives=(Primitive(1, 1, (corner, corner, corner)),)),
            ["run of primitive 0", "winding of primitive 0"],
        ),
        (wanted._replace(primitives=(Primitive(0, 0, (corner, corner, ((1, 2, 3, 5),))),)), ["primitives"]),
    ):
        assert [each.what for each in differences(job, wanted, given, 24)] == what


@together(
    ("one", "other", "bits", "tolerance", "same"),
    [
        (0x7F8000, 0xFF8000, 24, EXACT, False),
        (0x7F8000, 0xFF8000, 24, Tolerance(nan_sign=True), True),
        (0x7F8000, 0x7F8001, 24, Tolerance(nan_sign=True), False),
        (0x7F8000, 0xFF8001, 24, Tolerance(any_nan=True), True),
        (0x7F8000, 0x7F0000, 24, Tolerance(any_nan=True, ulp=9), False),
        (0x3F0000, 0x3F0001, 24, Tolerance(ulp=1), True),
        (0x3F0000, 0x3F0002, 24, Tolerance(ulp=1), False),
        (0x000000, 0x800001, 24, Tolerance(ulp=1), True),
        (0x7FC00000, 0xFFC00000, 32, Tolerance(nan_sign=True), True),
        (0x3F800000, 0x3F7FFFFF, 32, Tolerance(ulp=1), True),
    ],
)
def test_tolerance(one: int, other: int, bits: int, tolerance: Tolerance, same: bool):
    assert equal(one, other, bits, tolerance) is same
