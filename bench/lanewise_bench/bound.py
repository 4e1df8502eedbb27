"""Bound of a kernel's loop: cycles that no vector of it can take less than, from its machine code and the data of its core.

It is the largest of these:

- **ports**: for every set of pipes, the cycles that only these can take, over their number. Which of them takes what is left
  open, so it is the best choice.
- **issue**: operations over those that are renamed in a cycle; a comparison and its branch are one.
- **chain**: the time of a core that has pipes for everything. An operation waits for its operands, and for room: the one a
  window before it has retired. The window is that of the reorder buffer, and of vector registers.
- **memory**: bytes that come from the second cache, if a run has more than the first holds.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from lanewise_bench.processors import UNPIPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise_bench.machine import Instruction
    from lanewise_bench.processors import Core, Uses

PORTS, ISSUE, CHAIN, MEMORY = "ports", "issue", "chain", "memory"
_CHAINED = 12  # vectors of which chains are looked at


class Bound(NamedTuple):
    """The cycles of a vector by reason, and what they were found from."""

    cycles: Mapping[str, float]
    "By `PORTS`, `ISSUE`, `CHAIN` and `MEMORY`."
    pipes: str
    "The set of pipes that is busy longest."
    instructions: float
    "Those of a vector, as they run."
    spills: float
    "Those of them that have a vector on the stack."

    @property
    def reason(self) -> str:
        return max(self.cycles, key=lambda reason: self.cycles[reason])

    @property
    def most(self) -> float:
        return max(self.cycles.values())


class Limit(NamedTuple):
    """A bound in time."""

    bound: Bound
    width: int
    "Vertices of a vector."
    cycle_ns: float
    "The time of a cycle, as measured."
    core: str
    "The core whose table it is of."
    known: bool
    "Whether the processor is of that core; otherwise it is the nearest one by its instructions."

    @property
    def ns(self) -> float:
        """For a vertex."""
        return self.bound.most * self.cycle_ns / self.width

    def to_json(self) -> dict[str, str | bool | float | dict[str, float]]:
        return {
            "reason": self.bound.reason,
            "core": self.core,
            "known": self.known,
            "cycle_ns": self.cycle_ns,
            "cycles_per_vector": {**self.bound.cycles},
            "pipes": self.bound.pipes,
            "instructions": self.bound.instructions,
            "spills": self.bound.spills,
        }


def bound(vectors: Sequence[Sequence[Instruction]], core: Core, moved: int = 0) -> Bound:
    """The bound of a loop, from the instructions of some of its vectors as they run; `moved` bytes of a vector come from the
    second cache."""
    total: defaultdict[str, float] = defaultdict(float)
    issued = 0
    for vector in vectors:
        for one in vector:
            for uses in uses_of(one, core):
                for name, cycles in uses.pipes.items():
                    total[name] += cycles
        issued += sum(1 for _ in operations(vector))
    count = len(vectors)
    pipes, busiest = busy(total)
    return Bound(
        {
            PORTS: busiest / count,
            ISSUE: issued / count / core.issue,
            CHAIN: chain(vectors[:_CHAINED], core),
            MEMORY: moved / core.fill,
        },
        pipes,
        sum(map(len, vectors)) / count,
        sum(one.spills for vector in vectors for one in vector) / count,
    )


def uses_of(one: Instruction, core: Core) -> list[Uses]:
    """What an instruction uses: its own kind, and memory."""
    kinds = [one.kind] if one.kind != "none" and one.kind not in UNPIPED else []
    vector = "vector " if one.width else ""
    kinds += [f"{vector}load"] * (one.loads and one.kind != "gather") + [f"{vector}store"] * one.stores
    return [(core.wide if one.width == 512 and kind in core.wide else core.uses)[kind] for kind in kinds]


def operations(code: Sequence[Instruction]) -> Iterable[Instruction]:
    """Those that take a place: a comparison and the branch after it have one."""
    for one, after in zip(code, [*code[1:], None], strict=True):
        if after is not None and after.text.startswith("j") and one.text.startswith(("cmp", "test")):
            continue
        yield one


def busy(cycles: Mapping[str, float]) -> tuple[str, float]:
    """The set of pipes that is busy longest, and for how many cycles each of it at least."""
    sets = list(cycles)
    unions = {frozenset(one) for one in sets}
    for size in (2, 3, 4):
        unions |= {frozenset("".join(some)) for some in combinations(sets, size)}
    best = max(unions, key=lambda union: _share(union, cycles), default=frozenset(""))
    return "".join(sorted(best)), _share(best, cycles)


def _share(union: frozenset[str], cycles: Mapping[str, float]) -> float:
    return sum(spent for pipes, spent in cycles.items() if union.issuperset(pipes)) / len(union) if union else 0.0


def chain(vectors: Sequence[Sequence[Instruction]], core: Core) -> float:
    """Cycles of a vector, at least, by latency and windows: those of a core that has pipes for everything.

    The first half of the vectors fills the windows.
    """
    ends: dict[str, float] = {}  # by register and place on the stack: when it has its value
    retired: list[float] = []
    results: list[float] = []  # of these, those with a vector register
    entered = done = 0.0
    marks: list[float] = []
    for vector in vectors:
        marks.append(done)
        for one in operations(vector):
            named = _takes_register(one)
            if len(retired) >= core.window:
                entered = max(entered, retired[-core.window])
            if named and len(results) >= core.registers:
                entered = max(entered, results[-core.registers])
            end = max([entered, *(ends[name] for name in one.reads if name in ends)]) + _latency(one, core)
            for name in one.writes:
                ends[name] = end
            done = max(done, end)
            retired.append(done)
            if named:
                results.append(done)
    marks.append(done)
    first = len(vectors) // 2
    return (marks[-1] - marks[first]) / max(len(vectors) - first, 1)


def _takes_register(one: Instruction) -> bool:
    return bool(one.width) and one.kind not in UNPIPED and any(name.startswith("v") for name in one.writes)


def _latency(one: Instruction, core: Core) -> float:
    """From the last operand to the result: of a load only where nothing else is done with it, as the address is early."""
    if one.kind in UNPIPED:
        return 0.0
    if one.kind == "none":
        return float(max((uses.latency for uses in uses_of(one, core)), default=0))
    return float((core.wide if one.width == 512 and one.kind in core.wide else core.uses)[one.kind].latency)
