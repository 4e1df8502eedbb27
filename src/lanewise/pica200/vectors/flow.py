"""Cases about control flow: tests, branches, nesting and loops here; calls in `calls`, where blocks end in `ends`; random
flow."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.engine.random_programs import flow_words
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import EMIT, NOP, TARGET_MAX
from lanewise.pica200.vectors.building import INDEXED_LOOP, C, R
from lanewise.pica200.vectors.calls import deep, lost_returns, returns
from lanewise.pica200.vectors.draft import FULL_RING, Draft
from lanewise.pica200.vectors.ends import breaks, ends, jumps, last_words, stops, to_zero
from lanewise.pica200.vectors.path import BOOLEANS, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.vectors.data import Numbers


def flow(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    for part in (
        _conditions,
        _booleans,
        _branches,
        _nesting,
        deep,
        returns,
        lost_returns,
        _loops,
        ends,
        last_words,
        jumps,
        to_zero,
        breaks,
        stops,
    ):
        yield from part(numbers)
    yield from _random_flow(numbers, seed, 4000 if full else 400)


def _conditions(numbers: Numbers) -> Iterator[Draft]:
    """Every test of the flags with all values of the flags, a lane for each."""
    rows = tuple([numbers.vector(x, y, 0, 0) for x in (0, 1) for y in (0, 1)])
    for name, combine, x, y in product(("ifc", "jmpc", "callc", "breakc"), range(4), (0, 1), (0, 1)):
        path = Path(numbers)
        path.mov(R + 2, C + 30)
        path.add("cmp", src1=0, src2=R + 2, cmpx=0, cmpy=0)
        loop = path.open("for") if name == "breakc" else -1
        at = path.add(name, condop=combine, refx=x, refy=y)
        path.mark()
        path.mark()
        if name not in ("callc", "breakc"):
            path.close(at)
        path.mark()
        if loop >= 0:
            path.close(loop)
        path.finish()
        if name == "callc":  # the procedure after the end
            path.mark()
            path.mark()
            path.patch(at, dst=path.here - 2, num=2)
        floats = path.uniforms() | {30: numbers.vector(0, 0, 0, 0)}
        job = path.job({0: rows}, floats, {0: (1, 0, 0, 0)})
        yield Draft(
            name=f"{name}/test-{combine}{x}{y}",
            group="flow",
            ops=(name,),
            shows=f"test {('or', 'and', 'x', 'y')[combine]}, references {x} and {y}",
            job=job,
        )


def _booleans(numbers: Numbers) -> Iterator[Draft]:
    """Every boolean uniform in both values; NUM bit 0 of JMPU."""
    for name, register in product(("ifu", "callu", "jmpu"), range(16)):
        for booleans in (1 << register, 0xFFFF ^ 1 << register) if register in (0, 7, 8, 15) else (1 << register,):
            for num in (0, 1) if name == "jmpu" and register in (0, 7, 15) else (0,):
                path = Path(numbers)
                at = path.add(name, reg=register)
                path.mark()
                path.mark()
                path.close(at, num=num)
                path.mark()
                path.finish()
                if name == "callu":
                    path.mark()
                    path.patch(at, dst=path.here - 1, num=1)
                state = "set" if booleans == 1 << register else "clear"
                yield path.draft(
                    f"{name}/b{register}-{state}{num}", (name,), f"b{register} {state}, NUM {num}", booleans=booleans
                )


def _branches(numbers: Numbers) -> Iterator[Draft]:
    """IF with and without ELSE, of all lengths that count."""
    for name, taken, then, other in product(("ifc", "ifu"), (True, False), (1, 2), (0, 1, 2)):
        path = Path(numbers)
        path.flags()
        at = path.open(name, taken=taken)
        for _ in range(then):
            path.mark()
        path.close(at, num=other)
        for _ in range(other):
            path.mark()
        path.mark()
        path.finish()
        yield path.draft(
            f"{name}/branch-{taken:d}{then}{other}",
            (name,),
            f"true part of {then} words, false part of {other}",
            booleans=BOOLEANS,
        )
    for name in ("ifc", "ifu"):  # a true part without a word
        for taken in (True, False):
            path = Path(numbers)
            path.flags()
            at = path.open(name, taken=taken)
            path.close(at, num=1)
            path.mark()
            path.mark()
            path.finish()
            yield path.draft(f"{name}/empty-{taken:d}", (name,), "a true part without words", booleans=BOOLEANS)


def _nesting(numbers: Numbers) -> Iterator[Draft]:
    """Blocks in each other up to and past the depth of their ring."""
    for name, depth, gap in product(("ifc", "ifu", "for"), range(2, 12), (0, 1)):
        if name == "for" and depth > 6:
            continue
        path = Path(numbers)
        path.flags()
        opened: list[int] = []
        for level in range(depth):
            opened.append(path.open(name, register=level % 4))
            path.mark()
        for at in reversed(opened):
            path.mark() if gap or path.here == at + 1 else None
            other = int(gap and name != "for")
            path.close(at, num=other)
            if other:
                path.mark()
        path.mark()
        path.finish()
        full = depth > (4 if name == "for" else 8)
        shows = f"{depth} nested, {'ends apart' if gap else 'one end'}" + (", more than the ring holds" if full else "")
        integers = {n: (1, 2 * n, n + 1, 0) for n in range(4)}
        yield path.draft(
            f"{name}/nested-{depth}-{gap}",
            (name,),
            shows,
            *([FULL_RING] if full else []),
            integers=integers,
            booleans=BOOLEANS,
        )


def _loops(numbers: Numbers) -> Iterator[Draft]:
    """Counts, registers, what aL is after a loop, an end before the beginning."""
    for count, start, step in ((0, 0, 0), (1, 3, 5), (2, 1, 1), (5, 0, 7), (20, 2, 3), (255, 0, 1)):
        path = Path(numbers)
        at = path.open("for", register=3)
        path.add("add", dst=R, src1=C + 1, src2=R)
        path.close(at)
        path.mov(1, C + 1, idx=INDEXED_LOOP)
        path.finish()
        yield path.draft(
            f"for/count-{count}-{start}-{step}",
            ("for",),
            f"{count + 1} iterations of one word",
            integers={3: (count, start, step, 7)},
        )
    for register in range(16):
        path = Path(numbers)
        at = path.open("for", register=register)
        path.mark()
        path.close(at)
        path.finish()
        integers = {n: (n, n, 1, 0) for n in range(4)}
        yield path.draft(f"for/i{register}", ("for",), f"integer register field {register}", integers=integers)
    for inner, outer in product(((0, 4, 1, 0), (1, 2, 3, 0)), ((1, 1, 2, 0), (2, 0, 1, 0))):
        for where in range(3):
            path = Path(numbers)
            one = path.open("for", register=0)
            path.mark()
            two = path.open("for", register=1)
            path.add("add", dst=R, src1=C + 1, src2=R, idx=INDEXED_LOOP)
            path.add("nop")
            path.close(two)
            if where:
                path.add("add", dst=R, src1=C + 2, src2=R, idx=INDEXED_LOOP)
            if where > 1:
                three = path.open("for", register=2)
                path.mark()
                path.close(three)
            path.add("nop")
            path.close(one)
            path.mov(1, C + 1, idx=INDEXED_LOOP)
            path.finish()
            integers = {0: outer, 1: inner, 2: (1, 3, 1, 0)}
            yield path.draft(f"for/al-{inner[0]}{outer[0]}{where}", ("for",), "aL in and after nested loops", integers=integers)
    for back in (0, 1, 2):
        path = Path(numbers)
        path.mark()
        path.mark()
        at = path.open("for")
        path.mark()
        path.finish()
        path.patch(at, dst=at - back)
        yield path.draft(f"for/back-{back}", ("for",), "DST is not after the loop", integers={0: (1, 0, 1, 0)})


def _random_flow(numbers: Numbers, seed: int, count: int) -> Iterator[Draft]:
    """Random programs of flow instructions, whose path shows; those that spend their budget are left out by the suite."""
    for number in range(count):
        rng = Random(f"flow {seed} {number}")
        path = Path(numbers)
        path.flags()
        lead = path.here
        kinds = flow_words(rng)
        for word in kinds:
            inst = decode(word)
            if inst.op.name == "cmp":
                path.add("cmp", src1=C + rng.randrange(1, 8), src2=R, cmpx=rng.randrange(8), cmpy=rng.randrange(8))
            elif inst.op.source_count and inst.field("idx") == INDEXED_LOOP:
                path.add("add", dst=R, src1=C + 1, src2=R, idx=INDEXED_LOOP)
            elif inst.op.source_count or inst.op.kind in (NOP, EMIT):
                path.mark()
            else:
                path.words.append(word)
                if inst.op.format.has("dst"):
                    path.patch(path.here - 1, dst=min(inst.field("dst") + lead, TARGET_MAX))
        path.finish()
        integers = {n: (rng.choice((0, 1, 1, 2)), rng.randrange(4), rng.randrange(3), 0) for n in range(4)}
        names = sorted({decode(word).op.name for word in kinds if not decode(word).op.source_count} - {"nop", "end"})
        yield path.draft(f"random-flow/{number}", tuple(names), "random flow", integers=integers, booleans=rng.getrandbits(16))
