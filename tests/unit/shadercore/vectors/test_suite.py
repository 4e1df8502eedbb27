"""The suites of ShaderCore: every instruction, cycles and writes as the timing has them."""

from __future__ import annotations

from effort import sample
from lanewise.core.vectors.model import QUICK
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.table import OPS
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.vectors.suite import drafts, job_of, make, run


def test_a_quick_suite_has_every_instruction():
    found = [*drafts([QUICK], 1)]
    assert len({draft.name for draft in found}) == len(found) <= 3000
    assert {inst.op.name for draft in found for inst in draft.insts} == {op.name for op in OPS}


def test_cycles_and_writes():
    for draft in sample([draft for draft in drafts(["time"], 1) if "random" in draft.name], 4):
        for device in (RTL, DOCUMENT):
            outcome, timing = run(job_of(draft), device), time_program(draft.insts, device)
            assert outcome.cycles[:2] == (timing.run_cycles, timing.drain_cycles)
            assert len(outcome.writes) % 4 == 0
            last = {(write.place, write.quad): write.lanes for write in outcome.writes}
            for number, lanes in {**outcome.state, **outcome.outputs}.items():
                for component in range(4):
                    for quad in range(4):
                        written = last.get((number * 4 + component, quad))
                        if written is not None and device is DOCUMENT and not timing.overtaken:
                            assert written == tuple([lanes[4 * quad + n][component] for n in range(4)])


def test_a_case_says_what_it_depends_on():
    suite = make(["registers"], 1, "rtl")
    cases = {case.name: case for case in suite.cases}
    assert "constant_ports=two" in cases["constants/two-0-1"].differs
    assert cases["end/missing"].flags
