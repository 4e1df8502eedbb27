"""The suites of the PICA200: their size, their independence of the machine, and what a case says about itself."""

from __future__ import annotations

from functools import cache

from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.model import QUICK, Suite
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import ARITHMETIC, OPS
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.pica200.vectors import running
from lanewise.pica200.vectors.suite import VECTORS, drafts, make


@cache
def small() -> Suite:
    return make(["geometry", "state"], 1, "hardware")


def test_a_quick_suite_is_small_and_has_every_instruction():
    found = [*drafts([QUICK], 1, HARDWARE)]
    assert 2000 < len(found) <= 3000
    assert len({draft.name for draft in found}) == len(found)
    named = {op for draft in found for op in draft.ops}
    assert named >= {op.name for op in OPS}
    operands = {draft.ops[0] for draft in found if draft.group == "operands"}
    assert operands == {op.name for op in OPS if op.kind == ARITHMETIC}


def test_the_seed_decides():
    one, again, other = ([*drafts(["geometry"], seed, HARDWARE)] for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_presets_have_numbers_of_their_format():
    for name, profile in profiles.items():
        suite = make(["state"], 1, name)
        assert suite.identity.bits == (32 if running.is_wide(profile) else 24)
        assert all(running.run(case.job, profile) == case.expected for case in suite.cases)


def test_a_case_says_what_it_depends_on():
    cases = {case.name: case for case in small().cases}
    assert "winding_swap=outer" in cases["geometry/triangle-1"].differs
    assert "emit_slots=3" in cases["geometry/slot-three-2"].differs
    assert cases["geometry/slot-three-2"].flags
    assert "keep_registers_between_invocations=cleared" in cases["geometry/kept-temporaries"].differs
    assert cases["geometry/kept-temporaries"].evidence == CHOICES["keep_registers_between_invocations"].known
    assert "initial_state=kept" in cases["state/temporaries"].differs
    assert cases["geometry/nothing"].differs == ()


def test_what_it_depends_on_is_so():
    """Each name of `differs` gives another outcome, and no other single answer does."""
    for case in [case for case in small().cases if case.group == "state"][:3]:
        for question in VECTORS.questions:
            for answer in question.answers:
                name = f"{question.key}={answer}"
                variant = VECTORS.with_answer("hardware", name)
                job = VECTORS.translate(case.job, "hardware", variant)
                other = VECTORS.comparable(job, VECTORS.run(job, variant), variant)
                usual = VECTORS.comparable(case.job, case.expected, "hardware")
                assert any(differences(job, usual, other, 32)) is (name in case.differs), (case.name, name)
