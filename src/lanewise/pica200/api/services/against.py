"""Random jobs of the PICA200 for `lanewise fuzz --against`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.vectors.model import GEOMETRY, KINDS, VERTEX, RandomJobs
from lanewise.pica200.api.services.fuzz_case import commented, data_lines, run_arguments
from lanewise.pica200.isa.program import Interface
from lanewise.pica200.vectors import random_jobs
from lanewise.pica200.vectors.alone import alone
from lanewise.pica200.vectors.job_steps import steps
from lanewise.pica200.vectors.nesting import is_nested
from lanewise.pica200.vectors.running import BUDGET, variant_profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.vectors.model import Job


def source(job: Job, variant: str, stem: str, comments: Sequence[str]) -> str:
    """The text of `stem.v.pica` or `.g.pica`, which assembles to the words and descriptors of the job; comments have its data
    and how to run it."""
    case = random_jobs.case_of(job, variant_profile(variant))
    geometry = job.kind == GEOMETRY
    command = " ".join(["lanewise run", f"{stem}.v.pica", *run_arguments(case), f"--budget {BUDGET}"])
    again = [] if geometry else ["The expected answer again:", f"  {command}"]
    head = [
        *comments,
        f"Profile: {case.profile.describe()}",
        f"{'Runs' if geometry else 'Vertices'}: {case.lanes}",
        *data_lines(case),
        *again,
    ]
    return commented(head, Interface(name="main", geometry=geometry), job.code, job.descriptors, stem)


def _suffix(job: Job) -> str:
    return ".g.pica" if job.kind == GEOMETRY else ".v.pica"


RANDOM_JOBS = RandomJobs(
    job=random_jobs.job,
    reduce=random_jobs.reduce,
    steps=steps,
    source=source,
    careful=random_jobs.careful,
    ops=random_jobs.ops,
    suffix=_suffix,
    mnemonics=random_jobs.MNEMONICS,
    groups=random_jobs.GROUPS,
    nested=is_nested,
    kinds=(KINDS[VERTEX], KINDS[GEOMETRY]),
    alone=alone,
)
