"""Execution pipes of processors, as data: what an instruction needs of them, at least.

Every figure is one that a processor is not slower than, so that a bound of them is below any time: where sources differ, the
larger number of pipes and the smaller latency count. Sources:

- AMD, Software Optimization Guide for the AMD Family 19h Processors (publication 56665), 2.10 and 2.11, and its table of
  instructions; Agner Fog, Instruction tables; uops.info: Zen 3.
- Zen 3 was also measured, each instruction by itself and among four products, sums or shuffles (EPYC of family 25, model 1, 29
  November 2026): sums share pipes 2 and 3 with comparisons, maxima and roundings; shuffles and shifts pipes 1 and 2; broadcasts
  of memory need no pipe beyond the load. Four fused multiplications or selections take 2 cycles, and 3 beside one store of a
  vector or one move of bits to integer registers; four products do not. So a store takes the third operand of both pipes.
- Zen 4: AMD, Software Optimization Guide for the Zen4 Microarchitecture (publication 57647), 2.10 to 2.12, and measured in the
  same way (EPYC of family 25, model 17, 29 November 2026): vectors of 512 bits keep every pipe for two cycles, and stores V;
  sums, maxima, conversions and shifts share pipes 2 and 3; comparisons into masks, tests and fix-ups 0 and 1; permutations,
  halves and broadcasts of registers 1 and 2, shuffles within 128 bits also 3. Eight fused multiplications of 512 bits take 8
  cycles, and 11.3 beside two stores. 32 bytes a cycle come from the second cache.
- Intel, Optimization Reference Manual (248966), chapter 2; Agner Fog; uops.info: Skylake, Skylake-X, Sapphire Rapids.
- LLVM's scheduling models of the same processors, for what the others leave out. That of Zen 3 gives fused multiplications and
  loads that are broadcast half of their pipes, so it is not used where measurements are.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Kinds of instructions of x86, by mnemonic in AT&T's spelling; the first row that matches counts. Moves, loads and stores are
# told by their operands (`machine`).
_KINDS: Sequence[tuple[str, re.Pattern[str]]] = [
    (kind, re.compile(f"(?:{pattern})$"))
    for kind, pattern in (
        ("fma", r"vfn?m(add|sub)\d+[ps][sd]"),
        ("gather", r"vp?gather\w+"),
        ("double div", r"v?div[ps]d"),
        ("double sqrt", r"v?sqrt[ps]d"),
        ("div", r"v?div[ps]s"),
        ("sqrt", r"v?sqrt[ps]s"),
        ("estimate", r"v?(rsqrt|rcp)(14|28)?[ps][sd]"),
        ("select", r"v?p?blendv\w+"),
        ("blend", r"v?p?blend(ps|pd|d|w|m\w+)"),
        ("add", r"v?(add|sub|addsub)[ps][sd]"),
        ("mul", r"v?mul[ps][sd]"),
        ("max", r"v?(max|min|range)[ps][sd]"),
        ("compare", r"v?cmp\w*[ps][sd]|vptestn?m[bwdq]"),
        ("round", r"v?(round|rndscale|reduce)[ps][sd]"),
        ("widen", r"v?cvtt?(ps2pd|pd2ps|dq2pd|pd2dq|ss2sd|sd2ss)[xy]?"),
        ("convert", r"v?cvt\w+|vfixupimm\w+"),
        ("multiply", r"v?pmul\w+"),
        ("logic", r"v?p?(and|andn|or|xor|ternlog)(ps|pd|d|q)?"),
        ("integer", r"v?p(add|sub|min|max|abs|sign|avg|cmp)\w+"),
        ("shift", r"v?ps[lr][la]\w+"),
        ("extract", r"vextract[fi]\d+(x\d)?"),
        ("to integer", r"v?p?movmsk\w+|v?pextr\w+|v?extractps"),
        ("from integer", r"v?pinsr\w+"),
        ("test", r"v?p?test(ps|pd)?"),
        ("permute", r"vperm(ps|pd|d|q|t2\w+|i2\w+|w|b)|v?pmov[sz]x\w+"),
        ("half", r"v(insert|perm2)[fi](128|32x4|64x4|64x2|32x8)|v?p?broadcast\w+"),
        ("shuffle", r"v?(p?unpck\w+|p?shuf\w+|permil\w+|p?pack\w+|p?align\w+|insertps|p?mov(lh|hl|[ds][hl])\w+|movddup)"),
        ("prefetch", r"prefetch\w+"),
        ("multiply integers", r"i?mul[bwlq]?"),
        ("address", r"lea[lqw]?"),
        ("branch", r"j\w+|call\w*|ret\w*"),
        ("mask", r"k\w+"),
        ("scalar", r"\w+"),
    )
]
KINDS = (*dict.fromkeys(kind for kind, _ in _KINDS), "move")
UNPIPED = ("move",)  # the rename stage does them


@cache
def kind_of(mnemonic: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.match(mnemonic)), "scalar")


class Uses(NamedTuple):
    """What an instruction keeps busy: cycles by set of pipes, of which any one does; then its latency."""

    pipes: Mapping[str, float]
    latency: int


class Core(Record):
    """A core: its pipes have letters and digits for names."""

    name: str
    "As its maker calls it."
    cpus: tuple[str, ...]
    "The names that LLVM has for processors with such cores."
    levels: tuple[str, ...]
    "Levels of instructions for which an unknown processor is taken for this one."
    uses: Mapping[str, Uses]
    "By kind of instruction, and `load`, `store`."
    wide: Mapping[str, Uses]
    "The same for vectors of 512 bits where that differs."
    issue: int
    "Operations that are renamed in a cycle."
    window: int
    "Operations that are under way at once: entries of the reorder buffer."
    registers: int
    "Results in vector registers that are under way at once: those that are no architectural ones."
    l1: int
    "Bytes of the first cache of data."
    l2: int
    "Bytes of the second cache."
    fill: int
    "Bytes that come from the second cache, or the third, in a cycle."


def _rows(text: str) -> dict[str, Uses]:
    """Lines `kind | pipes*cycles, ... | latency`."""
    found: dict[str, Uses] = {}
    for line in text.strip().splitlines():
        names, pipes, latency = (part.strip() for part in line.split("|"))
        uses = {name: float(cycles or 1) for name, _, cycles in (one.partition("*") for one in pipes.split())}
        for name in names.split(", "):
            found[name] = Uses(uses, int(latency))
    return found


# 0 to 3: the pipes for vectors; O: the third operand of 0 and 1; D: quotients and roots; a to e: integers and branches; L, M,
# N: loads, two of them of vectors; S, T: stores; V: a store of a vector.
_ZEN3 = _rows("""
add                    | 23                   | 3
compare, max           | 23                   | 1
round, convert         | 23                   | 3
widen                  | 23 0123              | 3
mul                    | 01                   | 3
fma                    | 01 O*0.5             | 4
select                 | 01 O*0.5             | 1
estimate               | 01                   | 3
multiply               | 03                   | 3
logic, integer, blend  | 0123                 | 1
shift, shuffle         | 12                   | 1
permute                | 12                   | 1
half                   | 0                    | 1
extract                | 0123                 | 1
test                   | 0123 12              | 1
to integer             | 0123 O               | 1
from integer           | 0123                 | 1
div                    | 01 D*3               | 10
sqrt                   | 01 D*4.5             | 13
double div             | 01 D*4               | 13
double sqrt            | 01 D*7.5             | 18
gather                 | 0123*8 L*1           | 8
prefetch, load         | LMN                  | 4
vector load            | LMN LM               | 6
store                  | ST                   | 0
vector store           | ST V O               | 0
address, scalar        | abcd                 | 1
branch                 | de                   | 0
multiply integers      | b                    | 3
mask                   | 0123                 | 1
""")
# Comparisons into vectors take pipes 2 and 3, into masks 0 and 1; fix-ups are among the conversions.
_ZEN4 = _ZEN3 | _rows("""
compare                | 0123                 | 2
max                    | 23                   | 2
round                  | 23                   | 3
convert                | 0123                 | 3
select                 | 01                   | 1
estimate               | 01                   | 5
multiply               | 01                   | 3
shift                  | 23                   | 1
shuffle                | 123                  | 1
permute                | 12                   | 1
half, extract          | 12                   | 1
test                   | 01                   | 1
div                    | 01 D*3               | 11
sqrt                   | 01 D*5               | 15
double div             | 01 D*4.5             | 13
double sqrt            | 01 D*8               | 21
vector store           | ST V O*0.75          | 0
mask                   | 0123                 | 1
""")
_ZEN4_WIDE = _rows("""
add                    | 23*2                 | 3
compare                | 01*2                 | 5
max                    | 23*2                 | 2
round                  | 23*2                 | 3
convert                | 0123*2               | 3
widen                  | 23*2 0123*2          | 4
mul                    | 01*2                 | 3
fma                    | 01*2 O               | 4
estimate               | 01*2                 | 5
multiply               | 01*2                 | 3
logic, integer, blend  | 0123*2               | 1
shift                  | 23*2                 | 1
shuffle                | 123*2                | 1
permute                | 12*2                 | 4
half, extract          | 12*2                 | 1
test                   | 01*2                 | 1
div                    | 01*2 D*6             | 11
sqrt                   | 01*2 D*10            | 15
double div             | 01*2 D*9             | 13
double sqrt            | 01*2 D*16            | 21
vector load            | LMN LM*2             | 6
vector store           | ST V*2 O*1.5         | 0
""")
# 0, 1, 5: the pipes for vectors, 6: the fourth for integers; 2, 3: loads; 4: data of stores; D: quotients and roots. Golden
# Cove has A for integers too, B for loads, 9 for stores.
_SKYLAKE = _rows("""
add, mul, fma          | 01                   | 4
compare, max           | 01                   | 4
round                  | 01*2                 | 8
convert                | 01                   | 4
widen                  | 01 5                 | 5
estimate               | 0                    | 4
multiply               | 01                   | 5
logic, blend           | 015                  | 1
integer                | 015                  | 1
shift                  | 01                   | 1
select                 | 015*2                | 2
shuffle                | 5                    | 1
permute, half, extract | 5                    | 1
test                   | 0 5                  | 2
to integer             | 0                    | 2
from integer           | 5                    | 1
div                    | 0 D*5                | 11
sqrt                   | 0 D*6                | 12
double div             | 0 D*8                | 13
double sqrt            | 0 D*9                | 15
gather                 | 23*4 015             | 8
prefetch               | 23                   | 0
load                   | 23                   | 4
vector load            | 23                   | 5
store, vector store    | 4                    | 0
address                | 15                   | 1
scalar                 | 0156                 | 1
branch                 | 06                   | 0
multiply integers      | 1                    | 3
mask                   | 05                   | 1
""")
_WIDE = _rows("""
add, mul, fma, max     | 05                   | 4
compare                | 5                    | 3
round                  | 05*2                 | 8
convert                | 05                   | 4
widen                  | 05 5                 | 5
estimate               | 05*2                 | 5
multiply               | 05                   | 5
logic, blend, integer  | 05                   | 1
shift                  | 0                    | 1
select                 | 05                   | 1
shuffle, permute, half, extract | 5           | 1
div                    | 05 D*10              | 14
sqrt                   | 05 D*12              | 15
double div             | 05 D*16              | 16
double sqrt            | 05 D*18              | 18
gather                 | 23*8 05              | 8
""")
# Where two processors share a table, the figures are those of the better one.
_GOLDEN_COVE = _SKYLAKE | _rows("""
add                    | 15                   | 2
compare, max           | 15                   | 3
shuffle                | 15                   | 1
blend, logic, integer  | 015                  | 1
load, prefetch         | 23B                  | 4
vector load            | 23B                  | 5
store                  | 49                   | 0
vector store           | 49                   | 0
scalar                 | 0156A                | 1
address                | 0156A                | 1
""")

CORES = (
    Core(
        name="Zen 3",
        cpus=("znver3",),
        levels=("avx2", "sse"),
        uses=_ZEN3,
        wide={},
        issue=6,
        window=256,
        registers=144,  # of 160
        l1=32 << 10,
        l2=512 << 10,
        fill=32,
    ),
    Core(
        name="Zen 4",
        cpus=("znver4",),
        levels=(),
        uses=_ZEN4,
        wide=_ZEN4_WIDE,
        issue=6,
        window=320,
        registers=176,  # of 192
        l1=32 << 10,
        l2=1 << 20,
        fill=32,
    ),
    Core(
        name="Skylake",
        cpus=("skylake",),
        levels=(),
        uses=_SKYLAKE,
        wide={},
        issue=4,
        window=224,
        registers=152,  # of 168
        l1=32 << 10,
        l2=256 << 10,
        fill=64,
    ),
    Core(
        name="Skylake-X",
        cpus=("skylake-avx512", "cascadelake", "cooperlake"),
        levels=(),
        uses=_SKYLAKE,
        wide=_WIDE,
        issue=4,
        window=224,
        registers=136,  # of 168
        l1=32 << 10,
        l2=1 << 20,
        fill=64,
    ),
    Core(
        name="Golden Cove",
        cpus=("sapphirerapids", "emeraldrapids", "alderlake", "raptorlake"),
        levels=("avx512",),
        uses=_GOLDEN_COVE,
        wide=_WIDE | _rows("add | 05 | 2"),
        issue=6,
        window=512,
        registers=300,  # of 332
        l1=48 << 10,
        l2=2 << 20,
        fill=64,
    ),
)


def core_of(cpu: str, level: str) -> tuple[Core, bool] | None:
    """The core of a processor as LLVM calls it, and whether it is that; else the row for its level, or None."""
    for core in CORES:
        if cpu in core.cpus:
            return core, True
    return next(((core, False) for core in CORES if level in core.levels), None)
