"""A sweep: what compiled code gives for a function of one number, for all 2**24 float24 words, against the number rule.

python -m lanewise.distributed.functions rcp --rounding nearest --workers 4 --record rcp.record
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.engines import LLVM
from lanewise.distributed.campaign import CampaignError, Outcome
from lanewise.distributed.fuzzing import as_fuzzing
from lanewise.distributed.sweeping import sweep
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.distributed.campaign import Json, Totals
    from lanewise.pica200.api.shader import Shader

FUNCTIONS = {
    "rcp": "rcp",
    "rsq": "rsq",
    "ex2": "exp2",
    "lg2": "log2",
    "flr": "floor",
}  # mnemonics, and the operations that they are
WORK = "lanewise.distributed.functions:compare"
WORDS = 1 << 24
PIECE = 1 << 15
_MOST = 4  # differences that a piece lists
_shaders: dict[str, Shader] = {}


def compare(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Words from `first` on: compiled code against the number rule. `options`: `function`, and `profile`, the changes to
    `hardware`."""
    words = np.arange(first, first + count, dtype=np.uint32)
    profile = HARDWARE.replace(**options["profile"])
    rule = number_rule(profile)
    operation, canonical = getattr(rule, FUNCTIONS[options["function"]]), rule.canonical
    wanted = np.fromiter((operation(canonical(word)) for word in words.tolist()), np.uint32, count)
    with as_fuzzing():
        result = _shader(options["function"]).run({"v0": Words(words[:, None])}, profile=profile, engine=LLVM)
    found = result.bits["position"][:, 0].astype(np.uint32)
    (wrong,) = np.nonzero(found != wanted)
    listed: list[dict[str, Json]] = [
        {"word": f"0x{first + place:06X}", "reference": f"0x{wanted[place]:06X}", "compiled": f"0x{found[place]:06X}"}
        for place in wrong[:_MOST].tolist()
    ]
    return Outcome({"words": count, "differences": len(wrong)}, digest(words, wanted), {}, listed)


def _shader(name: str) -> Shader:
    """The program of a function, compiled once a process."""
    found = _shaders.get(name)
    if found is None:
        from lanewise.api.loading import assemble

        text = f".out position position\n.proc main\n    {name} position, v0.xxxx\n    end\n.end\n"
        found = _shaders[name] = assemble(text).vertex
    return found


def digest(words: NDArray[np.uint32], results: NDArray[np.uint32]) -> int:
    """A sum of hashes of pairs, which does not depend on how the words are cut (splitmix64's finalizer)."""
    mixed = words.astype(np.uint64) << np.uint64(32) | results
    mixed += np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return int((mixed >> np.uint64(32)).sum()) * (1 << 64) + int((mixed & np.uint64(0xFFFFFFFF)).sum())


def unary(function: str, profile: Mapping[str, str] | None = None, *, words: int = WORDS, **where: Any) -> Totals:
    """Compare a function (rcp, rsq, ex2, lg2, flr) on all words, under `hardware` with changes. `where` is as in `sweep`.
    Raises ValueError."""
    if function not in FUNCTIONS:
        raise ValueError(f"unknown function '{function}': use {', '.join(FUNCTIONS)}")
    HARDWARE.replace(**dict(profile or {}))  # an unknown field is an error here
    return sweep(WORK, words, {"function": function, "profile": dict(profile or {})}, size=PIECE, unit="words", **where)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m lanewise.distributed.functions", description="Compare a function on all 2**24 words."
    )
    parser.add_argument("function", choices=FUNCTIONS)
    parser.add_argument("--rounding", choices=("zero", "nearest"), default="zero", help="of the profile (default: %(default)s)")
    parser.add_argument("--words", type=int, default=WORDS, metavar="N", help="only the first N words")
    parser.add_argument("--workers", type=int, metavar="N", help="processes of this machine (default: this one)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="the workers of a Dask scheduler")
    parser.add_argument("--record", metavar="FILE", help="which pieces are done")
    parser.add_argument("--resume", action="store_true", help="go on with the record")
    options = parser.parse_args(argv)
    where = {name: getattr(options, name) for name in ("workers", "scheduler", "record", "resume")}
    try:
        totals = unary(options.function, {"rounding": options.rounding}, words=options.words, **where)
    except (CampaignError, ValueError) as error:
        parser.error(str(error))
    print(
        f"{options.function}, rounding {options.rounding}: {totals.counts.get('words', 0)} words in {totals.pieces} of "
        f"{totals.of} pieces, {totals.counts.get('differences', 0)} differ, {totals.rate:.0f} a second, digest {totals.digest}"
    )
    for finding in totals.findings:
        print(f"  word {finding['word']}: {finding['reference']} by the number rule, {finding['compiled']} compiled")
    for failed in totals.failed:
        print(f"  words {failed.piece.range} failed: {'; '.join(failed.reasons)}")
    return 0 if totals.complete and not totals.counts.get("differences") else 1


if __name__ == "__main__":
    sys.exit(main())
