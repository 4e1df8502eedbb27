"""Search for exact rewrite rules: `python -m rules_search [--operations N] [--names xy] [--seconds N]`.

Terms grow by one operation at a time from values, their negatives, 0, 1 and 2, out of terms that nothing shorter equals. What
a term gives for hard numbers is its fingerprint: zeros with signs, subnormal numbers and their neighbours, the greatest,
infinities, NaN. A term with the fingerprint of one before it is a proposal. Rows of the table that rewrite it account for
most; what is left is tried on many numbers under all presets and shown to the prover, and printed with what became of it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.rules.expression import COMMUTATIVE, NEGATED, NUMBER
from lanewise.rules.matching import Matcher
from lanewise.rules.row import EXACT, PROVED, TRIED
from lanewise.rules.table import rules
from rewriting import Case, Pica, Tree, Trees, laws_of, leaves_of, refuted, shown, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fingerprint = tuple[int, ...]

UNARY = ("floor", "rcp", "rsq", "exp2", "log2")
BINARY = ("add", "mul", "max", "min", "lt", "le")
NUMBERS = (0.0, 1.0, 2.0)
KNOWN, REFUTED = "known to the table", "refuted by other numbers"
_TRIES = 3000
_HARD = 72


class Found(NamedTuple):
    """A proposal: the longer term, the shorter one, and what became of it."""

    before: Tree
    after: Tree
    kind: str


def leaves(names: str) -> list[Tree]:
    values = [Tree("leaf", name=name) for name in names]
    return [*values, *[Tree(NEGATED, (each,)) for each in values], *[Tree(NUMBER, number=each) for each in NUMBERS]]


def hard(names: str, numbers: Pica) -> list[dict[str, int]]:
    """Numbers by the names of values: each edge beside others."""
    rng, edges = random.Random(1), [numbers.canonical(word) for word in numbers.edges]
    count = max(_HARD, len(edges)) if len(names) > 1 else len(edges)
    return [{name: edges[n % len(edges)] if name == names[0] else rng.choice(edges) for name in names} for n in range(count)]


class Search:
    """Terms by how many operations they have, and the shortest of each fingerprint."""

    def __init__(self, names: str) -> None:
        self.names, self.numbers = names, Pica(HARDWARE)
        self.view = Trees(laws_of(HARDWARE))
        self.rows = Matcher(lambda root: [rule for rule in rules() if rule.kind == EXACT and rule.pattern.kind == root])
        self.given = hard(names, self.numbers)
        self.shortest: dict[Fingerprint, Tree] = {}
        self.levels: list[list[tuple[Tree, Fingerprint]]] = [[]]
        for leaf in leaves(names):
            print_ = self.fingerprint(leaf)
            self.shortest.setdefault(print_, leaf)
            self.levels[0].append((leaf, print_))

    def fingerprint(self, tree: Tree) -> Fingerprint:
        return tuple([value_of(tree, self.numbers, given) for given in self.given])

    def result(self, op: str, operands: Sequence[Fingerprint]) -> Fingerprint:
        """The fingerprint of an operation, of those of its operands."""
        leaf = tuple([Tree("leaf", name=str(n)) for n in range(len(operands))])
        names = [str(n) for n in range(len(operands))]
        found = Tree(op, leaf)
        rows: Iterator[Mapping[str, int]] = (dict(zip(names, row, strict=True)) for row in zip(*operands, strict=True))
        return tuple([value_of(found, self.numbers, row) for row in rows])

    def grown(self) -> Iterator[tuple[Tree, Fingerprint]]:
        """Terms with one operation more than the last ones."""
        last = len(self.levels) - 1
        for op in UNARY:
            for term, own in self.levels[last]:
                yield Tree(op, (term,)), self.result(op, (own,))
        for low in range(last + 1):
            for first, one in self.levels[low]:
                for second, other in self.levels[last - low]:
                    for op in BINARY:
                        if op not in COMMUTATIVE or (low, first) <= (last - low, second):
                            yield Tree(op, (first, second)), self.result(op, (one, other))

    def level(self, end: float) -> Iterator[tuple[Tree, Tree]]:
        """Grow by one operation until a time. Yields terms with the shorter one that each is like."""
        new: list[tuple[Tree, Fingerprint]] = []
        for term, own in self.grown():
            if time.process_time() > end:
                break
            before = self.shortest.setdefault(own, term)
            if before is term:
                new.append((term, own))
            elif _size(before) < _size(term) and leaves_of(term):
                yield term, before
        self.levels.append(new)

    def judged(self, before: Tree, after: Tree) -> Found:
        """What becomes of a proposal."""
        if self.rows.found(self.view, before.op, before.operands, eager=True) is not None:
            return Found(before, after, KNOWN)
        case = Case(before, after)
        for profile in profiles.values():
            if refuted(case, Pica(profile), _TRIES // len(profiles), random.Random(str(case))) is not None:
                return Found(before, after, f"{REFUTED}, profile {profile.describe()[:20]}")
        return Found(before, after, PROVED if shown(case, HARDWARE, "") else TRIED)


def _size(tree: Tree) -> int:
    return (tree.op not in ("leaf", NUMBER, NEGATED)) + sum(map(_size, tree.operands))


def text(tree: Tree) -> str:
    if tree.op == "leaf":
        return tree.name
    if tree.op == NUMBER:
        return f"{tree.number:g}"
    if tree.op == NEGATED:
        return f"-{text(tree.operands[0])}"
    return f"{tree.op}({', '.join(map(text, tree.operands))})"


def searched(names: str, operations: int, seconds: float) -> Iterator[Found]:
    """Proposals of terms with so many operations at most."""
    search, end = Search(names), time.process_time() + seconds
    for _ in range(operations):
        for before, after in search.level(end):
            yield search.judged(before, after)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=3)
    parser.add_argument("--names", default="xy", help="names of values, a letter each (default: xy)")
    parser.add_argument("--seconds", type=float, default=600.0, help="processor time (default: 600)")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for found in searched(options.names, options.operations, options.seconds):
        counts[found.kind] += 1
        if found.kind in (PROVED, TRIED):
            print(f"{found.kind}: {text(found.before)} = {text(found.after)}", flush=True)
    print(", ".join([f"{count} {kind}" for kind, count in counts.most_common()]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
