"""Rewrite rules on the compiled engine: `python -m rules_sweep [--rows TEXT] [--tries N] [--profile NAME] [--record FILE]`.

Both sides of a row are one program of the PICA200, whose outputs have to be the same words. Exhausted rows are run on all
patterns of the format, of float24 in seconds, of float32 (`--profile azahar`) in minutes; others on N words. A file that
records what is done lets a later run go on; its text is that of `lanewise.rules.runs`, which the docs page is made of.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import lanewise as lw
from lanewise.arrays.words import Words
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.sem.profile import profiles
from lanewise.rules.expression import NEGATED
from lanewise.rules.row import EXACT, EXHAUSTED, TRIED
from lanewise.rules.runs import Run, runs_of, runs_text, stated
from lanewise.rules.table import rules
from rewriting import cases_of, laws_of, leaves_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from lanewise.pica200.sem.profile import Profile
    from lanewise.rules.row import Rule
    from rewriting import Case, Tree

    Array = NDArray[np.uint32]

VERTICES = 1 << 18  # at a time; each has four numbers
_CASES = 12
_NAMES = {"add": "add", "mul": "mul", "mad": "mad", "min": "min", "max": "max", "floor": "flr", "both": "mul", "either": "max"}
_ONE_BY_ONE = {"rcp": "rcp", "rsq": "rsq", "exp2": "ex2", "log2": "lg2"}
_COMPARED = {"lt": "slt {d}, {0}, {1}", "le": "sge {d}, {1}, {0}", "ne": "slt {d}, {0}, {1}\nslt {e}, {1}, {0}"}


class Written:
    """The instructions of trees, in picasso's language. Every node has a register."""

    def __init__(self, leaves: Mapping[str, bool]) -> None:
        self.lines: list[str] = []
        self.numbers: dict[float, str] = {}
        self.places: dict[Tree, str] = {}
        self.leaves = {name: f"in{n}" for n, name in enumerate(leaves)}
        self.used = 0

    def register(self) -> str:
        if self.used == 16:
            raise OverflowError
        self.used += 1
        return f"r{self.used - 1}"

    def of(self, tree: Tree) -> str:
        if tree not in self.places:
            self.places[tree] = self.written(tree)
        return self.places[tree]

    def written(self, tree: Tree) -> str:
        if tree.op == NEGATED:
            inner = self.of(tree.operands[0])
            return inner[1:] if inner.startswith("-") else f"-{inner}"
        operands = [self.of(each) for each in tree.operands]
        found = self.register()
        match tree.op:
            case "leaf" | "truth":
                self.lines.append(f"mov {found}, {self.leaves[tree.name]}")
            case "number":
                self.lines.append(f"mov {found}, {self.number(tree.number)}")
            case "select":
                self.choose(found, *operands)
            case "eq" | "ne":
                self.equal(found, operands, tree.op)
            case "invert" | "trunc" | "flush":
                self.one(found, operands[0], tree.op)
            case "lt" | "le":
                self.lines.append(_COMPARED[tree.op].format(*operands, d=found))
            case op if op in _ONE_BY_ONE:
                self.lines += [f"{_ONE_BY_ONE[op]} {found}.{c}, {operands[0]}.{c * 4}" for c in "xyzw"]
            case "dot":
                raise OverflowError
            case op:
                self.lines.append(f"{_NAMES[op]} {found}, {', '.join(operands)}")
        return found

    def number(self, value: float) -> str:
        return self.numbers.setdefault(value, f"number{len(self.numbers)}")

    def choose(self, found: str, condition: str, yes: str, no: str) -> None:
        one = self.number(1.0)
        for c, mask in zip("xyzw", ("cmp.x", "cmp.y") * 2, strict=True):
            if c in "xz":
                pair = "xy" if c == "x" else "zw"
                self.lines.append(f"cmp {one}, eq, eq, {condition}.{pair}{pair}")
            self.lines += [f"ifc {mask}", f"mov {found}.{c}, {yes}", ".else", f"mov {found}.{c}, {no}", ".end"]

    def equal(self, found: str, operands: list[str], op: str) -> None:
        """By comparison, so that a NaN is what the profile says."""
        a, b = operands
        for pair, names in (("xy", ("cmp.x", "cmp.y")), ("zw", ("cmp.x", "cmp.y"))):
            self.lines.append(f"cmp {a}.{pair}{pair}, {op}, {op}, {b}.{pair}{pair}")
            for c, name in zip(pair, names, strict=True):
                one, zero = self.number(1.0), self.number(0.0)
                self.lines += [f"ifc {name}", f"mov {found}.{c}, {one}", ".else", f"mov {found}.{c}, {zero}", ".end"]

    def one(self, found: str, a: str, op: str) -> None:
        one = self.number(1.0)
        if op == "invert":
            self.lines.append(f"slt {found}, {a}, {one}")
        elif op == "flush":
            self.lines.append(f"mul {found}, {one}, {a}")
        else:
            zero, negative, turned = self.register(), self.register(), a[1:] if a.startswith("-") else f"-{a}"
            self.lines += [f"mov {zero}, {self.number(0.0)}", f"slt {negative}, {a}, {zero}"]
            floor, other = self.register(), self.register()
            self.lines += [f"flr {floor}, {a}", f"flr {other}, {turned}"]
            self.choose(found, negative, f"-{other}", floor)


def shader_of(case: Case) -> lw.Shader:
    """A program whose outputs are both sides. Raises OverflowError for a case that has none."""
    leaves = leaves_of(case.before) | leaves_of(case.after)
    written = Written(leaves)
    for name, side in (("before", case.before), ("after", case.after)):
        written.lines.append(f"mov {name}, {written.of(side)}")
    head = [f".in {name}" for name in written.leaves.values()]
    head += [f".constf {name}({value!r}, {value!r}, {value!r}, {value!r})" for value, name in written.numbers.items()]
    text = "\n".join([*head, ".out before position", ".out after color", ".proc main", *written.lines, "end", ".end"])
    return lw.assemble(text).vertex


def is_single(rule: Rule, laws: frozenset[str]) -> bool:
    """Whether a row is about one number, all of whose patterns are tried."""
    return rule.checked == EXHAUSTED and not any(leaves_of(cases_of(rule, laws, 1)[0].before).values())


def patterns(bits: int) -> Iterator[Array]:
    """All patterns of so many bits, four in a row."""
    step = 4 * VERTICES
    for at in range(0, 1 << bits, step):
        yield (np.arange(step, dtype=np.uint64) + np.uint64(at)).astype(np.uint32).reshape(-1, 4)


def some(rng: np.random.Generator, truth: bool, wide: bool) -> Array:
    """Random words, half of them edges; of a truth 1 and 0."""
    shape = VERTICES, 4
    if truth:
        one = 0x3F800000 if wide else 0x3F0000
        return np.where(rng.random(shape) < 0.5, np.uint32(one), np.uint32(0))
    edges = np.array(EDGES_FLOAT32 if wide else EDGES, np.uint32)
    words = rng.integers(0, 1 << (32 if wide else 24), shape, np.uint32)
    return np.where(rng.random(shape) < 0.5, edges[rng.integers(0, len(edges), shape)], words)


def unequal(case: Case, shader: lw.Shader, given: Mapping[str, Array], profile: Profile) -> str:
    """The first words for which the sides differ; empty for none."""
    names = [each.name for each in shader.inputs]
    wide = profile.precision == "float32"  # whose words are those of floats
    numbers = [words.view(np.float32) if wide else Words(words) for words in given.values()]
    inputs = dict(zip(names, numbers, strict=True))
    bits = shader.run(inputs, count=VERTICES, profile=profile, engine="llvm").bits
    before, after = [plain(bits[name], profile) for name in ("before", "after")]
    if np.array_equal(before, after):
        return ""
    vertex, lane = np.argwhere(before != after)[0]
    return ", ".join([f"{name} = {words[vertex, lane]:#x}" for name, words in given.items()])


def plain(words: Array, profile: Profile) -> Array:
    """Words with one NaN."""
    wide = profile.precision == "float32"
    magnitude, infinity = (0x7FFFFFFF, 0x7F800000) if wide else (0x7FFFFF, 0x7F0000)
    return np.where((words & np.uint32(magnitude)) > np.uint32(infinity), np.uint32(magnitude), words)


def swept(rule: Rule, profile: Profile, tries: int) -> tuple[int, str]:
    """How many numbers of a row were tried, and those for which it is wrong."""
    laws, wide = laws_of(profile), profile.precision == "float32"
    if is_single(rule, laws):
        case = cases_of(rule, laws, 1)[0]
        shader, (leaf,) = shader_of(case), leaves_of(case.before)
        for words in patterns(32 if wide else 24):
            if problem := unequal(case, shader, {leaf: words}, profile):
                return 0, problem
        return 1 << (32 if wide else 24), ""
    rng, done = np.random.default_rng(random.Random(rule.name).getrandbits(32)), 0
    cases: list[tuple[Case, lw.Shader]] = []
    for case in cases_of(rule, laws, _CASES):
        try:
            cases.append((case, shader_of(case)))
        except OverflowError:
            continue
    while cases and done < tries:
        for case, shader in cases:
            leaves = leaves_of(case.before) | leaves_of(case.after)
            given = {name: some(rng, truth, wide) for name, truth in leaves.items()}
            if problem := unequal(case, shader, given, profile):
                return done, f"{problem} in {case}"
            done += 4 * VERTICES
    return done, ""


def commit() -> str:
    """The commit that runs."""
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="", help="only rows whose names have this text")
    parser.add_argument("--single", action="store_true", help="only rows about one number, on all its patterns")
    parser.add_argument("--tries", type=int, default=10**8, help="numbers for each row that is not about one (default: 10^8)")
    parser.add_argument("--profile", default="hardware", help="a preset (default: hardware)")
    parser.add_argument("--record", default="", help="a file of what is done")
    options = parser.parse_args()
    profile, laws = profiles[options.profile], laws_of(profiles[options.profile])
    record = Path(options.record) if options.record else None
    done = runs_of(record.read_text("utf-8")) if record is not None and record.exists() else {}
    today, ran = f"{datetime.now(UTC):%Y-%m-%d}", commit() if record is not None else ""
    wrong = 0
    for rule in rules():
        asked = rule.kind == EXACT and rule.checked in (EXHAUSTED, TRIED) and options.rows in rule.name
        before = done.get(stated(rule), ())
        if not asked or options.profile in [run.profile for run in before] or not set(rule.laws) <= laws:
            continue
        if options.single and not is_single(rule, laws):
            continue
        start = time.process_time()
        count, problem = swept(rule, profile, options.tries)
        wrong += bool(problem)
        print(f"{rule.name}: {problem or f'{count} numbers, {time.process_time() - start:.1f} s'}", flush=True)
        if record is not None and not problem and count:
            done[stated(rule)] = (*before, Run(profile=options.profile, numbers=count, date=today, commit=ran))
            record.write_text(runs_text(done), "utf-8")
    print(f"{wrong} wrong")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
