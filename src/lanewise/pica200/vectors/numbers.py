"""Cases about numbers: special ones in pairs, plain ones where rounding decides, functions of one number."""

from __future__ import annotations

from itertools import combinations, product
from math import ldexp
from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.vectors.building import Code, R, descriptor
from lanewise.pica200.vectors.data import SHOWN
from lanewise.pica200.vectors.draft import Draft
from lanewise.pica200.vectors.operands import flag_uniforms, show_flags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.vectors.model import Lanes, Vector
    from lanewise.pica200.vectors.data import Numbers

LANES = 16
_PAIRED = ("add", "mul", "max", "min", "sge", "slt")
_PAIRED_ALSO = ("sgei", "slti")
_TRIPLE = ("mad", "madi")
_DOTS = ("dp3", "dp4", "dph", "dphi")
_SPECIAL = ("rcp", "rsq", "ex2", "lg2")
_NEXT_TO_TIES = (
    1.0055389404296875,
    14344251.0,
)  # 1 / sqrt in float24, the root in float32: so near half a step that many places decide
_HALF_STEP = (94548 / 65536, 94549 / 65536)  # times 2**-18: 2**-x is half a step of float24 below 1 between these


def numbers_cases(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    """Special numbers pairwise, and plain numbers."""
    rng = Random(f"numbers {seed}")
    pairs = [(one, other) for one in numbers.edges for other in numbers.edges]
    few = [(one, other) for one in numbers.few for other in numbers.few]
    scale = 12 if full else 1
    for name in (*_PAIRED, *_PAIRED_ALSO):
        yield from _lanewise(numbers, name, "special", pairs if full or name in _PAIRED else few)
        largest = 2 * numbers.bias << numbers.mantissa  # the largest power of two; twice that is the least that is too large
        exact = [(largest, numbers.of(2.0)), (largest, largest)]
        yield from _lanewise(numbers, name, "plain", [*exact, *[_close(numbers, rng) for _ in range(256 * scale - 2)]])
        yield from _lanewise(numbers, name, "any", [(numbers.any(rng), numbers.any(rng)) for _ in range(64 * scale)])
    for name in _TRIPLE:
        triples = [
            (rng.choice(numbers.edges), rng.choice(numbers.edges), rng.choice(numbers.edges)) for _ in range(384 * scale)
        ]
        yield from _lanewise(numbers, name, "special", triples)
        yield from _lanewise(numbers, name, "plain", [_triple(numbers, rng) for _ in range(256 * scale)])
    for name in _DOTS:
        yield from _vectors(numbers, name, "special", [_sparse(numbers, rng) for _ in range(64 * scale)])
        yield from _vectors(numbers, name, "two-special", _two_special(numbers))
        yield from _vectors(numbers, name, "one-special", [_one_special(numbers, rng, n) for n in range(96 * scale)])
        plain = [(numbers.plain_vector(rng), numbers.plain_vector(rng)) for _ in range(64 * scale)]
        yield from _vectors(numbers, name, "plain", plain)
        yield from _vectors(numbers, name, "cancel", [_cancelling(numbers, rng) for _ in range(32 * scale)])
    for name in ("dst", "dsti"):
        yield from _vectors(numbers, name, "special", [_any_pair(numbers, rng) for _ in range(48 * scale)])
    for name in ("mov", "flr"):
        words = [*numbers.edges, *[numbers.plain(rng, 20) for _ in range(90 * scale)], *_wholes(numbers)]
        words += [word ^ 1 << (numbers.bits - 1) for word in words]
        yield from _lanewise(numbers, name, "values", [(word,) for word in words])
    for name in _SPECIAL:
        words = [*numbers.edges, *_inputs(numbers, name, rng, scale)]
        rows: list[tuple[Vector, ...]] = [((word, 0, 0, 0),) for word in words]
        yield from _vectors(numbers, name, "values", rows)
    yield from _litp(numbers, rng, scale)
    yield from _comparisons(numbers, rng, few, full=full)


def _close(numbers: Numbers, rng: Random) -> tuple[int, int]:
    """Two numbers whose sum or product needs rounding: exponents near each other or a mantissa apart, often opposite signs."""
    first = numbers.plain(rng, 4)
    kind = rng.random()
    if kind < 0.25:  # next to each other
        return first, (first ^ 1 << (numbers.bits - 1)) + rng.randrange(-2, 3)
    if kind < 0.6:
        apart = rng.randrange(-numbers.mantissa - 3, numbers.mantissa + 4)
        return first, numbers.of(
            (1 - 2 * rng.getrandbits(1)) * 2.0**apart * (1 + rng.getrandbits(numbers.mantissa) / (1 << numbers.mantissa))
        )
    if kind < 0.75:  # at the ends of the range
        high = (2 * numbers.bias - rng.randrange(0, 3)) << numbers.mantissa | rng.getrandbits(numbers.mantissa)
        low = rng.randrange(1, 4) << numbers.mantissa | rng.getrandbits(numbers.mantissa)
        return rng.choice(
            ((high, high), (low, low | 1 << (numbers.bits - 1)), (low, numbers.of(0.5)), (high, numbers.of(1.5)), (low, low))
        )
    return first, numbers.plain(rng, 4)


def _triple(numbers: Numbers, rng: Random) -> tuple[int, int, int]:
    a, b = _close(numbers, rng)
    return a, b, numbers.plain(rng, 8)


def _lanewise(numbers: Numbers, name: str, what: str, rows: Sequence[tuple[int, ...]]) -> Iterator[Draft]:
    """An instruction that works on components, four tuples of numbers in a lane."""
    for number, first in enumerate(range(0, len(rows), 4 * LANES)):
        part = rows[first : first + 4 * LANES]
        columns = [numbers.packed([row[n] for row in part]) for n in range(len(part[0]))]
        yield _case(name, what, number, columns)


def _vectors(numbers: Numbers, name: str, what: str, rows: Sequence[tuple[Vector, ...]]) -> Iterator[Draft]:
    """An instruction on whole vectors, one tuple in a lane."""
    for number, first in enumerate(range(0, len(rows), LANES)):
        part = rows[first : first + LANES]
        yield _case(name, what, number, [tuple([row[n] for row in part]) for n in range(len(part[0]))])


def _case(name: str, what: str, number: int, columns: Sequence[Lanes]) -> Draft:
    code = Code()
    for n in range(1, len(columns)):
        code.mov(R + n, n)
    code.operate(name, 0, [0, *[R + n for n in range(1, len(columns))]])
    code.end()
    job = code.job(dict(enumerate(columns)), outputs=(0,))
    return Draft(
        name=f"{name}/{what}-{number}",
        group="numbers",
        ops=(BY_NAME[name].name,),
        shows=f"{what} numbers",
        job=job._replace(state=()),
    )


def _sparse(numbers: Numbers, rng: Random) -> tuple[Vector, Vector]:
    """Two special numbers in two components, the others 1 or 0."""
    one, zero = numbers.of(1.0), 0
    first, second = ([rng.choice((one, zero, numbers.of(-2.0))) for _ in range(4)] for _ in range(2))
    for place in rng.sample(range(4), 2):
        first[place], second[place] = rng.choice(numbers.edges), rng.choice(numbers.edges)
    return (first[0], first[1], first[2], first[3]), (second[0], second[1], second[2], second[3])


def _two_special(numbers: Numbers) -> list[tuple[Vector, ...]]:
    """In plain vectors zero times infinity in each component, in both orders, and two NaNs in each pair of components."""
    found: list[tuple[Vector, ...]] = []

    def add(*changes: tuple[int, int, int]) -> None:
        vectors = [[numbers.of(value) for value in SHOWN[n]] for n in range(2)]
        for vector, place, word in changes:
            vectors[vector][place] = word
        (a, b, c, d), (e, f, g, h) = vectors
        found.append(((a, b, c, d), (e, f, g, h)))

    for place, zero in product(range(4), range(2)):
        add((zero, place, 0), (1 - zero, place, numbers.infinity))
    quiet = numbers.infinity | 1 << numbers.mantissa - 1
    for one, other in combinations(range(4), 2):
        add((0, one, quiet | 1), (0, other, quiet | 2))
    return found


def _one_special(numbers: Numbers, rng: Random, number: int) -> tuple[Vector, Vector]:
    """One special number among plain ones, in each component of each source in turn."""
    found = [list(numbers.plain_vector(rng)), list(numbers.plain_vector(rng))]
    found[number & 1][number >> 1 & 3] = numbers.few[number // 8 % len(numbers.few)]
    (a, b, c, d), (e, f, g, h) = found
    return (a, b, c, d), (e, f, g, h)


def _cancelling(numbers: Numbers, rng: Random) -> tuple[Vector, Vector]:
    """Products that cancel, so that the order of additions shows."""
    large, small = numbers.of(2.0 ** rng.randrange(8, 20)), numbers.plain(rng, 2)
    minus = large ^ 1 << (numbers.bits - 1)
    row = [large, minus, small, numbers.plain(rng, 1)]
    rng.shuffle(row)
    one = numbers.of(1.0)
    return (row[0], row[1], row[2], row[3]), (one, one, one, numbers.plain(rng, 1))


def _any_pair(numbers: Numbers, rng: Random) -> tuple[Vector, Vector]:
    a, b, c, d, e, f, g, h = (rng.choice(numbers.edges) for _ in range(8))
    return (a, b, c, d), (e, f, g, h)


def _wholes(numbers: Numbers) -> list[int]:
    """Numbers at which a fraction begins or ends."""
    return [
        numbers.of(value) for value in (0.999, 1.5, 2.5, 3.5, 0.0001, 4095.75, 65535.5, 32767.5, 131072.0, 8388607.5, 255.996)
    ]


def _inputs(numbers: Numbers, name: str, rng: Random, scale: int) -> list[int]:
    """Where a function of one number is interesting."""
    found: list[float] = []
    if name == "ex2":
        found += [rng.uniform(-70, 70) for _ in range(40 * scale)] + [rng.uniform(-1, 1) for _ in range(20 * scale)]
        found += [
            float(n)
            for n in (-80, -79, -78.5, -64, -63, -62, -61.5, -30, -1, -0.5, 0.5, 1, 5, 31, 63, 63.99, 64, 65, 100, 130, -130)
        ]
        found += [2.0**-n for n in range(1, 30, 2)] + [-(2.0**-n) for n in range(1, 30, 3)]
        # Next to 1: where the result is half a step from it, and where it begins to be less than that.
        for step in (2.0 ** -(numbers.mantissa + 2), 2.0 ** -(numbers.mantissa + 1)):
            found += [sign * step * size for sign in (1, -1) for size in (1.0, 1.25, *_HALF_STEP, 1.75)]
    elif name == "lg2":
        found += [_scaled(rng, -62, 63) for _ in range(40 * scale)] + [rng.uniform(0.5, 2) for _ in range(24 * scale)]
        found += (
            [1 + n / 65536 for n in (1, 2, 3, 7)]
            + [1 - n / 131072 for n in (1, 2, 3, 7)]
            + [2.0**n for n in (-62, -30, -1, 1, 2, 8, 60)]
        )
    else:
        found += [_scaled(rng, -63, 63) for _ in range(40 * scale)] + [rng.uniform(0.5, 4) for _ in range(24 * scale)]
        found += [float(n) for n in (2, 3, 4, 5, 7, 9, 10, 16, 100, 255, 256, 0.25, 0.1)] + [-3.0, -0.5, *_NEXT_TO_TIES]
    words = [numbers.of(value) for value in found]
    return [*words, *[numbers.any(rng) for _ in range(16 * scale)]]


def _scaled(rng: Random, low: int, high: int) -> float:
    """A number of any size from 2**low to 2**high, the same on every machine."""
    return ldexp(1 + rng.random(), rng.randrange(low, high))


def _litp(numbers: Numbers, rng: Random, scale: int) -> Iterator[Draft]:
    limits = [
        numbers.of(value)
        for value in (127.99, 127.99609375, 128.0, 127.9961, 1000.0, -127.99609375, -128.0, -127.99, 1.0, -1.0)
    ]
    words = [*limits, *numbers.edges, *[numbers.plain(rng, 8) for _ in range(22 * scale)]]
    for mask in (0xF, 0x7, 0xE, 0x6):
        rng.shuffle(words)
        rows = numbers.packed(words)
        for number, first in enumerate(range(0, len(rows), LANES)):
            code = Code()
            code.operate("litp", 0, [0], descriptor(mask))
            show_flags(code, 1)
            code.end()
            job = code.job({0: rows[first : first + LANES]}, flag_uniforms(numbers), outputs=(0, 1))
            shows = f"special numbers, write mask {mask:#x}"
            yield Draft(
                name=f"litp/special-{mask:x}-{number}", group="numbers", ops=("litp",), shows=shows, job=job._replace(state=())
            )


def _comparisons(numbers: Numbers, rng: Random, few: list[tuple[int, int]], *, full: bool) -> Iterator[Draft]:
    """Each operator on each pair of the most telling numbers, x and y on different pairs."""
    pairs = [*few, *[_close(numbers, rng) for _ in range(32)]]
    for operator in range(8):
        rows = list(pairs)
        rng.shuffle(rows)
        for number, first in enumerate(range(0, len(rows) - 1, 2 * LANES)):
            part = rows[first : first + 2 * LANES]
            left = numbers.packed([word for n in range(0, len(part) - 1, 2) for word in (part[n][0], part[n + 1][0], 0, 0)])
            right = numbers.packed([word for n in range(0, len(part) - 1, 2) for word in (part[n][1], part[n + 1][1], 0, 0)])
            code = Code()
            code.mov(R + 1, 1)
            code.operate("cmp", 0, [0, R + 1], cmpx=operator, cmpy=operator if number & 1 else 7 - operator)
            show_flags(code, 1)
            code.end()
            job = code.job({0: left, 1: right}, flag_uniforms(numbers), outputs=(1,))
            yield Draft(
                name=f"cmp/{operator}-{number}",
                group="numbers",
                ops=("cmp",),
                shows=f"operator {operator} on special numbers",
                job=job._replace(state=()),
            )
