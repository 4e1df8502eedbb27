"""Exhausted rewrite rules on all patterns of float24: `python -m rules_sweep [--workers N] [--rows TEXT] [--record FILE]`.

Ten minutes of a core for a row; a file that records what is done lets a later run go on.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from lanewise.pica200.sem.profile import HARDWARE
from lanewise.rules.row import EXHAUSTED
from lanewise.rules.table import RULES
from rewriting import Pica, cases_of, differs, laws_of, leaves_of

PIECE = 1 << 18
PATTERNS = 1 << 24


def swept(name: str, first: int) -> tuple[str, int, str]:
    """The first pattern of a piece for which a row is wrong, in hexadecimal; empty for none."""
    (rule,) = [rule for rule in RULES if rule.name == name]
    numbers = Pica(HARDWARE)
    case, *_ = cases_of(rule, laws_of(HARDWARE), 1)
    (leaf,) = leaves_of(case.before)
    for word in range(first, first + PIECE):
        if differs(case, numbers, {leaf: numbers.canonical(word)}):
            return name, first, f"{word:#x}"
    return name, first, ""


def pieces(text: str) -> list[tuple[str, int]]:
    """The pieces of the rows whose names have a text. Truths have two values, which the quick tests try."""
    laws, found = laws_of(HARDWARE), [rule for rule in RULES if rule.checked == EXHAUSTED and text in rule.name]
    about = [rule for rule in found if set(rule.laws) <= laws]
    numbers = [rule for rule in about if not any(leaves_of(cases_of(rule, laws, 1)[0].before).values())]
    return [(rule.name, first) for rule in numbers for first in range(0, PATTERNS, PIECE)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", default="", help="only rows whose names have this text")
    parser.add_argument("--record", default="", help="a file of what is done")
    parser.add_argument("--most", type=int, default=0, help="end after so many pieces (default: all)")
    options = parser.parse_args()
    record = Path(options.record) if options.record else None
    done = set(record.read_text("utf-8").splitlines()) if record is not None and record.exists() else set[str]()
    left = [piece for piece in pieces(options.rows) if f"{piece[0]} {piece[1]:#x}" not in done]
    left = left[: options.most or len(left)]
    wrong: list[str] = []
    with ProcessPoolExecutor(options.workers) as pool:
        for name, first, word in pool.map(swept, [name for name, _ in left], [first for _, first in left]):
            if word:
                wrong.append(f"{name}: {word}")
                print(f"{name} is wrong for {word}", flush=True)
            elif record is not None:
                with record.open("a", encoding="utf-8") as file:
                    file.write(f"{name} {first:#x}\n")
    print(f"{len(left)} pieces of {PIECE} patterns, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
