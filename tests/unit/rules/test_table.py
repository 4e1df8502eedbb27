"""No rewrite rule is believed: each exact row on the numbers of every target that keeps its laws."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from effort import times
from engines.test_proof_rules import PROFILES
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.rules.row import ALLOWED, COMPILE, EXACT, EXHAUSTED, PROVED, PROVER
from lanewise.rules.table import beliefs, rules
from lanewise.shadercore.isa.devices import DEVICES
from rewriting import Device32, Pica, cases_of, differs, is_provable, laws_of, leaves_of, of_belief, refuted, shown
from together import together

if TYPE_CHECKING:
    from lanewise.rules.row import Belief, Rule

EXACT_ROWS = [rule for rule in rules() if rule.kind == EXACT]
PRESETS = [*profiles.values()]


@together("rule", EXACT_ROWS, ids=lambda rule: rule.name)
def test_an_exact_row_keeps_every_bit_under_all_profiles_with_its_laws(rule: Rule):
    rng = random.Random(rule.name)
    allowing = [profile for profile in PROFILES if set(rule.laws) <= laws_of(profile)]
    used = 0
    for profile in [*([HARDWARE] if HARDWARE in allowing else []), *rng.sample(allowing, times(2, len(allowing)))]:
        numbers = Pica(profile)
        for case in cases_of(rule, laws_of(profile), times(2, 40)):
            used += 1
            given = refuted(case, numbers, times(15, 1000), rng)
            assert given is None, (profile.describe(), case, given)
    assert used, "the row never applies"


@together("rule", [rule for rule in EXACT_ROWS if rule.checked == EXHAUSTED], ids=lambda rule: rule.name)
def test_rows_of_one_number_at_all_exponents(rule: Rule):
    """All patterns are tried by `python -m rules_sweep`."""
    for profile in PRESETS[: times(1, 3)]:
        laws = laws_of(profile)
        if not set(rule.laws) <= laws:
            continue
        numbers = Pica(profile)
        case, *_ = cases_of(rule, laws, 1)
        names = leaves_of(case.before)
        assert len(names) == 1, "more than one number cannot be exhausted"
        ((name, truth),) = names.items()
        top, low = (9, 23) if numbers.wide else (8, 16)
        words = [upper << low | lower for upper in range(1 << top) for lower in (0, (1 << low) - 1)]
        for word in (numbers.known(0.0), numbers.known(1.0)) if truth else words:
            assert not differs(case, numbers, {name: numbers.canonical(word)}), (profile.describe(), hex(word))


@together("rule", [rule for rule in EXACT_ROWS if rule.checked == PROVED], ids=lambda rule: rule.name)
def test_a_row_that_is_proved_is_shown_by_the_prover_without_it(rule: Rule):
    """Where bounds are those of comparisons, maxima and constants; those of other operations are tried."""
    rng = random.Random(rule.name)
    allowing = [profile for profile in PROFILES if set(rule.laws) <= laws_of(profile)]
    for profile in rng.sample(allowing, times(2, len(allowing))):
        laws = laws_of(profile)
        cases = [case for case in cases_of(rule, laws, times(8, 40), 1) if is_provable(rule, case)]
        assert cases, "no case that the prover can show"
        for case in cases:
            assert shown(case, profile, rule.name), (profile.describe(), case)


def test_rows_that_were_only_tried_are_not_the_prover_s():
    assert [rule.name for rule in rules() if PROVER in rule.used_by and rule.checked not in (EXHAUSTED, PROVED)] == []
    assert [rule.name for rule in rules() if PROVER in rule.used_by and rule.kind != EXACT] == []


@together("rule", [rule for rule in EXACT_ROWS if COMPILE in rule.used_by], ids=lambda rule: rule.name)
def test_rows_of_compilers_keep_every_bit_on_other_targets(rule: Rule):
    rng = random.Random(rule.name)
    laws = frozenset(("two roundings",))
    if not set(rule.laws) <= laws:
        return
    for device in DEVICES.values():
        numbers = Device32(device)
        for case in cases_of(rule, laws, times(2, 40)):
            given = refuted(case, numbers, times(12, 1000), rng)
            assert given is None, (device.name, case, given)


@together("belief", beliefs(), ids=lambda belief: belief.name)
def test_what_is_believed_and_wrong_is_refuted_by_its_numbers(belief: Belief):
    case, values = of_belief(belief)
    numbers = Pica(HARDWARE)
    given = {
        name: int(value, 16) if isinstance(value, str) else numbers.canonical(float24_from_float(value))
        for name, value in values.items()
    }
    assert differs(case, numbers, given)


def test_rows_are_told_apart():
    assert len({rule.name for rule in (*rules(), *beliefs())}) == len(rules()) + len(beliefs())
    assert all(bool(rule.checked) == (rule.kind == EXACT) for rule in rules())
    assert all(rule.used_by or rule.code for rule in rules())
    assert all(rule.kind in (EXACT, ALLOWED) for rule in rules())
