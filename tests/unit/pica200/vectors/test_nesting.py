"""Flow as compilers write it, and causes of differences in flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.vectors.against import Comparing
from lanewise.core.vectors.comparing import Tolerance
from lanewise.core.vectors.model import VERTEX, Identity, Job, Wanted
from lanewise.core.vectors.peer import Peer
from lanewise.packages import packages
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.sem.profile import find_profile
from lanewise.pica200.vectors import random_jobs, running
from lanewise.pica200.vectors.nesting import is_nested
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.vectors.model import Case, Outcome

ONE = 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000
NOP = 0x84000000


def job_of(body: str, *, booleans: int = 0xFFFF) -> Job:
    """A job with the words of a body, unpadded; v0 is 1.0."""
    source = f".nonop\n.proc main\n{body}\nend\n.end\n.proc other\nnop\n.end\n"
    encoded = assemble_sources([("job.v.pica", source)]).encoded
    return Job(
        number=7,
        kind=VERTEX,
        lanes=1,
        entry=0,
        code=tuple(encoded.words),
        descriptors=tuple(encoded.descriptors),
        floats={},
        integers={},
        booleans=booleans,
        inputs={0: (ONE,)},
        outputs=(0, 1),
    )


@together(
    ("body", "nested"),
    [
        ("ifu b0\nmov o0, v0\n.end", True),
        ("ifu b0\nifu b1\nmov o0, v0\n.end\nnop\n.else\nmov o1, v0\n.end", True),
        ("ifu b0\nifu b1\nmov o0, v0\n.end\n.else\nmov o1, v0\n.end", False),  # end at one address
        ("ifu b0\n.else\nmov o1, v0\n.end", False),  # an empty part
        ("ifu b0\ncall other\n.end", False),  # ends after a call
        ("ifu b0\ncall other\nnop\n.end", True),
        ("for i0\nbreakc cmp.x\nnop\n.end", True),
        ("for i0\nnop\nbreakc cmp.x\n.end", False),  # a break as the last word
        ("for i0\nifu b0\nbreakc cmp.x\nnop\n.end\nnop\n.end", False),  # a break leaves an IF
        ("breakc cmp.x\nnop", False),
        ("jmpu b0, away\nnop\naway:\nnop", False),
        ("for i0\nmov o0, v0\nend\n.end", False),  # END as the last word of a loop
    ],
)
def test_what_is_nested(body: str, nested: bool):
    assert is_nested(job_of(body)) == nested


def test_random_programs_are_nested():
    assert all(is_nested(random_jobs.job(Wanted(seed=4, variant="azahar", nested=True), number)) for number in range(40))


class Inside(Peer):
    """A peer in this process."""

    def __init__(self, run: Callable[[Job], Outcome]) -> None:
        super().__init__([], Identity(isa="pica200", suite="against", seed=1, variant="azahar", bits=32))
        self.run = run

    def ask(self, case: Case) -> Outcome:
        return self.run(case.job)

    def stop(self) -> None:
        pass


def comparing(run: Callable[[Job], Outcome], *, nested: bool = False) -> Comparing:
    (package,) = [package for package in packages() if package.name == "pica200"]
    assert package.random_jobs is not None
    assert package.vectors is not None
    wanted = Wanted(seed=1, variant="azahar", nested=nested)
    return Comparing(Inside(run), package.random_jobs(), package.vectors(), "azahar", 32, Tolerance(), wanted)


def test_an_answer_that_fits_by_chance_is_not_the_cause():
    """Two IFs that end together. The peer skips the ELSE part, as compilers do; reduced, the part writes -0, which other
    answers make 0."""

    compilers = find_profile("azahar").replace(stack_check="nested")

    def structured(job: Job) -> Outcome:
        return running.run(job, compilers)._replace(written={})

    job = job_of("ifu b0\nifu b1\n.end\n.else\nmov o0, -v0\n.end")
    found = comparing(structured)
    expected = found.expected(job)
    finding = found.differing(job, expected, found.ask(job, expected), lambda: None)
    assert finding is not None
    assert "negative_zero=unseen" in finding.answers
    assert finding.confirmed == ("stack_check=nested",)
    assert finding.cause == "stack_check=nested"


def test_a_difference_without_an_answer_is_named_by_its_instruction():
    """A process whose sum of these four products is that of no order: the cause is the instruction; its question is beside
    it."""
    values = 0x3F800000, 0x33800000, 0x33800000, 0xBF7FFFFF

    def wrong_sum(job: Job) -> Outcome:
        found = running.run(job, find_profile("azahar"))._replace(written={})
        if (job.code[0], job.inputs.get(0), job.floats.get(0)) == (whole.code[0], (values,), ONE):
            found = found._replace(outputs={0: ((0x40000000, 0, 0, 0),)})
        return found

    whole = job_of("dp4 o0.x, c0, v0")._replace(inputs={0: (values,)}, outputs=(0,), floats={0: ONE})
    found = comparing(wrong_sum)
    expected = found.expected(whole)
    finding = found.differing(whole, expected, found.ask(whole, expected), lambda: None)
    assert finding is not None
    assert finding.cause == "differs: dp4"
    assert finding.depends == ("dot_order",)


def test_a_reduced_program_stays_nested():
    """A process without ADD: the reduction keeps the flow nested where it keeps any."""

    def without_add(job: Job) -> Outcome:
        code = tuple([NOP if word >> 26 == 0 else word for word in job.code])
        return running.run(job._replace(code=code), find_profile("azahar"))

    found = comparing(without_add, nested=True)
    for number in range(200):
        job = random_jobs.job(Wanted(seed=9, variant="azahar", nested=True), number)
        expected = found.expected(job)
        if any(expected.status):
            continue
        asked = found.ask(job, expected)
        if asked.kind:
            finding = found.differing(job, expected, asked, lambda: None)
            assert finding is not None
            assert is_nested(finding.job)
            assert finding.cause.startswith("differs: add")
            assert len(finding.job.code) <= 2
            return
    raise AssertionError("no program differs")
