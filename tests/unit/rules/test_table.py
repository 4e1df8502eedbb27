"""No rewrite rule is believed: each exact row on the numbers of every target that keeps its laws."""

from __future__ import annotations

import math
import operator
import random
from itertools import product
from typing import TYPE_CHECKING

from effort import times
from engines.test_proof_rules import PROFILES
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.rules.expression import COMPUTED, KNOWN, NAME, NEGATED, NUMBER, names_of
from lanewise.rules.row import ALLOWED, COMPILE, EXACT, EXHAUSTED, PROVED, PROVER
from lanewise.rules.table import beliefs, rules
from lanewise.shadercore.isa.devices import DEVICES
from rewriting import Device32, Pica, cases_of, differs, is_provable, laws_of, leaves_of, of_belief, refuted, shown
from together import together

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.rules.expression import Expression
    from lanewise.rules.row import Belief, Rule

EXACT_ROWS = [rule for rule in rules() if rule.kind == EXACT]
DOT = "dot"
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


ALLOWED_ROWS = [rule for rule in rules() if rule.kind == ALLOWED]
_HARD = (0.0, -0.0, 1.0, -1.0, -3.5, 0.75, math.inf, 1e30, -math.inf, -1e-30, math.nan)


def _real(e: Expression, values: Mapping[str, Sequence[float]], parts: list[float]) -> list[float]:
    """A side of a row without rounding, infinities and NaN as IEEE 754 has them; `parts` gets all that it computes."""
    if e.kind in (NAME, KNOWN):
        return list(values[e.text])
    if e.kind == NUMBER:
        return [e.number]
    inner = [_real(each, values, parts) for each in e.arguments]
    if e.kind == NEGATED:
        return [-x for x in inner[0]]
    found = math.fsum(map(operator.mul, *inner)) if e.kind == DOT and _ordinary(inner) else _operation(e, inner)
    parts.append(found)
    return [found]


def _ordinary(sides: Sequence[Sequence[float]]) -> bool:
    return all(map(math.isfinite, [x for side in sides for x in side]))


def _operation(e: Expression, inner: Sequence[Sequence[float]]) -> float:
    kind = e.text if e.kind == COMPUTED else e.kind
    a, *others = [side[0] for side in inner]
    match kind:
        case "dot":
            return sum([x * y for x, y in zip(*inner, strict=True)])
        case "add":
            return a + others[0]
        case "mul":
            return a * others[0]
        case "mad":
            return a * others[0] + others[1]
        case "max":
            return a if a > others[0] else others[0]
        case "rcp":
            return 1 / a if a else math.copysign(math.inf, a)
        case "rsq":
            return math.nan if a < 0 else 1 / math.sqrt(a) if a else math.inf
        case "exp2":
            return math.inf if a > 1000 else 2.0**a
        case "log2":
            return math.nan if a < 0 else math.log2(a) if a else -math.inf
        case _:
            raise AssertionError(kind)


@together("rule", ALLOWED_ROWS, ids=lambda rule: rule.name)
def test_what_allowed_rows_keep_of_nan(rule: Rule):
    """Rows that are also for `precise` are NaN where their pattern is; the others are what it is, where all its parts are
    finite."""
    width = 2 if rule.pattern.kind == DOT else 1
    names = names_of(rule.pattern)
    free = 0
    hard = _HARD if width == 1 else _HARD[::2]
    for numbers in product(hard, repeat=len(names) * width):
        values = {name: numbers[n * width : (n + 1) * width] for n, name in enumerate(names)}
        if any(each.isupper() and not math.isfinite(values[each][0]) for each in names):
            continue  # known numbers are finite
        parts: list[float] = []
        one, other = _real(rule.pattern, values, parts)[0], _real(rule.replacement, values, [])[0]
        if math.isnan(one) and not rule.precise:
            free += 1
        elif rule.precise:
            assert math.isnan(one) == math.isnan(other), values
            assert math.isnan(one) or one == other, values
        elif all(map(math.isfinite, parts)):
            assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-15), (values, one, other)
    assert rule.precise or free, "it never has a NaN"
