"""Floors: how fast a program can run on this processor.

The floor of a program is the bound of its kernel's machine code (`bound`), where there is a table of the processor's pipes.

What of that code is needed is another question. The time of its *results* is what `needed` counts, each at its cheapest known
recipe (`recipe`), over the throughputs that `throughput` measures; that of *moving* its data is that of the faster kernel of
`copying`, on as many vertices. Conversions of inputs and outputs, transposes and checks are no results. Where there is no
table, the larger of these two times is the floor.

The *emitted* code has all operations of the kernel's LLVM IR (`emitted`) over the same throughputs, which are measured in small
loops: on a busy machine they are rough.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.llvm import functions
from lanewise.llvm.text import Text
from lanewise_bench.emitted import kinds_of
from lanewise_bench.needed import MERGE, WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.llvm.target import Target
    from lanewise.pica200.sem.profile import Profile
    from lanewise_bench.bound import Limit
    from lanewise_bench.needed import Needed
    from lanewise_bench.throughput import Limits, Throughput

# A case has reached what is possible within so many times its bound; where there is none, within so many times its results, or
# moving its data.
REACHED, REACHED_RESULTS, REACHED_MOVING = 1.3, 1.2, 1.15

ZERO, NEAREST, FLOAT32 = "zero", "nearest", "float32"  # by rounding of a profile
# Operations on vectors of 16, by kind. Float24 values are scaled by 2**-64 in float32 where subnormals are flushed, so one
# instruction and one mask give a result toward zero. To nearest, 129 times a float32 less the difference of that and the
# float32 is rounded to 17 bits; a product takes part in an fma, and a sum is first rounded to odd, in an instruction with a
# mask.
_ALWAYS: Mapping[str, Mapping[str, int]] = {
    "max": {"max": 1},
    "min": {"max": 1},
    "at_least": {"max": 1},
    "at_most": {"max": 1},
    "select": {"select": 1},
    "compare": {"compare": 1},
    "not_negative": {"compare": 1},
    "within": {"integer": 1, "compare": 1},
    "both": {"mask": 1},
    "either": {"mask": 1},
    "invert": {"mask": 1},
    "boolean": {},
    "gather": {"gather": 1},
    "fed": {"gather": 1},
    "to_integer": {"convert": 1},
    "integer_add": {"integer": 1},
    "integer_and": {"logic": 1},
    "integer_select": {"select": 1},
}
_BY_ROUNDING: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    ZERO: {
        "add": {"add": 1, "logic": 1},
        "mul": {"mul": 1, "logic": 1},
        "floor": {"round": 1},
        "rcp": {"div": 1, "logic": 1},
        # An estimate of 12 bits, its exact residual, and two terms of the series in it.
        "rsq": {"estimate": 1, "mul": 2, "fma": 3, "integer": 1, "logic": 2},
    },
    NEAREST: {
        "add": {"add": 4, "compare": 1, "mul": 1},
        "mul": {"mul": 2, "fma": 1, "add": 1},
        "floor": {"round": 1},
        "rcp": {"div": 1, "fma": 1, "logic": 3, "shift": 1, "integer": 1},
        "rsq": {"estimate": 1, "mul": 2, "fma": 3, "logic": 2, "integer": 2},
    },
    FLOAT32: {
        "add": {"add": 1},
        "mul": {"mul": 1},
        "floor": {"round": 1},
        "rcp": {"div": 1},
        "rsq": {"sqrt": 1, "div": 1},
    },
}
# Without rounding in single instructions a sum is rounded where 127 times its power of two has its last place.
_SUM_BY_SIZE: Mapping[str, float] = {"add": 2, "fma": 2, "logic": 1, "max": 2, "select": 2}
# Without an fma, most in float64.
_WITHOUT_FMA: Mapping[str, Mapping[str, float]] = {
    "add": {"add": 4, "logic": 1, "max": 2, "mul": 1, "select": 2},
    "mul": {"double convert": 3, "double mul": 1, "double shift": 1, "double logic": 2, "double integer": 2},
    "rcp": {"double convert": 2, "double div": 1, "double shift": 1, "double logic": 2, "double integer": 2},
    "rsq": {"double convert": 2, "double sqrt": 1, "double div": 1, "logic": 1},
}


def recipe(op: str, profile: Profile, target: Target) -> Mapping[str, float]:
    """The operations on vectors of 16 that one result takes, by kind."""
    if op == MERGE:
        # An instruction with a mask keeps what lanes had before.
        return {} if target.level == "avx512" else {"select": 1}
    if op in _ALWAYS:
        return _ALWAYS[op]
    if op in ("exp2", "log2"):
        return _of_function(op, target)
    if profile.rounding == NEAREST and not target.has_fma and op in _WITHOUT_FMA:
        return _WITHOUT_FMA[op]
    if profile.rounding == NEAREST and not target.embedded_rounding and op == "add":
        return _SUM_BY_SIZE
    if op == "rsq" and profile.rounding != FLOAT32 and not target.embedded_rounding:
        if not target.has_fma:
            return _WITHOUT_FMA[op]
        # A quotient; an exact residual decides its last place.
        last = {"logic": 2, "integer": 2} if profile.rounding == ZERO else {"logic": 4, "integer": 1}
        return {"sqrt": 1, "div": 1, "mul": 1, "fma": 3, "shift": 1, **last}
    return _BY_ROUNDING[profile.rounding][op]


@cache
def _of_function(op: str, target: Target) -> Mapping[str, float]:
    """A series in float64; no cheaper recipe is known that is exact."""
    text = Text(WIDTH, rounds=target.rounds)
    result = functions.exp2(text, "%a", 80.0) if op == "exp2" else functions.log2(text, "%a")
    text.narrow(result)
    return kinds_of(text.lines)


def operations(needed: Needed, profile: Profile, target: Target) -> dict[str, float]:
    """The operations on vectors of 16 that the results of a vector take, by kind."""
    total: defaultdict[str, float] = defaultdict(float)
    for op, count in needed.results.items():
        for kind, each in recipe(op, profile, target).items():
            total[kind] += each * count
    return {kind: count for kind, count in sorted(total.items()) if count}


def moving(needed: Needed, profile: Profile, target: Target) -> dict[str, float]:
    """The operations that bring packed rows of four into components and back, with conversions."""
    total: defaultdict[str, float] = defaultdict(float)
    float24 = profile.rounding != FLOAT32
    for components in needed.read.values():
        total["load"] += 4
        # Half a transpose for each pair of components, then one shuffle for each component.
        total["shuffle"] += len(components) + 2 * len({component // 2 for component in components})
        if float24:
            total["mul"] += len(components)
            total["logic"] += len(components)
    for _ in needed.written:
        total["store"] += 4
        total["shuffle"] += 8
        if float24:
            total["mul" if profile.negative_zero == "ieee" else "fma" if target.has_fma else "add"] += 4
        elif profile.negative_zero != "ieee":
            total["add"] += 4
    return dict(sorted(total.items()))


class Shares(NamedTuple):
    """A time in ns, in parts: results, moving and converting data, other operations of the kernel; the rest waits or moves
    registers."""

    results: float
    moving: float
    other: float
    waiting: float


class Floors(NamedTuple):
    """Times of a vertex in ns: of the results needed, of moving the data, of the code emitted.

    The operations of a vector of 16 are in `needed`, `moved` and `emitted`, by kind, and their costs in `limits`. `limit` is
    the bound of the machine code, if there is a table for it.
    """

    results: float
    moving: float
    emitting: float
    needed: Mapping[str, float]
    moved: Mapping[str, float]
    emitted: Mapping[str, float]
    limits: Limits
    limit: Limit | None = None

    @property
    def floor(self) -> float:
        """The bound of the kernel; where there is none, the larger of the times of results and of moving data."""
        return self.limit.ns if self.limit is not None else max(self.results, self.moving)

    @property
    def reason(self) -> str:
        """What the floor is the time of."""
        if self.limit is not None:
            return self.limit.bound.reason
        return "results" if self.results >= self.moving else "moving"

    @property
    def part(self) -> str:
        """The part of the processor, of `Limits`, that limits the emitted code."""
        return max(self.limits.by_part(self.emitted).items(), key=lambda pair: pair[1])[0]

    def shares(self, ns: float) -> Shares:
        """Where the time of a vertex goes, if it takes so many ns."""
        busy = [self.limits.by_part(found)[self.part] / WIDTH for found in (self.needed, self.moved)]
        return Shares(busy[0], busy[1], self.emitting - sum(busy), ns - self.emitting)

    def reached(self, ns: float) -> bool:
        if self.limit is not None:
            return ns <= REACHED * self.limit.ns
        return ns <= REACHED_RESULTS * self.results or ns <= REACHED_MOVING * self.moving


def floors(
    found: Needed,
    emitted: Mapping[str, float],
    moving_ns: float,
    profile: Profile,
    target: Target,
    measured: Throughput,
    limit: Limit | None = None,
) -> Floors:
    """The floors of a program whose kernel executes `emitted`; `moving_ns` is the time of moving a vertex."""
    results, moved = operations(found, profile, target), moving(found, profile, target)
    limits = measured.limits({*results, *moved, *emitted})
    return Floors(
        limits.of(results) / WIDTH, moving_ns, limits.of(emitted) / WIDTH, results, moved, dict(emitted), limits, limit
    )
