"""Campaign against wrong answers of `lanewise diff`: programs and mutants of them, and each pair that is called equal run on
many vertices.

    python -m equality --pairs 100000 --corpus FOLDER

Mutants are of random programs and, with --corpus, of the sources and binaries in a folder. A pair called equal runs under a
profile for which that was said: on 10,000 random and boundary vertices by the compiled engine and on 64 by the reference
engine, geometry shaders on 64 runs by the reference engine. Prints the answers by kind of mutation, and each wrong one with the
number by which it can be made again.

With `--rewritten` the pairs are equal by how they are made, under `hardware` with registers that begin as zeros: of these the
share that is called equal is printed by kind. With `--done FILE` a campaign that was stopped goes on, and several processes
share one: `--part 0/2` and `--part 1/2`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.engine.witness import Found, Pair, Side
from lanewise.pica200.engine.witness_data import Data, data
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.program import Interface
from lanewise.pica200.isa.table import BY_NAME, FLOAT
from lanewise.pica200.proof.code import Code, code_of_words, opcodes_of
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.proof.structure import Assumptions, Prover
from lanewise.pica200.sem.profile import profiles
from mutants import mutant, rewritten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from lanewise.pica200.sem.profile import Profile
    from mutants import Mutant

VERTICES, ON_REFERENCE = 10_000, 64
_LOOKS = 3  # sets of data, each with a profile, that the mutants of a program share
MUTANTS = 25  # of a program
BUDGET = 300  # steps of a vertex


def random_base(seed: int, number: int) -> Code:
    """A random program; each third is a geometry shader."""
    one = case(seed, number)
    rng = random.Random(f"{seed} {number} constants")
    interface = Interface(name="", geometry=number % 3 == 2)
    code = code_of_words(one.words, one.descriptors, interface)
    if code.geometry:
        words = list(code.words)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(words))
            words[at] = (
                BY_NAME["emit"].match[1] if rng.random() < 0.6 else BY_NAME["setemit"].match[1] | rng.randrange(16) << 22
            )
        code = code._replace(words=tuple(words))
    constants = {FLOAT + n: one.floats[n] for n in rng.sample((0, 1, 2, 3, 50, 95), 2)} | {0x80: one.integers[0]}
    words24 = {n: tuple([word & 0xFFFFFF for word in values]) if n < 0x80 else values for n, values in constants.items()}
    return code._replace(constants=words24)


def corpus_bases(folder: Path) -> Iterator[tuple[str, Code]]:
    """The shaders of a folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".pica", ".vsh", ".gsh", ".shbin") or not path.is_file():
            continue
        try:
            file = lw.load(path)
        except (InputError, OSError, ValueError):
            continue
        for number, shader in enumerate(getattr(file, "programs", ())):
            yield f"{path}:{number}", code_of_words(shader.words, shader.descriptors, shader.interface)


class Answer(NamedTuple):
    """What was said of a pair; `wrong` describes a difference that an engine has shown of a pair called equal."""

    kind: str
    equal: bool
    wrong: str
    seconds: float


class Trials:
    """Runs of a program beside mutants of it that were called equal. What the program itself gives for each set of data is
    worked out once."""

    def __init__(
        self, rng: random.Random, code: Code, chosen: Sequence[Profile] | None, *, known: bool, on_reference: int
    ) -> None:
        self._rng, self._code, self._chosen, self.known, self._on_reference = rng, code, chosen, known, on_reference
        self._looks: list[tuple[Side, Data, Data]] = []

    def differ(self, changed: Code, *, compiled: float) -> Found | None:
        """A difference, on one of a few sets of data, each under a profile for which equality was said."""
        rng = self._rng
        opcodes = opcodes_of(self._code)
        number = rng.randrange(_LOOKS)
        if self._chosen is None and not opcodes_of(changed) <= opcodes:  # it asks for other profiles
            side, few, many = self._look(opcodes | opcodes_of(changed))
        else:
            if number >= len(self._looks):
                self._looks.append(self._look(opcodes))
                number = len(self._looks) - 1
            side, few, many = self._looks[number]
        pair = Pair(side, self._side(changed, side.profile))
        found = pair.replay(few)
        if found is None and not self._code.geometry and rng.random() < compiled:
            found = pair.on(many)
        return found

    def _side(self, code: Code, profile: Profile) -> Side:
        return Side(code, profile, constants=self.known, budget=BUDGET, quick=True)

    def _look(self, opcodes: frozenset[str]) -> tuple[Side, Data, Data]:
        rng, code = self._rng, self._code
        profile = rng.choice(self._chosen or profiles_asked(opcodes, geometry=code.geometry))
        overwritten = not self.known and rng.random() < 0.5
        seed = str(rng.random())
        few, many = (
            data(f"{seed} {count}", count, profile, overwritten=overwritten, started=rng.random() < 0.5)
            for count in (self._on_reference, VERTICES)
        )
        return self._side(code, profile), few, many


def judge(code: Code, changed: Mutant, prover: Prover, trials: Trials, *, compiled: float = 1.0) -> Answer:
    """Ask whether a pair is equal, and run it if so; a share `compiled` of the pairs by the compiled engine too."""
    start = time.process_time()
    same_constants = trials.known or code.constants == changed.code.constants
    equal = prover.compare(changed.code) is None and same_constants
    seconds = time.process_time() - start
    found = trials.differ(changed.code, compiled=compiled) if equal else None
    wrong = "" if found is None else f"{found.output}: {found.first} and {found.second} under {found.profile.describe()}"
    return Answer(changed.kind, equal, wrong, seconds)


def _profile(rng: random.Random) -> Profile:
    """A preset, half of the time with another answer to one question."""
    found = rng.choice([*profiles.values()])
    key = rng.choice([*CHOICES])
    return found.replace(**{key: rng.choice([*CHOICES[key].answers])}) if rng.random() < 0.5 else found


def pairs(
    seed: int,
    numbers: Sequence[int],
    bases: Sequence[tuple[str, Code]],
    mutants: int = MUTANTS,
    *,
    compiled: float = 1.0,
    on_reference: int = ON_REFERENCE,
) -> Iterator[tuple[int, str, Answer]]:
    """The answers for some numbers, each a program with so many mutants: half of them of random programs if there are
    others."""
    for number in numbers:
        rng = random.Random(f"equality {seed} {number}")
        name, code = (
            bases[rng.randrange(len(bases))]
            if bases and rng.random() < 0.5
            else (f"random {number}", random_base(seed, number))
        )
        if not code.words:  # a library without code has no mutants
            name, code = f"random {number}", random_base(seed, number)
        known = rng.random() < 0.5
        kind = rng.random()
        chosen = None if kind < 0.1 else tuple(profiles.values()) if kind < 0.2 else (_profile(rng),)
        prover = Prover(code, chosen, Assumptions(constants=known))
        trials = Trials(random.Random(rng.random()), code, chosen, known=known, on_reference=on_reference)
        for _ in range(mutants):
            yield number, name, judge(code, mutant(rng, code), prover, trials, compiled=compiled)


def true_pairs(
    seed: int,
    numbers: Sequence[int],
    bases: Sequence[tuple[str, Code]],
    mutants: int = MUTANTS,
    *,
    on_reference: int = ON_REFERENCE,
) -> Iterator[tuple[int, str, Answer]]:
    """The answers for pairs that are equal, so many of each program."""
    profile = profiles["hardware"].replace(initial_state="zero")
    for number in numbers:
        rng = random.Random(f"rewritten {seed} {number}")
        name, code = (
            bases[rng.randrange(len(bases))]
            if bases and rng.random() < 0.5
            else (f"random {number}", random_base(seed, number))
        )
        if not code.words:
            name, code = f"random {number}", random_base(seed, number)
        prover = Prover(code, (profile,), Assumptions(constants=True))
        trials = Trials(random.Random(rng.random()), code, (profile,), known=True, on_reference=on_reference)
        for _ in range(mutants):
            changed = rewritten(rng, code)
            if changed is not None:
                yield number, name, judge(code, changed, prover, trials, compiled=0.0)


class Piece(NamedTuple):
    """The answers for one number, as a line of the file of a campaign."""

    number: int
    name: str
    asked: Mapping[str, int]
    equal: Mapping[str, int]
    wrong: Sequence[str]
    seconds: float  # of proofs, in all
    slowest: float

    @classmethod
    def of(cls, number: int, answers: Sequence[tuple[int, str, Answer]]) -> Piece:
        found = [answer for _, _, answer in answers]
        return cls(
            number,
            answers[0][1],
            Counter(answer.kind for answer in found),
            Counter(answer.kind for answer in found if answer.equal),
            [f"{answer.kind}: {answer.wrong}" for answer in found if answer.wrong],
            sum(answer.seconds for answer in found),
            max(answer.seconds for answer in found),
        )


def pieces_of(path: Path | None) -> dict[int, Piece]:
    """The pieces of a campaign that are done."""
    if path is None or not path.exists():
        return {}
    pieces = [Piece(**json.loads(line)) for line in path.read_text().splitlines() if line.endswith("}")]
    return {piece.number: piece for piece in pieces}


def summary(pieces: Collection[Piece]) -> str:
    """The answers by kind of mutation."""
    asked: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for piece in pieces:
        asked.update(piece.asked)
        equal.update(piece.equal)
    wrong = sum(len(piece.wrong) for piece in pieces)
    total, seconds = sum(asked.values()), sum(piece.seconds for piece in pieces)
    slowest = max(pieces, key=lambda piece: piece.slowest, default=None)
    lines = [f"{total} pairs, {sum(equal.values())} equal, {wrong} wrong, {1e3 * seconds / max(total, 1):.1f} ms each"]
    lines.append("; ".join([f"{kind} {equal[kind]}/{asked[kind]}" for kind in sorted(asked)]))
    if slowest is not None:
        lines.append(f"the slowest took {slowest.slowest:.1f} s: number {slowest.number} ({slowest.name})")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first number")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--compiled", type=float, default=1.0, help="the share of equal pairs that the compiled engine runs")
    parser.add_argument(
        "--reference", type=int, default=ON_REFERENCE, help="how many vertices the reference engine runs of each"
    )
    parser.add_argument("--rewritten", action="store_true", help="pairs that are equal by how they are made")
    parser.add_argument("--done", type=Path, help="a file with a line for each number that is done: they are not done again")
    parser.add_argument("--part", default="0/1", help="which part of the numbers, 0/2 or 1/2 for two processes with one file")
    options = parser.parse_args()
    bases = [*corpus_bases(options.corpus)] if options.corpus else []
    print(f"{len(bases)} shaders of files", flush=True)
    part, parts = (int(number) for number in options.part.split("/"))
    numbers = range(options.first + part, options.first + options.pairs // MUTANTS, parts)
    done = pieces_of(options.done)
    for count, number in enumerate([number for number in numbers if number not in done], 1):
        answers = (
            [*true_pairs(options.seed, [number], bases)]
            if options.rewritten
            else [*pairs(options.seed, [number], bases, compiled=options.compiled, on_reference=options.reference)]
        )
        if not answers:  # a program that no rewriting fits
            continue
        piece = done[number] = Piece.of(number, answers)
        if options.done is not None:
            with options.done.open("a") as file:
                file.write(json.dumps(piece._asdict()) + "\n")
        for wrong in piece.wrong:
            print(f"WRONG number {number} ({piece.name}) {wrong}", flush=True)
        if count % 40 == 0:
            print(summary(done.values()), flush=True)
    done |= pieces_of(options.done)
    print(summary(done.values()))
    return 1 if any(piece.wrong for piece in done.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
