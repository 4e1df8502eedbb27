"""Each exact row changed a little, in an operation, operand, number or law: numbers refute it, or it is listed as true."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from effort import sample
from lanewise.pica200.sem.profile import profiles
from lanewise.rules.expression import COMMUTATIVE, KNOWN, NUMBER, Expression
from lanewise.rules.row import EXACT
from lanewise.rules.table import rules
from rewriting import Pica, cases_of, laws_of, refuted
from together import together

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.rules.row import Rule

OTHER = {"min": "max", "max": "min", "add": "mul", "mul": "add", "lt": "le", "le": "lt", "both": "either", "either": "both"}
HARDWARE = profiles["hardware"]
NUMERICALLY = [
    HARDWARE.replace(negative_zero="ieee"),
    HARDWARE,
    HARDWARE.replace(max_zero_neg_inf="-inf"),
    HARDWARE.replace(mad_rounding="once"),
    *profiles.values(),
]
# Changes that give another true rule: the constant may be on either side of what is bounded, the first of two products may be
# either, and some conditions and laws keep rows simple to prove.
TRUE = frozenset(
    (
        "products with large powers of two: operands of computed on the right",
        "products with small powers of two: operands of computed on the right",
        "product and sum with factor 1: without law two roundings",
        "maximum of one number: min for max on the left",
        "minimum of one number: max for min on the left",
        "maximum with a number below: operands of max on the left",
        "minimum with a number above: operands of min on the left",
        "minimum with a number below: operands of min on the left",
        "maximum of a maximum: operands of max on the left",
        "maximum of a maximum: without finite",
        "minimum of a minimum: operands of min on the left",
        "minimum of a minimum: without finite",
        "maximum of a number above: operands of max on the left",
        "minimum of a number below: operands of min on the left",
        "maximum of a maximum, constants first: without finite",
        "minimum of a minimum, constants first: without finite",
        "maximum of a maximum, constant first inside: operands of max on the left",
        "maximum of a maximum, constant first inside: without finite",
        "maximum of a maximum, constant first inside: without law finite maximum",
        "minimum of a minimum, constant first inside: operands of min on the left",
        "minimum of a minimum, constant first inside: without finite",
        "magnitude of the other number: operands of max on the left",
        "magnitude of the other number: operands of max on the right",
        "one truth and itself: either for both on the left",
        "one truth or itself: both for either on the left",
        "choice that is a minimum with a number: lt for le on the left",
        "choice that is a minimum of a number: lt for le on the left",
        "choice that is a maximum with a number: lt for le on the left",
        "choice that is a maximum with a number: without law finite maximum",
        "choice that is a maximum of a number: lt for le on the left",
        "maximum of a maximum and its first number: operands of max on the left",
        "maximum of a maximum and its second number: operands of max on the left",
        "minimum of a minimum and its first number: operands of min on the left",
        "minimum of a minimum and its second number: operands of min on the left",
        "minimum of a number and a maximum that ends with it: operands of min on the left",
        "maximum of a number and a minimum that ends with it: operands of max on the left",
        "minimum of a maximum and its second number: operands of min on the left",
        "maximum of a minimum and its second number: operands of min on the left",
        "choice of a number and 0: without finite",
        "choice of two numbers: operands of computed on the right",
    )
)


def changed(e: Expression) -> Iterator[tuple[str, Expression]]:
    """An expression with one change, and what it is."""
    if e.kind in OTHER:
        yield f"{OTHER[e.kind]} for {e.kind}", e._replace(kind=OTHER[e.kind], text=OTHER[e.kind])
    if e.kind == NUMBER:
        yield f"{e.number + 1:g} for {e.number:g}", e._replace(number=e.number + 1)
    if len(e.arguments) == 2 and e.kind not in COMMUTATIVE and e.arguments[0] != e.arguments[1]:
        yield f"operands of {e.kind}", e._replace(arguments=e.arguments[::-1])
    for n, argument in enumerate(e.arguments):
        for what, other in changed(argument):
            yield what, e._replace(arguments=(*e.arguments[:n], other, *e.arguments[n + 1 :]))


def changes() -> Iterator[tuple[str, Rule]]:
    for rule in rules():
        if rule.kind != EXACT:
            continue
        for what, pattern in changed(rule.pattern):
            yield f"{rule.name}: {what} on the left", rule._replace(pattern=pattern)
        for what, replacement in changed(rule.replacement):
            yield f"{rule.name}: {what} on the right", rule._replace(replacement=replacement)
        for n, test in enumerate(rule.where):
            known = all(operand.kind == KNOWN for operand in test.operands)
            if known or test.what in ("arithmetic", "truth"):
                where = (*rule.where[:n], *rule.where[n + 1 :])
                yield f"{rule.name}: without {test.what}", rule._replace(where=where)
        for law in rule.laws:
            if law == "second":
                continue  # all profiles keep it
            yield f"{rule.name}: without law {law}", rule._replace(laws=tuple([each for each in rule.laws if each != law]))


CHANGES = dict(changes())


def is_refuted(name: str, tries: int) -> bool:
    rule, rng = CHANGES[name], random.Random(name)
    for profile in NUMERICALLY:
        if set(rule.laws) <= laws_of(profile):
            numbers = Pica(profile)
            cases = cases_of(rule, laws_of(profile), 12, most=300)
            if any(refuted(case, numbers, tries * 12 // len(cases), rng) for case in cases):
                return True
    return False


@together("name", sample([name for name in CHANGES if name not in TRUE], 20))
def test_a_row_that_is_changed_a_little_is_refuted(name: str):
    assert is_refuted(name, 200), "the numbers do not refute it: it is a rule of its own, or the search is too weak"


def test_listed_changes_exist():
    assert set(CHANGES) >= TRUE
