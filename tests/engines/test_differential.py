"""Random programs on the reference engine and on the compiled one, bit for bit; `lanewise.engine.differential` makes and compares them.

A program that differs is shown with the seed and the number that make it again, and as small as it can be while it still differs.
"""

from __future__ import annotations

import multiprocessing
import os
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
