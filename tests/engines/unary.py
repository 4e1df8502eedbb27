"""Functions of one number over all 2**24 float24 words, by the reference engine's number rules, and digests of what they give.

    python -m engines.unary              compute all results again and compare their digests with those in unary_digests.json
    python -m engines.unary --write      write that file anew
    python -m engines.unary --processes 4

Run in the folder `tests`, or as `nox -s exhaustive`, this takes about six minutes of one core. test_unary.py compares what
kernels give.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from array import array
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lanewise.pica200.sem.profile import Profile

FUNCTIONS = {"rcp": "rcp", "rsq": "rsq", "ex2": "exp2", "lg2": "log2", "flr": "floor"}  # mnemonics, and the words that they are
ROUNDINGS = ("zero", "nearest")
COUNT = 1 << 24
BLOCK = 1 << 16  # words that differ in their mantissa only
EVERY = 64  # one word in so many is in the digests of the sample, and in the tests that are not exhaustive
SAMPLE = [
    place * EVERY + place % EVERY for place in range(COUNT // EVERY)
]  # of each exponent the first and the last mantissa too
SAMPLED = "sampled, "  # before the name of a rounding
DIGESTS = Path(__file__).parent / "unary_digests.json"


def profile(rounding: str) -> Profile:
    return HARDWARE.replace(rounding=rounding)


def function(name: str, rounding: str) -> Callable[[int], int]:
    """What an instruction gives of a word, on the reference engine."""
    rule = number_rule(profile(rounding))
    word = getattr(rule, FUNCTIONS[name])
    return lambda a: word(rule.canonical(a))


def results(name: str, rounding: str, block: int) -> bytes:
    """The results of a block of words, as uint32 in little endian."""
    of = function(name, rounding)
    found = array("I", map(of, range(block * BLOCK, (block + 1) * BLOCK)))
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def digest(blocks: Iterable[bytes]) -> str:
    """The digest of all results, in the order of the words."""
    found = blake2b(digest_size=16)
    for block in blocks:
        found.update(block)
    return found.hexdigest()


def recorded() -> dict[str, dict[str, str]]:
    """The digests in the tree, by rounding and mnemonic."""
    return json.loads(DIGESTS.read_text())


def _results(task: tuple[str, str, int]) -> bytes:
    return results(*task)


def _recomputed(processes: int) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {start + rounding: {} for start in ("", SAMPLED) for rounding in ROUNDINGS}
    blocks = COUNT // BLOCK
    with multiprocessing.Pool(processes) as pool:
        for rounding in ROUNDINGS:
            for name in FUNCTIONS:
                start = time.monotonic()
                tasks = [(name, rounding, block) for block in range(blocks)]
                words = b"".join(pool.imap(_results, tasks, 4))
                found[rounding][name] = digest([words])
                found[SAMPLED + rounding][name] = digest(words[4 * place : 4 * place + 4] for place in SAMPLE)
                print(f"{name}, rounding {rounding}: {found[rounding][name]} ({time.monotonic() - start:.0f} s)", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=None, help="how many to use (default: one for each core)")
    parser.add_argument("--write", action="store_true", help=f"write {DIGESTS.name} anew")
    options = parser.parse_args()
    found = _recomputed(options.processes or multiprocessing.cpu_count())
    if options.write:
        DIGESTS.write_text(json.dumps(found, indent=4) + "\n")
        return 0
    wrong = [
        f"{name}, rounding {rounding}"
        for rounding in found
        for name in FUNCTIONS
        if found[rounding][name] != recorded()[rounding][name]
    ]
    print("\n".join([f"differs from {DIGESTS.name}: {one}" for one in wrong]) or f"all equal {DIGESTS.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
