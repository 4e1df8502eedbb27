"""The functions of GLSL.std.450 in exact float24, beside their true values."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from compile.spirv.functions_of import NUMBERS, cut, evaluate, program
from effort import times
from lanewise.compile.spirv.accuracy import ROWS, Accuracy
from lanewise.compile.spirv.functions import FUNCTIONS, NAMES
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def inverse_root(x: float) -> float:
    return 1 / math.sqrt(x)


TRUE: Mapping[str, Callable[..., float]] = {
    "Sin": math.sin,
    "Cos": math.cos,
    "Tan": math.tan,
    "Asin": math.asin,
    "Acos": math.acos,
    "Atan": math.atan,
    "Atan2": math.atan2,
    "Sinh": math.sinh,
    "Cosh": math.cosh,
    "Tanh": math.tanh,
    "Asinh": math.asinh,
    "Acosh": math.acosh,
    "Atanh": math.atanh,
    "Exp": math.exp,
    "Log": math.log,
    "Exp2": math.exp2,
    "Log2": math.log2,
    "Sqrt": math.sqrt,
    "InverseSqrt": inverse_root,
    "Pow": math.pow,
    "Radians": math.radians,
    "Degrees": math.degrees,
}


def arguments(row: Accuracy, count: int) -> list[tuple[float, ...]]:
    """Numbers over the range, its ends, and what is near 0 and 1."""
    rng = np.random.default_rng(zlib.crc32(row.function.encode()))
    low, high = (max(row.low, -(2.0**40)), min(row.high, 2.0**40))
    if low > 0:
        firsts = np.exp2(rng.uniform(math.log2(low), math.log2(high), count))
    elif math.isinf(row.high):
        firsts = np.exp2(rng.uniform(-10, 40, count)) * rng.choice([-1, 1], count)
    else:
        firsts = rng.uniform(low, high, count)
    firsts[:2] = low, high
    near = [number for number in (0.0, 2.0**-10, -(2.0**-10), 1.0, 1 + 2.0**-16, 1 - 2.0**-17) if low <= number <= high]
    firsts[2 : 2 + len(near)] = near
    seconds = rng.uniform(row.low, row.high, count) if row.function == "Atan2" else rng.uniform(-4, 4, count)
    if row.function in ("Atan2", "Pow"):
        return [(cut(float(a)), cut(float(b))) for a, b in zip(firsts, seconds, strict=True)]
    return [(cut(float(a)),) for a in firsts]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function)
def test_error(row: Accuracy):
    made = program(row.function, 2 if row.function in ("Atan2", "Pow") else 1)
    for given in arguments(row, times(120, 20_000)):
        true = TRUE[row.function](*given)
        found = evaluate(made, given)
        assert abs(found - true) <= row.absolute + row.relative * abs(true), (given, found, true)


def test_rows_are_not_loose():
    """A stated error is at most some eight times what is measured: a row that says nothing is of no use."""
    for row in ROWS:
        made = program(row.function, 2 if row.function in ("Atan2", "Pow") else 1)
        shares: list[float] = []
        for given in arguments(row, 120):
            true = TRUE[row.function](*given)
            bound = row.absolute + row.relative * abs(true)
            shares.append(abs(evaluate(made, given) - true) / bound if bound else 0.0)
        assert max(shares) > 1 / 8, row.function


@together(
    ("name", "given", "expected"),
    [
        ("Floor", (-1.5,), -2.0),
        ("Ceil", (-1.5,), -1.0),
        ("Trunc", (-1.5,), -1.0),
        ("Trunc", (1.75,), 1.0),
        ("Fract", (-1.25,), 0.75),
        ("Round", (2.5,), 3.0),
        ("Round", (-1.75,), -2.0),
        ("RoundEven", (2.5,), 2.0),
        ("RoundEven", (3.5,), 4.0),
        ("RoundEven", (-0.5,), 0.0),
        ("RoundEven", (-1.5,), -2.0),
        ("RoundEven", (2.25,), 2.0),
        ("FAbs", (-3.0,), 3.0),
        ("FSign", (-3.0,), -1.0),
        ("FSign", (0.0,), 0.0),
        ("FSign", (0.25,), 1.0),
        ("FMin", (1.0, 2.0), 1.0),
        ("FMax", (1.0, 2.0), 2.0),
        ("FClamp", (5.0, 0.0, 1.0), 1.0),
        ("FClamp", (-5.0, 0.0, 1.0), 0.0),
        ("FMix", (1.0, 3.0, 0.5), 2.0),
        ("Step", (1.0, 1.0), 1.0),
        ("Step", (1.0, 0.5), 0.0),
        ("SmoothStep", (0.0, 2.0, 1.0), 0.5),
        ("SmoothStep", (0.0, 2.0, -1.0), 0.0),
        ("Fma", (2.0, 3.0, 4.0), 10.0),
        ("Ldexp", (3.0, 4.0), 48.0),
        ("Length", (-2.0,), 2.0),
        ("Distance", (1.0, 3.5), 2.5),
        ("Sqrt", (0.0,), 0.0),
        ("Sqrt", (math.inf,), math.inf),
        ("Tanh", (math.inf,), 1.0),
        ("Tanh", (-math.inf,), -1.0),
        ("NMin", (math.nan, 2.0), 2.0),
        ("NMin", (2.0, math.nan), 2.0),
        ("NMax", (math.nan, 2.0), 2.0),
        ("NMax", (2.0, math.nan), 2.0),
        ("Pow", (0.0, 2.0), 0.0),
    ],
)
def test_value(name: str, given: tuple[float, ...], expected: float):
    assert evaluate(program(name, len(given)), given) == expected


def test_every_function_has_a_name():
    assert set(FUNCTIONS) <= set(NAMES)
    assert set(NUMBERS) >= set(TRUE)


def test_the_arc_tangent_of_all_quadrants():
    made = program("Atan2", 2)
    for y, x in ((1, 1), (1, -1), (-1, -1), (-1, 1), (2, 0), (-2, 0), (0, 3), (0.0, -3)):
        assert abs(evaluate(made, (y, x)) - math.atan2(y, x)) < 2**-12, (y, x)
