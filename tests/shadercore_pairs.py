"""Pairs of ShaderCore programs that are equal by how they are made: the share that `lanewise diff` calls equal.

    python -m shadercore_pairs --pairs 2000 --seed 1 --first 0

Random programs on the two devices without registers that are kept, and each written otherwise: sources of a product or of bits
in the other order, r# with other numbers, neighbours exchanged (`document`, whose results do not depend on time). A pair that
the search tells apart is printed, and exit code 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING

from engines.waves import case
from lanewise.core.comparison import DIFFERS, EQUAL
from lanewise.shadercore.api.equality import compare
from lanewise.shadercore.isa.codec import encode, register, written
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import DEST_FILES, END, R

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.comparison import Comparison
    from lanewise.shadercore.isa.codec import Inst

    Rewriting = Callable[[random.Random, Sequence[Inst]], list[Inst] | None]

DEVICES = (DOCUMENT.set("between_waves=zero"), RTL.set("between_waves=zero"))
_COMMUTING = ("mul", "and", "or")


def exchanged(rng: random.Random, insts: Sequence[Inst]) -> list[Inst] | None:
    """Sources of a product or of bits in the other order; of two constants the first decides which is read."""
    found = [
        n for n, inst in enumerate(insts) if inst.op.name in _COMMUTING and None not in (register(inst.a), register(inst.b))
    ]
    changed = [*insts]
    for n in rng.sample(found, 1) if found else []:
        changed[n] = changed[n]._replace(a=changed[n].b, b=changed[n].a)
    return changed if found else None


def renamed(rng: random.Random, insts: Sequence[Inst]) -> list[Inst]:
    """Two r# with each other's numbers."""
    one, other = rng.sample(range(8), 2)
    names = {one: other, other: one}
    file = DEST_FILES.index("r")
    changed: list[Inst] = []
    for inst in insts:
        a, b = (
            source._replace(number=names.get(source.number & 7, source.number)) if source.file == R else source
            for source in (inst.a, inst.b)
        )
        dest = inst.dest
        changed.append(
            inst._replace(
                a=a, b=b, dest=dest._replace(number=names.get(dest.number, dest.number)) if dest.file == file else dest
            )
        )
    return changed


def reordered(rng: random.Random, insts: Sequence[Inst]) -> list[Inst] | None:
    """Two neighbours of which neither writes what the other reads or writes."""
    found = [n for n in range(len(insts) - 1) if END not in (insts[n].op, insts[n + 1].op) and _apart(insts[n], insts[n + 1])]
    changed = [*insts]
    for n in rng.sample(found, 1) if found else []:
        changed[n : n + 2] = reversed(changed[n : n + 2])
    return changed if found else None


def _apart(one: Inst, other: Inst) -> bool:
    return all(
        written(a.dest) not in (written(b.dest), register(b.a), register(b.b), None) for a, b in ((one, other), (other, one))
    )


REWRITTEN: tuple[Rewriting, ...] = (exchanged, renamed, reordered)


def campaign(seed: int, numbers: Sequence[int]) -> Iterator[tuple[int, str, Comparison]]:
    """Number, kind and answer of each pair."""
    for number in numbers:
        rng = random.Random(f"shadercore_pairs {seed} {number}")
        insts = case(seed, number).insts
        rewriting = rng.choice(REWRITTEN)
        device = DEVICES[0] if rewriting is reordered else rng.choice(DEVICES)
        changed = rewriting(rng, insts)
        if changed is not None:
            one, other = (Program(words=tuple(map(encode, each))) for each in (insts, changed))
            yield number, rewriting.__name__, compare(one, other, device, seed=number, waves=4)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for number, kind, found in campaign(options.seed, range(options.first, options.first + options.pairs)):
        counts[kind, found.verdict] += 1
        if found.verdict == DIFFERS:
            print(f"DIFFERS: --seed {options.seed} --first {number} --pairs 1: {kind}: {found.reason or found.example}")
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind:14}" + "  ".join(f"{verdict} {count}" for (of, verdict), count in sorted(counts.items()) if of == kind))
    equal = sum(count for (_, verdict), count in counts.items() if verdict == EQUAL)
    print(f"{sum(counts.values())} pairs, {equal} equal")
    return int(any(verdict == DIFFERS for _, verdict in counts))


if __name__ == "__main__":
    sys.exit(main())
