"""The suites of Direct3D 9: every arithmetic instruction of every version, and the same bytes on every machine."""

from __future__ import annotations

import hashlib
from itertools import islice

from lanewise.core.vectors.flat import job_bytes, read_job, records_of
from lanewise.core.vectors.model import Case, Outcome
from lanewise.direct3d9.engine.random_programs import VERSIONS
from lanewise.direct3d9.sem.numbers import NAMES, rule_of
from lanewise.direct3d9.vectors.suite import drafts, job_of, register_name, run


def test_every_version_has_its_instructions():
    found = {(draft.shader.shader.version.name, draft.ops[0]) for draft in drafts(["operations"], 1)}
    assert {version for version, _ in found} == set(VERSIONS)
    assert {("vs_1_1", "mad"), ("vs_3_0", "sincos"), ("ps_1_4", "cnd"), ("ps_3_0", "dp2add")} <= found


def test_jobs_run_under_every_rule_and_are_read_back():
    """The digest has recorded what they gave."""
    found = hashlib.sha256()
    for draft in islice(drafts(["random"], 1), 6):
        job = job_of(draft.shader)
        data = job_bytes(
            Case(name=draft.name, group=draft.group, ops=draft.ops, shows=draft.shows, job=job, expected=Outcome(status=()))
        )
        _, at, words = next(records_of(data, 0))
        assert read_job(words, at).job == job
        for name in NAMES:
            found.update(repr((job, run(job, rule_of(name)))).encode())
    assert found.hexdigest() == "184854c6ea14b5e492276331e4d36a134d683162ba59ca1347403bd9b4a030dd"


def test_names_of_registers():
    assert [register_name(number) for number in (0x0000, 0x0400, 0x0501)] == ["r0", "oPos", "oD1"]
