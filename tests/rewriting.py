"""Rewrite rules on trees of the algebra: cases of a row, and both of its sides on the numbers of a target."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.compile.shadercore.numbers import DeviceNumbers
from lanewise.compile.vector.interpret import evaluated
from lanewise.core.numbers.binary import EQ, LE, LT
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.terms import Terms
from lanewise.pica200.sem.numbers import Float32, number_rule
from lanewise.rules.expression import COMPUTED, KNOWN, NAME, NEGATED, NUMBER, Expression, names_of
from lanewise.rules.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.sem.numbers import Float24
    from lanewise.pica200.sem.profile import Profile
    from lanewise.rules.row import Belief, Rule
    from lanewise.shadercore.isa.devices import Device

ARITHMETIC = frozenset(("add", "mul", "mad", "dot", "rcp", "rsq", "exp2", "log2", "floor", "flush"))
TRUTHS_OF = {"both": "xy", "either": "xy", "invert": "x", "select": "x"}  # operands that are truths, by place
NUMBERS = (0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 4.0, 0.25, 3.0, -3.0, 100.0, 0.75, 2.0**40, 2.0**-40)
_CODE = {"both": "and", "either": "or", "invert": "not"}


class Tree(NamedTuple):
    """An operation on trees, a leaf (`leaf` with its name; `truth`: one that is 1 or 0) or a number."""

    op: str
    operands: tuple[Tree, ...] = ()
    name: str = ""
    number: float = 0.0


class Trees:
    """Trees as rewrite rules see them."""

    def __init__(self, laws: frozenset[str]) -> None:
        self.laws = laws

    def head(self, a: Tree) -> str:
        found = self.operation(a)
        return NUMBER if self.number(a) is not None else found[0] if found is not None else ""

    def operation(self, a: Tree) -> tuple[str, Sequence[Tree]] | None:
        return (a.op, a.operands) if a.op not in ("leaf", "truth", NUMBER, NEGATED) else None

    def number(self, a: Tree) -> float | None:
        if a.op == NEGATED and a.operands[0].op == NUMBER:
            return -a.operands[0].number
        return a.number if a.op == NUMBER else None

    def negate(self, a: Tree) -> Tree:
        if a.op == NUMBER:
            return Tree(NUMBER, number=-a.number)
        return a.operands[0] if a.op == NEGATED else Tree(NEGATED, (a,))

    def is_negated(self, a: Tree) -> bool:
        return a.op == NEGATED or (a.op == NUMBER and a.number < 0)

    def fact(self, name: str, a: Tree) -> bool:
        if name == "arithmetic":
            return a.op in ARITHMETIC or (a.op == NEGATED and a.operands[0].op in ARITHMETIC)
        return name == "free" or (name == "truth" and a.op == "truth")

    def law(self, name: str) -> bool:
        return name in self.laws

    def computed(self, op: str, a: float, b: float) -> float | None:
        exact = Fraction(a) * Fraction(b) if op == "mul" else Fraction(a) + Fraction(b)
        found = float_from_float24(float24_from_float(a * b if op == "mul" else a + b))
        return found if exact == Fraction(found) and (exact or op == "mul") else None

    def constant(self, number: float) -> Tree:
        return Tree(NUMBER, number=number)

    def make(self, op: str, operands: Sequence[Tree]) -> Tree:
        return Tree(op, tuple(operands))


ZERO_ONE = (Tree(NUMBER, number=0.0), Tree(NUMBER, number=1.0))


def substituted(e: Expression, names: Mapping[str, Tree], view: Trees) -> Tree:
    """The tree of an expression."""
    if e.kind in (NAME, KNOWN):
        return names[e.text]
    if e.kind == NUMBER:
        return Tree(NUMBER, number=e.number)
    inner = tuple([substituted(each, names, view) for each in e.arguments])
    if e.kind == NEGATED:
        return view.negate(inner[0])
    assert e.kind != COMPUTED, "a pattern computes nothing"
    return Tree(e.kind, inner)


def truths_of(e: Expression) -> set[str]:
    """The names in a pattern that stand for truths."""
    found: set[str] = set()
    for n, each in enumerate(e.arguments):
        if each.kind == NAME and "xy"[n : n + 1] and "xy"[n] in TRUTHS_OF.get(e.kind, ""):
            found.add(each.text)
        found |= truths_of(each)
    return found


def random_tree(rng: random.Random, name: str, depth: int) -> Tree:
    """A value that facts and bounds may be known of."""
    kind = rng.randrange(9) if depth else 0
    inner = [random_tree(rng, f"{name}{n}", depth - 1) for n in range(2)] if kind else []
    number = Tree(NUMBER, number=rng.choice(NUMBERS))
    match kind:
        case 0:
            return Tree("leaf", name=name)
        case 1:
            return Tree("lt", (inner[0], inner[1]))
        case 2 | 3:
            op = rng.choice(("min", "max"))
            return Tree(op, rng.choice(((inner[0], number), (number, inner[0]), (inner[0], inner[1]))))
        case 4:
            return Tree("select", (Tree("lt", (inner[0], inner[1])), inner[0], number))
        case 5:
            return Tree("mul", rng.choice(((inner[0], inner[0]), (inner[0], inner[1]))))
        case 6:
            return Tree("add", (inner[0], inner[1]))
        case 7:
            return Tree("exp2" if rng.random() < 0.2 else "floor", (inner[0],))
        case _:
            return Tree("select", (Tree("le", (inner[0], number)), inner[0], inner[1]))


@dataclass(frozen=True)
class Case:
    """Both sides of a row with values for its names, where it fits."""

    before: Tree
    after: Tree


@cache
def cases_of(rule: Rule, laws: frozenset[str], count: int, depth: int = 2, most: int = 2000) -> list[Case]:
    """So many different cases of a row under laws; fewer where it fits too rarely. `depth`: of what a condition asks of."""
    rng, view = random.Random(rule.name), Trees(laws)
    matcher = Matcher(lambda root: [rule] if rule.pattern.kind == root else [])
    truths = truths_of(rule.pattern)
    asked = {name for test in rule.where for operand in test.operands for name in names_of(operand)}
    arithmetic, true = [
        {name for test in rule.where if test.what == what for name in names_of(test.operands[0])}
        for what in ("arithmetic", "truth")
    ]
    found: dict[Case, None] = {}
    for n in range(most):
        names: dict[str, Tree] = {}
        for name in names_of(rule.pattern):
            if name[0].isupper():
                names[name] = Tree(NUMBER, number=rng.choice(NUMBERS))
            elif name in truths:
                names[name] = Tree("truth", name=name)
            elif name in arithmetic and n == 0:
                names[name] = Tree("mul", (Tree("leaf", name=name), Tree(NUMBER, number=1.0)))
            elif name in true and n == 0:
                names[name] = Tree("truth", name=name)
            elif name in asked:
                names[name] = Tree("truth", name=name) if n % 4 == 3 else random_tree(rng, name, depth)
            else:
                names[name] = Tree("leaf", name=name)
        single = all(each.op in ("leaf", "truth") for each in names.values()) and not asked
        before = substituted(rule.pattern, names, view)
        match = matcher.found(view, before.op, before.operands, eager=True)
        if match is not None:
            found[Case(before, match.value(view))] = None
        if len(found) == count or single:
            break
    return list(found)


def leaves_of(tree: Tree) -> dict[str, bool]:
    """The names of leaves, with whether each is a truth."""
    if tree.op in ("leaf", "truth"):
        return {tree.name: tree.op == "truth"}
    found: dict[str, bool] = {}
    for each in tree.operands:
        found |= leaves_of(each)
    return found


# Numbers of targets


class Pica:
    """The numbers of a profile, as `compile.vector.interpret` takes them."""

    def __init__(self, profile: Profile) -> None:
        self._rule: Float24 | Float32 = number_rule(profile)
        self.wide = isinstance(self._rule, Float32)
        self.edges = EDGES_FLOAT32 if self.wide else EDGES
        self.bits = 32 if self.wide else 24

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rule, name)

    def known(self, value: float) -> int:
        word = float24_from_float(value)
        return self._rule.from_float24(word)

    def canonical(self, word: int) -> int:
        return self._rule.canonical(word)

    def plain(self, word: int) -> int:
        """A word with one NaN."""
        form = self._rule.format
        magnitude = word & (1 << form.exponent_bits + form.mantissa_bits) - 1
        return -1 if magnitude > (1 << form.exponent_bits) - 1 << form.mantissa_bits else word

    def trunc(self, a: int) -> int:
        rule = self._rule
        return rule.negate(rule.floor(rule.negate(a))) if rule.compare(LT, a, self.known(0.0)) else rule.floor(a)


class Device32(DeviceNumbers):
    """The numbers of a ShaderCore, NaN as one."""

    edges, bits = EDGES_FLOAT32, 32

    def __init__(self, device: Device) -> None:
        super().__init__(device)

    def canonical(self, word: int) -> int:
        return word

    def plain(self, word: int) -> int:
        return -1 if word & 0x7FFFFFFF > 0x7F800000 else word

    def flush(self, a: int) -> int:
        return self.mul(a, self.known(1.0))


def laws_of(profile: Profile) -> frozenset[str]:
    """The laws of `rules.row.LAWS` that a profile keeps."""
    found = {"second"}
    if profile.max_zero_neg_inf == "zero":
        found.add("finite maximum")
    if profile.negative_zero == "unseen":
        found.add("unsigned zero")
    if profile.subnormal_arithmetic == "keep":
        found.add("subnormals kept")
    if profile.subnormal_arithmetic == "flush" or profile.rounding == "zero":
        found.add("scaled once")
    if profile.mad_rounding == "twice":
        found.add("two roundings")
    return frozenset(found)


def value_of(tree: Tree, numbers: Any, given: Mapping[str, int]) -> int:
    """The value of a tree on the numbers of a target."""
    if tree.op in ("leaf", "truth"):
        return given[tree.name]
    if tree.op == NUMBER:
        return numbers.known(tree.number)
    if tree.op == NEGATED:
        return numbers.negate(value_of(tree.operands[0], numbers, given))
    values = [value_of(each, numbers, given) for each in tree.operands]
    if tree.op == "flush":
        return numbers.flush(values[0])
    if tree.op == "dot":
        return numbers.dot([values[0]] * 3, [values[1]] * 3)
    return evaluated(numbers, _CODE.get(tree.op, tree.op), [[value] for value in values])


def differs(case: Case, numbers: Any, given: Mapping[str, int]) -> bool:
    return numbers.plain(value_of(case.before, numbers, given)) != numbers.plain(value_of(case.after, numbers, given))


def given_words(case: Case, numbers: Any, rng: random.Random) -> dict[str, int]:
    """Words for the leaves of both sides: edges, near numbers of the case, and any others."""
    found: dict[str, int] = {}
    zero, one = numbers.known(0.0), numbers.known(1.0)
    for name, truth in (leaves_of(case.before) | leaves_of(case.after)).items():
        if truth:
            found[name] = rng.choice((zero, one))
            continue
        kind = rng.randrange(5)
        if kind == 0 and found:
            word = rng.choice([*found.values()])
        elif kind <= 2:
            word = numbers.canonical(rng.choice(numbers.edges))
        elif kind == 3:
            word = numbers.known(rng.choice(NUMBERS))
        else:
            word = numbers.canonical(rng.getrandbits(numbers.bits))
        found[name] = numbers.negate(word) if kind == 0 and rng.random() < 0.5 else word
    return found


def refuted(case: Case, numbers: Any, tries: int, rng: random.Random) -> dict[str, int] | None:
    """Words for which the sides of a case differ; None where none of so many does."""
    for _ in range(tries):
        given = given_words(case, numbers, rng)
        if differs(case, numbers, given):
            return given
    return None


# The prover

CHOOSING = frozenset(("leaf", "truth", NUMBER, NEGATED, "lt", "le", "min", "max", "select"))


def operations_of(tree: Tree) -> frozenset[str]:
    return frozenset((tree.op, *[op for each in tree.operands for op in operations_of(each)]))


def is_provable(rule: Rule, case: Case) -> bool:
    """Whether the prover is asked about a case: of few numbers and no -0, whose operations are known to it."""
    return (
        len(leaves_of(case.before)) <= 3
        and operations_of(case.before) <= _provable(rule)
        and not _has_negative_zero(case.before)
    )


def _has_negative_zero(tree: Tree) -> bool:
    return (tree.op == NUMBER and f"{tree.number}" == "-0.0") or any(map(_has_negative_zero, tree.operands))


def _provable(rule: Rule) -> frozenset[str]:
    """Operations of cases that the prover is asked about: what chooses, and what a row is about."""

    def of(e: Expression) -> set[str]:
        return {e.kind, *[op for each in e.arguments for op in of(each)]}

    return CHOOSING | of(rule.pattern)


class _Terms:
    """Trees as terms of the prover."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._leaves: dict[str, int] = {}

    def leaf(self, name: str) -> int:
        return self._leaves.setdefault(name, self.terms.inputs[len(self._leaves) // 4][len(self._leaves) % 4])

    def truth(self, tree: Tree) -> int:
        """A tree that is 1 or 0, as a condition."""
        if tree.op == "truth":
            return self.terms.node("component", 3, len(self._leaves), tree.name)
        if tree.op == "invert":
            return self.terms.invert(self.truth(tree.operands[0]))
        if tree.op in ("both", "either"):
            one, other = [self.truth(each) for each in tree.operands]
            return self.terms.both(one, other) if tree.op == "both" else self.terms.either(one, other)
        if tree.op in ("lt", "le"):
            return self.terms.compare(LT if tree.op == "lt" else LE, *[self.term(each) for each in tree.operands])
        return self.terms.compare(EQ, self.term(tree), self.terms.constant(1.0))

    def term(self, tree: Tree) -> int:
        m = self.terms
        if tree.op == "leaf":
            return self.leaf(tree.name)
        if tree.op == NUMBER:
            return m.word(float24_from_float(tree.number))
        if tree.op == NEGATED:
            return m.negate(self.term(tree.operands[0]))
        if tree.op in ("truth", "lt", "le", "both", "either", "invert"):
            return m.select(self.truth(tree), m.constant(1.0), m.constant(0.0))
        if tree.op == "select":
            condition, yes, no = tree.operands
            return m.select(self.truth(condition), self.term(yes), self.term(no))
        return m.operate(m, tree.op, [self.term(each) for each in tree.operands])


def shown(case: Case, profile: Profile, without: str) -> bool:
    """Whether the prover shows that both sides of a case are equal, without a row."""
    terms = _Terms(Terms(Asked(profile), without=frozenset((without,))))
    return terms.terms.equal(terms.term(case.before), terms.term(case.after), {})


def of_belief(belief: Belief) -> tuple[Case, dict[str, float | str]]:
    names = {name: Tree("leaf", name=name) for name in names_of(belief.pattern)}
    view = Trees(frozenset())
    return Case(substituted(belief.pattern, names, view), substituted(belief.replacement, names, view)), dict(belief.values)
