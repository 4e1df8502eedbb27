"""Random programs on the reference engine and on the compiled one, bit for bit; `lanewise.engine.differential` makes and compares them.

A program that differs is shown with the seed and the number that make it again, and as small as it can be while it still differs.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import NamedTuple

import pytest

from engines.kernels import LEVELS, need_level
from engines.shaders import descriptor, word
from lanewise.engine.differential import Case, Difference, cases, compare, minimised
from lanewise.isa.codec import decode
from lanewise.isa.pica200 import TEMPORARY as R
from lanewise.sem.profile import HARDWARE

CHUNK = 50  # programs of one seed
# Seeds by level: 1,500 programs in all.
SEEDS = {"native": range(1000, 1018), "avx2": range(2000, 2006), "sse": range(3000, 3006)}


class Chunk(NamedTuple):
    """What came of the programs of a seed: how many were compiled, and reports of those that differ."""

    compiled: int
    reports: list[str]


def run_chunk(seed: int, level: str) -> Chunk:
    """Compare all programs of a seed; raises nothing, a crash of an engine is a report too."""
    compiled, reports = 0, list[str]()
    for number, case in enumerate(islice(cases(seed), CHUNK)):
        try:
            found = compare(case, level)
        except Exception as error:  # whatever an engine raises belongs to this program
            reports.append(f"{place(seed, number, level)}: {type(error).__name__}: {error}\n{listing(case)}")
            continue
        if isinstance(found, Difference):
            small = minimised(case, level)
            again = compare(small, level)
            reports.append(
                f"{place(seed, number, level)}: {shown(again if isinstance(again, Difference) else found)}\n{listing(small)}"
            )
        else:
            compiled += found is None
    return Chunk(compiled, reports)


def place(seed: int, number: int, level: str) -> str:
    return f"program {number} of seed {seed} on {level}"


def shown(found: Difference) -> str:
    return f"{found.where} is {found.compiled}, but {found.reference} on the reference engine"


def listing(case: Case) -> str:
    """A case to read, and to make again."""
    lines: list[str] = []
    used: set[int] = set()
    for address, code in enumerate(case.words):
        inst = decode(code)
        lines.append(
            f"    {address:3}  {code:08X}  {inst.op.name} "
            + " ".join(f"{f.name}={v}" for f, v in zip(inst.op.format.fields, inst.values, strict=True))
        )
        if inst.op.format.has("desc"):
            used.add(inst.field("desc"))
    lines += [f"    descriptor {n}: {case.descriptors[n]:08X}" for n in sorted(used) if n < len(case.descriptors)]
    lines += [f"    c{n}: {words(value)}" for n, value in enumerate(case.floats) if any(value)]
    lines += [f"    i{n}: {value}" for n, value in enumerate(case.integers)]
    lines += [f"    b{n}" for n, value in enumerate(case.booleans) if value]
    lines += [f"    v{n}: {' | '.join(map(words, rows))}" for n, rows in enumerate(case.inputs)]
    lines += [f"    profile: {case.profile.differences()}"]
    return "\n".join(lines)


def words(vector: tuple[int, ...]) -> str:
    return " ".join(f"{word:06X}" for word in vector)


@pytest.mark.parametrize("level", SEEDS)
def test_random_programs(level: str, monkeypatch: pytest.MonkeyPatch):
    need_level(level)
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    seeds = SEEDS[level]
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        chunks = list(pool.map(run_chunk, seeds, [level] * len(seeds)))
    reports = [report for chunk in chunks for report in chunk.reports]
    assert not reports, "\n".join([f"{len(reports)} programs differ", *reports[:3]])
    # The rest has a reason to be left to the reference engine, and has been run there twice.
    assert sum(chunk.compiled for chunk in chunks) > 0.8 * CHUNK * len(seeds)


@pytest.mark.parametrize("level", LEVELS)
def test_the_sign_of_a_nan_stays_beside_a_negated_factor(level: str):
    """LLVM moves the negation of a factor behind the product, where it must not reach a NaN. Found by random programs."""
    need_level(level)
    source = [word("sgei", dst=R, src1=R + 1, src2=R + 1), word("dp4", dst=1, src1=R, src2=0, desc=1), word("end")]
    zeros = ((0, 0, 0, 0),) * 96
    given = (0x400000, 0xBB2485, 0x7F0001, 0xC3FFFF)
    for negate in ((True, False, False), (False, True, False), (True, True, False)):
        descriptors = (descriptor(), descriptor(negate=negate))
        rules = HARDWARE.replace(rounding="float32", nan_pattern="kept", subnormal_arithmetic="keep", subnormal_floor="keep")
        assert compare(Case(tuple(source), descriptors, zeros, zeros[:4], (False,) * 16, ((given,),) * 4, rules), level) is None


def flushed_products(rounding: str) -> Case:
    """Products just below 2**-62, most of which would round up to it: a processor may flush before it rounds, or after."""
    rng = random.Random(9)
    zeros = ((0, 0, 0, 0),) * 96
    rows: list[list[tuple[int, int, int, int]]] = [[], [], [], []]
    for lane in range(1024):
        factors: list[tuple[int, int]] = []
        for component in range(4):
            mantissa = rng.randrange(1 << 16, 1 << 17)
            other = ((1 << 33) - 1) // mantissa + (component == 3)
            exponent = rng.randrange(1, 63)
            factors.append(
                (exponent << 16 | mantissa & 0xFFFF, 63 - exponent << 16 | min(other, 0x1FFFF) & 0xFFFF | (lane & 1) << 23)
            )
        (a, p), (b, q), (c, r), (d, s) = factors
        for place, vector in enumerate([(a, b, c, d), (p, q, r, s), (0, 0, 0, 0), (0x010000, 0x810000, 0x010001, 0x3F0000)]):
            rows[place].append(vector)
    # v0 * v1 as it comes, in a sum with 2**-62, and where it counts whether it is zero.
    source = [
        word("mul", dst=0, src1=0, src2=1),
        word("mad", dst=1, src1=0, src2=1, src3=3),
        word("mul", dst=R, src1=0, src2=1),
        word("sgei", dst=2, src1=2, src2=R),
        word("dp4", dst=3, src1=0, src2=1),
        word("end"),
    ]
    rules = HARDWARE.replace(rounding=rounding)
    return Case(tuple(source), (descriptor(),), zeros, zeros[:4], (False,) * 16, tuple(map(tuple, rows)), rules)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_products_that_would_round_up_to_the_smallest_number(rounding: str, level: str):
    need_level(level)
    assert compare(flushed_products(rounding), level) is None
