"""Cases about address registers: MOVA, a0, aL, indexed uniforms and their bounds."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.vectors.building import INDEXED_LOOP, INDEXED_X, INDEXED_Y, C, Code, R, descriptor
from lanewise.pica200.vectors.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.vectors.data import Numbers

_INDICES = (
    0.0, -0.0, 0.9, -0.9, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 1.0, -1.0, 54.0, 55.0, 56.0, -40.0, -41.0, -42.0, 87.0, 88.0, 126.0,
    127.0, 127.5, 128.0, 129.0, -126.0, -127.0,
    -127.5, -128.0, -128.5, -129.0, -130.0, 255.0, 256.0, 257.0, -255.0, -256.0, 383.0, 511.0, 32767.0, 32768.0, 65535.0,
    65536.0, -32768.0, 2.0**31, 2.0**32, -(2.0**31),
    2.0**40, 2.0**30, -(2.0**33), 100.25, -99.75,
)  # fmt: skip
_LANES = 14


def all_uniforms(numbers: Numbers) -> dict[int, Vector]:
    """A different vector in each uniform."""
    return {n: numbers.vector(n, 200.5 - n, -n, n / 2) for n in range(96)}


def address(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    rng = Random(f"address {seed}")
    floats = all_uniforms(numbers)
    values = [numbers.of(value) for value in _INDICES]
    edges = [word for word in numbers.edges if word not in values]
    words = [*values, *edges, *[numbers.of(rng.uniform(-140, 140)) for _ in range(200 if full else 28)]]
    for base in (40, 0, 95) if not full else (40, 0, 95, 1, 47, 63, 94):
        for number, first in enumerate(range(0, len(words) if base == 40 or full else 52, 2 * _LANES)):
            rows = [(words[n], words[(n + 1) % len(words)], 0, 0) for n in range(first, min(first + 2 * _LANES, len(words)), 2)]
            code = Code()
            code.add("mova", src1=0)
            code.add("nop")
            code.mov(0, C + base, idx=INDEXED_X)
            code.mov(1, C + base, idx=INDEXED_Y)
            code.end()
            shows = f"c{base} indexed by a0, bounds and fractions"
            yield Draft(
                name=f"mova/c{base}-{number}",
                group="address",
                ops=("mova",),
                shows=shows,
                job=code.job({0: tuple(rows)}, floats),
            )
    yield from _masks(numbers)
    yield from _files(numbers)
    yield from _loops(numbers, floats, full=full)


def _masks(numbers: Numbers) -> Iterator[Draft]:
    """MOVA of one component keeps the other; MOVA from an indexed uniform; selectors and sign."""
    floats = {n: numbers.vector(n, n, n, n) for n in range(20, 31)} | {
        1: numbers.vector(3, -2, 4, -5),
        2: numbers.vector(-1, 5, 0, 2),
    }
    for mask in range(16):
        code = Code()
        code.add("mova", src1=C + 1)
        code.add("nop")
        code.add("mova", descriptor(mask), src1=C + 2)
        code.add("nop")
        code.mov(0, C + 25, idx=INDEXED_X)
        code.mov(1, C + 25, idx=INDEXED_Y)
        code.end()
        yield Draft(
            name=f"mova/kept-{mask:x}",
            group="address",
            ops=("mova",),
            shows=f"mova under write mask {mask:#x}",
            job=code.job({}, floats),
        )
    for idx in (INDEXED_X, INDEXED_Y):
        code = Code()
        code.add("mova", src1=C + 1)
        code.add("nop")
        code.add("mova", descriptor(0xF, (0x4E,), 1), src1=C + 24, idx=idx)
        code.add("nop")
        code.mov(0, C + 50, idx=INDEXED_X)
        code.end()
        near = floats | {n: numbers.vector(n, n, 0, 0) for n in range(15, 60)}
        yield Draft(
            name=f"mova/indexed-{idx}",
            group="address",
            ops=("mova",),
            shows="mova from an indexed uniform",
            job=code.job({}, near),
        )


def _files(numbers: Numbers) -> Iterator[Draft]:
    """Index registers on v and r registers, which do not take them."""
    floats = {n: numbers.vector(n, -n, n + 0.5, 1) for n in range(8)} | {
        20: numbers.vector(2, 14, 0, 0),
        21: numbers.vector(-1, 30, 0, 0),
    }
    for uniform in (20, 21):
        for source in (1, R + 2):
            for idx in (INDEXED_X, INDEXED_Y):
                code = Code()
                for n in range(6):
                    code.mov(R + n, C + n)
                code.add("mova", src1=C + uniform)
                code.add("nop")
                code.mov(0, source, idx=idx)
                code.add("add", dst=1, src1=source, src2=R, idx=idx)
                code.end()
                inputs = {n: (numbers.vector(n + 0.25, n, n, n),) for n in range(4)}
                shows = "an index register on an input or a temporary"
                yield Draft(
                    name=f"index/files-{uniform}-{source}-{idx}",
                    group="address",
                    ops=("mov", "add"),
                    shows=shows,
                    job=code.job(inputs, floats),
                )


def _loops(numbers: Numbers, floats: dict[int, Vector], *, full: bool) -> Iterator[Draft]:
    """aL by its start and step, also where it leaves the range of an index."""
    rows = [
        (3, 0, 1),
        (3, 5, 2),
        (2, 127, 1),
        (2, 126, 3),
        (1, 128, 0),
        (1, 200, 100),
        (1, 255, 255),
        (3, 250, 2),
        (0, 90, 9),
        (2, 100, 255),
        (2, 0, 128),
        (2, 254, 1),
    ]
    for number, (count, start, step) in enumerate(rows):
        for base in (1, 90, 40) if full or number % 2 == 0 else (1,):
            code = Code()
            code.mov(R, C + 95)
            at = code.add("for", reg=1)
            code.add("add", dst=R, src1=C + base, src2=R, idx=INDEXED_LOOP)
            code.add("nop")
            code.patch(at, dst=code.here - 1)
            code.mov(0, R)
            code.mov(1, C + base, idx=INDEXED_LOOP)
            code.end()
            shows = f"c{base}[aL] in a loop of {count + 1} iterations, aL from {start} in steps of {step}"
            yield Draft(
                name=f"loop/al-{number}-c{base}",
                group="address",
                ops=("for",),
                shows=shows,
                job=code.job({}, floats, {1: (count, start, step, 0)}),
            )
    for number, (count, start, step) in enumerate([(255, 0, 255), (130, 0, 255), (128, 255, 254)]):
        code = Code()
        at = code.add("for", reg=0)
        code.mov(R, C + 3, idx=INDEXED_LOOP)
        code.add("nop")
        code.patch(at, dst=code.here - 1)
        code.mov(0, R)
        code.mov(1, C + 3, idx=INDEXED_LOOP)
        code.end()
        yield Draft(
            name=f"loop/al-far-{number}",
            group="address",
            ops=("for",),
            shows="aL far outside the range of an index",
            job=code.job({}, floats, {0: (count, start, step, 0)}),
        )
